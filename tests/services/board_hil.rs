//! The program as it is, through the kernel's interface for I²C: a preloaded library plays the five

//! chips. Nothing of it is replaced but what `/dev/i2c-1` answers.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Read},
    os::unix::fs::FileExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{OnceLock, mpsc},
    thread,
    time::{Duration, Instant},
};

use annabella::config::Config;
use annabella_devices::board::wiring::{Orientation, ReaderKind, Wires, Wiring};
use shakmaty::{Bitboard, Chess, Position, Square};

use crate::patience::PATIENCE;
use crate::skip::skipped;

const MISSING: u64 = 160;
const STUCK: u64 = 161;

/// The library, compiled once a process; `None` where that can't be, and why is said.
fn library() -> Option<&'static Path> {
    static LIBRARY: OnceLock<Option<PathBuf>> = OnceLock::new();
    let compile = || {
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/hil/i2c_preload.c");
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
        let library = folder.join(format!("i2c_preload-{}.so", std::process::id()));
        let mut cc = Command::new("cc");
        cc.args(["-shared", "-fPIC", "-O1", "-o"]).arg(&library).arg(source).arg("-ldl");
        match cc.output() {
            Ok(output) if output.status.success() => {
                // Tests in other processes do the same; each finds one whole library.
                let shared = folder.join("i2c_preload.so");
                std::fs::rename(library, &shared).expect("the same folder");
                Some(shared)
            }
            Ok(output) => {
                let why = String::from_utf8_lossy(&output.stderr).into_owned();
                skipped("cc", &format!("it cannot compile the simulated I2C bus: {why}"));
                None
            }
            Err(err) => {
                skipped("cc", &format!("no C compiler for the simulated I2C bus: {err}"));
                None
            }
        }
    };
    LIBRARY.get_or_init(compile).as_deref()
}

/// The chips, the program on them, and what it says.
struct Rig {
    folder: tempfile::TempDir,
    chips: File,
    wired: Wiring,
    child: Option<Child>,
    lines: mpsc::Receiver<String>,
    errors: mpsc::Receiver<String>,
}

fn follow(from: impl Read + Send + 'static) -> mpsc::Receiver<String> {
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(from).lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    lines
}

impl Rig {
    /// Starts `annabella ARGS --config FILE` on a board wired like this.
    fn start(library: &Path, args: &[&str], wired: Wiring, shown: Bitboard) -> Rig {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("chips");
        let chips = OpenOptions::new()
            .create(true)
            .truncate(true)
            .read(true)
            .write(true)
            .open(&path)
            .expect("a file");
        chips.set_len(162).expect("room");
        let journal = folder.path().join("a.db");
        let config = folder.path().join("annabella.toml");
        let text = format!(
            "# The board of the test\n[board]\nkind = \"expander\" # on I2C\n\n[speech]\nengine = \"none\"\nlisten = \"off\"\n\n[console]\nlisten = \"\"\n\n[journal]\npath = \"{}\"\n",
            journal.display()
        );
        std::fs::write(&config, text).expect("written");
        let mut rig = Rig {
            folder,
            chips,
            wired,
            child: None,
            lines: mpsc::channel().1,
            errors: mpsc::channel().1,
        };
        rig.shows(shown);
        let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(args)
            .arg("--config")
            .arg(&config)
            .env("LD_PRELOAD", library)
            .env("I2C_SIM", &path)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        rig.lines = follow(child.stdout.take().expect("piped"));
        rig.errors = follow(child.stderr.take().expect("piped"));
        rig.child = Some(child);
        rig
    }

    fn config(&self) -> PathBuf {
        self.folder.path().join("annabella.toml")
    }

    /// These holes have a peg.
    fn shows(&self, occupied: Bitboard) {
        let levels = self.wired.levels(occupied);
        for port in 0..10 {
            let byte = (levels >> (port * 7)) as u8 & 0x7F | 0x80;
            let at = (port / 2 * 32 + 0x12 + port % 2) as u64;
            self.chips.write_all_at(&[byte], at).expect("written");
        }
    }

    fn fault(&self, at: u64, value: u8) {
        self.chips.write_all_at(&[value], at).expect("written");
    }

    /// The next line for which this holds.
    fn until(lines: &mpsc::Receiver<String>, what: &str, holds: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        let mut passed = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            match lines.recv_timeout(left) {
                Ok(line) if holds(&line) => return line,
                Ok(line) => passed.push(line),
                Err(_) => panic!("no {what} in\n{}", passed.join("\n")),
            }
        }
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn executed(line: &str, uci: &str) -> bool {
    let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
    line["move"]["uci"] == uci && line["move"]["state"] == "executed"
}

#[test]
fn a_game_goes_on_through_a_missing_chip_and_a_stuck_bus() {
    let Some(library) = library() else { return };
    let mut position = Chess::default();
    let wired = Wiring::default_for(ReaderKind::Expander);
    let rig = Rig::start(library, &["play", "--json"], wired, position.board().occupied());
    // The board is read before anything moves.
    thread::sleep(Duration::from_millis(1500));
    let play = |position: &mut Chess, from: Square, to: Square| {
        rig.shows(position.board().occupied() ^ Bitboard::from(from));
        thread::sleep(Duration::from_millis(150));
        let mv = position.legal_moves().into_iter();
        let mv = mv.clone().find(|mv| mv.from() == Some(from) && mv.to() == to).expect("legal");
        position.play_unchecked(mv);
        rig.shows(position.board().occupied());
        let uci = format!("{from}{to}");
        Rig::until(&rig.lines, &uci, |line| executed(line, &uci));
    };
    play(&mut position, Square::E2, Square::E4);
    rig.fault(MISSING, 1 << 2);
    let lost = Rig::until(&rig.errors, "loss", |line| line.contains("lost"));
    assert!(
        lost.starts_with("annabella: the board is lost: chip 0x22 does not answer (")
            && lost.ends_with("): check its power, SDA, SCL and its address pins"),
        "{lost}"
    );
    rig.fault(MISSING, 0);
    let back = Rig::until(&rig.errors, "return", |_| true);
    assert_eq!(back, "annabella: the board is back");
    rig.fault(STUCK, 1);
    Rig::until(&rig.errors, "second loss", |line| line.contains("lost"));
    thread::sleep(Duration::from_millis(1500));
    rig.fault(STUCK, 0);
    Rig::until(&rig.errors, "second return", |line| line.ends_with("is back"));
}

#[test]
fn watching_tells_each_change_in_a_line() {
    let Some(library) = library() else { return };
    let wired = Wiring::default_for(ReaderKind::Expander);
    let args = ["board", "watch", "--plain", "--seconds", "6"];
    let start = Bitboard::from(Square::A1) | Bitboard::from(Square::H8);
    let rig = Rig::start(library, &args, wired, start);
    assert_eq!(Rig::until(&rig.lines, "pegs", |_| true), "pegs: a1 h8");
    rig.shows(Bitboard::from(Square::A1));
    assert_eq!(Rig::until(&rig.lines, "a change", |_| true), "h8 empty");
    rig.shows(Bitboard::from(Square::A1) | Bitboard::from(Square::G2));
    assert_eq!(Rig::until(&rig.lines, "a change", |_| true), "g2 peg");
    let last = Rig::until(&rig.lines, "the end", |_| true);
    assert!(last.contains(" readings, 0 failed, "), "{last}");
}

#[test]
fn the_self_test_finds_a_turned_board_and_writes_it_down() {
    let Some(library) = library() else { return };
    let wires = Wires { orientation: Orientation::Around, ..Wires::default() };
    let wired = Wiring::new(ReaderKind::Expander, &wires).expect("right");
    let rig = Rig::start(library, &["board", "test"], wired, Bitboard::EMPTY);
    let files = ["Anna", "Bella", "Cesar", "David", "Eva", "Felix", "Gustav", "Hector"];
    let ranks = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"];
    let names: Vec<String> = ranks
        .iter()
        .flat_map(|rank| files.iter().map(move |file| format!("{file} {rank}.")))
        .collect();
    for (square, name) in Square::ALL.into_iter().zip(&names) {
        Rig::until(&rig.lines, name, |line| line == name);
        rig.shows(Bitboard::from(square));
    }
    Rig::until(&rig.lines, "the end", |line| line == "Entferne alle Figuren vom Brett.");
    rig.shows(Bitboard::EMPTY);
    let said = |what| Rig::until(&rig.lines, what, |_| true);
    assert_eq!(said("verdict"), "Das Brett ist gedreht: hundertachtzig Grad.");
    assert_eq!(said("that it is written"), "Gespeichert.");
    let text = std::fs::read_to_string(rig.config()).expect("there");
    let begin = "# The board of the test\n[board]\nkind = \"expander\" # on I2C\n\
                 # How far the board is turned clockwise, seen from above: 0, 90, 180 or 270.\n\
                 orientation = 180\n";
    assert!(text.starts_with(begin), "{text}");
    let config = Config::load(&rig.config()).expect("right");
    assert_eq!(config.board.wires.orientation, Orientation::Around);
}

#[test]
fn a_board_without_reeds_cannot_be_watched_or_tested() {
    for what in ["watch", "test"] {
        let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["board", what])
            .stdin(Stdio::null())
            .output()
            .expect("runs");
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "annabella: [board] kind = \"none\": a board without sensors has nothing to watch or test: name its kind, \
             \"shift-register\", \"expander\" or \"matrix\"\n"
        );
    }
}
