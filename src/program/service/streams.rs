//! Standard output and standard error as a service writes them. Closed, full, or read by nobody,
//! they stop no game: each is written on a thread of its own, and what does not fit is left out.

use std::{
    fs::File,
    io::{self, ErrorKind, IsTerminal as _, Write},
    mem,
    os::fd::AsFd,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicBool, AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use annabella_locale::{Catalogue, is_german};
use annabella_records::journal::note_in;
use annabella_words::phrase::Note;

use super::terminal;

/// Bytes that wait for a reader; what comes after them is left out.
const MOST: usize = 1 << 20;
/// How long the end of the program waits for a reader.
const PATIENCE: Duration = Duration::from_secs(1);
/// The pause before a stream that takes nothing just now is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// A stream. Writing to it neither waits nor fails.
#[derive(Debug)]
pub struct Stream {
    lines: mpsc::Sender<Vec<u8>>,
    state: Arc<State>,
    begun: Vec<u8>,
}

#[derive(Debug)]
struct State {
    waiting: AtomicUsize,
    /// Something was left out, and that was told.
    told: AtomicBool,
    tell: fn(&str),
}

impl State {
    fn lose(&self, why: &str) {
        if !self.told.swap(true, Ordering::SeqCst) {
            (self.tell)(why);
        }
    }
}

static ERRORS: LazyLock<Stream> = LazyLock::new(|| Stream::to(io::stderr(), |_| {}));

/// Reports a fault that does not stop play, as one line on standard error, in the reader's
/// language.
pub fn complain(line: &str) {
    error_line(&format!("annabella: {}", in_own_language(line)));
}

/// What these programs say in German.
pub fn german() -> Catalogue {
    Catalogue::german(include_str!("../cli/german.toml"))
}

/// The same where the locale asks for it, read once.
pub fn own_german() -> Option<&'static Catalogue> {
    static HERE: LazyLock<Option<Catalogue>> = LazyLock::new(|| is_german().then(german));
    HERE.as_ref()
}

/// A line in the reader's language.
pub fn in_own_language(line: &str) -> String {
    own_german().map_or_else(|| line.to_owned(), |german| german.error(line))
}

/// The reader's language, of those that the command line speaks.
pub fn own_code() -> Option<&'static str> {
    own_german().map(|_| "de")
}

/// A note in the reader's language.
pub fn noted(note: &Note) -> String {
    own_code().map_or_else(|| note.to_string(), |code| note_in(code, note))
}

/// Writes a line in the reader's language.
///
/// # Errors
/// It cannot be written.
pub fn write_line(out: &mut dyn Write, line: &str) -> io::Result<()> {
    writeln!(out, "{}", in_own_language(line))
}

/// Writes a line to standard error.
pub fn error_line(line: &str) {
    ERRORS.send(format!("{line}\n").into_bytes());
}

/// Waits a moment until standard error has taken everything.
pub fn settle() {
    complaints_first();
    terminal::settle();
}

/// The same, before something else is written in the same terminal.
pub fn complaints_first() {
    ERRORS.settle();
}

impl Stream {
    /// Standard output. What it does not take is complained of once.
    pub fn output() -> Stream {
        Stream::to(io::stdout(), |why| {
            complain(&format!("standard output: {why}; the game goes on without it"));
        })
    }

    fn to(stream: impl AsFd, tell: fn(&str)) -> Stream {
        let (lines, taken) = mpsc::channel::<Vec<u8>>();
        let (waiting, told) = (AtomicUsize::new(0), AtomicBool::new(false));
        let state = Arc::new(State { waiting, told, tell });
        let shared = Arc::clone(&state);
        // A stream of the process that can't be doubled is a closed one.
        let file = stream.as_fd().try_clone_to_owned().map(File::from);
        thread::spawn(move || {
            for line in taken {
                let written = file.as_ref().map_err(ToString::to_string);
                if let Err(err) = written.and_then(|file| put(file, &line)) {
                    shared.lose(&err);
                }
                shared.waiting.fetch_sub(line.len(), Ordering::SeqCst);
            }
        });
        Stream { lines, state, begun: Vec::new() }
    }

    fn send(&self, line: Vec<u8>) {
        let length = line.len();
        let waiting = self.state.waiting.fetch_add(length, Ordering::SeqCst);
        if waiting + length > MOST {
            self.state.waiting.fetch_sub(length, Ordering::SeqCst);
            self.state.lose("nobody reads it, so lines are left out");
        } else {
            // The thread ends with the process only.
            let _ = self.lines.send(line);
        }
    }

    fn settle(&self) {
        let until = Instant::now() + PATIENCE;
        while self.state.waiting.load(Ordering::SeqCst) > 0 && Instant::now() < until {
            thread::sleep(Duration::from_millis(1));
        }
    }
}

/// Writes where nothing is in the way: above a line that is being typed.
fn put(file: &File, line: &[u8]) -> Result<(), String> {
    let drawn = file.is_terminal() && terminal::print(&String::from_utf8_lossy(line));
    if drawn { Ok(()) } else { write(file, line) }
}

fn write(mut file: &File, mut line: &[u8]) -> Result<(), String> {
    while !line.is_empty() {
        match file.write(line) {
            Ok(0) => return Err("it takes nothing".to_owned()),
            Ok(length) => line = &line[length..],
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            Err(err) if err.kind() == ErrorKind::WouldBlock => thread::sleep(PAUSE),
            Err(err) => return Err(err.to_string()),
        }
    }
    Ok(())
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.extend_from_slice(bytes);
        if bytes.ends_with(b"\n") {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    /// Hands on what was written; does not wait for it.
    fn flush(&mut self) -> io::Result<()> {
        if !self.begun.is_empty() {
            let begun = mem::take(&mut self.begun);
            self.send(begun);
        }
        Ok(())
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // Flushing this stream cannot fail.
        let _ = self.flush();
        self.settle();
    }
}
