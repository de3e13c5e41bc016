//! Seeded random legal games, rich in the moves that are hard to sense.

use std::collections::BTreeMap;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{
    CastlingMode, CastlingSide, Chess, EnPassantMode, Move, Position, Rank, Role, fen::Fen,
    zobrist::Zobrist64,
};

/// Positions from which castling, en passant and promotion are near, for both colours.
const STARTS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
];

/// A random legal game of at most `max_plies`, the same for the same seed on every machine. Two of
/// three games start from the usual position. A game ends early where the Laws end it: mate,
/// stalemate, no mating material, five times the same position, 75 moves without progress (5.1.1,
/// 5.2, 9.6).
pub fn random_game(seed: u64, max_plies: usize) -> (Chess, Vec<Move>) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = start(&mut rng);
    let (mut pos, mut moves) = (start.clone(), Vec::new());
    let mut seen: BTreeMap<u64, u32> = BTreeMap::new();
    while moves.len() < max_plies && !pos.is_game_over() && pos.halfmoves() < 150 {
        let Zobrist64(hash) = pos.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
        let times = seen.entry(hash).or_default();
        *times += 1;
        if *times == 5 {
            break;
        }
        let Some(mv) = pick(&mut rng, &pos) else {
            break;
        };
        pos.play_unchecked(mv);
        moves.push(mv);
    }
    (start, moves)
}

fn start(rng: &mut ChaCha8Rng) -> Chess {
    if rng.random_range(0..3u32) < 2 {
        return Chess::default();
    }
    let n = rng.random_range(0..STARTS.len() as u64) as usize;
    // The list is ours; a test reads every entry.
    STARTS[n]
        .parse::<Fen>()
        .ok()
        .and_then(|fen| fen.into_position(CastlingMode::Standard).ok())
        .unwrap_or_default()
}

fn pick(rng: &mut ChaCha8Rng, pos: &Chess) -> Option<Move> {
    let moves = pos.legal_moves();
    let total: u32 = moves.iter().map(|&mv| weight(pos, mv)).sum();
    if total == 0 {
        return None;
    }
    let mut left = rng.random_range(0..total);
    moves.into_iter().find(|&mv| {
        let weight = weight(pos, mv);
        let found = left < weight;
        left = left.saturating_sub(weight);
        found
    })
}

fn weight(pos: &Chess, mv: Move) -> u32 {
    match mv {
        Move::Castle { .. } => 60,
        Move::EnPassant { .. } => 80,
        Move::Normal { promotion: Some(Role::Queen), .. } => 12,
        Move::Normal { promotion: Some(_), .. } => 8,
        // A pawn that stops beside an enemy pawn may be taken in passing.
        Move::Normal { role: Role::Pawn, from, to, .. } if from.distance(to) == 2 => {
            let beside = shakmaty::attacks::king_attacks(to)
                & shakmaty::Bitboard::from_rank(to.rank())
                & pos.their(Role::Pawn);
            if beside.any() { 30 } else { 5 }
        }
        // A side that may castle keeps king and rooks in place and clears the way.
        Move::Normal { role, from, .. } if may_castle(pos) && from.rank() == home(pos) => {
            if matches!(role, Role::King | Role::Rook) { 1 } else { 10 }
        }
        Move::Normal { capture: Some(_), .. } => 6,
        // From there it can take in passing.
        Move::Normal { role: Role::Pawn, to, .. }
            if to.rank() == pos.turn().relative_rank(Rank::Fifth) =>
        {
            12
        }
        Move::Normal { role: Role::Pawn, .. } => 5,
        Move::Normal { role: Role::King, .. } => 1,
        Move::Normal { .. } | Move::Put { .. } => 2,
    }
}

fn may_castle(pos: &Chess) -> bool {
    CastlingSide::ALL.into_iter().any(|side| pos.castles().has(pos.turn(), side))
}

fn home(pos: &Chess) -> Rank {
    pos.turn().relative_rank(Rank::First)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_start_is_a_position() {
        for start in STARTS {
            let fen: Fen = start.parse().expect("a FEN");
            fen.into_position::<Chess>(CastlingMode::Standard).expect("a position");
        }
    }

    #[test]
    fn a_seed_is_a_game() {
        assert_eq!(random_game(8141, 80), random_game(8141, 80));
        assert_ne!(random_game(8141, 80).1, random_game(8142, 80).1);
    }

    #[test]
    fn games_are_legal_and_rich_in_hard_moves() {
        let (mut castlings, mut passants, mut promotions, mut captures) = (0, 0, 0, 0);
        for seed in 0..60 {
            let (mut pos, moves) = random_game(seed, 120);
            assert!(moves.len() <= 120);
            for mv in moves {
                castlings += u32::from(mv.is_castle());
                passants += u32::from(mv.is_en_passant());
                promotions += u32::from(mv.is_promotion());
                captures += u32::from(mv.is_capture());
                pos = pos.play(mv).expect("a legal move");
            }
        }
        let seen = (castlings, passants, promotions, captures);
        assert!(castlings > 40 && passants > 30 && promotions > 60 && captures > 600, "{seen:?}");
    }
}
