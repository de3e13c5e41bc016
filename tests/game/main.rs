//! Stories of a blind player at the board, as sentences with exact words.

mod table;

mod announcing;
mod any;
mod boards;
mod deciding;
mod dialogue;
mod draws;
mod laws;
mod mishaps;
mod requests;
mod whole;
