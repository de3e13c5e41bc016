//! The clock before the players and the game, kept together.
//!
//! # Who leads
//!
//! The times on the clock count (6.10.1). Before every press the game's times are brought within
//! the clock's range. Both sides decide whose time runs. A lever pressed is a press for the game.
//! Where the game refuses it (D.2.4), or goes on by itself (D.2.10.3, a stop, a result), the clock
//! is set, if it can be set.
//!
//! # Increments
//!
//! A clock that is set knows no increments: the game adds them and sets the clock after each press.
//! A clock with a time control of its own adds them itself and is only read.

use std::{sync::mpsc, time::Duration};

use shakmaty::Color;

use super::news::{FromClock, FromDevice, ToGame};
use annabella_core::game::{At, ClockNews, ClockRead, Game, Input, LeverPressed, Running};
use annabella_devices::clock::{ClockDevice, ClockError, ClockSeen, Reading, SetTo};

/// The longest wait for the clock before it gets its orders.
const PATIENCE: Duration = Duration::from_millis(50);
/// A clock that is set by the service and is further off than this has not been set yet, was set by
/// somebody else, or has forgotten: it is set again, milliseconds.
const OFF_MS: u64 = 1000;
/// After several commands in vain the clock is left alone for this long.
const TIRED_MS: u64 = 10_000;
/// What a line and a busy machine may add to what is known of a press, milliseconds.
const SLACK_MS: u64 = 50;

/// An order to a clock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToClock {
    Set {
        /// White's, milliseconds.
        white_ms: u64,
        /// Black's, milliseconds.
        black_ms: u64,
        running: Option<Color>,
    },
    /// To show a few letters, or the times again.
    Show(Option<String>),
}

/// The clock, followed by what the game makes of it.
#[derive(Debug)]
pub struct FollowedClock {
    sets: bool,
    to_clock: mpsc::Sender<ToClock>,
    reading: Option<Reading>,
    there: bool,
    /// The side that both the clock and the game last had running: whichever has another now moved.
    both: Option<Color>,
    /// The command that the clock has not answered yet.
    setting: Option<Told>,
    /// When it was last set.
    set_ms: u64,
    /// The times before one was started on a clock that stands: while it stands nobody uses any.
    stood: Option<Told>,
    /// How much more than the game's reckoning it showed when it was set: it shows whole seconds.
    more_ms: [u64; 2],
    /// When the last command was refused.
    tired_ms: Option<u64>,
    battery_told: bool,
    lever_told: bool,
    /// The side that runs on a clock that was started itself, and when the game was asked to start.
    asked_start: Option<(Color, u64)>,
    /// The text that its display should show in place of the times, and the text sent.
    wanted: Option<String>,
    text: Option<String>,
    /// A text was sent and not answered yet. Only one command is under way at a time, and times
    /// must not wait.
    showing: bool,
    /// Milliseconds of its time that the service's clock is ahead.
    ahead_ms: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Told {
    white_ms: u64,
    black_ms: u64,
    running: Option<Color>,
    /// When these were the times; none: a clock that stands shows them until it is set.
    at_ms: Option<u64>,
}

/// How a clock is used.
#[derive(Clone, Copy, Debug)]
pub struct ClockUse {
    /// The service sets the clock; otherwise it only reads it.
    pub sets: bool,
    /// Milliseconds of its time that the service's clock is ahead.
    pub ahead_ms: u64,
}

impl FollowedClock {
    /// Another game begins: nothing that was agreed with the clock for the last one holds.
    pub fn restart(&mut self) {
        self.both = None;
        self.more_ms = [0, 0];
        self.tired_ms = None;
        self.asked_start = None;
    }

    /// A clock that does what it is told through the receiver, and whose news are taken in with
    /// [`FollowedClock::seen`].
    pub fn new(how: ClockUse) -> (FollowedClock, mpsc::Receiver<ToClock>) {
        let (to_clock, orders) = mpsc::channel();
        let end = FollowedClock {
            sets: how.sets,
            to_clock,
            reading: None,
            there: false,
            both: None,
            setting: None,
            set_ms: 0,
            stood: None,
            more_ms: [0, 0],
            tired_ms: None,
            battery_told: false,
            lever_told: false,
            asked_start: None,
            wanted: None,
            text: None,
            showing: false,
            ahead_ms: how.ahead_ms,
        };
        (end, orders)
    }

    /// Starts to listen to the clock.
    pub fn open(mut clock: Box<dyn ClockDevice>, how: ClockUse, to_game: ToGame) -> FollowedClock {
        let (end, orders) = FollowedClock::new(how);
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
                    Some(ClockSeen::Answered { number, result, set })
                        if setting == Some(number) =>
                    {
                        FromClock::Set { result, to: set }
                    }
                    Some(ClockSeen::Answered { number, .. }) if showing == Some(number) => {
                        FromClock::Shown
                    }
                    Some(ClockSeen::Answered { .. }) | None => continue,
                    Some(seen) => FromClock::Seen(seen),
                };
                if to_game.blocking_send(FromDevice::Clock(news)).is_err() {
                    return;
                }
            }
        });
        end
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

    /// The clock's last reading, if the clock is there and not being set.
    pub fn times(&self) -> Option<&Reading> {
        self.reading.as_ref().filter(|_| self.there && self.setting.is_none())
    }

    /// Takes in the clock's report. Returns the inputs for the game, in order, and one line for a
    /// person.
    pub fn seen(
        &mut self,
        news: FromClock,
        game: &Game,
        now_ms: u64,
    ) -> (Vec<Input>, Option<String>) {
        match news {
            FromClock::Set { result, to } => {
                (self.was_set(result, to, now_ms).into_iter().collect(), None)
            }
            FromClock::Shown => {
                self.showing = false;
                (Vec::new(), None)
            }
            FromClock::Seen(ClockSeen::Lost { .. }) => {
                (self.there, self.setting, self.stood) = (false, None, None);
                (self.text, self.showing) = (None, false);
                (vec![Input::Clock(ClockNews::Lost)], None)
            }
            FromClock::Seen(ClockSeen::Back { .. }) => {
                self.there = true;
                self.reading = None;
                self.tired_ms = None;
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

    fn was_set(
        &mut self,
        result: Result<(), ClockError>,
        to: Option<SetTo>,
        now_ms: u64,
    ) -> Option<Input> {
        let told = self.setting.take()?;
        match result {
            // An answer may get lost; whether it was set is seen by what it shows.
            Ok(()) | Err(ClockError::Missing { .. }) => {
                self.tired_ms = None;
                if let Some(SetTo { white_ms, black_ms, at_ms }) = to {
                    let set_ms = at_ms + self.ahead_ms;
                    self.set_ms = set_ms;
                    let passed_ms = told.at_ms.map_or(0, |ms| set_ms.saturating_sub(ms));
                    let reckoned = |color: Color, ms: u64| match told.running == Some(color) {
                        true => ms.saturating_sub(passed_ms),
                        false => ms,
                    };
                    self.more_ms = [
                        white_ms.saturating_sub(reckoned(Color::White, told.white_ms)),
                        black_ms.saturating_sub(reckoned(Color::Black, told.black_ms)),
                    ];
                }
                // Earlier reports no longer count.
                self.reading = None;
                None
            }
            Err(ClockError::Refused { .. }) => {
                let first = self.tired_ms.is_none();
                self.tired_ms = Some(now_ms);
                first.then_some(Input::Clock(ClockNews::Refuses))
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
        reading.before_ms = reading.before_ms.saturating_add(self.ahead_ms);
        self.reading = Some(reading);
        if self.setting.is_some() {
            return (Vec::new(), line);
        }
        let mut inputs = self.news(reading, game, now_ms);
        // It runs as the game does, and whose time runs cannot press.
        let runs = game.clock(At::new(now_ms)).and_then(|(.., running)| color_of(running));
        let lies = runs.filter(|_| reading.against_lever && reading.running == runs);
        let lies = lies.map(Color::other);
        if let Some(player) = lies.filter(|_| !self.lever_told) {
            inputs.push(Input::Clock(ClockNews::LeverLies(player)));
        }
        self.lever_told = lies.is_some();
        (inputs, line)
    }

    fn news(&mut self, reading: Reading, game: &Game, now_ms: u64) -> Vec<Input> {
        let Some((white_ms, black_ms, running)) = game.clock(At::new(now_ms)) else {
            return Vec::new();
        };
        let game_runs = color_of(running);
        if let Some(stood) = self.stood.filter(|stood| stood.running == game_runs)
            && reading.running.is_none_or(|runs| Some(runs) == game_runs)
        {
            return vec![self.stands_or_starts(stood, &reading, running)];
        }
        self.stood = None;
        let ranges = self.ranges(&reading);
        if self.sets {
            // The clock begins, has forgotten, or was set by somebody: it gets the game's times.
            let off_ms = off_ms(white_ms, ranges[0]).max(off_ms(black_ms, ranges[1]));
            let pressed = game_runs.is_some() && reading.running == game_runs.map(Color::other);
            if off_ms > OFF_MS && !pressed {
                return Vec::new();
            }
        }
        if game_runs == reading.running {
            self.both = game_runs;
        }
        if game_runs.is_some() || reading.running.is_none() {
            self.asked_start = None;
        }
        let shown = |running| ClockRead {
            white_ms: ranges[0],
            black_ms: ranges[1],
            running,
            fallen: reading.fallen,
        };
        let read = |running| Input::Clock(ClockNews::Read(shown(running)));
        match (game_runs, reading.running) {
            // The game went on without the clock, or the clock without its lever: it is set.
            (Some(game_runs), Some(runs))
                if runs != game_runs
                    && (reading.against_lever || (self.sets && self.both == Some(runs))) =>
            {
                Vec::new()
            }
            (Some(game_runs), Some(runs)) if runs != game_runs => {
                vec![Input::Clock(ClockNews::Pressed(LeverPressed {
                    seat: game_runs,
                    read: shown(running_of(Some(runs))),
                    late_ms: now_ms.saturating_sub(reading.before_ms) + SLACK_MS,
                    adds: !self.sets,
                }))]
            }
            (None, Some(runs)) => self.started_there(runs, now_ms),
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

    /// The clock was started at the clock. The game starts too, or says why it does not: once, and
    /// again while the clock still runs after some seconds, since what kept it may be gone. The
    /// times come with the next reading.
    fn started_there(&mut self, runs: Color, now_ms: u64) -> Vec<Input> {
        let asked =
            self.asked_start.filter(|(side, at_ms)| *side == runs && now_ms < at_ms + TIRED_MS);
        if asked.is_some() {
            return Vec::new();
        }
        self.asked_start = Some((runs, now_ms));
        vec![Input::ClockStarted]
    }

    /// A clock that was told to run stands until it is set: while nobody's time runs on it, nobody
    /// uses any (6.10.1).
    fn stands_or_starts(&mut self, stood: Told, reading: &Reading, running: Running) -> Input {
        let (mut white_ms, mut black_ms) = (stood.white_ms, stood.black_ms);
        if let Some(runs) = reading.running {
            let ran_ms = reading.at_ms.saturating_sub(self.set_ms);
            let [white, black] = self.ranges(reading);
            let (ms, (least_ms, most_ms)) =
                runs.fold_wb((&mut white_ms, white), (&mut black_ms, black));
            // An answer that was lost told nothing of when.
            *ms = ms.saturating_sub(ran_ms).max(least_ms).min(most_ms);
            self.both = reading.running;
            self.stood = None;
        }
        let (white_ms, black_ms) = ((white_ms, white_ms), (black_ms, black_ms));
        let fallen = reading.fallen;
        Input::Clock(ClockNews::Read(ClockRead { white_ms, black_ms, running, fallen }))
    }

    /// The ranges of both times, by the clock.
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
        let stands = reading.running.is_none() && running.is_some();
        let told = Told { white_ms, black_ms, running, at_ms: Some(now_ms) };
        if stands && self.sets {
            self.stood.get_or_insert(Told { at_ms: None, ..told });
        } else if running != self.stood.and_then(|stood| stood.running) {
            self.stood = None;
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
        let differs = |ms, range| off_ms(ms, range) > OFF_MS;
        let over = record.is_over();
        let times = differs(white_ms, ranges[0]) || differs(black_ms, ranges[1]);
        if running != reading.running || (times && !over) {
            let told = self.stood.unwrap_or(told);
            let tired = self.tired_ms.is_some_and(|at_ms| now_ms < at_ms + TIRED_MS);
            if !tired {
                self.setting = Some(told);
                let Told { white_ms, black_ms, running, .. } = told;
                self.tell(ToClock::Set { white_ms, black_ms, running });
            }
        }
        Vec::new()
    }

    fn tell(&self, order: ToClock) {
        // A clock whose thread has ended was reported as lost.
        let _ = self.to_clock.send(order);
    }
}

/// No move has been made and no time runs.
fn is_waiting(game: &Game, now_ms: u64) -> bool {
    let stands =
        game.clock(At::new(now_ms)).is_some_and(|(_, _, running)| running == Running::None);
    stands && game.ended().is_none()
}

/// How far a time lies outside what the clock shows, from the least to the most; milliseconds.
fn off_ms(ms: u64, (least, most): (u64, u64)) -> u64 {
    ms.saturating_sub(most).max(least.saturating_sub(ms))
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
    use annabella_core::game::{Blind, GameConfig, Started};
    use annabella_devices::clock::Remaining;
    use annabella_words::phrase::pack;

    use super::*;

    fn game() -> Game {
        let builtin = |name| pack::builtin(name).expect("built in").to_owned();
        let config = GameConfig {
            blind: Blind::Black,
            sighted_board: true,
            external_clock: true,
            time_control: "5".to_owned(),
            ..GameConfig::default()
        };
        let started = Started {
            packs: vec![builtin("fide"), builtin("de")],
            config,
            confusions: Default::default(),
            build: "test".to_owned(),
            unix_s: 0,
        };
        let mut game = Game::new();
        game.handle(At::new(0), Input::Started(Box::new(started))).expect("a game");
        game
    }

    /// What a clock says that shows these seconds.
    fn says(at_ms: u64, seconds: [u64; 2], running: Option<Color>) -> FromClock {
        let [white, black] = seconds.map(|s| {
            let most_ms = s * 1_000;
            Remaining { least_ms: most_ms.saturating_sub(1_000), most_ms }
        });
        FromClock::Seen(ClockSeen::Reading(Reading {
            white,
            black,
            running,
            fallen: None,
            battery_low: false,
            against_lever: false,
            before_ms: at_ms.saturating_sub(1_000),
            at_ms,
        }))
    }

    fn hears(clock: &mut FollowedClock, game: &mut Game, at_ms: u64, news: FromClock) -> usize {
        let (inputs, _) = clock.seen(news, game, at_ms);
        let count = inputs.len();
        for input in inputs {
            // A refusal leaves the game as it was.
            let _ = game.handle(At::new(at_ms), input);
        }
        count
    }

    #[test]
    fn a_game_starts_with_a_clock_that_is_started_at_the_clock() {
        let (mut clock, _orders) = FollowedClock::new(ClockUse { sets: false, ahead_ms: 0 });
        let mut game = game();
        hears(&mut clock, &mut game, 1_000, FromClock::Seen(ClockSeen::Back { at_ms: 1_000 }));
        hears(&mut clock, &mut game, 1_000, says(1_000, [300, 300], None));
        assert_eq!(game.clock(At::new(1_500)).map(|(_, _, runs)| runs), Some(Running::None));
        // It runs from now on, and the game with it, second after second.
        for s in 0..8 {
            let at_ms = 2_000 + s * 1_000;
            hears(&mut clock, &mut game, at_ms, says(at_ms, [300 - s, 300], Some(Color::White)));
            let (white_ms, black_ms, runs) = game.clock(At::new(at_ms)).expect("a clock");
            assert_eq!(runs, Running::White, "after {s} s");
            assert!(white_ms.abs_diff((300 - s) * 1_000) <= 1_000, "{white_ms} after {s} s");
            assert_eq!(black_ms, 300_000);
        }
        // A press without a move is told, and nobody's clock runs on by it alone.
        let outputs = |game: &mut Game, inputs: Vec<Input>| {
            inputs.into_iter().map(|input| game.handle(At::new(10_500), input)).count()
        };
        let (inputs, _) = clock.seen(says(10_500, [292, 300], Some(Color::Black)), &game, 10_500);
        assert!(matches!(inputs[..], [Input::Clock(ClockNews::Pressed(_))]), "{inputs:?}");
        assert_eq!(outputs(&mut game, inputs), 1);
    }

    #[test]
    fn a_lever_that_lies_the_wrong_way_is_told_once_until_it_is_put_right() {
        let (mut clock, _orders) = FollowedClock::new(ClockUse { sets: true, ahead_ms: 0 });
        let mut game = game();
        game.handle(At::new(0), Input::ClockStarted).expect("started");
        clock.seen(FromClock::Seen(ClockSeen::Back { at_ms: 0 }), &game, 0);
        let mut lies = |at_ms: u64, against_lever: bool| {
            let FromClock::Seen(ClockSeen::Reading(reading)) =
                says(at_ms, [300 - at_ms / 1000, 300], Some(Color::White))
            else {
                unreachable!("it says a reading");
            };
            let reading = ClockSeen::Reading(Reading { against_lever, ..reading });
            let (inputs, _) = clock.seen(FromClock::Seen(reading), &game, at_ms);
            inputs.contains(&Input::Clock(ClockNews::LeverLies(Color::Black)))
        };
        let told = [(1000, true), (2000, true), (3000, false), (4000, true)];
        assert_eq!(told.map(|(ms, against)| lies(ms, against)), [true, false, false, true]);
    }

    #[test]
    fn a_game_that_cannot_start_says_so_once_and_not_every_second() {
        let (mut clock, _orders) = FollowedClock::new(ClockUse { sets: false, ahead_ms: 0 });
        // No game has begun here that could start, as when the arbiter has stopped it.
        let game = game();
        clock.seen(FromClock::Seen(ClockSeen::Back { at_ms: 0 }), &game, 0);
        let mut asked = 0;
        for s in 1..=9 {
            let (inputs, _) =
                clock.seen(says(s * 1_000, [300 - s, 300], Some(Color::White)), &game, s * 1_000);
            asked += inputs.len();
        }
        assert_eq!(asked, 1);
        let (inputs, _) = clock.seen(says(12_000, [288, 300], Some(Color::White)), &game, 12_000);
        assert_eq!(inputs, [Input::ClockStarted]);
    }
}
