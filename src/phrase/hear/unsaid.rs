//! Words that were heard and not said: one that rings on, what other people's talk puts before an announcement, and a
//! number at its end.

use std::slice;

use super::{Matcher, is_noise, matcher::raw_words, third_pass::FULL_MOVE};
use crate::phrase::grammar::{Token, Understood};

/// A piece, where from and where to are so many words.
const FROM_AND_TO: usize = 5;

impl Matcher {
    /// A text without what was not said of it.
    pub(super) fn without_unsaid(&self, text: &str) -> String {
        self.without_second_rank(self.without_lead_in(self.without_echoes(text)))
    }

    /// A text in which no word stands twice in a row, unless that is a phrase: who hesitates says a word twice, and
    /// one that rings on is heard twice ("Cesar acht acht").
    fn without_echoes(&self, text: &str) -> String {
        let mut words = raw_words(text);
        let echoes = words.windows(2).any(|pair| pair[0] == pair[1]);
        if !echoes || self.lists(&words) {
            return text.to_owned();
        }
        words.dedup();
        words.join(" ")
    }

    /// An announcement in full, from its piece on, without a "von", "nach" or "mit" before it: by itself that means
    /// nothing, and talk behind the player comes out so. Not while a question stands: after a claim that was begun
    /// "mit Turm ..." is the move to be claimed with (9.2.1).
    fn without_lead_in(&self, text: String) -> String {
        let words = &self.ear.0.words;
        let heard = raw_words(&text);
        let leads = |n: &usize| {
            let rest = &heard[*n..];
            let joins =
                matches!(words.moves.lexicon.first(rest), Some((1, Token::From | Token::To)));
            joins || words.prompts.intending.iter().any(|with| with[..] == rest[..1])
        };
        let begin = (0..heard.len()).find(|n| !leads(n)).unwrap_or(heard.len());
        let rest = &heard[begin..];
        let short = rest.len() < FULL_MOVE;
        if begin == 0 || self.asked || short || !self.begins_with_piece(rest) {
            return text;
        }
        let announced = rest.join(" ");
        match self.understand(&announced) {
            Understood::Move(_) | Understood::Ambiguous(_) | Understood::Illegal(_) => announced,
            _ => text,
        }
    }

    /// An announcement with where from and where to that ends with two ranks ("Cesar acht zwei", "Felix zwei eins"), with
    /// the only one of them that makes it legal: no move is said with both. A long "a" before a "t" sounds like "acht"
    /// does, and talk after an announcement comes out as numbers.
    fn without_second_rank(&self, text: String) -> String {
        let heard = raw_words(&text);
        let [announced @ .., last_but_one, last] = &heard[..] else { return text };
        if announced.len() + 1 < FROM_AND_TO
            || ![last_but_one, last].iter().all(|word| self.is_rank(word))
        {
            return text;
        }
        let ending = |rank: &String| [announced, slice::from_ref(rank)].concat().join(" ");
        let legal = |text: &String| {
            matches!(self.understand(text), Understood::Move(_) | Understood::Ambiguous(_))
        };
        let [one, other] = [last_but_one, last].map(ending);
        match (legal(&one), legal(&other)) {
            (true, false) => one,
            (false, true) => other,
            _ => text,
        }
    }

    fn is_rank(&self, word: &String) -> bool {
        let entry = self.ear.0.words.moves.lexicon.first(slice::from_ref(word));
        matches!(entry, Some((1, Token::Rank(_))))
    }

    /// Whether the first of these words names a piece, as announcements do.
    pub(super) fn begins_with_piece(&self, words: &[String]) -> bool {
        let first = self.ear.0.words.moves.lexicon.first(words);
        matches!(first, Some((_, Token::Piece(_))))
    }
}

/// A text without what is no word at its beginning and end.
pub(super) fn without_noise_around(mut text: &str) -> &str {
    text = text.trim();
    while let Some((_, rest)) = text.split_once(' ').filter(|(first, _)| is_noise(first)) {
        text = rest.trim_start();
    }
    while let Some((rest, _)) = text.rsplit_once(' ').filter(|(_, last)| is_noise(last)) {
        text = rest.trim_end();
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_taken_from_both_ends_only() {
        for (text, left) in [
            ("[unk] [unk] springer eva vier [unk]", "springer eva vier"),
            ("springer [unk] vier", "springer [unk] vier"),
            ("[unk]", "[unk]"),
            ("<noise> dame", "dame"),
            ("", ""),
        ] {
            assert_eq!(without_noise_around(text), left, "{text}");
        }
    }
}
