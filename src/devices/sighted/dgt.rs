//! A DGT board as the sighted player's. The clock's sides go by the way in which it lies.

use std::time::{Duration, Instant};

use shakmaty::Board;

use super::{
    Seen,
    line::{AtLine, LineBoard},
    still::{StillSettings, Stillness},
};
use crate::{
    dgt::{session::BoardEvent, wire::BoardEnd},
    serial::Timed,
};

/// The board at the end of a line.
pub type DgtBoard = LineBoard<DgtLine>;

/// What a DGT board's events come to.
#[derive(Debug)]
pub struct DgtLine {
    end: BoardEnd,
    stillness: Stillness,
}

impl DgtBoard {
    /// The board at this end, which ought to show `expected`; its times count from `began`.
    pub fn new(
        end: BoardEnd,
        settings: StillSettings,
        expected: Board,
        began: Instant,
    ) -> DgtBoard {
        LineBoard::over(DgtLine { end, stillness: Stillness::new(settings, expected) }, began)
    }
}

impl AtLine for DgtLine {
    type Event = BoardEvent;

    fn stillness(&self) -> &Stillness {
        &self.stillness
    }

    fn stillness_mut(&mut self) -> &mut Stillness {
        &mut self.stillness
    }

    fn wait(&mut self, patience: Duration) -> Option<Timed<BoardEvent>> {
        self.end.next(patience)
    }

    fn ask(&self) {
        self.end.look();
    }

    fn take(&mut self, event: BoardEvent, at_ms: u64, out: &mut Vec<Seen>) {
        match event {
            BoardEvent::Ready(_) => self.stillness.back(at_ms, out),
            BoardEvent::Dump(dump) => {
                self.stillness.dump(at_ms, &dump, out);
                if let Some(facing) = self.stillness.facing() {
                    self.end.lies(facing);
                }
            }
            BoardEvent::Update { field, code } => self.stillness.update(at_ms, field, code, out),
            BoardEvent::Lost(why) => self.stillness.lost(at_ms, why, out),
        }
    }
}
