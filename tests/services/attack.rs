//! What broke under attack, each by its number: A1 to A12, then the low ones.

mod clock;
mod journal;
mod lines;
mod pages;
mod readers;
mod signals;
mod sound;

use std::{
    path::{Path, PathBuf},
    process::{Child, Command, ExitStatus},
    time::{Duration, Instant},
};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

fn fifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// Sends a signal by its name.
fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill").args(["-s", name, &child.id().to_string()]).status();
    assert!(kill.expect("kill").success());
}

/// Waits for the end of a process, but not for ever.
fn ended(child: &mut Child, within: Duration) -> Option<ExitStatus> {
    let until = Instant::now() + within;
    loop {
        match child.try_wait().expect("a child") {
            None if Instant::now() < until => std::thread::sleep(Duration::from_millis(10)),
            status => return status,
        }
    }
}

/// A configuration whose peg board is a FIFO, which is made.
fn with_fifo(folder: &Path, more: &str) -> (PathBuf, PathBuf) {
    let path = crate::at_board::config(folder, more);
    let board = folder.join("board");
    fifo(&board);
    let text = std::fs::read_to_string(&path).expect("written");
    let named = text.replace("path = \"-\"", &format!("path = \"{}\"", board.display()));
    std::fs::write(&path, named).expect("written");
    (path, board)
}
