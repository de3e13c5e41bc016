//! Devices that keep the players' time, each behind [`ClockDevice`], and a simulated one.
//!
//! The internal clock is the game's own and no device.

pub mod dgt;
pub mod sim;

use std::time::Duration;

use shakmaty::Color;
use thiserror::Error;

/// A player's time left, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Remaining {
    /// The least that it can be, milliseconds.
    pub least_ms: u64,
    pub most_ms: u64,
}

impl Remaining {
    /// A time known exactly.
    pub fn exactly(ms: u64) -> Remaining {
        Remaining { least_ms: ms, most_ms: ms }
    }

    /// The time left after this many milliseconds.
    pub fn after_ms(self, passed_ms: u64) -> Remaining {
        Remaining {
            least_ms: self.least_ms.saturating_sub(passed_ms),
            most_ms: self.most_ms.saturating_sub(passed_ms),
        }
    }
}

/// How the clock stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Reading {
    pub white: Remaining,
    pub black: Remaining,
    /// The side whose time runs.
    pub running: Option<Color>,
    /// The side whose flag has fallen on the clock.
    pub fallen: Option<Color>,
    pub battery_low: bool,
    /// Its lever lies as if the other side ran: the player to move cannot press it.
    pub against_lever: bool,
    /// When another side was last known to run, or none: it changed after that, milliseconds.
    pub before_ms: u64,
    /// For which moment this holds, milliseconds.
    pub at_ms: u64,
}

impl Reading {
    pub fn of(&self, color: Color) -> Remaining {
        color.fold_wb(self.white, self.black)
    }
}

/// The times that a clock was set to, as it shows them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SetTo {
    /// White's time, milliseconds.
    pub white_ms: u64,
    pub black_ms: u64,
    /// The moment of the setting, milliseconds of the clock device.
    pub at_ms: u64,
}

/// The reason why a clock did not obey. Each device names its own remedy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ClockError {
    #[error("the clock refuses to be set: {remedy}")]
    Refused { remedy: &'static str },
    #[error("no clock answers: {remedy}")]
    Missing { remedy: &'static str },
}

/// A clock's report. Times are milliseconds after the moment given when it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockSeen {
    /// How it stands: when something but the passing of time changed, and every few seconds.
    Reading(Reading),
    /// A button was pressed; `run` starts and stops.
    Button {
        name: &'static str,
        at_ms: u64,
    },
    /// A command is done, or has failed.
    Answered {
        /// The number given with the command.
        number: u32,
        result: Result<(), ClockError>,
        /// What it was set to, if it was told times.
        set: Option<SetTo>,
    },
    Lost {
        at_ms: u64,
    },
    Back {
        at_ms: u64,
    },
}

/// A clock. [`ClockSeen::Answered`] answers each command later, with its number.
pub trait ClockDevice: Send {
    /// Waits for the next report, at most `patience`.
    fn next(&mut self, patience: Duration) -> Option<ClockSeen>;

    /// Sets both times and what runs then.
    fn set(&mut self, white_ms: u64, black_ms: u64, running: Option<Color>) -> u32;

    /// Shows a few letters, or the times again.
    fn show(&mut self, text: Option<&str>) -> u32;
}
