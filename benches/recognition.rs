//! How quick the ears are and what they cost: recognition against the length of sound, a grammar
//! and its recognisers, memory, the end of speech to the decision, and how far the recogniser's own
//! probabilities can be believed. All speech is espeak-ng's: nothing here says how well people are
//! heard.

use std::{
    path::Path,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use annabella_devices::voice::{
    Pcm, Rate,
    espeak::Espeak,
    recognizer::{HeardUtterance, Listener, Model, choice},
};
use annabella_emulators::speakers::{
    Delivery, Speaker,
    room::{Condition, at_rate, put},
};
use annabella_players::games::random_game;
use annabella_words::phrase::{
    Part, SpokenForm, Understood, Utterance as Spoken, Words,
    hear::{Context, Ear, Grammar, Heard, HeardDecision, Hypothesis, move_loop},
    understand,
};
use shakmaty::{Chess, Move, Position};

/// Announcements measured.
const MOVES: usize = 60;
/// Before and after each.
const BEFORE_MS: u64 = 600;
const AFTER_MS: u64 = 1200;
const CHUNK_MS: u64 = 20;
/// So long recognisers are made ahead.
const MADE_AHEAD: Duration = Duration::from_millis(1500);
/// As `voices/training/export.py` writes them.
const BYTES_OF_A_WEIGHT: u64 = 2;

struct Scene {
    pos: Chess,
    sound: Pcm,
    /// When the last word ends.
    ends_ms: u64,
}

fn main() {
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let Ok(espeak) = Espeak::new() else {
        println!("recognition: espeak-ng is not installed, nothing measured");
        return;
    };
    let before = resident_mb();
    let began = Instant::now();
    let model = match choice::built_in().and_then(|path| Model::open(&path)) {
        Ok(model) => model,
        Err(err) => {
            println!("recognition: {err}; nothing measured");
            return;
        }
    };
    println!("model {} opened first in {:.0} ms", model.path().display(), ms(began.elapsed()));
    // `cargo bench --bench recognition -- brief`: what a player waits for most.
    if std::env::args().any(|arg| arg == "brief") {
        for ahead in [false, true] {
            briefly(&model, &words, &espeak, ahead);
        }
        return;
    }
    let loaded = resident_mb();
    let mut again: Vec<f64> = (0..20)
        .map(|_| {
            let began = Instant::now();
            let opened = Model::open(model.path()).expect("opened before");
            std::hint::black_box(opened);
            ms(began.elapsed())
        })
        .collect();
    row("opening it again", &mut again, "ms");
    let scenes = scenes(&words, &espeak);
    listen(&model, &words, &scenes);
    println!(
        "resident memory: {before:.0} MB before, {loaded:.0} MB with the model, {:.0} MB after {MOVES} moves",
        resident_mb()
    );
    for ahead in [false, true] {
        briefly(&model, &words, &espeak, ahead);
    }
    decoding(&model, &words, &scenes);
    second_ear(&model, &words, &scenes);
    doubts(&model, &words, &scenes);
    whole();
    scale(&model, &words);
}

/// A position of a random game that is not over, and a legal move.
fn scene(seed: u64) -> (Chess, Move) {
    let plies = 20 + seed as usize % 40;
    let (pos, moves) = (0..)
        .map(|n| random_game(seed + n * 10_000, plies).0)
        .map(|pos| (pos.clone(), pos.legal_moves()))
        .find(|(_, moves)| !moves.is_empty())
        .expect("some game goes on");
    let mv = moves[seed as usize * 7 % moves.len()];
    (pos, mv)
}

/// In lower case.
fn spoken(words: &Words, (pos, mv): &(Chess, Move)) -> String {
    words.announce(pos, *mv, SpokenForm::Full).to_string().to_lowercase()
}

/// Cut to its words, with quiet before and after.
fn in_a_room(spoken: &mut Pcm) -> Pcm {
    spoken.trim(0);
    let mut sound = Pcm::empty(spoken.rate_hz);
    sound.append_silence(BEFORE_MS);
    sound.append(spoken);
    sound.append_silence(AFTER_MS);
    // A quiet room is not silent.
    for (n, sample) in sound.samples.iter_mut().enumerate() {
        *sample = sample.saturating_add(((n * 7919) % 41) as i16 - 20);
    }
    sound
}

fn scenes(words: &Words, espeak: &Espeak) -> Vec<Scene> {
    (0..MOVES as u64)
        .map(|seed| {
            let scene = scene(seed);
            let text = spoken(words, &scene);
            let part = Part {
                lang: "de".into(),
                text: words.pronounce(&text.replace(',', "")),
                sound: String::new(),
            };
            let mut spoken =
                espeak.render(&Spoken { parts: vec![part] }, Rate::default()).expect("rendered");
            let sound = in_a_room(&mut spoken);
            Scene { pos: scene.0, sound, ends_ms: BEFORE_MS + spoken.length_ms() }
        })
        .collect()
}

fn listen(model: &Model, words: &Words, scenes: &[Scene]) {
    let ear = Ear::new(words);
    let vocabulary = model.vocabulary(words);
    let (mut spent, mut length) = (Duration::ZERO, 0);
    let [mut grammars, mut recognisers, mut phrases] = [const { Vec::new() }; 3];
    let [mut silence, mut last, mut slowest] = [const { Vec::new() }; 3];
    for scene in scenes {
        let began = Instant::now();
        let grammar = Grammar::of_everything(words, &scene.pos);
        grammars.push(ms(began.elapsed()));
        phrases.push(grammar.phrases.len() as f64);
        let began = Instant::now();
        let mut listener = Listener::new(model, vocabulary.clone(), scene.sound.rate_hz);
        listener.set_grammar(&grammar);
        listener.hold().expect("recognisers");
        recognisers.push(ms(began.elapsed()));
        listener.forget();
        let matcher = ear.matcher(&scene.pos, Context::default());
        let chunk = (u64::from(scene.sound.rate_hz) * CHUNK_MS / 1000) as usize;
        let (mut heard, mut longest): (Vec<HeardUtterance>, f64) = (Vec::new(), 0.0);
        for (n, samples) in scene.sound.samples.chunks(chunk).enumerate() {
            let began = Instant::now();
            let utterance = listener.feed(samples).expect("heard");
            let ended = utterance.is_some();
            heard.extend(utterance);
            if ended {
                std::hint::black_box(matcher.decide(&heard[heard.len() - 1].heard));
                let at_ms = (n as u64 + 1) * CHUNK_MS;
                silence.push(at_ms.saturating_sub(scene.ends_ms) as f64);
                last.push(ms(began.elapsed()));
            }
            spent += began.elapsed();
            longest = longest.max(ms(began.elapsed()));
        }
        slowest.push(longest);
        length += scene.sound.length_ms();
    }
    println!(
        "recognition in all passes, with the decision: {:.1} ms for {:.1} s of sound, real-time factor {:.4}",
        ms(spent),
        length as f64 / 1000.0,
        ms(spent) / length as f64
    );
    row("grammar of a position", &mut grammars, "ms");
    row("  phrases in it", &mut phrases, "");
    row("spelling it and two recognisers", &mut recognisers, "ms");
    row("end of speech: silence waited for", &mut silence, "ms");
    row("  then to the decision", &mut last, "ms");
    row("slowest chunk of an utterance", &mut slowest, "ms");
}

/// Utterances of one or two words: "stopp" until it cuts speech, the others until they are decided.
/// Both count from the end of the last word; the budget without the silence that is waited for is
/// 150 ms. What leaves doubts ("letzter Zug" or "letzte Zug", "Reihe vier" or "Partie") is heard
/// again in up to thirteen passes, each 10 to 20 ms of one core: three of these 60 take 152 to
/// 163 ms on two cores. That is worth it: of 600 moves in bad sound 2 % less were asked about,
/// which takes seconds, and half as many were taken for another (voices/training/EXPERIMENTS.md).
///
/// `ahead`: with recognisers made ahead, as the service has them made.
fn briefly(model: &Model, words: &Words, espeak: &Espeak, ahead: bool) {
    const BRIEF: [&str; 12] = [
        "stopp",
        "ja",
        "nein",
        "hilfe",
        "uhr",
        "fertig",
        "wiederholen",
        "letzter zug",
        "linie eva",
        "reihe vier",
        "meine zeit",
        "was ist offen",
    ];
    let (ear, pos) = (Ear::new(words), Chess::default());
    let grammar = Grammar::of_everything(words, &pos);
    let vocabulary = model.vocabulary(words);
    let matcher = ear.matcher(&pos, Context::default());
    let [mut stops, mut computing, mut decided] = [const { Vec::new() }; 3];
    for speed in [120, 150, 180, 210, 240] {
        let rate = Rate::new(speed);
        for text in BRIEF {
            let part =
                Part { lang: "de".into(), text: words.pronounce(text), sound: String::new() };
            let mut spoken = espeak.render(&Spoken { parts: vec![part] }, rate).expect("rendered");
            let sound = in_a_room(&mut spoken);
            let ends_ms = (BEFORE_MS + spoken.length_ms()) as f64;
            let listener = Listener::new(model, vocabulary.clone(), sound.rate_hz);
            let mut listener = if ahead { listener.ahead() } else { listener };
            listener.set_grammar(&grammar);
            listener.hold().expect("recognisers");
            listener.forget();
            if ahead {
                // The pause before somebody speaks.
                std::thread::sleep(MADE_AHEAD);
            }
            let chunk = (u64::from(sound.rate_hz) * CHUNK_MS / 1000) as usize;
            let mut cut = false;
            for (n, samples) in sound.samples.chunks(chunk).enumerate() {
                let began = Instant::now();
                let utterance = listener.feed(samples).expect("heard");
                let heard_ms = ((n as u64 + 1) * CHUNK_MS) as f64 - ends_ms;
                if text == "stopp" && !cut && listener.at_pause().is_some() {
                    cut = true;
                    stops.push(heard_ms + ms(began.elapsed()));
                }
                if let Some(utterance) = utterance {
                    std::hint::black_box(matcher.decide(&utterance.heard));
                    computing.push(ms(began.elapsed()));
                    decided.push(heard_ms + ms(began.elapsed()));
                }
            }
        }
    }
    println!("recognisers made {}", if ahead { "ahead" } else { "when they are needed" });
    row("\"stopp\": end of the word to the cut", &mut stops, "ms");
    row("one or two words: end to decision", &mut decided, "ms");
    row("  of that computing", &mut computing, "ms");
}

/// The recogniser alone in one pass over all sound, without grammars being made; and what that
/// would take on a slower machine.
fn decoding(model: &Model, words: &Words, scenes: &[Scene]) {
    let vocabulary = model.vocabulary(words);
    let (mut spent, mut length) = (Duration::ZERO, 0);
    for scene in scenes {
        let grammar = Grammar { phrases: move_loop(words), ..Grammar::default() };
        let mut listener = Listener::new(model, vocabulary.clone(), scene.sound.rate_hz);
        listener.set_grammar(&grammar);
        listener.hold().expect("recognisers");
        let began = Instant::now();
        let chunk = (u64::from(scene.sound.rate_hz) * CHUNK_MS / 1000) as usize;
        for samples in scene.sound.samples.chunks(chunk) {
            std::hint::black_box(listener.feed(samples).expect("heard"));
        }
        spent += began.elapsed();
        length += scene.sound.length_ms();
    }
    println!("one pass, words in any order: real-time factor {:.4}", ms(spent) / length as f64);
    let network = model.path().join("am/final.mdl");
    let weights = std::fs::metadata(network).map_or(0, |data| data.len() / BYTES_OF_A_WEIGHT);
    // One output every 30 ms; a weight is a multiplication and an addition.
    let gigaflop = 2.0 * weights as f64 / 0.030 / 1e9;
    println!(
        "network: {:.2} million weights, {gigaflop:.3} GFLOP a second of sound and pass",
        weights as f64 / 1e6
    );
}

/// What the second ear adds to an utterance: its budgets are 60 ms on a PC, 8 MB on disk and 30 MB
/// of memory.
fn second_ear(model: &Model, words: &Words, scenes: &[Scene]) {
    let file = model.path().join("ear/ranks.onnx");
    let megabytes = std::fs::metadata(&file).map_or(0.0, |data| data.len() as f64 / 1e6);
    let without = model.with_second_ear(Path::new("no/second/ear")).expect("none");
    let before = resident_mb();
    let with = model.with_second_ear(&file).expect("the model's own");
    let vocabulary = model.vocabulary(words);
    let mut more: Vec<f64> = scenes
        .iter()
        .map(|scene| {
            let grammar = Grammar::of_everything(words, &scene.pos);
            let [alone, both] = [&without, &with].map(|model| {
                let mut listener =
                    Listener::new(model, vocabulary.clone(), scene.sound.rate_hz).once();
                listener.set_grammar(&grammar);
                listener.hold().expect("recognisers");
                listener.feed(&scene.sound.samples).expect("heard");
                ms(listener.end().expect("heard").took)
            });
            both - alone
        })
        .collect();
    println!("second ear: {megabytes:.1} MB on disk, {:.0} MB of memory", resident_mb() - before);
    row("second ear, of an utterance", &mut more, "ms");
}

/// What hearing again costs where one hearing leaves doubts, beside one hearing of the same sound.
fn doubts(model: &Model, words: &Words, scenes: &[Scene]) {
    let vocabulary = model.vocabulary(words);
    for (name, condition) in
        [("quiet", Condition::Clean), ("noise as loud as the voice", Condition::Noise(0))]
    {
        let (mut alone, mut with, mut length) = (Duration::ZERO, Duration::ZERO, 0);
        let [mut decided, mut doubted] = [const { Vec::new() }; 2];
        for (n, scene) in scenes.iter().enumerate() {
            let sound = put(&scene.sound, condition, &[], n as u64);
            let grammar = Grammar::of_everything(words, &scene.pos);
            let hear = |mut listener: Listener| {
                listener.set_grammar(&grammar);
                let began = Instant::now();
                listener.hold().expect("recognisers");
                listener.feed(&sound.samples).expect("heard");
                (listener.end().expect("heard"), began.elapsed())
            };
            let new = || Listener::new(model, vocabulary.clone(), sound.rate_hz);
            let (first, took) = hear(new().once());
            alone += took;
            let (last, took) = hear(new());
            with += took;
            length += sound.length_ms();
            let to = if first.heard.leaves_doubts(|one, other| vocabulary.same(one, other)) {
                &mut doubted
            } else {
                &mut decided
            };
            to.push(ms(last.took));
        }
        println!(
            "heard again, {name}: {} of {} leave doubts; all take {:.2} times what one hearing takes, real-time factor {:.4}",
            doubted.len(),
            scenes.len(),
            with.as_secs_f64() / alone.as_secs_f64(),
            ms(with) / length as f64
        );
        row("  end of speech to the words", &mut decided, "ms");
        if !doubted.is_empty() {
            row("  the same where doubts are left", &mut doubted, "ms");
        }
    }
}

/// Resident memory of a whole game with spoken moves: service, recogniser and the simulated people.
fn whole() {
    let mut child =
        Command::new(Path::new(env!("CARGO_BIN_EXE_annabella")).with_file_name("annabella-lab"))
            .args(["demo", "--voice", "--silent", "--speed", "0", "--plies", "20"])
            .stdout(Stdio::null())
            .spawn()
            .expect("starts: cargo build --release -p annabella-lab");
    let mut most: f64 = 0.0;
    while child.try_wait().expect("asked").is_none() {
        let now = resident_mb_of(&child.id().to_string());
        most = if now > most { now } else { most };
        std::thread::sleep(Duration::from_millis(50));
    }
    println!("resident memory of a game with spoken moves, service and all: {most:.0} MB at most");
}

/// Voices that the built-in model was not trained on, and that were listened to while it was made:
/// what is chosen with them leaves de1, de3 and de8 for judging the whole.
const UNTRAINED: [&str; 5] = ["mbrola-de2", "mbrola-de4", "mbrola-de5", "mbrola-de6", "mbrola-de7"];
const CONDITIONS: [Condition; 4] =
    [Condition::Clean, Condition::Noise(5), Condition::Babble(5), Condition::Hall];
const SCALES: [f64; 6] = [0.03, 0.1, 0.3, 0.6, 1.0, 2.0];

#[derive(Clone, Copy, Default)]
struct Tally {
    right: u32,
    wrong: u32,
    asked: u32,
    again: u32,
    /// Announcements that are not legal, accepted as something else.
    illegal_taken: u32,
    illegal: u32,
    /// Squared distance of the best hypothesis' probability from 1 if it is what was said, else
    /// from 0.
    off: f64,
}

/// What becomes of moves if the recogniser's log-likelihoods are taken for what they are (1) or for
/// less or more. A voice that the model was trained on tells nothing: everything is right.
fn scale(model: &Model, words: &Words) {
    let speakers: Vec<Speaker> =
        Speaker::all().into_iter().filter(|s| UNTRAINED.contains(&s.name().as_str())).collect();
    if speakers.is_empty() {
        println!("scale of log-likelihoods: no mbrola voice is installed, not measured");
        return;
    }
    let (ear, vocabulary) = (Ear::new(words), model.vocabulary(words));
    let mut tallies = [Tally::default(); SCALES.len()];
    let say = |speaker: &Speaker, scene: &(Chess, Move)| {
        let text = spoken(words, scene).replace(',', "");
        speaker.say(&words.pronounce(&text), Delivery::default()).expect("said")
    };
    let scenes: Vec<(Chess, Move)> = (1000..1000 + MOVES as u64).map(scene).collect();
    for (n, one) in scenes.iter().enumerate() {
        let speaker = &speakers[n % speakers.len()];
        let sound = say(speaker, one);
        let others: Vec<Pcm> = speakers
            .iter()
            .map(|other| at_rate(&say(other, &scenes[(n + 7) % scenes.len()]), sound.rate_hz))
            .collect();
        let said = spoken(words, one);
        for condition in CONDITIONS {
            let sound = put(&sound, condition, &others, n as u64);
            // In its own position, and in another in which it is not legal.
            let foreign = &scenes[(n + 1) % scenes.len()].0;
            for (pos, legal) in [(&one.0, true), (foreign, false)] {
                if !legal && !matches!(understand(words, pos, &said), Understood::Illegal(_)) {
                    continue;
                }
                let mut listener = Listener::new(model, vocabulary.clone(), sound.rate_hz);
                listener.set_grammar(&Grammar::of_everything(words, pos));
                listener.hold().expect("recognisers");
                listener.feed(&sound.samples).expect("heard");
                let heard = listener.end().expect("heard").heard;
                let matcher = ear.matcher(pos, Context::default());
                for (tally, scale) in tallies.iter_mut().zip(SCALES) {
                    let heard = Heard {
                        hypotheses: rescaled(&heard.hypotheses, scale),
                        word_loop: rescaled(&heard.word_loop, scale),
                        comparison: rescaled(&heard.comparison, scale),
                        ..heard.clone()
                    };
                    let mv = legal.then_some(one.1);
                    tally.count(matcher.decide(&heard), mv, &heard, &said);
                }
            }
        }
    }
    println!(
        "\nscale of log-likelihoods, {} of synthetic voices that the model was not trained on, clean to bad",
        MOVES * CONDITIONS.len()
    );
    println!("scale   right  wrong  asked  again   illegal taken   squared error of probability");
    for (tally, scale) in tallies.iter().zip(SCALES) {
        let n = tally.right + tally.wrong + tally.asked + tally.again;
        println!(
            "{scale:>5.2}   {:>5}  {:>5}  {:>5}  {:>5}   {:>6} of {:<4}   {:.3}",
            tally.right,
            tally.wrong,
            tally.asked,
            tally.again,
            tally.illegal_taken,
            tally.illegal,
            tally.off / f64::from(n.max(1))
        );
    }
}

impl Tally {
    fn count(&mut self, decision: HeardDecision, meant: Option<Move>, heard: &Heard, said: &str) {
        let Some(meant) = meant else {
            self.illegal += 1;
            let taken =
                matches!(decision, HeardDecision::Accept { .. } | HeardDecision::Command { .. });
            self.illegal_taken += u32::from(taken);
            return;
        };
        match decision {
            HeardDecision::Accept { mv, .. } if mv == meant => self.right += 1,
            HeardDecision::Accept { .. } | HeardDecision::Command { .. } => self.wrong += 1,
            HeardDecision::Confirm { .. }
            | HeardDecision::ConfirmCommand { .. }
            | HeardDecision::AskCommand { .. } => self.asked += 1,
            _ => self.again += 1,
        }
        let best = heard.hypotheses.first();
        let true_ = best.is_some_and(|h| h.text == said.replace(',', ""));
        let p = best.and_then(|h| h.confidence).unwrap_or(0.0);
        self.off += (f64::from(u8::from(true_)) - p).powi(2);
    }
}

/// Probabilities to the power of `scale`, which is what scaled log-likelihoods give.
fn rescaled(hypotheses: &[Hypothesis], scale: f64) -> Vec<Hypothesis> {
    let raised: Vec<f64> =
        hypotheses.iter().map(|h| h.confidence.unwrap_or(0.0).powf(scale)).collect();
    let sum: f64 = raised.iter().sum();
    let all = hypotheses.iter().zip(raised);
    all.map(|(h, p)| Hypothesis::new(h.text.clone(), p / sum.max(f64::MIN_POSITIVE))).collect()
}

fn ms(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

fn row(name: &str, values: &mut [f64], unit: &str) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let n = ((values.len() as f64 * share) as usize).min(values.len().saturating_sub(1));
        values.get(n).copied().unwrap_or(f64::NAN)
    };
    println!(
        "{name:<36} median {:>8.2}  95 % {:>8.2}  99 % {:>8.2}  worst {:>8.2} {unit}",
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    );
}

/// Of this process.
fn resident_mb() -> f64 {
    resident_mb_of("self")
}

fn resident_mb_of(process: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kb.unwrap_or(f64::NAN) / 1024.0
}
