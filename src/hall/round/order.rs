//! The order of boards: fixed ones, then that of the posted list.

use std::collections::{BTreeMap, BTreeSet};

use super::{FixedBoards, PairingsError};

/// A pair as the order needs it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sortable {
    /// White's starting rank.
    pub(super) white: u32,
    pub(super) black: u32,
    /// Points before the round, in hundredths, White's first.
    pub(super) points: [u32; 2],
    /// In a team event the match and the board in it.
    pub(super) in_match: Option<(usize, usize)>,
}

/// Sorts the pairs as they are posted: matches in their order; else by the score of the higher
/// player, the sum of both scores, and the higher player's rank. The higher player has more points,
/// or the better rank.
///
/// Source: FIDE C.04.2, order of the pairings
pub(super) fn as_posted(pairs: &mut [Sortable]) {
    pairs.sort_by_key(|pair| {
        let [white, black] = pair.points;
        let higher = match white.cmp(&black) {
            std::cmp::Ordering::Greater => pair.white,
            std::cmp::Ordering::Less => pair.black,
            std::cmp::Ordering::Equal => pair.white.min(pair.black),
        };
        let falling = |points: u32| u32::MAX - points;
        (pair.in_match, falling(white.max(black)), falling(white.saturating_add(black)), higher)
    });
}

/// The boards of sorted pairs: of a player with a fixed board that one, of the others the free ones
/// from 1 on.
pub(super) fn boards(
    pairs: &[Sortable],
    fixed: &FixedBoards,
    unusable: &mut Vec<PairingsError>,
) -> Vec<u32> {
    let mut taken: BTreeMap<u32, usize> = BTreeMap::new();
    for (n, pair) in pairs.iter().enumerate() {
        let wishes = [pair.white, pair.black].into_iter().filter_map(|rank| fixed.get(&rank));
        let wishes: BTreeSet<u32> = wishes.copied().collect();
        let mut sits = false;
        for board in wishes {
            if !sits && !taken.contains_key(&board) {
                taken.insert(board, n);
                sits = true;
            } else {
                let (white, black) = (pair.white, pair.black);
                unusable.push(PairingsError::at(
                    1,
                    format!("board {board} is fixed for another player than {white} or {black} too: give one a board of his own"),
                ));
            }
        }
    }
    let mut free = (1..).filter(|board| !taken.contains_key(board));
    let fixed: BTreeMap<usize, u32> = taken.iter().map(|(board, n)| (*n, *board)).collect();
    let next = |n: usize| fixed.get(&n).copied().or_else(|| free.next()).unwrap_or(u32::MAX);
    (0..pairs.len()).map(next).collect()
}
