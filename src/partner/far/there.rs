//! What is heard of the table far away, and what is done there.

use std::time::Duration;

use shakmaty::Color;
use thiserror::Error;

use super::{
    state::{Standing, State},
    told::Told,
};
use crate::table::Table;

/// Why it was not done there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FarError {
    #[error("{0}")]
    Address(String),
    #[error("{site} does not answer: {reason}")]
    Away { site: String, reason: String },
    /// Status 429.
    #[error("{site} has been asked too often and wants a pause")]
    Busy { site: String },
    /// Status 401.
    #[error(
        "{site} does not take this token (any more): make a new one at {site}/account/oauth/token with the scope \
         board:play, and give it with `annabella partner lichess --new-token`"
    )]
    Token { site: String },
    /// Status 403.
    #[error(
        "this token may not play at {site} ({reason}): make one at {site}/account/oauth/token with the scope board:play, \
         and give it with `annabella partner lichess --new-token`"
    )]
    Scope { site: String, reason: String },
    /// Another status that asks for other words.
    #[error("{site} refuses: {reason}")]
    Refused { site: String, reason: String },
}

impl FarError {
    /// It may be otherwise in a moment.
    pub fn may_pass(&self) -> bool {
        matches!(self, FarError::Away { .. } | FarError::Busy { .. })
    }
}

/// How long what is waited for. Moments, not the far clock.
#[derive(Clone, Copy, Debug)]
pub struct Waits {
    /// After status 429. Source: "Rate limiting" of Lichess's description.
    pub busy: Duration,
    /// A line of which nothing comes for so long is gone; signs of life come oftener.
    pub silence: Duration,
    /// Before a lost connection is tried again: at first, and at most.
    pub pause: Duration,
    pub longest_pause: Duration,
    /// What was done and has had no effect is done again.
    pub again: Duration,
}

#[derive(Clone, Debug, PartialEq)]
pub enum Heard<T> {
    Line(T),
    /// The line is lost, and is opened again: why.
    Lost(FarError),
    /// It will not be opened any more.
    Closed(FarError),
}

/// Something about the game.
#[derive(Clone, Debug, PartialEq)]
pub enum News {
    State(State),
    /// The opponent has written something.
    Chat(String),
    /// He has left, and in so many seconds the game may be claimed; or he is back.
    Gone {
        gone: bool,
        claim_s: Option<u64>,
    },
    /// The blind player is to be told this.
    Tells(Told),
    /// The same, in his language already.
    Says(String),
    Nothing,
}

/// Something that is done there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Act<'a> {
    /// The own move (UCI), with an offer of a draw or without.
    Move {
        uci: &'a str,
        offering: bool,
    },
    OfferDraw,
    DeclineDraw,
    RefuseTakeback,
    /// Before both have moved.
    Abort,
    Resign,
    ClaimDraw,
    /// The opponent has gone.
    ClaimVictory,
    ClaimDrawOfGone,
}

/// The table far away.
pub trait There {
    /// What comes next. May be dropped: nothing is lost.
    fn next(&mut self) -> impl Future<Output = Heard<News>> + Send;

    /// Does something there.
    fn does(&mut self, act: Act<'_>) -> impl Future<Output = Result<(), FarError>> + Send;

    /// The table here, and how both records stand, whenever that is looked at: for whom looks at it
    /// from there.
    fn shows(&mut self, _table: &Table, _standing: Standing) {}

    /// Everything is told anew from there.
    fn renew(&self);

    fn waits(&self) -> Waits;

    /// As a person reads it; it stands in the record.
    fn name(&self) -> &str;

    /// In this language; English where there are no words for it.
    fn sentence(&self, told: Told, language: &str) -> &'static str;

    /// What is told first: the own colour, and against whom.
    fn begins(&self, language: &str, own: Color, opponent: &str) -> String {
        super::told::begins(language, own, opponent)
    }
}
