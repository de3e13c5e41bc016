//! `annabella demo --diverge`: boards and scores drift apart, and the arbiter settles it on his
//! page.

use std::{
    path::Path,
    process::{Command, Output},
};

use serde_json::Value;

const CASES: [&str; 21] = [
    "a wrong move on the sighted player's board",
    "a piece moved on the sighted player's board",
    "pieces missing on the sighted player's board",
    "a piece added on the sighted player's board",
    "two pieces exchanged on the sighted player's board",
    "a peg moved on the blind player's board",
    "pegs missing on the blind player's board",
    "a peg added on the blind player's board",
    "two pegs exchanged on the blind player's board",
    "both boards wrong",
    "scores that differ",
    "a misheard entry",
    "two entries exchanged",
    "an illegal entry",
    "an ambiguous entry",
    "an unreadable entry",
    "a missing last entry",
    "more entries missing than 8.1.3 allows",
    "an entry for a move that nobody has made",
    "the arbiter decides otherwise",
    "scores that do not agree on any move",
];

/// In these nothing is to be decided: an entry is to be written, or a move to be made.
const NO_DECISION: [&str; 2] = ["a missing last entry", "an entry for a move that nobody has made"];

fn demo(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_annabella-lab"))
        .args(["demo", "--diverge", "--silent", "--speed", "0"])
        .args(args)
        .output()
        .expect("the demonstration")
}

/// The arbiter's report in text; its files are taken away.
fn report(html: &str, plain: &str) -> String {
    let report = std::fs::read_to_string(plain).expect("the report");
    assert_eq!(report.matches("Decision (D.2.9)").count(), CASES.len() - NO_DECISION.len());
    assert!(std::fs::read_to_string(html).expect("the page").contains("A. Weber"));
    std::fs::remove_dir_all(Path::new(html).parent().expect("a folder")).expect("ours");
    report
}

#[test]
fn every_way_to_drift_apart_is_noticed_settled_and_played_on_from() {
    let output = demo(&[]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let cases: Vec<&str> = text.split("Case ").skip(1).collect();
    assert_eq!(cases.len(), CASES.len(), "{text}");
    for (number, (case, name)) in cases.iter().zip(CASES).enumerate() {
        assert!(case.starts_with(&format!("{}: {name}\n", number + 1)), "{case}");
        assert!(case.contains("\n  as it should be; play goes on"), "{case}");
        let again = case.matches("said: Die Bretter stimmen wieder überein.").count();
        assert_eq!(again, usize::from(!NO_DECISION.contains(&name)), "{case}");
    }
    let has = |case: &str, what: &str| {
        let number = CASES.iter().position(|name| *name == case).expect("a case");
        assert!(cases[number].contains(what), "{}", cases[number]);
    };
    has("two pegs exchanged on the blind player's board", "white says: Bretter vergleichen\n");
    has(
        "two pegs exchanged on the blind player's board",
        "noticed: D.2.9: White asks that the boards be compared by hand\n",
    );
    has(
        "two pegs exchanged on the blind player's board",
        "said: Bretter vergleichen. Schiedsrichter gerufen.\n",
    );
    has("a missing last entry", "8.1.3: Black has yet to write ");
    has("an illegal entry", "'Kd8d1' is not legal");
    has("an ambiguous entry", "write more of it");
    has("an unreadable entry", "'~~' cannot be read");
    has("more entries missing than 8.1.3 allows", "further than 8.1.3 allows");
    has("an entry for a move that nobody has made", "noticed: 8.1.2: Black has written half-move ");
    has("the arbiter decides otherwise", "4800.0 s / 4200.0 s after\n");
    has("scores that do not agree on any move", "Back to the starting position.");
    let files = text.lines().find_map(|line| line.strip_prefix("The arbiter's report: "));
    let (html, plain) = files.and_then(|files| files.split_once(" and ")).expect("two files");
    assert!(text.contains(&report(html, plain)));
}

#[test]
fn with_a_blind_black_and_every_output_as_a_line_it_is_the_same() {
    let output = demo(&["--blind", "black", "--game", "2", "--prompts", "en", "--json"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let lines: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    let cases: Vec<&Value> = lines.iter().filter_map(|line| line.get("case")).collect();
    let names: Vec<&Value> = cases.iter().map(|case| &case["name"]).collect();
    assert_eq!(names, CASES);
    for case in cases {
        assert_eq!(case["right"], true, "{case}");
    }
    assert!(lines.iter().any(|line| line["say"]["text"] == "The boards agree again."));
    assert!(lines.iter().any(|line| line["boards"] == "differ"));
    let settled = lines.iter().filter(|line| line.get("settled").is_some()).count();
    assert_eq!(settled, CASES.len() - NO_DECISION.len());
    let files = &lines.last().expect("a line")["report"];
    report(files["html"].as_str().expect("a page"), files["text"].as_str().expect("a text"));
}
