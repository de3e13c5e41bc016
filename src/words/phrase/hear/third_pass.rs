//! Compares the readings of the first two passes with each other only.
//!
//! The grammar of the position bends the sound to something legal, and a loop of single words
//! mishears it. Where the two differ, a third pass chooses between their readings only, so its
//! probabilities are odds. A legal move may be a good deal less likely by its sound, since hardly
//! anybody announces an illegal one. A request of one or two words is heard once more among all
//! words in any order.

use shakmaty::Move;

use super::{
    Grammar, Heard, Hypothesis, Matcher, Thresholds, best_of,
    distance::one_apart,
    grammars::single_words,
    matcher::{FULL_MOVE, Weighed},
    noise::is_noise,
};
use crate::phrase::{Command, grammar::Understood};

/// How many readings of each pass are compared.
const READINGS: usize = 3;
/// if they are at least so probable,
const LEAST: f64 = 0.05;
/// The number of similar phrases beside them.
const NEIGHBOURS: usize = 16;
/// A request of at most this many words may come out of any talk.
const SHORT_REQUEST: usize = 2;
/// A move that the first pass did not hear word for word must be so near to what the second heard,
/// in words.
const LOOP_LIKE: f64 = 1.3;

impl Heard {
    /// The phrases of a third pass. Where the second pass heard something else than the first, or
    /// not clearly, or both heard several phrases in a row: the readings of both, and the phrases
    /// of the grammar that are one word away. For a short request: all words of the grammar.
    /// Otherwise none.
    pub fn to_compare(&self, grammar: &Grammar) -> Vec<String> {
        let Some(best) = self.best() else { return Vec::new() };
        if self.word_loop.is_empty() || self.is_nothing() {
            return Vec::new();
        }
        let known = |word: &&str| word.starts_with('[') || grammar.words.iter().any(|w| w == word);
        let words = split(best);
        // A word of requests before an announcement may be talk; more of them are a request.
        let unknown = words.iter().rposition(|word| !known(word));
        if unknown.is_some_and(|at| at > 0 || words.len() <= FULL_MOVE) {
            let short = words.len() <= SHORT_REQUEST;
            return if short { single_words(&grammar.phrases) } else { Vec::new() };
        }
        if best_of(&self.word_loop) == Some(best) && self.is_clear(best, grammar) {
            return Vec::new();
        }
        let mut texts: Vec<String> = Vec::new();
        for text in likeliest(&self.hypotheses).chain(likeliest(&self.word_loop)) {
            if !text.is_empty() && !texts.contains(text) {
                texts.push(text.clone());
            }
        }
        let heard: Vec<Vec<&str>> = texts.iter().map(|text| split(text)).collect();
        let near = |phrase: &&String| {
            let said = split(phrase);
            !texts.contains(*phrase)
                && heard.iter().any(|heard| one_apart(heard, &said, |a, b| a == b))
        };
        let near: Vec<String> =
            grammar.phrases.iter().filter(near).take(NEIGHBOURS).cloned().collect();
        texts.extend(near);
        if texts.len() > 1 { texts } else { Vec::new() }
    }

    /// Whether what both passes heard needs no third: the loop hardly heard anything else, and it
    /// is one phrase, not several in a row.
    fn is_clear(&self, best: &str, grammar: &Grammar) -> bool {
        let other: f64 =
            self.word_loop.iter().filter(|h| h.text != best).map(Hypothesis::weight).sum();
        let one = best.contains('[') || grammar.phrases.iter().any(|phrase| phrase == best);
        one && other <= Thresholds::default().loop_contradiction
    }
}

fn split(text: &str) -> Vec<&str> {
    text.split_whitespace().collect()
}

fn likeliest(pass: &[Hypothesis]) -> impl Iterator<Item = &String> {
    let mut ranked: Vec<&Hypothesis> = pass.iter().filter(|h| h.weight() >= LEAST).collect();
    ranked.sort_by(|a, b| b.weight().total_cmp(&a.weight()));
    ranked.into_iter().take(READINGS).map(|h| &h.text)
}

impl Matcher {
    /// Whether a move is right although the word loop did not hear it: probable beside what the
    /// loop heard instead, and that is no other legal move and no request.
    pub(super) fn comparison_agrees(&self, mv: Move, comparison: &[Hypothesis]) -> bool {
        let (mut this, mut sensible) = (0.0, 0.0);
        // The likeliest way in which it was said, and its words.
        let mut likeliest = (0.0, 0);
        for hypothesis in self.weigh(comparison) {
            match self.understand(&hypothesis.text) {
                Understood::Move(other) if other == mv => {
                    this += hypothesis.weight;
                    let said = hypothesis.words.iter().filter(|word| !is_noise(word)).count();
                    if hypothesis.weight > likeliest.0 {
                        likeliest = (hypothesis.weight, said);
                    }
                }
                Understood::Move(_) | Understood::Ambiguous(_) | Understood::Command(_) => {
                    sensible += hypothesis.weight;
                }
                _ => {}
            }
        }
        let limits = &self.thresholds;
        let full = likeliest.1 >= FULL_MOVE;
        let least = if full { limits.comparison_confidence } else { limits.accept_confidence };
        this >= least && this >= limits.accept_confidence * (this + sensible)
    }

    /// The same for a move that was to be asked about: the loop's reading must be like it.
    pub(super) fn comparison_settles(&self, mv: Move, heard: &Heard) -> bool {
        self.loop_within(mv, &heard.word_loop, LOOP_LIKE)
            && self.comparison_agrees(mv, &heard.comparison)
    }

    /// Whether a request was heard word for word: a short one among all words, if it was compared
    /// with them, a longer one in the grammar. Much talk is merely like a request.
    pub(super) fn is_requested(&self, command: Command, top: &Weighed, heard: &Heard) -> bool {
        let limits = &self.thresholds;
        let (pass, least) = match top.words.len() {
            1 => (&heard.comparison, limits.single_request_confidence),
            ..=SHORT_REQUEST => (&heard.comparison, limits.short_request_confidence),
            _ => (&heard.hypotheses, limits.short_request_confidence),
        };
        let same =
            |text: &str| matches!(self.understand(text), Understood::Command(c) if c == command);
        let hypotheses = self.weigh(pass);
        let this: f64 = hypotheses.iter().filter(|h| same(&h.text)).map(|h| h.weight).sum();
        pass.is_empty() || this >= least
    }
}
