//! Moves that were executed and are still open to correction.

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::Tracker;
use crate::sensing::{Felt, Shape, ShapeTable, Trail};

/// How many executed moves stay open. Stray hands can make several before anybody is asked.
const OPEN_MOVES: usize = 8;

/// The position before an executed move, and how that move came about.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Previous {
    pub(super) position: Chess,
    pub(super) table: ShapeTable,
    pub(super) trail: Trail,
    pub(super) touched: Vec<Square>,
    pub(super) mv: Move,
    pub(super) to: Square,
    /// The move announced for it: this one or another.
    pub(super) said: Option<Move>,
    /// The move that this one replaced, and what was seen since that one was accepted.
    pub(super) replaced: Option<(Move, Trail)>,
    /// The move before, if that was not made either. A supposed reply to it may have been its
    /// correction.
    pub(super) older: Option<Box<Previous>>,
}

impl Previous {
    /// The move announced instead of it.
    pub(super) fn instead(&self) -> Option<Move> {
        self.said.filter(|said| *said != self.mv)
    }
}

impl Previous {
    /// Keeps `count` moves open, this one included.
    fn forget_older(&mut self, count: usize) {
        match &mut self.older {
            Some(older) if count > 1 => older.forget_older(count - 1),
            older => *older = None,
        }
    }
}

/// An open position in which another move was announced than executed.
pub(super) struct Meant {
    /// The position before that move.
    pub(super) position: Chess,
    pub(super) mv: Move,
    /// Everything seen since that position was on the board.
    pub(super) trail: Trail,
    /// How many open moves are newer than the one executed there.
    pub(super) newer: usize,
}

impl Tracker {
    /// The move just executed is open to correction, and so are the last ones before it.
    pub(super) fn keep_open(&mut self, mut previous: Previous) {
        previous.older = self.previous.take().map(Box::new);
        previous.forget_older(OPEN_MOVES);
        self.previous = Some(previous);
    }

    /// The piece of this executed move is not in a hand again: it stands where it moved to, and the
    /// board is at rest (D.2.3.2).
    pub fn stands(&self, mv: Move) -> bool {
        let last = self.previous.as_ref().filter(|previous| previous.mv == mv);
        let Some(shape) = last.and_then(|previous| previous.table.shape(mv)) else { return true };
        let left = shape.emptied & !shape.landing & !self.blind;
        let stands =
            shape.landing.is_subset(self.occupied | self.blind) && self.occupied.is_disjoint(left);
        let moved = shape.landing.into_iter().any(|square| self.whole_trail.changed(square));
        stands && (!moved || self.judged_ms.is_some())
    }

    /// The legal castling of which the pegs show the king's half.
    pub fn king_of_castling(&self) -> Option<Move> {
        let diff = self.diff();
        let half = |shape: &&Shape| {
            let king = diff.missing == Bitboard::from(shape.from);
            shape.mv.is_castle() && king && diff.extra == Bitboard::from(shape.to)
        };
        self.table.shapes().iter().find(half).map(|shape| shape.mv)
    }

    /// The newest open position in which another move was announced than executed.
    pub(super) fn meant_before(&self) -> Option<Meant> {
        let mut open = self.previous.as_ref();
        let mut newer = 0;
        while let Some(previous) = open {
            if let Some(mv) = previous.instead() {
                let position = previous.position.clone();
                return Some(Meant { position, mv, trail: self.trail_since(newer), newer });
            }
            newer += 1;
            open = previous.older.as_deref();
        }
        None
    }

    /// The trail since the position before the open move with `newer` newer ones.
    fn trail_since(&self, newer: usize) -> Trail {
        let mut trail = self.whole_trail.clone();
        let mut open = self.previous.as_ref();
        for _ in 0..=newer {
            let Some(previous) = open else { break };
            trail = previous.trail.followed_by(&trail);
            open = previous.older.as_deref();
        }
        trail
    }

    /// Another move was announced than executed, and the board as a whole now shows the announced
    /// one, alone or with a reply to it, whatever seemed to be played in between.
    pub(super) fn show_announced_before(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        let Some(Meant { position, mv, trail, newer }) = self.meant_before() else {
            return false;
        };
        let Some(shape) = ShapeTable::new(&position).shape(mv).copied() else {
            return false;
        };
        if !trail.stands(&shape, self.blind) {
            return false;
        }
        let alone = ((shape.after ^ self.occupied) & !self.blind).is_empty();
        let replied = !alone && {
            let mut after = position;
            after.play_unchecked(mv);
            // A reply that was seen before belongs to the board as it is now, too.
            ShapeTable::new(&after).candidates(self.occupied, &trail, self.blind).next().is_some()
        };
        if !alone && !replied {
            return false;
        }
        for _ in 0..newer {
            self.take_back(at_ms, felt);
        }
        let Some(old) = self.executed() else {
            return false;
        };
        self.step_back(trail.clone());
        self.accept_instead(mv, old, at_ms, felt);
        if replied {
            self.trail = trail.clone();
            self.whole_trail = trail;
            self.judged_ms = None;
        }
        true
    }

    /// The board shows a position from before several open moves: all of them are taken back. (The
    /// last one alone is `revise`'s matter.)
    pub(super) fn take_back_to_older(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        self.shown_before().is_some_and(|count| count > 1) && self.take_back_open(at_ms, felt)
    }

    /// The same, be it one move or several.
    pub(super) fn take_back_open(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        let Some(count) = self.shown_before() else {
            return false;
        };
        for _ in 0..count {
            self.take_back(at_ms, felt);
        }
        self.guided = None;
        true
    }

    /// How many open moves ago the position was that the board shows.
    fn shown_before(&self) -> Option<usize> {
        let mut open = self.previous.as_ref();
        let mut count = 0;
        while let Some(previous) = open {
            count += 1;
            let before = previous.position.board().occupied();
            if ((before ^ self.occupied) & !self.blind).is_empty() {
                return Some(count);
            }
            open = previous.older.as_deref();
        }
        None
    }

    /// Takes the last open move back.
    fn take_back(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        if let Some(mv) = self.executed() {
            self.step_back(Trail::default());
            felt.push(Felt::TakenBack { mv, at_ms });
        }
    }

    /// Returns to the position before the last executed move.
    pub(super) fn step_back(&mut self, trail: Trail) {
        let Some(previous) = self.previous.take() else {
            return;
        };
        let mut touched = previous.touched;
        for square in self.touched.drain(..) {
            if square != previous.to && !touched.contains(&square) {
                touched.push(square);
            }
        }
        self.position = previous.position;
        self.table = previous.table;
        self.whole_trail = trail.clone();
        self.trail = trail;
        self.touched = touched;
        self.announced = previous.said;
        self.previous = previous.older.map(|older| *older);
        self.asked.clear();
        self.together.clear();
    }
}
