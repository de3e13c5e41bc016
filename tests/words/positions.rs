//! Positions to speak about.

use shakmaty::{CastlingMode, Chess, Position, fen::Fen};

pub(crate) fn position(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("FEN");
    fen.into_position(CastlingMode::Standard).expect("legal position")
}

/// A position reached by choosing legal moves with these numbers.
pub(crate) fn played(choices: &[usize]) -> Chess {
    let mut pos = Chess::default();
    for choice in choices {
        let moves = pos.legal_moves();
        if moves.is_empty() {
            break;
        }
        pos.play_unchecked(moves[choice % moves.len()]);
    }
    pos
}
