//! A mate in which both sides help: the most promising position first, none twice.

use std::{cmp::Reverse, collections::BinaryHeap};

use shakmaty::{
    Chess, Color, EnPassantMode, Move, Position, Role, Square, attacks, zobrist::Zobrist128,
};

use super::{Budget, Mate, Why, too_little, walls};

/// How many positions behind a capture or a pawn's move are looked at for new walls, at most.
const WALLS_LOOKED_AT: u32 = 200;

/// The budget is spent in attempts that differ in what they try first, in sixteenths: an attempt
/// that went astray early is not worth all of it. The last one is large enough to see small games
/// through.
const ATTEMPTS: [(u32, u32); 9] =
    [(1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7), (8, 8)];

struct Node {
    pos: Chess,

    came: Option<(u32, Move)>,
}

/// Looks for a mate by `winner`; all positions that can come about, if the budget allows.
pub(super) fn search(root: &Chess, winner: Color, budget: Budget) -> Mate {
    for (share, number) in ATTEMPTS {
        let nodes = (u64::from(budget.nodes) * u64::from(share) / 16) as u32;
        let mate = attempt(root, winner, nodes, number);
        if mate != Mate::Undecided {
            return mate;
        }
    }
    Mate::Undecided
}

/// A little disorder, another in each attempt.
fn whim(hash: u128, attempt: u32) -> u32 {
    if attempt == 0 { 0 } else { (hash >> (5 * attempt)) as u32 % 40 }
}

fn attempt(root: &Chess, winner: Color, most: u32, number: u32) -> Mate {
    // Between two corners it is easy to stand still.
    let corners = match number {
        0 => &CORNERS[..],
        _ => &CORNERS[number as usize % 4..][..1],
    };
    let mut seen = Seen::default();
    let mut nodes = vec![Node { pos: root.clone(), came: None }];
    let mut open = BinaryHeap::from([(Reverse(0), 0u32)]);
    let mut walls_left = WALLS_LOOKED_AT;
    seen.insert(hash_of(root));
    while let Some((_, parent)) = open.pop() {
        let pos = nodes[parent as usize].pos.clone();
        for mv in pos.legal_moves() {
            let mut child = pos.clone();
            // The move is one of the legal moves of this position.
            child.play_unchecked(mv);
            let hash = hash_of(&child);
            if !seen.insert(hash) {
                continue;
            }
            if seen.count > most {
                return Mate::Undecided;
            }
            if too_little(&child, winner).is_some() {
                continue;
            }
            if child.turn() != winner && child.is_checkmate() {
                return Mate::Possible { line: line(&nodes, parent, mv) };
            }
            if (mv.is_capture() || mv.role() == Role::Pawn) && walls_left > 0 {
                walls_left -= 1;
                if walls::keep_from_mating(&child, winner) {
                    continue;
                }
            }
            // No more than positions seen, and those are counted in a u32.
            let index = nodes.len() as u32;
            // Among equals the latest first: rather deep than broad.
            open.push((Reverse(4 * distance(&child, winner, corners) + whim(hash, number)), index));
            nodes.push(Node { pos: child, came: Some((parent, mv)) });
        }
    }
    Mate::Impossible { why: Why::EveryLine }
}

/// Whether every position that can come about was looked at within the budget, and `winner` mates
/// in none. Gives up at the first mate.
pub(super) fn finds_no_mate(root: &Chess, winner: Color, budget: Budget) -> bool {
    let mut seen = Seen::default();
    seen.insert(hash_of(root));
    let mut open = vec![(root.clone(), false)];
    let mut walls_left = WALLS_LOOKED_AT;
    while let Some((pos, walled)) = open.pop() {
        // Walls are looked for before anything behind them.
        if walled && walls_left > 0 {
            walls_left -= 1;
            if walls::keep_from_mating(&pos, winner) {
                continue;
            }
        }
        for mv in pos.legal_moves() {
            let mut child = pos.clone();
            // The move is one of the legal moves of this position.
            child.play_unchecked(mv);
            if !seen.insert(hash_of(&child)) {
                continue;
            }
            if seen.count > budget.nodes || (child.turn() != winner && child.is_checkmate()) {
                return false;
            }
            if too_little(&child, winner).is_none() {
                open.push((child, mv.is_capture() || mv.role() == Role::Pawn));
            }
        }
    }
    true
}

fn line(nodes: &[Node], last: u32, mate: Move) -> Vec<Move> {
    let mut line = vec![mate];
    let mut at = last;
    while let Some((parent, mv)) = nodes[at as usize].came {
        line.push(mv);
        at = parent;
    }
    line.reverse();
    line
}

fn hash_of(pos: &Chess) -> u128 {
    let Zobrist128(hash) = pos.zobrist_hash(EnPassantMode::Legal);
    // Nought marks a free slot.
    hash.max(1)
}

/// Positions come to, by a 128-bit Zobrist hash: that two of a whole budget share one by chance is
/// less likely than one in 10^27.
#[derive(Default)]
struct Seen {
    /// A power of two of slots, or none; nought marks a free one.
    slots: Vec<u128>,
    count: u32,
}

impl Seen {
    /// `false` if it was there already.
    fn insert(&mut self, hash: u128) -> bool {
        if self.count as usize * 2 >= self.slots.len() {
            self.grow();
        }
        let new = Seen::put(&mut self.slots, hash);
        self.count += u32::from(new);
        new
    }

    fn grow(&mut self) {
        let mut larger = vec![0; (self.slots.len() * 4).max(1024)];
        for hash in self.slots.iter().copied().filter(|hash| *hash != 0) {
            Seen::put(&mut larger, hash);
        }
        self.slots = larger;
    }

    fn put(slots: &mut [u128], hash: u128) -> bool {
        let mask = slots.len() - 1;
        let mut slot = hash as usize & mask;
        while slots[slot] != 0 {
            if slots[slot] == hash {
                return false;
            }
            slot = (slot + 1) & mask;
        }
        slots[slot] = hash;
        true
    }
}

/// Estimates the distance to a mate in a corner: both kings' ways to their squares, the king's free
/// squares, missing pieces. It orders the search only; the result does not depend on it.
fn distance(pos: &Chess, winner: Color, corners: &[Corner]) -> u32 {
    let board = pos.board();
    let (Some(king), Some(helper)) = (board.king_of(!winner), board.king_of(winner)) else {
        return u32::MAX;
    };
    let own = board.by_color(winner);
    let minor = own & (board.knights() | board.bishops());
    let major = own & board.rooks_and_queens();
    let lone = major.is_empty() && !minor.more_than_one() && (own & board.pawns()).is_empty();
    let nearest = |to: &[Square], from: Square| {
        to.iter().map(|square| square.distance(from)).min().unwrap_or(0)
    };
    let in_corner = corners.iter().map(|corner| {
        let mut far = 3 * king.distance(corner.mated);
        if lone {
            far += 2 * nearest(&corner.supports, helper);
            far + 2 * shutting_in(pos, winner, corner)
        } else {
            far + 2 * nearest(&corner.supports[..2], helper)
        }
    });
    let mut far = in_corner.min().unwrap_or(0) + free(pos, winner, king);
    let mut ways: Vec<u32> =
        minor.into_iter().map(|square| square.distance(king).saturating_sub(2).min(4)).collect();
    ways.sort_unstable();
    far += ways.iter().take(2).sum::<u32>();
    if major.is_empty() && !lone {
        let rank = |square: Square| u32::from(square.rank());
        let steps = |square| winner.fold_wb(7 - rank(square), rank(square));
        let pawn = board.by_piece(winner.pawn()).into_iter().map(steps).min();
        far += pawn.map_or(0, |steps| 4 * steps + 10);
    }
    far
}

/// How far the nearest piece is that can shut in its own king in this corner: a lone minor piece
/// cannot mate without.
fn shutting_in(pos: &Chess, winner: Color, corner: &Corner) -> u32 {
    let board = pos.board();
    let theirs = board.by_color(!winner) & !board.kings();
    // These only guard what should be mate; a rook beside its king does not mind a knight.
    let mut idle = theirs & board.queens();
    if (board.by_color(winner) & board.bishops()).any() {
        idle |= theirs & board.rooks();
    }
    let way = |from: Square| {
        let walk = corner.beside.map(|to| to.distance(from)).into_iter().min().unwrap_or(0);
        let rank = u32::from(from.rank());
        let steps = winner.fold_wb(rank, 7 - rank);
        if board.pawns().contains(from) { steps + walk.min(1) } else { walk.min(2) }
    };
    let nearest = (theirs & !idle).into_iter().map(way).min().unwrap_or(8);
    nearest + idle.count() as u32
}

/// Squares to which the king could go but for its own pieces and those that guard them.
fn free(pos: &Chess, winner: Color, king: Square) -> u32 {
    let board = pos.board();
    let through = board.occupied().without(king);
    let guarded = |square| board.attacks_to(square, winner, through).any();
    let squares = attacks::king_attacks(king) & !board.by_color(!winner);
    squares.into_iter().filter(|&square| !guarded(square)).count() as u32
}

/// The squares of the pieces when a king is mated in a corner.
struct Corner {
    mated: Square,
    /// Squares from which the other king helps. The last two need a piece that shuts the mated king
    /// in.
    supports: [Square; 4],
    beside: [Square; 2],
}

const CORNERS: [Corner; 4] = [
    Corner {
        mated: Square::A1,
        supports: [Square::B3, Square::C2, Square::A3, Square::C1],
        beside: [Square::A2, Square::B1],
    },
    Corner {
        mated: Square::H1,
        supports: [Square::G3, Square::F2, Square::H3, Square::F1],
        beside: [Square::H2, Square::G1],
    },
    Corner {
        mated: Square::A8,
        supports: [Square::B6, Square::C7, Square::A6, Square::C8],
        beside: [Square::A7, Square::B8],
    },
    Corner {
        mated: Square::H8,
        supports: [Square::G6, Square::F7, Square::H6, Square::F8],
        beside: [Square::H7, Square::G8],
    },
];
