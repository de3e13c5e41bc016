//! Lines from outside: a file, a FIFO, standard input. Whatever comes, a bad line costs one line.
//!
//! Bytes are cut at LF, CR LF or CR alone. A line that is too long, or no text, is reported with
//! its number and left out. No more than [`LONGEST`] bytes of it are kept.
//!
//! # A FIFO
//!
//! Its writers come and go. What a writer left unfinished when it went is a line of its own, so
//! that the next writer's first line is whole. A FIFO that was removed and made anew is opened
//! again.

use std::{
    collections::VecDeque,
    fs::File,
    io::{self, ErrorKind, Read},
    mem,
    os::{
        fd::{AsFd, OwnedFd},
        unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _},
    },
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use annabella_threads::{Flood, lock};
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    fs::OFlags,
};
use thiserror::Error;

/// Bytes of the longest line. An event has some hundred.
pub const LONGEST: usize = 8 * 1024;
/// Bytes that are read at once.
const CHUNK: usize = 8 * 1024;
/// How long a quiet FIFO is waited for before its path is looked at again.
const LOOK: Timespec = Timespec { tv_sec: 1, tv_nsec: 0 };
/// The pause before a lost FIFO is tried again.
const PAUSE: Duration = Duration::from_secs(1);

/// Why a line is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum BadLine {
    /// It is longer than [`LONGEST`].
    #[error("longer than {LONGEST} bytes, left out")]
    TooLong,
    #[error("not UTF-8 text, left out")]
    NotText,
}

/// A line and its number, from 1. Its end is cut off.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    pub number: u64,
    /// The how-manieth reading ended it: of lines that were read at once only the order is known.
    pub reading: u64,
    pub text: Result<String, BadLine>,
}

/// Cuts bytes into lines.
#[derive(Debug, Default)]
pub struct Cutter {
    number: u64,
    readings: u64,
    begun: Vec<u8>,
    too_long: bool,
    /// What is no UTF-8 is Latin-1.
    latin: bool,
    /// A CR ended the last line: an LF right behind it belongs to that end.
    after_cr: bool,
    ready: VecDeque<Line>,
}

impl Cutter {
    /// Takes in the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        self.readings += 1;
        let mut rest = bytes;
        while !rest.is_empty() {
            if mem::take(&mut self.after_cr) {
                rest = rest.strip_prefix(b"\n").unwrap_or(rest);
            }
            let Some(end) = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r')) else {
                return self.keep(rest);
            };
            self.keep(&rest[..end]);
            self.finish();
            self.after_cr = rest[end] == b'\r';
            rest = &rest[end + 1..];
        }
    }

    /// No more bytes belong to the line that was begun.
    pub fn end(&mut self) {
        self.after_cr = false;
        if self.too_long || !self.begun.is_empty() {
            self.finish();
        }
    }

    /// The next whole line.
    pub fn next_line(&mut self) -> Option<Line> {
        self.ready.pop_front()
    }

    fn keep(&mut self, piece: &[u8]) {
        self.too_long |= self.begun.len() + piece.len() > LONGEST;
        if self.too_long {
            self.begun = Vec::new();
        } else {
            self.begun.extend_from_slice(piece);
        }
    }

    fn finish(&mut self) {
        self.number += 1;
        let bytes = mem::take(&mut self.begun);
        let text = match mem::take(&mut self.too_long) {
            true => Err(BadLine::TooLong),
            false => String::from_utf8(bytes).or_else(|err| match self.latin {
                true => Ok(err.into_bytes().into_iter().map(char::from).collect()),
                false => Err(BadLine::NotText),
            }),
        };
        self.ready.push_back(Line { number: self.number, reading: self.readings, text });
    }
}

/// The lines of a reader, one after the other.
#[derive(Debug)]
pub struct Lines<R> {
    from: R,
    cutter: Cutter,
    ended: bool,
}

impl<R: Read> Lines<R> {
    /// From this reader to its end.
    pub fn of(from: R) -> Lines<R> {
        Lines { from, cutter: Cutter::default(), ended: false }
    }

    /// A person types them, perhaps in a terminal that writes Latin-1: no line is left out for
    /// that.
    #[must_use]
    pub fn typed(mut self) -> Lines<R> {
        self.cutter.latin = true;
        self
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        let mut buffer = [0; CHUNK];
        loop {
            if let Some(line) = self.cutter.next_line() {
                return Some(Ok(line));
            }
            if self.ended {
                return None;
            }
            match self.from.read(&mut buffer) {
                Ok(0) => {
                    self.ended = true;
                    self.cutter.end();
                }
                Ok(length) => self.cutter.feed(&buffer[..length]),
                Err(err) if err.kind() == ErrorKind::Interrupted => {}
                // Somebody else made the terminal so.
                Err(err) if err.kind() == ErrorKind::WouldBlock => {
                    thread::sleep(Duration::from_millis(20));
                }
                Err(err) => {
                    self.ended = true;
                    return Some(Err(err));
                }
            }
        }
    }
}

/// Complaints about the lines of one source: each names source and line, and few of a flood are
/// told.
#[derive(Debug)]
pub struct Complaints {
    name: String,
    flood: Flood,
}

impl Complaints {
    /// About the lines of this source.
    pub fn about(name: impl Into<String>) -> Complaints {
        Complaints { name: name.into(), flood: Flood::usual() }
    }

    /// The sentence about a line; `None` where too many were told.
    pub fn line(&mut self, number: u64, what: impl std::fmt::Display) -> Option<String> {
        let before = match self.flood.next(Instant::now())? {
            0 => String::new(),
            left_out => format!(" ({left_out} bad lines before it are not listed)"),
        };
        Some(format!("{}, line {number}: {what}{before}", self.name))
    }

    /// The sentence about the source itself.
    pub fn source(&mut self, what: impl std::fmt::Display) -> Option<String> {
        self.flood.next(Instant::now()).map(|_| format!("{}: {what}", self.name))
    }
}

/// What comes from a source.
#[derive(Debug)]
pub enum FromSource {
    Line(Line),
    /// The source cannot be read just now, or no longer.
    Lost(io::Error),
}

/// Whether this path means standard input.
pub fn is_stdin(path: &Path) -> bool {
    path.as_os_str() == "-" || path.as_os_str() == "/dev/stdin"
}

/// Whether standard input is `/dev/null`, as a service's is: nobody ever writes there.
pub fn is_null() -> bool {
    let of = |file: &File| file.metadata().map(|found| found.rdev());
    let own = io::stdin().as_fd().try_clone_to_owned().map(File::from);
    match (own.and_then(|file| of(&file)), Path::new("/dev/null").metadata()) {
        (Ok(own), Ok(null)) => own != 0 && own == null.rdev(),
        _ => false,
    }
}

/// What was written and is not dealt with yet. Clones are of the same source.
#[derive(Clone, Debug, Default)]
pub struct Unread(Arc<Reading>);

#[derive(Debug, Default)]
struct Reading {
    /// What is read from, and waited for; `None`: a file, or nothing any more.
    from: Mutex<Option<OwnedFd>>,
    /// The reading that is under way, and lines.
    waiting: AtomicUsize,
}

impl Unread {
    /// Nothing, at this moment.
    pub fn is_empty(&self) -> bool {
        // In this order: what is read is counted before it is gone from there.
        let from = lock(&self.0.from);
        let written = from.as_ref().is_some_and(|from| {
            let mut asked = [PollFd::new(from, PollFlags::IN)];
            poll(&mut asked, Some(&Timespec::default()))
                .is_ok_and(|ready| ready > 0 && asked[0].revents().contains(PollFlags::IN))
        });
        !written && self.0.waiting.load(Ordering::SeqCst) == 0
    }

    /// A line has been dealt with.
    pub fn dealt_with(&self) {
        // A file's lines are not counted.
        let less = |waiting: usize| waiting.checked_sub(1);
        let _ = self.0.waiting.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
    }

    fn begins(&self) {
        self.0.waiting.fetch_add(1, Ordering::SeqCst);
    }

    fn reads(&self, from: Option<&File>) {
        *lock(&self.0.from) = from.and_then(|from| from.try_clone().ok()).map(OwnedFd::from);
    }
}

/// Reads a file, a FIFO or, as `-`, standard input on a thread of its own, until it ends or `tell`
/// answers `false`. A FIFO never ends. Whoever is told of a line says so when it is
/// [dealt with](Unread::dealt_with).
///
/// # Errors
/// When it can't be opened.
pub fn follow(
    path: &Path,
    mut tell: impl FnMut(FromSource) -> bool + Send + 'static,
) -> io::Result<Unread> {
    let unread = Unread::default();
    let reading = unread.clone();
    if is_stdin(path) {
        let file = File::from(io::stdin().as_fd().try_clone_to_owned()?);
        unread.reads(Some(&file));
        thread::spawn(move || {
            read_stream(file, &reading, &mut tell);
            reading.reads(None);
        });
    } else if path.metadata()?.file_type().is_fifo() {
        let (first, path) = (open_fifo(path)?, path.to_owned());
        unread.reads(Some(&first));
        thread::spawn(move || {
            let mut cutter = Cutter::default();
            let mut fifo = Some(first);
            loop {
                let left = match fifo.take() {
                    Some(open) => read_fifo(&path, open, &mut cutter, &reading, &mut tell),
                    None => open_fifo(&path).map(Some),
                };
                match left {
                    Ok(Some(next)) => fifo = Some(next),
                    Ok(None) => return,
                    Err(err) => {
                        if !tell(FromSource::Lost(err)) {
                            return;
                        }
                        thread::sleep(PAUSE);
                    }
                }
            }
        });
    } else {
        let mut file = File::open(path)?;
        // A folder opens, and fails only when it is read.
        let _ = file.read(&mut [])?;
        thread::spawn(move || read_to_end(file, tell));
    }
    Ok(unread)
}

/// Reads standard input to its end.
fn read_stream(mut from: File, unread: &Unread, tell: &mut impl FnMut(FromSource) -> bool) {
    let (mut cutter, mut buffer) = (Cutter::default(), [0; CHUNK]);
    loop {
        match poll(&mut [PollFd::new(&from, PollFlags::IN)], None) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(err) => {
                tell(FromSource::Lost(err.into()));
                return;
            }
        }
        unread.begins();
        let read = from.read(&mut buffer);
        match &read {
            Ok(0) => cutter.end(),
            Ok(length) => cutter.feed(&buffer[..*length]),
            Err(_) => {}
        }
        let listened = hand_on(&mut cutter, unread, tell);
        unread.dealt_with();
        match read {
            Ok(length) if length > 0 && listened => {}
            // Somebody else made the terminal so.
            Err(err) if err.kind() == ErrorKind::WouldBlock => {
                thread::sleep(Duration::from_millis(20));
            }
            Err(err) if err.kind() == ErrorKind::Interrupted => {}
            Err(err) => {
                tell(FromSource::Lost(err));
                return;
            }
            Ok(_) => return,
        }
    }
}

/// Tells of the lines that are whole. Answers whether anybody listens.
fn hand_on(
    cutter: &mut Cutter,
    unread: &Unread,
    tell: &mut impl FnMut(FromSource) -> bool,
) -> bool {
    while let Some(line) = cutter.next_line() {
        unread.begins();
        if !tell(FromSource::Line(line)) {
            return false;
        }
    }
    true
}

fn read_to_end(from: impl Read, mut tell: impl FnMut(FromSource) -> bool) {
    for line in Lines::of(from) {
        if !tell(line.map_or_else(FromSource::Lost, FromSource::Line)) {
            return;
        }
    }
}

/// Opens a FIFO without waiting for a writer.
fn open_fifo(path: &Path) -> io::Result<File> {
    let flags = i32::try_from(OFlags::NONBLOCK.bits()).map_err(io::Error::other)?;
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    match file.metadata()?.file_type().is_fifo() {
        true => Ok(file),
        false => Err(io::Error::other("it was a FIFO and is none any more")),
    }
}

/// Reads until the last writer has gone. Answers the FIFO to go on with; `None`: nobody listens.
fn read_fifo(
    path: &Path,
    mut fifo: File,
    cutter: &mut Cutter,
    unread: &Unread,
    tell: &mut impl FnMut(FromSource) -> bool,
) -> io::Result<Option<File>> {
    let mut buffer = [0; CHUNK];
    unread.reads(Some(&fifo));
    loop {
        let ready = match poll(&mut [PollFd::new(&fifo, PollFlags::IN)], Some(&LOOK)) {
            Ok(ready) => ready > 0,
            Err(rustix::io::Errno::INTR) => continue,
            Err(err) => return Err(err.into()),
        };
        unread.begins();
        let read = fifo.read(&mut buffer);
        if let Ok(length) = read
            && length > 0
        {
            cutter.feed(&buffer[..length]);
        } else if matches!(read, Ok(0)) && ready {
            cutter.end();
        }
        let listened = hand_on(cutter, unread, tell);
        unread.dealt_with();
        if !listened {
            return Ok(None);
        }
        let length = match read {
            Ok(length) => length,
            Err(err) if matches!(err.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
                if !ready && is_another(path, &fifo) {
                    return open_fifo(path).map(Some);
                }
                continue;
            }
            Err(err) => return Err(err),
        };
        // Nobody has written yet.
        if !ready && length == 0 && is_another(path, &fifo) {
            return open_fifo(path).map(Some);
        }
        if ready && length == 0 {
            // Opened again before this one is closed: what the next writer writes meanwhile stays
            // in it.
            let next = open_fifo(path)?;
            unread.reads(Some(&next));
            drop(mem::replace(&mut fifo, next));
        }
    }
}

/// Whether another FIFO, or another file, is at the path now. None at all: the old one is kept.
fn is_another(path: &Path, file: &File) -> bool {
    match (path.metadata(), file.metadata()) {
        (Ok(there), Ok(here)) => (there.dev(), there.ino()) != (here.dev(), here.ino()),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(chunks: &[&[u8]]) -> Vec<Result<String, BadLine>> {
        let mut cutter = Cutter::default();
        chunks.iter().for_each(|chunk| cutter.feed(chunk));
        cutter.end();
        std::iter::from_fn(|| cutter.next_line()).map(|line| line.text).collect()
    }

    #[test]
    fn lines_are_cut_wherever_the_bytes_break() {
        assert_eq!(cut(&[b"ab\nc", b"d\n\ne"]), ["ab", "cd", "", "e"].map(|l| Ok(l.to_owned())));
        assert_eq!(cut(&[]), []);
        assert_eq!(cut(&[b"\n"]), [Ok(String::new())]);
    }

    #[test]
    fn lines_may_end_in_cr_alone_or_in_cr_and_lf() {
        let wanted = ["ab", "c", "", "d"].map(|line| Ok(line.to_owned()));
        for bytes in [&b"ab\rc\r\rd"[..], b"ab\r\nc\r\n\r\nd\r\n", b"ab\nc\r\n\rd\r"] {
            for size in 1..=bytes.len() {
                assert_eq!(cut(&bytes.chunks(size).collect::<Vec<_>>()), wanted, "{size}");
            }
        }
    }

    #[test]
    fn what_is_typed_in_latin_1_is_read_as_it_was_meant() {
        let typed = Lines::of(&b"L\xe4ufer\nL\xc3\xa4ufer\n"[..]).typed();
        let texts: Vec<_> = typed.map(|line| line.expect("read").text).collect();
        assert_eq!(texts, [Ok("Läufer".to_owned()), Ok("Läufer".to_owned())]);
    }

    #[test]
    fn a_bad_line_takes_no_other_with_it() {
        let long = vec![b'x'; LONGEST + 1];
        let (ok, bad) = (Ok("ok".to_owned()), Err(BadLine::NotText));
        assert_eq!(
            cut(&[b"\xff\nok\n", &long, &long, b"\nok"]),
            [bad, ok.clone(), Err(BadLine::TooLong), ok]
        );
    }

    #[test]
    fn a_line_without_end_costs_a_bounded_buffer() {
        let mut cutter = Cutter::default();
        for _ in 0..10_000 {
            cutter.feed(&[b'x'; CHUNK]);
            assert!(cutter.begun.capacity() <= 2 * LONGEST && cutter.ready.is_empty());
        }
    }
}
