//! A builder can trust the papers: drawings, netlists, tables and the program's defaults say the
//! same, what is computed holds, and the service is installed as it is described.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

use annabella::config::Config;
use annabella_devices::board::wiring::{ButtonPins, ReaderKind, Wiring};
use shakmaty::Square;

use crate::skip::{skipped, told};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn text(name: &str) -> String {
    let path = root().join("hardware").join(name);
    fs::read_to_string(&path).unwrap_or_else(|err| panic!("{}: {err}", path.display()))
}

fn wiring() -> toml::Table {
    text("wiring.toml").parse().expect("wiring.toml is TOML")
}

fn kinds() -> impl Iterator<Item = ReaderKind> {
    ReaderKind::ALL.iter().map(|&(_, kind)| kind)
}

fn python(folder: &Path, script: &str, options: &[&str]) -> Output {
    Command::new("python3")
        .arg(folder.join("scripts/hardware").join(script))
        .args(options)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .output()
        .expect("python3 runs; install it with: apt-get install python3")
}

fn said(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// A copy of what the generator reads and writes, with one text of wiring.toml changed.
fn changed(from: &str, to: &str) -> tempfile::TempDir {
    let copy = tempfile::tempdir().expect("a folder");
    let folders =
        ["", "/boards", "/drawings", "/parts", "/wiring"].map(|end| format!("hardware{end}"));
    for folder in folders.iter().map(String::as_str).chain(["scripts/hardware"]) {
        fs::create_dir_all(copy.path().join(folder)).expect("a folder");
        for entry in fs::read_dir(root().join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_file() {
                let name = path.file_name().expect("a file");
                fs::copy(&path, copy.path().join(folder).join(name)).expect("copied");
            }
        }
    }
    let path = copy.path().join("hardware/wiring.toml");
    let old = fs::read_to_string(&path).expect("wiring.toml");
    assert!(old.contains(from), "wiring.toml has no {from:?}");
    fs::write(&path, old.replace(from, to)).expect("written");
    copy
}

/// The rows of the table in README.md, cells trimmed.
fn table(name: &str) -> Vec<Vec<String>> {
    let readme = text("README.md");
    let mark = format!("<!-- table: {name} -->\n");
    let (_, rest) = readme.split_once(&mark).unwrap_or_else(|| panic!("no table {name}"));
    let (table, _) = rest.split_once("<!-- end -->").expect("an end");
    let rows = table.lines().skip(2);
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect())
        .collect()
}

/// The squares in the order in which a row of cells names them.
fn squares(cells: &[String]) -> Vec<Option<Square>> {
    cells.iter().flat_map(|cell| cell.split_whitespace()).map(|name| name.parse().ok()).collect()
}

/// Component → pin → net, from a netlist.
type Circuit = BTreeMap<String, BTreeMap<u8, String>>;

fn circuit(kind: ReaderKind) -> Circuit {
    let netlist = text(&format!("wiring/{}.net", kind.as_str()));
    let quoted = |part: &str| part.split('"').nth(1).expect("a quoted word").to_owned();
    let mut found = Circuit::new();
    for net in netlist.split("(net (code ").skip(1) {
        let name = quoted(net.split_once("(name ").expect("a name").1);
        for node in net.split("(node (ref ").skip(1) {
            let pin = quoted(node.split_once("(pin ").expect("a pin").1);
            let pins = found.entry(quoted(node)).or_default();
            pins.insert(pin.parse().expect("a number"), name.clone());
        }
    }
    found
}

/// What is joined to a pin by a resistor of 33 ohm counts as joined.
fn header_net(circuit: &Circuit, pin: u8) -> Option<&str> {
    let net = circuit.get("J1")?.get(&pin)?;
    Some(net.strip_prefix("PI_").unwrap_or(net))
}

fn header_pin(gpio: u8) -> u8 {
    let rows = table("header");
    let name = format!("GPIO{gpio}");
    let row = rows.iter().find(|row| row.contains(&name)).expect("a GPIO of the header");
    let at = row.iter().position(|cell| *cell == name).expect("found above");
    row[at - 1].parse().expect("a pin")
}

/// Pin of each input of a chip, in the order in which the program counts them, as the data sheets
/// number them.
fn input_pins(kind: ReaderKind) -> Vec<u8> {
    match kind {
        ReaderKind::ShiftRegister => vec![11, 12, 13, 14, 3, 4, 5, 6],
        ReaderKind::Expander => (21..=27).chain(1..=7).collect(),
        ReaderKind::ExpanderSpi => (21..=28).chain(1..=8).collect(),
        ReaderKind::Matrix => vec![],
    }
}

#[test]
fn what_is_generated_is_as_wiring_toml_says() {
    let checked = python(&root(), "generate.py", &["--check"]);
    assert!(checked.status.success(), "run `make hardware`: {}", said(&checked));
}

#[test]
fn a_changed_measure_is_not_forgotten_in_a_drawing() {
    let copy = changed("square = 30", "square = 32");
    let checked = python(copy.path(), "generate.py", &["--check"]);
    assert_eq!(checked.status.code(), Some(1));
    assert_eq!(
        said(&checked),
        "not as wiring.toml says, run `make hardware`: drawings/board.svg, drawings/section.svg, \
         parts/measures.scad, check.txt\n"
    );
    assert!(python(copy.path(), "generate.py", &[]).status.success());
    assert!(python(copy.path(), "generate.py", &["--check"]).status.success());
}

#[test]
fn a_circuit_that_would_not_work_is_found_by_the_calculation() {
    for (from, to, line) in [
        // A flat reed right under the magnet never closes.
        ("offset = 7", "offset = 0", "own peg on a raised square, magnet as listed: 0 mT"),
        // Squares so near that neighbours are felt.
        ("square = 30", "square = 15", "worst pegs on all other squares, magnet as listed"),
        ("hz = 4_000_000", "hz = 10_000_000", "bit valid after the clock's edge: 52.3 ns"),
        ("settle_us = 20", "settle_us = 1", "column settles after the row before: 1.68 us"),
        ("peg_length = 11.5", "peg_length = 12.5", "room under the peg: -0.5 mm"),
        // Cables of the printed boards so long that the last strip hears its clock too late.
        ("ribbon_mm = 60", "ribbon_mm = 6000", "clock at the eighth strip after the Pi's edge"),
        // A strip so near that the reeds' glass would touch the floor.
        ("axis_below_floor = 1.5", "axis_below_floor = 1.2", "glass below the floor: 0.1 mm"),
    ] {
        let checked = python(changed(from, to).path(), "check.py", &[]);
        let said = said(&checked);
        assert_eq!(checked.status.code(), Some(1), "{to}: {said}");
        assert!(said.lines().any(|l| l.starts_with("BAD") && l.contains(line)), "{to}: {said}");
    }
}

#[test]
fn the_printed_boards_are_as_wiring_toml_says_and_their_copper_joins_what_it_must() {
    let checked = python(&root(), "kit.py", &["--check"]);
    assert!(checked.status.success(), "run `make hardware`: {}", said(&checked));
    for (from, to, lines) in [
        // The boards were made for another pin: the file is stale, and its copper joins what it
        // must not.
        ("SCLK = 11, MISO = 9", "SCLK = 9, MISO = 11", &["joined", "pi-board.kicad_pcb"][..]),
        ("reed_pitch = 20.32", "reed_pitch = 22.32", &["not joined as wanted", "strip.kicad_pcb"]),
        ("offset = 7", "offset = 6", &["strip.kicad_pcb"]),
        ("clearance = 0.2", "clearance = 0.6", &["mm apart"]),
        ("power = 0.5", "power = 0.8", &["a track of +3V3 is 0.500 mm wide"]),
    ] {
        let checked = python(changed(from, to).path(), "kit.py", &["--check"]);
        let said = said(&checked);
        assert_eq!(checked.status.code(), Some(1), "{to}: {said}");
        assert!(lines.iter().all(|line| said.contains(line)), "{to}: {said}");
    }
}

#[test]
fn boards_that_are_wrong_on_purpose_are_found() {
    let tried = python(&root(), "broken.py", &[]);
    let said = said(&tried);
    assert!(tried.status.success(), "{said}");
    assert!(said.lines().count() >= 17 && said.lines().all(|line| line.starts_with("found  ")));
    for what in ["a track cut", "a strip turned round", "a ribbon missing", "two strips exchanged"]
    {
        assert!(said.contains(&format!("found  {what}\n")), "{said}");
    }
}

#[test]
fn wires_that_cannot_be_are_refused_with_their_place() {
    for (from, to, why) in [
        ("\"a1 b1 c1 d1 e1 f1 g1 h1\"", "\"a1 b1 c1 d1 e1 f1 g1 g1\"", "used twice"),
        ("gpio = 5\n", "gpio = 25\n", "shift-register: LATCH and BTN_TALK are both on GPIO25"),
    ] {
        let checked = python(changed(from, to).path(), "generate.py", &["--check"]);
        assert!(!checked.status.success());
        assert!(said(&checked).contains(why), "{}", said(&checked));
    }
}

#[test]
fn what_is_missing_is_skipped_aloud_and_in_ci_fails_unless_its_reason_is_known() {
    let line = Ok("skipped: browser: Node.js missing\n".to_owned());
    assert_eq!(told(false, "", "browser", "Node.js missing"), line);
    assert_eq!(told(true, "kernel browser", "browser", "Node.js missing"), line);
    assert_eq!(
        told(true, "kernel browsers", "browser", "Node.js missing"),
        Err("browser is missing, and nothing is skipped here: Node.js missing".to_owned())
    );
}

#[test]
fn ngspice_comes_to_the_same_where_it_is_installed() {
    let checked = python(&root(), "check.py", &["--spice"]);
    assert!(checked.status.success(), "{}", said(&checked));
    if said(&checked).contains("ngspice is not installed") {
        skipped("ngspice", "it is not installed (scripts/setup.sh test)");
    }
}

#[test]
fn the_program_reads_each_square_where_the_tables_say() {
    for kind in kinds() {
        let default = Wiring::default_for(kind);
        let rows = table(&format!("squares-{}", kind.as_str()));
        let mut listed: Vec<Option<Square>> = match kind {
            ReaderKind::ShiftRegister => rows.iter().flat_map(|row| squares(&row[1..])).collect(),
            ReaderKind::Expander | ReaderKind::ExpanderSpi => {
                rows.iter().flat_map(|row| squares(&row[3..])).collect()
            }
            ReaderKind::Matrix => {
                let names = rows.iter().flat_map(|rank| {
                    rows.iter().map(|file| format!("{}{}", file[3], rank[0]).parse().ok())
                });
                names.collect()
            }
        };
        listed.resize(kind.inputs(), None);
        let read: Vec<_> = (0..kind.inputs()).map(|input| default.square(input)).collect();
        assert_eq!(listed, read, "{}", kind.as_str());
    }
}

#[test]
fn the_program_uses_the_pins_that_the_tables_name() {
    for kind in kinds() {
        let rows = table(&format!("signals-{}", kind.as_str()));
        let listed: BTreeMap<u8, String> =
            rows.iter().map(|row| (row[1].parse().expect("a GPIO"), row[0].clone())).collect();
        let used = Wiring::default_for(kind).pins().into_iter().map(|(gpio, name)| {
            let line = match name.split_once(' ') {
                Some(("row", n)) => format!("ROW{n}"),
                Some((_, file)) => format!("COL_{}", file.to_uppercase()),
                None => name,
            };
            (gpio, line)
        });
        assert_eq!(listed, used.collect(), "{}", kind.as_str());
        for row in rows {
            let gpio = row[1].parse().expect("a GPIO");
            assert_eq!(row[2], header_pin(gpio).to_string(), "{}: {row:?}", kind.as_str());
        }
    }
}

#[test]
fn the_matrix_has_the_rows_and_columns_of_the_program() {
    let default = Wiring::default_for(ReaderKind::Matrix);
    let rows = table("squares-matrix");
    let numbers = |at: usize| -> Vec<u8> {
        rows.iter().map(|row| row[at].parse().expect("a number")).collect()
    };
    assert_eq!((numbers(1), numbers(4)), (default.rows.to_vec(), default.columns.to_vec()));
    let pins = |gpios: &[u8]| gpios.iter().copied().map(header_pin).collect::<Vec<_>>();
    assert_eq!((numbers(2), numbers(5)), (pins(&default.rows), pins(&default.columns)));
    let settle = wiring()["matrix"]["settle_us"].as_integer();
    assert_eq!(settle, Some(i64::from(default.settle_us)));
}

#[test]
fn the_expanders_have_the_addresses_of_the_program() {
    for kind in [ReaderKind::Expander, ReaderKind::ExpanderSpi] {
        let rows = table(&format!("squares-{}", kind.as_str()));
        let listed: Vec<String> = rows.iter().map(|row| row[1].clone()).collect();
        let default = Wiring::default_for(kind).addresses;
        let wanted: Vec<String> = default.iter().map(|address| format!("{address:#04x}")).collect();
        assert_eq!(listed, wanted);
        // And the address pins are strapped so.
        let circuit = circuit(kind);
        for (n, address) in default.iter().enumerate() {
            let chip = &circuit[&format!("U{}", n + 1)];
            for (bit, pin) in (15..=17).enumerate() {
                let wanted = if address >> bit & 1 == 1 { "+3V3" } else { "GND" };
                assert_eq!(chip[&pin], wanted, "{} U{} A{bit}", kind.as_str(), n + 1);
            }
        }
    }
}

#[test]
fn the_buttons_are_on_the_pins_of_the_program() {
    let rows = table("buttons");
    let listed: Vec<(String, String)> =
        rows.iter().map(|row| (row[0].clone(), row[2].clone())).collect();
    let used: Vec<(String, String)> = ButtonPins::default()
        .pins()
        .into_iter()
        .map(|(gpio, name)| (name.replace("[buttons] ", ""), gpio.to_string()))
        .collect();
    assert_eq!(listed, used);
    for kind in kinds() {
        let circuit = circuit(kind);
        for row in &rows {
            let pin = header_pin(row[2].parse().expect("a GPIO"));
            assert_eq!(row[3], pin.to_string());
            let net = format!("BTN_{}", row[0].to_uppercase());
            assert_eq!(header_net(&circuit, pin), Some(net.as_str()), "{}", kind.as_str());
        }
    }
}

#[test]
fn in_the_netlists_every_reed_reaches_the_input_that_the_program_reads() {
    for kind in kinds() {
        let default = Wiring::default_for(kind);
        let circuit = circuit(kind);
        let pins = input_pins(kind);
        for square in Square::ALL {
            let reed = &circuit[&format!("S{}", u32::from(square) + 1)];
            let input = default.input(square).expect("every square has one");
            if kind == ReaderKind::Matrix {
                let diode = &circuit[&format!("D{}", u32::from(square) + 1)];
                let (row, column) = (default.rows[input / 8], default.columns[input % 8]);
                assert_eq!(reed[&2], diode[&2], "{square}: the reed is at the anode");
                assert_eq!(Some(diode[&1].as_str()), header_net(&circuit, header_pin(row)));
                assert_eq!(Some(reed[&1].as_str()), header_net(&circuit, header_pin(column)));
            } else {
                let chip = &circuit[&format!("U{}", input / pins.len() + 1)];
                assert_eq!(reed[&1], chip[&pins[input % pins.len()]], "{} {square}", kind.as_str());
                assert_eq!(reed[&2], "GND");
            }
        }
    }
}

#[test]
fn in_the_netlists_the_lines_of_the_bus_reach_every_chip() {
    // Pins of the 74HC165, MCP23017 and MCP23S17, as their data sheets number them.
    let buses: [(ReaderKind, &[(u8, &str)]); 3] = [
        (
            ReaderKind::ShiftRegister,
            &[(1, "LATCH"), (2, "SCLK"), (8, "GND"), (15, "GND"), (16, "+3V3")],
        ),
        (ReaderKind::Expander, &[(9, "+3V3"), (10, "GND"), (12, "SCL"), (13, "SDA"), (18, "+3V3")]),
        (
            ReaderKind::ExpanderSpi,
            &[(9, "+3V3"), (10, "GND"), (11, "CS"), (12, "SCLK"), (13, "MOSI"), (14, "MISO")],
        ),
    ];
    for (kind, bus) in buses {
        let circuit = circuit(kind);
        let chips: Vec<_> = circuit.keys().filter(|name| name.starts_with('U')).collect();
        for name in &chips {
            for (pin, net) in bus {
                assert_eq!(circuit[*name][pin], *net, "{} {name} pin {pin}", kind.as_str());
            }
        }
        for (gpio, line) in Wiring::default_for(kind).pins() {
            assert_eq!(header_net(&circuit, header_pin(gpio)), Some(line.as_str()));
        }
    }
    // The chain: out of each chip into the one before it; the last one's input at ground, which is
    // the level of a closed reed.
    let chain = circuit(ReaderKind::ShiftRegister);
    assert_eq!(chain["U1"][&9], "MISO");
    for n in 1..8 {
        assert_eq!(chain[&format!("U{n}")][&10], chain[&format!("U{}", n + 1)][&9]);
    }
    assert_eq!(chain["U8"][&10], "GND");
}

#[test]
fn pins_that_are_outputs_only_stay_free() {
    let circuit = circuit(ReaderKind::Expander);
    for n in 1..=5 {
        let chip = &circuit[&format!("U{n}")];
        assert!(!chip.contains_key(&28), "GPA7 of U{n}");
        assert!(!chip.contains_key(&8), "GPB7 of U{n}");
    }
}

#[test]
fn five_volts_reach_nothing_but_the_header() {
    for kind in kinds() {
        for (component, pins) in circuit(kind) {
            let fed = pins.values().any(|net| net == "+5V");
            assert_eq!(fed, component == "J1", "{}: {component}", kind.as_str());
        }
    }
}

#[test]
fn netlists_are_whole() {
    for kind in kinds() {
        let netlist = text(&format!("wiring/{}.net", kind.as_str()));
        let mut depth = 0;
        let mut in_text = false;
        for letter in netlist.trim_end().chars() {
            match letter {
                '"' => in_text = !in_text,
                '(' if !in_text => depth += 1,
                ')' if !in_text => depth -= 1,
                _ => {}
            }
            assert!(depth > 0 || letter == ')', "{}: closed too early", kind.as_str());
        }
        assert_eq!(depth, 0, "{}", kind.as_str());
        let components = netlist.matches("(comp (ref").count();
        assert_eq!(components, circuit(kind).len(), "{}: a part without a net", kind.as_str());
    }
}

#[test]
fn rates_and_times_are_those_of_the_program() {
    let wiring = wiring();
    let checked = text("check.txt");
    let heads = ["Shift registers", "MCP23017", "MCP23S17", "Matrix"];
    for (kind, head) in kinds().zip(heads) {
        let default = Wiring::default_for(kind);
        assert_eq!(wiring["scan_hz"].as_integer(), Some(i64::from(default.scan_hz)));
        let hz = match kind {
            ReaderKind::Matrix => None,
            ReaderKind::Expander => Some(default.i2c_hz),
            ReaderKind::ShiftRegister | ReaderKind::ExpanderSpi => Some(default.spi_hz),
        };
        let listed = wiring[kind.as_str()].get("hz").and_then(toml::Value::as_integer);
        assert_eq!(listed, hz.map(i64::from), "{}", kind.as_str());
        let part = checked.split("\n\n").find(|part| part.starts_with(head)).expect("a part");
        let line = format!("one read: {:.0} us", default.wire_us());
        assert!(part.contains(&line), "{}: no '{line}' in\n{part}", kind.as_str());
    }
    assert!(text("config.txt").contains("\ndtparam=i2c_arm_baudrate=400000\n"));
}

#[test]
fn every_part_of_a_circuit_is_bought() {
    let csv = text("parts.csv");
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    for kind in kinds() {
        let column = head.iter().position(|name| *name == kind.as_str()).expect("a column");
        // From the right: the names at the left may have commas.
        let from_right = head.len() - column;
        let bought: BTreeMap<&str, usize> = csv
            .lines()
            .skip(1)
            .map(|line| {
                let cells: Vec<&str> = line.split(',').collect();
                (cells[0], cells[cells.len() - from_right].parse().expect("a number"))
            })
            .collect();
        let circuit = circuit(kind);
        let count = |first: &str| circuit.keys().filter(|name| is_ref(name, first)).count();
        assert!(bought["reed"] >= count("S") && count("S") == 64);
        assert!(bought["button"] >= count("SW"));
        assert!(bought["diode"] >= count("D"));
        assert!(bought["network"] >= count("RN"));
        let chips = bought["74HC165"] + bought["MCP23017"] + bought["MCP23S17"];
        assert!(chips >= count("U"));
        let resistors = bought["resistor-10k"] + bought["resistor-33"];
        assert!(resistors >= count("R"));
        assert!(bought["capacitor"] + bought["capacitor-10u"] >= count("C"));
        assert!(bought["magnet"] >= 34);
    }
}

/// Whether `U12` is a `U`: the letters, then a number.
fn is_ref(name: &str, letters: &str) -> bool {
    name.strip_prefix(letters).is_some_and(|rest| rest.parse::<u8>().is_ok())
}

#[test]
fn the_board_meets_appendix_d_1() {
    let wiring = wiring();
    let size = |key: &str| {
        let value = &wiring["board"][key];
        value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64)).expect("a number")
    };
    // D.1.1: at least 20 by 20 centimetres.
    assert!(8.0 * size("square") >= 200.0);
    // D.1.2: black squares slightly raised.
    assert!((1.0..=3.0).contains(&size("raised")));
    // D.1.3, D.1.4.1: an aperture in each square, which the peg fits and is held by.
    assert!(size("hole") > size("peg") && size("hole") - size("peg") < 1.0);
    assert!(size("peg_length") - size("raised") > 8.0);
    assert!(size("peg_length") < size("top"));
    let board = text("drawings/board.svg");
    let holes = format!("r=\"{}\"", size("hole") * 2.4 / 2.0);
    // One in the legend.
    assert_eq!(board.matches(&holes).count(), 64 + 1);
    let articles: BTreeSet<String> = text("README.md")
        .lines()
        .filter(|line| line.starts_with("| D.1"))
        .filter_map(|line| Some(line.split('|').nth(1)?.trim().to_owned()))
        .collect();
    let all = ["D.1", "D.1.1", "D.1.2", "D.1.3", "D.1.4.1", "D.1.4.2"];
    assert_eq!(articles, all.map(str::to_owned).into());
}

#[test]
fn every_drawing_says_in_words_what_it_shows() {
    let mut drawings = 0;
    for folder in ["drawings", "wiring"] {
        for entry in fs::read_dir(root().join("hardware").join(folder)).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.extension().is_none_or(|end| end != "svg") {
                continue;
            }
            drawings += 1;
            let svg = fs::read_to_string(&path).expect("a drawing");
            let part = |tag: &str| {
                let (_, rest) = svg.split_once(&format!("<{tag} id=\"{tag}\">"))?;
                rest.split_once(&format!("</{tag}>")).map(|(inner, _)| inner.len())
            };
            assert!(part("title") > Some(10), "{}", path.display());
            assert!(part("desc") > Some(80), "{}", path.display());
            assert!(svg.contains("role=\"img\" aria-labelledby=\"title desc\""));
        }
    }
    assert_eq!(drawings, 11);
}

#[test]
fn no_table_stands_without_a_sentence_before_it() {
    let readme = text("README.md");
    let lines: Vec<&str> = readme.lines().collect();
    for (n, line) in lines.iter().enumerate() {
        let begins = line.starts_with('|') && !lines[n - 1].starts_with('|');
        if !begins {
            continue;
        }
        let before =
            lines[..n].iter().rev().find(|line| !line.is_empty() && !line.starts_with("<!"));
        let before = before.expect("something before a table");
        assert!(
            before.ends_with(['.', ':']) && !before.starts_with('#'),
            "before {line}: {before}"
        );
    }
}

#[test]
fn the_configurations_that_the_papers_give_are_taken() {
    let readme = text("README.md");
    let blocks: Vec<&str> = readme
        .split("```toml\n")
        .skip(1)
        .map(|rest| rest.split_once("```").expect("an end").0)
        .collect();
    for block in &blocks {
        Config::parse(block, "README.md").unwrap_or_else(|err| panic!("{err} in\n{block}"));
    }
    let kinds = blocks.iter().filter(|block| block.contains("[board]")).map(|block| {
        let config = Config::parse(block, "README.md").expect("taken above");
        format!("{:?} {:?}", config.board.kind, config.board.bus)
    });
    let all = ["ShiftRegister I2c", "Expander I2c", "Expander Spi", "Matrix I2c"];
    assert_eq!(kinds.collect::<Vec<_>>(), all);
}

#[test]
fn the_service_is_shut_in() {
    let unit = text("annabella.service");
    for line in [
        "Type=notify",
        "WatchdogSec=15",
        "Restart=always",
        "User=annabella",
        "DevicePolicy=closed",
        "IPAddressDeny=any",
        "NoNewPrivileges=yes",
        "ProtectSystem=strict",
        "CapabilityBoundingSet=",
        "LogRateLimitBurst=200",
    ] {
        assert!(unit.lines().any(|there| there == line), "{line}");
    }
    let rated = Command::new("systemd-analyze")
        .args(["security", "--offline=true", "--threshold=25"])
        .arg(root().join("hardware/annabella.service"))
        .output();
    match rated {
        // 25 is an exposure of 2.5.
        Ok(rated) => {
            let rated_text = String::from_utf8_lossy(&rated.stdout).into_owned();
            assert!(rated.status.success(), "{rated_text}");
            // Whatever it calls exposed has its reason in the unit.
            for line in rated_text.lines().filter(|line| line.starts_with('✗')) {
                let name = line.split_whitespace().nth(1).expect("a name");
                let name = name.split('=').next().expect("a name");
                assert!(reasons(&unit).contains(name), "{name} is exposed, and no line says why");
            }
        }
        Err(err) => skipped("systemd-analyze", &format!("{err} (scripts/setup.sh test)")),
    }
}

/// The comments of the unit that give reasons.
fn reasons(unit: &str) -> String {
    unit.lines().filter(|line| line.starts_with("# Exposed (")).collect()
}

fn system(folder: &Path, what: &str) -> Output {
    Command::new(root().join("scripts/hardware-system.sh"))
        .arg(what)
        .env("PREFIX", "/usr")
        .env("DESTDIR", folder)
        .output()
        .expect("bash runs")
}

#[test]
fn an_upgrade_keeps_the_configuration_and_so_does_taking_it_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let there = |name: &str| folder.path().join(name);
    let installed = system(folder.path(), "install");
    assert!(installed.status.success(), "{}", said(&installed));
    let unit = there("usr/lib/systemd/system/annabella.service");
    let shown = fs::read_to_string(&unit).expect("the unit");
    assert!(shown.contains("ExecStart=/usr/bin/annabella play --config"), "{shown}");
    let rest = [
        "usr/lib/udev/rules.d/60-annabella.rules",
        "usr/lib/sysusers.d/annabella.conf",
        "etc/systemd/journald@annabella.conf",
    ];
    for name in rest {
        assert!(there(name).is_file(), "{name}");
    }
    let config = there("var/lib/annabella/annabella.toml");
    Config::load(&config).expect("a configuration that the program takes");
    fs::write(&config, "[game]\nblind = \"black\"\n").expect("written");
    fs::write(&unit, "old").expect("written");
    assert!(system(folder.path(), "install").status.success());
    assert_eq!(fs::read_to_string(&unit).expect("the unit"), shown);
    assert!(fs::read_to_string(&config).expect("the configuration").contains("black"));
    assert!(system(folder.path(), "uninstall").status.success());
    for name in rest {
        assert!(!there(name).exists(), "{name}");
    }
    assert!(!unit.exists() && config.exists());
}
