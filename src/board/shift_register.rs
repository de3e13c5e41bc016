//! Eight 74HC165 in a chain on SPI, with a latch line.
//!
//! All 64 inputs are latched at the same instant, then shifted out: the first chip's input H comes
//! first, and is the highest bit of the first byte. SPI mode 0: the level is taken at the edge that
//! shifts, and the register's own delay holds it long enough.
//!
//! Source: SN74HC165 data sheet (SCLS116), function table and timing.
//!
//! # A broken chain reads as an empty or a full board
//!
//! So the eight bits behind the last chip are read too. They come from its serial input (SER), which
//! lies at the level of a closed reed: no reading of an unbroken chain has it otherwise.

use std::fmt::Debug;

use embedded_hal::{digital::OutputPin, spi::SpiDevice};

use super::{
    BoardReader, ReadError,
    wiring::{Level, Levels, Wiring},
};

/// The chain.
#[derive(Debug)]
pub struct ShiftRegisters<S, L> {
    spi: S,
    latch: L,
    wiring: Wiring,
}

impl<S: SpiDevice, L: OutputPin> ShiftRegisters<S, L> {
    /// A chain on this bus; `latch` drives SH/LD of all chips.
    pub fn new(spi: S, latch: L, wiring: Wiring) -> ShiftRegisters<S, L> {
        ShiftRegisters { spi, latch, wiring }
    }
}

fn bus(bus: &'static str, err: impl Debug) -> ReadError {
    ReadError::Bus { bus, reason: format!("{err:?}") }
}

impl<S: SpiDevice + Send, L: OutputPin + Send> BoardReader for ShiftRegisters<S, L> {
    fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    fn levels(&mut self) -> Result<Levels, ReadError> {
        self.latch.set_low().map_err(|err| bus("the latch line", err))?;
        self.latch.set_high().map_err(|err| bus("the latch line", err))?;
        let mut bytes = [0; 9];
        let read = if self.wiring.chain_check { 9 } else { 8 };
        self.spi.read(&mut bytes[..read]).map_err(|err| bus("SPI", err))?;
        let [chips @ .., tail] = bytes;
        let end = if self.wiring.closed == Level::Low { 0x00 } else { 0xff };
        if self.wiring.chain_check && tail != end {
            return Err(ReadError::Chain { found: tail });
        }
        Ok(Levels::from(u64::from_le_bytes(chips)))
    }
}
