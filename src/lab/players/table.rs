//! People at a board: hands on pegs, an opponent, a clock, and words where the pegs alone don't
//! show the move.
//!
//! The table drives the same core as the service, in time of its own, so that a game of hours is
//! played in moments, and twice the same.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Move, Position, uci::UciMove};

use crate::hands::{Hands, Handwork};
use annabella_core::{
    game::{At, Game, HeardAs, Input, MoveState, Output, Refused},
    sensing::{Debounce, Edge},
};
use annabella_words::phrase::{
    Command, SpokenForm, Words,
    hear::{Grammar, Heard},
};

/// Hands the input to the game, and looks that what is refused leaves it as the time that had
/// passed would have.
///
/// # Panics
/// Where a refusal has changed the game.
///
/// # Errors
/// The game's own.
pub fn handled(game: &mut Game, at: At, input: Input) -> Result<Vec<Output>, Refused> {
    // A device's report is a fact, whatever comes of it.
    let reported = matches!(
        input,
        Input::Edge { .. } | Input::Board { .. } | Input::BoardSeen { .. } | Input::Woke
    );
    let before = (!reported).then(|| game.clone());
    let result = game.handle(at, input);
    if let (Err(refused), Some(mut quiet)) = (&result, before)
        && quiet.record().is_some()
    {
        quiet.handle(at, Input::Woke).expect("time passes");
        assert!(quiet == *game, "changed by what was refused: {refused}\n{quiet:?}\n{game:?}");
    }
    result
}

/// Whatever takes in what happens at a table.
pub trait TableCore {
    /// Takes one input at one moment; returns the outputs.
    ///
    /// # Errors
    /// One line, when the input could not be kept.
    fn input(&mut self, at: At, input: Input) -> Result<Vec<Output>, String>;

    /// When it wants to be woken next.
    fn wake_at(&self) -> Option<At>;

    /// The phrases that may be said now, if the core can hear.
    fn grammar(&self) -> Option<Grammar> {
        None
    }
}

/// A player who speaks, and the recogniser that hears him.
pub trait Voice {
    /// Speaks a text, and returns the hypotheses heard in this grammar.
    ///
    /// # Errors
    /// One line, when nothing can be said or heard.
    fn say(&mut self, text: &str, grammar: &Grammar) -> Result<Heard, String>;
}

/// The events at the table, for an observer.
pub trait Watch {
    /// Time has come to this moment, milliseconds.
    fn time(&mut self, _now_ms: u64) {}

    /// The core asked for this.
    fn output(&mut self, at: At, output: &Output);

    /// A ply was played to its end.
    ///
    /// # Errors
    /// When the watcher cannot write.
    fn ply(&mut self, _position: &Chess, _mv: Move, _report: &PlyReport) -> std::io::Result<()> {
        Ok(())
    }
}

/// How one ply went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyReport {
    /// Handwork on the peg board, one script each time the hands were used.
    pub handwork: Vec<Handwork>,
    /// The player's words where the pegs alone did not show the move.
    pub said: Vec<String>,
    /// The hypotheses for spoken moves, and how they were understood.
    pub heard: Vec<String>,
    /// When the move began and when it was made, milliseconds.
    pub from_ms: u64,
    /// Made, and executed on every board.
    pub to_ms: u64,
}

/// Why a ply could not be played to its end.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    #[error("cannot write the output: {0}")]
    Watch(#[from] std::io::Error),
    #[error("{san} was not recovered; {how}")]
    NotRecovered {
        san: String,
        /// The game's reading instead, or that there was none.
        how: String,
    },
    #[error("{0}")]
    Core(String),
}

/// A blind player at his peg board, his sighted opponent and a clock.
pub struct SimulatedTable<'a> {
    core: &'a mut dyn TableCore,
    watch: &'a mut dyn Watch,
    words: Words,
    hands: Hands,
    rng: ChaCha8Rng,
    blind: Color,
    debounce: Debounce,
    now_ms: u64,
    /// Moves made, executed and completed since the last look.
    steps: Vec<(MoveState, String)>,
    over: bool,
    /// No reed feels his pegs: he says what he does; with a word of his own when it is done, or
    /// without.
    by_word: Option<bool>,
    /// The player speaks his moves before he executes them.
    voice: Option<&'a mut dyn Voice>,
    last_heard: Option<HeardAs>,
    /// The request in what was last heard.
    last_command: Option<String>,
}

impl<'a> SimulatedTable<'a> {
    /// People who sit down before `start` at `now_ms`.
    #[expect(
        clippy::too_many_arguments,
        reason = "a table is set once, with all that stands on it"
    )]
    pub fn new(
        core: &'a mut dyn TableCore,
        watch: &'a mut dyn Watch,
        words: Words,
        hands: Hands,
        rng: ChaCha8Rng,
        blind: Color,
        start: &Chess,
        now_ms: u64,
        debounce_ms: u64,
    ) -> SimulatedTable<'a> {
        let reading = hands.style().reading(start.board().occupied());
        SimulatedTable {
            core,
            watch,
            words,
            hands,
            rng,
            blind,
            debounce: Debounce::new(debounce_ms, reading),
            now_ms,
            steps: Vec::new(),
            over: false,
            by_word: None,
            voice: None,
            last_heard: None,
            last_command: None,
        }
    }

    /// The blind player speaks his moves into a recogniser.
    pub fn speaks(&mut self, voice: &'a mut dyn Voice) {
        self.voice = Some(voice);
    }

    /// The blind player's pegs have no reeds. `spoken`: he says when his hands are done.
    pub fn by_word(&mut self, spoken: bool) {
        self.by_word = Some(spoken);
    }

    /// The players get up; the table's time, milliseconds.
    ///
    /// # Errors
    /// When the core fails.
    pub fn rises(&mut self) -> Result<u64, TableError> {
        self.input(Input::Woke)?;
        Ok(self.now_ms)
    }

    /// The table's time, milliseconds.
    pub fn now_ms(&self) -> u64 {
        self.now_ms
    }

    /// White's clock is started (6.6).
    ///
    /// # Errors
    /// When the core fails.
    pub fn start_clock(&mut self) -> Result<(), TableError> {
        self.input(Input::ClockStarted)
    }

    /// Plays one ply: the mover thinks, moves on his board, presses; the other board follows.
    ///
    /// # Errors
    /// [`TableError::NotRecovered`] when the game did not reach this move.
    pub fn play(&mut self, position: &Chess, mv: Move) -> Result<PlyReport, TableError> {
        let from_ms = self.now_ms;
        let mover = position.turn();
        let thinking_ms = self.rng.random_range(1200..6000);
        self.until(self.now_ms + thinking_ms)?;
        self.steps.clear();
        let mut report = PlyReport {
            handwork: Vec::new(),
            said: Vec::new(),
            heard: Vec::new(),
            from_ms,
            to_ms: from_ms,
        };
        let uci = UciMove::from_standard(mv).to_string();
        if mover == self.blind {
            self.by_hand(position, mv, &mut report)?;
            self.expect(MoveState::Made, position, mv)?;
            self.press(mover)?;
            // The assistant makes it on the sighted player's board (D.2.10.1).
            let relaying_ms = self.rng.random_range(600..2500);
            self.until(self.now_ms + relaying_ms)?;
            self.input(Input::Sighted { seat: !self.blind, uci })?;
        } else {
            self.input(Input::Sighted { seat: mover, uci })?;
            self.expect(MoveState::Made, position, mv)?;
            self.press(mover)?;
            // The blind player heard it and executes it on his pegs.
            let listening_ms = self.rng.random_range(1500..3500);
            self.until(self.now_ms + listening_ms)?;
            self.by_hand(position, mv, &mut report)?;
        }
        report.to_ms = self.now_ms;
        self.watch.ply(position, mv, &report)?;
        Ok(report)
    }

    fn press(&mut self, seat: Color) -> Result<(), TableError> {
        if self.over {
            return Ok(());
        }
        let reaching_ms = self.rng.random_range(200..900);
        self.until(self.now_ms + reaching_ms)?;
        self.input(Input::Pressed { seat })
    }

    /// Moves the pegs and, if the game did not understand, says the move as D.2.1 asks.
    fn by_hand(
        &mut self,
        position: &Chess,
        mv: Move,
        report: &mut PlyReport,
    ) -> Result<(), TableError> {
        let own = position.turn() == self.blind;
        if let Some(spoken) = self.by_word {
            return self.in_words(position, mv, spoken, report);
        }
        if own {
            self.speak(position, mv, report)?;
        }
        // A promotion names its piece (D.2.1).
        if own && mv.is_promotion() && self.voice.is_none() {
            self.announce(position, mv, report)?;
        }
        let script = self.hands.play(position, mv, self.now_ms);
        let silent = script.rivals.is_empty();
        self.feel(&script)?;
        let mut tries = 0;
        self.wait_until_still(script.end_ms)?;
        report.handwork.push(script);
        while own && (!silent || !self.made(mv)) && tries < 3 {
            if self.made(mv) {
                break;
            }
            self.announce(position, mv, report)?;
            self.until(self.now_ms + 600)?;
            tries += 1;
        }
        Ok(())
    }

    /// Announces his own move and, if he does that, says of each that his hands are done.
    fn in_words(
        &mut self,
        position: &Chess,
        mv: Move,
        spoken: bool,
        report: &mut PlyReport,
    ) -> Result<(), TableError> {
        let own = position.turn() == self.blind;
        let uci = UciMove::from_standard(mv).to_string();
        if own {
            self.speak(position, mv, report)?;
            // Words that nobody could hear are typed for him.
            if !self.steps.contains(&(MoveState::Announced, uci)) {
                self.announce(position, mv, report)?;
            }
        }
        let hands_ms = self.rng.random_range(600..1800);
        self.until(self.now_ms + hands_ms)?;
        let pack = self.words.prompts();
        let done = pack.first_phrase(Command::Done).unwrap_or_default().to_owned();
        if !spoken || self.over || done.is_empty() {
            return Ok(());
        }
        if self.voice.is_some() {
            self.say(&done.to_lowercase(), report)?;
        }
        let heard = self.last_command.take();
        if heard.as_deref() != Some("done") {
            report.said.push(done.clone());
            self.input(Input::Said { seat: Some(self.blind), heard: vec![done] })?;
        }
        self.until(self.now_ms + 300)
    }

    /// Speaks the move, and answers when he is asked whether it is meant; three times at most, then
    /// his hands must do.
    fn speak(
        &mut self,
        position: &Chess,
        mv: Move,
        report: &mut PlyReport,
    ) -> Result<(), TableError> {
        if self.voice.is_none() {
            return Ok(());
        }
        let uci = UciMove::from_standard(mv).to_string();
        let text = self.words.announce(position, mv, SpokenForm::Full).to_string();
        let text = self.words.pronounce(&text.replace(',', "").to_lowercase());
        let correction = self.words.prompts().first_phrase(Command::Correction);
        let corrected = format!("{} {text}", correction.unwrap_or_default().to_lowercase());
        let mut correcting = false;
        for _ in 0..3 {
            let said = if correcting { &corrected } else { &text };
            let Some(heard) = self.say(said, report)? else { return Ok(()) };
            let this = heard.uci.as_deref() == Some(uci.as_str());
            match heard.decision.as_str() {
                "accept" if this => return Ok(()),
                "confirm" => {
                    let answer = if this { "ja" } else { "nein" };
                    self.say(answer, report)?;
                    if this {
                        return Ok(());
                    }
                }
                // No peg shows that another one is meant (D.2.8).
                "accept" if self.by_word.is_some() => correcting = true,
                _ => {}
            }
        }
        Ok(())
    }

    fn say(&mut self, text: &str, report: &mut PlyReport) -> Result<Option<HeardAs>, TableError> {
        let grammar = self.core.grammar().unwrap_or_default();
        let Some(voice) = &mut self.voice else { return Ok(None) };
        let heard = voice.say(text, &grammar).map_err(TableError::Core)?;
        self.last_heard = None;
        self.input(Input::Heard { seat: None, heard, pushed: false })?;
        self.until(self.now_ms + 1500)?;
        let heard = self.last_heard.take();
        self.last_command = heard.as_ref().and_then(|heard| heard.command.clone());
        report.heard.extend(heard.as_ref().map(HeardAs::line));
        Ok(heard)
    }

    fn wait_until_still(&mut self, end_ms: u64) -> Result<(), TableError> {
        self.until(end_ms + 2200)
    }

    fn made(&self, mv: Move) -> bool {
        let uci = UciMove::from_standard(mv).to_string();
        let last = self.steps.iter().rev().find(|(state, _)| *state == MoveState::Made);
        last.is_some_and(|(_, made)| *made == uci)
    }

    fn announce(
        &mut self,
        position: &Chess,
        mv: Move,
        report: &mut PlyReport,
    ) -> Result<(), TableError> {
        let text = self.words.announce(position, mv, SpokenForm::Full).to_string();
        report.said.push(text.clone());
        self.input(Input::Said { seat: Some(position.turn()), heard: vec![text] })?;
        // The player does not move while speaking.
        self.until(self.now_ms + 1500)
    }

    fn expect(&self, state: MoveState, position: &Chess, mv: Move) -> Result<(), TableError> {
        let uci = UciMove::from_standard(mv).to_string();
        let got: Vec<&str> = self
            .steps
            .iter()
            .filter(|(step, _)| *step == state)
            .map(|(_, uci)| uci.as_str())
            .collect();
        if got.last() == Some(&uci.as_str()) {
            return Ok(());
        }
        let san = shakmaty::san::SanPlus::from_move(position.clone(), mv).to_string();
        let how = match got.last() {
            Some(other) => format!("taken for {other}"),
            None => "nothing was taken as made".to_owned(),
        };
        Err(TableError::NotRecovered { san, how })
    }

    fn feel(&mut self, script: &Handwork) -> Result<(), TableError> {
        for edge in &script.edges {
            self.until(edge.t_ms)?;
            let edge = Edge { at_ms: edge.t_ms, square: edge.square, occupied: edge.occupied };
            self.debounce.edge(edge);
        }
        self.until(script.end_ms)
    }

    /// Lets time pass: contacts come to rest, the core is woken when it asked for it.
    ///
    /// # Errors
    /// When the core fails.
    pub fn until(&mut self, until_ms: u64) -> Result<(), TableError> {
        loop {
            let rest = self.debounce.due_ms();
            let wake = self.core.wake_at().map(|at| at.ms.max(self.now_ms));
            let next = [rest, wake].into_iter().flatten().min();
            let Some(next_ms) = next.filter(|next_ms| *next_ms <= until_ms) else { break };
            self.now_ms = self.now_ms.max(next_ms);
            self.watch.time(self.now_ms);
            let mut edges = Vec::new();
            self.debounce.advance(self.now_ms, &mut edges);
            let seat = self.blind;
            let woken = wake == Some(next_ms);
            for Edge { square, occupied, .. } in edges {
                self.input(Input::Edge { seat, square, occupied, ago_ms: 0 })?;
            }
            if woken {
                self.input(Input::Woke)?;
            }
        }
        self.now_ms = self.now_ms.max(until_ms);
        self.watch.time(self.now_ms);
        Ok(())
    }

    /// Something happens that is no move.
    ///
    /// # Errors
    /// When the core fails.
    pub fn input(&mut self, input: Input) -> Result<(), TableError> {
        let at = At::new(self.now_ms);
        let outputs = self.core.input(at, input).map_err(TableError::Core)?;
        for output in &outputs {
            if let Output::Move { state, uci, .. } = output {
                self.steps.push((*state, uci.clone()));
            }
            if let Output::Heard(heard) = output {
                self.last_heard = Some((**heard).clone());
            }
            self.over |= matches!(output, Output::Result { .. });
            self.watch.output(at, output);
        }
        Ok(())
    }
}
