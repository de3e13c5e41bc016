//! The lobby as a questionnaire.

use super::{
    Doubt, Lobby, LobbyOutput, draft,
    steps::{Act, Answer, Choice, Question, Step},
};
use crate::{
    game::{self, Channel},
    questionnaire::Questionnaire,
};
use annabella_words::phrase::{
    Command, Prompt, SetupWord, Understood, Utterance, Words,
    hear::{Grammar, Thresholds},
    normal_words,
    timing::{Timing, usual_numbers},
    understand_typed,
};
use shakmaty::Chess;

/// Requests that are understood at every question, and that the game may begin.
fn is_general(command: Command) -> bool {
    command.is_general() || command == Command::StartClock
}

impl Questionnaire for Lobby {
    type Own = Answer;

    fn words(&self) -> &Words {
        &self.words
    }

    fn timing(&self) -> &Timing {
        &self.timing
    }

    fn limits(&self) -> Thresholds {
        self.state.config.hearing
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
        let step = &self.state.step;
        if matches!(step, Step::Playing | Step::Over) {
            return Vec::new();
        }
        let mut all = self.choices();
        if matches!(step, Step::AllRight) {
            all.extend(self.topics());
        }
        all.extend(self.against());
        if matches!(step, Step::AllRight | Step::Menu) {
            all.extend(self.sides());
            all.extend(self.named_controls());
        }
        all.push(self.word(W::Next, Act::Next));
        all.push(self.word(W::Back, Act::Back));
        // A name may be spelled like that.
        if !matches!(step, Step::Name(_) | Step::Spelling(..)) {
            all.push(self.word(W::Finish, Act::Own(Answer::Finish)));
        }
        if !matches!(step, Step::After | Step::Unfinished) {
            all.push(self.word(W::Summary, Act::Summary));
            all.push(self.word(W::Start, Act::Own(Answer::Start)));
        }
        self.with_requests(all, is_general)
    }

    fn takes_control(&self) -> bool {
        self.state.step.takes_control()
    }

    fn asks_control(&self) -> bool {
        self.state.step == Step::Control
    }

    fn other_words(&self, text: &str) -> Option<Act> {
        let answer = match self.state.step {
            Step::Spelling(..) => self.letters_in(text).map(Answer::Letters),
            _ if self.takes_board() => self.board_in(text).map(Answer::TakeOver),
            _ if self.state.step.takes_number() => {
                self.timing.number(text).map(|n| Answer::Number(Some(n)))
            }
            _ => None,
        };
        answer.map(Act::Own)
    }

    fn typed(&self, text: &str) -> Option<Act> {
        let numbered = self.state.step.takes_number() || self.state.step == Step::WhichBoard;
        let number = text.trim().parse().ok().filter(|_| numbered);
        let answer = match self.state.step {
            Step::Name(_) | Step::Spelling(..) => draft::name(text).map(Answer::Named),
            Step::After if self.asks_for_next(text) => Some(Answer::NextGame),
            _ if self.takes_opponent() => return self.opponent_in(text),
            _ => number.map(|n| Answer::Number(Some(n))),
        };
        answer.map(Act::Own)
    }

    fn act(&mut self, act: Act) {
        match act {
            Act::Request(command) => self.request(command),
            Act::Back => self.undo(),
            Act::Summary => {
                let question = match self.state.step {
                    Step::AllRight => self.short_question(),
                    _ => self.question_words(),
                };
                let words = Utterance::joined([self.summary(true), question]);
                self.reply(words);
            }
            Act::Next => {
                self.doubt = None;
                self.next();
            }
            act => self.answer(act),
        }
    }

    /// Another player's words drop it all the same.
    fn take_doubt(&mut self) -> Option<Act> {
        let doubt = self.doubt.take()?;
        self.is_for_speaker(&doubt).then_some(doubt.act)
    }

    fn set_doubt(&mut self, act: Act) {
        self.doubt = Some(Doubt { act, of: self.speaker });
    }

    /// Before a game nobody expects the word: it may have been misheard.
    fn is_asked_first(&self, act: &Act) -> bool {
        *act == Act::Own(Answer::Finish) && self.state.step != Step::After
    }

    fn undo(&mut self) {
        self.doubt = None;
        match self.history.take_last() {
            Some(state) => {
                self.restore(state);
                self.ask();
            }
            None => {
                let nothing = self.prompt(Prompt::NothingBefore, &[]);
                self.ask_after(nothing);
            }
        }
    }

    /// Back to where the topic was chosen, with everything as it was then.
    fn cancel(&mut self) {
        let doubted = self.doubt.take().is_some();
        if !doubted
            && !self.state.step.is_root()
            && let Some(state) = self.history.take_back_to(|state| state.step.is_root())
        {
            self.restore(state);
        }
        let cancelled = self.prompt(Prompt::Cancelled, &[]);
        self.ask_after(cancelled);
    }

    fn louder(&mut self, up: bool) {
        self.change_manner(Prompt::VolumeNow, |manner| {
            manner.volume = game::louder(manner.volume, up);
            u32::from(manner.volume)
        });
    }

    fn faster(&mut self, up: bool) {
        self.change_manner(Prompt::RateNow, |manner| {
            manner.words_per_minute = game::faster(manner.words_per_minute, up);
            u32::from(manner.words_per_minute)
        });
    }

    fn other_request(&mut self, command: Command) {
        match command {
            Command::StartClock => self.answer(Act::Own(Answer::Start)),
            _ => self.again(),
        }
    }

    fn hush(&mut self) {
        self.out.push(LobbyOutput::Hush { seat: self.speaker });
    }

    fn understood(&mut self, words: Utterance) {
        self.out.push(LobbyOutput::Understood { seat: self.speaker, words });
    }

    /// In the ear of who has spoken, if that is known.
    fn reply(&mut self, words: Utterance) {
        self.say(Channel::Private, self.speaker, words);
    }

    /// Repeats the player's last words, if the question was only for him to answer; otherwise the
    /// question.
    fn repeat(&mut self) {
        let asked = self.doubt.as_ref().is_some_and(|doubt| self.is_for_speaker(doubt));
        let seat = self.speaker.unwrap_or(self.state.owner);
        match (self.last_words[seat].clone().filter(|_| asked), self.speaker) {
            (Some(words), _) => self.reply(words),
            (None, Some(seat)) if self.guides_two() => self.guide(seat, Utterance::default()),
            (None, Some(_)) => {
                let words = self.question_words();
                self.reply(words);
            }
            (None, None) => self.ask(),
        }
    }

    fn offer(&mut self) {
        if let Some(choice) = self.choices().into_iter().nth(self.state.cursor) {
            self.answer_all(choice.label);
        }
    }

    /// Something was not understood. "Wiederhole" means the whole question all the same.
    fn again(&mut self) {
        let last = self.last_words.clone();
        let question = match self.speaker.filter(|_| self.guides_two()) {
            Some(seat) => self.words_for_board(seat),
            None => self.short_question(),
        };
        let words = Utterance::joined([self.prompt(Prompt::NotHeard, &[]), question]);
        self.reply(words);
        self.last_words = last;
    }

    fn help(&self) -> Prompt {
        Prompt::HelpSetup
    }

    fn last_reply(&self) -> Option<&Utterance> {
        self.last_words[self.speaker.unwrap_or(self.state.owner)].as_ref()
    }
}

impl Lobby {
    /// The possible phrases, for the recogniser.
    pub fn grammar(&self) -> Grammar {
        let mut phrases = self.expected();
        phrases.extend(self.board_phrases());
        let pack = self.words.prompts();
        if self.state.step.takes_number() {
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

    /// The possible phrases after a game, beside those of the game itself.
    pub fn phrases_after(&self) -> Vec<String> {
        let words = [SetupWord::NextGame, SetupWord::Result, SetupWord::Score, SetupWord::Finish];
        let pack = self.words.prompts();
        let words = words.iter().flat_map(|word| pack.setup(*word)).cloned();
        words.chain(self.next_game_phrases()).map(|text| text.to_lowercase()).collect()
    }

    /// Whether something said after a game is about the next one, and not about the one that is
    /// over.
    pub fn concerns(&self, text: &str) -> bool {
        let words = normal_words(&self.in_words(text));
        self.asks_for_next(text)
            || self.phrases_after().iter().any(|phrase| normal_words(phrase) == words)
    }

    /// The next game in words that ask for one during a game, too.
    fn asks_for_next(&self, text: &str) -> bool {
        let understood = understand_typed(&self.words, &Chess::default(), text);
        understood == Understood::Command(Command::NextGame)
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
}

#[cfg(test)]
mod tests {
    use shakmaty::Color;

    use super::*;
    use crate::{
        lobby::{Opening, Unfinished},
        questionnaire::tests::no_phrase_means_two_things,
    };
    use annabella_words::phrase::pack;

    /// A phrase means one thing at each question, in every language; an answer that is offered can
    /// be said.
    #[test]
    fn no_phrase_means_two_things_at_a_question() {
        for name in pack::builtin_names() {
            let words = Words::builtin(name, name).expect("built in");
            let game = Unfinished { number: 1, white: "Mor".into(), black: String::new() };
            let level = words.prompts().setup(SetupWord::Level)[0].clone();
            let opponents = (1..=10).map(|n| format!("Engine, {level} {n}")).collect();
            let unfinished = vec![game];
            let opening = Opening { unfinished, hall: true, opponents, ..Opening::default() };
            let mut lobby = Lobby::new(words, opening).expect("a lobby");
            for step in [
                Step::Unfinished,
                Step::Old,
                Step::AllRight,
                Step::Menu,
                Step::Opponents,
                Step::Sides,
                Step::Control,
                Step::Moves(Vec::new()),
                Step::Minutes(Vec::new()),
                Step::Seconds(Vec::new()),
                Step::Name(Color::White),
                Step::Spelling(Color::White, String::new()),
                Step::Duty(0),
                Step::WhichBoard,
                Step::TakeOver(17),
                Step::Boards,
                Step::Ready,
                Step::After,
                Step::Swap,
            ] {
                lobby.place(step.clone());
                no_phrase_means_two_things(&lobby, &format!("{name} {step:?}"));
            }
        }
    }
}
