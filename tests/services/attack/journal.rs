//! The journal: damage, files that are taken away, a disk that takes nothing.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use annabella_core::game::{At, GameConfig, Input, Ruling};
use annabella_records::journal::{GameId, Journal, Records, open_repaired, repair};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rusqlite::Connection;
use serde_json::Value;

use super::folder;
use crate::patience::until;
use crate::{
    at_board::{Play, config},
    recorded::{fools_mate, games, started},
    skip::skipped,
};

const FIRST: GameId = GameId { number: 1 };
const DAMAGED: &str = "Gespeicherte Partien waren beschädigt. Was lesbar war, ist gerettet.";
const NOT_SAVED: &str =
    "Die Partie wird nicht gespeichert, geht aber weiter. Ruf den Schiedsrichter.";
const SAVED_AGAIN: &str = "Die Partie wird wieder gespeichert.";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn says(play: &Play, words: &str) -> Value {
    play.until(words, |line| line["say"]["text"] == words)
}

/// A game that is over, in the journal of `config`.
fn old_game(folder: &Path) -> PathBuf {
    fools_mate(folder, ["Anna", "Hector"], |_| Vec::new())
}

fn sql(path: &Path, text: &str) {
    Connection::open(path).and_then(|db| db.execute_batch(text)).expect("changed");
}

/// Makes a page of the rows unreadable.
fn spoil_a_page(path: &Path) {
    let mut bytes = fs::read(path).expect("a journal");
    let pages = bytes.len() / 4096;
    // The last leaf of a table without rowids: page type 10.
    let leaf = (1..pages).rev().find(|n| bytes[n * 4096] == 10).expect("a leaf");
    bytes[leaf * 4096] ^= 1;
    fs::write(path, bytes).expect("spoilt");
}

fn plays_a_move(play: &mut Play, from: &str, to: &str) {
    play.moves(from, to);
    play.until_move(&format!("{from}{to}"), "made");
}

#[test]
fn a2_damage_in_an_old_game_stops_no_new_one() {
    for args in [&["--new"][..], &[]] {
        let folder = folder();
        let path = config(folder.path(), "");
        let journal = old_game(folder.path());
        spoil_a_page(&journal);
        let spoilt = fs::read(&journal).expect("kept");
        let mut play = Play::start_with(&path, args);
        says(&play, DAMAGED);
        plays_a_move(&mut play, "e2", "e4");
        let told = text(&play.end().stderr);
        let aside = folder.path().join("games.db.damaged-1");
        assert!(
            told.contains("is damaged (") && told.contains("the old file is kept as"),
            "{told}"
        );
        assert_eq!(fs::read(aside).expect("kept"), spoilt);
        let last = Records::open(&journal).expect("opens").latest_first().expect("a list")[0].id;
        assert!(Records::open(&journal).expect("opens").inputs(last).expect("whole").len() > 2);
    }
}

#[test]
fn a2_a_game_that_goes_on_begins_again_before_its_damaged_row() {
    let folder = folder();
    let path = config(folder.path(), "");
    let mut play = Play::start(&path);
    for (from, to, side) in [("e2", "e4", "white"), ("e7", "e5", "black"), ("g1", "f3", "white")] {
        plays_a_move(&mut play, from, to);
        play.send(&format!(r#"{{"press":"{side}"}}"#));
        play.until_move(&format!("{from}{to}"), "completed");
    }
    play.kill();
    let journal = folder.path().join("games.db");
    let rows: i64 = Connection::open(&journal)
        .and_then(|db| db.query_row("SELECT max(number) FROM input", [], |row| row.get(0)))
        .expect("rows");
    sql(&journal, &format!("UPDATE input SET at_ms = at_ms + 1 WHERE number = {}", rows - 1));
    let mut play = Play::start(&path);
    says(&play, DAMAGED);
    play.send(r#"{"announce":"letzter Zug"}"#);
    play.until("the last move", |line| {
        line["say"]["text"].as_str().is_some_and(|text| text.contains("Eva fünf"))
            || line["say"]["text"].as_str().is_some_and(|text| text.contains("Felix drei"))
    });
    let told = text(&play.end().stderr);
    assert!(told.contains("game 1 ends with input") && told.contains("checksum"), "{told}");
}

#[test]
fn a2_doctor_and_list_name_the_damage_and_repair_saves_the_rest() {
    let folder = folder();
    let path = config(folder.path(), "");
    let journal = old_game(folder.path());
    let doctor = || -> String {
        let output: Output = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["doctor", "--seconds", "0", "--json", "--config"])
            .arg(&path)
            .output()
            .expect("runs");
        let all = text(&output.stdout);
        all.lines().find(|line| line.contains(r#""check":"games""#)).expect("a check").to_owned()
    };
    assert!(doctor().contains("every saved game is whole"));
    sql(&journal, "UPDATE input SET at_ms = at_ms + 1 WHERE number = 5");
    assert!(doctor().contains("game 1, input 5: its checksum is another"), "{}", doctor());
    assert!(text(&games(&["list"], &journal).stdout).contains("damaged: `annabella games repair`"));
    let shown = games(&["show", "1"], &journal);
    assert!(text(&shown.stderr).contains("input 5"), "{}", text(&shown.stderr));

    let saved = folder.path().join("saved.db");
    let repaired = games(&["repair", saved.to_str().expect("a name")], &journal);
    assert_eq!(repaired.status.code(), Some(1));
    let told = text(&repaired.stdout);
    assert!(told.starts_with("game 1 ends with input 4: the checksum"), "{told}");
    assert!(told.contains("1 game with 4 inputs is saved in"), "{told}");
    assert_eq!(Records::open(&saved).expect("opens").inputs(FIRST).expect("whole").len(), 4);
    // Nothing is written over.
    assert_eq!(
        games(&["repair", saved.to_str().expect("a name")], &journal).status.code(),
        Some(2)
    );
}

#[test]
fn a2_repair_saves_every_other_game_from_a_damaged_page() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("opens");
    for game in 1..=20 {
        let at = journal.resume_at().expect("a moment").ms;
        let id = journal.begin(&started(GameConfig::default()), At::new(at)).expect("begins");
        let rows: Vec<_> = (0..60).map(|n| (At::new(at + n), Input::Woke)).collect();
        journal.append_all(id, &rows).expect("kept");
        journal.close(id, if game % 2 == 0 { "1-0" } else { "*" }).expect("closed");
    }
    drop(journal);
    let whole = fs::read(&path).expect("a journal");
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let (mut saved_least, mut files) = (u64::MAX, 0);
    for round in 0..40 {
        let mut bytes = whole.clone();
        // Behind the list of tables, in one page.
        let place = rng.random_range(4096..bytes.len() - 600);
        bytes[place..place + 600].fill(rng.random());
        let damaged = folder.path().join(format!("{round}.db"));
        fs::write(&damaged, &bytes).expect("written");
        let (journal, _) = open_repaired(&damaged).expect("opens all the same");
        files += 1;
        let rows = journal.games().expect("a list");
        let inputs = rows.iter().map(|row| row.inputs).sum::<u64>();
        saved_least = saved_least.min(inputs);
        for row in rows.iter().filter(|row| row.result.is_none()) {
            journal.inputs(row.id).expect("whole");
        }
    }
    assert_eq!(files, 40);
    assert!(saved_least > 400, "of 1220 only {saved_least}");
}

#[test]
fn a2_repair_saves_as_many_games_as_there_are() {
    let folder = folder();
    let path = folder.path().join("games.db");
    let mut journal = Journal::open(&path).expect("opens");
    for moment in 0..40 {
        journal.begin(&started(GameConfig::default()), At::new(moment)).expect("begins");
    }
    drop(journal);
    let saved = repair(&path, &folder.path().join("new.db")).expect("saved");
    assert_eq!((saved.games, saved.inputs, saved.lost), (40, 40, Vec::new()));
}

/// Another program holds the journal, until it lets go or is dropped.
fn locked(path: &Path) -> Connection {
    let other = Connection::open(path).expect("opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    other
}

#[test]
fn a6_a_journal_that_cannot_be_written_is_told_once_and_play_goes_on() {
    let folder = folder();
    let path = config(folder.path(), "");
    let mut play = Play::start(&path);
    plays_a_move(&mut play, "e2", "e4");
    let other = locked(&folder.path().join("games.db"));
    play.send(r#"{"press":"white"}"#);
    let told = play.until("the fault", |line| line["problem"]["article"] == "D.2.7");
    assert!(told.to_string().contains("locked"), "{told}");
    let said = says(&play, NOT_SAVED);
    assert_eq!(said["say"]["channel"], "private");
    plays_a_move(&mut play, "e7", "e5");
    other.execute_batch("ROLLBACK").expect("free");
    let again = std::cell::Cell::new(0);
    play.until(SAVED_AGAIN, |line| {
        again.set(again.get() + usize::from(line["say"]["text"] == NOT_SAVED));
        line["say"]["text"] == SAVED_AGAIN
    });
    assert_eq!(again.get(), 0, "told more than once");
    let output = play.end();
    assert_eq!(output.status.code(), Some(0));
    let records = Records::open(folder.path().join("games.db")).expect("opens");
    let moves = games(&["show", "1"], records.path());
    assert!(text(&moves.stdout).contains("e5"), "{}", text(&moves.stdout));
}

/// A disk of its own, half a megabyte, where the system lets us have one.
const SMALL_DISK: &str =
    r#"mount -t tmpfs -o size=600k tmpfs "$1" && exec "$2" play --json --config "$3""#;

#[test]
fn a6_on_a_full_disk_play_goes_on_and_everything_is_written_when_there_is_room() {
    let may = Command::new("unshare").args(["--map-root-user", "--mount", "true"]).output();
    if !may.is_ok_and(|output| output.status.success()) {
        skipped("mounts", "unshare may not make a file system of its own here");
        return;
    }
    let folder = folder();
    let disk = folder.path().join("disk");
    fs::create_dir(&disk).expect("made");
    let path = config(folder.path(), "");
    let journal = disk.join("games.db");
    let lines = fs::read_to_string(&path).expect("written");
    let there = folder.path().join("games.db").display().to_string();
    fs::write(&path, lines.replace(&there, &journal.display().to_string())).expect("written");
    let mut command = Command::new("unshare");
    command.args(["--map-root-user", "--mount", "sh", "-c", SMALL_DISK, "sh"]);
    command.arg(&disk).arg(env!("CARGO_BIN_EXE_annabella")).arg(&path);
    let mut play = Play::start_by(command);
    plays_a_move(&mut play, "e2", "e4");
    // The process sees another disk there than we do.
    let root = PathBuf::from(format!("/proc/{}/root", play.child.id()));
    let inside = |path: &Path| root.join(path.strip_prefix("/").expect("absolute"));
    let filler = inside(&disk.join("filler"));
    let zeros = vec![0; 1 << 20];
    fs::write(&filler, &zeros).expect_err("it is full");
    let (mut said, mut told) = (false, false);
    for (from, to) in [("e7", "e5"), ("g1", "f3"), ("b8", "c6"), ("f1", "b5"), ("a7", "a6")] {
        play.send(r#"{"announce":"letzter Zug"}"#);
        play.moves(from, to);
        play.until(&format!("{from}{to}"), |line| {
            said |= line["say"]["text"] == NOT_SAVED;
            told |=
                line["problem"]["text"].as_str().is_some_and(|t| t.contains("the disk is full"));
            line["move"]["uci"] == format!("{from}{to}") && line["move"]["state"] == "made"
        });
    }
    assert!(said && told, "nobody heard that the disk is full");
    fs::remove_file(&filler).expect("room again");
    std::thread::sleep(std::time::Duration::from_secs(4));
    play.send(r#"{"announce":"letzter Zug"}"#);
    says(&play, SAVED_AGAIN);
    for end in ["", "-wal"] {
        let name = format!("games.db{end}");
        fs::copy(inside(&disk.join(&name)), folder.path().join(&name)).expect("copied");
    }
    assert_eq!(play.end().status.code(), Some(0));
    let shown = games(&["show", "1"], &folder.path().join("games.db"));
    assert!(text(&shown.stdout).contains("a6"), "{}", text(&shown.stdout));
}

#[test]
fn a6_a_lock_of_a_moment_is_waited_for() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("opens");
    let id = journal.begin(&started(GameConfig::default()), At::new(1)).expect("begins");
    let other = locked(&path);
    let held = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(150));
        other.execute_batch("ROLLBACK").expect("free");
    });
    journal.append(id, At::new(2), &Input::Woke).expect("waited for");
    held.join().expect("no panic");
}

#[test]
fn a6_what_could_not_be_saved_at_the_end_is_counted() {
    let folder = folder();
    let path = config(folder.path(), "");
    let mut play = Play::start(&path);
    plays_a_move(&mut play, "e2", "e4");
    let _other = locked(&folder.path().join("games.db"));
    plays_a_move(&mut play, "e7", "e5");
    let output = play.end();
    assert_eq!(output.status.code(), Some(3));
    let told = text(&output.stderr);
    assert!(told.contains("inputs of game 1 are lost: journal"), "{told}");
}

#[test]
fn a6_where_there_can_be_no_journal_the_player_hears_it() {
    let folder = folder();
    let path = config(folder.path(), "");
    let journal = old_game(folder.path());
    let refused = |what: &str| {
        let play = Play::start(&path);
        says(
            &play,
            match what.contains("runs already") {
                true => "Annabella läuft schon.",
                false => "Partien lassen sich nicht speichern. Ruf den Schiedsrichter.",
            },
        );
        let output = play.end();
        assert_eq!(output.status.code(), Some(3));
        assert!(text(&output.stderr).contains(what), "{}", text(&output.stderr));
    };
    let other = Connection::open(&journal).expect("opens");
    other.execute_batch("BEGIN IMMEDIATE").expect("locked");
    // The last game is over: without `--new` the lobby would ask.
    let play = Play::start_with(&path, &["--new"]);
    says(&play, "Partien lassen sich nicht speichern. Ruf den Schiedsrichter.");
    assert!(text(&play.end().stderr).contains("database is locked"));
    drop(other);
    let held = Journal::open(&journal).expect("opens");
    refused("annabella runs already");
    drop(held);
    sql(&journal, "PRAGMA user_version = 9");
    refused("has version 9");
    fs::write(&journal, "1. e4 e5\n".repeat(100)).expect("another file");
    refused("is not a journal of annabella");
    fs::remove_file(&journal).expect("gone");
    fs::create_dir(&journal).expect("a folder");
    refused("is not a journal of annabella");
}

#[test]
fn a7_after_each_completed_move_the_file_alone_holds_the_game() {
    let folder = folder();
    let mut play = Play::start(&config(folder.path(), ""));
    plays_a_move(&mut play, "e2", "e4");
    play.send(r#"{"press":"white"}"#);
    play.until_move("e2e4", "completed");
    let copy = folder.path().join("copy.db");
    until("the move in a copy", || {
        fs::copy(folder.path().join("games.db"), &copy).expect("copied");
        let records = Records::open(&copy);
        records.and_then(|records| records.inputs(FIRST)).is_ok_and(|inputs| {
            inputs.iter().any(|(_, input)| matches!(input, Input::Pressed { .. }))
        })
    });
    play.kill();
}

#[test]
fn a7_inputs_that_a_damaged_log_has_lost_are_counted() {
    let folder = folder();
    let path = config(folder.path(), "");
    let mut play = Play::start(&path);
    for _ in 0..30 {
        play.send(r#"{"announce":"letzter Zug"}"#);
        play.until("an answer", |line| line.get("say").is_some());
    }
    play.kill();
    let log = folder.path().join("games.db-wal");
    let mut bytes = fs::read(&log).expect("a log");
    let half = bytes.len() / 2;
    bytes[half] ^= 1;
    fs::write(&log, bytes).expect("spoilt");
    let play = Play::start(&path);
    says(&play, DAMAGED);
    let told = text(&play.end().stderr);
    assert!(told.contains("inputs that were written are missing"), "{told}");
}

#[test]
fn a8_an_empty_file_beside_a_log_is_not_taken_for_new() {
    let folder = folder();
    let path = config(folder.path(), "");
    let mut play = Play::start(&path);
    plays_a_move(&mut play, "e2", "e4");
    play.kill();
    let log = fs::read(folder.path().join("games.db-wal")).expect("a log");
    fs::write(folder.path().join("games.db"), "").expect("emptied");
    let mut play = Play::start(&path);
    says(&play, DAMAGED);
    plays_a_move(&mut play, "d2", "d4");
    let told = text(&play.end().stderr);
    assert!(told.contains("it is empty, but the log beside it has"), "{told}");
    let aside = folder.path().join("games.db.damaged-1-wal");
    assert_eq!(fs::read(aside).expect("kept"), log);
}

#[test]
fn a8_a_journal_that_is_taken_away_is_noticed() {
    for replaced in [false, true] {
        let folder = folder();
        let mut play = Play::start(&config(folder.path(), ""));
        plays_a_move(&mut play, "e2", "e4");
        let journal = folder.path().join("games.db");
        fs::rename(&journal, folder.path().join("elsewhere.db")).expect("taken");
        if replaced {
            fs::copy(folder.path().join("elsewhere.db"), &journal).expect("exchanged");
        }
        play.send(r#"{"press":"white"}"#);
        says(&play, NOT_SAVED);
        // Put back, it takes everything that waited.
        fs::rename(folder.path().join("elsewhere.db"), &journal).expect("put back");
        says(&play, SAVED_AGAIN);
        assert_eq!(play.end().status.code(), Some(0));
    }
}

#[test]
fn a9_no_flipped_bit_changes_a_game_unnoticed() {
    let folder = folder();
    let path = old_game(folder.path());
    let wanted = Records::open(&path).expect("opens").inputs(FIRST).expect("whole");
    let whole = fs::read(&path).expect("a journal");
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let flipped = folder.path().join("flipped.db");
    let mut noticed = 0;
    for round in 0..300 {
        let mut bytes = whole.clone();
        let place = rng.random_range(0..bytes.len());
        bytes[place] ^= 1 << rng.random_range(0..8);
        fs::write(&flipped, &bytes).expect("written");
        match Records::open(&flipped).and_then(|records| records.inputs(FIRST)) {
            Ok(inputs) => assert_eq!(inputs, wanted, "round {round}, byte {place}"),
            Err(_) => noticed += 1,
        }
    }
    assert!(noticed > 50, "only {noticed}");
}

#[test]
fn a9_nobody_edits_an_arbiters_document() {
    let folder = folder();
    let path = fools_mate(folder.path(), ["Anna", "Hector"], |ply| {
        let act = annabella_core::game::ArbiterAct::Note {
            text: annabella_words::phrase::Note::Words("phone rang".to_owned()),
        };
        let note = Input::Arbiter(Box::new(Ruling::new(act, "A. Weber", "reported")));
        if ply == 2 { vec![(100, note)] } else { Vec::new() }
    });
    sql(&path, "UPDATE input SET json = replace(json, 'phone rang', 'all quiet!')");
    let report = games(&["export", "1", "--report"], &path);
    assert_eq!(report.status.code(), Some(2));
    assert!(text(&report.stderr).contains("its checksum is another"));
    // Nor is a row taken out, put in, or cut off.
    let rows = "DELETE FROM input WHERE number = (SELECT max(number) FROM input)";
    let other = folder.path().join("other.db");
    fs::remove_file(&path).expect("removed");
    let whole = old_game(folder.path());
    for change in [rows, "DELETE FROM input WHERE number = 4"] {
        fs::copy(&whole, &other).expect("copied");
        sql(&other, change);
        let read = Records::open(&other).and_then(|records| records.inputs(FIRST));
        assert!(read.is_err(), "{change}");
    }
}

#[test]
fn low_the_journal_is_its_owners_alone() {
    let folder = folder();
    let path = folder.path().join("a.db");
    let _journal = Journal::open(&path).expect("opens");
    for end in ["", "-wal", "-shm"] {
        let file = PathBuf::from(format!("{}{end}", path.display()));
        let mode = fs::metadata(file).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{end}");
    }
}

#[test]
fn low_a_game_that_cannot_be_begun_is_not_gone_on_with() {
    let folder = folder();
    let path = config(folder.path(), "");
    let mut journal = Journal::open(folder.path().join("games.db")).expect("opens");
    let control = GameConfig { time_control: "3+nonsense".to_owned(), ..GameConfig::default() };
    journal.begin(&started(control), At::new(5)).expect("begins");
    let resumed = annabella::service::Service::resume(journal, FIRST).expect_err("no game");
    assert!(resumed.to_string().contains("game 1 cannot be played: "), "{resumed}");
    let mut play = Play::start(&path);
    plays_a_move(&mut play, "e2", "e4");
    assert_eq!(play.end().status.code(), Some(0));
    let play = Play::start_with(&path, &["--game", "1"]);
    let output = play.end();
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("it can't be played on"));
}

#[test]
fn a_journal_of_an_earlier_version_is_saved_in_a_new_one() {
    let folder = folder();
    let path = old_game(folder.path());
    sql(&path, "ALTER TABLE input DROP COLUMN sum; PRAGMA user_version = 1");
    let saved = repair(&path, &folder.path().join("new.db")).expect("saved");
    assert_eq!((saved.games, saved.lost.len()), (1, 0));
    let (journal, found) = open_repaired(&path).expect("opens");
    assert_eq!(journal.inputs(FIRST).expect("whole").len() as u64, saved.inputs);
    assert!(found.told[0].contains("has version 1"), "{found:?}");
    assert!(!found.damaged && folder.path().join("games.db.version-1").exists());
}
