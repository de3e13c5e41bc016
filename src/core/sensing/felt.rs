//! The findings of a peg board.

use shakmaty::{Chess, Color, Move, Piece, Square};

use super::{Diff, IllegalShape, PegStep};

/// When a board is still. Milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SettleSettings {
    /// Stillness that makes a move executed.
    pub settle_ms: u64,
    /// Stillness after a rook move that may be half of castling.
    pub castling_ms: u64,
    /// Stillness after a move that ends the game and was not announced: a peg that rests in a
    /// mating hole on its way elsewhere must not end it. A press of the clock decides at once.
    pub ending_ms: u64,
    /// Stillness after a piece went along a line on which it may go on in the same direction.
    ///
    /// How long a piece must stand before a move that could go on along its line counts. On a board
    /// with holes a peg does not slide on: in another hole it is placed (D.2.3.2). So by default
    /// such a move waits no longer than any other. Where pieces slide over flat squares, twice the
    /// settle time is right.
    pub slide_ms: u64,
    /// Stillness after which a board that fits nothing is guided.
    pub guide_ms: u64,
    /// How long a press of the clock waits for the last contacts to come to rest.
    pub press_ms: u64,
    /// How late changes may be reported: the debounce time, where edges are stamped with the
    /// contact's last change. Decisions wait that much longer, and carry the moment that they are
    /// about.
    pub late_ms: u64,
    /// The assistant announces the player's moves (D.2.10.2): a press with a move half done is
    /// early, and no offence (D.2.4).
    pub announced_for: bool,
    /// A capture that ends the game and was not announced is asked about, since the pegs show no
    /// difference while its piece is in the hand.
    pub asks_before_end: bool,
}

impl Default for SettleSettings {
    fn default() -> SettleSettings {
        SettleSettings {
            settle_ms: 400,
            castling_ms: 1500,
            ending_ms: 1500,
            slide_ms: 0,
            guide_ms: 5000,
            press_ms: 60,
            late_ms: 0,
            announced_for: false,
            asks_before_end: false,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Never reads a peg.
    Dead,
    Stuck,
}

/// A move that the pegs show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    pub mv: Move,
    /// When it counted as executed.
    pub at_ms: u64,
    /// When the captured piece left its hole (D.2.3.1).
    pub captured_ms: Option<u64>,
    /// When the moved piece last entered its hole (D.2.3.2).
    pub placed_ms: u64,
    /// Squares whose pieces left their holes on this turn, in order (D.2.2).
    pub touched: Vec<Square>,
    /// The executed move that this one replaces: the hands were corrected before it was made.
    pub revises: Option<Move>,
    /// The reeds alone did not show it; the announcement decided.
    pub by_announcement: bool,
}

/// A finding of a peg board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Felt {
    /// A piece left its hole: touched (D.2.2), unless announced as adjusting (4.2), or the game
    /// stands still (6.11).
    Touched {
        square: Square,
        piece: Piece,
        adjusting: bool,
        at_ms: u64,
    },
    Executed(Executed),
    /// The last executed move was undone before it was made.
    TakenBack {
        mv: Move,
        at_ms: u64,
    },
    /// Several legal moves fit: somebody must say which.
    Which {
        /// The moves, all legal.
        moves: Vec<Move>,
        at_ms: u64,
    },
    /// The board fits nothing: the next step back to the position.
    Astray {
        step: PegStep,
        diff: Diff,
        at_ms: u64,
    },
    /// The board shows its position again after it was astray.
    Restored {
        at_ms: u64,
    },
    /// The clock was pressed on a board that no legal move leads to (7.5.1).
    Illegal {
        seen: IllegalShape,
        step: Option<PegStep>,
        /// When the clock was pressed.
        at_ms: u64,
    },
    /// The clock was pressed without a move (7.5.3).
    PressedWithoutMove {
        color: Color,
        /// The next step, if a peg is missing or one is too many.
        step: Option<PegStep>,
        at_ms: u64,
    },
    /// The clock was pressed on an announced move that the board does not show in full (D.2.4),
    /// whatever the hands hold. The announcement stands. If a reed is broken, announcing the move
    /// again reveals it.
    PressedEarly {
        color: Color,
        mv: Move,
        step: Option<PegStep>,
        at_ms: u64,
    },
    /// The clock was pressed while a move was half done: pieces are in the hand, or a legal move
    /// lacks its second half (D.2.4).
    PressedHalf {
        color: Color,
        at_ms: u64,
    },
    /// The clock was pressed on an executed move while other pieces of the player were off the
    /// board: displaced, to be put back on his own time (7.4.1). Guidance follows.
    Displaced {
        color: Color,
        /// The first peg to put back.
        step: Option<PegStep>,
        at_ms: u64,
    },
    /// The clock was pressed after an executed move. Call [`super::Tracker::close`] if the move is
    /// made.
    Pressed {
        color: Color,
        at_ms: u64,
    },
    /// A reed contradicts more than one move, or it contradicts a move that its player announced
    /// again after hearing what is missing. A reed that follows a piece later is [`Felt::Mended`].
    Fault {
        square: Square,
        fault: Fault,
        at_ms: u64,
    },
    /// The player insists on an announced capture after hearing what is missing, and by its reed
    /// the captured piece has never left its hole. Only the player knows whether it is gone
    /// (D.2.3.1): [`super::Tracker::captured_is_gone`].
    CapturedStands {
        mv: Move,
        square: Square,
        piece: Piece,
        at_ms: u64,
    },
    /// A reed thought broken follows the pieces again.
    Mended {
        square: Square,
        at_ms: u64,
    },
    /// The pieces were set up again and show this position.
    SetUp {
        position: Box<Chess>,
        at_ms: u64,
    },
}
