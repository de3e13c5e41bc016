//! The paths that are counted, each with fixed seeds and inputs. Whatever a path needs besides is
//! made before, for [`TIMES`] repeats and one more that goes ahead uncounted, so that nothing is
//! met for the first time.

use std::{hint::black_box, sync::Arc};

use annabella_console::{ConsoleSettings, Log, TableFacts, View, open};
use annabella_core::{
    game::{At, Game, GameConfig, Input, MoveState, Output, Started, write_fen},
    notation::read_entries,
    reconcile::{Case, Side, VisibleBoard, reconcile},
    sensing::{Debounce, Edge, SettleSettings, Tracker},
};
use annabella_players::{
    games::random_game,
    hands::{Hands, Style},
    pegs::REST_MS,
};
use annabella_records::journal::Journal;
use annabella_words::phrase::{
    Words,
    hear::{Context, Ear, Heard, Hypothesis, move_grammar},
    pack,
};
use shakmaty::{CastlingMode, Chess, Color, Move, Position, Square, fen::Fen, uci::UciMove};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
    runtime::Runtime,
    sync::{mpsc, watch},
};

/// The most repeats that may be asked for.
pub(crate) const TIMES: usize = 2;
const SETTLE_MS: u64 = 400;
/// A random game of at least 120 plies.
const GAME: u64 = 7;
const PLIES: usize = 120;

/// Something that is done again and again in a game.
pub(crate) struct Path {
    /// How many of the thing one repeat does.
    pub(crate) units: u64,
    /// Does one repeat, counted from 0.
    pub(crate) run: Box<dyn FnMut(usize)>,
}

impl Path {
    fn new(units: usize, run: impl FnMut(usize) + 'static) -> Path {
        Path { units: units as u64, run: Box::new(run) }
    }
}

/// A path by what it is, in one unit.
type NamedPath = (&'static str, fn() -> Path);

pub(crate) const PATHS: [NamedPath; 9] = [
    ("an event of the reeds inferred", inferred),
    ("an utterance matched", matched),
    ("a matcher of a position made", matcher),
    ("a grammar of a position built", grammar),
    ("a decision of D.2.9", decided),
    ("a row of the journal written", written),
    ("an input through the game", handled),
    ("the input that makes a move executed", executed),
    ("a page rendered", rendered),
];

fn game() -> (Chess, Vec<Move>) {
    let (start, moves) = random_game(GAME, PLIES);
    assert_eq!(moves.len(), PLIES, "the game of this seed is shorter: choose another");
    (start, moves)
}

/// Hands as people's, who knock pieces over and put them back; what a tracker is handed of that.
fn inferred() -> Path {
    let (mut position, moves) = game();
    let mut hands = Hands::seeded(GAME, Style::human());
    let (mut t_ms, mut all) = (1000, Vec::new());
    for mv in moves {
        let script = hands.play(&position, mv, t_ms);
        let mut debounce = Debounce::new(20, position.board().occupied());
        let mut edges = Vec::new();
        for raw in &script.edges {
            debounce.advance(raw.t_ms, &mut edges);
            debounce.edge(Edge { at_ms: raw.t_ms, square: raw.square, occupied: raw.occupied });
        }
        debounce.advance(script.end_ms + 1000, &mut edges);
        let settings = SettleSettings { settle_ms: SETTLE_MS, ..SettleSettings::default() };
        let tracker = Tracker::new(position.clone(), settings);
        all.push((vec![tracker; TIMES + 1], edges));
        position.play_unchecked(mv);
        t_ms = script.end_ms + REST_MS;
    }
    let units = all.iter().map(|(_, edges)| edges.len() + 1).sum();
    Path::new(units, move |n| {
        let mut felt = Vec::new();
        for (trackers, edges) in &mut all {
            let tracker = &mut trackers[n];
            for edge in &*edges {
                tracker.advance(edge.at_ms, &mut felt);
                tracker.edge(*edge, &mut felt);
            }
            tracker.advance(edges.last().map_or(0, |edge| edge.at_ms) + REST_MS, &mut felt);
        }
        black_box(felt);
    })
}

fn german() -> Words {
    Words::builtin("fide", "de").expect("built-in packs")
}

fn middle_game() -> Chess {
    let fen: Fen = "r1bq1rk1/2p1bppp/p1np1n2/1p2p3/4P3/1BP2N1P/PP1P1PP1/RNBQR1K1 b - - 0 9"
        .parse()
        .expect("FEN");
    fen.into_position(CastlingMode::Standard).expect("legal")
}

/// With as many hypotheses as the recogniser gives, and as many of the word loop.
fn matched() -> Path {
    let (words, position) = (german(), middle_game());
    let grammar = move_grammar(&words, &position);
    let matcher = Ear::new(&words).matcher(&position, Context::default());
    let hypotheses: Vec<Hypothesis> =
        (0..10).map(|n| Hypothesis::new(&grammar[n * grammar.len() / 10], 0.1)).collect();
    let heard = Heard { word_loop: hypotheses.clone(), hypotheses, ..Heard::default() };
    Path::new(1, move |_| {
        black_box(matcher.decide(&heard));
    })
}

fn matcher() -> Path {
    let (ear, position) = (Ear::new(&german()), middle_game());
    Path::new(1, move |_| {
        black_box(ear.matcher(&position, Context::default()));
    })
}

fn grammar() -> Path {
    let (words, position) = (german(), middle_game());
    Path::new(1, move |_| {
        black_box(move_grammar(&words, &position));
    })
}

/// The scores differ near the end; reeds feel both boards.
fn decided() -> Path {
    let (start, moves) = game();
    let score: Vec<String> =
        moves.iter().map(|mv| UciMove::from_standard(*mv).to_string()).collect();
    let mut other = score.clone();
    other[PLIES - 3] = "Kd9".to_owned();
    let side = |color, score: &[String]| {
        let score = read_entries(&start, score);
        let board = VisibleBoard::Occupied(score.position().board().occupied());
        Side { color, score, board, excused: false, pending: None }
    };
    let case = Case {
        start: start.clone(),
        blind: side(Color::White, &score),
        sighted: side(Color::Black, &other),
        clocks: Vec::new(),
        now: None,
        said_to_differ: false,
    };
    Path::new(1, move |_| {
        black_box(reconcile(&case));
    })
}

fn started(config: GameConfig) -> Started {
    let builtin = |name| pack::builtin(name).expect("built in").to_owned();
    Started {
        packs: vec![builtin("fide"), builtin("de")],
        config,
        confusions: Default::default(),
        build: "bench".to_owned(),
        unix_s: 0,
    }
}

/// Each row committed by itself, as the service does it.
fn written() -> Path {
    const ROWS: usize = 100;
    let folder = tempfile::tempdir().expect("a folder");
    let mut journal = Journal::open(folder.path().join("games.db")).expect("a new journal");
    let config = started(GameConfig::default());
    let id = journal.begin(&config, At::new(0)).expect("begins");
    let mut at_ms = 0;
    Path::new(ROWS, move |_| {
        for square in Square::ALL.into_iter().cycle().take(ROWS) {
            at_ms += 100;
            let edge = Input::Edge { seat: Color::White, square, occupied: true, ago_ms: 0 };
            journal.append(id, At::new(at_ms), &edge).expect("kept");
        }
        // The folder goes with the journal.
        black_box(&folder);
    })
}

/// A game of steady hands, and all its inputs after the one that starts it.
fn played() -> (Game, Vec<(At, Input)>) {
    let (start, moves) = game();
    let mut hands = Hands::seeded(GAME, Style::steady());
    let config = GameConfig { start: Some(write_fen(&start)), ..GameConfig::default() };
    let mut game = Game::new();
    let start_input = Input::Started(Box::new(started(config)));
    game.handle(At::new(0), start_input).expect("a game can be started");
    let (mut position, mut t_ms, mut inputs) = (start, 1000, Vec::new());
    for mv in moves.into_iter().take_while(|mv| !mv.is_promotion()) {
        let script = hands.play(&position, mv, t_ms);
        for (at_ms, action) in &script.actions {
            let (square, occupied) = (action.square(), action.occupied());
            let seat = Color::White;
            inputs.push((At::new(*at_ms), Input::Edge { seat, square, occupied, ago_ms: 0 }));
        }
        inputs.push((At::new(script.end_ms + SETTLE_MS), Input::Woke));
        inputs.push((At::new(script.end_ms + 1600), Input::Woke));
        position.play_unchecked(mv);
        t_ms = script.end_ms + REST_MS;
    }
    assert!(inputs.len() > 100, "the game promotes too soon: choose another seed");
    (game, inputs)
}

/// From the middle of a game on.
fn handled() -> Path {
    let (mut game, mut inputs) = played();
    let rest = inputs.split_off(inputs.len() / 2);
    for (at, input) in inputs {
        game.handle(at, input).expect("taken in");
    }
    let mut games = vec![game; TIMES + 1];
    let mut feeds = vec![rest; TIMES + 1];
    Path::new(feeds[0].len(), move |n| {
        for (at, input) in std::mem::take(&mut feeds[n]) {
            black_box(games[n].handle(at, input).expect("taken in"));
        }
    })
}

/// The input with which the board has been still long enough: the move is decided on and announced.
fn executed() -> Path {
    let (mut game, inputs) = played();
    let mut steps = Vec::new();
    for (at, input) in inputs {
        let before = matches!(input, Input::Woke).then(|| game.clone());
        let outputs = game.handle(at, input).expect("taken in");
        let executed = outputs
            .iter()
            .any(|output| matches!(output, Output::Move { state: MoveState::Executed, .. }));
        if let Some(before) = before.filter(|_| executed) {
            steps.push((vec![before; TIMES + 1], at));
        }
        if steps.len() == 20 {
            break;
        }
    }
    assert!(steps.len() > 10, "only {} moves were executed", steps.len());
    Path::new(steps.len(), move |n| {
        for (games, at) in &mut steps {
            black_box(games[n].handle(*at, Input::Woke).expect("taken in"));
        }
    })
}

/// A game changes, and the arbiter's page is asked for over HTTP: snapshot, rendering, sending and
/// reading.
fn rendered() -> Path {
    const PAGES: usize = 5;
    let (mut game, inputs) = played();
    let mut log = Log::new();
    let mut now = At::new(0);
    for (at, input) in inputs {
        log.input(at, &input);
        for output in game.handle(at, input).expect("taken in") {
            log.output(at, &output);
        }
        now = at;
    }
    // One thread, so that nothing depends on which one is quicker.
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let settings = ConsoleSettings::at(([127, 0, 0, 1], 0).into());
    let door = runtime.block_on(open(settings)).expect("a door");
    let address = door.address().to_string();
    let code = door.codes().borrow().arbiter.clone();
    let (views, seen) = watch::channel(Arc::new(View::default()));
    let (asks, asked) = mpsc::channel(1);
    runtime.spawn(door.serve(seen, asks));
    let form = format!("code={code}&by=A.+Weber");
    let head = format!(
        "POST /pair HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{form}",
        form.len()
    );
    let answer = exchange(&runtime, &address, &head);
    let cookie = answer.lines().find_map(|line| line.strip_prefix("set-cookie: "));
    let cookie = cookie.and_then(|line| line.split(';').next()).expect("a session").to_owned();
    let get = format!(
        "GET /arbiter HTTP/1.1\r\nHost: {address}\r\nAccept-Language: en\r\nCookie: {cookie}\r\n\
         Connection: close\r\n\r\n"
    );
    Path::new(PAGES, move |_| {
        for _ in 0..PAGES {
            views.send_replace(Arc::new(View::of(&game, now, &log, TableFacts::default())));
            let page = exchange(&runtime, &address, &get);
            assert!(page.starts_with("HTTP/1.1 200") && page.ends_with("</html>"), "{page}");
        }
        // Who serves would end without its other side.
        black_box(&asked);
    })
}

fn exchange(runtime: &Runtime, address: &str, request: &str) -> String {
    runtime.block_on(async {
        let mut stream = TcpStream::connect(address).await.expect("connected");
        stream.write_all(request.as_bytes()).await.expect("sent");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).await.expect("answered");
        answer
    })
}
