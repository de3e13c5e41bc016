//! How much a board may send: far more than one does, and little enough that no board fills the
//! disk, or keeps whoever reads from the others.

use std::collections::BTreeMap;

use async_nats::datetime::DateTime;

use crate::names::EventName;

/// What a board may send at once, and how soon it may send as much again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    pub rows: u64,
    pub bytes: u64,
    /// Rows that it gets anew each second.
    pub rows_s: u64,
    pub bytes_s: u64,
}

impl Default for Budget {
    /// A game of five hours has some thousand rows and two megabytes. A contact that rattles comes
    /// to fifty rows a second.
    fn default() -> Budget {
        Budget { rows: 200_000, bytes: 128 * 1_024 * 1_024, rows_s: 50, bytes_s: 32 * 1_024 }
    }
}

/// What is left to a board.
#[derive(Clone, Copy, Debug)]
struct Left {
    rows: u64,
    bytes: u64,
    /// Up to when it was counted, seconds by the server's clock.
    at_s: u64,
    over: bool,
}

/// What each board of an event has sent, by the times at which the server took it: whoever reads a
/// stream anew counts the same.
#[derive(Clone, Debug, Default)]
pub struct Budgets {
    each: Budget,
    boards: BTreeMap<u32, Left>,
    /// Those who have sent more, and nobody was told yet.
    new: Vec<u32>,
}

impl Budgets {
    /// Each board may send so much.
    pub fn new(each: Budget) -> Budgets {
        Budgets { each, ..Budgets::default() }
    }

    /// The stream is read from its beginning.
    pub(crate) fn anew(&mut self) {
        *self = Budgets { new: std::mem::take(&mut self.new), ..Budgets::new(self.each) };
    }

    /// The boards that have sent more than they may since this was asked last.
    pub fn over(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.new)
    }

    /// Nothing more is looked at of this board.
    pub fn shuts(&mut self, board: u32) {
        self.boards.insert(board, Left { rows: 0, bytes: 0, at_s: 0, over: true });
    }

    /// A board has sent more than it may.
    pub fn floods(&mut self, board: u32) {
        if !self.boards.get(&board).is_some_and(|left| left.over) {
            self.shuts(board);
            self.new.push(board);
        }
    }

    /// Counts a message of so many bytes in a board's place, whoever has signed it, by the moment
    /// at which the server took it. Answers whether it is still looked at.
    pub(crate) fn counts(
        &mut self,
        event: &EventName,
        subject: &str,
        bytes: u64,
        time: DateTime,
    ) -> bool {
        let Some(board) = event.board_of_row(subject) else { return true };
        let at_s = u64::try_from(time.unix_timestamp()).unwrap_or(0);
        self.sends(board, 1, bytes, at_s)
    }

    /// Answers whether that is still what a board can send.
    pub(crate) fn sends(&mut self, board: u32, rows: u64, bytes: u64, at_s: u64) -> bool {
        let each = self.each;
        let full = Left { rows: each.rows, bytes: each.bytes, at_s, over: false };
        let left = self.boards.entry(board).or_insert(full);
        if left.over {
            return false;
        }
        let since_s = at_s.saturating_sub(left.at_s);
        let anew = |left: u64, a_second: u64, most: u64| {
            left.saturating_add(a_second.saturating_mul(since_s)).min(most)
        };
        let rows = anew(left.rows, each.rows_s, each.rows).checked_sub(rows);
        let bytes = anew(left.bytes, each.bytes_s, each.bytes).checked_sub(bytes);
        let (Some(rows), Some(bytes)) = (rows, bytes) else {
            self.floods(board);
            return false;
        };
        *left = Left { rows, bytes, at_s: at_s.max(left.at_s), over: false };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: Budget = Budget { rows: 10, bytes: 1_000, rows_s: 2, bytes_s: 100 };

    #[test]
    fn who_sends_more_than_a_board_can_is_named_once_and_not_looked_at_any_more() {
        let mut budgets = Budgets::new(SMALL);
        let taken = (0..100).filter(|_| budgets.sends(1, 1, 1, 5)).count();
        assert_eq!((taken, budgets.over(), budgets.over()), (10, vec![1], Vec::new()));
        assert!(!budgets.sends(1, 1, 1, 5_000), "later neither");
        assert!(budgets.sends(2, 1, 1, 5), "another board goes on");
        let bytes = (0..100).filter(|_| budgets.sends(3, 1, 300, 5)).count();
        assert_eq!((bytes, budgets.over()), (3, vec![3]));
    }

    #[test]
    fn who_sends_steadily_what_a_board_can_goes_on_for_days() {
        let mut budgets = Budgets::new(SMALL);
        assert!((0..100_000).all(|n| budgets.sends(1, 1, 50, n / 2)));
        assert_eq!(budgets.over(), [] as [u32; 0]);
    }

    #[test]
    fn a_stream_that_is_read_anew_is_counted_anew() {
        let mut budgets = Budgets::new(SMALL);
        for _ in 0..3 {
            budgets.anew();
            assert!((0..10).all(|n| budgets.sends(1, 1, 1, n)));
        }
    }
}
