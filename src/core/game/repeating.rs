//! The opponent's repetition of a move (D.2.1), and what else is said of the last one.

use serde_json::json;
use shakmaty::{Color, Move, Position};

use super::{
    Article, Play, Ply, Urgency,
    reading::{is_asked, read},
    turn::uci,
};
use annabella_words::phrase::{Note, Prompt, Slot, Understood};

impl Play {
    /// Tries to understand the words as ones about the last made move: announced again or corrected
    /// by its player (D.2.8), repeated by his opponent (D.2.1).
    pub(super) fn about_last(&mut self, seat: Option<Color>, text: &str) -> bool {
        let Some(ply) = self.line.last() else {
            return false;
        };
        let (last, mover) = (ply.mv, ply.mover);
        let open = ply.completed.is_none() && !self.is_over();
        let before = self.line.positions()[self.line.len() - 1].clone();
        match read(&self.terms.words, &before, text) {
            understood if names(&understood, last) => {
                self.repeated(seat);
                true
            }
            // Without a known voice it is the blind player's own microphone.
            Understood::Move(mv)
                if open
                    && seat.is_none_or(|seat| seat == mover)
                    && self.may_be_his(seat, mover) =>
            {
                match is_asked(text) {
                    true => self.ask_whether(mv, self.line.len() - 1, None),
                    false => self.corrects(&before, mv),
                }
                true
            }
            Understood::Move(mv) if seat == Some(!mover) => {
                if self.terms.config.repetition {
                    self.repeated_as(mv);
                }
                true
            }
            _ => false,
        }
    }

    /// The words for this capture on the square of the last move, or for castling to the same side,
    /// are those of the last move too, which its opponent has yet to repeat (D.2.1): he says it
    /// again if he means his own move.
    pub(super) fn may_repeat(&self, seat: Option<Color>, mv: Move) -> bool {
        let Some(last) = self.line.last() else { return false };
        let same = match (mv.castling_side(), last.mv.castling_side()) {
            (None, None) => {
                mv.to() == last.mv.to() && mv.role() == last.mv.role() && mv.is_capture()
            }
            (own, others) => own == others,
        };
        let his = seat != Some(last.mover) && last.announced.repeated.is_none();
        // At home nobody waits for a repetition, and on a board without sensors only words tell.
        let only_words = self.terms.config.at_home && self.is_by_word(!last.mover);
        same && his && self.terms.config.repetition && !only_words
    }

    /// These words for a move of the player to move are those of the last move too, or another one
    /// for it: taken for its repetition (D.2.1), or asked about.
    pub(super) fn is_perhaps_of_last(&mut self, seat: Option<Color>, mv: Move, text: &str) -> bool {
        let Some(last) = self.line.last().map(|ply| ply.mv) else { return false };
        let index = self.line.len() - 1;
        let of_last = read(&self.terms.words, &self.line.positions()[index], text);
        if self.may_repeat(seat, mv) && names(&of_last, last) {
            self.repeated(seat);
            self.line.turn.perhaps = Some(mv);
            return true;
        }
        match of_last {
            Understood::Move(other) if self.may_be_second_thought(seat, other) => {
                self.ask_whether(other, index, None);
                true
            }
            _ => false,
        }
    }

    /// Words of which nobody knows who said them are a move of the player to move, and also this
    /// one for the blind player's last move, which is not completed. He has not said that he did
    /// not mean it.
    pub(super) fn may_be_second_thought(&self, seat: Option<Color>, mv: Move) -> bool {
        let blind = |ply: &&Ply| self.seats[ply.mover].blind && seat.is_none() && !self.is_over();
        let open = self.line.open().filter(blind);
        open.is_some_and(|ply| ply.mv != mv) && !self.dialogue.has_denied(mv)
    }

    /// Words in which no voice is known are taken for the player's whose move was executed by hand.
    pub(super) fn may_be_his(&self, seat: Option<Color>, mover: Color) -> bool {
        seat.is_some() || self.seats[mover].blind || !self.seats[mover].has_board()
    }

    /// The last move was said again: by the opponent it is repeated (D.2.1).
    pub(super) fn repeated(&mut self, seat: Option<Color>) {
        self.dialogue.drop_guess();
        let at = self.at;
        if let Some(ply) = self.line.last_mut()
            && seat.is_none_or(|seat| seat != ply.mover)
        {
            ply.announced.repeated.get_or_insert(at);
            self.record_repeated();
        }
    }

    /// Another move than the last one was repeated (D.2.1).
    pub(super) fn repeated_as(&mut self, other: Move) {
        let Some(last) = self.line.last().map(|ply| ply.mv) else {
            return;
        };
        let pos = self.line.positions()[self.line.len() - 1].clone();
        let form = self.form();
        let slot = |mv| Slot::Move { pos: &pos, mv, form };
        let mover = pos.turn();
        self.tell(mover, Urgency::Alert, Prompt::RepeatedWrong, &[slot(last), slot(other)]);
        self.problem(
            Article::D_2_1,
            Note::RepeatedOther,
            json!({ "announced": uci(last), "repeated": uci(other) }),
        );
    }
}

/// The words are those of this move, perhaps of others too.
fn names(understood: &Understood, mv: Move) -> bool {
    match understood {
        Understood::Move(named) => *named == mv,
        Understood::Ambiguous(moves) => moves.contains(&mv),
        _ => false,
    }
}
