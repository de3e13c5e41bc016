//! Two boards that differ, put right by both game scores: the cases of D.2.9.
//!
//! The input is a [`Case`]: both boards as far as they can be seen, both scores as they were
//! written, and the journal's clock readings. The result is a [`Settlement`]: the position to play
//! on from, each player's steps on each board, and times for the clocks with their source. It is a
//! proposal. The arbiter confirms it or [chooses](choose) another position.
//!
//! ```
//! use annabella_core::{
//!     notation::read_entries,
//!     reconcile::{Case, Side, Verdict, VisibleBoard, reconcile},
//! };
//! use shakmaty::{Chess, Color, Position};
//!
//! let start = Chess::default();
//! let side = |color, score: &[&str]| Side {
//!     color,
//!     score: read_entries(&start, score),
//!     board: VisibleBoard::Pieces(start.board().clone()),
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
//! Entries are compared ply by ply. Two entries differ if their moves do, or if one of them is
//! illegal, ambiguous or unreadable. A score may lag behind by the entries that 8.1.3 allows to be
//! open, and by any number if the player need not record (8.4, tournament regulation 10.5.5). Such
//! entries are asked for. So are gaps in a score that is kept move by move and goes on behind them.
//! Nothing behind an unreadable entry is compared.
//!
//! # What reeds cannot see
//!
//! A board of reeds reports which holes are filled, but not with which pieces. The pieces are taken
//! from the game: from the latest position of its player's score, then of the other score, in which
//! the same holes are filled. If there is none, from the last positions, one move or one hole away.
//!
//! Source: FIDE D.2.9, 7.1, 8.1.3

mod boards;
mod clocks;
mod explain;
mod own_words;
mod scores;

use std::{fmt, ops::Index};

use shakmaty::{Bitboard, Board, Chess, Color, Move, Position};

use crate::{
    laws::Article,
    notation::{Entry, NotationError, ScoreReading},
};

use annabella_words::{phrase::Note, text::spelled};

pub use crate::sensing::PegStep;
pub use boards::{BoardFinding, BoardState, Correction};
pub use clocks::{Basis, ClockProposal, ClockReading, ProposedTimes, Times};

/// A player, named by his side of Appendix D. If both are blind, the two names still distinguish
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Who {
    Blind,
    Sighted,
}

impl Who {
    /// Both, the blind player first.
    pub const ALL: [Who; 2] = [Who::Blind, Who::Sighted];

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

/// A value for each player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Two<T> {
    pub blind: T,
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
    pub now: Option<Times>,
    /// Somebody says that the boards differ, whether or not it can be seen.
    pub said_to_differ: bool,
}

impl Case {
    /// One player's side of the case.
    pub fn side(&self, who: Who) -> &Side {
        match who {
            Who::Blind => &self.blind,
            Who::Sighted => &self.sighted,
        }
    }
}

/// One player's colour, score and board.
#[derive(Clone, Debug)]
pub struct Side {
    pub color: Color,
    /// The player's score, read from [`Case::start`] on.
    pub score: ScoreReading,
    pub board: VisibleBoard,
    /// The player need not record at present (8.4; tournament regulation 10.5.5), so the score may
    /// lag behind by any number of moves.
    pub excused: bool,
    /// The last made move, where it is still to be executed on his board: until then his board may
    /// show the position before it.
    pub pending: Option<Move>,
}

/// The visible part of a board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum VisibleBoard {
    /// Which piece stands where: read by an electronic board or entered by hand.
    Pieces(Board),
    /// Filled holes only.
    Occupied(Bitboard),
    /// Nothing: a board that nobody has read or entered.
    Nothing,
}

spelled! {
    /// The cases of D.2.9, as the command line prints them.
    Verdict {
        /// Boards and scores agree: play on.
        Agree = "agree",
        /// The blind player corrects his board to the scores.
        BlindCorrects = "blind-corrects",
        /// The sighted player corrects his board to the scores.
        SightedCorrects = "sighted-corrects",
        /// Both correct their boards to the scores.
        BothCorrect = "both-correct",
        /// The scores differ: back to where they agree.
        Retrace = "retrace",
        /// The arbiter compares by hand: the sensors agree and something that they can't see does
        /// not, or a board can't be seen at all.
        Inspect = "inspect",
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
    /// Each score's entry there, if any.
    pub entries: Two<Option<Written>>,
}

/// An entry of a score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    pub as_written: String,
    /// The move, or the reason why there is none.
    pub result: Result<Move, NotationError>,
}

/// An entry that is still to be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Missing {
    pub score: Who,
    /// Half-move, the first is 1.
    pub ply: u32,
    pub mv: Move,
}

/// The proposal to the arbiter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settlement {
    pub verdict: Verdict,
    pub article: Article,
    /// Half-moves from the start to the position to play on from.
    pub ply: u32,
    /// The position to play on from.
    pub position: Chess,
    /// The moves up to it: repetitions and moves without progress are counted on these.
    pub moves: Vec<Move>,
    /// Moves completed by White and by Black up to it, for the counters of the clock.
    pub made: (u32, u32),
    /// The first difference between the scores.
    pub difference: Option<Difference>,
    /// Entries to be asked for (8.1.3).
    pub missing: Vec<Missing>,
    /// Entries for moves that neither board shows: written beforehand, and not made (8.1.2).
    pub ahead: Vec<Missing>,
    pub boards: Two<BoardFinding>,
    /// Times for the clocks, when the game goes back (7.1).
    pub clocks: Option<ClockProposal>,
}

impl Settlement {
    /// The proposal and its reason, in English, for the record. Spoken words come from the packs.
    pub fn explanation(&self, case: &Case) -> String {
        explain::explain(self, case)
    }

    /// The same as a note: in English that explanation, in other languages the words of the pages.
    pub fn note(&self, case: &Case) -> Note {
        own_words::note(self, case)
    }
}

/// Settles a case as D.2.9 asks.
pub fn reconcile(case: &Case) -> Settlement {
    let agreed = scores::compare(case);
    let lines = lines(case);
    if agreed.difference.is_some() {
        return settle(case, &lines, agreed, true);
    }
    written_ahead(case, &lines, &agreed)
        .or_else(|| not_yet_written(case, &lines, &agreed))
        .unwrap_or_else(|| settle(case, &lines, agreed, false))
}

/// Both boards show the game a move or two behind the end of both scores: a player may reply before
/// he records.
///
/// Source: FIDE 8.1.3
fn not_yet_written(
    case: &Case,
    lines: &Two<Vec<Chess>>,
    agreed: &scores::Agreed,
) -> Option<Settlement> {
    let shown = |pos: &Chess| {
        Who::ALL.into_iter().all(|who| boards::shows(&case.side(who).board, pos.board()))
    };
    let mut end = case.start.clone();
    agreed.moves.iter().for_each(|mv| end.play_unchecked(*mv));
    let seen = |who: Who| !matches!(case.side(who).board, VisibleBoard::Nothing);
    if shown(&end) || !Who::ALL.into_iter().all(seen) {
        return None;
    }
    let mut ways = vec![(end, Vec::new())];
    for _ in 0..2 {
        ways = ways.iter().flat_map(further).collect();
        let mut there = ways.iter().filter(|(pos, _)| shown(pos));
        let Some((_, more)) = there.next() else { continue };
        if there.next().is_some() {
            return None;
        }
        let moves: Vec<Move> = agreed.moves.iter().chain(more).copied().collect();
        let written = |who: Who| case.side(who).score.entries.len();
        let behind = |who: Who| (written(who)..moves.len()).map(move |n| (who, n));
        let open: Vec<(Who, usize)> = Who::ALL.into_iter().flat_map(behind).collect();
        if !open.iter().all(|(who, n)| scores::may_lack(case, *who, *n, moves.len())) {
            return None;
        }
        let lacks = |(score, n)| Missing { score, ply: n as u32 + 1, mv: moves[n] };
        let gaps = agreed.missing.iter().filter(|gap| gap.ply as usize <= written(gap.score));
        let missing = gaps.copied().chain(open.into_iter().map(lacks)).collect();
        let agreed = scores::Agreed { missing, moves, difference: None };
        return Some(settle(case, lines, agreed, false));
    }
    None
}

fn further((pos, line): &(Chess, Vec<Move>)) -> Vec<(Chess, Vec<Move>)> {
    let played = |mv: Move| {
        let mut after = pos.clone();
        after.play_unchecked(mv);
        (after, line.iter().copied().chain([mv]).collect())
    };
    pos.legal_moves().into_iter().map(played).collect()
}

/// Only one score has the last entries, and both boards still show a position before them: those
/// moves are written, not made.
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

/// The settlement if the arbiter decides to play on from the position after `ply` half-moves of
/// this player's score. `None` if that score can't be read that far.
pub fn choose(case: &Case, score: Who, ply: u32) -> Option<Settlement> {
    let moves = moves(case, score);
    choose_line(case, moves.get(..usize::try_from(ply).ok()?)?.to_vec())
}

/// The same for any moves from the start on: 0 moves are the starting position. `None` if they are
/// not legal one after another.
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

/// The corrections that make a board show `target`.
pub fn way(seen: &VisibleBoard, target: &Board) -> BoardFinding {
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

/// The scores agree: the verdict of the boards.
fn by_boards(case: &Case, boards: &Two<BoardFinding>) -> Verdict {
    use BoardState::{Agrees, Differs, Exchanged, Pending, Unknown};
    let states = (boards.blind.state, boards.sighted.state);
    // A certain fault on one board comes before an inspection of the other.
    let wrong = |state| matches!(state, Differs | Exchanged);
    match states {
        (Differs, other) | (other, Differs) if wrong(other) => Verdict::BothCorrect,
        (Differs, _) => Verdict::BlindCorrects,
        (_, Differs) => Verdict::SightedCorrects,
        (Exchanged | Unknown, _) | (_, Exchanged | Unknown) => Verdict::Inspect,
        // A move that waits to be executed does not count as a difference.
        (Agrees | Pending, Agrees | Pending) => {
            let hidden = |who| matches!(case.side(who).board, VisibleBoard::Occupied(_));
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

/// The moves of a score as far as it can be read. Open entries are taken from the other score.
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
