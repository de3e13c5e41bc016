//! A DGT 3000 behind its board.
//!
//! # Mode 23
//!
//! The clock lets itself be set in its mode 23 only. In any other it is read, and refuses.
//!
//! # Starting and stopping
//!
//! The clock has no command for either: it is set anew, to whole seconds. A time known to a fraction
//! is rounded up, so that nobody loses time by it; a start or a stop costs up to a second of
//! certainty, which [`Reading`] states.

use std::{
    collections::{BTreeSet, VecDeque},
    time::{Duration, Instant},
};

use shakmaty::Color;

use super::{
    ClockDevice, ClockError, ClockSeen, Reading,
    track::{Sides, Track},
};
use crate::dgt::{
    codec::{Button, ClockCommand, ClockTimes, RunMode, SideTime},
    session::{Answer, ClockEvent},
    wire::ClockEnd,
};

/// A reading is reported at least so often.
const REPORT_MS: u64 = 5000;

/// The clock at the end of a line.
#[derive(Debug)]
pub struct DgtClock {
    end: ClockEnd,
    track: Track,
    /// Who sits where; not given: by which way round the board lies.
    seats: Option<Sides>,
    sides: Sides,
    began: Instant,
    reported_ms: u64,
    /// The next message is reported whatever it says: it is the first after the clock was told.
    wanted: bool,
    version: Option<(u8, u8)>,
    /// Commands whose answers the caller waits for.
    asked: BTreeSet<u32>,
    version_asked: Option<u32>,
    seen: VecDeque<ClockSeen>,
}

impl DgtClock {
    /// The clock at this end, its times count from `began`. Who sits where is given, or found out
    /// from the way in which the board at the same line lies; until then White sits on the left.
    pub fn new(end: ClockEnd, seats: Option<Sides>, began: Instant) -> DgtClock {
        DgtClock {
            end,
            track: Track::default(),
            seats,
            sides: seats.unwrap_or(Sides { left: Color::White }),
            began,
            reported_ms: 0,
            wanted: false,
            version: None,
            asked: BTreeSet::new(),
            version_asked: None,
            seen: VecDeque::new(),
        }
    }

    /// The clock's version, once it has answered; 2 is a DGT 3000.
    pub fn version(&self) -> Option<(u8, u8)> {
        self.version
    }

    fn ms(&self, at: Instant) -> u64 {
        let passed = at.saturating_duration_since(self.began).as_millis();
        u64::try_from(passed).unwrap_or(u64::MAX)
    }

    fn take(&mut self, event: ClockEvent, at_ms: u64) {
        match event {
            ClockEvent::Times(times) if times.absent => self.lose(at_ms),
            ClockEvent::Times(times) => self.hear(times, at_ms),
            ClockEvent::Lost => self.lose(at_ms),
            ClockEvent::Button(button) => {
                self.seen.push_back(ClockSeen::Button { name: name_of(button), at_ms });
            }
            ClockEvent::Ready => {}
            ClockEvent::Answered { number, answer } => self.answered(number, answer),
        }
    }

    fn hear(&mut self, times: ClockTimes, at_ms: u64) {
        let back = !self.track.is_there();
        let sides = self.seats.or(self.end.facing().map(Sides::of)).unwrap_or(self.sides);
        let turned = std::mem::replace(&mut self.sides, sides) != sides;
        let news = self.track.hear(at_ms, times) || turned;
        if back {
            self.seen.push_back(ClockSeen::Back { at_ms });
            self.version_asked = Some(self.end.command(ClockCommand::Version));
        }
        let wanted = std::mem::take(&mut self.wanted);
        if (news || wanted || at_ms >= self.reported_ms + REPORT_MS)
            && let Some(reading) = self.track.reading(at_ms, self.sides)
        {
            self.reported_ms = at_ms;
            self.seen.push_back(ClockSeen::Reading(reading));
        }
    }

    fn lose(&mut self, at_ms: u64) {
        if self.track.is_there() {
            self.seen.push_back(ClockSeen::Lost { at_ms });
        }
        self.track.lose();
    }

    fn answered(&mut self, number: u32, answer: Answer) {
        if self.version_asked == Some(number) {
            self.version_asked = None;
            if let Answer::Accepted(ack) = answer {
                self.version = ack.as_version();
            }
            return;
        }
        if self.asked.remove(&number) {
            self.wanted = true;
            let result = match answer {
                Answer::Accepted(_) => Ok(()),
                Answer::Refused(_) => Err(ClockError::Refused),
                Answer::None => Err(ClockError::Missing),
            };
            self.seen.push_back(ClockSeen::Answered { number, result });
        }
    }

    fn ask(&mut self, command: ClockCommand) -> u32 {
        let number = self.end.command(command);
        self.asked.insert(number);
        number
    }
}

fn name_of(button: Button) -> &'static str {
    match button {
        Button::Back => "back",
        Button::Plus => "plus",
        Button::Run => "run",
        Button::Minus => "minus",
        Button::Ok => "ok",
        Button::Other(_) => "unknown",
    }
}

fn shown(ms: u64) -> SideTime {
    SideTime::from_seconds(u32::try_from(ms.div_ceil(1000)).unwrap_or(u32::MAX))
}

impl ClockDevice for DgtClock {
    fn next(&mut self, patience: Duration) -> Option<ClockSeen> {
        let until = Instant::now() + patience;
        loop {
            if let Some(seen) = self.seen.pop_front() {
                return Some(seen);
            }
            let left = until.saturating_duration_since(Instant::now());
            let event = self.end.next(left)?;
            let at_ms = self.ms(event.at);
            self.take(event.what, at_ms);
        }
    }

    fn reading(&self) -> Option<Reading> {
        self.track.reading(self.ms(Instant::now()), self.sides)
    }

    fn set(&mut self, white_ms: u64, black_ms: u64, running: Option<Color>) -> u32 {
        let of = |color: Color| shown(color.fold_wb(white_ms, black_ms));
        let runs = |color: Color| running == Some(color);
        let (left, right) = (self.sides.left, self.sides.left.other());
        // While a time runs, the lever changes sides.
        let mode = RunMode {
            left: runs(left),
            right: runs(right),
            pause: running.is_none(),
            lever: running.is_some(),
        };
        self.ask(ClockCommand::SetAndRun { left: of(left), right: of(right), mode })
    }

    fn start(&mut self, color: Color) -> u32 {
        let reading = self.reading().unwrap_or_default();
        self.set(reading.white.most_ms, reading.black.most_ms, Some(color))
    }

    fn stop(&mut self) -> u32 {
        let reading = self.reading().unwrap_or_default();
        self.set(reading.white.most_ms, reading.black.most_ms, None)
    }

    fn show(&mut self, text: Option<&str>) -> u32 {
        self.ask(text.map_or(ClockCommand::EndText, |text| ClockCommand::text(text, 0)))
    }
}
