//! Getting to know a player's voice: some thirty sentences spoken after Annabella, and what can be
//! learnt from them without training.
//!
//! [`plan`](plan()) chooses the sentences, and [`Booth`] is the dialogue. [`fit`](fit()) finds
//! settings that help: other pronunciations of badly heard words, words that are mistaken for
//! others, thresholds. Its success is counted on sentences that it did not learn from.
//!
//! Pure: the caller speaks, records and recognises.

mod booth;
mod fit;
mod plan;

pub use self::{
    booth::{Booth, BoothAnswer, BoothLine, BoothStep},
    fit::{Fitted, HearsAgain, Score, Take, WordSounds, fit, score},
    plan::{Meaning, Sentence, plan},
};
