//! Set-up by ear: language, voice, sound devices, board, clock and time control, asked one after
//! the other. Pure, as the game is: answers and device reports come in, sentences and tasks go out
//! ([`Setup`]).
//!
//! # Three buttons
//!
//! The answer chosen beforehand is the one that is set already ([`crate::questionnaire`]). So
//! *choose* alone leaves everything as it is. A voice, a rate and a sound device are heard while
//! they are offered.
//!
//! # Undo
//!
//! "Zurück" brings back the question before, with everything as it was then. [`Setup::settings`] is
//! a whole configuration at every moment. It is written only on request.

mod ask;
mod script;
mod settings;

pub use settings::{
    Around, FoundWires, Keeper, Maker, OfferedLanguage, Own, Port, SetupSettings, Sighted,
    SoundDevice, Sounding,
};

use std::sync::Arc;

use crate::{
    game::Channel,
    questionnaire::{History, Key, Questionnaire},
};
use annabella_words::phrase::{
    Prompt, Slot, Utterance, Words,
    hear::{Grammar, Heard, Thresholds},
    timing::Timing,
};
use ask::{Act, Step};

/// How often an unanswered question is repeated with all its possible answers.
const MOST_HELPED: u8 = 2;

/// The quality of a microphone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundLevel {
    /// The microphone cannot be opened.
    Missing,
    /// Nothing, not even noise.
    Silent,
    NoSpeech,
    TooQuiet,
    Good,
    Clipping,
}

/// The builder's action in the board's self-test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestStep {
    /// This hole feels nothing: go on.
    Next,
    Repeat,
    Back,
}

/// The outcome of fetching the official German speech model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fetched {
    /// The model is there and hears from the next start on.
    There,
    /// No way to where it is.
    Unreachable,
    /// The model is damaged, or has no room here.
    Failed,
}

/// Everything that can reach the set-up.
#[derive(Clone, Debug, PartialEq)]
pub enum SetupInput {
    /// The set-up begins: the first question is asked.
    Opened,
    Heard {
        heard: Heard,
        /// The talk key was held.
        pushed: bool,
    },
    Said(String),
    Key(Key),
    /// Nobody has answered for a while.
    Idle,
    Measured {
        /// As in [`SetupOutput::Measure`].
        number: u32,
        level: SoundLevel,
    },
    /// The serial ports have been tried.
    Looked {
        /// As in [`SetupOutput::Look`].
        number: u32,
        /// The ports at which a DGT board answered.
        ports: Vec<Port>,
    },
    /// The self-test is over, and its findings were spoken.
    Tested {
        /// As in [`SetupOutput::Test`].
        number: u32,
        /// The board's wiring, where it differs from the configuration; `None` if the board could
        /// not be read.
        wires: Option<FoundWires>,
    },
    /// The speech model was fetched, or not.
    Fetched {
        /// As in [`SetupOutput::Fetch`].
        number: u32,
        fetched: Fetched,
    },
    /// The wireless network is on, or not.
    Shared {
        /// As in [`SetupOutput::Share`].
        number: u32,
        /// Its password, digits; `None` if it could not be switched on.
        password: Option<String>,
    },
    /// [`SetupOutput::Write`] was carried out, or failed.
    Written(bool),
}

/// Everything that the set-up can ask for, in order.
#[derive(Clone, Debug, PartialEq)]
pub enum SetupOutput {
    Say {
        channel: Channel,
        words: Utterance,
    },
    /// How an answer was understood, for fingers: nobody says it.
    Understood(Utterance),
    Hush,
    /// Speak like this from now on.
    Sounding(Sounding),
    /// A test tone at the left, then one at the right.
    Tones(Channel),
    /// Measure the microphone while somebody speaks.
    Measure {
        number: u32,
        device: String,
    },
    /// Try the serial ports for DGT boards.
    Look {
        number: u32,
    },
    /// Begin the board's self-test; its lines are said by who carries it out.
    Test {
        number: u32,
    },
    TestStep(TestStep),
    StopTest,
    /// Fetch the official German speech model; the dialogue goes on meanwhile, and may end before.
    Fetch {
        number: u32,
    },
    /// Make a wireless network of this machine's own, and switch it on.
    Share {
        number: u32,
    },
    Write,
    Finished {
        saved: bool,
    },
}

/// The state that an answer changes and "zurück" restores.
#[derive(Clone, Debug, PartialEq)]
struct State {
    settings: SetupSettings,
    step: Step,
    cursor: usize,
}

#[derive(Clone, Debug)]
pub struct Setup {
    around: Arc<Around>,
    limits: Thresholds,
    timing: Timing,
    ports: Vec<Port>,
    state: State,
    history: History<State>,
    doubt: Option<Act>,
    sounding: Sounding,
    asked: u32,
    fetching: Fetching,
    helped: u8,
    last: Option<Utterance>,
    /// So often in a row an answer was not understood.
    in_vain: u8,
    moment: u64,
    out: Vec<SetupOutput>,
}

/// How far the speech model is: nothing that "zurück" undoes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fetching {
    /// Not asked for, or in vain.
    No,
    Coming(u32),
    Done,
}

impl Setup {
    /// A dialogue that waits for [`SetupInput::Opened`]. `None` without a language.
    pub fn new(around: Around, settings: SetupSettings, limits: Thresholds) -> Option<Setup> {
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
            history: History::default(),
            doubt: None,
            sounding,
            asked: 0,
            fetching: Fetching::No,
            helped: 0,
            last: None,
            in_vain: 0,
            moment: 0,
            out: Vec::new(),
        })
    }

    /// The settings that would be written now.
    pub fn settings(&self) -> &SetupSettings {
        &self.state.settings
    }

    /// The packs of the language that is spoken now.
    pub fn words(&self) -> &Words {
        // `new` has seen to it that the language is there, and only those that are can be chosen.
        let language = self.around.words(&self.state.settings);
        language.unwrap_or(&self.around.languages[0].words)
    }

    /// The possible phrases, for the recogniser.
    pub fn grammar(&self) -> Grammar {
        Grammar::of_phrases(self.expected())
    }

    /// Changes whenever [`Setup::grammar`] does.
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
                    let none =
                        self.ports.is_empty().then(|| self.prompt(Prompt::SetupNoBoard, &[]));
                    self.place(Step::Sighted);
                    self.ask_after(none.unwrap_or_default());
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
            SetupInput::Shared { number, password } => {
                if self.state.step == Step::Sharing && number == self.asked {
                    self.shared(password.as_deref());
                }
            }
            SetupInput::Written(written) => self.written(written),
        }
        std::mem::take(&mut self.out)
    }

    fn tested(&mut self, wires: Option<FoundWires>) {
        let lost = wires.is_none().then(|| self.prompt(Prompt::BoardLost, &[]));
        if let Some(wires) = wires {
            self.state.settings.wires = wires;
        }
        self.go_on(lost);
    }

    fn shared(&mut self, password: Option<&str>) {
        let told = match password.map(|digits| self.words().digits(digits)) {
            Some(digits) => self.prompt(Prompt::SetupHotspotOn, &[Slot::Text(&digits)]),
            None => self.prompt(Prompt::SetupHotspotFailed, &[]),
        };
        self.go_on(Some(told));
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
            self.ask_after(sorry);
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
        self.ask_after(help);
    }

    /// The person stays: back to the question before. A changed volume or speed stays changed.
    fn stay(&mut self) {
        let settings = self.state.settings.clone();
        if let Some(state) = self.history.last_mut() {
            state.settings = settings;
        }
        self.undo();
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
        self.history.remember(&self.state);
    }

    /// A change during a device's work is undone together with the request to the device. While the
    /// question is whether to leave, it is undone with that question.
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
        self.state.cursor = self.question().set;
        self.moment += 1;
    }

    /// Speaks as the answer at the cursor would have it.
    fn say(&mut self, channel: Channel, words: Utterance) {
        if words.parts.is_empty() {
            return;
        }
        self.tune();
        self.last = Some(words.clone());
        self.in_vain = 0;
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
