//! Everything that can reach the game.

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Square};

use super::{BoardSeen, ClockNews, GameConfig, PageEntry, Ruling};
use annabella_words::phrase::{
    Command,
    hear::{Confusions, Heard},
};

/// A moment of the service's own clock: milliseconds since the journal's first entry, never
/// falling, also across restarts. Not the wall clock.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default,
)]
#[serde(transparent)]
pub struct At {
    /// Milliseconds.
    pub ms: u64,
}

impl At {
    /// The moment `ms` milliseconds after the journal's first entry.
    pub const fn new(ms: u64) -> At {
        At { ms }
    }
}

fn is_zero(ms: &u64) -> bool {
    *ms == 0
}

/// The first input of every game: with it a journal explains itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Started {
    /// How the game is played.
    pub config: GameConfig,
    /// The language packs in force, as TOML text: the move pack, then the prompt pack.
    pub packs: Vec<String>,
    /// Learnt confusions of the players' words, beside those of the packs.
    #[serde(default, skip_serializing_if = "Learnt::is_empty")]
    pub confusions: Learnt,
    /// Version of the program that wrote this journal.
    pub build: String,
    /// Wall clock at the start, Unix seconds, for the record's date only.
    pub unix_s: u64,
}

/// The learnt confusions of each player's voice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Learnt {
    /// Of the blind player's; where both are blind of White's.
    #[serde(skip_serializing_if = "Confusions::is_empty")]
    pub own: Confusions,
    /// Of Black's, where both are blind.
    #[serde(skip_serializing_if = "Confusions::is_empty")]
    pub black: Confusions,
}

impl Learnt {
    /// Nothing.
    pub fn is_empty(&self) -> bool {
        self.own.is_empty() && self.black.is_empty()
    }

    /// As the two blind players change places.
    #[must_use]
    pub fn swapped(self) -> Learnt {
        Learnt { own: self.black, black: self.own }
    }
}

/// A button at the table that asks for something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerButton {
    /// Says the last thing again.
    Repeat,
    /// Calls the arbiter.
    Arbiter,
}

impl PlayerButton {
    /// What it asks for.
    pub fn command(self) -> Command {
        match self {
            PlayerButton::Repeat => Command::Repeat,
            PlayerButton::Arbiter => Command::CallArbiter,
        }
    }
}

/// A text that is written nowhere: not by `Debug`, not in a journal.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Private(pub String);

impl std::fmt::Debug for Private {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Private(..)")
    }
}

impl Serialize for Private {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_unit()
    }
}

impl<'de> Deserialize<'de> for Private {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Private, D::Error> {
        <()>::deserialize(from).map(|()| Private::default())
    }
}

/// Everything that can reach the game. Each input is in the journal before its outputs are acted
/// on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// A game begins.
    Started(Box<Started>),
    /// A debounced reed of this player's board changed.
    Edge {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        #[serde(with = "annabella_words::text")]
        square: Square,
        /// A peg is in the hole.
        occupied: bool,
        /// The time from the contact's last change until it was certain, milliseconds.
        #[serde(default, skip_serializing_if = "is_zero")]
        ago_ms: u64,
    },
    /// The whole of a player's board at once, as after a restart. Bit 0 is a1, bit 63 is h8.
    Board {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// Occupied squares.
        occupied: u64,
    },
    /// A player (or somebody for him) said something, and the words are certain: typed, or read
    /// from a file. Readings, best first.
    Said {
        /// The speaker, where known.
        #[serde(
            default,
            with = "annabella_words::text::option",
            skip_serializing_if = "Option::is_none"
        )]
        seat: Option<Color>,
        /// The hypotheses, best first.
        heard: Vec<String>,
    },
    /// Something was spoken, and this is what a recogniser made of it.
    Heard {
        /// The speaker, where known.
        #[serde(
            default,
            with = "annabella_words::text::option",
            skip_serializing_if = "Option::is_none"
        )]
        seat: Option<Color>,
        /// Everything that it may have been.
        heard: Heard,
        /// The speaker held the talk key: it was meant for the system.
        #[serde(default)]
        pushed: bool,
    },
    /// A player pressed a button that asks for something.
    Button {
        /// The player whose button it is; not given: anybody's.
        #[serde(
            default,
            with = "annabella_words::text::option",
            skip_serializing_if = "Option::is_none"
        )]
        seat: Option<Color>,
        asks: PlayerButton,
    },
    /// A player pressed his side of the clock.
    Pressed {
        /// The player who pressed.
        #[serde(with = "annabella_words::text")]
        seat: Color,
    },
    /// Somebody says that this move (UCI) was executed on a board that shows nothing by itself.
    Sighted {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// The move in UCI.
        uci: String,
    },
    /// A player's board that is no peg board reports how it stands.
    BoardSeen {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// Its picture.
        seen: BoardSeen,
    },
    /// The clock before the players makes something known.
    Clock(ClockNews),
    /// White's clock is started (6.6).
    ClockStarted,
    /// A step of an adjournment (Guideline I).
    Adjourn(Box<super::Adjourn>),
    /// The arbiter decides something.
    Arbiter(Box<Ruling>),
    /// Somebody enters something on his page.
    Page(Box<PageEntry>),
    /// A player's score, typed or pasted: entries in any notation of Appendix C, one after another.
    /// They are kept as written, mistakes and all.
    Score {
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// The half-move of the first entry; the game's first is 1.
        from_ply: u32,
        /// The entries.
        text: String,
    },
    /// How a board stands that reports nothing, as somebody has entered it.
    Entered {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// Its pieces: the first field of a FEN is enough.
        fen: String,
    },
    /// Somebody has looked: this board, which the program does not see, has been corrected.
    Corrected {
        /// The player before the board.
        #[serde(with = "annabella_words::text")]
        seat: Color,
    },
    /// The move to be sealed, typed in private (I.1.1). No journal has it: it goes to
    /// [`super::Sealing`], and is refused while nothing is being sealed.
    Typed {
        /// The player who seals.
        #[serde(with = "annabella_words::text")]
        seat: Color,
        /// As he typed it.
        text: Private,
        /// Seal the text as it is, readable or not (I.8).
        as_written: bool,
    },
    /// The moment of [`super::Game::wake_at`] has come.
    Woke,
    /// The service was stopped and is back; the clocks stood still in between.
    Resumed,
    /// An arbiter's page is open from here on, or none is any more. Where one is, he confirms what
    /// a fallen flag means (6.9), and the clocks stand after an illegal move until he has decided
    /// (7.5.1).
    ArbiterPage {
        /// Whether one is.
        open: bool,
    },
    /// Another board has this one's game now, and plays it on.
    TakenOver,
}
