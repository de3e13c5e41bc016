//! Boards, clocks and sound, each with its simulated twin.

#[cfg(feature = "sound")]
#[path = "../shared/again.rs"]
mod again;
#[path = "../shared/patience.rs"]
mod patience;
#[cfg(any(feature = "sound", feature = "bluetooth"))]
#[path = "../shared/skip.rs"]
mod skip;

mod board_readers;
mod board_selftest;
#[cfg(feature = "bluetooth")]
mod by_bluetooth;
#[cfg(feature = "sound")]
mod capturing;
mod clock_devices;
mod dgt;
mod machine;
mod made_up;
mod piece_boards;
mod ports;
mod sighted;
