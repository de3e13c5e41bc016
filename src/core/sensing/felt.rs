//! What a peg board makes known.

use shakmaty::{Chess, Color, Move, Piece, Square};

use super::{Diff, IllegalMove, Step};

/// When a board is still. Milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Stillness that makes a move executed.
    pub settle_ms: u64,
    /// Stillness after a rook move that may be half of castling.
    pub castling_ms: u64,
    /// Stillness after a move that ends the game and was not announced: a peg that rests in a mating
    /// hole on its way elsewhere must not end it. A press of the clock decides at once.
    pub ending_ms: u64,
    /// Stillness after a piece went along a line on which it may go on in the same direction.
    ///
    /// On a board with holes a peg is out of its hole or in one: in another one it is placed
    /// (D.2.3.2), there is no sliding on. So by default such a move waits no longer than any other;
    /// where pieces slide over flat squares twice the settle time is right.
    pub slide_ms: u64,
    /// Stillness after which a board that fits nothing is guided.
    pub guide_ms: u64,
    /// How long a press of the clock waits for the last contacts to come to rest.
    pub press_ms: u64,
    /// How much later than they happen changes may become known: the debounce time, where edges
    /// are stamped with the contact's last change. Decisions wait so much longer and are stamped
    /// with the moment that they are about.
    pub late_ms: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            settle_ms: 400,
            castling_ms: 1500,
            ending_ms: 1500,
            slide_ms: 0,
            guide_ms: 5000,
            press_ms: 60,
            late_ms: 0,
        }
    }
}

/// A broken contact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Never reads a peg.
    Dead,
    /// Always reads one.
    Stuck,
}

/// A move that the pegs show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Executed {
    /// The move.
    pub mv: Move,
    /// When it counted as executed.
    pub at_ms: u64,
    /// When the captured piece left its hole (D.2.3.1).
    pub captured_ms: Option<u64>,
    /// When the moved piece last entered its hole (D.2.3.2).
    pub placed_ms: u64,
    /// Squares whose pieces left their holes on this turn, in order (D.2.2).
    pub touched: Vec<Square>,
    /// Castling with the rook lifted before the king (4.4.2).
    pub rook_first: bool,
    /// The executed move that this one replaces: the hands were corrected before it was made.
    pub revises: Option<Move>,
    /// The reeds alone did not show it; the announcement decided.
    pub by_announcement: bool,
}

/// What a peg board makes known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Felt {
    /// A piece left its hole: touched (D.2.2), unless announced as adjusting (4.2).
    Touched {
        /// The hole.
        square: Square,
        /// What stood there.
        piece: Piece,
        /// Announced as adjusting: no touch.
        adjusting: bool,
        /// When.
        at_ms: u64,
    },
    /// A move was executed.
    Executed(Executed),
    /// The last executed move was undone before it was made.
    TakenBack {
        /// Which move.
        mv: Move,
        /// When.
        at_ms: u64,
    },
    /// Several legal moves fit: somebody must say which.
    Which {
        /// The moves, all legal.
        moves: Vec<Move>,
        /// When.
        at_ms: u64,
    },
    /// The board fits nothing: the next step back to the position.
    Astray {
        /// What to do next.
        step: Step,
        /// Everything that is wrong.
        diff: Diff,
        /// When.
        at_ms: u64,
    },
    /// The board shows its position again after it was astray.
    Restored {
        /// When.
        at_ms: u64,
    },
    /// The clock was pressed on a board that no legal move leads to (7.5.1).
    Illegal {
        /// What was seen.
        seen: IllegalMove,
        /// What is to be done next.
        step: Option<Step>,
        /// When the clock was pressed.
        at_ms: u64,
    },
    /// The clock was pressed without a move (7.5.3).
    PressedWithoutMove {
        /// Who pressed.
        color: Color,
        /// What is to be done next, if anything is missing or too many.
        step: Option<Step>,
        /// When.
        at_ms: u64,
    },
    /// The clock was pressed on an announced move that the board does not show in full (D.2.4),
    /// whatever the hands hold. The announcement stands. If a reed is broken, the move announced
    /// again tells it.
    PressedEarly {
        /// Who pressed.
        color: Color,
        /// The announced move.
        mv: Move,
        /// What is missing next.
        step: Option<Step>,
        /// When.
        at_ms: u64,
    },
    /// The clock was pressed on an executed move while other pieces of the player were off the board:
    /// displaced, to be put back on his own time (7.4.1). Guidance follows.
    Displaced {
        /// Who pressed.
        color: Color,
        /// What is to be put back first.
        step: Option<Step>,
        /// When.
        at_ms: u64,
    },
    /// The clock was pressed after an executed move. If it is made, [`super::Tracker::close`] it.
    Pressed {
        /// Who pressed.
        color: Color,
        /// When.
        at_ms: u64,
    },
    /// A reed contradicts the moves: more than one of them, or one that was announced again after
    /// its player had been told what is missing. A reed that follows a piece later is [`Felt::Mended`].
    Fault {
        /// Which hole.
        square: Square,
        /// How.
        fault: Fault,
        /// When.
        at_ms: u64,
    },
    /// The player insists on an announced capture, was told what is missing, and the captured piece has
    /// never left its hole, as far as its reed can tell. Whether it is gone only he can say (D.2.3.1):
    /// [`super::Tracker::captured_is_gone`].
    CapturedStands {
        /// The announced move.
        mv: Move,
        /// Where the captured piece stands or stood.
        square: Square,
        /// The piece.
        piece: Piece,
        /// When.
        at_ms: u64,
    },
    /// A reed thought broken follows the pieces again.
    Mended {
        /// Which hole.
        square: Square,
        /// When.
        at_ms: u64,
    },
    /// The board was set up anew and shows this position.
    SetUp {
        /// The position.
        position: Box<Chess>,
        /// When.
        at_ms: u64,
    },
}
