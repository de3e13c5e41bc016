//! The reeds of one peg board, and their meaning.
//!
//! A reed under each hole closes when a peg stands in it. The board knows nothing else.
//! [`Debounce`] turns chattering contacts into single edges; [`infer::Tracker`] turns edges into
//! moves.
//!
//! Times are milliseconds of whatever rising clock the caller has; nothing here reads one.

mod candidates;
mod diff;
mod felt;
pub mod infer;

pub use candidates::{Shape, ShapeTable, Trail};
pub use diff::{Diff, IllegalShape, PegStep};
pub use felt::{Executed, Fault, Felt, SettleSettings};
pub use infer::Tracker;

use shakmaty::{Bitboard, Square};

/// Whoever adjusts several pieces takes up the next one within this time, milliseconds; a later
/// lift is a touch. Source: FIDE 4.2.1.
pub(crate) const ADJUSTS_MS: u64 = 5000;

/// This many pieces off the board at once, beside those that a move takes up, were knocked over. No
/// hand lifts that many for one move. Source: FIDE 4.2.2, 4.3.
pub(crate) const KNOCKED: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// When the contact last changed, milliseconds.
    pub at_ms: u64,
    pub square: Square,
    /// A peg is in it now.
    pub occupied: bool,
}

/// Takes the chatter out of 64 contacts: a change counts once it has lasted `stable_ms`.
///
/// An edge is stamped with the moment of the contact's last change, not with the later moment at
/// which that was certain.
///
/// # Short lifts
///
/// A lift shorter than `stable_ms` is not seen. A hand needs at least 50 ms to change a peg.
#[derive(Clone, Debug)]
pub struct Debounce {
    stable_ms: u64,
    raw: Bitboard,
    steady: Bitboard,
    changed_ms: [u64; 64],
    /// The how-manieth change each square's last was: in one moment, hands have an order still.
    turn: [u64; 64],
    changes: u64,
}

impl Debounce {
    /// A board that reads `occupied` and has been still.
    pub fn new(stable_ms: u64, occupied: Bitboard) -> Debounce {
        Debounce {
            stable_ms,
            raw: occupied,
            steady: occupied,
            changed_ms: [0; 64],
            turn: [0; 64],
            changes: 0,
        }
    }

    /// Takes in one raw change. Repeats of the present reading are ignored.
    pub fn edge(&mut self, edge: Edge) {
        if self.raw.contains(edge.square) != edge.occupied {
            self.raw.set(edge.square, edge.occupied);
            self.changed_ms[usize::from(edge.square)] = edge.at_ms;
            self.changes += 1;
            self.turn[usize::from(edge.square)] = self.changes;
        }
    }

    /// Takes in a whole reading of the board, as a scan gives it. A peg leaves its hole before it
    /// enters another.
    pub fn scan(&mut self, at_ms: u64, occupied: Bitboard) {
        for (squares, occupied) in [(self.raw & !occupied, false), (occupied & !self.raw, true)] {
            for square in squares {
                self.edge(Edge { at_ms, square, occupied });
            }
        }
    }

    /// The next moment at which [`Debounce::advance`] may have something to say.
    pub fn due_ms(&self) -> Option<u64> {
        (self.raw ^ self.steady)
            .into_iter()
            .map(|sq| self.changed_ms[usize::from(sq)] + self.stable_ms)
            .min()
    }

    /// Appends the edges that are certain at `now_ms` to `edges`, in the order in which they
    /// happened.
    pub fn advance(&mut self, now_ms: u64, edges: &mut Vec<Edge>) {
        let first = edges.len();
        for square in self.raw ^ self.steady {
            let at_ms = self.changed_ms[usize::from(square)];
            if at_ms + self.stable_ms <= now_ms {
                self.steady.toggle(square);
                edges.push(Edge { at_ms, square, occupied: self.steady.contains(square) });
            }
        }
        edges[first..].sort_by_key(|edge| (edge.at_ms, self.turn[usize::from(edge.square)]));
    }

    /// The board as far as it is certain.
    pub fn steady(&self) -> Bitboard {
        self.steady
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_changes_in_one_moment_keeps_the_order_of_the_hands() {
        let told = |debounce: &mut Debounce| {
            let mut edges = Vec::new();
            debounce.advance(30, &mut edges);
            edges.iter().map(|edge| (edge.square, edge.occupied)).collect::<Vec<_>>()
        };
        // A pawn goes down the board: its new hole comes first in the order of the squares.
        let full = Bitboard::from(Square::D7);
        let expected = [(Square::D7, false), (Square::D5, true)];
        let mut lines = Debounce::new(20, full);
        lines.edge(Edge { at_ms: 5, square: Square::D7, occupied: false });
        lines.edge(Edge { at_ms: 5, square: Square::D5, occupied: true });
        assert_eq!(told(&mut lines), expected);
        let mut scanned = Debounce::new(20, full);
        scanned.scan(5, Bitboard::from(Square::D5));
        assert_eq!(told(&mut scanned), expected);
    }

    fn collect(bounce: &[(u64, bool)], now_ms: u64) -> Vec<(u64, bool)> {
        let mut debounce = Debounce::new(20, Bitboard::FULL);
        let mut edges = Vec::new();
        for &(at_ms, occupied) in bounce {
            debounce.advance(at_ms, &mut edges);
            debounce.edge(Edge { at_ms, square: Square::G1, occupied });
        }
        debounce.advance(now_ms, &mut edges);
        edges.iter().map(|edge| (edge.at_ms, edge.occupied)).collect()
    }

    #[test]
    fn a_chattering_lift_is_one_edge() {
        let chatter = [(100, false), (103, true), (105, false), (111, true), (115, false)];
        assert_eq!(collect(&chatter, 134), []);
        assert_eq!(collect(&chatter, 135), [(115, false)]);
    }

    #[test]
    fn a_spike_is_no_edge() {
        assert_eq!(collect(&[(100, false), (112, true)], 500), []);
    }

    #[test]
    fn edges_come_out_in_the_order_in_which_they_happened() {
        let mut debounce = Debounce::new(20, Bitboard::FULL);
        debounce.edge(Edge { at_ms: 7, square: Square::H8, occupied: false });
        debounce.edge(Edge { at_ms: 9, square: Square::A1, occupied: false });
        assert_eq!(debounce.due_ms(), Some(27));
        let mut edges = Vec::new();
        debounce.advance(100, &mut edges);
        let squares: Vec<_> = edges.iter().map(|edge| edge.square).collect();
        assert_eq!(squares, [Square::H8, Square::A1]);
        assert_eq!(debounce.due_ms(), None);
    }
}
