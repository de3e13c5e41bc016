//! The phase of a game, with what belongs to it alone.

use super::{Adjournment, Ended, Stage, rulings::Halt, standing::Standing};

/// The phase. What belongs to one phase is nowhere else, so it cannot be left behind.
#[derive(Clone, Debug, PartialEq)]
enum Phase {
    /// The game is played. Its clocks run, or nobody has started them.
    Running,
    /// The clocks stand until somebody says otherwise (6.11).
    Halted(Halt),
    /// A move is being sealed or is sealed (Guideline I). The clocks may be stopped meanwhile.
    Adjourned { adjournment: Box<Adjournment>, halted: Option<Halt> },
    /// There is a result. The arbiter may go back to what was before (8.7).
    Over {
        ended: Box<Ended>,
        before: Box<Phase>,
        /// How many half-moves the walk through the finished game has come to.
        looked: Option<usize>,
    },
}

/// The phase of the game, its last adjournment, and how far the rules have been asked.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Course {
    pub(super) standing: Standing,
    phase: Phase,
    /// The last adjournment that is over.
    adjourned: Option<Box<Adjournment>>,
    /// What had waited for the arbiter when the game ended, by number: it does so again if that
    /// was no end.
    lapsed: Vec<u32>,
}

impl Phase {
    fn of(halted: Option<Halt>) -> Phase {
        halted.map_or(Phase::Running, Phase::Halted)
    }

    fn adjournment(&self) -> Option<&Adjournment> {
        match self {
            Phase::Adjourned { adjournment, .. } => Some(adjournment),
            Phase::Over { before, .. } => before.adjournment(),
            Phase::Running | Phase::Halted(_) => None,
        }
    }

    fn adjournment_mut(&mut self) -> Option<&mut Box<Adjournment>> {
        match self {
            Phase::Adjourned { adjournment, .. } => Some(adjournment),
            Phase::Over { before, .. } => before.adjournment_mut(),
            Phase::Running | Phase::Halted(_) => None,
        }
    }

    fn halted(&self) -> Option<Halt> {
        match self {
            Phase::Halted(halt) => Some(*halt),
            Phase::Adjourned { halted, .. } => *halted,
            Phase::Running | Phase::Over { .. } => None,
        }
    }

    fn set_halted(&mut self, to: Option<Halt>) {
        match self {
            Phase::Adjourned { halted, .. } => *halted = to,
            Phase::Over { .. } => {}
            Phase::Running | Phase::Halted(_) => *self = Phase::of(to),
        }
    }

    /// The same without an adjournment, which comes out.
    fn unadjourned(&mut self) -> Option<Box<Adjournment>> {
        match self {
            Phase::Over { before, .. } => before.unadjourned(),
            Phase::Adjourned { halted, .. } => {
                let phase = Phase::of(*halted);
                match std::mem::replace(self, phase) {
                    Phase::Adjourned { adjournment, .. } => Some(adjournment),
                    _ => None,
                }
            }
            Phase::Running | Phase::Halted(_) => None,
        }
    }
}

impl Course {
    /// A game that nobody has stopped.
    pub(super) fn new() -> Course {
        Course {
            standing: Standing::default(),
            phase: Phase::Running,
            adjourned: None,
            lapsed: Vec::new(),
        }
    }

    /// There is a result.
    pub(super) fn is_over(&self) -> bool {
        matches!(self.phase, Phase::Over { .. })
    }

    pub(super) fn ended(&self) -> Option<&Ended> {
        match &self.phase {
            Phase::Over { ended, .. } => Some(ended),
            _ => None,
        }
    }

    /// After so many half-moves the walk through the finished game stands, if somebody walks.
    pub(super) fn looked_at(&self) -> Option<usize> {
        match self.phase {
            Phase::Over { looked, .. } => looked,
            _ => None,
        }
    }

    pub(super) fn looks_at(&mut self, plies: usize) {
        if let Phase::Over { looked, .. } = &mut self.phase {
            *looked = Some(plies);
        }
    }

    /// Why the clocks stand, where somebody has stopped them.
    pub(super) fn halted(&self) -> Option<Halt> {
        self.phase.halted()
    }

    /// How far an adjournment has come that is not over.
    pub(super) fn stage(&self) -> Option<Stage> {
        match &self.phase {
            Phase::Adjourned { adjournment, .. } => Some(adjournment.stage),
            _ => None,
        }
    }

    /// The last adjournment, going on or over.
    pub(super) fn adjournment(&self) -> Option<&Adjournment> {
        self.phase.adjournment().or(self.adjourned.as_deref())
    }

    /// The adjournment that is going on.
    pub(super) fn adjournment_mut(&mut self) -> Option<&mut Adjournment> {
        self.phase.adjournment_mut().map(Box::as_mut)
    }

    /// The clocks stand. The arbiter's stop is not lifted by a player's, and no stop by another one
    /// where the game has left this board.
    pub(super) fn halt(&mut self, halt: Halt) {
        match (self.phase.halted(), halt) {
            (Some(Halt::Arbiter), Halt::Player) | (Some(Halt::Elsewhere), _) => {}
            _ => self.phase.set_halted(Some(halt)),
        }
    }

    /// Nobody's stop stands any more.
    pub(super) fn unhalt(&mut self) {
        self.phase.set_halted(None);
    }

    /// The player to move is asked to seal (I.1).
    pub(super) fn adjourns(&mut self, adjournment: Adjournment) {
        let halted = self.phase.halted();
        self.phase = Phase::Adjourned { adjournment: Box::new(adjournment), halted };
    }

    /// The game goes on, or is not adjourned after all.
    pub(super) fn adjournment_is_over(&mut self) {
        if let Some(mut adjournment) = self.phase.unadjourned() {
            adjournment.stage = Stage::Over;
            self.adjourned = Some(adjournment);
        }
    }

    /// There is a result. Another one that stood is replaced (8.7); nobody's stop stands any more.
    pub(super) fn ends(&mut self, ended: Ended) {
        self.plays_on();
        self.unhalt();
        let before = Box::new(std::mem::replace(&mut self.phase, Phase::Running));
        self.phase = Phase::Over { ended: Box::new(ended), before, looked: None };
    }

    /// These proposals have lapsed with the end.
    pub(super) fn lapses(&mut self, proposals: impl IntoIterator<Item = u32>) {
        self.lapsed.extend(proposals);
    }

    /// They wait again.
    pub(super) fn waits_again(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.lapsed)
    }

    /// The game had not ended after all: as it was before. `false`: it has not.
    pub(super) fn plays_on(&mut self) -> bool {
        match std::mem::replace(&mut self.phase, Phase::Running) {
            Phase::Over { before, .. } => {
                self.phase = *before;
                true
            }
            phase => {
                self.phase = phase;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        game::{At, Invitation, Outcome, Resumption},
        laws::Article,
    };

    fn ended(result: Outcome) -> Ended {
        Ended {
            result,
            reason: annabella_words::phrase::Note::Checkmate,
            article: Article::A12_9,
            at: At::new(7),
        }
    }

    fn adjournment() -> Adjournment {
        Adjournment {
            stage: Stage::Invited,
            sealer: shakmaty::Color::White,
            number: 1,
            plies: 0,
            reply: false,
            invitation: Invitation {
                arbiter: "A. Weber".to_owned(),
                at: At::new(1),
                session_left_ms: None,
            },
            sealed: None,
            offer: None,
            resumption: Resumption::default(),
            opened: None,
        }
    }

    #[test]
    fn the_arbiters_stop_is_not_lifted_by_a_players() {
        let mut course = Course::new();
        course.halt(Halt::Player);
        course.halt(Halt::Arbiter);
        course.halt(Halt::Player);
        assert_eq!(course.halted(), Some(Halt::Arbiter));
        course.halt(Halt::Elsewhere);
        course.halt(Halt::Arbiter);
        assert_eq!(course.halted(), Some(Halt::Elsewhere));
        course.unhalt();
        assert_eq!(course.halted(), None);
    }

    #[test]
    fn after_a_wrong_result_the_game_is_adjourned_as_it_was() {
        let mut course = Course::new();
        course.adjourns(adjournment());
        course.ends(ended(Outcome::Draw));
        assert_eq!((course.is_over(), course.stage()), (true, None));
        assert!(course.adjournment().is_some(), "it stays in the record");
        assert!(course.plays_on());
        assert_eq!(course.stage(), Some(Stage::Invited));
        course.adjournment_is_over();
        assert_eq!(course.stage(), None);
        assert_eq!(course.adjournment().map(|of| of.stage), Some(Stage::Over));
    }

    #[test]
    fn a_result_replaces_one_that_stood_and_nobodys_stop_outlives_it() {
        let mut course = Course::new();
        course.halt(Halt::Arbiter);
        course.ends(ended(Outcome::Draw));
        course.ends(ended(Outcome::Annulled));
        assert_eq!(course.ended().map(|ended| ended.result), Some(Outcome::Annulled));
        assert_eq!(course.halted(), None);
        assert!(course.plays_on());
        assert!(!course.is_over() && course.halted().is_none());
        assert!(!course.plays_on(), "it is not over");
    }
}
