//! The microphone: a sound device to chunks of mono samples.
//!
//! Any rate, format and number of channels becomes mono, 16 bit, at the device's own rate: the
//! recogniser resamples better than a sound server does. 16 kHz is chosen where the device can do
//! it itself.
//!
//! # Threads
//!
//! One thread watches. Each time the device is opened, another thread opens, holds and closes it,
//! for a driver may hang in any of these. A thread that hangs is left behind and the watcher goes
//! on. The sound system's own thread mixes the channels and hands chunks over without ever waiting.
//! When two seconds have not been fetched, chunks are dropped, counted and reported
//! ([`CaptureEvent::Overrun`]).
//!
//! # Lost devices
//!
//! A device that goes away, cannot be opened or delivers nothing for two seconds is reported once
//! and opened again with growing pauses. It is back when it delivers, not when it opens.

mod convert;
mod device;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering},
        mpsc::{self, RecvTimeoutError, SyncSender, TrySendError},
    },
    thread,
    time::{Duration, Instant},
};

use cpal::{SampleFormat, StreamInstant};

use super::{
    VoiceError,
    capture::{Capture, CaptureEvent, Samples, chunk_length},
    opening::{device_error, when_free},
};
use annabella_threads::{Backoff, millis};
pub use device::{InputDevice, can_record, input_devices};

/// Chunks that wait to be fetched at most: two seconds.
const WAITING: usize = 100;
/// How often the watcher looks.
const LOOK: Duration = Duration::from_millis(100);
/// A device that has not opened after this hangs.
const OPENING: Duration = Duration::from_secs(5);
/// A device that is open and delivers nothing for this long is frozen.
const FROZEN: Duration = Duration::from_secs(2);
/// How long a device may take to close.
const CLOSING: Duration = Duration::from_millis(500);
/// First and longest pause before a lost device is tried again.
const RETRY: Backoff = Backoff::new(Duration::from_millis(500), Duration::from_secs(5));
/// With this many hanging drivers left behind, no new attempt is made until one ends.
const MOST_HANGING: usize = 3;

/// The preferred format, where a device leaves a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Samples a second.
    pub rate_hz: u32,
    /// Channels, which are mixed.
    pub channels: u16,
    pub format: SampleFormat,
}

impl Default for Wish {
    /// The format of the recogniser's model.
    fn default() -> Wish {
        Wish { rate_hz: 16_000, channels: 1, format: SampleFormat::I16 }
    }
}

/// A microphone on a sound device.
#[derive(Debug)]
pub struct Microphone {
    events: mpsc::Receiver<CaptureEvent>,
    stop: Arc<AtomicBool>,
    watcher: Option<thread::JoinHandle<()>>,
}

impl Microphone {
    /// Opens `default` or a device by a name of [`input_devices`], in the background. A missing one
    /// is reported as an event and tried again.
    pub fn new(device: &str) -> Microphone {
        Microphone::with(device, Wish::default())
    }

    /// The same with other wishes.
    pub fn with(device: &str, wish: Wish) -> Microphone {
        let (send, events) = mpsc::sync_channel(WAITING);
        let stop = Arc::new(AtomicBool::new(false));
        let watcher = Watcher {
            device: device.to_owned(),
            wish,
            send,
            stop: Arc::clone(&stop),
            hanging: Arc::new(AtomicUsize::new(0)),
            reported: false,
            own_buffer: false,
        };
        let watcher = Some(thread::spawn(move || watcher.run()));
        Microphone { events, stop, watcher }
    }
}

impl Capture for Microphone {
    fn next(&mut self, wait: Duration) -> Option<CaptureEvent> {
        self.events.recv_timeout(wait).ok()
    }
}

impl Drop for Microphone {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            // A thread that panicked has said so on standard error already.
            let _ = watcher.join();
        }
    }
}

struct Watcher {
    device: String,
    wish: Wish,
    send: SyncSender<CaptureEvent>,
    stop: Arc<AtomicBool>,
    /// Drivers that have been left behind and still hang.
    hanging: Arc<AtomicUsize>,
    reported: bool,
    /// The device chooses its buffer length: tried when ours has failed.
    own_buffer: bool,
}

/// A report of the thread that holds the device.
enum News {
    Opened,
    Failed(VoiceError),
    Closed,
}

impl Watcher {
    fn run(mut self) {
        let mut backoff = RETRY;
        while !self.stopped() {
            if self.hanging.load(Ordering::SeqCst) < MOST_HANGING {
                let (error, delivered) = self.attempt();
                let busy = matches!(error, VoiceError::Busy { .. });
                if self.stopped() {
                    return;
                }
                if delivered {
                    self.reported = false;
                    backoff.reset();
                } else if !busy && !std::mem::replace(&mut self.own_buffer, true) {
                    // A card that several record from has one length of buffer and refuses others.
                    continue;
                } else {
                    self.own_buffer = false;
                }
                if !std::mem::replace(&mut self.reported, true) {
                    self.tell(CaptureEvent::Lost { error });
                }
            }
            let until = Instant::now() + backoff.pause();
            while !self.stopped() && Instant::now() < until {
                thread::park_timeout(until.saturating_duration_since(Instant::now()));
            }
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Waits for a place, unless the microphone is dropped.
    fn tell(&self, mut event: CaptureEvent) {
        while let Err(TrySendError::Full(back)) = self.send.try_send(event) {
            if self.stopped() {
                return;
            }
            event = back;
            thread::sleep(LOOK);
        }
    }

    /// Holds the device as long as it delivers. Why it ended, and whether anything came.
    fn attempt(&self) -> (VoiceError, bool) {
        let (say, news) = mpsc::channel();
        let (close, closing) = mpsc::channel::<()>();
        let delivery = Arc::new(Delivery {
            live: AtomicBool::new(true),
            began: Instant::now(),
            last_ms: AtomicU64::new(0),
        });
        let (device, wish, own_buffer) = (self.device.clone(), self.wish, self.own_buffer);
        let (delivering, send, reported) =
            (Arc::clone(&delivery), self.send.clone(), self.reported);
        thread::spawn(move || {
            // ALSA writes many lines to standard error for one missing card.
            let _quiet = alsa::Output::local_error_handler();
            let open = || {
                let sink = Sink::new(Arc::clone(&delivering), send.clone(), reported);
                let failed = say.clone();
                let failing = move |error| drop(failed.send(News::Failed(error)));
                device::open(&device, wish, own_buffer, sink, failing)
            };
            match when_free(|| !delivering.live.load(Ordering::SeqCst), open) {
                Ok(stream) => {
                    // The other end is gone only when the device is to be closed anyway.
                    let _ = say.send(News::Opened);
                    let _ = closing.recv();
                    drop(stream);
                }
                Err(error) => drop(say.send(News::Failed(error))),
            }
            let _ = say.send(News::Closed);
        });
        let error = self.watch(&news, &delivery);
        delivery.live.store(false, Ordering::SeqCst);
        drop(close);
        self.leave(news);
        (error, delivery.last_ms.load(Ordering::SeqCst) > 0)
    }

    fn watch(&self, news: &mpsc::Receiver<News>, delivery: &Delivery) -> VoiceError {
        let gone = || device_error(&self.device, "it is gone");
        let mut opened_ms = None;
        while !self.stopped() {
            match news.recv_timeout(LOOK) {
                Ok(News::Opened) => opened_ms = Some(delivery.now_ms()),
                Ok(News::Failed(error)) => return error,
                Ok(News::Closed) | Err(RecvTimeoutError::Disconnected) => return gone(),
                Err(RecvTimeoutError::Timeout) => {}
            }
            let now = delivery.now_ms();
            match opened_ms {
                None if now > OPENING.as_millis() as u64 => {
                    return device_error(&self.device, "it does not open");
                }
                Some(opened) => {
                    let last = delivery.last_ms.load(Ordering::SeqCst).max(opened);
                    if now.saturating_sub(last) > FROZEN.as_millis() as u64 {
                        let reason = "it delivers no samples: unplug it and plug it in again";
                        return device_error(&self.device, reason);
                    }
                }
                None => {}
            }
        }
        gone()
    }

    /// Waits a little for the device to close; if it hangs, somebody else waits.
    fn leave(&self, news: mpsc::Receiver<News>) {
        let deadline = Instant::now() + CLOSING;
        loop {
            match news.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
                Ok(News::Closed) | Err(RecvTimeoutError::Disconnected) => return,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => break,
            }
        }
        let hanging = Arc::clone(&self.hanging);
        hanging.fetch_add(1, Ordering::SeqCst);
        thread::spawn(move || {
            while !matches!(news.recv(), Ok(News::Closed) | Err(_)) {}
            hanging.fetch_sub(1, Ordering::SeqCst);
        });
    }
}

/// The watcher's view of one attempt.
#[derive(Debug)]
struct Delivery {
    /// False: left behind; nothing more is to be handed over.
    live: AtomicBool,
    began: Instant,
    /// When samples came last, milliseconds after it began; 0: never.
    last_ms: AtomicU64,
}

impl Delivery {
    fn now_ms(&self) -> u64 {
        millis(self.began.elapsed()).max(1)
    }
}

/// Cuts what the device gives into chunks and hands them over. Lives in the sound system's thread.
struct Sink {
    delivery: Arc<Delivery>,
    send: SyncSender<CaptureEvent>,
    rate_hz: u32,
    rest: Vec<i16>,
    /// The loss was reported, the return not yet.
    back: bool,
    lost: u64,
    /// The system has lost some; it does not say how many.
    skipped: Arc<AtomicBool>,
}

impl Sink {
    fn new(delivery: Arc<Delivery>, send: SyncSender<CaptureEvent>, back: bool) -> Sink {
        let skipped = Arc::new(AtomicBool::new(false));
        Sink { delivery, send, rate_hz: 0, rest: Vec::new(), back, lost: 0, skipped }
    }

    /// Takes in mono samples, of which the first is so old and the last has just come.
    fn take(&mut self, samples: impl Iterator<Item = i16>, age: Duration) {
        if !self.delivery.live.load(Ordering::SeqCst) {
            return;
        }
        let now = Instant::now();
        let before = self.length(self.rest.len());
        self.rest.extend(samples);
        self.delivery.last_ms.store(self.delivery.now_ms(), Ordering::SeqCst);
        if self.back {
            self.back = !self.hand_over(CaptureEvent::Back { rate_hz: self.rate_hz });
        }
        let oldest = now.checked_sub(age.max(self.length(self.rest.len())) + before).unwrap_or(now);
        let length = chunk_length(self.rate_hz);
        let whole = self.rest.len() - self.rest.len() % length;
        for n in (0..whole).step_by(length) {
            let samples = self.rest[n..n + length].to_vec();
            let from = oldest + self.length(n);
            let chunk = Samples { rate_hz: self.rate_hz, samples, from, until: now };
            self.chunk(chunk);
        }
        self.rest.drain(..whole);
    }

    fn chunk(&mut self, chunk: Samples) {
        let length = chunk.samples.len() as u64;
        let skipped = self.skipped.swap(false, Ordering::SeqCst);
        if self.lost > 0 || skipped {
            let lost_ms = (self.lost * 1000).div_ceil(u64::from(self.rate_hz.max(1)));
            let lost_ms = u32::try_from(lost_ms).unwrap_or(u32::MAX);
            if !self.hand_over(CaptureEvent::Overrun { lost_ms }) {
                self.skipped.fetch_or(skipped, Ordering::SeqCst);
                self.lost += length;
                return;
            }
            self.lost = 0;
        }
        if !self.hand_over(CaptureEvent::Samples(chunk)) {
            self.lost += length;
        }
    }

    fn hand_over(&self, event: CaptureEvent) -> bool {
        self.send.try_send(event).is_ok()
    }

    fn length(&self, samples: usize) -> Duration {
        Duration::from_secs_f64(samples as f64 / f64::from(self.rate_hz.max(1)))
    }
}

/// How long ago the first sample of a buffer was recorded, as far as the system knows.
fn age(callback: StreamInstant, capture: StreamInstant) -> Duration {
    callback.checked_duration_since(capture).unwrap_or_default().min(Duration::from_secs(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sink(waiting: usize) -> (Sink, mpsc::Receiver<CaptureEvent>) {
        let (send, events) = mpsc::sync_channel(waiting);
        let delivery = Arc::new(Delivery {
            live: AtomicBool::new(true),
            began: Instant::now(),
            last_ms: AtomicU64::new(0),
        });
        (Sink { rate_hz: 16_000, ..Sink::new(delivery, send, false) }, events)
    }

    fn samples(event: CaptureEvent) -> Vec<i16> {
        match event {
            CaptureEvent::Samples(samples) => samples.samples,
            event => panic!("{event:?}"),
        }
    }

    #[test]
    fn buffers_of_any_length_become_chunks_of_twenty_milliseconds_in_order() {
        let (mut sink, events) = sink(100);
        let mut all = 0..3200;
        for length in [1, 7, 319, 320, 321, 1000, 1232] {
            sink.take(all.by_ref().take(length), Duration::ZERO);
        }
        drop(sink);
        let chunks: Vec<Vec<i16>> = events.iter().map(samples).collect();
        assert!(chunks.iter().all(|chunk| chunk.len() == 320));
        assert_eq!(chunks.concat(), (0..3200).collect::<Vec<i16>>());
    }

    #[test]
    fn a_full_queue_loses_whole_chunks_and_says_where_and_how_much() {
        let (mut sink, events) = sink(2);
        sink.take(std::iter::repeat_n(1, 5 * 320), Duration::ZERO);
        assert_eq!(samples(events.recv().expect("first")), [1; 320]);
        assert_eq!(samples(events.recv().expect("second")), [1; 320]);
        sink.take(std::iter::repeat_n(2, 320), Duration::ZERO);
        assert_eq!(events.recv(), Ok(CaptureEvent::Overrun { lost_ms: 60 }));
        assert_eq!(samples(events.recv().expect("third")), [2; 320]);
        sink.skipped.store(true, Ordering::SeqCst);
        sink.take(std::iter::repeat_n(3, 320), Duration::ZERO);
        assert_eq!(events.recv(), Ok(CaptureEvent::Overrun { lost_ms: 0 }));
        assert_eq!(samples(events.recv().expect("fourth")), [3; 320]);
    }

    #[test]
    fn a_chunk_says_when_it_was_recorded_at_the_earliest_and_at_the_latest() {
        let (mut sink, events) = sink(10);
        let before = Instant::now();
        // 40 ms that have waited for 60 ms more in the system.
        sink.take(std::iter::repeat_n(0, 640), Duration::from_millis(100));
        let after = Instant::now();
        for n in 0..2 {
            let CaptureEvent::Samples(chunk) = events.recv().expect("a chunk") else { panic!() };
            let late = Duration::from_millis(100) - Duration::from_millis(20) * n;
            assert!(chunk.from + late >= before && chunk.from + late <= after);
            assert!(chunk.until >= before && chunk.until <= after);
        }
    }

    #[test]
    fn what_comes_from_a_device_that_was_left_behind_is_dropped() {
        let (mut sink, events) = sink(10);
        sink.delivery.live.store(false, Ordering::SeqCst);
        sink.take(std::iter::repeat_n(1, 640), Duration::ZERO);
        assert!(events.try_recv().is_err());
    }
}
