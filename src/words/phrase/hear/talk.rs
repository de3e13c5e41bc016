//! Talk near the microphone.

use super::{Heard, HeardDecision, noise::without_noise_around};

/// For this long after talk was heard, milliseconds, a short announcement may be more of it.
const TALK_MS: u64 = 120_000;
/// A file and a rank: much talk is like that.
const SHORT: usize = 2;

/// When somebody talked of something else.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Talk {
    last_ms: Option<u64>,
}

impl Talk {
    /// An utterance at this moment was decided about. One that is near to no phrase is talk.
    pub fn note(&mut self, decision: &HeardDecision, at_ms: u64) {
        if matches!(decision, HeardDecision::Again { candidates } if candidates.is_empty()) {
            self.last_ms = Some(at_ms);
        }
    }

    /// The decision about an utterance that nobody addressed to the system: where others talk, a
    /// move of which two words only were said is asked about.
    pub fn amid(&self, decision: HeardDecision, heard: &Heard, at_ms: u64) -> HeardDecision {
        let talk = self.last_ms.is_some_and(|last_ms| at_ms < last_ms.saturating_add(TALK_MS));
        let said = without_noise_around(heard.best().unwrap_or_default());
        let short = said.split_whitespace().count() <= SHORT;
        match decision {
            HeardDecision::Accept { mv, correction, confidence }
                if talk && short && !mv.is_castle() =>
            {
                HeardDecision::Confirm { mv, correction, confidence, second: None }
            }
            decision => decision,
        }
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Position as _};

    use super::*;

    #[test]
    fn amid_talk_two_words_are_asked_about() {
        let position = Chess::default();
        let mv = position.legal_moves()[0];
        let accept = HeardDecision::Accept { mv, correction: false, confidence: 1.0 };
        let confirm =
            HeardDecision::Confirm { mv, correction: false, confidence: 1.0, second: None };
        let (short, full) = (Heard::text("[unk] eva vier"), Heard::text("bauer eva vier"));
        let mut talk = Talk::default();
        assert_eq!(talk.amid(accept.clone(), &short, 5), accept);
        talk.note(&HeardDecision::Again { candidates: vec![mv] }, 5);
        assert_eq!(talk.amid(accept.clone(), &short, 5), accept, "a move that was not understood");
        talk.note(&HeardDecision::Again { candidates: Vec::new() }, 5);
        assert_eq!(talk.amid(accept.clone(), &short, 5 + TALK_MS - 1), confirm);
        assert_eq!(talk.amid(accept.clone(), &full, 6), accept);
        assert_eq!(talk.amid(accept.clone(), &short, 5 + TALK_MS), accept);
    }
}
