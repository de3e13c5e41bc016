//! The design's budgets, measured: inference against the naive way, events through the game,
//! restart after a kill, memory. Figures are percentiles over all calls of one run.

use std::{
    io::Write as _,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use annabella::service::{
    Service,
    standing::{self, Next},
};
use annabella_core::{
    game::{At, Game, GameConfig, Input, MoveState, Output, Started},
    sensing::{Debounce, Edge, Felt, SettleSettings, Tracker},
};
use annabella_players::{
    games::random_game,
    hands::{Hands, Style},
    pegs::REST_MS,
    table::{SimulatedTable, TableCore, Watch},
};
use annabella_records::journal::Journal;
use annabella_words::phrase::{Words, pack};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Bitboard, Chess, Color, Move, Position};

const GAMES: u64 = 60;
const SETTLE_MS: u64 = 400;

fn main() {
    println!("{:<44} {:>8} {:>11} {:>11}  budget", "what", "n", "median", "p99");
    let naive = inference();
    through_the_game();
    restart();
    memory(false);
    memory(true);
    println!("\n{naive}");
}

fn nanoseconds(began: Instant) -> u64 {
    u64::try_from(began.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

fn percentile(sorted: &[u64], share: f64) -> u64 {
    sorted[((sorted.len() - 1) as f64 * share).round() as usize]
}

fn shown(ns: u64) -> String {
    match ns {
        0..10_000 => format!("{ns} ns"),
        10_000..10_000_000 => format!("{:.1} µs", ns as f64 / 1e3),
        _ => format!("{:.1} ms", ns as f64 / 1e6),
    }
}

fn row(name: &str, ns: &mut [u64], budget: Option<Duration>) {
    ns.sort_unstable();
    let (median, p99) = (percentile(ns, 0.5), percentile(ns, 0.99));
    let verdict = match budget {
        None => String::new(),
        Some(budget) if u128::from(p99) < budget.as_nanos() => format!("{budget:?}: within"),
        Some(budget) => format!("{budget:?}: OVER"),
    };
    println!("{name:<44} {:>8} {:>11} {:>11}  {verdict}", ns.len(), shown(median), shown(p99));
}

/// The same recorded hands felt by the tracker and by the naive way, which at each event plays
/// every legal move and compares the pegs, and takes the first that fits once the board is still.
fn inference() -> String {
    let (mut ours, mut naive) = (Vec::new(), Vec::new());
    let (mut plies, mut ours_wrong, mut naive_wrong) = (0u64, 0u64, 0u64);
    for seed in 0..GAMES {
        let (start, moves) = random_game(seed, 120);
        let mut hands = Hands::seeded(seed, Style::human());
        let (mut position, mut t_ms) = (start, 1000);
        for mv in &moves {
            let script = hands.play(&position, *mv, t_ms);
            let mut debounce = Debounce::new(20, position.board().occupied());
            let mut edges = Vec::new();
            for raw in &script.edges {
                debounce.advance(raw.t_ms, &mut edges);
                debounce.edge(Edge { at_ms: raw.t_ms, square: raw.square, occupied: raw.occupied });
            }
            debounce.advance(script.end_ms + 1000, &mut edges);
            plies += 1;
            ours_wrong += u64::from(!feel(&position, &edges, *mv, &mut ours));
            naive_wrong += u64::from(!feel_naively(&position, &edges, *mv, &mut naive));
            position.play_unchecked(*mv);
            t_ms = script.end_ms + REST_MS;
        }
    }
    let ratio = {
        ours.sort_unstable();
        naive.sort_unstable();
        percentile(&naive, 0.5) as f64 / percentile(&ours, 0.5).max(1) as f64
    };
    row("inference per event, decision included", &mut ours, Some(Duration::from_micros(10)));
    row("the naive way, same events", &mut naive, None);
    format!(
        "inference against the naive way: {ratio:.1} times as fast at the median; of {plies} plies the naive way \
         took {naive_wrong} wrongly ({:.1} %), ours {ours_wrong} (promotions and what pegs cannot tell are named \
         by the player in both)",
        naive_wrong as f64 * 100.0 / plies as f64
    )
}

/// Whether exactly this move was taken, or asked for.
fn feel(position: &Chess, edges: &[Edge], mv: Move, ns: &mut Vec<u64>) -> bool {
    let settings = SettleSettings { settle_ms: SETTLE_MS, ..SettleSettings::default() };
    let mut tracker = Tracker::new(position.clone(), settings);
    let mut felt = Vec::new();
    for edge in edges {
        let began = Instant::now();
        tracker.advance(edge.at_ms, &mut felt);
        tracker.edge(*edge, &mut felt);
        ns.push(nanoseconds(began));
    }
    let end_ms = edges.last().map_or(0, |edge| edge.at_ms) + REST_MS;
    let began = Instant::now();
    tracker.advance(end_ms, &mut felt);
    ns.push(nanoseconds(began));
    let mut taken = Vec::new();
    for felt in felt {
        match felt {
            Felt::Executed(executed) => {
                if executed.revises.is_some() {
                    taken.pop();
                }
                taken.push(executed.mv);
            }
            Felt::TakenBack { .. } => {
                taken.pop();
            }
            _ => {}
        }
    }
    taken == [mv]
        || taken.is_empty() && tracker.asked().contains(&mv)
        || mv.is_promotion() && taken.is_empty()
}

fn feel_naively(position: &Chess, edges: &[Edge], mv: Move, ns: &mut Vec<u64>) -> bool {
    let mut occupied = position.board().occupied();
    let mut position = position.clone();
    let mut taken: Vec<Move> = Vec::new();
    for (n, edge) in edges.iter().enumerate() {
        let began = Instant::now();
        occupied.set(edge.square, edge.occupied);
        let fits = fitting(&position, occupied);
        ns.push(nanoseconds(began));
        let still_ms =
            edges.get(n + 1).map_or(REST_MS, |next| next.at_ms.saturating_sub(edge.at_ms));
        if let Some(fit) = fits.filter(|_| still_ms >= SETTLE_MS) {
            taken.push(fit);
            position.play_unchecked(fit);
        }
    }
    taken.len() == 1 && taken[0].from() == mv.from() && taken[0].to() == mv.to()
}

fn fitting(position: &Chess, occupied: Bitboard) -> Option<Move> {
    position.legal_moves().into_iter().find(|mv| {
        let mut after = position.clone();
        after.play_unchecked(*mv);
        after.board().occupied() == occupied
    })
}

fn started(config: GameConfig) -> Started {
    // Both names are of built-in packs.
    let builtin = |name| pack::builtin(name).expect("built in").to_owned();
    Started {
        packs: vec![builtin("fide"), builtin("de")],
        config,
        confusions: Default::default(),
        build: "bench".to_owned(),
        unix_s: 0,
    }
}

/// Everything that the game does with one input, and with that which makes a move executed.
fn through_the_game() {
    let (mut all, mut executed) = (Vec::new(), Vec::new());
    for seed in 0..20 {
        let (start, moves) = random_game(seed, 120);
        let mut hands = Hands::seeded(seed, Style::steady());
        let mut game = Game::new();
        let config = GameConfig {
            start: Some(annabella_core::game::write_fen(&start)),
            ..GameConfig::default()
        };
        let input = Input::Started(Box::new(started(config)));
        game.handle(At::new(0), input).expect("a game can be started");
        let (mut position, mut t_ms) = (start, 1000);
        for mv in moves.iter().take_while(|mv| !mv.is_promotion()) {
            let script = hands.play(&position, *mv, t_ms);
            let mut inputs: Vec<(u64, Input)> = Vec::new();
            for (at_ms, action) in &script.actions {
                let (square, occupied) = (action.square(), action.occupied());
                inputs.push((
                    *at_ms,
                    Input::Edge { seat: Color::White, square, occupied, ago_ms: 0 },
                ));
            }
            inputs.push((script.end_ms + SETTLE_MS, Input::Woke));
            inputs.push((script.end_ms + 1600, Input::Woke));
            for (at_ms, input) in inputs {
                let began = Instant::now();
                let outputs = game.handle(At::new(at_ms), input).unwrap_or_default();
                let ns = nanoseconds(began);
                all.push(ns);
                let is_executed = |output: &Output| {
                    matches!(output, Output::Move { state: MoveState::Executed, .. })
                };
                if outputs.iter().any(is_executed) {
                    executed.push(ns);
                }
            }
            position.play_unchecked(*mv);
            t_ms = script.end_ms + REST_MS;
        }
    }
    let budget = Some(Duration::from_millis(1));
    row("an input through the game", &mut all, budget);
    row("the input that makes a move executed", &mut executed, budget);
}

struct Served(Service);

impl TableCore for Served {
    fn input(&mut self, at: At, input: Input) -> Result<Vec<Output>, String> {
        self.0.input(at, input).map_err(|err| err.to_string())
    }

    fn wake_at(&self) -> Option<At> {
        self.0.wake_at()
    }
}

struct Blind;

impl Watch for Blind {
    fn output(&mut self, _at: At, _output: &Output) {}
}

/// A game of 300 plies is in the journal, the service was killed: until it is ready again.
fn restart() {
    let folder = tempfile::tempdir().expect("a folder for the journal");
    let path = folder.path().join("games.db");
    let (start, moves) = (7..)
        .map(|seed| random_game(seed, 300))
        .find(|(_, moves)| moves.len() == 300)
        .expect("some game lasts as long");
    let config = GameConfig {
        start: Some(annabella_core::game::write_fen(&start)),
        sighted_board: true,
        ..GameConfig::default()
    };
    let journal = Journal::open(&path).expect("a new journal");
    let (service, _) = Service::begin(journal, At::new(0), started(config)).expect("begins");
    let mut served = Served(service);
    let words = Words::builtin("fide", "de").expect("built in");
    let mut blind = Blind;
    let mut table = SimulatedTable::new(
        &mut served,
        &mut blind,
        words,
        Hands::seeded(1, Style::human()),
        ChaCha8Rng::seed_from_u64(1),
        Color::White,
        &start,
        0,
        20,
    );
    table.start_clock().expect("the clock starts");
    let mut position = start;
    for mv in &moves {
        if table.play(&position, *mv).is_err() {
            break;
        }
        position.play_unchecked(*mv);
    }
    let plies = served.0.game().record().map_or(0, |record| record.line.len());
    drop(served);
    let mut ns: Vec<u64> = (0..30)
        .map(|_| {
            let began = Instant::now();
            let journal = Journal::open(&path).expect("opens");
            let next = standing::next(&journal).expect("readable");
            let Next::GoOn(id) = next else { panic!("unfinished: {next:?}") };
            let (service, _) = Service::resume(journal, id).expect("resumes");
            let ns = nanoseconds(began);
            assert_eq!(service.game().record().map_or(0, |record| record.line.len()), plies);
            ns
        })
        .collect();
    row(
        &format!("start after a kill, {plies} plies played"),
        &mut ns,
        Some(Duration::from_secs(2)),
    );
}

/// Resident memory of the service in the middle of a game, without or with speech recognition,
/// where that is installed.
fn memory(hears: bool) {
    let (what, most_mib) = if hears {
        ("resident memory, with what hears here", 150.0)
    } else {
        ("resident memory of the service", 20.0)
    };
    let folder = tempfile::tempdir().expect("a folder for the journal");
    let config = folder.path().join("annabella.toml");
    let text = format!(
        "[board]\nkind = \"events\"\npath = \"-\"\n[speech]\nengine = \"none\"\n[journal]\npath = \"{}\"\n",
        folder.path().join("games.db").display()
    );
    std::fs::write(&config, text).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_annabella"));
    if !hears {
        command.env("VOSK_LIB", folder.path().join("no-such-library.so"));
    }
    let mut child = command
        .args(["play", "--config"])
        .arg(&config)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    for (from, to) in [("e2", "e4"), ("e7", "e5"), ("g1", "f3"), ("b8", "c6")] {
        for (square, occupied) in [(from, false), (to, true)] {
            writeln!(stdin, "{{\"square\":\"{square}\",\"occupied\":{occupied}}}")
                .expect("written");
            std::thread::sleep(Duration::from_millis(80));
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id()));
    let kib = status.ok().and_then(|status| {
        let line = status.lines().find(|line| line.starts_with("VmRSS:"))?.to_owned();
        line.split_whitespace().nth(1)?.parse::<u64>().ok()
    });
    drop(stdin);
    // It ends by itself when its events end.
    let _ = child.wait();
    match kib {
        Some(kib) => {
            let mib = kib as f64 / 1024.0;
            let verdict = if mib < most_mib { "within" } else { "OVER" };
            println!("{what:<44} {:>8} {mib:>7.1} MiB {:>11}  {most_mib} MiB: {verdict}", 1, "");
        }
        None => println!("resident memory of the service: /proc could not be read"),
    }
}
