//! `annabella demo --hall N`: so many simulated boards, a real `nats-server`, and everything that
//! can be cut or killed or full between them. Boards call, and arbiters answer through the hall's
//! page. In the end every board's journal is compared with the hall's stream, and with what the
//! arbiters have sent.

use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicU32, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Position};

mod arbiters;
mod cable;
mod calls;
mod faults;
mod late;
mod rehearsal;
mod servers;
mod table;

use arbiters::{Answer, Arbiters, Decision};
use cable::Cable;
use calls::Call;
use late::{Late, Took};
use servers::Servers;
use table::Table;

use super::{DemoArgs, DemoFolder, Staged, stage, started};
use annabella::{
    cli::{Exit, Failure},
    service::Service,
};
use annabella_core::{
    game::{At, GameConfig, Input, Output, write_fen},
    notation::pgn::{PgnGame, Section},
};
use annabella_hall::{
    HallError,
    names::{BoardPlace, EventName},
    settings::BoardDoor,
    settings::WireSettings,
    wire::Wire,
};
use annabella_players::{
    hands::{Hands, Style},
    table::{SimulatedTable, TableCore, TableError, Watch},
};
use annabella_records::journal::{GameId, Journal, JournalError};
use annabella_threads::lock;
use annabella_words::phrase::Words;

/// Of so many decisions some must have been taken.
const MANY_DECISIONS: usize = 10;

/// Half-moves of a game, where nothing else is asked for.
const PLIES: usize = 16;
/// Games that each board plays.
const GAMES: usize = 2;
/// Between two inputs of a board, so that it plays while things break: a game would be over in a
/// moment.
const PACE: Duration = Duration::from_millis(25);
/// So many boards one machine plays at that pace. Of more each is slower.
const AT_PACE: u32 = 20;
/// How long everything may take to reach the hall when nothing is broken any more.
const CATCHES_UP: Duration = Duration::from_secs(120);
/// No program takes longer to be started.
const STARTS: Duration = Duration::from_secs(10);
/// How long three servers may take until each shows what all have acknowledged.
const AGREE: Duration = Duration::from_secs(20);
/// What the servers may keep, bytes, and how much more for each board.
const STORE: u64 = 32 * 1_024 * 1_024;
const STORE_OF_BOARD: u64 = 2 * 1_024 * 1_024;
/// What the boards share.
struct Hall<'a> {
    args: &'a DemoArgs,
    style: &'a Style,
    words: &'a Words,
    sections: Vec<(&'a PgnGame, &'a Section)>,
    folder: &'a Path,
    event: EventName,
    /// Is told of each move that is made. Boards that nobody breaks have it.
    made: Option<rehearsal::Tell>,
}

/// One board: its journal, its cable, and whether somebody pulls its plug.
struct Board {
    place: BoardPlace,
    journal: PathBuf,
    url: String,
    killed: AtomicBool,
    kills: AtomicU32,
    done: AtomicBool,
    /// How long it took for each input, its journal included.
    took: Mutex<Vec<Took>>,
    /// What is played there, as its pages reach it.
    table: Arc<Table>,
    /// Its pages, for whom the hall has let in. `None`: they are not open yet.
    door: Option<BoardDoor>,
    calls: Mutex<Vec<Call>>,
    /// What its wire has said last.
    told: Arc<Mutex<String>>,
}

pub(super) fn run(args: &DemoArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let Staged { games, style, words, .. } = &stage(args)?;
    let boards = args.hall.unwrap_or(1);
    let sections = games.iter().flat_map(|(_, game)| game.sections.iter().map(move |s| (game, s)));
    let event: EventName = args.event.parse().map_err(|err| Failure::usage(format!("{err}")))?;
    let folder = DemoFolder::new()?;
    let sections = sections.collect();
    let hall = Hall { args, style, words, sections, folder: &folder.path, event, made: None };
    match &args.url {
        Some(url) => rehearsal::run(hall, boards, url, out),
        None => break_all(&hall, boards, out),
    }
}

/// Plays while cables are cut and everything is killed, and compares in the end.
fn break_all(hall: &Hall<'_>, boards: u32, out: &mut dyn Write) -> Result<Exit, Failure> {
    let args = hall.args;
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|err| Failure::device(format!("cannot start: {err}")))?;
    let most_bytes = STORE + STORE_OF_BOARD * u64::from(boards);
    let mut servers = runtime
        .block_on(Servers::start(hall.folder, args.servers, most_bytes, &hall.event))
        .map_err(Failure::device)?;
    writeln!(out, "{boards} boards, {GAMES} games each; nats-server at {}", servers.url())?;
    let guard = runtime.enter();
    let cables = (1..=boards)
        .map(|_| servers.addresses().map(Cable::to).collect())
        .collect::<Result<Vec<Vec<Cable>>, _>>()
        .map_err(|err| Failure::device(format!("cannot lay a cable: {err}")))?;
    drop(guard);
    let url = |cables: &Vec<Cable>| cables.iter().map(Cable::url).collect::<Vec<_>>().join(",");
    let mut tables: Vec<Board> =
        (1..=boards).zip(&cables).map(|(board, cables)| hall.board(board, url(cables))).collect();
    for board in &mut tables {
        let door = Table::open(&board.table, runtime.handle()).map_err(Failure::device)?;
        board.door = Some(door);
    }
    let event = hall.event.as_str();
    let arbiters =
        Arbiters::come(&runtime, servers.url(), event, boards).map_err(Failure::device)?;
    let began = Instant::now();
    let over = AtomicBool::new(false);
    let (broken, played, outside) = thread::scope(|scope| {
        let outside = scope.spawn(|| late::outside(&hall.folder.join("outside.db"), &over));
        let playing: Vec<_> = tables.iter().map(|board| scope.spawn(|| hall.play(board))).collect();
        let guard = runtime.enter();
        let broken = faults::run(&tables, &cables, &mut servers, args.seed);
        drop(guard);
        let played: Vec<Result<Wire, String>> = playing
            .into_iter()
            .map(|table| table.join().unwrap_or(Err("it panicked".to_owned())))
            .collect();
        over.store(true, Ordering::Relaxed);
        (broken, played, outside.join().unwrap_or(Err("it panicked".to_owned())))
    });
    let decisions = arbiters.go(&runtime);
    let count = broken.map_err(Failure::device)?;
    let mut wires = Vec::new();
    for (table, played) in tables.iter().zip(played) {
        let board = table.place.board;
        wires.push(played.map_err(|err| Failure::device(format!("board {board}: {err}")))?);
    }
    let kills: u32 = tables.iter().map(|board| board.kills.load(Ordering::Relaxed)).sum();
    let disks = match count.disks_lost {
        0 => String::new(),
        n => format!(" and {n} of their disks lost"),
    };
    writeln!(
        out,
        "{:.0} s: {} cables cut or pulled, {kills} boards killed, servers killed {} times{disks}, {} times without room",
        began.elapsed().as_secs_f64(),
        count.cables,
        count.servers,
        count.full
    )?;
    let late = Late::of(&tables, &outside.map_err(Failure::device)?);
    writeln!(out, "{late}")?;
    writeln!(out, "{}", answered(&tables, &decisions))?;
    // Lines that live for a second may well lose the answers to a few.
    if decisions.len() >= MANY_DECISIONS && decisions.iter().all(|sent| sent.answer == Answer::Lost)
    {
        writeln!(out, "the hall has taken no decision of its arbiters")?;
        return Ok(Exit::Problem);
    }
    let healed = Instant::now();
    while !wires.iter().all(|wire| wire.state().borrow().caught_up)
        || !runtime.block_on(servers.are_whole())
    {
        if healed.elapsed() > CATCHES_UP {
            writeln!(out, "not everything has reached the hall")?;
            for (table, wire) in tables.iter().zip(&wires) {
                behind(table, wire, out)?;
            }
            writeln!(out, "{}", runtime.block_on(servers.lack()))?;
            writeln!(out, "SEED={}", args.seed)?;
            return Ok(Exit::Problem);
        }
        thread::sleep(Duration::from_millis(20));
    }
    writeln!(
        out,
        "everything has reached the hall {:.1} s after the last fault",
        healed.elapsed().as_secs_f64()
    )?;
    let compare = || {
        runtime.block_on(async {
            let link = servers.link().await?;
            let mut compared = Vec::new();
            for board in &tables {
                compared.push(link.compare(&board.place, &board.journal).await?);
            }
            Ok::<_, HallError>(compared)
        })
    };
    // A reader may ask a server that has what it has acknowledged, and not heard yet that the
    // others have it too.
    let until = Instant::now() + AGREE;
    let compared = loop {
        let over = Instant::now() > until;
        match compare() {
            Ok(all) if over || args.servers == 1 || all.iter().all(|(_, n)| n.is_empty()) => {
                break all;
            }
            Err(err) if over => return Err(Failure::device(err)),
            // A machine that is too busy makes the reader wait in vain.
            Ok(_) | Err(_) => thread::sleep(Duration::from_millis(500)),
        }
    };
    let rows: u64 = compared.iter().map(|(rows, _)| rows).sum();
    let mut differ: Vec<String> = compared.into_iter().flat_map(|(_, differ)| differ).collect();
    differ.extend(arbiters::compare(&tables, &decisions).map_err(Failure::device)?);
    if differ.is_empty() && rows > 0 {
        writeln!(
            out,
            "{rows} rows of {boards} boards, one by one: journal and stream are the same; each decision stands in its \
             board's journal once, with its arbiter's name."
        )?;
        // Who was late is told and decides nothing here: a disk that others use makes boards late.
        return Ok(Exit::Done);
    }
    for line in differ {
        writeln!(out, "DIFFERENT: {line}")?;
    }
    writeln!(out, "SEED={} of {rows} rows", args.seed)?;
    Ok(Exit::Problem)
}

/// Says of a board whose rows are not all in the hall how it stands.
fn behind(table: &Board, wire: &Wire, out: &mut dyn Write) -> std::io::Result<()> {
    let state = *wire.state().borrow();
    if state.caught_up {
        return Ok(());
    }
    let (board, told) = (table.place.board, lock(&table.told));
    writeln!(out, "board {board} is not caught up, {state:?}; it said last: {told}")
}

/// How many calls were answered, by whom, and how long they waited.
fn answered(tables: &[Board], decisions: &[Decision]) -> String {
    let calls: Vec<Call> = tables.iter().flat_map(|board| lock(&board.calls).clone()).collect();
    let answered: Vec<&(Duration, String)> =
        calls.iter().filter_map(|call| call.answered.as_ref()).collect();
    let mut by: BTreeMap<&str, u32> = BTreeMap::new();
    answered.iter().for_each(|(_, name)| *by.entry(name).or_default() += 1);
    let by: Vec<String> = by.iter().map(|(name, n)| format!("{n} by {name}")).collect();
    let longest = answered.iter().map(|(waited, _)| *waited).max().unwrap_or_default();
    let sent = |answer| decisions.iter().filter(|sent| sent.answer == answer).count();
    let mut kinds: BTreeMap<String, u32> = BTreeMap::new();
    calls.iter().for_each(|call| *kinds.entry(call.why.to_string()).or_default() += 1);
    let kinds: Vec<String> = kinds.iter().map(|(why, n)| format!("{n} {why}")).collect();
    format!(
        "{} calls ({}): {} answered ({}), the longest after {:.1} s; at {} the board was killed first; of the arbiters' \
         decisions {} were taken, {} came too late, {} had no answer",
        calls.len(),
        kinds.join(", "),
        answered.len(),
        by.join(", "),
        longest.as_secs_f64(),
        calls.len() - answered.len(),
        sent(Answer::Taken),
        sent(Answer::TooLate),
        sent(Answer::Lost),
    )
}

impl Board {
    /// Its journal. Whoever wrote to it has closed it; but a program that was just being started, a
    /// server, has a copy of its lock until it runs.
    fn open(&self) -> Result<Journal, JournalError> {
        let until = Instant::now() + STARTS;
        loop {
            match Journal::open(&self.journal) {
                Err(JournalError::InUse { .. }) if Instant::now() < until => thread::sleep(PACE),
                opened => return opened,
            }
        }
    }

    /// Whether somebody has pulled its plug since it was asked last.
    fn is_killed(&self) -> bool {
        self.killed.swap(false, Ordering::Relaxed)
    }
}

impl Hall<'_> {
    fn board(&self, board: u32, url: String) -> Board {
        Board {
            place: BoardPlace { event: self.event.clone(), board },
            journal: self.folder.join(format!("board-{board}.db")),
            url,
            killed: AtomicBool::new(false),
            kills: AtomicU32::new(0),
            done: AtomicBool::new(false),
            took: Mutex::default(),
            table: Arc::default(),
            door: None,
            calls: Mutex::default(),
            told: Arc::default(),
        }
    }

    /// Between two inputs of a board. Where people think, they make the pace.
    fn pace(&self) -> Duration {
        match self.made {
            Some(_) => PACE,
            None => PACE * self.args.hall.unwrap_or(1).div_ceil(AT_PACE),
        }
    }

    /// Plays a board's games. Answers its wire, which may still have something to send.
    fn play(&self, board: &Board) -> Result<Wire, String> {
        let played = self.games(board);
        board.done.store(true, Ordering::Relaxed);
        played
    }

    fn games(&self, board: &Board) -> Result<Wire, String> {
        if self.made.is_none() {
            // Boards begin all at once, each on a machine of its own. These are on one.
            thread::sleep(PACE * board.place.board);
        }
        let mut wire = self.wire(board)?;
        for round in 0..GAMES {
            let n = board.place.board as usize + round;
            let (game, section) = self.sections[n % self.sections.len()];
            if !self.game(board, game, section, n as u64)? {
                // Its power is gone. When it is back, the game is found again in its journal.
                drop(wire);
                board.kills.fetch_add(1, Ordering::Relaxed);
                thread::sleep(Duration::from_millis(300));
                let journal = board.open().map_err(|err| err.to_string())?;
                let last = journal.games().map_err(|err| err.to_string())?.len();
                let id = GameId { number: i64::try_from(last).unwrap_or(i64::MAX) };
                Service::resume(journal, id).map_err(|err| err.to_string())?;
                wire = self.wire(board)?;
            }
        }
        Ok(wire)
    }

    fn wire(&self, board: &Board) -> Result<Wire, String> {
        let told = Arc::clone(&board.told);
        let settings = WireSettings {
            url: board.url.clone(),
            credentials: None,
            place: board.place.clone(),
            journal: board.journal.clone(),
            door: board.door.clone(),
            alive: None,
            tell: Arc::new(move |line| line.clone_into(&mut lock(&told))),
        };
        Wire::start(settings).map_err(|err| err.to_string())
    }

    /// Plays a game. Answers `false` when the board was killed in the middle of it.
    fn game(
        &self,
        board: &Board,
        game: &PgnGame,
        section: &Section,
        n: u64,
    ) -> Result<bool, String> {
        let played = self.moves(board, game, section, n);
        board.table.end();
        match played {
            Err(TableError::Core(why)) if why == KILLED => Ok(false),
            Err(err) => Err(err.to_string()),
            Ok(()) => Ok(true),
        }
    }

    fn moves(
        &self,
        board: &Board,
        game: &PgnGame,
        section: &Section,
        n: u64,
    ) -> Result<(), TableError> {
        let start = (section.start != Chess::default()).then(|| write_fen(&section.start));
        let config = GameConfig {
            white: game.tag("White").unwrap_or_default().to_owned(),
            black: game.tag("Black").unwrap_or_default().to_owned(),
            start,
            prompts: self.args.prompts.clone(),
            sighted_board: true,
            time_control: self.args.time_control.clone(),
            ..GameConfig::default()
        };
        let debounce_ms = config.sensing.debounce_ms;
        let failed = |err: JournalError| TableError::Core(err.to_string());
        let journal = board.open().map_err(failed)?;
        let at = At::new(journal.resume_at().map_err(failed)?.ms + 1);
        let (service, _) = Service::begin(journal, at, started(config)).map_err(failed)?;
        board.table.begin(service, at);
        let mut core = Plugged { board, pace: self.pace(), made: self.made.as_ref() };
        let seed = self.args.seed.wrapping_mul(1_000).wrapping_add(n);
        let (mut silent, hands) = (Unwatched, Hands::seeded(seed, self.style.clone()));
        let mut table = SimulatedTable::new(
            &mut core,
            &mut silent,
            self.words.clone(),
            hands,
            ChaCha8Rng::seed_from_u64(seed),
            Color::White,
            &section.start,
            at.ms + 1,
            debounce_ms,
        );
        let mut position = section.start.clone();
        let mut thinks = ChaCha8Rng::seed_from_u64(!seed);
        let plies = self.args.plies.unwrap_or(PLIES);
        let (from, why) = calls::plan(&mut thinks, plies.min(section.moves.len()));
        // In a rehearsal people come as they like, and nobody is called.
        let mut calls = board.door.is_some() && self.made.is_none();
        table.start_clock()?;
        for (ply, mv) in section.moves.iter().take(plies).enumerate() {
            if let Some(made) = &self.made {
                made.think(&mut thinks);
                if !calls::goes_on(board, &mut table)? {
                    break;
                }
            }
            if calls && ply >= from && position.turn() == Color::Black {
                calls = false;
                calls::call(board, &mut table, &position, why)?;
            }
            table.play(&position, *mv)?;
            position.play_unchecked(*mv);
        }
        if let Some(made) = &self.made {
            // They sign, and sit down to the next game.
            made.think(&mut thinks);
        }
        Ok(())
    }
}

const KILLED: &str = "the power is gone";

/// A service whose plug can be pulled.
struct Plugged<'a> {
    board: &'a Board,
    pace: Duration,
    made: Option<&'a rehearsal::Tell>,
}

impl TableCore for Plugged<'_> {
    fn input(&mut self, at: At, input: Input) -> Result<Vec<Output>, String> {
        thread::sleep(self.pace);
        if self.board.is_killed() {
            return Err(KILLED.to_owned());
        }
        let began = Instant::now();
        let outputs = self.board.table.input(at, input)?;
        lock(&self.board.took).push((began, began.elapsed()));
        if let Some(made) = self.made {
            made.all_made(self.board.place.board, &outputs);
        }
        Ok(outputs)
    }

    fn wake_at(&self) -> Option<At> {
        self.board.table.wake_at()
    }
}

struct Unwatched;

impl Watch for Unwatched {
    fn output(&mut self, _at: At, _output: &Output) {}
}
