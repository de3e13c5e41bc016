//! Practice with a synthetic voice and the real recogniser.

use std::{path::Path, sync::Arc, time::Duration};

use super::{place::real::Ears, *};
use crate::cli::tell::read::{Told, teller};
use annabella_devices::voice::{
    Pcm,
    capture::{Capture, CaptureEvent, SimMicrophone},
    recognizer::Model,
};
use annabella_emulators::speakers::{Delivery, Speaker};
use annabella_threads::lock;
use annabella_words::phrase::hear::Thresholds;

/// Says the words after the program, the second ones wrongly at first.
struct Person {
    told: Told,
    microphone: SimMicrophone,
    asked: usize,
    wrong: &'static str,
    words: Words,
}

impl Capture for Person {
    fn next(&mut self, wait: Duration) -> Option<CaptureEvent> {
        if let Some(event) = self.microphone.next(wait) {
            return Some(event);
        }
        let told = lock(&self.told).pop_front();
        let asked = told.as_deref().and_then(|told| {
            told.strip_prefix("Sag: ").or_else(|| told.strip_prefix("Noch einmal: "))
        });
        let Some(asked) = asked else {
            std::thread::sleep(Duration::from_millis(2));
            return None;
        };
        self.asked += 1;
        let said = if self.asked == 2 { self.wrong } else { asked };
        let said = self.words.pronounce(&said.to_lowercase().replace([',', '.'], ""));
        let sound = Speaker::espeak().say(&said, Delivery::default()).expect("espeak-ng");
        let quiet = |ms: usize| Pcm { rate_hz: 16_000, samples: vec![0; 16 * ms] };
        for sound in [&quiet(600), &sound, &quiet(1400)] {
            self.microphone.hear(sound);
        }
        self.microphone.next(wait)
    }
}

/// What a person is told who says all words of these units, the second ones wrongly at first.
fn practised(units: &[Unit], wrong: &'static str) -> (Vec<String>, Tally) {
    let words = Words::builtin("fide", "de").expect("built in");
    let told = Told::default();
    let person = Person {
        told: Arc::clone(&told),
        microphone: SimMicrophone::new(16_000),
        asked: 0,
        wrong,
        words: words.clone(),
    };
    let mut out = Vec::new();
    let mut teller = teller(&mut out, &told);
    let model = Model::open(Path::new("voices/model")).expect("make vosk");
    let ears = Ears::new(Box::new(person), &words, model, &teller);
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
