//! A DGT 3000 behind its board.
//!
//! # Mode 23
//!
//! The clock lets itself be set in its mode 23 only. In any other it is read, and refuses.
//!
//! # Starting and stopping
//!
//! The clock has no command for either, so it is set afresh, to whole seconds. A time known to a
//! fraction is rounded up, so that nobody loses time by it. A start or a stop costs up to a second
//! of certainty, which [`super::Reading`] states.

use std::{
    collections::BTreeMap,
    time::{Duration, Instant},
};

use shakmaty::Color;

use super::{ClockDevice, ClockError, ClockSeen};
use crate::dgt::{session::ClockEvent, wire::ClockEnd};
use annabella_threads::millis;

pub mod talk;
pub mod track;

use talk::ClockTalk;
use track::Sides;

const REFUSED: ClockError =
    ClockError::Refused { remedy: "put the DGT 3000 into mode 23 and switch it on again" };
const MISSING: ClockError =
    ClockError::Missing { remedy: "plug it into the board and switch it on" };

/// The clock at the end of a line.
#[derive(Debug)]
pub struct DgtClock {
    end: ClockEnd,
    talk: ClockTalk,
    began: Instant,
    /// The line's numbers of what was asked, and ours.
    asked: BTreeMap<u32, u32>,
}

impl DgtClock {
    /// The clock at this end; its times count from `began`. The sides are given, or follow from the
    /// way in which the board at the same line lies. Until then White sits on the left.
    pub fn new(end: ClockEnd, seats: Option<Sides>, began: Instant) -> DgtClock {
        DgtClock { end, talk: ClockTalk::new(seats), began, asked: BTreeMap::new() }
    }

    /// The clock's version, once it has answered; 2 is a DGT 3000.
    pub fn version(&self) -> Option<(u8, u8)> {
        self.talk.version()
    }

    fn ms(&self, at: Instant) -> u64 {
        millis(at.saturating_duration_since(self.began))
    }

    fn send(&mut self) {
        let now_ms = self.ms(Instant::now());
        while let Some((number, command)) = self.talk.command(now_ms) {
            self.asked.insert(self.end.command(command), number);
        }
    }

    fn take(&mut self, event: ClockEvent, at_ms: u64) {
        let event = match event {
            ClockEvent::Answered { number, answer, ago_ms } => {
                let Some(number) = self.asked.remove(&number) else { return };
                ClockEvent::Answered { number, answer, ago_ms }
            }
            event => event,
        };
        self.talk.take(at_ms, event, self.end.facing());
    }
}

impl ClockDevice for DgtClock {
    fn next(&mut self, patience: Duration) -> Option<ClockSeen> {
        let until = Instant::now() + patience;
        loop {
            self.send();
            if let Some(seen) = self.talk.report() {
                return Some(seen);
            }
            let due = self.talk.due_ms().map(|ms| self.began + Duration::from_millis(ms));
            let wait = due.map_or(until, |due| due.min(until));
            match self.end.next(wait.saturating_duration_since(Instant::now())) {
                Some(event) => {
                    let at_ms = self.ms(event.at);
                    self.take(event.what, at_ms);
                }
                None if Instant::now() >= until => return None,
                None => {}
            }
        }
    }

    fn set(&mut self, white_ms: u64, black_ms: u64, running: Option<Color>) -> u32 {
        let number = self.talk.set(self.ms(Instant::now()), white_ms, black_ms, running);
        self.send();
        number
    }

    fn show(&mut self, text: Option<&str>) -> u32 {
        let number = self.talk.show(text);
        self.send();
        number
    }
}
