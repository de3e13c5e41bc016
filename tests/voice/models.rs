//! Which speech model hears: by itself and by name. The "official" model of these tests is a copy
//! of the built-in one, so that none has to be fetched.

use std::fs;

use crate::installed::{Installed, without_felix};

/// What the doctor says of the model, without the folder that is another each time.
fn doctor(at: &Installed, speech: &str) -> String {
    let config = at.path("annabella.toml");
    fs::write(&config, format!("[speech]\n{speech}")).expect("written");
    let config = config.to_str().expect("text");
    let output = at.run(&["doctor", "--seconds", "0", "--config", config]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let line = said.lines().find(|line| line.contains(" model")).unwrap_or_default();
    let folder = at.folder.path().canonicalize().expect("there");
    line.replace(&format!("{}/", folder.display()), "")
}

#[test]
fn the_built_in_model_hears_until_an_official_one_is_installed() {
    let alone = Installed::new(env!("CARGO_BIN_EXE_annabella"));
    let told = "share/annabella/model, automatic: no official German model is installed; it knows every word";
    assert!(doctor(&alone, "").contains(told), "{}", doctor(&alone, ""));
    let why = "the official German one was trained on many people: `annabella setup` offers it where a network is there, \
               `make model-de` and `make install` put it there, and so does `sudo /usr/lib/annabella/fetch-model` of the \
               package (45 MB, sha256 06f6dea4618df4d825ec06b564e55d4670eb6d8718e48c9ca90cac74d40b5ed9)";
    assert!(doctor(&alone, "").contains(why), "{}", doctor(&alone, ""));
    assert!(!doctor(&alone, "model = \"built-in\"").contains(why), "who has chosen is not advised");
    let script = fs::read_to_string("scripts/fetch-model.sh").expect("there");
    assert!(script.contains("06f6dea4618df4d825ec06b564e55d4670eb6d8718e48c9ca90cac74d40b5ed9"));
    let both = alone.with_model("model-de", |words| words);
    for (speech, told) in [
        (
            "",
            "share/annabella/model-de, automatic: an official German model is installed; it knows",
        ),
        ("model = \"auto\"", "share/annabella/model-de, automatic: an official German model is"),
        ("model = \"built-in\"", "share/annabella/model, named in [speech] model; it knows every"),
        ("model = \"official\"", "share/annabella/model-de, named in [speech] model; it knows"),
    ] {
        assert!(doctor(&both, speech).contains(told), "{speech}: {}", doctor(&both, speech));
    }
}

#[test]
fn an_official_model_without_a_word_of_the_moves_is_not_taken_by_itself() {
    let both =
        Installed::new(env!("CARGO_BIN_EXE_annabella")).with_model("model-de", without_felix);
    assert!(
        doctor(&both, "").contains(
            "share/annabella/model, automatic: the official model does not know felix; it knows every word"
        ),
        "{}",
        doctor(&both, "")
    );
}

#[test]
fn one_that_is_named_and_not_there_is_said_to_be_missing() {
    let alone = Installed::new(env!("CARGO_BIN_EXE_annabella"));
    let told = doctor(&alone, "model = \"official\"");
    assert!(
        told.contains("no speech model in share/annabella/model-de: `make model-de` fetches the"),
        "{told}"
    );
}
