//! How a game is played: everything that is chosen before it.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use super::Rules;
use crate::sight::judge::JudgeSettings;
use annabella_words::phrase::hear::Thresholds;

/// Nobody wants to be warned of more times than this.
pub const MOST_ALARMS: usize = 20;

/// Which seats have a peg board and the rules of Appendix D.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum Blind {
    /// White is the visually disabled player.
    #[default]
    White,
    Black,
    Both,
}

impl Blind {
    /// Whether the player of this colour is visually disabled.
    pub fn is(self, color: Color) -> bool {
        match self {
            Blind::White => color.is_white(),
            Blind::Black => color.is_black(),
            Blind::Both => true,
        }
    }
}

/// The assistant's duties of D.2.10 and D.2.11, each switched on or off by itself.
///
/// Source: FIDE D.2.10.1 to D.2.10.6.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Duties {
    /// D.2.10.1: make either player's move on the opponent's board.
    pub relay: bool,
    /// D.2.10.2: announce the moves of both players.
    pub announce: bool,
    /// D.2.10.3: keep the blind player's game score.
    pub keep_score: bool,
    /// D.2.10.3: start the opponent's clock.
    pub start_clock: bool,
    /// How long after the player's move is made the clock is pressed for him, milliseconds.
    /// Meanwhile his hands may correct a slip.
    pub start_clock_after_ms: u64,
    /// D.2.10.4: inform the blind player, on request only, of moves made and time used.
    pub inform: bool,
    /// D.2.10.5: claim the game when the time limit is exceeded, report touches.
    pub claim: bool,
    /// D.2.10.6: carry out the formalities of an adjournment.
    pub adjourn: bool,
}

impl Default for Duties {
    fn default() -> Duties {
        Duties {
            relay: true,
            announce: true,
            keep_score: true,
            start_clock: false,
            start_clock_after_ms: 1500,
            inform: true,
            claim: true,
            adjourn: true,
        }
    }
}

/// Times that decide when a board is still. All in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SensingConfig {
    /// A reed must read the same for this long before it counts.
    pub debounce_ms: u64,
    /// A board must be still for this long before a move counts as executed.
    pub settle_ms: u64,
    /// A rook that may be the first half of castling waits this long for the king.
    pub castling_ms: u64,
    /// An unannounced move that ends the game waits this long: a peg may rest in a mating hole on
    /// its way.
    pub ending_ms: u64,
    /// A board that fits no move and is still for this long is guided back.
    pub guide_ms: u64,
    /// A piece that has rested in its hole for this long is released (4.7): to move it on is to
    /// change a made move. Sooner it is a slip.
    pub released_ms: u64,
}

impl Default for SensingConfig {
    fn default() -> SensingConfig {
        SensingConfig {
            debounce_ms: 20,
            settle_ms: 400,
            castling_ms: 1500,
            ending_ms: 1500,
            guide_ms: 5000,
            released_ms: 1000,
        }
    }
}

/// How a channel sounds at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Manner {
    /// 0 to 100.
    pub volume: u8,
    /// 80 to 450.
    pub words_per_minute: u16,
}

impl Default for Manner {
    fn default() -> Manner {
        Manner { volume: 100, words_per_minute: 160 }
    }
}

/// What one request for louder or quieter changes, percent. Nothing becomes quieter than this by
/// ear: the opponent hears each announcement (D.2.1), and who hears nothing cannot make it louder.
const VOLUME_STEP: u8 = 10;
/// What one request for faster or slower changes, and its limits, words a minute.
const RATE_STEP: u16 = 20;
const RATES: (u16, u16) = (80, 450);

/// The volume after a request for louder (`up`) or quieter.
pub(crate) fn louder(volume: u8, up: bool) -> u8 {
    let volume =
        if up { volume.saturating_add(VOLUME_STEP) } else { volume.saturating_sub(VOLUME_STEP) };
    volume.clamp(VOLUME_STEP, 100)
}

/// The words a minute after a request for faster (`up`) or slower.
pub(crate) fn faster(rate: u16, up: bool) -> u16 {
    let rate = if up { rate.saturating_add(RATE_STEP) } else { rate.saturating_sub(RATE_STEP) };
    rate.clamp(RATES.0, RATES.1)
}

/// How it is known what a blind player's hands did on his board (D.2.3.1, D.2.3.2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(rename_all = "lowercase")]
pub enum HandsKnown {
    /// Sensors feel it.
    #[default]
    Felt,
    /// No sensor sees the board: announcements by the player, and to him, count as executed.
    Announced,
    /// Nobody sees it: he says it when it is done.
    Spoken,
}

/// [`HandsKnown`] of both players; of a sighted player it says nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Default)]
#[serde(default, deny_unknown_fields)]
pub struct HandsOf {
    pub white: HandsKnown,
    pub black: HandsKnown,
}

impl HandsOf {
    /// This player's.
    pub fn of(self, color: Color) -> HandsKnown {
        color.fold_wb(self.white, self.black)
    }

    /// Sensors feel what both do.
    pub fn are_felt(&self) -> bool {
        *self == HandsOf::default()
    }

    /// As the players change places.
    #[must_use]
    pub fn swapped(self) -> HandsOf {
        HandsOf { white: self.black, black: self.white }
    }
}

/// A game's facts about its surroundings, fixed at its start and kept in the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GameConfig {
    /// White's name, as it goes into the score.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The players on pegs.
    pub blind: Blind,
    /// The opponent is deaf: D.2.11 asks for an assistant or a display.
    pub opponent_deaf: bool,
    /// Time control as text, parsed by [`crate::game::clock::TimeControl`]: `40/90+30:30+30`.
    pub time_control: String,
    /// Starting position, if it is not the usual one (FEN).
    pub start: Option<String>,
    /// Move language: which pack names squares and pieces (`fide`).
    pub words: String,
    /// Prompt language of the player (`de`).
    pub prompts: String,
    /// Volume and rate of the loudspeaker; the player changes them as he plays.
    pub public: Manner,
    /// Volume and rate of his earphone; of two blind players White's.
    pub private: Manner,
    /// Of two blind players Black's, if it differs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub private_black: Option<Manner>,
    /// Announcements leave out what the position makes clear.
    pub short_announcements: bool,
    /// Whether the sighted player has a board that reports his moves. Without one his moves are
    /// those executed on the peg board.
    pub sighted_board: bool,
    /// How it is known what each blind player's hands did.
    #[serde(default, skip_serializing_if = "HandsOf::are_felt")]
    pub hands: HandsOf,
    /// There is a display that shows what is said aloud: a deaf opponent needs one (D.2.11).
    pub display: bool,
    /// The clock before the players is a separate device, and its times count (6.10.1).
    #[serde(default, skip_serializing_if = "is_false")]
    pub external_clock: bool,
    /// Times left, in seconds, at which the blind player is warned privately, [`MOST_ALARMS`] of
    /// them; empty unless switched on (D.2.6).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub alarms_s: Vec<u32>,
    /// Nobody's tournament: a program may play for the sighted player, and every record says so.
    #[serde(default, skip_serializing_if = "is_false")]
    pub at_home: bool,
    /// The longest interval between journal entries while a clock runs, milliseconds. After a power
    /// cut the readings are that uncertain.
    pub heartbeat_ms: u64,
    /// The opponent's repetition of a move (D.2.1) is compared with the move.
    pub repetition: bool,
    /// When something heard is accepted, asked about, asked for again.
    pub hearing: Thresholds,
    /// Classical, rapid or blitz; penalties depend on it (A, B).
    pub rules: Rules,
    /// The number of moves by each player before a draw may be agreed (9.1.1).
    pub no_draw_before: u32,
    /// The assistant's duties.
    pub duties: Duties,
    /// Settle times.
    pub sensing: SensingConfig,
    /// When the sighted player's board counts as moved on, left behind or wrong.
    pub judge: JudgeSettings,
}

impl Default for GameConfig {
    fn default() -> GameConfig {
        GameConfig {
            white: String::new(),
            black: String::new(),
            blind: Blind::White,
            opponent_deaf: false,
            time_control: "40/90+30:30+30".to_owned(),
            start: None,
            words: "fide".to_owned(),
            prompts: "de".to_owned(),
            public: Manner::default(),
            private: Manner::default(),
            private_black: None,
            short_announcements: false,
            sighted_board: false,
            hands: HandsOf::default(),
            display: true,
            external_clock: false,
            alarms_s: Vec::new(),
            at_home: false,
            heartbeat_ms: 10_000,
            repetition: true,
            hearing: Thresholds::default(),
            rules: Rules::default(),
            no_draw_before: 0,
            duties: Duties::default(),
            sensing: SensingConfig::default(),
            judge: JudgeSettings::default(),
        }
    }
}

impl GameConfig {
    /// How the earphone for this player's affairs sounds at the start.
    pub fn earphone(&self, seat: Color) -> Manner {
        match (self.blind, seat) {
            (Blind::Both, Color::Black) => self.private_black.unwrap_or(self.private),
            _ => self.private,
        }
    }

    /// The same, to be changed.
    pub fn earphone_mut(&mut self, seat: Color) -> &mut Manner {
        match (self.blind, seat) {
            (Blind::Both, Color::Black) => self.private_black.get_or_insert(self.private),
            _ => &mut self.private,
        }
    }
}

fn is_false(switch: &bool) -> bool {
    !switch
}
