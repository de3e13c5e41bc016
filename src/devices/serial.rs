//! Lines to devices at a port: opened, kept open, found again.
//!
//! The thread has the port to itself. It opens it, hands what comes to its [`Talk`], and writes
//! what that wants to say. When the cable is pulled or the device goes silent it opens the port
//! again with growing pauses; the [`Finder`] says which port that is.

pub mod bluetooth;
#[cfg(feature = "bluetooth")]
pub mod gatt;

mod finder;
mod port;

pub use finder::{ANY, CHESSNUT_USB, DGT_USB, Finder, Kind, SERIAL_FILES};
pub use port::{PortError, open_port};

use std::{
    io::{self, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    path::Path,
    sync::{Arc, Weak},
    thread,
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use port::Port;

use annabella_threads::{Backoff, lock, millis};

/// First and longest pause before a lost line is opened again.
const RETRY: Backoff = Backoff::new(Duration::from_millis(250), Duration::from_secs(4));

/// Something that happened, and when by the machine's monotonic clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed<T> {
    /// When it was read from the line.
    pub at: Instant,
    pub what: T,
}

/// What a conversation does next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    Say(Vec<u8>),
    /// Nothing to say now.
    Wait,
    /// The device does not answer: the line is to be closed and opened again.
    Silent,
}

/// What the thread of a line does with it. Times are milliseconds since the line was begun.
pub trait Talk: Send + 'static {
    /// The port has just been opened.
    fn opened(&mut self, now_ms: u64);

    /// The port was lost, or could not be opened. `news`: this was not told before.
    fn closed(&mut self, why: &str, news: bool);

    /// The device has answered since the port was opened.
    fn is_ready(&self) -> bool;

    /// Takes in what was ordered meanwhile.
    fn take_orders(&mut self, now_ms: u64);

    /// Takes in bytes as one read gave them.
    fn read(&mut self, now_ms: u64, bytes: &[u8]);

    /// What is said now; asked after each read, and at [`Talk::due_ms`].
    fn next(&mut self, now_ms: u64) -> Next;

    /// The latest moment for the next question.
    fn due_ms(&self) -> u64;
}

/// The hold on a line's thread, which ends with the last of them.
#[derive(Clone, Debug)]
pub struct Hold(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    /// A byte into it wakes the thread.
    bell: UnixStream,
    thread: std::sync::Mutex<Option<thread::JoinHandle<()>>>,
}

impl Hold {
    /// Wakes the thread: there is an order.
    pub fn ring(&self) {
        self.0.ring();
    }
}

impl Shared {
    fn ring(&self) {
        // A bell that is full has been rung already.
        let _ = (&self.bell).write(&[0]);
    }
}

impl Drop for Shared {
    fn drop(&mut self) {
        self.ring();
        let thread = self.thread.get_mut().map(Option::take);
        if let Ok(Some(thread)) = thread {
            // A thread that panicked has said so on standard error already.
            let _ = thread.join();
        }
    }
}

/// Opens a line and keeps it open on a thread of its own, while the hold lasts.
///
/// # Errors
/// When the system gives no thread or no pipe.
pub fn keep_open(finder: Finder, talk: impl Talk) -> io::Result<Hold> {
    let (bell, woken) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    woken.set_nonblocking(true)?;
    let shared = Arc::new(Shared { bell, thread: None.into() });
    let mut line = Line {
        finder,
        talk,
        began: Instant::now(),
        held: Held { woken, shared: Arc::downgrade(&shared) },
        reported: None,
        refused: None,
    };
    let thread = thread::Builder::new().name("serial".to_owned()).spawn(move || line.run())?;
    *lock(&shared.thread) = Some(thread);
    Ok(Hold(shared))
}

/// The thread's end of the hold.
#[derive(Debug)]
struct Held {
    /// Rung for an order, and when the last hold is gone.
    woken: UnixStream,
    shared: Weak<Shared>,
}

impl Held {
    fn let_go(&self) -> bool {
        self.shared.strong_count() == 0
    }

    fn drain_bell(&self) {
        let mut rung = [0; 64];
        while matches!((&self.woken).read(&mut rung), Ok(length) if length > 0) {}
    }
}

struct Line<T> {
    finder: Finder,
    talk: T,
    began: Instant,
    held: Held,
    /// The trouble last reported.
    reported: Option<PortError>,
    /// Of a round of any ports: what a person can mend at one of them.
    refused: Option<PortError>,
}

impl<T: Talk> Line<T> {
    fn now_ms(&self) -> u64 {
        millis(self.began.elapsed())
    }

    fn stopped(&self) -> bool {
        self.held.let_go()
    }

    fn run(&mut self) {
        let mut backoff = RETRY;
        while !self.stopped() {
            let Some(port) = self.finder.next_port() else {
                self.round_is_over();
                self.sleep(backoff.pause());
                continue;
            };
            let (error, was_ready) = match Port::open(&port, &self.finder, &self.held) {
                Ok(open) => {
                    self.talk.opened(self.now_ms());
                    let error = self.talk(&port, open);
                    (error, self.talk.is_ready())
                }
                Err(error) => (error, false),
            };
            if self.stopped() {
                return;
            }
            if was_ready {
                backoff.reset();
                self.reported = None;
            }
            self.lose(&port, error, was_ready);
        }
    }

    /// A port that is named is reported at once, of any ports only what they come to.
    fn lose(&mut self, port: &Path, error: PortError, was_ready: bool) {
        if was_ready || self.finder.named() == Some(port) {
            self.report(error);
        } else if matches!(error, PortError::Forbidden { .. }) {
            self.refused = Some(error);
        }
    }

    fn round_is_over(&mut self) {
        let refused = self.refused.take();
        if self.finder.named().is_none() && !self.talk.is_ready() {
            let nowhere = PortError::Nowhere { device: self.finder.kind().name };
            self.report(refused.unwrap_or(nowhere));
        }
    }

    fn report(&mut self, error: PortError) {
        // Once a line is lost its device file goes too, which is no news.
        let news = match (&self.reported, &error) {
            (Some(reported), now) if reported.is_loss() && now.is_absence() => false,
            (reported, error) => reported.as_ref() != Some(error),
        };
        self.talk.closed(&error.to_string(), news);
        if news {
            self.reported = Some(error);
        }
    }

    /// Waits. A stop ends the wait at once.
    fn sleep(&mut self, pause: Duration) {
        let until_ms = self.now_ms() + millis(pause);
        while !self.stopped() && self.now_ms() < until_ms {
            let _ = wait(&[self.held.woken.as_fd()], until_ms - self.now_ms().min(until_ms));
            self.held.drain_bell();
            self.talk.take_orders(self.now_ms());
        }
    }

    /// Talks until something is wrong with the line.
    fn talk(&mut self, port: &Path, mut open: Port) -> PortError {
        let name = port.display().to_string();
        let silent = PortError::Silent { device: self.finder.kind().name, port: name };
        let mut buffer = [0; 512];
        let mut known = false;
        loop {
            loop {
                // While something was said the bell may have been heard.
                if self.stopped() {
                    return silent;
                }
                self.talk.take_orders(self.now_ms());
                match self.talk.next(self.now_ms()) {
                    Next::Wait => break,
                    Next::Silent => return silent,
                    Next::Say(bytes) => {
                        if let Err(err) = open.write_all(&bytes, &self.held) {
                            return open.failed(port, &err);
                        }
                    }
                }
            }
            let patience_ms = self.talk.due_ms().saturating_sub(self.now_ms()).max(1);
            if let Err(err) = wait(&[open.as_fd(), self.held.woken.as_fd()], patience_ms) {
                return open.failed(port, &err);
            }
            self.held.drain_bell();
            match open.read(&mut buffer) {
                Ok(0) => return open.failed(port, &io::Error::other("the line was closed")),
                Ok(length) => self.talk.read(self.now_ms(), &buffer[..length]),
                Err(err)
                    if matches!(
                        err.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) => {}
                Err(err) => return open.failed(port, &err),
            }
            if !known && self.talk.is_ready() {
                known = true;
                self.finder.answers(port);
                if let Some(address) = open.address() {
                    self.finder.answers_from(address);
                }
            }
        }
    }
}

fn wait(ends: &[BorrowedFd<'_>], patience_ms: u64) -> io::Result<()> {
    let mut polled: Vec<PollFd<'_>> =
        ends.iter().map(|end| PollFd::from_borrowed_fd(*end, PollFlags::IN)).collect();
    let patience_ms = patience_ms.min(60_000);
    let timeout = Timespec {
        tv_sec: (patience_ms / 1000) as i64,
        // Below a second.
        tv_nsec: (patience_ms % 1000 * 1_000_000) as _,
    };
    match poll(&mut polled, Some(&timeout)) {
        Err(rustix::io::Errno::INTR) | Ok(_) => Ok(()),
        Err(err) => Err(err.into()),
    }
}
