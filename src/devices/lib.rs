//! Boards, clocks, sound and Braille: each device behind a trait, with a simulated twin that passes
//! the same tests.

pub mod board;
pub mod braille;
pub mod clock;
pub mod dgt;
pub mod lines;
pub mod pieces;
pub mod serial;
pub mod sighted;
pub mod voice;

use std::{fs::File, io, path::Path, sync::mpsc, thread, time::Duration};

/// A file that somebody has named. Opening a FIFO would wait, and a device may never end.
fn open_file(path: &Path) -> io::Result<File> {
    match path.metadata()?.is_file() || path.is_dir() {
        true => File::open(path),
        false => Err(io::Error::other("it is no regular file")),
    }
}

/// Waits for what another thread sends, at most `patience`. Where nobody sends any more, as when a
/// thread has died, the time passes all the same.
pub(crate) fn wait_for<T>(from: &mpsc::Receiver<T>, patience: Duration) -> Option<T> {
    match from.recv_timeout(patience) {
        Ok(what) => Some(what),
        Err(mpsc::RecvTimeoutError::Timeout) => None,
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            thread::sleep(patience);
            None
        }
    }
}
