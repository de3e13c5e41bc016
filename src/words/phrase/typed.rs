//! Questions as people type them. No recogniser listens for these, so they may be as many as there
//! are ways to ask, and as near to one another as they like. Beside them whatever can be said can
//! be typed.
//!
//! `[typed]` of a pack has a list of phrases for each command, under the name that
//! [`Command::name`] gives it, so that `on-rank 4` has "vierte Reihe". A phrase under a key of
//! `[commands]` that names something has its slot: `on-square = ["wer steht auf {square}"]`.

use std::collections::BTreeMap;

use shakmaty::Role;

use super::{
    Words,
    command::{Command, KINDS, QUESTIONS, Wanted},
    loosely::beginning,
    move_words::Lexicon,
    normal::normal_words,
    reader::{Problem, Reader},
};

/// How near a phrase must be to be offered: see [`Known::likeness`].
const NEAR: f64 = 0.65;
/// So many places of a question, and first moves, have a name: "der zweite".
const PLACES: u8 = 4;
/// Two words so near are the same word.
const SAME_WORD: f64 = 0.75;
/// Two texts so near are the same text.
const SAME_LETTERS: f64 = 0.85;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TypedPhrase {
    pub(super) text: String,
    /// The words before and after the thing that it names.
    pub(super) before: Vec<String>,
    pub(super) after: Vec<String>,
    pub(super) asks: Asks,
}

/// What a typed phrase asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Asks {
    /// Always the same.
    One(Command),
    /// What it names.
    Named(Wanted, Command),
}

/// Reads `[typed]`. Phrases that could be a move, or mean another thing in `[commands]`, are
/// problems.
pub(super) fn read(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> Vec<TypedPhrase> {
    let keys: Vec<String> = reader.entries().into_iter().map(|(key, _)| key.clone()).collect();
    let mut phrases = Vec::new();
    for key in keys {
        let Some((asks, wanted)) = asks(&key) else {
            problems.push(reader.wrong(&key, "is no request: see Command::name"));
            continue;
        };
        for text in reader.texts(&key, problems) {
            let halves = match wanted.placeholder() {
                None => Some((text.as_str(), "")),
                Some(name) => text.split_once(name),
            };
            match halves {
                Some((before, after)) if !format!("{before}{after}").contains(['{', '}']) => {
                    let (before, after) = (normal_words(before), normal_words(after));
                    phrases.push(TypedPhrase { text, before, after, asks });
                }
                _ => problems.push(reader.wrong(&key, format!("'{text}' has not the right slot"))),
            }
        }
    }
    reader.finish(problems);
    phrases
}

/// The request of a key, and what its phrases must name.
fn asks(key: &str) -> Option<(Asks, Wanted)> {
    if let Some((_, wanted, command)) =
        KINDS.iter().chain(&QUESTIONS).find(|(name, ..)| *name == key)
    {
        let asks = match wanted {
            Wanted::Nothing => Asks::One(*command),
            wanted => Asks::Named(*wanted, *command),
        };
        return Some((asks, *wanted));
    }
    named().find(|command| command.name() == key).map(|one| (Asks::One(one), Wanted::Nothing))
}

/// The requests that name one thing.
fn named() -> impl Iterator<Item = Command> {
    let files = shakmaty::File::ALL.into_iter().map(Command::OnFile);
    let ranks = shakmaty::Rank::ALL.into_iter().map(Command::OnRank);
    let from_first = std::iter::once(Command::MovesFrom(1));
    let first = (1..=PLACES).map(Command::MoveNumber);
    let counted = Wanted::Count.numbers().map(Command::LastMoves);
    let choices = (1..=PLACES).map(Command::Choice);
    files.chain(ranks).chain(from_first).chain(first).chain(counted).chain(choices)
}

/// Phrases that mean two things: their texts and the reason.
pub(super) fn clashes(
    phrases: &[TypedPhrase],
    said: &[(String, Command)],
    lexicon: &Lexicon,
) -> Vec<String> {
    let mut known: Vec<(Vec<String>, Command)> =
        said.iter().map(|(text, command)| (normal_words(text), *command)).collect();
    let mut clashes = Vec::new();
    for TypedPhrase { text, before, asks, .. } in phrases {
        let Asks::One(command) = asks else { continue };
        if lexicon.lex(before).is_some() {
            clashes.push(format!("'{text}' could be an answer or a move"));
        }
        let other = known.iter().find(|(words, meaning)| words == before && meaning != command);
        if let Some((_, other)) = other {
            clashes.push(format!("'{text}' is also {}", other.name()));
        }
        known.push((before.clone(), *command));
    }
    clashes
}

impl Words {
    /// A phrase that asks for this: what is said, or else what is typed.
    pub fn phrase_for(&self, command: Command) -> Option<String> {
        let said = self.command_phrases().into_iter().find(|(_, of)| *of == command);
        said.map(|(text, _)| text).or_else(|| self.typed_phrase(command))
    }

    /// How this is typed, where it has a phrase of its own.
    pub(super) fn typed_phrase(&self, command: Command) -> Option<String> {
        let mut typed = self.prompts().typed.iter();
        typed.find(|phrase| phrase.asks == Asks::One(command)).map(|phrase| phrase.text.clone())
    }

    /// The rest of a text that begins with the word for a correction, as it was typed.
    pub fn after_correction<'a>(&self, text: &'a str) -> Option<&'a str> {
        let phrases = &self.prompts().commands;
        let is = |begin: &[String]| {
            let mut of =
                phrases.iter().filter(|phrase| KINDS[phrase.kind].2 == Command::Correction);
            of.any(|phrase| phrase.before == begin)
        };
        beginning(text, is)
    }

    /// The rest of a text that begins as moves are told: "ich spiele", "mein Zug ist".
    pub fn after_lead<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.prompts().after_lead(text)
    }

    /// The text with a piece's name in the place of the one word that is only near to it. `None`:
    /// none is near, or near to two.
    pub fn with_piece_spelt(&self, text: &str) -> Option<String> {
        let mut typed = normal_words(text);
        let packs = [self.moves(), self.prompts()];
        let strange = |word: &String| !packs.iter().any(|pack| pack.words.lexicon.knows(word));
        let place = typed.iter().position(|word| word.chars().count() >= 3 && strange(word))?;
        let mut near: Vec<&str> = Vec::new();
        for name in packs.iter().flat_map(|pack| Role::ALL.map(|role| &pack.piece(role).text)) {
            let is_near = alike(&typed[place], &normal_words(name).concat()) > 0.0;
            if is_near && !near.contains(&name.as_str()) {
                near.push(name);
            }
        }
        let [name] = near[..] else { return None };
        name.clone_into(&mut typed[place]);
        Some(typed.join(" "))
    }

    /// The question that is nearest to what was typed and not understood, of those that only ask:
    /// about the player's own things where he names his own, about pieces where he names one.
    /// `None`: none is near.
    pub fn nearest_question(&self, text: &str) -> Option<Command> {
        let typed = normal_words(text);
        let of_moves = || self.moves.words.lexicon.lex(&typed).is_some();
        if self.after_no(text).is_some() || self.is_filler(text) || of_moves() {
            return None;
        }
        let typed = self.prompts().in_known_words(&typed).unwrap_or(typed);
        let said = self.command_phrases().into_iter().map(|(text, of)| (normal_words(&text), of));
        let others = self.prompts().typed.iter().filter_map(|phrase| match phrase.asks {
            Asks::One(command) => Some((phrase.before.clone(), command)),
            Asks::Named(..) => None,
        });
        let phrases: Vec<_> = said.chain(others).collect();
        let known = Known::of(phrases.iter().map(|(words, _)| words.as_slice()));
        let fits = self.fits(&typed);
        let may_be_meant = |command: Command| match command.only_asks() {
            true => fits(command),
            false => command.is_deed() && !matches!(command, Command::Choice(_)),
        };
        let meant = phrases.iter().filter(|(_, command)| may_be_meant(*command));
        let scored = meant.map(|(words, command)| (known.likeness(&typed, words), *command));
        // The first of those that are as near: a pack has the usual way to ask first.
        let best = scored.fold(None, |best: Option<(f64, Command)>, next| match best {
            Some(best) if best.0 >= next.0 => Some(best),
            _ => Some(next),
        });
        // What is nearer to a deed is no question, and nobody is offered a deed.
        best.filter(|(score, of)| *score >= NEAR && of.only_asks()).map(|(_, command)| command)
    }

    /// Whether a question is about what these words name.
    fn fits(&self, typed: &[String]) -> impl Fn(Command) -> bool {
        let pack = self.prompts();
        let has = |names: &[Vec<String>]| names.iter().flatten().any(|name| typed.contains(name));
        let words = &pack.typed_words;
        // "Mein Gegner" is the opponent.
        let mine = match (has(&words.mine), has(&words.theirs)) {
            (_, true) => Some(false),
            (true, false) => Some(true),
            (false, false) => None,
        };
        let asked = Role::ALL.into_iter().flat_map(|role| &pack.noun(role).asked);
        let pieces: Vec<Vec<String>> = asked.map(|name| normal_words(name)).collect();
        let names_piece = has(&pieces);
        move |command| {
            let whose = command.asks_of_mine().zip(mine);
            whose.is_none_or(|(asked, named)| asked == named)
                && (!names_piece || !command.informs())
        }
    }
}

/// How often each word stands in the phrases: what stands in many says little about which is meant.
struct Known<'a> {
    often: BTreeMap<&'a str, u32>,
    phrases: u32,
}

impl<'a> Known<'a> {
    fn of(phrases: impl Iterator<Item = &'a [String]>) -> Known<'a> {
        let mut known = Known { often: BTreeMap::new(), phrases: 1 };
        for words in phrases {
            known.phrases += 1;
            words.iter().for_each(|word| *known.often.entry(word).or_default() += 1);
        }
        known
    }

    fn weight(&self, word: &str) -> f64 {
        let often = self.often.get(word).copied().unwrap_or(1);
        (f64::from(self.phrases) / f64::from(often)).ln().max(0.0)
    }

    /// The share of the weight of two texts that stands in words of both, or of the letters where
    /// words are run together: from 0 to 1.
    fn likeness(&self, one: &[String], other: &[String]) -> f64 {
        let sum = |words: &[String]| -> f64 { words.iter().map(|word| self.weight(word)).sum() };
        let shared = |of: &[String], with: &[String]| -> f64 {
            let best =
                |word: &String| with.iter().map(|other| alike(word, other)).fold(0.0, f64::max);
            of.iter().map(|word| self.weight(word) * best(word)).sum()
        };
        let all = sum(one) + sum(other);
        let words = if all > 0.0 { (shared(one, other) + shared(other, one)) / all } else { 0.0 };
        let letters = strsim::normalized_damerau_levenshtein(&one.concat(), &other.concat());
        if letters >= SAME_LETTERS { words.max(letters) } else { words }
    }
}

/// How alike two words are, from 0 to 1: with a slip of a finger or another ending still nearly the
/// same.
pub(super) fn alike(one: &str, other: &str) -> f64 {
    if one == other {
        return 1.0;
    }
    let long = one.chars().count().max(other.chars().count()) >= 4;
    let alike = strsim::normalized_damerau_levenshtein(one, other);
    if long && alike >= SAME_WORD { alike } else { 0.0 }
}
