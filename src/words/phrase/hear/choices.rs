//! Compares heard words with a short list of phrases, as in a menu: the same costs and thresholds
//! as for moves, without a position.

use super::{Confusions, Heard, Hypothesis, SHARPNESS, Thresholds, ear::alike, noise::is_noise};
use crate::phrase::{Words, normal_words};

/// A word said and not heard, one heard and not said, a noise: in words, as everywhere.
const LOST: f64 = 1.0;
const ADDED: f64 = 0.9;
const NOISE: f64 = 0.6;
/// A text nearer to a phrase than an unlike word may have been meant for it.
const NEAR: f64 = 0.8;
/// How probable it is that something else was said, as a distance.
const SOMETHING_ELSE: f64 = 1.0;

#[derive(Clone, Debug, PartialEq)]
pub enum Chosen<T> {
    Accept(T),
    Confirm(T),
    /// Something near a phrase; ask again.
    Again,
    Nothing,
}

/// Phrases and what they mean.
#[derive(Clone, Debug)]
pub struct Choices<T> {
    phrases: Vec<(Vec<String>, T)>,
    confusions: Confusions,
}

impl<T: Clone + PartialEq> Choices<T> {
    /// Of phrases in the words of the packs; the first of two that sound the same counts.
    pub fn new(words: &Words, phrases: impl IntoIterator<Item = (String, T)>) -> Choices<T> {
        let mut confusions = words.prompts().confusions().clone();
        confusions.extend(words.moves().confusions());
        let mut list: Vec<(Vec<String>, T)> = Vec::new();
        for (text, meaning) in phrases {
            let phrase = normal_words(&text);
            if !phrase.is_empty() && list.iter().all(|(known, _)| *known != phrase) {
                list.push((phrase, meaning));
            }
        }
        Choices { phrases: list, confusions }
    }

    /// A text's meaning, word for word.
    pub fn exact(&self, text: &str) -> Option<T> {
        let words = normal_words(text);
        self.phrases.iter().find(|(phrase, _)| *phrase == words).map(|(_, meaning)| meaning.clone())
    }

    /// The most probable choice. `pushed`: the talk key was held.
    pub fn decide(&self, heard: &Heard, pushed: bool, limits: &Thresholds) -> Chosen<T> {
        if heard.is_nothing() {
            return Chosen::Nothing;
        }
        let weighed = weigh(&heard.hypotheses);
        let mass: f64 = weighed.iter().map(|(_, weight)| weight).sum();
        let mut meanings: Vec<(T, f64, usize)> = Vec::new();
        for (phrase, meaning) in &self.phrases {
            let likely: f64 = weighed
                .iter()
                .map(|(words, weight)| weight * (-SHARPNESS * self.distance(phrase, words)).exp())
                .sum();
            match meanings.iter_mut().find(|(known, _, _)| known == meaning) {
                Some(known) if known.1 < likely => (known.1, known.2) = (likely, phrase.len()),
                Some(_) => {}
                None => meanings.push((meaning.clone(), likely, phrase.len())),
            }
        }
        meanings.sort_by(|a, b| b.1.total_cmp(&a.1));
        let Some((meaning, best, length)) = meanings.first().cloned() else {
            return Chosen::Nothing;
        };
        let second = meanings.get(1).map_or(0.0, |(_, likely, _)| *likely);
        let away = |likely: f64| -likely.ln() / SHARPNESS;
        let rest = second + (-SHARPNESS * SOMETHING_ELSE).exp() + (1.0 - mass).max(0.0);
        let confidence = best / (best + rest);
        let (distance, margin) = (away(best), away(second) - away(best));
        let alone = length == 1 && !pushed && confidence < limits.single_word_confidence;
        if distance <= limits.accept_distance
            && margin >= limits.accept_margin
            && confidence >= limits.accept_confidence
            && !alone
        {
            Chosen::Accept(meaning)
        } else if distance <= limits.confirm_distance
            && margin >= limits.confirm_margin
            && confidence >= limits.confirm_confidence
        {
            Chosen::Confirm(meaning)
        } else if distance < NEAR || pushed {
            Chosen::Again
        } else {
            Chosen::Nothing
        }
    }

    /// Words that differ, weighted.
    fn distance(&self, said: &[String], heard: &[String]) -> f64 {
        let added = |word: &String| if is_noise(word) { NOISE } else { ADDED };
        let mut row: Vec<f64> = vec![0.0];
        for word in heard {
            row.push(row[row.len() - 1] + added(word));
        }
        for word in said {
            let mut next = vec![row[0] + LOST];
            for (n, other) in heard.iter().enumerate() {
                let swap = row[n] + self.cost(word, other);
                next.push(swap.min(row[n + 1] + LOST).min(next[n] + added(other)));
            }
            row = next;
        }
        row[row.len() - 1]
    }

    fn cost(&self, said: &str, heard: &str) -> f64 {
        if said == heard {
            return 0.0;
        }
        self.confusions.cost(said, heard).unwrap_or_else(|| 1.0 - 0.6 * alike(said, heard))
    }
}

/// The words of each hypothesis and its probability.
fn weigh(hypotheses: &[Hypothesis]) -> Vec<(Vec<String>, f64)> {
    let scored = hypotheses.iter().any(|h| h.confidence.is_some());
    let weight = |n: usize, h: &Hypothesis| match h.confidence {
        Some(p) if p.is_finite() => p.clamp(0.0, 1.0),
        None if !scored => 0.1f64.powi(i32::try_from(n).unwrap_or(i32::MAX)),
        _ => 0.0,
    };
    let all: Vec<(Vec<String>, f64)> = hypotheses
        .iter()
        .enumerate()
        .map(|(n, h)| {
            let words = h.text.split_whitespace().flat_map(|part| match part {
                "[unk]" | "<unk>" => vec![part.to_owned()],
                part => normal_words(part),
            });
            (words.collect(), weight(n, h))
        })
        .collect();
    let sum: f64 = all.iter().map(|(_, weight)| weight).sum();
    let scale = if sum > 1.0 { sum } else { 1.0 };
    all.into_iter().map(|(words, weight)| (words, weight / scale)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn choices() -> Choices<u8> {
        let words = Words::builtin("fide", "de").expect("built in");
        let phrases = [("ja", 1), ("nein", 2), ("Farben", 3), ("Namen", 4), ("beide blind", 5)];
        Choices::new(&words, phrases.map(|(text, n)| (text.to_owned(), n)))
    }

    fn heard(texts: &[(&str, f64)]) -> Heard {
        Heard::ranked(texts.iter().map(|(text, p)| Hypothesis::new(*text, *p)).collect())
    }

    #[test]
    fn what_is_clear_is_accepted_what_is_not_is_asked() {
        let choices = choices();
        let decide =
            |texts: &[(&str, f64)]| choices.decide(&heard(texts), false, &Thresholds::default());
        assert_eq!(decide(&[("farben", 0.98)]), Chosen::Accept(3));
        assert_eq!(decide(&[("beide [unk] blind", 0.98)]), Chosen::Confirm(5));
        assert_eq!(decide(&[("farben", 0.7), ("namen", 0.2)]), Chosen::Confirm(3));
        assert_eq!(decide(&[("farben", 0.5), ("namen", 0.5)]), Chosen::Again);
        assert_eq!(decide(&[("[unk]", 1.0)]), Chosen::Nothing);
        assert_eq!(decide(&[("der kaffee ist kalt", 0.9)]), Chosen::Nothing);
        assert_eq!(decide(&[]), Chosen::Nothing);
        assert_eq!(choices.exact("Beide blind!"), Some(5));
    }

    #[test]
    fn who_holds_the_key_is_asked_again() {
        let heard = heard(&[("der kaffee ist kalt", 0.9)]);
        assert_eq!(choices().decide(&heard, true, &Thresholds::default()), Chosen::Again);
    }

    #[test]
    fn strange_numbers_harm_nothing() {
        for p in [f64::NAN, f64::INFINITY, -1.0, 7.0, 0.0] {
            let chosen = choices().decide(&heard(&[("ja", p)]), false, &Thresholds::default());
            assert!(
                matches!(chosen, Chosen::Accept(1) | Chosen::Nothing | Chosen::Again),
                "{p}: {chosen:?}"
            );
        }
    }
}
