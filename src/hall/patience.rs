//! Rows that may take for ever, carried out for so long as a row of a game can take.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::mpsc,
    thread,
    time::Duration,
};

use annabella_core::game::{At, Game, Input, Output, Refused};

/// How long such a row is waited for: a thousand times what one takes on a slow machine.
const PATIENCE: Duration = Duration::from_secs(10);

/// What a row came to.
pub(crate) enum Took {
    Nothing,
    Row,
    /// It takes so long that nothing more is taken of its board.
    TooLong,
}

type Job = Box<dyn FnOnce() + Send>;

/// Does what may take for ever on a thread beside, and waits only so long for it. Nobody can stop a
/// thread. One that is not done in time is left alone, and another takes its place: whoever asked
/// for that is to be shut out.
///
/// It is one thread as long as it can be, since the words of packs are kept by the thread that has
/// read them: of a hundred boards with the same packs they are in memory once.
#[derive(Debug, Default)]
pub(crate) struct Patience {
    thread: Option<mpsc::Sender<Job>>,
}

impl Patience {
    fn wait<T: Send + 'static>(
        &mut self,
        patience: Duration,
        does: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let (done, waits) = mpsc::sync_channel(1);
        let job: Job = Box::new(move || {
            // Nobody may wait any more.
            let _ = done.send(does());
        });
        let thread = self.thread.take().or_else(begun)?;
        thread.send(job).ok()?;
        let done = waits.recv_timeout(patience).ok()?;
        self.thread = Some(thread);
        Some(done)
    }

    /// Carries a row out, beside where it may take long. What one board sends ends nobody else's
    /// page, whatever it is: neither by a panic nor by taking for ever.
    pub(crate) fn handled(
        &mut self,
        game: &mut Game,
        at: At,
        input: Input,
        strange: bool,
    ) -> Result<Result<Vec<Output>, Refused>, (Took, &'static str)> {
        let mut own = std::mem::take(game);
        let handle = move || {
            let handled = catch_unwind(AssertUnwindSafe(|| own.handle(at, input)));
            (own, handled)
        };
        let done = if strange { self.wait(PATIENCE, handle) } else { Some(handle()) };
        let too_long = || (Took::TooLong, "takes longer than a row of a game does");
        let (own, handled) = done.ok_or_else(too_long)?;
        let handled = handled.map_err(|_| (Took::Row, "is a fault of this program"))?;
        *game = own;
        Ok(handled)
    }
}

/// A thread that does one job after another until nobody has any more.
fn begun() -> Option<mpsc::Sender<Job>> {
    let (thread, jobs) = mpsc::channel::<Job>();
    let began = thread::Builder::new().name("row".to_owned()).spawn(move || {
        jobs.into_iter().for_each(|job| job());
    });
    began.ok().map(|_| thread)
}

#[cfg(test)]
mod tests {
    use annabella_core::game::{GameConfig, Learnt, Started};
    use annabella_words::phrase::pack;

    use super::*;

    #[test]
    fn a_row_that_never_ends_is_not_waited_for() {
        let (mut patience, here) = (Patience::default(), || thread::current().id());
        let (keep, forever) = mpsc::channel::<()>();
        assert_eq!(patience.wait(Duration::from_millis(1), move || forever.recv()), None);
        let after = patience.wait(PATIENCE, here);
        assert!(after.is_some());
        assert_eq!(patience.wait(PATIENCE, here), after, "what it has read is read once");
        drop(keep);
    }

    /// They are two megabytes, and a hall has hundreds of boards.
    #[test]
    fn games_with_the_same_packs_have_their_words_once() {
        let mut patience = Patience::default();
        let mut begun = || {
            let text = |name| pack::builtin(name).expect("built in").to_owned();
            let started = Started {
                config: GameConfig::default(),
                packs: vec![text("fide"), text("de")],
                confusions: Learnt::default(),
                build: "test".to_owned(),
                unix_s: 0,
            };
            let (mut game, input) = (Game::default(), Input::Started(Box::new(started)));
            assert!(patience.handled(&mut game, At::new(0), input, true).is_ok());
            game
        };
        let (one, other) = (begun(), begun());
        let moves = |game: &Game| std::ptr::from_ref(game.packs().expect("words").moves());
        assert_eq!(moves(&one), moves(&other));
    }
}
