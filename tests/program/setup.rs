//! The set-up by ear on this machine: what is said, and what is in the configuration afterwards.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::Duration,
};

use crate::{
    patience::PATIENCE,
    typed::{err, out, with_typed},
};
use annabella::{
    config::{BoardKind, ClockKind, Config, SightedKind},
    service::setup::{fetching, hotspot},
};
use annabella_core::setup::Fetched;
use annabella_devices::voice::keys::{key_code, keyboards};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn write(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("annabella.toml");
    fs::write(&path, text).expect("written");
    path
}

/// Sets up for real, by typed words. There is no voice: a test is silent.
fn set_up(path: &Path, typed: &str) -> (String, Output) {
    let path = path.to_str().expect("a path");
    let output =
        with_typed(env!("CARGO_BIN_EXE_annabella"), &["setup", "--typed", "--config", path], typed);
    (out(&output), output)
}

const SILENT: &str = "engine = \"none\"\nlisten = \"off\"\n";

#[test]
fn a_new_file_is_the_commented_example_with_what_was_answered() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("annabella.toml");
    // To the last question, and yes.
    let (heard, output) = set_up(&path, "english\nfinished\nyes\n");
    assert!(output.status.success(), "{}", err(&output));
    assert!(heard.ends_with("in the ear: Save everything?\nin the ear: Saved.\n"), "{heard}");
    let text = fs::read_to_string(&path).expect("written");
    let example = Config::example();
    assert_eq!(text.lines().count(), example.lines().count());
    let changed: Vec<&str> =
        text.lines().zip(example.lines()).filter(|(a, b)| a != b).map(|(a, _)| a).collect();
    let journal = format!("path = \"{}\"", folder.path().join("annabella.db").display());
    assert_eq!(changed, ["prompts = \"en\"", journal.as_str()]);
    assert!(!folder.path().join("annabella.toml.bak").exists());
}

#[test]
fn what_a_person_wrote_by_hand_stays_and_the_old_file_is_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let old = format!(
        "# Soldered in May.\n[board]\nkind = \"events\" # for now\nsettle_ms = 300\n\n\
         [speech]\n{SILENT}prompts = \"de\" # mine\nprivate_rate = 200\n\n[game]\nwhite = \"Ada\"\n"
    );
    let path = write(folder.path(), &old);
    let (heard, output) = set_up(&path, "de\nDeutsch\nschneller\nja\n");
    // Its lines ended before the dialogue did: nothing is written.
    assert_eq!(output.status.code(), Some(3), "{heard}");
    assert_eq!(fs::read_to_string(&path).expect("there"), old);
    let (heard, output) = set_up(&path, "Deutsch\nschneller\nfertig\nja\n");
    assert!(output.status.success(), "{heard}{}", err(&output));
    assert!(
        heard.contains("in the ear: Tempo zweihundertzwanzig. Ist das Sprechtempo gut?\n"),
        "{heard}"
    );
    let comment = "# Words a minute, 80 to 450, on both channels; public_rate and private_rate differ \
                   if given.\n";
    assert_eq!(
        fs::read_to_string(&path).expect("there"),
        old.replace("private_rate = 200\n", &format!("private_rate = 220\n{comment}rate = 220\n"))
    );
    let kept = folder.path().join("annabella.toml.bak");
    assert_eq!(fs::read_to_string(kept).expect("kept"), old);
    let config = Config::load(&path).expect("right");
    assert_eq!((config.speech.private_rate, config.speech.public_rate), (220, 220));
    assert_eq!((config.board.kind, config.game.white.as_str()), (BoardKind::Events, "Ada"));
}

#[test]
fn a_file_that_is_wrong_is_left_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), "[game]\ntime_control = \"soon\"\n");
    let (_, output) = set_up(&path, "Deutsch\nfertig\nja\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("annabella.toml:2: time_control in [game]"), "{}", err(&output));
    assert_eq!(fs::read_to_string(&path).expect("there"), "[game]\ntime_control = \"soon\"\n");
}

#[test]
fn a_folder_that_cannot_be_written_is_said_and_the_answers_are_not_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("no/annabella.toml");
    let (heard, output) = set_up(&path, "Deutsch\nfertig\nja\nnein\nja\n");
    assert_eq!(output.status.code(), Some(1), "{heard}");
    let last = "in the ear: Das konnte ich nicht schreiben. Alles speichern?\n\
                in the ear: Ohne Speichern beenden?\nin the ear: Beendet, nichts gespeichert.\n";
    assert!(heard.ends_with(last), "{heard}");
    assert!(err(&output).contains("is the folder writable?"), "{}", err(&output));
}

#[test]
fn what_is_missing_is_said_in_one_sentence_and_nothing_is_asked_about_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = write(folder.path(), &format!("[speech]\n{SILENT}"));
    let (heard, output) = set_up(&path, "Deutsch\nja\n\nfertig\nja\n");
    assert!(output.status.success(), "{heard}{}", err(&output));
    assert_eq!(heard.matches("Keine Soundkarte gefunden.").count(), 1, "{heard}");
    assert!(!heard.contains("Wo ist"), "{heard}");
}

/// The script that fetches it, with a file for a network.
#[test]
fn what_is_fetched_is_checked_and_there_whole_or_not_at_all() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    fs::create_dir_all(at("vosk-model-x/am")).expect("made");
    fs::write(at("vosk-model-x/am/final.mdl"), "a model").expect("written");
    let zipped = Command::new("python3")
        .args(["-m", "zipfile", "-c", &at("model.zip"), &at("vosk-model-x")])
        .status();
    assert!(zipped.expect("python3 is installed by scripts/setup.sh").success());
    let sum = Command::new("sha256sum").arg(at("model.zip")).output().expect("coreutils");
    let sum = String::from_utf8(sum.stdout).expect("UTF-8");
    let sum = sum.split(' ').next().expect("a sum");
    let script = root().join("scripts/fetch-model.sh");
    let address = format!("file://{}", at("model.zip"));
    let fetch = |address: &str, sum: &str| fetching::run(&script, &[&at("there/de"), address, sum]);
    let nothing = || fs::read_dir(at("there")).is_ok_and(|mut all| all.next().is_none());

    let (fetched, why) = fetch(&format!("file://{}", at("none.zip")), sum);
    assert_eq!(fetched, Fetched::Unreachable);
    assert!(why.is_some_and(|line| line.contains("is there a network?")) && nothing());
    let (fetched, why) = fetch(&address, &"0".repeat(64));
    assert_eq!(fetched, Fetched::Failed);
    assert!(why.is_some_and(|line| line.contains("not the expected file")) && nothing());
    assert_eq!(fetch(&address, sum), (Fetched::There, None));
    assert_eq!(fs::read(at("there/de/am/final.mdl")).expect("there"), b"a model");
    // What came is written down, for the recogniser to compare.
    let sums = fs::read_to_string(at("there/de/fetched.sha256")).expect("sums");
    assert!(sums.ends_with("  am/final.mdl\n") && sums.lines().count() == 1, "{sums}");
    // A second time it is there already, whatever the network does.
    assert_eq!(fetch("file:///nowhere", sum), (Fetched::There, None));
    assert_eq!(fs::read_dir(at("there")).expect("there").count(), 1);
}

#[test]
fn a_braille_display_that_is_there_is_taken_and_no_other_is_replaced() {
    use annabella::service::setup::file::Target;
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("brltty");
    let line = |text: &str| {
        let target = Target::nowhere(text).expect("right").with_display(&socket);
        target.config().braille.line.as_ref().map(ToString::to_string)
    };
    assert_eq!(line(""), None);
    let _brltty = std::os::unix::net::UnixListener::bind(&socket).expect("a socket");
    assert_eq!(line(""), Some(socket.display().to_string()));
    assert_eq!(line("[braille]\nline = \"/run/b\"\n"), Some("/run/b".to_owned()));
    // Of two players nobody knows whose it is.
    let both = "[game]\nblind = \"both\"\n[board_black]\nkind = \"none\"\npath = \"/b\"\n";
    assert_eq!(line(both), None);
}

/// NetworkManager's command, as a script that writes down how it was called.
#[test]
fn the_hotspots_password_stands_in_one_file_that_only_its_owner_reads() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let (profiles, nmcli) = (folder.path().join("profiles"), folder.path().join("nmcli"));
    fs::create_dir(&profiles).expect("made");
    let script = |ends: &str| {
        let calls = folder.path().join("calls").display().to_string();
        fs::write(&nmcli, format!("#!/bin/sh\necho \"$*\" >>{calls}\n{ends}\n")).expect("written");
        fs::set_permissions(&nmcli, fs::Permissions::from_mode(0o755)).expect("a script");
    };
    script("exit 0");
    let password = hotspot::switch_on(&profiles, &nmcli).expect("on");
    assert!(
        password.len() == 12 && password.bytes().all(|byte| byte.is_ascii_digit()),
        "{password}"
    );
    let file = profiles.join("Annabella.nmconnection");
    let profile = fs::read_to_string(&file).expect("written");
    for line in ["type=wifi", "mode=ap", "ssid=Annabella", "key-mgmt=wpa-psk", "method=shared"] {
        assert!(profile.lines().any(|written| written == line), "{line}: {profile}");
    }
    assert!(profile.contains(&format!("psk={password}\n")));
    // NetworkManager takes no profile that others may read.
    assert_eq!(fs::metadata(&file).expect("there").permissions().mode() & 0o777, 0o600);
    let calls = fs::read_to_string(folder.path().join("calls")).expect("called");
    let load = format!("connection load {}\n", file.display());
    assert_eq!(calls, format!("{load}--wait 30 connection up Annabella\n"));
    assert_eq!(hotspot::switch_on(&profiles, &nmcli).as_ref(), Ok(&password), "it stays the same");
    script("echo 'Error: no device could provide the connection.' >&2; exit 4");
    let failed = hotspot::switch_on(&profiles, &nmcli).expect_err("no device");
    assert!(failed.ends_with("Error: no device could provide the connection."), "{failed}");
    assert!(!failed.contains(&password));
    let none = hotspot::switch_on(&folder.path().join("nowhere"), &nmcli).expect_err("no folder");
    assert_eq!(none.lines().count(), 1, "{none}");
}

#[test]
fn the_simulated_file_is_what_a_game_is_played_with() {
    let told = fs::read_to_string(root().join("hardware/setup.md")).expect("there");
    let (_, buttons) = told.split_once("<!-- setup: buttons -->\n```text\n").expect("there");
    let (buttons, _) = buttons.split_once("```").expect("an end");
    let (_, written) = buttons.split_once("\n\n").expect("what is written");
    let config = Config::parse(written, "written").expect("right");
    assert_eq!(config.game.time_control.to_string(), "3+2");
    assert_eq!(config.board.wires.orientation.degrees(), 180);
    assert_eq!((config.sighted.kind, config.clock.kind), (SightedKind::Dgt, ClockKind::Dgt));
    assert_eq!((config.speech.voice.as_str(), config.speech.private_rate), ("m3", 180));
}

/// A key goes down or up, as the kernel writes it.
fn key(keyboard: &mut fs::File, name: &str, down: bool) {
    let mut record = vec![0u8; 16];
    record.extend(1u16.to_ne_bytes());
    record.extend(key_code(name).expect("a key").to_ne_bytes());
    record.extend(i32::from(down).to_ne_bytes());
    keyboard.write_all(&record).expect("written");
    keyboard.flush().expect("written");
}

#[test]
fn the_arrow_keys_of_a_keyboard_are_enough() {
    let folder = tempfile::tempdir().expect("a folder");
    let fifo = folder.path().join("keyboard");
    assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
    let text = format!("[speech]\n{SILENT}[game]\nkeyboard = \"{}\"\n", fifo.display());
    let path = write(folder.path(), &text);
    let mut keyboard =
        fs::OpenOptions::new().read(true).write(true).open(&fifo).expect("a keyboard");
    let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["setup", "--config"])
        .arg(&path)
        .env("PATH", "")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("starts");
    let (send, lines) = std::sync::mpsc::channel();
    let out = std::io::BufReader::new(child.stdout.take().expect("piped"));
    std::thread::spawn(move || {
        use std::io::BufRead;
        out.lines().map_while(Result::ok).try_for_each(|line| send.send(line))
    });
    let asked = |question: &str| {
        let mut heard = Vec::new();
        while let Ok(line) = lines.recv_timeout(PATIENCE) {
            if line.ends_with(question) {
                return;
            }
            heard.push(line);
        }
        panic!("never asked '{question}': {heard:#?}");
    };
    let mut press = |name: &str, held: Duration| {
        key(&mut keyboard, name, true);
        std::thread::sleep(held);
        key(&mut keyboard, name, false);
    };
    let moment = Duration::from_millis(20);
    asked("sakykite septyni.");
    press("left", moment);
    asked("English? Left key: no. Right key: yes.");
    press("right", moment);
    asked("Announce moves in FIDE's German names?");
    press("up", moment);
    asked("Announce moves in FIDE's German names?");
    press("up", Duration::from_millis(1000));
    asked("sakykite septyni.");
    press("enter", moment);
    asked("Announce moves in FIDE's German names?");
    press("left", moment);
    asked("No.");
    press("right", moment);
    asked("Is the speaking rate right?");
    press("backspace", moment);
    asked("Announce moves in FIDE's German names?");
    child.kill().expect("killed");
    child.wait().expect("dead");
    assert_eq!(fs::read_to_string(&path).expect("there"), text);
}

/// At boot: no configuration, nobody there to answer.
#[test]
fn without_anybody_the_game_begins_all_the_same() {
    let folder = tempfile::tempdir().expect("a folder");
    let socket = folder.path().join("notify");
    let manager = std::os::unix::net::UnixDatagram::bind(&socket).expect("a socket");
    manager.set_read_timeout(Some(PATIENCE)).expect("a timeout");
    let path = folder.path().join("annabella.toml");
    let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["play", "--first-boot", "--config"])
        .arg(&path)
        .current_dir(folder.path())
        .env("NOTIFY_SOCKET", &socket)
        // Whoever may speak is waited for.
        .env("VOSK_LIB", folder.path().join("none"))
        .env("PATH", "")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    // A keyboard is waited for.
    let alone = keyboards(key_code("left").expect("a key")).is_empty();
    let mut ready = 0;
    // Once for the set-up, once for the game; never that it stops.
    while ready < if alone { 2 } else { 1 } {
        let mut buffer = [0; 64];
        let length = manager.recv(&mut buffer).expect("word from the service");
        let word = String::from_utf8_lossy(&buffer[..length]).into_owned();
        assert_ne!(word, "STOPPING=1");
        ready += u32::from(word == "READY=1");
    }
    child.kill().expect("killed");
    let output = child.wait_with_output().expect("an end");
    assert_eq!(err(&output).contains("nobody answers the set-up"), alone, "{}", err(&output));
    assert!(out(&output).starts_with("in the ear: Für Deutsch sag eins."), "{}", out(&output));
    assert!(!path.exists());
}

#[test]
fn a_dgt_board_is_found_at_its_port_and_nowhere_else() {
    use annabella::service::setup::ports::{candidates, look};
    use annabella_core::setup::{Maker, Port};
    use annabella_emulators::{
        dgt::{Faults, SimulatedDgt},
        pty::Emulator,
    };
    let folder = tempfile::tempdir().expect("a folder");
    let emulator = |name: &str, faults: &str| {
        let faults = Faults::parse(faults).expect("faults");
        let device = SimulatedDgt::new(1, faults, &shakmaty::Board::default());
        Emulator::start(device, &folder.path().join(name)).expect("a pseudo-terminal")
    };
    let (with, without) = (emulator("with", ""), emulator("without", "no-clock"));
    let file = write(folder.path(), "no port");
    let ports = vec![with.port(), without.port(), file, folder.path().join("gone")];
    let found = look(ports);
    let port = |emulator: &Emulator<SimulatedDgt>, clock| {
        let path = emulator.port().display().to_string();
        Port { path, maker: Maker::Dgt, clock }
    };
    assert_eq!(found, [port(&with, true), port(&without, false)]);
    let gone = folder.path().join("gone");
    let named = candidates(&[with.port(), gone.clone()]);
    assert!(named.contains(&with.port()) && !named.contains(&gone));
}
