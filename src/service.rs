//! Joins the game to its journal and its devices.
//!
//! [`Service`] is the whole service without devices: an input is written to the journal, then
//! handled, then its outputs are given back to be acted on. `play` and `demo` and every test drive
//! this same function.

pub mod attach;
pub mod clock;
pub mod devices;
#[cfg(feature = "speech")]
pub mod ears;
mod lines;
pub mod play;
pub mod sighted;
pub mod sounds;
mod speech;

pub use lines::json_lines;
pub use speech::{SharedMouth, mouth, speak};

use serde_json::json;

use crate::{
    game::{At, Channel, Game, Input, Output, Refused, Started, Urgency},
    journal::{GameId, Journal, JournalError},
    phrase::hear::Grammar,
    simulator::table::Core,
};

/// A game with its journal.
#[derive(Debug)]
pub struct Service {
    journal: Journal,
    id: GameId,
    game: Game,
    closed: bool,
}

impl Service {
    /// Begins a new game. Returns what the start gave.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written.
    pub fn begin(
        mut journal: Journal,
        at: At,
        started: Started,
    ) -> Result<(Service, Vec<Output>), JournalError> {
        let id = journal.begin(&started, at)?;
        let mut service = Service { journal, id, game: Game::new(), closed: false };
        let outputs = service.handle(at, Input::Started(Box::new(started)))?;
        Ok((service, outputs))
    }

    /// Goes on with a game that was not finished: replays its journal. Nothing that was said then is
    /// said again; the outputs of the last input are given back, since they may not have been acted
    /// on, without those that speak.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read or written.
    pub fn resume(journal: Journal, id: GameId) -> Result<(Service, Vec<Output>), JournalError> {
        let inputs = journal.inputs(id)?;
        let (game, _) = Game::replay(inputs);
        let mut service = Service { journal, id, game, closed: false };
        let at = service.next_moment()?;
        let outputs = service.input(at, Input::Resumed)?;
        Ok((service, outputs))
    }

    /// A moment after everything that the journal knows.
    ///
    /// # Errors
    ///
    /// When the journal cannot be read.
    pub fn next_moment(&self) -> Result<At, JournalError> {
        Ok(At::new(self.journal.resume_at()?.ms + 1))
    }

    /// Takes in one input: journal first, then the game.
    ///
    /// # Errors
    ///
    /// When the journal cannot be written; the game has not seen the input then.
    pub fn input(&mut self, at: At, input: Input) -> Result<Vec<Output>, JournalError> {
        self.journal.append(self.id, at, &input)?;
        self.handle(at, input)
    }

    fn handle(&mut self, at: At, input: Input) -> Result<Vec<Output>, JournalError> {
        let outputs = match self.game.handle(at, input) {
            Ok(outputs) => outputs,
            Err(refused) => refusal(refused),
        };
        if !self.closed
            && let Some(ended) = self.game.ended()
        {
            self.journal.close(self.id, &ended.result)?;
            self.closed = true;
        }
        Ok(outputs)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Its number in the journal.
    pub fn id(&self) -> GameId {
        self.id
    }

    /// Gives the journal back, for the next game.
    pub fn into_journal(self) -> Journal {
        self.journal
    }
}

/// A refusal as things to do: what the time gave meanwhile, a report, a word in the ear.
fn refusal(refused: Refused) -> Vec<Output> {
    let Refused { article, text, words, meanwhile } = refused;
    let mut outputs = meanwhile;
    outputs.push(Output::Problem { article, text, detail: json!({ "refused": true }) });
    if let Some(words) = words {
        outputs.push(Output::Say { channel: Channel::Private, urgency: Urgency::Alert, words });
    }
    outputs
}

impl Core for Service {
    fn input(&mut self, at: At, input: Input) -> Result<Vec<Output>, String> {
        Service::input(self, at, input).map_err(|err| err.to_string())
    }

    fn wake_at(&self) -> Option<At> {
        self.game.wake_at()
    }

    fn grammar(&self) -> Option<Grammar> {
        self.game.grammar()
    }
}
