//! Where pegs are.

pub mod events;
