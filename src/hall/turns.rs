//! How long reading what a board sends may take before its rows wait for those of the others.

use std::{collections::VecDeque, time::Duration};

use crate::stream::StreamRow;

/// So much may be spent on a board at once: a hundred times what a long game takes.
const MOST: Duration = Duration::from_secs(2);
/// It gets this part of each second anew.
const PART: u32 = 10;

/// What was spent on a board, and what of it waits.
#[derive(Debug, Default)]
pub(crate) struct Turn {
    used: Duration,
    at_ms: u64,
    waiting: VecDeque<StreamRow>,
    told: bool,
}

impl Turn {
    /// Whether a row that comes now is read at once.
    pub(crate) fn is_free(&mut self, now_ms: u64) -> bool {
        let since = Duration::from_millis(now_ms.saturating_sub(self.at_ms));
        self.used = self.used.saturating_sub(since / PART);
        self.at_ms = self.at_ms.max(now_ms);
        self.waiting.is_empty() && self.used < MOST
    }

    /// A row was read. Who has spent much is not made to wait for it for ever.
    pub(crate) fn took(&mut self, time: Duration) {
        self.used = self.used.saturating_add(time).min(MOST * 2);
    }

    pub(crate) fn used(&self) -> Duration {
        self.used
    }

    /// A row waits. Answers whether that is the first time.
    pub(crate) fn waits(&mut self, row: StreamRow) -> bool {
        self.waiting.push_back(row);
        !std::mem::replace(&mut self.told, true)
    }

    /// The row that has waited longest, and whether it is the last that waits.
    pub(crate) fn next(&mut self) -> (Option<StreamRow>, bool) {
        (self.waiting.pop_front(), self.waiting.is_empty())
    }

    /// Nothing of it is read any more.
    pub(crate) fn ends(&mut self) {
        self.waiting = VecDeque::new();
    }
}
