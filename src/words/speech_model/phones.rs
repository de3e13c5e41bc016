//! The sounds that the model's network distinguishes, and their names in the graph.

use std::{collections::BTreeMap, fmt};

use super::LexiconError;

/// Silence: one phone, with no place in a word.
const SILENCE: &str = "SIL";
/// The phone of speech that is no word.
pub(super) const GARBAGE: &str = "GBG";
/// Where a phone stands in its word: begin, inside, end, or alone.
const PLACES: [(&str, &str); 4] =
    [("B", "begin"), ("E", "end"), ("I", "internal"), ("S", "singleton")];

/// One sound, in SAMPA: `a:`, `ts`, `N`. Longer ones are written with `:`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Phone(String);

impl Phone {
    pub(super) fn new(name: impl Into<String>) -> Phone {
        Phone(name.into())
    }

    pub fn name(&self) -> &str {
        &self.0
    }
}

/// How a word sounds: at least one phone.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Pronunciation(Vec<Phone>);

impl Pronunciation {
    /// `None` without a phone.
    pub fn new(phones: Vec<Phone>) -> Option<Pronunciation> {
        (!phones.is_empty()).then_some(Pronunciation(phones))
    }

    /// The phones in order.
    pub fn phones(&self) -> &[Phone] {
        &self.0
    }
}

impl fmt::Display for Pronunciation {
    /// `ts E: z a 6`
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, phone) in self.0.iter().enumerate() {
            let gap = if n == 0 { "" } else { " " };
            write!(f, "{gap}{}", phone.name())?;
        }
        Ok(())
    }
}

/// A line of `phones.txt` that is not `name number`, or where a phone lacks one of its places in a
/// word.
fn no_phone(line: usize, text: &str) -> LexiconError {
    LexiconError(format!("phones.txt, line {line}: '{text}' is no phone: use the built-in model"))
}

/// The phones of a model: `graph/phones.txt`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phones {
    ids: BTreeMap<String, i32>,
    /// In the model's order, silence first.
    names: Vec<String>,
}

impl Phones {
    /// Reads `phones.txt`: `SIL`, then each phone as `a_B`, `a_E`, `a_I`, `a_S`.
    ///
    /// # Errors
    /// [`LexiconError`] with the first line that is something else.
    pub fn parse(text: &str) -> Result<Phones, LexiconError> {
        let (mut ids, mut names) = (BTreeMap::new(), Vec::new());
        let mut expected = 0;
        for (n, line) in text.lines().enumerate() {
            let wrong = || no_phone(n + 1, line);
            let (name, id) = line.split_once(' ').ok_or_else(wrong)?;
            let id: i32 = id.parse().map_err(|_| wrong())?;
            // The transitions of the acoustic model are numbered by the phones' own order.
            if id != expected {
                return Err(wrong());
            }
            expected += 1;
            match (id, name.rsplit_once('_')) {
                (0, _) if name == "<eps>" => continue,
                (1, _) if name == SILENCE => names.push(name.to_owned()),
                (2.., Some((phone, place))) => {
                    let place = PLACES.iter().position(|(known, _)| *known == place);
                    if place.and_then(|place| i32::try_from(place).ok()) != Some((id - 2) % 4) {
                        return Err(wrong());
                    }
                    if (id - 2) % 4 == 0 {
                        names.push(phone.to_owned());
                    } else if names.last().map(String::as_str) != Some(phone) {
                        return Err(wrong());
                    }
                }
                _ => return Err(wrong()),
            }
            ids.insert(name.to_owned(), id);
        }
        if expected < 6 || (expected - 2) % 4 != 0 {
            return Err(no_phone(text.lines().count() + 1, ""));
        }
        Ok(Phones { ids, names })
    }

    /// The phones of which words are made, in the model's order.
    pub fn of_words(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(String::as_str).filter(|name| !matches!(*name, SILENCE | GARBAGE))
    }

    /// Reads a pronunciation: phones with spaces between, `ts E: z a 6`.
    ///
    /// # Errors
    /// [`LexiconError`]: no phone, or one that the model does not have, with those there are.
    pub fn pronunciation(&self, text: &str) -> Result<Pronunciation, LexiconError> {
        let phones = text
            .split_whitespace()
            .map(|name| match self.of_words().find(|known| *known == name) {
                Some(known) => Ok(Phone::new(known)),
                None => Err(LexiconError(format!(
                    "'{name}' is none of the model's phones, use: {}",
                    self.of_words().collect::<Vec<_>>().join(" ")
                ))),
            })
            .collect::<Result<_, _>>()?;
        Pronunciation::new(phones).ok_or_else(LexiconError::no_phone)
    }

    /// `phones/word_boundary.int`: which phone begins, continues and ends a word.
    pub fn word_boundary(&self) -> String {
        let mut lines = vec!["1 nonword\n".to_owned()];
        for id in 2..=self.count() {
            let place = usize::try_from((id - 2) % 4).unwrap_or(0);
            lines.push(format!("{id} {}\n", PLACES[place].1));
        }
        lines.concat()
    }

    /// `disambig_tid.int`: a transition that the acoustic model does not have, since nothing needs
    /// disambiguation.
    pub fn disambig_tid(&self) -> String {
        format!("{}\n", 2 * self.count() + 1)
    }

    /// The number of the last phone.
    fn count(&self) -> i32 {
        i32::try_from(self.ids.len()).unwrap_or(i32::MAX / 2)
    }

    /// Numbers of the phones of a word, by their place in it.
    pub(super) fn in_word(&self, phones: &[Phone]) -> Option<Vec<i32>> {
        let last = phones.len().checked_sub(1)?;
        let place = |n| match (n == 0, n == last) {
            (true, true) => "S",
            (true, false) => "B",
            (false, true) => "E",
            (false, false) => "I",
        };
        let id = |(n, phone): (usize, &Phone)| {
            self.ids.get(&format!("{}_{}", phone.name(), place(n))).copied()
        };
        phones.iter().enumerate().map(id).collect()
    }

    pub(super) fn silence(&self) -> i32 {
        1
    }

    /// The phone of a number, without its place.
    pub(super) fn phone(&self, id: i32) -> Option<Phone> {
        let at = usize::try_from((id + 2) / 4).ok()?;
        self.names.get(at).map(|name| Phone::new(name.as_str()))
    }
}

/// The transition into a phone. Source: Kaldi's transition model with one emitting state a phone,
/// its self-loop first.
pub(super) fn into_phone(id: i32) -> i32 {
    2 * id
}

/// The transition that stays in a phone.
pub(super) fn within_phone(id: i32) -> i32 {
    2 * id - 1
}
