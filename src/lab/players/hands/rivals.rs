//! Which other legal moves the pegs would also fit.

use shakmaty::{Bitboard, Chess, Move, Position, Square};

use super::{Action, Footprint, Step, orders::same_pegs};

/// Watches the holes during one move, as an honest witness without any reeds' trouble.
///
/// Another legal move cannot be excluded when the holes show what it would leave behind, every hole
/// that it must empty was seen empty, and, for a capture, the target was filled while the capturing
/// piece was off its square (or, for a promotion, at any time: the new piece may be set first).
pub(super) struct Watch<'p> {
    pos: &'p Chess,
    others: Vec<(Move, Footprint)>,
    now: Bitboard,
    emptied: Bitboard,
    /// For each square, the empty holes when it was last filled.
    empty_at_put: [Bitboard; 64],
}

impl<'p> Watch<'p> {
    pub(super) fn over(pos: &'p Chess, meant: Option<Move>) -> Watch<'p> {
        let mut others: Vec<(Move, Footprint)> = Vec::new();
        for mv in pos.legal_moves() {
            let known = |other: Move| same_pegs(mv, other);
            if !meant.is_some_and(known) && !others.iter().any(|(other, _)| known(*other)) {
                others.push((mv, Footprint::of(pos, mv)));
            }
        }
        Watch {
            pos,
            others,
            now: pos.board().occupied(),
            emptied: Bitboard::EMPTY,
            empty_at_put: [Bitboard::EMPTY; 64],
        }
    }

    pub(super) fn see(&mut self, action: Action) {
        match action {
            Action::Lift(square) => {
                self.now.discard(square);
                self.emptied.add(square);
            }
            Action::Put(square) => {
                self.empty_at_put[square.to_usize()] = !self.now;
                self.now.add(square);
            }
        }
    }

    fn fits(&self, mv: Move, footprint: &Footprint) -> bool {
        let before = self.pos.board().occupied();
        let filled_in_order = |from: Square, to: Square| {
            mv.is_promotion() || self.empty_at_put[to.to_usize()].contains(from)
        };
        footprint.after(before) == self.now
            && footprint.emptied.is_subset(self.emptied)
            && match mv {
                Move::Normal { from, capture: Some(_), to, .. } => filled_in_order(from, to),
                _ => true,
            }
    }

    /// Whether at this moment the holes could be read as another move.
    pub(super) fn misleads(&self) -> bool {
        self.others.iter().any(|(mv, footprint)| self.fits(*mv, footprint))
    }

    /// The other moves that are left after all steps.
    pub(super) fn end(mut self, steps: &[Step]) -> Vec<Move> {
        steps.iter().for_each(|step| self.see(step.action));
        self.others.iter().filter(|(mv, fp)| self.fits(*mv, fp)).map(|&(mv, _)| mv).collect()
    }
}
