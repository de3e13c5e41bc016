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

use super::{Hall, table::Table};
use annabella::cli::{Exit, Failure};
use annabella_core::game::{MoveState, Output};

/// A half-move takes so long at a board of people: forty moves of each in ninety minutes.
const THINKS: Duration = Duration::from_secs(60);

/// One machine begins no more games than one in this time.
const BEGINS: Duration = Duration::from_millis(100);

/// Takes the moves that are made.
pub(super) struct Tell {
    lines: mpsc::Sender<Value>,
    speed: f64,
}

impl Tell {
    /// What a half-move takes on average, at the speed that was asked for.
    fn half_move(&self) -> Duration {
        match self.speed {
            0.0 => Duration::ZERO,
            // A day for a half-move is slow enough.
            speed => THINKS.div_f64(speed.max(0.001)),
        }
    }

    /// A player thinks.
    pub(super) fn think(&self, rng: &mut ChaCha8Rng) {
        thread::sleep(self.half_move().mul_f64(rng.random_range(0.5..1.5)));
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
    let tell = Tell { lines, speed: hall.args.speed };
    let all_begin = tell.half_move().max(BEGINS * boards);
    hall.made = Some(tell);
    let mut tables: Vec<_> = (1..=boards).map(|board| hall.board(board, url.to_owned())).collect();
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|err| Failure::device(format!("cannot start: {err}")))?;
    // Whoever looks at a board in the hall finds its pages, as in a tournament.
    for board in &mut tables {
        let door = Table::open(&board.table, runtime.handle()).map_err(Failure::device)?;
        board.door = Some(door);
    }
    let (mut moves, mut failed) = (0_u64, None);
    thread::scope(|scope| {
        let hall = &hall;
        let playing: Vec<_> = tables
            .iter()
            .map(|board| {
                scope.spawn(move || {
                    // One machine cannot begin all games at once, as boards do.
                    let share = f64::from(board.place.board) / f64::from(boards);
                    thread::sleep(all_begin.mul_f64(share));
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
