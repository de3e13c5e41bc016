//! Reports of devices to the service only.

use std::path::PathBuf;

use shakmaty::Color;

use super::{hall::PairedHere, watched::LoanAsked};
use annabella_core::game::Input;
use annabella_devices::{
    clock::{ClockError, ClockSeen, SetTo},
    sighted::Seen,
    voice::Pcm,
};
use annabella_words::phrase::hear::Heard;

/// A message from a device to the service.
#[derive(Debug)]
pub enum FromDevice {
    Input(Input),
    Heard {
        /// The owner of the microphone or key, where each player has his own.
        seat: Option<Color>,
        heard: Heard,
        /// The talk key was held.
        pushed: bool,
        sound: Pcm,
    },
    /// The sighted player's board saw something.
    Seen(Seen),
    /// The clock before the players reported something.
    Clock(FromClock),
    /// Somebody asks for something on a page.
    #[cfg(feature = "console")]
    Asked(annabella_console::Ask),
    /// Somebody beside the game wants a peg board for himself.
    Lend(LoanAsked),
    /// The peg board with this socket is the game's again.
    GivenBack(PathBuf),
    /// The hall says who is paired here.
    Paired(PairedHere),
    /// Something is wrong; play goes on.
    Complaint(String),
    Ended,
}

/// A report of a clock's thread.
#[derive(Debug)]
pub enum FromClock {
    Seen(ClockSeen),
    /// The clock was set, or not.
    Set {
        /// The outcome.
        result: Result<(), ClockError>,
        /// The times that it was set to, on its own clock.
        to: Option<SetTo>,
    },
    /// The clock shows its letters, or never will.
    Shown,
}

/// Inputs that may wait to be handled; a device that is faster waits itself.
pub const QUEUE: usize = 64;
