//! From TOML with spans to [`Config`].

mod wires;

use std::{fmt::Display, net::SocketAddr, ops::RangeInclusive, path::PathBuf};

use shakmaty::{CastlingMode, Chess, fen::Fen};
use toml::{
    Spanned,
    de::{DeTable, DeValue},
};

use super::{Config, ConfigError, keys::KEYS};
use annabella_core::game::clock::TimeControl;
use annabella_devices::braille::line::BrlttyAt;
use annabella_words::text::unix_lines;

pub(super) fn config(text: &str, file: &str) -> Result<Config, ConfigError> {
    let text = &*unix_lines(text);
    let source = Source { text, file };
    let document = DeTable::parse(text).map_err(|error| ConfigError::Syntax {
        file: file.to_owned(),
        line: source.line(error.span().map_or(0, |span| span.start)),
        problem: one_line(error.message()),
    })?;
    let mut config = Config::default();
    let mut problems = Vec::new();
    for (name, value) in document.get_ref() {
        source.section(name, value, &mut config, &mut problems);
    }
    source.same_left(document.get_ref(), &config, &mut problems);
    // The table is sorted by key; a person reads from the top.
    match problems.into_iter().min_by_key(|(offset, _)| *offset) {
        Some((_, problem)) => Err(problem),
        None => match config.check_wires() {
            Err(problem) => Err(ConfigError::Wiring { file: file.to_owned(), problem }),
            Ok(()) => match super::seats::check(&config) {
                Some(problem) => Err(ConfigError::Seats { file: file.to_owned(), problem }),
                None => Ok(config),
            },
        },
    }
}

type Problem = (usize, ConfigError);
type Written<'i> = Spanned<std::borrow::Cow<'i, str>>;

#[derive(Clone, Copy)]
struct Source<'a> {
    text: &'a str,
    file: &'a str,
}

impl<'a> Source<'a> {
    fn line(self, offset: usize) -> usize {
        let end = offset.min(self.text.len());
        self.text.as_bytes()[..end].iter().filter(|byte| **byte == b'\n').count() + 1
    }

    /// `[buttons] left` and `[clock] left` are one thing: they may not say two.
    fn same_left(self, document: &DeTable<'_>, config: &Config, problems: &mut Vec<Problem>) {
        let (Some(button), Some(clock)) = (config.buttons.left, config.clock.left.color()) else {
            return;
        };
        let value = document.get("buttons").and_then(|section| section.get_ref().get("left"));
        if let Some(value) = value.filter(|_| button != clock) {
            let entry = Entry { source: self, section: "buttons", key: "left", value };
            let allowed = format!(
                "nothing, or \"{clock}\" as [clock] left says: it counts for the buttons too"
            );
            problems.push((value.span().start, entry.refuse(allowed)));
        }
    }

    fn section(
        self,
        name: &Written<'_>,
        value: &Spanned<DeValue<'_>>,
        config: &mut Config,
        problems: &mut Vec<Problem>,
    ) {
        let offset = name.span().start;
        let (file, line) = (self.file.to_owned(), self.line(offset));
        let known = KEYS.iter().find(|(section, _)| *section == name.get_ref().as_ref());
        let Some((section, keys)) = known else {
            let written = one_line(name.get_ref());
            let problem = match home(&written) {
                Some(section) if !value.get_ref().is_table() => {
                    ConfigError::Misplaced { file, line, key: written, section }
                }
                _ => ConfigError::UnknownSection {
                    file,
                    line,
                    nearest: nearest(&written, KEYS.iter().map(|(section, _)| *section)),
                    section: written,
                },
            };
            problems.push((offset, problem));
            return;
        };
        let Some(table) = value.get_ref().as_table() else {
            let problem = ConfigError::Syntax {
                file,
                line,
                problem: format!(
                    "'{section}' is a section; write [{section}] once, on a line of its own, and its keys below"
                ),
            };
            problems.push((offset, problem));
            return;
        };
        for (key, _) in table {
            let written = key.get_ref().as_ref();
            if !keys.iter().any(|known| known.name == written) {
                let offset = key.span().start;
                let (file, line, key) =
                    (self.file.to_owned(), self.line(offset), one_line(written));
                let problem = match home(&key) {
                    Some(section) => ConfigError::Misplaced { file, line, key, section },
                    None => ConfigError::UnknownKey {
                        file,
                        line,
                        section,
                        nearest: nearest(&key, keys.iter().map(|known| known.name)),
                        key,
                    },
                };
                problems.push((offset, problem));
            }
        }
        for known in *keys {
            let written = table.iter().find(|(key, _)| key.get_ref() == known.name);
            let Some((key, value)) = written else { continue };
            let entry = Entry { source: self, section, key: known.name, value };
            if let Err(problem) = (known.set)(&entry, config) {
                problems.push((key.span().start, problem));
            }
        }
    }
}

/// The only section that has this key, if there is just one. What Black's board has White's has too.
fn home(key: &str) -> Option<&'static str> {
    let sections = KEYS.iter().filter(|(section, _)| *section != "board_black");
    let mut homes = sections
        .filter(|(_, keys)| keys.iter().any(|known| known.name == key))
        .map(|(section, _)| *section);
    homes.next().filter(|_| homes.next().is_none())
}

fn nearest(written: &str, known: impl Iterator<Item = &'static str>) -> &'static str {
    known.min_by_key(|known| strsim::damerau_levenshtein(written, known)).unwrap_or_default()
}

fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "?")
}

/// A key with its value as written, and what to read it as.
pub(super) struct Entry<'a, 'i> {
    source: Source<'a>,
    section: &'static str,
    key: &'static str,
    value: &'a Spanned<DeValue<'i>>,
}

impl Entry<'_, '_> {
    fn refuse(&self, allowed: impl Into<String>) -> ConfigError {
        let span = self.value.span();
        let written = self.source.text.get(span.clone()).unwrap_or_default();
        let mut found = one_line(written);
        if found.chars().count() > 60 {
            found = found.chars().take(60).collect::<String>() + "…";
        }
        ConfigError::Value {
            file: self.source.file.to_owned(),
            line: self.source.line(span.start),
            section: self.section,
            key: self.key,
            found,
            allowed: allowed.into(),
        }
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

    /// Three names of keys, or none.
    pub(super) fn three_keys(&self) -> Result<Vec<String>, ConfigError> {
        let keys = self.names().unwrap_or_default();
        let empty = self.value.get_ref().as_array().is_some_and(|list| list.is_empty());
        if keys.len() == 3 || empty {
            return Ok(keys);
        }
        Err(self.refuse("three keys, as in [\"left\", \"right\", \"enter\"], or none: []"))
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

#[cfg(test)]
mod tests {
    use super::{super::keys::Key, *};

    #[test]
    fn every_key_has_a_reader_and_stands_in_the_example() {
        let example = Config::example();
        for (section, keys) in KEYS {
            let body = example
                .split(&format!("[{section}]\n"))
                .nth(1)
                .and_then(|rest| rest.split("\n[").next())
                .unwrap_or_else(|| panic!("[{section}] is missing"));
            for Key { name: key, .. } in *keys {
                let line = body
                    .lines()
                    .map(|line| line.trim_start_matches("# "))
                    .find(|line| line.starts_with(&format!("{key} = ")))
                    .unwrap_or_else(|| panic!("[{section}] {key} is missing"));
                // Left out, Black hears as White does: these have no value of their own that says so.
                if key.starts_with("private_") && *key != "private_black" && key.ends_with("_black")
                {
                    let both = config(
                        &format!("[game]\nblind = \"both\"\n[{section}]\n{line}\n"),
                        "one.toml",
                    );
                    let set = both.map(|both| {
                        (both.speech.private_rate_black, both.speech.private_volume_black)
                    });
                    assert!(
                        matches!(set, Ok((Some(160), None) | (None, Some(100)))),
                        "{line}: {set:?}"
                    );
                    continue;
                }
                let mut parsed = config(&format!("[{section}]\n{line}\n"), "one.toml");
                // The older way of saying [clock] left has a default only by what it comes to.
                if let (Ok(parsed), ("buttons", "left")) = (&mut parsed, (*section, *key)) {
                    assert_eq!(parsed.presses_left(), Config::default().presses_left());
                    parsed.buttons.left = None;
                }
                assert_eq!(parsed, Ok(Config::default()), "[{section}] {line}");
            }
        }
    }
}
