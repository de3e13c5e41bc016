//! Reports of devices beside the peg boards: the sighted player's board, the clock.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::{Bitboard, Board, Color, Move, Position, Role, Square, san::SanPlus};

use super::{
    Article, IllegalMove, MovedPiece, Output, Play, Urgency,
    felt::one_pawn,
    touch::Against,
    turn::{reported, uci},
};
use crate::{sensing::Executed, sight::Picture};
use annabella_words::phrase::{Note, Prompt, Slot};

/// A report of a board other than a peg board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BoardSeen {
    /// A piece left this square, or another took its place: a hint, for slid pieces leave squares
    /// on which they only passed.
    Lifted {
        #[serde(with = "annabella_words::text")]
        square: Square,
        /// How long ago, milliseconds.
        #[serde(default)]
        ago_ms: u64,
    },
    /// The board is moving: its last picture no longer counts.
    Moving,
    /// The board has come to rest like this.
    Still {
        shown: ShownBoard,
        /// How long ago it last changed, milliseconds.
        #[serde(default)]
        ago_ms: u64,
    },
    /// The board is lost. Moves are announced, or executed on the peg board.
    Lost {
        /// The fault and its remedy, one line.
        why: String,
    },
    /// The board is back.
    Back,
}

/// How a board differs from the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Differs {
    /// Its picture.
    pub shown: ShownBoard,
    /// Squares that are not as they should be; bit 0 is a1.
    pub squares: u64,
    /// A possible illegal move of the player to move, in UCI (7.5.1).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<String>,
    /// The picture shows the position this many plies ago.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies_ago: Option<usize>,
}

/// A board as a device sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ShownBoard {
    /// A board that recognises pieces: the first field of a FEN.
    Pieces(String),
    /// A board that senses occupied squares only; bit 0 is a1.
    Occupied(u64),
}

impl ShownBoard {
    /// The picture; `None` where the text is no board.
    pub(super) fn picture(&self) -> Option<Picture> {
        match self {
            ShownBoard::Pieces(text) => {
                Board::from_ascii_board_fen(text.as_bytes()).ok().map(Picture::Pieces)
            }
            ShownBoard::Occupied(occupied) => Some(Picture::Occupied((*occupied).into())),
        }
    }
}

impl From<&Picture> for ShownBoard {
    fn from(picture: &Picture) -> ShownBoard {
        match picture {
            Picture::Pieces(board) => ShownBoard::Pieces(board.board_fen().to_string()),
            Picture::Occupied(occupied) => ShownBoard::Occupied((*occupied).into()),
        }
    }
}

impl Play {
    pub(super) fn board_lost(&mut self, seat: Color, why: &str) {
        if self.seats[seat].view.loses(true) {
            return;
        }
        let text = Note::BoardGone { player: seat, why: why.into() };
        self.problem(Article::D_2_5, text, json!({ "device": "sighted board" }));
        if !self.is_over() {
            self.tell_of_board(seat, Prompt::BoardLost, Prompt::OtherBoardLost);
        }
        self.compare_boards();
    }

    /// Says whose board it is to each earphone.
    fn tell_of_board(&mut self, seat: Color, own: Prompt, other: Prompt) {
        for color in Color::ALL {
            if self.seats[color].blind {
                let prompt = if color == seat { own } else { other };
                self.tell(color, Urgency::Hint, prompt, &[]);
            }
        }
    }

    /// The board's picture is judged afresh. Until then it is taken to show the position of the
    /// game, except for a move that it did not show before.
    pub(super) fn board_back(&mut self, seat: Color) {
        if !self.seats[seat].view.loses(false) {
            return;
        }
        let at_ms = self.at.ms;
        let opponents = self.line.last().is_some_and(|ply| ply.mover != seat);
        let owed = opponents && self.seats[seat].shown.len() < self.line.len();
        let shows = &self.line[..self.line.len() - usize::from(owed)];
        self.seats[seat].shown = shows.iter().map(|ply| reported(ply.mv, at_ms)).collect();
        self.seats[seat].view.stands_right();
        if !self.is_over() {
            self.tell_of_board(seat, Prompt::BoardBack, Prompt::OtherBoardBack);
        }
        self.compare_boards();
    }

    pub(super) fn sighted_touched(&mut self, seat: Color, square: Square) {
        let Some(piece) = self.position().board().piece_at(square) else { return };
        let plays = !self.is_over() && !self.is_stopped();
        if !plays || self.mover() != seat || self.seats[seat].blind {
            return;
        }
        if !self.seats[seat].conduct.touches(square, self.at.ms) {
            return;
        }
        self.touch_declines(seat, square);
        if self.terms.config.duties.claim {
            self.mouth.emit(Output::Touched { seat, square, piece: piece.char() });
        }
    }

    /// A move made by the sighted player stands (4.7). A slip of the hand before the press is a
    /// matter for him and the arbiter.
    pub(super) fn sighted_took_back(&mut self, seat: Color, mv: Move) {
        let index = self.line.len().wrapping_sub(1);
        let shown = self.seats[seat].shown.len();
        if shown > self.line.len() {
            self.seats[seat].shown.pop();
            self.line.turn.executed = None;
            self.compare_boards();
            return;
        }
        let own = self
            .line
            .last()
            .is_some_and(|ply| ply.mover == seat && ply.completed.is_none() && ply.mv == mv);
        if !own || shown != index + 1 || self.is_over() {
            return;
        }
        self.seats[seat].shown.pop();
        self.retract();
        self.line.turn.executed = None;
        self.problem(
            Article::A4_7,
            Note::TookBack { player: seat, uci: uci(mv).into() },
            json!({ "uci": uci(mv) }),
        );
        if self.line.turn.withdrawn {
            let words = self.terms.words.prompt(Prompt::TakenBack, &[]);
            self.say_aloud(Urgency::Announcement, words);
        }
        self.compare_boards();
    }

    /// The opponent says which: D.2.1 asks him to announce it.
    pub(super) fn sighted_which(&mut self, seat: Color, moves: Vec<Move>) {
        let at_ms = self.at.ms;
        if self.mover() != seat || moves.is_empty() || self.is_over() {
            return;
        }
        if let Some(announced) = self.line.turn.announced.filter(|a| moves.contains(&a.mv)) {
            self.shows(seat, announced.mv, at_ms);
            return;
        }
        let named = |role: Role| moves.iter().find(|mv| mv.promotion() == Some(role)).copied();
        if one_pawn(&moves)
            && let Some(mv) = self.seats[seat].doubt.take_named().and_then(named)
        {
            self.shows(seat, mv, at_ms);
            return;
        }
        self.seats[seat].doubt.asks(moves);
        self.ask_sighted_which(seat);
    }

    /// Puts the question that his board could not answer, if there is one.
    pub(super) fn ask_sighted_which(&mut self, seat: Color) {
        let (position, form) = (self.position().clone(), self.form());
        let slot = |mv: Move| Slot::Move { pos: &position, mv, form };
        let words = match self.seats[seat].doubt.which() {
            [] => return,
            moves if one_pawn(moves) => self.terms.words.prompt(Prompt::WhichPiece, &[]),
            [first, second] => {
                self.terms.words.prompt(Prompt::WhichMove, &[slot(*first), slot(*second)])
            }
            moves => self
                .terms
                .words
                .prompt(Prompt::WhichMoves, &[Slot::Moves { pos: &position, moves }]),
        };
        self.say_aloud(Urgency::Alert, words);
    }

    /// A move named for the sighted player is one of those that his board could not distinguish.
    pub(super) fn sighted_named(&mut self, mv: Move) {
        let seat = self.mover();
        if self.seats[seat].doubt.which().contains(&mv) {
            self.seats[seat].doubt.is_settled();
            self.shows(seat, mv, self.at.ms);
        }
    }

    /// A promotion piece named for the sighted player.
    pub(super) fn sighted_piece(&self, role: Role) -> Option<Move> {
        let which = self.seats[self.mover()].doubt.which();
        which.iter().find(|mv| mv.promotion() == Some(role)).copied()
    }

    pub(super) fn sighted_waits(&mut self, seat: Color, mv: Move) {
        let Some((index, mv)) = self.owed(seat).filter(|(_, owed)| *owed == mv) else {
            return;
        };
        if self.is_over() {
            return;
        }
        let position = self.line.positions()[index].clone();
        let slot = Slot::Move { pos: &position, mv, form: self.form() };
        let words = self.terms.words.prompt(Prompt::NotExecutedYet, &[slot]);
        self.say_aloud(Urgency::Hint, words);
    }

    pub(super) fn sighted_differs(
        &mut self,
        seat: Color,
        squares: Bitboard,
        illegal: Option<String>,
    ) {
        let picture = self.seats[seat].judge.as_deref().and_then(|judge| judge.picture());
        let Some(picture) = picture.filter(|_| !self.is_over()) else { return };
        let earlier = self.line.positions().iter().rev().skip(1);
        let plies_ago =
            earlier.map(|before| before.board()).position(|before| picture.fits(before));
        let differs = Differs {
            shown: picture.into(),
            squares: squares.into(),
            // Where it shows an earlier position, moves were taken back.
            illegal: illegal.filter(|_| self.is_at_move(seat) && plies_ago.is_none()),
            plies_ago: plies_ago.map(|n| n + 1),
        };
        if self.seats[seat].view.differs() == Some(&differs) {
            return;
        }
        let turned = self.is_turned(picture.occupied());
        let illegal = &differs.illegal;
        let detail = json!({
            "shown": differs.shown,
            "squares": squares.into_iter().map(|square| square.to_string()).collect::<Vec<_>>(),
            "illegal": illegal,
            "plies_ago": differs.plies_ago,
        });
        // A press answers this picture, so it is no difference between two boards.
        if illegal.is_some() && self.waiting_press(seat).is_some() {
            self.seats[seat].view.shows(differs);
            return;
        }
        let told = self.seats[seat].view.goes_astray(true);
        self.seats[seat].view.shows(differs);
        self.problem(Article::D_2_9, Note::BoardShowsOther { player: seat }, detail);
        self.compare_boards();
        // Another thing is wrong by now, or still is.
        if told {
            self.next_step(seat);
            return;
        }
        self.arbitration.relation.aloud = true;
        if turned {
            let words = self.terms.words.prompt(Prompt::BoardTurned, &[]);
            let words = self.for_player(seat, words);
            self.say_aloud(Urgency::Alert, words);
        } else {
            self.tell_where(squares);
        }
    }

    /// Both players hear on which squares the boards differ; the sighted one has no earphone.
    fn tell_where(&mut self, squares: Bitboard) {
        let first = squares.into_iter().next();
        let words = match (first, squares.count()) {
            (Some(square), 1..=2) => {
                let last = squares.into_iter().last().unwrap_or(square);
                let slots = [Slot::Square(square), Slot::Square(last)];
                match squares.count() {
                    1 => self.terms.words.prompt(Prompt::BoardsDifferAt, &slots[..1]),
                    _ => self.terms.words.prompt(Prompt::BoardsDifferAtBoth, &slots),
                }
            }
            _ => self.terms.words.prompt(Prompt::BoardsDiffer, &[]),
        };
        self.say_aloud(Urgency::Alert, words);
        if squares.count() <= 2 {
            self.tell_game_on(&squares.into_iter().collect::<Vec<_>>());
        }
    }

    /// This player is to move, or has yet to press for the move that he made.
    fn is_at_move(&self, seat: Color) -> bool {
        self.mover() == seat || self.line.open().is_some_and(|ply| ply.mover == seat)
    }

    /// The illegal move that the board of a sighted player on move shows, in UCI. He may have made
    /// a legal one before it: that stands (4.7), and nothing is completed (7.5.1).
    pub(super) fn shows_illegal(&self, seat: Color) -> Option<String> {
        let illegal = self.seats[seat].view.differs().and_then(|differs| differs.illegal.clone());
        illegal.filter(|_| !self.seats[seat].blind && self.is_at_move(seat))
    }

    /// A sighted player pressed while his board shows an illegal move: that completes it (7.5.1). A
    /// pawn left on its last rank becomes a queen (7.5.2).
    pub(super) fn sighted_illegal(&mut self, seat: Color) -> bool {
        let Some(text) = self.shows_illegal(seat) else { return false };
        // He hears what is to be done.
        if !self.seats[seat].conduct.completes_illegal() {
            self.next_step(seat);
            return true;
        }
        let number = self.seats[seat].conduct.counts_illegal();
        let queen = format!("{text}q");
        let legal = self.position().legal_moves();
        let queen = legal.iter().copied().find(|mv| uci(*mv) == queen);
        self.seats[seat].conduct.leaves_pawn(queen);
        let (player, shown) = (seat, text.as_str().into());
        let (article, note) = match queen {
            Some(_) => (Article::A7_5_2, Note::PawnLeft { player, uci: shown }),
            None => (Article::A7_5_1, Note::IllegalCompleted { player, what: shown }),
        };
        self.problem(article, note, json!({ "uci": text, "number": number }));
        let words = self.terms.words.prompt(Prompt::IllegalCompleted, &[]);
        let words = self.for_player(seat, words);
        self.say_aloud(Urgency::Alert, words);
        self.propose_for_illegal(
            seat,
            IllegalMove {
                article,
                number,
                moved: self.moved(seat, &text),
                beside: text.split_once(", ").and_then(|(_, text)| self.moved(seat, text)),
                reported: None,
            },
        );
        true
    }

    /// The piece of the game that went from one square of this text to the other, `a8a5`.
    fn moved(&self, seat: Color, text: &str) -> Option<MovedPiece> {
        let square = |range: std::ops::Range<usize>| text.get(range)?.parse::<Square>().ok();
        let (from, to) = (square(0..2)?, square(2..4)?);
        let before = self.seats[seat].judge.as_deref()?.stand().wanted();
        let piece = before.board().piece_at(from)?.char();
        Some(MovedPiece { piece, from, to })
    }

    /// A pawn that was left on its last rank becomes a queen (7.5.2): the arbiter learns that it
    /// did not.
    pub(super) fn look_at_queen(&mut self, queen: Move, made: Move) -> Option<Against> {
        if made == queen {
            return None;
        }
        let san = SanPlus::from_move(self.position().clone(), made).to_string();
        let text = Note::ToBecomeQueen { square: queen.to(), san: san.into() };
        let detail = json!({ "must": uci(queen), "uci": uci(made) });
        self.problem(Article::A7_5_2, text.clone(), detail);
        Some(Against { article: Article::A7_5_2, text })
    }

    /// Adds the squares touched before the move that the board before `seat` shows now.
    pub(super) fn with_touched(&mut self, seat: Color, mut executed: Executed) -> Executed {
        let mut touched = self.seats[seat].conduct.touched().to_vec();
        for square in std::mem::take(&mut executed.touched) {
            if !touched.contains(&square) {
                touched.push(square);
            }
        }
        Executed { touched, ..executed }
    }
}
