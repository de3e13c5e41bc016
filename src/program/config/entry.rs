//! A key of the configuration with its value as written, and what it may be read as.

mod named;
mod wires;

use std::{fmt::Display, net::SocketAddr, ops::RangeInclusive, path::PathBuf};

use shakmaty::{CastlingMode, Chess, fen::Fen};
use toml::{Spanned, de::DeValue};

use super::ConfigError;
use annabella_core::game::clock::TimeControl;
use annabella_devices::braille::line::BrlttyAt;

#[derive(Clone, Copy)]
pub(super) struct Source<'a> {
    pub(super) text: &'a str,
    pub(super) file: &'a str,
}

impl<'a> Source<'a> {
    pub(super) fn line(self, offset: usize) -> usize {
        let end = offset.min(self.text.len());
        self.text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1
    }
}

pub(super) fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "?")
}

/// A key with its value as written, and what to read it as.
pub(super) struct Entry<'a, 'i> {
    pub(super) source: Source<'a>,
    pub(super) section: &'static str,
    pub(super) key: &'static str,
    pub(super) value: &'a Spanned<DeValue<'i>>,
}

impl Entry<'_, '_> {
    pub(super) fn refuse(&self, allowed: impl Display) -> ConfigError {
        let span = self.value.span();
        let written = self.source.text.get(span.clone()).unwrap_or_default();
        let mut found = one_line(written);
        if found.chars().count() > 60 {
            found = found.chars().take(60).collect::<String>() + "…";
        }
        let (file, line) = (self.source.file, self.source.line(span.start));
        let Entry { section, key, .. } = self;
        ConfigError(format!("{file}:{line}: {key} in [{section}] is {found}; allowed: {allowed}"))
    }

    fn text(&self, allowed: &str) -> Result<&str, ConfigError> {
        match self.value.get_ref().as_str() {
            Some(text) if !text.contains(char::is_control) => Ok(text),
            _ => Err(self.refuse(allowed)),
        }
    }

    pub(super) fn name(&self) -> Result<String, ConfigError> {
        Ok(self.text("text in quotes, on one line")?.trim().to_owned())
    }

    pub(super) fn filled(&self, allowed: &str) -> Result<String, ConfigError> {
        let text = self.text(allowed)?.trim();
        if text.is_empty() {
            return Err(self.refuse(allowed));
        }
        Ok(text.to_owned())
    }

    pub(super) fn device(&self) -> Result<String, ConfigError> {
        self.filled("\"default\" or the name of a sound device")
    }

    /// It goes to an option of a program.
    pub(super) fn voice(&self) -> Result<String, ConfigError> {
        let allowed = "a voice variant of espeak-ng, as in \"f2\" or \"m3\", or \"\"";
        let text = self.text(allowed)?.trim();
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        if text.chars().all(plain) { Ok(text.to_owned()) } else { Err(self.refuse(allowed)) }
    }

    pub(super) fn path(&self) -> Result<PathBuf, ConfigError> {
        Ok(PathBuf::from(self.filled("a path in quotes")?))
    }

    /// `None` where the text is empty.
    pub(super) fn path_or_none(&self) -> Result<Option<PathBuf>, ConfigError> {
        Ok(Some(self.name()?).filter(|path| !path.is_empty()).map(PathBuf::from))
    }

    /// For what is read where the text is not empty.
    pub(super) fn path_or_nowhere(&self) -> Result<PathBuf, ConfigError> {
        Ok(PathBuf::from(self.name()?))
    }

    pub(super) fn switch(&self) -> Result<bool, ConfigError> {
        self.value.get_ref().as_bool().ok_or_else(|| self.refuse("true, false"))
    }

    pub(super) fn number<T: TryFrom<i64> + Display + PartialOrd>(
        &self,
        range: RangeInclusive<T>,
    ) -> Result<T, ConfigError> {
        let number = self
            .value
            .get_ref()
            .as_integer()
            .and_then(|digits| i64::from_str_radix(digits.as_str(), digits.radix()).ok())
            .and_then(|number| T::try_from(number).ok());
        match number {
            Some(number) if range.contains(&number) => Ok(number),
            _ => Err(self.refuse(format!(
                "a whole number from {} to {}",
                range.start(),
                range.end()
            ))),
        }
    }

    /// For what has no number of its own as long as nothing is written.
    pub(super) fn some_number<T: TryFrom<i64> + Display + PartialOrd>(
        &self,
        range: RangeInclusive<T>,
    ) -> Result<Option<T>, ConfigError> {
        self.number(range).map(Some)
    }

    /// From 0 to `most`.
    pub(super) fn real(&self, most: f64) -> Result<f64, ConfigError> {
        let value = match self.value.get_ref() {
            DeValue::Float(float) => float.as_str().parse().ok(),
            DeValue::Integer(_) => self.number(0..=most as i64).ok().map(|n| n as f64),
            _ => None,
        };
        match value {
            Some(value) if (0.0..=most).contains(&value) => Ok(value),
            _ => Err(self.refuse(format!("a number from 0 to {most}"))),
        }
    }

    /// A list of texts, none of them empty.
    pub(super) fn names(&self) -> Result<Vec<String>, ConfigError> {
        let refuse = || self.refuse("names in quotes, in brackets, as in [\"Ada\", \"Ben\"]");
        let list = self.value.get_ref().as_array().ok_or_else(refuse)?;
        list.iter()
            .map(|item| {
                let name = item.get_ref().as_str()?.trim();
                let plain = !name.is_empty() && !name.contains(char::is_control);
                plain.then(|| name.to_owned())
            })
            .collect::<Option<Vec<String>>>()
            .ok_or_else(refuse)
    }

    /// A list of times left, in seconds.
    pub(super) fn seconds(&self) -> Result<Vec<u32>, ConfigError> {
        let refuse = || self.refuse("whole seconds from 1 to 86400 in brackets, as in [600, 60]");
        let list = self.value.get_ref().as_array().ok_or_else(refuse)?;
        list.iter()
            .map(|item| {
                let digits = item.get_ref().as_integer()?;
                let number = i64::from_str_radix(digits.as_str(), digits.radix()).ok()?;
                u32::try_from(number).ok().filter(|number| (1..=86_400).contains(number))
            })
            .collect::<Option<Vec<u32>>>()
            .ok_or_else(refuse)
    }

    pub(super) fn one_of<T: Copy>(&self, known: &[(&str, T)]) -> Result<T, ConfigError> {
        let text = self.value.get_ref().as_str();
        match known.iter().find(|(name, _)| Some(*name) == text) {
            Some((_, value)) => Ok(*value),
            None => Err(self.refuse(
                known.iter().map(|(name, _)| format!("\"{name}\"")).collect::<Vec<_>>().join(", "),
            )),
        }
    }

    /// For what has no value as long as nothing is written.
    pub(super) fn some_of<T: Copy>(&self, known: &[(&str, T)]) -> Result<Option<T>, ConfigError> {
        self.one_of(known).map(Some)
    }

    pub(super) fn time_control(&self) -> Result<TimeControl, ConfigError> {
        let allowed = "periods \"moves/minutes+seconds\", as in \"40/90+30:30+30\" or \"3+2\"";
        let text = self.text(allowed)?;
        text.parse().map_err(|error: annabella_core::game::clock::TimeControlError| {
            self.refuse(format!("{allowed} (character {}: {})", error.column, error.problem))
        })
    }

    pub(super) fn fen(&self) -> Result<Option<String>, ConfigError> {
        let allowed = "a position in FEN, or \"\" for the usual one";
        let text = self.text(allowed)?.trim();
        if text.is_empty() {
            return Ok(None);
        }
        let fen: Fen = text.parse().map_err(|error| self.refuse(format!("{allowed} ({error})")))?;
        // Refused here and not in the middle of a tournament hall: a position nobody can play on.
        fen.clone()
            .into_position::<Chess>(CastlingMode::Standard)
            .map_err(|error| self.refuse(format!("{allowed} ({error})")))?;
        Ok(Some(fen.to_string()))
    }

    /// The name of a machine, RFC 1123.
    pub(super) fn host(&self) -> Result<String, ConfigError> {
        let allowed =
            "at most 63 letters a to z, digits and hyphens, as in \"board-17\", or \"\" for none";
        let text = self.text(allowed)?.trim();
        let good = text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !good || text.len() > 63 || text.starts_with('-') || text.ends_with('-') {
            return Err(self.refuse(allowed));
        }
        Ok(text.to_owned())
    }

    /// The address of a NATS server.
    pub(super) fn hall_url(&self) -> Result<Option<String>, ConfigError> {
        let allowed = "the hall's server, as in \"nats://192.168.4.1:4222\" or \"tls://hall.example\", or \"\" for off";
        let text = self.text(allowed)?.trim();
        let host = |one: &str| {
            let one = one.trim();
            one.strip_prefix("nats://").or_else(|| one.strip_prefix("tls://")).map(str::to_owned)
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | ':' | '-' | '[' | ']');
        let good =
            |one: &str| host(one).is_some_and(|host| !host.is_empty() && host.chars().all(plain));
        match text {
            "" => Ok(None),
            // Servers that keep the same rows have commas between them.
            _ if text.split(',').all(good) => Ok(Some(text.to_owned())),
            _ => Err(self.refuse(allowed)),
        }
    }

    /// The name of an event in the hall.
    pub(super) fn event(&self) -> Result<String, ConfigError> {
        let allowed = "1 to 32 letters a to z, digits and hyphens, as in \"olympiad-2027\"";
        let text = self.text(allowed)?.trim();
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let good = (1..=32).contains(&text.len()) && text.chars().all(plain);
        if good { Ok(text.to_owned()) } else { Err(self.refuse(allowed)) }
    }

    pub(super) fn brltty(&self) -> Result<Option<BrlttyAt>, ConfigError> {
        let allowed = "brltty's socket, as in \"/var/lib/BrlAPI/0\", its host and port, as in \
                       \"192.168.1.5:4101\", or \"\" for none";
        let text = self.text(allowed)?.trim();
        if text.is_empty() {
            return Ok(None);
        }
        BrlttyAt::parse(text).map(Some).ok_or_else(|| self.refuse(allowed))
    }

    pub(super) fn listen(&self) -> Result<Option<SocketAddr>, ConfigError> {
        let allowed = "an address and a port, as in \"127.0.0.1:8080\", or \"\" for off";
        let text = self.text(allowed)?.trim();
        if text.is_empty() {
            return Ok(None);
        }
        text.parse().map(Some).map_err(|_| self.refuse(allowed))
    }
}
