//! The parts that don't change from move to move: words as numbers, their costs, requests, answers.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use shakmaty::{Chess, Rank, Role};

use super::{Answer, Confusions, Context, Matcher, Thresholds};
use crate::phrase::{
    Command, Words,
    move_words::{Token, text},
    normal::normal_words,
};

/// A word as a number. [`STRANGE`] is any word outside the vocabulary.
pub(super) type Id = u16;

/// Two strange words are never the same.
pub(super) const STRANGE: Id = Id::MAX;

/// Two words of the vocabulary never cost less than this, so that a perfectly heard phrase stays
/// clear of all others.
pub(super) const NEAREST_WORDS: f64 = 0.4;

/// The fixed part of a [`Matcher`]: made once for a pair of packs, shared by all positions.
#[derive(Clone)]
pub struct Ear(pub(super) Arc<Inner>);

impl std::fmt::Debug for Ear {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Ear").field(&self.0.confusions).finish()
    }
}

pub(super) struct Inner {
    pub(super) words: Words,
    confusions: Confusions,
    spelled: Vec<String>,
    ids: BTreeMap<String, Id>,
    /// The cost of hearing the second for the first; both are words of the vocabulary.
    costs: Vec<f32>,
    tokens: BTreeMap<Token, Vec<String>>,
    pub(super) commands: Vec<(Vec<Id>, Command)>,
    /// One word beside an announcement.
    pub(super) near: Vec<(Vec<Id>, Command)>,
    pub(super) answers: Vec<(Vec<Id>, Answer)>,
}

/// Everything else in it follows from the words and their confusions.
impl PartialEq for Ear {
    fn eq(&self, other: &Ear) -> bool {
        let (one, other) = (&self.0, &other.0);
        Arc::ptr_eq(one, other) || one.words == other.words && one.confusions == other.confusions
    }
}

impl Ear {
    /// With the confusions of both packs.
    pub fn new(words: &Words) -> Ear {
        Ear::with_confusions(words, &Confusions::default())
    }

    /// With more confusions, as learnt from this player's recordings.
    pub fn with_confusions(words: &Words, learnt: &Confusions) -> Ear {
        let mut confusions = words.prompts.confusions.clone();
        confusions.extend(&words.moves.confusions);
        confusions.extend(learnt);
        let tokens: BTreeMap<Token, Vec<String>> = words
            .moves
            .words
            .tokens()
            .map(|(token, _)| (token, normal_words(&text(&words.moves.words, &[token]))))
            .collect();
        let mut inner = Inner {
            words: words.clone(),
            confusions,
            spelled: Vec::new(),
            ids: BTreeMap::new(),
            costs: Vec::new(),
            tokens,
            commands: Vec::new(),
            near: Vec::new(),
            answers: Vec::new(),
        };
        let canonical = |phrases: Vec<(String, Command)>| -> Vec<_> {
            let all = phrases.into_iter();
            all.map(|(text, command)| (inner.canonical(&normal_words(&text)), command)).collect()
        };
        let commands = canonical(words.command_phrases());
        let near = canonical(words.near_phrases());
        let answers: Vec<_> = answers(words)
            .into_iter()
            .map(|(text, answer)| (inner.canonical(&normal_words(&text)), answer))
            .collect();
        let mut vocabulary: BTreeSet<String> = inner.tokens.values().flatten().cloned().collect();
        let requests = commands.iter().chain(&near);
        vocabulary.extend(requests.flat_map(|(words, _)| words.iter().cloned()));
        vocabulary.extend(answers.iter().flat_map(|(words, _)| words.iter().cloned()));
        for (n, word) in vocabulary.iter().enumerate() {
            // A pack has not so many words; one too many stays strange.
            inner.ids.insert(word.clone(), Id::try_from(n).unwrap_or(STRANGE));
        }
        inner.spelled = vocabulary.into_iter().collect();
        inner.costs = inner.known_costs();
        for (words, command) in commands {
            let yes_or_no = match command {
                Command::Yes => Some(Answer::Yes),
                Command::No => Some(Answer::No),
                _ => None,
            };
            let ids = inner.ids_of(&words);
            match yes_or_no {
                Some(answer) => inner.answers.push((ids, answer)),
                None => inner.commands.push((ids, command)),
            }
        }
        inner.near = near.iter().map(|(words, of)| (inner.ids_of(words), *of)).collect();
        for (words, answer) in answers {
            let ids = inner.ids_of(&words);
            if !inner.answers.contains(&(ids.clone(), answer)) {
                inner.answers.push((ids, answer));
            }
        }
        Ear(Arc::new(inner))
    }

    /// The phrases of a position, with the default thresholds; others by
    /// [`Matcher::with_thresholds`].
    pub fn matcher(&self, pos: &Chess, context: Context) -> Matcher {
        Matcher::of(self, pos, context, Thresholds::default())
    }
}

/// Ranks as numbers and pieces, in either language; the move language goes first.
fn answers(words: &Words) -> Vec<(String, Answer)> {
    let mut all: Vec<(String, Answer)> = Vec::new();
    for pack in [&words.moves, &words.prompts] {
        let numbers = Rank::ALL.into_iter().flat_map(|rank| {
            let number = Answer::Number(u8::from(rank) + 1);
            pack.rank(rank).heard().map(move |text| (text.to_owned(), number))
        });
        let roles = Role::ALL.into_iter().flat_map(|role| {
            let plain = pack.piece(role).heard();
            let promoted = pack.words.promoted(role).heard();
            plain.chain(promoted).map(move |text| (text.to_owned(), Answer::Piece(role)))
        });
        for (text, answer) in numbers.chain(roles) {
            let taken = all.iter().any(|(other, _)| normal_words(other) == normal_words(&text));
            if !taken {
                all.push((text, answer));
            }
        }
    }
    all
}

impl Inner {
    /// How many words the vocabulary has.
    pub(super) fn size(&self) -> usize {
        self.spelled.len()
    }

    /// The words with every variant of the move language replaced by its first spelling.
    pub(super) fn canonical(&self, mut words: &[String]) -> Vec<String> {
        let mut same = Vec::with_capacity(words.len());
        while let Some(word) = words.first() {
            let entry = self.words.moves.words.lexicon.first(words);
            match entry.and_then(|(len, token)| Some((len, self.tokens.get(&token)?))) {
                Some((len, spelled)) => {
                    same.extend(spelled.iter().cloned());
                    words = &words[len..];
                }
                None => {
                    same.push(word.clone());
                    words = &words[1..];
                }
            }
        }
        same
    }

    pub(super) fn ids_of(&self, words: &[String]) -> Vec<Id> {
        words.iter().map(|word| self.ids.get(word).copied().unwrap_or(STRANGE)).collect()
    }

    /// The words of a phrase of moves.
    pub(super) fn phrase(&self, tokens: &[Token]) -> Vec<Id> {
        let words = tokens.iter().filter_map(|token| self.tokens.get(token)).flatten();
        words.map(|word| self.ids.get(word).copied().unwrap_or(STRANGE)).collect()
    }

    /// The cost of hearing each word of the vocabulary for each.
    fn known_costs(&self) -> Vec<f32> {
        let size = self.size();
        let mut costs = vec![0.0; size * size];
        for (n, one) in self.spelled.iter().enumerate() {
            for (m, other) in self.spelled.iter().enumerate().skip(n + 1) {
                let spelled = 1.0 - 0.6 * alike(one, other);
                let cost = |said: &str, heard: &str| {
                    let known = self.confusions.cost(said, heard);
                    known.unwrap_or(spelled).max(NEAREST_WORDS) as f32
                };
                costs[n * size + m] = cost(one, other);
                costs[m * size + n] = cost(other, one);
            }
        }
        costs
    }

    /// The cost of this heard word against each word of the vocabulary.
    pub(super) fn costs_of(&self, heard: &str) -> Vec<f32> {
        let size = self.size();
        match self.ids.get(heard) {
            Some(&id) if id != STRANGE => {
                let heard = usize::from(id);
                (0..size).map(|said| self.costs[said * size + heard]).collect()
            }
            _ => self
                .spelled
                .iter()
                .map(|said| {
                    let cost = self.confusions.cost(said, heard);
                    cost.unwrap_or_else(|| 1.0 - 0.9 * alike(said, heard)) as f32
                })
                .collect(),
        }
    }
}

/// How alike two words are written, from 0 to 1: the best guess where the table says nothing.
pub(super) fn alike(a: &str, b: &str) -> f64 {
    let (one, other) = (a.chars().count(), b.chars().count());
    // Not even if all the letters that both have can stay.
    if letters_of_both(a, b) * 10 <= one.max(other) * 4 {
        return 0.0;
    }
    ((strsim::normalized_damerau_levenshtein(a, b) - 0.4) / 0.6).max(0.0)
}

/// How many letters of the one can be letters of the other, wherever they stand: that many at most
/// need no change. Rare letters may count as one another, which makes it no smaller.
fn letters_of_both(a: &str, b: &str) -> usize {
    let mut left = [0u16; 64];
    for letter in a.chars() {
        left[letter as usize % 64] += 1;
    }
    let is_shared = |letter: &char| match &mut left[*letter as usize % 64] {
        0 => false,
        some => {
            *some -= 1;
            true
        }
    };
    b.chars().filter(is_shared).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// What is left out is what would be nothing.
        #[test]
        fn words_that_share_too_few_letters_are_not_alike(a in "[a-fäéа-ж]{1,9}", b in "[a-fäéа-ж]{1,9}") {
            let whole = strsim::normalized_damerau_levenshtein(&a, &b);
            prop_assert_eq!(alike(&a, &b), ((whole - 0.4) / 0.6).max(0.0));
        }
    }
}
