//! Pictures of boards other than peg boards, and their meaning. Pure: adapters bring the pictures,
//! the game asks.

pub mod judge;

use shakmaty::{Bitboard, Board, Move, Piece, Square};

/// How a board stands, as far as it can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// A board that recognises pieces.
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
    /// Nothing.
    Empty,
    /// A piece that it knows.
    Piece(Piece),
    /// A piece.
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
        /// Which.
        square: Square,
        /// When.
        at_ms: u64,
    },
    /// The board is moving: its last picture no longer counts.
    Moving {
        /// Since when.
        at_ms: u64,
    },
    /// The board has come to rest like this.
    Still {
        /// How it stands.
        picture: Picture,
        /// When it last changed.
        at_ms: u64,
    },
    /// The board is gone.
    Lost {
        /// The fault and its remedy, one line.
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

/// The guidance to show beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guidance {
    /// A move to execute on it.
    Execute {
        /// The move.
        mv: Move,
        /// The move in letters, for those that can show some.
        san: String,
    },
    /// These squares are not as they should be.
    Correct(Bitboard),
    /// No guidance.
    Nothing,
}
