//! What programs read: every line is described, and `--json` is honoured or refused.

use std::{path::Path, process::Command};

use serde_json::Value;

use crate::described::{assert_described, kinds};

const ANNABELLA: &str = env!("CARGO_BIN_EXE_annabella");

/// The output's lines, each described for this command. A wrong call fails; a missing device does
/// not.
fn lines(folder: &Path, command: &str, args: &[&str]) -> Vec<Value> {
    let output = Command::new(ANNABELLA).args(args).current_dir(folder).output().expect("runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() != Some(2), "{args:?}: {error}");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("a JSON line"));
    let lines: Vec<Value> = lines.inspect(|line| assert_described(command, line)).collect();
    assert!(!lines.is_empty(), "{args:?} printed nothing: {error}");
    lines
}

#[test]
fn every_line_that_commands_print_is_described() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    let events = "{\"t\":0,\"square\":\"g1\",\"occupied\":false}\n{\"t\":300,\"square\":\"f3\",\"occupied\":true}\n\
                  {\"t\":900,\"square\":\"b8\",\"occupied\":false}\n";
    std::fs::write(folder.join("events.jsonl"), events).expect("written");
    let config = "[board]\nkind = \"events\"\npath = \"events.jsonl\"\n[speech]\nengine = \"none\"\n\
                  listen = \"off\"\n[console]\nlisten = \"\"\n";
    std::fs::write(folder.join("annabella.toml"), config).expect("written");
    lines(folder, "play", &["play", "--json"]);
    lines(folder, "games list", &["games", "list", "--json"]);
    lines(folder, "games show", &["games", "show", "1", "--json"]);
    lines(folder, "games replay", &["games", "replay", "1", "--json"]);
    lines(folder, "games replay", &["games", "replay", "1", "--rules", "--json"]);
    lines(folder, "say", &["say", "e4", "--json"]);
    lines(folder, "doctor", &["doctor", "--json"]);
    lines(folder, "infer", &["infer", "events.jsonl"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = root.join("voices/model").display().to_string();
    lines(folder, "words list", &["words", "list", "--json", "--model", &model]);
    let case = std::fs::read_dir(root.join("tests/data/reconcile")).expect("cases");
    let mut cases = case.map(|entry| entry.expect("an entry").path());
    let case =
        cases.find(|path| path.extension().is_some_and(|ext| ext == "json")).expect("a case");
    lines(folder, "reconcile", &["reconcile", &case.display().to_string()]);
}

#[test]
fn json_is_refused_where_a_command_has_no_such_form() {
    for (args, why) in [
        (&["games", "export", "1", "--json"][..], "games export prints no JSON"),
        (&["games", "envelope", "1", "--json"], "games envelope prints no JSON"),
        (&["games", "repair", "new.db", "--json"], "games repair prints no JSON"),
    ] {
        let output = Command::new(ANNABELLA).args(args).output().expect("runs");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(error.contains(why), "{error}");
        assert!(output.stdout.is_empty());
    }
}

#[test]
fn the_document_knows_no_line_that_nothing_prints() {
    let source = include_str!("../../src/program/service/lines.rs");
    for kind in kinds("play") {
        let printed = source.contains(&format!("line(\"{kind}\""))
            || source.contains(&format!("\"{kind}\": "));
        assert!(printed, "docs/json.md describes {kind}, which `play --json` does not print");
    }
}
