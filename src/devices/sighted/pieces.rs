//! A board that tells all its squares at once as the sighted player's: Chessnut, Millennium,
//! Certabo.

use std::time::{Duration, Instant};

use shakmaty::Board;

use super::{
    Picture, Seen,
    line::{AtLine, LineBoard},
    still::{StillSettings, Stillness},
};
use crate::{
    dgt::codec::Field,
    pieces::{
        Frame, Make, Names,
        session::{PieceEnd, PieceEvent},
    },
    serial::Timed,
};

/// The board at the end of a line.
pub type PieceBoard = LineBoard<PieceLine>;

/// A board's end and what its frames come to.
#[derive(Debug)]
pub struct PieceLine {
    end: PieceEnd,
    view: PieceView,
}

/// What the frames of a board come to, without a line.
#[derive(Debug)]
pub struct PieceView {
    stillness: Stillness,
    names: Names,
    /// All pieces of the last frame have names.
    named: bool,
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
            stillness: Stillness::new(settings, expected),
            names: Names::default(),
            named: true,
            alike: make.manner().alike,
            counted: None,
        }
    }

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
        let learned = self.names.learn(&frame, self.stillness.expected());
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
    /// The board of this make at this end, which ought to show `expected`; its times count from
    /// `began`.
    pub fn new(
        end: PieceEnd,
        make: Make,
        settings: StillSettings,
        expected: Board,
        began: Instant,
    ) -> PieceBoard {
        let view = PieceView::new(make, settings, expected);
        LineBoard::over(PieceLine { end, view }, began)
    }
}

impl AtLine for PieceLine {
    type Event = PieceEvent;

    fn stillness(&self) -> &Stillness {
        &self.view.stillness
    }

    fn stillness_mut(&mut self) -> &mut Stillness {
        &mut self.view.stillness
    }

    fn wait(&mut self, patience: Duration) -> Option<Timed<PieceEvent>> {
        self.end.next(patience)
    }

    fn ask(&self) {
        self.end.look();
    }

    fn take(&mut self, event: PieceEvent, at_ms: u64, out: &mut Vec<Seen>) {
        self.view.take(event, at_ms, out);
    }
}
