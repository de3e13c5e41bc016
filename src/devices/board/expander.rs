//! Port expanders: five MCP23017 on I²C or four MCP23S17 on SPI.
//!
//! # GPA7 and GPB7 of the MCP23017 are no inputs
//!
//! As inputs they can corrupt SDA. They are outputs here, driven low, and 14 inputs a chip are
//! left. Source: MCP23017 data sheet DS20001952 (2022), pin description; the MCP23S17 is not
//! affected.
//!
//! # A chip that was without power has forgotten its pull-ups
//!
//! After a reset the chip still answers, but open reeds may read as anything. So the settings are
//! read back: of one MCP23017 with each reading in turn, of every MCP23S17 each time. Lost settings
//! are written again.

use embedded_hal::{
    i2c::{Error as _, ErrorKind, I2c},
    spi::SpiDevice,
};

use super::{
    BoardReader, ReadError,
    wiring::{Level, Levels, Wiring},
};

/// Direction of port A; with `IOCON.BANK` = 0 port B follows.
const IODIRA: u8 = 0x00;
/// Settings of the whole chip.
const IOCON: u8 = 0x0A;
/// Pull-ups of port A, then B.
const GPPUA: u8 = 0x0C;
/// Levels of port A, then B.
const GPIOA: u8 = 0x12;
/// Levels of the outputs: latches of port A, then B.
const OLATA: u8 = 0x14;
/// `IOCON.HAEN`: the address pins of an MCP23S17 count.
const HAEN: u8 = 0x08;

/// Five MCP23017.
#[derive(Debug)]
pub struct Mcp23017<I> {
    i2c: I,
    wiring: Wiring,
    /// Which chips are known to have their settings.
    ready: Vec<bool>,
    /// The chip whose settings are read back with the next reading.
    checked: usize,
}

impl<I: I2c> Mcp23017<I> {
    /// The chips on this bus.
    pub fn new(i2c: I, wiring: Wiring) -> Mcp23017<I> {
        let ready = vec![false; wiring.addresses.len()];
        Mcp23017 { i2c, wiring, ready, checked: 0 }
    }

    /// A chip that failed may have lost its settings with its power.
    fn failed(&mut self, chip: usize, err: I::Error) -> ReadError {
        self.ready[chip] = false;
        let address = self.wiring.addresses[chip];
        match err.kind() {
            ErrorKind::NoAcknowledge(_) => {
                ReadError::NoAnswer { address, reason: "no acknowledgement".to_owned() }
            }
            ErrorKind::Bus | ErrorKind::ArbitrationLoss => {
                ReadError::Bus { bus: "I2C", reason: format!("{err:?}") }
            }
            _ => ReadError::NoAnswer { address, reason: format!("{err:?}") },
        }
    }

    fn set_up(&mut self, chip: usize) -> Result<(), ReadError> {
        let address = self.wiring.addresses[chip];
        let pull_up = self.pull_up();
        // Inputs 0 to 6, outputs 7, low. Written to the latches, not to the ports: that is the same
        // for the chip, and the kernel's i2c-stub would read it back as levels.
        let written = self
            .i2c
            .write(address, &[OLATA, 0, 0])
            .and_then(|()| self.i2c.write(address, &[IODIRA, 0x7F, 0x7F]))
            .and_then(|()| self.i2c.write(address, &[GPPUA, pull_up, pull_up]));
        written.map_err(|err| self.failed(chip, err))?;
        self.ready[chip] = true;
        Ok(())
    }

    fn pull_up(&self) -> u8 {
        if self.wiring.closed == Level::Low { 0x7F } else { 0x00 }
    }

    /// Whether the chip still has its settings.
    fn has_settings(&mut self, chip: usize) -> Result<bool, ReadError> {
        let address = self.wiring.addresses[chip];
        let (mut direction, mut pull_up) = ([0; 2], [0; 2]);
        let read = self
            .i2c
            .write_read(address, &[IODIRA], &mut direction)
            .and_then(|()| self.i2c.write_read(address, &[GPPUA], &mut pull_up));
        read.map_err(|err| self.failed(chip, err))?;
        Ok(direction == [0x7F; 2] && pull_up == [self.pull_up(); 2])
    }
}

impl<I: I2c + Send> BoardReader for Mcp23017<I> {
    fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    fn levels(&mut self) -> Result<Levels, ReadError> {
        let chips = self.wiring.addresses.len();
        self.checked = (self.checked + 1) % chips.max(1);
        let mut levels = 0;
        for chip in 0..chips {
            if self.ready[chip] && chip == self.checked && !self.has_settings(chip)? {
                self.ready[chip] = false;
            }
            if !self.ready[chip] {
                self.set_up(chip)?;
            }
            let mut ports = [0; 2];
            self.i2c
                .write_read(self.wiring.addresses[chip], &[GPIOA], &mut ports)
                .map_err(|err| self.failed(chip, err))?;
            for (port, byte) in ports.into_iter().enumerate() {
                levels |= Levels::from(byte & 0x7F) << ((chip * 2 + port) * 7);
            }
        }
        Ok(levels)
    }
}

/// Four MCP23S17 on one chip select.
#[derive(Debug)]
pub struct Mcp23s17<S> {
    spi: S,
    wiring: Wiring,
    ready: bool,
}

impl<S: SpiDevice> Mcp23s17<S> {
    /// The chips on this bus.
    pub fn new(spi: S, wiring: Wiring) -> Mcp23s17<S> {
        Mcp23s17 { spi, wiring, ready: false }
    }

    /// `0100` and the three address bits, then read or write.
    fn opcode(address: u8, read: bool) -> u8 {
        0x40 | (address & 0x07) << 1 | u8::from(read)
    }

    fn write(&mut self, address: u8, bytes: &[u8; 3]) -> Result<(), ReadError> {
        let [register, first, second] = *bytes;
        self.spi
            .write(&[Self::opcode(address, false), register, first, second])
            .map_err(|err| ReadError::Bus { bus: "SPI", reason: format!("{err:?}") })
    }

    fn pull_up(&self) -> u8 {
        if self.wiring.closed == Level::Low { 0xFF } else { 0x00 }
    }

    fn set_up(&mut self) -> Result<(), ReadError> {
        // Before HAEN is set, every chip listens to address 0; some with A2 high listen to 4.
        // Source: MCP23S17 errata DS80311A, item 1.
        for address in [0, 4] {
            self.write(address, &[IOCON, HAEN, HAEN])?;
        }
        let pull_up = self.pull_up();
        for address in self.wiring.addresses.clone() {
            self.write(address, &[IODIRA, 0xFF, 0xFF])?;
            self.write(address, &[GPPUA, pull_up, pull_up])?;
        }
        self.ready = true;
        Ok(())
    }

    /// The levels of both ports of one chip, if it has its settings.
    fn ports(&mut self, address: u8) -> Result<u16, ReadError> {
        // From IOCON to GPIOB in one go: settings and levels.
        let mut bytes = [0; 12];
        let mut sent = [0; 12];
        sent[..2].copy_from_slice(&[Self::opcode(address, true), IOCON]);
        self.spi
            .transfer(&mut bytes, &sent)
            .map_err(|err| ReadError::Bus { bus: "SPI", reason: format!("{err:?}") })?;
        let at = |register: u8| bytes[usize::from(2 + register - IOCON)];
        let wrong = |told, found| ReadError::WrongEcho { address, told, found };
        if at(IOCON) != HAEN {
            return Err(wrong(HAEN, at(IOCON)));
        }
        for register in [GPPUA, GPPUA + 1] {
            if at(register) != self.pull_up() {
                return Err(wrong(self.pull_up(), at(register)));
            }
        }
        Ok(u16::from_le_bytes([at(GPIOA), at(GPIOA + 1)]))
    }
}

impl<S: SpiDevice + Send> BoardReader for Mcp23s17<S> {
    fn wiring(&self) -> &Wiring {
        &self.wiring
    }

    fn levels(&mut self) -> Result<Levels, ReadError> {
        if !self.ready {
            self.set_up()?;
        }
        let mut levels = 0;
        for chip in 0..self.wiring.addresses.len() {
            let ports = self.ports(self.wiring.addresses[chip]).inspect_err(|_| {
                self.ready = false;
            })?;
            levels |= Levels::from(ports) << (chip * 16);
        }
        Ok(levels)
    }
}
