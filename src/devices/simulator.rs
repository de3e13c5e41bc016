//! Devices that other programs can be tried against: a DGT board with its clock, and a Braille line.

pub mod braille;
pub mod dgt;
