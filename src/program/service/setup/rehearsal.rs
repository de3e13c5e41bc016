//! The board's self-test inside the dialogue.

use super::plain;
use annabella_core::setup::{FoundWires, TestStep};
use annabella_devices::board::{
    BoardReader,
    selftest::{SelfTest, TestLine},
    wiring::Wiring,
};
use annabella_words::phrase::Prompt;

/// A self-test and the board that it reads.
pub(super) struct Rehearsal {
    believed: Wiring,
    test: SelfTest,
    reader: Box<dyn BoardReader>,
    lost: bool,
    read_ms: u64,
}

impl std::fmt::Debug for Rehearsal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Rehearsal").field("test", &self.test).finish_non_exhaustive()
    }
}

/// An unreadable board is tried again after this time.
const PAUSE_MS: u64 = 200;

impl Rehearsal {
    pub(super) fn begin(
        believed: Wiring,
        reader: Box<dyn BoardReader>,
        now_ms: u64,
    ) -> (Rehearsal, Vec<TestLine>) {
        let (test, lines) = SelfTest::begin(believed.clone(), None, now_ms);
        (Rehearsal { believed, test, reader, lost: false, read_ms: 0 }, lines)
    }

    pub(super) fn answer(&mut self, now_ms: u64, step: TestStep) -> Vec<TestLine> {
        self.test.answer(now_ms, step)
    }

    /// One reading: the lines to speak, and the board's fault.
    pub(super) fn read(&mut self, now_ms: u64) -> (Vec<TestLine>, Option<String>) {
        if self.lost && now_ms < self.read_ms + PAUSE_MS {
            return (Vec::new(), None);
        }
        self.read_ms = now_ms;
        match self.reader.levels() {
            Ok(levels) => {
                let back = std::mem::take(&mut self.lost).then(|| plain(Prompt::BoardBack));
                let lines = back.into_iter().chain(self.test.reading(now_ms, levels));
                (lines.collect(), None)
            }
            Err(_) if self.lost => (Vec::new(), None),
            Err(err) => {
                self.lost = true;
                (vec![plain(Prompt::BoardLost)], Some(err.to_string()))
            }
        }
    }

    /// The wiring to write, once the test is over; `None` for a broken board.
    pub(super) fn wires(&self) -> Option<FoundWires> {
        let right = self.test.diagnosis()?.wiring;
        Some(
            right.map_or_else(FoundWires::default, |right| {
                super::file::wires(&self.believed, &right)
            }),
        )
    }
}
