//! Broken reeds: found by what the moves say, then overlooked.
//!
//! A single change of a reed may be a hand: a hole that reads empty may have its piece in the air.
//! So a reed is blamed only on evidence of several changes: the game has gone on from an announced
//! move, two moves have passed a hole that never changes, or a player announces the move again
//! after hearing what is missing. A reed that changes later works, and is trusted at once.

use shakmaty::{Bitboard, Color, Move, Position, Square};

use super::{Patience, Tracker};
use crate::sensing::{Diff, Fault, Felt, Shape, ShapeTable};

/// An announced move may contradict the board in this many holes before it is disbelieved.
const FAULTS_A_MOVE: usize = 1;
/// No reed is blamed for a reply that is executed sooner than this after the move was begun,
/// milliseconds. The move must be announced first; anything the hands do before is a slip.
const REPLY_AFTER_MS: u64 = 1000;

impl Tracker {
    /// A reed that changes is alive, whatever was thought of it.
    pub(super) fn alive(&mut self, square: Square, at_ms: u64, felt: &mut Vec<Felt>) {
        if self.blind.remove(square) && !self.unsure.remove(square) {
            felt.push(Felt::Mended { square, at_ms });
        }
    }

    /// A second move has passed over reeds that contradicted one already: now it is said.
    pub(super) fn blame_unsure(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        let should = self.position.board().occupied();
        let wrong = self.unsure & (self.occupied ^ should);
        let told = std::mem::take(&mut self.newly_unsure);
        let certain = wrong & !told;
        self.unsure &= !certain;
        self.blame(
            Diff::new(self.occupied & certain, should & certain, Bitboard::EMPTY),
            at_ms,
            felt,
        );
    }

    /// Its player asks how the board stands. Where one move alone spoke for a stuck reed, a spare
    /// peg is as likely, and the hands can tell: the hole counts again.
    pub fn look_again(&mut self) {
        let doubted = std::mem::take(&mut self.unsure);
        self.blind &= !doubted;
        self.newly_unsure = Bitboard::EMPTY;
    }

    fn blame(&mut self, diff: Diff, at_ms: u64, felt: &mut Vec<Felt>) {
        for (squares, fault) in [(diff.missing, Fault::Dead), (diff.extra, Fault::Stuck)] {
            for square in squares {
                self.blind.add(square);
                felt.push(Felt::Fault { square, fault, at_ms });
            }
        }
    }

    /// The move is seen in full but for one hole that has nothing to do with it, reads filled, and
    /// did not change since the last move. Either its reed is stuck, or a spare peg stands there.
    /// Neither hides the move, and one move does not show which it is.
    ///
    /// A hole of the move itself is never overlooked so: the piece that it captures, or the pawn
    /// that it promotes, may still stand there (D.2.3.1).
    pub(super) fn accept_over_stray(
        &mut self,
        at_ms: u64,
        patience: Patience,
        felt: &mut Vec<Felt>,
    ) -> bool {
        let still = |this: &Tracker, shape: &Shape| {
            let diff = Diff::new(this.occupied, shape.after, this.blind);
            let stray = diff.extra.single_square().filter(|_| diff.missing.is_empty())?;
            if this.whole_trail.changed(stray) || shape.emptied.contains(stray) {
                return None;
            }
            let blind = this.blind.with(stray);
            let shown = this.trail.shows(shape, blind) && shape.landing.is_disjoint(blind);
            shown.then_some((shape.mv, stray))
        };
        let mut fitting: Vec<(Move, Square)> =
            self.table.shapes().iter().filter_map(|shape| still(self, shape)).collect();
        if let Some(announced) = self.announced
            && fitting.iter().any(|(mv, _)| *mv == announced)
        {
            fitting.retain(|(mv, _)| *mv == announced);
        }
        let [(mv, stray)] = fitting.as_slice() else {
            return false;
        };
        let (mv, stray) = (*mv, *stray);
        if !patience.lasts(self.rest_ms(mv)) {
            return true;
        }
        self.blind.add(stray);
        self.unsure.add(stray);
        self.newly_unsure.add(stray);
        let by_announcement = self.announced == Some(mv);
        self.accept(mv, at_ms, by_announcement, felt);
        true
    }

    /// The game goes on: if the board shows a reply to exactly one of the moves in question (the
    /// announced one, or those asked for), that one was played.
    pub(super) fn accept_from_reply(&mut self, at_ms: u64, felt: &mut Vec<Felt>) -> bool {
        let in_question: Vec<Move> = match self.announced {
            Some(mv) => vec![mv],
            None if self.asked.is_empty() => self.early.into_iter().collect(),
            None => self.asked.clone(),
        };
        let mut shown = in_question.into_iter().filter(|mv| self.reply_shows(*mv));
        match (shown.next(), shown.next()) {
            (Some(mv), None) => self.accept_despite_faults(mv, at_ms, felt),
            _ => false,
        }
    }

    /// This player presses and the pegs show the opponent's announced move with a reply to it: both
    /// were executed in one go. Who presses holds no piece in his hand.
    pub fn shows_reply_of(&self, color: Color) -> bool {
        let Some(shape) = self.announced.and_then(|mv| self.table.shape(mv)) else { return false };
        let trail = &self.whole_trail;
        if color == self.position.turn()
            || self.clearing
            || !(shape.emptied & !self.blind).is_subset(trail.emptied())
        {
            return false;
        }
        let mut after = self.position.clone();
        after.play_unchecked(shape.mv);
        let replies = ShapeTable::new(&after);
        let mut shown = replies.candidates(self.occupied, trail, self.blind);
        shown.any(|reply| trail.emptied_ms(reply.from) >= self.known_ms(shape.mv))
    }

    /// The holes of the move itself that contradict it.
    fn hidden(&self, shape: &Shape) -> Bitboard {
        ((shape.landing & !self.occupied) | (shape.emptied & self.occupied & !shape.landing))
            & !self.blind
    }

    /// Whether the board shows a legal reply to the move, but for the holes that contradict it.
    fn reply_shows(&self, mv: Move) -> bool {
        let Some(shape) = self.table.shape(mv) else {
            return false;
        };
        let hidden = self.hidden(shape);
        if hidden.count() > FAULTS_A_MOVE
            || !self.begun(shape)
            || !self.capture_seen(shape, &self.whole_trail)
        {
            return false;
        }
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        let begun_ms = self.begun_ms(shape);
        let told_ms = if hidden.is_empty() { 0 } else { REPLY_AFTER_MS };
        // A peg that stood there before the move began is no reply to it, unless the move had been
        // announced and is seen in full: both may be executed in either order (D.2.3).
        let whole = self.announced == Some(mv) && hidden.is_empty();
        let seen = whole && self.whole_trail.shows(shape, self.blind);
        let from_ms = if seen { self.known_ms(mv) } else { begun_ms + told_ms };
        let follows = |reply: &Shape| {
            let trail = &self.whole_trail;
            // A piece taken back on its target must have stood there: a hole that was emptied once
            // shows one capture, and the piece that is missing elsewhere may be in a hand.
            let stood = |square: Square| !shape.landing.contains(square) || trail.reopened(square);
            trail.emptied_ms(reply.from) >= from_ms
                && trail.filled_ms(reply.to) >= from_ms.max(self.known_ms(mv))
                && reply.captured.is_none_or(stood)
        };
        ShapeTable::new(&after)
            .candidates(self.occupied, &self.whole_trail, self.blind | hidden)
            .any(follows)
    }

    /// When the move was announced, if it was: nobody replies to it before.
    fn known_ms(&self, mv: Move) -> u64 {
        if self.announced == Some(mv) { self.announced_ms } else { 0 }
    }

    /// When the first thing of the move was felt that still stands.
    fn begun_ms(&self, shape: &Shape) -> u64 {
        let trail = &self.whole_trail;
        let left = (shape.emptied & trail.emptied()).into_iter().map(|sq| trail.emptied_ms(sq));
        let reached = shape.landing.into_iter().map(|sq| trail.filled_ms(sq));
        left.chain(reached).filter(|ms| *ms > 0).min().unwrap_or(0)
    }

    /// Something of the move was felt: a hole left or reached.
    fn begun(&self, shape: &Shape) -> bool {
        (shape.emptied & self.whole_trail.emptied()).any()
            || shape.landing.into_iter().any(|sq| self.whole_trail.filled_ms(sq) > 0)
    }

    /// Whether one broken reed would explain why the board does not show this move in full.
    pub(super) fn may_be_faulty(&self, mv: Move) -> bool {
        self.table.shape(mv).is_some_and(|shape| {
            let diff = Diff::new(self.occupied, shape.after, self.blind);
            self.reply_shows(mv) || diff.count() <= FAULTS_A_MOVE && self.begun(shape)
        })
    }

    /// Takes a move in question as executed although a hole contradicts it, and blames that reed.
    pub(super) fn accept_despite_faults(
        &mut self,
        mv: Move,
        at_ms: u64,
        felt: &mut Vec<Felt>,
    ) -> bool {
        let Some(shape) = self.table.shape(mv).copied() else {
            return false;
        };
        let replied = self.reply_shows(mv);
        let diff = Diff::new(self.occupied, shape.after, self.blind);
        let mut blamed = if replied {
            let hidden = self.hidden(&shape);
            Diff { extra: diff.extra & hidden, missing: diff.missing & hidden }
        } else if diff.count() <= FAULTS_A_MOVE && self.begun(&shape) {
            diff
        } else {
            return false;
        };
        // The captured piece is gone, its player says: then its reed has not followed.
        blamed.extra |= Bitboard::from_iter(shape.captured)
            & self.occupied
            & !self.whole_trail.emptied()
            & !self.blind;
        self.blame(blamed, at_ms, felt);
        self.accept_with_reply(mv, replied, at_ms, felt);
        true
    }

    /// The move is executed. Changes that belong to a reply stay with it.
    pub(super) fn accept_with_reply(
        &mut self,
        mv: Move,
        replied: bool,
        at_ms: u64,
        felt: &mut Vec<Felt>,
    ) {
        let later = self.whole_trail.clone();
        let executed = felt.len();
        self.accept(mv, at_ms, true, felt);
        if replied {
            // The reply's touches are its own player's.
            let reply: Bitboard = self
                .table
                .candidates(self.occupied, &later, self.blind)
                .fold(Bitboard::EMPTY, |squares, shape| squares | shape.emptied);
            if let Some(Felt::Executed(executed)) = felt.get_mut(executed) {
                executed.touched.retain(|sq| !reply.contains(*sq));
            }
            if let Some(previous) = &mut self.previous {
                let theirs = |sq: &Square| reply.contains(*sq);
                self.touched.extend(previous.touched.iter().copied().filter(theirs));
                previous.touched.retain(|sq| !reply.contains(*sq));
            }
        }
        if !self.diff().is_empty() {
            self.trail = later.clone();
            self.whole_trail = later;
            self.judged_ms = None;
        }
    }
}
