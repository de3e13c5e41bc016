//! A machine that is held up: what the players did meanwhile is judged as if it had not been.
//!
//! The program is stopped as a whole (SIGSTOP), a move is made and the clock pressed, and it goes
//! on. Nothing that happened in between has a moment of its own, so only the order is known, and
//! across two boards not even that. The game must come out the same.

use std::{fs::File, io::Write, process::Command};

use annabella_players::hands::changes;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Square, uci::UciMove};

use crate::{
    at_board::{Play, config},
    patience::until,
};

/// Castling on both sides, a capture of a piece that has just captured, en passant, a promotion
/// with capture.
const GAME: &str = "e2e4 d7d5 e4d5 d8d5 b1c3 d5d8 d2d4 c8f5 c1f4 b8c6 d1d2 d8d7 e1c1 e8c8 d4d5 e7e5 d5e6 \
                    d7d2 d1d2 d8d2 e6f7 d2d6 f7g8q h8g8 f4d6 f8d6";

fn signal(play: &Play, name: &str) {
    let pid = play.child.id().to_string();
    assert!(Command::new("kill").args([name, &pid]).status().expect("kill").success());
}

fn stands_still(play: &Play) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", play.child.id())).expect("runs");
    stat.rsplit(") ").next().is_some_and(|rest| rest.starts_with('T'))
}

/// Whatever is done meanwhile comes together.
fn held_up(play: &mut Play, mut meanwhile: impl FnMut(&mut Play)) {
    signal(play, "-STOP");
    until("the program stands still", || stands_still(play));
    meanwhile(play);
    signal(play, "-CONT");
}

fn lines(mv: Move) -> Vec<String> {
    let line = |(square, occupied): &(Square, bool)| {
        json!({ "square": square.to_string(), "occupied": occupied }).to_string()
    };
    changes(mv).iter().map(line).collect()
}

fn moves() -> impl Iterator<Item = (Color, String, Move)> {
    let mut position = Chess::default();
    GAME.split_whitespace().map(move |text| {
        let uci: UciMove = text.parse().expect("UCI");
        let (turn, mv) = (position.turn(), uci.to_move(&position).expect("legal"));
        position.play_unchecked(mv);
        (turn, mv.to_uci(CastlingMode::Standard).to_string(), mv)
    })
}

pub(crate) fn press(seat: Color) -> String {
    json!({ "press": if seat.is_white() { "white" } else { "black" } }).to_string()
}

/// Waits until this move is completed; nobody was blamed of anything.
fn completed(play: &Play, uci: &str) {
    play.until(&format!("{uci} completed"), |line| {
        assert!(line.get("problem").is_none(), "{uci}: {line}");
        line["move"]["uci"] == uci && line["move"]["state"] == "completed"
    });
}

#[test]
fn a_move_made_and_pressed_while_the_program_stands_still_is_no_offence() {
    let folder = tempfile::tempdir().expect("folder");
    let mut play = Play::start(&config(folder.path(), ""));
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for (seat, uci, mv) in moves() {
        if seat.is_black() {
            // Nothing but her own board shows it.
            for (square, occupied) in changes(mv) {
                play.reed(&square.to_string(), occupied);
            }
            play.until_move(&uci, "made");
            play.send(&press(seat));
            completed(&play, &uci);
            continue;
        }
        let lines: Vec<String> = lines(mv).into_iter().chain([press(seat)]).collect();
        // Between any two of the events.
        let from = random.random_range(0..lines.len());
        for (square, occupied) in &changes(mv)[..from] {
            play.reed(&square.to_string(), *occupied);
        }
        held_up(&mut play, |play| lines[from..].iter().for_each(|line| play.send(line)));
        if mv.is_promotion() {
            play.send(&json!({ "announce": "Dame" }).to_string());
        }
        completed(&play, &uci);
    }
}

#[test]
fn a_press_read_before_the_other_boards_pegs_is_judged_after_them() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("black");
    assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
    let mut black = File::options().read(true).write(true).open(&path).expect("a FIFO");
    let board = format!("[board_black]\nkind = \"events\"\npath = \"{}\"\n", path.display());
    let text = format!("{board}[game]\nblind = \"both\"\n");
    let mut play = Play::start(&config(folder.path(), &text));
    let mut tell = |play: &mut Play, board: Color, line: &str| match board {
        Color::White => play.send(line),
        Color::Black => writeln!(black, "{line}").expect("written"),
    };
    for (seat, uci, mv) in moves().take(12) {
        // All presses come in with White's board, and its lines are read by another thread.
        held_up(&mut play, |play| {
            if seat.is_black() {
                tell(play, Color::White, &press(seat));
            }
            lines(mv).iter().for_each(|line| tell(play, seat, line));
            if seat.is_white() {
                tell(play, Color::White, &press(seat));
            }
        });
        completed(&play, &uci);
        held_up(&mut play, |play| lines(mv).iter().for_each(|line| tell(play, !seat, line)));
        let agrees = |line: &Value| {
            assert!(line.get("problem").is_none(), "{uci}: {line}");
            line["boards"] == "agree"
        };
        play.until("agreement", agrees);
    }
}

/// The pieces of the electronic board after this move, square by square in the order of a hand's.
fn pieces(before: &Chess, mv: Move) -> Vec<(Square, Option<shakmaty::Piece>)> {
    let mut after = before.clone();
    after.play_unchecked(mv);
    let stands = |(square, filled): (Square, bool)| {
        (square, filled.then(|| after.board().piece_at(square)).flatten())
    };
    changes(mv).into_iter().map(stands).collect()
}

#[test]
fn a_dgt_boards_moves_and_presses_while_the_program_stands_still_are_no_offence() {
    use annabella_devices::dgt::codec::Facing;
    use annabella_emulators::{
        dgt::{Faults, SimulatedDgt},
        pty::Emulator,
    };

    let folder = tempfile::tempdir().expect("folder");
    let faults = Faults::parse("").expect("faults");
    let device = SimulatedDgt::new(8141, faults, &shakmaty::Board::new());
    let emulator = Emulator::start(device, &folder.path().join("dgt")).expect("a terminal");
    let port = emulator.port().display().to_string();
    let text = format!(
        "[sighted]\nkind = \"dgt\"\nport = \"{port}\"\n[clock]\nkind = \"dgt\"\nport = \"{port}\"\n"
    );
    let mut play = Play::start(&config(folder.path(), &text));
    let lever = |seat: Color| {
        emulator.with(|device, now_ms| {
            let white_left = device.facing() == Facing::ConnectorLeft;
            if let Some(clock) = device.clock(now_ms) {
                clock.press(seat.is_white() != white_left);
            }
        });
    };
    // The clock is set, and runs.
    play.send(&json!({ "announce": "Uhr starten" }).to_string());
    play.until("White's clock", |line| line["clock"]["running"] == "white");
    until("the clock before the players runs", || {
        emulator.with(|device, now_ms| device.clock(now_ms).is_some_and(|clock| clock.is_running()))
    });
    let mut position = Chess::default();
    let mut last = None;
    for (seat, uci, mv) in moves().take(12) {
        let put = |position: &Chess, mv: Move| {
            for (square, piece) in pieces(position, mv) {
                emulator.with(|device, now_ms| device.put(now_ms, square, piece));
            }
        };
        // First what the opponent played.
        if let Some((before, mv)) = last.take() {
            match seat {
                Color::White => {
                    for (square, occupied) in changes(mv) {
                        play.reed(&square.to_string(), occupied);
                    }
                }
                Color::Black => put(&before, mv),
            }
            play.until("agreement", |line| line["boards"] == "agree");
        }
        held_up(&mut play, |play| {
            match seat {
                Color::White => lines(mv).iter().for_each(|line| play.send(line)),
                Color::Black => put(&position, mv),
            }
            lever(seat);
        });
        completed(&play, &uci);
        last = Some((position.clone(), mv));
        position.play_unchecked(mv);
    }
}
