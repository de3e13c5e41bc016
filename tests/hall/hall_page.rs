//! The page of the hall, and boards' own pages through it: what waits, who may do what, and that of
//! two decisions about one question the first counts.

use std::{
    collections::BTreeMap,
    io::{BufRead as _, BufReader},
    net::{SocketAddr, TcpListener},
    path::Path,
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
};

use annabella_console::{
    ActAnswer, Codes, ConsoleSettings, Desk, HallEntry, PASSED, Passed, Role, View,
};
use annabella_core::{
    game::{Game, Input, Running, Task},
    laws::Article,
};
use annabella_hall::{
    floor::{BoardStands, GameStands, Need, NeedKind},
    page::{HallPage, PageSettings},
};
use annabella_records::journal::{GameId, Records};
use annabella_words::phrase::Note;
use shakmaty::Color;

use crate::at_board::Play;
use crate::hall::{Browser, Reply, raw};
use crate::patience::{PATIENCE, until};
use crate::skip::skipped;

pub(super) fn has_server() -> bool {
    let asked = Command::new("nats-server").arg("--version").stdout(Stdio::null()).status();
    let there = asked.is_ok_and(|status| status.success());
    if !there {
        skipped("nats-server", "nothing goes through the hall: install the package nats-server");
    }
    there
}

fn browser(address: SocketAddr) -> Browser {
    Browser { address, cookies: BTreeMap::new(), language: "en" }
}

/// A hall of its own server, and its lines on standard error.
pub(super) struct RunningHall {
    child: Child,
    lines: mpsc::Receiver<String>,
    pub(super) server: SocketAddr,
    pub(super) page: SocketAddr,
    /// The arbiter's that is good next.
    pub(super) code: String,
}

impl RunningHall {
    /// Stops or wakes the program, not its server.
    pub(super) fn signal(&self, name: &str) {
        signal(&self.child, name);
    }

    pub(super) fn start(folder: &Path, more: &[&str]) -> RunningHall {
        let free = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let server = free.local_addr().expect("an address");
        drop(free);
        let mut child = Command::new(env!("CARGO_BIN_EXE_annabella-hall"))
            .args(["--event", "test", "--page", "127.0.0.1:0", "--listen", &server.to_string()])
            .args(more)
            .current_dir(folder)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("runs");
        let (send, lines) = mpsc::channel();
        let stderr = BufReader::new(child.stderr.take().expect("piped"));
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).all(|line| send.send(line).is_ok())
        });
        let page = SocketAddr::from(([127, 0, 0, 1], 0));
        let mut hall = RunningHall { child, lines, server, page, code: String::new() };
        let line = hall.next_codes();
        let (_, rest) = line.split_once("http://").expect("an address");
        hall.page = rest.split(';').next().expect("an address").parse().expect("an address");
        hall
    }

    /// The line with the next codes; the arbiter's is kept.
    fn next_codes(&mut self) -> String {
        loop {
            let line = self.lines.recv_timeout(PATIENCE).expect("codes");
            if let Some((_, code)) = line.split_once("codes: arbiter ") {
                self.code = code.split(',').next().expect("a code").to_owned();
                return line;
            }
        }
    }

    /// Somebody who shows the arbiter's code.
    pub(super) fn arbiter(&mut self, name: &str) -> Browser {
        let mut browser = browser(self.page);
        let reply = browser.post("/pair", &[("code", &self.code), ("by", name)]);
        assert_eq!(reply.header("location"), Some("/arbiter"), "{reply:?}");
        self.next_codes();
        browser
    }
}

impl Drop for RunningHall {
    fn drop(&mut self) {
        let _ = Command::new("kill").arg(self.child.id().to_string()).status();
        let _ = self.child.wait();
    }
}

/// Sends a signal to a program.
pub(super) fn signal(to: &Child, name: &str) {
    send(name, &[to.id().to_string()]);
}

/// And to the programs that it has started.
pub(super) fn signal_family(to: &Child, name: &str) {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", to.id())).expect("tasks");
    let children =
        tasks.filter_map(|task| std::fs::read_to_string(task.ok()?.path().join("children")).ok());
    let children: String = children.collect();
    let family = std::iter::once(to.id().to_string());
    let family: Vec<String> =
        family.chain(children.split_whitespace().map(str::to_owned)).collect();
    send(name, &family);
}

fn send(name: &str, to: &[String]) {
    let sent = Command::new("kill").arg(name).args(to).status();
    assert!(sent.expect("kill runs").success(), "{name}");
}

/// `annabella play` as this board of the hall.
pub(super) fn board(folder: &Path, server: SocketAddr, number: u32) -> Play {
    let path = folder.join(format!("{number}.toml"));
    let text = format!(
        "[game]\nwhite = \"Anna\"\nblack = \"Berta\"\n[board]\nkind = \"events\"\npath = \"-\"\nsettle_ms = 60\n\
         castling_ms = 120\n[sighted]\nkind = \"page\"\n[speech]\nengine = \"none\"\nlisten = \"off\"\n\
         [console]\nlisten = \"127.0.0.1:0\"\n[journal]\npath = \"{}\"\n\
         [hall]\nurl = \"nats://{server}\"\nevent = \"test\"\nboard = {number}\n",
        folder.join(format!("{number}.db")).display(),
    );
    std::fs::write(&path, text).expect("written");
    Play::start(&path)
}

/// The own server's process of a hall, as it says itself where a client asks it nothing.
fn server_of(hall: &RunningHall) -> u32 {
    let children = format!("/proc/{0}/task/{0}/children", hall.child.id());
    let mut found = None;
    until("the server runs", || {
        let text = std::fs::read_to_string(&children).unwrap_or_default();
        found = text.split_whitespace().filter_map(|id| id.parse().ok()).find(|id: &u32| {
            let name = std::fs::read_to_string(format!("/proc/{id}/comm")).unwrap_or_default();
            name.trim() == "nats-server"
        });
        found.is_some()
    });
    found.expect("a server")
}

#[test]
fn a_hall_whose_own_server_is_killed_starts_it_again_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    if !has_server() {
        return;
    }
    let mut hall = RunningHall::start(folder.path(), &[]);
    for kill in 0..3 {
        let server = server_of(&hall);
        let killed = Command::new("kill").args(["-9", &server.to_string()]).status();
        assert!(killed.expect("kill runs").success());
        until("another one runs", || server_of(&hall) != server);
        until("it answers", || std::net::TcpStream::connect(hall.server).is_ok());
        assert!(hall.child.try_wait().expect("looked").is_none(), "kill {kill}");
    }
    // The page is served on, and a board comes in.
    let _arbiter = hall.arbiter("A. Weber");
}

/// The inputs of a board's journal, as they are written there.
fn journal(folder: &Path, number: u32) -> Vec<String> {
    let records = Records::open(folder.join(format!("{number}.db"))).expect("a journal");
    let inputs = records.inputs(GameId { number: 1 }).expect("rows");
    inputs.iter().map(|(_, input)| serde_json::json!(input).to_string()).collect()
}

/// The arbiters' decisions among them that count. One that came too late is in the journal too, as
/// everything is that was asked of the game, and the game refuses it.
fn decisions(folder: &Path, number: u32) -> Vec<String> {
    let records = Records::open(folder.join(format!("{number}.db"))).expect("a journal");
    let mut game = Game::new();
    let inputs = records.inputs(GameId { number: 1 }).expect("rows");
    inputs
        .into_iter()
        .filter_map(|(at, input)| {
            let text =
                matches!(input, Input::Arbiter(_)).then(|| serde_json::json!(input).to_string());
            let outputs = game.handle(at, input).ok()?;
            text.filter(|_| Desk::answer(&outputs) == ActAnswer::Accepted)
        })
        .collect()
}

/// Black claims a draw that is none: an arbiter has to decide.
const CLAIMS: [(&str, &str); 5] = [
    ("act", "says"),
    ("seat", "black"),
    ("word", "claims-draw"),
    ("by", "repetition"),
    ("sure", "yes"),
];

/// The number of the first open question on a board's page.
fn question(page: &str) -> Option<String> {
    let number = page.split("name=\"number\" value=\"").nth(1)?;
    Some(number.chars().take_while(char::is_ascii_digit).collect())
}

/// An arbiter as a program: decides whatever waits on the hall's page in the same way, until all is
/// over. Answers how often he decided, and how often another had.
fn decides(
    mut browser: Browser,
    form: Vec<(&'static str, &'static str)>,
    over: &AtomicBool,
) -> (u32, u32) {
    let (mut first, mut late) = (0, 0);
    while !over.load(Ordering::Relaxed) {
        let page = browser.get("/arbiter").body;
        let waits =
            page.split("id=\"needs\"").nth(1).and_then(|rest| rest.split("</section>").next());
        for number in BOARDS {
            if !waits.is_some_and(|waits| waits.contains(&format!("/board/{number}/"))) {
                continue;
            }
            let open = browser.get(&format!("/board/{number}/arbiter")).body;
            let Some(question) = question(&open) else { continue };
            let form = [&form[..], &[("number", question.as_str())]].concat();
            assert_eq!(browser.post(&format!("/board/{number}/act"), &form).status, 303);
            let done = browser.get(&format!("/board/{number}/arbiter")).has("class=\"good\"");
            (first, late) = (first + u32::from(done), late + u32::from(!done));
        }
    }
    (first, late)
}

const BOARDS: [u32; 3] = [17, 18, 19];

#[test]
fn two_arbiters_answer_whatever_is_asked_and_each_decision_stands_once() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let mut plays = BOARDS.map(|number| board(folder.path(), hall.server, number));
    let mut clara = hall.arbiter("C. Lang");
    let arbiters = [hall.arbiter("A. Weber"), hall.arbiter("B. Roth")];
    for (play, number) in plays.iter_mut().zip(BOARDS) {
        until("the board answers", || clara.get(&format!("/board/{number}/arbiter")).status == 200);
        play.moves("g1", "f3");
        play.until_move("g1f3", "made");
    }
    let over = AtomicBool::new(false);
    const CLAIMED: usize = 4;
    let counts = std::thread::scope(|scope| {
        let forms = [vec![("act", "confirm")], vec![("act", "dismiss"), ("reason", "no claim")]];
        let deciding: Vec<_> = arbiters
            .into_iter()
            .zip(forms)
            .map(|(browser, form)| scope.spawn(|| decides(browser, form, &over)))
            .collect();
        for claimed in 1..=CLAIMED {
            for number in BOARDS {
                assert_eq!(clara.post(&format!("/board/{number}/act"), &CLAIMS).status, 303);
            }
            for number in BOARDS {
                until("it is decided", || decisions(folder.path(), number).len() >= claimed);
            }
        }
        // Whoever is late is late now.
        until("nothing waits", || clara.get("/arbiter").has("Nothing waits."));
        over.store(true, Ordering::Relaxed);
        deciding.into_iter().map(|one| one.join().expect("decides")).collect::<Vec<_>>()
    });
    println!("decided, too late: {counts:?}");
    for number in BOARDS {
        let decisions = decisions(folder.path(), number);
        assert_eq!(decisions.len(), CLAIMED, "{decisions:?}");
        for decision in &decisions {
            let weber = decision.contains("A. Weber") && decision.contains("confirm");
            let roth = decision.contains("B. Roth") && decision.contains("dismiss");
            assert!(weber != roth, "{decision}");
        }
    }
    let decided: u32 = counts.iter().map(|(first, _)| first).sum();
    assert_eq!(decided as usize, CLAIMED * BOARDS.len());
}

#[test]
fn an_arbiter_decides_through_the_hall_and_of_two_decisions_the_first_counts() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let mut plays = [17, 18].map(|number| board(folder.path(), hall.server, number));
    let (mut weber, mut roth) = (hall.arbiter("A. Weber"), hall.arbiter("B. Roth"));
    until("both boards are on the page", || {
        let page = weber.get("/arbiter");
        page.has("id=\"board-17\"") && page.has("id=\"board-18\"")
    });
    until("board 17 answers", || weber.get("/board/17/arbiter").status == 200);
    let mut live = roth.live();
    let mut news = roth.live_at("/board/17/live");

    // Black claims a draw that is none: the opponent's two minutes wait for a decision.
    plays[0].moves("g1", "f3");
    plays[0].until_move("g1f3", "made");
    live.until(|name, data| {
        name == "part" && data["id"] == "board-17" && data["html"].to_string().contains("1. Nf3")
    });
    let moved = "action=\"/board/17/act\"";
    news.until(|name, data| {
        name == "part" && data["html"].as_str().is_some_and(|html| html.contains(moved))
    });
    let reply = weber.post("/board/17/act", &CLAIMS);
    assert_eq!(reply.header("location"), Some("/board/17/arbiter#notice"), "{reply:?}");
    live.until(|name, data| name == "news" && data["text"].to_string().contains("Board 17: "));
    let page = roth.get("/arbiter");
    assert!(page.has("(9.5.3)") && page.has("href=\"/board/17/\""), "{}", page.body);

    // Both decide about it.
    let open = weber.get("/board/17/arbiter").body;
    let number = question(&open).expect("a question");
    let confirms = [("act", "confirm"), ("number", &number)];
    let dismisses = [("act", "dismiss"), ("number", &number), ("reason", "no claim")];
    assert_eq!(weber.post("/board/17/act", &confirms).status, 303);
    assert!(weber.get("/board/17/arbiter").has("class=\"good\""), "it was done");
    assert_eq!(roth.post("/board/17/act", &dismisses).status, 303);
    let told = roth.get("/board/17/arbiter");
    assert!(told.has("The game has moved on. Look again."), "{}", told.body);

    let decisions = decisions(folder.path(), 17);
    let [decided] = decisions.as_slice() else { panic!("{decisions:?}") };
    assert!(decided.contains("A. Weber") && decided.contains("confirm"), "{decided}");
    assert!(!journal(folder.path(), 18).iter().any(|row| row.contains("Weber")));

    // A board that is gone says so.
    let [first, second] = plays;
    second.kill();
    until("board 18 is away", || weber.get("/board/18/arbiter").status == 503);
    assert!(weber.get("/board/18/arbiter").has("Board 18 does not answer."));
    drop(first);
}

/// A fallen flag waits for an arbiter who is there.
#[test]
fn an_arbiter_with_the_hall_s_page_open_is_present_at_each_board_on_it() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let _plays = [17, 18].map(|number| board(folder.path(), hall.server, number));
    let mut weber = hall.arbiter("A. Weber");
    for number in [17, 18] {
        until("it answers", || weber.get(&format!("/board/{number}/arbiter")).status == 200);
    }
    let is_present = |number: u32| {
        let open = "\"arbiter-page\":{\"open\":true}";
        journal(folder.path(), number).iter().any(|row| row.contains(open))
    };
    let _sector = weber.live_at("/live?first=17&last=17");
    until("board 17 knows it", || is_present(17));
    assert!(!is_present(18), "it stands on nobody's page");
    let _all = weber.live();
    until("board 18 knows it", || is_present(18));
}

/// The board's process stands still, and its line to the hall, another process, does not.
#[test]
fn a_board_that_hangs_is_silent_in_the_hall_though_its_line_lives() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let mut play = board(folder.path(), hall.server, 17);
    play.moves("g1", "f3");
    play.until_move("g1f3", "made");
    let mut weber = hall.arbiter("A. Weber");
    // What waits now: what has been stays in the list of calls.
    let silent = |weber: &mut Browser| {
        let page = weber.get("/arbiter");
        page.has("id=\"board-17\"").then(|| page.has("<em>Nothing is heard of the board"))
    };
    until("board 17 is there", || silent(&mut weber) == Some(false));
    let process = [play.child.id().to_string()];
    send("-STOP", &process);
    until("board 17 is silent", || silent(&mut weber) == Some(true));
    send("-CONT", &process);
    until("board 17 is there again", || silent(&mut weber) == Some(false));
    drop(play);
}

#[test]
fn who_has_no_code_or_looks_on_decides_nothing() {
    if !has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let mut hall = RunningHall::start(folder.path(), &[]);
    let _play = board(folder.path(), hall.server, 17);
    let mut weber = hall.arbiter("A. Weber");
    until("board 17 answers", || weber.get("/board/17/arbiter").status == 200);

    let mut nobody = browser(hall.page);
    for path in ["/arbiter", "/board/17/", "/board/17/arbiter", "/games.pgn"] {
        let reply = nobody.get(path);
        assert_eq!((reply.status, reply.header("location")), (303, Some("/")), "{path}");
    }
    let note = [("act", "note"), ("text", "by nobody")];
    assert_eq!(nobody.post("/board/17/act", &note).header("location"), Some("/"));

    // A form of another site, one that is too long, and what a board does not have.
    let evil = weber.post_with("/board/17/act", "Origin: http://evil.example\r\n", &note);
    assert_eq!(evil.status, 403);
    // A form that stood on a page of another board, or nobody knows where.
    for page in ["/board/18/arbiter", "/", "/board/17x/"] {
        let (from, path) = (hall.page, "/board/17/act");
        let more = format!("Origin: http://{from}\r\nReferer: http://{from}{page}\r\n");
        assert_eq!(weber.post_with(path, &more, &note).status, 403, "{page}");
        let more = format!("Origin: http://{from}\r\n");
        assert_eq!(weber.post_with(path, &more, &note).status, 403, "nowhere");
    }
    // A board's page shuts nobody out of the hall, and lets nobody in.
    for path in ["/close-others", "/pair"] {
        let from = hall.page;
        let more = format!("Origin: http://{from}\r\nReferer: http://{from}/board/17/arbiter\r\n");
        assert_eq!(weber.post_with(path, &more, &[("code", "1234")]).status, 403, "{path}");
    }
    let long = "x".repeat(40_000);
    assert_eq!(weber.post("/board/17/act", &[("act", "note"), ("text", &long)]).status, 413);
    for path in
        ["/board/17/card", "/board/17/pair", "/board/17/../arbiter", "/board/x/", "/board/017/"]
    {
        assert_eq!(weber.get(path).status, 404, "{path}");
    }
    assert_eq!(weber.post("/board/17/close-others", &[]).status, 404);
    assert_eq!(weber.get("/board/17/script.js").header("location"), Some("/script.js"));

    // The same code is good for the display, which looks on at a board too.
    let card = weber.get("/card");
    let display = card.body.split("id=\"display\"").nth(1).expect("the display's code");
    let digits: String = display
        .split("class=\"code\"")
        .nth(1)
        .expect("a code")
        .chars()
        .skip_while(|c| *c != '>')
        .take_while(|c| *c != '<')
        .filter(char::is_ascii_digit)
        .collect();
    let mut looker = browser(hall.page);
    let reply = looker.post("/pair", &[("code", &digits)]);
    assert_eq!(reply.header("location"), Some("/display"), "{digits}");
    assert_eq!(looker.get("/board/17/").header("location"), Some("/board/17/display"));
    assert_eq!(looker.get("/board/17/display").status, 200);
    assert_eq!(looker.get("/board/17/arbiter").status, 403);
    // Before the hall has seen its game, the board answers that it goes on without him.
    until("its game is seen", || {
        let status = looker.post("/board/17/act", &note).status;
        assert!([403, 409].contains(&status), "{status}");
        status == 403
    });
    assert_eq!(nobody.post("/pair", &[("code", "00000000")]).status, 403);
    assert!(!journal(folder.path(), 17).iter().any(|row| row.contains("by nobody")));
}

// ---- The page alone ----

pub(super) struct Alone {
    pub(super) page: HallPage,
    pub(super) address: SocketAddr,
    _runtime: tokio::runtime::Runtime,
}

pub(super) fn alone(public: bool) -> Alone {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let codes = Codes {
        arbiter: "11112222".to_owned(),
        assistant: "33334444".to_owned(),
        display: "55556666".to_owned(),
    };
    let settings = PageSettings {
        listen: ([127, 0, 0, 1], 0).into(),
        tls: None,
        session_key: None,
        language: "en".to_owned(),
        codes: Some(codes),
        public,
        url: "nats://127.0.0.1:1".to_owned(),
        credentials: None,
        event: "test".parse().expect("a name"),
        complain: Arc::new(|_| {}),
    };
    let page = runtime.block_on(HallPage::open(settings)).expect("a page");
    let address = ([127, 0, 0, 1], page.reach().port()).into();
    Alone { page, address, _runtime: runtime }
}

impl Alone {
    pub(super) fn arbiter(&self, language: &'static str) -> Browser {
        let mut browser = Browser { language, ..browser(self.address) };
        let code = self.page.codes().borrow().arbiter.clone();
        let reply = browser.post("/pair", &[("code", &code), ("by", "A. Weber")]);
        assert_eq!(reply.header("location"), Some("/arbiter"));
        browser
    }
}

pub(super) fn stands(board: u32, last: &str, needs: Vec<Need>) -> BoardStands {
    let game = GameStands {
        game: GameId { number: 1 },
        white: format!("A rather long name of White {board}"),
        black: format!("A rather long name of Black {board}"),
        plies: 24,
        last: Some(last.to_owned()),
        moved: Some("g8f6".to_owned()),
        pieces: "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R".to_owned(),
        to_move: Color::White,
        completed: true,
        clock: (5_400_000, 3_600_000, Running::White),
        stand: false,
        short: [false; 2],
        waits: Some(Task::Watch(Color::White)),
        offered: None,
        result: None,
        seen: (48, [0; 16]),
    };
    BoardStands { board, game: Some(game), needs }
}

pub(super) fn need(kind: NeedKind, waits_ms: u64) -> Need {
    Need { kind, waits_ms }
}

#[test]
fn a_hall_without_room_says_so_above_what_waits() {
    let mut alone = alone(false);
    let boards = [stands(17, "12... Nf6", Vec::new())];
    let mut arbiter = alone.arbiter("en");
    let text = "The hall&#39;s server takes no more rows: make room on its disk.";
    for full in [false, true, false] {
        alone.page.full(full);
        alone.page.show(&boards, |_| None);
        assert_eq!(arbiter.get("/arbiter").body.replace('\'', "&#39;").contains(text), full);
    }
    let text = "The disk of this machine is full: make room there. The hall goes on with its two other servers.";
    for aside in [false, true, false] {
        alone.page.aside(aside);
        alone.page.show(&boards, |_| None);
        assert_eq!(arbiter.get("/arbiter").has(text), aside);
    }
}

/// Two seconds without a sign are a line that is lost, for the script of a page.
#[test]
fn the_hall_s_page_gets_signs_of_life_while_a_clock_runs() {
    let mut alone = alone(false);
    let mut board = stands(17, "12... Nf6", Vec::new());
    alone.page.show(std::slice::from_ref(&board), |_| None);
    let mut live = alone.arbiter("en").live();
    let seen = AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !seen.load(Ordering::Relaxed) {
                std::thread::sleep(std::time::Duration::from_millis(100));
                if let Some(game) = &mut board.game {
                    // Minutes are shown: nothing of it is seen on the page.
                    game.clock.0 = 5_400_000 + (game.clock.0 + 100) % 50_000;
                }
                alone.page.show(std::slice::from_ref(&board), |_| None);
            }
        });
        let mut signs = 0;
        while let Some((name, _)) = live.event().filter(|_| signs < 2) {
            signs += usize::from(name == "here");
        }
        seen.store(true, Ordering::Relaxed);
        assert_eq!(signs, 2);
    });
}

#[test]
fn five_hundred_boards_are_one_page_and_a_move_is_one_row_of_it() {
    let mut alone = alone(false);
    let boards = |last: &str| -> Vec<BoardStands> {
        let one = |n| stands(n, if n == 250 { last } else { "12... Nf6" }, Vec::new());
        (1..=500).map(one).collect()
    };
    alone.page.show(&boards("12... Nf6"), |_| None);
    let mut arbiter = alone.arbiter("en");
    let whole = arbiter.get("/arbiter");
    assert_eq!(whole.body.matches("<li class=\"part\"").count(), 500);
    assert!(whole.body.len() < 200_000, "{} bytes", whole.body.len());
    let sector = arbiter.get("/arbiter?first=241&last=280");
    assert_eq!(sector.body.matches("<li class=\"part\"").count(), 40);
    assert!(sector.has("value=\"241\"") && !sector.has("id=\"board-240\""));

    let (mut here, mut elsewhere) =
        (arbiter.live_at("/live?first=241&last=280"), arbiter.live_at("/live?first=1&last=40"));
    let all = |data: &serde_json::Value| data["id"].to_string();
    here.until(|name, data| name == "part" && all(data) == "\"board-280\"");
    elsewhere.until(|name, data| name == "part" && all(data) == "\"board-40\"");
    here.until(|name, _| name == "news");
    elsewhere.until(|name, _| name == "news");
    alone.page.show(&boards("13. Bg5"), |_| None);
    let (name, data) = here.event().expect("the move");
    assert_eq!((name.as_str(), &data["id"]), ("part", &"board-250".into()));
    assert!(data.to_string().len() < 500, "{data}");
    let mut calls = boards("13. Bg5");
    calls[0].needs.push(need(NeedKind::Called(Note::AssistantCalls), 0));
    alone.page.show(&calls, |_| None);
    // Nothing of board 250 came to the other sector: this is the first news there.
    let (_, data) = elsewhere.event().expect("the call");
    assert_eq!(data["id"], "needs", "{data}");
}

#[test]
fn a_new_call_is_told_once_and_again_when_it_happens_again() {
    let mut alone = alone(false);
    let calls = |needs| vec![stands(17, "12... Nf6", needs)];
    let arbiter = alone.arbiter("en");
    let mut live = arbiter.live();
    live.until(|name, _| name == "news");
    let mut tells = |alone: &mut Alone, needs: Vec<Need>| {
        alone.page.show(&calls(needs), |_| None);
        let mut told = None;
        while let Some((name, data)) = live.event() {
            if name == "news" {
                told = Some((data["number"].as_u64(), data["text"].as_str().map(str::to_owned)));
                break;
            }
        }
        told.expect("news")
    };
    let text = Some("Board 17: the assistant calls the arbiter".to_owned());
    assert_eq!(
        tells(&mut alone, vec![need(NeedKind::Called(Note::AssistantCalls), 0)]),
        (Some(1), text.clone())
    );
    // A minute later nothing new has happened; then it is settled, and he is called again.
    alone.page.show(&calls(vec![need(NeedKind::Called(Note::AssistantCalls), 61_000)]), |_| None);
    alone.page.show(&calls(Vec::new()), |_| None);
    assert_eq!(
        tells(&mut alone, vec![need(NeedKind::Called(Note::AssistantCalls), 0)]),
        (Some(2), text)
    );
}

#[test]
fn what_waits_longest_stands_first_and_every_language_has_words_for_it() {
    let mut alone = alone(false);
    let kinds = [
        NeedKind::Called(Note::AssistantCalls),
        NeedKind::BoardsDiffer,
        NeedKind::Lost,
        NeedKind::ClockLost,
        NeedKind::SightedLost,
        NeedKind::Unreadable("row 3".to_owned()),
    ];
    let mut boards: Vec<BoardStands> = (1..)
        .zip(kinds.clone())
        .map(|(n, kind)| stands(n, "12... Nf6", vec![need(kind, u64::from(n) * 60_000)]))
        .collect();
    let note = Note::IllegalCompleted { player: Color::White, what: "Ke2".into() };
    let illegal = need(NeedKind::Proposal(note, Article::A7_5_5), 0);
    boards.push(stands(7, "12... Nf6", vec![illegal]));
    alone.page.show(&boards, |board| (board == 7).then(|| "Clara – Dora".to_owned()));
    let order = |page: &Reply| -> Vec<u32> {
        let calls = page.body.split("id=\"call-").skip(1);
        let board = |call: &str| call.split(['-', '"']).nth(1)?.parse().ok();
        calls.filter_map(board).collect()
    };
    let english = alone.arbiter("en").get("/arbiter");
    assert_eq!(order(&english), [6, 5, 4, 3, 2, 1, 7, 7]);
    assert!(english.has("White completed an illegal move: Ke2 (7.5.5)"), "{}", english.body);
    assert!(english.has("Clara – Dora are paired here (just now)"), "{}", english.body);
    let texts = |page: &Reply| -> Vec<String> {
        let items = page.body.split("<li>").skip(1).map(|item| item.split("</li>").next());
        items.map(|item| item.unwrap_or_default().to_owned()).collect()
    };
    for language in ["de", "fr", "es", "pl", "ru", "lt"] {
        let page = alone.arbiter(language).get("/arbiter");
        assert_eq!(order(&page), [6, 5, 4, 3, 2, 1, 7, 7], "{language}");
        for (own, english) in texts(&page).iter().zip(texts(&english)) {
            assert_ne!(*own, english, "{language}");
        }
        assert!(!page.has("the assistant calls"), "{language}");
    }
}

#[test]
fn the_games_are_there_for_everybody_only_if_wished_and_sent_once_a_state() {
    let closed = alone(false);
    assert_eq!(browser(closed.address).get("/games.pgn").status, 303);
    let open = alone(true);
    open.page.games("1. e4 *\n".to_owned(), "1");
    let mut poll = browser(open.address);
    let first = poll.get("/games.pgn");
    assert_eq!((first.status, first.body.as_str()), (200, "1. e4 *\n"));
    assert_eq!(first.header("content-type"), Some("application/x-chess-pgn; charset=utf-8"));
    let tag = first.header("etag").expect("a tag").to_owned();
    let known = format!("If-None-Match: {tag}\r\n");
    let again = poll.send("GET", "/games.pgn", &known, "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    open.page.games("1. e4 e5 *\n".to_owned(), "2");
    assert_eq!(poll.send("GET", "/games.pgn", &known, "").body, "1. e4 e5 *\n");
    assert_eq!(poll.post("/games.pgn", &[]).status, 405);
    // Only the games are for everybody.
    assert_eq!(poll.get("/board/17/").status, 303);
}

#[test]
fn a_board_s_door_for_the_hall_opens_with_the_secret_only() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let listener = Arc::new(TcpListener::bind(("127.0.0.1", 0)).expect("a port"));
    let door = listener.local_addr().expect("an address");
    let hall = Some(HallEntry { listener, secret: "0123456789".to_owned() });
    let here = ConsoleSettings { hall, ..ConsoleSettings::at(([127, 0, 0, 1], 0).into()) };
    let console = runtime.block_on(annabella_console::open(here)).expect("pages");
    let pages = console.address();
    let (_views, seen) = tokio::sync::watch::channel(Arc::new(View::default()));
    let (acts, _asked) = tokio::sync::mpsc::channel(1);
    runtime.spawn(console.serve(seen, acts));
    let passed = |secret: &str, prefix: &str| Passed {
        secret: secret.to_owned(),
        role: Role::Arbiter,
        by: "Jörg".to_owned(),
        id: 1,
        language: "de".to_owned(),
        prefix: prefix.to_owned(),
    };
    let ask = |address: SocketAddr, path: &str, passed: Option<Passed>| {
        let header = passed
            .map_or(String::new(), |passed| format!("{PASSED}: {}\r\n", serde_json::json!(passed)));
        let head = format!("GET {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{header}\r\n");
        raw(address, head.as_bytes()).expect("an answer")
    };
    let good = ask(door, "/arbiter", Some(passed("0123456789", "/board/17")));
    assert_eq!(good.status, 200);
    assert!(good.has("lang=\"de\"") && good.has("Jörg") && good.has("=\"/board/17/style.css\""));
    // Two boards side by side are told apart by heading and title, and the way back comes first.
    assert!(good.has("<title>Brett 17 – Schiedsrichter – Annabella</title>"), "{}", good.body);
    assert!(good.has("<h1>Brett 17 – Schiedsrichter – Jörg</h1>"), "{}", good.body);
    let at = |text: &str| good.body.find(text).expect("it is there");
    assert!(at("id=\"back-to-hall\"") < at("<h1>"));
    assert!(good.has("id=\"back-to-hall\"") && !good.has("id=\"leave\""), "{}", good.body);
    assert_eq!(ask(door, "/arbiter", None).status, 403);
    for secret in ["", "012345678", "0123456788", "01234567890"] {
        assert_eq!(
            ask(door, "/arbiter", Some(passed(secret, "/board/17"))).status,
            403,
            "{secret}"
        );
    }
    assert_eq!(ask(door, "/arbiter", Some(passed("0123456789", "//evil"))).status, 403);
    assert_eq!(ask(door, "/card", Some(passed("0123456789", "/board/17"))).status, 403);
    // At the door for everybody the secret is none.
    let outside = ask(pages, "/arbiter", Some(passed("0123456789", "/board/17")));
    assert_eq!((outside.status, outside.header("location")), (303, Some("/")));
}
