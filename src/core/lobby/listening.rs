//! What is spoken or typed: read against what may be said now.

use super::{
    Doubt, Lobby, draft,
    steps::{Act, Choice, Step},
};
use crate::game::clock::TimeControl;
use annabella_words::phrase::{
    Command, SetupWord,
    hear::{Choices, Chosen, Grammar, Heard},
    normal_words,
    timing::usual_numbers,
};

/// The least probability of a time control that is asked about although noise is likelier.
const DROWNED: f64 = 0.05;

/// Requests that are understood at every question, and that the game may begin.
pub(super) fn is_general(command: Command) -> bool {
    command.is_general() || command == Command::StartClock
}

impl Lobby {
    /// Everything that may be said now, beside numbers and time controls.
    fn sayable(&self) -> Vec<Choice> {
        use SetupWord as W;
        let mut all = self.choices();
        let step = &self.state.step;
        if matches!(step, Step::Playing | Step::Over) {
            return Vec::new();
        }
        let word = |word: SetupWord, act: Act| Choice {
            label: self.name(word).to_owned(),
            act,
            phrases: self.words.prompts().setup(word).to_vec(),
        };
        if matches!(step, Step::AllRight) {
            all.extend(self.topics());
        }
        if matches!(step, Step::AllRight | Step::Menu) {
            all.extend(self.sides());
            all.extend(self.named_controls());
        }
        all.push(word(W::Next, Act::Next));
        all.push(word(W::Back, Act::Back));
        if !matches!(step, Step::After | Step::Unfinished) {
            all.push(word(W::Summary, Act::Summary));
            all.push(word(W::Start, Act::Start));
        }
        for (text, command) in &self.general {
            let act = Act::Request(*command);
            match all.iter_mut().find(|choice| choice.act == act) {
                Some(choice) => choice.phrases.push(text.clone()),
                None => {
                    all.push(Choice { label: text.clone(), act, phrases: vec![text.clone()] });
                }
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
            Lobby::phrases(&sayable).map(|(text, _)| text.to_lowercase()).collect();
        let pack = self.words.prompts();
        if self.state.step.takes_control() {
            phrases.extend(pack.timing_phrases().into_iter().map(|text| text.to_lowercase()));
        } else if self.state.step.takes_number() {
            let counted = usual_numbers().flat_map(|n| {
                let minutes = pack.counted_minutes(n);
                [pack.number(n), pack.counted_moves(n), minutes, pack.counted_seconds(n)]
            });
            phrases.extend(counted.map(|text| text.to_lowercase()));
        }
        if let Step::Spelling(..) = self.state.step {
            // A recogniser cares for pairs of words: any letter may follow any.
            let names: Vec<String> =
                pack.letters().iter().map(|(_, name)| name.to_lowercase()).collect();
            for pair in 0..names.len() {
                let after =
                    (pair + 1..names.len()).map(|n| format!("{} {}", names[pair], names[n]));
                phrases.extend(after);
            }
        }
        Grammar::of_phrases(phrases)
    }

    /// What may be said after a game, beside what the game itself understands.
    pub fn phrases_after(&self) -> Vec<String> {
        let words = [SetupWord::NextGame, SetupWord::Result, SetupWord::Score, SetupWord::Finish];
        let pack = self.words.prompts();
        words.iter().flat_map(|word| pack.setup(*word)).map(|text| text.to_lowercase()).collect()
    }

    /// Whether something said after a game is about the next one, and not about the one that is
    /// over.
    pub fn concerns(&self, text: &str) -> bool {
        let words = normal_words(text);
        self.phrases_after().iter().any(|phrase| normal_words(phrase) == words)
    }

    /// What a text means, word for word: an answer, a number, a time control, letters.
    fn meant(&self, sayable: &[Choice], choices: &Choices<usize>, text: &str) -> Option<Act> {
        if let Some(n) = choices.exact(text) {
            return sayable.get(n).map(|choice| choice.act.clone());
        }
        if self.state.step.takes_control()
            && let Some(stretches) = self.timing.read(text)
        {
            return draft::control_text(&stretches).map(Act::Control);
        }
        if self.state.step.takes_number()
            && let Some(n) = self.timing.number(text)
        {
            return Some(Act::Number(Some(n)));
        }
        match self.state.step {
            Step::Spelling(..) => self.letters_in(text).map(Act::Letters),
            _ => None,
        }
    }

    /// Letters by their names, one after the other.
    fn letters_in(&self, text: &str) -> Option<String> {
        let pack = self.words.prompts();
        let names: Vec<(Vec<String>, char)> =
            pack.letters().iter().map(|(letter, name)| (normal_words(name), *letter)).collect();
        let spaces = pack.setup(SetupWord::Space).iter().map(|name| (normal_words(name), ' '));
        let names: Vec<(Vec<String>, char)> = names.into_iter().chain(spaces).collect();
        let words = normal_words(text);
        let mut rest = words.as_slice();
        let mut letters = String::new();
        while !rest.is_empty() {
            let (name, letter) = names.iter().find(|(name, _)| rest.starts_with(name))?;
            letters.push(*letter);
            rest = &rest[name.len()..];
        }
        Some(letters).filter(|letters| !letters.is_empty())
    }

    pub(super) fn heard(&mut self, heard: &Heard, pushed: bool) {
        let sayable = self.sayable();
        let choices = Choices::new(&self.words, Lobby::phrases(&sayable));
        let limits = self.state.config.hearing;
        // What no list holds: numbers, time controls, several letters.
        let best = heard.best().unwrap_or_default();
        if choices.exact(best).is_none()
            && let Some(act) = self.meant(&sayable, &choices, best)
        {
            // Several hypotheses may mean the same.
            let same = heard.hypotheses.iter().filter(|h| {
                h.text == best || self.meant(&sayable, &choices, &h.text).as_ref() == Some(&act)
            });
            let sure: f64 = same.map(|h| h.confidence.unwrap_or(1.0)).sum();
            if sure >= limits.accept_confidence {
                self.answer(act);
            } else if sure >= limits.confirm_confidence {
                let label = self.called_back(&act).unwrap_or_else(|| best.to_owned());
                self.doubtful(act, label);
            } else {
                self.again();
            }
            return;
        }
        // Where a control was asked for one that is drowned by noise is asked about.
        if heard.is_nothing() && self.state.step == Step::Control {
            let likely = heard.hypotheses.iter().filter(|h| h.confidence > Some(DROWNED));
            let acts = likely.filter_map(|h| self.meant(&sayable, &choices, &h.text));
            let control = acts.into_iter().find(|act| matches!(act, Act::Control(_)));
            if let Some((act, label)) =
                control.and_then(|a| Some((a.clone(), self.called_back(&a)?)))
            {
                self.doubtful(act, label);
                return;
            }
        }
        match choices.decide(heard, pushed, &limits) {
            Chosen::Accept(n) => {
                if let Some(choice) = sayable.get(n) {
                    self.act(choice.act.clone());
                }
            }
            // To fall silent harms nobody; what may be a yes is asked again.
            Chosen::Confirm(n) => match sayable.get(n).map(|choice| &choice.act) {
                Some(Act::Request(Command::Stop)) => self.act(Act::Request(Command::Stop)),
                Some(Act::Request(_) | Act::Yes | Act::No) | None => self.again(),
                Some(act) => self.doubtful(act.clone(), sayable[n].label.clone()),
            },
            Chosen::Again => self.again(),
            Chosen::Nothing => {}
        }
    }

    /// A time control in the pack's own words, whatever words were heard.
    fn called_back(&self, act: &Act) -> Option<String> {
        let Act::Control(text) = act else { return None };
        let control: TimeControl = text.parse().ok()?;
        Some(self.words.prompts().time_control(&draft::stretches(&control)))
    }

    fn doubtful(&mut self, act: Act, label: String) {
        let words = self.words.asked(&label);
        self.doubt = Some(Doubt { act, of: self.speaker });
        self.reply(words);
    }

    pub(super) fn said(&mut self, text: &str) {
        self.out.push(super::LobbyOutput::Hush { seat: self.speaker });
        let sayable = self.sayable();
        let choices = Choices::new(&self.words, Lobby::phrases(&sayable));
        if let Some(act) = self.meant(&sayable, &choices, text) {
            // "Ja" may answer a doubt, anything else drops it.
            self.act(act);
            return;
        }
        let typed = text.trim();
        if self.state.step.takes_control()
            && let Ok(control) = typed.parse::<TimeControl>()
        {
            self.answer(Act::Control(control.to_string()));
            return;
        }
        if self.state.step.takes_number()
            && let Ok(n) = typed.parse::<u32>()
        {
            self.answer(Act::Number(Some(n)));
            return;
        }
        if matches!(self.state.step, Step::Name(_) | Step::Spelling(..))
            && let Some(name) = draft::name(text)
        {
            self.answer(Act::Named(name));
            return;
        }
        self.again();
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::lobby::{Opening, Unfinished};
    use annabella_words::phrase::{Words, pack};

    /// A phrase means one thing at each question, in every language; an answer that is offered can
    /// be said.
    #[test]
    fn no_phrase_means_two_things_at_a_question() {
        for name in pack::builtin_names() {
            let words = Words::builtin(name, name).expect("built in");
            let game = Unfinished { number: 1, white: "Mor".into(), black: String::new() };
            let opening = Opening { unfinished: vec![game], ..Opening::default() };
            let mut lobby = Lobby::new(words, opening).expect("a lobby");
            for step in [
                Step::Unfinished,
                Step::Old,
                Step::AllRight,
                Step::Menu,
                Step::Sides,
                Step::Control,
                Step::Moves(Vec::new()),
                Step::Minutes(Vec::new()),
                Step::Seconds(Vec::new()),
                Step::Name(Color::White),
                Step::Spelling(Color::White, String::new()),
                Step::Duty(0),
                Step::Boards,
                Step::Ready,
                Step::After,
                Step::Swap,
            ] {
                lobby.place(step.clone());
                let sayable = lobby.sayable();
                let mut seen: Vec<(Vec<String>, &Act)> = Vec::new();
                for choice in &sayable {
                    for phrase in &choice.phrases {
                        let words = normal_words(phrase);
                        let other = seen.iter().find(|(known, _)| *known == words);
                        if let Some((_, act)) = other {
                            assert_eq!(*act, &choice.act, "{name} {step:?}: '{phrase}'");
                        }
                        seen.push((words, &choice.act));
                    }
                }
                let grammar = lobby.grammar();
                assert!(grammar.phrases.len() > 10 && grammar.words.is_empty());
                assert!(grammar.phrases.iter().all(|text| *text == text.to_lowercase()));
            }
        }
    }
}
