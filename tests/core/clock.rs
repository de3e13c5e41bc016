//! The clock: time is only ever used, or added by the time control or the arbiter.

use annabella_core::game::{
    At, Running,
    clock::{ClockState, TimeControl},
};
use proptest::prelude::*;
use shakmaty::Color::{self, Black, White};

fn clock(control: &str) -> ClockState {
    ClockState::new(control.parse().expect("a time control"))
}

fn at(seconds: u64) -> At {
    At::new(seconds * 1_000)
}

/// Both sides complete `moves` moves, `seconds` each; answers when.
fn play(clock: &mut ClockState, from: u64, moves: u64, seconds: u64) -> u64 {
    for half in 1..=2 * moves {
        clock.press(at(from + half * seconds));
    }
    from + 2 * moves * seconds
}

#[test]
fn before_the_start_nothing_runs() {
    let mut clock = clock("40/90+30:30+30");
    assert_eq!(clock.reading(at(9)), (5_430_000, 5_430_000, Running::None));
    assert_eq!(clock.next_event(at(9)), None);
    assert_eq!(clock.press(at(9)), None);
    assert_eq!(clock.resume(at(9)), None);
    assert_eq!(clock.reading(at(9)), (5_430_000, 5_430_000, Running::None));
}

#[test]
fn the_increment_comes_before_each_move_from_the_first_one_on() {
    let mut clock = clock("3+2");
    clock.start(at(0), White);
    assert_eq!(clock.reading(at(7)), (175_000, 182_000, Running::White));
    assert_eq!(clock.press(at(7)), Some(White));
    assert_eq!(clock.reading(at(7)), (177_000, 182_000, Running::Black));
    assert_eq!(clock.moves(White), 1);
    assert_eq!(clock.moves(Black), 0);
}

#[test]
fn the_next_periods_time_is_added_when_the_last_move_of_a_period_is_completed() {
    let mut clock = clock("40/120:20/60:15+30");
    clock.start(at(0), White);
    let now = play(&mut clock, 0, 39, 10);
    assert_eq!(clock.moves_to_control(White), Some(1));
    assert_eq!(clock.remaining_ms(at(now), White), 7_200_000 - 390_000);
    let now = play(&mut clock, now, 1, 10);
    assert_eq!(clock.moves_to_control(White), Some(20));
    assert_eq!(clock.period_index(White), 1);
    assert_eq!(clock.remaining_ms(at(now), White), 7_200_000 - 400_000 + 3_600_000);
    let now = play(&mut clock, now, 20, 10);
    assert_eq!(clock.moves_to_control(Black), None);
    assert_eq!(
        clock.remaining_ms(at(now), Black),
        7_200_000 - 600_000 + 3_600_000 + 900_000 + 30_000
    );
}

#[test]
fn the_flag_falls_when_time_runs_out_before_the_control() {
    let mut clock = clock("2/1:30");
    clock.start(at(0), White);
    clock.press(at(20));
    clock.press(at(30));
    assert_eq!(clock.next_event(at(30)), Some(at(70)));
    assert_eq!(clock.flag(At::new(69_999)), None);
    assert_eq!(clock.flag(at(70)), Some(White));
    assert_eq!(clock.fell_at(at(500), White), Some(at(70)));
    assert_eq!(clock.next_event(at(500)), None);
    clock.press(at(90));
    assert_eq!(clock.remaining_ms(at(90), White), 0, "a fallen flag gets no second period");
    assert_eq!(clock.fell_at(at(90), White), Some(at(70)));
}

#[test]
fn when_both_flags_fall_the_first_one_is_told() {
    let mut clock = clock("1");
    clock.start(at(0), Black);
    clock.press(at(60));
    assert_eq!(clock.flag(at(60)), Some(Black));
    assert_eq!(clock.flag(at(999)), Some(Black));
    assert_eq!(clock.fell_at(at(999), White), Some(at(120)));
}

#[test]
fn a_delay_is_waited_for_and_not_renewed_by_stopping() {
    let mut clock = clock("25+5d");
    clock.start(at(0), White);
    assert_eq!(clock.remaining_ms(at(5), White), 1_500_000);
    assert_eq!(clock.remaining_ms(at(6), White), 1_499_000);
    clock.press(at(6));
    assert_eq!(clock.remaining_ms(at(6), White), 1_499_000);
    clock.stop(at(9));
    assert_eq!(clock.reading(at(50)).2, Running::None);
    assert_eq!(clock.resume(at(100)), Some(Black));
    assert_eq!(clock.next_event(at(100)), Some(at(1_602)));
    assert_eq!(clock.remaining_ms(at(103), Black), 1_499_000);
}

#[test]
fn bronstein_gives_back_what_was_used_and_no_more() {
    let mut clock = clock("25+5b");
    clock.start(at(0), White);
    assert_eq!(clock.remaining_ms(at(3), White), 1_497_000);
    clock.press(at(3));
    assert_eq!(clock.remaining_ms(at(3), White), 1_500_000);
    clock.press(at(13));
    assert_eq!(clock.remaining_ms(at(13), Black), 1_495_000);
}

#[test]
fn the_arbiter_sets_times_and_counters() {
    let mut clock = clock("40/1:1");
    clock.start(at(0), White);
    assert_eq!(clock.flag(at(61)), Some(White));
    clock.set(at(61), White, 120_000);
    assert_eq!(clock.flag(at(61)), None);
    assert_eq!(
        clock.reading(at(71)),
        (110_000, 60_000, Running::White),
        "the clock goes on from the new time"
    );
    clock.set_moves(at(71), White, 39);
    assert_eq!(clock.moves_to_control(White), Some(1));
    clock.press(at(71));
    assert_eq!(clock.remaining_ms(at(71), White), 170_000);
    clock.set(at(71), Black, 0);
    assert_eq!(clock.flag(at(71)), Some(Black));
}

#[test]
fn moments_from_the_past_change_nothing() {
    let mut clock = clock("1");
    clock.start(at(50), White);
    clock.press(at(60));
    let before = clock.reading(at(60));
    assert_eq!(clock.reading(at(10)), before);
    clock.stop(at(10));
    assert_eq!(clock.remaining_ms(at(99), Black), 60_000);
    clock.resume(at(10));
    assert_eq!(clock.next_event(at(10)), Some(at(120)));
}

#[test]
fn the_largest_moments_do_not_overflow() {
    let mut clock = clock("1440+3600d");
    clock.start(At::new(u64::MAX - 1), White);
    assert_eq!(clock.next_event(At::new(u64::MAX)), Some(At::new(u64::MAX)));
    clock.set(At::new(u64::MAX), Black, u64::MAX);
    clock.press(At::new(u64::MAX));
    clock.press(At::new(u64::MAX));
    assert_eq!(clock.remaining_ms(At::new(u64::MAX), Black), u64::MAX);
}

#[derive(Clone, Debug)]
enum Act {
    Press,
    Stop,
    Resume,
    Start(bool),
}

fn acts() -> impl Strategy<Value = Vec<(u64, Act)>> {
    let act = prop_oneof![
        6 => Just(Act::Press),
        1 => Just(Act::Stop),
        2 => Just(Act::Resume),
        1 => any::<bool>().prop_map(Act::Start),
    ];
    prop::collection::vec((0u64..90_000, act), 1..120)
}

fn controls() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "40/90+30:30+30",
        "3/2:2/1:1+3",
        "90",
        "3+2",
        "0.5+1",
        "2/5+10d:10",
        "25+5d",
        "25+5b",
        "1/1+2:1/1+3b:1+4d",
    ])
}

fn apply(clock: &mut ClockState, now: At, act: &Act) {
    match act {
        Act::Press => {
            clock.press(now);
        }
        Act::Stop => clock.stop(now),
        Act::Resume => {
            clock.resume(now);
        }
        Act::Start(white) => clock.start(now, Color::from_white(*white)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    /// With increments only, for a side whose flag stands: what it has left is what it was given
    /// minus the time in which it ran.
    #[test]
    fn no_time_is_made_or_lost(
        control in prop::sample::select(vec!["40/90+30:30+30", "3/2:2/1:1+3", "90", "3+2"]),
        acts in acts(),
    ) {
        let parsed: TimeControl = control.parse().expect("a time control");
        let mut clock = ClockState::new(parsed.clone());
        clock.start(At::new(0), White);
        let mut now = 0;
        let mut ran_ms = [0u64; 2];
        for (wait_ms, act) in acts {
            match clock.reading(At::new(now)).2 {
                Running::White => ran_ms[0] += wait_ms,
                Running::Black => ran_ms[1] += wait_ms,
                Running::None => {}
            }
            now += wait_ms;
            apply(&mut clock, At::new(now), &act);
            for (color, ran_ms) in [(White, ran_ms[0]), (Black, ran_ms[1])] {
                if clock.fell_at(At::new(now), color).is_some() {
                    prop_assert_eq!(clock.remaining_ms(At::new(now), color), 0);
                    continue;
                }
                // Given: every increment up to the move in hand, every period begun.
                let mut given_ms = 0;
                let mut first_move = 1;
                for period in parsed.periods() {
                    let in_hand = clock.moves(color) + 1;
                    if in_hand < first_move {
                        break;
                    }
                    let begun = (in_hand - first_move + 1).min(period.moves.unwrap_or(u32::MAX));
                    let increment_ms = match period.bonus {
                        annabella_core::game::clock::Bonus::Increment(ms) => ms,
                        _ => 0,
                    };
                    given_ms += period.base_ms + u64::from(begun) * increment_ms;
                    first_move = first_move.saturating_add(period.moves.unwrap_or(u32::MAX));
                }
                prop_assert_eq!(clock.remaining_ms(At::new(now), color) + ran_ms, given_ms);
            }
        }
    }

    /// Looking changes nothing, and while nobody acts the running side only loses, the other keeps,
    /// down to the very moment that was told for the flag.
    #[test]
    fn readings_only_fall_and_the_flag_falls_when_told(
        control in controls(), acts in acts(), look_ms in 1u64..200_000,
    ) {
        let mut clock = clock(control);
        let mut now = 0;
        for (wait_ms, act) in acts {
            let early = clock.reading(At::new(now + wait_ms / 2));
            let late = clock.reading(At::new(now + wait_ms));
            prop_assert!(late.0 <= early.0 && late.1 <= early.1);
            if early.2 != Running::White { prop_assert_eq!(late.0, early.0); }
            if early.2 != Running::Black { prop_assert_eq!(late.1, early.1); }
            now += wait_ms;
            apply(&mut clock, At::new(now), &act);
            if let Some(event) = clock.next_event(At::new(now)) {
                let running = match clock.reading(At::new(now)).2 {
                    Running::White => White,
                    _ => Black,
                };
                prop_assert_eq!(clock.fell_at(event, running), Some(event));
                prop_assert_eq!(clock.remaining_ms(event, running), 0);
                if event.ms > now {
                    prop_assert_eq!(clock.fell_at(At::new(event.ms - 1), running), None);
                }
                // The prediction does not depend on when one asks.
                let asked = now + look_ms;
                if asked < event.ms {
                    prop_assert_eq!(clock.next_event(At::new(asked)), Some(event));
                }
            }
        }
    }

    /// A side that is never short of time ends every move with the same time in both delay modes.
    #[test]
    fn delay_and_bronstein_agree_after_each_move(waits in prop::collection::vec(0u64..20_000, 1..60)) {
        let mut delay = clock("60+5d");
        let mut bronstein = clock("60+5b");
        delay.start(At::new(0), White);
        bronstein.start(At::new(0), White);
        let mut now = 0;
        for wait_ms in waits {
            now += wait_ms;
            delay.press(At::new(now));
            bronstein.press(At::new(now));
            prop_assert_eq!(delay.reading(At::new(now)), bronstein.reading(At::new(now)));
        }
    }
}
