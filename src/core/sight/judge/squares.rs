//! Moves as the squares that they change. Pure.

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::{IllegalMove, SquareDifference};
use crate::sight::{Picture, SquareShown};

/// The legal moves after which a board looks like the picture.
pub fn moves_shown(position: &Chess, picture: &Picture) -> Vec<Move> {
    let fits = |mv: &&Move| picture.fits(played(position, **mv).board());
    position.legal_moves().iter().filter(fits).copied().collect()
}

/// A single piece of the player to move stands elsewhere, and nothing else is wrong.
pub(super) fn illegal_move(
    position: &Chess,
    differences: &[SquareDifference],
) -> Option<IllegalMove> {
    let [a, b] = differences else {
        return None;
    };
    let (from, to) = if a.shown == SquareShown::Empty { (a, b) } else { (b, a) };
    let piece = from.wanted.filter(|piece| piece.color == position.turn())?;
    let went = from.shown == SquareShown::Empty
        && to.shown.may_be(Some(piece))
        && to.wanted.is_none_or(|taken| taken.color != piece.color);
    went.then_some(IllegalMove { piece, from: from.square, to: to.square })
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
