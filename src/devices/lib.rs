//! Boards, clocks, sound and Braille: each device behind a trait, with a simulated twin that passes
//! the same tests.

pub mod board;
pub mod braille;
pub mod clock;
pub mod dgt;
pub mod lines;
#[cfg(feature = "dgt")]
pub mod pieces;
#[cfg(feature = "dgt")]
pub mod serial;
pub mod sighted;
pub mod voice;

use std::{fs::File, io, path::Path};

/// A file that somebody has named. Opening a FIFO would wait, and a device may never end.
fn open_file(path: &Path) -> io::Result<File> {
    match path.metadata()?.is_file() || path.is_dir() {
        true => File::open(path),
        false => Err(io::Error::other("it is no regular file")),
    }
}
