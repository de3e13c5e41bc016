//! The view behind all pages: one snapshot of a game, made by a pure function and rendered for
//! everybody.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Piece, Square};

use annabella_core::{
    game::{Asked, Boards, Ended, HandStep, HomeWish, IllegalMove, Outcome, Penalty, Running},
    laws::Article,
};
use annabella_words::phrase::{Note, Utterance};

pub use crate::whole_hall::{HallBoard, HallCall, HallClock, HallNeed, HallView, HallWhy, Sector};

/// Everything that the pages show.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct View {
    /// `None`: no game has been started.
    pub game: Option<Box<GameView>>,
    /// The whole hall, in place of a game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hall: Option<Box<HallView>>,
}

/// A game as it stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameView {
    /// Tells it from every other game.
    #[serde(default)]
    pub id: String,
    /// White's name; may be empty.
    pub white: String,
    pub black: String,
    /// The moment of the snapshot, milliseconds of the service's clock.
    #[serde(default)]
    pub at_ms: u64,
    /// What is asked of the reader of each page.
    #[serde(default)]
    pub asked: AskedOf,
    pub plies: u32,
    #[serde(with = "annabella_words::text")]
    pub to_move: Color,
    /// The position after the last made move (FEN).
    pub fen: String,
    /// The language whose piece letters are in force at the board, ISO 639-1.
    #[serde(default)]
    pub letters: String,
    /// The position before it, as long as it may be corrected: its clock is not pressed yet.
    pub fen_before: Option<String>,
    /// The last made move.
    pub last: Option<MoveView>,
    /// Who has entered the last move that was entered on a page; may be empty.
    #[serde(default)]
    pub entered_by: String,
    /// How the boards stand to each other.
    pub boards: Boards,
    pub board: [BoardView; 2],
    /// Both scores, half-move by half-move.
    pub scores: Vec<ScoreRow>,
    /// From this half-move on White and Black need not record for the time being (8.4).
    #[serde(default)]
    pub unrecorded: [Option<u32>; 2],
    /// Speech, touches, presses and decisions, the newest last.
    pub events: Vec<LoggedEvent>,
    /// What D.2.9 asks for, when the boards or scores differ.
    pub decision: Option<DecisionView>,
    /// Decisions made so far (D.2.9).
    pub decided: u32,
    /// The arbiter's decisions of any kind so far.
    #[serde(default)]
    pub ruled: u32,
    /// What White has still to do to his board after a decision, then Black.
    pub correcting: [Correcting; 2],
    /// Proposals for the arbiter to decide.
    pub proposals: Vec<ProposalView>,
    /// The last penalty of time, which can be taken back.
    #[serde(default)]
    pub undo: Option<UndoView>,
    /// Moves that are still to be executed on a board.
    pub to_play: Vec<ToPlay>,
    /// Whose moves the assistant enters, if he enters any.
    #[serde(with = "annabella_words::text::option")]
    pub enters_for: Option<Color>,
    /// For whom the pages enter what he says: the sighted player.
    #[serde(with = "annabella_words::text::option")]
    pub speaks: Option<Color>,
    /// The player whose offer of a draw has no answer yet.
    #[serde(with = "annabella_words::text::option")]
    pub offered: Option<Color>,
    /// Announcements, the newest last.
    pub said: Vec<Utterance>,
    /// The last of them, or the last made move where that is newer.
    #[serde(default)]
    pub newest: Option<Utterance>,
    /// Whose clock the assistant may press now.
    #[serde(with = "annabella_words::text::option")]
    pub presses_for: Option<Color>,
    /// The clocks when the snapshot was made.
    pub clocks: Clocks,
    /// How far an adjournment has come, if it is not over.
    pub adjournment: Option<AdjournView>,
    /// When and where an adjourned game goes on, in the arbiter's words.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub resumes: Vec<String>,
    pub result: Option<Ended>,
    /// At home: what a program that plays for the sighted player needs besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_home: Option<HomeView>,
}

/// A game at home, move by move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HomeView {
    /// The position before the first move (FEN).
    pub start: String,
    /// As the configuration writes it.
    pub time_control: String,
    /// The sighted player's colour.
    pub seat: Option<SeatColor>,
    /// After the end: so many half-moves of the score the blind player has gone through.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked: Option<usize>,
    /// What the blind player has asked of his opponent, and is not answered yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wished: Option<HomeWish>,
    /// The moves that were made, in UCI.
    pub moves: Vec<String>,
    /// The language of the prompts, as the configuration names it.
    pub prompts: String,
}

/// What is asked of each page's reader now, the most urgent first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AskedOf {
    pub arbiter: Vec<Asked>,
    pub assistant: Vec<Asked>,
    pub display: Vec<Asked>,
}

/// A penalty of time that the arbiter may take back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UndoView {
    /// Which of the rulings, from 0.
    pub ruling: u32,
    /// Whose clock it changed.
    #[serde(with = "annabella_words::text")]
    pub seat: Color,
    /// What it gave, milliseconds; below nought: what it took.
    pub given_ms: i64,
}

/// An adjournment. The sealed move is not part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AdjournView {
    /// This player is sealing a move.
    Sealing(SeatColor),
    /// The move is sealed, or its envelope has been opened and waits for a decision.
    Sealed,
}

/// A move in letters and in words.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MoveView {
    /// Half-move, the first is 1.
    pub ply: u32,
    /// In SAN, English letters.
    pub san: String,
    pub uci: String,
    pub words: Utterance,
}

/// A board and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoardView {
    /// Before whom it stands.
    #[serde(with = "annabella_words::text")]
    pub seat: Color,
    /// This player is blind, and the board is a peg board.
    pub blind: bool,
    pub seen: bool,
    /// 64 squares, a1 first, then b1.
    pub cells: Vec<Cell>,
}

/// The content of a square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cell {
    pub stands: Stands,
    /// How that differs from what should stand there.
    pub mark: Mark,
}

/// A piece, as far as it is known.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stands {
    #[default]
    Nothing,
    Known(#[serde(with = "piece")] Piece),
    Something,
}

/// A difference between two boards, or between a board and the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mark {
    /// None.
    #[default]
    Same,
    /// The square should be empty.
    Extra,
    Missing(#[serde(with = "piece")] Piece),
    /// This piece should stand here; another one does.
    Other(#[serde(with = "piece")] Piece),
}

/// A half-move in both scores.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ScoreRow {
    /// Half-move, the first is 1.
    pub ply: u32,
    /// What White's score has there, as written; `None`: nothing.
    pub white: Option<String>,
    pub black: Option<String>,
    /// White's entry and Black's are exactly what they wrote themselves. Others are SAN.
    pub written: [bool; 2],
    /// Both have an entry, and the entries differ.
    pub differs: bool,
    /// White's and Black's time when the move was completed, milliseconds.
    pub clock_ms: Option<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LoggedEvent {
    /// When, milliseconds of the service's clock.
    pub at_ms: u64,
    pub kind: EventKind,
    /// Whose hand, voice or board; not given where that is not known.
    #[serde(with = "annabella_words::text::option")]
    pub seat: Option<Color>,
    /// The event; also a word or a move that is nothing more.
    pub text: Note,
    /// The piece that was lifted, as in a FEN.
    pub piece: Option<char>,
    /// The arbiter who decided, and his reason, in his words.
    pub by: [String; 2],
    /// By which article, of a problem.
    pub article: Option<Article>,
}

/// Kinds of things that happen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    Heard,
    Lifted,
    BoardShows,
    Pressed,
    /// A move is made (D.2.3).
    MoveMade,
    /// The move is completed (6.2.1).
    MoveCompleted,
    /// Something is not as the Laws ask.
    Problem,
    /// The arbiter has decided.
    Ruling,
    Result(Outcome),
}

/// The settlement of D.2.9 that is proposed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DecisionView {
    /// Says which proposal it is: an answer to another one does not count.
    pub mark: String,
    pub verdict: VerdictView,
    pub article: Article,
    /// Half-moves from the start to the position to play on from.
    pub ply: u32,
    /// The last of them, `12... Nf6`; `None`: none.
    pub last: Option<String>,
    /// The position to play on from (FEN).
    pub fen: String,
    /// The first half-move at which the scores differ.
    pub differs_at: Option<u32>,
    /// Missing entries: the score, and the move.
    pub missing: Vec<(SeatColor, String)>,
    /// What White does to his board, then Black; first what is taken away, then what is put.
    pub steps: [Vec<StepView>; 2],
    /// Times to choose from; the first is the proposal.
    pub clocks: Vec<ClockChoice>,
}

/// A colour that stands for its player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatColor(#[serde(with = "annabella_words::text")] pub Color);

/// The cases of D.2.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum VerdictView {
    Agree,
    Corrects(SeatColor),
    BothCorrect,
    /// Back to where the scores agree.
    Retrace,
    /// The arbiter compares by hand.
    Inspect,
}

/// One step on a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StepView {
    /// A piece moves from one square to another.
    Carry {
        #[serde(with = "piece")]
        piece: Piece,
        #[serde(with = "annabella_words::text")]
        from: Square,
        #[serde(with = "annabella_words::text")]
        to: Square,
    },
    Remove {
        /// The piece, as far as it is known.
        stands: Stands,
        #[serde(with = "annabella_words::text")]
        from: Square,
    },
    /// A piece comes from beside the board.
    Set {
        #[serde(with = "piece")]
        piece: Piece,
        #[serde(with = "annabella_words::text")]
        to: Square,
    },
}

/// Times that the clocks may be set to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ClockChoice {
    /// White's, milliseconds.
    pub white_ms: u64,
    pub black_ms: u64,
    pub from: TimesFrom,
}

/// The source of clock times.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimesFrom {
    /// The journal's reading after this move, `12... Nf6`; `None`: at the start.
    Then(Option<String>),
    Now,
    /// The clocks as they stand, without the time since this move.
    NowWithout(String),
}

/// A board that is being put right after a decision.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Correcting {
    /// Steps left, in order; empty when the board is right.
    pub steps: Vec<HandStep>,
    /// The board is not seen: somebody says when it is done.
    pub confirm: bool,
}

/// Something that waits for the arbiter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProposalView {
    pub number: u32,
    pub article: Article,
    /// The event.
    pub text: Note,
    /// The illegal move that it is about, and its player.
    #[serde(default)]
    pub illegal: Option<(SeatColor, IllegalMove)>,
    /// The options, at least one.
    pub choices: Vec<ChoiceView>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChoiceView {
    /// A penalty of 12.9.
    Penalty(SeatColor, Penalty),
    Declare(Outcome),
    /// A clock is set, milliseconds.
    SetClock(SeatColor, u64),
    StopClocks,
    StartClocks,
    /// A move counts as made, UCI.
    AcceptMove(String),
    /// Something else.
    Other(Note),
}

/// A move to be executed on a board.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ToPlay {
    /// Before whom the board stands.
    #[serde(with = "annabella_words::text")]
    pub seat: Color,
    pub mv: MoveView,
    /// The assistant says when it is done; otherwise the board is seen.
    pub confirm: bool,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clocks {
    /// White's time left, milliseconds.
    pub white_ms: u64,
    pub black_ms: u64,
    pub running: Running,
    /// The clocks were stopped and wait for somebody to resume the game (6.11).
    pub halted: bool,
    /// Milliseconds before the running side's time counts down (delay).
    #[serde(default)]
    pub delay_ms: u64,
}

impl Clocks {
    /// The clocks `passed_ms` milliseconds later.
    pub fn after(self, passed_ms: u64) -> Clocks {
        let mut later = self;
        later.delay_ms = self.delay_ms.saturating_sub(passed_ms);
        let passed_ms = passed_ms.saturating_sub(self.delay_ms);
        match self.running {
            Running::White => later.white_ms = self.white_ms.saturating_sub(passed_ms),
            Running::Black => later.black_ms = self.black_ms.saturating_sub(passed_ms),
            Running::None => {}
        }
        later
    }
}

impl GameView {
    /// A player's name; empty if it is not known.
    pub fn name(&self, color: Color) -> &str {
        color.fold_wb(&self.white, &self.black)
    }

    /// The first half-move at which the scores differ.
    pub fn first_difference(&self) -> Option<u32> {
        self.scores.iter().find(|row| row.differs).map(|row| row.ply)
    }
}

/// A piece by its letter in a FEN.
mod piece {
    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};
    use shakmaty::Piece;

    pub(super) fn serialize<S: Serializer>(piece: &Piece, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_char(piece.char())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Piece, D::Error> {
        let letter = char::deserialize(from)?;
        Piece::from_char(letter).ok_or_else(|| D::Error::custom("not a piece's letter"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_with_a_delay_stands_before_it_counts_down() {
        let clocks = Clocks {
            white_ms: 60_000,
            black_ms: 50_000,
            running: Running::White,
            halted: false,
            delay_ms: 5_000,
        };
        let after = clocks.after(3_000);
        assert_eq!((after.white_ms, after.delay_ms), (60_000, 2_000));
        let after = after.after(3_000);
        assert_eq!((after.white_ms, after.black_ms, after.delay_ms), (59_000, 50_000, 0));
    }
}
