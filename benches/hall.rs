//! A whole hall: how soon a move is on the hall's page, and what page and server cost, with 50
//! boards and with 500.
//!
//! Three programs beside this one, as in a hall: `nats-server`, `annabella hall`, and the boards,
//! which play ten times as fast as people do. This one has the arbiter's page open, and follows it.
//! `BOARDS=100 PLIES=8 SERVERS=1 cargo bench --bench hall` takes other numbers.
//!
//! Then the same with three servers, of which one at a time is killed with its program: not the one
//! whose page is open.
//!
//! Then so many boards come back that were cut off for ten minutes, while one plays on that was
//! not; and somebody whose line was lost reads all of their rows anew, and reads on from where he
//! was.

#[path = "../tests/shared/hall.rs"]
mod hall;

use std::{
    collections::HashMap,
    env, fs,
    io::{BufRead, BufReader},
    net::{SocketAddr, TcpListener, TcpStream},
    ops::RangeInclusive,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use annabella_core::game::{At, GameConfig, Input, Learnt, Started};
use annabella_hall::{
    names::{BoardPlace, EventName},
    server::{NatsServer, ServerSettings},
    settings::WireSettings,
    stream::{Link, StreamMark, StreamRow},
    wire::Wire,
};
use annabella_records::journal::{GameId, Journal};
use annabella_words::phrase::pack;
use hall::Browser;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use shakmaty::{Color, Square};

/// Between two games more time passes.
const CORRECTED_MS: f64 = 1500.0;
const PROGRAM: &str = env!("CARGO_BIN_EXE_annabella-hall");

/// Each board's row as the page has shown it, with the moments.
type Shown = HashMap<String, Vec<(f64, String)>>;

/// Ends with what started it.
struct Ends(Child);

impl Drop for Ends {
    fn drop(&mut self) {
        if matches!(self.0.try_wait(), Ok(Some(_))) {
            return;
        }
        // The hall ends its server when it is asked to.
        let asked = Command::new("kill").arg(self.0.id().to_string()).status();
        if asked.is_err() {
            let _ = self.0.kill();
        }
        let _ = self.0.wait();
    }
}

fn main() {
    if Command::new("nats-server").arg("--version").output().is_err() {
        println!("hall: skipped, there is no nats-server");
        return;
    }
    let number = |name: &str| env::var(name).ok().and_then(|number| number.parse().ok());
    let plies = number("PLIES").unwrap_or(12);
    let all = number("BOARDS").map_or(vec![50, 500], |boards| vec![boards]);
    println!(
        "{:>7} {:>5} {:>6} {:>6} {:>8} {:>9} {:>9} {:>9} {:>11} {:>11} {:>9} {:>9}",
        "servers",
        "kills",
        "boards",
        "moves",
        "rows/s",
        "p50",
        "p99",
        "most",
        "page cores",
        "nats cores",
        "page MB",
        "nats MB"
    );
    for servers in number("SERVERS").map_or(vec![1, SERVERS], |servers| vec![servers as usize]) {
        for boards in &all {
            measure(*boards, plies, servers);
        }
    }
    println!(
        "{:>6} {:>6} {:>8} {:>8} {:>9} {:>9} {:>9} {:>9} {:>9}",
        "cut", "rows", "seconds", "rows/s", "fresh p50", "p99", "most", "anew", "on"
    );
    for boards in all {
        catch_up(boards);
    }
}

/// Rows that a board writes in ten minutes: a move a minute, and twice as many rows for each as the
/// hands of `make demo ARGS="--hall 6"` write, six.
const CUT_ROWS: u64 = 10 * 12;
/// The board that was not cut has a row so often.
const FRESH: Duration = Duration::from_millis(100);

/// A board's journal with a game begun and so many rows of it.
fn journal(path: &Path, rows: u64) -> Journal {
    let text = |name: &str| pack::builtin(name).expect("built in").to_owned();
    let started = Started {
        config: GameConfig::default(),
        packs: vec![text("fide"), text("de")],
        confusions: Learnt::default(),
        build: "bench".to_owned(),
        unix_s: 0,
    };
    let mut journal = Journal::open(path).expect("a journal");
    let game = journal.begin(&started, At::new(1)).expect("begun");
    (0..rows).for_each(|n| row(&mut journal, game, n));
    journal
}

fn row(journal: &mut Journal, game: GameId, n: u64) {
    let square = Square::new(u32::try_from(n % 64).expect("a square"));
    let edge = Input::Edge { seat: Color::White, square, occupied: n.is_multiple_of(2), ago_ms: 0 };
    journal.append(game, At::new(2 + n), &edge).expect("kept");
}

/// The boards' lines come back at one moment. Ends when the stream has every row.
fn catch_up(boards: u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let server = NatsServer::start(&ServerSettings {
        program: PathBuf::from("nats-server"),
        listen: ([127, 0, 0, 1], 0).into(),
        store: folder.path().join("store"),
        keys: None,
        most_bytes: None,
        cluster: None,
    });
    let server = server.expect("a server");
    let place = |board: u64| BoardPlace {
        event: "event".parse().expect("a name"),
        board: u32::try_from(board).expect("a number"),
    };
    let wire = |board: u64, journal: PathBuf| {
        let settings = WireSettings {
            url: server.url(),
            credentials: None,
            place: place(board),
            journal,
            door: None,
            alive: None,
            tell: Arc::new(|_| {}),
        };
        Wire::start(settings).expect("a thread")
    };
    let path = |board: u64| folder.path().join(format!("{board}.db"));
    drop(journal(&path(1), CUT_ROWS));
    (2..=boards).for_each(|board| {
        fs::copy(path(1), path(board)).expect("copied");
    });
    let fresh = boards + 1;
    let mut playing = journal(&path(fresh), 0);
    // What the hall has, and since when it has the rows of the board that plays on.
    let came: Arc<Mutex<(u64, Vec<Instant>)>> = Arc::default();
    let (seen, url) = (Arc::clone(&came), server.url());
    std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        runtime.expect("a runtime").block_on(async {
            let link = Link::open(&url, None, "hall").await.expect("a line");
            let event = place(fresh).event;
            link.make_event(&event).await.expect("an event");
            let take = |row: Option<StreamRow>| {
                if let Some(row) = row {
                    let mut seen = seen.lock().expect("seen");
                    seen.0 += 1;
                    if u64::from(row.of.board) == fresh {
                        seen.1.push(Instant::now());
                    }
                }
                true
            };
            // It ends with the server.
            let _ = link.read(&event, &event.rows(), take).await;
        });
    });
    let all = || came.lock().expect("seen").0;
    let _fresh = wire(fresh, path(fresh));
    while all() < 1 {
        std::thread::sleep(Duration::from_millis(10));
    }
    let began = Instant::now();
    let wires: Vec<Wire> = (1..=boards).map(|board| wire(board, path(board))).collect();
    let (game, mut wrote) = (GameId { number: 1 }, Vec::new());
    let cut = boards * (CUT_ROWS + 1);
    while all() < cut + 1 + wrote.len() as u64 {
        wrote.push(Instant::now());
        row(&mut playing, game, wrote.len() as u64);
        std::thread::sleep(FRESH);
    }
    let passed = began.elapsed().as_secs_f64();
    drop(wires);
    let came = came.lock().expect("seen");
    let later = wrote.iter().zip(&came.1[1..]);
    let mut late: Vec<f64> =
        later.map(|(wrote, came)| (*came - *wrote).as_secs_f64() * 1e3).collect();
    late.sort_by(f64::total_cmp);
    let at = |share: usize| late[(late.len() - 1) * share / 100];
    let mut mark = None;
    let mut reads = || read(&server.url(), &place(fresh).event, &mut mark);
    let (anew, on) = (reads(), reads());
    println!(
        "{boards:>6} {cut:>6} {passed:>8.1} {:>8.0} {:>6.0} ms {:>6.0} ms {:>6.0} ms {anew:>6.0} ms {on:>6.0} ms",
        cut as f64 / passed,
        at(50),
        at(99),
        at(100),
    );
}

/// Reads the stream to its end over a new line, anew or from the mark on. Answers after how many
/// milliseconds.
fn read(url: &str, event: &EventName, mark: &mut Option<StreamMark>) -> f64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let began = Instant::now();
    runtime.expect("a runtime").block_on(async {
        let link = Link::open(url, None, "hall").await.expect("a line");
        link.read_on(event, &event.rows(), mark, |row| row.is_some()).await.expect("rows");
    });
    began.elapsed().as_secs_f64() * 1e3
}

/// Of so many servers two keep a row before it counts.
const SERVERS: usize = 3;
/// How long all of them run, and how long one is away.
const ALL_RUN: RangeInclusive<u64> = 4_000..=10_000;
const IS_AWAY: RangeInclusive<u64> = 500..=4_000;
/// They find each other at a port so much higher.
const CLUSTER_PORT: u16 = 2_000;

/// The programs `annabella hall` of an event, each with its server.
struct Halls {
    args: Vec<Vec<String>>,
    running: Vec<Ends>,
}

impl Halls {
    fn start(folder: &Path, servers: usize) -> Halls {
        let addresses: Vec<String> = match servers {
            1 => vec!["127.0.0.1:0".to_owned()],
            n => free(n).iter().map(|port| format!("127.0.0.1:{port}")).collect(),
        };
        let args = addresses.iter().enumerate().map(|(n, own)| {
            let store = folder.join(format!("store-{n}")).display().to_string();
            let mut args: Vec<String> =
                ["--language", "en", "--listen", own, "--store", &store].map(str::to_owned).into();
            let page: &[&str] = if n == 0 { &["--page", "127.0.0.1:0"] } else { &["--no-page"] };
            args.extend(page.iter().map(|&arg| arg.to_owned()));
            let others = addresses.iter().filter(|other| *other != own);
            args.extend(others.flat_map(|other| ["--with".to_owned(), other.clone()]));
            args
        });
        let args: Vec<_> = args.collect();
        let running = args.iter().map(|args| Self::run(args)).collect();
        Halls { args, running }
    }

    fn run(args: &[String]) -> Ends {
        let hall = Command::new(PROGRAM)
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the hall");
        Ends(hall)
    }

    /// One that has no page ends as by a power cut, and comes back, until nobody plays any more.
    /// Answers how often.
    fn trouble(&mut self, over: &AtomicBool) -> u32 {
        let mut rng = ChaCha8Rng::seed_from_u64(4_711);
        let mut kills = 0;
        let pause = |ms: u64| {
            let until = Instant::now() + Duration::from_millis(ms);
            while Instant::now() < until && !over.load(Ordering::Relaxed) {
                std::thread::sleep(Duration::from_millis(50));
            }
            !over.load(Ordering::Relaxed)
        };
        while pause(rng.random_range(ALL_RUN)) {
            let n = rng.random_range(1..self.running.len());
            let hall = &mut self.running[n].0;
            // Its server would end with it, but in order.
            let server = child_of(hall.id()).expect("its nats-server");
            let killed = Command::new("kill").args(["-9", &server.to_string()]).status();
            assert!(killed.is_ok_and(|status| status.success()), "it was not killed");
            hall.kill().expect("killed");
            hall.wait().expect("ended");
            kills += 1;
            pause(rng.random_range(IS_AWAY));
            self.running[n] = Self::run(&self.args[n]);
            first_line(self.running[n].0.stdout.take().expect("a pipe"), |_| true);
            drain(self.running[n].0.stderr.take().expect("a pipe"));
        }
        kills
    }
}

/// Ports that are free, each with the one at which servers find each other.
fn free(count: usize) -> Vec<u16> {
    let bind = |port: u16| TcpListener::bind(("127.0.0.1", port)).ok();
    let mut held = Vec::new();
    while held.len() < count {
        // Below those that the system gives to whoever asks for one.
        let port = rand::rng().random_range(20_000..30_000);
        if let (Some(own), Some(among)) = (bind(port), bind(port + CLUSTER_PORT)) {
            held.push((port, own, among));
        }
    }
    held.iter().map(|(port, ..)| *port).collect()
}

fn measure(boards: u64, plies: u64, servers: usize) {
    let folder = tempfile::tempdir().expect("a folder");
    let mut halls = Halls::start(folder.path(), servers);
    let mut urls = Vec::new();
    for hall in &mut halls.running {
        let out = hall.0.stdout.take().expect("a pipe");
        let first = first_line(out, |line| line.starts_with("hall of "));
        urls.push(format!("nats://{}", between(&first, "nats-server at ", ",")));
    }
    let mut errs: Vec<_> =
        halls.running.iter_mut().map(|hall| hall.0.stderr.take().expect("a pipe")).collect();
    errs.drain(1..).for_each(drain);
    let line = first_line(errs.remove(0), |line| line.contains("codes: "));
    let hall = halls.running[0].0.id();
    let address: SocketAddr =
        between(&line, "pages: http://", ";").trim_end_matches('/').parse().expect("an address");
    let mut browser = Browser { address, cookies: Default::default(), language: "en" };
    let code = between(&line, "arbiter ", ",").to_owned();
    let paired = browser.post("/pair", &[("code", &code), ("name", "A. Weber")]);
    assert_eq!(paired.status, 303, "{paired:?}");

    let seen: Arc<Mutex<Shown>> = Arc::default();
    let page = Arc::clone(&seen);
    std::thread::spawn(move || {
        // Where nothing came for some seconds, the stream is opened anew, as a browser does. The
        // hall ends it.
        while TcpStream::connect(address).is_ok() {
            let mut live = browser.live();
            while let Some((name, data)) = live.event() {
                if name == "part" && data["id"].as_str().is_some_and(|id| id.starts_with("board-"))
                {
                    let id = data["id"].as_str().unwrap_or_default().to_owned();
                    let html = data["html"].as_str().unwrap_or_default().to_owned();
                    page.lock().expect("seen").entry(id).or_default().push((now_ms(), html));
                }
            }
        }
    });
    let nats = child_of(hall).expect("its nats-server");
    let mut playing = Command::new(Path::new(PROGRAM).with_file_name("annabella-lab"))
        .args(["demo", "--hall", &boards.to_string(), "--url", &urls.join(","), "--json"])
        .args(["--plies", &plies.to_string()])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the boards: cargo build --release -p annabella-lab");
    let lines = BufReader::new(playing.stdout.take().expect("a pipe")).lines();
    let mut playing = Ends(playing);
    let (mut made, mut from): (Vec<Value>, Option<(Instant, [f64; 2])>) = (Vec::new(), None);
    let over = AtomicBool::new(false);
    let kills = std::thread::scope(|scope| {
        let trouble = (servers > 1).then(|| scope.spawn(|| halls.trouble(&over)));
        for line in lines {
            let line = line.expect("a line");
            from.get_or_insert_with(|| (Instant::now(), [hall, nats].map(cpu_s)));
            made.push(serde_json::from_str(&line).expect("JSON"));
        }
        over.store(true, Ordering::Relaxed);
        trouble.map_or(0, |trouble| trouble.join().expect("servers were killed"))
    });
    assert!(playing.0.wait().expect("ended").success(), "the boards have failed");
    let (began, before) = from.expect("moves");
    let passed = began.elapsed().as_secs_f64();
    let after = [hall, nats].map(cpu_s);
    std::thread::sleep(Duration::from_secs(1));
    let seen = seen.lock().expect("seen");
    let stand = made.iter().enumerate().filter(|(n, line)| !is_corrected(line, &made[n + 1..]));
    let mut late: Vec<f64> = stand.map(|(n, line)| latency(line, &made[n + 1..], &seen)).collect();
    late.sort_by(f64::total_cmp);
    let at = |share: usize| late[(late.len() - 1) * share / 100];
    let megabytes = |id: u32| resident_kb(id) / 1e3;
    println!(
        "{servers:>7} {kills:>5} {boards:>6} {:>6} {:>8.0} {:>6.0} ms {:>6.0} ms {:>6.0} ms {:>11.2} {:>11.2} {:>9.1} {:>9.1}",
        late.len(),
        rows(&urls[0]) as f64 / passed,
        at(50),
        at(99),
        at(100),
        (after[0] - before[0]) / passed,
        (after[1] - before[1]) / passed,
        megabytes(hall),
        megabytes(nats),
    );
}

/// A hand that rested on its way: another move was made instead of it a moment later.
fn is_corrected(line: &Value, later: &[Value]) -> bool {
    let next = later.iter().find(|next| next["board"] == line["board"]);
    let ms = |line: &Value| line["unix_ms"].as_f64().expect("a moment");
    next.is_some_and(|next| {
        next["ply"].as_u64() <= line["ply"].as_u64() && ms(next) - ms(line) < CORRECTED_MS
    })
}

/// From the moment in which a board had made a move, to that in which the open page shows it, or a
/// later one of that board. `later`: what was made since, at all boards.
fn latency(line: &Value, later: &[Value], seen: &Shown) -> f64 {
    let made_ms = line["unix_ms"].as_f64().expect("a moment");
    let of_board = later.iter().filter(|next| next["board"] == line["board"]);
    let texts: Vec<String> = std::iter::once(line).chain(of_board).map(move_text).collect();
    let shown = seen.get(&format!("board-{}", line["board"])).and_then(|rows| {
        rows.iter()
            .find(|(at_ms, html)| *at_ms >= made_ms && texts.iter().any(|text| html.contains(text)))
    });
    // Infinite: it was never shown.
    shown.map_or(f64::INFINITY, |(at_ms, _)| at_ms - made_ms)
}

/// A move as the page has it.
fn move_text(line: &Value) -> String {
    let ply = line["ply"].as_u64().expect("a ply");
    let dots = if ply % 2 == 1 { "." } else { "..." };
    format!("{}{dots} {}", ply.div_ceil(2), line["san"].as_str().expect("SAN"))
}

fn now_ms() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock").as_secs_f64() * 1e3
}

/// The first such line. What follows is read, so that nothing waits.
fn first_line(from: impl std::io::Read + Send + 'static, wanted: fn(&str) -> bool) -> String {
    let mut lines = BufReader::new(from).lines().map_while(Result::ok);
    let line = lines.find(|line| wanted(line)).expect("a line");
    std::thread::spawn(move || lines.for_each(drop));
    line
}

/// Reads what a program says, so that it never waits.
fn drain(from: impl std::io::Read + Send + 'static) {
    std::thread::spawn(move || BufReader::new(from).lines().for_each(drop));
}

fn between<'a>(line: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = line.split_once(before).unwrap_or_else(|| panic!("no '{before}' in: {line}"));
    rest.split_once(after).map_or(rest, |(text, _)| text).trim()
}

/// Messages in the event's stream.
fn rows(url: &str) -> u64 {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let client = async_nats::connect(url).await.expect("the server");
        let context = async_nats::jetstream::new(client);
        let stream = context.get_stream("hall-event").await.expect("the stream");
        stream.cached_info().state.messages
    })
}

fn child_of(parent: u32) -> Option<u32> {
    let children = fs::read_to_string(format!("/proc/{parent}/task/{parent}/children")).ok()?;
    let of_thread = children.split_whitespace().next().and_then(|id| id.parse().ok());
    of_thread.or_else(|| {
        // Another thread may have started it.
        let tasks = fs::read_dir(format!("/proc/{parent}/task")).ok()?;
        tasks.flatten().find_map(|task| {
            let children = fs::read_to_string(task.path().join("children")).ok()?;
            children.split_whitespace().next()?.parse().ok()
        })
    })
}

/// Processor time that a process has used, seconds.
fn cpu_s(id: u32) -> f64 {
    let stat = fs::read_to_string(Path::new("/proc").join(id.to_string()).join("stat"));
    let stat = stat.expect("a running process");
    let fields: Vec<&str> = stat.rsplit_once(')').expect("a name").1.split_whitespace().collect();
    // utime and stime, in hundredths of a second.
    let ticks: f64 = [11, 12].iter().map(|n| fields[*n].parse::<f64>().expect("a number")).sum();
    ticks / 100.0
}

fn resident_kb(id: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("a running server");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}
