//! Before the first move and after the last: a game is set up and started by voice, by keys or by
//! typed lines, each alone. Pure, as the game is: one input at one moment in, things to do out.
//!
//! # Three keys
//!
//! Every question has a list of answers with one of them chosen beforehand: *previous* and *next* go
//! through the list and say each, *choose* takes it. "Ja" is *choose* and "nein" is *next*.
//!
//! # Nothing is final before the clock
//!
//! Each answer can be undone ("zurück"), a topic given up ("abbrechen"), a question left as it is
//! ("weiter"). What [`Lobby::config`] gives is at every moment a game that can be played.

mod boards;
pub(crate) mod draft;
mod listening;
mod steps;

pub use boards::Shown;

use shakmaty::{Bitboard, Board, Chess, Color, Position, Square};
use thiserror::Error;

use crate::{
    game::{
        At, Blind, Channel, GameConfig, Urgency,
        clock::{TimeControl, TimeControlError},
        read_fen,
    },
    phrase::{
        Command, Prompt, SetupWord, Slot, Utterance, Words,
        hear::Heard,
        timing::{Stretch, Timing},
    },
};
use steps::{Act, Step};

/// Answers that can be undone.
const MOST_UNDONE: usize = 200;

/// One of three keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// The answer before.
    Previous,
    /// The answer after.
    Next,
    /// This answer.
    Choose,
}

/// A game of the journal that was not finished.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unfinished {
    /// Its number in the journal.
    pub number: i64,
    /// White's name; may be empty.
    pub white: String,
    /// Black's.
    pub black: String,
}

/// What is said of the game that was played last, before the first question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Before {
    /// It is adjourned: only the arbiter lets it go on.
    Adjourned {
        /// White's name; may be empty.
        white: String,
        /// Black's.
        black: String,
        /// When and where it goes on, as the arbiter worded it; may be empty.
        until: String,
    },
    /// It is over.
    Ended {
        /// `1-0`, `0-1`, `1/2-1/2` or another.
        result: String,
    },
}

/// How the games of this session ended, for the player on pegs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

/// What a session begins with.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    /// The game as it is played if nothing is changed.
    pub config: GameConfig,
    /// Names to choose from.
    pub players: Vec<String>,
    /// Games that can be resumed, the newest first.
    pub unfinished: Vec<Unfinished>,
    /// What is to be known of the last one.
    pub before: Option<Before>,
}

/// Everything that can reach the lobby.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyInput {
    /// The session begins: the first question is asked.
    Opened,
    /// The session begins with this game of the journal: nothing is asked.
    Chosen(i64),
    /// Something was spoken.
    Heard {
        /// What it may have been.
        heard: Heard,
        /// The talk key was held.
        pushed: bool,
    },
    /// Something was typed.
    Said(String),
    /// A key went down.
    Key(Key),
    /// How a board stands.
    Board {
        /// Before whom.
        seat: Color,
        /// All of it.
        shown: Shown,
    },
    /// A debounced reed changed.
    Edge {
        /// Before whom.
        seat: Color,
        /// Which.
        square: Square,
        /// Something stands there.
        occupied: bool,
    },
    /// A player pressed his side of the clock: Black's starts White's time (6.6).
    Pressed {
        /// Who.
        seat: Color,
    },
    /// The arbiter starts White's clock (6.6).
    StartClock,
    /// Another configuration, from a file or the console.
    Configured(Box<GameConfig>),
    /// The game that is resumed is played like this.
    Resumed(Box<GameConfig>),
    /// The game that was begun is over: `1-0`, `0-1`, `1/2-1/2`, `*`.
    Ended {
        /// Its result.
        result: String,
    },
    /// The moment asked for by [`LobbyOutput::WakeAt`] has come.
    Woke,
}

/// Everything that the lobby can ask for.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyOutput {
    /// Speak.
    Say {
        /// Loudspeaker or earphone.
        channel: Channel,
        /// Order in the queue.
        urgency: Urgency,
        /// The words.
        words: Utterance,
    },
    /// Cut all speech at once.
    Hush,
    /// How the earphone sounds from now on.
    Manner {
        /// Volume, 0 to 100.
        volume: u8,
        /// Rate.
        words_per_minute: u16,
    },
    /// Begin this game and start White's clock (6.6).
    Begin(Box<GameConfig>),
    /// Go on with this game of the journal.
    Resume(i64),
    /// No more games.
    Finished,
    /// Send [`LobbyInput::Woke`] at this moment.
    WakeAt(At),
}

/// Why a configuration cannot be set up from.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum LobbyError {
    /// The time control.
    #[error(transparent)]
    Control(#[from] TimeControlError),
    /// The starting position.
    #[error("{0}; choose another [game] start")]
    Start(String),
}

/// What an answer changes and "zurück" restores.
#[derive(Clone, Debug)]
struct State {
    config: GameConfig,
    step: Step,
    cursor: usize,
    /// The player on pegs; of two the one who had White first.
    owner: Color,
    /// The boards need not fit: somebody said so.
    unchecked: bool,
}

/// A session of games: their set-up, and what follows each.
#[derive(Debug)]
pub struct Lobby {
    words: Words,
    timing: Timing,
    /// Requests that are understood at every question.
    general: Vec<(String, Command)>,
    players: Vec<String>,
    unfinished: Vec<Unfinished>,
    before: Option<Before>,
    state: State,
    history: Vec<State>,
    /// An answer heard with doubt, and what it is called.
    doubt: Option<(Act, String)>,
    /// His board, the opponent's.
    boards: [Option<Shown>; 2],
    /// His board was found to lie right with these colours.
    oriented: Option<Color>,
    due: Option<At>,
    last_result: String,
    tally: Tally,
    moment: u64,
    last_words: Option<Utterance>,
    at: At,
    out: Vec<LobbyOutput>,
}

impl Lobby {
    /// A session that waits for [`LobbyInput::Opened`].
    ///
    /// # Errors
    ///
    /// [`LobbyError`] when no game can be played with the configuration.
    pub fn new(words: Words, opening: Opening) -> Result<Lobby, LobbyError> {
        let Opening { config, players, unfinished, before } = opening;
        let config = draft::checked(config)?;
        let owner = if config.blind == Blind::Black { Color::Black } else { Color::White };
        let step = if unfinished.is_empty() { Step::AllRight } else { Step::Unfinished };
        let timing = Timing::new(words.prompts());
        let commands = words.command_phrases().into_iter();
        let general = commands.filter(|(_, command)| listening::is_general(*command)).collect();
        Ok(Lobby {
            words,
            timing,
            general,
            players,
            unfinished,
            before,
            state: State { config, step, cursor: 0, owner, unchecked: false },
            history: Vec::new(),
            doubt: None,
            boards: [None, None],
            oriented: None,
            due: None,
            last_result: String::new(),
            tally: Tally::default(),
            moment: 0,
            last_words: None,
            at: At::default(),
            out: Vec::new(),
        })
    }

    /// The game as it stands.
    pub fn config(&self) -> &GameConfig {
        &self.state.config
    }

    /// How the games of this session ended.
    pub fn tally(&self) -> Tally {
        self.tally
    }

    /// The colour of the player on pegs; of two blind players the one who had White first.
    pub fn owner(&self) -> Color {
        self.state.owner
    }

    /// A game was begun or resumed and has not ended.
    pub fn is_playing(&self) -> bool {
        matches!(self.state.step, Step::Playing)
    }

    /// A game is over, and it is open what follows.
    pub fn is_between(&self) -> bool {
        matches!(self.state.step, Step::After)
    }

    /// There will be no more games.
    pub fn is_over(&self) -> bool {
        matches!(self.state.step, Step::Over)
    }

    /// What stands on the board of the player on pegs, as last felt.
    pub fn pegs(&self) -> Option<Bitboard> {
        match self.boards[0].as_ref()? {
            Shown::Occupied(occupied) => Some(*occupied),
            Shown::Pieces(board) => Some(board.occupied()),
        }
    }

    /// When this changes, [`Lobby::grammar`] does.
    pub fn moment(&self) -> u64 {
        self.moment
    }

    /// When the lobby wants to be woken.
    pub fn wake_at(&self) -> Option<At> {
        self.due
    }

    /// Takes in what happened. Moments before the last one count as the last one.
    pub fn handle(&mut self, at: At, input: LobbyInput) -> Vec<LobbyOutput> {
        self.at = at.max(self.at);
        if self.due.is_some_and(|due| due <= self.at) {
            self.due = None;
            self.boards_settled();
        }
        match input {
            LobbyInput::Ended { result } => self.ended(result),
            LobbyInput::Board { seat, shown } => self.board(seat, shown),
            LobbyInput::Edge { seat, square, occupied } => self.edge(seat, square, occupied),
            LobbyInput::Configured(config) => self.configured(*config),
            LobbyInput::Resumed(config) => self.adopt(*config),
            LobbyInput::Woke => {}
            _ if self.is_playing() => {}
            LobbyInput::Opened => self.opened(),
            LobbyInput::Chosen(number) => self.chosen(number),
            LobbyInput::Heard { heard, pushed } => self.heard(&heard, pushed),
            LobbyInput::Said(text) => self.said(&text),
            LobbyInput::Key(key) => self.key(key),
            LobbyInput::Pressed { seat } => self.pressed(seat),
            LobbyInput::StartClock => self.begin(),
        }
        std::mem::take(&mut self.out)
    }

    fn opened(&mut self) {
        let mut words = match self.before.take() {
            Some(before) => self.told_before(&before),
            None => Vec::new(),
        };
        if matches!(self.state.step, Step::AllRight) {
            words.push(self.prompt(Prompt::NewGame, &[]));
        }
        words.push(self.question());
        let words = Utterance::joined(words);
        self.state.cursor = self.default_cursor();
        self.say(Channel::Private, Urgency::Answer, words);
    }

    fn told_before(&self, before: &Before) -> Vec<Utterance> {
        match before {
            Before::Adjourned { white, black, until } => {
                let mut words = vec![self.prompt(Prompt::StillAdjourned, &[])];
                if !white.is_empty() || !black.is_empty() {
                    words.insert(0, self.names_are(white, black));
                }
                if !until.is_empty() {
                    words.push(self.prompt(Prompt::GoesOnAt, &[Slot::Text(until)]));
                }
                words
            }
            Before::Ended { result } => {
                let over = self.prompt(Prompt::LastGameOver, &[]);
                std::iter::once(over).chain(self.result_words(result)).collect()
            }
        }
    }

    fn chosen(&mut self, number: i64) {
        self.unfinished.retain(|game| game.number != number);
        self.out.push(LobbyOutput::Resume(number));
        self.history.clear();
        self.place(Step::Playing);
    }

    fn ended(&mut self, result: String) {
        if !self.is_playing() {
            return;
        }
        let owner_won = if self.state.owner.is_white() { "1-0" } else { "0-1" };
        match result.as_str() {
            "1/2-1/2" => self.tally.drawn += 1,
            won if won == owner_won => self.tally.won += 1,
            "1-0" | "0-1" => self.tally.lost += 1,
            _ => {}
        }
        self.last_result = result;
        self.history.clear();
        self.state.unchecked = false;
        self.doubt = None;
        self.place(Step::After);
    }

    fn configured(&mut self, config: GameConfig) {
        if self.is_playing() {
            return;
        }
        self.remember();
        self.adopt(config);
        self.place(Step::AllRight);
        self.ask();
    }

    fn adopt(&mut self, config: GameConfig) {
        let Ok(config) = draft::checked(config) else { return };
        self.state.owner = match config.blind {
            Blind::White => Color::White,
            Blind::Black => Color::Black,
            Blind::Both => self.state.owner,
        };
        self.state.config = config;
    }

    fn pressed(&mut self, seat: Color) {
        match (&self.state.step, seat) {
            (Step::Ready, Color::Black) => self.begin(),
            (Step::Ready, Color::White) => self.ask(),
            _ => {}
        }
    }

    /// White's clock is started, unless a board is wrong.
    fn begin(&mut self) {
        if matches!(self.state.step, Step::After | Step::Swap | Step::Over) {
            self.ask();
            return;
        }
        if !self.state.unchecked && self.fault().is_some() {
            self.remember();
            self.place(Step::Boards);
            let wrong = self.prompt(Prompt::StartPositionWrong, &[]);
            self.ask_after(wrong);
            return;
        }
        let config = Box::new(self.state.config.clone());
        self.history.clear();
        self.place(Step::Playing);
        self.out.push(LobbyOutput::Begin(config));
    }

    fn key(&mut self, key: Key) {
        self.out.push(LobbyOutput::Hush);
        let choices = self.choices();
        let count = choices.len().max(1);
        match key {
            Key::Previous => self.state.cursor = (self.state.cursor + count - 1) % count,
            Key::Next => self.state.cursor = (self.state.cursor + 1) % count,
            Key::Choose => {
                let act = match self.doubt.take() {
                    Some((act, _)) => Some(act),
                    None => choices.get(self.state.cursor).map(|choice| choice.act.clone()),
                };
                if let Some(act) = act {
                    self.act(act);
                }
                return;
            }
        }
        if self.doubt.take().is_some() {
            self.ask();
            return;
        }
        if let Some(choice) = choices.get(self.state.cursor) {
            let words = self.words.label(&choice.label);
            self.say(Channel::Private, Urgency::Answer, words);
        }
    }

    /// Carries out an answer or a request.
    fn act(&mut self, act: Act) {
        match act {
            Act::Request(command) => self.request(command),
            Act::Back => self.back(),
            Act::Summary => {
                let question = match self.state.step {
                    Step::AllRight => self.prompt(Prompt::AskAllRight, &[]),
                    _ => self.question(),
                };
                let words = Utterance::joined([self.summary(true), question]);
                self.say(Channel::Private, Urgency::Answer, words);
            }
            Act::Next => {
                self.doubt = None;
                self.next();
            }
            act => self.answer(act),
        }
    }

    fn request(&mut self, command: Command) {
        match command {
            Command::Yes => self.yes(),
            Command::No => self.no(),
            Command::Repeat => match (&self.doubt, self.last_words.clone()) {
                (None, _) | (_, None) => self.ask(),
                (Some(_), Some(words)) => self.say(Channel::Private, Urgency::Answer, words),
            },
            Command::Stop => self.out.push(LobbyOutput::Hush),
            Command::Cancel => self.cancel(),
            Command::Help => self.tell(Prompt::HelpSetup, &[]),
            Command::Louder => self.volume(10),
            Command::Quieter => self.volume(-10),
            Command::Faster => self.rate(20),
            Command::Slower => self.rate(-20),
            Command::StartClock => self.answer(Act::Start),
            _ => self.tell(Prompt::NotHeard, &[]),
        }
    }

    fn volume(&mut self, by: i16) {
        let manner = &mut self.state.config.private;
        let volume = (i16::from(manner.volume) + by).clamp(0, 100);
        manner.volume = volume.unsigned_abs() as u8;
        let volume = manner.volume;
        self.manner();
        self.tell(Prompt::VolumeNow, &[Slot::Number(u32::from(volume))]);
    }

    fn rate(&mut self, by: i32) {
        let manner = &mut self.state.config.private;
        let rate = (i32::from(manner.words_per_minute) + by).clamp(80, 450);
        manner.words_per_minute = rate.unsigned_abs() as u16;
        let rate = u32::from(manner.words_per_minute);
        self.manner();
        self.tell(Prompt::RateNow, &[Slot::Number(rate)]);
    }

    fn manner(&mut self) {
        let crate::game::Manner { volume, words_per_minute } = self.state.config.private;
        self.out.push(LobbyOutput::Manner { volume, words_per_minute });
    }

    fn yes(&mut self) {
        match self.doubt.take() {
            Some((act, _)) => self.act(act),
            None => {
                let choices = self.choices();
                let yes = choices.iter().find(|choice| choice.act == Act::Yes);
                let act = yes.or_else(|| choices.get(self.state.cursor)).map(|c| c.act.clone());
                if let Some(act) = act {
                    self.act(act);
                }
            }
        }
    }

    fn no(&mut self) {
        if self.doubt.take().is_some() {
            self.ask();
            return;
        }
        if self.choices().iter().any(|choice| choice.act == Act::No) {
            self.answer(Act::No);
        } else {
            self.key(Key::Next);
        }
    }

    fn back(&mut self) {
        self.doubt = None;
        match self.history.pop() {
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
        let root = self.history.iter().rposition(|state| state.step.is_root());
        if let Some(root) = root.filter(|_| !doubted && !self.state.step.is_root()) {
            let state = self.history[root].clone();
            self.history.truncate(root);
            self.restore(state);
        }
        let cancelled = self.prompt(Prompt::Cancelled, &[]);
        self.ask_after(cancelled);
    }

    /// How loud it is stays as it is.
    fn restore(&mut self, state: State) {
        let private = self.state.config.private;
        self.state = state;
        self.state.config.private = private;
        self.moment += 1;
    }

    fn remember(&mut self) {
        if self.history.len() >= MOST_UNDONE {
            self.history.remove(0);
        }
        self.history.push(self.state.clone());
    }

    /// Goes on to a step; "zurück" comes back here.
    fn enter(&mut self, step: Step) {
        self.remember();
        self.place(step);
        self.ask();
    }

    /// Puts a step in place without a word.
    fn place(&mut self, step: Step) {
        self.state.step = step;
        self.state.cursor = self.default_cursor();
        self.moment += 1;
        self.last_words = None;
    }

    fn ask(&mut self) {
        let words = self.question();
        self.say_question(words);
    }

    fn ask_after(&mut self, first: Utterance) {
        let words = Utterance::joined([first, self.question()]);
        self.say_question(words);
    }

    fn say_question(&mut self, words: Utterance) {
        let channel = self.question_channel();
        self.say(channel, Urgency::Answer, words);
    }

    fn prompt(&self, prompt: Prompt, slots: &[Slot<'_>]) -> Utterance {
        self.words.prompt(prompt, slots)
    }

    fn tell(&mut self, prompt: Prompt, slots: &[Slot<'_>]) {
        let words = self.prompt(prompt, slots);
        self.say(Channel::Private, Urgency::Answer, words);
    }

    fn say(&mut self, channel: Channel, urgency: Urgency, words: Utterance) {
        if words.parts.is_empty() {
            return;
        }
        self.last_words = Some(words.clone());
        self.out.push(LobbyOutput::Say { channel, urgency, words });
    }

    /// The name of a word of the set-up.
    fn name(&self, word: SetupWord) -> &str {
        self.words.prompts().setup(word).first().map_or("", String::as_str)
    }

    fn start(&self) -> Chess {
        let fen = self.state.config.start.as_deref();
        // `draft::checked` has read it.
        fen.and_then(|fen| read_fen(fen).ok()).unwrap_or_default()
    }

    fn start_board(&self) -> Board {
        self.start().board().clone()
    }

    fn control(&self) -> TimeControl {
        // `draft::checked` has read it.
        self.state.config.time_control.parse().unwrap_or_default()
    }

    fn stretches(&self) -> Vec<Stretch> {
        draft::stretches(&self.control())
    }
}
