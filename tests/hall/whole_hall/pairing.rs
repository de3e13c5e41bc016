//! Boards that take names, time control and language from the hall's pairings.

use annabella_hall::{
    pairing::{at, publish},
    round::Pair,
};

use super::*;

fn pair(board: u32, white: &str, black: &str) -> Pair {
    Pair { board, white: white.to_owned(), black: black.to_owned(), ..Pair::default() }
}

fn paired(url: &str, pairs: &[Pair]) {
    now(async {
        let link = Link::open(url, None, "test").await.expect("a line");
        publish(&link, &place(1).event, pairs).await.expect("published");
    });
}

fn at_board(url: &str, board: u32) -> Result<Option<Pair>, HallError> {
    now(async { at(&Link::open(url, None, "test").await?, &place(board)).await })
}

#[test]
fn a_board_greets_its_players_by_the_names_of_the_pairings() {
    let Some((_hall, server, _)) = hall() else { return };
    let board = folder();
    let url = server.url();
    let long = "x".repeat(500);
    let french = Pair {
        time_control: Some("15+10".to_owned()),
        white_prompts: Some("fr".to_owned()),
        ..pair(17, "Müller,\u{7} Anna", &long)
    };
    paired(&url, &[pair(16, "C", "D"), french]);
    let path =
        config(board.path(), &format!("[hall]\nurl = \"{url}\"\nevent = \"test\"\nboard = 17\n"));
    let play = Play::start(&path);
    let greeting = play.until("a greeting", |line| line["say"]["text"].is_string());
    let text = greeting["say"]["text"].as_str().expect("text");
    assert!(text.starts_with("Échiquier dix-sept. Blancs: Müller, Anna. Noirs: xxx"), "{text}");
    assert!(text.len() < 200, "{text}");
    let mut floor = Floor::new();
    until("the game is in the hall", || {
        stream(&url, 17).iter().for_each(|row| floor.row(row, 0));
        !floor.stands(0).is_empty()
    });
    let game = floor.stands(0)[0].game.clone().expect("a game");
    assert_eq!(game.white, "Müller, Anna");
    assert_eq!(game.clock.0, 15 * 60 * 1_000 + 10_000);
    assert_eq!(play.end().status.code(), Some(0));
}

#[test]
fn what_the_configuration_says_stands_and_a_game_that_goes_on_keeps_its_names() {
    let Some((_hall, server, _)) = hall() else { return };
    let board = folder();
    let url = server.url();
    paired(&url, &[Pair { time_control: Some("15+10".to_owned()), ..pair(17, "Anna", "Berta") }]);
    let section = format!("[hall]\nurl = \"{url}\"\nevent = \"test\"\nboard = 17\n");
    let own = "[game]\nwhite = \"Clara\"\nblack = \"Dora\"\ntime_control = \"3+2\"\n";
    let path = config(board.path(), &format!("{section}{own}"));
    let mut play = Play::start(&path);
    play.until("a greeting", |line| {
        line["say"]["text"] == "Brett siebzehn. Weiß: Clara. Schwarz: Dora."
    });
    // And she herself, in her ear, whom she plays.
    let told = play.until("whom she plays", |line| {
        line["say"]["text"] == "Du hast Weiß. Du spielst gegen Dora."
    });
    assert_eq!(told["say"]["channel"], "private", "{told}");
    play.moves("g1", "f3");
    play.until_move("g1f3", "made");
    play.kill();
    paired(&url, &[pair(17, "Eva", "Frieda")]);
    let play = Play::start(&path);
    assert_eq!(play.spoken_within(Duration::from_secs(4)), None, "nobody is greeted twice");
    let mut floor = Floor::new();
    stream(&url, 17).iter().for_each(|row| floor.row(row, 0));
    assert_eq!(floor.stands(0)[0].game.as_ref().expect("a game").white, "Clara");
}

#[test]
fn a_round_replaces_the_one_before_and_without_one_nobody_is_paired() {
    if !has_server() {
        return;
    }
    let hall = folder();
    let (server, _) = server(hall.path());
    let url = server.url();
    assert_eq!(at_board(&url, 1).expect("asked"), None);
    paired(&url, &[pair(1, "A", "B"), pair(2, "C", "D")]);
    assert_eq!(at_board(&url, 2).expect("asked"), Some(pair(2, "C", "D")));
    paired(&url, &[pair(1, "C", "A")]);
    assert_eq!(at_board(&url, 1).expect("asked"), Some(pair(1, "C", "A")));
    assert_eq!(at_board(&url, 2).expect("asked"), None);
    // Anything else in its place is no pairing.
    now(async {
        let link = Link::open(&url, None, "test").await.expect("a line");
        let subject = place(1).event.pairing(1);
        link.client().publish(subject, "{\"board\":".into()).await.expect("sent");
        link.client().flush().await.expect("sent");
    });
    until("it is refused", || matches!(at_board(&url, 1), Err(HallError::Foreign { .. })));
}

#[test]
fn a_board_that_waits_in_its_lobby_takes_up_the_pairings_of_a_round() {
    let Some((_hall, server, _)) = hall() else { return };
    let board = folder();
    let url = server.url();
    let section = format!("[hall]\nurl = \"{url}\"\nevent = \"test\"\nboard = 17\n");
    let mut play = Play::start_with(&config(board.path(), &section), &["--setup"]);
    let hears = |play: &Play, text: &str| {
        play.until(text, |line| line["say"]["text"] == text);
    };
    let answers = |play: &mut Play, said: &str, text: &str| {
        play.send(&serde_json::json!({ "announce": said }).to_string());
        hears(play, text);
    };
    hears(&play, "Neue Partie. Du hast Weiß. Turnierpartie. Richtig so?");
    answers(&mut play, "Aufgaben", "Züge auf dem anderen Brett ausführen? Ja.");
    answers(&mut play, "nein", "Soll ich die Züge ansagen? Ja.");
    let rapid = |white: &str, black: &str| Pair {
        time_control: Some("15+10".to_owned()),
        ..pair(17, white, black)
    };
    paired(&url, &[pair(16, "C", "D"), rapid("Anna", "Berta")]);
    hears(&play, "Brett siebzehn. Weiß: Anna. Schwarz: Berta.");
    hears(&play, "Du hast Weiß. Du spielst gegen Berta.");
    hears(&play, "Du hast Weiß. Anna gegen Berta. Schnell. Richtig so?");
    // The same once more is no news; others are. What she has set stays.
    paired(&url, &[rapid("Anna", "Berta")]);
    paired(&url, &[rapid("Clara", "Dora")]);
    hears(&play, "Brett siebzehn. Weiß: Clara. Schwarz: Dora.");
    hears(&play, "Du hast Weiß. Clara gegen Dora. Schnell. Richtig so?");
    answers(&mut play, "Aufgaben", "Züge auf dem anderen Brett ausführen? Nein.");

    // Players of another language: all is opened anew in theirs.
    let french = Pair { white_prompts: Some("fr".to_owned()), ..rapid("Jeanne", "Luc") };
    paired(&url, &[french]);
    hears(&play, "Échiquier dix-sept. Blancs: Jeanne. Noirs: Luc.");
    hears(&play, "Nouvelle partie. Ta couleur: Les Blancs. Jeanne contre Luc. Rapide. C'est bon?");
    assert_eq!(play.end().status.code(), Some(0));
}

#[test]
fn pairings_change_no_game_that_has_begun_nor_the_question_about_an_old_one() {
    let Some((_hall, server, _)) = hall() else { return };
    let board = folder();
    let url = server.url();
    let section = format!("[hall]\nurl = \"{url}\"\nevent = \"test\"\nboard = 17\n");
    let path = config(board.path(), &section);
    paired(&url, &[pair(17, "Anna", "Berta")]);
    let mut play = Play::start_with(&path, &["--setup"]);
    let hears = |play: &Play, text: &str| {
        play.until(text, |line| line["say"]["text"] == text);
    };
    hears(&play, "Neue Partie. Du hast Weiß. Anna gegen Berta. Turnierpartie. Richtig so?");
    play.send(r#"{"announce":"Uhr starten"}"#);
    hears(&play, "Heb kurz den weißen Bauern von Eva zwei.");
    play.reed("e2", false);
    play.reed("e2", true);
    hears(&play, "Grundstellung. Alles bereit. Uhr starten?");
    play.send(r#"{"announce":"ja"}"#);
    play.until("White's clock", |line| line["clock"]["running"] == "white");
    paired(&url, &[pair(17, "Eva", "Frieda")]);
    assert_eq!(play.spoken_within(Duration::from_secs(2)), None, "nobody is disturbed");
    play.kill();

    let mut play = Play::start_with(&path, &["--setup"]);
    hears(&play, "Die Partie Anna gegen Berta ist nicht zu Ende. Weiterspielen?");
    assert_eq!(play.spoken_within(Duration::from_secs(2)), None, "she is asked, and that stands");
    play.send(r#"{"announce":"nein"}"#);
    hears(&play, "Brett siebzehn. Weiß: Eva. Schwarz: Frieda.");
    hears(&play, "Du hast Weiß. Eva gegen Frieda. Turnierpartie. Richtig so?");
    assert_eq!(play.end().status.code(), Some(0));
}
