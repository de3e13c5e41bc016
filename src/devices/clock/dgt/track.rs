//! The range of times that a clock may have, by readings in whole seconds that come up to a second
//! late. Pure: times come in.
//!
//! # Lag
//!
//! A message may be a second old, and a second shown may be nearly over. So one message of a
//! running clock leaves two seconds open. Every further message takes away what cannot be, until
//! the clock is known to a fraction of a second; a stopped one stays known to a second.
//!
//! # The lever
//!
//! A message says how the lever lies, and that tells whose time runs. A clock that is told to run
//! the other side runs it, and nobody has moved its lever: a lever counts again once it has
//! changed.

use shakmaty::Color;

use super::super::{Reading, Remaining};
use crate::dgt::codec::{ClockTimes, Facing, SideTime};

/// A message is at most so old. Source: the e-board's protocol.
const LATE_MS: u64 = 1000;
/// The range of time that a shown second stands for.
const SHOWN_MS: u64 = 1000;
/// The delay that a line and a busy machine may add.
const SLACK_MS: u64 = 100;

/// Which player sits on the clock's left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sides {
    /// Seen from its front.
    pub left: Color,
}

impl Sides {
    /// The clock stands beside the board at the connector's end: its sides are not turned with the
    /// board, so a board that lies the other way round changes the players' sides.
    pub fn of(facing: Facing) -> Sides {
        match facing {
            Facing::ConnectorLeft => Sides { left: Color::White },
            Facing::ConnectorRight => Sides { left: Color::Black },
        }
    }

    /// Who sits on that side.
    pub fn color(self, right: bool) -> Color {
        if right { self.left.other() } else { self.left }
    }
}

/// The times that a clock is told to show, and when, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Told {
    pub left: SideTime,
    pub right: SideTime,
    /// The side that is to run: the right one, or the left.
    pub runs_right: Option<bool>,
    pub at_ms: u64,
}

#[derive(Clone, Debug, Default)]
pub struct Track {
    last: Option<(ClockTimes, u64)>,
    left: Remaining,
    right: Remaining,
    /// For which moment the two hold.
    at_ms: u64,
    /// When another side was last heard to run, or none.
    before_ms: u64,
    gone: bool,
    /// What it is being told: what was known before says nothing of what comes.
    /// And how its lever lay then.
    being_set: Option<(Told, Option<bool>)>,
    /// The side that it was told to run although the lever lay the other way, the right one or the
    /// left.
    against: Option<bool>,
    /// How the lever lay when it was last heard: the right side up.
    lever_right: Option<bool>,
    /// A message in doubt, and when it came.
    doubted: Option<(ClockTimes, u64)>,
    /// Its two turns have been seen to change with the lever.
    turns: bool,
}

impl Track {
    /// Takes in what the clock said. Returns whether more than the passing of time is new.
    ///
    /// # Garbled messages
    ///
    /// The line has no checksum. A time that cannot have come about by itself is believed when the
    /// next message bears it out: a clock that somebody sets by hand is known a second later, and
    /// so is one that comes back with other times than it can have.
    pub fn hear(&mut self, at_ms: u64, times: ClockTimes) -> bool {
        let lever_right = times.right_high;
        let mut times = ClockTimes { right_high: self.against.unwrap_or(lever_right), ..times };
        let doubted = self.doubted.take();
        let mut borne_out = doubted.is_some_and(|(before, heard_ms)| {
            follows(&before, &times, at_ms.saturating_sub(heard_ms))
        });
        // Or the other side's time runs, whatever the lever says.
        if let Some((before, heard_ms)) = doubted.filter(|_| !borne_out) {
            let others =
                [before, times].map(|told| ClockTimes { right_high: !told.right_high, ..told });
            if follows(&others[0], &others[1], at_ms.saturating_sub(heard_ms)) {
                (borne_out, times) = (true, others[1]);
                self.against = Some(times.right_high);
            }
        }
        let set = self.being_set.is_some_and(|(Told { left, right, at_ms: set_ms, .. }, _)| {
            let told = ClockTimes { left, right, running: true, ..times };
            let either = ClockTimes { right_high: !times.right_high, ..told };
            let passed_ms = at_ms.saturating_sub(set_ms);
            follows(&told, &times, passed_ms) || follows(&either, &times, passed_ms)
        });
        if let Some((last, heard_ms)) = self.last
            && !borne_out
            && !set
            && !(follows(&last, &times, at_ms.saturating_sub(heard_ms))
                && self.turns_with_lever(&last, &times))
        {
            self.doubted = Some((times, at_ms));
            return false;
        }
        self.lever_right = Some(lever_right);
        self.against = self.against.filter(|right| *right != lever_right);
        self.take(at_ms, times)
    }

    /// A lever that changes and turns that don't: one of them is garbled.
    fn turns_with_lever(&mut self, last: &ClockTimes, next: &ClockTimes) -> bool {
        let lever = last.right_high != next.right_high;
        let turn = (last.turn.left, last.turn.right) == (next.turn.right, next.turn.left)
            && next.turn.left != next.turn.right;
        self.turns |= lever && turn;
        !lever || turn || !self.turns
    }

    fn take(&mut self, at_ms: u64, times: ClockTimes) -> bool {
        let before = self.last.filter(|_| !self.gone && self.being_set.is_none());
        let passed_ms = at_ms.saturating_sub(self.at_ms);
        let changed = before.is_none_or(|(last, _)| {
            last.runs_right() != times.runs_right()
                || last.left.fallen != times.left.fallen
                || last.right.fallen != times.right.fallen
                || last.battery_low != times.battery_low
        });
        if self.last.is_none_or(|(last, _)| last.runs_right() != times.runs_right()) {
            self.before_ms = self.last.map_or(at_ms, |(_, heard_ms)| heard_ms);
        }
        let mut reset = false;
        for right in [false, true] {
            let runs = times.runs_right() == Some(right);
            let ran = before.is_some_and(|(last, _)| last.runs_right() == Some(right));
            let shown = fresh(if right { times.right } else { times.left }, runs);
            let known = if right { &mut self.right } else { &mut self.left };
            let expected = match (before.is_some(), ran, runs) {
                (true, true, true) => Some(known.after_ms(passed_ms)),
                (true, false, false) => Some(*known),
                // The change came sometime since the last message.
                _ => None,
            };
            *known = match expected.map(|expected| both(expected, shown)) {
                Some(Some(narrower)) => narrower,
                Some(None) => {
                    reset = true;
                    shown
                }
                None => shown,
            };
        }
        self.at_ms = at_ms;
        self.last = Some((times, at_ms));
        self.gone = false;
        changed || reset
    }

    /// The clock does not answer any more.
    pub fn lose(&mut self) {
        self.gone = true;
    }

    pub fn is_being_set(&mut self, told: Told) {
        self.being_set = Some((told, self.lever_right));
    }

    /// It has answered what it was told: it does so, or does not.
    pub fn was_set(&mut self, obeys: bool) {
        let Some((told, lever_before)) = self.being_set.take() else { return };
        // A lever that was moved meanwhile was pressed.
        let unmoved = self.lever_right.filter(|_| self.lever_right == lever_before);
        if obeys {
            self.against = told.runs_right.filter(|right| unmoved == Some(!right));
        }
    }

    /// Whether the clock has been heard and is there.
    pub fn is_there(&self) -> bool {
        self.last.is_some() && !self.gone
    }

    /// How the clock stands at `now_ms`.
    pub fn reading(&self, now_ms: u64, sides: Sides) -> Option<Reading> {
        let (times, _) = self.last?;
        let passed_ms = now_ms.saturating_sub(self.at_ms);
        let remaining = |right: bool| {
            let known = if right { self.right } else { self.left };
            match times.runs_right() == Some(right) {
                true if self.gone => {
                    // The clock may have been stopped the moment it was lost.
                    Remaining { least_ms: known.after_ms(passed_ms).least_ms, ..known }
                }
                true => known.after_ms(passed_ms),
                false => known,
            }
        };
        let of = |color: Color| remaining(color != sides.left);
        let fallen = [(times.left, false), (times.right, true)];
        let fallen = fallen.into_iter().find(|(side, _)| side.fallen);
        Some(Reading {
            white: of(Color::White),
            black: of(Color::Black),
            running: times.runs_right().map(|right| sides.color(right)),
            fallen: fallen.map(|(_, right)| sides.color(right)),
            battery_low: times.battery_low,
            against_lever: self.against.is_some() && times.running,
            before_ms: self.before_ms,
            at_ms: now_ms,
        })
    }

    /// When the clock was last heard, if it is there.
    pub fn heard_ms(&self) -> Option<u64> {
        self.last.filter(|_| !self.gone).map(|(_, heard_ms)| heard_ms)
    }

    /// When another side was last heard to run, or none.
    pub fn before_ms(&self) -> u64 {
        self.before_ms
    }

    /// Which side it last told to run: the right one, or the left.
    pub fn runs_right(&self) -> Option<bool> {
        self.last.and_then(|(times, _)| times.runs_right())
    }
}

/// Whether a clock that nobody sets can say `next` so long after `last`.
fn follows(last: &ClockTimes, next: &ClockTimes, passed_ms: u64) -> bool {
    let most_s = u32::try_from((passed_ms + LATE_MS + SLACK_MS).div_ceil(1000)).unwrap_or(u32::MAX);
    let sides = [(last.left, next.left, false), (last.right, next.right, true)];
    sides.iter().all(|(before, now, right)| {
        let (before, now) = (before.seconds(), now.seconds());
        // A side that runs at either end may have run in between.
        let ran = [last, next].iter().any(|times| times.runs_right() == Some(*right));
        now <= before && before - now <= if ran { most_s } else { 0 }
    })
}

/// The range by one message alone.
fn fresh(side: SideTime, runs: bool) -> Remaining {
    let most_ms = u64::from(side.seconds()) * 1000;
    let open_ms = if runs { SHOWN_MS + LATE_MS + SLACK_MS } else { SHOWN_MS };
    Remaining { least_ms: most_ms.saturating_sub(open_ms), most_ms }
}

/// The range that two sources leave together; `None` if they contradict each other.
fn both(a: Remaining, b: Remaining) -> Option<Remaining> {
    let least_ms = a.least_ms.max(b.least_ms);
    let most_ms = a.most_ms.min(b.most_ms);
    (least_ms <= most_ms).then_some(Remaining { least_ms, most_ms })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIDES: Sides = Sides { left: Color::White };

    fn times(left_s: u32, right_s: u32, runs_right: Option<bool>) -> ClockTimes {
        ClockTimes {
            left: SideTime::from_seconds(left_s),
            right: SideTime::from_seconds(right_s),
            running: runs_right.is_some(),
            right_high: runs_right.unwrap_or(false),
            ..ClockTimes::default()
        }
    }

    #[test]
    fn a_stopped_clock_is_known_to_a_second() {
        let mut track = Track::default();
        assert_eq!(track.reading(0, SIDES), None);
        assert!(track.hear(0, times(300, 240, None)));
        assert!(!track.hear(1000, times(300, 240, None)));
        let reading = track.reading(9000, SIDES).expect("a reading");
        assert_eq!(reading.white, Remaining { least_ms: 299_000, most_ms: 300_000 });
        assert_eq!(reading.running, None);
        let turned = track.reading(9000, Sides { left: Color::Black }).expect("a reading");
        assert_eq!((turned.white, turned.black), (reading.black, reading.white));
    }

    #[test]
    fn the_true_time_is_always_within_what_is_known_and_that_narrows() {
        // A clock that shows whole seconds, its messages between no and a whole second late.
        for phase_ms in [0, 130, 499, 730, 999] {
            let mut track = Track::default();
            let true_ms = |now_ms: u64| 300_000 + phase_ms - now_ms;
            let mut now_ms = 0;
            for late_ms in (0..60).map(|n| n * 377 % 1000) {
                now_ms += 1000;
                let shown = true_ms(now_ms - late_ms).div_ceil(1000) as u32;
                track.hear(now_ms, times(shown, 200, Some(false)));
                let white = track.reading(now_ms, SIDES).expect("a reading").white;
                let holds = white.least_ms <= true_ms(now_ms) && true_ms(now_ms) <= white.most_ms;
                assert!(holds, "{white:?} {}", true_ms(now_ms));
            }
            let white = track.reading(now_ms, SIDES).expect("a reading").white;
            assert!(white.most_ms - white.least_ms < 1500, "{white:?}");
        }
    }

    #[test]
    fn a_clock_that_is_gone_is_known_worse_every_second() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, Some(true)));
        track.lose();
        let black = track.reading(10_000, SIDES).expect("a reading").black;
        assert_eq!(black, Remaining { least_ms: 227_900, most_ms: 240_000 });
        // Back, it is known afresh, whatever it says, once it says so twice.
        assert!(!track.hear(20_000, times(300, 100, None)) && !track.is_there());
        assert!(track.hear(21_000, times(300, 100, None)) && track.is_there());
        let black = track.reading(21_000, SIDES).expect("a reading").black;
        assert_eq!(black, Remaining { least_ms: 99_000, most_ms: 100_000 });
    }

    #[test]
    fn a_clock_that_is_back_as_it_can_be_is_known_at_once_and_when_its_lever_may_have_changed() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, Some(true)));
        track.hear(1000, times(300, 239, Some(true)));
        track.lose();
        assert!(track.hear(5000, times(298, 237, Some(false))) && track.is_there());
        assert_eq!(track.before_ms(), 1000);
    }

    #[test]
    fn a_clock_set_by_somebody_else_is_news() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, None));
        assert!(!track.hear(1000, times(420, 240, None)));
        assert!(track.hear(2000, times(420, 240, None)));
    }

    fn told(left_s: u32, right_s: u32, runs_right: bool, at_ms: u64) -> Told {
        let [left, right] = [left_s, right_s].map(SideTime::from_seconds);
        Told { left, right, runs_right: Some(runs_right), at_ms }
    }

    #[test]
    fn a_clock_told_to_run_the_other_side_runs_it_though_nobody_moved_the_lever() {
        let running = |track: &Track, ms| {
            let reading = track.reading(ms, SIDES).expect("a reading");
            (reading.running, reading.against_lever)
        };
        let mut track = Track::default();
        track.hear(0, times(300, 240, Some(true)));
        track.is_being_set(told(300, 240, false, 500));
        track.was_set(true);
        track.hear(1000, times(300, 240, Some(true)));
        assert_eq!(running(&track, 1000), (Some(Color::White), true));
        track.hear(2000, times(299, 240, Some(true)));
        assert_eq!(running(&track, 2000), (Some(Color::White), true));
        // What else it answers, as a text that is shown, changes nothing of that.
        track.was_set(true);
        assert_eq!(running(&track, 2000), (Some(Color::White), true));
        // Somebody puts the lever right; then it counts again.
        track.hear(3000, times(298, 240, Some(false)));
        assert_eq!(running(&track, 3000), (Some(Color::White), false));
        track.hear(4000, times(297, 240, Some(true)));
        assert_eq!(running(&track, 4000), (Some(Color::Black), false));
    }

    #[test]
    fn a_lever_moved_while_the_clock_is_set_is_a_press() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, Some(false)));
        track.is_being_set(told(300, 240, false, 500));
        track.was_set(true);
        track.hear(1000, times(300, 240, Some(true)));
        let reading = track.reading(1000, SIDES).expect("a reading");
        assert_eq!((reading.running, reading.against_lever), (Some(Color::Black), false));
    }

    #[test]
    fn a_clock_whose_other_side_counts_down_runs_that_whatever_its_lever_says() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, Some(true)));
        for (s, known) in [(1, false), (2, true), (3, true)] {
            track.hear(s * 1000, times(300 - s as u32, 240, Some(true)));
            let reading = track.reading(s * 1000, SIDES).expect("a reading");
            assert_eq!(reading.running == Some(Color::White), known, "after {s} s");
            assert_eq!(reading.against_lever, known, "after {s} s");
        }
    }

    #[test]
    fn a_clock_that_refuses_runs_as_its_lever_lies() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, Some(true)));
        track.is_being_set(told(300, 240, false, 500));
        track.was_set(false);
        track.hear(1000, times(300, 239, Some(true)));
        assert_eq!(track.reading(1000, SIDES).expect("a reading").running, Some(Color::Black));
    }

    #[test]
    fn a_garbled_message_is_no_news() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, Some(false)));
        assert!(!track.hear(1000, times(299, 8240, Some(true))));
        assert!(!track.hear(2000, times(298, 240, Some(false))));
        let reading = track.reading(2000, SIDES).expect("a reading");
        assert_eq!((reading.running, reading.black.most_ms), (Some(Color::White), 240_000));
    }
}
