//! Lines from outside: bytes that are no text, lines without end, writers that die.

use std::{
    fs::OpenOptions, io::Write as _, path::Path, process::Command, thread::sleep, time::Duration,
};

use super::{fifo, folder, with_fifo};
use crate::at_board::{Play, at_rest, config};
use crate::patience::PATIENCE;

/// Opens a FIFO as a writer, writes, goes.
fn write(fifo: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().write(true).open(fifo).expect("a reader");
    file.write_all(bytes).expect("written");
    at_rest(&file);
}

fn reed(fifo: &Path, square: &str, occupied: bool) {
    write(fifo, format!("{{\"square\":\"{square}\",\"occupied\":{occupied}}}\n").as_bytes());
}

/// Ends a game whose board never ends; answers what was complained of.
fn complaints(mut play: Play) -> Vec<String> {
    super::signal(&play.child, "TERM");
    assert!(super::ended(&mut play.child, PATIENCE).is_some_and(|s| s.success()));
    let text = String::from_utf8(play.end().stderr).expect("text");
    text.lines().map(str::to_owned).collect()
}

#[test]
fn a1_a_byte_that_is_no_text_costs_one_line_and_play_goes_on() {
    let folder = folder();
    let (path, board) = with_fifo(folder.path(), "");
    let play = Play::start(&path);
    write(&board, b"\xff\n");
    sleep(Duration::from_millis(3_500));
    reed(&board, "e2", false);
    reed(&board, "e4", true);
    play.until_move("e2e4", "made");
    let told = complaints(play);
    let name = board.display();
    assert_eq!(told, [format!("annabella: {name}, line 1: not UTF-8 text, left out")]);
}

#[test]
fn a1_the_sighted_players_moves_and_presses_count_after_such_a_byte() {
    let folder = folder();
    let other = folder.path().join("sighted");
    fifo(&other);
    for (kind, begin) in [
        ("reed", r#"{"square":"d7","occupied":false}"#),
        ("sim", r#"{"square":"d7","piece":null}"#),
    ] {
        let more = format!("[sighted]\nkind = \"{kind}\"\npath = \"{}\"\n", other.display());
        let _ = std::fs::remove_file(folder.path().join("games.db"));
        let mut play = Play::start(&config(folder.path(), &more));
        play.moves("e2", "e4");
        play.until_move("e2e4", "made");
        play.send(r#"{"press":"white"}"#);
        let copied = |square: &str, there: bool, piece: &str| match (kind, there) {
            ("reed", _) => format!("{{\"square\":\"{square}\",\"occupied\":{there}}}\n"),
            (_, false) => format!("{{\"square\":\"{square}\",\"piece\":null}}\n"),
            _ => format!("{{\"square\":\"{square}\",\"piece\":\"{piece}\"}}\n"),
        };
        let put = |square: &str, there: bool, piece: &str| {
            write(&other, copied(square, there, piece).as_bytes());
        };
        put("e2", false, "");
        put("e4", true, "P");
        sleep(Duration::from_millis(1_500));
        write(&other, b"\xff\xfe\n");
        write(&other, format!("{begin}\n").as_bytes());
        put("d5", true, "p");
        play.until_move("d7d5", "made");
        play.kill();
    }
}

#[test]
fn a1_a_line_of_300_mb_costs_a_bounded_buffer() {
    let folder = folder();
    let (path, board) = with_fifo(folder.path(), "");
    let play = Play::start(&path);
    let mut file = OpenOptions::new().write(true).open(&board).expect("a reader");
    for _ in 0..300 {
        file.write_all(&vec![b'x'; 1 << 20]).expect("written");
    }
    file.write_all(b"\n").expect("written");
    let status = std::fs::read_to_string(format!("/proc/{}/status", play.child.id()));
    let status = status.expect("alive");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its size");
    let most_kb: u64 = line.trim().trim_end_matches(" kB").parse().expect("a number");
    assert!(most_kb < 100_000, "{most_kb} kB");
    reed(&board, "e2", false);
    reed(&board, "e4", true);
    play.until_move("e2e4", "made");
    assert!(complaints(play)[0].ends_with("line 1: longer than 8192 bytes, left out"));
}

#[test]
fn a1_a_flood_of_bad_lines_is_cut_short_in_the_log() {
    let folder = folder();
    let mut play = Play::start(&config(folder.path(), ""));
    for _ in 0..1_000 {
        play.send(&"nonsense\n".repeat(100));
    }
    play.moves("e2", "e4");
    play.until_move("e2e4", "made");
    let told = String::from_utf8(play.end().stderr).expect("text").lines().count();
    assert!(told <= 100, "{told} lines");
}

#[test]
fn low_a_writer_that_dies_in_mid_line_takes_no_other_event_with_it() {
    let folder = folder();
    let (path, board) = with_fifo(folder.path(), "");
    let play = Play::start(&path);
    write(&board, br#"{"square":"e2","occ"#);
    reed(&board, "e2", false);
    // Somebody else holds the FIFO open.
    let _other = OpenOptions::new().write(true).open(&board).expect("a reader");
    write(&board, br#"{"square":"e4","occ"#);
    reed(&board, "e4", true);
    play.until_move("e2e4", "made");
    assert_eq!(complaints(play).len(), 2);
}

#[test]
fn low_a_fifo_that_was_made_anew_is_read() {
    let folder = folder();
    let (path, board) = with_fifo(folder.path(), "");
    let play = Play::start(&path);
    reed(&board, "e2", false);
    std::fs::remove_file(&board).expect("removed");
    fifo(&board);
    reed(&board, "e4", true);
    play.until_move("e2e4", "made");
    complaints(play);
}

#[test]
fn low_no_number_is_too_large_for_infer() {
    for option in ["--settle-ms", "--debounce-ms"] {
        let infer = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["infer", option, "18446744073709551615", "-"])
            .output()
            .expect("runs");
        assert_eq!(infer.status.code(), Some(2));
        let error = String::from_utf8(infer.stderr).expect("text");
        assert!(error.contains("is not in 0..=60000"), "{error}");
    }
}

#[test]
fn low_a_fifo_as_journal_is_refused_at_once() {
    let folder = folder();
    let path = config(folder.path(), "");
    fifo(&folder.path().join("games.db"));
    let mut play = Play::start(&path);
    let ended = super::ended(&mut play.child, PATIENCE);
    assert_eq!(ended.and_then(|status| status.code()), Some(3));
    let error = String::from_utf8(play.end().stderr).expect("text");
    assert!(error.contains("is not a journal of annabella"), "{error}");
}
