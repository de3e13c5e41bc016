//! The set-up by ear on a sound card: what is asked sounds, the tones sound, the microphone is
//! measured.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Read, Write},
    path::Path,
    process::{Child, ChildStdin, Command, Stdio},
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    time::{Duration, Instant},
};

use crate::patience::PATIENCE;

// A sound card without a sound card: ALSA writes into one FIFO and reads from another, both at the
// pace of real time.

const PLAYED_HZ: u32 = 22_050;
const HEARD_HZ: u32 = 16_000;
const PERIOD_MS: u32 = 20;
/// No answer takes longer.
fn fifo(path: &Path) -> File {
    assert!(Command::new("mkfifo").arg(path).status().expect("mkfifo").success());
    // Opened both ways, so that opening does not wait and nobody's leaving is an error.
    OpenOptions::new().read(true).write(true).open(path).expect("opens")
}

/// Something that is done once in every period, until it is dropped.
struct Pace(Arc<AtomicBool>);

impl Pace {
    fn keep(mut each: impl FnMut() -> bool + Send + 'static) -> Pace {
        let live = Arc::new(AtomicBool::new(true));
        let alive = Arc::clone(&live);
        std::thread::spawn(move || {
            let began = Instant::now();
            for n in 1.. {
                if !alive.load(Ordering::SeqCst) || !each() {
                    return;
                }
                let due = began + Duration::from_millis(u64::from(PERIOD_MS)) * n;
                std::thread::sleep(due.saturating_duration_since(Instant::now()));
            }
        });
        Pace(live)
    }
}

impl Drop for Pace {
    fn drop(&mut self) {
        self.0.store(false, Ordering::SeqCst);
    }
}

/// A quiet room and somebody who speaks, again and again. The card's pace is no clock's: it takes
/// what is there, and fills up what it asked for with silence; so there is a little of both in
/// whatever it took.
fn spoken() -> impl FnMut() -> Vec<u8> {
    let (mut n, mut state) = (0u32, 1u32);
    move || {
        let mut bytes = Vec::new();
        for _ in 0..HEARD_HZ * PERIOD_MS / 1000 {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            let noise = f64::from((state >> 16) % 41) - 20.0;
            let voice = if n % (HEARD_HZ * 2 / 5) < HEARD_HZ / 5 { 0.0 } else { 6000.0 };
            let tone = (f64::from(n) * 150.0 * std::f64::consts::TAU / f64::from(HEARD_HZ)).sin();
            bytes.extend(((voice * tone + noise) as i16).to_le_bytes());
            n += 1;
        }
        bytes
    }
}

struct SetUp {
    child: Child,
    stdin: ChildStdin,
    lines: mpsc::Receiver<String>,
}

impl SetUp {
    fn start(folder: &Path, config: &Path) -> SetUp {
        let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["setup", "--typed", "--config"])
            .arg(config)
            .env("ALSA_CONFIG_PATH", folder.join("asound.conf"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        let out = BufReader::new(child.stdout.take().expect("piped"));
        let (send, lines) = mpsc::channel();
        std::thread::spawn(move || {
            for line in out.lines().map_while(Result::ok) {
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        SetUp { stdin: child.stdin.take().expect("piped"), child, lines }
    }

    fn answers(&mut self, question: &str, answer: &str) {
        self.asks(question);
        self.types(answer);
    }

    fn types(&mut self, answer: &str) {
        writeln!(self.stdin, "{answer}").expect("written");
    }

    fn asks(&mut self, question: &str) {
        let deadline = Instant::now() + PATIENCE;
        let mut heard = Vec::new();
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                let _ = self.child.kill();
                panic!("never asked '{question}': {heard:#?}");
            };
            if line.ends_with(question) {
                break;
            }
            heard.push(line);
        }
    }

    fn complaints(mut self) -> String {
        assert!(self.child.wait().expect("an end").success());
        let mut text = String::new();
        let mut err = self.child.stderr.take().expect("piped");
        err.read_to_string(&mut text).expect("read");
        text
    }
}

/// Of each 20 ms, whether that pitch is nearly all that sounds.
fn pitched(samples: &[i16], hz: f64) -> Vec<bool> {
    let step = hz * std::f64::consts::TAU / f64::from(PLAYED_HZ);
    let pieces = samples.chunks_exact((PLAYED_HZ * PERIOD_MS / 1000) as usize);
    let share = |piece: &[i16]| {
        let sum = |wave: fn(f64) -> f64| -> f64 {
            piece.iter().enumerate().map(|(n, own)| f64::from(*own) * wave(n as f64 * step)).sum()
        };
        let all: f64 = piece.iter().map(|own| f64::from(*own).powi(2)).sum();
        2.0 * (sum(f64::sin).powi(2) + sum(f64::cos).powi(2)) / (all * piece.len() as f64 + 1.0)
    };
    pieces.map(|piece| share(piece) > 0.8).collect()
}

/// The longest time without a gap that a pitch sounds, milliseconds.
fn longest_ms(pitched: &[bool]) -> u32 {
    let longest = pitched.split(|is| !is).map(<[bool]>::len).max().unwrap_or(0);
    u32::try_from(longest).expect("short") * PERIOD_MS
}

#[test]
fn what_is_asked_sounds_and_the_microphone_is_measured() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, heard) = (folder.path().join("out"), folder.path().join("in"));
    let (mut played, mut hears) = (fifo(&out), fifo(&heard));
    let asound = format!(
        "</usr/share/alsa/alsa.conf>\n\
         pcm.!default {{ type asym playback.pcm \"loud\" capture.pcm \"mike\" }}\n\
         pcm.loud {{ type plug slave {{ pcm \"sim\" rate {PLAYED_HZ} channels 1 format S16_LE }} }}\n\
         pcm.sim {{ type file slave.pcm {{ type null }} file \"{}\" format \"raw\" }}\n\
         pcm.mike {{ type file slave.pcm {{ type null }} file \"/dev/null\" infile \"{}\" format \"raw\" }}\n",
        out.display(),
        heard.display()
    );
    std::fs::write(folder.path().join("asound.conf"), asound).expect("written");
    let samples: Arc<Mutex<Vec<i16>>> = Arc::default();
    let kept = Arc::clone(&samples);
    let _playing = Pace::keep(move || {
        let mut buffer = [0u8; 2 * (PLAYED_HZ * PERIOD_MS / 1000) as usize];
        let Ok(length) = played.read(&mut buffer) else { return false };
        let pairs = buffer[..length].chunks_exact(2);
        let more = pairs.map(|pair| i16::from_le_bytes([pair[0], pair[1]]));
        kept.lock().expect("kept").extend(more);
        true
    });
    let mut speaks = spoken();
    let _speaking = Pace::keep(move || hears.write_all(&speaks()).is_ok());
    // A model that is named is not replaced: whatever network is here, none is offered.
    let config = folder.path().join("annabella.toml");
    let before = "[speech]\npublic = \"none\"\nmodel = \"built-in\"\n[board]\nkind = \"sim\"\n";
    std::fs::write(&config, before).expect("written");
    let mut set_up = SetUp::start(folder.path(), &config);
    set_up.answers("sakykite septyni.", "Deutsch");
    set_up.answers("Welche Stimme? Stimme eins.", "nein");
    set_up.answers("Stimme zwei.", "ja");
    set_up.answers("Ist das Sprechtempo gut?", "schneller");
    set_up.answers("Tempo hundertachtzig. Ist das Sprechtempo gut?", "ja");
    set_up.asks("Standardgerät. Hörst du mich hier?");
    // The card was opened once: silence of another stream would be between the pieces of a tone.
    for hz in [440.0, 660.0] {
        let longest = || longest_ms(&pitched(&samples.lock().expect("kept"), hz));
        let end = Instant::now() + PATIENCE;
        while longest() < 300 && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(100));
        }
        assert!((300..400).contains(&longest()), "{hz} Hz for {} ms", longest());
    }
    set_up.types("ja");
    // All of it is heard here, the tones too: the microphone comes after it.
    set_up.answers("Kein Lautsprecher.", "ja");
    set_up.answers("Gut zu hören. Noch einmal messen?", "nein");
    set_up.answers("Welches Brett hast du? Wie bisher.", "weiter");
    set_up.answers("Welches Brett hat dein Gegner? Ein gewöhnliches Brett.", "fertig");
    set_up.answers("Alles speichern?", "ja");
    let complaints = set_up.complaints();
    assert!(!complaints.contains("sound device"), "{complaints}");
    let written = std::fs::read_to_string(&config).expect("written");
    assert!(written.contains("voice = \"f2\"") && written.contains("rate = 180"), "{written}");
    let samples = samples.lock().expect("kept");
    let loud = samples.iter().filter(|sample| sample.unsigned_abs() > 3000).count();
    // A second of loud sound at least, in a good ten of them.
    assert!(loud > PLAYED_HZ as usize / 4, "{loud} of {} samples", samples.len());
}
