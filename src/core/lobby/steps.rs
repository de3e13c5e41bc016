//! The questions, and what may be answered to each.

use shakmaty::Color;

use super::{Key, Lobby, Unfinished, draft};
use crate::game::{Blind, GameConfig};
use annabella_words::phrase::{Command, Prompt, SetupWord, Slot, Utterance, timing::Stretch};

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
        matches!(self, Step::Unfinished | Step::AllRight | Step::Duty(_) | Step::Ready | Step::Swap)
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

/// An answer or a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Act {
    Yes,
    No,
    Next,
    Back,
    Summary,
    Request(Command),
    Open(SetupWord),
    Side(Blind),
    /// A time control as [`crate::game::clock::TimeControl`] writes it.
    Control(String),
    Other,
    /// A number in answer to the question; `None`: all moves, no seconds.
    Number(Option<u32>),
    Named(String),
    Spell,
    Letters(String),
    Delete,
    Done,
    Resume(usize),
    Start,
    NextGame,
    Result,
    Score,
    Finish,
}

/// An answer that the keys step through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Choice {
    pub(super) label: String,
    pub(super) act: Act,
    pub(super) phrases: Vec<String>,
}

impl Lobby {
    fn word(&self, word: SetupWord, act: Act) -> Choice {
        let phrases = self.words.prompts().setup(word).to_vec();
        Choice { label: self.name(word).to_owned(), act, phrases }
    }

    fn plain(label: String, act: Act) -> Choice {
        Choice { phrases: vec![label.clone()], label, act }
    }

    fn command(&self, command: Command, act: Act) -> Choice {
        let label = self.words.prompts().first_phrase(command).unwrap_or_default().to_owned();
        Choice { label, act, phrases: Vec::new() }
    }

    /// The answers to the question that stands.
    pub(super) fn choices(&self) -> Vec<Choice> {
        use SetupWord as W;
        let back = || self.word(W::Back, Act::Back);
        let mut choices = match &self.state.step {
            step if step.is_yes_or_no() => {
                return vec![
                    self.command(Command::Yes, Act::Yes),
                    self.command(Command::No, Act::No),
                ];
            }
            Step::Menu => self.topics(),
            Step::Sides => self.sides(),
            Step::Control => self.controls(),
            Step::Moves(done) => {
                let mut all = Vec::new();
                if done.len() < MOST_PERIODS {
                    let pack = self.words.prompts();
                    let number = |n| Lobby::plain(pack.counted_moves(n), Act::Number(Some(n)));
                    all.extend(MOVES.map(number));
                }
                all.insert(0, self.word(W::AllMoves, Act::Number(None)));
                all
            }
            Step::Minutes(_) => {
                let pack = self.words.prompts();
                let number = |n| Lobby::plain(pack.counted_minutes(n), Act::Number(Some(n)));
                MINUTES.map(number).to_vec()
            }
            Step::Seconds(_) => {
                let pack = self.words.prompts();
                let number = |n| Lobby::plain(pack.counted_seconds(n), Act::Number(Some(n)));
                let mut all = vec![self.word(W::NoBonus, Act::Number(None))];
                all.extend(SECONDS.map(number));
                all
            }
            Step::Name(color) => self.names(*color),
            Step::Spelling(..) => self.letters(),
            Step::Old => {
                let old = self.unfinished.iter().enumerate();
                old.map(|(n, game)| Lobby::plain(self.game_name(game), Act::Resume(n))).collect()
            }
            Step::Boards => vec![self.word(W::Next, Act::Next)],
            Step::After => {
                return vec![
                    self.word(W::NextGame, Act::NextGame),
                    self.word(W::Result, Act::Result),
                    self.word(W::Score, Act::Score),
                    self.word(W::Finish, Act::Finish),
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
        topics.push(W::Boards);
        topics.into_iter().map(|word| self.word(word, Act::Open(word))).collect()
    }

    pub(super) fn sides(&self) -> Vec<Choice> {
        vec![
            self.word(SetupWord::White, Act::Side(Blind::White)),
            self.word(SetupWord::Black, Act::Side(Blind::Black)),
            self.word(SetupWord::Both, Act::Side(Blind::Both)),
        ]
    }

    /// Time controls that have names.
    pub(super) fn named_controls(&self) -> Vec<Choice> {
        use SetupWord as W;
        [(W::Classical, draft::CLASSICAL), (W::Rapid, draft::RAPID), (W::Blitz, draft::BLITZ)]
            .map(|(word, text)| self.word(word, Act::Control(text.to_owned())))
            .to_vec()
    }

    fn controls(&self) -> Vec<Choice> {
        let mut all = self.named_controls();
        for text in draft::UNNAMED {
            // Each is a time control, as a test checks.
            let control = text.parse().unwrap_or_default();
            let label = self.words.prompts().time_control(&draft::stretches(&control));
            all.push(Lobby::plain(label, Act::Control(text.to_owned())));
        }
        let current = Act::Control(self.state.config.time_control.clone());
        if all.iter().all(|choice| choice.act != current) {
            let label = self.words.prompts().time_control(&self.stretches());
            all.insert(0, Lobby::plain(label, current));
        }
        all.push(self.word(SetupWord::Other, Act::Other));
        all
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
            let known = |choice: &Choice| choice.label == name;
            if !name.is_empty() && (name == current || name != other) && !all.iter().any(known) {
                all.push(Lobby::plain(name.to_owned(), Act::Named(name.to_owned())));
            }
        }
        all.push(self.word(SetupWord::Nameless, Act::Named(String::new())));
        all.push(self.word(SetupWord::Spell, Act::Spell));
        all
    }

    fn letters(&self) -> Vec<Choice> {
        let letters = self.words.prompts().letters().iter();
        let mut all = vec![self.word(SetupWord::Done, Act::Done)];
        all.extend(
            letters
                .map(|(letter, name)| Lobby::plain(name.clone(), Act::Letters(letter.to_string()))),
        );
        all.push(self.word(SetupWord::Space, Act::Letters(" ".to_owned())));
        all.push(self.word(SetupWord::Delete, Act::Delete));
        all
    }

    /// The answer that stands when the question is asked.
    pub(super) fn default_cursor(&self) -> usize {
        let config = &self.state.config;
        let wanted = match &self.state.step {
            Step::Sides => Act::Side(config.blind),
            Step::Control => Act::Control(config.time_control.clone()),
            Step::Minutes(_) => Act::Number(Some(USUAL_MINUTES)),
            Step::Name(color) => Act::Named(self.named(*color).to_owned()),
            Step::Duty(n) if !self.duty(*n) => Act::No,
            _ => return 0,
        };
        self.choices().iter().position(|choice| choice.act == wanted).unwrap_or(0)
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
                parts.push(self.prompt(Prompt::TimeControlIs, &[Slot::Text(&choice.label)]));
            }
            None => parts.push(self.control_words()),
        }
        Utterance::joined(parts)
    }

    /// The time control in full.
    pub(super) fn control_words(&self) -> Utterance {
        let control = self.words.prompts().time_control(&self.stretches());
        self.prompt(Prompt::TimeControlIs, &[Slot::Text(&control)])
    }

    /// The question that stands, with the answer at the cursor where there is a list.
    pub(super) fn question(&self) -> Utterance {
        let choices = self.choices();
        let choice = choices.get(self.state.cursor).map(|choice| choice.label.as_str());
        let listed = |prompt: Utterance| {
            let choice = choice.map(|label| self.words.label(label));
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
            Step::Old => self.words.asked(choice.unwrap_or_default()),
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
            Step::Boards => self.board_words(),
            Step::Ready => ask(Prompt::AskStart),
            Step::After => ask(Prompt::AskNextGame),
            Step::Swap => ask(Prompt::AskSwap),
            Step::Over => ask(Prompt::Goodbye),
            Step::Playing => Utterance::default(),
        }
    }
}

impl Key {
    /// All three.
    pub const ALL: [Key; 3] = [Key::Previous, Key::Next, Key::Choose];
}
