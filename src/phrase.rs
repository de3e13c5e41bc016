//! Moves, squares, prompts and commands as words.

pub mod grammar;
pub mod pack;

use std::fmt;

use serde::{Deserialize, Serialize};

/// A stretch of one language: what is written and what the engine is given.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Part {
    /// ISO 639-1 code of the language whose voice says it.
    pub lang: String,
    /// As the Laws write it: `Cesar`.
    pub text: String,
    /// As the engine must read it: `Zäsar`. Empty when it is the same.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub sound: String,
}

impl Part {
    /// What to hand to a speech engine.
    pub fn sound(&self) -> &str {
        if self.sound.is_empty() {
            &self.text
        } else {
            &self.sound
        }
    }
}

/// Words to be spoken, in order, each part in its own language.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Utterance {
    /// The parts; neighbours in one language are one part.
    pub parts: Vec<Part>,
}

impl fmt::Display for Utterance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (n, part) in self.parts.iter().enumerate() {
            if n > 0 {
                f.write_str(" ")?;
            }
            f.write_str(&part.text)?;
        }
        Ok(())
    }
}
