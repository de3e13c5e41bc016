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
use crate::{
    clock::{ClockDevice, ClockError, ClockSeen, Reading},
    game::{At, ClockNews, ClockRead, Game, Input, Running},
};

/// How long a clock is listened to before it is told something.
const PATIENCE: Duration = Duration::from_millis(50);
/// A clock that is set by the service and is further off than this has not been set yet, was set by
/// somebody else, or has forgotten: it is set again, milliseconds.
const OFF_MS: u64 = 1000;
/// A clock that is set again and again to no avail is left alone for so long.
const TIRED_MS: u64 = 10_000;

/// A message is at most so old, milliseconds. Source: the e-board's protocol.
const LATE_MS: u64 = 1100;
/// No time is longer, milliseconds.
const ANY_MS: u64 = u64::MAX / 4;

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
        let read = |running| {
            let news = ClockRead {
                white_ms: ranges[0],
                black_ms: ranges[1],
                running,
                fallen: reading.fallen,
            };
            Input::Clock(ClockNews::Read(news))
        };
        match (game_runs, reading.running) {
            // The game went on without the clock: it is set.
            (Some(game_runs), Some(runs))
                if self.sets && runs != game_runs && self.both == Some(runs) =>
            {
                Vec::new()
            }
            (Some(game_runs), Some(runs)) if runs != game_runs => {
                let pressed = Input::Pressed { seat: game_runs };
                // A clock with increments of its own has added them already.
                if !self.sets {
                    return vec![pressed, read(running_of(Some(runs)))];
                }
                let now = [white_ms, black_ms];
                let late_ms = LATE_MS + unheard_ms;
                let (before, after) = late_press(game_runs, now, late_ms, ranges, reading.fallen);
                vec![before, pressed, after]
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

/// A press is heard of up to a second late. The middle of what it may have been is taken, so that
/// nobody gains or loses over many moves; what one player did not use after all the other one did.
/// Gives the readings before and after the press is taken in.
fn late_press(
    mover: Color,
    now_ms: [u64; 2],
    late_ms: u64,
    ranges: [(u64, u64); 2],
    fallen: Option<Color>,
) -> (Input, Input) {
    let (own, other) = mover.fold_wb((0, 1), (1, 0));
    let reckoned = (now_ms[own], now_ms[own].saturating_add(late_ms));
    let (least, most) = (reckoned.0.max(ranges[own].0), reckoned.1.min(ranges[own].1));
    let own_ms = if least <= most {
        least.midpoint(most)
    } else if least - most <= OFF_MS {
        // Each counts whole milliseconds, or seconds, from a moment of its own: what the clock shows
        // counts (6.10.1).
        now_ms[own].clamp(ranges[own].0, ranges[own].1)
    } else {
        // The clock had not been set yet.
        now_ms[own] + LATE_MS / 2
    };
    let late_ms = own_ms.saturating_sub(now_ms[own]);
    let other_ms = now_ms[other].saturating_sub(late_ms);
    let read = |times: [(u64, u64); 2], runs: Color| {
        let running = running_of(Some(runs));
        let news = ClockRead { white_ms: times[0], black_ms: times[1], running, fallen };
        Input::Clock(ClockNews::Read(news))
    };
    let (mut before, mut after) = ([(0, ANY_MS); 2], [(0, ANY_MS); 2]);
    before[own] = (own_ms, own_ms);
    before[other] = (now_ms[other], now_ms[other]);
    after[other] = (other_ms, other_ms);
    (read(before, mover), read(after, mover.other()))
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// White's time before he is taken to have pressed, when the game reckons `now_ms` for him and
    /// his clock shows this.
    fn pressed_at_ms(now_ms: u64, shown_ms: (u64, u64)) -> u64 {
        let ranges = [shown_ms, (5_430_000, 5_430_000)];
        let (before, _) = late_press(Color::White, [now_ms, 5_430_000], LATE_MS, ranges, None);
        match before {
            Input::Clock(ClockNews::Read(read)) => read.white_ms.0,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_middle_of_what_a_late_press_may_have_been_is_taken() {
        assert_eq!(pressed_at_ms(60_000, (60_000, 60_999)), 60_499);
        assert_eq!(pressed_at_ms(60_000, (59_500, 60_400)), 60_200);
    }

    #[test]
    fn a_clock_that_was_not_set_yet_says_nothing_of_a_late_press() {
        assert_eq!(pressed_at_ms(60_000, (5_400_000, 5_400_999)), 60_550);
        assert_eq!(pressed_at_ms(60_000, (0, 0)), 60_550);
    }

    proptest! {
        /// It once gave the player half a second where the two were a millisecond apart.
        #[test]
        fn an_exact_clock_counts_to_the_millisecond(
            now_ms in 10_000u64..5_430_000,
            off_ms in -1000i64..=2100,
        ) {
            let shown_ms = now_ms.saturating_add_signed(off_ms);
            prop_assert_eq!(pressed_at_ms(now_ms, (shown_ms, shown_ms)), shown_ms);
        }
    }
}
