//! `annabella simulate dgt`: an emulated board and clock for other programs.

use std::{
    fmt::Debug,
    io::{BufRead as _, BufReader, Lines, Write as _},
    iter,
    path::PathBuf,
    process::{Child, ChildStdout, Command, Stdio},
};

use crate::patience::PATIENCE;
use annabella_devices::dgt::{
    codec::Facing,
    session::{BoardEvent, ClockEvent},
    wire,
};
use shakmaty::Board;

/// Waits for an event that fits.
fn until<T: Debug>(events: &mut impl Iterator<Item = T>, fits: impl Fn(&T) -> bool) {
    let mut seen = Vec::new();
    for event in events {
        if fits(&event) {
            return;
        }
        seen.push(event);
        assert!(seen.len() < 200, "not among {seen:?}");
    }
    panic!("not among {seen:?}");
}

/// `annabella simulate dgt` with its standard input and output.
struct Program {
    child: Child,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Program {
    fn start(args: &[&str]) -> Program {
        let mut child = Command::new(env!("CARGO_BIN_EXE_annabella-lab"))
            .args(["simulate", "dgt"])
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program");
        let lines = BufReader::new(child.stdout.take().expect("its output")).lines();
        Program { child, lines }
    }

    fn line(&mut self) -> String {
        self.lines.next().expect("a line").expect("text")
    }

    fn order(&mut self, order: &str) {
        writeln!(self.child.stdin.as_mut().expect("its input"), "{order}").expect("taken");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_emulator_serves_other_programs_by_its_path() {
    let mut program = Program::start(&["--faults", "turned"]);
    let port = PathBuf::from(program.line());
    let (mut board, mut clock) = wire::open(&port).expect("a line");
    let mut board = iter::from_fn(move || board.next(PATIENCE).map(|event| event.what));
    let mut clock = iter::from_fn(move || clock.next(PATIENCE).map(|event| event.what));
    until(&mut board, |event| match event {
        BoardEvent::Dump(dump) => dump.board(Facing::ConnectorRight) == Board::new(),
        _ => false,
    });
    program.order("g1f3");
    assert_eq!(program.line(), "g1f3 Nf3");
    program.order("put e7");
    program.order("board");
    assert_eq!(program.line(), "rnbqkbnr/pppp1ppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R");
    program.order("set 90 60");
    until(&mut clock, |event| match event {
        ClockEvent::Times(times) => (times.left.seconds(), times.right.seconds()) == (90, 60),
        _ => false,
    });
    program.order("quit");
    assert!(program.child.wait().expect("an end").success());
    assert!(!port.exists() && port.symlink_metadata().is_err());
}

#[test]
fn an_emulator_called_wrongly_says_what_would_do() {
    let call = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_annabella-lab"))
            .args(["simulate", "dgt"])
            .args(args)
            .output()
            .expect("the program");
        (output.status.code(), String::from_utf8(output.stderr).expect("text"))
    };
    assert_eq!(
        call(&["--faults", "slow"]),
        (
            Some(2),
            "annabella-lab: --faults: unknown fault 'slow': known are lost=5, garbage=5, unplug=60, \
             unplug-clock=60, turned, no-clock, no-mode-23\n"
                .to_owned()
        )
    );
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().display().to_string();
    assert_eq!(
        call(&["--port", &path]),
        (Some(2), format!("annabella-lab: --port: {path} is there already: name another path\n"))
    );
}
