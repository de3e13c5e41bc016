//! Announcements by people who said nothing but single words: clips of one and the same person, joined.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, File, Position};

use crate::{
    game::write_fen,
    phrase::{Phrases, Understood, Words, understand},
    voice::Pcm,
};

/// Between two words, milliseconds: as people pause who announce a move clearly.
const GAP_MS: [u64; 2] = [40, 200];
/// Of the loudest sample, what is quieter at the ends is no voice; and so much of it is kept, milliseconds.
const QUIET: f64 = 0.02;
const KEPT_MS: usize = 20;
/// The root mean square of every word of a row.
const RMS: f64 = 3000.0;
/// Positions that are tried for each announcement before it is given up.
const TRIES: u32 = 400;

/// Words and short phrases of one person, as the grammar spells them, each with where its recordings are in a list.
#[derive(Clone, Debug, Default)]
pub(super) struct Clips(BTreeMap<String, Vec<usize>>);

/// A joined announcement.
#[derive(Clone, Debug)]
pub(super) struct Announcement {
    pub(super) fen: String,
    /// UCI; `-` for one that is not legal.
    pub(super) meant: String,
    pub(super) text: String,
    /// Which recordings follow one another.
    pub(super) clips: Vec<usize>,
}

/// What a recording's text is in the grammar's own spelling, if it is words of moves: "Schachmatt" is "matt".
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
        let has = |text: &str| self.0.contains_key(&text.to_lowercase());
        let files = File::ALL.iter().filter(|file| has(&words.moves().file(**file).text)).count();
        let ranks = shakmaty::Rank::ALL.iter();
        let ranks = ranks.filter(|rank| has(&words.moves().rank(**rank).text)).count();
        files >= 6 && ranks >= 6
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

/// Announcements that a person's words are enough for, out of these positions; the same from the same seed.
pub(super) struct Script<'a> {
    words: &'a Words,
    positions: &'a [Chess],
    rng: ChaCha8Rng,
}

impl<'a> Script<'a> {
    pub(super) fn new(words: &'a Words, positions: &'a [Chess], seed: u64) -> Script<'a> {
        Script { words, positions, rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    fn position(&mut self) -> &'a Chess {
        &self.positions[self.rng.random_range(0..self.positions.len())]
    }

    /// A legal move in any of the ways that the words are enough for.
    pub(super) fn a_move(&mut self, clips: &Clips) -> Option<Announcement> {
        (0..TRIES).find_map(|_| {
            let position = self.position();
            let moves = position.legal_moves();
            let mv = moves[self.rng.random_range(0..moves.len())];
            let phrases = Phrases::new(self.words, position);
            let mut ways: Vec<(String, Vec<usize>)> = Vec::new();
            for phrase in phrases.iter().filter(|phrase| phrase.moves == [mv]) {
                // What people said more than once is not always the same recording.
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
    pub(super) fn an_illegal_move(&mut self, clips: &Clips) -> Option<Announcement> {
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
                joined.append_silence(self.rng.random_range(GAP_MS[0]..=GAP_MS[1]));
            }
            joined.append(&as_loud(without_quiet(clip)));
        }
        joined
    }
}

/// From where a recording is as loud as its quietest sounds on, to where it is no more: many have a noise of their own.
fn without_quiet(clip: &Pcm) -> Pcm {
    let loudest = clip.samples.iter().map(|s| s.unsigned_abs()).max().unwrap_or(0);
    let loud = |s: &i16| f64::from(s.unsigned_abs()) > f64::from(loudest) * QUIET;
    let first = clip.samples.iter().position(loud).unwrap_or(0);
    let last = clip.samples.iter().rposition(loud).unwrap_or(first);
    let keep = clip.rate_hz as usize * KEPT_MS / 1000;
    let end = (last + 1 + keep).min(clip.samples.len());
    Pcm { rate_hz: clip.rate_hz, samples: clip.samples[first.saturating_sub(keep)..end].to_vec() }
}

/// As loud as the others: each recording has a loudness of its own, and one of a row that is far quieter would be a pause.
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
    fn clips_are_joined_without_their_own_quiet() {
        let words = words();
        let positions = [Chess::default()];
        let mut said = Pcm::empty(16_000);
        said.samples.extend([120; 8000]);
        said.samples.extend([9000; 1600]);
        said.samples.extend([-120; 8000]);
        let joined = Script::new(&words, &positions, 1).join(&[&said, &said]);
        assert!(
            (2 * 140 + 40..=2 * 140 + 200).contains(&joined.length_ms()),
            "{}",
            joined.length_ms()
        );
    }
}
