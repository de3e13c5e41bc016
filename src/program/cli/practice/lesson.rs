//! The dialogue of a lesson: words are told, said, and told to be right or what they were taken
//! for.

use std::collections::BTreeMap;

use annabella_words::phrase::{Prompt, Slot, Utterance, Words, hear::misheard};

use super::{
    exercise::Exercise,
    judge::{Steer, Take},
};

/// How often one exercise is tried.
const MOST_TRIES: u8 = 2;
/// After so many exercises without a word nobody is there.
const MOST_SILENT: u8 = 2;

/// A line to speak.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum LessonLine {
    /// The exercise with this number, from 0.
    Say(usize),
    /// The same, once more.
    Again(usize),
    Right,
    Unsure,
    Instead(Utterance),
    Nothing,
    /// It is left.
    On,
}

impl LessonLine {
    pub(super) fn words(&self, words: &Words, exercises: &[Exercise]) -> Utterance {
        let told = |prompt, n: &usize| {
            let said = exercises.get(*n).map(|exercise| exercise.said.clone()).unwrap_or_default();
            words.prompt(prompt, &[Slot::Words(&said)])
        };
        match self {
            LessonLine::Say(n) => told(Prompt::PracticeSay, n),
            LessonLine::Again(n) => told(Prompt::PracticeAgain, n),
            LessonLine::Right => words.prompt(Prompt::PracticeRight, &[]),
            LessonLine::Unsure => words.prompt(Prompt::PracticeUnsure, &[]),
            LessonLine::Instead(heard) => {
                words.prompt(Prompt::PracticeInstead, &[Slot::Words(heard)])
            }
            LessonLine::Nothing => words.prompt(Prompt::NotHeard, &[]),
            LessonLine::On => words.prompt(Prompt::PracticeOn, &[]),
        }
    }
}

/// How a lesson went.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Exercises in which something was said.
    pub(super) tried: usize,
    /// Of these understood at the first try.
    pub(super) at_once: usize,
    /// Words and how often they were missed.
    pub(super) missed: BTreeMap<String, usize>,
    /// The words of what was understood at the first try.
    pub(super) known: Vec<String>,
}

impl Tally {
    /// The words that were missed, most often first.
    pub(super) fn weak(&self) -> Vec<String> {
        let mut weak: Vec<(&String, &usize)> = self.missed.iter().collect();
        weak.sort_by_key(|(_, times)| std::cmp::Reverse(**times));
        weak.into_iter().map(|(word, _)| word.clone()).collect()
    }

    /// Adds another lesson.
    pub(super) fn add(&mut self, other: Tally) {
        self.tried += other.tried;
        self.at_once += other.at_once;
        for (word, times) in other.missed {
            *self.missed.entry(word).or_default() += times;
        }
        self.known.extend(other.known);
    }
}

/// The state of the dialogue.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    exercises: Vec<Exercise>,
    at: usize,
    /// Attempts at the present exercise that were not understood.
    failed: u8,
    /// It was spoken once more to somebody who said nothing.
    reminded: bool,
    /// Exercises in a row in which nobody said anything.
    silent: u8,
    /// Of each exercise whether its first attempt was understood.
    first: Vec<Option<bool>>,
    missed: BTreeMap<String, usize>,
}

impl Lesson {
    /// The dialogue and its first line.
    pub(super) fn begin(exercises: Vec<Exercise>) -> (Lesson, Vec<LessonLine>) {
        let first = vec![None; exercises.len()];
        let lines = if exercises.is_empty() { Vec::new() } else { vec![LessonLine::Say(0)] };
        let lesson = Lesson {
            exercises,
            at: 0,
            failed: 0,
            reminded: false,
            silent: 0,
            first,
            missed: BTreeMap::new(),
        };
        (lesson, lines)
    }

    pub(super) fn exercises(&self) -> &[Exercise] {
        &self.exercises
    }

    /// The one whose turn it is; none when all were done, or nobody is there.
    pub(super) fn exercise(&self) -> Option<&Exercise> {
        self.exercises.get(self.at)
    }

    /// Nobody has said anything for so long that it was ended.
    pub(super) fn is_abandoned(&self) -> bool {
        self.silent >= MOST_SILENT
    }

    /// The number of the attempt that is awaited, from 1.
    pub(super) fn attempt(&self) -> u8 {
        self.failed + 1
    }

    /// Something was said or typed. `heard`: its words, in lower case.
    pub(super) fn take(&mut self, take: Take, heard: &str) -> Vec<LessonLine> {
        let Some(exercise) = self.exercises.get(self.at) else { return Vec::new() };
        self.silent = 0;
        let line = match take {
            Take::Steer(steer) => return self.steer(steer),
            Take::Right => {
                self.first[self.at].get_or_insert(self.failed == 0);
                return self.go(self.at + 1, vec![LessonLine::Right]);
            }
            Take::Unsure => LessonLine::Unsure,
            Take::Instead(words) => LessonLine::Instead(words),
            Take::Nothing => LessonLine::Nothing,
        };
        self.first[self.at].get_or_insert(false);
        for word in missed(exercise, &line, heard) {
            *self.missed.entry(word).or_default() += 1;
        }
        self.failed += 1;
        match self.failed < MOST_TRIES {
            true => vec![line, LessonLine::Again(self.at)],
            false => self.go(self.at + 1, vec![line, LessonLine::On]),
        }
    }

    fn steer(&mut self, steer: Steer) -> Vec<LessonLine> {
        match steer {
            Steer::Hush => Vec::new(),
            Steer::Repeat => vec![LessonLine::Say(self.at)],
            Steer::On => self.go(self.at + 1, Vec::new()),
            Steer::Back => self.go(self.at.saturating_sub(1), Vec::new()),
            Steer::End => self.go(self.exercises.len(), Vec::new()),
        }
    }

    /// Nobody spoke for a while.
    pub(super) fn silence(&mut self) -> Vec<LessonLine> {
        if self.exercise().is_none() {
            return Vec::new();
        }
        if !std::mem::replace(&mut self.reminded, true) {
            return vec![LessonLine::Again(self.at)];
        }
        self.silent += 1;
        let next = if self.silent < MOST_SILENT { self.at + 1 } else { self.exercises.len() };
        self.go(next, vec![LessonLine::On])
    }

    fn go(&mut self, at: usize, mut lines: Vec<LessonLine>) -> Vec<LessonLine> {
        self.at = at;
        self.failed = 0;
        self.reminded = false;
        if at < self.exercises.len() {
            lines.push(LessonLine::Say(at));
        }
        lines
    }

    /// How it went so far.
    pub(super) fn tally(&self) -> Tally {
        let tried = self.first.iter().flatten();
        let known = self.exercises.iter().zip(&self.first).filter(|(_, at)| **at == Some(true));
        let known = known.flat_map(|(exercise, _)| words_of(exercise)).collect();
        Tally {
            tried: tried.clone().count(),
            at_once: tried.filter(|right| **right).count(),
            missed: self.missed.clone(),
            known,
        }
    }
}

fn words_of(exercise: &Exercise) -> Vec<String> {
    exercise.listed().split(' ').map(str::to_owned).collect()
}

/// The words that were not heard. A long sentence of which nothing was heard says nothing about one
/// of its words.
fn missed(exercise: &Exercise, line: &LessonLine, heard: &str) -> Vec<String> {
    let listed = exercise.listed();
    let alone = !listed.contains(' ');
    match line {
        LessonLine::Nothing if !alone => Vec::new(),
        LessonLine::Unsure => Vec::new(),
        _ => misheard(&listed, heard).into_iter().map(str::to_owned).collect(),
    }
}
