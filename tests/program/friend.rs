//! Two evenings with a friend on one machine, as they are called: two programs, two services,
//! nothing but a line between.

use std::{
    fs,
    io::{BufRead as _, BufReader, Write as _},
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::mpsc,
};

use annabella_core::game::Game;
use annabella_records::journal::Journal;

use crate::{
    at_board::Play,
    at_home::built,
    patience::{PATIENCE, until},
};

/// One player's machine.
struct Machine {
    folder: tempfile::TempDir,
}

/// An evening there: the table, and what the program says in the terminal.
struct Evening {
    play: Play,
    said: mpsc::Receiver<String>,
}

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().expect("a folder");
        let base = "[board]\nkind = \"none\"\n[speech]\nengine = \"none\"\nlisten = \"off\"\n";
        fs::write(folder.path().join("annabella.toml"), base).expect("written");
        Machine { folder }
    }

    fn call(&self, words: &[&str]) -> Command {
        let mut command = Command::new(built("annabella-partner"));
        command.arg("friend").args(words).arg("--json");
        command.arg("--config").arg(self.folder.path().join("annabella.toml"));
        command.arg("--folder").arg(self.home());
        command
    }

    fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    fn begins(&self, words: &[&str]) -> Evening {
        let mut play = Play::start_by(self.call(words));
        let stderr = BufReader::new(play.child.stderr.take().expect("piped"));
        let (send, said) = mpsc::channel();
        std::thread::spawn(move || {
            for line in stderr.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Evening { play, said }
    }

    /// It fails, and says one line.
    fn fails(&self, words: &[&str], code: i32) -> String {
        let ended = self.call(words).stdin(Stdio::null()).output().expect("ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{words:?}: {said}");
        said
    }

    fn number_file(&self, digits: &str) -> String {
        let path = self.folder.path().join("number");
        fs::write(&path, format!("{digits}\n")).expect("written");
        path.display().to_string()
    }

    /// The moves and the result of the last game with this friend.
    fn record(&self, friend: &str) -> (Vec<String>, String, usize) {
        let journal = self.home().join("friends").join(friend).join("home.db");
        let journal = Journal::open(journal).expect("a journal");
        let games = journal.games().expect("rows");
        let last = games.last().expect("a game").id;
        let (game, _) = Game::replay(journal.inputs(last).expect("inputs"));
        let record = game.record().expect("a game");
        let moves = record.line.iter().map(|ply| ply.san.clone()).collect();
        let result = record.ended.map(|ended| ended.result.to_string()).unwrap_or_default();
        (moves, result, games.len())
    }
}

impl Evening {
    /// A line in the terminal that has this in it.
    fn told(&self, text: &str) -> String {
        loop {
            let line = self.said.recv_timeout(PATIENCE);
            let line = line.unwrap_or_else(|_| panic!("never told: {text}"));
            if line.contains(text) {
                return line;
            }
        }
    }

    fn says(&mut self, text: &str) {
        self.play.send(text);
    }

    fn spoken(&self, text: &str) {
        self.play.until(text, |line| {
            line["say"]["text"].as_str().is_some_and(|said| said.starts_with(text))
        });
    }

    fn completed(&self, uci: &str) {
        self.play.until_move(uci, "completed");
    }

    /// The program is killed, and its service ends with it; or somebody turns the machine off, and
    /// both are killed.
    fn dies(self, with_the_machine: bool) {
        let pid = self.play.child.id();
        let children = fs::read_to_string(format!("/proc/{pid}/task/{pid}/children"));
        let children = children.expect("its children");
        let children = children.split_whitespace();
        if with_the_machine {
            for child in children.clone() {
                let killed = Command::new("kill").args(["-KILL", child]).status();
                assert!(killed.expect("kill").success());
            }
        }
        self.play.kill();
        for child in children {
            until("it is gone", || {
                !Path::new(&format!("/proc/{child}/status")).exists() || zombie(child)
            });
        }
    }
}

fn zombie(pid: &str) -> bool {
    let status = fs::read_to_string(format!("/proc/{pid}/status"));
    status.is_ok_and(|status| status.contains("State:\tZ"))
}

/// The port and the number in "waiting for … at port 1234: read out the number 1 2 3 4, 5 6 7 8".
fn port_and_number(line: &str) -> (String, String) {
    let (_, rest) = line.split_once(" at port ").expect("a port");
    match rest.split_once(": read out the number ") {
        Some((port, number)) => (port.to_owned(), number.to_owned()),
        None => (rest.trim().to_owned(), String::new()),
    }
}

#[test]
fn two_friends_are_introduced_by_a_number_play_are_interrupted_and_play_on_to_the_end() {
    let (anna, boris) = (Machine::new(), Machine::new());
    let mut white = anna.begins(&["Boris", "--wait", "--port", "0", "--time", "30+20"]);
    let (port, number) = port_and_number(&white.told("waiting for Boris"));
    white.spoken(&format!("Ich warte auf Boris. Lies diese Zahl vor: {number}"));
    let at = format!("127.0.0.1:{port}");
    // A wrong number first: both hear it.
    let wrong = if number.starts_with('1') { "2222 2222" } else { "1111 1111" };
    let wrong = boris.number_file(wrong);
    let said = boris.fails(&["Anna", "--at", &at, "--number-file", &wrong], 1);
    assert!(said.contains("another word counts") && said.lines().count() == 1, "{said}");
    white.spoken("Jemand hat eine falsche Zahl eingegeben.");
    let right = boris.number_file(&number);
    let mut black = boris.begins(&["Anna", "--at", &at, "--number-file", &right]);
    black.told("you have Black, against Anna");
    white.spoken("Du hast Weiß, gegen Boris. Die Partie läuft.");
    black.spoken("Du hast Schwarz, gegen Anna. Die Partie läuft.");
    white.says("Bauer Felix zwei Felix drei");
    white.says("fertig");
    black.completed("f2f3");
    black.says("Bauer Eva sieben Eva fünf");
    black.says("fertig");
    white.completed("e7e5");
    // A stranger, and a third with the same program.
    let mut stranger = TcpStream::connect(&at).expect("the port");
    stranger.write_all(b"GET / HTTP/1.1\r\n\r\n").expect("sent");
    let carl = Machine::new();
    let said = carl.fails(&["Anna", "--at", &at, "--number-file", &carl.number_file(&number)], 1);
    assert!(said.contains("does not know this program"), "{said}");
    // One machine is turned off, the other evening is interrupted: tomorrow no number is needed.
    white.dies(true);
    black.spoken("Keine Verbindung zu deinem Gegner.");
    black.play.interrupt();
    let mut white = anna.begins(&["boris", "--wait", "--port", &port]);
    white.told("the last game is played on");
    white.spoken("Ich warte auf boris.");
    let mut black = boris.begins(&["Anna"]);
    white.spoken("Du hast Weiß, gegen boris. Die Partie läuft.");
    black.spoken("Du hast Schwarz, gegen Anna. Die Partie läuft.");
    white.says("Bauer Gustav zwei Gustav vier");
    white.says("fertig");
    black.completed("g2g4");
    black.says("Dame David acht Hector vier");
    white.play.until("the result", |line| line["result"] == "0-1");
    black.play.until("the result", |line| line["result"] == "0-1");
    let over = |machine: &Machine, friend: &str| {
        let path = machine.home().join("friends").join(friend).join("game.json");
        until("it is noted", || {
            fs::read_to_string(&path).is_ok_and(|text| text.contains("\"over\":true"))
        });
    };
    over(&anna, "boris");
    over(&boris, "anna");
    white.play.interrupt();
    black.play.interrupt();
    let moves = ["f3", "e5", "g4", "Qh4#"].map(str::to_owned).to_vec();
    assert_eq!(anna.record("boris"), (moves.clone(), "0-1".to_owned(), 1));
    assert_eq!(boris.record("anna"), (moves, "0-1".to_owned(), 1));
    // The next game has other colours.
    let white = anna.begins(&["Boris", "--wait", "--port", &port]);
    let black = boris.begins(&["Anna"]);
    black.told("you have White, against Anna");
    white.spoken("Du hast Schwarz, gegen Boris. Die Partie läuft.");
    white.dies(false);
    black.play.interrupt();
}

#[test]
fn a_wrong_call_is_said_in_one_line_before_anything_is_begun() {
    let machine = Machine::new();
    let number = machine.number_file("123");
    for (words, code, says) in [
        (&["Anna"][..], 2, "say --wait, or --at"),
        (&["../x", "--wait"], 2, "a name has letters"),
        (&["Anna", "--at", "a b"], 2, "write the address as in"),
        (
            &["Anna", "--at", "127.0.0.1:1", "--number-file", &number],
            2,
            "no number of eight digits",
        ),
        (&["Anna", "--at", "127.0.0.1:1", "--number-file", "/nowhere/x"], 3, "/nowhere/x"),
        (&["Anna", "--wait", "--time", "x"], 2, "--time"),
        (&["Anna", "--colour", "white"], 2, "--wait"),
    ] {
        let said = machine.fails(words, code);
        assert!(said.contains(says) && said.lines().count() == 1, "{words:?}: {said}");
    }
    let taken = std::net::TcpListener::bind("[::]:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let also = std::net::TcpListener::bind(("0.0.0.0", port.parse().expect("one")));
    let said = machine.fails(&["Anna", "--wait", "--port", &port], 3);
    assert!(said.contains(&format!("cannot wait at port {port}")), "{said}");
    drop(also);
}
