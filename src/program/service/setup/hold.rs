//! Buttons that mean one thing when pressed and another when held.

use std::time::{Duration, Instant};

use annabella_core::questionnaire::Key;
use annabella_devices::board::buttons::{Button, ButtonsReader};

/// The repeat button held for this long means back.
const LONG_MS: u64 = 800;
/// The repeat button held at start for this long begins the set-up.
pub const AT_START: Duration = Duration::from_secs(3);
/// A button that is not down by then is not held.
const SETTLE: Duration = Duration::from_millis(100);
/// How often the button is looked at.
const LOOK: Duration = Duration::from_millis(10);

/// The repeat button: pressed, the question again; held, back.
#[derive(Clone, Copy, Debug, Default)]
pub struct RepeatButton {
    down_ms: Option<u64>,
}

impl RepeatButton {
    /// The button went down or up.
    pub fn event(&mut self, now_ms: u64, down: bool) -> Option<Key> {
        if down {
            self.down_ms = Some(now_ms);
            return None;
        }
        let held = self.look(now_ms);
        held.or_else(|| self.down_ms.take().map(|_| Key::Repeat))
    }

    /// Whether it has been held long enough by now.
    pub fn look(&mut self, now_ms: u64) -> Option<Key> {
        let since = self.down_ms?;
        if now_ms < since + LONG_MS {
            return None;
        }
        self.down_ms = None;
        Some(Key::Back)
    }
}

/// Whether the repeat button is held at start, for all of [`AT_START`]. A button that is up returns
/// within a tenth of a second. Waits by `sleep`, which a test may leave out.
pub fn held(reader: &mut dyn ButtonsReader, mut sleep: impl FnMut(Duration) -> Duration) -> bool {
    let mut time = Duration::ZERO;
    let mut down = None;
    while time < AT_START + SETTLE {
        // A button that cannot be read is not held.
        let now = reader.levels().is_ok_and(|levels| levels.is_down(Button::Repeat));
        match (now, down) {
            (true, None) => down = Some(time),
            (true, Some(since)) if time.saturating_sub(since) >= AT_START => return true,
            (true, Some(_)) => {}
            (false, _) if time >= SETTLE => return false,
            // The contact may chatter at first.
            (false, _) => down = None,
        }
        time += sleep(LOOK);
    }
    false
}

/// Really waits; gives how long it was.
pub fn sleep(length: Duration) -> Duration {
    let began = Instant::now();
    std::thread::sleep(length);
    began.elapsed()
}

#[cfg(test)]
mod tests {
    use super::*;
    use annabella_devices::board::{ReadError, buttons::ButtonLevels};

    /// Down from and until these milliseconds.
    struct Pressed(u64, u64, u64);

    impl ButtonsReader for Pressed {
        fn levels(&mut self) -> Result<ButtonLevels, ReadError> {
            let down = (self.1..self.2).contains(&self.0);
            self.0 += 10;
            Ok(ButtonLevels::of(if down { &[Button::Repeat, Button::Talk] } else { &[] }))
        }
    }

    fn begins(from_ms: u64, until_ms: u64) -> bool {
        held(&mut Pressed(0, from_ms, until_ms), |length| length)
    }

    #[test]
    fn only_a_button_held_for_three_seconds_from_the_start_begins_the_set_up() {
        assert!(begins(0, 10_000));
        assert!(begins(50, 10_000));
        assert!(begins(0, 3_010));
        assert!(!begins(0, 2_900));
        assert!(!begins(0, 0));
        assert!(!begins(500, 10_000));
    }

    #[test]
    fn a_button_that_is_not_held_keeps_the_game_waiting_no_longer_than_a_moment() {
        let mut waited = Duration::ZERO;
        let mut sleep = |length| {
            waited += length;
            length
        };
        assert!(!held(&mut Pressed(0, 0, 0), &mut sleep));
        assert!(waited <= Duration::from_millis(110), "{waited:?}");
    }

    #[test]
    fn repeat_is_pressed_and_back_is_held() {
        let mut button = RepeatButton::default();
        assert_eq!(button.event(0, true), None);
        assert_eq!(button.look(700), None);
        assert_eq!(button.event(750, false), Some(Key::Repeat));
        assert_eq!(button.look(5_000), None);
        assert_eq!(button.event(6_000, true), None);
        assert_eq!(button.look(6_800), Some(Key::Back));
        assert_eq!(button.event(7_000, false), None);
        assert_eq!(button.event(8_000, true), None);
        assert_eq!(button.event(9_500, false), Some(Key::Back));
    }
}
