//! The guided self-test of the 64 reeds: the questions, the answers, the findings.
//!
//! No I/O and no time of its own: readings and answers come in, lines to be spoken go out
//! ([`SelfTest`]). One peg is enough. The builder puts it into the named holes one after the other.
//! The next name means that the last one was felt; a hole that feels nothing is named again, and
//! skipped after a while. So a builder needs neither eyes nor a free hand. At the end [`diagnose`]
//! interprets the readings and gives the right wiring.

mod diagnosis;

use shakmaty::Square;

pub use diagnosis::{BoardFault, Diagnosis, diagnose};

use super::wiring::{Levels, Wiring};
use annabella_words::phrase::{Prompt, Slot, Utterance, Words};

/// Inputs must read the same for this long before they count: a hand with a magnet passes over
/// other holes.
pub const REST_MS: u64 = 150;
/// After this long without anything felt the hole is named again, and passed over the third time.
pub const PATIENCE_MS: u64 = 15_000;
/// How often a hole is named.
const NAMED: u8 = 3;

/// Something to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestLine {
    /// Without slots.
    Plain(Prompt),
    /// About one square.
    Square(Prompt, Square),
    /// About two.
    Pair(Prompt, Square, Square),
    /// A peg here closes others too.
    Cross(Square, Vec<Square>),
    /// The board is turned clockwise by this many degrees.
    Turned(u16),
}

impl TestLine {
    /// In words.
    pub fn words(&self, words: &Words) -> Utterance {
        match self {
            TestLine::Plain(prompt) => words.prompt(*prompt, &[]),
            TestLine::Square(prompt, square) => words.prompt(*prompt, &[Slot::Square(*square)]),
            TestLine::Pair(prompt, first, second) => {
                words.prompt(*prompt, &[Slot::Square(*first), Slot::Square(*second)])
            }
            TestLine::Cross(square, others) => {
                words.prompt(Prompt::TestCross, &[Slot::Square(*square), Slot::Squares(others)])
            }
            TestLine::Turned(degrees) => {
                words.prompt(Prompt::TestTurned, &[Slot::Number((*degrees).into())])
            }
        }
    }
}

/// The builder's possible answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestAnswer {
    /// Go on: this hole feels nothing, or these pegs stay.
    Next,
    /// Say it again.
    Repeat,
    /// Back to the hole before.
    Back,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// All pegs off, before.
    Clear,
    /// A peg into this hole, by number.
    Hole(usize),
    /// All pegs off, after.
    Cleared,
    Done,
}

/// The test as it goes.
#[derive(Clone, Debug)]
pub struct SelfTest {
    wiring: Wiring,
    stage: Stage,
    /// Inputs that each hole closed.
    seen: [Option<Levels>; 64],
    /// Inputs that never open.
    stuck: Levels,
    /// Inputs that were closed before this hole was named, and have not opened since.
    before: Levels,
    closed: Levels,
    since_ms: u64,
    asked_ms: u64,
    named: u8,
}

impl SelfTest {
    /// Starts at `now_ms`. Returns the first words too.
    pub fn begin(wiring: Wiring, now_ms: u64) -> (SelfTest, Vec<TestLine>) {
        let test = SelfTest {
            wiring,
            stage: Stage::Clear,
            seen: [None; 64],
            stuck: 0,
            before: 0,
            closed: 0,
            since_ms: now_ms,
            asked_ms: now_ms,
            named: 1,
        };
        (test, vec![TestLine::Plain(Prompt::TestTakeAll)])
    }

    /// Takes in one reading of all inputs.
    pub fn reading(&mut self, now_ms: u64, levels: Levels) -> Vec<TestLine> {
        let closed = self.wiring.closed(levels);
        if closed != self.closed {
            (self.closed, self.since_ms) = (closed, now_ms);
        }
        self.before &= closed;
        let at_rest = now_ms.saturating_sub(self.since_ms) >= REST_MS
            && now_ms.saturating_sub(self.asked_ms) >= REST_MS;
        let waited = now_ms.saturating_sub(self.asked_ms) >= PATIENCE_MS;
        let free = closed & !self.stuck;
        match self.stage {
            Stage::Clear | Stage::Cleared if at_rest && free == 0 => self.cleared(now_ms),
            Stage::Hole(hole) if at_rest && free & !self.before != 0 => {
                self.seen[hole] = Some(free & !self.before);
                self.go_on(now_ms)
            }
            Stage::Done => Vec::new(),
            _ if !waited => Vec::new(),
            _ if self.named >= NAMED => self.answer(now_ms, TestAnswer::Next),
            Stage::Hole(hole) => {
                (self.asked_ms, self.named) = (now_ms, self.named + 1);
                vec![TestLine::Square(Prompt::TestNothing, square(hole))]
            }
            Stage::Clear | Stage::Cleared => {
                (self.asked_ms, self.named) = (now_ms, self.named + 1);
                vec![TestLine::Plain(Prompt::TestTakeAll)]
            }
        }
    }

    /// Takes in an answer.
    pub fn answer(&mut self, now_ms: u64, answer: TestAnswer) -> Vec<TestLine> {
        match (answer, self.stage) {
            (_, Stage::Done) => Vec::new(),
            (TestAnswer::Repeat, _) => {
                self.asked_ms = now_ms;
                vec![self.question()]
            }
            (TestAnswer::Next, Stage::Hole(hole)) => {
                self.seen[hole] = None;
                let mut lines = vec![TestLine::Square(Prompt::ReedDead, square(hole))];
                lines.extend(self.go_on(now_ms));
                lines
            }
            // Reeds that are still closed never open.
            (TestAnswer::Next, Stage::Clear | Stage::Cleared) => {
                self.stuck |= self.closed;
                self.cleared(now_ms)
            }
            (TestAnswer::Back, Stage::Hole(hole)) => self.ask(now_ms, hole.saturating_sub(1)),
            (TestAnswer::Back, Stage::Cleared) => self.ask(now_ms, 63),
            (TestAnswer::Back, Stage::Clear) => vec![self.question()],
        }
    }

    /// The findings, once the test is over.
    pub fn diagnosis(&self) -> Option<Diagnosis> {
        (self.stage == Stage::Done).then(|| diagnose(&self.wiring, &self.seen, self.stuck))
    }

    fn question(&self) -> TestLine {
        match self.stage {
            Stage::Hole(hole) => TestLine::Square(Prompt::TestPut, square(hole)),
            Stage::Clear | Stage::Cleared | Stage::Done => TestLine::Plain(Prompt::TestTakeAll),
        }
    }

    fn ask(&mut self, now_ms: u64, hole: usize) -> Vec<TestLine> {
        self.stage = Stage::Hole(hole);
        self.before = self.closed;
        (self.asked_ms, self.named) = (now_ms, 1);
        vec![self.question()]
    }

    fn cleared(&mut self, now_ms: u64) -> Vec<TestLine> {
        if self.stage == Stage::Clear {
            let mut lines = vec![TestLine::Plain(Prompt::TestBegin)];
            lines.extend(self.ask(now_ms, 0));
            return lines;
        }
        self.stage = Stage::Done;
        diagnose(&self.wiring, &self.seen, self.stuck).lines()
    }

    fn go_on(&mut self, now_ms: u64) -> Vec<TestLine> {
        match self.stage {
            Stage::Hole(hole) if hole < 63 => self.ask(now_ms, hole + 1),
            _ => {
                self.stage = Stage::Cleared;
                (self.asked_ms, self.named) = (now_ms, 1);
                vec![self.question()]
            }
        }
    }
}

/// The holes are asked for from a1 to h1, then a2 and so on.
fn square(hole: usize) -> Square {
    Square::ALL[hole % 64]
}
