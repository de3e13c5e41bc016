//! The DGT electronic board and its clock: what goes over the serial line, and the line.

pub mod codec;
pub mod session;
#[cfg(feature = "dgt")]
pub mod wire;
