//! The boards before the players, for those who look on.

use shakmaty::{Bitboard, Chess, Color, Move, Position};

use super::{At, Boards, Game, Play, Running, seat::SeatBoard};

/// How a player's board is seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sees {
    /// Pegs over reeds: which holes are filled.
    Pegs,
    /// Moves are reported from it.
    Reports,
    /// Nobody sees it: its player says what he does there.
    Said,
    Nothing,
}

/// The state of the board before a player.
#[derive(Clone, Debug)]
pub struct Shown {
    /// How it is seen.
    pub sees: Sees,
    /// The position after the moves executed on it. For a board that is not seen: the game's
    /// position.
    pub position: Chess,
    /// The filled holes as last read, of a peg board.
    pub occupied: Option<Bitboard>,
    /// The made move that is still to be executed on it, and the position before it.
    pub owed: Option<(Chess, Move)>,
}

impl Game {
    /// The board before this player; `None` before the game starts.
    pub fn shown(&self, seat: Color) -> Option<Shown> {
        self.play.as_deref().map(|play| play.shown(seat))
    }

    /// How the boards stand to each other.
    pub fn boards(&self) -> Option<Boards> {
        self.play.as_ref().map(|play| play.arbitration.relation.boards)
    }

    /// The rest of the running side's delay at that moment, milliseconds. Until then its time
    /// stands.
    pub fn delay_left_ms(&self, at: At) -> u64 {
        self.play.as_ref().map_or(0, |play| play.timing.clock.delay_left_ms(at.max(play.at)))
    }

    /// White's and Black's time left at `at`, milliseconds, and whose clock runs.
    pub fn clocks(&self, at: At) -> Option<(u64, u64, Running)> {
        self.play.as_ref().map(|play| play.timing.clock.reading(at.max(play.at)))
    }
}

impl Play {
    fn shown(&self, color: Color) -> Shown {
        let seat = &self.seats[color];
        let sees = match seat.board {
            SeatBoard::Pegs(_) => Sees::Pegs,
            SeatBoard::Reports => Sees::Reports,
            SeatBoard::Said { .. } => Sees::Said,
            SeatBoard::None => Sees::Nothing,
        };
        let owed =
            |(index, mv): (usize, Move)| Some((self.line.positions().get(index)?.clone(), mv));
        let position = match (sees, seat.shown.last()) {
            (Sees::Nothing | Sees::Said, _) => self.position().clone(),
            (_, None) => self.line.positions()[0].clone(),
            (_, Some(last)) => {
                // All but the last move shown are moves of the line.
                let before =
                    self.line.positions().get(seat.shown.len() - 1).unwrap_or(self.position());
                let mut position = before.clone();
                if position.is_legal(last.mv) {
                    position.play_unchecked(last.mv);
                }
                position
            }
        };
        Shown {
            sees,
            position,
            occupied: seat.tracker().map(|tracker| tracker.occupied()),
            owed: (sees != Sees::Nothing).then(|| self.owed(color)).flatten().and_then(owed),
        }
    }
}
