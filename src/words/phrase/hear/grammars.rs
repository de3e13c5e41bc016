//! Phrases for a recogniser's grammar. All are in lower case and in the pack's own spelling; which
//! spelling a model knows is the recogniser's business.

use std::collections::BTreeSet;

use shakmaty::{Chess, Position, Role};

use super::Context;
use crate::phrase::{Command, Form, Phrases, Words, command::KINDS};

/// A busy middlegame has some 500 phrases; positions that are not played have more, and are not worth
/// a recogniser's time.
const MOST_PHRASES: usize = 2500;

/// Phrases for a recogniser, in lower case and in the packs' own spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// Everything that may be said now, for the first pass.
    pub phrases: Vec<String>,
    /// Single words in any order, for the second; none: there is no second pass.
    pub words: Vec<String>,
}

impl Grammar {
    pub(crate) fn new(mut phrases: Vec<String>, words: Vec<String>) -> Grammar {
        let mut seen = BTreeSet::new();
        phrases.retain(|phrase| seen.insert(phrase.clone()));
        Grammar { phrases, words }
    }

    /// These phrases, in lower case, without a second pass: where no move is announced, nobody asks it.
    pub(crate) fn of_phrases(phrases: Vec<String>) -> Grammar {
        Grammar::new(phrases, Vec::new())
    }

    /// Every move, request and answer: for recordings of which nothing is known but the position.
    pub fn of_everything(words: &Words, pos: &Chess) -> Grammar {
        let mut phrases = move_grammar(words, pos);
        phrases.extend(led_grammar(words, pos));
        phrases.extend(command_grammar(words, &Context::default()));
        phrases.extend(answer_grammar(words));
        Grammar::new(phrases, move_loop(words))
    }
}

/// Every phrase of every legal move; where a position has too many, those without "von".
pub fn move_grammar(words: &Words, pos: &Chess) -> Vec<String> {
    let phrases = Phrases::new(words, pos);
    let all: Vec<String> = phrases.iter().map(|phrase| phrase.text.clone()).collect();
    if all.len() <= MOST_PHRASES {
        return all;
    }
    let from = words.moves.words.from.text.to_lowercase();
    all.into_iter().filter(|text| !text.split(' ').any(|word| word == from)).collect()
}

/// The requests that make sense now.
pub fn command_grammar(words: &Words, context: &Context) -> Vec<String> {
    let phrases = words.command_phrases().into_iter();
    let allowed = phrases.filter(|(_, command)| context.allows(*command));
    unique(allowed.map(|(text, _)| text))
}

/// "Korrektur" and claims followed by the full announcement of each legal move.
pub fn led_grammar(words: &Words, pos: &Chess) -> Vec<String> {
    let lead = |wanted: Command| {
        words
            .prompts
            .commands
            .iter()
            .find(|phrase| KINDS[phrase.kind].2 == wanted)
            .map(|phrase| phrase.text.clone())
    };
    let with = words.prompts.intending.first().map(|words| words.join(" ")).unwrap_or_default();
    let leads = [
        lead(Command::Correction),
        lead(Command::ClaimRepetition).map(|claim| format!("{claim} {with}")),
        lead(Command::ClaimFifty).map(|claim| format!("{claim} {with}")),
    ];
    let moves: Vec<String> = pos
        .legal_moves()
        .into_iter()
        .map(|mv| words.announce(pos, mv, Form::Full).to_string().replace(',', ""))
        .collect();
    let led = leads.into_iter().flatten();
    unique(led.flat_map(|lead| moves.iter().map(move |mv| format!("{lead} {mv}"))))
}

/// Yes and no, the numbers from 1 to 8, the pieces a pawn becomes, "Korrektur", "abbrechen",
/// "wiederhole" and "stopp".
pub fn answer_grammar(words: &Words) -> Vec<String> {
    let commands = words.command_phrases().into_iter().filter(|(_, command)| {
        matches!(
            command,
            Command::Yes
                | Command::No
                | Command::Correction
                | Command::Cancel
                | Command::Repeat
                | Command::Stop
        )
    });
    let ranks = shakmaty::Rank::ALL.into_iter();
    let numbers = ranks
        .flat_map(|rank| [&words.moves, &words.prompts].map(|pack| pack.rank(rank).text.clone()));
    let pieces = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight]
        .into_iter()
        .flat_map(|role| [&words.moves, &words.prompts].map(|pack| pack.piece(role).text.clone()));
    unique(commands.map(|(text, _)| text).chain(numbers).chain(pieces))
}

/// The single words of moves, for a second pass in which any may follow any. Without the words of
/// requests: each more makes it less sure of what it hears.
pub fn move_loop(words: &Words) -> Vec<String> {
    let texts: Vec<&str> = words.moves.move_words().map(|word| word.text.as_str()).collect();
    single_words(&texts)
}

/// The single words of moves and requests, for a second pass in which any may follow any.
pub fn word_loop(words: &Words) -> Vec<String> {
    let moves = words.moves.move_words().map(|word| word.text.clone());
    let commands = words.command_phrases().into_iter().map(|(text, _)| text);
    let texts: Vec<String> = moves.chain(commands).collect();
    single_words(&texts)
}

/// The words of some texts, each once, in lower case.
pub(super) fn single_words(texts: &[impl AsRef<str>]) -> Vec<String> {
    unique(texts.iter().flat_map(|text| text.as_ref().split_whitespace().map(str::to_owned)))
}

fn unique(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    let lower = texts.map(|text| text.to_lowercase());
    lower.filter(|text| seen.insert(text.clone())).collect()
}
