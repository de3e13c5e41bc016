//! Which legal moves a picture of the board can be, given what was seen on the way to it.

use shakmaty::{Bitboard, Chess, Move, Position, Square};

/// The effect of one legal move on the 64 holes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub mv: Move,
    /// The board after it.
    pub after: Bitboard,
    /// Holes that must have been empty at some moment: origins, and a captured piece's square.
    pub emptied: Bitboard,
    /// Holes that a peg of the mover lands in.
    pub landing: Bitboard,
    /// The piece's old square (the king's when castling).
    pub from: Square,
    /// The piece's new square (the king's when castling).
    pub to: Square,
    pub captured: Option<Square>,
}

impl Shape {
    /// The shape of a legal move (never a drop) on a board occupied like `before`.
    pub fn new(before: Bitboard, mv: Move) -> Shape {
        let (emptied, landing, from, to, captured) = match mv {
            Move::Normal { from, to, capture, .. } => {
                let captured = capture.map(|_| to);
                let origin = Bitboard::from(from);
                let emptied = captured.map_or(origin, |sq| origin.with(sq));
                (emptied, Bitboard::from(to), from, to, captured)
            }
            Move::EnPassant { from, to } => {
                let captured = Square::from_coords(to.file(), from.rank());
                (Bitboard::from(from).with(captured), Bitboard::from(to), from, to, Some(captured))
            }
            Move::Castle { king, rook } => {
                let short = rook.file() > king.file();
                let (king_file, rook_file) = if short {
                    (shakmaty::File::G, shakmaty::File::F)
                } else {
                    (shakmaty::File::C, shakmaty::File::D)
                };
                let king_to = Square::from_coords(king_file, king.rank());
                let rook_to = Square::from_coords(rook_file, king.rank());
                (
                    Bitboard::from(king).with(rook),
                    Bitboard::from(king_to).with(rook_to),
                    king,
                    king_to,
                    None,
                )
            }
            Move::Put { to, .. } => (Bitboard::EMPTY, Bitboard::from(to), to, to, None),
        };
        let after = before.without(emptied).with(landing);
        Shape { mv, after, emptied, landing, from, to, captured }
    }
}

/// The legal moves of a position as shapes.
#[derive(Clone, Debug, PartialEq)]
pub struct ShapeTable {
    shapes: Vec<Shape>,
    occupied: Bitboard,
}

impl ShapeTable {
    /// All legal moves of `position`.
    pub fn new(position: &Chess) -> ShapeTable {
        let occupied = position.board().occupied();
        let shapes = position.legal_moves().iter().map(|mv| Shape::new(occupied, *mv)).collect();
        ShapeTable { shapes, occupied }
    }

    /// Every legal move's shape.
    pub fn shapes(&self) -> &[Shape] {
        &self.shapes
    }

    /// The shape of one legal move.
    pub fn shape(&self, mv: Move) -> Option<&Shape> {
        self.shapes.iter().find(|shape| shape.mv == mv)
    }

    /// The moves that `occupied` can be the end of, given the trail that led there. `blind` are
    /// holes whose reeds are known to be broken.
    ///
    /// A move is a candidate under three conditions: the board looks as after it, every hole that
    /// it empties was seen empty, and on a capture the target was filled after the origin was first
    /// emptied. A move that would not change the picture, or whose landing can't be seen, is no
    /// candidate. Only an announcement can identify it (see [`ShapeTable::fits_announced`]).
    pub fn candidates<'a>(
        &'a self,
        occupied: Bitboard,
        trail: &'a Trail,
        blind: Bitboard,
    ) -> impl Iterator<Item = &'a Shape> + 'a {
        self.shapes.iter().filter(move |shape| {
            ((shape.after ^ occupied) & !blind).is_empty()
                && trail.shows(shape, blind)
                && shape.landing.is_disjoint(blind)
                && !((shape.after ^ self.occupied) & !blind).is_empty()
        })
    }

    /// Promotions by capture whose new piece may have been set before the pawn was removed. At the
    /// end this looks like a pawn lifted after its target was touched, so it can only be asked for.
    pub fn set_first<'a>(
        &'a self,
        occupied: Bitboard,
        trail: &'a Trail,
        blind: Bitboard,
    ) -> impl Iterator<Item = &'a Shape> + 'a {
        self.shapes.iter().filter(move |shape| {
            shape.mv.is_promotion()
                && ((shape.after ^ occupied) & !blind).is_empty()
                && shape.captured.is_some_and(|sq| trail.filled_ms(sq) > 0)
                && (shape.emptied & !blind).is_subset(trail.emptied)
                && shape.emptied.is_disjoint(blind)
        })
    }

    /// Whether the board can be the end of this announced move, broken reeds overlooked. `whole` is
    /// the trail since the position was accepted. The order in which the holes were filled does not
    /// matter.
    pub fn fits_announced(
        &self,
        mv: Move,
        occupied: Bitboard,
        trail: &Trail,
        whole: &Trail,
        blind: Bitboard,
    ) -> bool {
        let fits = |shape: &Shape| {
            // From or to a broken reed the board may have looked whole in between.
            let hidden = !(shape.emptied | shape.landing).is_disjoint(blind);
            ((shape.after ^ occupied) & !blind).is_empty()
                && (trail.stands(shape, blind) || hidden && whole.stands(shape, blind))
        };
        self.shape(mv).is_some_and(fits)
            || self.set_first(occupied, whole, blind).any(|shape| shape.mv == mv)
    }
}

/// Everything seen since the last accepted position: which holes were empty, which were filled, in
/// which order and when.
#[derive(Clone, Debug, PartialEq)]
pub struct Trail {
    steps: u32,
    emptied: Bitboard,
    first_emptied: [u32; 64],
    last_filled: [u32; 64],
    emptied_ms: [u64; 64],
    filled_ms: [u64; 64],
    /// Emptied again after it had been filled.
    reopened: Bitboard,
}

impl Default for Trail {
    fn default() -> Trail {
        Trail {
            steps: 0,
            emptied: Bitboard::EMPTY,
            first_emptied: [0; 64],
            last_filled: [0; 64],
            emptied_ms: [0; 64],
            filled_ms: [0; 64],
            reopened: Bitboard::EMPTY,
        }
    }
}

impl Trail {
    /// Adds one debounced edge.
    pub fn record(&mut self, square: Square, occupied: bool, at_ms: u64) {
        self.steps += 1;
        let n = usize::from(square);
        if occupied {
            self.last_filled[n] = self.steps;
            self.filled_ms[n] = at_ms;
        } else {
            if self.emptied.insert(square) {
                self.first_emptied[n] = self.steps;
            }
            if self.last_filled[n] != 0 {
                self.reopened.add(square);
            }
            self.emptied_ms[n] = at_ms;
        }
    }

    pub fn clear(&mut self) {
        *self = Trail::default();
    }

    /// Holes seen empty.
    pub fn emptied(&self) -> Bitboard {
        self.emptied
    }

    /// Whether `filled` was last filled after `emptied` was first seen empty.
    pub fn filled_after_emptied(&self, filled: Square, emptied: Square) -> bool {
        self.last_filled[usize::from(filled)] > self.first_emptied[usize::from(emptied)]
    }

    /// When the hole was last emptied, milliseconds; 0 if it never was.
    pub fn emptied_ms(&self, square: Square) -> u64 {
        self.emptied_ms[usize::from(square)]
    }

    /// When the hole was last filled, milliseconds; 0 if it never was.
    pub fn filled_ms(&self, square: Square) -> u64 {
        self.filled_ms[usize::from(square)]
    }

    /// The hole was filled and emptied again.
    pub fn reopened(&self, square: Square) -> bool {
        self.reopened.contains(square)
    }

    /// The hole was seen to change.
    pub fn changed(&self, square: Square) -> bool {
        self.emptied.contains(square) || self.last_filled[usize::from(square)] != 0
    }

    /// Every hole that the move must have emptied was seen empty, and every hole that it lands in
    /// was filled after the moving piece had left its own.
    pub fn shows(&self, shape: &Shape, blind: Bitboard) -> bool {
        if !(shape.emptied & !blind).is_subset(self.emptied) {
            return false;
        }
        // A peg must have left its hole before it can enter another. Only a promoted pawn's new
        // piece is another peg; where it captures, the target's order still counts.
        if shape.mv.is_promotion() && shape.captured.is_none() {
            return true;
        }
        let origins = (shape.emptied & !Bitboard::from_iter(shape.captured)) & !blind;
        let left = origins.into_iter().map(|sq| self.first_emptied[usize::from(sq)]).min();
        (shape.landing & !blind)
            .into_iter()
            .all(|sq| self.last_filled[usize::from(sq)] > left.unwrap_or(0))
    }

    /// Further conditions on a board that looks as after the move: every hole that the move empties
    /// was empty, and for a capture on its target the order is right too.
    pub fn stands(&self, shape: &Shape, blind: Bitboard) -> bool {
        if shape.captured.is_some_and(|square| shape.landing.contains(square)) {
            return self.shows(shape, blind);
        }
        (shape.emptied & !blind).is_subset(self.emptied)
    }

    /// This trail and a later one, joined.
    pub fn followed_by(&self, later: &Trail) -> Trail {
        let mut both = self.clone();
        for n in 0..64 {
            let square = Square::new(n as u32);
            if later.reopened.contains(square)
                || (both.last_filled[n] != 0 && later.emptied.contains(square))
            {
                both.reopened.add(square);
            }
            if later.emptied.contains(square) {
                if both.emptied.insert(square) {
                    both.first_emptied[n] = self.steps + later.first_emptied[n];
                }
                both.emptied_ms[n] = later.emptied_ms[n];
            }
            if later.last_filled[n] != 0 {
                both.last_filled[n] = self.steps + later.last_filled[n];
                both.filled_ms[n] = later.filled_ms[n];
            }
        }
        both.steps += later.steps;
        both
    }
}
