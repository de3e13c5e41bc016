//! Boards by Bluetooth LE: found by name or address, seen like any other, missed with a remedy and
//! found again.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use annabella_devices::{
    dgt::{codec::Facing, wire},
    pieces::{
        Make,
        session::{self, PieceEnd, PieceEvent},
    },
    serial::{Finder, bluetooth::Radio, gatt},
    sighted::{Picture, Seen, SightedBoard, pieces::PieceBoard, still::StillSettings},
};
use annabella_emulators::{
    bluez::{Adapter, Air, Bluez, Peripheral, Policy, PrivateBus},
    pieces::SimulatedPieces,
};
use shakmaty::{Board, Color, Square};

use crate::{
    patience::{PATIENCE, until},
    sighted::{a_board_that_sees, until_still},
    skip::skipped,
};

type Boards = Vec<Peripheral<SimulatedPieces>>;

const ADDRESS: &str = "D0:1E:22:33:44:55";

/// A bus and BlueZ on it. In this order: BlueZ leaves first.
struct Room {
    bluez: Option<Bluez<SimulatedPieces>>,
    bus: PrivateBus,
    _folder: tempfile::TempDir,
}

impl Room {
    /// `None`: there is no D-Bus on this machine.
    fn new(policy: Policy, boards: Boards) -> Option<Room> {
        let folder = tempfile::tempdir().expect("a folder");
        let bus = match PrivateBus::start(folder.path(), policy) {
            Ok(bus) => bus,
            Err(err) => {
                skipped("dbus-daemon", &err.to_string());
                return None;
            }
        };
        let bluez = Bluez::start(&bus.address(), boards).expect("BlueZ");
        Some(Room { bluez: Some(bluez), bus, _folder: folder })
    }

    fn with<T>(&self, act: impl FnOnce(&mut Air<SimulatedPieces>, u64) -> T) -> T {
        self.bluez.as_ref().expect("it runs").with(act)
    }

    fn finder(&self, port: &str, make: Make) -> Finder {
        Finder::at(Path::new(port), make.kind()).at_bus(&self.bus.address())
    }

    fn line(&self, port: &str, make: Make) -> PieceEnd {
        session::open(make, self.finder(port, make)).expect("a line")
    }

    fn board(&self, port: &str, make: Make) -> PieceBoard {
        let settings = StillSettings::default();
        PieceBoard::new(self.line(port, make), make, settings, Board::new(), Instant::now())
    }

    /// Why there is no board at this port.
    fn why(&self, port: &str, make: Make) -> String {
        why(&mut self.line(port, make))
    }

    /// The place of the board that is connected.
    fn connected(&self) -> Option<usize> {
        self.with(|air, _| air.boards.iter().position(Peripheral::is_connected))
    }
}

fn radio(make: Make) -> Radio {
    make.kind().radio.expect("it speaks Bluetooth")
}

fn peripheral(make: Make, name: &str, address: &str) -> Peripheral<SimulatedPieces> {
    let device = SimulatedPieces::new(make, Facing::ConnectorLeft, &Board::new());
    Peripheral::new(device, name, address, radio(make))
}

fn chessnut() -> Peripheral<SimulatedPieces> {
    peripheral(Make::Chessnut, "Chessnut Air\n", ADDRESS)
}

fn why(end: &mut PieceEnd) -> String {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        match end.next(Duration::from_millis(200)).map(|event| event.what) {
            Some(PieceEvent::Lost(why)) => return why,
            Some(other) => panic!("{other:?}"),
            None => {}
        }
    }
    panic!("nothing was told");
}

/// The next loss that is told.
fn lost(board: &mut dyn SightedBoard) -> String {
    let until = Instant::now() + PATIENCE;
    while Instant::now() < until {
        if let Some(Seen::Lost { why, .. }) = board.next(Duration::from_millis(200)) {
            return why;
        }
    }
    panic!("no loss was told");
}

#[test]
fn a_board_by_bluetooth_sees_however_short_its_notifications_are() {
    for (make, name) in [(Make::Chessnut, "Chessnut Air\n"), (Make::Millennium, "MILLENNIUM CHESS")]
    {
        for longest in [512, 20] {
            let mut peripheral = peripheral(make, name, ADDRESS);
            peripheral.longest = longest;
            let Some(room) = Room::new(Policy::Everybody, vec![peripheral]) else { return };
            let mut board = room.board("bluetooth", make);
            let put = |square, piece| room.with(|air, _| air.boards[0].device.put(square, piece));
            let plug = |near| room.with(|air, now_ms| air.boards[0].is_near(now_ms, near));
            a_board_that_sees(&mut board, &put, &plug);
            assert_eq!(board.facing(), Some(Facing::ConnectorLeft));
        }
    }
}

#[test]
fn a_board_is_found_by_its_name_or_its_address_among_others() {
    let second = "D0:1E:22:33:44:66";
    let boards = || {
        vec![
            peripheral(Make::Millennium, "MILLENNIUM CHESS", "D0:1E:22:33:44:77"),
            chessnut(),
            peripheral(Make::Chessnut, "Chessnut Pro", second),
        ]
    };
    let Some(room) = Room::new(Policy::Everybody, boards()) else { return };
    for (port, make, place) in [
        ("bluetooth:Chessnut Air", Make::Chessnut, 1),
        ("bluetooth:chessnut pro", Make::Chessnut, 2),
        ("bluetooth:d0:1e:22:33:44:66", Make::Chessnut, 2),
        ("bluetooth", Make::Millennium, 0),
    ] {
        let mut board = room.board(port, make);
        let (_, picture) = until_still(&mut board);
        assert!(picture.fits(&Board::new()), "{picture:?}");
        assert_eq!(room.connected(), Some(place), "{port}");
        drop(board);
        until("the board is free again", || room.connected().is_none());
    }
    // For set-up: names where they are enough.
    let radios = [radio(Make::Chessnut), radio(Make::Millennium)];
    let near = |room: &Room| {
        let near = gatt::near(Some(&room.bus.address()), &radios, Duration::from_millis(100));
        near.iter().map(|port| port.display().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(
        near(&room),
        ["bluetooth:Chessnut Air", "bluetooth:Chessnut Pro", "bluetooth:MILLENNIUM CHESS"]
    );
    let twins = vec![chessnut(), peripheral(Make::Chessnut, "Chessnut Air", second)];
    let Some(room) = Room::new(Policy::Everybody, twins) else { return };
    assert_eq!(near(&room), [format!("bluetooth:{ADDRESS}"), format!("bluetooth:{second}")]);
    room.with(|air, now_ms| air.boards[0].is_near(now_ms, false));
    assert_eq!(near(&room), ["bluetooth:Chessnut Air"], "known, but not there");
    room.with(|air, _| air.adapter = Adapter::Off);
    assert!(near(&room).is_empty());
}

#[test]
fn why_there_is_no_board_by_bluetooth_is_one_line_with_the_remedy() {
    let Some(mut room) = Room::new(Policy::Everybody, vec![chessnut()]) else { return };
    let port = "bluetooth:Chessnut Air";
    let is = |room: &Room, port: &str, make: Make, wanted: &str| {
        assert_eq!(room.why(port, make), wanted);
    };
    room.with(|air, _| air.boards[0].wants_pairing = true);
    is(
        &room,
        port,
        Make::Chessnut,
        "Chessnut Air must be paired first: bluetoothctl pair D0:1E:22:33:44:55",
    );
    until("who got nothing lets go", || room.connected().is_none());
    room.with(|air, _| (air.boards[0].wants_pairing, air.boards[0].taken) = (false, true));
    is(&room, port, Make::Chessnut, "Chessnut Air is used by another program: end that first");
    room.with(|air, _| air.boards[0].taken = false);
    // What has the name is another thing.
    is(
        &room,
        port,
        Make::Millennium,
        "Chessnut Air is no Millennium board: name the board in [sighted] port, as in bluetooth:NAME",
    );
    is(
        &room,
        "bluetooth:Chessnut Pro",
        Make::Chessnut,
        "no Chessnut board is near by Bluetooth: switch it on, and end what else is connected to it",
    );
    room.with(|air, now_ms| air.boards[0].is_near(now_ms, false));
    is(
        &room,
        port,
        Make::Chessnut,
        "cannot connect Chessnut Air (le-connection-abort-by-local): switch the board off and on",
    );
    room.with(|air, _| air.adapter = Adapter::Off);
    is(
        &room,
        port,
        Make::Chessnut,
        "Bluetooth is switched off: bluetoothctl power on; where radio is forbidden, use the board's cable",
    );
    room.with(|air, _| air.adapter = Adapter::Absent);
    is(
        &room,
        port,
        Make::Chessnut,
        "this machine has no Bluetooth adapter: plug one in, or use the board's cable",
    );
    is(
        &room,
        port,
        Make::Certabo,
        "a Certabo board does not speak Bluetooth LE: use its cable, or the serial port that `rfcomm bind` makes",
    );
    room.bluez = None;
    let no_bluez = room.why(port, Make::Chessnut);
    assert!(
        no_bluez.starts_with("no Bluetooth here (")
            && no_bluez.ends_with("or use the board's cable"),
        "{no_bluez}"
    );
    assert!(!no_bluez.contains('\n'), "{no_bluez}");
    room.bus.stop().expect("ended");
    let no_bus = room.why(port, Make::Chessnut);
    assert!(no_bus.contains("install bluez and start it"), "{no_bus}");
    let Some(room) = Room::new(Policy::Nobody, vec![chessnut()]) else { return };
    is(
        &room,
        port,
        Make::Chessnut,
        "Bluetooth is forbidden: add the user to group bluetooth and log in again",
    );
    let finder = Finder::at(Path::new("bluetooth"), wire::KIND);
    let (mut board, _clock) = wire::open_found(finder).expect("a line");
    let told = board.next(PATIENCE).map(|event| format!("{:?}", event.what)).unwrap_or_default();
    assert!(told.contains("a DGT board does not speak Bluetooth LE"), "{told}");
}

#[test]
fn a_board_that_was_lost_comes_back_and_no_other_of_its_name_is_taken_for_it() {
    let second = peripheral(Make::Chessnut, "Chessnut Air", "D0:1E:22:33:44:66");
    let Some(room) = Room::new(Policy::Everybody, vec![chessnut()]) else { return };
    let mut board = room.board("bluetooth", Make::Chessnut);
    until_still(&mut board);
    room.with(|air, now_ms| {
        air.boards[0].is_near(now_ms, false);
        air.boards.push(second.known());
    });
    let told = "lost Chessnut Air by Bluetooth (the line was closed): is it switched on, and near?";
    assert_eq!(lost(&mut board), told);
    // Another was moved on meanwhile; ours is the one that shows this.
    room.with(|air, now_ms| {
        air.boards[1].device.put(Square::D2, None);
        air.boards[0].device.put(Square::E2, None);
        air.boards[0].device.put(Square::E4, Some(Color::White.pawn()));
        air.boards[0].is_near(now_ms, true);
    });
    let (_, picture) = until_still(&mut board);
    let mut wanted = Board::new();
    wanted.discard_piece_at(Square::E2);
    wanted.set_piece_at(Square::E4, Color::White.pawn());
    assert_eq!(picture, Picture::Pieces(wanted));
    assert_eq!(room.connected(), Some(0));
}

#[test]
fn a_board_is_back_after_the_radio_bluez_or_the_bus_was_away() {
    let Some(mut room) = Room::new(Policy::Everybody, vec![chessnut()]) else { return };
    let mut board = room.board("bluetooth", Make::Chessnut);
    let (_, picture) = until_still(&mut board);
    assert!(picture.fits(&Board::new()), "{picture:?}");
    room.with(|air, _| air.adapter = Adapter::Off);
    assert!(lost(&mut board).starts_with("lost Chessnut Air"), "the radio");
    // That it is switched off is news, and to be mended.
    assert!(lost(&mut board).starts_with("Bluetooth is switched off"));
    room.with(|air, _| air.adapter = Adapter::On);
    let (_, picture) = until_still(&mut board);
    assert!(picture.fits(&Board::new()), "{picture:?}");

    let boards = room.bluez.take().expect("it runs").end();
    assert!(lost(&mut board).starts_with("lost Chessnut Air"), "BlueZ");
    room.bluez = Some(Bluez::start(&room.bus.address(), boards).expect("BlueZ"));
    let (_, picture) = until_still(&mut board);
    assert!(picture.fits(&Board::new()), "{picture:?}");

    room.bus.stop().expect("ended");
    assert!(lost(&mut board).starts_with("lost Chessnut Air"), "the bus");
    let boards = room.bluez.take().expect("it runs").end();
    room.bus.start_again().expect("a bus");
    room.bluez = Some(Bluez::start(&room.bus.address(), boards).expect("BlueZ"));
    let (_, picture) = until_still(&mut board);
    assert!(picture.fits(&Board::new()), "{picture:?}");
}

#[test]
fn a_line_that_is_let_go_ends_while_a_board_is_still_searched_for() {
    let Some(room) = Room::new(Policy::Everybody, Vec::new()) else { return };
    let end = room.line("bluetooth", Make::Chessnut);
    until("it searches", || room.with(|air, _| air.is_searching()));
    end.look();
    drop(end);
}
