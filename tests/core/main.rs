//! The Laws, notation, the game and what is asked before it.

// What is forbidden is forbidden to the crate, not to its tests.
#![allow(clippy::disallowed_methods, clippy::disallowed_types)]

#[path = "../shared/skip.rs"]
mod skip;

mod clock;
mod donate;
mod game;
mod hands;
mod letters;
mod lobby;
mod notation;
mod notation_pgn;
mod pegs;
mod pgn_habits;
mod sensing;
mod winnable;
mod worlds;
