//! Guides the hands back to a position step by step, and follows boards that are set up again.

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::{Tracker, open::Meant};
use crate::sensing::{Diff, Felt, PegStep, Shape, ShapeTable, Trail};

/// The board that guidance leads to.
struct Target {
    position: Chess,
    /// The move that leads to it, and what was seen since the position before it.
    way: Option<(Chess, Shape, Trail)>,
}

impl Target {
    fn position(position: Chess) -> Target {
        Target { position, way: None }
    }

    fn after(before: Chess, mv: Move, trail: Trail) -> Target {
        let shape = Shape::new(before.board().occupied(), mv);
        let mut position = before.clone();
        position.play_unchecked(mv);
        Target { position, way: Some((before, shape, trail)) }
    }
}

impl Tracker {
    pub(super) fn settle_clearing(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        let shows = |position: &Chess, this: &Tracker| {
            ((position.board().occupied() ^ this.occupied) & !this.blind).is_empty()
        };
        if shows(&self.position, self) {
            self.clearing = false;
            self.trail.clear();
            self.whole_trail.clear();
            self.set_up_again();
            self.guided = None;
            self.end_adjusting();
            felt.push(Felt::Restored { at_ms });
            return;
        }
        if let Some(mv) = self.announced
            && self.shows_announced(mv)
        {
            self.clearing = false;
            self.accept(mv, at_ms, !self.blind.is_empty(), felt);
            return;
        }
        if self.show_announced_before(at_ms, felt) {
            self.clearing = false;
            return;
        }
        // On the way to an announced move a board may look so for a moment.
        let meant = self.announced.is_some() || self.meant_before().is_some();
        let position = Chess::default();
        if !meant && shows(&position, self) {
            self.set_position(position.clone());
            self.judged_ms = Some(u64::MAX);
            felt.push(Felt::SetUp { position: Box::new(position), at_ms });
            return;
        }
        if self.take_back_open(at_ms, felt) {
            self.clearing = false;
        } else if self.guided.is_some() {
            self.guide(at_ms, felt);
        }
    }

    pub(super) fn guide_if_astray(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        let diff = self.diff();
        let shown = |mv: &Move| {
            self.table
                .shape(*mv)
                .is_some_and(|shape| ((shape.after ^ self.occupied) & !self.blind).is_empty())
        };
        if diff.is_empty() || self.asked.iter().any(shown) {
            return;
        }
        // The question was about a board that is not there any more.
        self.asked.clear();
        // One missing piece is a piece in the hand, however long its owner thinks. The exceptions
        // are a board that looks as after the announced capture: there the captured piece was
        // forgotten; and a piece of the opponent that was off before he had the move.
        let forgotten =
            self.announced.is_some_and(|mv| shown(&mv) && self.standing_captured(mv).is_some());
        let left = (diff.missing & self.left_off).any();
        let one = diff.extra.is_empty() && diff.missing.count() <= 1 && !forgotten;
        let in_hand = !left && (one || !self.held_for_move().is_empty());
        // An empty board waits to be set up, without words.
        let packed_away =
            self.clearing && self.occupied.count() * 2 < self.position.board().occupied().count();
        if !in_hand && !packed_away {
            self.guide(at_ms, felt);
        }
    }

    /// Says the next step back to the position (or to the announced move), if it is a new one.
    pub(super) fn guide(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        let Some((step, diff)) = self.step_to_target() else {
            return;
        };
        if self.guided != Some(step) {
            self.guided = Some(step);
            self.note_told(at_ms);
            felt.push(Felt::Astray { step, diff, at_ms });
        }
    }

    /// The next step to where guidance leads, and everything that is different there: first what
    /// must go, then a captured piece that was not seen to go, then what is missing.
    pub(super) fn step_to_target(&self) -> Option<(PegStep, Diff)> {
        let Target { position, way } = self.guide_target();
        let diff = Diff::new(self.occupied, position.board().occupied(), self.blind);
        let known = |square: Square| {
            let before = way.as_ref().and_then(|(before, ..)| before.board().piece_at(square));
            before.or_else(|| self.position.board().piece_at(square))
        };
        let take = |square: Square| PegStep::Take(square, known(square));
        // First the pegs that have nothing to do with the move, then the king before the rook
        // (4.4.2).
        let own = way.as_ref().map_or(Bitboard::EMPTY, |(_, shape, _)| shape.emptied);
        let from = way.as_ref().map(|(_, shape, _)| shape.from);
        if let Some(square) = (diff.extra & !own).first().or(first(diff.extra, from)) {
            return Some((take(square), diff));
        }
        if let Some((_, shape, trail)) = &way
            && let Some(captured) = shape.captured
            && self.occupied.contains(captured)
            && !self.blind.contains(captured)
            && !trail.shows(shape, self.blind)
        {
            return Some((take(captured), diff));
        }
        let square = first(diff.missing, way.as_ref().map(|(_, shape, _)| shape.to))?;
        let piece = position.board().piece_at(square)?;
        Some((PegStep::Put(square, piece), diff))
    }

    /// The board that guidance leads to. The announced move comes first, also where another one was
    /// executed. Next comes the one legal move that was seen and is nearer than the position (a
    /// neighbour knocked out), and the one of which only the rest is missing. While the board is
    /// being set up, the nearest position that would be recognised. Otherwise the position.
    fn guide_target(&self) -> Target {
        let meant = match (self.announced, self.meant_before()) {
            (Some(mv), _) => Some(self.announced_target(mv)),
            (None, Some(Meant { position, mv, trail, .. })) => {
                Some(Target::after(position, mv, trail))
            }
            (None, None) => None,
        };
        if self.clearing {
            let distance = |target: &Target| {
                Diff::new(self.occupied, target.position.board().occupied(), self.blind).count()
            };
            let positions = [self.position.clone(), Chess::default()].map(Target::position);
            let nearest = meant.into_iter().chain(positions).min_by_key(distance);
            return nearest.unwrap_or_else(|| Target::position(self.position.clone()));
        }
        if self.must_restore {
            return Target::position(self.position.clone());
        }
        if let Some(target) = meant {
            return target;
        }
        match self.nearest_move().or_else(|| self.begun_move()) {
            Some(mv) => Target::after(self.position.clone(), mv, self.trail.clone()),
            None => Target::position(self.position.clone()),
        }
    }

    /// The board after the announced move; with a reply to it, where one was executed before it.
    fn announced_target(&self, mv: Move) -> Target {
        let mut target = Target::after(self.position.clone(), mv, self.trail.clone());
        let Some((_, own, _)) = &target.way else { return target };
        let squares = own.emptied | own.landing;
        let stands = |reply: &&Shape| {
            let left = reply.emptied & !reply.landing;
            squares.is_disjoint(reply.emptied | reply.landing)
                && reply.landing.is_subset(self.occupied)
                && left.is_disjoint(self.occupied)
                && self.trail.shows(reply, self.blind)
        };
        let table = ShapeTable::new(&target.position);
        let mut replies = table.shapes().iter().filter(stands);
        if let Some(reply) = replies.next()
            && replies.all(|other| other.after == reply.after)
        {
            target.position.play_unchecked(reply.mv);
        }
        target
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

    /// The one legal move left to whoever let go of a piece where no other puts it: the king of a
    /// castling, a pawn that takes in passing. Led back, he would play another move and offend.
    ///
    /// Source: FIDE 3.7.3.1, 3.8.2, 4.7.2
    fn begun_move(&self) -> Option<Move> {
        let diff = self.diff();
        let begun = |shape: &&Shape| {
            diff.missing.contains(shape.from)
                && diff.extra.contains(shape.to)
                && diff.missing.is_subset(shape.emptied)
                && diff.extra.is_subset(shape.landing)
                && self.trail.filled_after_emptied(shape.to, shape.from)
        };
        let mut all = self.table.shapes().iter().filter(begun);
        all.next().filter(|_| all.next().is_none()).map(|shape| shape.mv)
    }

    /// The step that was said last is said again, if it is still the next one.
    pub fn guide_again(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        if self.guided.is_some() && self.guided == self.next_step() {
            self.guide_now(at_ms, felt);
        }
    }

    /// Starts guidance now, asked for or demanded by the Laws, and says its first step again.
    pub fn guide_now(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        self.guided = None;
        self.guide(at_ms, felt);
    }
}

/// The square to begin with: this one if it is among them.
fn first(squares: Bitboard, preferred: Option<Square>) -> Option<Square> {
    preferred.filter(|square| squares.contains(*square)).or(squares.first())
}
