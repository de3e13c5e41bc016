//! The words that a recogniser must know to hear a pack.

use std::collections::BTreeSet;

use super::Pack;

/// The highest number whose words are wanted; above, only hundreds are words of their own.
const BELOW_HUNDRED: std::ops::Range<u32> = 0..100;

impl Pack {
    /// Every single word that may be heard in moves, requests and answers, and the numbers: in
    /// lower case and in the pack's own spelling, as grammars spell them. In the order of the
    /// alphabet.
    pub fn vocabulary(&self) -> Vec<String> {
        let moves = self.move_words().flat_map(|word| word.heard()).map(str::to_owned);
        let commands = self.command_phrases(self).into_iter().map(|phrased| phrased.text);
        let intending = self.intending.iter().flatten().cloned();
        let hundreds = (1..10).map(|n| n * 100);
        let numbers = BELOW_HUNDRED.chain(hundreds).map(|n| self.number(n));
        let setup = self.setup_texts().into_iter();
        let texts = moves.chain(commands).chain(intending).chain(numbers).chain(setup);
        let words: BTreeSet<String> = texts
            .flat_map(|text| {
                let text = text.to_lowercase();
                text.split_whitespace()
                    .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_owned())
                    .collect::<Vec<String>>()
            })
            .filter(|word| !word.is_empty())
            .collect();
        words.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_requests_and_numbers_are_in_it_once_and_in_lower_case() {
        let pack = Pack::builtin("de").expect("built in");
        let words = pack.vocabulary();
        for word in
            ["cesar", "zäsar", "hector", "zwo", "türme", "steht", "lauter", "dreiundvierzig"]
        {
            assert_eq!(words.iter().filter(|known| *known == word).count(), 1, "{word}");
        }
        assert!(
            words.iter().all(|word| *word == word.to_lowercase() && !word.contains(['{', ' ']))
        );
    }
}
