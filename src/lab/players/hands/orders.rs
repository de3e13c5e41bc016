//! Every order in which two hands can carry out a move on a peg board.

use std::fmt;

use shakmaty::{Bitboard, CastlingSide, Chess, Color, Move, Position, Rank, Role, Square};

/// One movement of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    Lift(Square),
    Put(Square),
}

impl Action {
    pub fn square(self) -> Square {
        match self {
            Action::Lift(square) | Action::Put(square) => square,
        }
    }

    /// Whether the hole holds a peg afterwards.
    pub fn occupied(self) -> bool {
        matches!(self, Action::Put(_))
    }

    /// The occupancy afterwards; `None` when hands cannot do it: a hole that is empty gives no peg,
    /// a hole that is full takes none.
    pub fn apply(self, occupied: Bitboard) -> Option<Bitboard> {
        (occupied.contains(self.square()) != self.occupied())
            .then(|| occupied.toggled(self.square()))
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Lift(square) => write!(f, "{square} up"),
            Action::Put(square) => write!(f, "{square} down"),
        }
    }
}

/// The order in which a move was carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// Its difference from other orders: `taken piece first`, `rook first`, …
    pub name: &'static str,
    /// The movements, without mishaps.
    pub actions: Vec<Action>,
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        for (n, action) in self.actions.iter().enumerate() {
            write!(f, "{} {action}", if n == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

/// The changes on a peg board by this move, in the order of a hand's.
pub fn changes(mv: Move) -> Vec<(Square, bool)> {
    match mv {
        Move::Normal { from, to, capture: Some(_), .. } => {
            vec![(to, false), (from, false), (to, true)]
        }
        Move::Normal { from, to, .. } => vec![(from, false), (to, true)],
        Move::EnPassant { from, to } => {
            let taken = Square::from_coords(to.file(), from.rank());
            vec![(from, false), (to, true), (taken, false)]
        }
        Move::Castle { king, rook } => {
            let side = mv.castling_side().expect("castling");
            let color = Color::from_white(king.rank() == Rank::First);
            vec![
                (king, false),
                (side.king_to(color), true),
                (rook, false),
                (side.rook_to(color), true),
            ]
        }
        Move::Put { .. } => Vec::new(),
    }
}

/// Which holes a move empties on its way, and which it fills.
pub(super) struct Footprint {
    pub(super) emptied: Bitboard,
    pub(super) filled: Bitboard,
}

impl Footprint {
    pub(super) fn of(pos: &Chess, mv: Move) -> Footprint {
        let (emptied, filled) = match mv {
            Move::Normal { from, capture, to, .. } => {
                let taken = if capture.is_some() { to.into() } else { Bitboard::EMPTY };
                (taken.with(from), to.into())
            }
            Move::EnPassant { from, to } => {
                (Bitboard::from(from).with(en_passant_victim(from, to)), to.into())
            }
            Move::Castle { king, rook } => {
                let (king_to, rook_to) = castled(pos, king, rook);
                (Bitboard::from(king).with(rook), Bitboard::from(king_to).with(rook_to))
            }
            Move::Put { to, .. } => (Bitboard::EMPTY, to.into()),
        };
        Footprint { emptied, filled }
    }

    /// The occupied holes after the move.
    pub(super) fn after(&self, before: Bitboard) -> Bitboard {
        before.without(self.emptied).with(self.filled)
    }
}

fn en_passant_victim(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}

fn castled(pos: &Chess, king: Square, rook: Square) -> (Square, Square) {
    let side = if rook > king { CastlingSide::KingSide } else { CastlingSide::QueenSide };
    (side.king_to(pos.turn()), side.rook_to(pos.turn()))
}

/// All orders in which two hands can carry out `mv`: which peg is lifted first, which pegs are held
/// meanwhile, whether a promoted pawn visits the last rank. Each order is possible on pegs: a hole
/// is emptied before another peg enters it. Source: FIDE 4.6.1, 4.6.2
pub fn orders(pos: &Chess, mv: Move) -> Vec<Vec<Action>> {
    use Action::{Lift, Put};
    let mut ways: Vec<Vec<Vec<Action>>> = Vec::new();
    match mv {
        Move::Normal { from, capture, to, promotion, .. } => {
            let taken: Vec<Action> = capture.map(|_| Lift(to)).into_iter().collect();
            ways.push(vec![vec![Lift(from), Put(to)], taken.clone()]);
            if promotion.is_some() {
                // The pawn is put on the last rank and exchanged there, or never gets there.
                ways.push(vec![vec![Lift(from), Put(to), Lift(to), Put(to)], taken.clone()]);
                ways.push(vec![vec![Lift(from)], vec![Put(to)], taken]);
            }
        }
        Move::EnPassant { from, to } => {
            ways.push(vec![vec![Lift(from), Put(to)], vec![Lift(en_passant_victim(from, to))]]);
        }
        Move::Castle { king, rook } => {
            let (king_to, rook_to) = castled(pos, king, rook);
            ways.push(vec![vec![Lift(king), Put(king_to)], vec![Lift(rook), Put(rook_to)]]);
        }
        Move::Put { to, .. } => ways.push(vec![vec![Put(to)]]),
    }
    let mut found = Vec::new();
    for way in ways {
        let hands: Vec<&[Action]> = way.iter().map(Vec::as_slice).collect();
        interleave(pos.board().occupied(), &hands, &mut Vec::new(), &mut found);
    }
    found.sort();
    found.dedup();
    found
}

/// Walks every interleaving of the hands' own sequences that the holes allow.
fn interleave(
    occupied: Bitboard,
    hands: &[&[Action]],
    done: &mut Vec<Action>,
    found: &mut Vec<Vec<Action>>,
) {
    if hands.iter().all(|hand| hand.is_empty()) {
        found.push(done.clone());
        return;
    }
    for (n, hand) in hands.iter().enumerate() {
        let Some((&next, rest)) = hand.split_first() else {
            continue;
        };
        let Some(after) = next.apply(occupied) else {
            continue;
        };
        let mut left = hands.to_vec();
        left[n] = rest;
        done.push(next);
        interleave(after, &left, done, found);
        done.pop();
    }
}

/// The difference between an order and the others of the same move.
pub fn name_of(mv: Move, actions: &[Action]) -> &'static str {
    let at = |wanted: Action| actions.iter().position(|&action| action == wanted);
    let last = |wanted: Action| actions.iter().rposition(|&action| action == wanted);
    match mv {
        Move::Normal { from, capture, to, promotion, .. } => {
            let exchanged = actions.iter().filter(|&&a| a == Action::Put(to)).count() == 2;
            let taken_first = capture.is_some() && at(Action::Lift(to)) < at(Action::Lift(from));
            let pawn_last = last(Action::Put(to)) < at(Action::Lift(from));
            match (promotion.is_some(), exchanged, capture.is_some(), taken_first) {
                (true, true, true, true) => "taken piece first, pawn placed and exchanged",
                (true, true, true, false) => "taken piece in between, pawn placed and exchanged",
                (true, true, false, _) => "pawn placed and exchanged",
                (true, false, _, _) if pawn_last => "new piece set, pawn removed last",
                (true, false, true, true) => "taken piece first, new piece set directly",
                (true, false, true, false) => "pawn first, new piece set directly",
                (true, false, false, _) => "pawn removed, new piece set",
                (false, _, true, true) => "taken piece first",
                (false, _, true, false) => "taken piece in between",
                (false, _, false, _) => "from hole to hole",
            }
        }
        Move::EnPassant { from, to } => {
            let victim = at(Action::Lift(en_passant_victim(from, to)));
            if victim < at(Action::Lift(from)) {
                "taken pawn first"
            } else if victim > at(Action::Put(to)) {
                "taken pawn last"
            } else {
                "taken pawn in between"
            }
        }
        Move::Castle { king, rook } => {
            let king_first = at(Action::Lift(king)) < at(Action::Lift(rook));
            let both_held = matches!(actions, [Action::Lift(_), Action::Lift(_), ..]);
            match (king_first, both_held) {
                (true, false) => "king first",
                (true, true) => "king first, both in hand",
                (false, false) => "rook first",
                (false, true) => "rook first, both in hand",
            }
        }
        Move::Put { .. } => "put",
    }
}

/// The role matters to no hole: moves that differ in the promoted piece alone are one to the pegs.
pub(super) fn same_pegs(one: Move, other: Move) -> bool {
    let stripped = |mv| match mv {
        Move::Normal { role, from, capture, to, promotion: Some(_) } => {
            Move::Normal { role, from, capture, to, promotion: Some(Role::Queen) }
        }
        other => other,
    };
    stripped(one) == stripped(other)
}
