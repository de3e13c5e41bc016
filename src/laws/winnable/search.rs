//! A mate in which both sides help: the most promising position first, none twice.

use std::{cmp::Reverse, collections::BinaryHeap};

use shakmaty::{
    Chess, Color, EnPassantMode, Move, Position, Role, Square, attacks, zobrist::Zobrist128,
};

use super::{Budget, Mate, Why, too_little, walls};

/// How many positions behind a capture or a pawn's move are looked at for new walls, at most.
const WALLS_LOOKED_AT: u32 = 200;

struct Node {
    pos: Chess,
    came: Option<(u32, Move)>,
}

/// Looks for a mate by `winner`; all positions that can come about, if the budget allows.
pub(super) fn search(root: &Chess, winner: Color, budget: Budget) -> Mate {
    let mut seen = Seen::default();
    let mut nodes = vec![Node { pos: root.clone(), came: None }];
    let mut open = BinaryHeap::from([Reverse((0, 0u32))]);
    let mut walls_left = WALLS_LOOKED_AT;
    seen.insert(root);
    while let Some(Reverse((_, parent))) = open.pop() {
        let pos = nodes[parent as usize].pos.clone();
        for mv in pos.legal_moves() {
            let mut child = pos.clone();
            // One of the legal moves of that very position.
            child.play_unchecked(mv);
            if !seen.insert(&child) {
                continue;
            }
            if seen.count > budget.nodes {
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
            open.push(Reverse((distance(&child, winner), index)));
            nodes.push(Node { pos: child, came: Some((parent, mv)) });
        }
    }
    Mate::Impossible { why: Why::EveryLine }
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
    fn insert(&mut self, pos: &Chess) -> bool {
        let Zobrist128(hash) = pos.zobrist_hash(EnPassantMode::Legal);
        if self.count as usize * 2 >= self.slots.len() {
            self.grow();
        }
        let new = Seen::put(&mut self.slots, hash.max(1));
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

/// How far a position seems from a mate: the king's free squares, its way to the edge, the ways of
/// the pieces that mate, pawns that must become such pieces first. Only an order of search; what is
/// found does not depend on it.
fn distance(pos: &Chess, winner: Color) -> u32 {
    let board = pos.board();
    let (Some(king), Some(helper)) = (board.king_of(!winner), board.king_of(winner)) else {
        return u32::MAX;
    };
    let own = board.by_color(winner);
    let others = board.by_color(!winner);
    let through = board.occupied().without(king);
    let mut far = 0;
    let mut attacked = attacks::king_attacks(helper);
    let (mut nearest, mut steps) = ([8, 8], 8);
    for square in own {
        let Some(role) = board.role_at(square) else { continue };
        match role {
            Role::King => {}
            Role::Pawn => {
                attacked |= attacks::pawn_attacks(winner, square);
                let rank = u32::from(square.rank());
                steps = steps.min(winner.fold_wb(7 - rank, rank));
            }
            _ => {
                attacked |= attacks::attacks(square, role.of(winner), through);
                let away = square.distance(king);
                if away < nearest[0] {
                    nearest = [away, nearest[0]];
                } else {
                    nearest[1] = nearest[1].min(away);
                }
            }
        }
    }
    let free = attacks::king_attacks(king) & !others & !attacked;
    far += 6 * free.count() as u32;
    far += 3 * edge(king);
    far += 2 * helper.distance(king).saturating_sub(2);
    far += nearest[0].min(6) + nearest[1].min(4) / 2;
    let strong = own & board.rooks_and_queens();
    if strong.is_empty() {
        let pieces = (own & (board.knights() | board.bishops())).count();
        if (own & board.pawns()).any() {
            far += 5 * steps + if pieces < 2 { 12 } else { 4 };
        } else {
            far += blockers(pos, winner, king);
        }
    }
    far
}

/// What a few minor pieces need: pieces of the other side beside its own king, in a corner.
fn blockers(pos: &Chess, winner: Color, king: Square) -> u32 {
    let board = pos.board();
    let others = board.by_color(!winner) & !board.kings() & !board.queens();
    let mut far = 2 * corner(king);
    let mut nearest = 8;
    for square in others {
        let mut away = square.distance(king);
        if board.pawns().contains(square) {
            let rank = u32::from(square.rank());
            away = away.max(winner.fold_wb(rank, 7 - rank));
        }
        nearest = nearest.min(away);
    }
    far += 2 * nearest;
    far
}

fn edge(square: Square) -> u32 {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    file.min(7 - file).min(rank.min(7 - rank))
}

fn corner(square: Square) -> u32 {
    let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
    file.min(7 - file) + rank.min(7 - rank)
}
