//! Rows that may take for ever, carried out for so long as a row of a game can take.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
    time::Duration,
};

use annabella_core::game::{At, Game, Input, Output};

/// How long such a row is waited for: a thousand times what one takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a row came to.
pub(crate) enum Took {
    Nothing,
    Row,
    /// It takes so long that nothing more is taken of its board.
    TooLong,
}

/// Does what may take for ever on a thread of its own, and waits only so long for it. Nobody can
/// stop a thread: whoever asked for that is to be shut out.
fn patiently<T: Send + 'static>(
    patience: Duration,
    does: impl FnOnce() -> T + Send + 'static,
) -> Option<T> {
    let (done, waits) = mpsc::sync_channel(1);
    let began = thread::Builder::new().name("row".to_owned()).spawn(move || {
        // Nobody may wait any more.
        let _ = done.send(does());
    });
    began.ok().and_then(|_| waits.recv_timeout(patience).ok())
}

/// Carries a row out, on a thread of its own where it may take long. What one board sends ends
/// nobody else's page, whatever it is: neither by a panic nor by taking for ever.
pub(crate) fn handled(
    game: &mut Game,
    at: At,
    input: Input,
    strange: bool,
) -> Result<Vec<Output>, (Took, &'static str)> {
    let mut own = std::mem::take(game);
    let handle = move || {
        let handled = catch_unwind(AssertUnwindSafe(|| own.handle(at, input)));
        (own, handled)
    };
    let done = if strange { patiently(PATIENCE, handle) } else { Some(handle()) };
    let too_long = || (Took::TooLong, "takes longer than a row of a game does");
    let (own, handled) = done.ok_or_else(too_long)?;
    let outputs = handled.map_err(|_| (Took::Row, "is a fault of this program"))?;
    *game = own;
    Ok(outputs.unwrap_or_else(|refused| refused.meanwhile))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_that_never_ends_is_not_waited_for() {
        let (keep, forever) = mpsc::channel::<()>();
        assert_eq!(patiently(Duration::from_millis(1), move || forever.recv()), None);
        drop(keep);
        assert_eq!(patiently(PATIENCE, || 7), Some(7));
    }
}
