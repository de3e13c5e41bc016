//! Buses by rppal, pins by the kernel's character device, as the readers want them.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use embedded_hal::{
    delay::DelayNs,
    digital::{self, OutputPin as OutPin},
    i2c, spi,
};
use gpiocdev::{
    Request,
    chip::Chip,
    line::{Bias, Value},
    request::Config,
};
use rppal::{
    i2c::{self as pi_i2c, I2c},
    spi::{self as pi_spi, Bus, Mode, SlaveSelect, Spi},
};

use super::super::{
    BoardReader, ReadError,
    buttons::{Button, ButtonInputs, ButtonsReader, Light, Lights},
    expander::{Mcp23s17, Mcp23017},
    matrix::Matrix,
    shift_register::{self, ShiftRegisters},
    wiring::{ButtonPins, Level, LightPins, ReaderKind, Wiring},
};

const GROUP_I2C: &str = "switch I2C on (raspi-config), and add the user to group i2c";
const GROUP_SPI: &str = "switch SPI on (raspi-config), and add the user to group spi";
const GROUP_GPIO: &str = "run it on a Raspberry Pi, and add the user to group gpio";

pub(super) fn open(wiring: &Wiring) -> Result<Box<dyn BoardReader>, ReadError> {
    let wiring = wiring.clone();
    Ok(match wiring.kind {
        ReaderKind::Expander => {
            let bus = Registers(open_i2c(wiring.i2c_bus)?);
            Box::new(Mcp23017::new(bus, wiring))
        }
        ReaderKind::ShiftRegister => {
            let spi = open_spi(&wiring, shift_register::MODE)?;
            let latch = output(&open_gpio()?, wiring.latch_gpio, true)?;
            Box::new(ShiftRegisters::new(spi, latch, wiring))
        }
        ReaderKind::ExpanderSpi => Box::new(Mcp23s17::new(open_spi(&wiring, spi::MODE_0)?, wiring)),
        ReaderKind::Matrix => {
            let gpio = open_gpio()?;
            let low = wiring.closed == Level::Low;
            let row = |pin| output(&gpio, pin, low);
            let column = |pin| input(&gpio, pin, low);
            let rows = each(wiring.rows, row)?;
            let columns = each(wiring.columns, column)?;
            Box::new(Matrix::new(rows, columns, Wait, wiring))
        }
    })
}

/// All eight, or the first error.
fn each<T>(pins: [u8; 8], open: impl Fn(u8) -> Result<T, ReadError>) -> Result<[T; 8], ReadError> {
    let opened: Vec<T> = pins.into_iter().map(open).collect::<Result<_, _>>()?;
    match opened.try_into() {
        Ok(eight) => Ok(eight),
        // Eight pins give eight lines.
        Err(_) => unreachable!("eight pins give eight"),
    }
}

fn open_i2c(bus: u8) -> Result<I2c, ReadError> {
    I2c::with_bus(bus).map_err(|err| ReadError::Open {
        device: format!("/dev/i2c-{bus}"),
        reason: err.to_string(),
        remedy: GROUP_I2C,
    })
}

fn open_spi(wiring: &Wiring, mode: spi::Mode) -> Result<Exchange, ReadError> {
    let (bus, select) = wiring.spi;
    let device = format!("/dev/spidev{bus}.{select}");
    let refuse = |reason: String| ReadError::Open { device, reason, remedy: GROUP_SPI };
    let buses = [Bus::Spi0, Bus::Spi1, Bus::Spi2, Bus::Spi3, Bus::Spi4, Bus::Spi5, Bus::Spi6];
    let selects = [SlaveSelect::Ss0, SlaveSelect::Ss1, SlaveSelect::Ss2];
    let named = buses.get(usize::from(bus)).zip(selects.get(usize::from(select)));
    let Some((&bus, &select)) = named else {
        return Err(refuse("there is no such bus".to_owned()));
    };
    let mode = match (mode.polarity, mode.phase) {
        (spi::Polarity::IdleLow, spi::Phase::CaptureOnFirstTransition) => Mode::Mode0,
        (spi::Polarity::IdleLow, spi::Phase::CaptureOnSecondTransition) => Mode::Mode1,
        (spi::Polarity::IdleHigh, spi::Phase::CaptureOnFirstTransition) => Mode::Mode2,
        (spi::Polarity::IdleHigh, spi::Phase::CaptureOnSecondTransition) => Mode::Mode3,
    };
    Spi::new(bus, select, wiring.spi_hz, mode).map(Exchange).map_err(|err| refuse(err.to_string()))
}

/// The chip of the Pi's header, by the names that its drivers have: Pi 3 and Zero 2, Pi 4, Pi 5. It
/// is there with every kernel; `/dev/gpiomem` with that of Raspberry Pi OS alone.
const HEADERS: [&str; 3] = ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"];

fn open_gpio() -> Result<PathBuf, ReadError> {
    let failed = |err: &gpiocdev::Error| pin_error("GPIO".to_owned(), err.to_string());
    let chips = gpiocdev::chip::chips().map_err(|err| failed(&err))?;
    let mut refused = None;
    for path in chips {
        match Chip::from_path(&path).and_then(|chip| chip.info()) {
            Ok(info) if HEADERS.contains(&info.label.as_str()) => return Ok(path),
            Ok(_) => {}
            Err(err) => refused = Some(failed(&err)),
        }
    }
    let none =
        || pin_error("GPIO".to_owned(), "this machine has no pins of a Raspberry Pi".to_owned());
    Err(refused.unwrap_or_else(none))
}

fn pin_error(device: String, reason: String) -> ReadError {
    ReadError::Open { device, reason, remedy: GROUP_GPIO }
}

/// One line for as long as it lives.
struct Line {
    request: Request,
    pin: u8,
}

impl Line {
    fn open(gpio: &Path, pin: u8, mut wanted: Config) -> Result<Line, ReadError> {
        wanted.on_chip(gpio).with_line(pin.into());
        let request = Request::from_config(wanted).with_consumer("annabella").request();
        let request = request.map_err(|err| pin_error(format!("GPIO {pin}"), err.to_string()))?;
        Ok(Line { request, pin })
    }

    fn set(&self, value: Value) -> Result<(), BusError> {
        Ok(self.request.set_value(self.pin.into(), value)?)
    }

    fn is_high(&self) -> Result<bool, BusError> {
        Ok(self.request.value(self.pin.into())? == Value::Active)
    }
}

fn output(gpio: &Path, pin: u8, high: bool) -> Result<Out, ReadError> {
    let mut wanted = Config::default();
    wanted.as_output(if high { Value::Active } else { Value::Inactive });
    Line::open(gpio, pin, wanted).map(Out)
}

fn input(gpio: &Path, pin: u8, pull_up: bool) -> Result<In, ReadError> {
    let mut wanted = Config::default();
    wanted.as_input().with_bias(if pull_up { Bias::PullUp } else { Bias::PullDown });
    Line::open(gpio, pin, wanted).map(In)
}

/// A bus's error, one line.
pub(super) struct BusError {
    reason: String,
    kind: i2c::ErrorKind,
}

impl fmt::Debug for BusError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl i2c::Error for BusError {
    fn kind(&self) -> i2c::ErrorKind {
        self.kind
    }
}

impl spi::Error for BusError {
    fn kind(&self) -> spi::ErrorKind {
        spi::ErrorKind::Other
    }
}

impl From<pi_i2c::Error> for BusError {
    fn from(err: pi_i2c::Error) -> BusError {
        BusError { reason: err.to_string(), kind: i2c::ErrorKind::Other }
    }
}

impl digital::Error for BusError {
    fn kind(&self) -> digital::ErrorKind {
        digital::ErrorKind::Other
    }
}

impl From<gpiocdev::Error> for BusError {
    fn from(err: gpiocdev::Error) -> BusError {
        BusError { reason: err.to_string(), kind: i2c::ErrorKind::Other }
    }
}

impl From<pi_spi::Error> for BusError {
    fn from(err: pi_spi::Error) -> BusError {
        BusError { reason: err.to_string(), kind: i2c::ErrorKind::Other }
    }
}

fn unsupported(what: &str) -> BusError {
    BusError { reason: format!("{what} is not done here"), kind: i2c::ErrorKind::Other }
}

/// Registers of chips: a number written, then bytes written or read.
struct Registers(I2c);

impl i2c::ErrorType for Registers {
    type Error = BusError;
}

impl i2c::I2c for Registers {
    fn transaction(
        &mut self,
        address: u8,
        operations: &mut [i2c::Operation<'_>],
    ) -> Result<(), BusError> {
        use i2c::Operation::{Read, Write};
        self.0.set_slave_address(u16::from(address))?;
        match operations {
            [Write([register]), Read(bytes)] => self.0.block_read(*register, bytes)?,
            [Write([register, bytes @ ..])] => self.0.block_write(*register, bytes)?,
            _ => return Err(unsupported("such a transfer")),
        }
        Ok(())
    }
}

/// One transfer at a time, chip select around each.
struct Exchange(Spi);

impl spi::ErrorType for Exchange {
    type Error = BusError;
}

impl spi::SpiDevice for Exchange {
    fn transaction(&mut self, operations: &mut [spi::Operation<'_, u8>]) -> Result<(), BusError> {
        use spi::Operation::{Read, Transfer, Write};
        let (done, wanted) = match operations {
            [Read(bytes)] => (self.0.read(bytes)?, bytes.len()),
            [Write(bytes)] => (self.0.write(bytes)?, bytes.len()),
            [Transfer(read, write)] => (self.0.transfer(read, write)?, write.len()),
            _ => return Err(unsupported("such a transfer")),
        };
        if done == wanted { Ok(()) } else { Err(unsupported("half a transfer")) }
    }
}

struct Out(Line);

impl digital::ErrorType for Out {
    type Error = BusError;
}

impl digital::OutputPin for Out {
    fn set_low(&mut self) -> Result<(), BusError> {
        self.0.set(Value::Inactive)
    }

    fn set_high(&mut self) -> Result<(), BusError> {
        self.0.set(Value::Active)
    }
}

struct In(Line);

impl digital::ErrorType for In {
    type Error = BusError;
}

impl digital::InputPin for In {
    fn is_high(&mut self) -> Result<bool, BusError> {
        self.0.is_high()
    }

    fn is_low(&mut self) -> Result<bool, BusError> {
        Ok(!self.0.is_high()?)
    }
}

/// Waits by spinning: a thread that sleeps is not back after 20 µs.
struct Wait;

impl DelayNs for Wait {
    fn delay_ns(&mut self, ns: u32) {
        let until = std::time::Instant::now() + std::time::Duration::from_nanos(ns.into());
        while std::time::Instant::now() < until {
            std::hint::spin_loop();
        }
    }
}

/// The buttons on these pins.
///
/// # Errors
/// [`ReadError::Open`] with the remedy.
pub(super) fn buttons(pins: &ButtonPins) -> Result<impl ButtonsReader + 'static, ReadError> {
    let all = [
        (Button::Talk, pins.talk),
        (Button::Repeat, pins.repeat),
        (Button::ClockLeft, pins.clock_left),
        (Button::ClockRight, pins.clock_right),
        (Button::Arbiter, pins.arbiter),
        (Button::TalkBlack, pins.talk_black),
        (Button::RepeatBlack, pins.repeat_black),
    ];
    let gpio = open_gpio()?;
    let named = all.into_iter().filter_map(|(button, pin)| Some((button, pin?)));
    let opened: Result<Vec<(Button, In)>, ReadError> =
        named.map(|(button, pin)| Ok((button, input(&gpio, pin, true)?))).collect();
    Ok(ButtonInputs::new(opened?))
}

/// The lights on these pins.
///
/// # Errors
/// [`ReadError::Open`] with the remedy.
pub(super) fn lights(pins: &LightPins) -> Result<Lights<impl OutPin + use<>>, ReadError> {
    let all = [
        (Light::White, pins.white),
        (Light::Black, pins.black),
        (Light::Attention, pins.attention),
    ];
    let gpio = open_gpio()?;
    let named = all.into_iter().filter_map(|(light, pin)| Some((light, pin?)));
    let opened: Result<Vec<(Light, Out)>, ReadError> =
        named.map(|(light, pin)| Ok((light, output(&gpio, pin, false)?))).collect();
    Ok(Lights::new(opened?))
}
