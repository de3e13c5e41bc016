//! Puts an utterance together.

use super::{Part, Utterance, pack::Word};

/// Collects stretches of speech; neighbours in one language become one part, and punctuation stays
/// with the words before it.
#[derive(Default)]
pub(super) struct Say {
    parts: Vec<Part>,
}

impl Say {
    /// Adds text with the spaces that belong to it.
    pub(super) fn add(&mut self, lang: &str, text: &str, sound: &str) {
        let (text, sound) = match self.parts.last_mut() {
            Some(last) => {
                let stop = text
                    .find(|c| !matches!(c, '.' | ',' | ':' | ';' | '?' | '!' | '…'))
                    .unwrap_or(text.len());
                // Text and sound differ in words only, never in the punctuation before them.
                let (marks, text) = text.split_at(stop);
                last.text.push_str(marks);
                last.sound.push_str(marks);
                let sound = sound.get(stop..).unwrap_or_default();
                if last.lang == lang || text.trim().is_empty() {
                    last.text.push_str(text);
                    last.sound.push_str(sound);
                    return;
                }
                (text, sound)
            }
            None => (text, sound),
        };
        if text.trim().is_empty() {
            return;
        }
        let mut part =
            Part { lang: lang.to_owned(), text: text.to_owned(), sound: sound.to_owned() };
        // A mark that opens a sentence, `¿`, goes with the words after it.
        if let Some(mark) = self.parts.pop_if(|last| !last.text.contains(char::is_alphanumeric)) {
            part.text.insert_str(0, &mark.text);
            part.sound.insert_str(0, &mark.sound);
        }
        self.parts.push(part);
    }

    pub(super) fn word(&mut self, lang: &str, word: &Word) {
        self.add(lang, &word.text, word.sound());
    }

    /// Before every entry of a list but the first.
    pub(super) fn comma(&mut self, n: usize, lang: &str) {
        if n > 0 {
            self.add(lang, ", ", ", ");
        }
    }

    pub(super) fn words(&mut self, words: &Utterance) {
        for (n, part) in words.parts.iter().enumerate() {
            if n > 0 {
                self.add(&part.lang, " ", " ");
            }
            self.add(&part.lang, &part.text, part.sound());
        }
    }

    pub(super) fn finish(self) -> Utterance {
        let tidy = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let parts = self
            .parts
            .into_iter()
            .map(|part| {
                let (text, sound) = (tidy(&part.text), tidy(&part.sound));
                Part {
                    lang: part.lang,
                    sound: if sound == text { String::new() } else { sound },
                    text,
                }
            })
            .collect();
        Utterance { parts }
    }
}
