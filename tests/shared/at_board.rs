//! `annabella play` as a child process: events go in, JSON lines come out.

// Each story uses what it needs.
#![allow(dead_code)]

use std::{
    io::{BufRead, BufReader, Write},
    os::fd::AsFd,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Output, Stdio},
    sync::mpsc,
    time::Duration,
};

use serde_json::Value;

use crate::patience::{PATIENCE, until};

pub(crate) fn config(folder: &Path, more: &str) -> PathBuf {
    let path = folder.join("annabella.toml");
    let text = format!(
        "[board]\nkind = \"events\"\npath = \"-\"\nsettle_ms = 60\ncastling_ms = 120\n\
         [speech]\nengine = \"none\"\nlisten = \"off\"\n[console]\nlisten = \"\"\n[journal]\npath = \"{}\"\n{more}",
        folder.join("games.db").display()
    );
    std::fs::write(&path, text).expect("written");
    path
}

/// Waits until the line on this pipe was read, and then for longer than the reeds' debounce, 20 ms.
/// Lines that a busy machine reads in one moment would be a piece that was lifted and put in no
/// time.
pub(crate) fn at_rest(pipe: impl AsFd) {
    until("the line is read", || rustix::io::ioctl_fionread(&pipe).is_ok_and(|bytes| bytes == 0));
    std::thread::sleep(Duration::from_millis(60));
}

/// A program that ends with its test, however that ends.
pub(crate) struct Running(Option<Child>);

impl std::ops::Deref for Running {
    type Target = Child;

    fn deref(&self) -> &Child {
        self.0.as_ref().expect("it runs")
    }
}

impl std::ops::DerefMut for Running {
    fn deref_mut(&mut self) -> &mut Child {
        self.0.as_mut().expect("it runs")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Some(mut child) = self.0.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

pub(crate) struct Play {
    pub(crate) child: Running,
    pub(crate) stdin: Option<ChildStdin>,
    lines: mpsc::Receiver<Value>,
}

impl Play {
    pub(crate) fn start(config: &Path) -> Play {
        Play::start_with(config, &[])
    }

    pub(crate) fn start_with(config: &Path, args: &[&str]) -> Play {
        let mut command = Command::new(env!("CARGO_BIN_EXE_annabella"));
        command.args(["play", "--json", "--config"]).arg(config).args(args);
        Play::start_by(command)
    }

    /// By a command that ends as `annabella play --json`.
    pub(crate) fn start_by(mut command: Command) -> Play {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                let line: Value = serde_json::from_str(&line).expect("a JSON line");
                crate::described::assert_described("play", &line);
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Play { stdin: child.stdin.take(), child: Running(Some(child)), lines }
    }

    pub(crate) fn send(&mut self, line: &str) {
        let stdin = self.stdin.as_mut().expect("open");
        writeln!(stdin, "{line}").expect("written");
    }

    pub(crate) fn reed(&mut self, square: &str, occupied: bool) {
        self.send(&format!(r#"{{"square":"{square}","occupied":{occupied}}}"#));
        at_rest(self.stdin.as_ref().expect("open"));
    }

    pub(crate) fn moves(&mut self, from: &str, to: &str) {
        self.reed(from, false);
        self.reed(to, true);
    }

    /// Waits for a line that fits.
    pub(crate) fn until(&self, what: &str, mut fits: impl FnMut(&Value) -> bool) -> Value {
        let mut seen = Vec::new();
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("no line for {what} among {seen:#?}"));
            if fits(&line) {
                return line;
            }
            seen.push(line.to_string());
        }
    }

    /// The next words, as a transcript has them; `None` when none come in this time.
    pub(crate) fn spoken_within(&self, patience: Duration) -> Option<String> {
        let end = std::time::Instant::now() + patience;
        loop {
            let left = end.saturating_duration_since(std::time::Instant::now());
            let line = self.lines.recv_timeout(left).ok()?;
            let say = &line["say"];
            if let Some(text) = say["text"].as_str() {
                let place = if say["channel"] == "public" { "aloud" } else { "in the ear" };
                return Some(format!("{place}: {text}"));
            }
        }
    }

    /// As with Ctrl+C.
    pub(crate) fn interrupt(mut self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
        assert!(self.child.wait().expect("ends").success());
    }

    pub(crate) fn until_move(&self, uci: &str, state: &str) -> Value {
        self.until(&format!("{uci} {state}"), |line| {
            line["move"]["uci"] == uci && line["move"]["state"] == state
        })
    }

    /// As when the power goes.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("dead");
    }

    /// Its standard input ends; nothing is waited for.
    pub(crate) fn close(self) -> Running {
        self.child
    }

    pub(crate) fn end(mut self) -> Output {
        self.stdin = None;
        let child = self.child.0.take().expect("it runs");
        child.wait_with_output().expect("ends")
    }
}
