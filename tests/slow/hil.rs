//! A whole short game by the program as it is, on a kernel with an I²C bus and a sound card for
//! tests: `make hil` boots one and runs this there.
//!
//! The pegs are moved by this process, through registers of the chips; what the program says comes
//! out of the other end of the sound card and is heard by the recogniser; what the opponent says is

//! played into it.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, Read, Seek, SeekFrom, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc,
    thread,
    time::{Duration, Instant},
};

use annabella_devices::{
    board::wiring::{ReaderKind, Wiring},
    voice::{
        Pcm, Rate,
        espeak::Espeak,
        recognizer::{Listener, Model},
    },
};
use annabella_players::hands::{Hands, Style};
use annabella_words::phrase::{Part, SpokenForm, Utterance as Phrase, Words, hear::Grammar};
use rppal::i2c::I2c;
use serde_json::Value;
use shakmaty::{Bitboard, CastlingMode, Chess, Move, Position, san::San, uci::UciMove};

use crate::patience::PATIENCE;
use crate::skip::skipped;

/// White is blind; his moves are felt, then announced to the hall. Black's are spoken, then felt.
const GAME: [&str; 7] = ["e4", "e5", "Bc4", "Nc6", "Qh5", "Nf6", "Qxf7#"];
/// What the hall hears, after the moves of White and in the end.
const MATE: &str = "Schachmatt. Weiß gewinnt.";
const RATE_HZ: u32 = 22_050;
/// Louder than this is sound.
const LOUD: u16 = 300;
/// What is longer is no pause between words.
const PAUSE_MS: u32 = 900;
/// An emulated machine is slow; nothing here takes so long.
/// How often it is looked whether something has happened.
const LOOK: Duration = Duration::from_millis(200);
const SEED: u64 = 8141;
/// So long another program has the sound card; ours waits for it twice as long.
const HELD: Duration = Duration::from_millis(1500);

fn german() -> Words {
    Words::builtin("fide", "de").expect("built-in packs")
}

fn good(what: &str) {
    println!("good  {what}");
}

/// Looks again and again until there is something.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < end, "waited in vain for {what}");
        thread::sleep(LOOK);
    }
}

/// The chips under the board, by the kernel's stub of a bus.
struct Chips {
    bus: u8,
    i2c: I2c,
    wiring: Wiring,
}

impl Chips {
    fn find() -> Chips {
        let buses = fs::read_dir("/sys/class/i2c-dev").expect("a kernel with i2c-dev");
        let stub = buses.map(|entry| entry.expect("an entry")).find(|entry| {
            let name = fs::read_to_string(entry.path().join("name")).unwrap_or_default();
            name.trim() == "SMBus stub driver"
        });
        let name = stub.expect("modprobe i2c-stub").file_name();
        let name = name.to_str().expect("ASCII");
        let bus = name.strip_prefix("i2c-").and_then(|n| n.parse().ok()).expect("a number");
        let wiring = Wiring::default_for(ReaderKind::Expander);
        Chips { bus, i2c: I2c::with_bus(bus).expect("opens"), wiring }
    }

    /// These reeds are closed.
    fn show(&mut self, occupied: Bitboard) {
        let levels = self.wiring.levels(occupied);
        for (chip, address) in self.wiring.addresses.iter().enumerate() {
            self.i2c.set_slave_address(u16::from(*address)).expect("an address");
            for port in 0..2 {
                let level = (levels >> ((chip * 2 + port) * 7)) as u8 & 0x7F;
                self.i2c.smbus_write_byte(0x12 + port as u8, level).expect("written");
            }
        }
    }

    /// What a register of the last chip holds.
    fn register(&mut self, register: u8) -> u8 {
        self.i2c.set_slave_address(0x24).expect("an address");
        self.i2c.smbus_read_byte(register).expect("read")
    }

    /// Hands make the move: each contact at its moment.
    fn play(&mut self, hands: &mut Hands, position: &Chess, mv: Move) {
        let script = hands.play(position, mv, 0);
        let began = Instant::now();
        let mut shown = script.start;
        for edge in script.edges {
            let due = Duration::from_millis(edge.t_ms);
            thread::sleep(due.saturating_sub(began.elapsed()));
            shown.set(edge.square, edge.occupied);
            self.show(shown);
        }
        assert_eq!(shown, script.finish);
    }
}

/// Has loudspeaker and microphone for itself, as another program may when the machine starts.
fn hold_the_card() -> Vec<Child> {
    let hold = |program: &str, device: &str, file: &str| {
        let mut command = Command::new(program);
        command.args(["-q", "-D", device, "-t", "raw", "-f", "S16_LE", "-r", "48000"]).arg(file);
        command.spawn().expect("alsa-utils are installed")
    };
    let held = vec![
        hold("aplay", "plughw:Loopback,0,0", "/dev/zero"),
        hold("arecord", "plughw:Loopback,1,1", "/dev/null"),
    ];
    wait_for_the_card();
    held
}

/// Until somebody plays on the loudspeaker and somebody records from the microphone.
fn wait_for_the_card() {
    for (what, end) in [("the microphone", "pcm1c/sub1"), ("the loudspeaker", "pcm0p/sub0")] {
        wait_for(what, || {
            let status = fs::read_to_string(format!("/proc/asound/Loopback/{end}/status")).ok()?;
            status.contains("RUNNING").then_some(())
        });
    }
}

/// The other end of the loudspeaker's cable.
struct Recording {
    path: PathBuf,
    recorder: Child,
}

impl Recording {
    fn begin(folder: &Path) -> Recording {
        let path = folder.join("recording.raw");
        let mut arecord = Command::new("arecord");
        arecord.args(["-q", "-D", "plughw:Loopback,1,0", "-t", "raw", "-f", "S16_LE", "-c", "1"]);
        let recorder = arecord.args(["-r", &RATE_HZ.to_string()]).arg(&path).spawn();
        let recording = Recording { path, recorder: recorder.expect("arecord is installed") };
        wait_for("the recording", || (recording.samples() > 0).then_some(()));
        recording
    }

    /// Recorded so far.
    fn samples(&self) -> usize {
        fs::metadata(&self.path).map_or(0, |file| file.len() as usize / 2)
    }

    /// What was recorded from this sample on.
    fn since(&self, from: usize) -> Vec<i16> {
        let mut bytes = Vec::new();
        let mut file = File::open(&self.path).expect("recorded");
        file.seek(SeekFrom::Start(from as u64 * 2)).expect("a place in it");
        file.read_to_end(&mut bytes).expect("read");
        bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect()
    }

    /// Where the first sound after this moment begins, and where the last one has ended before a
    /// pause.
    fn sound(&self, from: usize) -> (usize, usize) {
        let pause = (RATE_HZ / 1000 * PAUSE_MS) as usize;
        let loud = |sample: &i16| sample.unsigned_abs() > LOUD;
        let mut begin = from;
        wait_for("something to be said", || {
            let samples = self.since(begin);
            let Some(first) = samples.iter().position(loud) else {
                begin += samples.len();
                return None;
            };
            let mut end = first;
            while end + pause < samples.len() {
                match samples[end + 1..=end + pause].iter().rposition(loud) {
                    Some(last) => end += last + 1,
                    None => return Some((begin + first, begin + end)),
                }
            }
            None
        })
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = self.recorder.kill();
        let _ = self.recorder.wait();
    }
}

/// Noise of a quiet room before and after the sound.
fn in_room(sound: &Pcm) -> Pcm {
    let mut state = 1u32;
    let mut room = |ms: u32| {
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(state >> 8) / f64::from(1u32 << 24) * 2.0 - 1.0
        };
        let samples = (0..RATE_HZ / 1000 * ms).map(|_| (next() * 20.0) as i16).collect();
        Pcm { rate_hz: RATE_HZ, samples }
    };
    let mut all = room(800);
    all.append(sound);
    all.append(&room(1200));
    all
}

/// The recogniser, for what was recorded.
struct Hearer {
    model: Model,
    words: Words,
}

impl Hearer {
    /// What is said in this sound, as far as it may be said in this position.
    fn hear(&self, position: &Chess, sound: &[i16]) -> String {
        let mut listener = Listener::new(&self.model, self.model.vocabulary(&self.words), RATE_HZ);
        listener.set_grammar(&Grammar::of_everything(&self.words, position));
        let sound = in_room(&Pcm { rate_hz: RATE_HZ, samples: sound.to_vec() });
        let mut heard = Vec::new();
        for chunk in sound.samples.chunks((RATE_HZ / 50) as usize) {
            let utterance = listener.feed(chunk).expect("heard");
            heard.extend(utterance.and_then(|said| said.heard.best().map(str::to_owned)));
        }
        heard.join(" ")
    }
}

/// Somebody speaks into the microphone.
fn speak(folder: &Path, words: &Words, text: &str) {
    let text = words.pronounce(&text.to_lowercase());
    let part = Part { lang: "de".into(), text, sound: String::new() };
    let espeak = Espeak::new().expect("espeak-ng is installed");
    let sound = espeak.render(&Phrase { parts: vec![part] }, Rate::default()).expect("rendered");
    let wav = folder.join("spoken.wav");
    in_room(&sound.resampled(RATE_HZ)).write_wav(&wav).expect("written");
    let mut aplay = Command::new("aplay");
    let played = aplay.args(["-q", "-D", "plughw:Loopback,0,1"]).arg(&wav).status();
    assert!(played.expect("aplay is installed").success());
}

/// The program, and what it tells.
struct Play {
    child: Child,
    lines: mpsc::Receiver<Value>,
    public: Vec<String>,
}

impl Play {
    fn start(folder: &Path, config: &Path) -> Play {
        let errors = File::create(folder.join("play.err")).expect("a file");
        let mut child = Command::new(env!("CARGO_BIN_EXE_annabella"))
            .args(["play", "--json", "--config"])
            .arg(config)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(errors)
            .spawn()
            .expect("runs");
        let stdout = BufReader::new(child.stdout.take().expect("piped"));
        let mut kept = File::create(folder.join("play.jsonl")).expect("a file");
        let (send, lines) = mpsc::channel();
        thread::spawn(move || {
            for line in stdout.lines().map_while(Result::ok) {
                writeln!(kept, "{line}").expect("written");
                let line = serde_json::from_str(&line).expect("a JSON line");
                if send.send(line).is_err() {
                    return;
                }
            }
        });
        Play { child, lines, public: Vec::new() }
    }

    /// The next line that fits; what was said aloud meanwhile is kept.
    fn until(&mut self, what: &str, fits: impl Fn(&Value) -> bool) {
        let end = Instant::now() + PATIENCE;
        let mut passed = Vec::new();
        loop {
            let left = end.saturating_duration_since(Instant::now());
            let Ok(line) = self.lines.recv_timeout(left) else {
                panic!("no {what} in\n{}", passed.join("\n"));
            };
            if line["say"]["channel"] == "public" {
                self.public.push(line["say"]["text"].as_str().expect("text").to_owned());
            }
            if fits(&line) {
                return;
            }
            passed.push(line.to_string());
        }
    }

    fn until_move(&mut self, uci: &str, state: &str) {
        self.until(&format!("{uci} {state}"), |line| {
            line["move"]["uci"] == uci && line["move"]["state"] == state
        });
    }
}

impl Drop for Play {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn config(folder: &Path, bus: u8) -> PathBuf {
    let path = folder.join("annabella.toml");
    let text = format!(
        "[board]\nkind = \"expander\"\ni2c_bus = {bus}\n[buttons]\nkind = \"none\"\n\
         [duties]\nstart_clock = true\n[speech]\nprivate = \"none\"\n[console]\nlisten = \"\"\n\
         [journal]\npath = \"/run/annabella.db\"\n"
    );
    fs::write(&path, text).expect("written");
    path
}

/// The record, as the program hands it out: moves and result.
fn record(config: &Path) -> String {
    let mut games = Command::new(env!("CARGO_BIN_EXE_annabella"));
    games.args(["games", "export", "1", "--pgn", "--config"]).arg(config);
    let output = games.output().expect("runs");
    assert!(output.status.success(), "{output:?}");
    let pgn = String::from_utf8(output.stdout).expect("UTF-8");
    let (_, moves) = pgn.split_once("\n\n").expect("tags, then moves");
    let mut plain = String::new();
    for part in moves.split('{') {
        plain.push_str(part.split_once('}').map_or(part, |(_, after)| after));
    }
    let tokens = plain.split_whitespace().filter(|token| !token.ends_with('.'));
    tokens.collect::<Vec<_>>().join(" ")
}

#[test]
fn a_game_is_felt_said_heard_and_recorded_through_a_real_kernel() {
    let Some(folder) = std::env::var_os("HIL_OUT").map(PathBuf::from) else {
        let why = "this one has no i2c-stub and no snd-aloop: `make hil` boots one that has";
        return skipped("kernel", why);
    };
    let words = german();
    let hearer = Hearer {
        model: Model::open(Path::new("voices/model")).expect("libvosk: `make vosk` fetches it"),
        words: words.clone(),
    };
    let mut position = Chess::default();
    let mut chips = Chips::find();
    chips.show(position.board().occupied());
    let recording = Recording::begin(&folder);
    let config = config(&folder, chips.bus);
    let held = hold_the_card();
    let mut play = Play::start(&folder, &config);
    // It asks for the card meanwhile, and goes on asking.
    thread::sleep(HELD);
    for mut program in held {
        program.kill().expect("runs");
        program.wait().expect("ends");
    }
    wait_for("the chips to be set up", || (chips.register(0x00) == 0x7F).then_some(()));
    wait_for_the_card();
    thread::sleep(Duration::from_secs(1));
    good("the board is read and the microphone open");

    let mut hands = Hands::seeded(SEED, Style::human());
    let mut expected = Vec::new();
    let mut sounds = Vec::new();
    for (ply, san) in GAME.iter().enumerate() {
        let mv = san.parse::<San>().expect("SAN").to_move(&position).expect("legal");
        let uci = UciMove::from_move(mv, CastlingMode::Standard).to_string();
        let text = words.announce(&position, mv, SpokenForm::Full).to_string();
        let mark = recording.samples();
        if ply % 2 == 0 {
            chips.play(&mut hands, &position, mv);
            play.until_move(&uci, "executed");
            play.until_move(&uci, "completed");
            let sound = recording.sound(mark);
            let heard = hearer.hear(&position, &recording.since(sound.0)[..=sound.1 - sound.0]);
            // The word of the result follows the last move without a pause; no grammar has it.
            let whole = if san.ends_with('#') { "" } else { "$" };
            let wanted = format!("{}{whole}", text.to_lowercase().replace(',', ""));
            assert!(format!("{heard}$").starts_with(&wanted), "not '{text}' but '{heard}'");
            good(&format!("{san}: felt, and heard in the hall: {heard}"));
            expected.push(text);
            sounds.push(sound);
        } else {
            speak(&folder, &words, &text);
            play.until_move(&uci, "announced");
            chips.play(&mut hands, &position, mv);
            play.until_move(&uci, "made");
            good(&format!("{san}: spoken into the microphone, then felt"));
        }
        position.play_unchecked(mv);
    }
    play.until("the result", |line| line["result"] == "1-0");
    expected.push(MATE.to_owned());
    assert_eq!(play.public, expected);

    // What is said last may come after a pause.
    thread::sleep(Duration::from_secs(4));
    let samples = recording.since(0);
    let last = sounds.last().expect("moves").0;
    let quiet = |sample: &i16| sample.unsigned_abs() <= LOUD;
    let between = sounds.windows(2).all(|pair| samples[pair[0].1 + 1..pair[1].0].iter().all(quiet));
    assert!(between && samples[..sounds[0].0].iter().all(quiet), "something else was to be heard");
    good("nothing else was said between the announcements");
    Pcm { rate_hz: RATE_HZ, samples: samples.clone() }
        .write_wav(&folder.join("recording.wav"))
        .expect("written");
    let said_ms = (samples.iter().rposition(|sample| !quiet(sample)).unwrap_or(0) - last) / 22;
    assert!(said_ms > 4000, "the mate and the result take longer than {said_ms} ms");

    let killed = Command::new("kill").arg(play.child.id().to_string()).status();
    assert!(killed.expect("runs").success());
    let status = wait_for("the program to end", || play.child.try_wait().expect("waits"));
    assert_eq!(status.code(), Some(0), "told to stop, it ends with 0");
    let errors = fs::read_to_string(folder.join("play.err")).expect("there");
    print!("{errors}");
    for bad in ["board is lost", "voice lost", "voices lost", "nothing will be", "microphone lost"]
    {
        assert!(!errors.contains(bad), "{errors}");
    }
    assert_eq!(record(&config), format!("{} 1-0", GAME.join(" ")));
    let _ = fs::copy("/run/annabella.db", folder.join("annabella.db"));
    good("the journal has these seven moves and no other, and the program ended with 0");
}
