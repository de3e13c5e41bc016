//! What players ask in their own words, and the answers, word for word.

use annabella_core::game::{GameConfig, HandsKnown, HandsOf, Input};
use annabella_words::phrase::{Command, Understood, Words, understand_typed};
use shakmaty::{
    Chess,
    Color::{Black, White},
    Square,
};

use super::table::Table;

/// After 1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6; Anna has White, her hands are known by her
/// word.
fn table() -> Table {
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    let (white, black) = ("Anna".to_owned(), "Berta".to_owned());
    let config = GameConfig { hands, white, black, ..GameConfig::default() };
    let mut table = Table::new(config);
    table.start_clock();
    for (seat, mv) in [
        (White, "e4"),
        (Black, "e5"),
        (White, "Sf3"),
        (Black, "Sc6"),
        (White, "Lb5"),
        (Black, "a6"),
        (White, "Lxc6"),
        (Black, "dxc6"),
    ] {
        table.says(seat, mv);
        table.press(seat);
    }
    table.heard();
    table
}

#[test]
fn what_players_ask_is_answered() {
    let questions = include_str!("../../data/questions-de.txt");
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in questions.lines().filter(|line| !line.starts_with('#')) {
        let (question, answer) = line.split_once(" => ").expect("a question and its answer");
        let mut table = table();
        table.says(White, question);
        let spoken = table.spoken().join(" | ").replace("ear: ", "");
        if spoken != answer {
            wrong.push(format!("{question} => {spoken}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "answered otherwise:\n{}", wrong.join("\n"));
    assert!(count >= 116, "only {count} questions");
}

#[test]
fn after_the_end_the_result_is_told() {
    let mut table = table();
    table.says(White, "ich gebe auf");
    table.says(White, "ja");
    table.heard();
    for question in ["wer hat gewonnen", "Ergebnis"] {
        table.says(White, question);
        assert_eq!(table.spoken(), ["ear: Schwarz gewinnt."], "{question}");
    }
}

#[test]
fn a_correction_alone_waits_for_the_right_move() {
    let mut table = table();
    table.says(White, "d3");
    table.heard();
    table.says(White, "Korrektur");
    assert_eq!(table.spoken(), ["ear: Sag den richtigen Zug."]);
    table.says(White, "d4");
    assert_eq!(table.spoken(), ["loud: Korrektur: Bauer David zwei David vier."]);
    table.says(White, "Korrektur Sxe5");
    assert_eq!(table.spoken(), ["loud: Korrektur: Springer Felix drei schlägt Eva fünf."]);
    table.press(White);
    table.heard();
    // Black's next words are his move, and no correction any more.
    table.says(Black, "Ld6");
    assert_eq!(table.spoken(), ["loud: Läufer Felix acht David sechs"]);
}

#[test]
fn the_nearest_question_is_offered_and_answered_after_yes() {
    let mut table = table();
    table.says(White, "letzer Zug");
    assert_eq!(table.spoken(), ["ear: Letzter Zug?"]);
    table.says(White, "ja");
    assert_eq!(table.spoken(), ["ear: Bauer David sieben schlägt Cesar sechs."]);
    table.says(White, "letzer Zug");
    table.says(White, "nein");
    table.heard();
    // A question that stands is not lost to another that is only near.
    table.says(White, "Remis");
    assert_eq!(table.spoken(), ["ear: Remis anbieten?"]);
    table.says(White, "letzer Zug");
    table.says(White, "ja");
    assert!(table.spoken().iter().any(|line| line.contains("Remis")), "offered all the same");
}

/// "letzer Zug", "meine Zeti": guessed at, and nothing more than that.
#[test]
fn a_guess_vanishes_at_the_next_line_that_is_understood() {
    for understood in ["meine Zeit", "hilfe", "was ist offen", "Springer e5", "d3"] {
        let mut table = table();
        table.says(White, "letzer Zug");
        assert_eq!(table.spoken(), ["ear: Letzter Zug?"]);
        table.says(White, understood);
        assert!(!table.spoken().iter().any(|line| line.contains("Letzter Zug?")), "{understood}");
        table.wait(60_000);
        assert_eq!(table.spoken(), [""; 0], "{understood}: it lapsed long ago");
        table.says(White, "wiederhole");
        assert!(!table.spoken().iter().any(|line| line.contains("Letzter Zug?")), "{understood}");
        table.says(White, "ja");
        assert_eq!(table.spoken(), ["ear: Bitte?"], "{understood}: nothing is asked");
    }
}

#[test]
fn the_next_guess_takes_the_place_of_the_last_one() {
    let mut table = table();
    table.says(White, "letzer Zug");
    table.says(White, "meine Zeti");
    assert_eq!(table.spoken(), ["ear: Letzter Zug?", "ear: Meine Zeit?"]);
    table.says(White, "wiederhole");
    assert_eq!(table.spoken(), ["ear: Meine Zeit?"]);
    table.says(White, "Regenschirm");
    assert_eq!(table.spoken(), ["ear: Bitte?"]);
    table.says(White, "ja");
    assert_eq!(table.spoken(), ["ear: Bitte?"], "to which question?");
}

#[test]
fn a_guess_lapses_in_silence_and_is_not_asked_again_after_a_start() {
    let mut table = table();
    table.says(White, "letzer Zug");
    table.heard();
    table.wait(60_000);
    assert_eq!(table.spoken(), [""; 0]);
    table.says(White, "letzer Zug");
    table.heard();
    table.now_ms += 1;
    table.input(Input::Resumed);
    assert_eq!(table.spoken(), ["loud: Die Uhren stehen. Sag: Uhr starten."]);
    table.says(White, "letzer Zug");
    table.says(White, "nein");
    assert_eq!(table.spoken(), ["ear: Letzter Zug?", "ear: Gut, dann nicht."]);
}

#[test]
fn a_refused_line_leaves_the_guess() {
    let mut table = table();
    table.says(White, "letzer Zug");
    table.heard();
    table.says(White, "Tipp");
    assert!(table.heard()[0].starts_with("refused"), "at home only");
    table.says(White, "ja");
    assert_eq!(table.spoken(), ["ear: Bauer David sieben schlägt Cesar sechs."]);
}

/// Nothing of the next move is said, and the last one is completed: the arbiter's (D.2.8).
#[test]
fn a_correction_that_can_be_of_no_move_any_more_is_not_asked_for() {
    for said in ["Korrektur", "das war falsch"] {
        let mut table = table();
        table.says(White, said);
        let heard = table.heard();
        assert!(
            heard[0].ends_with("– Zu spät. Nur der Schiedsrichter kann das noch ändern."),
            "{said}: {heard:#?}"
        );
    }
}

#[test]
fn natural_ways_to_ask_are_understood_in_every_language() {
    use Command::{
        Adjust, Castling, ClaimFifty, ClaimFlag, ClaimRepetition, Help, NextGame, OfferDraw,
        Pending, Repeat, RunningClock, Yes,
    };
    for (language, meant, typed) in [
        ("en", Repeat, &["repeat that please", "can you repeat"][..]),
        ("en", Command::Slower, &["speak slower please"]),
        ("en", Help, &["I need help"]),
        ("en", RunningClock, &["whose clock is running"]),
        ("en", Castling, &["can I still castle"]),
        ("en", NextGame, &["rematch", "another game"]),
        ("en", Command::MoveNumber(2), &["what was my second move"]),
        ("fr", Repeat, &["répétez", "pouvez-vous répéter"]),
        ("fr", Castling, &["puis-je encore roquer"]),
        ("es", OfferDraw, &["propongo tablas"]),
        ("es", Pending, &["qué debo hacer"]),
        ("pl", Command::OnSquare(Square::E4), &["co jest na polu e cztery"]),
        ("pl", Castling, &["czy mogę roszować"]),
        ("ru", Command::MyTime, &["сколько времени осталось"]),
        ("ru", ClaimFlag, &["время вышло"]),
        ("lt", Command::MoveOf { mine: false }, &["ką jis ėjo"]),
        ("lt", Help, &["man reikia pagalbos"]),
        ("de", OfferDraw, &["wollen wir uns auf Remis einigen"]),
        ("en", OfferDraw, &["shall we agree to a draw"]),
        ("es", OfferDraw, &["acordamos tablas"]),
        ("de", Yes, &["einverstanden"]),
        ("fr", Yes, &["d'accord"]),
        ("pl", Yes, &["zgoda"]),
        ("ru", Yes, &["согласен"]),
        ("lt", Yes, &["sutinku"]),
        ("de", ClaimRepetition, &["ich reklamiere Remis"]),
        ("fr", ClaimRepetition, &["je réclame la nulle"]),
        ("de", ClaimFifty, &["50 Züge ohne Schlagen", "fünfzig Züge ohne Schlagen"]),
        ("pl", ClaimFifty, &["pięćdziesiąt ruchów bez bicia"]),
        ("de", Adjust, &["zurechtrücken", "ich korrigiere nur", "j'adoube"]),
        ("en", Adjust, &["just adjusting", "j'adoube"]),
        ("lt", Adjust, &["tik taisau"]),
        ("de", Command::MoveOf { mine: false }, &["was hat er gesagt"]),
        ("ru", Command::MoveOf { mine: false }, &["что он сказал"]),
        ("es", Command::Resign, &["he perdido"]),
    ] {
        let words = Words::builtin(language, language).expect("packs");
        for typed in typed {
            let understood = understand_typed(&words, &Chess::default(), typed);
            assert_eq!(understood, Understood::Command(meant), "{language}: {typed}");
        }
    }
}
