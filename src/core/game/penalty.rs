//! Illegal moves counted, and the penalties that the Laws ask for (7.5.5, 9.5.3, A.3).

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::Color;

use super::{
    ArbiterAct, Article, IllegalMove, MovedPiece, Outcome, Penalty, Play, ProposalState, Refused,
    clock::TimeControl,
};
use crate::{
    laws::winnable::{Budget, Mate, can_mate},
    notation::pgn::clock_text,
};
use annabella_words::{phrase::Note, spelled};

const MINUTE_MS: u64 = 60_000;

spelled! {
    /// The rules in force, on which penalties depend.
    #[derive(Default, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    Rules {
        /// As the time control says (A.1, B.1).
        #[default]
        Auto = "auto",
        /// The competition rules.
        Classical = "classical",
        /// Appendix A.
        Rapid = "rapid",
        /// Appendix B.
        Blitz = "blitz",
    }
}

impl Rules {
    /// The rules under this time control, by the main time plus the bonus for sixty moves: at most
    /// ten minutes (blitz), less than sixty (rapid), or more. Never [`Rules::Auto`].
    ///
    /// Source: FIDE A.1, B.1
    pub fn under(self, control: &TimeControl) -> Rules {
        if self != Rules::Auto {
            return self;
        }
        let main_ms: u64 = control.periods().iter().map(|period| period.base_ms).sum();
        let added_ms: u64 = (1..=60)
            .map(|number| control.periods()[control.period_of_move(number)].bonus.most_ms())
            .sum();
        match main_ms + added_ms {
            0..=600_000 => Rules::Blitz,
            600_001..3_600_000 => Rules::Rapid,
            _ => Rules::Classical,
        }
    }

    /// The opponent's extra time for an illegal move or a wrong claim, milliseconds: two minutes,
    /// one in rapid and blitz.
    ///
    /// Source: FIDE 7.5.5, 9.5.3, A.3, B.3
    pub const fn penalty_ms(self) -> u64 {
        match self {
            Rules::Rapid | Rules::Blitz => MINUTE_MS,
            Rules::Auto | Rules::Classical => 2 * MINUTE_MS,
        }
    }
}

/// The time that an illegal move or a wrong claim gives the opponent, in words.
pub(super) fn minutes(ms: u64) -> Box<Note> {
    Box::new(if ms == MINUTE_MS { Note::OneMinute } else { Note::TwoMinutes })
}

/// Illegal moves are those of 7.5.1 to 7.5.4.
pub(super) fn may_be_illegal(article: Article) -> Result<(), Refused> {
    let known = [Article::A7_5_1, Article::A7_5_2, Article::A7_5_3, Article::A7_5_4];
    if known.contains(&article) {
        return Ok(());
    }
    let text = Note::IllegalMovesAre { article: article.to_string() };
    Err(Refused::new(article, text))
}

impl Play {
    pub(super) fn rules_in_force(&self) -> Rules {
        self.terms.config.rules.under(self.timing.clock.control())
    }

    /// So much is taken from this player's time, and some is left. A flag that falls by it would
    /// end the game at once: the loss of it is another penalty, which the arbiter names (12.9.6).
    pub(super) fn may_take(&self, of: Color, ms: u64) -> Result<(), Refused> {
        let left_ms = self.timing.clock.remaining_ms(self.at, of);
        if ms < left_ms {
            return Ok(());
        }
        let text = Note::TakesAllTime { player: of, time: clock_text(left_ms) };
        Err(Refused::new(Article::A12_9_3, text))
    }

    /// This player has completed an illegal move. The first gives the opponent time. The second
    /// loses, or draws if the opponent cannot mate (7.5.5). The arbiter must confirm it.
    pub(super) fn propose_for_illegal(&mut self, offender: Color, illegal: IllegalMove) {
        self.propose_penalty(offender, illegal);
        self.stand_for_arbiter();
    }

    fn propose_penalty(&mut self, offender: Color, illegal: IllegalMove) {
        let number = illegal.number;
        if number <= 1 {
            let ms = self.rules_in_force().penalty_ms();
            let act =
                ArbiterAct::Penalty { seat: offender, penalty: Penalty::TimeToOpponent { ms } };
            let text =
                Note::FirstIllegal { player: offender, time: minutes(ms), opponent: !offender };
            let seat = Some(offender);
            self.propose_about(Article::A7_5_5, seat, vec![act], text, Some(illegal));
            return;
        }
        let declare = |result| ArbiterAct::Declare { result, article: Article::A7_5_5 };
        let lost = declare(Outcome::win(!offender));
        let drawn = declare(Outcome::Draw);
        let (choices, outcome) = match can_mate(self.position(), !offender, Budget::default()) {
            Mate::Possible { .. } => (vec![lost], Note::Loss),
            Mate::Impossible { .. } => (vec![drawn], Note::DrawNoMate),
            Mate::Undecided => (vec![lost, drawn], Note::LossOrDraw),
        };
        let text = Note::LaterIllegal { number, player: offender, outcome: Box::new(outcome) };
        self.propose_about(Article::A7_5_5, Some(offender), choices, text, Some(illegal));
    }

    /// The arbiter has seen an illegal move that this program could not see; of an article of which
    /// [`may_be_illegal`] knows.
    pub(super) fn illegal_reported(&mut self, offender: Color, article: Article) {
        let number = self.seats[offender].conduct.counts_illegal();
        let text = Note::IllegalReported { player: offender };
        self.problem(article, text, json!({ "number": number }));
        let meant = self.reported_move(offender, article);
        let moved = meant.map(|(_, moved)| moved);
        let reported = Some(meant.map_or(0, |(ply, _)| ply));
        let illegal = IllegalMove { article, number, moved, beside: None, reported };
        self.propose_for_illegal(offender, illegal);
    }

    /// The half-move that the arbiter means: the last one, where it is this player's and may be of
    /// that article.
    fn reported_move(&self, offender: Color, article: Article) -> Option<(u32, MovedPiece)> {
        let last = self.line.last().filter(|ply| ply.mover == offender)?;
        let meant = match article {
            Article::A7_5_1 => true,
            Article::A7_5_2 => last.mv.is_promotion(),
            _ => false,
        };
        let castles = last.mv.castling_side().map(|side| side.king_to(offender));
        let piece = last.mv.role().of(offender).char();
        let to = castles.unwrap_or(last.mv.to());
        let moved = MovedPiece { piece, from: last.mv.from()?, to };
        meant.then_some((self.plies(), moved))
    }

    /// The arbiter does not count an illegal move: proposals for later ones are made again.
    pub(super) fn uncount_illegal(&mut self, offender: Color) {
        let count = self.seats[offender].conduct.uncounts_illegal();
        let later: Vec<(u32, IllegalMove)> = self
            .arbitration
            .proposals
            .iter()
            .filter(|p| p.is_open() && p.article == Article::A7_5_5 && p.seat == Some(offender))
            .filter_map(|p| Some((p.number, p.illegal.clone()?)))
            .collect();
        let behind = (0..later.len() as u32).rev();
        for ((proposal, illegal), behind) in later.into_iter().zip(behind) {
            self.close_proposal(proposal, ProposalState::Lapsed);
            let number = count - behind.min(count);
            self.propose_for_illegal(offender, IllegalMove { number, ..illegal });
        }
    }

    /// The clock was pressed without a move, while it ran: that counts as an illegal move (7.5.3).
    /// More presses of the same turn are one irregularity.
    pub(super) fn illegal_press(&mut self, offender: Color) -> bool {
        let plies = self.plies();
        if self.timing.in_vain == Some((offender, plies)) {
            return false;
        }
        self.timing.in_vain = Some((offender, plies));
        let number = self.seats[offender].conduct.counts_illegal();
        self.problem(
            Article::A7_5_3,
            Note::PressedWithoutMove { player: offender },
            json!({ "number": number }),
        );
        let article = Article::A7_5_3;
        let illegal = IllegalMove { article, number, moved: None, beside: None, reported: None };
        self.propose_for_illegal(offender, illegal);
        true
    }

    /// A wrong claim gives the opponent time (9.5.3), when the arbiter confirms it.
    pub(super) fn propose_for_claim(&mut self, claimant: Color) {
        let ms = self.rules_in_force().penalty_ms();
        let (player, opponent) = (claimant, !claimant);
        let text = Note::WrongClaimOf { player, time: minutes(ms), opponent };
        let act = ArbiterAct::Penalty { seat: claimant, penalty: Penalty::TimeToOpponent { ms } };
        self.propose(Article::A9_5_3, Some(claimant), vec![act], text);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_control_says_which_rules_hold() {
        let rules = |control: &str| {
            Rules::Auto.under(&control.parse::<TimeControl>().expect("a time control"))
        };
        // The two examples of the arbiters' manual for A.1, the one for B.1, and the borders.
        assert_eq!(rules("30+30"), Rules::Classical);
        assert_eq!(rules("10+5"), Rules::Rapid);
        assert_eq!(rules("5+5"), Rules::Blitz);
        assert_eq!(rules("10"), Rules::Blitz);
        assert_eq!(rules("11"), Rules::Rapid);
        assert_eq!(rules("59"), Rules::Rapid);
        assert_eq!(rules("60"), Rules::Classical);
        assert_eq!(rules("5+5d"), Rules::Blitz);
        assert_eq!(rules("10+1b"), Rules::Rapid);
        assert_eq!(rules("40/90+30:30+30"), Rules::Classical);
        assert_eq!(rules("40/25:10"), Rules::Rapid);
        let three: TimeControl = "3+2".parse().expect("a time control");
        assert_eq!(Rules::Classical.under(&three), Rules::Classical);
    }

    #[test]
    fn penalties_are_shorter_in_rapid_and_blitz() {
        assert_eq!(Rules::Classical.penalty_ms(), 120_000);
        assert_eq!(Rules::Rapid.penalty_ms(), 60_000);
        assert_eq!(Rules::Blitz.penalty_ms(), 60_000);
    }
}
