//! What a board shows that is no peg board, and what that means. Pure: adapters bring the pictures,
//! the game asks.

pub mod judge;

use shakmaty::{Bitboard, Board, Move, Piece, Square};

/// How a board stands, as far as it can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Picture {
    /// It knows its pieces.
    Pieces(Board),
    /// It feels that something stands on a square, not what.
    Occupied(Bitboard),
}

impl Picture {
    /// What is on a square.
    pub fn on(&self, square: Square) -> Shown {
        match self {
            Picture::Pieces(board) => board.piece_at(square).map_or(Shown::Empty, Shown::Piece),
            Picture::Occupied(occupied) if occupied.contains(square) => Shown::Something,
            Picture::Occupied(_) => Shown::Empty,
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

/// What a board sees on a square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// Nothing.
    Empty,
    /// A piece that it knows.
    Piece(Piece),
    /// A piece.
    Something,
}

impl Shown {
    /// Whether this may be `piece`, or nothing where that is meant.
    pub fn may_be(self, piece: Option<Piece>) -> bool {
        match self {
            Shown::Empty => piece.is_none(),
            Shown::Piece(shown) => piece == Some(shown),
            Shown::Something => piece.is_some(),
        }
    }
}

/// What a board reports. Times are milliseconds on one clock.
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
    /// The board is not still any more: what it showed no longer counts.
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

/// What is to be shown beside the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Guidance {
    /// This move is to be carried out on it.
    Execute {
        /// The move.
        mv: Move,
        /// The move in letters, for those that can show some.
        san: String,
    },
    /// These squares are not as they should be.
    Correct(Bitboard),
    /// Nothing is to be done.
    Nothing,
}
