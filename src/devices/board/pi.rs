//! The buses and pins of a Raspberry Pi, by rppal, behind the traits of `embedded-hal`.
//!
//! # I²C in blocks
//!
//! Registers are read and written with the kernel's SMBus block calls and not with combined
//! messages: every adapter can do those, `i2c-stub` too, which can nothing else.

#[cfg(feature = "pegs")]
mod hal;

use super::{
    BoardReader, ReadError,
    buttons::{ButtonsReader, Light},
    wiring::{ButtonPins, LightPins, Wiring},
};

/// Opens the reader that the wiring asks for.
///
/// # Errors
/// [`ReadError::Open`] with the remedy.
pub fn open(wiring: &Wiring) -> Result<Box<dyn BoardReader>, ReadError> {
    #[cfg(feature = "pegs")]
    {
        hal::open(wiring)
    }
    #[cfg(not(feature = "pegs"))]
    Err(not_built(wiring.kind.as_str()))
}

/// The buttons on these pins.
///
/// # Errors
/// [`ReadError::Open`] with the remedy.
#[cfg_attr(not(feature = "pegs"), expect(unused_variables, reason = "no pins in this build"))]
pub fn buttons(pins: &ButtonPins) -> Result<Box<dyn ButtonsReader>, ReadError> {
    #[cfg(feature = "pegs")]
    {
        Ok(Box::new(hal::buttons(pins)?))
    }
    #[cfg(not(feature = "pegs"))]
    Err(not_built("the buttons"))
}

/// Lights a light or puts it out.
pub type ShowLight = Box<dyn FnMut(Light, bool)>;

/// The lights on these pins, all out.
///
/// # Errors
/// [`ReadError::Open`] with the remedy.
#[cfg_attr(not(feature = "pegs"), expect(unused_variables, reason = "no pins in this build"))]
pub fn lights(pins: &LightPins) -> Result<ShowLight, ReadError> {
    #[cfg(feature = "pegs")]
    {
        let mut lights = hal::lights(pins)?;
        Ok(Box::new(move |light, on| lights.show(light, on)))
    }
    #[cfg(not(feature = "pegs"))]
    Err(not_built("the lights"))
}

#[cfg(not(feature = "pegs"))]
fn not_built(device: &str) -> ReadError {
    ReadError::Open {
        device: device.to_owned(),
        reason: "this program was built without pegs".to_owned(),
        remedy: "build it with --features pegs",
    }
}
