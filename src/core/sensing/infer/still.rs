//! How long a board must be still before it is believed.

use shakmaty::{Chess, Move, Position, Role, Square};

use super::Tracker;
use crate::{
    laws::winnable,
    sensing::{Felt, Shape},
};

/// After so many half-moves without capture and pawn move the game is drawn (9.6.2).
const SEVENTY_FIVE: u32 = 150;

/// How long a picture has been waited for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub(super) enum Patience {
    /// The board has been still for this many milliseconds.
    Rested(u64),
    /// The clock was pressed: now or never.
    Pressed,
}

impl Patience {
    /// Whether that is enough for what needs `rest_ms`.
    pub(super) fn lasts(self, rest_ms: u64) -> bool {
        self >= Patience::Rested(rest_ms)
    }
}

impl Tracker {
    /// The next rest at which the present picture is to be judged.
    fn next_rest_ms(&self) -> Option<u64> {
        let settings = &self.settings;
        let short = settings.settle_ms;
        [short, settings.slide_ms, settings.castling_ms, settings.ending_ms, self.guide_rest_ms()]
            .into_iter()
            .map(|rest_ms| rest_ms.max(short))
            .filter(|rest_ms| self.judged_ms.is_none_or(|judged_ms| *rest_ms > judged_ms))
            .min()
    }

    /// Guidance comes last.
    fn guide_rest_ms(&self) -> u64 {
        let settings = &self.settings;
        let longest = settings.castling_ms.max(settings.ending_ms).max(settings.slide_ms);
        settings.guide_ms.max(longest).max(settings.settle_ms)
    }

    /// The next moment at which [`Tracker::advance`] may have something to say.
    pub fn due_ms(&self) -> Option<u64> {
        let still =
            self.next_rest_ms().map(|rest_ms| self.changed_ms + rest_ms + self.settings.late_ms);
        let press = self.pressed.map(|(_, at_ms)| at_ms + self.settings.press_ms);
        match (still, press) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        }
    }

    /// Lets time pass: decides what has come to rest by `now_ms`. Appends to `felt`.
    pub fn advance(&mut self, now_ms: u64, felt: &mut Vec<Felt>) {
        while let Some(due_ms) = self.due_ms().filter(|due_ms| *due_ms <= now_ms) {
            if let Some((color, at_ms)) = self.pressed
                && at_ms + self.settings.press_ms <= due_ms
            {
                self.pressed = None;
                self.judge_press(color, at_ms, felt);
                continue;
            }
            let Some(rest_ms) = self.next_rest_ms() else { break };
            let at_ms = self.changed_ms + rest_ms;
            let last = rest_ms >= self.guide_rest_ms();
            self.judged_ms = Some(if last { u64::MAX } else { rest_ms });
            self.settle(at_ms, Patience::Rested(rest_ms), felt);
            let settled = self.judged_ms.is_some();
            if last && settled && (self.clearing || !self.revise(at_ms, Patience::Pressed, felt)) {
                self.guide_if_astray(at_ms, felt);
            }
        }
    }

    /// How long the board must be still before this move of the position counts as executed.
    pub(super) fn rest_ms(&self, mv: Move) -> u64 {
        if self.announced == Some(mv) {
            return self.settings.settle_ms;
        }
        self.castling_rest_ms(mv).max(self.quiet_ms(&self.position, mv))
    }

    /// A rook move that may become castling waits for the king; until the clock is pressed, when
    /// castling was announced.
    fn castling_rest_ms(&self, mv: Move) -> u64 {
        let Move::Normal { from, to, .. } = mv else {
            return self.settings.settle_ms;
        };
        let castling = self.table.shapes().iter().find(|shape| match shape.mv {
            Move::Castle { rook, .. } => {
                rook == from && shape.landing.contains(to) && shape.to != to
            }
            _ => false,
        });
        match castling {
            None => self.settings.settle_ms,
            Some(shape) if self.announced == Some(shape.mv) => u64::MAX,
            Some(_) => self.settings.castling_ms.max(self.settings.settle_ms),
        }
    }

    /// The rest that an unannounced move of `position` needs because of what it is.
    pub(super) fn quiet_ms(&self, position: &Chess, mv: Move) -> u64 {
        let settings = &self.settings;
        let mut rest_ms = settings.settle_ms;
        if self.ends_game(position, mv) {
            rest_ms = rest_ms.max(settings.ending_ms);
            if self.end_held || self.asks_before_end(mv) {
                return u64::MAX;
            }
        }
        if settings.slide_ms > rest_ms && may_go_on(position, mv) {
            rest_ms = settings.slide_ms;
        }
        rest_ms
    }

    /// After this move there is nothing left to play (5.1.1, 5.2.1, 5.2.2, 9.6).
    pub(super) fn ends_game(&self, position: &Chess, mv: Move) -> bool {
        let mut after = position.clone();
        after.play_unchecked(mv);
        after.is_game_over()
            || after.halfmoves() >= SEVENTY_FIVE
            || self.ends_by_repetition(&after)
            || winnable::seen_dead(&after)
    }

    /// A piece is lifted, another one is knocked out and put back: that looks like its capture. So
    /// such a one ends no game unless its player says so, or presses. Whoever lifts the captured
    /// piece first takes it (4.3.2).
    pub(super) fn asks_before_end(&self, mv: Move) -> bool {
        let after = |shape: &Shape| {
            let emptied_ms = |square| self.trail.emptied_ms(square);
            shape.captured == Some(shape.to) && emptied_ms(shape.from) < emptied_ms(shape.to)
        };
        self.settings.asks_before_end && self.table.shape(mv).is_some_and(after)
    }
}

/// The piece went along a line, and its next square in the same direction is open to it too.
fn may_go_on(position: &Chess, mv: Move) -> bool {
    let Move::Normal { role, from, to, capture: None, promotion: None } = mv else {
        return false;
    };
    if matches!(role, Role::Knight | Role::King) {
        return false;
    }
    let step = |from: i32, to: i32| (to - from).signum();
    let file = i32::from(to.file()) + step(i32::from(from.file()), i32::from(to.file()));
    let rank = i32::from(to.rank()) + step(i32::from(from.rank()), i32::from(to.rank()));
    if !(0..8).contains(&file) || !(0..8).contains(&rank) {
        return false;
    }
    let next = Square::new((rank * 8 + file) as u32);
    let further = |other: &Move| other.from() == Some(from) && other.to() == next;
    position.legal_moves().iter().any(further)
}
