//! Games one after the other without a restart: device reports go to the lobby before a game, and
//! to the game during it.

use std::time::{Duration, Instant};

use shakmaty::Color;
use tokio::sync::mpsc;

use super::{
    devices::Devices,
    news::{Dated, FromDevice, Inbox, PairedHere, ToGame},
    play::{Moments, sleep_until},
    stop::Stop,
};
use annabella_core::{
    game::{At, Blind, Channel, Game, GameConfig, Input, Output, PlayerButton},
    lobby::{BoardShown, Lobby, LobbyInput, LobbyOutput},
    questionnaire::Key,
};
use annabella_devices::sighted::{Picture, Seen};
use annabella_words::phrase::{Utterance, hear::Grammar};

/// Events that have ended leave the lobby this long to be still.
const REST: Duration = Duration::from_secs(3);

/// Carries out an output of the lobby or of a game.
pub type CarryOut<'a> = dyn Fn(At, &Output) -> Result<(), String> + 'a;

/// Shows one player, or all, how an answer was understood.
pub type ShowUnderstood<'a> = dyn Fn(At, Option<Color>, &Utterance) + 'a;

/// State shared by all games of a session.
pub struct SessionTable<'a> {
    /// The service's clock, for all games of the session.
    pub moments: Moments,
    /// Reports from the devices.
    pub board: Inbox,
    pub keys: mpsc::Receiver<Key>,
    /// The board beside the pegs, the clock.
    pub devices: Devices,
    /// The colour that the one peg board's reader names; the player on pegs may have the other. Two
    /// boards stay before their colours.
    pub reader: Option<Color>,
    pub act: &'a CarryOut<'a>,
    /// Shows how an answer was understood.
    pub understood: &'a ShowUnderstood<'a>,
    /// Gets one line for whatever is wrong.
    pub complain: &'a dyn Fn(&str),
    /// Who is paired here, as far as the players know.
    pub known: Option<PairedHere>,
    pub paired: Option<PairedHere>,
    pub stop: Stop,
}

/// How a set-up ended.
#[derive(Clone, Debug, PartialEq)]
pub enum LobbyEnd {
    /// This game begins, and White's clock runs (6.6).
    Begin(Box<GameConfig>),
    /// This game of the journal goes on.
    Resume(i64),
    /// This board takes the place of that one of the hall.
    TakeOver(u32),
    Paired(PairedHere),
    /// The session is over, or the service was stopped.
    Over,
}

/// Listens for what may be said in the lobby.
pub trait Hears {
    /// The grammar from the next utterance on.
    fn listen_for(&mut self, grammar: Grammar);
}

impl SessionTable<'_> {
    fn act(&self, at: At, output: &Output) -> Result<(), String> {
        (self.act)(at, output)
    }

    /// Gives the lobby an input and carries out what it asks for.
    ///
    /// # Errors
    /// One line, when an output cannot be carried out.
    pub fn tell(&self, lobby: &mut Lobby, input: LobbyInput) -> Result<Option<LobbyEnd>, String> {
        let at = self.moments.now();
        let mut outcome = None;
        for output in lobby.handle(at, input) {
            match output {
                LobbyOutput::Say { channel, seat, urgency, words } => {
                    self.act(at, &Output::Say { channel, seat, urgency, words })?;
                }
                LobbyOutput::Understood { seat, words } => (self.understood)(at, seat, &words),
                LobbyOutput::Hush { seat } => self.act(at, &Output::Hush { seat })?,
                LobbyOutput::Manner { seat, volume, words_per_minute } => {
                    let channel = Channel::Private;
                    self.act(at, &Output::Manner { channel, seat, volume, words_per_minute })?;
                }
                LobbyOutput::Begin(config) => outcome = Some(LobbyEnd::Begin(config)),
                LobbyOutput::Resume(number) => outcome = Some(LobbyEnd::Resume(number)),
                LobbyOutput::TakeOver(board) => outcome = Some(LobbyEnd::TakeOver(board)),
                LobbyOutput::Finished => outcome = Some(LobbyEnd::Over),
            }
        }
        Ok(outcome)
    }

    /// Sets a game up. `rehearsal`: a game that is not played, for what the clock reports
    /// meanwhile.
    ///
    /// # Errors
    /// One line, when an output cannot be carried out.
    pub async fn set_up(
        &mut self,
        lobby: &mut Lobby,
        rehearsal: &Game,
        ears: &mut dyn Hears,
    ) -> Result<LobbyEnd, String> {
        let mut moment = None;
        let mut until: Option<Instant> = None;
        let mut open = true;
        loop {
            if let Some(paired) = self.paired.take_if(|_| lobby.takes_pairing()) {
                return Ok(LobbyEnd::Paired(paired));
            }
            if moment != Some(lobby.moment()) {
                moment = Some(lobby.moment());
                ears.listen_for(lobby.grammar());
            }
            let wake = lobby.wake_at().map(|at| self.moments.instant(at));
            let next = [wake, until].into_iter().flatten().min();
            let inputs = tokio::select! {
                got = self.board.recv(), if open => match got.map(|news| news.from) {
                    Some(FromDevice::Ended) => {
                        until = Some(Instant::now() + REST);
                        continue;
                    }
                    None => {
                        open = false;
                        until.get_or_insert(Instant::now() + REST);
                        continue;
                    }
                    Some(FromDevice::Paired(paired)) => {
                        self.pair(paired);
                        continue;
                    }
                    Some(from) => self.news(from, lobby, rehearsal)?,
                },
                Some(key) = self.keys.recv() => vec![LobbyInput::Key(key)],
                () = sleep_until(next) => {
                    if until.is_some_and(|until| until <= Instant::now()) {
                        return Ok(LobbyEnd::Over);
                    }
                    vec![LobbyInput::Woke]
                },
                () = self.stop.told() => return Ok(LobbyEnd::Over),
            };
            for input in inputs {
                if let Some(outcome) = self.tell(lobby, input)? {
                    return Ok(outcome);
                }
            }
        }
    }

    /// The same players again are no news.
    fn pair(&mut self, paired: PairedHere) {
        if self.known.as_ref() != Some(&paired) {
            self.known = Some(paired.clone());
            self.paired = Some(paired);
        }
    }

    /// A device's report, for the lobby.
    fn news(
        &mut self,
        from: FromDevice,
        lobby: &Lobby,
        rehearsal: &Game,
    ) -> Result<Vec<LobbyInput>, String> {
        let opponent = !lobby.owner();
        let input = match from {
            FromDevice::Heard { seat, heard, pushed, .. } => {
                LobbyInput::Heard { seat, heard, pushed }
            }
            FromDevice::Seen(Seen::Still { picture, .. }) => {
                let shown = match picture {
                    Picture::Pieces(board) => BoardShown::Pieces(board),
                    Picture::Occupied(occupied) => BoardShown::Occupied(occupied),
                };
                LobbyInput::Board { seat: opponent, shown }
            }
            FromDevice::Seen(_) | FromDevice::Ended => return Ok(Vec::new()),
            from => {
                let at = self.moments.now();
                let news = self.devices.take(from, rehearsal, at.ms);
                if let Some(line) = news.line {
                    (self.complain)(&line);
                }
                news.outputs.iter().try_for_each(|output| self.act(at, output))?;
                let blind = lobby.config().blind;
                let inputs = news.inputs.into_iter();
                return Ok(inputs
                    .filter_map(|input| lobby_input(reseat(input, self.reader, blind)))
                    .collect());
            }
        };
        Ok(vec![input])
    }

    /// Hands on what concerns the game while it is played. Ends when it is over and somebody wants
    /// to go on: `result` says how it ended, once it has.
    ///
    /// # Errors
    /// One line, when an output cannot be carried out.
    pub async fn hand_on(
        &mut self,
        lobby: &mut Lobby,
        to_game: ToGame,
        blind: Blind,
        result: &dyn Fn() -> Option<String>,
    ) -> Result<Option<LobbyEnd>, String> {
        loop {
            let input = tokio::select! {
                got = self.board.recv() => match got {
                    Some(Dated { from: FromDevice::Paired(paired), .. }) => {
                        self.pair(paired);
                        continue;
                    }
                    Some(news) => match about_next(&news.from, lobby, result().is_some()) {
                        Some(input) => input,
                        None => {
                            // The game is gone only after the service was stopped.
                            let _ = to_game.hand_on(self.reseated(news, blind)).await;
                            continue;
                        }
                    },
                    None => return std::future::pending().await,
                },
                Some(key) = self.keys.recv() => LobbyInput::Key(key),
            };
            let Some(result) = result() else { continue };
            if lobby.is_playing() {
                self.tell(lobby, LobbyInput::Ended { result })?;
            }
            if let Some(outcome) = self.tell(lobby, input)? {
                return Ok(Some(outcome));
            }
            if !lobby.is_between() {
                return Ok(None);
            }
        }
    }

    fn reseated(&self, news: Dated, blind: Blind) -> Dated {
        let from = match news.from {
            FromDevice::Input(input) => FromDevice::Input(reseat(input, self.reader, blind)),
            other => other,
        };
        Dated { from, ..news }
    }
}

/// The one peg board stands before the player on pegs, whatever colour its reader was given.
fn reseat(input: Input, reader: Option<Color>, blind: Blind) -> Input {
    let owner = match blind {
        Blind::White => Color::White,
        Blind::Black => Color::Black,
        Blind::Both => return input,
    };
    match input {
        Input::Edge { seat, square, occupied, ago_ms } if Some(seat) == reader => {
            Input::Edge { seat: owner, square, occupied, ago_ms }
        }
        Input::Board { seat, occupied } if Some(seat) == reader => {
            Input::Board { seat: owner, occupied }
        }
        other => other,
    }
}

fn lobby_input(input: Input) -> Option<LobbyInput> {
    match input {
        Input::Edge { seat, square, occupied, .. } => {
            Some(LobbyInput::Edge { seat, square, occupied })
        }
        Input::Board { seat, occupied } => {
            Some(LobbyInput::Board { seat, shown: BoardShown::Occupied(occupied.into()) })
        }
        Input::Said { seat, heard } => {
            heard.into_iter().next().map(|text| LobbyInput::Said { seat, text })
        }
        Input::Heard { seat, heard, pushed } => Some(LobbyInput::Heard { seat, heard, pushed }),
        Input::Button { seat, asks: PlayerButton::Repeat } => Some(LobbyInput::Repeat { seat }),
        Input::Pressed { seat } => Some(LobbyInput::Pressed { seat }),
        Input::ClockStarted => Some(LobbyInput::StartClock),
        _ => None,
    }
}

/// After a game: whether the input concerns the next one.
fn about_next(from: &FromDevice, lobby: &Lobby, ended: bool) -> Option<LobbyInput> {
    match from {
        _ if !ended => None,
        FromDevice::Heard { seat, heard, pushed, .. }
            if heard.best().is_some_and(|t| lobby.concerns(t)) =>
        {
            let (seat, heard, pushed) = (*seat, heard.clone(), *pushed);
            Some(LobbyInput::Heard { seat, heard, pushed })
        }
        FromDevice::Input(Input::Said { seat, heard }) => {
            let text = heard.iter().find(|text| lobby.concerns(text))?;
            Some(LobbyInput::Said { seat: *seat, text: text.clone() })
        }
        _ => None,
    }
}
