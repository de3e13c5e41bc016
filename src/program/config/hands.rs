//! Whose hands are felt, and what stands for those that are not.

use super::{BoardKind, BoardSection, Config};
use annabella_core::game::{Blind, HandsKnown, HandsOf};
use annabella_devices::lines;
use annabella_words::text::spelled;

spelled! {
    /// What stands for the hands of a player whose board nothing feels (D.2.3).
    Reports {
        /// What is announced counts as executed.
        Announced = "announced",
        /// He says it when it is done.
        Spoken = "spoken",
    }
}

impl BoardSection {
    /// How it is known what its player's hands did.
    pub fn hands(&self) -> HandsKnown {
        match (self.kind, self.reports) {
            (BoardKind::None, Reports::Announced) => HandsKnown::Announced,
            (BoardKind::None, Reports::Spoken) => HandsKnown::Spoken,
            _ => HandsKnown::Felt,
        }
    }

    /// Lines are read for it: JSON, or for a board without sensors what is typed. Where standard
    /// input leads nowhere, as a service's does, nobody types.
    pub fn reads_lines(&self) -> bool {
        match self.kind {
            BoardKind::Events => true,
            BoardKind::None if lines::is_stdin(&self.path) => !lines::is_null(),
            BoardKind::None => !self.path.as_os_str().is_empty(),
            _ => false,
        }
    }
}

impl Config {
    /// How it is known what the players' hands did. The board of the only blind player goes with
    /// him, whichever colour he takes.
    pub(super) fn hands(&self) -> HandsOf {
        let (own, black) = (self.board.hands(), self.board_black.hands());
        match self.game.blind {
            Blind::White => HandsOf { white: own, black: HandsKnown::Felt },
            Blind::Black => HandsOf { white: HandsKnown::Felt, black: own },
            Blind::Both => HandsOf { white: own, black },
        }
    }
}
