//! Speech in, from the microphone to samples: any format, complete and in order, lost and found
//! again; and the talk key.

use std::{
    fs::File,
    io::Write,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use annabella_devices::voice::{
    Pcm,
    capture::{Capture, CaptureEvent, SimMicrophone},
    keys::{KeyEvent, KeyReader, Keyboard, KeysEvent},
    meter::{Judgement, Meter},
    mic::{Microphone, Wish, input_devices},
};
use cpal::SampleFormat;

use crate::again::again;
use crate::patience::PATIENCE;
use crate::skip::skipped;

// A sound card without a sound card: ALSA reads from a FIFO that is filled at the pace of real
// time.

const CHILD: &str = "ANNABELLA_TEST_CAPTURING";
/// The device's own buffer, milliseconds: the FIFO is filled by whole ones.
const PERIOD_MS: u32 = 40;
/// The same in bytes, at 16 kHz mono.
const PERIOD_BYTES: usize = 2 * 16 * PERIOD_MS as usize;
const RATE_HZ: u32 = 16_000;

fn is_child(test: &str) -> bool {
    std::env::var(CHILD).is_ok_and(|name| name == test)
}

fn mkfifo(path: &Path) {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
}

/// Where a child finds the card.
const FOLDER: &str = "ANNABELLA_TEST_CARD";

struct Card {
    folder: PathBuf,
    /// Whose card it is removes it.
    _whole: Option<tempfile::TempDir>,
}

impl Card {
    fn new() -> Card {
        let whole = tempfile::tempdir().expect("folder");
        let card = Card { folder: whole.path().to_owned(), _whole: Some(whole) };
        let config = format!(
            "</usr/share/alsa/alsa.conf>\n\
             pcm.!default {{ type file slave.pcm {{ type null }} file \"/dev/null\" infile \"{}\" format \"raw\" }}\n\
             pcm.headset {{ type null hint {{ show on description \"A headset\" }} }}\n",
            card.fifo().display()
        );
        std::fs::write(card.folder.join("asound.conf"), config).expect("written");
        card
    }

    fn of_parent() -> Card {
        let folder = std::env::var_os(FOLDER).expect("set by the parent").into();
        Card { folder, _whole: None }
    }

    fn fifo(&self) -> PathBuf {
        self.folder.join("in")
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
    fn run(&self, test: &str, extra: &[(&str, String)]) {
        let mut command = again(module_path!(), test);
        command
            .env(CHILD, test)
            .env(FOLDER, &self.folder)
            .env("ALSA_CONFIG_PATH", self.folder.join("asound.conf"))
            .stdout(Stdio::null())
            .envs(extra.iter().map(|(name, value)| (name, value)));
        let status = command.status().expect("starts");
        assert!(status.success(), "{test} failed in its own process");
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

    /// It goes on.
    fn thaw(&self) {
        self.live.store(true, Ordering::SeqCst);
        let (file, live) = (self.file.try_clone().expect("cloned"), Arc::clone(&self.live));
        std::thread::spawn(move || feed(file, &[], PERIOD_BYTES, &live));
    }

    /// Lets who still reads from it go on.
    fn release(mut self) {
        self.file.write_all(&[0; 8192]).expect("written");
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
    let deadline = Instant::now() + PATIENCE;
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
        "S16 mono 16000" => {
            (Wish { rate_hz: 16_000, channels: 1, format: SampleFormat::I16 }, |value| {
                sixteen_bits(value).to_le_bytes().to_vec()
            })
        }
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
        "float mono 48000" => {
            (Wish { rate_hz: 48_000, channels: 1, format: SampleFormat::F32 }, |value| {
                (value as f32).to_le_bytes().to_vec()
            })
        }
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

fn tone_bytes(tone: &[f64]) -> Vec<u8> {
    tone.iter().flat_map(|value| sixteen_bits(*value).to_le_bytes()).collect()
}

/// The next event that is not samples.
fn news(microphone: &mut dyn Capture, wait: Duration) -> Option<CaptureEvent> {
    let deadline = Instant::now() + wait;
    while Instant::now() < deadline {
        match microphone.next(Duration::from_millis(50)) {
            Some(CaptureEvent::Samples(_)) => {}
            Some(event) => return Some(event),
            None => std::thread::sleep(Duration::from_millis(1)),
        }
    }
    None
}

/// The same for every microphone: what was spoken comes in order and in small chunks; unplugged it
/// says so once, plugged in again it says so once and goes on.
fn captures_like_a_microphone<M: Capture>(
    microphone: &mut M,
    mut plug_and_speak: impl FnMut(&mut M, &[f64]),
    mut unplug: impl FnMut(&mut M),
) {
    let tone = rising(RATE_HZ, 330.0, 480);
    plug_and_speak(microphone, &tone);
    is_the_tone(&record(microphone, 480), &tone);

    unplug(microphone);
    let lost = news(microphone, PATIENCE);
    assert!(matches!(lost, Some(CaptureEvent::Lost { .. })), "{lost:?}");
    assert_eq!(news(microphone, Duration::from_millis(1800)), None, "said once");

    let tone = rising(RATE_HZ, 550.0, 480);
    plug_and_speak(microphone, &tone);
    let back = news(microphone, PATIENCE);
    assert_eq!(back, Some(CaptureEvent::Back { rate_hz: RATE_HZ }));
    is_the_tone(&record(microphone, 480), &tone);
}

#[test]
fn the_simulated_microphone_captures_like_a_microphone() {
    let speak = |microphone: &mut SimMicrophone, tone: &[f64]| {
        microphone.plug();
        let samples = tone.iter().map(|value| sixteen_bits(*value)).collect();
        microphone.hear(&Pcm { rate_hz: RATE_HZ, samples });
    };
    let mut microphone = SimMicrophone::new(RATE_HZ);
    captures_like_a_microphone(&mut microphone, speak, SimMicrophone::unplug);
    microphone.unplug();
    microphone.hear(&Pcm { rate_hz: RATE_HZ, samples: vec![1; 100] });
    microphone.plug();
    assert!(matches!(microphone.next(Duration::ZERO), Some(CaptureEvent::Lost { .. })));
    assert!(matches!(microphone.next(Duration::ZERO), Some(CaptureEvent::Back { .. })));
    assert_eq!(microphone.next(Duration::ZERO), None);
}

#[test]
fn the_microphone_captures_like_a_microphone() {
    let test = "the_microphone_captures_like_a_microphone";
    if !is_child(test) {
        return Card::new().run(test, &[]);
    }
    let card = Card::of_parent();
    let plugged = std::cell::RefCell::new(Vec::new());
    let speak = |_: &mut Microphone, tone: &[f64]| {
        plugged.borrow_mut().push(card.plug(tone_bytes(tone), PERIOD_BYTES));
    };
    let unplug = |_: &mut Microphone| {
        std::fs::remove_file(card.fifo()).expect("removed");
        plugged.borrow().last().expect("plugged in").freeze();
    };
    let mut microphone = Microphone::new("default");
    // Before it is plugged in it is missing, which is said once too.
    let missing = news(&mut microphone, PATIENCE);
    assert!(matches!(missing, Some(CaptureEvent::Lost { .. })), "{missing:?}");
    let first = std::cell::Cell::new(true);
    captures_like_a_microphone(
        &mut microphone,
        |microphone, tone| {
            speak(microphone, tone);
            if first.replace(false) {
                let back = news(microphone, PATIENCE);
                assert_eq!(back, Some(CaptureEvent::Back { rate_hz: RATE_HZ }));
            }
        },
        unplug,
    );
    // Dropping it ends its threads.
    drop(microphone);
}

#[test]
fn a_frozen_microphone_is_noticed_and_opened_again_even_if_its_driver_hangs() {
    let test = "a_frozen_microphone_is_noticed_and_opened_again_even_if_its_driver_hangs";
    if !is_child(test) {
        return Card::new().run(test, &[]);
    }
    let card = Card::of_parent();
    let plug = card.plug(Vec::new(), PERIOD_BYTES);
    let mut microphone = Microphone::new("default");
    assert!(matches!(microphone.next(PATIENCE), Some(CaptureEvent::Samples(_))));
    plug.freeze();
    let Some(CaptureEvent::Lost { error }) = news(&mut microphone, PATIENCE) else {
        panic!("not noticed");
    };
    assert_eq!(
        error.to_string(),
        "sound device 'default': it delivers no samples: unplug it and plug it in again; \
         `annabella doctor` lists those there are"
    );
    assert_eq!(news(&mut microphone, Duration::from_millis(1500)), None);
    plug.thaw();
    let back = news(&mut microphone, PATIENCE);
    assert_eq!(back, Some(CaptureEvent::Back { rate_hz: RATE_HZ }));
    // And while it hangs it can be dropped.
    plug.freeze();
    std::thread::sleep(Duration::from_millis(300));
    drop(microphone);
    plug.release();
}

#[test]
fn what_nobody_fetches_is_counted() {
    let test = "what_nobody_fetches_is_counted";
    if !is_child(test) {
        return Card::new().run(test, &[]);
    }
    let tone = rising(RATE_HZ, 330.0, 4000);
    let _plug = Card::of_parent().plug(tone_bytes(&tone), PERIOD_BYTES);
    let mut microphone = Microphone::new("default");
    std::thread::sleep(Duration::from_secs(3));
    let (mut got_ms, mut lost) = (0, Vec::new());
    while got_ms < 2500 {
        match microphone.next(PATIENCE) {
            Some(CaptureEvent::Samples(chunk)) => got_ms += chunk.samples.len() / 16,
            Some(CaptureEvent::Overrun { lost_ms }) => lost.push(lost_ms),
            event => panic!("{event:?}"),
        }
    }
    assert!(matches!(lost[..], [ms] if (400..1400).contains(&ms)), "{lost:?}");
}

#[test]
fn a_muted_microphone_is_judged_silent() {
    let test = "a_muted_microphone_is_judged_silent";
    if !is_child(test) {
        return Card::new().run(test, &[]);
    }
    let _plug = Card::of_parent().plug(Vec::new(), PERIOD_BYTES);
    let mut microphone = Microphone::new("default");
    let mut meter = Meter::new(RATE_HZ);
    let began = Instant::now();
    while meter.levels().judgement != Judgement::Silent {
        assert!(began.elapsed() < PATIENCE, "{}", meter.plain());
        if let Some(CaptureEvent::Samples(chunk)) = microphone.next(Duration::from_millis(100)) {
            meter.feed(&chunk.samples);
        }
    }
    assert!(began.elapsed() > Duration::from_secs(2));
    assert_eq!(
        meter.plain(),
        "nothing but silence: the microphone is muted or not connected; level -96, peak -96 dBFS"
    );
}

#[test]
fn a_wrong_name_is_answered_once_with_the_nearest() {
    let test = "a_wrong_name_is_answered_once_with_the_nearest";
    if !is_child(test) {
        return Card::new().run(test, &[]);
    }
    let devices = input_devices();
    assert_eq!(devices[0].name, "default");
    let headset = devices.iter().find(|device| device.name == "headset").expect("listed");
    assert_eq!(headset.description, "A headset");
    assert!(devices.iter().all(|device| device.name != "null"));
    let mut microphone = Microphone::new("hedset");
    let Some(CaptureEvent::Lost { error }) = microphone.next(PATIENCE) else {
        panic!("nothing said");
    };
    assert_eq!(
        error.to_string(),
        "sound device 'hedset': there is no microphone of this name, the nearest is 'headset'; \
         `annabella doctor` lists those there are"
    );
    assert_eq!(microphone.next(Duration::from_millis(1800)), None);
}

#[test]
fn a_device_that_cannot_do_sixteen_kilohertz_itself_keeps_its_own_rate() {
    let test = "a_device_that_cannot_do_sixteen_kilohertz_itself_keeps_its_own_rate";
    if is_child(test) {
        let mut microphone = Microphone::new("default");
        let event = microphone.next(PATIENCE);
        let Some(CaptureEvent::Samples(chunk)) = event else { panic!("{event:?}") };
        return assert_eq!(chunk.rate_hz, 44_100);
    }
    let card = Card::new();
    let config = "</usr/share/alsa/alsa.conf>\n\
         pcm.!default { type plug slave { pcm { type null } rate 44100 channels 2 format S16_LE } }\n";
    std::fs::write(card.folder.join("asound.conf"), config).expect("written");
    card.run(test, &[]);
}

/// A sound server of our own, whose default source is what is played to its sink `mic`.
struct Server(Child);

impl Server {
    fn start(folder: &Path) -> Option<Server> {
        let socket = folder.join("pulse.sock");
        let _ = std::fs::remove_file(&socket);
        let mut command = Command::new("pulseaudio");
        command.args(["-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no"]);
        command.args(["--disable-shm=yes", "-L"]);
        command.arg("module-null-sink sink_name=mic rate=16000 channels=1 format=s16le");
        let protocol = "module-native-protocol-unix auth-anonymous=1 socket=";
        command.arg("-L").arg(format!("{protocol}{}", socket.display()));
        command.env("HOME", folder).env("XDG_RUNTIME_DIR", folder);
        let child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let server = Server(child);
        let deadline = Instant::now() + PATIENCE;
        while !socket.exists() {
            assert!(Instant::now() < deadline, "pulseaudio does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Cycles of a tone in a second, by counting where it rises through zero.
fn frequency(pcm: &Pcm) -> f64 {
    let rises = pcm.samples.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
    rises as f64 * f64::from(pcm.rate_hz) / pcm.samples.len() as f64
}

#[test]
fn a_microphone_of_a_sound_server_is_heard_in_real_time_and_survives_its_restart() {
    let test = "a_microphone_of_a_sound_server_is_heard_in_real_time_and_survives_its_restart";
    if is_child(test) {
        return hear_the_sound_server(&Card::of_parent());
    }
    let there = |program: &str| Command::new(program).arg("--version").output().is_ok();
    let plugin = std::fs::read_dir("/usr/lib").is_ok_and(|folders| {
        let module = |path: PathBuf| path.join("alsa-lib/libasound_module_pcm_pulse.so").exists();
        folders.flatten().any(|folder| module(folder.path()))
    });
    if !there("pulseaudio") || !there("paplay") || !plugin {
        return skipped("pulseaudio", "it is not installed (scripts/setup.sh test)");
    }
    let card = Card::new();
    let config = "</usr/share/alsa/alsa.conf>\npcm.!default { type pulse }\n";
    std::fs::write(card.folder.join("asound.conf"), config).expect("written");
    let server = format!("unix:{}", card.folder.join("pulse.sock").display());
    let home = card.folder.display().to_string();
    card.run(test, &[("PULSE_SERVER", server), ("HOME", home.clone()), ("XDG_RUNTIME_DIR", home)]);
}

fn hear_the_sound_server(card: &Card) {
    let wav = card.folder.join("tone.wav");
    let tone = |hz: f64| {
        let samples = rising(RATE_HZ, hz, 1000).iter().map(|value| sixteen_bits(*value)).collect();
        Pcm { rate_hz: RATE_HZ, samples }.write_wav(&wav).expect("written");
        let mut play = Command::new("paplay");
        play.args(["-d", "mic"]).arg(&wav).spawn().expect("paplay")
    };
    // Opening takes its time; what is played before that is heard by nobody.
    let listen = |microphone: &mut Microphone, hz: f64| {
        let first = microphone.next(PATIENCE);
        assert!(matches!(first, Some(CaptureEvent::Samples(_))), "{first:?}");
        let mut play = tone(hz);
        let began = Instant::now();
        let mut heard = Pcm::empty(0);
        let loud = |samples: &[i16]| samples.iter().any(|sample| sample.unsigned_abs() > 500);
        while !loud(&heard.samples) || heard.samples.rchunks(4000).next().is_some_and(loud) {
            assert!(began.elapsed() < PATIENCE, "no tone, or no end of it");
            match microphone.next(Duration::from_millis(100)) {
                Some(CaptureEvent::Samples(chunk)) => {
                    heard.rate_hz = chunk.rate_hz;
                    heard.samples.extend(chunk.samples);
                }
                Some(event) => panic!("{event:?}"),
                None => {}
            }
        }
        assert!(play.wait().expect("ends").success());
        let (length_ms, took_ms) = (heard.length_ms(), began.elapsed().as_millis());
        // What the queue held already may come at once.
        assert!(u128::from(length_ms) < took_ms + 2500, "{length_ms} ms in {took_ms}");
        heard.trim(0);
        assert!((850..1100).contains(&heard.length_ms()), "{} ms", heard.length_ms());
        assert!((frequency(&heard) - hz).abs() < hz * 0.03, "{} Hz", frequency(&heard));
    };
    let server = Server::start(&card.folder).expect("starts");
    let mut microphone = Microphone::new("default");
    listen(&mut microphone, 440.0);
    drop(server);
    let lost = news(&mut microphone, PATIENCE);
    assert!(matches!(lost, Some(CaptureEvent::Lost { .. })), "{lost:?}");
    assert_eq!(news(&mut microphone, Duration::from_secs(1)), None);
    let _server = Server::start(&card.folder).expect("starts");
    let back = news(&mut microphone, PATIENCE);
    assert_eq!(back, Some(CaptureEvent::Back { rate_hz: RATE_HZ }));
    listen(&mut microphone, 660.0);
}

/// A record as the kernel writes it.
fn input_event(kind: u16, code: u16, value: i32) -> Vec<u8> {
    let mut bytes = vec![0; 2 * size_of::<usize>()];
    bytes.extend(kind.to_ne_bytes());
    bytes.extend(code.to_ne_bytes());
    bytes.extend(value.to_ne_bytes());
    bytes
}

#[test]
fn the_talk_key_is_read_let_go_when_the_keyboard_is_lost_and_found_again() {
    let folder = tempfile::tempdir().expect("folder");
    let path = folder.path().join("event0");
    mkfifo(&path);
    let mut keys = KeyReader::new(Keyboard::At(path.clone()), 57);
    let key = |pressed| Some(KeysEvent::Key(KeyEvent { code: 57, pressed }));
    let wait = Duration::from_secs(5);
    let mut keyboard = File::options().write(true).open(&path).expect("opens");
    for value in [1, 2, 0] {
        keyboard.write_all(&input_event(1, 30, value)).expect("another key");
        keyboard.write_all(&input_event(1, 57, value)).expect("the key");
    }
    assert_eq!(keys.next(wait), key(true));
    assert_eq!(keys.next(wait), key(false));
    keyboard.write_all(&input_event(1, 57, 1)).expect("written");
    assert_eq!(keys.next(wait), key(true));
    drop(keyboard);
    assert_eq!(keys.next(wait), key(false), "let go");
    let Some(KeysEvent::Lost(error)) = keys.next(wait) else { panic!("not lost") };
    assert_eq!(error.to_string(), format!("{}: it is gone", path.display()));
    let mut keyboard = File::options().write(true).open(&path).expect("opens");
    keyboard.write_all(&input_event(1, 57, 1)).expect("written");
    assert_eq!(keys.next(wait), Some(KeysEvent::Back));
    assert_eq!(keys.next(wait), key(true));
}

#[test]
fn a_keyboard_that_is_not_there_is_said_once() {
    let mut keys = KeyReader::new(Keyboard::At("/nonexistent/event0".into()), 57);
    let Some(KeysEvent::Lost(error)) = keys.next(PATIENCE) else { panic!() };
    assert_eq!(error.to_string(), "/nonexistent/event0: No such file or directory (os error 2)");
    assert_eq!(keys.next(Duration::from_millis(1800)), None);
}
