//! A move on its way: executed, announced, made, taken back.

use serde_json::json;
use shakmaty::{ByColor, Chess, Color, Move, Position, san::SanPlus};

use super::{
    Announcement, Article, At, Ended, Handwork, MoveState, Outcome, Output, Play, Ply, Source,
    Urgency, dialogue::Dialogue, touch::Against,
};
use crate::{laws::winnable, sensing::Executed};
use annabella_words::phrase::{Note, Prompt, Slot};

pub(super) use annabella_words::text::uci;

/// An announced move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Announced {
    pub(super) mv: Move,
    pub(super) at: At,
    pub(super) by: Source,
}

/// The move that the player to move is about.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Turn {
    pub(super) executed: Option<Executed>,
    pub(super) announced: Option<Announced>,
    /// An announcement that no longer stands was heard by all and must be corrected aloud.
    pub(super) withdrawn: bool,
    /// The several moves that the words fit.
    pub(super) unclear: Vec<Move>,
    /// The words last said for it name no possible move.
    pub(super) impossible: bool,
    /// He pressed on it, and nobody sees his board: his press makes it (D.2.5).
    pub(super) unseen: bool,
    /// What he executed is no move of his by what he had touched.
    pub(super) against: Option<Against>,
    /// His words were those of the last move too, and taken for its repetition (D.2.1): his press
    /// says that he meant this capture.
    pub(super) perhaps: Option<Move>,
}

/// A move known from a board that reports moves, not lifts.
pub(super) fn reported(mv: Move, at_ms: u64) -> Executed {
    Executed {
        mv,
        at_ms,
        captured_ms: mv.is_capture().then_some(at_ms),
        placed_ms: at_ms,
        touched: mv.from().into_iter().collect(),
        revises: None,
        by_announcement: false,
    }
}

/// Pegs show no difference: the same pawn promotes on the same square.
pub(super) fn alike(a: Move, b: Move) -> bool {
    a.is_promotion() && b.is_promotion() && a.from() == b.from() && a.to() == b.to()
}

/// How a move ends the game. It is completed without a press (6.2.1.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Checkmate,
    Stalemate,
    Dead,
}

impl Play {
    /// A move has ended the game.
    pub(super) fn ends(&mut self, how: Ending) {
        let winner = !self.position().turn();
        self.finish(false);
        let (outcome, reason, article, prompt) = match how {
            Ending::Checkmate => {
                (Outcome::win(winner), Note::Checkmate, Article::A5_1_1, Prompt::Checkmate)
            }
            Ending::Stalemate => {
                (Outcome::Draw, Note::Stalemate, Article::A5_2_1, Prompt::Stalemate)
            }
            Ending::Dead => {
                (Outcome::Draw, Note::DeadPosition, Article::A5_2_2, Prompt::DeadPosition)
            }
        };
        let slots = [Slot::Player(winner)];
        let slots = if how == Ending::Checkmate { &slots[..] } else { &[] };
        self.end(outcome, reason, article, prompt, slots);
    }

    fn step(&mut self, mv: Move, state: MoveState) {
        let position = self.position();
        let san = SanPlus::from_move(position.clone(), mv).to_string();
        let seat = position.turn();
        let ply = self.ply_number(self.line.len());
        let said = state == MoveState::Executed && self.is_by_word(seat);
        self.mouth.emit(Output::Move { ply, uci: uci(mv), san, seat, state, said });
    }

    /// The number of the ply that is played from `positions[index]`; the game's first is 1.
    pub(super) fn ply_number(&self, index: usize) -> u32 {
        u32::try_from(index + 1).unwrap_or(u32::MAX)
    }

    /// The player to move executed a move, on the board before `seat`.
    pub(super) fn executed(&mut self, seat: Color, executed: Executed) {
        if self.is_over() {
            return;
        }
        self.complete_by_reply();
        let (mv, mover) = (executed.mv, self.mover());
        self.step(mv, MoveState::Executed);
        let own = seat == mover;
        let executed = if own { self.with_touched(seat, executed) } else { executed };
        self.line.turn.against = if own { self.check_touch(&executed) } else { None };
        self.line.turn.executed = Some(executed);
        self.offer_lapses(mover);
        // The question was whether he had said this move: the hands answer.
        if self.line.turn.announced.is_none()
            && self.dialogue.asked_about(self.line.len()) == Some(mv)
        {
            self.announced(mv);
            return;
        }
        // The ordinary rules hold for the sighted player (D.2.5): a move on his board is made.
        let ordinary = !self.seats[mover].blind && self.seats[mover].has_board();
        match self.line.turn.announced {
            Some(announced) if announced.mv == mv => {}
            Some(announced) if announced.by == Source::Voice => {
                let position = self.position().clone();
                self.announced_differs(&position, announced.mv, mv);
                if !ordinary {
                    return;
                }
                self.line.turn.withdrawn = true;
                self.announce_for(mv);
            }
            _ if self.terms.config.duties.announce || !self.seats[mover].blind => {
                self.announce_for(mv);
            }
            _ => return,
        }
        self.follow();
    }

    pub(super) fn announced_differs(&mut self, position: &Chess, announced: Move, executed: Move) {
        let form = self.form();
        let slot = |mv| Slot::Move { pos: position, mv, form };
        self.tell(
            self.position().turn(),
            Urgency::Alert,
            Prompt::AnnouncedButExecuted,
            &[slot(announced), slot(executed)],
        );
        self.problem(
            Article::D_2_3,
            Note::AnnouncedNotExecuted,
            json!({ "announced": uci(announced), "executed": uci(executed) }),
        );
    }

    /// The system announces the move for the player (D.2.10.2), or takes the sighted player's
    /// executed move as known.
    fn announce_for(&mut self, mv: Move) {
        let withdrawn = std::mem::take(&mut self.line.turn.withdrawn);
        if !self.terms.config.duties.announce {
            self.line.turn.announced = Some(Announced { mv, at: self.at, by: Source::Board });
            return;
        }
        let mut words = self.terms.words.announce(self.position(), mv, self.form());
        if withdrawn {
            words = self.terms.words.prompt(Prompt::Correction, &[Slot::Words(&words)]);
        }
        self.say_aloud(Urgency::Announcement, words);
        self.line.turn.announced = Some(Announced { mv, at: self.at, by: Source::Assistant });
        self.step(mv, MoveState::Announced);
    }

    /// A deaf player reads the move that was announced beside him (D.2.11).
    fn shows_announced(&mut self, mv: Move) {
        let mover = self.mover();
        if !self.is_by_word(mover) {
            let words = self.terms.words.announce(self.position(), mv, self.form());
            self.show(!mover, &words);
        }
    }

    /// The player to move announced a legal move himself.
    pub(super) fn announced(&mut self, mv: Move) {
        self.replies_by_word();
        self.echo(mv);
        self.shows_announced(mv);
        self.line.turn.announced = Some(Announced { mv, at: self.at, by: Source::Voice });
        self.line.turn.withdrawn = false;
        self.line.turn.impossible = false;
        self.line.turn.unclear.clear();
        self.dialogue = Dialogue::default();
        self.offer_lapses(self.mover());
        self.step(mv, MoveState::Announced);
        if self.names_pressed(mv) {
            return;
        }
        let origin = self.origin(self.mover());
        let at_ms = self.at.ms;
        // The pegs show no piece: it is the one that is named (D.2.8).
        if let Some(executed) = &mut self.line.turn.executed
            && alike(executed.mv, mv)
            && let Some(tracker) = self.seats[origin].tracker_mut()
            && tracker.becomes(mv)
        {
            executed.mv = mv;
            if let Some(shown) = self.seats[origin].shown.last_mut() {
                shown.mv = mv;
            }
        }
        match self.line.turn.executed.as_ref().map(|executed| executed.mv) {
            Some(executed) => {
                // The pegs follow what was said, or need not after all.
                let before = self.position().clone();
                if let Some(tracker) = self.seats[origin].tracker_mut() {
                    tracker.announce_instead(&before, mv);
                }
                if executed == mv {
                    self.follow();
                } else {
                    let position = self.position().clone();
                    self.announced_differs(&position, mv, executed);
                }
            }
            None if self.on_turn(origin) && self.seats[origin].tracker().is_some() => {
                let mut felt = Vec::new();
                if let Some(tracker) = self.seats[origin].tracker_mut() {
                    tracker.announce(at_ms, mv, &mut felt);
                }
                self.felt(origin, felt);
            }
            // Executed once this board shows the moves before it, or its player says so.
            None => self.announced_by_word(mv),
        }
        self.sighted_named(mv);
    }

    /// The move is known but for what the pegs cannot show, and that was named: executed now.
    pub(super) fn decided(&mut self, mv: Move) {
        let origin = self.origin(self.mover());
        let at_ms = self.at.ms;
        let mut felt = Vec::new();
        if let Some(tracker) = self.seats[origin].tracker_mut() {
            tracker.announce(at_ms, mv, &mut felt);
        }
        self.felt(origin, felt);
    }

    /// The announced move is the executed one.
    pub(super) fn is_announced_as_executed(&self) -> bool {
        let executed = self.line.turn.executed.as_ref().map(|executed| executed.mv);
        executed.is_some() && executed == self.line.turn.announced.map(|announced| announced.mv)
    }

    /// The move is executed and announced, and it is the same one (D.2.3); its piece stands where
    /// it went, as far as its player's hands moved it.
    pub(super) fn all_holds(&self) -> bool {
        let board =
            self.seats[self.origin(self.mover())].tracker().filter(|_| !self.line.turn.unseen);
        let stands = |executed: &Executed| board.is_none_or(|board| board.stands(executed.mv));
        self.is_announced_as_executed() && self.line.turn.executed.as_ref().is_some_and(stands)
    }

    /// The move that is executed and announced is made. Why it may be none of its player's.
    pub(super) fn make(&mut self) -> Option<Against> {
        let Turn { executed: Some(executed), announced: Some(announced), against, .. } =
            std::mem::take(&mut self.line.turn)
        else {
            return None;
        };
        let mv = executed.mv;
        let said = self.is_by_word(self.mover());
        self.step(mv, MoveState::Made);
        let mover = self.mover();
        self.seats[mover].doubt.is_settled();
        let owed = self.seats[mover].conduct.moves();
        let no_queen = owed.and_then(|queen| self.look_at_queen(queen, mv));
        if self.timing.late == Some(mover) {
            self.timing.late = None;
        }
        self.timing.shown_late = None;
        self.line.change.moved();
        let san = SanPlus::from_move(self.position().clone(), mv).to_string();
        for color in Color::ALL {
            self.seats[color].doubt.forgets_name();
        }
        self.record_made(mv, announced.by);
        self.line.push(Ply {
            mv,
            san,
            mover,
            hands: Handwork {
                touched: executed.touched,
                captured: executed.captured_ms.map(At::new),
                placed: At::new(executed.placed_ms),
            },
            said,
            announced: Announcement { at: announced.at, by: announced.by, repeated: None },
            made: self.at,
            completed: None,
            clock_ms: None,
        });
        self.dialogue = Dialogue::default();
        self.lapse_changed_moves();
        if self.seats[mover].view.presses(false) {
            let words = self.terms.words.prompt(Prompt::PressPending, &[]);
            self.say_to(mover, Urgency::Alert, words);
        }
        let repeated = self.line.stood_four_times();
        for color in Color::ALL {
            if let Some(tracker) = self.seats[color].tracker_mut() {
                tracker.set_repeated(&repeated);
            }
        }
        against.or(no_queen)
    }

    /// A sighted player's press was known before his move.
    pub(super) fn was_pressed_ahead(&self) -> bool {
        let own = |ply: &Ply| ply.said || !self.seats[ply.mover].blind;
        self.line.open().is_some_and(|ply| own(ply) && self.waiting_press(ply.mover).is_some())
    }

    /// The last move may still be changed on the board or by the word that showed it: it is not
    /// completed, or its player had pressed before and only his opponent's pegs, or a later word,
    /// show what he moved.
    pub(super) fn is_open_at(&self, index: usize) -> bool {
        let last = self.line.last().filter(|_| index + 1 == self.line.len() && !self.is_over());
        last.is_some_and(|ply| ply.completed.is_none() || self.timing.shown_late == Some(index))
    }

    /// Neither player can mate any more, and that is certain (5.2.2): too little material, locked
    /// pawns, or a player in a corner whose few moves all lead there. Looked at after every move,
    /// so a search is made only for the last.
    pub(super) fn is_dead(&self) -> bool {
        winnable::seen_dead(self.position())
    }

    pub(super) fn end(
        &mut self,
        result: Outcome,
        reason: Note,
        article: Article,
        prompt: Prompt,
        slots: &[Slot<'_>],
    ) {
        if self.is_over() {
            return;
        }
        self.dialogue = Dialogue::default();
        self.wishes.offered = ByColor::default();
        self.timing.clock.stop(self.at);
        let words = self.terms.words.prompt(prompt, slots);
        self.say_aloud(Urgency::Announcement, words);
        let ended = Ended { result, reason: reason.clone(), article, at: self.at };
        self.mouth.emit(Output::Result { result, reason, article });
        self.course.ends(ended);
        self.arbitration.signatures.clear();
        self.arbitration.call = None;
        self.lapse_proposals();
        self.tell_clock();
        for color in Color::ALL {
            self.remind_of_score(color);
            self.offer_enrolment(color);
        }
    }
}
