//! What devices report to the service, and to nobody else.

use shakmaty::Color;

use annabella_core::game::Input;
use annabella_devices::{
    clock::{ClockError, ClockSeen},
    sighted::Seen,
    voice::Pcm,
};
use annabella_words::phrase::hear::Heard;

/// What the service gets from its devices.
#[derive(Debug)]
pub enum FromDevice {
    /// An input for the game.
    Input(Input),
    /// Something was spoken.
    Heard {
        /// Whose microphone or key it was, where one has his own.
        seat: Option<Color>,
        /// What it may have been.
        heard: Heard,
        /// The talk key was held.
        pushed: bool,
        /// Its sound.
        sound: Pcm,
    },
    /// The sighted player's board saw something.
    Seen(Seen),
    /// The clock before the players reported something.
    Clock(FromClock),
    /// Somebody asks for something on a page.
    #[cfg(feature = "console")]
    Asked(annabella_console::Ask),
    /// Something is wrong; play goes on.
    Complaint(String),
    /// No more will come.
    Ended,
}

/// What a clock's thread reports.
#[derive(Debug)]
pub enum FromClock {
    /// It reported this.
    Seen(ClockSeen),
    /// It was set, or not.
    Set(Result<(), ClockError>),
    /// It shows the letters that it was told, or never will.
    Shown,
}

/// Inputs that may wait to be handled; a device that is faster waits itself.
pub const QUEUE: usize = 64;
