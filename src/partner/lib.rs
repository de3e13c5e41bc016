//! A partner at home: a program that sits in the sighted player's place and plays with a UCI
//! engine.
//!
//! It is no part of the service: what it knows of a game it is told through the door that any
//! program may use (`docs/partner.md`), and the service lets it in only where a game is played at
//! home (FIDE 11.3).

#![warn(clippy::print_stdout, clippy::print_stderr)]

pub mod door;
pub mod engine;
pub mod far;
pub mod friend;
pub mod home;
pub mod judge;
pub mod judged;
pub mod level;
pub mod lichess;
pub mod line;
pub mod lines;
pub mod openings;
pub mod pace;
pub mod player;
pub mod private;
pub mod puzzle;
pub mod replay;
pub mod score;
pub mod streams;
pub mod table;
pub mod thinker;
pub mod uci;
pub mod words;
