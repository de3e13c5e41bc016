//! Can this player still mate by any series of legal moves, the opponent helping as badly as he
//! can?
//!
//! The question decides whether a fallen flag loses or draws (6.9), whether a second illegal move
//! does (7.5.5), and whether a position is dead (5.2.2). Three steps answer it, the cheap ones
//! first:
//!
//! 1. the material: a bare king, a lone knight, bishops on one colour have too little against some;
//! 2. the walls: where pieces can get to at the very most, were each side free to move as it likes;
//!    locked pawns stay locked in it, and where no mate is left, none exists;
//! 3. a search for a mate with both sides helping. When it runs out of positions, there is no mate;
//!    when it runs out of its budget, the arbiter must judge.
//!
//! ```
//! use annabella_core::laws::winnable::{Budget, Mate, can_mate};
//! use shakmaty::{Chess, Color};
//!
//! // The usual starting position: two moves each are enough, if the opponent helps.
//! let mate = can_mate(&Chess::default(), Color::Black, Budget::default());
//! assert!(matches!(mate, Mate::Possible { .. }));
//! ```
//!
//! # What is not counted
//!
//! Repetitions and moves without progress (9.2, 9.3, 9.6) end a game too, but by claim or by count,
//! not because no mate is left: they are decided elsewhere.
//!
//! Source: FIDE 5.2.2, 6.9, 7.5.5

mod search;
mod walls;

use shakmaty::{Chess, Color, Move, Position};

/// How much work an answer may cost. Counted in positions, not in time, so that the same question
/// gets the same answer on every machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// Different positions that the search may come to.
    pub nodes: u32,
}

impl Default for Budget {
    /// A fraction of a millisecond for most positions of games, some tens at the worst.
    fn default() -> Budget {
        Budget { nodes: 20_000 }
    }
}

/// Whether a player can still mate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Mate {
    /// A mate is possible, for instance by this line.
    Possible {
        /// Legal moves of both sides from the position on; the last one mates. Empty if it is mate
        /// already.
        line: Vec<Move>,
    },
    /// No mate is possible, whatever either side plays.
    Impossible { why: Why },
    /// Neither a mate nor a proof against one was found: the arbiter must judge.
    Undecided,
}

/// The reason why no mate is possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The game is over in this position and he has not mated.
    GameOver,
    /// The side has its king only.
    LoneKing,
    /// His pieces cannot mate these pieces wherever they stand: a knight alone against a king with
    /// nothing but queens, bishops on one colour against pieces that cannot block the other.
    Material,
    /// The pawns are locked: none of his pieces can ever get to where it would mate.
    Blocked,
    /// All positions that can come about were looked at, and he mates in none.
    EveryLine,
}

impl Why {
    /// One line of English for the arbiter's report, no full stop.
    pub const fn text(self) -> &'static str {
        match self {
            Why::GameOver => "the game is over",
            Why::LoneKing => "a bare king cannot mate",
            Why::Material => "these pieces cannot mate, wherever they stand",
            Why::Blocked => "the position is locked: no piece can get to where it would mate",
            Why::EveryLine => "every series of legal moves was looked at, none mates",
        }
    }
}

/// Whether `color` can mate from `pos` by any series of legal moves of both sides.
///
/// [`Mate::Possible`] and [`Mate::Impossible`] are certain; a smaller budget only makes
/// [`Mate::Undecided`] more frequent.
///
/// Source: FIDE 6.9
pub fn can_mate(pos: &Chess, color: Color, budget: Budget) -> Mate {
    if pos.legal_moves().is_empty() {
        return if pos.is_check() && pos.turn() != color {
            Mate::Possible { line: Vec::new() }
        } else {
            Mate::Impossible { why: Why::GameOver }
        };
    }
    if let Some(why) = too_little(pos, color) {
        return Mate::Impossible { why };
    }
    if walls::keep_from_mating(pos, color) {
        return Mate::Impossible { why: Why::Blocked };
    }
    search::search(pos, color, budget)
}

/// Whether the position is certainly dead: neither player can mate by any series of legal moves.
/// `false` where the budget is too small to say so. A position in which the game has been decided
/// is not dead. Costs much less than [`can_mate`] of both players, since no mate has to be found.
///
/// Source: FIDE 5.2.2
pub fn dead(pos: &Chess, budget: Budget) -> bool {
    // The side with more material is the one that will mate, if anybody does.
    let material = |color| (pos.board().by_color(color) & !pos.board().pawns()).count();
    let first =
        if material(Color::White) >= material(Color::Black) { Color::White } else { Color::Black };
    [first, !first].into_iter().all(|color| never_mates(pos, color, budget))
}

/// With so few legal moves a position may be dead because they are forced.
const FEW_MOVES: usize = 3;
/// The budget for that search.
const FORCED_NODES: u32 = 1_000;

/// Whether the game ends here because the position is dead, as it is looked at after every move: a
/// search is made only where the player to move has few.
///
/// Source: FIDE 5.2.2
pub fn seen_dead(pos: &Chess) -> bool {
    let nodes = if pos.legal_moves().len() <= FEW_MOVES { FORCED_NODES } else { 0 };
    super::dead_position(pos) || dead(pos, Budget { nodes })
}

fn never_mates(pos: &Chess, color: Color, budget: Budget) -> bool {
    if pos.legal_moves().is_empty() {
        return !pos.is_check() || pos.turn() == color;
    }
    too_little(pos, color).is_some()
        || walls::keep_from_mating(pos, color)
        || (budget.nodes > 0 && search::finds_no_mate(pos, color, budget))
}

/// Material that never mates, wherever it stands. The winner has no pawns then, so that captures
/// and the other side's promotions do not mend it; pawns that could become helpers count as such.
fn too_little(pos: &Chess, color: Color) -> Option<Why> {
    if pos.board().by_color(color).count() == 1 {
        Some(Why::LoneKing)
    } else {
        pos.has_insufficient_material(color).then_some(Why::Material)
    }
}
