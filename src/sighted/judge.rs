//! What was done on the sighted player's board. Pure: pictures of a still board and times come in,
//! findings go out.
//!
//! # Two messages that are never mixed
//!
//! *Not executed yet*: the other player has moved and this board still shows the position before.
//! *Boards differ*: it shows neither that nor the position after, nor anything on the way. Each is
//! found once, after its own delay; that boards agree again is found once too.
//!
//! # A piece in the hand
//!
//! A picture from which only pieces are missing that a legal move would take away is no difference
//! for a long time: the player thinks with the piece in his hand.

use shakmaty::{
    Bitboard, Board, Chess, Color, Move, Piece, Position, Role, Square, san::San, uci::UciMove,
};

use super::{Picture, Seen, Shown};

/// Delays, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JudgeSettings {
    /// A move that is not executed after so long is reminded of.
    pub pending_ms: u64,
    /// A board that differs so long is reported.
    pub differ_ms: u64,
    /// The same for one that shows a move half done: castling without the rook, a pawn on the last
    /// rank.
    pub unfinished_ms: u64,
    /// The same for one from which only pieces are missing that a legal move takes away.
    pub in_hand_ms: u64,
}

impl Default for JudgeSettings {
    fn default() -> JudgeSettings {
        JudgeSettings {
            pending_ms: 15_000,
            differ_ms: 3000,
            unfinished_ms: 12_000,
            in_hand_ms: 60_000,
        }
    }
}

/// A square that is not as it should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Which.
    pub square: Square,
    /// What is there.
    pub shown: Shown,
    /// What should be.
    pub wanted: Option<Piece>,
}

/// One piece went where the Laws do not let it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IllegalMove {
    /// The piece.
    pub piece: Piece,
    /// From here.
    pub from: Square,
    /// To here.
    pub to: Square,
}

/// What was found out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finding {
    /// The player has the move and touched this piece. Source: FIDE D.2.5, 4.3.
    Touched {
        /// Where it stood.
        square: Square,
        /// Which.
        piece: Piece,
        /// When.
        at_ms: u64,
    },
    /// A legal move was made on the board.
    Moved {
        /// The move.
        mv: Move,
        /// The move that the board showed before, from the same position.
        instead_of: Option<Move>,
        /// When the board came to show it.
        at_ms: u64,
    },
    /// A move was made that the board cannot tell from others.
    Which {
        /// All that it may be.
        moves: Vec<Move>,
        /// When.
        at_ms: u64,
    },
    /// A move found before is not on the board any more.
    TakenBack {
        /// The move.
        mv: Move,
        /// When.
        at_ms: u64,
    },
    /// The other player's move has been executed here.
    Executed {
        /// The move.
        mv: Move,
        /// When.
        at_ms: u64,
    },
    /// The other player's move has not been executed here yet.
    NotExecuted {
        /// The move.
        mv: Move,
        /// When it was to be executed.
        since_ms: u64,
    },
    /// The board shows something else.
    Differ {
        /// Square by square, a1 first.
        differences: Vec<Difference>,
        /// It may be an illegal move of the player who has the move (7.5.1).
        illegal: Option<IllegalMove>,
        /// It is the position so many plies ago.
        plies_ago: Option<usize>,
        /// Since when.
        since_ms: u64,
    },
    /// After a difference: all is well.
    Agree {
        /// When.
        at_ms: u64,
    },
    /// A move entered by hand is none, or none that is legal.
    NoMove {
        /// As written.
        text: String,
        /// When.
        at_ms: u64,
    },
    /// The board is gone.
    Lost {
        /// What is wrong and what to do, one line.
        why: String,
        /// When.
        at_ms: u64,
    },
    /// The board is there.
    Back {
        /// When.
        at_ms: u64,
    },
}

/// How the board stands to the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// As it should, a move just made on it included.
    Agrees,
    /// A move is still to be executed.
    Pending,
    /// A piece is in the hand, or a move half done.
    Moving,
    /// It shows something else.
    Differs,
}

/// What a picture is.
enum Reading {
    Base,
    Executed,
    ExecutedAndMoved(Vec<Move>),
    Moved(Vec<Move>),
    InHand,
    HalfDone,
    Other,
}

/// Watches one board for one player.
#[derive(Clone, Debug)]
pub struct Judge {
    settings: JudgeSettings,
    seat: Color,
    base: Chess,
    /// Boards of the positions before `base`, newest last.
    earlier: Vec<Board>,
    /// Moves to be executed, each with when it was made; more than one if the hands are slow.
    pending: Option<(Move, u64)>,
    reminded: bool,
    /// The move that the board shows, from `base`.
    made: Option<Move>,
    touched: Bitboard,
    emptied: Bitboard,
    standing: Standing,
    picture: Option<(Picture, u64)>,
    /// The board has moved since.
    moving: bool,
    /// When a difference is to be reported.
    differ_at_ms: Option<u64>,
    differ_told: bool,
}

impl Judge {
    /// Watches the board of `seat`, which should show `position`.
    pub fn new(seat: Color, position: Chess, settings: JudgeSettings) -> Judge {
        Judge {
            settings,
            seat,
            base: position,
            earlier: Vec::new(),
            pending: None,
            reminded: false,
            made: None,
            touched: Bitboard::EMPTY,
            emptied: Bitboard::EMPTY,
            standing: Standing::Agrees,
            picture: None,
            moving: false,
            differ_at_ms: None,
            differ_told: false,
        }
    }

    /// The position that the board showed when all was last well.
    pub fn base(&self) -> &Chess {
        &self.base
    }

    /// The move that the board shows and nobody has completed yet.
    pub fn made(&self) -> Option<Move> {
        self.made
    }

    /// The move that is still to be executed on the board.
    pub fn pending(&self) -> Option<Move> {
        self.pending.map(|(mv, _)| mv)
    }

    /// Something on it changed, and it has not come to rest since.
    pub fn is_moving(&self) -> bool {
        self.moving
    }

    /// How the board was last seen at rest.
    pub fn picture(&self) -> Option<&Picture> {
        self.picture.as_ref().map(|(picture, _)| picture)
    }

    /// The squares that are not as they should be.
    pub fn wrong(&self) -> Bitboard {
        let wanted = self.wanted();
        let Some(picture) = self.picture() else { return Bitboard::EMPTY };
        let is_wrong =
            |square: &Square| !picture.on(*square).may_be(wanted.board().piece_at(*square));
        Square::ALL.into_iter().filter(is_wrong).collect()
    }

    /// Its player pressed the clock: a difference is not waited for any longer.
    pub fn pressed(&mut self, out: &mut Vec<Finding>) {
        let differs = self.standing == Standing::Differs && self.differ_at_ms.is_some();
        if differs && !self.differ_told && !self.moving {
            self.differ_told = true;
            out.extend(self.differ());
        }
    }

    /// How the board stands to the game.
    pub fn standing(&self) -> Standing {
        self.standing
    }

    /// The position that the board ought to show now.
    pub fn wanted(&self) -> Chess {
        self.pending.map_or_else(|| self.base.clone(), |(mv, _)| played(&self.base, mv))
    }

    /// The other player has made a move, which is to be executed here. A move of the player himself
    /// that the board shows counts as completed.
    pub fn expect(&mut self, at_ms: u64, mv: Move, out: &mut Vec<Finding>) {
        self.complete(at_ms, out);
        if let Some((before, _)) = self.pending.take() {
            // Slow hands: the base goes on without the board.
            self.advance_base(before);
        }
        if self.base.is_legal(mv) {
            self.pending = Some((mv, at_ms));
            self.reminded = false;
            self.standing = Standing::Pending;
            self.again(at_ms, out);
        }
    }

    /// The player has pressed his clock: the move that the board shows stands.
    pub fn complete(&mut self, at_ms: u64, out: &mut Vec<Finding>) {
        if let Some(mv) = self.made.take() {
            self.advance_base(mv);
            self.again(at_ms, out);
        }
    }

    /// The player's own move became known otherwise: the board cannot tell, or is late.
    pub fn named(&mut self, at_ms: u64, mv: Move, out: &mut Vec<Finding>) {
        if self.base.is_legal(mv) {
            self.made = Some(mv);
            self.again(at_ms, out);
        }
    }

    /// The game stands at another position: a correction, an arbiter's decision, a new game.
    pub fn set_position(&mut self, at_ms: u64, position: Chess, out: &mut Vec<Finding>) {
        self.earlier.push(self.base.board().clone());
        self.base = position;
        self.pending = None;
        self.made = None;
        self.begin();
        self.standing = Standing::Agrees;
        self.differ_at_ms = None;
        self.again(at_ms, out);
        // What is still wrong is another difference, to be told anew.
        self.differ_told = false;
    }

    fn advance_base(&mut self, mv: Move) {
        self.earlier.push(self.base.board().clone());
        self.base = played(&self.base, mv);
        self.begin();
    }

    fn begin(&mut self) {
        self.touched = Bitboard::EMPTY;
        self.emptied = Bitboard::EMPTY;
    }

    /// Looks at the last picture once more, after the game went on.
    fn again(&mut self, at_ms: u64, out: &mut Vec<Finding>) {
        if let Some((picture, _)) = self.picture.clone() {
            self.judge(&picture, at_ms, out);
        }
    }

    /// Takes in what the board reports.
    pub fn see(&mut self, seen: Seen, out: &mut Vec<Finding>) {
        match seen {
            Seen::Lifted { square, at_ms } => self.lifted(square, at_ms, out),
            Seen::Moving { .. } => self.moving = true,
            Seen::Still { picture, at_ms } => {
                self.moving = false;
                self.judge(&picture, at_ms, out);
                self.picture = Some((picture, at_ms));
            }
            Seen::Entered { text, at_ms } => self.entered(text, at_ms, out),
            Seen::Lost { why, at_ms } => {
                // What it showed counts no longer.
                self.moving = true;
                out.push(Finding::Lost { why, at_ms });
            }
            Seen::Back { at_ms } => out.push(Finding::Back { at_ms }),
        }
    }

    fn lifted(&mut self, square: Square, at_ms: u64, out: &mut Vec<Finding>) {
        self.emptied.add(square);
        let base = self.wanted();
        let executing =
            self.pending.is_some_and(|(mv, _)| squares_of(&self.base, mv).contains(square));
        let Some(piece) = base.board().piece_at(square) else {
            return;
        };
        let stands = self.base.board().piece_at(square) == Some(piece);
        if base.turn() == self.seat && stands && !executing && !self.touched.contains(square) {
            self.touched.add(square);
            out.push(Finding::Touched { square, piece, at_ms });
        }
    }

    fn entered(&mut self, text: String, at_ms: u64, out: &mut Vec<Finding>) {
        let Some(mv) = read(&self.base, &text).or_else(|| read(&self.wanted(), &text)) else {
            out.push(Finding::NoMove { text, at_ms });
            return;
        };
        if let Some((pending, _)) = self.pending {
            if mv == pending {
                self.executed(pending, at_ms, out);
                self.settle(Standing::Agrees, at_ms, out);
                return;
            }
            if !self.wanted().is_legal(mv) {
                out.push(Finding::NoMove { text, at_ms });
                return;
            }
            self.executed(pending, at_ms, out);
        }
        self.moved(vec![mv], at_ms, out);
        self.settle(Standing::Agrees, at_ms, out);
    }

    fn executed(&mut self, mv: Move, at_ms: u64, out: &mut Vec<Finding>) {
        self.pending = None;
        self.advance_base(mv);
        out.push(Finding::Executed { mv, at_ms });
    }

    fn moved(&mut self, moves: Vec<Move>, at_ms: u64, out: &mut Vec<Finding>) {
        match moves.as_slice() {
            [mv] if self.made == Some(*mv) => {}
            [mv] => {
                let instead_of = self.made.replace(*mv);
                out.push(Finding::Moved { mv: *mv, instead_of, at_ms });
            }
            // A move named since stays.
            moves if self.made.is_some_and(|mv| moves.contains(&mv)) => {}
            _ => {
                self.made = None;
                out.push(Finding::Which { moves, at_ms });
            }
        }
    }

    fn judge(&mut self, picture: &Picture, at_ms: u64, out: &mut Vec<Finding>) {
        let reading = self.read(picture);
        let standing = match &reading {
            Reading::Base if self.pending.is_some() => Standing::Pending,
            Reading::InHand | Reading::HalfDone => Standing::Moving,
            Reading::Other => Standing::Differs,
            _ => Standing::Agrees,
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
            Some(delay_ms) if !same || self.differ_at_ms.is_none() => {
                self.differ_at_ms = Some(at_ms + delay_ms);
            }
            Some(_) => {}
        }
        match reading {
            Reading::Base => {
                if let Some(mv) = self.made.take() {
                    out.push(Finding::TakenBack { mv, at_ms });
                }
            }
            Reading::Executed | Reading::ExecutedAndMoved(_) => {
                if let Some((mv, _)) = self.pending {
                    self.executed(mv, at_ms, out);
                }
                if let Reading::ExecutedAndMoved(moves) = reading {
                    self.moved(moves, at_ms, out);
                }
            }
            Reading::Moved(moves) => self.moved(moves, at_ms, out),
            Reading::InHand | Reading::HalfDone | Reading::Other => {}
        }
        self.settle(standing, at_ms, out);
    }

    fn settle(&mut self, standing: Standing, at_ms: u64, out: &mut Vec<Finding>) {
        self.standing = standing;
        if self.differ_told && matches!(standing, Standing::Agrees | Standing::Pending) {
            self.differ_told = false;
            out.push(Finding::Agree { at_ms });
        }
    }

    fn read(&self, picture: &Picture) -> Reading {
        if let Some((mv, _)) = self.pending {
            let after = played(&self.base, mv);
            if picture.fits(after.board()) {
                return Reading::Executed;
            }
            if picture.fits(self.base.board()) {
                return Reading::Base;
            }
            // The move executed and the answer made before anybody looked.
            if after.turn() == self.seat {
                let moves = self.moves_to(&after, picture);
                if !moves.is_empty() {
                    return Reading::ExecutedAndMoved(moves);
                }
            }
            return self.on_the_way(&self.base, &[mv], picture);
        }
        if picture.fits(self.base.board()) {
            return Reading::Base;
        }
        let legal = self.base.legal_moves();
        let moves = if self.base.turn() == self.seat {
            self.moves_to(&self.base, picture)
        } else {
            Vec::new()
        };
        if !moves.is_empty() {
            return Reading::Moved(moves);
        }
        self.on_the_way(&self.base, &legal, picture)
    }

    /// The legal moves after which a board looks like the picture. Reeds tell captures apart by the
    /// square that was empty in between, where it was seen.
    fn moves_to(&self, position: &Chess, picture: &Picture) -> Vec<Move> {
        let legal = position.legal_moves();
        let fits = |mv: &&Move| picture.fits(played(position, **mv).board());
        let moves: Vec<Move> = legal.iter().filter(fits).copied().collect();
        if moves.len() < 2 {
            return moves;
        }
        let seen: Vec<Move> = moves
            .iter()
            .filter(|mv| self.emptied.is_superset(leaves(position, **mv)))
            .copied()
            .collect();
        if seen.is_empty() { moves } else { seen }
    }

    /// Whether every square is as before one of these moves, as after it, or empty.
    fn on_the_way(&self, position: &Chess, moves: &[Move], picture: &Picture) -> Reading {
        let before = position.board();
        let changed: Bitboard = Square::ALL
            .into_iter()
            .filter(|square| !picture.on(*square).may_be(before.piece_at(*square)))
            .collect();
        let in_hand = changed.into_iter().all(|square| picture.on(square) == Shown::Empty);
        let way = |mv: &Move| {
            if !squares_of(position, *mv).is_superset(changed) {
                return false;
            }
            let after = played(position, *mv);
            changed.into_iter().all(|square| {
                let shown = picture.on(square);
                let pawn = mv.is_promotion() && square == mv.to();
                shown == Shown::Empty
                    || shown.may_be(after.board().piece_at(square))
                    || (pawn && shown.may_be(Some(Role::Pawn.of(position.turn()))))
            })
        };
        match moves.iter().any(way) {
            true if in_hand => Reading::InHand,
            true => Reading::HalfDone,
            // A piece that may not move is adjusted, or fell over.
            false if in_hand && changed.count() == 1 => Reading::HalfDone,
            false => Reading::Other,
        }
    }

    /// When [`Judge::advance`] has something to say, if nothing happens before.
    pub fn due_ms(&self) -> Option<u64> {
        let waits = self.standing == Standing::Pending && !self.reminded;
        let remind =
            self.pending.filter(|_| waits).map(|(_, at_ms)| at_ms + self.settings.pending_ms);
        let differ = self.differ_at_ms.filter(|_| !self.differ_told && !self.moving);
        [remind, differ].into_iter().flatten().min()
    }

    /// Lets time pass.
    pub fn advance(&mut self, now_ms: u64, out: &mut Vec<Finding>) {
        if let Some((mv, since_ms)) = self.pending
            && !self.reminded
            && now_ms >= since_ms + self.settings.pending_ms
            && self.standing == Standing::Pending
        {
            self.reminded = true;
            out.push(Finding::NotExecuted { mv, since_ms });
        }
        let due = self.differ_at_ms.is_some_and(|due_ms| due_ms <= now_ms);
        if due && !self.differ_told && !self.moving {
            self.differ_told = true;
            self.standing = Standing::Differs;
            out.extend(self.differ());
        }
    }

    fn differ(&self) -> Option<Finding> {
        let (picture, since_ms) = self.picture.clone()?;
        let wanted = self.wanted();
        let differences: Vec<Difference> = Square::ALL
            .into_iter()
            .map(|square| Difference {
                square,
                shown: picture.on(square),
                wanted: wanted.board().piece_at(square),
            })
            .filter(|difference| !difference.shown.may_be(difference.wanted))
            .collect();
        let plies_ago = self.earlier.iter().rev().position(|board| picture.fits(board));
        let illegal = illegal_move(&wanted, &differences);
        Some(Finding::Differ {
            differences,
            illegal,
            plies_ago: plies_ago.map(|n| n + 1 + usize::from(self.pending.is_some())),
            since_ms,
        })
    }
}

/// One piece of the player who has the move stands elsewhere, and nothing else is wrong.
fn illegal_move(position: &Chess, differences: &[Difference]) -> Option<IllegalMove> {
    let [a, b] = differences else {
        return None;
    };
    let (from, to) = if a.shown == Shown::Empty { (a, b) } else { (b, a) };
    let piece = from.wanted.filter(|piece| piece.color == position.turn())?;
    let went = from.shown == Shown::Empty
        && to.shown.may_be(Some(piece))
        && to.wanted.is_none_or(|taken| taken.color != piece.color);
    went.then_some(IllegalMove { piece, from: from.square, to: to.square })
}

fn played(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// All squares that a move changes.
fn squares_of(position: &Chess, mv: Move) -> Bitboard {
    let after = played(position, mv);
    Square::ALL
        .into_iter()
        .filter(|square| position.board().piece_at(*square) != after.board().piece_at(*square))
        .collect()
}

/// The squares that are empty at some time of a move, if nothing is put down before its place is
/// free.
fn leaves(position: &Chess, mv: Move) -> Bitboard {
    squares_of(position, mv) & position.board().occupied()
}

/// A move written in UCI or with English letters.
fn read(position: &Chess, text: &str) -> Option<Move> {
    let text = text.trim();
    let uci = text.parse::<UciMove>().ok().and_then(|uci| uci.to_move(position).ok());
    uci.or_else(|| San::from_ascii(text.as_bytes()).ok()?.to_move(position).ok())
}
