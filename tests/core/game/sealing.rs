//! A move that is sealed: what its player had touched, what he may ask for meanwhile, and what ends
//! the invitation (Guideline I.1).

use annabella_core::game::{
    Adjourn, ArbiterAct, At, BoardSeen, Envelope, GameConfig, Input, Output, Running, Sealing,
    Settle, Stage, Taken,
};
use shakmaty::{
    Bitboard,
    Color::{Black, White},
    Position, Square,
};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

/// White's rook mates, and his knight can move.
const TOUCHED: &str = "6k1/5ppp/8/8/8/8/8/RN2K3 w - - 0 1";

fn step(table: &mut Table, step: Adjourn) {
    table.input(Input::Adjourn(Box::new(step)));
}

fn invite(table: &mut Table) -> Sealing {
    let arbiter = "A. Weber".to_owned();
    step(table, Adjourn::Invited { arbiter, session_left_ms: None, reply: false });
    table.game.sealing().expect("an invitation")
}

fn stage(table: &Table) -> Option<Stage> {
    table.game.adjournment().map(|adjournment| adjournment.stage)
}

/// What the service does with an input while a player seals.
fn gives(table: &mut Table, sealing: &mut Sealing, input: &Input) -> Taken {
    table.wait(200);
    let at = At::new(table.now_ms);
    sealing.advance(at);
    let taken = sealing.take(at, input, table.game.asks());
    match &taken {
        Taken::Instead(input) => table.input(input.clone()),
        Taken::Passed => table.input(input.clone()),
        Taken::Kept(_) | Taken::Seal(_) => {}
    }
    taken
}

fn says(table: &mut Table, sealing: &mut Sealing, text: &str) -> Taken {
    gives(table, sealing, &Input::Said { seat: Some(White), heard: vec![text.to_owned()] })
}

fn hands(table: &mut Table, sealing: &mut Sealing, script: &str) {
    for word in script.split(' ') {
        let (square, put) = word.split_at(2);
        let (square, occupied) = (square.parse().expect(word), put == "+");
        gives(table, sealing, &Input::Edge { seat: White, square, occupied, ago_ms: 0 });
    }
    table.wait(2000);
}

/// He stops his clock, and the envelope is opened.
fn opens(table: &mut Table, sealing: &mut Sealing) -> String {
    let Taken::Seal(written) = gives(table, sealing, &Input::Pressed { seat: White }) else {
        panic!("nothing is sealed");
    };
    step(table, Adjourn::Sealed { envelope: Envelope::Paper });
    let (arbiter, opened) = ("A. Weber".to_owned(), written.clone());
    step(table, Adjourn::Opened { written: opened, arbiter, clock_ms: None });
    written
}

#[test]
fn what_was_touched_before_a_sealed_move_is_reported_when_it_is_opened_4_3_1() {
    let config = || GameConfig { start: Some(TOUCHED.to_owned()), ..wooden() };
    let sealed = |before: &str, script: &str| {
        let mut table = Table::after(config(), before);
        let mut sealing = invite(&mut table);
        hands(&mut table, &mut sealing, script);
        table.heard();
        let written = opens(&mut table, &mut sealing);
        (table, written)
    };
    // Before the invitation or after it.
    for (before, script) in [("b1- b1+ ~700", "a1- a8+"), ("", "b1- b1+ a1- a8+")] {
        let (mut table, written) = sealed(before, script);
        assert_eq!(written, "a1a8 (b1 a1)");
        has(&table.heard(), "proposal 1 4.3: the piece on b1 was touched first and can move");
        assert_eq!((table.result(), table.sans()), (None, vec!["Ra8#".to_owned()]));
        table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: Some(1) });
        assert_eq!(table.result().as_deref(), Some("1-0 5.1.1"));
    }
    let (mut table, written) = sealed("", "b1- b1+ a1- a3+");
    assert_eq!(written, "a1a3 (b1 a1)");
    has(&table.heard(), "problem 4.3: the piece on b1 was touched first and can move");
    assert_eq!((table.sans(), table.completed()), (vec!["Ra3".to_owned()], 1));
    let (mut table, written) = sealed("", "b1- c3+");
    assert_eq!(written, "b1c3");
    lacks(&table.heard(), "4.3");
}

#[test]
fn castling_is_sealed_by_word_and_by_hand_and_after_fertig_in_vain_3_8_2() {
    let castles = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let config = || GameConfig { start: Some(castles.to_owned()), ..wooden() };
    let fertig = |table: &mut Table, sealing: &mut Sealing| says(table, sealing, "fertig");
    for (said, script, text) in [
        (Some("kurze Rochade"), "", "e1g1"),
        (Some("lange Rochade"), "e1- c1+ a1- d1+", "e1c1"),
        (None, "e1- g1+ h1- f1+", "e1g1"),
        // The rook is still to come: his king was released for it (4.7.2).
        (Some("kurze Rochade"), "e1- g1+", "e1g1"),
    ] {
        let mut table = Table::after(config(), "");
        let mut sealing = invite(&mut table);
        let Taken::Kept(told) = fertig(&mut table, &mut sealing) else { panic!("sealed") };
        let first = "Erst den Abgabezug sagen.";
        assert!(matches!(&told[..], [Output::Say { words, .. }] if words.to_string() == first));
        if let Some(said) = said {
            says(&mut table, &mut sealing, said);
        }
        if !script.is_empty() {
            hands(&mut table, &mut sealing, script);
        }
        let sealed = fertig(&mut table, &mut sealing);
        assert_eq!(sealed, Taken::Seal(text.to_owned()), "{said:?} {script}");
    }
}

#[test]
fn a_sighted_players_board_tells_what_he_touched_before_he_sealed_4_3_1() {
    let config = GameConfig {
        start: Some("rn2k3/8/8/8/8/8/5PPP/6K1 b - - 0 1".to_owned()),
        sighted_board: true,
        ..wooden()
    };
    let mut table = Table::after(config, "");
    let mut sealing = invite(&mut table);
    for square in [Square::B8, Square::A8] {
        let seen = BoardSeen::Lifted { square, ago_ms: 0 };
        gives(&mut table, &mut sealing, &Input::BoardSeen { seat: Black, seen });
    }
    let said = Input::Said { seat: Some(Black), heard: vec!["a8-a3".to_owned()] };
    gives(&mut table, &mut sealing, &said);
    let sealed = gives(&mut table, &mut sealing, &Input::Pressed { seat: Black });
    assert_eq!(sealed, Taken::Seal("a8a3 (b8 a8)".to_owned()));
}

#[test]
fn an_invitation_to_seal_lapses_with_the_position_it_was_made_for_i_1_1() {
    let played = "e2- e4+ ~900 w! b\"e7-e5\" b! e7- e5+ ~900";
    for act in [
        ArbiterAct::Settle(Box::new(Settle { ply: 1, score: None, clocks: None })),
        ArbiterAct::AcceptMove { uci: "d2d4".to_owned() },
    ] {
        let mut table = Table::after(wooden(), played);
        invite(&mut table);
        table.heard();
        table.rules_because(act, "otherwise");
        assert_eq!(stage(&table), Some(Stage::Over));
        assert!(table.game.sealing().is_none());
        has(&table.heard(), "ear: Gut, dann nicht.");
    }
    // Nobody seals while the arbiter judges his flag (6.9).
    let config = GameConfig { time_control: "0.1".to_owned(), ..wooden() };
    let mut table = Table::after(config, "");
    table.input(Input::ArbiterPage { open: true });
    invite(&mut table);
    table.wait(7000);
    has(&table.heard(), "proposal 1 6.9");
    assert!(table.game.sealing().is_none());
}

#[test]
fn who_is_to_seal_starts_the_clock_and_claims_until_he_has_touched_a_piece_9_2() {
    let back =
        "g1- f3+ ~900 w! b\"g8-f6\" b! g8- f6+ ~900 f3- g1+ ~900 w! b\"f6-g8\" b! f6- g8+ ~900";
    let twice = format!("{back} {back}");
    let mut table = Table::after(wooden(), &twice);
    let mut sealing = invite(&mut table);
    table.rules(ArbiterAct::StopClocks);
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script("\"Uhr anhalten\"");
    says(&mut table, &mut sealing, "Uhr starten");
    assert_eq!(table.clock().2, Running::White, "{:#?}", table.heard());
    says(&mut table, &mut sealing, "Stellungswiederholung");
    says(&mut table, &mut sealing, "ja");
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 9.2"), "{:#?}", table.heard());
    let mut table = Table::after(wooden(), &twice);
    let mut sealing = invite(&mut table);
    hands(&mut table, &mut sealing, "b1- b1+");
    let taken = says(&mut table, &mut sealing, "Stellungswiederholung");
    assert!(format!("{taken:?}").contains("Berührt"), "{taken:?}");
    assert_eq!(table.result(), None);
}

/// What he hears while he seals; the rest is the table's.
fn hears(table: &mut Table, sealing: &mut Sealing, script: &str) -> Vec<String> {
    table.spoken();
    let mut heard = Vec::new();
    for word in script.split(' ') {
        let (square, put) = word.split_at(2);
        let (square, occupied) = (square.parse().expect(word), put == "+");
        let edge = Input::Edge { seat: White, square, occupied, ago_ms: 0 };
        if let Taken::Kept(outputs) = gives(table, sealing, &edge) {
            heard.extend(said(&outputs));
        }
        table.wait(1000);
        heard.extend(said(&sealing.advance(At::new(table.now_ms))));
        heard.extend(table.spoken());
    }
    heard
}

fn said(outputs: &[Output]) -> Vec<String> {
    let words = |output: &Output| match output {
        Output::Say { words, .. } => Some(format!("ear: {words}")),
        _ => None,
    };
    outputs.iter().filter_map(words).collect()
}

#[test]
fn a_board_that_is_wrong_is_put_right_before_it_tells_the_sealed_move_7_5_1_d_2_9() {
    // After a completed illegal move, and after a decision of the arbiter.
    let mut table = Table::after(wooden(), "g1- g3+ ~700 w! ~300");
    let mut sealing = invite(&mut table);
    let heard = hears(&mut table, &mut sealing, "g3- g1+");
    has(&heard, "ear: Setz den weißen Springer auf Gustav eins.");
    has(&heard, "ear: Brett stimmt.");
    says(&mut table, &mut sealing, "Springer Felix drei");
    assert_eq!(opens(&mut table, &mut sealing), "g1f3");
    lacks(&table.heard(), "Entferne");

    let mut table = Table::after(wooden(), "e2- e4+ ~900 w!");
    let settle = ArbiterAct::Settle(Box::new(Settle { ply: 0, score: None, clocks: None }));
    table.rules_because(settle, "otherwise");
    let mut sealing = invite(&mut table);
    let heard = hears(&mut table, &mut sealing, "e4- e2+");
    has(&heard, "ear: Setz den weißen Bauern auf Eva zwei.");
    table.rules(ArbiterAct::StartClocks { side: None });
    hands(&mut table, &mut sealing, "d2- d4+");
    assert_eq!(table.sans(), [""; 0], "the sealed move stays in private");
    table.heard();
    assert_eq!(opens(&mut table, &mut sealing), "d2d4");
    lacks(&table.heard(), "Entferne");
}

#[test]
fn a_whole_reading_tells_the_game_of_a_sealers_board_only_when_it_stands_right_d_2_9() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w!");
    let settle = ArbiterAct::Settle(Box::new(Settle { ply: 0, score: None, clocks: None }));
    table.rules_because(settle, "otherwise");
    let mut sealing = invite(&mut table);
    let right = table.position().board().occupied();
    let read = |occupied: Bitboard| Input::Board { seat: White, occupied: occupied.into() };
    let wrong = right.without(Square::D2).with(Square::D4);
    assert_eq!(gives(&mut table, &mut sealing, &read(wrong)), Taken::Kept(Vec::new()));
    assert_eq!(gives(&mut table, &mut sealing, &read(right)), Taken::Passed);
    hands(&mut table, &mut sealing, "d2- d4+");
    assert_eq!(opens(&mut table, &mut sealing), "d2d4");
}

#[test]
fn whoever_seals_from_a_wrong_board_without_putting_it_right_reveals_nothing_i_1_1() {
    let mut table = Table::after(wooden(), "g1- g3+ ~700 w! ~300");
    let mut sealing = invite(&mut table);
    hears(&mut table, &mut sealing, "g3- f3+");
    table.wait(6000);
    sealing.advance(At::new(table.now_ms));
    assert_eq!(table.sans(), [""; 0]);
    assert_eq!(opens(&mut table, &mut sealing), "g1f3");
}
