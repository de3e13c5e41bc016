//! Before the first move and after the last: a game is set up and started by voice, by keys or by
//! typed lines; each alone is enough. Pure, as the game is: one input at one moment in, outputs
//! out.
//!
//! # Nothing is final before the clock
//!
//! Each answer can be undone ("zurück"), a topic given up ("abbrechen"), a question left as it is
//! ("weiter"). [`Lobby::config`] is a playable game at every moment.
//!
//! # Two blind players
//!
//! Either may answer, and both hear what concerns both. Each hears for himself how his own board is
//! to be put right, and what only he asked for. White's clock is started when both boards stand.

mod answers;
mod boards;
pub mod draft;
mod io;
mod mouth;
mod opponents;
mod script;
mod steps;
mod takeover;

pub use boards::BoardShown;
pub use io::{Before, LobbyError, LobbyInput, LobbyOutput, NotTaken, Opening, Tally, Unfinished};

use shakmaty::{Bitboard, Board, ByColor, Chess, Color, Position};

use crate::{
    game::{At, Blind, GameConfig, read_fen},
    questionnaire::{History, Key, Questionnaire},
};
use annabella_words::phrase::{Prompt, SetupWord, Slot, Utterance, Words, timing::Timing};
use steps::{Act, Step};

/// The state that an answer changes and "zurück" restores.
#[derive(Clone, Debug)]
struct State {
    config: GameConfig,
    step: Step,
    cursor: usize,
    /// The player on pegs; of two the one who had White first.
    owner: Color,
    /// The player said that this board need not fit.
    unchecked: ByColor<bool>,
}

/// An answer heard with doubt: whether it was meant is asked.
#[derive(Clone, Debug)]
struct Doubt {
    act: Act,
    /// The player who is asked, where two are blind.
    of: Option<Color>,
}

/// A session of games: their set-up, and what follows each.
#[derive(Debug)]
pub struct Lobby {
    words: Words,
    timing: Timing,
    players: Vec<String>,
    opponents: Vec<String>,
    unfinished: Vec<Unfinished>,
    before: Option<Before>,
    state: State,
    history: History<State>,
    doubt: Option<Doubt>,
    second_board: bool,
    hall: bool,
    /// With one peg board his and the opponent's; with two White's and Black's.
    boards: [Option<BoardShown>; 2],
    /// The board before this player was found to lie right.
    oriented: ByColor<bool>,
    /// The speaker, where two are blind and he is known.
    speaker: Option<Color>,
    due: Option<At>,
    last_result: String,
    tally: Tally,
    moment: u64,
    /// Each player's last words heard.
    last_words: ByColor<Option<Utterance>>,
    /// The last guidance to each player about his own board.
    guided: ByColor<Option<Utterance>>,
    at: At,
    out: Vec<LobbyOutput>,
}

impl Lobby {
    /// A session that waits for [`LobbyInput::Opened`].
    ///
    /// # Errors
    /// [`LobbyError`] when no game can be played with the configuration.
    pub fn new(words: Words, opening: Opening) -> Result<Lobby, LobbyError> {
        let Opening { config, players, opponents, unfinished, before, second_board, hall } =
            opening;
        let config = draft::checked(config)?;
        let second_board = second_board || config.blind == Blind::Both;
        let owner = if config.blind == Blind::Black { Color::Black } else { Color::White };
        let step = if unfinished.is_empty() { Step::AllRight } else { Step::Unfinished };
        let timing = Timing::new(words.prompts());
        Ok(Lobby {
            words,
            timing,
            players,
            opponents,
            unfinished,
            before,
            state: State { config, step, cursor: 0, owner, unchecked: ByColor::default() },
            history: History::default(),
            doubt: None,
            second_board,
            hall,
            boards: [None, None],
            oriented: ByColor::default(),
            speaker: None,
            due: None,
            last_result: String::new(),
            tally: Tally::default(),
            moment: 0,
            last_words: ByColor::default(),
            guided: ByColor::default(),
            at: At::default(),
            out: Vec::new(),
        })
    }

    /// The game as it stands.
    pub fn config(&self) -> &GameConfig {
        &self.state.config
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

    /// Another game may be set up instead: nothing is asked that is about a game of the journal or
    /// of the hall.
    pub fn takes_pairing(&self) -> bool {
        use Step as S;
        let step = &self.state.step;
        !matches!(step, S::Unfinished | S::Old | S::WhichBoard | S::TakeOver(_))
            && !matches!(step, S::Playing | S::After | S::Over)
    }

    /// There will be no more games.
    pub fn is_over(&self) -> bool {
        matches!(self.state.step, Step::Over)
    }

    /// The filled holes of the board before this player, as last seen.
    pub fn pegs(&self, seat: Color) -> Option<Bitboard> {
        match self.shown(seat)? {
            BoardShown::Occupied(occupied) => Some(*occupied),
            BoardShown::Pieces(board) => Some(board.occupied()),
        }
    }

    /// Changes whenever [`Lobby::grammar`] does.
    pub fn moment(&self) -> u64 {
        self.moment
    }

    /// When [`LobbyInput::Woke`] is due. To be asked after each input; there is one moment at most.
    pub fn wake_at(&self) -> Option<At> {
        self.due
    }

    /// Takes in what happened. Moments before the last one count as the last one.
    pub fn handle(&mut self, at: At, input: LobbyInput) -> Vec<LobbyOutput> {
        self.at = at.max(self.at);
        self.speaker = None;
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
            LobbyInput::Heard { seat, heard, pushed } => {
                self.speaker = seat.filter(|_| self.are_two());
                self.heard(&heard, pushed);
            }
            LobbyInput::Said { seat, text } => {
                self.speaker = seat.filter(|_| self.are_two());
                self.said(&text);
            }
            LobbyInput::Repeat { seat } => {
                self.speaker = seat.filter(|_| self.are_two());
                self.key(Key::Repeat);
            }
            LobbyInput::Key(key) => self.key(key),
            LobbyInput::Pressed { seat } => self.pressed(seat),
            LobbyInput::StartClock => self.begin(),
            LobbyInput::NotTaken { board, why } => self.not_taken(board, why),
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
        words.push(self.question_words());
        let words = Utterance::joined(words);
        self.state.cursor = self.question().set;
        self.answer_all(words);
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
        self.state.unchecked = ByColor::default();
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
        if self.fault().is_some() {
            self.remember();
            self.place(Step::Boards);
            self.ask_over_wrong_board();
            return;
        }
        let config = Box::new(self.state.config.clone());
        self.history.clear();
        let runs = self.prompt(Prompt::ClockStarted, &[]);
        self.answer_all(runs);
        self.place(Step::Playing);
        self.out.push(LobbyOutput::Begin(config));
    }

    /// How loud it is stays as it is, for each in his own ear.
    fn restore(&mut self, state: State) {
        let config = &self.state.config;
        let (private, black) = (config.private, config.private_black);
        // Players who change places take their own settings along.
        let moved = self.are_two() && state.owner != self.state.owner;
        self.state = state;
        (self.state.config.private, self.state.config.private_black) = (private, black);
        if moved {
            draft::swap_earphones(&mut self.state.config);
            self.tell_manners();
        }
        self.moment += 1;
    }

    fn remember(&mut self) {
        self.history.remember(&self.state);
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
        self.state.cursor = self.question().set;
        self.moment += 1;
        self.last_words = ByColor::default();
        self.guided = ByColor::default();
    }

    /// Both players are blind: each has a board and an ear of his own.
    fn are_two(&self) -> bool {
        self.state.config.blind == Blind::Both
    }

    /// The name of a word of the set-up.
    fn name(&self, word: SetupWord) -> &str {
        self.words.prompts().setup(word).first().map_or("", String::as_str)
    }

    fn start(&self) -> Chess {
        let fen = self.state.config.start.as_deref();
        // `draft::checked` has read the FEN.
        fen.and_then(|fen| read_fen(fen).ok()).unwrap_or_default()
    }

    fn start_board(&self) -> Board {
        self.start().board().clone()
    }
}
