//! `annabella measure`: which of two models hears a player better. The "official" one of these
//! tests is a copy of the built-in one, so that none has to be fetched.

use std::{fs, process::Command};

use crate::installed::{Installed, without_felix};

/// Twenty announcements and a list of them.
fn recordings(at: &Installed) -> String {
    let folder = at.path("said");
    fs::create_dir_all(&folder).expect("a folder");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut list = String::from("file\tspeaker\tcondition\tkind\tfen\tmeant\tsaid\n");
    for n in 0..20 {
        let (uci, said) = match n % 2 {
            0 => ("e2e4", "Bauer Eva zwei Eva vier"),
            _ => ("g1f3", "Springer Gustav eins Felix drei"),
        };
        let file = folder.join(format!("{n}.wav"));
        let pace = (130 + n).to_string();
        let spoken = Command::new("espeak-ng")
            .args(["-v", "de", "-s", &pace, "-w"])
            .arg(&file)
            .arg(said)
            .status();
        assert!(spoken.expect("espeak-ng is installed by scripts/setup.sh").success());
        list.push_str(&format!("{n}.wav\tx\tclean\tmove\t{start}\t{uci}\t{said}\n"));
    }
    fs::write(folder.join("corpus.tsv"), list).expect("written");
    folder.to_str().expect("text").to_owned()
}

#[test]
fn one_model_alone_is_compared_with_nothing() {
    let alone = Installed::new(env!("CARGO_BIN_EXE_annabella-lab"));
    let list = recordings(&alone);
    let output = alone.run(&["measure", &list, "--compare"]);
    assert_eq!(output.status.code(), Some(2));
    let output = alone.run(&["measure", &list, "--choose", "x.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "annabella-lab: --choose needs two models to choose from: add --compare, or --model twice\n"
    );
}

#[test]
fn both_are_measured_on_a_player_s_recordings_and_the_better_is_written_down() {
    let both =
        Installed::new(env!("CARGO_BIN_EXE_annabella-lab")).with_model("model-de", without_felix);
    let list = recordings(&both);
    let config = both.path("mine.toml");
    fs::write(&config, "[speech]\nengine = \"none\"\n").expect("written");
    let path = config.to_str().expect("text");
    let said = both.stdout(&["measure", &list, "--compare", "--choose", path]);
    let lines: Vec<&str> = said.lines().collect();
    assert!(lines.contains(&"model built-in") && lines.contains(&"model official"), "{said}");
    let told = &lines[lines.len() - 5..];
    assert_eq!(
        told[0],
        "Said again 1, asked 0.5, wrong request 2, wrong move 10, added up over these recordings:"
    );
    assert!(told[1].ends_with("  built-in") && told[2].ends_with("  official"), "{said}");
    assert_eq!(told[3], "better here: built-in");
    assert_eq!(told[4], format!("written into {path}: [speech] model = \"built-in\""));
    let written = fs::read_to_string(&config).expect("there");
    assert!(written.contains("model = \"built-in\""), "{written}");
    // As JSON, and with what hears equally well nothing is changed.
    fs::write(&config, "[speech]\nengine = \"none\"\n").expect("written");
    let same =
        ["measure", &list, "--model", "built-in", "--model", "auto", "--json", "--choose", path];
    let last = both.stdout(&same).lines().last().expect("a line").to_owned();
    let last: serde_json::Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(last["models"], serde_json::json!(["built-in", "auto"]));
    assert!(last["better"].is_null(), "{last}");
    assert_eq!(fs::read_to_string(&config).expect("there"), "[speech]\nengine = \"none\"\n");
}
