//! The board's line to the hall, if the configuration wants one: the program `annabella-hall`,
//! started as a child. It reads the journal's file by itself, and the game never waits for it.

use std::{
    convert::Infallible,
    io::{BufRead as _, BufReader, Write as _},
    net::SocketAddr,
    os::unix::process::CommandExt as _,
    path::{Path, PathBuf},
    process::{Child, ChildStdin, Command, Output, Stdio},
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

#[cfg(feature = "console")]
use std::{
    net::{Ipv4Addr, TcpListener},
    sync::OnceLock,
};

use serde::{Deserialize, Serialize};

use super::{
    beside::HALL,
    news::{FromDevice, PairedHere, Pulse, WeakToGame},
};
use crate::config::Config;
#[cfg(feature = "console")]
use annabella_console::HallEntry;
use annabella_core::{
    game::{Blind, Input},
    lobby::NotTaken,
};
use annabella_threads::{Backoff, lock};
use annabella_words::phrase::pack;

/// It is looked at this often whether it has ended.
const LOOK: Duration = Duration::from_millis(500);
/// How long it may take to end when it is told to.
const ENDS: Duration = Duration::from_secs(2);
/// No name is longer, characters.
const LONGEST_NAME: usize = 100;
/// One that ran for so long was a good one.
const LASTED: Duration = Duration::from_secs(60);
/// Digits of what the wire shows at the pages' door.
#[cfg(feature = "console")]
const SECRET: usize = 40;

/// What `annabella-hall wire` and `annabella-hall look` are told: one line of JSON on their
/// standard input, which no list of processes shows. The wire ends when that is closed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireCall {
    /// The server, `nats://` or `tls://`.
    pub url: String,
    pub credentials: Option<PathBuf>,
    pub event: String,
    pub board: u32,
    pub journal: PathBuf,
    /// Only a board that gives no sign of life is taken over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub silent: bool,
    /// Where the board's pages let those in whom the hall has let in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub door: Option<WireDoor>,
}

/// A door of the pages that only this machine reaches.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WireDoor {
    pub address: SocketAddr,
    pub secret: String,
}

impl std::fmt::Debug for WireDoor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WireDoor").field("address", &self.address).finish_non_exhaustive()
    }
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
            silent: false,
            door: None,
        })
    }

    /// As the program reads it, with its line break.
    fn line(&self) -> String {
        format!("{}\n", serde_json::json!(self))
    }
}

/// What the wire writes on standard output when another board has taken this one's place.
pub const TAKEN_OVER: &str = "taken over";

/// Where a game takes its inputs from, once there is one.
#[derive(Clone, Debug, Default)]
struct HallNews(Arc<Mutex<NewsWaiting>>);

#[derive(Debug, Default)]
struct NewsWaiting {
    to_game: Option<WeakToGame>,
    taken_over: bool,
    paired: Option<PairedHere>,
    pulse: Pulse,
}

impl HallNews {
    /// Whether the loop that plays takes its news.
    fn beats(&self) -> bool {
        let mut waiting = lock(&self.0);
        let to_game = waiting.to_game.as_ref().and_then(WeakToGame::upgrade);
        waiting.pulse.beats(to_game.as_ref())
    }

    /// Hands over what waits, if anybody takes it.
    fn hand_on(&self, change: impl FnOnce(&mut NewsWaiting)) {
        let mut waiting = lock(&self.0);
        change(&mut waiting);
        let to_game = waiting.to_game.as_ref().and_then(WeakToGame::upgrade);
        let Some(to_game) = to_game else { return };
        // A queue that is full at this moment hears it with the wire's next word.
        if waiting.taken_over {
            let sent = to_game.try_send(FromDevice::Input(Input::TakenOver));
            waiting.taken_over = sent.is_err();
        }
        if let Some(paired) = waiting.paired.clone() {
            let sent = to_game.try_send(FromDevice::Paired(paired));
            waiting.paired = waiting.paired.take().filter(|_| sent.is_err());
        }
    }
}

/// The running line. It ends when this is dropped; what was not sent is sent at the next start.
#[derive(Debug)]
pub struct HallLine {
    news: HallNews,
    stop: Option<Sender<Infallible>>,
    thread: Option<JoinHandle<()>>,
}

impl HallLine {
    /// The game that takes inputs here hears what concerns it.
    pub fn tell(&self, to_game: WeakToGame) {
        self.news.hand_on(|waiting| waiting.to_game = Some(to_game));
    }
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
    let mut call = WireCall::of(config)?;
    let tell: Tell = Arc::new(tell);
    if config.console.listen.is_some() {
        call.door = door(&tell);
    }
    let told = Arc::clone(&tell);
    let news = HallNews::default();
    let to_game = news.clone();
    let (stop, stopped) = channel();
    let thread = thread::Builder::new()
        .name("hall".to_owned())
        .spawn(move || keep(&call, &tell, &to_game, &stopped))
        .inspect_err(|err| told(&format!("hall: {err}; the game goes on without it")))
        .ok()?;
    Some(HallLine { news, stop: Some(stop), thread: Some(thread) })
}

#[cfg(feature = "console")]
static ENTRY: OnceLock<HallEntry> = OnceLock::new();

/// Where the pages let in whom the hall has let in, once the board has joined one.
#[cfg(feature = "console")]
pub(super) fn entry() -> Option<HallEntry> {
    ENTRY.get().cloned()
}

/// The pages come and go with the games, and this stays.
#[cfg(feature = "console")]
fn door(tell: &Tell) -> Option<WireDoor> {
    let made = || -> Result<(HallEntry, WireDoor), String> {
        let secret = annabella_console::random_digits(SECRET).map_err(|err| err.to_string())?;
        let listener =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).map_err(|err| err.to_string())?;
        let address = listener.local_addr().map_err(|err| err.to_string())?;
        let entry = HallEntry { listener: Arc::new(listener), secret: secret.clone() };
        Ok((entry, WireDoor { address, secret }))
    };
    let made = made()
        .inspect_err(|err| tell(&format!("hall: {err}; nobody sees this board's pages there")));
    let (entry, door) = made.ok()?;
    ENTRY.set(entry).ok()?;
    Some(door)
}

#[cfg(not(feature = "console"))]
fn door(_: &Tell) -> Option<WireDoor> {
    None
}

/// Starts the program again whenever it has ended, until somebody stops this.
fn keep(call: &WireCall, tell: &Tell, news: &HallNews, stopped: &Receiver<Infallible>) {
    let mut backoff = Backoff::new(Duration::from_secs(1), Duration::from_secs(60));
    let mut told = String::new();
    let stops = |pause| !matches!(stopped.recv_timeout(pause), Err(RecvTimeoutError::Timeout));
    loop {
        let began = Instant::now();
        let ended = match start(call, tell, news) {
            Ok((mut child, mut stdin)) => {
                let ended = loop {
                    if stops(LOOK) {
                        return end(child, stdin);
                    }
                    if news.beats() {
                        // One that takes nothing more has ended, or stands still.
                        let _ = stdin.write(b"\n");
                    }
                    match child.try_wait() {
                        Ok(None) => {}
                        Ok(Some(status)) => break format!("annabella-hall has ended: {status}"),
                        Err(err) => break format!("annabella-hall: {err}"),
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
fn start(call: &WireCall, tell: &Tell, news: &HallNews) -> Result<(Child, ChildStdin), String> {
    let program = HALL.path();
    let mut child = Command::new(&program)
        .arg("wire")
        // What a terminal tells the game is not for it: it ends with its standard input.
        .process_group(0)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|err| HALL.missing(&err))?;
    if let Some(stdout) = child.stdout.take() {
        let news = news.clone();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                news.hand_on(|waiting| match serde_json::from_str(&line) {
                    Ok(paired) => waiting.paired = Some(paired),
                    Err(_) => waiting.taken_over |= line == TAKEN_OVER,
                });
            }
        });
    }
    if let Some(stderr) = child.stderr.take() {
        let tell = Arc::clone(tell);
        thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                tell(&line);
            }
        });
    }
    let mut stdin = child.stdin.take().ok_or("annabella-hall takes no input")?;
    // One that has ended already is found to have.
    let _ = stdin.write_all(call.line().as_bytes());
    // From here on a program that stands still holds nobody up.
    rustix::io::ioctl_fionbio(&stdin, true).map_err(|err| format!("annabella-hall: {err}"))?;
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
/// One line with the remedy.
pub fn look(program: &Path, call: &WireCall) -> Result<String, String> {
    ask(program, "look", call)
}

/// Why a game is not fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfetched {
    pub why: NotTaken,
    /// One line with the remedy.
    pub line: String,
}

/// Fetches the last game of this board of the hall into a new journal, in the folder of the one
/// that the call names, and shuts out the board that has played it. Answers the new journal.
///
/// # Errors
/// [`Unfetched`]; nobody is shut out then.
pub fn fetch(program: &Path, call: &WireCall) -> Result<PathBuf, Unfetched> {
    let output = run(program, "fetch", call)
        .map_err(|err| Unfetched { why: NotTaken::Failed, line: HALL.missing(&err) })?;
    let why = serde_json::from_slice(&output.stdout).unwrap_or(NotTaken::Failed);
    answer(&output).map(PathBuf::from).map_err(|line| Unfetched { why, line })
}

/// Asks the hall who is paired at this board. Answers within seconds.
///
/// # Errors
/// One line with the remedy.
pub fn paired(program: &Path, call: &WireCall) -> Result<Option<PairedHere>, String> {
    let text = ask(program, "pairing", call)?;
    serde_json::from_str(&text).map_err(|_| "the hall's pairings cannot be read".to_owned())
}

impl PairedHere {
    /// Fills in what the configuration leaves open. Answers what cannot be used, a line each.
    pub fn fill(&self, config: &mut Config) -> Vec<String> {
        let mut unusable = Vec::new();
        let bounded = |name: &str| {
            let parts = name.split(|c: char| c.is_whitespace() || c.is_control());
            let words: Vec<&str> = parts.filter(|word| !word.is_empty()).collect();
            words.join(" ").chars().take(LONGEST_NAME).collect()
        };
        let Config { game, speech, .. } = config;
        if game.white.is_empty() && game.black.is_empty() {
            (game.white, game.black) = (bounded(&self.white), bounded(&self.black));
        }
        let untouched = Config::default();
        if let Some(control) = &self.time_control
            && game.time_control == untouched.game.time_control
        {
            match control.parse() {
                Ok(control) => game.time_control = control,
                Err(err) => unusable.push(format!("hall: the pairing's time control: {err}")),
            }
        }
        let (white, black) = (&self.white_prompts, &self.black_prompts);
        // Only Black plays on pegs, and the one board goes with him.
        if white.is_none() && black.is_some() && game.blind == untouched.game.blind {
            game.blind = Blind::Black;
        }
        let prompts = if game.blind == Blind::Black { black } else { white };
        if let Some(name) = prompts.as_ref().filter(|_| speech.prompts == untouched.speech.prompts)
        {
            if pack::builtin(name).is_some() {
                speech.prompts.clone_from(name);
            } else {
                unusable.push("hall: the pairing names a language that is not there".to_owned());
            }
        }
        unusable
    }
}

fn answer(output: &Output) -> Result<String, String> {
    let line = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim().to_owned();
    if output.status.success() {
        return Ok(line(&output.stdout));
    }
    let why = line(&output.stderr);
    Err(why.strip_prefix("annabella-hall: ").unwrap_or(&why).to_owned())
}

/// Its answer to this call; the error is one line with the remedy.
fn ask(program: &Path, what: &str, call: &WireCall) -> Result<String, String> {
    let output = run(program, what, call).map_err(|err| HALL.missing(&err))?;
    answer(&output)
}

fn run(program: &Path, what: &str, call: &WireCall) -> std::io::Result<Output> {
    let mut child = Command::new(program)
        .arg(what)
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
