//! The guided self-test, with a builder who has one peg and cannot see.

use annabella_devices::board::{
    selftest::{BoardFault, Diagnosis, SelfTest, TestAnswer, TestLine},
    sim::Bench,
    wiring::{BitOrder, Orientation, ReaderKind, Wires, Wiring},
};
use annabella_words::phrase::{Prompt, Words};
use proptest::prelude::*;
use shakmaty::{Bitboard, Square};

fn words() -> Words {
    Words::builtin("fide", "de").expect("there")
}

/// Does what he is told, and hears what is said.
fn builds(bench: &Bench, believed: &Wiring) -> (Vec<String>, Diagnosis) {
    let words = words();
    let mut reader = bench.reader(believed.clone());
    let mut now_ms = 0;
    let (mut test, mut lines) = SelfTest::begin(believed.clone(), now_ms);
    bench.set(Bitboard::from(Square::E5));
    let mut heard = Vec::new();
    loop {
        for line in lines.drain(..) {
            heard.push(line.words(&words).to_string());
            match line {
                TestLine::Plain(Prompt::TestTakeAll) => bench.set(Bitboard::EMPTY),
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
    assert_eq!(diagnosis, Diagnosis { findings: Vec::new(), wiring: None });
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
    assert_eq!(verdict(&heard), ["Sensor Eva vier ausgefallen."]);
    assert_eq!(diagnosis.findings, [BoardFault::Dead(Square::E4)]);
    assert!(diagnosis.is_broken() && diagnosis.wiring.is_none());
}

#[test]
fn a_stuck_reed_is_named_and_the_others_are_tested_all_the_same() {
    let bench = Bench::new(default());
    bench.stick(Bitboard::from(Square::B7));
    let (heard, diagnosis) = builds(&bench, &default());
    assert_eq!(heard[..3], ["Entferne alle Figuren vom Brett."; 3]);
    assert_eq!(verdict(&heard), ["Sensor Bella sieben klemmt."]);
    assert_eq!(diagnosis.findings, [BoardFault::Stuck(Square::B7)]);
}

#[test]
fn a_magnet_that_reaches_the_neighbour_is_named() {
    let bench = Bench::new(default());
    bench.couple(Square::D4, Square::E4);
    bench.couple(Square::D4, Square::D5);
    let (heard, diagnosis) = builds(&bench, &default());
    assert_eq!(verdict(&heard), ["Figur auf David vier meldet auch Eva vier, David fünf."]);
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
    let (mut test, _) = SelfTest::begin(default(), 0);
    let say = |lines: Vec<TestLine>| -> Vec<String> {
        lines.iter().map(|line| line.words(&words()).to_string()).collect()
    };
    let empty = default().levels(Bitboard::EMPTY);
    assert_eq!(say(test.answer(10, TestAnswer::Repeat)), ["Entferne alle Figuren vom Brett."]);
    assert_eq!(say(test.answer(10, TestAnswer::Back)), ["Entferne alle Figuren vom Brett."]);
    assert_eq!(say(test.reading(100, empty)), Vec::<String>::new());
    assert_eq!(say(test.reading(400, empty)).last().map(String::as_str), Some("Anna eins."));
    assert_eq!(
        say(test.answer(500, TestAnswer::Next)),
        ["Sensor Anna eins ausgefallen.", "Bella eins."]
    );
    assert_eq!(say(test.answer(600, TestAnswer::Back)), ["Anna eins."]);
    let peg = default().levels(Bitboard::from(Square::A1));
    assert_eq!(say(test.reading(800, peg)), Vec::<String>::new());
    assert_eq!(say(test.reading(900, peg)), Vec::<String>::new());
    assert_eq!(say(test.reading(1000, peg)), ["Bella eins."]);
    assert_eq!(test.diagnosis(), None);
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
