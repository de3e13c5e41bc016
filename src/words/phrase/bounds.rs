//! How large a pack may be: four times what is built in, and more. A pack also comes out of a file
//! of somebody else's, a journal and the hall, and every word of it is compared with every other.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::{
    command::{KINDS, Wanted, diagonals},
    normal::normal_words,
};

/// Bytes of its text; ours have 113,160 at most.
pub(super) const BYTES: usize = 512 * 1_024;
/// Keys and values; ours have 4,309.
const ENTRIES: usize = 20_000;
/// Letters of a word or key; ours have 32.
const LETTERS: usize = 200;
/// Words of a phrase that is heard or typed; ours have 11.
const LONGEST_PHRASE: usize = 48;
/// Different words of moves; ours have 76.
const MOVE_WORDS: usize = 400;
/// Different words that are heard at all; ours have 402.
const HEARD_WORDS: usize = 1_700;
/// Phrases that ask for something, with all that they can name; ours have 1,736.
const PHRASES: usize = 7_000;

/// The tables with words that are heard, those of moves first; and those with phrases.
const HEARD: [&str; 5] = ["moves", "commands", "near", "numbers", "pieces"];
const PHRASED: [&str; 7] =
    ["moves", "commands", "near", "numbers", "pieces", "typed", "typed-words"];

/// What of a pack is more than a pack has; one line.
pub(super) fn excess(pack: &Table) -> Option<String> {
    let over = |what: &str, number: usize, most: usize| {
        (number > most).then(|| format!("{number} {what}, at most {most}"))
    };
    let mut all = All::default();
    all.table(pack, false);
    if let Some(excess) = over("keys and values", all.entries, ENTRIES)
        .or_else(|| over("letters in a word", all.letters, LETTERS))
    {
        return Some(excess);
    }
    let of = |tables: &[&str]| {
        let mut all = All::default();
        let there = tables.iter().filter_map(|name| pack.get(*name));
        there.for_each(|value| all.value(value, true));
        all
    };
    over("words in a phrase", of(&PHRASED).phrase, LONGEST_PHRASE)
        .or_else(|| over("different words of moves", of(&HEARD[..1]).words.len(), MOVE_WORDS))
        .or_else(|| over("different words that are heard", of(&HEARD).words.len(), HEARD_WORDS))
        .or_else(|| over("phrases that ask", phrases(pack), PHRASES))
}

/// What there is of everything.
#[derive(Default)]
struct All {
    entries: usize,
    letters: usize,
    phrase: usize,
    words: BTreeSet<String>,
}

impl All {
    fn table(&mut self, table: &Table, words: bool) {
        for (key, value) in table {
            self.entries += 1;
            self.letters = self.letters.max(longest_word(key));
            self.value(value, words);
        }
    }

    fn value(&mut self, value: &Value, words: bool) {
        match value {
            Value::Table(table) => return self.table(table, words),
            Value::Array(values) => {
                return values.iter().for_each(|value| self.value(value, words));
            }
            Value::String(text) => {
                self.letters = self.letters.max(longest_word(text));
                if words {
                    let words = normal_words(text);
                    self.phrase = self.phrase.max(words.len());
                    self.words.extend(words);
                }
            }
            _ => {}
        }
        self.entries += 1;
    }
}

fn longest_word(text: &str) -> usize {
    text.split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0)
}

/// How many phrases there are once each has every name that it can have.
fn phrases(pack: &Table) -> usize {
    let pieces = pack.get("pieces").and_then(Value::as_table).into_iter().flatten();
    let asked = pieces.filter_map(|(_, piece)| piece.get("asked")?.as_array()).map(Vec::len).sum();
    let names = |wanted: Wanted| match wanted {
        Wanted::Nothing => 1,
        Wanted::Square => 64,
        Wanted::File | Wanted::Rank => 8,
        Wanted::Diagonal => 64 + diagonals().count(),
        Wanted::Count | Wanted::Number => wanted.numbers().count(),
        Wanted::Role => asked,
    };
    let of = |table: &str, (key, wanted, _): &(&str, Wanted, _)| {
        let phrases = pack.get(table).and_then(|table| table.get(key)?.as_array());
        phrases.map_or(0, |phrases| phrases.len() * names(*wanted))
    };
    KINDS.iter().map(|kind| of("commands", kind) + of("near", kind)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phrase::{
        PackError, Words,
        builtin::{builtin, builtin_names},
        pack::read_toml,
    };

    /// A word for each number, of letters alone.
    fn word(n: usize) -> String {
        let digit = |place: u32| char::from(b'a' + (n / 26_usize.pow(place) % 26) as u8);
        (0..4).map(digit).collect()
    }

    #[test]
    fn four_times_a_pack_of_ours_is_a_pack_still() {
        for name in builtin_names() {
            let toml = builtin(name).expect("built in");
            let pack = read_toml(toml).expect("TOML");
            let mut all = All::default();
            all.table(&pack, false);
            let (mut heard, mut moves) = (All::default(), All::default());
            HEARD.iter().for_each(|table| heard.value(&pack[*table], true));
            moves.value(&pack["moves"], true);
            let mut phrased = All::default();
            PHRASED.iter().for_each(|table| phrased.value(&pack[*table], true));
            for (of, most) in [
                (toml.len(), BYTES),
                (all.entries, ENTRIES),
                (all.letters, LETTERS),
                (phrased.phrase, LONGEST_PHRASE),
                (moves.words.len(), MOVE_WORDS),
                (heard.words.len(), HEARD_WORDS),
                (phrases(&pack), PHRASES),
            ] {
                assert!(4 * of <= most, "{name}: {of} of {most}");
            }
        }
    }

    #[test]
    fn a_pack_that_is_larger_than_any_is_refused_in_one_line_wherever_it_comes_from() {
        let listed = |texts: &[String]| {
            let german = builtin("de").expect("built in");
            let old = "help = [\"Hilfe\"";
            assert!(german.contains(old));
            let texts: Vec<String> = texts.iter().map(|text| format!("\"{text}\", ")).collect();
            german.replacen(old, &format!("help = [{}\"Hilfe\"", texts.concat()), 1)
        };
        let words =
            |from: usize, count: usize| -> Vec<String> { (from..from + count).map(word).collect() };
        let pairs: Vec<String> = (0..90)
            .flat_map(|a| (0..90).map(move |b| format!("{} {}", word(a), word(b))))
            .collect();
        for (toml, what) in [
            (listed(&[words(0, 80_000).join(" ")]), "words in a phrase, at most 48"),
            (listed(&words(0, 2_000)), "different words that are heard, at most 1700"),
            (listed(&pairs), "phrases that ask, at most 7000"),
            (listed(&["a".repeat(200_000)]), "letters in a word, at most 200"),
            (format!("#{}\n[pack]\ncode='de'\n", "x".repeat(BYTES)), "bytes, at most 524288"),
            (
                format!("[typed]\nhelp = [{}]", "\"x\", ".repeat(20_000)),
                "keys and values, at most 20000",
            ),
        ] {
            let refused = Words::of_journal([builtin("de").expect("built in"), &toml]);
            let refused = refused.expect_err(what);
            assert!(matches!(refused, PackError::TooLarge(_)), "{refused}");
            let line = refused.to_string();
            assert!(line.ends_with(what) && !line.contains('\n'), "{line}");
            assert_eq!(Words::from_toml(&toml, &toml).expect_err(what), refused);
        }
    }
}
