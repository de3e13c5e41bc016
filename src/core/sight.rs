//! Pictures of boards other than peg boards, and their meaning. Pure: adapters bring the pictures,
//! the game asks.

pub mod judge;

use shakmaty::{Bitboard, Board, Move, Piece, Square};

/// How a board stands, as far as it can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    Pieces(Board),
    /// A board that senses occupied squares only.
    Occupied(Bitboard),
}

impl Picture {
    /// The content of a square.
    pub fn on(&self, square: Square) -> SquareShown {
        match self {
            Picture::Pieces(board) => {
                board.piece_at(square).map_or(SquareShown::Empty, SquareShown::Piece)
            }
            Picture::Occupied(occupied) if occupied.contains(square) => SquareShown::Something,
            Picture::Occupied(_) => SquareShown::Empty,
        }
    }

    /// The same with the pieces that `board` has on these squares.
    fn with(&self, squares: Bitboard, board: &Board) -> Picture {
        match self {
            Picture::Pieces(pieces) => {
                let mut pieces = pieces.clone();
                for square in squares {
                    if let Some(piece) = board.piece_at(square) {
                        pieces.set_piece_at(square, piece);
                    }
                }
                Picture::Pieces(pieces)
            }
            Picture::Occupied(occupied) => Picture::Occupied(*occupied | squares),
        }
    }

    /// The squares on which something stands.
    pub fn occupied(&self) -> Bitboard {
        match self {
            Picture::Pieces(board) => board.occupied(),
            Picture::Occupied(occupied) => *occupied,
        }
    }

    /// Whether a board that stands like `board` looks like this.
    pub fn fits(&self, board: &Board) -> bool {
        match self {
            Picture::Pieces(pieces) => pieces == board,
            Picture::Occupied(occupied) => *occupied == board.occupied(),
        }
    }
}

/// A square's content, as far as the board sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SquareShown {
    Empty,
    Piece(Piece),
    Something,
}

impl SquareShown {
    /// Whether this may be `piece`, or nothing where that is meant.
    pub fn may_be(self, piece: Option<Piece>) -> bool {
        match self {
            SquareShown::Empty => piece.is_none(),
            SquareShown::Piece(shown) => piece == Some(shown),
            SquareShown::Something => piece.is_some(),
        }
    }
}

/// A board's report. Times are milliseconds on one clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// A piece left this square, or another took its place. A hint: pieces slid over the board are
    /// lifted from squares on which they only passed.
    Lifted {
        square: Square,
        at_ms: u64,
    },
    /// The board is moving: its last picture no longer counts.
    Moving {
        at_ms: u64,
    },
    /// The board has come to rest like this.
    Still {
        picture: Picture,
        /// When it last changed.
        at_ms: u64,
    },
    Lost {
        /// The fault and its remedy, one line.
        why: String,
        at_ms: u64,
    },
    Back {
        at_ms: u64,
    },
}

/// The guidance to show beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guidance {
    /// A move to execute on it.
    Execute {
        mv: Move,
        /// The move in letters, for those that can show some.
        san: String,
    },
    /// These squares are not as they should be.
    Correct(Bitboard),
    Nothing,
}
