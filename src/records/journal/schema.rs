//! The file's layout, and how a journal is recognised.

use std::{
    fs::File,
    io::{ErrorKind, Read},
    os::unix::fs::{MetadataExt as _, OpenOptionsExt as _},
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::Connection;

use super::{JournalError, held::is_held};

/// `PRAGMA application_id`: "Anna" in ASCII.
const APPLICATION_ID: i64 = 0x416e_6e61;
/// `PRAGMA user_version`.
pub(super) const VERSION: i64 = 2;
/// Larger files are not checked page by page at each start, which has to be quick; damage in them
/// is found when it is read.
const CHECKED_PAGES: i64 = 8_192;

/// How long a write waits for another process that writes; the game waits as long.
const BUSY: Duration = Duration::from_millis(500);

const TABLES: &str = "
    CREATE TABLE game (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        started_unix_s INTEGER NOT NULL,
        white TEXT NOT NULL,
        black TEXT NOT NULL,
        build TEXT NOT NULL,
        result TEXT,
        inputs INTEGER NOT NULL DEFAULT 0,
        sum BLOB NOT NULL DEFAULT x'00000000000000000000000000000000'
    ) STRICT;
    CREATE TABLE input (
        game INTEGER NOT NULL REFERENCES game (id),
        number INTEGER NOT NULL,
        at_ms INTEGER NOT NULL,
        json TEXT NOT NULL,
        sum BLOB NOT NULL,
        PRIMARY KEY (game, number)
    ) STRICT, WITHOUT ROWID;
";

/// Looks at the first bytes, before SQLite may touch the file. No file is fine, so is an empty one.
///
/// Source: SQLite database file format, 1.3 (header).
pub(super) fn refuse_other_files(path: &Path) -> Result<(), JournalError> {
    let open_error = |error: std::io::Error| JournalError::Open {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    // Looked at before it is opened: opening a FIFO waits.
    let kind = match path.metadata() {
        Ok(kind) => kind,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(open_error(error)),
    };
    if !kind.is_file() {
        return Err(JournalError::Foreign { path: path.to_owned() });
    }
    // This process writes to it: it is a journal, and is not opened here once more.
    if kind.len() == 0 || is_held((kind.dev(), kind.ino())) {
        return Ok(());
    }
    let mut file = File::open(path).map_err(open_error)?;
    let mut header = [0; 72];
    let foreign = || JournalError::Foreign { path: path.to_owned() };
    file.read_exact(&mut header).map_err(|error| match error.kind() {
        ErrorKind::UnexpectedEof => foreign(),
        _ => open_error(error),
    })?;
    // application_id is at offset 68, big-endian. Zero: created, but not yet ours; `prepare` looks
    // closer.
    let id = i64::from(i32::from_be_bytes([header[68], header[69], header[70], header[71]]));
    if !header.starts_with(b"SQLite format 3\0") || (id != APPLICATION_ID && id != 0) {
        return Err(foreign());
    }
    Ok(())
}

/// The journal is missing or empty, but not the log of what was written to it last: SQLite would
/// throw that away.
pub(super) fn refuse_lost_file(path: &Path) -> Result<(), JournalError> {
    let size = |path: &Path| path.metadata().map_or(0, |kind| kind.len());
    let log = size(&beside(path, "-wal"));
    if size(path) > 0 || log == 0 {
        return Ok(());
    }
    Err(JournalError::Damaged {
        path: path.to_owned(),
        detail: format!("it is empty, but the log beside it has {log} bytes"),
    })
}

/// A file with several names has a log beside one of them alone: under another name it is older
/// than what was written, and two services would write to it.
///
/// Source: SQLite, "How To Corrupt An SQLite Database File", 2.5 (multiple links).
pub(super) fn refuse_other_names(path: &Path) -> Result<(), JournalError> {
    match path.metadata() {
        Ok(kind) if kind.nlink() > 1 => {
            Err(JournalError::Linked { path: path.to_owned(), names: kind.nlink() })
        }
        _ => Ok(()),
    }
}

/// The name of a file that belongs to the journal. It goes by the journal's own name, not by that
/// of a link to it, as SQLite's log does.
pub(super) fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.canonicalize().unwrap_or_else(|_| path.to_owned()).into_os_string();
    name.push(end);
    name.into()
}

/// Creates the file if there is none; only its owner can read it.
pub(super) fn create(path: &Path) -> Result<(), JournalError> {
    let created = File::options().create_new(true).write(true).mode(0o600).open(path);
    match created {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            Err(JournalError::Open { path: path.to_owned(), reason: error.to_string() })
        }
        _ => Ok(()),
    }
}

/// Checks an existing journal, or creates the tables in an empty one; then switches on the
/// safe way of writing.
pub(super) fn prepare(path: &Path, db: &mut Connection) -> Result<(), JournalError> {
    let wrap = |error| JournalError::sqlite(path, error);
    db.busy_timeout(BUSY).map_err(wrap)?;
    if is_new(db).map_err(wrap)? {
        // WAL first: it can't be switched on within a transaction.
        write_safely(db).map_err(wrap)?;
        let transaction = db.transaction().map_err(wrap)?;
        transaction.execute_batch(TABLES).map_err(wrap)?;
        transaction.pragma_update(None, "application_id", APPLICATION_ID).map_err(wrap)?;
        transaction.pragma_update(None, "user_version", VERSION).map_err(wrap)?;
        transaction.commit().map_err(wrap)?;
        // A journal whose log is lost is one still.
        return db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(())).map_err(wrap);
    }
    check(path, db)?;
    write_safely(db).map_err(wrap)
}

/// A journal's version, which this program knows or knew.
pub(super) fn version(path: &Path, db: &Connection) -> Result<i64, JournalError> {
    let pragma = |name: &str| -> Result<i64, JournalError> {
        let read = db.pragma_query_value(None, name, |row| row.get(0));
        read.map_err(|error| JournalError::sqlite(path, error))
    };
    if pragma("application_id")? != APPLICATION_ID {
        // As one is begun: what followed stood in the log.
        let mode = db.pragma_query_value(None, "journal_mode", |row| row.get::<_, String>(0));
        if mode.is_ok_and(|mode| mode == "wal") && is_new(db).is_ok_and(|new| new) {
            return Err(JournalError::Damaged {
                path: path.to_owned(),
                detail: "it is empty, and its log is missing or cut".to_owned(),
            });
        }
        return Err(JournalError::Foreign { path: path.to_owned() });
    }
    let found = pragma("user_version")?;
    if found > VERSION {
        return Err(JournalError::Newer { path: path.to_owned(), found, known: VERSION });
    }
    Ok(found)
}

/// Refuses what is not a journal this program understands. Writes nothing.
pub(super) fn check(path: &Path, db: &Connection) -> Result<(), JournalError> {
    let wrap = |error| JournalError::sqlite(path, error);
    let found = version(path, db)?;
    let damaged = |detail: String| JournalError::Damaged {
        path: path.to_owned(),
        detail: detail.replace(char::is_control, " "),
    };
    if found < VERSION {
        return Err(JournalError::Older { path: path.to_owned(), found });
    }
    let pages: i64 = db.pragma_query_value(None, "page_count", |row| row.get(0)).map_err(wrap)?;
    if pages <= CHECKED_PAGES {
        let verdict: String =
            db.query_row("PRAGMA quick_check(1)", [], |row| row.get(0)).map_err(wrap)?;
        if verdict != "ok" {
            return Err(damaged(verdict));
        }
    }
    let tables: i64 = db
        .query_row(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('game', 'input')",
            [],
            |row| row.get(0),
        )
        .map_err(wrap)?;
    if tables != 2 {
        return Err(damaged("its tables are missing".to_owned()));
    }
    Ok(())
}

fn is_new(db: &Connection) -> rusqlite::Result<bool> {
    let id: i64 = db.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let things: i64 = db.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get(0))?;
    Ok(id == 0 && things == 0)
}

fn write_safely(db: &Connection) -> rusqlite::Result<()> {
    db.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get::<_, String>(0))?;
    db.pragma_update(None, "synchronous", "FULL")?;
    db.pragma_update(None, "foreign_keys", true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writing_is_synchronised_in_full() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        for _ in ["created", "opened again"] {
            let mut db = Connection::open(&path).expect("opens");
            prepare(&path, &mut db).expect("a journal");
            let synchronous: i64 =
                db.pragma_query_value(None, "synchronous", |row| row.get(0)).expect("a number");
            let mode: String =
                db.pragma_query_value(None, "journal_mode", |row| row.get(0)).expect("a word");
            assert_eq!((synchronous, mode.as_str()), (2, "wal"));
        }
    }
}
