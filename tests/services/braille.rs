//! A live Braille line: what stands under the player's fingers, through a simulated brltty and
//! through the real one with a virtual display.

use std::{
    io::{BufRead, BufReader, Write},
    os::unix::net::{UnixListener, UnixStream},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicU32, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use annabella::config::Config;
use annabella_devices::braille::{
    line::{self, BrailleLine, BrlttyAt},
    packets::{DisplayKey, DisplaySize},
};
use annabella_emulators::braille::SimulatedBrltty;

use crate::at_board::{Play, config};
use crate::patience::PATIENCE;
use crate::skip::skipped;

const TWENTY: DisplaySize = DisplaySize { columns: 20, rows: 1 };
const FORTY: DisplaySize = DisplaySize { columns: 40, rows: 1 };
const NONE: DisplaySize = DisplaySize { columns: 0, rows: 0 };

/// A display that can be felt and pressed.
trait Display: Sync {
    /// The text on it, without the empty cells at its end.
    fn text(&self) -> String;
    /// Whether the last cell has the cursor.
    fn goes_on(&self) -> bool;
    fn press(&mut self, key: DisplayKey);
    /// Another one is plugged in.
    fn plug(&mut self, size: DisplaySize);
    fn at(&self) -> BrlttyAt;

    /// Waits until this stands on it; a text that goes on is marked here by `…`.
    fn shows(&self, text: &str) {
        let end = Instant::now() + PATIENCE;
        loop {
            let now = format!("{}{}", self.text(), if self.goes_on() { "…" } else { "" });
            if now == text {
                return;
            }
            assert!(Instant::now() < end, "{now:?} stands on the line, not {text:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

struct Simulated {
    brltty: SimulatedBrltty,
    path: PathBuf,
    columns: u32,
}

impl Simulated {
    fn listen(folder: &Path) -> Simulated {
        let path = folder.join("brltty");
        let brltty = SimulatedBrltty::listen(&path, TWENTY, Some(b"secret\n")).expect("listens");
        Simulated { brltty, path, columns: 20 }
    }
}

impl Display for Simulated {
    fn text(&self) -> String {
        self.brltty.shown().text.trim_end().to_owned()
    }

    fn goes_on(&self) -> bool {
        let cursor = self.brltty.shown().cursor;
        assert!([0, self.columns].contains(&cursor), "{cursor}");
        cursor > 0
    }

    fn press(&mut self, key: DisplayKey) {
        self.brltty.press(key);
    }

    fn plug(&mut self, size: DisplaySize) {
        self.columns = size.columns;
        self.brltty.plug(size);
    }

    fn at(&self) -> BrlttyAt {
        BrlttyAt::Socket(self.path.clone())
    }
}

/// brltty itself, with its virtual display at a socket of ours.
struct Real {
    brltty: Child,
    path: PathBuf,
    display: UnixStream,
    /// The last lines about characters and about dots.
    shown: Arc<Mutex<[String; 2]>>,
    _folder: tempfile::TempDir,
}

impl Real {
    /// `None` where there is no brltty. It wants the key of `key_file`.
    fn start(key_file: &Path) -> Option<Real> {
        let folder = tempfile::tempdir().expect("a folder");
        let socket = folder.path().join("display");
        let listener = UnixListener::bind(&socket).expect("a socket");
        // brltty has its sockets in one folder: each test takes a number of its own.
        static STARTED: AtomicU32 = AtomicU32::new(0);
        let nth = STARTED.fetch_add(1, Ordering::Relaxed);
        let number = format!("{}{nth}", 1000 + std::process::id());
        let brltty = Command::new("brltty")
            .args(["--no-daemon", "--standard-error", "--log-level=error"])
            .args(["--configuration-file=/dev/null", "--screen-driver=no", "--speech-driver=no"])
            .args(["--braille-driver=vr", "--text-table=de"])
            .arg(format!("--braille-device=client:{}", socket.display()))
            .arg(format!("--pid-file={}", folder.path().join("pid").display()))
            .arg(format!("--api-parameters=auth=keyfile:{},host=:{number}", key_file.display()))
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let brltty = match brltty {
            Ok(child) => child,
            Err(_) => {
                skipped("brltty", "the Braille line is tried with a simulated one only");
                return None;
            }
        };
        let (display, _) = listener.accept().expect("brltty looks for its display");
        let lines = BufReader::new(display.try_clone().expect("a socket"));
        let shown = Arc::new(Mutex::new([String::new(), String::new()]));
        let held = Arc::clone(&shown);
        std::thread::spawn(move || {
            for line in lines.lines().map_while(Result::ok) {
                let mut shown = held.lock().expect("whole");
                match line.split_once(' ') {
                    Some(("Visual", text)) => shown[0] = text.to_owned(),
                    Some(("Braille", dots)) => shown[1] = dots.to_owned(),
                    _ => {}
                }
            }
        });
        let path = PathBuf::from(format!("/var/lib/BrlAPI/{number}"));
        let mut real = Real { brltty, path, display, shown, _folder: folder };
        real.plug(TWENTY);
        // It opens its socket before it knows the size of its display.
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        let end = Instant::now() + PATIENCE;
        while runtime.block_on(line::look(&real.at(), key_file)) != Ok(TWENTY) {
            assert!(Instant::now() < end, "brltty does not get its display");
            std::thread::sleep(Duration::from_millis(50));
        }
        Some(real)
    }
}

impl Drop for Real {
    fn drop(&mut self) {
        // Without its display it goes when it is asked to, and cleans up behind itself.
        let _ = self.display.shutdown(std::net::Shutdown::Both);
        let pid = self.brltty.id().to_string();
        let _ = Command::new("kill").arg(&pid).status();
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end && !matches!(self.brltty.try_wait(), Ok(Some(_))) {
            std::thread::sleep(Duration::from_millis(50));
        }
        let _ = self.brltty.kill();
        let _ = self.brltty.wait();
    }
}

impl Display for Real {
    /// What is beyond ASCII is written by its number.
    fn text(&self) -> String {
        let shown = self.shown.lock().expect("whole")[0].clone();
        shown.trim_matches('"').trim_end().to_owned()
    }

    /// Dots 7 and 8 of the last cell.
    fn goes_on(&self) -> bool {
        let dots = self.shown.lock().expect("whole")[1].clone();
        dots.trim_matches('"').rsplit('|').next().is_some_and(|last| last.ends_with("78"))
    }

    fn press(&mut self, key: DisplayKey) {
        let name = match key {
            DisplayKey::Left => "FWINLT",
            DisplayKey::Right => "FWINRT",
            DisplayKey::Up => "LNUP",
            DisplayKey::Down => "LNDN",
            DisplayKey::Route => "ROUTE 3",
        };
        writeln!(self.display, "{name}").expect("written");
    }

    fn plug(&mut self, size: DisplaySize) {
        writeln!(self.display, "cells {} {}", size.columns, size.rows).expect("written");
    }

    fn at(&self) -> BrlttyAt {
        BrlttyAt::Socket(self.path.clone())
    }
}

fn key_file(folder: &Path) -> PathBuf {
    let path = folder.join("key");
    std::fs::write(&path, "secret\n").expect("written");
    path
}

/// What every brltty must do.
fn is_read(display: &mut dyn Display, key_file: &Path) {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let _inside = runtime.enter();
    let (tell, told) = mpsc::channel();
    let complain = Box::new(move |line| tell.send(line).expect("a listener"));
    let line = BrailleLine::open(display.at(), key_file, complain);
    line.read(|reading| reading.show("Bauer e7 e5", false));
    display.shows("Bauer e7 e5");
    line.read(|reading| reading.show("Springer g1 takes f3, check", false));
    display.shows("Springer g1 takes…");
    for (key, text) in [
        (DisplayKey::Right, "f3, check"),
        (DisplayKey::Left, "Springer g1 takes…"),
        (DisplayKey::Up, "Bauer e7 e5"),
        (DisplayKey::Down, "Springer g1 takes…"),
        (DisplayKey::Left, "Bauer e7 e5"),
        (DisplayKey::Route, "Springer g1 takes…"),
    ] {
        display.press(key);
        display.shows(text);
    }
    display.plug(FORTY);
    display.shows("Springer g1 takes f3, check");
    let size = runtime.block_on(line::look(&display.at(), key_file));
    assert_eq!(size, Ok(FORTY));
    drop(line);
    assert_eq!(told.iter().collect::<Vec<String>>(), [""; 0]);
}

#[test]
fn a_simulated_display_is_read_and_paged() {
    let folder = tempfile::tempdir().expect("a folder");
    is_read(&mut Simulated::listen(folder.path()), &key_file(folder.path()));
}

#[test]
fn a_display_of_the_real_brltty_is_read_and_paged() {
    let folder = tempfile::tempdir().expect("a folder");
    let key_file = key_file(folder.path());
    if let Some(mut real) = Real::start(&key_file) {
        is_read(&mut real, &key_file);
    }
}

/// The lines of a configuration: `[braille]` with this line.
fn section(folder: &Path, line: &dyn Display) -> String {
    let key_file = key_file(folder);
    format!("[braille]\nkey_file = \"{}\"\nline = \"{}\"\n", key_file.display(), line.at())
}

fn says(play: &mut Play, text: &str) {
    play.send(&serde_json::json!({ "announce": text }).to_string());
}

/// A short game as it is felt, on 20 cells.
fn is_played(display: &mut dyn Display, folder: &Path) {
    let mut play = Play::start(&config(folder, &section(folder, display)));
    says(&mut play, "letzter Zug");
    display.shows("Noch kein Zug.");
    play.moves("g1", "f3");
    display.shows("Springer g1 f3");
    play.send(r#"{"press":"white"}"#);
    play.until_move("g1f3", "completed");
    // Nobody repeats what the opponent announces himself; his fingers have it all the same.
    says(&mut play, "Bauer Eva sieben Eva vier");
    display.shows("Nicht möglich: Bauer…");
    display.press(DisplayKey::Right);
    display.shows("e7 e4.");
    says(&mut play, "Bauer Eva sieben Eva fünf");
    display.shows("Bauer e7 e5");
    play.moves("e7", "e5");
    play.until_move("e7e5", "made");
    play.send(r#"{"press":"black"}"#);
    play.until_move("e7e5", "completed");
    // Times come only when they are asked for.
    says(&mut play, "beide Zeiten");
    display.shows("Du: eine Stunde…");
    display.press(DisplayKey::Right);
    display.shows("dreißig Minuten.…");
    display.press(DisplayKey::Right);
    display.shows("Gegner: eine Stunde…");
    display.press(DisplayKey::Right);
    display.shows("dreißig Minuten.");
    says(&mut play, "ich gebe auf");
    display.shows("Weiß gibt auf?");
    // There are no pages: whoever sits opposite may have said it.
    says(&mut play, "nein");
    // What is said at one moment is one text: "Gut, dann nicht." follows.
    display.shows("Schwarz? Dann sag:…");
    display.press(DisplayKey::Up);
    display.shows("Weiß gibt auf?");
    // It is stopped: the words stay for a while.
    std::thread::scope(|scope| {
        scope.spawn(|| display.shows("Partie bleibt…"));
        play.interrupt();
    });
}

#[test]
fn a_game_is_felt() {
    let folder = tempfile::tempdir().expect("a folder");
    is_played(&mut Simulated::listen(folder.path()), folder.path());
}

#[test]
fn a_game_is_felt_through_the_real_brltty() {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(mut real) = Real::start(&key_file(folder.path())) {
        is_played(&mut real, folder.path());
    }
}

/// A set-up as it is felt, on 20 cells: the question, and how the answer was understood.
fn is_set_up(display: &mut dyn Display, folder: &Path) {
    let path = config(folder, &section(folder, display));
    let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["setup", "--typed", "--config"])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    display.shows("Für Deutsch sag…");
    for (typed, text) in [
        ("eins", "Eins. Sag: ja, nein,…"),
        ("Quatsch", "Bitte?"),
        ("nein", "Nein. Schneller."),
        ("fertig", "Fertig. Alles…"),
    ] {
        writeln!(stdin, "{typed}").expect("written");
        display.shows(text);
    }
    display.press(DisplayKey::Right);
    display.shows("speichern?");
    std::thread::scope(|scope| {
        scope.spawn(|| display.shows("Ja. Gespeichert."));
        writeln!(stdin, "ja").expect("written");
        assert!(child.wait().expect("ends").success());
    });
}

#[test]
fn a_set_up_is_felt() {
    let folder = tempfile::tempdir().expect("a folder");
    is_set_up(&mut Simulated::listen(folder.path()), folder.path());
}

#[test]
fn a_set_up_is_felt_through_the_real_brltty() {
    let folder = tempfile::tempdir().expect("a folder");
    if let Some(mut real) = Real::start(&key_file(folder.path())) {
        is_set_up(&mut real, folder.path());
    }
}

#[test]
fn a_game_is_set_up_and_its_result_is_felt_to_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let display = Simulated::listen(folder.path());
    let path = config(folder.path(), &section(folder.path(), &display));
    let mut play = Play::start_with(&path, &["--setup"]);
    display.shows("Neue Partie. Du hast…");
    says(&mut play, "Bedenkzeit");
    display.shows("Bedenkzeit. Welche…");
    says(&mut play, "Blitz");
    display.shows("Drei Minuten plus…");
    says(&mut play, "los");
    display.shows("Los. Heb kurz den…");
    play.moves("e2", "e2");
    display.shows("Grundstellung. Alles…");
    says(&mut play, "ja");
    play.moves("g1", "f3");
    display.shows("Springer g1 f3");
    says(&mut play, "ich gebe auf");
    display.shows("Weiß gibt auf?");
    says(&mut play, "ja");
    display.shows("Weiß gibt auf.…");
    // Nothing else comes, and the service waits while it is read.
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_secs(1));
            assert_eq!(display.text(), "Weiß gibt auf.");
        });
        play.interrupt();
    });
}

#[test]
fn why_no_game_begins_is_felt() {
    let folder = tempfile::tempdir().expect("a folder");
    let display = Simulated::listen(folder.path());
    let path = config(folder.path(), &section(folder.path(), &display));
    std::fs::create_dir(folder.path().join("games.db")).expect("in the journal's place");
    let play = Play::start(&path);
    display.shows("Partien lassen sich…");
    let output = play.end();
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn a_test_of_the_board_is_felt() {
    let folder = tempfile::tempdir().expect("a folder");
    let display = Simulated::listen(folder.path());
    let path = config(folder.path(), &section(folder.path(), &display));
    let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["board", "test", "--simulate", "--config"])
        .arg(&path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("starts");
    display.shows("Entferne alle…");
    child.kill().expect("killed");
    child.wait().expect("dead");
}

#[test]
fn the_game_goes_on_without_brltty_and_finds_it_again() {
    let folder = tempfile::tempdir().expect("a folder");
    // It is not there when the game begins, then it is, then it is gone, then its display is.
    let display = Simulated::listen(folder.path());
    let path = config(folder.path(), &section(folder.path(), &display));
    drop(display);
    let mut play = Play::start(&path);
    says(&mut play, "letzter Zug");
    play.until("an answer", |line| line["say"]["text"] == "Noch kein Zug.");
    let display = Simulated::listen(folder.path());
    display.shows("Noch kein Zug.");
    drop(display);
    play.moves("g1", "f3");
    play.until_move("g1f3", "made");
    let mut display = Simulated::listen(folder.path());
    display.shows("Springer g1 f3");
    display.plug(NONE);
    std::thread::sleep(Duration::from_secs(3));
    display.plug(FORTY);
    display.shows("Springer g1 f3");
    display.brltty.hang_up();
    display.shows("Springer g1 f3");
    let said = String::from_utf8(play.end().stderr).expect("UTF-8");
    let at = display.at();
    let missing = format!(
        "annabella: no Braille line: no brltty answers at {at}: start it (sudo systemctl start brltty), or \
         correct [braille] line"
    );
    let lost = format!("annabella: no Braille line: lost brltty at {at} (it has hung up)");
    let there = "annabella: the Braille line is there";
    let no_display =
        "annabella: no Braille line: brltty has no Braille display: plug it in and switch it on";
    let lines: Vec<&str> = said.lines().filter(|line| line.contains("Braille")).collect();
    assert_eq!(lines, [&missing, there, &lost, there, no_display, there, &lost, there]);
}

#[test]
fn a_wrong_key_is_told_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let display = Simulated::listen(folder.path());
    let section = section(folder.path(), &display);
    std::fs::write(folder.path().join("key"), "guessed\n").expect("written");
    let play = Play::start(&config(folder.path(), &section));
    std::thread::sleep(Duration::from_secs(3));
    let said = String::from_utf8(play.end().stderr).expect("UTF-8");
    let told = format!(
        "annabella: no Braille line: brltty refuses the service (error 17): is {} the key that brltty has?",
        folder.path().join("key").display()
    );
    assert_eq!(said.lines().filter(|line| line.contains("raille")).collect::<Vec<_>>(), [told]);
}

#[test]
fn two_blind_players_read_what_is_theirs() {
    let folder = tempfile::tempdir().expect("a folder");
    let (one, two) = (folder.path().join("white"), folder.path().join("black"));
    for folder in [&one, &two] {
        std::fs::create_dir(folder).expect("a folder");
    }
    let (white, black) = (Simulated::listen(&one), Simulated::listen(&two));
    let pegs = folder.path().join("pegs");
    assert!(Command::new("mkfifo").arg(&pegs).status().expect("mkfifo").success());
    let _open = std::fs::File::options().read(true).write(true).open(&pegs).expect("a FIFO");
    let more = format!(
        "{}line_black = \"{}\"\n[game]\nblind = \"both\"\n[board_black]\nkind = \"events\"\npath = \"{}\"\n",
        section(folder.path(), &white),
        black.at(),
        pegs.display()
    );
    let mut play = Play::start(&config(folder.path(), &more));
    play.moves("g1", "f3");
    white.shows("Springer g1 f3");
    black.shows("Springer g1 f3");
    play.send(r#"{"announce":"wer ist am Zug","seat":"black"}"#);
    black.shows("Schwarz am Zug.");
    play.send(r#"{"announce":"letzter Zug","seat":"white"}"#);
    white.shows("Springer g1 f3.");
    black.shows("Schwarz am Zug.");
    play.kill();
}

#[test]
fn each_has_a_line_of_his_own() {
    let refusal = |text: &str| Config::parse(text, "a.toml").expect_err("wrong").to_string();
    assert_eq!(
        refusal("[braille]\nline = \"brltty\"\n"),
        "a.toml:2: line in [braille] is \"brltty\"; allowed: brltty's socket, as in \"/var/lib/BrlAPI/0\", its \
         host and port, as in \"192.168.1.5:4101\", or \"\" for none"
    );
    assert_eq!(
        refusal("[braille]\nline_black = \"/run/b\"\n"),
        "a.toml:2: [braille] line_black is for two blind players: the line of the only one is line; set blind = \
         \"both\" in [game], or leave it out"
    );
    let both = "[game]\nblind = \"both\"\n[board]\nkind = \"none\"\npath = \"/a\"\n[board_black]\nkind = \
                \"none\"\npath = \"/b\"\n[braille]\nline = \"/run/a\"\nline_black = \"/run/a\"\n";
    assert_eq!(
        refusal(both),
        "a.toml:11: [braille] line_black: /run/a is White's line, and he would read what is private to Black: give \
         Black a brltty of his own"
    );
}
