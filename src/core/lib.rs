//! Everything that decides: the Laws, notation, what pegs and pieces show, the game, D.2.9, and the
//! dialogues of set-up. Pure and deterministic: inputs and moments come in, outputs go out, and
//! nothing here knows a file, a thread or the time. `clippy.toml` beside this file holds it to
//! that.

pub mod laws;
pub mod notation;
pub mod outside;
pub mod sensing;
pub mod sight;

pub mod reconcile;

pub mod game;

pub mod donate;
pub mod enrol;
pub mod questionnaire;

pub mod lobby;
pub mod setup;
