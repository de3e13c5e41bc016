//! Reports of devices to the service only.

use std::{
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
};

use shakmaty::Color;
use tokio::sync::mpsc;

use super::{hall::PairedHere, play::since_boot_ms, watched::LoanAsked};
use annabella_core::game::Input;
use annabella_devices::{
    clock::{ClockError, ClockSeen, SetTo},
    sighted::Seen,
    voice::Pcm,
};
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
    /// Something is wrong; play goes on.
    Complaint(String),
    Ended,
}

/// A message and when it happened.
#[derive(Debug)]
pub struct Dated {
    /// Milliseconds since the machine was started: [`super::play::since_boot_ms`].
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

/// A device's way to the game. A message gets its moment on the thread that sends it, so it does not
/// matter how long it waits for the game.
#[derive(Debug)]
pub struct ToGame {
    to: mpsc::Sender<Dated>,
    source: Source,
}

/// The game is gone.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("the game is gone")]
pub struct Gone;

impl ToGame {
    /// A way, and its other end.
    pub fn open() -> (ToGame, mpsc::Receiver<Dated>) {
        let (to, inbox) = mpsc::channel(QUEUE);
        (ToGame { to, source: Source::another() }, inbox)
    }

    /// The way of another device to the same game.
    #[must_use]
    pub fn another(&self) -> ToGame {
        ToGame { to: self.to.clone(), source: Source::another() }
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
    ///
    /// # Errors
    /// [`Gone`].
    pub async fn send_of(&self, at_ms: u64, from: FromDevice) -> Result<(), Gone> {
        self.hand_on(self.dated(at_ms, from)).await
    }

    /// Sends another's message as it is.
    ///
    /// # Errors
    /// [`Gone`].
    pub async fn hand_on(&self, dated: Dated) -> Result<(), Gone> {
        self.to.send(dated).await.map_err(|_| Gone)
    }

    /// Sends from a thread that may wait.
    ///
    /// # Errors
    /// [`Gone`].
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
        WeakToGame { to: self.to.downgrade(), source: self.source }
    }
}

/// A way to a game that ends without it.
#[derive(Clone, Debug)]
pub struct WeakToGame {
    to: mpsc::WeakSender<Dated>,
    source: Source,
}

impl WeakToGame {
    /// The way, while the game is there.
    pub fn upgrade(&self) -> Option<ToGame> {
        Some(ToGame { to: self.to.upgrade()?, source: self.source })
    }
}

/// A report of a clock's thread.
#[derive(Debug)]
pub enum FromClock {
    Seen(ClockSeen),
    /// The clock was set, or not.
    Set {
        /// The outcome.
        result: Result<(), ClockError>,
        /// The times that it was set to, on its own clock.
        to: Option<SetTo>,
    },
    /// The clock shows its letters, or never will.
    Shown,
}

/// Inputs that may wait to be handled; a device that is faster waits itself.
pub const QUEUE: usize = 64;
