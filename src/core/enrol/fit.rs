//! Learns from a player's sentences without training.
//!
//! # How it is known whether it helps
//!
//! Settings learnt from sentences always fit these sentences. So everything is learnt five times
//! more, each time without every fifth sentence, and tried on those. [`Fitted::after`] counts only
//! such held-out sentences. If that is not better, nothing is changed.

use std::collections::BTreeMap;

use super::{Meaning, Sentence};
use annabella_words::{
    phrase::{
        Words,
        hear::{
            Confusions, Context, Ear, Heard, HeardDecision, HeardVerdict, Thresholds, learn,
            misheard,
        },
    },
    speech_model::{Lexicon, Pronunciation, accents},
};

/// The largest number of words that get other pronunciations.
const MOST_WORDS: usize = 4;
/// The largest number of candidates for one word.
const MOST_CANDIDATES: usize = 12;
/// Parts of which each is once left out.
const PARTS: usize = 5;
/// A word that was misheard less often was a slip.
const LEAST_MISSES: usize = 2;

/// Words, and every way in which they may sound.
pub type WordSounds = BTreeMap<String, Vec<Pronunciation>>;

/// A recording as heard.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Take {
    /// By number from 0.
    pub sentence: usize,
    /// In the grammar of its own position.
    pub here: Heard,
    /// As heard in the position [`Sentence::elsewhere`].
    pub elsewhere: Option<Heard>,
}

/// Hears the recordings again.
pub trait HearsAgain {
    /// The reason for a failure.
    type Error;

    /// The recordings of these sentences, with other pronunciations of some words.
    ///
    /// # Errors
    /// When the recogniser fails.
    fn hear(&mut self, sounds: &WordSounds, which: &[usize]) -> Result<Vec<Take>, Self::Error>;

    /// The words of one of them, heard without knowing what may be said: any word may follow any.
    ///
    /// # Errors
    /// When the recogniser fails.
    fn freely(&mut self, sounds: &WordSounds, which: usize) -> Result<String, Self::Error>;
}

/// How sentences were understood.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Score {
    pub right: usize,
    /// Asked about, to be answered with yes.
    pub asked: usize,
    pub asked_other: usize,
    pub again: usize,
    /// Taken for something else, or taken where it means nothing.
    pub wrong: usize,
}

impl Score {
    pub fn all(&self) -> usize {
        self.right + self.asked + self.asked_other + self.again + self.wrong
    }

    /// Its cost for the player: a wrong move costs far more than a question.
    fn cost(&self) -> usize {
        self.asked + 2 * self.asked_other + 3 * self.again + 20 * self.wrong
    }

    fn add(&mut self, other: Score) {
        self.right += other.right;
        self.asked += other.asked;
        self.asked_other += other.asked_other;
        self.again += other.again;
        self.wrong += other.wrong;
    }
}

/// The result of learning.
#[derive(Clone, Debug, PartialEq)]
pub struct Fitted {
    pub before: Score,
    /// With what was learnt from other sentences of this player.
    pub after: Score,
    /// Words with their pronunciations, the new ones last.
    pub sounds: WordSounds,
    /// Words that are mistaken for one another.
    pub confusions: Confusions,
    /// When to accept and when to ask.
    pub thresholds: Thresholds,
    /// Words that are still badly heard, the worst first.
    pub weak: Vec<String>,
}

impl Fitted {
    /// Whether it is worth keeping.
    pub fn helps(&self) -> bool {
        self.after.cost() < self.before.cost()
    }
}

#[derive(Default)]
struct Tuned {
    sounds: WordSounds,
    confusions: Confusions,
    thresholds: Thresholds,
    weak: Vec<String>,
}

/// Learns from the recordings of these sentences, as the [module](super) says.
///
/// # Errors
/// The recogniser's errors.
pub fn fit<H: HearsAgain>(
    words: &Words,
    sentences: &[Sentence],
    recorded: &[usize],
    lexicon: &Lexicon,
    hears: &mut H,
) -> Result<Fitted, H::Error> {
    let mut learner =
        Learner { words, sentences, lexicon, hears, heard: BTreeMap::new(), free: BTreeMap::new() };
    let before = learner.score(&Tuned::default(), recorded)?;
    let mut after = Score::default();
    for part in 0..PARTS {
        let (new, old): (Vec<_>, Vec<_>) =
            recorded.iter().copied().enumerate().partition(|(n, _)| n % PARTS == part);
        let numbers = |part: Vec<(usize, usize)>| part.into_iter().map(|(_, n)| n).collect();
        let (new, old): (Vec<usize>, Vec<usize>) = (numbers(new), numbers(old));
        let tuned = learner.tune(&old)?;
        after.add(learner.score(&tuned, &new)?);
    }
    let Tuned { sounds, confusions, thresholds, weak } = learner.tune(recorded)?;
    Ok(Fitted { before, after, sounds, confusions, thresholds, weak })
}

struct Learner<'a, H> {
    words: &'a Words,
    sentences: &'a [Sentence],
    lexicon: &'a Lexicon,
    hears: &'a mut H,
    /// Results so far: the parts ask for the same again and again.
    heard: BTreeMap<WordSounds, BTreeMap<usize, Take>>,
    free: BTreeMap<(WordSounds, usize), String>,
}

impl<H: HearsAgain> Learner<'_, H> {
    fn hear(&mut self, sounds: &WordSounds, which: &[usize]) -> Result<Vec<Take>, H::Error> {
        let known = self.heard.entry(sounds.clone()).or_default();
        let new: Vec<usize> = which.iter().filter(|n| !known.contains_key(n)).copied().collect();
        if !new.is_empty() {
            let takes = self.hears.hear(sounds, &new)?;
            known.extend(takes.into_iter().map(|take| (take.sentence, take)));
        }
        Ok(which.iter().filter_map(|n| known.get(n).cloned()).collect())
    }

    fn score(&mut self, tuned: &Tuned, which: &[usize]) -> Result<Score, H::Error> {
        let takes = self.hear(&tuned.sounds, which)?;
        let ear = Ear::with_confusions(self.words, &tuned.confusions);
        Ok(judged(self.sentences, &ear, tuned.thresholds, &takes))
    }

    /// The words of each sentence, and what was heard of them freely.
    fn pairs(
        &mut self,
        sounds: &WordSounds,
        which: &[usize],
    ) -> Result<Vec<(String, String)>, H::Error> {
        let mut pairs = Vec::new();
        for n in which {
            let Some(sentence) = self.sentences.get(*n) else { continue };
            let key = (sounds.clone(), *n);
            let heard = match self.free.get(&key) {
                Some(heard) => heard.clone(),
                None => {
                    let heard = self.hears.freely(sounds, *n)?;
                    self.free.insert(key, heard.clone());
                    heard
                }
            };
            pairs.push((sentence.text.clone(), heard));
        }
        Ok(pairs)
    }

    /// The settings that help on these sentences.
    fn tune(&mut self, which: &[usize]) -> Result<Tuned, H::Error> {
        let mut sounds = WordSounds::new();
        let usual = self.pairs(&sounds, which)?;
        for word in weak(&usual).into_iter().take(MOST_WORDS) {
            self.try_accents(&word, which, &mut sounds)?;
        }
        let pairs = self.pairs(&sounds, which)?;
        let confusions = learn(&pairs);
        let takes = self.hear(&sounds, which)?;
        let ear = Ear::with_confusions(self.words, &confusions);
        let usual = Thresholds::default();
        let mut best = (usual, judged(self.sentences, &ear, usual, &takes).cost());
        for thresholds in settings() {
            let cost = judged(self.sentences, &ear, thresholds, &takes).cost();
            // One sentence alone does not outweigh settings chosen with many voices.
            if cost + 2 <= best.1 {
                best = (thresholds, cost);
            }
        }
        Ok(Tuned { sounds, confusions, thresholds: best.0, weak: weak(&pairs) })
    }

    /// Adds to the sounds the way of saying a word that is heard best, if one is heard better than
    /// the usual ones.
    fn try_accents(
        &mut self,
        word: &str,
        which: &[usize],
        sounds: &mut WordSounds,
    ) -> Result<(), H::Error> {
        let Some(spoken) = self.lexicon.get(word) else { return Ok(()) };
        let usual: Vec<Pronunciation> = spoken.pronunciations().cloned().collect();
        let has = |n: &&usize| {
            let text = self.sentences.get(**n).map_or("", |sentence| sentence.text.as_str());
            text.split(' ').any(|said| said == word)
        };
        let with: Vec<usize> = which.iter().filter(has).copied().collect();
        let mut fewest = misses(&self.pairs(sounds, &with)?);
        let candidates = usual.iter().flat_map(|one| accents::variants(one, self.lexicon.phones()));
        let mut best = None;
        for candidate in candidates.take(MOST_CANDIDATES) {
            if usual.contains(&candidate) {
                continue;
            }
            let mut tried = sounds.clone();
            let mut all = usual.clone();
            all.push(candidate);
            tried.insert(word.to_owned(), all);
            let missed = misses(&self.pairs(&tried, &with)?);
            if missed + LEAST_MISSES <= fewest || best.is_some() && missed < fewest {
                (fewest, best) = (missed, Some(tried));
            }
        }
        if let Some(better) = best {
            *sounds = better;
        }
        Ok(())
    }
}

/// How these sentences are understood: as everybody is heard, or with what was learnt from others.
///
/// # Errors
/// The recogniser's errors.
pub fn score<H: HearsAgain>(
    words: &Words,
    sentences: &[Sentence],
    which: &[usize],
    learnt: Option<&Fitted>,
    hears: &mut H,
) -> Result<Score, H::Error> {
    let usual = Tuned::default();
    let (sounds, confusions, thresholds) = match learnt {
        Some(fitted) => (&fitted.sounds, &fitted.confusions, fitted.thresholds),
        None => (&usual.sounds, &usual.confusions, usual.thresholds),
    };
    let takes = hears.hear(sounds, which)?;
    Ok(judged(sentences, &Ear::with_confusions(words, confusions), thresholds, &takes))
}

fn judged(sentences: &[Sentence], ear: &Ear, thresholds: Thresholds, takes: &[Take]) -> Score {
    let mut score = Score::default();
    for take in takes {
        let Some(sentence) = sentences.get(take.sentence) else { continue };
        let decide = |pos, heard: &Heard| -> Option<HeardDecision> {
            let matcher = ear.matcher(pos, Context::default()).with_thresholds(thresholds);
            (!heard.is_nothing()).then(|| matcher.decide(heard))
        };
        let here = decide(&sentence.pos, &take.here);
        let mut verdict = match sentence.meaning {
            Meaning::Move(_) => HeardVerdict::of_move(&sentence.meant(), here.as_ref()),
            Meaning::Request(_) => HeardVerdict::of_request(&sentence.meant(), here.as_ref()),
        };
        if let (Some(pos), Some(heard)) = (&sentence.elsewhere, &take.elsewhere)
            && let Some(HeardDecision::Accept { .. } | HeardDecision::Command { .. }) =
                decide(pos, heard)
        {
            verdict = HeardVerdict::Wrong;
        }
        match verdict {
            HeardVerdict::Right => score.right += 1,
            HeardVerdict::Asked => score.asked += 1,
            HeardVerdict::AskedOther => score.asked_other += 1,
            HeardVerdict::Again => score.again += 1,
            HeardVerdict::Wrong => score.wrong += 1,
        }
    }
    score
}

/// Words that were misheard more than once and at least a third of the times, the worst first.
fn weak(pairs: &[(String, String)]) -> Vec<String> {
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (said, heard) in pairs {
        for word in said.split(' ') {
            counts.entry(word).or_default().1 += 1;
        }
        for word in misheard(said, heard) {
            counts.entry(word).or_default().0 += 1;
        }
    }
    let mut weak: Vec<(&str, usize)> = counts
        .into_iter()
        .filter(|(_, (missed, said))| *missed >= LEAST_MISSES && missed * 3 >= *said)
        .map(|(word, (missed, _))| (word, missed))
        .collect();
    weak.sort_by_key(|(_, missed)| std::cmp::Reverse(*missed));
    weak.into_iter().map(|(word, _)| word.to_owned()).collect()
}

fn misses(pairs: &[(String, String)]) -> usize {
    pairs.iter().map(|(said, heard)| misheard(said, heard).len()).sum()
}

/// Thresholds beside the usual ones: asking less, and asking more.
fn settings() -> [Thresholds; 6] {
    let usual = Thresholds::default();
    [
        Thresholds { loop_distance: 1.2, ..usual },
        Thresholds { comparison_confidence: 0.02, ..usual },
        Thresholds { accept_confidence: 0.8, ..usual },
        Thresholds { comparison_confidence: 0.3, ..usual },
        Thresholds { loop_distance: 0.5, ..usual },
        Thresholds { loop_contradiction: 0.2, ..usual },
    ]
}

#[cfg(test)]
mod tests {
    use super::{super::plan, *};
    use annabella_words::{phrase::hear::Hypothesis, speech_model::Lexicon};
    use shakmaty::{Chess, Position};

    fn words() -> Words {
        Words::builtin("fide", "de").expect("built in")
    }

    fn lexicon() -> Lexicon {
        Lexicon::read(
            include_str!("../../../voices/model/graph/phones.txt"),
            include_str!("../../../voices/model/graph/words.txt"),
            include_bytes!("../../../voices/model/graph/HCLr.fst"),
        )
        .expect("the model's")
    }

    fn sentences() -> Vec<Sentence> {
        let mut all = vec![Chess::default()];
        for text in
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6".split(' ')
        {
            let mut pos = all[all.len() - 1].clone();
            let mv: shakmaty::uci::UciMove = text.parse().expect("UCI");
            pos.play_unchecked(mv.to_move(&pos).expect("legal"));
            all.push(pos);
        }
        plan(&words(), &all, 30)
    }

    /// A player whose words come through as this says.
    struct Player<F> {
        sentences: Vec<Sentence>,
        says: F,
        hearings: usize,
    }

    impl<F: Fn(&str, &WordSounds) -> String> HearsAgain for Player<F> {
        type Error = String;

        fn hear(&mut self, sounds: &WordSounds, which: &[usize]) -> Result<Vec<Take>, String> {
            self.hearings += 1;
            let take = |n: &usize| {
                let sentence = self.sentences.get(*n).ok_or("no such sentence")?;
                let text = (self.says)(&sentence.text, sounds);
                let one = || vec![Hypothesis::new(text.clone(), 0.97)];
                let here = Heard { hypotheses: one(), word_loop: one(), ..Heard::default() };
                let elsewhere = sentence.elsewhere.is_some().then(|| here.clone());
                Ok(Take { sentence: *n, here, elsewhere })
            };
            which.iter().map(take).collect()
        }

        fn freely(&mut self, sounds: &WordSounds, which: usize) -> Result<String, String> {
            self.hearings += 1;
            let sentence = self.sentences.get(which).ok_or("no such sentence")?;
            Ok((self.says)(&sentence.text, sounds))
        }
    }

    fn fitted(says: impl Fn(&str, &WordSounds) -> String) -> Fitted {
        let sentences = sentences();
        let all: Vec<usize> = (0..sentences.len()).collect();
        let mut player = Player { sentences: sentences.clone(), says, hearings: 0 };
        let fitted = fit(&words(), &sentences, &all, &lexicon(), &mut player).expect("heard");
        assert!(player.hearings < 700, "{} hearings", player.hearings);
        fitted
    }

    #[test]
    fn whoever_is_understood_already_is_left_alone() {
        let fitted = fitted(|said, _| said.to_owned());
        assert_eq!(fitted.before, Score { right: 30, ..Score::default() });
        assert_eq!(fitted.after, fitted.before);
        assert!(!fitted.helps() && fitted.sounds.is_empty() && fitted.weak.is_empty());
        assert_eq!(fitted.thresholds, Thresholds::default());
    }

    #[test]
    fn a_rolled_r_is_found_and_helps_on_sentences_it_was_not_learnt_from() {
        let fitted = fitted(|said, sounds| {
            let rolled = |sound: &Pronunciation| sound.to_string() == "t U r m";
            let known = sounds.get("turm").is_some_and(|all| all.iter().any(rolled));
            if known { said.to_owned() } else { said.replace("turm", "[unk]") }
        });
        assert!(fitted.before.right < 30, "{fitted:?}");
        assert!(fitted.after.right >= 29, "{fitted:?}");
        assert!(fitted.helps());
        let turm: Vec<String> = fitted.sounds["turm"].iter().map(ToString::to_string).collect();
        assert_eq!(turm, ["t U 6 m", "t U r m"]);
        assert!(fitted.weak.is_empty(), "{:?}", fitted.weak);
    }

    #[test]
    fn a_word_always_taken_for_another_becomes_its_confusion() {
        let fitted = fitted(|said, _| said.replace("fünf", "fünnef"));
        assert_eq!(fitted.weak, ["fünf"]);
        let cost = fitted.confusions.cost("fünf".replace('ü', "ue").as_str(), "fuennef");
        assert!(cost.is_some_and(|cost| cost <= 0.2), "{cost:?}");
    }

    #[test]
    fn what_one_cannot_say_is_named_and_nothing_is_invented() {
        let fitted = fitted(|said, _| said.replace("eva", "[unk]"));
        assert_eq!(fitted.weak, ["eva"]);
        assert!(fitted.sounds.is_empty());
        assert_eq!(fitted.after.wrong, 0);
    }

    #[test]
    fn a_recogniser_that_fails_says_why() {
        let sentences = sentences();
        let mut deaf = Player {
            sentences: Vec::new(),
            says: |_: &str, _: &WordSounds| String::new(),
            hearings: 0,
        };
        let why = fit(&words(), &sentences, &[0], &lexicon(), &mut deaf).expect_err("deaf");
        assert_eq!(why, "no such sentence");
    }
}
