//! What Vosk makes of a grammar: a chain of pairs of words, and how to keep it to the phrases.
//!
//! Half of the time the word after another is one that follows it in some phrase, half of the time
//! any word of the grammar, by how often it is there; a phrase begins with any word, too. So "turm
//! anna acht nach felix zwei" can be heard where nothing like it may be said, at the price of a
//! word or two that are not heard well.
//!
//! A grammar can change counts only. So one more word, which has no sound and is never heard, is
//! given as often as makes every other word rare among all words. The next word of a phrase costs
//! the same as before; any other costs thirty times more. The first word costs thirty times more
//! too, for every phrase alike.
//!
//! Source: libvosk, `src/language_model.cc`

use annabella_words::speech_model::NEVER_HEARD;

/// So many times less likely becomes what follows in no phrase.
const STRICTNESS: usize = 30;

/// Phrases, and the one more that keeps a recogniser to them.
pub fn kept_to(mut phrases: Vec<String>) -> Vec<String> {
    if !phrases.is_empty() {
        // The end of a phrase is counted like a word.
        let counts = phrases.iter().map(|phrase| phrase.split_whitespace().count() + 1);
        let more = counts.sum::<usize>() * (STRICTNESS - 1);
        phrases.push(vec![NEVER_HEARD; more].join(" "));
    }
    phrases
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_word_becomes_so_many_times_rarer() {
        let phrases = ["dame eva vier", "turm anna eins", "ja"].map(str::to_owned).to_vec();
        let kept = kept_to(phrases.clone());
        assert_eq!(kept[..3], phrases);
        let padding: Vec<&str> = kept[3].split(' ').collect();
        assert!(padding.iter().all(|word| *word == NEVER_HEARD));
        // Seven words and three ends.
        assert_eq!(padding.len() + 10, 10 * STRICTNESS);
        assert!(kept_to(Vec::new()).is_empty());
    }
}
