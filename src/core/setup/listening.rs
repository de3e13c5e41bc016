//! What is spoken or typed: read against what may be said now.

use super::ask::{Act, Choice, Step};
use super::{Setup, SetupOutput};
use crate::{
    game::{Channel, clock::TimeControl},
    lobby::draft,
};
use annabella_words::phrase::{
    Command, Prompt, SetupWord, Utterance,
    hear::{Choices, Chosen, Grammar, Heard},
};

impl Setup {
    /// Everything that may be said now, beside time controls. Of two answers with one phrase the
    /// first counts.
    pub(super) fn sayable(&self) -> Vec<Choice> {
        use SetupWord as W;
        if matches!(self.state.step, Step::Over | Step::Writing) {
            return Vec::new();
        }
        let mut all = self.choices();
        let mut add = |act: Act, phrases: Vec<String>| match all
            .iter_mut()
            .find(|choice| choice.act == act)
        {
            Some(choice) => choice.phrases.extend(phrases),
            None => all.push(Choice { act, label: Utterance::default(), phrases }),
        };
        let words = [
            (W::Next, Act::Next),
            (W::Back, Act::Back),
            (W::Done, Act::Done),
            (W::Summary, Act::Summary),
        ];
        for (word, act) in words {
            add(act, self.words().prompts().setup(word).to_vec());
        }
        for (text, command) in self.words().command_phrases() {
            match command {
                Command::Yes => add(Act::Request(Command::Yes), vec![text]),
                command if command.is_general() => add(Act::Request(command), vec![text]),
                _ => {}
            }
        }
        all.retain(|choice| !choice.phrases.is_empty());
        all
    }

    fn phrases(sayable: &[Choice]) -> impl Iterator<Item = (String, usize)> {
        let all = sayable.iter().enumerate();
        all.flat_map(|(n, choice)| choice.phrases.iter().map(move |text| (text.clone(), n)))
    }

    /// What may be said now, for the recogniser.
    pub fn grammar(&self) -> Grammar {
        let sayable = self.sayable();
        let mut phrases: Vec<String> =
            Setup::phrases(&sayable).map(|(text, _)| text.to_lowercase()).collect();
        if self.state.step == Step::Control {
            let timing = self.words().prompts().timing_phrases();
            phrases.extend(timing.into_iter().map(|text| text.to_lowercase()));
        }
        Grammar::of_phrases(phrases)
    }

    /// What a text means, word for word: an answer, or a time control.
    fn meant(&self, sayable: &[Choice], choices: &Choices<usize>, text: &str) -> Option<Act> {
        if let Some(n) = choices.exact(text) {
            return sayable.get(n).map(|choice| choice.act.clone());
        }
        if self.state.step != Step::Control {
            return None;
        }
        let control = self.timing.read(text).and_then(|stretches| draft::control_text(&stretches));
        control.map(Act::Control)
    }

    pub(super) fn heard(&mut self, heard: &Heard, pushed: bool) {
        let sayable = self.sayable();
        let choices = Choices::new(self.words(), Setup::phrases(&sayable));
        let best = heard.best().unwrap_or_default();
        if choices.exact(best).is_none()
            && let Some(act) = self.meant(&sayable, &choices, best)
        {
            // Several hypotheses may mean the same.
            let same = heard.hypotheses.iter().filter(|h| {
                h.text == best || self.meant(&sayable, &choices, &h.text).as_ref() == Some(&act)
            });
            let sure: f64 = same.map(|h| h.confidence.unwrap_or(1.0)).sum();
            if sure >= self.limits.accept_confidence {
                self.act(act);
            } else if sure >= self.limits.confirm_confidence {
                self.doubtful(act);
            } else {
                self.again();
            }
            return;
        }
        match choices.decide(heard, pushed, &self.limits) {
            Chosen::Accept(n) => match sayable.get(n).map(|choice| choice.act.clone()) {
                // Who can only speak could not say "zurück" in it.
                Some(act) if self.would_be_deaf(&act) => self.doubtful(act),
                Some(act) => self.act(act),
                None => {}
            },
            Chosen::Confirm(n) => match sayable.get(n).map(|choice| choice.act.clone()) {
                // To fall silent harms nobody; what may be a yes is asked again.
                Some(Act::Request(Command::Stop)) => self.out.push(SetupOutput::Hush),
                Some(act @ (Act::Pick(_) | Act::Control(_))) => self.doubtful(act),
                _ => self.again(),
            },
            Chosen::Again => self.again(),
            Chosen::Nothing => {}
        }
    }

    /// Whether this chooses a language in which no speech is understood.
    fn would_be_deaf(&self, act: &Act) -> bool {
        let Act::Pick(n) = act else { return false };
        let language = self.around.languages.get(*n);
        self.state.step == Step::Language && language.is_some_and(|known| !known.hears)
    }

    /// Asks whether this was meant; a language asks for itself.
    pub(super) fn doubtful(&mut self, act: Act) {
        let named = self.choices().into_iter().find(|choice| choice.act == act);
        if let (Step::Language, Some(choice)) = (&self.state.step, &named) {
            let words = choice.label.clone();
            self.doubt = Some(act);
            return self.say(Channel::Private, words);
        }
        let label = match (&act, named) {
            (Act::Control(text), _) => self.control_words(text),
            (_, Some(choice)) => choice.label.to_string(),
            (_, None) => return self.again(),
        };
        let words = self.words().asked(label.trim_end_matches(['.', '?']));
        self.doubt = Some(act);
        self.say(Channel::Private, words);
    }

    pub(super) fn again(&mut self) {
        let words = self.prompt(Prompt::NotHeard, &[]);
        self.say(Channel::Private, words);
    }

    pub(super) fn said(&mut self, text: &str) {
        self.out.push(SetupOutput::Hush);
        let sayable = self.sayable();
        let choices = Choices::new(self.words(), Setup::phrases(&sayable));
        if let Some(act) = self.meant(&sayable, &choices, text) {
            // "Ja" may answer a doubt, anything else drops it.
            return self.act(act);
        }
        let typed = text.trim();
        if self.state.step == Step::Control
            && let Ok(control) = typed.parse::<TimeControl>()
        {
            return self.answer(Act::Control(control.to_string()));
        }
        let listed = typed.parse::<usize>().ok().and_then(|n| n.checked_sub(1)).map(Act::Pick);
        match listed.filter(|act| sayable.iter().any(|choice| choice.act == *act)) {
            Some(act) => self.answer(act),
            None => self.again(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::setup::{Around, Device, Keeper, Language, Level, Port, Settings, Sighted, Wires};
    use annabella_words::phrase::{Words, hear::Thresholds, normal_words, pack};

    fn settings(language: &str) -> Settings {
        Settings {
            language: language.to_owned(),
            own_names: false,
            voice: String::new(),
            rate: 160,
            earphone: "default".to_owned(),
            loudspeaker: "default".to_owned(),
            earphone_volume: 100,
            loudspeaker_volume: 100,
            microphone: "default".to_owned(),
            wires: Wires::default(),
            sighted: Sighted::Plain,
            clock: Keeper::Own,
            control: "90".to_owned(),
        }
    }

    /// A phrase means one thing at each question, in every language.
    #[test]
    fn no_phrase_means_two_things_at_a_question() {
        let device = |name: &str| Device { name: name.to_owned(), called: String::new() };
        let port = |path: &str| Port { path: path.to_owned(), clock: true };
        for name in pack::builtin_names() {
            let words = Words::builtin(name, name).expect("built in");
            let language = Language { name: name.to_owned(), words, own: None, hears: true };
            let around = Around {
                languages: vec![language],
                voices: ["", "f2", "m3", "f4"].map(str::to_owned).to_vec(),
                outputs: ["default", "a", "b"].map(device).to_vec(),
                inputs: ["default", "a", "b"].map(device).to_vec(),
                reeds: true,
                both_blind: false,
                model: true,
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
                Step::Measured(Level::Good),
                Step::Model,
                Step::Test,
                Step::Testing,
                Step::Looking,
                Step::Sighted,
                Step::Clock,
                Step::Control,
                Step::Save,
                Step::Leave,
            ] {
                setup.place(step.clone());
                let mut seen: Vec<(Vec<String>, Act)> = Vec::new();
                for choice in setup.sayable() {
                    for phrase in &choice.phrases {
                        let words = normal_words(phrase);
                        if let Some((_, act)) = seen.iter().find(|(known, _)| *known == words) {
                            assert_eq!(*act, choice.act, "{name} {step:?}: '{phrase}'");
                        }
                        seen.push((words, choice.act.clone()));
                    }
                }
                let grammar = setup.grammar();
                assert!(grammar.phrases.len() > 10 && grammar.words.is_empty());
                assert!(grammar.phrases.iter().all(|text| *text == text.to_lowercase()));
            }
        }
    }
}
