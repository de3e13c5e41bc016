//! An adjourned game goes on: the envelope is opened or lost, and its move is made (Guideline I.7
//! to I.12).

use serde_json::json;
use shakmaty::{Color, Move, Square, uci::UciMove};

use super::{
    ArbiterAct, Article, DrawOffer, Opened, Outcome, Play, ProposalState, Refused, Running, Source,
    Stage, Urgency,
    adjourn::refuse,
    envelope::written_and_touched,
    press::Ahead,
    reading::in_force,
    rulings::Halt,
    seat::SeatBoard,
    turn::{Announced, Turn, reported},
};
use crate::{
    laws::winnable::{Budget, Mate, can_mate},
    notation::NotationError,
    sensing::Executed,
};
use annabella_words::{
    phrase::{Note, Prompt, Slot},
    text::uci,
};

impl Play {
    /// I.9.2: time runs for a player who has not come.
    pub(super) fn reply_is_awaited(&mut self) -> Result<(), Refused> {
        let Some(adjournment) = self.course.adjournment() else { return Ok(()) };
        if adjournment.reply || self.timing.clock.reading(self.at).2 != Running::None {
            return refuse(Article::I_9, Note::ClockRunsAlready);
        }
        self.timing.clock.start(self.at, !adjournment.sealer);
        self.tell_clock();
        Ok(())
    }

    fn set_clocks(&mut self, clock_ms: Option<(u64, u64)>) {
        if let Some((white_ms, black_ms)) = clock_ms {
            self.timing.clock.set(self.at, Color::White, white_ms);
            self.timing.clock.set(self.at, Color::Black, black_ms);
        }
    }

    /// I.5: every peg board is to show the adjourned position again.
    fn set_up_again(&mut self) {
        self.line.turn = Turn::default();
        for color in Color::ALL {
            if matches!(self.seats[color].board, SeatBoard::Pegs(_) | SeatBoard::Said { .. }) {
                self.reset_board(color);
            }
        }
    }

    pub(super) fn opened(&mut self, written: &str, clock_ms: Option<(u64, u64)>) {
        self.set_clocks(clock_ms);
        let sealer = match self.course.adjournment_mut() {
            Some(adjournment) => {
                adjournment.opened = Some(Opened { at: self.at, written: written.to_owned() });
                adjournment.sealer
            }
            None => return,
        };
        let (written, touched) = written_and_touched(written);
        let (paragraph, why) = match in_force(&self.terms.words, self.position(), written) {
            Ok(read) => {
                if read.offers_draw && self.open_offer().is_none() {
                    self.wishes.offered[sealer] = true;
                    let plies = u32::try_from(self.line.len() + 1).unwrap_or(u32::MAX);
                    self.wishes.offers.push(DrawOffer { by: sealer, plies, at: self.at });
                }
                self.sealed_move_is(read.mv, touched);
                return;
            }
            Err(err @ NotationError::Ambiguous { .. }) => ("I.8.1", err),
            Err(err @ (NotationError::Illegal { .. } | NotationError::OtherLetters { .. })) => {
                ("I.8.3", err)
            }
            Err(err) => ("I.8.2", err),
        };
        if let Some(adjournment) = self.course.adjournment_mut() {
            adjournment.stage = Stage::Disputed;
        }
        // Waiting for the decision costs nobody time (6.11.1).
        self.halt(Halt::Arbiter);
        let win = Outcome::win(!sealer);
        let lost = |result| ArbiterAct::Declare { result, article: Article::I_8 };
        let (choices, unless) = match can_mate(self.position(), !sealer, Budget::default()) {
            Mate::Possible { .. } => (vec![lost(win)], None),
            Mate::Impossible { why } => (vec![lost(Outcome::Draw)], Some(why.text())),
            Mate::Undecided => (
                vec![lost(win), lost(Outcome::Draw)],
                Some("a draw if the opponent cannot mate by any series of legal moves (6.9)"),
            ),
        };
        let mut detail = json!({ "written": written, "paragraph": paragraph, "unless": unless });
        // C.3 lets each player write the letters of his own language: the arbiter is asked.
        if let NotationError::OtherLetters { mv, .. } = &why {
            detail["reading"] = uci(*mv).into();
        }
        let text = Note::SealedNotPlayable { player: sealer, why: why.to_string().into() };
        self.problem(Article::I_8, text.clone(), detail);
        self.propose(Article::I_8, Some(sealer), choices, text);
        let words = self.terms.words.prompt(Prompt::SealedInvalid, &[]);
        self.say_aloud(Urgency::Alert, words);
    }

    /// The sealed move is made on the boards and the clock of the other player started (I.9.1).
    /// What its player had touched before binds him as ever (4.3).
    fn sealed_move_is(&mut self, mv: Move, touched: Vec<Square>) {
        let Some(adjournment) = self.course.adjournment() else { return };
        let sealer = adjournment.sealer;
        // A reply was completed when it was sealed.
        let sealed = adjournment.sealed.as_ref().filter(|_| adjournment.reply);
        let completed = sealed.map(|sealed| (sealed.at, sealed.left_ms));
        self.course.adjournment_is_over();
        self.course.unhalt();
        self.set_up_again();
        // Completed when it was sealed: no time is added now, the envelope's stand (I.2.3, I.9.1).
        let (at, clock_ms) = if let Some(completed) = completed {
            completed
        } else {
            let (white_ms, black_ms, running) = self.timing.clock.reading(self.at);
            self.timing.clock.complete_stopped(self.at, sealer);
            if running == Running::None {
                self.timing.clock.start(self.at, !sealer);
            }
            (self.at, (white_ms, black_ms))
        };
        self.timing.ahead = Some(Ahead::new(sealer, at, clock_ms));
        let position = self.position().clone();
        let slot =
            Slot::Move { pos: &position, mv, form: annabella_words::phrase::SpokenForm::Full };
        let words = self.terms.words.prompt(Prompt::SealedMove, &[slot]);
        self.say_aloud(Urgency::Announcement, words);
        let reported = reported(mv, self.at.ms);
        let executed = if touched.is_empty() { reported } else { Executed { touched, ..reported } };
        self.line.turn = Turn {
            against: self.check_touch(&executed),
            executed: Some(executed),
            announced: Some(Announced { mv, at: self.at, by: Source::Voice }),
            ..Turn::default()
        };
        self.follow();
        self.complete();
        // What an envelope says no peg changes.
        self.timing.shown_late = None;
        self.compare_boards();
        self.tells_offers();
    }

    pub(super) fn envelope_lost(&mut self, clock_ms: Option<(u64, u64)>) {
        let Some(adjournment) = self.course.adjournment() else { return };
        let left_ms = adjournment.sealed.as_ref().map(|sealed| sealed.left_ms);
        let sealer = adjournment.sealer;
        self.course.adjournment_is_over();
        self.course.unhalt();
        self.set_up_again();
        // His clock stands until he has made the move that he says he sealed.
        self.timing.clock.start(self.at, sealer);
        self.timing.clock.stop(self.at);
        self.set_clocks(clock_ms.or(left_ms));
        let words = self.terms.words.prompt(Prompt::WhoseMove, &[Slot::Player(sealer)]);
        self.say_aloud(Urgency::Announcement, words);
        self.tell_clock();
        self.tells_offers();
    }

    /// The arbiter reads what was written as this move.
    pub(super) fn read_as(&mut self, text: &str) -> Result<(), Refused> {
        let uci: Option<UciMove> = text.parse().ok();
        let Some(mv) = uci.and_then(|uci| uci.to_move(self.position()).ok()) else {
            let text = Note::GiveUci { text: text.into() };
            return refuse(Article::I_8, text);
        };
        let open =
            |proposal: &&super::Proposal| proposal.is_open() && proposal.article == Article::I_8;
        if let Some(number) =
            self.arbitration.proposals.iter().find(open).map(|proposal| proposal.number)
        {
            self.close_proposal(number, ProposalState::Dismissed);
        }
        self.sealed_move_is(mv, Vec::new());
        Ok(())
    }
}
