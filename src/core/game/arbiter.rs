//! The arbiter's decisions, and proposals to the arbiter.
//!
//! The game proposes, and punishes nobody by itself. The consequence that the Laws ask for after an
//! irregularity is a [`Proposal`]. It takes effect when the arbiter confirms it by a [`Ruling`].
//! The arbiter may decide anything else instead. All of it stays in the record, with the clocks as
//! they stood.
//!
//! ```
//! use annabella_core::game::{ArbiterAct, Input, Ruling};
//! let text = r#"{"arbiter":{"act":{"confirm-proposal":{"number":1}},"by":"A. Weber"}}"#;
//! let Input::Arbiter(ruling) = serde_json::from_str(text)? else { panic!("a ruling") };
//! assert_eq!(ruling.act, ArbiterAct::ConfirmProposal { number: 1, choice: None });
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::{At, IllegalMove, Settle};
use crate::laws::Article;
use annabella_words::phrase::Note;

/// A decision of the arbiter: [`super::Input::Arbiter`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruling {
    pub act: ArbiterAct,
    /// Who: a name, or "board 12" where only that is known.
    #[serde(default)]
    pub by: String,
    /// How it reached the game.
    #[serde(default)]
    pub through: Through,
    /// Why, in his own words; may be empty.
    #[serde(default)]
    pub reason: String,
    /// So many decisions under D.2.9 he knew of. Where there is another one, he first hears of it:
    /// of two arbiters who answer one question the first counts. `None`: he stands at the board.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub knows: Option<u32>,
    /// So many decisions of any kind he knew of: a form that is sent twice, or by an arbiter who
    /// has not seen what another one decided, changes nothing. `None`: whatever was decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ruled: Option<u32>,
}

impl Ruling {
    /// A decision entered on the arbiter's page.
    pub fn new(act: ArbiterAct, by: impl Into<String>, reason: impl Into<String>) -> Ruling {
        let (by, reason) = (by.into(), reason.into());
        Ruling { act, by, through: Through::Page, reason, knows: None, ruled: None }
    }
}

/// How a decision reached the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum Through {
    /// The arbiter's page.
    #[default]
    Page,
    /// Spoken at the board.
    Spoken,
    /// Keys, buttons or a command line at the board.
    Keys,
}

/// The arbiter's possible decisions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ArbiterAct {
    /// Both clocks stop (6.11.1).
    StopClocks,
    /// The game goes on (6.11.3).
    StartClocks {
        /// The side whose clock runs; `None`: the one that ran, or the side to move.
        #[serde(
            default,
            with = "annabella_words::text::option",
            skip_serializing_if = "Option::is_none"
        )]
        side: Option<Color>,
    },
    /// A clock is set (6.10.2, 7.1, D.2.9).
    SetClock {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// Time left, milliseconds.
        ms: u64,
        /// The number of completed moves on the counter; `None`: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moves: Option<u32>,
    },
    /// A player is penalised (12.9).
    Penalty {
        /// The offender.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        penalty: Penalty,
    },
    /// A proposal is carried out.
    ConfirmProposal {
        /// [`Proposal::number`].
        number: u32,
        /// The index in [`Proposal::choices`], from 0. Needed only where there are several.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        choice: Option<u32>,
    },
    /// A proposal is dismissed.
    DismissProposal {
        /// [`Proposal::number`].
        number: u32,
    },
    /// The game ends with this outcome. [`Outcome::Annulled`]: it does not count and a new one is
    /// played (7.2.1, 7.3).
    Declare { result: Outcome, article: Article },
    /// An illegal move that this program could not see: of the sighted player, or with two hands.
    /// Counted like those it sees; the penalty is proposed (7.5.5).
    IllegalMove {
        /// The player who made it.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// 7.5.1, 7.5.2, 7.5.3 or 7.5.4.
        article: Article,
    },
    /// The end was none (a flag on a wrongly set clock, a resignation misheard): the game goes on
    /// when the arbiter starts the clocks. A move that has ended it, and was misheard, is taken
    /// back.
    PlayOn,
    /// The move counts as made although the board or the ears of this program did not notice it all
    /// (a reed that is broken, a player who cannot speak).
    AcceptMove {
        /// The move, in UCI.
        uci: String,
    },
    /// Boards or scores differ: the game goes on from this position (D.2.9).
    Settle(Box<Settle>),
    /// A player has signed the result (8.7), noted by the arbiter.
    Signed {
        #[serde(with = "annabella_words::text")]
        seat: Color,
    },
    /// A made move that was changed before the clock was pressed stands after all (4.7).
    LetStand {
        /// The half-move.
        ply: u32,
        /// The move that was made first, in UCI.
        uci: String,
    },
    /// The last made move was none of its player's by what he had touched, or by the pawn that he
    /// had left: the position before it is put up again (4.3, 4.4, 4.7.2, 7.5.2).
    GoBack {
        /// The half-move that does not stand.
        ply: u32,
    },
    /// The time that a penalty gave or took goes back: it was an error. What was proposed waits
    /// again.
    TakeBack {
        /// Which of [`super::Record::rulings`], from 0.
        ruling: u32,
    },
    /// Something for the record that changes nothing.
    Note { text: Note },
}

/// The penalties open to the arbiter, in the order of 12.9.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Penalty {
    /// 12.9.1: a warning.
    Warning,
    /// 12.9.2: more time for the opponent.
    TimeToOpponent {
        /// How much, milliseconds.
        ms: u64,
    },
    /// 12.9.3: less time for the offender, who keeps some.
    TimeOff {
        /// How much, milliseconds.
        ms: u64,
    },
    /// 12.9.4: more points for the opponent.
    PointsToOpponent {
        /// How many half points.
        halves: u8,
    },
    /// 12.9.5: fewer points for the offender.
    PointsOff {
        /// How many half points.
        halves: u8,
    },
    /// 12.9.6: loss of the game. The arbiter decides the opponent's score.
    Loss {
        /// The opponent's half points: 2 is a win.
        #[serde(default = "a_win")]
        opponent_halves: u8,
    },
    /// 12.9.7: a fine announced beforehand.
    Fine {
        /// How much, in words.
        amount: String,
    },
    /// 12.9.8: exclusion from one or more rounds.
    ExcludedFromRounds { rounds: u32 },
    /// 12.9.9: exclusion from the event.
    ExcludedFromEvent,
}

fn a_win() -> u8 {
    2
}

impl Penalty {
    /// Its paragraph of 12.9.
    pub const fn article(&self) -> Article {
        match self {
            Penalty::Warning => Article::A12_9_1,
            Penalty::TimeToOpponent { .. } => Article::A12_9_2,
            Penalty::TimeOff { .. } => Article::A12_9_3,
            Penalty::PointsToOpponent { .. } => Article::A12_9_4,
            Penalty::PointsOff { .. } => Article::A12_9_5,
            Penalty::Loss { .. } => Article::A12_9_6,
            Penalty::Fine { .. } => Article::A12_9_7,
            Penalty::ExcludedFromRounds { .. } => Article::A12_9_8,
            Penalty::ExcludedFromEvent => Article::A12_9_9,
        }
    }

    /// What a penalty of points, of the game or of the event is; `None`: a warning, or time.
    pub fn beyond_time(&self) -> Option<Note> {
        Some(match self {
            Penalty::Warning | Penalty::TimeToOpponent { .. } | Penalty::TimeOff { .. } => {
                return None;
            }
            Penalty::PointsToOpponent { halves } => {
                Note::MoreForOpponent { what: Box::new(points(*halves)) }
            }
            Penalty::PointsOff { halves } => Note::Less { what: Box::new(points(*halves)) },
            Penalty::Loss { .. } => Note::LossOfGame,
            Penalty::Fine { amount } => Note::FineOf { amount: amount.clone() },
            Penalty::ExcludedFromRounds { rounds } => Note::ExcludedFromRounds { rounds: *rounds },
            Penalty::ExcludedFromEvent => Note::ExcludedFromEvent,
        })
    }
}

/// Half points as a number of points: `½`, `1`, `1½`.
pub fn half_points(halves: u8) -> String {
    match (halves / 2, halves % 2) {
        (0, 1) => "½".to_owned(),
        (whole, 0) => whole.to_string(),
        (whole, _) => format!("{whole}½"),
    }
}

/// The same with its noun: `½ point`, `1 point`, `1½ points`.
fn points(halves: u8) -> Note {
    let points = half_points(halves);
    if halves <= 2 { Note::Point { points } } else { Note::Points { points } }
}

/// How a game can end, as arbiters write it: White's points first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Outcome {
    #[serde(rename = "1-0")]
    WhiteWins,
    #[serde(rename = "0-1")]
    BlackWins,
    /// Drawn.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Both have lost.
    #[serde(rename = "0-0")]
    BothLose,
    /// Black has lost, White gets half a point (12.9.6).
    #[serde(rename = "1/2-0")]
    HalfToWhite,
    /// White has lost, Black gets half a point.
    #[serde(rename = "0-1/2")]
    HalfToBlack,
    /// Does not count.
    #[serde(rename = "*")]
    Annulled,
}

impl Outcome {
    /// All of them.
    pub const ALL: [Outcome; 7] = [
        Outcome::WhiteWins,
        Outcome::BlackWins,
        Outcome::Draw,
        Outcome::BothLose,
        Outcome::HalfToWhite,
        Outcome::HalfToBlack,
        Outcome::Annulled,
    ];

    /// As written: `1-0`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Outcome::WhiteWins => "1-0",
            Outcome::BlackWins => "0-1",
            Outcome::Draw => "1/2-1/2",
            Outcome::BothLose => "0-0",
            Outcome::HalfToWhite => "1/2-0",
            Outcome::HalfToBlack => "0-1/2",
            Outcome::Annulled => "*",
        }
    }

    /// A win of this colour.
    pub const fn win(color: Color) -> Outcome {
        match color {
            Color::White => Outcome::WhiteWins,
            Color::Black => Outcome::BlackWins,
        }
    }

    /// The winner, if there is one.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Outcome::WhiteWins => Some(Color::White),
            Outcome::BlackWins => Some(Color::Black),
            _ => None,
        }
    }

    /// This colour loses, and the opponent gets this many half points (12.9.6).
    pub(super) const fn loss(loser: Color, opponent_halves: u8) -> Outcome {
        match (loser, opponent_halves) {
            (_, 0) => Outcome::BothLose,
            (Color::White, 1) => Outcome::HalfToBlack,
            (Color::Black, 1) => Outcome::HalfToWhite,
            _ => Outcome::win(loser.other()),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// Not a result.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is not a result, write 1-0, 0-1, 1/2-1/2, 0-0, 1/2-0, 0-1/2 or *")]
pub struct UnknownOutcome {
    /// The text as it came.
    pub text: String,
}

impl FromStr for Outcome {
    type Err = UnknownOutcome;

    fn from_str(text: &str) -> Result<Outcome, UnknownOutcome> {
        Outcome::ALL
            .into_iter()
            .find(|outcome| outcome.as_str() == text)
            .ok_or_else(|| UnknownOutcome { text: text.to_owned() })
    }
}

/// A consequence that the Laws ask for, for the arbiter to decide: [`super::Output::Proposal`].
/// Sent again, under the same number, when it is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Proposal {
    /// The game's first is 1.
    pub number: u32,
    pub article: Article,
    /// Whom it is about: the offender, the player whose flag has fallen.
    #[serde(
        default,
        with = "annabella_words::text::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub seat: Option<Color>,
    /// The options: one act, or several to choose from.
    pub choices: Vec<ArbiterAct>,
    /// The event, one line, English, lower case.
    pub text: Note,
    /// The illegal move that it is about (7.5.5).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub illegal: Option<IllegalMove>,
    pub at: At,
    /// Moves made by then.
    pub plies: u32,
    pub state: ProposalState,
}

impl Proposal {
    /// Whether the arbiter has yet to decide.
    pub fn is_open(&self) -> bool {
        self.state == ProposalState::Open
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "kebab-case")]
pub enum ProposalState {
    /// The proposal waits for the arbiter.
    #[default]
    Open,
    /// The arbiter confirmed it.
    Confirmed,
    /// The arbiter dismissed it.
    Dismissed,
    /// Later events leave nothing to decide: the game is over.
    Lapsed,
}

/// A decision with its effect, for the record: [`super::Output::Ruled`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ruled {
    pub ruling: Ruling,
    pub at: At,
    /// Moves made by then.
    pub plies: u32,
    /// The effect: the act itself, or the confirmed choice. `None` for a dismissal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub done: Option<ArbiterAct>,
    /// White's and Black's time before it, milliseconds.
    pub before_ms: (u64, u64),
    pub after_ms: (u64, u64),
}

impl Ruled {
    /// The arbiter has set this clock: no earlier penalty is in its time.
    pub fn sets_clock_of(&self, of: Color) -> bool {
        match &self.ruling.act {
            ArbiterAct::SetClock { seat, .. } => *seat == of,
            ArbiterAct::Settle(settle) => settle.clocks.is_some(),
            _ => false,
        }
    }

    /// A clock was set, or a penalty of time given.
    pub(super) fn sets_time(&self) -> bool {
        let set = matches!(self.done, Some(ArbiterAct::SetClock { .. }));
        set || self.time_given().is_some()
    }

    /// A penalty of time: whose clock it changed, and how many milliseconds it gave (12.9.2) or
    /// took (12.9.3).
    pub fn time_given(&self) -> Option<(Color, i64)> {
        let seat = match self.done.as_ref()? {
            ArbiterAct::Penalty { seat, penalty: Penalty::TimeToOpponent { .. } } => !*seat,
            ArbiterAct::Penalty { seat, penalty: Penalty::TimeOff { .. } } => *seat,
            _ => return None,
        };
        let of = |times: (u64, u64)| seat.fold_wb(times.0, times.1);
        let given = i128::from(of(self.after_ms)) - i128::from(of(self.before_ms));
        Some((seat, i64::try_from(given).ok()?))
    }
}
