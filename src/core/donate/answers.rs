//! What a person may answer: spoken as the packs have it, typed also by letters.

use shakmaty::Rank;

use annabella_words::phrase::{Command, SetupWord, Words, hear::Choices, normal_words};

/// The longest name in a list.
const LONGEST_NAME: usize = 24;
/// No speech model of ours knows this word: it is typed. The spoken one is "stopp".
const PAUSE: [&str; 7] = ["p", "pause", "pausa", "pauza", "przerwa", "pertrauka", "пауза"];

/// An answer or a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Given {
    Yes,
    No,
    /// From 1 to 8.
    Number(u8),
    Next,
    Repeat,
    Back,
    Pause,
    Finish,
    Delete,
}

/// Every phrase that answers or steers, and what it means.
pub(super) fn phrases(words: &Words) -> Vec<(String, Given)> {
    let mut all: Vec<(String, Given)> = Vec::new();
    for (text, command) in words.command_phrases() {
        let given = match command {
            Command::Yes => Given::Yes,
            Command::No => Given::No,
            Command::Repeat => Given::Repeat,
            Command::Stop => Given::Pause,
            Command::Cancel => Given::Finish,
            _ => continue,
        };
        all.push((text, given));
    }
    for (word, given) in [
        (SetupWord::Next, Given::Next),
        (SetupWord::Back, Given::Back),
        (SetupWord::Finish, Given::Finish),
        (SetupWord::Delete, Given::Delete),
    ] {
        let texts = words.prompts().setup(word).iter();
        all.extend(texts.map(|text| (text.clone(), given)));
    }
    for (n, rank) in (1..).zip(Rank::ALL) {
        let texts = [words.moves().rank(rank), words.prompts().rank(rank)];
        all.extend(texts.map(|word| (word.text.clone(), Given::Number(n))));
    }
    all
}

/// What a typed line means.
pub(super) fn typed(words: &Words, phrases: &[(String, Given)], line: &str) -> Option<Given> {
    let line = line.trim().to_lowercase();
    let key = match line.as_str() {
        "" => Some(Given::Next),
        "r" => Some(Given::Repeat),
        "b" => Some(Given::Back),
        "q" => Some(Given::Finish),
        "d" => Some(Given::Delete),
        "j" | "y" => Some(Given::Yes),
        "n" => Some(Given::No),
        text if PAUSE.contains(&text) => Some(Given::Pause),
        text => text.parse().ok().filter(|n| (1..=8).contains(n)).map(Given::Number),
    };
    let phrase = || Choices::new(words, phrases.iter().cloned()).exact(&line);
    // "Alles löschen" too.
    let deletes = || {
        let words_of = normal_words(&line);
        let deleting = phrases.iter().filter(|(_, given)| *given == Given::Delete);
        let mut deleting = deleting.flat_map(|(text, _)| normal_words(text));
        deleting.any(|word| words_of.contains(&word)).then_some(Given::Delete)
    };
    key.or_else(phrase).or_else(deletes)
}

/// Whether this can be a person's name in a list, a folder and a file: small letters without
/// accents, digits and hyphens, a letter first, at most 24.
pub fn is_name(text: &str) -> bool {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    text.len() <= LONGEST_NAME
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(plain)
}

/// A name as it is said, numbers digit by digit: `Vega vier sieben eins eins`.
pub fn spoken_name(words: &Words, name: &str) -> String {
    let part = |part: &str| match part.parse::<u64>() {
        Ok(_) => words.digits(part).replace(',', ""),
        Err(_) => {
            let mut letters = part.chars();
            letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
        }
    };
    name.split('-').map(part).collect::<Vec<String>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use annabella_words::phrase::{Prompt, Slot, pack::builtin_languages};

    #[test]
    fn what_is_typed_is_a_letter_a_phrase_or_a_word_in_it() {
        let words = Words::builtin("fide", "de").expect("built in");
        let phrases = phrases(&words);
        let typed = |line: &str| typed(&words, &phrases, line);
        for (line, given) in [
            ("", Given::Next),
            (" r ", Given::Repeat),
            ("noch einmal", Given::Repeat),
            ("Zurück", Given::Back),
            ("Pause", Given::Pause),
            ("stopp", Given::Pause),
            ("Schluss", Given::Finish),
            ("abbrechen", Given::Finish),
            ("alles löschen", Given::Delete),
            ("ja", Given::Yes),
            ("J", Given::Yes),
            ("nein", Given::No),
            ("3", Given::Number(3)),
            ("drei", Given::Number(3)),
        ] {
            assert_eq!(typed(line), Some(given), "{line}");
        }
        assert_eq!([typed("9"), typed("vielleicht")], [None, None]);
    }

    /// What a sentence puts into quotes is understood when it is said.
    #[test]
    fn every_word_that_a_sentence_offers_is_understood_in_every_language() {
        for lang in builtin_languages() {
            let words = Words::builtin(lang, lang).expect("built in");
            let phrases = phrases(&words);
            let begin = words.prompt(Prompt::DonateBegin, &[Slot::Number(9)]).to_string();
            let quoted = |text: &str| -> Vec<Option<Given>> {
                let parts = text.split(['„', '“', '”', '"', '«', '»']);
                let inside = parts.skip(1).step_by(2);
                inside.map(|inside| typed(&words, &phrases, inside)).collect()
            };
            let wanted = [Given::Repeat, Given::Back, Given::Pause, Given::Finish, Given::Delete];
            assert_eq!(quoted(&begin), wanted.map(Some), "{lang}: {begin}");
            let paused = words.prompt(Prompt::DonatePaused, &[]).to_string();
            assert_eq!(quoted(&paused), [Some(Given::Next)], "{lang}: {paused}");
            for asked in [Prompt::DonateAge, Prompt::DonateRegion] {
                let asked = words.prompt(asked, &[]).to_string();
                let last = asked.trim_end_matches('.').rsplit([':', ' ']).next();
                let given = last.and_then(|last| typed(&words, &phrases, last));
                assert_eq!(given, Some(Given::Next), "{lang}: {asked}");
            }
        }
    }

    #[test]
    fn a_name_is_said_with_its_digits_one_by_one() {
        let words = Words::builtin("fide", "de").expect("built in");
        assert_eq!(spoken_name(&words, "vega-4711"), "Vega vier sieben eins eins");
        assert_eq!(spoken_name(&words, "alte-eule7"), "Alte Eule7");
    }

    #[test]
    fn a_name_is_one_for_lists_and_folders() {
        assert!(["vega-4711", "a"].iter().all(|name| is_name(name)));
        let long = "a".repeat(25);
        for name in ["", "Vega", "4711", "../etc", "vega 1", "größe", "a/b", &long] {
            assert!(!is_name(name), "{name}");
        }
    }
}
