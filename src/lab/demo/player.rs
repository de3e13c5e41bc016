//! The demonstration's speaking player: a synthetic voice, heard by the real recogniser.

use std::path::Path;

use annabella::cli::{Failure, listen::FileEars};
use annabella_emulators::speakers::{
    Delivery, Speaker,
    room::{self, Condition},
};
use annabella_players::table::Voice;
use annabella_words::phrase::{
    Words,
    hear::{Grammar, Heard},
};

/// The recogniser's sample rate.
const RATE_HZ: u32 = 16_000;

/// A synthetic speaker and the ears that hear him.
pub(super) struct Player {
    speaker: Speaker,
    ears: FileEars,
    utterances: u64,
    heard: u64,
}

impl Player {
    /// # Errors
    /// When nothing can speak, or there is no recogniser or model.
    pub(super) fn open(model: Option<&Path>, words: &Words) -> Result<Player, Failure> {
        Ok(Player {
            speaker: Speaker::espeak(),
            ears: FileEars::open(model, words)?,
            utterances: 0,
            heard: 0,
        })
    }

    /// One line about the recognised words.
    pub(super) fn summary(&self) -> String {
        format!(
            "{} utterances spoken by {} (no person) in a quiet room, {} of them heard as words.",
            self.utterances,
            self.speaker.name(),
            self.heard
        )
    }
}

impl Voice for Player {
    fn say(&mut self, text: &str, grammar: &Grammar) -> Result<Heard, String> {
        let spoken = self.speaker.say(text, Delivery::default()).map_err(|err| err.to_string())?;
        let spoken = room::at_rate(&spoken, RATE_HZ);
        self.utterances += 1;
        let spoken = room::put(&spoken, Condition::Clean, &[], self.utterances);
        self.ears.listen_for(grammar);
        let all = self.ears.overhear(&spoken).map_err(|err| err.to_string())?;
        let heard = all.into_iter().find(|heard| !heard.is_nothing()).unwrap_or_default();
        self.heard += u64::from(!heard.is_nothing());
        Ok(heard)
    }
}
