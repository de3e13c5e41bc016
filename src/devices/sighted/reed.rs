//! A second reed board as the sighted player's. It senses occupied squares, but not pieces.

use std::{
    collections::VecDeque,
    sync::mpsc,
    time::{Duration, Instant},
};

use shakmaty::{Bitboard, Board, Square};

use super::{
    Picture, Seen, SightedBoard,
    still::{SCAN_MS, StillSettings},
};
use crate::wait_for;
use annabella_core::sensing::{Debounce, Edge};
use annabella_threads::millis;

/// A report from a reader of reeds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReedReport {
    /// A raw contact changed: not debounced.
    Edge {
        square: Square,
        occupied: bool,
    },
    All(Bitboard),
    /// The reader does not answer.
    Lost {
        /// The fault and its remedy, one line.
        why: String,
    },
}

/// The entrance for readings.
#[derive(Clone, Debug)]
pub struct ReedInput {
    readings: mpsc::Sender<(ReedReport, Instant)>,
}

impl ReedInput {
    /// A reading made now. `false`: nobody listens any more.
    pub fn tell(&self, reeds: ReedReport) -> bool {
        self.readings.send((reeds, Instant::now())).is_ok()
    }
}

#[derive(Debug)]
pub struct ReedBoard {
    readings: mpsc::Receiver<(ReedReport, Instant)>,
    debounce_ms: u64,
    debounce: Option<Debounce>,
    settings: StillSettings,
    hurry: bool,
    began: Instant,
    changed_ms: u64,
    reported: bool,
    /// The moment after which it is reported again.
    wanted_ms: u64,
    seen: VecDeque<Seen>,
}

impl ReedBoard {
    /// A board of which nothing is known yet; its times count from `began`. A contact must read the
    /// same for `debounce_ms` before it counts.
    pub fn new(
        debounce_ms: u64,
        settings: StillSettings,
        began: Instant,
    ) -> (ReedInput, ReedBoard) {
        let (send, readings) = mpsc::channel();
        let board = ReedBoard {
            readings,
            debounce_ms,
            debounce: None,
            settings,
            hurry: false,
            began,
            changed_ms: 0,
            reported: false,
            wanted_ms: 0,
            seen: VecDeque::new(),
        };
        (ReedInput { readings: send }, board)
    }

    fn ms(&self, at: Instant) -> u64 {
        millis(at.saturating_duration_since(self.began))
    }

    fn still_ms(&self) -> u64 {
        if self.hurry { self.settings.hurry_ms } else { self.settings.still_ms }
    }

    fn take(&mut self, reeds: ReedReport, at_ms: u64) {
        match (reeds, &mut self.debounce) {
            (ReedReport::Lost { why }, debounce) => {
                if debounce.take().is_some() {
                    self.seen.push_back(Seen::Lost { why, at_ms });
                }
            }
            (ReedReport::Edge { square, occupied }, Some(debounce)) => {
                debounce.edge(Edge { at_ms, square, occupied });
            }
            // Before all contacts are known a single one says nothing.
            (ReedReport::Edge { .. }, None) => {}
            (ReedReport::All(occupied), Some(debounce)) => debounce.scan(at_ms, occupied),
            (ReedReport::All(occupied), None) => {
                self.debounce = Some(Debounce::new(self.debounce_ms, occupied));
                (self.changed_ms, self.reported) = (at_ms, false);
                self.seen.push_back(Seen::Back { at_ms });
            }
        }
    }

    /// Lets contacts and hands come to rest.
    fn settle(&mut self, now_ms: u64) {
        let still_ms = self.still_ms();
        let Some(debounce) = &mut self.debounce else { return };
        let mut edges = Vec::new();
        debounce.advance(now_ms, &mut edges);
        for Edge { at_ms, square, occupied } in edges {
            if std::mem::take(&mut self.reported) {
                self.seen.push_back(Seen::Moving { at_ms });
            }
            self.changed_ms = at_ms;
            if !occupied {
                self.seen.push_back(Seen::Lifted { square, at_ms });
            }
        }
        if !self.reported && now_ms >= self.wanted_ms.max(self.changed_ms + still_ms) {
            let picture = Picture::Occupied(debounce.steady());
            self.reported = true;
            self.seen.push_back(Seen::Still { picture, at_ms: self.changed_ms });
        }
    }

    fn due_ms(&self) -> Option<u64> {
        let debounce = self.debounce.as_ref()?;
        let still = (!self.reported).then(|| self.wanted_ms.max(self.changed_ms + self.still_ms()));
        [debounce.due_ms(), still].into_iter().flatten().min()
    }
}

impl SightedBoard for ReedBoard {
    fn next(&mut self, patience: Duration) -> Option<Seen> {
        let until = Instant::now() + patience;
        loop {
            if let Some(seen) = self.seen.pop_front() {
                return Some(seen);
            }
            let now = Instant::now();
            let now_ms = self.ms(now);
            self.settle(now_ms);
            if !self.seen.is_empty() {
                continue;
            }
            let due_ms = self.due_ms().unwrap_or(u64::MAX);
            let left = until.saturating_duration_since(now);
            // At least a millisecond, so that what is due now is past then.
            let wait = Duration::from_millis(due_ms.saturating_sub(now_ms).max(1));
            // When the reader has ended, changes that came to rest are still reported.
            match wait_for(&self.readings, left.min(wait)) {
                Some((reeds, at)) => {
                    let at_ms = self.ms(at);
                    self.settle(at_ms);
                    self.take(reeds, at_ms);
                }
                None if Instant::now() >= until => return None,
                None => {}
            }
        }
    }

    fn look(&mut self) {
        self.reported = false;
        self.wanted_ms = self.ms(Instant::now()) + SCAN_MS;
    }

    // Reeds are wired to their squares: the board cannot lie the other way round.
    fn orient(&mut self, _shown: &Board) {
        self.reported = false;
    }

    fn hurry(&mut self, hurry: bool) {
        self.hurry = hurry;
    }
}
