//! Whole games against a partner: with Stockfish, and with an engine that does what it is told to.

use shakmaty::Color;

use crate::{
    at_table::{Habits, ODD, at_home, whole_game},
    skip::skipped,
};

/// Stockfish, where it is installed.
fn stockfish() -> Option<String> {
    let path = annabella_partner::home::program("stockfish");
    if path.is_file() {
        return Some(path.display().to_string());
    }
    skipped("stockfish", "no game is played against a real engine: apt-get install stockfish");
    None
}

#[test]
fn against_stockfish_a_beginner_is_given_mate_in_either_colour() {
    let Some(stockfish) = stockfish() else { return };
    for (seed, blind) in [(1, Color::White), (2, Color::Black)] {
        let habits = Habits { offers: 10, ..Habits::default() };
        let engine = [stockfish.as_str()];
        let (result, article, moves) =
            whole_game(at_home(blind), seed, habits, &engine, &["--level", "5"]);
        let won = blind.fold_wb("0-1", "1-0");
        assert_eq!((result.as_str(), article.as_str()), (won, "5.1.1"), "{moves:?}");
    }
}

#[test]
fn a_lost_partner_resigns_and_a_beginner_plays_on() {
    let lost = [ODD, "cp=-2000"];
    let moves = |level| {
        whole_game(
            at_home(Color::White),
            3,
            Habits { tires: Some(60), ..Habits::default() },
            &lost,
            &["--level", level, "--no-openings"],
        )
    };
    let (result, article, played) = moves("4");
    assert_eq!((result.as_str(), article.as_str()), ("1-0", "5.1.2"));
    // The fourth lost move of Black is not made any more.
    assert_eq!(played.len(), 7);
    let (result, article, played) = moves("3");
    assert_eq!((result.as_str(), article.as_str(), played.len()), ("0-1", "5.1.2", 60));
}

#[test]
fn a_draw_is_offered_and_taken_from_either_side() {
    let even = [ODD, "cp=0"];
    // The partner offers after an even game has gone on for long.
    let habits = Habits { agrees: true, ..Habits::default() };
    let (result, article, played) = whole_game(at_home(Color::White), 11, habits, &even, &[]);
    assert_eq!((result.as_str(), article.as_str()), ("1/2-1/2", "5.2.3"), "{played:?}");
    assert!(played.len() >= 60, "{}", played.len());
    // He takes one where he has nothing better.
    let habits = Habits { offers: 100, ..Habits::default() };
    let (result, article, played) = whole_game(at_home(Color::Black), 5, habits, &even, &[]);
    assert_eq!((result.as_str(), article.as_str()), ("1/2-1/2", "5.2.3"));
    assert!((40..44).contains(&played.len()), "{}", played.len());
    // And not where he stands better.
    let better = [ODD, "cp=300"];
    let habits = Habits { offers: 100, tires: Some(50), ..Habits::default() };
    let (result, _, played) = whole_game(at_home(Color::White), 6, habits, &better, &[]);
    // His judgement is for the side to move: after White's move it is Black's.
    assert_eq!((result.as_str(), played.len()), ("0-1", 50));
}

#[test]
fn a_partner_claims_a_draw_that_stands_for_the_third_time() {
    // Both go to and fro: the player by chance would not, so he plays what he has announced.
    let engine = [ODD, "cp=0", "script=g8f6,f6g8,g8f6,f6g8,g8f6,f6g8"];
    let config = at_home(Color::White);
    let hall = crate::hall::Hall::of(config, |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let (door, score) = crate::at_table::files(folder.path());
    crate::at_table::write_code(&hall, hall.address, &door);
    let score_text = score.display().to_string();
    let more = ["--games", "1", "--no-openings", "--score", &score_text];
    let partner = crate::at_table::Partner::joins(&door, &engine, &more);
    let words = ["Springer Gustav eins Felix drei", "Springer Felix drei Gustav eins"];
    for n in 0.. {
        crate::patience::until("White's turn", || {
            let play = hall.play();
            let record = play.game.record().expect("a game");
            play.game.ended().is_some()
                || (record.line.len() == 2 * n
                    && record.line.last().is_none_or(|ply| ply.completed.is_some()))
        });
        let mut play = hall.play();
        if play.game.ended().is_some() {
            break;
        }
        let seat = Color::White;
        let said = annabella_core::game::Input::Said {
            seat: Some(seat),
            heard: vec![words[n % 2].to_owned()],
        };
        play.input(said).expect("legal");
        play.input(annabella_core::game::Input::Pressed { seat }).expect("made");
    }
    assert_eq!(partner.leaves(), (Some(0), String::new()));
    crate::at_table::assert_same_record(&hall, &score);
    let play = hall.play();
    let ended = play.game.ended().expect("over");
    assert_eq!((ended.result.as_str(), ended.article.to_string().as_str()), ("1/2-1/2", "9.2"));
    assert_eq!(play.line().len(), 7, "with the move that he intends (9.2.1)");
}

#[test]
fn a_partner_claims_the_game_when_the_players_time_is_over() {
    let config =
        annabella_core::game::GameConfig { time_control: "1".to_owned(), ..at_home(Color::Black) };
    let hall = crate::hall::Hall::of(config, |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let (door, score) = crate::at_table::files(folder.path());
    crate::at_table::write_code(&hall, hall.address, &door);
    let score_text = score.display().to_string();
    let more = ["--games", "1", "--score", &score_text];
    let partner = crate::at_table::Partner::joins(&door, &[ODD], &more);
    // He has moved, and Black does not.
    crate::patience::until("Black's time runs", || {
        let play = hall.play();
        play.game
            .record()
            .is_some_and(|record| record.line.first().is_some_and(|ply| ply.completed.is_some()))
    });
    hall.play().wait(61_000);
    assert_eq!(partner.leaves(), (Some(0), String::new()));
    let play = hall.play();
    let ended = play.game.ended().expect("over");
    assert_eq!((ended.result.as_str(), ended.article.to_string().as_str()), ("1-0", "6.9"));
}
