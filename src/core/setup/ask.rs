//! The questions in their order, the possible answers, and the effect of each.

use super::{
    Fetching, Keeper, Own, Setup, SetupOutput, Sighted, SoundDevice, SoundLevel, Sounding, TestStep,
};
use crate::{
    game::Channel,
    questionnaire::{self, Questionnaire},
};
use annabella_words::phrase::{Command, Pack, Prompt, SetupWord, Slot, Utterance, timing::Timing};

/// No loudspeaker, as the configuration spells it.
const NONE: &str = "none";

/// A question, or a device at work.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    /// Which language; asked in all of them.
    Language,
    /// FIDE's names for moves, or the language's own.
    Names,
    /// Which voice.
    Voice,
    /// How fast.
    Rate,
    /// Which device is the earphone.
    Earphone,
    /// Which is the loudspeaker.
    Loudspeaker,
    /// Which microphone.
    Microphone,
    /// The microphone is being measured.
    Measuring,
    /// The microphone was measured; the question is whether to repeat that.
    Measured(SoundLevel),
    /// Whether to fetch the official German speech model.
    Model,
    /// Which board he has.
    Board,
    /// Whether he says after each move that it is executed.
    Reports,
    /// Whether to test the board.
    Test,
    /// The board is being tested.
    Testing,
    /// Serial ports are being tried.
    Looking,
    /// Which board the opponent has.
    Sighted,
    /// The clock.
    Clock,
    /// Whether telephones may open the pages.
    Pages,
    /// Whether to make a wireless network for them.
    Hotspot,
    /// The wireless network is being switched on.
    Sharing,
    /// The usual time control.
    Control,
    /// Whether to write all this.
    Save,
    /// The configuration is being written.
    Writing,
    /// Whether to end without writing.
    Leave,
    /// The set-up has ended.
    Over,
}

impl Step {
    /// A device is at work.
    pub(super) fn is_waiting(&self) -> bool {
        matches!(
            self,
            Step::Measuring | Step::Testing | Step::Looking | Step::Sharing | Step::Writing
        )
    }

    fn next(&self) -> Step {
        match self {
            Step::Language => Step::Names,
            Step::Names => Step::Voice,
            Step::Voice => Step::Rate,
            Step::Rate => Step::Earphone,
            Step::Earphone => Step::Loudspeaker,
            Step::Loudspeaker => Step::Microphone,
            Step::Microphone => Step::Measuring,
            Step::Measuring | Step::Measured(_) => Step::Model,
            Step::Model => Step::Board,
            Step::Board => Step::Reports,
            Step::Reports => Step::Test,
            Step::Test | Step::Testing => Step::Looking,
            Step::Looking => Step::Sighted,
            Step::Sighted => Step::Clock,
            Step::Clock => Step::Pages,
            Step::Pages => Step::Hotspot,
            Step::Hotspot | Step::Sharing => Step::Control,
            Step::Control | Step::Save | Step::Writing | Step::Leave => Step::Save,
            Step::Over => Step::Over,
        }
    }
}

/// An entry of the list, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pick(pub(crate) usize);

pub(super) type Act = questionnaire::Act<Pick>;
pub(super) type Choice = questionnaire::Choice<Pick>;

impl Setup {
    fn pick(&self, n: usize, label: Utterance, names: &[String]) -> Choice {
        let mut phrases = names.to_vec();
        phrases.extend(numbers(self.words().prompts(), n));
        Choice { act: Act::Own(Pick(n)), label, phrases }
    }

    fn picks(&self, labels: impl IntoIterator<Item = Utterance>) -> Vec<Choice> {
        let labels = labels.into_iter().enumerate();
        labels.map(|(n, label)| self.pick(n, label, &[])).collect()
    }

    /// The answers to the question that stands.
    pub(super) fn answers(&self) -> Vec<Choice> {
        match &self.state.step {
            Step::Language => self.languages(),
            Step::Names
            | Step::Measured(_)
            | Step::Reports
            | Step::Model
            | Step::Test
            | Step::Pages
            | Step::Hotspot
            | Step::Save
            | Step::Leave => self.yes_or_no(),
            Step::Voice => self.picks((1..).zip(&self.around.voices).map(|(n, _)| self.voice(n))),
            Step::Rate => {
                let yes = self.command(Command::Yes, Act::Yes);
                vec![yes, self.asking(Command::Faster), self.asking(Command::Slower)]
            }
            Step::Earphone => {
                self.picks(self.around.outputs.iter().map(|device| self.hear_me(device)))
            }
            Step::Loudspeaker => {
                let none = self.prompt(Prompt::SetupNoLoudspeaker, &[]);
                let devices = self.around.outputs.iter().map(|device| self.hear_me(device));
                self.picks(devices.chain([none]))
            }
            Step::Microphone => {
                self.picks(self.around.inputs.iter().map(|device| self.called(device)))
            }
            Step::Board => self.picks(self.own_boards().iter().map(|own| self.own_name(*own))),
            Step::Sighted => self.picks(self.boards().iter().map(|board| self.board_name(board))),
            Step::Clock => self.picks(self.keepers().iter().map(|keeper| self.keeper_name(keeper))),
            Step::Control => self.controls(&self.state.settings.control),
            Step::Measuring | Step::Looking | Step::Sharing => {
                vec![self.word(SetupWord::Next, Act::Next), self.word(SetupWord::Back, Act::Back)]
            }
            Step::Testing => {
                vec![
                    self.word(SetupWord::Next, Act::Next),
                    self.asking(Command::Repeat),
                    self.word(SetupWord::Back, Act::Back),
                    self.asking(Command::Cancel),
                ]
            }
            Step::Writing | Step::Over => Vec::new(),
        }
    }

    /// Each language by its own name and number, and by its number in the language that is set.
    fn languages(&self) -> Vec<Choice> {
        let mut all = Vec::new();
        for (n, known) in self.around.languages.iter().enumerate() {
            let label = known.words.prompt(Prompt::SetupLanguageKeys, &[]);
            let pack = known.words.prompts();
            let mut names = vec![pack.language().to_owned()];
            names.extend(numbers(pack, n));
            all.push(self.pick(n, label, &names));
        }
        all
    }

    fn voice(&self, n: u32) -> Utterance {
        self.prompt(Prompt::SetupVoice, &[Slot::Number(n)])
    }

    /// A device's name as a sentence.
    fn called(&self, device: &SoundDevice) -> Utterance {
        if device.called.is_empty() {
            return self.prompt(Prompt::SetupDefaultDevice, &[]);
        }
        self.words().label(&device.called)
    }

    fn device_name(&self, device: &SoundDevice) -> String {
        self.called(device).to_string().trim_end_matches('.').to_owned()
    }

    fn hear_me(&self, device: &SoundDevice) -> Utterance {
        self.prompt(Prompt::SetupHearMe, &[Slot::Text(&self.device_name(device))])
    }

    /// His own boards to choose from: the one that most players have comes first.
    fn own_boards(&self) -> Vec<Own> {
        let current = self.state.settings.board;
        let spoken = current == Own::Plain { spoken: true };
        let mut all = vec![Own::Plain { spoken }];
        if self.around.sensors {
            all.push(Own::Sensors);
        }
        if !all.contains(&current) {
            all.push(current);
        }
        all
    }

    fn own_name(&self, own: Own) -> Utterance {
        let prompt = match own {
            Own::Plain { .. } => Prompt::SetupBoardPlain,
            Own::Sensors => Prompt::SetupBoardSensors,
            Own::AsBefore => Prompt::SetupAsBefore,
        };
        self.prompt(prompt, &[])
    }

    fn is_plain(&self) -> bool {
        matches!(self.state.settings.board, Own::Plain { .. })
    }

    /// The opponent's boards to choose from, the present one among them.
    fn boards(&self) -> Vec<Sighted> {
        let mut all = vec![Sighted::Plain];
        all.extend(self.ports.iter().map(|port| Sighted::Dgt(port.path.clone())));
        all.push(Sighted::Page);
        if !all.contains(&self.state.settings.sighted) {
            all.push(self.state.settings.sighted.clone());
        }
        all
    }

    fn board_name(&self, board: &Sighted) -> Utterance {
        let found = |path: &str| self.ports.iter().any(|port| port.path == path);
        let words = |prompt| self.prompt(prompt, &[]);
        match board {
            Sighted::Plain => words(Prompt::SetupPlainBoard),
            Sighted::Page => words(Prompt::SetupPageBoard),
            Sighted::Dgt(path) if found(path) => self.at_port(Prompt::SetupDgtBoard, path),
            Sighted::Dgt(_) | Sighted::AsBefore => words(Prompt::SetupAsBefore),
        }
    }

    /// A single DGT board needs no name; several are named by their ports.
    fn at_port(&self, prompt: Prompt, path: &str) -> Utterance {
        let mut words = vec![self.prompt(prompt, &[])];
        if self.ports.len() > 1 {
            words.push(self.words().label(path.trim_start_matches("/dev/")));
        }
        Utterance::joined(words)
    }

    fn keepers(&self) -> Vec<Keeper> {
        let clocks = self.ports.iter().filter(|port| port.clock);
        let mut all = vec![Keeper::Own];
        all.extend(clocks.map(|port| Keeper::Dgt(port.path.clone())));
        if !all.contains(&self.state.settings.clock) {
            all.push(self.state.settings.clock.clone());
        }
        all
    }

    fn keeper_name(&self, keeper: &Keeper) -> Utterance {
        let found = |path: &str| self.ports.iter().any(|port| port.path == path);
        match keeper {
            Keeper::Own => self.prompt(Prompt::SetupOwnClock, &[]),
            Keeper::Dgt(path) if found(path) => self.at_port(Prompt::SetupDgtClock, path),
            Keeper::Dgt(_) | Keeper::AsBefore => self.prompt(Prompt::SetupAsBefore, &[]),
        }
    }

    fn asking(&self, command: Command) -> Choice {
        self.command(command, Act::Request(command))
    }

    /// The answer offered first: the present setting.
    pub(super) fn default_cursor(&self) -> usize {
        let settings = &self.state.settings;
        let named =
            |devices: &[SoundDevice], name: &str| devices.iter().position(|d| d.name == name);
        let outputs = &self.around.outputs;
        let place = match &self.state.step {
            Step::Language => {
                self.around.languages.iter().position(|known| known.name == settings.language)
            }
            Step::Names => Some(usize::from(settings.own_names)),
            Step::Voice => self.around.voices.iter().position(|name| *name == settings.voice),
            Step::Earphone => named(outputs, &settings.earphone),
            Step::Loudspeaker if settings.loudspeaker == NONE => Some(outputs.len()),
            Step::Loudspeaker => named(outputs, &settings.loudspeaker),
            Step::Microphone => named(&self.around.inputs, &settings.microphone),
            Step::Measured(level) => Some(usize::from(*level == SoundLevel::Good)),
            Step::Board => self.own_boards().iter().position(|own| *own == settings.board),
            Step::Reports => Some(usize::from(settings.board != Own::Plain { spoken: true })),
            Step::Pages => Some(usize::from(!settings.pages)),
            // "Choose" alone changes nothing.
            Step::Model => Some(1),
            Step::Sighted => self.boards().iter().position(|board| *board == settings.sighted),
            Step::Clock => self.keepers().iter().position(|keeper| *keeper == settings.clock),
            Step::Control => {
                let current = Act::Control(settings.control.clone());
                self.choices().iter().position(|choice| choice.act == current)
            }
            _ => None,
        };
        place.unwrap_or(0)
    }

    /// How speech sounds with the answer at the cursor.
    pub(super) fn candidate(&self) -> Sounding {
        let mut sounding = self.state.settings.sounding();
        let device = self.around.outputs.get(self.state.cursor).map(|device| device.name.clone());
        match self.state.step {
            Step::Voice => {
                let voice = self.around.voices.get(self.state.cursor);
                sounding.voice = voice.cloned().unwrap_or(sounding.voice);
            }
            Step::Earphone => sounding.earphone = device.unwrap_or(sounding.earphone),
            Step::Loudspeaker => sounding.loudspeaker = device.unwrap_or_else(|| NONE.to_owned()),
            _ => {}
        }
        sounding
    }

    /// Says the answer at the cursor: of a sound device on the device itself.
    pub(super) fn offer_answer(&mut self) {
        let choices = self.choices();
        let Some(choice) = choices.get(self.state.cursor) else { return };
        let device = self.state.cursor < self.around.outputs.len();
        let channel = match self.state.step {
            Step::Loudspeaker if device => Channel::Public,
            _ => Channel::Private,
        };
        if device && matches!(self.state.step, Step::Earphone | Step::Loudspeaker) {
            self.tune();
            self.out.push(SetupOutput::Tones(channel));
        }
        self.say(channel, choice.label.clone());
    }

    pub(super) fn ask(&mut self) {
        self.ask_after(Utterance::default());
    }

    /// Asks the question that stands, or lets the device work.
    pub(super) fn ask_after(&mut self, first: Utterance) {
        let words = Utterance::joined(std::iter::once(first).chain(self.question()));
        self.say(Channel::Private, words);
        match self.state.step {
            Step::Earphone | Step::Loudspeaker => self.offer_answer(),
            Step::Measuring => {
                self.asked += 1;
                let (number, device) = (self.asked, self.state.settings.microphone.clone());
                self.out.push(SetupOutput::Measure { number, device });
            }
            Step::Looking => {
                self.asked += 1;
                self.out.push(SetupOutput::Look { number: self.asked });
            }
            Step::Sharing => {
                self.asked += 1;
                self.out.push(SetupOutput::Share { number: self.asked });
            }
            Step::Testing => {
                self.asked += 1;
                self.out.push(SetupOutput::Test { number: self.asked });
            }
            Step::Writing => self.out.push(SetupOutput::Write),
            _ => {}
        }
    }

    /// The question that stands, where there is a list with the answer at the cursor.
    fn question(&self) -> Vec<Utterance> {
        let ask = |prompt| self.prompt(prompt, &[]);
        let listed = |prompt| {
            let choice = self.choices().into_iter().nth(self.state.cursor);
            std::iter::once(ask(prompt)).chain(choice.map(|choice| choice.label)).collect()
        };
        match &self.state.step {
            Step::Language => {
                let every = (1..).zip(&self.around.languages);
                let number = |(n, known): (u32, &super::OfferedLanguage)| {
                    known.words.prompt(Prompt::SetupLanguage, &[Slot::Number(n)])
                };
                every.map(number).collect()
            }
            Step::Names => vec![ask(Prompt::SetupAskNames)],
            Step::Voice => listed(Prompt::SetupAskVoice),
            Step::Rate => vec![ask(Prompt::SetupAskRate)],
            Step::Earphone => vec![ask(Prompt::SetupAskEarphone)],
            Step::Loudspeaker => vec![ask(Prompt::SetupAskLoudspeaker)],
            Step::Microphone => listed(Prompt::SetupAskMicrophone),
            Step::Measuring => vec![ask(Prompt::SetupSpeak)],
            Step::Measured(level) => {
                vec![ask(verdict(*level)), ask(Prompt::SetupAskMeasure)]
            }
            Step::Model => vec![ask(Prompt::SetupAskModel)],
            Step::Board => listed(Prompt::SetupAskBoard),
            Step::Reports => vec![ask(Prompt::SetupAskReports)],
            Step::Test => vec![ask(Prompt::SetupAskTest)],
            Step::Looking => vec![ask(Prompt::SetupLooking)],
            Step::Sighted => listed(Prompt::SetupAskSighted),
            Step::Clock => listed(Prompt::SetupAskClock),
            Step::Pages => vec![ask(Prompt::SetupAskPages)],
            Step::Hotspot => vec![ask(Prompt::SetupAskHotspot)],
            Step::Sharing => vec![ask(Prompt::SetupSharing)],
            Step::Control => listed(Prompt::AskControl),
            Step::Save => vec![ask(Prompt::SetupAskSave)],
            Step::Leave => vec![ask(Prompt::SetupAskLeave)],
            Step::Testing | Step::Writing | Step::Over => Vec::new(),
        }
    }

    /// All that is set, in a few words.
    pub(super) fn summary(&self) -> Utterance {
        let settings = &self.state.settings;
        let device = |prompt: Prompt, devices: &[SoundDevice], name: &str| {
            let known = devices.iter().find(|device| device.name == name)?;
            Some(self.prompt(prompt, &[Slot::Text(&self.device_name(known))]))
        };
        let outputs = &self.around.outputs;
        let mut all = vec![self.words().label(self.words().prompts().language())];
        let voice = self.around.voices.iter().position(|name| *name == settings.voice);
        let voice = voice.and_then(|n| u32::try_from(n + 1).ok());
        all.extend(voice.map(|n| self.voice(n)));
        all.push(self.prompt(Prompt::RateNow, &[Slot::Number(u32::from(settings.rate))]));
        let inputs = &self.around.inputs;
        all.extend(device(Prompt::SetupEarphoneIs, outputs, &settings.earphone));
        if settings.loudspeaker == NONE {
            all.push(self.prompt(Prompt::SetupNoLoudspeaker, &[]));
        }
        all.extend(device(Prompt::SetupLoudspeakerIs, outputs, &settings.loudspeaker));
        all.extend(device(Prompt::SetupMicrophoneIs, inputs, &settings.microphone));
        if settings.board != Own::AsBefore {
            all.push(self.own_name(settings.board));
        }
        all.push(self.board_name(&settings.sighted));
        all.push(self.keeper_name(&settings.clock));
        let current = Act::Control(settings.control.clone());
        let controls = self.controls(&settings.control);
        all.extend(controls.into_iter().find(|c| c.act == current).map(|c| c.label));
        Utterance::joined(all)
    }

    /// Goes on to the next question with more than one answer. Missing devices are reported in
    /// passing.
    pub(super) fn go_on(&mut self, first: Option<Utterance>) {
        let mut said: Vec<Utterance> = first.into_iter().collect();
        let mut missing: Vec<Prompt> = Vec::new();
        if self.state.step == Step::Language {
            let known = self.around.language(&self.state.settings.language);
            let deaf = known.is_none_or(|known| !known.hears);
            missing.extend(deaf.then_some(Prompt::SetupNoModel));
            missing.push(Prompt::SetupHelp);
        }
        let mut step = self.state.step.next();
        loop {
            let silent = self.around.outputs.is_empty();
            let own = self.around.language(&self.state.settings.language);
            step = match step {
                Step::Names if own.is_none_or(|known| known.own.is_none()) => Step::Voice,
                Step::Voice if self.around.voices.len() < 2 => Step::Rate,
                Step::Earphone if silent => {
                    missing.push(Prompt::SetupNoSound);
                    Step::Microphone
                }
                Step::Microphone if self.around.inputs.is_empty() => {
                    missing.push(Prompt::MicrophoneLost);
                    Step::Board
                }
                Step::Model if !self.offers_model() => Step::Board,
                Step::Microphone if self.around.inputs.len() == 1 => Step::Measuring,
                Step::Board if self.around.both_blind => Step::Reports,
                Step::Board if self.own_boards().len() < 2 => {
                    missing.extend(self.is_plain().then_some(Prompt::SetupBoardPlain));
                    Step::Reports
                }
                Step::Reports if self.around.both_blind || !self.is_plain() => Step::Test,
                Step::Test if self.is_plain() => Step::Looking,
                Step::Test if !self.around.reeds => {
                    missing.push(Prompt::SetupNoReeds);
                    Step::Looking
                }
                Step::Sighted if self.around.both_blind => Step::Clock,
                Step::Clock if self.keepers().len() < 2 => Step::Pages,
                Step::Pages if !self.around.pages => Step::Control,
                Step::Hotspot if !self.offers_hotspot() => Step::Control,
                step => break self.place(step),
            };
        }
        said.extend(missing.into_iter().map(|prompt| self.prompt(prompt, &[])));
        self.ask_after(Utterance::joined(said));
    }

    /// Whether the official German speech model could be fetched and would understand this player.
    fn offers_model(&self) -> bool {
        let known = self.around.language(&self.state.settings.language);
        let german = known.is_some_and(|known| known.hears && known.name == "de");
        self.around.model && german && self.fetching == Fetching::No
    }

    /// Whether telephones are wanted, and this machine is in no network but could make one.
    fn offers_hotspot(&self) -> bool {
        self.around.hotspot && self.state.settings.pages
    }

    /// The speech model comes while the other questions are answered.
    fn fetch(&mut self) {
        if self.fetching == Fetching::No {
            self.asked += 1;
            let number = self.asked;
            self.fetching = Fetching::Coming(number);
            self.out.push(SetupOutput::Fetch { number });
        }
        self.remember();
        let coming = self.prompt(Prompt::SetupModelComing, &[]);
        self.go_on(Some(coming));
    }

    /// "Weiter": this stays as it is.
    pub(super) fn skip(&mut self) {
        self.doubt = None;
        match self.state.step {
            Step::Testing => self.out.push(SetupOutput::TestStep(TestStep::Next)),
            Step::Measuring | Step::Looking | Step::Sharing => {
                // Later answers of these devices concern nothing any more.
                self.asked += 1;
                self.go_on(None);
            }
            Step::Leave => self.stay(),
            Step::Save | Step::Writing | Step::Over => self.ask(),
            _ => {
                self.remember();
                self.go_on(None);
            }
        }
    }

    /// Carries out an answer to the question that stands.
    pub(super) fn answer(&mut self, act: Act) {
        self.doubt = None;
        match (self.state.step.clone(), act) {
            (Step::Names, act @ (Act::Yes | Act::No)) => {
                self.set(|settings| settings.own_names = act == Act::No);
            }
            (Step::Reports, act @ (Act::Yes | Act::No)) => {
                self.set(|settings| settings.board = Own::Plain { spoken: act == Act::Yes });
            }
            (Step::Pages, act @ (Act::Yes | Act::No)) => {
                self.set(|settings| settings.pages = act == Act::Yes);
            }
            (Step::Rate, Act::Yes) => self.skip(),
            (Step::Measured(_), Act::Yes) => self.enter(Step::Measuring),
            (Step::Model, Act::Yes) => self.fetch(),
            (Step::Test, Act::Yes) => self.enter(Step::Testing),
            (Step::Hotspot, Act::Yes) => self.enter(Step::Sharing),
            (Step::Measured(_) | Step::Model | Step::Test | Step::Hotspot, Act::No) => self.skip(),
            (Step::Save, Act::Yes) => {
                self.place(Step::Writing);
                self.ask();
            }
            (Step::Save, Act::No) => self.enter(Step::Leave),
            (Step::Leave, Act::Yes) => {
                let cancelled = self.prompt(Prompt::Cancelled, &[]);
                self.say(Channel::Private, cancelled);
                self.end(false);
            }
            (Step::Leave, Act::No) => self.stay(),
            (Step::Control, Act::Control(text)) => self.set(|settings| settings.control = text),
            (step, Act::Own(Pick(n))) => self.picked(&step, n),
            _ => self.again(),
        }
    }

    fn picked(&mut self, step: &Step, n: usize) {
        let outputs = &self.around.outputs;
        let name = |devices: &[SoundDevice]| devices.get(n).map(|device| device.name.clone());
        match step {
            Step::Language => {
                let Some(known) = self.around.languages.get(n) else { return self.again() };
                let (name, own) = (known.name.clone(), known.own.is_some());
                self.remember();
                self.state.settings.language = name;
                self.state.settings.own_names &= own;
                self.timing = Timing::new(self.words().prompts());
                self.go_on(None);
            }
            Step::Voice => match self.around.voices.get(n).cloned() {
                Some(voice) => self.set(|settings| settings.voice = voice),
                None => self.again(),
            },
            Step::Earphone => match name(outputs) {
                Some(name) => self.set(|settings| settings.earphone = name),
                None => self.again(),
            },
            Step::Loudspeaker if n <= outputs.len() => {
                let name = name(outputs).unwrap_or_else(|| NONE.to_owned());
                self.remember();
                let same = name == self.state.settings.earphone;
                self.state.settings.loudspeaker = name;
                let heard = same.then(|| self.prompt(Prompt::SetupSameDevice, &[]));
                self.go_on(heard);
            }
            Step::Microphone => match name(&self.around.inputs) {
                Some(name) => self.set(|settings| settings.microphone = name),
                None => self.again(),
            },
            Step::Board => match self.own_boards().get(n).copied() {
                Some(own) => self.set(|settings| settings.board = own),
                None => self.again(),
            },
            Step::Sighted => match self.boards().into_iter().nth(n) {
                Some(board) => self.set(|settings| settings.sighted = board),
                None => self.again(),
            },
            Step::Clock => match self.keepers().into_iter().nth(n) {
                Some(keeper) => self.set(|settings| settings.clock = keeper),
                None => self.again(),
            },
            _ => self.again(),
        }
    }

    fn set(&mut self, change: impl FnOnce(&mut super::SetupSettings)) {
        self.remember();
        change(&mut self.state.settings);
        self.go_on(None);
    }
}

/// The phrases for the nth entry of a list.
fn numbers(pack: &Pack, n: usize) -> Vec<String> {
    let mut all: Vec<String> = u32::try_from(n + 1).map(|n| pack.number(n)).into_iter().collect();
    if let Some(rank) = shakmaty::Rank::ALL.get(n) {
        all.extend(pack.rank(*rank).heard().map(str::to_owned));
    }
    all
}

fn verdict(level: SoundLevel) -> Prompt {
    match level {
        SoundLevel::Missing => Prompt::MicrophoneLost,
        SoundLevel::Silent => Prompt::SetupMicSilent,
        SoundLevel::NoSpeech => Prompt::SetupMicNoSpeech,
        SoundLevel::TooQuiet => Prompt::SetupMicQuiet,
        SoundLevel::Good => Prompt::SetupMicGood,
        SoundLevel::Clipping => Prompt::SetupMicLoud,
    }
}
