//! Speech in and out: libvosk, espeak-ng, sound cards that are files.

#[cfg(feature = "sound")]
#[path = "../shared/again.rs"]
mod again;
#[cfg(all(feature = "speech", feature = "sound"))]
#[path = "../shared/installed.rs"]
mod installed;
#[path = "../shared/patience.rs"]
mod patience;
#[path = "../shared/skip.rs"]
mod skip;

#[cfg(feature = "speech")]
mod hearing;
#[cfg(feature = "speech")]
mod hearing_setup;
#[cfg(all(feature = "speech", feature = "sound"))]
mod models;
#[cfg(feature = "speech")]
mod second_ear;
#[cfg(feature = "sound")]
mod setup_sound;
#[cfg(feature = "sound")]
mod speaking;
