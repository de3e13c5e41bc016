//! The twin of a board: reeds, wires and chips on a bench, with everything that can go wrong.
//!
//! [`Bench::reader`] makes a reader on simulated wires, so that the same code runs as on a Pi. The
//! bench plays the chips, register by register and bit by bit, behind the traits of `embedded-hal`.
//! The bench's wiring and the reader's idea of it may differ.

mod faults;

use std::{
    convert::Infallible,
    sync::{Arc, Mutex, MutexGuard},
};

use embedded_hal::{
    delay::DelayNs,
    digital::{self, InputPin, OutputPin},
    i2c::{self, NoAcknowledgeSource},
    spi,
};
use shakmaty::{Bitboard, Square};

pub use faults::{StripFaults, StripFaultsError};

use super::{
    BoardReader,
    expander::{Mcp23s17, Mcp23017},
    matrix::Matrix,
    selftest::TestLine as Told,
    shift_register::ShiftRegisters,
    wiring::{Level, Levels, ReaderKind, Wiring},
};
use annabella_threads::lock;
use annabella_words::phrase::Prompt;

/// How long a simulated hand moves a peg, milliseconds.
const MOVING_MS: u64 = 60;
const IODIRA: usize = 0x00;
const IOCON: usize = 0x0A;
const GPPUA: usize = 0x0C;
const GPIOA: usize = 0x12;
const REGISTERS: usize = 0x16;
const HAEN: u8 = 0x08;

/// A builder at a bench, who does what the self-test asks for.
#[derive(Debug)]
pub struct Builder {
    bench: Bench,
    /// The square that a peg is on its way to, and when it is there.
    peg: Option<(u64, Square)>,
}

impl Builder {
    /// Before this board.
    pub fn at(bench: Bench) -> Builder {
        Builder { bench, peg: None }
    }

    /// Hears a line of the test. Milliseconds of any clock that goes on.
    pub fn hears(&mut self, now_ms: u64, line: &Told) {
        match line {
            Told::Plain(Prompt::TestTakeAll) | Told::Strip(Prompt::TestStripClear, _) => {
                self.peg = None;
                self.bench.set(Bitboard::EMPTY);
            }
            // The peg leaves its hole before it enters the next.
            Told::Square(Prompt::TestPut | Prompt::TestNothing, square) => {
                self.bench.set(Bitboard::EMPTY);
                self.peg = Some((now_ms + MOVING_MS, *square));
            }
            _ => {}
        }
    }

    pub fn wait(&mut self, now_ms: u64) {
        if let Some((_, square)) = self.peg.take_if(|(due_ms, _)| *due_ms <= now_ms) {
            self.bench.set(Bitboard::from(square));
        }
    }
}

/// A board on a bench. Clones are the same board.
#[derive(Clone, Debug)]
pub struct Bench(Arc<Mutex<State>>);

#[derive(Debug)]
struct State {
    wiring: Wiring,
    occupied: Bitboard,
    dead: Bitboard,
    stuck: Bitboard,
    coupled: Vec<(Square, Square)>,
    bus_stuck: bool,
    unplugged: Vec<u8>,
    cut: Option<u8>,
    naks: u32,
    flip: Option<(u32, u32)>,
    transfers: u32,
    chips: Vec<[u8; REGISTERS]>,
    latched: Option<u64>,
    selected: u8,
    /// The columns that the selected row reaches.
    reached: u8,
    misused: u32,
}

impl Bench {
    /// An empty board, wired like this.
    pub fn new(wiring: Wiring) -> Bench {
        let chips = wiring.addresses.len();
        Bench(Arc::new(Mutex::new(State {
            wiring,
            occupied: Bitboard::EMPTY,
            dead: Bitboard::EMPTY,
            stuck: Bitboard::EMPTY,
            coupled: Vec::new(),
            bus_stuck: false,
            unplugged: Vec::new(),
            cut: None,
            naks: 0,
            flip: None,
            transfers: 0,
            chips: vec![power_on(); chips],
            latched: None,
            selected: 0,
            reached: 0,
            misused: 0,
        })))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // Plain values only: a thread that panicked has left nothing half done.
        lock(&self.0)
    }

    /// Puts pegs into these holes and no others.
    pub fn set(&self, occupied: Bitboard) {
        self.state().occupied = occupied;
    }

    /// Puts a peg in or takes it out.
    pub fn peg(&self, square: Square, occupied: bool) {
        self.state().occupied.set(square, occupied);
    }

    /// The squares with pegs.
    pub fn occupied(&self) -> Bitboard {
        self.state().occupied
    }

    /// Reeds that never close.
    pub fn kill(&self, squares: Bitboard) {
        self.state().dead = squares;
    }

    /// Reeds that never open.
    pub fn stick(&self, squares: Bitboard) {
        self.state().stuck = squares;
    }

    /// A peg on the first square closes the reed of the second too.
    pub fn couple(&self, from: Square, to: Square) {
        self.state().coupled.push((from, to));
    }

    /// The bus is stuck low, or free again.
    pub fn stick_bus(&self, stuck: bool) {
        self.state().bus_stuck = stuck;
    }

    /// Takes a chip off, and puts all others back; they have lost their settings meanwhile. Shift
    /// registers have no addresses: they count from 0, the one at MISO.
    pub fn unplug(&self, address: Option<u8>) {
        let mut state = self.state();
        let before = std::mem::take(&mut state.unplugged);
        for address in before {
            if let Some(n) = state.wiring.addresses.iter().position(|own| *own == address) {
                state.chips[n] = power_on();
            }
        }
        state.unplugged.extend(address);
    }

    /// Cuts the chain before a shift register, counted from 0; the printed strip before it reads
    /// its open end as closed reeds.
    pub fn cut(&self, before: Option<u8>) {
        self.state().cut = before;
    }

    /// All chips were without power for a moment.
    pub fn brown_out(&self) {
        for chip in &mut self.state().chips {
            *chip = power_on();
        }
    }

    /// The next transfers on I²C are not acknowledged.
    pub fn refuse(&self, transfers: u32) {
        self.state().naks = transfers;
    }

    /// In each nth transfer, the given bit of the levels is read wrong; `None`: no more.
    pub fn flip(&self, every: Option<u32>, bit: u32) {
        self.state().flip = every.map(|every| (every, bit));
    }

    /// How often a pin that must not be an input was read as one.
    pub fn misused(&self) -> u32 {
        self.state().misused
    }

    /// A reader on this bench's wires that believes `believed`, which must be of the same kind.
    pub fn reader(&self, believed: Wiring) -> Box<dyn BoardReader> {
        let bus = || Wire(self.clone());
        match believed.kind {
            ReaderKind::ShiftRegister => Box::new(ShiftRegisters::new(bus(), bus(), believed)),
            ReaderKind::Expander => Box::new(Mcp23017::new(bus(), believed)),
            ReaderKind::ExpanderSpi => Box::new(Mcp23s17::new(bus(), believed)),
            ReaderKind::Matrix => {
                let lines = |n| Line { bench: self.clone(), n };
                let numbers = [0, 1, 2, 3, 4, 5, 6, 7];
                Box::new(Matrix::new(numbers.map(lines), numbers.map(lines), NoWait, believed))
            }
        }
    }
}

/// After power-on all pins are inputs without pull-ups. Source: MCP23017 data sheet, table 3-1.
fn power_on() -> [u8; REGISTERS] {
    let mut registers = [0; REGISTERS];
    registers[IODIRA] = 0xFF;
    registers[IODIRA + 1] = 0xFF;
    registers
}

impl State {
    /// The levels of all inputs now, with the flip that is due.
    fn levels(&mut self) -> Levels {
        let coupled: Bitboard = self
            .coupled
            .iter()
            .filter(|(from, _)| self.occupied.contains(*from))
            .map(|(_, to)| *to)
            .collect();
        let closed = (self.occupied | coupled) & !self.dead | self.stuck;
        self.transfers += 1;
        let mut levels = self.wiring.levels(closed);
        if let Some((every, bit)) = self.flip
            && self.transfers.is_multiple_of(every)
        {
            levels ^= 1 << bit;
        }
        levels
    }

    fn closed_level(&self) -> bool {
        self.wiring.closed == Level::High
    }

    /// The value of a chip's register.
    fn register(&mut self, chip: usize, register: usize) -> u8 {
        let port = self.wiring.kind.port();
        let registers = self.chips[chip];
        if register != GPIOA && register != GPIOA + 1 {
            return registers.get(register).copied().unwrap_or(0);
        }
        let side = register - GPIOA;
        let inputs = registers[IODIRA + side];
        if port == 7 && inputs & 0x80 != 0 {
            self.misused += 1;
        }
        let mask = ((1u16 << port) - 1) as u8;
        let levels = (self.levels() >> ((chip * 2 + side) * port)) as u8 & mask;
        // An open reed without its pull-up may read as anything: here as closed.
        let pulled = registers[GPPUA + side];
        let floating = if self.closed_level() { 0 } else { !pulled };
        levels & !floating & inputs
    }

    fn write(&mut self, chip: usize, register: usize, value: u8) {
        // IOCON stands at two addresses. Source: MCP23017 data sheet, table 3-3.
        let register = if register == IOCON + 1 { IOCON } else { register };
        if let Some(at) = self.chips[chip].get_mut(register) {
            *at = value;
        }
        self.chips[chip][IOCON + 1] = self.chips[chip][IOCON];
    }
}

/// An error of a bus on the bench.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SimBusError(i2c::ErrorKind);

impl i2c::Error for SimBusError {
    fn kind(&self) -> i2c::ErrorKind {
        self.0
    }
}

impl spi::Error for SimBusError {
    fn kind(&self) -> spi::ErrorKind {
        spi::ErrorKind::Other
    }
}

/// The bench's bus, and the latch line.
struct Wire(Bench);

impl i2c::ErrorType for Wire {
    type Error = SimBusError;
}

impl i2c::I2c for Wire {
    fn transaction(
        &mut self,
        address: u8,
        operations: &mut [i2c::Operation<'_>],
    ) -> Result<(), SimBusError> {
        let mut state = self.0.state();
        if state.bus_stuck {
            return Err(SimBusError(i2c::ErrorKind::Bus));
        }
        let refused = SimBusError(i2c::ErrorKind::NoAcknowledge(NoAcknowledgeSource::Address));
        if state.naks > 0 {
            state.naks -= 1;
            return Err(refused);
        }
        let own = state.wiring.addresses.iter().position(|own| *own == address);
        let Some(chip) = own.filter(|_| !state.unplugged.contains(&address)) else {
            return Err(refused);
        };
        let mut register = 0;
        for operation in operations {
            match operation {
                i2c::Operation::Write(bytes) => {
                    if let [first, values @ ..] = bytes {
                        register = usize::from(*first);
                        for (n, value) in values.iter().enumerate() {
                            state.write(chip, register + n, *value);
                        }
                    }
                }
                i2c::Operation::Read(bytes) => {
                    for (n, byte) in bytes.iter_mut().enumerate() {
                        *byte = state.register(chip, register + n);
                    }
                }
            }
        }
        Ok(())
    }
}

impl spi::ErrorType for Wire {
    type Error = SimBusError;
}

impl spi::SpiDevice for Wire {
    fn transaction(
        &mut self,
        operations: &mut [spi::Operation<'_, u8>],
    ) -> Result<(), SimBusError> {
        let mut state = self.0.state();
        for operation in operations {
            let (sent, received): (&[u8], &mut [u8]) = match operation {
                spi::Operation::Read(bytes) => (&[], bytes),
                spi::Operation::Write(bytes) => (bytes, &mut []),
                spi::Operation::Transfer(read, write) => (write, read),
                spi::Operation::TransferInPlace(_) | spi::Operation::DelayNs(_) => {
                    return Err(SimBusError(i2c::ErrorKind::Other));
                }
            };
            // A line that is stuck low reads so, and nothing reaches the chips.
            if state.bus_stuck {
                received.fill(0);
            } else if state.wiring.kind == ReaderKind::ShiftRegister {
                state.shift_out(received);
            } else {
                state.exchange(sent, received);
            }
        }
        Ok(())
    }
}

impl State {
    /// The first chip's input H comes first, and what comes after the last chip is its SER.
    fn shift_out(&mut self, received: &mut [u8]) {
        let end = if self.closed_level() { 0xFF } else { 0x00 };
        let latched = self.latched.take().map_or([end; 8], u64::to_le_bytes);
        // From where a chip is missing on, an input is open, and reads high or low by chance: here
        // as an open reed.
        let missing = self.unplugged.iter().map(|chip| usize::from(*chip)).min();
        let cut = self.cut.map(usize::from);
        for (n, byte) in received.iter_mut().enumerate() {
            *byte = match missing {
                _ if cut.is_some_and(|cut| n >= cut) => end,
                Some(missing) if n >= missing => !end,
                _ => latched.get(n).copied().unwrap_or(end),
            };
        }
    }

    /// Opcode, register, values: to every chip that feels addressed.
    fn exchange(&mut self, sent: &[u8], received: &mut [u8]) {
        let [opcode, register, values @ ..] = sent else { return };
        let (address, read) = (0x20 | opcode >> 1 & 0x07, opcode & 1 == 1);
        let register = usize::from(*register);
        for chip in 0..self.chips.len() {
            let own = self.wiring.addresses[chip];
            // Without HAEN a chip has address 0. Source: MCP23S17 data sheet, 3.3.2.
            let heard = if self.chips[chip][IOCON] & HAEN != 0 { own } else { 0x20 };
            if heard != address || self.unplugged.contains(&own) {
                continue;
            }
            for (n, value) in values.iter().enumerate() {
                if read {
                    if let Some(byte) = received.get_mut(2 + n) {
                        *byte = self.register(chip, register + n);
                    }
                } else {
                    self.write(chip, register + n, *value);
                }
            }
        }
    }
}

impl digital::ErrorType for Wire {
    type Error = Infallible;
}

/// SH/LD of the shift registers: low loads.
impl OutputPin for Wire {
    fn set_low(&mut self) -> Result<(), Infallible> {
        let mut state = self.0.state();
        state.latched = Some(state.levels() as u64);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A row or a column of the matrix.
struct Line {
    bench: Bench,
    n: usize,
}

impl Line {
    fn select(&self, level: bool) {
        let mut state = self.bench.state();
        let active = level == state.closed_level();
        state.selected = state.selected & !(1 << self.n) | u8::from(active) << self.n;
        state.reached = 0;
        if active {
            let levels = state.levels();
            let closed = state.wiring.closed(levels);
            let rows = (0..8).filter(|row| state.selected >> row & 1 == 1);
            state.reached = rows.fold(0, |columns, row| columns | (closed >> (row * 8)) as u8);
        }
    }
}

impl digital::ErrorType for Line {
    type Error = Infallible;
}

impl OutputPin for Line {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.select(false);
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.select(true);
        Ok(())
    }
}

impl InputPin for Line {
    fn is_high(&mut self) -> Result<bool, Infallible> {
        let state = self.bench.state();
        let reached = state.reached >> self.n & 1 == 1;
        Ok((reached || state.bus_stuck) == state.closed_level())
    }

    fn is_low(&mut self) -> Result<bool, Infallible> {
        self.is_high().map(|high| !high)
    }
}

/// Simulated wires settle at once.
struct NoWait;

impl DelayNs for NoWait {
    fn delay_ns(&mut self, _ns: u32) {}
}
