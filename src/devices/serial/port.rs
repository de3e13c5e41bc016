//! An open port: a device file, or a board by Bluetooth.

use std::{
    fs::{File, OpenOptions, TryLockError},
    io::{self, Read, Write},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::fs::OpenOptionsExt,
    },
    path::Path,
};

use rustix::{
    fs::OFlags,
    termios::{OptionalActions, isatty, tcgetattr, tcsetattr},
};
use thiserror::Error;

#[cfg(feature = "bluetooth")]
use super::gatt::GattLine;
use super::{
    Held,
    bluetooth::{RadioError, Wanted},
    finder::{Finder, Kind},
};

/// The reason why no device is on a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PortError {
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
    #[error("no {device} answers at {port}: is it the right port, and the board switched on?")]
    Silent {
        /// The kind of device.
        device: &'static str,
        /// The device file.
        port: String,
    },
    #[error("no {device} is found at any port: plug in its cable and switch it on")]
    Nowhere {
        /// The kind of device.
        device: &'static str,
    },
    #[error("lost {port} ({reason}): plug the board in again")]
    Failed {
        /// The device file.
        port: String,
        reason: String,
    },
    #[error(transparent)]
    Radio(#[from] RadioError),
}

impl PortError {
    /// A line that was open is no longer.
    pub(super) fn is_loss(&self) -> bool {
        let radio = matches!(self, PortError::Radio(RadioError::Lost { .. }));
        radio || matches!(self, PortError::Failed { .. } | PortError::Silent { .. })
    }

    /// The device is not there, as after each loss.
    pub(super) fn is_absence(&self) -> bool {
        let absent = |err: &RadioError| {
            matches!(err, RadioError::NotNear { .. } | RadioError::Failed { .. })
        };
        match self {
            PortError::Missing { .. } | PortError::Nowhere { .. } => true,
            PortError::Radio(err) => absent(err),
            _ => false,
        }
    }
}

/// What is talked through.
#[derive(Debug)]
pub(super) enum Port {
    File(File),
    #[cfg(feature = "bluetooth")]
    Radio(GattLine),
}

impl Port {
    /// Opens the port that the finder names. A board by Bluetooth takes its time; it ends with the
    /// hold.
    pub(super) fn open(path: &Path, finder: &Finder, held: &Held) -> Result<Port, PortError> {
        let kind = finder.kind();
        let Some(wanted) = Wanted::of(path) else { return open_port(path, kind).map(Port::File) };
        let device = kind.name;
        let radio = kind.radio.ok_or(RadioError::ByCable { device })?;
        #[cfg(feature = "bluetooth")]
        {
            let wanted = finder.partner().map_or(wanted, |at| Wanted::At(at.to_owned()));
            let line = GattLine::open(finder.bus(), &wanted, (device, radio), held)?;
            Ok(Port::Radio(line))
        }
        #[cfg(not(feature = "bluetooth"))]
        {
            let _ = (wanted, radio, held);
            Err(RadioError::NotBuilt.into())
        }
    }

    /// Its address by Bluetooth.
    pub(super) fn address(&self) -> Option<&str> {
        match self {
            Port::File(_) => None,
            #[cfg(feature = "bluetooth")]
            Port::Radio(line) => Some(line.address()),
        }
    }

    /// Waited for until there is something to read.
    pub(super) fn as_fd(&self) -> BorrowedFd<'_> {
        match self {
            Port::File(file) => file.as_fd(),
            #[cfg(feature = "bluetooth")]
            Port::Radio(line) => line.as_fd(),
        }
    }

    /// Reads what is there: [`io::ErrorKind::WouldBlock`] where there is nothing, 0 where the line
    /// is closed.
    pub(super) fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Port::File(file) => file.read(buffer),
            #[cfg(feature = "bluetooth")]
            Port::Radio(line) => line.read(buffer),
        }
    }

    /// Writes all of it. By Bluetooth that takes its time; it ends with the hold.
    pub(super) fn write_all(&mut self, bytes: &[u8], held: &Held) -> io::Result<()> {
        match self {
            Port::File(file) => {
                // Nobody waits for a device file.
                let _ = held;
                file.write_all(bytes)
            }
            #[cfg(feature = "bluetooth")]
            Port::Radio(line) => line.write_all(bytes, held),
        }
    }

    /// What is wrong with a line that was open.
    pub(super) fn failed(&self, path: &Path, err: &io::Error) -> PortError {
        let reason = reason(err);
        match self {
            Port::File(_) => PortError::Failed { port: path.display().to_string(), reason },
            #[cfg(feature = "bluetooth")]
            Port::Radio(line) => RadioError::Lost { name: line.name().to_owned(), reason }.into(),
        }
    }
}

fn reason(err: &io::Error) -> String {
    let text = err.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_lowercase()
}

/// Opens a port without waiting: a serial one raw, 8N1, without handshake.
///
/// # Errors
/// [`PortError`] says what is wrong with it and what to do.
pub fn open_port(path: &Path, kind: Kind) -> Result<File, PortError> {
    let port = path.display().to_string();
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    let opened =
        OpenOptions::new().read(true).write(true).custom_flags(flags.bits() as i32).open(path);
    let file = match opened {
        Ok(file) => file,
        Err(err) => {
            return Err(match err.kind() {
                io::ErrorKind::NotFound => PortError::Missing { port },
                io::ErrorKind::PermissionDenied => PortError::Forbidden { port },
                io::ErrorKind::ResourceBusy => PortError::Busy { port },
                io::ErrorKind::IsADirectory => PortError::NoTerminal { port },
                _ => PortError::Failed { port, reason: reason(&err) },
            });
        }
    };
    if kind.baud.is_some() && !isatty(&file) {
        return Err(PortError::NoTerminal { port });
    }
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => return Err(PortError::Busy { port }),
        // Some drivers know no locks.
        Err(TryLockError::Error(_)) => {}
    }
    let Some(baud) = kind.baud else { return Ok(file) };
    let raw = tcgetattr(&file).and_then(|mut termios| {
        termios.make_raw();
        termios.set_speed(baud)?;
        tcsetattr(&file, OptionalActions::Flush, &termios)
    });
    match raw {
        Ok(()) => Ok(file),
        Err(err) => Err(PortError::Failed { port, reason: reason(&err.into()) }),
    }
}
