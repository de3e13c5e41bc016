//! `annabella practice` in a terminal: words are typed, and nothing of it is a game.

use std::fs;

use crate::{
    described::assert_described,
    typed::{err, out, with_typed},
};

const ANNABELLA: &str = env!("CARGO_BIN_EXE_annabella");

/// A folder with a configuration in these languages, and what is printed there for these lines.
fn practise(words: &str, prompts: &str, args: &[&str], typed: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("annabella.toml");
    let text = format!(
        "[speech]\nengine = \"none\"\nwords = \"{words}\"\nprompts = \"{prompts}\"\n[journal]\npath = \"{}\"\n",
        folder.path().join("games.db").display()
    );
    fs::write(&config, text).expect("written");
    let config = config.to_str().expect("text");
    let call = [&["practice", "--typed", "--config", config], args].concat();
    let output = with_typed(ANNABELLA, &call, typed);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    (folder, out(&output))
}

#[test]
fn words_are_learnt_by_typing_and_the_missed_ones_come_first_tomorrow() {
    let typed = "Anna\nBela\nzäsar\nDame\nDora\nEva\n\nq\n";
    let (folder, told) = practise("fide", "de", &["--unit", "files"], typed);
    assert_eq!(
        told,
        "Ich sage dir Worte vor, und du sprichst sie nach. „Wiederhole“ sagt sie noch einmal, „abbrechen“ hört auf.\n\
         Ich höre hier nicht zu. Tippe die Worte.\n\
         Sag: Anna.\n\
         Richtig.\n\
         Sag: Bella.\n\
         Richtig.\n\
         Sag: Cesar.\n\
         Richtig.\n\
         Sag: David.\n\
         Ich habe verstanden: Dame.\n\
         Noch einmal: David.\n\
         Richtig.\n\
         Sag: Eva.\n\
         Richtig.\n\
         Sag: Felix.\n\
         Sag: Gustav.\n\
         Von fünf beim ersten Mal verstanden: vier.\n\
         Am häufigsten verfehlt: David.\n"
    );
    // No journal, no record: a list of words is all that stays.
    let mut left: Vec<_> = fs::read_dir(folder.path())
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name())
        .collect();
    left.sort();
    assert_eq!(left, ["annabella.toml", "practice.txt"]);
    assert_eq!(fs::read_to_string(folder.path().join("practice.txt")).expect("there"), "David\n");
    let config = folder.path().join("annabella.toml");
    let call =
        ["practice", "--typed", "--unit", "files", "--config", config.to_str().expect("text")];
    let told = out(&with_typed(ANNABELLA, &call, "David\nq\n"));
    assert!(told.contains("Tippe die Worte.\nSag: David.\nRichtig.\nSag: Anna.\n"), "{told}");
    assert_eq!(fs::read_to_string(folder.path().join("practice.txt")).expect("there"), "");
}

#[test]
fn a_unit_is_typed_by_its_number_and_the_end_of_input_is_the_end() {
    let (_, told) = practise("en", "en", &[], "what?\n8\nyes\nnope\n");
    assert_eq!(
        told,
        "I say words, and you repeat them. \"Repeat\" says them again, \"cancel\" ends it.\n\
         I am not listening here. Type the words.\n\
         What do you want to practise? One: files. Two: ranks. Three: pieces. Four: castling. Five: promotion. \
         Six: whole moves. Seven: questions and requests. Eight: answers. Say a number, or \"yes\" for everything.\n\
         Pardon?\n\
         What else? Say a number, \"yes\" for everything, or \"cancel\".\n\
         Say: Yes.\n\
         Right.\n\
         Say: No.\n\
         Pardon?\n\
         Once more: No.\n\
         Of two, understood at the first try: one.\n\
         Missed most often: No.\n\
         See you next time.\n"
    );
}

#[test]
fn a_move_may_be_typed_as_briefly_as_the_position_allows_and_another_is_named() {
    // Castling is the same in every position.
    let typed = "Springer Gustav eins Felix drei\nRochade lang\nLange Rochade\n";
    let (_, told) = practise("fide", "de", &["--unit", "castling"], typed);
    let lines: Vec<&str> = told.lines().skip(2).collect();
    assert_eq!(
        lines[..6],
        [
            "Sag: Lange Rochade.",
            "Ich habe verstanden: Springer Gustav eins Felix drei.",
            "Noch einmal: Lange Rochade.",
            "Richtig.",
            "Sag: Kurze Rochade.",
            "Ich habe verstanden: Lange Rochade.",
        ]
    );
}

#[test]
fn every_line_of_practice_is_described() {
    for (words, prompts) in [("fide", "de"), ("fide", "en"), ("ru", "ru")] {
        let args = ["--unit", "ranks", "--unit", "requests", "--json"];
        let (_, told) = practise(words, prompts, &args, "eins\nzwei\nvier\n\nr\nb\n");
        let lines = told.lines().map(|line| serde_json::from_str(line).expect("a JSON line"));
        let lines: Vec<serde_json::Value> =
            lines.inspect(|line| assert_described("practice", line)).collect();
        let tries = lines.iter().filter(|line| line.get("practised").is_some());
        assert_eq!(tries.count(), 3, "{lines:#?}");
        assert!(lines.last().is_some_and(|line| line.get("lesson").is_some()), "{lines:#?}");
    }
}

#[test]
fn a_list_that_is_none_is_left_out_and_said_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = folder.path().join("annabella.toml");
    let journal = folder.path().join("games.db");
    let text =
        format!("[speech]\nengine = \"none\"\n[journal]\npath = \"{}\"\n", journal.display());
    fs::write(&config, text).expect("written");
    fs::create_dir(folder.path().join("practice.txt")).expect("a folder in its place");
    let call =
        ["practice", "--typed", "--unit", "ranks", "--config", config.to_str().expect("text")];
    let output = with_typed(ANNABELLA, &call, "zwei\neins\n");
    assert_eq!(output.status.code(), Some(0));
    let said = err(&output);
    assert!(said.contains("practice.txt: it is no list of words; it is left out"), "{said}");
    assert!(out(&output).contains("Sag: eins.\nIch habe verstanden: zwei.\n"), "{}", out(&output));
    let output = with_typed(ANNABELLA, &["practice", "--unit", "openings"], "");
    assert_eq!(output.status.code(), Some(2));
}
