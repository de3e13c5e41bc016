//! A terminal alone is a place to play: nothing is heard, nothing is spoken, nobody opens a page.

use std::{path::Path, process::Command};

use annabella::config::edit;

use crate::in_terminal::Terminal;

const ANNABELLA: &str = env!("CARGO_BIN_EXE_annabella");

/// Changes keys of the configuration in this folder.
fn with(folder: &Path, keys: &[(&str, &str, &str)]) {
    let path = folder.join("annabella.toml");
    let mut text = std::fs::read_to_string(&path).unwrap_or_default();
    for (section, key, value) in keys {
        text = edit::set(&text, section, vec![(*key, (*value).into())]).expect("a configuration");
    }
    std::fs::write(path, text).expect("written");
}

/// Nothing sounds, and any port will do.
const QUIET: [(&str, &str, &str); 3] = [
    ("speech", "engine", "none"),
    ("speech", "listen", "off"),
    ("console", "listen", "127.0.0.1:0"),
];

/// Enter goes on: at a simulated board its peg is in the hole by then, and no sensor is called
/// dead.
#[test]
fn enter_in_a_board_test_goes_on_and_calls_no_sensor_dead() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    with(folder, &QUIET);
    with(folder, &[("board", "kind", "none")]);
    let test = ["board", "test", "--simulate", "--strip", "1", "--config", "annabella.toml"];
    let mut test = Terminal::run(folder, ANNABELLA, &test);
    test.reads("Streifen eins: nimm alle Magneten weg.");
    test.types("");
    test.reads("Stell einen Magneten auf jedes Feld, das ich nenne.");
    test.reads("Anna eins.");
    test.types("weiter so");
    for hole in ["Bella eins.", "Cesar eins.", "David eins."] {
        test.types("");
        test.reads(hole);
    }
    // Without a pause too: what was typed for a hole that is felt already is no answer to the next.
    (0..8).for_each(|_| test.types(""));
    test.reads("Streifen eins in Ordnung.");
    let (status, all) = test.ended();
    assert!(status.success() && !all.contains("ausgefallen"), "{all}");
    let other =
        "annabella: nothing but Enter goes on, \"r\" repeats, \"b\" goes back, \"q\" ends the test";
    assert!(all.contains(other), "{all}");
}

#[test]
fn a_game_is_played_in_a_terminal_from_the_set_up_to_the_printed_report() {
    let folder = tempfile::tempdir().expect("folder");
    let folder = folder.path();
    // Brings no machine's own voice or board into it.
    with(folder, &QUIET);
    with(folder, &[("board", "kind", "none")]);
    let mut setup =
        Terminal::run(folder, ANNABELLA, &["setup", "--typed", "--config", "annabella.toml"]);
    setup.reads(
        "Für Deutsch sag eins. For English say two. Для русского скажите три. Pour le français dis quatre. \
         Para español di cinco. Po polsku: powiedz sześć. Lietuviškai: sakykite septyni.",
    );
    setup.types("eins");
    setup.reads_about("Sag: ja, nein, weiter, zurück");
    setup.types("fertig");
    setup.reads("Alles speichern?");
    setup.types("ja");
    setup.reads("Gespeichert.");
    assert!(setup.ended().0.success());

    let mut play = Terminal::run(folder, ANNABELLA, &["play", "--setup"]);
    play.reads("Neue Partie. Du hast Weiß. Turnierpartie. Richtig so?");
    play.types("ja");
    play.reads("Prüf die Aufstellung von Hand. Alles bereit. Uhr starten?");
    play.types("ja");
    play.reads("Die Uhr läuft.");
    for (typed, read) in [
        ("f3", "Bauer Felix zwei Felix drei"),
        ("fertig", ""),
        ("e5", "Bauer Eva sieben Eva fünf"),
        ("g4", "Bauer Gustav zwei Gustav vier"),
        ("wer ist am Zug", "Schwarz am Zug."),
        ("fertig", ""),
        ("Regenschirm", "Bitte?"),
        ("Dame David acht Hector vier", "Dame David acht Hector vier, matt"),
    ] {
        play.types(typed);
        if !read.is_empty() {
            play.reads(read);
        }
    }
    play.reads("Schachmatt. Schwarz gewinnt.");
    let before = play.all();
    play.control('d');
    let (status, all) = play.ended();
    // A game that is over is not to go on.
    assert!(status.success() && !all.contains("bleibt gespeichert"), "{all}");
    // One line a move, in one language, and no picture made of letters.
    let lines: Vec<&str> = before.lines().collect();
    assert_eq!(
        lines.iter().filter(|line| line.contains("Felix zwei Felix drei")).count(),
        1,
        "{before}"
    );
    for noise in ["boards:", "made", "executed", "in the ear", "said:", "█", "codes:"] {
        assert!(!before.contains(noise), "{noise} in {before}");
    }
    assert!(before.contains("Die Seiten: http://127.0.0.1:"), "{before}");

    let report = Command::new(ANNABELLA)
        .args(["games", "export", "1", "--report"])
        .current_dir(folder)
        .output()
        .expect("runs");
    let report = String::from_utf8_lossy(&report.stdout).into_owned();
    assert!(report.contains("Ergebnis: 0-1 (matt, 5.1.1)"), "{report}");
}

#[test]
fn what_is_typed_is_understood_with_every_kind_of_board_and_the_history_keeps_it() {
    let folder = tempfile::tempdir().expect("folder");
    with(folder.path(), &QUIET);
    let mut play = Terminal::run(folder.path(), ANNABELLA, &["play"]);
    play.reads_about("Code für die Anzeige: ");
    play.types("wer ist am Zug");
    play.reads("Weiß am Zug.");
    play.keys(b"\x1b[A\r");
    play.reads("Weiß am Zug.");
    // As Ctrl+C: the game is not over, and the shell has its terminal back.
    play.control('c');
    play.reads("Partie bleibt gespeichert.");
    let (status, all) = play.ended();
    assert!(status.success(), "{all}");
}

#[test]
fn a_second_service_on_one_journal_says_at_once_that_annabella_runs_already() {
    let folder = tempfile::tempdir().expect("folder");
    with(folder.path(), &QUIET);
    let mut play = Terminal::run(folder.path(), ANNABELLA, &["play"]);
    play.reads_about("Code für die Anzeige: ");
    let mut second = Terminal::run(folder.path(), ANNABELLA, &["play"]);
    second.reads_about("annabella: annabella runs already, with journal");
    let (status, all) = second.ended();
    assert_eq!(status.code(), Some(3), "{all}");
    assert!(!all.contains("Schiedsrichter"), "{all}");
    play.control('c');
    assert!(play.ended().0.success());
}

#[test]
fn ctrl_c_ends_a_start_that_waits_for_a_hall() {
    let folder = tempfile::tempdir().expect("folder");
    // It takes the connection and says nothing.
    let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("nats://{}", silent.local_addr().expect("an address"));
    with(folder.path(), &QUIET);
    with(folder.path(), &[("hall", "url", &url), ("hall", "event", "cup")]);
    let play = Terminal::run(folder.path(), ANNABELLA, &["play"]);
    let _asked = silent.accept().expect("the hall is asked");
    play.interrupts();
    let (status, all) = play.ended();
    assert!(status.success(), "{all}");
    assert!(!all.contains("no pairing"), "nobody waited for the hall: {all}");
}

/// A game without devices in this folder, in a terminal, with its clock running.
fn begun(folder: &Path, how: &[&str]) -> Terminal {
    with(folder, &QUIET);
    with(folder, &[("board", "kind", "none"), ("console", "listen", "")]);
    let mut play = Terminal::run(folder, ANNABELLA, &[&["play"], how].concat());
    play.reads_about("annabella: configuration");
    play.types("Uhr starten");
    play.reads("Die Uhr läuft.");
    play
}

/// A terminal that writes Latin-1, as the Linux console does without UTF-8.
#[test]
fn a_byte_that_is_no_utf_8_costs_its_line_and_not_the_game() {
    let folder = tempfile::tempdir().expect("folder");
    let mut play = begun(folder.path(), &[]);
    play.keys(b"l\xe4ufer f8 c5\r");
    play.reads("annabella: standard input, line 2: not UTF-8 text, left out");
    // From now on it is read as it is meant.
    play.keys(b"e4\rfertig\re5\r");
    play.reads("Bauer Eva sieben Eva fünf");
    play.keys(b"L\xe4ufer f1 c4\r");
    play.reads("Läufer Felix eins Cesar vier");
    play.kill();
}

/// Speech is another way to answer than typing.
#[test]
fn whoever_leaves_a_set_up_in_a_terminal_is_told_that_it_has_ended() {
    let folder = tempfile::tempdir().expect("folder");
    with(folder.path(), &[("speech", "engine", "none"), ("console", "listen", "")]);
    let file = folder.path().join("annabella.toml");
    let before = std::fs::read_to_string(&file).expect("there");
    let begun = || {
        let args = ["setup", "--config", "annabella.toml"];
        let call = [&["LC_ALL=de_DE.UTF-8", ANNABELLA][..], &args].concat();
        let mut setup = Terminal::run(folder.path(), "env", &call);
        setup.reads_about("Für Deutsch sag eins.");
        setup.types("eins");
        setup
    };
    let mut setup = begun();
    // Ctrl+D.
    setup.keys(&[4]);
    setup.reads("annabella: niemand hat geantwortet: die Eingabe ist zu Ende");
    assert_eq!(setup.ended().0.code(), Some(3));
    let mut setup = begun();
    setup.interrupts();
    setup.reads("annabella: abgebrochen: nichts ist gespeichert");
    assert_eq!(setup.ended().0.code(), Some(1));
    assert_eq!(std::fs::read_to_string(&file).expect("there"), before);
}

#[test]
fn what_there_is_to_do_is_said_after_the_codes() {
    let folder = tempfile::tempdir().expect("folder");
    let mut play = begun(folder.path(), &[]);
    play.types("e4");
    play.reads("Bauer Eva zwei Eva vier");
    play.control('c');
    assert!(play.ended().0.success());
    with(folder.path(), &[("console", "listen", "127.0.0.1:0")]);
    let mut play = Terminal::run(folder.path(), ANNABELLA, &["play"]);
    play.reads_about("Code für die Anzeige: ");
    play.reads_about("Die Uhren stehen.");
    play.control('c');
    assert!(play.ended().0.success());
}

/// Last week's game is not taken for the one that stands in the file now.
#[test]
fn a_game_of_another_configuration_is_named_when_it_goes_on() {
    let folder = tempfile::tempdir().expect("folder");
    with(folder.path(), &[("game", "white", "Gerda"), ("game", "black", "Otto")]);
    with(folder.path(), &[("game", "time_control", "15+10")]);
    let mut play = begun(folder.path(), &[]);
    play.types("e4");
    play.reads("Bauer Eva zwei Eva vier");
    play.control('c');
    assert!(play.ended().0.success());
    let goes_on = || {
        let call = ["LC_ALL=de_DE.UTF-8", ANNABELLA, "play"];
        let mut play = Terminal::run(folder.path(), "env", &call);
        play.reads_about("Die Uhren stehen.");
        play.control('c');
        play.ended().1
    };
    let same = goes_on();
    assert!(!same.contains("geht weiter"), "{same}");
    with(folder.path(), &[("game", "white", "Paul"), ("game", "time_control", "3+2")]);
    let other = goes_on();
    let named = ["annabella: Partie 1 vom ", " geht weiter, Gerda – Otto, 15+10: [game] der Konf"];
    assert!(named.iter().all(|part| other.contains(part)), "{other}");
}

/// A folder can be opened, and not read.
#[test]
fn an_input_that_breaks_is_no_good_end() {
    let folder = tempfile::tempdir().expect("folder");
    with(folder.path(), &QUIET);
    with(folder.path(), &[("board", "kind", "none"), ("console", "listen", "")]);
    let broken = std::fs::File::open(folder.path()).expect("opened");
    let mut play = Command::new(ANNABELLA);
    let play = play.arg("play").current_dir(folder.path()).stdin(broken);
    let ended = play.output().expect("runs");
    let said = String::from_utf8_lossy(&ended.stderr).into_owned();
    assert_eq!(ended.status.code(), Some(3), "{said}");
    assert!(said.contains("annabella: standard input: Is a directory (os error 21)"), "{said}");
}

/// No sound card is there: that is read first, once, in the reader's language.
#[test]
fn what_is_wrong_with_a_device_is_read_before_the_first_question() {
    let folder = tempfile::tempdir().expect("folder");
    with(folder.path(), &[("speech", "listen", "off"), ("console", "listen", "")]);
    with(folder.path(), &[("speech", "public", "nowhere"), ("speech", "private", "nowhere")]);
    with(folder.path(), &[("board", "kind", "none")]);
    let call = ["LC_ALL=de_DE.UTF-8", ANNABELLA, "play", "--setup"];
    let mut play = Terminal::run(folder.path(), "env", &call);
    play.reads_about("annabella: Lautsprecher und Ohrhörer weg: Tongerät 'nowhere': ");
    play.reads_about("Neue Partie.");
    play.control('c');
    let (_, all) = play.ended();
    assert_eq!(all.matches("nowhere").count(), 1, "{all}");
}
