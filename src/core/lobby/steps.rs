//! The questions, and what may be answered to each.

use shakmaty::Color;

use super::{Lobby, Unfinished, draft};
use crate::{
    game::{Blind, GameConfig},
    questionnaire::{self, Questionnaire},
};
use annabella_words::phrase::{Prompt, SetupWord, Slot, Utterance, timing::Stretch};

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
    /// Where it stands.
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

/// A question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Whether the newest unfinished game goes on.
    Unfinished,
    /// Which of the unfinished games.
    Old,
    /// Whether what is set is as wanted.
    AllRight,
    /// Which topic to change.
    Menu,
    /// The colours.
    Sides,
    /// Which time control.
    Control,
    /// How many moves the next period has; the periods before it.
    Moves(Vec<Stretch>),
    /// Its minutes; the last of these is being made.
    Minutes(Vec<Stretch>),
    /// Its seconds.
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
    /// The boards are put right.
    Boards,
    /// White's clock may be started.
    Ready,
    /// A game is being played.
    Playing,
    /// The session is over.
    After,
    /// Whether the colours change.
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

    fn is_yes_or_no(&self) -> bool {
        use Step as S;
        matches!(
            self,
            S::Unfinished | S::AllRight | S::Duty(_) | S::TakeOver(_) | S::Ready | S::Swap
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

impl Lobby {
    fn plain(&self, name: String, answer: Answer) -> Choice {
        Choice { act: Act::Own(answer), label: self.words.label(&name), phrases: vec![name] }
    }

    fn entry(&self, word: SetupWord, answer: Answer) -> Choice {
        self.word(word, Act::Own(answer))
    }

    /// The answers to the question that stands.
    pub(super) fn answers(&self) -> Vec<Choice> {
        use SetupWord as W;
        let back = || self.word(W::Back, Act::Back);
        let mut choices = match &self.state.step {
            step if step.is_yes_or_no() => {
                return self.yes_or_no();
            }
            Step::Menu => self.topics(),
            Step::Sides => self.sides(),
            Step::Control => {
                let mut all = self.controls(&self.state.config.time_control);
                all.push(self.entry(W::Other, Answer::Other));
                all
            }
            Step::Moves(done) => {
                let mut all = Vec::new();
                if done.len() < MOST_PERIODS {
                    let pack = self.words.prompts();
                    let number = |n| self.plain(pack.counted_moves(n), Answer::Number(Some(n)));
                    all.extend(MOVES.map(number));
                }
                all.insert(0, self.entry(W::AllMoves, Answer::Number(None)));
                all
            }
            Step::Minutes(_) => {
                let pack = self.words.prompts();
                let number = |n| self.plain(pack.counted_minutes(n), Answer::Number(Some(n)));
                MINUTES.map(number).to_vec()
            }
            Step::Seconds(_) => {
                let pack = self.words.prompts();
                let number = |n| self.plain(pack.counted_seconds(n), Answer::Number(Some(n)));
                let mut all = vec![self.entry(W::NoBonus, Answer::Number(None))];
                all.extend(SECONDS.map(number));
                all
            }
            Step::WhichBoard => {
                let pack = self.words.prompts();
                let number = |n| self.plain(pack.number(n), Answer::Number(Some(n)));
                Lobby::board_numbers().map(number).collect()
            }
            Step::Name(color) => self.names(*color),
            Step::Spelling(..) => self.letters(),
            Step::Old => {
                let old = self.unfinished.iter().enumerate();
                old.map(|(n, game)| self.plain(self.game_name(game), Answer::Resume(n))).collect()
            }
            Step::Boards => vec![self.word(W::Next, Act::Next)],
            Step::After => {
                return vec![
                    self.entry(W::NextGame, Answer::NextGame),
                    self.entry(W::Result, Answer::Result),
                    self.entry(W::Score, Answer::Score),
                    self.entry(W::Finish, Answer::Finish),
                ];
            }
            _ => return Vec::new(),
        };
        choices.push(back());
        choices
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

    fn named(&self, color: Color) -> &str {
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

    /// The answer that stands when the question is asked.
    pub(super) fn default_cursor(&self) -> usize {
        let config = &self.state.config;
        let wanted = match &self.state.step {
            Step::Sides => Act::Own(Answer::Side(config.blind)),
            Step::Control => Act::Control(config.time_control.clone()),
            Step::Minutes(_) => Act::Own(Answer::Number(Some(USUAL_MINUTES))),
            Step::Name(color) => Act::Own(Answer::Named(self.named(*color).to_owned())),
            Step::Duty(n) if !self.duty(*n) => Act::No,
            _ => return 0,
        };
        self.answers().iter().position(|choice| choice.act == wanted).unwrap_or(0)
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

    /// The question that stands, with the answer at the cursor where there is a list.
    pub(super) fn question(&self) -> Utterance {
        let choice = self.answers().into_iter().nth(self.state.cursor);
        let listed = |prompt: Utterance| {
            let choice = choice.iter().map(|choice| choice.label.clone());
            Utterance::joined(std::iter::once(prompt).chain(choice))
        };
        let ask = |prompt| self.prompt(prompt, &[]);
        match &self.state.step {
            Step::Unfinished => match self.unfinished.first() {
                Some(game) => {
                    let white = self.called(Color::White, &game.white);
                    let black = self.called(Color::Black, &game.black);
                    self.prompt(Prompt::AskResume, &[Slot::Text(&white), Slot::Text(&black)])
                }
                None => ask(Prompt::NewGame),
            },
            Step::Old => choice.as_ref().map(|choice| self.asked(choice)).unwrap_or_default(),
            Step::AllRight => Utterance::joined([self.summary(false), ask(Prompt::AskAllRight)]),
            Step::Menu => listed(ask(Prompt::AskChange)),
            Step::Sides => listed(ask(Prompt::AskSide)),
            Step::Control => listed(ask(Prompt::AskControl)),
            Step::Moves(_) => listed(ask(Prompt::AskMoves)),
            Step::Minutes(_) => listed(ask(Prompt::AskMinutes)),
            Step::Seconds(_) => listed(ask(Prompt::AskBonus)),
            Step::Name(color) => listed(self.prompt(Prompt::AskName, &[Slot::Player(*color)])),
            Step::Spelling(_, letters) if letters.trim().is_empty() => ask(Prompt::AskLetters),
            Step::Spelling(_, letters) => {
                let name = draft::capitalised(letters);
                self.prompt(Prompt::NameSoFar, &[Slot::Text(&name)])
            }
            Step::Duty(n) => match DUTIES.get(*n) {
                Some(duty) => listed(ask(duty.ask)),
                None => ask(Prompt::AskAllRight),
            },
            Step::WhichBoard => listed(ask(Prompt::AskWhichBoard)),
            Step::TakeOver(board) => self.ask_take_over(*board),
            Step::Boards => self.board_words(),
            Step::Ready => ask(Prompt::AskStart),
            Step::After => ask(Prompt::AskNextGame),
            Step::Swap => ask(Prompt::AskSwap),
            Step::Over => ask(Prompt::Goodbye),
            Step::Playing => Utterance::default(),
        }
    }
}
