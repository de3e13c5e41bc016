//! The Laws, notation, the game and what is asked before it.

#[path = "../shared/skip.rs"]
mod skip;

mod clock;
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
