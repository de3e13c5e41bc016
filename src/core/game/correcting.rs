//! Boards put right after a decision, one thing at a time: said or shown, and checked by the
//! sensors as it is done (D.2.9).

use shakmaty::{Bitboard, Board, Color, Square};

use super::{
    Article, Output, Play, Refused, ShownBoard, Urgency, correction::Correction, seat::SeatBoard,
};
use crate::{
    reconcile::{self, BoardFinding, Correction as Way},
    sensing::PegStep,
};
use annabella_words::phrase::{Command, Note, Prompt, Slot, Utterance, Words};

impl Play {
    pub(super) fn begin_correction(
        &mut self,
        seat: Color,
        finding: &BoardFinding,
        target: &Board,
        before: Board,
        felt: Option<Bitboard>,
    ) {
        if finding.steps.is_empty() {
            return;
        }
        let known = finding.corrections.iter().filter_map(|way| match *way {
            Way::Carry { piece, from, .. } => Some((from, piece)),
            Way::Remove { piece, from } => piece.map(|piece| (from, piece)),
            Way::Set { .. } => None,
        });
        let takes = finding.steps.iter().filter_map(|step| match step {
            PegStep::Take(square, _) => Some(*square),
            PegStep::Put(..) => None,
        });
        let occupied = felt.unwrap_or(before.occupied());
        let unfelt = self.seats[seat].tracker().map_or(Bitboard::EMPTY, |tracker| tracker.blind());
        let correction = Correction {
            target: target.clone(),
            known: known.collect(),
            wrong: takes.collect(),
            occupied,
            unfelt,
            told: None,
            first: false,
            before,
        };
        self.seats[seat].correction = Some(correction);
        self.seats[seat].view.goes_astray(true);
        self.show_correction(seat);
        // A board that is seen may stand otherwise than was reported last.
        let picture = self.seats[seat].judge.as_deref().and_then(|judge| judge.picture()).cloned();
        if let Some(picture) = picture {
            self.correction_shown(seat, &(&picture).into());
        }
    }

    /// A reed of a board that is being put right changed.
    pub(super) fn correction_edge(&mut self, seat: Color, square: Square, occupied: bool) {
        if let Some(correction) = &mut self.seats[seat].correction {
            correction.edge(square, occupied);
        }
        self.correction_went_on(seat);
    }

    /// The whole of it at once, as after a restart.
    pub(super) fn correction_snapshot(&mut self, seat: Color, occupied: Bitboard) {
        if let Some(correction) = &mut self.seats[seat].correction {
            for square in correction.occupied ^ occupied {
                correction.edge(square, occupied.contains(square));
            }
        }
        self.correction_went_on(seat);
    }

    /// A board that knows its pieces looks like this while it is being put right.
    pub(super) fn correction_seen(&mut self, seat: Color, board: &Board) {
        if let Some(correction) = &mut self.seats[seat].correction {
            let seen = reconcile::VisibleBoard::Pieces(board.clone());
            let finding = reconcile::way(&seen, &correction.target);
            correction.occupied = board.occupied();
            correction.wrong = finding
                .steps
                .iter()
                .filter_map(|step| match step {
                    PegStep::Take(square, _) => Some(*square),
                    PegStep::Put(..) => None,
                })
                .collect();
            correction.known = board.clone().into_iter().collect();
            correction.before = board.clone();
        }
        self.correction_went_on(seat);
    }

    /// The same of any board that reports how it stands.
    pub(super) fn correction_shown(&mut self, seat: Color, shown: &ShownBoard) {
        match shown {
            ShownBoard::Pieces(text) => {
                if let Ok(board) = Board::from_ascii_board_fen(text.as_bytes()) {
                    self.correction_seen(seat, &board);
                }
            }
            ShownBoard::Occupied(occupied) => self.correction_snapshot(seat, (*occupied).into()),
        }
    }

    /// Somebody has looked: a board that the program does not see stands right.
    pub(super) fn corrected(&mut self, seat: Color) -> Result<(), Refused> {
        let refused = |text: Note| Err(Refused::new(Article::D_2_9, text));
        if self.seats[seat].correction.is_none() {
            return refused(Note::NothingToCorrect { player: seat });
        }
        if matches!(self.seats[seat].board, SeatBoard::Pegs(_)) {
            return refused(Note::PegsShowThemselves { player: seat });
        }
        self.end_correction(seat);
        Ok(())
    }

    pub(super) fn correction_went_on(&mut self, seat: Color) {
        if self.seats[seat].correction.as_ref().is_some_and(|way| way.steps().is_empty()) {
            self.end_correction(seat);
        } else {
            self.show_correction(seat);
            self.guide_corrections();
        }
    }

    pub(super) fn end_correction(&mut self, seat: Color) {
        if self.seats[seat].correction.is_none() {
            return;
        }
        self.leave_correction(seat);
        // The game has gone on meanwhile, but this board still shows the decided position.
        let shown = self.seats[seat].shown.len();
        let position = self.line.positions().get(shown).unwrap_or(self.position()).clone();
        if let Some(tracker) = self.seats[seat].tracker_mut() {
            tracker.set_position(position);
        }
        self.mouth.emit(Output::Correct { seat, steps: Vec::new() });
        self.await_copies();
        self.guide_corrections();
        self.goes_on_at_home();
    }

    /// Ends the correction of a board. Changes during it were no moves.
    pub(super) fn leave_correction(&mut self, seat: Color) {
        let at_ms = self.at.ms;
        let place = &mut self.seats[seat];
        let Some(correction) = place.correction.take() else { return };
        place.view.goes_astray(false);
        if let Some(tracker) = place.tracker_mut() {
            let felt = correction.occupied & !correction.unfelt;
            let occupied = felt | (tracker.occupied() & correction.unfelt);
            tracker.snapshot(at_ms, occupied, &mut Vec::new());
        }
    }

    /// Nothing on a board that is being corrected is a move: it may still show the one that was
    /// taken back.
    pub(super) fn refuse_uncorrected(&self, seat: Color) -> Result<(), Refused> {
        if self.seats[seat].correction.is_none() {
            return Ok(());
        }
        Err(Refused::new(Article::D_2_9, Note::BeingCorrected { player: seat }))
    }

    /// A player whose board is not corrected yet after a decision; a board that sees comes first.
    pub(super) fn uncorrected(&self) -> Option<Color> {
        let open = |color: &Color| self.seats[*color].correction.is_some();
        let seen = |color: &Color| open(color) && self.seats[*color].has_board();
        Color::ALL.into_iter().find(seen).or_else(|| Color::ALL.into_iter().find(open))
    }

    /// The next step for the board before `seat`, in words.
    pub(super) fn next_on_board(&self, seat: Color) -> Option<Utterance> {
        let place = &self.seats[seat];
        let step = match &place.correction {
            Some(correction) => correction.steps().first().copied()?,
            None => place.tracker()?.next_step()?,
        };
        let words = step_in_words(&self.terms.words, step);
        Some(if place.correction.is_some() { self.then_said(seat, words) } else { words })
    }

    /// The same, with the word that a player says who has no sensors, once the step is done.
    fn then_said(&self, seat: Color, step: Utterance) -> Utterance {
        if !self.seats[seat].is_said() {
            return step;
        }
        let phrase = self.terms.words.prompts().first_phrase(Command::Done);
        let slot = Slot::Text(phrase.unwrap_or_default());
        Utterance::joined([step, self.terms.words.prompt(Prompt::SayWhenDone, &[slot])])
    }

    /// The steps that are open are told again, as after a stop of the service. A board that shows
    /// what was done meanwhile does so first.
    pub(super) fn guide_again(&mut self) {
        for seat in Color::ALL {
            if let Some(correction) = &mut self.seats[seat].correction {
                correction.told = None;
            }
            if self.seats[seat].is_said() {
                self.guide_correction(seat);
            }
        }
    }

    /// All that is left to do, for those who see.
    fn show_correction(&mut self, seat: Color) {
        if let Some(correction) = &self.seats[seat].correction {
            let steps = correction.steps().into_iter().map(|step| correction.shown(step));
            let steps = steps.collect();
            self.mouth.emit(Output::Correct { seat, steps });
        }
    }

    /// The next step, in the ear of each player whose pegs are put right.
    pub(super) fn guide_corrections(&mut self) {
        for seat in Color::ALL {
            let place = &self.seats[seat];
            let guided = place.tracker().is_some() || place.is_said() || self.is_first_guided(seat);
            if guided && self.seats[seat].correction.is_some() {
                self.guide_correction(seat);
            }
        }
    }

    fn guide_correction(&mut self, seat: Color) {
        let mut steps = Vec::new();
        let mut begins = false;
        if let Some(correction) = &mut self.seats[seat].correction {
            begins = correction.told.is_none();
            for step in correction.steps() {
                let (PegStep::Take(square, _) | PegStep::Put(square, _)) = step;
                if correction.unfelt.contains(square) {
                    correction.set(square, matches!(step, PegStep::Put(..)));
                    steps.push(step);
                    continue;
                }
                if correction.told != Some(step) {
                    correction.told = Some(step);
                    steps.push(step);
                }
                break;
            }
        }
        for step in steps {
            let words = step_in_words(&self.terms.words, step);
            let words = if begins { self.then_said(seat, words) } else { words };
            let words = self.for_player(seat, words);
            self.say_to(seat, Urgency::Answer, words);
        }
        if self.seats[seat].correction.as_ref().is_some_and(|way| way.steps().is_empty()) {
            self.end_correction(seat);
        }
    }
}

/// A step with its piece, as far as that is known.
pub(super) fn step_in_words(words: &Words, step: PegStep) -> Utterance {
    match step {
        PegStep::Take(square, Some(piece)) => {
            words.prompt(Prompt::Take, &[Slot::ColoredPiece(piece), Slot::Square(square)])
        }
        PegStep::Take(square, None) => words.prompt(Prompt::TakeUnknown, &[Slot::Square(square)]),
        PegStep::Put(square, piece) => {
            words.prompt(Prompt::Put, &[Slot::ColoredPiece(piece), Slot::Square(square)])
        }
    }
}
