//! Algebraic notation as Appendix C of the Laws accepts it: read in every form and in the player's
//! own piece letters, written in the forms that people and programs expect.
//!
//! ```
//! use annabella_core::notation::{Letters, MoveNotation, PieceLetters, read, write};
//! use shakmaty::Chess;
//!
//! let pos = Chess::default();
//! let german = Letters::of(PieceLetters::German);
//! let knight = read(&pos, "Sg1-f3", &german)?;
//! assert_eq!(write(&pos, knight.mv, MoveNotation::Short, Letters::english()), "Nf3");
//! assert_eq!(write(&pos, knight.mv, MoveNotation::Uci, Letters::english()), "g1f3");
//! # Ok::<_, annabella_core::notation::NotationError>(())
//! ```
//!
//! *Understood*, *legal* and *unique* are different things and different errors: see
//! [`NotationError`]. The reader never guesses: a text that can mean two moves is
//! [`NotationError::Ambiguous`].
//!
//! # What is read
//!
//! - short `Nf3`, with as much of the origin as is written: `Ngf3`, `N1f3`, `Ng1f3`, `Ng1-f3`;
//! - captures with or without `x`, `:` or `×`: `exd4`, `ed4`, `Q:d4`, `Qd4`; `e.p.` or `ep` behind;
//! - castling with zeros or letters: `0-0`, `O-O-O`, `o-o`;
//! - promotion `d8Q`, `d8=Q`, `d8(Q)`, `d8/Q`;
//! - behind the move `+`, `++`, `#`, `†`, `‡`, an offer of a draw `(=)`, and annotations `!?`;
//! - before it a move number: `1.e4`, `1... e5`;
//! - UCI: `g1f3`, `e7e8q`, `e1g1`. A small q, r, b or n behind both squares is always the English
//!   letter, whatever the language.
//!
//! Wrong optional signs (an x where nothing is taken) do not make a move unreadable.
//! [`Read::slips`] lists them.
//!
//! Source: FIDE Appendix C

mod cyrillic;
mod in_force;
mod letters;
pub mod pgn;
mod reader;
mod score;
mod typed;
mod why;
mod writer;

use std::fmt;

use shakmaty::{CastlingSide, Color, File, Move, Rank, Role, Square};

pub use in_force::InForce;
pub use letters::{Letters, LettersError, PieceLetters};
pub use reader::{read, read_in};
pub(crate) use score::letters_of_sheet;
pub use score::{
    Entry, ScoreReading, read_entries, read_list, read_score, read_sheet, read_sheet_in_force,
};
pub use writer::{DRAW_OFFER, MoveNotation, write};

/// A move as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// The move; legal in the position it was read in.
    pub mv: Move,
    /// `(=)` is written behind it (C.12, 8.1.5).
    pub offers_draw: bool,
    /// The sign of check as written. `slips` says if it is wrong.
    pub mark: CheckSign,
    /// Optional signs that do not fit the move, in the order of [`Slip`].
    pub slips: Vec<Slip>,
}

/// A sign of check behind a move (C.13).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum CheckSign {
    #[default]
    None,
    /// `+` or `†`.
    Check,
    /// `++` or `‡`: mate in the Laws, double check in old scores.
    Double,
    /// `#`.
    Mate,
}

/// A move without its optional signs.
pub(super) enum Body {
    Castling(CastlingSide),
    Piece {
        /// `None`: no letter, a pawn or (with the whole origin) whatever stands there.
        role: Option<Role>,
        file: Option<File>,
        rank: Option<Rank>,
        to: Square,
        promotion: Option<Role>,
    },
}

/// An optional sign that does not fit the move; the move is read all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Slip {
    /// `x` where nothing is taken.
    NoCapture,
    /// `e.p.` where the capture is not en passant.
    NotEnPassant,
    /// `+` without a check.
    NoCheck,
    /// `#` or `++` where there is neither mate nor, for `++`, double check.
    NoMate,
    /// A pawn's capture, marked with `x`, without the file that it leaves (C.9.3).
    FileMissing,
    /// Castling written as a move of the king: `Ke1g1`.
    CastlingAsKingMove,
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Slip::NoCapture => "nothing is captured",
            Slip::NotEnPassant => "the capture is not en passant",
            Slip::NoCheck => "there is no check",
            Slip::NoMate => "there is no mate",
            Slip::FileMissing => "the file that the pawn leaves is missing",
            Slip::CastlingAsKingMove => "castling is written 0-0 or 0-0-0",
        })
    }
}

/// Why a text is not a move in a position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotationError {
    #[error("'{text}' cannot be read: {why}")]
    Unreadable {
        /// As written, cut off where it is longer than any move.
        text: String,
        why: Unreadable,
    },
    #[error("'{text}' is not legal: {reason}")]
    Illegal {
        /// As written.
        text: String,
        reason: Reason,
    },
    #[error("'{text}' can mean {}: write more of it", list(moves))]
    Ambiguous {
        /// As written.
        text: String,
        /// The moves it can mean, two at least.
        moves: Vec<Move>,
    },
    /// No legal move in the letters in force, and exactly one in those of one other language, or
    /// with other capitals: to be asked, never made.
    #[error("{own}; in {} letters it is {}: if that is meant, write it so", .letters.name(), writer::long(*.mv, Letters::english()))]
    OtherLetters {
        /// Why it is no legal move in the letters in force.
        own: Box<NotationError>,
        /// The language that has a move for it.
        letters: PieceLetters,
        mv: Move,
    },
    #[error("'{text}' comes after an entry that could not be read: settle that one first")]
    NotReached {
        /// As written.
        text: String,
    },
    /// This entry is empty, and the score goes on behind it. Only scores that are kept move by move
    /// have such gaps.
    #[error("nothing is written for this move: have it completed")]
    NotWritten,
}

impl NotationError {
    /// The text as it was written.
    pub fn text(&self) -> &str {
        match self {
            NotationError::Unreadable { text, .. }
            | NotationError::Illegal { text, .. }
            | NotationError::Ambiguous { text, .. }
            | NotationError::NotReached { text } => text,
            NotationError::OtherLetters { own, .. } => own.text(),
            NotationError::NotWritten => "",
        }
    }
}

/// The reason why a text is no notation of a move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unreadable {
    #[error("nothing is written")]
    Empty,
    #[error("it is longer than any move")]
    TooLong,
    #[error("'{found}' is neither a piece letter nor a square")]
    NoSquare { found: String },
    #[error("the square that it goes to is missing or incomplete")]
    HalfSquare,
    /// Neither `0-0` nor `0-0-0`.
    #[error("castling is written 0-0 or 0-0-0")]
    Castling,
    #[error("the letter of the new piece must be a capital")]
    SmallPromotion,
    #[error("'{rest}' is left over behind the move")]
    LeftOver { rest: String },
}

/// Why a move that is understood is not legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    #[error("leaves the king in check")]
    LeavesKingInCheck,
    #[error("a piece of the same colour is on {0}")]
    OwnPiece(Square),
    #[error("there is no {color} {} {}", .role.map_or("piece", annabella_words::text::role_name), Origin(*.file, *.rank))]
    NotThere {
        color: Color,
        /// The piece as written; `None` when only squares are (UCI).
        role: Option<Role>,
        /// File of the origin, if written.
        file: Option<File>,
        /// Rank of the origin, if written.
        rank: Option<Rank>,
    },
    #[error("no {} can go to {to}", annabella_words::text::role_name(*.role))]
    CannotReach {
        /// The piece as written.
        role: Role,
        /// The square as written.
        to: Square,
    },
    #[error("no pawn can go to {to}; a capture begins with the file that the pawn leaves")]
    PawnFileMissing {
        /// The square as written.
        to: Square,
    },
    #[error("only a pawn that reaches its last rank is promoted")]
    NoPromotion,
    #[error("a pawn cannot become a {}", annabella_words::text::role_name(*.0))]
    PromotionTo(Role),
    #[error("the king or that rook has moved")]
    CastlingRightLost,
    #[error("a piece stands between the king and the rook")]
    CastlingBlocked,
    #[error("the king is attacked, or would pass or reach an attacked square")]
    CastlingThroughCheck,
    #[error("the game is over")]
    GameOver,
}

struct Origin(Option<File>, Option<Rank>);

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.1) {
            (Some(file), Some(rank)) => write!(f, "on {}", Square::from_coords(file, rank)),
            (Some(file), None) => write!(f, "on the {file} file"),
            (None, Some(rank)) => write!(f, "on rank {rank}"),
            (None, None) => f.write_str("on the board"),
        }
    }
}

/// Moves for people: `Ng1f3 or Nd2f3`.
fn list(moves: &[Move]) -> String {
    let texts: Vec<String> = moves.iter().map(|&mv| writer::long(mv, Letters::english())).collect();
    texts.join(" or ")
}
