//! Which device file a device is at: named, or searched for; found again under another name.
//!
//! # Identity
//!
//! The kernel numbers serial ports as they come: a board that is pulled out and plugged in again
//! may be at `ttyUSB1` instead of `ttyUSB0`. So the USB device behind a port at which a board has
//! answered is remembered (vendor, product, serial number, as in `/sys`), and looked for before the
//! name.
//!
//! # Strangers
//!
//! At another port may be a Braille display, which bytes meant for a board would disturb. Ports
//! that are not the maker's are asked only where any port is to be tried, and only until the board
//! has answered once. Boards by Bluetooth are told apart by their addresses: in a hall many have
//! the same name. They are looked for only where the port says so, since radio may be forbidden
//! there.

use super::bluetooth::Radio;
use std::{
    collections::VecDeque,
    fs,
    path::{Path, PathBuf},
};

/// As a port in the configuration: any port is tried.
pub const ANY: &str = "auto";

/// What a make of device is plugged in as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    /// The device, as messages name it: `DGT board`.
    pub name: &'static str,
    /// Bits a second; `None`: no serial port.
    pub baud: Option<u32>,
    /// How the names of its device files begin.
    pub files: &'static [&'static str],
    /// USB numbers, vendor and product, that are its maker's own. Ports with them come first, and
    /// no other make is looked for there. A product of `None` is every one.
    pub usb: &'static [(u16, Option<u16>)],
    /// It is nowhere else: other ports may be a keyboard's.
    pub only_there: bool,
    /// How it is talked with by Bluetooth LE; `None`: not at all.
    pub radio: Option<Radio>,
}

/// By a cable, by an adapter, by Bluetooth.
pub const SERIAL_FILES: &[&str] = &["ttyACM", "ttyUSB", "rfcomm"];

/// USB numbers of makes of boards that have numbers of their own.
/// Source: 60-annabella.rules (DGT); EasyLinkSDK (Chessnut)
pub const DGT_USB: (u16, Option<u16>) = (0x045b, Some(0x8111));
pub const CHESSNUT_USB: (u16, Option<u16>) = (0x2d80, None);
const OWN_NUMBERS: [(u16, Option<u16>); 2] = [DGT_USB, CHESSNUT_USB];

/// A USB device, as the kernel shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Identity {
    vendor: u16,
    product: u16,
    /// Empty where it has none.
    serial: String,
}

impl Identity {
    fn is_like(&self, other: &Identity) -> bool {
        (self.vendor, self.product) == (other.vendor, other.product)
    }

    fn is(&self, (vendor, product): (u16, Option<u16>)) -> bool {
        self.vendor == vendor && product.is_none_or(|product| self.product == product)
    }
}

/// Names the ports to try, one round after the other.
#[derive(Debug)]
pub struct Finder {
    kind: Kind,
    named: Option<PathBuf>,
    dev: PathBuf,
    sys: PathBuf,
    /// The device that answered last, if the kernel knows it.
    known: Option<Identity>,
    /// Where it answered last.
    last: Option<PathBuf>,
    /// The address of the board that answered by Bluetooth.
    partner: Option<String>,
    /// D-Bus address of the bus at which BlueZ is; `None`: the system's.
    bus: Option<String>,
    /// What is left of this round; `None`: the next one begins with the next question.
    round: Option<VecDeque<PathBuf>>,
}

impl Finder {
    /// For a device at this port, or at any where it is [`ANY`] or empty.
    pub fn at(port: &Path, kind: Kind) -> Finder {
        Finder::below(port, kind, Path::new("/dev"), Path::new("/sys"))
    }

    /// The same with other folders for device files and for what the kernel tells of them.
    pub fn below(port: &Path, kind: Kind, dev: &Path, sys: &Path) -> Finder {
        let any = port.as_os_str().is_empty() || port.as_os_str() == ANY;
        Finder {
            kind,
            named: (!any).then(|| port.to_owned()),
            dev: dev.to_owned(),
            sys: sys.to_owned(),
            known: None,
            last: None,
            partner: None,
            bus: None,
            round: None,
        }
    }

    /// The same with another bus for Bluetooth, by its D-Bus address.
    #[must_use]
    pub fn at_bus(self, bus: &str) -> Finder {
        Finder { bus: Some(bus.to_owned()), ..self }
    }

    /// The bus for Bluetooth; `None`: the system's.
    pub fn bus(&self) -> Option<&str> {
        self.bus.as_deref()
    }

    /// The address of the board that has answered by Bluetooth. No other is taken for it, whatever
    /// its name.
    pub fn partner(&self) -> Option<&str> {
        self.partner.as_deref()
    }

    /// The device answers by Bluetooth from this address.
    pub fn answers_from(&mut self, address: &str) {
        self.partner = Some(address.to_owned());
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// The port that the configuration names, if it names one.
    pub fn named(&self) -> Option<&Path> {
        self.named.as_deref()
    }

    /// The next port to try; `None` once after each round.
    pub fn next_port(&mut self) -> Option<PathBuf> {
        let next = match &mut self.round {
            Some(round) => round.pop_front(),
            None => {
                let mut round = VecDeque::from(self.candidates());
                let first = round.pop_front();
                self.round = Some(round);
                first
            }
        };
        if next.is_none() {
            self.round = None;
        }
        next
    }

    /// The device answers at this port: from now on it is looked for, and no stranger asked.
    pub fn answers(&mut self, port: &Path) {
        self.known = self.identity(port);
        self.last = Some(port.to_owned());
        // When it is lost everything is looked at anew.
        self.round = Some(VecDeque::new());
    }

    /// The ports at which the device may be, the likeliest first.
    pub fn candidates(&self) -> Vec<PathBuf> {
        let mut found: Vec<(u8, PathBuf)> =
            self.named.iter().map(|named| (1, named.clone())).collect();
        for port in self.files() {
            let same =
                |other: &PathBuf| fs::canonicalize(other).ok() == fs::canonicalize(&port).ok();
            let place = self.place(&port);
            if let Some((there, _)) = found.iter_mut().find(|(_, other)| same(other)) {
                *there = place.unwrap_or(1).min(*there);
            } else if let Some(place) = place {
                found.push((place, port));
            }
        }
        // Within a place as they were listed.
        found.sort_by_key(|(place, _)| *place);
        found.into_iter().map(|(_, port)| port).collect()
    }

    /// How early a port is tried; `None`: it is left alone.
    fn place(&self, port: &Path) -> Option<u8> {
        let identity = self.identity(port);
        let is = |numbers: &[(u16, Option<u16>)]| {
            identity.as_ref().is_some_and(|id| numbers.iter().any(|usb| id.is(*usb)))
        };
        let own = is(self.kind.usb);
        let known = self.known.as_ref().zip(identity.as_ref());
        match known {
            Some((known, there)) if known == there => return Some(0),
            // A spare one, or the same by another cable.
            Some((known, there)) if known.is_like(there) => return Some(2),
            _ => {}
        }
        let searched = self.named.is_none() && self.last.is_none();
        let stranger = self.kind.only_there || is(&OWN_NUMBERS);
        match own {
            true => Some(2),
            false if self.last.as_deref() == Some(port) => Some(1),
            false => (searched && !stranger).then_some(3),
        }
    }

    /// Device files whose names begin as the kind's do, in that order and by number.
    fn files(&self) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.dev).into_iter().flatten().flatten();
        let mut found: Vec<(usize, u32, PathBuf)> = entries
            .filter_map(|entry| {
                let name = entry.file_name();
                let name = name.to_str()?;
                let place = self.kind.files.iter().position(|begin| name.starts_with(begin))?;
                let number = name.trim_start_matches(self.kind.files[place]).parse().ok()?;
                Some((place, number, entry.path()))
            })
            .collect();
        found.sort();
        found.into_iter().map(|(.., path)| path).collect()
    }

    /// The USB device behind a port; `None` where there is none, as with Bluetooth.
    fn identity(&self, port: &Path) -> Option<Identity> {
        let target = fs::canonicalize(port).ok();
        let names = [Some(port), target.as_deref()];
        let classes = ["tty", "hidraw"];
        let mut folder = names
            .into_iter()
            .filter_map(|path| path?.file_name())
            .flat_map(|name| classes.map(|class| self.sys.join("class").join(class).join(name)))
            .find_map(|folder| fs::canonicalize(folder.join("device")).ok())?;
        while !folder.join("idVendor").exists() {
            if !folder.pop() || folder.parent().is_none() {
                return None;
            }
        }
        let text = |name: &str| fs::read_to_string(folder.join(name)).map(|t| t.trim().to_owned());
        let number = |name: &str| u16::from_str_radix(&text(name).ok()?, 16).ok();
        Some(Identity {
            vendor: number("idVendor")?,
            product: number("idProduct")?,
            serial: text("serial").unwrap_or_default(),
        })
    }
}
