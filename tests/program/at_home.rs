//! A game at home is no tournament's: its configuration, its records, the file for a program, the
//! first evening word for word, and that nothing of the partner is in the service.

use std::{
    collections::BTreeSet,
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use annabella::config::Config;
use annabella_core::game::{At, Game, Input, Started};
use annabella_records::journal::{
    export::{self, Labels},
    report::{Report, ReportLabels},
    views,
};
use shakmaty::Color;

use crate::{at_board::Play, patience::until};

const HOME: &str = "[game]\nat_home = true\n[sighted]\nkind = \"page\"\n";

#[test]
fn a_configuration_says_that_it_is_at_home_or_for_a_tournament() {
    let config = Config::parse(HOME, "a.toml").expect("right");
    assert!(config.game().at_home);
    assert!(!Config::default().game().at_home);
    for (text, line) in [
        (
            "[game]\nat_home = true\n[hall]\nurl = \"nats://192.168.4.1:4222\"\n",
            "[game] at_home: a board of an event's hall plays a tournament, where no program plays (11.3): leave it \
             out, or url in [hall]",
        ),
        (
            "[game]\nat_home = true\nblind = \"both\"\n[board_black]\nkind = \"none\"\n",
            "[game] at_home is for a sighted player's place, in which a program may play: with blind = \"both\" leave \
             it out",
        ),
        (
            "[console]\nprogram_code = \"code\"\n",
            "[console] program_code: no program plays in a tournament's game (11.3): set at_home = true in [game], or \
             leave it out",
        ),
        (
            "[game]\nopponents = [\"Stockfish\"]\n",
            "[game] opponents: no program plays in a tournament's game (11.3): set at_home = true, or leave it out",
        ),
        (
            "[game]\nat_home = true\n[console]\nlisten = \"\"\nprogram_code = \"code\"\n",
            "[console] program_code: there are no pages: give listen an address, as in \"127.0.0.1:8080\"",
        ),
    ] {
        let wrong = Config::parse(text, "a.toml").expect_err(text).to_string();
        assert!(wrong.ends_with(line), "{wrong}");
    }
}

/// A short game of this configuration.
fn played(text: &str) -> Vec<(At, Input)> {
    let german = include_str!("../../voices/de.toml").to_owned();
    let started = Started {
        config: Config::parse(text, "a.toml").expect("right").game(),
        packs: vec![german.clone(), german],
        confusions: Default::default(),
        build: "test".to_owned(),
        unix_s: 1_700_000_000,
    };
    let said = |text: &str| Input::Said { seat: Some(Color::White), heard: vec![text.to_owned()] };
    let inputs = [
        Input::Started(Box::new(started)),
        Input::ClockStarted,
        said("Bauer Eva zwei Eva vier"),
        said("ich gebe auf"),
        said("ja"),
    ];
    inputs.into_iter().enumerate().map(|(n, input)| (At::new(n as u64 * 1_000), input)).collect()
}

#[test]
fn no_record_of_a_game_at_home_passes_for_a_tournaments() {
    let board = "[board]\nkind = \"none\"\n";
    for (text, at_home) in [(format!("{HOME}{board}"), true), (board.to_owned(), false)] {
        let inputs = played(&text);
        let (game, _) = Game::replay(inputs.clone());
        let record = game.record().expect("a game");
        let says = |paper: &str, words: &str| assert_eq!(paper.contains(words), at_home, "{paper}");
        says(&views::pgn(&record), "[Event \"played at home, no tournament's game\"]");
        for (language, words) in [
            ("de", "zu Hause gespielt, keine Turnierpartie"),
            ("fr", "jouée à la maison, pas une partie de tournoi"),
        ] {
            let labels = ReportLabels::of(language);
            let report = Report::of(1, &inputs, &labels).expect("a report");
            says(&report.to_text(&labels), words);
            says(&report.to_html(&labels), words);
            let sheet = views::sheet(&record, Color::White, Labels::of(language));
            says(&sheet.to_text(), words);
            says(&export::pages(&[sheet]), words);
        }
        // The journal itself says so: a reader of the first row needs nothing else.
        let first = serde_json::to_string(&inputs[0].1).expect("JSON");
        assert_eq!(first.contains("\"at_home\":true"), at_home);
    }
}

#[test]
fn address_and_code_for_a_program_are_in_a_file_that_only_its_owner_reads() {
    let folder = tempfile::tempdir().expect("a folder");
    let (config, code) = (folder.path().join("a.toml"), folder.path().join("code"));
    let text = format!(
        "[game]\nat_home = true\n[board]\nkind = \"none\"\n[sighted]\nkind = \"page\"\n[speech]\nengine = \"none\"\n\
         listen = \"off\"\n[console]\nlisten = \"127.0.0.1:0\"\nprogram_code = \"{}\"\n[journal]\npath = \"{}\"\n",
        code.display(),
        folder.path().join("games.db").display()
    );
    fs::write(&config, text).expect("written");
    let play = Play::start(&config);
    until("the file is there", || code.is_file());
    let told = fs::read_to_string(&code).expect("a text");
    let lines: Vec<&str> = told.lines().collect();
    let [address, digits] = lines[..] else { panic!("{told}") };
    assert!(address.starts_with("http://127.0.0.1:") && !address.ends_with(":0"), "{address}");
    assert!(digits.len() >= 6 && digits.bytes().all(|byte| byte.is_ascii_digit()), "{digits}");
    assert_eq!(fs::metadata(&code).expect("there").permissions().mode() & 0o777, 0o600);
    drop(play);
}

/// What there is to hear, and to answer, from the call to the running clock, in the transcript of
/// the second day.
#[test]
fn on_the_second_day_two_answers_lead_to_the_first_move() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/first-evening.md");
    let text = fs::read_to_string(file).expect("there");
    let (_, next) = text.split_once("<!-- evening: next -->").expect("a transcript");
    let (before, _) = next.split_once("Die Uhr läuft.").expect("the clock");
    let answers = before.lines().filter(|line| line.starts_with('"')).count();
    let heard = before.lines().filter_map(|line| line.strip_prefix("in the ear: "));
    let words: usize = heard.map(|line| line.split_whitespace().count()).sum();
    // A voice says 160 words a minute: half of that is left for engine, answers and thought.
    assert!(answers <= 2 && words <= 80, "{answers} answers, {words} words");
    assert!(before.contains("$ annabella partner\n"), "nothing is typed but the call");
}

/// A program of the workspace that is no part of this package.
pub(crate) fn built(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_BIN_EXE_annabella")).with_file_name(name);
    if !path.is_file() {
        // Tests of the whole workspace have it already.
        let made = Command::new(env!("CARGO"))
            .args(["build", "--locked", "--quiet", "-p", "annabella-partner", "--bins"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .status();
        assert!(made.expect("cargo runs").success());
    }
    path
}

#[test]
fn nothing_of_the_partner_is_in_the_service() {
    let words = ["annabella_partner", "bestmove", "ucinewgame", "UCI_LimitStrength", "lichess.org"];
    let found = |program: &Path| {
        // Much faster on hundred megabytes than anything that is not optimised.
        let mut grep = Command::new("grep");
        grep.args(["--text", "--only-matching", "--fixed-strings"]);
        let grep = words.iter().fold(&mut grep, |grep, word| grep.args(["-e", word]));
        let output = grep.arg(program).output().expect("grep");
        assert!(output.status.code() < Some(2), "{output:?}");
        BTreeSet::from_iter(String::from_utf8_lossy(&output.stdout).lines().map(str::to_owned))
    };
    // What is looked for can be found.
    assert_eq!(found(&built("annabella-partner")).len(), words.len());
    for program in [env!("CARGO_BIN_EXE_annabella"), env!("CARGO_BIN_EXE_annabella-hall")] {
        assert_eq!(found(Path::new(program)), BTreeSet::new(), "{program}");
    }
}

#[test]
fn no_crate_of_the_service_depends_on_the_partner_nor_the_partner_on_what_serves_a_board() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = |path: &str| -> toml::Table {
        let text = fs::read_to_string(root.join(path)).expect("a manifest");
        toml::from_str(&text).expect("TOML")
    };
    let uses = |table: &toml::Table, name: &str| {
        table
            .get("dependencies")
            .and_then(toml::Value::as_table)
            .is_some_and(|d| d.contains_key(name))
    };
    let crates = ["words", "core", "records", "threads", "devices", "console", "hall"];
    let own = manifest("src/partner/Cargo.toml");
    for name in crates {
        let other = manifest(&format!("src/{name}/Cargo.toml"));
        assert!(!uses(&other, "annabella-partner"), "{name}");
        // What is pure may be shared.
        let serves = ["threads", "devices", "console", "hall"].contains(&name);
        assert!(!(serves && uses(&own, &format!("annabella-{name}"))), "{name}");
    }
    assert!(!uses(&manifest("Cargo.toml"), "annabella-partner") && !uses(&own, "annabella"));
}

/// The shortest game that there is.
const GAMES: &str =
    "[White \"Anna\"]\n[Black \"Boris\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

const PUZZLES: &str =
    "PuzzleId,FEN,Moves\n00001,6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1,h7h6 d1d8 g8h7 d8d7\n";

/// Each transcript between `<!-- evening: NAME -->` and the end of its block is played; `UPDATE=1`
/// writes what is heard.
#[test]
fn the_first_evening_is_as_the_document_tells_it() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/first-evening.md");
    let mut text = fs::read_to_string(&file).expect("there");
    let folder = tempfile::tempdir().expect("a folder");
    let base = folder.path().join("annabella.toml");
    // As set-up leaves it, but that nothing sounds.
    fs::write(&base, "[board]\nkind = \"none\"\n[speech]\nengine = \"none\"\nlisten = \"off\"\n")
        .expect("written");
    let update = std::env::var_os("UPDATE").is_some();
    let (partner, engine) = (built("annabella-partner"), built("annabella-odd-engine"));
    fs::write(folder.path().join("games.pgn"), GAMES).expect("written");
    fs::write(folder.path().join("puzzles.csv"), PUZZLES).expect("written");
    for (name, script, cp) in [
        ("first", "e7e5/e2e4,b8c6,f8c5,g8f6,d7d6,a7a6,h7h6", 30),
        ("next", "e2e4,g1f3,f1c4,d2d3,a2a3", 30),
        ("review", "d2d4/e7e5", 100),
        ("replay", "", 0),
        ("puzzle", "", 0),
    ] {
        let mark = format!("<!-- evening: {name} -->\n```text\n");
        let (_, rest) = text.split_once(&mark).expect("a transcript");
        let block = rest.split_once("```").expect("an end").0.to_owned();
        let told = block.replace("\n  ", " ");
        let call = told.lines().next().expect("a call");
        let words = call.strip_prefix("$ annabella partner").expect("a call").split_whitespace();
        let mut command = Command::new(&partner);
        command.args(words).arg("--json").arg("--folder").arg(folder.path().join("home"));
        command.arg("--config").arg(&base).current_dir(folder.path());
        if ["first", "next"].contains(&name) {
            command.args(["--pace", "quick", "--no-openings"]);
        }
        if !script.is_empty() {
            command
                .arg("--engine")
                .arg(&engine)
                .arg("--engine-arg")
                .arg(format!("script={script}"));
            command.arg("--engine-arg").arg(format!("cp={cp}"));
            command.args(["--engine-arg", "name=Stockfish 15.1"]);
        }
        let mut play = Play::start_by(command);
        let heard = crate::no_sensors::retold(&mut play, &told, name, update);
        play.interrupt();
        if update {
            let new = format!("{mark}{}", crate::no_sensors::folded(&heard));
            text = text.replace(&format!("{mark}{block}"), &new);
            fs::write(&file, &text).expect("written");
        } else {
            assert_eq!(heard, told, "{name}: see UPDATE above");
        }
    }
}
