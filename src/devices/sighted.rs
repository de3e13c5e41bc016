//! The sighted player's board: devices that see it.
//!
//! A board that can see something implements [`SightedBoard`]: a DGT board, a second reed board, a
//! simulated one of pieces or of reeds. What it reports goes to the game as it is, where the
//! [judge](annabella_core::sight::judge) of that seat says what was done on it.

#[cfg(feature = "dgt")]
pub mod dgt;
pub mod reed;
pub mod sim;
pub mod still;

use std::time::Duration;

use shakmaty::Board;

pub use annabella_core::sight::{Guidance, Picture, Seen, Shown};

/// A board for the sighted player.
pub trait SightedBoard: Send {
    /// Waits for the next thing that it sees, at most so long.
    fn next(&mut self, patience: Duration) -> Option<Seen>;

    /// Has it report how it stands once more, when it is still.
    fn look(&mut self);

    /// The position that it ought to show: a board that does not know which way round it lies finds
    /// it out by this.
    fn orient(&mut self, shown: &Board);

    /// In time trouble a board counts as still sooner.
    fn hurry(&mut self, hurry: bool);

    /// Shows what is to be done. `false`: it has no lights, show it elsewhere.
    fn guide(&mut self, guidance: &Guidance) -> bool;
}
