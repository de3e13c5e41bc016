//! From a move's announcement asked for to its first sample taken by the sound device: prepared
//! beforehand against rendered on the spot.
//!
//! The device is simulated: ALSA writes into a pipe that is read at the pace of real time. What a
//! real card adds behind that (its own buffer) is not in the figures.

use std::{
    io::Read,
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use annabella_core::game::{Channel, Urgency};
use annabella_devices::voice::{
    Mouth, Rate, VoiceEvent,
    espeak::Espeak,
    speaker::{Speaker, SpeakerDevices},
};
use annabella_players::games::random_game;
use annabella_words::phrase::{SpokenForm, Utterance, Words};
use shakmaty::Position;

const CHILD: &str = "ANNABELLA_BENCH_SPEECH";
/// 384 bytes a millisecond: a pipe gives room by pages of 4 KiB, which must be short in time.
const RATE_HZ: u32 = 48_000;
const BYTES_A_MS: usize = 384;

fn main() {
    if Espeak::new().is_err() {
        println!("speech_out: espeak-ng is not installed, nothing measured");
        return;
    }
    if std::env::var_os(CHILD).is_some() {
        measure();
        return;
    }
    let folder = tempfile::tempdir().expect("folder");
    let fifo = folder.path().join("out");
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.is_ok_and(|status| status.success()), "mkfifo failed");
    let config = format!(
        "</usr/share/alsa/alsa.conf>\n\
         pcm.!default {{ type plug slave {{ pcm \"sim\" rate {RATE_HZ} channels 2 format S32_LE }} }}\n\
         pcm.sim {{ type file slave.pcm {{ type null }} file \"{}\" format \"raw\" }}\n",
        fifo.display()
    );
    std::fs::write(folder.path().join("asound.conf"), config).expect("written");
    let mut child = Command::new(std::env::current_exe().expect("this bench"))
        .env(CHILD, "1")
        .env("ALSA_CONFIG_PATH", folder.path().join("asound.conf"))
        .stdin(Stdio::null())
        .spawn()
        .expect("starts");
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.read(true).write(true).open(&fifo).expect("opens");
    std::thread::spawn(move || {
        let mut buffer = [0u8; 5 * BYTES_A_MS];
        let (began, mut periods) = (Instant::now(), 0);
        while file.read_exact(&mut buffer).is_ok() {
            periods += 1;
            let due = began + Duration::from_millis(5) * periods;
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
    });
    let status = child.wait().expect("ends");
    assert!(status.success(), "the measuring process failed");
}

/// Announcements that differ, as many as wanted: legal moves of positions in a row.
fn announcements() -> Vec<Utterance> {
    let words = Words::builtin("fide", "de").expect("built-in packs");
    let (mut position, moves) = random_game(4, 60);
    let mut all: Vec<Utterance> = Vec::new();
    for played in moves {
        for mv in position.legal_moves() {
            let words = words.announce(&position, mv, SpokenForm::Full);
            if !all.contains(&words) {
                all.push(words);
            }
        }
        position.play_unchecked(played);
    }
    all
}

fn measure() {
    let mut mouth = Speaker::new(
        Espeak::new().expect("checked by the parent"),
        &SpeakerDevices { public: "default".into(), private: "none".into() },
    );
    let all = announcements();
    let engine = Espeak::new().expect("checked by the parent");
    let rendering: Vec<u64> = all
        .iter()
        .take(60)
        .map(|words| {
            let began = Instant::now();
            engine.render(words, Rate::default()).expect("rendered");
            u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX)
        })
        .collect();
    // The device's pipe fills up first.
    std::thread::sleep(Duration::from_secs(2));
    let (prepared, fresh) = all.split_at(120.min(all.len() * 2 / 3));
    mouth.prepare(prepared);
    // Rendering takes some 20 ms each; the player thinks longer than this.
    std::thread::sleep(Duration::from_secs(8));
    let prepared: Vec<u64> = prepared.iter().map(|words| after_us(&mut mouth, words)).collect();
    let fresh: Vec<u64> = fresh.iter().take(60).map(|words| after_us(&mut mouth, words)).collect();
    println!("speech out, milliseconds           n   median      p99");
    row("prepared: say to first sample", prepared, Some(50.0));
    row("rendered on the spot", fresh, None);
    row("rendering alone (espeak-ng)", rendering, None);
}

fn row(name: &str, mut us: Vec<u64>, budget_ms: Option<f64>) {
    us.sort_unstable();
    let at = |share: f64| {
        let index = ((us.len() - 1) as f64 * share).round() as usize;
        us[index] as f64 / 1000.0
    };
    let verdict = match budget_ms {
        Some(budget) if at(0.99) < budget => format!("  within {budget} ms"),
        Some(budget) => format!("  OVER {budget} ms"),
        None => String::new(),
    };
    println!("{name:<32} {:>4} {:>8.2} {:>8.2}{verdict}", us.len(), at(0.5), at(0.99));
}

fn after_us(mouth: &mut Speaker, words: &Utterance) -> u64 {
    mouth.events();
    mouth.say(Channel::Public, Urgency::Announcement, words);
    let deadline = Instant::now() + Duration::from_secs(10);
    loop {
        for event in mouth.events() {
            if let VoiceEvent::Began { after_us, .. } = event {
                // Long enough not to measure the same buffer twice, short enough to be done soon.
                std::thread::sleep(Duration::from_millis(60));
                mouth.hush();
                std::thread::sleep(Duration::from_millis(40));
                return after_us;
            }
        }
        assert!(Instant::now() < deadline, "nothing sounded");
        std::thread::sleep(Duration::from_millis(1));
    }
}
