//! What was said in an exercise, as the game would understand it.

use clap::ValueEnum as _;
use shakmaty::Rank;

use annabella_words::phrase::{
    Command, Part, SpokenForm, Understood, Utterance, Words,
    hear::{
        Answer, Asked, Choices, Chosen, Context, Ear, Grammar, Heard, HeardDecision, Thresholds,
        answer_grammar, move_loop,
    },
    understand,
};

use super::exercise::{Exercise, Meant, Unit, bare};

/// What the person wants of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steer {
    /// Only to be quiet.
    Hush,
    Repeat,
    On,
    Back,
    End,
}

/// How an attempt was understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Take {
    Right,
    /// Rightly, but at the board it would be asked about.
    Unsure,
    /// As something else.
    Instead(Utterance),
    Nothing,
    Steer(Steer),
}

/// What was chosen from the list of units.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    All,
    One(Unit),
    Repeat,
    End,
}

#[derive(Clone, Debug, PartialEq)]
enum Said {
    Word(String),
    Steer(Steer),
}

/// Compares what was said with what was to be said.
#[derive(Debug)]
pub(super) struct Judge {
    words: Words,
    ear: Ear,
    limits: Thresholds,
    single: Choices<Said>,
    single_phrases: Vec<String>,
    units: Choices<Choice>,
    unit_phrases: Vec<String>,
}

impl Judge {
    /// `ear` and `limits`: as in this player's games.
    pub(super) fn new(words: &Words, ear: Ear, limits: Thresholds) -> Judge {
        let phrases_of = |wanted: Command| {
            let all = words.command_phrases().into_iter();
            all.filter(move |(_, command)| *command == wanted).map(|(text, _)| text)
        };
        let mut single: Vec<(String, Said)> = Vec::new();
        for word in words.moves().move_words() {
            single
                .extend(word.heard().map(|text| (text.to_owned(), Said::Word(word.text.clone()))));
        }
        for (command, steer) in [
            (Command::Repeat, Steer::Repeat),
            (Command::Cancel, Steer::End),
            (Command::Stop, Steer::Hush),
        ] {
            single.extend(phrases_of(command).map(|text| (text, Said::Steer(steer))));
        }
        let mut units: Vec<(String, Choice)> = Vec::new();
        for (rank, unit) in Rank::ALL.into_iter().zip(Unit::value_variants()) {
            let packs = [words.moves(), words.prompts()];
            let said = packs.map(|pack| pack.rank(rank).text.clone());
            let written = [rank.to_string(), unit.name()];
            let all = said.into_iter().chain(written);
            units.extend(all.map(|text| (text, Choice::One(*unit))));
        }
        for (command, choice) in [
            (Command::Yes, Choice::All),
            (Command::Repeat, Choice::Repeat),
            (Command::No, Choice::End),
            (Command::Cancel, Choice::End),
            (Command::Stop, Choice::End),
        ] {
            units.extend(phrases_of(command).map(|text| (text, choice)));
        }
        let lower = |text: &String| text.to_lowercase();
        Judge {
            single_phrases: single.iter().map(|(text, _)| lower(text)).collect(),
            unit_phrases: units.iter().map(|(text, _)| lower(text)).collect(),
            single: Choices::new(words, single),
            units: Choices::new(words, units),
            words: words.clone(),
            ear,
            limits,
        }
    }

    /// What a recogniser is to listen for in an exercise.
    pub(super) fn grammar(&self, exercise: &Exercise) -> Grammar {
        match (&exercise.meant, exercise.unit) {
            (Meant::Word(_), _) => Grammar::of_phrases(self.single_phrases.clone()),
            (_, Unit::Answers) => Grammar::new(answer_grammar(&self.words), move_loop(&self.words)),
            _ => Grammar::of_everything(&self.words, &exercise.position),
        }
    }

    /// The same while the units are offered.
    pub(super) fn units_grammar(&self) -> Grammar {
        Grammar::of_phrases(self.unit_phrases.clone())
    }

    pub(super) fn chosen(&self, heard: &Heard) -> Option<Choice> {
        match self.units.decide(heard, false, &self.limits) {
            Chosen::Accept(choice) | Chosen::Confirm(choice) => Some(choice),
            Chosen::Again | Chosen::Nothing => None,
        }
    }

    pub(super) fn chosen_by_typing(&self, line: &str) -> Option<Choice> {
        match line {
            "" => Some(Choice::All),
            "q" => Some(Choice::End),
            "r" => Some(Choice::Repeat),
            line => self.units.exact(line),
        }
    }

    /// An utterance in an exercise.
    pub(super) fn heard(&self, exercise: &Exercise, heard: &Heard) -> Take {
        if heard.is_nothing() {
            return Take::Nothing;
        }
        let Meant::Word(wanted) = &exercise.meant else {
            return self.decided(exercise, heard);
        };
        match self.single.decide(heard, false, &self.limits) {
            Chosen::Accept(Said::Word(word)) | Chosen::Confirm(Said::Word(word)) => {
                self.word(wanted, &word)
            }
            Chosen::Accept(Said::Steer(steer)) | Chosen::Confirm(Said::Steer(steer)) => {
                Take::Steer(steer)
            }
            Chosen::Again | Chosen::Nothing => self.as_heard(exercise, heard),
        }
    }

    fn word(&self, wanted: &str, word: &str) -> Take {
        if word == wanted { Take::Right } else { Take::Instead(self.spoken(word)) }
    }

    fn decided(&self, exercise: &Exercise, heard: &Heard) -> Take {
        let asked = if exercise.unit == Unit::Answers { Asked::YesNo } else { Asked::Nothing };
        let context = Context { asked, ..Context::default() };
        let matcher = self.ear.matcher(&exercise.position, context).with_thresholds(self.limits);
        match matcher.decide(heard) {
            HeardDecision::Accept { mv, .. } if exercise.meant == Meant::Move(mv) => Take::Right,
            HeardDecision::Confirm { mv, .. } if exercise.meant == Meant::Move(mv) => Take::Unsure,
            HeardDecision::Accept { mv, .. } | HeardDecision::Confirm { mv, .. } => {
                Take::Instead(self.words.announce(&exercise.position, mv, SpokenForm::Full))
            }
            HeardDecision::Illegal { spoken, .. } => Take::Instead(self.spoken(&spoken.text)),
            HeardDecision::Command { command, .. }
            | HeardDecision::ConfirmCommand { command, .. }
            | HeardDecision::AskCommand { command, .. } => self.request(exercise, command),
            HeardDecision::Answer { answer: Answer::Yes, .. } => {
                self.request(exercise, Command::Yes)
            }
            HeardDecision::Answer { answer: Answer::No, .. } => self.request(exercise, Command::No),
            _ => self.as_heard(exercise, heard),
        }
    }

    fn request(&self, exercise: &Exercise, command: Command) -> Take {
        match command {
            command if exercise.meant == Meant::Request(command) => Take::Right,
            Command::Repeat => Take::Steer(Steer::Repeat),
            Command::Cancel => Take::Steer(Steer::End),
            Command::Stop => Take::Steer(Steer::Hush),
            command => Take::Instead(self.requested(command)),
        }
    }

    fn requested(&self, command: Command) -> Utterance {
        bare(self.words.label(&self.words.phrase_for(command).unwrap_or_default()))
    }

    /// Words of the move language, as they were understood.
    fn spoken(&self, text: &str) -> Utterance {
        let lower = text.to_lowercase();
        let sound = self.words.pronounce(&lower);
        let sound = if sound == lower { String::new() } else { sound };
        let lang = self.words.moves().code().to_owned();
        Utterance { parts: vec![Part { lang, text: text.to_owned(), sound }] }
    }

    /// The words that were heard with doubt, whatever they come to. It follows nobody's wish and is
    /// right for nobody.
    fn as_heard(&self, exercise: &Exercise, heard: &Heard) -> Take {
        let known = heard.as_part().split_whitespace().filter(|word| !word.starts_with(['[', '<']));
        let text = known.collect::<Vec<_>>().join(" ");
        match self.by_words(exercise, &text) {
            Take::Right => Take::Unsure,
            Take::Instead(words) => Take::Instead(words),
            _ if text.is_empty() => Take::Nothing,
            _ => Take::Instead(bare(self.words.label(&text))),
        }
    }

    pub(super) fn typed(&self, exercise: &Exercise, line: &str) -> Take {
        match line {
            "" => Take::Steer(Steer::On),
            "r" => Take::Steer(Steer::Repeat),
            "b" => Take::Steer(Steer::Back),
            "q" => Take::Steer(Steer::End),
            line => self.by_words(exercise, line),
        }
    }

    /// By the words alone, none of them taken for another.
    fn by_words(&self, exercise: &Exercise, line: &str) -> Take {
        if let Meant::Word(wanted) = &exercise.meant {
            return match self.single.exact(line) {
                Some(Said::Word(word)) => self.word(wanted, &word),
                Some(Said::Steer(steer)) => Take::Steer(steer),
                None => Take::Nothing,
            };
        }
        match understand(&self.words, &exercise.position, line) {
            Understood::Move(mv) if exercise.meant == Meant::Move(mv) => Take::Right,
            Understood::Move(mv) => {
                Take::Instead(self.words.announce(&exercise.position, mv, SpokenForm::Full))
            }
            Understood::Illegal(spoken) => Take::Instead(self.spoken(&spoken.text)),
            // A number alone answers a question, and none was asked.
            Understood::Command(command) if !matches!(command, Command::Choice(_)) => {
                self.request(exercise, command)
            }
            Understood::NotHeard => Take::Nothing,
            _ => Take::Instead(bare(self.words.label(line))),
        }
    }
}
