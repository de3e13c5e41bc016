//! The first picture of a board. Before anything counts it is compared with the position that the
//! game begins from: its player is told what is wrong, and led. His word, or the arbiter's, says
//! that it stands right all the same, since a reed may be broken.
//!
//! Source: FIDE 7.2.1

use shakmaty::{Bitboard, Chess, Color, Move, Position};

use super::{Article, Play, Urgency, dialogue::Question, verdict::Missing};
use crate::{
    reconcile::{VisibleBoard, way},
    sensing::Fault,
    sight::Picture,
};
use annabella_words::phrase::{Note, Prompt, Utterance};

/// A board on which so many squares are wrong is being set up: nobody is led yet.
const SET_UP: usize = 12;

impl Play {
    /// Nothing was played, and no board showed anything yet.
    fn nothing_counts_yet(&self, seat: Color) -> bool {
        let none = self.line.is_empty() && self.line.turn.executed.is_none();
        let plays = !self.is_over() && self.adjourning().is_none();
        none && plays && self.seats[seat].shown.is_empty() && self.seats[seat].correction.is_none()
    }

    /// A peg board is read for the first time.
    pub(super) fn compare_first_picture(&mut self, seat: Color) {
        let Some(tracker) = self.seats[seat].tracker().filter(|_| self.nothing_counts_yet(seat))
        else {
            return;
        };
        // Pegs that are being set up are followed as they come.
        if !tracker.is_clearing() && !tracker.diff().is_empty() {
            self.begin_first(seat, &VisibleBoard::Occupied(tracker.occupied()));
        }
    }

    /// A board that is no peg board is seen for the first time. Once the clocks are in use its
    /// judge says what it shows.
    pub(super) fn compare_first_shown(&mut self, seat: Color, picture: &Picture) {
        let early = self.nothing_counts_yet(seat) && !self.clock_in_use();
        if early && !picture.fits(self.position().board()) {
            let seen = match picture {
                Picture::Pieces(board) => VisibleBoard::Pieces(board.clone()),
                Picture::Occupied(occupied) => VisibleBoard::Occupied(*occupied),
            };
            self.begin_first(seat, &seen);
        }
    }

    /// The clocks are to run for the first time. What stood right when it was first seen may stand
    /// wrong by now: then it is put right first.
    pub(super) fn is_unlike_before_start(&mut self) -> bool {
        if self.timing.clock.was_started() {
            return false;
        }
        for seat in Color::ALL {
            let judge = self.seats[seat].judge.as_deref();
            let picture =
                judge.filter(|judge| !judge.is_moving()).and_then(|judge| judge.picture());
            if let Some(picture) = picture.cloned() {
                self.compare_first_shown(seat, &picture);
            } else if self.seats[seat].tracker().is_some_and(|pegs| pegs.was_read()) {
                self.compare_first_picture(seat);
            }
        }
        self.first_is_wrong().is_some()
    }

    /// Nothing was played yet, and a board shows what it would, or a first move, turned by 180
    /// degrees (2.1).
    pub(super) fn is_turned(&self, shown: Bitboard) -> bool {
        let turned = shown.rotate_180();
        let here = self.position();
        let fits = |position: &Chess| position.board().occupied() == turned;
        let shows = |mv: &Move| here.clone().play(*mv).is_ok_and(|after| fits(&after));
        let early = self.line.is_empty() && turned != shown;
        early && (fits(here) || here.legal_moves().iter().any(shows))
    }

    /// His pegs show so: what he hears.
    pub(super) fn turned_pegs(&self, seat: Color) -> Option<Utterance> {
        let pegs = self.seats[seat].tracker().filter(|pegs| pegs.held_for_move().is_empty())?;
        let turned = self.is_turned(pegs.occupied());
        turned.then(|| self.terms.words.prompt(Prompt::BoardTurned, &[]))
    }

    fn begin_first(&mut self, seat: Color, seen: &VisibleBoard) {
        let target = self.position().board().clone();
        let finding = way(seen, &target);
        let (before, felt) = match seen {
            VisibleBoard::Pieces(board) => (board.clone(), None),
            VisibleBoard::Occupied(occupied) => (target.clone(), Some(*occupied)),
            VisibleBoard::Nothing => return,
        };
        let seen_occupied = before.occupied();
        let wrong: Bitboard = target.occupied() ^ felt.unwrap_or(before.occupied());
        self.begin_correction(seat, &finding, &target, before, felt);
        let squares = wrong.into_iter().map(|square| square.to_string()).collect::<Vec<_>>();
        self.problem(
            Article::A7_2_1,
            Note::BoardShowsOther { player: seat },
            serde_json::json!({ "squares": squares, "first": true }),
        );
        let Some(correction) = &mut self.seats[seat].correction else { return };
        correction.first = true;
        if self.is_turned(felt.unwrap_or(seen_occupied)) {
            let words = self.terms.words.prompt(Prompt::BoardTurned, &[]);
            let words = self.for_player(seat, words);
            self.say_to(seat, Urgency::Alert, words);
        }
        self.guide_corrections();
        self.compare_boards();
    }

    /// A board that is put right since it was first seen is led step by step, whoever sits before
    /// it.
    pub(super) fn is_first_guided(&self, seat: Color) -> bool {
        let correction = self.seats[seat].correction.as_ref();
        correction.is_some_and(|way| way.first && way.steps().len() < SET_UP)
    }

    /// The board is being put right since it was first seen.
    pub(super) fn is_first_compared(&self, seat: Color) -> bool {
        self.seats[seat].correction.as_ref().is_some_and(|correction| correction.first)
    }

    /// The clocks were not started yet, and a board is seen to stand wrong: no press starts them,
    /// and none completes a move.
    pub(super) fn first_is_wrong(&self) -> Option<Missing> {
        let wrong = |seat: &Color| self.is_first_compared(*seat) && self.seats[*seat].has_board();
        let early = !self.runs() && !self.is_over() && self.course.halted().is_none();
        let player = Color::ALL.into_iter().find(wrong).filter(|_| early)?;
        let words = self.next_on_board(player);
        let words = words.unwrap_or_else(|| self.terms.words.prompt(Prompt::BoardsDiffer, &[]));
        let text = Note::BoardNotCorrected { player };
        Some(Missing { article: Article::D_2_9, text, words: Some(words) })
    }

    /// "Fertig", where something still looks wrong: is it the reed?
    pub(super) fn asks_whether_right(&mut self, seat: Color) {
        self.ask(seat, Question::BoardRight { seat });
    }

    /// Somebody has looked: the board stands right, and what says otherwise is broken.
    pub(super) fn stands_as_told(&mut self, seat: Color) {
        let target = self.position().board().occupied();
        let seen = self.seats[seat].correction.as_ref().map(|correction| correction.occupied());
        self.end_correction(seat);
        let wrong = seen.map_or(Bitboard::EMPTY, |seen| seen ^ target);
        if let Some(tracker) = self.seats[seat].tracker_mut() {
            tracker.overlook(wrong);
            for square in wrong {
                let dead = target.contains(square);
                self.fault(seat, square, if dead { Fault::Dead } else { Fault::Stuck });
            }
        }
        self.compare_boards();
    }
}
