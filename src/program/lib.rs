//! Annabella stands at the board with a blind chess player: it feels the pegs, says and hears the
//! moves in the words of FIDE's Laws (Appendix D), keeps both game scores and helps the arbiter.
//!
//! One direction of flow: adapters turn what devices do into [`game::Input`], the pure
//! [`game::Game`] answers with [`game::Output`], adapters carry that out. Lower floors never import
//! from higher ones; `tests/tidy.rs` holds the tree to it.

// Floor 0: pure, no time, no files.
pub mod laws;
pub mod notation;
pub mod phrase;
pub mod sensing;
pub mod sight;
pub mod speech_model;
pub mod text;
// Floor 1: the game, still pure.
pub mod enrol;
pub mod game;
pub mod lobby;
pub mod reconcile;
pub mod setup;
// Floor 2: what is kept, and lines to devices.
pub mod dgt;
pub mod journal;
pub mod seal;
// Floor 3: devices and their simulated twins.
pub mod board;
pub mod clock;
#[cfg(feature = "console")]
pub mod console;
pub mod sighted;
pub mod simulator;
pub mod voice;
// Floor 4: wiring.
pub mod cli;
pub mod config;
pub mod service;
