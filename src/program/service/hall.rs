//! The board's line to the hall, if the configuration wants one. The game never waits for it.

use std::{path::Path, sync::Arc};

use crate::config::{Config, HallSection};
use annabella_hall::{
    HallError,
    names::{BoardPlace, NoEventName},
    stream::Link,
    wire::{Wire, WireSettings},
};

/// The board's place in its event.
///
/// # Errors
///
/// [`NoEventName`], which a configuration that was read from a file no longer has.
pub fn place(section: &HallSection) -> Result<BoardPlace, NoEventName> {
    Ok(BoardPlace { event: section.event.parse()?, board: section.board })
}

/// Starts the line. `tell` gets a line when it is there, when it is lost, and why there is none.
pub fn join(config: &Config, tell: impl Fn(&str) + Send + Sync + 'static) -> Option<Wire> {
    let url = config.hall.url.clone()?;
    let tell = Arc::new(tell);
    let told = Arc::clone(&tell);
    let settings = |place| WireSettings {
        url,
        credentials: config.hall.credentials.clone(),
        place,
        journal: config.journal.path.clone(),
        tell: Arc::new(move |line| told(line)),
    };
    let started = place(&config.hall)
        .map_err(|err| err.to_string())
        .and_then(|place| Wire::start(settings(place)).map_err(|err| err.to_string()));
    started.inspect_err(|err| tell(&format!("hall: {err}; the game goes on without it"))).ok()
}

/// Looks whether the hall is there and takes this board's rows, for `doctor`. Answers one line.
///
/// # Errors
///
/// [`HallError`] with its remedy.
pub async fn look(url: &str, section: &HallSection) -> Result<String, HallError> {
    let credentials: Option<&Path> = section.credentials.as_deref();
    let (event, board) = (&section.event, section.board);
    let no_event = || HallError::NoEvent { url: url.to_owned(), event: event.clone() };
    let place = place(section).map_err(|_| no_event())?;
    let link = Link::open(url, credentials, "doctor").await?;
    link.event(&place.event).await?;
    Ok(format!("board {board} of {event} at {url}"))
}
