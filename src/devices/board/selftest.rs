//! The guided self-test of the 64 reeds: the questions, the answers, the findings.
//!
//! No I/O and no time of its own: readings and answers come in, lines to be spoken go out
//! ([`SelfTest`]). One peg is enough. The builder puts it into the named holes one after the other.
//! The next name means that the last one was felt; a hole that feels nothing is named again, and
//! skipped after a while. So a builder needs neither eyes nor a free hand. At the end [`diagnose`]
//! interprets the readings and gives the right wiring.
//!
//! # Strips
//!
//! Shift registers lie in a chain, each with the eight reeds of its strip; strips are counted from
//! 1, the one at the Pi. One can be tested as it is soldered: alone on the cable, or joined to
//! those before it. Behind the last one that is joined every reed reads closed.

mod diagnosis;
mod strips;

use shakmaty::Square;

pub use diagnosis::{BoardFault, Diagnosis, diagnose};

use super::wiring::{Levels, Wiring};
use annabella_core::setup::TestStep;
use annabella_words::phrase::{Prompt, Slot, Utterance, Words};

/// Inputs must read the same for this long before they count: a hand with a magnet passes over
/// other holes.
pub const REST_MS: u64 = 150;
/// After this long without anything felt the hole is named again, and passed over the third time.
pub const PATIENCE_MS: u64 = 15_000;
/// How often a hole is named.
const NAMED: u8 = 3;
/// A strip of which so many holes felt nothing, and none anything, is passed over.
const SILENT: usize = 3;

/// Something to be said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TestLine {
    Plain(Prompt),
    Square(Prompt, Square),
    Pair(Prompt, Square, Square),
    /// A peg here closes others too.
    Cross(Square, Vec<Square>),
    /// The board is turned clockwise by this many degrees.
    Turned(u16),
    Strip(Prompt, u8),
    Strips(Prompt, Vec<u8>),
}

impl TestLine {
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
            TestLine::Strip(prompt, strip) => {
                words.prompt(*prompt, &[Slot::Number((*strip).into())])
            }
            TestLine::Strips(prompt, strips) => {
                let number = |strip: &u8| words.prompts().number((*strip).into());
                let all = strips.iter().map(number).collect::<Vec<_>>().join(", ");
                words.prompt(*prompt, &[Slot::Text(&all)])
            }
        }
    }
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
    /// The only strip that is tested.
    strip: Option<u8>,
    holes: Vec<Square>,
    stage: Stage,
    /// Inputs that each hole closed, none where nothing was felt; `None`: not asked for.
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
    /// Starts at `now_ms`, of the whole board or of one `strip` (1 to 8) of shift registers.
    /// Returns the first words too.
    pub fn begin(wiring: Wiring, strip: Option<u8>, now_ms: u64) -> (SelfTest, Vec<TestLine>) {
        let holes = match strip {
            Some(strip) => strips::squares(&wiring, strip).collect(),
            None => Square::ALL.to_vec(),
        };
        let test = SelfTest {
            wiring,
            strip,
            holes,
            stage: Stage::Clear,
            seen: [None; 64],
            stuck: 0,
            before: 0,
            closed: 0,
            since_ms: now_ms,
            asked_ms: now_ms,
            named: 1,
        };
        let first = test.question();
        (test, vec![first])
    }

    /// Takes in one reading of all inputs.
    pub fn reading(&mut self, now_ms: u64, levels: Levels) -> Vec<TestLine> {
        let all = self.wiring.closed(levels);
        let closed = self.strip.map_or(all, |strip| strips::only(all, strip));
        if closed != self.closed {
            (self.closed, self.since_ms) = (closed, now_ms);
        }
        self.before &= closed;
        let at_rest = now_ms.saturating_sub(self.since_ms) >= REST_MS
            && now_ms.saturating_sub(self.asked_ms) >= REST_MS;
        let waited = now_ms.saturating_sub(self.asked_ms) >= PATIENCE_MS;
        let free = closed & !self.stuck;
        match self.stage {
            // No hand holds eight magnets: the strip, or one before it, is not joined.
            Stage::Clear if at_rest && self.strip.is_some_and(|n| strips::is_full(closed, n)) => {
                self.stuck = strips::full(all);
                self.finish()
            }
            Stage::Clear | Stage::Cleared if at_rest && free == 0 => self.cleared(now_ms),
            Stage::Hole(hole) if at_rest && free & !self.before != 0 => {
                self.seen[self.holes[hole] as usize] = Some(free & !self.before);
                self.go_on(now_ms)
            }
            Stage::Done => Vec::new(),
            _ if !waited => Vec::new(),
            Stage::Hole(hole) if self.named >= NAMED => self.feels_nothing(now_ms, hole),
            Stage::Hole(hole) => self.once_more(now_ms, hole),
            _ if self.named >= NAMED => self.answer(now_ms, TestStep::Next),
            Stage::Clear | Stage::Cleared => {
                (self.asked_ms, self.named) = (now_ms, self.named + 1);
                vec![self.question()]
            }
        }
    }

    /// Takes in an answer. Of a hole that feels nothing it is said so first; who goes on all the
    /// same has it recorded as dead.
    pub fn answer(&mut self, now_ms: u64, answer: TestStep) -> Vec<TestLine> {
        match (answer, self.stage) {
            (_, Stage::Done) => Vec::new(),
            (TestStep::Repeat, _) => {
                self.asked_ms = now_ms;
                vec![self.question()]
            }
            // A peg that has only just arrived, or left, is waited for: the press says nothing
            // about the reed.
            (TestStep::Next, Stage::Hole(_)) if self.is_moving(now_ms) => Vec::new(),
            (TestStep::Next, Stage::Hole(hole)) if self.named == 1 => self.once_more(now_ms, hole),
            (TestStep::Next, Stage::Hole(hole)) => self.feels_nothing(now_ms, hole),
            (TestStep::Next, Stage::Clear | Stage::Cleared)
                if self.closed & !self.stuck != 0 && self.named == 1 =>
            {
                (self.asked_ms, self.named) = (now_ms, 2);
                vec![self.question()]
            }
            // Reeds that are still closed never open.
            (TestStep::Next, Stage::Clear | Stage::Cleared) => {
                self.stuck |= self.closed;
                self.cleared(now_ms)
            }
            (TestStep::Back, Stage::Hole(hole)) => self.ask(now_ms, hole.saturating_sub(1)),
            (TestStep::Back, Stage::Cleared) => self.ask(now_ms, self.holes.len() - 1),
            (TestStep::Back, Stage::Clear) => vec![self.question()],
        }
    }

    /// Whether an input has changed since this hole was named, and not rested yet.
    fn is_moving(&self, now_ms: u64) -> bool {
        self.since_ms > self.asked_ms && now_ms.saturating_sub(self.since_ms) < REST_MS
    }

    /// Nothing was felt in this hole, and it is named again.
    fn once_more(&mut self, now_ms: u64, hole: usize) -> Vec<TestLine> {
        (self.asked_ms, self.named) = (now_ms, self.named + 1);
        vec![TestLine::Square(Prompt::TestNothing, self.holes[hole])]
    }

    fn feels_nothing(&mut self, now_ms: u64, hole: usize) -> Vec<TestLine> {
        let square = self.holes[hole];
        self.seen[square as usize] = Some(0);
        let mut lines = vec![TestLine::Square(Prompt::ReedDead, square)];
        lines.extend(self.go_on(now_ms));
        lines
    }

    /// The findings, once the test is over. Nothing is written about a board of which one strip is
    /// known.
    pub fn diagnosis(&self) -> Option<Diagnosis> {
        (self.stage == Stage::Done).then(|| {
            let found = diagnose(&self.wiring, &self.seen, self.stuck);
            match self.strip {
                Some(_) => Diagnosis { findings: found.findings, ..Diagnosis::default() },
                None => found,
            }
        })
    }

    fn question(&self) -> TestLine {
        match (self.stage, self.strip) {
            (Stage::Hole(hole), _) => TestLine::Square(Prompt::TestPut, self.holes[hole]),
            (_, Some(strip)) => TestLine::Strip(Prompt::TestStripClear, strip),
            _ => TestLine::Plain(Prompt::TestTakeAll),
        }
    }

    fn ask(&mut self, now_ms: u64, hole: usize) -> Vec<TestLine> {
        self.stage = Stage::Hole(hole);
        self.before = self.closed;
        (self.asked_ms, self.named) = (now_ms, 1);
        vec![self.question()]
    }

    fn cleared(&mut self, now_ms: u64) -> Vec<TestLine> {
        if self.stage != Stage::Clear {
            return self.finish();
        }
        let Some(first) = self.next(0) else { return self.finish() };
        let begin = match self.strip {
            Some(_) => Prompt::TestStripBegin,
            None => Prompt::TestBegin,
        };
        let mut lines = vec![TestLine::Plain(begin)];
        lines.extend(self.ask(now_ms, first));
        lines
    }

    fn finish(&mut self) -> Vec<TestLine> {
        self.stage = Stage::Done;
        match (self.diagnosis(), self.strip) {
            (Some(found), Some(strip)) if found.findings.is_empty() => {
                vec![TestLine::Strip(Prompt::TestStripGood, strip)]
            }
            (found, _) => found.map_or_else(Vec::new, |found| found.lines()),
        }
    }

    fn go_on(&mut self, now_ms: u64) -> Vec<TestLine> {
        let next = match self.stage {
            Stage::Hole(hole) => self.next(hole + 1),
            _ => None,
        };
        if let Some(hole) = next {
            return self.ask(now_ms, hole);
        }
        self.stage = Stage::Cleared;
        (self.asked_ms, self.named) = (now_ms, 1);
        vec![self.question()]
    }

    /// The next hole from this one on whose strip may feel something.
    fn next(&self, hole: usize) -> Option<usize> {
        (hole..self.holes.len()).find(|hole| !self.is_passed(self.holes[*hole]))
    }

    fn is_passed(&self, square: Square) -> bool {
        let Some(strip) = strips::of(&self.wiring, square) else { return false };
        let asked: Vec<Levels> = strips::squares(&self.wiring, strip)
            .filter_map(|square| self.seen[square as usize])
            .collect();
        strips::is_full(self.stuck, strip)
            || (asked.len() >= SILENT && asked.iter().all(|closed| *closed == 0))
    }
}
