//! The program's English notes in the language of a reader: each sentence with its slots, as
//! `"{a}'s flag has fallen" = "{a}: …"`.

use toml::Value;

use super::{
    pages::fill,
    reader::{Problem, Reader},
};

/// The sentences that a pack knows.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Notes {
    /// The most specific first.
    known: Vec<Note>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Note {
    /// What stands before, between and behind the slots; one more than there are slots.
    fixed: Vec<String>,
    slots: Vec<String>,
    own: String,
}

impl Notes {
    /// `[notes]` of a pack.
    pub(super) fn read(mut reader: Reader<'_>, problems: &mut Vec<Problem>) -> Notes {
        let mut known = Vec::new();
        for (english, value) in reader.entries() {
            let note = match value {
                Value::String(own) if !own.trim().is_empty() => Note::of(english, own),
                _ => None,
            };
            match note {
                Some(note) => known.push(note),
                None => problems.push(reader.wrong(english, "is not a sentence with these slots")),
            }
        }
        reader.finish(problems);
        let length = |note: &Note| note.fixed.iter().map(String::len).sum::<usize>();
        known.sort_by_key(|note| std::cmp::Reverse(length(note)));
        Notes { known }
    }

    /// The sentence in this language. `say` words what fills a slot. `None`: it is not known.
    pub(super) fn find(&self, english: &str, say: &dyn Fn(&str) -> String) -> Option<String> {
        self.known.iter().find_map(|note| note.say(english, say))
    }

    /// The English sentences, and those of the pack.
    pub(super) fn all(&self) -> impl Iterator<Item = (String, &str)> {
        self.known.iter().map(|note| (note.fixed.join("{}"), note.own.as_str()))
    }
}

impl Note {
    fn of(english: &str, own: &str) -> Option<Note> {
        let (mut fixed, mut slots, mut rest) = (Vec::new(), Vec::new(), english);
        while let Some((before, after)) = rest.split_once('{') {
            let (name, behind) = after.split_once('}')?;
            fixed.push(before.to_owned());
            slots.push(name.to_owned());
            rest = behind;
        }
        fixed.push(rest.to_owned());
        // A slot may be left out; one that the English sentence lacks cannot be filled.
        let mut named = own.split('{').skip(1).map(|part| part.split('}').next().unwrap_or(""));
        let good = named.all(|name| slots.iter().any(|slot| slot == name));
        // Two slots side by side cannot be told apart.
        let apart = fixed.iter().skip(1).rev().skip(1).all(|text| !text.is_empty());
        (good && apart).then(|| Note { fixed, slots, own: own.to_owned() })
    }

    fn say(&self, english: &str, say: &dyn Fn(&str) -> String) -> Option<String> {
        let (first, others) = self.fixed.split_first()?;
        let mut rest = english.strip_prefix(first.as_str())?;
        let mut values = Vec::new();
        for (n, fixed) in others.iter().enumerate() {
            let value = if n + 1 == others.len() {
                let value = rest.strip_suffix(fixed.as_str())?;
                rest = "";
                value
            } else {
                let (value, behind) = rest.split_once(fixed.as_str())?;
                rest = behind;
                value
            };
            if value.is_empty() {
                return None;
            }
            values.push(say(value));
        }
        if !rest.is_empty() {
            return None;
        }
        let slots: Vec<(&str, &str)> = self
            .slots
            .iter()
            .zip(&values)
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        Some(fill(&self.own, &slots))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_found_by_what_stands_around_its_slots() {
        let table = concat!(
            "\"{a} is gone: {b}\" = \"{b}: fort ist {a}\"\n",
            "\"all is well\" = \"alles ist gut\"\n",
            "\"{a}, all\" = \"{a}, alles\"\n",
        );
        let table = table.parse().expect("TOML");
        let mut problems = Vec::new();
        let notes = Notes::read(Reader::root(&table), &mut problems);
        assert!(problems.is_empty(), "{problems:?}");
        let say = |value: &str| value.to_uppercase();
        let own = |english| notes.find(english, &say);
        assert_eq!(own("x is gone: y"), Some("Y: fort ist X".to_owned()));
        assert_eq!(own("all is well"), Some("alles ist gut".to_owned()));
        assert_eq!(own("you, all"), Some("YOU, alles".to_owned()));
        assert_eq!(own("all is well here"), None);
        assert_eq!(own(" is gone: y"), None);
    }

    #[test]
    fn a_slot_that_the_english_sentence_lacks_is_a_fault() {
        let table =
            "\"{a} is gone\" = \"fort: {b}\"\n\"{a}{b}\" = \"{a}{b}\"".parse().expect("TOML");
        let mut problems = Vec::new();
        Notes::read(Reader::root(&table), &mut problems);
        assert_eq!(problems.len(), 2, "{problems:?}");
    }
}
