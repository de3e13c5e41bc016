//! A spare board in the place of a broken one.

use annabella_hall::takeover::take_over;
use annabella_records::journal::{Follower, KeptRow};

use super::*;

/// Takes the place of a board; answers the spare's journal.
fn taken(url: &str, board: u32, folder: &Path) -> Result<PathBuf, HallError> {
    now(async {
        let link = Link::open(url, None, "test").await?;
        Ok(take_over(&link, &place(board), folder).await?.journal)
    })
}

fn rows_of(journal: &Path) -> Vec<KeptRow> {
    let follower = Follower::open(journal).expect("opens");
    let game = follower.ends().expect("ends")[0].game;
    follower.rows(game, 1, 10_000).expect("rows")
}

#[test]
fn a_spare_goes_on_where_the_broken_board_was_and_that_one_is_shut_out() {
    let Some((_hall, server, _)) = hall() else { return };
    let (broken, spare) = (folder(), folder());
    let url = server.url();
    let section =
        |board: u32| format!("[hall]\nurl = \"{url}\"\nevent = \"test\"\nboard = {board}\n");
    let names = "[game]\nwhite = \"Anna\"\nblack = \"Berta\"\n";
    let broken_config = config(broken.path(), &format!("{}{names}", section(17)));
    let mut play = Play::start(&broken_config);
    play.send(r#"{"press":"black"}"#);
    play.until("White's clock", |line| line["clock"]["running"] == "white");
    play.moves("g1", "f3");
    play.until_move("g1f3", "made");
    let before = same(&url, 17, &broken.path().join("games.db"));
    play.kill();

    let spare_config = config(spare.path(), &section(900));
    let spare_play = Play::start_with(&spare_config, &["--take-over", "hall:17"]);
    // The arbiter reads to how many seconds the clocks are known.
    let mut uncertain = false;
    spare_play.until("a sentence", |line| {
        let text = line["problem"]["text"].as_str().unwrap_or_default();
        uncertain |= text.ends_with("the clocks stand as last written, known to 10 seconds");
        line["say"]["text"].is_string()
    });
    assert!(uncertain, "nothing is said of the clocks");
    let text = std::fs::read_to_string(&spare_config).expect("a configuration");
    assert!(text.contains("board = 17"), "{text}");
    let journal = annabella::config::Config::parse(&text, "a.toml").expect("right").journal.path;
    let rows = same(&url, 17, &journal);
    assert!(rows > before, "the spare sends its own rows");
    // What the broken board still wrote when it died, the hall had not: it is not played on from.
    let sums = |rows: Vec<KeptRow>| {
        rows.iter().take(before as usize).map(|row| row.sum).collect::<Vec<_>>()
    };
    assert_eq!(sums(rows_of(&journal)), sums(rows_of(&broken.path().join("games.db"))));
    assert!(stream(&url, 17).iter().all(|row| row.of.copy == 1), "the game goes on as it was");
    let mut floor = Floor::new();
    stream(&url, 17).iter().for_each(|row| floor.row(row, 0));
    let game = floor.stands(0)[0].game.clone().expect("a game");
    assert_eq!((game.white.as_str(), game.last.as_deref()), ("Anna", Some("1. Nf3")));

    // The broken one wakes.
    let woken = Play::start(&broken_config);
    woken.until("it says so", |line| {
        line["say"]["text"]
            == "Dieses Brett wurde übernommen. Die Partie geht an einem anderen Brett weiter. Ruf den Schiedsrichter."
    });
    std::thread::sleep(Duration::from_secs(1));
    let output = woken.end();
    let log = String::from_utf8_lossy(&output.stderr);
    assert!(log.contains("board 17 was taken over: the game goes on at another board"), "{log}");
    same(&url, 17, &journal);
    assert!(stream(&url, 17).iter().all(|row| row.of.copy == 1), "nothing came from it");
    assert_eq!(spare_play.end().status.code(), Some(0));
}

#[test]
fn a_board_that_plays_on_is_silent_from_then_on_and_can_take_its_place_back() {
    let Some((folder, server, _)) = hall() else { return };
    let url = server.url();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let (broken, lines) = wire(&url, 17, &path);
    same(&url, 17, &path);
    let spare = taken(&url, 17, folder.path()).expect("taken over");
    until("it is told", || broken.state().borrow().taken_over);
    journal.append(game, At::new(2), &Input::Woke).expect("kept");
    journal.begin(&started("Clara"), At::new(3)).expect("begun");
    let (first, _) = wire(&url, 17, &spare);
    let mut kept = Journal::open(&spare).expect("the spare's");
    kept.append(game, At::new(5), &Input::Resumed).expect("kept");
    assert_eq!(same(&url, 17, &spare), 2);
    std::thread::sleep(Duration::from_secs(2));
    assert_eq!(stream(&url, 17).len(), 2, "nothing comes from the broken one");
    assert!(lines.lock().expect("lines").last().expect("a line").contains("was taken over"));
    // Mended, it takes its place back, and the spare is shut out.
    let again = taken(&url, 17, folder.path()).expect("taken back");
    until("the spare is told", || first.state().borrow().taken_over);
    assert_eq!(rows_of(&again), rows_of(&spare));
    let (_second, _) = wire(&url, 17, &again);
    let mut mended = Journal::open(&again).expect("a journal");
    mended.append(game, At::new(9), &Input::Resumed).expect("kept");
    assert_eq!(same(&url, 17, &again), 3);
}

#[test]
fn where_nothing_was_played_nothing_is_taken_and_nobody_shut_out() {
    let Some((folder, server, _)) = hall() else { return };
    let nothing = taken(&server.url(), 17, folder.path()).expect_err("no game").to_string();
    let told = "there is no game of board 17 in the hall: begin one here with board = 17 in [hall]";
    assert_eq!(nothing, told);
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let (_wire, _) = wire(&server.url(), 17, &path);
    assert_eq!(same(&server.url(), 17, &path), 1);
}

/// A row as somebody sends it who has the board's key.
fn send(url: &str, number: i64, copy: u32, row: &KeptRow) {
    now(async {
        let client = async_nats::connect(url).await.expect("a line");
        let subject = format!("hall.test.board.17.game.{number}.{copy}");
        let sum: String = row.sum.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut headers = async_nats::HeaderMap::new();
        headers.insert("Annabella-Row", row.number.to_string().as_str());
        headers.insert("Annabella-At-Ms", row.at_ms.to_string().as_str());
        headers.insert("Annabella-Sum", sum.as_str());
        let context = async_nats::jetstream::new(client);
        let published = context.publish_with_headers(subject, headers, row.json.clone().into());
        published.await.expect("published").await.expect("kept");
    });
}

#[test]
fn what_cannot_be_taken_over_shuts_nobody_out_and_what_is_no_game_is_passed_over() {
    let Some((folder, server, _)) = hall() else { return };
    let url = server.url();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let (honest, _) = wire(&url, 17, &path);
    same(&url, 17, &path);
    let first = rows_of(&path).remove(0);
    let row = |number: i64, before, at_ms: u64, json: &str| {
        let game = GameId { number };
        KeptRow::after(game, before, at_ms, json.to_owned()).expect("a row")
    };
    // Rows of no game, and a copy of the board's own that comes after none.
    send(&url, 99, 1, &row(99, (0, [0; 16]), 5, "\"clock-started\""));
    let clara = first.json.replacen("Anna", "Clara", 1);
    send(&url, 1, u32::MAX, &row(1, (0, [0; 16]), 5, &clara));
    let spare = taken(&url, 17, folder.path()).expect("taken over");
    assert_eq!(rows_of(&spare), std::slice::from_ref(&first));
    until("it is told", || honest.state().borrow().taken_over);
    drop(honest);
    // Nothing can be written where the journal is to be.
    let (own, _) = wire(&url, 17, &spare);
    until("it goes on", || own.state().borrow().connected);
    let kept = || std::fs::read_dir(folder.path()).expect("a folder").count();
    let before = kept();
    let nowhere = folder.path().join("nowhere");
    assert!(taken(&url, 17, &nowhere).is_err());
    // Games after which none can be played, and one that a later version has written.
    let last = i64::MAX;
    send(&url, last, 1, &row(last, (0, [0; 16]), 5, &first.json));
    let refused = taken(&url, 17, folder.path()).expect_err("no such number").to_string();
    assert!(refused.contains("no game has the number 9223372036854775807"), "{refused}");
    let begins = row(100, (0, [0; 16]), 5, &first.json);
    send(&url, 100, 1, &begins);
    let late = u64::MAX / 2 - 800;
    send(&url, 100, 1, &row(100, (1, begins.sum), late, "\"clock-started\""));
    let refused = taken(&url, 17, folder.path()).expect_err("no such moment").to_string();
    assert!(refused.contains("is beyond what a journal can hold"), "{refused}");
    let newer = first.json.replacen("\"config\":{", "\"config\":{\"later\":1,", 1);
    send(&url, 101, 1, &row(101, (0, [0; 16]), 5, &newer));
    let refused = taken(&url, 17, folder.path()).expect_err("another version's").to_string();
    assert!(refused.contains("another version of this program"), "{refused}");
    assert_eq!(kept(), before, "nothing is left of what failed");
    // The board is still who it was.
    let mut journal = Journal::open(&spare).expect("the spare's");
    journal.append(game, At::new(9), &Input::Resumed).expect("kept");
    until("it sends on", || own.state().borrow().sent == 1);
}

#[test]
fn no_row_that_is_changed_missing_or_taken_twice_comes_into_a_journal() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    for n in 0..3 {
        journal.append(game, At::new(2 + n), &Input::Woke).expect("kept");
    }
    let rows = rows_of(&path);
    let adopt = |name: &str, rows: &[KeptRow]| {
        let mut journal = Journal::open(folder.path().join(name)).expect("a journal");
        let first = journal.adopt(game, rows).map_err(|err| err.to_string());
        (first, journal)
    };
    let mut changed = rows.clone();
    changed[2].at_ms += 1;
    let mut gap = rows.clone();
    gap.remove(1);
    for (name, wrong) in
        [("b.db", &changed[..]), ("c.db", &gap[..]), ("d.db", &rows[1..]), ("e.db", &[])]
    {
        let (adopted, journal) = adopt(name, wrong);
        assert!(adopted.is_err(), "{name}");
        assert_eq!(journal.games().expect("games").len(), 0, "{name}");
    }
    let (adopted, mut journal) = adopt("f.db", &rows);
    assert_eq!(adopted, Ok(()));
    assert_eq!(rows_of(&folder.path().join("f.db")), rows);
    assert!(journal.adopt(game, &rows).is_err(), "twice");
    let next = journal.begin(&started("Berta"), At::new(9)).expect("begun");
    assert_eq!(next.number, game.number + 1);
}

#[test]
fn a_spare_in_its_lobby_takes_a_silent_boards_place_by_voice() {
    let Some((_hall, server, _)) = hall() else { return };
    let (broken, spare) = (folder(), folder());
    let url = server.url();
    let section =
        |board: u32| format!("[hall]\nurl = \"{url}\"\nevent = \"test\"\nboard = {board}\n");
    let names = "[game]\nwhite = \"Anna\"\nblack = \"Berta\"\n";
    let mut play = Play::start(&config(broken.path(), &format!("{}{names}", section(17))));
    play.send(r#"{"press":"black"}"#);
    play.until("White's clock", |line| line["clock"]["running"] == "white");
    play.moves("g1", "f3");
    play.until_move("g1f3", "executed");
    let spare_config = config(spare.path(), &section(900));
    let mut spare_play = Play::start_with(&spare_config, &["--setup"]);
    let hears = |play: &Play, text: &str| {
        play.until(text, |line| {
            line["say"]["text"].as_str().is_some_and(|said| said.starts_with(text))
        });
    };
    let takes_over = |play: &mut Play, board: &str| {
        play.send(&format!(r#"{{"announce":"Brett {board} übernehmen"}}"#));
        hears(play, &format!("Brett {board} übernehmen?"));
        play.send(r#"{"announce":"ja"}"#);
        hears(play, "Einen Moment.");
    };
    hears(&spare_play, "Neue Partie.");
    takes_over(&mut spare_play, "siebzehn");
    hears(&spare_play, "Brett siebzehn ist noch in Betrieb. Erst muss es aus sein. Du hast Weiß.");
    takes_over(&mut spare_play, "achtzehn");
    hears(&spare_play, "Von Brett achtzehn gibt es keine Partie. Du hast Weiß.");
    play.send(r#"{"announce":"Springer Gustav eins Felix drei"}"#);
    play.until_move("g1f3", "made");
    // Nobody was shut out.
    let before = same(&url, 17, &broken.path().join("games.db"));
    play.kill();
    let began = Instant::now();
    takes_over(&mut spare_play, "siebzehn");
    hears(&spare_play, "Die Uhren stehen. Sag: Uhr starten.");
    println!("taken over by voice: yes to the first sentence {} ms", began.elapsed().as_millis());
    let text = std::fs::read_to_string(&spare_config).expect("a configuration");
    assert!(text.contains("board = 17"), "{text}");
    let journal = annabella::config::Config::parse(&text, "a.toml").expect("right").journal.path;
    until("the spare sends its own rows", || same(&url, 17, &journal) > before);
    // It may have kept another row before it was killed.
    let kept = rows_of(&broken.path().join("games.db"));
    assert_eq!(rows_of(&journal)[..before as usize], kept[..before as usize]);
    spare_play.send(r#"{"announce":"letzter Zug"}"#);
    hears(&spare_play, "Springer Gustav eins Felix drei.");
    assert_eq!(spare_play.end().status.code(), Some(0));
}

#[test]
fn a_spare_whose_hall_is_away_says_so_and_goes_on() {
    let Some((_hall, server, _)) = hall() else { return };
    let spare = folder();
    let section = format!("[hall]\nurl = \"{}\"\nevent = \"test\"\nboard = 900\n", server.url());
    let spare_config = config(spare.path(), &section);
    drop(server);
    let mut play = Play::start_with(&spare_config, &["--setup"]);
    play.send(r#"{"announce":"Brett siebzehn übernehmen"}"#);
    play.until("asked", |line| line["say"]["text"] == "Brett siebzehn übernehmen?");
    play.send(r#"{"announce":"ja"}"#);
    let told = "Keine Verbindung zum Turniernetz. Du hast Weiß. Turnierpartie. Richtig so?";
    play.until(told, |line| line["say"]["text"] == told);
    let text = std::fs::read_to_string(&spare_config).expect("a configuration");
    assert!(text.contains("board = 900"), "{text}");
    assert_eq!(play.end().status.code(), Some(0));
}
