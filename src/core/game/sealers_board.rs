//! The peg board of a player who seals. What stood wrong on it when he was invited is put right
//! first, as in the game, which sees that and nothing else (I.1.1, 7.5.1, D.2.9).

use shakmaty::{Bitboard, Chess, Color, Square};

use super::{Input, Play, correction::Correction};
use crate::sensing::{Edge, Felt, PegStep, Tracker};

/// The fate of what a reed told.
pub(super) enum Told {
    Kept,
    /// It puts the board right, and tells nothing of the move.
    Passed,
    /// The board stands right again: the game learns that.
    Right(Input),
}

/// What stood wrong when he was invited.
enum Wrong {
    Nothing,
    /// His hands were led back to the position of the game.
    Led,
    /// The arbiter had decided from which position the game goes on. The steps left, and that
    /// position.
    Decided(Box<(Correction, Chess)>),
}

impl Play {
    /// Hands are putting right what stood wrong on this peg board. Led to a move that is announced
    /// they are not.
    pub(super) fn is_put_right(&self, seat: Color) -> bool {
        let led = |pegs: &Tracker| pegs.is_guided() && pegs.announced().is_none();
        self.seats[seat].correction.is_some() || self.seats[seat].tracker().is_some_and(led)
    }
}

/// The board on which the moves of whoever seals are executed.
pub(super) struct SealersBoard {
    seat: Color,
    tracker: Box<Tracker>,
    occupied: Bitboard,
    wrong: Wrong,
}

impl SealersBoard {
    /// `None`: no peg board shows his moves.
    pub(super) fn of(play: &Play, sealer: Color) -> Option<SealersBoard> {
        let seat = play.origin(sealer);
        let place = &play.seats[seat];
        let tracker = Box::new(place.tracker()?.clone());
        let (wrong, occupied) = match &place.correction {
            Some(correction) => {
                let shown = play.line.positions().get(place.shown.len());
                let position = shown.unwrap_or(play.position()).clone();
                let occupied = correction.occupied();
                (Wrong::Decided(Box::new((correction.clone(), position))), occupied)
            }
            None if play.is_put_right(seat) => (Wrong::Led, tracker.occupied()),
            None => (Wrong::Nothing, tracker.occupied()),
        };
        Some(SealersBoard { seat, tracker, occupied, wrong })
    }

    pub(super) fn seat(&self) -> Color {
        self.seat
    }

    pub(super) fn tracker(&self) -> &Tracker {
        &self.tracker
    }

    pub(super) fn whole(&self) -> Input {
        Input::Board { seat: self.seat, occupied: self.occupied.into() }
    }

    pub(super) fn due_ms(&self) -> Option<u64> {
        let decided = matches!(self.wrong, Wrong::Decided(_));
        self.tracker.due_ms().filter(|_| !decided)
    }

    /// While a decision is carried out on it nothing that rests on it is a move.
    pub(super) fn advance(&mut self, now_ms: u64, felt: &mut Vec<Felt>) {
        if !matches!(self.wrong, Wrong::Decided(_)) {
            self.tracker.advance(now_ms, felt);
        }
    }

    /// Whose hands are led back where the way tells nothing of the move that is sealed: after an
    /// illegal one (7.5.1).
    pub(super) fn led_back_of(&self) -> Option<Color> {
        let restores = matches!(self.wrong, Wrong::Led) && self.tracker.must_be_restored();
        restores.then_some(self.seat)
    }

    /// A whole reading. Where a decision is carried out the game sees it once it stands right:
    /// before that it may show the move.
    pub(super) fn snapshot(
        &mut self,
        at_ms: u64,
        occupied: Bitboard,
        felt: &mut Vec<Felt>,
    ) -> Told {
        self.occupied = occupied;
        let Wrong::Decided(decided) = &mut self.wrong else {
            self.tracker.snapshot(at_ms, occupied, felt);
            return self.led_back();
        };
        let (correction, _) = decided.as_mut();
        let wrong = (correction.target.occupied() ^ occupied) & !correction.unfelt;
        if wrong.any() {
            return Told::Kept;
        }
        for square in correction.occupied() ^ occupied {
            correction.edge(square, occupied.contains(square));
        }
        self.carried_out(at_ms);
        Told::Passed
    }

    pub(super) fn edge(&mut self, edge: Edge, felt: &mut Vec<Felt>) -> Told {
        let Edge { at_ms, square, occupied } = edge;
        self.occupied.set(square, occupied);
        let Wrong::Decided(decided) = &mut self.wrong else {
            self.tracker.edge(edge, felt);
            return self.led_back();
        };
        let (correction, _) = decided.as_mut();
        if !correction.steps().into_iter().any(|step| place(step) == square) {
            return Told::Kept;
        }
        correction.edge(square, occupied);
        self.carried_out(at_ms);
        Told::Passed
    }

    /// When no step is left that can be seen, the board tells moves.
    fn carried_out(&mut self, at_ms: u64) {
        let Wrong::Decided(decided) = &self.wrong else { return };
        let (correction, position) = decided.as_ref();
        let unfelt = correction.unfelt;
        if correction.steps().into_iter().all(|step| unfelt.contains(place(step))) {
            let occupied = (self.occupied & !unfelt) | (self.tracker.occupied() & unfelt);
            self.tracker.snapshot(at_ms, occupied, &mut Vec::new());
            self.tracker.set_position(position.clone());
            self.wrong = Wrong::Nothing;
        }
    }

    /// The hands have led it back, so that the game may see how it stands.
    fn led_back(&mut self) -> Told {
        if !matches!(self.wrong, Wrong::Led) || !self.tracker.diff().is_empty() {
            return Told::Kept;
        }
        self.wrong = Wrong::Nothing;
        Told::Right(self.whole())
    }
}

fn place(step: PegStep) -> Square {
    let (PegStep::Take(square, _) | PegStep::Put(square, _)) = step;
    square
}
