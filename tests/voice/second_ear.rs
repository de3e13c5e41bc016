//! Ranks alone: cut tight, in noise, and heard by both ears; with the real libvosk and the built-in
//! model.

use std::path::Path;

use annabella_devices::voice::{
    Pcm,
    recognizer::{Listener, Model},
};
use annabella_emulators::speakers::{
    Delivery, Speaker,
    room::{self, Condition},
};
use annabella_words::phrase::{
    Words,
    hear::{Grammar, Hypothesis},
};

const RATE_HZ: u32 = 16_000;
const RANKS: [&str; 8] = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"];
/// A voice that nothing of the built-in model learnt from.
const NEVER_HEARD: &str = "espeak-de+m7";

fn model() -> Model {
    Model::open(Path::new("voices/model"))
        .expect("libvosk and the built-in model: `make vosk` fetches libvosk")
}

/// The word as this voice says it, without any quiet around it.
fn tight(voice: &str, word: &str) -> Pcm {
    let speaker = Speaker::all().into_iter().find(|speaker| speaker.name() == voice);
    let said = speaker.expect("espeak-ng").say(word, Delivery::default()).expect("spoken");
    let sound = room::at_rate(&said, RATE_HZ);
    let loudest = sound.samples.iter().map(|s| s.unsigned_abs()).max().unwrap_or_default();
    let loud = |sample: &i16| sample.unsigned_abs() > loudest / 30;
    let first = sound.samples.iter().position(loud).unwrap_or_default();
    let last = sound.samples.iter().rposition(loud).unwrap_or_default();
    Pcm { rate_hz: RATE_HZ, samples: sound.samples[first..=last].to_vec() }
}

fn listener(model: &Model) -> Listener {
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let mut listener = Listener::new(model, model.vocabulary(&words), RATE_HZ);
    listener.set_grammar(&Grammar::of_phrases(RANKS.map(str::to_owned).to_vec()));
    listener
}

/// How likely the word is among all that was heard.
fn likely(hypotheses: &[Hypothesis], word: &str) -> f64 {
    let of = hypotheses.iter().filter(|h| h.text == word);
    of.filter_map(|h| h.confidence).sum()
}

#[test]
fn a_word_cut_tight_by_the_key_is_heard_as_between_quiet_and_kept_as_it_was() {
    let model = model();
    for word in RANKS {
        let sound = tight("espeak-de", word);
        let mut held = listener(&model);
        held.hold().expect("held");
        for chunk in sound.samples.chunks(320) {
            assert!(held.feed(chunk).expect("fed").is_none(), "{word}");
        }
        let heard = held.end().expect("an utterance");
        assert_eq!(heard.samples, sound.samples, "{word}: the quiet is the recogniser's alone");
        let alone = likely(&heard.heard.hypotheses, word);
        let mut quiet = Pcm::empty(RATE_HZ);
        quiet.append_silence(300);
        quiet.append(&sound);
        quiet.append_silence(300);
        let grammar = Grammar::of_phrases(RANKS.map(str::to_owned).to_vec());
        let between = listener(&model).whole(&quiet, &grammar).expect("heard");
        let between = likely(&between.hypotheses, word);
        assert!((alone - between).abs() < 0.05, "{word}: {alone} alone, {between} between quiet");
    }
}

#[test]
fn both_ears_together_hear_ranks_in_noise_better_than_one() {
    let both = model();
    let one = both.with_second_ear(Path::new("no/second/ear.onnx")).expect("none");
    let grammar = Grammar::of_phrases(RANKS.map(str::to_owned).to_vec());
    let mut sums = [0.0, 0.0];
    for (n, word) in (0..).zip(RANKS) {
        for (condition, times) in [(Condition::Clean, 1), (Condition::Noise(10), 2)] {
            for time in 0..times {
                let sound = room::put(&tight(NEVER_HEARD, word), condition, &[], n * 7 + time);
                for (sum, model) in sums.iter_mut().zip([&one, &both]) {
                    let heard = listener(model).whole(&sound, &grammar).expect("heard");
                    *sum += likely(&heard.hypotheses, word);
                    let clean = condition == Condition::Clean;
                    assert!(!clean || heard.best() == Some(word), "{word}: {heard:?}");
                }
            }
        }
    }
    assert!(sums[1] > sums[0], "with the second ear {:.2} of 24, without {:.2}", sums[1], sums[0]);
}

#[test]
fn what_is_no_second_ear_is_told() {
    let why = model().with_second_ear(Path::new("voices/model/conf/model.conf"));
    let why = why.expect_err("refused").to_string();
    assert!(why.contains("model.conf") && !why.contains('\n'), "{why}");
}
