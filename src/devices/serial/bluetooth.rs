//! Boards by Bluetooth LE: which one a port means, and why none is there.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// As a port in the configuration: a board is searched for by Bluetooth. With a colon and its name,
/// or its address, behind it: that board.
pub const BLUETOOTH: &str = "bluetooth";

/// How a make of board is found by Bluetooth LE, and talked with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Radio {
    /// How the names begin under which its boards make themselves known.
    pub names: &'static [&'static str],
    /// UUID of the characteristic whose notifications are what the board says; lower case.
    pub says: &'static str,
    /// UUID of the characteristic into which is written what is said to the board; lower case.
    pub hears: &'static str,
}

/// The board that a port means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Any of the make.
    Any,
    Named(String),
    /// Six pairs of hexadecimal digits, with colons.
    At(String),
}

impl Wanted {
    /// `None`: the port is not one of Bluetooth's.
    pub fn of(port: &Path) -> Option<Wanted> {
        let port = port.to_str()?;
        let (kind, name) = port.split_once(':').unwrap_or((port, ""));
        let name = name.trim();
        match kind.eq_ignore_ascii_case(BLUETOOTH) {
            false => None,
            true if name.is_empty() => Some(Wanted::Any),
            true if is_address(name) => Some(Wanted::At(name.to_owned())),
            true => Some(Wanted::Named(name.to_owned())),
        }
    }

    /// Whether a device of this name and address is meant. Some names end in a line feed.
    pub fn is(&self, radio: &Radio, name: &str, address: &str) -> bool {
        match self {
            Wanted::Any => radio.is_named_like(name),
            Wanted::Named(wanted) => wanted.eq_ignore_ascii_case(name.trim()),
            Wanted::At(wanted) => wanted.eq_ignore_ascii_case(address),
        }
    }
}

impl Radio {
    /// Whether boards of this make have names like this.
    pub fn is_named_like(&self, name: &str) -> bool {
        let begins = |begin: &&str| {
            name.get(..begin.len()).is_some_and(|own| own.eq_ignore_ascii_case(begin))
        };
        self.names.iter().any(begins)
    }
}

/// The port of the board with this name or address.
pub fn port_of(name: &str) -> PathBuf {
    PathBuf::from(format!("{BLUETOOTH}:{}", name.trim()))
}

fn is_address(name: &str) -> bool {
    let pairs: Vec<&str> = name.split(':').collect();
    let is_pair = |pair: &&str| pair.len() == 2 && pair.bytes().all(|b| b.is_ascii_hexdigit());
    pairs.len() == 6 && pairs.iter().all(is_pair)
}

/// The reason why no board is there by Bluetooth.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RadioError {
    #[error(
        "no Bluetooth here ({reason}): install bluez and start it with sudo systemctl start \
         bluetooth, or use the board's cable"
    )]
    NoService { reason: String },
    #[error("this machine has no Bluetooth adapter: plug one in, or use the board's cable")]
    NoAdapter,
    #[error(
        "Bluetooth is switched off: bluetoothctl power on; where radio is forbidden, use the \
         board's cable"
    )]
    Off,
    #[error("Bluetooth is forbidden: add the user to group bluetooth and log in again")]
    Forbidden,
    #[error("no {device} is near by Bluetooth: switch it on, and end what else is connected to it")]
    NotNear {
        /// The kind of device.
        device: &'static str,
    },
    #[error("{name} must be paired first: bluetoothctl pair {address}")]
    Unpaired { name: String, address: String },
    #[error("{name} is no {device}: name the board in [sighted] port, as in bluetooth:NAME")]
    Stranger {
        name: String,
        /// The kind of device.
        device: &'static str,
    },
    #[error("{name} is used by another program: end that first")]
    Busy { name: String },
    #[error(
        "a {device} does not speak Bluetooth LE: use its cable, or the serial port that `rfcomm \
         bind` makes"
    )]
    ByCable {
        /// The kind of device.
        device: &'static str,
    },
    #[error("cannot connect {name} ({reason}): switch the board off and on")]
    Failed { name: String, reason: String },
    #[error("lost {name} by Bluetooth ({reason}): is it switched on, and near?")]
    Lost { name: String, reason: String },
    #[error("this program was built without Bluetooth: use the board's cable")]
    NotBuilt,
}

#[cfg(test)]
mod tests {
    use super::*;

    const RADIO: Radio = Radio { names: &["Chessnut", "Smart Chess"], says: "", hears: "" };

    fn wanted(port: &str) -> Option<Wanted> {
        Wanted::of(Path::new(port))
    }

    #[test]
    fn a_port_of_bluetooth_is_any_board_or_one_by_name_or_address() {
        for any in ["bluetooth", "bluetooth:", "Bluetooth: "] {
            assert_eq!(wanted(any), Some(Wanted::Any), "{any}");
        }
        let named = Wanted::Named("Chessnut Air".to_owned());
        assert_eq!(wanted("bluetooth:Chessnut Air"), Some(named));
        let at = Wanted::At("D0:1e:22:33:44:55".to_owned());
        assert_eq!(wanted("bluetooth:D0:1e:22:33:44:55"), Some(at));
        for other in ["auto", "", "/dev/rfcomm0", "/dev/bluetooth", "bluetooths"] {
            assert_eq!(wanted(other), None, "{other}");
        }
        assert_eq!(
            wanted(port_of("Chessnut Air\n").to_str().expect("text")),
            wanted("bluetooth:Chessnut Air")
        );
    }

    #[test]
    fn a_board_is_known_by_its_makes_names_or_by_its_own() {
        let is = |port: &str, name: &str| {
            wanted(port).expect("by Bluetooth").is(&RADIO, name, "D0:1E:22:33:44:55")
        };
        assert!(is("bluetooth", "Chessnut Air\n") && is("bluetooth", "SMART CHESS"));
        assert!(
            !is("bluetooth", "Chess")
                && !is("bluetooth", "MILLENNIUM CHESS")
                && !is("bluetooth", "Schachbrett ä")
        );
        assert!(is("bluetooth:chessnut air", "Chessnut Air\n"));
        assert!(!is("bluetooth:Chessnut", "Chessnut Air"));
        assert!(is("bluetooth:d0:1e:22:33:44:55", "whatever"));
        assert!(!is("bluetooth:d0:1e:22:33:44:56", "Chessnut Air"));
    }
}
