//! Judges what was done on a board other than a peg board. Pure: pictures of a still board and
//! times come in, findings go out.
//!
//! # The game says what the board ought to show
//!
//! The judge keeps no line of its own. With every change of the game it gets the [`Stand`] of the
//! board before its player, and reads the last picture again.
//!
//! # Two messages that are never mixed
//!
//! *Not executed yet*: a move was made and this board still shows the position before. *Boards
//! differ*: the board shows neither that nor the position after, nor anything in between. Each is
//! found after its own delay. Agreement after a difference is found once.
//!
//! # A piece in the hand
//!
//! The player may think with a piece in his hand. So a picture that lacks only pieces that a legal
//! move would lift is no difference for a long time.
//!
//! # A move on its way
//!
//! A piece that has stopped on a line may go on along it, and a rook beside the king's square may
//! be the first half of castling. Such a move counts when the board has rested for longer, or when
//! its player presses his clock.

mod attempt;
mod emptied;
mod kings;
mod settings;
mod squares;

use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Role, Square, attacks};

use super::{Picture, Seen, SquareShown};
use attempt::{illegal_move, taken_off};
use emptied::Emptied;
pub use kings::ShownResult;
use kings::{may_show_result, shown_result};
pub use settings::JudgeSettings;
pub use squares::moves_shown;
use squares::{differences, played, squares_of};

/// The board's target, by the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stand {
    /// The position before the moves named here.
    pub base: Chess,
    /// The last made move, where this board does not show it yet.
    pub owed: Option<Move>,
    /// The last made move, where it is its player's own, shown on it and not completed.
    pub made: Option<Move>,
    /// A move of the other player that is announced or executed and not made.
    pub coming: Option<Move>,
    /// The player has left a pawn on its last rank and pressed: by this move it becomes a queen.
    /// Source: FIDE 7.5.2
    pub queen: Option<Move>,
}

impl Stand {
    /// A position after which nothing has happened yet.
    pub fn at(base: Chess) -> Stand {
        Stand { base, owed: None, made: None, coming: None, queen: None }
    }

    /// The position that the board ought to show.
    pub fn wanted(&self) -> Chess {
        self.owed.map_or_else(|| self.base.clone(), |mv| played(&self.base, mv))
    }

    /// Whether `next` is this with its open move done.
    fn leads_to(&self, next: &Chess) -> bool {
        let done = self.owed.or(self.made);
        done.is_some_and(|mv| played(&self.base, mv) == *next)
    }
}

/// A square that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SquareDifference {
    pub square: Square,
    pub shown: SquareShown,
    /// The piece that should stand there.
    pub wanted: Option<Piece>,
}

/// A piece moved against the Laws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// As it stands now: a pawn may have become what no pawn becomes.
    pub piece: Piece,
    pub from: Square,
    pub to: Square,
    /// Another piece moved beside it, and nobody knows which first: each alone may be legal.
    pub beside: Option<(Square, Square)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The player has the move and touched this piece. Source: FIDE D.2.5, 4.3.
    Touched { square: Square, piece: Piece, at_ms: u64 },
    /// A legal move was made on the board.
    Moved {
        mv: Move,
        /// The move that the board showed before, from the same position.
        instead_of: Option<Move>,
        /// When the board came to show it.
        at_ms: u64,
    },
    /// A move was made that the board can't distinguish from others.
    Which { moves: Vec<Move>, at_ms: u64 },
    /// A move found before is not on the board any more.
    TakenBack { mv: Move, at_ms: u64 },
    /// The owed move has been executed here.
    Executed { mv: Move, at_ms: u64 },
    /// The owed move has not been executed here yet.
    NotExecuted {
        mv: Move,
        /// When it was to be executed.
        since_ms: u64,
    },
    Differ {
        /// Square by square, a1 first.
        differences: Vec<SquareDifference>,
        /// A possible illegal move of the player to move (7.5.1).
        illegal: Option<IllegalMove>,
        since_ms: u64,
    },
    /// Both kings were put in the middle of the board: no move, but a result is shown.
    Result { result: ShownResult, at_ms: u64 },
    /// After a difference: all is well.
    Agree { at_ms: u64 },
}

/// How the board stands to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoardStanding {
    /// As it should, a move just made on it included.
    Agrees,
    /// A move is still to be executed.
    Pending,
    /// A piece is in the hand, or a move half done or on its way.
    Moving,
    Differs,
}

/// The meaning of a picture.
enum Reading {
    Base,
    Executed,
    ExecutedAndMoved,
    Moved(Vec<Move>),
    Coming,
    InHand,
    HalfDone,
    Result(ShownResult),
    Other,
}

/// The last finding about the player's own move that the game has not followed yet.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Found {
    Nothing,
    Moved(Move),
    Which(Vec<Move>),
    TakenBack(Move),
    Result(ShownResult),
}

/// A move on the board that may go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OnItsWay {
    mv: Move,
    at_ms: u64,
    due_ms: u64,
}

/// Watches one board for one player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judge {
    settings: JudgeSettings,
    seat: Color,
    stand: Stand,
    /// Since when a move is owed.
    owed_ms: u64,
    reminded: bool,
    /// The move of the player's own that a picture last showed, from `base`.
    shown: Option<Move>,
    found: Found,
    on_its_way: Option<OnItsWay>,
    touched: Bitboard,
    emptied: Emptied,
    standing: BoardStanding,
    picture: Option<(Picture, u64)>,
    moving: bool,
    /// When a difference is to be reported.
    differ_at_ms: Option<u64>,
    differ_told: bool,
    /// Pieces of the opponent that were said to be missing, and still are.
    missing: Bitboard,
}

impl Judge {
    /// Watches the board of `seat`, which should show `position`.
    pub fn new(seat: Color, position: Chess, settings: JudgeSettings) -> Judge {
        Judge {
            settings,
            seat,
            stand: Stand::at(position),
            owed_ms: 0,
            reminded: false,
            shown: None,
            found: Found::Nothing,
            on_its_way: None,
            touched: Bitboard::EMPTY,
            emptied: Emptied::unwatched(),
            standing: BoardStanding::Agrees,
            picture: None,
            moving: false,
            differ_at_ms: None,
            differ_told: false,
            missing: Bitboard::EMPTY,
        }
    }

    /// The board's target, as last given.
    pub fn stand(&self) -> &Stand {
        &self.stand
    }

    /// Something on it changed, and it has not come to rest since.
    pub fn is_moving(&self) -> bool {
        self.moving
    }

    /// How the board was last seen at rest.
    pub fn picture(&self) -> Option<&Picture> {
        self.picture.as_ref().map(|(picture, _)| picture)
    }

    /// How the board stands to the game.
    pub fn standing(&self) -> BoardStanding {
        self.standing
    }

    /// The squares that are not as they should be.
    pub fn wrong(&self) -> Bitboard {
        self.differences(&self.wanted()).into_iter().map(|difference| difference.square).collect()
    }

    /// The game went on, or back, and the board ought to show this now.
    pub fn stands(&mut self, at_ms: u64, stand: Stand, out: &mut Vec<Finding>) {
        if self.stand == stand {
            return;
        }
        let before = std::mem::replace(&mut self.stand, stand);
        let moved_on = before.base != self.stand.base;
        if moved_on || before.owed != self.stand.owed {
            self.owed_ms = at_ms;
            self.reminded = false;
        }
        if moved_on {
            // The reply may have been made together with the owed move: pieces lifted for it count.
            let answered = before.owed.is_some() && self.standing == BoardStanding::Agrees;
            if !answered {
                self.touched = Bitboard::EMPTY;
                self.emptied.moved_on(self.moving);
            }
            self.shown = None;
            self.on_its_way = None;
            self.missing = Bitboard::EMPTY;
        }
        self.found = Found::Nothing;
        // A step of play leaves a difference what it was; after a decision it is another one.
        if moved_on && !before.leads_to(&self.stand.base) {
            self.differ_told = false;
        }
        self.differ_at_ms = None;
        if let Some((picture, changed_ms)) = self.picture.clone() {
            self.judge(&picture, changed_ms, at_ms, out);
        } else {
            let pending = self.stand.owed.is_some();
            self.standing = if pending { BoardStanding::Pending } else { BoardStanding::Agrees };
        }
    }

    /// Forgets the picture: the board is packed up, or a move is being sealed on it.
    pub fn forget(&mut self) {
        self.picture = None;
        self.moving = false;
        self.emptied.misses();
        self.shown = None;
        self.found = Found::Nothing;
        self.on_its_way = None;
        self.differ_at_ms = None;
        self.differ_told = false;
        self.missing = Bitboard::EMPTY;
    }

    /// Its player pressed the clock: nobody waits any longer to see whether a difference lasts.
    pub fn pressed(&mut self, out: &mut Vec<Finding>) {
        if self.moving {
            return;
        }
        if self.standing == BoardStanding::Differs && self.picture.is_some() {
            self.differ(out);
        }
    }

    /// These pieces were knocked over and stand again: what is lifted next is touched.
    pub fn set_up_again(&mut self, knocked: Bitboard) {
        self.touched &= !knocked;
    }

    /// The castling that its player owes: his king has rested where that puts it, and nothing else
    /// has moved. Source: FIDE 4.7.2
    pub fn released_king(&self, now_ms: u64) -> Option<Move> {
        let (picture, since_ms) = self.picture.as_ref().filter(|_| !self.moving)?;
        let rested = now_ms >= since_ms.saturating_add(self.settings.slide_ms);
        attempt::released_king(&self.stand, self.seat, picture).filter(|_| rested)
    }

    /// The service was stopped: the board's picture is unknown until it reports.
    pub fn unseen(&mut self) {
        self.moving = true;
        self.emptied.misses();
    }

    /// Takes in what the board reports.
    pub fn see(&mut self, seen: Seen, out: &mut Vec<Finding>) {
        match seen {
            Seen::Lifted { square, at_ms } => self.lifted(square, at_ms, out),
            Seen::Moving { .. } => self.moving = true,
            Seen::Still { picture, at_ms } => {
                self.moving = false;
                let empty = |square: &Square| picture.on(*square) == SquareShown::Empty;
                self.missing = self.missing.into_iter().filter(empty).collect();
                self.judge(&picture, at_ms, at_ms, out);
                self.picture = Some((picture, at_ms));
            }
            Seen::Lost { .. } => {
                self.forget();
                self.moving = true;
            }
            Seen::Back { .. } => {}
        }
    }

    fn lifted(&mut self, square: Square, at_ms: u64, out: &mut Vec<Finding>) {
        if !self.emptied.lifted(square) {
            return;
        }
        let Stand { base, owed, .. } = &self.stand;
        let wanted = self.stand.wanted();
        let executing = owed.is_some_and(|mv| squares_of(base, mv).contains(square));
        let Some(piece) = wanted.board().piece_at(square) else {
            return;
        };
        let stands = base.board().piece_at(square) == Some(piece);
        if wanted.turn() == self.seat && stands && !executing && !self.touched.contains(square) {
            self.touched.add(square);
            out.push(Finding::Touched { square, piece, at_ms });
        }
    }

    /// `changed_ms`: when the board came to look like this. `now_ms`: since when its present
    /// meaning holds.
    fn judge(&mut self, picture: &Picture, changed_ms: u64, now_ms: u64, out: &mut Vec<Finding>) {
        let reading = self.read(picture);
        if let (Reading::Executed, Some(mv)) = (&reading, self.stand.owed) {
            self.emptied.executed(mv, picture);
        }
        if matches!(reading, Reading::Base | Reading::Executed) && !self.moving {
            self.emptied.stands();
        }
        let reading = match reading {
            Reading::InHand if self.emptied.illegal(&self.stand, self.seat, picture).is_some() => {
                Reading::Other
            }
            // What is lacking while a difference is mended is no move on its way: the next step is
            // told.
            Reading::InHand | Reading::HalfDone if self.differ_told => Reading::Other,
            reading => reading,
        };
        let delay_ms = match &reading {
            Reading::InHand => Some(self.settings.in_hand_ms),
            Reading::HalfDone => Some(self.settings.unfinished_ms),
            Reading::Other => Some(self.settings.differ_ms),
            _ => None,
        };
        let same = self.picture.as_ref().is_some_and(|(before, _)| before == picture);
        match delay_ms {
            None => self.differ_at_ms = None,
            Some(_) if same && (self.differ_at_ms.is_some() || self.differ_told) => {}
            Some(delay_ms) => self.differ_at_ms = Some(now_ms + delay_ms),
        }
        let mut standing = match &reading {
            Reading::Base if self.stand.owed.is_some() => BoardStanding::Pending,
            Reading::InHand | Reading::HalfDone | Reading::Result(_) => BoardStanding::Moving,
            Reading::Other => BoardStanding::Differs,
            _ => BoardStanding::Agrees,
        };
        let before = std::mem::replace(&mut self.found, Found::Nothing);
        let on_its_way = self.on_its_way.take();
        match reading {
            Reading::Base => match (self.stand.made, before) {
                (Some(mv), Found::TakenBack(found)) if mv == found => {
                    self.found = Found::TakenBack(found);
                }
                (Some(mv), _) if self.shown == Some(mv) => {
                    self.found = Found::TakenBack(mv);
                    out.push(Finding::TakenBack { mv, at_ms: changed_ms });
                }
                // The move was made elsewhere and is not on this board yet.
                (Some(_), _) => standing = BoardStanding::Pending,
                _ => {}
            },
            Reading::Executed | Reading::ExecutedAndMoved => {
                if let Some(mv) = self.stand.owed {
                    out.push(Finding::Executed { mv, at_ms: changed_ms });
                }
            }
            Reading::Moved(moves) => {
                standing = self.moved(moves, changed_ms, before, on_its_way, out);
            }
            Reading::Result(result) => {
                if before != Found::Result(result) {
                    out.push(Finding::Result { result, at_ms: changed_ms });
                }
                self.found = Found::Result(result);
            }
            Reading::Coming | Reading::InHand | Reading::HalfDone | Reading::Other => {}
        }
        self.standing = standing;
        if self.differ_told && matches!(standing, BoardStanding::Agrees | BoardStanding::Pending) {
            self.differ_told = false;
            out.push(Finding::Agree { at_ms: now_ms });
        }
    }

    fn moved(
        &mut self,
        moves: Vec<Move>,
        at_ms: u64,
        before: Found,
        on_its_way: Option<OnItsWay>,
        out: &mut Vec<Finding>,
    ) -> BoardStanding {
        // A move named since stays.
        if let Some(made) = self.stand.made.filter(|made| moves.contains(made)) {
            self.shown = Some(made);
            return BoardStanding::Agrees;
        }
        let [mv] = moves.as_slice() else {
            if before != Found::Which(moves.clone()) {
                out.push(Finding::Which { moves: moves.clone(), at_ms });
            }
            self.found = Found::Which(moves);
            return BoardStanding::Agrees;
        };
        if before == Found::Moved(*mv) {
            self.found = before;
            return BoardStanding::Agrees;
        }
        if let Some(rest_ms) = self.rest_ms(*mv) {
            let due_ms = at_ms + rest_ms;
            let same = on_its_way.filter(|on| on.mv == *mv && on.at_ms == at_ms);
            self.on_its_way = Some(same.unwrap_or(OnItsWay { mv: *mv, at_ms, due_ms }));
            return BoardStanding::Moving;
        }
        self.make(*mv, at_ms, out);
        BoardStanding::Agrees
    }

    fn make(&mut self, mv: Move, at_ms: u64, out: &mut Vec<Finding>) {
        self.shown = Some(mv);
        self.found = Found::Moved(mv);
        out.push(Finding::Moved { mv, instead_of: self.stand.made, at_ms });
    }

    /// The move on its way goes no further: its player has pressed, and was seen to have left it.
    pub fn come_to_rest(&mut self, out: &mut Vec<Finding>) {
        if self.moving {
            return;
        }
        if let Some(OnItsWay { mv, at_ms, .. }) = self.on_its_way.take() {
            self.standing = BoardStanding::Agrees;
            self.make(mv, at_ms, out);
        }
    }

    /// The player has pressed and left the board like this. A move on its way has come to rest, and
    /// anything but a legal move is illegal. Source: FIDE 7.5.1
    pub fn left(&mut self, out: &mut Vec<Finding>) {
        let on_its_way = self.on_its_way.is_some();
        self.come_to_rest(out);
        let undone = matches!(self.standing, BoardStanding::Moving | BoardStanding::Differs);
        if self.moving || on_its_way || !undone || self.stand.owed.is_some() {
            return;
        }
        if let Some((picture, at_ms)) = &self.picture {
            let (captures, at_ms) = (self.emptied.unseen(&self.stand, self.seat, picture), *at_ms);
            if !captures.is_empty() {
                self.standing = self.moved(captures, at_ms, Found::Nothing, None, out);
                return;
            }
        }
        if self.illegal().is_some() {
            self.standing = BoardStanding::Differs;
            self.differ(out);
        }
    }

    /// How long the board must rest on this move before it counts, if the same hands may yet make
    /// another one of it.
    fn rest_ms(&self, mv: Move) -> Option<u64> {
        let (from, to) = (mv.from()?, mv.to());
        if mv.is_castle() || mv.is_promotion() || mv.is_capture() {
            return None;
        }
        let passes = |from: Square, end: Square| attacks::between(from, end).contains(to);
        let mut rest_ms = may_show_result(mv).then_some(self.settings.slide_ms);
        for other in self.stand.base.legal_moves() {
            match other {
                Move::Castle { king, rook } => {
                    let Some(side) = other.castling_side() else { continue };
                    let (king_to, rook_to) = (side.king_to(self.seat), side.rook_to(self.seat));
                    if from == rook && (to == rook_to || passes(rook, rook_to)) {
                        return Some(self.settings.unfinished_ms.max(self.settings.slide_ms));
                    }
                    if from == king && passes(king, king_to) {
                        rest_ms = Some(self.settings.slide_ms);
                    }
                }
                _ if other.from() == Some(from) && passes(from, other.to()) => {
                    rest_ms = Some(self.settings.slide_ms);
                }
                _ => {}
            }
        }
        rest_ms
    }

    fn read(&self, picture: &Picture) -> Reading {
        let Stand { base, owed, coming, .. } = &self.stand;
        if let Picture::Pieces(board) = picture
            && let Some(result) = shown_result(board)
        {
            return Reading::Result(result);
        }
        if let Some(mv) = *owed {
            let after = played(base, mv);
            if picture.fits(after.board()) {
                return Reading::Executed;
            }
            if picture.fits(base.board()) {
                return Reading::Base;
            }
            // The move executed and the answer made before anybody looked.
            if after.turn() == self.seat && !self.emptied.moves(&after, picture).is_empty() {
                return Reading::ExecutedAndMoved;
            }
            return self.on_the_way(base, &[mv], picture);
        }
        if picture.fits(base.board()) {
            return Reading::Base;
        }
        let moves =
            if base.turn() == self.seat { self.emptied.moves(base, picture) } else { Vec::new() };
        if !moves.is_empty() {
            return Reading::Moved(moves);
        }
        if coming.is_some_and(|mv| picture.fits(played(base, mv).board())) {
            return Reading::Coming;
        }
        self.on_the_way(base, &base.legal_moves(), picture)
    }

    /// Whether every square is as before one of these moves, as after it, or empty.
    fn on_the_way(&self, position: &Chess, moves: &[Move], picture: &Picture) -> Reading {
        let before = position.board();
        let changed: Bitboard = Square::ALL
            .into_iter()
            .filter(|square| !picture.on(*square).may_be(before.piece_at(*square)))
            .collect();
        let in_hand = changed.into_iter().all(|square| picture.on(square) == SquareShown::Empty);
        let way = |mv: &Move| {
            if !squares_of(position, *mv).is_superset(changed) {
                return false;
            }
            let after = played(position, *mv);
            changed.into_iter().all(|square| {
                let shown = picture.on(square);
                let pawn = mv.is_promotion() && square == mv.to();
                shown == SquareShown::Empty
                    || shown.may_be(after.board().piece_at(square))
                    || (pawn && shown.may_be(Some(Role::Pawn.of(position.turn()))))
            })
        };
        match moves.iter().any(way) {
            true if in_hand => Reading::InHand,
            // The pawn was left there for good.
            true if self.stand.queen.is_some() => Reading::Other,
            true => Reading::HalfDone,
            // A piece that may not move is adjusted, or fell over.
            false if in_hand && changed.count() == 1 => Reading::HalfDone,
            false => Reading::Other,
        }
    }

    /// When [`Judge::advance`] will have something to report, if nothing happens before.
    pub fn due_ms(&self) -> Option<u64> {
        let waits = self.standing == BoardStanding::Pending && !self.reminded;
        let remind = self.stand.owed.filter(|_| waits);
        let remind = remind.map(|_| self.owed_ms + self.settings.pending_ms);
        let rests = !self.moving;
        let differ = self.differ_at_ms.filter(|_| rests);
        let moved = self.on_its_way.as_ref().map(|on| on.due_ms).filter(|_| rests);
        [remind, differ, moved].into_iter().flatten().min()
    }

    pub fn advance(&mut self, now_ms: u64, out: &mut Vec<Finding>) {
        if let Some(mv) = self.stand.owed
            && !self.reminded
            && now_ms >= self.owed_ms + self.settings.pending_ms
            && self.standing == BoardStanding::Pending
        {
            self.reminded = true;
            out.push(Finding::NotExecuted { mv, since_ms: self.owed_ms });
        }
        if self.moving {
            return;
        }
        if self.on_its_way.as_ref().is_some_and(|on| on.due_ms <= now_ms) {
            self.come_to_rest(out);
        }
        if self.differ_at_ms.is_some_and(|due_ms| due_ms <= now_ms) {
            self.standing = BoardStanding::Differs;
            self.differ(out);
        }
    }

    fn differ(&mut self, out: &mut Vec<Finding>) {
        self.differ_at_ms = None;
        self.differ_told = true;
        let differences = self.differences(&self.wanted());
        if let Some((_, since_ms)) = self.picture.as_ref().filter(|_| !differences.is_empty()) {
            let since_ms = *since_ms;
            let illegal = self.illegal();
            if illegal.is_none() {
                self.missing |= taken_off(self.seat, &differences);
            }
            out.push(Finding::Differ { differences, illegal, since_ms });
        }
    }

    /// The position to which the board is to be put right. A move of the player's own that is not
    /// completed may be taken off it or set on it again, whichever takes fewer steps.
    pub fn wanted(&self) -> Chess {
        let base = self.stand.wanted();
        if let Some(queen) = self.stand.queen {
            return played(&base, queen);
        }
        let Some(made) = self.stand.made else { return base };
        let after = played(&self.stand.base, made);
        let less = self.differences(&after).len() <= self.differences(&base).len();
        if less { after } else { base }
    }

    fn illegal(&self) -> Option<IllegalMove> {
        let (picture, _) = self.picture.as_ref()?;
        illegal_move(&self.stand, self.seat, picture, self.missing)
            .or_else(|| self.emptied.illegal(&self.stand, self.seat, picture))
    }

    fn differences(&self, wanted: &Chess) -> Vec<SquareDifference> {
        let picture = self.picture();
        picture.map_or_else(Vec::new, |picture| differences(picture, wanted.board()))
    }
}
