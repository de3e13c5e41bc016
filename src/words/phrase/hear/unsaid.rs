//! Words that were heard and not said: one that rings on, what other people's talk puts before an announcement, what a
//! pawn's name was taken for, and a number beside one of its own or beside a word that sounds like it.

use std::slice;

use shakmaty::Role;

use super::{Matcher, is_noise, matcher::raw_words, third_pass::FULL_MOVE};
use crate::phrase::grammar::{Token, Understood};

/// A piece, where from and where to are so many words.
const FROM_AND_TO: usize = 5;

impl Matcher {
    /// A text without what was not said of it.
    pub(super) fn without_unsaid(&self, text: &str) -> String {
        self.without_rank_of_to(self.without_second_rank(
            self.without_pawns_name(self.without_lead_in(self.without_echoes(text))),
        ))
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

    /// An announcement in full, from its piece on, without a "von", "nach", "mit" or "mein" before it, or one with where from
    /// and where to without the name of a rank or file: by itself that means nothing, and talk behind the player comes out so.
    /// Not while a question stands: after a claim that was begun "mit Turm ..." is the move to be claimed with (9.2.1).
    fn without_lead_in(&self, text: String) -> String {
        let words = &self.ear.0.words;
        let heard = raw_words(&text);
        let token = |n: usize| words.moves.lexicon.first(&heard[n..]);
        let joins = |n: &usize| {
            let with = || words.prompts.intending.iter().any(|with| with[..] == heard[*n..=*n]);
            let own = || words.prompts.is_own(&heard[*n]);
            matches!(token(*n), Some((1, Token::From | Token::To))) || with() || own()
        };
        let places = self.begins_with_place(&heard);
        let first = usize::from(places);
        let begin = (first..heard.len()).find(|n| !joins(n)).unwrap_or(heard.len());
        let rest = &heard[begin..];
        let short = rest.len() < if places { FROM_AND_TO } else { FULL_MOVE };
        if begin == 0 || self.asked || short || !self.begins_with_piece(rest) {
            return text;
        }
        let announced = rest.join(" ");
        match self.understand(&announced) {
            Understood::Move(_) | Understood::Ambiguous(_) | Understood::Illegal(_) => announced,
            _ => text,
        }
    }

    /// A pawn's move with where from and where to, without one name of a rank or file before it, and what joins or is no
    /// word by itself: "Bauer" need not be said, and comes out so. Of any other piece the name would be missing.
    fn without_pawns_name(&self, text: String) -> String {
        let heard = raw_words(&text);
        let lexicon = &self.ear.0.words.moves.lexicon;
        let token = |n: usize| lexicon.first(&heard[n..]);
        let is_filler = |n: usize| match token(n) {
            Some(entry) => matches!(entry, (1, Token::From | Token::To)),
            None => lexicon.knows(&heard[n]),
        };
        let Some(place) = (0..heard.len()).find(|n| !is_filler(*n)) else { return text };
        let begin = place + 1;
        let is_square = |n: &usize| {
            let pair = [token(*n), token(n + 1)];
            matches!(pair, [Some((1, Token::File(_))), Some((1, Token::Rank(_)))])
        };
        let squares = (begin..heard.len().saturating_sub(1)).filter(is_square).count();
        if !self.begins_with_place(&heard[place..]) || squares != 2 || !is_square(&begin) {
            return text;
        }
        let announced = heard[begin..].join(" ");
        match self.understand(&announced) {
            Understood::Move(mv) if mv.role() == Role::Pawn => announced,
            _ => text,
        }
    }

    /// An announcement with where from and where to that has two ranks in a row ("Cesar acht zwei", "Felix zwei eins"),
    /// with the only one of them that makes it legal: no move is said with both. A long "a" before a "t" sounds like "acht"
    /// does, and talk after an announcement comes out as numbers.
    fn without_second_rank(&self, text: String) -> String {
        let heard = raw_words(&text);
        let ranks: Vec<bool> = heard.iter().map(|word| self.is_rank(word)).collect();
        let mut pairs = (1..heard.len()).filter(|n| ranks[n - 1] && ranks[*n]);
        let (Some(second), None) = (pairs.next(), pairs.next()) else { return text };
        if heard.len() - 1 < FROM_AND_TO {
            return text;
        }
        let legal = |text: &String| {
            matches!(self.understand(text), Understood::Move(_) | Understood::Ambiguous(_))
        };
        let [one, other] = [second, second - 1].map(|n| without_word(&heard, n));
        match (legal(&one), legal(&other)) {
            (true, false) => one,
            (false, true) => other,
            _ => text,
        }
    }

    /// An announcement without a rank before "nach" that sounds like it, if that alone makes it legal: of "Läufer Cesar nach Eva
    /// vier" an "acht" is heard before "nach", for after a file most say a rank.
    fn without_rank_of_to(&self, text: String) -> String {
        let heard = raw_words(&text);
        let doubled = |n: &usize| {
            let (rank, to) = (&heard[n - 1], &heard[*n]);
            self.is_rank(rank) && self.token_of(to) == Some(Token::To) && sounds_like(rank, to)
        };
        let mut places = (1..heard.len()).filter(doubled);
        let (Some(to), None) = (places.next(), places.next()) else { return text };
        if !matches!(self.understand(&text), Understood::Illegal(_)) {
            return text;
        }
        let without = without_word(&heard, to - 1);
        match self.understand(&without) {
            Understood::Move(_) => without,
            _ => text,
        }
    }

    fn is_rank(&self, word: &String) -> bool {
        matches!(self.token_of(word), Some(Token::Rank(_)))
    }

    /// What a word by itself is in announcements.
    fn token_of(&self, word: &String) -> Option<Token> {
        let (_, token) = self.ear.0.words.moves.lexicon.first(slice::from_ref(word))?;
        Some(token)
    }

    /// Whether the first of these words names a file or a rank.
    fn begins_with_place(&self, words: &[String]) -> bool {
        let first = self.ear.0.words.moves.lexicon.first(words);
        matches!(first, Some((1, Token::Rank(_) | Token::File(_))))
    }

    /// Whether the first of these words names a piece, as announcements do.
    pub(super) fn begins_with_piece(&self, words: &[String]) -> bool {
        let first = self.ear.0.words.moves.lexicon.first(words);
        matches!(first, Some((_, Token::Piece(_))))
    }
}

/// The text of these words without the `n`th, which there is.
fn without_word(words: &[String], n: usize) -> String {
    [&words[..n], &words[n + 1..]].concat().join(" ")
}

/// Whether two words have three letters in a row that are the same: "acht" and "nach".
fn sounds_like(one: &str, other: &str) -> bool {
    let letters: Vec<char> = one.chars().collect();
    letters.windows(3).any(|three| other.contains(&three.iter().collect::<String>()))
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
