//! A move on its way: executed, announced, made, completed.

use serde_json::json;
use shakmaty::{Color, EnPassantMode, Move, Position, san::SanPlus, uci::UciMove};

use super::{
    At, Boards, Channel, Ended, MoveState, Output, Play, Ply, Refused, Running, ScoreEntry, Source,
    Urgency, seat::BoardKind, seat_name, touch,
};
use crate::{
    laws::{self, Article},
    phrase::{Prompt, Slot},
    sensing::Executed,
};

/// An announced move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Announced {
    pub(super) mv: Move,
    pub(super) at: At,
    pub(super) by: Source,
}

/// The move that the player to move is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Turn {
    pub(super) executed: Option<Executed>,
    pub(super) announced: Option<Announced>,
    /// An announcement that no longer stands was heard by all and must be corrected aloud.
    pub(super) withdrawn: bool,
}

pub(super) fn uci(mv: Move) -> String {
    UciMove::from_standard(mv).to_string()
}

impl Play {
    /// The colour before whom the moves of `mover` are executed first.
    pub(super) fn origin(&self, mover: Color) -> Color {
        if self.seats[mover].has_board() { mover } else { !mover }
    }

    fn step(&mut self, mv: Move, state: MoveState) {
        let position = self.position();
        let san = SanPlus::from_move(position.clone(), mv).to_string();
        let seat = position.turn();
        let ply = self.ply_number(self.line.len());
        self.out.push(Output::Move { ply, uci: uci(mv), san, seat, state });
    }

    /// The number of the ply that is played from `positions[index]`; the game's first is 1.
    pub(super) fn ply_number(&self, index: usize) -> u32 {
        u32::try_from(index + 1).unwrap_or(u32::MAX)
    }

    /// The player to move executed a move.
    pub(super) fn executed(&mut self, seat: Color, executed: Executed) {
        if self.ended.is_some() {
            return;
        }
        self.complete_by_reply();
        let (mv, mover) = (executed.mv, self.mover());
        self.step(mv, MoveState::Executed);
        if seat == mover && self.seats[seat].blind {
            self.check_touch(&executed);
        }
        self.turn.executed = Some(executed);
        match self.turn.announced {
            Some(announced) if announced.mv == mv => {}
            Some(announced) if announced.by == Source::Voice => {
                self.announced_differs(announced.mv, mv);
                return;
            }
            _ if self.config.duties.announce || !self.seats[mover].blind => {
                self.announce_for(mv);
            }
            _ => return,
        }
        self.make_if_all_holds();
    }

    fn check_touch(&mut self, executed: &Executed) {
        let Some(violation) = touch::check(self.position(), &executed.touched, executed.mv) else {
            return;
        };
        let touched: Vec<String> = executed.touched.iter().map(ToString::to_string).collect();
        self.problem(
            violation.under(),
            violation.text,
            json!({
                "paragraph": violation.article,
                "touched": touched,
                "must": violation.square.to_string(),
                "uci": uci(executed.mv),
            }),
        );
    }

    pub(super) fn announced_differs(&mut self, announced: Move, executed: Move) {
        let position = self.position().clone();
        let form = self.form();
        let slot = |mv| Slot::Move { pos: &position, mv, form };
        self.tell(Urgency::Alert, Prompt::AnnouncedButExecuted, &[slot(announced), slot(executed)]);
        self.problem(
            Article::D_2_3,
            "the announced and the executed move differ",
            json!({ "announced": uci(announced), "executed": uci(executed) }),
        );
    }

    /// The system announces the move for the player (D.2.10.2), or takes the sighted player's
    /// executed move as announced.
    fn announce_for(&mut self, mv: Move) {
        if self.config.duties.announce {
            let words = self.words.announce(self.position(), mv, self.form());
            if std::mem::take(&mut self.turn.withdrawn) {
                let slot = Slot::Words(&words);
                let corrected = self.words.prompt(Prompt::Correction, &[slot]);
                self.say(Channel::Public, Urgency::Announcement, corrected);
            } else {
                self.say(Channel::Public, Urgency::Announcement, words);
            }
        }
        self.turn.announced = Some(Announced { mv, at: self.at, by: Source::Assistant });
        self.step(mv, MoveState::Announced);
    }

    /// The player to move announced a legal move himself.
    pub(super) fn announced(&mut self, mv: Move) {
        let announced = Announced { mv, at: self.at, by: Source::Voice };
        self.turn.announced = Some(announced);
        self.turn.withdrawn = false;
        self.step(mv, MoveState::Announced);
        let origin = self.origin(self.mover());
        let at_ms = self.at.ms;
        if self.seats[origin].plies == self.line.len() {
            let mut felt = Vec::new();
            if let Some(tracker) = self.seats[origin].tracker_mut() {
                tracker.announce(at_ms, mv, &mut felt);
            }
            self.felt(origin, felt);
        }
        // What was felt may have made it already.
        match self.turn.executed.as_ref().map(|executed| executed.mv) {
            Some(executed) if self.turn.announced == Some(announced) => {
                if executed == mv {
                    self.make_if_all_holds();
                } else {
                    if let Some(tracker) = self.seats[origin].tracker_mut() {
                        tracker.announce_instead(mv);
                    }
                    self.announced_differs(mv, executed);
                }
            }
            _ => {}
        }
    }

    fn make_if_all_holds(&mut self) {
        let (Some(executed), Some(announced)) = (self.turn.executed.clone(), self.turn.announced)
        else {
            return;
        };
        if executed.mv != announced.mv {
            return;
        }
        self.turn = Turn::default();
        let mv = executed.mv;
        self.step(mv, MoveState::Made);
        let mover = self.mover();
        let position = self.position().clone();
        let san = SanPlus::from_move(position.clone(), mv).to_string();
        let ply = self.ply_number(self.line.len());
        for color in Color::ALL {
            let source = if self.seats[color].blind { announced.by } else { Source::Board };
            if !self.seats[color].blind || self.config.duties.keep_score || source == Source::Voice
            {
                let entry = ScoreEntry { ply, mv, san: san.clone(), at: self.at, source };
                self.seats[color].score.push(entry);
            }
        }
        self.line.push(Ply {
            mv,
            san,
            mover,
            touched: executed.touched,
            captured: executed.captured_ms.map(At::new),
            placed: At::new(executed.placed_ms),
            announced: announced.at,
            announced_by: announced.by,
            made: self.at,
            completed: None,
            clock_ms: None,
        });
        let mut after = position;
        after.play_unchecked(mv);
        self.positions.push(after);
        self.await_copies();
        self.end_if_over();
        if self.ended.is_none() && self.config.duties.start_clock && self.seats[mover].blind {
            self.complete();
        }
    }

    /// The other boards have yet to show the last made move.
    pub(super) fn await_copies(&mut self) {
        let at_ms = self.at.ms;
        for color in Color::ALL {
            let plies = self.seats[color].plies;
            let Some(next) = self.line.get(plies).map(|ply| ply.mv) else {
                continue;
            };
            let mut felt = Vec::new();
            if let Some(tracker) = self.seats[color].tracker_mut() {
                tracker.announce(at_ms, next, &mut felt);
            }
            self.felt(color, felt);
        }
        self.compare_boards();
    }

    pub(super) fn compare_boards(&mut self) {
        let with_board: Vec<_> =
            Color::ALL.into_iter().filter(|color| self.seats[*color].has_board()).collect();
        self.boards = if with_board.iter().any(|color| self.seats[*color].wrong) {
            Boards::Differ
        } else if with_board.iter().any(|color| self.seats[*color].plies < self.line.len()) {
            Boards::Pending
        } else {
            Boards::Agree
        };
    }

    /// Takes the last made move back: it was corrected before its clock was pressed (D.2.8).
    pub(super) fn retract(&mut self) {
        if self.line.last().is_none_or(|ply| ply.completed.is_some()) {
            return;
        }
        let Some(ply) = self.line.pop() else { return };
        self.positions.pop();
        let number = self.ply_number(self.line.len());
        for color in Color::ALL {
            self.seats[color].score.retain(|entry| entry.ply != number);
        }
        self.ended = None;
        self.turn = Turn {
            executed: None,
            announced: (ply.announced_by == Source::Voice).then_some(Announced {
                mv: ply.mv,
                at: ply.announced,
                by: ply.announced_by,
            }),
            withdrawn: ply.announced_by == Source::Assistant,
        };
    }

    /// The last made move is completed: its clock was pressed (6.2.1).
    pub(super) fn complete(&mut self) {
        self.finish(true);
    }

    fn finish(&mut self, press: bool) {
        let Some(ply) = self.line.last_mut().filter(|ply| ply.completed.is_none()) else {
            return;
        };
        ply.completed = Some(self.at);
        let (mover, mv, san) = (ply.mover, ply.mv, ply.san.clone());
        if press {
            self.press_clock(mover);
        }
        let (white_ms, black_ms, _) = self.clock.reading(self.at);
        if let Some(ply) = self.line.last_mut() {
            ply.clock_ms = Some((white_ms, black_ms));
        }
        let ply = self.ply_number(self.line.len() - 1);
        let state = MoveState::Completed;
        self.out.push(Output::Move { ply, uci: uci(mv), san, seat: mover, state });
        self.tell_clock();
        let made = self.line.len();
        for color in Color::ALL {
            let seat = &mut self.seats[color];
            if seat.plies == made
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
        if self.clock.reading(self.at).2 == Running::None && self.clock.resume(self.at).is_none() {
            self.clock.start(self.at, mover);
        }
        let running = if mover.is_white() { Running::White } else { Running::Black };
        if self.clock.reading(self.at).2 == running {
            self.clock.press(self.at);
        }
    }

    /// The opponent moves although the clock was never pressed: the made move stands.
    fn complete_by_reply(&mut self) {
        if self.line.last().is_none_or(|ply| ply.completed.is_some()) {
            return;
        }
        // A clock that nobody ever started is not in use.
        let in_use = self.clock.reading(self.at).2 != Running::None;
        self.finish(in_use);
    }

    fn end_if_over(&mut self) {
        let position = self.position().clone();
        let winner = !position.turn();
        if position.is_checkmate() {
            let result = if winner.is_white() { "1-0" } else { "0-1" };
            self.end(
                result,
                "checkmate",
                Article::A5_1_1,
                Prompt::Checkmate,
                &[Slot::Player(winner)],
            );
        } else if position.is_stalemate() {
            self.end("1/2-1/2", "stalemate", Article::A5_2_1, Prompt::Stalemate, &[]);
        } else if laws::dead_position(&position) {
            self.end("1/2-1/2", "dead position", Article::A5_2_2, Prompt::DeadPosition, &[]);
        }
    }

    pub(super) fn end(
        &mut self,
        result: &str,
        reason: &str,
        article: Article,
        prompt: Prompt,
        slots: &[Slot<'_>],
    ) {
        if self.ended.is_some() {
            return;
        }
        self.clock.stop(self.at);
        let words = self.words.prompt(prompt, slots);
        self.say(Channel::Public, Urgency::Announcement, words);
        let ended =
            Ended { result: result.to_owned(), reason: reason.to_owned(), article, at: self.at };
        self.out.push(Output::Result {
            result: ended.result.clone(),
            reason: ended.reason.clone(),
            article,
        });
        self.ended = Some(ended);
        self.tell_clock();
    }

    /// A player pressed his side of the clock.
    pub(super) fn pressed(&mut self, color: Color) -> Result<(), Refused> {
        if self.ended.is_some() {
            return Err(Refused::new(Article::A6_11_1, "the game is over"));
        }
        if self.line.last().is_some_and(|ply| ply.mover == color && ply.completed.is_none()) {
            return self.press_after_move(color);
        }
        if color != self.mover() {
            // His lever is down already; before the first move this starts White's clock (6.6).
            if self.line.is_empty() && self.clock.reading(self.at).2 == Running::None {
                return self.start_clock();
            }
            return Ok(());
        }
        if let Some(announced) = self.turn.announced
            && self.turn.executed.as_ref().is_some_and(|executed| executed.mv != announced.mv)
        {
            let text = "the announced and the executed move differ";
            return Err(Refused::new(Article::D_2_4, text)
                .saying(self.words.prompt(Prompt::AnnounceFirst, &[])));
        }
        if self.turn.executed.is_some() {
            let text = "the move is not announced yet";
            return Err(Refused::new(Article::D_2_4, text)
                .saying(self.words.prompt(Prompt::AnnounceFirst, &[])));
        }
        let origin = self.origin(color);
        let on_turn = self.seats[origin].plies == self.line.len();
        let at_ms = self.at.ms;
        let untouched = match &self.seats[origin].board {
            BoardKind::Pegs(tracker) => !on_turn || tracker.diff().is_empty(),
            _ => true,
        };
        if untouched && let Some(announced) = self.turn.announced {
            let pos = self.position();
            let slot = Slot::Move { pos, mv: announced.mv, form: self.form() };
            let words = self.words.prompt(Prompt::ExecuteFirst, &[slot]);
            let text = "the announced move is not executed yet";
            return Err(Refused::new(Article::D_2_4, text).saying(words));
        }
        if untouched {
            let words = self.words.prompt(Prompt::PressedWithoutMove, &[]);
            let text = format!("{} pressed the clock without a move", seat_name(color));
            return Err(Refused::new(Article::A7_5_3, text).saying(words));
        }
        self.on_board(origin, |tracker, felt| tracker.press(at_ms, color, felt))
    }

    /// The move is made; the pegs may meanwhile show something else.
    fn press_after_move(&mut self, color: Color) -> Result<(), Refused> {
        let origin = self.origin(color);
        let at_ms = self.at.ms;
        match &self.seats[origin].board {
            BoardKind::Pegs(tracker) if tracker.executed().is_some() => {
                self.on_board(origin, |tracker, felt| tracker.press(at_ms, color, felt))
            }
            _ => {
                self.complete();
                Ok(())
            }
        }
    }

    /// White's clock is started (6.6).
    pub(super) fn start_clock(&mut self) -> Result<(), Refused> {
        if self.ended.is_some() {
            return Err(Refused::new(Article::A6_6, "the game is over"));
        }
        let mover = self.mover();
        self.clock.start(self.at, mover);
        self.tell_clock();
        Ok(())
    }

    /// A flag that has fallen is claimed once (D.2.10.5, 6.9).
    pub(super) fn look_at_flags(&mut self) {
        if self.ended.is_some() || !self.config.duties.claim {
            return;
        }
        let Some(loser) = self.clock.flag(self.at) else {
            return;
        };
        let winner = !loser;
        let (white_ms, black_ms, _) = self.clock.reading(self.at);
        self.problem(
            Article::D_2_10_5,
            format!("{}'s flag has fallen", seat_name(loser)),
            json!({ "white_ms": white_ms, "black_ms": black_ms }),
        );
        if self.position().has_insufficient_material(winner) {
            let slots = [Slot::Player(loser)];
            self.end(
                "1/2-1/2",
                "flag fall, the opponent cannot mate",
                Article::A6_9,
                Prompt::FlagFellDraw,
                &slots,
            );
        } else {
            let result = if winner.is_white() { "1-0" } else { "0-1" };
            let slots = [Slot::Player(loser), Slot::Player(winner)];
            self.end(result, "flag fall", Article::A6_9, Prompt::FlagFell, &slots);
        }
    }

    /// The board before `seat` that reports moves shows this one.
    pub(super) fn sighted(&mut self, seat: Color, text: &str) -> Result<(), Refused> {
        if !matches!(self.seats[seat].board, BoardKind::Reports) {
            let text = format!("{} has no board that reports moves", seat_name(seat));
            return Err(Refused::new(Article::D_2_5, text));
        }
        let plies = self.seats[seat].plies;
        let Some(before) = self.positions.get(plies) else {
            return Err(Refused::new(Article::D_2_5, "that board is ahead of the game"));
        };
        let read = |position: &shakmaty::Chess| -> Result<Move, String> {
            let uci: UciMove =
                text.parse().map_err(|_| format!("'{text}' is not a move in UCI"))?;
            uci.to_move(position).map_err(|_| {
                let fen = shakmaty::fen::Fen::from_position(position, EnPassantMode::Legal);
                format!("{text} is not legal in {fen}")
            })
        };
        let own = |play: &Play, plies: usize| {
            play.positions.get(plies).is_some_and(|position| position.turn() == seat)
        };
        match read(before) {
            Ok(mv) if plies < self.line.len() => {
                if self.line[plies].mv == mv {
                    self.seats[seat].plies += 1;
                    self.seats[seat].wrong = false;
                } else {
                    self.seats[seat].wrong = true;
                    let expected = self.line[plies].mv;
                    self.problem(
                        Article::D_2_9,
                        "the sighted board shows another move than was made",
                        json!({ "made": uci(expected), "shown": uci(mv) }),
                    );
                    self.tell(Urgency::Alert, Prompt::BoardsDiffer, &[]);
                }
                self.compare_boards();
                Ok(())
            }
            Ok(mv) if own(self, plies) => {
                self.seats[seat].plies += 1;
                let at_ms = self.at.ms;
                self.executed(seat, reported(mv, at_ms));
                self.compare_boards();
                Ok(())
            }
            Ok(_) => {
                Err(Refused::new(Article::D_2_5, format!("{} is not to move", seat_name(seat))))
            }
            // Before his clock is pressed the sighted player's board may report better.
            Err(_)
                if plies == self.line.len()
                    && self
                        .line
                        .last()
                        .is_some_and(|ply| ply.mover == seat && ply.completed.is_none()) =>
            {
                let earlier = self.positions[plies - 1].clone();
                let mv = read(&earlier).map_err(|err| Refused::new(Article::A7_5_1, err))?;
                self.retract();
                let at_ms = self.at.ms;
                self.executed(seat, reported(mv, at_ms));
                self.compare_boards();
                Ok(())
            }
            Err(err) => Err(Refused::new(Article::A7_5_1, err)),
        }
    }
}

/// A move known from a board that reports moves, not lifts.
fn reported(mv: Move, at_ms: u64) -> Executed {
    Executed {
        mv,
        at_ms,
        captured_ms: mv.is_capture().then_some(at_ms),
        placed_ms: at_ms,
        touched: mv.from().into_iter().collect(),
        rook_first: false,
        revises: None,
        by_announcement: false,
    }
}
