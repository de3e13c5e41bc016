//! The words of questions; whether something that binds a player is meant, and "nein".

use shakmaty::{Color, Move, Position};

use super::{Game, Play, Refused, counted::claimed_by, dialogue::Question};
use annabella_words::phrase::{Command, Prompt, Slot, SpokenForm, Utterance};

impl Game {
    /// Whether the game waits for a yes or no of the player to move: to a question of its own, or
    /// to his opponent's offer of a draw.
    pub fn asks(&self) -> bool {
        let waits = |play: &Play| {
            play.dialogue.question().is_some() || play.is_offered_to(Some(play.mover()))
        };
        self.play.as_deref().is_some_and(waits)
    }
}

impl Play {
    /// The words in which this is asked.
    pub(super) fn question_words(&self, of: Color, question: Question) -> Utterance {
        match question {
            Question::Move { mv, about, .. } => {
                let slot =
                    Slot::Move { pos: &self.line.positions()[about], mv, form: SpokenForm::Asked };
                self.terms.words.prompt(Prompt::ConfirmMove, &[slot])
            }
            Question::Choice { moves, about } => {
                let pos = &self.line.positions()[about];
                let slots = moves.map(|mv| Slot::Move { pos, mv, form: SpokenForm::Asked });
                self.terms.words.prompt(Prompt::ChooseByNumber, &slots)
            }
            Question::Pressed { seat } => {
                self.terms.words.prompt(Prompt::PressedWhichMove, &[Slot::Player(seat)])
            }
            Question::Result { winner } => match winner {
                Some(winner) => {
                    self.terms.words.prompt(Prompt::ResultShownWin, &[Slot::Player(winner)])
                }
                None => self.terms.words.prompt(Prompt::ResultShownDraw, &[]),
            },
            Question::BoardRight { seat } => {
                self.terms.words.prompt(Prompt::BoardRight, &[Slot::Player(seat)])
            }
            Question::CapturedGone { square, piece, .. } => {
                let slots = [Slot::ColoredPiece(piece), Slot::Square(square)];
                self.terms.words.prompt(Prompt::CapturedGone, &slots)
            }
            Question::Walk(walk) => self.walk_words(walk),
            Question::Request(command) => self.terms.words.asks_for(command),
            Question::Instead { .. } => {
                self.terms.words.prompt(Prompt::OrPlayer, &[Slot::Player(of)])
            }
            Question::Score { index } => {
                let pos = &self.line.positions()[index];
                let slots = [Slot::Number(pos.fullmoves().get()), Slot::Player(pos.turn())];
                self.terms.words.prompt(Prompt::ScoreAsk, &slots)
            }
            Question::Command { command, intended, unknown, .. } => {
                self.command_words(of, command, intended, unknown)
            }
        }
    }

    /// The same before something that binds a player: it names him, where anybody may have said it.
    fn command_words(
        &self,
        of: Color,
        command: Command,
        intended: Option<Move>,
        unknown: bool,
    ) -> Utterance {
        if unknown && command == Command::Resign {
            return self.terms.words.prompt(Prompt::ConfirmResignOf, &[Slot::Player(of)]);
        }
        let words = self.confirmation(command, intended);
        let opposite = !self.seats[of].blind && !self.has_page(of);
        if unknown && (self.are_both_blind() || opposite) {
            let name = self.terms.words.prompt(Prompt::OfPlayer, &[Slot::Player(of)]);
            Utterance::joined([name, words])
        } else {
            words
        }
    }

    /// The question before something that cannot be taken back.
    pub(super) fn confirmation(&self, command: Command, intended: Option<Move>) -> Utterance {
        if command == Command::Sign {
            let name = self.terms.words.prompts().first_phrase(command).unwrap_or_default();
            return self.terms.words.asked(name);
        }
        let pos = self.position();
        let slot = intended.map(|mv| Slot::Move { pos, mv, form: SpokenForm::Asked });
        let prompt = confirmation(command, intended.is_some());
        self.terms.words.prompt(prompt, slot.as_slice())
    }

    /// It is asked whether he claims with this move, and he names it: that is a yes (9.2.1, 9.3.1).
    /// Where his words fit several that may be meant, the question stands.
    pub(super) fn names_claimed(
        &mut self,
        seat: Option<Color>,
        named: &[Move],
    ) -> Result<bool, Refused> {
        let of = self.dialogue.of().filter(|of| seat.is_none_or(|seat| seat == *of));
        let (Some(of), Some(Question::Command { command, intended: Some(intended), .. })) =
            (of, self.dialogue.question())
        else {
            return Ok(false);
        };
        let (command, mut meant) = (*command, vec![*intended]);
        meant.extend(&self.dialogue.claimed);
        meant.retain(|mv| named.contains(mv));
        match meant.as_slice() {
            [] => return Ok(false),
            &[mv] => self.answering(|play| play.confirmed(of, command, Some(mv)))?,
            _ => self.put_question(),
        }
        Ok(true)
    }

    /// He did not mean it: another move may have been meant. Or another player has said it, whose
    /// word needs his name.
    pub(super) fn means_not(
        &mut self,
        of: Color,
        command: Command,
        intended: Option<Move>,
        or: Option<Color>,
    ) -> Result<(), Refused> {
        let claimed = std::mem::take(&mut self.dialogue.claimed);
        if !claimed.is_empty() {
            return self.claims_one_of(Some(of), command, &claimed);
        }
        self.give_up_question();
        if let Some(other) = or {
            self.ask(other, Question::Instead { command, intended });
        }
        Ok(())
    }
}

/// The question before something that cannot be taken back.
fn confirmation(command: Command, with_move: bool) -> Prompt {
    if let Some((_, claim)) = claimed_by(command) {
        return claim.asked[usize::from(with_move)];
    }
    match command {
        Command::Resign => Prompt::ConfirmResign,
        Command::AcceptDraw => Prompt::ConfirmAcceptDraw,
        Command::TakeBack => Prompt::ConfirmTakeBack,
        _ => Prompt::ConfirmOfferDraw,
    }
}
