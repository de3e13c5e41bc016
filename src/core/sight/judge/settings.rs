//! How long the judge waits, and for what.

use serde::{Deserialize, Serialize};

/// Delays, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct JudgeSettings {
    /// A move that may go on along its line counts after this time.
    pub slide_ms: u64,
    /// After this time the player is reminded of a move not executed.
    pub pending_ms: u64,
    /// A board that differs for this long is reported.
    pub differ_ms: u64,
    /// The same for a move half done: castling without the rook, a pawn on the last rank. A rook's
    /// move that may be the first half of castling counts after this time.
    pub unfinished_ms: u64,
    /// The same for one from which only pieces are missing that a legal move takes away.
    pub in_hand_ms: u64,
}

impl Default for JudgeSettings {
    fn default() -> JudgeSettings {
        JudgeSettings {
            slide_ms: 2000,
            pending_ms: 15_000,
            differ_ms: 3000,
            unfinished_ms: 12_000,
            in_hand_ms: 60_000,
        }
    }
}
