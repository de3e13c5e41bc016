//! Illegal moves that people really make.

use rand::{RngExt, seq::IndexedRandom};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Chess, Move, Piece, Position, Role, Square, attacks};

use super::{Action, Footprint, Step, rivals::Watch, steps_of};

/// Chooses from where to where: mostly a move that overlooks a pin or a check, or a piece one hole
/// beside where it may go. Never one that the pegs could show as a legal move.
pub(super) fn choose(rng: &mut ChaCha8Rng, pos: &Chess) -> Option<(Square, Square)> {
    let board = pos.board();
    let legal = pos.legal_moves();
    let mut overlooked = Vec::new();
    let mut beside = Vec::new();
    for from in pos.us() {
        let Some(piece) = board.piece_at(from) else {
            continue;
        };
        let goals: Vec<(Square, Bitboard)> = legal
            .iter()
            .filter(|mv| mv.from() == Some(from))
            .map(|&mv| (mv.to(), Footprint::of(pos, mv).filled))
            .collect();
        for to in !pos.us() {
            let taken = board.role_at(to);
            if taken == Some(Role::King)
                || goals.iter().any(|(goal, filled)| *goal == to || filled.contains(to))
                || !shows(pos, from, to)
            {
                continue;
            }
            if reaches(pos, piece, from, to) {
                overlooked.push((from, to));
            } else if goals.iter().any(|(goal, _)| goal.distance(to) == 1) {
                beside.push((from, to));
            }
        }
    }
    let first = if rng.random_bool(0.7) { &overlooked } else { &beside };
    first.choose(rng).or_else(|| overlooked.first()).or_else(|| beside.first()).copied()
}

/// As the piece moves, leaving checks and pins aside.
fn reaches(pos: &Chess, piece: Piece, from: Square, to: Square) -> bool {
    let occupied = pos.board().occupied();
    if piece.role != Role::Pawn {
        return attacks::attacks(from, piece, occupied).contains(to);
    }
    if occupied.contains(to) {
        return attacks::pawn_attacks(piece.color, from).contains(to);
    }
    let step = if piece.color.is_white() { 8 } else { -8 };
    from.offset(step) == Some(to)
}

/// Whether the pegs show that this was no legal move.
fn shows(pos: &Chess, from: Square, to: Square) -> bool {
    let mut actions = vec![Action::Lift(from), Action::Put(to)];
    if pos.board().occupied().contains(to) {
        actions.insert(1, Action::Lift(to));
    }
    let steps: Vec<Step> = steps_of(&actions);
    let rivals: Vec<Move> = Watch::over(pos, None).end(&steps);
    rivals.is_empty()
}
