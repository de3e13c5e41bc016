//! `annabella play --setup`: games set up at the board by typed words or by three keys, one after
//! the other, and resumed after a stop.

use std::{
    fs::File,
    io::Write,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
    process::Command,
};

use crate::at_board::Play;

fn config(folder: &Path, game: &str) -> PathBuf {
    crate::at_board::config(folder, &format!("[game]\n{game}\n"))
}

/// A session at the board, and what a player does in it.
struct Session(Play);

impl Session {
    fn start(config: &Path, args: &[&str]) -> Session {
        Session(Play::start_with(config, args))
    }

    fn type_in(&mut self, text: &str) {
        self.send(&serde_json::json!({ "announce": text }).to_string());
    }

    /// All parts of what is said, in both languages.
    fn hears(&self, text: &str) {
        self.until(text, |line| line["say"]["text"] == text);
    }

    fn answers(&mut self, typed: &str, text: &str) {
        self.type_in(typed);
        self.hears(text);
    }

    fn plays(&mut self, from: &str, to: &str, color: &str) {
        self.moves(from, to);
        self.until_move(&format!("{from}{to}"), "made");
        self.send(&format!(r#"{{"press":"{color}"}}"#));
    }

    fn tests_the_board(&mut self, pawn: &str) {
        self.reed(pawn, false);
        self.reed(pawn, true);
        self.hears("Grundstellung. Alles bereit. Uhr starten?");
    }

    fn kill(self) {
        self.0.kill();
    }
}

impl Deref for Session {
    type Target = Play;

    fn deref(&self) -> &Play {
        &self.0
    }
}

impl DerefMut for Session {
    fn deref_mut(&mut self) -> &mut Play {
        &mut self.0
    }
}

fn set_up_board() -> String {
    let squares: Vec<String> =
        ('a'..='h').flat_map(|file| [1, 2, 7, 8].map(|rank| format!("{file}{rank}"))).collect();
    serde_json::json!({ "occupied": squares }).to_string()
}

#[test]
fn a_session_by_typed_words_goes_from_game_to_game_and_on_after_a_stop() {
    let folder = tempfile::tempdir().expect("folder");
    let path = config(folder.path(), "setup = true");
    let mut session = Session::start(&path, &[]);
    session.hears("Neue Partie. Du hast Weiß. Turnierpartie. Richtig so?");
    session.answers("Blitz", "Drei Minuten plus zwei Sekunden. Du hast Weiß. Blitz. Richtig so?");
    session.answers("ja", "Heb kurz den weißen Bauern von Eva zwei.");
    session.tests_the_board("e2");
    session.type_in("Uhr starten");
    let clock = session.until("the clock", |line| line["clock"]["running"] == "white");
    assert_eq!(clock["clock"]["black_ms"], 182_000);
    for (from, to, color) in
        [("f2", "f3", "white"), ("e7", "e5", "black"), ("g2", "g4", "white"), ("d8", "h4", "black")]
    {
        session.plays(from, to, color);
    }
    let result = session.until("the result", |line| line.get("result").is_some());
    assert_eq!(result["result"], "0-1");
    session.answers("Spielstand", "Gewonnen null, remis null, verloren eins.");
    session.answers("letzter Zug", "Dame David acht Hector vier, matt.");
    session.answers("nächste Partie", "Farben tauschen?");
    session.answers("ja", "Du hast Schwarz. Blitz. Richtig so?");
    session.answers("ja", "Entferne die Figur von Felix drei.");
    session.send(&set_up_board());
    session.hears("Heb kurz den schwarzen Bauern von Eva sieben.");
    session.tests_the_board("e7");
    session.type_in("los");
    session.until("the clock", |line| line["clock"]["running"] == "white");
    // One peg board, now Black's: his opponent's moves are executed there too.
    session.plays("e2", "e4", "white");
    session.kill();
}

#[test]
fn a_stopped_game_is_offered_again_and_can_wait() {
    let folder = tempfile::tempdir().expect("folder");
    let path = config(folder.path(), "white = \"Mor\"");
    let mut session = Session::start(&path, &["--setup"]);
    session.hears("Neue Partie. Du hast Weiß. Mor gegen Schwarz. Turnierpartie. Richtig so?");
    session.answers("ja", "Heb kurz den weißen Bauern von Eva zwei.");
    session.answers("weiter", "Alles bereit. Uhr starten?");
    session.send(r#"{"press":"black"}"#);
    session.until("the clock", |line| line["clock"]["running"] == "white");
    session.plays("e2", "e4", "white");
    session.until("completed", |line| line["move"]["state"] == "completed");
    session.kill();

    let offered = "Die Partie Mor gegen Schwarz ist nicht zu Ende. Weiterspielen?";
    let mut session = Session::start(&path, &["--setup"]);
    session.hears(offered);
    session.answers(
        "nein",
        "Partie bleibt gespeichert. Neue Partie. Du hast Weiß. Mor gegen Schwarz. Turnierpartie. Richtig so?",
    );
    session.kill();

    let mut session = Session::start(&path, &["--setup"]);
    session.hears(offered);
    session.type_in("ja");
    session.plays("e7", "e5", "black");
    session.kill();
}

/// One key down and up, as the kernel writes it.
fn press(keyboard: &mut File, code: u16) {
    for value in [1i32, 0] {
        let mut record = vec![0u8; 16];
        record.extend(1u16.to_ne_bytes());
        record.extend(code.to_ne_bytes());
        record.extend(value.to_ne_bytes());
        keyboard.write_all(&record).expect("written");
    }
    keyboard.flush().expect("written");
}

#[test]
fn three_keys_are_enough() {
    let folder = tempfile::tempdir().expect("folder");
    let fifo = folder.path().join("keyboard");
    let made = Command::new("mkfifo").arg(&fifo).status().expect("mkfifo");
    assert!(made.success());
    let keys = format!(
        "setup = true\nkeys = [\"left\", \"right\", \"enter\"]\nkeyboard = \"{}\"",
        fifo.display()
    );
    let path = config(folder.path(), &keys);
    let mut session = Session::start(&path, &[]);
    session.hears("Neue Partie. Du hast Weiß. Turnierpartie. Richtig so?");
    let mut keyboard = File::options().write(true).open(&fifo).expect("a keyboard");
    let [left, right, enter] = [105, 106, 28];
    for (key, said) in [
        (right, "Nein."),
        (enter, "Was ändern? Bedenkzeit."),
        (enter, "Welche Bedenkzeit? Turnierpartie."),
        (right, "Schnell."),
        (right, "Blitz."),
        (left, "Schnell."),
        (enter, "Fünfzehn Minuten plus zehn Sekunden. Du hast Weiß. Schnell. Richtig so?"),
        (enter, "Heb kurz den weißen Bauern von Eva zwei."),
    ] {
        press(&mut keyboard, key);
        session.hears(said);
    }
    session.tests_the_board("e2");
    press(&mut keyboard, enter);
    let clock = session.until("the clock", |line| line["clock"]["running"] == "white");
    assert_eq!(clock["clock"]["black_ms"], 910_000);
    session.kill();
}

#[test]
fn a_passphrase_that_cannot_be_read_is_said_before_anybody_is_asked_anything() {
    let folder = tempfile::tempdir().expect("folder");
    let path = config(folder.path(), "");
    for setup in [&["--setup"][..], &["--new"]] {
        let args = [setup, &["--passphrase-file", "none.txt"]].concat();
        let output = Play::start_with(&path, &args).end();
        assert_eq!(output.status.code(), Some(2));
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(told.contains("none.txt"), "{told}");
    }
    assert!(!folder.path().join("games.db").exists(), "nothing has begun");
}
