//! Every input of every game, kept before its outputs are acted on.
//!
//! One SQLite file. When [`Journal::append`] returns, the input is on the disk: WAL with full
//! synchronisation, one transaction an append. Everything else about a game (PGN, score sheet,
//! report) is a view of these rows, made by replaying them.
//!
//! # One writer
//!
//! [`Journal::open`] takes two advisory locks: a file beside the journal, and the journal's own
//! file, which a removed lock file or another name of the file does not get round. The system frees
//! them when the process ends, however it ends. [`Records::open`] only reads, and works while a
//! service writes.
//!
//! # Power cuts
//!
//! No repair is needed: SQLite discards an unfinished transaction at the next open.
//!
//! # Damage
//!
//! Each row has a checksum over itself and all rows of its game before it. The game's row counts
//! its inputs, and the lock file says what was written last. [`repair()`] saves every game up to
//! its first damaged row.

pub mod braille;
mod chain;
pub mod envelope;
pub mod export;
mod following;
mod held;
mod page;
pub mod picture;
mod records;
mod repair;
pub mod report;
mod schema;
pub mod views;
mod wording;

use std::{
    fs::{File, Permissions, TryLockError},
    io::Read as _,
    ops::Deref,
    os::unix::fs::{FileExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

pub use following::{Follower, GameEnd, KeptRow};
pub use records::{GameRow, Records};
pub use repair::{PutRight, Repaired, open_repaired, repair};
use rusqlite::{Connection, OpenFlags, Transaction, TransactionBehavior, params};
pub use wording::{date_in, note_in, paper_languages, san_in};

use annabella_core::game::{At, Input, Started};
use chain::Tip;
use held::{Held, Log};

/// No game that comes from elsewhere has a greater number, and no row of it a later moment,
/// milliseconds: after either, games and hours go on for as long as anybody plays.
const MOST_GAMES: i64 = u32::MAX as i64;
const LATEST_MS: u64 = 1 << 53;

/// Number of a game in its journal, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId {
    /// The number, as `annabella games` shows it.
    pub number: i64,
}

impl std::fmt::Display for GameId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.number.fmt(f)
    }
}

/// Why a journal can't be opened, read or written; one line with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    #[error(
        "annabella runs already, with journal {path}: stop that one, or choose another [journal] path"
    )]
    InUse { path: PathBuf },
    #[error(
        "cannot open journal {path}: {reason}; check that its folder exists and that this user \
         may write there, or choose another [journal] path"
    )]
    Open { path: PathBuf, reason: String },
    #[error("{path} exists already, it is left as it is: name a new file")]
    Exists { path: PathBuf },
    #[error(
        "no journal {path}: no game has been played with this configuration, or [journal] path is another"
    )]
    Missing { path: PathBuf },
    #[error(
        "{path} is not a journal of annabella, it is left as it is: choose another [journal] path"
    )]
    Foreign { path: PathBuf },
    #[error(
        "journal {path} has version {found}, this program knows versions up to {known}: update the program"
    )]
    Newer { path: PathBuf, found: i64, known: i64 },
    #[error(
        "journal {path} has version {found}, an earlier one: `annabella games repair` saves its games in a new file"
    )]
    Older { path: PathBuf, found: i64 },
    #[error(
        "journal {path} has {names} names (hard links), and what was written last is known by one of them alone: \
         remove the others, or copy the file instead"
    )]
    Linked { path: PathBuf, names: u64 },
    #[error(
        "journal {path} was removed or exchanged while it was open: put the file back, or stop the service and start it again"
    )]
    Gone { path: PathBuf },
    #[error(
        "journal {path}: its log was removed or cut while it was open; stop the service and start it again"
    )]
    LogGone { path: PathBuf },
    #[error(
        "journal {path} is damaged ({detail}), it is left as it is: `annabella games repair` saves what can be read"
    )]
    Damaged { path: PathBuf, detail: String },
    #[error(
        "journal {path} is damaged ({detail}), and nothing of it can be read: look for a copy or a backup of it"
    )]
    Lost { path: PathBuf, detail: String },
    #[error(
        "cannot write journal {path}: the disk is full; make room, nothing acknowledged is lost"
    )]
    Full { path: PathBuf },
    #[error(
        "journal {path}: {reason}; check the disk and the rights of its folder, nothing acknowledged is lost"
    )]
    Io { path: PathBuf, reason: String },
    #[error("no game {game} in journal {path}: `annabella games list` shows those there are")]
    NoGame { path: PathBuf, game: GameId },
    #[error(
        "moment {at_ms} ms lies before the journal's last, {last_ms} ms: start the service's clock at Records::resume_at"
    )]
    Past { at_ms: u64, last_ms: u64 },
    #[error(
        "moment {at_ms} ms is beyond what a journal can hold: start the service's clock at Records::resume_at"
    )]
    Future { at_ms: u64 },
}

impl JournalError {
    /// Whether the file could not be written just now: it may work again later.
    pub fn may_pass(&self) -> bool {
        !matches!(
            self,
            JournalError::NoGame { .. } | JournalError::Past { .. } | JournalError::Future { .. }
        )
    }

    /// The damage alone, where it is one; otherwise the whole line.
    fn detail(&self) -> String {
        match self {
            JournalError::Damaged { detail, .. } => detail.clone(),
            other => other.to_string(),
        }
    }

    fn sqlite(path: &Path, error: rusqlite::Error) -> JournalError {
        use rusqlite::ErrorCode;
        let path = path.to_owned();
        let detail = error.to_string().replace(char::is_control, " ");
        match error.sqlite_error_code() {
            // Its header was looked at before: files of other programs don't come this far.
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => {
                JournalError::Damaged { path, detail }
            }
            Some(ErrorCode::DiskFull) => JournalError::Full { path },
            Some(ErrorCode::CannotOpen) => JournalError::Open { path, reason: detail },
            // A value that is not of its column's kind, a column that is not there.
            None | Some(ErrorCode::Unknown) => JournalError::Damaged { path, detail },
            Some(_) => JournalError::Io { path, reason: detail },
        }
    }
}

/// A journal open for writing. [`Records`] reads.
#[derive(Debug)]
pub struct Journal {
    records: Records,
    last_at: At,
    /// Held as long as the journal: its drop frees the lock. It says what was written last.
    lock: File,
    /// The file that is written. After the connection in `records` it is closed: see [`Held`].
    file: Held,
    log: Log,
    lost: Option<String>,
}

impl Deref for Journal {
    type Target = Records;

    fn deref(&self) -> &Records {
        &self.records
    }
}

impl Journal {
    /// Opens a journal for writing; creates it if there is no file or an empty one.
    ///
    /// # Errors
    /// [`JournalError::InUse`], [`JournalError::Open`]. [`JournalError::Foreign`],
    /// [`JournalError::Newer`] and [`JournalError::Damaged`] leave the file as it is.
    pub fn open(path: impl AsRef<Path>) -> Result<Journal, JournalError> {
        let path = path.as_ref();
        schema::refuse_other_files(path)?;
        schema::refuse_other_names(path)?;
        let lock = lock(path)?;
        schema::refuse_lost_file(path)?;
        schema::create(path)?;
        let file = Held::take(path)?;
        let flags = OpenFlags::SQLITE_OPEN_READ_WRITE
            | OpenFlags::SQLITE_OPEN_CREATE
            | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let mut db = Connection::open_with_flags(path, flags)
            .map_err(|error| JournalError::sqlite(path, error))?;
        schema::prepare(path, &mut db)?;
        let records = Records::over(path, db);
        let last_at = records.resume_at()?;
        let mut told = String::new();
        // What is no text says nothing.
        let _ = (&lock).take(4096).read_to_string(&mut told);
        let lost = records.lost(&told);
        // What was read above has opened the log.
        let log = Log::of(path).ok_or_else(|| JournalError::LogGone { path: path.to_owned() })?;
        Ok(Journal { records, last_at, lock, file, log, lost })
    }

    /// What was written before and is missing, one line. It is known until the next input is kept.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// Brings everything from the log into the file itself, so that a copy of the file alone holds
    /// it. Takes as long as the disk needs. Where a reader is in the way, some is left for the next
    /// time.
    pub fn checkpoint(&self) {
        // Nothing depends on it: what stays in the log is not lost.
        let done = self.records.db.query_row("PRAGMA wal_checkpoint(PASSIVE)", [], |_| Ok(()));
        done.unwrap_or_default();
    }

    /// The file and its log are still those that were opened.
    fn is_there(&mut self) -> Result<(), JournalError> {
        let path = &self.records.path;
        if !self.file.is_at(path) {
            return Err(JournalError::Gone { path: path.clone() });
        }
        if !self.log.is_whole(&self.records.db) {
            let path = path.clone();
            // A log without a name is there until it is closed: what it holds goes into the file.
            self.checkpoint();
            return Err(JournalError::LogGone { path });
        }
        Ok(())
    }

    /// These inputs are on the disk.
    fn kept(&mut self, tip: Tip, at: At) {
        tell(&self.lock, tip);
        self.log.grown();
        self.lost = None;
        self.last_at = at;
    }

    /// Begins a game: its row and, as input 1, [`Input::Started`].
    ///
    /// # Errors
    /// As [`Journal::append`].
    pub fn begin(&mut self, started: &Started, at: At) -> Result<GameId, JournalError> {
        self.is_there()?;
        let at_ms = self.check(at)?;
        let json = self.json(&Input::Started(Box::new(started.clone())))?;
        let path = &self.records.path;
        let wrap = |error| JournalError::sqlite(path, error);
        let transaction = write(&mut self.records.db).map_err(wrap)?;
        let game = insert_game(&transaction, None, started, None).map_err(wrap)?;
        let tip = Tip::of(game).append(&transaction, at_ms, &json).map_err(wrap)?;
        transaction.commit().map_err(wrap)?;
        self.kept(tip, at);
        Ok(game)
    }

    /// Takes a game from elsewhere as it is, all its rows under its own number, so that its
    /// checksums hold on.
    ///
    /// # Errors
    /// [`JournalError::Damaged`] when a row does not follow from the one before it, the first does
    /// not begin a game, no game has such a number, or there is one of this number already;
    /// [`JournalError::Future`] when a moment leaves no room for later ones; else as
    /// [`Journal::append`]. Nothing is kept then.
    pub fn adopt(&mut self, game: GameId, rows: &[KeptRow]) -> Result<(), JournalError> {
        self.is_there()?;
        let path = self.records.path.clone();
        let damaged = |detail: String| JournalError::Damaged { path: path.clone(), detail };
        if !(1..=MOST_GAMES).contains(&game.number) {
            return Err(damaged(format!("no game has the number {game}")));
        }
        if let Some(row) = rows.iter().find(|row| row.at_ms > LATEST_MS) {
            return Err(JournalError::Future { at_ms: row.at_ms });
        }
        let first = rows.first().and_then(|row| serde_json::from_str(&row.json).ok());
        let Some(Input::Started(started)) = first else {
            return Err(damaged(format!("game {game} has no beginning that this version reads")));
        };
        let (mut before, mut last) = ([0; 16], self.last_at);
        for (number, row) in (1..).zip(rows) {
            if row.number != number || !row.follows(game, before) {
                return Err(damaged(format!("row {number} of game {game} is missing or changed")));
            }
            self.check_after(At::new(row.at_ms), last)?;
            (before, last) = (row.sum, At::new(row.at_ms));
        }
        let wrap = |error| JournalError::sqlite(&path, error);
        let transaction = write(&mut self.records.db).map_err(wrap)?;
        if Tip::kept(&transaction, game).map_err(wrap)?.is_some() {
            return Err(damaged(format!("there is a game {game} already")));
        }
        insert_game(&transaction, Some(game), &started, None).map_err(wrap)?;
        let mut tip = Tip::of(game);
        for row in rows {
            let at_ms = i64::try_from(row.at_ms).unwrap_or(i64::MAX);
            tip = tip.append(&transaction, at_ms, &row.json).map_err(wrap)?;
        }
        transaction.commit().map_err(wrap)?;
        self.kept(tip, last);
        Ok(())
    }

    /// Begins another game under a number that is taken, and deletes its inputs. For a game in
    /// which nothing has happened.
    ///
    /// # Errors
    /// As [`Journal::append`].
    pub fn begin_over(
        &mut self,
        game: GameId,
        started: &Started,
        at: At,
    ) -> Result<(), JournalError> {
        self.is_there()?;
        let at_ms = self.check(at)?;
        let json = self.json(&Input::Started(Box::new(started.clone())))?;
        let path = &self.records.path;
        let wrap = |error| JournalError::sqlite(path, error);
        let transaction = write(&mut self.records.db).map_err(wrap)?;
        let changed = transaction
            .execute(
                "UPDATE game SET started_unix_s = ?2, white = ?3, black = ?4, build = ?5, \
                 result = NULL WHERE id = ?1",
                params![
                    game.number,
                    i64::try_from(started.unix_s).unwrap_or(i64::MAX),
                    started.config.white,
                    started.config.black,
                    started.build
                ],
            )
            .map_err(wrap)?;
        if changed == 0 {
            return Err(JournalError::NoGame { path: path.clone(), game });
        }
        transaction
            .execute("DELETE FROM input WHERE game = ?1", params![game.number])
            .map_err(wrap)?;
        let tip = Tip::of(game).append(&transaction, at_ms, &json).map_err(wrap)?;
        // From here on fewer rows are no loss: a reader may look between the next two lines.
        tell(&self.lock, Tip::of(game));
        transaction.commit().map_err(wrap)?;
        self.kept(tip, at);
        Ok(())
    }

    /// Keeps one input. When this returns, the input is on the disk and may be acted on. A closed
    /// game takes inputs too: an arbiter's later decision is part of its record.
    ///
    /// # Errors
    /// [`JournalError::Past`] if `at` lies before the last moment kept in any game,
    /// [`JournalError::NoGame`], [`JournalError::Full`], [`JournalError::Io`]. On an error nothing
    /// is kept.
    pub fn append(&mut self, game: GameId, at: At, input: &Input) -> Result<(), JournalError> {
        self.append_all(game, &[(at, input.clone())])
    }

    /// Keeps several inputs of a game: all of them or, on an error, none.
    ///
    /// # Errors
    /// As [`Journal::append`].
    pub fn append_all(&mut self, game: GameId, inputs: &[(At, Input)]) -> Result<(), JournalError> {
        let Some((last_at, _)) = inputs.last() else {
            return Ok(());
        };
        self.is_there()?;
        let mut rows = Vec::with_capacity(inputs.len());
        let mut before = self.last_at;
        for (at, input) in inputs {
            let at_ms = self.check_after(*at, before)?;
            before = *at;
            rows.push((at_ms, self.json(input)?));
        }
        let path = &self.records.path;
        let wrap = |error| JournalError::sqlite(path, error);
        let transaction = write(&mut self.records.db).map_err(wrap)?;
        let tip = Tip::kept(&transaction, game).map_err(wrap)?;
        let mut tip = tip.ok_or_else(|| JournalError::NoGame { path: path.clone(), game })?;
        for (at_ms, json) in &rows {
            tip = tip.append(&transaction, *at_ms, json).map_err(wrap)?;
        }
        transaction.commit().map_err(wrap)?;
        self.kept(tip, *last_at);
        Ok(())
    }

    /// Marks a game as over with its result, `1-0`, `0-1`, `1/2-1/2` or `*` (abandoned). A later
    /// call replaces the result.
    ///
    /// # Errors
    /// [`JournalError::NoGame`], [`JournalError::Full`], [`JournalError::Io`].
    pub fn close(&mut self, game: GameId, result: &str) -> Result<(), JournalError> {
        self.mark(game, Some(result))
    }

    /// Opens a closed game again, as when an arbiter lets it go on.
    ///
    /// # Errors
    /// As [`Journal::close`].
    pub fn reopen(&mut self, game: GameId) -> Result<(), JournalError> {
        self.mark(game, None)
    }

    fn mark(&mut self, game: GameId, result: Option<&str>) -> Result<(), JournalError> {
        let path = &self.records.path;
        let changed = self
            .records
            .db
            .execute("UPDATE game SET result = ?2 WHERE id = ?1", params![game.number, result])
            .map_err(|error| JournalError::sqlite(path, error))?;
        if changed == 0 {
            return Err(JournalError::NoGame { path: path.clone(), game });
        }
        Ok(())
    }

    fn check(&self, at: At) -> Result<i64, JournalError> {
        self.check_after(at, self.last_at)
    }

    fn check_after(&self, at: At, last: At) -> Result<i64, JournalError> {
        if at < last {
            return Err(JournalError::Past { at_ms: at.ms, last_ms: last.ms });
        }
        i64::try_from(at.ms).map_err(|_| JournalError::Future { at_ms: at.ms })
    }

    fn json(&self, input: &Input) -> Result<String, JournalError> {
        serde_json::to_string(input).map_err(|error| JournalError::Io {
            path: self.records.path.clone(),
            reason: error.to_string(),
        })
    }
}

/// Begins a transaction that writes from its begin on: a lock held elsewhere for a moment is waited
/// for.
fn write(db: &mut Connection) -> rusqlite::Result<Transaction<'_>> {
    db.transaction_with_behavior(TransactionBehavior::Immediate)
}

/// Writes the row of a game, under a number of its own or this one.
fn insert_game(
    db: &Connection,
    game: Option<GameId>,
    started: &Started,
    result: Option<String>,
) -> rusqlite::Result<GameId> {
    db.execute(
        "INSERT INTO game (id, started_unix_s, white, black, build, result) \
         VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
        params![
            game.map(|game| game.number),
            i64::try_from(started.unix_s).unwrap_or(i64::MAX),
            started.config.white,
            started.config.black,
            started.build,
            result
        ],
    )?;
    Ok(GameId { number: db.last_insert_rowid() })
}

/// Device and number of a file; `None` without one.
fn identity(path: &Path) -> Option<(u64, u64)> {
    path.metadata().ok().map(|kind| (kind.dev(), kind.ino()))
}

/// Writes into the lock file what a game's last row is.
fn tell(lock: &File, tip: Tip) {
    // It only helps to find losses; the inputs themselves are safe.
    let _ = lock.write_all_at(tip.to_text().as_bytes(), 0);
}

fn lock(path: &Path) -> Result<File, JournalError> {
    let name = schema::beside(path, ".lock");
    let refuse = |error: std::io::Error| JournalError::Open {
        path: path.to_owned(),
        reason: error.to_string(),
    };
    let file = File::options()
        .create(true)
        .truncate(false)
        .read(true)
        .write(true)
        .mode(0o600)
        .open(name)
        .map_err(refuse)?;
    // One that is there from before too. Where it is another user's, its rights are his.
    let _ = file.set_permissions(Permissions::from_mode(0o600));
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(JournalError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(error)) => Err(refuse(error)),
    }
}
