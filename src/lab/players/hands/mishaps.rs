//! Mishaps of people's hands, and their correction.

use std::fmt;

use rand::{
    RngExt,
    seq::{IndexedRandom, SliceRandom},
};
use shakmaty::{Bitboard, Chess, Position, Square};

use super::{Action, Gap, Hands, Order, Step, after, steps_of};

/// Something that went otherwise than meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// A peg went into a wrong hole and was then put right.
    WrongHole {
        /// The square where it belonged.
        meant: Square,
        hole: Square,
    },
    /// A peg was lifted and put back before the move.
    PutBack(Square),
    /// A neighbour was knocked out and put back.
    Bumped(Square),
    /// Bystanders were in the hand during the move.
    Held(Vec<Square>),
    /// A pause in the middle of it, milliseconds.
    Hesitated(u64),
    /// A travelling magnet closed this reed for a moment.
    Brushed(Square),
    /// Guidance asked for something that the holes do not allow.
    Impossible(Action),
}

impl fmt::Display for Mishap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mishap::WrongHole { meant, hole } => write!(f, "into {hole} instead of {meant}"),
            Mishap::PutBack(square) => write!(f, "{square} lifted and put back"),
            Mishap::Bumped(square) => write!(f, "{square} knocked out and put back"),
            Mishap::Held(squares) => {
                f.write_str("held meanwhile:")?;
                squares.iter().try_for_each(|square| write!(f, " {square}"))
            }
            Mishap::Hesitated(ms) => write!(f, "hesitated {ms} ms"),
            Mishap::Brushed(square) => write!(f, "brushed {square}"),
            Mishap::Impossible(Action::Lift(square)) => write!(f, "no peg to take from {square}"),
            Mishap::Impossible(Action::Put(square)) => write!(f, "{square} is already full"),
        }
    }
}

/// A way in which hands go wrong; `None` when the board offers no occasion.
type Weave = fn(&mut Hands, &Chess, &[Step]) -> Option<Woven>;

struct Woven {
    steps: Vec<Step>,
    mishap: Mishap,
}

/// The most pegs that are off the board at once; the piece taken counts too.
fn most_in_hand(steps: &[Step]) -> usize {
    let (mut most, mut now) = (0, 0usize);
    for step in steps {
        now = match step.action {
            Action::Lift(_) => now + 1,
            Action::Put(_) => now.saturating_sub(1),
        };
        most = most.max(now);
    }
    most
}

impl Hands {
    /// Weaves mishaps into an order. Each is kept only if hands can do it, with three pieces in
    /// them at most, and the board ends the same.
    pub(super) fn add_mishaps(&mut self, pos: &Chess, order: &Order) -> (Vec<Step>, Vec<Mishap>) {
        let before = pos.board().occupied();
        let mut steps = steps_of(&order.actions);
        let Some(meant) = after(before, &steps) else {
            return (steps, Vec::new());
        };
        let mut mishaps = Vec::new();
        let kinds: [(f64, Weave); 4] = [
            (self.style.wrong, Hands::wrong_hole),
            (self.style.bump, Hands::bump),
            (self.style.put_back, Hands::put_back),
            (self.style.hold, Hands::hold),
        ];
        for (probability, weave) in kinds {
            if !self.chance(probability) {
                continue;
            }
            let Some(woven) = weave(self, pos, &steps) else {
                continue;
            };
            let fits_in_hands =
                most_in_hand(&woven.steps) <= 3 + before.count().saturating_sub(meant.count());
            if fits_in_hands && after(before, &woven.steps) == Some(meant) {
                steps = woven.steps;
                mishaps.push(woven.mishap);
            }
        }
        (steps, mishaps)
    }

    fn wrong_hole(&mut self, pos: &Chess, steps: &[Step]) -> Option<Woven> {
        let puts: Vec<usize> = (0..steps.len()).filter(|&n| steps[n].action.occupied()).collect();
        let n = *puts.choose(&mut self.rng)?;
        let meant = steps[n].action.square();
        let now = after(pos.board().occupied(), &steps[..n])?;
        let origin = steps[..n].iter().rev().find(|step| !step.action.occupied())?.action.square();
        // Half of the wrong holes are those that the piece might have gone to.
        let legal: Vec<Square> = pos
            .legal_moves()
            .iter()
            .filter(|mv| mv.from() == Some(origin) && !now.contains(mv.to()) && mv.to() != meant)
            .map(|mv| mv.to())
            .collect();
        let near: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|&s| s != meant && !now.contains(s) && s.distance(meant) == 1)
            .collect();
        let any: Vec<Square> = (!now).into_iter().filter(|&square| square != meant).collect();
        let pick = self.rng.random_range(0..4u32);
        let hole = match pick {
            0 | 1 => legal.choose(&mut self.rng),
            2 => near.choose(&mut self.rng),
            _ => any.choose(&mut self.rng),
        };
        let hole = *hole.or_else(|| any.first())?;
        let mut woven = steps.to_vec();
        woven.splice(
            n..n,
            [
                Step { action: Action::Put(hole), gap: Gap::Tempo },
                Step { action: Action::Lift(hole), gap: Gap::Dwell },
            ],
        );
        Some(Woven { steps: woven, mishap: Mishap::WrongHole { meant, hole } })
    }

    /// The neighbour goes out while a piece is in the hand or right after, and comes back at once
    /// or a movement later.
    fn bump(&mut self, pos: &Chess, steps: &[Step]) -> Option<Woven> {
        let n = self.rng.random_range(1..=steps.len().max(1));
        let beside = steps.get(n.checked_sub(1)?)?.action.square();
        let now = after(pos.board().occupied(), &steps[..n])?;
        let neighbours: Vec<Square> =
            now.into_iter().filter(|square| square.distance(beside) == 1).collect();
        let square = *neighbours.choose(&mut self.rng)?;
        let back = self.rng.random_range(n..=(n + 1).min(steps.len()));
        if steps[n..back].iter().any(|step| step.action.square() == square) {
            return None;
        }
        let mut woven = steps.to_vec();
        woven.insert(back, Step { action: Action::Put(square), gap: Gap::Tempo });
        woven.insert(n, Step { action: Action::Lift(square), gap: Gap::Tempo });
        Some(Woven { steps: woven, mishap: Mishap::Bumped(square) })
    }

    fn put_back(&mut self, pos: &Chess, steps: &[Step]) -> Option<Woven> {
        let from = if self.chance(0.7) { pos.us() } else { pos.them() };
        let squares: Vec<Square> = from.into_iter().collect();
        let square = *squares.choose(&mut self.rng)?;
        let mut woven = vec![
            Step { action: Action::Lift(square), gap: Gap::Tempo },
            Step { action: Action::Put(square), gap: Gap::Dwell },
        ];
        woven.extend_from_slice(steps);
        Some(Woven { steps: woven, mishap: Mishap::PutBack(square) })
    }

    /// The hand picks up one or two bystanders before or during the move, and puts them back after
    /// it.
    fn hold(&mut self, pos: &Chess, steps: &[Step]) -> Option<Woven> {
        let busy: Bitboard = steps.iter().map(|step| step.action.square()).collect();
        let mut held: Vec<Square> = pos.board().occupied().without(busy).into_iter().collect();
        let wanted = self.rng.random_range(1..=2u32) as usize;
        held.shuffle(&mut self.rng);
        held.truncate(wanted);
        let n = self.rng.random_range(0..=steps.len().saturating_sub(1));
        let mut woven = steps.to_vec();
        for &square in &held {
            woven.insert(n, Step { action: Action::Lift(square), gap: Gap::Tempo });
        }
        let mishap = Mishap::Held(held.clone());
        held.shuffle(&mut self.rng);
        woven.extend(
            held.iter().map(|&square| Step { action: Action::Put(square), gap: Gap::Tempo }),
        );
        Some(Woven { steps: woven, mishap })
    }
}
