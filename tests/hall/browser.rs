//! Every role's flow in a real browser: `tests/browser/run.mjs` and `hall.mjs` walk through the
//! pages, this side plays the games. Without Node.js, Chromium or their packages it says what is
//! missing and is skipped; `scripts/browser.sh` installs them.

use std::{
    env,
    io::{BufRead, BufReader, Write},
    net::SocketAddr,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{Arc, Mutex},
    time::Duration,
};

use annabella_console::Codes;
use annabella_core::game::{
    BoardSeen, GameConfig, HandStep, Input, Outcome, Running, ShownBoard, Task,
};
use annabella_hall::{
    floor::{BoardStands, GameStands, Need, NeedKind},
    page::{HallPage, PageSettings},
};
use annabella_records::journal::{
    GameId,
    report::{Report, ReportLabels},
};
use shakmaty::{Board, Color, Position, Square};

use crate::at_board::Play;
use crate::hall::Hall;
use crate::hall_page::{self, RunningHall, signal, signal_family};
use crate::patience::PATIENCE;
use crate::skip::skipped;

fn browser() -> Option<PathBuf> {
    let named = env::var_os("CHROMIUM").map(PathBuf::from);
    let folders = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&folders).flat_map(|folder| {
        ["chromium", "chromium-browser", "google-chrome"].map(|name| folder.join(name))
    });
    named.into_iter().chain(found).find(|path| path.is_file())
}

/// What is needed and not there.
fn missing(folder: &Path) -> Option<&'static str> {
    if Command::new("node").arg("--version").output().is_err() {
        return Some("Node.js");
    }
    if browser().is_none() {
        return Some("Chromium");
    }
    let packages =
        ["playwright-core", "axe-core"].map(|name| folder.join("node_modules").join(name));
    packages.iter().any(|path| !path.is_dir()).then_some("playwright-core and axe-core")
}

/// Ends with the test, however that ends.
struct Script(Child);

impl Drop for Script {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn every_roles_flow_by_keyboard_with_scripts_and_without() {
    let kept = tempfile::tempdir().expect("a folder");
    let config = GameConfig {
        white: "Anna Becker".to_owned(),
        black: "Boris Petrov".to_owned(),
        ..crate::hall::two_boards()
    };
    let key = kept.path().join("console.key");
    let paper = Arc::new(Mutex::new(String::new()));
    let printed = Arc::clone(&paper);
    let mut hall = Hall::of(config, |settings| {
        settings.session_key = Some(key);
        settings.report = Some(Arc::new(move || Ok(printed.lock().expect("a page").clone())));
    });
    let address = hall.address;
    walk("run.mjs", address, 18, |what| match what {
        Asked::Step("report") => {
            let labels = ReportLabels::of("en");
            let report = Report::of(1, &hall.play().inputs, &labels).expect("a report");
            *paper.lock().expect("a page") = report.to_html(&labels);
            String::new()
        }
        // After a drop there are others.
        Asked::Code(role) => code(&hall.codes.borrow(), role),
        Asked::Step("drop") => {
            hall.drop_pages(Duration::from_secs(2));
            String::new()
        }
        Asked::Step(step) => {
            play(&hall, step);
            String::new()
        }
    });
}

#[test]
fn the_whole_hall_by_keyboard_with_scripts_and_without() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let settings = PageSettings {
        listen: ([127, 0, 0, 1], 0).into(),
        tls: None,
        session_key: None,
        language: "en".to_owned(),
        codes: None,
        public: false,
        url: "nats://127.0.0.1:1".to_owned(),
        credentials: None,
        event: "olympiad-2027".parse().expect("a name"),
        complain: Arc::new(|line| println!("{line}")),
    };
    let mut page = runtime.block_on(HallPage::open(settings)).expect("a page");
    let mut boards: Vec<BoardStands> = (1..=60).map(board).collect();
    page.show(&boards, |_| None);
    let address = ([127, 0, 0, 1], page.reach().port()).into();
    walk("hall.mjs", address, 10, |what| {
        let (what, n) = match what {
            Asked::Code(role) => return code(&page.codes().borrow(), role),
            Asked::Step(step) => step.split_once(' ').expect("a number"),
        };
        let n: u32 = n.parse().expect("a number");
        if what == "boards" {
            boards = (1..=n).map(at_a_glance).collect();
            page.show(&boards, |_| None);
            return String::new();
        }
        let board = &mut boards[n as usize - 1];
        match what {
            "call" => board.needs.push(Need {
                kind: NeedKind::Called(annabella_words::phrase::Note::AssistantCalls),
                waits_ms: 0,
            }),
            "move" => {
                let game = board.game.as_mut().expect("a game");
                game.last = Some("13. Bg5".to_owned());
            }
            other => panic!("no step {other}"),
        }
        page.show(&boards, |_| None);
        String::new()
    });
}

/// Stopped with SIGSTOP the process says nothing, and its connections stay: as where Wi-Fi goes
/// away.
#[test]
fn a_server_that_falls_silent_is_missed_on_every_page() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("annabella.toml");
    let text = format!(
        "[board]\nkind = \"events\"\npath = \"-\"\n[sighted]\nkind = \"page\"\n\
         [speech]\nengine = \"none\"\nlisten = \"off\"\n[console]\nlisten = \"127.0.0.1:0\"\n\
         [journal]\npath = \"{}\"\n",
        folder.path().join("games.db").display()
    );
    std::fs::write(&path, text).expect("written");
    let mut play = Play::start(&path);
    let (tell, pages) = std::sync::mpsc::channel();
    let errors = BufReader::new(play.child.stderr.take().expect("a pipe"));
    std::thread::spawn(move || {
        for line in errors.lines().map_while(Result::ok) {
            if line.contains("codes: ") && tell.send(line).is_err() {
                return;
            }
        }
    });
    // Each use of a code makes another one, and a line.
    let mut line = pages.recv_timeout(PATIENCE).expect("the pages' line");
    let after = |line: &str, mark: &str| {
        let rest = line.split(mark).nth(1).expect("a mark");
        rest.split([';', ',', ' ']).next().expect("text").trim().to_owned()
    };
    let address: SocketAddr = after(&line, "http://").parse().expect("an address");
    walk("dead.mjs", address, 4, |what| {
        match what {
            Asked::Code(role) => {
                line = pages.try_iter().last().unwrap_or(line.clone());
                return after(&line, &format!("{role} "));
            }
            Asked::Step("play") => {
                play.send(r#"{"announce":"Uhr starten"}"#);
                play.until("a clock that runs", |line| line["clock"]["running"] == "white");
            }
            Asked::Step("stop") => signal(&play.child, "-STOP"),
            Asked::Step("go") => signal(&play.child, "-CONT"),
            Asked::Step(other) => panic!("no such step: {other:?}"),
        }
        String::new()
    });
    // Whatever happened, it can end.
    signal(&play.child, "-CONT");
    play.kill();
}

/// The same in a hall: its own page, and a board's through it.
#[test]
fn a_hall_or_a_board_of_it_that_falls_silent_is_missed_on_the_page() {
    if !hall_page::has_server() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let hall = RunningHall::start(folder.path(), &[]);
    let mut play = hall_page::board(folder.path(), hall.server, 17);
    walk("dead_hall.mjs", hall.page, 3, |what| {
        match what {
            Asked::Code(_) => return hall.code.clone(),
            Asked::Step("play") => {
                play.send(r#"{"announce":"Uhr starten"}"#);
                play.until("a clock that runs", |line| line["clock"]["running"] == "white");
            }
            Asked::Step("stop hall") => hall.signal("-STOP"),
            Asked::Step("go hall") => hall.signal("-CONT"),
            // The board's machine as a whole: its service, and its wire to the hall.
            Asked::Step("stop board") => signal_family(&play.child, "-STOP"),
            Asked::Step("go board") => signal_family(&play.child, "-CONT"),
            Asked::Step(other) => panic!("no such step: {other:?}"),
        }
        String::new()
    });
    // Whatever happened, both can end.
    hall.signal("-CONT");
    signal_family(&play.child, "-CONT");
    play.kill();
}

fn board(board: u32) -> BoardStands {
    let game = GameStands {
        game: GameId { number: 1 },
        white: format!("Anna Becker {board}"),
        black: format!("Boris Petrov {board}"),
        plies: 24,
        last: Some("12... Nf6".to_owned()),
        moved: Some("g8f6".to_owned()),
        pieces: "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R".to_owned(),
        to_move: Color::White,
        completed: true,
        clock: (5_400_000, 3_600_000, Running::White),
        stand: false,
        short: [false; 2],
        waits: Some(Task::Watch(Color::White)),
        offered: None,
        result: None,
        seen: (48, [0; 16]),
    };
    BoardStands { board, game: Some(game), needs: Vec::new() }
}

/// Boards of a round, each of another kind than its neighbours.
fn at_a_glance(number: u32) -> BoardStands {
    let mut stands = board(number);
    let game = stands.game.as_mut().expect("a game");
    let black = |game: &mut GameStands| {
        (game.to_move, game.waits) = (Color::Black, Some(Task::Watch(Color::Black)));
        game.clock.2 = Running::Black;
    };
    match number % 10 {
        1 | 8 => {}
        2 | 7 => black(game),
        3 => (game.clock.1, game.short) = (43_000, [false, true]),
        4 => {
            black(game);
            let (seat, ply, uci, san) = (Color::Black, 25, "c1g5".to_owned(), "Bg5".to_owned());
            game.waits = Some(Task::Execute { seat, ply, uci, san });
        }
        5 => game.result = Some((Outcome::Draw, annabella_words::phrase::Note::AssistantCalls)),
        6 => game.offered = Some(Color::Black),
        9 => {
            (game.waits, game.clock.2, game.stand) = (Some(Task::ClocksStand), Running::None, true)
        }
        _ => game.waits = Some(Task::Correct(Color::White)),
    }
    stands
}

/// What a script wants.
enum Asked<'a> {
    /// The code of a role.
    Code(&'a str),
    /// Something is to happen.
    Step(&'a str),
}

/// Walks through pages with a script, at least so many stories long.
fn walk(
    name: &str,
    address: SocketAddr,
    stories: usize,
    mut answer: impl FnMut(Asked<'_>) -> String,
) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser");
    if let Some(missing) = missing(&folder) {
        return skipped("browser", &format!("{missing} missing (scripts/browser.sh setup)"));
    }
    let pictures = env::var("ANNABELLA_PICTURES")
        .unwrap_or_else(|_| format!("{}/pictures", env!("CARGO_TARGET_TMPDIR")));
    let mut script = Command::new("node");
    script.current_dir(&folder).arg(name).arg(format!("http://{address}"));
    script.arg(browser().expect("a browser")).arg(&pictures);
    script.args(env::var_os("ANNABELLA_PICTURES").map(|_| "readme"));
    let child = script.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
    let mut script = Script(child.expect("node"));
    let mut answers = script.0.stdin.take().expect("a pipe");
    let lines = BufReader::new(script.0.stdout.take().expect("a pipe")).lines();
    let errors = script.0.stderr.take().expect("a pipe");
    let errors = std::thread::spawn(move || {
        BufReader::new(errors).lines().map_while(Result::ok).collect::<Vec<_>>().join("\n")
    });
    let mut said = Vec::new();
    let mut done = false;
    for line in lines.map_while(Result::ok) {
        let answer = match line.split_once(' ') {
            Some(("CODE", role)) => answer(Asked::Code(role)),
            Some(("STEP", step)) => answer(Asked::Step(step)),
            _ => {
                done |= line.starts_with("DONE ");
                println!("{line}");
                said.push(line);
                continue;
            }
        };
        writeln!(answers, "{answer}").expect("the script listens");
    }
    let errors = errors.join().expect("read");
    assert!(done, "{}\n{errors}", said.join("\n"));
    assert!(said.iter().filter(|line| line.starts_with("ok ")).count() >= stories, "{said:?}");
}

fn code(codes: &Codes, role: &str) -> String {
    match role {
        "arbiter" => codes.arbiter.clone(),
        "assistant" => codes.assistant.clone(),
        _ => codes.display.clone(),
    }
}

/// Black's board has come to rest like this.
fn stands(play: &mut crate::hall::Play, board: &Board) {
    play.wait(1_000);
    let shown = ShownBoard::Pieces(board.board_fen().to_string());
    let seen = BoardSeen::Still { shown, ago_ms: 250 };
    play.input(Input::BoardSeen { seat: Color::Black, seen }).expect("seen");
    play.wait(2_000);
}

/// What happens at the board.
fn play(hall: &Hall, step: &str) {
    let mut play = hall.play();
    match step.split_once(' ').unwrap_or((step, "")) {
        ("white", mv) => play.white(mv),
        // Nothing new, sent once more.
        ("again", _) => play.input(Input::Woke).expect("woken"),
        ("touch", _) => {
            play.peg(Square::A2, false);
            play.peg(Square::A2, true);
            play.wait(1_000);
        }
        ("copy", _) => {
            // Whoever has moved has pressed.
            let last = play.game.record().expect("a game").line.last().cloned().expect("a move");
            if last.completed.is_none() {
                play.input(Input::Pressed { seat: last.mover }).expect("pressed");
            }
            play.copy_on_pegs();
        }
        ("start", _) => {
            let act = annabella_core::game::ArbiterAct::StartClocks { side: None };
            let ruling = annabella_core::game::Ruling::new(act, "A. Weber", "");
            play.input(Input::Arbiter(Box::new(ruling))).expect("the clocks run");
        }
        ("says", text) => {
            let said = Input::Said { seat: Some(Color::White), heard: vec![text.to_owned()] };
            play.input(said).expect("understood");
        }
        ("black", mv) => play.moves(&[mv]),
        ("more", _) => play.moves(&["Bb5", "e6"]),
        // The pegs are put right as the steps say.
        ("correct", _) => {
            for _ in 0..64 {
                let steps = play.log.correcting()[0].clone();
                match steps.first() {
                    None => return,
                    Some(HandStep::Take { take, .. }) => play.peg(*take, false),
                    Some(HandStep::Put { put, .. }) => play.peg(*put, true),
                }
                play.wait(1_000);
            }
            panic!("the steps never end");
        }
        // Black's rook goes where it may not, and his clock is pressed.
        ("illegal", _) => {
            let seat = Color::Black;
            let mut board = play.position().board().clone();
            stands(&mut play, &board);
            let rook = board.piece_at(Square::A8).expect("a rook");
            let lifted = BoardSeen::Lifted { square: Square::A8, ago_ms: 0 };
            play.input(Input::BoardSeen { seat, seen: lifted }).expect("seen");
            board.discard_piece_at(Square::A8);
            board.set_piece_at(Square::A5, rook);
            stands(&mut play, &board);
            play.input(Input::Pressed { seat }).expect("pressed");
            play.wait(20_000);
        }
        ("legal", _) => {
            let board = play.position().board().clone();
            stands(&mut play, &board);
            play.wait(5_000);
        }
        // On the wooden board a pawn stands one square short, and a bishop for a knight.
        ("diverge", _) => {
            let fen = "r1bqkb1r/pppppppp/2n2b2/8/8/4PN2/PPPP1PPP/RNBQKB1R";
            let _ = play.input(Input::Entered { seat: Color::Black, fen: fen.to_owned() });
            play.wait(6_000);
        }
        ("converge", _) => {
            let position = play.position();
            let fen = position.board().to_string();
            let _ = play.input(Input::Entered { seat: Color::Black, fen });
        }
        other => panic!("no such step: {other:?}"),
    }
}
