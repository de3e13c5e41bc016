//! A player's place: his board, his score, his rules.

use serde::{Deserialize, Serialize};
use shakmaty::{Chess, Color, Move};

use super::{At, GameConfig};
use crate::sensing::{Executed, Settings, Tracker};

/// Where an entry of a score came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Announced by the player himself.
    Voice,
    /// Announced by the system for him (D.2.10.2, D.2.10.3).
    Assistant,
    /// Shown by the sighted player's board.
    Board,
}

/// One move of a player's game score. Never rewritten from a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreEntry {
    /// Half-move number, the first is 1.
    pub ply: u32,
    /// The move as understood.
    pub mv: Move,
    /// In SAN, English letters.
    pub san: String,
    /// When it was entered.
    pub at: At,
    /// From where.
    pub source: Source,
}

/// What kind of board stands before a player.
#[derive(Clone, Debug)]
pub enum BoardKind {
    /// Pegs over reeds.
    Pegs(Box<Tracker>),
    /// A board that reports moves, or an assistant who does.
    Reports,
    /// None of his own: his moves are executed on the opponent's peg board.
    None,
}

/// A player's place.
#[derive(Clone, Debug)]
pub(super) struct Seat {
    pub(super) blind: bool,
    pub(super) board: BoardKind,
    /// The moves executed on this board, in order. Those of the line but for the last ones, which
    /// may be wrong or not made yet.
    pub(super) shown: Vec<Executed>,
    /// The board shows no position of the game and is being set right.
    pub(super) astray: bool,
    /// A promotion piece named before the pawn was promoted.
    pub(super) named: Option<shakmaty::Role>,
    pub(super) score: Vec<ScoreEntry>,
    /// Completed illegal moves (7.5.5).
    pub(super) illegal: u32,
    /// He need not record in this period, since so many plies.
    pub(super) unrecorded: Option<(usize, u32)>,
}

impl Seat {
    pub(super) fn new(color: Color, config: &GameConfig, start: &Chess) -> Seat {
        let blind = config.blind.is(color);
        let sensing = config.sensing;
        let settings = Settings {
            settle_ms: sensing.settle_ms,
            castling_ms: sensing.castling_ms,
            guide_ms: sensing.guide_ms,
            press_ms: sensing.debounce_ms * 3,
        };
        let board = if blind {
            BoardKind::Pegs(Box::new(Tracker::new(start.clone(), settings)))
        } else if config.sighted_board {
            BoardKind::Reports
        } else {
            BoardKind::None
        };
        Seat {
            blind,
            board,
            shown: Vec::new(),
            astray: false,
            named: None,
            score: Vec::new(),
            illegal: 0,
            unrecorded: None,
        }
    }

    pub(super) fn tracker(&self) -> Option<&Tracker> {
        match &self.board {
            BoardKind::Pegs(tracker) => Some(tracker),
            _ => None,
        }
    }

    pub(super) fn tracker_mut(&mut self) -> Option<&mut Tracker> {
        match &mut self.board {
            BoardKind::Pegs(tracker) => Some(tracker),
            _ => None,
        }
    }

    pub(super) fn has_board(&self) -> bool {
        !matches!(self.board, BoardKind::None)
    }
}
