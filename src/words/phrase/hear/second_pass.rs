//! Readings of a loop of single words, beside the grammar of the position.

use shakmaty::Move;

use super::{
    Hypothesis, Matcher,
    matcher::{FULL_MOVE, Meaning, Weighed, best, is_blank, raw_words},
    noise::{is_noise, without_noise_around},
};
use crate::phrase::grammar::Understood;

impl Matcher {
    /// Whether the word loop, if there was one, heard the same move and nothing else that makes
    /// sense; a short announcement word for word.
    pub(super) fn loop_agrees(&self, mv: Move, top: &Weighed, word_loop: &[Hypothesis]) -> bool {
        if word_loop.is_empty() {
            return true;
        }
        if top.words.len() < FULL_MOVE {
            return self.loop_share(mv, word_loop) >= self.thresholds.short_move_confidence;
        }
        let against: f64 = self
            .weigh(word_loop)
            .iter()
            .filter(|h| match self.understand(&h.text) {
                Understood::Move(other) => other != mv,
                Understood::Ambiguous(moves) => !moves.contains(&mv),
                Understood::NotHeard => false,
                _ => true,
            })
            .map(|h| h.weight)
            .sum();
        self.loop_within(mv, word_loop, self.thresholds.loop_distance)
            && against <= self.thresholds.loop_contradiction
    }

    /// The probability with which the word loop heard this move and nothing around it.
    fn loop_share(&self, mv: Move, word_loop: &[Hypothesis]) -> f64 {
        let hypotheses = self.weigh(word_loop);
        let this = hypotheses.iter().filter(|h| self.understand(&h.text) == Understood::Move(mv));
        this.map(|h| h.weight).sum()
    }

    /// Whether the word loop, if there was one, heard something like this move, at most so far from
    /// it.
    pub(super) fn loop_within(&self, mv: Move, word_loop: &[Hypothesis], most: f64) -> bool {
        if word_loop.is_empty() {
            return true;
        }
        let hypotheses = self.weigh(word_loop);
        if best(&hypotheses).is_none_or(is_blank) {
            return false;
        }
        let scores = self.score(&hypotheses);
        let this = |m| matches!(m, Meaning::Move(n) if self.moves[n] == mv);
        self.nearest(&scores, this).is_some_and(|(_, distance)| distance <= most)
    }

    /// Whether the word loop heard this move and nothing else, said in full: word for word, without
    /// any help of the position's grammar. Foreign words may go before and after it, as others
    /// talk; but not in the place of a piece, which may have been misheard.
    pub(super) fn loop_announces_clearly(&self, mv: Move, word_loop: &[Hypothesis]) -> bool {
        let said: f64 = self
            .weigh(word_loop)
            .iter()
            .filter(|h| h.words.iter().filter(|word| !is_noise(word)).count() >= FULL_MOVE)
            .filter(|h| {
                let said = without_noise_around(&h.text);
                let whole = h.text.trim_start().starts_with(said)
                    || self.begins_with_piece(&raw_words(said));
                whole && matches!(self.understand(said), Understood::Move(other) if other == mv)
            })
            .map(|h| h.weight)
            .sum();
        said >= self.thresholds.accept_confidence
    }

    pub(super) fn loop_move(&self, word_loop: &[Hypothesis]) -> Option<Move> {
        let hypotheses = self.weigh(word_loop);
        match self.understand(&best(&hypotheses)?.text) {
            Understood::Move(mv) => Some(mv),
            _ => None,
        }
    }

    pub(super) fn loop_requests(&self, word_loop: &[Hypothesis]) -> bool {
        let hypotheses = self.weigh(word_loop);
        best(&hypotheses)
            .is_some_and(|h| matches!(self.understand(&h.text), Understood::Command(_)))
    }

    pub(super) fn loop_announces(&self, word_loop: &[Hypothesis]) -> bool {
        let hypotheses = self.weigh(word_loop);
        best(&hypotheses).is_some_and(|h| {
            matches!(
                self.understand(&h.text),
                Understood::Move(_) | Understood::Ambiguous(_) | Understood::Illegal(_)
            )
        })
    }
}
