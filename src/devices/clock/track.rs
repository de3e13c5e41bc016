//! What can be known of a clock that tells whole seconds, and those up to a second late. Pure: times
//! come in.
//!
//! # Lag
//!
//! A message may be a second old, and a second shown may be nearly over. So one message of a running
//! clock leaves two seconds open. Every further message takes away what cannot be, until the clock is
//! known to a fraction of a second; a stopped one stays known to a second.

use shakmaty::Color;

use super::{Reading, Remaining};
use crate::dgt::codec::{ClockTimes, Facing, SideTime};

/// A message is at most so old. Source: the e-board's protocol.
const LATE_MS: u64 = 1000;
/// A second shown stands for so much.
const SHOWN_MS: u64 = 1000;
/// What a line and a busy machine may add.
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

    fn color(self, right: bool) -> Color {
        if right { self.left.other() } else { self.left }
    }
}

/// What is known.
#[derive(Clone, Debug, Default)]
pub struct Track {
    last: Option<(ClockTimes, u64)>,
    left: Remaining,
    right: Remaining,
    /// For which moment the two hold.
    at_ms: u64,
    gone: bool,
}

impl Track {
    /// Takes in what the clock said. Returns whether more than the passing of time is new.
    pub fn hear(&mut self, at_ms: u64, times: ClockTimes) -> bool {
        let before = self.last.filter(|_| !self.gone);
        let passed_ms = at_ms.saturating_sub(self.at_ms);
        let changed = before.is_none_or(|(last, _)| {
            last.runs_right() != times.runs_right()
                || last.left.fallen != times.left.fallen
                || last.right.fallen != times.right.fallen
                || last.battery_low != times.battery_low
        });
        let mut reset = false;
        for right in [false, true] {
            let runs = times.runs_right() == Some(right);
            let ran = before.is_some_and(|(last, _)| last.runs_right() == Some(right));
            let shown = fresh(if right { times.right } else { times.left }, runs);
            let known = if right { &mut self.right } else { &mut self.left };
            let expected = match (before.is_some(), ran, runs) {
                (true, true, true) => Some(known.after_ms(passed_ms)),
                (true, false, false) => Some(*known),
                // It changed sometime since the last message.
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
                    // It may have been stopped the moment it was lost.
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
            at_ms: now_ms,
        })
    }
}

/// What one message alone says.
fn fresh(side: SideTime, runs: bool) -> Remaining {
    let most_ms = u64::from(side.seconds()) * 1000;
    let open_ms = if runs { SHOWN_MS + LATE_MS + SLACK_MS } else { SHOWN_MS };
    Remaining { least_ms: most_ms.saturating_sub(open_ms), most_ms }
}

/// What two sources together leave open; `None` if they cannot both be right.
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
            assert!(white.uncertainty_ms() < 1500, "{white:?}");
        }
    }

    #[test]
    fn a_clock_that_is_gone_is_known_worse_every_second() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, Some(true)));
        track.lose();
        let black = track.reading(10_000, SIDES).expect("a reading").black;
        assert_eq!(black, Remaining { least_ms: 227_900, most_ms: 240_000 });
        // Back, it is known afresh, whatever it says.
        assert!(track.hear(20_000, times(300, 100, None)));
        let black = track.reading(20_000, SIDES).expect("a reading").black;
        assert_eq!(black, Remaining { least_ms: 99_000, most_ms: 100_000 });
    }

    #[test]
    fn a_clock_set_by_somebody_else_is_news() {
        let mut track = Track::default();
        track.hear(0, times(300, 240, None));
        assert!(track.hear(1000, times(420, 240, None)));
    }
}
