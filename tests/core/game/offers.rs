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
