//! Errors in a wiring.

use shakmaty::Square;
use thiserror::Error;

use super::ReaderKind;

/// Why wires cannot be as described.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WiringError {
    #[error(
        "map names {found} inputs, {kind} has {wanted}: write \"-\" for an input without a reed",
        kind = .kind.as_str()
    )]
    MapLength {
        kind: ReaderKind,
        /// Its inputs.
        wanted: usize,
        /// The number of entries in the map.
        found: usize,
    },
    #[error(
        "map has {square} {times}: write each square once, or run `annabella board test`",
        times = if *.twice { "twice" } else { "nowhere" }
    )]
    MapSquare {
        square: Square,
        /// True: twice. False: nowhere.
        twice: bool,
    },
    #[error("addresses names {found} chips, {kind} needs {wanted}", kind = .kind.as_str())]
    Chips { kind: ReaderKind, wanted: usize, found: usize },
    #[error(
        "addresses: {address:#04x} is out of range or given twice: use 0x20 to 0x27, each once"
    )]
    Address { address: u8 },
    #[error("GPIO {gpio} is used twice, for {first} and for {second}: move one of them")]
    Pin {
        /// BCM number.
        gpio: u8,
        first: String,
        second: String,
    },
}
