//! Which game `annabella play` plays: after an adjournment, after an end, by number.

use std::{path::PathBuf, process::Output};

use serde_json::Value;

use crate::at_board::{Play, config};
use crate::recorded::games;

fn text(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(error.is_empty(), "{error}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

struct Hall {
    folder: tempfile::TempDir,
    config: PathBuf,
}

impl Hall {
    fn new() -> Hall {
        let folder = tempfile::tempdir().expect("folder");
        let config = config(folder.path(), "[game]\nwhite = \"Mor\"\nblack = \"Nash\"\n");
        Hall { folder, config }
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("games.db")
    }

    fn play(&self, args: &[&str]) -> Play {
        Play::start_with(&self.config, args)
    }

    /// The standing of each game.
    fn standings(&self) -> Vec<String> {
        let lines = text(&games(&["list", "--json"], &self.journal()));
        let standing = |line: &str| -> String {
            let line: Value = serde_json::from_str(line).expect("JSON");
            line["standing"].as_str().expect("text").to_owned()
        };
        lines.lines().map(standing).collect()
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.to_str().expect("UTF-8").to_owned()
    }
}

fn hears(play: &Play, text: &str) {
    play.until(text, |line| line["say"]["text"] == text);
}

fn answers(play: &mut Play, typed: &str, text: &str) {
    play.send(&serde_json::json!({ "announce": typed }).to_string());
    hears(play, text);
}

fn plays(play: &mut Play, from: &str, to: &str, color: &str) {
    play.moves(from, to);
    play.until_move(&format!("{from}{to}"), "made");
    play.send(&format!(r#"{{"press":"{color}"}}"#));
    play.until_move(&format!("{from}{to}"), "completed");
}

/// White's clock runs and his move is made.
fn begun(hall: &Hall, args: &[&str]) -> Play {
    let mut play = hall.play(args);
    play.send(r#"{"press":"black"}"#);
    play.until("White's clock", |line| line["clock"]["running"] == "white");
    plays(&mut play, "f2", "f3", "white");
    play
}

fn clock_line(line: &Value) -> bool {
    line.get("clock").is_some()
}

#[test]
fn f3_a_game_is_adjourned_the_machine_restarted_twice_and_the_game_resumed_and_finished() {
    let hall = Hall::new();
    begun(&hall, &[]).kill();
    let passphrase = hall.file("passphrase", "long rook to nowhere\n");
    let sealed = hall.file("move", "e7-e5\n");
    let adjourned = games(
        &[
            "adjourn",
            "1",
            "--arbiter",
            "A. Weber",
            "--date",
            "22.11.2026",
            "--time",
            "10:00",
            "--passphrase-file",
            &passphrase,
            "--move-file",
            &sealed,
        ],
        &hall.journal(),
    );
    assert!(text(&adjourned).contains("game 1 is adjourned, move 1... is sealed"));
    let envelope = text(&games(&["envelope", "1"], &hall.journal()));
    // It is not hidden, whatever is done to the machine.
    for _ in ["once", "twice"] {
        let play = hall.play(&[]);
        hears(&play, "Die Partie ist unterbrochen.");
        hears(&play, "Sie geht weiter: 22.11.2026, 10:00.");
        play.kill();
        assert_eq!(hall.standings(), ["adjourned"]);
    }
    let opened = games(
        &["open", "1", "--arbiter", "A. Weber", "--passphrase-file", &passphrase],
        &hall.journal(),
    );
    assert!(text(&opened).contains("game 1 can go on"));
    assert_eq!(hall.standings(), ["going-on"]);

    let mut play = hall.play(&[]);
    let clock = play.until("the clock", clock_line);
    let times = ["white_ms", "black_ms"].map(|side| clock["clock"][side].as_u64().expect("ms"));
    let shown =
        |ms: u64| format!("{}:{:02}:{:02}", ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60);
    let on_envelope = format!(
        "<dt>Uhrenstand</dt><dd>Weiß {}, Schwarz {}</dd>",
        shown(times[0]),
        shown(times[1])
    );
    assert!(envelope.contains(&on_envelope), "{on_envelope}: {envelope}");
    hears(&play, "Die Uhren stehen. Sag: Uhr starten.");
    play.moves("e7", "e5");
    play.send(r#"{"announce":"Uhr starten"}"#);
    let running = play.until("White's clock", |line| line["clock"]["running"] == "white");
    assert_eq!([&running["clock"]["white_ms"], &running["clock"]["black_ms"]], times);
    plays(&mut play, "g2", "g4", "white");
    play.moves("d8", "h4");
    let result = play.until("the result", |line| line.get("result").is_some());
    assert_eq!(result["result"], "0-1");
    play.kill();
    assert_eq!(hall.standings(), ["ended"]);
    let report = text(&games(&["export", "1", "--report"], &hall.journal()));
    assert_eq!(report.matches("Vorfall (7.1):").count(), 1, "the first kill only: {report}");
}

#[test]
fn f22_after_the_end_no_game_begins_by_itself_and_the_players_are_asked() {
    let hall = Hall::new();
    let mut play = begun(&hall, &[]);
    play.send(r#"{"announce":"ich gebe auf"}"#);
    hears(&play, "Weiß gibt auf?");
    play.send(r#"{"announce":"ja"}"#);
    play.until("the result", |line| line.get("result").is_some());
    play.kill();
    let asked = "Die letzte Partie ist zu Ende. Schwarz gewinnt. Neue Partie. Du hast Weiß. Mor \
                 gegen Nash. Turnierpartie. Richtig so?";
    for _ in ["once", "twice"] {
        let play = hall.play(&[]);
        hears(&play, asked);
        play.kill();
        assert_eq!(hall.standings(), ["ended"]);
    }
    let mut play = hall.play(&[]);
    hears(&play, asked);
    // The pegs stand as they were left.
    answers(&mut play, "ja", "Entferne die Figur von Felix drei.");
    answers(&mut play, "weiter", "Alles bereit. Uhr starten?");
    play.send(r#"{"announce":"ja"}"#);
    play.until("White's clock", |line| line["clock"]["running"] == "white");
    play.kill();
    assert_eq!(hall.standings(), ["ended", "going-on"]);
    // Who does not want to be asked says so.
    let mut play = hall.play(&["--new"]);
    answers(&mut play, "letzter Zug", "Noch kein Zug.");
    play.kill();
    assert_eq!(hall.standings(), ["ended", "going-on", "empty"]);
    // And a game that has ended can be looked at again, to be signed.
    let mut play = hall.play(&["--game", "1"]);
    hears(&play, "Die letzte Partie ist zu Ende.");
    hears(&play, "Schwarz gewinnt.");
    play.send(r#"{"announce":"unterschrieben"}"#);
    hears(&play, "Weiß hat unterschrieben.");
    play.kill();
}

#[test]
fn f3_a_game_is_chosen_by_its_number_and_stays_chosen() {
    let hall = Hall::new();
    begun(&hall, &[]).kill();
    begun(&hall, &["--new"]).kill();
    assert_eq!(hall.standings(), ["going-on", "going-on"]);
    let next = |hall: &Hall| {
        let list = text(&games(&["list"], &hall.journal()));
        list.lines().last().expect("a line").to_owned()
    };
    let goes_on =
        |n| format!("`annabella play` goes on with game {n}; --game N plays another of these.");
    assert_eq!(next(&hall), goes_on(2));
    let mut play = hall.play(&["--game", "1"]);
    play.until("the clocks", clock_line);
    plays(&mut play, "e7", "e5", "black");
    play.kill();
    assert_eq!(next(&hall), goes_on(1));
    let mut play = hall.play(&[]);
    play.until("the clocks", clock_line);
    play.send(r#"{"announce":"letzter Zug"}"#);
    hears(&play, "Bauer Eva sieben Eva fünf.");
    play.kill();
    // With a set-up before each game it is not asked about first.
    let mut play = hall.play(&["--setup", "--game", "2"]);
    play.send(r#"{"announce":"letzter Zug"}"#);
    hears(&play, "Bauer Felix zwei Felix drei.");
    play.kill();
    assert_eq!(next(&hall), goes_on(2));
}

#[test]
fn f3_a_number_that_no_game_has_is_one_line_and_code_2() {
    let hall = Hall::new();
    begun(&hall, &[]).kill();
    let output = hall.play(&["--game", "7"]).end();
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    let journal = hall.journal();
    assert_eq!(
        error,
        format!(
            "annabella: no game 7 in journal {}: `annabella games list` shows those there are\n",
            journal.display()
        )
    );
}

#[test]
fn f3_games_in_which_nothing_happens_are_not_piled_up() {
    let hall = Hall::new();
    for _ in 0..3 {
        assert_eq!(hall.play(&[]).end().status.code(), Some(0));
    }
    assert_eq!(hall.play(&["--new"]).end().status.code(), Some(0));
    assert_eq!(hall.standings(), ["empty"]);
}

#[test]
fn f19_a_service_without_a_passphrase_says_so_when_it_starts() {
    let hall = Hall::new();
    begun(&hall, &[]).kill();
    let invited = games(&["adjourn", "1", "--arbiter", "A. Weber", "--invite"], &hall.journal());
    let said = text(&invited);
    assert!(said.contains("`annabella play --passphrase-file FILE`"), "{said}");
    let play = hall.play(&[]);
    hears(&play, "Abgabe nicht möglich: Das Kennwort fehlt.");
    play.kill();
    let passphrase = hall.file("passphrase", "long rook to nowhere\n");
    let play = hall.play(&["--passphrase-file", &passphrase]);
    let missing = |line: &Value| line["say"]["text"] == "Abgabe nicht möglich: Das Kennwort fehlt.";
    play.until("the sealing", |line| {
        assert!(!missing(line), "{line}");
        line["say"]["text"] == "Abgabezug. Sag ihn leise, dann drück die Uhr."
    });
    play.kill();
}
