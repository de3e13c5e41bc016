//! `annabella demo --hall N --url`: simulated boards in a hall that is there, and their pages as an
//! arbiter uses them.

use std::{
    io::{BufRead as _, BufReader},
    net::TcpListener,
    path::Path,
    process::{Child, Command, Stdio},
    sync::mpsc,
};

use crate::hall::Browser;
use crate::patience::{PATIENCE, until};
use crate::skip::skipped;

/// Boards that play, and the moves that they tell of.
struct Boards {
    child: Child,
    moves: mpsc::Receiver<serde_json::Value>,
}

impl Boards {
    /// Two boards with a second or so for each half-move.
    fn join(url: &str) -> Boards {
        let args = ["demo", "--hall", "2", "--event", "test", "--speed", "60", "--plies", "80"];
        let mut child = Command::new(env!("CARGO_BIN_EXE_annabella-lab"))
            .args(args)
            .args(["--silent", "--json", "--url", url])
            .stdout(Stdio::piped())
            .spawn()
            .expect("runs");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        let (send, moves) = mpsc::channel();
        std::thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .all(|line| send.send(serde_json::from_str(&line).expect("JSON")).is_ok())
        });
        Boards { child, moves }
    }

    /// Waits for a move of this board. Answers how many the others have made meanwhile.
    fn moves(&self, board: u32) -> usize {
        let mut others = 0;
        loop {
            let line = self.moves.recv_timeout(PATIENCE).expect("a move");
            assert!(line["san"].is_string(), "{line}");
            if line["board"] == board {
                return others;
            }
            others += 1;
        }
    }
}

impl Drop for Boards {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A hall of its own server, and somebody with the arbiter's code on its page. Each board's pages
/// are reached through it.
struct RunningHall {
    child: Child,
    url: String,
    arbiter: Browser,
}

impl RunningHall {
    fn start(program: &Path, folder: &Path) -> RunningHall {
        let free = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let server = free.local_addr().expect("an address").to_string();
        drop(free);
        let mut child = Command::new(program)
            .args(["--event", "test", "--page", "127.0.0.1:0", "--listen", &server])
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        let line =
            lines.by_ref().map_while(Result::ok).find(|line| line.contains("codes: arbiter "));
        let line = line.expect("codes");
        let after = |mark: &str, end: char| {
            let rest = line.split(mark).nth(1).expect(mark);
            rest.split(end).next().expect("a value").to_owned()
        };
        let address = after("http://", ';').parse().expect("an address");
        let code = after("codes: arbiter ", ',');
        // What it says later is nobody's concern, but somebody has to take it.
        std::thread::spawn(move || lines.map_while(Result::ok).for_each(drop));
        let mut arbiter = Browser { address, cookies: Default::default(), language: "en" };
        let reply = arbiter.post("/pair", &[("code", &code), ("by", "A. Weber")]);
        assert_eq!(reply.header("location"), Some("/arbiter"), "{reply:?}");
        RunningHall { child, url: format!("nats://{server}"), arbiter }
    }
}

impl Drop for RunningHall {
    fn drop(&mut self) {
        // It ends its own server.
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

#[test]
fn a_rehearsal_is_rehearsed_on_its_boards_pages_and_the_game_waits_while_its_clocks_stand() {
    let asked = Command::new("nats-server").arg("--version").stdout(Stdio::null()).status();
    if !asked.is_ok_and(|status| status.success()) {
        return skipped("nats-server", "there is no hall: install the package nats-server");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_annabella-lab")).with_file_name("annabella-hall");
    if !program.exists() {
        return skipped("annabella-hall", "there is no hall: cargo build --bin annabella-hall");
    }
    let mut hall = RunningHall::start(&program, folder.path());
    let boards = Boards::join(&hall.url);
    let arbiter = &mut hall.arbiter;
    boards.moves(1);
    until("board 1 is on the page", || arbiter.get("/arbiter").has("1. "));
    until("board 1 shows its game", || {
        let page = arbiter.get("/board/1/arbiter");
        page.status == 200 && page.has("value=\"stop-clocks\"") && page.has("id=\"boards\"")
    });

    let stopped = arbiter.post("/board/1/act", &[("act", "stop-clocks")]);
    assert_eq!(stopped.header("location"), Some("/board/1/arbiter#notice"), "{stopped:?}");
    // The half-move that is in the hands is done first.
    until("its clocks stand", || arbiter.get("/board/1/arbiter").has("value=\"start-clocks\""));
    // The other one plays on; at this one no more is made than what was in the hands.
    while boards.moves.try_recv().is_ok() {}
    let made: usize = (0..3).map(|_| boards.moves(2)).sum();
    assert!(made <= 1, "{made} half-moves while the clocks stand");
    let page = arbiter.get("/board/1/arbiter");
    assert!(page.has("value=\"start-clocks\""), "{}", page.body);

    let started = arbiter.post("/board/1/act", &[("act", "start-clocks")]);
    assert_eq!(started.header("location"), Some("/board/1/arbiter#notice"), "{started:?}");
    boards.moves(1);
    until("its clocks run", || arbiter.get("/board/1/arbiter").has("value=\"stop-clocks\""));
}
