//! A slip of the tongue, corrected before the opponent's clock is started.
//!
//! Source: FIDE D.2.8

use shakmaty::{Chess, Color, Move, Position, Role};

use super::{
    Play, Refused, Urgency,
    dialogue::Question,
    reading::{parted, read, tells_move},
    turn::alike,
};
use crate::laws::Article;
use annabella_words::phrase::{Command, Note, Prompt, Understood};

impl Play {
    /// "Korrektur" alone: what he means follows. What he has on the pegs ends no game meanwhile.
    pub(super) fn begins_correction(&mut self, seat: Option<Color>) -> Result<(), Refused> {
        self.refuse_over(self.listener(seat))?;
        if self.line.is_empty() {
            self.refuse_turn(seat)?;
        }
        let corrected = self.corrected_ply(seat).ok_or_else(|| self.too_late_for_slip())?;
        let of = self.line.get(corrected).map_or(self.mover(), |ply| ply.mover);
        self.dialogue.correcting = Some(of);
        let origin = self.origin(of);
        if let Some(pegs) = self.seats[origin].tracker_mut() {
            pegs.hold_end(true);
        }
        self.answer_speaker(seat, Urgency::Answer, Prompt::SayCorrection, &[]);
        Ok(())
    }

    /// Whoever has said "Korrektur" says nothing more of it, or can't any more.
    pub(super) fn forgets_correction(&mut self) {
        self.dialogue.correcting = None;
        for color in Color::ALL {
            if let Some(pegs) = self.seats[color].tracker_mut() {
                pegs.hold_end(false);
            }
        }
    }

    /// Who has said "Korrektur" and not yet what, if this is his voice.
    pub(super) fn corrects_himself(&self, seat: Option<Color>) -> Option<Color> {
        let of = self.dialogue.correcting?;
        let his = seat.is_none_or(|seat| seat == of) && self.corrected_ply(Some(of)).is_some();
        his.then_some(of)
    }

    /// The blind player's last move is not completed, his opponent has answered it already, and the
    /// voice is nobody's that is known.
    pub(super) fn may_be_of_open_ply(&self, seat: Option<Color>) -> bool {
        let open = self.line.open().map(|ply| ply.mover);
        seat.is_none() && !self.are_both_blind() && open == Some(self.asking())
    }

    /// The same, and these words correct that move: they name another one for it.
    fn is_of_open_ply(&self, seat: Option<Color>, text: &str) -> bool {
        let last = self.line.len().checked_sub(1).filter(|_| self.may_be_of_open_ply(seat));
        last.is_some_and(|last| {
            let read = read(&self.terms.words, &self.line.positions()[last], text);
            let Understood::Correction(inner) = read else { return false };
            matches!(*inner, Understood::Move(_) | Understood::Ambiguous(_))
        })
    }

    /// "Korrektur" stood alone, and this is the move that its player meant (D.2.8).
    pub(super) fn completes_correction(
        &self,
        seat: Option<Color>,
        here: &Chess,
        text: &str,
    ) -> Option<(Color, String, Understood)> {
        let of = self.corrects_himself(seat)?;
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
        Some((of, text, inner))
    }

    /// A correction in other words than "Korrektur" (D.2.8), or "nein" and what is meant instead.
    /// `None`: it is neither.
    pub(super) fn in_own_words(
        &mut self,
        seat: Option<Color>,
        here: &Chess,
        text: &str,
    ) -> Option<Result<(), Refused>> {
        let words = &self.terms.words;
        if self.dialogue.asks_for_pressed() || read(words, here, text) != Understood::NotHeard {
            return None;
        }
        let bare = words.without_fillers(text).unwrap_or_else(|| text.to_owned());
        let his = seat.is_none() || seat == self.dialogue.of();
        let binding = self.dialogue.question().is_some_and(Question::is_yes_or_no) && his;
        if binding && let Some(rest) = words.after_no(&bare) {
            let rest = tells_move(&read(words, here, rest)).then(|| rest.to_owned())?;
            let answered = self.command(seat, Command::No);
            let on = answered.is_ok() && self.dialogue.question().is_none();
            return match on {
                true if parted(&bare, &rest) => Some(self.takes_words(seat, &[rest])),
                true => self.in_own_words(seat, here, &bare),
                false => Some(answered),
            };
        }
        let ply = self.corrected_ply(seat);
        let corrected = ply.map(|ply| &self.line.positions()[ply]);
        let meant = |rest: &str| corrected.map(|before| read(words, before, rest));
        let rest = match (words.after_slip(&bare), words.after_adjust(&bare)) {
            (Some(rest), _) => rest,
            // Also said of a piece that is to be put right where it stands (4.2).
            (None, rest) => {
                let last = self.line.last().map(|ply| ply.mv);
                let goes = |mv: Move| !mv.is_capture() && Some(mv) != last;
                let rest = rest?;
                matches!(meant(rest), Some(Understood::Move(mv)) if goes(mv)).then_some(rest)?
            }
        };
        let inner = read(words, here, rest);
        let corrects = corrected.is_some()
            && (tells_move(&inner) || meant(rest).is_some_and(|meant| tells_move(&meant)));
        // "No alfil" is "no, alfil" or "not the bishop".
        let is_sure = words.after_no(&bare) != Some(rest) || parted(&bare, rest);
        match inner {
            _ if corrects && !is_sure => match (meant(rest)?, ply?) {
                (Understood::Move(mv), ply) => {
                    self.ask_whether(mv, ply, None);
                    Some(Ok(()))
                }
                _ => None,
            },
            inner if corrects => {
                let word = words.prompts().first_phrase(Command::Correction)?;
                let text = format!("{word} {rest}");
                Some(self.correction(seat, &text, here, inner))
            }
            Understood::Move(mv) => Some(self.may_announce(seat).map(|()| {
                self.ask_whether(mv, self.line.len(), None);
            })),
            _ => self.would_correct(seat, rest).then(|| Err(self.too_late_for_slip())),
        }
    }

    /// These words name another move than his last one, which he has completed.
    fn would_correct(&self, seat: Option<Color>, rest: &str) -> bool {
        let before = self.line.len().checked_sub(1).map(|index| &self.line.positions()[index]);
        let his = before.filter(|before| before.turn() == self.listener(seat) && !self.is_over());
        his.is_some_and(|before| tells_move(&read(&self.terms.words, before, rest)))
    }

    /// "Korrektur" and a move: for the announced move, or for the last made one until its clock is
    /// pressed (D.2.8).
    pub(super) fn correction(
        &mut self,
        seat: Option<Color>,
        text: &str,
        here: &Chess,
        inner: Understood,
    ) -> Result<(), Refused> {
        self.refuse_over(self.listener(seat))?;
        let corrected = match self.is_of_open_ply(seat, text) {
            true => self.line.len().checked_sub(1),
            false => self.corrected_ply(seat),
        };
        if corrected.is_some_and(|index| index < self.line.len()) {
            let before = self.line.positions()[self.line.len() - 1].clone();
            return match read(&self.terms.words, &before, text) {
                Understood::Correction(inner) => match *inner {
                    Understood::Move(mv) if self.line.last().is_some_and(|ply| ply.mv == mv) => {
                        self.request(self.listener(seat), Command::LastMove)
                    }
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
        let origin = self.origin(self.mover());
        let pegs = self.seats[origin].tracker().filter(|_| self.on_turn(origin));
        let shown = pegs.is_some_and(|pegs| !pegs.diff().is_empty() || pegs.is_guided());
        let begun = on_the_way || unclear || asked || shown;
        let correcting = self.dialogue.correcting == Some(self.mover());
        // Before the first move nothing is completed.
        let his = seat.is_none_or(|seat| seat == self.mover());
        (his && (begun || correcting || next == 0)).then_some(next)
    }

    pub(super) fn too_late_for_slip(&self) -> Refused {
        let words = self.terms.words.prompt(Prompt::TooLateForSlip, &[]);
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

    /// A piece is named while a promotion is not completed: the pawn has become it, or he is asked
    /// whether it was to (D.2.8). `false`: it is named for another move.
    pub(super) fn names_last_piece(&mut self, seat: Option<Color>, role: Role) -> bool {
        let Some(ply) = self.line.open().filter(|ply| ply.mv.is_promotion()) else { return false };
        let (last, by) = (ply.mv, ply.mover);
        let his = seat.is_none_or(|seat| seat == by) && self.may_be_his(seat, by);
        if !his || self.is_over() {
            return false;
        }
        let index = self.line.len() - 1;
        let named = self.becomes_instead(&self.line.positions()[index], role);
        match named {
            Some(mv) if mv == last => self.repeated(Some(by)),
            Some(mv) => self.ask_whether(mv, index, None),
            None => return false,
        }
        true
    }

    /// "Korrektur Turm": another piece for the pawn that was promoted last.
    fn corrects_piece(&mut self, seat: Option<Color>, before: &Chess, role: Role) {
        match self.becomes_instead(before, role) {
            Some(mv) => self.corrects(before, mv),
            None => self.not_heard(seat),
        }
    }

    /// The pawn that was promoted last becomes this piece.
    fn becomes_instead(&self, before: &Chess, role: Role) -> Option<Move> {
        let last = self.line.last()?.mv;
        let becomes = |mv: &Move| alike(last, *mv) && mv.promotion() == Some(role);
        before.legal_moves().into_iter().find(becomes)
    }
}
