//! The set-up by ear with its devices. Events from people and devices go into the dialogue. Its
//! requests are carried out in a [`SetupRoom`]: here the real one ([`real`]), in the laboratory a
//! simulated one. The answers are written into the configuration ([`mod@file`]).

pub mod fetching;
pub mod file;
pub mod hold;
pub mod hotspot;
mod listening;
pub mod ports;
pub mod real;
mod rehearsal;

use std::{collections::BTreeSet, time::Duration};

use crate::config::Config;
use annabella_core::{
    game::Channel,
    setup::{
        Around, OfferedLanguage, Setup, SetupInput, SetupOutput, SoundDevice, SoundLevel, Sounding,
    },
};
use annabella_devices::{
    board::{BoardReader, ReadError, selftest::TestLine},
    voice::{
        capture::{Capture, CaptureEvent},
        meter::{Judgement, Meter},
    },
};
use annabella_words::phrase::{Prompt, Utterance, Words, hear::Grammar};
use file::Target;
use rehearsal::Rehearsal;

/// The interval between calls of [`Dialogue::step`].
pub const STEP: Duration = Duration::from_millis(10);
/// An unanswered question is repeated after this time, milliseconds.
const PATIENCE_MS: u64 = 30_000;
/// How long the microphone is measured, milliseconds of sound.
const MEASURED_MS: u64 = 4000;

/// Voices to choose from: espeak-ng's own and those of its variants that sound least alike.
pub const VOICES: [&str; 5] = ["", "f2", "m3", "f4", "m7"];

/// The devices of a room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Voices as the configuration names them.
    pub voices: Vec<String>,
    pub outputs: Vec<SoundDevice>,
    pub inputs: Vec<SoundDevice>,
    /// It has pins that a board with sensors can be on.
    pub pins: bool,
    /// The official German speech model is not here and could be fetched.
    pub model: bool,
    /// It is in no network, and could make a wireless one.
    pub hotspot: bool,
}

/// An event from a room.
#[derive(Clone, Debug, PartialEq)]
pub enum RoomNews {
    Input(SetupInput),
    /// Something is wrong; the dialogue goes on.
    Complaint(String),
    Alone,
}

/// People, sound and lines round the dialogue. No call waits for a device.
pub trait SetupRoom {
    /// The devices to choose from.
    fn found(&mut self) -> Found;

    /// Whether speech in these words can be understood.
    fn understands(&mut self, words: &Words) -> bool;

    /// Speaks this after everything before it.
    fn say(&mut self, channel: Channel, words: &Utterance);

    /// Shows how an answer was understood.
    fn understood(&mut self, _words: &Utterance) {}

    /// Sounds a tone at the left and one at the right, after everything before it.
    fn tones(&mut self, channel: Channel);

    /// Changes voice and devices, after everything before it.
    fn sound(&mut self, sounding: &Sounding);

    fn hush(&mut self);

    /// Whether all has been said.
    fn is_quiet(&mut self) -> bool;

    /// The grammar from the next utterance on, and its language.
    fn listen_for(&mut self, grammar: Grammar, words: &Words);

    /// Measures a microphone. [`SetupInput::Measured`] follows.
    fn measure(&mut self, number: u32, device: &str);

    /// Tries the serial ports. [`SetupInput::Looked`] follows.
    fn look(&mut self, number: u32);

    /// Fetches the official German speech model, which may take longer than the dialogue;
    /// [`SetupInput::Fetched`] tells.
    fn fetch(&mut self, number: u32);

    /// Makes a wireless network and switches it on. [`SetupInput::Shared`] follows.
    fn share(&mut self, number: u32);

    /// The peg board.
    ///
    /// # Errors
    /// When it cannot be opened.
    fn board(&mut self) -> Result<Box<dyn BoardReader>, ReadError>;

    /// A line of the board's self-test; it is spoken as well.
    fn tested(&mut self, _line: &TestLine) {}

    /// The events since the last call. `waiting`: a device works, and no question is open.
    fn news(&mut self, waiting: bool) -> Vec<RoomNews>;

    /// The room's own time, milliseconds.
    fn now_ms(&mut self) -> u64;
}

/// How a dialogue ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupEnd {
    /// The answers are in the configuration.
    Saved,
    /// The person gave up: nothing is changed.
    Left,
    Alone,
}

/// A set-up dialogue in a room.
#[derive(Debug)]
pub struct Dialogue<R> {
    setup: Setup,
    room: R,
    target: Target,
    test: Option<(u32, Rehearsal)>,
    heard: Option<u64>,
    quiet_since_ms: u64,
    asleep: u32,
    patience: Option<u32>,
    complaints: Vec<String>,
    told: BTreeSet<String>,
    ended: Option<SetupEnd>,
}

impl<R: SetupRoom> Dialogue<R> {
    /// The dialogue for a configuration; the first question is asked.
    ///
    /// # Errors
    /// One line, when a language pack of the configuration cannot be used.
    pub fn open(target: Target, mut room: R) -> Result<Dialogue<R>, String> {
        let config = target.config();
        let found = room.found();
        let around = Around {
            languages: languages(config, &mut room)?,
            voices: found.voices,
            outputs: listed(found.outputs, &[&config.speech.private, &config.speech.public]),
            inputs: listed(found.inputs, &[&config.speech.input]),
            reeds: config.board.reader().is_some(),
            sensors: config.board.reader().is_some() || found.pins,
            both_blind: config.game.blind == annabella_core::game::Blind::Both,
            // A model that is named in the configuration is not replaced.
            model: found.model && config.speech.model.is_none(),
            pages: cfg!(feature = "console"),
            hotspot: found.hotspot,
        };
        let setup = Setup::new(around, target.before().clone(), config.hearing)
            .ok_or("there is no language to speak in")?;
        let mut dialogue = Dialogue {
            setup,
            room,
            target,
            test: None,
            heard: None,
            quiet_since_ms: 0,
            asleep: 0,
            patience: None,
            complaints: Vec::new(),
            told: BTreeSet::new(),
            ended: None,
        };
        dialogue.tell(SetupInput::Opened);
        Ok(dialogue)
    }

    /// The dialogue, with the settings that would be written now.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    pub fn room(&mut self) -> &mut R {
        &mut self.room
    }

    /// One line for each fault since the last call.
    pub fn complaints(&mut self) -> Vec<String> {
        std::mem::take(&mut self.complaints)
    }

    /// Ends, as [`SetupEnd::Alone`], when a question stays without any answer this many times in a
    /// row, half a minute each.
    #[must_use]
    pub fn patient(mut self, times: u32) -> Dialogue<R> {
        self.patience = Some(times);
        self
    }

    /// Takes in what has happened. Wants to be called every [`STEP`] until it gives how it ended.
    pub fn step(&mut self) -> Option<SetupEnd> {
        if self.heard != Some(self.setup.moment()) {
            self.heard = Some(self.setup.moment());
            self.room.listen_for(self.setup.grammar(), self.setup.words());
        }
        let waiting = self.setup.is_waiting();
        for news in self.room.news(waiting) {
            match news {
                RoomNews::Input(input) => {
                    if !matches!(input, SetupInput::Idle) {
                        self.asleep = 0;
                    }
                    self.tell(input);
                }
                RoomNews::Complaint(line) => self.complain(line),
                RoomNews::Alone => self.ended = self.ended.or(Some(SetupEnd::Alone)),
            }
            self.quiet_since_ms = self.room.now_ms();
        }
        self.test_on();
        let now_ms = self.room.now_ms();
        if waiting || !self.room.is_quiet() {
            self.quiet_since_ms = now_ms;
        } else if now_ms.saturating_sub(self.quiet_since_ms) >= PATIENCE_MS {
            self.quiet_since_ms = now_ms;
            self.asleep += 1;
            if self.patience.is_some_and(|times| self.asleep >= times) {
                self.ended = self.ended.or(Some(SetupEnd::Alone));
            } else {
                self.tell(SetupInput::Idle);
            }
        }
        self.ended
    }

    /// Reports a fault once.
    fn complain(&mut self, line: String) {
        if self.told.insert(line.clone()) {
            self.complaints.push(line);
        }
    }

    fn tell(&mut self, input: SetupInput) {
        let mut inputs = vec![input];
        while let Some(input) = inputs.pop() {
            for output in self.setup.handle(input) {
                inputs.extend(self.act(output));
            }
        }
    }

    /// Carries out an output. Returns an input that is known at once.
    fn act(&mut self, output: SetupOutput) -> Option<SetupInput> {
        match output {
            SetupOutput::Say { channel, words } => self.room.say(channel, &words),
            SetupOutput::Understood(words) => self.room.understood(&words),
            SetupOutput::Hush => self.room.hush(),
            SetupOutput::Sounding(sounding) => self.room.sound(&sounding),
            SetupOutput::Tones(channel) => self.room.tones(channel),
            SetupOutput::Measure { number, device } => self.room.measure(number, &device),
            SetupOutput::Look { number } => self.room.look(number),
            SetupOutput::Fetch { number } => self.room.fetch(number),
            SetupOutput::Share { number } => self.room.share(number),
            SetupOutput::Test { number } => return self.begin_test(number),
            SetupOutput::TestStep(step) => {
                let now_ms = self.room.now_ms();
                let lines = match &mut self.test {
                    Some((_, test)) => test.answer(now_ms, step),
                    None => Vec::new(),
                };
                self.say_lines(&lines);
            }
            SetupOutput::StopTest => self.test = None,
            SetupOutput::Write => {
                let written = self.target.write(self.setup.settings());
                let told = written.is_ok();
                if let Err(line) = written {
                    self.complain(line);
                }
                return Some(SetupInput::Written(told));
            }
            SetupOutput::Finished { saved } => {
                self.test = None;
                self.ended = Some(if saved { SetupEnd::Saved } else { SetupEnd::Left });
            }
        }
        None
    }

    fn begin_test(&mut self, number: u32) -> Option<SetupInput> {
        let lost = SetupInput::Tested { number, wires: None };
        let Some(Ok(wiring)) = self.target.config().board.wiring() else { return Some(lost) };
        match self.room.board() {
            Ok(reader) => {
                let (test, lines) = Rehearsal::begin(wiring, reader, self.room.now_ms());
                self.test = Some((number, test));
                self.say_lines(&lines);
                None
            }
            Err(err) => {
                self.complain(format!("the board cannot be tested: {err}"));
                Some(lost)
            }
        }
    }

    /// The self-test's next reading.
    fn test_on(&mut self) {
        let now_ms = self.room.now_ms();
        let Some((number, test)) = &mut self.test else { return };
        let number = *number;
        let (lines, complaint) = test.read(now_ms);
        let wires = test.wires();
        if !lines.is_empty() {
            self.room.hush();
        }
        if let Some(line) = complaint {
            self.complain(line);
        }
        self.say_lines(&lines);
        if let Some(wires) = wires {
            self.test = None;
            self.tell(SetupInput::Tested { number, wires: Some(wires) });
        }
    }

    fn say_lines(&mut self, lines: &[TestLine]) {
        for line in lines {
            let words = line.words(self.setup.words());
            self.room.say(Channel::Private, &words);
            self.room.tested(line);
        }
    }
}

/// The device that is set stands in the list even if it is not there now.
fn listed(found: Vec<SoundDevice>, set: &[&String]) -> Vec<SoundDevice> {
    let mut all = found;
    if all.is_empty() {
        return all;
    }
    for name in set {
        if *name != "none" && all.iter().all(|device| device.name != **name) {
            let called = if *name == "default" { String::new() } else { (*name).clone() };
            all.insert(0, SoundDevice { name: (*name).clone(), called });
        }
    }
    all
}

/// Every language there is, those of the configuration's own packs included.
fn languages(config: &Config, room: &mut dyn SetupRoom) -> Result<Vec<OfferedLanguage>, String> {
    let speech = &config.speech;
    let pack = |key, name: &str| {
        let text = file::pack_text(key, name)?;
        annabella_words::phrase::Pack::parse(&text).map_err(|err| err.to_string())
    };
    let set = file::language(&speech.prompts);
    let own_now = file::language(&speech.words) == set;
    // A player who announces in his own language may go back to FIDE's.
    let moves = if own_now { "fide" } else { speech.words.as_str() };
    let fide = file::language(moves) == file::FIDE;
    let mut names: Vec<&str> = annabella_words::phrase::pack::builtin_languages().collect();
    if !names.contains(&set) {
        names.insert(0, set);
    }
    let mut all = Vec::new();
    for name in names {
        let together = |moves: &str| -> Result<Words, String> {
            Words::new(pack("words", moves)?, pack("prompts", name)?).map_err(|err| err.to_string())
        };
        let own = fide && name != file::FIDE;
        let words = together(moves)?;
        all.push(OfferedLanguage {
            name: name.to_owned(),
            hears: room.understands(&words),
            words,
            own: own.then(|| together(name)).transpose()?,
        });
    }
    Ok(all)
}

/// Listens for four seconds of sound and judges it. Waits for it at most twice as long.
pub fn measure(capture: &mut dyn Capture) -> SoundLevel {
    let mut meter: Option<Meter> = None;
    let (mut heard_ms, mut waited) = (0, 0);
    let wait = Duration::from_millis(100);
    while heard_ms < MEASURED_MS && waited < 2 * MEASURED_MS / 100 {
        match capture.next(wait) {
            Some(CaptureEvent::Samples(chunk)) => {
                let rate_hz = chunk.rate_hz.max(1);
                heard_ms += chunk.samples.len() as u64 * 1000 / u64::from(rate_hz);
                meter.get_or_insert_with(|| Meter::new(rate_hz)).feed(&chunk.samples);
            }
            Some(CaptureEvent::Lost { .. }) => return SoundLevel::Missing,
            Some(_) => {}
            None => waited += 1,
        }
    }
    match meter.map(|meter| meter.levels().judgement) {
        Some(Judgement::Silent) => SoundLevel::Silent,
        Some(Judgement::NoSpeech) => SoundLevel::NoSpeech,
        Some(Judgement::TooQuiet) => SoundLevel::TooQuiet,
        Some(Judgement::Good) => SoundLevel::Good,
        Some(Judgement::Clipping) => SoundLevel::Clipping,
        None | Some(Judgement::Waiting) => SoundLevel::Missing,
    }
}

/// The loss or return of the board, as a line of the test.
fn plain(prompt: Prompt) -> TestLine {
    TestLine::Plain(prompt)
}
