//! Push buttons and lights.
//!
//! [`Presses`] takes the chatter out, without time of its own; [`Buttons`] reads the pins on a
//! thread of its own. A button that is down when the reading begins counts from its next press:
//! one that is stuck presses nothing.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use embedded_hal::digital::{InputPin, OutputPin};

use super::ReadError;
use annabella_threads::millis;

/// How often the buttons are looked at.
const LOOK: Duration = Duration::from_millis(4);
/// Pause after a reading that failed.
const PAUSE: Duration = Duration::from_secs(1);

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Button {
    /// Held while one speaks.
    Talk,
    /// Says the last thing again; stops what is being said.
    Repeat,
    /// The clock of the player at the left.
    ClockLeft,
    /// The clock of the player at the right.
    ClockRight,
    Arbiter,
    /// Talk, for Black where both players are blind.
    TalkBlack,
    RepeatBlack,
}

impl Button {
    /// All of them, as in [`ButtonLevels`].
    pub const ALL: [Button; 7] = [
        Button::Talk,
        Button::Repeat,
        Button::ClockLeft,
        Button::ClockRight,
        Button::Arbiter,
        Button::TalkBlack,
        Button::RepeatBlack,
    ];

    fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// Which buttons are down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ButtonLevels(u8);

impl ButtonLevels {
    /// These buttons are down.
    pub fn of(down: &[Button]) -> ButtonLevels {
        ButtonLevels(down.iter().fold(0, |bits, button| bits | button.bit()))
    }

    /// Whether this one is.
    pub fn is_down(self, button: Button) -> bool {
        self.0 & button.bit() != 0
    }
}

/// A button went down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ButtonEvent {
    pub button: Button,
    /// True: down. False: up.
    pub down: bool,
}

/// Takes the chatter out of buttons: a change counts once it has lasted.
#[derive(Clone, Copy, Debug)]
pub struct Presses {
    stable_ms: u64,
    steady: Option<ButtonLevels>,
    raw: ButtonLevels,
    changed_ms: [u64; Button::ALL.len()],
}

impl Presses {
    /// A change counts after `stable_ms`.
    pub fn new(stable_ms: u64) -> Presses {
        let raw = ButtonLevels::default();
        Presses { stable_ms, steady: None, raw, changed_ms: [0; Button::ALL.len()] }
    }

    /// Takes in one reading. The first one gives no event.
    pub fn reading(&mut self, now_ms: u64, levels: ButtonLevels) -> Vec<ButtonEvent> {
        let Some(steady) = &mut self.steady else {
            (self.steady, self.raw) = (Some(levels), levels);
            return Vec::new();
        };
        let mut events = Vec::new();
        for (button, changed_ms) in Button::ALL.into_iter().zip(&mut self.changed_ms) {
            let down = levels.is_down(button);
            if down != self.raw.is_down(button) {
                *changed_ms = now_ms;
            }
            if down != steady.is_down(button) && *changed_ms + self.stable_ms <= now_ms {
                steady.0 ^= button.bit();
                events.push(ButtonEvent { button, down });
            }
        }
        self.raw = levels;
        events
    }
}

pub trait ButtonsReader: Send {
    /// Which are down now; contacts may still bounce.
    ///
    /// # Errors
    /// [`ReadError`] with the remedy.
    fn levels(&mut self) -> Result<ButtonLevels, ReadError>;
}

impl<R: ButtonsReader + ?Sized> ButtonsReader for Box<R> {
    fn levels(&mut self) -> Result<ButtonLevels, ReadError> {
        (**self).levels()
    }
}

/// Buttons between a pin and ground.
#[derive(Debug)]
pub struct ButtonInputs<P> {
    pins: Vec<(Button, P)>,
}

impl<P: InputPin> ButtonInputs<P> {
    /// Each button with its pin.
    pub fn new(pins: Vec<(Button, P)>) -> ButtonInputs<P> {
        ButtonInputs { pins }
    }
}

impl<P: InputPin + Send> ButtonsReader for ButtonInputs<P> {
    fn levels(&mut self) -> Result<ButtonLevels, ReadError> {
        let mut levels = ButtonLevels::default();
        for (button, pin) in &mut self.pins {
            let down = pin
                .is_low()
                .map_err(|err| ReadError::Bus { bus: "GPIO", reason: format!("{err:?}") })?;
            levels.0 |= if down { button.bit() } else { 0 };
        }
        Ok(levels)
    }
}

/// An event from the buttons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ButtonsEvent {
    /// A button went down or up.
    Button(ButtonEvent),
    /// The buttons cannot be read; reported once.
    Lost(ReadError),
    /// The buttons can be read again.
    Back,
}

/// Reads buttons on a thread of its own, until it is dropped.
#[derive(Debug)]
pub struct Buttons {
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Buttons {
    /// Starts the thread. It ends when `tell` returns false.
    pub fn start(
        mut reader: impl ButtonsReader + 'static,
        debounce_ms: u64,
        mut tell: impl FnMut(ButtonsEvent) -> bool + Send + 'static,
    ) -> Buttons {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let began = Instant::now();
            let mut presses = Presses::new(debounce_ms);
            let mut lost = false;
            let mut wanted = true;
            while wanted && !stopped.load(Ordering::Relaxed) {
                let now_ms = millis(began.elapsed());
                let pause = match reader.levels() {
                    Ok(levels) => {
                        if std::mem::take(&mut lost) {
                            wanted = tell(ButtonsEvent::Back);
                        }
                        for event in presses.reading(now_ms, levels) {
                            wanted &= tell(ButtonsEvent::Button(event));
                        }
                        LOOK
                    }
                    Err(err) => {
                        if !std::mem::replace(&mut lost, true) {
                            wanted = tell(ButtonsEvent::Lost(err));
                        }
                        PAUSE
                    }
                };
                thread::sleep(pause);
            }
        });
        Buttons { stop, thread: Some(thread) }
    }
}

impl Drop for Buttons {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error already.
            let _ = thread.join();
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Light {
    White,
    Black,
    Attention,
}

/// Lights, each from its pin over a resistor to ground.
#[derive(Debug, Default)]
pub struct Lights<P> {
    pins: Vec<(Light, P)>,
}

impl<P: OutputPin> Lights<P> {
    /// Each light with its pin. All are put out.
    pub fn new(pins: Vec<(Light, P)>) -> Lights<P> {
        let mut lights = Lights { pins };
        for light in [Light::White, Light::Black, Light::Attention] {
            lights.show(light, false);
        }
        lights
    }

    /// Switches the light on or off. A missing or broken light stops nothing.
    pub fn show(&mut self, light: Light, on: bool) {
        for (_, pin) in self.pins.iter_mut().filter(|(own, _)| *own == light) {
            let _ = if on { pin.set_high() } else { pin.set_low() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOWN: bool = true;

    fn told(readings: &[(u64, &[Button])]) -> Vec<(u64, Button, bool)> {
        let mut presses = Presses::new(20);
        let mut told = Vec::new();
        for (at_ms, down) in readings {
            let events = presses.reading(*at_ms, ButtonLevels::of(down));
            told.extend(events.into_iter().map(|event| (*at_ms, event.button, event.down)));
        }
        told
    }

    #[test]
    fn a_chattering_press_is_one_press() {
        let chatter: &[(u64, &[Button])] = &[
            (0, &[]),
            (100, &[Button::ClockLeft]),
            (104, &[]),
            (108, &[Button::ClockLeft]),
            (124, &[Button::ClockLeft]),
            (128, &[Button::ClockLeft]),
            (300, &[]),
            (319, &[]),
            (320, &[]),
        ];
        let left = Button::ClockLeft;
        assert_eq!(told(chatter), [(128, left, DOWN), (320, left, !DOWN)]);
    }

    #[test]
    fn two_buttons_at_once_are_both_told() {
        let both = [Button::ClockLeft, Button::ClockRight];
        let readings: &[(u64, &[Button])] = &[(0, &[]), (4, &both), (30, &both)];
        assert_eq!(told(readings), [(30, both[0], DOWN), (30, both[1], DOWN)]);
    }

    #[test]
    fn a_button_that_is_stuck_from_the_start_presses_nothing() {
        let stuck: &[(u64, &[Button])] =
            &[(0, &[Button::Arbiter]), (500, &[Button::Arbiter]), (1000, &[]), (1040, &[])];
        assert_eq!(told(stuck), [(1040, Button::Arbiter, !DOWN)]);
    }
}
