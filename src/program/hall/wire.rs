//! `annabella-hall wire`: a board's way to the hall, as a child of the service at the board; and
//! `annabella-hall look` for `annabella doctor`.

use std::{
    io::{BufRead as _, Read as _, Write},
    sync::Arc,
};

use annabella::{
    cli::{Exit, Failure},
    service::{hall::WireCall, streams::error_line},
};
use annabella_hall::{
    names::BoardPlace,
    stream::Link,
    wire::{Wire, WireSettings},
};

/// No call is longer, bytes.
const LONGEST_CALL: u64 = 64 * 1_024;

/// Sends until standard input is closed, which it is when the service has ended, however it did.
///
/// # Errors
///
/// [`Failure`] when the call cannot be read, or the system gives no thread.
pub(crate) fn run() -> Result<Exit, Failure> {
    let (call, place) = read()?;
    let settings = WireSettings {
        url: call.url,
        credentials: call.credentials,
        place,
        journal: call.journal,
        tell: Arc::new(error_line),
    };
    let wire = Wire::start(settings)
        .map_err(|err| Failure::device(format!("cannot start the board's line: {err}")))?;
    let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
    drop(wire);
    Ok(Exit::Done)
}

/// Looks whether the hall is there and takes this board's rows. Says so in one line.
///
/// # Errors
///
/// [`Failure`] with the remedy.
pub(crate) fn look(out: &mut dyn Write) -> Result<Exit, Failure> {
    let (call, place) = read()?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start: {err}")))?;
    runtime
        .block_on(async {
            let link = Link::open(&call.url, call.credentials.as_deref(), "doctor").await?;
            link.event(&place.event).await
        })
        .map_err(super::device)?;
    writeln!(out, "board {} of {} at {}", place.board, place.event, call.url)?;
    Ok(Exit::Done)
}

/// The call on standard input.
fn read() -> Result<(WireCall, BoardPlace), Failure> {
    let mut line = String::new();
    std::io::stdin()
        .lock()
        .take(LONGEST_CALL)
        .read_line(&mut line)
        .map_err(|err| Failure::usage(format!("cannot read standard input: {err}")))?;
    let call: WireCall = serde_json::from_str(&line).map_err(|err| {
        Failure::usage(format!("standard input is not what `annabella play` writes: {err}"))
    })?;
    let event = call.event.parse().map_err(|err| Failure::usage(format!("{err}")))?;
    let place = BoardPlace { event, board: call.board };
    Ok((call, place))
}
