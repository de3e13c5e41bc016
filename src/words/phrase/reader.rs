//! Reads a pack's TOML and collects everything that is wrong with it before giving up.

use std::fmt;

use toml::{Table, Value};

/// A fault of a pack. Keys are full paths: `moves.files.c`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The key is not there.
    Missing(String),
    /// The key means nothing; the nearest one that does.
    Unknown {
        /// As written.
        key: String,
        /// The nearest known key, if one is near.
        nearest: Option<String>,
    },
    /// The key is there, its value cannot be used.
    Wrong { key: String, why: String },
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Missing(key) => write!(f, "{key} is missing"),
            Problem::Unknown { key, nearest: Some(nearest) } => {
                write!(f, "{key} is unknown, did you mean {nearest}?")
            }
            Problem::Unknown { key, nearest: None } => write!(f, "{key} is unknown"),
            Problem::Wrong { key, why } => write!(f, "{key}: {why}"),
        }
    }
}

/// Why a language pack cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PackError {
    #[error("it is no valid TOML, correct it: {0}")]
    Toml(String),
    #[error("language pack is too large, shorten it: {0}")]
    TooLarge(String),
    #[error("language pack '{code}' is unfinished, add or correct: {}", list(.problems))]
    Unfinished {
        /// The pack's code, or `?` when it does not say.
        code: String,
        problems: Vec<Problem>,
    },
    #[error("no language pack '{name}', use one of: {}", .known.join(", "))]
    NoSuchPack { name: String, known: Vec<&'static str> },
    #[error(
        "language packs '{moves}' and '{prompts}' do not go together, the phrase '{phrase}' means two things: change it in one of them"
    )]
    Clash { moves: String, prompts: String, phrase: String },
}

fn list(problems: &[Problem]) -> String {
    let lines: Vec<String> = problems.iter().map(Problem::to_string).collect();
    lines.join("; ")
}

/// The known name nearest to a mistyped one.
pub(super) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<String> {
    known
        .map(|k| (strsim::jaro_winkler(name, k), k))
        .filter(|(score, _)| *score > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, k)| k.to_owned())
}

/// One table of a pack, being read. Every key asked for becomes a known key.
pub(super) struct Reader<'a> {
    table: Option<&'a Table>,
    path: String,
    known: Vec<String>,
}

impl<'a> Reader<'a> {
    pub(super) fn root(table: &'a Table) -> Reader<'a> {
        Reader { table: Some(table), path: String::new(), known: Vec::new() }
    }

    /// The full path of a key of this table.
    pub(super) fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    fn get(&mut self, key: &str) -> Option<&'a Value> {
        self.known.push(key.to_owned());
        self.table.and_then(|table| table.get(key))
    }

    /// Whether an optional key is there.
    pub(super) fn has(&mut self, key: &str) -> bool {
        self.get(key).is_some()
    }

    /// The value of a key that must be there.
    pub(super) fn value(&mut self, key: &str, problems: &mut Vec<Problem>) -> Option<&'a Value> {
        let value = self.get(key);
        if value.is_none() {
            problems.push(Problem::Missing(self.key(key)));
        }
        value
    }

    /// A table that must be there; without it each of its keys is reported as missing.
    pub(super) fn table(&mut self, key: &str, problems: &mut Vec<Problem>) -> Reader<'a> {
        let table = match self.get(key) {
            None => None,
            Some(Value::Table(table)) => Some(table),
            Some(_) => {
                problems.push(self.wrong(key, "is not a table"));
                None
            }
        };
        Reader { table, path: self.key(key), known: Vec::new() }
    }

    /// A text that must be there and say something.
    pub(super) fn text(&mut self, key: &str, problems: &mut Vec<Problem>) -> String {
        match self.value(key, problems) {
            Some(Value::String(text)) if !text.trim().is_empty() => text.clone(),
            Some(Value::String(_)) => {
                problems.push(self.wrong(key, "is empty"));
                String::new()
            }
            Some(_) => {
                problems.push(self.wrong(key, "is not a text"));
                String::new()
            }
            None => String::new(),
        }
    }

    /// A text that is spoken: an engine must never see a digit.
    pub(super) fn spoken(&mut self, key: &str, problems: &mut Vec<Problem>) -> String {
        let text = self.text(key, problems);
        if has_digit(&text) {
            problems.push(self.wrong(key, DIGITS));
        }
        text
    }

    /// A list of texts that must be there and not be empty, without digits.
    pub(super) fn texts(&mut self, key: &str, problems: &mut Vec<Problem>) -> Vec<String> {
        let Some(value) = self.value(key, problems) else {
            return Vec::new();
        };
        match strings(value) {
            Some(texts) if texts.iter().any(|text| has_digit(text)) => {
                problems.push(self.wrong(key, DIGITS));
                Vec::new()
            }
            Some(texts) if !texts.is_empty() => texts,
            _ => {
                problems.push(self.wrong(key, "is not a list of texts"));
                Vec::new()
            }
        }
    }

    /// A switch, off when it is not there.
    pub(super) fn flag(&mut self, key: &str, problems: &mut Vec<Problem>) -> bool {
        match self.get(key) {
            None => false,
            Some(Value::Boolean(flag)) => *flag,
            Some(_) => {
                problems.push(self.wrong(key, "is neither true nor false"));
                false
            }
        }
    }

    /// The keys and values as they stand, all of them known.
    pub(super) fn entries(&mut self) -> Vec<(&'a String, &'a Value)> {
        let entries: Vec<_> = self.table.into_iter().flatten().collect();
        self.known.extend(entries.iter().map(|(k, _)| (*k).clone()));
        entries
    }

    /// A problem with the value of a key.
    pub(super) fn wrong(&self, key: &str, why: impl Into<String>) -> Problem {
        Problem::Wrong { key: self.key(key), why: why.into() }
    }

    /// Reports the keys that nobody asked for.
    pub(super) fn finish(self, problems: &mut Vec<Problem>) {
        for key in self.table.into_iter().flat_map(Table::keys) {
            if !self.known.contains(key) {
                problems.push(Problem::Unknown {
                    key: self.key(key),
                    nearest: nearest(key, self.known.iter().map(String::as_str))
                        .map(|k| self.key(&k)),
                });
            }
        }
    }
}

const DIGITS: &str = "has digits, write words";

fn has_digit(text: &str) -> bool {
    text.chars().any(char::is_numeric)
}

/// A TOML list of non-empty texts.
pub(super) fn strings(value: &Value) -> Option<Vec<String>> {
    value
        .as_array()?
        .iter()
        .map(|v| v.as_str().filter(|s| !s.trim().is_empty()).map(str::to_owned))
        .collect()
}

pub(super) fn white_black(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> [String; 2] {
    let pair = [reader.spoken("white", problems), reader.spoken("black", problems)];
    reader.finish(problems);
    pair
}
