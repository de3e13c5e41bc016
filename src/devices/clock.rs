//! Devices that keep the players' time: a DGT 3000 behind its board, and a simulated one.
//!
//! The internal clock is the game's own and no device.

#[cfg(feature = "dgt")]
pub mod dgt;
pub mod sim;
pub mod track;

use std::time::Duration;

use shakmaty::Color;
use thiserror::Error;

/// A player's time left, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Remaining {
    /// The least that it can be, milliseconds.
    pub least_ms: u64,
    /// The most.
    pub most_ms: u64,
}

impl Remaining {
    /// A time known exactly.
    pub fn exactly(ms: u64) -> Remaining {
        Remaining { least_ms: ms, most_ms: ms }
    }

    /// The middle of what is known, milliseconds: wrong by half of [`Remaining::uncertainty_ms`] at
    /// most.
    pub fn ms(self) -> u64 {
        self.least_ms.midpoint(self.most_ms)
    }

    /// How far apart the least and the most are, milliseconds.
    pub fn uncertainty_ms(self) -> u64 {
        self.most_ms.saturating_sub(self.least_ms)
    }

    /// What is left after so long.
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
    /// White's time.
    pub white: Remaining,
    /// Black's time.
    pub black: Remaining,
    /// Whose time runs.
    pub running: Option<Color>,
    /// Whose flag has fallen on the clock.
    pub fallen: Option<Color>,
    /// Its battery is low.
    pub battery_low: bool,
    /// For which moment this holds, milliseconds.
    pub at_ms: u64,
}

impl Reading {
    /// A player's time.
    pub fn of(&self, color: Color) -> Remaining {
        color.fold_wb(self.white, self.black)
    }
}

/// Why a clock did not do what it was told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum ClockError {
    /// It is in a mode of its own.
    #[error("the clock refuses to be set: put the DGT 3000 into mode 23 and switch it on again")]
    Refused,
    /// There is none.
    #[error("no clock answers: plug it into the board and switch it on")]
    Missing,
}

/// What a clock reports. Times are milliseconds after the moment given when it was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClockSeen {
    /// How it stands: when something but the passing of time changed, and every few seconds.
    Reading(Reading),
    /// A button was pressed; `run` starts and stops.
    Button {
        /// Its name on the clock.
        name: &'static str,
        /// When.
        at_ms: u64,
    },
    /// What it was told is done, or not.
    Answered {
        /// The number given when it was told.
        number: u32,
        /// How it ended.
        result: Result<(), ClockError>,
    },
    /// The clock is gone.
    Lost {
        /// When.
        at_ms: u64,
    },
    /// The clock is there.
    Back {
        /// When.
        at_ms: u64,
    },
}

/// A clock. What it is told is answered later by [`ClockSeen::Answered`] with the number given back.
pub trait ClockDevice: Send {
    /// Waits for the next thing that it reports, at most so long.
    fn next(&mut self, patience: Duration) -> Option<ClockSeen>;

    /// How it stands now, as far as it is known; `None` before it was first heard. A clock that is
    /// gone is known worse every second.
    fn reading(&self) -> Option<Reading>;

    /// Sets both times and what runs then.
    fn set(&mut self, white_ms: u64, black_ms: u64, running: Option<Color>) -> u32;

    /// Starts a player's time.
    fn start(&mut self, color: Color) -> u32;

    /// Stops both.
    fn stop(&mut self) -> u32;

    /// Shows a few letters, or the times again.
    fn show(&mut self, text: Option<&str>) -> u32;
}
