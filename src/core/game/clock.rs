//! Chess clock arithmetic: time controls, periods, flags.
//!
//! Pure integers, milliseconds, moments come in as [`At`]. The same [`ClockState`] stands behind
//! the internal clock and checks an external one.
//!
//! ```
//! use annabella_core::game::{At, Running, clock::ClockState};
//! use shakmaty::Color;
//!
//! let mut clock = ClockState::new("3+2".parse()?);
//! clock.start(At::new(1_000), Color::White);
//! assert_eq!(clock.press(At::new(11_000)), Some(Color::White));
//! // 3 minutes and the 2 seconds of move 1, 10 seconds used, 2 seconds for move 2.
//! assert_eq!(clock.reading(At::new(11_000)), (174_000, 182_000, Running::Black));
//! # Ok::<(), annabella_core::game::clock::TimeControlError>(())
//! ```

mod control;

pub use control::{Bonus, Period, TimeControl, TimeControlError};
use shakmaty::{ByColor, Color};

use super::{At, Running};

/// Both sides of a chess clock.
///
/// # When time is added
///
/// An increment is added before each move, from the first one on. The clock begins with main time
/// plus increment, and completing move *n* adds the increment of move *n* + 1. The next period's
/// main time is added when the last move of a period is completed (move counter mode). If time runs
/// out before that, the flag falls. A fallen flag stays fallen, and its side gets nothing added,
/// until the arbiter [sets](ClockState::set) the clock.
///
/// Source: FIDE Laws 6.2, 6.3, 6.8 and glossary, "increment".
///
/// # Moments
///
/// A moment earlier than one already seen counts as that one: time never goes backwards.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockState {
    control: TimeControl,
    sides: ByColor<Side>,
    running: Option<Color>,
    /// The side that ran when the clock was stopped.
    stopped: Option<Color>,
    /// The readings in `sides` are those of this moment.
    since: At,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side {
    remaining_ms: u64,
    /// Moves completed.
    moves: u32,
    /// Time used for the move in hand, including its delay.
    used_ms: u64,
    /// Time used in the whole game.
    spent_ms: u64,
    /// The time to add when this side runs next.
    owed_ms: u64,
    fell_at: Option<At>,
}

impl Side {
    /// This side after running `elapsed_ms` longer, from `since`.
    fn run(mut self, since: At, elapsed_ms: u64, delay_ms: u64) -> Side {
        let delay_left_ms = delay_ms.saturating_sub(self.used_ms);
        let main_ms = elapsed_ms.saturating_sub(delay_left_ms);
        if self.fell_at.is_none() && elapsed_ms >= self.flag_in_ms(delay_ms) {
            self.fell_at = Some(At::new(since.ms.saturating_add(self.flag_in_ms(delay_ms))));
        }
        self.remaining_ms = self.remaining_ms.saturating_sub(main_ms);
        self.used_ms = self.used_ms.saturating_add(elapsed_ms);
        self.spent_ms = self.spent_ms.saturating_add(elapsed_ms);
        self
    }

    fn flag_in_ms(&self, delay_ms: u64) -> u64 {
        delay_ms.saturating_sub(self.used_ms).saturating_add(self.remaining_ms)
    }
}

impl ClockState {
    /// A stopped clock with the first period's time on both sides.
    pub fn new(control: TimeControl) -> ClockState {
        let side = Side {
            remaining_ms: control.initial_ms(),
            moves: 0,
            used_ms: 0,
            spent_ms: 0,
            owed_ms: 0,
            fell_at: None,
        };
        ClockState {
            control,
            sides: ByColor::new_with(|_| side),
            running: None,
            stopped: None,
            since: At::default(),
        }
    }

    /// The time control in force.
    pub fn control(&self) -> &TimeControl {
        &self.control
    }

    /// Lets this colour's time run. Completes no move.
    ///
    /// Source: FIDE 6.6 (White's clock is started), 7.5.1 and 7.6 (whose clock runs after a
    /// correction).
    pub fn start(&mut self, at: At, color: Color) {
        self.settle(at);
        self.let_run(color);
        self.stopped = None;
    }

    fn let_run(&mut self, color: Color) {
        let side = &mut self.sides[color];
        let owed_ms = std::mem::take(&mut side.owed_ms);
        if side.fell_at.is_none() {
            side.remaining_ms = side.remaining_ms.saturating_add(owed_ms);
        }
        self.running = Some(color);
    }

    /// The running side presses: his move is completed and the other side runs. Answers whose move
    /// that was; `None`, and nothing happens, when neither side runs.
    ///
    /// Source: FIDE 6.2.1.
    pub fn press(&mut self, at: At) -> Option<Color> {
        self.settle(at);
        let color = self.running?;
        let added_ms = self.complete(color);
        let side = &mut self.sides[color];
        side.remaining_ms = side.remaining_ms.saturating_add(added_ms);
        self.let_run(color.other());
        Some(color)
    }

    /// Completes this side's move although no clock runs, as for a sealed move: the move is
    /// counted, and the times stay. The time that a press adds comes before the side's next move
    /// instead.
    ///
    /// Source: FIDE I.2.3; glossary, "increment".
    pub fn complete_stopped(&mut self, at: At, color: Color) {
        self.settle(at);
        let owed_ms = self.complete(color);
        let side = &mut self.sides[color];
        side.owed_ms = side.owed_ms.saturating_add(owed_ms);
    }

    /// Counts a move. Answers what is to be added for it.
    fn complete(&mut self, color: Color) -> u64 {
        let number = self.sides[color].moves.saturating_add(1);
        let period = self.period(number);
        let next_period = self.period(number.saturating_add(1));
        let periods = self.control.periods();
        let side = &mut self.sides[color];
        let mut added_ms = 0;
        if side.fell_at.is_none() {
            added_ms = periods[period].bonus.given_back_ms(side.used_ms);
            if next_period != period {
                added_ms += periods[next_period].base_ms;
            }
            added_ms += periods[next_period].bonus.before_move_ms();
        }
        side.moves = number;
        side.used_ms = 0;
        added_ms
    }

    /// Counts this much of this side's time as used although its clock did not run.
    ///
    /// Source: FIDE I.1.2
    pub fn charge(&mut self, at: At, color: Color, ms: u64) {
        self.settle(at);
        let side = &mut self.sides[color];
        side.remaining_ms = side.remaining_ms.saturating_sub(ms);
        side.spent_ms = side.spent_ms.saturating_add(ms);
    }

    /// Stops both sides. [`ClockState::resume`] goes on from there.
    ///
    /// Source: FIDE 6.11.
    pub fn stop(&mut self, at: At) {
        self.settle(at);
        if self.running.is_some() {
            self.stopped = self.running.take();
        }
    }

    /// Lets the side run again that ran when the clock was stopped. Answers which one; `None` if
    /// the clock was not stopped. The rest of a delay is kept, not renewed.
    pub fn resume(&mut self, at: At) -> Option<Color> {
        self.settle(at);
        let color = self.stopped.take()?;
        self.let_run(color);
        Some(color)
    }

    /// The arbiter sets this side's time, milliseconds. A fallen flag stands again unless the new
    /// time is zero.
    ///
    /// Source: FIDE 6.10, 7.5.5, D.2.9.
    pub fn set(&mut self, at: At, color: Color, remaining_ms: u64) {
        self.settle(at);
        let side = &mut self.sides[color];
        side.remaining_ms = remaining_ms;
        if remaining_ms > 0 {
            side.fell_at = None;
        }
    }

    /// A separate clock shows between `least_ms` and `most_ms` for this side. A time outside is
    /// brought inside. Returns whether it was outside.
    ///
    /// Source: FIDE 6.10.1.
    pub fn read(&mut self, at: At, color: Color, least_ms: u64, most_ms: u64) -> bool {
        self.settle(at);
        let now_ms = self.sides[color].remaining_ms;
        let read_ms = now_ms.min(most_ms).max(least_ms);
        if read_ms != now_ms {
            self.set(at, color, read_ms);
        }
        // The flag has not fallen on that clock.
        if most_ms > 0 {
            self.sides[color].fell_at = None;
        }
        read_ms != now_ms
    }

    /// A side runs or has run.
    pub fn was_started(&self) -> bool {
        let ran = |side: &Side| side.spent_ms > 0 || side.moves > 0;
        self.running.is_some() || self.stopped.is_some() || self.sides.iter().any(ran)
    }

    /// Which side runs.
    pub fn running(&self) -> Option<Color> {
        self.running
    }

    /// The moment at which the running side will have `left_ms` milliseconds left; `at` if it has
    /// less already. `None` if no side runs.
    pub fn when_left(&self, at: At, left_ms: u64) -> Option<At> {
        let color = self.running?;
        let side = self.sides_at(at)[color];
        let now = at.max(self.since);
        let delay_left_ms = self.delay_ms(color).saturating_sub(side.used_ms);
        let over_ms = side.remaining_ms.saturating_sub(left_ms);
        let wait_ms = if over_ms == 0 { 0 } else { delay_left_ms.saturating_add(over_ms) };
        Some(At::new(now.ms.saturating_add(wait_ms)))
    }

    /// How long the running side's time still stands before it counts down: the rest of the move's
    /// delay, milliseconds. 0 without a delay, or if no side runs.
    ///
    /// Source: FIDE 6.3.2.2
    pub fn delay_left_ms(&self, at: At) -> u64 {
        let Some(color) = self.running else { return 0 };
        self.delay_ms(color).saturating_sub(self.sides_at(at)[color].used_ms)
    }

    /// The arbiter sets this side's move counter: moves completed. No time is added or taken.
    ///
    /// Source: FIDE 6.10.
    pub fn set_moves(&mut self, at: At, color: Color, completed: u32) {
        self.settle(at);
        self.sides[color].moves = completed;
    }

    /// White's time, Black's time (milliseconds left) and which side runs.
    pub fn reading(&self, at: At) -> (u64, u64, Running) {
        let sides = self.sides_at(at);
        let running = match self.running {
            Some(Color::White) => Running::White,
            Some(Color::Black) => Running::Black,
            None => Running::None,
        };
        (sides.white.remaining_ms, sides.black.remaining_ms, running)
    }

    /// This side's time left at that moment, milliseconds.
    pub fn remaining_ms(&self, at: At, color: Color) -> u64 {
        self.sides_at(at)[color].remaining_ms
    }

    /// How long this side's clock has run in the whole game, milliseconds (I.2.3).
    pub fn spent_ms(&self, at: At, color: Color) -> u64 {
        self.sides_at(at)[color].spent_ms
    }

    /// Moves this side has completed, as its move counter shows (D.2.6).
    pub fn moves(&self, color: Color) -> u32 {
        self.sides[color].moves
    }

    /// Moves this side has still to complete before the time control; `None` in the last period.
    ///
    /// Source: FIDE 6.3.1, 6.4
    pub fn moves_to_control(&self, color: Color) -> Option<u32> {
        let completed = self.sides[color].moves;
        let last = self.control.last_move_of_period(completed.saturating_add(1))?;
        Some(last - completed)
    }

    /// Index of the period this side plays in.
    pub fn period_index(&self, color: Color) -> usize {
        self.period(self.sides[color].moves.saturating_add(1))
    }

    /// The side whose flag has fallen by that moment; if both have, the first.
    ///
    /// Source: FIDE 6.8, 6.9.
    pub fn flag(&self, at: At) -> Option<Color> {
        let fell = self.sides_at(at).map(|side| side.fell_at);
        match (fell.white, fell.black) {
            (Some(white), Some(black)) if black < white => Some(Color::Black),
            (Some(_), _) => Some(Color::White),
            (None, Some(_)) => Some(Color::Black),
            (None, None) => None,
        }
    }

    /// The exact moment at which this side's flag fell, if it has by `at`.
    pub fn fell_at(&self, at: At, color: Color) -> Option<At> {
        self.sides_at(at)[color].fell_at
    }

    /// When the running side's flag will fall if nobody presses: always `at` or later, `None` if no
    /// side runs or its flag has fallen already.
    pub fn next_event(&self, at: At) -> Option<At> {
        let color = self.running?;
        let side = self.sides_at(at)[color];
        if side.fell_at.is_some() {
            return None;
        }
        let now = at.max(self.since);
        Some(At::new(now.ms.saturating_add(side.flag_in_ms(self.delay_ms(color)))))
    }

    fn period(&self, number: u32) -> usize {
        self.control.period_of_move(number)
    }

    fn delay_ms(&self, color: Color) -> u64 {
        self.control.periods()[self.period_index(color)].bonus.delay_ms()
    }

    fn sides_at(&self, at: At) -> ByColor<Side> {
        let mut sides = self.sides;
        if let Some(color) = self.running {
            let elapsed_ms = at.ms.saturating_sub(self.since.ms);
            sides[color] = sides[color].run(self.since, elapsed_ms, self.delay_ms(color));
        }
        sides
    }

    fn settle(&mut self, at: At) {
        self.sides = self.sides_at(at);
        self.since = self.since.max(at);
    }
}
