//! The effects of a room on speech: noise, other people's talk, reverberation. Seeded, so that the
//! same seed makes the same corpus.

use std::{fmt, str::FromStr};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use annabella_devices::voice::Pcm;

/// Room noise before and after the words, milliseconds.
const AROUND_MS: u64 = 700;
/// A quiet room is not digital silence, dBFS.
const QUIET_DBFS: f64 = -66.0;
/// Speech is brought to this level, dBFS.
const SPEECH_DBFS: f64 = -23.0;

/// The change to an utterance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Condition {
    Clean,
    /// White noise this many decibels below the speech.
    Noise(u8),
    /// Other voices talking this many decibels below it.
    Babble(u8),
    /// A hall that reverberates for 1.1 s, and babble 20 dB below.
    Hall,
}

impl Condition {
    /// The conditions that are measured.
    pub const ALL: [Condition; 8] = [
        Condition::Clean,
        Condition::Noise(20),
        Condition::Noise(10),
        Condition::Noise(5),
        Condition::Babble(20),
        Condition::Babble(10),
        Condition::Babble(5),
        Condition::Hall,
    ];
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Clean => f.write_str("clean"),
            Condition::Noise(db) => write!(f, "noise-{db}"),
            Condition::Babble(db) => write!(f, "babble-{db}"),
            Condition::Hall => f.write_str("hall"),
        }
    }
}

impl FromStr for Condition {
    type Err = String;

    fn from_str(text: &str) -> Result<Condition, String> {
        Condition::ALL
            .into_iter()
            .find(|condition| condition.to_string() == text)
            .ok_or_else(|| format!("'{text}' is no condition"))
    }
}

/// Puts an utterance into a room. `others` talk there; all of them at the same rate as it.
pub fn put(sound: &Pcm, condition: Condition, others: &[Pcm], seed: u64) -> Pcm {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let around = (u64::from(sound.rate_hz) * AROUND_MS / 1000) as usize;
    let mut dry: Vec<f64> = sound.samples.iter().map(|s| f64::from(*s) / 32768.0).collect();
    scale_to(&mut dry, SPEECH_DBFS);
    let mut wet = vec![0.0; around];
    wet.append(&mut dry);
    wet.extend(vec![0.0; around]);
    if condition == Condition::Hall {
        wet = reverberate(&wet, sound.rate_hz, 1.1, &mut rng);
    }
    let len = wet.len();
    let (mut noise, below) = match condition {
        Condition::Clean => (white(len, &mut rng), None),
        Condition::Noise(db) => (white(len, &mut rng), Some(f64::from(db))),
        Condition::Babble(db) => (babble(len, others, &mut rng), Some(f64::from(db))),
        Condition::Hall => {
            let dry = babble(len, others, &mut rng);
            (reverberate(&dry, sound.rate_hz, 1.1, &mut rng), Some(20.0))
        }
    };
    scale_to(&mut noise, below.map_or(QUIET_DBFS, |db| SPEECH_DBFS - db));
    let mixed = wet.iter().zip(&noise).map(|(a, b)| a + b);
    let samples = mixed.map(|s| (s * 32768.0).round().clamp(-32768.0, 32767.0) as i16).collect();
    Pcm { rate_hz: sound.rate_hz, samples }
}

/// The same sound at another rate, by linear interpolation: enough for babble and for the pace.
pub fn resampled(sound: &Pcm, pace: f64) -> Pcm {
    let len = (sound.samples.len() as f64 / pace) as usize;
    let at = |n: usize| {
        let x = n as f64 * pace;
        let (i, part) = (x as usize, x.fract());
        let sample = |i: usize| f64::from(sound.samples.get(i).copied().unwrap_or(0));
        (sample(i) * (1.0 - part) + sample(i + 1) * part).round() as i16
    };
    Pcm { rate_hz: sound.rate_hz, samples: (0..len).map(at).collect() }
}

/// At another rate of samples.
pub fn at_rate(sound: &Pcm, rate_hz: u32) -> Pcm {
    let pace = f64::from(sound.rate_hz) / f64::from(rate_hz);
    Pcm { rate_hz, ..resampled(sound, pace) }
}

/// Brings what is not silence to this level, dBFS.
fn scale_to(samples: &mut [f64], dbfs: f64) {
    let loud: Vec<f64> = samples.iter().map(|s| s * s).filter(|p| *p > 1e-8).collect();
    if loud.is_empty() {
        return;
    }
    let rms = (loud.iter().sum::<f64>() / loud.len() as f64).sqrt();
    let gain = 10f64.powf(dbfs / 20.0) / rms;
    samples.iter_mut().for_each(|s| *s *= gain);
}

fn white(len: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
    (0..len).map(|_| rng.random_range(-1.0..1.0)).collect()
}

/// Six people at a time, from anywhere in what they say.
fn babble(len: usize, others: &[Pcm], rng: &mut ChaCha8Rng) -> Vec<f64> {
    let mut mixed = vec![0.0; len];
    if others.is_empty() {
        return white(len, rng);
    }
    for _ in 0..6 {
        let mut at = 0;
        while at < len {
            let talk = &others[rng.random_range(0..others.len())].samples;
            let from = rng.random_range(0..talk.len().max(2) / 2);
            for (mixed, sample) in mixed[at..].iter_mut().zip(&talk[from..]) {
                *mixed += f64::from(*sample) / 32768.0;
            }
            at += talk.len() - from + 1;
        }
    }
    mixed
}

/// The direct sound, early echoes, and a tail that falls by 60 dB in `seconds`.
fn reverberate(dry: &[f64], rate_hz: u32, seconds: f64, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let rate = f64::from(rate_hz);
    let mut wet = dry.to_vec();
    // Sparse echoes sound like a dense tail, and cost little: some 900 a second.
    let mut t = 0.012;
    while t < seconds {
        let sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
        let gain = sign * 0.16 * 10f64.powf(-3.0 * t / seconds);
        let delay = (t * rate) as usize;
        for n in delay..dry.len() {
            wet[n] += gain * dry[n - delay];
        }
        t += rng.random_range(0.0005..0.0017);
    }
    wet
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(ms: usize) -> Pcm {
        let samples = (0..ms * 16).map(|n| ((n as f64 * 0.2).sin() * 9000.0) as i16).collect();
        Pcm { rate_hz: 16_000, samples }
    }

    fn level(samples: &[i16]) -> f64 {
        let sum: f64 = samples.iter().map(|s| (f64::from(*s) / 32768.0).powi(2)).sum();
        10.0 * (sum / samples.len() as f64).log10()
    }

    #[test]
    fn noise_is_as_far_below_the_speech_as_it_says() {
        for (condition, expected) in
            [(Condition::Clean, 43.0), (Condition::Noise(20), 20.0), (Condition::Babble(10), 10.0)]
        {
            let others = [tone(3000)];
            let room = put(&tone(1000), condition, &others, 7);
            let before = level(&room.samples[..16 * 600]);
            let distance = SPEECH_DBFS - before;
            // Talk comes and goes; noise does not.
            let tolerance = if matches!(condition, Condition::Babble(_)) { 4.0 } else { 1.5 };
            assert!((distance - expected).abs() < tolerance, "{condition}: {distance}");
        }
    }

    #[test]
    fn a_hall_goes_on_after_the_words() {
        let dry = put(&tone(500), Condition::Clean, &[], 1);
        let hall = put(&tone(500), Condition::Hall, &[], 1);
        let end = 16 * (700 + 500 + 100);
        assert!(
            level(&hall.samples[end..end + 1600]) > level(&dry.samples[end..end + 1600]) + 15.0
        );
    }

    #[test]
    fn the_same_seed_gives_the_same_room() {
        let a = put(&tone(300), Condition::Babble(5), &[tone(1000)], 9);
        assert_eq!(a, put(&tone(300), Condition::Babble(5), &[tone(1000)], 9));
        assert_ne!(a, put(&tone(300), Condition::Babble(5), &[tone(1000)], 10));
    }

    #[test]
    fn conditions_are_read_as_they_are_written() {
        for condition in Condition::ALL {
            assert_eq!(condition.to_string().parse(), Ok(condition));
        }
        assert_eq!("loud".parse::<Condition>(), Err("'loud' is no condition".to_owned()));
    }
}
