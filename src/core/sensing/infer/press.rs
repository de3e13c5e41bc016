//! The clock pressed on a peg board.

use shakmaty::{Color, Move, Position};

use super::{Patience, Tracker};
use crate::sensing::{Diff, Felt, IllegalShape, Shape};

impl Tracker {
    /// The player of this colour pressed his clock. Decided at once when the board shows a move,
    /// else after the contacts have had time to come to rest.
    pub fn press(&mut self, at_ms: u64, color: Color, felt: &mut Vec<Felt>) {
        self.pressed = Some((color, at_ms));
        if self.shows_reply_of(color)
            && let Some(mv) = self.announced
        {
            self.accept_with_reply(mv, true, at_ms, felt);
        }
        if color == self.position.turn() && !self.diff().is_empty() {
            self.settle(at_ms, Patience::Pressed, felt);
        }
        if self.position.turn() != color && self.diff().is_empty() && self.previous.is_some() {
            self.pressed = None;
            self.judge_press(color, at_ms, felt);
        }
    }

    pub(super) fn judge_press(&mut self, color: Color, at_ms: u64, felt: &mut Vec<Felt>) {
        if self.clearing {
            self.displaced(color, at_ms, felt);
            return;
        }
        if color == self.position.turn() {
            self.judge_press_on_turn(color, at_ms, felt);
        } else {
            self.judge_press_after_move(color, at_ms, felt);
        }
    }

    fn judge_press_on_turn(&mut self, color: Color, at_ms: u64, felt: &mut Vec<Felt>) {
        if !self.diff().is_empty() {
            self.settle(at_ms, Patience::Pressed, felt);
        }
        if color != self.position.turn() {
            self.judge_press_after_move(color, at_ms, felt);
        } else if let Some(mv) = self.announced {
            // Whatever the hands hold: a legal move was announced and is not on the board.
            self.early(color, mv, at_ms, felt);
        } else if !self.asked.is_empty() {
            self.press_waits = Some(color);
        } else if self.diff().is_empty() {
            felt.push(Felt::PressedWithoutMove { color, step: self.next_step(), at_ms });
        } else {
            self.pressed_unmade(color, at_ms, felt);
        }
    }

    /// The board shows no move: it is half done, or illegal.
    fn pressed_unmade(&mut self, color: Color, at_ms: u64, felt: &mut Vec<Felt>) {
        if self.settings.announced_for && !self.must_restore && self.is_half_done() {
            felt.push(Felt::PressedHalf { color, at_ms });
        } else if let Some(mv) = self.beside_lifted(color) {
            self.accept(mv, at_ms, false, felt);
            self.judge_press_after_move(color, at_ms, felt);
        } else {
            self.pressed_illegal(at_ms, felt);
        }
    }

    /// The one legal move that the board shows, but for a piece or two of his own that were knocked
    /// off beside it: those are displaced (7.4.1).
    fn beside_lifted(&self, color: Color) -> Option<Move> {
        let own = self.position.board().by_color(color);
        let shown = |shape: &&Shape| {
            let diff = Diff::new(self.occupied, shape.after, self.blind);
            diff.extra.is_empty()
                && diff.missing.count() < 3
                && diff.missing.is_subset(own & !shape.landing)
                && self.whole_trail.shows(shape, self.blind)
        };
        let mut shapes = self.table.shapes().iter().filter(shown);
        let only = shapes.next().filter(|_| !self.must_restore && shapes.next().is_none());
        only.map(|shape| shape.mv)
    }

    /// Pieces are off the board and none was set, or what was set belongs to a legal move that is
    /// not done yet.
    fn is_half_done(&self) -> bool {
        let diff = self.diff();
        let seen = self.illegal_shape();
        let half = |shape: &Shape| {
            diff.extra.is_subset(shape.landing) && diff.missing.is_subset(shape.emptied)
        };
        (seen.filled.is_empty() && seen.piece.is_none())
            || (diff.extra.any() && self.table.shapes().iter().any(half))
    }

    fn illegal_shape(&self) -> IllegalShape {
        let refilled =
            self.whole_trail.emptied() & self.occupied & self.position.board().occupied();
        IllegalShape::read(&self.position, self.occupied, refilled, self.blind)
    }

    /// The clock was pressed before the announced move was executed in full (D.2.4). The missing
    /// step is reported, and guidance goes on from there.
    fn early(&mut self, color: Color, mv: Move, at_ms: u64, felt: &mut Vec<Felt>) {
        let step = self.next_step();
        self.note_told(at_ms);
        self.guided = step;
        felt.push(Felt::PressedEarly { color, mv, step, at_ms });
    }

    fn displaced(&mut self, color: Color, at_ms: u64, felt: &mut Vec<Felt>) {
        felt.push(Felt::Displaced { color, step: self.next_step(), at_ms });
        self.guide_now(at_ms, felt);
    }

    fn judge_press_after_move(&mut self, color: Color, at_ms: u64, felt: &mut Vec<Felt>) {
        if self.previous.is_none() {
            // Pressed already, or before the first move: the lever is down, nothing happens.
            return;
        }
        if self.diff().is_empty() {
            self.redo_capture(at_ms, Patience::Pressed, felt);
        }
        let lifted = self.only_lifts_of(!color);
        if self.diff().is_empty() || lifted || self.revise(at_ms, Patience::Pressed, felt) {
            // What goes on lying there is to be put back (7.4.1): it is looked at once more.
            if lifted && !self.diff().is_empty() {
                self.left_off = self.diff().missing;
                self.judged_ms = None;
            }
            if !self.asked.is_empty() {
                self.press_waits = Some(color);
            }
            self.pressed_well(color, at_ms, felt);
            return;
        }
        if self.only_displaced() {
            self.displaced(color, at_ms, felt);
            return;
        }
        // The board no longer shows the executed move: back to the position before it.
        let trail = self.previous.as_ref().map(|p| p.trail.followed_by(&self.whole_trail));
        if let Some(mv) = self.executed() {
            self.step_back(trail.unwrap_or_default());
            felt.push(Felt::TakenBack { mv, at_ms });
        }
        match self.announced {
            Some(mv) => self.early(color, mv, at_ms, felt),
            None => self.pressed_unmade(color, at_ms, felt),
        }
    }

    /// The opponent may hold pieces of his own already when the clock is pressed.
    fn only_lifts_of(&self, color: Color) -> bool {
        let diff = self.diff();
        diff.extra.is_empty()
            && diff.missing.is_subset(self.position.board().by_color(color))
            && diff.missing.count() < 3
    }

    /// The executed move stands; a piece or two of others are off the board.
    fn only_displaced(&self) -> bool {
        let diff = self.diff();
        let stands = self.previous.as_ref().is_some_and(|p| !diff.missing.contains(p.to));
        stands && diff.extra.is_empty() && diff.missing.count() < 3
    }

    fn pressed_well(&mut self, color: Color, at_ms: u64, felt: &mut Vec<Felt>) {
        if self.previous.is_some() {
            felt.push(Felt::Pressed { color, at_ms });
        } else if self.asked.is_empty() {
            felt.push(Felt::PressedWithoutMove { color, step: self.next_step(), at_ms });
        }
    }

    fn pressed_illegal(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        let seen = self.illegal_shape();
        self.asked.clear();
        self.must_restore = true;
        felt.push(Felt::Illegal { seen, step: self.next_step(), at_ms });
        self.guide_now(at_ms, felt);
    }
}
