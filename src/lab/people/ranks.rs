//! Ranks said alone, in several places: which person and which word is understood worst there.

use std::collections::BTreeMap;

use super::share::Share;
use annabella_devices::voice::Pcm;
use annabella_emulators::speakers::room::{self, Condition};

/// Quiet before and after a word, where nothing else is added, milliseconds.
const QUIET_MS: u64 = 300;
/// By how many decibels others are quieter in the last of [`Place::ALL`].
const BABBLE_DB: u8 = 10;

/// Where a word is heard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Place {
    /// Cut tight, as it was recorded.
    Recorded,
    /// With silence on both sides.
    Silence,
    /// In a quiet room.
    Room,
    /// In a hall that reverberates.
    Hall,
    /// While others talk.
    Babble,
}

impl Place {
    pub(super) const ALL: [Place; 5] =
        [Place::Recorded, Place::Silence, Place::Room, Place::Hall, Place::Babble];

    /// As a column of the report.
    pub(super) fn name(self) -> &'static str {
        match self {
            Place::Recorded => "ranks cut",
            Place::Silence => "in silence",
            Place::Room => "ranks",
            Place::Hall => "in a hall",
            Place::Babble => "in babble",
        }
    }

    /// The word there; `others` talk. `None` where nobody does.
    pub(super) fn put(self, word: &Pcm, others: &[Pcm], seed: u64) -> Option<Pcm> {
        let condition = match self {
            Place::Recorded => return Some(word.clone()),
            Place::Silence => {
                let mut sound = Pcm::empty(word.rate_hz);
                sound.append_silence(QUIET_MS);
                sound.append(word);
                sound.append_silence(QUIET_MS);
                return Some(sound);
            }
            Place::Room => Condition::Clean,
            Place::Hall => Condition::Hall,
            Place::Babble => Condition::Babble(BABBLE_DB),
        };
        let lonely = others.is_empty() && self != Place::Room;
        (!lonely).then(|| room::put(word, condition, others, seed))
    }
}

/// One person's ranks: of each place and rank.
#[derive(Clone, Default)]
pub(super) struct Ranks(BTreeMap<(Place, u8), Share>);

impl Ranks {
    pub(super) fn add(&mut self, place: Place, rank: u8, right: bool) {
        self.0.entry((place, rank)).or_default().add(right);
    }

    /// All of them there.
    pub(super) fn of(&self, place: Place) -> Share {
        let mut all = Share::default();
        for (_, share) in self.0.iter().filter(|((own, _), _)| *own == place) {
            all.right += share.right;
            all.of += share.of;
        }
        all
    }

    fn rank(&self, place: Place, rank: u8) -> Option<f64> {
        self.0.get(&(place, rank)).and_then(|share| share.percent())
    }
}

/// The rank that is understood worst there, and how well, percent: people count alike, however
/// often each said it.
pub(super) fn worst_word(people: &[&Ranks], place: Place) -> Option<(u8, f64)> {
    let mean = |rank: u8| {
        let of: Vec<f64> = people.iter().filter_map(|ranks| ranks.rank(place, rank)).collect();
        (!of.is_empty()).then(|| (rank, of.iter().sum::<f64>() / of.len() as f64))
    };
    (1..=8).filter_map(mean).min_by(|a, b| a.1.total_cmp(&b.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_worst_word_is_that_of_people_not_of_recordings() {
        let (mut often, mut seldom) = (Ranks::default(), Ranks::default());
        for n in 0..20 {
            often.add(Place::Babble, 5, n > 0);
            often.add(Place::Babble, 1, n > 3);
        }
        seldom.add(Place::Babble, 5, false);
        seldom.add(Place::Babble, 1, true);
        let worst = worst_word(&[&often, &seldom], Place::Babble).expect("heard");
        assert_eq!(worst.0, 5);
        assert!((worst.1 - 47.5).abs() < 1e-9, "{worst:?}");
        assert_eq!(worst_word(&[&often, &seldom], Place::Hall), None);
        assert_eq!(often.of(Place::Babble), Share { right: 35, of: 40 });
    }

    #[test]
    fn silence_is_added_on_both_sides_and_babble_needs_others() {
        let word = Pcm { rate_hz: 16_000, samples: vec![900; 8_000] };
        let quiet = Place::Silence.put(&word, &[], 1).expect("there");
        assert_eq!(quiet.samples.len(), 8_000 + 2 * 4_800);
        assert_eq!((quiet.samples[4_799], quiet.samples[4_800]), (0, 900));
        assert_eq!(Place::Recorded.put(&word, &[], 1).expect("there").samples, word.samples);
        assert!(Place::Babble.put(&word, &[], 1).is_none());
        let other = Pcm { rate_hz: 16_000, samples: [-500, 500].repeat(16_000) };
        assert!(Place::Babble.put(&word, &[other], 1).is_some());
    }
}
