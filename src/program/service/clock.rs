//! The clock before the players and the game, kept together.
//!
//! # Who leads
//!
//! What the clock shows counts (6.10.1): the game's reckoning is brought within what is known of it
//! before every press. Whose time runs is decided by both: a lever pressed is a press for the game,
//! and where the game refuses it (D.2.4) or goes on by itself (D.2.10.3, a stop, a result) the clock
//! is set, if it lets itself be set.
//!
//! # Increments
//!
//! A clock that is set knows of no increments: the game adds them and sets it after each press.
//! One that keeps its own time control adds them itself and is only read.

use std::{sync::mpsc, time::Duration};

use shakmaty::Color;

use super::play::FromBoard;
use annabella_core::game::{At, ClockNews, ClockRead, Game, Input, LeverPressed, Running};
use annabella_devices::clock::{ClockDevice, ClockError, ClockSeen, Reading};

/// How long a clock is listened to before it is told something.
const PATIENCE: Duration = Duration::from_millis(50);
/// A clock that is set by the service and is further off than this has not been set yet, was set by
/// somebody else, or has forgotten: it is set again, milliseconds.
const OFF_MS: u64 = 1000;
/// A clock that is set again and again to no avail is left alone for so long.
const TIRED_MS: u64 = 10_000;

/// A message is at most so old, milliseconds. Source: the e-board's protocol.
const LATE_MS: u64 = 1100;

/// What a clock is told.
#[derive(Debug)]
enum ToClock {
    Set { white_ms: u64, black_ms: u64, running: Option<Color> },
    Show(Option<String>),
}

/// What a clock's thread reports.
#[derive(Debug)]
pub enum FromClock {
    /// It reported this.
    Seen(ClockSeen),
    /// It was set, or not.
    Set(Result<(), ClockError>),
    /// It shows the letters that it was told, or never will.
    Shown,
}

/// The clock, followed by what the game makes of it.
#[derive(Debug)]
pub struct ClockEnd {
    /// It lets itself be set.
    sets: bool,
    to_clock: mpsc::Sender<ToClock>,
    reading: Option<Reading>,
    there: bool,
    lost_ms: Option<u64>,
    /// Since when nothing that it said counted, because it was being told.
    deaf_ms: Option<u64>,
    /// The side that both the clock and the game last had running: whichever has another now moved.
    both: Option<Color>,
    /// It was told, and has not answered.
    setting: Option<Told>,
    /// How much more than the game's reckoning it showed when it was set: it shows whole seconds.
    more_ms: [u64; 2],
    whole_seconds: bool,
    /// What it was last told to no avail, and when.
    tired: Option<(Told, u64)>,
    battery_told: bool,
    /// What its display should show in place of the times, and what it was told.
    wanted: Option<String>,
    text: Option<String>,
    /// It was told letters and has not answered: one command at a time, and times must not wait.
    showing: bool,
    /// Milliseconds of its time that the service's clock is ahead.
    ahead_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    white_ms: u64,
    black_ms: u64,
    running: Option<Color>,
}

/// How a clock is used.
#[derive(Clone, Copy, Debug)]
pub struct ClockUse {
    /// It is set by the service; else only read.
    pub sets: bool,
    /// It shows, and is set to, whole seconds.
    pub whole_seconds: bool,
    /// Milliseconds of its time that the service's clock is ahead.
    pub ahead_ms: u64,
}

impl ClockEnd {
    /// Another game begins: nothing that was agreed with the clock for the last one holds.
    pub fn restart(&mut self) {
        self.both = None;
        self.more_ms = [0, 0];
        self.tired = None;
    }

    /// Starts to listen to the clock.
    pub fn open(
        mut clock: Box<dyn ClockDevice>,
        how: ClockUse,
        to_game: tokio::sync::mpsc::Sender<FromBoard>,
    ) -> ClockEnd {
        let (to_clock, orders) = mpsc::channel();
        std::thread::spawn(move || {
            let (mut setting, mut showing) = (None, None);
            loop {
                loop {
                    match orders.try_recv() {
                        Ok(ToClock::Set { white_ms, black_ms, running }) => {
                            setting = Some(clock.set(white_ms, black_ms, running));
                        }
                        Ok(ToClock::Show(text)) => showing = Some(clock.show(text.as_deref())),
                        Err(mpsc::TryRecvError::Empty) => break,
                        // The game is over and gone.
                        Err(mpsc::TryRecvError::Disconnected) => return,
                    }
                }
                let news = match clock.next(PATIENCE) {
                    Some(ClockSeen::Answered { number, result }) if setting == Some(number) => {
                        FromClock::Set(result)
                    }
                    Some(ClockSeen::Answered { number, .. }) if showing == Some(number) => {
                        FromClock::Shown
                    }
                    Some(ClockSeen::Answered { .. }) | None => continue,
                    Some(seen) => FromClock::Seen(seen),
                };
                if to_game.blocking_send(FromBoard::Clock(news)).is_err() {
                    return;
                }
            }
        });
        ClockEnd {
            sets: how.sets,
            to_clock,
            reading: None,
            there: false,
            lost_ms: None,
            deaf_ms: None,
            both: None,
            setting: None,
            more_ms: [0, 0],
            whole_seconds: how.whole_seconds,
            tired: None,
            battery_told: false,
            wanted: None,
            text: None,
            showing: false,
            ahead_ms: how.ahead_ms,
        }
    }

    /// Shows a few letters on it, or the times again.
    pub fn show(&mut self, text: Option<&str>) {
        if self.wanted.as_deref() != text {
            self.wanted = text.map(str::to_owned);
        }
        if self.wanted != self.text && self.there && self.setting.is_none() && !self.showing {
            self.text.clone_from(&self.wanted);
            self.showing = true;
            self.tell(ToClock::Show(self.text.clone()));
        }
    }

    /// Takes in what the clock reports, when the game stands like this. Gives what is to be told to
    /// the game, in order, and one line for a person.
    pub fn seen(
        &mut self,
        news: FromClock,
        game: &Game,
        now_ms: u64,
    ) -> (Vec<Input>, Option<String>) {
        match news {
            FromClock::Set(result) => (Vec::new(), self.was_set(result, now_ms)),
            FromClock::Shown => {
                self.showing = false;
                (Vec::new(), None)
            }
            FromClock::Seen(ClockSeen::Lost { .. }) => {
                (self.there, self.setting) = (false, None);
                (self.text, self.showing) = (None, false);
                self.lost_ms = Some(now_ms);
                (vec![Input::Clock(ClockNews::Lost)], None)
            }
            FromClock::Seen(ClockSeen::Back { .. }) => {
                self.there = true;
                self.reading = None;
                self.tired = None;
                (vec![Input::Clock(ClockNews::Back)], None)
            }
            FromClock::Seen(ClockSeen::Reading(reading)) => self.read(reading, game, now_ms),
            FromClock::Seen(ClockSeen::Button { name: "run", .. }) if is_waiting(game, now_ms) => {
                (vec![Input::ClockStarted], None)
            }
            FromClock::Seen(ClockSeen::Button { .. } | ClockSeen::Answered { .. }) => {
                (Vec::new(), None)
            }
        }
    }

    fn was_set(&mut self, result: Result<(), ClockError>, now_ms: u64) -> Option<String> {
        let told = self.setting.take()?;
        match result {
            // An answer may get lost; whether it was set is seen by what it shows.
            Ok(()) | Err(ClockError::Missing) => {
                self.tired = None;
                let shown =
                    |ms: u64| if self.whole_seconds { ms.div_ceil(1000) * 1000 } else { ms };
                self.more_ms = [told.white_ms, told.black_ms].map(|ms| shown(ms) - ms);
                // What it said before is no news any more.
                self.reading = None;
                None
            }
            Err(err @ ClockError::Refused) => {
                let first = self.tired.is_none();
                self.tired = Some((told, now_ms));
                first.then(|| format!("[clock]: {err}"))
            }
        }
    }

    fn read(
        &mut self,
        mut reading: Reading,
        game: &Game,
        now_ms: u64,
    ) -> (Vec<Input>, Option<String>) {
        let low = reading.battery_low && !self.battery_told;
        self.battery_told |= reading.battery_low;
        let line = low.then(|| "the clock's battery is low: change it after the game".to_owned());
        self.there = true;
        let late_ms = now_ms.saturating_sub(self.ahead_ms).saturating_sub(reading.at_ms);
        match reading.running {
            Some(Color::White) => reading.white = reading.white.after_ms(late_ms),
            Some(Color::Black) => reading.black = reading.black.after_ms(late_ms),
            None => {}
        }
        reading.at_ms = now_ms;
        self.reading = Some(reading);
        if self.setting.is_some() {
            return (Vec::new(), line);
        }
        (self.news(reading, game, now_ms), line)
    }

    fn news(&mut self, reading: Reading, game: &Game, now_ms: u64) -> Vec<Input> {
        let Some((white_ms, black_ms, running)) = game.clock(At::new(now_ms)) else {
            return Vec::new();
        };
        let game_runs = color_of(running);
        let ranges = self.ranges(&reading);
        let since_ms = |moment: Option<u64>| moment.map_or(0, |ms| now_ms.saturating_sub(ms));
        let unheard_ms = since_ms(self.lost_ms).max(since_ms(self.deaf_ms));
        if self.sets {
            let off = |ms: u64, (least, most): (u64, u64)| {
                ms.saturating_sub(most).max(least.saturating_sub(ms))
            };
            // It begins, or has forgotten, or somebody set it: the game's times are put on it.
            let off_ms = off(white_ms, ranges[0]).max(off(black_ms, ranges[1]));
            let pressed = game_runs.is_some() && reading.running == game_runs.map(Color::other);
            if off_ms > OFF_MS && !pressed {
                return Vec::new();
            }
        }
        (self.lost_ms, self.deaf_ms) = (None, None);
        if game_runs == reading.running {
            self.both = game_runs;
        }
        let shown = |running| ClockRead {
            white_ms: ranges[0],
            black_ms: ranges[1],
            running,
            fallen: reading.fallen,
        };
        let read = |running| Input::Clock(ClockNews::Read(shown(running)));
        match (game_runs, reading.running) {
            // The game went on without the clock: it is set.
            (Some(game_runs), Some(runs))
                if self.sets && runs != game_runs && self.both == Some(runs) =>
            {
                Vec::new()
            }
            (Some(game_runs), Some(runs)) if runs != game_runs => {
                vec![Input::Clock(ClockNews::Pressed(LeverPressed {
                    seat: game_runs,
                    read: shown(running_of(Some(runs))),
                    late_ms: LATE_MS + unheard_ms,
                    adds: !self.sets,
                }))]
            }
            (None, Some(_)) => vec![Input::ClockStarted, read(Running::None)],
            // Stopped on the clock itself; where it is set by the service nobody else stops it.
            (Some(_), None) if self.sets => Vec::new(),
            (_, runs) => {
                let news = read(running_of(runs));
                let outside = |ms: u64, (least, most): (u64, u64)| ms < least || ms > most;
                let told = outside(white_ms, ranges[0])
                    || outside(black_ms, ranges[1])
                    || runs != game_runs
                    || reading.fallen.is_some();
                if told { vec![news] } else { Vec::new() }
            }
        }
    }

    /// What the game's times may be, by what the clock shows.
    fn ranges(&self, reading: &Reading) -> [(u64, u64); 2] {
        let [white, black] = [(reading.white, 0), (reading.black, 1)].map(|(known, index)| {
            let more_ms = self.more_ms[index];
            (known.least_ms.saturating_sub(more_ms), known.most_ms.saturating_sub(more_ms))
        });
        [white, black]
    }

    /// The game went on: so does the clock. Gives a press that the lever made long ago and the game
    /// can take in only now.
    pub fn follow(&mut self, game: &Game, now_ms: u64) -> Vec<Input> {
        let Some(record) = game.record() else { return Vec::new() };
        let Some((white_ms, black_ms, running)) = game.clock(At::new(now_ms)) else {
            return Vec::new();
        };
        let (Some(reading), true, None, false) =
            (self.reading, self.there, self.setting, self.showing)
        else {
            return Vec::new();
        };
        let running = color_of(running);
        if running == reading.running {
            self.both = running;
        }
        if !self.sets {
            let open = record.line.last().filter(|ply| ply.completed.is_none());
            let late = open.filter(|ply| {
                Some(ply.mover) == running && reading.running == Some(ply.mover.other())
            });
            return late.map(|ply| Input::Pressed { seat: ply.mover }).into_iter().collect();
        }
        let passed_ms = now_ms.saturating_sub(reading.at_ms);
        let mut reading = reading;
        match reading.running {
            Some(Color::White) => reading.white = reading.white.after_ms(passed_ms),
            Some(Color::Black) => reading.black = reading.black.after_ms(passed_ms),
            None => {}
        }
        let ranges = self.ranges(&reading);
        let differs = |ms: u64, (least, most): (u64, u64)| {
            ms.saturating_sub(most).max(least.saturating_sub(ms)) > OFF_MS
        };
        let over = record.ended.is_some();
        let times = differs(white_ms, ranges[0]) || differs(black_ms, ranges[1]);
        if running != reading.running || (times && !over) {
            let told = Told { white_ms, black_ms, running };
            let tired = self.tired.is_some_and(|(_, at_ms)| now_ms < at_ms + TIRED_MS);
            if !tired {
                self.setting = Some(told);
                self.deaf_ms.get_or_insert(now_ms);
                self.tell(ToClock::Set { white_ms, black_ms, running });
            }
        }
        Vec::new()
    }

    fn tell(&self, order: ToClock) {
        // A clock whose thread has ended was told of as lost.
        let _ = self.to_clock.send(order);
    }
}

/// No move has been made and no time runs.
fn is_waiting(game: &Game, now_ms: u64) -> bool {
    let stands =
        game.clock(At::new(now_ms)).is_some_and(|(_, _, running)| running == Running::None);
    stands && game.ended().is_none()
}

fn color_of(running: Running) -> Option<Color> {
    match running {
        Running::White => Some(Color::White),
        Running::Black => Some(Color::Black),
        Running::None => None,
    }
}

fn running_of(color: Option<Color>) -> Running {
    match color {
        Some(Color::White) => Running::White,
        Some(Color::Black) => Running::Black,
        None => Running::None,
    }
}
