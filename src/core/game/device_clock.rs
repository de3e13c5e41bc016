//! The clock before the players, where it is a device of its own, and what is said of the time.

use serde::{Deserialize, Serialize};
use serde_json::json;
use shakmaty::Color;

use super::{
    Article, Play, Refused, Running, Urgency,
    press::LeverPressed,
    standing::{FLAG_CLAIMED, FLAGS_UP},
};
use annabella_words::phrase::{Note, Prompt, Slot};

/// A report of a separate clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClockNews {
    /// Its lever went down.
    Pressed(LeverPressed),
    Read(ClockRead),
    /// The clock is lost. The game counts the times from here on.
    Lost,
    /// The clock is back.
    Back,
    /// It does not let itself be set.
    Refuses,
    /// It runs against its lever: this player's side has to be pressed down, or his opponent cannot
    /// press.
    LeverLies(#[serde(with = "annabella_words::text")] Color),
}

/// A clock's reading: between the least and the most, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockRead {
    /// White's time left.
    pub white_ms: (u64, u64),
    pub black_ms: (u64, u64),
    /// Which side runs.
    pub running: Running,
    /// The side whose flag has fallen.
    #[serde(
        default,
        with = "annabella_words::text::option",
        skip_serializing_if = "Option::is_none"
    )]
    pub fallen: Option<Color>,
}

/// The clock before the players, when it is no part of this program.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct DeviceClock {
    /// The clock has been read and is there.
    there: bool,
    /// It was there before.
    seen: bool,
    /// It was reported as missing before it was ever there.
    missed: bool,
    fallen: Option<Color>,
}

impl Play {
    /// Takes in a clock's report.
    pub(super) fn clock_news(&mut self, news: ClockNews) -> Result<(), Refused> {
        if !self.terms.config.external_clock {
            let text = Note::OwnClock;
            return Err(Refused::new(Article::A6_10_1, text));
        }
        match news {
            ClockNews::Lost => {
                // Presses on a clock that was never found count for nothing: their player has to
                // know why.
                let never = !self.timing.device.seen;
                let news = never && !std::mem::replace(&mut self.timing.device.missed, true);
                if (std::mem::take(&mut self.timing.device.there) || news) && !self.is_over() {
                    self.problem(Article::A6_10_1, Note::ClockSilent, json!({ "device": "clock" }));
                    self.tell_blind(Urgency::Hint, Prompt::ClockLost, &[]);
                }
            }
            ClockNews::Back => {
                let known = self.timing.device.seen || self.timing.device.missed;
                if !std::mem::replace(&mut self.timing.device.there, true)
                    && known
                    && !self.is_over()
                {
                    self.tell_blind(Urgency::Hint, Prompt::ClockBack, &[]);
                }
                self.timing.device.seen = true;
            }
            ClockNews::Refuses => {
                self.problem(
                    Article::A6_10_1,
                    Note::ClockRefuses,
                    json!({ "device": "clock", "refuses": true }),
                );
                self.tell_blind(Urgency::Hint, Prompt::ClockRefuses, &[]);
            }
            ClockNews::LeverLies(player) if !self.is_over() => {
                let (note, told) = (Note::LeverLies { player }, json!({ "device": "clock" }));
                self.problem(Article::A6_10_1, note, told);
                self.tell_blind(Urgency::Hint, Prompt::LeverLies, &[Slot::Player(player)]);
            }
            ClockNews::LeverLies(_) => {}
            ClockNews::Read(read) => self.clock_read(read),
            ClockNews::Pressed(lever) => return self.lever_pressed(lever),
        }
        Ok(())
    }

    /// The clock before the players does not answer: not any more, or not yet.
    pub(super) fn clock_is_lost(&self) -> bool {
        let known = self.timing.device.seen || self.timing.device.missed;
        self.terms.config.external_clock && known && !self.timing.device.there
    }

    /// The times on the clock count (6.10.1).
    pub(super) fn clock_read(&mut self, read: ClockRead) {
        self.timing.device.there = true;
        self.timing.device.seen = true;
        self.timing.device.fallen = read.fallen;
        if self.is_over() {
            return;
        }
        let before = self.timing.clock.reading(self.at);
        let mut changed = false;
        for color in Color::ALL {
            let (least_ms, most_ms) = color.fold_wb(read.white_ms, read.black_ms);
            changed |= self.timing.clock.read(self.at, color, least_ms, most_ms);
        }
        match (before.2, read.running) {
            (Running::None, Running::White) => self.timing.clock.start(self.at, Color::White),
            (Running::None, Running::Black) => self.timing.clock.start(self.at, Color::Black),
            (Running::White | Running::Black, Running::None) => self.timing.clock.stop(self.at),
            _ => {}
        }
        if changed || self.timing.clock.reading(self.at).2 != before.2 {
            self.tell_clock();
        }
        self.ask_rule(&FLAGS_UP);
        self.ask_rule(&FLAG_CLAIMED);
    }

    /// Whether this player's flag is down. A clock before the players names one of two: the other
    /// is down when it stands at nothing.
    pub(super) fn is_down(&self, of: Color) -> bool {
        let first = self.fallen();
        first == Some(of) || first.is_some() && self.timing.clock.fell_at(self.at, of).is_some()
    }

    /// The side whose flag has fallen: by the clock before the players while it answers, otherwise
    /// by the game's own count.
    pub(super) fn fallen(&self) -> Option<Color> {
        if self.timing.device.there {
            self.timing.device.fallen
        } else {
            self.timing.clock.flag(self.at)
        }
    }

    /// The player who is to be warned, and the times that are reached, seconds.
    pub(super) fn alarms_reached(&self) -> Option<(Color, Vec<u32>)> {
        let color = self.timing.clock.running().filter(|color| self.seats[*color].blind)?;
        let left_ms = self.timing.clock.remaining_ms(self.at, color);
        let due = |alarm_s: &&u32| u64::from(**alarm_s) * 1000 >= left_ms;
        let told = &self.timing.alarmed[color];
        let reached = self.terms.config.alarms_s.iter().filter(due);
        let news: Vec<u32> = reached.filter(|alarm_s| !told.contains(alarm_s)).copied().collect();
        (!news.is_empty()).then_some((color, news))
    }

    /// A time of which the player wants to be warned is reached.
    pub(super) fn warn_of_time(&mut self, color: Color, reached_s: &[u32]) {
        self.timing.alarmed[color].extend(reached_s);
        // Several at once, as after a correction: the shortest says it.
        if let Some(alarm_s) = reached_s.iter().copied().min().filter(|_| !self.is_over()) {
            let slot = Slot::Duration(u64::from(alarm_s) * 1000);
            self.tell(color, Urgency::Answer, Prompt::TimeWarning, &[slot]);
        }
    }

    /// When the next warning is due.
    pub(super) fn alarm_due(&self) -> Option<super::At> {
        let color = self.timing.clock.running().filter(|color| self.seats[*color].blind)?;
        let told = &self.timing.alarmed[color];
        let open = self.terms.config.alarms_s.iter().filter(|alarm_s| !told.contains(alarm_s));
        open.filter_map(|alarm_s| self.timing.clock.when_left(self.at, u64::from(*alarm_s) * 1000))
            .min()
    }
}
