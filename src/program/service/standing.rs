//! How the games of a journal stand, and with which of them a restart goes on.
//!
//! A game is chosen by what was played last, not by its number: a game that was adjourned or has
//! ended is not hidden by one in which nothing has happened.

use std::{
    num::NonZero,
    sync::{Mutex, mpsc},
    thread,
};

use annabella_core::game::{At, Game, Input, Outcome, Resumption};
use annabella_records::journal::{GameId, GameRow, JournalError, Records};
use annabella_threads::lock;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GameStanding {
    /// Nothing has happened in the game: no move, no clock started, no decision.
    Empty,
    /// The game can be played on.
    GoingOn,
    /// The game waits for its envelope to be opened (Guideline I).
    Adjourned(Resumption),
    /// The game is over, with this result.
    Ended(Outcome),
    /// The game was begun by a version with other inputs.
    Unreadable,
    Damaged,
}

impl GameStanding {
    pub fn of(game: &Game) -> GameStanding {
        let Some(record) = game.record() else { return GameStanding::Unreadable };
        if let Some(ended) = record.ended {
            return GameStanding::Ended(ended.result);
        }
        if let Some(adjournment) = record.adjournment().filter(|_| game.is_adjourned()) {
            return GameStanding::Adjourned(adjournment.resumption.clone());
        }
        let untouched = record.line.is_empty()
            && !record.clock_started()
            && !record.halted()
            && record.adjournment().is_none()
            && record.rulings.is_empty();
        if untouched { GameStanding::Empty } else { GameStanding::GoingOn }
    }
}

/// A game of the journal and how it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub row: GameRow,
    pub standing: GameStanding,
    pub plies: usize,
    /// When it was last played. An arbiter's work on an adjourned game does not count.
    played: At,
}

impl Listed {
    /// Reads a game.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn read(records: &Records, row: GameRow) -> Result<Listed, JournalError> {
        let inputs = inputs(records, row.id)?;
        Ok(Listed::of(row, inputs))
    }

    /// Reads these games, in their order. Reading is one core's work; playing them again, which
    /// takes longer, is shared among all.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn read_all(records: &Records, rows: Vec<GameRow>) -> Result<Vec<Listed>, JournalError> {
        let cores = thread::available_parallelism().map_or(1, NonZero::get).min(rows.len());
        let mut listed: Vec<Option<Listed>> = rows.iter().map(|_| None).collect();
        // One game waits, and no more: they are in memory.
        let (jobs, waiting) = mpsc::sync_channel::<(usize, GameRow, Inputs)>(1);
        let waiting = Mutex::new(waiting);
        let next = || lock(&waiting).recv();
        thread::scope(|scope| {
            let (done, all) = mpsc::channel();
            for _ in 0..cores {
                let (next, done) = (&next, done.clone());
                scope.spawn(move || {
                    while let Ok((n, row, inputs)) = next() {
                        if done.send((n, Listed::of(row, inputs))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(done);
            for (n, row) in rows.into_iter().enumerate() {
                let inputs = inputs(records, row.id)?;
                // They end with this sender only.
                let _ = jobs.send((n, row, inputs));
            }
            drop(jobs);
            all.into_iter().for_each(|(n, one)| listed[n] = Some(one));
            Ok(())
        })?;
        Ok(listed.into_iter().flatten().collect())
    }

    fn of(mut row: GameRow, inputs: Inputs) -> Listed {
        let Some(inputs) = inputs else {
            let (standing, played) = (GameStanding::Damaged, row.last_at);
            return Listed { row, standing, plies: 0, played };
        };
        // What stands in its inputs has a checksum, its row has none.
        if let Some((_, Input::Started(started))) = inputs.first() {
            row.started_unix_s = started.unix_s;
        }
        let (game, _) = Game::replay(inputs);
        let standing = GameStanding::of(&game);
        let (mut plies, mut played) = (0, row.last_at);
        if let Some(record) = game.record() {
            plies = record.line.len();
            row.white.clone_from(&record.config.white);
            row.black.clone_from(&record.config.black);
            played = record.ended.map_or(played, |ended| ended.at);
            let over = record.is_over() || game.is_adjourned();
            let sealed = record.adjournment().filter(|a| over && a.plies == plies);
            played = sealed.and_then(|a| Some(a.sealed.as_ref()?.at)).unwrap_or(played);
        }
        Listed { row, standing, plies, played }
    }
}

/// A game's inputs; `None`: it is damaged.
type Inputs = Option<Vec<(At, Input)>>;

fn inputs(records: &Records, game: GameId) -> Result<Inputs, JournalError> {
    match records.inputs(game) {
        Ok(inputs) => Ok(Some(inputs)),
        Err(JournalError::Damaged { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// The effect of a restart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    GoOn(GameId),
    Adjourned(GameId),
    /// The last game is over, so the players are asked what follows.
    Ended(GameId),
    /// No game was played yet: one begins.
    Fresh,
}

/// With which game a restart goes on: the one that was played last.
///
/// # Errors
/// When the journal cannot be read.
pub fn next(records: &Records) -> Result<Next, JournalError> {
    next_by(records, |row| Listed::read(records, row))
}

/// The same where these games were read before.
///
/// # Errors
/// When the journal cannot be read.
pub fn next_of(records: &Records, known: &[Listed]) -> Result<Next, JournalError> {
    next_by(records, |row| match known.iter().find(|listed| listed.row.id == row.id) {
        Some(listed) if listed.row.inputs == row.inputs => Ok(listed.clone()),
        _ => Listed::read(records, row),
    })
}

fn next_by(
    records: &Records,
    read: impl Fn(GameRow) -> Result<Listed, JournalError>,
) -> Result<Next, JournalError> {
    let mut last: Option<Listed> = None;
    for row in records.latest_first()? {
        // Later rows were played earlier.
        if last.as_ref().is_some_and(|last| row.last_at < last.played) {
            break;
        }
        let listed = read(row)?;
        let counts = !matches!(
            listed.standing,
            GameStanding::Empty | GameStanding::Unreadable | GameStanding::Damaged
        );
        if counts && last.as_ref().is_none_or(|last| listed.played > last.played) {
            last = Some(listed);
        }
    }
    Ok(match last {
        None => Next::Fresh,
        Some(Listed { row, standing, .. }) => match standing {
            GameStanding::Adjourned(_) => Next::Adjourned(row.id),
            GameStanding::Ended(_) => Next::Ended(row.id),
            _ => Next::GoOn(row.id),
        },
    })
}

/// Games that can be played on, the one that was played last first.
///
/// # Errors
/// When the journal cannot be read.
pub fn going_on(records: &Records) -> Result<Vec<Listed>, JournalError> {
    let mut all = Vec::new();
    for row in records.latest_first()?.into_iter().filter(|row| row.result.is_none()) {
        let listed = Listed::read(records, row)?;
        all.extend(Some(listed).filter(|listed| listed.standing == GameStanding::GoingOn));
    }
    Ok(all)
}

/// A game in which nothing has happened: its number is free for the next one.
///
/// # Errors
/// When the journal cannot be read.
pub fn empty(records: &Records) -> Result<Option<GameId>, JournalError> {
    for row in records.latest_first()?.into_iter().filter(|row| row.result.is_none()) {
        let id = row.id;
        if Listed::read(records, row)?.standing == GameStanding::Empty {
            return Ok(Some(id));
        }
    }
    Ok(None)
}
