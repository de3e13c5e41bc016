//! Real games from the first move to the last: one side by hand on pegs, the other on a board that
//! reports.

use annabella_core::{
    game::{GameConfig, Input, MoveState, Output},
    notation::pgn,
};
use annabella_players::hands::{Hands, Style};
use annabella_words::phrase::{SpokenForm, Words};
use shakmaty::{Chess, Color, Move, Position, uci::UciMove};

use super::table::Table;

fn games() -> Vec<(String, Vec<Move>)> {
    let files = [
        include_str!("../../data/kasparov-deep-blue-1997.pgn"),
        include_str!("../../data/anastasian-lewis.pgn"),
    ];
    let mut games = Vec::new();
    for file in files {
        for game in pgn::read_games(file).expect("a PGN") {
            let name = format!("{:?}–{:?}", game.tag("White"), game.tag("Black"));
            let moves: Vec<Move> =
                game.sections.iter().flat_map(|section| section.moves.iter().copied()).collect();
            if game.sections.len() == 1 && moves.len() > 20 {
                games.push((name, moves));
            }
        }
    }
    games
}

fn made(table: &Table) -> Option<&str> {
    table.results.iter().rev().flatten().flat_map(|outputs| outputs.iter().rev()).find_map(
        |output| match output {
            Output::Move { uci, state: MoveState::Made, .. } => Some(uci.as_str()),
            _ => None,
        },
    )
}

/// The hands move; if the pegs cannot tell, the player says his move.
fn by_hand(table: &mut Table, hands: &mut Hands, words: &Words, position: &Chess, mv: Move) {
    let own = position.turn() == table.hand;
    let text = words.announce(position, mv, SpokenForm::Full).to_string();
    if own && mv.is_promotion() {
        table.says(table.hand, &text);
    }
    let script = hands.play(position, mv, table.now_ms);
    table.feel(&script.edges, script.end_ms);
    let uci = UciMove::from_standard(mv).to_string();
    for _ in 0..2 {
        if !own || made(table) == Some(uci.as_str()) {
            break;
        }
        table.says(table.hand, &text);
        table.wait(1500);
    }
}

fn plays(name: &str, moves: &[Move], blind: Color, sighted_board: bool, seed: u64) {
    let config = GameConfig {
        blind: if blind.is_white() {
            annabella_core::game::Blind::White
        } else {
            annabella_core::game::Blind::Black
        },
        sighted_board,
        ..GameConfig::default()
    };
    let words = Words::builtin("fide", "de").expect("German");
    let mut table = Table::new(config);
    let mut hands = Hands::seeded(seed, Style::human());
    table.start_clock();
    let mut position = Chess::default();
    for (n, &mv) in moves.iter().enumerate() {
        let mover = position.turn();
        let uci = UciMove::from_standard(mv).to_string();
        if mover == blind || !sighted_board {
            by_hand(&mut table, &mut hands, &words, &position, mv);
            table.press(mover);
            if sighted_board {
                table.sighted(!blind, &uci);
            }
        } else {
            table.sighted(mover, &uci);
            table.press(mover);
            by_hand(&mut table, &mut hands, &words, &position, mv);
        }
        let line: Vec<Move> =
            table.game.record().expect("a game").line.iter().map(|ply| ply.mv).collect();
        assert_eq!(line, moves[..=n], "{name} SEED={seed} ply {}: {:#?}", n + 1, table.heard());
        position.play_unchecked(mv);
    }
    let record = table.game.record().expect("a game");
    assert_eq!(record.position, &position);
    for score in [record.score(Color::White), record.score(Color::Black)] {
        assert_eq!(score.iter().map(|entry| entry.mv.expect("a move")).collect::<Vec<_>>(), moves);
    }
    assert!(record.line.iter().all(|ply| ply.completed.is_some()));
    let heard = table.heard();
    assert_ne!(
        heard.iter().rfind(|line| line.starts_with("boards ")).map(String::as_str),
        Some("boards differ")
    );
    let (_, results) = annabella_core::game::Game::replay(table.inputs.clone());
    assert!(results == table.results, "{name}: replayed differently");
    assert!(table.inputs.iter().any(|(_, input)| matches!(input, Input::Edge { .. })));
}

#[test]
fn real_games_are_recorded_move_by_move() {
    let games = games();
    assert!(games.len() >= 3, "only {} games", games.len());
    for (n, (name, moves)) in games.iter().enumerate() {
        for blind in Color::ALL {
            let seed = 10 * n as u64 + u64::from(blind.is_white());
            plays(name, moves, blind, true, seed);
            plays(name, moves, blind, false, seed);
        }
    }
}
