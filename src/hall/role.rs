//! Whose key it is.

use std::{fmt, str::FromStr};

use crate::names::MOST_BOARDS;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum KeyRole {
    /// `annabella hall`: everything in this event.
    Hall,
    /// Another program that reads every row and asks boards in the arbiter's name.
    Arbiter,
    Reader,
    /// A board: writes its own rows.
    Board(u32),
    /// A spare board: can become any board.
    Spare(u32),
}

impl fmt::Display for KeyRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            KeyRole::Hall => f.write_str("hall"),
            KeyRole::Arbiter => f.write_str("arbiter"),
            KeyRole::Reader => f.write_str("reader"),
            KeyRole::Board(number) => write!(f, "board-{number}"),
            KeyRole::Spare(number) => write!(f, "spare-{number}"),
        }
    }
}

/// A text that names no key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a key is named by its board, as in 17, or hall, arbiter, reader, board-17, spare-1")]
pub struct NoKeyRole;

impl FromStr for KeyRole {
    type Err = NoKeyRole;

    fn from_str(text: &str) -> Result<KeyRole, NoKeyRole> {
        let number = |text: &str| {
            text.parse().ok().filter(|n| (1..=MOST_BOARDS).contains(n)).ok_or(NoKeyRole)
        };
        Ok(match text {
            "hall" => KeyRole::Hall,
            "arbiter" => KeyRole::Arbiter,
            "reader" => KeyRole::Reader,
            _ => match (text.strip_prefix("board-"), text.strip_prefix("spare-")) {
                (_, Some(spare)) => KeyRole::Spare(number(spare)?),
                (board, None) => KeyRole::Board(number(board.unwrap_or(text))?),
            },
        })
    }
}
