//! The players' time: the clock, what stops it, and presses that wait for something.

use shakmaty::Color;

use super::{At, clock::ClockState, devices::DeviceClock, rulings::Halt};

/// The clock of the game and everything about it that is not arithmetic.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Timing {
    pub(super) clock: ClockState,
    /// The clock before the players, when it is a device of its own.
    pub(super) device: DeviceClock,
    /// It has been there before.
    pub(super) device_seen: bool,
    /// A clock ran when the service was stopped.
    pub(super) was_running: bool,
    /// The clocks stand until somebody says otherwise.
    pub(super) halted: Option<Halt>,
    /// The sighted player, whose board is not seen, pressed his clock: when, and what it showed.
    pub(super) ahead: Option<(At, (u64, u64))>,
    /// This player's move was replied to before he had pressed his clock; he may still do so.
    pub(super) late: Option<Color>,
    /// Who pressed without a move, and after how many plies: told already.
    pub(super) in_vain: Option<(Color, u32)>,
}

impl Timing {
    pub(super) fn new(clock: ClockState) -> Timing {
        Timing {
            clock,
            device: DeviceClock::default(),
            device_seen: false,
            was_running: false,
            halted: None,
            ahead: None,
            late: None,
            in_vain: None,
        }
    }
}
