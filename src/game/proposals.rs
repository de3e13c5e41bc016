//! What is put before the arbiter.

use shakmaty::Color;

use super::{
    Act, Article, Output, Play, Proposal, ProposalState, Refused, rulings::no_such_proposal,
};

impl Play {
    /// Puts something before the arbiter. Nothing is done until he confirms it.
    pub(super) fn propose(
        &mut self,
        article: Article,
        seat: Option<Color>,
        choices: Vec<Act>,
        text: impl Into<String>,
    ) -> u32 {
        let number = u32::try_from(self.proposals.len() + 1).unwrap_or(u32::MAX);
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
        self.out.push(Output::Proposal(Box::new(proposal.clone())));
        self.proposals.push(proposal);
        number
    }

    pub(super) fn open_proposal(&self, number: u32) -> Result<&Proposal, Refused> {
        self.proposals
            .iter()
            .find(|proposal| proposal.number == number && proposal.is_open())
            .ok_or_else(|| no_such_proposal(number))
    }

    pub(super) fn close_proposal(&mut self, number: u32, state: ProposalState) {
        let found = self.proposals.iter_mut().find(|p| p.number == number && p.is_open());
        if let Some(proposal) = found {
            proposal.state = state;
            self.out.push(Output::Proposal(Box::new(proposal.clone())));
        }
    }

    /// The game is over: what only made sense in it needs no decision any more.
    pub(super) fn lapse_proposals(&mut self) {
        let open: Vec<u32> = self
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
