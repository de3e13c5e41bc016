//! Kings on the squares in the middle: so players show a result on an electronic board.

use shakmaty::{Board, Color, Move, Role, Square};

const MIDDLE: [Square; 4] = [Square::D4, Square::E4, Square::D5, Square::E5];

/// What two kings in the middle say; no legal position has both there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownResult {
    /// Both stand on light squares, or both on dark ones: this player has won.
    Won(Color),
    Drawn,
}

/// The result that a board shows, if both kings stand in the middle of it.
pub(super) fn shown_result(board: &Board) -> Option<ShownResult> {
    let king = |color| board.king_of(color).filter(|square| MIDDLE.contains(square));
    let (white, black) = (king(Color::White)?, king(Color::Black)?);
    Some(match (white.is_light(), black.is_light()) {
        (true, true) => ShownResult::Won(Color::White),
        (false, false) => ShownResult::Won(Color::Black),
        _ => ShownResult::Drawn,
    })
}

/// A king's move into the middle waits a moment: the other one may follow.
pub(super) fn may_show_result(mv: Move) -> bool {
    mv.role() == Role::King && !mv.is_castle() && MIDDLE.contains(&mv.to())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shows(fen: &str) -> Option<ShownResult> {
        shown_result(&Board::from_ascii_board_fen(fen.as_bytes()).expect("a board"))
    }

    #[test]
    fn two_kings_in_the_middle_show_a_result_and_nothing_else_does() {
        assert_eq!(shows("8/8/8/3k4/4K3/8/8/8"), Some(ShownResult::Won(Color::White)));
        assert_eq!(shows("8/p7/8/4k3/3K4/8/8/8"), Some(ShownResult::Won(Color::Black)));
        assert_eq!(shows("8/8/8/3kK3/8/8/8/8"), Some(ShownResult::Drawn));
        assert_eq!(shows("4k3/8/8/8/4K3/8/8/8"), None);
        assert_eq!(shows("8/8/8/8/4K3/8/8/8"), None);
    }
}
