//! How words sound where the spelling does not say it: `voices/pronunciations-de.toml`.

use std::collections::BTreeMap;

use toml::{Table, Value};

use super::{LexiconError, Phones, Pronunciation, german};
use crate::text::toml_fault;

/// The pronunciations that are built in, by the pack's code.
const BUILTIN: [(&str, &str); 1] = [("de", include_str!("../../../voices/pronunciations-de.toml"))];

/// Pronunciations by word, in lower case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pronunciations(BTreeMap<String, Vec<Pronunciation>>);

impl Pronunciations {
    /// The built-in ones of a pack's language.
    ///
    /// # Errors
    /// There are none for this language, or a phone is none that the model has.
    pub fn builtin(code: &str, phones: &Phones) -> Result<Pronunciations, LexiconError> {
        let (_, toml) = BUILTIN.iter().find(|(known, _)| *known == code).ok_or_else(|| {
            LexiconError(format!(
                "no pronunciations for the pack '{code}': the built-in model hears de only"
            ))
        })?;
        Pronunciations::parse(toml, phones)
    }

    /// Reads `[words]`, each a list of pronunciations.
    ///
    /// # Errors
    /// [`LexiconError`] with the first thing that is wrong.
    pub fn parse(toml: &str, phones: &Phones) -> Result<Pronunciations, LexiconError> {
        let root: Table = toml.parse().map_err(|err: toml::de::Error| {
            let what = toml_fault(toml, &err);
            LexiconError(format!("the pronunciations are not valid TOML, correct them: {what}"))
        })?;
        let mut words = BTreeMap::new();
        for (key, value) in root {
            let (true, Value::Table(entries)) = (key == "words", value) else {
                return Err(no_list(&key));
            };
            for (word, value) in entries {
                let sounds = read_list(&word, &value, phones)?;
                words.insert(word.to_lowercase(), sounds);
            }
        }
        Ok(Pronunciations(words))
    }

    /// How a word sounds by this list.
    pub fn get(&self, word: &str) -> Option<&[Pronunciation]> {
        self.0.get(word).map(Vec::as_slice)
    }

    /// The listed words, in order.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// How a word sounds: by this list, else by the rules of German spelling.
    ///
    /// # Errors
    /// [`LexiconError`] for a letter that the rules do not know.
    pub fn of(&self, word: &str) -> Result<Vec<Pronunciation>, LexiconError> {
        match self.get(word) {
            Some(listed) => Ok(listed.to_vec()),
            None => german::pronunciation(word).map(|one| vec![one]),
        }
    }
}

/// Something else than `word = ["p h o n e s", …]` under `[words]`.
fn no_list(word: &str) -> LexiconError {
    LexiconError(format!(
        "pronunciations: '{word}' must be a list of texts, like turm = [\"t U 6 m\"]"
    ))
}

fn read_list(
    word: &str,
    value: &Value,
    phones: &Phones,
) -> Result<Vec<Pronunciation>, LexiconError> {
    let strange = || no_list(word);
    let list = value.as_array().filter(|list| !list.is_empty()).ok_or_else(strange)?;
    list.iter()
        .map(|one| {
            phones
                .pronunciation(one.as_str().ok_or_else(strange)?)
                .map_err(|source| LexiconError(format!("pronunciations: '{word}': {source}")))
        })
        .collect()
}
