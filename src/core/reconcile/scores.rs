//! Two scores, entry by entry.

use shakmaty::{Color, Move, Position};

use super::{Case, Difference, Missing, Two, Who, Written};
use crate::notation::{Entry, NotationError};

/// As far as the scores carry.
#[derive(Clone)]
pub(super) struct Agreed {
    /// The moves that both have, or that one has and the other need not have written yet.
    pub(super) moves: Vec<Move>,
    pub(super) missing: Vec<Missing>,
    pub(super) difference: Option<Difference>,
}

pub(super) fn compare(case: &Case) -> Agreed {
    let entries = |who: Who| &case.side(who).score.entries;
    let count = entries(Who::Blind).len().max(entries(Who::Sighted).len());
    let (mut moves, mut missing) = (Vec::new(), Vec::new());
    for n in 0..count {
        // A score of more than 2^32 entries does not fit into memory.
        let ply = n as u32 + 1;
        let there = |who: Who| entries(who).get(n).filter(|entry| !is_gap(entry));
        let read = |who: Who| there(who).and_then(|entry| entry.result.as_ref().ok());
        let same = match (read(Who::Blind), read(Who::Sighted)) {
            (Some(blind), Some(sighted)) => (blind.mv == sighted.mv).then_some(blind.mv),
            (Some(only), None) if there(Who::Sighted).is_none() => {
                may_lack(case, Who::Sighted, n, count).then(|| {
                    missing.push(Missing { score: Who::Sighted, ply, mv: only.mv });
                    only.mv
                })
            }
            (None, Some(only)) if there(Who::Blind).is_none() => {
                may_lack(case, Who::Blind, n, count).then(|| {
                    missing.push(Missing { score: Who::Blind, ply, mv: only.mv });
                    only.mv
                })
            }
            _ => None,
        };
        let Some(mv) = same else {
            let entries = Two {
                blind: there(Who::Blind).map(written),
                sighted: there(Who::Sighted).map(written),
            };
            return Agreed { moves, missing, difference: Some(Difference { ply, entries }) };
        };
        moves.push(mv);
    }
    Agreed { moves, missing, difference: None }
}

fn written(entry: &Entry) -> Written {
    let result = entry.result.as_ref().map(|read| read.mv).map_err(Clone::clone);
    Written { as_written: entry.as_written.clone(), result }
}

/// Left open, and written on behind it: to be completed, no difference.
fn is_gap(entry: &Entry) -> bool {
    entry.result == Err(NotationError::NotWritten)
}

/// Whether this player may lack the entry of half-move `n` (from 0) when `count` were made: he left
/// it open and wrote on, or his score may still end where it does.
///
/// A player may reply before recording the opponent's move, and records a move before making the
/// next one. So after the player's own move two entries may be open: that move and the one it
/// answers. After the opponent's reply three may be open.
///
/// Source: FIDE 8.1.3
pub(super) fn may_lack(case: &Case, who: Who, n: usize, count: usize) -> bool {
    let side = case.side(who);
    if n < side.score.entries.len() {
        return true;
    }
    let first = case.start.turn();
    let last: Color = if count % 2 == 1 { first } else { !first };
    let open = if last == side.color { 2 } else { 3 };
    side.excused || count - side.score.entries.len().min(count) <= open
}
