//! The set-up as a questionnaire.

use super::{
    Setup, SetupOutput, TestStep,
    ask::{Act, Choice, Pick, Question, Step},
};
use crate::{
    game::{self, Channel},
    questionnaire::Questionnaire,
};
use annabella_words::phrase::{
    Command, Prompt, SetupWord, Slot, Utterance, Words, hear::Thresholds, timing::Timing,
};

/// With so many answers in a row that were not understood the question comes back.
const IN_VAIN: u8 = 3;

impl Questionnaire for Setup {
    type Own = Pick;

    fn words(&self) -> &Words {
        Setup::words(self)
    }

    fn timing(&self) -> &Timing {
        &self.timing
    }

    fn limits(&self) -> Thresholds {
        self.limits
    }

    fn cursor(&self) -> usize {
        self.state.cursor
    }

    fn set_cursor(&mut self, at: usize) {
        self.state.cursor = at;
    }

    fn question(&self) -> Question {
        self.row()
    }

    fn sayable(&self) -> Vec<Choice> {
        use SetupWord as W;
        if matches!(self.state.step, Step::Over | Step::Writing) {
            return Vec::new();
        }
        let mut all = self.choices();
        let words = [
            (W::Next, Act::Next),
            (W::Back, Act::Back),
            (W::Done, Act::Done),
            (W::Summary, Act::Summary),
        ];
        all.extend(words.map(|(word, act)| self.word(word, act)));
        self.with_requests(all, Command::is_general)
    }

    fn takes_control(&self) -> bool {
        self.state.step == Step::Control
    }

    fn asks_control(&self) -> bool {
        self.takes_control()
    }

    /// The number of an entry, counted from 1.
    fn typed(&self, text: &str) -> Option<Act> {
        let number: usize = text.trim().parse().ok()?;
        let act = Act::Own(Pick(number.checked_sub(1)?));
        self.choices().iter().any(|choice| choice.act == act).then_some(act)
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Request(command) => self.request(command),
            Act::Back if self.state.step == Step::Testing => {
                self.out.push(SetupOutput::TestStep(TestStep::Back));
            }
            Act::Back => self.undo(),
            Act::Next => self.skip(),
            Act::Done => self.done(),
            Act::Summary => {
                let words = self.summary();
                self.ask_after(words);
            }
            act => self.answer(act),
        }
    }

    fn take_doubt(&mut self) -> Option<Act> {
        self.doubt.take()
    }

    fn set_doubt(&mut self, act: Act) {
        self.doubt = Some(act);
    }

    /// A language in which no speech is understood: a person who can only speak could not say
    /// "zurück" there.
    fn is_asked_first(&self, act: &Act) -> bool {
        let Act::Own(Pick(n)) = act else { return false };
        let language = self.around.languages.get(*n);
        self.state.step == Step::Language && language.is_some_and(|known| !known.hears)
    }

    /// A language asks for itself.
    fn asked(&self, choice: &Choice) -> Utterance {
        match self.state.step {
            Step::Language => choice.label.clone(),
            _ => self.words().asked(&choice.name()),
        }
    }

    fn undo(&mut self) {
        self.doubt = None;
        match self.history.take_last() {
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
                self.ask_after(nothing);
            }
        }
    }

    /// A doubt and a test are given up at once, all that was answered only after a question.
    fn cancel(&mut self) {
        if self.doubt.take().is_some() || self.state.step == Step::Leave {
            let cancelled = self.prompt(Prompt::Cancelled, &[]);
            self.reply(cancelled);
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

    /// The volume of the channel that is being asked about.
    fn louder(&mut self, up: bool) {
        self.remember_answer();
        let loud = self.state.step == Step::Loudspeaker;
        let settings = &mut self.state.settings;
        let volume =
            if loud { &mut settings.loudspeaker_volume } else { &mut settings.earphone_volume };
        *volume = game::louder(*volume, up);
        let slot = Slot::Number(u32::from(*volume));
        let words = self.prompt(Prompt::VolumeNow, &[slot]);
        let channel = if loud { Channel::Public } else { Channel::Private };
        self.say(channel, words);
    }

    fn faster(&mut self, up: bool) {
        self.remember_answer();
        let rate = &mut self.state.settings.rate;
        *rate = game::faster(*rate, up);
        let slot = Slot::Number(u32::from(*rate));
        let words = self.prompt(Prompt::RateNow, &[slot]);
        if self.state.step == Step::Rate {
            self.state.cursor = 0;
            self.ask_after(words);
        } else {
            self.reply(words);
        }
    }

    fn other_request(&mut self, _command: Command) {
        self.again();
    }

    fn hush(&mut self) {
        self.out.push(SetupOutput::Hush);
    }

    fn understood(&mut self, words: Utterance) {
        self.out.push(SetupOutput::Understood(words));
    }

    fn reply(&mut self, words: Utterance) {
        self.say(Channel::Private, words);
    }

    fn repeat(&mut self) {
        match self.doubt.clone() {
            Some(act) => self.doubt(act, ""),
            None if self.state.step == Step::Testing => {
                self.out.push(SetupOutput::TestStep(TestStep::Repeat));
            }
            None => self.ask(),
        }
    }

    fn offer(&mut self) {
        self.offer_answer();
    }

    /// "Bitte?", and with the third in a row the question.
    fn again(&mut self) {
        let in_vain = self.in_vain + 1;
        let question = (in_vain == IN_VAIN).then(|| self.question_words());
        let words = self.prompt(Prompt::NotHeard, &[]);
        self.reply(Utterance::joined(std::iter::once(words).chain(question)));
        self.in_vain = in_vain % IN_VAIN;
    }

    fn help(&self) -> Prompt {
        Prompt::SetupHelp
    }

    fn last_reply(&self) -> Option<&Utterance> {
        self.last.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        questionnaire::tests::no_phrase_means_two_things,
        setup::{
            Around, FoundWires, Keeper, Maker, OfferedLanguage, Own, Port, SetupSettings, Sighted,
            SoundDevice, SoundLevel,
        },
    };
    use annabella_words::phrase::{hear::Thresholds, pack};

    fn settings(language: &str) -> SetupSettings {
        SetupSettings {
            language: language.to_owned(),
            own_names: false,
            voice: String::new(),
            rate: 160,
            earphone: "default".to_owned(),
            loudspeaker: "default".to_owned(),
            earphone_volume: 100,
            loudspeaker_volume: 100,
            microphone: "default".to_owned(),
            board: Own::AsBefore,
            wires: FoundWires::default(),
            sighted: Sighted::Plain,
            clock: Keeper::Own,
            pages: false,
            control: "90".to_owned(),
        }
    }

    /// A phrase means one thing at each question, in every language.
    #[test]
    fn no_phrase_means_two_things_at_a_question() {
        let device = |name: &str| SoundDevice { name: name.to_owned(), called: String::new() };
        let port = |path: &str| Port { path: path.to_owned(), maker: Maker::Dgt, clock: true };
        for name in pack::builtin_names() {
            let words = Words::builtin(name, name).expect("built in");
            let language = OfferedLanguage { name: name.to_owned(), words, own: None, hears: true };
            let around = Around {
                languages: vec![language],
                voices: ["", "f2", "m3", "f4"].map(str::to_owned).to_vec(),
                outputs: ["default", "a", "b"].map(device).to_vec(),
                inputs: ["default", "a", "b"].map(device).to_vec(),
                reeds: true,
                sensors: true,
                both_blind: false,
                model: true,
                pages: true,
                hotspot: true,
            };
            let setup = Setup::new(around, settings(name), Thresholds::default());
            let mut setup = setup.expect("a language");
            setup.ports = ["a", "b"].map(port).to_vec();
            for step in [
                Step::Language,
                Step::Names,
                Step::Voice,
                Step::Rate,
                Step::Earphone,
                Step::Loudspeaker,
                Step::Microphone,
                Step::Measuring,
                Step::Measured(SoundLevel::Good),
                Step::Model,
                Step::Test,
                Step::Testing,
                Step::Looking,
                Step::Sighted,
                Step::Clock,
                Step::Pages,
                Step::Hotspot,
                Step::Sharing,
                Step::Control,
                Step::Save,
                Step::Leave,
            ] {
                setup.place(step.clone());
                no_phrase_means_two_things(&setup, &format!("{name} {step:?}"));
            }
        }
    }
}
