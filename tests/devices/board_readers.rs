//! The same game through every reader: on good wires, on bad ones, and on wires that fail.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use annabella_core::sensing::{Felt, SettleSettings, Tracker};
use annabella_devices::board::{
    BoardReader, ReadError,
    scan::{ScanCore, ScanEvent, ScanSettings, Scanner},
    selftest::{SelfTest, TestLine},
    sim::Bench,
    wiring::{BitOrder, Level, Levels, Orientation, ReaderKind, Wires, Wiring},
};
use annabella_players::{
    games::random_game,
    hands::{Hands, Style},
    pegs::Pegs,
};
use shakmaty::{Bitboard, Chess, Move, Position, Square};

use crate::patience::PATIENCE;

const SCAN_MS: u64 = 4;

fn wirings() -> impl Iterator<Item = (ReaderKind, Wiring)> {
    ReaderKind::ALL.iter().map(|(_, kind)| (*kind, Wiring::default_for(*kind)))
}

/// A board felt through a reader, scanned at 250 Hz in time of its own.
struct Felting {
    bench: Bench,
    reader: Box<dyn BoardReader>,
    core: ScanCore,
    tracker: Tracker,
    felt: Vec<Felt>,
    events: Vec<ScanEvent>,
    now_ms: u64,
}

impl Felting {
    fn new(wired: Wiring, believed: Wiring, position: &Chess) -> Felting {
        Felting::through(wired, position, |bench| bench.reader(believed))
    }

    fn through(
        wired: Wiring,
        position: &Chess,
        reader: impl FnOnce(&Bench) -> Box<dyn BoardReader>,
    ) -> Felting {
        let bench = Bench::new(wired);
        let shown = position.board().occupied();
        bench.set(shown);
        let mut felting = Felting {
            reader: reader(&bench),
            bench,
            core: ScanCore::new(20, shown),
            tracker: Tracker::new(position.clone(), SettleSettings::default()),
            felt: Vec::new(),
            events: Vec::new(),
            now_ms: 0,
        };
        felting.until(100);
        felting
    }

    fn until(&mut self, until_ms: u64) {
        while self.now_ms < until_ms {
            self.now_ms += SCAN_MS;
            let reading = (0..3).map(|_| self.reader.read()).find_map(Result::ok);
            let reading = reading.map_or_else(|| self.reader.read(), Ok);
            let mut events = Vec::new();
            self.core.reading(self.now_ms, reading, &mut events);
            for event in &events {
                match event {
                    ScanEvent::Edge { edge, .. } => {
                        self.tracker.advance(edge.at_ms, &mut self.felt);
                        self.tracker.edge(*edge, &mut self.felt);
                    }
                    ScanEvent::Board(board) => {
                        self.tracker.snapshot(self.now_ms, *board, &mut self.felt);
                    }
                    ScanEvent::Lost(_) | ScanEvent::Back => {}
                }
            }
            self.events.extend(events);
            self.tracker.advance(self.now_ms.saturating_sub(20), &mut self.felt);
        }
    }

    fn play(&mut self, hands: &mut Hands, position: &Chess, mv: Move) {
        let script = hands.play(position, mv, self.now_ms + 100);
        for edge in &script.edges {
            self.until(edge.t_ms);
            self.bench.peg(edge.square, edge.occupied);
        }
        self.until(script.end_ms + 2000);
        if mv.is_promotion() || self.tracker.asked().contains(&mv) {
            self.tracker.announce(self.now_ms, mv, &mut self.felt);
        }
        self.tracker.close();
    }

    fn line(&self) -> Vec<Move> {
        let mut line = Vec::new();
        for felt in &self.felt {
            match felt {
                Felt::Executed(executed) => {
                    if executed.revises.is_some() {
                        line.pop();
                    }
                    line.push(executed.mv);
                }
                Felt::TakenBack { .. } => {
                    line.pop();
                }
                _ => {}
            }
        }
        line
    }
}

const SEED: u64 = 6;
const PLIES: usize = 14;

/// The same game; `fault` may do to the bench what it likes before each ply.
fn the_game_is_felt(
    wired: &Wiring,
    believed: &Wiring,
    mut fault: impl FnMut(usize, &mut Felting),
) -> Felting {
    let (start, moves) = random_game(SEED, PLIES);
    let felting = Felting::new(wired.clone(), believed.clone(), &start);
    plays(felting, start, &moves, &mut fault)
}

/// The same game, felt through a reader over the pegs of a bench.
pub(crate) fn the_game_is_felt_through(
    wired: &Wiring,
    reader: impl FnOnce(&Bench) -> Box<dyn BoardReader>,
) {
    let (start, moves) = random_game(SEED, PLIES);
    let felting = Felting::through(wired.clone(), &start, reader);
    plays(felting, start, &moves, &mut |_, _| {});
}

fn plays(
    mut felting: Felting,
    start: Chess,
    moves: &[Move],
    fault: &mut dyn FnMut(usize, &mut Felting),
) -> Felting {
    let mut hands = Hands::seeded(SEED, Style::steady());
    let mut position = start;
    for (ply, mv) in moves.iter().enumerate() {
        fault(ply, &mut felting);
        felting.play(&mut hands, &position, *mv);
        position.play_unchecked(*mv);
    }
    assert_eq!(felting.line(), moves, "{}", felting.reader.wiring().kind.as_str());
    felting
}

#[test]
fn the_same_game_plays_through_every_reader() {
    for (_, wiring) in wirings() {
        let felting = the_game_is_felt(&wiring, &wiring, |_, _| {});
        assert_eq!(felting.bench.misused(), 0, "GPA7 or GPB7 was an input");
    }
}

#[test]
fn the_simulated_board_feels_the_same_game() {
    let (start, moves) = random_game(SEED, PLIES);
    let (mut position, mut pegs) = (start.clone(), Pegs::new(&start));
    let mut hands = Hands::seeded(SEED, Style::steady());
    let mut now_ms = 100;
    for (ply, mv) in moves.iter().enumerate() {
        let script = hands.play(&position, *mv, now_ms + 100);
        pegs.recovers(&moves[..ply], *mv, &script).expect("as through every reader");
        pegs.press();
        position.play_unchecked(*mv);
        now_ms = script.end_ms + 2000;
    }
}

#[test]
fn a_board_wired_wrong_plays_once_the_self_test_has_found_out() {
    for (kind, believed) in wirings() {
        let wires = Wires { bit_order: BitOrder::Reversed, ..Wires::default() };
        let wired = Wiring::new(kind, &wires).expect("right");
        let bench = Bench::new(wired.clone());
        let mut reader = bench.reader(believed.clone());
        let (mut test, mut lines) = SelfTest::begin(believed, None, 0);
        let mut now_ms = 0;
        while test.diagnosis().is_none() {
            for line in lines.drain(..) {
                match line {
                    TestLine::Square(_, square) => bench.set(Bitboard::from(square)),
                    TestLine::Plain(_) => bench.set(Bitboard::EMPTY),
                    _ => {}
                }
            }
            now_ms += 50;
            lines = test.reading(now_ms, reader.levels().expect("good wires"));
            assert!(now_ms < 3_600_000, "it never ends");
        }
        let found =
            test.diagnosis().and_then(|diagnosis| diagnosis.wiring).expect("another wiring");
        the_game_is_felt(&wired, &found, |_, _| {});
    }
}

#[test]
fn a_board_wired_another_way_plays_as_well_once_the_configuration_says_so() {
    for (kind, _) in wirings() {
        let mut map = kind.map();
        map.reverse();
        let wires = Wires {
            map: Some(map),
            bit_order: BitOrder::Reversed,
            closed: Level::High,
            orientation: Orientation::Right,
            ..Wires::default()
        };
        let wiring = Wiring::new(kind, &wires).expect("right");
        the_game_is_felt(&wiring, &wiring, |_, _| {});
    }
}

#[test]
fn bits_that_flip_now_and_then_move_no_pieces() {
    for (_, wiring) in wirings() {
        the_game_is_felt(&wiring, &wiring, |ply, felting| {
            felting.bench.flip(Some(7 + ply as u32 * 3), (ply * 5 % 64) as u32);
        });
    }
}

#[test]
fn a_transfer_that_is_not_acknowledged_is_tried_again_and_nobody_hears_of_it() {
    let wiring = Wiring::default_for(ReaderKind::Expander);
    let felting = the_game_is_felt(&wiring, &wiring, |_, felting| felting.bench.refuse(2));
    assert!(felting.events.iter().all(|event| matches!(event, ScanEvent::Edge { .. })));
}

/// What the board said about itself: losses and returns.
fn said(felting: &Felting) -> Vec<String> {
    let told = felting.events.iter().filter_map(|event| match event {
        ScanEvent::Lost(err) => Some(err.to_string()),
        ScanEvent::Back => Some("back".to_owned()),
        ScanEvent::Edge { .. } | ScanEvent::Board(_) => None,
    });
    told.collect()
}

#[test]
fn a_bus_that_is_stuck_low_for_seconds_is_told_once_and_the_game_goes_on() {
    for (kind, wiring) in wirings() {
        let felting = the_game_is_felt(&wiring, &wiring, |ply, felting| {
            if ply == 5 {
                felting.bench.stick_bus(true);
                let until_ms = felting.now_ms + 4000;
                felting.until(until_ms);
                felting.bench.stick_bus(false);
                felting.until(until_ms + 100);
            }
        });
        let why = match kind {
            ReaderKind::ShiftRegister => {
                "all 64 reeds read closed: check the power of the board and [board] closed = \"low\" or \"high\""
            }
            ReaderKind::Expander => {
                "I2C failed (SimBusError(Bus)): check the wires between the Pi and the board"
            }
            ReaderKind::ExpanderSpi => {
                "chip 0x20 gives 0x00 back for 0x08: check its power, MISO, CS and its address pins"
            }
            ReaderKind::Matrix => {
                "column a of the matrix is closed without a row: check it for a short circuit"
            }
        };
        assert_eq!(said(&felting), [why, "back"]);
    }
}

#[test]
fn a_move_made_while_the_board_was_lost_is_seen_when_it_is_back() {
    for (_, wiring) in wirings() {
        let (mut position, moves) = random_game(SEED, 2);
        let mut felting = Felting::new(wiring.clone(), wiring, &position);
        felting.play(&mut Hands::seeded(SEED, Style::steady()), &position, moves[0]);
        let away_ms = felting.now_ms;
        felting.bench.stick_bus(true);
        felting.until(away_ms + 1000);
        for mv in &moves {
            position.play_unchecked(*mv);
        }
        felting.bench.set(position.board().occupied());
        felting.until(away_ms + 2000);
        assert_eq!(felting.line(), moves[..1]);
        felting.bench.stick_bus(false);
        felting.until(away_ms + 5000);
        assert_eq!(felting.line(), moves);
    }
}

#[test]
fn a_board_that_is_lent_has_its_device_closed_and_is_looked_at_anew_afterwards() {
    for (_, wiring) in wirings() {
        let bench = Bench::new(wiring.clone());
        let shown = Chess::default().board().occupied();
        bench.set(shown);
        let opened = Arc::new(());
        let readers = Arc::clone(&opened);
        let (lab, broken) = (bench.clone(), Arc::new(AtomicBool::new(false)));
        let gone = Arc::clone(&broken);
        let open = move || -> Result<Box<dyn BoardReader>, ReadError> {
            if gone.load(Ordering::SeqCst) {
                return Err(ReadError::AllClosed);
            }
            Ok(Box::new(Counted(lab.reader(wiring.clone()), Arc::clone(&readers))))
        };
        let settings = ScanSettings { scan_hz: 250, debounce_ms: 20, shown };
        let (send, events) = mpsc::channel();
        let scanner = Scanner::start(open, settings, move |event| send.send(event).is_ok());
        let next = || events.recv_timeout(PATIENCE).expect("an event");
        let until_open = |open: bool| {
            let until = Instant::now() + PATIENCE;
            // This one, the scanner's, and that of its reader.
            while (Arc::strong_count(&opened) == 3) != open {
                assert!(Instant::now() < until, "open: {open}");
                std::thread::sleep(Duration::from_millis(2));
            }
        };
        until_open(true);
        let lending = scanner.lending();
        lending.release();
        until_open(false);
        assert!(lending.is_released());
        // The tester lifts and puts, and leaves a piece elsewhere.
        bench.peg(Square::E2, false);
        bench.peg(Square::E4, true);
        assert_eq!(events.recv_timeout(Duration::from_millis(200)).ok(), None);
        lending.take_back();
        assert_eq!(next(), ScanEvent::Board(shown.without(Square::E2).with(Square::E4)));
        assert!(!lending.is_released());

        // The tester's program still has the device: the board is lost, until it lets go.
        lending.release();
        until_open(false);
        broken.store(true, Ordering::SeqCst);
        lending.take_back();
        assert_eq!(next(), ScanEvent::Lost(ReadError::AllClosed));
        broken.store(false, Ordering::SeqCst);
        assert_eq!(next(), ScanEvent::Back);
        // The end does not wait for a board that is lent.
        lending.release();
        until_open(false);
        drop(scanner);
    }
}

/// A reader, and what counts how many there are.
struct Counted(
    Box<dyn BoardReader>,
    #[expect(dead_code, reason = "it counts by being there")] Arc<()>,
);

impl BoardReader for Counted {
    fn wiring(&self) -> &Wiring {
        self.0.wiring()
    }

    fn levels(&mut self) -> Result<Levels, ReadError> {
        self.0.levels()
    }
}

#[test]
fn a_chip_that_is_missing_is_named_and_set_up_again_when_it_is_back() {
    for (kind, address, why) in [
        (
            ReaderKind::Expander,
            0x23,
            "chip 0x23 does not answer (no acknowledgement): check its power, SDA, SCL and its address pins",
        ),
        (
            ReaderKind::ExpanderSpi,
            0x22,
            "chip 0x22 gives 0x00 back for 0x08: check its power, MISO, CS and its address pins",
        ),
        (
            ReaderKind::ShiftRegister,
            5,
            "the chain of shift registers is broken (its end reads 0xff): check MISO, SCLK, the power of the chips and SER of the last one",
        ),
    ] {
        let wiring = Wiring::default_for(kind);
        let felting = the_game_is_felt(&wiring, &wiring, |ply, felting| {
            if ply == 3 {
                felting.bench.unplug(Some(address));
                let until_ms = felting.now_ms + 1500;
                felting.until(until_ms);
                felting.bench.unplug(None);
                felting.until(until_ms + 100);
            }
        });
        assert_eq!(said(&felting), [why, "back"]);
    }
}

#[test]
fn chips_that_forgot_their_settings_get_them_again_before_a_reed_is_misread() {
    for kind in [ReaderKind::Expander, ReaderKind::ExpanderSpi] {
        let wiring = Wiring::default_for(kind);
        let felting = the_game_is_felt(&wiring, &wiring, |ply, felting| {
            if ply % 4 == 2 {
                felting.bench.brown_out();
            }
        });
        assert!(
            felting.events.iter().all(|event| matches!(event, ScanEvent::Edge { .. })),
            "{kind:?}"
        );
    }
}

#[test]
fn a_chain_that_is_open_is_no_empty_board() {
    // MISO without a driver reads high on a board whose reeds pull low.
    let wires = Wires { closed: Level::High, ..Wires::default() };
    let believed = Wiring::new(ReaderKind::ShiftRegister, &wires).expect("right");
    let mut reader = Bench::new(Wiring::default_for(ReaderKind::ShiftRegister)).reader(believed);
    assert_eq!(reader.read(), Err(ReadError::Chain { found: 0 }));
    assert_eq!(
        ReadError::Chain { found: 0xff }.to_string(),
        "the chain of shift registers is broken (its end reads 0xff): check MISO, SCLK, the power of the chips and SER of the last one"
    );
}

#[test]
fn every_single_peg_is_felt_where_it_is() {
    for (_, wiring) in wirings() {
        let bench = Bench::new(wiring.clone());
        let mut reader = bench.reader(wiring);
        for square in Square::ALL {
            bench.set(Bitboard::from(square));
            assert_eq!(reader.read(), Ok(Bitboard::from(square)));
        }
    }
}

#[test]
fn a_scanner_on_its_thread_tells_edges_a_loss_and_the_return() {
    let wiring = Wiring::default_for(ReaderKind::Expander);
    let bench = Bench::new(wiring.clone());
    let (send, events) = std::sync::mpsc::channel();
    let opened = bench.clone();
    let scanner = Scanner::start(
        move || Ok(opened.reader(wiring.clone())),
        ScanSettings { scan_hz: 250, debounce_ms: 20, shown: Bitboard::EMPTY },
        move |event| send.send(event).is_ok(),
    );
    let next = || events.recv_timeout(PATIENCE).expect("an event");
    std::thread::sleep(std::time::Duration::from_millis(100));
    bench.peg(Square::C3, true);
    match next() {
        ScanEvent::Edge { edge, .. } => {
            assert_eq!((edge.square, edge.occupied), (Square::C3, true))
        }
        // A busy machine may look for the first time only now.
        event => assert_eq!(event, ScanEvent::Board(Bitboard::from(Square::C3))),
    }
    bench.unplug(Some(0x20));
    assert!(matches!(next(), ScanEvent::Lost(ReadError::NoAnswer { address: 0x20, .. })));
    assert!(scanner.stats().lost);
    bench.peg(Square::C3, false);
    bench.unplug(None);
    assert_eq!(next(), ScanEvent::Back);
    assert_eq!(next(), ScanEvent::Board(Bitboard::EMPTY));
    let stats = scanner.stats();
    assert!(!stats.lost && stats.failed > 0 && stats.scans > stats.failed, "{stats:?}");
}
