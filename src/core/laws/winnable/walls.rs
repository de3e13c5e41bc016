//! Where pieces can get to at the very most.
//!
//! Every piece is given every square that it might ever stand on, by rules that allow more than the
//! Laws do: nobody waits for his turn, checks and pins are forgotten, a piece that may leave its
//! square has left it for all others. What stays is what cannot change: a pawn behind a pawn that
//! cannot move or be taken, and the squares next to a king's way that such pieces guard. Every real
//! series of moves is possible here too, so that a mate that is not possible here is not possible at
//! all.

use shakmaty::{
    Bitboard, CastlingSide, Chess, Color, EnPassantMode, Piece, Position, Rank, Role, Square,
    attacks,
};

/// Whether walls keep `winner` from ever mating. `false` says nothing.
pub(super) fn keep_from_mating(pos: &Chess, winner: Color) -> bool {
    let mut walls = Walls::new(pos);
    walls.keep_from_mating(pos, winner)
}

struct Walls {
    pieces: Vec<Reach>,
    /// Squares whose first occupant can neither move nor be taken, as far as is known.
    stuck: Bitboard,
}

/// One piece of the position and the squares it may stand on.
struct Reach {
    piece: Piece,
    home: Square,
    squares: Bitboard,
    /// A pawn that may have become anything.
    promoted: bool,
}

impl Reach {
    fn at_home(&self, stuck: Bitboard) -> bool {
        stuck.contains(self.home)
    }

    /// What it attacks from `from` with only `stuck` in its way.
    fn attacks(&self, from: Square, stuck: Bitboard) -> Bitboard {
        let own = attacks::attacks(from, self.piece, stuck);
        if self.promoted {
            own | attacks::queen_attacks(from, stuck) | attacks::knight_attacks(from)
        } else {
            own
        }
    }
}

impl Walls {
    fn new(pos: &Chess) -> Walls {
        let board = pos.board();
        let reach = |square: Square| {
            let piece = board.piece_at(square)?;
            let squares = Bitboard::from_square(square);
            Some(Reach { piece, home: square, squares, promoted: false })
        };
        Walls {
            pieces: board.occupied().into_iter().filter_map(reach).collect(),
            stuck: board.occupied(),
        }
    }

    /// Lets every piece go everywhere until nothing new is reached, or a mate is: what is reached
    /// only grows.
    fn keep_from_mating(&mut self, pos: &Chess, winner: Color) -> bool {
        self.castle(pos);
        let ep = pos.ep_square(EnPassantMode::Legal);
        if let Some(passed) = ep {
            // The pawn that has just made a double step may be taken where it stands.
            let rank = pos.turn().fold_wb(Rank::Fifth, Rank::Fourth);
            self.stuck.discard(Square::from_coords(passed.file(), rank));
        }
        loop {
            let before = self.size();
            for n in 0..self.pieces.len() {
                self.go(n, ep);
            }
            if self.leave_a_mate(winner) {
                return false;
            }
            if self.size() == before {
                return true;
            }
        }
    }

    fn size(&self) -> u32 {
        let reached: usize = self.pieces.iter().map(|reach| reach.squares.count()).sum();
        // 32 pieces of 64 squares at most.
        reached as u32 + (64 - self.stuck.count() as u32)
    }

    fn castle(&mut self, pos: &Chess) {
        for color in Color::ALL {
            for side in CastlingSide::ALL {
                let Some(rook) = pos.castles().rook(color, side) else { continue };
                for reach in &mut self.pieces {
                    if reach.piece == color.king() {
                        reach.squares.add(side.king_to(color));
                    } else if reach.home == rook {
                        reach.squares.add(side.rook_to(color));
                    }
                }
            }
        }
        self.free_those_that_moved();
    }

    fn free_those_that_moved(&mut self) {
        for reach in &self.pieces {
            if reach.squares.more_than_one() {
                self.stuck.discard(reach.home);
            }
        }
    }

    /// One more move of piece `n` from each of its squares.
    fn go(&mut self, n: usize, ep: Option<Square>) {
        let color = self.pieces[n].piece.color;
        let role = self.pieces[n].piece.role;
        let prey = self.stand(!color);
        let guarded = if role == Role::King { self.guarded_by(!color) } else { Bitboard::EMPTY };
        let mut found = Bitboard::EMPTY;
        for from in self.pieces[n].squares {
            if role == Role::Pawn {
                found |= self.pawn_goes(color, from, prey, ep);
            }
            if role != Role::Pawn || self.pieces[n].promoted {
                let reach = self.pieces[n].attacks(from, self.stuck);
                found |= reach & (!self.stuck | prey) & !guarded;
            }
        }
        let reach = &mut self.pieces[n];
        reach.squares |= found;
        if role == Role::Pawn && (reach.squares & Bitboard::from_rank(last_rank(color))).any() {
            reach.promoted = true;
        }
        if reach.squares.more_than_one() {
            let home = reach.home;
            self.stuck.discard(home);
        }
        // Whatever was stuck on a square that is reached now was taken there.
        self.stuck &= !found;
    }

    fn pawn_goes(
        &self,
        color: Color,
        from: Square,
        prey: Bitboard,
        ep: Option<Square>,
    ) -> Bitboard {
        let mut found = Bitboard::EMPTY;
        let ahead = Bitboard::from_square(from).shift(color.fold_wb(8, -8)) & !self.stuck;
        found |= ahead;
        if ahead.any() && from.rank() == color.fold_wb(Rank::Second, Rank::Seventh) {
            found |= ahead.shift(color.fold_wb(8, -8)) & !self.stuck;
        }
        let aslant = attacks::pawn_attacks(color, from);
        found |= aslant & prey;
        if from.rank() == color.fold_wb(Rank::Fifth, Rank::Fourth) {
            for to in aslant.into_iter().filter(|&to| self.en_passant(color, from, to, ep)) {
                found.add(to);
            }
        }
        found
    }

    /// A pawn of `color` on `from` may take a pawn beside it that has just made a double step.
    fn en_passant(&self, color: Color, from: Square, to: Square, ep: Option<Square>) -> bool {
        let beside = Square::from_coords(to.file(), from.rank());
        let stepped = |reach: &Reach| {
            reach.piece == (!color).pawn() && reach.home != beside && reach.squares.contains(beside)
        };
        ep == Some(to) || self.pieces.iter().any(stepped)
    }

    /// Squares on which pieces of `color` that can be taken may stand.
    fn stand(&self, color: Color) -> Bitboard {
        self.pieces
            .iter()
            .filter(|reach| reach.piece.color == color && reach.piece.role != Role::King)
            .fold(Bitboard::EMPTY, |all, reach| all | reach.squares)
    }

    /// Squares that pieces of `color` guard for ever: they cannot leave, and nothing gets between.
    fn guarded_by(&self, color: Color) -> Bitboard {
        self.pieces
            .iter()
            .filter(|reach| reach.piece.color == color && reach.at_home(self.stuck))
            .fold(Bitboard::EMPTY, |all, reach| {
                all | attacks::attacks(reach.home, reach.piece, Bitboard::FULL)
            })
    }

    /// Whether some square is left on which the other king might be mated: it may be there, be
    /// attacked there, and each square next to it may be attacked or taken by its own pieces.
    fn leave_a_mate(&self, winner: Color) -> bool {
        let king = |color: Color| self.pieces.iter().find(|reach| reach.piece == color.king());
        let (Some(winners), Some(losers)) = (king(winner), king(!winner)) else {
            return true;
        };
        // A king does not shade the squares behind it.
        let mut stuck = self.stuck;
        stuck.discard(losers.home);
        let mut attacked = Bitboard::EMPTY;
        for reach in &self.pieces {
            if reach.piece.color == winner && reach.piece.role != Role::King {
                for from in reach.squares {
                    attacked |= reach.attacks(from, stuck);
                }
            }
        }
        let shut = attacked | self.stand(!winner);
        (losers.squares & attacked).into_iter().any(|mated| {
            let open = attacks::king_attacks(mated) & !shut;
            let near = attacks::king_attacks(mated).with(mated);
            (winners.squares & !near)
                .into_iter()
                .any(|from| open.is_subset(attacks::king_attacks(from)))
        })
    }
}

fn last_rank(color: Color) -> Rank {
    color.fold_wb(Rank::Eighth, Rank::First)
}
