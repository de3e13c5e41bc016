//! How loud the microphone is, and what is wrong with it.
//!
//! Pure: mono samples in, numbers and one sentence out. Levels are in dBFS: 0 is the loudest
//! possible sample. A constant offset, as cheap converters have, does not count.

use std::{collections::VecDeque, fmt};

/// Length of a window, milliseconds.
const WINDOW_MS: u32 = 50;
/// The judgement covers the last ten seconds.
const WINDOWS: usize = 200;
/// The number of windows before the first judgement (one second).
const FIRST: usize = 20;
/// A microphone that is connected and open shows at least its own noise: more than this, half of
/// the distance between the highest and the lowest sample.
const SILENT_SWING: u16 = 2;
/// This many windows of silence are reported (three seconds).
const SILENT_WINDOWS: usize = 60;
/// A sample from here on is at full scale.
pub(super) const FULL_SCALE: u16 = 32_760;
/// More than this share of samples at full scale is clipping.
pub(super) const CLIPPING_SHARE: f64 = 0.0005;
/// Speech stands at least so far above the room, decibels.
const SPEECH_ABOVE_DB: f64 = 9.0;
/// This many windows of speech are enough (0.2 seconds).
const SPEECH_WINDOWS: usize = 4;
/// Speech below this is too quiet for the recogniser, dBFS.
pub(super) const QUIET_DBFS: f64 = -40.0;
/// The lowest level reported: digital silence.
const LOWEST_DBFS: f64 = -96.0;
/// The left end of the bar, dBFS.
const BAR_FROM_DBFS: f64 = -60.0;

/// The fault of the level, if any.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Less than a second has been heard.
    Waiting,
    /// Nothing, not even noise, for three seconds or more.
    Silent,
    /// The room is heard, but nobody speaks.
    NoSpeech,
    /// Speech is too quiet to be understood.
    TooQuiet,
    Good,
    /// Too loud: samples are cut off at full scale.
    Clipping,
}

/// The numbers, all of the last ten seconds but the first two, which are of the last window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoundLevels {
    /// The highest sample, dBFS.
    pub peak_dbfs: f64,
    /// Root mean square without the offset, dBFS.
    pub rms_dbfs: f64,
    /// The room: the level exceeded nine tenths of the time, dBFS.
    pub room_dbfs: f64,
    /// Speech, if there was any: the middle of what stands out from the room, dBFS.
    pub speech_dbfs: Option<f64>,
    /// Share of samples at full scale, 0 to 1.
    pub clipped: f64,
    pub judgement: Judgement,
}

#[derive(Clone, Copy, Debug)]
struct Window {
    rms_dbfs: f64,
    peak: u16,
    swing: u16,
    clipped: usize,
}

/// Measures a stream of samples.
#[derive(Clone, Debug)]
pub struct Meter {
    length: usize,
    rest: Vec<i16>,
    windows: VecDeque<Window>,
}

impl Meter {
    /// For mono samples at this rate.
    pub fn new(rate_hz: u32) -> Meter {
        let length = (rate_hz as usize * WINDOW_MS as usize / 1000).max(1);
        Meter { length, rest: Vec::new(), windows: VecDeque::new() }
    }

    /// Takes in the next samples.
    pub fn feed(&mut self, samples: &[i16]) {
        self.rest.extend_from_slice(samples);
        let whole = self.rest.len() - self.rest.len() % self.length;
        for window in self.rest[..whole].chunks_exact(self.length) {
            self.windows.push_back(Window::of(window));
        }
        self.rest.drain(..whole);
        let over = self.windows.len().saturating_sub(WINDOWS);
        self.windows.drain(..over);
    }

    pub fn levels(&self) -> SoundLevels {
        let (rms_dbfs, peak_dbfs) = match self.windows.back() {
            Some(last) => (last.rms_dbfs, dbfs(f64::from(last.peak))),
            None => (LOWEST_DBFS, LOWEST_DBFS),
        };
        let mut levels: Vec<f64> = self.windows.iter().map(|window| window.rms_dbfs).collect();
        levels.sort_by(f64::total_cmp);
        let room_dbfs = levels.get(levels.len() / 10).copied().unwrap_or(LOWEST_DBFS);
        let first = levels.partition_point(|level| *level < room_dbfs + SPEECH_ABOVE_DB);
        let speech = &levels[first..];
        let speech_dbfs = (speech.len() >= SPEECH_WINDOWS).then(|| speech[speech.len() / 2]);
        let heard = self.windows.len() * self.length;
        let cut: usize = self.windows.iter().map(|window| window.clipped).sum();
        let clipped = if heard == 0 { 0.0 } else { cut as f64 / heard as f64 };
        let judgement = self.judge(speech_dbfs, clipped);
        SoundLevels { peak_dbfs, rms_dbfs, room_dbfs, speech_dbfs, clipped, judgement }
    }

    fn judge(&self, speech_dbfs: Option<f64>, clipped: f64) -> Judgement {
        let mut last = self.windows.iter().rev().take(SILENT_WINDOWS);
        let silent = last.all(|window| window.swing <= SILENT_SWING);
        if silent && self.windows.len() >= SILENT_WINDOWS {
            return Judgement::Silent;
        }
        if self.windows.len() < FIRST {
            return Judgement::Waiting;
        }
        match speech_dbfs {
            _ if clipped > CLIPPING_SHARE => Judgement::Clipping,
            None => Judgement::NoSpeech,
            Some(level) if level < QUIET_DBFS => Judgement::TooQuiet,
            Some(_) => Judgement::Good,
        }
    }

    /// One line for a terminal: a bar from −60 to 0 dBFS with the peak marked, and the judgement.
    pub fn bar(&self, width: usize) -> String {
        let levels = self.levels();
        let place = |level: f64| {
            let share = (level - BAR_FROM_DBFS) / -BAR_FROM_DBFS;
            (share.clamp(0.0, 1.0) * width as f64).round() as usize
        };
        let (full, peak) = (place(levels.rms_dbfs), place(levels.peak_dbfs));
        let bar: String = (1..=width)
            .map(|n| match n {
                _ if n == peak => '|',
                _ if n <= full => '#',
                _ => '-',
            })
            .collect();
        format!("[{bar}] {:>4.0} dBFS: {levels}", levels.rms_dbfs)
    }

    /// One line for a screen reader: the judgement first, then the numbers as words and figures.
    pub fn plain(&self) -> String {
        let levels = self.levels();
        format!("{levels}; level {:.0}, peak {:.0} dBFS", levels.rms_dbfs, levels.peak_dbfs)
    }
}

/// The sentence for `annabella doctor` and `annabella listen --mic`.
impl fmt::Display for SoundLevels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let speech = self.speech_dbfs.unwrap_or(LOWEST_DBFS);
        match self.judgement {
            Judgement::Waiting => f.write_str("listening"),
            Judgement::Silent => {
                f.write_str("nothing but silence: the microphone is muted or not connected")
            }
            Judgement::NoSpeech => {
                write!(f, "the room is heard ({:.0} dBFS), nobody speaks", self.room_dbfs)
            }
            Judgement::TooQuiet => write!(
                f,
                "speech is too quiet ({speech:.0} dBFS): raise the microphone's level or come closer"
            ),
            Judgement::Good => {
                write!(f, "good: speech at {speech:.0} dBFS, the room at {:.0}", self.room_dbfs)
            }
            Judgement::Clipping => write!(
                f,
                "too loud ({:.2} % of the samples are cut off): lower the microphone's level",
                self.clipped * 100.0
            ),
        }
    }
}

impl Window {
    fn of(samples: &[i16]) -> Window {
        let count = samples.len().max(1) as f64;
        let mean = samples.iter().map(|sample| f64::from(*sample)).sum::<f64>() / count;
        let square = |sample: &i16| (f64::from(*sample) - mean).powi(2);
        let rms = (samples.iter().map(square).sum::<f64>() / count).sqrt();
        let highest = samples.iter().max().copied().unwrap_or(0);
        let lowest = samples.iter().min().copied().unwrap_or(0);
        Window {
            rms_dbfs: dbfs(rms),
            peak: highest.unsigned_abs().max(lowest.unsigned_abs()),
            swing: highest.abs_diff(lowest) / 2,
            clipped: samples.iter().filter(|sample| sample.unsigned_abs() >= FULL_SCALE).count(),
        }
    }
}

fn dbfs(level: f64) -> f64 {
    (20.0 * (level / 32_768.0).log10()).max(LOWEST_DBFS)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const RATE_HZ: u32 = 16_000;

    /// A tone of this amplitude (0 to 1, more is cut off) on noise of another.
    fn sound(ms: u32, tone: f64, noise: f64, seed: u32) -> Vec<i16> {
        let mut state = seed | 1;
        (0..ms * RATE_HZ / 1000)
            .map(|n| {
                state ^= state << 13;
                state ^= state >> 17;
                state ^= state << 5;
                let random = f64::from(state) / f64::from(u32::MAX) * 2.0 - 1.0;
                let t = f64::from(n) / f64::from(RATE_HZ);
                let value = tone * (t * 220.0 * std::f64::consts::TAU).sin() + noise * random;
                (value * 32_767.0).clamp(-32_768.0, 32_767.0) as i16
            })
            .collect()
    }

    fn judged(parts: &[Vec<i16>]) -> SoundLevels {
        let mut meter = Meter::new(RATE_HZ);
        for part in parts {
            meter.feed(part);
        }
        meter.levels()
    }

    #[test]
    fn every_judgement_has_its_sentence() {
        let said = |parts: &[Vec<i16>]| judged(parts).to_string();
        assert_eq!(said(&[sound(500, 0.0, 0.01, 1)]), "listening");
        assert_eq!(
            said(&[vec![0; 48_000]]),
            "nothing but silence: the microphone is muted or not connected"
        );
        assert_eq!(
            said(&[sound(2000, 0.0, 0.003, 1)]),
            "the room is heard (-55 dBFS), nobody speaks"
        );
        let spoken = |tone| [sound(2000, 0.0, 0.001, 1), sound(800, tone, 0.001, 2)];
        assert_eq!(
            said(&spoken(0.01)),
            "speech is too quiet (-43 dBFS): raise the microphone's level or come closer"
        );
        assert_eq!(said(&spoken(0.1)), "good: speech at -23 dBFS, the room at -65");
        assert_eq!(
            said(&spoken(1.05)),
            "too loud (5.64 % of the samples are cut off): lower the microphone's level"
        );
    }

    #[test]
    fn a_constant_offset_and_a_stuck_bit_are_silence_too() {
        assert_eq!(judged(&[vec![-420; 48_000]]).judgement, Judgement::Silent);
        let stuck = [0, 1].repeat(24_000);
        assert_eq!(judged(&[stuck]).judgement, Judgement::Silent);
    }

    #[test]
    fn a_microphone_muted_while_it_is_watched_is_noticed_after_three_seconds() {
        let mut meter = Meter::new(RATE_HZ);
        meter.feed(&sound(5000, 0.2, 0.001, 1));
        meter.feed(&[0; 47_000]);
        assert_ne!(meter.levels().judgement, Judgement::Silent);
        meter.feed(&[0; 1_000]);
        assert_eq!(meter.levels().judgement, Judgement::Silent);
    }

    #[test]
    fn the_bar_shows_level_and_peak_and_the_plain_line_says_them() {
        let mut meter = Meter::new(RATE_HZ);
        meter.feed(&sound(2000, 0.0, 0.001, 1));
        meter.feed(&sound(800, 0.1, 0.001, 2));
        assert_eq!(
            meter.bar(30),
            "[##################-|----------]  -23 dBFS: good: speech at -23 dBFS, the room at -65"
        );
        assert_eq!(
            meter.plain(),
            "good: speech at -23 dBFS, the room at -65; level -23, peak -20 dBFS"
        );
        assert_eq!(Meter::new(RATE_HZ).bar(10), "[----------]  -96 dBFS: listening");
        assert_eq!(Meter::new(RATE_HZ).bar(0), "[]  -96 dBFS: listening");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn a_tones_level_is_measured_to_half_a_decibel(amplitude in 0.001f64..0.99) {
            let levels = judged(&[sound(1000, amplitude, 0.0, 1)]);
            let peak = 20.0 * amplitude.log10();
            prop_assert!((levels.peak_dbfs - peak).abs() < 0.5, "{levels:?}");
            prop_assert!((levels.rms_dbfs - (peak - 3.01)).abs() < 0.5, "{levels:?}");
            prop_assert_eq!(levels.clipped, 0.0);
        }

        /// However the samples are cut into chunks.
        #[test]
        fn chunks_do_not_matter(chunk in 1usize..3000, tone in 0.0f64..1.5, seed: u32) {
            let samples = sound(1500, tone, 0.01, seed);
            let chunks: Vec<Vec<i16>> = samples.chunks(chunk).map(<[i16]>::to_vec).collect();
            prop_assert_eq!(judged(&chunks), judged(&[samples]));
        }

        #[test]
        fn speech_is_judged_by_its_level(tone in 0.0f64..3.0, noise in 0.0005f64..0.002, seed: u32) {
            let levels = judged(&[sound(3000, 0.0, noise, seed), sound(1000, tone, noise, seed)]);
            let level = 20.0 * tone.log10() - 3.01;
            let expected = match tone {
                _ if tone > 1.01 => Judgement::Clipping,
                _ if level > -39.0 && tone < 0.98 => Judgement::Good,
                _ if level < -41.0 && level > -52.0 => Judgement::TooQuiet,
                _ if level < -70.0 => Judgement::NoSpeech,
                // On the borders either will do.
                _ => return Ok(()),
            };
            prop_assert_eq!(levels.judgement, expected, "{:?}", levels);
        }

        #[test]
        fn any_samples_at_any_rate_have_finite_levels(
            rate in 0u32..200_000, samples in prop::collection::vec(any::<i16>(), 0..5000),
        ) {
            let mut meter = Meter::new(rate);
            meter.feed(&samples);
            let levels = meter.levels();
            prop_assert!(levels.rms_dbfs.is_finite() && levels.room_dbfs.is_finite());
            prop_assert!((0.0..=1.0).contains(&levels.clipped));
            prop_assert!(meter.bar(20).starts_with('['));
        }
    }
}
