//! A DGT board with a DGT 3000, for trying other programs and our own.
//!
//! The device itself knows no line: bytes and times in, bytes out. [`crate::pty`] puts it behind a
//! pseudo-terminal.
//!
//! # Real timing
//!
//! The board scans its squares one after the other, all of them in 225 ms. It misses a change that
//! is undone in between. A byte takes 1.04 ms at 9600 baud. The clock sends once a second and
//! acknowledges a command after one to two seconds.

mod clock;
mod faults;
mod fingers;

pub use clock::Clock;
pub use faults::{DgtFaultsError, Faults};
pub use fingers::{Fingers, Placing, Playing};

use std::collections::VecDeque;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, Piece, Square};

use crate::pty::LineDevice;
use annabella_devices::dgt::codec::{
    Ack, ClockButton, ClockCommand, ClockSays, ClockTimes, Code, CommandDecoder, Dump, Facing,
    Field, FromBoard, ToBoard,
};

/// One byte with its start and stop bit at 9600 baud, microseconds.
const BYTE_US: u64 = 1042;
/// The time of a scan of all squares, microseconds.
const SCAN_US: u64 = 225_000;
/// The interval between the clock's messages, microseconds.
const CLOCK_US: u64 = 1_000_000;
/// Bytes that a slow reader may leave unread before the board stops sending.
const LONGEST_QUEUE: usize = 20_000;
/// An emulator's own words where a board has its maker's.
const TRADEMARK: &[u8] = b"Annabella's emulator of an electronic board";

/// The updates that the board sends unasked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Idle,
    All,
    Fields,
    Changes,
}

/// The board, its clock, and the bytes on their way.
#[derive(Clone, Debug)]
pub struct SimulatedDgt {
    faults: Faults,
    rng: ChaCha8Rng,
    facing: Facing,
    real: Dump,
    /// The pieces as last scanned.
    seen: Dump,
    mode: Mode,
    /// The next field to be looked at, counted from the start.
    scanned: u64,
    clock: Option<Clock>,
    clock_due_us: u64,
    clock_told: Option<ClockTimes>,
    acks: VecDeque<(u64, Ack)>,
    commands: CommandDecoder,
    /// Bytes waiting, and when the first of them has gone.
    queue: VecDeque<u8>,
    sent_us: u64,
    now_us: u64,
}

impl SimulatedDgt {
    /// A board that shows `board`, with a DGT 3000 unless the faults say otherwise. The same seed
    /// gives the same faults.
    pub fn new(seed: u64, faults: Faults, board: &Board) -> SimulatedDgt {
        let facing = if faults.turned { Facing::ConnectorRight } else { Facing::ConnectorLeft };
        let dump = Dump::of(board, facing);
        // The players have laid its lever so that White's time will run.
        let clock = Clock::new(!faults.no_mode_23).with_lever(faults.turned);
        let clock = (!faults.no_clock).then_some(clock);
        SimulatedDgt {
            faults,
            rng: ChaCha8Rng::seed_from_u64(seed),
            facing,
            real: dump.clone(),
            seen: dump,
            mode: Mode::Idle,
            scanned: 0,
            clock,
            clock_due_us: CLOCK_US,
            clock_told: None,
            acks: VecDeque::new(),
            commands: CommandDecoder::default(),
            queue: VecDeque::new(),
            sent_us: 0,
            now_us: 0,
        }
    }

    /// Which way round the board lies.
    pub fn facing(&self) -> Facing {
        self.facing
    }

    /// A hand puts a piece on a square, or takes away what is there.
    pub fn put(&mut self, now_ms: u64, square: Square, piece: Option<Piece>) {
        self.advance(now_ms * 1000);
        self.real.update(self.facing.field(square), piece.map_or(Code::Empty, Code::Piece));
    }

    /// The whole board is set up.
    pub fn set_up(&mut self, now_ms: u64, board: &Board) {
        self.advance(now_ms * 1000);
        self.real = Dump::of(board, self.facing);
    }

    /// The pieces on the squares.
    pub fn board(&self) -> Board {
        self.real.board(self.facing)
    }

    /// The clock, if one is plugged in.
    pub fn clock(&mut self, now_ms: u64) -> Option<&mut Clock> {
        self.advance(now_ms * 1000);
        self.clock.as_mut()
    }

    /// The clock is unplugged; it keeps its times.
    pub fn unplug_clock(&mut self, now_ms: u64) -> Option<Clock> {
        self.advance(now_ms * 1000);
        self.clock.take()
    }

    /// A clock is plugged in.
    pub fn plug_clock(&mut self, now_ms: u64, mut clock: Clock) {
        self.advance(now_ms * 1000);
        clock.until(self.now_us);
        self.clock = Some(clock);
        self.say_later(0, Ack::READY);
    }

    /// A button of the clock is pressed.
    pub fn press(&mut self, now_ms: u64, button: ClockButton) {
        self.advance(now_ms * 1000);
        if let Some(clock) = &mut self.clock {
            clock.pressed(button);
            self.say_later(0, Ack::button(button));
        }
    }

    /// The board is switched off and on, and forgets its mode.
    pub fn power_cycle(&mut self, now_ms: u64) {
        self.advance(now_ms * 1000);
        self.mode = Mode::Idle;
        self.queue.clear();
        self.acks.clear();
        self.commands.reset();
    }

    /// Takes in what a host sent.
    pub fn receive(&mut self, now_ms: u64, bytes: &[u8]) {
        self.advance(now_ms * 1000);
        for byte in bytes {
            if self.chance(self.faults.lost_permille) {
                continue;
            }
            // Other bytes are ignored, as boards do.
            if let Some(Ok(command)) = self.commands.push(*byte) {
                self.obey(&command);
            }
        }
    }

    /// The bytes that have gone over the line by now.
    pub fn transmit(&mut self, now_ms: u64) -> Vec<u8> {
        self.advance(now_ms * 1000);
        let mut gone = Vec::new();
        while self.sent_us + BYTE_US <= self.now_us {
            let Some(byte) = self.queue.pop_front() else { break };
            self.sent_us += BYTE_US;
            if self.chance(self.faults.garbage_permille) {
                gone.push(self.rng.random());
            }
            if !self.chance(self.faults.lost_permille) {
                gone.push(byte);
            }
        }
        gone
    }

    /// When there is something to transmit or to look at next, milliseconds.
    pub fn due_ms(&self) -> u64 {
        let byte = (!self.queue.is_empty()).then_some(self.sent_us + 16 * BYTE_US);
        let scan = (self.mode != Mode::Idle && self.real != self.seen)
            .then_some(self.now_us + SCAN_US / 16);
        let ack = self.acks.front().map(|(due_us, _)| *due_us);
        let clock = matches!(self.mode, Mode::All | Mode::Changes).then_some(self.clock_due_us);
        let due = [byte, scan, ack, clock].into_iter().flatten().min();
        due.unwrap_or(self.now_us + CLOCK_US).div_ceil(1000)
    }

    fn chance(&mut self, permille: u32) -> bool {
        permille > 0 && self.rng.random_range(0..1000) < permille
    }

    fn say(&mut self, message: &FromBoard) {
        let bytes = message.encode();
        if self.queue.len() + bytes.len() > LONGEST_QUEUE {
            return;
        }
        if self.queue.is_empty() {
            self.sent_us = self.now_us;
        }
        self.queue.extend(bytes);
    }

    fn say_later(&mut self, later_us: u64, ack: Ack) {
        let place = self.acks.iter().position(|(due_us, _)| *due_us > self.now_us + later_us);
        let place = place.unwrap_or(self.acks.len());
        self.acks.insert(place, (self.now_us + later_us, ack));
    }

    /// Lets the board look, the clock run and acknowledgements come due.
    fn advance(&mut self, now_us: u64) {
        let step = SCAN_US / 64;
        let last = now_us / step;
        // One full scan finds every change: older ones need no look.
        self.scanned = self.scanned.max(last.saturating_sub(63));
        while self.scanned <= last {
            let at_us = self.scanned * step;
            self.now_us = self.now_us.max(at_us);
            self.speak_of_clock();
            let number = (self.scanned % 64) as u8;
            if let Some(field) = Field::new(number) {
                self.look_at(field);
            }
            self.scanned += 1;
        }
        self.now_us = self.now_us.max(now_us);
        self.speak_of_clock();
    }

    fn look_at(&mut self, field: Field) {
        let code = self.real.code(field);
        if self.seen.code(field) != code {
            self.seen.update(field, code);
            if self.mode != Mode::Idle {
                self.say(&FromBoard::Update { field, code });
            }
        }
    }

    fn speak_of_clock(&mut self) {
        if let Some(clock) = &mut self.clock {
            clock.until(self.now_us);
        }
        let told = matches!(self.mode, Mode::All | Mode::Changes);
        while let Some((_, ack)) = self.acks.pop_front_if(|(due_us, _)| *due_us <= self.now_us) {
            if told {
                self.say(&FromBoard::Clock(ClockSays::Ack(ack)));
            }
        }
        if self.now_us < self.clock_due_us {
            return;
        }
        while self.clock_due_us <= self.now_us {
            self.clock_due_us += CLOCK_US;
        }
        let times = self.times();
        if self.mode == Mode::All || (self.mode == Mode::Changes && self.clock_told != Some(times))
        {
            self.clock_told = Some(times);
            self.say(&FromBoard::Clock(ClockSays::Times(times)));
        }
    }

    fn times(&self) -> ClockTimes {
        let absent = ClockTimes { absent: true, ..ClockTimes::default() };
        self.clock.as_ref().map_or(absent, Clock::times)
    }

    fn obey(&mut self, command: &ToBoard) {
        let answer = match command {
            ToBoard::Reset => {
                self.mode = Mode::Idle;
                return;
            }
            ToBoard::UpdateAll | ToBoard::UpdateFields | ToBoard::UpdateChanges => {
                self.mode = match command {
                    ToBoard::UpdateAll => Mode::All,
                    ToBoard::UpdateFields => Mode::Fields,
                    _ => Mode::Changes,
                };
                self.clock_told = None;
                return;
            }
            ToBoard::Clock(command) => return self.pass_on(command),
            // Bluetooth boards only.
            ToBoard::SendBattery => return,
            ToBoard::SendClock => FromBoard::Clock(ClockSays::Times(self.times())),
            ToBoard::SendBoard => FromBoard::Dump(Box::new(self.seen.clone())),
            ToBoard::SendSerial => FromBoard::Serial(*b"00000"),
            ToBoard::SendLongSerial => FromBoard::LongSerial(*b"0000000000"),
            ToBoard::SendBusAddress => FromBoard::BusAddress(1),
            ToBoard::SendTrademark => FromBoard::Trademark(TRADEMARK.to_vec()),
            ToBoard::SendStoredMoves => FromBoard::StoredMoves(vec![0; 7936]),
            ToBoard::SendVersion => FromBoard::Version { major: 1, minor: 8 },
        };
        self.say(&answer);
    }

    fn pass_on(&mut self, command: &ClockCommand) {
        let Some(clock) = &mut self.clock else {
            return;
        };
        let ack = clock.obey(command);
        let later_us = self.rng.random_range(1_000_000..2_000_000);
        self.say_later(later_us, ack);
    }
}

impl LineDevice for SimulatedDgt {
    fn receive(&mut self, now_ms: u64, bytes: &[u8]) {
        SimulatedDgt::receive(self, now_ms, bytes);
    }

    fn transmit(&mut self, now_ms: u64) -> Vec<u8> {
        SimulatedDgt::transmit(self, now_ms)
    }

    fn due_ms(&self) -> u64 {
        SimulatedDgt::due_ms(self)
    }

    fn power_cycle(&mut self, now_ms: u64) {
        SimulatedDgt::power_cycle(self, now_ms);
    }
}
