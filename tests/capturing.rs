//! Speech in through a sound card: samples, silence, a device that stops and comes back, words.
#![cfg(all(feature = "sound", feature = "speech"))]

use std::{
    io::Write,
    path::Path,
    process::{Child, Command},
    time::{Duration, Instant},
};

use annabella::{
    phrase::{
        Words,
        hear::{Context, Decision, Ear, Grammar},
    },
    voice::{
        Pcm,
        meter::{Judgement, Meter},
        mic::{Capture, Captured, Microphone, SimMicrophone},
        recognizer::{Listener, Model, Utterance, model_path},
        synthetic::{Delivery, Speaker, room},
    },
};
use shakmaty::Chess;

// A sound card without a sound card: ALSA reads what somebody writes into a FIFO at the pace of real
// time, as tests/speaking.rs does the other way round.

const CHILD: &str = "ANNABELLA_TEST_CAPTURING";

struct Card {
    folder: tempfile::TempDir,
    rate_hz: u32,
    channels: usize,
}

impl Card {
    fn new(rate_hz: u32, channels: usize) -> Card {
        let folder = tempfile::tempdir().expect("folder");
        let fifo = folder.path().join("in");
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let config = format!(
            "</usr/share/alsa/alsa.conf>\n\
             pcm.!default {{ type plug slave {{ pcm \"sim\" rate {rate_hz} channels {channels} format S16_LE }} }}\n\
             pcm.sim {{ type file slave.pcm {{ type null }} file \"/dev/null\" infile \"{}\" format \"raw\" }}\n",
            fifo.display()
        );
        std::fs::write(folder.path().join("asound.conf"), config).expect("written");
        Card { folder, rate_hz, channels }
    }

    /// Runs one test again as a process that has this card, and speaks these stretches into it, with
    /// pauses in which the card gives nothing at all.
    fn speak(&self, test: &str, stretches: &[(Pcm, Duration)]) {
        let mut child = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", test, "--nocapture"])
            .env(CHILD, test)
            .env("ALSA_CONFIG_PATH", self.folder.path().join("asound.conf"))
            .spawn()
            .expect("starts");
        self.feed(&self.folder.path().join("in"), stretches, &mut child);
        let status = child.wait().expect("ends");
        assert!(status.success(), "{test} failed in its own process");
    }

    fn feed(&self, fifo: &Path, stretches: &[(Pcm, Duration)], child: &mut Child) {
        // Opened for reading too, so that writing never ends the process, whoever has gone.
        let mut file =
            std::fs::OpenOptions::new().read(true).write(true).open(fifo).expect("opens");
        let silence = Pcm { rate_hz: self.rate_hz, samples: vec![0; self.rate_hz as usize] };
        let endless = std::iter::repeat_with(|| (silence.clone(), Duration::ZERO)).take(60);
        for (sound, pause) in stretches.iter().cloned().chain(endless) {
            let began = Instant::now();
            let chunk = (self.rate_hz / 50) as usize;
            for (n, chunk) in sound.samples.chunks(chunk).enumerate() {
                let wide = chunk.iter().flat_map(|s| std::iter::repeat_n(*s, self.channels));
                let bytes: Vec<u8> = wide.flat_map(i16::to_le_bytes).collect();
                file.write_all(&bytes).expect("written");
                let due = began + Duration::from_millis(20) * (n as u32 + 1);
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
                if child.try_wait().expect("waits").is_some() {
                    return;
                }
            }
            std::thread::sleep(pause);
        }
        let _ = child.kill();
        panic!("the process does not end");
    }
}

fn is_child(test: &str) -> bool {
    std::env::var(CHILD).is_ok_and(|name| name == test)
}

fn tone(rate_hz: u32, ms: u32, hz: f64) -> Pcm {
    let samples = (0..rate_hz / 1000 * ms).map(|n| {
        let turn = f64::from(n) / f64::from(rate_hz) * hz;
        ((turn * std::f64::consts::TAU).sin() * 8000.0) as i16
    });
    Pcm { rate_hz, samples: samples.collect() }
}

/// Listens for so long.
fn record(capture: &mut dyn Capture, ms: u64) -> Pcm {
    let mut sound = Pcm { rate_hz: 0, samples: Vec::new() };
    let deadline = Instant::now() + Duration::from_secs(20);
    while sound.rate_hz == 0 || sound.length_ms() < ms {
        assert!(Instant::now() < deadline, "only {} ms came", sound.length_ms());
        if let Some(Captured::Samples { rate_hz, samples }) =
            capture.next(Duration::from_millis(200))
        {
            sound.rate_hz = rate_hz;
            sound.samples.extend(samples);
        }
    }
    sound
}

/// How much of a sound's power is at this pitch, 0 to 1: the median over windows of 50 ms.
fn share_at(sound: &Pcm, hz: f64) -> f64 {
    let window = (sound.rate_hz / 20) as usize;
    let loud = sound.samples.iter().position(|s| s.abs() > 1000).unwrap_or(0);
    let mut shares: Vec<f64> = sound.samples[loud..]
        .chunks_exact(window)
        .take(20)
        .map(|samples| {
            let step = std::f64::consts::TAU * hz / f64::from(sound.rate_hz);
            let (mut re, mut im, mut power) = (0.0, 0.0, 0.0);
            for (n, sample) in samples.iter().enumerate() {
                let (value, turn) = (f64::from(*sample), step * n as f64);
                re += value * turn.cos();
                im += value * turn.sin();
                power += value * value;
            }
            2.0 * (re * re + im * im) / (power * samples.len() as f64).max(1.0)
        })
        .collect();
    shares.sort_by(f64::total_cmp);
    shares[shares.len() / 2]
}

/// The same for every microphone: a tone comes through whole, at its pitch and loudness.
fn captures_a_tone(capture: &mut dyn Capture) {
    let sound = record(capture, 1500);
    let (right, wrong) = (share_at(&sound, 440.0), share_at(&sound, 480.0));
    assert!(right > 0.8 && wrong < 0.2, "{right} at 440 Hz, {wrong} at 480 Hz");
    let mut meter = Meter::new(sound.rate_hz);
    meter.feed(&sound.samples);
    let level = meter.level();
    assert!((-13.5..-11.5).contains(&level.peak_dbfs), "{level}");
    assert_eq!(capture.overruns(), 0);
}

#[test]
fn a_tone_comes_through_the_simulated_microphone() {
    let (feed, mut capture) = SimMicrophone::new();
    for samples in tone(16_000, 2000, 440.0).samples.chunks(320) {
        let samples = samples.to_vec();
        feed.send(Captured::Samples { rate_hz: 16_000, samples }).expect("taken");
    }
    captures_a_tone(&mut capture);
}

#[test]
fn a_tone_comes_through_a_card_of_16_khz() {
    let test = "a_tone_comes_through_a_card_of_16_khz";
    if is_child(test) {
        captures_a_tone(&mut Microphone::new("default"));
        return;
    }
    Card::new(16_000, 1).speak(test, &[(tone(16_000, 4000, 440.0), Duration::ZERO)]);
}

#[test]
fn a_microphone_that_gives_nothing_but_zeros_is_judged_silent() {
    let test = "a_microphone_that_gives_nothing_but_zeros_is_judged_silent";
    if is_child(test) {
        let sound = record(&mut Microphone::new("default"), 1200);
        let mut meter = Meter::new(sound.rate_hz);
        meter.feed(&sound.samples);
        assert_eq!(meter.level().judgement(), Judgement::Silent);
        return;
    }
    Card::new(16_000, 1).speak(test, &[]);
}

#[test]
fn a_device_that_stops_is_reported_once_and_found_again() {
    let test = "a_device_that_stops_is_reported_once_and_found_again";
    if is_child(test) {
        let mut microphone = Microphone::new("default");
        let deadline = Instant::now() + Duration::from_secs(30);
        let mut seen = Vec::new();
        while seen.len() < 3 {
            assert!(Instant::now() < deadline, "{seen:?}");
            match microphone.next(Duration::from_millis(200)) {
                Some(Captured::Samples { .. }) if seen.is_empty() => {
                    seen.push("samples".to_owned())
                }
                Some(Captured::Lost { error }) => seen.push(error.to_string()),
                Some(Captured::Back) => seen.push("back".to_owned()),
                _ => {}
            }
        }
        let lost =
            "sound device 'default': it gives no sound; `annabella doctor` lists those there are";
        assert_eq!(seen, ["samples", lost, "back"]);
        return;
    }
    let pause = Duration::from_millis(4500);
    Card::new(16_000, 1).speak(test, &[(tone(16_000, 1000, 440.0), pause)]);
}

#[test]
fn a_microphone_that_is_not_there_is_reported_with_the_nearest_name() {
    let test = "a_microphone_that_is_not_there_is_reported_with_the_nearest_name";
    if is_child(test) {
        let mut microphone = Microphone::new("defualt");
        let Some(Captured::Lost { error }) = microphone.next(Duration::from_secs(10)) else {
            panic!("not reported");
        };
        let error = error.to_string();
        assert!(error.contains("there is no microphone of this name (nearest: '"), "{error}");
        assert_eq!(microphone.next(Duration::from_millis(1500)), None, "reported once");
        return;
    }
    Card::new(16_000, 1).speak(test, &[]);
}

#[test]
fn a_move_spoken_into_the_card_is_understood() {
    let test = "a_move_spoken_into_the_card_is_understood";
    if is_child(test) {
        let words = Words::builtin("fide", "de").expect("built-in packs");
        let model = Model::open(&model_path(None).expect("a model")).expect("opened");
        let vocabulary = model.vocabulary(&words);
        let mut microphone = Microphone::new("default");
        let mut listener: Option<Listener> = None;
        let deadline = Instant::now() + Duration::from_secs(30);
        let Utterance { heard, took, .. } = loop {
            assert!(Instant::now() < deadline, "nothing heard");
            let Some(Captured::Samples { rate_hz, samples }) =
                microphone.next(Duration::from_millis(200))
            else {
                continue;
            };
            let listener = listener.get_or_insert_with(|| {
                let mut listener = Listener::new(&model, vocabulary.clone(), rate_hz);
                listener.set_grammar(&Grammar::of_everything(&words, &Chess::default()));
                listener
            });
            if let Some(utterance) = listener.feed(&samples).expect("hears") {
                break utterance;
            }
        };
        let matcher = Ear::new(&words).matcher(&Chess::default(), Context::default());
        let decision = matcher.decide(&heard);
        let Decision::Accept { mv, .. } = decision else { panic!("{decision:?} of {heard:?}") };
        assert_eq!(mv.to_uci(shakmaty::CastlingMode::Standard).to_string(), "g1f3");
        eprintln!("heard in {took:?}: {heard:?}");
        return;
    }
    let said = Speaker::espeak()
        .say("Springer Gustav eins Felix drei", Delivery::default())
        .expect("espeak-ng is installed by scripts/setup.sh");
    let mut spoken = tone(44_100, 1500, 0.0);
    spoken.append(&room::at_rate(&said, 44_100));
    Card::new(44_100, 1).speak(test, &[(spoken, Duration::ZERO)]);
}
