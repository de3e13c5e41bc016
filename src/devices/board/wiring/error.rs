//! What wires cannot be.

use shakmaty::Square;
use thiserror::Error;

use super::ReaderKind;

/// Why wires cannot be as described.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WiringError {
    /// The map has the wrong length.
    #[error(
        "map names {found} inputs, {kind} has {wanted}: write \"-\" for an input without a reed",
        kind = .kind.as_str()
    )]
    MapLength {
        /// The reader.
        kind: ReaderKind,
        /// Its inputs.
        wanted: usize,
        /// What the map has.
        found: usize,
    },
    /// A square stands in the map twice or not at all.
    #[error(
        "map has {square} {times}: write each square once, or run `annabella board test`",
        times = if *.twice { "twice" } else { "nowhere" }
    )]
    MapSquare {
        /// Which.
        square: Square,
        /// Twice; else nowhere.
        twice: bool,
    },
    /// Not the number of chips that 64 reeds need.
    #[error("addresses names {found} chips, {kind} needs {wanted}", kind = .kind.as_str())]
    Chips {
        /// The reader.
        kind: ReaderKind,
        /// How many it needs.
        wanted: usize,
        /// How many are named.
        found: usize,
    },
    /// An address that no such chip has, or two chips have.
    #[error(
        "addresses: {address:#04x} is out of range or given twice: use 0x20 to 0x27, each once"
    )]
    Address {
        /// Which.
        address: u8,
    },
    /// A pin has two jobs.
    #[error("GPIO {gpio} is used twice, for {first} and for {second}: move one of them")]
    Pin {
        /// BCM number.
        gpio: u8,
        /// One job.
        first: String,
        /// The other.
        second: String,
    },
}
