//! The files of a journal that is written, as they were when they were opened.

use std::{
    collections::BTreeSet,
    fs::{File, TryLockError},
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use rusqlite::Connection;

use super::{JournalError, schema};

/// Device and number of a file.
type FileId = (u64, u64);

/// The files that this process writes.
static HELD: Mutex<BTreeSet<FileId>> = Mutex::new(BTreeSet::new());

fn held() -> MutexGuard<'static, BTreeSet<FileId>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether this process writes to this file.
pub(super) fn is_held(file: FileId) -> bool {
    held().contains(&file)
}

/// A journal's own file, locked against every other service, by whichever name that one knows it.
///
/// # Locks that a close loses
///
/// SQLite locks ranges of the file, and the system drops all of a process's when it closes any
/// descriptor of that file. So this one stays open as long as SQLite's own, and nothing else opens
/// a file that [`is_held`]. A lock of the whole file is another kind, which does not touch those.
///
/// Source: SQLite, "How To Corrupt An SQLite Database File", 2.2; flock(2), fcntl_locking(2).
#[derive(Debug)]
pub(super) struct Held {
    file: FileId,
    /// Its close frees the lock.
    _locked: File,
}

impl Held {
    /// Takes the lock.
    ///
    /// # Errors
    /// [`JournalError::InUse`], [`JournalError::Open`].
    pub(super) fn take(path: &Path) -> Result<Held, JournalError> {
        let in_use = || JournalError::InUse { path: path.to_owned() };
        let wrap = |error: std::io::Error| {
            let reason = error.to_string();
            JournalError::Open { path: path.to_owned(), reason }
        };
        let mut held = held();
        let kind = path.metadata().map_err(wrap)?;
        let file = (kind.dev(), kind.ino());
        if held.contains(&file) {
            return Err(in_use());
        }
        let locked = File::options().read(true).write(true).open(path).map_err(wrap)?;
        // A file system without such locks has the lock file.
        if let Err(TryLockError::WouldBlock) = locked.try_lock() {
            return Err(in_use());
        }
        held.insert(file);
        Ok(Held { file, _locked: locked })
    }

    /// Whether the file still has this name, and anything in it.
    pub(super) fn is_at(&self, path: &Path) -> bool {
        path.metadata().is_ok_and(|kind| (kind.dev(), kind.ino()) == self.file && kind.len() > 0)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        held().remove(&self.file);
    }
}

/// The log of a journal: what was written and is not in its file yet.
#[derive(Debug)]
pub(super) struct Log {
    path: PathBuf,
    file: FileId,
    bytes: u64,
}

impl Log {
    /// `None`: there is none.
    pub(super) fn of(journal: &Path) -> Option<Log> {
        let path = schema::beside(journal, "-wal");
        let kind = path.metadata().ok()?;
        Some(Log { path, file: (kind.dev(), kind.ino()), bytes: kind.len() })
    }

    /// As long as it is, if it is still the one that was opened.
    fn bytes(&self) -> Option<u64> {
        let kind = self.path.metadata().ok()?;
        ((kind.dev(), kind.ino()) == self.file).then_some(kind.len())
    }

    /// Something was written.
    pub(super) fn grown(&mut self) {
        self.bytes = self.bytes().unwrap_or(self.bytes);
    }

    /// Whether it is still there, and nothing was cut off. SQLite itself cuts it off only when all
    /// of it is in the journal.
    pub(super) fn is_whole(&mut self, db: &Connection) -> bool {
        let Some(bytes) = self.bytes() else { return false };
        let is_empty = || {
            let pages = db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |row| row.get(1));
            pages.is_ok_and(|pages: i64| pages == 0)
        };
        let whole = bytes >= self.bytes || is_empty();
        if whole {
            self.bytes = bytes;
        }
        whole
    }
}
