//! The result signed by both players (8.7).

use shakmaty::Color;

use super::{Article, At, Play, Refused, dialogue::Question};
use annabella_words::phrase::{Command, Note, Prompt, Slot};

/// A player's word that the result is right.
///
/// Source: FIDE 8.7
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The player who signed.
    pub by: Color,
    pub at: At,
}

impl Play {
    /// One of two blind players signs: a player who has not signed yet is asked by name.
    pub(super) fn somebody_signs(&mut self) -> Result<(), Refused> {
        let first = self.asking();
        let signed = |of| self.arbitration.signatures.iter().any(|signature| signature.by == of);
        let mut open = [first, !first].into_iter().filter(|of| !signed(*of));
        match (open.next().filter(|_| self.is_over()), open.next()) {
            (Some(of), or) => {
                let command = Command::Sign;
                self.ask(of, Question::Command { command, intended: None, unknown: true, or });
                Ok(())
            }
            (None, _) => self.sign(first),
        }
    }

    pub(super) fn may_sign(&self) -> Result<(), Refused> {
        if self.is_over() {
            return Ok(());
        }
        let words = self.terms.words.prompt(Prompt::NoResultYet, &[]);
        Err(Refused::new(Article::A8_7, Note::NoResultToSign).saying(words))
    }

    pub(super) fn sign(&mut self, by: Color) -> Result<(), Refused> {
        self.may_sign()?;
        self.signs(by);
        Ok(())
    }

    /// A player signs the result; once.
    pub(super) fn signs(&mut self, by: Color) {
        if !self.arbitration.signatures.iter().any(|signature| signature.by == by) {
            self.arbitration.signatures.push(Signature { by, at: self.at });
        }
        self.tell_all(Prompt::Signed, &[Slot::Player(by)]);
    }
}
