//! The keys that describe wires.

use std::ops::RangeInclusive;

use shakmaty::Square;

use super::{ConfigError, Entry};
use annabella_devices::board::wiring::{GPIO, Orientation};

const PIN: &str = "a GPIO number from 2 to 27 (BCM), or \"off\"";

impl Entry<'_, '_> {
    /// A BCM number, or no pin.
    pub(in crate::config) fn pin(&self) -> Result<Option<u8>, ConfigError> {
        if self.value.get_ref().as_str() == Some("off") {
            return Ok(None);
        }
        self.number(GPIO).map(Some).map_err(|_| self.refuse(PIN))
    }

    /// 0 is what the chips want.
    pub(in crate::config) fn spi_hz(&self) -> Result<Option<u32>, ConfigError> {
        let hz = self.number(0..=10_000_000)?;
        match hz {
            0 => Ok(None),
            1..10_000 => Err(self.refuse("0, or a whole number from 10000 to 10000000")),
            _ => Ok(Some(hz)),
        }
    }

    /// A list of numbers in this range; `None` where it is something else.
    fn numbers(&self, range: RangeInclusive<u8>) -> Option<Vec<u8>> {
        let entries = self.value.get_ref().as_array()?;
        entries
            .iter()
            .map(|value| {
                let digits = value.get_ref().as_integer()?;
                let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok()?;
                u8::try_from(number).ok().filter(|number| range.contains(number))
            })
            .collect()
    }

    pub(in crate::config) fn addresses(&self) -> Result<Option<Vec<u8>>, ConfigError> {
        match self.numbers(0x20..=0x27) {
            Some(list) if list.is_empty() => Ok(None),
            Some(list) => Ok(Some(list)),
            None => Err(self.refuse(
                "a list of addresses from 0x20 to 0x27, as in [0x20, 0x21], or [] as drawn",
            )),
        }
    }

    pub(in crate::config) fn eight_pins(&self) -> Result<[u8; 8], ConfigError> {
        self.numbers(GPIO)
            .and_then(|list| list.try_into().ok())
            .ok_or_else(|| self.refuse("a list of eight GPIO numbers from 2 to 27"))
    }

    pub(in crate::config) fn orientation(&self) -> Result<Orientation, ConfigError> {
        let degrees = self.number(0..=270).ok();
        degrees
            .and_then(Orientation::from_degrees)
            .ok_or_else(|| self.refuse("0, 90, 180, 270 (degrees clockwise, seen from above)"))
    }

    /// Squares with white space between them, `-` for an input without a reed.
    pub(in crate::config) fn map(&self) -> Result<Option<Vec<Option<Square>>>, ConfigError> {
        let allowed = "the squares in the order of the inputs, as in \"a1 b1 c1 …\", \"-\" for an \
                       input without a reed, or \"\" as drawn";
        let text = self.value.get_ref().as_str().ok_or_else(|| self.refuse(allowed))?;
        let squares: Result<Vec<Option<Square>>, ConfigError> = text
            .split_whitespace()
            .map(|word| match word {
                "-" => Ok(None),
                word => word.parse().map(Some).map_err(|_| self.refuse(allowed)),
            })
            .collect();
        squares.map(|squares| (!squares.is_empty()).then_some(squares))
    }
}
