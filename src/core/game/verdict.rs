//! The verdict on a press of the clock: facts in, one effect out, nothing changed.

use shakmaty::{Color, Position};

use super::{Article, Play, Refused, seat::SeatBoard};
use crate::sensing::Tracker;
use annabella_words::phrase::{Note, Prompt, Slot, Utterance};

/// Why nothing is completed, and what the player hears.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Missing {
    pub(super) article: Article,
    pub(super) text: Note,
    pub(super) words: Option<Utterance>,
}

/// The effect of a press.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Verdict {
    /// The lever was down already, or a press that came late and is known: nothing changes.
    Nothing,
    /// The clock stood before the first move: White's is started (6.6).
    Starts,
    /// The move is made: it is completed (6.2.1).
    Completes,
    /// The pegs show more or less than a made move: they say which.
    Pegs,
    /// The press stands by the ordinary rules (D.2.5). The board's picture will show the move that
    /// it completes.
    Ahead,
    /// His board shows an illegal move: that is completed (7.5.1, 7.5.2).
    Illegal,
    /// No move was made while his clock ran (7.5.3).
    WithoutMove,
    /// Something is missing.
    Early(Missing),
}

/// Something is missing.
fn missing(article: Article, text: Note, words: Option<Utterance>) -> Verdict {
    Verdict::Early(Missing { article, text, words })
}

impl Play {
    /// The effect that a press of this colour has now. Changes nothing.
    pub(super) fn press_comes_to(&self, color: Color) -> Verdict {
        if let Some(barred) = self.press_is_barred(color) {
            return Verdict::Early(barred);
        }
        let late = self.timing.late == Some(color) && !self.has_begun(color);
        self.lever_is_down(color, late).unwrap_or_else(|| self.press_of_turn(color, late))
    }

    /// No press counts now, whatever his move is.
    pub(super) fn press_is_barred(&self, color: Color) -> Option<Missing> {
        if color == self.mover()
            && let Err(Refused { article, text, words, .. }) = self.may_move_openly()
        {
            return Some(Missing { article, text, words });
        }
        self.course.halted()?;
        let words = self.clocks_stand(Some(color));
        let words = words.unwrap_or_else(|| self.terms.words.prompt(Prompt::ClockStopped, &[]));
        let (article, text) = (Article::A6_11_3, Note::ArbiterStartsStopped);
        Some(Missing { article, text, words: Some(words) })
    }

    /// The press of a player whose clock does not run, or who has pressed: what it comes to.
    fn lever_is_down(&self, color: Color, late: bool) -> Option<Verdict> {
        if self.timing.clock.running() == Some(!color) {
            // The lever is down. But where the opponent has not pressed yet, he may be about to
            // reply.
            let heard = self.seats[color].blind && color == self.mover() && !late;
            if !heard && (color != self.mover() || !self.has_begun(color)) {
                return Some(self.replies_to_nothing(color).unwrap_or(Verdict::Nothing));
            }
        }
        // Only one press of a turn waits.
        if self.waiting_press(color).is_some() {
            return Some(Verdict::Nothing);
        }
        let open = self.line.open().map(|ply| ply.mover);
        // The opponent's move is not completed, so the opponent's clock starts (6.6), never the own
        // one.
        if open == Some(!color) && self.timing.clock.running().is_none() {
            let first = !self.timing.clock.was_started();
            return Some(if first { Verdict::Starts } else { Verdict::Nothing });
        }
        None
    }

    /// A blind player's pegs show more than the game has: he replies to a move that was told him,
    /// and that his opponent has yet to make where it counts.
    fn replies_to_nothing(&self, color: Color) -> Option<Verdict> {
        let here = self.position().board().occupied();
        let further = |pegs: &Tracker| (pegs.occupied() & !pegs.blind() & !here).any();
        let early = color != self.mover() && self.seats[color].tracker().is_some_and(further);
        let words = self.terms.words.prompt(Prompt::OpponentMoveMissing, &[]);
        early.then(|| missing(Article::D_2_4, Note::OpponentMoveMissing, Some(words)))
    }

    /// The press of a player who has moved or is to move.
    fn press_of_turn(&self, color: Color, late: bool) -> Verdict {
        let open = self.line.open().map(|ply| ply.mover);
        let turns = color == self.mover() || open == Some(color);
        if turns && self.hands_on(color) && self.seats[color].has_board() {
            return Verdict::Ahead;
        }
        if self.shows_illegal(color).is_some() {
            return Verdict::Illegal;
        }
        if open == Some(color) {
            return match &self.seats[color].board {
                SeatBoard::Pegs(tracker) if tracker.executed().is_some() => Verdict::Pegs,
                _ => Verdict::Completes,
            };
        }
        if color != self.mover() {
            return self.press_before_reply();
        }
        if late {
            return Verdict::Nothing;
        }
        // A move that would be refused now is no move that he can have completed.
        let boards = [self.origin(color), color];
        if let Some(player) = boards.into_iter().find(|at| self.seats[*at].correction.is_some()) {
            let text = Note::BoardNotCorrected { player };
            return missing(Article::D_2_9, text, self.next_on_board(player));
        }
        if !self.seats[color].has_board() {
            return Verdict::Ahead;
        }
        if self.is_wrong(color) || self.seats[color].view.is_astray() {
            let words = self.next_on_board(color);
            let words = words.unwrap_or_else(|| self.terms.words.prompt(Prompt::BoardsDiffer, &[]));
            let text = Note::OwnBoardDiffers;
            return missing(Article::D_2_9, text, Some(words));
        }
        self.opponents_move_missing(color).unwrap_or_else(|| self.press_without_move_made(color))
    }

    /// His board is right and his move is not made: what lacks.
    fn press_without_move_made(&self, color: Color) -> Verdict {
        if matches!(self.seats[color].board, SeatBoard::Reports)
            && self.line.turn.executed.is_none()
        {
            return Verdict::Ahead;
        }
        let slot = |mv| Slot::Move { pos: self.position(), mv, form: self.form() };
        match (&self.line.turn.announced, &self.line.turn.executed) {
            (Some(announced), Some(executed)) => {
                let slots = [slot(announced.mv), slot(executed.mv)];
                let words = self.terms.words.prompt(Prompt::AnnouncedButExecuted, &slots);
                let text = Note::AnnouncedNotExecuted;
                return missing(Article::D_2_4, text, Some(words));
            }
            (None, Some(_)) => {
                let words = self.terms.words.prompt(Prompt::AnnounceFirst, &[]);
                return missing(Article::D_2_4, Note::NotAnnounced, Some(words));
            }
            _ => {}
        }
        self.press_without_execution(color)
    }

    /// The opponent's made move is not executed on this player's board.
    fn opponents_move_missing(&self, color: Color) -> Option<Verdict> {
        let (index, mv) = self.owed(color).filter(|_| self.seats[color].has_board())?;
        let shown = |tracker: &Tracker| tracker.shows_reply_of(color);
        if index + 1 == self.line.len() && self.seats[color].tracker().is_some_and(shown) {
            return Some(Verdict::Pegs);
        }
        let pos = &self.line.positions()[index];
        let slot = Slot::Move { pos, mv, form: self.form() };
        Some(Verdict::Early(Missing {
            article: Article::D_2_4,
            text: Note::OpponentMoveMissing,
            words: Some(self.terms.words.prompt(Prompt::ExecuteOpponentMove, &[slot])),
        }))
    }

    /// The opponent has the move: nothing to complete, but he may wait to hear why.
    fn press_before_reply(&self) -> Verdict {
        if self.timing.clock.running().is_none() {
            return if self.line.is_empty() { Verdict::Starts } else { Verdict::Nothing };
        }
        // His clock runs: the opponent has pressed, and his move is not executed on the pegs yet.
        let announced = self.line.turn.announced.map(|announced| announced.mv);
        let words = match announced {
            Some(mv) => {
                let slot = Slot::Move { pos: self.position(), mv, form: self.form() };
                self.terms.words.prompt(Prompt::ExecuteOpponentMove, &[slot])
            }
            None => self.terms.words.prompt(Prompt::OpponentMoveMissing, &[]),
        };
        Verdict::Early(Missing {
            article: Article::D_2_4,
            text: Note::OpponentMoveMissing,
            words: Some(words),
        })
    }

    /// No move is executed. One may be announced, and pegs may be in the hand.
    fn press_without_execution(&self, color: Color) -> Verdict {
        let (pegs, untouched) = match &self.seats[color].board {
            SeatBoard::Pegs(tracker) => (true, tracker.diff().is_empty()),
            _ => (false, true),
        };
        if !untouched {
            return Verdict::Pegs;
        }
        if let Some(announced) = self.line.turn.announced {
            let slot = Slot::Move { pos: self.position(), mv: announced.mv, form: self.form() };
            return Verdict::Early(Missing {
                article: Article::D_2_4,
                text: Note::NotExecuted,
                words: Some(self.terms.words.prompt(Prompt::ExecuteFirst, &[slot])),
            });
        }
        let told = self.timing.in_vain == Some((color, self.plies()));
        if pegs && self.timing.clock.running() == Some(color) && !told {
            return Verdict::WithoutMove;
        }
        // Nobody has started the clocks: there was nothing to press.
        if !self.timing.clock.was_started() && self.line.is_empty() {
            let words = Some(self.words_to_start());
            return missing(Article::A6_6, Note::ClocksNotStarted, words);
        }
        Verdict::Early(Missing {
            article: Article::A7_5_3,
            text: Note::PressedWithoutMove { player: color },
            words: Some(self.terms.words.prompt(Prompt::PressedWithoutMove, &[])),
        })
    }

    /// The player to move has said or executed something of his next move.
    fn has_begun(&self, color: Color) -> bool {
        let moved = match &self.seats[color].board {
            SeatBoard::Pegs(tracker) => !tracker.diff().is_empty(),
            _ => false,
        };
        let shown = self.seats[color].view.differs().is_some() || self.line.turn.executed.is_some();
        shown || self.line.turn.announced.is_some() || (moved && self.owed(color).is_none())
    }
}
