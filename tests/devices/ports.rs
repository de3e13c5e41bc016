//! At which port a board is looked for.

use std::{fs, path::Path};

use annabella_devices::serial::{ANY, CHESSNUT_USB, DGT_USB, Kind, SERIAL_FILES};

use crate::machine::Machine;

const KIND: Kind = Kind {
    name: "board",
    baud: Some(9600),
    files: SERIAL_FILES,
    usb: &[],
    only_there: false,
    radio: None,
};

#[test]
fn a_board_that_comes_back_under_another_name_is_found_by_its_usb_device() {
    let machine = Machine::new();
    machine.plug("ttyUSB0", ["10c4", "ea60", "0001"]);
    let named = machine.port("ttyUSB0");
    let mut finder = machine.finder(&named, KIND);
    assert_eq!((finder.next_port(), finder.next_port()), (Some(named.clone()), None));
    finder.answers(&named);
    machine.unplug("ttyUSB0");
    assert_eq!(
        finder.candidates(),
        std::slice::from_ref(&named),
        "missing is said of the port that is named"
    );
    // Another device takes the name.
    machine.plug("ttyUSB0", ["0403", "6001", "A7"]);
    machine.plug("ttyUSB1", ["10c4", "ea60", "0001"]);
    machine.plug("ttyUSB2", ["0403", "6015", "braille"]);
    assert_eq!(finder.candidates(), [machine.port("ttyUSB1"), named.clone()]);
    assert_eq!(finder.next_port(), None, "a round ends where a board was lost");
    assert_eq!(finder.next_port(), Some(machine.port("ttyUSB1")));
    // Back in its place.
    machine.unplug("ttyUSB1");
    machine.unplug("ttyUSB0");
    machine.plug("ttyUSB0", ["10c4", "ea60", "0001"]);
    assert_eq!(finder.candidates(), std::slice::from_ref(&named));
    // A spare one beside it.
    machine.plug("ttyUSB1", ["10c4", "ea60", "0002"]);
    assert_eq!(finder.candidates(), [named, machine.port("ttyUSB1")]);
}

#[test]
fn any_port_is_tried_in_rounds_the_likeliest_first() {
    let machine = Machine::new();
    let mut finder = machine.finder(Path::new(ANY), KIND);
    assert_eq!(finder.next_port(), None, "nothing is plugged in");
    machine.plug("ttyUSB10", ["0403", "6001", "A1"]);
    machine.plug("ttyUSB2", ["0403", "6001", "A2"]);
    machine.plug("ttyACM0", ["045b", "8111", "D"]);
    machine.plug("ttyS0", ["0000", "0000", ""]);
    fs::write(machine.port("rfcomm0"), "").expect("written");
    let ports = |names: &[&str]| names.iter().map(|n| machine.port(n)).collect::<Vec<_>>();
    assert_eq!(finder.candidates(), ports(&["ttyUSB2", "ttyUSB10", "rfcomm0"]));
    let kind = Kind { usb: &[DGT_USB], ..KIND };
    let dgt = machine.finder(Path::new(""), kind);
    assert_eq!(dgt.candidates(), ports(&["ttyACM0", "ttyUSB2", "ttyUSB10", "rfcomm0"]));
    // One that is named but not there: its maker's own ports alone are tried beside it.
    let gone = machine.finder(&machine.port("ttyACM1"), kind);
    assert_eq!(gone.candidates(), ports(&["ttyACM1", "ttyACM0"]));
    // Once it has answered no stranger is asked any more.
    finder.answers(&machine.port("rfcomm0"));
    assert_eq!(finder.candidates(), ports(&["rfcomm0"]));
    finder.answers(&machine.port("ttyUSB10"));
    assert_eq!(finder.candidates(), ports(&["ttyUSB10", "ttyUSB2"]));
    machine.unplug("ttyUSB10");
    machine.plug("ttyUSB3", ["0403", "6001", "A1"]);
    assert_eq!(finder.candidates(), ports(&["ttyUSB3", "ttyUSB2"]));
}

#[test]
fn radio_is_used_only_where_the_port_says_so_and_a_cable_is_tried_beside_it() {
    let machine = Machine::new();
    let make = annabella_devices::pieces::Make::Chessnut;
    let by_bluetooth = |port: &Path| port.starts_with("bluetooth");
    let any = machine.finder(Path::new(ANY), make.kind());
    assert!(!any.candidates().iter().any(|port| by_bluetooth(port)));
    let port = Path::new("bluetooth");
    let finder = machine.finder(port, make.kind());
    assert_eq!(finder.candidates(), [port]);
    machine.plug("hidraw3", ["2d80", "8002", ""]);
    assert_eq!(finder.candidates(), [port.to_owned(), machine.port("hidraw3")]);
}

#[test]
fn a_board_with_numbers_of_its_own_alone_is_looked_for_nowhere_else() {
    let machine = Machine::new();
    machine.plug("hidraw0", ["046d", "c31c", ""]);
    machine.plug("hidraw3", ["2d80", "8002", ""]);
    let kind =
        Kind { baud: None, files: &["hidraw"], usb: &[CHESSNUT_USB], only_there: true, ..KIND };
    let finder = machine.finder(Path::new(ANY), kind);
    assert_eq!(finder.candidates(), [machine.port("hidraw3")]);
}
