//! Stories of a blind player at the board, as sentences with exact words.

pub(crate) mod table;
#[path = "../shared/transcript.rs"]
mod transcript;

mod announcing;
mod answers;
mod any;
mod arbiter;
mod asked;
mod at_home;
mod begun;
mod boards;
mod by_word;
mod claims;
mod deciding;
mod dialogue;
mod displaced;
mod draws;
mod edges;
mod ends;
mod findings;
mod first_picture;
mod judged;
mod laws;
mod mishaps;
mod new_voice;
mod offences;
mod offers;
mod over;
mod pressing;
mod questions;
mod requests;
mod scores;
mod script;
mod sealing;
mod seasons;
mod settling;
mod slips;
mod stops;
mod times;
mod told;
mod typing;
mod unseen;
mod watched;
mod whole;
