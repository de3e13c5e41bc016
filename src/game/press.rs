//! The clock pressed, started, fallen.

use serde_json::json;
use shakmaty::Color;

use super::{
    Article, At, MoveState, Output, Play, Refused, Running, Urgency, rulings::Halt,
    seat::BoardKind, seat_name, turn::uci,
};
use crate::phrase::{Prompt, Slot, Utterance};

/// A sighted player's press may be known before his board has come to rest: so long it waits for
/// the move, milliseconds. Boards are scanned, dumped and messages late by up to a second each.
const PRESS_WAITS_MS: u64 = 4000;

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
        let (at, clock_ms) = match self.timing.ahead.take() {
            Some(ahead) => ahead,
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
        self.mouth.emit(Output::Move { ply, uci: uci(mv), san, seat: mover, state });
        self.tell_clock();
        self.look_at_scores();
        let made = self.line.len();
        for color in Color::ALL {
            // A board that shows another move must still be corrected.
            let right = !self.is_wrong(color);
            let seat = &mut self.seats[color];
            if right
                && seat.shown.len() == made
                && let Some(tracker) = seat.tracker_mut()
            {
                tracker.close();
            }
        }
        self.prepare();
    }

    /// The mover's side stops and the opponent's runs. A clock that stands (never started, or after
    /// a power cut) runs from here on.
    fn press_clock(&mut self, mover: Color) {
        // Clocks that were stopped stay so; the move counts all the same.
        if self.timing.halted.is_some() {
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
    pub(super) fn complete_by_reply(&mut self) {
        let Some(mover) = self.line.open().map(|ply| ply.mover) else {
            return;
        };
        // A clock that nobody ever started is not in use.
        let in_use = self.runs() || self.timing.halted.is_some();
        if self.runs() && self.timing.ahead.is_none() {
            self.timing.late = Some(mover);
        }
        self.finish(in_use);
    }

    /// A player pressed his side of the clock.
    pub(super) fn pressed(&mut self, color: Color) -> Result<(), Refused> {
        if self.ended.is_some() {
            return Err(Refused::new(Article::A6_11_1, "the game is over"));
        }
        if color == self.mover() {
            self.may_move_openly()?;
        }
        if self.timing.halted.is_some() {
            let words = self.words.prompt(Prompt::ClockStopped, &[]);
            let text = "the clocks were stopped: the arbiter decides when the game goes on";
            return Err(self.refusal(Article::A6_11_3, text, color, words));
        }
        if !self.seats[color].has_board() {
            return self.pressed_without_board(color);
        }
        if self.line.last().is_some_and(|ply| ply.mover == color && ply.completed.is_none()) {
            return self.press_after_move(color);
        }
        if color != self.mover() {
            return self.pressed_by_opponent();
        }
        if self.timing.late == Some(color) {
            self.timing.late = None;
            // With the next move on the way it is no late press.
            if !self.has_begun(color) {
                return Ok(());
            }
        }
        // A press ahead of a move that is made by now was the opponent's.
        let ahead = self.timing.ahead.is_some()
            && self.line.last().is_none_or(|ply| ply.completed.is_some());
        if ahead || self.sighted_illegal(color) {
            return Ok(());
        }
        if self.is_wrong(color) || self.seats[color].astray {
            let text = "the own board shows another position than the game";
            let words = self.words.prompt(Prompt::BoardsDiffer, &[]);
            return Err(self.refusal(Article::D_2_9, text, color, words));
        }
        if let Some((index, mv)) = self.owed(color) {
            let slot = Slot::Move { pos: &self.line.positions()[index], mv, form: self.form() };
            let words = self.words.prompt(Prompt::ExecuteOpponentMove, &[slot]);
            let text = "the opponent's move is not executed on the own board yet";
            return Err(self.refusal(Article::D_2_4, text, color, words));
        }
        // By the ordinary rules (D.2.5) his press stands; the board may be late.
        if matches!(self.seats[color].board, BoardKind::Reports) && self.turn.executed.is_none() {
            self.press_ahead(color);
            return Ok(());
        }
        let pos = self.position();
        let slot = |mv| Slot::Move { pos, mv, form: self.form() };
        match (&self.turn.announced, &self.turn.executed) {
            (Some(announced), Some(executed)) => {
                let slots = [slot(announced.mv), slot(executed.mv)];
                let words = self.words.prompt(Prompt::AnnouncedButExecuted, &slots);
                let text = "the announced and the executed move differ";
                return Err(self.refusal(Article::D_2_4, text, color, words));
            }
            (None, Some(_)) => {
                let words = self.words.prompt(Prompt::AnnounceFirst, &[]);
                let text = "the move is not announced yet";
                return Err(self.refusal(Article::D_2_4, text, color, words));
            }
            _ => {}
        }
        let untouched = match &self.seats[color].board {
            BoardKind::Pegs(tracker) => tracker.diff().is_empty(),
            _ => true,
        };
        if untouched && let Some(announced) = self.turn.announced {
            let words = self.words.prompt(Prompt::ExecuteFirst, &[slot(announced.mv)]);
            let text = "the announced move is not executed yet";
            return Err(self.refusal(Article::D_2_4, text, color, words));
        }
        let pegs = self.seats[color].tracker().is_some();
        let his_runs = self.timing.clock.reading(self.at).2 == running(color);
        if untouched && pegs && his_runs && self.illegal_press(color) {
            self.tell(color, Urgency::Alert, Prompt::PressedWithoutMove, &[]);
            return Ok(());
        }
        if untouched {
            let words = self.words.prompt(Prompt::PressedWithoutMove, &[]);
            let text = format!("{} pressed the clock without a move", seat_name(color));
            return Err(self.refusal(Article::A7_5_3, text, color, words));
        }
        let at_ms = self.at.ms;
        self.on_board(color, |tracker, felt| tracker.press(at_ms, color, felt))
    }

    /// The player to move has said or executed something of his next move.
    fn has_begun(&self, color: Color) -> bool {
        let moved = match &self.seats[color].board {
            BoardKind::Pegs(tracker) => !tracker.diff().is_empty(),
            _ => false,
        };
        let shown = self.seats[color].differs.is_some() || self.turn.executed.is_some();
        shown || self.turn.announced.is_some() || (moved && self.owed(color).is_none())
    }

    /// What is said goes to the blind player's ear: nothing when his opponent is refused.
    fn refusal(
        &self,
        article: Article,
        text: impl Into<String>,
        color: Color,
        words: Utterance,
    ) -> Refused {
        let refused = Refused::new(article, text);
        if self.seats[color].blind { refused.saying(words) } else { refused }
    }

    /// His lever is down already; before the first move this starts White's clock (6.6).
    fn pressed_by_opponent(&mut self) -> Result<(), Refused> {
        if self.line.is_empty() && self.timing.clock.reading(self.at).2 == Running::None {
            return self.start_clock();
        }
        Ok(())
    }

    /// A sighted player whose board is not seen: by the ordinary rules (D.2.5) his move is made on it
    /// and completed by the press, before the blind player has executed it.
    fn pressed_without_board(&mut self, color: Color) -> Result<(), Refused> {
        let last = self.line.open().map(|ply| ply.mover);
        if self.timing.ahead.is_some() {
            return Ok(());
        }
        if last == Some(color) {
            self.complete();
            return Ok(());
        }
        if color != self.mover() {
            return self.pressed_by_opponent();
        }
        if self.timing.late == Some(color) {
            self.timing.late = None;
            return Ok(());
        }
        self.press_ahead(color);
        Ok(())
    }

    /// His clock is pressed; the move that it completes is not known yet.
    fn press_ahead(&mut self, color: Color) {
        self.complete_by_reply();
        self.press_clock(color);
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        self.timing.ahead = Some((self.at, (white_ms, black_ms)));
        self.tell_clock();
    }

    /// When a press before the move is known is given up. Where the move is executed on the
    /// opponent's pegs it may take as long as it takes.
    pub(super) fn press_due(&self) -> Option<At> {
        let waits = matches!(self.seats[self.mover()].board, BoardKind::Reports)
            && self.seats[self.mover()].has_board();
        let (at, _) = self.timing.ahead.filter(|_| waits)?;
        Some(At::new(at.ms + PRESS_WAITS_MS))
    }

    /// The clock was pressed and no move has been shown: it is his turn still (7.5.3).
    pub(super) fn give_up_press(&mut self) {
        if self.ended.is_some() || self.press_due().is_none_or(|due| due > self.at) {
            return;
        }
        self.timing.ahead = None;
        let color = self.mover();
        self.timing.clock.unpress(self.at, color);
        if self.timing.clock.running().is_some() {
            self.timing.clock.start(self.at, color);
        }
        self.tell_clock();
        if self.sighted_illegal(color) {
            return;
        }
        if !self.illegal_press(color) {
            self.problem(
                Article::A7_5_3,
                format!("{} pressed the clock without a move", seat_name(color)),
                json!({}),
            );
        }
        let words = self.words.prompt(Prompt::PressedWithoutMove, &[]);
        self.say_aloud(Urgency::Alert, words);
    }

    /// The service was stopped: the clocks stand as last journaled.
    pub(super) fn interrupted(&mut self) {
        self.timing.was_running = self.timing.clock.running().is_some() && self.ended.is_none();
        self.timing.clock.stop(self.at);
    }

    /// It is back: the arbiter learns what is not certain.
    pub(super) fn resumed(&mut self) {
        self.tell_clock();
        if !std::mem::take(&mut self.timing.was_running) {
            return;
        }
        let (white_ms, black_ms, _) = self.timing.clock.reading(self.at);
        let uncertainty_ms = self.config.heartbeat_ms;
        self.problem(
            Article::A7_1,
            format!(
                "the service was stopped while a clock ran: the clocks stand as last written, \
                 known to {} seconds",
                uncertainty_ms.div_ceil(1000)
            ),
            json!({
                "white_ms": white_ms, "black_ms": black_ms, "uncertainty_ms": uncertainty_ms,
            }),
        );
        self.tell_blind(Urgency::Hint, Prompt::ClockStopped, &[]);
    }

    /// The move is made; the pegs may meanwhile show something else.
    fn press_after_move(&mut self, color: Color) -> Result<(), Refused> {
        let at_ms = self.at.ms;
        match &self.seats[color].board {
            BoardKind::Pegs(tracker) if tracker.executed().is_some() => {
                self.on_board(color, |tracker, felt| tracker.press(at_ms, color, felt))
            }
            _ => {
                self.complete();
                Ok(())
            }
        }
    }

    /// The clock is started by a word at the board: White's at first (6.6), after a stop that of the
    /// player whose move is not completed. What waits for the arbiter waits on (6.11.3).
    pub(super) fn start_clock(&mut self) -> Result<(), Refused> {
        if self.ended.is_some() {
            return Err(Refused::new(Article::A6_6, "the game is over"));
        }
        if self.runs() {
            return Err(Refused::new(Article::A6_6, "the clock is running already"));
        }
        if self.timing.halted == Some(Halt::Arbiter) {
            let words = self.words.prompt(Prompt::ArbiterDecides, &[]);
            let text = "the arbiter decides when the game goes on";
            return Err(Refused::new(Article::A6_11_3, text).saying(words));
        }
        self.timing.halted = None;
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
        if self.timing.clock.resume(self.at) != Some(side) {
            self.timing.clock.start(self.at, side);
        }
        self.tell_clock();
    }
}

fn running(color: Color) -> Running {
    if color.is_white() { Running::White } else { Running::Black }
}
