//! Streams that nobody reads, and signals.

use std::{
    fs::{File, OpenOptions},
    io::{Read as _, Write as _},
    os::unix::process::ExitStatusExt as _,
    path::Path,
    process::{Child, Command, Stdio},
    thread::sleep,
    time::Duration,
};

use super::{ended, folder, signal, with_fifo};
use crate::at_board::{Play, at_rest};
use crate::patience::until;

const SOON: Duration = Duration::from_secs(5);

fn play(config: &Path, stdout: Stdio, stderr: Stdio) -> Child {
    Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["play", "--json", "--config"])
        .arg(config)
        .stdin(Stdio::null())
        .stdout(stdout)
        .stderr(stderr)
        .spawn()
        .expect("starts")
}

/// A move on the FIFO's board.
fn moves(board: &mut File, from: &str, to: &str) {
    for (square, occupied) in [(from, false), (to, true)] {
        writeln!(board, r#"{{"square":"{square}","occupied":{occupied}}}"#).expect("written");
        at_rest(&*board);
    }
}

fn plies(folder: &Path) -> u64 {
    let list = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["games", "list", "--json", "--journal"])
        .arg(folder.join("games.db"))
        .output()
        .expect("runs");
    let line: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap_or_default();
    line["plies"].as_u64().unwrap_or(0)
}

#[test]
fn a4_a_full_standard_error_stops_nobody() {
    let folder = folder();
    let (path, board) = with_fifo(folder.path(), "");
    let full = OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    let mut child = play(&path, Stdio::null(), full.into());
    let mut board = OpenOptions::new().write(true).open(&board).expect("a reader");
    writeln!(board, "nonsense").expect("written");
    moves(&mut board, "e2", "e4");
    until("the move", || plies(folder.path()) == 1);
    assert_eq!(child.try_wait().expect("a child"), None);
    signal(&child, "TERM");
    assert_eq!(ended(&mut child, SOON).and_then(|status| status.code()), Some(0));
}

#[test]
fn a4_a_closed_or_full_standard_output_stops_nobody_and_is_told_once() {
    let (closed, writer) = std::io::pipe().expect("a pipe");
    drop(closed);
    let full = OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    for out in [Stdio::from(writer), full.into()] {
        let folder = folder();
        let (path, board) = with_fifo(folder.path(), "");
        let mut child = play(&path, out, Stdio::piped());
        let mut board = OpenOptions::new().write(true).open(&board).expect("a reader");
        moves(&mut board, "e2", "e4");
        until("the move", || plies(folder.path()) == 1);
        signal(&child, "TERM");
        assert_eq!(ended(&mut child, SOON).and_then(|status| status.code()), Some(0));
        let mut told = String::new();
        child.stderr.take().expect("piped").read_to_string(&mut told).expect("text");
        assert!(told.contains("; the game goes on without it"), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
}

#[test]
fn a4_a_standard_output_that_nobody_reads_stops_neither_the_game_nor_sigterm() {
    let folder = folder();
    let (path, board) = with_fifo(folder.path(), "");
    // Neither is ever read.
    let mut child = play(&path, Stdio::piped(), Stdio::piped());
    let mut board = OpenOptions::new().write(true).open(&board).expect("a reader");
    // More than a pipe holds.
    for _ in 0..1_500 {
        writeln!(board, r#"{{"announce":"letzter Zug"}}"#).expect("written");
        writeln!(board, "nonsense").expect("written");
    }
    moves(&mut board, "e2", "e4");
    until("the move", || plies(folder.path()) == 1);
    signal(&child, "TERM");
    assert_eq!(ended(&mut child, SOON).and_then(|status| status.code()), Some(0));
}

#[test]
fn a4_nothing_in_the_program_prints_where_printing_can_panic() {
    fn files(folder: &Path, found: &mut Vec<std::path::PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => files(&path, found),
                false => found.push(path),
            }
        }
    }
    let mut found = Vec::new();
    let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for part in ["program", "devices", "console", "records", "core", "words", "threads"] {
        files(&src.join(part), &mut found);
    }
    let faults: Vec<String> = found
        .iter()
        .filter(|path| path.extension().is_some_and(|end| end == "rs"))
        .filter(|path| !path.ends_with("build.rs"))
        .filter_map(|path| {
            let text = std::fs::read_to_string(path).expect("text");
            let bad = |line: &&str| {
                let line = line.trim_start();
                !line.starts_with("//") && line.contains("print!(") | line.contains("println!(")
            };
            // Tests may print.
            let shipped = text.split("#[cfg(test)]").next().unwrap_or_default();
            shipped.lines().find(bad).map(|line| format!("{}: {line}", path.display()))
        })
        .collect();
    assert!(found.len() > 100 && faults.is_empty(), "{faults:#?}");
}

#[test]
fn a5_no_signal_is_lost_while_events_stream() {
    for n in 0..12 {
        let folder = folder();
        let (path, board) = with_fifo(folder.path(), "");
        let mut child = play(&path, Stdio::null(), Stdio::null());
        let mut board = OpenOptions::new().write(true).open(&board).expect("a reader");
        let line = match n % 3 {
            0 => r#"{"announce":"letzter Zug"}"#,
            1 => r#"{"square":"e2","occupied":false}"#,
            _ => "nonsense",
        };
        let streaming = std::thread::spawn(move || {
            // Ends with the reader.
            while writeln!(board, "{line}").is_ok() {
                sleep(Duration::from_millis(if n < 6 { 0 } else { 4 }));
            }
        });
        sleep(Duration::from_millis(700));
        signal(&child, if n % 2 == 0 { "TERM" } else { "INT" });
        let status = ended(&mut child, SOON);
        // Whatever the outcome, no child is left behind.
        let _ = child.kill();
        assert_eq!(status.and_then(|status| status.code()), Some(0), "run {n}: {line}");
        streaming.join().expect("no panic");
    }
}

#[test]
fn low_a_terminal_that_is_closed_ends_no_game() {
    let folder = folder();
    let (path, board) = with_fifo(folder.path(), "");
    let mut play = Play::start(&path);
    let mut file = OpenOptions::new().write(true).open(board).expect("a reader");
    moves(&mut file, "e2", "e4");
    play.until_move("e2e4", "made");
    signal(&play.child, "HUP");
    moves(&mut file, "e7", "e5");
    sleep(Duration::from_millis(300));
    let status = play.child.try_wait().expect("a child");
    assert_eq!(status.and_then(|status| status.signal()), None);
    assert_eq!(status, None);
    play.kill();
}
