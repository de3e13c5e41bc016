//! What a player has touched, adjusted and completed against the Laws.

use shakmaty::{Bitboard, Move, Square};

use crate::sensing::{ADJUSTS_MS, KNOCKED};

/// Adjusting pieces on their squares (4.2.1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Adjusting {
    #[default]
    No,
    /// The player has said so.
    Said,
    /// The player has touched a piece that he adjusts.
    Touched,
    /// The pieces stand since this moment, milliseconds. There may be more to adjust.
    Stands(u64),
}

/// A player's conduct at the board.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Conduct {
    /// Pieces that he touched on this move, in order.
    touched: Vec<Square>,
    /// Pieces that were knocked over, until the board stands again.
    knocked: Bitboard,
    adjusting: Adjusting,
    /// He let go of his king where this castling puts it (4.7.2).
    released_king: Option<Move>,
    /// Completed illegal moves (7.5.5).
    illegal: u32,
    /// He has completed an illegal move and the position has not been put right since.
    unrestored: bool,
    /// He left a pawn on its last rank and pressed: by this move it becomes a queen (7.5.2).
    unpromoted: Option<Move>,
}

impl Conduct {
    /// Pieces touched on this move, in order.
    pub(super) fn touched(&self) -> &[Square] {
        &self.touched
    }

    /// The castling that is all that he may play, since his king was released for it (4.7.2).
    pub(super) fn released_king(&self) -> Option<Move> {
        self.released_king
    }

    /// His king is released where a castling puts it. The first one counts.
    pub(super) fn releases_king(&mut self, castling: Move) {
        self.released_king.get_or_insert(castling);
    }

    /// A piece is touched. `false`: it is adjusted, which binds to nothing (4.2.1).
    pub(super) fn touches(&mut self, square: Square, at_ms: u64) -> bool {
        if matches!(self.adjusting, Adjusting::Stands(ms) if at_ms.saturating_sub(ms) > ADJUSTS_MS)
        {
            self.adjusting = Adjusting::No;
        }
        if self.adjusting != Adjusting::No {
            self.adjusting = Adjusting::Touched;
            return false;
        }
        if !self.touched.contains(&square) {
            self.touched.push(square);
        }
        true
    }

    /// These pieces are off his board at once, at rest. Too many were knocked over (4.2.2).
    pub(super) fn off_together(&mut self, off: Bitboard) {
        if off.count() >= KNOCKED {
            self.knocked |= off;
        }
    }

    /// The board stands again without a move: what was knocked over was not touched. Those pieces.
    pub(super) fn set_up_again(&mut self) -> Bitboard {
        let knocked = std::mem::take(&mut self.knocked);
        self.touched.retain(|square| !knocked.contains(*square));
        knocked
    }

    /// The player says that he adjusts.
    pub(super) fn adjusts(&mut self) {
        if self.adjusting == Adjusting::No {
            self.adjusting = Adjusting::Said;
        }
    }

    /// The pieces stand again: what was adjusted is, and an illegal move is put right.
    pub(super) fn stands_again(&mut self, at_ms: u64) {
        self.unrestored = false;
        if self.adjusting == Adjusting::Touched {
            self.adjusting = Adjusting::Stands(at_ms);
        }
    }

    /// Completed illegal moves, this one included.
    pub(super) fn counts_illegal(&mut self) -> u32 {
        self.illegal += 1;
        self.illegal
    }

    /// The arbiter does not count one of them. How many are left.
    pub(super) fn uncounts_illegal(&mut self) -> u32 {
        self.illegal = self.illegal.saturating_sub(1);
        self.illegal
    }

    /// An illegal move is completed. `false`: more of them, or more presses, are one irregularity
    /// until the position is put right (7.5.1, 7.5.5).
    pub(super) fn completes_illegal(&mut self) -> bool {
        !std::mem::replace(&mut self.unrestored, true)
    }

    /// By this move the pawn that was left on its last rank becomes a queen.
    pub(super) fn unpromoted(&self) -> Option<Move> {
        self.unpromoted
    }

    pub(super) fn leaves_pawn(&mut self, queen: Option<Move>) {
        self.unpromoted = queen;
    }

    /// A move is made: nothing is touched any more. The move that he owed for a pawn left on its
    /// last rank.
    pub(super) fn moves(&mut self) -> Option<Move> {
        self.adjusting = Adjusting::No;
        self.unrestored = false;
        self.forgets_touches()
    }

    /// The game goes on from another position.
    pub(super) fn forgets_touches(&mut self) -> Option<Move> {
        self.unrestored = false;
        self.touched.clear();
        self.knocked = Bitboard::EMPTY;
        self.released_king = None;
        self.unpromoted.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whoever_adjusts_adjusts_one_or_more_pieces_and_later_touches_again() {
        let mut conduct = Conduct::default();
        conduct.adjusts();
        conduct.stands_again(0);
        assert!(!conduct.touches(Square::E2, 60_000), "he has said so and touches it now");
        conduct.stands_again(61_000);
        assert!(!conduct.touches(Square::D2, 61_000 + ADJUSTS_MS), "another one");
        conduct.stands_again(70_000);
        assert!(conduct.touches(Square::E2, 70_001 + ADJUSTS_MS));
        assert!(conduct.touches(Square::E2, 80_000));
        assert_eq!(conduct.touched(), [Square::E2]);
        conduct.moves();
        assert!(conduct.touched().is_empty());
    }

    #[test]
    fn until_the_position_is_put_right_there_is_one_irregularity() {
        let mut conduct = Conduct::default();
        assert!(conduct.completes_illegal());
        assert!(!conduct.completes_illegal());
        conduct.stands_again(0);
        assert!(conduct.completes_illegal());
        assert_eq!((conduct.counts_illegal(), conduct.counts_illegal()), (1, 2));
        assert_eq!((conduct.uncounts_illegal(), conduct.uncounts_illegal()), (1, 0));
        assert_eq!(conduct.uncounts_illegal(), 0);
    }
}
