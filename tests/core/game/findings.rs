//! What was found by playing as an arbiter would: each finding by its number, as a short script.
//!
//! Their notation is that of [`super::script`].

use annabella_core::game::{ArbiterAct, Blind, Duties, GameConfig, Input, Running};
use shakmaty::Color;
use shakmaty::Color::{Black, White};

use super::{
    script::{has, lacks, wooden},
    table::Table,
};

#[test]
fn f1_whether_a_captured_piece_is_gone_its_player_is_asked_and_never_assumed() {
    let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    let insists = format!(
        "w{0} e5- d6+ ~2000 w{0} ~2000 w{0} ~2000 w{0} ~2000",
        r#""Eva fünf schlägt David sechs""#
    );
    let table = || {
        let mut table = Table::at(en_passant, wooden());
        table.start_clock();
        table.script(&insists);
        let lines = table.heard();
        has(&lines, "Entferne den schwarzen Bauern von David fünf.");
        has(&lines, "Hast du den schwarzen Bauern von David fünf entfernt?");
        assert!(table.sans().is_empty(), "{lines:#?}");
        table
    };
    // Her word stands for the reed.
    let mut said = table();
    said.script(r#"w"ja" ~900 w!"#);
    has(&said.heard(), "Sensor David fünf klemmt.");
    assert_eq!((said.sans(), said.completed()), (vec!["exd6".to_owned()], 1));
    // No: she is told again what to do; the pawn leaves, and the move is made.
    let mut stood = table();
    stood.script(r#"w"nein" ~900 w!"#);
    has(&stood.heard(), "Entferne den schwarzen Bauern von David fünf.");
    assert!(stood.sans().is_empty());
    stood.script("d5- ~900 w!");
    assert_eq!((stood.sans(), stood.completed()), (vec!["exd6".to_owned()], 1));
    // The pawn left before she answered: nothing is blamed.
    let mut gone = table();
    gone.script(r#"d5- ~900 w"ja" w!"#);
    lacks(&gone.heard(), "klemmt");
    assert_eq!((gone.sans(), gone.completed()), (vec!["exd6".to_owned()], 1));
    // The power fails before the answer: she is asked again.
    let mut killed = table();
    killed.input(Input::Resumed);
    has(&killed.heard(), "Hast du den schwarzen Bauern von David fünf entfernt?");
}

#[test]
fn f4_a_made_move_that_is_changed_stays_in_the_record_and_the_arbiter_is_asked() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 e4- e3+ ~900 w!");
    let lines = table.heard();
    has(&lines, "problem 4.7: White changed a made move: e4, then e3");
    has(&lines, "proposal 1 4.7");
    assert_eq!((table.sans(), table.completed()), (vec!["e3".to_owned()], 1));
    let struck: Vec<String> = {
        let record = table.game.record().expect("a game");
        record.struck(Color::White).iter().map(|struck| struck.entry.san.clone()).collect()
    };
    assert_eq!(struck, ["e4"]);
    // The arbiter lets the first one stand: both boards go there, and the record says both.
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: Some(0) });
    assert_eq!(table.sans(), ["e4"]);
    has(
        &table.heard(),
        "loud: Der Schiedsrichter hat entschieden. Weiter nach: Bauer Eva zwei Eva vier.",
    );
    // Or the second.
    let mut table = Table::after(wooden(), "e2- e4+ ~900 e4- e3+ ~900 w!");
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: Some(1) });
    assert_eq!(table.sans(), ["e3"]);
}

#[test]
fn f4_words_change_a_made_move_no_more_than_hands_do() {
    let mut table =
        Table::after(wooden(), r#"e2- e4+ ~900 "Korrektur Eva zwei Eva drei" e4- e3+ ~900 w!"#);
    has(&table.heard(), "problem 4.7: White changed a made move: e4, then e3");
    assert_eq!(table.sans(), ["e3"]);
}

#[test]
fn f4_what_went_back_to_where_it_was_made_is_no_change() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 e4- e2+ ~900 e2- e4+ ~900 w!");
    lacks(&table.heard(), "4.7");
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned()], 1));
}

#[test]
fn f5_the_promotion_piece_is_corrected_by_its_name() {
    let fen = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
    for announce in [true, false] {
        let duties = Duties { announce, ..Duties::default() };
        for correction in ["Korrektur Anna acht Turm", "Korrektur Turm"] {
            let mut table = Table::at(fen, GameConfig { duties, ..wooden() });
            table.start_clock();
            table.script(&format!(r#""Anna acht Dame" a7- a8+ ~900 "{correction}" w!"#));
            let lines = table.heard();
            assert_eq!(
                (table.sans(), table.completed()),
                (vec!["a8=R+".to_owned()], 1),
                "{lines:#?}"
            );
            lacks(&lines, "4.7");
        }
    }
}

#[test]
fn f6_a_press_by_the_wrong_side_changes_nobodys_time() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900");
    let (_, black_ms, running) = table.clock();
    assert_eq!(running, Running::White);
    table.script("b! ~300");
    assert_eq!((table.clock().1, table.clock().2), (black_ms, Running::White));
    assert_eq!(table.completed(), 0);
    table.script("w! ~100 w!");
    assert_eq!((table.completed(), table.clock().2), (1, Running::Black));
}

#[test]
fn f7_what_is_open_says_that_the_announced_and_the_executed_move_differ() {
    let mut table =
        Table::after(wooden(), r#"e2- e4+ ~900 w! "Bauer David sieben David fünf" d7- d6+ ~900"#);
    table.heard();
    table.script("\"was ist offen\"");
    assert_eq!(
        table.spoken(),
        [
            "ear: Angesagt: Bauer David sieben David fünf. Ausgeführt: Bauer David sieben David sechs."
        ]
    );
}

#[test]
fn what_is_open_names_the_clock_that_is_still_to_be_pressed() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900");
    table.start_clock();
    table.heard();
    table.script("\"was ist offen\"");
    assert_eq!(table.spoken(), ["ear: Uhr noch nicht gedrückt."]);
    table.script("w! \"was ist offen\"");
    assert_eq!(table.spoken().last().map(String::as_str), Some("ear: Nichts offen."));
}

#[test]
fn what_is_open_names_the_next_step_of_the_hands() {
    // A peg that nobody touched on purpose is off the board beside the announced move.
    let mut table = Table::after(
        wooden(),
        r#"e2- e4+ ~900 w! "Bauer David sieben David fünf" h1- d7- d5+ ~900"#,
    );
    table.heard();
    table.script("\"was ist offen\"");
    assert_eq!(table.spoken(), ["ear: Setz den weißen Turm auf Hector eins."]);
    table.script("h1+ ~900 \"was ist offen\"");
    assert!(table.spoken().contains(&"ear: Nichts offen.".to_owned()), "the move is made");
    // A stray peg, after the sentence about it went by unheard.
    table.script("a5+ ~2000");
    table.heard();
    table.script("\"was ist offen\"");
    assert_eq!(table.spoken(), ["ear: Entferne die Figur von Anna fünf."]);
}

#[test]
fn nothing_that_the_hands_did_before_a_move_was_known_is_the_reply_to_it() {
    // Black has White's rook and his own king in his hand, and has set the other rook back.
    let config = GameConfig { sighted_board: true, blind: Blind::Black, ..wooden() };
    let mut table = Table::at("6R1/5k2/8/8/8/8/5K2/R5r1 w - - 6 7", config);
    table.start_clock();
    table.script("a1- f7- ~2000 g8- ~300 g8+ ~300");
    table.sighted(White, "a1a5");
    table.script("w! ~900");
    let lines = table.heard();
    lacks(&lines, "Sensor");
    lacks(&lines, "schlägt");
    table.script("a5+ ~900");
    lacks(&table.heard(), "schlägt");
    table.script("f7+ ~900 b\"was ist offen\"");
    assert_eq!(table.spoken().last().map(String::as_str), Some("ear: Nichts offen."));
    assert_eq!(table.completed(), 1);
}

#[test]
fn what_is_open_is_the_opponents_move_a_question_or_a_clock_that_stands() {
    let config = GameConfig { sighted_board: true, ..wooden() };
    let mut table = Table::after(config.clone(), "e2- e4+ ~900 w!");
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.heard();
    table.script("w\"was ist offen\"");
    assert_eq!(table.spoken(), ["ear: Führ aus: Bauer Eva sieben Eva fünf."]);
    let mut table = Table::after(config, "w\"ich gebe auf\"");
    table.heard();
    table.script("w\"was ist offen\"");
    assert_eq!(table.spoken(), ["ear: Wirklich aufgeben?"]);
    table.script("\"nein\"");
    table.input(Input::Resumed);
    table.heard();
    table.script("w\"was ist offen\"");
    assert_eq!(table.spoken(), ["ear: Die Uhren stehen. Sag: Uhr starten."]);
}

#[test]
fn f11_words_after_the_hands_are_compared_whatever_the_duties() {
    for announce in [true, false] {
        let duties = Duties { announce, ..Duties::default() };
        let mut table = Table::after(
            GameConfig { duties, ..wooden() },
            r#"e2- e3+ ~1200 "Bauer Eva zwei Eva vier" w!"#,
        );
        let lines = table.heard();
        has(&lines, "ear: Angesagt: Bauer Eva zwei Eva vier. Ausgeführt: Bauer Eva zwei Eva drei.");
        has(&lines, "problem D.2.3");
        lacks(&lines, "Nicht möglich");
        assert_eq!(table.completed(), 0, "{lines:#?}");
        table.script("e3- e4+ ~900 w!");
        assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned()], 1));
    }
}

#[test]
fn f11_the_opponents_words_are_compared_with_his_move_too() {
    let mut table =
        Table::after(wooden(), r#"e2- e4+ ~900 w! d7- d6+ ~1200 "Bauer David sieben David fünf""#);
    let lines = table.heard();
    has(
        &lines,
        "Angesagt: Bauer David sieben David fünf. Ausgeführt: Bauer David sieben David sechs.",
    );
    table.script("d6- d5+ ~900 b!");
    assert_eq!(table.sans(), ["e4", "d5"]);
    // The blind player's hands copied it wrongly: nobody changed a made move.
    lacks(&table.heard(), "4.7");
}

#[test]
fn f13_a_board_that_nobody_sees_is_asked_about_before_the_clock_starts() {
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! e7- e5+ ~900 b! g1- f3+ ~900 w!");
    let settle = annabella_core::game::Settle { ply: 2, score: None, clocks: None };
    let act = ArbiterAct::Settle(Box::new(settle));
    let ruling = annabella_core::game::Ruling::new(act, "A. Weber", "f3 never was");
    table.input(Input::Arbiter(Box::new(ruling)));
    table.heard();
    // The blind player's own pegs first.
    table.script("\"Uhr starten\"");
    assert_eq!(
        table.heard(),
        ["refused D.2.9: the board of White is not corrected yet – \
             Entferne den weißen Springer von Felix drei."]
    );
    table.script("f3- g1+ ~900");
    table.heard();
    table.script("\"Uhr starten\"");
    assert_eq!(table.spoken(), ["ear: Stimmt das Brett von Schwarz?"]);
    assert_eq!(table.clock().2, Running::None);
    table.script("\"ja\"");
    assert_eq!(table.clock().2, Running::White);
}

#[test]
fn f16_a_vain_press_of_a_sighted_player_costs_his_opponent_nothing() {
    let config = GameConfig { sighted_board: true, ..wooden() };
    let mut table = Table::after(config, "e2- e4+ ~900 w!");
    table.sighted(Black, "e2e4");
    table.wait(10_000);
    table.input(Input::Woke);
    let (white_ms, black_ms, _) = table.clock();
    table.script("b! ~5000");
    table.input(Input::Woke);
    has(&table.heard(), "problem 7.5.3: Black pressed the clock without a move");
    let (white_after_ms, black_after_ms, running) = table.clock();
    assert_eq!((white_after_ms, running), (white_ms, Running::Black));
    assert_eq!(black_ms - black_after_ms, 5000);
}

#[test]
fn f20_a_slip_of_the_hand_can_be_corrected_before_she_presses() {
    let duties = Duties { start_clock: true, ..Duties::default() };
    let mut table = Table::after(GameConfig { duties, ..wooden() }, "e2- e3+ ~900");
    assert_eq!((table.completed(), table.clock().2), (0, Running::White));
    table.script("e3- e4+ ~900");
    assert_eq!((table.sans(), table.completed()), (vec!["e4".to_owned()], 0));
    table.wait(1500);
    assert_eq!((table.completed(), table.clock().2), (1, Running::Black));
}

#[test]
fn f23_no_press_of_the_blind_player_goes_without_an_answer() {
    // The opponent has pressed; his move is not on the pegs yet.
    let mut table = Table::after(wooden(), "e2- e4+ ~900 w! ~5000 b!");
    assert_eq!(table.clock().2, Running::White);
    table.heard();
    table.script("w!");
    assert_eq!(
        table.heard(),
        ["refused D.2.4: the opponent's move is not executed on the own board yet – \
             Der Zug des Gegners fehlt noch."]
    );
    // A question stands: it is heard again.
    let mut table = Table::at("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", wooden());
    table.start_clock();
    table.script("a7- a8+ ~900");
    assert_eq!(table.spoken(), ["ear: Welche Figur?"]);
    table.script("w! ~500");
    assert_eq!(table.spoken(), ["ear: Welche Figur?"]);
    // Times that are not told.
    let duties = Duties { inform: false, ..Duties::default() };
    let mut table = Table::after(GameConfig { duties, ..wooden() }, "\"meine Zeit\"");
    has(&table.heard(), "Auskünfte über Zeit und Züge sind ausgeschaltet.");
}

#[test]
fn f25_a_blank_in_one_score_is_no_difference() {
    let config = GameConfig { sighted_board: true, ..wooden() };
    let mut table = Table::after(config, "e2- e4+ ~900 w!");
    table.sighted(Black, "e2e4");
    table.sighted(Black, "e7e5");
    table.script("b! e7- e5+ ~900 g1- f3+ ~900 w!");
    table.sighted(Black, "g1f3");
    table.heard();
    let text = "e4 -- Nf3".to_owned();
    table.input(Input::Score { seat: Black, from_ply: 1, text });
    lacks(&table.heard(), "D.2.9");
    let settlement = table.game.settlement().expect("a game");
    assert_eq!(settlement.difference, None);
    // Another move there is one.
    let text = "e4 d5 Nf3".to_owned();
    table.input(Input::Score { seat: Black, from_ply: 1, text });
    has(&table.heard(), "problem D.2.9");
}

#[test]
fn clocks_stand_while_a_claim_is_looked_at() {
    let mut table = Table::after(wooden(), r#""Stellungswiederholung" "ja""#);
    has(&table.heard(), "proposal 1 9.5.3");
    assert_eq!(table.clock().2, Running::None);
    table.rules(ArbiterAct::ConfirmProposal { number: 1, choice: None });
    table.rules(ArbiterAct::StartClocks { side: None });
    assert_eq!(table.clock().2, Running::White);
}
