//! Reading a journal as it grows, beside the service that writes it: for a copy elsewhere.

use std::path::{Path, PathBuf};

use rusqlite::params;

use super::{
    GameId, JournalError, Records,
    chain::{Sum, Tip},
    identity,
};

/// One input as it stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptRow {
    /// Its number in its game, from 1.
    pub number: u64,
    /// Moment, milliseconds since the journal's first entry.
    pub at_ms: u64,
    /// The input, JSON.
    pub json: String,
    /// Over this row and all of its game before it.
    pub sum: [u8; 16],
}

impl KeptRow {
    /// The row that a game has after `number` rows, the last of which has the checksum `before`;
    /// `None`: no journal has such a number or moment.
    pub fn after(
        game: GameId,
        (number, before): (u64, [u8; 16]),
        at_ms: u64,
        json: String,
    ) -> Option<KeptRow> {
        let sum = right_sum(game, (number, before), at_ms, &json)?;
        Some(KeptRow { number: number + 1, at_ms, json, sum })
    }

    /// Whether its checksum is right after a row with this one; before the first row it is all
    /// zeros.
    pub fn follows(&self, game: GameId, before: [u8; 16]) -> bool {
        let before = self.number.checked_sub(1).map(|number| (number, before));
        let right = before.and_then(|before| right_sum(game, before, self.at_ms, &self.json));
        right == Some(self.sum)
    }
}

fn right_sum(game: GameId, (number, before): (u64, Sum), at_ms: u64, json: &str) -> Option<Sum> {
    let (inputs, at_ms) = (i64::try_from(number).ok()?, i64::try_from(at_ms).ok()?);
    inputs.checked_add(1)?;
    Some(Tip { game: game.number, inputs, sum: before }.then(at_ms, json).sum)
}

/// The last row of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameEnd {
    pub game: GameId,
    pub inputs: u64,
    /// The last one's checksum.
    pub sum: [u8; 16],
}

/// Reads a journal that another process or thread may be writing. It has a connection of its own
/// and keeps no transaction open, so that no writer waits for it.
#[derive(Debug)]
pub struct Follower {
    path: PathBuf,
    records: Records,
    file: (u64, u64),
    /// SQLite's count of changes by others; `None` before the first look.
    version: Option<i64>,
}

impl Follower {
    /// Opens a journal.
    ///
    /// # Errors
    /// As [`Records::open`].
    pub fn open(path: impl AsRef<Path>) -> Result<Follower, JournalError> {
        let path = path.as_ref().to_owned();
        let gone = || JournalError::Missing { path: path.clone() };
        let file = identity(&path).ok_or_else(gone)?;
        let records = Records::open(&path)?;
        Ok(Follower { path, records, file, version: None })
    }

    /// Whether anything was written since the last call; `true` at the first one. Costs
    /// microseconds.
    ///
    /// # Errors
    /// [`JournalError::Gone`] when another file has taken its place, as after a repair: open that
    /// one.
    pub fn changed(&mut self) -> Result<bool, JournalError> {
        if identity(&self.path) != Some(self.file) {
            return Err(JournalError::Gone { path: self.path.clone() });
        }
        // Source: SQLite, PRAGMA data_version.
        let version = self
            .records
            .db
            .pragma_query_value(None, "data_version", |row| row.get(0))
            .map_err(|error| JournalError::sqlite(&self.path, error))?;
        Ok(self.version.replace(version) != Some(version))
    }

    /// The last row of every game, in the order of the games.
    ///
    /// # Errors
    /// [`JournalError::Damaged`], [`JournalError::Io`].
    pub fn ends(&self) -> Result<Vec<GameEnd>, JournalError> {
        let wrap = |error| JournalError::sqlite(&self.path, error);
        let db = &self.records.db;
        let mut statement =
            db.prepare_cached("SELECT id, inputs, sum FROM game ORDER BY id").map_err(wrap)?;
        let rows = statement.query_map([], |row| {
            let game = GameId { number: row.get(0)? };
            let inputs: i64 = row.get(1)?;
            Ok(GameEnd { game, inputs: inputs.unsigned_abs(), sum: row.get(2)? })
        });
        rows.and_then(Iterator::collect).map_err(wrap)
    }

    /// The game in which something happened last; `None`: there is none.
    ///
    /// # Errors
    /// [`JournalError::Damaged`], [`JournalError::Io`].
    pub fn latest(&self) -> Result<Option<GameId>, JournalError> {
        Ok(self.records.latest_first()?.first().map(|row| row.id))
    }

    /// At most `most` rows of a game in order, from this number on.
    ///
    /// # Errors
    /// [`JournalError::Damaged`], [`JournalError::Io`].
    pub fn rows(&self, game: GameId, from: u64, most: usize) -> Result<Vec<KeptRow>, JournalError> {
        let wrap = |error| JournalError::sqlite(&self.path, error);
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        let mut statement = self
            .records
            .db
            .prepare_cached(
                "SELECT number, at_ms, json, sum FROM input WHERE game = ?1 AND number >= ?2 \
                 ORDER BY number LIMIT ?3",
            )
            .map_err(wrap)?;
        let range = params![game.number, number(from), number(most as u64)];
        let rows = statement.query_map(range, |row| {
            let (number, at_ms): (i64, i64) = (row.get(0)?, row.get(1)?);
            let sum: Sum = row.get(3)?;
            let json = row.get(2)?;
            Ok(KeptRow { number: number.unsigned_abs(), at_ms: at_ms.unsigned_abs(), json, sum })
        });
        rows.and_then(Iterator::collect).map_err(wrap)
    }
}

#[cfg(test)]
mod tests {
    use annabella_core::game::{At, GameConfig, Input, Learnt, Started};

    use super::{super::Journal, *};

    fn started(white: &str) -> Started {
        Started {
            config: GameConfig { white: white.to_owned(), ..GameConfig::default() },
            packs: Vec::new(),
            confusions: Learnt::default(),
            build: "test".to_owned(),
            unix_s: 0,
        }
    }

    #[test]
    fn what_is_written_is_seen_and_its_rows_follow_one_another() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        let mut journal = Journal::open(&path).expect("a journal");
        let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
        let mut follower = Follower::open(&path).expect("opens");
        assert!(follower.changed().expect("looks"));
        assert!(!follower.changed().expect("looks"));
        journal.append(game, At::new(5), &Input::Woke).expect("kept");
        assert!(follower.changed().expect("looks"));
        let rows = follower.rows(game, 1, 10).expect("rows");
        assert_eq!(
            rows.iter().map(|row| (row.number, row.at_ms)).collect::<Vec<_>>(),
            [(1, 1), (2, 5)]
        );
        assert!(rows[0].follows(game, [0; 16]) && rows[1].follows(game, rows[0].sum));
        assert!(
            !rows[1].follows(game, [0; 16]) && !rows[1].follows(GameId { number: 2 }, rows[0].sum)
        );
        let end = GameEnd { game, inputs: 2, sum: rows[1].sum };
        assert_eq!(follower.ends().expect("ends"), [end]);
        assert_eq!(follower.rows(game, 2, 10).expect("rows"), rows[1..]);
        assert_eq!(follower.rows(game, 1, 1).expect("rows"), rows[..1]);
    }

    #[test]
    fn a_game_begun_over_has_another_end() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        let mut journal = Journal::open(&path).expect("a journal");
        let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
        let follower = Follower::open(&path).expect("opens");
        let before = follower.ends().expect("ends");
        journal.begin_over(game, &started("Berta"), At::new(2)).expect("begun over");
        let after = follower.ends().expect("ends");
        assert_eq!((before[0].inputs, after[0].inputs), (1, 1));
        assert_ne!(before[0].sum, after[0].sum);
    }

    #[test]
    fn another_file_in_its_place_is_told() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.db");
        drop(Journal::open(&path).expect("a journal"));
        let mut follower = Follower::open(&path).expect("opens");
        std::fs::rename(&path, folder.path().join("b.db")).expect("renamed");
        assert!(matches!(follower.changed(), Err(JournalError::Gone { .. })));
    }
}
