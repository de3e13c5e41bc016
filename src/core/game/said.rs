//! Takes players' words into the game.

use shakmaty::{Chess, Color, Move, Position, Role};

use super::{
    Play, Refused, Urgency,
    dialogue::Question,
    felt::{one_pawn, only},
    turn::alike,
};
use crate::{
    laws::Article,
    notation::{self, InForce, NotationError},
};
use annabella_words::phrase::{
    Command, Note, Prompt, Slot, Spoken, SpokenForm, Understood, Utterance, Words, hear::Answer,
    understand_typed,
};

/// Reads words of the packs, or a typed move in any notation of Appendix C.
pub(super) fn read(words: &Words, position: &Chess, text: &str) -> Understood {
    match plainly(words, position, text) {
        Understood::NotHeard => {
            let rest = words.after_lead(text).map(|rest| plainly(words, position, rest));
            rest.filter(tells_move).unwrap_or(Understood::NotHeard)
        }
        understood => understood,
    }
}

fn tells_move(understood: &Understood) -> bool {
    matches!(understood, Understood::Move(_) | Understood::Ambiguous(_) | Understood::Illegal(_))
}

/// The same without the words with which moves are told.
fn plainly(words: &Words, position: &Chess, text: &str) -> Understood {
    let in_force = InForce::of(words);
    let written = |text: &str| match in_force.read_typed(position, text) {
        Ok(read) => Understood::Move(read.mv),
        Err(NotationError::Ambiguous { moves, .. }) => Understood::Ambiguous(moves),
        Err(NotationError::Illegal { text, .. }) => {
            in_force.spoken(position, &text).map_or(Understood::NotHeard, Understood::Illegal)
        }
        Err(_) => Understood::NotHeard,
    };
    match understand_typed(words, position, text) {
        Understood::NotHeard => written(text),
        Understood::Correction(inner) if *inner == Understood::NotHeard => {
            let corrected = words.after_correction(text).map(|rest| read(words, position, rest));
            let corrected = corrected.filter(tells_move).unwrap_or(Understood::NotHeard);
            Understood::Correction(Box::new(corrected))
        }
        understood => understood,
    }
}

/// What may be a move, and is not plainly one: in the letters of another language, in capitals that
/// can be read in two ways, or with a piece's name that is misspelt. To be asked, never made.
fn perhaps(words: &Words, position: &Chess, text: &str) -> Understood {
    let text = words.after_lead(text).unwrap_or(text);
    let typed = InForce::of(words).read_typed(position, text);
    if let Err(NotationError::OtherLetters { mv, .. }) = typed {
        return Understood::Move(mv);
    }
    let spelt = words.with_piece_spelt(text).map(|text| plainly(words, position, &text));
    spelt.filter(tells_move).unwrap_or(Understood::NotHeard)
}

/// A typed move in the letters and words that are in force at this board.
pub(super) fn in_force(
    words: &Words,
    position: &Chess,
    text: &str,
) -> Result<notation::Read, NotationError> {
    InForce::of(words).read(position, text)
}

impl Play {
    /// Somebody said something; hypotheses best first. Without a seat a move is the player's to
    /// move, and a request comes from the blind player.
    pub(super) fn said(&mut self, seat: Option<Color>, heard: &[String]) -> Result<(), Refused> {
        if let Some(answered) = self.score_said(seat, heard) {
            return answered;
        }
        for text in heard {
            let here = self.position().clone();
            if let Some((text, inner)) = self.completes_correction(&here, text) {
                self.correction(seat, &text, &here, inner)?;
                self.dialogue.correcting = false;
                return Ok(());
            }
            match read(&self.terms.words, &here, text) {
                Understood::NotHeard => {
                    if self.about_last(seat, text) {
                        return Ok(());
                    }
                    match perhaps(&self.terms.words, &here, text) {
                        Understood::Move(mv) => {
                            self.may_announce(seat)?;
                            self.ask_whether(mv, self.line.len(), None);
                            return Ok(());
                        }
                        Understood::NotHeard => {}
                        several_or_none => return self.understood(seat, &here, several_or_none),
                    }
                }
                Understood::Illegal(spoken) => {
                    if !self.about_last(seat, text) {
                        self.not_possible(seat, &spoken);
                    }
                    return Ok(());
                }
                Understood::Correction(inner) => {
                    return self.correction(seat, text, &here, *inner);
                }
                understood => {
                    let other = seat.is_some_and(|seat| seat != self.mover());
                    if other && self.about_last(seat, text) {
                        return Ok(());
                    }
                    if let Understood::Move(mv) = understood
                        && self.may_repeat(seat, mv)
                        && self.reads_as_last(text)
                    {
                        self.repeated(seat);
                        self.line.turn.perhaps = Some(mv);
                        return Ok(());
                    }
                    return self.understood(seat, &here, understood);
                }
            }
        }
        self.offers_nearest(seat, heard.first().map_or("", String::as_str));
        Ok(())
    }

    /// "Korrektur" stood alone, and this is the move that was meant (D.2.8).
    fn completes_correction(&self, here: &Chess, text: &str) -> Option<(String, Understood)> {
        if !self.dialogue.correcting {
            return None;
        }
        let text =
            format!("{} {text}", self.terms.words.prompts().first_phrase(Command::Correction)?);
        let meant = |position: &Chess| match read(&self.terms.words, position, &text) {
            Understood::Correction(inner) => {
                Some(*inner).filter(|inner| *inner != Understood::NotHeard)
            }
            _ => None,
        };
        let last = self.line.len().checked_sub(1).map(|ply| &self.line.positions()[ply]);
        let inner = meant(here).or_else(|| last.and_then(meant))?;
        Some((text, inner))
    }

    /// What was not understood is answered with the question that is nearest to it, where one is
    /// near and none stands. The next guess takes the place of the last one.
    fn offers_nearest(&mut self, seat: Option<Color>, text: &str) {
        self.dialogue.drop_guess();
        let free = self.dialogue.question().is_none() && self.line.turn.unclear.is_empty();
        let near = self.terms.words.nearest_question(text).filter(|_| free);
        let listener = self.listener(seat);
        match near.filter(|command| self.may_be_informed(listener, *command).is_ok()) {
            Some(command) => self.ask(listener, Question::Request(command)),
            None => self.not_heard(seat),
        }
    }

    fn not_heard(&mut self, seat: Option<Color>) {
        self.tell(self.listener(seat), Urgency::Answer, Prompt::NotHeard, &[]);
    }

    pub(super) fn not_possible(&mut self, seat: Option<Color>, spoken: &Spoken) {
        self.dialogue.drop_guess();
        self.line.turn.impossible |= seat.is_none_or(|seat| seat == self.mover());
        self.tell(
            self.listener(seat),
            Urgency::Alert,
            Prompt::IllegalSpoken,
            &[Slot::Spoken(&spoken.text)],
        );
    }

    fn understood(
        &mut self,
        seat: Option<Color>,
        here: &Chess,
        understood: Understood,
    ) -> Result<(), Refused> {
        match understood {
            Understood::Move(mv) if self.names_claimed(seat, &[mv])? => {}
            Understood::Ambiguous(moves) if self.names_claimed(seat, &moves)? => {}
            Understood::Move(mv) => {
                self.may_announce(seat)?;
                self.announced(mv);
            }
            Understood::Ambiguous(moves) => {
                self.may_announce(seat)?;
                self.ambiguous(seat, here, moves);
            }
            Understood::Piece(role) => {
                self.may_announce(seat)?;
                self.names_piece(seat, role);
            }
            Understood::Illegal(spoken) => self.not_possible(seat, &spoken),
            Understood::Command(command) => self.command(seat, command)?,
            Understood::Claim { claim, intended } => match *intended {
                Understood::Move(mv) => {
                    self.wishes(seat, claim, Some(mv))?;
                }
                Understood::Ambiguous(moves) => self.claims_one_of(seat, claim, &moves)?,
                Understood::Illegal(spoken) => self.not_possible(seat, &spoken),
                _ => self.not_heard(seat),
            },
            Understood::Correction(_) | Understood::NotHeard => self.not_heard(seat),
        }
        Ok(())
    }

    /// A request or an answer. A guess waits for an answer, and may be heard again.
    pub(super) fn command(&mut self, seat: Option<Color>, command: Command) -> Result<(), Refused> {
        match command {
            Command::Yes | Command::No | Command::Choice(_) | Command::Cancel | Command::Repeat => {
                self.carries_out(seat, command)
            }
            other => self.without_guess(|play| play.carries_out(seat, other)),
        }
    }

    fn carries_out(&mut self, seat: Option<Color>, command: Command) -> Result<(), Refused> {
        match command {
            Command::Yes => self.answer(seat, Answer::Yes, true),
            Command::No => self.answer(seat, Answer::No, true),
            Command::Choice(n) => self.answer(seat, Answer::Number(n), true),
            Command::Adjust => self.adjusts(seat),
            Command::Correction => {
                self.refuse_over()?;
                if !self.line.is_empty() && self.corrected_ply(seat).is_none() {
                    return Err(self.too_late_for_slip());
                }
                self.dialogue.correcting = true;
                self.tell(self.listener(seat), Urgency::Answer, Prompt::SayCorrection, &[]);
                Ok(())
            }
            Command::Cancel => {
                self.cancel(self.listener(seat));
                Ok(())
            }
            Command::Repeat if self.dialogue.question().is_some() => {
                self.put_question();
                Ok(())
            }
            Command::DeclineDraw => {
                self.declines(self.wishing(seat, command));
                Ok(())
            }
            Command::Sign if seat.is_none() && self.are_both_blind() => self.somebody_signs(),
            command if command.is_irrevocable() => self.wishes(seat, command, None),
            command => self.request(seat.unwrap_or_else(|| self.asking()), command),
        }
    }

    /// The player who asks, when the voice is unknown: the blind player, or of two the one whose
    /// move is not completed.
    pub(super) fn asking(&self) -> Color {
        let uncompleted = self.line.open();
        match (self.seats.white.blind, self.seats.black.blind) {
            (true, false) => Color::White,
            (false, true) => Color::Black,
            _ => uncompleted.map_or(self.mover(), |ply| ply.mover),
        }
    }

    /// In whose ear an answer goes.
    pub(super) fn listener(&self, seat: Option<Color>) -> Color {
        seat.unwrap_or_else(|| self.asking())
    }

    pub(super) fn may_announce(&self, seat: Option<Color>) -> Result<(), Refused> {
        self.refuse_over()?;
        self.may_move_openly()?;
        if self.seats[self.origin(self.mover())].correction.is_some() {
            let words = self.terms.words.prompt(Prompt::BoardsDiffer, &[]);
            let step = self.next_on_board(self.origin(self.mover()));
            let words = Utterance::joined([Some(words), step].into_iter().flatten());
            let text = Note::CorrectBoardFirst;
            return Err(Refused::new(Article::D_2_9, text).saying(words));
        }
        if seat.is_some_and(|seat| seat != self.mover()) && self.unknown_press().is_none() {
            let words = self.terms.words.prompt(Prompt::NotYourTurn, &[]);
            return Err(Refused::new(Article::A6_2_1, Note::OpponentToMove).saying(words));
        }
        Ok(())
    }

    /// "Korrektur" and a move: for the announced move, or for the last made one until its clock is
    /// pressed (D.2.8).
    fn correction(
        &mut self,
        seat: Option<Color>,
        text: &str,
        here: &Chess,
        inner: Understood,
    ) -> Result<(), Refused> {
        self.refuse_over()?;
        let corrected = self.corrected_ply(seat);
        if corrected.is_some_and(|index| index < self.line.len()) {
            let before = self.line.positions()[self.line.len() - 1].clone();
            return match read(&self.terms.words, &before, text) {
                Understood::Correction(inner) => match *inner {
                    Understood::Move(mv) => {
                        self.corrects(&before, mv);
                        Ok(())
                    }
                    Understood::Piece(role) => {
                        self.corrects_piece(seat, &before, role);
                        Ok(())
                    }
                    Understood::Illegal(spoken) => {
                        self.not_possible(seat, &spoken);
                        Ok(())
                    }
                    Understood::Ambiguous(moves) => {
                        self.ask_which(seat, &before, &moves);
                        Ok(())
                    }
                    _ => {
                        self.not_heard(seat);
                        Ok(())
                    }
                },
                _ => {
                    self.not_heard(seat);
                    Ok(())
                }
            };
        }
        if corrected.is_some() {
            return self.understood(seat, here, inner);
        }
        Err(self.too_late_for_slip())
    }

    /// The place of the move that "Korrektur" is about: the last made one until its clock is
    /// pressed, or the next one once something is said or shown of it. `None`: a completed one,
    /// which is the arbiter's (D.2.8).
    pub(super) fn corrected_ply(&self, seat: Option<Color>) -> Option<usize> {
        let turn = &self.line.turn;
        let on_the_way = turn.announced.is_some() || turn.executed.is_some();
        let open = self.line.open().filter(|ply| seat.is_none_or(|seat| seat == ply.mover));
        let next = self.line.len();
        if open.is_some() && (seat.is_some() || !on_the_way) {
            return Some(next - 1);
        }
        let unclear = turn.impossible || !turn.unclear.is_empty();
        let asked = match self.dialogue.question() {
            Some(Question::Move { about, .. } | Question::Choice { about, .. }) => *about == next,
            _ => false,
        };
        let pegs = self.seats[self.origin(self.mover())].tracker();
        let shown = pegs.is_some_and(|pegs| !pegs.asked().is_empty() || pegs.is_guided());
        let begun = on_the_way || unclear || asked || shown;
        // Before the first move nothing is completed.
        let first = next == 0 && seat.is_some();
        let his = seat.is_none_or(|seat| seat == self.mover());
        (his && (begun || first)).then_some(next)
    }

    pub(super) fn too_late_for_slip(&self) -> Refused {
        let words = self.terms.words.prompt(Prompt::ArbiterDecides, &[]);
        Refused::new(Article::D_2_8, Note::TooLateForSlip).saying(words)
    }

    /// Another move is announced for the last made one, before its clock is pressed, and the hands
    /// are to follow. Words do not undo a move on a sighted player's board (D.2.5).
    pub(super) fn corrects(&mut self, before: &Chess, mv: Move) {
        let Some((last, mover)) = self.line.last().map(|ply| (ply.mv, ply.mover)) else {
            return;
        };
        if mv == last {
            return;
        }
        if !self.seats[mover].blind && self.seats[mover].has_board() {
            self.announced_differs(before, mv, last);
            return;
        }
        self.retract();
        self.announced(mv);
        self.compare_boards();
    }

    /// "Korrektur Turm": another piece for the pawn that was promoted last.
    fn corrects_piece(&mut self, seat: Option<Color>, before: &Chess, role: Role) {
        let last = self.line.last().map(|ply| ply.mv);
        let legal = before.legal_moves();
        let other = last.and_then(|last| {
            legal.iter().find(|mv| alike(last, **mv) && mv.promotion() == Some(role)).copied()
        });
        match other {
            Some(mv) => self.corrects(before, mv),
            None => self.not_heard(seat),
        }
    }

    pub(super) fn ambiguous(&mut self, seat: Option<Color>, here: &Chess, moves: Vec<Move>) {
        let origin = self.origin(self.mover());
        let executed = self.line.turn.executed.as_ref().map(|executed| executed.mv);
        let asked = match &self.seats[origin].board {
            super::SeatBoard::Pegs(tracker) if self.on_turn(origin) => tracker.asked(),
            _ => &[],
        };
        // The pegs and the words may agree on one move.
        let both = executed.as_slice().iter().chain(asked).filter(|mv| moves.contains(mv));
        if let Some(mv) = only(both) {
            self.announced(mv);
            return;
        }
        if let Some(role) = self.seats[origin].doubt.named()
            && let Some(mv) = only(moves.iter().filter(|mv| mv.promotion() == Some(role)))
        {
            self.announced(mv);
            return;
        }
        self.ask_which(seat, here, &moves);
        self.line.turn.unclear = moves;
    }

    pub(super) fn ask_which(&mut self, seat: Option<Color>, here: &Chess, moves: &[Move]) {
        self.dialogue.drop_guess();
        let slot = |mv: Move| Slot::Move { pos: here, mv, form: SpokenForm::Full };
        match moves {
            moves if one_pawn(moves) => {
                self.tell(self.listener(seat), Urgency::Alert, Prompt::WhichPiece, &[])
            }
            [first, second] => {
                let slots = [slot(*first), slot(*second)];
                self.tell(self.listener(seat), Urgency::Alert, Prompt::WhichMove, &slots);
            }
            _ => self.tell(
                self.listener(seat),
                Urgency::Alert,
                Prompt::WhichMoves,
                &[Slot::Moves { pos: here, moves }],
            ),
        }
    }

    /// "Dame": the promotion piece, asked for or named beforehand.
    pub(super) fn names_piece(&mut self, seat: Option<Color>, role: Role) {
        self.dialogue.drop_guess();
        let becomes = |mv: &&Move| mv.promotion() == Some(role);
        if let Some(mv) = only(self.line.turn.unclear.iter().filter(becomes)) {
            self.announced(mv);
            return;
        }
        if let Some(mv) = self.sighted_piece(role) {
            self.announced(mv);
            return;
        }
        let origin = self.origin(self.mover());
        let asked = match &self.seats[origin].board {
            super::SeatBoard::Pegs(tracker) if self.on_turn(origin) => tracker.asked(),
            _ => &[],
        };
        if let Some(mv) = only(asked.iter().filter(becomes)) {
            self.decided(mv);
        } else if self.position().legal_moves().iter().any(|mv| becomes(&mv)) {
            self.seats[origin].doubt.name(role);
        } else {
            self.not_heard(seat);
        }
    }

    pub(super) fn adjusts(&mut self, seat: Option<Color>) -> Result<(), Refused> {
        let mover = self.mover();
        // An unknown voice is the blind player's.
        let unseen = !self.seats[mover].blind && !self.seats[mover].has_board();
        if self.is_over() || seat.map_or(unseen, |seat| seat != mover) {
            let words = self.terms.words.prompt(Prompt::NotYourTurn, &[]);
            return Err(Refused::new(Article::A4_2_1, Note::AdjustsOnMove).saying(words));
        }
        if let Some(tracker) = self.seats[mover].tracker_mut() {
            tracker.adjust();
            self.tell(mover, Urgency::Answer, Prompt::Adjusting, &[]);
        } else if self.seats[mover].is_said() {
            // Nobody sees what he touches; that he said it is in the record.
            self.tell(mover, Urgency::Answer, Prompt::Adjusting, &[]);
        } else {
            self.sighted_adjusts(mover);
        }
        Ok(())
    }
}
