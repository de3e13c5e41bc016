//! The configuration file.
//!
//! One TOML file, parsed into types once, when it is read. Every key has a default, so an empty
//! file plays a FIDE game. [`Config::example`] is a commented file with the same meaning as an
//! empty one.
//!
//! ```
//! use annabella::config::Config;
//! let config = Config::parse("[game]\ntime_control = \"3+2\"\n", "annabella.toml")?;
//! assert_eq!(config.game.time_control.to_string(), "3+2");
//! let error = Config::parse("[game]\ntime_controll = \"3+2\"\n", "annabella.toml").unwrap_err();
//! assert_eq!(
//!     error.to_string(),
//!     "annabella.toml:2: unknown key 'time_controll' in [game]; did you mean 'time_control'?"
//! );
//! # Ok::<(), annabella::config::ConfigError>(())
//! ```

pub mod edit;
mod entry;
pub mod find;
mod hands;
mod keys;
mod kinds;
pub mod place;
mod read;
mod seats;

pub use hands::Reports;
pub use kinds::{
    AnnounceForm, BoardKind, ButtonsKind, ClockControl, ClockKind, ClockLeft, EngineKind, Listen,
    RecordAudio, SightedKind,
};

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
};

use shakmaty::Color;

use annabella_core::{
    game::{Blind, Duties, GameConfig, Manner, Rules, SensingConfig, clock::TimeControl},
    sight::judge::JudgeSettings,
};
use annabella_devices::{
    board::wiring::{
        Bus, ButtonPins, LightPins, ReaderKind, Wires, Wiring, WiringError, no_pin_twice,
    },
    braille::line::BrlttyAt,
    sighted::still::StillSettings,
};
use annabella_words::{
    phrase::hear::{REST_MS, Thresholds},
    text::plain,
};

/// A configuration that can't be used: one line, with file, line and remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(String);

#[derive(Clone, Debug, PartialEq, Default)]
pub struct Config {
    /// `[game]`
    pub game: GameSection,
    /// `[board]`: the blind player's, White's where both are blind.
    pub board: BoardSection,
    /// `[board_black]`: Black's, where both are blind.
    pub board_black: BoardSection,
    /// `[buttons]`
    pub buttons: ButtonsSection,
    /// `[lights]`
    pub lights: LightPins,
    /// `[sighted]`
    pub sighted: SightedSection,
    /// `[clock]`
    pub clock: ClockSection,
    /// `[speech]`
    pub speech: SpeechSection,
    /// `[braille]`
    pub braille: BrailleSection,
    /// `[hearing]`
    pub hearing: Thresholds,
    /// `[record]`
    pub record: RecordSection,
    /// `[duties]`
    pub duties: Duties,
    /// `[console]`
    pub console: ConsoleSection,
    /// `[journal]`
    pub journal: JournalSection,
    /// `[hall]`
    pub hall: HallSection,
}

/// `[game]`: the game and its players.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct GameSection {
    pub time_control: TimeControl,
    pub white: String,
    pub black: String,
    pub blind: Blind,
    /// The opponent is deaf (D.2.11).
    pub opponent_deaf: bool,
    /// FEN of a legal position, if not the usual start.
    pub start: Option<String>,
    /// Classical, rapid or blitz; penalties depend on it.
    pub rules: Rules,
    /// The number of moves by each player before a draw may be agreed (9.1.1).
    pub no_draw_before: u32,
    /// Nobody's tournament: a program may play for the sighted player.
    pub at_home: bool,
    /// Every game is set up by voice, keys or typed words before it begins.
    pub setup: bool,
    /// Names to choose from in the set-up.
    pub players: Vec<String>,
    /// At home: names of those who can sit in the sighted player's place.
    pub opponents: Vec<String>,
    /// Keys of the set-up by the kernel's names: previous, next, choose; or none.
    pub keys: Vec<String>,
    /// The keyboard with these keys: empty for any, or its device file.
    pub keyboard: String,
}

/// `[board]`: where the pegs are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoardSection {
    pub kind: BoardKind,
    /// For [`BoardKind::None`]: the word that stands for his hands.
    pub reports: Reports,
    /// A file or FIFO, `-` for standard input: for [`BoardKind::Events`] its lines; for
    /// [`BoardKind::None`] what is typed, and empty where nothing is.
    pub path: PathBuf,
    pub sensing: SensingConfig,
    /// For [`BoardKind::Expander`]: its bus.
    pub bus: Bus,
    /// For the boards with real reeds: how they are wired.
    pub wires: Wires,
}

impl Default for BoardSection {
    fn default() -> BoardSection {
        BoardSection {
            kind: BoardKind::None,
            reports: Reports::Announced,
            path: PathBuf::from("-"),
            sensing: SensingConfig::default(),
            bus: Bus::I2c,
            wires: Wires::default(),
        }
    }
}

impl BoardSection {
    /// The reader of the reeds; `None` for a board without real ones.
    pub fn reader(&self) -> Option<ReaderKind> {
        match (self.kind, self.bus) {
            (BoardKind::ShiftRegister, _) => Some(ReaderKind::ShiftRegister),
            (BoardKind::Expander, Bus::I2c) => Some(ReaderKind::Expander),
            (BoardKind::Expander, Bus::Spi) => Some(ReaderKind::ExpanderSpi),
            (BoardKind::Matrix, _) => Some(ReaderKind::Matrix),
            (BoardKind::None | BoardKind::Sim | BoardKind::Events, _) => None,
        }
    }

    /// The wires of a board with real reeds.
    ///
    /// # Errors
    /// [`WiringError`], which a configuration that was read from a file no longer has.
    pub fn wiring(&self) -> Option<Result<Wiring, WiringError>> {
        self.reader().map(|kind| Wiring::new(kind, &self.wires))
    }
}

/// `[buttons]`: push buttons on GPIO.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ButtonsSection {
    pub kind: ButtonsKind,
    pub pins: ButtonPins,
    /// The player who presses the left button, where the file says so: the older name of
    /// [`ClockSection::left`].
    pub left: Option<Color>,
    /// A button must stay down or up for this long before it counts.
    pub debounce_ms: u64,
}

impl Default for ButtonsSection {
    fn default() -> ButtonsSection {
        ButtonsSection {
            kind: ButtonsKind::Auto,
            pins: ButtonPins::default(),
            left: None,
            debounce_ms: 20,
        }
    }
}

/// `[sighted]`: the other player's board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SightedSection {
    pub kind: SightedKind,
    /// Port of an electronic board; `auto`: it is searched for.
    pub port: PathBuf,
    /// The source of a reed board's or simulated board's events: a file or a FIFO.
    pub path: PathBuf,
    /// When the board is still.
    pub still: StillSettings,
    /// When a difference is reported.
    pub judge: JudgeSettings,
}

impl Default for SightedSection {
    fn default() -> SightedSection {
        SightedSection {
            kind: SightedKind::None,
            port: PathBuf::from("auto"),
            path: PathBuf::from("-"),
            still: StillSettings::default(),
            judge: JudgeSettings::default(),
        }
    }
}

/// `[clock]`: the timekeeper.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockSection {
    pub kind: ClockKind,
    /// Whether a DGT clock is set by the service or only read.
    pub control: ClockControl,
    /// Serial port of the board at which a DGT clock is plugged in, if not the sighted board's.
    pub port: Option<PathBuf>,
    /// The player on the clock's left, for a DGT clock and for two buttons.
    pub left: ClockLeft,
    /// Seconds left of which the blind player is warned; none.
    pub alarms: Vec<u32>,
    /// Seconds between two entries of the journal while a clock runs.
    pub heartbeat_s: u64,
    /// Key with which White presses, by the kernel's name; empty: none.
    pub white_key: String,
    pub black_key: String,
    /// The keyboard with these keys: `any`, or its device file.
    pub keyboard: String,
}

impl Default for ClockSection {
    fn default() -> ClockSection {
        ClockSection {
            kind: ClockKind::default(),
            control: ClockControl::default(),
            port: None,
            left: ClockLeft::default(),
            alarms: Vec::new(),
            heartbeat_s: 10,
            white_key: String::new(),
            black_key: String::new(),
            keyboard: "any".to_owned(),
        }
    }
}

/// `[speech]`: ears and mouth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpeechSection {
    /// Folder of the recogniser's model; `None`: the installed one.
    pub model: Option<PathBuf>,
    /// Move language: `fide`, a pack's name, or a path to a pack (TOML).
    pub words: String,
    /// Prompt language: a pack's name or a path to a pack.
    pub prompts: String,
    pub engine: EngineKind,
    /// A variant of espeak-ng's voices; empty: its own voice.
    pub voice: String,
    /// Microphone's device name, or `default`: the blind player's, White's where both are blind.
    pub input: String,
    /// The microphone hears only this player, as a headset's does.
    pub input_own: bool,
    /// Black's microphone where both are blind; empty: they share one.
    pub input_black: String,
    /// The sighted player's own microphone; empty: none.
    pub input_sighted: String,
    /// When the microphone is listened to.
    pub listen: Listen,
    /// For so long the rest of an announcement that is not finished is waited for, milliseconds; 0:
    /// not at all.
    pub rest_ms: u32,
    /// The key that is held to speak, by the kernel's name: `space`, `f13`.
    pub talk_key: String,
    /// Its keyboard: a device file, `any`, or empty for none; any, if he is only listened to by
    /// key.
    pub talk_device: String,
    /// Black's talk key where both are blind; empty: none, or that of his own keyboard.
    pub talk_key_black: String,
    /// Its keyboard; empty: that of `talk_device`.
    pub talk_device_black: String,
    /// Words that are mistaken for one another in this player's voice, as `listen --learn` writes
    /// them.
    pub confusions: Option<PathBuf>,
    /// What Black's are mistaken for where both are blind.
    pub confusions_black: Option<PathBuf>,
    /// Loudspeaker's device name, or `default`.
    pub public: String,
    /// Earphone's device name, or `default`.
    pub private: String,
    /// Black's earphone where both are blind; empty: none.
    pub private_black: String,
    /// Loudspeaker's rate, words a minute.
    pub public_rate: u16,
    /// Earphone's rate, words a minute.
    pub private_rate: u16,
    /// Loudspeaker's volume, percent.
    pub public_volume: u8,
    /// Earphone's volume, percent.
    pub private_volume: u8,
    /// Rate of Black's earphone where both are blind; `None`: as White's.
    pub private_rate_black: Option<u16>,
    /// Its volume; `None`: as White's.
    pub private_volume_black: Option<u8>,
    /// How much of a move is said.
    pub announce_form: AnnounceForm,
    /// Compare the opponent's repetition of a move (D.2.1) with the move.
    pub repetition: bool,
    /// Say at the start that the service is ready.
    pub greet: bool,
}

impl Default for SpeechSection {
    fn default() -> SpeechSection {
        SpeechSection {
            model: None,
            words: "fide".to_owned(),
            prompts: "de".to_owned(),
            engine: EngineKind::Espeak,
            voice: String::new(),
            input: "default".to_owned(),
            input_own: false,
            input_black: String::new(),
            input_sighted: String::new(),
            listen: Listen::Open,
            rest_ms: REST_MS,
            talk_key: "space".to_owned(),
            talk_device: String::new(),
            talk_key_black: String::new(),
            talk_device_black: String::new(),
            confusions: None,
            confusions_black: None,
            public: "default".to_owned(),
            private: "default".to_owned(),
            private_black: String::new(),
            public_rate: 160,
            private_rate: 160,
            public_volume: 100,
            private_volume: 100,
            private_rate_black: None,
            private_volume_black: None,
            announce_form: AnnounceForm::Full,
            repetition: true,
            greet: false,
        }
    }
}

impl SpeechSection {
    /// The keyboard of the talk key, if there is one. A player who is only listened to while
    /// holding a key has one.
    pub fn keyboard(&self) -> Option<&str> {
        match (self.talk_device.as_str(), self.listen) {
            ("", Listen::Key) => Some("any"),
            ("", _) => None,
            (device, _) => Some(device),
        }
    }

    /// Whether Black has a talk key on a keyboard.
    pub fn has_key_of_black(&self) -> bool {
        !self.talk_key_black.is_empty() || !self.talk_device_black.is_empty()
    }

    /// Whether Black's earphone has a rate or a volume of its own.
    fn sounds_otherwise_to_black(&self) -> bool {
        self.private_rate_black.is_some() || self.private_volume_black.is_some()
    }

    /// As Black has it where both are blind: his earphone, his microphone, his key.
    #[must_use]
    pub fn of_black(&self) -> SpeechSection {
        let own = |own: &str, shared: &str| match own {
            "" => shared.to_owned(),
            own => own.to_owned(),
        };
        let keyboard = own(&self.talk_device_black, &self.talk_device);
        SpeechSection {
            private: self.private_black.clone(),
            private_rate: self.private_rate_black.unwrap_or(self.private_rate),
            private_volume: self.private_volume_black.unwrap_or(self.private_volume),
            confusions: self.confusions_black.clone(),
            input: own(&self.input_black, &self.input),
            talk_key: own(&self.talk_key_black, &self.talk_key),
            // A player with a key has it on some keyboard.
            talk_device: own(&keyboard, "any"),
            ..self.clone()
        }
    }
}

/// `[braille]`: Braille displays behind brltty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrailleSection {
    /// The blind player's, White's where both are blind; `None`: none.
    pub line: Option<BrlttyAt>,
    /// Black's where both are blind.
    pub line_black: Option<BrlttyAt>,
    pub key_file: PathBuf,
}

impl Default for BrailleSection {
    fn default() -> BrailleSection {
        BrailleSection { line: None, line_black: None, key_file: PathBuf::from("/etc/brlapi.key") }
    }
}

/// `[record]`: sounds kept beside the journal (D.2.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RecordSection {
    pub audio: RecordAudio,
    /// All of them together at most, megabytes; the oldest games go first.
    pub audio_mb: u32,
}

impl Default for RecordSection {
    fn default() -> RecordSection {
        RecordSection { audio: RecordAudio::Off, audio_mb: 500 }
    }
}

/// `[console]`: the pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConsoleSection {
    /// The address of the pages; `None`: off.
    pub listen: Option<SocketAddr>,
    /// Certificate (PEM); with it the pages are encrypted.
    pub certificate: Option<PathBuf>,
    /// Its private key (PEM).
    pub key: Option<PathBuf>,
    /// The name by which other machines find the pages, before `.local`; empty: none. At most 63
    /// letters, digits and hyphens.
    pub name: String,
    /// The file into which address and code go for a program that plays at home; `None`: none.
    pub program_code: Option<PathBuf>,
    /// A terminal shows QR codes of their addresses: by the switch `--qr` of a call, by no key.
    pub qr: bool,
}

impl Default for ConsoleSection {
    fn default() -> ConsoleSection {
        ConsoleSection {
            listen: Some(SocketAddr::from(([127, 0, 0, 1], 8080))),
            certificate: None,
            key: None,
            name: "annabella".to_owned(),
            program_code: None,
            qr: false,
        }
    }
}

/// `[journal]`: the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JournalSection {
    /// The file; a relative path counts from the working directory.
    pub path: PathBuf,
}

impl Default for JournalSection {
    fn default() -> JournalSection {
        JournalSection { path: PathBuf::from("annabella.db") }
    }
}

/// `[hall]`: the event that this board is one of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HallSection {
    /// The hall's server, `nats://` or `tls://`; `None`: off.
    pub url: Option<String>,
    /// The event: letters a to z, digits and hyphens.
    pub event: String,
    pub board: u32,
    /// A file with credentials; `None`: the server asks for none.
    pub credentials: Option<PathBuf>,
}

impl Default for HallSection {
    fn default() -> HallSection {
        HallSection { url: None, event: "event".to_owned(), board: 1, credentials: None }
    }
}

impl Config {
    /// Reads a configuration file.
    ///
    /// # Errors
    /// The file can't be read, or [`Config::parse`] refuses it.
    pub fn load(path: &Path) -> Result<Config, ConfigError> {
        let file = path.display().to_string();
        let bytes = annabella_records::whole::read(path).map_err(|reason| {
            ConfigError(format!(
                "cannot read {file}: {reason}; correct the path given with --config, or leave it out to play with the defaults"
            ))
        })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let good = error.utf8_error().valid_up_to();
            let before = error.as_bytes().iter().take(good);
            let line = before.filter(|byte| **byte == b'\n').count() + 1;
            let utf_16 =
                [[0xff, 0xfe], [0xfe, 0xff]].iter().any(|mark| error.as_bytes().starts_with(mark));
            let problem = if utf_16 { read::UTF_16 } else { read::NOT_UTF_8 };
            ConfigError(format!("{file}:{line}: {problem}"))
        })?;
        Config::parse(&text, &file)
    }

    /// Reads a configuration from text; `file` is the name that errors give.
    ///
    /// # Errors
    /// The first problem in the file, by line.
    pub fn parse(text: &str, file: &str) -> Result<Config, ConfigError> {
        read::config(text, file)
    }

    /// A commented file with every key at its default.
    pub fn example() -> &'static str {
        include_str!("config/example.toml")
    }

    /// Whether buttons are to be read.
    pub fn has_buttons(&self) -> bool {
        match self.buttons.kind {
            ButtonsKind::Auto => self.board.reader().is_some(),
            ButtonsKind::Gpio => true,
            ButtonsKind::None => false,
        }
    }

    /// The player who presses the left one of the clock's buttons: White by default.
    pub fn presses_left(&self) -> Color {
        self.buttons.left.or(self.clock.left.color()).unwrap_or(Color::White)
    }

    /// Which of two blind players hears no private words, White first, and why: the earphone is
    /// missing, or is the loudspeaker. Private words are never read aloud instead (11.3.1).
    pub fn unheard(&self) -> [Option<&'static str>; 2] {
        match self.game.blind {
            Blind::Both => seats::unheard(&self.speech),
            Blind::White | Blind::Black => [None, None],
        }
    }

    /// Wires that go together: no pin has two jobs.
    fn check_wires(&self) -> Result<(), String> {
        let of = |section: &str, board: &BoardSection| -> Result<Vec<(u8, String)>, String> {
            let wiring = board.wiring().transpose();
            let wiring = wiring.map_err(|err: WiringError| format!("[{section}] {err}"))?;
            let pins = wiring.map_or_else(Vec::new, |wiring| wiring.pins());
            Ok(pins.into_iter().map(|(gpio, name)| (gpio, format!("[{section}] {name}"))).collect())
        };
        let mut pins = of("board", &self.board)?;
        if self.game.blind == Blind::Both {
            // A bus may have both boards on it: `seats` looks at those.
            let bus = ["SCLK", "MISO", "MOSI", "SDA", "SCL", "CS"];
            let black = of("board_black", &self.board_black)?;
            let own = |(_, name): &(u8, String)| !bus.iter().any(|bus| name.ends_with(bus));
            pins.extend(black.into_iter().filter(own));
        }
        if self.has_buttons() {
            pins.extend(self.buttons.pins.pins());
        }
        pins.extend(self.lights.pins());
        no_pin_twice(&pins).map_err(|err| err.to_string())
    }

    /// The configuration of a game that begins now.
    pub fn game(&self) -> GameConfig {
        GameConfig {
            white: plain(&self.game.white),
            black: plain(&self.game.black),
            blind: self.game.blind,
            opponent_deaf: self.game.opponent_deaf,
            time_control: self.game.time_control.to_string(),
            start: self.game.start.clone(),
            words: self.speech.words.clone(),
            prompts: self.speech.prompts.clone(),
            public: Manner {
                volume: self.speech.public_volume,
                words_per_minute: self.speech.public_rate,
            },
            private: Manner {
                volume: self.speech.private_volume,
                words_per_minute: self.speech.private_rate,
            },
            private_black: (self.game.blind == Blind::Both
                && self.speech.sounds_otherwise_to_black())
            .then(|| {
                let black = self.speech.of_black();
                Manner { volume: black.private_volume, words_per_minute: black.private_rate }
            }),
            short_announcements: self.speech.announce_form == AnnounceForm::Short,
            repetition: self.speech.repetition,
            hearing: self.hearing,
            sighted_board: self.sighted.kind != SightedKind::None,
            hands: self.hands(),
            display: self.console.listen.is_some(),
            external_clock: self.clock.kind != ClockKind::Internal,
            alarms_s: self.clock.alarms.clone(),
            at_home: self.game.at_home,
            heartbeat_ms: self.clock.heartbeat_s * 1000,
            duties: self.duties,
            sensing: self.board.sensing,
            judge: self.sighted.judge,
            rules: self.game.rules,
            no_draw_before: self.game.no_draw_before,
        }
    }
}
