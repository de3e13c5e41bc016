//! The conversation with one board: bytes and times in, bytes and frames out; and its line.
//!
//! A board is asked when it is to show how it stands and has not said so by itself, and when it has
//! been quiet for long. One that stays silent is taken for gone.

use std::{
    io,
    sync::mpsc,
    time::{Duration, Instant},
};

use super::{Codec, Frame, Make, Manner};
use crate::{
    serial::{Finder, Hold, Next, Talk, Timed, keep_open},
    wait_for,
};

/// An event from the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PieceEvent {
    /// The board is there. A frame follows.
    Ready,
    Frame(Box<Frame>),
    /// The board went silent, or the line is gone: the fault and its remedy, one line.
    Lost(String),
}

/// A board answers within this time, or is asked again, milliseconds.
const ANSWER_MS: u64 = 700;
/// So long a board may take to show by itself what it is to show, milliseconds.
const GRACE_MS: u64 = 300;
/// So long a port is listened at that may have no board, milliseconds.
const GREETING_MS: u64 = 3000;
/// Frames that may wait: at least a minute's.
const QUEUE: usize = 1024;

/// A conversation with a board of some make.
#[derive(Debug)]
pub struct PieceSession {
    codec: Box<dyn Codec>,
    manner: Manner,
    greeting: bool,
    /// When the last frame came, or the port was opened.
    heard_ms: u64,
    /// When it was asked, if it has not answered.
    asked_ms: Option<u64>,
    /// Since when a frame is wanted.
    wanted_ms: Option<u64>,
}

impl PieceSession {
    /// The line is not open yet.
    pub fn new(make: Make) -> PieceSession {
        PieceSession {
            codec: make.codec(),
            manner: make.manner(),
            greeting: true,
            heard_ms: 0,
            asked_ms: None,
            wanted_ms: None,
        }
    }

    /// The line has been opened.
    pub fn opened(&mut self, now_ms: u64) {
        self.codec.reset();
        self.greeting = true;
        self.heard_ms = now_ms;
        self.asked_ms = None;
        self.wanted_ms = None;
    }

    /// The line is closed. Whether there was a board.
    pub fn closed(&mut self) -> bool {
        !std::mem::replace(&mut self.greeting, true)
    }

    /// The board has shown how it stands.
    pub fn is_ready(&self) -> bool {
        !self.greeting
    }

    /// A frame is wanted that is not older than this moment.
    pub fn look(&mut self, now_ms: u64) {
        self.wanted_ms.get_or_insert(now_ms);
    }

    /// Takes in bytes as one read gave them.
    pub fn read(&mut self, now_ms: u64, bytes: &[u8], out: &mut Vec<PieceEvent>) {
        let mut frames = Vec::new();
        self.codec.read(bytes, &mut frames);
        for frame in frames {
            self.heard_ms = now_ms;
            (self.asked_ms, self.wanted_ms) = (None, None);
            if std::mem::take(&mut self.greeting) {
                out.push(PieceEvent::Ready);
            }
            out.push(PieceEvent::Frame(Box::new(frame)));
        }
    }

    /// What is said now. Call it after [`PieceSession::read`], and at [`PieceSession::due_ms`].
    pub fn next(&mut self, now_ms: u64) -> Next {
        if now_ms >= self.silent_ms() {
            return Next::Silent;
        }
        match self.codec.ask() {
            Some(bytes) if now_ms >= self.ask_ms() => {
                self.asked_ms = Some(now_ms);
                Next::Say(bytes)
            }
            _ => Next::Wait,
        }
    }

    /// The latest moment for the next [`PieceSession::next`].
    pub fn due_ms(&self) -> u64 {
        match self.codec.ask() {
            Some(_) => self.ask_ms().min(self.silent_ms()),
            None => self.silent_ms(),
        }
    }

    fn silent_ms(&self) -> u64 {
        self.heard_ms + if self.greeting { GREETING_MS } else { self.manner.silent_ms }
    }

    fn ask_ms(&self) -> u64 {
        match self.asked_ms {
            Some(asked_ms) => asked_ms + ANSWER_MS,
            None if self.greeting => self.heard_ms,
            None => {
                let quiet_ms = self.heard_ms + self.manner.ask_after_ms;
                self.wanted_ms.map_or(quiet_ms, |wanted_ms| quiet_ms.min(wanted_ms + GRACE_MS))
            }
        }
    }
}

/// The board's end of a line.
#[derive(Debug)]
pub struct PieceEnd {
    events: mpsc::Receiver<Timed<PieceEvent>>,
    looks: mpsc::SyncSender<()>,
    hold: Hold,
}

/// Opens a line to a board of this make and keeps it open while the end is held. A missing port is
/// reported as [`PieceEvent::Lost`], once, and tried again.
///
/// # Errors
/// When the system gives no thread or no pipe.
pub fn open(make: Make, finder: Finder) -> io::Result<PieceEnd> {
    let (to_board, events) = mpsc::sync_channel(QUEUE);
    let (looks, looked) = mpsc::sync_channel(1);
    let talk = PieceTalk { session: PieceSession::new(make), looked, to_board };
    Ok(PieceEnd { events, looks, hold: keep_open(finder, talk)? })
}

impl PieceEnd {
    /// Waits for the next event, at most `patience`.
    pub fn next(&mut self, patience: Duration) -> Option<Timed<PieceEvent>> {
        wait_for(&self.events, patience)
    }

    /// Has the board show how it stands. Asking twice is asking once.
    pub fn look(&self) {
        let _ = self.looks.try_send(());
        self.hold.ring();
    }
}

struct PieceTalk {
    session: PieceSession,
    looked: mpsc::Receiver<()>,
    to_board: mpsc::SyncSender<Timed<PieceEvent>>,
}

impl PieceTalk {
    fn hand_out(&self, events: Vec<PieceEvent>) {
        let at = Instant::now();
        for what in events {
            // A frame that is missed is followed by the next.
            let _ = self.to_board.try_send(Timed { at, what });
        }
    }
}

impl Talk for PieceTalk {
    fn opened(&mut self, now_ms: u64) {
        self.session.opened(now_ms);
    }

    fn closed(&mut self, why: &str, news: bool) {
        if self.session.closed() || news {
            self.hand_out(vec![PieceEvent::Lost(why.to_owned())]);
        }
    }

    fn is_ready(&self) -> bool {
        self.session.is_ready()
    }

    fn take_orders(&mut self, now_ms: u64) {
        while self.looked.try_recv().is_ok() {
            self.session.look(now_ms);
        }
    }

    fn read(&mut self, now_ms: u64, bytes: &[u8]) {
        let mut events = Vec::new();
        self.session.read(now_ms, bytes, &mut events);
        self.hand_out(events);
    }

    fn next(&mut self, now_ms: u64) -> Next {
        self.session.next(now_ms)
    }

    fn due_ms(&self) -> u64 {
        self.session.due_ms()
    }
}
