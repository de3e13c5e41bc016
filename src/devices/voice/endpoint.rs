//! The begin and end of an utterance, by its loudness against the room's.
//!
//! Pure: samples in, events out. A recogniser's own endpointing waits for silence, and a hall is
//! never silent. What counts here is how far speech stands above the room's steady level: over all,
//! or in two of four bands, where a noise is nearly as loud as the voice.

mod bands;

use std::collections::VecDeque;

use self::bands::Bands;

/// How far above the room's noise speech begins, decibels, over all or in two bands.
const BEGIN_DB: f32 = 9.0;
/// How far above the room's noise speech ends, decibels.
const END_DB: f32 = 6.0;
/// How far below the utterance's own loudness it ends, decibels, where others go on talking.
const BELOW_OWN_DB: f32 = 12.0;
/// How far below it, decibels, [`TOGETHER`] frames of 10 ms must be as a whole. Single syllables
/// are louder.
const BELOW_OWN_TOGETHER_DB: f32 = 8.0;
const TOGETHER: usize = 20;
/// One in this many of an utterance's frames is louder than its own loudness counts.
const LOUDEST: usize = 5;
/// Quieter than this is silence in any room, dBFS.
const SILENCE_DBFS: f32 = -55.0;
/// Frames of 10 ms that must be loud for speech to begin.
const BEGIN_FRAMES: usize = 5;
/// The window of frames of 10 ms in which those are counted.
const WINDOW: usize = 8;
/// A pause of this many milliseconds ends an utterance. It is longer than the one between "Gustav"
/// and "eins".
const PAUSE_MS: u32 = 450;
/// The same in milliseconds where others talk in that pause: one of the player's own words may be
/// as quiet as they are.
const OTHERS_MS: u32 = 600;
/// An utterance that goes on for longer is cut: nobody needs that long for a move.
const LONGEST_MS: u32 = 12_000;
/// The room's noise is the quietest of this many frames of 10 ms.
const ROOM_FRAMES: usize = 150;
/// The lowest noise assumed in a band, dBFS. In a quiet room the loudness over all decides better,
/// and in bands an echo would count as a new utterance.
const BAND_ROOM_DBFS: f32 = -48.0;

/// An event found in a chunk of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    Idle,
    /// Somebody begins; some 300 ms before this chunk belong to it.
    Began,
    Speaking,
    Ended,
}

/// Finds the utterances in a stream of samples.
#[derive(Clone, Debug)]
pub struct Endpointer {
    frame: usize,
    rest: Vec<i16>,
    bands: Bands,
    room: Room,
    recent: VecDeque<bool>,
    /// Loudness of the utterance's frames over all, dBFS.
    own: Vec<f32>,
    speaking: bool,
    quiet_ms: u32,
    /// The longest time for which others have spoken, more quietly.
    others_ms: u32,
    spoken_ms: u32,
}

impl Endpointer {
    /// For samples at this rate, mono, 16 bit.
    pub fn new(rate_hz: u32) -> Endpointer {
        Endpointer {
            frame: (rate_hz as usize / 100).max(1),
            rest: Vec::new(),
            bands: Bands::new(rate_hz),
            room: Room::default(),
            recent: VecDeque::new(),
            own: Vec::new(),
            speaking: false,
            quiet_ms: 0,
            others_ms: 0,
            spoken_ms: 0,
        }
    }

    /// Takes in the next samples.
    pub fn feed(&mut self, samples: &[i16]) -> Endpoint {
        self.rest.extend_from_slice(samples);
        let mut told = if self.speaking { Endpoint::Speaking } else { Endpoint::Idle };
        let mut taken = 0;
        while self.rest.len() - taken >= self.frame {
            let samples = &self.rest[taken..taken + self.frame];
            let level = Level { all: level_dbfs(samples), bands: self.bands.levels_dbfs(samples) };
            taken += self.frame;
            match self.frame(level) {
                // An end in the same chunk as a beginning is reported with the next chunk.
                Endpoint::Ended if told == Endpoint::Began => self.speaking = true,
                event @ (Endpoint::Began | Endpoint::Ended) => {
                    told = event;
                    if event == Endpoint::Ended {
                        break;
                    }
                }
                _ => {}
            }
        }
        self.rest.drain(..taken);
        told
    }

    fn frame(&mut self, level: Level) -> Endpoint {
        let audible = level.all > SILENCE_DBFS;
        let above = level.all - self.room.noise();
        let begins = !self.speaking
            && audible
            && (above > BEGIN_DB || self.room.above_in_bands(&level) > BEGIN_DB);
        // Clear speech says little about the room; a lasting sound is the room.
        self.room.hear(level);
        if self.speaking {
            self.spoken_ms += 10;
            self.own.push(level.all);
            let own = low(&self.own, self.own.len() - 1 - self.own.len() / LOUDEST);
            let last = mean_dbfs(&self.own[self.own.len().saturating_sub(TOGETHER)..]);
            let count = |ms: u32, loud: bool| if loud { 0 } else { ms + 10 };
            let loud = audible && above > END_DB && level.all > own - BELOW_OWN_DB;
            self.quiet_ms = count(self.quiet_ms, loud);
            self.others_ms = count(self.others_ms, last > own - BELOW_OWN_TOGETHER_DB);
            let pauses = self.quiet_ms >= PAUSE_MS || self.others_ms >= OTHERS_MS;
            if pauses || self.spoken_ms >= LONGEST_MS {
                self.reset();
                return Endpoint::Ended;
            }
            return Endpoint::Speaking;
        }
        self.recent.push_back(begins);
        if self.recent.len() > WINDOW {
            self.recent.pop_front();
        }
        if self.recent.iter().filter(|loud| **loud).count() >= BEGIN_FRAMES {
            self.speaking = true;
            self.recent.clear();
            self.own = self.room.last(WINDOW);
            return Endpoint::Began;
        }
        Endpoint::Idle
    }

    /// How many milliseconds nobody has spoken in an utterance that has not ended.
    pub fn pause_ms(&self) -> u32 {
        self.quiet_ms.max(self.others_ms)
    }

    /// Forgets the utterance, not the room.
    pub fn reset(&mut self) {
        self.speaking = false;
        self.recent.clear();
        self.quiet_ms = 0;
        self.others_ms = 0;
        self.spoken_ms = 0;
    }
}

/// How loud a frame is, dBFS.
#[derive(Clone, Copy, Debug)]
struct Level {
    all: f32,
    bands: [f32; bands::COUNT],
}

/// The last second and a half, newest last.
#[derive(Clone, Debug, Default)]
struct Room(VecDeque<Level>);

impl Room {
    fn hear(&mut self, level: Level) {
        self.0.push_back(level);
        if self.0.len() > ROOM_FRAMES {
            self.0.pop_front();
        }
    }

    /// The room's own noise, dBFS.
    fn noise(&self) -> f32 {
        self.low(|level| level.all).max(SILENCE_DBFS - BEGIN_DB)
    }

    /// How far a frame stands above the room in the two bands where it does most, decibels.
    fn above_in_bands(&self, level: &Level) -> f32 {
        let mut above = [0.0; bands::COUNT];
        for (n, above) in above.iter_mut().enumerate() {
            *above = level.bands[n] - self.low(|level| level.bands[n]).max(BAND_ROOM_DBFS);
        }
        above.sort_by(f32::total_cmp);
        above.iter().rev().take(2).sum::<f32>() / 2.0
    }

    /// A low one of the levels; until the room is known everything is the room.
    fn low(&self, of: impl Fn(&Level) -> f32) -> f32 {
        if self.0.len() < 10 {
            return f32::INFINITY;
        }
        let levels: Vec<f32> = self.0.iter().map(of).collect();
        low(&levels, levels.len() / 8)
    }

    /// How loud the last frames were over all.
    fn last(&self, frames: usize) -> Vec<f32> {
        self.0.iter().rev().take(frames).map(|level| level.all).collect()
    }
}

/// The level that `n` of these frames do not exceed.
fn low(levels: &[f32], n: usize) -> f32 {
    let mut levels = levels.to_vec();
    let (_, low, _) = levels.select_nth_unstable_by(n, f32::total_cmp);
    *low
}

/// The loudness of frames as loud as these, all together.
pub(super) fn mean_dbfs(levels: &[f32]) -> f32 {
    let power: f32 = levels.iter().map(|level| 10f32.powf(level / 10.0)).sum();
    dbfs(power / levels.len().max(1) as f32)
}

/// Root mean square against full scale.
pub(super) fn level_dbfs(samples: &[i16]) -> f32 {
    let sum: f64 = samples.iter().map(|s| (f64::from(*s) / 32768.0).powi(2)).sum();
    dbfs((sum / samples.len().max(1) as f64) as f32)
}

/// A mean square, decibels against full scale.
fn dbfs(power: f32) -> f32 {
    10.0 * power.max(1e-12).log10()
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Noise with this amplitude, always the same.
    pub(crate) fn noise(ms: usize, amplitude: f64, seed: u32) -> Vec<i16> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1u32 << 24) * 2.0 - 1.0
        };
        (0..ms * 16).map(|_| (next() * amplitude) as i16).collect()
    }

    /// Began and ended, milliseconds, for chunks of 20 ms at 16 kHz.
    fn utterances(samples: &[i16]) -> Vec<(usize, usize)> {
        let mut endpointer = Endpointer::new(16_000);
        let (mut all, mut began) = (Vec::new(), None);
        for (n, chunk) in samples.chunks(320).enumerate() {
            match endpointer.feed(chunk) {
                Endpoint::Began => began = Some(n * 20),
                Endpoint::Ended => all.extend(began.take().map(|began| (began, n * 20))),
                _ => {}
            }
        }
        all
    }

    #[test]
    fn silence_and_steady_noise_are_no_utterance() {
        assert_eq!(utterances(&vec![0; 16_000 * 5]), []);
        assert_eq!(utterances(&noise(20_000, 300.0, 1)), []);
        assert_eq!(utterances(&noise(20_000, 8000.0, 2)), []);
        let mut sudden = noise(2000, 300.0, 3);
        sudden.extend(noise(20_000, 8000.0, 2));
        assert_eq!(utterances(&sudden).len(), 1, "only its beginning stands out");
    }

    #[test]
    fn what_stands_out_of_the_room_is_an_utterance_with_its_short_pauses() {
        for room in [20.0, 300.0, 1500.0] {
            let mut samples = noise(3000, room, 3);
            samples.extend(noise(700, 12_000.0, 4));
            samples.extend(noise(300, room, 5));
            samples.extend(noise(600, 12_000.0, 6));
            samples.extend(noise(3000, room, 7));
            let found = utterances(&samples);
            assert_eq!(found.len(), 1, "room {room}: {found:?}");
            let (began, ended) = found[0];
            assert!((3000..=3080).contains(&began), "{began}");
            assert!((5000..=5150).contains(&ended), "{ended}");
        }
    }

    /// Some of the harmonics of 120 Hz, as a vowel has them.
    fn vowel(ms: usize, amplitude: f64) -> Vec<i16> {
        let one = |n: usize| {
            let angle = std::f64::consts::TAU * 120.0 * n as f64 / 16_000.0;
            (2..8).map(|k| (angle * f64::from(k)).sin()).sum::<f64>()
        };
        (0..ms * 16).map(|n| (one(n) * amplitude) as i16).collect()
    }

    #[test]
    fn a_voice_hardly_louder_than_a_hiss_is_heard_from_its_beginning() {
        // 3 dB above the hiss: together they are 5 dB louder than it alone.
        let hiss = noise(6000, 3000.0, 12);
        let mut samples = hiss.clone();
        for (sum, voice) in samples[48_000..].iter_mut().zip(vowel(1000, 1414.0)) {
            *sum += voice;
        }
        let rms = |samples: &[i16]| level_dbfs(samples);
        let (alone, both) = (rms(&hiss[48_000..64_000]), rms(&samples[48_000..64_000]));
        assert!((4.0..6.0).contains(&(both - alone)), "{alone} {both}");
        let found = utterances(&samples);
        assert_eq!(found.len(), 1, "{found:?}");
        assert!((3000..=3100).contains(&found[0].0), "{found:?}");
        assert_eq!(utterances(&hiss), []);
    }

    #[test]
    fn a_pause_is_counted_from_the_last_word_and_only_within_an_utterance() {
        let mut samples = noise(2000, 50.0, 21);
        samples.extend(noise(500, 12_000.0, 22));
        samples.extend(noise(200, 50.0, 23));
        samples.extend(noise(500, 12_000.0, 24));
        samples.extend(noise(1000, 50.0, 25));
        let mut endpointer = Endpointer::new(16_000);
        let mut at = |ms: std::ops::Range<usize>| {
            endpointer.feed(&samples[ms.start * 16..ms.end * 16]);
            endpointer.pause_ms()
        };
        // Silence, the first word, a pause, the second word, a pause, and what comes when the
        // utterance has ended.
        assert_eq!((at(0..2000), at(2000..2500)), (0, 0));
        assert_eq!((at(2500..2600), at(2600..2700)), (100, 200));
        assert_eq!((at(2700..3200), at(3200..3600), at(3600..4200)), (0, 400, 0));
    }

    #[test]
    fn others_who_go_on_talking_do_not_keep_an_utterance_from_its_end() {
        // Quieter all the time; with single syllables that are half as loud.
        for (loud_ms, amplitude) in [(80, 2000.0), (30, 6000.0)] {
            let mut samples = noise(3000, 50.0, 13);
            samples.extend(noise(1200, 12_000.0, 14));
            for n in 0..50 {
                samples.extend(noise(loud_ms, amplitude, n));
                samples.extend(noise(120 - loud_ms, 50.0, n + 7));
            }
            let (began, ended) = utterances(&samples)[0];
            assert!((3000..=3080).contains(&began), "{began}");
            assert!((4600..=5100).contains(&ended), "{ended}");
        }
    }

    #[test]
    fn a_click_is_no_utterance() {
        let mut samples = noise(2000, 100.0, 8);
        samples.extend(noise(20, 20_000.0, 9));
        samples.extend(noise(2000, 100.0, 10));
        assert_eq!(utterances(&samples), []);
    }

    #[test]
    fn what_does_not_end_is_cut() {
        let mut samples = noise(2000, 50.0, 11);
        for n in 0..200 {
            samples.extend(noise(80, 12_000.0, n));
            samples.extend(noise(80, 50.0, n + 7));
        }
        let found = utterances(&samples);
        assert!(found.len() >= 2, "{found:?}");
        assert!(found.iter().all(|(began, ended)| ended - began <= 12_100), "{found:?}");
    }
}
