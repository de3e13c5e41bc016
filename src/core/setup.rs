//! Set-up by ear: language, voice, sound devices, board, clock and time control, asked one after the
//! other. Pure, as the game is: answers and what devices report come in, what to say and what to do
//! goes out ([`Setup`]).
//!
//! # Three buttons
//!
//! As in the lobby each question has a list of answers with one of them chosen beforehand, the one
//! that is set already: *next* goes through the list and says each, *choose* takes it. So *choose* alone
//! leaves everything as it is. A voice, a rate and a sound device are heard while they are offered.
//!
//! # Undo
//!
//! "Zurück" brings back the question before with everything as it was then. What [`Setup::settings`]
//! gives is at every moment a whole configuration; it is written only when asked for.

mod ask;
mod listening;
mod settings;

pub use settings::{Around, Device, Keeper, Language, Port, Settings, Sighted, Sounding, Wires};

use std::sync::Arc;

use crate::game::Channel;
use annabella_words::phrase::{
    Command, Prompt, Slot, Utterance, Words,
    hear::{Heard, Thresholds},
    timing::Timing,
};
use ask::{Act, Step};

/// Answers that can be undone.
const MOST_UNDONE: usize = 200;
/// So often a question that nobody answers is asked again with all that may be answered.
const MOST_HELPED: u8 = 2;
/// What "schneller" and "lauter" change: words a minute, percent.
const RATE_STEP: u16 = 20;
const VOLUME_STEP: u8 = 10;

/// One of the keys or buttons.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SetupKey {
    /// The answer after.
    Next,
    /// The answer before.
    Previous,
    /// This answer.
    Choose,
    /// The question again.
    Repeat,
    /// Undo.
    Back,
}

impl SetupKey {
    /// All of them.
    pub const ALL: [SetupKey; 5] =
        [SetupKey::Next, SetupKey::Previous, SetupKey::Choose, SetupKey::Repeat, SetupKey::Back];
}

/// What a microphone was found to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// It cannot be opened.
    Missing,
    /// Nothing, not even noise.
    Silent,
    /// Noise, but no speech.
    NoSpeech,
    /// Speech is too quiet.
    TooQuiet,
    /// As it should be.
    Good,
    /// Too loud.
    Clipping,
}

/// What the builder does in the board's self-test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestStep {
    /// This hole feels nothing: go on.
    Next,
    /// Say it again.
    Repeat,
    /// The hole before.
    Back,
}

/// What came of fetching the official German speech model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// It is there and hears from the next start on.
    There,
    /// No way to where it is.
    Unreachable,
    /// It is not what it should be, or has no room here.
    Failed,
}

/// Everything that can reach the set-up.
#[derive(Clone, Debug, PartialEq)]
pub enum SetupInput {
    /// It begins: the first question is asked.
    Opened,
    /// Something was spoken.
    Heard {
        /// What it may have been.
        heard: Heard,
        /// The talk key was held.
        pushed: bool,
    },
    /// Something was typed.
    Said(String),
    /// A key or a button.
    Key(SetupKey),
    /// Nobody has answered for a while.
    Idle,
    /// The microphone has been measured.
    Measured {
        /// As in [`SetupOutput::Measure`].
        number: u32,
        /// What it was found to be.
        level: Level,
    },
    /// The serial ports have been tried.
    Looked {
        /// As in [`SetupOutput::Look`].
        number: u32,
        /// Those at which a DGT board answered.
        ports: Vec<Port>,
    },
    /// The self-test is over; what was found has been said.
    Tested {
        /// As in [`SetupOutput::Test`].
        number: u32,
        /// How the board is wired, where it differs from what was believed; `None`: it could not be
        /// read.
        wires: Option<Wires>,
    },
    /// The speech model was fetched, or not.
    Fetched {
        /// As in [`SetupOutput::Fetch`].
        number: u32,
        /// What came of it.
        fetched: Fetched,
    },
    /// [`SetupOutput::Write`] was carried out, or failed.
    Written(bool),
}

/// Everything that the set-up can ask for, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum SetupOutput {
    /// Speak.
    Say {
        /// Loudspeaker or earphone.
        channel: Channel,
        /// The words.
        words: Utterance,
    },
    /// Cut all speech at once.
    Hush,
    /// Speak like this from now on.
    Sounding(Sounding),
    /// A test tone at the left, then one at the right.
    Tones(Channel),
    /// Measure the microphone while somebody speaks.
    Measure {
        /// Goes into the answer.
        number: u32,
        /// Which.
        device: String,
    },
    /// Try the serial ports for DGT boards.
    Look {
        /// Goes into the answer.
        number: u32,
    },
    /// Begin the board's self-test; its lines are said by who carries it out.
    Test {
        /// Goes into the answer.
        number: u32,
    },
    /// An answer in the self-test.
    TestStep(TestStep),
    /// Give the self-test up.
    StopTest,
    /// Fetch the official German speech model; the dialogue goes on meanwhile, and may end before.
    Fetch {
        /// Goes into the answer.
        number: u32,
    },
    /// Write the settings.
    Write,
    /// It is over.
    Finished {
        /// The settings were written.
        saved: bool,
    },
}

/// What an answer changes and "zurück" restores.
#[derive(Clone, Debug, PartialEq)]
struct State {
    settings: Settings,
    step: Step,
    cursor: usize,
}

/// The dialogue.
#[derive(Clone, Debug)]
pub struct Setup {
    around: Arc<Around>,
    limits: Thresholds,
    timing: Timing,
    ports: Vec<Port>,
    state: State,
    history: Vec<State>,
    /// An answer heard with doubt.
    doubt: Option<Act>,
    sounding: Sounding,
    asked: u32,
    fetching: Fetching,
    helped: u8,
    moment: u64,
    out: Vec<SetupOutput>,
}

/// How far the speech model is: nothing that "zurück" undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fetching {
    /// Not asked for, or in vain.
    No,
    /// On its way.
    Coming(u32),
    /// Here.
    Done,
}

impl Setup {
    /// A dialogue that waits for [`SetupInput::Opened`]. `None` without a language.
    pub fn new(around: Around, settings: Settings, limits: Thresholds) -> Option<Setup> {
        let first = around.languages.first()?.name.clone();
        let mut settings = settings;
        if around.language(&settings.language).is_none() {
            settings.language = first;
        }
        let timing = Timing::new(around.words(&settings)?.prompts());
        let sounding = settings.sounding();
        let cursor = around.languages.iter().position(|known| known.name == settings.language);
        Some(Setup {
            around: Arc::new(around),
            limits,
            timing,
            ports: Vec::new(),
            state: State { settings, step: Step::Language, cursor: cursor.unwrap_or(0) },
            history: Vec::new(),
            doubt: None,
            sounding,
            asked: 0,
            fetching: Fetching::No,
            helped: 0,
            moment: 0,
            out: Vec::new(),
        })
    }

    /// What would be written now.
    pub fn settings(&self) -> &Settings {
        &self.state.settings
    }

    /// The packs of the language that is spoken now.
    pub fn words(&self) -> &Words {
        // `new` has seen to it that the language is there, and only those that are can be chosen.
        let language = self.around.words(&self.state.settings);
        language.unwrap_or(&self.around.languages[0].words)
    }

    /// When this changes, [`Setup::grammar`] does.
    pub fn moment(&self) -> u64 {
        self.moment
    }

    /// Whether the set-up has ended.
    pub fn is_over(&self) -> bool {
        matches!(self.state.step, Step::Over)
    }

    /// A device is at work and answers later.
    pub fn is_waiting(&self) -> bool {
        self.state.step.is_waiting()
    }

    /// An answer was heard with doubt, and it is asked whether it was meant.
    pub fn is_in_doubt(&self) -> bool {
        self.doubt.is_some()
    }

    /// How many answers can be undone.
    pub fn undoable(&self) -> usize {
        self.history.len()
    }

    /// Takes in what happened.
    pub fn handle(&mut self, input: SetupInput) -> Vec<SetupOutput> {
        if self.is_over() {
            return Vec::new();
        }
        if !matches!(input, SetupInput::Idle | SetupInput::Fetched { .. }) {
            self.helped = 0;
        }
        match input {
            SetupInput::Opened => self.ask(),
            SetupInput::Heard { heard, pushed } => self.heard(&heard, pushed),
            SetupInput::Said(text) => self.said(&text),
            SetupInput::Key(key) => self.key(key),
            SetupInput::Idle => self.idle(),
            SetupInput::Measured { number, level } => {
                if self.state.step == Step::Measuring && number == self.asked {
                    self.place(Step::Measured(level));
                    self.ask();
                }
            }
            SetupInput::Looked { number, ports } => {
                if self.state.step == Step::Looking && number == self.asked {
                    self.ports = ports;
                    let none = self.ports.is_empty().then(|| self.prompt(Prompt::SetupNoDgt, &[]));
                    self.place(Step::Sighted);
                    self.ask_after(none);
                }
            }
            SetupInput::Tested { number, wires } => {
                if self.state.step == Step::Testing && number == self.asked {
                    self.tested(wires);
                }
            }
            SetupInput::Fetched { number, fetched } => {
                if self.fetching == Fetching::Coming(number) {
                    self.fetched(fetched);
                }
            }
            SetupInput::Written(written) => self.written(written),
        }
        std::mem::take(&mut self.out)
    }

    fn tested(&mut self, wires: Option<Wires>) {
        let lost = wires.is_none().then(|| self.prompt(Prompt::BoardLost, &[]));
        if let Some(wires) = wires {
            self.state.settings.wires = wires;
        }
        self.go_on(lost);
    }

    /// Said beside the question that stands, which is left as it is.
    fn fetched(&mut self, fetched: Fetched) {
        let (fetching, prompt) = match fetched {
            Fetched::There => (Fetching::Done, Prompt::SetupModelThere),
            Fetched::Unreachable => (Fetching::No, Prompt::SetupModelUnreachable),
            Fetched::Failed => (Fetching::No, Prompt::SetupModelFailed),
        };
        self.fetching = fetching;
        let words = self.prompt(prompt, &[]);
        self.say(Channel::Private, words);
    }

    fn written(&mut self, written: bool) {
        if self.state.step != Step::Writing {
            return;
        }
        if written {
            let coming = matches!(self.fetching, Fetching::Coming(_));
            let coming = coming.then(|| self.prompt(Prompt::SetupModelComing, &[]));
            let written = self.prompt(Prompt::TestWritten, &[]);
            let words = Utterance::joined([written].into_iter().chain(coming));
            self.say(Channel::Private, words);
            self.end(true);
        } else {
            let sorry = self.prompt(Prompt::SetupNotWritten, &[]);
            self.place(Step::Save);
            self.ask_after(Some(sorry));
        }
    }

    fn end(&mut self, saved: bool) {
        self.place(Step::Over);
        self.history.clear();
        self.out.push(SetupOutput::Finished { saved });
    }

    fn idle(&mut self) {
        if self.is_waiting() || self.helped >= MOST_HELPED {
            return;
        }
        self.helped += 1;
        if self.state.step == Step::Language {
            let every = self.around.languages.iter();
            let keys = every.map(|known| known.words.prompt(Prompt::SetupLanguageKeys, &[]));
            let words = Utterance::joined(keys.collect::<Vec<_>>());
            self.say(Channel::Private, words);
            return;
        }
        let help = self.prompt(Prompt::SetupHelp, &[]);
        self.ask_after(Some(help));
    }

    fn key(&mut self, key: SetupKey) {
        self.out.push(SetupOutput::Hush);
        let turned = matches!(key, SetupKey::Next | SetupKey::Previous);
        if turned && self.doubt.take().is_some() {
            return self.ask();
        }
        let choices = self.choices();
        let count = choices.len().max(1);
        match key {
            SetupKey::Next => self.state.cursor = (self.state.cursor + 1) % count,
            SetupKey::Previous => self.state.cursor = (self.state.cursor + count - 1) % count,
            SetupKey::Choose => {
                let chosen = choices.get(self.state.cursor).map(|choice| choice.act.clone());
                if let Some(act) = self.doubt.take().or(chosen) {
                    self.act(act);
                }
                return;
            }
            SetupKey::Repeat => return self.request(Command::Repeat),
            SetupKey::Back => return self.act(Act::Back),
        }
        self.offer();
    }

    /// Carries out an answer or a request.
    fn act(&mut self, act: Act) {
        match act {
            Act::Request(command) => self.request(command),
            Act::Back if self.state.step == Step::Testing => {
                self.out.push(SetupOutput::TestStep(TestStep::Back));
            }
            Act::Back => self.back(),
            Act::Next => self.skip(),
            Act::Done => self.done(),
            Act::Summary => {
                let words = self.summary();
                self.ask_after(Some(words));
            }
            act => self.answer(act),
        }
    }

    fn request(&mut self, command: Command) {
        match command {
            Command::Yes => self.yes(),
            Command::No => self.no(),
            Command::Repeat if self.state.step == Step::Testing => {
                self.out.push(SetupOutput::TestStep(TestStep::Repeat));
            }
            Command::Repeat => match self.doubt.clone() {
                Some(act) => self.doubtful(act),
                None => self.ask(),
            },
            Command::Stop => self.out.push(SetupOutput::Hush),
            Command::Cancel => self.cancel(),
            Command::Help => {
                let help = self.prompt(Prompt::SetupHelp, &[]);
                self.say(Channel::Private, help);
            }
            Command::Louder => self.volume(true),
            Command::Quieter => self.volume(false),
            Command::Faster => self.rate(true),
            Command::Slower => self.rate(false),
            _ => self.again(),
        }
    }

    fn yes(&mut self) {
        let choices = self.choices();
        let yes = choices.iter().find(|choice| choice.act == Act::Yes);
        let chosen = yes.or_else(|| choices.get(self.state.cursor)).map(|c| c.act.clone());
        if let Some(act) = self.doubt.take().or(chosen) {
            self.act(act);
        }
    }

    fn no(&mut self) {
        if self.doubt.take().is_some() {
            self.ask();
        } else if self.choices().iter().any(|choice| choice.act == Act::No) {
            self.answer(Act::No);
        } else {
            self.key(SetupKey::Next);
        }
    }

    /// The volume of the channel that is being asked about.
    fn volume(&mut self, up: bool) {
        self.remember_answer();
        let loud = self.state.step == Step::Loudspeaker;
        let settings = &mut self.state.settings;
        let volume =
            if loud { &mut settings.loudspeaker_volume } else { &mut settings.earphone_volume };
        *volume = if up {
            volume.saturating_add(VOLUME_STEP).min(100)
        } else {
            // A mute earphone could not be made louder again by ear.
            volume.saturating_sub(VOLUME_STEP).max(VOLUME_STEP)
        };
        let slot = Slot::Number(u32::from(*volume));
        let words = self.prompt(Prompt::VolumeNow, &[slot]);
        let channel = if loud { Channel::Public } else { Channel::Private };
        self.say(channel, words);
    }

    fn rate(&mut self, faster: bool) {
        self.remember_answer();
        let rate = &mut self.state.settings.rate;
        *rate = if faster { *rate + RATE_STEP } else { *rate - RATE_STEP.min(*rate) };
        *rate = (*rate).clamp(settings::SLOWEST, settings::FASTEST);
        let words =
            self.prompt(Prompt::RateNow, &[Slot::Number(u32::from(self.state.settings.rate))]);
        if self.state.step == Step::Rate {
            self.state.cursor = 0;
            self.ask_after(Some(words));
        } else {
            self.say(Channel::Private, words);
        }
    }

    fn back(&mut self) {
        self.doubt = None;
        match self.history.pop() {
            Some(state) => {
                let language = self.state.settings.language != state.settings.language;
                self.state = state;
                if language {
                    self.timing = Timing::new(self.words().prompts());
                }
                self.moment += 1;
                self.ask();
            }
            None => {
                let nothing = self.prompt(Prompt::NothingBefore, &[]);
                self.ask_after(Some(nothing));
            }
        }
    }

    /// He does not leave: back to where he was. What was made louder or quicker meanwhile stays so.
    fn stay(&mut self) {
        let settings = self.state.settings.clone();
        if let Some(state) = self.history.last_mut() {
            state.settings = settings;
        }
        self.back();
    }

    /// A doubt and a test are given up at once, all that was answered only after a question.
    fn cancel(&mut self) {
        if self.doubt.take().is_some() || self.state.step == Step::Leave {
            let cancelled = self.prompt(Prompt::Cancelled, &[]);
            self.say(Channel::Private, cancelled);
            if self.state.step == Step::Leave {
                self.stay();
            } else {
                self.ask();
            }
        } else if self.state.step == Step::Testing {
            self.out.push(SetupOutput::StopTest);
            let cancelled = self.prompt(Prompt::Cancelled, &[]);
            self.go_on(Some(cancelled));
        } else {
            self.enter(Step::Leave);
        }
    }

    /// "Fertig": straight to the last question.
    fn done(&mut self) {
        self.doubt = None;
        if self.state.step == Step::Testing {
            self.out.push(SetupOutput::StopTest);
            self.place(Step::Save);
            self.ask();
        } else if matches!(self.state.step, Step::Save | Step::Leave) {
            self.ask();
        } else {
            self.enter(Step::Save);
        }
    }

    fn remember(&mut self) {
        if self.history.len() >= MOST_UNDONE {
            self.history.remove(0);
        }
        self.history.push(self.state.clone());
    }

    /// What changes while a device works is undone with what the device was asked for; while it is
    /// asked whether to leave, with that question.
    fn remember_answer(&mut self) {
        if !self.is_waiting() && self.state.step != Step::Leave {
            self.remember();
        }
    }

    /// Goes on to a step; "zurück" comes back here.
    fn enter(&mut self, step: Step) {
        self.remember();
        self.place(step);
        self.ask();
    }

    /// Puts a step in place without a word.
    fn place(&mut self, step: Step) {
        self.doubt = None;
        self.state.step = step;
        self.state.cursor = self.default_cursor();
        self.moment += 1;
    }

    fn prompt(&self, prompt: Prompt, slots: &[Slot<'_>]) -> Utterance {
        self.words().prompt(prompt, slots)
    }

    /// Speaks as the answer at the cursor would have it.
    fn say(&mut self, channel: Channel, words: Utterance) {
        if words.parts.is_empty() {
            return;
        }
        self.tune();
        self.out.push(SetupOutput::Say { channel, words });
    }

    fn tune(&mut self) {
        let sounding = self.candidate();
        if sounding != self.sounding {
            self.sounding = sounding.clone();
            self.out.push(SetupOutput::Sounding(sounding));
        }
    }
}
