//! `annabella demo --diverge`: boards and scores drift apart, and the arbiter settles it on his page.
#![cfg(feature = "console")]

use std::process::Command;

#[test]
fn every_way_to_drift_apart_is_noticed_settled_and_played_on_from() {
    let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["demo", "--diverge", "--silent", "--speed", "0"])
        .output()
        .expect("the demonstration");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let cases: Vec<&str> = text.split("Case ").skip(1).collect();
    let names = [
        "a wrong move on the sighted player's board",
        "a piece moved on the sighted player's board",
        "a piece missing on the sighted player's board",
        "a piece added on the sighted player's board",
        "two pieces exchanged on the sighted player's board",
        "a peg moved on the blind player's board",
        "a peg missing on the blind player's board",
        "a peg added on the blind player's board",
        "both boards wrong",
        "scores that differ",
        "an illegal entry",
        "an unreadable entry",
        "a missing last entry",
        "the arbiter decides otherwise",
    ];
    assert_eq!(cases.len(), names.len(), "{text}");
    for (number, (case, name)) in cases.iter().zip(names).enumerate() {
        assert!(case.starts_with(&format!("{}: {name}\n", number + 1)), "{case}");
        assert!(case.contains("as it should be; play goes on"), "{case}");
        let again = case.matches("said: Die Bretter stimmen wieder.").count();
        assert_eq!(again, usize::from(name != "a missing last entry"), "{case}");
    }
    let line = text.lines().find(|line| line.starts_with("The arbiter's report: "));
    let line = line.expect("where the report is");
    let (html, plain) = line
        .strip_prefix("The arbiter's report: ")
        .and_then(|files| files.split_once(" and "))
        .expect("two files");
    let report = std::fs::read_to_string(plain).expect("the report");
    assert_eq!(report.matches("Decision D.2.9").count(), 13, "{report}");
    assert!(text.contains(&report));
    assert!(std::fs::read_to_string(html).expect("the page").contains("A. Weber"));
    std::fs::remove_dir_all(std::path::Path::new(html).parent().expect("a folder")).expect("ours");
}
