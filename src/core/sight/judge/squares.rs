//! Moves as the squares that they change. Pure.

use shakmaty::{Bitboard, Board, Chess, Move, Position, Square};

use super::SquareDifference;
use crate::sight::Picture;

/// The legal moves after which a board looks like the picture.
pub fn moves_shown(position: &Chess, picture: &Picture) -> Vec<Move> {
    let fits = |mv: &&Move| picture.fits(played(position, **mv).board());
    position.legal_moves().iter().filter(fits).copied().collect()
}

/// The squares on which a board looks otherwise than `wanted`, a1 first.
pub(super) fn differences(picture: &Picture, wanted: &Board) -> Vec<SquareDifference> {
    let difference = |square| SquareDifference {
        square,
        shown: picture.on(square),
        wanted: wanted.piece_at(square),
    };
    let differs = |difference: &SquareDifference| !difference.shown.may_be(difference.wanted);
    Square::ALL.into_iter().map(difference).filter(differs).collect()
}

pub(super) fn played(position: &Chess, mv: Move) -> Chess {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// All squares that a move changes.
pub(super) fn squares_of(position: &Chess, mv: Move) -> Bitboard {
    let after = played(position, mv);
    Square::ALL
        .into_iter()
        .filter(|square| position.board().piece_at(*square) != after.board().piece_at(*square))
        .collect()
}

/// The squares that are empty at some time of a move, if nothing is put down before its place is
/// free.
pub(super) fn leaves(position: &Chess, mv: Move) -> Bitboard {
    squares_of(position, mv) & position.board().occupied()
}
