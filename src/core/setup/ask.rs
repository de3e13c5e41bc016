//! The questions in their order, the possible answers, and the effect of each.

use super::{
    Fetching, Keeper, Maker, Own, Setup, SetupOutput, Sighted, SoundDevice, SoundLevel, Sounding,
    TestStep,
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
    Voice,
    Rate,
    Earphone,
    Loudspeaker,
    Microphone,
    Measuring,
    /// The microphone was measured; the question is whether to repeat that.
    Measured(SoundLevel),
    /// Whether to fetch the official German speech model.
    Model,
    Board,
    /// Whether he says after each move that it is executed.
    Reports,
    Test,
    Testing,
    Looking,
    Sighted,
    Clock,
    /// Whether telephones may open the pages.
    Pages,
    /// Whether to make a wireless network for them.
    Hotspot,
    /// The wireless network is being switched on.
    Sharing,
    Control,
    Save,
    Writing,
    /// Whether to end without writing.
    Leave,
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

    /// The question after this one, asked or not.
    fn next(&self) -> Step {
        let place = match self {
            Step::Over => return Step::Over,
            Step::Measured(_) => ORDER.iter().position(|step| *step == Step::Measuring),
            Step::Testing => ORDER.iter().position(|step| *step == Step::Test),
            Step::Sharing => ORDER.iter().position(|step| *step == Step::Hotspot),
            step => ORDER.iter().position(|known| known == step),
        };
        place.and_then(|place| ORDER.get(place + 1)).cloned().unwrap_or(Step::Save)
    }
}

/// The questions, and the work of devices that follows some of them.
const ORDER: [Step; 18] = [
    Step::Language,
    Step::Names,
    Step::Voice,
    Step::Rate,
    Step::Earphone,
    Step::Loudspeaker,
    Step::Microphone,
    Step::Measuring,
    Step::Model,
    Step::Board,
    Step::Reports,
    Step::Test,
    Step::Looking,
    Step::Sighted,
    Step::Clock,
    Step::Pages,
    Step::Hotspot,
    Step::Control,
];

/// An entry of the list, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Pick(pub(crate) usize);

pub(super) type Act = questionnaire::Act<Pick>;
pub(super) type Choice = questionnaire::Choice<Pick>;
pub(super) type Question = questionnaire::Question<Pick>;

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
        let found = self.ports.iter();
        all.extend(found.map(|port| Sighted::Electronic(port.maker, port.path.clone())));
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
            Sighted::Electronic(maker, path) if found(path) => {
                self.at_port(self.board_of(*maker), path)
            }
            Sighted::Electronic(..) | Sighted::AsBefore => words(Prompt::SetupAsBefore),
        }
    }

    fn board_of(&self, maker: Maker) -> Utterance {
        match maker {
            Maker::Dgt => self.prompt(Prompt::SetupDgtBoard, &[]),
            other => self.prompt(Prompt::SetupBoardOf, &[Slot::Text(other.name())]),
        }
    }

    /// A single board needs no name; several are named by their ports, by Bluetooth by their own
    /// names.
    fn at_port(&self, what: Utterance, path: &str) -> Utterance {
        let mut words = vec![what];
        if self.ports.len() > 1 {
            let name = path.trim_start_matches("/dev/").trim_start_matches("bluetooth:");
            words.push(self.words().label(name));
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
            Keeper::Dgt(path) if found(path) => {
                self.at_port(self.prompt(Prompt::SetupDgtClock, &[]), path)
            }
            Keeper::Dgt(_) | Keeper::AsBefore => self.prompt(Prompt::SetupAsBefore, &[]),
        }
    }

    fn asking(&self, command: Command) -> Choice {
        self.command(command, Act::Request(command))
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
        let words = Utterance::joined([first, self.question_words()]);
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

    /// The table of questions.
    pub(super) fn row(&self) -> Question {
        use Step as S;
        let (settings, around) = (&self.state.settings, &self.around);
        let ask = |prompt| Question::asked(self.prompt(prompt, &[]));
        // With the answer that is set already.
        let yes_no =
            |prompt, yes: bool| ask(prompt).with(self.yes_or_no(), Some(usize::from(!yes)));
        let list = |prompt, labels: Vec<Utterance>, set| ask(prompt).list(self.picks(labels), set);
        match &self.state.step {
            S::Language => self.which_language(),
            S::Names => yes_no(Prompt::SetupAskNames, !settings.own_names),
            S::Voice => {
                let labels = (1..).zip(&around.voices).map(|(n, _)| self.voice(n));
                let set = around.voices.iter().position(|name| *name == settings.voice);
                list(Prompt::SetupAskVoice, labels.collect(), set)
            }
            S::Rate => {
                let yes = self.command(Command::Yes, Act::Yes);
                let slower = self.asking(Command::Slower);
                ask(Prompt::SetupAskRate)
                    .with(vec![yes, self.asking(Command::Faster), slower], None)
            }
            S::Earphone | S::Loudspeaker => self.which_output(),
            S::Microphone => {
                let labels = around.inputs.iter().map(|device| self.called(device)).collect();
                list(
                    Prompt::SetupAskMicrophone,
                    labels,
                    named(&around.inputs, &settings.microphone),
                )
            }
            S::Measuring => self.at_work(Prompt::SetupSpeak),
            S::Measured(level) => {
                let mut row = yes_no(Prompt::SetupAskMeasure, *level != SoundLevel::Good);
                row.asked.insert(0, self.prompt(verdict(*level), &[]));
                row
            }
            // "Choose" alone changes nothing.
            S::Model => yes_no(Prompt::SetupAskModel, false),
            S::Board => {
                let all = self.own_boards();
                let labels = all.iter().map(|own| self.own_name(*own)).collect();
                list(
                    Prompt::SetupAskBoard,
                    labels,
                    all.iter().position(|own| *own == settings.board),
                )
            }
            S::Reports => {
                yes_no(Prompt::SetupAskReports, settings.board == Own::Plain { spoken: true })
            }
            S::Test => yes_no(Prompt::SetupAskTest, true),
            S::Testing => {
                let mut row = self.at_work(Prompt::SetupAskTest);
                row.asked.clear();
                row.answers.insert(1, self.asking(Command::Repeat));
                row.answers.push(self.asking(Command::Cancel));
                row
            }
            S::Looking => self.at_work(Prompt::SetupLooking),
            S::Sighted => {
                let all = self.boards();
                let labels = all.iter().map(|board| self.board_name(board)).collect();
                list(
                    Prompt::SetupAskSighted,
                    labels,
                    all.iter().position(|it| *it == settings.sighted),
                )
            }
            S::Clock => {
                let all = self.keepers();
                let labels = all.iter().map(|keeper| self.keeper_name(keeper)).collect();
                list(Prompt::SetupAskClock, labels, all.iter().position(|it| *it == settings.clock))
            }
            S::Pages => yes_no(Prompt::SetupAskPages, settings.pages),
            S::Hotspot => yes_no(Prompt::SetupAskHotspot, true),
            S::Sharing => self.at_work(Prompt::SetupSharing),
            S::Control => {
                let all = self.controls(&settings.control);
                let current = Act::Control(settings.control.clone());
                let set = all.iter().position(|choice| choice.act == current);
                ask(Prompt::AskControl).list(all, set)
            }
            S::Save => yes_no(Prompt::SetupAskSave, true),
            S::Leave => yes_no(Prompt::SetupAskLeave, true),
            S::Writing | S::Over => Question::default(),
        }
    }

    /// Each language asks in its own words, and is called by its own name and number.
    fn which_language(&self) -> Question {
        let every = &self.around.languages;
        let asked = (1..)
            .zip(every)
            .map(|(n, known)| known.words.prompt(Prompt::SetupLanguage, &[Slot::Number(n)]));
        let set = every.iter().position(|known| known.name == self.state.settings.language);
        Question { asked: asked.collect(), ..Question::default() }.with(self.languages(), set)
    }

    /// Devices that sound: each is offered on itself, so none is named with the question.
    fn which_output(&self) -> Question {
        let (settings, outputs) = (&self.state.settings, &self.around.outputs);
        let mut labels: Vec<Utterance> = outputs.iter().map(|one| self.hear_me(one)).collect();
        let (prompt, set) = if self.state.step == Step::Earphone {
            (Prompt::SetupAskEarphone, named(outputs, &settings.earphone))
        } else {
            labels.push(self.prompt(Prompt::SetupNoLoudspeaker, &[]));
            let none = (settings.loudspeaker == NONE).then_some(outputs.len());
            (Prompt::SetupAskLoudspeaker, none.or_else(|| named(outputs, &settings.loudspeaker)))
        };
        Question::asked(self.prompt(prompt, &[])).with(self.picks(labels), set)
    }

    /// A device works meanwhile.
    fn at_work(&self, prompt: Prompt) -> Question {
        let answers =
            vec![self.word(SetupWord::Next, Act::Next), self.word(SetupWord::Back, Act::Back)];
        Question::asked(self.prompt(prompt, &[])).with(answers, None)
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
                let left = self.prompt(Prompt::SetupLeft, &[]);
                self.say(Channel::Private, left);
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

fn named(devices: &[SoundDevice], name: &str) -> Option<usize> {
    devices.iter().position(|device| device.name == name)
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
