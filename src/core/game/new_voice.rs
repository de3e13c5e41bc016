//! A player whose first announcements are badly heard is told, once, that enrolment helps.

use shakmaty::Color;

use super::{Play, Urgency};
use annabella_words::phrase::{
    Prompt,
    hear::{Heard, HeardDecision},
};

/// How many announcements and requests of a player show how well the voice is heard.
const FIRST: u8 = 12;
/// This many of them asked about, or asked for again, are no accident.
const BAD: u8 = 4;

/// How the first hearings of a player went. The journal has the hypotheses, so a replay gives the
/// same advice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct NewVoice {
    heard: u8,
    bad: u8,
    /// The advice is due.
    due: bool,
}

impl NewVoice {
    fn hear(&mut self, well: bool) {
        if self.heard >= FIRST || self.bad >= BAD {
            return;
        }
        self.heard += 1;
        self.bad += u8::from(!well);
        self.due = self.bad == BAD;
    }
}

impl Play {
    /// Whose voice was heard, and whether well; `None` where it says nothing of the voice.
    pub(super) fn new_voice(
        &self,
        seat: Option<Color>,
        decision: &HeardDecision,
        heard: &Heard,
    ) -> Option<(Color, bool)> {
        let who = self.listener(seat);
        let his_move = self.mover() == who && !self.is_over();
        if self.terms.enrolled[who] || !self.seats[who].blind || !his_move {
            return None;
        }
        // Where others are nearly as loud, everything is asked about. That is not the fault of the
        // voice.
        let limit = self.terms.config.hearing.loud_room_db;
        if heard.above_room_db.is_some_and(|db| f64::from(db.max(0.0)) < limit) {
            return None;
        }
        match decision {
            HeardDecision::Accept { .. } | HeardDecision::Command { .. } => Some((who, true)),
            HeardDecision::Confirm { .. } => Some((who, false)),
            HeardDecision::Again { candidates } if !candidates.is_empty() => Some((who, false)),
            // Talk, answers, and what was heard well and is not legal or not clear.
            _ => None,
        }
    }

    /// Takes a hearing into account.
    pub(super) fn acquaint(&mut self, voice: Option<(Color, bool)>) {
        if let Some((who, well)) = voice {
            self.seats[who].voice.hear(well);
        }
    }

    /// Says it where it disturbs nobody: on his own turn, when his opponent's move is completed, or
    /// after the game.
    pub(super) fn offer_enrolment(&mut self, to: Color) {
        if std::mem::take(&mut self.seats[to].voice.due) {
            self.tell(to, Urgency::Answer, Prompt::EnrolOffer, &[]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(hearings: &str) -> NewVoice {
        let mut voice = NewVoice::default();
        hearings.chars().for_each(|hearing| voice.hear(hearing == '+'));
        voice
    }

    #[test]
    fn four_of_the_first_twelve_are_no_accident() {
        assert!(!after("-+-+-++++").due);
        assert!(after("-+-+-+-").due);
        assert!(after("+++++++++---").heard == FIRST && !after("+++++++++---").due);
        assert!(
            !after("++++++++++++----").due,
            "a bad cold in the middle of the game is no new voice"
        );
    }

    #[test]
    fn it_is_due_once() {
        let mut voice = after("----");
        assert!(std::mem::take(&mut voice.due));
        for _ in 0..20 {
            voice.hear(false);
        }
        assert!(!voice.due);
    }
}
