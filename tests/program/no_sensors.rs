//! `[board] kind = "none"`: any peg set, as its player meets it.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use annabella::config::{Config, edit};
use annabella_core::game::{At, Channel, Game, HandsKnown, Input, Output as Asked, Started};
use annabella_words::phrase::{Prompt, Slot, Utterance, Words};
use shakmaty::{Color, Square};

use crate::at_board::Play;
use crate::patience::PATIENCE;

fn config(folder: &Path, reports: &str) -> PathBuf {
    let path = folder.join("annabella.toml");
    let text = format!(
        "[board]\nkind = \"none\"\nreports = \"{reports}\"\npath = \"-\"\n[speech]\n\
         engine = \"none\"\nlisten = \"off\"\n[console]\nlisten = \"\"\n[journal]\npath = \"{}\"\n",
        folder.join("games.db").display()
    );
    std::fs::write(&path, text).expect("written");
    path
}

fn annabella(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_annabella")).args(args).output().expect("runs")
}

#[test]
fn moves_are_typed_and_the_game_survives_kill_9() {
    let folder = tempfile::tempdir().expect("folder");
    let path = config(folder.path(), "spoken");
    let mut play = Play::start(&path);
    play.send("Springer Gustav eins Felix drei");
    let said = play.until("what was understood", |line| line.get("say").is_some());
    assert_eq!(said["say"]["text"], "Springer Gustav eins Felix drei");
    assert_eq!(said["say"]["channel"], "public");
    play.until_move("g1f3", "announced");
    play.kill();
    // Announced, and not called executed yet.
    let mut play = Play::start(&path);
    play.send("ausgeführt");
    let executed = play.until_move("g1f3", "executed");
    assert_eq!(executed["move"]["said"], true);
    play.until_move("g1f3", "made");
    play.send(r#"{"press":"white"}"#);
    let completed = play.until_move("g1f3", "completed");
    assert!(completed["move"].get("said").is_none());
    // The opponent has a plain wooden board: his move is a word too.
    play.send("Springer Bella acht Cesar sechs");
    play.until_move("b8c6", "made");
    play.send(r#"{"press":"black"}"#);
    play.until_move("b8c6", "completed");
    play.kill();
    let mut play = Play::start(&path);
    play.send("was ist offen");
    // After a stop of the service the clocks stand, and that is said too.
    play.until("an answer", |line| {
        line["say"]["text"] == "Führ aus: Springer Bella acht Cesar sechs."
    });
    play.send("e4");
    play.until_move("e2e4", "announced");
    play.send(r#"{"press":"white"}"#);
    play.until_move("e2e4", "completed");
    // Nobody sees a reed here.
    play.send(r#"{"square":"e2","occupied":false}"#);
    play.send("letzter Zug");
    play.until("an answer", |line| line["say"]["text"] == "Bauer Eva zwei Eva vier.");
    assert_eq!(play.end().status.code(), Some(0));
    let database = folder.path().join("games.db").display().to_string();
    let shown = annabella(&["games", "--journal", &database, "export", "1", "--report"]);
    let report = String::from_utf8(shown.stdout).expect("UTF-8");
    assert_eq!(report.matches("vom Spieler gesagt, nicht gesehen").count(), 3, "{report}");
}

#[test]
fn there_is_nothing_to_watch_or_test() {
    let folder = tempfile::tempdir().expect("folder");
    let path = config(folder.path(), "announced").display().to_string();
    for command in ["watch", "test"] {
        let output = annabella(&["board", command, "--config", &path]);
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            format!(
                "annabella: {path}:2: [board] kind = \"none\": a board without sensors has nothing to watch or \
                 test: name its kind, \"shift-register\", \"expander\" or \"matrix\"\n"
            )
        );
    }
}

#[test]
fn the_configuration_says_whose_hands_are_felt() {
    let hands = |text: &str| Config::parse(text, "a.toml").expect("right").game().hands;
    assert_eq!(hands("[board]\nkind = \"none\"\n").white, HandsKnown::Announced);
    let spoken =
        hands("[game]\nblind = \"black\"\n[board]\nkind = \"none\"\nreports = \"spoken\"\n");
    assert_eq!((spoken.white, spoken.black), (HandsKnown::Felt, HandsKnown::Spoken));
    let both = hands(
        "[game]\nblind = \"both\"\n[board]\nkind = \"none\"\n[board_black]\nkind = \"none\"\n\
         reports = \"spoken\"\n[speech]\nprivate_black = \"none\"\ninput_black = \"two\"\n\
         input = \"one\"\n",
    );
    assert_eq!((both.white, both.black), (HandsKnown::Announced, HandsKnown::Spoken));
    let wrong = Config::parse("[board]\nreports = \"felt\"\n", "a.toml").expect_err("wrong");
    assert!(wrong.to_string().ends_with("allowed: \"announced\", \"spoken\""), "{wrong}");
}

/// Where no board is named a game can be played, and its player's word stands for his hands.
#[test]
fn an_empty_configuration_is_played_by_what_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let quiet = "[speech]\nengine = \"none\"\nlisten = \"off\"\n[console]\nlisten = \"\"\n";
    std::fs::write(folder.path().join("a.toml"), quiet).expect("written");
    let mut play = Command::new(env!("CARGO_BIN_EXE_annabella"));
    play.args(["play", "--json", "--config", "a.toml"]).current_dir(folder.path());
    play.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut play = play.spawn().expect("runs");
    let typed = "Uhr starten\ne4\nfertig\ne5\nwas ist offen\n";
    play.stdin.take().expect("piped").write_all(typed.as_bytes()).expect("typed");
    let ran = play.wait_with_output().expect("ends with what is typed");
    let said = String::from_utf8(ran.stdout).expect("UTF-8");
    for told in ["\"Bauer Eva zwei Eva vier\"", "\"Bauer Eva sieben Eva fünf\""] {
        assert!(said.contains(told), "{told} in {said}");
    }
    assert!(!said.contains("nicht ausgeführt") && !said.contains("Erst ausführen"), "{said}");
}

/// Every new sentence in every language, as it is heard.
#[test]
fn what_is_said_in_seven_languages() {
    let texts = [
        (
            "de",
            "Partie. Eva vier: leer.",
            "Gut.",
            "Alle Linien verglichen.",
            "Wieder wie in der Partie.",
        ),
        ("en", "Game. Eva vier: empty.", "Noted.", "All files compared.", "As in the game again."),
        (
            "es",
            "Partida. Eva vier: vacía.",
            "Bien.",
            "Todas las columnas comparadas.",
            "De nuevo como en la partida.",
        ),
        (
            "fr",
            "Partie. Eva vier: vide.",
            "Noté.",
            "Toutes les colonnes comparées.",
            "De nouveau comme dans la partie.",
        ),
        (
            "lt",
            "Partija. Eva vier: tuščia.",
            "Gerai.",
            "Visos vertikalės palygintos.",
            "Vėl kaip partijoje.",
        ),
        (
            "pl",
            "Partia. Eva vier: puste.",
            "Dobrze.",
            "Wszystkie linie porównane.",
            "Znów jak w partii.",
        ),
        (
            "ru",
            "По партии. Eva vier: пусто.",
            "Хорошо.",
            "Все вертикали сверены.",
            "Снова как в партии.",
        ),
    ];
    for (language, of_game, noted, over, again) in texts {
        let words = Words::builtin("fide", language).expect("built in");
        let square = words.prompt(Prompt::SquareEmpty, &[Slot::Square(Square::E4)]);
        let said = |prompt| words.prompt(prompt, &[]).to_string();
        let answer = Utterance::joined([words.prompt(Prompt::OfGame, &[]), square]).to_string();
        assert_eq!(answer, of_game, "{language}");
        assert_eq!(said(Prompt::Noted), noted);
        assert_eq!(said(Prompt::WalkOver), over);
        assert_eq!(said(Prompt::AsInGameAgain), again);
    }
}

/// The table of the document, played.
#[test]
fn the_first_minutes_are_as_the_document_tells_them() {
    let text = include_str!("../../docs/no-sensors.md");
    let config = Config::parse(
        "[board]\nkind = \"none\"\nreports = \"spoken\"\n[sighted]\nkind = \"page\"\n",
        "a.toml",
    );
    let german = include_str!("../../voices/de.toml").to_owned();
    let started = Started {
        config: config.expect("right").game(),
        packs: vec![german.clone(), german],
        confusions: Default::default(),
        build: "test".to_owned(),
        unix_s: 1_700_000_000,
    };
    let mut game = Game::new();
    game.handle(At::new(0), Input::Started(Box::new(started))).expect("a game");
    let rows = text.lines().filter(|line| line.starts_with('|')).skip(2);
    let mut ms = 0;
    let mut count = 0;
    for row in rows {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [what, aloud, ear] = cells.as_slice() else { panic!("{row}") };
        let said =
            |text: &str| Input::Said { seat: Some(Color::White), heard: vec![text.to_owned()] };
        let inputs = match what.strip_prefix('"').and_then(|what| what.strip_suffix('"')) {
            Some(words) => vec![said(words)],
            None if *what == "he presses the clock" => vec![Input::Pressed { seat: Color::White }],
            None => {
                let uci = what.split(' ').nth(2).expect("a move").to_owned();
                let seat = Color::Black;
                vec![
                    Input::Sighted { seat, uci: "e2e4".to_owned() },
                    Input::Sighted { seat, uci },
                    Input::Pressed { seat },
                ]
            }
        };
        let mut heard = [String::new(), String::new()];
        for input in inputs {
            ms += 100;
            for output in
                game.handle(At::new(ms), input).unwrap_or_else(|err| panic!("{row}: {err}"))
            {
                if let Asked::Say { channel, words, .. } = output {
                    heard[usize::from(channel == Channel::Private)] += &words.to_string();
                }
            }
        }
        assert_eq!(heard, [(*aloud).to_owned(), (*ear).to_owned()], "{row}");
        count += 1;
    }
    assert_eq!(count, 11);
}

/// What the set-up of the document writes, with the lines typed that are spoken there.
fn first_day(folder: &Path, text: &str) -> PathBuf {
    let (_, rest) = text.split_once("<!-- setup: first-day -->\n```text\n").expect("a set-up");
    let (block, _) = rest.split_once("```").expect("an end");
    let (_, written) = block.split_once("\n\n").expect("what is written");
    let journal = folder.join("games.db").display().to_string();
    let mut written = written.to_owned();
    for (section, key, value) in [
        ("speech", "engine", "none"),
        ("speech", "listen", "off"),
        // A new file on no Raspberry Pi has it.
        ("board", "kind", "none"),
        ("console", "listen", ""),
        ("journal", "path", &journal),
    ] {
        written = edit::set(&written, section, vec![(key, value.into())]).expect("a configuration");
    }
    let path = folder.join("annabella.toml");
    std::fs::write(&path, written).expect("written");
    path
}

/// Lines of at most a hundred characters; what follows begins with two spaces.
pub(crate) fn folded(text: &str) -> String {
    let mut all = String::new();
    for line in text.lines() {
        let mut width = 0;
        for word in line.split(' ') {
            let length = word.chars().count();
            if width > 0 && width + 1 + length > 100 {
                all.push_str("\n  ");
                width = 2;
            } else if width > 0 {
                all.push(' ');
                width += 1;
            }
            all.push_str(word);
            width += length;
        }
        all.push('\n');
    }
    all
}

/// Says what a transcript says, and compares what is heard with it; `update` takes down what is
/// heard instead.
pub(crate) fn retold(play: &mut Play, told: &str, name: &str, update: bool) -> String {
    let mut lines = told.lines().peekable();
    let mut action = lines.next().expect("a call").to_owned();
    let mut heard = String::new();
    loop {
        heard += &format!("{action}\n");
        if action == "[Ctrl+C]" {
            break;
        }
        let is_heard =
            |line: &&str| line.starts_with("in the ear: ") || line.starts_with("aloud: ");
        let expected: Vec<&str> = std::iter::from_fn(|| lines.next_if(is_heard)).collect();
        if update {
            while let Some(words) = play.spoken_within(Duration::from_millis(1500)) {
                heard += &format!("{words}\n");
            }
        } else {
            for line in expected {
                let words = play.spoken_within(PATIENCE);
                assert_eq!(words.as_deref(), Some(line), "{name}, after {action}");
                heard += &format!("{line}\n");
            }
        }
        action = lines.next().expect("it ends with [Ctrl+C]").to_owned();
        if let Some(words) = action.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
            play.send(words);
        }
    }
    assert_eq!(lines.next(), None, "{name}");
    heard
}

/// `UPDATE=1 cargo test --test no_sensors` writes what is heard now into the text.
#[test]
fn the_first_day_is_as_the_document_tells_it() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/first-day.md");
    let mut text = std::fs::read_to_string(&file).expect("there");
    let folder = tempfile::tempdir().expect("folder");
    let config = first_day(folder.path(), &text);
    let update = std::env::var_os("UPDATE").is_some();
    for name in ["first-day", "next-day"] {
        let mark = format!("<!-- play: {name} -->\n```text\n");
        let (_, rest) = text.split_once(&mark).expect("a transcript");
        let block = rest.split_once("```").expect("an end").0.to_owned();
        let told = block.replace("\n  ", " ");
        let mut play = Play::start_with(&config, &["--setup"]);
        assert_eq!(told.lines().next(), Some("$ annabella play --setup"), "{name}");
        let heard = retold(&mut play, &told, name, update);
        // Nothing more is said than the document tells.
        assert_eq!(play.spoken_within(Duration::from_millis(300)), None, "{name}");
        play.interrupt();
        if update {
            text = text.replace(&format!("{mark}{block}"), &format!("{mark}{}", folded(&heard)));
            std::fs::write(&file, &text).expect("written");
        } else {
            assert_eq!(heard, told, "{name}: see UPDATE above");
        }
    }
}
