//! Removes words that were heard and not said: a word that echoes, talk before an announcement, a
//! pawn's name heard as something else, and a number beside one of its own or beside a similar
//! word.

use std::slice;

use shakmaty::Role;

use super::{
    Matcher,
    matcher::{FULL_MOVE, raw_words},
};
use crate::phrase::{grammar::Understood, move_words::Token};

/// The words of a piece, its origin and its target.
const FROM_AND_TO: usize = 5;

impl Matcher {
    /// A text without what was not said of it.
    pub(super) fn without_unsaid(&self, text: &str) -> String {
        self.without_rank_of_to(self.without_second_rank(
            self.without_pawns_name(self.without_lead_in(self.without_echoes(text))),
        ))
    }

    /// The text without a word repeated in a row, unless the repetition is a phrase. A player who
    /// hesitates says a word twice, and an echo is heard twice ("Cesar acht acht").
    fn without_echoes(&self, text: &str) -> String {
        let mut words = raw_words(text);
        let echoes = words.windows(2).any(|pair| pair[0] == pair[1]);
        if !echoes || self.lists(&words) {
            return text.to_owned();
        }
        words.dedup();
        words.join(" ")
    }

    /// The text without a lead-in: a "von", "nach", "mit" or "mein" before a full announcement, or
    /// the name of a rank or file before one with origin and target. By itself a lead-in means
    /// nothing, and talk behind the player is heard as one. Not while a question stands: after a
    /// claim has begun, "mit Turm ..." names the move to claim with (9.2.1).
    fn without_lead_in(&self, text: String) -> String {
        let words = &self.ear.0.words;
        let heard = raw_words(&text);
        let token = |n: usize| words.moves.words.lexicon.first(&heard[n..]);
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

    /// A pawn's move with where from and where to, without one name of a rank or file before it,
    /// and what joins or is no word by itself: "Bauer" need not be said, and comes out so. Of any
    /// other piece the name would be missing.
    fn without_pawns_name(&self, text: String) -> String {
        let heard = raw_words(&text);
        let lexicon = &self.ear.0.words.moves.words.lexicon;
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

    /// An announcement with where from and where to that has two ranks in a row ("Cesar acht zwei",
    /// "Felix zwei eins"), with the only one of them that makes it legal: no move is said with
    /// both. A long "a" before a "t" sounds like "acht" does, and talk after an announcement comes
    /// out as numbers.
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

    /// An announcement without a rank before "nach" that sounds like it, if that alone makes it
    /// legal: of "Läufer Cesar nach Eva vier" an "acht" is heard before "nach", for after a file
    /// most say a rank.
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

    /// A word's role in announcements.
    fn token_of(&self, word: &String) -> Option<Token> {
        let (_, token) = self.ear.0.words.moves.words.lexicon.first(slice::from_ref(word))?;
        Some(token)
    }

    /// Whether the first of these words names a file or a rank.
    fn begins_with_place(&self, words: &[String]) -> bool {
        let first = self.ear.0.words.moves.words.lexicon.first(words);
        matches!(first, Some((1, Token::Rank(_) | Token::File(_))))
    }

    /// Whether the first of these words names a piece, as announcements do.
    pub(super) fn begins_with_piece(&self, words: &[String]) -> bool {
        let first = self.ear.0.words.moves.words.lexicon.first(words);
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
