//! What the laboratory shows and measures, by its own program.

#[cfg(feature = "hall")]
#[path = "../shared/hall.rs"]
mod hall;
#[path = "../shared/installed.rs"]
mod installed;
#[path = "../shared/patience.rs"]
mod patience;
#[path = "../shared/skip.rs"]
mod skip;
#[path = "../shared/typed.rs"]
mod typed;

mod demo;
mod diverge;
mod emulator;
mod measure;
#[cfg(feature = "hall")]
mod rehearsal;
mod setup;
