//! How loud a microphone is, and what to do about it.
//!
//! Pure: samples in, a judgement and a line of text out, for `annabella listen --mic` and
//! `annabella doctor`.

use std::fmt;

/// Levels are taken over windows of so many milliseconds.
const WINDOW_MS: usize = 20;
/// At least so much is needed to judge.
const ENOUGH_MS: u64 = 1000;
/// Quieter than this all the time is no microphone, dBFS.
const DEAD_DBFS: f32 = -80.0;
/// Speech should be louder than this, dBFS.
const QUIET_DBFS: f32 = -42.0;
/// And so far above the room, decibels.
const CLEAR_DB: f32 = 15.0;
/// More than this share of samples at full scale is clipping.
const CLIPPED: f64 = 0.001;

/// What a level says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Not enough was heard to say.
    Unknown,
    /// Nothing at all.
    Silent,
    /// Something, and too little.
    TooQuiet,
    /// The room is nearly as loud as the speech.
    Noisy,
    /// Too loud: cut at full scale.
    Clipping,
    /// As it should be.
    Good,
}

impl fmt::Display for Judgement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Judgement::Unknown => "not heard long enough to say",
            Judgement::Silent => {
                "no sound at all: plug the microphone in, or unmute it (alsamixer, F4, space)"
            }
            Judgement::TooQuiet => {
                "too quiet: speak louder, come nearer, or raise it (alsamixer, F4)"
            }
            Judgement::Noisy => {
                "the room is nearly as loud as the speech: come nearer, or use a headset"
            }
            Judgement::Clipping => "too loud: lower it (alsamixer, F4), or keep away a little",
            Judgement::Good => "good",
        })
    }
}

/// Levels of what was heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    /// The loudest sample, dBFS.
    pub peak_dbfs: f32,
    /// The room: the level that nine tenths of all windows exceed, dBFS.
    pub room_dbfs: f32,
    /// The speech: the level that a tenth of all windows exceed, dBFS.
    pub speech_dbfs: f32,
    /// Share of samples at full scale.
    pub clipped: f64,
    /// Heard so long, milliseconds.
    pub heard_ms: u64,
}

/// Measures a stream of samples.
#[derive(Clone, Debug)]
pub struct Meter {
    rate_hz: u32,
    rest: Vec<i16>,
    windows: Vec<f32>,
    peak: u16,
    clipped: u64,
    samples: u64,
}

impl Meter {
    /// For samples at this rate, mono, 16 bit.
    pub fn new(rate_hz: u32) -> Meter {
        Meter { rate_hz, rest: Vec::new(), windows: Vec::new(), peak: 0, clipped: 0, samples: 0 }
    }

    /// Takes in samples.
    pub fn feed(&mut self, samples: &[i16]) {
        for sample in samples {
            self.peak = self.peak.max(sample.unsigned_abs());
            self.clipped += u64::from(sample.unsigned_abs() >= 32_700);
        }
        self.samples += samples.len() as u64;
        self.rest.extend_from_slice(samples);
        let window = (self.rate_hz as usize * WINDOW_MS / 1000).max(1);
        let whole = self.rest.len() / window * window;
        for window in self.rest[..whole].chunks(window) {
            let sum: f64 = window.iter().map(|s| f64::from(*s).powi(2)).sum();
            self.windows.push(dbfs((sum / window.len() as f64).sqrt()));
        }
        self.rest.drain(..whole);
    }

    /// What was heard since the start.
    pub fn level(&self) -> Level {
        let mut windows = self.windows.clone();
        windows.sort_by(f32::total_cmp);
        let at = |tenths: usize| {
            let n = windows.len().saturating_sub(1) * tenths / 10;
            windows.get(n).copied().unwrap_or(-120.0)
        };
        Level {
            peak_dbfs: dbfs(f64::from(self.peak)),
            room_dbfs: at(1),
            speech_dbfs: at(9),
            clipped: self.clipped as f64 / self.samples.max(1) as f64,
            heard_ms: self.samples * 1000 / u64::from(self.rate_hz.max(1)),
        }
    }

    /// Begins again, as for the next second.
    pub fn restart(&mut self) {
        *self = Meter::new(self.rate_hz);
    }
}

impl Level {
    /// What to think of it, if somebody spoke meanwhile.
    pub fn judgement(&self) -> Judgement {
        match self {
            level if level.peak_dbfs < DEAD_DBFS && level.heard_ms >= ENOUGH_MS => {
                Judgement::Silent
            }
            level if level.heard_ms < ENOUGH_MS => Judgement::Unknown,
            level if level.clipped > CLIPPED => Judgement::Clipping,
            level if level.speech_dbfs < QUIET_DBFS => Judgement::TooQuiet,
            level if level.speech_dbfs < level.room_dbfs + CLEAR_DB => Judgement::Noisy,
            _ => Judgement::Good,
        }
    }
}

impl fmt::Display for Level {
    /// `speech -24 dB, room -58 dB, peak -9 dB`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "speech {:.0} dB, room {:.0} dB, peak {:.0} dB",
            self.speech_dbfs, self.room_dbfs, self.peak_dbfs
        )
    }
}

fn dbfs(amplitude: f64) -> f32 {
    (20.0 * (amplitude / 32768.0).max(1e-6).log10()) as f32
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A second of "speech" (loud for half of it) over a room.
    fn judged(speech: f64, room: f64) -> Judgement {
        let mut meter = Meter::new(16_000);
        let samples: Vec<i16> = (0..32_000)
            .map(|n| {
                let amplitude = if n % 8000 < 4000 { speech } else { room };
                (f64::from(n) * 0.7).sin() * amplitude
            })
            .map(|sample| sample.clamp(-32768.0, 32767.0) as i16)
            .collect();
        meter.feed(&samples);
        meter.level().judgement()
    }

    #[test]
    fn levels_are_judged() {
        assert_eq!(judged(0.0, 0.0), Judgement::Silent);
        assert_eq!(judged(150.0, 5.0), Judgement::TooQuiet);
        assert_eq!(judged(3000.0, 40.0), Judgement::Good);
        assert_eq!(judged(3000.0, 1500.0), Judgement::Noisy);
        assert_eq!(judged(90_000.0, 40.0), Judgement::Clipping);
        assert_eq!(Meter::new(16_000).level().judgement(), Judgement::Unknown);
    }

    #[test]
    fn a_level_is_read_in_one_line() {
        let mut meter = Meter::new(8000);
        meter.feed(&[16_384; 8000]);
        assert_eq!(meter.level().to_string(), "speech -6 dB, room -6 dB, peak -6 dB");
        meter.restart();
        assert_eq!(meter.level().heard_ms, 0);
    }

    proptest! {
        #[test]
        fn no_samples_in_any_pieces_break_it(
            pieces in prop::collection::vec(prop::collection::vec(any::<i16>(), 0..300), 0..20),
            rate in 1u32..200_000,
        ) {
            let (mut whole, mut parts) = (Meter::new(rate), Meter::new(rate));
            whole.feed(&pieces.concat());
            pieces.iter().for_each(|piece| parts.feed(piece));
            prop_assert_eq!(whole.level(), parts.level());
            let level = whole.level();
            prop_assert!(level.room_dbfs <= level.speech_dbfs);
            prop_assert!(level.speech_dbfs <= level.peak_dbfs + 0.01 || level.heard_ms == 0 || whole.windows.is_empty());
        }
    }
}
