//! What is typed in the letters of a keyboard, in a player's own words, or about his opponent.

use annabella_core::{
    game::{GameConfig, HandsKnown, HandsOf, Input, PageAct, PageEntry, PageRole},
    notation::{InForce, NotationError},
};
use annabella_words::phrase::{Words, hear::Confusions, pack};
use shakmaty::{Chess, Position as _, Role, Square};

use super::{
    table::Table,
    typing::{MIDDLE, at_in, makes},
};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn files_in_cyrillic_letters_are_files() {
    makes(
        START,
        &[
            (
                "ru",
                "d4",
                &["д4", "Д4", "д 4", "д2д4", "д2-д4", "Д2-Д4", "дэ4", "1. д4", "пешка д2-д4"],
            ),
            ("ru", "a4", &["а4", "А4"]),
            ("ru", "b4", &["б4", "бэ4"]),
            ("ru", "c4", &["ц4", "с4", "цэ4"]),
            ("ru", "f4", &["ф4", "Ф4", "эф4", "ф2-ф4"]),
            ("ru", "g4", &["г4", "ж4", "же4"]),
            ("ru", "h4", &["х4", "ш4", "аш4", "Х4"]),
            ("ru", "Nf3", &["Кф3", "кф3", "Кж1-ф3", "К ф3"]),
            ("ru", "Nc3", &["Кц3", "Кс3", "кц3"]),
            ("ru", "Nh3", &["Кх3"]),
            ("de", "d4", &["д4"]),
        ],
    );
    makes(
        MIDDLE,
        &[
            ("ru", "exd5", &["ед5", "е:д5", "ехд5", "е4д5", "е4:д5"]),
            ("ru", "Nxd5", &["Кхд5", "К:д5", "Кд5"]),
            ("ru", "Bxd5", &["Схд5", "Сц4:д5"]),
            ("ru", "Bg5", &["сг5", "Сж5", "Сц1-г5"]),
            ("ru", "Qe2", &["Фе2", "Фд1-е2"]),
        ],
    );
}

/// The letter looks like b, sounds like v and is the third of its alphabet. A small ф is the queen
/// or a file.
#[test]
fn a_cyrillic_letter_that_may_be_two_files_is_asked_about_and_not_made() {
    for (fen, typed) in [
        (START, "в4"),
        (START, "в2-в4"),
        // A queen and a bishop of the first rank can both go to e2.
        ("4k3/8/8/8/8/8/8/3QKB2 w - - 0 1", "ф1е2"),
        // The pawn can take on e5, and the queen too.
        ("4k3/8/8/4p3/5P2/8/8/4QK2 w - - 0 1", "фе5"),
        // The queen can go to e5, and the pawn can't.
        ("7k/8/8/8/5P2/8/8/4QK2 w - - 0 1", "фе5"),
    ] {
        let heard = at_in(fen, "ru", &[typed]);
        assert!(heard.len() == 1 && heard[0].ends_with('?'), "{typed}: {heard:?}");
    }
    // A rook's move in these letters is no pawn's.
    makes("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", &[("ru", "Rfd1", &["Лфд1", "лфд1"])]);
    makes("8/3P4/7k/8/8/8/8/6K1 w - - 0 1", &[("ru", "d8=Q", &["д8Ф", "д7-д8ф", "д8=Ф"])]);
    // What is no legal move is named.
    let heard = at_in(START, "ru", &["д5"]);
    assert_eq!(heard, ["ear: Так нельзя: Пешка Давид пять."]);
}

#[test]
fn marks_that_nobody_sees_do_not_matter() {
    makes(
        START,
        &[
            ("de", "e4", &["\u{200f}e4\u{200f}", "\u{202b}e2\u{200b}e4\u{202c}", "\u{feff}e4"]),
            ("de", "Nf3", &["\u{2067}Springer f3\u{2069}", "S\u{200d}f3\u{200e}."]),
        ],
    );
}

/// The words were typed at the board, where nobody knows whose they are.
fn typed_at_the_board(language: &str, lines: &[&str]) -> (Vec<String>, Table) {
    let text = pack::builtin(language).expect("a pack").to_owned();
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    let config = GameConfig { display: false, hands, ..GameConfig::default() };
    let mut table = Table::told_in(config, Confusions::default(), vec![text.clone(), text]);
    table.start_clock();
    table.heard();
    for line in lines {
        table.says(None, line);
    }
    (table.heard(), table)
}

fn is_over(table: &Table) -> bool {
    table.game.record().is_some_and(|record| record.is_over())
}

#[test]
fn that_the_opponent_resigns_is_asked_about_by_his_colour() {
    for (language, asked, typed) in [
        (
            "de",
            "Schwarz gibt auf?",
            &["mein Gegner gibt auf", "er gibt auf", "Schwarz gibt auf"][..],
        ),
        ("de", "Weiß gibt auf?", &["Weiß gibt auf", "ich gebe auf"]),
        ("en", "Black resigns?", &["my opponent resigns", "he has resigned", "Black resigns"]),
    ] {
        for typed in typed {
            let (heard, mut table) = typed_at_the_board(language, &[typed]);
            let one = heard.iter().filter(|line| line.ends_with(asked)).count();
            assert_eq!(one, 1, "{typed}: {heard:?}");
            assert!(!is_over(&table), "{typed}");
            table.says(None, if language == "de" { "ja" } else { "yes" });
            assert!(is_over(&table), "{typed}");
        }
    }
    let (heard, mut table) = typed_at_the_board("de", &["Schwarz gibt auf", "nein"]);
    assert!(!is_over(&table), "{heard:?}");
    table.heard();
    table.says(None, "wer ist am Zug");
    assert_eq!(table.spoken(), ["ear: Weiß am Zug."]);
}

#[test]
fn an_opponent_who_has_a_page_resigns_there() {
    let mut table = Table::new(GameConfig { display: true, ..GameConfig::default() });
    table.start_clock();
    table.heard();
    // Nobody has entered anything for him: then he has none.
    for said in ["er gibt auf", "nein", "Schwarz gibt auf", "nein"] {
        table.says(None, said);
    }
    let asked = ["ear: Schwarz gibt auf?", "ear: Gut, dann nicht."];
    assert_eq!(table.spoken(), [asked, asked].concat());
    let (act, role) = (PageAct::ReadOut, PageRole::Assistant);
    table.input(Input::Page(Box::new(PageEntry { act, role, by: String::new() })));
    table.heard();
    table.says(None, "Schwarz gibt auf");
    assert_eq!(table.spoken(), ["ear: Das sagt dein Gegner auf seiner Seite."]);
}

#[test]
fn the_opponents_move_is_told_as_people_tell_it() {
    for (language, typed) in [
        (
            "de",
            &[
                "mein Gegner hat Sc6 gespielt",
                "Schwarz hat Springer c6 gespielt",
                "er hat Sc6 gezogen",
                "Gegner: Sc6",
                "er spielt Sc6",
                "äh, er hat Springer c6 gespielt",
                "Sc6 hat er gespielt",
            ][..],
        ),
        ("en", &["my opponent has played Nc6", "Black played Nc6", "opponent: Nc6"]),
        ("fr", &["mon adversaire a joué Cc6", "les Noirs ont joué Cc6", "adversaire: Cc6"]),
        ("es", &["mi rival ha jugado Cc6", "las negras han jugado Cc6", "rival: Cc6"]),
        ("pl", &["mój przeciwnik zagrał Sc6", "czarne zagrały Sc6", "przeciwnik: Sc6"]),
        ("ru", &["мой соперник сыграл Кc6", "чёрные пошли Кc6", "соперник: Кc6"]),
        ("lt", &["mano varžovas paėjo Žc6", "juodieji paėjo Žc6", "varžovas: Žc6"]),
    ] {
        for typed in typed {
            let own = if language == "lt" { "e4" } else { "e2e4" };
            let (heard, table) = typed_at_the_board(language, &[own, typed]);
            assert_eq!(table.sans().last().map(String::as_str), Some("Nc6"), "{typed}: {heard:?}");
        }
    }
    // Asked, it is not made; and his own move he does not tell so.
    for typed in
        [&["e4", "hat er Sc6 gespielt?"][..], &["e4", "er hat Sc6 gespielt?"], &["er spielt e4"]]
    {
        let (heard, table) = typed_at_the_board("de", typed);
        assert_eq!(table.sans().len(), typed.len() - 1, "{typed:?}: {heard:?}");
    }
}

#[test]
fn whether_a_move_goes_is_a_question_and_no_move() {
    for typed in ["Springer c3?", "e4?", "e4 ?"] {
        let (heard, mut table) = typed_at_the_board("de", &[typed]);
        assert!(table.sans().is_empty(), "{typed}");
        assert!(heard.len() == 1 && heard[0].ends_with('?'), "{typed}: {heard:?}");
        table.says(None, "ja");
        assert_eq!(table.sans().len(), 1, "{typed}");
    }
}

#[test]
fn which_piece_and_which_move_are_answered_as_people_answer() {
    let promotes = "8/3P4/7k/8/8/8/8/6K1 w - - 0 1";
    for (language, pawn, piece) in [
        ("de", "Bauer d8", "eine Dame"),
        ("de", "d7d8", "die Dame"),
        ("de", "d7d8", "zur Dame"),
        ("en", "d7d8", "a queen"),
        ("fr", "d7d8", "une dame"),
        ("es", "d7d8", "una dama"),
    ] {
        let heard = at_in(promotes, language, &[pawn, piece]);
        assert_eq!(heard, ["made d8=Q"], "{language}: {piece}");
    }
    let rooks = "4k3/8/8/8/8/8/4K3/R6R w - - 0 1";
    for (language, rook, place) in [
        ("de", "Turm d1", "der zweite"),
        ("en", "rook d1", "the second one"),
        ("es", "torre d1", "la segunda"),
        ("ru", "ладья d1", "вторая"),
    ] {
        let which = at_in(rooks, language, &[rook]);
        let heard = at_in(rooks, language, &[rook, place]);
        assert!(heard.len() == 1 && heard[0].starts_with("made R"), "{which:?} {place}: {heard:?}");
    }
}

#[test]
fn a_move_is_told_by_its_colour() {
    makes(START, &[("de", "e4", &["Weiß e4", "Weiß: e4", "Weiß spielt e4", "weiß Bauer e4"])]);
    // It is not Black's move.
    let heard = at_in(START, "de", &["Schwarz Springer f3"]);
    assert!(!heard.iter().any(|line| line.starts_with("made")), "{heard:?}");
}

#[test]
fn whoever_enters_a_move_may_tell_whose_it_is_and_be_polite() {
    let mut position = Chess::default();
    let first = position
        .legal_moves()
        .into_iter()
        .find(|mv| mv.to() == Square::E4 && mv.role() == Role::Pawn);
    position.play_unchecked(first.expect("e4"));
    for (language, typed) in [
        (
            "de",
            &[
                "er spielt e5",
                "schwarz e5",
                "e5 bitte",
                "Schwarz spielt Bauer e5",
                "äh, e5",
                "\u{200f}e5\u{200f}",
            ][..],
        ),
        ("en", &["he plays e5", "Black e5", "e5 please", "my opponent plays e5"]),
        ("es", &["negras e5", "juega e5", "e5 por favor"]),
        ("fr", &["il joue e5", "les Noirs jouent e5", "e5 s'il te plaît"]),
        ("lt", &["jis paėjo e5", "juodieji e5", "e5 prašau"]),
        ("pl", &["czarne e5", "on gra e5", "e5 proszę"]),
        ("ru", &["он сыграл e5", "чёрные е5", "е5 пожалуйста"]),
    ] {
        let words = Words::builtin(language, language).expect("packs");
        let in_force = InForce::of(&words);
        for typed in typed {
            let read = in_force.read_told(&position, typed).map(|read| read.mv.to());
            assert_eq!(read, Ok(Square::E5), "{language}: {typed}");
        }
    }
    let german = Words::builtin("de", "de").expect("packs");
    for typed in ["Weiß e5", "er spielt nicht e5", "bitte"] {
        let read = InForce::of(&german).read_told(&position, typed);
        assert!(matches!(read, Err(NotationError::Unreadable { .. })), "{typed}: {read:?}");
    }
}
