//! Boards, clocks, sound and Braille: each device behind a trait, with a simulated twin that passes
//! the same tests.

pub mod board;
pub mod braille;
pub mod clock;
pub mod dgt;
pub mod lines;
#[cfg(feature = "dgt")]
pub mod pieces;
#[cfg(feature = "dgt")]
pub mod serial;
pub mod sighted;
pub mod voice;
