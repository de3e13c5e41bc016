//! A move that is sealed: what its player may ask for meanwhile, and what ends
//! the invitation (Guideline I.1).

use annabella_core::game::{
    Adjourn, ArbiterAct, At, GameConfig, Input, Running, Sealing, Settle, Stage, Taken,
};
use shakmaty::Color::White;

use super::{
    script::{has, wooden},
    table::Table,
};

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
    if let Taken::Instead(input) = &taken {
        table.input(input.clone());
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
    let back = "g1- f3+ ~900 w! b\"g8-f6\" b! g8- f6+ ~900 f3- g1+ ~900 w! b\"f6-g8\" b! f6- g8+ ~900";
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
