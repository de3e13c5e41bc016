//! Boards that join a hall and play undisturbed, so that an organiser sees his hall at work.

use std::{
    io::Write,
    sync::mpsc,
    thread,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rand::RngExt as _;
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

use super::Hall;
use annabella::cli::{Exit, Failure};
use annabella_core::game::{MoveState, Output};

/// A half-move takes so long at a board of people: forty moves of each in ninety minutes.
const THINKS: Duration = Duration::from_secs(60);

/// Takes the moves that are made.
pub(super) struct Tell {
    lines: mpsc::Sender<Value>,
    speed: f64,
}

impl Tell {
    /// A player thinks, at the speed that was asked for.
    pub(super) fn think(&self, rng: &mut ChaCha8Rng) {
        if self.speed > 0.0 {
            thread::sleep(THINKS.mul_f64(rng.random_range(0.5..1.5) / self.speed));
        }
    }

    /// Tells of the moves that are made by these outputs of a board.
    pub(super) fn all_made(&self, board: u32, outputs: &[Output]) {
        for output in outputs {
            if let Output::Move { state: MoveState::Made, ply, san, .. } = output {
                let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
                let line = json!({
                    "board": board, "ply": ply, "san": san, "unix_ms": since.as_secs_f64() * 1e3,
                });
                // Nobody asks when the boards are told to end.
                let _ = self.lines.send(line);
            }
        }
    }
}

/// Plays at all boards until their games are over, and until everything has reached the hall.
pub(super) fn run(
    mut hall: Hall<'_>,
    boards: u32,
    url: &str,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let (json, event) = (hall.args.json, hall.event.clone());
    if !json {
        writeln!(out, "{boards} boards join {event} at {url}")?;
    }
    let (lines, told) = mpsc::channel();
    hall.made = Some(Tell { lines, speed: hall.args.speed });
    let tables: Vec<_> = (1..=boards).map(|board| hall.board(board, url.to_owned())).collect();
    let (mut moves, mut failed) = (0_u64, None);
    thread::scope(|scope| {
        let hall = &hall;
        let playing: Vec<_> = tables
            .iter()
            .map(|board| {
                scope.spawn(move || {
                    // One machine cannot begin all games at once, as boards do.
                    let share = f64::from(board.place.board) / f64::from(boards);
                    thread::sleep(THINKS.mul_f64(share));
                    let wire = hall.play(board)?;
                    while !wire.state().borrow().caught_up {
                        thread::sleep(Duration::from_millis(100));
                    }
                    Ok::<_, String>(())
                })
            })
            .collect();
        while !playing.iter().all(|board| board.is_finished()) {
            if let Ok(line) = told.recv_timeout(Duration::from_millis(100)) {
                moves += 1;
                if json {
                    writeln!(out, "{line}")?;
                    out.flush()?;
                }
            }
        }
        for (board, played) in (1..).zip(playing) {
            let played = played.join().unwrap_or(Err("it panicked".to_owned()));
            failed = failed.take().or(played.err().map(|why| format!("board {board}: {why}")));
        }
        Ok::<_, std::io::Error>(())
    })?;
    match failed {
        Some(why) => Err(Failure::device(why)),
        None => {
            if !json {
                writeln!(out, "{moves} moves were made, and all of it has reached the hall")?;
            }
            Ok(Exit::Done)
        }
    }
}
