//! The result of an utterance whose meaning is known.

use super::{Answer, Command, Decision};
use crate::text::uci;

/// From best to worst for the player, except for [`Verdict::Wrong`], which nobody may get used to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// Taken at once.
    Right,
    /// Asked about, to be answered with yes.
    Asked,
    /// Asked about something else.
    AskedOther,
    /// Asked to say it again.
    Again,
    /// Taken for something else.
    Wrong,
}

impl Verdict {
    /// For a move, UCI; `None` where nothing was heard.
    pub fn of_move(meant: &str, decision: Option<&Decision>) -> Verdict {
        match decision {
            Some(Decision::Accept { mv, .. }) if uci(*mv) == meant => Verdict::Right,
            Some(Decision::Confirm { mv, .. }) if uci(*mv) == meant => Verdict::Asked,
            Some(
                Decision::Confirm { .. }
                | Decision::ConfirmCommand { .. }
                | Decision::AskCommand { .. },
            ) => Verdict::AskedOther,
            Some(Decision::Accept { .. } | Decision::Command { .. }) => Verdict::Wrong,
            _ => Verdict::Again,
        }
    }

    /// For a request or an answer by its name ([`Command::name`]). A request that is asked about
    /// because it binds the player was heard rightly.
    pub fn of_request(meant: &str, decision: Option<&Decision>) -> Verdict {
        let right = |right| if right { Verdict::Right } else { Verdict::Wrong };
        let named = |command: &Command| command.name() == meant;
        match decision {
            Some(Decision::Command { command, .. } | Decision::ConfirmCommand { command, .. }) => {
                right(named(command))
            }
            Some(Decision::AskCommand { command, .. }) => match named(command) {
                true => Verdict::Asked,
                false => Verdict::AskedOther,
            },
            Some(Decision::Answer { answer, .. }) => right(Answer::name(*answer) == meant),
            Some(Decision::Accept { .. }) => Verdict::Wrong,
            _ => Verdict::Again,
        }
    }
}
