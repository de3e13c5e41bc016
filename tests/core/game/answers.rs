//! What is answered to a request or a word that comes at an odd moment: never silence, never what
//! is not so.

use annabella_core::game::{Adjourn, Duties, Envelope, GameConfig, HandsKnown, HandsOf, Input};
use shakmaty::Color::{Black, White};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

/// No sensors: White says what his hands do.
fn told() -> GameConfig {
    GameConfig { hands: HandsOf { white: HandsKnown::Announced, ..HandsOf::default() }, ..wooden() }
}

/// Whose ear the last refusal went to; `None`: everybody's.
fn answered(table: &Table) -> Option<shakmaty::Color> {
    table.results.last().and_then(|result| result.as_ref().err()).expect("a refusal").seat
}

#[test]
fn whoever_speaks_while_the_game_is_adjourned_hears_that_it_is() {
    let mut table = Table::after(told(), "");
    let arbiter = "A. Weber".to_owned();
    let invited = Adjourn::Invited { arbiter, session_left_ms: None, reply: false };
    for step in [invited, Adjourn::Sealed { envelope: Envelope::Paper }] {
        table.input(Input::Adjourn(Box::new(step)));
    }
    table.heard();
    for request in ["Zeit", "Hilfe", "letzter Zug", "Remis anbieten"] {
        table.says(White, request);
        has(&table.heard(), "– Die Partie ist unterbrochen.");
    }
    table.press(White);
    lacks(&table.heard(), "Die Partie ist unterbrochen.");
}

#[test]
fn after_the_end_nobody_is_to_move() {
    let mut table = Table::after(wooden(), "w\"ich gebe auf\" w\"ja\"");
    table.heard();
    table.says(White, "wer ist am Zug");
    has(&table.heard(), "ear: Die Partie ist zu Ende. Schwarz hat gewonnen.");
}

#[test]
fn a_sighted_player_is_answered_aloud_and_the_blind_one_in_his_ear() {
    let mut table = Table::after(told(), "");
    table.says(Black, "Stellungswiederholung");
    has(&table.heard(), "– Du bist nicht am Zug.");
    assert_eq!(answered(&table), None);
    table.says(Black, "ich nehme an");
    has(&table.heard(), "loud: Kein Remisangebot.");
    table.script("w\"Bauer Eva zwei Eva vier\" w!");
    table.heard();
    table.says(White, "Stellungswiederholung");
    has(&table.heard(), "– Du bist nicht am Zug.");
    assert_eq!(answered(&table), Some(White));
}

#[test]
fn one_move_is_no_move_before_the_last_and_not_none() {
    let mut table = Table::after(told(), "w\"Bauer Eva zwei Eva vier\" w!");
    table.heard();
    table.says(White, "vorletzter Zug");
    has(&table.heard(), "ear: Erst ein Zug.");
}

#[test]
fn a_stretch_of_one_minute_is_said_as_seconds() {
    let config = GameConfig { time_control: "2/1:1".to_owned(), ..told() };
    let mut table = Table::after(config, "");
    table.heard();
    table.says(White, "welche Bedenkzeit");
    has(&table.heard(), "ear: Zwei Züge in sechzig Sekunden, dann eine Minute.");
}

#[test]
fn numbers_of_moves_are_informing_too() {
    let duties = Duties { inform: false, ..Duties::default() };
    let mut table = Table::after(GameConfig { duties, ..told() }, "");
    table.says(White, "wie viele Züge");
    has(&table.heard(), "– Auskünfte über Zeit und Züge sind ausgeschaltet.");
}

#[test]
fn a_move_that_only_was_claimed_never_stood_9_5_3() {
    let mut table =
        Table::after(wooden(), "e2- e4+ ~900 w! b\"Eva sieben Eva fünf\" b! e7- e5+ ~900");
    table.script(
        "\"Stellungswiederholung mit Springer Gustav eins Felix drei\" \"ja\" \"Uhr starten\"",
    );
    table.heard();
    table.script("\"Korrektur Bauer David zwei David vier\" d2- d4+ ~900 w!");
    let heard = table.heard();
    has(&heard, "proposal 2 9.5.3");
    has(&heard, "ear: Der Schiedsrichter entscheidet.");
    lacks(&heard, "Der Zug stand schon");
}

#[test]
fn the_first_of_two_moves_stands_and_nothing_is_taken_back_4_7() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 d2- d4+ ~900 w! ~6000");
    let heard = table.heard();
    has(&heard, "7.5.1");
    lacks(&heard, "Zurückgenommen");
    table.script("d4- d2+ ~2000 w! ~2000");
    assert_eq!((table.sans().join(" "), table.completed()), ("e4".to_owned(), 1));
}

#[test]
fn where_no_hands_are_felt_a_press_without_a_move_is_asked_about_soon() {
    let mut table = Table::after(told(), "w\"Bauer Eva zwei Eva vier\" w! ~5000 b! ~2500");
    lacks(&table.heard(), "gedrückt");
    table.wait(1000);
    has(&table.heard(), "loud: Schwarz hat die Uhr gedrückt. Sag den Zug, oder: nein.");
    // Before it is asked the blind player names the move as well as after it.
    let mut table = Table::after(told(), "w\"Bauer Eva zwei Eva vier\" w! ~5000 b! ~1000");
    table.heard();
    table.script("w\"Bauer Eva sieben Eva fünf\" ~100");
    assert_eq!((table.sans().len(), table.completed()), (2, 2));
    let told_aloud = |line: &&String| *line == "loud: Bauer Eva sieben Eva fünf";
    assert_eq!(table.heard().iter().filter(told_aloud).count(), 1);
}

#[test]
fn whoever_adjusts_and_is_not_to_move_is_answered_4_2_1() {
    let played = "w\"Bauer Eva zwei Eva vier\" w!";
    let mut table = Table::after(told(), played);
    table.heard();
    // An unknown voice is the blind player's.
    table.script("\"ich korrigiere\"");
    has(&table.heard(), "– Du bist nicht am Zug.");
    table.script("w\"ich korrigiere\"");
    has(&table.heard(), "– Du bist nicht am Zug.");
    table.script("b\"ich korrigiere\"");
    has(&table.heard(), "Gut, du rückst zurecht.");
}

/// Nothing of his turn is said yet: the word can only be about the move that is completed.
#[test]
fn a_slip_that_is_noticed_too_late_is_the_arbiters_and_no_next_move_d_2_8() {
    let played = "w\"e2-e4\" w! b\"e7-e5\"";
    for word in ["w\"Korrektur Bauer David zwei David vier\"", "w\"Korrektur\""] {
        let mut table = Table::after(told(), &format!("{played} {word}"));
        has(&table.heard(), "refused D.2.8: ");
        assert_eq!((table.sans(), table.completed()), (vec!["e4".into(), "e5".into()], 1));
    }
    let late = format!("{played} b! w\"g1-f3\" w! b\"Korrektur Bauer Cesar sieben Cesar fünf\"");
    let mut table = Table::after(told(), &late);
    has(&table.heard(), "– Zu spät. Nur der Schiedsrichter kann das noch ändern.");
    assert_eq!(table.sans(), ["e4", "e5", "Nf3"]);
    // The recogniser heard it.
    let mut table = Table::after(told(), played);
    table.hears_of(Some(White), &[("Korrektur Bauer David zwei David vier", 0.95)], true);
    has(&table.heard(), "refused D.2.8: ");
    assert_eq!(table.sans(), ["e4", "e5"]);
    // Of what he has said and not played, and before the first move, it is about the next one.
    let mut table = Table::after(wooden(), "w\"e2-e4\" w\"Korrektur d2-d4\" d2- d4+ ~900");
    assert_eq!(table.sans(), ["d4"], "{:#?}", table.heard());
    let table = Table::after(told(), "w\"Korrektur d2-d4\"");
    assert_eq!(table.sans(), ["d4"]);
}

#[test]
fn the_duty_to_press_waits_for_the_question_and_for_clocks_that_stand_d_2_10_3() {
    let duties = Duties { start_clock: true, ..Duties::default() };
    let config = GameConfig { duties, ..wooden() };
    // Move, offer, press: so 9.1.2.1 wants it.
    let mut table = Table::after(config.clone(), "e2- e4+ ~600 w\"Remis anbieten\" ~4000");
    assert_eq!(table.completed(), 0, "{:#?}", table.heard());
    table.heard();
    table.script("w\"ja\" ~4000");
    let heard = table.heard();
    let place = |part: &str| heard.iter().position(|line| line.contains(part)).expect(part);
    assert!(place("Remis") < place("completed e4"), "{heard:#?}");
    // Nobody presses clocks that stand (6.11.3).
    let mut table = Table::after(config, "e2- e4+ ~600 w\"Schiedsrichter rufen\"");
    let before = table.clock();
    table.wait(4000);
    assert_eq!((table.completed(), table.clock()), (0, before));
    table.script("\"Uhr starten\" ~4000");
    assert_eq!(table.completed(), 1, "{:#?}", table.heard());
}
