//! Practice with a synthetic voice and the real recogniser.

use std::path::Path;

use super::{place::real::Ears, *};
use crate::cli::{
    room::people::{Person, Reply},
    tell::read::{Told, teller},
};
use annabella_devices::voice::recognizer::Model;
use annabella_words::phrase::hear::Thresholds;

/// What a person is told who says all words of these units, the second ones wrongly at first.
fn practised(units: &[Unit], wrong: &'static str) -> (Vec<String>, Tally) {
    let words = Words::builtin("fide", "de").expect("built in");
    let told = Told::default();
    let mut times = 0;
    let (person, _typed) = Person::new(&told, &words, move |told| {
        let asked = told.strip_prefix("Sag: ").or_else(|| told.strip_prefix("Noch einmal: "))?;
        times += 1;
        let said = if times == 2 { wrong } else { asked };
        Some(Reply::Says(said.replace([',', '.'], "")))
    });
    let mut out = Vec::new();
    let mut teller = teller(&mut out, &told);
    let model = Model::open(Path::new("voices/model")).expect("make vosk");
    let ears = Ears::new(person, &words, model, &teller);
    let mut practice = Practice {
        judge: Judge::new(&words, Ear::new(&words), Thresholds::default()),
        words,
        place: Box::new(ears),
        positions: recordings::positions().expect("built-in games"),
        turn: 0,
        before: Vec::new(),
        typing: false,
        heard: false,
        all: Tally::default(),
    };
    practice.run(units, &mut teller).expect("told");
    let lines = String::from_utf8(out).expect("text").lines().skip(1).map(str::to_owned).collect();
    (lines, practice.all)
}

#[test]
fn what_a_voice_says_is_understood_and_what_it_says_wrongly_is_named() {
    let (lines, _) = practised(&[Unit::Castling], "Lange Rochade");
    assert_eq!(
        lines,
        [
            "Sag: Lange Rochade.",
            "Richtig.",
            "Sag: Kurze Rochade.",
            "Ich habe verstanden: Lange Rochade.",
            "Noch einmal: Kurze Rochade.",
            "Richtig.",
            "Sag: Lange Rochade.",
            "Richtig.",
            "Sag: Kurze Rochade.",
            "Richtig.",
            "Von vier beim ersten Mal verstanden: drei.",
            "Am häufigsten verfehlt: Kurze.",
        ]
    );
}

#[test]
fn single_words_of_a_voice_are_understood_as_whole_ones_are() {
    let units = [Unit::Files, Unit::Ranks, Unit::Pieces, Unit::Promotion, Unit::Answers];
    let (lines, all) = practised(&units, "Anna");
    // A synthetic voice is not heard better than it speaks.
    assert!(all.tried >= 35 && all.at_once * 10 >= all.tried * 9, "{lines:#?}");
    assert!(lines.contains(&"Ich habe verstanden: Anna.".to_owned()), "{lines:#?}");
}
