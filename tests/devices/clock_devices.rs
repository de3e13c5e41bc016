//! Clocks that are devices: the same for a DGT 3000 behind its board and for a simulated one.

use std::time::{Duration, Instant};

use annabella_devices::clock::{ClockDevice, ClockError, ClockSeen, Reading, sim::SimClock};
use shakmaty::Color;

use crate::patience::PATIENCE;

fn until<T>(clock: &mut dyn ClockDevice, wanted: impl Fn(&ClockSeen) -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    let mut heard = Vec::new();
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        let Some(seen) = clock.next(left) else { break };
        if let Some(found) = wanted(&seen) {
            return found;
        }
        heard.push(seen);
    }
    panic!("not among {heard:?}");
}

fn answer(clock: &mut dyn ClockDevice, number: u32) -> Result<(), ClockError> {
    until(clock, |seen| match seen {
        ClockSeen::Answered { number: n, result, .. } if *n == number => Some(*result),
        _ => None,
    })
}

fn reading(clock: &mut dyn ClockDevice, wanted: impl Fn(&Reading) -> bool) -> Reading {
    until(clock, |seen| match seen {
        ClockSeen::Reading(reading) if wanted(reading) => Some(*reading),
        _ => None,
    })
}

/// What every clock does.
pub(crate) fn a_clock_that_keeps_time(
    clock: &mut dyn ClockDevice,
    press: &dyn Fn(Color),
    plug: &dyn Fn(bool),
) {
    until(clock, |seen| matches!(seen, ClockSeen::Back { .. }).then_some(()));
    let number = clock.set(300_000, 240_000, None);
    let (mut done, mut stands) = (None, None);
    while done.is_none() || stands.is_none() {
        match clock.next(PATIENCE).expect("an answer and a reading") {
            ClockSeen::Answered { number: n, result, .. } if n == number => done = Some(result),
            ClockSeen::Reading(reading) if reading.white.most_ms == 300_000 => {
                stands = Some(reading);
            }
            _ => {}
        }
    }
    assert_eq!(done, Some(Ok(())));
    let stands = stands.expect("a reading");
    assert_eq!((stands.black.most_ms, stands.running), (240_000, None));
    assert!(stands.white.least_ms >= 299_000);

    let asked = Instant::now();
    clock.set(300_000, 240_000, Some(Color::White));
    reading(clock, |reading| reading.running == Some(Color::White));
    std::thread::sleep(Duration::from_millis(1500));
    press(Color::White);
    let ran = reading(clock, |reading| reading.running == Some(Color::Black));
    let passed_ms = asked.elapsed().as_millis() as u64;
    assert!(ran.white.least_ms < 299_000 && ran.white.most_ms <= 300_000, "{ran:?}");
    assert!(ran.white.most_ms + passed_ms + 200 >= 300_000, "{ran:?}");
    assert!((239_000..=240_000).contains(&ran.black.most_ms), "{ran:?}");

    clock.set(ran.white.most_ms, ran.black.most_ms, None);
    let stopped = reading(clock, |reading| reading.running.is_none());

    let number = clock.show(Some("Sg1f3"));
    assert_eq!(answer(clock, number), Ok(()));
    plug(false);
    until(clock, |seen| matches!(seen, ClockSeen::Lost { .. }).then_some(()));
    let number = clock.show(None);
    assert!(matches!(answer(clock, number), Err(ClockError::Missing { .. })));
    plug(true);
    until(clock, |seen| matches!(seen, ClockSeen::Back { .. }).then_some(()));
    let back = reading(clock, |_| true);
    assert_eq!(back.running, None);
    let times = |reading: Reading| (reading.white.most_ms, reading.black.most_ms);
    assert_eq!(times(back), times(stopped));
}

#[test]
fn a_simulated_clock_keeps_time() {
    let (players, mut clock) = SimClock::new(Instant::now());
    a_clock_that_keeps_time(&mut clock, &|color| players.press(color), &|plugged| {
        players.plug(plugged)
    });
}

#[test]
fn a_simulated_clock_tells_when_a_flag_falls() {
    let (_players, mut clock) = SimClock::new(Instant::now());
    clock.set(150, 60_000, Some(Color::White));
    let fallen = reading(&mut clock, |reading| reading.fallen.is_some());
    assert_eq!((fallen.fallen, fallen.white.most_ms), (Some(Color::White), 0));
}

mod dgt {
    use annabella_devices::{
        clock::dgt::{DgtClock, track::Sides},
        dgt::{codec::Facing, wire},
    };
    use annabella_emulators::{
        dgt::{Clock, Faults, SimulatedDgt},
        pty::Emulator,
    };
    use shakmaty::Board;

    use super::*;

    fn open(faults: &str, facing: Facing) -> (tempfile::TempDir, Emulator<SimulatedDgt>, DgtClock) {
        let folder = tempfile::tempdir().expect("a folder");
        let faults = Faults::parse(faults).expect("faults");
        let device = SimulatedDgt::new(8141, faults, &Board::new());
        let emulator =
            Emulator::start(device, &folder.path().join("board")).expect("a pseudo-terminal");
        let (_board, end) = wire::open(&emulator.port()).expect("a line");
        let clock = DgtClock::new(end, Some(Sides::of(facing)), Instant::now());
        (folder, emulator, clock)
    }

    #[test]
    fn a_dgt_3000_keeps_time() {
        let (_folder, emulator, mut clock) = open("", Facing::ConnectorLeft);
        let unplugged = std::cell::RefCell::new(None::<Clock>);
        let press = |color: Color| {
            emulator.with(|device, now_ms| {
                device.clock(now_ms).expect("a clock").press(color == Color::Black);
            });
        };
        let plug = |plugged: bool| {
            emulator.with(|device, now_ms| match unplugged.take() {
                Some(clock) if plugged => device.plug_clock(now_ms, clock),
                _ => *unplugged.borrow_mut() = device.unplug_clock(now_ms),
            });
        };
        a_clock_that_keeps_time(&mut clock, &press, &plug);
        assert_eq!(clock.version(), Some((2, 0)));
    }

    #[test]
    fn beside_a_turned_board_the_players_have_the_other_sides() {
        let (_folder, emulator, mut clock) = open("turned", Facing::ConnectorRight);
        emulator.with(|device, now_ms| {
            let clock = device.clock(now_ms).expect("a clock");
            clock.set(100_000, 200_000);
            clock.run(true);
            // The player on the left has pressed.
            clock.press(false);
        });
        let runs = reading(&mut clock, |reading| reading.running.is_some());
        assert_eq!(runs.running, Some(Color::White));
        assert_eq!(runs.black.most_ms, 100_000);
        assert!(runs.white.most_ms > 190_000, "{runs:?}");
    }

    #[test]
    fn a_clock_outside_mode_23_refuses_and_says_what_to_do() {
        let (_folder, _emulator, mut clock) = open("no-mode-23", Facing::ConnectorLeft);
        until(&mut clock, |seen| matches!(seen, ClockSeen::Back { .. }).then_some(()));
        let number = clock.set(300_000, 300_000, None);
        let error = answer(&mut clock, number).expect_err("a refusal");
        assert_eq!(
            error.to_string(),
            "the clock refuses to be set: put the DGT 3000 into mode 23 and switch it on again"
        );
    }

    #[test]
    fn a_clock_keeps_its_time_while_the_line_is_away() {
        let (_folder, emulator, mut clock) = open("", Facing::ConnectorLeft);
        emulator.with(|device, now_ms| {
            let clock = device.clock(now_ms).expect("a clock");
            clock.set(600_000, 500_000);
            clock.run(true);
        });
        reading(&mut clock, |reading| reading.running == Some(Color::White));
        emulator.unplug();
        until(&mut clock, |seen| matches!(seen, ClockSeen::Lost { .. }).then_some(()));
        std::thread::sleep(Duration::from_millis(1200));
        emulator.plug_in().expect("a pseudo-terminal");
        let back = reading(&mut clock, |_| true);
        let (white_ms, black_ms) =
            emulator.with(|device, now_ms| device.clock(now_ms).expect("a clock").left_right_ms());
        assert_eq!(back.running, Some(Color::White));
        let white = back.white;
        let holds = white.least_ms <= white_ms + 100 && white_ms <= white.most_ms + 100;
        assert!(holds, "{white:?} {white_ms}");
        assert_eq!(back.black.most_ms, black_ms);
    }
}
