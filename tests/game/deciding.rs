//! Boards or scores differ, and the arbiter decides (D.2.9): in a running game, to the last peg.

use annabella::{
    game::{
        Act, ClockBasis, GameConfig, HandStep, Input, Output, Ruling, Running, Settle,
        SettledClocks, Source,
    },
    notation::{read_entries, read_score},
    reconcile::{Basis, Verdict, Who},
    sensing::Shape,
};
use shakmaty::{
    Chess,
    Color::{Black, White},
    Move, Position,
    uci::UciMove,
};

use crate::table::Table;

fn two_boards() -> GameConfig {
    GameConfig { sighted_board: true, ..GameConfig::default() }
}

fn moves(texts: &[&str]) -> Vec<Move> {
    let reading = read_entries(&Chess::default(), texts);
    assert!(reading.first_error().is_none(), "{:?}", reading.first_error());
    reading.moves()
}

/// Hands on White's pegs.
fn on_pegs(table: &mut Table, position: &Chess, mv: Move) {
    let shape = Shape::new(position.board().occupied(), mv);
    for square in shape.emptied {
        table.lift(&square.to_string());
    }
    for square in shape.landing {
        table.put(&square.to_string());
    }
    table.wait(1600);
}

/// A whole half-move: made, pressed after three seconds, followed on the other board.
fn play(table: &mut Table, mv: Move) {
    let position = table.position().clone();
    let uci = UciMove::from_standard(mv).to_string();
    let turn = position.turn();
    if turn.is_white() {
        on_pegs(table, &position, mv);
    } else {
        table.sighted(Black, &uci);
    }
    table.wait(3000);
    table.press(turn);
    if turn.is_white() {
        table.sighted(Black, &uci);
    } else {
        on_pegs(table, &position, mv);
    }
}

fn played(config: GameConfig, moves: &[Move]) -> Table {
    let mut table = Table::new(config);
    table.start_clock();
    for mv in moves {
        play(&mut table, *mv);
    }
    assert_eq!(table.game.record().expect("a game").line.len(), moves.len());
    table.heard();
    table
}

fn settle(table: &mut Table, settle: Settle, reason: &str) {
    let ruling = Ruling::new(Act::Settle(Box::new(settle)), "A. Weber", reason);
    table.input(Input::Arbiter(Box::new(ruling)));
}

/// As proposed, with the journal's clocks.
fn as_proposed(table: &mut Table) {
    let settlement = table.game.settlement().expect("a game");
    let proposed = settlement.clocks.as_ref().and_then(|clocks| clocks.proposed);
    let clocks = proposed.map(|proposed| SettledClocks {
        white_ms: proposed.times.white_ms,
        black_ms: proposed.times.black_ms,
        basis: ClockBasis::from(proposed.basis),
    });
    settle(table, Settle { ply: settlement.ply, score: None, clocks }, "");
}

/// The steps last shown for a board.
fn shown_steps(table: &Table, of: shakmaty::Color) -> Vec<HandStep> {
    let outputs = table.results.iter().flatten().flatten();
    let last = outputs.filter_map(|output| match output {
        Output::Correct { seat, steps } if *seat == of => Some(steps.clone()),
        _ => None,
    });
    last.last().unwrap_or_default()
}

/// The hands do what is shown, one thing after another.
fn follow(table: &mut Table) {
    for _ in 0..64 {
        match shown_steps(table, White).first() {
            None => return,
            Some(HandStep::Take { take, .. }) => table.lift(&take.to_string()),
            Some(HandStep::Put { put, .. }) => table.put(&put.to_string()),
        }
    }
    panic!("the steps never end");
}

const SIX: [&str; 6] = ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6"];

#[test]
fn scores_that_differ_are_noticed_settled_and_the_boards_guided_back() {
    let mut table = played(two_boards(), &moves(&SIX));
    let text = "1. e4 e5 2. Sf3 Sf6 3. Lb5 a6".to_owned();
    table.input(Input::Score { seat: Black, from_ply: 1, text });
    for line in table.heard() {
        println!("{line}");
    }
    let settlement = table.game.settlement().expect("a game");
    println!("{settlement:#?}");
    as_proposed(&mut table);
    for line in table.heard() {
        println!("{line}");
    }
    follow(&mut table);
    for line in table.heard() {
        println!("{line}");
    }
    table.input(Input::Corrected { seat: Black });
    for line in table.heard() {
        println!("{line}");
    }
    panic!();
}
