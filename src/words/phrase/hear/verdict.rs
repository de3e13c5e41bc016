//! The result of an utterance whose meaning is known.

use super::{Answer, Command, HeardDecision};
use crate::text::uci;

/// From best to worst for the player, except for [`HeardVerdict::Wrong`], which nobody may get used
/// to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeardVerdict {
    Right,
    /// Asked about, to be answered with yes.
    Asked,
    AskedOther,
    Again,
    Wrong,
}

impl HeardVerdict {
    /// For a move, UCI; `None` where nothing was heard.
    pub fn of_move(meant: &str, decision: Option<&HeardDecision>) -> HeardVerdict {
        match decision {
            Some(HeardDecision::Accept { mv, .. }) if uci(*mv) == meant => HeardVerdict::Right,
            Some(HeardDecision::Confirm { mv, .. }) if uci(*mv) == meant => HeardVerdict::Asked,
            Some(
                HeardDecision::Confirm { .. }
                | HeardDecision::ConfirmCommand { .. }
                | HeardDecision::AskCommand { .. },
            ) => HeardVerdict::AskedOther,
            Some(HeardDecision::Accept { .. } | HeardDecision::Command { .. }) => {
                HeardVerdict::Wrong
            }
            _ => HeardVerdict::Again,
        }
    }

    /// For a request or an answer by its name ([`Command::name`]). A request that is asked about
    /// because it binds the player was heard rightly.
    pub fn of_request(meant: &str, decision: Option<&HeardDecision>) -> HeardVerdict {
        let right = |right| if right { HeardVerdict::Right } else { HeardVerdict::Wrong };
        let named = |command: &Command| command.name() == meant;
        match decision {
            Some(
                HeardDecision::Command { command, .. }
                | HeardDecision::ConfirmCommand { command, .. },
            ) => right(named(command)),
            Some(HeardDecision::AskCommand { command, .. }) => match named(command) {
                true => HeardVerdict::Asked,
                false => HeardVerdict::AskedOther,
            },
            Some(HeardDecision::Answer { answer, .. }) => right(Answer::name(*answer) == meant),
            Some(HeardDecision::Accept { .. }) => HeardVerdict::Wrong,
            _ => HeardVerdict::Again,
        }
    }
}
