//! Thousands of games through noisy hands: the share of plies recovered from the reeds, and what
//! else goes on.
//!
//! `make soak` plays four kinds of games; `ONLY=hands make soak` (or `mayhem`, `whole`, `held-up`)
//! plays one kind.
//!
//! Hands: every game in `tests/data` and 10,000 seeded random ones, each player pressing
//! his clock as 6.2.1 asks; `make soak ARGS=500` plays 500, `SEED=8141 make soak` one alone. The
//! first lost ply ends the run with the one line that reproduces it and exit code 1.
//!
//! Mayhem: as many games at tables where everything goes wrong (`tests/mayhem`): pegs knocked,
//! swapped and slid, presses by either side, words at any time, power cuts. Then the players do
//! what is said and nothing else. The game must go on after at most five steps, each one sentence
//! and what it asks for, and one more for each wrong square; no law be broken, and nobody innocent
//! lose time; `MAYHEM=8141 make soak` plays one alone, `FROM=5000` begins there.
//!
//! Whole: at as many tables everything below the game is simulated too: contacts, the line of a DGT
//! board, the journal and its disk, processes that are killed. `WHOLE=8141 make soak` plays one
//! alone; `ONLY=whole WRITE_RELIABILITY=1 make soak` goes on with the seeds after those in
//! `docs/reliability.md`, and adds what it saw there, also the seeds of tables that did not go on.
//!
//! Held up: as many games on a machine that stands still for up to three seconds again and again.
//! They come out as on a quiet one; `HELD_UP=8141 make soak` plays one alone.
//!
//! Without a clock a move stays open to correction until the next one, so a clumsy reply can look
//! like one. The same games are played once more that way, and the share lost is printed.

use std::{
    ops::Range,
    process::ExitCode,
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicU64, Ordering},
    },
    time::Instant,
};

use annabella_core::{game::write_fen, notation::pgn};
use annabella_players::{
    games::random_game,
    hands::{Hands, Style},
    pegs::{Pegs, REST_MS, Recovered},
};
use shakmaty::{Chess, Move, Position};

#[path = "../tests/slow/held_up.rs"]
mod held_up;
#[path = "../tests/slow/mayhem/table.rs"]
mod mayhem;
#[path = "soak/report.rs"]
mod report;

use report::Report;

const GAMES: u64 = 10_000;
const EACH: u64 = 500;

#[derive(Default)]
struct Count {
    games: AtomicU64,
    plies: AtomicU64,
    named: AtomicU64,
    /// Games in which a ply was lost when nobody pressed a clock.
    lost_without_clock: AtomicU64,
}

impl Count {
    fn add(&self, plies: u64, named: u64) {
        self.plies.fetch_add(plies, Ordering::Relaxed);
        self.named.fetch_add(named, Ordering::Relaxed);
    }
}

fn style(seed: u64) -> Style {
    if seed.is_multiple_of(2) { Style::human() } else { Style::clumsy() }
}

/// One game through hands. Plies and how many of them had to be named, or the line that reproduces
/// the first one lost.
fn play(
    seed: u64,
    name: &str,
    start: &Chess,
    moves: &[Move],
    pressing: bool,
    explain: bool,
) -> Result<(u64, u64), String> {
    let style = style(seed);
    let mut hands = Hands::seeded(seed, style.clone());
    let mut pegs = Pegs::new(start);
    let (mut position, mut t_ms, mut named) = (start.clone(), 1000, 0);
    for (n, mv) in moves.iter().enumerate() {
        let script = hands.play(&position, *mv, t_ms);
        let before = explain.then(|| pegs.clone());
        match pegs.recovers(&moves[..n], *mv, &script) {
            Ok(how) => {
                named += u64::from(how == Recovered::Named);
                if pressing {
                    pegs.press();
                }
            }
            Err(what) => {
                if let Some(mut pegs) = before {
                    pegs.feel(&script.edges);
                    pegs.until(script.end_ms + REST_MS);
                    println!(
                        "{}\nhands: {:?}\nmishaps: {:?}",
                        write_fen(&position),
                        script.actions,
                        script.mishaps
                    );
                    pegs.felt().iter().for_each(|felt| println!("felt: {felt:?}"));
                }
                return Err(format!("SEED={seed} game={name} ply={} style={style}: {what}", n + 1));
            }
        }
        position.play_unchecked(*mv);
        t_ms = script.end_ms + REST_MS + 500;
    }
    Ok((moves.len() as u64, named))
}

/// Every second table has a board that sees what the sighted player does; a seed alone plays at
/// both.
fn mayhem_of(seed: u64, alone: bool) -> Result<mayhem::Played, String> {
    match seed.is_multiple_of(2) {
        _ if alone => Ok([mayhem::play(seed)?, mayhem::play_seen(seed)?].concat()),
        true => mayhem::play(seed),
        false => mayhem::play_seen(seed),
    }
}

/// Plays all these seeds on every core; the first that fails ends it.
fn play_all<T: Send>(
    seeds: Range<u64>,
    play: impl Fn(u64) -> Result<T, String> + Sync,
) -> Result<Vec<T>, String> {
    let next = AtomicU64::new(seeds.start);
    let all: Mutex<Vec<T>> = Mutex::default();
    let failed: Mutex<Option<String>> = Mutex::new(None);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    let stop = failed.lock().is_ok_and(|failed| failed.is_some());
                    if stop || seed >= seeds.end {
                        break;
                    }
                    match play(seed) {
                        Ok(one) => {
                            if let Ok(mut all) = all.lock() {
                                all.push(one);
                            }
                        }
                        Err(why) => {
                            if let Ok(mut failed) = failed.lock() {
                                *failed = Some(why);
                            }
                        }
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_default() {
        Some(why) => Err(why),
        None => Ok(all.into_inner().unwrap_or_default()),
    }
}

/// Games at which everything goes wrong: all of them go on, or the first that does not.
fn everything_goes_wrong(seeds: Range<u64>) -> Result<(), String> {
    let alone = seeds.end - seeds.start == 1;
    let began = Instant::now();
    let steps = play_all(seeds.clone(), |seed| mayhem_of(seed, alone))?.concat();
    let mut own: Vec<usize> = steps.iter().map(|(all, wrong)| all.saturating_sub(*wrong)).collect();
    own.sort_unstable();
    let share = |share: f64| own.get((own.len() as f64 * share) as usize).copied().unwrap_or(0);
    println!(
        "everything goes wrong: {} games, {} plies, all went on ({:.0} s); steps beside one for every \
         wrong square: median {}, 99 % {}, most {}",
        seeds.end - seeds.start,
        steps.len(),
        began.elapsed().as_secs_f64(),
        share(0.5),
        share(0.99),
        own.last().unwrap_or(&0),
    );
    Ok(())
}

/// Whole tables: nothing acknowledged is lost, and all of them go on.
fn whole_tables(games: u64, alone: Option<u64>) -> Result<(), String> {
    let writes = std::env::var_os("WRITE_RELIABILITY").is_some() && alone.is_none();
    let mut report = if writes { Report::read()? } else { Report::default() };
    let seeds = alone.map_or(report.tables..report.tables + games, |seed| seed..seed + 1);
    let began = Instant::now();
    // A run that adds to the report goes on after a find, and says so in the report too.
    let all = play_all(seeds.clone(), |seed| match mayhem::play_whole(seed, None) {
        Err(why) if writes => Ok(Err((seed, why))),
        played => played.map(Ok),
    })?;
    report.tables = seeds.end;
    let mut found = Vec::new();
    for played in &all {
        let whole = match played {
            Ok(whole) => whole,
            Err((seed, why)) => {
                report.found.push(*seed);
                found.push(why.as_str());
                continue;
            }
        };
        report.plies += whole.played.len() as u64;
        report.inputs += whole.inputs;
        for (name, count) in &whole.faults {
            *report.faults.entry((*name).to_owned()).or_default() += count;
        }
    }
    println!(
        "whole tables: {} of {} from seed {} went on and lost nothing ({:.0} s); in all {} plies, {} \
         inputs, {} faults",
        all.len() - found.len(),
        all.len(),
        seeds.start,
        began.elapsed().as_secs_f64(),
        report.plies,
        report.inputs,
        report.faults.values().sum::<u64>(),
    );
    if writes {
        report.write()?;
    }
    if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
}

fn real_games() -> Result<Vec<(String, Chess, Vec<Move>)>, String> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut all = Vec::new();
    let files = std::fs::read_dir(folder).map_err(|err| format!("{folder}: {err}"))?;
    for file in files.flatten() {
        let path = file.path();
        if path.extension().is_none_or(|ending| ending != "pgn") {
            continue;
        }
        let name = file.file_name().to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).map_err(|err| format!("{name}: {err}"))?;
        for (n, game) in
            pgn::read_games(&text).map_err(|err| format!("{name}: {err}"))?.iter().enumerate()
        {
            for section in &game.sections {
                all.push((
                    format!("{name}#{}", n + 1),
                    section.start.clone(),
                    section.moves.clone(),
                ));
            }
        }
    }
    Ok(all)
}

fn main() -> ExitCode {
    // Cargo hands on `--bench`; a bare number is ours.
    let wanted = std::env::args().skip(1).find_map(|arg| arg.parse().ok());
    let named = |name: &str| std::env::var(name).ok().and_then(|seed| seed.parse::<u64>().ok());
    let games = wanted.unwrap_or(GAMES);
    let (alone, whole, one) = (named("MAYHEM"), named("WHOLE"), named("SEED"));
    let held_up = named("HELD_UP");
    let only = std::env::var("ONLY").unwrap_or_default();
    if !["", "hands", "mayhem", "whole", "held-up"].contains(&only.as_str()) {
        println!("ONLY={only}: hands, mayhem, whole or held-up");
        return ExitCode::FAILURE;
    }
    // A seed, or a name, leaves the other kinds out.
    let one_kind = alone.or(whole).or(one).or(held_up).is_some() || !only.is_empty();
    let wants = |kind: &str, seed: Option<u64>| !one_kind || seed.is_some() || only == kind;
    if wants("whole", whole)
        && let Err(line) = whole_tables(games, whole)
    {
        println!("{line}\nagain: WHOLE=<number> make soak");
        return ExitCode::FAILURE;
    }
    if wants("held-up", held_up) {
        let seeds = held_up.map_or(0..games, |seed| seed..seed + 1);
        match play_all(seeds.clone(), held_up::play_held_up) {
            Ok(plies) => println!(
                "held up: {} games, {} plies, all came out as on a quiet machine",
                plies.len(),
                plies.iter().sum::<usize>()
            ),
            Err(line) => {
                println!("{line}\nagain: HELD_UP=<number> make soak");
                return ExitCode::FAILURE;
            }
        }
    }
    let from = named("FROM").unwrap_or(0).min(games);
    let seeds = alone.map_or(from..games, |seed| seed..seed + 1);
    if wants("mayhem", alone)
        && let Err(line) = everything_goes_wrong(seeds)
    {
        println!("{line}\nagain: MAYHEM=<number> make soak");
        return ExitCode::FAILURE;
    }
    if !wants("hands", one) {
        return ExitCode::SUCCESS;
    }
    let count = Count::default();
    match run(games, one, &count) {
        Ok(()) => {
            let (plies, named) =
                (count.plies.load(Ordering::Relaxed), count.named.load(Ordering::Relaxed));
            let games = count.games.load(Ordering::Relaxed);
            let lost = count.lost_without_clock.load(Ordering::Relaxed);
            println!(
                "without anybody pressing a clock: {lost} of the random games lost a ply \
                 (one in {:.0} plies)",
                plies as f64 / lost.max(1) as f64
            );
            println!(
                "{} games, {plies} plies, clocks pressed: 100 % recovered, no false move, no stuck board; \
                 {named} ({:.2} %) had to be named (promotions, and what pegs cannot tell)",
                games,
                named as f64 * 100.0 / plies.max(1) as f64,
            );
            ExitCode::SUCCESS
        }
        Err(line) => {
            println!("{line}");
            ExitCode::FAILURE
        }
    }
}

fn run(games: u64, one: Option<u64>, count: &Count) -> Result<(), String> {
    if let Some(seed) = one {
        let (start, moves) = random_game(seed, 300);
        let (plies, named) = play(seed, "random", &start, &moves, true, true)?;
        count.add(plies, named);
        count.games.fetch_add(1, Ordering::Relaxed);
        return Ok(());
    }
    let mut real_plies = 0;
    for (name, start, moves) in &real_games()? {
        for seed in 0..20 {
            let (plies, named) = play(seed, name, start, moves, true, false)?;
            count.add(plies, named);
            count.games.fetch_add(1, Ordering::Relaxed);
        }
        real_plies += moves.len();
    }
    println!(
        "real games: {real_plies} plies, 20 times each through different hands: all recovered"
    );
    let (next, stop) = (AtomicU64::new(0), AtomicBool::new(false));
    let failed = Mutex::new(None);
    let began = Instant::now();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= games || stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let (start, moves) = random_game(seed, 300);
                    if play(seed, "random", &start, &moves, false, false).is_err() {
                        count.lost_without_clock.fetch_add(1, Ordering::Relaxed);
                    }
                    match play(seed, "random", &start, &moves, true, false) {
                        Ok((plies, named)) => count.add(plies, named),
                        Err(line) => {
                            stop.store(true, Ordering::Relaxed);
                            if let Ok(mut failed) = failed.lock() {
                                failed.get_or_insert(line);
                            }
                            return;
                        }
                    }
                    count.games.fetch_add(1, Ordering::Relaxed);
                    let done = seed + 1;
                    if done % EACH == 0 {
                        let left =
                            began.elapsed().as_secs_f64() / done as f64 * (games - done) as f64;
                        println!("{done} of {games} random games, some {left:.0} s left");
                    }
                }
            });
        }
    });
    match failed.into_inner() {
        Ok(Some(line)) => Err(line),
        _ => Ok(()),
    }
}
