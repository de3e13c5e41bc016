//! What the laboratory shows and measures, by its own program.

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
mod setup;
