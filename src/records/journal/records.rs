//! Reading a journal.

use std::{
    fs,
    io::ErrorKind,
    path::{Path, PathBuf},
    time::Duration,
};

use rusqlite::{Connection, OpenFlags, Row, params};

use super::{
    GameId, JournalError,
    chain::{Sum, Tip},
    schema,
};
use annabella_core::game::{At, Input};

/// One game, as a list shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    pub id: GameId,
    /// Wall clock at its start, Unix seconds.
    pub started_unix_s: u64,
    pub white: String,
    pub black: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`; `None` while it is not closed.
    pub result: Option<String>,
    /// Inputs kept, with the first, [`Input::Started`].
    pub inputs: u64,
    /// Moment of the last one.
    pub last_at: At,
}

/// The content of a journal. Reads only; works while a service writes to the same file.
#[derive(Debug)]
pub struct Records {
    pub(super) path: PathBuf,
    pub(super) db: Connection,
}

impl Records {
    /// Opens a journal for reading. Takes no lock and changes nothing in it.
    ///
    /// # Errors
    /// [`JournalError::Missing`], [`JournalError::Open`], [`JournalError::Foreign`],
    /// [`JournalError::Newer`], [`JournalError::Damaged`].
    pub fn open(path: impl AsRef<Path>) -> Result<Records, JournalError> {
        let path = path.as_ref();
        schema::refuse_other_files(path)?;
        schema::refuse_other_names(path)?;
        schema::refuse_lost_file(path)?;
        if let Err(error) = path.metadata()
            && error.kind() == ErrorKind::NotFound
        {
            return Err(JournalError::Missing { path: path.to_owned() });
        }
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
        let wrap = |error| JournalError::sqlite(path, error);
        let db = Connection::open_with_flags(path, flags).map_err(wrap)?;
        db.busy_timeout(Duration::from_secs(2)).map_err(wrap)?;
        schema::check(path, &db)?;
        Ok(Records::over(path, db))
    }

    pub(super) fn over(path: &Path, db: Connection) -> Records {
        Records { path: path.to_owned(), db }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads in one transaction, so that all of it is from one moment, whatever a service writes
    /// meanwhile.
    fn at_once<T>(
        &self,
        read: impl FnOnce() -> Result<T, JournalError>,
    ) -> Result<T, JournalError> {
        // Within another it is at once already.
        if !self.db.is_autocommit() {
            return read();
        }
        let wrap = |error| JournalError::sqlite(&self.path, error);
        let transaction = self.db.unchecked_transaction().map_err(wrap)?;
        let answer = read();
        transaction.finish().map_err(wrap)?;
        answer
    }

    /// All games, the oldest first.
    ///
    /// # Errors
    /// [`JournalError::Damaged`], [`JournalError::Io`].
    pub fn games(&self) -> Result<Vec<GameRow>, JournalError> {
        self.rows(&format!("{GAME_ROWS} ORDER BY game.id"), [])
    }

    /// One game's row.
    ///
    /// # Errors
    /// [`JournalError::NoGame`], [`JournalError::Damaged`], [`JournalError::Io`].
    pub fn game(&self, game: GameId) -> Result<GameRow, JournalError> {
        self.rows(&format!("{GAME_ROWS} WHERE game.id = ?1"), [game.number])?
            .pop()
            .ok_or_else(|| JournalError::NoGame { path: self.path.clone(), game })
    }

    /// All inputs of a game in order. The first is [`Input::Started`].
    ///
    /// # Errors
    /// [`JournalError::NoGame`]; [`JournalError::Damaged`] if a row can't be read, is missing, or
    /// goes back in time.
    pub fn inputs(&self, game: GameId) -> Result<Vec<(At, Input)>, JournalError> {
        self.at_once(|| self.inputs_of(game))
    }

    fn inputs_of(&self, game: GameId) -> Result<Vec<(At, Input)>, JournalError> {
        let wrap = |error| JournalError::sqlite(&self.path, error);
        let mut statement = self
            .db
            .prepare_cached(
                "SELECT number, at_ms, json, sum FROM input WHERE game = ?1 ORDER BY number",
            )
            .map_err(wrap)?;
        let mut rows = statement.query(params![game.number]).map_err(wrap)?;
        let mut inputs: Vec<(At, Input)> = Vec::new();
        let mut tip = Tip::of(game);
        while let Some(row) = rows.next().map_err(wrap)? {
            let wanted = inputs.len() + 1;
            let damaged = |what: String| JournalError::Damaged {
                path: self.path.clone(),
                detail: format!(
                    "game {game}, input {wanted}: {}",
                    what.replace(char::is_control, " ")
                ),
            };
            let number: i64 = row.get(0).map_err(wrap)?;
            if usize::try_from(number) != Ok(wanted) {
                return Err(damaged(format!("missing, {number} comes next")));
            }
            let at: i64 = row.get(1).map_err(wrap)?;
            let at = u64::try_from(at).map(At::new).map_err(|_| damaged(format!("moment {at}")))?;
            if inputs.last().is_some_and(|(last, _)| at < *last) {
                return Err(damaged(format!("moment {} goes back", at.ms)));
            }
            let json = row
                .get_ref(2)
                .map_err(wrap)?
                .as_str()
                .map_err(|error| damaged(error.to_string()))?;
            tip = tip.then(row.get(1).map_err(wrap)?, json);
            if row.get::<_, Sum>(3).map_err(wrap)? != tip.sum {
                return Err(damaged("its checksum is another".to_owned()));
            }
            let input = serde_json::from_str(json).map_err(|error| damaged(error.to_string()))?;
            if matches!(input, Input::Started(_)) != inputs.is_empty() {
                return Err(damaged("a game begins with its start, once".to_owned()));
            }
            inputs.push((at, input));
        }
        if inputs.is_empty() {
            // Either no such game, or a game that has lost its rows.
            self.game(game)?;
            return Err(JournalError::Damaged {
                path: self.path.clone(),
                detail: format!("game {game} has no inputs"),
            });
        }
        match Tip::kept(&self.db, game).map_err(wrap)? {
            Some(kept) if kept == tip => Ok(inputs),
            kept => Err(JournalError::Damaged {
                path: self.path.clone(),
                detail: format!(
                    "game {game} has {} inputs, but {} were written",
                    tip.inputs,
                    kept.unwrap_or_default().inputs
                ),
            }),
        }
    }

    /// Looks at everything: the file's pages, and every row of every game. Answers what is wrong, a
    /// line each.
    ///
    /// # Errors
    /// [`JournalError::Io`] when nothing can be read.
    pub fn check(&self) -> Result<Vec<String>, JournalError> {
        let mut wrong = self.at_once(|| self.check_file())?;
        wrong.extend(self.lacks());
        Ok(wrong)
    }

    fn check_file(&self) -> Result<Vec<String>, JournalError> {
        let wrap = |error| JournalError::sqlite(&self.path, error);
        let mut wrong = Vec::new();
        let mut statement = self.db.prepare("PRAGMA integrity_check(5)").map_err(wrap)?;
        let lines = statement.query_map([], |row| row.get::<_, String>(0)).map_err(wrap)?;
        for line in lines {
            match line.map_err(wrap) {
                Ok(line) if line == "ok" => {}
                Ok(line) => wrong.push(line.replace(char::is_control, " ")),
                Err(error) => wrong.push(error.detail()),
            }
        }
        match self.games() {
            Ok(games) => {
                let errors = games.iter().filter_map(|row| self.inputs(row.id).err());
                wrong.extend(errors.map(|error| error.detail()));
            }
            Err(error) => wrong.push(error.detail()),
        }
        Ok(wrong)
    }

    /// What was written at last, as the lock file beside the journal says, and is not there: one
    /// line. A journal that was cut, or exchanged for an older copy, says so here.
    pub fn lacks(&self) -> Option<String> {
        let told = || fs::read_to_string(schema::beside(&self.path, ".lock")).unwrap_or_default();
        let mut said = told();
        loop {
            // First what was written is read, then what is there: in between there may be more, but
            // not less.
            let lost = self.lost(&said)?;
            let now = told();
            if now == said {
                return Some(lost);
            }
            // A game was begun over meanwhile.
            said = now;
        }
    }

    /// What was written at last, as the lock file says, and is not there.
    pub(super) fn lost(&self, told: &str) -> Option<String> {
        let told = Tip::from_text(told)?;
        let kept = Tip::kept(&self.db, GameId { number: told.game }).ok()?.unwrap_or_default();
        let game = told.game;
        if kept.inputs < told.inputs {
            let missing = told.inputs - kept.inputs;
            return Some(format!(
                "game {game}: the last {missing} inputs that were written are missing"
            ));
        }
        let changed = kept.inputs == told.inputs && kept.sum != told.sum;
        changed.then(|| format!("game {game} is not the one that was written last"))
    }

    /// All games, the one in which something happened last first.
    ///
    /// # Errors
    /// [`JournalError::Damaged`], [`JournalError::Io`].
    pub fn latest_first(&self) -> Result<Vec<GameRow>, JournalError> {
        self.rows(&format!("{GAME_ROWS} ORDER BY last.at_ms DESC, game.id DESC"), [])
    }

    /// The largest moment in the journal, zero in an empty one: after a restart the service's clock
    /// begins 1 ms later.
    ///
    /// # Errors
    /// [`JournalError::Damaged`], [`JournalError::Io`].
    pub fn resume_at(&self) -> Result<At, JournalError> {
        // The last row of each game, found by the primary key: no walk through all inputs.
        let at_ms: i64 = self
            .db
            .query_row(
                "SELECT coalesce(max((SELECT at_ms FROM input WHERE game = game.id \
                 ORDER BY number DESC LIMIT 1)), 0) FROM game",
                [],
                |row| row.get(0),
            )
            .map_err(|error| JournalError::sqlite(&self.path, error))?;
        self.moment(at_ms)
    }

    fn moment(&self, at_ms: i64) -> Result<At, JournalError> {
        u64::try_from(at_ms).map(At::new).map_err(|_| JournalError::Damaged {
            path: self.path.clone(),
            detail: format!("moment {at_ms}"),
        })
    }

    fn rows(
        &self,
        query: &str,
        params: impl rusqlite::Params,
    ) -> Result<Vec<GameRow>, JournalError> {
        let wrap = |error| JournalError::sqlite(&self.path, error);
        let mut statement = self.db.prepare(query).map_err(wrap)?;
        let rows = statement.query_map(params, game_row).map_err(wrap)?;
        rows.collect::<Result<Vec<_>, _>>().map_err(wrap)
    }
}

const GAME_ROWS: &str = "SELECT game.id, game.started_unix_s, game.white, game.black, game.result, \
     game.inputs, coalesce(last.at_ms, 0) \
     FROM game LEFT JOIN input AS last ON last.game = game.id \
     AND last.number = (SELECT max(number) FROM input WHERE input.game = game.id)";

fn game_row(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    Ok(GameRow {
        id: GameId { number: row.get(0)? },
        started_unix_s: unsigned(row, 1)?,
        white: row.get(2)?,
        black: row.get(3)?,
        result: row.get(4)?,
        inputs: unsigned(row, 5)?,
        last_at: At::new(unsigned(row, 6)?),
    })
}

fn unsigned(row: &Row<'_>, column: usize) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(column, value))
}
