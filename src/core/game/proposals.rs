//! Proposals to the arbiter.

use shakmaty::{ByColor, Color, Position};

use super::{
    ArbiterAct, Article, Call, Decision, IllegalMove, Output, Play, Proposal, ProposalState,
    Refused, Ruled, Signature,
    asked::Began,
    boards::Relation,
    rulings::{Halt, no_such_proposal},
};
use annabella_words::phrase::{Note, Prompt};

/// All proposals, rulings and signatures, and what an arbiter is asked about.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Arbitration {
    pub(super) relation: Relation,
    /// Since when.
    pub(super) began: Began,
    pub(super) proposals: Vec<Proposal>,
    pub(super) rulings: Vec<Ruled>,
    /// Decisions about the position from which the game goes on (D.2.9).
    pub(super) decisions: Vec<Decision>,
    pub(super) signatures: Vec<Signature>,
    /// The call that he has not answered.
    pub(super) call: Option<Call>,
    /// Whose flag was reported to the arbiter, and is still down.
    pub(super) flags_judged: ByColor<bool>,
    /// An arbiter's page is open.
    pub(super) present: bool,
    /// The clocks were stopped for him, and go on by a word once he has decided.
    pub(super) stand_for: bool,
}

impl Play {
    /// Makes a proposal. It takes effect when the arbiter confirms it.
    pub(super) fn propose(
        &mut self,
        article: Article,
        seat: Option<Color>,
        choices: Vec<ArbiterAct>,
        text: Note,
    ) -> u32 {
        self.propose_about(article, seat, choices, text, None)
    }

    /// The same about an illegal move.
    pub(super) fn propose_about(
        &mut self,
        article: Article,
        seat: Option<Color>,
        choices: Vec<ArbiterAct>,
        text: Note,
        illegal: Option<IllegalMove>,
    ) -> u32 {
        let number = u32::try_from(self.arbitration.proposals.len() + 1).unwrap_or(u32::MAX);
        let proposal = Proposal {
            number,
            article,
            seat,
            choices,
            text,
            illegal,
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

    /// What was confirmed waits again.
    pub(super) fn reopen_proposal(&mut self, number: u32) {
        let found = self.arbitration.proposals.iter_mut().find(|p| p.number == number);
        if let Some(proposal) = found {
            proposal.state = ProposalState::Open;
            self.mouth.emit(Output::Proposal(Box::new(proposal.clone())));
        }
    }

    /// An arbiter's page is open now, or none is any more.
    pub(super) fn arbiter_looks(&mut self, open: bool) {
        self.arbitration.present = open;
        self.release_clocks();
    }

    /// An illegal move was completed: where an arbiter looks, the clocks stand until he has
    /// decided.
    ///
    /// Source: FIDE 7.5.1, 7.5.2, 7.5.3
    pub(super) fn stand_for_arbiter(&mut self) {
        if self.arbitration.present && self.runs() && !self.is_over() {
            self.arbitration.stand_for = true;
            self.halt(Halt::Arbiter);
            self.call_out(Prompt::ArbiterDecides);
        }
    }

    /// He has decided what the clocks stood for, or nobody looks any more: a word at the board
    /// starts them.
    pub(super) fn release_clocks(&mut self) {
        let mut open = self.arbitration.proposals.iter().filter(|proposal| proposal.is_open());
        let waits = self.arbitration.present && open.any(|proposal| proposal.illegal.is_some());
        if self.arbitration.stand_for && !waits {
            self.arbitration.stand_for = false;
            if self.course.halted() == Some(Halt::Arbiter) {
                self.course.unhalt();
                self.course.halt(Halt::Player);
            }
        }
    }

    /// The arbiter has yet to decide what may be the result, or which move stands: nothing else
    /// ends the game before that (5.1.1, 5.2: only after moves by 4.2 to 4.7; 6.9, 7.5.5).
    pub(super) fn is_end_in_question(&self) -> bool {
        self.is_asked(|_, act| says_who_wins(act))
    }

    /// The arbiter has yet to decide what may save this player although his flag is down: the time
    /// that he is owed for an illegal move or a wrong claim of his opponent, or a result (6.9,
    /// 7.5.5, 9.5.3). At home nobody decides it.
    pub(super) fn is_owed_judgement(&self, player: Color) -> bool {
        let asked = self.is_asked(|proposal, act| {
            let punishes = matches!(proposal.article, Article::A7_5_5 | Article::A9_5_3);
            let own = proposal.seat == Some(player);
            if punishes { !own } else { says_who_wins(act) }
        });
        asked && !self.terms.config.at_home
    }

    /// The arbiter has yet to say who has lost by his flag or by illegal moves, whether the game
    /// counts (7.2.1, 7.3), or whether the move that has ended it stands: what the players agree
    /// after that is no result.
    pub(super) fn is_lost_in_question(&self) -> bool {
        let ended = self.position().is_game_over() && self.is_end_in_question();
        ended || self.is_asked(|_, act| matches!(act, ArbiterAct::Declare { .. }))
    }

    /// In a game that is not over an open proposal has such a choice.
    fn is_asked(&self, choice: impl Fn(&Proposal, &ArbiterAct) -> bool) -> bool {
        let mut open = self.arbitration.proposals.iter().filter(|proposal| proposal.is_open());
        !self.is_over() && open.any(|of| of.choices.iter().any(|act| choice(of, act)))
    }

    /// What would end the game waits for that.
    pub(super) fn await_decision(&mut self) {
        if self.course.halted() != Some(Halt::Arbiter) {
            self.halt(Halt::Arbiter);
            self.call_out(Prompt::ArbiterDecides);
        }
    }

    /// The game is over, so proposals that only made sense during it lapse.
    pub(super) fn lapse_proposals(&mut self) {
        let lapsed = self.lapse(|_| true);
        self.course.lapses(lapsed.iter().map(|proposal| proposal.number));
    }

    fn lapse(&mut self, void: impl Fn(&Proposal) -> bool) -> Vec<Proposal> {
        let open = self.arbitration.proposals.iter().filter(|proposal| proposal.is_open());
        let lapsed: Vec<Proposal> = open.filter(|proposal| void(proposal)).cloned().collect();
        for proposal in &lapsed {
            self.close_proposal(proposal.number, ProposalState::Lapsed);
        }
        lapsed
    }

    /// A move was made: one that was changed before can stand no more (4.7), unless it is the last.
    pub(super) fn lapse_changed_moves(&mut self) {
        let plies = self.plies();
        self.lapse(|proposal| stands(proposal).is_some_and(|(ply, _)| ply != plies));
    }

    /// A move that would have ended the game was changed.
    pub(super) fn lapse_ends(&mut self) {
        self.lapse(goes_back);
    }

    /// The last move was changed after its piece had been released, and the arbiter has not
    /// decided.
    pub(super) fn is_change_proposed(&self) -> bool {
        let (plies, mut all) = (self.plies(), self.arbitration.proposals.iter());
        all.any(|proposal| {
            proposal.is_open() && stands(proposal).is_some_and(|(ply, _)| ply == plies)
        })
    }

    /// The last move was changed once more. The move that was made first in its place, in UCI: what
    /// was proposed about that lapses.
    pub(super) fn made_first(&mut self) -> Option<String> {
        let plies = self.plies();
        let lapsed = self.lapse(|proposal| stands(proposal).is_some_and(|(ply, _)| ply == plies));
        lapsed.first().and_then(stands).map(|(_, uci)| uci.to_owned())
    }

    /// It was decided to go on after so many plies (D.2.9): what happened after later ones never
    /// was. A move beyond those that are kept, which would have ended the game, is gone.
    pub(super) fn lapse_after(&mut self, plies: u32, kept: u32) {
        let lapsed = self.lapse(|proposal| {
            proposal.plies > plies || (goes_back(proposal) && proposal.plies > kept)
        });
        for proposal in lapsed {
            if let (Some(seat), Some(_)) = (proposal.seat, proposal.illegal) {
                self.uncount_illegal(seat);
            }
        }
        self.made_first();
        self.lapse_changed_moves();
    }

    /// The arbiter has yet to say what a fallen flag means (6.9).
    pub(super) fn is_flag_proposed(&self) -> bool {
        self.is_asked(|proposal, _| proposal.article == Article::A6_9)
    }

    /// The clock was set, and this player's flag is down no more (6.9).
    pub(super) fn lapse_flags(&mut self, of: Color) {
        self.lapse(|proposal| proposal.article == Article::A6_9 && proposal.seat == Some(of));
    }
}

/// What may be the result, or which move stands, depends on it.
fn says_who_wins(act: &ArbiterAct) -> bool {
    matches!(
        act,
        ArbiterAct::Declare { .. } | ArbiterAct::LetStand { .. } | ArbiterAct::GoBack { .. }
    )
}

/// The move would be taken back by this proposal, which ends the game otherwise (4.3).
fn goes_back(proposal: &Proposal) -> bool {
    proposal.choices.iter().any(|act| matches!(act, ArbiterAct::GoBack { .. }))
}

/// The half-move and the move that would stand by this proposal (4.7).
fn stands(proposal: &Proposal) -> Option<(u32, &str)> {
    proposal.choices.iter().find_map(|act| match act {
        ArbiterAct::LetStand { ply, uci } => Some((*ply, uci.as_str())),
        _ => None,
    })
}
