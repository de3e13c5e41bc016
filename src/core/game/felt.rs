//! Takes the findings of the peg boards into the game.

use serde_json::json;
use shakmaty::{Chess, Color, Move, Piece, Position, Role, Square};

use super::{
    Article, IllegalMove, MovedPiece, Play, Urgency,
    dialogue::Question,
    turn::{Turn, uci},
};
use crate::sensing::{Executed, Fault, Felt, IllegalShape, PegStep};
use annabella_words::phrase::{Note, Prompt, Slot};

impl Play {
    /// Takes in what the board before `seat` made known, in order.
    pub(super) fn felt(&mut self, seat: Color, felt: Vec<Felt>) {
        // Of two moves in one turn the first stands (4.7).
        let stands = felt.iter().any(|felt| matches!(felt, Felt::Illegal { .. }));
        for felt in felt {
            // After the end a board may still follow to the last move; then it is packed up.
            if self.is_over() && self.owed(seat).is_none() && !self.is_wrong(seat) {
                return;
            }
            match felt {
                // What is adjusted is not touched (4.2.1).
                Felt::Touched { adjusting: true, .. } => {}
                Felt::Touched { square, .. } => {
                    let ahead = self.is_touched_ahead(seat);
                    if ahead || self.on_turn(seat) && self.mover() == seat {
                        self.touch_declines(seat, square);
                    }
                }
                Felt::Executed(executed) => self.pegs_executed(seat, executed),
                Felt::TakenBack { .. } => self.pegs_taken_back(seat, !stands),
                Felt::Which { moves, .. } => self.which(seat, &moves),
                Felt::Astray { step, .. } => {
                    match self.turned_pegs(seat) {
                        Some(words) => self.say_in_ear(seat, Urgency::Alert, words),
                        None => self.guide(seat, step),
                    }
                    self.compare_boards();
                }
                Felt::Restored { .. } => self.restored(seat),
                Felt::Illegal { seen, .. } => self.illegal(seat, &seen),
                Felt::PressedWithoutMove { color, .. } => self.pressed_without_move(seat, color),
                Felt::PressedEarly { mv, step, .. } => self.pressed_early(seat, mv, step),
                Felt::PressedHalf { .. } => {
                    self.problem(Article::D_2_4, Note::PressedHalf, json!({}));
                    self.tell(seat, Urgency::Alert, Prompt::PressedWithoutMove, &[]);
                }
                Felt::Displaced { color, .. } => self.problem(
                    Article::A7_4_1,
                    Note::PressedDisplaced { player: color },
                    json!({}),
                ),
                Felt::Pressed { color, .. } => self.pegs_pressed(seat, color),
                Felt::Fault { square, fault, .. } => self.fault(seat, square, fault),
                Felt::CapturedStands { mv, square, piece, .. } => {
                    self.ask(seat, Question::CapturedGone { seat, mv, square, piece });
                }
                Felt::Mended { .. } => {}
                Felt::SetUp { position, .. } => self.set_up(seat, &position),
            }
        }
    }

    /// On his pegs he touched a piece for his move before he has executed the opponent's.
    pub(super) fn is_touched_ahead(&self, seat: Color) -> bool {
        self.seats[seat].tracker().is_some_and(|tracker| tracker.is_touched_ahead())
    }

    fn pegs_executed(&mut self, seat: Color, executed: Executed) {
        let revised = executed.revises.is_some();
        if revised {
            self.seats[seat].shown.pop();
        } else if self.is_wrong(seat) {
            self.set_right(seat);
            return;
        }
        let index = self.seats[seat].shown.len();
        // A revised move of one's own was made already: take it back first.
        if revised && index + 1 == self.line.len() && self.origin(self.line[index].mover) == seat {
            self.retract();
        }
        self.seats[seat].shown.push(executed.clone());
        if index < self.line.len() {
            self.copied(seat, index);
            self.announce_own(seat);
            self.await_copies();
        } else if index == self.line.len() && self.origin(self.mover()) == seat {
            self.executed(seat, executed);
        }
        // The move was executed here before it was made: it is judged then.
        self.compare_boards();
    }

    /// The player announced his move before he executed his opponent's: now the pegs may show it.
    fn announce_own(&mut self, seat: Color) {
        if !self.on_turn(seat) || self.is_wrong(seat) || self.line.turn.executed.is_some() {
            return;
        }
        if let Some(announced) = self.line.turn.announced {
            self.decided(announced.mv);
        }
    }

    fn pegs_taken_back(&mut self, seat: Color, aloud: bool) {
        if self.seats[seat].shown.pop().is_none() {
            return;
        }
        let index = self.seats[seat].shown.len();
        if index + 1 == self.line.len()
            && self.origin(self.line[index].mover) == seat
            && self.is_open_at(index)
        {
            self.retract();
            if self.line.turn.withdrawn && aloud {
                let words = self.terms.words.prompt(Prompt::TakenBack, &[]);
                self.say_aloud(Urgency::Announcement, words);
            }
        } else if self.on_turn(seat) {
            self.line.turn.executed = None;
        } else {
            self.await_copies();
        }
        self.compare_boards();
    }

    pub(super) fn which(&mut self, seat: Color, moves: &[Move]) {
        if let Some((index, mv)) = self.owed(seat) {
            self.tell_owed(seat, Urgency::Alert, index, mv);
            return;
        }
        // The opponent's move, executed before it was announced: the announcement will decide.
        if !self.on_turn(seat) {
            return;
        }
        if let Some(role) = self.seats[seat].doubt.take_named()
            && let Some(mv) = only(moves.iter().filter(|mv| mv.promotion() == Some(role)))
        {
            self.decided(mv);
            return;
        }
        if let [mv] = moves {
            self.ask_whether(*mv, self.line.len(), None);
            return;
        }
        if one_pawn(moves) {
            self.tell(seat, Urgency::Alert, Prompt::WhichPiece, &[]);
            return;
        }
        let position = self.position().clone();
        let form = self.form();
        let slot = |mv: Move| Slot::Move { pos: &position, mv, form };
        match moves {
            [first, second] => {
                let slots = [slot(*first), slot(*second)];
                self.tell(seat, Urgency::Alert, Prompt::WhichMove, &slots);
            }
            _ => {
                let slots = [Slot::Moves { pos: &position, moves }];
                self.tell(seat, Urgency::Alert, Prompt::WhichMoves, &slots);
            }
        }
    }

    fn restored(&mut self, seat: Color) {
        let at_ms = self.at.ms;
        Color::ALL.into_iter().for_each(|color| self.seats[color].conduct.stands_again(at_ms));
        if self.seats[seat].view.goes_astray(false) {
            // "The boards agree again" says it.
            self.compare_boards();
            self.announce_own(seat);
            return;
        }
        match self.owed(seat) {
            Some((index, mv)) => self.tell_owed(seat, Urgency::Answer, index, mv),
            None => self.tell(seat, Urgency::Answer, Prompt::BoardAgrees, &[]),
        }
        self.compare_boards();
    }

    /// The opponent's move is still to be executed on the own board.
    fn tell_owed(&mut self, seat: Color, urgency: Urgency, index: usize, mv: Move) {
        let position = self.line.positions()[index].clone();
        let slot = Slot::Move { pos: &position, mv, form: self.form() };
        self.tell(seat, urgency, Prompt::ExecuteOpponentMove, &[slot]);
    }

    fn guide(&mut self, seat: Color, step: PegStep) {
        match step {
            PegStep::Take(square, Some(piece)) => {
                let slots = [Slot::ColoredPiece(piece), Slot::Square(square)];
                self.tell(seat, Urgency::Answer, Prompt::Take, &slots);
            }
            PegStep::Take(square, None) => {
                self.tell(seat, Urgency::Answer, Prompt::TakeUnknown, &[Slot::Square(square)]);
            }
            PegStep::Put(square, piece) => {
                let slots = [Slot::ColoredPiece(piece), Slot::Square(square)];
                self.tell(seat, Urgency::Answer, Prompt::Put, &slots);
            }
        }
    }

    fn pressed_without_move(&mut self, seat: Color, color: Color) {
        // His pegs show a reply already: what he completes is his own move before it.
        if self.line.open().is_some_and(|ply| ply.mover == color) {
            self.complete();
            return;
        }
        if !self.runs() || !self.illegal_press(color) {
            self.problem(Article::A7_5_3, Note::PressedWithoutMove { player: color }, json!({}));
        }
        self.tell(seat, Urgency::Alert, Prompt::PressedWithoutMove, &[]);
    }

    fn illegal(&mut self, seat: Color, seen: &IllegalShape) {
        self.line.turn = Turn::default();
        // Pieces are off the board and none was set: no move was made.
        if seen.filled.is_empty() && seen.piece.is_none() {
            if self.seats[seen.color].conduct.completes_illegal() {
                self.pressed_without_move(seat, seen.color);
            }
            return;
        }
        // His move may be legal on a board that lies right.
        if let Some(words) = self.turned_pegs(seat) {
            self.say_in_ear(seat, Urgency::Alert, words);
            return;
        }
        if !self.seats[seen.color].conduct.completes_illegal() {
            return;
        }
        let number = self.seats[seen.color].conduct.counts_illegal();
        let piece = |(square, piece): &(Square, Piece)| format!("{}{square}", piece.char());
        self.problem(
            Article::A7_5_1,
            Note::IllegalCompleted { player: seen.color, what: in_notation(seen).into() },
            json!({
                "gone": seen.gone.iter().map(piece).collect::<Vec<_>>(),
                "filled": seen.filled.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "from": seen.piece.map(|(_, from, _)| from.to_string()),
                "to": seen.piece.map(|(_, _, to)| to.to_string()),
                "reason": seen.reason,
                "number": number,
            }),
        );
        self.tell(seat, Urgency::Alert, Prompt::IllegalCompleted, &[]);
        let moved =
            seen.piece.map(|(piece, from, to)| MovedPiece { piece: piece.char(), from, to });
        let article = Article::A7_5_1;
        let illegal = IllegalMove { article, number, moved, beside: None, reported: None };
        self.propose_for_illegal(seen.color, illegal);
    }

    fn pegs_pressed(&mut self, seat: Color, color: Color) {
        let made =
            self.line.last().is_some_and(|ply| ply.mover == color && ply.completed.is_none());
        if made {
            self.complete();
        } else if self.line.turn.executed.is_some() {
            self.problem(Article::D_2_4, Note::PressedUnannounced, json!({}));
            self.tell(seat, Urgency::Alert, Prompt::AnnounceFirst, &[]);
        }
    }

    fn pressed_early(&mut self, seat: Color, mv: Move, step: Option<PegStep>) {
        let pos = self.position().clone();
        let slot = Slot::Move { pos: &pos, mv, form: self.form() };
        self.problem(Article::D_2_4, Note::PressedUnexecuted, json!({ "announced": uci(mv) }));
        self.tell(seat, Urgency::Alert, Prompt::ExecuteFirst, &[slot]);
        if let Some(step) = step {
            self.guide(seat, step);
        }
    }

    /// Its player says that the captured piece is gone, whatever its reed says.
    pub(super) fn captured_gone(&mut self, seat: Color, mv: Move) {
        let (at_ms, mut felt) = (self.at.ms, Vec::new());
        let Some(tracker) = self.seats[seat].tracker_mut() else { return };
        if tracker.announced() == Some(mv) && tracker.captured_is_gone(at_ms, &mut felt) {
            self.felt(seat, felt);
        } else if let Some(words) = self.next_on_board(seat) {
            self.say_to(seat, Urgency::Answer, words);
        }
    }

    /// The captured piece is not gone: he hears what is to be done.
    pub(super) fn captured_stands(&mut self, of: Color, seat: Color) {
        self.dialogue.drop_question();
        let words = self.next_on_board(seat);
        let words = words.unwrap_or_else(|| self.terms.words.prompt(Prompt::Cancelled, &[]));
        self.say_to(of, Urgency::Answer, words);
    }

    pub(super) fn fault(&mut self, seat: Color, square: Square, fault: Fault) {
        let (prompt, text) = match fault {
            Fault::Dead => (Prompt::ReedDead, Note::ReedDead { square }),
            Fault::Stuck => (Prompt::ReedStuck, Note::ReedStuck { square }),
        };
        let fault = match fault {
            Fault::Dead => "dead",
            Fault::Stuck => "stuck",
        };
        self.problem(Article::D_2_3, text, json!({ "square": square.to_string(), "fault": fault }));
        self.tell(seat, Urgency::Hint, prompt, &[Slot::Square(square)]);
    }

    fn set_up(&mut self, seat: Color, shown: &Chess) {
        if self.position().board() == shown.board() {
            self.tell(seat, Urgency::Answer, Prompt::StartPosition, &[]);
        } else {
            self.problem(
                Article::A7_2_1,
                Note::SetUpAnew,
                json!({ "fen": super::write_fen(shown) }),
            );
        }
        self.reset_board(seat);
    }
}

/// The one that there is, if there is just one.
pub(super) fn only<'a>(mut moves: impl Iterator<Item = &'a Move>) -> Option<Move> {
    moves.next().copied().filter(|_| moves.next().is_none())
}

/// All of them promote the same pawn on the same square.
pub(super) fn one_pawn(moves: &[Move]) -> bool {
    moves
        .iter()
        .all(|mv| mv.is_promotion() && mv.from() == moves[0].from() && mv.to() == moves[0].to())
}

/// What was moved, `Ng1-g3`; where nobody can tell, the squares that changed.
fn in_notation(seen: &IllegalShape) -> String {
    let Some((piece, from, to)) = seen.piece else {
        let gone = seen.gone.iter().map(|(square, _)| square);
        let squares = gone.chain(&seen.filled).map(ToString::to_string);
        return squares.collect::<Vec<_>>().join(", ");
    };
    let letter = match piece.role {
        Role::Pawn => String::new(),
        role => role.upper_char().to_string(),
    };
    format!("{letter}{from}-{to}")
}
