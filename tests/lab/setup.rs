//! The set-up by ear from end to end: a scripted person in a simulated room, and every word that he
//! hears.

use std::{fs, process::Output};

use crate::{
    installed::checkout,
    typed::{err, out, with_typed},
};

/// Where transcripts stand.
const TEXTS: [&str; 2] = ["hardware/setup.md", "docs/first-day.md"];

fn set_up(house: &str, typed: &str) -> Output {
    with_typed(env!("CARGO_BIN_EXE_annabella-lab"), &["setup", house], typed)
}

/// The transcripts of a text: name and block.
fn transcripts(text: &str) -> Vec<(String, String)> {
    text.split("<!-- setup: ")
        .skip(1)
        .map(|rest| {
            let (name, rest) = rest.split_once(" -->\n```text\n").expect("a block");
            let (block, _) = rest.split_once("```").expect("an end");
            (name.to_owned(), block.to_owned())
        })
        .collect()
}

/// What the person does, of all that a transcript tells; after the first empty line comes what was
/// written.
fn script(transcript: &str) -> String {
    let heard = |line: &str| ["in the ear", "aloud", "  ", "("].iter().any(|s| line.starts_with(s));
    let lines = transcript.lines().take_while(|line| !line.is_empty()).filter(|line| !heard(line));
    lines.map(|line| format!("{}\n", line.trim_start_matches("[enter]"))).collect()
}

fn room(name: &str) -> &'static str {
    match name {
        "bare" => "bare",
        "first-day" => "laptop",
        _ => "full",
    }
}

/// `UPDATE=1 cargo test -p annabella-lab --test lab setup::` writes what is heard now into the
/// texts.
#[test]
fn what_the_texts_tell_is_what_is_heard() {
    let mut names = Vec::new();
    for file in TEXTS {
        let path = checkout().join(file);
        let mut text = fs::read_to_string(&path).expect("there");
        for (name, told) in transcripts(&text.clone()) {
            let output = set_up(room(&name), &script(&told));
            assert!(output.status.success(), "{file}, {name}: {}", err(&output));
            let heard = out(&output);
            if std::env::var_os("UPDATE").is_some() {
                let mark = |block: &str| format!("<!-- setup: {name} -->\n```text\n{block}```");
                text = text.replace(&mark(&told), &mark(&heard));
                fs::write(&path, &text).expect("written");
            } else {
                assert_eq!(heard, told, "{file}, {name}: see UPDATE above");
            }
            names.push((file, name));
        }
    }
    for name in ["buttons", "voice", "undone", "bare"] {
        assert!(names.contains(&(TEXTS[0], name.to_owned())), "{} without {name}", TEXTS[0]);
    }
    assert_eq!(names.last(), Some(&(TEXTS[1], "first-day".to_owned())));
}

/// A German player who speaks, takes what is offered, and fetches the speech model.
fn fetches_the_model(house: &str) -> String {
    let typed = format!("Deutsch\n{}ja\nnein\n[silence]\nfertig\nja\n", "weiter\n".repeat(6));
    let output = set_up(house, &typed);
    assert!(output.status.success(), "{house}: {}", err(&output));
    out(&output).replace("\n  ", " ")
}

#[test]
fn the_official_model_is_fetched_where_there_is_a_network() {
    let offer = "Soll ich es holen? Es sind fünfundvierzig Megabyte.";
    let told = fetches_the_model("online");
    assert_eq!(told.matches(offer).count(), 1, "{told}");
    assert_eq!(
        told.matches("Das Sprachmodell ist da. Beim nächsten Start hört es zu.").count(),
        1,
        "{told}"
    );
    let told = fetches_the_model("offline");
    assert_eq!(told.matches(offer).count(), 1, "{told}");
    let sorry = "Das Sprachmodell ist nicht zu erreichen. Es bleibt beim eingebauten.";
    assert_eq!(told.matches(sorry).count(), 1, "{told}");
    let told = fetches_the_model("full");
    assert!(!told.contains("Sprachmodell"), "{told}");
}
