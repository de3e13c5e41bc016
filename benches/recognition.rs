//! How quick the ears are and what they cost: recognition against the length of sound, a grammar and its
//! recognisers, memory, the end of speech to the decision, and how far the recogniser's own
//! probabilities can be believed. All speech is espeak-ng's: nothing here says how well people are heard.

use std::time::{Duration, Instant};

use annabella::{
    phrase::{
        Form, Part, Utterance as Spoken, Words,
        hear::{Context, Decision, Ear, Grammar, Heard, Hypothesis},
    },
    simulator::games::random_game,
    voice::{
        Engine, Pcm, Rate,
        espeak::Espeak,
        recognizer::{Listener, Model, Utterance, model_path},
    },
};
use shakmaty::{Chess, Move, Position};

/// Announcements measured.
const MOVES: usize = 60;
/// Before and after each.
const BEFORE_MS: u64 = 600;
const AFTER_MS: u64 = 1200;
const CHUNK_MS: u64 = 20;

struct Scene {
    pos: Chess,
    mv: Move,
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
    let model = match model_path(None).and_then(|path| Model::open(&path)) {
        Ok(model) => model,
        Err(err) => {
            println!("recognition: {err}; nothing measured");
            return;
        }
    };
    println!("model {} opened in {:.0} ms", model.path().display(), ms(began.elapsed()));
    let loaded = resident_mb();
    let scenes = scenes(&words, &espeak);
    let heard = listen(&model, &words, &scenes);
    println!(
        "resident memory: {before:.0} MB before, {loaded:.0} MB with the model, {:.0} MB after {MOVES} moves",
        resident_mb()
    );
    scale(&words, &scenes, &heard);
}

fn scenes(words: &Words, espeak: &Espeak) -> Vec<Scene> {
    (0..MOVES as u64)
        .map(|seed| {
            let (pos, _) = random_game(seed, 20 + seed as usize % 40);
            let moves = pos.legal_moves();
            let mv = moves[seed as usize * 7 % moves.len()];
            let text = words.announce(&pos, mv, Form::Full).to_string().to_lowercase();
            let part = Part {
                lang: "de".into(),
                text: words.pronounce(&text.replace(',', "")),
                sound: String::new(),
            };
            let mut spoken =
                espeak.render(&Spoken { parts: vec![part] }, Rate::default()).expect("rendered");
            spoken.trim(0);
            let mut sound = Pcm::empty(spoken.rate_hz);
            sound.append_silence(BEFORE_MS);
            sound.append(&spoken);
            sound.append_silence(AFTER_MS);
            // A quiet room is not silent.
            for (n, sample) in sound.samples.iter_mut().enumerate() {
                *sample = sample.saturating_add(((n * 7919) % 41) as i16 - 20);
            }
            Scene { pos, mv, sound, ends_ms: BEFORE_MS + spoken.length_ms() }
        })
        .collect()
}

fn listen(model: &Model, words: &Words, scenes: &[Scene]) -> Vec<Vec<Heard>> {
    let ear = Ear::new(words);
    let vocabulary = model.vocabulary(words);
    let (mut spent, mut length) = (Duration::ZERO, 0);
    let [mut grammars, mut recognisers, mut phrases] = [const { Vec::new() }; 3];
    let [mut silence, mut last, mut slowest] = [const { Vec::new() }; 3];
    let mut all = Vec::new();
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
        let (mut heard, mut longest): (Vec<Utterance>, f64) = (Vec::new(), 0.0);
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
        all.push(heard.into_iter().map(|utterance| utterance.heard).collect());
    }
    println!(
        "recognition in two passes, with the decision: {:.1} ms for {:.1} s of sound, real-time factor {:.4}",
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
    all
}

/// How often the right move is accepted, and the wrong one, if the recogniser's log-likelihoods are taken
/// for what they are (1), or for less or more.
fn scale(words: &Words, scenes: &[Scene], heard: &[Vec<Heard>]) {
    println!(
        "\nscale of the recogniser's log-likelihoods: right, wrong, asked, again; mean distance of probability from truth"
    );
    let ear = Ear::new(words);
    for scale in [0.1, 0.3, 1.0, 3.0] {
        let (mut counts, mut off, mut n) = ([0u32; 4], 0.0, 0u32);
        for (scene, heard) in scenes.iter().zip(heard) {
            let matcher = ear.matcher(&scene.pos, Context::default());
            for heard in heard.iter().filter(|heard| !heard.is_nothing()) {
                let scaled = Heard {
                    hypotheses: rescaled(&heard.hypotheses, scale),
                    word_loop: rescaled(&heard.word_loop, scale),
                };
                let decision = matcher.decide(&scaled);
                let right = match decision {
                    Decision::Accept { mv, .. } if mv == scene.mv => 0,
                    Decision::Accept { .. } | Decision::Command { .. } => 1,
                    Decision::Confirm { .. } | Decision::ConfirmCommand { .. } => 2,
                    _ => 3,
                };
                counts[right] += 1;
                let said = words.announce(&scene.pos, scene.mv, Form::Full).to_string();
                let said = said.to_lowercase().replace(',', "");
                let p = scaled.hypotheses.first().and_then(|h| h.confidence).unwrap_or(0.0);
                let true_ = scaled.hypotheses.first().is_some_and(|h| h.text == said);
                off += (f64::from(u8::from(true_)) - p).powi(2);
                n += 1;
            }
        }
        println!("{scale:>5.1}  {counts:?} of {n}  {:.3}", off / f64::from(n.max(1)));
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
        "{name:<36} median {:>8.2}  95 % {:>8.2}  worst {:>8.2} {unit}",
        at(0.5),
        at(0.95),
        at(1.0)
    );
}

/// Of this process.
fn resident_mb() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kb = line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok());
    kb.unwrap_or(f64::NAN) / 1024.0
}
