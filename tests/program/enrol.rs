//! `annabella enrol`: what a voice teaches, from recordings.

use std::{
    fs,
    path::Path,
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use annabella_core::game::{Input, Learnt};
use annabella_records::journal::{GameId, Records};

use crate::patience::PATIENCE;

fn annabella(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_annabella")).args(args).output().expect("runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A foreigner's German, as espeak-ng's Mandarin voice reads it: few are hard to understand.
fn foreigner(folder: &Path, texts: &[(&str, &str)]) {
    records(folder, "cmn", texts, |text| text.to_owned());
}

/// Recordings in which a voice says to each text what `says` makes of it.
fn records(folder: &Path, voice: &str, texts: &[(&str, &str)], says: impl Fn(&str) -> String) {
    fs::create_dir_all(folder).expect("folder");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let mut list = String::from("file\tspeaker\tcondition\tkind\tfen\tmeant\tsaid\n");
    for (n, (uci, said)) in texts.iter().enumerate() {
        let name = format!("{n}.wav");
        let spoken = Command::new("espeak-ng")
            .args(["-v", voice, "-s", "140", "-w"])
            .arg(folder.join(&name))
            .arg(says(said))
            .status()
            .expect("espeak-ng is installed by scripts/setup.sh");
        assert!(spoken.success());
        list.push_str(&format!("{name}\tcmn\tclean\tmove\t{start}\t{uci}\t{said}\n"));
    }
    fs::write(folder.join("corpus.tsv"), list).expect("written");
}

const SAID: [(&str, &str); 12] = [
    ("e2e4", "Bauer Eva zwei Eva vier"),
    ("d2d4", "Bauer David zwei David vier"),
    ("a2a4", "Bauer Anna zwei Anna vier"),
    ("g2g4", "Bauer Gustav zwei Gustav vier"),
    ("f2f4", "Bauer Felix zwei Felix vier"),
    ("h2h4", "Bauer Hektor zwei Hektor vier"),
    ("b2b4", "Bauer Bella zwei Bella vier"),
    ("g1f3", "Springer Gustav eins Felix drei"),
    ("b1a3", "Springer Bella eins Anna drei"),
    ("g1h3", "Springer Gustav eins Hektor drei"),
    ("e2e3", "Bauer Eva zwei Eva drei"),
    ("d2d3", "Bauer David zwei David drei"),
];

#[test]
fn a_foreigner_is_understood_better_afterwards_and_his_settings_are_used() {
    let folder = tempfile::tempdir().expect("folder");
    let (recordings, profile) = (folder.path().join("said"), folder.path().join("profile"));
    foreigner(&recordings, &SAID);
    let config = folder.path().join("annabella.toml");
    fs::write(&config, "# Mine\n[speech]\nengine = \"none\"\n").expect("written");
    let [config, recordings, profile] =
        [&config, &recordings, &profile].map(|path| path.to_str().expect("text"));
    let output = annabella(&[
        "enrol",
        "--json",
        "--config",
        config,
        "--from",
        recordings,
        "--profile",
        profile,
    ]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let found = lines.iter().find(|line| line.get("helps").is_some()).expect("what was found");
    assert_eq!(found["sentences"], 12, "{found}");
    let count = |when: &str, what: &str| found[when][what].as_u64().expect("a number");
    // At once, or after one "ja".
    let understood = |when: &str| count(when, "right") + count(when, "asked");
    assert!(understood("after") > understood("before"), "{found}");
    assert!(count("after", "right") >= count("before", "right"), "{found}");
    assert_eq!(found["after"]["wrong"], 0, "{found}");
    let written = fs::read_to_string(config).expect("there");
    assert!(written.starts_with("# Mine\n[speech]\nengine = \"none\"\n# "), "{written}");
    for key in ["confusions", "model"] {
        assert!(written.contains(&format!("\n{key} = \"{profile}/{key}")), "{key} in {written}");
    }
    assert!(fs::read_to_string(format!("{config}.bak")).is_ok_and(|old| old.lines().count() == 3));
    // What was written is a model that hears them, and a file that the others read.
    let model = format!("{profile}/model");
    let confusions = format!("{profile}/confusions.toml");
    let understood = |more: &[&str]| {
        let wavs: Vec<String> = (0..SAID.len()).map(|n| format!("{recordings}/{n}.wav")).collect();
        let wavs: Vec<&str> = wavs.iter().map(String::as_str).collect();
        let output = annabella(&[&["listen", "--wav"], &wavs[..], more].concat());
        let heard = text(&output.stdout);
        let lines = heard.lines().map(|line| serde_json::from_str(line).expect("JSON"));
        lines
            .zip(SAID)
            .filter(|(line, (uci, _)): &(serde_json::Value, _)| line["move"] == *uci)
            .count()
    };
    let (usual, his) =
        (understood(&[]), understood(&["--model", &model, "--confusions", &confusions]));
    assert!(his >= usual, "{his} after, {usual} before");
    // From files nobody is asked whether recordings may be kept.
    assert!(!Path::new(profile).join("recordings").exists());
}

#[test]
fn who_plays_alone_is_enrolled_without_a_seat() {
    let folder = tempfile::tempdir().expect("folder");
    let config = folder.path().join("annabella.toml");
    fs::write(&config, "[speech]\nengine = \"none\"\n").expect("written");
    let output =
        annabella(&["enrol", "--seat", "black", "--config", config.to_str().expect("text")]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("--seat black: [game] blind names one player"));
}

#[test]
fn what_black_mistakes_is_his_alone_and_the_game_reads_it() {
    let folder = tempfile::tempdir().expect("folder");
    let recordings = folder.path().join("said");
    // His "drei" is a "zwei" to everybody.
    records(&recordings, "de", &SAID, |text| text.replace("drei", "zwei"));
    let (journal, black) = (folder.path().join("games.db"), folder.path().join("black"));
    let made = Command::new("mkfifo").arg(&black).status().expect("mkfifo");
    assert!(made.success());
    let before = format!(
        "[game]\nblind = \"both\"\n[board]\nkind = \"events\"\npath = \"-\"\n[board_black]\n\
         kind = \"events\"\npath = \"{}\"\n[journal]\npath = \"{}\"\n[speech]\nengine = \"none\"\n",
        black.display(),
        journal.display()
    );
    let config = folder.path().join("annabella.toml");
    fs::write(&config, &before).expect("written");
    let [at, from] = [&config, &recordings].map(|path| path.to_str().expect("text"));
    let enrolled = annabella(&["enrol", "--seat", "black", "--config", at, "--from", from]);
    assert!(enrolled.status.success(), "{}", text(&enrolled.stderr));
    // Only his own key is new: model and [hearing] are both players'.
    let profile = folder.path().join("enrolment/black").canonicalize().expect("beside the journal");
    let confusions = profile.join("confusions.toml");
    let written = fs::read_to_string(&config).expect("there");
    let key = format!("confusions_black = \"{}\"", confusions.display());
    let new: Vec<&str> =
        written.lines().filter(|line| !before.lines().any(|old| old == *line)).collect();
    assert_eq!(new.iter().filter(|line| !line.starts_with('#')).collect::<Vec<_>>(), [&key]);
    assert!(!profile.join("model").exists() && !folder.path().join("enrolment/model").exists());
    // The game begins with it: its first input holds what he mistakes, and nothing of White.
    let child = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["play", "--config", at])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let mut child = child.expect("starts");
    let started = || {
        let inputs = Records::open(&journal).ok()?.inputs(GameId { number: 1 }).ok()?;
        inputs.into_iter().find_map(|(_, input)| match input {
            Input::Started(started) => Some(started),
            _ => None,
        })
    };
    let until = Instant::now() + PATIENCE;
    let started = std::iter::repeat_with(|| {
        std::thread::sleep(Duration::from_millis(200));
        started()
    });
    let started = started.take_while(|_| Instant::now() < until).flatten().next();
    child.kill().expect("killed");
    child.wait().expect("dead");
    let Learnt { own, black } = started.expect("a game").confusions;
    assert!(own.is_empty() && !black.is_empty());
    assert_eq!(black.to_toml(), fs::read_to_string(&confusions).expect("there"));
}

#[test]
fn too_few_recordings_and_wrong_lists_are_said_to_be_so() {
    let folder = tempfile::tempdir().expect("folder");
    foreigner(folder.path(), &SAID[..3]);
    let path = folder.path().to_str().expect("text");
    let config = folder.path().join("annabella.toml");
    fs::write(&config, "[speech]\nengine = \"none\"\n").expect("written");
    let config = config.to_str().expect("text");
    let output = annabella(&["enrol", "--from", path, "--config", config]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout), "Zu wenig gehört: drei Sätze.\n");
    let list = folder.path().join("corpus.tsv");
    let wrong = fs::read_to_string(&list).expect("there").replace("e2e4", "e2e5");
    fs::write(&list, wrong).expect("written");
    let output = annabella(&["enrol", "--from", path, "--config", config]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.trim_end().ends_with("'e2e5' is no legal move there: correct the list"), "{said}");
    let output = annabella(&["enrol", "--sentences", "3"]);
    assert_eq!(output.status.code(), Some(2));
}
