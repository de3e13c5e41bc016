//! Back to a position: hands guided step by step, boards set up anew.

use shakmaty::{Chess, Move, Position};

use super::{Judged, Tracker};
use crate::sensing::{Diff, Felt, Step};

impl Tracker {
    pub(super) fn settle_clearing(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        let shows = |position: &Chess, this: &Tracker| {
            ((position.board().occupied() ^ this.occupied) & !this.blind).is_empty()
        };
        if shows(&self.position, self) {
            self.clearing = false;
            self.trail.clear();
            self.whole_trail.clear();
            self.guided = None;
            self.adjusting = false;
            felt.push(Felt::Restored { at_ms });
            return;
        }
        let targets = [self.set_up_target.clone(), Some(Chess::default())];
        if let Some(position) = targets.into_iter().flatten().find(|target| shows(target, self)) {
            self.set_position(position.clone());
            self.judged = Judged::Guided;
            felt.push(Felt::SetUp { position: Box::new(position), at_ms });
            return;
        }
        if self.guided.is_some() {
            self.guide(at_ms, felt);
        }
    }

    pub(super) fn guide_if_astray(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        let diff = self.diff();
        if diff.is_empty() || !self.asked.is_empty() {
            return;
        }
        // One piece away is a piece in the hand, however long its owner thinks.
        let in_hand = diff.extra.is_empty() && diff.missing.count() <= 1;
        // An empty board waits to be set up; it needs no telling.
        let packed_away =
            self.clearing && self.occupied.count() * 2 < self.position.board().occupied().count();
        if !in_hand && !packed_away {
            self.guide(at_ms, felt);
        }
    }

    /// Says the next step back to the position (or to the announced move), if it is a new one.
    pub(super) fn guide(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        let target = self.guide_target();
        let diff = Diff::new(self.occupied, target.board().occupied(), self.blind);
        let Some(step) = diff.step(target.board()) else {
            return;
        };
        if self.guided != Some(step) {
            self.guided = Some(step);
            felt.push(Felt::Astray { step, diff, at_ms });
        }
    }

    /// What is to be done next on this board, if anything.
    pub fn next_step(&self) -> Option<Step> {
        let target = self.guide_target();
        let diff = Diff::new(self.occupied, target.board().occupied(), self.blind);
        diff.step(target.board())
    }

    /// Where guidance leads: to the announced move; else to the one legal move that was seen and is
    /// nearer than the position (a neighbour knocked out); while the board is being set up to the
    /// nearest position that would be recognised; else to the position.
    fn guide_target(&self) -> Chess {
        let distance = |position: &Chess| {
            Diff::new(self.occupied, position.board().occupied(), self.blind).count()
        };
        if self.clearing {
            let targets =
                [Some(self.position.clone()), self.set_up_target.clone(), Some(Chess::default())];
            let nearest = targets.into_iter().flatten().min_by_key(distance);
            return nearest.unwrap_or_else(|| self.position.clone());
        }
        if self.must_restore {
            return self.position.clone();
        }
        self.announced.or_else(|| self.nearest_move()).map_or_else(
            || self.position.clone(),
            |mv| {
                let mut after = self.position.clone();
                after.play_unchecked(mv);
                after
            },
        )
    }

    fn nearest_move(&self) -> Option<Move> {
        let here = self.diff().count();
        let mut near: Vec<(usize, Move)> = self
            .table
            .shapes()
            .iter()
            .filter(|shape| {
                shape.landing.is_subset(self.occupied) && self.trail.shows(shape, self.blind)
            })
            .map(|shape| (Diff::new(self.occupied, shape.after, self.blind).count(), shape.mv))
            .filter(|(distance, _)| *distance < here)
            .collect();
        near.sort_by_key(|(distance, _)| *distance);
        match near.as_slice() {
            [(_, mv)] => Some(*mv),
            [(first, mv), (second, _), ..] if first < second => Some(*mv),
            _ => None,
        }
    }

    /// Starts guidance now, asked for or demanded by the Laws, and says its first step again.
    pub fn guide_now(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        self.guided = None;
        self.guide(at_ms, felt);
    }
}
