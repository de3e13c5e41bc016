//! What the assistant enters on his page.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::Color;

use super::{Article, Channel, Play, Refused, Urgency};
use crate::phrase::Prompt;

/// Something that the assistant did or saw: [`super::Input::Assistant`].
///
/// Source: FIDE D.2.10
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assisted {
    /// What.
    pub act: AssistantAct,
    /// Who; may be empty.
    #[serde(default)]
    pub by: String,
}

/// What an assistant can do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AssistantAct {
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
    /// The arbiter is called (D.2.10.5).
    CallArbiter {
        /// Why; may be empty.
        reason: String,
    },
}

impl Play {
    /// The assistant speaks for the board and the clock that nobody else reads.
    pub(super) fn assisted(&mut self, assisted: Assisted) -> Result<(), Refused> {
        match assisted.act {
            AssistantAct::Executed { seat, uci } => self.sighted(seat, &uci),
            AssistantAct::Pressed { seat } => self.pressed(seat),
            AssistantAct::CallArbiter { reason } => {
                let because = if reason.is_empty() { "" } else { ": " };
                self.problem(
                    Article::D_2_10_5,
                    format!("the assistant calls the arbiter{because}{reason}"),
                    json!({ "by": assisted.by }),
                );
                let words = self.words.prompt(Prompt::ArbiterCalled, &[]);
                self.say(Channel::Public, Urgency::Alert, words);
                Ok(())
            }
        }
    }
}
