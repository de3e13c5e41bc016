//! Where an utterance begins and ends, by its loudness against the room's.
//!
//! Pure: samples in, events out. A recogniser's own endpointing waits for silence, and a hall is
//! never silent; what counts here is how far speech stands above what the room does all the time.

/// How far above the room's noise speech begins, decibels.
const BEGIN_DB: f32 = 9.0;
/// And how far above it speech ends.
const END_DB: f32 = 6.0;
/// Quieter than this is silence in any room, dBFS.
const SILENCE_DBFS: f32 = -55.0;
/// Frames of 10 ms that must be loud for speech to begin.
const BEGIN_FRAMES: usize = 5;
/// Frames of 10 ms that are looked at for that.
const WINDOW: usize = 8;
/// A pause of so many milliseconds ends an utterance: longer than between "Gustav" and "eins".
const PAUSE_MS: u32 = 450;
/// An utterance that goes on is cut here: nobody needs so long for a move.
const LONGEST_MS: u32 = 12_000;
/// The room's noise is the quietest of so many frames of 10 ms.
const ROOM_FRAMES: usize = 150;

/// What became known with a chunk of samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Endpoint {
    /// Nobody speaks.
    Idle,
    /// Somebody begins; some 300 ms before this chunk belong to it.
    Began,
    /// He goes on.
    Speaking,
    /// He has ended.
    Ended,
}

/// Finds the utterances in a stream of samples.
#[derive(Clone, Debug)]
pub struct Endpointer {
    frame: usize,
    rest: Vec<i16>,
    /// Loudness of the last frames in dBFS, newest last.
    room: Vec<f32>,
    recent: Vec<bool>,
    speaking: bool,
    quiet_ms: u32,
    spoken_ms: u32,
}

impl Endpointer {
    /// For samples at this rate, mono, 16 bit.
    pub fn new(rate_hz: u32) -> Endpointer {
        Endpointer {
            frame: (rate_hz as usize / 100).max(1),
            rest: Vec::new(),
            room: Vec::new(),
            recent: Vec::new(),
            speaking: false,
            quiet_ms: 0,
            spoken_ms: 0,
        }
    }

    /// Takes in the next samples.
    pub fn feed(&mut self, samples: &[i16]) -> Endpoint {
        self.rest.extend_from_slice(samples);
        let mut told = if self.speaking { Endpoint::Speaking } else { Endpoint::Idle };
        let mut taken = 0;
        while self.rest.len() - taken >= self.frame {
            let level = level_dbfs(&self.rest[taken..taken + self.frame]);
            taken += self.frame;
            match self.frame(level) {
                // An end in the same chunk as a beginning is told with the next one.
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

    fn frame(&mut self, level: f32) -> Endpoint {
        let room = self.room();
        // What is clearly speech says little about the room; what lasts is the room.
        self.room.push(level);
        if self.room.len() > ROOM_FRAMES {
            self.room.remove(0);
        }
        let above = if self.speaking { END_DB } else { BEGIN_DB };
        let loud = level > SILENCE_DBFS && level > room + above;
        if self.speaking {
            self.spoken_ms += 10;
            self.quiet_ms = if loud { 0 } else { self.quiet_ms + 10 };
            if self.quiet_ms >= PAUSE_MS || self.spoken_ms >= LONGEST_MS {
                self.reset();
                return Endpoint::Ended;
            }
            return Endpoint::Speaking;
        }
        self.recent.push(loud);
        if self.recent.len() > WINDOW {
            self.recent.remove(0);
        }
        if self.recent.iter().filter(|loud| **loud).count() >= BEGIN_FRAMES {
            self.speaking = true;
            self.recent.clear();
            return Endpoint::Began;
        }
        Endpoint::Idle
    }

    /// Forgets the utterance, not the room.
    pub fn reset(&mut self) {
        self.speaking = false;
        self.recent.clear();
        self.quiet_ms = 0;
        self.spoken_ms = 0;
    }

    /// The room's own noise, dBFS: a low one of the levels of the last second and a half.
    fn room(&self) -> f32 {
        // Until the room is known everything is the room.
        if self.room.len() < 10 {
            return f32::INFINITY;
        }
        let mut levels = self.room.clone();
        let n = levels.len() / 8;
        let (_, low, _) = levels.select_nth_unstable_by(n, f32::total_cmp);
        (*low).max(SILENCE_DBFS - BEGIN_DB)
    }
}

/// Root mean square against full scale.
fn level_dbfs(samples: &[i16]) -> f32 {
    let sum: f64 = samples.iter().map(|s| f64::from(*s).powi(2)).sum();
    let rms = (sum / samples.len().max(1) as f64).sqrt() / 32768.0;
    (20.0 * rms.max(1e-6).log10()) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Noise with this amplitude, always the same.
    fn noise(ms: usize, amplitude: f64, seed: u32) -> Vec<i16> {
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
