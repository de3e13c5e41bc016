//! Commands beside the running service, without it, and with a simulated board.

use std::{
    io::{BufRead, BufReader, Read, Write},
    os::unix::{fs::PermissionsExt, net::UnixStream},
    path::Path,
    process::{Child, Command, Output, Stdio},
    sync::mpsc,
};

use crate::at_board::{Play, config};
use crate::patience::PATIENCE;

fn annabella(args: &[&str], config: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_annabella"));
    command.args(args).arg("--config").arg(config).stdin(Stdio::null());
    command
}

fn output(args: &[&str], config: &Path) -> Output {
    annabella(args, config).output().expect("runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A command whose lines are read while it runs.
struct Watch {
    child: Child,
    lines: mpsc::Receiver<String>,
}

impl Watch {
    fn start(config: &Path) -> Watch {
        Watch::start_with(config, &[])
    }

    fn start_with(config: &Path, more: &[&str]) -> Watch {
        let mut child = annabella(&[&["board", "watch", "--plain"], more].concat(), config)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let out = BufReader::new(child.stdout.take().expect("piped"));
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || {
            out.lines().map_while(Result::ok).try_for_each(|line| send.send(line))
        });
        Watch { child, lines }
    }

    fn hears(&self, line: &str) {
        let next = self.lines.recv_timeout(PATIENCE);
        assert_eq!(next.as_deref(), Ok(line));
    }
}

const START: &str = "pegs: a1 b1 c1 d1 e1 f1 g1 h1 a2 b2 c2 d2 e2 f2 g2 h2 \
                     a7 b7 c7 d7 e7 f7 g7 h7 a8 b8 c8 d8 e8 f8 g8 h8";

#[test]
fn the_service_tells_what_it_feels_while_it_plays() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path(), "");
    let mut play = Play::start(&config);
    play.send(r#"{"announce":"meine Zeit"}"#);
    play.until("that it runs", |line| line.get("say").is_some());
    let socket = folder.path().join("games.db-board");
    let mode = socket.metadata().expect("a socket").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let mut watch = Watch::start(&config);
    watch.hears(START);
    play.moves("g1", "f3");
    watch.hears("g1 empty");
    watch.hears("f3 peg");
    play.send(r#"{"announce":"Springer Gustav eins Felix drei"}"#);
    play.until_move("g1f3", "made");
    // Another one sees the board as it is now; the first goes on.
    let second = Watch::start(&config);
    second.hears(&START.replace(" g1", "").replace(" a7", " f3 a7"));

    // Records are read beside it.
    let listed = text(&output(&["games", "list"], &config).stdout);
    assert!(listed.contains("1 ply, going on"), "{listed}");
    let pgn = text(&output(&["games", "export", "1"], &config).stdout);
    assert!(pgn.contains("1. Nf3"), "{pgn}");

    // A watcher that dies, or says something, disturbs nobody; nor does one too many.
    watch.child.kill().expect("killed");
    watch.child.wait().expect("dead");
    let mut rude = UnixStream::connect(&socket).expect("open");
    rude.write_all(b"x").expect("sent");
    rude.set_read_timeout(Some(PATIENCE)).expect("set");
    let mut told = String::new();
    // Its end may be a reset, since its byte is never read.
    let _ = rude.read_to_string(&mut told);
    assert!(told.len() < 400, "{told}");
    let crowd: Vec<UnixStream> =
        (0..20).map(|_| UnixStream::connect(&socket).expect("open")).collect();
    play.moves("g8", "f6");
    second.hears("g8 empty");
    second.hears("f6 peg");
    drop(crowd);

    // It ends with the service.
    play.interrupt();
    let mut second = second;
    assert_eq!(second.child.wait().expect("ended").code(), Some(0));
    assert!(!socket.exists());
}

/// `annabella board test`, up to what the service answers.
fn tested(config: &Path) -> (Child, String) {
    let mut child = annabella(&["board", "test", "--simulate"], config)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut err = BufReader::new(child.stderr.take().expect("piped"));
    let mut line = String::new();
    err.read_line(&mut line).expect("a line");
    child.stderr = Some(err.into_inner());
    (child, line)
}

fn says(play: &Play, text: &str) {
    play.until(text, |line| line["say"]["text"] == text);
}

const LENT: &str = "annabella: the service lends the board\n";
const IS_TESTED: &str = "Dein Brett wird geprüft.";
const IS_BACK: &str = "Dein Brett ist wieder verbunden.";

#[test]
fn a_service_lends_its_board_for_a_test_and_takes_it_back_from_one_that_was_killed() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path(), "");
    let mut play = Play::start(&config);
    play.send(r#"{"announce":"meine Zeit"}"#);
    play.until("that it runs", |line| line.get("say").is_some());
    let (mut first, told) = tested(&config);
    assert_eq!(told, LENT);
    says(&play, IS_TESTED);
    // There is one board.
    let second = output(&["board", "test", "--simulate"], &config);
    assert_eq!(second.status.code(), Some(3));
    assert_eq!(
        text(&second.stderr),
        "annabella: the service keeps its board: another program tests the board\n"
    );
    // What the tester does is no move, and the game goes on from what stands there afterwards.
    play.moves("e2", "e4");
    first.kill().expect("killed");
    first.wait().expect("dead");
    says(&play, IS_BACK);
    says(&play, "Entferne den weißen Bauern von Eva vier.");
    play.moves("e4", "e2");

    // A player's time needs the board: it comes back at once, and is lent no more.
    let (second, told) = tested(&config);
    assert_eq!(told, LENT);
    says(&play, IS_TESTED);
    play.send(r#"{"press":"black"}"#);
    says(&play, IS_BACK);
    let second = second.wait_with_output().expect("ended");
    assert_eq!(second.status.code(), Some(3));
    assert_eq!(
        text(&second.stderr),
        "annabella: the service has its board back: a player's time runs, and the game needs its board\n"
    );
    let third = output(&["board", "test", "--simulate"], &config);
    assert_eq!(third.status.code(), Some(3));
    assert_eq!(
        text(&third.stderr),
        "annabella: the service keeps its board: a player's time runs: have the arbiter stop the clocks, \
         and test the board then\n"
    );
    play.moves("g1", "f3");
    play.until_move("g1f3", "executed");
    assert_eq!(play.end().status.code(), Some(0));
}

#[test]
fn a_board_is_tested_to_the_end_while_its_service_waits_in_the_lobby() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path(), "");
    let mut play = Play::start_with(&config, &["--setup"]);
    says(&play, "Neue Partie. Du hast Weiß. Turnierpartie. Richtig so?");
    let tested = ["board", "test", "--simulate", "--strip", "1"];
    let mut test = annabella(&tested, &config)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    says(&play, IS_TESTED);
    play.reed("e2", false);
    assert_eq!(test.wait().expect("ends").code(), Some(0));
    says(&play, IS_BACK);
    play.send(r#"{"announce":"ja"}"#);
    says(&play, "Setz den weißen Bauern auf Eva zwei.");
    play.kill();
}

#[test]
fn of_two_boards_one_is_lent_and_the_other_felt() {
    let folder = tempfile::tempdir().expect("folder");
    let fifo = folder.path().join("black");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("runs").success());
    let black = format!("[board_black]\nkind = \"events\"\npath = \"{}\"\n", fifo.display());
    let config = config(folder.path(), &format!("{black}[game]\nblind = \"both\"\n"));
    let mut play = Play::start(&config);
    play.send(r#"{"announce":"meine Zeit","seat":"white"}"#);
    play.until("that it runs", |line| line.get("say").is_some());
    let mut test = annabella(&["board", "test", "--simulate", "--black"], &config)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("starts");
    let tested = play.until(IS_TESTED, |line| line["say"]["text"] == IS_TESTED);
    assert_eq!(tested["say"]["seat"], "black");
    let mut reeds = std::fs::OpenOptions::new().write(true).open(&fifo).expect("open");
    for (square, occupied) in [("e7", false), ("e5", true)] {
        writeln!(reeds, r#"{{"square":"{square}","occupied":{occupied}}}"#).expect("written");
    }
    play.moves("g1", "f3");
    play.until_move("g1f3", "executed");
    test.kill().expect("killed");
    test.wait().expect("dead");
    let back = play.until(IS_BACK, |line| line["say"]["text"] == IS_BACK);
    assert_eq!(back["say"]["seat"], "black");
    let asked = "Entferne die Figur von Eva fünf.";
    let asked = play.until(asked, |line| line["say"]["text"] == asked);
    assert_eq!(asked["say"]["seat"], "black");
    play.kill();
}

#[test]
fn without_the_service_the_board_itself_is_read() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path(), "");
    // A socket that a killed service has left behind answers nobody.
    let left = folder.path().join("games.db-board");
    drop(std::os::unix::net::UnixListener::bind(&left).expect("a socket"));
    for command in ["watch", "test"] {
        let told = output(&["board", command], &config);
        assert_eq!(told.status.code(), Some(2));
        assert!(text(&told.stderr).contains("kind = \"events\" has no reeds"), "{told:?}");
    }
    let mut play = Play::start(&config);
    play.send(r#"{"announce":"meine Zeit"}"#);
    play.until("that it runs", |line| line.get("say").is_some());
    Watch::start(&config).hears(START);
    play.interrupt();
}

#[test]
fn a_simulated_board_can_be_watched_and_tested_anywhere() {
    let folder = tempfile::tempdir().expect("folder");
    for kind in ["none", "events", "matrix"] {
        let config = folder.path().join("annabella.toml");
        let before = format!("[board]\nkind = \"{kind}\"\n[speech]\nengine = \"none\"\n");
        std::fs::write(&config, &before).expect("written");
        let mut watch = Watch::start_with(&config, &["--simulate"]);
        for line in [START, "e2 empty", "e4 peg"] {
            watch.hears(line);
        }
        watch.child.kill().expect("killed");
        watch.child.wait().expect("dead");
        let short = ["board", "watch", "--plain", "--simulate", "--seconds", "1"];
        let watched = output(&short, &config);
        assert_eq!(watched.status.code(), Some(0), "{kind}: {}", text(&watched.stderr));
        let report = text(&watched.stdout);
        assert!(report.contains(" readings, 0 failed, "), "{kind}: {report}");
        // The test takes as long as a builder does; the readers have their own tests.
        if kind != "none" {
            continue;
        }
        let tested = output(&["board", "test", "--simulate"], &config);
        assert_eq!(tested.status.code(), Some(0), "{kind}: {}", text(&tested.stderr));
        let lines = text(&tested.stdout);
        assert!(lines.ends_with("Alle vierundsechzig Felder in Ordnung.\n"), "{kind}: {lines}");
        assert_eq!(std::fs::read_to_string(&config).expect("there"), before);
    }
}

#[test]
fn a_simulated_strip_has_the_faults_that_are_asked_for() {
    let folder = tempfile::tempdir().expect("folder");
    let config = folder.path().join("annabella.toml");
    std::fs::write(&config, "[speech]\nengine = \"none\"\n").expect("written");
    let test = |more: &[&str]| output(&[&["board", "test"], more].concat(), &config);
    let strip = ["--simulate", "--strip", "2", "--faults", "cut=3,bridge=d2-e2", "--json"];
    let tested = test(&strip);
    assert_eq!(tested.status.code(), Some(1), "{}", text(&tested.stderr));
    let lines = text(&tested.stdout);
    assert!(lines.starts_with("{\"say\":\"Streifen zwei: nimm alle Magneten weg.\"}\n"), "{lines}");
    let end = "{\"say\":\"Brücke zwischen David zwei und Eva zwei.\"}\n\
               {\"findings\":[{\"bridge\":[\"d2\",\"e2\"]}],\"touch\":[]}\n";
    assert!(lines.ends_with(end), "{lines}");

    let wrong = test(&["--simulate", "--faults", "cut=9"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(
        text(&wrong.stderr).starts_with("annabella: --faults: unknown fault 'cut=9'"),
        "{wrong:?}"
    );
    for call in [&["--faults", "cut=2"][..], &["--simulate", "--strip", "9"]] {
        assert_eq!(test(call).status.code(), Some(2), "{call:?}");
    }
    std::fs::write(&config, "[board]\nkind = \"matrix\"\n").expect("written");
    let matrix = test(&["--simulate", "--strip", "1"]);
    assert_eq!(matrix.status.code(), Some(2));
    assert_eq!(
        text(&matrix.stderr),
        format!(
            "annabella: {}:1: [board] is matrix: --strip and --faults are for strips of \"shift-register\"\n",
            config.display()
        )
    );
}

#[test]
fn who_records_into_memory_is_told() {
    let folder = tempfile::tempdir().expect("folder");
    let config = config(folder.path(), "");
    let told = "Die Partie wird nicht gespeichert, geht aber weiter. Ruf den Schiedsrichter.";
    let here = folder.path().to_str().expect("a path");
    // A folder is no file system of its own; that of processes is one everywhere.
    for (place, setup, warned) in [
        (here, "--new", true),
        (here, "--setup", true),
        ("/proc", "--new", false),
        ("proc", "--new", false),
    ] {
        let mut command = annabella(&["play", "--json", setup, "--kept-on", place], &config);
        command.current_dir("/");
        let mut play = Play::start_by(command);
        if setup == "--new" {
            play.send(r#"{"announce":"wer ist am Zug"}"#);
        }
        let first = play.spoken_within(PATIENCE).expect("something");
        assert_eq!(first == format!("in the ear: {told}"), warned, "{place}: {first}");
        let output = play.end();
        let log = format!("annabella: nothing is mounted at {place}: what is recorded is gone");
        assert_eq!(text(&output.stderr).contains(&log), warned, "{}", text(&output.stderr));
    }
}
