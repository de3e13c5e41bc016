//! Readers of peg boards.
//!
//! A [`BoardReader`] reads the 64 reeds of one board. There is one for each way to wire them, over
//! the traits of `embedded-hal` ([`shift_register`], [`expander`], [`matrix`]), and a twin without
//! wires ([`sim`]). [`pi`] opens the real ones; [`scan`] reads one again and again on a thread of
//! its own.
//!
//! ```
//! use annabella_devices::board::{BoardReader, sim, wiring::{ReaderKind, Wiring}};
//! use shakmaty::{Bitboard, Square};
//! let bench = sim::Bench::new(Wiring::default_for(ReaderKind::Expander));
//! bench.set(Bitboard::from(Square::E4));
//! let mut reader = bench.reader(Wiring::default_for(ReaderKind::Expander));
//! assert_eq!(reader.read()?, Bitboard::from(Square::E4));
//! bench.unplug(Some(0x22));
//! assert_eq!(
//!     reader.read().unwrap_err().to_string(),
//!     "chip 0x22 does not answer (no acknowledgement): \
//!      check its power, SDA, SCL and its address pins"
//! );
//! # Ok::<(), annabella_devices::board::ReadError>(())
//! ```

pub mod buttons;
pub mod events;
pub mod expander;
pub mod matrix;
pub mod pi;
pub mod scan;
pub mod selftest;
pub mod shift_register;
pub mod sim;
pub mod wiring;

use shakmaty::Bitboard;
use thiserror::Error;

use wiring::{Levels, Wiring};

/// Reads the reeds of one board.
///
/// # After an error
///
/// The next reading tries again, and sets up chips that have lost their settings. A reader need not
/// be reopened when its wire comes back.
pub trait BoardReader: Send {
    /// How the reeds are wired.
    fn wiring(&self) -> &Wiring;

    /// The levels of all inputs, as they are: for the self-test.
    ///
    /// # Errors
    /// [`ReadError`] with the remedy. Earlier readings no longer count.
    fn levels(&mut self) -> Result<Levels, ReadError>;

    /// Which squares have a peg now; contacts may still bounce.
    ///
    /// # Errors
    /// As [`BoardReader::levels`], and when every reed reads closed.
    fn read(&mut self) -> Result<Bitboard, ReadError> {
        let levels = self.levels()?;
        let occupied = self.wiring().occupied(levels);
        if occupied == Bitboard::FULL { Err(ReadError::AllClosed) } else { Ok(occupied) }
    }
}

impl<R: BoardReader + ?Sized> BoardReader for Box<R> {
    fn wiring(&self) -> &Wiring {
        (**self).wiring()
    }

    fn levels(&mut self) -> Result<Levels, ReadError> {
        (**self).levels()
    }
}

/// Why the board cannot be read; one line each, with the remedy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadError {
    #[error("cannot open {device}: {reason}: {remedy}")]
    Open {
        /// Device file, or GPIO.
        device: String,
        reason: String,
        remedy: &'static str,
    },
    #[error("{bus} failed ({reason}): check the wires between the Pi and the board")]
    Bus { bus: &'static str, reason: String },
    #[error(
        "chip {address:#04x} does not answer ({reason}): check its power, SDA, SCL and its address pins"
    )]
    NoAnswer { address: u8, reason: String },
    #[error(
        "chip {address:#04x} gives {found:#04x} back for {told:#04x}: check its power, MISO, CS and its address pins"
    )]
    WrongEcho {
        address: u8,
        /// The value written.
        told: u8,
        /// The value read back.
        found: u8,
    },
    #[error(
        "the chain of shift registers is broken (its end reads {found:#04x}): \
         check MISO, SCLK, the power of the chips and SER of the last one"
    )]
    Chain {
        /// The reading at the last register's serial input.
        found: u8,
    },
    #[error("column {column} of the matrix is closed without a row: check it for a short circuit")]
    Column {
        /// a to h.
        column: char,
    },
    #[error(
        "all 64 reeds read closed: check the power of the board and [board] closed = \"low\" or \"high\""
    )]
    AllClosed,
}
