//! Where pegs are.

pub mod events;
pub mod wiring;
