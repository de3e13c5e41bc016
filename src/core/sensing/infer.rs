//! From debounced edges to moves.
//!
//! [`Tracker`] follows one peg board. It knows the position that the board last showed for certain,
//! and everything seen since. When the board has been still for the settle time it decides. If
//! exactly one legal move fits, the move is executed. If several fit, the player is asked. If none
//! fits, the tracker waits, and guides the hands back when a peg stands where no legal move would
//! put it.
//!
//! # A lift is never a move
//!
//! The occupancy after lifting a piece equals that after many of its captures. A move counts only
//! when the trail shows that every hole it empties was empty, and a captured square was filled
//! after the capturing piece had left.
//!
//! # An executed move is not made
//!
//! Until the move is made (D.2.3) or its clock pressed, the player may correct the board: a peg in
//! the wrong hole, a rook moved before the king. So the positions before the last moves are kept
//! open. A better reading replaces the moves ([`Executed::revises`], [`Felt::TakenBack`]) until
//! [`Tracker::close`].
//!
//! # The board is compared as a whole
//!
//! The board is compared with every position that can be meant now: the position, the position with
//! the announced move, those before the open moves, and those with the moves announced there.
//! Wherever the hands have gone in between, the right board is the right board.

mod announced;
mod faults;
mod guide;
mod open;
mod press;
mod revise;
mod still;
mod touched;

use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use crate::laws::identity;

use super::{Diff, Edge, Executed, Felt, PegStep, SettleSettings, ShapeTable, Trail};

use announced::Told;
use open::Previous;
use still::Patience;

/// A peg board with this many holes empty that should be full is being cleared or set up.
const CLEARING: usize = 6;

/// Follows one peg board from position to position.
#[derive(Clone, Debug, PartialEq)]
pub struct Tracker {
    settings: SettleSettings,
    position: Chess,
    table: ShapeTable,
    /// Open until the last move is made: see the module's text.
    previous: Option<Previous>,
    /// The move that was taken back last, and what was seen since it had been accepted.
    taken_back: Option<(Move, Trail)>,
    occupied: Bitboard,
    /// Something was read already; the first whole reading is how the board stands.
    read_before: bool,
    /// Since the board last showed the position in full.
    trail: Trail,
    /// Since the position was accepted; decides only when `trail` cannot.
    whole_trail: Trail,
    /// Reeds that are not looked at.
    blind: Bitboard,
    /// Blamed holes with the evidence of one move only; nothing was reported yet.
    unsure: Bitboard,
    /// Blamed holes whose evidence is the move that is being accepted.
    newly_unsure: Bitboard,
    touched: Vec<Square>,
    /// Its player has the move already, though the opponent's is not executed here yet.
    on_move: bool,
    /// Pieces of his that he touched since then.
    touched_ahead: Bitboard,
    /// Somebody has stopped the clocks: no lift is a touch.
    stopped: bool,
    /// Holes that were empty together since the board was whole: see `touched.rs`.
    together: Vec<Bitboard>,
    adjusting: bool,
    /// A piece was lifted since adjusting was announced.
    adjusted: bool,
    changed_ms: u64,
    /// For which rest the present picture has been judged.
    judged_ms: Option<u64>,
    /// Positions that have stood four times.
    repeated: Vec<u128>,
    announced: Option<Move>,
    /// When that was said first.
    announced_ms: u64,
    told: Option<Told>,
    /// A move that ends the game has been on the board for the settle time, and is waited for.
    ending: Option<Move>,
    /// Its player corrects himself: nothing that he has not said ends the game.
    end_held: bool,
    asked: Vec<Move>,
    /// A capture that the board showed when the opponent took up a piece, before it was still.
    early: Option<Move>,
    pressed: Option<(Color, u64)>,
    /// Pressed while a question was open: completed as soon as it is answered.
    press_waits: Option<Color>,
    /// Pieces of the opponent that were off the board when the clock was pressed: perhaps in his
    /// hand, or else displaced.
    left_off: Bitboard,
    /// An illegal move was completed: first back to the position before it (7.5.1).
    must_restore: bool,
    guided: Option<PegStep>,
    clearing: bool,
}

/// The same pieces stand, and the same player is to move.
fn looks_like(one: &Chess, other: &Chess) -> bool {
    one.board() == other.board() && one.turn() == other.turn()
}

impl Tracker {
    /// A board that shows `position`.
    pub fn new(position: Chess, settings: SettleSettings) -> Tracker {
        let table = ShapeTable::new(&position);
        let occupied = position.board().occupied();
        Tracker {
            settings,
            position,
            table,
            previous: None,
            taken_back: None,
            occupied,
            read_before: false,
            trail: Trail::default(),
            whole_trail: Trail::default(),
            blind: Bitboard::EMPTY,
            unsure: Bitboard::EMPTY,
            newly_unsure: Bitboard::EMPTY,
            touched: Vec::new(),
            on_move: false,
            touched_ahead: Bitboard::EMPTY,
            stopped: false,
            together: Vec::new(),
            adjusting: false,
            adjusted: false,
            changed_ms: 0,
            judged_ms: Some(u64::MAX),
            repeated: Vec::new(),
            announced: None,
            announced_ms: 0,
            told: None,
            ending: None,
            end_held: false,
            asked: Vec::new(),
            early: None,
            pressed: None,
            press_waits: None,
            left_off: Bitboard::EMPTY,
            must_restore: false,
            guided: None,
            clearing: false,
        }
    }

    /// The position that the board last showed for certain.
    pub fn position(&self) -> &Chess {
        &self.position
    }

    /// The position before the last executed move, while that may still be corrected.
    pub fn previous_position(&self) -> Option<&Chess> {
        self.previous.as_ref().map(|previous| &previous.position)
    }

    /// The last executed move, while it may still be corrected.
    pub fn executed(&self) -> Option<Move> {
        self.previous.as_ref().map(|previous| previous.mv)
    }

    /// Which holes are filled, as last read.
    pub fn occupied(&self) -> Bitboard {
        self.occupied
    }

    /// Positions that have stood four times: with the fifth the game is drawn (9.6.1).
    pub fn set_repeated(&mut self, positions: &[u128]) {
        if self.repeated != positions {
            self.repeated = positions.to_vec();
        }
    }

    fn ends_by_repetition(&self, after: &Chess) -> bool {
        !self.repeated.is_empty() && self.repeated.contains(&identity(after))
    }

    /// Something was read of the board already.
    pub fn was_read(&self) -> bool {
        self.read_before
    }

    /// So many pegs are off that it is being cleared or set up.
    pub fn is_clearing(&self) -> bool {
        self.clearing
    }

    /// Whatever these reeds say, the board stands right: they are broken.
    pub fn overlook(&mut self, reeds: Bitboard) {
        self.blind |= reeds;
        self.judged_ms = None;
    }

    /// The pieces in the player's hand, where nothing else differs and a move of his begins so;
    /// otherwise none.
    pub fn held_for_move(&self) -> Bitboard {
        let Diff { missing, extra, .. } = self.diff();
        let begins = |shape: &super::Shape| missing.is_subset(shape.emptied);
        let free =
            extra.is_empty() && self.announced.is_none() && !self.adjusting && !self.clearing;
        let held = free && self.table.shapes().iter().any(begins);
        if held { missing } else { Bitboard::EMPTY }
    }

    /// When something on the board last changed, milliseconds.
    pub fn changed_ms(&self) -> u64 {
        self.changed_ms
    }

    /// Holes whose reeds are known to be broken.
    pub fn blind(&self) -> Bitboard {
        self.blind
    }

    /// A move that ends the game, unless the hands go on. It has been on the board for the settle
    /// time, and counts as executed after [`SettleSettings::ending_ms`] or at the press. No flag
    /// falls meanwhile (5.1.1, 6.9).
    pub fn ending(&self) -> Option<Move> {
        self.ending.filter(|_| !self.end_held)
    }

    /// Whether a move that ends the game waits for its player's word or his press.
    pub fn hold_end(&mut self, held: bool) {
        if std::mem::replace(&mut self.end_held, held) != held {
            self.judged_ms = None;
        }
    }

    /// Squares touched on this turn, in order.
    pub fn touched(&self) -> &[Square] {
        &self.touched
    }

    /// Its player is being guided back step by step.
    pub fn is_guided(&self) -> bool {
        self.guided.is_some()
    }

    /// An illegal move was completed on it, and it was not put right yet (7.5.1).
    pub fn must_be_restored(&self) -> bool {
        self.must_restore
    }

    /// The difference from the position, broken reeds overlooked.
    pub fn diff(&self) -> Diff {
        Diff::new(self.occupied, self.position.board().occupied(), self.blind)
    }

    /// The last move is made: from here on it cannot be corrected by the hands.
    pub fn close(&mut self) {
        self.previous = None;
    }

    /// The same when this position is made. What the hands did on top of it stays open.
    pub fn close_at(&mut self, made: &Chess) {
        let mut open = self.previous.as_mut().filter(|_| !looks_like(&self.position, made));
        while let Some(previous) = open {
            if looks_like(&previous.position, made) {
                previous.older = None;
                return;
            }
            open = previous.older.as_deref_mut();
        }
        self.close();
    }

    /// Replaces the board's position: a correction by the arbiter, or a new game. The readings of
    /// the reeds stay, and differences will be guided.
    pub fn set_position(&mut self, position: Chess) {
        let mut fresh = Tracker::new(position, self.settings);
        fresh.occupied = self.occupied;
        fresh.read_before = self.read_before;
        fresh.blind = self.blind;
        fresh.repeated = std::mem::take(&mut self.repeated);
        fresh.unsure = self.unsure;
        fresh.changed_ms = self.changed_ms;
        fresh.judged_ms = None;
        fresh.clearing = fresh.diff().missing.count() >= CLEARING;
        *self = fresh;
    }

    /// Takes in one debounced edge. Call [`Tracker::advance`] with the edge's time first.
    pub fn edge(&mut self, edge: Edge, felt: &mut Vec<Felt>) {
        let Edge { at_ms, square, occupied } = edge;
        if self.occupied.contains(square) == occupied {
            return;
        }
        self.read_before = true;
        if !occupied {
            self.settle_before_reply(square, at_ms, felt);
            self.adjusts_no_more(at_ms.saturating_sub(self.changed_ms));
        }
        self.occupied.set(square, occupied);
        self.left_off.discard(square);
        self.trail.record(square, occupied, at_ms);
        self.whole_trail.record(square, occupied, at_ms);
        self.changed_ms = self.changed_ms.max(at_ms);
        self.judged_ms = None;
        self.ending = None;
        self.alive(square, at_ms, felt);
        let missing = self.diff().missing;
        if missing.count() >= CLEARING {
            self.clearing = true;
        }
        if !occupied {
            self.lifted(square, at_ms, felt);
            self.off_together(missing);
        }
        if !self.clearing && self.diff().is_empty() && !self.announced_looks_alike() {
            // All pegs stand again: the lifted ones went back.
            self.trail.clear();
            self.asked.clear();
            self.set_up_again();
            // The piece just moved, set right in its hole: rather its owner's hand than a touch.
            if self.previous.as_ref().is_some_and(|p| self.touched == [p.to]) {
                self.touched.clear();
            }
        }
    }

    /// The opponent takes up a piece before the board has been still for the settle time: if the
    /// board shows exactly one move, that one was executed.
    fn settle_before_reply(&mut self, square: Square, at_ms: u64, felt: &mut Vec<Felt>) {
        let theirs = self.position.board().color_at(square) == Some(!self.position.turn());
        if !theirs || self.clearing || self.judged_ms.is_some() || self.diff().is_empty() {
            return;
        }
        let only = {
            let mut fitting = self.table.candidates(self.occupied, &self.trail, self.blind);
            match (fitting.next(), fitting.next()) {
                (Some(shape), None) => Some(*shape),
                _ => None,
            }
        };
        match only {
            // This may be a capture, or a piece on its way to another capture: the reply decides.
            Some(shape) if shape.captured.is_some() => self.early = Some(shape.mv),
            // After a move that ends the game there is no reply.
            Some(shape) if self.ends_game(&self.position, shape.mv) => {}
            Some(shape) => self.accept(shape.mv, at_ms, false, felt),
            None => {}
        }
    }

    /// The announced move changes nothing that can be seen, because of broken reeds.
    fn announced_looks_alike(&self) -> bool {
        let shape = self.announced.and_then(|mv| self.table.shape(mv));
        let here = self.position.board().occupied();
        shape.is_some_and(|shape| ((shape.after ^ here) & !self.blind).is_empty())
    }

    /// Takes in the whole board at once. On a board on which nothing has happened yet this is how
    /// it stands; later, differences count as edges at this moment.
    pub fn snapshot(&mut self, at_ms: u64, occupied: Bitboard, felt: &mut Vec<Felt>) {
        if !std::mem::replace(&mut self.read_before, true) {
            self.occupied = occupied;
            self.changed_ms = at_ms;
            self.judged_ms = None;
            let missing = self.diff().missing;
            self.clearing = missing.count() >= CLEARING;
            if !self.clearing {
                // A piece that was in the hand already may still be played.
                for square in missing {
                    self.trail.record(square, false, at_ms);
                    self.whole_trail.record(square, false, at_ms);
                }
            }
            return;
        }
        // Lifts first: a peg leaves its hole before it enters another.
        let (gone, come) = (self.occupied & !occupied, occupied & !self.occupied);
        for (squares, occupied) in [(gone, false), (come, true)] {
            for square in squares {
                self.edge(Edge { at_ms, square, occupied }, felt);
            }
        }
    }

    /// The board has been still: finds the move.
    fn settle(&mut self, at_ms: u64, patience: Patience, felt: &mut Vec<Felt>) {
        if self.clearing {
            self.settle_clearing(at_ms, felt);
            return;
        }
        if let Some(mv) = self.announced
            && self.shows_announced(mv)
        {
            self.accept(mv, at_ms, !self.blind.is_empty(), felt);
            return;
        }
        let whole = self.diff().is_empty();
        if whole && self.redo_capture(at_ms, patience, felt)
            || self.show_announced_before(at_ms, felt)
        {
            return;
        }
        if whole {
            self.whole(at_ms, felt);
            return;
        }
        let fitting: Vec<Move> = self
            .table
            .candidates(self.occupied, &self.trail, self.blind)
            .map(|shape| shape.mv)
            .collect();
        match fitting.as_slice() {
            [] => {
                let set_first: Vec<Move> = self
                    .table
                    .set_first(self.occupied, &self.whole_trail, self.blind)
                    .map(|shape| shape.mv)
                    .collect();
                if set_first.is_empty() {
                    self.settle_unfitting(at_ms, patience, felt);
                } else {
                    self.ask_of(set_first, at_ms, felt);
                }
            }
            [mv] => {
                let mv = *mv;
                if patience.lasts(self.rest_ms(mv)) {
                    self.accept(mv, at_ms, false, felt);
                } else {
                    self.ending = Some(mv).filter(|mv| self.ends_game(&self.position, *mv));
                    let rested = patience.lasts(self.settings.ending_ms);
                    if self.ending.is_some() && self.asks_before_end(mv) && rested {
                        self.ask_of(vec![mv], at_ms, felt);
                    }
                }
            }
            _ => self.ask_of(fitting, at_ms, felt),
        }
    }

    /// Several moves fit. Where another one is announced, the hands are guided to that.
    fn ask_of(&mut self, moves: Vec<Move>, at_ms: u64, felt: &mut Vec<Felt>) {
        match self.announced {
            Some(mv) if !moves.contains(&mv) => self.guide(at_ms, felt),
            _ => self.ask(moves, at_ms, felt),
        }
    }

    fn shows_announced(&self, mv: Move) -> bool {
        let (trail, whole) = (&self.trail, &self.whole_trail);
        self.table.fits_announced(mv, self.occupied, trail, whole, self.blind)
    }

    fn ask(&mut self, moves: Vec<Move>, at_ms: u64, felt: &mut Vec<Felt>) {
        if self.asked != moves {
            self.asked.clone_from(&moves);
            felt.push(Felt::Which { moves, at_ms });
        }
    }

    /// The board shows its position.
    fn whole(&mut self, at_ms: u64, felt: &mut Vec<Felt>) {
        self.must_restore = false;
        if self.guided.take().is_some() {
            felt.push(Felt::Restored { at_ms });
        }
    }

    /// No legal move of the position fits. The last move corrected? A broken reed? The game going
    /// on from a move that is still in question?
    fn settle_unfitting(&mut self, at_ms: u64, patience: Patience, felt: &mut Vec<Felt>) {
        if self.revise(at_ms, patience, felt)
            || self.restore_replaced(at_ms, felt)
            || self.restore_taken_back(at_ms, felt)
            || self.revise_older(at_ms, felt)
            || self.take_back_to_older(at_ms, felt)
            || self.accept_over_stray(at_ms, patience, felt)
            || self.accept_from_reply(at_ms, felt)
        {
            return;
        }
        // Guidance that is under way goes on step by step.
        if self.guided.is_some() {
            self.guide(at_ms, felt);
        }
    }

    fn accept(&mut self, mv: Move, at_ms: u64, by_announcement: bool, felt: &mut Vec<Felt>) {
        let Some(shape) = self.table.shape(mv).copied() else {
            return;
        };
        self.forget_knocked(shape.emptied);
        let ahead = self.take_touched_ahead();
        let trail = &self.trail;
        let placed_ms = shape.landing.into_iter().map(|sq| trail.filled_ms(sq)).max();
        felt.push(Felt::Executed(Executed {
            mv,
            at_ms,
            captured_ms: shape.captured.map(|sq| trail.emptied_ms(sq)),
            placed_ms: placed_ms.filter(|ms| *ms > 0).unwrap_or(at_ms),
            touched: self.touched.clone(),
            revises: None,
            by_announcement,
        }));
        let color = self.position.turn();
        let mut position = self.position.clone();
        position.play_unchecked(mv);
        let table = ShapeTable::new(&position);
        let previous = Previous {
            position: std::mem::replace(&mut self.position, position),
            table: std::mem::replace(&mut self.table, table),
            trail: std::mem::take(&mut self.trail),
            touched: std::mem::replace(&mut self.touched, ahead),
            mv,
            to: shape.to,
            said: self.announced.take(),
            replaced: None,
            older: None,
        };
        self.keep_open(previous);
        self.whole_trail.clear();
        self.taken_back = None;
        self.early = None;
        self.asked.clear();
        self.guided = None;
        self.must_restore = false;
        self.told = None;
        self.ending = None;
        self.end_held = false;
        self.together.clear();
        self.end_adjusting();
        self.blame_unsure(at_ms, felt);
        if self.press_waits.take() == Some(color) {
            felt.push(Felt::Pressed { color, at_ms });
        }
    }
}
