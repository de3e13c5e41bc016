//! Speech out: rendered, played on a sound card, cut, ordered, lost and found again.

use std::{
    io::Read,
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use annabella_core::game::{Channel, Urgency};
use annabella_devices::voice::{
    Mouth, Pcm, Rate, VoiceError, VoiceEvent,
    espeak::Espeak,
    sim::SimMouth,
    speaker::{Speaker, SpeakerDevices},
    system::SystemMouth,
};
use annabella_words::phrase::{Part, Utterance};

use crate::again::again;
use crate::patience::{PATIENCE, until};
use crate::skip::skipped;

fn words(lang: &str, text: &str) -> Utterance {
    let part = Part { lang: lang.into(), text: text.into(), sound: String::new() };
    Utterance { parts: vec![part] }
}

fn german(text: &str) -> Utterance {
    words("de", text)
}

fn espeak() -> Espeak {
    Espeak::new().expect("espeak-ng is installed by scripts/setup.sh")
}

#[test]
fn a_move_is_rendered_in_about_the_time_it_takes_to_say() {
    let pcm = espeak().render(&german("Springer Gustav eins Felix drei"), Rate::default());
    let pcm = pcm.expect("rendered");
    assert!((1200..3500).contains(&pcm.length_ms()), "{} ms", pcm.length_ms());
    assert!(pcm.rms() > 1000.0, "rms {}", pcm.rms());
    let fast = espeak().render(&german("Springer Gustav eins Felix drei"), Rate::new(400));
    assert!(fast.expect("rendered").length_ms() * 3 < pcm.length_ms() * 2);
}

#[test]
fn what_looks_like_an_option_is_spoken_not_obeyed() {
    for text in ["--help", "-v en", "--stdout", "; touch x", "$(touch x)"] {
        let pcm = espeak().render(&german(text), Rate::default()).expect("rendered");
        assert!(pcm.length_ms() > 200, "{text}: {} ms", pcm.length_ms());
    }
    let evil = espeak().render(&words("--help", "eins"), Rate::default());
    assert_eq!(evil, Err(VoiceError::NoVoice { lang: "--help".into() }));
}

#[test]
fn every_language_of_the_packs_has_a_voice_and_an_unknown_one_says_so() {
    for lang in ["de", "en", "ru", "fr", "es", "pl", "lt"] {
        let pcm = espeak().render(&words(lang, "Anna"), Rate::default()).expect(lang);
        assert!(pcm.rms() > 500.0, "{lang}: rms {}", pcm.rms());
    }
    let unknown = espeak().render(&words("qq", "Anna"), Rate::default());
    assert_eq!(unknown, Err(VoiceError::NoVoice { lang: "qq".into() }));
}

#[test]
fn each_part_is_said_by_its_own_voice() {
    let mut both = german("Springer");
    both.parts.extend(words("ru", "конь").parts);
    let mixed = espeak().render(&both, Rate::default()).expect("rendered");
    let alone = espeak().render(&german("Springer"), Rate::default()).expect("rendered");
    assert_eq!(mixed.samples[..alone.samples.len()], alone.samples[..]);
    assert!(mixed.length_ms() > alone.length_ms() + 300);
}

#[test]
fn a_missing_engine_names_the_package() {
    let err = Espeak::at("no-such-espeak").expect_err("missing").to_string();
    assert_eq!(err, "espeak-ng not found: apt-get install espeak-ng");
}

/// The same for every mouth: order by urgency, silence after hush, events for what was said.
fn speaks_like_a_mouth<M: Mouth>(mouth: &mut M, run: impl Fn(&mut M)) {
    mouth.say(Channel::Public, Urgency::Announcement, &german("eins"));
    run(mouth);
    assert!(!mouth.is_speaking(Channel::Public));
    let events = events_to_the_end(mouth, Channel::Public);
    let began = |event: &VoiceEvent| matches!(event, VoiceEvent::Began { channel, .. } if *channel == Channel::Public);
    assert_eq!(events.iter().filter(|event| began(event)).count(), 1, "{events:?}");

    mouth.say(Channel::Private, Urgency::Hint, &german("zwei"));
    mouth.say(Channel::Private, Urgency::Alert, &german("drei"));
    mouth.say(Channel::Public, Urgency::Announcement, &german("vier fünf sechs sieben acht"));
    assert!(mouth.is_speaking(Channel::Public) && mouth.is_speaking(Channel::Private));
    mouth.hush();
    run(mouth);
    assert!(!mouth.is_speaking(Channel::Public) && !mouth.is_speaking(Channel::Private));
    mouth.events();

    mouth.set_volume(Channel::Private, 50);
    mouth.set_rate(Channel::Private, Rate::new(300));
    mouth.prepare(&[german("acht")]);
    mouth.say(Channel::Private, Urgency::Answer, &german("acht"));
    run(mouth);
    events_to_the_end(mouth, Channel::Private);
}

#[test]
fn the_simulated_mouth_speaks_like_a_mouth() {
    // The twin has no time of its own: it speaks when told to.
    let run = |mouth: &mut SimMouth| {
        while mouth.speak(Channel::Public).is_some() || mouth.speak(Channel::Private).is_some() {}
    };
    let mut mouth = SimMouth::new();
    speaks_like_a_mouth(&mut mouth, run);
    let said: Vec<&str> = mouth.said.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(said, ["eins", "acht"]);
    mouth.say(Channel::Private, Urgency::Hint, &german("zwei"));
    mouth.say(Channel::Private, Urgency::Alert, &german("drei"));
    run(&mut mouth);
    let said: Vec<&str> = mouth.said.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(said, ["eins", "acht", "drei", "zwei"]);
}

// A sound card without a sound card: ALSA writes into a FIFO that is read at the pace of real time.

const CHILD: &str = "ANNABELLA_TEST_SPEAKING";
const RATE_HZ: u32 = 22_050;

struct Card {
    folder: tempfile::TempDir,
}

impl Card {
    fn new() -> Card {
        let folder = tempfile::tempdir().expect("folder");
        let fifo = folder.path().join("out");
        assert!(Command::new("mkfifo").arg(&fifo).status().expect("mkfifo").success());
        let config = format!(
            "</usr/share/alsa/alsa.conf>\n\
             pcm.!default {{ type plug slave {{ pcm \"sim\" rate {RATE_HZ} channels 1 format S16_LE }} }}\n\
             pcm.sim {{ type file slave.pcm {{ type null }} file \"{}\" format \"raw\" }}\n",
            fifo.display()
        );
        std::fs::write(folder.path().join("asound.conf"), config).expect("written");
        Card { folder }
    }

    /// Runs one test again as a process that has this card, and gives back what it played.
    fn record(&self, test: &str, extra: &[(&str, String)]) -> Pcm {
        let mut command = again(module_path!(), test);
        command
            .env(CHILD, test)
            .env("ALSA_CONFIG_PATH", self.folder.path().join("asound.conf"))
            .stdout(Stdio::null());
        for (name, value) in extra {
            command.env(name, value);
        }
        let mut child = command.spawn().expect("starts");
        let samples = read_at_pace(&self.folder.path().join("out"), &mut child);
        let status = child.wait().expect("ends");
        assert!(status.success(), "{test} failed in its own process");
        Pcm { rate_hz: RATE_HZ, samples }
    }
}

fn read_at_pace(fifo: &Path, child: &mut Child) -> Vec<i16> {
    // Opened for writing too, so that opening does not wait and reading does not end.
    let mut options = std::fs::OpenOptions::new();
    let mut file = options.read(true).write(true).open(fifo).expect("opens");
    let (send, receive) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let mut buffer = [0u8; 882];
        let began = Instant::now();
        let mut periods = 0;
        while let Ok(length) = file.read(&mut buffer) {
            if send.send(buffer[..length].to_vec()).is_err() {
                return;
            }
            periods += 1;
            let due = began + Duration::from_millis(20) * periods;
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
        }
    });
    let mut bytes = Vec::new();
    let deadline = Instant::now() + PATIENCE;
    loop {
        assert!(Instant::now() < deadline, "the process does not end");
        match receive.recv_timeout(Duration::from_millis(300)) {
            Ok(more) => bytes.extend(more),
            // What it had written before it ended is still read at its pace.
            Err(_) if child.try_wait().expect("waits").is_some() => break,
            Err(_) => {}
        }
    }
    bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
}

fn is_child(test: &str) -> bool {
    std::env::var(CHILD).is_ok_and(|name| name == test)
}

fn until_quiet(mouth: &dyn Mouth) {
    let deadline = Instant::now() + PATIENCE;
    while mouth.is_speaking(Channel::Public) || mouth.is_speaking(Channel::Private) {
        assert!(Instant::now() < deadline, "still speaking");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// What has happened up to the end of what this channel says; the event may come after the last
/// sample.
fn events_to_the_end(mouth: &mut dyn Mouth, channel: Channel) -> Vec<VoiceEvent> {
    let mut events = Vec::new();
    until("the end is told", || {
        events.extend(mouth.events());
        events.contains(&VoiceEvent::Finished { channel })
    });
    events
}

fn speaker(private: &str) -> Speaker {
    let devices = SpeakerDevices { public: "default".into(), private: private.into() };
    Speaker::new(espeak(), &devices)
}

/// Loudness of each 20 ms.
fn envelope(pcm: &Pcm) -> Vec<f64> {
    let frame = (pcm.rate_hz / 50) as usize;
    pcm.samples
        .chunks(frame)
        .map(|samples| Pcm { rate_hz: pcm.rate_hz, samples: samples.to_vec() }.rms())
        .collect()
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let n = a.len().min(b.len());
    let mean = |x: &[f64]| x[..n].iter().sum::<f64>() / n as f64;
    let (ma, mb) = (mean(a), mean(b));
    let mut sums = (0.0, 0.0, 0.0);
    for (x, y) in a[..n].iter().zip(&b[..n]) {
        let (x, y) = (x - ma, y - mb);
        sums = (sums.0 + x * y, sums.1 + x * x, sums.2 + y * y);
    }
    sums.0 / (sums.1 * sums.2).sqrt()
}

#[test]
fn the_sound_card_gets_what_was_rendered() {
    let text = german("Springer Gustav eins Felix drei");
    if is_child("the_sound_card_gets_what_was_rendered") {
        let mut mouth = speaker(&std::env::var("EARPHONE").expect("set"));
        mouth.say(Channel::Public, Urgency::Announcement, &text);
        until_quiet(&mouth);
        std::thread::sleep(Duration::from_millis(500));
        return;
    }
    let mut rendered = espeak().render(&text, Rate::default()).expect("rendered");
    rendered.trim(0);
    // Opened twice, the card would get the silence of one between the words of the other.
    for earphone in ["none", "default"] {
        let extra = [("EARPHONE", earphone.to_owned())];
        let mut played = Card::new().record("the_sound_card_gets_what_was_rendered", &extra);
        played.trim(0);
        let played_ms = played.length_ms();
        assert!(played_ms.abs_diff(rendered.length_ms()) < 60, "{earphone}: {played_ms} ms");
        let alike = correlation(&envelope(&played), &envelope(&rendered));
        assert!(alike > 0.9, "{earphone}: correlation {alike}");
    }
}

#[test]
fn tones_sound_on_the_stream_that_is_open_after_what_was_asked_before() {
    let name = "tones_sound_on_the_stream_that_is_open_after_what_was_asked_before";
    if is_child(name) {
        let mut mouth = speaker("default");
        mouth.say(Channel::Private, Urgency::Answer, &german("Anna"));
        mouth.tones(Channel::Private);
        until_quiet(&mouth);
        std::thread::sleep(Duration::from_millis(300));
        return;
    }
    let mut played = Card::new().record(name, &[]);
    played.trim(0);
    let mut words = espeak().render(&german("Anna"), Rate::default()).expect("rendered");
    words.trim(0);
    // A tone, a pause, a tone: 850 ms behind the word, 150 of them silent. A busy machine's card is
    // silent now and then besides.
    let played_ms = played.length_ms().saturating_sub(words.length_ms());
    assert!(played_ms >= 840, "{played_ms} ms");
    let stretch = RATE_HZ as usize / 1000;
    let sounding = |samples: &[i16]| -> Vec<i16> {
        let parts = samples.chunks(stretch * 5);
        parts.filter(|part| part.iter().any(|sample| *sample != 0)).flatten().copied().collect()
    };
    let (sound, said) = (sounding(&played.samples), sounding(&words.samples));
    let tones_ms = sound.len().saturating_sub(said.len()) / stretch;
    assert!((690..810).contains(&tones_ms), "{tones_ms} ms");
    let tones = &sound[sound.len() - 700 * stretch..];
    let (left, right) = tones.split_at(tones.len() / 2);
    let waves = |part: &[i16]| part.windows(2).filter(|two| two[0] < 0 && two[1] >= 0).count();
    let counted = (waves(left), waves(right));
    assert!(counted.0.abs_diff(154) < 6 && counted.1.abs_diff(231) < 6, "{counted:?}");
}

#[test]
fn the_speaker_speaks_like_a_mouth() {
    if is_child("the_speaker_speaks_like_a_mouth") {
        let mut mouth = speaker("default");
        speaks_like_a_mouth(&mut mouth, |mouth| until_quiet(mouth));
        return;
    }
    Card::new().record("the_speaker_speaks_like_a_mouth", &[]);
}

#[test]
fn hush_cuts_speech_at_once() {
    let long = german("Springer Gustav eins Felix drei, Springer Gustav eins Felix drei");
    if is_child("hush_cuts_speech_at_once") {
        let mut mouth = speaker("none");
        mouth.say(Channel::Public, Urgency::Announcement, &long);
        let deadline = Instant::now() + PATIENCE;
        while !mouth.events().iter().any(|event| matches!(event, VoiceEvent::Began { .. })) {
            assert!(Instant::now() < deadline, "never began");
            std::thread::sleep(Duration::from_millis(2));
        }
        std::thread::sleep(Duration::from_millis(300));
        mouth.hush();
        until_quiet(&mouth);
        std::thread::sleep(Duration::from_millis(1500));
        return;
    }
    let mut played = Card::new().record("hush_cuts_speech_at_once", &[]);
    played.trim(0);
    let whole = espeak().render(&long, Rate::default()).expect("rendered");
    // Not a timing: what had reached the device's own buffer may still sound.
    assert!(played.length_ms() * 2 < whole.length_ms(), "{} ms sounded", played.length_ms());
}

#[test]
fn volume_changes_what_is_heard() {
    if is_child("volume_changes_what_is_heard") {
        let percent = std::env::var("PERCENT").ok().and_then(|text| text.parse().ok());
        let mut mouth = speaker("none");
        mouth.set_volume(Channel::Public, percent.expect("set"));
        mouth.say(Channel::Public, Urgency::Announcement, &german("Anna"));
        until_quiet(&mouth);
        std::thread::sleep(Duration::from_millis(300));
        return;
    }
    let rms = |percent: u8| {
        let extra = [("PERCENT", percent.to_string())];
        let mut played = Card::new().record("volume_changes_what_is_heard", &extra);
        played.trim(0);
        played.rms()
    };
    let (loud, quiet) = (rms(100), rms(25));
    assert!((3.0..5.5).contains(&(loud / quiet)), "{loud} against {quiet}");
}

#[test]
fn a_missing_sound_card_is_reported_once_and_stops_nothing() {
    if is_child("a_missing_sound_card_is_reported_once_and_stops_nothing") {
        let devices = SpeakerDevices { public: "default".into(), private: "no-such-card".into() };
        let mut mouth = Speaker::new(espeak(), &devices);
        mouth.say(Channel::Private, Urgency::Answer, &german("eins"));
        mouth.say(Channel::Public, Urgency::Announcement, &german("zwei"));
        std::thread::sleep(Duration::from_secs(3));
        let events = mouth.events();
        let lost: Vec<String> = events
            .iter()
            .filter_map(|event| match event {
                VoiceEvent::DeviceLost { channel: Channel::Private, error } => {
                    Some(error.to_string())
                }
                _ => None,
            })
            .collect();
        assert_eq!(
            lost,
            ["sound device 'no-such-card': there is no device of this name; \
              `annabella doctor` lists those there are"]
        );
        assert!(events.contains(&VoiceEvent::Finished { channel: Channel::Public }), "{events:?}");
        return;
    }
    Card::new().record("a_missing_sound_card_is_reported_once_and_stops_nothing", &[]);
}

/// A speech-dispatcher of our own, on the simulated card.
struct Daemon {
    child: Child,
    socket: String,
}

impl Daemon {
    fn start(folder: &Path) -> Option<Daemon> {
        let config = folder.join("speechd");
        std::fs::create_dir_all(config.join("modules")).expect("made");
        let modules = Path::new("/etc/speech-dispatcher/modules/espeak-ng.conf");
        if !modules.exists() {
            return None;
        }
        std::fs::copy(modules, config.join("modules/espeak-ng.conf")).expect("copied");
        std::fs::write(
            config.join("speechd.conf"),
            "LogLevel 1\nAudioOutputMethod \"alsa\"\nDefaultModule espeak-ng\n\
             AddModule \"espeak-ng\" \"sd_espeak-ng\" \"espeak-ng.conf\"\nDefaultLanguage \"de\"\n",
        )
        .expect("written");
        let socket = folder.join("speechd.sock").display().to_string();
        let child = Command::new("speech-dispatcher")
            .args(["-s", "-t", "0", "-C"])
            .arg(&config)
            .args(["-S", &socket, "-L"])
            .arg(folder)
            .arg("-P")
            .arg(folder.join("speechd.pid"))
            .env("ALSA_CONFIG_PATH", folder.join("asound.conf"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let deadline = Instant::now() + PATIENCE;
        while !Path::new(&socket).exists() && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(Daemon { child, socket })
    }
}

impl Drop for Daemon {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_systems_own_voice_speaks_like_a_mouth() {
    if is_child("the_systems_own_voice_speaks_like_a_mouth") {
        let mut mouth = SystemMouth::with_patience(PATIENCE);
        speaks_like_a_mouth(&mut mouth, |mouth| until_quiet(mouth));
        return;
    }
    let card = Card::new();
    let Some(daemon) = Daemon::start(card.folder.path()) else {
        let why = "its module for espeak-ng is not installed (scripts/setup.sh test)";
        return skipped("speech-dispatcher", why);
    };
    let address = format!("unix_socket:{}", daemon.socket);
    let mut played =
        card.record("the_systems_own_voice_speaks_like_a_mouth", &[("SPEECHD_ADDRESS", address)]);
    played.trim(0);
    assert!(played.length_ms() > 300, "{} ms sounded", played.length_ms());
}

#[test]
fn a_missing_speech_dispatcher_is_reported_and_stops_nothing() {
    if is_child("a_missing_speech_dispatcher_is_reported_and_stops_nothing") {
        let mut mouth = SystemMouth::new();
        mouth.say(Channel::Public, Urgency::Announcement, &german("eins"));
        let deadline = Instant::now() + PATIENCE;
        loop {
            let events = mouth.events();
            if let Some(VoiceEvent::DeviceLost { error, .. }) = events.first() {
                assert!(error.to_string().starts_with("speech-dispatcher failed: "), "{error}");
                return;
            }
            assert!(Instant::now() < deadline, "nothing reported");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
    let address = "unix_socket:/nonexistent/speechd.sock".to_owned();
    let extra = [("SPEECHD_ADDRESS", address)];
    Card::new().record("a_missing_speech_dispatcher_is_reported_and_stops_nothing", &extra);
}

/// Two blind players: announcements for both, each his own words.
mod two_blind {
    use annabella::service::Voices;
    use annabella_core::game::Output;
    use shakmaty::Color;

    use super::*;

    fn voices() -> Voices {
        Voices::two(Box::new(SimMouth::new()), Box::new(SimMouth::new()))
    }

    fn say(channel: Channel, seat: Option<Color>) -> Output {
        Output::Say { channel, seat, urgency: Urgency::Answer, words: german("Eva vier") }
    }

    /// What White hears, then Black: aloud, in the ear.
    fn heard(voices: &Voices) -> [(bool, bool); 2] {
        [Color::White, Color::Black].map(|seat| {
            let mouth = voices.of(seat).lock().expect("whole");
            (mouth.is_speaking(Channel::Public), mouth.is_speaking(Channel::Private))
        })
    }

    #[test]
    fn f2_an_announcement_is_for_both_and_an_answer_for_one() {
        let all = voices();
        all.speak(&say(Channel::Public, None));
        assert_eq!(heard(&all), [(true, false), (true, false)]);
        let black = voices();
        black.speak(&say(Channel::Private, Some(Color::Black)));
        assert_eq!(heard(&black), [(false, false), (false, true)]);
        let white = voices();
        white.speak(&say(Channel::Private, Some(Color::White)));
        assert_eq!(heard(&white), [(false, true), (false, false)]);
        let whispered = voices();
        whispered.speak(&Output::Whisper { seat: Color::Black, words: german("Eva vier") });
        assert_eq!(heard(&whispered), [(false, false), (false, true)]);
    }

    #[test]
    fn f2_who_says_stopp_cuts_the_loudspeaker_and_his_own_ear() {
        let voices = voices();
        voices.speak(&say(Channel::Public, None));
        voices.speak(&say(Channel::Private, Some(Color::White)));
        voices.speak(&say(Channel::Private, Some(Color::Black)));
        voices.speak(&Output::Hush { seat: Some(Color::Black) });
        assert_eq!(heard(&voices), [(false, true), (false, false)], "White's answer goes on");
        voices.speak(&Output::Hush { seat: None });
        assert_eq!(heard(&voices), [(false, false), (false, false)]);
    }

    #[test]
    fn f2_a_shared_microphone_is_closed_by_the_loudspeaker_alone() {
        let voices = voices();
        let all = voices.heard_by(None);
        voices.speak(&say(Channel::Private, Some(Color::Black)));
        assert!(all.lock().expect("whole").is_speaking(Channel::Private));
        assert!(!all.lock().expect("whole").is_speaking(Channel::Public));
        all.lock().expect("whole").hush();
        assert_eq!(heard(&voices), [(false, false), (false, false)]);
    }
}
