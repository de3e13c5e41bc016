//! The faults of an emulated board.

/// Faults on request; none by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Faults {
    /// `lost`: how many of a thousand bytes get lost, both ways.
    pub lost_permille: u32,
    /// `garbage`: before how many of a thousand bytes a random one is inserted.
    pub garbage_permille: u32,
    /// `turned`: the connector is on White's right.
    pub turned: bool,
    /// `no-clock`: none is plugged in.
    pub no_clock: bool,
    /// `no-mode-23`: the clock takes no times from a computer.
    pub no_mode_23: bool,
    /// `unplug`: the interval in seconds at which the cable is pulled for two seconds; 0: never.
    pub unplug_s: u32,
    /// `unplug-clock`: the same for the clock's cable.
    pub unplug_clock_s: u32,
}

/// A list of faults that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DgtFaultsError {
    #[error("unknown fault '{0}': known are {KNOWN}")]
    Unknown(
        /// As written.
        String,
    ),
    #[error("fault '{name}' cannot be '{value}': write a whole number from 0 to {most}")]
    Value {
        name: String,
        /// As written.
        value: String,
        most: u32,
    },
}

const KNOWN: &str = "lost=5, garbage=5, unplug=60, unplug-clock=60, turned, no-clock, no-mode-23";

impl Faults {
    /// Reads a list: `lost=5,garbage=2,turned`.
    ///
    /// # Errors
    /// The first entry that is not understood, with what would do.
    pub fn parse(text: &str) -> Result<Faults, DgtFaultsError> {
        let mut faults = Faults::default();
        for entry in text.split(',').map(str::trim).filter(|entry| !entry.is_empty()) {
            match entry.split_once('=').map(|(name, value)| (name.trim(), value.trim())) {
                Some(("lost", value)) => faults.lost_permille = number("lost", value, 200)?,
                Some(("garbage", value)) => {
                    faults.garbage_permille = number("garbage", value, 200)?;
                }
                Some(("unplug", value)) => faults.unplug_s = number("unplug", value, 86_400)?,
                Some(("unplug-clock", value)) => {
                    faults.unplug_clock_s = number("unplug-clock", value, 86_400)?;
                }
                None if entry == "turned" => faults.turned = true,
                None if entry == "no-clock" => faults.no_clock = true,
                None if entry == "no-mode-23" => faults.no_mode_23 = true,
                _ => return Err(DgtFaultsError::Unknown(entry.to_owned())),
            }
        }
        Ok(faults)
    }
}

fn number(name: &str, value: &str, most: u32) -> Result<u32, DgtFaultsError> {
    value.parse().ok().filter(|number| *number <= most).ok_or_else(|| DgtFaultsError::Value {
        name: name.to_owned(),
        value: value.to_owned(),
        most,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_of_faults_is_read_or_refused_with_what_would_do() {
        assert_eq!(Faults::parse(""), Ok(Faults::default()));
        let wanted = Faults {
            lost_permille: 5,
            unplug_s: 60,
            turned: true,
            no_mode_23: true,
            ..Faults::default()
        };
        assert_eq!(Faults::parse("lost=5, turned,unplug=60,no-mode-23"), Ok(wanted));
        let error = |text: &str| Faults::parse(text).expect_err("no fault").to_string();
        assert_eq!(
            error("lots=5"),
            "unknown fault 'lots=5': known are lost=5, garbage=5, unplug=60, unplug-clock=60, \
             turned, no-clock, no-mode-23"
        );
        assert_eq!(
            error("lost=900"),
            "fault 'lost' cannot be '900': write a whole number from 0 to 200"
        );
    }
}
