//! The talk key: a key of a keyboard, a pedal or a presenter.
//!
//! A keyboard that the kernel knows (`/dev/input/event*`) reports when a key goes down and when it
//! goes up.
//!
//! # The key is not taken away from others
//!
//! Typed keys still reach the console or the desktop. Choose a key that does nothing there
//! (`rightctrl`, `scrolllock`), or a pedal of its own.

pub mod event;

use std::{
    fs::File,
    io::{ErrorKind, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use annabella_threads::Backoff;
use thiserror::Error;

pub use event::{KeyDecoder, KeyEvent, key_code};

/// First and longest pause before a lost keyboard is tried again.
const RETRY: Backoff = Backoff::new(Duration::from_millis(500), Duration::from_secs(5));
/// The kernel's descriptions of input devices.
const SYSTEM: &str = "/sys/class/input";

/// The reason why keys can't be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum KeysError {
    #[error(
        "no keyboard with key {code} is connected: connect one, or name it with [speech] talk_device"
    )]
    NoKeyboard { code: u16 },
    #[error("{path}: permission denied: add the user to group input")]
    Denied { path: String },
    #[error("{path}: {reason}")]
    Device {
        path: String,
        /// The system's message, one line.
        reason: String,
    },
}

/// An event from a keyboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeysEvent {
    /// A key went down or up.
    Key(KeyEvent),
    /// The keyboard is lost. Keys that were down were reported up.
    Lost(KeysError),
    Back,
}

/// The keyboard with the key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keyboard {
    /// This device: `/dev/input/event3`, or better `/dev/input/by-id/…-event-kbd`. A FIFO will do.
    At(PathBuf),
    /// The first that has the key.
    Any,
}

impl Keyboard {
    /// As the configuration names it: a device file; `any`, or nothing, for the first that has the
    /// key.
    pub fn named(name: &str) -> Keyboard {
        match name {
            "" | "any" => Keyboard::Any,
            path => Keyboard::At(path.into()),
        }
    }
}

/// Reads one key of one keyboard on a thread of its own, and finds the keyboard again after it was
/// unplugged.
///
/// # Ending
///
/// Reading waits in the kernel, so the thread of a dropped reader ends with the next key, or with
/// the program.
#[derive(Debug)]
pub struct KeyReader {
    events: mpsc::Receiver<KeysEvent>,
    more: Option<mpsc::Receiver<KeysEvent>>,
    stop: Arc<AtomicBool>,
}

impl KeyReader {
    /// Reads the key with this code; other keys are ignored.
    pub fn new(keyboard: Keyboard, code: u16) -> KeyReader {
        KeyReader::of_several(keyboard, vec![code])
    }

    /// Reads several keys of one keyboard: the first that has the first of them, if any will do.
    pub fn of_several(keyboard: Keyboard, codes: Vec<u16>) -> KeyReader {
        let (send, events) = mpsc::channel();
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let tell = move |event| send.send(event).map_err(drop);
        let stopped = move || stopped.load(Ordering::Relaxed);
        thread::spawn(move || follow(&keyboard, &codes, tell, stopped));
        KeyReader { events, more: None, stop }
    }

    /// A key that somebody else reads, as a button at the board.
    pub fn of(events: mpsc::Receiver<KeysEvent>) -> KeyReader {
        KeyReader { events, more: None, stop: Arc::default() }
    }

    /// Takes this key too.
    pub fn and(mut self, more: mpsc::Receiver<KeysEvent>) -> KeyReader {
        self.more = Some(more);
        self
    }

    /// The events since the last call. Does not wait.
    pub fn events(&mut self) -> Vec<KeysEvent> {
        self.events.try_iter().chain(self.more.iter().flat_map(mpsc::Receiver::try_iter)).collect()
    }

    /// The next event, if one comes in this time.
    pub fn next(&mut self, wait: Duration) -> Option<KeysEvent> {
        self.events.recv_timeout(wait).ok()
    }
}

impl Drop for KeyReader {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Reads several keys of one keyboard on a thread of its own, as [`KeyReader`] does, and tells of
/// each event, until nobody listens any more: `tell` answers `false`, or `closed` says so.
pub fn forward(
    keyboard: Keyboard,
    codes: Vec<u16>,
    mut tell: impl FnMut(KeysEvent) -> bool + Send + 'static,
    closed: impl Fn() -> bool + Send + 'static,
) {
    let tell = move |event| if tell(event) { Ok(()) } else { Err(()) };
    thread::spawn(move || follow(&keyboard, &codes, tell, closed));
}

/// Until `stop` says so, or `tell` that nobody listens any more.
fn follow(
    keyboard: &Keyboard,
    codes: &[u16],
    mut tell: impl FnMut(KeysEvent) -> Result<(), ()>,
    stop: impl Fn() -> bool,
) -> Result<(), ()> {
    let Some(&code) = codes.first() else { return Ok(()) };
    let (mut reported, mut backoff) = (false, RETRY);
    while !stop() {
        let error = match open(keyboard, code) {
            Ok((path, file)) => {
                if std::mem::take(&mut reported) {
                    tell(KeysEvent::Back)?;
                }
                backoff.reset();
                read_keys(file, codes, &mut tell, &stop)?.map_or_else(
                    || device_error(&path, "it is gone"),
                    |err| device_error(&path, &err.to_string()),
                )
            }
            Err(err) => err,
        };
        if stop() {
            break;
        }
        if !std::mem::replace(&mut reported, true) {
            tell(KeysEvent::Lost(error))?;
        }
        thread::sleep(backoff.pause());
    }
    Ok(())
}

/// Reads until the end or an error, and lets go what was down then.
fn read_keys(
    mut source: impl Read,
    codes: &[u16],
    tell: &mut impl FnMut(KeysEvent) -> Result<(), ()>,
    stop: &impl Fn() -> bool,
) -> Result<Option<std::io::Error>, ()> {
    let mut decoder = KeyDecoder::default();
    // The kernel gives whole records only, as many as fit.
    let mut buffer = [0; 24 * 64];
    let mut tell = |events: Vec<KeyEvent>| {
        let ours = events.into_iter().filter(|event| codes.contains(&event.code));
        ours.map(KeysEvent::Key).try_for_each(&mut *tell)
    };
    let ended = loop {
        match source.read(&mut buffer) {
            Ok(0) => break None,
            Ok(length) => tell(decoder.feed(&buffer[..length]))?,
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            Err(err) => break Some(err),
        }
        if stop() {
            break None;
        }
    };
    tell(decoder.lost())?;
    Ok(ended)
}

fn open(keyboard: &Keyboard, code: u16) -> Result<(PathBuf, File), KeysError> {
    let path = match keyboard {
        Keyboard::At(path) => path.clone(),
        Keyboard::Any => keyboards_in(Path::new(SYSTEM), code)
            .into_iter()
            .next()
            .map(|(path, _)| path)
            .ok_or(KeysError::NoKeyboard { code })?,
    };
    match File::open(&path) {
        Ok(file) => Ok((path, file)),
        Err(err) if err.kind() == ErrorKind::PermissionDenied => {
            Err(KeysError::Denied { path: path.display().to_string() })
        }
        Err(err) => Err(device_error(&path, &err.to_string())),
    }
}

fn device_error(path: &Path, reason: &str) -> KeysError {
    KeysError::Device { path: path.display().to_string(), reason: reason.to_owned() }
}

/// The keyboards, pedals and presenters that have this key: device and name, for `annabella
/// doctor`.
pub fn keyboards(code: u16) -> Vec<(PathBuf, String)> {
    keyboards_in(Path::new(SYSTEM), code)
}

fn keyboards_in(system: &Path, code: u16) -> Vec<(PathBuf, String)> {
    let Ok(entries) = std::fs::read_dir(system) else { return Vec::new() };
    let mut found: Vec<(u32, String)> = entries
        .filter_map(|entry| {
            let entry = entry.ok()?;
            let number = entry.file_name().to_str()?.strip_prefix("event")?.parse().ok()?;
            let device = entry.path().join("device");
            let keys = std::fs::read_to_string(device.join("capabilities/key")).ok()?;
            let name = std::fs::read_to_string(device.join("name")).unwrap_or_default();
            has_key(&keys, code).then(|| (number, name.trim().to_owned()))
        })
        .collect();
    found.sort();
    let device = |number: u32| PathBuf::from(format!("/dev/input/event{number}"));
    found.into_iter().map(|(number, name)| (device(number), name)).collect()
}

/// Whether the kernel's list of keys has this one: hexadecimal words, the highest first.
fn has_key(words: &str, code: u16) -> bool {
    let bits = usize::BITS as usize;
    let (word, bit) = (usize::from(code) / bits, usize::from(code) % bits);
    let word = words.split_whitespace().rev().nth(word);
    word.and_then(|word| usize::from_str_radix(word, 16).ok())
        .is_some_and(|word| word >> bit & 1 == 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kernels_list_of_keys_is_read_from_its_end() {
        // An ordinary keyboard and a power button, as 64-bit kernels write them.
        let keyboard = "1000000000007 ff9f207ac14057ff febeffdfffefffff fffffffffffffffe";
        let power = "10000000000000 0";
        if usize::BITS == 64 {
            assert!(has_key(keyboard, 57) && has_key(keyboard, 97) && has_key(power, 116));
            assert!(!has_key(power, 57) && !has_key(keyboard, 0) && !has_key(keyboard, 700));
        }
        assert!(!has_key("", 57) && !has_key("xyz", 1));
    }

    #[test]
    fn keyboards_are_found_in_the_order_of_their_numbers() {
        let system = tempfile::tempdir().expect("folder");
        for (event, name, keys) in [
            ("event10", "Pedal\n", "2"),
            ("event2", "Keyboard\n", "fe"),
            ("event1", "Mouse\n", "0"),
        ] {
            let device = system.path().join(event).join("device");
            std::fs::create_dir_all(device.join("capabilities")).expect("made");
            std::fs::write(device.join("name"), name).expect("written");
            std::fs::write(device.join("capabilities/key"), keys).expect("written");
        }
        std::fs::create_dir(system.path().join("mouse0")).expect("made");
        let found = keyboards_in(system.path(), 1);
        let expected = [("/dev/input/event2", "Keyboard"), ("/dev/input/event10", "Pedal")];
        assert_eq!(found, expected.map(|(path, name)| (PathBuf::from(path), name.to_owned())));
    }
}
