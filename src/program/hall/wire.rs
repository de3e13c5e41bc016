//! `annabella-hall wire`: a board's way to the hall, as a child of the service at the board; and
//! `annabella-hall look` for `annabella doctor`.

use std::{
    io::{BufRead as _, Read as _, Write},
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use annabella::{
    cli::{Exit, Failure},
    service::{
        hall::{TAKEN_OVER, WireCall, WireDoor},
        streams::{error_line, in_own_language},
    },
};
use annabella_core::lobby::NotTaken;
use annabella_hall::{
    HallError,
    names::BoardPlace,
    pairing,
    settings::BoardDoor,
    settings::WireSettings,
    stream::Link,
    takeover::{is_here, take_over},
    wire::Wire,
};
use tokio::sync::{oneshot, watch};

/// So long a game's begin waits for its names.
const SOON: Duration = Duration::from_secs(3);
/// No call is longer, bytes.
const LONGEST_CALL: u64 = 64 * 1_024;

/// Sends until standard input is closed, which it is when the service has ended, however it did.
/// Whatever comes there says that its loop lives.
///
/// # Errors
/// [`Failure`] when the call cannot be read, or the system gives no thread.
pub(crate) fn run(out: &mut dyn Write) -> Result<Exit, Failure> {
    let (call, place) = read()?;
    let (beats, alive) = watch::channel(Instant::now());
    let settings = WireSettings {
        url: call.url,
        credentials: call.credentials,
        place,
        journal: call.journal,
        door: call.door.map(|WireDoor { address, secret }| BoardDoor { address, secret }),
        alive: Some(alive),
        tell: Arc::new(|line| error_line(&in_own_language(line))),
    };
    let wire = Wire::start(settings)
        .map_err(|err| Failure::device(format!("cannot start the board's line: {err}")))?;
    let (ended, end) = oneshot::channel();
    std::thread::spawn(move || {
        let mut beat = [0; 64];
        while let Ok(1..) = std::io::stdin().lock().read(&mut beat) {
            beats.send_replace(Instant::now());
        }
        // The service has ended, and nobody may wait for it any more.
        let _ = ended.send(());
    });
    runtime()?.block_on(async {
        tokio::select! {
            _ = end => {}
            () = async { tell_news(&wire, out).await; std::future::pending().await } => {}
        }
    });
    drop(wire);
    Ok(Exit::Done)
}

/// The service hears when another board has taken this one's place, once each time, and who is
/// paired here.
async fn tell_news(wire: &Wire, out: &mut dyn Write) {
    let (mut state, mut pairing) = (wire.state(), wire.pairing());
    let mut fenced = false;
    loop {
        let line = tokio::select! {
            changed = state.changed() => {
                let Ok(()) = changed else { return };
                let now = state.borrow_and_update().taken_over;
                let before = std::mem::replace(&mut fenced, now);
                (now && !before).then(|| TAKEN_OVER.to_owned())
            }
            changed = pairing.changed() => {
                let Ok(()) = changed else { return };
                pairing.borrow_and_update().as_ref().map(|pair| serde_json::json!(pair).to_string())
            }
        };
        let told = line.map_or(Ok(()), |line| writeln!(out, "{line}").and_then(|()| out.flush()));
        // A service that has ended needs no news.
        if told.is_err() {
            return;
        }
    }
}

/// Takes the place of a board: fetches its last game. Writes the journal that has it, or why it
/// could not.
///
/// # Errors
/// [`Failure`] with the remedy.
pub(crate) fn fetch(out: &mut dyn Write) -> Result<Exit, Failure> {
    let (call, place) = read()?;
    let folder = call.journal.parent().unwrap_or_else(|| Path::new(""));
    let taken = runtime()?.block_on(async {
        let link = Link::open(&call.url, call.credentials.as_deref(), "takeover").await?;
        if call.silent && is_here(&link, &place).await? {
            return Err(HallError::StillHere { board: place.board });
        }
        take_over(&link, &place, folder).await
    });
    match taken {
        Ok(taken) => {
            writeln!(out, "{}", taken.journal.display())?;
            Ok(Exit::Done)
        }
        Err(err) => {
            let why = match &err {
                HallError::NothingToTake { .. } => NotTaken::NothingThere,
                HallError::StillHere { .. } => NotTaken::StillPlays,
                HallError::Unreachable { .. } | HallError::Lost(_) | HallError::NoEvent { .. } => {
                    NotTaken::NoHall
                }
                _ => NotTaken::Failed,
            };
            writeln!(out, "{}", serde_json::json!(why))?;
            Err(Failure::device(err))
        }
    }
}

/// Says who is paired at a board, in one line of JSON: `null` if nobody is.
///
/// # Errors
/// [`Failure`] when the hall does not answer soon: players wait for it.
pub(crate) fn pairing(out: &mut dyn Write) -> Result<Exit, Failure> {
    let (call, place) = read()?;
    let asked = async {
        let link = Link::open(&call.url, call.credentials.as_deref(), "pairing").await?;
        pairing::at(&link, &place).await
    };
    let pair = runtime()?.block_on(async { tokio::time::timeout(SOON, asked).await });
    let pair = pair.map_err(|_| Failure::device("the hall does not answer soon"))?;
    writeln!(out, "{}", serde_json::json!(pair.map_err(Failure::device)?))?;
    Ok(Exit::Done)
}

pub(super) fn runtime() -> Result<tokio::runtime::Runtime, Failure> {
    tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start: {err}")))
}

/// Looks whether the hall is there and takes this board's rows. Says so in one line.
///
/// # Errors
/// [`Failure`] with the remedy.
pub(crate) fn look(out: &mut dyn Write) -> Result<Exit, Failure> {
    let (call, place) = read()?;
    runtime()?
        .block_on(async {
            let link = Link::open(&call.url, call.credentials.as_deref(), "doctor").await?;
            link.event(&place.event).await?;
            link.has_room(place.room()).await
        })
        .map_err(Failure::device)?;
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
