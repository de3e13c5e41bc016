//! The German errors are those that the sources say in English.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::Path,
};

use toml::Table;

/// A text with every slot as `{}`, whatever stands in it.
fn without_slots(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        out += before;
        out += "{";
        // In a source other braces are on lines of their own.
        rest = match after.split_once('}') {
            Some((slot, rest)) if !slot.contains(['\n', '{']) => {
                out += "}";
                rest
            }
            _ => after,
        };
    }
    out + rest
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every source below a folder.
fn each_source(folder: &Path, look: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            each_source(&path, look);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            look(&path, &fs::read_to_string(&path).expect("text"));
        }
    }
}

/// A program's catalogue.
fn catalogue(file: &str) -> Table {
    let text = fs::read_to_string(root().join(file));
    text.expect("a catalogue").parse().expect("TOML")
}

const COMMON: &str = "src/locale/german.toml";
const SERVICE: &str = "src/program/cli/german.toml";
const PARTNER: &str = "src/partner/german.toml";

#[test]
fn every_german_error_is_of_an_english_one_that_the_sources_say() {
    let [common, service, partner] = [COMMON, SERVICE, PARTNER].map(catalogue);
    let mut said = BTreeSet::new();
    each_source(&root().join("src"), &mut |_, text| {
        said.extend(strings(text).iter().map(|text| without_slots(text.trim_end_matches('\n'))));
    });
    let all = Vec::from_iter(said).join("\n");
    let errors = [&common, &service, &partner].map(|texts| &texts["errors"]["own"]);
    for texts in errors.into_iter().chain([&service["doctor"]["lines"]]) {
        let own: BTreeMap<String, String> = texts.clone().try_into().expect("texts");
        let unsaid: Vec<&String> =
            own.keys().filter(|english| !all.contains(&without_slots(english))).collect();
        assert!(unsaid.is_empty(), "nobody says:\n{unsaid:#?}");
        for (english, german) in &own {
            let slots = |text: &str| {
                let mut slots: Vec<String> = text
                    .split('{')
                    .skip(1)
                    .filter_map(|rest| rest.split_once('}'))
                    .map(|(slot, _)| slot.to_owned())
                    .collect();
                slots.sort();
                slots
            };
            assert_eq!(slots(english), slots(german), "{english}");
        }
    }
}

/// Strings that are no sentences: files, programs and their words, commands as they are typed.
fn is_no_sentence(text: &str) -> bool {
    const COMMANDS: &[&str] = &[
        "sudo ",
        "printf ",
        "echo ",
        "openssl ",
        "df ",
        "ls ",
        "journalctl ",
        "annabella ",
        "SELECT ",
        "INSERT ",
        "UPDATE ",
        "DELETE ",
        // Of UCI.
        "setoption ",
        "position ",
        "go ",
        "option ",
        "info ",
        "id ",
        // Of keys and calls of our own.
        "annabella\n",
        "--",
        "(os error",
        "at_ms, ",
        "true, false",
        "<",
        "at line",
    ];
    // What has several lines is a file.
    if text.trim().contains('\n') {
        return true;
    }
    let text = without_slots(text).replace("{}", "");
    let prose = text.split(' ').filter(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphabetic());
        bare.len() > 1
            && !word.starts_with('[')
            && bare.chars().all(|c| c.is_ascii_lowercase() || c == '\'')
    });
    // A command with an "or" or a "then" is a sentence.
    let joined = [", or ", ", then ", " says why"].iter().any(|mark| text.contains(mark));
    let typed = COMMANDS.iter().any(|begin| text.trim_start().starts_with(begin));
    (typed && !joined) || prose.count() < 2
}

/// Each string of a source as Rust reads it, without comments, tests and what an `expect` says.
fn strings(source: &str) -> Vec<String> {
    let tests = |at: &usize| {
        let (_, item) = source[*at + 1..].split_once(")]\n").unwrap_or_default();
        item.lines().next().is_some_and(|line| line.contains("mod ") && line.ends_with('{'))
    };
    let marks =
        source.match_indices("\n#[cfg(test").chain(source.match_indices("\n#[cfg(all(test"));
    let end = marks.map(|(at, _)| at).filter(tests).min().unwrap_or(source.len());
    let (mut rest, mut found) = (&source[..end], Vec::new());
    while let Some(at) = rest.find(['"', '\'', '/']) {
        let (before, after) = (&rest[..at], &rest[at + 1..]);
        match rest.as_bytes()[at] {
            b'/' if after.starts_with('/') => {
                rest = after.find('\n').map_or("", |end| &after[end..]);
            }
            b'\'' if after.starts_with('\\') => {
                rest = after[2..].split_once('\'').map_or("", |(_, rest)| rest);
            }
            b'\'' if after.chars().nth(1) == Some('\'') => {
                rest = after.split_once('\'').map_or("", |(_, rest)| rest);
            }
            b'"' => {
                let raw = before.ends_with("r#");
                let (text, left) = if raw {
                    let (text, left) = after.split_once("\"#").unwrap_or((after, ""));
                    (text.to_owned(), left)
                } else {
                    unescaped(after)
                };
                if !before.ends_with("expect(") && !before.ends_with("include_str!(") {
                    found.push(text);
                }
                rest = left;
            }
            _ => rest = after,
        }
    }
    found
}

/// A string up to its quote, and what follows it.
fn unescaped(mut rest: &str) -> (String, &str) {
    let mut text = String::new();
    while let Some(at) = rest.find(['"', '\\']) {
        text += &rest[..at];
        let after = &rest[at + 1..];
        if rest[at..].starts_with('"') {
            return (text, after);
        }
        rest = match after.chars().next() {
            // It goes on in the next line.
            Some('\n') => after.trim_start(),
            Some(letter) => {
                text.push(if letter == 'n' { '\n' } else { letter });
                &after[letter.len_utf8()..]
            }
            None => "",
        };
    }
    (text, "")
}

/// What these catalogues have, without slots.
fn known(files: [&str; 2]) -> BTreeSet<String> {
    fn keys(table: &Table, known: &mut BTreeSet<String>) {
        for (key, value) in table {
            match value {
                toml::Value::Table(table) => keys(table, known),
                _ => drop(known.insert(without_slots(key))),
            }
        }
    }
    let mut known = BTreeSet::new();
    files.map(catalogue).iter().for_each(|table| keys(table, &mut known));
    known
}

/// Whoever reads German is told everything in German: each sentence of the programs and of what
/// they stand on is in a catalogue.
#[test]
fn every_sentence_of_the_programs_has_a_german_one() {
    // What has languages of its own, and what no person reads on a terminal: JSON, files, columns.
    const OTHERS: &[&str] = &[
        "cli/infer.rs",
        "cli/practice/spoken.rs",
        "far/told.rs",
        "friend/words.rs",
        "hall/examples/with_results.rs",
        "hall/round/habits.rs",
        "hall/round/heads.rs",
        "journal/braille.rs",
        "journal/braille/german.rs",
        "journal/report/labels.rs",
        "journal/views.rs",
        "lichess/words.rs",
        "odd/main.rs",
        "partner/judged.rs",
        "partner/words.rs",
    ];
    const NO_SENTENCES: &[&str] = &[
        // What the TOML reader says, and what follows another sentence.
        "duplicate key",
        "must be quoted",
        "cannot listen on {}: {err}{remedy}",
        "; `annabella doctor`",
        "; the server of a hall before still runs: `kill {pid}` ends it",
        // Of files.
        "yes, typed\n",
        "aloud ({file}.wav)",
        "by a typed line ({file}.txt)",
        "not at all",
        "is a minor. A guardian agreed {}",
        "said to be eighteen or older",
        "the hall of {}",
        "Annabella, the hall of {event}",
        // Nobody reads them.
        "the output was closed",
        "hall page",
        "eight pins give eight",
        "no pins in this build",
        "no sound devices in this build",
    ];
    let own = [
        ("src/partner", [COMMON, PARTNER], false),
        ("src/program", [COMMON, SERVICE], false),
        ("src/hall", [COMMON, SERVICE], false),
        ("src/records", [COMMON, SERVICE], false),
        ("src/devices", [COMMON, SERVICE], false),
        ("src/core", [COMMON, PARTNER], true),
        ("src/words", [COMMON, PARTNER], true),
        ("src/console", [COMMON, SERVICE], true),
    ];
    let mut unknown = Vec::new();
    for (folder, files, errors_alone) in own {
        let known = known(files);
        let is = |text: &str| known.contains(&without_slots(text)) || is_no_sentence(text);
        let is_known = |text: &String| {
            let text = text.trim_end_matches('\n');
            is(text) || text.split("; ").all(|part| is(part) || part.split(": ").all(is))
        };
        each_source(&root().join(folder), &mut |path, text| {
            // Of the lower floors only errors reach a terminal by themselves.
            let errors = || {
                text.split("#[error(").skip(1).filter_map(|rest| strings(rest).into_iter().next())
            };
            let left_out = OTHERS.iter().chain(&["tests.rs"]).any(|other| path.ends_with(other));
            let texts: Vec<String> = match errors_alone {
                _ if left_out => Vec::new(),
                true => errors().collect(),
                false => strings(text),
            };
            let texts = texts.into_iter().filter(|text| !is_known(text));
            unknown.extend(texts.filter(|text| !NO_SENTENCES.contains(&text.as_str())));
        });
    }
    assert!(unknown.is_empty(), "[errors.own] lacks:\n{unknown:#?}");
}
