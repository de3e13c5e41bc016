//! An electronic board at the end of a line as the sighted player's. What its events come to is its
//! maker's affair; waiting, asking and reporting are the same for all.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use shakmaty::Board;

use super::{Seen, SightedBoard, still::Stillness};
use crate::{dgt::codec::Facing, serial::Timed};
use annabella_threads::millis;

/// The maker's part.
pub trait AtLine: Send {
    /// What comes from the line.
    type Event;

    fn stillness(&self) -> &Stillness;

    fn stillness_mut(&mut self) -> &mut Stillness;

    /// Waits for the next event, at most `patience`.
    fn wait(&mut self, patience: Duration) -> Option<Timed<Self::Event>>;

    /// Has the board tell how it stands.
    fn ask(&self);

    fn take(&mut self, event: Self::Event, at_ms: u64, out: &mut Vec<Seen>);
}

/// The board at the end of a line.
#[derive(Debug)]
pub struct LineBoard<L> {
    line: L,
    began: Instant,
    seen: VecDeque<Seen>,
}

impl<L: AtLine> LineBoard<L> {
    /// Its times count from `began`.
    pub(super) fn over(line: L, began: Instant) -> LineBoard<L> {
        LineBoard { line, began, seen: VecDeque::new() }
    }

    /// Which way round it lies, once that is known.
    pub fn facing(&self) -> Option<Facing> {
        self.line.stillness().facing()
    }

    fn ms(&self, at: Instant) -> u64 {
        millis(at.saturating_duration_since(self.began))
    }
}

impl<L: AtLine> SightedBoard for LineBoard<L> {
    fn next(&mut self, patience: Duration) -> Option<Seen> {
        let until = Instant::now() + patience;
        loop {
            if let Some(seen) = self.seen.pop_front() {
                return Some(seen);
            }
            let now = Instant::now();
            let now_ms = self.ms(now);
            if self.line.stillness_mut().advance(now_ms) {
                self.line.ask();
            }
            let due_ms = self.line.stillness().due_ms().unwrap_or(u64::MAX);
            let left = until.saturating_duration_since(now);
            let wait = left.min(Duration::from_millis(due_ms.saturating_sub(now_ms)));
            match self.line.wait(wait) {
                Some(event) => {
                    let at_ms = self.ms(event.at);
                    let mut seen = Vec::new();
                    self.line.take(event.what, at_ms, &mut seen);
                    self.seen.extend(seen);
                }
                None if Instant::now() >= until => return None,
                None => {}
            }
        }
    }

    fn look(&mut self) {
        let now_ms = self.ms(Instant::now());
        self.line.stillness_mut().look(now_ms);
    }

    fn orient(&mut self, shown: &Board) {
        self.line.stillness_mut().orient(shown);
    }

    fn hurry(&mut self, hurry: bool) {
        self.line.stillness_mut().hurry(hurry);
    }
}
