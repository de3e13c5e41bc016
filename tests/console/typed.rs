//! What is typed on a page as it is heard: moves in words, in every field that takes a move and in
//! every language.

use annabella_core::game::{ArbiterAct, Input, PageAct, PlayerWord};
use shakmaty::Color;

use crate::hall::{Browser, Hall};

/// A language, and three of Black's moves after 1. e4 in its words: in full and in capitals; a
/// capture; with a square as it is written.
const SAID: [(&str, [&str; 3]); 7] = [
    ("de", ["SPRINGER GUSTAV ACHT FELIX SECHS", "Springer nimmt e4", "Bauer auf d5"]),
    ("en", ["KNIGHT GUSTAV EIGHT FELIX SIX", "knight captures e4", "pawn to d5"]),
    ("fr", ["CAVALIER GUSTAVE HUIT FÉLIX SIX", "cavalier prend e4", "pion vers d5"]),
    ("es", ["CABALLO GUSTAVO OCHO FÉLIX SEIS", "caballo come e4", "peón a d5"]),
    ("pl", ["SKOCZEK GUSTAW OSIEM FELIKS SZEŚĆ", "skoczek bije e4", "pion na d5"]),
    ("lt", ["ŽIRGAS GUSTAVAS AŠTUONI FELIKSAS ŠEŠI", "žirgas kerta e4", "pėstininkas į d5"]),
    // The letter before the digit is a Russian keyboard's.
    ("ru", ["КОНЬ ГУСТАВ ВОСЕМЬ ФЕЛИКС ШЕСТЬ", "конь бьёт е4", "пешка на d5"]),
];

/// A page in this language.
fn page_in(hall: &Hall, role: &str, language: &str) -> Browser {
    let mut browser = hall.as_(role);
    browser.post("/language", &[("language", language)]);
    browser
}

fn enters(assistant: &mut Browser, plies: &str, typed: &str) {
    assistant.acts(&[("act", "move"), ("plies", plies), ("move", typed)]);
}

/// Black presses, and White carries his move out.
fn carried_over(hall: &Hall) {
    let mut play = hall.play();
    play.input(Input::Pressed { seat: Color::Black }).expect("pressed");
    play.copy_on_pegs();
}

#[test]
fn the_assistant_types_a_move_as_he_hears_it_in_his_language_or_the_laws_words() {
    for (language, said) in SAID {
        let hall = Hall::new();
        let mut assistant = page_in(&hall, "assistant", language);
        hall.play().white("e4");
        enters(&mut assistant, "1", said[0]);
        assert_eq!(hall.play().line(), ["e4", "Nf6"], "{language}: {}", said[0]);
        carried_over(&hall);
        hall.play().white("h3");
        enters(&mut assistant, "3", said[1]);
        assert_eq!(hall.play().line()[3..], ["Nxe4"], "{language}: {}", said[1]);
        carried_over(&hall);
        hall.play().white("a3");
        enters(&mut assistant, "5", said[2]);
        assert_eq!(hall.play().line()[5..], ["d5"], "{language}: {}", said[2]);
        // What every page's reader hears are the words of the Laws.
        carried_over(&hall);
        hall.play().white("a4");
        enters(&mut assistant, "7", "Läufer Cesar acht Felix fünf");
        assert_eq!(hall.play().line()[7..], ["Bf5"], "{language}");
    }
}

/// What the terminal at the board takes, his page takes too.
#[test]
fn the_assistant_may_tell_a_move_as_people_do() {
    let hall = Hall::new();
    let mut assistant = page_in(&hall, "assistant", "de");
    hall.play().white("e4");
    for (typed, answer) in [
        ("Pferd h4", "„Pferd h4“ ist hier nicht möglich."),
        ("ich spiele Sh4", "„ich spiele Sh4“ ist hier nicht möglich."),
        ("ich spiele gut", "„ich spiele gut“ ist keine Zugschrift."),
    ] {
        let page = assistant.acts(&[("act", "move"), ("plies", "1"), ("move", typed)]);
        assert!(page.has(answer), "{typed}: {}", page.body);
    }
    enters(&mut assistant, "1", "Pferd f6");
    assert_eq!(hall.play().line(), ["e4", "Nf6"]);
    carried_over(&hall);
    hall.play().white("h3");
    enters(&mut assistant, "3", "mein Zug ist e5");
    assert_eq!(hall.play().line()[3..], ["e5"]);
}

#[test]
fn what_is_said_in_words_and_not_possible_is_refused_as_in_notation() {
    let hall = Hall::new();
    let mut assistant = page_in(&hall, "assistant", "de");
    hall.play().white("e4");
    for (typed, answer) in [
        ("Dame Hector vier", "„Dame Hector vier“ ist hier nicht möglich."),
        ("Springer", "„Springer“ ist keine Zugschrift."),
        ("Springer Gustav", "„Springer Gustav“ ist keine Zugschrift."),
    ] {
        let page = assistant.acts(&[("act", "move"), ("plies", "1"), ("move", typed)]);
        assert!(page.has(answer), "{typed}: {}", page.body);
    }
    assert_eq!(hall.play().line(), ["e4"]);
    // The log has the reason in words, and no position of the program's own.
    let complaints = hall.complaints();
    assert!(complaints.iter().any(|line| line.ends_with("'Dame Hector vier' is not legal here.")));
    assert!(complaints.iter().all(|line| !line.contains(['{', '[', '"'])), "{complaints:?}");
}

#[test]
fn every_field_for_a_move_takes_it_in_words_in_every_language() {
    for (language, [said, ..]) in SAID {
        let hall = Hall::new();
        let mut arbiter = page_in(&hall, "arbiter", language);
        let mut assistant = page_in(&hall, "assistant", language);
        hall.play().white("e4");
        let last = || hall.play().from_pages.last().cloned().expect("an input");

        let claims = [("act", "says"), ("seat", "black"), ("word", "claims-draw"), ("sure", "yes")];
        assistant.acts(&[&claims[..], &[("by", "repetition"), ("move", said)]].concat());
        let intended = match last() {
            Input::Page(entry) => match entry.act {
                PageAct::Says { word: PlayerWord::ClaimsRepetition { intended }, .. } => intended,
                _ => None,
            },
            _ => None,
        };
        assert_eq!(intended.as_deref(), Some("g8f6"), "{language}: a claim with {said}");

        arbiter.acts(&[("act", "accept-move"), ("move", said), ("reason", "seen")]);
        let accepted = match last() {
            Input::Arbiter(ruling) => match ruling.act {
                ArbiterAct::AcceptMove { uci } => Some(uci),
                _ => None,
            },
            _ => None,
        };
        assert_eq!(accepted.as_deref(), Some("g8f6"), "{language}: accepted as {said}");
    }
}

#[test]
fn a_move_is_sealed_in_words_of_any_page_so_that_any_board_opens_it() {
    for (language, [said, ..]) in SAID {
        let hall = Hall::new();
        let (mut arbiter, mut assistant) =
            (hall.as_("arbiter"), page_in(&hall, "assistant", language));
        hall.play().white("e4");
        arbiter.acts(&[("act", "ask-to-seal")]);
        assistant.acts(&[("act", "seal"), ("sealed", said), ("again", said)]);
        let last = hall.play().from_pages.last().cloned();
        let Some(Input::Typed { seat, text, .. }) = last else { panic!("{language}: {last:?}") };
        assert_eq!((seat, text.0.as_str()), (Color::Black, "g8f6"), "{language}");
    }
}

#[test]
fn a_score_may_be_handed_in_in_words_one_move_on_a_line() {
    let hall = Hall::new();
    hall.play().moves(&["e4", "e5", "Nf3", "Nc6"]);
    let mut assistant = page_in(&hall, "assistant", "de");
    let text = "1. Bauer Eva zwei Eva vier\nBauer Eva sieben Eva fünf\n2. Springer auf f3, Springer Bella acht nach Cesar sechs";
    let page = assistant.acts(&[("act", "score"), ("seat", "black"), ("text", text)]);
    assert!(page.has("Erledigt."), "{}", page.body);
    let mut arbiter = hall.as_("arbiter");
    let page = arbiter.get("/arbiter");
    assert!(page.has("Springer auf f3") && !page.has("first difference"), "{}", page.body);
    // Another move in words is a difference, as it would be in notation.
    let text =
        "Bauer Eva zwei Eva vier\nBauer Eva sieben Eva fünf\nSpringer Gustav eins Hector drei";
    assistant.acts(&[("act", "score"), ("seat", "black"), ("text", text)]);
    let page = arbiter.get("/arbiter");
    assert!(page.has("The scores differ at move 2."), "{}", page.body);
}
