//! Help and errors of the command line in the reader's language: German where the locale asks for
//! it, else English as it stands in the code.
//!
//! A catalogue has each English text beside its German one: what a program's help says by program,
//! clap's own words and value names for all, errors as patterns. What all programs have in common
//! is here, in `german.toml`; the rest is beside the code of each. What the catalogue lacks stays
//! English.

pub mod call;

use std::collections::{BTreeMap, BTreeSet};

use clap::{
    Arg, Command,
    builder::{PossibleValue, Str},
};
use serde::Deserialize;

const COMMON: &str = include_str!("german.toml");

/// Whether German is asked for: of `LC_ALL`, `LC_MESSAGES` and `LANG` the first that is set
/// decides. Source: POSIX.1-2017, Base Definitions, 8.2.
pub fn is_german() -> bool {
    asks_for_german(|name| std::env::var(name).ok())
}

fn asks_for_german(variable: impl Fn(&str) -> Option<String>) -> bool {
    let set = |name: &&str| variable(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].iter().find_map(set).unwrap_or_default();
    locale.split(['_', '.', '@']).next() == Some("de")
}

/// The German texts.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Catalogue {
    /// Of clap's own words, as they stand in any help.
    clap: BTreeMap<String, String>,
    /// Names of values, without their brackets.
    values: BTreeMap<String, String>,
    /// Of each program's commands, arguments and options.
    help: BTreeMap<String, BTreeMap<String, String>>,
    errors: Errors,
    doctor: Doctor,
}

/// What `annabella doctor` prints.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Doctor {
    /// Of its first columns.
    words: BTreeMap<String, String>,
    /// Patterns that stand in others.
    parts: BTreeMap<String, String>,
    /// Patterns.
    lines: BTreeMap<String, String>,
}

/// Patterns: what stands in braces is taken over.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Errors {
    /// Of clap and of the system.
    others: BTreeMap<String, String>,
    /// Of these programs: those that several say, and of each its own.
    own: BTreeMap<String, String>,
}

impl Catalogue {
    /// What all programs say, and what a program says besides: its own catalogue, as it was
    /// compiled in.
    ///
    /// # Panics
    /// That is no catalogue. A test of each program reads it.
    pub fn german(own: &str) -> Catalogue {
        let read = |text| -> Catalogue { toml::from_str(text).expect("a catalogue is TOML") };
        let (mut common, own) = (read(COMMON), read(own));
        common.errors.own.extend(own.errors.own);
        Catalogue { help: own.help, doctor: own.doctor, ..common }
    }

    /// Whether it has the texts of this program's help.
    pub fn has(&self, program: &str) -> bool {
        self.help.contains_key(program)
    }

    /// The command with German texts, and those of its commands.
    pub fn translate(&self, program: &str, command: Command) -> Command {
        let none = BTreeMap::new();
        self.command(self.help.get(program).unwrap_or(&none), command)
    }

    fn command(&self, texts: &BTreeMap<String, String>, mut command: Command) -> Command {
        let german = |text: String| texts.get(&text).cloned().unwrap_or(text);
        if let Some(about) = command.get_about().map(ToString::to_string) {
            command = command.about(german(about));
        }
        if let Some(about) = command.get_long_about().map(ToString::to_string) {
            command = command.long_about(german(about));
        }
        if let Some(after) = command.get_after_help().map(ToString::to_string) {
            command = command.after_help(german(after));
        }
        command
            .mut_args(|arg| self.arg(texts, arg))
            .mut_subcommands(|command| self.command(texts, command))
    }

    fn arg(&self, texts: &BTreeMap<String, String>, mut arg: Arg) -> Arg {
        let german = |text: String| texts.get(&text).cloned().unwrap_or(text);
        let more = self.values_of(&arg);
        if let Some(help) = arg.get_help().map(ToString::to_string) {
            arg = arg.help(german(help) + &more);
        }
        if let Some(help) = arg.get_long_help().map(ToString::to_string) {
            arg = arg.long_help(german(help) + &more);
        }
        if arg.get_action().takes_values() {
            arg = arg.hide_default_value(true).hide_possible_values(true);
        }
        let names = arg.get_value_names().map(|names| {
            let german = |name: &Str| match self.values.get(name.as_str()) {
                // Clap takes names that stay. A program shows one help and ends.
                Some(name) => Str::from(&*name.clone().leak()),
                None => name.clone(),
            };
            names.iter().map(german).collect::<Vec<_>>()
        });
        match names {
            Some(names) => arg.value_names(names),
            None => arg,
        }
    }

    /// What an argument is if not given, and may be. Clap would say it in English, on whatever line
    /// there is room.
    fn values_of(&self, arg: &Arg) -> String {
        let mut text = String::new();
        if !arg.get_action().takes_values() {
            return text;
        }
        let default: Vec<_> =
            arg.get_default_values().iter().map(|one| one.to_string_lossy()).collect();
        if !default.is_empty() && !arg.is_hide_default_value_set() {
            text += &format!(" {}{}]", self.word("[default: "), default.join(" "));
        }
        let possible = arg.get_possible_values();
        let possible: Vec<&str> = possible.iter().map(PossibleValue::get_name).collect();
        if !possible.is_empty() && !arg.is_hide_possible_values_set() {
            text += &format!(" {}{}]", self.word("[possible values: "), possible.join(", "));
        }
        text
    }

    fn word<'a>(&'a self, english: &'a str) -> &'a str {
        self.clap.get(english).map_or(english, String::as_str)
    }

    /// A help as clap writes it, whose own words become German.
    pub fn help(&self, text: &str) -> String {
        let own = self.clap.iter();
        own.fold(text.to_owned(), |text, (english, german)| text.replace(english, german))
    }

    /// An error in one line. Of one that is not known as a whole, what follows a colon or a
    /// semicolon may be.
    pub fn error(&self, line: &str) -> String {
        said(&[&self.errors.own, &self.errors.others, &self.doctor.lines], line)
    }

    /// A word of the first columns of `annabella doctor`.
    pub fn doctors_word<'a>(&'a self, english: &'a str) -> &'a str {
        self.doctor.words.get(english).map_or(english, String::as_str)
    }

    /// A sentence of `annabella doctor`, which may quote an error.
    pub fn doctors_line(&self, line: &str) -> String {
        let Doctor { parts, lines, .. } = &self.doctor;
        said(&[lines, parts, &self.errors.own, &self.errors.others], line)
    }
}

/// A line as it is told where most of it is known: by a pattern as a whole, or part by part.
fn said(patterns: &[&BTreeMap<String, String>], line: &str) -> String {
    known(patterns, line, DEPTH).1
}

/// How often a line is taken apart.
const DEPTH: usize = 5;

/// How many characters of a line are known, and the line in German.
fn known(patterns: &[&BTreeMap<String, String>], line: &str, depth: usize) -> (usize, String) {
    let Some(depth) = depth.checked_sub(1) else { return (0, line.to_owned()) };
    let both = |first: &str, mark: &str, rest: &str, end: &str| {
        let (one, other) = (known(patterns, first, depth), known(patterns, rest, depth));
        (one.0 + other.0, format!("{}{mark}{}{end}", one.1, other.1))
    };
    let split = ["; ", ": "]
        .map(|mark| line.split_once(mark).map(|(first, rest)| both(first, mark, rest, "")));
    let of_section =
        line.strip_prefix('[').and_then(|rest| rest.split_once("] ")).map(|(section, rest)| {
            let (length, text) = known(patterns, rest, depth);
            (length, format!("[{section}] {text}"))
        });
    let with_reason = line.strip_suffix(')').and_then(|line| line.split_once(" ("));
    let with_reason = with_reason.map(|(first, reason)| both(first, " (", reason, ")"));
    let all = patterns.iter().flat_map(|patterns| patterns.iter());
    let whole = all.filter_map(|(english, german)| {
        Some((literal_length(english), (english, german), slots(english, line)?))
    });
    let whole = whole.max_by_key(|(length, ..)| *length);
    let whole = whole.map(|(length, (english, german), slots)| {
        let mut length = length;
        let mut own = |name: &str| {
            let slot = format!("{{{name}}}");
            let Some((_, value)) = slots.iter().find(|(known, _)| *known == name) else {
                return slot;
            };
            // What stands in quotes or brackets somebody has typed.
            let typed = [("'", "'"), ("\"", "\""), ("[", "]")];
            if typed.iter().any(|(open, end)| english.contains(&format!("{open}{slot}{end}"))) {
                return (*value).to_owned();
            }
            let (more, text) = known(patterns, value, depth);
            length += more;
            text
        };
        let text = pieces(german)
            .map(|(literal, slot)| literal.to_owned() + &slot.map_or_else(String::new, &mut own))
            .collect();
        (length, text)
    });
    let found = split.into_iter().chain([of_section, with_reason, whole]).flatten();
    found.max_by_key(|(length, _)| *length).unwrap_or_else(|| (0, line.to_owned()))
}

/// Characters of a pattern outside its slots.
fn literal_length(pattern: &str) -> usize {
    pieces(pattern).map(|(literal, _)| literal.len()).sum()
}

/// A pattern as literals, each with the slot that follows it.
fn pieces(pattern: &str) -> impl Iterator<Item = (&str, Option<&str>)> {
    let mut rest = Some(pattern);
    std::iter::from_fn(move || {
        let text = rest?;
        let slot = text.split_once('{').and_then(|(literal, after)| {
            after.split_once('}').map(|(name, rest)| (literal, name, rest))
        });
        match slot {
            Some((literal, name, after)) => {
                rest = Some(after);
                Some((literal, Some(name)))
            }
            None => {
                rest = None;
                Some((text, None))
            }
        }
    })
}

/// What stands in a line for a pattern's slots, if it fits.
fn slots<'a>(pattern: &'a str, line: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let mut pieces = pieces(pattern);
    let (first, mut slot) = pieces.next()?;
    let mut rest = line.strip_prefix(first)?;
    let mut found = Vec::new();
    for (literal, next) in pieces {
        let name = slot?;
        // The last literal ends the line.
        let at = match next {
            None if rest.ends_with(literal) => rest.len() - literal.len(),
            None => return None,
            Some(_) => rest.find(literal)?,
        };
        // Of several sentences each is looked for alone.
        if !literal.is_empty() && rest[..at].contains("; ") {
            return None;
        }
        found.push((name, &rest[..at]));
        rest = &rest[at + literal.len()..];
        slot = next;
    }
    (rest.is_empty() && slot.is_none()).then_some(found)
}

/// Texts of a program's help as they stand in the code, and names of its values.
fn texts(command: &Command) -> (BTreeSet<String>, Vec<String>) {
    let mut texts = BTreeSet::new();
    let mut values = Vec::new();
    let around = [command.get_about(), command.get_long_about(), command.get_after_help()];
    texts.extend(around.into_iter().flatten().map(ToString::to_string));
    for arg in command.get_arguments().filter(|arg| !arg.is_hide_set()) {
        let helps = [arg.get_help(), arg.get_long_help()];
        texts.extend(helps.into_iter().flatten().map(ToString::to_string));
        if arg.get_action().takes_values() {
            let names = arg.get_value_names().unwrap_or_default();
            values.extend(names.iter().map(ToString::to_string));
        }
    }
    for sub in command.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let (more, names) = self::texts(sub);
        texts.extend(more);
        values.extend(names);
    }
    (texts, values)
}

/// For tests of the programs: fails where a text has no German one, or the catalogue has one that
/// the program lacks.
///
/// # Panics
/// Then.
pub fn assert_german(catalogue: &Catalogue, program: &str, command: &Command) {
    let known = catalogue.help.get(program).cloned().unwrap_or_default();
    let (texts, values) = texts(command);
    let missing: Vec<&String> = texts.iter().filter(|text| !known.contains_key(*text)).collect();
    assert!(missing.is_empty(), "[help.{program}] lacks:\n{missing:#?}");
    let left: Vec<&String> = known.keys().filter(|text| !texts.contains(*text)).collect();
    assert!(left.is_empty(), "[help.{program}] has what nobody says:\n{left:#?}");
    let names: BTreeSet<String> =
        values.into_iter().filter(|name| !catalogue.values.contains_key(name)).collect();
    assert!(names.is_empty(), "[values] lacks {names:?}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_locale_that_is_set_decides() {
        let of = |set: &[(&str, &str)]| {
            asks_for_german(|name| {
                set.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert!(of(&[("LANG", "de_DE.UTF-8")]));
        assert!(of(&[("LANG", "en_GB.UTF-8"), ("LC_MESSAGES", "de_AT")]));
        assert!(of(&[("LC_ALL", ""), ("LANG", "de")]));
        assert!(!of(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
        assert!(!of(&[("LANG", "den_CA")]));
        assert!(!of(&[]));
    }

    #[test]
    fn a_program_without_german_texts_stays_english_as_a_whole() {
        let catalogue = Catalogue::german("[help.one]\n\"Plays\" = \"Spielt\"\n");
        assert!(catalogue.has("one") && !catalogue.has("laboratory"));
    }

    #[test]
    fn what_somebody_has_typed_stays_as_it_is() {
        let catalogue = Catalogue::german(
            "[errors.own]\n\"nowhere\" = \"nirgends\"\n\"device '{name}' is {place}\" = \"Gerät '{name}' ist {place}\"\n",
        );
        assert_eq!(catalogue.error("device 'nowhere' is nowhere"), "Gerät 'nowhere' ist nirgends");
        assert_eq!(catalogue.error("device '{place}' is here"), "Gerät '{place}' ist here");
    }

    #[test]
    fn a_line_is_told_by_what_knows_most_of_it() {
        let catalogue = Catalogue::german(
            "[errors.own]\n\"{key}: {found} is not {wanted}\" = \"{key}: {found} ist nicht {wanted}\"\n\
             \"it is not TOML, correct it\" = \"es ist kein TOML, berichtigen\"\n\
             \"no file\" = \"keine Datei\"\n\"because\" = \"weil\"\n\
             \"unknown '{name}'{nearest}\" = \"'{name}' gibt es nicht{nearest}\"\n\
             \", did you mean '{name}'?\" = \", gemeint '{name}'?\"\n",
        );
        let told = |line| catalogue.error(line);
        assert_eq!(
            told("a.toml: it is not TOML, correct it"),
            "a.toml: es ist kein TOML, berichtigen"
        );
        assert_eq!(told("a.toml:3: no file (because)"), "a.toml:3: keine Datei (weil)");
        assert_eq!(told("[board] no file"), "[board] keine Datei");
        assert_eq!(told("unknown 'a', did you mean 'b'?"), "'a' gibt es nicht, gemeint 'b'?");
    }

    #[test]
    fn a_pattern_takes_over_what_stands_in_its_slots() {
        let found = slots("cannot read {path}: {err}", "cannot read a.toml: it is a: folder");
        assert_eq!(found, Some(vec![("path", "a.toml"), ("err", "it is a: folder")]));
        assert_eq!(slots("cannot read {path}: {err}", "cannot write a.toml: no"), None);
        assert_eq!(slots("game {id} is over", "game 7 is over"), Some(vec![("id", "7")]));
        assert_eq!(slots("game {id} is over", "game 7 is over now"), None);
        assert_eq!(slots("no '{name}'", "no 'a'; write 'b'"), None);
        assert_eq!(slots("nothing", "nothing"), Some(Vec::new()));
    }
}
