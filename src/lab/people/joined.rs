//! Announcements by people who said nothing but single words: clips of one and the same person,
//! joined.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, File, Position};

use annabella_core::game::write_fen;
use annabella_devices::voice::Pcm;
use annabella_words::phrase::{Phrases, Understood, Words, understand};

/// Milliseconds between two words, where nothing else is asked for. A word said alone ends more
/// slowly than one in a row.
const GAP_MS: [u64; 2] = [0, 120];
/// Loudness is measured in pieces of this length, milliseconds.
const PIECE_MS: usize = 10;
/// Below this share of the loudest piece's root mean square (30 dB), the ends hold no voice.
const QUIET: f64 = 0.0316;
const KEPT_MS: usize = 10;
/// The root mean square of every word of a row.
const RMS: f64 = 3000.0;
/// Positions that are tried for each announcement before it is given up.
const TRIES: u32 = 400;
/// Of which half is learnt from and half is new.
const LEAST_TAKES: usize = 4;

/// Words and short phrases of one person, as the grammar spells them, each with where its
/// recordings are in a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Clips(BTreeMap<String, Vec<usize>>);

#[derive(Clone, Debug)]
pub(super) struct Announcement {
    pub(super) fen: String,
    /// UCI; `-` for one that is not legal.
    pub(super) meant: String,
    pub(super) text: String,
    pub(super) clips: Vec<usize>,
}

/// Announcements of one person: those of moves first, then some that are not legal where they are
/// made.
pub(super) struct Plan {
    pub(super) moves: Vec<Announcement>,
    pub(super) illegal: Vec<Announcement>,
}

/// A recording's text in the grammar's own spelling, if it is words of moves: "Schachmatt" is
/// "matt".
pub(super) fn canonical(words: &Words, text: &str) -> Option<String> {
    let said = text.to_lowercase();
    let mut of_moves = words.moves().move_words();
    let word = of_moves.find(|word| word.heard().any(|heard| heard.to_lowercase() == said))?;
    Some(word.text.to_lowercase())
}

impl Clips {
    pub(super) fn insert(&mut self, text: String, at: usize) {
        self.0.entry(text).or_default().push(at);
    }

    /// Whether this person can announce moves: most ranks and most files.
    pub(super) fn announce(&self, words: &Words) -> bool {
        files(words).filter(|file| self.0.contains_key(file)).count() >= 6 && self.ranks(words)
    }

    /// Most ranks: with files of another voice that is enough for announcements.
    pub(super) fn ranks(&self, words: &Words) -> bool {
        ranks(words).filter(|rank| self.0.contains_key(rank)).count() >= 6
    }

    pub(super) fn all_files(&self, words: &Words) -> bool {
        files(words).all(|file| self.0.contains_key(&file))
    }

    /// The same with another voice's files where this person says none.
    pub(super) fn with_files_of(mut self, words: &Words, lender: &Clips) -> Clips {
        for file in files(words) {
            if let (false, Some(lent)) = (self.0.contains_key(&file), lender.0.get(&file)) {
                self.0.insert(file, lent.clone());
            }
        }
        self
    }

    /// Every other recording of each rank, and the rest; `None` where a rank was said less than
    /// four times.
    pub(super) fn halves(&self, words: &Words) -> Option<[Clips; 2]> {
        let mut halves = [Clips::default(), Clips::default()];
        for rank in ranks(words) {
            let takes = self.0.get(&rank).filter(|takes| takes.len() >= LEAST_TAKES)?;
            for (n, take) in takes.iter().enumerate() {
                halves[n % 2].insert(rank.clone(), *take);
            }
        }
        Some(halves)
    }

    /// A phrase as recordings, longest first; `None` where a word is lacking.
    fn of(&self, phrase: &str, rng: &mut ChaCha8Rng) -> Option<Vec<usize>> {
        let words: Vec<&str> = phrase.split(' ').collect();
        let mut at = 0;
        let mut found = Vec::new();
        while at < words.len() {
            let (end, clips) = (at + 1..=words.len())
                .rev()
                .find_map(|end| Some((end, self.0.get(&words[at..end].join(" "))?)))?;
            found.push(clips[rng.random_range(0..clips.len())]);
            at = end;
        }
        Some(found)
    }
}

fn files(words: &Words) -> impl Iterator<Item = String> + '_ {
    File::ALL.into_iter().map(|file| words.moves().file(file).text.to_lowercase())
}

fn ranks(words: &Words) -> impl Iterator<Item = String> + '_ {
    shakmaty::Rank::ALL.into_iter().map(|rank| words.moves().rank(rank).text.to_lowercase())
}

/// Announcements that a person's words are enough for, out of these positions; the same from the
/// same seed.
pub(super) struct Script<'a> {
    words: &'a Words,
    positions: &'a [Chess],
    gaps: [u64; 2],
    rng: ChaCha8Rng,
}

impl<'a> Script<'a> {
    pub(super) fn new(words: &'a Words, positions: &'a [Chess], seed: u64) -> Script<'a> {
        Script { words, positions, gaps: GAP_MS, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// With pauses between words from the first to the second, milliseconds.
    pub(super) fn with_gaps(self, gaps: [u64; 2]) -> Script<'a> {
        Script { gaps, ..self }
    }

    /// The given number of announcements of each kind, as far as the words go.
    pub(super) fn plan(&mut self, clips: &Clips, moves: u32, illegal: u32) -> Plan {
        Plan {
            moves: (0..moves).filter_map(|_| self.a_move(clips)).collect(),
            illegal: (0..illegal).filter_map(|_| self.an_illegal_move(clips)).collect(),
        }
    }

    fn position(&mut self) -> &'a Chess {
        &self.positions[self.rng.random_range(0..self.positions.len())]
    }

    /// A legal move in any of the ways that the words are enough for.
    fn a_move(&mut self, clips: &Clips) -> Option<Announcement> {
        (0..TRIES).find_map(|_| {
            let position = self.position();
            let moves = position.legal_moves();
            let mv = moves[self.rng.random_range(0..moves.len())];
            let phrases = Phrases::new(self.words, position);
            let mut ways: Vec<(String, Vec<usize>)> = Vec::new();
            for phrase in phrases.iter().filter(|phrase| phrase.moves == [mv]) {
                // A word recorded more than once is drawn at random.
                if let Some(found) = clips.of(&phrase.text, &mut self.rng) {
                    ways.push((phrase.text.clone(), found));
                }
            }
            if ways.is_empty() {
                return None;
            }
            let (text, clips) = ways.swap_remove(self.rng.random_range(0..ways.len()));
            let meant = mv.to_uci(CastlingMode::Standard).to_string();
            Some(Announcement { fen: write_fen(position), meant, text, clips })
        })
    }

    /// A move of one position, announced in another in which nothing like it is legal.
    fn an_illegal_move(&mut self, clips: &Clips) -> Option<Announcement> {
        (0..TRIES).find_map(|_| {
            let announced = self.a_move(clips)?;
            let position = self.position();
            let illegal =
                matches!(understand(self.words, position, &announced.text), Understood::Illegal(_));
            let fen = write_fen(position);
            illegal.then(|| Announcement { fen, meant: "-".to_owned(), ..announced })
        })
    }

    /// The recordings one after the other, without the quiet around each, with pauses between them.
    pub(super) fn join(&mut self, clips: &[&Pcm]) -> Pcm {
        let mut joined = Pcm::empty(clips.first().map_or(16_000, |clip| clip.rate_hz));
        for (n, clip) in clips.iter().enumerate() {
            if n > 0 {
                joined.append_silence(self.rng.random_range(self.gaps[0]..=self.gaps[1]));
            }
            joined.append(&as_loud(without_quiet(clip)));
        }
        joined
    }
}

/// The part of a recording between its first and last loud piece. Many recordings have a noise of
/// their own.
fn without_quiet(clip: &Pcm) -> Pcm {
    let piece = (clip.rate_hz as usize * PIECE_MS / 1000).max(1);
    let power = |samples: &[i16]| {
        samples.iter().map(|s| f64::from(*s) * f64::from(*s)).sum::<f64>() / samples.len() as f64
    };
    let loudness: Vec<f64> =
        clip.samples.chunks(piece).map(|samples| power(samples).sqrt()).collect();
    let loudest = loudness.iter().copied().fold(0.0, f64::max);
    let loud = |piece: &f64| *piece > loudest * QUIET;
    let first = loudness.iter().position(loud).unwrap_or(0) * piece;
    let last = loudness.iter().rposition(loud).map_or(0, |last| (last + 1) * piece);
    let keep = clip.rate_hz as usize * KEPT_MS / 1000;
    let end = (last + keep).min(clip.samples.len());
    Pcm { rate_hz: clip.rate_hz, samples: clip.samples[first.saturating_sub(keep)..end].to_vec() }
}

/// As loud as the others: each recording has a loudness of its own, and one of a row that is far
/// quieter would be a pause.
fn as_loud(clip: Pcm) -> Pcm {
    let gain = RMS / clip.rms().max(1.0);
    let samples = clip.samples.iter().map(|s| {
        (f64::from(*s) * gain).round().clamp(f64::from(i16::MIN), f64::from(i16::MAX)) as i16
    });
    Pcm { rate_hz: clip.rate_hz, samples: samples.collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words() -> Words {
        Words::builtin("fide", "de").expect("there")
    }

    fn clips(texts: &[&str]) -> Clips {
        let words = words();
        let mut clips = Clips::default();
        for (n, text) in texts.iter().enumerate() {
            clips.insert(canonical(&words, text).expect("there"), n);
        }
        clips
    }

    #[test]
    fn words_are_known_by_what_they_stand_for() {
        let words = words();
        let canonical = |text| canonical(&words, text);
        assert_eq!(canonical("Heinrich").as_deref(), Some("hector"));
        assert_eq!(canonical("Schachmatt").as_deref(), Some("matt"));
        assert_eq!(canonical("kurze Rochade").as_deref(), Some("kurze rochade"));
        assert_eq!(canonical("zwo").as_deref(), Some("zwei"));
        assert_eq!(canonical("der Truthahn"), None);
        assert_eq!(canonical("Buchstabe A"), None);
    }

    #[test]
    fn only_what_a_person_said_is_joined() {
        let words = words();
        let files = ["Anton", "Berta", "Cäsar", "Dora", "Emil", "Friedrich", "Gustav", "Heinrich"];
        let ranks = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"];
        let enough = clips(&[&files[..], &ranks[..], &["Springer", "kurze Rochade"]].concat());
        assert!(enough.announce(&words));
        assert!(!clips(&ranks).announce(&words));
        let positions = [Chess::default()];
        let mut script = Script::new(&words, &positions, 1);
        let mut pieces = std::collections::BTreeSet::new();
        for _ in 0..40 {
            let one = script.a_move(&enough).expect("there");
            assert!(!one.clips.is_empty() && one.meant.len() == 4, "{one:?}");
            for word in ["bauer", "turm", "nach", "schlägt"] {
                assert!(!one.text.split(' ').any(|said| said == word), "{one:?}");
            }
            pieces.insert(one.text.starts_with("springer"));
        }
        assert_eq!(pieces.len(), 2, "with and without a piece");
    }

    #[test]
    fn only_the_files_are_lent() {
        let words = words();
        let ranks = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"];
        let own = clips(&ranks);
        let mut lender = Clips::default();
        for (n, file) in files(&words).enumerate() {
            lender.insert(file, 100 + n);
        }
        for (n, rank) in super::ranks(&words).enumerate() {
            lender.insert(rank, 200 + n);
        }
        assert!(own.ranks(&words) && !own.announce(&words) && lender.all_files(&words));
        let both = own.with_files_of(&words, &lender);
        assert!(both.announce(&words));
        let positions = [Chess::default()];
        let plan = Script::new(&words, &positions, 1).plan(&both, 30, 0);
        assert_eq!((plan.moves.len(), plan.illegal.len()), (30, 0));
        for one in plan.moves {
            let (said, at) = (one.text.split(' '), &one.clips);
            for (word, at) in said.zip(at) {
                let lent = files(&words).any(|file| file == word);
                assert_eq!(lent, (100..200).contains(at), "{word} of {}", one.text);
                assert!(*at < 200, "ranks are his own");
            }
        }
    }

    #[test]
    fn what_is_learnt_from_is_never_what_is_tried() {
        let words = words();
        let ranks = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"];
        assert!(clips(&ranks.repeat(3)).halves(&words).is_none(), "three takes are too few");
        let [learnt, tried] = clips(&ranks.repeat(5)).halves(&words).expect("five takes");
        let of = |clips: &Clips| clips.0.values().flatten().copied().collect::<Vec<_>>();
        assert_eq!((of(&learnt).len(), of(&tried).len()), (8 * 3, 8 * 2));
        assert!(of(&learnt).iter().all(|at| !of(&tried).contains(at)));
    }

    #[test]
    fn clips_are_joined_without_their_own_quiet() {
        let words = words();
        let positions = [Chess::default()];
        let mut said = Pcm::empty(16_000);
        said.samples.extend([120; 8000]);
        said.samples.extend([9000; 1600]);
        said.samples.extend([-120; 4000]);
        // A click is no voice.
        said.samples.push(900);
        said.samples.extend([-120; 4000]);
        let joined = Script::new(&words, &positions, 1).join(&[&said, &said]);
        assert!((2 * 120..=2 * 120 + 120).contains(&joined.length_ms()), "{}", joined.length_ms());
    }
}
