//! Phrases for a recogniser's grammar. All are in lower case and in the pack's own spelling; which
//! spelling a model knows is the recogniser's business.

use std::collections::BTreeSet;

use shakmaty::{Chess, Position, Role};

use super::{Asked, Context, Heard, noise::without_noise_around};
use crate::phrase::{Command, Phrases, SpokenForm, Words, command::KINDS};

/// A busy middlegame has some 500 phrases; positions that are not played have more, and are not
/// worth a recogniser's time.
const MOST_PHRASES: usize = 2500;

/// Phrases for a recogniser, in lower case and in the packs' own spelling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grammar {
    /// Everything that may be said now, for the first pass.
    pub phrases: Vec<String>,
    /// Single words in any order, for the second; none: there is no second pass.
    pub words: Vec<String>,
    /// Proper beginnings of announcements that mean nothing by themselves now: their rest is waited
    /// for.
    pub begun: BTreeSet<String>,
}

impl Grammar {
    /// These phrases, in lower case, and the `words` of the second pass, which may follow one
    /// another in any order.
    pub fn new(mut phrases: Vec<String>, words: Vec<String>) -> Grammar {
        let mut seen = BTreeSet::new();
        phrases.retain(|phrase| seen.insert(phrase.clone()));
        Grammar { phrases, words, begun: BTreeSet::new() }
    }

    /// The same grammar, in which the rest of these announcements is awaited. They are among the
    /// phrases. A beginning that is a phrase of its own is complete, except a piece's name while no
    /// question asks for a piece.
    pub fn waiting_for<'a>(
        mut self,
        words: &Words,
        announcements: impl IntoIterator<Item = &'a String>,
        asked: Asked,
    ) -> Grammar {
        let beginnings = |text: &'a String| text.match_indices(' ').map(|(end, _)| &text[..end]);
        let mut begun: BTreeSet<&str> = announcements.into_iter().flat_map(beginnings).collect();
        let names = if asked == Asked::Piece { Vec::new() } else { piece_names(words) };
        for phrase in self.phrases.iter().filter(|phrase| !names.contains(phrase)) {
            begun.remove(phrase.as_str());
        }
        self.begun = begun.into_iter().map(str::to_owned).collect();
        self
    }

    /// Whether this is the beginning of an announcement and nothing by itself.
    pub fn is_begun(&self, heard: &Heard) -> bool {
        heard.best().is_some_and(|text| self.begun.contains(without_noise_around(text)))
    }

    /// Whether this is one of the phrases.
    pub fn is_whole(&self, heard: &Heard) -> bool {
        let text = heard.best().map(without_noise_around);
        text.is_some_and(|text| self.phrases.iter().any(|phrase| phrase == text))
    }

    /// These phrases, in lower case, without a second pass: where no move is announced, nobody asks
    /// it.
    pub fn of_phrases(phrases: Vec<String>) -> Grammar {
        Grammar::new(phrases, Vec::new())
    }

    /// Every move, request and answer: for recordings of which nothing is known but the position.
    pub fn of_everything(words: &Words, pos: &Chess) -> Grammar {
        let mut announcements = move_grammar(words, pos);
        announcements.extend(led_grammar(words, pos));
        let commands = command_grammar(words, &Context::default());
        let answers = answer_grammar(words);
        let phrases = [&announcements[..], &commands, &answers].concat();
        let grammar = Grammar::new(phrases, move_loop(words));
        grammar.waiting_for(words, &announcements, Asked::Nothing)
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
    let phrases = words.command_phrases().into_iter().chain(words.near_phrases());
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
        .map(|mv| words.announce(pos, mv, SpokenForm::Full).to_string().replace(',', ""))
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
    unique(commands.map(|(text, _)| text).chain(numbers).chain(piece_names(words)))
}

/// The pieces that a pawn becomes, in both languages, in lower case.
fn piece_names(words: &Words) -> Vec<String> {
    let pieces = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight].into_iter();
    let names = pieces
        .flat_map(|role| [&words.moves, &words.prompts].map(|pack| pack.piece(role).text.clone()));
    unique(names)
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
    let commands = words.command_phrases().into_iter().chain(words.near_phrases());
    let commands = commands.map(|(text, _)| text);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_beginning_that_means_nothing_by_itself_is_waited_for() {
        let words = Words::builtin("fide", "de").expect("built in");
        let begun = |grammar: &Grammar, text: &str| grammar.is_begun(&Heard::text(text));
        let start = Grammar::of_everything(&words, &Chess::default());
        for text in ["springer", "springer gustav eins", "eva", "eva zwei", "[unk] springer [unk]"]
        {
            assert!(begun(&start, text), "{text}");
        }
        for text in [
            "springer gustav eins felix drei",
            "eva vier",
            "ja",
            "nein",
            "korrektur",
            "läufer cesar acht",
            "springer [unk] eins",
            "acht",
            "[unk]",
            "",
        ] {
            assert!(!begun(&start, text), "{text}");
        }
        assert!(start.is_whole(&Heard::text("[unk] eva vier")));
        assert!(!start.is_whole(&Heard::text("eva")));
        // Where a piece is asked for, its name is the answer.
        let phrases = [move_grammar(&words, &Chess::default()), answer_grammar(&words)].concat();
        let moves = move_grammar(&words, &Chess::default());
        for (asked, waits) in [(Asked::Piece, false), (Asked::YesNo, true), (Asked::Nothing, true)]
        {
            let grammar = Grammar::new(phrases.clone(), move_loop(&words));
            let grammar = grammar.waiting_for(&words, &moves, asked);
            assert_eq!(begun(&grammar, "springer"), waits, "{asked:?}");
            assert!(begun(&grammar, "springer gustav"), "{asked:?}");
            assert!(!begun(&grammar, "ja"), "{asked:?}");
        }
    }
}
