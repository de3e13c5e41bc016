//! Which pieces were touched, and which were only knocked over.

use shakmaty::{Bitboard, Position, Square};

use super::Tracker;
use crate::sensing::{ADJUSTS_MS, Felt, KNOCKED};

/// How many sets of holes are kept.
const SETS: usize = 8;

impl Tracker {
    /// The lifts to come are not touches, until the pieces lifted have stood again for a while
    /// (4.2).
    pub fn adjust(&mut self) {
        self.adjusting = true;
        self.adjusted = false;
    }

    /// Ends the announced adjusting. If nothing was lifted yet it is still to come.
    pub(super) fn end_adjusting(&mut self) {
        if self.adjusted {
            self.adjusting = false;
        }
    }

    /// A piece is taken up after the board had rested for so long, milliseconds.
    pub(super) fn adjusts_no_more(&mut self, rested_ms: u64) {
        if rested_ms > ADJUSTS_MS && self.diff().is_empty() {
            self.end_adjusting();
        }
    }

    /// Whether its player has the move already: the opponent has completed his own, and it is only
    /// not executed here yet. What the player touches of his pieces then is touched (1.3, D.2.2).
    pub fn has_move(&mut self, on_move: bool) {
        self.on_move = on_move;
    }

    /// Whether the game stands still, and what he touches binds him to nothing (6.11).
    pub fn is_stopped(&mut self, stopped: bool) {
        self.stopped = stopped;
    }

    /// He touched a piece of his before he has executed the opponent's completed move.
    pub fn is_touched_ahead(&self) -> bool {
        self.touched.iter().any(|square| self.touched_ahead.contains(*square))
    }

    /// The announced move is executed: what was touched for the next one.
    pub(super) fn take_touched_ahead(&mut self) -> Vec<Square> {
        let ahead = std::mem::take(&mut self.touched_ahead);
        self.touched.extract_if(.., |square| ahead.contains(*square)).collect()
    }

    pub(super) fn lifted(&mut self, square: Square, at_ms: u64, felt: &mut Vec<Felt>) {
        let Some(piece) = self.position.board().piece_at(square) else {
            return;
        };
        if self.clearing {
            return;
        }
        self.adjusted |= self.adjusting;
        if self.touched.contains(&square) {
            return;
        }
        let adjusting = self.adjusting || self.stopped;
        if !adjusting {
            self.touched.push(square);
            let copied = self.announced.and_then(|mv| self.table.shape(mv));
            let copying = copied.is_some_and(|shape| shape.emptied.contains(square));
            if self.on_move && !copying && piece.color != self.position.turn() {
                self.touched_ahead.add(square);
            }
        }
        felt.push(Felt::Touched { square, piece, adjusting, at_ms });
    }

    /// These pegs are off the board at once.
    pub(super) fn off_together(&mut self, missing: Bitboard) {
        if missing.count() < 2 {
            return;
        }
        let room = self.together.len() < SETS;
        match self.together.last_mut() {
            Some(last) if last.is_subset(missing) => *last = missing,
            _ if room => self.together.push(missing),
            _ => {}
        }
    }

    /// The board is whole again without a move, so pegs that were knocked over were not touched.
    /// There are two signs of that: many pegs were off together, or guidance led two pegs back that
    /// no move lifts together. After a completed illegal move that is what its player did (7.5.1).
    pub(super) fn set_up_again(&mut self) {
        let guided = self.guided.is_some() && !self.must_restore;
        let knocked = |off: &Bitboard| {
            let one_move = || self.table.shapes().iter().any(|shape| off.is_subset(shape.emptied));
            off.count() >= KNOCKED || guided && !one_move()
        };
        let all = self.together.iter().copied().filter(knocked);
        let knocked = all.fold(Bitboard::EMPTY, |all, off| all | off);
        self.touched.retain(|square| !knocked.contains(*square));
        self.together.clear();
    }

    /// A move is executed that empties these holes: others that had been knocked over beside it
    /// were not touched.
    pub(super) fn forget_knocked(&mut self, emptied: Bitboard) {
        let beside = self.together.iter().map(|off| *off & !emptied);
        let knocked =
            beside.filter(|off| off.count() >= KNOCKED).fold(Bitboard::EMPTY, |all, off| all | off);
        self.touched.retain(|square| !knocked.contains(*square));
    }
}
