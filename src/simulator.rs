//! A seeded game with faults.

pub mod hands;
