//! One serial line with two devices: the board's end and the clock's end.
//!
//! A thread owns the port. It opens it, greets the board and sorts the messages. When the cable was
//! pulled or the board went silent, it reopens the port with growing pauses. Both ends get their
//! events through bounded queues. A slow reader loses the newest events; then the thread requests a
//! dump, so that the reader gets the whole board.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::{fs::OpenOptionsExt, net::UnixStream},
    },
    path::{Path, PathBuf},
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::OFlags,
    termios::{OptionalActions, isatty, tcgetattr, tcsetattr},
};
use thiserror::Error;

use super::{
    codec::{ClockCommand, Facing},
    session::{BoardEvent, ClockEvent, DgtEvent, DgtSession},
};
use annabella_threads::Backoff;

/// Baud. Source: the e-board's protocol.
const BAUD: u32 = 9600;
/// Events that may wait at each end: at least a minute of a busy board.
const QUEUE: usize = 1024;
/// First and longest pause before a lost line is opened again.
const RETRY: Backoff = Backoff::new(Duration::from_millis(250), Duration::from_secs(4));

/// The reason why no board is on a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    #[error("{port} is not there: plug in the board's cable, or name its port in [sighted] port")]
    Missing {
        /// The device file.
        port: String,
    },
    #[error("cannot open {port}: add the user to group dialout and log in again")]
    Forbidden {
        /// The device file.
        port: String,
    },
    #[error("{port} is no serial port: name the board's in [sighted] port, such as /dev/ttyACM0")]
    NoTerminal { port: String },
    #[error("{port} is used by another program: end that first")]
    Busy {
        /// The device file.
        port: String,
    },
    #[error("no DGT board answers at {port}: is it the right port, and the board switched on?")]
    Silent {
        /// The device file.
        port: String,
    },
    #[error("lost {port} ({reason}): plug the board in again")]
    Failed {
        /// The device file.
        port: String,
        reason: String,
    },
}

/// Something that happened, and when by the machine's monotonic clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timed<T> {
    /// When it was read from the line.
    pub at: Instant,
    pub what: T,
}

/// The board's end of a line.
#[derive(Debug)]
pub struct BoardEnd {
    events: mpsc::Receiver<Timed<BoardEvent>>,
    to_line: ToLine,
}

/// The clock's end of a line.
#[derive(Debug)]
pub struct ClockEnd {
    events: mpsc::Receiver<Timed<ClockEvent>>,
    to_line: ToLine,
    numbers: u32,
}

#[derive(Debug)]
enum Ask {
    Look,
    Command(u32, ClockCommand),
}

/// The way to the thread, held by both ends. The thread ends with the last of them.
#[derive(Debug, Clone)]
struct ToLine {
    asks: mpsc::SyncSender<Ask>,
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    /// A byte into it wakes the thread.
    bell: UnixStream,
    thread: std::sync::Mutex<Option<thread::JoinHandle<()>>>,
    /// Which way round the board lies, once that is known: the clock's sides go by it.
    facing: std::sync::Mutex<Option<Facing>>,
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

/// Opens the line at `port` and keeps it open while one of the ends is held. A missing port is
/// reported as [`BoardEvent::Lost`], once, and tried again.
///
/// # Errors
/// When the system gives no thread or no pipe.
pub fn open(port: &Path) -> io::Result<(BoardEnd, ClockEnd)> {
    let (bell, woken) = UnixStream::pair()?;
    bell.set_nonblocking(true)?;
    woken.set_nonblocking(true)?;
    let (asks, asked) = mpsc::sync_channel(QUEUE);
    let (to_board, board_events) = mpsc::sync_channel(QUEUE);
    let (to_clock, clock_events) = mpsc::sync_channel(QUEUE);
    let shared = Arc::new(Shared { bell, thread: None.into(), facing: None.into() });
    let mut line = Line {
        port: port.to_owned(),
        session: DgtSession::new(0),
        began: Instant::now(),
        woken,
        asked,
        to_board,
        to_clock,
        shared: Arc::downgrade(&shared),
        missed: false,
        reported: None,
    };
    let thread = thread::Builder::new().name("dgt".to_owned()).spawn(move || line.run())?;
    if let Ok(mut place) = shared.thread.lock() {
        *place = Some(thread);
    }
    let to_line = ToLine { asks, shared };
    Ok((
        BoardEnd { events: board_events, to_line: to_line.clone() },
        ClockEnd { events: clock_events, to_line, numbers: 0 },
    ))
}

impl ToLine {
    fn ask(&self, ask: Ask) {
        // The queue is longer than anything that makes sense to ask before the line answers.
        let _ = self.asks.try_send(ask);
        self.shared.ring();
    }
}

impl BoardEnd {
    /// Waits for the next event, at most `patience`.
    pub fn next(&mut self, patience: Duration) -> Option<Timed<BoardEvent>> {
        wait_for(&self.events, patience)
    }

    /// Asks for all fields.
    pub fn look(&self) {
        self.to_line.ask(Ask::Look);
    }

    /// The board was found to lie this way round; the clock's end wants to know.
    pub fn lies(&self, facing: Facing) {
        if let Ok(mut place) = self.to_line.shared.facing.lock() {
            *place = Some(facing);
        }
    }
}

impl ClockEnd {
    /// Waits for the next event, at most `patience`.
    pub fn next(&mut self, patience: Duration) -> Option<Timed<ClockEvent>> {
        wait_for(&self.events, patience)
    }

    /// Which way round the board lies, once its end has found out.
    pub fn facing(&self) -> Option<Facing> {
        self.to_line.shared.facing.lock().ok().and_then(|facing| *facing)
    }

    /// Has the clock do something; its answer carries the number given back.
    pub fn command(&mut self, command: ClockCommand) -> u32 {
        self.numbers = self.numbers.wrapping_add(1);
        self.to_line.ask(Ask::Command(self.numbers, command));
        self.numbers
    }
}

fn wait_for<T>(events: &mpsc::Receiver<T>, patience: Duration) -> Option<T> {
    match events.recv_timeout(patience) {
        Ok(event) => Some(event),
        Err(mpsc::RecvTimeoutError::Timeout) => None,
        // The thread is gone, which only a bug of ours can do: nothing comes, but nobody spins.
        Err(mpsc::RecvTimeoutError::Disconnected) => {
            thread::sleep(patience);
            None
        }
    }
}

struct Line {
    port: PathBuf,
    session: DgtSession,
    began: Instant,
    woken: UnixStream,
    asked: mpsc::Receiver<Ask>,
    to_board: mpsc::SyncSender<Timed<BoardEvent>>,
    to_clock: mpsc::SyncSender<Timed<ClockEvent>>,
    shared: std::sync::Weak<Shared>,
    missed: bool,
    /// The trouble last reported.
    reported: Option<WireError>,
}

impl Line {
    fn now_ms(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    fn stopped(&self) -> bool {
        self.shared.strong_count() == 0
    }

    fn run(&mut self) {
        let mut backoff = RETRY;
        while !self.stopped() {
            let error = match open_port(&self.port) {
                Ok(mut port) => {
                    self.session.reopened(self.now_ms());
                    let error = self.talk(&mut port);
                    if self.session.is_ready() {
                        backoff.reset();
                    }
                    error
                }
                Err(error) => error,
            };
            if self.stopped() {
                return;
            }
            self.lose(error);
            self.sleep(backoff.pause());
        }
    }

    /// Reports trouble once: with the session's own word if there was a board, else as a new one.
    fn lose(&mut self, error: WireError) {
        let mut events = Vec::new();
        let was_ready = self.session.is_ready();
        if was_ready {
            self.reported = None;
        }
        self.session.closed(&error.to_string(), &mut events);
        // Once a line is lost its device file goes too, which is no news.
        let news = match (&self.reported, &error) {
            (
                Some(WireError::Failed { .. } | WireError::Silent { .. }),
                WireError::Missing { .. },
            ) => false,
            (reported, error) => reported.as_ref() != Some(error),
        };
        if !news {
            return;
        }
        if !was_ready {
            events.push(DgtEvent::Board(BoardEvent::Lost(error.to_string())));
            if self.reported.is_none() {
                events.push(DgtEvent::Clock(ClockEvent::Lost));
            }
        }
        self.reported = Some(error);
        self.hand_out(events);
    }

    /// Waits. A stop ends the wait at once.
    fn sleep(&mut self, pause: Duration) {
        let until_ms = self.now_ms() + u64::try_from(pause.as_millis()).unwrap_or(u64::MAX);
        while !self.stopped() && self.now_ms() < until_ms {
            let _ = wait(&[self.woken.as_fd()], until_ms - self.now_ms().min(until_ms));
            self.drain_bell();
            self.take_asks();
        }
    }

    /// Talks until something is wrong with the line.
    fn talk(&mut self, port: &mut File) -> WireError {
        let name = self.port.display().to_string();
        let failed =
            |err: io::Error| WireError::Failed { port: name.clone(), reason: reason(&err) };
        let mut buffer = [0; 512];
        loop {
            if self.stopped() {
                return WireError::Silent { port: name };
            }
            let mut events = Vec::new();
            self.take_asks();
            while let Some(bytes) = self.session.write(self.now_ms(), &mut events) {
                if let Err(err) = port.write_all(&bytes) {
                    return failed(err);
                }
            }
            let silent = events.contains(&DgtEvent::Silent);
            self.hand_out(events);
            if silent {
                return WireError::Silent { port: name };
            }
            let patience_ms = self.session.due_ms().saturating_sub(self.now_ms()).max(1);
            if let Err(err) = wait(&[port.as_fd(), self.woken.as_fd()], patience_ms) {
                return failed(err);
            }
            self.drain_bell();
            match port.read(&mut buffer) {
                Ok(0) => return failed(io::Error::other("the line was closed")),
                Ok(length) => {
                    let mut events = Vec::new();
                    self.session.read(self.now_ms(), &buffer[..length], &mut events);
                    self.hand_out(events);
                }
                Err(err)
                    if matches!(
                        err.kind(),
                        io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                    ) => {}
                Err(err) => return failed(err),
            }
        }
    }

    fn drain_bell(&mut self) {
        let mut rung = [0; 64];
        while matches!(self.woken.read(&mut rung), Ok(length) if length > 0) {}
    }

    fn take_asks(&mut self) {
        let mut events = Vec::new();
        while let Ok(ask) = self.asked.try_recv() {
            match ask {
                Ask::Look => self.session.look(),
                Ask::Command(number, command) => {
                    self.session.command(number, command, &mut events);
                }
            }
        }
        self.hand_out(events);
    }

    fn hand_out(&mut self, events: Vec<DgtEvent>) {
        let at = Instant::now();
        for event in events {
            match event {
                DgtEvent::Board(what) => {
                    if matches!(what, BoardEvent::Ready(_)) {
                        self.reported = None;
                    }
                    self.missed |= self.to_board.try_send(Timed { at, what }).is_err();
                }
                // A time that is missed is followed by the next.
                DgtEvent::Clock(what) => {
                    let _ = self.to_clock.try_send(Timed { at, what });
                }
                DgtEvent::Silent => {}
            }
        }
        if std::mem::take(&mut self.missed) {
            self.session.look();
        }
    }
}

fn reason(err: &io::Error) -> String {
    let text = err.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
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

/// Opens a serial port for 9600 baud, 8N1, no handshake, raw, without waiting.
///
/// # Errors
/// [`WireError`] says what is wrong with it and what to do.
pub fn open_port(path: &Path) -> Result<File, WireError> {
    let port = path.display().to_string();
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    let opened =
        OpenOptions::new().read(true).write(true).custom_flags(flags.bits() as i32).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(err) => {
            return Err(match err.kind() {
                io::ErrorKind::NotFound => WireError::Missing { port },
                io::ErrorKind::PermissionDenied => WireError::Forbidden { port },
                io::ErrorKind::ResourceBusy => WireError::Busy { port },
                io::ErrorKind::IsADirectory => WireError::NoTerminal { port },
                _ => WireError::Failed { port, reason: reason(&err) },
            });
        }
    };
    if !isatty(&file) {
        return Err(WireError::NoTerminal { port });
    }
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(WireError::Busy { port }),
        // Some drivers know no locks.
        Err(TryLockError::Error(_)) => {}
    }
    let raw = tcgetattr(&file).and_then(|mut termios| {
        termios.make_raw();
        termios.set_speed(BAUD)?;
        tcsetattr(&file, OptionalActions::Flush, &termios)
    });
    match raw {
        Ok(()) => Ok(file),
        Err(err) => Err(WireError::Failed { port, reason: reason(&err.into()) }),
    }
}
