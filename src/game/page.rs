//! What is entered on a page by somebody who stands at the board. What the arbiter decides is a
//! [`super::Ruling`] instead.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::Color;

use super::{Article, Play, Refused, Urgency};
use crate::phrase::Prompt;

/// Something that somebody did, saw or read: [`super::Input::Page`].
///
/// Source: FIDE D.2.10
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PageEntry {
    /// What.
    pub act: PageAct,
    /// As whom.
    pub role: PageRole,
    /// His name or number; may be empty.
    #[serde(default)]
    pub by: String,
}

/// Who can enter something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PageRole {
    /// The arbiter.
    Arbiter,
    /// A player's assistant.
    Assistant,
}

/// What can be entered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PageAct {
    /// A move was executed on a board that is not seen: the sighted player's own one, or one relayed
    /// to him (D.2.10.1).
    Executed {
        /// Whose board.
        #[serde(with = "crate::text")]
        seat: Color,
        /// The move in UCI.
        uci: String,
    },
    /// A player's clock was pressed for him (D.2.10.3).
    Pressed {
        /// Whose move is completed.
        #[serde(with = "crate::text")]
        seat: Color,
    },
    /// A player's score as he wrote it: see [`super::Input::Score`].
    Score {
        /// Whose.
        #[serde(with = "crate::text")]
        seat: Color,
        /// The half-move of the first entry.
        from_ply: u32,
        /// The entries.
        text: String,
    },
    /// A board that is not seen has been corrected.
    Corrected {
        /// Whose board.
        #[serde(with = "crate::text")]
        seat: Color,
    },
    /// How a board stands that reports nothing.
    Stands {
        /// Whose board.
        #[serde(with = "crate::text")]
        seat: Color,
        /// Its pieces: the first field of a FEN.
        fen: String,
    },
    /// The boards are to be compared by hand (D.2.9).
    CompareBoards,
    /// What stands where is read aloud, for that.
    ReadOut,
    /// The arbiter is called (D.2.10.5).
    CallArbiter {
        /// Why; may be empty.
        reason: String,
    },
}

impl Play {
    pub(super) fn page(&mut self, entry: PageEntry) -> Result<(), Refused> {
        match entry.act {
            PageAct::Executed { seat, uci } => self.move_entered(seat, &uci),
            PageAct::Pressed { seat } => self.pressed(seat),
            PageAct::Score { seat, from_ply, text } => self.score_written(seat, from_ply, &text),
            PageAct::Corrected { seat } => self.corrected(seat),
            PageAct::Stands { seat, fen } => self.board_entered(seat, &fen),
            PageAct::CompareBoards => self.compare_by_hand(None),
            PageAct::ReadOut => {
                self.read_out();
                Ok(())
            }
            PageAct::CallArbiter { reason } => {
                let because = if reason.is_empty() { "" } else { ": " };
                self.problem(
                    Article::D_2_10_5,
                    format!("the assistant calls the arbiter{because}{reason}"),
                    json!({ "by": entry.by }),
                );
                let words = self.words.prompt(Prompt::ArbiterCalled, &[]);
                self.say_aloud(Urgency::Alert, words);
                Ok(())
            }
        }
    }
}
