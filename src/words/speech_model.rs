//! The words that the built-in speech model can hear, without training it again.
//!
//! The model's network knows phones, not words. Which words there are is written in a graph beside
//! it: [`Lexicon`] reads that graph, takes words with their pronunciations in the model's
//! [`Phones`], and writes it again, byte by byte as libvosk reads it. German spelling becomes
//! phones by rule ([`german`]); where the rule is wrong, [`Pronunciations`] says how a word sounds.
//!
//! Pure: bytes in, bytes out. `cli::words` reads and writes the folder.

pub mod accents;
pub mod fst;
pub mod german;
mod graph;
mod phones;
mod pronunciations;

pub use self::{
    fst::FstError,
    graph::{GraphFiles, Lexicon, NEVER_HEARD, SpokenWord, UNKNOWN},
    phones::{Phone, Phones, Pronunciation},
    pronunciations::Pronunciations,
};

/// Why a file of the model cannot be read, or a word not be added: one line, with the remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LexiconError(String);

impl LexiconError {
    /// A graph that is not the built-in model's.
    fn shape(what: impl std::fmt::Display) -> LexiconError {
        LexiconError(format!("HCLr.fst: {what}: words can be added to the built-in model only"))
    }

    fn no_phone() -> LexiconError {
        LexiconError("a pronunciation needs at least one phone, like \"t U 6 m\"".to_owned())
    }
}
