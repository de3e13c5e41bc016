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
    /// Its number in the journal.
    pub number: i64,
    /// White's name; may be empty.
    pub white: String,
    /// Black's.
    pub black: String,
}

/// The news of the last game, before the first question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    /// The game is adjourned: only the arbiter lets it go on.
    Adjourned {
        /// White's name; may be empty.
        white: String,
        /// Black's.
        black: String,
        /// When and where it goes on, as the arbiter worded it; may be empty.
        until: String,
    },
    /// The game is over.
    Ended {
        /// `1-0`, `0-1`, `1/2-1/2` or another.
        result: String,
    },
}

/// How the games of this session ended, for the player on pegs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

/// The start of a session.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The game as it is played if nothing is changed.
    pub config: GameConfig,
    /// Names to choose from.
    pub players: Vec<String>,
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
    /// No game was played there.
    NothingThere,
    /// That board is switched on.
    StillPlays,
    /// The hall does not answer.
    NoHall,
    /// Anything else.
    Failed,
}

/// Everything that can reach the lobby.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyInput {
    /// The session begins: the first question is asked.
    Opened,
    /// The session begins with this game of the journal: nothing is asked.
    Chosen(i64),
    /// Something was spoken.
    Heard {
        /// The speaker, where known.
        seat: Option<Color>,
        /// The hypotheses.
        heard: Heard,
        /// The talk key was held.
        pushed: bool,
    },
    /// Something was typed.
    Said {
        /// The speaker, where known.
        seat: Option<Color>,
        /// The words.
        text: String,
    },
    /// A player pressed the button that says the last thing again.
    Repeat {
        /// The player, where known.
        seat: Option<Color>,
    },
    /// A key went down.
    Key(Key),
    /// How a board stands.
    Board {
        /// Before whom.
        seat: Color,
        /// All of it.
        shown: BoardShown,
    },
    /// A debounced reed changed.
    Edge {
        /// Before whom.
        seat: Color,
        /// Which.
        square: Square,
        /// Something stands there.
        occupied: bool,
    },
    /// A player pressed his side of the clock: Black's starts White's time (6.6).
    Pressed {
        /// The player.
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
        /// Its result.
        result: String,
    },
    /// [`LobbyOutput::TakeOver`] could not be.
    NotTaken {
        /// The other board's number.
        board: u32,
        /// Why.
        why: NotTaken,
    },
    /// The moment of [`super::Lobby::wake_at`] has come.
    Woke,
}

/// Everything that the lobby can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyOutput {
    /// Speak.
    Say {
        /// Loudspeaker or earphone.
        channel: Channel,
        /// The earphone's owner, where two are blind; `None`: all of them.
        seat: Option<Color>,
        /// Order in the queue.
        urgency: Urgency,
        /// The words.
        words: Utterance,
    },
    /// How an answer was understood, for fingers: nobody says it.
    Understood {
        /// The player who answered, where known.
        seat: Option<Color>,
        /// The words.
        words: Utterance,
    },
    /// Cut speech at once.
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
    /// No more games.
    Finished,
}

/// Why a configuration cannot be set up from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LobbyError {
    /// The time control.
    #[error(transparent)]
    Control(#[from] TimeControlError),
    /// The starting position.
    #[error("{0}; choose another [game] start")]
    Start(String),
}
