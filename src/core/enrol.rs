//! Getting to know a player's voice: some thirty sentences spoken after Annabella, and what can be
//! learnt from them without training.
//!
//! [`plan`](plan()) chooses the sentences, [`Booth`] is the dialogue, [`fit`](fit()) finds what helps:
//! other pronunciations of badly heard words, words that are mistaken for others, thresholds. What it
//! claims to help is counted on sentences that it did not learn from.
//!
//! Pure: who speaks, records and recognises is the caller's business.

mod booth;
mod fit;
mod plan;

pub use self::{
    booth::{Answer, Booth, Line, Step},
    fit::{Fitted, Hears, Score, Sounds, Take, fit, score},
    plan::{Meaning, Sentence, plan},
};
