//! The guided self-test, with a builder who has one peg and cannot see.

use std::sync::LazyLock;

use annabella_core::setup::TestStep;
use annabella_devices::board::{
    selftest::{BoardFault, Diagnosis, SelfTest, TestLine},
    sim::{Bench, StripFaults},
    wiring::{BitOrder, Orientation, ReaderKind, Wires, Wiring},
};
use annabella_words::phrase::{Prompt, Words};
use proptest::prelude::*;
use shakmaty::{Bitboard, Square};

static WORDS: LazyLock<Words> = LazyLock::new(|| Words::builtin("fide", "de").expect("there"));

/// Does what he is told, and hears what is said.
fn builds(bench: &Bench, believed: &Wiring) -> (Vec<String>, Diagnosis) {
    tests(bench, believed, None)
}

/// The same of one strip.
fn tests(bench: &Bench, believed: &Wiring, strip: Option<u8>) -> (Vec<String>, Diagnosis) {
    let mut open = believed.clone();
    open.chain_check = false;
    let mut reader = bench.reader(open);
    let mut now_ms = 0;
    let (mut test, mut lines) = SelfTest::begin(believed.clone(), strip, now_ms);
    bench.set(Bitboard::from(Square::E5));
    let mut heard = Vec::new();
    loop {
        for line in lines.drain(..) {
            heard.push(line.words(&WORDS).to_string());
            match line {
                TestLine::Plain(Prompt::TestTakeAll)
                | TestLine::Strip(Prompt::TestStripClear, _) => bench.set(Bitboard::EMPTY),
                TestLine::Square(Prompt::TestPut | Prompt::TestNothing, square) => {
                    // The peg leaves its hole before it enters the next.
                    bench.set(Bitboard::EMPTY);
                    now_ms += 50;
                    assert_eq!(test.reading(now_ms, reader.levels().expect("good wires")), []);
                    bench.set(Bitboard::from(square));
                }
                _ => {}
            }
        }
        if let Some(diagnosis) = test.diagnosis() {
            return (heard, diagnosis);
        }
        now_ms += 50;
        lines = test.reading(now_ms, reader.levels().expect("good wires"));
        assert!(now_ms < 3_600_000, "it never ends: {heard:?}");
    }
}

fn default() -> Wiring {
    Wiring::default_for(ReaderKind::ShiftRegister)
}

#[test]
fn a_good_board_is_tested_in_68_sentences() {
    let (heard, diagnosis) = builds(&Bench::new(default()), &default());
    assert_eq!(
        heard[..4],
        [
            "Entferne alle Figuren vom Brett.",
            "Setz eine Figur der Reihe nach auf jedes Feld, das ich nenne.",
            "Anna eins.",
            "Bella eins.",
        ]
    );
    assert_eq!(
        heard[64..],
        [
            "Gustav acht.",
            "Hector acht.",
            "Entferne alle Figuren vom Brett.",
            "Alle vierundsechzig Felder in Ordnung."
        ]
    );
    assert_eq!(heard.len(), 68);
    assert_eq!(diagnosis, Diagnosis::default());
}

/// What is said after the pegs are off again.
fn verdict(heard: &[String]) -> &[String] {
    let last = heard.iter().rposition(|line| line == "Entferne alle Figuren vom Brett.");
    &heard[last.expect("asked") + 1..]
}

#[test]
fn a_dead_reed_is_asked_for_three_times_and_named() {
    let bench = Bench::new(default());
    bench.kill(Bitboard::from(Square::E4));
    let (heard, diagnosis) = builds(&bench, &default());
    let at = heard.iter().position(|line| line == "Eva vier.").expect("asked");
    assert_eq!(
        heard[at + 1..at + 5],
        [
            "Eva vier: nichts erkannt. Noch einmal.",
            "Eva vier: nichts erkannt. Noch einmal.",
            "Sensor Eva vier ausgefallen.",
            "Felix vier.",
        ]
    );
    assert_eq!(verdict(&heard), ["Sensor Eva vier ausgefallen.", "Zu prüfen: Streifen vier."]);
    assert_eq!(diagnosis.findings, [BoardFault::Dead(Square::E4)]);
    assert!(diagnosis.is_broken() && diagnosis.wiring.is_none());
}

#[test]
fn a_stuck_reed_is_named_and_the_others_are_tested_all_the_same() {
    let bench = Bench::new(default());
    bench.stick(Bitboard::from(Square::B7));
    let (heard, diagnosis) = builds(&bench, &default());
    assert_eq!(heard[..3], ["Entferne alle Figuren vom Brett."; 3]);
    assert_eq!(verdict(&heard), ["Sensor Bella sieben klemmt.", "Zu prüfen: Streifen sieben."]);
    assert_eq!(diagnosis.findings, [BoardFault::Stuck(Square::B7)]);
}

#[test]
fn a_magnet_that_reaches_the_neighbour_is_named() {
    let bench = Bench::new(default());
    bench.couple(Square::D4, Square::E4);
    bench.couple(Square::D4, Square::D5);
    let (heard, diagnosis) = builds(&bench, &default());
    assert_eq!(
        verdict(&heard),
        [
            "Figur auf David vier meldet auch Eva vier, David fünf.",
            "Zu prüfen: Streifen vier, fünf."
        ]
    );
    assert_eq!(diagnosis.findings, [BoardFault::Cross(Square::D4, vec![Square::E4, Square::D5])]);
}

#[test]
fn two_wires_that_were_swapped_are_named_and_the_map_is_right_again() {
    let mut map = ReaderKind::ShiftRegister.map();
    map.swap(0, 63);
    let wires = Wires { map: Some(map), ..Wires::default() };
    let wired = Wiring::new(ReaderKind::ShiftRegister, &wires).expect("right");
    let (heard, diagnosis) = builds(&Bench::new(wired.clone()), &default());
    assert_eq!(verdict(&heard), ["Anna eins und Hector acht sind vertauscht."]);
    assert_eq!(diagnosis.wiring, Some(wired));
    assert!(!diagnosis.findings.is_empty());
}

#[test]
fn a_board_that_lies_the_wrong_way_and_a_wrong_bit_order_are_told_in_one_sentence_each() {
    for kind in ReaderKind::ALL.iter().map(|(_, kind)| *kind) {
        let wires = Wires {
            orientation: Orientation::Around,
            bit_order: BitOrder::Reversed,
            ..Wires::default()
        };
        let wired = Wiring::new(kind, &wires).expect("right");
        let (heard, diagnosis) = builds(&Bench::new(wired.clone()), &Wiring::default_for(kind));
        assert_eq!(
            verdict(&heard),
            [
                "Das Brett ist gedreht: hundertachtzig Grad.",
                "Die Anschlüsse sind in umgekehrter Reihenfolge."
            ]
        );
        assert_eq!(diagnosis.wiring, Some(wired));
        assert!(!diagnosis.is_broken());
    }
}

#[test]
fn the_builder_can_have_it_said_again_go_back_and_go_on() {
    let (mut test, _) = SelfTest::begin(default(), None, 0);
    let say = |lines: Vec<TestLine>| -> Vec<String> {
        lines.iter().map(|line| line.words(&WORDS).to_string()).collect()
    };
    let empty = default().levels(Bitboard::EMPTY);
    assert_eq!(say(test.answer(10, TestStep::Repeat)), ["Entferne alle Figuren vom Brett."]);
    assert_eq!(say(test.answer(10, TestStep::Back)), ["Entferne alle Figuren vom Brett."]);
    assert_eq!(say(test.reading(100, empty)), Vec::<String>::new());
    assert_eq!(say(test.reading(400, empty)).last().map(String::as_str), Some("Anna eins."));
    assert_eq!(say(test.answer(450, TestStep::Next)), ["Anna eins: nichts erkannt. Noch einmal."]);
    assert_eq!(
        say(test.answer(500, TestStep::Next)),
        ["Sensor Anna eins ausgefallen.", "Bella eins."]
    );
    assert_eq!(say(test.answer(600, TestStep::Back)), ["Anna eins."]);
    let peg = default().levels(Bitboard::from(Square::A1));
    assert_eq!(say(test.reading(800, peg)), Vec::<String>::new());
    assert_eq!(say(test.reading(900, peg)), Vec::<String>::new());
    assert_eq!(say(test.reading(1000, peg)), ["Bella eins."]);
    assert_eq!(test.diagnosis(), None);
}

/// Whoever presses Enter with each peg, at once or a moment later, has no reed called dead.
#[test]
fn going_on_with_the_peg_in_its_hole_calls_no_reed_dead() {
    let at = |square| default().levels(Bitboard::from(square));
    let empty = default().levels(Bitboard::EMPTY);
    for early in [true, false] {
        let (mut test, _) = SelfTest::begin(default(), None, 0);
        assert_eq!(test.reading(0, empty), []);
        let mut now_ms = 200;
        let mut lines = test.reading(now_ms, empty);
        for square in Square::ALL {
            assert_eq!(lines.last(), Some(&TestLine::Square(Prompt::TestPut, square)));
            now_ms += 50;
            assert_eq!(test.reading(now_ms, at(square)), []);
            if early {
                assert_eq!(test.answer(now_ms, TestStep::Next), []);
            }
            now_ms += 150;
            lines = test.reading(now_ms, at(square));
            if !early && square != Square::H8 {
                let next = Square::ALL[square as usize + 1];
                let once_more = [TestLine::Square(Prompt::TestNothing, next)];
                assert_eq!(test.answer(now_ms, TestStep::Next), once_more);
            }
            now_ms += 50;
            assert_eq!(test.reading(now_ms, empty), []);
        }
        test.reading(now_ms + 200, empty);
        assert_eq!(test.diagnosis(), Some(Diagnosis::default()));
    }
}

/// A board of the kit with these faults.
fn kit(faults: &str) -> Bench {
    StripFaults::parse(faults).expect("faults").bench(&default())
}

/// What is said at the end of the whole board's test.
fn said_of(faults: &str) -> Vec<String> {
    verdict(&builds(&kit(faults), &default()).0).to_vec()
}

#[test]
fn what_is_wrong_is_told_by_strip() {
    assert_eq!(said_of("swapped=2-3"), ["Vertauschte Streifen: zwei, drei."]);
    let around = "swapped=2-3,swapped=3-4,turned=6";
    assert_eq!(
        said_of(around),
        ["Vertauschte Streifen: zwei, drei, vier.", "Streifen sechs ist umgedreht."]
    );
    assert_eq!(
        said_of("open=c5,bridge=d6-e6"),
        [
            "Sensor Cesar fünf ausgefallen.",
            "Brücke zwischen David sechs und Eva sechs.",
            "Zu prüfen: Streifen fünf, sechs."
        ]
    );
    assert_eq!(
        said_of("cut=7,open=c5"),
        [
            "Ab Streifen sieben kommt nichts an. Prüf das Kabel davor.",
            "Sensor Cesar fünf ausgefallen.",
            "Zu prüfen: Streifen fünf."
        ]
    );
    assert_eq!(said_of("silent=4"), ["Streifen vier meldet nichts. Prüf seine Stecker."]);
    let cut = ["Ab Streifen sieben kommt nichts an. Prüf das Kabel davor."];
    assert_eq!(said_of("silent=7,silent=8"), cut);
}

#[test]
fn strips_that_do_not_answer_are_not_asked_for_hole_by_hole() {
    let (heard, _) = builds(&kit("cut=2"), &default());
    assert_eq!(heard.iter().filter(|line| line.ends_with(" zwei.")).count(), 0, "{heard:?}");
    // A line that floats reads like open reeds: three holes of each strip are tried.
    let bench = kit("");
    bench.unplug(Some(1));
    let (heard, diagnosis) = builds(&bench, &default());
    assert_eq!(heard.iter().filter(|line| *line == "Cesar zwei.").count(), 1);
    assert_eq!(heard.iter().filter(|line| *line == "David zwei.").count(), 0);
    assert_eq!(diagnosis.findings, [BoardFault::Missing(2)]);
}

/// All that is heard in the test of one strip.
fn strip(strip: u8, faults: &str) -> Vec<String> {
    tests(&kit(faults), &default(), Some(strip)).0
}

#[test]
fn a_strip_is_tested_as_it_is_soldered() {
    let good = [
        "Streifen eins: nimm alle Magneten weg.",
        "Stell einen Magneten auf jedes Feld, das ich nenne.",
        "Anna eins.",
        "Bella eins.",
        "Cesar eins.",
        "David eins.",
        "Eva eins.",
        "Felix eins.",
        "Gustav eins.",
        "Hector eins.",
        "Streifen eins: nimm alle Magneten weg.",
        "Streifen eins in Ordnung.",
    ];
    // Those behind it may be missing, and what is wrong in other strips is not its fault.
    for faults in ["", "cut=2", "open=c5,turned=4"] {
        assert_eq!(strip(1, faults), good, "{faults}");
    }
    // The fourth, alone on the Pi's cable.
    let alone = strip(4, "swapped=1-4,cut=2");
    assert_eq!(alone.first(), Some(&"Streifen vier: nimm alle Magneten weg.".to_owned()));
    assert_eq!(alone.last(), Some(&"Streifen vier in Ordnung.".to_owned()));
}

#[test]
fn a_strip_that_is_wrong_is_told_so() {
    let last = |number, faults| strip(number, faults).pop().expect("a verdict");
    assert_eq!(last(2, "cut=3,open=c2"), "Sensor Cesar zwei ausgefallen.");
    assert_eq!(last(2, "cut=3,stuck=c2"), "Sensor Cesar zwei klemmt.");
    assert_eq!(last(2, "cut=3,bridge=d2-e2"), "Brücke zwischen David zwei und Eva zwei.");
    assert_eq!(last(2, "cut=3,turned=2"), "Streifen zwei ist umgedreht.");
    assert_eq!(last(1, "turned=1,cut=2"), "Streifen eins ist umgedreht.");
    let missing = "Ab Streifen drei kommt nichts an. Prüf das Kabel davor.";
    assert_eq!(strip(5, "cut=3"), ["Streifen fünf: nimm alle Magneten weg.", missing]);
    let bench = kit("");
    bench.unplug(Some(0));
    let (heard, diagnosis) = tests(&bench, &default(), Some(1));
    assert_eq!(
        heard.last().map(String::as_str),
        Some("Streifen eins meldet nichts. Prüf seine Stecker.")
    );
    assert!(diagnosis.is_broken() && diagnosis.wiring.is_none());
    let (_, turned) = tests(&kit("turned=2"), &default(), Some(2));
    assert!(turned.is_broken(), "nothing is written: it is to be turned");
}

/// What is heard in the test of one strip, by the arguments of the command.
fn transcript(args: &str) -> String {
    let word = |name| args.split_once(name).and_then(|(_, rest)| rest.split_whitespace().next());
    let number = word("--strip ").expect("a strip").parse().expect("its number");
    let heard = strip(number, word("--faults ").unwrap_or_default());
    heard.join("\n") + "\n"
}

/// `UPDATE=1 cargo test --test board_selftest` writes what is heard now into the book.
#[test]
fn what_the_book_tells_is_what_is_heard() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hardware/README.md");
    let book = std::fs::read_to_string(&path).expect("there");
    let mut now = String::new();
    let mut blocks = 0;
    for (n, part) in book.split("<!-- board test: ").enumerate() {
        if n == 0 {
            now.push_str(part);
            continue;
        }
        let (args, rest) = part.split_once(" -->\n```text\n").expect("a block");
        let (_, rest) = rest.split_once("```").expect("an end");
        now += &format!("<!-- board test: {args} -->\n```text\n{}```{rest}", transcript(args));
        blocks += 1;
    }
    assert_eq!(blocks, 2);
    // The table of faults: the fault, what is heard, what to do.
    let mut rows = 0;
    let row = |line: &str| {
        let cells: Vec<&str> = line.split(" | ").collect();
        let [fault, _, todo] = cells[..] else { return line.to_owned() };
        let Some(fault) = fault.strip_prefix("| `").and_then(|text| text.strip_suffix('`')) else {
            return line.to_owned();
        };
        if StripFaults::parse(fault).is_err() {
            return line.to_owned();
        }
        rows += 1;
        format!("| `{fault}` | {} | {todo}", said_of(fault).join(" "))
    };
    let now = now.lines().map(row).collect::<Vec<_>>().join("\n") + "\n";
    assert_eq!(rows, 7);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(&path, now).expect("written");
    } else {
        assert_eq!(now, book, "see UPDATE above");
    }
}

/// A fault of the chain as it is planted, and as it is to be found.
fn planted(kind: usize, [a, b]: [u8; 2], files: [usize; 2]) -> (String, BoardFault) {
    let square = |strip: u8, file: usize| Square::ALL[usize::from(strip - 1) * 8 + files[file]];
    let pair =
        |a: Square, b: Square| (format!("bridge={a}-{b}"), BoardFault::Bridge(a.min(b), a.max(b)));
    match kind {
        0 => (format!("swapped={a}-{b}"), BoardFault::Exchanged(vec![a.min(b), a.max(b)])),
        1 => (format!("turned={a}"), BoardFault::Round(a)),
        2 => (format!("open={}", square(a, 0)), BoardFault::Dead(square(a, 0))),
        3 => (format!("stuck={}", square(a, 0)), BoardFault::Stuck(square(a, 0))),
        4 => pair(square(a, 0), square(a, 1)),
        5 => pair(square(a, 0), square(b, 0)),
        6 if a == 8 => ("silent=8".to_owned(), BoardFault::Missing(8)),
        6 => (format!("silent={a}"), BoardFault::Silent(a)),
        _ => (format!("cut={a}"), BoardFault::Missing(a)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// One fault, or two on different strips: they are named, and nothing else.
    #[test]
    fn any_fault_of_the_chain_is_named_and_nothing_else(
        kinds in [0usize..9, 0usize..9],
        two: bool,
        order in Just([1u8, 2, 3, 4, 5, 6, 7, 8]).prop_shuffle(),
        files in Just([0usize, 1, 2, 3, 4, 5, 6, 7]).prop_shuffle(),
    ) {
        let mut kinds = kinds.to_vec();
        kinds.truncate(1 + usize::from(two));
        // Behind a cut nothing can be found.
        kinds.sort_unstable();
        if kinds[0] > 6 {
            kinds.truncate(1);
        }
        let mut strips = [order[0], order[1], order[2], order[3]];
        if two && kinds.iter().any(|kind| *kind > 6) {
            strips.sort_unstable();
        }
        let pairs = [[strips[0], strips[1]], [strips[3], strips[2]]];
        let files = [[files[0], files[1]], [files[2], files[3]]];
        let faults: Vec<(String, BoardFault)> =
            (0..kinds.len()).map(|n| planted(kinds[n], pairs[n], files[n])).collect();
        // The last kind is a cut whose end floats high.
        let floats = kinds.iter().position(|kind| *kind == 8);
        let text: Vec<String> = faults
            .iter()
            .enumerate()
            .filter(|(n, _)| Some(*n) != floats)
            .map(|(_, (text, _))| text.clone())
            .collect();
        let bench = kit(&text.join(","));
        if let Some(n) = floats {
            bench.unplug(Some(pairs[n][0] - 1));
        }
        let (_, diagnosis) = builds(&bench, &default());
        let mut wanted: Vec<BoardFault> = faults.into_iter().map(|(_, fault)| fault).collect();
        // The last two strips without a reed read like a chain that is cut before them.
        if wanted == [BoardFault::Silent(7), BoardFault::Missing(8)]
            || wanted == [BoardFault::Missing(8), BoardFault::Silent(7)]
        {
            wanted = vec![BoardFault::Missing(7)];
        }
        let mut found = diagnosis.findings.clone();
        wanted.sort();
        found.sort();
        prop_assert_eq!(found, wanted);
        let mended = kinds.iter().all(|kind| *kind < 2);
        prop_assert_eq!(diagnosis.is_broken(), !mended);
        let mut reader = bench.reader(diagnosis.wiring.unwrap_or(default()));
        for square in Square::ALL.into_iter().filter(|_| mended) {
            bench.set(Bitboard::from(square));
            prop_assert_eq!(reader.read(), Ok(Bitboard::from(square)));
        }
        let mut touch: Vec<u8> = (0..kinds.len())
            .flat_map(|n| match kinds[n] {
                2..=4 => vec![pairs[n][0]],
                5 => pairs[n].to_vec(),
                _ => Vec::new(),
            })
            .collect();
        touch.sort_unstable();
        prop_assert_eq!(diagnosis.touch, touch);
    }

    /// One strip with a fault of its own, alone or in the chain.
    #[test]
    fn any_fault_of_a_strip_is_named_and_nothing_else(
        kind in 1usize..5,
        number in 1u8..=8,
        alone: bool,
        files in Just([0usize, 1, 2, 3, 4, 5, 6, 7]).prop_shuffle(),
    ) {
        let (fault, wanted) = planted(kind, [number, number], [files[0], files[1]]);
        let chain = if alone { format!("{fault},swapped=1-{number},cut=2") } else { fault };
        let (_, diagnosis) = tests(&kit(&chain), &default(), Some(number));
        prop_assert_eq!(diagnosis.findings, [wanted]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    /// However the reeds are wired, and whichever are dead: after the test every good one is read
    /// as the square that it is.
    #[test]
    fn any_wiring_is_found(
        kind in 0usize..4,
        order in Just(Square::ALL.to_vec()).prop_shuffle(),
        turned in 0usize..4,
        shuffled: bool,
        dead in any::<u64>(), sparse in any::<u64>(), sparser in any::<u64>(),
    ) {
        let kind = ReaderKind::ALL[kind].1;
        let mut map: Vec<Option<Square>> = order.into_iter().map(Some).collect();
        map.resize(kind.inputs(), None);
        let wires = Wires {
            map: shuffled.then_some(map),
            orientation: Orientation::ALL[turned],
            ..Wires::default()
        };
        let wired = Wiring::new(kind, &wires).expect("right");
        let bench = Bench::new(wired);
        let dead = Bitboard(dead & sparse & sparser);
        bench.kill(dead);
        let believed = Wiring::default_for(kind);
        let (_, diagnosis) = builds(&bench, &believed);
        let right = diagnosis.wiring.unwrap_or(believed);
        let mut reader = bench.reader(right);
        for square in Square::ALL {
            bench.set(Bitboard::from(square));
            let wanted = Bitboard::from(square) & !dead;
            prop_assert_eq!(reader.read(), Ok(wanted));
        }
        let named: Bitboard = diagnosis.findings.iter().filter_map(|finding| match finding {
            BoardFault::Dead(square) => Some(*square),
            _ => None,
        }).collect();
        prop_assert_eq!(named, dead);
    }
}
