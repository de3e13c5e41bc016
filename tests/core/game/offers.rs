//! Offers of a draw: when they may be accepted, and what they outlive (9.1).

use annabella_core::game::{
    Adjourn, ArbiterAct, GameConfig, HandsKnown, HandsOf, Input, PageAct, PageEntry, PageRole,
    PlayerWord, Settle,
};
use shakmaty::Color::Black;

use super::{
    script::{has, lacks, wooden},
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

const PLAYED: &str = "w\"e2-e4\" w! b\"e7-e5\" b!";

/// The same with pegs that are felt.
const FELT: &str = "e2- e4+ ~900 w! b\"e7-e5\" b! e7- e5+ ~900";

fn page(table: &mut Table, word: PlayerWord, role: PageRole) {
    let act = PageAct::Says { seat: Black, word };
    let by = "B. Kern".to_owned();
    table.input(Input::Page(Box::new(PageEntry { act, role, by })));
}

#[test]
fn an_offer_entered_on_a_page_takes_the_place_of_an_older_question_5_1_2() {
    for asked in
        ["ich gebe auf", "Stellungswiederholung", "Remis anbieten", "der Schiri soll kommen"]
    {
        for role in [PageRole::Assistant, PageRole::Arbiter] {
            for says in ["w\"ja\"", "\"ja\""] {
                let mut table = Table::after(told(), &format!("{PLAYED} w\"{asked}\""));
                has(&table.heard(), "?");
                page(&mut table, PlayerWord::OffersDraw, role);
                has(&table.heard(), "ear: Dein Gegner bietet Remis an.");
                table.script(says);
                assert_eq!(table.spoken(), ["ear: Remis annehmen?"], "{asked}");
                table.script(says);
                assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"), "{asked}");
            }
        }
    }
    // What binds him to nothing is asked once more, after it.
    let mut table = Table::after(told(), &format!("{PLAYED} w\"Stellung prüfen\""));
    let walk = table.spoken().pop();
    page(&mut table, PlayerWord::OffersDraw, PageRole::Assistant);
    assert_eq!(table.spoken().last(), walk.as_ref());
}

#[test]
fn a_remark_of_the_opponent_is_followed_by_the_question_that_stands() {
    let config = GameConfig { at_home: true, ..told() };
    let mut table = Table::after(config, &format!("{PLAYED} w\"ich gebe auf\""));
    let text = "Noch eine Partie?".to_owned();
    page(&mut table, PlayerWord::Remarks { text }, PageRole::Program);
    assert_eq!(table.spoken().last().map(String::as_str), Some("ear: Wirklich aufgeben?"));
}

#[test]
fn an_offer_is_told_once_more_when_the_service_goes_on_9_1_2_1() {
    let mut table = Table::after(told(), OFFERED);
    table.heard();
    table.input(Input::Resumed);
    has(&table.heard(), "ear: Dein Gegner bietet Remis an.");
    table.script("w\"nein\"");
    has(&table.heard(), "loud: Remis abgelehnt.");
    table.input(Input::Resumed);
    lacks(&table.heard(), "Dein Gegner bietet");
}

#[test]
fn nobody_accepts_his_own_offer_9_1_2_1() {
    let offered = "\"Remis anbieten\" \"ja\" \"Remis annehmen\"";
    let mut table = Table::after(told(), &format!("{PLAYED} {offered}"));
    assert_eq!(table.spoken().pop().as_deref(), Some("loud: Schwarz? Remis annehmen?"));
    // Whoever hears it may deny it.
    table.script("w\"nein\" \"ja\" b\"ja\"");
    assert_eq!(table.result(), None, "{:#?}", table.heard());
    table.script("b\"ja\"");
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"), "he himself accepts it");
    // Who has a page accepts there.
    let mut table = Table::after(told(), PLAYED);
    page(&mut table, PlayerWord::Adjusts, PageRole::Assistant);
    page(&mut table, PlayerWord::OffersDraw, PageRole::Assistant);
    page(&mut table, PlayerWord::DeclinesDraw, PageRole::Assistant);
    table.script("w\"nein\"");
    table.heard();
    table.script(offered);
    assert_eq!(
        table.spoken().pop().as_deref(),
        Some("ear: Das sagt dein Gegner auf seiner Seite.")
    );
    page(&mut table, PlayerWord::AcceptsDraw, PageRole::Assistant);
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"), "{:#?}", table.heard());
}

#[test]
fn who_seals_may_decline_an_offer_with_nein_9_1_2_1() {
    let mut table = Table::after(told(), &format!("{OFFERED} b!"));
    let (arbiter, session_left_ms) = ("A. Weber".to_owned(), None);
    let invited = Adjourn::Invited { arbiter, session_left_ms, reply: false };
    table.input(Input::Adjourn(Box::new(invited)));
    assert!(table.game.asks());
    table.script("w\"nein\"");
    has(&table.heard(), "loud: Remis abgelehnt.");
    assert!(!table.game.asks());
}

#[test]
fn a_touch_that_may_be_meant_for_a_move_declines_aloud_9_1_2_1() {
    let offered = format!("{FELT} b\"Remis anbieten\" b\"ja\"");
    let mut table = Table::after(wooden(), &format!("{offered} g1-"));
    has(&table.heard(), "loud: Remis abgelehnt.");
    table.script("g1+ ~900 w\"Remis annehmen\"");
    assert_eq!(table.spoken(), ["ear: Kein Remisangebot."]);
    // Neither can be moved or captured.
    for bumped in ["a8- a8+", "a1- a1+"] {
        let mut table = Table::after(wooden(), &format!("{offered} {bumped} ~900"));
        lacks(&table.heard(), "abgelehnt");
        table.script("w\"Remis annehmen\" w\"ja\"");
        assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.3"), "{bumped}");
    }
}

#[test]
fn what_is_touched_while_the_clocks_are_stopped_binds_nobody_6_11() {
    let mut table = Table::after(wooden(), &format!("{FELT} b\"Remis anbieten\" b\"ja\""));
    table.rules_because(ArbiterAct::StopClocks, "a look at the board");
    table.script("g1- ~300 g1+ ~900");
    table.rules(ArbiterAct::StartClocks { side: None });
    lacks(&table.heard(), "abgelehnt");
    table.script("w\"Remis annehmen\"");
    assert_eq!(table.spoken(), ["ear: Remis annehmen?"]);
    table.script("w\"nein\" ~300 d2- d4+ ~900 w!");
    lacks(&table.heard(), "4.3");
    assert_eq!(table.sans(), ["e4", "e5", "d4"]);
    // When the game goes on, it does.
    table.script("b\"d7-d5\" b! d7- d5+ ~900 g1- ~300 g1+ ~900 a2- a4+ ~900");
    has(&table.heard(), "4.3");
}
