//! Sounds that were rendered already, the least recently used forgotten first.

use std::{collections::HashMap, sync::Arc};

use super::{Pcm, Rate};
use annabella_words::phrase::Utterance;

/// Enough for the announcements of some hundred moves.
const MOST_BYTES: usize = 32 * 1024 * 1024;

/// Rendered sounds by their words and rate.
#[derive(Debug, Default)]
pub struct Cache {
    sounds: HashMap<(Utterance, Rate), (Arc<Pcm>, u64)>,
    bytes: usize,
    used: u64,
}

impl Cache {
    /// The sound, if it is there.
    pub fn get(&mut self, words: &Utterance, rate: Rate) -> Option<Arc<Pcm>> {
        self.used += 1;
        let used = self.used;
        let (pcm, last) = self.sounds.get_mut(&(words.clone(), rate))?;
        *last = used;
        Some(Arc::clone(pcm))
    }

    pub fn put(&mut self, words: Utterance, rate: Rate, pcm: Arc<Pcm>) {
        self.used += 1;
        self.bytes += size(&pcm);
        if let Some((old, _)) = self.sounds.insert((words, rate), (pcm, self.used)) {
            self.bytes -= size(&old);
        }
        while self.bytes > MOST_BYTES {
            let oldest = self.sounds.iter().min_by_key(|(_, (_, used))| *used);
            let Some(key) = oldest.map(|(key, _)| key.clone()) else { return };
            if let Some((old, _)) = self.sounds.remove(&key) {
                self.bytes -= size(&old);
            }
        }
    }
}

fn size(pcm: &Pcm) -> usize {
    pcm.samples.len() * size_of::<i16>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use annabella_words::phrase::Part;

    fn words(text: &str) -> Utterance {
        let part = Part { lang: "de".into(), text: text.into(), sound: String::new() };
        Utterance { parts: vec![part] }
    }

    #[test]
    fn the_least_recently_used_goes_first() {
        let mut cache = Cache::default();
        let third = Arc::new(Pcm { rate_hz: 1, samples: vec![0; MOST_BYTES / 6] });
        let rate = Rate::default();
        for name in ["a", "b", "c"] {
            cache.put(words(name), rate, Arc::clone(&third));
        }
        assert!(cache.get(&words("a"), rate).is_some());
        cache.put(words("d"), rate, third);
        assert!(cache.get(&words("a"), rate).is_some());
        assert!(cache.get(&words("b"), rate).is_none());
        assert!(cache.get(&words("a"), Rate::new(300)).is_none());
    }
}
