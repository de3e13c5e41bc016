//! What the player says into the microphone: moves, requests, answers, talk.

use annabella_core::game::{
    At, Blind, Game, GameConfig, Input, Learnt, Output, PlayerButton, Started,
};
use annabella_words::phrase::hear::{Confusions, Heard, Hypothesis};
use shakmaty::Color::{Black, White};

use super::table::{Table, speaking};

#[test]
fn a_clear_announcement_is_taken_without_a_word() {
    let mut table = Table::speaking();
    table.hears(&[("springer gustav eins felix drei", 0.99)]);
    assert_eq!(table.heard(), ["announced Nf3"]);
    table.moves("g1", "f3");
    assert_eq!(table.heard(), ["executed Nf3", "made Nf3", "boards pending"]);
}

#[test]
fn an_unclear_one_is_asked_about_and_confirmed() {
    let mut table = Table::speaking();
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    assert_eq!(table.heard(), ["ear: Bauer Eva zwei Eva vier?"]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(table.heard(), ["announced e4"]);
}

#[test]
fn the_hands_answer_the_question() {
    let mut table = Table::speaking();
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    assert_eq!(table.heard(), ["ear: Bauer Eva zwei Eva vier?"]);
    table.moves("e2", "e4");
    assert_eq!(table.heard(), ["executed e4", "announced e4", "made e4", "boards pending"]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(table.heard(), [""; 0], "a late yes is meant for nobody");
}

#[test]
fn what_the_hands_have_shown_needs_no_question() {
    let mut table = Table::speaking();
    table.moves("e2", "e4");
    table.heard();
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    assert_eq!(table.heard(), ["announced e4", "made e4", "boards pending"]);
    // Even if two moves were heard equally well.
    let mut table = Table::speaking();
    table.moves("e2", "e4");
    table.heard();
    table.hears(&[("eva vier", 0.51), ("eva drei", 0.49)]);
    assert_eq!(table.heard(), ["announced e4", "made e4", "boards pending"]);
}

#[test]
fn a_request_that_was_hardly_heard_is_not_answered_unasked() {
    let mut table = Table::speaking();
    table.start_clock();
    table.heard();
    let heard = |likeness: f64| Heard {
        word_loop: vec![Hypothesis::new("[unk]", 1.0)],
        comparison: vec![
            Hypothesis::new("[unk]", 1.0 - likeness),
            Hypothesis::new("meine zeit", likeness),
        ],
        ..Heard::text("meine zeit")
    };
    for (likeness, answer) in [(0.4, "ear: Bitte?"), (0.6, "ear: Du: ")] {
        table.input(Input::Heard { seat: Some(White), heard: heard(likeness), pushed: false });
        let spoken = table.spoken();
        assert!(spoken.len() == 1 && spoken[0].starts_with(answer), "{likeness}: {spoken:?}");
    }
}

#[test]
fn another_grammar_is_another_moment() {
    let mut table = Table::speaking();
    let mut seen = vec![(table.game.moment(), table.game.grammar())];
    let acts: [&dyn Fn(&mut Table); 7] = [
        &|table| table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]),
        &|table| table.hears(&[("ja", 0.99)]),
        &|table| table.moves("e2", "e4"),
        &|table| table.press(White),
        &|table| table.sighted(Black, "e7e5"),
        &|table| table.hears(&[("ich gebe auf", 0.99)]),
        &|table| table.hears(&[("nein", 0.99)]),
    ];
    for act in acts {
        act(&mut table);
        seen.push((table.game.moment(), table.game.grammar()));
    }
    assert!(seen.iter().all(|(moment, grammar)| moment.is_some() && grammar.is_some()));
    for (n, (moment, grammar)) in seen.iter().enumerate() {
        for (other, (later, changed)) in seen.iter().enumerate().skip(n + 1) {
            assert!(grammar == changed || moment != later, "after {n} and {other} acts");
        }
    }
    assert_ne!(seen[0].0, seen[1].0, "a question has answers of its own");
}

#[test]
fn while_others_talk_two_words_are_asked_about() {
    let mut table = Table::speaking();
    table.hears(&[("[unk]", 0.99)]);
    table.hears(&[("eva vier", 0.99)]);
    assert_eq!(table.heard(), ["ear: Bauer Eva zwei Eva vier?"]);
    table.moves("e2", "e4");
    assert_eq!(table.heard(), ["executed e4", "announced e4", "made e4", "boards pending"]);
    // With its piece, with the talk key, or after two minutes without talk it is taken at once.
    let spoken = |pause_ms: u64, text: &str, pushed: bool| {
        let mut table = Table::speaking();
        table.hears(&[("[unk]", 0.99)]);
        table.wait(pause_ms);
        table.heard();
        table.hears_of(None, &[(text, 0.99)], pushed);
        table.heard()
    };
    assert_eq!(spoken(0, "bauer eva vier", false), ["announced e4"]);
    assert_eq!(spoken(0, "eva vier", true), ["announced e4"]);
    assert_eq!(spoken(120_000, "eva vier", false), ["announced e4"]);
    // The opponent's repetition (D.2.1) is no talk.
    let mut table = Table::speaking();
    table.hears(&[("springer gustav eins felix drei", 0.99)]);
    table.moves("g1", "f3");
    table.press(White);
    table.hears(&[("springer gustav eins felix drei", 0.99)]);
    table.heard();
    table.hears(&[("eva fünf", 0.99)]);
    assert_eq!(table.heard(), ["announced e5"]);
}

#[test]
fn in_a_loud_room_every_move_is_asked_about_that_the_hands_have_not_shown() {
    let mut table = Table::speaking();
    table.hears_above_room("eva vier", 8.0);
    assert_eq!(table.heard(), ["ear: Bauer Eva zwei Eva vier?"]);
    table.hears_above_room("ja", 8.0);
    assert_eq!(table.heard(), ["announced e4"]);
    // What the hands have shown is not.
    let mut table = Table::speaking();
    table.moves("e2", "e4");
    table.heard();
    table.hears_above_room("eva vier", 8.0);
    assert_eq!(table.heard(), ["announced e4", "made e4", "boards pending"]);
    // A request is no move.
    table.hears_above_room("meine zeit", 8.0);
    assert_eq!(table.spoken(), ["ear: Du: eine Stunde dreißig Minuten."]);
}

#[test]
fn what_the_hands_have_shown_does_not_answer_for_another_move() {
    let mut table = Table::speaking();
    table.moves("e2", "e3");
    table.heard();
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    assert_eq!(table.heard(), ["ear: Bauer Eva zwei Eva vier?"]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(
        table.heard(),
        [
            "announced e4",
            "ear: Angesagt: Bauer Eva zwei Eva vier. Ausgeführt: Bauer Eva zwei Eva drei.",
            "problem D.2.3: the announced and the executed move differ",
        ]
    );
}

#[test]
fn saying_it_again_is_as_good_as_yes() {
    let mut table = Table::speaking();
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    assert_eq!(table.heard(), ["ear: Bauer Eva zwei Eva vier?", "announced e4"]);
}

#[test]
fn another_move_said_clearly_replaces_the_question() {
    let mut table = Table::speaking();
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    table.hears(&[("bauer david zwei david vier", 0.99)]);
    assert_eq!(table.heard(), ["ear: Bauer Eva zwei Eva vier?", "announced d4"]);
}

#[test]
fn two_misunderstandings_and_the_nearest_are_offered_by_number() {
    let mut table = Table::speaking();
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    table.hears(&[("nein", 0.99)]);
    table.hears(&[("eva drei", 0.42), ("gustav drei", 0.4)]);
    assert_eq!(
        table.heard(),
        [
            "ear: Bauer Eva zwei Eva vier?",
            "ear: Noch einmal, bitte.",
            "ear: Eins: Bauer Eva zwei Eva drei. Zwei: Bauer Gustav zwei Gustav drei.",
        ]
    );
    table.hears(&[("zwei", 0.99)]);
    assert_eq!(table.heard(), ["announced g3"]);
}

#[test]
fn none_of_the_two_is_asked_for_again() {
    let mut table = Table::speaking();
    table.hears(&[("eva vier", 0.45), ("felix vier", 0.43)]);
    table.hears(&[("eva vier", 0.45), ("felix vier", 0.43)]);
    table.hears(&[("nein", 0.99)]);
    assert_eq!(
        table.heard(),
        [
            "ear: Bitte?",
            "ear: Eins: Bauer Eva zwei Eva vier. Zwei: Bauer Felix zwei Felix vier.",
            "ear: Noch einmal, bitte.",
        ]
    );
}

#[test]
fn silence_noise_and_talk_are_passed_over() {
    let mut table = Table::speaking();
    table.hears(&[("", 1.0)]);
    table.hears(&[("[unk]", 0.9)]);
    table.hears(&[("[unk] [unk] [unk]", 0.9)]);
    table.hears(&[("[unk] das wetter [unk]", 0.9)]);
    table.hears(&[("ja", 0.99)]);
    table.input(Input::Heard { seat: None, heard: Default::default(), pushed: false });
    assert_eq!(table.heard(), [""; 0]);
}

#[test]
fn a_move_of_which_most_was_lost_is_asked_for_again() {
    let mut table = Table::speaking();
    table.hears(&[("drei", 0.99)]);
    assert_eq!(table.heard(), ["ear: Bitte?"]);
}

#[test]
fn with_the_talk_key_held_everything_is_answered() {
    let mut table = Table::speaking();
    table.hears_pushed(&[("[unk] das wetter [unk]", 0.9)]);
    assert_eq!(table.heard(), ["ear: Bitte?"]);
    table.hears_pushed(&[("", 1.0)]);
    assert_eq!(table.heard(), ["ear: Noch einmal, bitte."]);
    table.hears_pushed(&[("ja", 0.99)]);
    assert_eq!(table.heard(), ["ear: Bitte? Sag: Hilfe."], "the third in a row says what helps");
    table.hears_pushed(&[("ja", 0.99)]);
    assert_eq!(table.heard(), ["ear: Bitte?"]);
}

#[test]
fn what_is_said_again_is_the_last_sentence_that_says_something() {
    let mut table = Table::speaking();
    table.says(White, "wer ist am Zug");
    table.says(White, "Regenschirm");
    table.says(White, "noch mal");
    assert_eq!(table.spoken(), ["ear: Weiß am Zug.", "ear: Bitte?", "ear: Weiß am Zug."]);
}

#[test]
fn before_the_first_move_it_is_said_how_the_clock_is_started() {
    for asked in ["was nun", "was soll ich tun", "Hilfe", "läuft die Uhr"] {
        let mut table = Table::new(speaking());
        table.heard();
        table.says(White, asked);
        assert_eq!(table.spoken(), ["ear: Die Uhren stehen. Sag: Uhr starten."], "{asked}");
    }
}

#[test]
fn either_castling_is_named_by_a_part_of_its_name() {
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    for (named, made) in
        [("kurze", "O-O"), ("lange", "O-O-O"), ("die kurze", "O-O"), ("lang", "O-O-O")]
    {
        let mut table = Table::at(fen, speaking());
        table.says(White, "Rochade");
        table.says(White, named);
        assert_eq!(table.heard().last(), Some(&format!("announced {made}")), "{named}");
    }
}

#[test]
fn a_move_that_cannot_be_is_named() {
    let mut table = Table::speaking();
    table.hears(&[("springer gustav eins gustav drei", 0.99)]);
    assert_eq!(table.heard(), ["ear: Nicht möglich: Springer Gustav eins Gustav drei."]);
}

#[test]
fn what_fits_two_moves_is_asked_for() {
    let fen = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1";
    let mut table = Table::at(fen, speaking());
    table.hears(&[("springer david zwei", 0.99)]);
    assert_eq!(
        table.heard(),
        ["ear: Springer Bella eins David zwei oder Springer Felix drei David zwei?"]
    );
    table.hears(&[("springer bella eins david zwei", 0.99)]);
    assert_eq!(table.heard(), ["announced Nbd2"]);
}

#[test]
fn the_promotion_piece_is_heard() {
    let mut table = Table::at("3n2k1/4P3/8/8/8/8/8/4K3 w - - 0 1", speaking());
    table.moves("e7", "e8");
    assert_eq!(table.heard(), ["ear: Welche Figur?"]);
    table.hears(&[("dame", 0.97)]);
    assert_eq!(table.heard(), ["executed e8=Q+"]);
    table.hears(&[("bauer eva acht dame", 0.97)]);
    assert_eq!(table.heard(), ["announced e8=Q+", "made e8=Q+", "boards pending"]);
}

#[test]
fn a_piece_named_to_nobody_is_talk() {
    let mut table = Table::speaking();
    table.hears(&[("dame", 0.99)]);
    assert_eq!(table.heard(), [""; 0]);
}

#[test]
fn a_request_is_answered_while_a_question_stands() {
    let mut table = Table::speaking();
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    table.hears(&[("wer ist am zug", 0.99)]);
    table.hears(&[("wiederhole", 0.99)]);
    assert_eq!(
        table.heard(),
        ["ear: Bauer Eva zwei Eva vier?", "ear: Weiß am Zug.", "ear: Bauer Eva zwei Eva vier?",]
    );
}

#[test]
fn a_button_asks_without_words() {
    let mut table = Table::speaking();
    let asks = |table: &mut Table, seat, asks| {
        table.input(Input::Button { seat, asks });
        table.heard()
    };
    table.says(White, "was steht auf Eva zwei");
    table.heard();
    let again = asks(&mut table, Some(White), PlayerButton::Repeat);
    assert_eq!(again, ["ear: Eva zwei: weißer Bauer."]);
    table.hears(&[("eva vier", 0.6), ("eva drei", 0.2)]);
    table.heard();
    let again = asks(&mut table, Some(White), PlayerButton::Repeat);
    assert_eq!(again, ["ear: Bauer Eva zwei Eva vier?"]);
    table.says(White, "nein");
    table.heard();
    table.says(White, "Schiedsrichter");
    let said = table.heard();
    let mut other = Table::speaking();
    assert_eq!(asks(&mut other, None, PlayerButton::Arbiter), said);
}

#[test]
fn a_question_nobody_answers_is_given_up() {
    let mut table = Table::speaking();
    table.hears(&[("ich gebe auf", 0.99)]);
    assert_eq!(table.heard(), ["ear: Weiß gibt auf?"]);
    table.wait(20_000);
    assert_eq!(table.heard(), ["ear: Gut, dann nicht."]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(table.heard(), [""; 0]);
    assert_eq!(table.game.ended(), None);
}

#[test]
fn an_answer_that_is_not_understood_is_asked_for_once_more() {
    let mut table = Table::speaking();
    table.hears(&[("ich gebe auf", 0.99)]);
    table.hears(&[("[unk]", 0.99)]);
    assert_eq!(table.heard(), ["ear: Weiß gibt auf?"], "noise is no answer");
    table.hears_pushed(&[("[unk]", 0.99)]);
    assert_eq!(table.heard(), ["ear: Weiß gibt auf?"]);
    table.hears_pushed(&[("[unk]", 0.99)]);
    assert_eq!(table.heard(), ["ear: Gut, dann nicht."]);
}

#[test]
fn resigning_is_confirmed() {
    let mut table = Table::speaking();
    table.hears(&[("ich gebe auf", 0.99)]);
    table.hears(&[("nein", 0.99)]);
    let off = ["ear: Weiß gibt auf?", "ear: Gut, dann nicht.", "loud: Schwarz? Dann sag: zwei."];
    assert_eq!(table.heard(), off);
    table.hears(&[("ich gebe auf", 0.99)]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(
        table.heard(),
        [
            "ear: Weiß gibt auf?",
            "loud: Weiß gibt auf. Schwarz gewinnt.",
            "result 0-1: resignation (5.1.2)",
            "clock: None",
        ]
    );
}

#[test]
fn before_resigning_a_move_is_no_answer() {
    let mut table = Table::speaking();
    table.hears(&[("ich gebe auf", 0.99)]);
    table.hears(&[("bauer eva zwei eva vier", 0.99)]);
    assert_eq!(table.heard(), ["ear: Weiß gibt auf?"]);
    table.hears(&[("abbrechen", 0.99)]);
    assert_eq!(table.heard(), ["ear: Gut, dann nicht."]);
}

#[test]
fn typed_wishes_are_confirmed_too() {
    let mut table = Table::speaking();
    table.says(White, "ich gebe auf");
    table.says(Black, "ja");
    assert_eq!(table.heard(), ["ear: Wirklich aufgeben?", "loud: Bitte?"], "not his to answer");
    table.says(White, "ja");
    assert_eq!(table.spoken(), ["loud: Weiß gibt auf. Schwarz gewinnt."]);
}

#[test]
fn a_slip_is_corrected_until_the_clock_is_pressed() {
    let mut table = Table::speaking();
    table.hears(&[("bauer eva zwei eva vier", 0.99)]);
    table.hears(&[("korrektur bauer eva zwei eva drei", 0.99)]);
    assert_eq!(table.heard(), ["announced e4", "announced e3"]);
    table.moves("e2", "e3");
    table.heard();
    table.hears(&[("korrektur bauer eva zwei eva vier", 0.99)]);
    assert_eq!(
        table.heard(),
        [
            "announced e4",
            "ear: Angesagt: Bauer Eva zwei Eva vier. Ausgeführt: Bauer Eva zwei Eva drei.",
            "problem D.2.3: the announced and the executed move differ",
            "boards agree",
        ]
    );
    table.moves("e3", "e4");
    assert_eq!(
        table.heard(),
        [
            "executed e4",
            "made e4",
            "problem 4.7: White changed a made move: e3, then e4",
            "proposal 1 4.7: White changed a made move: e3, then e4",
            "ear: Der Zug stand schon. Der Schiedsrichter entscheidet.",
            "boards pending",
        ]
    );
    table.press(White);
    table.heard();
    table.hears(&[("korrektur bauer eva zwei eva drei", 0.99)]);
    assert_eq!(
        table.heard(),
        ["refused D.2.8: a slip is corrected before the opponent's clock is started – \
          Zu spät. Nur der Schiedsrichter kann das noch ändern."]
    );
}

#[test]
fn korrektur_may_come_first() {
    let mut table = Table::speaking();
    table.hears(&[("bauer eva zwei eva vier", 0.99)]);
    table.moves("e2", "e4");
    table.heard();
    table.hears(&[("korrektur", 0.99)]);
    table.hears(&[("bauer david zwei david vier", 0.99)]);
    assert_eq!(table.heard()[..2], ["ear: Sag den richtigen Zug.", "announced d4"]);
}

#[test]
fn korrektur_and_then_nothing_is_cancelled() {
    let mut table = Table::speaking();
    table.hears(&[("korrektur", 0.99)]);
    table.hears(&[("abbrechen", 0.99)]);
    table.hears(&[("abbrechen", 0.99)]);
    assert_eq!(
        table.heard(),
        ["ear: Sag den richtigen Zug.", "ear: Gut, dann nicht.", "ear: Nichts offen."]
    );
}

#[test]
fn an_unclear_correction_is_asked_about() {
    let mut table = Table::speaking();
    table.hears(&[("bauer eva zwei eva vier", 0.99)]);
    table.moves("e2", "e4");
    table.heard();
    table.hears(&[
        ("korrektur bauer eva zwei eva drei", 0.6),
        ("korrektur bauer eva zwei eva vier", 0.2),
    ]);
    assert_eq!(table.heard(), ["ear: Bauer Eva zwei Eva drei?"]);
    table.hears(&[("ja", 0.99)]);
    assert_eq!(table.heard()[0], "announced e3");
}

#[test]
fn the_opponents_repetition_is_compared() {
    let mut table = Table::speaking();
    table.hears(&[("springer gustav eins felix drei", 0.99)]);
    table.moves("g1", "f3");
    table.press(White);
    table.heard();
    table.hears(&[("springer gustav eins felix drei", 0.99)]);
    assert_eq!(table.heard(), [""; 0]);
    assert!(table.game.record().expect("a game").line[0].announced.repeated.is_some());
    table.hears(&[("springer gustav eins hektor drei", 0.99)]);
    assert_eq!(
        table.heard(),
        [
            "ear: Wiederholt: Springer Gustav eins Hector drei. Richtig: Springer Gustav eins Felix drei.",
            "problem D.2.1: another move than the announced one was repeated"
        ]
    );
}

#[test]
fn repetitions_are_not_compared_where_that_is_switched_off() {
    let mut table = Table::new(GameConfig { repetition: false, ..speaking() });
    table.hears(&[("springer gustav eins felix drei", 0.99)]);
    table.moves("g1", "f3");
    table.press(White);
    table.heard();
    table.says(Black, "Springer Gustav eins Hector drei");
    assert_eq!(table.spoken(), [""; 0]);
}

#[test]
fn the_arbiter_is_called_aloud() {
    let mut table = Table::speaking();
    table.hears(&[("schiedsrichter bitte", 0.99)]);
    assert_eq!(
        table.heard(),
        ["problem 6.11.2: White calls the arbiter", "clock: None", "loud: Schiedsrichter gerufen.",]
    );
}

#[test]
fn stopp_silences_at_once() {
    let mut table = Table::speaking();
    table.hears(&[("stopp", 0.7)]);
    assert_eq!(table.heard(), ["hush"]);
}

/// Whether "Springer" that was heard as "Wasser" is taken for a move when this player says it.
fn taken(learnt: Learnt, mover: shakmaty::Color) -> bool {
    let turn = mover.fold_wb("w", "b");
    let config = GameConfig {
        blind: Blind::Both,
        start: Some(format!("4k1n1/8/8/8/8/8/8/4K1N1 {turn} - - 0 1")),
        ..speaking()
    };
    let config = GameConfig { sighted_board: false, ..config };
    let packs = super::table::packs();
    let started = Started { config, packs, confusions: learnt, build: String::new(), unix_s: 0 };
    let mut game = Game::new();
    game.handle(At::new(0), Input::Started(Box::new(started))).expect("a game");
    game.handle(At::new(1), Input::ClockStarted).expect("clocks");
    let said = mover.fold_wb("wasser felix drei", "wasser felix sechs");
    let heard = Input::Heard { seat: Some(mover), heard: Heard::text(said), pushed: true };
    let outputs = game.handle(At::new(1000), heard).expect("his turn");
    outputs.iter().any(|output| matches!(output, Output::Move { .. }))
}

#[test]
fn f2_each_of_two_blind_players_is_heard_as_he_speaks() {
    let learnt = || Confusions::parse("[confusions.springer]\nwasser = 0.01\n").expect("a table");
    let (own, black) = (Learnt { own: learnt(), ..Learnt::default() }, Learnt::default());
    let black = Learnt { black: learnt(), ..black };
    assert!(taken(own.clone(), White) && !taken(own.clone(), Black));
    assert!(taken(black.clone(), Black) && !taken(black, White));
    assert!(taken(own.swapped(), Black), "they change places");
}

#[test]
fn what_was_refused_was_heard_all_the_same() {
    let mut table = Table::new(GameConfig::default());
    table.start_clock();
    table.moves("e2", "e4");
    table.press(White);
    table.hears_of(Some(White), &[("korrektur eva zwei eva drei", 0.99)], true);
    let refused = table.results.iter().rev().find_map(|result| result.as_ref().err());
    let refused = refused.expect("too late (D.2.8)");
    let heard = refused.meanwhile.iter().find_map(|output| match output {
        Output::Heard(heard) => Some(heard.texts[0].as_str()),
        _ => None,
    });
    assert_eq!(heard, Some("korrektur eva zwei eva drei"), "{refused:?}");
}
