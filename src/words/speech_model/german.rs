//! German spelling to phones, for words that nobody has written down a pronunciation for.
//!
//! One left-to-right pass with a few rules on vowel length, word beginnings and endings. It is
//! right for most plain words, and wrong for many names, loan words and compounds.
//! `voices/pronunciations-de.toml` overrules it.
//!
//! # Phones that are not used
//!
//! The model's list has `9` (the ö in "können"), but no word in training had it, so the network
//! never learnt it. `2:` takes its place. `Z` (the second g in "Garage") is `S` for the same
//! reason.

use super::{LexiconError, Phone, Pronunciation};

/// How a word sounds by the rules.
///
/// # Errors
/// [`LexiconError`] for a letter without a rule, and a word without a vowel.
pub fn pronunciation(word: &str) -> Result<Pronunciation, LexiconError> {
    let no_vowel = || LexiconError(format!("'{word}' has no vowel, give a pronunciation"));
    let letters: Vec<char> = word
        .to_lowercase()
        .chars()
        .map(|c| if matches!(c, 'á' | 'à' | 'â') { 'a' } else { c })
        .map(|c| if matches!(c, 'é' | 'è' | 'ê') { 'e' } else { c })
        .collect();
    if let Some(letter) = letters.iter().find(|c| !is_letter(**c)) {
        return Err(LexiconError(format!(
            "'{word}': the rules of German spelling do not know '{letter}', give a pronunciation"
        )));
    }
    if !letters.iter().any(|c| is_vowel(*c)) {
        return Err(no_vowel());
    }
    let mut phones = Vec::new();
    for part in letters.split(|c| matches!(c, '\'' | '-')) {
        speak_word(part, &mut phones);
    }
    Pronunciation::new(phones.into_iter().map(Phone::new).collect()).ok_or_else(no_vowel)
}

fn is_letter(c: char) -> bool {
    matches!(c, 'a'..='z' | 'ä' | 'ö' | 'ü' | 'ß' | '\'' | '-')
}

fn is_vowel(c: char) -> bool {
    matches!(c, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'ä' | 'ö' | 'ü')
}

/// Prefixes after which a word starts afresh, with their phones. The longest that fits counts.
const PREFIXES: [(&str, &str); 17] = [
    ("zurück", "ts u: r Y k"),
    ("wieder", "v i: d 6"),
    ("unter", "U n t 6"),
    ("über", "y: b 6"),
    ("auf", "aU f"),
    ("aus", "aU s"),
    ("ein", "aI n"),
    ("ent", "E n t"),
    ("ver", "f E 6"),
    ("vor", "f o: 6"),
    ("weg", "v E k"),
    ("zer", "ts E 6"),
    ("ab", "a p"),
    ("an", "a n"),
    ("be", "b @"),
    ("ge", "g @"),
    ("zu", "ts u:"),
];

/// Endings without stress; a beginning is one only if a vowel is left between the two.
const ENDINGS: [&str; 12] =
    ["ern", "eln", "est", "en", "er", "el", "em", "es", "et", "e", "st", "t"];

fn speak_word(letters: &[char], phones: &mut Vec<&'static str>) {
    for (prefix, sound) in PREFIXES {
        let length = prefix.chars().count();
        let fits = letters.len() > length && prefix.chars().eq(letters[..length].iter().copied());
        if fits && is_stem(&letters[length..]) {
            phones.extend(sound.split(' '));
            return speak_word(&letters[length..], phones);
        }
    }
    let mut at = 0;
    while at < letters.len() {
        at += speak_letter(letters, at, phones);
    }
}

/// Whether a word can begin here: a consonant that is not doubled, then a vowel that has stress.
fn is_stem(rest: &[char]) -> bool {
    let doubled = rest.len() > 1 && rest[0] == rest[1];
    let ending = ENDINGS.iter().find(|ending| {
        let length = ending.len();
        rest.len() > length && ending.chars().eq(rest[rest.len() - length..].iter().copied())
    });
    let stem = &rest[..rest.len() - ending.map_or(0, |ending| ending.len())];
    rest.len() > 2 && !is_vowel(rest[0]) && !doubled && stem.iter().any(|c| is_vowel(*c))
}

/// Says what stands at `at`; returns how many letters that were.
fn speak_letter(letters: &[char], at: usize, phones: &mut Vec<&'static str>) -> usize {
    if is_vowel(letters[at]) && !(letters[at] == 'y' && at == 0) {
        speak_vowel(letters, at, phones)
    } else {
        speak_consonant(letters, at, phones)
    }
}

/// The letters from `at` on begin with `text`.
fn begins(letters: &[char], at: usize, text: &str) -> bool {
    let rest = letters.get(at..).unwrap_or(&[]);
    text.chars().count() <= rest.len() && text.chars().zip(rest).all(|(a, b)| a == *b)
}

fn vowel_at(letters: &[char], at: usize) -> bool {
    letters.get(at).is_some_and(|c| is_vowel(*c))
}

fn speak_vowel(letters: &[char], at: usize, phones: &mut Vec<&'static str>) -> usize {
    for (text, sound) in [
        ("ei", "aI"),
        ("ai", "aI"),
        ("ey", "aI"),
        ("ay", "aI"),
        ("au", "aU"),
        ("äu", "OY"),
        ("eu", "OY"),
    ] {
        if begins(letters, at, text) {
            phones.push(sound);
            return 2 + speak_r(letters, at + 2, phones);
        }
    }
    let letter = letters[at];
    let left = letters.len() - at;
    let has_vowel_before = letters[..at].iter().any(|c| is_vowel(*c));
    // Endings without stress.
    if letter == 'e' && has_vowel_before {
        let rest = &letters[at..];
        if begins(rest, 0, "er") && !vowel_at(rest, 2) && (left == 2 || left == 3 && rest[2] != 'r')
        {
            phones.push("6");
            return 2;
        }
        let weak = left == 1
            || left == 2 && matches!(rest[1], 'n' | 'l' | 'm' | 's' | 't')
            || left == 3
                && matches!((rest[1], rest[2]), ('l', 'n') | ('n', 'd' | 's' | 't') | ('l', 's'));
        if weak {
            phones.push("@");
            return 1;
        }
    }
    if letter == 'i' && has_vowel_before && left == 2 && letters[at + 1] == 'g' {
        phones.extend(["I", "C"]);
        return 2;
    }
    let doubled = matches!(letter, 'a' | 'e' | 'o') && letters.get(at + 1) == Some(&letter);
    let (mut length, mut long) =
        if doubled || begins(letters, at, "ie") { (2, true) } else { (1, false) };
    if letters.get(at + length) == Some(&'h') && !(vowel_at(letters, at + length + 1) && left < 3) {
        (length, long) = (length + 1, true);
    }
    let open_end = letter == 'a' && left == 1 && has_vowel_before;
    long = long || is_long(letters, at) && !open_end;
    phones.push(match (letter, long) {
        ('a', false) => "a",
        ('a', true) => "a:",
        ('e', false) => "E",
        ('e', true) => "e:",
        ('i', false) => "I",
        ('i', true) => "i:",
        ('o', false) => "O",
        ('o', true) => "o:",
        ('u', false) => "U",
        ('u', true) => "u:",
        ('ä', false) => "E",
        ('ä', true) => "E:",
        ('ö', _) => "2:",
        (_, false) => "Y",
        (_, true) => "y:",
    });
    length + speak_r(letters, at + length, phones)
}

/// An r after a vowel and before none is a vowel itself.
fn speak_r(letters: &[char], at: usize, phones: &mut Vec<&'static str>) -> usize {
    let alone = letters.get(at) == Some(&'r') && letters.get(at + 1) != Some(&'r');
    if alone && !vowel_at(letters, at + 1) {
        phones.push("6");
        1
    } else {
        0
    }
}

/// Whether a single vowel letter is long by what follows it.
fn is_long(letters: &[char], at: usize) -> bool {
    let after = &letters[at + 1..];
    let consonants = after.iter().take_while(|c| !is_vowel(**c)).count();
    let ends = consonants == after.len();
    match (&after[..consonants], ends) {
        ([], _) => true,
        ([c], false) => !matches!(c, 'x'),
        // A final single consonant: long before soft ones, as in "Zug", "rot".
        ([c], true) => matches!(c, 'b' | 'd' | 'g' | 'r' | 'ß'),
        (['c', 'h', ..] | ['s', 'c', 'h', ..], _) => false,
        (['ß', ..], _) => true,
        // "Adler", "wieder-": a stop and a liquid belong to the next syllable.
        (['b' | 'd' | 'g' | 'p' | 't' | 'k', 'r' | 'l'], false) => true,
        (['t' | 'p', 'h'], false) => true,
        // "schlägt", "lebt": the stem's vowel stays long.
        (['b' | 'g', 't'], true) => true,
        _ => false,
    }
}

/// Consonants of several letters, longest first.
const CLUSTERS: [(&str, &str); 22] = [
    ("tsch", "t S"),
    ("sch", "S"),
    ("chs", "k s"),
    ("tz", "ts"),
    ("ts", "ts"),
    ("dt", "t"),
    ("th", "t"),
    ("ph", "f"),
    ("pf", "p f"),
    ("ck", "k"),
    ("qu", "k v"),
    ("nk", "N k"),
    ("rh", "r"),
    ("bb", "b"),
    ("dd", "d"),
    ("gg", "g"),
    ("ss", "s"),
    ("zz", "ts"),
    ("ff", "f"),
    ("ng", "N"),
    ("sz", "s"),
    ("x", "k s"),
];

fn speak_consonant(letters: &[char], at: usize, phones: &mut Vec<&'static str>) -> usize {
    let letter = letters[at];
    let before = at.checked_sub(1).map(|at| letters[at]);
    let after = letters.get(at + 1).copied();
    if letter == 's' && at == 0 && matches!(after, Some('t' | 'p')) {
        phones.push("S");
        return 1;
    }
    if letter == 's' && begins(letters, at, "st") {
        phones.push("s");
        return 1;
    }
    if let Some((text, sounds)) = CLUSTERS.iter().find(|(text, _)| begins(letters, at, text)) {
        phones.extend(sounds.split(' '));
        return text.len();
    }
    if begins(letters, at, "ch") {
        phones.push(match before {
            Some('a' | 'o' | 'u') => "x",
            None if matches!(letters.get(2), Some('e' | 'i')) => "C",
            None => "k",
            _ => "C",
        });
        return 2;
    }
    // A doubled consonant sounds once.
    if after == Some(letter) {
        return speak_doubled(letters, at, phones);
    }
    // Soft stops are hard at the end and before hard ones.
    let hard = after.is_none_or(|c| matches!(c, 't' | 's' | 'k' | 'p' | 'f' | 'ß'));
    let soft_s = vowel_at(letters, at + 1)
        && before.is_none_or(|c| is_vowel(c) || matches!(c, 'l' | 'm' | 'n' | 'r'));
    phones.push(match letter {
        'b' if !hard => "b",
        'b' | 'p' => "p",
        'd' if !hard => "d",
        'd' | 't' => "t",
        'g' if !hard => "g",
        'c' if matches!(after, Some('e' | 'i' | 'ä')) => "ts",
        'g' | 'k' | 'c' | 'q' => "k",
        'f' | 'v' => "f",
        'w' => "v",
        's' if soft_s => "z",
        's' | 'ß' => "s",
        'z' => "ts",
        'm' => "m",
        'n' => "n",
        'l' => "l",
        'r' => "r",
        'j' | 'y' => "j",
        // h, between vowels and after consonants that it only lengthens, is silent.
        _ if before.is_some_and(is_vowel) => return 1,
        _ => "h",
    });
    1
}

fn speak_doubled(letters: &[char], at: usize, phones: &mut Vec<&'static str>) -> usize {
    // Between two vowels: neither hard nor soft by what follows.
    let single = [letters[at], 'a'];
    speak_consonant(&single, 0, phones);
    // At the end a doubled soft stop is hard.
    2.min(letters.len() - at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn says(word: &str) -> String {
        pronunciation(word).map_or_else(|err| err.to_string(), |sound| sound.to_string())
    }

    #[test]
    fn plain_words_sound_as_they_are_spelled() {
        for (word, sound) in [
            ("Turm", "t U 6 m"),
            ("Springer", "S p r I N 6"),
            ("Läufer", "l OY f 6"),
            ("König", "k 2: n I C"),
            ("Dame", "d a: m @"),
            ("schlägt", "S l E: k t"),
            ("Hilfe", "h I l f @"),
            ("gedrückt", "g @ d r Y k t"),
            ("geben", "g e: b @ n"),
            ("schneller", "S n E l 6"),
            ("aufgeben", "aU f g e: b @ n"),
            ("Zug", "ts u: k"),
            ("Kontrolle", "k O n t r O l @"),
            ("zwanzig", "ts v a n ts I C"),
            ("Pause", "p aU z @"),
            ("Wasser", "v a s 6"),
            ("Fuchs", "f U k s"),
            ("weiter", "v aI t 6"),
            ("Bahn", "b a: n"),
            ("Anna", "a n a"),
            ("Bauer", "b aU 6"),
            ("Ruhe", "r u: @"),
            ("gehen", "g e: @ n"),
            ("haben", "h a: b @ n"),
        ] {
            assert_eq!(says(word), sound, "{word}");
        }
    }

    #[test]
    fn what_has_no_rule_is_said() {
        assert_eq!(
            says("ферзь"),
            "'ферзь': the rules of German spelling do not know 'ф', give a pronunciation"
        );
        assert_eq!(says("pst"), "'pst' has no vowel, give a pronunciation");
        assert!(pronunciation("-").is_err());
    }

    #[test]
    fn no_word_panics_and_none_loses_itself() {
        let letters: Vec<char> = "abceghinrstuxyzäöüß'-".chars().collect();
        for a in &letters {
            for b in &letters {
                for c in &letters {
                    let word: String = ['e', *a, *b, *c].iter().collect();
                    assert!(pronunciation(&word).is_ok_and(|sound| !sound.phones().is_empty()));
                }
            }
        }
    }
}
