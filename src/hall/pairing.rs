//! Who is paired at which board, kept for the boards: the last word about each is asked for by its
//! subject.

use crate::{
    HallError,
    names::{BoardPlace, EventName},
    round::Pair,
    stream::{Link, last_of, lost},
};

/// No pairing of a board is longer, bytes.
const LONGEST_PAIRING: usize = 4 * 1_024;

/// Gives the boards of an event these pairings, and none but these.
///
/// # Errors
/// [`HallError::Lost`] with the server's message.
pub async fn publish(link: &Link, event: &EventName, pairs: &[Pair]) -> Result<(), HallError> {
    let stream = link.event(event).await?;
    // What was said about another round counts no more.
    stream.purge().filter(event.pairing("*")).await.map_err(|err| lost(&err))?;
    let context = link.context();
    for pair in pairs {
        let text = serde_json::json!(pair).to_string();
        let published =
            async { context.publish(event.pairing(pair.board), text.into()).await?.await };
        published.await.map_err(|err| lost(&err))?;
    }
    Ok(())
}

/// Who is paired at this board; `None`: nobody is, or the hall has no pairings.
///
/// # Errors
/// [`HallError::Foreign`] for anything that is no pairing, [`HallError::Lost`].
pub async fn at(link: &Link, place: &BoardPlace) -> Result<Option<Pair>, HallError> {
    let event = &place.event;
    let subject = event.pairing(place.board);
    link.has_event(event).await?;
    let Some(message) = last_of(link, event, &subject).await? else { return Ok(None) };
    read(place, &subject, &message.payload)
}

/// The pairing in a message, if it is this board's.
pub(crate) fn read(
    place: &BoardPlace,
    subject: &str,
    payload: &[u8],
) -> Result<Option<Pair>, HallError> {
    let foreign = |reason: &str| HallError::Foreign {
        subject: subject.to_owned(),
        reason: reason.to_owned(),
    };
    if payload.len() > LONGEST_PAIRING {
        return Err(foreign("it is too long"));
    }
    let pair: Pair = serde_json::from_slice(payload).map_err(|_| foreign("no pairing"))?;
    Ok(Some(pair).filter(|pair| pair.board == place.board))
}
