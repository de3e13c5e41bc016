//! Everything that the game can ask for.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Square};

use super::{HandStep, Outcome, Proposal, Ruled, Settled};
use crate::laws::Article;
use annabella_words::{
    phrase::{Note, Utterance},
    spelled,
};

/// The audience.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Channel {
    /// The loudspeaker: announcements.
    Public,
    /// The earphone: answers and guidance.
    Private,
}

impl Channel {
    /// Its place in a list of both.
    pub const fn index(self) -> usize {
        self as usize
    }
}

/// The order in which waiting words are spoken. Later variants are more urgent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Urgency {
    /// Can wait: hints.
    Hint,
    /// An answer to a request, guidance.
    Answer,
    /// A move.
    Announcement,
    /// A question that play waits for, a violation.
    Alert,
}

/// How far a move has come, in the Laws' words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MoveState {
    /// The pegs show it.
    Executed,
    /// The move was announced.
    Announced,
    /// D.2.3 holds.
    Made,
    /// The clock was pressed (6.2.1).
    Completed,
}

/// Which clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Running {
    White,
    Black,
    /// Neither.
    #[default]
    None,
}

/// How the players' boards stand to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Boards {
    /// Both show the same position.
    Agree,
    /// A move is made but not yet executed on the other board.
    Pending,
    /// The boards show different positions.
    Differ,
}

spelled! {
    /// The decision about an utterance.
    #[derive(Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    Understanding {
        /// A move, for certain.
        Accept = "accept",
        /// The speaker is asked whether he said this.
        Confirm = "confirm",
        /// The player is asked to say it again.
        Again = "again",
        /// A request or an answer.
        Command = "command",
        /// The last move, repeated by the opponent (D.2.1).
        Repetition = "repetition",
    }
}

/// An utterance and how it was understood.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeardAs {
    /// The recogniser's hypotheses, best first.
    pub texts: Vec<String>,
    pub decision: Understanding,
    /// The move accepted or asked about, in UCI.
    #[serde(rename = "move")]
    pub uci: Option<String>,
    /// The request or answer, by its key in a pack.
    pub command: Option<String>,
    /// Other moves that it may have been, in UCI.
    pub candidates: Vec<String>,
    /// How sure, in thousandths.
    pub permille: u16,
}

impl HeardAs {
    /// For a person who reads along in any language: `springer gustav eins felix drei → g1f3`.
    pub fn brief(&self) -> String {
        let text = self.texts.first().map_or("", String::as_str);
        let text = if text.is_empty() { "–" } else { text };
        self.uci.as_ref().map_or(text.to_owned(), |uci| format!("{text} → {uci}"))
    }

    /// For a person who reads along: `springer gustav eins felix drei → accept g1f3`.
    pub fn line(&self) -> String {
        let text = self.texts.first().map_or("", String::as_str);
        let text = if text.is_empty() { "nothing" } else { text };
        let meant = [self.command.as_deref(), self.uci.as_deref()];
        let meant: Vec<&str> = meant.into_iter().flatten().collect();
        format!("{text} → {} {}", self.decision.as_str(), meant.join(" ")).trim_end().to_owned()
    }
}

/// Everything that the game can ask for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Output {
    /// Speak.
    Say {
        /// Loudspeaker or earphone.
        channel: Channel,
        /// The earphone's owner, on the private channel.
        #[serde(
            default,
            with = "annabella_words::text::option",
            skip_serializing_if = "Option::is_none"
        )]
        seat: Option<Color>,
        /// Order in the queue.
        urgency: Urgency,
        words: Utterance,
    },
    /// Speak on the earphone, show it on this player's own Braille line, and show or write it
    /// nowhere else: a move that is being sealed (I.1.1), a code that opens a page.
    Whisper {
        /// The earphone's owner.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        words: Utterance,
    },
    /// Show a deaf player words that concern him and are spoken in another's ear (D.2.11). Nobody
    /// speaks it.
    Show {
        /// Whom.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        words: Utterance,
    },
    /// How a channel sounds from now on.
    Manner {
        channel: Channel,
        /// The earphone's owner, on the private channel.
        #[serde(
            default,
            with = "annabella_words::text::option",
            skip_serializing_if = "Option::is_none"
        )]
        seat: Option<Color>,
        /// Volume, 0 to 100.
        volume: u8,
        /// Rate.
        words_per_minute: u16,
    },
    /// An utterance and how it was understood, for the record.
    Heard(Box<HeardAs>),
    /// Cut speech at once, on the loudspeaker and in this player's ear.
    Hush {
        /// The earphone's owner; `None`: all of them.
        #[serde(
            default,
            with = "annabella_words::text::option",
            skip_serializing_if = "Option::is_none"
        )]
        seat: Option<Color>,
    },
    /// Sounds that may be wanted soon: render them now.
    Prepare {
        /// Announcements of the legal moves.
        words: Vec<Utterance>,
    },
    /// A move went one step further.
    Move {
        /// Half-move number, the first is 1.
        ply: u32,
        /// The move in UCI.
        uci: String,
        /// The move in SAN, English letters.
        san: String,
        /// The player who moves.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// How far it has come.
        state: MoveState,
        /// Executed by its player's word: no sensor felt it and no board showed it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        said: bool,
    },
    /// The clock as it stands.
    Clock {
        /// White's time left, milliseconds.
        white_ms: u64,
        black_ms: u64,
        /// Which side runs.
        running: Running,
    },
    /// A rule was broken or something does not fit.
    Problem {
        /// The article that it is about.
        article: Article,
        /// What, in a line.
        text: Note,
        /// An input was refused for it: nothing was done.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        refused: bool,
        /// The facts.
        detail: serde_json::Value,
    },
    /// A sighted player touched a piece of his, for the arbiter (D.2.10.5).
    Touched {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// The square where it stood.
        #[serde(with = "annabella_words::text")]
        square: Square,
        /// Which piece, as in a FEN.
        piece: char,
    },
    /// The boards' relation changed.
    Boards(Boards),
    /// The game is over.
    Result {
        /// `1-0`, `0-1`, `1/2-1/2`; by the arbiter's word also another one.
        result: Outcome,
        reason: Note,
        article: Article,
    },
    /// Something is put before the arbiter, or has been decided.
    Proposal(Box<Proposal>),
    /// The arbiter has decided.
    Ruled(Box<Ruled>),
    /// Boards or scores differed, and the arbiter has decided from where the game goes on (D.2.9).
    Settled(Box<Settled>),
    /// The steps left on a board, in order; none when the board is right.
    Correct {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// The next is the first.
        steps: Vec<HandStep>,
    },
    /// A player asks for the codes that open the pages: the service knows them, the game does not.
    Codes {
        /// The player who asks.
        #[serde(with = "annabella_words::text")]
        seat: Color,
    },
}
