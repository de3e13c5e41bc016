//! Saves what can be read of a damaged journal.

use std::{
    fs,
    path::{Path, PathBuf},
};

use rusqlite::{Connection, OpenFlags, OptionalExtension as _, params};

use super::{
    GameId, Journal, JournalError,
    chain::{Sum, Tip},
    insert_game,
    schema::{self, beside},
};
use annabella_core::game::Input;

/// Numbers that are tried after the last known game: the list of games may be damaged itself.
const BEYOND: i64 = 16;

/// What was saved of a journal.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repaired {
    pub games: u64,
    /// Their inputs.
    pub inputs: u64,
    /// What is lost, a line each.
    pub lost: Vec<String>,
}

impl Repaired {
    /// "2 games with 86 inputs are saved".
    pub fn saved(&self) -> String {
        let Repaired { games, inputs, .. } = self;
        match games {
            1 => format!("1 game with {inputs} inputs is saved"),
            _ => format!("{games} games with {inputs} inputs are saved"),
        }
    }
}

/// What was found and done as a journal was opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PutRight {
    /// What a person should know, a line each.
    pub told: Vec<String>,
    /// Something was damaged or lost; an earlier version is neither.
    pub damaged: bool,
}

/// Opens a journal for writing. A damaged one, or one of an earlier version, is put aside and what
/// can be read of it is saved in a new one.
///
/// # Errors
/// As [`Journal::open`], without its [`JournalError::Damaged`] and [`JournalError::Older`].
pub fn open_repaired(path: &Path) -> Result<(Journal, PutRight), JournalError> {
    let opened = Journal::open(path).and_then(|journal| {
        // Large journals are not checked page by page. What may be played on has to be readable;
        // damage in a closed game keeps nobody from playing.
        for row in journal.latest_first()?.iter().filter(|row| row.result.is_none()) {
            journal.inputs(row.id)?;
        }
        Ok(journal)
    });
    match opened {
        Ok(journal) => {
            let lost = journal.lost().map(|lost| format!("journal {}: {lost}", path.display()));
            let damaged = lost.is_some();
            Ok((journal, PutRight { told: lost.into_iter().collect(), damaged }))
        }
        Err(JournalError::Damaged { detail, .. }) => {
            begin_anew(path, ".damaged", format!("is damaged ({detail})"))
        }
        Err(JournalError::Older { found, .. }) => {
            begin_anew(path, ".version", format!("has version {found}, an earlier one"))
        }
        Err(error) => Err(error),
    }
}

/// Puts a journal aside under a name with this end, and saves what can be read of it in a new one.
/// `why`: what it is or has.
fn begin_anew(path: &Path, end: &str, why: String) -> Result<(Journal, PutRight), JournalError> {
    let aside = put_aside(path, end)?;
    let mut told = vec![format!("journal {} {why}", path.display())];
    // Of an earlier version everything is saved, unless it is damaged besides.
    let mut damaged = end != ".version";
    let saved = match repair(&aside, path) {
        Ok(repaired) => {
            damaged |= !repaired.lost.is_empty();
            let saved = repaired.saved();
            told.extend(repaired.lost);
            saved
        }
        Err(error) => {
            damaged = true;
            format!("nothing of it can be read ({})", error.detail())
        }
    };
    let (new, aside) = (path.display(), aside.display());
    told.push(format!("{new} is new; {saved}; the old file is kept as {aside}"));
    Ok((Journal::open(path)?, PutRight { told, damaged }))
}

/// Renames a journal, and what belongs to it.
fn put_aside(path: &Path, end: &str) -> Result<PathBuf, JournalError> {
    let free = |aside: &PathBuf| ["", "-wal"].iter().all(|end| !beside(aside, end).exists());
    let names = (1..).map(|n: u32| beside(path, &format!("{end}-{n}")));
    let aside = names.into_iter().find(free).unwrap_or_default();
    for end in ["", "-wal", "-shm"] {
        let from = beside(path, end);
        if from.exists() {
            fs::rename(&from, beside(&aside, end))
                .map_err(|error| JournalError::Open { path: from, reason: error.to_string() })?;
        }
    }
    Ok(aside)
}

/// Saves every game of a journal up to its first row that can't be read or was changed, under its
/// number, into a new one.
///
/// # Errors
/// When nothing can be read, or the new journal exists or can't be written. Then there is none.
pub fn repair(from: &Path, to: &Path) -> Result<Repaired, JournalError> {
    schema::refuse_other_files(from)?;
    schema::refuse_lost_file(from).map_err(beyond_repair)?;
    if to.exists() {
        return Err(JournalError::Exists { path: to.to_owned() });
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let wrap = |error| beyond_repair(JournalError::sqlite(from, error));
    let old = Connection::open_with_flags(from, flags).map_err(wrap)?;
    // A file that was cut has fewer pages than its first one says, and SQLite refuses them all.
    // With this it reads those that are there. Source: SQLite, lockBtree in btree.c.
    old.pragma_update(None, "writable_schema", true).map_err(wrap)?;
    let version = schema::version(from, &old).map_err(beyond_repair)?;
    let mut journal = Journal::open(to)?;
    let write = |error| JournalError::sqlite(to, error);
    let transaction = journal.records.db.transaction().map_err(write)?;
    let mut repaired = Repaired::default();
    let (known, mut unsure) = (last_game(&old), None);
    for number in 1..=known + BEYOND {
        let game = GameId { number };
        let (rows, why) = readable(&old, game, version >= schema::VERSION);
        let Some((_, first)) = rows.first() else {
            match why {
                Some(why) if number <= known => {
                    repaired.lost.push(format!("game {number} is lost: {why}"));
                }
                // Nobody knows whether there was one of this number.
                why => unsure = unsure.or(why),
            }
            continue;
        };
        // The rows were read once already.
        let Ok(Input::Started(started)) = serde_json::from_str(first) else { continue };
        insert_game(&transaction, Some(game), &started, result(&old, game)).map_err(write)?;
        let mut tip = Tip::of(game);
        for (at_ms, json) in &rows {
            tip = tip.append(&transaction, *at_ms, json).map_err(write)?;
        }
        repaired.games += 1;
        repaired.inputs += rows.len() as u64;
        repaired
            .lost
            .extend(why.map(|why| format!("game {number} ends with input {}: {why}", rows.len())));
    }
    if repaired.games == 0
        && let Some(detail) = unsure.clone().or_else(|| repaired.lost.first().cloned())
    {
        drop(transaction);
        drop(journal);
        for end in ["", "-wal", "-shm", ".lock"] {
            // What is left of it is an empty journal.
            let _ = fs::remove_file(beside(to, end));
        }
        return Err(JournalError::Lost { path: from.to_owned(), detail });
    }
    if unsure.is_some() {
        repaired.lost.push("whether there were more games cannot be read".to_owned());
    }
    transaction.commit().map_err(write)?;
    Ok(repaired)
}

/// Advice to repair it is no help to who does.
fn beyond_repair(error: JournalError) -> JournalError {
    match error {
        JournalError::Damaged { path, detail } => JournalError::Lost { path, detail },
        other => other,
    }
}

/// The largest number that anything in the journal names.
fn last_game(db: &Connection) -> i64 {
    ["SELECT id FROM game", "SELECT DISTINCT game FROM input", "SELECT seq FROM sqlite_sequence"]
        .iter()
        .filter_map(|query| {
            let mut statement = db.prepare(query).ok()?;
            let numbers = statement.query_map([], |row| row.get::<_, i64>(0)).ok()?;
            numbers.map_while(Result::ok).filter(|number| *number < 1_000_000).max()
        })
        .max()
        .unwrap_or(0)
}

/// A game's rows up to the first bad one, and why they end there: `None` if they end as they
/// should.
fn readable(db: &Connection, game: GameId, sums: bool) -> (Vec<(i64, String)>, Option<String>) {
    let columns = if sums { "at_ms, json, sum" } else { "at_ms, json, zeroblob(16)" };
    let query = format!("SELECT {columns} FROM input WHERE game = ?1 AND number = ?2");
    let mut statement = match db.prepare(&query) {
        Ok(statement) => statement,
        Err(error) => return (Vec::new(), Some(error.to_string())),
    };
    let (mut rows, mut tip, mut last_ms) = (Vec::new(), Tip::of(game), 0);
    let why = loop {
        let row = statement.query_row(params![game.number, tip.inputs + 1], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, String>(1)?, row.get::<_, Sum>(2)?))
        });
        let (at_ms, json, sum) = match row.optional() {
            Ok(Some(row)) => row,
            Ok(None) => break missing(db, game, tip, sums),
            Err(error) => break Some(error.to_string()),
        };
        let next = tip.then(at_ms, &json);
        if sums && sum != next.sum {
            break Some("the checksum of the next one is another".to_owned());
        }
        let input = serde_json::from_str(&json);
        let begins = matches!(input, Ok(Input::Started(_)));
        if input.is_err() || at_ms < last_ms || begins != rows.is_empty() {
            break Some("the next one can't be read".to_owned());
        }
        (tip, last_ms) = (next, at_ms);
        rows.push((at_ms, json));
    };
    (rows, why.map(|why| why.replace(char::is_control, " ")))
}

/// Why no row follows, where one should.
fn missing(db: &Connection, game: GameId, tip: Tip, sums: bool) -> Option<String> {
    let last =
        db.query_row("SELECT max(number) FROM input WHERE game = ?1", [game.number], |row| {
            row.get::<_, Option<i64>>(0)
        });
    let counted = if sums { Tip::kept(db, game).ok().flatten() } else { None };
    let wanted = last.ok().flatten().max(counted.map(|kept| kept.inputs)).unwrap_or(0);
    (wanted > tip.inputs).then(|| format!("{} are missing", wanted - tip.inputs))
}

fn result(db: &Connection, game: GameId) -> Option<String> {
    let read =
        db.query_row("SELECT result FROM game WHERE id = ?1", [game.number], |row| row.get(0));
    read.ok().flatten()
}
