//! Which sentences are to be spoken.

use std::collections::BTreeMap;

use shakmaty::{Chess, Move, Position};

use annabella_words::{
    phrase::{Command, SpokenForm, Understood, Utterance, Words, understand},
    text::uci,
};

/// Requests that are sentences of their own, the most useful first.
const REQUESTS: [Command; 6] = [
    Command::MyTime,
    Command::LastMove,
    Command::WhoseMove,
    Command::Pending,
    Command::OfferDraw,
    Command::MovesMade,
];
/// One sentence in this many is a request.
const REQUEST_EVERY: usize = 7;

/// A sentence's meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// A legal move.
    Move(Move),
    Request(Command),
}

/// Something to be said, and where.
#[derive(Clone, Debug, PartialEq)]
pub struct Sentence {
    /// The position in which it makes sense.
    pub pos: Chess,
    /// A position in which it means nothing and must not be taken for anything.
    pub elsewhere: Option<Chess>,
    pub meaning: Meaning,
    /// Its words, as the recogniser's grammar spells them.
    pub text: String,
}

impl Sentence {
    /// As it is spoken to the player.
    pub fn words(&self, words: &Words) -> Utterance {
        match self.meaning {
            Meaning::Move(mv) => words.announce(&self.pos, mv, SpokenForm::Full),
            Meaning::Request(_) => words.label(&self.text),
        }
    }

    /// UCI, or the request's name.
    pub fn meant(&self) -> String {
        match self.meaning {
            Meaning::Move(mv) => uci(mv),
            Meaning::Request(command) => command.name(),
        }
    }
}

/// `count` sentences that together say every file, rank and piece as often as possible. Each next
/// one is the move of these positions whose words were said least. Every seventh is a request.
pub fn plan(words: &Words, positions: &[Chess], count: usize) -> Vec<Sentence> {
    let mut candidates: Vec<(usize, Move, String)> = Vec::new();
    for (n, pos) in positions.iter().enumerate() {
        for mv in pos.legal_moves() {
            let full = words.announce(pos, mv, SpokenForm::Full).to_string();
            candidates.push((n, mv, full.replace(',', "").to_lowercase()));
        }
    }
    let mut said: BTreeMap<String, f64> = BTreeMap::new();
    let mut sentences = Vec::new();
    let mut requests = REQUESTS.into_iter();
    while sentences.len() < count {
        if sentences.len() % REQUEST_EVERY == REQUEST_EVERY - 1
            && let Some(sentence) = requests.next().and_then(|c| request(words, positions, c))
        {
            sentences.push(sentence);
            continue;
        }
        // A word that was said twice is worth a quarter of a new one.
        let worth = |text: &str| {
            let each = text.split(' ').map(|word| said.get(word).copied().unwrap_or_default());
            let (sum, words) = each.fold((0.0, 0.0), |(sum, n), times| {
                (sum + 1.0 / ((1.0 + times) * (1.0 + times)), n + 1.0)
            });
            sum / words
        };
        let best = candidates
            .iter()
            .enumerate()
            .map(|(n, (_, _, text))| (n, worth(text)))
            .reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((best, _)) = best else { break };
        let (at, mv, text) = candidates.swap_remove(best);
        for word in text.split(' ') {
            *said.entry(word.to_owned()).or_default() += 1.0;
        }
        let elsewhere = positions
            .iter()
            .cycle()
            .skip(at + 1)
            .take(positions.len())
            .find(|pos| matches!(understand(words, pos, &text), Understood::Illegal(_)));
        sentences.push(Sentence {
            pos: positions[at].clone(),
            elsewhere: elsewhere.cloned(),
            meaning: Meaning::Move(mv),
            text,
        });
    }
    sentences
}

fn request(words: &Words, positions: &[Chess], command: Command) -> Option<Sentence> {
    let text = words.prompts().first_phrase(command)?.to_lowercase();
    let pos = positions.first()?.clone();
    Some(Sentence { pos, elsewhere: None, meaning: Meaning::Request(command), text })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After 1. e4 e5 2. Nf3 Nc6 3. Bb5 … : enough of everything.
    fn positions() -> Vec<Chess> {
        let moves =
            "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1 f8e7 f1e1 b7b5 a4b3 d7d6 c2c3 e8g8 h2h3";
        let mut all = vec![Chess::default()];
        for text in moves.split(' ') {
            let mut pos = all[all.len() - 1].clone();
            let mv: shakmaty::uci::UciMove = text.parse().expect("UCI");
            pos.play_unchecked(mv.to_move(&pos).expect("legal"));
            all.push(pos);
        }
        all
    }

    #[test]
    fn thirty_sentences_say_every_file_rank_and_piece_several_times() {
        let words = Words::builtin("fide", "de").expect("built in");
        let sentences = plan(&words, &positions(), 30);
        assert_eq!(sentences.len(), 30);
        let all: Vec<&str> = sentences.iter().flat_map(|s| s.text.split(' ')).collect();
        for word in [
            "anna", "bella", "cesar", "david", "eva", "felix", "gustav", "hector", "eins", "zwei",
            "drei", "vier", "fünf", "sechs", "sieben", "acht", "bauer", "springer", "läufer",
            "turm", "dame", "könig",
        ] {
            let times = all.iter().filter(|said| **said == word).count();
            assert!(times >= 3, "{word}: {times} times in {all:?}");
        }
        let requests = sentences.iter().filter(|s| matches!(s.meaning, Meaning::Request(_)));
        assert_eq!(requests.count(), 4);
    }

    #[test]
    fn a_sentence_means_its_move_and_nothing_elsewhere() {
        let words = Words::builtin("fide", "de").expect("built in");
        for sentence in plan(&words, &positions(), 30) {
            let Meaning::Move(mv) = sentence.meaning else { continue };
            assert_eq!(understand(&words, &sentence.pos, &sentence.text), Understood::Move(mv));
            let elsewhere = sentence.elsewhere.as_ref().expect("somewhere it is illegal");
            let there = understand(&words, elsewhere, &sentence.text);
            assert!(matches!(there, Understood::Illegal(_)), "{}: {there:?}", sentence.text);
        }
    }

    #[test]
    fn nothing_to_choose_from_is_no_sentence() {
        let words = Words::builtin("fide", "de").expect("built in");
        assert!(plan(&words, &[], 30).is_empty());
    }
}
