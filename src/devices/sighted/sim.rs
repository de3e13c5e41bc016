//! A simulated board of pieces for the sighted player, like an electronic one.

use std::{
    collections::VecDeque,
    sync::mpsc,
    time::{Duration, Instant},
};

use shakmaty::{Board, Piece, Square};

use super::{
    Seen, SightedBoard,
    still::{StillSettings, Stillness},
};
use crate::{
    dgt::codec::{Code, Dump, Facing},
    wait_for,
};
use annabella_threads::millis;

/// Hands at a simulated board.
#[derive(Clone, Debug)]
pub struct SimHands {
    changes: mpsc::Sender<(Change, Instant)>,
}

#[derive(Clone, Debug)]
enum Change {
    Put(Square, Option<Piece>),
    SetUp(Board),
    Plug(bool),
}

impl SimHands {
    /// Puts a piece on a square, or takes away what is there.
    pub fn put(&self, square: Square, piece: Option<Piece>) {
        self.send(Change::Put(square, piece));
    }

    /// Sets up a position.
    pub fn set_up(&self, board: &Board) {
        self.send(Change::SetUp(board.clone()));
    }

    /// Pulls the cable, or plugs it in.
    pub fn plug(&self, plugged: bool) {
        self.send(Change::Plug(plugged));
    }

    fn send(&self, change: Change) {
        // A board that is gone feels no hands.
        let _ = self.changes.send((change, Instant::now()));
    }
}

#[derive(Debug)]
pub struct SimBoard {
    changes: mpsc::Receiver<(Change, Instant)>,
    real: Dump,
    plugged: bool,
    stillness: Stillness,
    began: Instant,
    seen: VecDeque<Seen>,
}

impl SimBoard {
    /// A board that shows `board`; its times count from `began`.
    pub fn new(board: &Board, settings: StillSettings, began: Instant) -> (SimHands, SimBoard) {
        let (send, changes) = mpsc::channel();
        let mut sim = SimBoard {
            changes,
            real: Dump::of(board, Facing::ConnectorLeft),
            plugged: true,
            stillness: Stillness::new(settings, board.clone()),
            began,
            seen: VecDeque::new(),
        };
        sim.plug(0, true);
        (SimHands { changes: send }, sim)
    }

    fn ms(&self, at: Instant) -> u64 {
        millis(at.saturating_duration_since(self.began))
    }

    fn plug(&mut self, at_ms: u64, plugged: bool) {
        let mut out = Vec::new();
        self.plugged = plugged;
        if plugged {
            self.stillness.back(at_ms, &mut out);
            self.stillness.dump(at_ms, &self.real, &mut out);
        } else {
            let why = "the simulated board is unplugged: plug it in".to_owned();
            self.stillness.lost(at_ms, why, &mut out);
        }
        self.seen.extend(out);
    }

    fn put(&mut self, at_ms: u64, square: Square, piece: Option<Piece>) {
        let field = Facing::ConnectorLeft.field(square);
        let code = piece.map_or(Code::Empty, Code::Piece);
        self.real.update(field, code);
        if self.plugged {
            let mut out = Vec::new();
            self.stillness.update(at_ms, field, code, &mut out);
            self.seen.extend(out);
        }
    }

    fn take(&mut self, change: Change, at_ms: u64) {
        match change {
            Change::Put(square, piece) => self.put(at_ms, square, piece),
            Change::SetUp(board) => {
                for square in Square::ALL {
                    self.put(at_ms, square, board.piece_at(square));
                }
            }
            Change::Plug(plugged) => self.plug(at_ms, plugged),
        }
    }
}

impl SightedBoard for SimBoard {
    fn next(&mut self, patience: Duration) -> Option<Seen> {
        let until = Instant::now() + patience;
        loop {
            if let Some(seen) = self.seen.pop_front() {
                return Some(seen);
            }
            let now = Instant::now();
            let now_ms = self.ms(now);
            if self.plugged && self.stillness.advance(now_ms) {
                let mut out = Vec::new();
                self.stillness.dump(now_ms, &self.real, &mut out);
                self.seen.extend(out);
                continue;
            }
            let due_ms = self.stillness.due_ms().unwrap_or(u64::MAX);
            let left = until.saturating_duration_since(now);
            let wait = left.min(Duration::from_millis(due_ms.saturating_sub(now_ms)));
            // Without hands the board itself goes on.
            match wait_for(&self.changes, wait) {
                Some((change, at)) => {
                    let at_ms = self.ms(at);
                    self.take(change, at_ms);
                }
                None if Instant::now() >= until => return None,
                None => {}
            }
        }
    }

    fn look(&mut self) {
        let now_ms = self.ms(Instant::now());
        self.stillness.look(now_ms);
    }

    fn orient(&mut self, shown: &Board) {
        self.stillness.orient(shown);
    }

    fn hurry(&mut self, hurry: bool) {
        self.stillness.hurry(hurry);
    }
}
