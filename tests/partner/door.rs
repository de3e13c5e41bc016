//! The door for programs: what it tells and takes, and whom it refuses.

use annabella_core::game::{GameConfig, Input, PageRole};
use serde_json::Value;
use shakmaty::Color;

use crate::{
    at_table::{ODD, Partner, at_home, files, write_code},
    hall::{Browser, Hall, Reply, two_boards},
    patience::until,
};

fn plays(browser: &mut Browser, fields: &[(&str, &str)]) -> Reply {
    let origin = format!("Origin: http://{}\r\nAccept: application/json\r\n", browser.address);
    browser.post_with("/play", &origin, fields)
}

fn good(reply: &Reply) -> bool {
    serde_json::from_str::<Value>(&reply.body).expect("JSON")["good"] == true
}

/// The table as a program sees it first.
fn table(hall: &Hall, browser: &Browser) -> Value {
    let mut stream = std::net::TcpStream::connect(hall.address).expect("a connection");
    let head = format!(
        "GET /play HTTP/1.1\r\nHost: {}\r\n{}\r\n",
        browser.address,
        browser.cookie_header()
    );
    std::io::Write::write_all(&mut stream, head.as_bytes()).expect("sent");
    let lines = std::io::BufRead::lines(std::io::BufReader::new(stream)).map_while(Result::ok);
    let line = lines.into_iter().find(|line| line.starts_with('{')).expect("a table");
    serde_json::from_str(&line).expect("JSON")
}

#[test]
fn a_program_is_told_the_table_and_plays_by_forms() {
    let hall = Hall::of(at_home(Color::White), |_| {});
    let mut program = hall.as_("assistant");
    let told = table(&hall, &program);
    let game = &told["game"];
    assert_eq!(game["seat"], "black");
    assert_eq!((&game["running"], &game["to_move"]), (&"white".into(), &"white".into()));
    assert_eq!(game["moves"], Value::Array(Vec::new()));
    let white = |text: &str| Input::Said { seat: Some(Color::White), heard: vec![text.into()] };
    hall.play().input(white("Bauer Eva zwei Eva vier")).expect("legal");
    hall.play().input(Input::Pressed { seat: Color::White }).expect("made");
    let told = table(&hall, &program);
    assert_eq!((&told["game"]["played"], &told["game"]["running"]), (&1.into(), &"black".into()));
    assert!(good(&plays(&mut program, &[("act", "played"), ("seat", "black"), ("ply", "1")])));
    assert_eq!(table(&hall, &program)["game"]["played"], Value::Null);
    // A move that cannot be, one for another position, one that can.
    let mv =
        |plies: &'static str, uci: &'static str| [("act", "move"), ("plies", plies), ("move", uci)];
    let refused = plays(&mut program, &mv("1", "e7e4"));
    assert_eq!((refused.status, good(&refused)), (409, false), "{}", refused.body);
    assert!(!good(&plays(&mut program, &mv("0", "e7e5"))));
    assert!(good(&plays(&mut program, &mv("1", "e7e5"))));
    assert_eq!(table(&hall, &program)["game"]["press"], "black");
    assert!(good(&plays(&mut program, &[("act", "press"), ("seat", "black")])));
    let offers = [("act", "says"), ("seat", "black"), ("word", "offers-draw"), ("sure", "yes")];
    assert!(good(&plays(&mut program, &offers)));
    assert_eq!(table(&hall, &program)["game"]["offered"], "black");
    let remark = [("act", "says"), ("word", "remarks"), ("text", "Guten Abend.")];
    assert!(good(&plays(&mut program, &remark)));
    let resigns = [("act", "says"), ("seat", "black"), ("word", "resigns"), ("sure", "yes")];
    assert!(good(&plays(&mut program, &resigns)));
    let result = &table(&hall, &program)["game"]["result"];
    assert_eq!((&result["result"], &result["article"]), (&"1-0".into(), &"5.1.2".into()));
    for input in &hall.play().from_pages {
        let Input::Page(entry) = input else { panic!("{input:?}") };
        assert_eq!((entry.role, entry.by.as_str()), (PageRole::Program, "A. Weber"));
    }
}

#[test]
fn what_is_no_players_affair_is_refused_to_a_program() {
    let hall = Hall::of(at_home(Color::White), |_| {});
    let mut program = hall.as_("assistant");
    for fields in [
        &[("act", "call"), ("reason", "help")][..],
        &[("act", "score"), ("seat", "white"), ("text", "1. e4")],
        &[("act", "corrected"), ("seat", "white")],
        &[("act", "seal"), ("sealed", "e4"), ("again", "e4")],
        &[("act", "declare"), ("result", "0-1")],
        &[("act", "says"), ("seat", "white"), ("word", "resigns"), ("sure", "yes")],
        &[("act", "says"), ("word", "remarks"), ("text", "")],
        &[],
    ] {
        let reply = plays(&mut program, fields);
        assert_eq!((reply.status, good(&reply)), (409, false), "{fields:?}: {}", reply.body);
    }
    assert_eq!(hall.play().from_pages, []);
    // Nobody else comes in here: a display, an arbiter, somebody without a code.
    for mut other in [hall.as_("display"), hall.as_("arbiter"), hall.browser()] {
        assert_eq!(plays(&mut other, &[("act", "press"), ("seat", "black")]).status, 401);
        assert_eq!(other.get("/play").status, 401);
    }
}

#[test]
fn in_a_tournaments_game_no_program_plays() {
    let config = GameConfig { at_home: false, ..at_home(Color::White) };
    let hall = Hall::of(config, |_| {});
    let mut program = hall.as_("assistant");
    let line = "no program plays in a tournament's game (11.3)";
    for reply in [program.get("/play"), plays(&mut program, &[("act", "press"), ("seat", "black")])]
    {
        assert_eq!(reply.status, 403);
        assert!(reply.has(line), "{}", reply.body);
    }
    assert!(hall.complaints().iter().any(|line| line.contains("a program in a tournament's game")));
    // What the partner says, and how it ends.
    let folder = tempfile::tempdir().expect("a folder");
    let (door, _) = files(folder.path());
    write_code(&hall, hall.address, &door);
    let (code, said) = Partner::joins(&door, &[ODD], &[]).leaves();
    assert_eq!(code, Some(1));
    assert_eq!(said, format!("annabella-partner: {line}\n"));
    assert_eq!(hall.play().from_pages, []);
}

#[test]
fn the_game_itself_refuses_a_programs_entry_that_is_no_game_at_home() {
    let hall = Hall::of(two_boards(), |_| {});
    let act = annabella_core::game::PageAct::Pressed { seat: Color::Black };
    let entry = annabella_core::game::PageEntry { act, role: PageRole::Program, by: String::new() };
    let refused = hall.play().input(Input::Page(Box::new(entry))).expect_err("11.3");
    assert_eq!(refused.article.to_string(), "11.3");
}

#[test]
fn a_partner_whose_service_begins_anew_comes_in_with_the_new_code() {
    let mut hall = Hall::of(at_home(Color::Black), |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let (door, _) = files(folder.path());
    // The partner may be there first.
    let partner = Partner::joins(&door, &[ODD, "script=e2e4,d2d4"], &["--no-openings"]);
    write_code(&hall, hall.address, &door);
    until("the first move", || !hall.play().line().is_empty());
    // Without a file for its key the service knows no session of before.
    hall.drop_pages(std::time::Duration::from_millis(300));
    write_code(&hall, hall.address, &door);
    until("the move is completed", || {
        let play = hall.play();
        play.game.record().is_some_and(|record| record.line[0].completed.is_some())
    });
    let black = |text: &str| Input::Said { seat: Some(Color::Black), heard: vec![text.into()] };
    hall.play().input(black("Bauer Eva sieben Eva fünf")).expect("legal");
    hall.play().input(Input::Pressed { seat: Color::Black }).expect("made");
    until("the third move", || hall.play().line().len() == 3);
    assert_eq!(hall.play().line(), ["e4", "e5", "d4"]);
    drop(partner);
}

#[test]
fn the_clock_and_the_end_far_away_are_told_by_a_program_at_home_alone() {
    use annabella_core::{
        game::{ClockRead, Outcome, PageAct, PageEntry, Running},
        laws::Article,
    };
    let config = GameConfig { time_control: "15+10".to_owned(), ..at_home(Color::White) };
    let hall = Hall::of(config, |_| {});
    let mut program = hall.as_("assistant");
    let clock = |white: &'static str, black, running| {
        [("act", "clock"), ("white_ms", white), ("black_ms", black), ("running", running)]
    };
    for wrong in [clock("-1", "5", "white"), clock("", "5", ""), clock("1", "5", "green")] {
        assert_eq!(plays(&mut program, &wrong).status, 409, "{wrong:?}");
    }
    assert!(good(&plays(&mut program, &clock("61000", "99999999999999", "white"))));
    let told = table(&hall, &program);
    assert!((60_000..=61_000).contains(&told["game"]["white_ms"].as_u64().expect("ms")));
    assert_eq!(told["game"]["black_ms"], 360_000_000, "no longer than any time control");
    // His time is over here, and only there it counts.
    hall.play().wait(70_000);
    assert_eq!(table(&hall, &program)["game"]["result"], Value::Null);
    // A clock that was stopped here runs there.
    let stop = Input::Said { seat: Some(Color::White), heard: vec!["Uhr anhalten".to_owned()] };
    let _ = hall.play().input(stop);
    assert!(good(&plays(&mut program, &clock("50000", "40000", "white"))));
    assert_eq!(table(&hall, &program)["game"]["running"], "white");
    assert!(good(&plays(&mut program, &[("act", "tells"), ("text", "Die Leitung steht.")])));
    let ends = |result: &'static str, article| {
        [("act", "ends"), ("result", result), ("article", article), ("text", "there: resign")]
    };
    assert!(!good(&plays(&mut program, &ends("1-1", "5.1.2"))));
    assert!(!good(&plays(&mut program, &ends("1-0", "99.9"))));
    // Nobody at the board makes these entries, and no program in a tournament's game.
    let read =
        ClockRead { white_ms: (1, 1), black_ms: (1, 1), running: Running::White, fallen: None };
    let ended = PageAct::Ended {
        result: Outcome::WhiteWins,
        article: Article::A5_1_2,
        reason: String::new(),
    };
    let tournament = Hall::of(GameConfig { at_home: false, ..at_home(Color::White) }, |_| {});
    for act in [
        PageAct::Clock(read),
        PageAct::RunClocks { run: false },
        PageAct::GoBack { plies: 0, knows: 0 },
        ended,
        PageAct::Tells { text: "x".to_owned() },
    ] {
        for (hall, role) in [
            (&hall, PageRole::Assistant),
            (&hall, PageRole::Arbiter),
            (&tournament, PageRole::Program),
            (&tournament, PageRole::Assistant),
        ] {
            let entry = PageEntry { act: act.clone(), role, by: "x".to_owned() };
            let refused = hall.play().input(Input::Page(Box::new(entry))).expect_err("refused");
            assert_eq!(refused.article, Article::A11_3, "{act:?} {role:?}");
        }
    }
    assert!(good(&plays(&mut program, &ends("1-0", "5.1.2"))));
    let result = table(&hall, &program)["game"]["result"].clone();
    assert_eq!((&result["result"], &result["article"]), (&"1-0".into(), &"5.1.2".into()));
    // What is over stays as it is.
    assert_eq!(plays(&mut program, &ends("0-1", "5.1.2")).status, 409);
    assert_eq!(plays(&mut program, &clock("1", "1", "white")).status, 409);
}
