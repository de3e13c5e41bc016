//! The whole hall as the pages show it: every board, and what waits for the arbiter.

use serde::{Deserialize, Serialize};

use annabella_core::{
    game::{IllegalMove, Outcome, Running, Task},
    laws::Article,
};
use annabella_words::phrase::Note;
use shakmaty::Color;

use super::view::SeatColor;

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
    /// This machine's server is stopped, since its disk is full, and the hall goes on with the
    /// others.
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
    /// The same in UCI.
    pub moved: Option<String>,
    /// The pieces after it, as in the first field of a FEN.
    pub pieces: String,
    #[serde(with = "annabella_words::text::option")]
    pub to_move: Option<Color>,
    pub clock: Option<HallClock>,
    /// The clocks stand during the game.
    pub stand: bool,
    /// White and Black are short of time.
    pub short: [bool; 2],
    /// What everybody at the board waits for.
    pub waits: Option<Task>,
    /// The player whose offer of a draw has no answer yet.
    #[serde(with = "annabella_words::text::option")]
    pub offered: Option<Color>,
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
    /// For how long, seconds: in the first minute whole tens, then whole minutes.
    pub seconds: u64,
}

/// Why a board needs the arbiter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum HallWhy {
    /// Somebody calls him.
    Called(Note),
    BoardsDiffer,
    /// An illegal move of this player waits for his decision.
    Illegal(SeatColor, IllegalMove),
    /// Something else does, under this article.
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

    pub(super) fn first_text(self) -> String {
        if self.first == Sector::ALL.first { String::new() } else { self.first.to_string() }
    }

    pub(super) fn last_text(self) -> String {
        if self.last == Sector::ALL.last { String::new() } else { self.last.to_string() }
    }
}

/// How the boards of the hall are shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Look {
    /// Tiles where there is room, lines on a telephone.
    #[default]
    Fitting,
    /// The number and signs of each board.
    Tiles,
    /// The position of each board.
    Boards,
    /// Each board in a line.
    Lines,
}

impl Look {
    pub(super) const ALL: [Look; 4] = [Look::Fitting, Look::Tiles, Look::Boards, Look::Lines];

    /// As in an address, and as a class of the page's style.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Look::Fitting => "fitting",
            Look::Tiles => "tiles",
            Look::Boards => "boards",
            Look::Lines => "lines",
        }
    }
}

/// What somebody wants to see of the hall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Wanted {
    pub(super) sector: Sector,
    pub(super) look: Look,
}

impl Wanted {
    /// The boards are some of all.
    pub(super) fn is_sector(self) -> bool {
        self.sector != Sector::ALL
    }

    /// As in an address, after `mark`; empty for all boards as they fit best.
    pub(super) fn query(self, mark: &str) -> String {
        let Wanted { sector, look } = self;
        let (first, last) = (sector.first_text(), sector.last_text());
        let mut parts = Vec::new();
        if sector != Sector::ALL {
            parts.push(format!("first={first}&last={last}"));
        }
        if look != Look::Fitting {
            parts.push(format!("view={}", look.as_str()));
        }
        if parts.is_empty() { String::new() } else { format!("{mark}{}", parts.join("&")) }
    }
}
