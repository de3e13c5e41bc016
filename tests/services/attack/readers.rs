//! Commands and pages that read the journal while the service writes.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader, Write as _},
    process::{Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use super::folder;
use crate::{
    at_board::{Play, config},
    hall::Browser,
};

/// The files of the pieces at the beginning: each square changes seldom enough to be no bouncing
/// contact.
const FILES: [char; 8] = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];

#[test]
fn a_journal_is_whole_for_every_command_and_page_while_a_service_writes_200_inputs_a_second() {
    let folder = folder();
    let path = config(folder.path(), "");
    let text = std::fs::read_to_string(&path).expect("written");
    let pages = text.replace("listen = \"\"", "listen = \"127.0.0.1:0\"");
    std::fs::write(&path, pages).expect("written");
    let mut play = Play::start(&path);
    let mut lines = BufReader::new(play.child.stderr.take().expect("piped")).lines();
    let line = lines.by_ref().map_while(Result::ok).find(|line| line.contains("codes: arbiter "));
    let line = line.expect("codes");
    std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
    let between = |before: &str, after: char| {
        let (_, rest) = line.split_once(before).expect("it is there");
        rest.split(after).next().expect("a word").to_owned()
    };
    let address = between("http://", ';').parse().expect("an address");
    let mut browser = Browser { address, cookies: BTreeMap::new(), language: "en" };
    let code = between("codes: arbiter ", ',');
    assert_eq!(browser.post("/pair", &[("code", &code), ("by", "Weber")]).status, 303);

    let over = Arc::new(AtomicBool::new(false));
    let ended = Arc::clone(&over);
    let mut board = play.stdin.take().expect("open");
    let writer = std::thread::spawn(move || {
        let (mut occupied, mut sent) = (false, 0_u32);
        'all: loop {
            for rank in [1, 2, 7, 8] {
                for file in FILES {
                    if ended.load(Ordering::Relaxed) {
                        break 'all;
                    }
                    let line = format!(r#"{{"square":"{file}{rank}","occupied":{occupied}}}"#);
                    writeln!(board, "{line}").expect("it reads");
                    sent += 1;
                    std::thread::sleep(Duration::from_millis(5));
                }
            }
            occupied = !occupied;
        }
        (board, sent)
    });
    let commands: [&[&str]; 7] = [
        &["games", "list"],
        &["games", "show", "1"],
        &["games", "replay", "1"],
        &["games", "export", "1"],
        &["games", "export", "1", "--report"],
        &["games", "export", "1", "--sheet", "--html"],
        &["doctor", "--seconds", "0", "--json"],
    ];
    let mut wrong = Vec::new();
    for _ in 0..12 {
        for args in commands {
            let mut command = Command::new(env!("CARGO_BIN_EXE_annabella"));
            let done = command.args(args).arg("--config").arg(&path).stdin(Stdio::null()).output();
            let done = done.expect("runs");
            let said = String::from_utf8_lossy(&[done.stdout, done.stderr].concat()).into_owned();
            let whole = match args[0] {
                "doctor" => said.contains("every saved game is whole"),
                _ => done.status.success(),
            };
            if !whole || said.contains("damaged") || said.contains("checksum") {
                wrong.push(format!("{args:?}: {said}"));
            }
        }
        let report = browser.get("/report");
        if report.status != 200 || report.body.contains("damaged") {
            wrong.push(format!("/report: {report:?}"));
        }
    }
    over.store(true, Ordering::Relaxed);
    let (_board, sent) = writer.join().expect("no panic");
    assert!(wrong.is_empty(), "{} times: {}", wrong.len(), wrong.join("\n"));
    let shown = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["games", "replay", "1", "--config"])
        .arg(&path)
        .output()
        .expect("runs");
    assert!(sent > 100 && shown.status.success(), "{sent} were written: {shown:?}");
}
