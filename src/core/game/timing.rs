//! The players' time: the clock, its stops, and presses that wait for something.

use shakmaty::{ByColor, Color};

use super::{At, clock::ClockState, device_clock::DeviceClock, press::Ahead};

/// The clock of the game and everything about it that is not arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Timing {
    pub(super) clock: ClockState,
    /// The clock before the players, when it is a device of its own.
    pub(super) device: DeviceClock,
    /// A clock ran when the service was stopped.
    pub(super) was_running: bool,
    /// When it is said that the clocks stand since the service was stopped.
    pub(super) stands_told: Option<At>,
    /// A sighted player's press that waits for what his board shows.
    pub(super) ahead: Option<Ahead>,
    /// This player's move was answered before he had pressed his clock. He may still do so (6.2.2).
    pub(super) late: Option<Color>,
    /// When the system presses for the player whose move was made last (D.2.10.3): until then his
    /// hands may correct a slip.
    pub(super) grace: Option<At>,
    /// Times of which each player has been warned, seconds.
    pub(super) alarmed: ByColor<Vec<u32>>,
    /// The last move, by its index, was completed by a press that was there before it, and may
    /// still be changed by what showed it.
    pub(super) shown_late: Option<usize>,
    /// The player who pressed without a move, and after how many plies; reported already.
    pub(super) in_vain: Option<(Color, u32)>,
}

impl Timing {
    /// The clock, and what would be given back if a press that waits completes nothing.
    fn clocks(&mut self) -> impl Iterator<Item = &mut ClockState> {
        let before = self.ahead.as_mut().and_then(|ahead| ahead.before.as_deref_mut());
        [&mut self.clock].into_iter().chain(before)
    }

    /// Both sides stop, and what would be given back stands too.
    pub(super) fn stop(&mut self, at: At) {
        self.clocks().for_each(|clock| clock.stop(at));
    }

    /// The arbiter changes a player's time (6.10.2, 12.9). A kept earlier reading changes with it.
    pub(super) fn change(&mut self, at: At, color: Color, to: impl Fn(u64) -> u64) {
        for clock in self.clocks() {
            let left_ms = clock.remaining_ms(at, color);
            clock.set(at, color, to(left_ms));
        }
    }

    /// Lets this side run, from where it stood if it ran last.
    pub(super) fn run(&mut self, at: At, side: Color) {
        let on = |clock: &mut ClockState, side: Color| {
            if clock.resume(at) != Some(side) {
                clock.start(at, side);
            }
        };
        on(&mut self.clock, side);
        if let Some(Ahead { seat, before: Some(before), .. }) = &mut self.ahead {
            on(before, *seat);
        }
    }

    pub(super) fn new(clock: ClockState) -> Timing {
        Timing {
            clock,
            device: DeviceClock::default(),
            was_running: false,
            stands_told: None,
            ahead: None,
            late: None,
            grace: None,
            alarmed: ByColor::default(),
            shown_late: None,
            in_vain: None,
        }
    }
}
