//! A wooden board that sees nothing: the assistant enters what was played on it.

use std::{
    sync::mpsc,
    time::{Duration, Instant},
};

use shakmaty::Board;

use super::{Guidance, Seen, SightedBoard};

/// Entries that may wait; a page that is faster is told to wait.
const QUEUE: usize = 16;

/// Where entries go in.
#[derive(Clone, Debug)]
pub struct PageInput {
    entries: mpsc::SyncSender<(String, Instant)>,
}

impl PageInput {
    /// A move made on the board, in UCI or with English letters. `false`: too many wait, or nobody
    /// listens.
    pub fn enter(&self, text: &str) -> bool {
        self.entries.try_send((text.to_owned(), Instant::now())).is_ok()
    }
}

/// The board that the entries are about.
#[derive(Debug)]
pub struct PageBoard {
    entries: mpsc::Receiver<(String, Instant)>,
    began: Instant,
}

impl PageBoard {
    /// A board; its times count from `began`.
    pub fn new(began: Instant) -> (PageInput, PageBoard) {
        let (send, entries) = mpsc::sync_channel(QUEUE);
        (PageInput { entries: send }, PageBoard { entries, began })
    }
}

impl SightedBoard for PageBoard {
    fn next(&mut self, patience: Duration) -> Option<Seen> {
        let (text, at) = match self.entries.recv_timeout(patience) {
            Ok(entry) => entry,
            Err(mpsc::RecvTimeoutError::Timeout) => return None,
            // Nobody enters anything here any more: nothing comes, but nobody spins.
            Err(mpsc::RecvTimeoutError::Disconnected) => {
                std::thread::sleep(patience);
                return None;
            }
        };
        let passed = at.saturating_duration_since(self.began).as_millis();
        Some(Seen::Entered { text, at_ms: u64::try_from(passed).unwrap_or(u64::MAX) })
    }

    // There is nothing to look at, to turn round or to hurry.
    fn look(&mut self) {}

    fn orient(&mut self, _shown: &Board) {}

    fn hurry(&mut self, _hurry: bool) {}

    fn guide(&mut self, _guidance: &Guidance) -> bool {
        false
    }
}
