//! Speech in, from the microphone to samples: any format, complete and in order, lost and found
//! again; and the talk key.
#![cfg(feature = "sound")]

use std::{
    fs::File,
    io::{Read, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use annabella::voice::{
    Pcm,
    capture::{Capture, CaptureEvent, SimMicrophone},
    keys::{KeyEvent, KeyReader, Keyboard, KeysEvent},
    meter::{Judgement, Meter},
    mic::{Microphone, Wish, input_devices},
};
use cpal::SampleFormat;

// A sound card without a sound card: ALSA reads from a FIFO that is filled at the pace of real time.

const CHILD: &str = "ANNABELLA_TEST_CAPTURING";
/// The device's own buffer, milliseconds: the FIFO is filled by whole ones.
const PERIOD_MS: u32 = 40;

fn is_child(test: &str) -> bool {
    std::env::var(CHILD).is_ok_and(|name| name == test)
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

struct Card {
    folder: tempfile::TempDir,
}

impl Card {
    fn new() -> Card {
        let folder = tempfile::tempdir().expect("folder");
        let card = Card { folder };
        let config = format!(
            "</usr/share/alsa/alsa.conf>\n\
             pcm.!default {{ type file slave.pcm {{ type null }} file \"/dev/null\" infile \"{}\" format \"raw\" }}\n\
             pcm.headset {{ type null hint {{ show on description \"A headset\" }} }}\n",
            card.fifo().display()
        );
        std::fs::write(card.folder.path().join("asound.conf"), config).expect("written");
        card
    }

    fn fifo(&self) -> PathBuf {
        self.folder.path().join("in")
    }

    /// Plugs the microphone in: it gives these bytes, `period` of them each 40 ms, then zeros.
    fn plug(&self, bytes: Vec<u8>, period: usize) -> Plug {
        mkfifo(&self.fifo());
        // Opened for reading too, so that opening does not wait and nobody's leaving is an error.
        let file = File::options().read(true).write(true).open(self.fifo()).expect("opens");
        let live = Arc::new(AtomicBool::new(true));
        let plug = Plug { file: file.try_clone().expect("cloned"), live: Arc::clone(&live) };
        std::thread::spawn(move || feed(file, &bytes, period, &live));
        plug
    }

    /// Runs one test again as a process that has this card.
    fn start(&self, test: &str, extra: &[(&str, String)]) -> Running {
        let mut command = Command::new(std::env::current_exe().expect("this test"));
        command
            .args(["--exact", test, "--nocapture"])
            .env(CHILD, test)
            .env("ALSA_CONFIG_PATH", self.folder.path().join("asound.conf"))
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .envs(extra.iter().map(|(name, value)| (name, value)));
        Running(command.spawn().expect("starts"))
    }

    fn run(&self, test: &str, extra: &[(&str, String)]) {
        self.start(test, extra).ends();
    }
}

fn feed(mut file: File, bytes: &[u8], period: usize, live: &AtomicBool) {
    let silence = vec![0; period];
    let began = Instant::now();
    let mut periods = bytes.chunks_exact(period).chain(std::iter::repeat(&silence[..]));
    for n in 1.. {
        let bytes = periods.next().expect("endless");
        if !live.load(Ordering::SeqCst) || file.write_all(bytes).is_err() {
            return;
        }
        let due = began + Duration::from_millis(u64::from(PERIOD_MS)) * n;
        std::thread::sleep(due.saturating_duration_since(Instant::now()));
    }
}

struct Plug {
    file: File,
    live: Arc<AtomicBool>,
}

impl Plug {
    /// It delivers no more, but is still there.
    fn freeze(&self) {
        self.live.store(false, Ordering::SeqCst);
    }

    /// Lets who still reads from it go on.
    fn release(mut self) {
        self.file.write_all(&[0; 8192]).expect("written");
    }
}

struct Running(Child);

impl Running {
    fn ends(mut self) {
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.0.try_wait().expect("waits").is_none() {
            assert!(Instant::now() < deadline, "the process does not end");
            std::thread::sleep(Duration::from_millis(10));
        }
        assert!(self.0.wait().expect("waits").success(), "failed in its own process");
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A tone that grows louder, so that a sample says by itself where it belongs.
fn rising(rate_hz: u32, hz: f64, ms: u32) -> Vec<f64> {
    let count = rate_hz * ms / 1000;
    (0..count)
        .map(|n| {
            let t = f64::from(n) / f64::from(rate_hz);
            0.8 * f64::from(n) / f64::from(count) * (t * hz * std::f64::consts::TAU).sin()
        })
        .collect()
}

fn sixteen_bits(value: f64) -> i16 {
    (value * 32_768.0).round() as i16
}

/// The samples until nothing but silence comes, without the silence at both ends; and the rate.
fn record(microphone: &mut dyn Capture, ms: u32) -> Pcm {
    let deadline = Instant::now() + Duration::from_secs(10);
    let mut pcm = Pcm::empty(0);
    while Instant::now() < deadline && (pcm.rate_hz == 0 || pcm.length_ms() < u64::from(ms)) {
        match microphone.next(Duration::from_millis(100)) {
            Some(CaptureEvent::Samples(chunk)) => {
                assert!(chunk.from <= chunk.until);
                pcm.rate_hz = chunk.rate_hz;
                pcm.samples.extend(chunk.samples);
            }
            Some(event) => panic!("{event:?}"),
            None => {}
        }
    }
    let first = pcm.samples.iter().position(|sample| *sample != 0).unwrap_or(0);
    let last = pcm.samples.iter().rposition(|sample| *sample != 0).unwrap_or(0);
    Pcm { rate_hz: pcm.rate_hz, samples: pcm.samples[first..=last].to_vec() }
}

/// The very samples of the tone, none missing, none twice.
fn is_the_tone(pcm: &Pcm, tone: &[f64]) {
    let expected: Vec<i16> = tone.iter().map(|value| sixteen_bits(*value)).collect();
    let first = expected.iter().position(|sample| *sample != 0).expect("a tone");
    let expected = &expected[first..];
    assert!(pcm.samples.len().abs_diff(expected.len()) <= 2, "{} samples", pcm.samples.len());
    for (n, (got, wanted)) in pcm.samples.iter().zip(expected).enumerate() {
        assert!(got.abs_diff(*wanted) <= 1, "sample {n}: {got} instead of {wanted}");
    }
}

/// How a device of the test records.
fn format_of(name: &str) -> (Wish, fn(f64) -> Vec<u8>) {
    match name {
        "S16 mono 16000" => (
            Wish { rate_hz: 16_000, channels: 1, format: SampleFormat::I16 },
            |value| sixteen_bits(value).to_le_bytes().to_vec(),
        ),
        // Left louder than right: the mean is the tone.
        "S16 stereo 44100" => {
            (Wish { rate_hz: 44_100, channels: 2, format: SampleFormat::I16 }, |value| {
                let (left, right) = (sixteen_bits(value * 1.2), sixteen_bits(value * 0.8));
                [left.to_le_bytes(), right.to_le_bytes()].concat()
            })
        }
        "S32 stereo 48000" => {
            (Wish { rate_hz: 48_000, channels: 2, format: SampleFormat::I32 }, |value| {
                let sample = (value * 2_147_483_648.0) as i32;
                [sample.to_le_bytes(), sample.to_le_bytes()].concat()
            })
        }
        "float mono 48000" => (
            Wish { rate_hz: 48_000, channels: 1, format: SampleFormat::F32 },
            |value| (value as f32).to_le_bytes().to_vec(),
        ),
        other => panic!("{other}"),
    }
}

fn a_tone_arrives(test: &str, format: &str) {
    let (wish, bytes) = format_of(format);
    let tone = rising(wish.rate_hz, 440.0, 1000);
    if is_child(test) {
        let mut microphone = Microphone::with("default", wish);
        let pcm = record(&mut microphone, 1400);
        assert_eq!(pcm.rate_hz, wish.rate_hz);
        is_the_tone(&pcm, &tone);
        return;
    }
    let card = Card::new();
    let bytes: Vec<u8> = tone.iter().flat_map(|value| bytes(*value)).collect();
    let frame = bytes.len() / tone.len();
    let _plug = card.plug(bytes, frame * (wish.rate_hz * PERIOD_MS / 1000) as usize);
    card.run(test, &[]);
}

#[test]
fn a_tone_arrives_complete_from_sixteen_bits_mono() {
    a_tone_arrives("a_tone_arrives_complete_from_sixteen_bits_mono", "S16 mono 16000");
}

#[test]
fn a_tone_arrives_complete_from_sixteen_bits_stereo() {
    a_tone_arrives("a_tone_arrives_complete_from_sixteen_bits_stereo", "S16 stereo 44100");
}

#[test]
fn a_tone_arrives_complete_from_thirty_two_bits_stereo() {
    a_tone_arrives("a_tone_arrives_complete_from_thirty_two_bits_stereo", "S32 stereo 48000");
}

#[test]
fn a_tone_arrives_complete_from_floats() {
    a_tone_arrives("a_tone_arrives_complete_from_floats", "float mono 48000");
}

/// The bytes of 16 kHz mono, and of a period.
