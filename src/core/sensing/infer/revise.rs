//! The last executed move corrected by the hands, as long as it is not made.

use shakmaty::{Move, Position, Square};

use super::{Patience, Tracker};
use crate::sensing::{Felt, Shape, ShapeTable, Trail};

impl Tracker {
    /// Reads the board as a correction of the last executed move, while that is open.
    pub(super) fn revise(&mut self, at_ms: u64, patience: Patience, felt: &mut Vec<Felt>) -> bool {
        let Some(previous) = &self.previous else {
            return false;
        };
        let before = previous.position.board().occupied();
        let trail = previous.trail.followed_by(&self.whole_trail);
        let short = !patience.lasts(self.settings.castling_ms);
        if self.diff().is_empty() || short && self.may_be_set_first() {
            return false;
        }
        if ((before ^ self.occupied) & !self.blind).is_empty() {
            let mv = previous.mv;
            let since = self.whole_trail.clone();
            self.step_back(Trail::default());
            self.guided = None;
            self.taken_back = Some((mv, since));
            felt.push(Felt::TakenBack { mv, at_ms });
            return true;
        }
        let old = previous.mv;
        // A piece that left its new hole again stands elsewhere only since then.
        let last = Shape::new(before, old);
        let others = |shape: &&Shape| {
            shape.mv != old
                && (!self.whole_trail.emptied().contains(last.to)
                    || shape.landing.contains(last.to)
                    || self.whole_trail.filled_after_emptied(shape.to, last.to))
        };
        let mut fitting: Vec<Move> = previous
            .table
            .candidates(self.occupied, &trail, self.blind)
            .filter(others)
            .map(|shape| shape.mv)
            .collect();
        if fitting.is_empty() {
            let set_first = previous.table.set_first(self.occupied, &trail, self.blind);
            fitting = set_first.filter(others).map(|shape| shape.mv).collect();
        }
        // The piece just moved is off the board and may be taken: that is rather the opponent's
        // capture on its way than the own piece on its way to another one.
        if patience != Patience::Pressed
            && fitting.iter().any(|mv| mv.is_capture())
            && self.may_be_taken(last.to)
        {
            return false;
        }
        let known = previous.said.filter(|mv| fitting.contains(mv));
        let Some(mv) = known.or(fitting.first().copied().filter(|_| fitting.len() == 1)) else {
            if fitting.is_empty() {
                return false;
            }
            self.step_back(trail);
            felt.push(Felt::TakenBack { mv: old, at_ms });
            self.ask(fitting, at_ms, felt);
            return true;
        };
        if known.is_none() && !patience.lasts(self.quiet_ms(&previous.position, mv)) {
            self.ending = Some(mv).filter(|mv| self.ends_game(&previous.position, *mv));
            return true;
        }
        // Back to the move before the correction: there was none, and what was seen since counts.
        let there_and_back = (previous.replaced.as_ref())
            .filter(|(replaced, _)| *replaced == mv)
            .map(|(_, since)| since.followed_by(&self.whole_trail));
        let since = self.whole_trail.clone();
        self.step_back(trail);
        self.accept_instead(mv, old, at_ms, felt);
        if let Some(trail) = there_and_back {
            self.whole_trail = trail;
        }
        if let Some(previous) = &mut self.previous {
            previous.replaced = Some((old, since));
        }
        true
    }

    /// Two captures by one piece leave the same holes. The executed one was undone and another made
    /// before the board could rest in between, so it looks as if nothing had changed: only the way
    /// tells. The piece went back to its origin and left it again, and then entered the other
    /// square.
    pub(super) fn redo_capture(
        &mut self,
        at_ms: u64,
        patience: Patience,
        felt: &mut Vec<Felt>,
    ) -> bool {
        let Some(previous) = &self.previous else {
            return false;
        };
        let since = &self.whole_trail;
        let old = Shape::new(previous.position.board().occupied(), previous.mv);
        if !since.filled_after_emptied(old.from, old.to) || !since.emptied().contains(old.to) {
            return false;
        }
        let fitting: Vec<Move> = previous
            .table
            .candidates(self.occupied, since, self.blind)
            .map(|shape| shape.mv)
            .filter(|mv| *mv != old.mv && mv.is_capture() && mv.from() == Some(old.from))
            .collect();
        let known = previous.said.filter(|mv| fitting.contains(mv));
        if known.is_none() && (fitting.is_empty() || since.shows(&old, self.blind)) {
            return false;
        }
        let Some(mv) = known.or(fitting.first().copied().filter(|_| fitting.len() == 1)) else {
            self.step_back(since.clone());
            felt.push(Felt::TakenBack { mv: old.mv, at_ms });
            self.ask(fitting, at_ms, felt);
            return true;
        };
        if known.is_none() && !patience.lasts(self.quiet_ms(&previous.position, mv)) {
            return false;
        }
        self.step_back(since.clone());
        self.accept_instead(mv, old.mv, at_ms, felt);
        true
    }

    /// The executed move was a promotion to another piece than supposed. Pegs show no difference.
    /// Returns whether that is possible.
    pub fn becomes(&mut self, mv: Move) -> bool {
        let alike = |p: &super::open::Previous| {
            mv.is_promotion()
                && (p.mv.from(), p.mv.to()) == (mv.from(), mv.to())
                && p.table.shape(mv).is_some()
        };
        let Some(previous) = self.previous.as_mut().filter(|previous| alike(previous)) else {
            return false;
        };
        previous.mv = mv;
        previous.said = Some(mv);
        let mut after = previous.position.clone();
        after.play_unchecked(mv);
        self.table = ShapeTable::new(&after);
        self.position = after;
        true
    }

    /// A piece of the opponent's may be about to take it: not one that was put down again since.
    fn may_be_taken(&self, square: Square) -> bool {
        let diff = self.diff();
        let takes = |shape: &Shape| {
            let stands = self.whole_trail.filled_after_emptied(shape.from, square);
            shape.captured == Some(square) && !stands
        };
        diff.extra.is_empty()
            && diff.missing.contains(square)
            && self.table.shapes().iter().any(takes)
    }

    pub(super) fn accept_instead(&mut self, mv: Move, old: Move, at_ms: u64, felt: &mut Vec<Felt>) {
        let executed = felt.len();
        self.accept(mv, at_ms, false, felt);
        if let Some(Felt::Executed(executed)) = felt.get_mut(executed) {
            executed.revises = Some(old);
        }
    }

    /// The other reading of the last correction: there was none, and the move that it replaced
    /// stands. The legal replies to that move, and what was seen since it had been accepted.
    fn uncorrected(&self) -> Option<(ShapeTable, Trail)> {
        let previous = self.previous.as_ref()?;
        let (replaced, since) = previous.replaced.as_ref()?;
        let mut after = previous.position.clone();
        after.play_unchecked(*replaced);
        Some((ShapeTable::new(&after), since.followed_by(&self.whole_trail)))
    }

    /// Goes over to that reading.
    fn undo_correction(&mut self, trail: Trail, at_ms: u64, felt: &mut Vec<Felt>) {
        let Some((replaced, wrong)) = self.previous.as_ref().and_then(|previous| {
            previous.replaced.as_ref().map(|(replaced, _)| (*replaced, previous.mv))
        }) else {
            return;
        };
        self.step_back(Trail::default());
        self.accept_instead(replaced, wrong, at_ms, felt);
        self.trail = trail.clone();
        self.whole_trail = trail;
        self.judged_ms = None;
    }

    /// A supposed correction may have been the opponent's reply on its way, with one piece set back
    /// for a moment. If the board now shows a reply to the replaced move, that move was right.
    pub(super) fn restore_replaced(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        let (Some(previous), Some((table, trail))) = (&self.previous, self.uncorrected()) else {
            return false;
        };
        let Some((replaced, since)) = &previous.replaced else {
            return false;
        };
        // Pegs that no move from here would put there speak against the correction too.
        let extra = self.diff().extra;
        let unexplained = !self.table.shapes().iter().any(|shape| extra.is_subset(shape.landing));
        let before = previous.position.board().occupied();
        let own = Shape::new(before, *replaced).landing;
        // The reply must have begun before, and the peg that looked like the correction must have
        // moved on since.
        let set_back = Shape::new(before, previous.mv).to;
        let moved_on = |shape: &Shape| {
            (unexplained || (shape.emptied & since.emptied() & !own).any())
                && (shape.after.contains(set_back)
                    || self.whole_trail.emptied().contains(set_back)
                        && self.whole_trail.filled_after_emptied(shape.to, set_back))
        };
        if !table.candidates(self.occupied, &trail, self.blind).any(moved_on) {
            return false;
        }
        self.undo_correction(trail, at_ms, felt);
        true
    }

    /// The announced move is not legal here, but it is a reply to the move that seemed corrected,
    /// and the board shows it so: the announcement decides between the two readings.
    pub(super) fn restore_for_announced(
        &mut self,
        mv: Move,
        at_ms: u64,
        felt: &mut Vec<Felt>,
    ) -> bool {
        let Some((table, trail)) = self.uncorrected() else {
            return false;
        };
        if !table.fits_announced(mv, self.occupied, &trail, &trail, self.blind) {
            return false;
        }
        let judged_ms = self.judged_ms;
        self.undo_correction(trail, at_ms, felt);
        self.judged_ms = judged_ms;
        true
    }

    /// A supposed reply was the move before it on its way to another hole: the board shows a legal
    /// move of the position before both, and nothing else fits.
    pub(super) fn revise_older(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        let Some(previous) = &self.previous else {
            return false;
        };
        let Some(older) = &previous.older else {
            return false;
        };
        // Only a reply that seemed to take the very piece that was then set elsewhere.
        let reply = Shape::new(previous.position.board().occupied(), previous.mv);
        if reply.captured != Some(older.to) {
            return false;
        }
        let trail = older.trail.followed_by(&previous.trail).followed_by(&self.whole_trail);
        let fitting: Vec<Move> = older
            .table
            .candidates(self.occupied, &trail, self.blind)
            .map(|shape| shape.mv)
            .collect();
        let [mv] = fitting.as_slice() else {
            return false;
        };
        let (mv, reply, old) = (*mv, previous.mv, older.mv);
        if mv == old {
            return false;
        }
        self.previous =
            self.previous.take().and_then(|previous| previous.older).map(|older| *older);
        felt.push(Felt::TakenBack { mv: reply, at_ms });
        self.step_back(trail);
        self.accept_instead(mv, old, at_ms, felt);
        true
    }

    /// A move that seemed taken back was not, if the board now shows a reply to it and nothing
    /// else.
    pub(super) fn restore_taken_back(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        let Some((mv, since)) = &self.taken_back else {
            return false;
        };
        let mv = *mv;
        let trail = since.followed_by(&self.whole_trail);
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        if ShapeTable::new(&after).candidates(self.occupied, &trail, self.blind).next().is_none() {
            return false;
        }
        self.accept(mv, at_ms, false, felt);
        self.trail = trail.clone();
        self.whole_trail = trail;
        self.judged_ms = None;
        true
    }

    /// The only change since the last move is a peg where a pawn may promote now. That may be the
    /// new piece, set before the pawn is removed, or a correction. Wait for more.
    fn may_be_set_first(&self) -> bool {
        let diff = self.diff();
        diff.missing.is_empty()
            && self
                .table
                .shapes()
                .iter()
                .any(|shape| shape.mv.is_promotion() && diff.extra.contains(shape.to))
    }
}
