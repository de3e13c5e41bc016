//! One serial line with two devices: the board's end and the clock's end.
//!
//! A thread owns the port. It opens it, greets the board and sorts the messages. When the cable was
//! pulled or the board went silent, it reopens the port with growing pauses. Both ends get their
//! events through bounded queues. A slow reader loses the newest events; then the thread requests a
//! dump, so that the reader gets the whole board.

use std::{
    io,
    path::Path,
    sync::{Arc, Mutex, mpsc},
    time::{Duration, Instant},
};

use super::{
    codec::{ClockCommand, Facing},
    session::{BoardEvent, ClockEvent, DgtEvent, DgtSession},
};
use crate::{
    serial::{DGT_USB, Finder, Hold, Kind, Next, SERIAL_FILES, Talk, Timed, keep_open},
    wait_for,
};
use annabella_threads::lock;

/// A DGT board's port. Source: the e-board's protocol.
pub const KIND: Kind = Kind {
    name: "DGT board",
    baud: Some(9600),
    files: SERIAL_FILES,
    usb: &[DGT_USB],
    only_there: false,
    radio: None,
};
/// Events that may wait at each end: at least a minute of a busy board.
const QUEUE: usize = 1024;

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
    /// Which way round the board lies, once that is known: the clock's sides go by it.
    facing: Arc<Mutex<Option<Facing>>>,
    hold: Hold,
}

/// Opens the line at `port`, or at any port where that is [`crate::serial::ANY`], and keeps it open
/// while one of the ends is held. A missing port is reported as [`BoardEvent::Lost`], once, and
/// tried again.
///
/// # Errors
/// When the system gives no thread or no pipe.
pub fn open(port: &Path) -> io::Result<(BoardEnd, ClockEnd)> {
    open_found(Finder::at(port, KIND))
}

/// The same where the port is looked for otherwise.
///
/// # Errors
/// As [`open`].
pub fn open_found(finder: Finder) -> io::Result<(BoardEnd, ClockEnd)> {
    let (asks, asked) = mpsc::sync_channel(QUEUE);
    let (to_board, board_events) = mpsc::sync_channel(QUEUE);
    let (to_clock, clock_events) = mpsc::sync_channel(QUEUE);
    let talk = DgtTalk {
        session: DgtSession::new(0),
        asked,
        to_board,
        to_clock,
        missed: false,
        clock_lost: false,
    };
    let hold = keep_open(finder, talk)?;
    let to_line = ToLine { asks, facing: Arc::default(), hold };
    Ok((
        BoardEnd { events: board_events, to_line: to_line.clone() },
        ClockEnd { events: clock_events, to_line, numbers: 0 },
    ))
}

impl ToLine {
    fn ask(&self, ask: Ask) {
        // The queue is longer than anything that makes sense to ask before the line answers.
        let _ = self.asks.try_send(ask);
        self.hold.ring();
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
        *lock(&self.to_line.facing) = Some(facing);
    }
}

impl ClockEnd {
    /// Waits for the next event, at most `patience`.
    pub fn next(&mut self, patience: Duration) -> Option<Timed<ClockEvent>> {
        wait_for(&self.events, patience)
    }

    /// Which way round the board lies, once its end has found out.
    pub fn facing(&self) -> Option<Facing> {
        *lock(&self.to_line.facing)
    }

    /// Has the clock do something; its answer carries the number given back.
    pub fn command(&mut self, command: ClockCommand) -> u32 {
        self.numbers = self.numbers.wrapping_add(1);
        self.to_line.ask(Ask::Command(self.numbers, command));
        self.numbers
    }
}

/// The conversation on the line's thread.
struct DgtTalk {
    session: DgtSession,
    asked: mpsc::Receiver<Ask>,
    to_board: mpsc::SyncSender<Timed<BoardEvent>>,
    to_clock: mpsc::SyncSender<Timed<ClockEvent>>,
    missed: bool,
    /// The clock's end knows that there is none.
    clock_lost: bool,
}

impl DgtTalk {
    fn hand_out(&mut self, events: Vec<DgtEvent>) {
        let at = Instant::now();
        for event in events {
            match event {
                DgtEvent::Board(what) => {
                    if matches!(what, BoardEvent::Ready(_)) {
                        self.clock_lost = false;
                    }
                    self.missed |= self.to_board.try_send(Timed { at, what }).is_err();
                }
                // A time that is missed is followed by the next.
                DgtEvent::Clock(what) => {
                    self.clock_lost |= what == ClockEvent::Lost;
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

impl Talk for DgtTalk {
    fn opened(&mut self, now_ms: u64) {
        self.session.reopened(now_ms);
    }

    fn closed(&mut self, why: &str, news: bool) {
        let mut events = Vec::new();
        let was_ready = self.session.is_ready();
        self.session.closed(why, &mut events);
        if news && !was_ready {
            events.push(DgtEvent::Board(BoardEvent::Lost(why.to_owned())));
            if !self.clock_lost {
                events.push(DgtEvent::Clock(ClockEvent::Lost));
            }
        }
        self.hand_out(events);
    }

    fn is_ready(&self) -> bool {
        self.session.is_ready()
    }

    fn take_orders(&mut self, _now_ms: u64) {
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

    fn read(&mut self, now_ms: u64, bytes: &[u8]) {
        let mut events = Vec::new();
        self.session.read(now_ms, bytes, &mut events);
        self.hand_out(events);
    }

    fn next(&mut self, now_ms: u64) -> Next {
        let mut events = Vec::new();
        let bytes = self.session.write(now_ms, &mut events);
        let silent = events.contains(&DgtEvent::Silent);
        self.hand_out(events);
        match bytes {
            _ if silent => Next::Silent,
            Some(bytes) => Next::Say(bytes),
            None => Next::Wait,
        }
    }

    fn due_ms(&self) -> u64 {
        self.session.due_ms()
    }
}
