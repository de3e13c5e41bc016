//! An announcement that is not finished yet, until its rest comes or is no longer waited for.

use super::HeardUtterance;

/// So much of the pause after a part is kept, milliseconds: with what comes before the next part it
/// is as long as one between two words.
const KEPT_MS: usize = 100;
/// A longer utterance is no announcement, milliseconds.
const LONGEST_MS: usize = 12_000;

/// A beginning that was heard, and for how long its rest has been waited for.
pub(super) struct Unfinished {
    /// The utterance as reported if nothing follows.
    pub(super) utterance: HeardUtterance,
    /// Its samples, without the pause that ended it.
    said: Vec<i16>,
    waited: usize,
}

impl Unfinished {
    /// An utterance that ended with a pause of `pause_ms` milliseconds.
    pub(super) fn new(utterance: HeardUtterance, pause_ms: u32, rate_hz: u32) -> Unfinished {
        let over_ms = (pause_ms as usize).saturating_sub(KEPT_MS);
        let over = rate_hz as usize * over_ms / 1000;
        let end = utterance.samples.len().saturating_sub(over);
        let said = utterance.samples[..end].to_vec();
        Unfinished { utterance, said, waited: 0 }
    }

    /// So many samples more have come. True: that was long enough.
    pub(super) fn wait(&mut self, samples: usize, most_ms: u32, rate_hz: u32) -> bool {
        self.waited += samples;
        self.waited >= rate_hz as usize * most_ms as usize / 1000
    }

    /// Both parts with a short pause between them; `None` where that is too long.
    pub(super) fn followed_by(&self, rest: &HeardUtterance, rate_hz: u32) -> Option<Vec<i16>> {
        let both = [&self.said[..], &rest.samples].concat();
        (both.len() <= rate_hz as usize * LONGEST_MS / 1000).then_some(both)
    }

    /// The text of each part as heard alone.
    pub(super) fn parts(&self, rest: &HeardUtterance) -> Vec<String> {
        [&self.utterance, rest]
            .into_iter()
            .flat_map(|part| match &part.heard.parts[..] {
                [] => vec![part.heard.as_part().to_owned()],
                parts => parts.to_vec(),
            })
            .collect()
    }
}
