//! Boards of other makes: seen like any other, whatever their bytes look like, and found again
//! where they are plugged in anew.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use annabella_core::sight::judge::{Finding, Judge, JudgeSettings};
use annabella_devices::{
    dgt::{codec::Facing, wire},
    pieces::{
        Make,
        session::{self, PieceSession},
    },
    serial::{Finder, Next},
    sighted::{
        Picture, Seen, SightedBoard,
        dgt::DgtBoard,
        pieces::{PieceBoard, PieceView},
        still::StillSettings,
    },
};
use annabella_emulators::{
    dgt::{Faults, Fingers, SimulatedDgt},
    pieces::SimulatedPieces,
    pty::{Emulator, LineDevice},
};
use annabella_players::games::random_game;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Board, Chess, Color, Move, Position, Role, Square};

use crate::{
    machine::Machine,
    patience::PATIENCE,
    sighted::{a_board_at_a_line_sees, ask, complete, expect, until_still},
};

fn open(emulator: &Emulator<SimulatedPieces>, make: Make) -> PieceBoard {
    let end = session::open(make, Finder::at(&emulator.port(), make.kind())).expect("a line");
    PieceBoard::new(end, make, StillSettings::default(), Board::new(), Instant::now())
}

fn a_board_of_this_make_sees(make: Make, facing: Facing) {
    let folder = tempfile::tempdir().expect("a folder");
    let device = SimulatedPieces::new(make, facing, &Board::new());
    let emulator =
        Emulator::start(device, &folder.path().join("board")).expect("a pseudo-terminal");
    let mut board = open(&emulator, make);
    let put = |square, piece| emulator.with(|device, _| device.put(square, piece));
    a_board_at_a_line_sees(&mut board, &emulator, &put);
    assert_eq!(board.facing(), Some(facing));
}

#[test]
fn a_chessnut_board_sees_whichever_way_round_it_lies() {
    a_board_of_this_make_sees(Make::Chessnut, Facing::ConnectorLeft);
    a_board_of_this_make_sees(Make::Chessnut, Facing::ConnectorRight);
}

#[test]
fn a_millennium_board_sees_whichever_way_round_it_lies() {
    a_board_of_this_make_sees(Make::Millennium, Facing::ConnectorLeft);
    a_board_of_this_make_sees(Make::Millennium, Facing::ConnectorRight);
}

#[test]
fn a_certabo_board_sees() {
    a_board_of_this_make_sees(Make::Certabo, Facing::ConnectorLeft);
}

/// A board, the conversation with it, and the judge, in time of their own.
struct Stack {
    device: SimulatedPieces,
    session: PieceSession,
    view: PieceView,
    judge: Judge,
    now_ms: u64,
    found: Vec<Finding>,
    pictures: Vec<Picture>,
}

impl Stack {
    fn new(make: Make, device: SimulatedPieces, start: &Chess) -> Stack {
        let mut session = PieceSession::new(make);
        session.opened(0);
        let mut stack = Stack {
            device,
            session,
            view: PieceView::new(make, StillSettings::default(), start.board().clone()),
            judge: Judge::new(start.turn(), start.clone(), JudgeSettings::default()),
            now_ms: 0,
            found: Vec::new(),
            pictures: Vec::new(),
        };
        stack.until(4000);
        stack
    }

    fn until(&mut self, until_ms: u64) {
        while self.now_ms < until_ms {
            self.now_ms += 5;
            self.step();
        }
    }

    fn step(&mut self) {
        let now_ms = self.now_ms;
        let (mut events, mut seen) = (Vec::new(), Vec::new());
        self.session.read(now_ms, &self.device.transmit(now_ms), &mut events);
        for event in events {
            self.view.take(event, now_ms, &mut seen);
        }
        if self.view.advance(now_ms) {
            self.session.look(now_ms);
        }
        match self.session.next(now_ms) {
            Next::Say(bytes) => self.device.receive(now_ms, &bytes),
            Next::Wait => {}
            Next::Silent => panic!("a board that answers is not silent"),
        }
        let pictures = &mut self.pictures;
        ask(&mut self.judge, now_ms, &mut self.found, |judge, found| {
            for seen in seen {
                if let Seen::Still { picture, .. } = &seen {
                    pictures.push(picture.clone());
                }
                judge.see(seen, found);
            }
            judge.advance(now_ms, found);
        });
    }
}

/// Both players' moves of random games are recovered as they are made.
fn games_are_recovered(make: Make, seeds: std::ops::Range<u64>, missed_permille: u32) {
    for seed in seeds {
        let (start, moves) = random_game(seed, 40);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let facing = Facing::ConnectorLeft;
        let device =
            SimulatedPieces::new(make, facing, start.board()).missing(missed_permille, seed);
        let mut stack = Stack::new(make, device, &start);
        let (seat, mut position) = (start.turn(), start);
        for (n, mv) in moves.into_iter().enumerate() {
            // A piece that was never seen before has no name: that is asked about.
            if make == Make::Certabo && mv.is_promotion() {
                break;
            }
            let own = position.turn() == seat;
            if !own {
                expect(&mut stack.judge, stack.now_ms, mv, &mut stack.found);
            }
            let thinking_ms = rng.random_range(100..1500);
            let playing =
                Fingers::default().play(&mut rng, &position, mv, stack.now_ms + thinking_ms);
            for placing in &playing.placings {
                stack.until(placing.t_ms);
                stack.device.put(placing.square, placing.piece);
            }
            position.play_unchecked(mv);
            assert_eq!(stack.device.board(), *position.board(), "{make:?} SEED={seed} ply={n}");
            stack.until(playing.end_ms + 4000);
            if own {
                complete(&mut stack.judge, stack.now_ms, &mut stack.found);
            }
            let done = |finding: &Finding| match finding {
                Finding::Moved { mv: done, .. } | Finding::Executed { mv: done, .. } => *done == mv,
                _ => false,
            };
            let wrong = |finding: &Finding| matches!(finding, Finding::Differ { .. });
            let found = &stack.found;
            assert!(found.iter().any(done), "{make:?} SEED={seed} ply={n} {mv:?} {found:?}");
            assert!(!found.iter().any(wrong), "{make:?} SEED={seed} ply={n} {mv:?} {found:?}");
            stack.found.clear();
        }
    }
}

#[test]
fn every_move_of_random_games_is_recovered_through_each_make() {
    for make in Make::ALL {
        games_are_recovered(make, 0..12, 0);
    }
}

#[test]
fn tags_that_are_missed_now_and_then_lose_no_move() {
    games_are_recovered(Make::Certabo, 20..32, 2);
}

#[test]
fn a_piece_that_no_tag_names_is_seen_and_never_guessed() {
    let start: shakmaty::fen::Fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1".parse().expect("a FEN");
    let start: Chess = start.into_position(shakmaty::CastlingMode::Standard).expect("a position");
    let make = Make::Certabo;
    let device = SimulatedPieces::new(make, Facing::ConnectorLeft, start.board());
    let mut stack = Stack::new(make, device, &start);
    assert_eq!(stack.pictures.last(), Some(&Picture::Pieces(start.board().clone())));
    // A queen that was never seen before.
    stack.device.put(Square::A7, None);
    stack.device.put(Square::A8, Some(Color::White.queen()));
    stack.until(9000);
    let promoted = Move::Normal {
        role: Role::Pawn,
        from: Square::A7,
        capture: None,
        to: Square::A8,
        promotion: Some(Role::Queen),
    };
    let after = start.play(promoted).expect("legal");
    assert_eq!(stack.pictures.last(), Some(&Picture::Occupied(after.board().occupied())));
    let moved = |finding: &Finding| matches!(finding, Finding::Moved { .. });
    assert!(!stack.found.iter().any(moved), "which piece it is must be asked: {:?}", stack.found);
}

/// What the kernel knows of a board's adapter: vendor, product, serial number.
const USB: [&str; 3] = ["10c4", "ea60", "0001"];

/// The board is pulled out and plugged in as another port.
fn comes_back_elsewhere<D: LineDevice>(
    machine: &Machine,
    emulator: &Emulator<D>,
    board: &mut dyn SightedBoard,
) {
    until_still(board);
    emulator.unplug();
    machine.forgets("ttyUSB0");
    let until = Instant::now() + PATIENCE;
    let mut lost = Vec::new();
    while lost.is_empty() && Instant::now() < until {
        lost.extend(
            board.next(Duration::from_millis(500)).filter(|seen| matches!(seen, Seen::Lost { .. })),
        );
    }
    let [Seen::Lost { why, .. }] = &lost[..] else { panic!("{lost:?}") };
    assert!(why.contains("ttyUSB0") && why.ends_with("plug the board in again"), "{why}");
    machine.knows("ttyUSB1", USB);
    emulator.plug_in_at(&machine.port("ttyUSB1")).expect("a pseudo-terminal");
    let (_, picture) = until_still(board);
    assert!(picture.fits(&Board::new()), "{picture:?}");
}

#[test]
fn a_board_that_is_plugged_in_at_another_port_is_found_again() {
    for port in ["ttyUSB0", "auto"] {
        let machine = Machine::new();
        let named = machine.port("ttyUSB0");
        let port = if port == "auto" { Path::new(port) } else { &named };
        machine.knows("ttyUSB0", USB);
        let device = SimulatedDgt::new(1, Faults::default(), &Board::new());
        let emulator = Emulator::start(device, &named).expect("a pseudo-terminal");
        let (end, _clock) = wire::open_found(machine.finder(port, wire::KIND)).expect("a line");
        let settings = StillSettings::default();
        let mut board = DgtBoard::new(end, settings, Board::new(), Instant::now());
        comes_back_elsewhere(&machine, &emulator, &mut board);

        let (machine, make) = (Machine::new(), Make::Millennium);
        let named = machine.port("ttyUSB0");
        machine.knows("ttyUSB0", USB);
        let device = SimulatedPieces::new(make, Facing::ConnectorLeft, &Board::new());
        let emulator = Emulator::start(device, &named).expect("a pseudo-terminal");
        let port = if port == Path::new("auto") { port } else { &named };
        let end = session::open(make, machine.finder(port, make.kind())).expect("a line");
        let mut board = PieceBoard::new(end, make, settings, Board::new(), Instant::now());
        comes_back_elsewhere(&machine, &emulator, &mut board);
    }
}

#[test]
fn a_board_that_is_searched_for_and_nowhere_is_reported_once_with_what_to_do() {
    let (machine, make) = (Machine::new(), Make::Certabo);
    let finder = machine.finder(Path::new("auto"), make.kind());
    let end = session::open(make, finder).expect("a line");
    let settings = StillSettings::default();
    let mut board = PieceBoard::new(end, make, settings, Board::new(), Instant::now());
    let until = Instant::now() + PATIENCE;
    let first = std::iter::from_fn(|| Some(board.next(Duration::from_millis(200))))
        .take_while(|_| Instant::now() < until)
        .find_map(|seen| seen);
    let Some(Seen::Lost { why, .. }) = first else { panic!("{first:?}") };
    assert_eq!(why, "no Certabo board is found at any port: plug in its cable and switch it on");
    // Another device takes a port; the board comes later.
    let stranger = SimulatedPieces::new(Make::Chessnut, Facing::ConnectorLeft, &Board::new());
    let _stranger = Emulator::start(stranger, &machine.port("ttyUSB0")).expect("a pseudo-terminal");
    let device = SimulatedPieces::new(make, Facing::ConnectorLeft, &Board::new());
    let _emulator = Emulator::start(device, &machine.port("ttyUSB1")).expect("a pseudo-terminal");
    let (_, picture) = until_still(&mut board);
    assert!(picture.fits(&Board::new()), "{picture:?}");
}
