//! When an electronic board is still, and how it stands then. Pure: times come in.
//!
//! # Field updates are hints
//!
//! A slid piece shows on every square that it passes, a capture need not empty its target, a piece
//! may show on its new square before it has left the old one, and any update can get lost. So
//! nothing is concluded from one: when nothing has changed for a while the whole board is asked
//! for, and only a dump that says what was known already counts. A dump that says something else is
//! believed when a second one says the same.

use shakmaty::Board;

use super::{Picture, Seen};
use crate::dgt::codec::{Code, Dump, Facing, Field};

/// How long a board must be still, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StillSettings {
    pub still_ms: u64,
    /// In time trouble.
    pub hurry_ms: u64,
    /// The interval between requests for a dump from a board that has been still for long. A board
    /// that has just come to rest is asked sooner. This finds lost updates.
    pub resync_ms: u64,
}

impl Default for StillSettings {
    fn default() -> StillSettings {
        StillSettings { still_ms: 250, hurry_ms: 100, resync_ms: 5000 }
    }
}

/// A dump that does not come is requested again after this time.
const PATIENCE_MS: u64 = 1500;
/// The time in which all squares are scanned once, milliseconds. The board's state at a moment is
/// known after it.
pub const SCAN_MS: u64 = 250;

#[derive(Clone, Debug)]
pub struct Stillness {
    settings: StillSettings,
    hurry: bool,
    present: bool,
    /// The board as last known; nothing before the first dump.
    known: Option<Dump>,
    facing: Option<Facing>,
    expected: Board,
    changed_ms: u64,
    /// A dump that says something else than what was known, until another says the same.
    suspect: Option<Dump>,
    /// When a dump was asked for, if one is on its way.
    asked_ms: Option<u64>,
    confirmed_ms: u64,
    /// The present picture has been reported.
    reported: bool,
    /// The next still picture is reported even if it is not new.
    wanted: bool,
    /// And when it is asked for after this moment.
    wanted_ms: u64,
}

impl Stillness {
    /// A board that is not there yet and ought to show `expected`.
    pub fn new(settings: StillSettings, expected: Board) -> Stillness {
        Stillness {
            settings,
            hurry: false,
            present: false,
            known: None,
            facing: None,
            expected,
            changed_ms: 0,
            suspect: None,
            asked_ms: None,
            confirmed_ms: 0,
            reported: false,
            wanted: false,
            wanted_ms: 0,
        }
    }

    /// Which way round the board lies, once that is known.
    pub fn facing(&self) -> Option<Facing> {
        self.facing
    }

    /// The position that the board ought to show.
    pub fn expected(&self) -> &Board {
        &self.expected
    }

    /// It ought to show this position from now on.
    pub fn orient(&mut self, expected: &Board) {
        self.expected = expected.clone();
        // Found again by the next picture, which need not be new.
        self.wanted = true;
    }

    /// In time trouble?
    pub fn hurry(&mut self, hurry: bool) {
        self.hurry = hurry;
    }

    /// How the board stands at this moment is reported, new or not.
    pub fn look(&mut self, at_ms: u64) {
        self.wanted = true;
        self.wanted_ms = at_ms + SCAN_MS;
    }

    /// The board is there; its picture is not known yet.
    pub fn back(&mut self, at_ms: u64, out: &mut Vec<Seen>) {
        self.present = true;
        self.known = None;
        self.suspect = None;
        self.reported = false;
        self.changed_ms = at_ms;
        self.asked_ms = None;
        out.push(Seen::Back { at_ms });
    }

    /// The board is gone.
    pub fn lost(&mut self, at_ms: u64, why: String, out: &mut Vec<Seen>) {
        self.present = false;
        out.push(Seen::Lost { why, at_ms });
    }

    /// The same pieces are known by other names from now on; none was moved.
    pub fn renamed(&mut self, at_ms: u64, dump: &Dump) {
        if self.known.is_some() {
            self.known = Some(dump.clone());
            self.suspect = None;
            self.changed_ms = at_ms;
            self.asked_ms = None;
            self.reported = false;
        }
    }

    pub fn update(&mut self, at_ms: u64, field: Field, code: Code, out: &mut Vec<Seen>) {
        let Some(known) = &mut self.known else {
            return;
        };
        let before = known.code(field);
        if before == code {
            return;
        }
        known.update(field, code);
        self.suspect = None;
        self.changed(at_ms, out);
        self.lifted(at_ms, field, before, out);
    }

    fn changed(&mut self, at_ms: u64, out: &mut Vec<Seen>) {
        if self.reported {
            out.push(Seen::Moving { at_ms });
        }
        self.changed_ms = at_ms;
        self.asked_ms = None;
        self.reported = false;
    }

    fn lifted(&self, at_ms: u64, field: Field, before: Code, out: &mut Vec<Seen>) {
        if let (Some(_), Some(facing)) = (before.piece(), self.facing) {
            out.push(Seen::Lifted { square: facing.square(field), at_ms });
        }
    }

    pub fn dump(&mut self, at_ms: u64, dump: &Dump, out: &mut Vec<Seen>) {
        let asked = self.asked_ms.take();
        let suspect = self.suspect.take();
        let Some(known) = self.known.clone() else {
            self.known = Some(dump.clone());
            self.changed(at_ms, out);
            return;
        };
        if known != *dump {
            self.changed(at_ms, out);
            if suspect.as_ref() != Some(dump) {
                // The dump may be garbled: wait for another one.
                self.suspect = Some(dump.clone());
                return;
            }
            self.known = suspect;
            for field in Field::all().filter(|field| known.code(*field) != dump.code(*field)) {
                self.lifted(at_ms, field, known.code(field), out);
            }
            return;
        }
        let still = asked.is_some_and(|ms| ms >= self.changed_ms + self.still_ms());
        if !still {
            // The dump is late: requested before the last change.
            return;
        }
        self.confirmed_ms = at_ms;
        let wanted = self.wanted && asked >= Some(self.wanted_ms);
        if !self.reported || wanted {
            self.reported = true;
            self.wanted &= !wanted;
            let facing = self.find_facing(dump);
            let picture = Picture::Pieces(dump.board(facing));
            out.push(Seen::Still { picture, at_ms: self.changed_ms });
        }
    }

    /// The board does not know which way round it lies. The way in which it shows the expected
    /// position is taken. If neither does, the earlier finding stays, or the way with fewer
    /// differences is taken.
    fn find_facing(&mut self, dump: &Dump) -> Facing {
        let wrong = |facing: Facing| {
            let board = dump.board(facing);
            let differ = |square: &shakmaty::Square| {
                board.piece_at(*square) != self.expected.piece_at(*square)
            };
            shakmaty::Square::ALL.iter().filter(|square| differ(square)).count()
        };
        let nearest = |now: Facing| if wrong(now.other()) < wrong(now) { now.other() } else { now };
        let facing = match self.facing {
            Some(facing) if wrong(facing.other()) > 0 => facing,
            Some(facing) => nearest(facing),
            None => nearest(Facing::default()),
        };
        self.facing = Some(facing);
        facing
    }

    fn still_ms(&self) -> u64 {
        if self.hurry { self.settings.hurry_ms } else { self.settings.still_ms }
    }

    /// The moment for the next [`Stillness::advance`].
    pub fn due_ms(&self) -> Option<u64> {
        if !self.present {
            return None;
        }
        Some(match self.asked_ms {
            Some(asked_ms) => asked_ms + PATIENCE_MS,
            None if self.reported && !self.wanted => {
                let still_for_ms = self.confirmed_ms.saturating_sub(self.changed_ms);
                self.confirmed_ms + still_for_ms.clamp(self.still_ms(), self.settings.resync_ms)
            }
            None if self.reported => self.wanted_ms.max(self.changed_ms + self.still_ms()),
            None => self.changed_ms + self.still_ms(),
        })
    }

    /// Whether a dump should be requested now. If so, it counts as requested.
    pub fn advance(&mut self, now_ms: u64) -> bool {
        let due = self.due_ms().is_some_and(|due_ms| due_ms <= now_ms);
        if due {
            self.asked_ms = Some(now_ms);
        }
        due
    }
}
