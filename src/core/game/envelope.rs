//! What leaves the private conversation with a player who seals his move (I.1.1): requests that
//! tell nothing of it, and what lies in the envelope.

use annabella_words::phrase::Command;
use shakmaty::Square;

/// No more fit into an envelope, and the first ones bind.
const MOST_TOUCHED: usize = 8;

/// The move as it is written, and behind it in brackets what was touched before it: `a1a8 (b1 a1)`.
pub(super) fn with_touched(written: &str, touched: &[Square]) -> String {
    let touched: Vec<String> = touched.iter().take(MOST_TOUCHED).map(Square::to_string).collect();
    format!("{written} ({})", touched.join(" "))
}

/// The two parts again. Without such a bracket nothing was touched.
pub(super) fn written_and_touched(text: &str) -> (&str, Vec<Square>) {
    let parts = text.trim_end().strip_suffix(')').and_then(|text| text.rsplit_once(" ("));
    let read = parts.and_then(|(written, squares)| {
        let squares = squares.split(' ').map(str::parse).collect::<Result<Vec<Square>, _>>();
        Some((written, squares.ok()?))
    });
    read.unwrap_or((text, Vec::new()))
}

/// Requests from which nobody can guess a move.
pub(super) fn tells_nothing(command: Command) -> bool {
    command.informs()
        || matches!(
            command,
            Command::WhoseMove
                | Command::LastMove
                | Command::MoveBefore
                | Command::LastMoves(_)
                | Command::MoveNumber(_)
                | Command::MovesFrom(_)
                | Command::MoveOf { .. }
                | Command::Position
                | Command::Pieces { .. }
                | Command::PiecesOf { .. }
                | Command::WhereOf { .. }
                | Command::MoveBy { .. }
                | Command::InCheck
                | Command::MyColour
                | Command::OpponentName
                | Command::TimeControl
                | Command::Louder
                | Command::Quieter
                | Command::Faster
                | Command::Slower
                | Command::CallArbiter
                | Command::StartClock
                | Command::StopClock
                | Command::ClaimFlag
                | Command::ClaimRepetition
                | Command::ClaimFifty
                | Command::Resign
                | Command::TheyResign
                | Command::ResignsBy { .. }
                | Command::OfferDraw
                | Command::AcceptDraw
                | Command::DeclineDraw
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_touched_is_read_back_and_a_draw_offer_is_none() {
        let touched = [Square::B1, Square::A1];
        let written = with_touched("a1a8", &touched);
        assert_eq!(written, "a1a8 (b1 a1)");
        assert_eq!(written_and_touched(&written), ("a1a8", touched.to_vec()));
        for plain in ["a1a8", "Ra8 (=)", "Ra8 ()", "(b1", ""] {
            assert_eq!(written_and_touched(plain), (plain, Vec::new()));
        }
    }
}
