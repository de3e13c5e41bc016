//! Whole real games with a mishap every third move: exact records, exact clocks, nobody is blamed.
//!
//! The program runs as a process, its devices beside it. `make test` plays how the games begin;
//! `make soak ARGS=real` plays them to their ends, three times each, while every core computes, and
//! compares the clocks too.

use std::{
    fs::File,
    io::Write as _,
    process::Command,
    sync::atomic::{AtomicBool, Ordering},
    time::Instant,
};

use annabella_core::notation::pgn::read_games;
use annabella_players::hands::changes;
use serde_json::{Value, json};
use shakmaty::{ByColor, CastlingMode, Chess, Color, Move, Position, Square};

use crate::{
    at_board::{Play, at_rest, config},
    held_up::press,
};

const GAMES: &str = include_str!("../data/kasparov-deep-blue-1997.pgn");
/// How many half-moves `make test` plays of each.
const BEGINNING: usize = 21;
const INITIAL_MS: u64 = 2 * 60 * 60 * 1000;
/// What the program's clock may differ from our own, in milliseconds.
const EXACT_MS: u64 = 200;

/// The sighted player's board, or a second blind player's, or nothing that feels anything.
#[derive(Clone, Copy, PartialEq)]
enum Boards {
    Dgt,
    BothBlind,
    NoSensors,
}

/// What goes wrong, and is nobody's offence.
#[derive(Clone, Copy, Debug)]
enum Mishap {
    /// A piece is adjusted (4.2).
    Adjusts,
    /// The piece that will move is lifted, put back, and lifted again (4.3).
    Hesitates,
    /// It stands somewhere else first, where it cannot go.
    SlipsOnTheWay,
    /// Who is not to move presses.
    PressesOutOfTurn,
    /// Who is not to move lifts a piece and puts it back.
    Fidgets,
    /// The other board shows something else first.
    CopiesWrongly,
    /// Another move is said first, and corrected (D.2.8).
    Corrects,
    /// What is no move and no question.
    Murmurs,
    /// How much time is left, in the middle of a move.
    Asks,
}

impl Boards {
    fn mishaps(self) -> &'static [Mishap] {
        use Mishap::*;
        match self {
            Boards::NoSensors => &[Corrects, Murmurs, PressesOutOfTurn, Asks],
            _ => {
                &[Adjusts, PressesOutOfTurn, Hesitates, Asks, SlipsOnTheWay, Fidgets, CopiesWrongly]
            }
        }
    }
}

/// The devices of Black, who sits at the other board.
enum Other {
    Dgt(annabella_emulators::pty::Emulator<annabella_emulators::dgt::SimulatedDgt>),
    Pegs(File),
    None,
}

struct Table {
    _folder: tempfile::TempDir,
    journal: String,
    boards: Boards,
    play: Play,
    other: Other,
    position: Chess,
    used: ByColor<u64>,
    since: Instant,
    exact: bool,
}

impl Table {
    fn new(boards: Boards, exact: bool) -> Table {
        let folder = tempfile::tempdir().expect("a folder");
        let (more, other) = match boards {
            Boards::Dgt => {
                use annabella_emulators::{
                    dgt::{Faults, SimulatedDgt},
                    pty::Emulator,
                };
                let faults = Faults::parse("").expect("none");
                let device = SimulatedDgt::new(8141, faults, &shakmaty::Board::new());
                let emulator =
                    Emulator::start(device, &folder.path().join("dgt")).expect("a terminal");
                let port = emulator.port().display().to_string();
                (format!("[sighted]\nkind = \"dgt\"\nport = \"{port}\"\n"), Other::Dgt(emulator))
            }
            Boards::BothBlind => {
                let path = folder.path().join("black");
                assert!(Command::new("mkfifo").arg(&path).status().expect("mkfifo").success());
                let pipe = File::options().read(true).write(true).open(&path).expect("a FIFO");
                let board =
                    format!("[board_black]\nkind = \"events\"\npath = \"{}\"\n", path.display());
                (format!("{board}[game]\nblind = \"both\"\n"), Other::Pegs(pipe))
            }
            Boards::NoSensors => (String::new(), Other::None),
        };
        let path = config(folder.path(), &more);
        let mut text = std::fs::read_to_string(&path).expect("written");
        if boards == Boards::NoSensors {
            let (_, rest) = text.split_once("castling_ms = 120\n").expect("the board's keys");
            text = format!("[board]\nkind = \"none\"\npath = \"-\"\n{rest}");
        }
        match text.split_once("[game]\n") {
            Some((before, after)) => {
                text = format!("{before}[game]\ntime_control = \"120\"\n{after}")
            }
            None => text += "[game]\ntime_control = \"120\"\n",
        }
        std::fs::write(&path, text).expect("written");
        let journal = folder.path().join("games.db").display().to_string();
        let mut play = Play::start(&path);
        play.send(&json!({ "announce": "Uhr starten" }).to_string());
        play.until("White's clock", |line| line["clock"]["running"] == "white");
        let used = ByColor { white: 0, black: 0 };
        let position = Chess::default();
        let since = Instant::now();
        Table { _folder: folder, journal, boards, play, other, position, used, since, exact }
    }

    /// Waits for such a line; nobody is blamed meanwhile.
    fn until(&self, what: &str, fits: impl Fn(&Value) -> bool) -> Value {
        self.play.until(what, |line| {
            assert!(line.get("proposal").is_none(), "{what}: {line}");
            assert!(line["problem"].get("penalty").is_none(), "{what}: {line}");
            fits(line)
        })
    }

    fn says(&mut self, seat: Color, text: &str) {
        self.play.send(&json!({ "announce": text, "seat": name(seat) }).to_string());
    }

    /// A hole or square of this player's board.
    fn hand(&mut self, seat: Color, square: Square, piece: Option<shakmaty::Piece>) {
        match (seat, &mut self.other) {
            (Color::White, _) => self.play.reed(&square.to_string(), piece.is_some()),
            (Color::Black, Other::Dgt(emulator)) => {
                emulator.with(|device, now_ms| device.put(now_ms, square, piece));
            }
            (Color::Black, Other::Pegs(pipe)) => {
                let line = json!({ "square": square.to_string(), "occupied": piece.is_some() });
                writeln!(pipe, "{line}").expect("written");
                at_rest(&*pipe);
            }
            (Color::Black, Other::None) => {}
        }
    }

    fn execute(&mut self, seat: Color, mv: Move) {
        let mut after = self.position.clone();
        after.play_unchecked(mv);
        for (square, filled) in changes(mv) {
            let piece = filled.then(|| after.board().piece_at(square)).flatten();
            self.hand(seat, square, piece);
        }
        if mv.is_promotion() && self.boards != Boards::NoSensors && seat == self.position.turn() {
            self.says(seat, "Dame");
        }
    }

    fn lift_and_put(&mut self, seat: Color, square: Square) {
        let piece = self.position.board().piece_at(square);
        self.hand(seat, square, None);
        self.hand(seat, square, piece);
    }

    /// A piece of this player's that has nothing to do with the move.
    fn bystander(&self, seat: Color, mv: Move) -> Square {
        let board = self.position.board();
        let touched: Vec<Square> = changes(mv).into_iter().map(|(square, _)| square).collect();
        let mut own = board.by_color(seat).into_iter();
        own.find(|square| !touched.contains(square)).expect("sixteen pieces at first")
    }

    /// A hole that this piece cannot go to.
    fn no_place_for(&self, mv: Move) -> Square {
        let legal = self.position.legal_moves();
        let goes = |to: Square| legal.iter().any(|legal| legal.to() == to);
        let empty = !self.position.board().occupied();
        empty.into_iter().find(|square| !goes(*square)).unwrap_or(mv.to())
    }

    fn before(&mut self, mishap: Mishap, mv: Move) {
        let seat = self.position.turn();
        let from = mv.from().expect("no piece is dropped");
        let piece = self.position.board().piece_at(from);
        match mishap {
            Mishap::Adjusts => {
                let square = self.bystander(seat, mv);
                self.says(seat, "ich korrigiere");
                self.lift_and_put(seat, square);
            }
            Mishap::Hesitates => self.lift_and_put(seat, from),
            Mishap::SlipsOnTheWay if !mv.is_castle() => {
                let slip = self.no_place_for(mv);
                self.hand(seat, from, None);
                self.hand(seat, slip, piece);
                self.hand(seat, slip, None);
                self.hand(seat, from, piece);
            }
            Mishap::PressesOutOfTurn => self.play.send(&press(!seat)),
            Mishap::Fidgets => {
                let square = self.bystander(!seat, mv);
                self.lift_and_put(!seat, square);
            }
            Mishap::Corrects => {
                let mut others = self.position.legal_moves();
                others.retain(|other| *other != mv);
                if let Some(other) = others.first() {
                    self.says(seat, &uci(*other));
                    let said = |line: &Value| line["move"]["state"] == "announced";
                    self.until("the other move", said);
                }
            }
            Mishap::Murmurs => self.says(seat, "hm ja also dann"),
            Mishap::Asks => self.says(seat, "Wie viel Zeit"),
            Mishap::SlipsOnTheWay | Mishap::CopiesWrongly => {}
        }
    }

    fn presses(&mut self, uci: &str) {
        let seat = self.position.turn();
        self.play.send(&press(seat));
        let now = Instant::now();
        let ran = now.duration_since(self.since).as_millis();
        self.used[seat] += u64::try_from(ran).expect("hours");
        self.since = now;
        self.until(&format!("{uci} completed"), |line| {
            line["move"]["uci"] == uci && line["move"]["state"] == "completed"
        });
        let line =
            self.until("the opponent's clock", |line| line["clock"]["running"] == name(!seat));
        if !self.exact {
            return;
        }
        // The opponent's runs already; it is compared when he has pressed.
        let left_ms = line["clock"][format!("{}_ms", name(seat))].as_u64();
        let (left_ms, own_ms) = (left_ms.expect("times"), INITIAL_MS - self.used[seat]);
        assert!(left_ms.abs_diff(own_ms) <= EXACT_MS, "{uci}: {left_ms} ms, by our own {own_ms}");
    }

    fn ply(&mut self, mv: Move, mishap: Option<Mishap>) {
        let seat = self.position.turn();
        let uci = uci(mv);
        if let Some(mishap) = mishap {
            self.before(mishap, mv);
        }
        if self.boards == Boards::NoSensors {
            let corrects =
                matches!(mishap, Some(Mishap::Corrects)) && self.position.legal_moves().len() > 1;
            let text = if corrects { format!("Korrektur {uci}") } else { uci.clone() };
            self.says(seat, &text);
            self.until(&format!("{uci} announced"), |line| {
                line["move"]["uci"] == uci && line["move"]["state"] == "announced"
            });
        } else {
            self.execute(seat, mv);
        }
        self.presses(&uci);
        if self.boards != Boards::NoSensors {
            if let Some(Mishap::CopiesWrongly) = mishap {
                let from = mv.from().expect("no piece is dropped");
                let piece = self.position.board().piece_at(from);
                let slip = self.no_place_for(mv);
                self.hand(!seat, from, None);
                self.hand(!seat, slip, piece);
                self.hand(!seat, slip, None);
                self.hand(!seat, from, piece);
            }
            self.execute(!seat, mv);
            self.until(&format!("agreement after {uci}"), |line| line["boards"] == "agree");
        }
        self.position.play_unchecked(mv);
    }

    /// The record, as `annabella games export` writes it.
    fn movetext(self) -> String {
        let Table { play, journal, _folder, .. } = self;
        play.interrupt();
        let export = ["games", "--journal", &journal, "export", "1", "--pgn"];
        let output = Command::new(env!("CARGO_BIN_EXE_annabella")).args(export).output();
        let output = output.expect("runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    }
}

fn uci(mv: Move) -> String {
    mv.to_uci(CastlingMode::Standard).to_string()
}

fn name(seat: Color) -> &'static str {
    if seat.is_white() { "white" } else { "black" }
}

fn moves_of(text: &str, number: usize) -> Vec<Move> {
    read_games(text).expect("games")[number].sections[0].moves.clone()
}

fn plays(boards: Boards, number: usize, plies: usize, exact: bool) {
    let moves = moves_of(GAMES, number);
    let moves = &moves[..plies.min(moves.len())];
    let mut table = Table::new(boards, exact);
    let mut mishaps = boards.mishaps().iter().copied().cycle();
    for (n, mv) in moves.iter().enumerate() {
        let mishap = (n % 3 == 2).then(|| mishaps.next()).flatten();
        table.ply(*mv, mishap);
    }
    let written = table.movetext();
    assert_eq!(moves_of(&written, 0), moves, "{written}");
}

/// How they begin; for `make soak` (`WHOLE_GAMES=3`) to their ends, so many times, while every core
/// has something else to do.
fn plays_as_wanted(boards: Boards, number: usize) {
    let rounds = std::env::var("WHOLE_GAMES").ok();
    let Some(rounds) = rounds.map(|rounds| rounds.parse().expect("a number")) else {
        return plays(boards, number, BEGINNING, false);
    };
    let over = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    std::thread::scope(|threads| {
        for _ in 0..cores {
            threads.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        for _ in 0..rounds {
            let played = std::panic::catch_unwind(|| plays(boards, number, usize::MAX, true));
            if played.is_err() {
                over.store(true, Ordering::Relaxed);
            }
            played.expect("as recorded, in time");
        }
        over.store(true, Ordering::Relaxed);
    });
}

#[test]
fn a_real_game_at_an_electronic_board_is_recorded_exactly_whatever_slips() {
    plays_as_wanted(Boards::Dgt, 0);
}

#[test]
fn a_real_game_of_two_blind_players_is_recorded_exactly_whatever_slips() {
    plays_as_wanted(Boards::BothBlind, 1);
}

#[test]
fn a_real_game_without_sensors_is_recorded_exactly_whatever_slips() {
    plays_as_wanted(Boards::NoSensors, 2);
}
