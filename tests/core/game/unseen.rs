//! A sighted player whose board nobody sees: what he says and completes is the game's position, and
//! whoever is to move has his clock.

use annabella_core::game::{ArbiterAct, GameConfig, HandsKnown, HandsOf, Running, Settle};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

/// Black's queen to g6 is stalemate, to g7 mate.
const ENDING: &str = "7K/8/5k2/8/6q1/8/8/8 b - - 0 1";

fn running(fen: &str, config: GameConfig) -> Table {
    let mut table = Table::at(fen, config);
    table.start_clock();
    table
}

#[test]
fn what_a_sighted_player_has_announced_and_completed_is_the_position_at_once() {
    for sighted_board in [false, true] {
        let config = GameConfig { time_control: "0.08".to_owned(), sighted_board, ..wooden() };
        let mut table = running(ENDING, config.clone());
        table.script(r#"b"Dame Gustav vier Gustav sechs" b!"#);
        assert_eq!(table.result().as_deref(), Some("1/2-1/2 5.2.1"), "{:#?}", table.heard());
        let mut table = running(ENDING, config);
        table.script(r#"b"Dame Gustav vier Gustav sieben" b!"#);
        assert_eq!(table.result().as_deref(), Some("0-1 5.1.1"));
        assert_eq!((table.sans(), table.completed()), (vec!["Qg7#".to_owned()], 1));
    }
}

#[test]
fn that_the_blind_player_has_yet_to_copy_it_is_a_state_of_his_board() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w!");
    table.heard();
    table.script(r#"b"Eva sieben Eva fünf" b!"#);
    let heard = table.heard();
    has(&heard, "completed e5");
    has(&heard, "boards pending");
    assert_eq!((table.completed(), table.clock().2), (2, Running::White));
    table.script("\"was ist offen\"");
    assert_eq!(table.spoken(), ["ear: Führ aus: Bauer Eva sieben Eva fünf."]);
    table.script("w! ~500");
    has(&table.heard(), "D.2.4");
    table.script("e7- e5+ ~900");
    has(&table.heard(), "boards agree");
    table.script("g1- f3+ ~900 w!");
    assert_eq!(table.completed(), 3);
}

#[test]
fn pegs_that_copied_another_move_than_was_announced_and_completed_are_put_right() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w!");
    table.script(r#"b"David sieben David fünf" d7- d6+ ~900"#);
    table.heard();
    table.script("b!");
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned(), "d5".to_owned()], 2));
    has(&table.heard(), "Angesagt: Bauer David sieben David fünf.");
    table.script("d6- d5+ ~900 g1- f3+ ~900 w!");
    assert_eq!((table.sans().len(), table.completed()), (3, 3), "{:#?}", table.heard());
}

#[test]
fn what_he_says_and_completes_is_made_while_the_peg_that_copied_it_is_in_the_hand() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w!");
    // A slip of his tongue came between, and the blind player has believed it.
    table.script(r#"e7- e6+ ~900 b"Eva sieben Eva fünf" e6- b"Bauer Eva sieben Eva sechs" b!"#);
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned(), "e6".to_owned()], 2));
    assert_eq!(table.clock().2, Running::White);
    table.script("e6+ ~900 g1- f3+ ~900 w!");
    assert_eq!((table.sans().len(), table.completed()), (3, 3), "{:#?}", table.heard());
}

#[test]
fn a_claim_counts_from_the_position_that_he_completed() {
    let back_and_forth = [
        ("g1- f3+ ~900 w!", "Springer Gustav acht Felix sechs", "g8- f6+ ~900"),
        ("f3- g1+ ~900 w!", "Springer Felix sechs Gustav acht", "f6- g8+ ~900"),
    ];
    let mut table = Table::after(wooden(), "");
    for n in 0..4 {
        let (hers, his, copied) = back_and_forth[n % 2];
        table.script(&format!("{hers} b\"{his}\" b!"));
        if n < 3 {
            table.script(copied);
        }
    }
    table.script(r#"w"Stellungswiederholung" w"ja""#);
    assert_eq!(table.result().as_deref(), Some("1/2-1/2 9.2"), "{:#?}", table.heard());
}

#[test]
fn a_page_at_which_nobody_sits_keeps_no_move_from_counting() {
    let config = GameConfig { sighted_board: true, ..wooden() };
    let mut table = Table::after(config, "e2- e4+ ~900 w!");
    table.script(r#"b"Eva sieben Eva fünf" e7- e5+ ~900 b!"#);
    assert_eq!((table.completed(), table.clock().2), (2, Running::White), "{:#?}", table.heard());
    table.script("g1- f3+ ~900 w!");
    table.script(r#"b"Springer Berta acht Cäsar sechs" b! b8- c6+ ~900 f1- b5+ ~900 w!"#);
    assert_eq!((table.sans().len(), table.completed()), (5, 5), "{:#?}", table.heard());
}

#[test]
fn a_press_before_her_pegs_show_his_move_completes_it_and_the_pegs_may_still_be_put_right() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000 b!");
    let pressed_ms = table.now_ms;
    let black_ms = table.clock().1;
    table.script("d7- d6+ ~900");
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned(), "d6".to_owned()], 2));
    // Her hand slipped: he had moved to d5.
    table.script("d6- d5+ ~900");
    let heard = table.heard();
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned(), "d5".to_owned()], 2));
    has(&heard, "loud: Korrektur: Bauer David sieben David fünf.");
    lacks(&heard, "4.7");
    let record = table.game.record().expect("a game");
    assert_eq!(record.line[1].completed.map(|at| at.ms), Some(pressed_ms));
    assert_eq!(record.line[1].clock_ms.map(|(_, black)| black), Some(black_ms));
    assert_eq!(table.clock().2, Running::White);
    // With her reply it is past.
    table.script("g1- f3+ ~900 w! d5- d6+ ~900");
    assert_eq!(table.sans(), ["e4", "d5", "Nf3"]);
}

#[test]
fn a_press_of_which_nobody_knows_the_move_is_asked_about_and_a_word_settles_it() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000 b!");
    let pressed_ms = table.now_ms;
    table.heard();
    table.script("\"was ist offen\"");
    let question = "loud: Schwarz hat die Uhr gedrückt. Sag den Zug, oder: nein.";
    assert_eq!(table.spoken(), [question]);
    // She says it for him.
    table.script(r#"w"Eva sieben Eva fünf""#);
    assert_eq!((table.sans().len(), table.completed()), (2, 2));
    let record = table.game.record().expect("a game");
    assert_eq!(record.line[1].completed.map(|at| at.ms), Some(pressed_ms));
    // Unasked, after a while; hands that copy it are waited for.
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000 b! ~2000 e7- ~8000");
    lacks(&table.heard(), "gedrückt");
    table.wait(3000);
    has(&table.heard(), question);
    table.script("e5+ ~900");
    assert_eq!(table.completed(), 2);
}

#[test]
fn until_he_names_what_he_was_asked_for_it_is_not_his_opponents_time_d_2_1() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000");
    let (white_ms, _, _) = table.clock();
    table.script("b! ~3100");
    has(&table.heard(), "loud: Schwarz hat die Uhr gedrückt. Sag den Zug, oder: nein.");
    table.script(r#"~9000 b"Eva sieben Eva fünf""#);
    assert_eq!((table.completed(), table.clock().2), (2, Running::White));
    assert!(table.clock().0 + 300 > white_ms, "{:?} {white_ms}", table.clock());
    // Who copies it knew it.
    let table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000 b! ~9000 e7- e5+ ~900");
    assert_eq!((table.completed(), table.clock().2), (2, Running::White));
    assert!(table.clock().0 + 9000 < white_ms, "{:?} {white_ms}", table.clock());
}

fn settles(table: &mut Table, ply: u32) {
    let settle = Settle { ply, score: None, clocks: None };
    table.rules_because(ArbiterAct::Settle(Box::new(settle)), "as both remember");
}

#[test]
fn the_arbiters_start_after_a_decision_says_that_boards_nobody_sees_stand_right_d_2_9() {
    let no_sensors = r#"w"Bauer Eva zwei Eva vier" w! b"Bauer David sieben David fünf" b!"#;
    let pegs = r#"e2- e4+ ~900 w! b"Bauer David sieben David fünf" b!"#;
    let told = GameConfig {
        hands: HandsOf { white: HandsKnown::Announced, ..HandsOf::default() },
        ..wooden()
    };
    for (config, script) in [(told, no_sensors), (wooden(), pegs)] {
        let mut table = Table::after(config, script);
        settles(&mut table, 1);
        table.rules(ArbiterAct::StartClocks { side: None });
        table.script(r#"b"Bauer Eva sieben Eva fünf" b!"#);
        let heard = table.heard();
        assert_eq!(
            (table.sans().join(" "), table.completed()),
            ("e4 e5".to_owned(), 2),
            "{heard:#?}"
        );
        assert_eq!(table.clock().2, Running::White);
    }
}

#[test]
fn pegs_that_are_seen_to_stand_otherwise_than_was_decided_come_before_the_clocks_d_2_9() {
    let played = r#"e2- e4+ ~900 w! b"Bauer David sieben David fünf" b! d7- d5+ ~900"#;
    let mut table = Table::after(wooden(), played);
    settles(&mut table, 1);
    table.heard();
    table.rules(ArbiterAct::StartClocks { side: None });
    has(&table.heard(), "refused D.2.9");
    // And no press passes that follows a move which would be refused.
    table.script(r#"b"Bauer Eva sieben Eva fünf" b!"#);
    assert_eq!(table.clock().2, Running::None);
    table.script("d5- d7+ ~900");
    let heard = table.heard();
    // Black's board is not seen, and not right yet.
    has(&heard, "ear: Brett stimmt.");
    lacks(&heard, "Bretter stimmen");
    table.rules(ArbiterAct::StartClocks { side: None });
    table.script(r#"b"Bauer Eva sieben Eva fünf" b!"#);
    assert_eq!((table.completed(), table.clock().2), (2, Running::White));
    // A reed is broken, he says.
    let mut table = Table::after(wooden(), played);
    settles(&mut table, 1);
    table.script(r#"d5- w"ausgeführt" w"ja""#);
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(table.clock().2, Running::Black, "{:#?}", table.heard());
}

#[test]
fn a_press_with_an_impossible_announcement_is_asked_about_at_once_and_may_be_none() {
    let mut table = Table::after(wooden(), r#"e2- e4+ ~900 w! ~5000 b"Eva sieben Eva vier""#);
    let (white_ms, black_ms, _) = table.clock();
    table.heard();
    table.script("b! ~100");
    has(&table.heard(), "loud: Schwarz hat die Uhr gedrückt. Sag den Zug, oder: nein.");
    table.script(r#"~5000 b"nein""#);
    has(&table.heard(), "problem 7.5.3: Black pressed the clock without a move");
    let (white_after_ms, black_after_ms, side) = table.clock();
    assert_eq!((white_after_ms, side), (white_ms, Running::Black));
    assert!(black_after_ms < black_ms - 5000, "{black_after_ms}");
}

#[test]
fn a_press_that_nobody_explains_is_forgotten_and_its_time_is_nobodys() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000");
    let (white_ms, black_ms, _) = table.clock();
    table.script("b! ~40000");
    let heard = table.heard();
    has(&heard, "loud: Schwarz am Zug.");
    lacks(&heard, "problem");
    let (white_after_ms, black_after_ms, side) = table.clock();
    assert_eq!((white_after_ms, side), (white_ms, Running::Black));
    assert!(black_after_ms < black_ms && black_after_ms > black_ms - 15_000, "{black_after_ms}");
}

#[test]
fn no_flag_falls_by_a_press_of_which_nobody_knows_the_move() {
    let config = GameConfig { time_control: "0.1".to_owned(), ..wooden() };
    let mut table = Table::after(config, "e2- e4+ ~900 w!");
    let (white_ms, _, _) = table.clock();
    table.script("b! ~6000");
    assert_eq!(table.result(), None, "{:#?}", table.heard());
    let (white_after_ms, _, side) = table.clock();
    assert_eq!((white_after_ms, side), (white_ms, Running::Black));
}

#[test]
fn after_a_ruling_the_clock_of_the_player_to_move_runs() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000 b!");
    table.rules(ArbiterAct::StopClocks);
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(table.clock().2, Running::Black);
    // A move that is known has been completed: the other player's clock.
    table.script(r#"b"Eva sieben Eva fünf" b!"#);
    table.rules(ArbiterAct::StopClocks);
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!((table.completed(), table.clock().2), (2, Running::White));
}

#[test]
fn a_press_before_the_clocks_were_started_gives_nobody_time() {
    let config = GameConfig { time_control: "3+2".to_owned(), ..wooden() };
    let mut table = Table::at(ENDING, config);
    let (white_ms, black_ms, _) = table.clock();
    table.script("b! ~60000");
    let (white_then, black_then, _) = table.clock();
    assert!(white_then <= white_ms && black_then <= black_ms, "{white_then} {black_then}");
}

/// Nobody knows what he pressed for, and the arbiter finds that he has not moved.
#[test]
fn a_press_without_the_move_that_was_decided_on_adds_no_time_7_1() {
    let config = GameConfig { time_control: "90+30".to_owned(), ..GameConfig::default() };
    let mut table = Table::after(config, "e2- e4+ ~900 w! ~100 b! ~300");
    let settle = Settle { ply: 1, score: None, clocks: None };
    table.rules_because(ArbiterAct::Settle(Box::new(settle)), "he has not moved");
    let (_, black_ms, running) = table.clock();
    assert_eq!((table.sans(), running), (vec!["e4".to_owned()], Running::None));
    assert!((5_429_000..=5_430_000).contains(&black_ms), "{black_ms}");
}

/// His words are those of White's capture too, which he may repeat (D.2.1).
#[test]
fn a_press_says_that_the_words_before_it_were_the_recapture_6_2_1() {
    let config = GameConfig {
        start: Some("4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1".to_owned()),
        hands: HandsOf { white: HandsKnown::Announced, ..HandsOf::default() },
        ..wooden()
    };
    let taken = "w\"Bauer Eva vier schlägt David fünf\" w! b\"Bauer schlägt David fünf\"";
    let mut table = Table::after(config.clone(), &format!("{taken} ~200 b! ~200"));
    assert_eq!((table.sans().len(), table.completed()), (2, 2), "{:#?}", table.heard());
    // He presses nothing: he has repeated it.
    let table = Table::after(config, &format!("{taken} ~3000"));
    assert_eq!((table.sans(), table.completed()), (vec!["exd5".to_owned()], 1));
}

#[test]
fn nein_right_after_the_press_says_that_no_move_was_made_7_5_3() {
    for said in [r#"b"nein""#, r#""nein""#] {
        let mut table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000 b! ~1000");
        table.heard();
        table.script(said);
        has(&table.heard(), "problem 7.5.3: Black pressed the clock without a move");
        assert_eq!(table.clock().2, Running::Black);
    }
    // Her own is an answer to nothing.
    let mut table = Table::after(wooden(), r#"e2- e4+ ~900 w! ~5000 b! ~1000 w"nein""#);
    lacks(&table.heard(), "7.5.3");
}

#[test]
fn a_reply_to_a_move_that_does_not_count_yet_is_not_pressed_in_silence_d_2_4() {
    let config = GameConfig { sighted_board: true, ..wooden() };
    let mut table = Table::after(config, "e2- e4+ ~900 w!");
    // His page has yet to have it.
    table.script(r#"b"Eva sieben Eva fünf" e7- e5+ ~900"#);
    table.heard();
    table.script("w!");
    has(&table.heard(), "Der Zug des Gegners fehlt noch.");
    table.script("g1- f3+ ~900 w!");
    has(&table.heard(), "Der Zug des Gegners fehlt noch.");
    table.script("b! ~900 w!");
    assert_eq!((table.sans().len(), table.completed()), (3, 3), "{:#?}", table.heard());
}
