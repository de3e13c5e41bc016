//! Moves completed, clocks started and stopped.

use shakmaty::Color;

use super::{
    Article, At, Call, Caller, MoveState, Output, Play, Refused, Running, Source,
    dialogue::Question, press::running, rulings::Halt, turn::uci,
};
use annabella_words::phrase::{Note, Prompt};

impl Play {
    /// The last made move is completed: its clock was pressed (6.2.1).
    pub(super) fn complete(&mut self) {
        self.finish(true);
    }

    pub(super) fn finish(&mut self, press: bool) {
        let Some(ply) = self.line.open() else {
            return;
        };
        let (mover, mv, san) = (ply.mover, ply.mv, ply.san.clone());
        self.timing.grace = None;
        self.forgets_correction();
        self.line.change.forgets();
        let seen = self.origin(mover) == mover;
        // What he has announced himself was right or wrong when he pressed (D.2.8).
        let told = self.line.last().is_some_and(|ply| ply.announced.by == Source::Voice);
        // He had to be asked for it: that costs his opponent nothing.
        if (seen || told) && self.timing.ahead.as_ref().is_some_and(|ahead| ahead.asked) {
            self.gives_back_since_press();
        }
        let (at, clock_ms) = match self.timing.ahead.take() {
            Some(ahead) => {
                let index = self.line.len() - 1;
                self.timing.shown_late = Some(index).filter(|_| !seen && !told);
                (ahead.at, ahead.clock_ms)
            }
            None => {
                if press {
                    self.press_clock(mover);
                }
                let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
                (self.at, (white_ms, black_ms))
            }
        };
        if let Some(ply) = self.line.last_mut() {
            ply.completed = Some(at);
            ply.clock_ms = Some(clock_ms);
        }
        let ply = self.ply_number(self.line.len() - 1);
        let state = MoveState::Completed;
        self.mouth.emit(Output::Move { ply, uci: uci(mv), san, seat: mover, state, said: false });
        self.tell_clock();
        self.offer_enrolment(!mover);
        self.look_at_scores();
        let made = self.line.len();
        for color in Color::ALL {
            // A board that shows another move must still be corrected.
            let right = !self.is_wrong(color) && self.timing.shown_late.is_none();
            let seat = &mut self.seats[color];
            if right
                && seat.shown.len() == made
                && let Some(tracker) = seat.tracker_mut()
            {
                tracker.close_at(self.line.position());
            }
        }
        self.prepare();
    }

    /// The system presses for the blind player if that is its duty (D.2.10.3), after a moment in
    /// which his hands may still correct a slip.
    pub(super) fn press_after_grace(&mut self) {
        if !self.presses_for_mover() {
            return;
        }
        match self.terms.config.duties.start_clock_after_ms {
            0 if !self.waits_with_press() => self.complete(),
            ms => self.timing.grace = Some(At::new(self.at.ms.saturating_add(ms))),
        }
    }

    /// The last made move is the blind player's, and pressing for him is the system's duty.
    pub(super) fn presses_for_mover(&self) -> bool {
        let blind = self.line.open().is_some_and(|ply| self.seats[ply.mover].blind);
        let may = !self.is_over() && self.first_is_wrong().is_none();
        blind && may && self.terms.config.duties.start_clock
    }

    /// When that is.
    pub(super) fn press_for_player_due(&self) -> Option<At> {
        self.timing.grace.filter(|_| !self.waits_with_press())
    }

    /// He has said "Korrektur" and not yet what (D.2.8), or is asked what he meant: an offer comes
    /// before the press (9.1.2.1). Clocks that stand nobody presses (6.11.3).
    fn waits_with_press(&self) -> bool {
        let mover = self.line.open().map(|ply| ply.mover);
        let meant = matches!(
            self.dialogue.question(),
            Some(Question::Command { .. } | Question::Move { .. })
        );
        let asked = meant && self.dialogue.of() == mover;
        asked || self.dialogue.correcting.is_some() || self.course.halted().is_some()
    }

    /// The moment is over: unless his hands are at the piece again.
    pub(super) fn press_for_player(&mut self) {
        self.timing.grace = None;
        let Some(mover) = self.line.open().map(|ply| ply.mover) else { return };
        let busy = self.seats[mover].tracker().is_some_and(|tracker| !tracker.diff().is_empty());
        if busy { self.press_after_grace() } else { self.complete() }
    }

    /// The mover's side stops and the opponent's runs. A clock that stands (never started, or after
    /// a power cut) runs from here on.
    pub(super) fn press_clock(&mut self, mover: Color) {
        // Clocks that were stopped stay so; the move counts all the same.
        if self.course.halted().is_some() {
            if self.timing.clock.resume(self.at) == Some(mover) {
                self.timing.clock.press(self.at);
            }
            self.timing.clock.stop(self.at);
            return;
        }
        if self.timing.clock.reading(self.at).2 == Running::None
            && self.timing.clock.resume(self.at).is_none()
        {
            self.timing.clock.start(self.at, mover);
        }
        if self.timing.clock.reading(self.at).2 == running(mover) {
            self.timing.clock.press(self.at);
        }
    }

    /// The opponent moves although the clock was not pressed: the made move stands. Its player may
    /// still press (6.2.1).
    ///
    /// Source: FIDE 6.2.1.2, 6.2.2
    pub(super) fn complete_by_reply(&mut self) {
        let Some(mover) = self.line.open().map(|ply| ply.mover) else {
            return;
        };
        // A clock that nobody ever started is not in use.
        let in_use = self.runs() || self.course.halted().is_some();
        if self.runs() && self.timing.ahead.is_none() {
            self.timing.late = Some(mover);
        }
        self.finish(in_use);
        self.timing.shown_late = None;
    }

    /// Not while it runs, and not against the arbiter. `by`: the player who wants it.
    pub(super) fn may_start_clock(&self, by: Option<Color>) -> Result<(), Refused> {
        if self.runs() {
            return Err(Refused::new(Article::A6_6, Note::TheClockRunsAlready));
        }
        if self.only_arbiter_starts(by) {
            let words = self.terms.words.prompt(Prompt::ArbiterDecides, &[]);
            let text = Note::ArbiterStarts;
            return Err(Refused::new(Article::A6_11_3, text).saying(words));
        }
        Ok(())
    }

    /// A player has stopped the clocks to call the arbiter, who decides when the game goes on
    /// (6.11.3). Where he does not look whoever has called may let it go on himself; at home there
    /// is none.
    fn waits_for_called(&self, by: Option<Color>) -> bool {
        let stopped = self.course.halted() == Some(Halt::Player) && !self.terms.config.at_home;
        let called = self.arbitration.call.as_ref().and_then(|call| match call.by {
            Caller::Player(of) | Caller::Stopped(of) => Some(of),
            Caller::Assistant => None,
        });
        let waits = |of: Color| self.arbitration.present || by == Some(!of);
        stopped && called.is_some_and(waits)
    }

    /// The arbiter decides when the game goes on, not this player.
    pub(super) fn only_arbiter_starts(&self, by: Option<Color>) -> bool {
        self.course.halted() == Some(Halt::Arbiter) || self.waits_for_called(by)
    }

    /// A word at the board starts the clock: White's at first (6.6), after a stop that of the
    /// player whose move is not completed. Matters for the arbiter keep waiting (6.11.3).
    pub(super) fn start_clock(&mut self, by: Option<Color>) -> Result<(), Refused> {
        self.may_start_clock(by)?;
        if let Some(seat) = self.uncorrected() {
            if self.seats[seat].has_board() {
                let words = self.next_on_board(seat);
                let words =
                    words.unwrap_or_else(|| self.terms.words.prompt(Prompt::BoardsDiffer, &[]));
                let text = Note::BoardNotCorrected { player: seat };
                return Err(Refused::new(Article::D_2_9, text).saying(words));
            }
            let of = self.asking();
            self.ask(of, Question::BoardRight { seat });
            return Ok(());
        }
        if self.is_unlike_before_start() {
            return Ok(());
        }
        self.course.unhalt();
        // Whoever called lets the game go on; his opponent has not called.
        let others = |call: &Call| match call.by {
            Caller::Player(of) | Caller::Stopped(of) => by == Some(!of),
            Caller::Assistant => false,
        };
        self.arbitration.call = self.arbitration.call.take().filter(others);
        self.let_run();
        Ok(())
    }

    /// The clock of the player whose move is not completed runs.
    pub(super) fn let_run(&mut self) {
        let uncompleted = self.line.open();
        let side = match uncompleted.map_or(self.mover(), |ply| ply.mover) {
            side if self.timing.ahead.is_some() => !side,
            side => side,
        };
        // While the clock stood the move may have changed hands.
        self.timing.run(self.at, side);
        self.tell_clock();
        self.press_after_grace();
    }
}
