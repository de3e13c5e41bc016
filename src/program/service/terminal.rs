//! The terminal that the program runs in. One line is typed at a time, with an editor and a history
//! where the terminal can do that. What is written meanwhile stands above the line that is being
//! typed.
//!
//! # One reader
//!
//! The lines go to whoever asked for them last: the set-up first, then the game.
//!
//! # No prompt sign
//!
//! A screen reader reads each line that is drawn anew. So nothing stands before what is typed.
//!
//! # Raw mode
//!
//! While a line is edited the terminal is in raw mode. [`Cooked`] sets back what was there before.
//!
//! # Latin-1
//!
//! The editor takes UTF-8 only. Where a terminal writes something else, its lines are read without
//! one from then on, and what is no UTF-8 is taken for Latin-1.

use std::{
    io::{self, ErrorKind, IsTerminal as _, Read as _},
    sync::{
        Mutex, OnceLock,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use rustix::{
    process::{Signal, getpid, kill_process},
    termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr},
};
use rustyline::{
    ColorMode, Config, DefaultEditor, ExternalPrinter, config::BellStyle, error::ReadlineError,
};

use annabella_devices::lines::{BadLine, FromSource, LONGEST, Line, Lines};
use annabella_threads::lock;

/// Lines that the history keeps.
const REMEMBERED: usize = 200;
/// How long the end of the program waits for the last lines to be drawn.
const PATIENCE: Duration = Duration::from_secs(1);
/// After so many tenths of a second without a key nobody types the rest of a line any more.
const REST: u8 = 30;

type Tell = Box<dyn FnMut(FromSource) -> bool + Send>;

/// Whoever gets the lines.
static LISTENER: Mutex<Option<Tell>> = Mutex::new(None);
static BEGUN: OnceLock<()> = OnceLock::new();
/// Writes above the line that is being typed; `None`: nobody edits lines.
static PRINTER: Mutex<Option<Box<dyn ExternalPrinter + Send>>> = Mutex::new(None);
/// The terminal as it was before lines were edited.
static BEFORE: OnceLock<Termios> = OnceLock::new();
/// What is typed is kept in the history.
static REMEMBERS: AtomicBool = AtomicBool::new(true);
/// The input broke: it did not end.
static BROKEN: AtomicBool = AtomicBool::new(false);

/// Whether somebody can type here.
pub fn is_there() -> bool {
    io::stdin().is_terminal()
}

/// Whether one person types here and reads what is written.
pub fn is_read() -> bool {
    io::stdout().is_terminal()
}

/// Whether standard input could not be read any more, which is not its end.
pub fn is_broken() -> bool {
    BROKEN.load(Ordering::SeqCst)
}

/// Standard input cannot be read any more.
pub(super) fn breaks() {
    BROKEN.store(true, Ordering::SeqCst);
}

/// Hands each typed line on until `tell` answers `false`, or another asks for the lines. Ctrl+C and
/// Ctrl+D end the program as an interrupt does. What is typed is no text, or too long: the line
/// says so.
pub fn follow(tell: impl FnMut(FromSource) -> bool + Send + 'static) {
    *lock(&LISTENER) = Some(Box::new(tell));
    BEGUN.get_or_init(|| {
        if let Ok(before) = tcgetattr(io::stdin()) {
            // It is set once, here.
            let _ = BEFORE.set(before);
        }
        match editor() {
            Some(editor) => drop(thread::spawn(move || edit(editor))),
            None => drop(thread::spawn(|| read(0))),
        }
    });
}

/// The typed lines as texts; what is no text is left out.
pub fn typed() -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    follow(move |from| match from {
        FromSource::Line(Line { text: Ok(text), .. }) => send.send(text).is_ok(),
        _ => true,
    });
    receive
}

/// Whether the history keeps what is typed from now on. A move that is being sealed is for nobody's
/// eyes after it.
pub fn remembers(keeps: bool) {
    REMEMBERS.store(keeps, Ordering::Relaxed);
}

/// Writes above the line that is being typed. Answers `false` where nobody edits lines, and nothing
/// was written.
pub fn print(text: &str) -> bool {
    let mut printer = lock(&PRINTER);
    printer.as_mut().is_some_and(|printer| printer.print(text.to_owned()).is_ok())
}

/// Waits a moment until everything is drawn.
pub fn settle() {
    if lock(&PRINTER).is_none() {
        return;
    }
    let (send, drawn) = mpsc::channel();
    // One text is drawn and one waits: the third is taken when both have been.
    thread::spawn(move || {
        let all = (0..3).all(|_| print(""));
        // Nobody waits for it any more.
        let _ = send.send(all);
    });
    let _ = drawn.recv_timeout(PATIENCE);
}

/// Gives the terminal back as it was, when it goes.
#[derive(Debug)]
pub struct Cooked;

impl Drop for Cooked {
    fn drop(&mut self) {
        settle();
        give_back();
    }
}

/// Gives the terminal back as it was.
pub fn give_back() {
    if let Some(before) = BEFORE.get() {
        // A terminal that is gone needs nothing.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, before);
    }
}

/// The editor of lines; `None` where the terminal can draw none, or the output goes elsewhere.
fn editor() -> Option<DefaultEditor> {
    let settings = Config::builder()
        .max_history_size(REMEMBERED)
        .and_then(|settings| settings.history_ignore_dups(true))
        .ok()?
        .auto_add_history(false)
        .bracketed_paste(false)
        .bell_style(BellStyle::None)
        .color_mode(ColorMode::Disabled)
        .build();
    let mut editor = DefaultEditor::with_config(settings).ok()?;
    let printer = editor.create_external_printer().ok()?;
    *lock(&PRINTER) = Some(Box::new(printer));
    Some(editor)
}

fn edit(mut editor: DefaultEditor) {
    for number in 1.. {
        let text = match editor.readline("") {
            Ok(text) => text,
            Err(ReadlineError::Signal(_)) => continue,
            Err(ReadlineError::Eof | ReadlineError::Interrupted) => return end(),
            Err(ReadlineError::Io(err)) if err.kind() == ErrorKind::InvalidData => {
                // In this order: who waits to print is let go, and prints without an editor.
                drop(editor);
                *lock(&PRINTER) = None;
                skip_rest();
                let text = Err(BadLine::NotText);
                tell(FromSource::Line(Line { number, reading: number, text }));
                return read(number);
            }
            Err(err) => {
                breaks();
                tell(FromSource::Lost(io::Error::other(err)));
                return end();
            }
        };
        if REMEMBERS.load(Ordering::Relaxed) {
            // A line that is not kept can be typed again.
            let _ = editor.add_history_entry(&text);
        }
        let text = if text.len() > LONGEST { Err(BadLine::TooLong) } else { Ok(text) };
        tell(FromSource::Line(Line { number, reading: number, text }));
    }
}

/// The rest of a line whose beginning is lost means something else: it is left out too. Whether its
/// end was lost with the beginning nobody knows, so it is waited for a moment only.
fn skip_rest() {
    let Some(before) = BEFORE.get() else { return };
    let mut at_once = before.clone();
    at_once.local_modes.remove(LocalModes::ICANON);
    at_once.special_codes[SpecialCodeIndex::VMIN] = 0;
    at_once.special_codes[SpecialCodeIndex::VTIME] = REST;
    if tcsetattr(io::stdin(), OptionalActions::Now, &at_once).is_ok() {
        let mut from = io::stdin().lock();
        let mut key = [0];
        while matches!(from.read(&mut key), Ok(1..)) && !matches!(key, [b'\n' | b'\r']) {}
    }
    give_back();
}

/// Reads lines without an editor, after so many that were read with one.
fn read(before: u64) {
    for line in Lines::of(io::stdin()).typed() {
        tell(line.map_or_else(
            |err| {
                breaks();
                FromSource::Lost(err)
            },
            |line| {
                let (number, reading) = (before + line.number, before + line.reading);
                FromSource::Line(Line { number, reading, ..line })
            },
        ));
    }
    end();
}

fn tell(from: FromSource) {
    let mut listener = lock(&LISTENER);
    if listener.as_mut().is_some_and(|tell| !tell(from)) {
        *listener = None;
    }
}

/// Nobody types any more.
fn end() {
    // The service ends its game well on this signal, and every other command at once.
    let _ = kill_process(getpid(), Signal::INT);
}
