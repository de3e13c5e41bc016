//! A slip of the tongue, corrected before the opponent's clock is started (D.2.8), and who hears
//! what of it.

use annabella_core::game::{ArbiterAct, Duties, GameConfig, HandsKnown, HandsOf, Input, Settle};
use shakmaty::Color::{Black, White};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

/// No sensors: White says what his hands do.
fn told() -> GameConfig {
    GameConfig { hands: HandsOf { white: HandsKnown::Announced, ..HandsOf::default() }, ..wooden() }
}

fn at(fen: &str, script: &str) -> Table {
    Table::after(GameConfig { start: Some(fen.to_owned()), ..wooden() }, script)
}

const MATES: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
const STALEMATES: &str = "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1";

#[test]
fn the_press_ends_a_correction_that_nothing_followed() {
    let mut table = Table::after(told(), "w\"e2-e4\" w\"Korrektur\" w!");
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned()], 1));
    table.script("b\"Bauer Eva sieben Eva fünf\" b! w\"Springer Gustav eins Felix drei\" w!");
    assert_eq!(table.sans(), ["e4", "e5", "Nf3"]);
    lacks(&table.heard(), "Der Schiedsrichter entscheidet.");
}

#[test]
fn what_is_open_after_a_bare_correction_is_the_right_move() {
    let duties = Duties { start_clock: true, ..Duties::default() };
    let mut table = Table::after(GameConfig { duties, ..wooden() }, "e2- e4+ ~600 \"Korrektur\"");
    table.heard();
    table.says(White, "was ist offen");
    assert_eq!(table.heard(), ["ear: Sag den richtigen Zug."]);
}

#[test]
fn a_correction_waits_for_the_words_of_its_own_player() {
    let mut table = Table::after(told(), "w\"e2-e4\" w\"Korrektur\"");
    table.heard();
    table.says(Black, "Bauer Eva zwei Eva vier");
    lacks(&table.heard(), "Der Schiedsrichter entscheidet.");
    table.script("w\"Eva zwei Eva drei\" w!");
    assert_eq!(table.sans(), ["e3"]);
    // The sighted player's word does not make the blind one's next announcement a correction.
    let played = "w\"e2-e4\" w! b\"Bauer Eva sieben Eva fünf\" b\"Korrektur\" b!";
    let mut table = Table::after(told(), played);
    table.script("w\"Springer Gustav eins Felix drei\" w!");
    assert_eq!(table.sans(), ["e4", "e5", "Nf3"]);
}

#[test]
fn before_the_first_move_nothing_is_too_late() {
    let mut table = Table::after(wooden(), "\"Korrektur\"");
    has(&table.heard(), "ear: Sag den richtigen Zug.");
    table.script("\"Eva zwei Eva drei\"");
    has(&table.heard(), "announced e3");
    let mut table = Table::after(wooden(), "b\"Korrektur\"");
    has(&table.heard(), "– Du bist nicht am Zug.");
}

#[test]
fn a_mate_that_its_player_corrects_has_not_ended_the_game_d_2_3() {
    for (fen, shows, other, meant) in [
        (MATES, "a1- a8+ ~800", "Turm Anna sieben", "a8- a7+ ~900"),
        (STALEMATES, "g1- g6+ ~800", "Dame Gustav sieben", "g6- g7+ ~900"),
    ] {
        for said in [format!("\"Korrektur {other}\""), format!("\"Korrektur\" \"{other}\"")] {
            let mut table = at(fen, &format!("{shows} {said} ~4000"));
            let heard = table.heard();
            assert_eq!(table.result(), None, "{said}: {heard:?}");
            lacks(&heard, "Der Schiedsrichter entscheidet.");
            table.script(meant);
            assert_eq!(table.sans().len(), 1, "{said}: {:?}", table.heard());
        }
        // He says nothing more, and his press makes what he has executed.
        let mut table = at(fen, &format!("{shows} \"Korrektur\" ~9000"));
        assert_eq!(table.result(), None);
        table.press(White);
        assert!(table.result().is_some(), "{:?}", table.heard());
        // He thinks better of it.
        let table = at(fen, &format!("{shows} \"Korrektur\" ~500 \"abbrechen\" ~2000"));
        assert!(table.result().is_some());
    }
}

#[test]
fn hands_on_a_hole_that_is_no_move_may_be_corrected_by_words() {
    let played = "e2- e4+ ~700 w! b\"Bauer Eva sieben Eva fünf\" b! e7- e5+ ~700 g1- g3+ ~300";
    let mut table = Table::after(wooden(), played);
    table.heard();
    table.says(White, "Korrektur Springer Gustav eins Felix drei");
    let heard = table.heard();
    has(&heard, "announced Nf3");
    lacks(&heard, "Der Schiedsrichter entscheidet.");
}

#[test]
fn an_unknown_voice_corrects_the_blind_players_open_move_though_the_opponent_has_answered() {
    let played = "e2- e4+ ~700 b\"Bauer Eva sieben Eva fünf\"";
    for word in ["Korrektur Bauer Eva zwei Eva drei", "Korrektur e2-e3"] {
        let mut table = Table::after(wooden(), played);
        table.heard();
        table.says(None, word);
        let heard = table.heard();
        has(&heard, "announced e3");
        lacks(&heard, "Nicht möglich");
    }
    let mut table = Table::after(wooden(), played);
    table.heard();
    table.says(None, "Korrektur Bauer Eva sieben Eva sechs");
    has(&table.heard(), "announced e6");
}

#[test]
fn a_sighted_player_who_is_asked_or_refused_hears_it() {
    let promotes = GameConfig { start: Some("4k3/8/8/8/8/8/p6K/8 b - - 0 1".to_owned()), ..told() };
    let mut table = Table::after(promotes, "b\"Bauer Anna zwei Anna eins\"");
    has(&table.heard(), "loud: Welche Figur?");
    let start = Some("r6r/8/8/8/4k3/8/8/4K3 b - - 0 1".to_owned());
    let mut table = Table::after(GameConfig { start, ..told() }, "b\"Turm David acht\"");
    has(&table.heard(), "loud: Turm Anna acht David acht oder Turm Hector acht David acht?");
    for (word, answer) in
        [("Korrektur", "loud: Sag den richtigen Zug."), ("Blumenkohl", "loud: Bitte?")]
    {
        table.says(Black, word);
        has(&table.heard(), answer);
    }
    let mut table = Table::after(told(), "");
    for word in ["e7-e5", "Bauer Eva sieben Eva fünf"] {
        table.says(Black, word);
        has(&table.heard(), "– Du bist nicht am Zug.");
    }
}

#[test]
fn the_seventy_fifth_quiet_move_against_a_touched_piece_is_judged_first_9_6_2() {
    let fen = "4k3/8/8/8/8/8/R6P/4K3 w - - 149 80";
    let played = "h2- ~200 h2+ ~700 a2- a3+ ~2500";
    let mut table = at(fen, played);
    assert_eq!(table.result(), None);
    has(&table.heard(), "proposal 1 4.3: the piece on h2 was touched first and can move");
    table.rules(ArbiterAct::DismissProposal { number: 1 });
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 9.6.2"));
    // The arbiter finds later that the game goes on: the move that has ended it is taken back.
    table.rules(ArbiterAct::PlayOn);
    assert_eq!((table.result(), table.sans().len()), (None, 0));
}

#[test]
fn a_typed_move_with_a_question_mark_changes_no_made_move_d_2_8() {
    for (typed, answer, played) in [("Sc3?", "ja", "Nc3"), ("Sc3?", "nein", "Nf3")] {
        let mut table = Table::after(told(), "w\"Springer Gustav eins Felix drei\"");
        table.says(White, typed);
        assert_eq!(table.sans(), ["Nf3"]);
        has(&table.heard(), "Springer Bella eins Cesar drei?");
        table.says(White, answer);
        assert_eq!(table.sans(), [played], "{:#?}", table.heard());
    }
}

#[test]
fn pegs_that_the_mistaken_mate_has_not_reached_stand_right_when_the_game_goes_on_d_2_9() {
    let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
    let mut table = at(fen, "b\"Dame David acht Hector vier\" b!");
    assert_eq!(table.result().as_deref(), Some("0-1 5.1.1"), "{:#?}", table.heard());
    table.rules(ArbiterAct::PlayOn);
    let heard = table.heard();
    has(&heard, "Die Partie geht weiter.");
    assert!(!heard.iter().any(|line| line.contains("Entferne")), "{heard:#?}");
    table.input(Input::Corrected { seat: Black });
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script("b\"Dame David acht Gustav fünf\" b! ~200 d8- g5+ ~700 h2- h4+ ~700 w!");
    assert_eq!(table.sans(), ["Qg5", "h4"], "{:#?}", table.heard());
}

#[test]
fn the_move_of_a_wrong_claim_goes_with_the_line_it_was_to_be_played_in_9_5_3() {
    let start = Some("4k3/7p/8/8/8/8/R7/4K3 w - - 10 20".to_owned());
    let claimed =
        "w\"a2-b2\" w! b\"e8-e7\" b! w\"fünfzig Züge mit Turm Bella zwei Bella drei\" w\"ja\"";
    let mut table = Table::after(GameConfig { start, ..told() }, claimed);
    table.rules(ArbiterAct::DismissProposal { number: 1 });
    let settle = Settle { ply: 0, score: None, clocks: None };
    table.rules_because(ArbiterAct::Settle(Box::new(settle)), "a slip");
    for seat in [White, Black] {
        table.input(Input::Corrected { seat });
    }
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script("w\"e1-d2\" w! b\"h7-h6\" b! w\"Turm Anna zwei Anna vier\"");
    let heard = table.heard();
    lacks(&heard, "9.5.3: White claimed a draw with Rb3");
    assert_eq!(table.sans(), ["Kd2", "h6", "Ra4"], "{heard:#?}");
}

#[test]
fn a_press_without_a_move_after_a_decision_is_another_one_7_5_3() {
    let mut table = Table::after(wooden(), "w!");
    let count = |table: &Table| table.game.record().expect("a game").proposals.len();
    assert_eq!(count(&table), 1);
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: Some(0) });
    table.script("e2- e4+ ~700 w!");
    let settle = Settle { ply: 0, score: None, clocks: None };
    table.rules_because(ArbiterAct::Settle(Box::new(settle)), "a slip");
    table.script("e4- ~100 e2+ ~900");
    table.rules(ArbiterAct::StartClocks { side: None });
    table.press(White);
    assert_eq!(count(&table), 2, "{:?}", table.heard());
}

#[test]
fn what_is_open_names_the_offer() {
    let offered = "e2- e4+ ~700 w! b\"Bauer Eva sieben Eva fünf\" b\"Remis anbieten\" b\"ja\" b! e7- e5+ ~700";
    let mut table = Table::after(wooden(), offered);
    table.heard();
    table.says(White, "was ist offen");
    assert_eq!(table.heard(), ["ear: Dein Gegner bietet Remis an."]);
}

/// Both may castle on the king's side, and White's bishops and Black's reach squares of each other.
const BOTH: &str = "r1bqk2r/ppp2ppp/2n2n2/2bpp3/2B5/2NP1N2/PPP2PPP/R1BQK2R w KQkq - 0 6";

fn told_at(fen: &str) -> GameConfig {
    GameConfig { start: Some(fen.to_owned()), ..told() }
}

#[test]
fn castling_that_is_said_again_is_repeated_and_not_the_opponents_d_2_1() {
    let mut table = Table::after(told_at(BOTH), "\"kurze Rochade\"");
    for word in ["kurze Rochade", "0-0"] {
        let mut again = Table::after(told_at(BOTH), "\"kurze Rochade\"");
        again.says(None, word);
        assert_eq!((again.sans().len(), again.completed()), (1, 0), "{word}");
    }
    table.script("w! b\"kurze Rochade\" b\"kurze Rochade\" b!");
    assert_eq!((table.sans().len(), table.completed()), (2, 2), "{:?}", table.heard());
}

/// Who types for both has no other word for the opponent's press.
#[test]
fn words_that_may_be_a_repetition_are_asked_about_before_the_word_for_the_press_counts() {
    let castled = "\"0-0\" \"fertig\" \"0-0\"";
    let mut table = Table::after(told_at(BOTH), castled);
    table.heard();
    table.says(None, "fertig");
    has(&table.heard(), "Kurze Rochade?");
    table.script("\"ja\" \"fertig\" \"Läufer e3\"");
    assert_eq!(table.sans(), ["O-O", "O-O", "Be3"], "{:?}", table.heard());
    // He has repeated it.
    let mut table = Table::after(told_at(BOTH), castled);
    table.script("\"fertig\" \"nein\" \"Läufer e6\"");
    assert_eq!(table.sans(), ["O-O", "Be6"], "{:?}", table.heard());
}

/// A word moves no lever.
#[test]
fn the_word_for_the_press_said_twice_is_no_press_without_a_move() {
    let mut table =
        Table::after(told_at(BOTH), "\"Läufer g5\" \"fertig\" \"Läufer e6\" \"fertig\"");
    table.heard();
    table.says(None, "fertig");
    assert_eq!(table.heard(), ["ear: Uhr zu früh, noch kein Zug."]);
    // His clock itself does.
    table.press(White);
    has(&table.heard(), "7.5.3");
}

#[test]
fn words_for_a_move_of_either_player_are_asked_about_before_the_press() {
    let mut table = Table::after(told_at(BOTH), "\"Läufer g5\"");
    table.heard();
    table.says(None, "Läufer e3");
    assert_eq!(table.heard(), ["ear: Läufer Cesar eins Eva drei?"]);
    table.says(None, "ja");
    assert_eq!(table.sans(), ["Be3"]);
    let mut table = Table::after(told_at(BOTH), "\"Läufer g5\"");
    table.heard();
    table.hears_pushed(&[("Läufer Eva drei", 0.99)]);
    assert_eq!(table.spoken(), ["ear: Läufer Cesar eins Eva drei?"]);
    // It was his opponent's.
    let mut table =
        Table::after(told_at(BOTH), "\"Läufer g5\" \"Läufer e3\" \"nein\" \"Läufer e3\"");
    assert_eq!(table.sans(), ["Bg5", "Be3"], "{:?}", table.heard());
    // That he has made this very move is said.
    table.says(None, "Korrektur Läufer e3");
    assert!(!table.heard().is_empty());
    // A voice that is known is not asked, and nobody is once the clock was pressed.
    let table = Table::after(told_at(BOTH), "\"Läufer g5\" b\"Läufer e3\"");
    assert_eq!(table.sans(), ["Bg5", "Be3"]);
    let table = Table::after(told_at(BOTH), "\"Läufer g5\" w! \"Läufer e3\"");
    assert_eq!(table.sans(), ["Bg5", "Be3"]);
}

#[test]
fn who_sits_opposite_hears_nothing_of_what_was_typed_and_taken_back() {
    for (typed, asked) in
        [("ich gebe auf", "Schwarz gibt auf?"), ("Remis", "Schwarz? Remis anbieten?")]
    {
        let config = GameConfig { display: false, ..told() };
        let mut table = Table::after(config, &format!("\"{typed}\" \"nein\" \"ja\" \"zwei\""));
        let heard = table.heard();
        for said in ["Gut, dann nicht.", "Schwarz? Dann sag: zwei.", asked] {
            has(&heard, &format!("ear: {said}"));
        }
        lacks(&heard, "loud:");
        lacks(&heard, "result");
    }
}

#[test]
fn the_first_word_for_a_press_after_a_told_move_completes_that_move() {
    let mut table = Table::after(told(), "\"e4\" \"fertig\" \"e5\" \"fertig\"");
    assert_eq!((table.sans().len(), table.completed()), (2, 2));
    assert_eq!(table.clock().2, annabella_core::game::Running::White);
    lacks(&table.heard(), "7.5.3");
    table.script("\"Springer f3\" \"fertig\"");
    assert_eq!((table.sans().len(), table.completed()), (3, 3));
}

#[test]
fn which_of_two_moves_is_answered_by_where_it_starts() {
    let fen = "4k3/8/8/8/8/8/4K3/R4R2 w - - 0 1";
    for (answer, san) in [
        ("a", "Rad1"),
        ("Anna", "Rad1"),
        ("a1", "Rad1"),
        ("von f1", "Rfd1"),
        ("Felix", "Rfd1"),
        ("1", "Rad1"),
        ("zwei", "Rfd1"),
        ("Turm f1 d1", "Rfd1"),
    ] {
        let mut table = Table::after(told_at(fen), "\"Turm d1\"");
        table.heard();
        table.says(White, answer);
        assert_eq!(table.sans(), [san], "{answer}: {:?}", table.heard());
    }
    let mut table = Table::after(told_at(fen), "\"Turm d1\"");
    table.says(White, "König e3");
    assert_eq!(table.sans(), ["Ke3"]);
}

/// Only who has called lets the game go on without the arbiter (6.11.3).
#[test]
fn a_call_stands_and_the_opponent_does_not_start_the_clock_6_11_3() {
    let called = |by, starts| {
        let mut table = Table::after(told(), "\"e4\" \"fertig\"");
        table.says(Some(by), "Schiedsrichter");
        table.says(Some(by), "ja");
        table.says(Some(starts), "Uhr starten");
        let calls = table.game.call().is_some();
        assert_eq!(table.clock().2 == annabella_core::game::Running::None, calls);
        calls
    };
    assert!(called(Black, White));
    assert!(called(White, Black));
    assert!(!called(White, White));
}

/// Nobody is told whether a move is check or mate before he has chosen it.
#[test]
fn a_question_about_a_move_says_neither_check_nor_mate_11_3_1() {
    const MATES: &str = "6k1/5ppp/8/8/8/8/8/RN2K3 w - - 99 80";
    for (said, asked) in [
        ("Turn a8", "Turm Anna eins Anna acht?"),
        (
            "fünfzig Züge mit Turm Anna acht",
            "Remis durch fünfzig Züge beantragen mit Turm Anna eins Anna acht?",
        ),
    ] {
        let mut table = Table::after(told_at(MATES), "");
        table.start_clock();
        table.heard();
        table.says(None, said);
        assert_eq!(table.heard(), [format!("ear: {asked}")]);
    }
}

#[test]
fn while_the_arbiter_compares_boards_nobody_is_told_to_start_the_clock_d_2_9() {
    let mut table = Table::after(told(), "\"e4\" \"fertig\" \"e5\" \"fertig\"");
    table.says(None, "Bretter vergleichen");
    table.heard();
    table.says(None, "was ist offen");
    let called = "Bretter vergleichen. Schiedsrichter gerufen.";
    assert_eq!(table.heard(), [format!("ear: {called} Der Schiedsrichter entscheidet.")]);
    // His own word lets the clocks run: what he has asked for waits on.
    table.says(None, "Uhr starten");
    table.heard();
    table.says(None, "was ist offen");
    assert_eq!(table.heard(), [format!("ear: {called}")]);
}
