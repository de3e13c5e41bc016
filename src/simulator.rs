//! A seeded game with faults.

pub mod games;
pub mod hands;
pub mod pegs;
pub mod table;
