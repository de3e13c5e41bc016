//! How a model spells the words of the packs.
//!
//! A model knows some words in some spelling. Each word of the packs is written in the first
//! spelling that the model knows: its own, one that it may be heard as, or one of the pack's
//! `[spellings]`. The recognised text is written back. Phrases with a word that no spelling fits
//! cannot be heard, and the word is reported.

use std::collections::{BTreeMap, BTreeSet};

use annabella_words::phrase::{Command, Words};

/// Any sound that is no word of the grammar.
pub const UNKNOWN: &str = "[unk]";

/// How one model spells the words of a pair of packs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Vocabulary {
    /// Lower case, as the packs write it: as the model does, the usual way first.
    spellings: BTreeMap<String, Vec<String>>,
    words: BTreeMap<String, String>,
    missing: BTreeSet<String>,
    /// The requests by their phrases, in lower case.
    requests: BTreeMap<String, Command>,
}

impl Vocabulary {
    /// Fits the words to a model; `knows` says whether the model knows a spelling.
    pub fn new(words: &Words, mut knows: impl FnMut(&str) -> bool) -> Vocabulary {
        let mut vocabulary = Vocabulary::default();
        let variants = words.spellings();
        // Own spellings first, so that another word's variant takes none of them away.
        let own = |word: &str, spelling: &str| word == spelling;
        for first in [true, false] {
            for (word, spellings) in &variants {
                for spelling in spellings.iter().filter(|spelling| own(word, spelling) == first) {
                    let taken = vocabulary.words.contains_key(spelling);
                    if !taken && is_plain(spelling) && knows(spelling) {
                        vocabulary.words.insert(spelling.clone(), word.clone());
                        let known = vocabulary.spellings.entry(word.clone()).or_default();
                        known.push(spelling.clone());
                    }
                }
            }
        }
        let requests = words.command_phrases().into_iter();
        vocabulary.requests =
            requests.map(|(text, command)| (text.to_lowercase(), command)).collect();
        let lacking = variants.keys().filter(|word| !vocabulary.spellings.contains_key(*word));
        vocabulary.missing = lacking.cloned().collect();
        vocabulary
    }

    /// Whether a recognised text only cuts speech: "stopp".
    pub fn stops(&self, text: &str) -> bool {
        self.requests.get(text) == Some(&Command::Stop)
    }

    /// Whether two recognised texts are one, or one request in two wordings: "stopp" and "stop".
    pub fn same(&self, one: &str, other: &str) -> bool {
        let request = |text| self.requests.get(text);
        one == other || (request(one).is_some() && request(one) == request(other))
    }

    /// Words that the model knows in no spelling, in order.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        self.missing.iter().map(String::as_str)
    }

    /// Phrases as the model spells them, without those that it cannot. A word that the model knows
    /// in several spellings gives a phrase for each, all words in their nth spelling: a grammar is
    /// a chain of pairs of words, and pairs are all that is needed.
    pub fn spell(&self, phrases: &[String]) -> Vec<String> {
        let mut spelled = BTreeSet::new();
        for phrase in phrases {
            let words: Option<Vec<&Vec<String>>> =
                phrase.split_whitespace().map(|word| self.spellings.get(word)).collect();
            let Some(words) = words.filter(|words| !words.is_empty()) else {
                continue;
            };
            let most = words.iter().map(|spellings| spellings.len()).max().unwrap_or(1);
            for n in 0..most {
                let nth = |spellings: &&Vec<String>| spellings[n.min(spellings.len() - 1)].clone();
                spelled.insert(words.iter().map(nth).collect::<Vec<_>>().join(" "));
            }
        }
        spelled.into_iter().collect()
    }

    /// The recognised text in the packs' spelling.
    pub fn read(&self, heard: &str) -> String {
        let words = heard.split_whitespace();
        let back = words.map(|word| self.words.get(word).map_or(word, String::as_str));
        back.collect::<Vec<_>>().join(" ")
    }
}

/// Whether it holds nothing that JSON or the recogniser would read as a sign.
fn is_plain(spelling: &str) -> bool {
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '\'' | '-' | '’');
    !spelling.is_empty() && spelling.chars().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fitted(known: &[&str]) -> Vocabulary {
        let words = Words::builtin("fide", "de").expect("built-in packs");
        Vocabulary::new(&words, |spelling| known.contains(&spelling))
    }

    fn spell(vocabulary: &Vocabulary, phrase: &str) -> Vec<String> {
        vocabulary.spell(&[phrase.to_owned()])
    }

    #[test]
    fn words_are_written_as_the_model_does_and_back() {
        let vocabulary = fitted(&["läufer", "cäsar", "hektor", "eins", "felix", "vier"]);
        let spelled = spell(&vocabulary, "läufer cesar eins felix vier");
        assert_eq!(spelled, ["läufer cäsar eins felix vier"]);
        assert_eq!(vocabulary.read(&spelled[0]), "läufer cesar eins felix vier");
        assert_eq!(vocabulary.read("[unk] hektor"), "[unk] hector");
    }

    #[test]
    fn a_word_that_is_said_in_two_ways_is_listened_for_in_both() {
        let vocabulary = fitted(&["eva", "zwei", "zwo"]);
        assert_eq!(spell(&vocabulary, "eva zwei"), ["eva zwei", "eva zwo"]);
        assert_eq!(vocabulary.read("eva zwo"), "eva zwei");
    }

    #[test]
    fn phrases_with_a_missing_word_are_left_out_and_the_word_is_named() {
        let vocabulary = fitted(&["eva", "zwei"]);
        assert_eq!(spell(&vocabulary, "eva vier"), [""; 0]);
        assert!(vocabulary.missing().any(|word| word == "vier"));
        assert!(!vocabulary.missing().any(|word| word == "eva"));
    }

    #[test]
    fn a_word_of_its_own_is_no_other_words_variant() {
        // "ein" may be heard for "eins"; a model that knew it as a word of another phrase keeps it.
        let vocabulary = fitted(&["stop", "stopp"]);
        assert_eq!(vocabulary.read("stopp"), "stopp");
        assert_eq!(vocabulary.read("stop"), "stop");
    }

    #[test]
    fn a_model_of_another_language_is_tried_with_the_packs_spellings() {
        let vocabulary = fitted(&["안나", "벨라", "슈프링어"]);
        assert_eq!(spell(&vocabulary, "springer anna"), ["슈프링어 안나"]);
        assert_eq!(vocabulary.read("슈프링어 벨라"), "springer bella");
    }

    #[test]
    fn nothing_that_is_not_a_word_gets_into_a_grammar() {
        assert!(is_plain("l'ouïe") && is_plain("cäsar"));
        for bad in ["", "a b", "\"", "\\", "[unk]", "a\n", "{"] {
            assert!(!is_plain(bad), "{bad:?}");
        }
    }
}
