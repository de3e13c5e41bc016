//! The steps left on a board that is being put right (D.2.9).
//!
//! Reeds do not know which piece stands in a hole. So a hole with the wrong piece must be seen
//! empty before it counts as right, and the piece that belongs there is named when its turn comes.
//! First every wrong piece is taken away, then every missing one is put. Steps done in another
//! order count too.

use serde::{Deserialize, Serialize};
use shakmaty::{Bitboard, Board, Piece, Square};

use crate::sensing::PegStep;

/// A step on a board, as [`super::Output::Correct`] shows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum HandStep {
    /// Take away what stands here.
    Take {
        #[serde(with = "annabella_words::text")]
        take: Square,
        /// What, as in a FEN, as far as it is known.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        piece: Option<char>,
    },
    /// Put this piece here.
    Put {
        #[serde(with = "annabella_words::text")]
        put: Square,
        /// Which, as in a FEN.
        piece: char,
    },
}

/// How a board is being put right.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Correction {
    pub(super) target: Board,
    /// As it stood when that began.
    pub(super) before: Board,
    /// Pieces that are taken away, as far as they are known.
    pub(super) known: Vec<(Square, Piece)>,
    /// Holes that must be seen empty first.
    pub(super) wrong: Bitboard,
    pub(super) occupied: Bitboard,
    /// Holes whose reeds are broken. Steps there are named, and taken for done.
    pub(super) unfelt: Bitboard,
    pub(super) told: Option<PegStep>,
    /// So the board stood when it was first seen: no decision led to this.
    pub(super) first: bool,
}

impl Correction {
    pub(super) fn occupied(&self) -> Bitboard {
        self.occupied
    }

    pub(super) fn before(&self) -> &Board {
        &self.before
    }

    pub(super) fn edge(&mut self, square: Square, occupied: bool) {
        if !self.unfelt.contains(square) {
            self.set(square, occupied);
        }
    }

    pub(super) fn set(&mut self, square: Square, occupied: bool) {
        self.occupied.set(square, occupied);
        if !occupied {
            self.wrong.discard(square);
        } else if self.target.piece_at(square).is_none() {
            self.wrong.add(square);
        }
    }

    /// The steps left, in order.
    pub(super) fn steps(&self) -> Vec<PegStep> {
        let takes = self.wrong & self.occupied;
        let puts = self.target.occupied() & (!self.occupied | takes);
        let put = |square| self.target.piece_at(square).map(|piece| PegStep::Put(square, piece));
        let take = |square| PegStep::Take(square, self.piece_on(square));
        takes.into_iter().map(take).chain(puts.into_iter().filter_map(put)).collect()
    }

    pub(super) fn shown(&self, step: PegStep) -> HandStep {
        match step {
            PegStep::Take(take, _) => {
                HandStep::Take { take, piece: self.piece_on(take).map(|piece| piece.char()) }
            }
            PegStep::Put(put, piece) => HandStep::Put { put, piece: piece.char() },
        }
    }

    pub(super) fn piece_on(&self, square: Square) -> Option<Piece> {
        self.known.iter().find(|(known, _)| *known == square).map(|(_, piece)| *piece)
    }
}
