//! The German errors are those that the sources say in English.

use std::{collections::BTreeMap, fs, path::Path};

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

/// All sources as one text, in which a string that goes on in the next line is whole.
fn sources(folder: &Path, all: &mut String) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, all);
        } else if path.extension().is_some_and(|kind| kind == "rs") {
            let text = fs::read_to_string(&path).expect("text").replace("\\\"", "\"");
            let mut lines = text.lines();
            while let Some(line) = lines.next() {
                let mut whole = line.to_owned();
                while let Some(begin) = whole.strip_suffix('\\') {
                    whole = begin.to_owned() + lines.next().unwrap_or_default().trim_start();
                }
                *all += &whole;
                all.push('\n');
            }
        }
    }
}

/// A program's catalogue.
fn catalogue(file: &str) -> Table {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(file));
    text.expect("a catalogue").parse().expect("TOML")
}

const COMMON: &str = "src/locale/german.toml";
const SERVICE: &str = "src/program/cli/german.toml";
const PARTNER: &str = "src/partner/german.toml";

#[test]
fn every_german_error_is_of_an_english_one_that_the_sources_say() {
    let [common, service, partner] = [COMMON, SERVICE, PARTNER].map(catalogue);
    let mut all = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut all);
    let all = without_slots(&all);
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

#[test]
fn every_error_of_a_journal_has_a_german_one() {
    let own: BTreeMap<String, String> =
        catalogue(COMMON)["errors"]["own"].clone().try_into().expect("texts");
    let known: Vec<String> = own.keys().map(|text| without_slots(text)).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/records/journal.rs");
    let source = fs::read_to_string(path).expect("the journal's errors");
    let said = source.split("#[error(").skip(1).filter_map(|rest| {
        let text = rest.split_once('"')?.1.split_once('"')?.0.replace("\\\n", "");
        Some(without_slots(&text.split_whitespace().collect::<Vec<_>>().join(" ")))
    });
    // What the service's own clock did wrong is for its developers.
    let unknown: Vec<String> =
        said.filter(|text| !text.starts_with("moment ") && !known.contains(text)).collect();
    assert!(unknown.is_empty(), "[errors.own] lacks:\n{unknown:#?}");
}

#[test]
fn every_error_of_the_partner_has_a_german_one() {
    let own: BTreeMap<String, String> =
        catalogue(PARTNER)["errors"]["own"].clone().try_into().expect("texts");
    let known: Vec<String> = own.keys().map(|text| without_slots(text)).collect();
    let mut all = String::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/partner"), &mut all);
    let mut unknown = Vec::new();
    for marks in ["#[error(", "tell(&format!(", "tell)(&format!(", "tell("] {
        for (at, _) in all.match_indices(marks) {
            let after = all[at + marks.len()..].trim_start();
            let Some(text) = after.strip_prefix('"') else { continue };
            let text = without_slots(text.split('"').next().unwrap_or_default());
            // Slots alone: an error that is quoted as it is.
            if text.chars().any(char::is_alphabetic) && !known.contains(&text) {
                unknown.push(text);
            }
        }
    }
    assert!(unknown.is_empty(), "[errors.own] lacks:\n{unknown:#?}");
}

/// What goes wrong beside a game is read by the players.
#[test]
fn every_complaint_of_the_service_has_a_german_one() {
    let mut known = Vec::new();
    for file in [COMMON, SERVICE] {
        let own: BTreeMap<String, String> =
            catalogue(file)["errors"]["own"].clone().try_into().expect("texts");
        known.extend(own.keys().map(|text| without_slots(text)));
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/program");
    let mut all = String::new();
    sources(&root.join("service"), &mut all);
    sources(&root.join("cli/play"), &mut all);
    for file in ["cli/play.rs", "cli/setup.rs", "cli/tell.rs", "cli.rs"] {
        let text = fs::read_to_string(root.join(file)).expect("text");
        all += &text.replace("\\\n", "");
    }
    let mut unknown = Vec::new();
    for mark in ["complain(", "Complaint(", "complain)(", "tell("] {
        for (at, _) in all.match_indices(mark) {
            let after = all[at + mark.len()..].trim_start().trim_start_matches('&');
            let after = after.strip_prefix("format!(").unwrap_or(after).trim_start();
            let Some(text) = after.strip_prefix('"') else { continue };
            let text = without_slots(text.split('"').next().unwrap_or_default());
            // Tests have lines of their own.
            let to_systemd = text.ends_with("=1");
            let is_sentence =
                text != "a line" && !to_systemd && text.chars().any(char::is_alphabetic);
            if is_sentence && !known.contains(&text) {
                unknown.push(text);
            }
        }
    }
    assert!(unknown.is_empty(), "[errors.own] lacks:\n{unknown:#?}");
}

/// Strings of the doctor's sources that are no sentences: files, programs and their words, and
/// commands as they are typed.
fn is_no_sentence(text: &str) -> bool {
    const COMMANDS: [&str; 11] = [
        "sudo ",
        "printf ",
        "echo ",
        "openssl ",
        "df ",
        "ls ",
        "journalctl ",
        "annabella ",
        "Uid:",
        "Gid:",
        "--",
    ];
    let text = without_slots(text).replace("{}", "");
    let words = text.split(' ').filter(|word| word.chars().any(char::is_alphabetic)).count();
    let prose = text.split(' ').filter(|word| {
        let bare = word.trim_matches(|c: char| !c.is_alphabetic());
        bare.len() > 1 && bare.chars().all(|c| c.is_ascii_lowercase())
    });
    // A command with an "or" or a "then" is a sentence.
    let joined = [", or ", ", then ", " says why"].iter().any(|mark| text.contains(mark));
    !joined
        && (COMMANDS.iter().any(|begin| text.starts_with(begin)) || words < 2 || prose.count() < 2)
}

/// Each string between quotes in these lines, as Rust reads it.
fn strings(source: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in source.lines().filter(|line| !line.trim_start().starts_with("//")) {
        let mut rest = line;
        while let Some((_, after)) = rest.split_once('"') {
            let mut text = String::new();
            let mut letters = after.char_indices();
            let end = loop {
                match letters.next() {
                    Some((_, '\\')) => text.extend(letters.next().map(|(_, letter)| letter)),
                    Some((at, '"')) => break at + 1,
                    Some((_, letter)) => text.push(letter),
                    None => break after.len(),
                }
            };
            found.push(text);
            rest = &after[end..];
        }
    }
    found
}

#[test]
fn every_sentence_of_the_doctor_has_a_german_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let catalogue = catalogue(SERVICE);
    let of = |name: &str| -> BTreeMap<String, String> {
        catalogue["doctor"][name].clone().try_into().expect("texts")
    };
    let errors: BTreeMap<String, String> =
        catalogue["errors"]["own"].clone().try_into().expect("texts");
    // A speed has its unit beside it; and what nobody prints.
    const OTHERS: [&str; 4] = [
        "{} at {}",
        "[board] spi_hz = {}",
        "; `annabella doctor`",
        "no sound devices in this build",
    ];
    let tables = [of("lines"), of("parts"), of("words"), errors];
    let texts = tables.iter().flat_map(BTreeMap::keys).map(String::as_str).chain(OTHERS);
    let known: Vec<String> = texts.map(without_slots).collect();
    // Sentences whose parts are known one by one.
    let is_known = |text: &str| {
        let is = |text: &str| known.contains(&without_slots(text)) || is_no_sentence(text);
        is(text) || text.split("; ").all(is)
    };
    let folder = root.join("src/program/cli/doctor");
    let mut files: Vec<_> =
        fs::read_dir(folder).expect("there").map(|entry| entry.expect("an entry").path()).collect();
    files.push(root.join("src/program/cli/doctor.rs"));
    let mut unknown = Vec::new();
    for file in files {
        let text = fs::read_to_string(&file).expect("text");
        let text = text.split("#[cfg(all(test").next().unwrap_or_default();
        let mut whole = String::new();
        // A string that goes on in the next line is whole.
        for line in text.lines() {
            match line.strip_suffix('\\') {
                Some(begin) => whole += begin.trim_start(),
                None => whole += &format!("{}\n", line.trim_start()),
            }
        }
        unknown.extend(strings(&whole).into_iter().filter(|text| !is_known(text)));
    }
    assert!(unknown.is_empty(), "[doctor.lines] lacks:\n{unknown:#?}");
}

#[test]
fn what_a_key_of_the_configuration_may_be_is_said_in_german_too() {
    let own: BTreeMap<String, String> =
        catalogue(SERVICE)["errors"]["own"].clone().try_into().expect("texts");
    let known: Vec<String> = own.keys().map(|text| without_slots(text)).collect();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/program/config");
    let mut source = String::new();
    for file in ["entry.rs", "entry/named.rs", "entry/wires.rs"] {
        source += &fs::read_to_string(folder.join(file)).expect("the keys' values");
    }
    let source = source.replace("\\\"", "\u{1}");
    let mut unknown = Vec::new();
    for before in ["let allowed =", "refuse(", "refuse(format!(", "filled(", "text(", "&str ="] {
        for rest in source.split(before).skip(1) {
            let Some(rest) = rest.trim_start().strip_prefix('"') else { continue };
            let text = rest.split_once('"').expect("a string").0.replace("\\\n", "");
            let text = text.split_whitespace().collect::<Vec<_>>().join(" ").replace('\u{1}', "\"");
            // Those words are the configuration's own.
            let is_text = text.contains(' ') && text != "true, false";
            if is_text && !known.contains(&without_slots(&text)) {
                unknown.push(text);
            }
        }
    }
    assert!(unknown.is_empty(), "[errors.own] lacks:\n{unknown:#?}");
}

#[test]
fn what_does_not_go_together_in_the_configuration_is_said_in_german_too() {
    let own: BTreeMap<String, String> =
        catalogue(SERVICE)["errors"]["own"].clone().try_into().expect("texts");
    let known: Vec<String> = own.keys().map(|text| without_slots(text)).collect();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut unknown = Vec::new();
    for file in ["program/config/seats.rs", "devices/board/wiring/error.rs"] {
        let text = fs::read_to_string(root.join(file)).expect("text");
        let mut whole = String::new();
        for line in text.lines().map(str::trim_start) {
            match line.strip_suffix('\\') {
                Some(begin) => whole += begin,
                None => whole += &format!("{line}\n"),
            }
        }
        let texts = strings(&whole).into_iter().map(|text| without_slots(&text));
        unknown.extend(texts.filter(|text| text.contains(": ") && !known.contains(text)));
    }
    assert!(unknown.is_empty(), "[errors.own] lacks:\n{unknown:#?}");
}
