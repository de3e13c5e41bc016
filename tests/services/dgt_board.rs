//! A DGT board and its clock on a real pseudo-terminal, with the faults that lines and boards have.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use annabella_devices::dgt::{
    codec::{ClockButton, ClockCommand, Facing},
    session::{BoardEvent, ClockEvent, ClockReply},
    wire::{self, BoardEnd, ClockEnd, KIND},
};
use annabella_devices::serial::open_port;
use annabella_emulators::{
    dgt::{Faults, SimulatedDgt},
    pty::Emulator,
};
use shakmaty::{Board, Color, Square};

use crate::patience::PATIENCE;

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().expect("a folder") }
    }

    fn port(&self) -> PathBuf {
        self.folder.path().join("board")
    }
}

fn start(faults: &str) -> (Place, Emulator<SimulatedDgt>) {
    let place = Place::new();
    let faults = Faults::parse(faults).expect("faults");
    let device = SimulatedDgt::new(8141, faults, &Board::new());
    let emulator = Emulator::start(device, &place.port()).expect("a pseudo-terminal");
    (place, emulator)
}

fn open(emulator: &Emulator<SimulatedDgt>) -> (BoardEnd, ClockEnd) {
    wire::open(&emulator.port()).expect("a line")
}

fn board_until<T>(board: &mut BoardEnd, wanted: impl Fn(&BoardEvent) -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    let mut heard = Vec::new();
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        let Some(event) = board.next(left) else { break };
        if let Some(found) = wanted(&event.what) {
            return found;
        }
        heard.push(event.what);
    }
    panic!("not among {heard:?}");
}

fn dump(board: &mut BoardEnd, facing: Facing) -> Board {
    board_until(board, |event| match event {
        BoardEvent::Dump(dump) => Some(dump.board(facing)),
        _ => None,
    })
}

fn clock_until<T>(clock: &mut ClockEnd, wanted: impl Fn(&ClockEvent) -> Option<T>) -> T {
    let until = Instant::now() + PATIENCE;
    let mut heard = Vec::new();
    while let Some(left) = until.checked_duration_since(Instant::now()) {
        let Some(event) = clock.next(left) else { break };
        if let Some(found) = wanted(&event.what) {
            return found;
        }
        heard.push(event.what);
    }
    panic!("not among {heard:?}");
}

fn answer(clock: &mut ClockEnd, number: u32) -> ClockReply {
    clock_until(clock, |event| match event {
        ClockEvent::Answered { number: n, answer, .. } if *n == number => Some(*answer),
        _ => None,
    })
}

#[test]
fn a_board_says_who_it_is_and_what_stands_on_it() {
    let (_place, emulator) = start("");
    let (mut board, _clock) = open(&emulator);
    let identity = board_until(&mut board, |event| match event {
        BoardEvent::Ready(identity) => Some(identity.clone()),
        _ => None,
    });
    assert_eq!((identity.version, identity.serial.as_str()), ((1, 8), "0000000000"));
    assert_eq!(dump(&mut board, Facing::ConnectorLeft), Board::new());
}

#[test]
fn a_change_is_told_within_a_scan_and_a_dump_shows_it() {
    let (_place, emulator) = start("");
    let (mut board, _clock) = open(&emulator);
    dump(&mut board, Facing::ConnectorLeft);
    emulator.with(|device, now_ms| {
        device.put(now_ms, Square::E2, None);
        device.put(now_ms, Square::E4, Some(Color::White.pawn()));
    });
    let mut left = vec![Square::E2, Square::E4];
    while !left.is_empty() {
        let changed = board_until(&mut board, |event| match event {
            BoardEvent::Update { field, .. } => Some(Facing::ConnectorLeft.square(*field)),
            _ => None,
        });
        left.retain(|square| *square != changed);
    }
    board.look();
    let mut wanted = Board::new();
    wanted.discard_piece_at(Square::E2);
    wanted.set_piece_at(Square::E4, Color::White.pawn());
    assert_eq!(dump(&mut board, Facing::ConnectorLeft), wanted);
}

#[test]
fn a_board_unplugged_is_reported_once_and_found_again() {
    let (place, emulator) = start("");
    let (mut board, mut clock) = open(&emulator);
    dump(&mut board, Facing::ConnectorLeft);
    emulator.unplug();
    let why = board_until(&mut board, |event| match event {
        BoardEvent::Lost(why) => Some(why.clone()),
        _ => None,
    });
    let port = place.port().display().to_string();
    assert!(
        why.starts_with(&format!("lost {port} (")) && why.ends_with("plug the board in again"),
        "{why}"
    );
    clock_until(&mut clock, |event| (*event == ClockEvent::Lost).then_some(()));
    // Nothing more while it is away.
    assert_eq!(board.next(Duration::from_millis(900)), None);
    emulator.with(|device, now_ms| device.put(now_ms, Square::G1, None));
    emulator.plug_in().expect("a pseudo-terminal");
    let mut wanted = Board::new();
    wanted.discard_piece_at(Square::G1);
    assert_eq!(dump(&mut board, Facing::ConnectorLeft), wanted);
}

#[test]
fn a_board_switched_off_and_on_is_told_again_to_send() {
    let (_place, emulator) = start("no-clock");
    let (mut board, _clock) = open(&emulator);
    dump(&mut board, Facing::ConnectorLeft);
    std::thread::sleep(Duration::from_millis(300));
    while board.next(Duration::from_millis(50)).is_some() {}
    emulator.with(|device, now_ms| device.power_cycle(now_ms));
    emulator.with(|device, now_ms| device.put(now_ms, Square::G1, None));
    let mut wanted = Board::new();
    wanted.discard_piece_at(Square::G1);
    assert_eq!(dump(&mut board, Facing::ConnectorLeft), wanted);
    // And it sends its updates again.
    emulator.with(|device, now_ms| device.put(now_ms, Square::B1, None));
    board_until(&mut board, |event| match event {
        BoardEvent::Update { field, .. } => {
            (Facing::ConnectorLeft.square(*field) == Square::B1).then_some(())
        }
        _ => None,
    });
}

#[test]
fn with_lost_bytes_and_garbage_the_board_is_still_seen_as_it_stands() {
    let (_place, emulator) = start("lost=4,garbage=4,turned");
    let (mut board, _clock) = open(&emulator);
    board_until(&mut board, |event| matches!(event, BoardEvent::Ready(_)).then_some(()));
    let mut wanted = Board::new();
    for square in [Square::E2, Square::D2, Square::C2] {
        emulator.with(|device, now_ms| device.put(now_ms, square, None));
        wanted.discard_piece_at(square);
        std::thread::sleep(Duration::from_millis(300));
    }
    let found = |event: &BoardEvent| match event {
        BoardEvent::Dump(dump) => (dump.board(Facing::ConnectorRight) == wanted).then_some(()),
        _ => None,
    };
    // A dump that lost a byte is asked for again; one whose byte was changed shows another board.
    for _ in 0..4 {
        board.look();
    }
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        board.look();
        let event = board.next(Duration::from_millis(500));
        if event.is_some_and(|event| found(&event.what).is_some()) {
            return;
        }
    }
    panic!("never seen as it stands");
}

#[test]
fn the_clock_is_told_what_to_show_and_tells_its_buttons() {
    let (_place, emulator) = start("");
    let (_board, mut clock) = open(&emulator);
    clock_until(&mut clock, |event| matches!(event, ClockEvent::Times(_)).then_some(()));
    let number = clock.command(ClockCommand::Version);
    let ClockReply::Accepted(ack) = answer(&mut clock, number) else { panic!("no version") };
    assert_eq!(ack.as_version(), Some((2, 0)));
    let number = clock.command(ClockCommand::text("Sg1f3", 0));
    assert!(matches!(answer(&mut clock, number), ClockReply::Accepted(_)));
    let text = emulator.with(|device, now_ms| device.clock(now_ms).and_then(|clock| clock.text()));
    assert_eq!(text.as_deref(), Some("Sg1f3"));
    emulator.with(|device, now_ms| device.press(now_ms, ClockButton::Run));
    clock_until(&mut clock, |event| (*event == ClockEvent::Button(ClockButton::Run)).then_some(()));
}

#[test]
fn without_a_clock_commands_are_answered_with_none() {
    let (_place, emulator) = start("no-clock");
    let (_board, mut clock) = open(&emulator);
    clock_until(&mut clock, |event| match event {
        ClockEvent::Times(times) => times.absent.then_some(()),
        _ => None,
    });
    let number = clock.command(ClockCommand::EndText);
    assert_eq!(answer(&mut clock, number), ClockReply::None);
}

fn lost(port: &Path) -> String {
    let (mut board, _clock) = wire::open(port).expect("a line");
    board_until(&mut board, |event| match event {
        BoardEvent::Lost(why) => Some(why.clone()),
        _ => None,
    })
}

#[test]
fn a_bad_port_is_reported_with_what_to_do() {
    assert_eq!(
        lost(Path::new("/dev/ttyACM9")),
        "/dev/ttyACM9 is not there: plug in the board's cable, or name its port in [sighted] port"
    );
    assert_eq!(
        lost(Path::new("/dev/null")),
        "/dev/null is no serial port: name the board's in [sighted] port, such as /dev/ttyACM0"
    );
    let place = Place::new();
    let folder = place.folder.path().display().to_string();
    assert_eq!(
        lost(place.folder.path()),
        format!(
            "{folder} is no serial port: name the board's in [sighted] port, such as /dev/ttyACM0"
        )
    );
}

#[test]
fn a_port_in_use_is_reported_with_what_to_do() {
    let (place, emulator) = start("");
    let _other = open_port(&emulator.port(), KIND).expect("the first who opens it");
    let port = place.port().display().to_string();
    assert_eq!(
        lost(&emulator.port()),
        format!("{port} is used by another program: end that first")
    );
}

#[test]
fn a_port_without_a_board_is_reported_with_what_to_do() {
    // A terminal at which nobody answers.
    use std::os::unix::ffi::OsStrExt;
    let flags = rustix::pty::OpenptFlags::RDWR | rustix::pty::OpenptFlags::NOCTTY;
    let near = rustix::pty::openpt(flags).expect("a pseudo-terminal");
    rustix::pty::unlockpt(&near).expect("unlocked");
    let name = rustix::pty::ptsname(&near, Vec::new()).expect("a name");
    let path = Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()));
    assert_eq!(
        lost(path),
        format!(
            "no DGT board answers at {}: is it the right port, and the board switched on?",
            path.display()
        )
    );
}
