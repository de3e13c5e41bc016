//! Two blind players: a peg board, an earphone and a voice each, and announcements for both.

use std::{fs::File, io::Write, path::Path, process::Command, thread::sleep, time::Duration};

use serde_json::{Value, json};

use crate::at_board::{Play, at_rest, config};

/// White's board is standard input, Black's a FIFO.
struct Table {
    _folder: tempfile::TempDir,
    play: Play,
    black: File,
}

fn fifo(path: &Path) -> File {
    let made = Command::new("mkfifo").arg(path).status().expect("mkfifo");
    assert!(made.success());
    File::options().read(true).write(true).open(path).expect("a FIFO")
}

fn table(more: &str) -> Table {
    table_with(more, &[])
}

fn table_with(more: &str, args: &[&str]) -> Table {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("black");
    let black = fifo(&path);
    let board = format!("[board_black]\nkind = \"events\"\npath = \"{}\"\n", path.display());
    let text = format!("{board}[game]\nblind = \"both\"\n{more}");
    let play = Play::start_with(&config(folder.path(), &text), args);
    Table { _folder: folder, play, black }
}

impl Table {
    /// Hands on the pegs of this player's board.
    fn hands(&mut self, white: bool, from: &str, to: &str) {
        if white {
            self.play.moves(from, to);
            return;
        }
        for (square, occupied) in [(from, false), (to, true)] {
            writeln!(self.black, "{}", json!({ "square": square, "occupied": occupied }))
                .expect("written");
            at_rest(&self.black);
        }
    }

    /// A move on the mover's board, announced aloud, his press, and the same on the other board.
    fn moves(&mut self, white: bool, from: &str, to: &str, words: &str) {
        self.hands(white, from, to);
        let uci = format!("{from}{to}");
        let said = self.play.until("the announcement", |line| line.get("say").is_some());
        assert_eq!(said["say"], json!({ "channel": "public", "lang": "de", "text": words }));
        self.play.until_move(&uci, "made");
        let side = if white { "white" } else { "black" };
        self.play.send(&json!({ "press": side }).to_string());
        self.play.until_move(&uci, "completed");
        self.hands(!white, from, to);
        self.play.until("agreement", |line| line["boards"] == "agree");
    }

    fn reed(&mut self, white: bool, square: &str, occupied: bool) {
        let line = json!({ "square": square, "occupied": occupied }).to_string();
        if white {
            self.play.reed(square, occupied);
        } else {
            writeln!(self.black, "{line}").expect("written");
            at_rest(&self.black);
        }
    }

    fn says(&mut self, seat: &str, text: &str) {
        self.play.send(&json!({ "announce": text, "seat": seat }).to_string());
    }

    fn hears(&self) -> Value {
        self.play.until("words", |line| line.get("say").is_some())["say"].clone()
    }
}

fn private(seat: &str, text: &str) -> Value {
    json!({ "channel": "private", "lang": "de", "seat": seat, "text": text })
}

#[test]
fn f2_two_blind_players_play_a_game_to_mate_on_two_boards() {
    let mut table = table("");
    table.moves(true, "f2", "f3", "Bauer Felix zwei Felix drei");
    table.moves(false, "e7", "e5", "Bauer Eva sieben Eva fünf");
    // Each hears his own answer, and nothing of the other's.
    table.says("black", "wer ist am Zug");
    assert_eq!(table.hears(), private("black", "Weiß am Zug."));
    table.says("white", "Züge");
    assert_eq!(table.hears()["seat"], "white");
    table.moves(true, "g2", "g4", "Bauer Gustav zwei Gustav vier");
    table.hands(false, "d8", "h4");
    table.play.until_move("d8h4", "made");
    let over = table.play.until("the result", |line| line.get("result").is_some());
    assert_eq!(over["result"], "0-1");
    table.play.kill();
}

#[test]
fn f2_each_announces_by_his_own_voice_and_is_answered_in_his_own_ear() {
    let mut table = table("[duties]\nannounce = false\n");
    table.says("black", "Bauer Eva zwei Eva vier");
    assert_eq!(table.hears(), private("black", "Du bist nicht am Zug."));
    table.says("white", "Bauer Eva zwei Eva vier");
    table.hands(true, "e2", "e4");
    table.play.until_move("e2e4", "made");
    table.play.send(r#"{"press":"white"}"#);
    table.play.until_move("e2e4", "completed");
    table.hands(false, "e2", "e4");
    table.play.until("agreement", |line| line["boards"] == "agree");
    // One resigns: he is asked in his ear, and only his answer counts.
    table.says("white", "ich gebe auf");
    assert_eq!(table.hears(), private("white", "Wirklich aufgeben?"));
    table.says("black", "ja");
    table.says("white", "ja");
    let over = table.play.until("the result", |line| line.get("result").is_some());
    assert_eq!(over["result"], "0-1");
    table.play.kill();
}

#[test]
fn f2_the_game_ends_with_the_last_of_two_boards_and_goes_on_after_a_restart() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("black");
    let mut black = fifo(&path);
    let board = format!("[board_black]\nkind = \"events\"\npath = \"{}\"\n", path.display());
    let path = config(folder.path(), &format!("{board}[game]\nblind = \"both\"\n"));
    let mut play = Play::start(&path);
    play.moves("e2", "e4");
    play.until_move("e2e4", "made");
    play.send(r#"{"press":"white"}"#);
    play.until_move("e2e4", "completed");
    play.kill();
    // The peg of White's move still stands on e2 before Black: his board is taken up as it was.
    let mut play = Play::start(&path);
    for (square, occupied) in [("e2", false), ("e4", true)] {
        writeln!(black, "{}", json!({ "square": square, "occupied": occupied })).expect("written");
        at_rest(&black);
    }
    play.until("agreement", |line| line["boards"] == "agree");
    play.send(r#"{"announce":"letzter Zug","seat":"black"}"#);
    let said = play.until("an answer", |line| line.get("say").is_some());
    assert_eq!(said["say"]["seat"], "black");
    // White's lines end; Black's board is still there.
    let mut child = play.close();
    sleep(Duration::from_secs(4));
    assert!(child.try_wait().expect("a process").is_none(), "Black's board is still read");
    child.kill().expect("killed");
    child.wait().expect("dead");
}

fn both(text: &str) -> Value {
    json!({ "channel": "private", "lang": "de", "text": text })
}

#[test]
fn f2_two_blind_players_set_their_game_up_at_two_boards() {
    let mut table = table_with("", &["--setup"]);
    assert_eq!(table.hears(), both("Neue Partie. Beide blind. Turnierpartie. Richtig so?"));
    table.reed(false, "h8", false);
    table.says("black", "Blitz");
    assert_eq!(
        table.hears(),
        both("Drei Minuten plus zwei Sekunden. Beide blind. Blitz. Richtig so?")
    );
    table.says("white", "ja");
    // Each hears for himself what is to be done on his own board.
    assert_eq!(table.hears(), private("white", "Heb kurz den weißen Bauern von Eva zwei."));
    assert_eq!(table.hears(), private("black", "Setz den schwarzen Turm auf Hector acht."));
    table.reed(true, "e2", false);
    table.reed(true, "e2", true);
    let waits = private("white", "Grundstellung. Am anderen Brett ist noch nicht aufgebaut.");
    assert_eq!(table.hears(), waits);
    table.says("white", "Uhr starten");
    assert_eq!(table.hears(), waits, "no clock starts over a wrong board");
    table.reed(false, "h8", true);
    assert_eq!(table.hears(), private("black", "Heb kurz den schwarzen Bauern von Eva sieben."));
    table.reed(false, "e7", false);
    table.reed(false, "e7", true);
    assert_eq!(table.hears(), both("Grundstellung. Alles bereit. Uhr starten?"));
    table.play.send(r#"{"press":"black"}"#);
    let clock = table.play.until("the clock", |line| line["clock"]["running"] == "white");
    assert_eq!(clock["clock"]["black_ms"], 182_000);
    table.moves(true, "f2", "f3", "Bauer Felix zwei Felix drei");
    table.moves(false, "e7", "e5", "Bauer Eva sieben Eva fünf");
    table.moves(true, "g2", "g4", "Bauer Gustav zwei Gustav vier");
    table.hands(false, "d8", "h4");
    let over = table.play.until("the result", |line| line.get("result").is_some());
    assert_eq!(over["result"], "0-1");
    table.says("black", "Spielstand");
    let score = private("black", "Gewonnen eins, remis null, verloren null.");
    table.play.until("his score", |line| line["say"] == score);
    table.says("white", "nächste Partie");
    table.play.until("the question", |line| line["say"] == both("Farben tauschen?"));
    table.play.kill();
}

#[test]
fn f8_of_two_blind_players_an_unknown_voice_is_asked_by_name_whose_word_it_is() {
    let mut table = table("");
    let says = |table: &mut Table, text: &str| {
        table.play.send(&json!({ "announce": text }).to_string());
    };
    says(&mut table, "Remis anbieten");
    assert_eq!(table.hears(), both("Weiß? Remis anbieten?"));
    // The other's own voice answers nothing for him.
    table.says("black", "wer ist am Zug");
    says(&mut table, "nein");
    table.play.until("no more", |line| line["say"] == both("Gut, dann nicht."));
    assert_eq!(table.hears(), both("Schwarz? Dann sag: zwei."));
    says(&mut table, "zwei");
    assert_eq!(table.hears(), both("Schwarz? Remis anbieten?"));
    says(&mut table, "nein");
    assert_eq!(table.hears(), both("Gut, dann nicht."));
    says(&mut table, "ich gebe auf");
    assert_eq!(table.hears(), both("Weiß gibt auf?"));
    says(&mut table, "nein");
    assert_eq!(table.hears(), both("Gut, dann nicht."));
    assert_eq!(table.hears(), both("Schwarz? Dann sag: zwei."));
    says(&mut table, "zwei");
    assert_eq!(table.hears(), both("Schwarz gibt auf?"));
    table.says("black", "ja");
    let over = table.play.until("the result", |line| line.get("result").is_some());
    assert_eq!(over["result"], "1-0");
    // Each signs for himself.
    says(&mut table, "ich unterschreibe");
    table.play.until("his name", |line| {
        line["say"]["text"].as_str().is_some_and(|text| text.starts_with("Weiß? "))
    });
    says(&mut table, "nein");
    table.play.until("his name", |line| {
        line["say"]["text"].as_str().is_some_and(|text| text.starts_with("Schwarz? "))
    });
}
