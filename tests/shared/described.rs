//! Every line of JSON that a test sees is described in docs/json.md, with each of its fields.

// Each program uses what it needs.
#![allow(dead_code)]

use std::{collections::BTreeMap, sync::LazyLock};

use serde_json::Value;

type Kinds = BTreeMap<String, Vec<String>>;

/// The sections of the document: for each kind of line its fields.
static SECTIONS: LazyLock<BTreeMap<String, Kinds>> = LazyLock::new(|| {
    let mut sections: BTreeMap<String, Kinds> = BTreeMap::new();
    let mut section = None;
    for line in include_str!("../../docs/json.md").lines() {
        if let Some(name) = line.strip_prefix("## ") {
            section = Some(name.to_owned());
        } else if let (Some(section), Some(row)) = (&section, line.strip_prefix("| `")) {
            let mut cells = row.split(" | ");
            let kind = cells.next().unwrap_or_default().trim_matches(['`', ' ', '|']);
            let fields = cells.next().unwrap_or_default();
            let fields = fields.split('`').skip(1).step_by(2).map(str::to_owned).collect();
            sections.entry(section.clone()).or_default().insert(kind.to_owned(), fields);
        }
    }
    sections
});

/// The kinds of lines of a command, as in "games list".
pub(crate) fn kinds(command: &str) -> impl Iterator<Item = &'static str> {
    SECTIONS[command].keys().map(String::as_str)
}

/// Fails where docs/json.md does not describe this line of a command.
pub(crate) fn assert_described(command: &str, line: &Value) {
    let all = line.as_object().unwrap_or_else(|| panic!("no object: {line}"));
    let fits = |(kind, fields): (&String, &Vec<String>)| {
        let Some(value) = all.get(kind) else { return false };
        let beside = all.keys().filter(|key| *key != kind && *key != "t");
        let known = |key: &String| fields.contains(key);
        match value.as_object().filter(|_| beside.clone().next().is_none()) {
            Some(inside) => inside.keys().all(known),
            None => beside.into_iter().all(known),
        }
    };
    let section = SECTIONS.get(command).unwrap_or_else(|| panic!("no section {command}"));
    assert!(section.iter().any(fits), "docs/json.md does not describe a line of {command}: {line}");
}
