//! From the start of `annabella play` to ready, and its resident memory: of the program that was
//! built, and of another one beside it, as an older commit made it.
//!
//! ```text
//! cargo bench --bench start
//! cargo bench --bench start -- --against /path/to/older/annabella --times 40
//! AGAINST=/path/to/older/annabella cargo bench --bench start
//! ```
//!
//! Each round starts both programs, in turn the one and the other first, so that what the machine
//! does meanwhile meets both. Both are copied into one folder beside the one that was built: models
//! and libraries are looked for round a program, and where its file lies counts in its memory. A
//! program is ready when it tells a service manager so (`READY=1`). It is started in an empty
//! folder, plays a few moves, is killed, and is started again in the middle of that game. Without
//! ears, and with those that are installed.

use std::{
    env, fs,
    io::{self, BufRead as _, BufReader, Write as _},
    os::unix::net::UnixDatagram,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, ExitCode, Stdio},
    time::{Duration, Instant},
};

use clap::Parser;
use serde_json::{Value, json};

/// A program that is not ready by then never will be.
const PATIENCE: Duration = Duration::from_secs(60);
/// The half-moves of a round.
const MOVES: [(&str, &str); 4] = [("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6")];

/// Start and memory of `annabella play`, beside another build.
#[derive(Parser)]
struct Args {
    /// Another program to compare with, as an older commit made it; else that of the variable
    /// AGAINST.
    #[arg(long, value_name = "FILE")]
    against: Option<PathBuf>,
    /// The program itself; the one that was built with this bench if not given.
    #[arg(long, value_name = "FILE", default_value = env!("CARGO_BIN_EXE_annabella"))]
    program: PathBuf,
    /// Rounds.
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u16).range(1..))]
    times: u16,
    /// `cargo bench` says so.
    #[arg(long, hide = true)]
    bench: bool,
}

/// What is measured in one round.
const WHAT: [&str; 5] = [
    "start to ready, ms",
    "resident when ready, KiB",
    "resident after four half-moves, KiB",
    "of that not from files, KiB",
    "start after a kill, mid-game, to ready, ms",
];

fn main() -> ExitCode {
    let args = Args::parse();
    let against = args.against.or_else(|| env::var_os("AGAINST").map(PathBuf::from));
    let originals: Vec<PathBuf> = [Some(args.program), against].into_iter().flatten().collect();
    let beside = Path::new(env!("CARGO_BIN_EXE_annabella")).parent().unwrap_or(Path::new("."));
    let folder = tempfile::tempdir_in(beside).expect("a folder beside the program");
    let mut programs = Vec::new();
    for (n, original) in originals.iter().enumerate() {
        let program = folder.path().join(name(n));
        match fs::copy(original, &program) {
            Ok(bytes) => println!("{}: {}, {bytes} bytes", name(n), original.display()),
            Err(err) => {
                eprintln!("start: cannot read {}: {err}", original.display());
                return ExitCode::FAILURE;
            }
        }
        programs.push(program);
    }
    for hears in [false, true] {
        let ears = if hears { "with the ears that are installed" } else { "without ears" };
        println!("\n{ears}, {} rounds", args.times);
        let mut taken = vec![Vec::new(); programs.len()];
        for round in 0..usize::from(args.times) {
            for turn in 0..programs.len() {
                let n = (round + turn) % programs.len();
                match one(&programs[n], hears) {
                    Ok(figures) => taken[n].push(figures),
                    Err(err) => {
                        eprintln!("start: {}: {err}", originals[n].display());
                        return ExitCode::FAILURE;
                    }
                }
            }
        }
        table(&taken);
    }
    ExitCode::SUCCESS
}

fn name(n: usize) -> &'static str {
    if n == 0 { "this" } else { "other" }
}

fn table(taken: &[Vec<[f64; WHAT.len()]>]) {
    println!(
        "{:<44} {:>6} {:>10} {:>10} {:>10} {:>10}",
        "what", "", "least", "median", "p90", "most"
    );
    for (column, what) in WHAT.iter().enumerate() {
        let mut medians = Vec::new();
        for (n, rounds) in taken.iter().enumerate() {
            let mut all: Vec<f64> = rounds.iter().map(|figures| figures[column]).collect();
            all.sort_by(f64::total_cmp);
            let at = |share: f64| all[((all.len() - 1) as f64 * share).round() as usize];
            let [least, median, p90, most] = [0.0, 0.5, 0.9, 1.0].map(at);
            println!(
                "{what:<44} {:>6} {least:>10.1} {median:>10.1} {p90:>10.1} {most:>10.1}",
                name(n)
            );
            medians.push(median);
        }
        if let [this, other] = medians[..] {
            let percent = (this / other - 1.0) * 100.0;
            println!("{:<44} {:>6} {:>+10.1} {percent:>+9.1} %", "", "differ", this - other);
        }
    }
}

/// A program at a table of its own.
struct Table {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
}

impl Drop for Table {
    fn drop(&mut self) {
        // It has ended already, or is of no use any more.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Table {
    /// Starts the program; the milliseconds until it was ready.
    fn start(program: &Path, folder: &Path, hears: bool) -> io::Result<(Table, f64)> {
        let socket = folder.join("ready");
        let _ = fs::remove_file(&socket);
        let manager = UnixDatagram::bind(&socket)?;
        manager.set_read_timeout(Some(PATIENCE))?;
        let mut command = Command::new(program);
        if !hears {
            command.env("VOSK_LIB", folder.join("no-such-library.so"));
        }
        command
            .args(["play", "--json", "--config"])
            .arg(folder.join("annabella.toml"))
            .env("NOTIFY_SOCKET", &socket)
            .current_dir(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let began = Instant::now();
        let mut child = command.spawn()?;
        let mut told = [0; 4096];
        let ready_ms = loop {
            match manager.recv(&mut told) {
                Ok(length) if told[..length].starts_with(b"READY=1") => {
                    break began.elapsed().as_secs_f64() * 1e3;
                }
                Ok(_) => {}
                Err(_) => {
                    let _ = child.kill();
                    let _ = child.wait();
                    return Err(io::Error::other("it does not tell that it is ready"));
                }
            }
        };
        let lost = || io::Error::other("it has no standard output");
        let stdout = BufReader::new(child.stdout.take().ok_or_else(lost)?);
        let stdin = child.stdin.take();
        Ok((Table { child, stdin, stdout }, ready_ms))
    }

    /// Plays on pegs; each move is awaited.
    fn play(&mut self) -> io::Result<()> {
        for (ply, (from, to)) in (1..).zip(MOVES) {
            for (square, occupied) in [(from, false), (to, true)] {
                let edge = json!({ "square": square, "occupied": occupied });
                let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
                writeln!(stdin, "{edge}")?;
            }
            loop {
                let mut line = String::new();
                if self.stdout.read_line(&mut line)? == 0 {
                    return Err(io::Error::other("it ended in the middle of the game"));
                }
                let told: Value = serde_json::from_str(&line)?;
                if told["move"]["ply"] == ply && told["move"]["state"] == "executed" {
                    break;
                }
            }
        }
        Ok(())
    }

    /// Lines of /proc, KiB.
    fn resident<const N: usize>(&self, keys: [&str; N]) -> io::Result<[f64; N]> {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let of = |key: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(key))?;
            line.split_whitespace().next()?.parse().ok()
        };
        Ok(keys.map(|key| of(key).unwrap_or(f64::NAN)))
    }
}

/// One round of one program.
fn one(program: &Path, hears: bool) -> io::Result<[f64; WHAT.len()]> {
    let folder = tempfile::tempdir()?;
    let text = format!(
        "[board]\nkind = \"events\"\npath = \"-\"\n[speech]\nengine = \"none\"\n[journal]\npath = \"{}\"\n",
        folder.path().join("games.db").display()
    );
    fs::write(folder.path().join("annabella.toml"), text)?;
    let (mut table, ready_ms) = Table::start(program, folder.path(), hears)?;
    let [when_ready] = table.resident(["VmRSS:"])?;
    table.play()?;
    let [after, anonymous] = table.resident(["VmRSS:", "RssAnon:"])?;
    drop(table);
    let (table, again_ms) = Table::start(program, folder.path(), hears)?;
    drop(table);
    Ok([ready_ms, when_ready, after, anonymous, again_ms])
}
