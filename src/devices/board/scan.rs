//! Reads a board again and again on a thread of its own, and reports changes.
//!
//! [`ScanCore`] decides what readings mean, [`Pace`] when the next one is due and how well the
//! thread keeps to it; both are without time of their own. [`Scanner`] joins them to a reader.
//!
//! # When the reader fails
//!
//! A failed reading is retried at once, twice. A board that can't be read for [`LOST_AFTER_MS`] is
//! reported as lost, once, and reopened until it can be read again. Then the whole board is
//! reported if it has changed: the order of the changes is unknown.
//!
//! # A board that is lent
//!
//! [`Lending`] makes the scanner close its reader, so that another program can open the device.
//! Afterwards the whole board is looked at as after a loss.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use shakmaty::Bitboard;

use super::{BoardReader, ReadError};
use annabella_core::sensing::{Debounce, Edge};
use annabella_threads::lock;

/// Failures shorter than this are not worth a word.
pub const LOST_AFTER_MS: u64 = 200;
/// Times that a failed reading is tried again at once.
const RETRIES: u32 = 2;
/// A scanner whose board is lent looks this often whether it has it back.
const LENT: Duration = Duration::from_millis(20);
/// Pause before a lost board is tried again.
const REOPEN: Duration = Duration::from_millis(250);
/// Width of a step of [`Jitter`], and their number.
const STEP_US: u64 = 50;
const STEPS: usize = 400;

/// An event from a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ScanEvent {
    /// A reed changed and is at rest.
    Edge {
        edge: Edge,
        /// How long ago it happened, milliseconds: the time until it was certain.
        ago_ms: u64,
    },
    /// The whole board, where it differs from the last report: after the start and after a loss.
    Board(Bitboard),
    /// The board can't be read; reported once.
    Lost(ReadError),
    /// The board can be read again.
    Back,
}

/// The meaning of readings. Times are milliseconds of one clock, never falling.
#[derive(Clone, Debug)]
pub struct ScanCore {
    debounce_ms: u64,
    debounce: Debounce,
    told: Bitboard,
    /// The board was not read before: its last picture, and since when it has stood.
    fresh: Option<Option<(Bitboard, u64)>>,
    failing_since_ms: Option<u64>,
    lost: bool,
}

impl ScanCore {
    /// A board that was `shown` when it was last heard of.
    pub fn new(debounce_ms: u64, shown: Bitboard) -> ScanCore {
        ScanCore {
            debounce_ms,
            debounce: Debounce::new(debounce_ms, shown),
            told: shown,
            fresh: Some(None),
            failing_since_ms: None,
            lost: false,
        }
    }

    /// Whether the board has been reported as lost.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// Nobody has read the board for a while: the next reading is as the first.
    pub fn look_anew(&mut self) {
        self.fresh = Some(None);
        self.failing_since_ms = None;
    }

    /// Takes in one reading and appends the events that follow from it.
    pub fn reading(
        &mut self,
        now_ms: u64,
        reading: Result<Bitboard, ReadError>,
        events: &mut Vec<ScanEvent>,
    ) {
        let occupied = match reading {
            Ok(occupied) => occupied,
            Err(err) => {
                let since_ms = *self.failing_since_ms.get_or_insert(now_ms);
                if !self.lost && now_ms.saturating_sub(since_ms) >= LOST_AFTER_MS {
                    self.lost = true;
                    self.fresh = Some(None);
                    events.push(ScanEvent::Lost(err));
                }
                return;
            }
        };
        self.failing_since_ms = None;
        let Some(fresh) = &mut self.fresh else {
            self.debounce.scan(now_ms, occupied);
            let mut edges = Vec::new();
            self.debounce.advance(now_ms, &mut edges);
            self.told = self.debounce.steady();
            let told =
                |edge: Edge| ScanEvent::Edge { edge, ago_ms: now_ms.saturating_sub(edge.at_ms) };
            events.extend(edges.into_iter().map(told));
            return;
        };
        // At rest for as long as a single reed must be.
        let (_, since_ms) = match fresh {
            Some(seen) if seen.0 == occupied => *seen,
            _ => *fresh.insert((occupied, now_ms)),
        };
        if now_ms.saturating_sub(since_ms) < self.debounce_ms {
            return;
        }
        self.fresh = None;
        self.debounce = Debounce::new(self.debounce_ms, occupied);
        if std::mem::take(&mut self.lost) {
            events.push(ScanEvent::Back);
        }
        if std::mem::replace(&mut self.told, occupied) != occupied {
            events.push(ScanEvent::Board(occupied));
        }
    }
}

/// How late readings came: counted in steps of 50 µs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jitter {
    counts: Vec<u64>,
    most_us: u64,
}

impl Default for Jitter {
    fn default() -> Jitter {
        Jitter { counts: vec![0; STEPS], most_us: 0 }
    }
}

impl Jitter {
    fn add(&mut self, late_us: u64) {
        let step = usize::try_from(late_us / STEP_US).unwrap_or(usize::MAX).min(STEPS - 1);
        self.counts[step] += 1;
        self.most_us = self.most_us.max(late_us);
    }

    /// Lateness that `share` of all readings keep below, microseconds, to the next 50.
    pub fn below_us(&self, share: f64) -> u64 {
        let total: u64 = self.counts.iter().sum();
        let wanted = (total as f64 * share).ceil() as u64;
        let mut seen = 0;
        let step = self.counts.iter().position(|count| {
            seen += count;
            seen >= wanted
        });
        let until = step.map_or(0, |step| (step as u64 + 1) * STEP_US);
        until.min(self.most_us.max(STEP_US))
    }

    /// The latest of all, microseconds.
    pub fn most_us(&self) -> u64 {
        self.most_us
    }
}

/// How a scan is going.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScanStats {
    /// Readings, failed ones too.
    pub scans: u64,
    /// Readings that failed with all their retries.
    pub failed: u64,
    /// Readings that were good only at the second or third attempt.
    pub retried: u64,
    /// Readings that were left out because the ones before took too long.
    pub overruns: u64,
    /// The longest reading, microseconds.
    pub longest_us: u64,
    pub jitter: Jitter,
    pub lost: bool,
}

/// When the next reading is due: a fixed rate, whatever a reading takes. Microseconds of one clock.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    period_us: u64,
    due_us: u64,
}

impl Pace {
    /// `scan_hz` readings a second, the first at `now_us`.
    pub fn new(scan_hz: u16, now_us: u64) -> Pace {
        Pace { period_us: 1_000_000 / u64::from(scan_hz.max(1)), due_us: now_us }
    }

    /// When the next reading is due.
    pub fn due_us(&self) -> u64 {
        self.due_us
    }

    /// A reading begins: how late it is goes into the statistics.
    pub fn begin(&self, now_us: u64, stats: &mut ScanStats) {
        stats.scans += 1;
        stats.jitter.add(now_us.saturating_sub(self.due_us));
    }

    /// A reading ends. The next is due one period after this one was, or at the next such moment
    /// that has not passed.
    pub fn end(&mut self, now_us: u64, stats: &mut ScanStats) {
        self.due_us += self.period_us;
        if self.due_us < now_us {
            let missed = (now_us - self.due_us).div_ceil(self.period_us);
            stats.overruns += missed;
            self.due_us += missed * self.period_us;
        }
    }

    /// Starts again after an intended pause.
    pub fn restart(&mut self, now_us: u64) {
        self.due_us = now_us;
    }
}

/// How a board is scanned.
#[derive(Clone, Copy, Debug)]
pub struct ScanSettings {
    /// Readings a second.
    pub scan_hz: u16,
    /// A reed must read the same for this long before it counts.
    pub debounce_ms: u64,
    /// The board when it was last heard of.
    pub shown: Bitboard,
}

/// Has a scanner give its board away for a while. Clones are of the same scanner.
#[derive(Clone, Debug, Default)]
pub struct Lending {
    wanted: Arc<AtomicBool>,
    released: Arc<AtomicBool>,
}

/// How far a scanner has read. Clones are of the same scanner.
#[derive(Clone, Debug)]
pub struct ReadUntil(Arc<Mutex<Option<Instant>>>);

impl ReadUntil {
    /// Whether the board may have changed before this moment without being read since. A board that
    /// is lost or lent is not waited for.
    pub fn is_before(&self, moment: Instant) -> bool {
        lock(&self.0).is_some_and(|until| until < moment)
    }
}

impl Lending {
    /// The reader is to be closed, as soon as the reading that is under way ends.
    pub fn release(&self) {
        self.wanted.store(true, Ordering::SeqCst);
    }

    /// Whether the reader is closed.
    pub fn is_released(&self) -> bool {
        self.released.load(Ordering::SeqCst)
    }

    /// The board is read again.
    pub fn take_back(&self) {
        self.wanted.store(false, Ordering::SeqCst);
    }

    fn is_wanted(&self) -> bool {
        self.wanted.load(Ordering::SeqCst)
    }

    fn tell(&self, released: bool) {
        self.released.store(released, Ordering::SeqCst);
    }
}

/// A board that is read until the scanner is dropped.
///
/// # When nobody takes the events
///
/// `tell` may block. Meanwhile the board is not read, and a square that changes twice is missed.
#[derive(Debug)]
pub struct Scanner {
    stats: Arc<Mutex<ScanStats>>,
    lending: Lending,
    until: ReadUntil,
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Scanner {
    /// Starts the thread. `open` makes a reader, at the start and whenever the board was lost. The
    /// thread ends when `tell` returns false.
    pub fn start<O, T>(open: O, settings: ScanSettings, tell: T) -> Scanner
    where
        O: FnMut() -> Result<Box<dyn BoardReader>, ReadError> + Send + 'static,
        T: FnMut(ScanEvent) -> bool + Send + 'static,
    {
        let stats = Arc::new(Mutex::new(ScanStats::default()));
        let lending = Lending::default();
        let until = ReadUntil(Arc::default());
        let stop = Arc::new(AtomicBool::new(false));
        let scanning = Scanning {
            open,
            tell,
            reader: None,
            core: ScanCore::new(settings.debounce_ms, settings.shown),
            stats: Arc::clone(&stats),
            lending: lending.clone(),
            until: until.clone(),
            stop: Arc::clone(&stop),
            scan_hz: settings.scan_hz,
        };
        let thread = thread::spawn(move || scanning.run());
        Scanner { stats, lending, until, stop, thread: Some(thread) }
    }

    pub fn lending(&self) -> Lending {
        self.lending.clone()
    }

    pub fn read_until(&self) -> ReadUntil {
        self.until.clone()
    }

    /// How it is going.
    pub fn stats(&self) -> ScanStats {
        lock(&self.stats).clone()
    }
}

impl Drop for Scanner {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error already.
            let _ = thread.join();
        }
    }
}

struct Scanning<O, T> {
    open: O,
    tell: T,
    reader: Option<Box<dyn BoardReader>>,
    core: ScanCore,
    stats: Arc<Mutex<ScanStats>>,
    lending: Lending,
    until: ReadUntil,
    stop: Arc<AtomicBool>,
    scan_hz: u16,
}

impl<O, T> Scanning<O, T>
where
    O: FnMut() -> Result<Box<dyn BoardReader>, ReadError>,
    T: FnMut(ScanEvent) -> bool,
{
    fn run(mut self) {
        let began = Instant::now();
        let now_us = || u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let mut pace = Pace::new(self.scan_hz, 0);
        let mut events = Vec::new();
        while !self.stop.load(Ordering::Relaxed) {
            if self.lending.is_wanted() {
                self.lend();
                pace.restart(now_us());
                continue;
            }
            thread::sleep(Duration::from_micros(pace.due_us().saturating_sub(now_us())));
            let (begun, begun_us) = (Instant::now(), now_us());
            let (reading, attempts) = self.read();
            let ended_us = now_us();
            let failed = reading.is_err();
            self.note(&mut pace, begun_us, ended_us, failed, attempts);
            self.core.reading(ended_us / 1000, reading, &mut events);
            if failed && (self.core.is_lost() || self.reader.is_none()) {
                // The driver hangs or the device is gone: reopen it after a pause.
                lock(&self.stats).lost = true;
                self.reader = None;
                if !self.told(&mut events) {
                    return;
                }
                *lock(&self.until.0) = None;
                thread::sleep(REOPEN);
                pace.restart(now_us());
            } else if self.told(&mut events) {
                *lock(&self.until.0) = Some(begun);
            } else {
                return;
            }
        }
    }

    /// Closes the reader until the board is taken back.
    fn lend(&mut self) {
        self.reader = None;
        self.core.look_anew();
        self.lending.tell(true);
        *lock(&self.until.0) = None;
        while self.lending.is_wanted() && !self.stop.load(Ordering::Relaxed) {
            thread::sleep(LENT);
        }
        self.lending.tell(false);
    }

    fn told(&mut self, events: &mut Vec<ScanEvent>) -> bool {
        events.drain(..).all(&mut self.tell)
    }

    /// One reading with its retries, and the number of attempts.
    fn read(&mut self) -> (Result<Bitboard, ReadError>, u32) {
        let mut attempts = 0;
        loop {
            attempts += 1;
            let reader = match &mut self.reader {
                Some(reader) => reader,
                None => match (self.open)() {
                    Ok(reader) => self.reader.insert(reader),
                    Err(err) => return (Err(err), attempts),
                },
            };
            match reader.read() {
                Err(_) if attempts <= RETRIES => {}
                reading => return (reading, attempts),
            }
        }
    }

    fn note(&self, pace: &mut Pace, begun_us: u64, ended_us: u64, failed: bool, attempts: u32) {
        let mut stats = lock(&self.stats);
        pace.begin(begun_us, &mut stats);
        pace.end(ended_us, &mut stats);
        stats.failed += u64::from(failed);
        stats.retried += u64::from(!failed && attempts > 1);
        stats.longest_us = stats.longest_us.max(ended_us - begun_us);
        stats.lost = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;

    const FAILED: ReadError = ReadError::AllClosed;

    fn edges(core: &mut ScanCore, at_ms: u64, occupied: Bitboard) -> Vec<ScanEvent> {
        let mut events = Vec::new();
        core.reading(at_ms, Ok(occupied), &mut events);
        events
    }

    #[test]
    fn a_board_as_it_was_last_seen_tells_nothing() {
        let shown = Bitboard::from(Square::E2);
        let mut core = ScanCore::new(20, shown);
        for at_ms in (0..200).step_by(4) {
            assert_eq!(edges(&mut core, at_ms, shown), []);
        }
    }

    #[test]
    fn a_board_that_changed_while_nobody_looked_is_told_at_once_when_it_is_at_rest() {
        let mut core = ScanCore::new(20, Bitboard::from(Square::E2));
        let now = Bitboard::from(Square::E4);
        assert_eq!(edges(&mut core, 0, Bitboard::EMPTY), []);
        assert_eq!(edges(&mut core, 8, now), []);
        assert_eq!(edges(&mut core, 24, now), []);
        assert_eq!(edges(&mut core, 28, now), [ScanEvent::Board(now)]);
        assert_eq!(edges(&mut core, 32, Bitboard::EMPTY), []);
        let lifted = Edge { at_ms: 32, square: Square::E4, occupied: false };
        assert_eq!(
            edges(&mut core, 52, Bitboard::EMPTY),
            [ScanEvent::Edge { edge: lifted, ago_ms: 20 }]
        );
    }

    #[test]
    fn a_loss_is_told_once_and_the_return_too() {
        let mut core = ScanCore::new(20, Bitboard::EMPTY);
        let mut events = Vec::new();
        for at_ms in (0..100).step_by(4) {
            core.reading(at_ms, Ok(Bitboard::EMPTY), &mut events);
        }
        for at_ms in (100..3000).step_by(4) {
            core.reading(at_ms, Err(FAILED), &mut events);
        }
        assert_eq!(std::mem::take(&mut events), [ScanEvent::Lost(FAILED)]);
        let now = Bitboard::from(Square::A1);
        for at_ms in (3000..3100).step_by(4) {
            core.reading(at_ms, Ok(now), &mut events);
        }
        assert_eq!(events, [ScanEvent::Back, ScanEvent::Board(now)]);
    }

    #[test]
    fn a_short_failure_is_not_worth_a_word_and_loses_nothing() {
        let mut core = ScanCore::new(20, Bitboard::EMPTY);
        let mut events = Vec::new();
        for at_ms in (0..400).step_by(4) {
            let failing = (100..280).contains(&at_ms);
            let occupied = if at_ms < 150 { Bitboard::EMPTY } else { Bitboard::from(Square::H8) };
            core.reading(at_ms, if failing { Err(FAILED) } else { Ok(occupied) }, &mut events);
        }
        let placed = Edge { at_ms: 280, square: Square::H8, occupied: true };
        assert_eq!(events, [ScanEvent::Edge { edge: placed, ago_ms: 20 }]);
    }

    #[test]
    fn readings_that_are_left_out_are_counted() {
        let (mut stats, mut pace) = (ScanStats::default(), Pace::new(250, 0));
        for (begun_us, ended_us) in [(30, 700), (4_010, 4_600), (8_000, 21_000), (24_100, 24_900)] {
            assert!(pace.due_us() <= begun_us);
            pace.begin(begun_us, &mut stats);
            pace.end(ended_us, &mut stats);
        }
        assert_eq!((stats.scans, stats.overruns), (4, 3));
        assert_eq!(stats.jitter.most_us(), 100);
        assert_eq!((stats.jitter.below_us(0.5), stats.jitter.below_us(1.0)), (50, 100));
        assert_eq!(pace.due_us(), 28_000);
    }
}
