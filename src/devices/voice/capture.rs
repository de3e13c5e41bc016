//! Samples from a microphone as they come: the trait, and a simulated twin.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use super::{Pcm, VoiceError};

/// Length of a chunk of samples, milliseconds.
pub const CHUNK_MS: u32 = 20;

/// Samples in a chunk at this rate, at least one.
pub fn chunk_length(rate_hz: u32) -> usize {
    (rate_hz as usize * CHUNK_MS as usize / 1000).max(1)
}

/// An event from a microphone, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum CaptureEvent {
    /// A chunk of about [`CHUNK_MS`].
    Samples(Samples),
    /// Some were lost here: nobody fetched them in time, or the system was too slow.
    Overrun {
        /// How much is missing, milliseconds, rounded up; 0 where the system does not say.
        lost_ms: u32,
    },
    /// The device is gone, cannot be opened, or has stopped. Told once; it is tried again and
    /// again.
    Lost { error: VoiceError },
    /// The microphone is back; its rate may have changed.
    Back {
        /// Samples a second.
        rate_hz: u32,
    },
}

/// Mono, 16 bit.
#[derive(Clone, Debug, PartialEq)]
pub struct Samples {
    /// Samples a second, as the device gives them.
    pub rate_hz: u32,
    pub samples: Vec<i16>,
    /// The first was not recorded before this (monotonic clock).
    pub from: Instant,
    /// The last was not recorded after this.
    pub until: Instant,
}

/// Something that gives samples.
pub trait Capture: Send {
    /// The next event. Waits for it at most this long.
    fn next(&mut self, wait: Duration) -> Option<CaptureEvent>;
}

/// A microphone that hears given sounds: the twin, for tests and simulated games. It never waits;
/// its time passes with its samples.
#[derive(Debug)]
pub struct SimMicrophone {
    rate_hz: u32,
    now: Instant,
    plugged: bool,
    sound: VecDeque<i16>,
    events: VecDeque<CaptureEvent>,
}

impl SimMicrophone {
    /// A microphone with this rate, plugged in, in an empty room.
    pub fn new(rate_hz: u32) -> SimMicrophone {
        SimMicrophone {
            rate_hz,
            now: Instant::now(),
            plugged: true,
            sound: VecDeque::new(),
            events: VecDeque::new(),
        }
    }

    /// Adds this sound after those before it. An unplugged microphone hears nothing.
    pub fn hear(&mut self, sound: &Pcm) {
        if self.plugged {
            self.sound.extend(sound.resampled(self.rate_hz).samples);
        }
    }

    /// Pulls the plug. Sounds that were not fetched yet are lost.
    pub fn unplug(&mut self) {
        if std::mem::take(&mut self.plugged) {
            self.sound.clear();
            let reason = "it is gone".to_owned();
            let error = VoiceError::Device { name: "sim".to_owned(), reason };
            self.events.push_back(CaptureEvent::Lost { error });
        }
    }

    /// Puts the plug in again.
    pub fn plug(&mut self) {
        if !std::mem::replace(&mut self.plugged, true) {
            self.events.push_back(CaptureEvent::Back { rate_hz: self.rate_hz });
        }
    }
}

impl Capture for SimMicrophone {
    fn next(&mut self, _wait: Duration) -> Option<CaptureEvent> {
        if let Some(event) = self.events.pop_front() {
            return Some(event);
        }
        if self.sound.is_empty() {
            return None;
        }
        let length = chunk_length(self.rate_hz).min(self.sound.len());
        let samples: Vec<i16> = self.sound.drain(..length).collect();
        let from = self.now;
        self.now += Duration::from_secs_f64(length as f64 / f64::from(self.rate_hz.max(1)));
        let (rate_hz, until) = (self.rate_hz, self.now);
        Some(CaptureEvent::Samples(Samples { rate_hz, samples, from, until }))
    }
}
