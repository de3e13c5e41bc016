//! The questions, and what may be answered to each.

use shakmaty::Color;

use super::{Lobby, Unfinished, draft};
use crate::{
    game::{Blind, GameConfig},
    questionnaire::{self, Questionnaire},
};
use annabella_words::phrase::{Pack, Prompt, SetupWord, Slot, Utterance, timing::Stretch};

/// Periods of a time control that is put together number by number.
pub(super) const MOST_PERIODS: usize = 3;

const MOVES: [u32; 8] = [20, 30, 35, 36, 40, 45, 50, 60];
const MINUTES: [u32; 17] = [1, 2, 3, 5, 10, 15, 20, 25, 30, 45, 60, 75, 90, 100, 120, 150, 180];
const SECONDS: [u32; 8] = [1, 2, 3, 5, 10, 15, 20, 30];
/// The first entries of the lists.
const USUAL_MINUTES: u32 = 30;

/// A duty of the assistant that is asked about.
pub(super) struct Duty {
    ask: Prompt,
    pub(super) of: fn(&mut GameConfig) -> &mut bool,
}

/// Yes or no for each, in the order of the questions.
pub(super) const DUTIES: [Duty; 8] = [
    Duty { ask: Prompt::AskRelay, of: |config| &mut config.duties.relay },
    Duty { ask: Prompt::AskAnnounce, of: |config| &mut config.duties.announce },
    Duty { ask: Prompt::AskKeepScore, of: |config| &mut config.duties.keep_score },
    Duty { ask: Prompt::AskStartClock, of: |config| &mut config.duties.start_clock },
    Duty { ask: Prompt::AskInform, of: |config| &mut config.duties.inform },
    Duty { ask: Prompt::AskClaim, of: |config| &mut config.duties.claim },
    Duty { ask: Prompt::AskAdjourn, of: |config| &mut config.duties.adjourn },
    Duty { ask: Prompt::AskDeaf, of: |config| &mut config.opponent_deaf },
];

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Whether the newest unfinished game goes on.
    Unfinished,
    Old,
    /// Whether what is set is as wanted.
    AllRight,
    Menu,
    /// Whom to play with at home.
    Opponents,
    Sides,
    Control,
    /// How many moves the next period has; the periods before it.
    Moves(Vec<Stretch>),
    /// Its minutes; the last of these is being made.
    Minutes(Vec<Stretch>),
    Seconds(Vec<Stretch>),
    /// The name of this colour's player.
    Name(Color),
    /// The player's name, letter by letter.
    Spelling(Color, String),
    /// A duty of [`DUTIES`].
    Duty(usize),
    /// Which board of the hall this one is to be.
    WhichBoard,
    /// Whether it is to take that one's place.
    TakeOver(u32),
    Boards,
    Ready,
    Playing,
    After,
    Swap,
    /// There will be no more games.
    Over,
}

impl Step {
    /// Where "abbrechen" leads back to.
    pub(super) fn is_root(&self) -> bool {
        matches!(
            self,
            Step::Unfinished
                | Step::AllRight
                | Step::Menu
                | Step::Playing
                | Step::After
                | Step::Over
        )
    }

    /// A whole time control may be said.
    pub(super) fn takes_control(&self) -> bool {
        matches!(self, Step::AllRight | Step::Menu | Step::Control)
    }

    /// A number may be said.
    pub(super) fn takes_number(&self) -> bool {
        matches!(self, Step::Moves(_) | Step::Minutes(_) | Step::Seconds(_))
    }
}

/// An answer to one of these questions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    Open(SetupWord),
    Side(Blind),
    /// This opponent of those to choose from, with this colour for the player on pegs.
    Against {
        opponent: Option<usize>,
        side: Option<Blind>,
    },
    /// A time control put together number by number.
    Other,
    /// A number in answer to the question; `None`: all moves, no seconds.
    Number(Option<u32>),
    Named(String),
    Spell,
    Letters(String),
    Delete,
    Resume(usize),
    TakeOver(u32),
    Start,
    NextGame,
    Result,
    Score,
    Finish,
}

pub(super) type Act = questionnaire::Act<Answer>;
pub(super) type Choice = questionnaire::Choice<Answer>;
pub(super) type Question = questionnaire::Question<Answer>;

impl Lobby {
    fn plain(&self, name: String, answer: Answer) -> Choice {
        Choice { act: Act::Own(answer), label: self.words.label(&name), phrases: vec![name] }
    }

    fn entry(&self, word: SetupWord, answer: Answer) -> Choice {
        self.word(word, Act::Own(answer))
    }

    /// Topics that may be named.
    pub(super) fn topics(&self) -> Vec<Choice> {
        use SetupWord as W;
        let mut topics = vec![W::Time, W::Colours, W::Names, W::Duties];
        if !self.unfinished.is_empty() {
            topics.push(W::Resume);
        }
        if self.hall {
            topics.push(W::TakeOver);
        }
        if !self.opponents.is_empty() {
            topics.insert(0, W::Opponent);
        }
        topics.push(W::Boards);
        topics.into_iter().map(|word| self.entry(word, Answer::Open(word))).collect()
    }

    pub(super) fn sides(&self) -> Vec<Choice> {
        vec![
            self.entry(SetupWord::White, Answer::Side(Blind::White)),
            self.entry(SetupWord::Black, Answer::Side(Blind::Black)),
            self.entry(SetupWord::Both, Answer::Side(Blind::Both)),
        ]
    }

    pub(super) fn named(&self, color: Color) -> &str {
        color.fold_wb(&self.state.config.white, &self.state.config.black)
    }

    fn names(&self, color: Color) -> Vec<Choice> {
        let mut all = Vec::new();
        let current = self.named(color);
        let other = self.named(!color);
        let listed = self.players.iter().map(String::as_str);
        for name in std::iter::once(current).chain(listed) {
            let choice = self.plain(name.to_owned(), Answer::Named(name.to_owned()));
            let known = all.iter().any(|known: &Choice| known.act == choice.act);
            if !name.is_empty() && (name == current || name != other) && !known {
                all.push(choice);
            }
        }
        all.push(self.entry(SetupWord::Nameless, Answer::Named(String::new())));
        all.push(self.entry(SetupWord::Spell, Answer::Spell));
        all
    }

    fn letters(&self) -> Vec<Choice> {
        let letters = self.words.prompts().letters().iter();
        let mut all = vec![self.word(SetupWord::Done, Act::Done)];
        all.extend(
            letters.map(|(letter, name)| {
                self.plain(name.clone(), Answer::Letters(letter.to_string()))
            }),
        );
        all.push(self.entry(SetupWord::Space, Answer::Letters(" ".to_owned())));
        all.push(self.entry(SetupWord::Delete, Answer::Delete));
        all
    }

    fn duty(&self, n: usize) -> bool {
        // The rows give a place to write to: it is looked at in a copy.
        let mut config = self.state.config.clone();
        DUTIES.get(n).is_some_and(|duty| *(duty.of)(&mut config))
    }

    fn called(&self, color: Color, name: &str) -> String {
        if name.is_empty() {
            let side = color.fold_wb(SetupWord::White, SetupWord::Black);
            return self.name(side).to_owned();
        }
        name.to_owned()
    }

    /// "Mor gegen Schwarz."
    pub(super) fn names_are(&self, white: &str, black: &str) -> Utterance {
        let white = self.called(Color::White, white);
        let black = self.called(Color::Black, black);
        self.prompt(Prompt::NamesAre, &[Slot::Text(&white), Slot::Text(&black)])
    }

    fn game_name(&self, game: &Unfinished) -> String {
        let words = self.names_are(&game.white, &game.black);
        words.to_string().trim_end_matches('.').to_owned()
    }

    /// The settings in a few words; in full on request.
    pub(super) fn summary(&self, full: bool) -> Utterance {
        let config = &self.state.config;
        let mut parts = vec![match config.blind {
            Blind::White => self.prompt(Prompt::YouHave, &[Slot::Player(Color::White)]),
            Blind::Black => self.prompt(Prompt::YouHave, &[Slot::Player(Color::Black)]),
            Blind::Both => self.prompt(Prompt::BothBlind, &[]),
        }];
        if !config.white.is_empty() || !config.black.is_empty() {
            parts.push(self.names_are(&config.white, &config.black));
        }
        let named = self.named_controls();
        let current = Act::Control(config.time_control.clone());
        match named.iter().find(|choice| choice.act == current && !full) {
            Some(choice) => {
                let name = choice.phrases.first().map_or("", String::as_str);
                parts.push(self.prompt(Prompt::TimeControlIs, &[Slot::Text(name)]));
            }
            None => parts.push(self.control_in_full()),
        }
        Utterance::joined(parts)
    }

    /// The time control in full.
    pub(super) fn control_in_full(&self) -> Utterance {
        let control = self.control_words(&self.state.config.time_control);
        self.prompt(Prompt::TimeControlIs, &[Slot::Text(&control)])
    }

    /// The table of questions.
    pub(super) fn row(&self) -> Question {
        use {SetupWord as W, Step as S};
        let config = &self.state.config;
        let ask = |prompt| Question::asked(self.prompt(prompt, &[]));
        let yes_no = |words| Question::asked(words).with(self.yes_or_no(), None);
        // "Zurück" is the last of every list.
        let list = |words, mut answers: Vec<Choice>, set: Option<Act>| {
            answers.push(self.word(W::Back, Act::Back));
            let set = set.and_then(|set| answers.iter().position(|choice| choice.act == set));
            Question::asked(words).list(answers, set)
        };
        let listed = |prompt, answers, set| list(self.prompt(prompt, &[]), answers, set);
        match &self.state.step {
            S::Unfinished => yes_no(self.ask_resume()),
            S::Old => self.which_game(),
            S::AllRight => {
                let asked = vec![self.summary(false), self.prompt(Prompt::AskAllRight, &[])];
                Question { asked, ..Question::default() }.with(self.yes_or_no(), None)
            }
            S::Menu => listed(Prompt::AskChange, self.topics(), None),
            S::Sides => {
                listed(Prompt::AskSide, self.sides(), Some(Act::Own(Answer::Side(config.blind))))
            }
            S::Opponents => listed(Prompt::AskOpponent, self.all_opponents(), self.opponent_set()),
            S::Control => {
                let mut all = self.controls(&config.time_control);
                all.push(self.entry(W::Other, Answer::Other));
                listed(Prompt::AskControl, all, Some(Act::Control(config.time_control.clone())))
            }
            S::Moves(done) => listed(Prompt::AskMoves, self.moves_of_period(done.len()), None),
            S::Minutes(_) => {
                let usual = Act::Own(Answer::Number(Some(USUAL_MINUTES)));
                listed(
                    Prompt::AskMinutes,
                    self.numbers(MINUTES, Pack::counted_minutes),
                    Some(usual),
                )
            }
            S::Seconds(_) => {
                let mut all = vec![self.entry(W::NoBonus, Answer::Number(None))];
                all.extend(self.numbers(SECONDS, Pack::counted_seconds));
                listed(Prompt::AskBonus, all, None)
            }
            S::Name(color) => {
                let current = Act::Own(Answer::Named(self.named(*color).to_owned()));
                let words = self.prompt(Prompt::AskName, &[Slot::Player(*color)]);
                list(words, self.names(*color), Some(current))
            }
            S::Spelling(_, letters) => {
                let name = draft::capitalised(letters);
                let so_far = self.prompt(Prompt::NameSoFar, &[Slot::Text(&name)]);
                let none = letters.trim().is_empty().then(|| self.prompt(Prompt::AskLetters, &[]));
                let row = list(none.unwrap_or(so_far), self.letters(), None);
                Question { is_listed: false, ..row }
            }
            S::Duty(n) => {
                let asked = DUTIES.get(*n).map_or(Prompt::AskAllRight, |duty| duty.ask);
                ask(asked).list(self.yes_or_no(), Some(usize::from(!self.duty(*n))))
            }
            S::WhichBoard => listed(
                Prompt::AskWhichBoard,
                self.numbers(Lobby::board_numbers(), Pack::number),
                None,
            ),
            S::TakeOver(board) => yes_no(self.ask_take_over(*board)),
            S::Boards => {
                let row = list(self.board_words(), vec![self.word(W::Next, Act::Next)], None);
                Question { is_listed: false, ..row }
            }
            S::Ready => yes_no(self.prompt(Prompt::AskStart, &[])),
            S::After => ask(Prompt::AskNextGame).with(self.after(), None),
            S::Swap => yes_no(self.prompt(Prompt::AskSwap, &[])),
            S::Over => ask(Prompt::Goodbye),
            S::Playing => Question::default(),
        }
    }

    fn numbers(
        &self,
        all: impl IntoIterator<Item = u32>,
        spelled: fn(&Pack, u32) -> String,
    ) -> Vec<Choice> {
        let pack = self.words.prompts();
        let number = |n| self.plain(spelled(pack, n), Answer::Number(Some(n)));
        all.into_iter().map(number).collect()
    }

    /// `done`: the periods before this one.
    fn moves_of_period(&self, done: usize) -> Vec<Choice> {
        let mut all = vec![self.entry(SetupWord::AllMoves, Answer::Number(None))];
        if done < MOST_PERIODS {
            all.extend(self.numbers(MOVES, Pack::counted_moves));
        }
        all
    }

    fn after(&self) -> Vec<Choice> {
        vec![
            self.entry(SetupWord::NextGame, Answer::NextGame),
            self.entry(SetupWord::Result, Answer::Result),
            self.entry(SetupWord::Score, Answer::Score),
            self.entry(SetupWord::Finish, Answer::Finish),
        ]
    }

    fn ask_resume(&self) -> Utterance {
        let Some(game) = self.unfinished.first() else { return self.prompt(Prompt::NewGame, &[]) };
        let white = self.called(Color::White, &game.white);
        let black = self.called(Color::Black, &game.black);
        self.prompt(Prompt::AskResume, &[Slot::Text(&white), Slot::Text(&black)])
    }

    /// Each game asks for itself.
    fn which_game(&self) -> Question {
        let old = self.unfinished.iter().enumerate();
        let mut answers: Vec<Choice> =
            old.map(|(n, game)| self.plain(self.game_name(game), Answer::Resume(n))).collect();
        answers.push(self.word(SetupWord::Back, Act::Back));
        let asked = answers.get(self.state.cursor).map(|choice| self.asked(choice));
        Question { asked: asked.into_iter().collect(), ..Question::default() }.with(answers, None)
    }
}
