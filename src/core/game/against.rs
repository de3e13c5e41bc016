//! A move that was none of its player's: he had touched another piece, or left a pawn on its last
//! rank (4.3, 4.4, 4.7.2, 7.5.2).
//!
//! It is reported and never blocked. Where it would end the game it does so only if it was in
//! accordance with those articles, and that is the arbiter's to say.
//!
//! Source: FIDE 5.1.1, 5.2.1, 5.2.2, 9.6

use serde_json::json;
use shakmaty::{Move, Position, Role, Square};

use super::{
    ArbiterAct, Article, Play, Proposal, Refused,
    decision::{DecidedBy, Settling},
    touch::{self, Against},
};
use crate::sensing::Executed;
use annabella_words::{phrase::Note, text::uci};

impl Play {
    /// The executed move against what its player has touched. A difference is reported.
    pub(super) fn check_touch(&mut self, executed: &Executed) -> Option<Against> {
        let mv = executed.mv;
        let released = self.seats[self.mover()].conduct.released_king();
        let released = touch::check_released(released, mv);
        let violation =
            released.or_else(|| touch::check(self.position(), &executed.touched, mv))?;
        let touched: Vec<String> = executed.touched.iter().map(ToString::to_string).collect();
        let (article, text) = (violation.under(), violation.text.clone());
        self.problem(
            article,
            violation.text,
            json!({
                "paragraph": violation.article,
                "touched": touched,
                "must": violation.square.to_string(),
                "uci": uci(mv),
            }),
        );
        Some(Against { article, text })
    }

    /// The last move was none of its player's. If it ends the game the arbiter says whether it
    /// stands.
    pub(super) fn propose_to_end(&mut self, against: Against) {
        let Some(last) = self.line.last().filter(|_| self.ends_here()) else { return };
        let (mover, san) = (last.mover, last.san.as_str().into());
        let back = ArbiterAct::GoBack { ply: self.plies() };
        let stands = ArbiterAct::Note { text: Note::MoveEnds { san } };
        self.propose(against.article, Some(mover), vec![back, stands], against.text);
    }

    /// Nobody has to claim that the game is over in this position (5.1.1, 5.2, 9.6).
    pub(super) fn ends_here(&self) -> bool {
        self.position().is_game_over() || self.is_dead() || self.unclaimed().is_some()
    }

    /// The last made move is taken back, and what its player had touched binds him still. Changes
    /// nothing.
    pub(super) fn may_go_back(&self, ply: u32) -> Result<Settling, Refused> {
        let refused = || Refused::new(Article::A4_3, Note::NotTheLast { ply });
        let last = self.line.last().filter(|_| ply == self.plies()).ok_or_else(refused)?;
        let touched = last.hands.touched.clone();
        let mut moves = self.line.moves();
        moves.pop();
        // What was legal one after another is so without the last.
        let mut settling = self.settling(ply - 1, moves, None).ok_or_else(refused)?;
        settling.touched = touched;
        Ok(settling)
    }

    /// The arbiter has confirmed that a move of the record was illegal: the position before it is
    /// put up again, with what its player had touched (7.5.1), or his pawn becomes a queen (7.5.2).
    pub(super) fn undoes_illegal(&mut self, proposal: &Proposal) {
        if let Some(settling) = self.without_illegal(proposal).filter(|_| !self.is_over()) {
            let by = DecidedBy::Ruling(self.arbitration.rulings.len());
            self.settle_on(&settling, by);
        }
    }

    fn without_illegal(&self, proposal: &Proposal) -> Option<Settling> {
        let illegal = proposal.illegal.as_ref()?;
        let before = illegal.reported?.checked_sub(1)?;
        let index = usize::try_from(before).ok()?;
        // Another one may have been made in its place since.
        let meant = self.line.get(index).filter(|ply| ply.made <= proposal.at)?;
        let mut moves = self.line.moves();
        moves.truncate(index);
        if illegal.article != Article::A7_5_2 {
            let mut settling = self.settling(before, moves, None)?;
            settling.touched = meant.hands.touched.clone();
            return Some(settling);
        }
        let legal = self.line.positions()[index].legal_moves();
        let same = |mv: &&Move| (mv.from(), mv.to()) == (meant.mv.from(), meant.mv.to());
        let queen = *legal.iter().filter(same).find(|mv| mv.promotion() == Some(Role::Queen))?;
        moves.push(queen);
        let open = meant.completed.is_none();
        let mut settling = self.settling(before + 1, moves, None)?;
        settling.open = open;
        Some(settling).filter(|_| queen != meant.mv)
    }

    /// The player to move had touched these before the move that does not stand.
    pub(super) fn bind_to(&mut self, touched: &[Square]) {
        let (mover, at_ms) = (self.mover(), self.at.ms);
        for square in touched {
            self.seats[mover].conduct.touches(*square, at_ms);
        }
    }
}
