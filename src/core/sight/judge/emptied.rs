//! What a board of reeds shows of captures: the squares that were empty in between.
//!
//! A piece that is lifted leaves the same picture as one that has captured. So a capture counts
//! when its square was seen empty, or when nobody watched it. What is left at a press is taken for
//! a capture without that: a piece that is pushed off its square may leave no gap between magnets.

use shakmaty::{Bitboard, Chess, Color, Move, Position, Square};

use super::{
    IllegalMove, Stand,
    squares::{differences, leaves, moves_shown},
};
use crate::sight::{Picture, SquareShown};

/// The squares seen empty since the board last stood as it should.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Emptied {
    squares: Bitboard,
    /// Others may have been empty meanwhile: nobody watched all the time.
    missed: bool,
    /// The opponent's capture was executed as far as reeds show it, but for this square: what stood
    /// there is yet to be taken off.
    late: Option<Square>,
}

impl Emptied {
    /// Of a board that nobody has watched yet.
    pub(super) fn unwatched() -> Emptied {
        Emptied { squares: Bitboard::EMPTY, missed: true, late: None }
    }

    /// Whether it says something about the player's own move.
    pub(super) fn lifted(&mut self, square: Square) -> bool {
        let own = self.late.take_if(|late| *late == square).is_none();
        if own {
            self.squares.add(square);
        }
        own
    }

    pub(super) fn misses(&mut self) {
        self.missed = true;
    }

    /// The board stands as it should.
    pub(super) fn stands(&mut self) {
        (self.squares, self.missed) = (Bitboard::EMPTY, false);
    }

    /// The opponent's move is executed.
    pub(super) fn executed(&mut self, mv: Move, picture: &Picture) {
        let unseen = takes(&mv) && !self.squares.contains(mv.to()) && !self.missed;
        let reeds = matches!(picture, Picture::Occupied(_));
        self.late = Some(mv.to()).filter(|_| unseen && reeds);
    }

    /// Another position counts. What is on its way began before.
    pub(super) fn moved_on(&mut self, moving: bool) {
        (self.squares, self.late) = (Bitboard::EMPTY, None);
        self.missed |= moving;
    }

    /// The legal moves that a picture shows.
    pub(super) fn moves(&self, position: &Chess, picture: &Picture) -> Vec<Move> {
        let mut moves = moves_shown(position, picture);
        if matches!(picture, Picture::Occupied(_)) {
            let seen = |mv: &Move| self.squares.is_superset(leaves(position, *mv));
            if moves.iter().any(seen) {
                moves.retain(seen);
            } else if !self.missed {
                moves.retain(|mv| !takes(mv));
            }
        }
        moves
    }

    /// The legal captures that alone are left as the meaning of a picture: their squares were not
    /// seen empty, and no other one was.
    pub(super) fn unseen(&self, stand: &Stand, seat: Color, picture: &Picture) -> Vec<Move> {
        let Picture::Occupied(occupied) = picture else { return Vec::new() };
        let his = stand.base.turn() == seat && (self.squares & *occupied).is_empty();
        if his { moves_shown(&stand.base, picture) } else { Vec::new() }
    }

    /// One of his pieces is gone, and one of the opponent's was: a capture, and no legal one
    /// (3.1.2).
    pub(super) fn illegal(
        &self,
        stand: &Stand,
        seat: Color,
        picture: &Picture,
    ) -> Option<IllegalMove> {
        let Picture::Occupied(occupied) = picture else { return None };
        let position = stand.wanted();
        let (us, them) = (position.board().by_color(seat), position.board().by_color(!seat));
        let wrong = differences(picture, position.board());
        let [gone] = wrong.as_slice() else { return None };
        let (from, piece) = (gone.square, gone.wanted.filter(|_| us.contains(gone.square))?);
        let to = (self.squares & *occupied & them).single_square()?;
        let taken = gone.shown == SquareShown::Empty && position.turn() == seat;
        let legal = moves_shown(&position, picture).iter().any(|mv| mv.to() == to);
        (taken && !legal).then_some(IllegalMove { piece, from, to, beside: None })
    }
}

/// It takes what stands where it goes: reeds show that square as before.
fn takes(mv: &Move) -> bool {
    mv.is_capture() && !mv.is_en_passant()
}
