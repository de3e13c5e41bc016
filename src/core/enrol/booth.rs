//! The dialogue: the player hears a sentence and repeats it.

use std::mem;

use super::Sentence;
use annabella_words::phrase::{Prompt, Slot, Utterance, Words};

/// A shorter sound than this is a cough, not a sentence, milliseconds.
const SHORTEST_MS: u64 = 500;
/// How often a sentence is spoken to somebody who does not answer.
const MOST_TRIES: u8 = 2;
/// How often it is said how many are left.
const TELL_EVERY: usize = 10;

/// A line to speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BoothLine {
    /// The introduction, with the number of sentences.
    Begin(usize),
    /// The sentence with this number, from 0.
    Sentence(usize),
    /// No word of the sentence was understood.
    Again,
    Left(usize),
}

impl BoothLine {
    pub fn words(&self, words: &Words, sentences: &[Sentence]) -> Utterance {
        match *self {
            BoothLine::Begin(n) => words.prompt(Prompt::EnrolBegin, &[Slot::count(n)]),
            BoothLine::Sentence(n) => {
                sentences.get(n).map(|sentence| sentence.words(words)).unwrap_or_default()
            }
            BoothLine::Again => words.prompt(Prompt::EnrolAgain, &[]),
            BoothLine::Left(n) => words.prompt(Prompt::EnrolLeft, &[Slot::count(n)]),
        }
    }
}

/// The player's possible requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoothAnswer {
    /// The next sentence; this one is left out if nothing was said.
    Next,
    Repeat,
    /// Back to the sentence before, to record it again.
    Back,
}

/// The use of an utterance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoothStep {
    /// The sentence that it is a recording of, by number from 0.
    pub keep: Option<usize>,
    pub lines: Vec<BoothLine>,
}

impl BoothStep {
    fn say(lines: Vec<BoothLine>) -> BoothStep {
        BoothStep { keep: None, lines }
    }
}

/// The state of the dialogue.
#[derive(Clone, Debug)]
pub struct Booth {
    count: usize,
    at: usize,
    /// How often nobody answered the present sentence.
    silences: u8,
    /// A voice was heard after it, but no word.
    is_doubted: bool,
}

impl Booth {
    /// A dialogue of `count` sentences, and its first lines.
    pub fn begin(count: usize) -> (Booth, Vec<BoothLine>) {
        let mut lines = vec![BoothLine::Begin(count)];
        lines.extend((count > 0).then_some(BoothLine::Sentence(0)));
        (Booth { count, at: 0, silences: 0, is_doubted: false }, lines)
    }

    /// Whether every sentence was said or left out.
    pub fn is_over(&self) -> bool {
        self.at >= self.count
    }

    /// The sentence whose turn it is, from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Somebody spoke for `length_ms` milliseconds. `anything`: some word was heard in it.
    pub fn heard(&mut self, length_ms: u64, anything: bool) -> BoothStep {
        if self.is_over() {
            return BoothStep::say(Vec::new());
        }
        if length_ms < SHORTEST_MS {
            return BoothStep::say(Vec::new());
        }
        // A voice in which nothing at all is heard is just the one to learn from, but a passing
        // lorry is not: the second time counts.
        if !anything && !mem::replace(&mut self.is_doubted, true) {
            return BoothStep::say(vec![BoothLine::Again, BoothLine::Sentence(self.at)]);
        }
        let keep = Some(self.at);
        BoothStep { keep, lines: self.go(self.at + 1) }
    }

    /// Nobody spoke for a while.
    pub fn silence(&mut self) -> Vec<BoothLine> {
        if self.is_over() {
            return Vec::new();
        }
        self.silences += 1;
        if self.silences >= MOST_TRIES {
            self.go(self.at + 1)
        } else {
            vec![BoothLine::Sentence(self.at)]
        }
    }

    /// Carries out the player's request.
    pub fn answer(&mut self, answer: BoothAnswer) -> Vec<BoothLine> {
        match answer {
            _ if self.is_over() => Vec::new(),
            BoothAnswer::Next => self.go(self.at + 1),
            BoothAnswer::Repeat => vec![BoothLine::Sentence(self.at)],
            BoothAnswer::Back => self.go(self.at.saturating_sub(1)),
        }
    }

    fn go(&mut self, to: usize) -> Vec<BoothLine> {
        let forward = to > self.at;
        (self.at, self.silences, self.is_doubted) = (to, 0, false);
        if self.is_over() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if forward && to.is_multiple_of(TELL_EVERY) {
            lines.push(BoothLine::Left(self.count - to));
        }
        lines.push(BoothLine::Sentence(to));
        lines
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn each_sentence_is_said_once_and_kept_once() {
        let (mut booth, lines) = Booth::begin(3);
        assert_eq!(lines, [BoothLine::Begin(3), BoothLine::Sentence(0)]);
        let step = booth.heard(2000, true);
        assert_eq!((step.keep, step.lines), (Some(0), vec![BoothLine::Sentence(1)]));
        assert_eq!(booth.answer(BoothAnswer::Repeat), [BoothLine::Sentence(1)]);
        assert_eq!(booth.answer(BoothAnswer::Back), [BoothLine::Sentence(0)]);
        assert_eq!(booth.heard(2000, true).keep, Some(0));
        assert_eq!(booth.answer(BoothAnswer::Next), [BoothLine::Sentence(2)]);
        let step = booth.heard(2000, true);
        assert_eq!((step.keep, step.lines), (Some(2), vec![]));
        assert!(booth.is_over());
    }

    #[test]
    fn a_cough_is_passed_over_and_a_lorry_asked_again() {
        let (mut booth, _) = Booth::begin(2);
        assert_eq!(booth.heard(300, true), BoothStep::say(vec![]));
        assert_eq!(
            booth.heard(1500, false),
            BoothStep::say(vec![BoothLine::Again, BoothLine::Sentence(0)])
        );
        assert_eq!(booth.heard(1500, false).keep, Some(0));
    }

    #[test]
    fn a_lorry_after_a_silence_is_not_learnt_as_the_sentence() {
        let (mut booth, _) = Booth::begin(2);
        assert_eq!(booth.silence(), [BoothLine::Sentence(0)]);
        let step = booth.heard(1500, false);
        assert_eq!(step, BoothStep::say(vec![BoothLine::Again, BoothLine::Sentence(0)]));
        assert_eq!(booth.silence(), [BoothLine::Sentence(1)]);
    }

    #[test]
    fn who_says_nothing_hears_it_once_more_and_then_the_next() {
        let (mut booth, _) = Booth::begin(2);
        assert_eq!(booth.silence(), [BoothLine::Sentence(0)]);
        assert_eq!(booth.silence(), [BoothLine::Sentence(1)]);
        assert_eq!(booth.silence(), [BoothLine::Sentence(1)]);
        assert!(booth.silence().is_empty() && booth.is_over());
    }

    #[test]
    fn after_ten_it_is_said_how_many_are_left() {
        let (mut booth, _) = Booth::begin(30);
        for _ in 0..9 {
            booth.heard(2000, true);
        }
        assert_eq!(booth.heard(2000, true).lines, [BoothLine::Left(20), BoothLine::Sentence(10)]);
    }

    proptest! {
        #[test]
        fn it_always_ends_and_keeps_nothing_that_is_not_there(
            count in 0usize..6,
            acts in prop::collection::vec(0u8..6, 0..60),
        ) {
            let (mut booth, _) = Booth::begin(count);
            for act in acts {
                let at = booth.at();
                let step = match act {
                    0 => booth.heard(2000, true),
                    1 => booth.heard(2000, false),
                    2 => booth.heard(100, true),
                    3 => BoothStep::say(booth.silence()),
                    4 => BoothStep::say(booth.answer(BoothAnswer::Next)),
                    _ => BoothStep::say(booth.answer(BoothAnswer::Back)),
                };
                prop_assert!(step.keep.is_none_or(|kept| kept == at && kept < count));
                let there = |line: &BoothLine| !matches!(line, BoothLine::Sentence(n) if *n >= count);
                prop_assert!(step.lines.iter().all(there));
            }
            for _ in 0..2 * count + 2 {
                booth.silence();
            }
            prop_assert!(booth.is_over());
        }
    }
}
