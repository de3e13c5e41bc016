//! Offers of a draw: when they may be accepted, and what they outlive (9.1).

use annabella_core::game::{ArbiterAct, GameConfig, HandsKnown, HandsOf, Settle};

use super::{
    script::{lacks, wooden},
    table::Table,
};

/// No sensors: White says what his hands do.
fn told() -> GameConfig {
    GameConfig { hands: HandsOf { white: HandsKnown::Announced, ..HandsOf::default() }, ..wooden() }
}

const OFFERED: &str = "w\"e2-e4\" w! b\"e7-e5\" b\"Remis anbieten\" b\"ja\"";

#[test]
fn an_offer_with_the_first_reply_is_accepted_before_the_clock_is_pressed_5_2_3() {
    for first in ["e2- e4+ ~900 w!", "e2- e4+ ~900 w! e7- e5+ ~900"] {
        let offered = "b\"e7-e5\" b\"Remis anbieten\" b\"ja\" ~200 w\"Remis annehmen\" w\"ja\"";
        let mut table = Table::after(wooden(), &format!("{first} {offered}"));
        assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"), "{:#?}", table.heard());
        assert_eq!(table.sans(), ["e4", "e5"]);
    }
    // An agreed number of moves before which no draw is offered counts the same (9.1.1).
    let config = GameConfig { no_draw_before: 1, ..wooden() };
    let mut table = Table::after(config, "e2- e4+ ~900 w! b\"e7-e5\" b\"Remis anbieten\" b\"ja\"");
    lacks(&table.heard(), "refused 9.1.1");
}

#[test]
fn a_wrong_claim_is_an_offer_beside_the_opponents_9_1_2_3() {
    let claimed = "b! w\"Stellungswiederholung\" w\"ja\" ~200";
    let mut table = Table::after(told(), &format!("{OFFERED} {claimed}"));
    table.script("w\"Remis annehmen\" w\"ja\"");
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"), "{:#?}", table.heard());
    // The claim is an offer too, and the opponent accepts that one.
    let mut table = Table::after(told(), &format!("{OFFERED} {claimed}"));
    table.script("b\"Remis annehmen\" b\"ja\"");
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"), "{:#?}", table.heard());
}

#[test]
fn an_offer_outlives_a_decision_that_keeps_its_move_9_1_2_1() {
    let settled = |ply: u32| {
        let mut table = Table::after(told(), &format!("{OFFERED} b!"));
        let settle = Settle { ply, score: None, clocks: None };
        table.rules_because(ArbiterAct::Settle(Box::new(settle)), "as it was");
        table.rules(ArbiterAct::StartClocks { side: None });
        table.script("w\"Remis annehmen\" w\"ja\"");
        table.result()
    };
    assert_eq!(settled(2).as_deref(), Some("1/2-1/2 5.2.3"));
    assert_eq!(settled(1), None, "the move with which it was offered is gone");
}

#[test]
fn naming_the_move_of_a_claim_answers_whether_it_is_meant_9_3_1() {
    let fen = "4k3/8/8/8/8/R7/8/4K3 w - - 99 80";
    let two = "4k3/8/8/8/8/R7/8/R3K3 w - - 99 80";
    for (start, claimed, named) in [
        (fen, "Turm Anna drei Anna zwei", "Turm Anna drei Anna zwei"),
        (fen, "Turm Anna zwei", "Turm Anna zwei"),
        // Two rooks can go there: his words name one of them.
        (two, "Turm Anna zwei", "Turm Anna eins Anna zwei"),
        (two, "Turm Anna drei Anna zwei", "Turm Anna zwei"),
    ] {
        let config = GameConfig { start: Some(start.to_owned()), ..told() };
        let script = format!("w\"fünfzig Züge mit {claimed}\" ~200 w\"{named}\"");
        let mut table = Table::after(config, &script);
        assert_eq!(table.result().as_deref(), Some("1/2-1/2 9.3"), "{:#?}", table.heard());
    }
    // His words fit both that are asked about: the question stands.
    let config = GameConfig { start: Some(two.to_owned()), ..told() };
    let claim = "w\"fünfzig Züge mit Turm Anna zwei\" ~200 w\"Turm Anna zwei\"";
    let mut table = Table::after(config.clone(), claim);
    assert_eq!((table.result(), table.sans().len()), (None, 0), "{:#?}", table.heard());
    table.script("w\"ja\"");
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 9.3"));
    // Another move is another wish.
    let other = "w\"fünfzig Züge mit Turm Anna drei Anna zwei\" ~200 w\"König Eva eins Eva zwei\"";
    let table = Table::after(config, other);
    assert_eq!((table.result(), table.sans()), (None, vec!["Ke2".to_owned()]));
}
