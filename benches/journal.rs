//! What it costs to keep an input: an append with full synchronisation, the same without, and what
//! the disk alone takes for as many bytes. A second pass reopens the journal, as after a power cut.
//!
//! `cargo bench --bench journal [-- COUNT]`

use std::{
    fs::{self, File},
    io::Write,
    path::Path,
    time::{Duration, Instant},
};

use annabella::service::Service;
use annabella_core::{
    game::{At, GameConfig, Input, Started, write_fen},
    sensing::Shape,
};
use annabella_players::games::random_game;
use annabella_records::journal::Journal;
use annabella_words::phrase::{SpokenForm, Words, pack};
use shakmaty::{Color, Position, Square};

fn main() {
    let count = std::env::args()
        .skip(1)
        .find_map(|argument| argument.parse().ok().filter(|count| *count > 0))
        .unwrap_or(2_000);
    let folder =
        tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("the build folder takes files");
    let path = folder.path().join("bench.db");

    let synced = appends(&path, count);
    let unsynced = unsynchronised(&folder.path().join("fast.db"), count);
    let bare = disk_alone(&folder.path().join("bare"), count);
    println!("journal, {count} inputs on {}", folder.path().display());
    report("append, full synchronisation", &synced);
    report("append, no synchronisation (baseline)", &unsynced);
    report("bare write and fdatasync (the disk alone)", &bare);
    println!(
        "  ratio of medians: {:.1} times the unsynchronised append, {:.1} times the disk alone",
        ratio(&synced, &unsynced),
        ratio(&synced, &bare)
    );

    reopen(&path);
    // A season of games in one file, at the end of it the one that was cut off.
    let mut journal = Journal::open(&path).expect("the journal just written");
    for _ in 0..100 {
        let from = journal.resume_at().expect("readable").ms;
        let game = journal.begin(&started(), At::new(from)).expect("begins");
        let inputs: Vec<_> =
            (0..2_000).map(|number| (At::new(from + number as u64), input(number))).collect();
        journal.append_all(game, &inputs).expect("kept");
    }
    drop(journal);
    reopen(&path);
    goes_on(&folder.path().join("long.db"));
}

/// Inputs of the longest game that is thinkable: a day of clocks that run, hands and questions.
const LONG: usize = 50_000;

/// A start in the middle of a very long game: the journal is opened and the whole game replayed.
fn goes_on(path: &Path) {
    let pack = |code: &str| pack::builtin(code).expect("built in").to_owned();
    let words = Words::builtin("fide", "de").expect("built in");
    let (start, moves) = random_game(7, 300);
    let config = GameConfig { start: Some(write_fen(&start)), ..GameConfig::default() };
    let started = Started { config, packs: vec![pack("fide"), pack("de")], ..started() };
    let mut journal = Journal::open(path).expect("a new journal");
    let game = journal.begin(&started, At::new(0)).expect("begins");
    let mut at_ms = 1;
    let mut rows = vec![(At::new(at_ms), Input::ClockStarted)];
    let mut position = start;
    for (n, mv) in moves.iter().enumerate() {
        let mut takes = |after_ms: u64, input: Input| {
            at_ms += after_ms;
            rows.push((At::new(at_ms), input));
        };
        // The pegs of both colours are moved; at his turn the player asks something.
        let seat = Color::White;
        let shape = Shape::new(position.board().occupied(), *mv);
        for square in shape.emptied {
            takes(300, Input::Edge { seat, square, occupied: false, ago_ms: 20 });
        }
        for square in shape.landing {
            takes(300, Input::Edge { seat, square, occupied: true, ago_ms: 20 });
        }
        let said = words.announce(&position, *mv, SpokenForm::Full).to_string();
        takes(800, Input::Said { seat: None, heard: vec![said] });
        takes(100, Input::Pressed { seat: position.turn() });
        takes(900, Input::Said { seat: Some(seat), heard: vec!["meine Zeit".to_owned()] });
        let beats = LONG * (n + 1) / moves.len();
        while rows.len() < beats {
            at_ms += 100;
            rows.push((At::new(at_ms), Input::Woke));
        }
        position.play_unchecked(*mv);
    }
    journal.append_all(game, &rows).expect("kept");
    drop(journal);
    let before = Instant::now();
    let journal = Journal::open(path).expect("the journal just written");
    let (service, _) = Service::resume(journal, game).expect("goes on");
    let took = before.elapsed();
    let record = service.game().record().expect("a game");
    println!(
        "  go on with a game of {} inputs, {} of {} half-moves: {:.2} s (budget 2 s on a PC)",
        rows.len(),
        record.line.len(),
        moves.len(),
        took.as_secs_f64()
    );
}

/// What a start after a power cut takes of the journal.
fn reopen(path: &Path) {
    let size = fs::metadata(path).expect("the journal just written").len();
    let before = Instant::now();
    let journal = Journal::open(path).expect("the journal just written");
    let rows = journal.latest_first().expect("readable");
    let game = rows.first().expect("one game").id;
    let inputs = journal.inputs(game).expect("readable").len();
    println!(
        "  open {:.1} MB, find the last game and read its {inputs} inputs: {:.1} ms",
        size as f64 / 1e6,
        before.elapsed().as_secs_f64() * 1e3
    );
}

fn started() -> Started {
    Started {
        config: GameConfig::default(),
        packs: Vec::new(),
        confusions: Default::default(),
        build: "bench".to_owned(),
        unix_s: 0,
    }
}

fn input(number: usize) -> Input {
    Input::Edge {
        seat: Color::White,
        square: Square::ALL[number % 64],
        occupied: number.is_multiple_of(2),
        ago_ms: 0,
    }
}

fn appends(path: &Path, count: usize) -> Vec<Duration> {
    let mut journal = Journal::open(path).expect("a new journal");
    let game = journal.begin(&started(), At::new(0)).expect("begins");
    (0..count)
        .map(|number| {
            let input = input(number);
            let before = Instant::now();
            journal.append(game, At::new(number as u64), &input).expect("kept");
            before.elapsed()
        })
        .collect()
}

/// The same rows by the same way, only that the journal's promise is not kept.
fn unsynchronised(path: &Path, count: usize) -> Vec<Duration> {
    drop(appends(path, 0));
    let mut db = rusqlite::Connection::open(path).expect("the journal just made");
    db.pragma_update(None, "synchronous", "OFF").expect("switched off");
    (0..count)
        .map(|number| {
            let input = input(number);
            let before = Instant::now();
            let json = serde_json::to_string(&input).expect("an input is JSON");
            let transaction = db.transaction().expect("begins");
            transaction
                .prepare_cached(
                    "INSERT INTO input (game, number, at_ms, json, sum) VALUES \
                     (1, (SELECT coalesce(max(number), 0) + 1 FROM input WHERE game = 1), ?1, ?2, zeroblob(16))",
                )
                .and_then(|mut insert| insert.execute((number as i64, json)))
                .expect("inserted");
            transaction.commit().expect("committed");
            before.elapsed()
        })
        .collect()
}

fn disk_alone(path: &Path, count: usize) -> Vec<Duration> {
    let mut file = File::create(path).expect("a new file");
    let times = (0..count)
        .map(|number| {
            let json = serde_json::to_vec(&input(number)).expect("an input is JSON");
            let before = Instant::now();
            file.write_all(&json).expect("written");
            file.sync_data().expect("synchronised");
            before.elapsed()
        })
        .collect();
    fs::remove_file(path).expect("removed");
    times
}

fn percentile(times: &[Duration], percent: usize) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[(times.len() * percent / 100).min(times.len() - 1)]
}

fn ratio(times: &[Duration], base: &[Duration]) -> f64 {
    percentile(times, 50).as_secs_f64() / percentile(base, 50).as_secs_f64()
}

fn report(what: &str, times: &[Duration]) {
    println!(
        "  {what:<42} median {:>9.1} µs   p99 {:>9.1} µs",
        percentile(times, 50).as_secs_f64() * 1e6,
        percentile(times, 99).as_secs_f64() * 1e6
    );
}
