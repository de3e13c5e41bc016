//! The records: the journal of every input, its views (PGN, score sheets, reports), and sealed
//! moves.

pub mod journal;
pub mod seal;
pub mod whole;
