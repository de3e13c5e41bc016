//! The words in which is asked whether something that binds a player is meant.

use shakmaty::Move;

use super::{Play, counted::claimed_by};
use annabella_words::phrase::{Command, Prompt, Slot, SpokenForm, Utterance};

impl Play {
    /// The question before something that cannot be taken back.
    pub(super) fn confirmation(&self, command: Command, intended: Option<Move>) -> Utterance {
        if command == Command::Sign {
            let name = self.terms.words.prompts().first_phrase(command).unwrap_or_default();
            return self.terms.words.asked(name);
        }
        let pos = self.position();
        let slot = intended.map(|mv| Slot::Move { pos, mv, form: SpokenForm::Full });
        let prompt = confirmation(command, intended.is_some());
        self.terms.words.prompt(prompt, slot.as_slice())
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
