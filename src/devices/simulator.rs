//! A seeded game with faults.

pub mod braille;
pub mod dgt;
pub mod games;
pub mod hands;
pub mod pegs;
pub mod table;
