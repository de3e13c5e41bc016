//! Giving one's voice: a person alone hears what it means, agrees, and says after Annabella the
//! words of chess, so that speech models can learn from people and be measured by them.
//!
//! [`plan`](plan()) chooses what is said, and [`Donation`] is the dialogue. Nothing may be written
//! before [`DonateAct::Begin`].
//!
//! # Takes that our own ears misunderstand
//!
//! These are needed most, so none is thrown away for that. A person who is misunderstood is asked
//! once more. The first take is kept as a guess, which nobody counts before somebody has listened
//! to it.
//!
//! Pure: the caller speaks, records, recognises and writes.

mod answers;
mod dialogue;
mod plan;

pub use self::{
    answers::{is_name, spoken_name},
    dialogue::{Certainty, Consenting, DonateAct, DonateEnd, Donation, Donor, TakeFault},
    plan::plan,
};
