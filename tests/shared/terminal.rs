//! A program in a terminal of its own: what a person types, and the lines that he reads.

// Each story uses what it needs.
#![allow(dead_code)]

use std::{
    fs::File,
    io::{Read as _, Write as _},
    os::unix::ffi::OsStrExt as _,
    path::Path,
    process::{Child, Command, ExitStatus},
    sync::{Arc, Mutex},
};

use rustix::{
    fs::{Mode, OFlags, open},
    process::{Pid, Signal, kill_process},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
    termios::{LocalModes, tcgetattr},
};

use crate::patience::until;

pub(crate) struct Terminal {
    near: File,
    child: Child,
    shown: Arc<Mutex<String>>,
    /// How far it was read.
    read: usize,
}

impl Terminal {
    /// Runs this in a folder.
    pub(crate) fn run(folder: &Path, program: &str, args: &[&str]) -> Terminal {
        let near = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&near).expect("granted");
        unlockpt(&near).expect("unlocked");
        let name = ptsname(&near, Vec::new()).expect("a name");
        let far = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes())).to_owned();
        let far = || open(&far, OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).expect("opened");
        let child = Command::new(program)
            .args(args)
            .current_dir(folder)
            .env("TERM", "xterm")
            .stdin(far())
            .stdout(far())
            .stderr(far())
            .spawn()
            .expect("starts");
        let near = File::from(near);
        let shown = Arc::new(Mutex::new(String::new()));
        let (mut from, all) = (near.try_clone().expect("cloned"), Arc::clone(&shown));
        std::thread::spawn(move || {
            let (mut bytes, mut buffer) = (Vec::new(), [0; 4096]);
            // The line ends with an error when the program has gone.
            while let Ok(length @ 1..) = from.read(&mut buffer) {
                bytes.extend_from_slice(&buffer[..length]);
                *all.lock().expect("whole") = plain(&String::from_utf8_lossy(&bytes));
            }
        });
        Terminal { near, child, shown, read: 0 }
    }

    /// Types a line.
    pub(crate) fn types(&mut self, line: &str) {
        self.keys(format!("{line}\r").as_bytes());
    }

    /// Presses keys.
    pub(crate) fn keys(&mut self, keys: &[u8]) {
        self.near.write_all(keys).expect("typed");
    }

    /// Presses a key with Ctrl, once an editor reads keys: before that it would be a signal for
    /// whoever was started from this terminal, and that is nobody.
    pub(crate) fn control(&mut self, letter: char) {
        let modes = || tcgetattr(&self.near).expect("a terminal").local_modes;
        until("an editor", || !modes().contains(LocalModes::ICANON));
        let key = u8::try_from(letter).expect("a letter") & 0x1f;
        self.keys(&[key]);
    }

    /// Ctrl+C as whoever was started from this terminal gets it.
    pub(crate) fn interrupts(&self) {
        kill_process(Pid::from_child(&self.child), Signal::INT).expect("told");
    }

    /// Waits until this line stands on the terminal, after all that was read before.
    pub(crate) fn reads(&mut self, line: &str) {
        self.reads_what(line, |shown| shown == line);
    }

    /// Waits until a line begins so.
    pub(crate) fn reads_about(&mut self, begin: &str) {
        self.reads_what(begin, |shown| shown.starts_with(begin));
    }

    fn reads_what(&mut self, line: &str, fits: impl Fn(&str) -> bool) {
        let (shown, read) = (Arc::clone(&self.shown), self.read);
        let found = || {
            let shown = shown.lock().expect("whole");
            let rest = shown.get(read..)?;
            let mut at = read;
            rest.split_inclusive('\n').find_map(|shown| {
                at += shown.len();
                (shown.ends_with('\n') && fits(shown.trim_end())).then_some(at)
            })
        };
        let so = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            until(line, || found().is_some());
        }));
        assert!(so.is_ok(), "no line {line:?} in {}", self.all());
        self.read = found().unwrap_or(read);
    }

    /// All that it has shown.
    pub(crate) fn all(&self) -> String {
        self.shown.lock().expect("whole").clone()
    }

    /// Ends the program at once: without an editor a key is no signal to it, as it was not started
    /// from this terminal.
    pub(crate) fn kill(mut self) {
        self.child.kill().expect("killed");
        self.child.wait().expect("ends");
    }

    /// Waits until the program has ended.
    pub(crate) fn ended(mut self) -> (ExitStatus, String) {
        let status = self.child.wait().expect("ends");
        // Its last words are on the line still.
        let all = Arc::clone(&self.shown);
        drop(self.near);
        (status, all.lock().expect("whole").clone())
    }
}

/// Without what only moves the cursor: the text as a screen reader gets it.
fn plain(raw: &str) -> String {
    let mut text = String::new();
    let mut letters = raw.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\x1b' => {
                // A sequence of control ends with a letter.
                let mut rest = letters.by_ref().skip_while(|letter| !letter.is_ascii_alphabetic());
                let _ = rest.next();
            }
            '\r' => {}
            letter => text.push(letter),
        }
    }
    text
}
