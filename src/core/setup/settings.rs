//! The settings, and the choices for each.

use annabella_words::{phrase::Words, spelled};

/// A language that may be chosen.
#[derive(Clone, Debug)]
pub struct OfferedLanguage {
    /// Its value in the configuration: a pack's name or path.
    pub name: String,
    /// It, with the names of moves as the configuration has them.
    pub words: Words,
    /// It, with names of moves of its own, where that is another choice.
    pub own: Option<Words>,
    /// Speech in it can be understood.
    pub hears: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoundDevice {
    /// Its value in the configuration.
    pub name: String,
    /// Its maker's name; empty for the device that the system prefers.
    pub called: String,
}

/// A port at which a board answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// Its device file.
    pub path: String,
    pub maker: Maker,
    pub clock: bool,
}

spelled! {
    /// Whose board it is, as `[sighted] kind` has it.
    Maker {
        Dgt = "dgt",
        Chessnut = "chessnut",
        Millennium = "millennium",
        Certabo = "certabo",
    }
}

impl Maker {
    /// As it calls itself.
    pub fn name(self) -> &'static str {
        match self {
            Maker::Dgt => "DGT",
            Maker::Chessnut => "Chessnut",
            Maker::Millennium => "Millennium",
            Maker::Certabo => "Certabo",
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Around {
    /// Languages; there must be one.
    pub languages: Vec<OfferedLanguage>,
    /// Voices as the configuration names them.
    pub voices: Vec<String>,
    pub outputs: Vec<SoundDevice>,
    pub inputs: Vec<SoundDevice>,
    /// There is a board with reeds.
    pub reeds: bool,
    /// This machine may have a board with sensors.
    pub sensors: bool,
    /// Both play on pegs, so nobody sits at a second board.
    pub both_blind: bool,
    /// The official German speech model is not here, would hear if it were, and could be fetched.
    pub model: bool,
    pub pages: bool,
    /// This machine is in no network, and could make a wireless one.
    pub hotspot: bool,
}

impl Around {
    pub(super) fn language(&self, name: &str) -> Option<&OfferedLanguage> {
        self.languages.iter().find(|known| known.name == name)
    }

    pub(super) fn words(&self, settings: &SetupSettings) -> Option<&Words> {
        let language = self.language(&settings.language)?;
        let own = language.own.as_ref().filter(|_| settings.own_names);
        Some(own.unwrap_or(&language.words))
    }
}

/// Keys of `[board]` that the self-test finds; `None`: as they are.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FoundWires {
    /// Degrees clockwise.
    pub orientation: Option<u16>,
    /// `normal` or `reversed`.
    pub bit_order: Option<String>,
    /// Squares in the order of the inputs.
    pub map: Option<String>,
}

/// The blind player's own board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Own {
    /// A board without sensors. `spoken`: the player says after each move that it is executed;
    /// otherwise the announcement counts.
    Plain {
        /// `[board] reports`
        spoken: bool,
    },
    Sensors,
    /// Something else that the configuration names already.
    AsBefore,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sighted {
    Plain,
    /// A board of this maker at this port.
    Electronic(Maker, String),
    Page,
    /// Something else that the configuration names already.
    AsBefore,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keeper {
    Own,
    /// A DGT clock at this port.
    Dgt(String),
    /// Something else that the configuration names already.
    AsBefore,
}

/// The result of the set-up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetupSettings {
    /// `[speech] prompts`
    pub language: String,
    /// Moves are announced in the names of that language.
    pub own_names: bool,
    /// `[speech] voice`
    pub voice: String,
    /// `[speech] rate`
    pub rate: u16,
    /// `[speech] private`
    pub earphone: String,
    /// `[speech] public`
    pub loudspeaker: String,
    /// `[speech] private_volume`
    pub earphone_volume: u8,
    /// `[speech] public_volume`
    pub loudspeaker_volume: u8,
    /// `[speech] input`
    pub microphone: String,
    /// `[board]`
    pub board: Own,
    pub wires: FoundWires,
    /// `[sighted]`
    pub sighted: Sighted,
    /// `[clock]`
    pub clock: Keeper,
    /// `[console] listen`: other machines reach the pages.
    pub pages: bool,
    /// `[game] time_control`
    pub control: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sounding {
    /// `[speech] voice`
    pub voice: String,
    pub rate: u16,
    pub earphone: String,
    pub loudspeaker: String,
    /// Percent.
    pub earphone_volume: u8,
    /// Percent.
    pub loudspeaker_volume: u8,
}

impl SetupSettings {
    /// How speech sounds with them.
    pub fn sounding(&self) -> Sounding {
        Sounding {
            voice: self.voice.clone(),
            rate: self.rate,
            earphone: self.earphone.clone(),
            loudspeaker: self.loudspeaker.clone(),
            earphone_volume: self.earphone_volume,
            loudspeaker_volume: self.loudspeaker_volume,
        }
    }
}
