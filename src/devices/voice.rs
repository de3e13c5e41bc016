//! Ears and mouth: speech out of the words that the game gives, speech in.
//!
//! Two channels go out: *public*, the loudspeaker, for announcements, and *private*, the earphone,
//! for answers. A [`Mouth`] speaks on both. [`speaker`] renders with [`espeak`] and plays
//! through the sound card, [`system`] hands the text to the voice that the player has set up in
//! speech-dispatcher, [`sim`] only remembers; all three pass the same tests.

pub mod beside;
pub mod cache;
pub mod capture;
#[cfg(feature = "sound")]
pub mod cards;
pub mod endpoint;
pub mod espeak;
pub mod gate;
pub mod keys;
pub mod meter;
#[cfg(feature = "sound")]
pub mod mic;
#[cfg(feature = "sound")]
mod opening;
pub mod pcm;
pub mod queue;
#[cfg(feature = "speech")]
pub mod recognizer;
pub mod sim;
#[cfg(feature = "sound")]
pub mod speaker;
pub mod surroundings;
#[cfg(feature = "system-voice")]
pub mod system;
pub mod take;
#[cfg(feature = "sound")]
mod tone;
mod wav;

pub use pcm::Pcm;

use std::fmt::Debug;

use thiserror::Error;

use annabella_core::game::{Channel, Urgency};
use annabella_words::phrase::Utterance;

/// What `[speech] model` and `--model` call the model of this repository.
pub const BUILT_IN_MODEL: &str = "built-in";
/// The configuration's name for an installed official German model.
pub const OFFICIAL_MODEL: &str = "official";
/// The configuration's name for the choice between the two, made at every start.
pub const AUTOMATIC_MODEL: &str = "auto";

/// Why something could not be spoken.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VoiceError {
    #[error("{program} not found: apt-get install {package}")]
    NoProgram { program: &'static str, package: &'static str },
    #[error(
        "no voice for language '{lang}': set espeak in its pack, or write another language there"
    )]
    NoVoice {
        /// ISO 639-1 code.
        lang: String,
    },
    #[error("{program} failed: {reason}")]
    Engine {
        program: &'static str,
        /// Its message, one line.
        reason: String,
    },
    #[error("sound device '{name}': {reason}; `annabella doctor` lists those there are")]
    Device {
        /// As configured.
        name: String,
        /// The system's message, one line.
        reason: String,
    },
    #[error(
        "sound device '{name}' is in use by another program: end that, or choose another device; \
         `annabella doctor` lists those there are"
    )]
    Busy {
        /// As configured.
        name: String,
    },
    #[error("{path}: {reason}")]
    File { path: String, reason: String },
}

/// Speech rate in words a minute, 80 to 450.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Rate(u16);

impl Rate {
    pub const SLOWEST: Rate = Rate(80);
    pub const FASTEST: Rate = Rate(450);

    /// The nearest rate that an engine can speak.
    pub fn new(words_per_minute: u16) -> Rate {
        Rate(words_per_minute.clamp(Rate::SLOWEST.0, Rate::FASTEST.0))
    }

    pub fn words_per_minute(self) -> u16 {
        self.0
    }
}

impl Default for Rate {
    fn default() -> Rate {
        Rate(160)
    }
}

/// An event from a mouth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VoiceEvent {
    /// Words began to sound.
    Began {
        channel: Channel,
        /// From `say` to the first sample that the device took, microseconds.
        after_us: u64,
    },
    /// The words were said to the end.
    Finished {
        channel: Channel,
    },
    /// The words could not be said; the game goes on.
    Failed {
        channel: Channel,
        error: VoiceError,
    },
    /// The device is lost. Interrupted words are said again when it is back.
    DeviceLost {
        channel: Channel,
        error: VoiceError,
    },
    DeviceBack {
        channel: Channel,
    },
}

/// Speaks on two channels. No call waits for sound.
pub trait Mouth: Send + Debug {
    /// Says these words when it is their turn: more urgent ones first, else in order. Words that
    /// are sounding are not cut.
    fn say(&mut self, channel: Channel, urgency: Urgency, words: &Utterance);

    /// Sounds two test tones on the channel's device when it is their turn, one at the left, one at
    /// the right. A mouth that does not choose its device sounds none.
    fn tones(&mut self, _channel: Channel) {}

    /// Cuts all speech and forgets what waits.
    fn hush(&mut self);

    /// The same of the loudspeaker alone. A mouth with one voice for both channels cuts all.
    fn hush_aloud(&mut self) {
        self.hush();
    }

    /// These may be wanted soon; replaces what was asked for before.
    fn prepare(&mut self, words: &[Utterance]);

    /// Volume, 0 to 100, from now on, also for what is sounding.
    fn set_volume(&mut self, channel: Channel, percent: u8);

    /// Rate for what is said from now on.
    fn set_rate(&mut self, channel: Channel, rate: Rate);

    /// Whether something is sounding or waits to.
    fn is_speaking(&self, channel: Channel) -> bool;

    /// The events since the last call.
    fn events(&mut self) -> Vec<VoiceEvent>;
}
