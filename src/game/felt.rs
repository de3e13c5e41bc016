//! What the peg boards make known, taken into the game.

use serde_json::json;
use shakmaty::{Chess, Color, Move, Piece, Position, Square};

use super::{Channel, Output, Play, Urgency, seat_name, turn::uci};
use crate::{
    laws::Article,
    phrase::{Prompt, Slot},
    sensing::{Executed, Fault, Felt, IllegalMove, Step},
};

impl Play {
    /// Takes in what the board before `seat` made known, in order.
    pub(super) fn felt(&mut self, seat: Color, felt: Vec<Felt>) {
        for felt in felt {
            match felt {
                Felt::Touched { .. } => {}
                Felt::Executed(executed) => self.pegs_executed(seat, executed),
                Felt::TakenBack { .. } => self.pegs_taken_back(seat),
                Felt::Which { moves, .. } => self.which(seat, &moves),
                Felt::Astray { step, .. } => self.guide(step),
                Felt::Restored { .. } => self.tell(Urgency::Answer, Prompt::BoardAgrees, &[]),
                Felt::Illegal { seen, .. } => self.illegal(seat, &seen),
                Felt::PressedWithoutMove { color, .. } => {
                    self.problem(
                        Article::A7_5_3,
                        format!("{} pressed the clock without a move", seat_name(color)),
                        json!({}),
                    );
                    self.tell(Urgency::Alert, Prompt::PressedWithoutMove, &[]);
                }
                Felt::PressedEarly { mv, .. } => self.pressed_early(mv),
                Felt::Pressed { color, .. } => self.pegs_pressed(color),
                Felt::Fault { square, fault, .. } => self.fault(square, fault),
                Felt::Mended { .. } => {}
                Felt::SetUp { position, .. } => self.set_up(seat, &position),
            }
        }
    }

    fn pegs_executed(&mut self, seat: Color, executed: Executed) {
        let revised = executed.revises.is_some();
        if revised {
            self.seats[seat].plies -= 1;
        }
        let plies = self.seats[seat].plies;
        self.seats[seat].plies += 1;
        // A revised move of one's own was made already: take it back first.
        if revised && plies + 1 == self.line.len() && self.origin(self.line[plies].mover) == seat {
            self.retract();
        }
        if let Some(ply) = self.line.get(plies) {
            let expected = ply.mv;
            self.copied(seat, plies, expected, executed.mv);
        } else if plies == self.line.len() && self.origin(self.mover()) == seat {
            self.executed(seat, executed);
        }
        // Else the opponent's move was executed here before it was made: judged when it is made.
        self.compare_boards();
    }

    /// A move of the record was executed on the other board too.
    fn copied(&mut self, seat: Color, index: usize, expected: Move, shown: Move) {
        let right = expected == shown;
        self.seats[seat].wrong = !right;
        if right {
            let completed = self.line[index].completed.is_some();
            if let Some(tracker) = self.seats[seat].tracker_mut()
                && completed
            {
                tracker.close();
            }
            self.await_copies();
            return;
        }
        let position = self.positions[index].clone();
        let form = self.form();
        let slot = |mv| Slot::Move { pos: &position, mv, form };
        if let Some(tracker) = self.seats[seat].tracker_mut() {
            tracker.announce_instead(expected);
        }
        self.tell(Urgency::Alert, Prompt::AnnouncedButExecuted, &[slot(expected), slot(shown)]);
        self.problem(
            Article::D_2_1,
            "another move than the announced one was executed on the own board",
            json!({ "announced": uci(expected), "executed": uci(shown) }),
        );
    }

    fn pegs_taken_back(&mut self, seat: Color) {
        self.seats[seat].plies = self.seats[seat].plies.saturating_sub(1);
        self.seats[seat].wrong = false;
        let plies = self.seats[seat].plies;
        if plies + 1 == self.line.len()
            && self.origin(self.line[plies].mover) == seat
            && self.line[plies].completed.is_none()
        {
            self.retract();
            if self.turn.withdrawn {
                let words = self.words.prompt(Prompt::Cancelled, &[]);
                self.say(Channel::Public, Urgency::Announcement, words);
            }
        } else if plies == self.line.len() {
            self.turn.executed = None;
        } else {
            self.await_copies();
        }
        self.compare_boards();
    }

    fn which(&mut self, seat: Color, moves: &[Move]) {
        let Some(position) = self.seats[seat].tracker().map(|tracker| tracker.position().clone())
        else {
            return;
        };
        if let Some(role) = self.seats[seat].named.take()
            && let Some(mv) = moves.iter().find(|mv| mv.promotion() == Some(role))
        {
            self.announced(*mv);
            return;
        }
        let same = |a: &Move, b: &Move| a.from() == b.from() && a.to() == b.to();
        if moves.iter().all(|mv| mv.is_promotion() && same(mv, &moves[0])) {
            self.tell(Urgency::Alert, Prompt::WhichPiece, &[]);
            return;
        }
        let form = self.form();
        let slot = |mv: Move| Slot::Move { pos: &position, mv, form };
        match moves {
            [first, second] => {
                let slots = [slot(*first), slot(*second)];
                self.tell(Urgency::Alert, Prompt::WhichMove, &slots);
            }
            _ => {
                let slots = [Slot::Moves { pos: &position, moves }];
                self.tell(Urgency::Alert, Prompt::WhichMoves, &slots);
            }
        }
    }

    fn guide(&mut self, step: Step) {
        match step {
            Step::Take(square) => {
                self.tell(Urgency::Answer, Prompt::TakeUnknown, &[Slot::Square(square)]);
            }
            Step::Put(square, piece) => {
                let slots = [Slot::ColoredPiece(piece), Slot::Square(square)];
                self.tell(Urgency::Answer, Prompt::Put, &slots);
            }
        }
    }

    fn illegal(&mut self, seat: Color, seen: &IllegalMove) {
        self.seats[seen.color].illegal += 1;
        let piece = |(square, piece): &(Square, Piece)| format!("{}{square}", piece.char());
        self.problem(
            Article::A7_5_1,
            format!("{} completed an illegal move: {}", seat_name(seen.color), seen.reason),
            json!({
                "gone": seen.gone.iter().map(piece).collect::<Vec<_>>(),
                "filled": seen.filled.iter().map(ToString::to_string).collect::<Vec<_>>(),
                "from": seen.piece.map(|(_, from, _)| from.to_string()),
                "to": seen.piece.map(|(_, _, to)| to.to_string()),
                "reason": seen.reason,
                "number": self.seats[seen.color].illegal,
            }),
        );
        self.turn = super::Turn::default();
        debug_assert!(self.seats[seat].tracker().is_some());
        self.tell(Urgency::Alert, Prompt::IllegalCompleted, &[]);
    }

    fn pegs_pressed(&mut self, color: Color) {
        let made =
            self.line.last().is_some_and(|ply| ply.mover == color && ply.completed.is_none());
        if made {
            self.complete();
        } else if self.turn.executed.is_some() {
            self.problem(
                Article::D_2_4,
                "the clock was pressed before the move was announced",
                json!({}),
            );
            self.tell(Urgency::Alert, Prompt::AnnounceFirst, &[]);
        }
    }

    fn pressed_early(&mut self, mv: Move) {
        let pos = self.position().clone();
        let slot = Slot::Move { pos: &pos, mv, form: self.form() };
        self.problem(
            Article::D_2_4,
            "the clock was pressed before the announced move was executed",
            json!({ "announced": uci(mv) }),
        );
        self.tell(Urgency::Alert, Prompt::ExecuteFirst, &[slot]);
    }

    fn fault(&mut self, square: Square, fault: Fault) {
        let (prompt, text) = match fault {
            Fault::Dead => (Prompt::ReedDead, format!("the reed of {square} does not answer")),
            Fault::Stuck => (Prompt::ReedStuck, format!("the reed of {square} always answers")),
        };
        let fault = match fault {
            Fault::Dead => "dead",
            Fault::Stuck => "stuck",
        };
        self.problem(Article::D_2_3, text, json!({ "square": square.to_string(), "fault": fault }));
        self.tell(Urgency::Hint, prompt, &[Slot::Square(square)]);
    }

    fn set_up(&mut self, seat: Color, shown: &Chess) {
        let plies = self.seats[seat].plies;
        let Some(expected) = self.positions.get(plies).cloned() else {
            return;
        };
        if expected.board() == shown.board() {
            self.tell(Urgency::Answer, Prompt::StartPosition, &[]);
            return;
        }
        // The board was set up for a new game while this one still stands there.
        if self.ended.is_none()
            && let Some(tracker) = self.seats[seat].tracker_mut()
        {
            tracker.set_position(expected);
        }
        self.out.push(Output::Problem {
            article: Article::A7_2_1,
            text: "the board was set up anew while the game goes on".to_owned(),
            detail: json!({ "fen": super::write_fen(shown) }),
        });
    }
}
