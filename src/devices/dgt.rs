//! The DGT electronic board and its clock: the messages on the serial line, and the line.

pub mod codec;
pub mod session;
pub mod wire;
