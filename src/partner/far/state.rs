//! How a game stands at the table far away.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct State {
    /// UCI.
    pub moves: Vec<String>,
    /// The last of them may still be corrected there (D.2.8).
    pub open: bool,
    /// White's time left and Black's, milliseconds.
    pub left_ms: [u64; 2],
    pub status: Status,
    pub winner: Option<Color>,
    /// White offers a draw; Black does.
    pub offers: [bool; 2],
    /// White asks to take back; Black does.
    pub takebacks: [bool; 2],
    /// How that record and this one were seen from there.
    pub standing: Standing,
    /// The offer that was handed on to there is declined there.
    pub declined: bool,
    /// Whose clock runs there, where that is told.
    pub running: Option<Color>,
}

/// How the records of two tables stand to each other, as one of them sees it.
///
/// What is told crosses what is done meanwhile. So a record that does not go on from where it
/// stood, as after it went back (D.2.9), gets another number; what was told by somebody who did not
/// know that number yet says nothing about it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Standing {
    /// Of the own record: it only grew since it has this number.
    pub record: u32,
    /// The other one's number, as it was told last.
    pub knows: Option<u32>,
    /// Seen from here neither has to go back.
    pub agrees: bool,
}

/// How a game stands or has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Status {
    #[default]
    Going,
    /// Before it began, or nobody moved.
    Aborted,
    Mate,
    Resigned,
    Stalemate,
    /// A player has left it.
    Left,
    Draw,
    /// By agreement, where that is told apart.
    Agreed,
    OutOfTime,
    Cheat,
    /// Nobody can mate.
    Material,
    Other(String),
}

impl Status {
    /// In a word, as Lichess writes it.
    pub fn name(&self) -> &str {
        match self {
            Status::Going => "started",
            Status::Aborted => "aborted",
            Status::Mate => "mate",
            Status::Resigned => "resign",
            Status::Stalemate => "stalemate",
            Status::Left => "timeout",
            Status::Draw | Status::Agreed => "draw",
            Status::OutOfTime => "outoftime",
            Status::Cheat => "cheat",
            Status::Material => "insufficientMaterialClaim",
            Status::Other(name) => name,
        }
    }
}

impl State {
    /// Of this player.
    pub fn offers(&self, color: Color) -> bool {
        self.offers[usize::from(color.is_black())]
    }

    /// Of this player.
    pub fn takes_back(&self, color: Color) -> bool {
        self.takebacks[usize::from(color.is_black())]
    }
}
