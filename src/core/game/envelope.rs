//! What leaves the private conversation with a player who seals his move (I.1.1): requests that tell
//! nothing of it.

use annabella_words::phrase::Command;

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
                | Command::OfferDraw
                | Command::AcceptDraw
                | Command::DeclineDraw
        )
}
