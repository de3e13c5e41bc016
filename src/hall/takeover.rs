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
    time::Duration,
};

use async_nats::{
    HeaderMap, header::NATS_EXPECTED_LAST_SUBJECT_SEQUENCE, jetstream::context::PublishErrorKind,
};

use crate::{
    HallError,
    floor::{Floor, NeedKind},
    names::BoardPlace,
    role::KeyRole,
    stream::{Link, SIGN, StreamRow, last_of, lost},
    trust::{SIGNED, owner_text},
};
use annabella_core::game::Input;
use annabella_records::{
    journal::{GameId, Journal, KeptRow},
    whole,
};

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

/// Takes the board's place: its last game comes into a new journal in this folder. Nobody is shut
/// out before it is there.
///
/// # Errors
/// [`HallError::NothingToTake`], [`HallError::Unfetched`], and as [`Link::read`]. Nothing is
/// changed then, but that an answer of the server may have been lost.
pub async fn take_over(
    link: &Link,
    place: &BoardPlace,
    folder: &Path,
) -> Result<TakenGame, HallError> {
    link.has_event(&place.event).await?;
    let before = last_of(link, &place.event, &place.owner()).await?;
    let before = before.map_or(0, |mark| mark.sequence);
    let owner = nkeys::KeyPair::new_user().public_key();
    let rows = last_game(link, place).await?;
    let taken = keep(place, folder, &owner, "", &rows)?;
    if let Err(err) = claim(link, place, &owner, before).await {
        // Another has taken it: what was kept is nobody's journal.
        if matches!(err, HallError::Unfetched { .. }) {
            forget(&taken.journal);
        }
        return Err(err);
    }
    // The other one is silent from here on. What it sent while all that was kept comes along, if
    // that can be: the spare has its place by now.
    let after = last_game(link, place).await.ok().filter(|after| *after != rows);
    let later = after.and_then(|after| keep(place, folder, &owner, "-", &after).ok());
    let Some(later) = later else { return Ok(taken) };
    forget(&taken.journal);
    Ok(later)
}

/// Writes a game into a new journal of the owner with this name, or nothing.
fn keep(
    place: &BoardPlace,
    folder: &Path,
    owner: &str,
    more: &str,
    rows: &[StreamRow],
) -> Result<TakenGame, HallError> {
    let BoardPlace { event, board } = place;
    let game = rows.first().map(|row| row.of.game);
    let game = game.ok_or(HallError::NothingToTake { board: *board })?;
    let journal =
        folder.join(format!("{event}-board-{board}-{}{more}.db", &owner[owner.len() - 8..]));
    let own: Vec<KeptRow> = rows.iter().map(|row| row.row.clone()).collect();
    let file = owner_file(&journal);
    let kept = Journal::open(&journal).map_err(HallError::from).and_then(|mut kept| {
        kept.adopt(game, &own)?;
        whole::write(&file, owner, None).map_err(|err| unfetched(place, &file, &err))
    });
    if let Err(err) = kept {
        forget(&journal);
        return Err(err);
    }
    Ok(TakenGame { game, rows: rows.len(), journal })
}

/// Removes a journal that nobody plays from, with everything beside it.
fn forget(journal: &Path) {
    let (Some(folder), Some(stem)) = (journal.parent(), journal.file_stem()) else { return };
    let stem = format!("{}.", stem.to_string_lossy());
    for file in fs::read_dir(folder).into_iter().flatten().flatten() {
        if file.file_name().to_string_lossy().starts_with(&stem) {
            // What cannot be removed is in nobody's way: each takeover has a name of its own.
            let _ = fs::remove_file(file.path());
        }
    }
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
/// copy. What is no game is passed over, whoever has signed it.
///
/// # Errors
/// When its rows cannot be followed to their end: the spare's service replays them, at each start.
async fn last_game(link: &Link, place: &BoardPlace) -> Result<Vec<StreamRow>, HallError> {
    let mut all: Vec<StreamRow> = Vec::new();
    link.read(&place.event, &place.rows(), |row| row.map(|row| all.push(row)).is_some()).await?;
    let board = place.board;
    while let Some(last) = all.last() {
        let game = last.of.game;
        let (mut rows, others) = all.into_iter().partition(|row| row.of.game == game);
        all = others;
        let copy = rows.iter().map(|row: &StreamRow| row.of.copy).max();
        rows.retain(|row| Some(row.of.copy) == copy);
        match is_played(&rows) {
            Ok(true) => return Ok(rows),
            Ok(false) => {}
            Err(reason) => return Err(HallError::Unfetched { board, reason }),
        }
    }
    Err(HallError::NothingToTake { board })
}

/// Whether these rows are a game.
///
/// # Errors
/// One line when they are and cannot be followed.
fn is_played(rows: &[StreamRow]) -> Result<bool, String> {
    let Some(first) = rows.first() else { return Ok(false) };
    let mut floor = Floor::new();
    rows.iter().for_each(|row| floor.row(row, 0));
    floor.catch_up(Duration::MAX);
    if !floor.stuck().is_empty() {
        return Err("a row of its game takes longer than any of a game".to_owned());
    }
    let stands = floor.stands(0);
    let of = stands.first().filter(|stands| stands.board == first.of.board);
    let why = of.into_iter().flat_map(|stands| &stands.needs).find_map(|need| match &need.kind {
        NeedKind::Unreadable(why) => Some(why.clone()),
        _ => None,
    });
    let played = of.is_some_and(|stands| stands.game.is_some());
    // One of a later version may begin otherwise.
    let begins = || first.row.number == 1 && first.row.json.starts_with("{\"started\"");
    let read = || serde_json::from_str::<Input>(&first.row.json).is_ok();
    match why {
        Some(why) if played || begins() && !read() => Err(why),
        _ => Ok(played),
    }
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
