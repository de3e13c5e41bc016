//! A spare board takes the place of a broken one: its last game comes out of the stream into a journal of the
//! spare's, and the broken board may write no more.
//!
//! # Fencing
//!
//! The subject `hall.EVENT.board.BOARD.owner` names the journal that is this board's. A wire whose journal is
//! another sends nothing. It is told at once on a line that lives, and asks on each new line and before it
//! writes to a subject for the first time. The rows of a game name their place in the stream, so a board that
//! has not heard of it yet is refused as soon as the spare has written one row.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use async_nats::{
    HeaderMap,
    header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE,
    jetstream::{context::PublishErrorKind, stream::Stream},
};

use futures_util::StreamExt as _;

use crate::{
    HallError,
    names::{BoardPlace, GameSubject},
    stream::{Link, StreamRow, last_of, lost},
    wire::SIGN,
};
use annabella_records::journal::{GameId, Journal, KeptRow};

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
    let stream = link.event(&place.event).await?;
    // There must be something to take before anybody is shut out.
    let mut any = false;
    let first = |row: Option<StreamRow>| {
        any = row.is_some();
        false
    };
    link.read(&place.event, &place.rows(), first).await?;
    if !any {
        return Err(HallError::NothingToTake { board: place.board });
    }
    let before = owner_mark(&stream, place).await?.map_or(0, |(sequence, _)| sequence);
    let owner = nkeys::KeyPair::new_user().public_key();
    claim(link, place, &owner, before).await?;
    // The other one is silent from here on.
    let (of, rows) = last_game(link, place).await?;
    let name = format!("{}-board-{}-{}.db", place.event, place.board, &owner[owner.len() - 8..]);
    let journal = folder.join(name);
    let mut kept = Journal::open(&journal)?;
    kept.adopt(of.game, &rows)?;
    let file = owner_file(&journal);
    fs::write(&file, &owner).map_err(|err| unfetched(place, &file, &err))?;
    Ok(TakenGame { game: of.game, rows: rows.len(), journal })
}

/// Whether the board gives signs of life. Waits for as long as one may take.
///
/// # Errors
/// [`HallError::Lost`].
pub async fn is_here(link: &Link, place: &BoardPlace) -> Result<bool, HallError> {
    let mut signs = link.client().subscribe(place.here()).await.map_err(|err| lost(&err))?;
    let sign = tokio::time::timeout(SIGN + SIGN / 2, signs.next()).await;
    Ok(sign.is_ok_and(|sign| sign.is_some()))
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

/// The rows of the game that was played last at a board, as they stand in the stream: of its last copy.
async fn last_game(
    link: &Link,
    place: &BoardPlace,
) -> Result<(GameSubject, Vec<KeptRow>), HallError> {
    let mut all: Vec<StreamRow> = Vec::new();
    link.read(&place.event, &place.rows(), |row| row.map(|row| all.push(row)).is_some()).await?;
    let board = place.board;
    let game = all.last().map(|row| row.of.game).ok_or(HallError::NothingToTake { board })?;
    all.retain(|row| row.of.game == game);
    let copy = all.iter().map(|row| row.of.copy).max().unwrap_or(1);
    let rows = all.into_iter().filter(|row| row.of.copy == copy).map(|row| row.row).collect();
    Ok((GameSubject { board, game, copy }, rows))
}

/// Says whose board it is from now on.
async fn claim(link: &Link, place: &BoardPlace, owner: &str, before: u64) -> Result<(), HallError> {
    let mut headers = HeaderMap::new();
    headers.insert(NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, before.to_string().as_str());
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

/// The mark of who this board is, and its place in the stream; `None`: nobody has taken it over yet.
async fn owner_mark(
    stream: &Stream,
    place: &BoardPlace,
) -> Result<Option<(u64, String)>, HallError> {
    let mark = last_of(stream, &place.owner()).await?;
    Ok(mark.map(|mark| (mark.sequence, String::from_utf8_lossy(&mark.payload).into_owned())))
}

/// Refuses a journal that is not, or no longer, this board's.
pub(crate) async fn is_owner(
    stream: &Stream,
    place: &BoardPlace,
    journal: &Path,
) -> Result<(), HallError> {
    match owner_mark(stream, place).await? {
        Some((_, owner)) if !owns(journal, &owner) => {
            Err(HallError::TakenOver { board: place.board })
        }
        _ => Ok(()),
    }
}

/// Whether the mark means this journal.
pub(crate) fn owns(journal: &Path, owner: &str) -> bool {
    fs::read_to_string(owner_file(journal)).is_ok_and(|own| own.trim() == owner)
}
