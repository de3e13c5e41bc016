//! The board before a player that is no peg board: its pictures come in, a [`Judge`] behind the
//! same seat says what they mean, and the game takes that as done on this board.

use serde_json::json;
use shakmaty::{Color, Position, Role, san::SanPlus};

use super::{
    Article, At, BoardSeen, Game, Play, Refused, Urgency, dialogue::Question, door::tells_moves,
    standing::WAITING_PRESS, turn::uci,
};
use crate::{
    reconcile,
    sensing::PegStep,
    sight::{
        Guidance, Picture, Seen, SquareShown,
        judge::{BoardStanding, Finding, IllegalMove, Judge, ShownResult, Stand},
    },
};
use annabella_words::phrase::{Note, Prompt, Slot};

/// A finding makes the game go on, which may lead to the next one. There are never more than an
/// executed move, its answer and the agreement of the boards.
const MOST_ROUNDS: usize = 8;
/// How late a board may see a change made before a press, milliseconds.
const SCAN_MS: u64 = 200;

impl Game {
    /// The guidance on the board before this player, if it is one that reports its picture.
    pub fn guidance(&self, seat: Color) -> Guidance {
        self.play.as_ref().map_or(Guidance::Nothing, |play| play.guidance(seat))
    }

    /// Since when the board before this player is to report how it stands, though nothing on it
    /// seems to have changed: it has not been seen yet, or what was pressed for is not to be seen.
    pub fn wants_picture(&self, seat: Color) -> Option<At> {
        let play = self.play.as_deref()?;
        let judge = play.seats[seat].judge.as_deref().filter(|_| play.adjourning().is_none())?;
        match play.waiting_press(seat) {
            Some(ahead) => Some(ahead.since),
            None if judge.picture().is_none() && !judge.is_moving() => Some(At::default()),
            None => None,
        }
    }
}

impl Play {
    fn guidance(&self, seat: Color) -> Guidance {
        let Some(judge) = self.seats[seat].judge.as_deref() else { return Guidance::Nothing };
        if self.is_over() {
            return Guidance::Nothing;
        }
        match judge.stand().owed {
            // Also where the move that is owed stands already.
            _ if judge.standing() == BoardStanding::Differs => Guidance::Correct(judge.wrong()),
            Some(mv) => {
                let san = SanPlus::from_move(judge.stand().base.clone(), mv).to_string();
                Guidance::Execute { mv, san }
            }
            None => Guidance::Nothing,
        }
    }

    /// Hands are on the board before this player, which is no peg board.
    pub(super) fn hands_on(&self, seat: Color) -> bool {
        self.seats[seat].judge.as_deref().is_some_and(|judge| judge.is_moving())
    }

    /// His board is at rest and shows the move that he has made and not completed.
    pub(super) fn shows_made(&self, seat: Color) -> bool {
        self.seats[seat].judge.as_deref().is_some_and(|judge| {
            let made = judge.stand().made.is_some();
            made && !judge.is_moving() && judge.standing() == BoardStanding::Agrees
        })
    }

    /// A board that is no peg board reports how it stands.
    pub(super) fn board_seen(&mut self, seat: Color, seen: BoardSeen) -> Result<(), Refused> {
        if self.seats[seat].judge.is_none() {
            let text = Note::NoReportingBoard { player: seat };
            return Err(Refused::new(Article::D_2_5, text));
        }
        let now_ms = self.at.ms;
        let at_ms = |ago_ms: u64| now_ms.saturating_sub(ago_ms);
        let seen = match seen {
            BoardSeen::Lifted { square, ago_ms } => Seen::Lifted { square, at_ms: at_ms(ago_ms) },
            BoardSeen::Moving => Seen::Moving { at_ms: now_ms },
            BoardSeen::Still { shown, ago_ms } => {
                let Some(picture) = shown.picture() else {
                    return Err(Refused::new(Article::D_2_9, Note::NoBoardOfFen));
                };
                Seen::Still { picture, at_ms: at_ms(ago_ms) }
            }
            BoardSeen::Lost { why } => {
                self.board_lost(seat, &why);
                Seen::Lost { why, at_ms: now_ms }
            }
            BoardSeen::Back => Seen::Back { at_ms: now_ms },
        };
        if !matches!(seen, Seen::Lost { .. }) {
            self.board_back(seat);
        }
        let picture = match &seen {
            Seen::Still { picture, .. } => Some(picture.clone()),
            _ => None,
        };
        self.note_released_king(seat, now_ms);
        let judge = self.seats[seat].judge.as_deref();
        if judge.is_some_and(|judge| judge.picture().is_none())
            && let Some(picture) = &picture
        {
            self.compare_first_shown(seat, picture);
        }
        // This long after the press the board shows the position that its player left.
        let ahead = self.waiting_press(seat);
        let pressed = ahead.is_some_and(|ahead| now_ms >= ahead.since.ms + SCAN_MS);
        self.ask_judge(seat, |judge, found| {
            judge.see(seen, found);
            if pressed {
                judge.left(found);
            }
        });
        if let Some(picture) = picture {
            self.came_to_rest(seat, &picture);
            self.ask_rule(&WAITING_PRESS);
        }
        Ok(())
    }

    fn came_to_rest(&mut self, seat: Color, picture: &Picture) {
        if self.seats[seat].correction.is_some() {
            self.correction_shown(seat, &picture.into());
        }
        let position = self.position().clone();
        let (place, at_ms) = (&mut self.seats[seat], self.at.ms);
        place.doubt.is_seen(|mv| {
            if !position.is_legal(mv) {
                return false;
            }
            let mut after = position.clone();
            after.play_unchecked(mv);
            picture.fits(after.board())
        });
        let Some(judge) = place.judge.as_deref_mut() else { return };
        let base = judge.stand().base.board();
        let off = base.occupied().into_iter().filter(|at| picture.on(*at) == SquareShown::Empty);
        place.conduct.off_together(off.collect());
        let whole = picture.fits(base);
        if whole {
            judge.set_up_again(place.conduct.set_up_again());
        }
        let made = judge.stand().made.is_some() && judge.standing() == BoardStanding::Agrees;
        if whole || made {
            place.conduct.stands_again(at_ms);
        }
        if whole {
            place.view.presses(false);
        }
    }

    /// A person says that a move was executed on this board: earlier pictures no longer count.
    pub(super) fn move_entered(&mut self, seat: Color, uci: &str) -> Result<(), Refused> {
        self.sighted(seat, uci, self.at.ms)?;
        if let Some(judge) = self.seats[seat].judge.as_deref_mut() {
            judge.forget();
        }
        Ok(())
    }

    /// While the game is adjourned, or a move is sealed on this board, it shows no moves.
    pub(super) fn board_set_aside(&mut self, seat: Color, seen: &BoardSeen) {
        if let Some(judge) = self.seats[seat].judge.as_deref_mut().filter(|_| tells_moves(seen)) {
            judge.forget();
        }
    }

    /// Takes in the judge's findings, and the findings that follow from them.
    pub(super) fn ask_judge(
        &mut self,
        seat: Color,
        ask: impl FnOnce(&mut Judge, &mut Vec<Finding>),
    ) {
        let mut found = Vec::new();
        if let Some(judge) = self.seats[seat].judge.as_deref_mut() {
            ask(judge, &mut found);
        }
        for finding in found {
            self.judged(seat, finding);
        }
        self.follow_boards();
    }

    /// The judges follow the game, and the game what they find by it.
    pub(super) fn follow_boards(&mut self) {
        let now_ms = self.at.ms;
        for seat in Color::ALL {
            for _ in 0..MOST_ROUNDS {
                if self.seats[seat].judge.is_none() {
                    break;
                }
                let stand = self.stand(seat);
                let mut found = Vec::new();
                if let Some(judge) = self.seats[seat].judge.as_deref_mut() {
                    judge.stands(now_ms, stand, &mut found);
                }
                if found.is_empty() {
                    break;
                }
                for finding in found {
                    self.judged(seat, finding);
                }
            }
        }
    }

    /// The target of the board before `seat`.
    fn stand(&self, seat: Color) -> Stand {
        let queen =
            self.seats[seat].conduct.unpromoted().filter(|mv| self.position().is_legal(*mv));
        let stand = Stand { queen, ..Stand::at(self.position().clone()) };
        let coming = || {
            let executed = self.line.turn.executed.as_ref().map(|executed| executed.mv);
            self.line.turn.announced.map(|announced| announced.mv).or(executed)
        };
        let Some(last) = self.line.last() else {
            let coming = coming().filter(|_| self.mover() != seat);
            return Stand { coming, ..stand };
        };
        let before = self.line.positions()[self.line.len() - 1].clone();
        let owed = self.owed(seat).is_some() || self.is_wrong(seat);
        if owed {
            return Stand { owed: Some(last.mv), ..Stand::at(before) };
        }
        let open = last.completed.is_none() && !self.is_over();
        if open && last.mover == seat {
            return Stand { made: Some(last.mv), ..Stand::at(before) };
        }
        Stand { coming: coming().filter(|_| self.mover() != seat), ..stand }
    }

    fn judged(&mut self, seat: Color, finding: Finding) {
        // The game already counts the decided position as shown.
        let corrected = self.seats[seat].correction.is_some();
        match finding {
            Finding::Agree { .. } => self.board_right(seat),
            _ if corrected => {}
            Finding::Touched { square, .. } => self.sighted_touched(seat, square),
            Finding::Moved { mv, at_ms, .. } | Finding::Executed { mv, at_ms } => {
                // A sighted player sees the board: a refused move is a matter for the arbiter.
                if let Err(refused) = self.sighted(seat, &uci(mv), at_ms)
                    && !self.is_over()
                {
                    self.problem(refused.article, refused.text, json!({ "uci": uci(mv) }));
                }
            }
            Finding::Which { moves, .. } => self.sighted_which(seat, moves),
            Finding::Result { result, .. } => self.result_shown(seat, result),
            Finding::TakenBack { mv, .. } => self.sighted_took_back(seat, mv),
            Finding::NotExecuted { mv, .. } => self.sighted_waits(seat, mv),
            Finding::Differ { differences, illegal, .. } => {
                let squares = differences.iter().map(|difference| difference.square).collect();
                let illegal = illegal.map(|seen| self.as_text(seat, seen));
                self.sighted_differs(seat, squares, illegal);
            }
        }
    }

    /// An illegal move like one in UCI. What a pawn became is added, with the colour of its letter,
    /// and another move that was made beside it: `e7e5, d7d5`.
    fn as_text(&self, seat: Color, seen: IllegalMove) -> String {
        let IllegalMove { piece, from, to, beside } = seen;
        let judge = self.seats[seat].judge.as_deref();
        let was = judge.and_then(|judge| judge.stand().wanted().board().piece_at(from));
        let became = was.filter(|was| *was != piece).map(|_| piece.char());
        let beside = beside.map_or_else(String::new, |(from, to)| format!(", {from}{to}"));
        format!("{from}{to}{}{beside}", became.map_or_else(String::new, String::from))
    }

    /// Both kings were put in the middle of this board. The blind player is asked whether that is
    /// the result; a king that seemed to move there was on its way.
    fn result_shown(&mut self, seat: Color, shown: ShownResult) {
        let of = [!seat, seat].into_iter().find(|color| self.seats[*color].blind);
        let Some(of) = of.filter(|_| !self.is_over() && self.adjourning().is_none()) else {
            return;
        };
        let last = self.line.open().filter(|ply| ply.mover == seat).map(|ply| ply.mv);
        if let Some(mv) = last.filter(|mv| mv.role() == Role::King) {
            self.sighted_took_back(seat, mv);
        }
        let winner = match shown {
            ShownResult::Won(winner) => Some(winner),
            ShownResult::Drawn => None,
        };
        self.ask(of, Question::Result { winner });
    }

    /// After a difference the board shows the position of the game.
    fn board_right(&mut self, seat: Color) {
        self.end_correction(seat);
        self.seats[seat].view.stands_right();
        self.compare_boards();
        // Where all boards agree both players hear it. Otherwise the player hears that his part is
        // done.
        if self.arbitration.relation.boards == super::Boards::Differ && !self.is_over() {
            let words = self.terms.words.prompt(Prompt::BoardAgrees, &[]);
            self.say_to(seat, Urgency::Answer, words);
        }
    }

    /// The player pressed his clock: the board as left counts at once. `true`: the answer to the
    /// press is a correction of the board.
    pub(super) fn press_answered(&mut self, seat: Color) -> bool {
        let watched = self.seats[seat].judge.is_some() && !self.seats[seat].view.is_lost();
        let plays = !self.is_over() && self.adjourning().is_none();
        if !watched || !plays || self.course.halted().is_some() {
            return false;
        }
        let known = self.seats[seat].view.differs().cloned();
        self.ask_judge(seat, Judge::pressed);
        let made = self.line.open().is_some_and(|ply| ply.mover == seat);
        let illegal = self.seats[seat].view.differs().is_some_and(|d| d.illegal.is_some());
        if made || self.mover() != seat || illegal || self.timing.late == Some(seat) {
            return false;
        }
        let Some(judge) = self.seats[seat].judge.as_deref() else { return false };
        if judge.standing() != BoardStanding::Differs || judge.is_moving() {
            return false;
        }
        self.problem(Article::D_2_9, Note::PressedOtherPosition { player: seat }, json!({}));
        self.seats[seat].view.presses(true);
        // The report that went before says it already.
        if known.is_none() || known.as_ref() == self.seats[seat].view.differs() {
            self.next_step(seat);
        }
        true
    }

    /// The next step for the board before `seat`, aloud: its player has no earphone.
    pub(super) fn next_step(&mut self, seat: Color) {
        let Some(judge) = self.seats[seat].judge.as_deref() else { return };
        let Some(picture) = judge.picture() else { return };
        let seen = match picture {
            Picture::Pieces(board) => reconcile::VisibleBoard::Pieces(board.clone()),
            Picture::Occupied(occupied) => reconcile::VisibleBoard::Occupied(*occupied),
        };
        let known = |square| match picture {
            Picture::Pieces(board) => board.piece_at(square),
            Picture::Occupied(_) => None,
        };
        let way = reconcile::way(&seen, judge.wanted().board());
        // He has moved and not executed his opponent's move.
        if let Some((_, mv)) = self.owed(seat) {
            let from =
                |step: &PegStep| matches!(step, PegStep::Take(at, _) if mv.from() == Some(*at));
            if way.steps.iter().any(from) {
                return self.sighted_waits(seat, mv);
            }
        }
        let words = match way.steps.first() {
            None => self.terms.words.prompt(Prompt::BoardsDiffer, &[]),
            Some(PegStep::Take(square, piece)) => match piece.or_else(|| known(*square)) {
                Some(piece) => {
                    let slots = [Slot::ColoredPiece(piece), Slot::Square(*square)];
                    self.terms.words.prompt(Prompt::Take, &slots)
                }
                None => self.terms.words.prompt(Prompt::TakeUnknown, &[Slot::Square(*square)]),
            },
            Some(PegStep::Put(square, piece)) => {
                let slots = [Slot::ColoredPiece(*piece), Slot::Square(*square)];
                self.terms.words.prompt(Prompt::Put, &slots)
            }
        };
        let words = self.for_player(seat, words);
        self.say_to(seat, Urgency::Alert, words);
    }
}
