//! Reports of devices to the service only.

use std::{
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    time::{Duration, Instant},
};

use serde::Deserialize;
use shakmaty::Color;
use tokio::sync::{mpsc, oneshot};

use super::moments::since_boot_ms;
use annabella_core::game::Input;
use annabella_devices::{
    board::scan::Lending,
    clock::{ClockError, ClockSeen, SetTo},
    sighted::Seen,
    voice::Pcm,
};
use annabella_threads::lock;
use annabella_words::phrase::hear::Heard;

/// A message from a device to the service.
#[derive(Debug)]
pub enum FromDevice {
    Input(Input),
    Heard {
        /// The owner of the microphone or key, where each player has his own.
        seat: Option<Color>,
        heard: Heard,
        /// The talk key was held.
        pushed: bool,
        sound: Pcm,
    },
    /// The sighted player's board saw something.
    Seen(Seen),
    /// The clock before the players reported something.
    Clock(FromClock),
    /// Somebody asks for something on a page.
    #[cfg(feature = "console")]
    Asked(annabella_console::Ask),
    /// Somebody beside the game wants a peg board for himself.
    Lend(LoanAsked),
    /// The peg board with this socket is the game's again.
    GivenBack(PathBuf),
    /// The hall says who is paired here.
    Paired(PairedHere),
    /// Somebody asks whether the loop takes its news. The inbox answers it.
    Pulse(Arc<AtomicBool>),
    /// Something is wrong; play goes on.
    Complaint(String),
    Ended,
}

/// Who is paired at a board, as the hall says it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct PairedHere {
    pub white: String,
    pub black: String,
    /// The time control, as in the configuration.
    pub time_control: Option<String>,
    /// The pack of White's prompts, if he plays on pegs.
    pub white_prompts: Option<String>,
    pub black_prompts: Option<String>,
}

/// Somebody wants a board for himself.
#[derive(Debug)]
pub struct LoanAsked {
    pub(super) path: PathBuf,
    pub(super) answer: oneshot::Sender<Result<LoanBegun, &'static str>>,
}

/// He gets it, until he hears why not any more.
#[derive(Debug)]
pub(super) struct LoanBegun {
    pub(super) device: Option<Lending>,
    pub(super) called_back: oneshot::Receiver<&'static str>,
}

impl LoanAsked {
    /// The socket of the board that is meant.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// A message and when it happened.
#[derive(Debug)]
pub struct Dated {
    /// Milliseconds since the machine was started: `CLOCK_BOOTTIME`.
    pub at_ms: u64,
    /// Whose it is. What one device sends stays in its order.
    pub source: Source,
    pub from: FromDevice,
}

/// A device that sends messages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source(usize);

impl Source {
    /// One more.
    pub fn another() -> Source {
        static NEXT: AtomicUsize = AtomicUsize::new(0);
        Source(NEXT.fetch_add(1, Ordering::Relaxed))
    }
}

/// Whether a board is not yet read up to this moment.
type Behind = Box<dyn Fn(Instant) -> bool + Send>;

/// The boards of a game, as far as they know how far they are read.
#[derive(Clone, Default)]
struct Boards(Arc<Mutex<Vec<Behind>>>);

impl std::fmt::Debug for Boards {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Boards").field(&lock(&self.0).len()).finish()
    }
}

/// Where the messages of a game's devices arrive.
#[derive(Debug)]
pub struct Inbox {
    news: mpsc::Receiver<Dated>,
    boards: Boards,
}

impl Inbox {
    /// The next message; `None` when no device is left.
    pub async fn recv(&mut self) -> Option<Dated> {
        loop {
            match self.news.recv().await? {
                Dated { from: FromDevice::Pulse(beats), .. } => {
                    beats.store(true, Ordering::Relaxed);
                }
                news => return Some(news),
            }
        }
    }

    /// The next message, if it is there.
    pub fn try_recv(&mut self) -> Option<Dated> {
        loop {
            match self.news.try_recv().ok()? {
                Dated { from: FromDevice::Pulse(beats), .. } => {
                    beats.store(true, Ordering::Relaxed);
                }
                news => return Some(news),
            }
        }
    }

    /// Whether a board is not read yet up to this moment, milliseconds since the machine was
    /// started.
    pub fn is_behind(&self, at_ms: u64) -> bool {
        let ago = Duration::from_millis(since_boot_ms().saturating_sub(at_ms));
        let moment = Instant::now().checked_sub(ago).unwrap_or_else(Instant::now);
        lock(&self.boards.0).iter().any(|behind| behind(moment))
    }

    /// Another inbox of the same boards, to which messages are handed on from this one.
    pub fn beside(&self) -> (ToGame, Inbox) {
        ToGame::of(self.boards.clone())
    }
}

/// A device's way to the game. A message gets its moment on the thread that sends it, so it does
/// not matter how long it waits for the game.
#[derive(Debug)]
pub struct ToGame {
    to: mpsc::Sender<Dated>,
    source: Source,
    boards: Boards,
}

/// The game is gone.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is gone")]
pub struct Gone;

impl ToGame {
    /// A way, and its other end.
    pub fn open() -> (ToGame, Inbox) {
        ToGame::of(Boards::default())
    }

    fn of(boards: Boards) -> (ToGame, Inbox) {
        let (to, news) = mpsc::channel(QUEUE);
        let inbox = Inbox { news, boards: boards.clone() };
        (ToGame { to, source: Source::another(), boards }, inbox)
    }

    /// No press is judged while this board is not read up to its moment.
    pub fn waits_for(&self, behind: impl Fn(Instant) -> bool + Send + 'static) {
        lock(&self.boards.0).push(Box::new(behind));
    }

    /// The way of another device to the same game.
    #[must_use]
    pub fn another(&self) -> ToGame {
        let (to, boards) = (self.to.clone(), self.boards.clone());
        ToGame { to, source: Source::another(), boards }
    }

    fn dated(&self, at_ms: u64, from: FromDevice) -> Dated {
        Dated { at_ms, source: self.source, from }
    }

    /// # Errors
    /// [`Gone`].
    pub async fn send(&self, from: FromDevice) -> Result<(), Gone> {
        self.send_of(since_boot_ms(), from).await
    }

    /// Sends what happened at a moment before this one.
    pub async fn send_of(&self, at_ms: u64, from: FromDevice) -> Result<(), Gone> {
        self.hand_on(self.dated(at_ms, from)).await
    }

    /// Sends another's message as it is.
    pub async fn hand_on(&self, dated: Dated) -> Result<(), Gone> {
        self.to.send(dated).await.map_err(|_| Gone)
    }

    /// Sends from a thread that may wait.
    pub fn blocking_send(&self, from: FromDevice) -> Result<(), Gone> {
        self.blocking_send_of(since_boot_ms(), from)
    }

    /// # Errors
    /// [`Gone`].
    pub fn blocking_send_of(&self, at_ms: u64, from: FromDevice) -> Result<(), Gone> {
        self.to.blocking_send(self.dated(at_ms, from)).map_err(|_| Gone)
    }

    /// Sends unless too much waits.
    ///
    /// # Errors
    /// [`Gone`], or no place.
    pub fn try_send(&self, from: FromDevice) -> Result<(), Gone> {
        self.to.try_send(self.dated(since_boot_ms(), from)).map_err(|_| Gone)
    }

    /// Whether the game is gone.
    pub fn is_closed(&self) -> bool {
        self.to.is_closed()
    }

    /// A way that does not keep the other end open.
    pub fn downgrade(&self) -> WeakToGame {
        let (source, boards) = (self.source, self.boards.clone());
        WeakToGame { to: self.to.downgrade(), source, boards }
    }
}

/// Asks a loop again and again whether it takes its news.
#[derive(Debug, Default)]
pub struct Pulse(Option<Arc<AtomicBool>>);

impl Pulse {
    /// Whether the loop has answered what it was asked last; then it is asked again. Where there is
    /// no loop now, none hangs.
    pub fn beats(&mut self, to_game: Option<&ToGame>) -> bool {
        let Some(to_game) = to_game else {
            self.0 = None;
            return true;
        };
        if self.0.as_ref().is_some_and(|beats| !beats.load(Ordering::Relaxed)) {
            return false;
        }
        let beats = Arc::new(AtomicBool::new(false));
        // A loop whose queue is full takes nothing either.
        let asked = to_game.try_send(FromDevice::Pulse(Arc::clone(&beats))).is_ok();
        self.0 = asked.then_some(beats);
        asked || to_game.is_closed()
    }
}

/// A way to a game that ends without it.
#[derive(Clone, Debug)]
pub struct WeakToGame {
    to: mpsc::WeakSender<Dated>,
    source: Source,
    boards: Boards,
}

impl WeakToGame {
    /// The way, while the game is there.
    pub fn upgrade(&self) -> Option<ToGame> {
        let (source, boards) = (self.source, self.boards.clone());
        Some(ToGame { to: self.to.upgrade()?, source, boards })
    }
}

/// A report of a clock's thread.
#[derive(Debug)]
pub enum FromClock {
    Seen(ClockSeen),
    /// The clock was set, or not.
    Set {
        result: Result<(), ClockError>,
        /// The times that it was set to, on its own clock.
        to: Option<SetTo>,
    },
    /// The clock shows its letters, or never will.
    Shown,
}

/// Inputs that may wait to be handled; a device that is faster waits itself.
pub const QUEUE: usize = 64;

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_loop_that_takes_nothing_has_no_pulse_until_it_does() {
        let (to_game, mut inbox) = ToGame::open();
        let mut pulse = Pulse::default();
        assert!(pulse.beats(Some(&to_game)), "it was asked for the first time");
        assert!(!pulse.beats(Some(&to_game)) && !pulse.beats(Some(&to_game)), "it hangs");
        to_game.try_send(FromDevice::Complaint("a line".to_owned())).expect("a place");
        let next = inbox.recv().await.expect("news");
        assert!(matches!(next.from, FromDevice::Complaint(_)), "{next:?}");
        assert!(pulse.beats(Some(&to_game)), "it has answered, and is asked again");
        while to_game.try_send(FromDevice::Ended).is_ok() {}
        assert!(!pulse.beats(Some(&to_game)), "its queue is full");
        while inbox.try_recv().is_some() {}
        assert!(pulse.beats(Some(&to_game)));
        // Between two games nobody is asked, and nobody hangs.
        assert!(pulse.beats(None));
        drop(inbox);
        assert!(pulse.beats(Some(&to_game)));
    }
}
