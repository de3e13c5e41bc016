//! Where a game ends by the Laws alone, without anybody's word or clock.

use shakmaty::{Chess, EnPassantMode, Move, Position, zobrist::Zobrist64};

use super::{Article, winnable::seen_dead};

/// The number of moves after which the game is over, and the article that ends it: mate, stalemate,
/// a dead position, the fifth time of a position, seventy-five moves. `None`: it is not over, or
/// the moves are not legal. The position before the first move ends nothing.
///
/// ```
/// use annabella_core::{laws::{Article, ended_after}, notation::read_score};
/// use shakmaty::Chess;
///
/// let moves = read_score(&Chess::default(), "1. f3 e5 2. g4 Qh4#").moves();
/// assert_eq!(ended_after(&Chess::default(), &moves), Some((4, Article::A5_1_1)));
/// assert_eq!(ended_after(&Chess::default(), &moves[..3]), None);
/// ```
///
/// Source: FIDE 5.1.1, 5.2.1, 5.2.2, 9.6
pub fn ended_after(start: &Chess, moves: &[Move]) -> Option<(usize, Article)> {
    let identity = |pos: &Chess| pos.zobrist_hash::<Zobrist64>(EnPassantMode::Legal);
    let mut pos = start.clone();
    let mut stood = vec![identity(&pos)];
    for (n, mv) in moves.iter().enumerate() {
        pos = pos.play(*mv).ok()?;
        let here = identity(&pos);
        stood.push(here);
        let article = if pos.is_checkmate() {
            Article::A5_1_1
        } else if pos.is_stalemate() {
            Article::A5_2_1
        } else if seen_dead(&pos) {
            Article::A5_2_2
        } else if stood.iter().filter(|identity| **identity == here).count() >= 5 {
            Article::A9_6_1
        } else if pos.halfmoves() >= 150 {
            Article::A9_6_2
        } else {
            continue;
        };
        return Some((n + 1, article));
    }
    None
}
