//! Questions that are answered by voice, by keys or by typed lines; each alone is enough. The lobby
//! and the set-up are two of them: they bring the questions, this brings the rest.
//!
//! # Keys
//!
//! Every question has a list of answers with one of them chosen beforehand: *previous* and *next*
//! go through the list and say each, *choose* takes it. "Ja" is *choose* and "nein" is *next*.
//!
//! # Doubt
//!
//! An answer that was heard badly is asked about, and is nothing yet. A possible "ja" or "nein" is
//! asked for again instead.

pub(crate) mod controls;

use annabella_words::phrase::{
    Command, Prompt, SetupWord, Slot, Utterance, Words,
    hear::{Choices, Chosen, Heard, Thresholds},
    timing::Timing,
};

use crate::game::clock::TimeControl;

/// Answers that can be undone.
const MOST_UNDONE: usize = 200;
/// The least probability of a time control that is asked about although noise is likelier.
const DROWNED: f64 = 0.05;

/// A key or a button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    Next,
    Previous,
    Choose,
    Repeat,
    Back,
}

impl Key {
    pub const ALL: [Key; 5] = [Key::Next, Key::Previous, Key::Choose, Key::Repeat, Key::Back];
    /// In the order of `[game] keys`.
    pub const CONFIGURED: [Key; 3] = [Key::Previous, Key::Next, Key::Choose];
}

/// An answer or a request. `T`: the answers of one questionnaire alone.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Act<T> {
    Yes,
    No,
    /// Leaves this as it is and goes on.
    Next,
    Back,
    Done,
    Summary,
    Request(Command),
    /// A time control as [`TimeControl`] writes it.
    Control(String),
    Own(T),
}

/// An answer that the keys step through.
#[derive(Clone, Debug)]
pub(crate) struct Choice<T> {
    pub(crate) act: Act<T>,
    /// The words that offer it.
    pub(crate) label: Utterance,
    pub(crate) phrases: Vec<String>,
}

impl<T> Choice<T> {
    /// The words that offer it, for the middle of a sentence.
    pub(crate) fn name(&self) -> String {
        self.label.to_string().trim_end_matches(['.', '?']).to_owned()
    }
}

/// A row of a questionnaire's table: how a question is asked, and what may be answered.
#[derive(Clone, Debug)]
pub(crate) struct Question<T> {
    pub(crate) asked: Vec<Utterance>,
    pub(crate) answers: Vec<Choice<T>>,
    /// The answer that stands already: the cursor begins there.
    pub(crate) set: usize,
    /// The answer at the cursor is said with the question.
    pub(crate) is_listed: bool,
}

impl<T> Default for Question<T> {
    fn default() -> Question<T> {
        Question { asked: Vec::new(), answers: Vec::new(), set: 0, is_listed: false }
    }
}

impl<T> Question<T> {
    pub(crate) fn asked(words: Utterance) -> Question<T> {
        Question { asked: vec![words], ..Question::default() }
    }

    pub(crate) fn with(self, answers: Vec<Choice<T>>, set: Option<usize>) -> Question<T> {
        Question { answers, set: set.unwrap_or(0), ..self }
    }

    pub(crate) fn list(self, answers: Vec<Choice<T>>, set: Option<usize>) -> Question<T> {
        Question { is_listed: true, ..self.with(answers, set) }
    }
}

/// The state before each answer, the oldest first.
#[derive(Clone, Debug)]
pub(crate) struct History<S>(Vec<S>);

impl<S> Default for History<S> {
    fn default() -> History<S> {
        History(Vec::new())
    }
}

impl<S: Clone> History<S> {
    pub(crate) fn remember(&mut self, state: &S) {
        if self.0.len() >= MOST_UNDONE {
            self.0.remove(0);
        }
        self.0.push(state.clone());
    }

    /// The last state, and no longer remembers it.
    pub(crate) fn take_last(&mut self) -> Option<S> {
        self.0.pop()
    }

    pub(crate) fn last_mut(&mut self) -> Option<&mut S> {
        self.0.last_mut()
    }

    /// The last state for which this holds; it and all after it are no longer remembered.
    pub(crate) fn take_back_to(&mut self, wanted: impl Fn(&S) -> bool) -> Option<S> {
        let place = self.0.iter().rposition(wanted)?;
        let state = self.0[place].clone();
        self.0.truncate(place);
        Some(state)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// A questionnaire. What has a body is the same for all of them.
pub(crate) trait Questionnaire {
    /// The answers of this questionnaire alone.
    type Own: Clone + PartialEq;

    fn words(&self) -> &Words;
    fn timing(&self) -> &Timing;
    fn limits(&self) -> Thresholds;
    fn cursor(&self) -> usize;
    fn set_cursor(&mut self, at: usize);

    /// The question that stands.
    fn question(&self) -> Question<Self::Own>;
    /// Everything that may be said now, beside numbers and time controls. Of two answers with one
    /// phrase the first counts.
    fn sayable(&self) -> Vec<Choice<Self::Own>>;
    /// A whole time control may be said.
    fn takes_control(&self) -> bool;
    /// The question is about a time control and nothing else.
    fn asks_control(&self) -> bool;
    /// The answers to the question that stands, for the keys.
    fn choices(&self) -> Vec<Choice<Self::Own>> {
        self.question().answers
    }

    /// The question that stands, where there is a list with the answer at the cursor.
    fn question_words(&self) -> Utterance {
        let Question { asked, answers, is_listed, .. } = self.question();
        let offered = answers.into_iter().nth(self.cursor()).filter(|_| is_listed);
        Utterance::joined(asked.into_iter().chain(offered.map(|choice| choice.label)))
    }

    /// The question alone, for who was not understood.
    fn short_question(&self) -> Utterance {
        self.question().asked.pop().unwrap_or_default()
    }

    /// Words outside every list: numbers, letters.
    fn other_words(&self, _text: &str) -> Option<Act<Self::Own>> {
        None
    }
    /// Typed text outside every list.
    fn typed(&self, _text: &str) -> Option<Act<Self::Own>> {
        None
    }

    /// Carries out an answer or a request.
    fn act(&mut self, act: Act<Self::Own>);
    /// The doubt that this speaker may answer; afterwards there is none.
    fn take_doubt(&mut self) -> Option<Act<Self::Own>>;
    fn set_doubt(&mut self, act: Act<Self::Own>);
    /// An answer that is asked about although it was heard well.
    fn is_asked_first(&self, _act: &Act<Self::Own>) -> bool {
        false
    }
    fn undo(&mut self);
    fn cancel(&mut self);
    fn louder(&mut self, up: bool);
    fn faster(&mut self, up: bool);
    /// A request that is not understood at every question.
    fn other_request(&mut self, command: Command);

    fn hush(&mut self);
    /// This is how an answer was understood: for fingers, ears know what was said.
    fn understood(&mut self, words: Utterance);
    fn reply(&mut self, words: Utterance);
    /// The question that stands, again.
    fn repeat(&mut self);
    /// Says the answer at the cursor.
    fn offer(&mut self);
    /// What was said is not understood.
    fn again(&mut self);
    /// Everything that may be said: for who asks for help once more.
    fn help(&self) -> Prompt;
    /// What the speaker has heard last.
    fn last_reply(&self) -> Option<&Utterance>;

    fn prompt(&self, prompt: Prompt, slots: &[Slot<'_>]) -> Utterance {
        self.words().prompt(prompt, slots)
    }

    /// An answer that has a word of its own.
    fn word(&self, word: SetupWord, act: Act<Self::Own>) -> Choice<Self::Own> {
        let phrases = self.words().prompts().setup(word).to_vec();
        let label = self.words().label(phrases.first().map_or("", String::as_str));
        Choice { act, label, phrases }
    }

    /// An answer that is listened for anyway.
    fn command(&self, command: Command, act: Act<Self::Own>) -> Choice<Self::Own> {
        let name = self.words().prompts().first_phrase(command).unwrap_or_default();
        Choice { act, label: self.words().label(name), phrases: Vec::new() }
    }

    fn yes_or_no(&self) -> Vec<Choice<Self::Own>> {
        vec![self.command(Command::Yes, Act::Yes), self.command(Command::No, Act::No)]
    }

    /// A time control in the pack's own words, whatever words were heard.
    fn control_words(&self, text: &str) -> String {
        let control: TimeControl = text.parse().unwrap_or_default();
        self.words().prompts().time_control(&control.stretches())
    }

    fn named_controls(&self) -> Vec<Choice<Self::Own>> {
        controls::NAMED.map(|(word, text)| self.word(word, Act::Control(text.to_owned()))).to_vec()
    }

    /// Time controls that have names, usual others, and first of all the one that is set if it is
    /// none of them.
    fn controls(&self, current: &str) -> Vec<Choice<Self::Own>> {
        let mut all = self.named_controls();
        let spelled = |text: &str| {
            let name = self.control_words(text);
            let label = self.words().label(&name);
            Choice { act: Act::Control(text.to_owned()), label, phrases: vec![name] }
        };
        all.extend(controls::UNNAMED.map(spelled));
        if all.iter().all(|choice| choice.act != Act::Control(current.to_owned())) {
            all.insert(0, spelled(current));
        }
        all
    }

    /// These answers with the requests that are understood at every question.
    fn with_requests(
        &self,
        mut all: Vec<Choice<Self::Own>>,
        wanted: impl Fn(Command) -> bool,
    ) -> Vec<Choice<Self::Own>> {
        for (text, command) in self.words().command_phrases() {
            if !wanted(command) {
                continue;
            }
            let act = Act::Request(command);
            match all.iter_mut().find(|choice| choice.act == act) {
                Some(choice) => choice.phrases.push(text),
                None => {
                    let label = self.words().label(&text);
                    all.push(Choice { act, label, phrases: vec![text] });
                }
            }
        }
        all.retain(|choice| !choice.phrases.is_empty());
        all
    }

    /// The possible phrases in small letters, for the recogniser.
    fn expected(&self) -> Vec<String> {
        let mut phrases: Vec<String> =
            phrases(&self.sayable()).map(|(text, _)| text.to_lowercase()).collect();
        if self.takes_control() {
            let timing = self.words().prompts().timing_phrases();
            phrases.extend(timing.into_iter().map(|text| text.to_lowercase()));
        }
        phrases
    }

    /// A text's meaning, word for word: an answer, a time control, a number.
    fn meant(
        &self,
        sayable: &[Choice<Self::Own>],
        choices: &Choices<usize>,
        text: &str,
    ) -> Option<Act<Self::Own>> {
        if let Some(n) = choices.exact(text) {
            return sayable.get(n).map(|choice| choice.act.clone());
        }
        if self.takes_control()
            && let Some(stretches) = self.timing().read(text)
        {
            return controls::control_text(&stretches).map(Act::Control);
        }
        self.other_words(text)
    }

    fn heard(&mut self, heard: &Heard, pushed: bool) {
        let sayable = self.sayable();
        let choices = Choices::new(self.words(), phrases(&sayable));
        let limits = self.limits();
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
                self.take(act, best);
            } else if sure >= limits.confirm_confidence {
                self.doubt(act, best);
            } else {
                self.again();
            }
            return;
        }
        // The question was about a time control, and noise drowned the answer: ask about it.
        if heard.is_nothing() && self.asks_control() {
            let likely = heard.hypotheses.iter().filter(|h| h.confidence > Some(DROWNED));
            let mut acts = likely.filter_map(|h| self.meant(&sayable, &choices, &h.text));
            if let Some(act) = acts.find(|act| matches!(act, Act::Control(_))) {
                self.doubt(act, best);
                return;
            }
        }
        match choices.decide(heard, pushed, &limits) {
            Chosen::Accept(n) => {
                let act = sayable[n].act.clone();
                if self.is_asked_first(&act) { self.doubt(act, best) } else { self.take(act, best) }
            }
            Chosen::Confirm(n) => match sayable[n].act.clone() {
                // Silence harms nobody. A possible yes is asked again.
                act @ Act::Request(Command::Stop) => self.act(act),
                Act::Request(_) | Act::Yes | Act::No => self.again(),
                act => self.doubt(act, best),
            },
            Chosen::Again => self.again(),
            Chosen::Nothing => {}
        }
    }

    /// Tells how an answer was understood, and carries it out. `heard`: the words, for an answer
    /// outside every list.
    fn take(&mut self, act: Act<Self::Own>, heard: &str) {
        let named = self.sayable().into_iter().find(|choice| choice.act == act);
        let words = match (&act, named) {
            (Act::Request(Command::Yes | Command::No), Some(choice)) => choice.label,
            (Act::Request(_), _) => Utterance::default(),
            (Act::Control(text), _) => self.words().label(&self.control_words(text)),
            // A language asks for itself.
            (_, Some(choice)) if !choice.label.to_string().contains('?') => choice.label,
            _ => self.words().label(heard),
        };
        if !words.parts.is_empty() {
            self.understood(words);
        }
        self.act(act);
    }

    /// Asks whether this was meant. `heard`: the words, for an answer outside every list.
    fn doubt(&mut self, act: Act<Self::Own>, heard: &str) {
        let named = self.sayable().into_iter().find(|choice| choice.act == act);
        let words = match (&act, named) {
            (Act::Control(text), _) => self.words().asked(&self.control_words(text)),
            (_, Some(choice)) => self.asked(&choice),
            (_, None) => self.words().asked(heard),
        };
        self.set_doubt(act);
        self.reply(words);
    }

    /// Whether this answer was meant.
    fn asked(&self, choice: &Choice<Self::Own>) -> Utterance {
        self.words().asked(&choice.name())
    }

    fn said(&mut self, text: &str) {
        self.hush();
        let sayable = self.sayable();
        let choices = Choices::new(self.words(), phrases(&sayable));
        let control = || {
            let text = text.trim();
            let written = text.parse::<TimeControl>().ok().map(|control| control.to_string());
            let typed = || controls::control_text(&self.timing().read_typed(text)?);
            let control = if self.takes_control() { written.or_else(typed) } else { None };
            control.map(Act::Control)
        };
        // "Ja" may answer a doubt, anything else drops it.
        let act = self.meant(&sayable, &choices, text).or_else(control);
        match act.or_else(|| self.typed(text)) {
            Some(act) => self.take(act, text),
            None => self.again(),
        }
    }

    fn key(&mut self, key: Key) {
        self.hush();
        let turned = matches!(key, Key::Next | Key::Previous);
        if turned && self.take_doubt().is_some() {
            self.repeat();
            return;
        }
        let count = self.choices().len().max(1);
        let cursor = self.cursor();
        match key {
            Key::Next => self.set_cursor((cursor + 1) % count),
            Key::Previous => self.set_cursor((cursor + count - 1) % count),
            Key::Choose => return self.choose(None),
            Key::Repeat => return self.act(Act::Request(Command::Repeat)),
            Key::Back => return self.act(Act::Back),
        }
        self.offer();
    }

    /// Takes what is asked about, or this answer, or the one at the cursor.
    fn choose(&mut self, answer: Option<Act<Self::Own>>) {
        let at = self.cursor();
        let mut choices = self.choices();
        let choice = if at < choices.len() { Some(choices.swap_remove(at).act) } else { None };
        if let Some(act) = self.take_doubt().or(answer).or(choice) {
            self.act(act);
        }
    }

    fn yes(&mut self) {
        let yes = self.choices().iter().any(|choice| choice.act == Act::Yes);
        self.choose(yes.then_some(Act::Yes));
    }

    fn no(&mut self) {
        if self.take_doubt().is_some() {
            self.repeat();
        } else if self.choices().iter().any(|choice| choice.act == Act::No) {
            self.act(Act::No);
        } else {
            self.key(Key::Next);
        }
    }

    fn request(&mut self, command: Command) {
        match command {
            Command::Yes => self.yes(),
            Command::No => self.no(),
            Command::Repeat => self.repeat(),
            Command::Stop => self.hush(),
            Command::Cancel => self.cancel(),
            Command::Help => {
                let short = self.prompt(Prompt::HelpQuestion, &[]);
                let told = self.last_reply() == Some(&short);
                let help = if told { self.prompt(self.help(), &[]) } else { short };
                self.reply(help);
            }
            Command::Louder => self.louder(true),
            Command::Quieter => self.louder(false),
            Command::Faster => self.faster(true),
            Command::Slower => self.faster(false),
            command => self.other_request(command),
        }
    }
}

/// Each phrase, and the number of its answer.
fn phrases<T>(sayable: &[Choice<T>]) -> impl Iterator<Item = (String, usize)> {
    let all = sayable.iter().enumerate();
    all.flat_map(|(n, choice)| choice.phrases.iter().map(move |text| (text.clone(), n)))
}

#[cfg(test)]
pub(crate) mod tests {
    use std::fmt::Debug;

    use annabella_words::phrase::normal_words;

    use super::*;

    /// A phrase means one thing at the question that stands; what is listened for is small letters.
    pub(crate) fn no_phrase_means_two_things<Q: Questionnaire<Own: Debug>>(
        questionnaire: &Q,
        question: &str,
    ) {
        let sayable = questionnaire.sayable();
        let mut seen: Vec<(Vec<String>, &Act<Q::Own>)> = Vec::new();
        for choice in &sayable {
            for phrase in &choice.phrases {
                let words = normal_words(phrase);
                if let Some((_, act)) = seen.iter().find(|(known, _)| *known == words) {
                    assert_eq!(*act, &choice.act, "{question}: '{phrase}'");
                }
                seen.push((words, &choice.act));
            }
        }
        let expected = questionnaire.expected();
        assert!(expected.len() > 10, "{question}");
        assert!(expected.iter().all(|text| *text == text.to_lowercase()), "{question}");
    }
}
