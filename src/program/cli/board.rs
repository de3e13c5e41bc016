//! `annabella board`: live squares, and the self-test.

use std::{
    io::{ErrorKind, Write},
    net::Shutdown,
    os::unix::net::UnixStream,
    path::{Path, PathBuf},
    sync::mpsc::{self, TryRecvError},
    thread,
    time::{Duration, Instant},
};

use serde::Deserialize;
use shakmaty::{Bitboard, File, Rank, Square};

use super::{
    Exit, Failure, rewrite,
    tell::{Teller, typed, words_of},
};
use crate::{
    config::{BoardKind, Config, edit},
    service::{
        setup::file::{wire_values, wires},
        streams::{complain, in_own_language, write_line},
        watched,
    },
};
use annabella_core::{sensing::Edge, setup::TestStep};
use annabella_devices::{
    board::{
        BoardReader,
        events::{EventLine, PegEvent},
        pi,
        scan::{ScanEvent, ScanSettings, ScanStats, Scanner},
        selftest::{BoardFault, Diagnosis, SelfTest, TestLine},
        sim::{Bench, Builder, StripFaults},
        wiring::{ReaderKind, Wiring},
    },
    lines::Lines,
};
use annabella_threads::millis;
use annabella_words::phrase::{Prompt, Utterance, Words};

/// Between two steps of the simulated hands.
const HAND: Duration = Duration::from_millis(400);

/// The service answers within this time; that of a test is silent.
const ANSWER: Duration = Duration::from_millis(if cfg!(test) { 20 } else { 10_000 });

/// The command for the board.
#[derive(Debug, clap::Args)]
pub struct BoardArgs {
    #[command(subcommand)]
    command: BoardCommand,
}

#[derive(Debug, clap::Subcommand)]
enum BoardCommand {
    /// Live squares
    Watch(WatchArgs),
    /// Guided self-test of the 64 reeds, spoken; finds and writes how they are wired
    Test(TestArgs),
}

/// Shows which squares have a peg.
#[derive(Debug, clap::Args)]
struct WatchArgs {
    /// Configuration; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml
    /// and the installed service's.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The board of Black where both players are blind: `[board_black]`.
    #[arg(long)]
    black: bool,
    /// One short line a change, for screen readers and Braille displays.
    #[arg(long, conflicts_with = "json")]
    plain: bool,
    /// The lines that `infer` reads.
    #[arg(long)]
    json: bool,
    /// End after this many seconds, and report how punctual the readings were.
    #[arg(long, value_name = "N")]
    seconds: Option<u64>,
    /// A simulated board, at which somebody plays 1. e4 e5 again and again.
    #[arg(long)]
    simulate: bool,
}

/// Names one square after the other; put a peg into each. Enter: next, "r": repeat, "b": back,
/// "q": end without result. At the end it says what is wrong, and which strip to touch.
#[derive(Debug, clap::Args)]
struct TestArgs {
    /// Configuration; the findings are written into it. The old file is kept beside it as .bak.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The board of Black where both players are blind: `[board_black]`.
    #[arg(long)]
    black: bool,
    /// One strip of shift registers, 1 to 8, as it is soldered: alone on the Pi's cable, or joined
    /// to those before it. Nothing is written.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=8))]
    strip: Option<u8>,
    /// Write nothing.
    #[arg(long)]
    dry_run: bool,
    /// A simulated board, and a builder who does what is asked; nothing is written.
    #[arg(long)]
    simulate: bool,
    /// Faults of the simulated board: swapped=2-3, turned=4 and silent=4 (strips), open=c5,
    /// stuck=c5, bridge=d6-e6, cut=7 (the chain, before that strip).
    #[arg(long, value_name = "LIST", default_value = "", requires = "simulate")]
    faults: String,
    /// Every line as JSON.
    #[arg(long)]
    json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the configuration is wrong or the board cannot be opened.
pub fn run(args: &BoardArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    match &args.command {
        BoardCommand::Watch(args) => watch(args, out),
        BoardCommand::Test(args) => test(args, out),
    }
}

/// The section of the board that is meant.
fn section(black: bool) -> &'static str {
    if black { "board_black" } else { "board" }
}

/// With this board as the only one.
fn load(path: Option<&Path>, black: bool) -> Result<(Config, Option<PathBuf>), Failure> {
    let (mut config, path) = super::configuration(path)?;
    if black {
        config.board = config.board_black.clone();
    }
    Ok((config, path))
}

/// How the reeds are wired; a simulated board has reeds whatever the configuration says.
fn wiring(config: &Config, black: bool, simulate: bool) -> Result<Wiring, Failure> {
    let section = section(black);
    match config.board.wiring() {
        Some(Ok(wiring)) => Ok(wiring),
        Some(Err(err)) => Err(Failure::usage(format!("[{section}] {err}"))),
        None if simulate => Ok(Wiring::default_for(ReaderKind::ShiftRegister)),
        None if config.board.kind == BoardKind::None => Err(Failure::usage(format!(
            "[{section}] kind = \"none\": a board without sensors has nothing to watch or test: \
             name its kind, \"shift-register\", \"expander\" or \"matrix\""
        ))),
        None => Err(Failure::usage(format!(
            "[{section}] kind = \"{}\" has no reeds: give a configuration with \"shift-register\", \
             \"expander\" or \"matrix\"",
            config.board.kind.as_str()
        ))),
    }
}

/// A running service that has this board in hand.
fn service(config: &Config, black: bool) -> Result<Option<UnixStream>, Failure> {
    let path = watched::socket(&config.journal.path, section(black));
    match UnixStream::connect(&path) {
        Ok(stream) => Ok(Some(stream)),
        Err(err) if err.kind() == ErrorKind::PermissionDenied => {
            let path = path.display();
            Err(Failure::device(format!(
                "the service has the board; to ask it at {path}, take sudo"
            )))
        }
        Err(_) => Ok(None),
    }
}

fn watch(args: &WatchArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (config, _) = load(args.config.as_deref(), args.black)?;
    let service = if args.simulate { None } else { service(&config, args.black)? };
    if let Some(service) = service {
        complain("the service has the board and tells what it feels");
        let lost = show(args, &told(service), out)?;
        return Ok(if lost { Exit::Problem } else { Exit::Done });
    }
    let wiring = wiring(&config, args.black, args.simulate)?;
    let bench = args.simulate.then(|| Bench::new(wiring.clone()));
    let (felt, hands) = mpsc::channel();
    if let Some(bench) = bench.clone() {
        bench.set(shakmaty::Board::default().occupied());
        thread::spawn(move || plays(&bench, &hands));
    }
    let scan_hz = wiring.scan_hz;
    let open = move || match &bench {
        Some(bench) => Ok(bench.reader(wiring.clone())),
        None => pi::open(&wiring),
    };
    let mut first = Some(open().map_err(Failure::device)?);
    let settings = ScanSettings {
        scan_hz,
        debounce_ms: config.board.sensing.debounce_ms,
        shown: Bitboard::EMPTY,
    };
    let (send, events) = mpsc::channel();
    let scanner = Scanner::start(
        move || first.take().map_or_else(&open, Ok),
        settings,
        move |event| {
            // Nobody waits for it at a real board.
            let _ = felt.send(());
            send.send(event).is_ok()
        },
    );
    let lost = show(args, &events, out)?;
    write_line(out, &summary(&scanner.stats(), args.json))?;
    Ok(if lost { Exit::Problem } else { Exit::Done })
}

/// What a running service tells, to its end.
fn told(service: UnixStream) -> mpsc::Receiver<ScanEvent> {
    let (send, events) = mpsc::channel();
    thread::spawn(move || {
        for line in Lines::of(service).map_while(Result::ok) {
            let event = line.text.ok().and_then(|text| EventLine::parse(&text).ok());
            let event = match event.map(|line| line.event) {
                Some(PegEvent::Reed { square, occupied }) => {
                    ScanEvent::Edge { edge: Edge { at_ms: 0, square, occupied }, ago_ms: 0 }
                }
                Some(PegEvent::Board(board)) => ScanEvent::Board(board),
                _ => continue,
            };
            if send.send(event).is_err() {
                return;
            }
        }
    });
    events
}

/// Hands at a simulated board: 1. e4 e5, and back. Each waits until what was done before is `felt`.
fn plays(bench: &Bench, felt: &mpsc::Receiver<()>) {
    let hop = |from, to| [(from, false), (to, true)];
    let (e4, e5) = (hop(Square::E2, Square::E4), hop(Square::E7, Square::E5));
    let back = [hop(Square::E5, Square::E7), hop(Square::E4, Square::E2)].concat();
    for (square, occupied) in [e4.to_vec(), e5.to_vec(), back].concat().into_iter().cycle() {
        if felt.recv().is_err() {
            return;
        }
        thread::sleep(HAND);
        bench.peg(square, occupied);
    }
}

/// Shows what happens; whether the board is lost in the end.
fn show(
    args: &WatchArgs,
    events: &mpsc::Receiver<ScanEvent>,
    out: &mut dyn Write,
) -> Result<bool, Failure> {
    let began = Instant::now();
    let end = args.seconds.map(|seconds| began + Duration::from_secs(seconds));
    let mut board = Bitboard::EMPTY;
    let mut lost = false;
    loop {
        let left = end.map(|end| end.saturating_duration_since(Instant::now()));
        let event = match left {
            Some(Duration::ZERO) => break,
            Some(left) => events.recv_timeout(left).ok(),
            None => events.recv().ok(),
        };
        let Some(event) = event else { break };
        match &event {
            ScanEvent::Edge { edge, .. } => board.set(edge.square, edge.occupied),
            ScanEvent::Board(now) => board = *now,
            ScanEvent::Lost(_) => lost = true,
            ScanEvent::Back => lost = false,
        }
        let t_ms = began.elapsed().as_millis();
        let text = match args {
            WatchArgs { json: true, .. } => json_event(t_ms, &event),
            WatchArgs { plain: true, .. } => plain_event(&event),
            _ => drawn_event(board, &event),
        };
        writeln!(out, "{text}").and_then(|()| out.flush())?;
    }
    Ok(lost)
}

fn names(squares: Bitboard) -> Vec<String> {
    squares.into_iter().map(|square| square.to_string()).collect()
}

fn json_event(t_ms: u128, event: &ScanEvent) -> String {
    let t = u64::try_from(t_ms).unwrap_or(u64::MAX);
    match event {
        ScanEvent::Edge { edge, .. } => serde_json::json!({
            "t": t, "square": edge.square.to_string(), "occupied": edge.occupied
        }),
        ScanEvent::Board(board) => serde_json::json!({ "t": t, "occupied": names(*board) }),
        ScanEvent::Lost(err) => serde_json::json!({ "t": t, "lost": err.to_string() }),
        ScanEvent::Back => serde_json::json!({ "t": t, "back": true }),
    }
    .to_string()
}

fn plain_event(event: &ScanEvent) -> String {
    let line = match event {
        ScanEvent::Edge { edge, .. } => {
            let now = in_own_language(if edge.occupied { "peg" } else { "empty" });
            return format!("{} {now}", edge.square);
        }
        ScanEvent::Board(board) if board.is_empty() => "no pegs".to_owned(),
        ScanEvent::Board(board) => format!("pegs: {}", names(*board).join(" ")),
        ScanEvent::Lost(err) => format!("the board is lost: {err}"),
        ScanEvent::Back => "the board is back".to_owned(),
    };
    in_own_language(&line)
}

/// The board as White sees it, and what happened last.
fn drawn_event(board: Bitboard, event: &ScanEvent) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.push(rank.char());
        for file in File::ALL {
            let peg = board.contains(Square::from_coords(file, rank));
            text.push_str(if peg { " ●" } else { " ·" });
        }
        text.push('\n');
    }
    format!("{text}  a b c d e f g h\n{}\n", plain_event(event))
}

fn summary(stats: &ScanStats, json: bool) -> String {
    let (p99, most) = (stats.jitter.below_us(0.99), stats.jitter.most_us());
    if json {
        return serde_json::json!({
            "scans": stats.scans, "failed": stats.failed, "retried": stats.retried,
            "overruns": stats.overruns, "longest_us": stats.longest_us,
            "late_us": { "p50": stats.jitter.below_us(0.5), "p99": p99, "most": most },
        })
        .to_string();
    }
    format!(
        "{} readings, {} failed, {} left out; 99 of 100 at most {p99} µs late, the latest {most} µs",
        stats.scans, stats.failed, stats.overruns
    )
}

/// A line typed by the builder.
enum Typed {
    Answer(TestStep),
    Quit,
}

impl Typed {
    /// `None`: it means nothing, and nothing is concluded about a reed.
    fn read(line: &str) -> Option<Typed> {
        match line.to_lowercase().as_str() {
            "" => Some(Typed::Answer(TestStep::Next)),
            "q" => Some(Typed::Quit),
            "r" => Some(Typed::Answer(TestStep::Repeat)),
            "b" => Some(Typed::Answer(TestStep::Back)),
            _ => None,
        }
    }
}

/// What the builder has typed. What means nothing is told.
fn asked(typed: &mpsc::Receiver<String>) -> Option<Typed> {
    let line = typed.try_recv().ok()?;
    let read = Typed::read(line.trim());
    if read.is_none() {
        complain("nothing but Enter goes on, \"r\" repeats, \"b\" goes back, \"q\" ends the test");
    }
    read
}

/// The board of a running service, until this is dropped or the service wants it back.
struct Loan {
    service: UnixStream,
    told: mpsc::Receiver<LoanLine>,
}

/// A line about a loan.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum LoanLine {
    Lent(bool),
    Kept(String),
}

impl Loan {
    fn ask(mut service: UnixStream) -> Result<Loan, Failure> {
        let failed = |err: std::io::Error| Failure::device(format!("asking the service: {err}"));
        service.write_all(watched::LEND.as_bytes()).map_err(failed)?;
        let mut lines = Lines::of(service.try_clone().map_err(failed)?)
            .map_while(Result::ok)
            .filter_map(|line| line.text.ok())
            .filter_map(|text| serde_json::from_str(&text).ok());
        let (send, told) = mpsc::channel();
        // A test that is over does not care.
        thread::spawn(move || lines.try_for_each(|line| send.send(line)));
        match told.recv_timeout(ANSWER) {
            Ok(LoanLine::Lent(true)) => {}
            Ok(LoanLine::Kept(why)) => {
                return Err(Failure::device(format!("the service keeps its board: {why}")));
            }
            _ => {
                return Err(Failure::device(
                    "the service has the board and does not answer: end it first (sudo systemctl stop \
                     annabella), and start it afterwards",
                ));
            }
        }
        complain("the service lends the board");
        Ok(Loan { service, told })
    }

    /// Why it is over, if it is.
    fn ended(&self) -> Option<String> {
        match self.told.try_recv() {
            Ok(LoanLine::Kept(why)) => Some(why),
            Ok(LoanLine::Lent(_)) | Err(TryRecvError::Empty) => None,
            Err(TryRecvError::Disconnected) => Some("it has ended".to_owned()),
        }
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        // It is gone with the service otherwise.
        let _ = self.service.shutdown(Shutdown::Both);
    }
}

/// The person who does the test, and the words for it.
struct Guide<'a> {
    teller: Teller<'a>,
    words: Words,
}

impl Guide<'_> {
    fn tell(&mut self, lines: &[TestLine]) -> Result<(), Failure> {
        let lines: Vec<Utterance> = lines.iter().map(|line| line.words(&self.words)).collect();
        self.teller.tell(&lines)
    }
}

fn test(args: &TestArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (config, path) = load(args.config.as_deref(), args.black)?;
    let wiring = wiring(&config, args.black, args.simulate)?;
    let strips = wiring.kind == ReaderKind::ShiftRegister;
    if !strips && (args.strip.is_some() || !args.faults.is_empty()) {
        let (section, kind) = (section(args.black), wiring.kind.as_str());
        return Err(Failure::usage(format!(
            "[{section}] is {kind}: --strip and --faults are for strips of \"shift-register\""
        )));
    }
    let faults = StripFaults::parse(&args.faults)
        .map_err(|err| Failure::usage(format!("--faults: {err}")))?;
    let bench = args
        .simulate
        .then(|| if strips { faults.bench(&wiring) } else { Bench::new(wiring.clone()) });
    let words = words_of(&config)?;
    // Simulated reeds are no matter of a service that has real ones.
    let asks = !args.simulate || config.board.wiring().is_none();
    let service = if asks { service(&config, args.black)? } else { None };
    let loan = service.map(Loan::ask).transpose()?;
    let teller = Teller::open(out, args.json, &config, &words);
    let mut guide = Guide { teller, words };
    let diagnosis = guided(&wiring, args.strip, bench, loan.as_ref(), &mut guide)?;
    let lent = loan.is_some();
    drop(loan);
    let Some(diagnosis) = diagnosis else {
        guide.tell(&[TestLine::Plain(Prompt::Cancelled)])?;
        guide.teller.finish();
        return Ok(Exit::Problem);
    };
    if args.json {
        let findings: Vec<_> = diagnosis.findings.iter().map(json_finding).collect();
        let found = serde_json::json!({ "findings": findings, "touch": diagnosis.touch });
        writeln!(guide.teller.out, "{found}")?;
    }
    if let Some(right) = &diagnosis.wiring {
        let values = wire_values(&wires(&wiring, right));
        match (&path, args.dry_run || args.simulate) {
            (Some(path), false) => {
                rewrite::write(path, vec![(section(args.black), values)])?;
                guide.tell(&[TestLine::Plain(Prompt::TestWritten)])?;
                if lent {
                    complain("the service reads the board as before until it is started anew");
                }
            }
            _ => {
                let text = edit::set("", section(args.black), values).map_err(Failure::Usage)?;
                writeln!(guide.teller.out, "{}", text.trim_end())?;
            }
        }
    }
    guide.teller.finish();
    Ok(if diagnosis.is_broken() { Exit::Problem } else { Exit::Done })
}

/// What the simulated builder learns.
enum Hand<'a> {
    Hears(&'a [TestLine]),
    /// Somebody goes on for him: his peg is in its hole by then.
    IsThere,
}

/// The dialogue; `None` if it was given up.
fn guided(
    wiring: &Wiring,
    strip: Option<u8>,
    bench: Option<Bench>,
    loan: Option<&Loan>,
    guide: &mut Guide<'_>,
) -> Result<Option<Diagnosis>, Failure> {
    // A chain that is cut is to be read as far as it goes.
    let mut open = wiring.clone();
    open.chain_check = false;
    let mut reader = match &bench {
        Some(bench) => bench.reader(open),
        None => pi::open(&open).map_err(Failure::device)?,
    };
    let mut builder = bench.map(Builder::at);
    let typed = typed();
    let began = Instant::now();
    let now_ms = || millis(began.elapsed());
    let (mut test, lines) = SelfTest::begin(wiring.clone(), strip, now_ms());
    guide.tell(&lines)?;
    let mut hears = |hand: Hand<'_>| {
        let Some(builder) = &mut builder else { return };
        match hand {
            Hand::Hears(lines) => {
                lines.iter().for_each(|line| builder.hears(now_ms(), line));
                builder.wait(now_ms());
            }
            Hand::IsThere => builder.wait(u64::MAX),
        }
    };
    hears(Hand::Hears(&lines));
    let mut lost = false;
    loop {
        if let Some(why) = loan.and_then(Loan::ended) {
            return Err(Failure::device(format!("the service has its board back: {why}")));
        }
        let mut answer = match asked(&typed) {
            Some(Typed::Quit) => return Ok(None),
            Some(Typed::Answer(answer)) => Some(answer),
            None => None,
        };
        if answer == Some(TestStep::Next) {
            hears(Hand::IsThere);
        }
        let lines = reading(&mut *reader, &mut test, &mut lost, now_ms(), guide)?;
        // Whoever goes on in the moment in which it was felt has gone on.
        answer = answer.filter(|answer| *answer != TestStep::Next || lines.is_empty());
        hears(Hand::Hears(&lines));
        if let Some(answer) = answer {
            guide.teller.hush();
            let lines = test.answer(now_ms(), answer);
            guide.tell(&lines)?;
            hears(Hand::Hears(&lines));
        }
        if let Some(diagnosis) = test.diagnosis() {
            return Ok(Some(diagnosis));
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Reads the board once. Answers what is said about it.
fn reading(
    reader: &mut dyn BoardReader,
    test: &mut SelfTest,
    lost: &mut bool,
    now_ms: u64,
    guide: &mut Guide<'_>,
) -> Result<Vec<TestLine>, Failure> {
    match reader.levels() {
        Ok(levels) => {
            if std::mem::take(lost) {
                guide.tell(&[TestLine::Plain(Prompt::BoardBack)])?;
            }
            let lines = test.reading(now_ms, levels);
            if !lines.is_empty() {
                guide.teller.hush();
            }
            guide.tell(&lines)?;
            Ok(lines)
        }
        Err(err) => {
            if !std::mem::replace(lost, true) {
                complain(&err.to_string());
                guide.tell(&[TestLine::Plain(Prompt::BoardLost)])?;
            }
            thread::sleep(Duration::from_millis(200));
            Ok(Vec::new())
        }
    }
}

fn json_finding(finding: &BoardFault) -> serde_json::Value {
    use serde_json::json;
    let name = |square: &Square| square.to_string();
    match finding {
        BoardFault::Turned(degrees) => json!({ "turned": degrees }),
        BoardFault::Reversed => json!({ "reversed": true }),
        BoardFault::Exchanged(strips) => json!({ "swapped_strips": strips }),
        BoardFault::Round(strip) => json!({ "turned_strip": strip }),
        BoardFault::Missing(strip) => json!({ "cut_before_strip": strip }),
        BoardFault::Silent(strip) => json!({ "silent_strip": strip }),
        BoardFault::Bridge(a, b) => json!({ "bridge": [name(a), name(b)] }),
        BoardFault::Swapped(a, b) => json!({ "swapped": [name(a), name(b)] }),
        BoardFault::Rewired => json!({ "rewired": true }),
        BoardFault::Dead(square) => json!({ "dead": name(square) }),
        BoardFault::Stuck(square) => json!({ "stuck": name(square) }),
        BoardFault::Cross(square, others) => {
            json!({ "square": name(square), "closes": others.iter().map(name).collect::<Vec<_>>() })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_service_that_does_not_answer_is_told_of() {
        let (own, service) = UnixStream::pair().expect("a pair");
        let told = Loan::ask(own).err().map(|err| err.to_string()).unwrap_or_default();
        assert!(told.starts_with("the service has the board and does not answer"), "{told}");
        drop(service);
    }

    #[test]
    fn a_loan_ends_by_a_word_or_with_the_service() {
        for (line, why) in
            [("{\"kept\":\"a game begins\"}\n", "a game begins"), ("", "it has ended")]
        {
            let (own, mut service) = UnixStream::pair().expect("a pair");
            service.write_all(b"{\"lent\":true}\n").expect("written");
            let loan = Loan::ask(own).expect("lent");
            assert_eq!(loan.ended(), None);
            service.write_all(line.as_bytes()).expect("written");
            drop(service);
            let told = std::iter::repeat_with(|| loan.ended()).find_map(|ended| ended);
            assert_eq!(told.as_deref(), Some(why));
        }
    }
}
