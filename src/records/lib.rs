//! What is kept: the journal of every input, the views that are read out of it (PGN, score sheets, reports),
//! and sealed moves.

pub mod journal;
pub mod seal;
