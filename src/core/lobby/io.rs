//! The lobby's inputs and outputs.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Square};
use thiserror::Error;

use super::boards::BoardShown;
use crate::{
    game::{Channel, GameConfig, Urgency, clock::TimeControlError},
    questionnaire::Key,
};
use annabella_words::phrase::{Utterance, hear::Heard};

/// A game of the journal that was not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    pub number: i64,
    /// White's name; may be empty.
    pub white: String,
    pub black: String,
}

/// The news of the last game, before the first question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    /// The game is adjourned: only the arbiter lets it go on.
    Adjourned {
        /// White's name; may be empty.
        white: String,
        black: String,
        /// When and where it goes on, as the arbiter worded it; may be empty.
        until: String,
    },
    Ended {
        /// `1-0`, `0-1`, `1/2-1/2` or another.
        result: String,
    },
}

/// How the games of this session ended, for the player on pegs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub won: u32,
    pub drawn: u32,
    pub lost: u32,
}

/// The start of a session.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The game as it is played if nothing is changed.
    pub config: GameConfig,
    pub players: Vec<String>,
    /// At home: names of those who can sit in the sighted player's place, to choose from. Each is
    /// asked for by what follows the last comma of his name.
    pub opponents: Vec<String>,
    /// Games that can be resumed, the newest first.
    pub unfinished: Vec<Unfinished>,
    /// The news of the last game.
    pub before: Option<Before>,
    /// There is a second peg board. Two boards stay with their colours; one board goes with its
    /// player.
    pub second_board: bool,
    /// This board is in a hall, where it can take another's place.
    pub hall: bool,
}

/// Why this board has not taken another's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotTaken {
    NothingThere,
    StillPlays,
    /// The hall does not answer.
    NoHall,
    Failed,
}

/// Everything that can reach the lobby.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyInput {
    /// The session begins: the first question is asked.
    Opened,
    /// The session begins with this game of the journal: nothing is asked.
    Chosen(i64),
    Heard {
        /// The speaker, where known.
        seat: Option<Color>,
        heard: Heard,
        /// The talk key was held.
        pushed: bool,
    },
    Said {
        /// The speaker, where known.
        seat: Option<Color>,
        text: String,
    },
    /// A player pressed the button that says the last thing again.
    Repeat {
        /// The player, where known.
        seat: Option<Color>,
    },
    Key(Key),
    Board {
        seat: Color,
        shown: BoardShown,
    },
    Edge {
        seat: Color,
        square: Square,
        occupied: bool,
    },
    /// A player pressed his side of the clock: Black's starts White's time (6.6).
    Pressed {
        seat: Color,
    },
    /// The arbiter starts White's clock (6.6).
    StartClock,
    /// Another configuration, from a file or the console.
    Configured(Box<GameConfig>),
    /// The game that is resumed is played like this.
    Resumed(Box<GameConfig>),
    /// The game that was begun is over: `1-0`, `0-1`, `1/2-1/2`, `*`.
    Ended {
        result: String,
    },
    /// [`LobbyOutput::TakeOver`] could not be.
    NotTaken {
        board: u32,
        why: NotTaken,
    },
    /// The moment of [`super::Lobby::wake_at`] has come.
    Woke,
}

/// Everything that the lobby can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyOutput {
    Say {
        channel: Channel,
        /// The earphone's owner, where two are blind; `None`: all of them.
        seat: Option<Color>,
        /// Order in the queue.
        urgency: Urgency,
        words: Utterance,
    },
    /// How an answer was understood, for fingers: nobody says it.
    Understood {
        /// The player who answered, where known.
        seat: Option<Color>,
        words: Utterance,
    },
    Hush {
        /// The listener to silence; `None`: all of them.
        seat: Option<Color>,
    },
    /// How the earphone sounds from now on.
    Manner {
        /// The player, where two are blind.
        seat: Option<Color>,
        /// Volume, 0 to 100.
        volume: u8,
        /// Rate.
        words_per_minute: u16,
    },
    /// Begin this game and start White's clock (6.6).
    Begin(Box<GameConfig>),
    /// Go on with this game of the journal.
    Resume(i64),
    /// Take the place of this board of the hall.
    TakeOver(u32),
    Finished,
}

/// Why a configuration cannot be set up from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LobbyError {
    #[error(transparent)]
    Control(#[from] TimeControlError),
    #[error("{0}; choose another [game] start")]
    Start(String),
}
