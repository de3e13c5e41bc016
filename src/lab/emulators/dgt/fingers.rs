//! Hands at an electronic board, with the habits measured on real ones: captures that never leave
//! the target empty, pieces slid over squares, put down before they are lifted, taken pieces
//! carried off over the board.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, Chess, Color, Move, Piece, Position, Role, Square, attacks};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placing {
    /// When, milliseconds.
    pub t_ms: u64,
    pub square: Square,
    pub piece: Option<Piece>,
}

/// The hands' movements for one move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Playing {
    /// In time.
    pub placings: Vec<Placing>,
    /// When the hand is gone, milliseconds.
    pub end_ms: u64,
}

/// How often, in a thousand moves, hands have which habit. Source: 199 plies recorded on real
/// boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fingers {
    /// A capture puts the piece on its target without emptying it first.
    pub replace: u32,
    /// A piece is slid over the squares between.
    pub slide: u32,
    /// A piece shows on its new square before it has left the old one.
    pub put_first: u32,
    /// A taken piece shows on a square on its way off the board.
    pub carry: u32,
    /// A piece is lifted, held a while, and put back first.
    pub reconsider: u32,
    /// Between two movements of a hand, milliseconds.
    pub tempo_ms: (u64, u64),
}

impl Default for Fingers {
    /// As measured, slides somewhat more.
    fn default() -> Fingers {
        Fingers {
            replace: 700,
            slide: 150,
            put_first: 40,
            carry: 140,
            reconsider: 60,
            tempo_ms: (60, 700),
        }
    }
}

impl Fingers {
    /// The movements for `mv`, which is legal in `position`, from `start_ms` on.
    pub fn play(&self, rng: &mut ChaCha8Rng, position: &Chess, mv: Move, start_ms: u64) -> Playing {
        let mut hand = Hand { rng, fingers: *self, now_ms: start_ms, placings: Vec::new() };
        let color = position.turn();
        let board = position.board();
        match mv {
            Move::Normal { role, from, capture, to, promotion } => {
                let piece = role.of(color);
                if hand.chance(self.reconsider) {
                    hand.set(from, None);
                    hand.pause();
                    hand.set(from, Some(piece));
                }
                let replaced = capture.is_some() && hand.chance(self.replace);
                if capture.is_some() && !replaced {
                    hand.set(to, None);
                    let taken = capture.map(|role| role.of(color.other()));
                    hand.carry(board, from, taken);
                }
                hand.carry_over(board, piece, from, to);
                if let Some(role) = promotion {
                    if hand.chance(500) {
                        hand.set(to, None);
                    }
                    hand.set(to, Some(role.of(color)));
                }
            }
            Move::EnPassant { from, to } => {
                let taken = Square::from_coords(to.file(), from.rank());
                let first = hand.chance(300);
                if first {
                    hand.set(taken, None);
                }
                hand.carry_over(board, color.pawn(), from, to);
                if !first {
                    hand.set(taken, None);
                }
            }
            Move::Castle { king, rook } => castle(&mut hand, board, color, mv, king, rook),
            Move::Put { role, to } => hand.set(to, Some(role.of(color))),
        }
        Playing { end_ms: hand.now_ms, placings: hand.placings }
    }
}

fn castle(hand: &mut Hand<'_>, board: &Board, color: Color, mv: Move, king: Square, rook: Square) {
    let Some(side) = mv.castling_side() else {
        return;
    };
    let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
    if hand.chance(300) {
        // Both at once, in two hands.
        hand.set(king, None);
        hand.set(rook, None);
        hand.set(king_to, Some(color.king()));
        hand.set(rook_to, Some(color.rook()));
        return;
    }
    hand.carry_over(board, color.king(), king, king_to);
    // The king stands between by now: the rook is not slid through him.
    hand.set(rook, None);
    hand.set(rook_to, Some(color.rook()));
}

struct Hand<'a> {
    rng: &'a mut ChaCha8Rng,
    fingers: Fingers,
    now_ms: u64,
    placings: Vec<Placing>,
}

impl Hand<'_> {
    fn chance(&mut self, permille: u32) -> bool {
        self.rng.random_range(0..1000) < permille
    }

    fn pause(&mut self) {
        let (least, most) = self.fingers.tempo_ms;
        self.now_ms += self.rng.random_range(least..=most);
    }

    fn set(&mut self, square: Square, piece: Option<Piece>) {
        self.pause();
        self.placings.push(Placing { t_ms: self.now_ms, square, piece });
    }

    /// A taken piece shows for a moment on an empty square beside the way.
    fn carry(&mut self, board: &Board, from: Square, taken: Option<Piece>) {
        if !self.chance(self.fingers.carry) {
            return;
        }
        let mut beside = attacks::king_attacks(from) & !board.occupied();
        if let Some(square) = beside.pop_front() {
            self.set(square, taken);
            self.set(square, None);
        }
    }

    fn carry_over(&mut self, board: &Board, piece: Piece, from: Square, to: Square) {
        let between = attacks::between(from, to);
        if piece.role != Role::Knight && between.any() && self.chance(self.fingers.slide) {
            self.set(from, None);
            let mut way: Vec<Square> =
                between.into_iter().filter(|square| !board.occupied().contains(*square)).collect();
            if from > to {
                way.reverse();
            }
            for square in way {
                self.set(square, Some(piece));
                self.set(square, None);
            }
            self.set(to, Some(piece));
        } else if self.chance(self.fingers.put_first) {
            self.set(to, Some(piece));
            self.set(from, None);
        } else {
            self.set(from, None);
            self.set(to, Some(piece));
        }
    }
}
