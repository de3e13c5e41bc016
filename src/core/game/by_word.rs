//! A peg set without sensors: the player's word says what his hands did.
//!
//! D.2.3 asks for three facts. No sensor shows two of them here: that the captured piece is off the
//! board, and that the moved one stands in its new hole. Either the announcement stands for them,
//! or the player says "ausgeführt" when his hands are done ([`HandsKnown`](super::HandsKnown)). His
//! press of the clock counts as that word too (D.2.4). So does his reply to the opponent's move,
//! since a player who answers a move has it on his board. The record says of each move that it was
//! said, never that it was felt.
//!
//! Where boards differ (D.2.9) the player is asked. Nothing here claims that his board was seen.

use serde_json::json;
use shakmaty::{Color, File, Move, Rank, Square};

use super::{
    Article, Play, Ply, Refused, Urgency,
    dialogue::{Dialogue, Question, Walk},
    seat::SeatBoard,
    turn::{Announced, Turn, reported},
};
use crate::sensing::{Executed, PegStep};
use annabella_words::phrase::{Note, Prompt, Slot, Utterance};

impl Play {
    /// No sensor sees this player's hands: his word counts.
    pub(super) fn is_by_word(&self, color: Color) -> bool {
        let (own, other) = (&self.seats[color], &self.seats[!color]);
        own.is_said() || (!own.has_board() && other.is_said())
    }

    /// Some board is known by word only.
    pub(super) fn is_any_said(&self) -> bool {
        self.seats.iter().any(super::seat::Seat::is_said)
    }

    /// A move was announced and no board can show it.
    pub(super) fn announced_by_word(&mut self, mv: Move) {
        let mover = self.mover();
        let later = matches!(self.seats[mover].board, SeatBoard::Said { at_once: false });
        if self.is_by_word(mover) && !later {
            self.executed_by_word(mv);
        }
    }

    /// Its player says that this move is executed.
    fn executed_by_word(&mut self, mv: Move) {
        let mover = self.mover();
        // A touch is seen or it is none (D.2.2).
        let executed = Executed { touched: Vec::new(), ..reported(mv, self.at.ms) };
        if self.seats[mover].is_said() {
            self.seats[mover].shown.push(executed.clone());
        }
        self.executed(mover, executed);
    }

    /// Repeats the understood move, since no peg can show that another one was meant.
    pub(super) fn echo(&mut self, mv: Move) {
        let mover = self.mover();
        let before = self.line.turn.announced.map(|announced| announced.mv);
        if !self.is_by_word(mover) || before == Some(mv) {
            return;
        }
        let mut words = self.terms.words.announce(self.position(), mv, self.form());
        if self.line.turn.withdrawn || before.is_some() {
            words = self.terms.words.prompt(Prompt::Correction, &[Slot::Words(&words)]);
        }
        if self.terms.config.duties.announce {
            self.say_aloud(Urgency::Announcement, words);
        } else {
            self.tell(mover, Urgency::Answer, Prompt::LastMove, &[Slot::Words(&words)]);
        }
    }

    /// Where the announcement counts, the moves made stand on this board too.
    pub(super) fn copied_by_word(&mut self, color: Color) {
        if matches!(self.seats[color].board, SeatBoard::Said { at_once: true }) {
            self.catch_up(color);
        }
    }

    /// A player who answers a move has executed it on his own board.
    pub(super) fn replies_by_word(&mut self) {
        let mover = self.mover();
        if self.seats[mover].is_said() && self.owed(mover).is_some() {
            self.catch_up(mover);
            self.compare_boards();
        }
    }

    fn catch_up(&mut self, color: Color) {
        let at_ms = self.at.ms;
        while let Some((_, mv)) = self.owed(color) {
            self.seats[color].shown.push(reported(mv, at_ms));
        }
    }

    /// A made move is taken back on every board that is known by word. `true` if nothing else has
    /// to be undone.
    pub(super) fn unmade_by_word(&mut self, ply: &Ply) -> bool {
        let index = self.line.len();
        for color in Color::ALL {
            if self.seats[color].is_said() {
                self.seats[color].shown.truncate(index);
            }
        }
        let all = self.is_by_word(ply.mover);
        if all {
            self.line.turn = Turn { withdrawn: true, ..Turn::default() };
        }
        all
    }

    /// A player who presses after his announcement says by that that his hands are done (D.2.4). Of
    /// a sighted one whose board nobody sees it completes what he has announced (D.2.5): that the
    /// opponent has yet to copy it is a state of the opponent's board.
    pub(super) fn pressed_by_word(&mut self, color: Color) {
        if let Some(mv) = self.announced_only(color) {
            self.executed_by_word(mv);
        } else if let Some(announced) = self.announced_unseen(color) {
            self.executed_unseen(announced.mv);
        }
    }

    /// The players end the game. What a sighted player has announced and played on a board that
    /// nobody sees was made by then (D.2.5), and belongs in both scores (8.1.1).
    pub(super) fn keeps_announced(&mut self) {
        if let Some(announced) = self.announced_unseen(self.mover()) {
            self.executed_unseen(announced.mv);
        }
    }

    /// The move that this player has announced, and that no picture of his board will show.
    pub(super) fn announced_unseen(&self, color: Color) -> Option<Announced> {
        self.line.turn.announced.filter(|_| self.is_unseen_turn(color))
    }

    /// This sighted player is to move, and no picture of his board will show what he plays.
    pub(super) fn is_unseen_turn(&self, color: Color) -> bool {
        let seat = &self.seats[color];
        let unseen = !seat.blind && !seat.is_watched() && seat.correction.is_none();
        unseen && color == self.mover() && !self.is_over()
    }

    /// His clock was pressed before his move was known, and now it is named.
    pub(super) fn names_pressed(&mut self, mv: Move) -> bool {
        let mover = self.mover();
        let waits = self.waiting_press(mover).is_some() && self.is_unseen_turn(mover);
        if waits {
            // Nobody sees whether it was heard right.
            if !self.is_by_word(mover) {
                let words = self.terms.words.announce(self.position(), mv, self.form());
                self.say_aloud(Urgency::Announcement, words);
            }
            self.executed_unseen(mv);
        }
        waits
    }

    fn executed_unseen(&mut self, mv: Move) {
        let mover = self.mover();
        let executed = Executed { touched: Vec::new(), ..reported(mv, self.at.ms) };
        self.line.turn.unseen = true;
        if self.seats[mover].has_board() {
            // Whoever answers a move has it on his board.
            self.catch_up(mover);
            self.seats[mover].shown.truncate(self.line.len());
            self.seats[mover].shown.push(executed.clone());
        }
        self.executed(mover, executed);
    }

    /// The move that this player has announced and not called executed.
    fn announced_only(&self, color: Color) -> Option<Move> {
        let seat = &self.seats[color];
        let his = color == self.mover() && seat.is_said() && seat.correction.is_none();
        let waits = his && self.line.turn.executed.is_none() && !self.is_over();
        self.line.turn.announced.filter(|_| waits).map(|announced| announced.mv)
    }

    /// "Ausgeführt."
    pub(super) fn done_by_word(&mut self, of: Color) {
        let walks = matches!(self.dialogue.question(), Some(Question::Walk(_)));
        if walks && self.dialogue.of() == Some(of) {
            self.walk_on(of, true);
            return;
        }
        if self.seats[of].correction.is_some() && !self.seats[of].is_said() {
            self.asks_whether_right(of);
            return;
        }
        if !self.seats[of].is_said() {
            self.tell_pending(of);
            return;
        }
        if self.step_done(of) {
            return;
        }
        if let Some((_, mv)) = self.owed(of) {
            let at_ms = self.at.ms;
            self.seats[of].shown.push(reported(mv, at_ms));
            self.compare_boards();
        } else if let Some(mv) = self.announced_only(of) {
            self.executed_by_word(mv);
        } else if self.line.open().is_none_or(|ply| ply.mover != of) {
            self.tell(of, Urgency::Answer, Prompt::NothingPending, &[]);
            return;
        }
        if !self.is_over() {
            self.tell(of, Urgency::Answer, Prompt::Noted, &[]);
        }
    }

    /// One step of a board that is put right after a decision is done, he says.
    fn step_done(&mut self, of: Color) -> bool {
        let Some(correction) = &mut self.seats[of].correction else { return false };
        if let Some(step) = correction.steps().first().copied() {
            let (PegStep::Take(square, _) | PegStep::Put(square, _)) = step;
            correction.set(square, matches!(step, PegStep::Put(..)));
        }
        self.correction_went_on(of);
        true
    }

    /// The opponent's board differs on these squares. Reads out the game's pieces there, so that
    /// the hands can compare. There are two boards to think of now, hence the word that it is the
    /// game's.
    pub(super) fn tell_game_on(&mut self, squares: &[Square]) {
        for color in Color::ALL {
            if !self.seats[color].is_said() {
                continue;
            }
            for (n, square) in squares.iter().enumerate() {
                let of_game = (n == 0).then(|| self.terms.words.prompt(Prompt::OfGame, &[]));
                let words = of_game.into_iter().chain([self.square_words(*square)]);
                self.say_in_ear(color, Urgency::Answer, Utterance::joined(words));
            }
        }
    }

    /// "Stellung prüfen": the game's position, file by file; he says whether his board stands so.
    pub(super) fn begins_walk(&mut self, of: Color) -> Result<(), Refused> {
        if !self.seats[of].blind {
            let text = Note::ByWordOnlyBlind;
            return Err(Refused::new(Article::D_2_9, text));
        }
        self.tell(of, Urgency::Answer, Prompt::WalkBegins, &[]);
        self.ask(of, Question::Walk(Walk { file: File::A, rank: None }));
        Ok(())
    }

    /// The question at this point of a walk.
    pub(super) fn walk_words(&self, walk: Walk) -> Utterance {
        let Walk { file, rank } = walk;
        let on_file = |pieces: &[_]| match pieces {
            [] => self.terms.words.prompt(Prompt::FileEmpty, &[Slot::File(file)]),
            pieces => self
                .terms
                .words
                .prompt(Prompt::FileHolds, &[Slot::File(file), Slot::OnFile(pieces)]),
        };
        match rank {
            None => on_file(&self.pieces(|square, _| square.file() == file)),
            Some(rank) => self.square_words(Square::from_coords(file, rank)),
        }
    }

    /// The answer: whether his board stands as read out.
    pub(super) fn walk_on(&mut self, of: Color, so: bool) {
        let Some(Question::Walk(Walk { file, rank })) = self.dialogue.question().cloned() else {
            return;
        };
        let next_file = File::ALL.get(usize::from(file) + 1).copied();
        let next = match (rank, so) {
            (None, false) => {
                self.problem(
                    Article::D_2_9,
                    Note::FileDiffers { player: of, file },
                    json!({ "file": file.to_string(), "said": true }),
                );
                Some(Walk { file, rank: Some(Rank::First) })
            }
            // Told what stands there until his board has it.
            (Some(_), false) => Some(Walk { file, rank }),
            (Some(rank), true) if rank != Rank::Eighth => {
                Some(Walk { file, rank: Rank::ALL.get(usize::from(rank) + 1).copied() })
            }
            (_, true) => next_file.map(|file| Walk { file, rank: None }),
        };
        match next {
            Some(walk) => self.ask(of, Question::Walk(walk)),
            None => {
                self.dialogue = Dialogue::default();
                self.tell(of, Urgency::Answer, Prompt::WalkOver, &[]);
            }
        }
    }
}
