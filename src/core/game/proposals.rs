//! What is put before the arbiter.

use shakmaty::Color;

use super::{
    Act, Article, Decision, Output, Play, Proposal, ProposalState, Refused, Ruled, Signature,
    rulings::no_such_proposal, turn::Unmade,
};

/// Everything that was put before the arbiter, what he decided and what was signed.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Arbitration {
    pub(super) proposals: Vec<Proposal>,
    pub(super) rulings: Vec<Ruled>,
    /// Where he decided from which position the game goes on (D.2.9).
    pub(super) decisions: Vec<Decision>,
    pub(super) signatures: Vec<Signature>,
    /// The made move that was taken back last, until another is made.
    pub(super) unmade: Option<Unmade>,
    /// He has been told of this flag.
    pub(super) flag_judged: Option<Color>,
}

impl Play {
    /// Puts something before the arbiter. Nothing is done until he confirms it.
    pub(super) fn propose(
        &mut self,
        article: Article,
        seat: Option<Color>,
        choices: Vec<Act>,
        text: impl Into<String>,
    ) -> u32 {
        let number = u32::try_from(self.arbitration.proposals.len() + 1).unwrap_or(u32::MAX);
        let proposal = Proposal {
            number,
            article,
            seat,
            choices,
            text: text.into(),
            at: self.at,
            plies: self.plies(),
            state: ProposalState::Open,
        };
        self.mouth.emit(Output::Proposal(Box::new(proposal.clone())));
        self.arbitration.proposals.push(proposal);
        number
    }

    pub(super) fn open_proposal(&self, number: u32) -> Result<&Proposal, Refused> {
        self.arbitration
            .proposals
            .iter()
            .find(|proposal| proposal.number == number && proposal.is_open())
            .ok_or_else(|| no_such_proposal(number))
    }

    pub(super) fn close_proposal(&mut self, number: u32, state: ProposalState) {
        let found =
            self.arbitration.proposals.iter_mut().find(|p| p.number == number && p.is_open());
        if let Some(proposal) = found {
            proposal.state = state;
            self.mouth.emit(Output::Proposal(Box::new(proposal.clone())));
        }
    }

    /// The game is over: what only made sense in it needs no decision any more.
    pub(super) fn lapse_proposals(&mut self) {
        let open: Vec<u32> = self
            .arbitration
            .proposals
            .iter()
            .filter(|proposal| proposal.is_open())
            .map(|proposal| proposal.number)
            .collect();
        for number in open {
            self.close_proposal(number, ProposalState::Lapsed);
        }
    }
}
