//! Draws that are reached by counting, claimed or not (9.2, 9.3, 9.6).

use super::Article;
use annabella_words::phrase::{Command, Note, Prompt};

/// What a draw is counted by.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Counted {
    /// How often the position has stood (9.2.2).
    Occurrences,
    /// Half-moves without capture or pawn move.
    Quiet,
}

/// A draw that is reached by counting.
pub(super) struct CountedDraw {
    /// How a player claims it; `None`: nobody needs to (9.6).
    pub(super) claim: Option<DrawClaim>,
    pub(super) counted: Counted,
    /// So many of them, and the draw is there.
    pub(super) at: u32,
    pub(super) article: Article,
    pub(super) reason: Note,
}

/// The words of a claim.
pub(super) struct DrawClaim {
    command: Command,
    /// Asks whether it is meant, and the same with the move that is intended.
    pub(super) asked: [Prompt; 2],
}

pub(super) static COUNTED: [CountedDraw; 4] = [
    CountedDraw {
        claim: Some(DrawClaim {
            command: Command::ClaimRepetition,
            asked: [Prompt::ConfirmClaimRepetition, Prompt::ConfirmClaimRepetitionWith],
        }),
        counted: Counted::Occurrences,
        at: 3,
        article: Article::A9_2,
        reason: Note::ThreefoldClaimed,
    },
    CountedDraw {
        claim: Some(DrawClaim {
            command: Command::ClaimFifty,
            asked: [Prompt::ConfirmClaimFifty, Prompt::ConfirmClaimFiftyWith],
        }),
        counted: Counted::Quiet,
        at: 100,
        article: Article::A9_3,
        reason: Note::FiftyClaimed,
    },
    CountedDraw {
        claim: None,
        counted: Counted::Occurrences,
        at: 5,
        article: Article::A9_6_1,
        reason: Note::Fivefold,
    },
    CountedDraw {
        claim: None,
        counted: Counted::Quiet,
        at: 150,
        article: Article::A9_6_2,
        reason: Note::SeventyFive,
    },
];

/// What this command claims, if it is a claim.
pub(super) fn claimed_by(command: Command) -> Option<(&'static CountedDraw, &'static DrawClaim)> {
    let mut claims = COUNTED.iter().filter_map(|draw| Some((draw, draw.claim.as_ref()?)));
    claims.find(|(_, claim)| claim.command == command)
}
