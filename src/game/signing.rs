//! The result signed by both players (8.7).

use shakmaty::Color;

use super::{Article, At, Play, Refused};
use crate::phrase::{Prompt, Slot};

/// A player's word that the result is right.
///
/// Source: FIDE 8.7
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Signature {
    /// Who has signed.
    pub by: Color,
    /// When.
    pub at: At,
}

impl Play {
    /// A player signs the result; once.
    pub(super) fn sign(&mut self, by: Color) -> Result<(), Refused> {
        if self.ended.is_none() {
            let words = self.words.prompt(Prompt::NoResultYet, &[]);
            return Err(Refused::new(Article::A8_7, "there is no result to sign yet").saying(words));
        }
        if !self.arbitration.signatures.iter().any(|signature| signature.by == by) {
            self.arbitration.signatures.push(Signature { by, at: self.at });
        }
        self.tell_all(Prompt::Signed, &[Slot::Player(by)]);
        Ok(())
    }
}
