//! Takes recognised words into the game: read against the phrases of the position, and against the
//! last move, which may be repeated (D.2.1) or corrected (D.2.8).

use shakmaty::{Chess, Color, Move};

use super::{HeardAs, Output, Play, Refused, Understanding, dialogue::Question, turn::uci};
use annabella_words::phrase::{
    Command, Understood,
    hear::{Answer, Asked, Context, Heard, HeardDecision, Matcher, Repetition},
    understand,
};

/// The subject of an utterance.
enum About {
    /// The position on the board.
    Now(HeardDecision),
    /// The move before it, by "Korrektur".
    Last(HeardDecision),
    /// The opponent repeated the last move (D.2.1).
    Repeated(HeardDecision),
    /// The opponent repeated another move.
    RepeatedAs(HeardDecision, Move),
}

impl Play {
    /// The requests and answers that are possible now, for the recogniser and for reading its
    /// hypotheses.
    pub(super) fn context(&self) -> Context {
        let asked = match self.dialogue.question() {
            Some(question) if question.is_yes_or_no() => Asked::YesNo,
            Some(Question::Move { .. } | Question::Pressed { .. } | Question::Request(_)) => {
                Asked::YesNo
            }
            Some(Question::Choice { .. } | Question::Instead { .. }) => Asked::Number(2),
            Some(_) => Asked::Nothing,
            None if self.is_over() => Asked::Nothing,
            None if !self.line.turn.unclear.is_empty() || self.pegs_ask() => Asked::Piece,
            None => Asked::Nothing,
        };
        // Before something that cannot be taken back only an answer counts.
        let binding = matches!(self.dialogue.question(), Some(Question::Command { .. }));
        Context {
            moves: !self.is_over() && !binding,
            asked,
            draw_offered: self.open_offer().is_some(),
            to_start: !self.is_over() && !self.runs(),
            in_play: !self.is_over(),
            to_stop: !self.is_over() && self.runs(),
            to_complete: Color::ALL.into_iter().any(|color| self.has_gaps(color)),
            by_word: self.is_any_said(),
            numbered: self.last_number(),
            to_look_back: self.is_over(),
            at_home: self.terms.config.at_home && !self.is_over(),
        }
    }

    fn pegs_ask(&self) -> bool {
        let origin = self.origin(self.mover());
        self.on_turn(origin)
            && self.seats[origin].tracker().is_some_and(|tracker| !tracker.asked().is_empty())
    }

    /// For the voice of this player; one that is not known is taken for his who is asked or to
    /// move.
    pub(super) fn matcher(
        &self,
        seat: Option<Color>,
        position: &Chess,
        context: Context,
    ) -> Matcher {
        let whose = seat.or(self.dialogue.of()).unwrap_or_else(|| self.asking());
        self.terms.ears[whose].matcher(position, context).with_thresholds(self.terms.config.hearing)
    }

    /// Somebody spoke. `pushed`: to the system, for certain.
    pub(super) fn heard(
        &mut self,
        seat: Option<Color>,
        heard: &Heard,
        pushed: bool,
    ) -> Result<(), Refused> {
        if let Some(answered) = self.score_heard(seat, heard) {
            return answered;
        }
        let here = self.position().clone();
        let mut decision = self.matcher(seat, &here, self.context()).decide(heard);
        if !pushed {
            decision = self.dialogue.talk.amid(decision, heard, self.at.ms);
        }
        let about = self.about(seat, heard, decision);
        self.note(&about, heard);
        let now = self.line.len();
        let done = match about {
            About::Now(decision) => {
                if !pushed {
                    self.dialogue.talk.note(&decision, self.at.ms);
                }
                let voice = self.new_voice(seat, &decision, heard);
                self.decided_to(seat, decision, now, heard, pushed).map(|()| self.acquaint(voice))
            }
            About::Last(decision) => self.correction_heard(seat, decision, now, heard, pushed),
            About::Repeated(decision) => {
                self.repeated(seat);
                if let HeardDecision::Accept { mv, .. } = decision {
                    self.line.turn.perhaps = Some(mv);
                }
                Ok(())
            }
            About::RepeatedAs(_, other) => {
                self.repeated_as(other);
                Ok(())
            }
        };
        if done.is_ok() {
            self.dialogue.written = false;
        }
        done
    }

    fn correction_heard(
        &mut self,
        seat: Option<Color>,
        decision: HeardDecision,
        now: usize,
        heard: &Heard,
        pushed: bool,
    ) -> Result<(), Refused> {
        if self.corrected_ply(seat).is_some() && !self.is_over() {
            return self.decided_to(seat, decision, now - 1, heard, pushed);
        }
        Err(self.too_late_for_slip())
    }

    /// Which position is spoken about.
    fn about(&self, seat: Option<Color>, heard: &Heard, decision: HeardDecision) -> About {
        let Some(ply) = self.line.last() else {
            return About::Now(decision);
        };
        let before = &self.line.positions()[self.line.len() - 1];
        let binding = matches!(self.dialogue.question(), Some(Question::Command { .. }));
        if binding || matches!(decision, HeardDecision::Answer { .. }) {
            return About::Now(decision);
        }
        let last =
            || self.matcher(seat, before, Context { asked: Asked::Nothing, ..self.context() });
        let correcting = self.corrects_himself(seat).is_some() || is_correction(&decision) || {
            let here = self.position();
            heard.best().is_some_and(|text| {
                matches!(understand(&self.terms.words, here, text), Understood::Correction(_))
            })
        };
        if correcting {
            return self.correction_about(seat, decision, || last().decide(heard));
        }
        if let HeardDecision::Accept { mv, .. } = decision
            && self.may_repeat(seat, mv)
            && matches!(last().repeats(ply.mv, heard), Repetition::Same)
        {
            return About::Repeated(decision);
        }
        if matches!(decision, HeardDecision::Accept { .. })
            && let HeardDecision::Accept { mv, correction, confidence } = last().decide(heard)
            && self.may_be_second_thought(seat, mv)
        {
            return About::Last(HeardDecision::Confirm {
                mv,
                correction,
                confidence,
                second: None,
            });
        }
        let clear = matches!(
            decision,
            HeardDecision::Accept { .. }
                | HeardDecision::Ambiguous { .. }
                | HeardDecision::Command { .. }
                | HeardDecision::ConfirmCommand { .. }
                | HeardDecision::AskCommand { .. }
        );
        let by_opponent = seat.is_none_or(|seat| seat != ply.mover);
        if clear || !by_opponent || !self.terms.config.repetition {
            return About::Now(decision);
        }
        match (last().repeats(ply.mv, heard), &decision) {
            (Repetition::Same, _) => About::Repeated(decision),
            // A possible move of this position is asked about first.
            (Repetition::Other(_), HeardDecision::Confirm { .. }) => About::Now(decision),
            (Repetition::Other(mv), _) => About::RepeatedAs(decision, mv),
            (Repetition::Unclear, _) => About::Now(decision),
        }
    }

    /// Which move is corrected.
    fn correction_about(
        &self,
        seat: Option<Color>,
        decision: HeardDecision,
        of_last: impl Fn() -> HeardDecision,
    ) -> About {
        if self.corrected_ply(seat) != Some(self.line.len()) {
            return About::Last(of_last());
        }
        let other = Some(of_last()).filter(|_| self.may_be_of_open_ply(seat));
        let names = |of: &HeardDecision| matches!(of, HeardDecision::Accept { .. });
        other.filter(names).map_or(About::Now(decision), About::Last)
    }

    /// Notes hypotheses, candidates and decision for the record.
    fn note(&mut self, about: &About, heard: &Heard) {
        let now = self.line.len();
        let (decision, index) = match about {
            About::Now(decision) => (decision, now),
            About::Last(decision) => (decision, now - 1),
            About::Repeated(decision) | About::RepeatedAs(decision, _) => (decision, now),
        };
        let mut noted = noted(decision, &self.line.positions()[index], heard);
        let repeated = match about {
            About::Repeated(_) => self.line.last().map(|ply| ply.mv),
            About::RepeatedAs(_, mv) => Some(*mv),
            _ => None,
        };
        if let Some(mv) = repeated {
            noted.decision = Understanding::Repetition;
            noted.uci = Some(uci(mv));
            noted.candidates = Vec::new();
        }
        self.mouth.emit(Output::Heard(Box::new(noted)));
    }

    /// The same for what was said about another position than the last.
    pub(super) fn note_decision(
        &mut self,
        decision: &HeardDecision,
        position: &Chess,
        heard: &Heard,
    ) {
        self.mouth.emit(Output::Heard(Box::new(noted(decision, position, heard))));
    }

    fn decided_to(
        &mut self,
        seat: Option<Color>,
        decision: HeardDecision,
        about: usize,
        heard: &Heard,
        pushed: bool,
    ) -> Result<(), Refused> {
        match decision {
            HeardDecision::Accept { mv, .. } => self.spoken(seat, mv, about),
            HeardDecision::Confirm { mv, second, .. } => {
                self.heard_perhaps(seat, mv, about, second)
            }
            HeardDecision::Ambiguous { moves, .. } => {
                let pos = self.line.positions()[about].clone();
                if about == self.line.len() {
                    self.may_announce(seat)?;
                    self.ambiguous(seat, &pos, moves);
                } else {
                    self.ask_which(seat, &pos, &moves);
                }
                Ok(())
            }
            HeardDecision::Illegal { spoken, .. } => {
                if about == self.line.len() {
                    self.refuse_turn(seat)?;
                }
                self.not_possible(seat, &spoken);
                Ok(())
            }
            HeardDecision::Again { candidates }
                if about == self.line.len()
                    && candidates.first().copied() == self.executed_move()
                    && !candidates.is_empty() =>
            {
                self.spoken(seat, candidates[0], about)
            }
            HeardDecision::Again { candidates } => {
                self.unclear(&candidates, about, heard, pushed);
                Ok(())
            }
            HeardDecision::Command { command, .. } => self.command(seat, command),
            HeardDecision::ConfirmCommand { command, intended, .. } if command.is_irrevocable() => {
                self.wishes(seat, command, intended)
            }
            // A request that was not quite heard: better asked for again than answered unasked.
            HeardDecision::ConfirmCommand { .. } => {
                self.not_heard(seat);
                Ok(())
            }
            HeardDecision::AskCommand { command, .. } => {
                self.ask(self.listener(seat), Question::Request(command));
                Ok(())
            }
            HeardDecision::Answer { answer, .. } => self.answer(seat, answer, pushed),
        }
    }

    /// Probably this move. The hands may say the same, or it was said twice.
    fn heard_perhaps(
        &mut self,
        seat: Option<Color>,
        mv: Move,
        about: usize,
        second: Option<Move>,
    ) -> Result<(), Refused> {
        let shown = about == self.line.len() && self.executed_move() == Some(mv);
        if shown || self.dialogue.names(mv, about) {
            return self.spoken(seat, mv, about);
        }
        if about == self.line.len() {
            self.may_announce(seat)?;
        }
        self.ask_whether(mv, about, second);
        Ok(())
    }

    /// A move on the board that nobody has announced yet.
    fn executed_move(&self) -> Option<Move> {
        self.line.turn.executed.as_ref().map(|executed| executed.mv)
    }

    /// An answer, or a piece named without being asked for.
    pub(super) fn answer(
        &mut self,
        seat: Option<Color>,
        answer: Answer,
        pushed: bool,
    ) -> Result<(), Refused> {
        if self.answered(seat, answer)? {
            return Ok(());
        }
        if answer == Answer::No && pushed && self.denies_press(seat) {
            return Ok(());
        }
        match answer {
            Answer::Yes | Answer::No if pushed && self.is_offered_to(seat) => {
                let accepts = answer == Answer::Yes;
                let command = if accepts { Command::AcceptDraw } else { Command::DeclineDraw };
                return self.command(seat, command);
            }
            Answer::Piece(role) if pushed && self.names_last_piece(seat, role) => {}
            Answer::Piece(role) if self.context().asked == Asked::Piece || pushed => {
                self.may_announce(seat)?;
                self.names_piece(seat, role);
            }
            // Somebody said "ja" to somebody.
            _ if !pushed => {}
            _ => self.not_heard(seat),
        }
        Ok(())
    }

    /// Talk that is near to nothing is talk, unless it was said to the system.
    fn unclear(&mut self, candidates: &[Move], about: usize, heard: &Heard, pushed: bool) {
        let to_us = pushed || (!candidates.is_empty() && !heard.is_nothing());
        if !to_us {
            return;
        }
        match (self.dialogue.question(), self.dialogue.of()) {
            (Some(question), _) if question.is_yes_or_no() => self.answer_not_understood(),
            (Some(Question::Request(_)), _) if candidates.is_empty() => {
                self.answer_not_understood()
            }
            (Some(Question::Move { .. } | Question::Choice { .. }), Some(of)) => {
                if candidates.is_empty() {
                    self.answer_not_understood();
                } else {
                    self.not_understood(of, candidates, about);
                }
            }
            _ => {
                let of = self.mover();
                self.not_understood(of, candidates, about);
            }
        }
    }
}

fn is_correction(decision: &HeardDecision) -> bool {
    matches!(
        decision,
        HeardDecision::Accept { correction: true, .. }
            | HeardDecision::Confirm { correction: true, .. }
            | HeardDecision::Ambiguous { correction: true, .. }
    )
}

fn understanding(decision: &HeardDecision) -> Understanding {
    match decision {
        HeardDecision::Accept { .. } => Understanding::Accept,
        HeardDecision::Confirm { .. }
        | HeardDecision::ConfirmCommand { .. }
        | HeardDecision::AskCommand { .. } => Understanding::Confirm,
        HeardDecision::Ambiguous { .. }
        | HeardDecision::Illegal { .. }
        | HeardDecision::Again { .. } => Understanding::Again,
        HeardDecision::Command { .. } | HeardDecision::Answer { .. } => Understanding::Command,
    }
}

fn noted(decision: &HeardDecision, position: &Chess, heard: &Heard) -> HeardAs {
    let summary = decision.summary(position);
    HeardAs {
        texts: heard.hypotheses.iter().map(|h| h.text.clone()).collect(),
        decision: understanding(decision),
        uci: summary.mv,
        command: summary.command,
        candidates: summary.candidates,
        permille: (summary.confidence.clamp(0.0, 1.0) * 1000.0).round() as u16,
    }
}
