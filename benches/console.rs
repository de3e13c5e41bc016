//! The pages with 200 of them open: how long a page takes, how soon a move is on all of them, how
//! much memory the server needs. Server and clients are two processes.

#[path = "../tests/shared/hall.rs"]
mod hall;

use std::{
    collections::BTreeMap,
    env, fs,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    process::{Command, Stdio},
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use annabella_console::{Limits, TableFacts, View};
use annabella_core::game::{At, Input};
use hall::{Browser, Hall, Play};
use shakmaty::{Chess, Color, Move, Position, Role, san::SanPlus};

const PLIES: usize = 300;
const PAGES: usize = 200;
const MOVES: usize = 40;
const GETS: usize = 200;

fn main() {
    if env::var_os("ANNABELLA_BENCH_SERVER").is_some() {
        return serve();
    }
    let server = Command::new(env::current_exe().expect("this program"))
        .env("ANNABELLA_BENCH_SERVER", "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut server = server.expect("a server");
    let mut orders = server.stdin.take().expect("a pipe");
    let mut lines = BufReader::new(server.stdout.take().expect("a pipe")).lines();
    let mut line = move || lines.next().expect("a line").expect("a line");
    let address = line().parse().expect("an address");
    let (code, arbiter) = (line(), line());
    let build: Vec<f64> = line().split(' ').map(|ms| ms.parse().expect("a number")).collect();
    println!("{:<52} {:>6} {:>11} {:>11}", "what", "n", "median", "p99");
    row("a snapshot of a game of 300 plies", build);

    let idle_kb = resident_kb(server.id());
    let display = || {
        let mut browser = Browser { address, cookies: Default::default(), language: "en" };
        assert_eq!(browser.post("/pair", &[("code", &code)]).status, 303);
        browser
    };
    let mut browser = display();
    let (send, seen) = mpsc::channel();
    for n in 0..PAGES {
        // One person has no more of them.
        if n % Limits::default().session == 0 {
            browser = display();
        }
        let (send, browser) = (send.clone(), browser.clone());
        std::thread::spawn(move || {
            let mut live = browser.live();
            while let Some((name, data)) = live.event() {
                if name == "part" && data["id"] == "last" && send.send(Instant::now()).is_err() {
                    return;
                }
            }
        });
    }
    let all_seen = || (0..PAGES).map(|_| seen.recv().expect("a page")).max().expect("pages");
    let _ = all_seen();
    let open_kb = resident_kb(server.id());

    // The first order makes two moves.
    writeln!(orders, "move").expect("ordered");
    line();
    let mut moves = Vec::new();
    for _ in 0..MOVES {
        std::thread::sleep(Duration::from_millis(150));
        while seen.try_recv().is_ok() {}
        let began = Instant::now();
        writeln!(orders, "move").expect("ordered");
        moves.push((all_seen() - began).as_secs_f64() * 1e3);
        line();
    }
    row("from a move to the last of 200 open pages", moves);

    let (mut browser, mut gets) = (display(), Vec::new());
    for n in 0..GETS {
        if n % 5 == 0 {
            writeln!(orders, "move").expect("ordered");
            line();
        }
        let began = Instant::now();
        assert_eq!(browser.get("/display").status, 200);
        gets.push(began.elapsed().as_secs_f64() * 1e3);
    }
    row("a new page, 200 others open and moves being made", gets);
    println!(
        "memory of the server: {:.1} MB, with {PAGES} pages open {:.1} MB",
        idle_kb / 1e3,
        open_kb / 1e3
    );
    acts_beside_others(address, &code, &arbiter);
    drop(orders);
    server.wait().expect("ended");
}

/// Connections that want to keep an arbiter out.
const HOSTILE: usize = 2_000;
/// From so many addresses.
const ADDRESSES: usize = 40;
const ACTS: usize = 200;

/// How long an arbiter's act takes beside streams of displays, bodies that do not come and heads
/// that do not end, each of which comes back at once where it is closed.
fn acts_beside_others(address: SocketAddr, display: &str, arbiter: &str) {
    let mut browser = Browser { address, cookies: Default::default(), language: "en" };
    assert_eq!(browser.post("/pair", &[("code", arbiter), ("by", "Weber")]).status, 303);
    let mut shows = Browser { address, cookies: Default::default(), language: "en" };
    assert_eq!(shows.post("/pair", &[("code", display)]).status, 303);
    let live = format!("GET /live HTTP/1.1\r\nHost: {address}\r\n{}\r\n", shows.cookie_header());
    let body = format!(
        "POST /pair HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\nContent-Length: 30000\r\n\r\ncode="
    );
    let asks = Arc::new([live, body, "GET / HTTP/1.1\r\nX: ".to_owned(), String::new()]);
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.expect("a runtime");
    for n in 0..HOSTILE {
        let asks = Arc::clone(&asks);
        runtime.spawn(async move {
            loop {
                // Where it is not taken at once it tries again.
                let _ = hold(address, n, &asks[n % asks.len()]).await;
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
    }
    std::thread::sleep(Duration::from_secs(5));
    let mut acts = Vec::new();
    for _ in 0..ACTS {
        let began = Instant::now();
        assert_eq!(browser.post("/act", &[("act", "note"), ("text", "seen")]).status, 303);
        acts.push(began.elapsed().as_secs_f64() * 1e3);
    }
    row("an arbiter's act, 2,000 hostile connections", acts);
    runtime.shutdown_background();
}

/// Holds a connection until it is closed.
async fn hold(address: SocketAddr, n: usize, ask: &str) -> std::io::Result<()> {
    use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
    let socket = tokio::net::TcpSocket::new_v4()?;
    socket.bind(([127, 0, 9, 1 + (n % ADDRESSES) as u8], 0).into())?;
    let mut stream = socket.connect(address).await?;
    stream.write_all(ask.as_bytes()).await?;
    let mut bytes = [0; 4_096];
    while stream.read(&mut bytes).await? > 0 {}
    Ok(())
}

fn row(name: &str, mut ms: Vec<f64>) {
    ms.sort_by(f64::total_cmp);
    let at = |share: usize| ms[(ms.len() - 1) * share / 100];
    println!("{name:<52} {:>6} {:>8.3} ms {:>8.3} ms", ms.len(), at(50), at(99));
}

fn resident_kb(id: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{id}/status")).expect("a running server");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("its memory");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// A game of 300 plies and its pages. Each line read makes one more move, there and back.
fn serve() {
    let hall = Hall::new();
    let texts = quiet_game();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    hall.play().moves(&texts[..PLIES - 2]);
    let codes = hall.codes.borrow().clone();
    println!("{}\n{}\n{}", hall.address, codes.display, codes.arbiter);
    let mut took = Vec::new();
    for _ in 0..100 {
        let play = hall.play();
        let Play { game, log, now_ms, .. } = &*play;
        let began = Instant::now();
        let view = View::of(game, At::new(*now_ms), log, TableFacts::default());
        took.push(format!("{:.4}", began.elapsed().as_secs_f64() * 1e3));
        assert!(view.game.is_some_and(|game| game.scores.len() == PLIES - 2));
    }
    println!("{}", took.join(" "));
    let mut there = false;
    for _ in std::io::stdin().lines() {
        let mut play = hall.play();
        // The last move is shown, and corrected before its clock is pressed, again and again.
        if !there && play.position().turn().is_white() {
            play.white(texts[PLIES - 2]);
            let uci = last(&play);
            play.input(Input::Sighted { seat: Color::Black, uci }).expect("followed");
            there = true;
        }
        let legal: Vec<String> = alternatives(&play);
        let other = legal.iter().find(|uci| !play.line().is_empty() && **uci != last(&play));
        let uci = other.expect("another move").clone();
        play.input(Input::Sighted { seat: Color::Black, uci }).expect("shown");
        println!("moved");
    }
}

/// A long game without captures, which the hands play without a doubt: each position as new as can
/// be, a pawn now and then.
fn quiet_game() -> Vec<String> {
    let mut position = Chess::default();
    let mut seen: BTreeMap<String, u32> = BTreeMap::new();
    let mut texts = Vec::new();
    while texts.len() < PLIES {
        let pawn = position.halfmoves() > 60;
        let moves = position.legal_moves();
        let quiet =
            moves.iter().filter(|mv| !mv.is_capture() && !mv.is_promotion() && !mv.is_castle());
        let after = |mv: Move| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            after
        };
        let worth = |mv: Move| {
            let known = seen.get(&after(mv).board().to_string()).copied().unwrap_or(0);
            (known, (mv.role() == Role::Pawn) != pawn, after(mv).is_check())
        };
        let mv = *quiet.min_by_key(|mv| worth(**mv)).expect("a quiet move");
        *seen.entry(after(mv).board().to_string()).or_insert(0) += 1;
        texts.push(SanPlus::from_move_and_play_unchecked(&mut position, mv).to_string());
    }
    texts
}

/// Moves that Black could have made, or can make, in UCI.
fn alternatives(play: &Play) -> Vec<String> {
    let record = play.game.record().expect("a game");
    let black_moved = record.line.last().is_some_and(|ply| ply.mover.is_black());
    let mut before = record.start().clone();
    for ply in &record.line[..record.line.len() - usize::from(black_moved)] {
        before.play_unchecked(ply.mv);
    }
    let uci = |mv: &shakmaty::Move| shakmaty::uci::UciMove::from_standard(*mv).to_string();
    before.legal_moves().iter().map(uci).collect()
}

fn last(play: &Play) -> String {
    let record = play.game.record().expect("a game");
    let last = record.line.last().expect("a move");
    shakmaty::uci::UciMove::from_standard(last.mv).to_string()
}
