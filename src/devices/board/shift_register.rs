//! Eight 74HC165 in a chain on SPI, with a latch line.
//!
//! All 64 inputs are latched at the same instant, then shifted out: the first chip's input H comes
//! first, and is the highest bit of the first byte.
//!
//! # The clock rests high ([`MODE`])
//!
//! A register shifts on the rising edge, and its first bit is there before any edge. Mode 2 reads
//! on the falling edge: the first bit at the first edge, each other one half a clock after its
//! shift. Modes 0 and 3 read on the same edge that shifts. That works only while the old level
//! outlasts the edge, and the data sheet gives no least time for that. Mode 1 shifts before it
//! reads, and loses the first bit.
//!
//! The kernel turns the clock line to its resting level with the first transfer, which is an edge
//! too. So before the first latch a byte is read and thrown away.
//!
//! Source: SN74HC165 data sheet (SCLS116), function table and timing.
//!
//! # A broken chain reads as an empty or a full board
//!
//! So the eight bits behind the last chip are read too. They come from its serial input (SER),
//! which lies at the level of a closed reed. An unbroken chain never reads otherwise.

use std::fmt::Debug;

use embedded_hal::{
    digital::OutputPin,
    spi::{self, SpiDevice},
};

use super::{
    BoardReader, ReadError,
    wiring::{Level, Levels, Wiring},
};

/// How the chain is read: the clock rests high, a level is taken on the falling edge.
pub const MODE: spi::Mode = spi::MODE_2;

#[derive(Debug)]
pub struct ShiftRegisters<S, L> {
    spi: S,
    latch: L,
    wiring: Wiring,
    /// The clock line is known to rest at its level.
    rests: bool,
}

impl<S: SpiDevice, L: OutputPin> ShiftRegisters<S, L> {
    /// A chain on this bus; `latch` drives SH/LD of all chips.
    pub fn new(spi: S, latch: L, wiring: Wiring) -> ShiftRegisters<S, L> {
        ShiftRegisters { spi, latch, wiring, rests: false }
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
        if !self.rests {
            self.spi.read(&mut [0]).map_err(|err| bus("SPI", err))?;
            self.rests = true;
        }
        self.latch.set_low().map_err(|err| bus("the latch line", err))?;
        self.latch.set_high().map_err(|err| bus("the latch line", err))?;
        let mut bytes = [0; 9];
        let read = if self.wiring.chain_check { 9 } else { 8 };
        self.spi.read(&mut bytes[..read]).map_err(|err| {
            self.rests = false;
            bus("SPI", err)
        })?;
        let [chips @ .., tail] = bytes;
        let end = if self.wiring.closed == Level::Low { 0x00 } else { 0xff };
        if self.wiring.chain_check && tail != end {
            return Err(ReadError::Chain { found: tail });
        }
        Ok(Levels::from(u64::from_le_bytes(chips)))
    }
}

#[cfg(test)]
mod tests {
    use std::{
        convert::Infallible,
        sync::{Arc, Mutex, MutexGuard},
    };

    use embedded_hal::digital;
    use shakmaty::{Bitboard, Square};

    use super::*;
    use crate::board::wiring::ReaderKind;

    /// A chain by the edges of its clock, and the controller at the other end.
    struct Chain {
        mode: spi::Mode,
        /// The level at QH outlasts the edge that shifts; else it changes with it.
        outlasts: bool,
        clock: bool,
        loading: bool,
        inputs: u64,
        bits: u64,
    }

    impl Chain {
        /// What is read at this edge.
        fn edge(&mut self, clock: bool) -> bool {
            let before = self.bits >> 63 == 1;
            if clock && !self.clock && !self.loading {
                // A zero comes from SER of the last chip.
                self.bits <<= 1;
            }
            self.clock = clock;
            if self.outlasts { before } else { self.bits >> 63 == 1 }
        }
    }

    #[derive(Clone)]
    struct Lines(Arc<Mutex<Chain>>);

    impl Lines {
        fn new(mode: spi::Mode, outlasts: bool) -> Lines {
            let (clock, loading, inputs, bits) = (false, false, 0, 0);
            Lines(Arc::new(Mutex::new(Chain { mode, outlasts, clock, loading, inputs, bits })))
        }

        fn chain(&self) -> MutexGuard<'_, Chain> {
            self.0.lock().expect("no test panics with it")
        }
    }

    impl spi::ErrorType for Lines {
        type Error = spi::ErrorKind;
    }

    impl SpiDevice for Lines {
        fn transaction(
            &mut self,
            operations: &mut [spi::Operation<'_, u8>],
        ) -> Result<(), spi::ErrorKind> {
            let mut chain = self.chain();
            let rests = chain.mode.polarity == spi::Polarity::IdleHigh;
            let on_first = chain.mode.phase == spi::Phase::CaptureOnFirstTransition;
            // The controller turns the line to its level when it begins.
            chain.edge(rests);
            for operation in operations {
                let spi::Operation::Read(bytes) = operation else {
                    return Err(spi::ErrorKind::Other);
                };
                for byte in bytes.iter_mut() {
                    for _ in 0..8 {
                        let (first, second) = (chain.edge(!rests), chain.edge(rests));
                        *byte = *byte << 1 | u8::from(if on_first { first } else { second });
                    }
                }
            }
            Ok(())
        }
    }

    impl digital::ErrorType for Lines {
        type Error = Infallible;
    }

    impl OutputPin for Lines {
        fn set_low(&mut self) -> Result<(), Infallible> {
            let mut chain = self.chain();
            (chain.loading, chain.bits) = (true, chain.inputs);
            Ok(())
        }

        fn set_high(&mut self) -> Result<(), Infallible> {
            self.chain().loading = false;
            Ok(())
        }
    }

    /// Whether every board is read as it is, the first time and ever after.
    fn reads_right(mode: spi::Mode, outlasts: bool) -> bool {
        let wiring = Wiring::default_for(ReaderKind::ShiftRegister);
        let lines = Lines::new(mode, outlasts);
        let mut reader = ShiftRegisters::new(lines.clone(), lines.clone(), wiring.clone());
        let boards = Square::ALL.into_iter().map(Bitboard::from);
        boards.chain([Bitboard(0xFFFF_0000_0000_FFFF)]).all(|occupied| {
            let bytes = (wiring.levels(occupied) as u64).to_le_bytes();
            lines.chain().inputs = u64::from_be_bytes(bytes);
            reader.read() == Ok(occupied)
        })
    }

    #[test]
    fn the_chain_is_read_right_however_long_its_levels_outlast_the_clock() {
        assert!(reads_right(MODE, true) && reads_right(MODE, false));
    }

    #[test]
    fn other_modes_read_on_the_edge_that_shifts_or_after_it() {
        for mode in [spi::MODE_0, spi::MODE_3] {
            assert!(reads_right(mode, true) && !reads_right(mode, false), "{mode:?}");
        }
        assert!(!reads_right(spi::MODE_1, true) && !reads_right(spi::MODE_1, false));
    }
}
