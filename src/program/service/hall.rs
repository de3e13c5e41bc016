//! The board's line to the hall, if the configuration wants one: the program `annabella-hall`, started as a
//! child. It reads the journal's file by itself, and the game never waits for it.

use std::{
    convert::Infallible,
    io::{BufRead as _, BufReader, ErrorKind, Write as _},
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Output, Stdio},
    sync::{
        Arc,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};

use crate::config::Config;
use annabella_threads::Backoff;

/// The program's name.
const PROGRAM: &str = "annabella-hall";
/// It is looked at this often whether it has ended.
const LOOK: Duration = Duration::from_millis(500);
/// How long it may take to end when it is told to.
const ENDS: Duration = Duration::from_secs(2);
/// One that ran for so long was a good one.
const LASTED: Duration = Duration::from_secs(60);

/// What `annabella-hall wire` and `annabella-hall look` are told: one line of JSON on their standard input,
/// which no list of processes shows. The wire ends when that is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireCall {
    /// The server, `nats://` or `tls://`.
    pub url: String,
    /// A file with credentials.
    pub credentials: Option<PathBuf>,
    /// The event.
    pub event: String,
    /// The board's number there.
    pub board: u32,
    /// The board's journal.
    pub journal: PathBuf,
}

impl WireCall {
    /// `None`: the configuration wants no hall.
    pub fn of(config: &Config) -> Option<WireCall> {
        let section = &config.hall;
        Some(WireCall {
            url: section.url.clone()?,
            credentials: section.credentials.clone(),
            event: section.event.clone(),
            board: section.board,
            journal: config.journal.path.clone(),
        })
    }

    /// As the program reads it, with its line break.
    fn line(&self) -> String {
        format!("{}\n", serde_json::json!(self))
    }
}

/// `annabella-hall`: the one beside this program, or the one in `PATH`.
pub fn program() -> PathBuf {
    let beside = std::env::current_exe().ok().map(|own| own.with_file_name(PROGRAM));
    beside.filter(|path| path.is_file()).unwrap_or_else(|| PathBuf::from(PROGRAM))
}

/// Why it does not start, with the remedy.
pub fn missing(program: &Path, err: &std::io::Error) -> String {
    match err.kind() {
        ErrorKind::NotFound => format!(
            "there is no {PROGRAM} beside annabella, and none in PATH: install it too, it comes with annabella"
        ),
        _ => format!("cannot start {}: {err}", program.display()),
    }
}

/// The running line. It ends when this is dropped; what was not sent is sent at the next start.
#[derive(Debug)]
pub struct HallLine {
    stop: Option<Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl Drop for HallLine {
    fn drop(&mut self) {
        self.stop = None;
        if let Some(thread) = self.thread.take() {
            // It panicked: that was said on standard error.
            let _ = thread.join();
        }
    }
}

/// Takes one line for the log.
type Tell = Arc<dyn Fn(&str) + Send + Sync>;

/// Starts the line. `tell` gets a line when it is there, when it is lost, and why there is none.
pub fn join(config: &Config, tell: impl Fn(&str) + Send + Sync + 'static) -> Option<HallLine> {
    let call = WireCall::of(config)?;
    let tell: Tell = Arc::new(tell);
    let told = Arc::clone(&tell);
    let (stop, stopped) = channel();
    let thread = thread::Builder::new()
        .name("hall".to_owned())
        .spawn(move || keep(&call, &tell, &stopped))
        .inspect_err(|err| told(&format!("hall: {err}; the game goes on without it")))
        .ok()?;
    Some(HallLine { stop: Some(stop), thread: Some(thread) })
}

/// Starts the program again whenever it has ended, until somebody stops this.
fn keep(call: &WireCall, tell: &Tell, stopped: &Receiver<Infallible>) {
    let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(60));
    let mut told = String::new();
    let stops = |pause| !matches!(stopped.recv_timeout(pause), Err(RecvTimeoutError::Timeout));
    loop {
        let began = Instant::now();
        let ended = match start(call, tell) {
            Ok((mut child, stdin)) => {
                let ended = loop {
                    if stops(LOOK) {
                        return end(child, stdin);
                    }
                    match child.try_wait() {
                        Ok(None) => {}
                        Ok(Some(status)) => break format!("{PROGRAM} has ended: {status}"),
                        Err(err) => break format!("{PROGRAM}: {err}"),
                    }
                };
                drop(stdin);
                ended
            }
            Err(why) => why,
        };
        if began.elapsed() > LASTED {
            backoff.reset();
            told.clear();
        }
        // The same again and again is said once.
        if told != ended {
            tell(&format!("hall: {ended}; the game goes on without it"));
            told = ended;
        }
        if stops(backoff.pause()) {
            return;
        }
    }
}

/// Its lines go to `tell` as they come.
fn start(call: &WireCall, tell: &Tell) -> Result<(Child, ChildStdin), String> {
    let program = program();
    let mut child = Command::new(&program)
        .arg("wire")
        // What a terminal tells the game is not for it: it ends with its standard input.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|err| missing(&program, &err))?;
    if let Some(stderr) = child.stderr.take() {
        let tell = Arc::clone(tell);
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                tell(&line);
            }
        });
    }
    let mut stdin = child.stdin.take().ok_or_else(|| format!("{PROGRAM} takes no input"))?;
    // One that has ended already is found to have.
    let _ = stdin.write_all(call.line().as_bytes());
    Ok((child, stdin))
}

fn end(mut child: Child, stdin: ChildStdin) {
    drop(stdin);
    let until = Instant::now() + ENDS;
    while matches!(child.try_wait(), Ok(None)) && Instant::now() < until {
        thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Looks whether the hall is there and takes this board's rows, for `doctor`. Answers one line.
///
/// # Errors
///
/// One line with the remedy.
pub fn look(program: &Path, call: &WireCall) -> Result<String, String> {
    let output = ask(program, call).map_err(|err| missing(program, &err))?;
    let line = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(line(&output.stdout));
    }
    let why = line(&output.stderr);
    Err(why.strip_prefix("annabella-hall: ").unwrap_or(&why).to_owned())
}

fn ask(program: &Path, call: &WireCall) -> std::io::Result<Output> {
    let mut child = Command::new(program)
        .arg("look")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        // One that does not read it says why.
        let _ = stdin.write_all(call.line().as_bytes());
    }
    child.wait_with_output()
}
