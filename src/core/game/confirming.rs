//! Whether something that binds a player is meant: the words in which that is asked, and "nein".

use shakmaty::{Color, Move};

use super::{Play, Refused, counted::claimed_by, dialogue::Question};
use annabella_words::phrase::{Command, Prompt, Slot, SpokenForm, Utterance};

impl Play {
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

    /// He did not mean it: another move may have been meant, or another player have said it.
    pub(super) fn means_not(
        &mut self,
        of: Color,
        command: Command,
        intended: Option<Move>,
        or: Option<Color>,
    ) -> Result<(), Refused> {
        let claimed = std::mem::take(&mut self.dialogue.claimed);
        match or {
            _ if !claimed.is_empty() => return self.claims_one_of(Some(of), command, &claimed),
            Some(other) => {
                self.ask(other, Question::Command { command, intended, unknown: true, or: None });
            }
            None => self.give_up_question(),
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
