//! A board that tells all its squares at once as the sighted player's: Chessnut, Millennium, Certabo.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use shakmaty::Board;

use super::{
    Guidance, Picture, Seen, SightedBoard,
    still::{StillSettings, Stillness},
};
use crate::{
    dgt::codec::{Facing, Field},
    pieces::{
        Frame, Make, Names,
        session::{PieceEnd, PieceEvent},
    },
};

/// The board at the end of a line.
#[derive(Debug)]
pub struct PieceBoard {
    end: PieceEnd,
    view: PieceView,
    began: Instant,
    seen: VecDeque<Seen>,
}

/// What the frames of a board come to, without a line.
#[derive(Debug)]
pub struct PieceView {
    stillness: Stillness,
    names: Names,
    /// All pieces of the last frame have names.
    named: bool,
    expected: Board,
    /// How many frames must say the same of a square.
    alike: u8,
    /// Nothing before the first frame.
    counted: Option<Counted>,
}

/// For each square what counts, what the last frame says, and how many have said that in a row.
#[derive(Debug)]
struct Counted {
    counts: Frame,
    last: Frame,
    times: [u8; 64],
}

impl PieceView {
    /// A board of this make that ought to show `expected`.
    pub fn new(make: Make, settings: StillSettings, expected: Board) -> PieceView {
        PieceView {
            stillness: Stillness::new(settings, expected.clone()),
            names: Names::default(),
            named: true,
            expected,
            alike: make.manner().alike,
            counted: None,
        }
    }

    /// Takes in an event.
    pub fn take(&mut self, event: PieceEvent, at_ms: u64, out: &mut Vec<Seen>) {
        let mut seen = Vec::new();
        match event {
            PieceEvent::Ready => {
                self.counted = None;
                self.stillness.back(at_ms, &mut seen);
            }
            PieceEvent::Frame(frame) => self.frame(&frame, at_ms, &mut seen),
            PieceEvent::Lost(why) => self.stillness.lost(at_ms, why, &mut seen),
        }
        let named = self.named;
        out.extend(seen.into_iter().map(|seen| match seen {
            // Which piece it is nobody knows: that one stands there is seen.
            Seen::Still { picture: Picture::Pieces(board), at_ms } if !named => {
                Seen::Still { picture: Picture::Occupied(board.occupied()), at_ms }
            }
            other => other,
        }));
    }

    fn frame(&mut self, told: &Frame, at_ms: u64, out: &mut Vec<Seen>) {
        let frame = self.steady(told);
        let learned = self.names.learn(&frame, &self.expected);
        let (dump, named) = self.names.dump(&frame);
        self.named = named;
        if learned {
            self.stillness.renamed(at_ms, &dump);
        }
        for field in Field::all() {
            self.stillness.update(at_ms, field, dump.code(field), out);
        }
        self.stillness.dump(at_ms, &dump, out);
    }

    /// What counts after this frame.
    fn steady(&mut self, told: &Frame) -> Frame {
        let Counted { counts, last, times } =
            self.counted.get_or_insert(Counted { counts: *told, last: *told, times: [0; 64] });
        for (n, content) in told.iter().enumerate() {
            times[n] = if *content == last[n] { times[n].saturating_add(1) } else { 1 };
            if times[n] >= self.alike {
                counts[n] = *content;
            }
        }
        *last = *told;
        *counts
    }

    /// The board is to be asked how it stands.
    pub fn advance(&mut self, now_ms: u64) -> bool {
        self.stillness.advance(now_ms)
    }

    /// The moment for the next [`PieceView::advance`].
    pub fn due_ms(&self) -> Option<u64> {
        self.stillness.due_ms()
    }
}

impl PieceBoard {
    /// The board of this make at this end, which ought to show `expected`; its times count from `began`.
    pub fn new(
        end: PieceEnd,
        make: Make,
        settings: StillSettings,
        expected: Board,
        began: Instant,
    ) -> PieceBoard {
        let view = PieceView::new(make, settings, expected);
        PieceBoard { end, view, began, seen: VecDeque::new() }
    }

    /// Which way round it lies, once that is known.
    pub fn facing(&self) -> Option<Facing> {
        self.view.stillness.facing()
    }

    fn ms(&self, at: Instant) -> u64 {
        let passed = at.saturating_duration_since(self.began).as_millis();
        u64::try_from(passed).unwrap_or(u64::MAX)
    }
}

impl SightedBoard for PieceBoard {
    fn next(&mut self, patience: Duration) -> Option<Seen> {
        let until = Instant::now() + patience;
        loop {
            if let Some(seen) = self.seen.pop_front() {
                return Some(seen);
            }
            let now = Instant::now();
            let now_ms = self.ms(now);
            if self.view.advance(now_ms) {
                self.end.look();
            }
            let due_ms = self.view.due_ms().unwrap_or(u64::MAX);
            let left = until.saturating_duration_since(now);
            let wait = left.min(Duration::from_millis(due_ms.saturating_sub(now_ms)));
            match self.end.next(wait) {
                Some(event) => {
                    let at_ms = self.ms(event.at);
                    let mut seen = Vec::new();
                    self.view.take(event.what, at_ms, &mut seen);
                    self.seen.extend(seen);
                }
                None if Instant::now() >= until => return None,
                None => {}
            }
        }
    }

    fn look(&mut self) {
        let now_ms = self.ms(Instant::now());
        self.view.stillness.look(now_ms);
    }

    fn orient(&mut self, shown: &Board) {
        self.view.expected = shown.clone();
        self.view.stillness.orient(shown);
    }

    fn hurry(&mut self, hurry: bool) {
        self.view.stillness.hurry(hurry);
    }

    // Their lights are left alone: what a board does with them was tried with none.
    fn guide(&mut self, _guidance: &Guidance) -> bool {
        false
    }
}
