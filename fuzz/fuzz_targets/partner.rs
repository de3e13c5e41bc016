//! Any line of an engine, any line of a table, any file of puzzles or games: never a panic, and
//! what an engine wants is made only where it is legal.
#![no_main]

use annabella_partner::{
    judge::Judge,
    line::Line,
    puzzle,
    replay::{self, Listener},
    score::{usual_start, written},
    table::Table,
    uci::{self, FromEngine},
};
use libfuzzer_sys::fuzz_target;
use shakmaty::{Color, Position as _};

fuzz_target!(|input: (&str, &str, &str)| {
    let (engine, moves, table) = input;
    if let Ok(Some(table)) = Table::read(table) {
        let _ = written(&table);
    }
    for puzzle in puzzle::all(table.as_bytes()).0 {
        let line = Line::read(&puzzle.start, &puzzle.solution).expect("legal one after another");
        assert!(puzzle.is_solved(&line.uci()) && puzzle.next(&[]).is_some());
    }
    if let Ok(game) = replay::chosen(table.as_bytes(), 1) {
        let listener = Listener { words: "en".into(), prompts: "en".into(), colour: Color::White };
        let _ = replay::inputs(&game, &listener).expect("built in");
    }
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    let Some(line) = Line::read(&usual_start(), &moves) else { return };
    let mut judgement = None;
    for text in engine.lines() {
        match uci::read(text) {
            FromEngine::Judged(judged) => {
                let value = judged.centipawns();
                assert!((-200_000..=200_000).contains(&value));
                judgement = Some(judged);
            }
            FromEngine::BestMove(best) => {
                let Some(mv) = line.legal(&best) else { continue };
                assert!(line.position().is_legal(mv));
                let _ = Judge::claims(&line, mv, judgement);
            }
            _ => {}
        }
    }
    let _ = Judge::takes(&line, judgement, Color::White);
});
