//! Joins the game to its journal and its devices.
//!
//! [`Service`] is the whole service without devices: an input is written to the journal, then
//! handled, then its outputs are given back to be acted on. `play` and `demo` and every test drive
//! this same function.

pub mod attach;
pub mod beside;
pub mod braille;
pub mod clock;
pub mod devices;
#[cfg(feature = "speech")]
pub mod ears;
pub mod hall;
pub mod hearing;
mod lines;
pub mod lobby;
mod moments;
pub mod news;
pub mod notify;
pub mod order;
#[cfg(feature = "console")]
pub mod pages;
pub mod play;
pub mod reeds;
pub mod room;
pub mod setup;
pub mod sighted;
pub mod sounds;
mod speech;
pub mod standing;
pub mod stop;
pub mod streams;
pub mod terminal;
pub mod watched;

pub use lines::json_lines;
pub use speech::{SharedMouth, Voices, mouth, speak, talk_key};

use serde_json::json;
use shakmaty::Color;

use annabella_core::{
    game::{
        Adjourn, At, Channel, Envelope, Game, Input, MoveState, Output, Refused, Sealing, Stage,
        Started, Taken, Urgency,
    },
    laws::Article,
};
use annabella_records::{
    journal::{GameId, Journal, JournalError},
    seal::{self, Label, Passphrase, SealError},
};
use annabella_words::phrase::{Note, Prompt};

/// The result of an adjourned game in the journal's list. The game can't go on until it is opened.
const ADJOURNED: &str = "*";

/// A game in which nothing has happened for this long gets the date of the day, seconds.
const SAME_START_S: u64 = 3600;

/// The interval after which a journal that could not be written is tried again, milliseconds.
const RETRY_MS: u64 = 3_000;
/// Inputs that wait in memory for a journal that cannot be written: more than a day's play.
const MOST_UNSAVED: usize = 200_000;

/// Why an envelope is not opened; one line with the remedy.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("the game is not adjourned: `annabella games show` shows how it stands")]
    NotAdjourned,
    #[error("the sealed move lies on paper: open the envelope and give the move as it is written")]
    Paper,
    /// The envelope does not open.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// The journal cannot be written.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// A game with its journal.
#[derive(Debug)]
pub struct Service {
    journal: Journal,
    id: GameId,
    game: Game,
    /// The result that the journal shows.
    closed: Option<String>,
    /// The private conversation with a player who seals; in no journal.
    sealing: Option<Sealing>,
    passphrase: Option<Passphrase>,
    /// This process only asks for the move; another process seals it and has the passphrase.
    only_asks: bool,
    /// Whispers reach nobody but the player.
    earphone: bool,
    /// The last input was in no journal and is for no page.
    kept_private: bool,
    /// A move was completed, and the journal's log is not in its file yet.
    completed: bool,
    /// Inputs that the game has seen and the journal not yet, since it cannot be written.
    unsaved: Vec<(At, Input)>,
    /// When the next try to write them is due.
    retry_at: At,
}

impl Service {
    /// Begins a new game. Returns what the start gave.
    ///
    /// # Errors
    /// When the journal cannot be written.
    pub fn begin(
        mut journal: Journal,
        at: At,
        started: Started,
    ) -> Result<(Service, Vec<Output>), JournalError> {
        let id = journal.begin(&started, at)?;
        let mut service = Service::of(journal, id, Game::new(), None);
        let outputs = service.handle(at, Input::Started(Box::new(started)));
        Ok((service, outputs))
    }

    /// Begins a game under the number of one in which nothing has happened, or else under the next
    /// number. A game that was begun in the same way a moment ago goes on: a piece may be in the
    /// hand.
    ///
    /// # Errors
    /// When the journal cannot be read or written.
    pub fn begin_next(
        mut journal: Journal,
        at: At,
        started: Started,
    ) -> Result<(Service, Vec<Output>), JournalError> {
        let Some(id) = standing::empty(&journal)? else {
            return Service::begin(journal, at, started);
        };
        let begun = journal.inputs(id)?.into_iter().next().map(|(_, input)| input);
        let same = |begun: &Started| {
            let recent = started.unix_s.abs_diff(begun.unix_s) < SAME_START_S;
            recent && started == Started { unix_s: started.unix_s, ..begun.clone() }
        };
        if matches!(&begun, Some(Input::Started(begun)) if same(begun)) {
            return Service::resume(journal, id);
        }
        journal.begin_over(id, &started, at)?;
        let mut service = Service::of(journal, id, Game::new(), None);
        let outputs = service.handle(at, Input::Started(Box::new(started)));
        Ok((service, outputs))
    }

    /// Goes on with an unfinished game by replaying its journal. Earlier words are not spoken
    /// again. The outputs of the last input are returned without those that speak, since they may
    /// not have been acted on.
    ///
    /// # Errors
    /// When the journal cannot be read or written.
    pub fn resume(journal: Journal, id: GameId) -> Result<(Service, Vec<Output>), JournalError> {
        let inputs = journal.inputs(id)?;
        let (game, told) = Game::replay(inputs);
        if game.record().is_none() {
            let why =
                told.into_iter().find_map(Result::err).map(|refused| refused.text.to_string());
            let why = why.unwrap_or_else(|| "nothing in it begins it".to_owned());
            let detail = format!("game {id} cannot be played: {why}");
            return Err(JournalError::Damaged { path: journal.path().to_owned(), detail });
        }
        let closed = journal.game(id)?.result;
        let mut service = Service::of(journal, id, game, closed);
        service.mark();
        let at = service.next_moment()?;
        service.follow_sealing(at)?;
        let outputs = service.input(at, Input::Resumed)?;
        Ok((service, outputs))
    }

    /// A moment after everything that the journal knows.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn next_moment(&self) -> Result<At, JournalError> {
        Ok(At::new(self.journal.resume_at()?.ms + 1))
    }

    fn of(journal: Journal, id: GameId, game: Game, closed: Option<String>) -> Service {
        Service {
            journal,
            id,
            game,
            closed,
            sealing: None,
            passphrase: None,
            only_asks: false,
            earphone: true,
            kept_private: false,
            completed: false,
            unsaved: Vec::new(),
            retry_at: At::new(0),
        }
    }

    /// Whether a player is sealing his move.
    pub fn seals(&self) -> bool {
        self.sealing.is_some()
    }

    /// Sets the arbiter's passphrase for sealing. It stays in memory only.
    pub fn arm(&mut self, passphrase: Passphrase) {
        self.passphrase = Some(passphrase);
    }

    /// No move is sealed here, it is only asked for: a passphrase is not needed yet.
    pub fn only_ask_to_seal(&mut self) {
        self.only_asks = true;
    }

    /// A move is to be sealed and there is no passphrase. Returns the report to make at once,
    /// before the player whispers a move while his clock runs (I.1.1).
    pub fn cannot_seal(&self) -> Option<Vec<Output>> {
        let invited = self.game.adjournment().is_some_and(|a| a.stage == Stage::Invited);
        (invited && self.passphrase.is_none() && !self.only_asks).then(|| self.no_passphrase())
    }

    fn no_passphrase(&self) -> Vec<Output> {
        let mut outputs = vec![Output::Problem {
            article: Article::I_1_1,
            text: Note::NoPassphrase,
            refused: true,
            detail: json!({ "sealed": false }),
        }];
        if let Some(packs) = self.game.packs() {
            let words = packs.prompt(Prompt::NoPassphrase, &[]);
            let (channel, urgency) = (Channel::Public, Urgency::Alert);
            outputs.push(Output::Say { channel, seat: None, urgency, words });
        }
        outputs
    }

    /// Whether the earphone is a device of its own. Without one a sealed move is not read back: all
    /// would hear it.
    pub fn set_earphone(&mut self, own: bool) {
        self.earphone = own;
    }

    /// Opens the envelope of an adjourned game, in the presence of the player who must reply (I.7).
    ///
    /// # Errors
    /// [`OpenError`]; nothing is changed then.
    pub fn open_envelope(
        &mut self,
        at: At,
        passphrase: &Passphrase,
        arbiter: &str,
        clock_ms: Option<(u64, u64)>,
    ) -> Result<Vec<Output>, OpenError> {
        let adjournment = self.game.adjournment().filter(|_| self.game.is_adjourned());
        let Some(adjournment) = adjournment else {
            return Err(OpenError::NotAdjourned);
        };
        let Some(Envelope::Age(envelope)) = adjournment.envelope() else {
            return Err(OpenError::Paper);
        };
        let label = Label { game: self.id.number, number: adjournment.move_number() };
        let written = seal::open(&label, envelope, passphrase)?;
        let step = Adjourn::Opened { written, arbiter: arbiter.to_owned(), clock_ms };
        Ok(self.input(at, Input::Adjourn(Box::new(step)))?)
    }

    /// When the game, or a board whose player seals his move, wants to be woken next.
    pub fn wake_at(&self) -> Option<At> {
        let sealing = self.sealing.as_ref().and_then(Sealing::due);
        let retry = (!self.unsaved.is_empty()).then_some(self.retry_at);
        [self.game.wake_at(), sealing, retry].into_iter().flatten().min()
    }

    /// Takes in one input: journal first, then the game. A player's words, typing and pegs during
    /// sealing are in no journal; only the sealed envelope is (I.1.1).
    ///
    /// # A journal that cannot be written
    ///
    /// The game goes on from memory, since the clocks run and a player who cannot press loses time.
    /// He hears it once, and that the arbiter is needed: until the journal can be written again, a
    /// power cut would lose what follows. It is tried again every few seconds, and then holds
    /// everything with its own moments. Steps of an adjournment are refused meanwhile: an envelope
    /// has to be on the disk.
    ///
    /// # Errors
    /// When the input lies in the past, or more inputs wait than memory should hold; the game has
    /// not seen the input then.
    pub fn input(&mut self, at: At, input: Input) -> Result<Vec<Output>, JournalError> {
        self.kept_private = false;
        let invites =
            matches!(&input, Input::Adjourn(step) if matches!(**step, Adjourn::Invited { .. }));
        if invites && self.passphrase.is_none() && !self.only_asks {
            return Ok(self.no_passphrase());
        }
        let Some(sealing) = &mut self.sealing else {
            if let Some(outputs) = self.passed_over(&input) {
                self.kept_private = true;
                return Ok(outputs);
            }
            return self.keep(at, input);
        };
        let private = matches!(input, Input::Typed { .. });
        let mut outputs = sealing.advance(at);
        match sealing.take(at, &input, self.game.asks()) {
            Taken::Passed => outputs.extend(self.keep(at, input)?),
            Taken::Instead(input) => {
                self.kept_private = true;
                outputs.extend(self.keep(at, input)?);
            }
            Taken::Kept(kept) => {
                self.kept_private = true;
                outputs.extend(kept);
            }
            Taken::Seal(written) => {
                self.kept_private = true;
                let mut sealed = self.seal(at, &written)?;
                for output in &mut sealed {
                    // The player who typed it reads on his page that nothing was sealed.
                    if let Output::Problem { text: Note::SealingFailed { .. }, refused, .. } =
                        output
                    {
                        *refused |= private;
                    }
                }
                outputs.extend(sealed);
            }
        }
        if !self.earphone && outputs.iter().any(is_whisper) {
            outputs.retain(|output| !is_whisper(output));
            outputs.push(Output::Problem {
                article: Article::I_1_1,
                text: Note::SealedNotReadBack,
                refused: false,
                detail: json!({}),
            });
        }
        Ok(outputs)
    }

    /// Whether the last input belongs to a sealed move: it is in no journal, and nobody else may
    /// see it.
    pub fn kept_private(&self) -> bool {
        self.kept_private
    }

    /// While the game is adjourned the boards are packed up and people talk. The first piece
    /// lifted, or taken back, could reveal the sealed move. The game takes none of these inputs
    /// (I.5), so no journal needs them. `None` for other inputs.
    fn passed_over(&self, input: &Input) -> Option<Vec<Output>> {
        if let Input::Typed { .. } = input {
            let (article, text) = (Article::I_1_1, Note::NothingToSeal);
            return Some(vec![Output::Problem { article, text, refused: true, detail: json!({}) }]);
        }
        let answered = self.game.at_the_door(input).filter(|_| self.game.is_adjourned())?;
        Some(answered.map_or_else(refusal, |()| Vec::new()))
    }

    fn keep(&mut self, at: At, input: Input) -> Result<Vec<Output>, JournalError> {
        let sealed = matches!(input, Input::Adjourn(_));
        let mut outputs = match self.save(at, &input) {
            Ok(told) => told,
            Err(error) if sealed && error.may_pass() => return Ok(self.cannot_adjourn(&error)),
            Err(error) => return Err(error),
        };
        outputs.extend(self.handle(at, input));
        outputs.extend(self.follow_sealing(at)?);
        Ok(outputs)
    }

    /// Writes an input into the journal or, where that cannot be, remembers it. Answers what is to
    /// be told about that.
    fn save(&mut self, at: At, input: &Input) -> Result<Vec<Output>, JournalError> {
        if let Input::Adjourn(_) = input {
            self.save_rest()?;
            self.journal.append(self.id, at, input)?;
            return Ok(Vec::new());
        }
        if self.unsaved.is_empty() {
            return match self.journal.append(self.id, at, input) {
                Ok(()) => Ok(Vec::new()),
                Err(error) if error.may_pass() => {
                    self.unsaved.push((at, input.clone()));
                    self.retry_at = At::new(at.ms.saturating_add(RETRY_MS));
                    Ok(self.tell_of_journal(
                        Prompt::NotSaved,
                        Note::NotSaved { why: error.to_string() },
                    ))
                }
                Err(error) => Err(error),
            };
        }
        self.unsaved.push((at, input.clone()));
        if at < self.retry_at {
            return Ok(Vec::new());
        }
        self.retry_at = At::new(at.ms.saturating_add(RETRY_MS));
        let count = self.unsaved.len();
        match self.save_rest() {
            Ok(()) => {
                let text = Note::SavedAgain { count };
                Ok(self.tell_of_journal(Prompt::SavedAgain, text))
            }
            Err(error) if error.may_pass() && count < MOST_UNSAVED => Ok(Vec::new()),
            Err(error) => {
                self.unsaved.pop();
                Err(error)
            }
        }
    }

    /// Writes what the journal could not take before.
    ///
    /// # Errors
    /// When it still cannot be written; it is tried again with a later input.
    pub fn save_rest(&mut self) -> Result<(), JournalError> {
        self.journal.append_all(self.id, &self.unsaved)?;
        self.unsaved.clear();
        self.mark();
        Ok(())
    }

    /// How many inputs are in memory only.
    pub fn unsaved(&self) -> usize {
        self.unsaved.len()
    }

    /// Something about the journal, for the log and for each blind player's ear.
    fn tell_of_journal(&self, prompt: Prompt, text: Note) -> Vec<Output> {
        let detail = json!({ "saved": prompt == Prompt::SavedAgain });
        let mut outputs =
            vec![Output::Problem { article: Article::D_2_7, text, refused: false, detail }];
        if let (Some(packs), Some(record)) = (self.game.packs(), self.game.record()) {
            let blind = Color::ALL.into_iter().filter(|seat| record.config.blind.is(*seat));
            outputs.extend(blind.map(|seat| Output::Say {
                channel: Channel::Private,
                seat: Some(seat),
                urgency: Urgency::Alert,
                words: packs.prompt(prompt, &[]),
            }));
        }
        outputs
    }

    fn cannot_adjourn(&self, error: &JournalError) -> Vec<Output> {
        let mut outputs = vec![Output::Problem {
            article: Article::I_1_1,
            text: Note::NoAdjournment { why: error.to_string() },
            refused: true,
            detail: json!({ "sealed": false }),
        }];
        outputs.extend(self.arbiter_called());
        outputs
    }

    fn arbiter_called(&self) -> Option<Output> {
        let words = self.game.packs()?.prompt(Prompt::ArbiterCalled, &[]);
        let (channel, urgency) = (Channel::Public, Urgency::Alert);
        Some(Output::Say { channel, seat: None, urgency, words })
    }

    /// Outputs were acted on, and there is time: a move that was completed goes from the log into
    /// the journal itself.
    pub fn rest(&mut self) {
        if std::mem::take(&mut self.completed) {
            self.journal.checkpoint();
        }
    }

    /// The private conversation begins and ends with what the game says.
    fn follow_sealing(&mut self, at: At) -> Result<Vec<Output>, JournalError> {
        let wanted = self.game.sealing();
        match (&self.sealing, wanted) {
            (None, Some(sealing)) => self.sealing = Some(sealing),
            (Some(_), None) => {
                let board = self.sealing.take().and_then(|sealing| sealing.board());
                // Not sealed after all: the game learns how the board stands meanwhile.
                if let Some(board) = board
                    && !self.game.is_adjourned()
                    && self.game.ended().is_none()
                {
                    return self.keep(at, board);
                }
            }
            _ => {}
        }
        Ok(Vec::new())
    }

    /// The clock is stopped: the move goes into its envelope, and the envelope into the journal.
    fn seal(&mut self, at: At, written: &str) -> Result<Vec<Output>, JournalError> {
        let Some(adjournment) = self.game.adjournment() else {
            return Ok(Vec::new());
        };
        let label = Label { game: self.id.number, number: adjournment.move_number() };
        let Some(passphrase) = &self.passphrase else {
            return Ok(self.no_passphrase());
        };
        match seal::seal(&label, written, passphrase) {
            Ok(envelope) => {
                let step = Adjourn::Sealed { envelope: Envelope::Age(envelope) };
                self.keep(at, Input::Adjourn(Box::new(step)))
            }
            Err(error) => {
                let mut outputs = vec![Output::Problem {
                    article: Article::I_1_1,
                    text: Note::SealingFailed { why: error.to_string() },
                    refused: false,
                    detail: json!({ "sealed": false }),
                }];
                outputs.extend(self.arbiter_called());
                Ok(outputs)
            }
        }
    }

    fn handle(&mut self, at: At, input: Input) -> Vec<Output> {
        let outputs = match self.game.handle(at, input) {
            Ok(outputs) => outputs,
            Err(refused) => refusal(refused),
        };
        let completes = |output: &Output| {
            matches!(
                output,
                Output::Move { state: MoveState::Completed, .. } | Output::Result { .. }
            )
        };
        self.completed |= outputs.iter().any(completes);
        self.mark();
        outputs
    }

    /// The journal's list shows how the game stands: over, put aside, or going on. The inputs say
    /// it too, so nothing is lost where that cannot be written now.
    fn mark(&mut self) {
        let result = match self.game.ended() {
            Some(ended) => Some(ended.result.to_string()),
            None => self.game.is_adjourned().then(|| ADJOURNED.to_owned()),
        };
        if result != self.closed && self.unsaved.is_empty() {
            let marked = match &result {
                Some(result) => self.journal.close(self.id, result),
                None => self.journal.reopen(self.id),
            };
            if marked.is_ok() {
                self.closed = result;
            }
        }
    }

    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Everything that has reached the game.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn inputs(&self) -> Result<Vec<(At, Input)>, JournalError> {
        self.journal.inputs(self.id)
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

fn is_whisper(output: &Output) -> bool {
    matches!(output, Output::Whisper { .. })
}

/// A refusal as outputs: those of the time that had passed, a report, the words of the answer.
fn refusal(refused: Refused) -> Vec<Output> {
    let Refused { article, text, words, seat, meanwhile } = refused;
    let mut outputs = meanwhile;
    outputs.push(Output::Problem { article, text, refused: true, detail: json!({}) });
    if let Some(words) = words {
        let channel = if seat.is_some() { Channel::Private } else { Channel::Public };
        outputs.push(Output::Say { channel, seat, urgency: Urgency::Alert, words });
    }
    outputs
}
