//! The whole hall as the pages show it: every board, and what waits for the arbiter.

use serde::{Deserialize, Serialize};

use annabella_core::{
    game::{Outcome, Running},
    laws::Article,
};
use annabella_words::phrase::Note;

/// All boards of an event.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HallView {
    pub event: String,
    pub boards: Vec<HallBoard>,
    /// What was called for last, the newest last.
    pub calls: Vec<HallCall>,
    /// There is a file with all games to be had.
    pub games: bool,
    /// The server takes no more rows: its disk is full.
    pub full: bool,
    /// This machine's server is stopped, since its disk is full, and the hall goes on with the others.
    pub aside: bool,
}

/// How a board stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct HallBoard {
    pub board: u32,
    /// White's name; may be empty.
    pub white: String,
    pub black: String,
    pub plays: bool,
    /// The last move with its number, English letters.
    pub last: Option<String>,
    pub clock: Option<HallClock>,
    pub result: Option<Outcome>,
    /// What waits for the arbiter, the longest first.
    pub needs: Vec<HallNeed>,
}

/// Both times left, milliseconds, and whose runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HallClock {
    pub white_ms: u64,
    pub black_ms: u64,
    pub running: Running,
}

/// Something that waits for the arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HallNeed {
    pub why: HallWhy,
    /// For how long, whole minutes.
    pub minutes: u64,
}

/// Why a board needs the arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HallWhy {
    /// Somebody calls him.
    Called(Note),
    BoardsDiffer,
    /// Something waits for his decision, under this article.
    Proposal(Note, Article),
    /// Nothing is heard of the board.
    Silent,
    ClockLost,
    /// The sighted player's board is lost.
    SightedLost,
    /// What it sends cannot be followed.
    Unreadable,
    Paired(String),
}

/// The moment at which something began to wait.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HallCall {
    /// Counts calls, from 1.
    pub number: u64,
    pub board: u32,
    pub why: HallWhy,
}

/// Boards from one number to another, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sector {
    pub first: u32,
    pub last: u32,
}

impl Sector {
    pub const ALL: Sector = Sector { first: 0, last: u32::MAX };

    /// Between these, where they are given.
    pub fn between(first: Option<u32>, last: Option<u32>) -> Sector {
        let Sector { first: least, last: most } = Sector::ALL;
        Sector { first: first.unwrap_or(least), last: last.unwrap_or(most) }
    }

    /// Whether this board is one of them.
    pub fn has(self, board: u32) -> bool {
        (self.first..=self.last).contains(&board)
    }

    /// As in an address, after `mark`; empty for all boards.
    pub(super) fn query(self, mark: &str) -> String {
        let first = self.first_text();
        let last = self.last_text();
        if self == Sector::ALL { String::new() } else { format!("{mark}first={first}&last={last}") }
    }

    pub(super) fn first_text(self) -> String {
        if self.first == Sector::ALL.first { String::new() } else { self.first.to_string() }
    }

    pub(super) fn last_text(self) -> String {
        if self.last == Sector::ALL.last { String::new() } else { self.last.to_string() }
    }
}
