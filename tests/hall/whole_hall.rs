//! Boards and the hall, over a real `nats-server`: whatever is cut or killed, every row of every
//! journal comes into the stream once and in order.

mod cluster;
mod flood;
mod full;
mod keys;
mod pairing;
mod rights;
mod strangers;
mod takeover;

use std::{
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::{Arc, Mutex},
    time::{Duration, Instant},
};

use annabella::service::hall::WireCall;
use annabella_core::{
    game::{ArbiterAct, At, GameConfig, Input, Learnt, Outcome, Ruling, Started},
    laws::Article,
};
use annabella_hall::{
    HallError,
    floor::Floor,
    names::{BoardPlace, EventName},
    server::{NatsServer, ServerSettings},
    settings::WireSettings,
    stream::{Link, StreamMark, StreamRow},
    wire::Wire,
};
use annabella_records::journal::{GameId, Journal};
use annabella_words::phrase::pack;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::at_board::{Play, config};
use crate::patience::{PATIENCE, until};
use crate::skip::skipped;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// A server with its store in this folder.
fn settings(folder: &Path) -> ServerSettings {
    ServerSettings {
        program: PathBuf::from("nats-server"),
        listen: ([127, 0, 0, 1], 0).into(),
        store: folder.join("store"),
        keys: None,
        most_bytes: None,
        cluster: None,
    }
}

fn has_server() -> bool {
    let asked = Command::new("nats-server").arg("--version").stdout(Stdio::null()).status();
    let there = asked.is_ok_and(|status| status.success());
    if !there {
        skipped("nats-server", "boards are not joined: install the package nats-server");
    }
    there
}

/// An address of this machine at which nobody listens.
fn free_address() -> SocketAddr {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address")
}

fn now<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(future)
}

fn place(board: u32) -> BoardPlace {
    BoardPlace { event: "test".parse().expect("a name"), board }
}

/// Makes the event on this server.
fn event(url: &str) {
    now(async {
        let link = Link::open(url, None, "test").await.expect("a line");
        link.make_event(&place(1).event).await.expect("an event");
    });
}

fn server(folder: &Path) -> (NatsServer, ServerSettings) {
    let mut settings = settings(folder);
    let server = NatsServer::start(&settings).expect("a server");
    settings.listen = server.address();
    event(&server.url());
    (server, settings)
}

/// A folder, and a server with the event, whose store is there; `None`: there is no nats-server.
fn hall() -> Option<(tempfile::TempDir, NatsServer, ServerSettings)> {
    let folder = has_server().then(folder)?;
    let (server, settings) = server(folder.path());
    Some((folder, server, settings))
}

fn started(white: &str) -> Started {
    let text = |name: &str| pack::builtin(name).expect("built in").to_owned();
    Started {
        config: GameConfig { white: white.to_owned(), ..GameConfig::default() },
        packs: vec![text("fide"), text("de")],
        confusions: Learnt::default(),
        build: "test".to_owned(),
        unix_s: 0,
    }
}

type Lines = Arc<Mutex<Vec<String>>>;

fn wire(url: &str, board: u32, journal: &Path) -> (Wire, Lines) {
    wire_by(url, None, board, journal)
}

/// By somebody with these credentials.
fn wire_by(url: &str, credentials: Option<PathBuf>, board: u32, journal: &Path) -> (Wire, Lines) {
    let lines = Lines::default();
    let told = Arc::clone(&lines);
    let settings = WireSettings {
        url: url.to_owned(),
        credentials,
        place: place(board),
        journal: journal.to_owned(),
        door: None,
        alive: None,
        tell: Arc::new(move |line| told.lock().expect("lines").push(line.to_owned())),
    };
    (Wire::start(settings).expect("a thread"), lines)
}

/// The rows of a board in the stream, as they lie there.
fn stream(url: &str, board: u32) -> Vec<StreamRow> {
    now(async {
        let link = Link::open(url, None, "test").await.expect("a line");
        let (place, mut rows) = (place(board), Vec::new());
        let keep = |row: Option<StreamRow>| row.map(|row| rows.push(row)).is_some();
        link.read(&place.event, &place.rows(), keep).await.expect("rows");
        rows
    })
}

/// What differs between a journal and the stream.
fn differ(url: &str, board: u32, journal: &Path) -> (u64, Vec<String>) {
    now(async {
        let link = Link::open(url, None, "test").await.expect("a line");
        link.compare(&place(board), journal).await.expect("compared")
    })
}

/// Waits until the stream has the journal.
fn same(url: &str, board: u32, journal: &Path) -> u64 {
    let began = Instant::now();
    loop {
        let (rows, differ) = differ(url, board, journal);
        if differ.is_empty() {
            return rows;
        }
        assert!(began.elapsed() < PATIENCE, "{differ:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

#[test]
fn rows_come_into_the_stream_once_and_in_order_those_from_before_too() {
    let Some((folder, server, _)) = hall() else { return };
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let first = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    journal.append(first, At::new(2), &Input::ClockStarted).expect("kept");
    let (_wire, lines) = wire(&server.url(), 17, &path);
    let second = journal.begin(&started("Berta"), At::new(3)).expect("begun");
    for n in 0..200 {
        journal.append(second, At::new(4 + n), &Input::Woke).expect("kept");
    }
    // A later decision belongs to the earlier game.
    journal.append(first, At::new(500), &Input::Woke).expect("kept");
    assert_eq!(same(&server.url(), 17, &path), 3 + 201);
    let rows = stream(&server.url(), 17);
    let of = |game: GameId| -> Vec<u64> {
        rows.iter().filter(|row| row.of.game == game).map(|row| row.row.number).collect()
    };
    assert_eq!(of(first), [1, 2, 3]);
    assert_eq!(of(second), (1..=201).collect::<Vec<_>>());
    let line = format!("hall: board 17 of test is joined to {}", server.url());
    assert_eq!(*lines.lock().expect("lines"), [line]);
}

#[test]
fn a_board_that_is_started_again_sends_nothing_twice() {
    let Some((folder, server, _)) = hall() else { return };
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    for n in 0..10 {
        let (wire, _) = wire(&server.url(), 1, &path);
        journal.append(game, At::new(2 + n), &Input::Woke).expect("kept");
        let state = wire.state();
        until("caught up", || state.borrow().caught_up && state.borrow().sent > 0);
    }
    assert_eq!(same(&server.url(), 1, &path), 11);
    assert_eq!(stream(&server.url(), 1).len(), 11);
}

#[test]
fn a_server_that_has_lost_rows_gets_them_again() {
    let Some((folder, server, settings)) = hall() else { return };
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    journal.append(game, At::new(2), &Input::Woke).expect("kept");
    let url = server.url();
    let (_wire, lines) = wire(&url, 1, &path);
    same(&url, 1, &path);
    server.kill();
    std::fs::remove_dir_all(&settings.store).expect("its disk is gone");
    journal.append(game, At::new(3), &Input::Woke).expect("kept");
    let server = NatsServer::start(&settings).expect("a server");
    // Whoever looks after the hall makes the event again; until then the board says what is
    // missing.
    until("it is said", || {
        let lines = lines.lock().expect("lines");
        lines.iter().any(|line| line.contains("has no event 'test'"))
    });
    event(&server.url());
    assert_eq!(same(&url, 1, &path), 3);
}

#[test]
fn a_game_begun_over_is_sent_anew_and_what_was_there_stays() {
    let Some((folder, server, _)) = hall() else { return };
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let (_wire, lines) = wire(&server.url(), 1, &path);
    same(&server.url(), 1, &path);
    journal.begin_over(game, &started("Berta"), At::new(2)).expect("begun over");
    same(&server.url(), 1, &path);
    let rows = stream(&server.url(), 1);
    let copies: Vec<(u32, u64)> = rows.iter().map(|row| (row.of.copy, row.row.number)).collect();
    assert_eq!(copies, [(1, 1), (2, 1)]);
    let told = "hall: board 1, game 1 is another now than the 1 rows that the hall has: it is sent anew, as copy 2";
    assert_eq!(lines.lock().expect("lines").last().map(String::as_str), Some(told));
    let mut floor = Floor::new();
    rows.iter().for_each(|row| floor.row(row, 0));
    let white = floor.stands(0)[0].game.as_ref().map(|game| game.white.clone());
    assert_eq!(white.as_deref(), Some("Berta"));
}

#[test]
fn two_boards_with_one_number_do_not_mix_their_games() {
    let Some((folder, server, _)) = hall() else { return };
    let paths = ["a.db", "b.db"].map(|name| folder.path().join(name));
    let names = ["Anna", "Berta"];
    let mut journals = [0, 1].map(|n| Journal::open(&paths[n]).expect("a journal"));
    let games = [0, 1].map(|n| journals[n].begin(&started(names[n]), At::new(1)).expect("begun"));
    let wires = [0, 1].map(|n| wire(&server.url(), 1, &paths[n]).0);
    for at in 2..30 {
        for n in [0, 1] {
            journals[n].append(games[n], At::new(at), &Input::Woke).expect("kept");
        }
    }
    until("all sent", || {
        let rows = stream(&server.url(), 1);
        let whole = |copy: u32| rows.iter().filter(|row| row.of.copy == copy).count() == 29;
        rows.iter()
            .map(|row| row.of.copy)
            .max()
            .is_some_and(|copies| (1..=copies).filter(|c| whole(*c)).count() >= 2)
    });
    drop(wires);
    for copy in 1.. {
        let rows = stream(&server.url(), 1);
        let copy: Vec<&StreamRow> = rows.iter().filter(|row| row.of.copy == copy).collect();
        if copy.is_empty() {
            break;
        }
        let mut sum = [0; 16];
        for row in copy {
            assert!(row.row.follows(games[0], sum), "rows of two games in one");
            sum = row.row.sum;
        }
    }
}

/// Servers are killed, lines and boards end anywhere; the journals are written on.
#[test]
fn whatever_is_cut_or_killed_no_row_differs_in_the_end() {
    if !has_server() {
        return;
    }
    let only = std::env::var("SEED").ok().map(|seed| seed.parse().expect("a number"));
    let seeds: Vec<u64> = only.map_or((0..4).collect(), |seed| vec![seed]);
    for seed in seeds {
        println!("SEED={seed}");
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let folder = folder();
        let (first, settings) = server(folder.path());
        let (url, mut server) = (first.url(), Some(first));
        let paths: Vec<PathBuf> = (1..=3).map(|n| folder.path().join(format!("{n}.db"))).collect();
        let mut journals: Vec<Journal> =
            paths.iter().map(|path| Journal::open(path).expect("a journal")).collect();
        let mut wires: Vec<Option<Wire>> = (0..3).map(|_| None).collect();
        let mut games = vec![Vec::new(); 3];
        for step in 0..400 {
            let n = rng.random_range(0..3u64) as usize;
            let at = At::new(step + 1);
            match rng.random_range(0..100u32) {
                0..4 => games[n].push(journals[n].begin(&started("x"), at).expect("begun")),
                4..8 => wires[n] = None,
                8..16 => wires[n] = Some(wire(&url, n as u32 + 1, &paths[n]).0),
                16 => server.take().into_iter().for_each(NatsServer::kill),
                17..22 if server.is_none() => {
                    server = Some(NatsServer::start(&settings).expect("a server"));
                }
                22..26 => std::thread::sleep(Duration::from_millis(rng.random_range(1..400))),
                _ => {
                    let game = games[n].last().copied();
                    if let Some(game) = game {
                        journals[n].append(game, at, &Input::Woke).expect("kept");
                    }
                }
            }
        }
        let server = server.unwrap_or_else(|| NatsServer::start(&settings).expect("a server"));
        for n in 0..3 {
            wires[n].get_or_insert_with(|| wire(&url, n as u32 + 1, &paths[n]).0);
        }
        for (n, path) in paths.iter().enumerate() {
            let board = n as u32 + 1;
            let rows = same(&server.url(), board, path);
            assert_eq!(stream(&server.url(), board).len() as u64, rows, "SEED={seed}: some twice");
        }
    }
}

/// What comes from a mark on, until nothing more is there.
fn rows_on(url: &str, mark: &mut Option<StreamMark>) -> Vec<u64> {
    now(async {
        let link = Link::open(url, None, "test").await.expect("a line");
        let (place, mut rows) = (place(17), Vec::new());
        let keep = |row: Option<StreamRow>| row.map(|row| rows.push(row.row.number)).is_some();
        link.read_on(&place.event, &place.rows(), mark, keep).await.expect("rows");
        rows
    })
}

#[test]
fn who_has_read_a_stream_reads_on_and_anew_where_rows_were_lost() {
    let Some((folder, first, settings)) = hall() else { return };
    let url = first.url();
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let mut write = |row: u64| journal.append(game, At::new(row), &Input::Woke).expect("kept");
    (2..=5).for_each(&mut write);
    let (_wire, _) = wire(&url, 17, &path);
    same(&url, 17, &path);
    let mut mark = None;
    assert_eq!(rows_on(&url, &mut mark), [1, 2, 3, 4, 5]);
    assert!(rows_on(&url, &mut mark).is_empty());
    write(6);
    same(&url, 17, &path);
    assert_eq!(rows_on(&url, &mut mark), [6]);
    // The server's disk is lost, and the board brings everything again, which comes to the same
    // places.
    first.kill();
    std::fs::remove_dir_all(&settings.store).expect("its disk is gone");
    let server = NatsServer::start(&settings).expect("a server");
    event(&url);
    same(&url, 17, &path);
    assert_eq!(rows_on(&url, &mut mark), [1, 2, 3, 4, 5, 6]);
    drop(server);
}

/// A plug with a loose contact: lines are short, and rows go over each.
#[test]
fn a_line_that_works_and_is_cut_again_and_again_comes_back_soon() {
    let Some((folder, first, settings)) = hall() else { return };
    let (url, mut server) = (first.url(), Some(first));
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let (wire, _) = wire(&url, 17, &path);
    let state = wire.state();
    until("the game is there", || state.borrow().sent == 1);
    for row in 2..9 {
        server.take().into_iter().for_each(NatsServer::kill);
        server = Some(NatsServer::start(&settings).expect("a server"));
        journal.append(game, At::new(row), &Input::Woke).expect("kept");
        until("the row is there", || state.borrow().sent == row);
    }
}

#[test]
fn a_game_goes_on_without_the_hall_and_is_there_when_the_hall_is() {
    let Some((folder, first, settings)) = hall() else { return };
    let url = first.url();
    first.kill();
    let hall = format!("[hall]\nurl = \"{url}\"\nevent = \"test\"\nboard = 17\n");
    let path = config(folder.path(), &hall);
    let mut play = Play::start(&path);
    play.moves("g1", "f3");
    play.until_move("g1f3", "made");
    let server = NatsServer::start(&settings).expect("a server");
    let mut floor = Floor::new();
    until("the move is in the hall", || {
        stream(&server.url(), 17).iter().for_each(|row| floor.row(row, 0));
        let stands = floor.stands(0);
        let last = stands.first().and_then(|board| board.game.as_ref()?.last.clone());
        last.as_deref() == Some("1. Nf3")
    });
    assert_eq!(play.end().status.code(), Some(0));
    assert!(look(&url).is_ok());
}

/// As `annabella doctor` asks.
fn look(url: &str) -> Result<String, String> {
    let call = WireCall {
        url: url.to_owned(),
        credentials: None,
        event: "test".to_owned(),
        board: 17,
        journal: PathBuf::from("a.db"),
        silent: false,
        door: None,
    };
    annabella::service::hall::look(Path::new(env!("CARGO_BIN_EXE_annabella-hall")), &call)
}

/// The processes whose command line has this in it.
fn processes(part: &str) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
    let with = |entry: &std::fs::DirEntry| {
        let line = std::fs::read(entry.path().join("cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).replace('\0', " ").contains(part)
    };
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.parse().ok();
    all.filter(with).filter_map(number).collect()
}

/// The `annabella-hall wire` of this process.
fn wire_of(parent: u32) -> Option<u32> {
    let child = |process: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        stat.rsplit(") ").next().is_some_and(|rest| {
            let fields: Vec<&str> = rest.split(' ').collect();
            fields.first() != Some(&"Z") && fields.get(1) == Some(&parent.to_string().as_str())
        })
    };
    processes("annabella-hall wire").into_iter().find(child)
}

#[test]
fn the_wire_is_started_again_and_ends_with_the_game_however_that_ends() {
    let Some((folder, server, _)) = hall() else { return };
    let url = server.url();
    let hall = format!("[hall]\nurl = \"{url}\"\nevent = \"test\"\nboard = 17\n");
    let path = config(folder.path(), &hall);
    let mut play = Play::start(&path);
    let game = play.child.id();
    let started = || {
        let mut wire = None;
        until("there is a wire", || {
            wire = wire_of(game);
            wire.is_some()
        });
        wire.expect("a wire")
    };
    let first = started();
    let line = std::fs::read(format!("/proc/{first}/cmdline")).expect("running");
    assert!(!String::from_utf8_lossy(&line).contains(&url), "processes show what it was told");
    let kill = |process: u32, signal: &str| {
        let told = Command::new("kill").args([signal, &process.to_string()]).status();
        assert!(told.expect("kill").success());
    };
    kill(first, "-KILL");
    until("there is another", || wire_of(game).is_some_and(|wire| wire != first));
    let second = started();
    play.moves("g1", "f3");
    play.until_move("g1f3", "made");
    let rows = || stream(&url, 17).len();
    until("its rows are in the hall", || rows() > 1);
    kill(game, "-KILL");
    let gone = |process: u32| {
        !Path::new(&format!("/proc/{process}/cmdline")).exists()
            || std::fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| line.is_empty())
    };
    until("the wire has ended with the game", || gone(second));
    assert_eq!(play.child.wait().expect("ended").code(), None);
}

#[test]
fn what_is_missing_is_said_in_one_line() {
    let nowhere = look("nats://127.0.0.1:1").expect_err("nobody is there");
    assert!(nowhere.starts_with("no hall at nats://127.0.0.1:1: "), "{nowhere}");
    let end = "; is `annabella hall` or the organiser's nats-server running there?";
    assert!(nowhere.ends_with(end), "{nowhere}");
    if !has_server() {
        return;
    }
    let folder = folder();
    let server = NatsServer::start(&settings(folder.path())).expect("a server");
    let url = server.url();
    assert_eq!(
        look(&url).expect_err("no event"),
        format!(
            "the hall at {url} has no event 'test': start `annabella hall --event test` there, or correct event in [hall]"
        )
    );
    event(&url);
    assert_eq!(look(&url).expect("a hall"), format!("board 17 of test at {url}"));
}

#[test]
fn without_nats_server_the_command_says_which_package_it_is() {
    let folder = folder();
    let output = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["hall", "--listen", "127.0.0.1:0"])
        .env("PATH", folder.path())
        .current_dir(folder.path())
        .output()
        .expect("runs");
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(
        String::from_utf8_lossy(&output.stderr),
        "annabella-hall: there is no nats-server: install the package nats-server (`sudo apt install nats-server`), \
         or give the organiser's server with --url\n"
    );
}

/// A command that is told to stop, whatever a test finds: it has a server to take along.
struct Stopped(std::process::Child);

impl Stopped {
    fn stop(&self) {
        let told = Command::new("kill").arg(self.0.id().to_string()).status();
        assert!(told.expect("kill").success());
    }
}

impl Drop for Stopped {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(None)) {
            self.stop();
            let _ = self.0.wait();
        }
    }
}

#[test]
fn the_hall_starts_its_own_server_tells_of_the_boards_and_writes_their_games() {
    use std::io::{BufRead as _, BufReader};
    if !has_server() {
        return;
    }
    let folder = folder();
    let listen = free_address();
    let paired = "board,white,black\n17,Anna,Berta\n18,Clara,Dora\n";
    std::fs::write(folder.path().join("pairs.csv"), paired).expect("written");
    let hall = Command::new(env!("CARGO_BIN_EXE_annabella"))
        .args(["hall", "--event", "test", "--pgn", "all.pgn", "--listen", &listen.to_string()])
        .arg("--no-page")
        .args(["--pairings", "pairs.csv", "--results", "results.csv"])
        .current_dir(folder.path())
        .stdout(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut hall = Stopped(hall);
    let mut lines = BufReader::new(hall.0.stdout.take().expect("its output")).lines();
    let mut line = || lines.next().expect("a line").expect("text");
    assert_eq!(
        line(),
        format!(
            "hall of test: an own nats-server at {listen}, for this machine alone, store in annabella-hall; \
             boards join with [hall] url and event = \"test\""
        )
    );
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    journal.append(game, At::new(2), &Input::ClockStarted).expect("kept");
    let (_wire, _) = wire(&format!("nats://{listen}"), 17, &path);
    let told = line();
    assert!(told == "board 17: is here" || told == "board 17: Anna – ?", "{told}");
    let pgn = folder.path().join("all.pgn");
    until("the games are written", || {
        std::fs::read_to_string(&pgn).is_ok_and(|text| text.contains("[White \"Anna\"]"))
    });
    let text = std::fs::read_to_string(&pgn).expect("games");
    assert!(text.contains("[Event \"test\"]") && text.contains("[Board \"17\"]"), "{text}");
    let article = Article::A5_1_2;
    let declared = ArbiterAct::Declare { result: Outcome::BlackWins, article };
    let ruling = Ruling::new(declared, "A. Weber".to_owned(), "secret".to_owned());
    journal.append(game, At::new(3), &Input::Arbiter(Box::new(ruling))).expect("kept");
    let results = folder.path().join("results.csv");
    until("the results are written", || results.exists());
    let text = std::fs::read_to_string(&results).expect("results");
    assert_eq!(text, "board,white,black,result\n17,Anna,Berta,0-1\n");
    until("the result is in the games", || {
        std::fs::read_to_string(&pgn).is_ok_and(|text| text.contains("[Result \"0-1\"]"))
    });
    let text = std::fs::read_to_string(&pgn).expect("games");
    assert!(!text.contains("secret") && !text.contains("Weber"), "{text}");
    hall.stop();
    assert_eq!(hall.0.wait().expect("ends").code(), Some(0));
    // Its server has ended with it.
    std::net::TcpListener::bind(listen).expect("the port is free again");
}
