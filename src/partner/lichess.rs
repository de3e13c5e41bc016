//! A person far away: a game on Lichess, by its Board API.
//!
//! Lichess keeps the clock and the result; at the table at home the opponent's moves are carried
//! out as they come, and the blind player's go there when his clock is pressed. Engines are
//! forbidden there, and none is started.
//!
//! Source: <https://lichess.org/api>, the published description (version 2.0.165), tags Board and
//! Challenges.

pub mod board;
pub mod evening;
pub mod listen;
pub mod meet;
pub mod news;
pub mod site;
pub mod token;
pub mod words;
