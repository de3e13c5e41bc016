//! Two boards that differ, put right by both game scores: the cases of D.2.9.
//!
//! In go both boards as far as they can be seen, both scores as they were written and what the
//! journal knows of the clocks; out comes a [`Settlement`]: the position to play on from, who does
//! what to which board step by step, what the clocks may be set to and where those readings come
//! from. Nothing is changed here: it is a proposal, the arbiter confirms or [chooses](choose)
//! another position.
//!
//! ```
//! use annabella_core::{notation::read_entries, reconcile::{Case, Seen, Side, Verdict, reconcile}};
//! use shakmaty::{Chess, Color, Position};
//!
//! let start = Chess::default();
//! let side = |color, score: &[&str]| Side {
//!     color,
//!     score: read_entries(&start, score),
//!     board: Seen::Pieces(start.board().clone()),
//!     excused: false,
//!     pending: None,
//! };
//! let case = Case {
//!     start: start.clone(),
//!     blind: side(Color::White, &["e4", "e5"]),
//!     sighted: side(Color::Black, &["e4", "c5"]),
//!     clocks: vec![],
//!     now: None,
//!     said_to_differ: false,
//! };
//! let settled = reconcile(&case);
//! assert_eq!((settled.verdict, settled.ply), (Verdict::Retrace, 1));
//! ```
//!
//! # What scores settle
//!
//! Entries are compared ply by ply. Where both are there, they differ if the moves do or if one of
//! them is illegal, ambiguous or unreadable. A score may lag behind by what 8.1.3 lets a player
//! leave unwritten, and by any number if he need not record (8.4, tournament regulation 10.5.5);
//! such entries are asked for, and so are gaps in a score that is kept move by move and goes on behind
//! them. What comes after an entry that cannot be read is not looked at.
//!
//! # What reeds cannot see
//!
//! A board of reeds tells which holes are filled, not with what. Which pieces stand there is taken
//! from the game: from the latest position of its player's score, then of the other one's, in which
//! the same holes are filled; else from the last positions, one move or one hole away.
//!
//! Source: FIDE D.2.9, 7.1, 8.1.3

mod boards;
mod clocks;
mod explain;
mod scores;

use std::{fmt, ops::Index};

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position};

use crate::{
    laws::Article,
    notation::{Entry, NotationError, ScoreReading},
};

pub use crate::sensing::Step;
pub use boards::{BoardFinding, BoardState, Correction};
pub use clocks::{Basis, ClockProposal, ClockReading, Proposal, Times};

/// One of the two players, named by his side of Appendix D. If both are blind, the two names still
/// tell them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    /// The blind player.
    Blind,
    /// The sighted player.
    Sighted,
}

impl Who {
    /// Both, the blind player first.
    pub const ALL: [Who; 2] = [Who::Blind, Who::Sighted];

    /// The other one.
    pub const fn other(self) -> Who {
        match self {
            Who::Blind => Who::Sighted,
            Who::Sighted => Who::Blind,
        }
    }
}

impl fmt::Display for Who {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Who::Blind => "blind",
            Who::Sighted => "sighted",
        })
    }
}

/// One thing for each player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Two<T> {
    /// The blind player's.
    pub blind: T,
    /// The sighted player's.
    pub sighted: T,
}

impl<T> Index<Who> for Two<T> {
    type Output = T;

    fn index(&self, who: Who) -> &T {
        match who {
            Who::Blind => &self.blind,
            Who::Sighted => &self.sighted,
        }
    }
}

/// Everything that is known when two boards differ.
#[derive(Clone, Debug)]
pub struct Case {
    /// The position that the game started from.
    pub start: Chess,
    /// The blind player's side of it.
    pub blind: Side,
    /// The sighted player's side of it.
    pub sighted: Side,
    /// The journal's readings of the clocks at completed moves, in order.
    pub clocks: Vec<ClockReading>,
    /// What the clocks show now.
    pub now: Option<Times>,
    /// Somebody says that the boards differ, whether or not it can be seen.
    pub said_to_differ: bool,
}

impl Case {
    /// One player's side of it.
    pub fn side(&self, who: Who) -> &Side {
        match who {
            Who::Blind => &self.blind,
            Who::Sighted => &self.sighted,
        }
    }
}

/// What one player has: his colour, his score, his board.
#[derive(Clone, Debug)]
pub struct Side {
    /// Which pieces he plays.
    pub color: Color,
    /// His score, read from [`Case::start`] on.
    pub score: ScoreReading,
    /// His board.
    pub board: Seen,
    /// He does not have to record at present (8.4; tournament regulation 10.5.5): his score may lag
    /// behind by any number of moves.
    pub excused: bool,
    /// The last made move, where it is still to be executed on his board: until then his board may
    /// show the position before it.
    pub pending: Option<Move>,
}

/// What is seen of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Seen {
    /// Which piece stands where: read by an electronic board or entered by hand.
    Pieces(Board),
    /// Filled holes only.
    Occupied(Bitboard),
    /// Nothing: a board that nobody has read or entered.
    Nothing,
}

/// What is to be done, in the cases of D.2.9.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Boards and scores agree: play on.
    Agree,
    /// The blind player corrects his board to the scores.
    BlindCorrects,
    /// The sighted player corrects his board to the scores.
    SightedCorrects,
    /// Both correct their boards to the scores.
    BothCorrect,
    /// The scores differ: back to where they agree.
    Retrace,
    /// What sensors see agrees, what they cannot see does not, or a board cannot be seen at all: the
    /// arbiter compares by hand.
    Inspect,
}

impl Verdict {
    /// As the command line prints it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Verdict::Agree => "agree",
            Verdict::BlindCorrects => "blind-corrects",
            Verdict::SightedCorrects => "sighted-corrects",
            Verdict::BothCorrect => "both-correct",
            Verdict::Retrace => "retrace",
            Verdict::Inspect => "inspect",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The first ply at which the scores differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Half-move, the first is 1.
    pub ply: u32,
    /// What each score has there, if anything.
    pub entries: Two<Option<Written>>,
}

/// An entry of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// As it was written.
    pub as_written: String,
    /// The move, or why it is none.
    pub result: Result<Move, NotationError>,
}

/// An entry that is still to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    /// In whose score.
    pub score: Who,
    /// Half-move, the first is 1.
    pub ply: u32,
    /// What the other score has there.
    pub mv: Move,
}

/// The proposal to the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    /// Which case it is.
    pub verdict: Verdict,
    /// By which article.
    pub article: Article,
    /// Half-moves from the start to the position to play on from.
    pub ply: u32,
    /// That position.
    pub position: Chess,
    /// The moves up to it: repetitions and moves without progress are counted on these.
    pub moves: Vec<Move>,
    /// Moves completed by White and by Black up to it, for the counters of the clock.
    pub made: (u32, u32),
    /// Where the scores differ.
    pub difference: Option<Difference>,
    /// Entries to be asked for (8.1.3).
    pub missing: Vec<Missing>,
    /// Entries for moves that neither board shows: written beforehand, and not made (8.1.2).
    pub ahead: Vec<Missing>,
    /// What each board needs.
    pub boards: Two<BoardFinding>,
    /// What the clocks may be set to, when the game goes back (7.1).
    pub clocks: Option<ClockProposal>,
}

impl Settlement {
    /// What is proposed and why, in English, for the record. Spoken words come from the packs.
    pub fn explanation(&self, case: &Case) -> String {
        explain::explain(self, case)
    }
}

/// Settles a case as D.2.9 asks.
pub fn reconcile(case: &Case) -> Settlement {
    let agreed = scores::compare(case);
    let lines = lines(case);
    if agreed.difference.is_none()
        && let Some(settled) = written_ahead(case, &lines, &agreed)
    {
        return settled;
    }
    let retrace = agreed.difference.is_some();
    settle(case, &lines, agreed, retrace)
}

/// Only one score has the last entries, and both boards still show a position before them: those moves
/// are written, not made.
///
/// Source: FIDE 8.1.2
fn written_ahead(
    case: &Case,
    lines: &Two<Vec<Chess>>,
    agreed: &scores::Agreed,
) -> Option<Settlement> {
    let whole = agreed.moves.len();
    let open = |n: usize| agreed.missing.iter().any(|missing| missing.ply as usize == n + 1);
    let both = (0..whole).rev().take_while(|n| open(*n)).last()?;
    let stand = |settled: &Settlement| {
        Who::ALL.into_iter().all(|who| settled.boards[who].state == BoardState::Agrees)
    };
    let up_to = |count: usize| {
        let (missing, ahead) =
            agreed.missing.iter().copied().partition(|m: &Missing| m.ply as usize <= count);
        let moves = agreed.moves[..count].to_vec();
        let agreed = scores::Agreed { moves, missing, difference: None };
        Settlement { ahead, ..settle(case, lines, agreed, false) }
    };
    // A board that shows the last of them, or something else, is another case.
    let last = settle(case, lines, agreed.clone(), false);
    if Who::ALL.into_iter().any(|who| last.boards[who].state == BoardState::Agrees) {
        return None;
    }
    (both..whole).rev().map(up_to).find(stand)
}

/// What has to be done if the arbiter decides to play on from the position after `ply` half-moves of
/// this player's score. `None` if that score cannot be read so far.
pub fn choose(case: &Case, score: Who, ply: u32) -> Option<Settlement> {
    let moves = moves(case, score);
    choose_line(case, moves.get(..usize::try_from(ply).ok()?)?.to_vec())
}

/// The same for any moves from the start on: 0 moves are the starting position. `None` if they are not
/// legal one after another.
pub fn choose_line(case: &Case, moves: Vec<Move>) -> Option<Settlement> {
    let mut position = case.start.clone();
    for &mv in &moves {
        position = position.play(mv).ok()?;
    }
    let difference = scores::compare(case).difference;
    let agreed = scores::Agreed { moves, missing: Vec::new(), difference };
    let lines = lines(case);
    Some(settle(case, &lines, agreed, true))
}

/// What has to be done to a board that shows this to make it show `target`.
pub fn way(seen: &Seen, target: &Board) -> BoardFinding {
    boards::find(seen, target, &[], &[], false)
}

fn settle(
    case: &Case,
    lines: &Two<Vec<Chess>>,
    agreed: scores::Agreed,
    retrace: bool,
) -> Settlement {
    let mut position = case.start.clone();
    let mut before = position.clone();
    let mut made = (0, 0);
    for &mv in &agreed.moves {
        match position.turn() {
            Color::White => made.0 += 1,
            Color::Black => made.1 += 1,
        }
        // The reader of scores returns legal moves only.
        before.clone_from(&position);
        position.play_unchecked(mv);
    }
    // A score of more than 2^32 entries does not fit into memory.
    let ply = agreed.moves.len() as u32;
    let find = |who: Who| {
        let (own, other) = (&lines[who], &lines[who.other()]);
        let side = case.side(who);
        let found = boards::find(&side.board, position.board(), own, other, !retrace);
        let last = agreed.moves.last().filter(|mv| !retrace && side.pending == Some(**mv));
        let waits = last.is_some() && boards::shows(&side.board, before.board());
        if waits { BoardFinding { state: BoardState::Pending, ..found } } else { found }
    };
    let boards = Two { blind: find(Who::Blind), sighted: find(Who::Sighted) };
    let verdict = if retrace { Verdict::Retrace } else { by_boards(case, &boards) };
    Settlement {
        verdict,
        article: Article::D_2_9,
        ply,
        position,
        moves: agreed.moves,
        made,
        difference: agreed.difference,
        missing: agreed.missing,
        ahead: Vec::new(),
        boards,
        clocks: retrace.then(|| clocks::propose(case, ply)),
    }
}

/// The scores agree: what the boards say.
fn by_boards(case: &Case, boards: &Two<BoardFinding>) -> Verdict {
    use BoardState::{Agrees, Differs, Exchanged, Pending, Unknown};
    let states = (boards.blind.state, boards.sighted.state);
    // What one board shows with certainty asks for no inspection of what the other may hide.
    let wrong = |state| matches!(state, Differs | Exchanged);
    match states {
        (Differs, other) | (other, Differs) if wrong(other) => Verdict::BothCorrect,
        (Differs, _) => Verdict::BlindCorrects,
        (_, Differs) => Verdict::SightedCorrects,
        (Exchanged | Unknown, _) | (_, Exchanged | Unknown) => Verdict::Inspect,
        // What is still to be executed is no difference.
        (Agrees | Pending, Agrees | Pending) => {
            let hidden = |who| matches!(case.side(who).board, Seen::Occupied(_));
            if case.said_to_differ && Who::ALL.into_iter().any(hidden) {
                Verdict::Inspect
            } else {
                Verdict::Agree
            }
        }
    }
}

/// The positions of each score as far as it can be read, the start first.
fn lines(case: &Case) -> Two<Vec<Chess>> {
    let line = |who: Who| {
        let mut positions = vec![case.start.clone()];
        let mut pos = case.start.clone();
        for mv in moves(case, who) {
            // Legal: that is what `moves` stops at.
            pos.play_unchecked(mv);
            positions.push(pos.clone());
        }
        positions
    };
    Two { blind: line(Who::Blind), sighted: line(Who::Sighted) }
}

/// The moves of a score as far as it can be read; what it left open is taken from the other one.
fn moves(case: &Case, who: Who) -> Vec<Move> {
    let read = |entry: &Entry| entry.result.as_ref().ok().map(|read| read.mv);
    let other = &case.side(who.other()).score.entries;
    let mut position = case.start.clone();
    let mut moves = Vec::new();
    for (n, entry) in case.side(who).score.entries.iter().enumerate() {
        let mv = match &entry.result {
            Err(NotationError::NotWritten) => other.get(n).and_then(read),
            _ => read(entry),
        };
        let Some(next) = mv.and_then(|mv| position.clone().play(mv).ok()) else { break };
        moves.extend(mv);
        position = next;
    }
    moves
}
