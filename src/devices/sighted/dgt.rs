//! A DGT board as the sighted player's.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use shakmaty::Board;

use super::{
    Guidance, Seen, SightedBoard,
    still::{StillSettings, Stillness},
};
use crate::dgt::{codec::Facing, session::BoardEvent, wire::BoardEnd};

/// The board at the end of a line.
#[derive(Debug)]
pub struct DgtBoard {
    end: BoardEnd,
    stillness: Stillness,
    began: Instant,
    seen: VecDeque<Seen>,
}

impl DgtBoard {
    /// The board at this end, which ought to show `expected`; its times count from `began`.
    pub fn new(
        end: BoardEnd,
        settings: StillSettings,
        expected: Board,
        began: Instant,
    ) -> DgtBoard {
        let stillness = Stillness::new(settings, expected);
        DgtBoard { end, stillness, began, seen: VecDeque::new() }
    }

    /// Which way round it lies, once that is known. The clock's sides go by it.
    pub fn facing(&self) -> Option<Facing> {
        self.stillness.facing()
    }

    fn ms(&self, at: Instant) -> u64 {
        let passed = at.saturating_duration_since(self.began).as_millis();
        u64::try_from(passed).unwrap_or(u64::MAX)
    }

    fn take(&mut self, event: BoardEvent, at_ms: u64) {
        let mut out = Vec::new();
        match event {
            BoardEvent::Ready(_) => self.stillness.back(at_ms, &mut out),
            BoardEvent::Dump(dump) => {
                self.stillness.dump(at_ms, &dump, &mut out);
                if let Some(facing) = self.stillness.facing() {
                    self.end.lies(facing);
                }
            }
            BoardEvent::Update { field, code } => {
                self.stillness.update(at_ms, field, code, &mut out);
            }
            BoardEvent::Lost(why) => self.stillness.lost(at_ms, why, &mut out),
        }
        self.seen.extend(out);
    }
}

impl SightedBoard for DgtBoard {
    fn next(&mut self, patience: Duration) -> Option<Seen> {
        let until = Instant::now() + patience;
        loop {
            if let Some(seen) = self.seen.pop_front() {
                return Some(seen);
            }
            let now = Instant::now();
            let now_ms = self.ms(now);
            if self.stillness.advance(now_ms) {
                self.end.look();
            }
            let due_ms = self.stillness.due_ms().unwrap_or(u64::MAX);
            let left = until.saturating_duration_since(now);
            let wait = left.min(Duration::from_millis(due_ms.saturating_sub(now_ms)));
            match self.end.next(wait) {
                Some(event) => {
                    let at_ms = self.ms(event.at);
                    self.take(event.what, at_ms);
                }
                None if Instant::now() >= until => return None,
                None => {}
            }
        }
    }

    fn look(&mut self) {
        let now_ms = self.ms(Instant::now());
        self.stillness.look(now_ms);
    }

    fn orient(&mut self, shown: &Board) {
        self.stillness.orient(shown);
    }

    fn hurry(&mut self, hurry: bool) {
        self.stillness.hurry(hurry);
    }

    // These boards have no lights; the clock's display has letters.
    fn guide(&mut self, _guidance: &Guidance) -> bool {
        false
    }
}
