//! The requests that Annabella understands.

use std::ops::RangeInclusive;

use shakmaty::{File, Rank, Role, Square};

/// A request or an answer, from any of its phrases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Command {
    /// "Ja."
    Yes,
    /// "Nein."
    No,
    /// An offered choice, counted from 1 to 8.
    Choice(u8),
    /// "Korrektur", alone; the move is to follow (D.2.8).
    Correction,
    /// "Ich korrigiere" or "j'adoube": the next lifts are no touches (4.2).
    Adjust,
    /// Say the last thing again.
    Repeat,
    Stop,
    /// Give up the question that stands.
    Cancel,
    /// The last move made.
    LastMove,
    MoveBefore,
    /// The last moves, so many, each player's counted by itself.
    LastMoves(u8),
    /// Both players' moves with this number.
    MoveNumber(u8),
    /// All moves from this number on.
    MovesFrom(u8),
    /// What is different since the opponent's last move: square by square.
    Changed,
    /// After the game: one move back in the score.
    ScoreBack,
    /// After the game: one move on.
    ScoreOn,
    /// After the game: to the position before the first move.
    ScoreStart,
    /// After the game: to the last move.
    ScoreEnd,
    /// My time (D.2.6, D.2.10.4).
    MyTime,
    OpponentTime,
    BothTimes,
    /// The time that I have used (D.2.10.4).
    MyTimeUsed,
    OpponentTimeUsed,
    /// The time that both have used.
    BothTimesUsed,
    /// How many moves have been made.
    MovesMade,
    /// How many moves are left to the time control.
    MovesToControl,
    WhoseMove,
    OnSquare(Square),
    OnFile(File),
    OnRank(Rank),
    /// The pieces on both diagonals through a square, or on the one between two squares.
    OnDiagonal(Square, Option<Square>),
    /// The squares of a kind of piece.
    Where {
        role: Role,
        /// The speaker's own, or else the opponent's.
        mine: bool,
    },
    Captured,
    /// A move announced and not yet executed, or the reverse.
    Pending,
    Help,
    Louder,
    Quieter,
    Faster,
    Slower,
    /// Resign (5.1.2); to be confirmed.
    Resign,
    /// Offer a draw (9.1); to be confirmed.
    OfferDraw,
    /// Accept the opponent's offer; to be confirmed.
    AcceptDraw,
    DeclineDraw,
    /// Claim a draw by threefold repetition (9.2); to be confirmed.
    ClaimRepetition,
    /// Claim a draw by the fifty-move rule (9.3); to be confirmed.
    ClaimFifty,
    CallArbiter,
    /// The boards are to be compared by hand: they differ in what no sensor sees (D.2.9).
    CompareBoards,
    /// The hands have executed what was announced: where no sensor feels it (D.2.3).
    Done,
    /// The player's own board is compared with the game by word, file by file (D.2.9).
    CheckBoard,
    /// The codes that open the pages, in the ear.
    Codes,
    /// Ask the arbiter to adjourn the game (I.1).
    Adjourn,
    /// Start White's clock (6.6).
    StartClock,
    /// Press the speaker's side of the clock.
    Press,
    /// Stop both clocks to call the arbiter (6.11.2).
    StopClock,
    /// Claim that a flag has fallen (6.8).
    ClaimFlag,
    /// Sign the result (8.7).
    Sign,
    /// At home: take one's last move back; to be confirmed.
    TakeBack,
    /// At home: which move the opponent would make.
    Hint,
    /// At home: who stands better.
    Evaluation,
    /// Add to one's score what is missing (8.5).
    CompleteScore,
    /// The pieces stood wrongly at the start (7.2.1).
    WrongStart,
    /// The game began with exchanged colours (7.3).
    WrongColours,
    /// Where all pieces stand.
    Position,
    /// Where all pieces of one player stand.
    Pieces {
        /// The speaker's own, or else the opponent's.
        mine: bool,
    },
    /// The same, by colour.
    PiecesOf {
        white: bool,
    },
    /// The squares of a kind of piece, by colour.
    WhereOf {
        role: Role,
        white: bool,
    },
    /// The last move of the speaker, or else of the opponent.
    MoveOf {
        mine: bool,
    },
    /// The same, by colour.
    MoveBy {
        white: bool,
    },
    /// The speaker's opponent resigns (5.1.2); to be confirmed.
    TheyResign,
    /// A player resigns, by colour; to be confirmed.
    ResignsBy {
        white: bool,
    },
    /// Who has won, if the game is over.
    Result,
    /// Whether a king is in check.
    InCheck,
    MyColour,
    OpponentName,
    /// The time control of this game.
    TimeControl,
    /// Whose clock runs.
    RunningClock,
    /// Whether the speaker's king and rooks have moved: what the score shows of castling.
    Castling,
    /// After the end: another game.
    NextGame,
    /// How the program is left.
    Leave,
    /// Where report and score sheets are.
    Report,
}

/// The thing that a command's phrases must name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wanted {
    Nothing,
    Square,
    File,
    Rank,
    Role,
    Diagonal,
    /// From 2 to [`MOST_COUNTED`].
    Count,
    /// From 1 to [`HIGHEST_NUMBER`].
    Number,
}

/// So many moves at most are asked for at once by their count.
pub(super) const MOST_COUNTED: u8 = 10;
/// The highest move that can be asked for by its number: up to here every pack has single words.
pub(super) const HIGHEST_NUMBER: u8 = 99;

impl Wanted {
    pub(super) fn placeholder(self) -> Option<&'static str> {
        match self {
            Wanted::Nothing => None,
            Wanted::Square => Some("{square}"),
            Wanted::File => Some("{file}"),
            Wanted::Rank => Some("{rank}"),
            Wanted::Role => Some("{piece}"),
            Wanted::Diagonal => Some("{diagonal}"),
            Wanted::Count | Wanted::Number => Some("{n}"),
        }
    }

    /// The numbers that may be named.
    pub(super) fn numbers(self) -> RangeInclusive<u8> {
        match self {
            Wanted::Count => 2..=MOST_COUNTED,
            Wanted::Number => 1..=HIGHEST_NUMBER,
            _ => RangeInclusive::new(1, 0),
        }
    }
}

/// The key in a pack, the thing that phrases must name, and the command (with a sample of it).
pub(super) const KINDS: [(&str, Wanted, Command); 62] = [
    ("yes", Wanted::Nothing, Command::Yes),
    ("no", Wanted::Nothing, Command::No),
    ("correction", Wanted::Nothing, Command::Correction),
    ("adjust", Wanted::Nothing, Command::Adjust),
    ("repeat", Wanted::Nothing, Command::Repeat),
    ("stop", Wanted::Nothing, Command::Stop),
    ("cancel", Wanted::Nothing, Command::Cancel),
    ("last-move", Wanted::Nothing, Command::LastMove),
    ("move-before", Wanted::Nothing, Command::MoveBefore),
    ("last-moves", Wanted::Count, Command::LastMoves(3)),
    ("move-number", Wanted::Number, Command::MoveNumber(8)),
    ("moves-from", Wanted::Number, Command::MovesFrom(8)),
    ("changed", Wanted::Nothing, Command::Changed),
    ("score-back", Wanted::Nothing, Command::ScoreBack),
    ("score-on", Wanted::Nothing, Command::ScoreOn),
    ("score-start", Wanted::Nothing, Command::ScoreStart),
    ("score-end", Wanted::Nothing, Command::ScoreEnd),
    ("my-time", Wanted::Nothing, Command::MyTime),
    ("opponent-time", Wanted::Nothing, Command::OpponentTime),
    ("both-times", Wanted::Nothing, Command::BothTimes),
    ("my-time-used", Wanted::Nothing, Command::MyTimeUsed),
    ("opponent-time-used", Wanted::Nothing, Command::OpponentTimeUsed),
    ("both-times-used", Wanted::Nothing, Command::BothTimesUsed),
    ("moves-made", Wanted::Nothing, Command::MovesMade),
    ("moves-to-control", Wanted::Nothing, Command::MovesToControl),
    ("whose-move", Wanted::Nothing, Command::WhoseMove),
    ("on-square", Wanted::Square, Command::OnSquare(Square::E4)),
    ("on-file", Wanted::File, Command::OnFile(File::E)),
    ("on-rank", Wanted::Rank, Command::OnRank(Rank::Fourth)),
    ("on-diagonal", Wanted::Diagonal, Command::OnDiagonal(Square::A1, None)),
    ("where-mine", Wanted::Role, Command::Where { role: Role::Rook, mine: true }),
    ("where-theirs", Wanted::Role, Command::Where { role: Role::Rook, mine: false }),
    ("captured", Wanted::Nothing, Command::Captured),
    ("pending", Wanted::Nothing, Command::Pending),
    ("help", Wanted::Nothing, Command::Help),
    ("louder", Wanted::Nothing, Command::Louder),
    ("quieter", Wanted::Nothing, Command::Quieter),
    ("faster", Wanted::Nothing, Command::Faster),
    ("slower", Wanted::Nothing, Command::Slower),
    ("resign", Wanted::Nothing, Command::Resign),
    ("offer-draw", Wanted::Nothing, Command::OfferDraw),
    ("accept-draw", Wanted::Nothing, Command::AcceptDraw),
    ("decline-draw", Wanted::Nothing, Command::DeclineDraw),
    ("claim-repetition", Wanted::Nothing, Command::ClaimRepetition),
    ("claim-fifty", Wanted::Nothing, Command::ClaimFifty),
    ("call-arbiter", Wanted::Nothing, Command::CallArbiter),
    ("compare-boards", Wanted::Nothing, Command::CompareBoards),
    ("done", Wanted::Nothing, Command::Done),
    ("check-board", Wanted::Nothing, Command::CheckBoard),
    ("codes", Wanted::Nothing, Command::Codes),
    ("adjourn", Wanted::Nothing, Command::Adjourn),
    ("start-clock", Wanted::Nothing, Command::StartClock),
    ("press", Wanted::Nothing, Command::Press),
    ("stop-clock", Wanted::Nothing, Command::StopClock),
    ("claim-flag", Wanted::Nothing, Command::ClaimFlag),
    ("sign", Wanted::Nothing, Command::Sign),
    ("take-back", Wanted::Nothing, Command::TakeBack),
    ("hint", Wanted::Nothing, Command::Hint),
    ("evaluation", Wanted::Nothing, Command::Evaluation),
    ("complete-score", Wanted::Nothing, Command::CompleteScore),
    ("wrong-start", Wanted::Nothing, Command::WrongStart),
    ("wrong-colours", Wanted::Nothing, Command::WrongColours),
];

/// What is asked for or told by typing only: its key in `[typed]` of a pack, and what its phrases
/// name.
pub(super) const QUESTIONS: [(&str, Wanted, Command); 24] = [
    ("position", Wanted::Nothing, Command::Position),
    ("pieces-mine", Wanted::Nothing, Command::Pieces { mine: true }),
    ("pieces-theirs", Wanted::Nothing, Command::Pieces { mine: false }),
    ("pieces-white", Wanted::Nothing, Command::PiecesOf { white: true }),
    ("pieces-black", Wanted::Nothing, Command::PiecesOf { white: false }),
    ("where-white", Wanted::Role, Command::WhereOf { role: Role::Rook, white: true }),
    ("where-black", Wanted::Role, Command::WhereOf { role: Role::Rook, white: false }),
    ("my-move", Wanted::Nothing, Command::MoveOf { mine: true }),
    ("opponent-move", Wanted::Nothing, Command::MoveOf { mine: false }),
    ("white-move", Wanted::Nothing, Command::MoveBy { white: true }),
    ("black-move", Wanted::Nothing, Command::MoveBy { white: false }),
    ("in-check", Wanted::Nothing, Command::InCheck),
    ("my-colour", Wanted::Nothing, Command::MyColour),
    ("opponent-name", Wanted::Nothing, Command::OpponentName),
    ("time-control", Wanted::Nothing, Command::TimeControl),
    ("running-clock", Wanted::Nothing, Command::RunningClock),
    ("castling", Wanted::Nothing, Command::Castling),
    ("next-game", Wanted::Nothing, Command::NextGame),
    ("leave", Wanted::Nothing, Command::Leave),
    ("report", Wanted::Nothing, Command::Report),
    ("result", Wanted::Nothing, Command::Result),
    ("they-resign", Wanted::Nothing, Command::TheyResign),
    ("white-resigns", Wanted::Nothing, Command::ResignsBy { white: true }),
    ("black-resigns", Wanted::Nothing, Command::ResignsBy { white: false }),
];

/// The Laws' own word, understood in every language (4.2), also when a recogniser runs it together.
pub(super) const ADJUST: [&str; 2] = ["j'adoube", "jadoube"];

impl Command {
    /// Its key in a pack, with what it names: `my-time`, `on-square e4`, `where-mine rook`.
    pub fn name(self) -> String {
        let key = |sample: Command| {
            let said = KINDS.iter().find(|(_, _, kind)| *kind == sample).map(|(key, _, _)| *key);
            let typed = || QUESTIONS.iter().find(|(.., of)| *of == sample).map(|(key, ..)| *key);
            said.or_else(typed).unwrap_or("choice")
        };
        match self {
            Command::Choice(n) => format!("choice {n}"),
            Command::OnSquare(square) => format!("on-square {square}"),
            Command::OnFile(file) => format!("on-file {file}"),
            Command::OnRank(rank) => format!("on-rank {rank}"),
            Command::OnDiagonal(square, other) => {
                let other = other.map(|other| format!(" {other}")).unwrap_or_default();
                format!("on-diagonal {square}{other}")
            }
            Command::LastMoves(n) => format!("last-moves {n}"),
            Command::MoveNumber(n) => format!("move-number {n}"),
            Command::MovesFrom(n) => format!("moves-from {n}"),
            Command::Where { role, .. } | Command::WhereOf { role, .. } => {
                let role = format!("{role:?}").to_lowercase();
                format!("{} {role}", key(self.with_role(Role::Rook)))
            }
            other => key(other).to_owned(),
        }
    }

    /// Whether it asks for a time used or left, or for a number of moves: what the assistant tells
    /// the blind player, on request only (D.2.10.4).
    pub fn informs(self) -> bool {
        matches!(
            self,
            Command::MyTime
                | Command::OpponentTime
                | Command::BothTimes
                | Command::MyTimeUsed
                | Command::OpponentTimeUsed
                | Command::BothTimesUsed
                | Command::MovesMade
                | Command::MovesToControl
        )
    }

    /// Whether it asks about the speaker's own things, or else his opponent's; `None`: about
    /// neither's alone.
    pub(super) fn asks_of_mine(self) -> Option<bool> {
        match self {
            Command::MyTime | Command::MyTimeUsed | Command::MyColour => Some(true),
            Command::OpponentTime | Command::OpponentTimeUsed | Command::OpponentName => {
                Some(false)
            }
            Command::Where { mine, .. } | Command::Pieces { mine } | Command::MoveOf { mine } => {
                Some(mine)
            }
            _ => None,
        }
    }

    /// Whether it asks for something that is known to both players, and changes nothing.
    pub fn only_asks(self) -> bool {
        self.informs()
            || matches!(
                self,
                Command::LastMove
                    | Command::MoveBefore
                    | Command::LastMoves(_)
                    | Command::MoveNumber(_)
                    | Command::MovesFrom(_)
                    | Command::MoveOf { .. }
                    | Command::Changed
                    | Command::WhoseMove
                    | Command::OnSquare(_)
                    | Command::OnFile(_)
                    | Command::OnRank(_)
                    | Command::OnDiagonal(..)
                    | Command::Where { .. }
                    | Command::Position
                    | Command::Pieces { .. }
                    | Command::PiecesOf { .. }
                    | Command::WhereOf { .. }
                    | Command::MoveBy { .. }
                    | Command::Result
                    | Command::InCheck
                    | Command::Captured
                    | Command::Pending
                    | Command::MyColour
                    | Command::OpponentName
                    | Command::TimeControl
                    | Command::RunningClock
                    | Command::Castling
                    | Command::NextGame
                    | Command::Leave
                    | Command::Report
                    | Command::Help
            )
    }

    /// Whether it ends the game or binds the player: always confirmed.
    pub fn is_irrevocable(self) -> bool {
        matches!(
            self,
            Command::Resign
                | Command::OfferDraw
                | Command::AcceptDraw
                | Command::ClaimRepetition
                | Command::ClaimFifty
                | Command::TakeBack
        )
    }

    /// Whether it binds the player, is an answer, or starts the clock.
    pub(super) fn is_deed(self) -> bool {
        self.is_irrevocable()
            || matches!(
                self,
                Command::Yes
                    | Command::No
                    | Command::Choice(_)
                    | Command::StartClock
                    | Command::WrongColours
                    | Command::TheyResign
                    | Command::ResignsBy { .. }
            )
    }

    /// Whether it is for games at home alone.
    pub fn is_for_home(self) -> bool {
        matches!(self, Command::TakeBack | Command::Hint | Command::Evaluation)
    }

    /// Whether it makes sense at every question of a dialogue before a game.
    pub fn is_general(self) -> bool {
        matches!(
            self,
            Command::Yes
                | Command::No
                | Command::Repeat
                | Command::Stop
                | Command::Cancel
                | Command::Help
                | Command::Louder
                | Command::Quieter
                | Command::Faster
                | Command::Slower
        )
    }

    /// The same request for another number.
    pub(super) fn with_number(self, n: u8) -> Command {
        match self {
            Command::LastMoves(_) => Command::LastMoves(n),
            Command::MoveNumber(_) => Command::MoveNumber(n),
            Command::MovesFrom(_) => Command::MovesFrom(n),
            other => other,
        }
    }

    /// The same request for another kind of piece.
    pub(super) fn with_role(self, role: Role) -> Command {
        match self {
            Command::Where { mine, .. } => Command::Where { role, mine },
            Command::WhereOf { white, .. } => Command::WhereOf { role, white },
            other => other,
        }
    }
}

/// The squares at both ends of every diagonal, the lower one first.
pub(super) fn diagonals() -> impl Iterator<Item = (Square, Square)> {
    let all = Square::ALL.into_iter().flat_map(diagonals_through);
    all.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// The diagonals through a square by their ends, the lower one first. A corner has one.
///
/// The one that rises to the h-file comes first.
pub fn diagonals_through(square: Square) -> impl Iterator<Item = (Square, Square)> {
    [(1, 1), (-1, 1)].into_iter().filter_map(move |(files, ranks)| {
        let end = |sign: i32| {
            let step = |from: Square| {
                let file = i32::from(u8::from(from.file())) + sign * files;
                let rank = i32::from(u8::from(from.rank())) + sign * ranks;
                let file = u32::try_from(file).ok().filter(|file| *file < 8)?;
                let rank = u32::try_from(rank).ok().filter(|rank| *rank < 8)?;
                Some(Square::from_coords(File::new(file), Rank::new(rank)))
            };
            std::iter::successors(Some(square), |from| step(*from)).last().unwrap_or(square)
        };
        let (low, high) = (end(-1), end(1));
        (low != high).then_some((low, high))
    })
}
