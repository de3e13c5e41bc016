//! Times for the clocks when the game goes back.

use serde::{Deserialize, Serialize};

use super::Case;

/// Both clocks' times, milliseconds left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Times {
    pub white_ms: u64,
    pub black_ms: u64,
}

/// An entry of the journal: the clocks when a move was completed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// Half-move that was completed, the first is 1; 0 is before the first.
    pub ply: u32,
    pub times: Times,
    /// The moment of that entry, milliseconds after the journal's first one, where it is known.
    pub at_ms: Option<u64>,
}

/// Times, and where they come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProposedTimes {
    pub times: Times,
    pub basis: Basis,
}

/// The source of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Basis {
    /// The journal's reading at the completion of this half-move; 0 is before the first.
    Journal {
        ply: u32,
        /// The moment of that entry, milliseconds after the journal's first one.
        at_ms: Option<u64>,
    },
    /// The clocks as they stand: the time spent since is lost.
    Now,
    /// The present times, with the time spent on the half-moves that are taken back returned, by
    /// the journal. Time spent after the last of them stays spent.
    NowWithout {
        /// The first half-move taken back.
        first: u32,
        /// The last one with a reading.
        last: u32,
    },
}

/// Times for the arbiter to choose from. Any other time may be set too (7.1, 6.10.2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockProposal {
    /// The half-move after whose completion the game goes on.
    pub ply: u32,
    /// The reading of then. `None` when the journal has none.
    pub proposed: Option<ProposedTimes>,
    pub alternatives: Vec<ProposedTimes>,
}

/// Source: FIDE 7.1, D.2.9
pub(super) fn propose(case: &Case, ply: u32) -> ClockProposal {
    let then = case.clocks.iter().find(|reading| reading.ply == ply);
    let last = case.clocks.iter().rfind(|reading| reading.ply > ply);
    let proposed = then.map(|reading| ProposedTimes {
        times: reading.times,
        basis: Basis::Journal { ply, at_ms: reading.at_ms },
    });
    let mut alternatives = Vec::new();
    if let Some(now) = case.now {
        alternatives.push(ProposedTimes { times: now, basis: Basis::Now });
        if let (Some(then), Some(last)) = (then, last) {
            // Increments for the moves taken back go with them.
            let back =
                |now: u64, then: u64, last: u64| now.saturating_add(then).saturating_sub(last);
            let times = Times {
                white_ms: back(now.white_ms, then.times.white_ms, last.times.white_ms),
                black_ms: back(now.black_ms, then.times.black_ms, last.times.black_ms),
            };
            let basis = Basis::NowWithout { first: ply.saturating_add(1), last: last.ply };
            alternatives.push(ProposedTimes { times, basis });
        }
    }
    ClockProposal { ply, proposed, alternatives }
}
