//! Buttons and lights, and that no pin has two jobs.

use super::WiringError;

/// Refuses a pin with two jobs; jobs as they stand in the configuration.
///
/// # Errors
/// [`WiringError::Pin`] with both purposes.
pub fn no_pin_twice(pins: &[(u8, String)]) -> Result<(), WiringError> {
    for (n, (gpio, second)) in pins.iter().enumerate() {
        if let Some((_, first)) = pins[..n].iter().find(|(other, _)| other == gpio) {
            let (first, second) = (first.clone(), second.clone());
            return Err(WiringError::Pin { gpio: *gpio, first, second });
        }
    }
    Ok(())
}

/// The buttons, BCM numbers; each between its pin and ground, held high by the Pi.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ButtonPins {
    /// Held while one speaks.
    pub talk: Option<u8>,
    /// Says the last thing again; stops what is being said.
    pub repeat: Option<u8>,
    /// The clock of the player at the left.
    pub clock_left: Option<u8>,
    /// The clock of the player at the right.
    pub clock_right: Option<u8>,
    pub arbiter: Option<u8>,
    /// Talk, for Black where both players are blind.
    pub talk_black: Option<u8>,
    pub repeat_black: Option<u8>,
}

impl Default for ButtonPins {
    fn default() -> ButtonPins {
        ButtonPins {
            talk: Some(5),
            repeat: Some(6),
            clock_left: Some(13),
            clock_right: Some(19),
            arbiter: Some(26),
            talk_black: None,
            repeat_black: None,
        }
    }
}

impl ButtonPins {
    /// The pins in use, with the key of `[buttons]` that names each.
    pub fn pins(&self) -> Vec<(u8, String)> {
        let all = [
            (self.talk, "[buttons] talk"),
            (self.repeat, "[buttons] repeat"),
            (self.clock_left, "[buttons] clock_left"),
            (self.clock_right, "[buttons] clock_right"),
            (self.arbiter, "[buttons] arbiter"),
            (self.talk_black, "[buttons] talk_black"),
            (self.repeat_black, "[buttons] repeat_black"),
        ];
        all.into_iter().filter_map(|(gpio, name)| Some((gpio?, name.to_owned()))).collect()
    }
}

/// The lights, BCM numbers, each with its resistor to ground. None by default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LightPins {
    pub white: Option<u8>,
    pub black: Option<u8>,
    /// Somebody should look: boards differ, an irregularity, the board is gone.
    pub attention: Option<u8>,
}

impl LightPins {
    /// The pins in use, with the key of `[lights]` that names each.
    pub fn pins(&self) -> Vec<(u8, String)> {
        let all = [
            (self.white, "[lights] white"),
            (self.black, "[lights] black"),
            (self.attention, "[lights] attention"),
        ];
        all.into_iter().filter_map(|(gpio, name)| Some((gpio?, name.to_owned()))).collect()
    }
}
