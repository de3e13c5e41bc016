//! The conversation with one board and the clock behind it, without a line: bytes and times in,
//! bytes and events out.
//!
//! Times are milliseconds of whatever rising clock the caller has; nothing here reads one.
//!
//! # One thing at a time
//!
//! The board's input buffer holds ten bytes. A command is sent when the one before it has been
//! answered, or has not been for too long; a command for the clock when the one before it has been
//! acknowledged, which takes a second or two.
//!
//! # Lost bytes
//!
//! A lost or garbled message may have been a field update, so the whole board is requested then. A
//! silent line is asked again for updates: the board may have been switched off and on, or the
//! command may have been lost.

use std::collections::VecDeque;

use super::codec::{
    Ack, ClockButton, ClockCommand, ClockSays, ClockTimes, Code, DecodeError, DgtDecoder, Dump,
    Field, FromBoard, ToBoard,
};

#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Identity {
    /// Version, before and after the point.
    pub version: (u8, u8),
    /// Serial number; empty if the board sends none.
    pub serial: String,
}

/// An event from the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoardEvent {
    /// The board is there and sends from now on. A dump follows.
    Ready(Identity),
    Dump(Box<Dump>),
    /// A change of one field: a hint that something moves.
    Update {
        field: Field,
        code: Code,
    },
    /// The board went silent, or the line is gone. [`BoardEvent::Ready`] follows when it is back.
    Lost(
        /// The fault and its remedy, one line.
        String,
    ),
}

/// How a command for the clock ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockReply {
    Accepted(Ack),
    /// Refused. The times can be set in the clock's mode 23 only.
    Refused(Ack),
    /// No clock, an old one, or the line was lost.
    None,
}

/// An event from the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockEvent {
    /// Both times, up to a second old.
    Times(ClockTimes),
    Button(ClockButton),
    /// The clock was switched on, or plugged in.
    Ready,
    Answered {
        /// The number given to [`DgtSession::command`].
        number: u32,
        answer: ClockReply,
        /// How long ago it was last sent, if it was, milliseconds.
        ago_ms: Option<u64>,
    },
    Lost,
}

/// An event from a conversation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DgtEvent {
    /// For who looks after the board.
    Board(BoardEvent),
    /// For who looks after the clock.
    Clock(ClockEvent),
    /// The board is silent: the line should be closed and opened again.
    Silent,
}

/// The time in which a board must answer. It scans in 250 ms and needs 70 ms for a dump.
const ANSWER_MS: u64 = 700;
/// A clock acknowledges in one or two seconds.
const ACKNOWLEDGE_MS: u64 = 2000;
/// Tries before a command is given up.
const TRIES: u32 = 3;
/// A command to set a running clock is dropped after this time.
const STALE_MS: u64 = 700;
/// With a clock a board speaks every second; a silence twice as long is looked into.
const SILENCE_MS: u64 = 2500;
/// A pause after each command, besides the time its bytes take.
const PAUSE_MS: u64 = 10;
/// Commands for the clock that may wait.
const LONGEST_QUEUE: usize = 16;

/// A conversation with a board and its clock.
#[derive(Clone, Debug)]
pub struct DgtSession {
    decoder: DgtDecoder,
    greeting: bool,
    identity: Identity,
    wanted: VecDeque<ToBoard>,
    asked: Option<Asked>,
    /// Each with the caller's number and when it was asked for.
    clock_wanted: VecDeque<(u32, ClockCommand, u64)>,
    /// The last moment heard of.
    now_ms: u64,
    clock_asked: Option<ClockAsked>,
    clock_absent: bool,
    last_ack: Option<(Ack, u64)>,
    heard_ms: u64,
    /// When a silence was last looked into.
    probed_ms: u64,
    free_ms: u64,
}

#[derive(Clone, Debug)]
struct Asked {
    command: ToBoard,
    sent_ms: u64,
    tries: u32,
}

#[derive(Clone, Debug)]
struct ClockAsked {
    number: u32,
    command: ClockCommand,
    sent_ms: u64,
    tries: u32,
}

impl DgtSession {
    /// A line has just been opened.
    pub fn new(now_ms: u64) -> DgtSession {
        let mut session = DgtSession {
            decoder: DgtDecoder::default(),
            greeting: true,
            identity: Identity::default(),
            wanted: VecDeque::new(),
            asked: None,
            clock_wanted: VecDeque::new(),
            now_ms,
            clock_asked: None,
            clock_absent: false,
            last_ack: None,
            heard_ms: now_ms,
            probed_ms: now_ms,
            free_ms: now_ms,
        };
        session.greet(now_ms);
        session
    }

    /// The line was opened again.
    pub fn reopened(&mut self, now_ms: u64) {
        self.decoder.reset();
        self.greet(now_ms);
    }

    fn greet(&mut self, now_ms: u64) {
        self.greeting = true;
        self.identity = Identity::default();
        self.asked = None;
        self.last_ack = None;
        self.heard_ms = now_ms;
        self.free_ms = now_ms;
        // Reset and updates get no answer. The answer to the version between them shows that a
        // board is there.
        self.wanted = [ToBoard::Reset, ToBoard::SendVersion, ToBoard::SendLongSerial].into();
    }

    /// The line is lost. Open commands to the clock are answered with [`ClockReply::None`].
    pub fn closed(&mut self, why: &str, out: &mut Vec<DgtEvent>) {
        if !self.greeting {
            out.push(DgtEvent::Board(BoardEvent::Lost(why.to_owned())));
            out.push(DgtEvent::Clock(ClockEvent::Lost));
        }
        self.greeting = true;
        let now_ms = self.now_ms;
        let asked = self.clock_asked.take();
        let asked = asked.map(|asked| (asked.number, Some(now_ms.saturating_sub(asked.sent_ms))));
        let waiting = self.clock_wanted.drain(..).map(|(number, ..)| (number, None));
        out.extend(asked.into_iter().chain(waiting).map(unanswered));
    }

    /// The board has answered.
    pub fn is_ready(&self) -> bool {
        !self.greeting
    }

    /// Asks for all fields. Asking twice is asking once.
    pub fn look(&mut self) {
        let asked = self.asked.as_ref().is_some_and(|asked| asked.command == ToBoard::SendBoard);
        // A dump on its way may be older than what is asked about.
        if !self.greeting && (asked || !self.wanted.contains(&ToBoard::SendBoard)) {
            self.want(ToBoard::SendBoard);
        }
    }

    /// Queues a command for the clock; the answer carries the caller's number. The eldest of too
    /// many is given up, and all of them while there is no board.
    pub fn command(&mut self, number: u32, command: ClockCommand, out: &mut Vec<DgtEvent>) {
        if self.greeting {
            out.push(unanswered((number, None)));
            return;
        }
        self.clock_wanted.push_back((number, command, self.now_ms));
        if self.clock_wanted.len() > LONGEST_QUEUE
            && let Some((number, ..)) = self.clock_wanted.pop_front()
        {
            out.push(unanswered((number, None)));
        }
    }

    /// Takes in bytes as they came.
    pub fn read(&mut self, now_ms: u64, bytes: &[u8], out: &mut Vec<DgtEvent>) {
        self.now_ms = self.now_ms.max(now_ms);
        if !bytes.is_empty() {
            self.heard_ms = now_ms;
        }
        for byte in bytes {
            match self.decoder.push(*byte) {
                None => {}
                Some(Ok(message)) => self.hear(now_ms, message, out),
                Some(Err(error)) => self.complain(&error),
            }
        }
    }

    fn complain(&mut self, error: &DecodeError) {
        let clock = matches!(
            error,
            DecodeError::Cut { id: 0x8D, .. } | DecodeError::Content { id: 0x8D, .. }
        );
        if !clock {
            self.look();
        }
    }

    fn hear(&mut self, now_ms: u64, message: FromBoard, out: &mut Vec<DgtEvent>) {
        let answered = self.asked.as_ref().is_some_and(|asked| answers(&asked.command, &message));
        if answered {
            self.asked = None;
        }
        match message {
            FromBoard::Dump(dump) if !self.greeting => {
                out.push(DgtEvent::Board(BoardEvent::Dump(dump)));
            }
            FromBoard::Update { field, code } if !self.greeting => {
                out.push(DgtEvent::Board(BoardEvent::Update { field, code }));
            }
            FromBoard::Clock(says) => self.hear_clock(now_ms, says, out),
            FromBoard::Version { major, minor } => self.identity.version = (major, minor),
            FromBoard::Serial(digits) if answered => self.name(&digits, out),
            FromBoard::LongSerial(digits) if answered => self.name(&digits, out),
            _ => {}
        }
    }

    fn name(&mut self, digits: &[u8], out: &mut Vec<DgtEvent>) {
        let printable = digits.iter().filter(|byte| byte.is_ascii_graphic());
        self.identity.serial = printable.map(|byte| char::from(*byte)).collect();
        self.greeted(out);
    }

    fn greeted(&mut self, out: &mut Vec<DgtEvent>) {
        if self.greeting {
            self.greeting = false;
            self.want(ToBoard::UpdateAll);
            self.want(ToBoard::SendBoard);
            out.push(DgtEvent::Board(BoardEvent::Ready(self.identity.clone())));
        }
    }

    fn hear_clock(&mut self, now_ms: u64, says: ClockSays, out: &mut Vec<DgtEvent>) {
        match says {
            ClockSays::Nothing => {}
            ClockSays::Times(times) => {
                self.clock_absent = times.absent;
                self.last_ack = None;
                out.push(DgtEvent::Clock(ClockEvent::Times(times)));
            }
            ClockSays::Ack(ack) => {
                // Bluetooth repeats acknowledgements.
                let again =
                    self.last_ack.is_some_and(|(last, at_ms)| last == ack && now_ms < at_ms + 500);
                self.last_ack = Some((ack, now_ms));
                if again {
                    return;
                }
                let asked = self.clock_asked.as_ref();
                let answers = |command: &ClockCommand| {
                    ack.command() == Some(command.code()) || ack.refuses_any()
                };
                if let Some(asked) = asked.filter(|asked| answers(&asked.command)) {
                    let accepted = ack.is_accepted();
                    let answer =
                        if accepted { ClockReply::Accepted(ack) } else { ClockReply::Refused(ack) };
                    let number = asked.number;
                    let ago_ms = Some(now_ms.saturating_sub(asked.sent_ms));
                    self.clock_asked = None;
                    out.push(DgtEvent::Clock(ClockEvent::Answered { number, answer, ago_ms }));
                } else if let Some(button) = ack.as_button() {
                    out.push(DgtEvent::Clock(ClockEvent::Button(button)));
                } else if ack == Ack::READY {
                    out.push(DgtEvent::Clock(ClockEvent::Ready));
                }
            }
        }
    }

    fn want(&mut self, command: ToBoard) {
        if !self.wanted.contains(&command) {
            self.wanted.push_back(command);
        }
    }

    /// The next message to send, if any. Call it after [`DgtSession::read`], and at
    /// [`DgtSession::due_ms`].
    pub fn write(&mut self, now_ms: u64, out: &mut Vec<DgtEvent>) -> Option<Vec<u8>> {
        self.now_ms = self.now_ms.max(now_ms);
        self.give_up(now_ms, out);
        if !self.greeting && self.asked.is_none() && now_ms >= self.silent_ms() + SILENCE_MS {
            // A command repeated is carried out again, and harmless.
            self.probed_ms = now_ms;
            self.want(ToBoard::UpdateAll);
            self.want(ToBoard::SendVersion);
            self.want(ToBoard::SendBoard);
        }
        if now_ms < self.free_ms {
            return None;
        }
        let command = self.next_command(now_ms)?;
        let bytes = command.encode();
        self.free_ms = now_ms + bytes.len() as u64 * 11 / 10 + PAUSE_MS;
        Some(bytes)
    }

    /// Since when nothing was heard, or done about it.
    fn silent_ms(&self) -> u64 {
        self.heard_ms.max(self.probed_ms)
    }

    fn next_command(&mut self, now_ms: u64) -> Option<ToBoard> {
        if let Some(asked) = &mut self.asked {
            let due = now_ms >= asked.sent_ms + ANSWER_MS;
            if due {
                (asked.sent_ms, asked.tries) = (now_ms, asked.tries + 1);
                return Some(asked.command.clone());
            }
        } else if let Some(command) = self.wanted.pop_front() {
            if is_answered(&command) {
                self.asked = Some(Asked { command: command.clone(), sent_ms: now_ms, tries: 1 });
            }
            return Some(command);
        }
        if self.greeting {
            return None;
        }
        if let Some(asked) = &mut self.clock_asked {
            if now_ms < asked.sent_ms + ACKNOWLEDGE_MS {
                return None;
            }
            (asked.sent_ms, asked.tries) = (now_ms, asked.tries + 1);
            return Some(ToBoard::Clock(asked.command.clone()));
        }
        let (number, command, _) = self.clock_wanted.pop_front()?;
        let to_board = ToBoard::Clock(command.clone());
        self.clock_asked = Some(ClockAsked { number, command, sent_ms: now_ms, tries: 1 });
        Some(to_board)
    }

    /// Gives up what has not been answered often enough.
    fn give_up(&mut self, now_ms: u64, out: &mut Vec<DgtEvent>) {
        let late = |sent_ms: u64, patience_ms: u64| now_ms >= sent_ms + patience_ms;
        if let Some(asked) = self.asked.take_if(|a| a.tries >= TRIES && late(a.sent_ms, ANSWER_MS))
        {
            match asked.command {
                // Old boards know the short number only, very old ones none.
                ToBoard::SendLongSerial => self.wanted.push_front(ToBoard::SendSerial),
                ToBoard::SendSerial => self.greeted(out),
                // On a bad line answers get lost, but something is heard.
                command if !self.greeting && now_ms < self.heard_ms + ANSWER_MS * 2 => {
                    self.want(command);
                }
                _ => out.push(DgtEvent::Silent),
            }
        }
        if let Some(asked) = self.clock_asked.take_if(|a| {
            let tries = if is_repeated(&a.command) { TRIES } else { 1 };
            a.tries >= tries && late(a.sent_ms, ACKNOWLEDGE_MS)
        }) {
            let ago_ms = Some(now_ms.saturating_sub(asked.sent_ms));
            out.push(unanswered((asked.number, ago_ms)));
        }
        // A player may have pressed meanwhile: the caller looks at the clock again before it sets
        // it.
        let stale = |(_, command, at_ms): &(u32, ClockCommand, u64)| {
            !is_repeated(command) && late(*at_ms, STALE_MS)
        };
        if self.clock_asked.is_none()
            && let Some((number, ..)) = self.clock_wanted.pop_front_if(|wanted| stale(wanted))
        {
            out.push(unanswered((number, None)));
        }
        if self.clock_absent {
            out.extend(self.clock_wanted.drain(..).map(|(number, ..)| unanswered((number, None))));
        }
    }

    /// The latest moment for the next [`DgtSession::write`].
    pub fn due_ms(&self) -> u64 {
        let board = match &self.asked {
            Some(asked) => Some(asked.sent_ms + ANSWER_MS),
            None if !self.wanted.is_empty() => Some(self.free_ms),
            None => None,
        };
        let clock = match &self.clock_asked {
            Some(asked) => Some(asked.sent_ms + ACKNOWLEDGE_MS),
            None if !self.clock_wanted.is_empty() && !self.greeting => Some(self.free_ms),
            None => None,
        };
        let probe = !self.greeting && self.asked.is_none();
        let silence = probe.then_some(self.silent_ms() + SILENCE_MS);
        let due = [board, clock, silence].into_iter().flatten().min();
        due.unwrap_or(self.free_ms + ANSWER_MS).max(self.free_ms)
    }
}

/// This command was given up; it was sent so long ago, if it was.
fn unanswered((number, ago_ms): (u32, Option<u64>)) -> DgtEvent {
    DgtEvent::Clock(ClockEvent::Answered { number, answer: ClockReply::None, ago_ms })
}

/// Setting a running clock again, two seconds later, would give those seconds back.
fn is_repeated(command: &ClockCommand) -> bool {
    !matches!(command, ClockCommand::SetAndRun { mode, .. } if !mode.pause)
}

fn is_answered(command: &ToBoard) -> bool {
    !matches!(
        command,
        ToBoard::Reset
            | ToBoard::UpdateAll
            | ToBoard::UpdateFields
            | ToBoard::UpdateChanges
            | ToBoard::Clock(_)
    )
}

fn answers(command: &ToBoard, message: &FromBoard) -> bool {
    matches!(
        (command, message),
        (ToBoard::SendVersion, FromBoard::Version { .. })
            | (ToBoard::SendBoard, FromBoard::Dump(_))
            | (ToBoard::SendLongSerial, FromBoard::LongSerial(_))
            | (ToBoard::SendSerial, FromBoard::Serial(_))
    )
}
