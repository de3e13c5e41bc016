//! `annabella setup --simulate`, a simulated room: sound devices, microphone, board and serial port
//! of which nothing is real, and a person who does what a script says. All that he hears, and
//! where, is written down.
//!
//! # The script
//!
//! One line for each action of the person: `[left]`, `[right]`, `[repeat]` press a button,
//! `[repeat, held]` holds it; `"ja"` is spoken, `ja` typed, nothing but Enter takes the offered
//! answer; with `[silence]` half a minute passes. The person waits for a question, and during the
//! board's test puts the peg where asked. A line that ends in `!` does not wait.

use std::{
    collections::{BTreeSet, VecDeque},
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
    sync::mpsc,
};

use shakmaty::{Bitboard, Square};

use annabella::{
    cli::{Exit, Failure, tell::typed},
    config::{Config, find},
    service::{
        setup::{
            Dialogue, Found, RoomNews, SetupEnd, SetupRoom,
            file::{self, Target},
            measure,
        },
        streams::complain,
    },
};
use annabella_core::{
    game::Channel,
    questionnaire::Key,
    setup::{Fetched, Maker, Port, SetupInput, SoundDevice, SoundLevel, Sounding},
};
use annabella_devices::{
    board::{
        BoardReader, ReadError,
        selftest::TestLine,
        sim::{Bench, Builder},
        wiring::{Orientation, Wires, Wiring},
    },
    voice::{Pcm, capture::SimMicrophone},
};
use annabella_words::phrase::{
    Utterance, Words,
    hear::{Grammar, Heard, Hypothesis},
};

/// How sure the simulated recogniser is of what it heard.
const SURE: f64 = 0.97;
/// The time for measuring, for trying the ports, and for fetching the model, milliseconds.
const MEASURING_MS: u64 = 4000;
const LOOKING_MS: u64 = 1000;
const FETCHING_MS: u64 = 5000;
/// `[silence]`.
const SILENCE_MS: u64 = 31_000;
/// The widest line of the transcript.
const WIDTH: usize = 100;
const RATE_HZ: u32 = 16_000;
/// How loud the person speaks when he is measured first, and after that: of full scale.
const VOICES: [f64; 2] = [0.006, 0.2];

/// Sets up by ear in a simulated room, where a person's lines come from standard input. Writes
/// nothing but what would be written.
#[derive(Debug, clap::Args)]
pub(crate) struct SetupArgs {
    /// What is in the room.
    #[arg(value_enum, default_value = "full")]
    house: House,
    /// Configuration, which is read and left alone.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
}

/// The furniture of a simulated room.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum House {
    /// A headset, a loudspeaker, a microphone, a board that is turned round, a DGT board.
    Full,
    /// Nothing at all.
    Bare,
    /// Headset, loudspeaker and microphone; neither a board with sensors nor a DGT board.
    Laptop,
    /// As full, and a network in which the official speech model is found.
    Online,
    /// The same, but the way to it is lost.
    Offline,
    /// As laptop, in no network, with wireless.
    Hotspot,
}

impl House {
    /// Whether there is nothing in it.
    pub(crate) fn is_bare(self) -> bool {
        self == House::Bare
    }

    /// Whether something stands in it that moves can be read from.
    pub(crate) fn has_boards(self) -> bool {
        !matches!(self, House::Bare | House::Laptop | House::Hotspot)
    }
}

/// The source of the person's lines.
#[derive(Debug)]
pub(crate) enum Script {
    Lines(VecDeque<String>),
    Live(mpsc::Receiver<String>),
}

#[derive(Debug)]
pub(crate) struct SimRoom<W> {
    house: House,
    script: Script,
    peeked: Option<String>,
    bench: Option<(Bench, Wiring)>,
    builder: Option<Builder>,
    sounding: Sounding,
    grammar: Grammar,
    due: VecDeque<(u64, SetupInput)>,
    measured: usize,
    now_ms: u64,
    transcript: Transcript<W>,
}

impl<W: Write> SimRoom<W> {
    /// For a configuration; the transcript goes to `out`.
    pub(crate) fn new(house: House, config: &Config, script: Script, out: W) -> SimRoom<W> {
        let believed = config.board.wiring().and_then(Result::ok);
        // The builder has put the sensor board in the other way round.
        let bench = believed.map(|believed| {
            let orientation = match config.board.wires.orientation {
                Orientation::Around => Orientation::Upright,
                _ => Orientation::Around,
            };
            let turned = Wires { orientation, ..config.board.wires.clone() };
            let real = Wiring::new(believed.kind, &turned).unwrap_or_else(|_| believed.clone());
            (Bench::new(real), believed)
        });
        SimRoom {
            house,
            script,
            peeked: None,
            builder: bench.as_ref().map(|(bench, _)| Builder::at(bench.clone())),
            bench,
            sounding: file::settings(config).sounding(),
            grammar: Grammar::default(),
            due: VecDeque::new(),
            measured: 0,
            now_ms: 0,
            transcript: Transcript { out, heard: None, failed: None },
        }
    }

    /// Writes the rest of the transcript.
    ///
    /// # Errors
    /// When it could not be written, now or before.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.transcript.flush();
        self.transcript.failed.take().map_or(Ok(()), Err)
    }

    /// The person's next line, if he would not have to wait for it.
    fn peek(&mut self, wait: bool) -> Option<&str> {
        if self.peeked.is_none() {
            self.peeked = match &mut self.script {
                Script::Lines(lines) => lines.pop_front(),
                Script::Live(lines) if wait => {
                    self.transcript.flush();
                    lines.recv().ok()
                }
                Script::Live(lines) => lines.try_recv().ok(),
            };
        }
        self.peeked.as_deref()
    }

    fn person(&mut self, waiting: bool) -> Vec<RoomNews> {
        match self.peek(!waiting) {
            None if waiting => return Vec::new(),
            None => return vec![RoomNews::Alone],
            Some(line) if waiting && !line.trim_end().ends_with('!') => return Vec::new(),
            Some(_) => {}
        }
        let line = self.peeked.take().unwrap_or_default();
        let line = line.trim().to_owned();
        self.transcript.did(&line);
        let line = line.trim_end_matches('!').trim_end().to_owned();
        let key = |key| vec![RoomNews::Input(SetupInput::Key(key))];
        match line.as_str() {
            "[left]" => key(Key::Next),
            "[right]" | "" => key(Key::Choose),
            "[repeat]" => key(Key::Repeat),
            "[repeat, held]" => key(Key::Back),
            "[silence]" => {
                self.now_ms += SILENCE_MS;
                Vec::new()
            }
            text => match text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
                Some(spoken) => vec![RoomNews::Input(self.hear(spoken))],
                None => vec![RoomNews::Input(SetupInput::Said(line))],
            },
        }
    }

    /// A recogniser hears only the phrases of its grammar, and texts made of their pairs of words.
    fn hear(&self, spoken: &str) -> SetupInput {
        let spoken = spoken.to_lowercase();
        let pairs = |text: &str| -> Vec<(String, String)> {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.windows(2).map(|pair| (pair[0].to_owned(), pair[1].to_owned())).collect()
        };
        let listened: BTreeSet<_> = self.grammar.phrases.iter().flat_map(|p| pairs(p)).collect();
        let made = pairs(&spoken);
        let known = self.grammar.phrases.contains(&spoken)
            || (!made.is_empty() && made.iter().all(|pair| listened.contains(pair)));
        let text = if known { spoken } else { "[unk]".to_owned() };
        let heard = Heard::ranked(vec![Hypothesis::new(text, SURE)]);
        SetupInput::Heard { heard, pushed: false }
    }

    fn where_on(&self, channel: Channel) -> String {
        let (name, device) = match channel {
            Channel::Private => ("in the ear", &self.sounding.earphone),
            Channel::Public => ("aloud", &self.sounding.loudspeaker),
        };
        let known = outputs().into_iter().find(|known| known.name == *device);
        match known.map(|known| known.called).filter(|called| !called.is_empty()) {
            Some(called) => format!("{name} ({called})"),
            None => name.to_owned(),
        }
    }
}

fn device(name: &str, called: &str) -> SoundDevice {
    SoundDevice { name: name.to_owned(), called: called.to_owned() }
}

fn outputs() -> Vec<SoundDevice> {
    vec![
        device("default", ""),
        device("sysdefault:CARD=Headset", "USB Headset"),
        device("sysdefault:CARD=Speaker", "Active Speaker"),
    ]
}

/// Two seconds of a quiet room, then two of a voice.
fn spoken(loudness: f64) -> Pcm {
    let mut state = 1u32;
    let mut noise = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        f64::from((state >> 16) % 41) - 20.0
    };
    let samples = (0..RATE_HZ * 4).map(|n| {
        let voice = if n < RATE_HZ * 2 { 0.0 } else { loudness * 32_767.0 };
        let tone = (f64::from(n) * 150.0 * std::f64::consts::TAU / f64::from(RATE_HZ)).sin();
        (voice * tone + noise()) as i16
    });
    Pcm { rate_hz: RATE_HZ, samples: samples.collect() }
}

impl<W: Write> SetupRoom for SimRoom<W> {
    fn found(&mut self) -> Found {
        if self.house.is_bare() {
            return Found::default();
        }
        Found {
            voices: annabella::service::setup::VOICES.map(str::to_owned).to_vec(),
            outputs: outputs(),
            inputs: vec![device("default", ""), device("sysdefault:CARD=Headset", "USB Headset")],
            pins: false,
            model: matches!(self.house, House::Online | House::Offline),
            hotspot: self.house == House::Hotspot,
        }
    }

    fn understands(&mut self, _: &Words) -> bool {
        !self.house.is_bare()
    }

    fn say(&mut self, channel: Channel, words: &Utterance) {
        let place = self.where_on(channel);
        self.transcript.heard(&place, &words.to_string());
    }

    fn tones(&mut self, channel: Channel) {
        let place = self.where_on(channel);
        self.transcript.heard(&place, "(tone at the left) (tone at the right)");
    }

    fn sound(&mut self, sounding: &Sounding) {
        let before = std::mem::replace(&mut self.sounding, sounding.clone());
        let mut changed = Vec::new();
        if before.voice != sounding.voice {
            changed.push(match sounding.voice.as_str() {
                "" => "its own voice".to_owned(),
                variant => format!("voice {variant}"),
            });
        }
        if before.rate != sounding.rate {
            changed.push(format!("{} words a minute", sounding.rate));
        }
        if before.earphone_volume != sounding.earphone_volume {
            changed.push(format!("earphone at {} percent", sounding.earphone_volume));
        }
        if before.loudspeaker_volume != sounding.loudspeaker_volume {
            changed.push(format!("loudspeaker at {} percent", sounding.loudspeaker_volume));
        }
        if !changed.is_empty() {
            self.transcript.did(&format!("({})", changed.join(", ")));
        }
    }

    fn hush(&mut self) {}

    fn is_quiet(&mut self) -> bool {
        true
    }

    fn listen_for(&mut self, grammar: Grammar, _: &Words) {
        self.grammar = grammar;
    }

    fn measure(&mut self, number: u32, _: &str) {
        let level = if self.house.is_bare() {
            SoundLevel::Missing
        } else {
            let loudness = VOICES[self.measured.min(VOICES.len() - 1)];
            self.measured += 1;
            let mut microphone = SimMicrophone::new(RATE_HZ);
            microphone.hear(&spoken(loudness));
            measure(&mut microphone)
        };
        let due = (self.now_ms + MEASURING_MS, SetupInput::Measured { number, level });
        self.due.push_back(due);
    }

    fn look(&mut self, number: u32) {
        let port = Port { path: "/dev/ttyACM0".to_owned(), maker: Maker::Dgt, clock: true };
        let ports = if self.house.has_boards() { vec![port] } else { Vec::new() };
        self.due.push_back((self.now_ms + LOOKING_MS, SetupInput::Looked { number, ports }));
    }

    fn fetch(&mut self, number: u32) {
        let fetched =
            if self.house == House::Online { Fetched::There } else { Fetched::Unreachable };
        self.due.push_back((self.now_ms + FETCHING_MS, SetupInput::Fetched { number, fetched }));
    }

    fn share(&mut self, number: u32) {
        let password = Some("482130075518".to_owned());
        self.due.push_back((self.now_ms + LOOKING_MS, SetupInput::Shared { number, password }));
    }

    fn board(&mut self) -> Result<Box<dyn BoardReader>, ReadError> {
        match &self.bench {
            Some((bench, believed)) => {
                bench.set(Bitboard::from(Square::E4));
                Ok(bench.reader(believed.clone()))
            }
            None => Err(ReadError::Open {
                device: "the simulated board".to_owned(),
                reason: "there is none".to_owned(),
                remedy: "name a kind of board in [board] kind",
            }),
        }
    }

    fn tested(&mut self, line: &TestLine) {
        if let Some(builder) = &mut self.builder {
            builder.hears(self.now_ms, line);
        }
    }

    fn news(&mut self, waiting: bool) -> Vec<RoomNews> {
        self.now_ms += 10;
        if let Some(builder) = &mut self.builder {
            builder.wait(self.now_ms);
        }
        let hurried = if waiting { self.person(true) } else { Vec::new() };
        if !hurried.is_empty() {
            return hurried;
        }
        let now_ms = self.now_ms;
        let due = self.due.iter().position(|(due_ms, _)| *due_ms <= now_ms);
        if let Some((_, input)) = due.and_then(|n| self.due.remove(n)) {
            return vec![RoomNews::Input(input)];
        }
        if waiting { Vec::new() } else { self.person(false) }
    }

    fn now_ms(&mut self) -> u64 {
        self.now_ms
    }
}

/// Everything spoken and done, in paragraphs.
#[derive(Debug)]
struct Transcript<W> {
    out: W,
    heard: Option<(String, String)>,
    failed: Option<io::Error>,
}

impl<W: Write> Transcript<W> {
    /// Sentences one after the other in the same place are one paragraph.
    fn heard(&mut self, place: &str, text: &str) {
        match &mut self.heard {
            Some((known, all)) if known == place => {
                all.push(' ');
                all.push_str(text);
            }
            _ => {
                self.flush();
                self.heard = Some((place.to_owned(), text.to_owned()));
            }
        }
    }

    fn did(&mut self, line: &str) {
        self.flush();
        let line = if line.is_empty() { "[enter]" } else { line };
        self.write(line);
    }

    fn flush(&mut self) {
        if let Some((place, text)) = self.heard.take() {
            self.write(&wrapped(&format!("{place}: {text}")));
        }
    }

    fn write(&mut self, text: &str) {
        let written = writeln!(self.out, "{text}").and_then(|()| self.out.flush());
        if let Err(err) = written {
            self.failed.get_or_insert(err);
        }
    }
}

/// In lines of at most [`WIDTH`] characters; all but the first begin with two spaces.
fn wrapped(text: &str) -> String {
    let (mut lines, mut line) = (Vec::new(), String::new());
    for word in text.split(' ') {
        if !line.trim().is_empty() && line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, "  ".to_owned()));
        } else if !line.trim().is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    lines.push(line);
    lines.join("\n")
}

/// Runs the command. Ends with a problem if it was given up.
///
/// # Errors
/// [`Failure`] when the configuration is wrong, or the person's lines end too early.
pub(crate) fn run(args: &SetupArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let fresh = file::fresh(None, args.house.has_boards());
    // A file that is there is read, and left alone.
    let path = args.config.as_deref().unwrap_or(Path::new(find::FILE));
    let text = match annabella_records::whole::read_text(path) {
        Ok(text) => text,
        Err(_) if args.config.is_none() => fresh,
        Err(err) => {
            let file = path.display();
            return Err(Failure::usage(format!(
                "cannot read {file}: {err}; name another --config"
            )));
        }
    };
    let target = Target::nowhere(&text).map_err(Failure::Usage)?;
    let script = if io::stdin().is_terminal() {
        Script::Live(typed())
    } else {
        Script::Lines(typed().into_iter().collect())
    };
    let room = SimRoom::new(args.house, target.config(), script, &mut *out);
    let mut dialogue = Dialogue::open(target.clone(), room).map_err(Failure::Usage)?;
    let ended = loop {
        let ended = dialogue.step();
        dialogue.complaints().iter().for_each(|line| complain(line));
        if let Some(ended) = ended {
            break ended;
        }
    };
    dialogue.room().finish()?;
    let after = dialogue.setup().settings().clone();
    drop(dialogue);
    match ended {
        SetupEnd::Saved => {
            let changes = target.changes(&after).map_err(Failure::Usage)?;
            if !changes.is_empty() {
                write!(out, "\n{changes}")?;
            }
            Ok(Exit::Done)
        }
        SetupEnd::Left => Ok(Exit::Problem),
        SetupEnd::Alone => Err(Failure::usage("the person's lines ended before the set-up did")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_answer_in_two_minutes_is_not_waited_for() {
        let after = |lines: &[&str]| {
            let script = Script::Lines(lines.iter().map(|line| (*line).to_owned()).collect());
            let room = SimRoom::new(House::Bare, &Config::default(), script, Vec::new());
            let target = Target::nowhere("").expect("a target");
            let mut dialogue = Dialogue::open(target, room).expect("a dialogue").patient(4);
            let ended = loop {
                if let Some(ended) = dialogue.step() {
                    break ended;
                }
            };
            assert_eq!(ended, SetupEnd::Alone);
            dialogue.room().now_ms()
        };
        const SILENCE: &str = "[silence]";
        let alone = after(&[SILENCE; 9]);
        assert!((120_000..240_000).contains(&alone), "{alone} ms");
        // An answer counts from anew.
        let later = after(&[
            SILENCE, SILENCE, SILENCE, "[left]", SILENCE, SILENCE, SILENCE, SILENCE, SILENCE,
        ]);
        assert!(later > alone + 60_000, "{later} ms, {alone} without an answer");
    }
}
