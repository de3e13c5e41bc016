//! Which reed is on which wire: every default in one place.
//!
//! [`Wiring::default_for`] is the circuit in `hardware/`; the keys of `[board]` change it
//! ([`Wires`]). A reader numbers its inputs from 0 in the order in which they are read, and knows
//! nothing of squares. Polarity, bit order, map and orientation are applied here, once for all
//! readers.
//!
//! ```
//! use annabella_devices::board::wiring::{ReaderKind, Wiring};
//! use shakmaty::Square;
//! let wiring = Wiring::default_for(ReaderKind::Expander);
//! assert_eq!(wiring.square(14), Some(Square::G2));
//! // Closed reeds pull their input low.
//! assert_eq!(wiring.occupied(!(1 << 14)).into_iter().collect::<Vec<_>>(), [Square::G2]);
//! ```

mod error;
mod pins;

use shakmaty::{Bitboard, Square};

pub use error::WiringError;
pub use pins::{ButtonPins, LightPins, no_pin_twice};

use annabella_words::text::spelled;

spelled! {
    /// The circuit that reads the 64 reeds.
    ReaderKind {
        /// Eight 74HC165 in a chain on SPI, and a latch line.
        ShiftRegister = "shift-register",
        /// Five MCP23017 on I²C.
        Expander = "expander-i2c",
        /// Four MCP23S17 on SPI.
        ExpanderSpi = "expander-spi",
        /// Eight rows by eight columns on GPIO, a diode at each reed.
        Matrix = "matrix",
    }
}

spelled! {
    /// The bus of a port expander.
    Bus {
        /// MCP23017.
        I2c = "i2c",
        /// MCP23S17.
        Spi = "spi",
    }
}

spelled! {
    /// In which order the inputs of one port, or the columns of one row, are wired.
    BitOrder {
        /// A to H, 0 to 7, first column to last.
        Normal = "normal",
        Reversed = "reversed",
    }
}

spelled! {
    /// The level of an input while its reed is closed.
    Level {
        /// A reed to ground and a pull-up.
        Low = "low",
        /// A reed to 3.3 V and a pull-down.
        High = "high",
    }
}

/// How far the board is turned clockwise, seen from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Orientation {
    Upright,
    /// A quarter turn.
    Right,
    /// Half a turn.
    Around,
    /// Three quarters.
    Left,
}

impl Orientation {
    /// All four, least first.
    pub const ALL: [Orientation; 4] =
        [Orientation::Upright, Orientation::Right, Orientation::Around, Orientation::Left];

    /// 0, 90, 180 or 270.
    pub fn degrees(self) -> u16 {
        match self {
            Orientation::Upright => 0,
            Orientation::Right => 90,
            Orientation::Around => 180,
            Orientation::Left => 270,
        }
    }

    /// From 0, 90, 180 or 270.
    pub fn from_degrees(degrees: u16) -> Option<Orientation> {
        Orientation::ALL.into_iter().find(|turn| turn.degrees() == degrees)
    }

    /// The place of the reed that was drawn for `square`.
    pub fn turn(self, square: Square) -> Square {
        match self {
            Orientation::Upright => square,
            // White's left corner goes to Black's left corner as White sees it: a1 to a8.
            Orientation::Right => square.flip_diagonal().flip_vertical(),
            Orientation::Around => square.rotate_180(),
            Orientation::Left => square.flip_diagonal().flip_horizontal(),
        }
    }
}

/// Levels of all inputs: bit n is set while input n is high.
pub type Levels = u128;

/// What `[board]` says about the wires; the defaults are those of the drawings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wires {
    /// Squares in the order of the inputs, `None` for an input without a reed; no list: as drawn.
    pub map: Option<Vec<Option<Square>>>,
    /// Inputs within a port.
    pub bit_order: BitOrder,
    /// The level of a closed reed.
    pub closed: Level,
    /// How the board is turned.
    pub orientation: Orientation,
    /// Readings of the whole board a second.
    pub scan_hz: u16,
    /// SPI controller: the 0 of `/dev/spidev0.1`.
    pub spi_bus: u8,
    /// Chip select: the 1 of `/dev/spidev0.1`.
    pub spi_select: u8,
    /// SPI clock; `None`: the chips' default.
    pub spi_hz: Option<u32>,
    /// SH/LD of the shift registers, BCM number.
    pub latch_gpio: u8,
    /// The last shift register's serial input lies at the level of a closed reed, so that a broken
    /// chain and an empty board read differently.
    pub chain_check: bool,
    /// I²C bus: the 1 of `/dev/i2c-1`.
    pub i2c_bus: u8,
    /// Addresses of the expanders, in order; `None`: as drawn.
    pub addresses: Option<Vec<u8>>,
    /// Rows of the matrix, BCM numbers, rank 1 first.
    pub rows: [u8; 8],
    /// Columns of the matrix, BCM numbers, file a first.
    pub columns: [u8; 8],
    /// How long a row needs to settle.
    pub settle_us: u32,
}

impl Default for Wires {
    fn default() -> Wires {
        Wires {
            map: None,
            bit_order: BitOrder::Normal,
            closed: Level::Low,
            orientation: Orientation::Upright,
            scan_hz: 250,
            spi_bus: 0,
            spi_select: 0,
            spi_hz: None,
            latch_gpio: 25,
            chain_check: true,
            i2c_bus: 1,
            addresses: None,
            rows: [4, 17, 27, 22, 23, 24, 25, 12],
            columns: [16, 20, 21, 18, 10, 9, 11, 8],
            settle_us: 20,
        }
    }
}

/// Readings a second that can be asked for.
pub const SCAN_HZ: std::ops::RangeInclusive<u16> = 20..=1000;
/// GPIO that a builder may use, BCM numbers; 0 and 1 belong to the plug-in board's memory.
pub const GPIO: std::ops::RangeInclusive<u8> = 2..=27;

/// A reader's wires, complete and checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wiring {
    pub kind: ReaderKind,
    /// Inputs within a port.
    pub bit_order: BitOrder,
    /// The level of a closed reed.
    pub closed: Level,
    /// How the board is turned.
    pub orientation: Orientation,
    /// Readings of the whole board a second.
    pub scan_hz: u16,
    pub spi: (u8, u8),
    pub spi_hz: u32,
    /// SH/LD of the shift registers, BCM number.
    pub latch_gpio: u8,
    /// See [`Wires::chain_check`].
    pub chain_check: bool,
    pub i2c_bus: u8,
    /// I²C clock that `hardware/config.txt` sets; the kernel's business, not ours.
    pub i2c_hz: u32,
    pub addresses: Vec<u8>,
    pub rows: [u8; 8],
    pub columns: [u8; 8],
    /// How long a row needs to settle.
    pub settle_us: u32,
    map: Vec<Option<Square>>,
    /// The square of each input, bit order and orientation applied.
    squares: Vec<Option<Square>>,
}

impl ReaderKind {
    /// Inputs that can be read: 64, or 70 where chips of 14 inputs are used.
    ///
    /// Source: MCP23017 data sheet DS20001952, 2022: GPA7 and GPB7 are outputs only.
    pub fn inputs(self) -> usize {
        match self {
            ReaderKind::Expander => 70,
            ReaderKind::ShiftRegister | ReaderKind::ExpanderSpi | ReaderKind::Matrix => 64,
        }
    }

    /// Its chips hang on SPI.
    pub fn is_on_spi(self) -> bool {
        matches!(self, ReaderKind::ShiftRegister | ReaderKind::ExpanderSpi)
    }

    /// Its chips hang on I²C, for which any Linux can have an adapter.
    pub fn is_on_i2c(self) -> bool {
        self == ReaderKind::Expander
    }

    /// Inputs of one port, row or register.
    pub fn port(self) -> usize {
        if self == ReaderKind::Expander { 7 } else { 8 }
    }

    /// Addresses of the chips as drawn; none where chips have no addresses.
    pub fn addresses(self) -> &'static [u8] {
        match self {
            ReaderKind::Expander => &[0x20, 0x21, 0x22, 0x23, 0x24],
            ReaderKind::ExpanderSpi => &[0x20, 0x21, 0x22, 0x23],
            ReaderKind::ShiftRegister | ReaderKind::Matrix => &[],
        }
    }

    /// a1 to h1, a2 to h2 and so on; inputs left over have no reed.
    pub fn map(self) -> Vec<Option<Square>> {
        let squares = Square::ALL.into_iter().map(Some);
        squares.chain(std::iter::repeat(None)).take(self.inputs()).collect()
    }
}

impl Wiring {
    /// The wiring that the drawings show.
    pub fn default_for(kind: ReaderKind) -> Wiring {
        Wiring::build(kind, &Wires::default())
    }

    /// The wiring that the configuration describes.
    ///
    /// # Errors
    /// [`WiringError`] with what to change.
    pub fn new(kind: ReaderKind, wires: &Wires) -> Result<Wiring, WiringError> {
        let wiring = Wiring::build(kind, wires);
        wiring.check_map()?;
        wiring.check_addresses()?;
        no_pin_twice(&wiring.pins())?;
        Ok(wiring)
    }

    fn build(kind: ReaderKind, wires: &Wires) -> Wiring {
        let mut wiring = Wiring {
            kind,
            bit_order: wires.bit_order,
            closed: wires.closed,
            orientation: wires.orientation,
            scan_hz: wires.scan_hz,
            spi: (wires.spi_bus, wires.spi_select),
            spi_hz: wires.spi_hz.unwrap_or(match kind {
                ReaderKind::ExpanderSpi => 4_000_000,
                _ => 1_000_000,
            }),
            latch_gpio: wires.latch_gpio,
            chain_check: wires.chain_check,
            i2c_bus: wires.i2c_bus,
            i2c_hz: 400_000,
            addresses: wires.addresses.clone().unwrap_or_else(|| kind.addresses().to_vec()),
            rows: wires.rows,
            columns: wires.columns,
            settle_us: wires.settle_us,
            map: wires.map.clone().unwrap_or_else(|| kind.map()),
            squares: Vec::new(),
        };
        wiring.place_squares();
        wiring
    }

    /// The same inputs in another order, on a board that lies another way.
    pub fn rewired(&self, bit_order: BitOrder, orientation: Orientation) -> Wiring {
        let mut wiring = Wiring { bit_order, orientation, ..self.clone() };
        wiring.place_squares();
        wiring
    }

    /// The same with these squares on these inputs, each once; the other squares stay where they
    /// are, or go where there is room.
    pub fn with_inputs(&self, pairs: &[(Square, usize)]) -> Wiring {
        let mut squares: Vec<Option<Square>> = vec![None; self.kind.inputs()];
        for (square, input) in pairs {
            if let Some(at) = squares.get_mut(*input) {
                *at = Some(*square);
            }
        }
        let rest: Vec<Square> =
            Square::ALL.into_iter().filter(|square| !squares.contains(&Some(*square))).collect();
        for square in rest {
            let kept = self.input(square).filter(|input| squares[*input].is_none());
            if let Some(at) = kept.or_else(|| squares.iter().position(Option::is_none)) {
                squares[at] = Some(square);
            }
        }
        let mut wiring = self.clone();
        let back = |square: Square| {
            let drawn = |drawn: &Square| self.orientation.turn(*drawn) == square;
            Square::ALL.into_iter().find(drawn)
        };
        for (input, square) in squares.into_iter().enumerate() {
            wiring.map[place(self.kind, self.bit_order, input)] = square.and_then(back);
        }
        wiring.place_squares();
        wiring
    }

    /// The same board with its ports, or strips, elsewhere: `places[n]` is where port n is read
    /// now, and whether its inputs are the other way round.
    pub fn with_strips(&self, places: &[(usize, bool)]) -> Wiring {
        let port = self.kind.port();
        let pairs = places.iter().enumerate().flat_map(|(strip, &(place, turned))| {
            (0..port).filter_map(move |input| {
                let to = if turned { port - 1 - input } else { input };
                Some((self.square(strip * port + input)?, place * port + to))
            })
        });
        self.with_inputs(&pairs.collect::<Vec<_>>())
    }

    /// Applies bit order and orientation to the map.
    fn place_squares(&mut self) {
        let turn = |square: Square| self.orientation.turn(square);
        let place = |input| place(self.kind, self.bit_order, input);
        let squares = (0..self.kind.inputs())
            .map(|input| self.map.get(place(input)).copied().flatten().map(turn))
            .collect();
        self.squares = squares;
    }

    fn check_map(&self) -> Result<(), WiringError> {
        let (kind, wanted, found) = (self.kind, self.kind.inputs(), self.map.len());
        if wanted != found {
            return Err(WiringError::MapLength { kind, wanted, found });
        }
        for square in Square::ALL {
            let times = self.map.iter().filter(|at| **at == Some(square)).count();
            if times != 1 {
                return Err(WiringError::MapSquare { square, twice: times > 1 });
            }
        }
        Ok(())
    }

    fn check_addresses(&self) -> Result<(), WiringError> {
        let (kind, wanted) = (self.kind, self.kind.addresses().len());
        if wanted == 0 {
            return Ok(());
        }
        if self.addresses.len() != wanted {
            return Err(WiringError::Chips { kind, wanted, found: self.addresses.len() });
        }
        for (n, &address) in self.addresses.iter().enumerate() {
            if !(0x20..=0x27).contains(&address) || self.addresses[..n].contains(&address) {
                return Err(WiringError::Address { address });
            }
        }
        Ok(())
    }

    /// The GPIO that the reader needs, each with its purpose. Those of a bus are SPI 0 and I²C 1 on
    /// the 40-pin header.
    pub fn pins(&self) -> Vec<(u8, String)> {
        let named = |pins: &[(u8, &str)]| -> Vec<(u8, String)> {
            pins.iter().map(|&(gpio, name)| (gpio, name.to_owned())).collect()
        };
        let select = if self.spi.1 == 0 { (8, "CS") } else { (7, "CS") };
        match self.kind {
            ReaderKind::ShiftRegister => {
                named(&[(11, "SCLK"), (9, "MISO"), (self.latch_gpio, "LATCH")])
            }
            ReaderKind::Expander => named(&[(2, "SDA"), (3, "SCL")]),
            ReaderKind::ExpanderSpi => named(&[(11, "SCLK"), (10, "MOSI"), (9, "MISO"), select]),
            ReaderKind::Matrix => {
                let rows = self.rows.iter().zip(1..).map(|(&pin, n)| (pin, format!("row {n}")));
                let columns = self.columns.iter().zip('a'..='h');
                rows.chain(columns.map(|(&pin, file)| (pin, format!("column {file}")))).collect()
            }
        }
    }

    /// Squares in the order of the inputs, before the board was turned.
    pub fn map(&self) -> &[Option<Square>] {
        &self.map
    }

    /// The square of an input, bit order and orientation applied.
    pub fn square(&self, input: usize) -> Option<Square> {
        self.squares.get(input).copied().flatten()
    }

    pub fn input(&self, square: Square) -> Option<usize> {
        (0..self.kind.inputs()).find(|input| self.square(*input) == Some(square))
    }

    /// Which inputs have a closed reed: bit n for input n.
    pub fn closed(&self, levels: Levels) -> Levels {
        let all = (1 << self.kind.inputs()) - 1;
        match self.closed {
            Level::Low => !levels & all,
            Level::High => levels & all,
        }
    }

    /// Which squares have a peg.
    pub fn occupied(&self, levels: Levels) -> Bitboard {
        let closed = self.closed(levels);
        (0..self.kind.inputs())
            .filter(|input| closed >> input & 1 == 1)
            .filter_map(|input| self.square(input))
            .collect()
    }

    /// The levels that this board gives: for twins and tests.
    pub fn levels(&self, occupied: Bitboard) -> Levels {
        let closed = (0..self.kind.inputs())
            .filter(|input| self.square(*input).is_some_and(|square| occupied.contains(square)))
            .fold(0, |bits: Levels, input| bits | 1 << input);
        match self.closed {
            Level::Low => !closed & ((1 << self.kind.inputs()) - 1),
            Level::High => closed,
        }
    }

    /// How long one reading takes on the wire, microseconds, as computed from the bits that pass
    /// and the row settling; without what the operating system adds.
    pub fn wire_us(&self) -> f64 {
        let bits_us = |bits: u32, hz: u32| f64::from(bits) * 1e6 / f64::from(hz);
        match self.kind {
            // 64 bits, 8 of the chain check; the latch takes 1 µs.
            ReaderKind::ShiftRegister => {
                1.0 + bits_us(64 + if self.chain_check { 8 } else { 0 }, self.spi_hz)
            }
            // Start, address, register, start, address, two bytes and stop, each byte with its
            // acknowledgement: the ports of five chips, and the settings of one, in two reads.
            ReaderKind::Expander => bits_us((5 + 2) * (3 + 5 * 9), self.i2c_hz),
            // Opcode, register, ten registers.
            ReaderKind::ExpanderSpi => 4.0 * bits_us(12 * 8, self.spi_hz),
            ReaderKind::Matrix => 8.0 * f64::from(self.settle_us),
        }
    }
}

/// The index of an input in the map.
fn place(kind: ReaderKind, order: BitOrder, input: usize) -> usize {
    let port = kind.port();
    match order {
        BitOrder::Normal => input,
        BitOrder::Reversed => input / port * port + (port - 1 - input % port),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn default_wirings_are_right_in_themselves_and_leave_the_buttons_their_pins() {
        for &(_, kind) in ReaderKind::ALL {
            let wiring = Wiring::new(kind, &Wires::default()).expect("right");
            assert_eq!(wiring, Wiring::default_for(kind));
            let mut pins = wiring.pins();
            pins.extend(ButtonPins::default().pins());
            assert_eq!(no_pin_twice(&pins), Ok(()));
            assert!(pins.iter().all(|(gpio, _)| GPIO.contains(gpio)));
        }
    }

    #[test]
    fn a_board_turned_to_the_right_has_a1_at_a8() {
        assert_eq!(Orientation::Right.turn(Square::A1), Square::A8);
        assert_eq!(Orientation::Right.turn(Square::H1), Square::A1);
        assert_eq!(Orientation::Around.turn(Square::A2), Square::H7);
        assert_eq!(Orientation::Left.turn(Square::A1), Square::H1);
        for square in Square::ALL {
            let once = Orientation::Right.turn(square);
            assert_eq!(Orientation::Right.turn(once), Orientation::Around.turn(square));
            assert_eq!(Orientation::Left.turn(once), square);
        }
    }

    #[test]
    fn wrong_wires_are_refused_with_what_to_change() {
        let refused =
            |kind, wires: Wires| Wiring::new(kind, &wires).expect_err("wrong").to_string();
        let mut map = ReaderKind::Matrix.map();
        map.pop();
        let wires = Wires { map: Some(map.clone()), ..Wires::default() };
        assert_eq!(
            refused(ReaderKind::Expander, wires),
            "map names 63 inputs, expander-i2c has 70: write \"-\" for an input without a reed"
        );
        map.push(Some(Square::A1));
        let wires = Wires { map: Some(map), ..Wires::default() };
        assert_eq!(
            refused(ReaderKind::Matrix, wires),
            "map has a1 twice: write each square once, or run `annabella board test`"
        );
        let wires = Wires { addresses: Some(vec![0x20, 0x21]), ..Wires::default() };
        assert_eq!(
            refused(ReaderKind::Expander, wires),
            "addresses names 2 chips, expander-i2c needs 5"
        );
        let wires = Wires { addresses: Some(vec![0x20, 0x21, 0x22, 0x20]), ..Wires::default() };
        assert_eq!(
            refused(ReaderKind::ExpanderSpi, wires),
            "addresses: 0x20 is out of range or given twice: use 0x20 to 0x27, each once"
        );
        let wires = Wires { latch_gpio: 11, ..Wires::default() };
        assert_eq!(
            refused(ReaderKind::ShiftRegister, wires),
            "GPIO 11 is used twice, for SCLK and for LATCH: move one of them"
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_a_board_gives_is_what_is_read_from_it(
            occupied: u64, kind in 0usize..4, turned in 0usize..4, reversed: bool, high: bool,
        ) {
            let wires = Wires {
                orientation: Orientation::ALL[turned],
                bit_order: if reversed { BitOrder::Reversed } else { BitOrder::Normal },
                closed: if high { Level::High } else { Level::Low },
                ..Wires::default()
            };
            let wiring = Wiring::new(ReaderKind::ALL[kind].1, &wires).expect("right");
            let occupied = Bitboard(occupied);
            prop_assert_eq!(wiring.occupied(wiring.levels(occupied)), occupied);
            for square in Square::ALL {
                let input = wiring.input(square).expect("every square has one");
                prop_assert_eq!(wiring.square(input), Some(square));
            }
        }
    }
}
