//! What a player at home may ask of his partner: a move back, a hint, a judgement, and after the
//! end a better move.

use annabella_core::game::{DecidedBy, Input, PageAct, PlayerWord};
use shakmaty::Color;

use crate::{
    at_table::{ODD, Partner, at_home, files, write_code},
    hall::Hall,
    patience::until,
};

fn says(hall: &Hall, text: &str) {
    let said = Input::Said { seat: Some(Color::White), heard: vec![text.to_owned()] };
    hall.play().input(said).unwrap_or_else(|refused| panic!("{text}: {refused}"));
}

/// What the partner has said, as his entries in the journal have it.
fn said(hall: &Hall) -> Vec<PlayerWord> {
    let word = |input: &Input| match input {
        Input::Page(entry) => match &entry.act {
            PageAct::Says { word, .. } => Some(word.clone()),
            _ => None,
        },
        _ => None,
    };
    hall.play().from_pages.iter().filter_map(word).collect()
}

fn plies(hall: &Hall) -> usize {
    hall.play().game.record().expect("a game").line.len()
}

/// He plays e5 to e4, and from the start he would play d4.
fn sits(hall: &Hall, folder: &std::path::Path) -> Partner {
    let (door, _) = files(folder);
    write_code(hall, hall.address, &door);
    Partner::joins(&door, &[ODD, "script=d2d4/e7e5", "cp=100"], &["--no-openings"])
}

fn one_move_each(hall: &Hall) {
    says(hall, "Bauer Eva zwei Eva vier");
    hall.play().input(Input::Pressed { seat: Color::White }).expect("made");
    let replied = || {
        let play = hall.play();
        let line = play.game.record().expect("a game").line;
        line.len() == 2 && line[1].completed.is_some()
    };
    until("he has replied", replied);
}

#[test]
fn a_partner_gives_a_move_back_and_advises_when_he_is_asked() {
    let hall = Hall::of(at_home(Color::White), |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let _partner = sits(&hall, folder.path());
    one_move_each(&hall);
    assert_eq!(said(&hall), []);
    says(&hall, "Zug zurück");
    says(&hall, "ja");
    until("the move is taken back", || plies(&hall) == 0);
    assert_eq!(said(&hall), [PlayerWord::GrantsTakeBack]);
    for _ in 0..4 {
        says(&hall, "ausgeführt");
    }
    says(&hall, "Tipp");
    until("he advises", || said(&hall).len() == 2);
    assert_eq!(said(&hall)[1], PlayerWord::Advises { uci: "d2d4".to_owned() });
    says(&hall, "wie stehe ich");
    until("he judges", || said(&hall).len() == 3);
    let text = "Du stehst besser.".to_owned();
    assert_eq!(said(&hall)[2], PlayerWord::Answers { text });
    // The game goes on, and its record names who took back what.
    one_move_each(&hall);
    let play = hall.play();
    let record = play.game.record().expect("a game");
    assert_eq!(record.decisions[0].by, DecidedBy::Player(Color::White));
    let pgn = annabella_records::journal::views::pgn(&record);
    assert!(pgn.contains("White took back e4 e5"), "{pgn}");
}

#[test]
fn a_finished_game_is_gone_through_with_the_engines_better_moves() {
    let hall = Hall::of(at_home(Color::White), |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let _partner = sits(&hall, folder.path());
    one_move_each(&hall);
    says(&hall, "ich gebe auf");
    says(&hall, "ja");
    says(&hall, "Anfang");
    says(&hall, "weiter");
    until("he names a better one", || !said(&hall).is_empty());
    let better = PlayerWord::Comments { ply: 1, uci: "d2d4".to_owned() };
    assert_eq!(said(&hall), [better]);
}
