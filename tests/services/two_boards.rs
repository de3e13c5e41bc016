//! The sighted player's board and the clock before the players: what the service makes of them.

use std::{io::Write, path::Path, process::Command, thread::sleep, time::Duration};

use annabella_devices::{dgt::codec::Facing, pieces::Make};
use annabella_emulators::{pieces::SimulatedPieces, pty::Emulator};
use serde_json::{Value, json};
use shakmaty::{Board, Color, Piece, Square};

use crate::at_board::{Play, at_rest, config};

/// A FIFO of lines for the sighted player's board.
struct Lines {
    file: std::fs::File,
}

impl Lines {
    fn new(path: &Path) -> Lines {
        let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
        assert!(made.success());
        let file = std::fs::OpenOptions::new().read(true).write(true).open(path).expect("a FIFO");
        Lines { file }
    }

    fn send(&mut self, line: &Value) {
        writeln!(self.file, "{line}").expect("written");
    }

    fn put(&mut self, square: &str, piece: Option<&str>) {
        self.send(&json!({ "square": square, "piece": piece }));
        at_rest(&self.file);
    }
}

fn is(key: &'static str) -> impl Fn(&Value) -> bool {
    move |line| line.get(key).is_some()
}

fn problem(article: &'static str) -> impl Fn(&Value) -> bool {
    move |line| line["problem"]["article"] == article
}

fn said(text: &'static str) -> impl Fn(&Value) -> bool {
    move |line| line["say"]["text"] == text
}

struct Desk {
    _folder: tempfile::TempDir,
    play: Play,
    board: Lines,
}

/// White is blind; Black has a simulated board of pieces, unless `more` says otherwise.
fn desk(kind: &str, more: &str) -> Desk {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("sighted");
    let board = Lines::new(&fifo);
    let sighted = format!("[sighted]\nkind = \"{kind}\"\npath = \"{}\"\n", fifo.display());
    let delays = "still_ms = 100\nhurry_ms = 100\npending_ms = 2000\ndiffer_ms = 600\n";
    let path = config(folder.path(), &format!("{sighted}{delays}{more}"));
    let play = Play::start(&path);
    Desk { _folder: folder, play, board }
}

impl Desk {
    /// White plays and presses, and his move is executed on Black's board.
    fn white(&mut self, from: &str, to: &str, piece: &str) {
        self.play.moves(from, to);
        let uci = format!("{from}{to}");
        self.play.until_move(&uci, "made");
        self.play.send(r#"{"press":"white"}"#);
        self.play.until_move(&uci, "completed");
        self.board.put(from, None);
        self.board.put(to, Some(piece));
        self.play.until("agreement", |line| line["boards"] == "agree");
    }
}

#[test]
fn a_sighted_players_move_is_made_by_his_board_and_announced() {
    let mut desk = desk("sim", "");
    desk.white("e2", "e4", "P");
    desk.board.put("e7", None);
    let touched = desk.play.until("the touch", is("touched"));
    assert_eq!(touched["touched"], json!({ "seat": "sighted", "square": "e7", "piece": "p" }));
    desk.board.put("e5", Some("p"));
    let made = desk.play.until_move("e7e5", "made");
    assert_eq!((&made["move"]["seat"], &made["move"]["ply"]), (&json!("sighted"), &json!(2)));
    desk.play.send(r#"{"press":"black"}"#);
    desk.play.until_move("e7e5", "completed");
    desk.play.moves("e7", "e5");
    desk.play.until("agreement", |line| line["boards"] == "agree");
}

#[test]
fn not_executed_yet_and_boards_differ_are_two_messages_and_agreement_is_told_once() {
    let mut desk = desk("sim", "");
    desk.play.moves("g1", "f3");
    desk.play.until_move("g1f3", "made");
    desk.play.send(r#"{"press":"white"}"#);
    desk.play
        .until("the reminder", said("Noch nicht ausgeführt: Springer Gustav eins Felix drei."));
    // On the wrong square.
    desk.board.put("g1", None);
    desk.board.put("h3", Some("N"));
    let differ = desk.play.until("the difference", problem("D.2.9"));
    assert_eq!(differ["problem"]["detail"]["squares"], json!(["f3", "h3"]));
    desk.play.until("what is said", said("Bretter weichen ab: Felix drei und Hector drei."));
    desk.board.put("h3", None);
    desk.board.put("f3", Some("N"));
    desk.play.until("the word", said("Die Bretter stimmen wieder überein."));
    assert_eq!(desk.play.end().status.code(), Some(0));
}

#[test]
fn an_illegal_move_completed_on_the_sighted_board_is_reported_when_he_presses() {
    let mut desk = desk("sim", "");
    desk.white("e2", "e4", "P");
    desk.board.put("e7", None);
    desk.board.put("e4", Some("p"));
    desk.play.send(r#"{"press":"black"}"#);
    let illegal = desk.play.until("the illegal move", problem("7.5.1"));
    assert_eq!(illegal["problem"]["detail"]["uci"], "e7e4");
}

#[test]
fn a_lost_board_is_told_and_play_goes_on_upon_the_pegs() {
    let mut desk = desk("sim", "");
    desk.white("e2", "e4", "P");
    desk.board.send(&json!({ "plug": false }));
    desk.play.until("the loss", problem("D.2.5"));
    desk.play.moves("e7", "e5");
    desk.play.until_move("e7e5", "made");
    desk.board.put("e7", None);
    desk.board.put("e5", Some("p"));
    desk.board.send(&json!({ "plug": true }));
    desk.play.until("the board", said("Das Brett des Gegners ist wieder verbunden."));
    desk.play.send(r#"{"press":"black"}"#);
    desk.play.until_move("e7e5", "completed");
    desk.white("g1", "f3", "N");
}

#[test]
fn a_second_reed_board_shows_moves_and_asks_what_it_cannot_see() {
    let mut desk = desk("reed", "");
    desk.play.moves("e2", "e4");
    desk.play.until_move("e2e4", "made");
    desk.play.send(r#"{"press":"white"}"#);
    for (square, occupied) in [("e2", false), ("e4", true)] {
        desk.board.send(&json!({ "square": square, "occupied": occupied }));
        at_rest(&desk.board.file);
    }
    desk.play.until("agreement", |line| line["boards"] == "agree");
    for (square, occupied) in [("d7", false), ("d5", true)] {
        desk.board.send(&json!({ "square": square, "occupied": occupied }));
        at_rest(&desk.board.file);
    }
    desk.play.until_move("d7d5", "made");
}

/// The opponent's board shows his moves, is missed when it is gone and welcomed when it is back.
fn his_board_is_seen(
    (kind, port): (&str, &str),
    bus: Option<&str>,
    put: &dyn Fn(Square, Option<Piece>),
    plug: &dyn Fn(bool),
) {
    let folder = tempfile::tempdir().expect("a folder");
    let sighted = format!("[sighted]\nkind = \"{kind}\"\nport = \"{port}\"\n");
    let config = config(folder.path(), &sighted);
    let mut command = Command::new(env!("CARGO_BIN_EXE_annabella"));
    command.args(["play", "--json", "--config"]).arg(&config);
    command.envs(bus.map(|bus| ("DBUS_SYSTEM_BUS_ADDRESS", bus)));
    let mut play = Play::start_by(command);
    play.moves("e2", "e4");
    play.until_move("e2e4", "made");
    play.send(r#"{"press":"white"}"#);
    play.until_move("e2e4", "completed");
    put(Square::E2, None);
    put(Square::E4, Some(Color::White.pawn()));
    play.until("agreement", |line| line["boards"] == "agree");
    put(Square::E7, None);
    put(Square::E5, Some(Color::Black.pawn()));
    play.until_move("e7e5", "made");
    plug(false);
    play.until("the loss", problem("D.2.5"));
    plug(true);
    play.until("the board", said("Das Brett des Gegners ist wieder verbunden."));
    assert_eq!(play.end().status.code(), Some(0), "{kind}");
}

fn of_make(make: Make) -> SimulatedPieces {
    SimulatedPieces::new(make, Facing::ConnectorLeft, &Board::new())
}

#[test]
fn a_board_of_another_make_shows_his_moves_and_is_missed_when_it_is_gone() {
    for (kind, make) in
        [("chessnut", Make::Chessnut), ("millennium", Make::Millennium), ("certabo", Make::Certabo)]
    {
        let folder = tempfile::tempdir().expect("a folder");
        let port = folder.path().join("board");
        let emulator = Emulator::start(of_make(make), &port).expect("a pseudo-terminal");
        let put = |square, piece| emulator.with(|device, _| device.put(square, piece));
        let plug = |plugged: bool| match plugged {
            true => emulator.plug_in().expect("a pseudo-terminal"),
            false => emulator.unplug(),
        };
        his_board_is_seen((kind, &port.display().to_string()), None, &put, &plug);
    }
}

#[cfg(feature = "bluetooth")]
#[test]
fn a_board_by_bluetooth_shows_his_moves_and_the_doctor_sees_it() {
    use annabella_emulators::bluez::{Bluez, Peripheral, Policy, PrivateBus};

    let folder = tempfile::tempdir().expect("a folder");
    let bus = match PrivateBus::start(folder.path(), Policy::Everybody) {
        Ok(bus) => bus,
        Err(err) => return crate::skip::skipped("dbus-daemon", &err.to_string()),
    };
    let make = Make::Chessnut;
    let radio = make.kind().radio.expect("it speaks Bluetooth");
    let board = Peripheral::new(of_make(make), "Chessnut Air\n", "D0:1E:22:33:44:55", radio);
    let bluez = Bluez::start(&bus.address(), vec![board]).expect("BlueZ");
    let doctor = || {
        let config = folder.path().join("doctor.toml");
        let sighted = "[sighted]\nkind = \"chessnut\"\nport = \"bluetooth:Chessnut Air\"\n";
        std::fs::write(&config, sighted).expect("written");
        let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["doctor", "--json", "--seconds", "0", "--config"])
            .arg(&config)
            .env("DBUS_SYSTEM_BUS_ADDRESS", bus.address())
            .current_dir(folder.path())
            .output()
            .expect("runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let told = text.lines().find(|line| line.contains("his board")).map(str::to_owned);
        told.unwrap_or(text)
    };
    let told = doctor();
    assert!(told.contains("Chessnut answers"), "{told}");
    let put = |square, piece| bluez.with(|air, _| air.boards[0].device.put(square, piece));
    let plug = |near| bluez.with(|air, now_ms| air.boards[0].is_near(now_ms, near));
    his_board_is_seen(("chessnut", "bluetooth"), Some(&bus.address()), &put, &plug);
    plug(false);
    let told = doctor();
    assert!(told.contains("switch the board off and on"), "{told}");
}

#[test]
fn a_clock_pressed_too_early_is_set_back() {
    let mut desk = desk("sim", "[clock]\nkind = \"sim\"\n");
    desk.play.send(r#"{"announce":"Uhr starten"}"#);
    desk.play.until("the start", |line| line["clock"]["running"] == "white");
    sleep(Duration::from_millis(1500));
    desk.play.send(r#"{"press":"white"}"#);
    desk.play.until("the report", problem("7.5.3"));
    sleep(Duration::from_millis(1500));
    // Had it not been set back, this press would be Black's time running already.
    desk.play.moves("e2", "e4");
    desk.play.until_move("e2e4", "made");
    desk.play.send(r#"{"press":"white"}"#);
    let completed = desk.play.until_move("e2e4", "completed");
    let clock = desk.play.until("the clock", |line| line["clock"]["running"] == "black");
    let at_ms = completed["t"].as_u64().expect("a time");
    let white_ms = clock["clock"]["white_ms"].as_u64().expect("a time");
    // 90 minutes and 30 seconds, 30 more for the next move, less what ran.
    assert!(white_ms < 5_460_000 - 3000 && white_ms > 5_460_000 - at_ms, "{white_ms} {at_ms}");
}

#[test]
fn keys_of_a_keyboard_press_the_clock() {
    // A FIFO in place of a keyboard: events as the kernel writes them, and each for one reader
    // only.
    let folder = tempfile::tempdir().expect("a folder");
    let keyboard = folder.path().join("keyboard");
    let mut keys = Lines::new(&keyboard).file;
    let more = format!(
        "[clock]\nwhite_key = \"f1\"\nblack_key = \"f2\"\nkeyboard = \"{}\"\n",
        keyboard.display()
    );
    let mut desk = desk("sim", &more);
    let mut press = |code: u16| {
        // Time (two words), type 1: key, its code, value 1: down.
        let mut event = vec![0; 16];
        event.extend(1u16.to_ne_bytes());
        event.extend(code.to_ne_bytes());
        event.extend(1i32.to_ne_bytes());
        keys.write_all(&event).expect("written");
    };
    let (f1, f2) = (59, 60);
    desk.play.moves("e2", "e4");
    desk.play.until_move("e2e4", "made");
    press(f1);
    desk.play.until_move("e2e4", "completed");
    desk.board.put("e2", None);
    desk.board.put("e4", Some("P"));
    desk.play.until("agreement", |line| line["boards"] == "agree");
    desk.board.put("e7", None);
    desk.board.put("e5", Some("p"));
    desk.play.until_move("e7e5", "made");
    press(f2);
    desk.play.until_move("e7e5", "completed");
}
