//! The buses and pins of a Raspberry Pi, by rppal, behind the traits of `embedded-hal`.
//!
//! # I²C in blocks
//!
//! Registers are read and written with the kernel's SMBus block calls and not with combined
//! messages: every adapter can do those, `i2c-stub` too, which can nothing else.

#[cfg(feature = "pegs")]
mod hal;

#[cfg(feature = "pegs")]
pub use hal::{buttons, lights};

use super::{BoardReader, ReadError, wiring::Wiring};

/// Opens the reader that the wiring asks for.
///
/// # Errors
///
/// [`ReadError::Open`] with the remedy.
#[cfg(feature = "pegs")]
pub fn open(wiring: &Wiring) -> Result<Box<dyn BoardReader>, ReadError> {
    hal::open(wiring)
}

/// A build without pegs opens none.
///
/// # Errors
///
/// [`ReadError::Open`], always.
#[cfg(not(feature = "pegs"))]
pub fn open(wiring: &Wiring) -> Result<Box<dyn BoardReader>, ReadError> {
    Err(ReadError::Open {
        device: wiring.kind.as_str().to_owned(),
        reason: "this program was built without pegs".to_owned(),
        remedy: "build it with --features pegs",
    })
}
