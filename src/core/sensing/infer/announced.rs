//! Announcements: the decisions they make, and the pegs still missing for them.

use shakmaty::{Bitboard, Chess, Move, Piece, Position, Square};

use super::{Patience, Tracker, looks_like};
use crate::sensing::{Felt, PegStep, Shape, Trail};

/// How often a player must have heard what is missing before his words outweigh a reed.
const TOLD: u32 = 1;
/// The same before he is asked whether the captured piece is gone: he may not have understood yet.
const TOLD_OF_CAPTURED: u32 = 2;
/// Words repeated sooner than this after the report were no answer to it, milliseconds.
const ANSWER_MS: u64 = 1000;

/// A report to the player of what is missing for the announced move, while the board stood as it
/// does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Told {
    mv: Move,
    occupied: Bitboard,
    times: u32,
    at_ms: u64,
}

impl Tracker {
    /// A legal move of the present position was announced. It decides between candidates. It
    /// outweighs a broken reed when the game goes on from it, or when the player repeats it after
    /// hearing what is missing.
    ///
    /// Returns false, and changes nothing, when the move is not legal here.
    pub fn announce(&mut self, at_ms: u64, mv: Move, felt: &mut Vec<Felt>) -> bool {
        if self.table.shape(mv).is_none() && !self.restore_for_announced(mv, at_ms, felt) {
            return false;
        }
        let again = self.announced == Some(mv);
        self.announced = Some(mv);
        if !again {
            self.announced_ms = at_ms;
        }
        self.asked.clear();
        if let Some(rest_ms) = self.judged_ms {
            self.settle(at_ms, Patience::Rested(rest_ms), felt);
        }
        if again && self.announced == Some(mv) {
            self.insist(mv, at_ms, felt);
        }
        true
    }

    /// The announced move was said again. Either a reed is broken, or the player does not know yet
    /// that something is missing. The first time, the player hears what is missing.
    fn insist(&mut self, mv: Move, at_ms: u64, felt: &mut Vec<Felt>) {
        if self.clearing || !self.may_be_faulty(mv) {
            return;
        }
        let told = self.told.filter(|told| told.mv == mv && told.occupied == self.occupied);
        if told.is_some_and(|told| at_ms < told.at_ms + ANSWER_MS) {
            return;
        }
        let times = told.map_or(0, |told| told.times);
        match self.standing_captured(mv) {
            None if times >= TOLD => {
                self.accept_despite_faults(mv, at_ms, felt);
            }
            Some((square, piece)) if times >= TOLD_OF_CAPTURED => {
                felt.push(Felt::CapturedStands { mv, square, piece, at_ms });
            }
            _ => self.guide_now(at_ms, felt),
        }
    }

    /// The piece that this move captures, if it was not felt to leave its hole.
    pub(super) fn standing_captured(&self, mv: Move) -> Option<(Square, Piece)> {
        let shape = self.table.shape(mv)?;
        let seen =
            self.capture_seen(shape, &self.trail) || self.capture_seen(shape, &self.whole_trail);
        let square = shape.captured.filter(|_| !seen)?;
        Some((square, self.position.board().piece_at(square)?))
    }

    /// Its player was asked and says that the piece which the announced move captures is gone: the
    /// move is executed, and the reed under it broken. Returns whether the rest of the board
    /// agrees.
    pub fn captured_is_gone(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        self.announced.is_some_and(|mv| self.accept_despite_faults(mv, at_ms, felt))
    }

    /// Notes that the player hears now what is missing for the announced move.
    pub(super) fn note_told(&mut self, at_ms: u64) {
        let Some(mv) = self.announced else { return };
        let same = |told: &Told| told.mv == mv && told.occupied == self.occupied;
        let times = self.told.filter(same).map_or(0, |told| told.times);
        self.told = Some(Told { mv, occupied: self.occupied, times: times + 1, at_ms });
    }

    /// The captured piece has left its hole, by its reed.
    pub(super) fn capture_seen(&self, shape: &Shape, trail: &Trail) -> bool {
        shape.captured.is_none_or(|square| {
            self.blind.contains(square)
                || trail.emptied().contains(square)
                    && (shape.landing.contains(square) || !self.occupied.contains(square))
        })
    }

    /// Something was said that follows the announced move, so it must be on the board: takes it as
    /// executed although some holes contradict it. Returns whether it could be.
    pub fn trust_announcement(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        let Some(mv) = self.announced else { return false };
        let seen =
            self.table.shape(mv).is_some_and(|shape| self.capture_seen(shape, &self.whole_trail));
        seen && self.accept_despite_faults(mv, at_ms, felt)
    }

    /// This move was announced in the position `before`. Another move was executed there and may
    /// still be corrected. The announcement decides between candidates when the hands follow,
    /// whatever they executed on top. Returns whether `before` is open in this way, and the move
    /// legal there.
    pub fn announce_instead(&mut self, before: &Chess, mv: Move) -> bool {
        let mut open = self.previous.as_mut();
        while let Some(previous) = open {
            if looks_like(&previous.position, before) && previous.table.shape(mv).is_some() {
                previous.said = Some(mv);
                return true;
            }
            open = previous.older.as_deref_mut();
        }
        false
    }

    /// The move announced instead of the executed one, if any.
    pub fn announced_instead(&self) -> Option<Move> {
        self.previous.as_ref().and_then(|previous| previous.instead())
    }

    /// The moves between which a question is open.
    pub fn asked(&self) -> &[Move] {
        &self.asked
    }

    /// The announcement is withdrawn or settled elsewhere.
    pub fn forget_announcement(&mut self) {
        self.announced = None;
    }

    /// The announced move that is awaited on the board.
    pub fn announced(&self) -> Option<Move> {
        self.announced
    }

    /// The next step for the hands, towards the announced move, the executed one or the position,
    /// whichever guidance leads to. `None` when the board shows it.
    pub fn next_step(&self) -> Option<PegStep> {
        self.step_to_target().map(|(step, _)| step)
    }
}
