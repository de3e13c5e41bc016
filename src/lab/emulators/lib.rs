//! Devices and people that tests, benches and the laboratory put in the place of real ones: a DGT
//! board with its clock on a serial line, boards of other makes, a Braille line, voices that speak
//! in a noisy room.

#[cfg(feature = "bluetooth")]
pub mod bluez;
pub mod braille;
pub mod dgt;
pub mod pieces;
pub mod pty;
pub mod speakers;
