//! Sound as the recogniser gets it: never quite silent.
//!
//! A microphone with a gate gives zeros between words, and a network that never heard zeros hears
//! words in them. libvosk adds hiss of its own unless its model says `--dither=0`: another one each
//! time. This one is always the same, so that the same sound is always the same words.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// How loud at most, of 32 768: -87 dBFS.
const AT_MOST: i16 = 2;

/// The hiss of one utterance, from its beginning.
pub(super) struct Hiss(ChaCha8Rng);

impl Hiss {
    pub(super) fn new() -> Hiss {
        Hiss(ChaCha8Rng::seed_from_u64(0))
    }

    /// The next samples, with the hiss.
    pub(super) fn over(&mut self, samples: &[i16]) -> Vec<i16> {
        samples
            .iter()
            .map(|sample| sample.saturating_add(self.0.random_range(-AT_MOST..=AT_MOST)))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn silence_is_silent_no_more() {
        let hiss = Hiss::new().over(&[0; 16_000]);
        let mean = hiss.iter().map(|s| f64::from(*s)).sum::<f64>() / 16_000.0;
        let power = hiss.iter().map(|s| f64::from(*s).powi(2)).sum::<f64>() / 16_000.0;
        assert!(mean.abs() < 0.05, "{mean}");
        assert!((power - 2.0).abs() < 0.1, "{power}");
        let longest = hiss.chunk_by(|a, b| a == b).map(<[i16]>::len).max();
        assert!(longest < Some(10), "{longest:?} samples alike");
    }

    proptest! {
        #[test]
        fn the_same_sound_is_the_same_however_it_comes_and_hardly_another(
            samples in prop::collection::vec(any::<i16>(), 0..600),
            at in 0usize..600,
        ) {
            let whole = Hiss::new().over(&samples);
            let (begin, end) = samples.split_at(at.min(samples.len()));
            let mut hiss = Hiss::new();
            prop_assert_eq!([hiss.over(begin), hiss.over(end)].concat(), &whole[..]);
            prop_assert_eq!(whole.len(), samples.len());
            for (with, without) in whole.iter().zip(&samples) {
                prop_assert!(with.abs_diff(*without) <= AT_MOST.unsigned_abs());
            }
        }
    }
}
