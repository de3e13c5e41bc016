//! A clock on a line that somebody forges messages on.

use annabella_devices::{
    clock::{ClockSeen, dgt::talk::ClockTalk},
    dgt::{
        codec::{ClockTimes, SideTime},
        session::ClockEvent,
    },
};

/// What is told of a clock that is there or not, once a second, from 20 s on.
fn told(there: impl Fn(u64) -> bool, seconds: u64) -> (usize, usize) {
    let mut talk = ClockTalk::new(None);
    let (mut lost, mut back) = (0, 0);
    for second in 20..20 + seconds {
        let side = SideTime::from_seconds(3_600);
        let absent = !there(second - 20);
        let times = ClockTimes { left: side, right: side, absent, ..ClockTimes::default() };
        talk.take(second * 1_000, ClockEvent::Times(times), None);
        while let Some(seen) = talk.report() {
            lost += usize::from(matches!(seen, ClockSeen::Lost { .. }));
            back += usize::from(matches!(seen, ClockSeen::Back { .. }));
        }
    }
    (lost, back)
}

#[test]
fn low_a_clock_that_comes_and_goes_is_not_reported_again_and_again() {
    assert_eq!(told(|second| second % 2 == 0, 12), (2, 2));
    // One that was pulled out once is back at once, and one that stays is believed again.
    assert_eq!(told(|second| second != 5, 12), (1, 2));
    assert_eq!(told(|second| !matches!(second, 5 | 8), 20), (2, 3));
}

#[test]
fn a_clock_that_was_never_there_is_missed_once() {
    assert_eq!(told(|_| false, 12), (1, 0));
    // One that the board finds in its first seconds is not.
    assert_eq!(told(|second| second >= 3, 12), (0, 1));
    let mut talk = ClockTalk::new(None);
    for at_ms in [0, 3_000] {
        talk.take(at_ms, ClockEvent::Lost, None);
    }
    assert!(matches!(talk.report(), Some(ClockSeen::Lost { .. })));
    assert_eq!(talk.report(), None);
}
