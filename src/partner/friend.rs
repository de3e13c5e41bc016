//! A person with the same program: two of these at two tables, with nothing but a line between
//! them.
//!
//! One waits and one comes. Each tells the other its table, and each does at its own what was done
//! at the other ([`crate::far`]); who waits keeps the clock.
//!
//! # Who is let in
//!
//! The line is TLS 1.3. Each end has a key of its own, made once, and proves it. Two who have never
//! met are introduced by a word of eight digits, by SPAKE2 over that line ([`pair`]): afterwards
//! each knows the other's key, and lets in nobody else.

pub mod book;
pub mod evening;
pub mod host;
pub mod line;
pub mod pair;
pub mod talk;
pub mod visit;
pub mod wire;
pub mod words;
