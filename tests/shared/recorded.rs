//! Fool's mate in a journal of its own, and `annabella games` to look at it.

// Each story uses what it needs.
#![allow(dead_code)]

use std::{
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
};

use annabella::service::Service;
use annabella_core::game::{At, GameConfig, Input, Started};
use annabella_records::journal::Journal;
use annabella_words::phrase::pack;
use shakmaty::{Color, Square};

pub(crate) fn games(args: &[&str], journal: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_annabella"))
        .arg("games")
        .args(args)
        .arg("--journal")
        .arg(journal)
        .stdin(Stdio::null())
        .output()
        .expect("runs")
}

pub(crate) fn started(config: GameConfig) -> Started {
    let builtin = |name| pack::builtin(name).expect("built in").to_owned();
    Started {
        config,
        packs: vec![builtin("fide"), builtin("de")],
        confusions: Default::default(),
        build: "test".to_owned(),
        unix_s: 1_700_000_000,
    }
}

/// Fool's mate: the blind White on pegs, Black's board reports. What happens before a ply is
/// the story's own, each with the milliseconds that pass before it.
pub(crate) fn fools_mate(
    folder: &Path,
    [white, black]: [&str; 2],
    before: impl Fn(usize) -> Vec<(u64, Input)>,
) -> PathBuf {
    let path = folder.join("games.db");
    let config = GameConfig {
        white: white.into(),
        black: black.into(),
        time_control: "3+2".into(),
        sighted_board: true,
        ..GameConfig::default()
    };
    let journal = Journal::open(&path).expect("opens");
    let (mut service, _) = Service::begin(journal, At::new(0), started(config)).expect("begins");
    let mut now_ms = 0;
    let mut act = |after_ms: u64, input: Input| {
        now_ms += after_ms;
        service.input(At::new(now_ms), input).expect("kept");
    };
    act(1000, Input::ClockStarted);
    let (white, black) = (Color::White, Color::Black);
    let moves = [
        (Square::F2, Square::F3, "f2f3"),
        (Square::E7, Square::E5, "e7e5"),
        (Square::G2, Square::G4, "g2g4"),
        (Square::D8, Square::H4, "d8h4"),
    ];
    for (n, (from, to, uci)) in moves.into_iter().enumerate() {
        for (after_ms, input) in before(n + 1) {
            act(after_ms, input);
        }
        if n % 2 == 1 {
            act(3000, Input::Sighted { seat: black, uci: uci.into() });
            act(500, Input::Pressed { seat: black });
        }
        for (square, occupied) in [(from, false), (to, true)] {
            act(400, Input::Edge { seat: white, square, occupied, ago_ms: 0 });
        }
        act(500, Input::Woke);
        if n % 2 == 0 {
            act(600, Input::Pressed { seat: white });
            act(900, Input::Sighted { seat: black, uci: uci.into() });
        }
    }
    path
}
