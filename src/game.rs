//! The game: pure, deterministic, time comes in as data.

pub mod clock;
mod input;
mod output;
pub mod touch;

pub use input::{At, Blind, Duties, GameConfig, Input, SensingConfig, Started};
pub use output::{Boards, Channel, MoveState, Output, Running, Urgency};
