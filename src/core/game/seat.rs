//! A player's place: his board, his score, his rules.

use serde::{Deserialize, Serialize};
use shakmaty::{Board, Chess, Color, Move, Square};

use super::{At, Differs, GameConfig, HandsKnown, correction::Correction, new_voice::NewVoice};
use crate::{
    sensing::{Executed, SettleSettings, Tracker},
    sight::judge::Judge,
};

/// The source of a score's entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Announced by the player himself.
    Voice,
    /// Announced by the system for him (D.2.10.2, D.2.10.3).
    Assistant,
    /// Shown by the sighted player's board.
    Board,
    /// Written by the player, and typed or pasted for him.
    Written,
    /// Put in place of another entry by the arbiter's decision (D.2.9).
    Arbiter,
}

/// An entry of a player's game score. Never rewritten from a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScoreEntry {
    /// Half-move number, the first is 1.
    pub ply: u32,
    /// The move as understood; `None` where what is written is no legal move there.
    pub mv: Option<Move>,
    /// SAN with English letters. Where there is no move, the text as written.
    pub san: String,
    /// Exactly as written, mistakes and all, when it was typed or pasted.
    pub written: Option<String>,
    /// When it was entered.
    pub at: At,
    /// From where.
    pub source: Source,
}

/// An entry that is struck. It stays in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StruckEntry {
    /// As it was.
    pub entry: ScoreEntry,
    /// When it was struck.
    pub at: At,
    /// The decision that struck it ([`super::Decision::number`]); `None` when its player wrote
    /// another one.
    pub decision: Option<u32>,
}

/// The kind of board before a player.
#[derive(Clone, Debug, PartialEq)]
pub enum SeatBoard {
    /// Pegs over reeds.
    Pegs(Box<Tracker>),
    /// A board that reports moves, or an assistant who does.
    Reports,
    /// A peg set without sensors: the player's word says what his hands did.
    Said {
        /// His announcement is that word; else he says it when it is done.
        at_once: bool,
    },
    /// No board: the moves are executed on the opponent's peg board.
    None,
}

/// A player's place.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Seat {
    pub(super) blind: bool,
    pub(super) board: SeatBoard,
    /// Says what a board that is no peg board shows.
    pub(super) judge: Option<Box<Judge>>,
    /// The player has said that he adjusts (4.2).
    pub(super) adjusting: bool,
    /// The player has touched the piece that he adjusts.
    pub(super) adjusted: bool,
    /// The moves executed on this board, in order. They are those of the line, except that the last
    /// ones may be wrong or not made yet.
    pub(super) shown: Vec<Executed>,
    /// The board shows no position of the game and is being set right.
    pub(super) astray: bool,
    /// A promotion piece named before the pawn was promoted.
    pub(super) named: Option<shakmaty::Role>,
    /// In the order of the moves; some may be missing.
    pub(super) score: Vec<ScoreEntry>,
    pub(super) struck: Vec<StruckEntry>,
    /// A board that reports nothing, as somebody has entered it.
    pub(super) entered: Option<Board>,
    /// The board is being corrected after a decision, step by step.
    pub(super) correction: Option<Correction>,
    /// Completed illegal moves (7.5.5).
    pub(super) illegal: u32,
    /// A board that reports moves is gone; play goes on as without one.
    pub(super) lost: bool,
    /// How it differs from the game.
    pub(super) differs: Option<Differs>,
    /// The illegal move that he last completed on this board, after how many plies: counted already.
    pub(super) completed_illegal: Option<(u32, String)>,
    /// The player left a pawn on its last rank and pressed: by this move it becomes a queen
    /// (7.5.2).
    pub(super) unpromoted: Option<Move>,
    /// Pieces that its player touched on this move, in order.
    pub(super) touched: Vec<Square>,
    /// Moves that the board could not distinguish: the player is asked.
    pub(super) which: Vec<Move>,
    /// Times of which this player has been warned, seconds.
    pub(super) alarmed: Vec<u32>,
    /// The player need not record in this period, since this many plies.
    pub(super) unrecorded: Option<(usize, u32)>,
    /// How well his first words were heard.
    pub(super) voice: NewVoice,
}

impl Seat {
    pub(super) fn new(color: Color, config: &GameConfig, start: &Chess) -> Seat {
        let blind = config.blind.is(color);
        let sensing = config.sensing;
        let settings = SettleSettings {
            settle_ms: sensing.settle_ms,
            castling_ms: sensing.castling_ms,
            ending_ms: sensing.ending_ms,
            guide_ms: sensing.guide_ms,
            late_ms: sensing.debounce_ms,
            press_ms: sensing.debounce_ms * 3,
            ..SettleSettings::default()
        };
        let board = match (blind, config.hands.of(color)) {
            (true, HandsKnown::Felt) => {
                SeatBoard::Pegs(Box::new(Tracker::new(start.clone(), settings)))
            }
            (true, HandsKnown::Announced) => SeatBoard::Said { at_once: true },
            (true, HandsKnown::Spoken) => SeatBoard::Said { at_once: false },
            (false, _) if config.sighted_board => SeatBoard::Reports,
            (false, _) => SeatBoard::None,
        };
        let judge = matches!(board, SeatBoard::Reports)
            .then(|| Box::new(Judge::new(color, start.clone(), config.judge)));
        Seat {
            blind,
            board,
            judge,
            adjusting: false,
            adjusted: false,
            shown: Vec::new(),
            astray: false,
            named: None,
            score: Vec::new(),
            struck: Vec::new(),
            entered: None,
            correction: None,
            illegal: 0,
            lost: false,
            differs: None,
            completed_illegal: None,
            unpromoted: None,
            touched: Vec::new(),
            which: Vec::new(),
            alarmed: Vec::new(),
            unrecorded: None,
            voice: NewVoice::default(),
        }
    }

    pub(super) fn tracker(&self) -> Option<&Tracker> {
        match &self.board {
            SeatBoard::Pegs(tracker) => Some(tracker),
            _ => None,
        }
    }

    pub(super) fn tracker_mut(&mut self) -> Option<&mut Tracker> {
        match &mut self.board {
            SeatBoard::Pegs(tracker) => Some(tracker),
            _ => None,
        }
    }

    /// The board is known by its player's word.
    pub(super) fn is_said(&self) -> bool {
        matches!(self.board, SeatBoard::Said { .. })
    }

    pub(super) fn has_board(&self) -> bool {
        !matches!(self.board, SeatBoard::None) && !self.lost
    }
}
