//! Any line of an engine and any line of a table: never a panic, and what an engine wants is made only where it is legal.
#![no_main]

use annabella_partner::{
    judge::Judge,
    line::Line,
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
