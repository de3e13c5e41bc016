//! Where in the file a key stands that does not go with others, or names what is not there.

use std::path::Path;

use toml::de::DeTable;

use super::{entry::Source, keys::KEYS};
use annabella_words::text::unix_lines;

/// What was written.
#[derive(Clone, Copy)]
pub(super) struct AsWritten<'a, 'i> {
    pub(super) source: Source<'a>,
    pub(super) document: &'a DeTable<'i>,
}

impl AsWritten<'_, '_> {
    /// The line of a key, from 1; with an empty key of its section.
    fn line(self, section: &str, key: &str) -> Option<usize> {
        let found = |(name, _): &(&toml::Spanned<std::borrow::Cow<'_, str>>, _)| {
            name.get_ref().as_ref() == section
        };
        let (name, value) = self.document.iter().find(found)?;
        if key.is_empty() {
            return Some(self.source.line(name.span().start));
        }
        let mut keys = value.get_ref().as_table()?.iter();
        let (key, _) = keys.find(|(name, _)| name.get_ref().as_ref() == key)?;
        Some(self.source.line(key.span().start))
    }

    pub(super) fn has(self, section: &str, key: &str) -> bool {
        self.line(section, key).is_some()
    }

    /// The problem after its file and, where there is one, its line. It begins with the section and
    /// the key that it is about, or names them.
    pub(super) fn told(self, problem: &str) -> String {
        let places: Vec<(&str, &str)> = places(problem).collect();
        let key = |(section, key): &(&str, &str)| self.line(section, key);
        // Of two the second one was too much.
        let line = match problem.starts_with('[') {
            true => places.first().and_then(key),
            false => places.iter().rev().find_map(key),
        };
        let about = if problem.starts_with('[') { &places[..places.len().min(1)] } else { &places };
        let section = || about.iter().find_map(|(section, _)| self.line(section, ""));
        // A section for two blind players is missing.
        let line = line.or_else(section).or_else(|| self.line("game", "blind"));
        let file = self.source.file;
        line.map_or_else(
            || format!("{file}: {problem}"),
            |line| format!("{file}:{line}: {problem}"),
        )
    }
}

/// Each section that a problem names, with the word behind it.
fn places(problem: &str) -> impl Iterator<Item = (&str, &str)> {
    problem.split('[').skip(1).filter_map(|rest| {
        let (section, rest) = rest.split_once(']')?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let key = rest.trim_start().split(|c| !is_word(c)).next().unwrap_or_default();
        KEYS.iter().any(|(known, _)| *known == section).then_some((section, key))
    })
}

/// A problem that a key of this file has: after the file and its line. Any other as it is.
pub fn told(path: &Path, problem: &str) -> String {
    let about_key = problem.starts_with('[') && places(problem).next().is_some();
    let text = annabella_records::whole::read_text(path).ok().filter(|_| about_key);
    let Some(text) = text else { return problem.to_owned() };
    let (text, file) = (unix_lines(&text), path.display().to_string());
    let Ok(document) = DeTable::parse(&text) else { return problem.to_owned() };
    let source = Source { text: &text, file: &file };
    AsWritten { source, document: document.get_ref() }.told(problem)
}
