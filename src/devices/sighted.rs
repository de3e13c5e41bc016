//! The sighted player's board: devices that see it.
//!
//! Boards that sense anything implement [`SightedBoard`]: a DGT board, one of another make, a
//! second reed board, a simulated one of pieces or of reeds. Reports go to the game unchanged.
//! There the [judge](annabella_core::sight::judge) of that seat interprets them.

pub mod dgt;
pub mod line;
pub mod pieces;
pub mod reed;
pub mod sim;
pub mod still;

use std::time::Duration;

use shakmaty::Board;

pub use annabella_core::sight::{Picture, Seen, SquareShown};

/// A board for the sighted player.
pub trait SightedBoard: Send {
    /// Waits for the next report, at most `patience`.
    fn next(&mut self, patience: Duration) -> Option<Seen>;

    /// Has it report how it stands once more, when it is still.
    fn look(&mut self);

    /// The position that it ought to show: a board that does not know which way round it lies finds
    /// it out by this.
    fn orient(&mut self, shown: &Board);

    /// In time trouble a board counts as still sooner.
    fn hurry(&mut self, hurry: bool);
}
