//! The boards before the players: which moves each shows, and whether those are the moves made.

use serde_json::json;
use shakmaty::{Board, Chess, Color, File, Move, Position, uci::UciMove};

use super::{
    Article, Boards, Play, Refused, Urgency,
    seat::SeatBoard,
    turn::{reported, uci},
};
use crate::{
    reconcile::{Verdict, reconcile},
    sensing::{Executed, Tracker},
};
use annabella_words::phrase::{Note, Prompt, Slot};

/// How the boards stand to each other, and what was said of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Relation {
    pub(super) boards: Boards,
    /// The last report; a change is reported once.
    pub(super) told: Boards,
    /// The boards differed and do not agree again yet.
    pub(super) differed: bool,
    /// Somebody says that they differ, where no sensor can see it; until the arbiter has decided.
    pub(super) said_to_differ: bool,
    /// Both players heard that the boards differ, and both will hear that they agree again.
    pub(super) aloud: bool,
}

impl Default for Relation {
    fn default() -> Relation {
        Relation {
            boards: Boards::Agree,
            told: Boards::Agree,
            differed: false,
            said_to_differ: false,
            aloud: false,
        }
    }
}

impl Play {
    /// The colour before whom the moves of `mover` are executed first.
    pub(super) fn origin(&self, mover: Color) -> Color {
        if self.seats[mover].has_board() || self.seats[!mover].is_said() { mover } else { !mover }
    }

    /// The board before `seat` shows another move than was made. Only its last one can differ: on a
    /// wrong board no further move is taken in.
    pub(super) fn is_wrong(&self, seat: Color) -> bool {
        let shown = &self.seats[seat].shown;
        let both = shown.len().min(self.line.len());
        both > 0 && shown[both - 1].mv != self.line[both - 1].mv
    }

    /// The made move that the board before `seat` has yet to show.
    pub(super) fn owed(&self, seat: Color) -> Option<(usize, Move)> {
        let index = self.seats[seat].shown.len();
        self.line.get(index).map(|ply| (index, ply.mv))
    }

    /// The next move executed before `seat` is one that the game waits for.
    pub(super) fn on_turn(&self, seat: Color) -> bool {
        self.origin(self.mover()) == seat && self.seats[seat].shown.len() == self.line.len()
    }

    /// The opponent has completed his move, so that this player has the move (1.3), though it is
    /// not executed on his board yet.
    pub(super) fn is_on_move_owing(&self, seat: Color) -> bool {
        let last = self.owed(seat).is_some_and(|(index, _)| index + 1 == self.line.len());
        last && self.mover() == seat && self.line.open().is_none() && !self.is_over()
    }

    /// The other boards have yet to show the moves made.
    pub(super) fn await_copies(&mut self) {
        let at_ms = self.at.ms;
        for color in Color::ALL {
            let Some((_, next)) = self.owed(color) else { continue };
            let mut felt = Vec::new();
            if let Some(tracker) = self.seats[color].tracker_mut()
                // Said twice it would stand for a broken reed.
                && tracker.announced() != Some(next)
            {
                tracker.announce(at_ms, next, &mut felt);
            }
            self.felt(color, felt);
            self.copied_by_word(color);
        }
        self.compare_boards();
    }

    /// A move was just made that the other board may show already.
    pub(super) fn judge_copies(&mut self) {
        let index = self.line.len() - 1;
        for color in Color::ALL {
            if self.seats[color].shown.len() > index {
                self.copied(color, index);
            }
        }
        self.await_copies();
    }

    /// The reply, which was executed while the last move was not made yet.
    pub(super) fn executed_ahead(&self) -> Option<(Color, Executed)> {
        let origin = self.origin(self.mover());
        let ahead = self.seats[origin].shown.get(self.line.len());
        let ahead = ahead.filter(|_| !self.is_over() && !self.is_wrong(origin))?;
        Some((origin, ahead.clone()))
    }

    /// The board before `seat` shows a move where the line has one: is it that?
    pub(super) fn copied(&mut self, seat: Color, index: usize) {
        let (expected, shown) = (self.line[index].mv, self.seats[seat].shown[index].mv);
        let last = self.seats[seat].shown.len() == index + 1;
        if expected == shown {
            self.record_copied(seat, index);
            let closed = self.line[index].completed.is_some() && !self.is_open_at(index);
            if closed
                && last
                && let Some(tracker) = self.seats[seat].tracker_mut()
            {
                tracker.close_at(&self.line.positions()[index + 1]);
            }
            self.compare_boards();
            return;
        }
        if !last {
            self.set_right(seat);
            return;
        }
        let detail = json!({ "announced": uci(expected), "executed": uci(shown) });
        let position = self.line.positions()[index].clone();
        if let Some(tracker) = self.seats[seat].tracker_mut() {
            tracker.announce_instead(&position, expected);
            let form = self.form();
            let slot = |mv| Slot::Move { pos: &position, mv, form };
            self.tell(
                seat,
                Urgency::Alert,
                Prompt::AnnouncedButExecuted,
                &[slot(expected), slot(shown)],
            );
            self.problem(Article::D_2_1, Note::ExecutedOther, detail);
        } else {
            self.problem(Article::D_2_9, Note::SightedShowsOther, detail);
            self.tell(seat, Urgency::Alert, Prompt::BoardsDiffer, &[]);
        }
        self.compare_boards();
    }

    /// Play went on from a wrong move on this peg board: back to the position of the game.
    pub(super) fn set_right(&mut self, seat: Color) {
        self.problem(
            Article::D_2_9,
            Note::BoardShowsOther { player: seat },
            json!({ "fen": super::write_fen(self.position()) }),
        );
        self.tell(seat, Urgency::Alert, Prompt::BoardsDiffer, &[]);
        self.reset_board(seat);
    }

    /// Whatever was executed on this peg board, it is to show the position of the game now.
    pub(super) fn reset_board(&mut self, seat: Color) {
        self.leave_correction(seat);
        if self.origin(self.mover()) == seat {
            self.line.turn.executed = None;
        }
        let at_ms = self.at.ms;
        self.seats[seat].shown = self.line.iter().map(|ply| reported(ply.mv, at_ms)).collect();
        let position = self.position().clone();
        let mut felt = Vec::new();
        if let Some(tracker) = self.seats[seat].tracker_mut() {
            tracker.set_position(position);
            tracker.guide_now(at_ms, &mut felt);
        }
        self.seats[seat].view.goes_astray(!felt.is_empty());
        self.felt(seat, felt);
        self.compare_boards();
    }

    /// A board shows another position than the game, and not only for lack of the last moves.
    pub(super) fn is_astray(&self, seat: Color) -> bool {
        self.seats[seat].has_board() && (self.seats[seat].view.is_astray() || self.is_wrong(seat))
    }

    /// Pegs were bumped, lost or added, and their player is being guided back. One missing piece is
    /// a piece in the hand.
    pub(super) fn is_bumped(&self, seat: Color) -> bool {
        let bumped = |tracker: &Tracker| {
            let diff = tracker.diff();
            let in_hand = diff.extra.is_empty() && diff.missing.count() <= 1;
            tracker.is_guided() && tracker.announced().is_none() && !in_hand
        };
        let seat = &self.seats[seat];
        seat.correction.is_none() && seat.tracker().is_some_and(bumped)
    }

    /// A board shows another position; or nobody knows, and the arbiter is called to compare them
    /// (D.2.9).
    pub(super) fn boards_wait_for(&self) -> Option<Prompt> {
        let astray = Color::ALL.into_iter().any(|color| self.is_astray(color));
        let relation = &self.arbitration.relation;
        match (relation.said_to_differ, relation.boards) {
            (true, _) if !astray => Some(Prompt::CompareBoards),
            (_, Boards::Differ) => Some(Prompt::BoardsDiffer),
            _ => astray.then_some(Prompt::BoardsDiffer),
        }
    }

    pub(super) fn compare_boards(&mut self) {
        let with_board: Vec<Color> =
            Color::ALL.into_iter().filter(|color| self.seats[*color].has_board()).collect();
        self.arbitration.relation.boards = if self.arbitration.relation.said_to_differ
            || with_board.iter().any(|color| self.is_astray(*color) || self.is_bumped(*color))
        {
            Boards::Differ
        } else if with_board.iter().any(|color| self.owed(*color).is_some()) {
            Boards::Pending
        } else {
            Boards::Agree
        };
    }

    /// Somebody says that the boards differ where no sensor sees it: perhaps two pieces were
    /// exchanged. The arbiter compares by hand (D.2.9). `of`: the player who says so.
    pub(super) fn compare_by_hand(&mut self, of: Option<Color>) -> Result<(), Refused> {
        let mut case = self.case();
        case.said_to_differ = true;
        let verdict = reconcile(&case).verdict;
        // All pieces are seen, on both boards.
        if verdict == Verdict::Agree {
            self.tell(of.unwrap_or(self.asking()), Urgency::Answer, Prompt::BoardAgrees, &[]);
            return Ok(());
        }
        self.arbitration.relation.said_to_differ = true;
        self.problem(
            Article::D_2_9,
            of.map_or(Note::AssistantComparesBoards, |player| Note::ComparesBoards { player }),
            json!({ "verdict": verdict.as_str() }),
        );
        if of.is_some() {
            self.halt_if_running();
        }
        self.call_out(Prompt::CompareBoards);
        self.compare_boards();
        Ok(())
    }

    /// Somebody entered how a board stands that reports nothing.
    pub(super) fn board_entered(&mut self, seat: Color, text: &str) -> Result<(), Refused> {
        if matches!(self.seats[seat].board, SeatBoard::Pegs(_)) {
            let text = Note::PegsAreFelt { player: seat };
            return Err(Refused::new(Article::D_2_9, text));
        }
        let placed = text.split_whitespace().next().unwrap_or("");
        // A board may stand as no legal position does: only the pieces are read.
        let Ok(board) = Board::from_ascii_board_fen(placed.as_bytes()) else {
            let shown: String = placed.chars().take(80).collect();
            let text = Note::NotBoardOfFen { text: shown.into() };
            return Err(Refused::new(Article::D_2_9, text));
        };
        if self.seats[seat].correction.is_some() {
            self.correction_seen(seat, &board);
            return Ok(());
        }
        // The last move may not be executed on it yet.
        let last = &self.line.positions()[self.line.positions().len().saturating_sub(2)..];
        let differs = last.iter().all(|position| *position.board() != board);
        self.seats[seat].view.enter(board);
        if differs {
            let case = self.case();
            let text = reconcile(&case).note(&case);
            self.problem(Article::D_2_9, text, json!({ "entered": placed }));
            self.tell_blind(Urgency::Alert, Prompt::BoardsDiffer, &[]);
        }
        Ok(())
    }

    /// Reads the position aloud, file by file, while the boards are compared by hand.
    pub(super) fn read_out(&mut self) {
        for file in File::ALL {
            let pieces = self.pieces(|square, _| square.file() == file);
            let words = if pieces.is_empty() {
                self.terms.words.prompt(Prompt::FileEmpty, &[Slot::File(file)])
            } else {
                self.terms
                    .words
                    .prompt(Prompt::FileHolds, &[Slot::File(file), Slot::OnFile(&pieces)])
            };
            self.say_aloud(Urgency::Answer, words);
        }
    }

    /// The board before `seat` that reports moves shows this one.
    pub(super) fn sighted(&mut self, seat: Color, text: &str, at_ms: u64) -> Result<(), Refused> {
        if !matches!(self.seats[seat].board, SeatBoard::Reports) {
            let text = Note::NoReportingBoard { player: seat };
            return Err(Refused::new(Article::D_2_5, text));
        }
        let read = |position: &Chess| -> Result<Move, Note> {
            let uci: UciMove = text.parse().map_err(|_| Note::NotUci { text: text.into() })?;
            uci.to_move(position).map_err(|_| Note::NotLegalIn {
                uci: text.into(),
                fen: super::write_fen(position).into(),
            })
        };
        let count = self.seats[seat].shown.len();
        // Shown already, by a board that has just come back.
        let last = self.line.last().filter(|ply| count == self.line.len() && ply.mover != seat);
        if last.is_some_and(|ply| uci(ply.mv) == text) && !self.is_wrong(seat) {
            return Ok(());
        }
        // A last move that is wrong or not made yet may be shown again.
        let open = count > self.line.len() || self.is_wrong(seat);
        let base = count - usize::from(open);
        let Some(before) = self.line.positions().get(base) else {
            return Err(Refused::new(Article::D_2_5, Note::AheadOfGame));
        };
        let own = before.turn() == seat;
        match read(before) {
            // He has said nothing, so he hears nothing.
            Ok(_) if base == self.line.len() && self.is_over() => {
                Err(Refused::new(Article::A5_1_1, Note::GameOver))
            }
            Ok(mv) if open && self.seats[seat].shown.last().is_some_and(|last| last.mv == mv) => {
                Ok(())
            }
            Ok(mv) => {
                if open {
                    self.seats[seat].shown.pop();
                }
                self.shows(seat, mv, at_ms);
                Ok(())
            }
            // Before his clock is pressed the sighted player's board may report better.
            Err(err) => {
                let article =
                    if own && base == self.line.len() { Article::A7_5_1 } else { Article::D_2_9 };
                let Some(last) = self.reportable_better(seat).filter(|_| !open) else {
                    return Err(Refused::new(article, err));
                };
                let mv = read(&self.line.positions()[count - 1])
                    .map_err(|err| Refused::new(Article::A7_5_1, err))?;
                if mv != last {
                    self.seats[seat].shown.pop();
                    self.retract();
                    self.shows(seat, mv, at_ms);
                }
                Ok(())
            }
        }
    }

    /// The move that this player has made and not completed, and that his board shows as the last
    /// one.
    fn reportable_better(&self, seat: Color) -> Option<Move> {
        let shown = self.seats[seat].shown.len() == self.line.len() && !self.is_over();
        self.line.open().filter(|ply| shown && ply.mover == seat).map(|ply| ply.mv)
    }

    /// A board that reports moves shows the next one.
    ///
    /// `at_ms`: when the last piece of it came to rest.
    pub(super) fn shows(&mut self, seat: Color, mv: Move, at_ms: u64) {
        let index = self.seats[seat].shown.len();
        // Never before the move that it answers.
        let made_ms = self.line.last().map_or(0, |ply| ply.made.ms);
        let executed = reported(mv, at_ms.max(made_ms));
        self.seats[seat].shown.push(executed.clone());
        if index < self.line.len() {
            self.copied(seat, index);
        } else if seat == self.mover() {
            let executed = self.with_touched(seat, executed);
            self.executed(seat, executed);
        }
        // The board shows the opponent's move before it is made: it is judged then.
        self.compare_boards();
    }
}
