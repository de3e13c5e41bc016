//! Which speech model hears: by itself, by name, and after both were measured. The "official" model of these tests
//! is a copy of the built-in one, so that none has to be fetched.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// A program outside of any checkout, with the models beside it that were put there.
struct Installed {
    folder: tempfile::TempDir,
}

impl Installed {
    fn new() -> Installed {
        let installed = Installed { folder: tempfile::tempdir().expect("a folder") };
        let program = installed.path("bin/annabella");
        fs::create_dir_all(program.parent().expect("bin")).expect("bin");
        fs::copy(env!("CARGO_BIN_EXE_annabella"), program).expect("copied");
        installed.with_model("model", |words| words)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The built-in model under a name, its list of words changed.
    fn with_model(self, name: &str, change: impl Fn(String) -> String) -> Installed {
        let (from, to) = (Path::new("voices/model"), self.path("share/annabella").join(name));
        fs::create_dir_all(to.join("graph/phones")).expect("a folder");
        let files = [
            "am/final.mdl",
            "conf/mfcc.conf",
            "conf/model.conf",
            "graph/HCLr.fst",
            "graph/Gr.fst",
            "graph/disambig_tid.int",
            "graph/phones/word_boundary.int",
        ];
        for file in files {
            fs::create_dir_all(to.join(file).parent().expect("a folder")).expect("made");
            let from = from.canonicalize().expect("there").join(file);
            symlink(from, to.join(file)).expect("linked");
        }
        let words = fs::read_to_string(from.join("graph/words.txt")).expect("there");
        fs::write(to.join("graph/words.txt"), change(words)).expect("written");
        self
    }

    fn annabella(&self, args: &[&str]) -> Output {
        Command::new(self.path("bin/annabella"))
            .args(args)
            .env("HOME", self.path("home"))
            .output()
            .expect("runs")
    }

    fn stdout(&self, args: &[&str]) -> String {
        let output = self.annabella(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }

    /// What the doctor says of the model, without the folder that is another each time.
    fn doctor(&self, speech: &str) -> String {
        let config = self.path("annabella.toml");
        fs::write(&config, format!("[speech]\n{speech}")).expect("written");
        let config = config.to_str().expect("text");
        let output = self.annabella(&["doctor", "--seconds", "0", "--config", config]);
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let line = said.lines().find(|line| line.contains(" model")).unwrap_or_default();
        let folder = self.folder.path().canonicalize().expect("there");
        line.replace(&format!("{}/", folder.display()), "")
    }

    /// Twenty announcements and a list of them.
    fn recordings(&self) -> String {
        let folder = self.path("said");
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
}

fn without_felix(words: String) -> String {
    // Nor what else people say for that file.
    ["felix", "friedrich"]
        .iter()
        .fold(words, |words, word| words.replace(&format!("\n{word} "), &format!("\nno{word} ")))
}

#[test]
fn the_built_in_model_hears_until_an_official_one_is_installed() {
    let alone = Installed::new();
    let told = "share/annabella/model, automatic: no official German model is installed; it knows every word";
    assert!(alone.doctor("").contains(told), "{}", alone.doctor(""));
    let why = "the official German one was trained on many people: `annabella setup` offers it where a network is there, \
               `make model-de` and `make install` put it there, and so does `sudo /usr/lib/annabella/fetch-model` of the \
               package (45 MB, sha256 06f6dea4618df4d825ec06b564e55d4670eb6d8718e48c9ca90cac74d40b5ed9)";
    assert!(alone.doctor("").contains(why), "{}", alone.doctor(""));
    assert!(!alone.doctor("model = \"built-in\"").contains(why), "who has chosen is not advised");
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
        assert!(both.doctor(speech).contains(told), "{speech}: {}", both.doctor(speech));
    }
}

#[test]
fn an_official_model_without_a_word_of_the_moves_is_not_taken_by_itself() {
    let both = Installed::new().with_model("model-de", without_felix);
    assert!(
        both.doctor("").contains(
            "share/annabella/model, automatic: the official model does not know felix; it knows every word"
        ),
        "{}",
        both.doctor("")
    );
}

#[test]
fn one_that_is_named_and_not_there_is_said_to_be_missing() {
    let alone = Installed::new();
    let told = alone.doctor("model = \"official\"");
    assert!(
        told.contains("no speech model in share/annabella/model-de: `make model-de` fetches the"),
        "{told}"
    );
    let list = alone.recordings();
    let output = alone.annabella(&["measure", &list, "--compare"]);
    assert_eq!(output.status.code(), Some(2));
    let output = alone.annabella(&["measure", &list, "--choose", "x.toml"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "annabella: --choose needs two models to choose from: add --compare, or --model twice\n"
    );
}

#[test]
fn both_are_measured_on_a_player_s_recordings_and_the_better_is_written_down() {
    let both = Installed::new().with_model("model-de", without_felix);
    let list = both.recordings();
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
