//! A spare board takes the place of a broken one: its last game comes out of the stream into a
//! journal of the spare's, and the broken board may write no more.
//!
//! # Fencing
//!
//! The subject `hall.EVENT.board.BOARD.owner` names the journal that is this board's. A wire whose
//! journal is another sends nothing. It asks on each new line, with each sign of life, and before
//! it writes to a subject for the first time. The rows of a game name their place in the stream, so
//! a board that has not asked yet is refused as soon as the spare has written one row. A mark is
//! signed by a spare board or the hall: another is none.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use async_nats::{
    HeaderMap, header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, jetstream::context::PublishErrorKind,
};

use crate::{
    HallError,
    floor::Floor,
    names::{BoardPlace, GameSubject},
    role::KeyRole,
    stream::{Link, SIGN, StreamRow, last_of, lost},
    trust::{SIGNED, owner_text},
};
use annabella_records::journal::{GameId, Journal, KeptRow};

/// The header with the place of the mark before.
const AFTER: &str = "Annabella-After";

/// A game that has come to another board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TakenGame {
    /// Its number at the board, as before.
    pub game: GameId,
    pub rows: usize,
    /// The spare's journal with this game.
    pub journal: PathBuf,
}

/// Takes the board's place: its last game comes into a new journal in this folder.
///
/// # Errors
/// [`HallError::NothingToTake`], [`HallError::Unfetched`], and as [`Link::read`].
pub async fn take_over(
    link: &Link,
    place: &BoardPlace,
    folder: &Path,
) -> Result<TakenGame, HallError> {
    link.has_event(&place.event).await?;
    // There must be something to take before anybody is shut out, and it must not hold the spare
    // for ever: its service replays it, at each start.
    let (_, rows) = last_game(link, place).await?;
    let mut floor = Floor::new();
    rows.iter().for_each(|row| floor.row(row, 0));
    if !floor.stuck().is_empty() {
        let reason = "a row of its game takes longer than any of a game".to_owned();
        return Err(HallError::Unfetched { board: place.board, reason });
    }
    let before = last_of(link, &place.event, &place.owner()).await?;
    let before = before.map_or(0, |mark| mark.sequence);
    let owner = nkeys::KeyPair::new_user().public_key();
    claim(link, place, &owner, before).await?;
    // The other one is silent from here on.
    let (of, rows) = last_game(link, place).await?;
    let name = format!("{}-board-{}-{}.db", place.event, place.board, &owner[owner.len() - 8..]);
    let journal = folder.join(name);
    let mut kept = Journal::open(&journal)?;
    let rows: Vec<KeptRow> = rows.into_iter().map(|row| row.row).collect();
    kept.adopt(of.game, &rows)?;
    let file = owner_file(&journal);
    fs::write(&file, &owner).map_err(|err| unfetched(place, &file, &err))?;
    Ok(TakenGame { game: of.game, rows: rows.len(), journal })
}

/// Whether the board gives signs of life. Waits for as long as one may take.
///
/// # Errors
/// [`HallError::NoStore`], [`HallError::Lost`].
pub async fn is_here(link: &Link, place: &BoardPlace) -> Result<bool, HallError> {
    link.gives_sign(&place.event, &place.here(), SIGN + SIGN / 2).await
}

/// Who owns a journal lies beside it.
fn owner_file(journal: &Path) -> PathBuf {
    let mut name = journal.as_os_str().to_owned();
    name.push(".owner");
    name.into()
}

fn unfetched(place: &BoardPlace, path: &Path, err: &io::Error) -> HallError {
    let reason = format!("cannot write {}: {err}", path.display());
    HallError::Unfetched { board: place.board, reason }
}

/// The rows of the game that was played last at a board, as they stand in the stream: of its last
/// copy.
async fn last_game(
    link: &Link,
    place: &BoardPlace,
) -> Result<(GameSubject, Vec<StreamRow>), HallError> {
    let mut all: Vec<StreamRow> = Vec::new();
    link.read(&place.event, &place.rows(), |row| row.map(|row| all.push(row)).is_some()).await?;
    let board = place.board;
    let game = all.last().map(|row| row.of.game).ok_or(HallError::NothingToTake { board })?;
    all.retain(|row| row.of.game == game);
    let copy = all.iter().map(|row| row.of.copy).max().unwrap_or(1);
    all.retain(|row| row.of.copy == copy);
    Ok((GameSubject { board, game, copy }, all))
}

/// Says whose board it is from now on.
async fn claim(link: &Link, place: &BoardPlace, owner: &str, before: u64) -> Result<(), HallError> {
    let mut headers = HeaderMap::new();
    headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, before.to_string().as_str());
    headers.insert(AFTER, before.to_string().as_str());
    if let Some(signer) = link.signer() {
        let text = owner_text(&place.event, place.board, owner, before);
        headers.insert(SIGNED, signer.sign(&text).as_str());
    }
    let payload = owner.to_owned().into();
    let context = link.context();
    let published = async {
        context.publish_with_headers(place.owner(), headers, payload).await?.await.map(drop)
    };
    published.await.map_err(|err| match err.kind() {
        PublishErrorKind::WrongLastSequence => HallError::Unfetched {
            board: place.board,
            reason: "another board takes it over at this moment".to_owned(),
        },
        _ => lost(&err),
    })
}

/// Who this board is by the last mark; `None`: nobody has taken it over yet, or nobody who may.
async fn owner_of(link: &Link, place: &BoardPlace) -> Result<Option<String>, HallError> {
    let Some(mark) = last_of(link, &place.event, &place.owner()).await? else { return Ok(None) };
    let owner = String::from_utf8_lossy(&mark.payload).into_owned();
    let Some(signer) = link.signer() else { return Ok(Some(owner)) };
    let header =
        |name: &str| mark.headers.get(name).map(|value| value.as_str()).unwrap_or_default();
    let after = header(AFTER).parse().unwrap_or(u64::MAX);
    let text = owner_text(&place.event, place.board, &owner, after);
    let by = signer.check(&text, header(SIGNED)).map(|by| by.role);
    // A mark stands after the one that it names.
    let good = matches!(by, Ok(KeyRole::Spare(_) | KeyRole::Hall)) && after < mark.sequence;
    Ok(good.then_some(owner))
}

/// Refuses a journal that is not, or no longer, this board's.
pub(crate) async fn is_owner(
    link: &Link,
    place: &BoardPlace,
    journal: &Path,
) -> Result<(), HallError> {
    match owner_of(link, place).await? {
        Some(owner) if !owns(journal, &owner) => Err(HallError::TakenOver { board: place.board }),
        _ => Ok(()),
    }
}

/// Whether the mark means this journal.
fn owns(journal: &Path, owner: &str) -> bool {
    fs::read_to_string(owner_file(journal)).is_ok_and(|own| own.trim() == owner)
}
