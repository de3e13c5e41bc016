//! Moves as people type them: what is plainly one is taken, what may be one is asked about.

use annabella_core::game::{GameConfig, HandsKnown, HandsOf};
use shakmaty::Color::White;

use super::table::Table;

fn config() -> GameConfig {
    let hands = HandsOf { white: HandsKnown::Announced, ..HandsOf::default() };
    GameConfig { hands, ..GameConfig::default() }
}

/// White's hands are known by his word.
fn table() -> Table {
    let mut table = Table::new(config());
    table.start_clock();
    table.heard();
    table
}

/// What the first line of a game comes to: the move made, or what is said.
fn first(typed: &str) -> Vec<String> {
    let mut table = table();
    table.says(White, typed);
    let lines = table.heard();
    lines.into_iter().filter(|line| line.starts_with("made") || line.contains("ear:")).collect()
}

#[test]
fn a_move_is_taken_as_people_type_it() {
    for (typed, made) in [
        ("E4", "made e4"),
        ("SF3", "made Nf3"),
        ("Sg1-F3", "made Nf3"),
        ("SG1-F3", "made Nf3"),
        ("Sf3.", "made Nf3"),
        ("e4.", "made e4"),
        ("e2 e4", "made e4"),
        ("e 2 e 4", "made e4"),
        ("E2 E4", "made e4"),
        ("S g1 f3", "made Nf3"),
        ("1 . e4", "made e4"),
        ("Pferd f3", "made Nf3"),
        ("Pferd Felix drei", "made Nf3"),
        ("ich spiele Springer f3", "made Nf3"),
        ("ich spiele Sf3", "made Nf3"),
        ("mein Zug ist e4", "made e4"),
        ("Mein Zug: e 2 e 4.", "made e4"),
    ] {
        assert_eq!(first(typed), [made], "{typed}");
    }
}

#[test]
fn letters_that_name_a_piece_in_the_players_own_language_make_no_pawns_move() {
    let italian = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    for (typed, asked) in [
        ("Bc4", "Bauer Cesar zwei Cesar vier, or Läufer Felix eins Cesar vier?"),
        ("Bd3", "Bauer David zwei David drei, or Läufer Felix eins David drei?"),
    ] {
        let start = Some(italian.to_owned());
        let mut table = Table::prompted_in_english(GameConfig { start, ..config() });
        table.start_clock();
        table.heard();
        table.says(White, typed);
        assert_eq!(table.heard(), [format!("ear: {asked}")], "{typed}");
        assert!(table.sans().is_empty());
        table.says(White, "Läufer");
        assert_eq!(table.sans(), [typed]);
    }
    // In German letters, prompted in German, it is a pawn's move as ever.
    let start = Some(italian.to_owned());
    let mut table = Table::new(GameConfig { start, ..config() });
    table.start_clock();
    table.says(White, "Bc4");
    assert_eq!(table.sans(), ["c4"]);
}

#[test]
fn what_may_be_a_move_is_asked_about_and_not_made() {
    for typed in
        ["Nf3", "Ng1-f3", "NF3", "Spinger f3", "Springr Felix drei", "ich spiele Spinger f3"]
    {
        let mut table = table();
        table.says(White, typed);
        assert_eq!(table.heard(), ["ear: Springer Gustav eins Felix drei?"], "{typed}");
        table.says(White, "nein");
        assert!(!table.heard().iter().any(|line| line.starts_with("made")), "{typed}");
        table.says(White, typed);
        table.says(White, "ja");
        assert!(table.heard().contains(&"made Nf3".to_owned()), "{typed}");
    }
}

/// A capital D is the queen's letter or a file: what only one of them can be is asked about.
#[test]
fn a_capital_that_can_be_read_in_two_ways_is_asked_about() {
    for (fen, asked) in [
        ("4k3/8/8/8/2p5/3P4/8/4K2Q w - - 0 1", "ear: Bauer David drei schlägt Cesar vier?"),
        (
            "4k3/8/8/8/2p5/3P4/8/2Q1K3 w - - 0 1",
            "ear: Dame Cesar eins schlägt Cesar vier oder Bauer David drei schlägt Cesar vier?",
        ),
    ] {
        let mut table = Table::at(fen, config());
        table.start_clock();
        table.heard();
        table.says(White, "DC4");
        assert_eq!(table.heard(), [asked]);
    }
}

#[test]
fn an_illegal_move_in_notation_is_named_as_one_in_words_is() {
    for (typed, named) in [
        ("Se5", "Springer Eva fünf"),
        ("SE5", "Springer Eva fünf"),
        ("Springer e5", "Springer Eva fünf"),
        ("e5", "Bauer Eva fünf"),
        ("e2-e5", "Bauer Eva zwei Eva fünf"),
        ("e2 e5", "Bauer Eva zwei Eva fünf"),
        ("e5-e6", "Eva fünf Eva sechs"),
        ("O-O", "Kurze Rochade"),
        ("0-0-0", "Lange Rochade"),
        ("Lc4.", "Läufer Cesar vier"),
        ("mein Zug ist Se5", "Springer Eva fünf"),
        ("Korrektur Se5", "Springer Eva fünf"),
    ] {
        assert_eq!(first(typed), [format!("ear: Nicht möglich: {named}.")], "{typed}");
    }
    for noise in
        ["e9", "Sz3", "Regenschirm", "ich spiele Klavier", "ich spiele gern", "mein Zug fährt"]
    {
        assert_eq!(first(noise), ["ear: Bitte?"], "{noise}");
    }
}
