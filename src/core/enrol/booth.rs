//! The dialogue: a sentence is spoken to the player, he speaks it after her.

use super::Sentence;
use annabella_words::phrase::{Prompt, Slot, Utterance, Words};

/// What is shorter than this is a cough, not a sentence, milliseconds.
const SHORTEST_MS: u64 = 500;
/// So often a sentence is spoken to somebody who does not answer.
const MOST_TRIES: u8 = 2;
/// How often it is said how many are left.
const TELL_EVERY: usize = 10;

/// What is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Line {
    /// What is to come, with the number of sentences.
    Begin(usize),
    /// The sentence with this number, from 0.
    Sentence(usize),
    /// It was not understood as anything.
    Again,
    /// So many are left.
    Left(usize),
}

impl Line {
    /// In words.
    pub fn words(&self, words: &Words, sentences: &[Sentence]) -> Utterance {
        let number = |n: usize| Slot::Number(u32::try_from(n).unwrap_or(u32::MAX));
        match *self {
            Line::Begin(n) => words.prompt(Prompt::EnrolBegin, &[number(n)]),
            Line::Sentence(n) => {
                sentences.get(n).map(|sentence| sentence.words(words)).unwrap_or_default()
            }
            Line::Again => words.prompt(Prompt::EnrolAgain, &[]),
            Line::Left(n) => words.prompt(Prompt::EnrolLeft, &[number(n)]),
        }
    }
}

/// What the player may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// The next sentence; this one is left out if nothing was said.
    Next,
    /// This sentence again.
    Repeat,
    /// Back to the sentence before; it is recorded anew.
    Back,
}

/// What is to be done with what was said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The sentence that it is a recording of, by number from 0.
    pub keep: Option<usize>,
    /// What to say.
    pub lines: Vec<Line>,
}

impl Step {
    fn say(lines: Vec<Line>) -> Step {
        Step { keep: None, lines }
    }
}

/// Where the dialogue is.
#[derive(Clone, Debug)]
pub struct Booth {
    count: usize,
    at: usize,
    /// How often the present sentence was spoken to the player in vain.
    tries: u8,
}

impl Booth {
    /// So many sentences, and what is said first.
    pub fn begin(count: usize) -> (Booth, Vec<Line>) {
        let mut lines = vec![Line::Begin(count)];
        lines.extend((count > 0).then_some(Line::Sentence(0)));
        (Booth { count, at: 0, tries: 0 }, lines)
    }

    /// Whether every sentence was said or left out.
    pub fn is_over(&self) -> bool {
        self.at >= self.count
    }

    /// The sentence whose turn it is, from 0.
    pub fn at(&self) -> usize {
        self.at
    }

    /// Somebody spoke for so many milliseconds; `anything` says whether any word was heard in it.
    pub fn heard(&mut self, length_ms: u64, anything: bool) -> Step {
        if self.is_over() {
            return Step::say(Vec::new());
        }
        if length_ms < SHORTEST_MS {
            return Step::say(Vec::new());
        }
        // A voice in which nothing at all is heard is just the one to learn from, but a passing
        // lorry is not: the second time counts.
        if !anything && self.tries == 0 {
            self.tries = 1;
            return Step::say(vec![Line::Again, Line::Sentence(self.at)]);
        }
        let keep = Some(self.at);
        Step { keep, lines: self.go(self.at + 1) }
    }

    /// Nobody spoke for a while.
    pub fn silence(&mut self) -> Vec<Line> {
        if self.is_over() {
            return Vec::new();
        }
        self.tries += 1;
        if self.tries >= MOST_TRIES { self.go(self.at + 1) } else { vec![Line::Sentence(self.at)] }
    }

    /// What the player asked for.
    pub fn answer(&mut self, answer: Answer) -> Vec<Line> {
        match answer {
            _ if self.is_over() => Vec::new(),
            Answer::Next => self.go(self.at + 1),
            Answer::Repeat => vec![Line::Sentence(self.at)],
            Answer::Back => self.go(self.at.saturating_sub(1)),
        }
    }

    fn go(&mut self, to: usize) -> Vec<Line> {
        let forward = to > self.at;
        (self.at, self.tries) = (to, 0);
        if self.is_over() {
            return Vec::new();
        }
        let mut lines = Vec::new();
        if forward && to.is_multiple_of(TELL_EVERY) {
            lines.push(Line::Left(self.count - to));
        }
        lines.push(Line::Sentence(to));
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
        assert_eq!(lines, [Line::Begin(3), Line::Sentence(0)]);
        let step = booth.heard(2000, true);
        assert_eq!((step.keep, step.lines), (Some(0), vec![Line::Sentence(1)]));
        assert_eq!(booth.answer(Answer::Repeat), [Line::Sentence(1)]);
        assert_eq!(booth.answer(Answer::Back), [Line::Sentence(0)]);
        assert_eq!(booth.heard(2000, true).keep, Some(0));
        assert_eq!(booth.answer(Answer::Next), [Line::Sentence(2)]);
        let step = booth.heard(2000, true);
        assert_eq!((step.keep, step.lines), (Some(2), vec![]));
        assert!(booth.is_over());
    }

    #[test]
    fn a_cough_is_passed_over_and_a_lorry_asked_again() {
        let (mut booth, _) = Booth::begin(2);
        assert_eq!(booth.heard(300, true), Step::say(vec![]));
        assert_eq!(booth.heard(1500, false), Step::say(vec![Line::Again, Line::Sentence(0)]));
        assert_eq!(booth.heard(1500, false).keep, Some(0));
    }

    #[test]
    fn who_says_nothing_hears_it_once_more_and_then_the_next() {
        let (mut booth, _) = Booth::begin(2);
        assert_eq!(booth.silence(), [Line::Sentence(0)]);
        assert_eq!(booth.silence(), [Line::Sentence(1)]);
        assert_eq!(booth.silence(), [Line::Sentence(1)]);
        assert!(booth.silence().is_empty() && booth.is_over());
    }

    #[test]
    fn after_ten_it_is_said_how_many_are_left() {
        let (mut booth, _) = Booth::begin(30);
        for _ in 0..9 {
            booth.heard(2000, true);
        }
        assert_eq!(booth.heard(2000, true).lines, [Line::Left(20), Line::Sentence(10)]);
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
                    3 => Step::say(booth.silence()),
                    4 => Step::say(booth.answer(Answer::Next)),
                    _ => Step::say(booth.answer(Answer::Back)),
                };
                prop_assert!(step.keep.is_none_or(|kept| kept == at && kept < count));
                let there = |line: &Line| !matches!(line, Line::Sentence(n) if *n >= count);
                prop_assert!(step.lines.iter().all(there));
            }
            for _ in 0..2 * count + 2 {
                booth.silence();
            }
            prop_assert!(booth.is_over());
        }
    }
}
