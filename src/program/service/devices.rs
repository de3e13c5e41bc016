//! The devices beside the peg board, each followed by what the game makes of it.

use std::path::Path;

use shakmaty::{Color, Square};

use super::{
    Service,
    clock::FollowedClock,
    news::{FromDevice, LoanAsked},
    sighted::SightedEnd,
    watched::Watched,
};
use annabella_core::{
    game::{At, Channel, Game, Input, Output, Running, Urgency},
    sight::Guidance,
};
use annabella_devices::clock::sim::SimPlayers;
use annabella_words::phrase::{Prompt, Words};

/// The sighted player's board and the clock, as far as the configuration has them.
#[derive(Debug, Default)]
pub struct Devices {
    pub sighted: Option<SightedEnd>,
    /// The clock before the players.
    pub clock: Option<FollowedClock>,
    /// Hands at a simulated clock. Presses from no device of their own go there.
    pub players: Option<SimPlayers>,
    /// The peg boards, for those who look on.
    pub watched: Vec<Watched>,
    #[cfg(feature = "console")]
    pub pages: Option<super::pages::Pages>,
}

/// A device's news, for the game and for people.
#[derive(Debug, Default)]
pub struct DeviceNews {
    /// For the game, in order.
    pub inputs: Vec<Input>,
    /// One line for a person.
    pub line: Option<String>,
    pub outputs: Vec<Output>,
}

impl Devices {
    /// A game with peg boards, and the game's own clock.
    pub fn none() -> Devices {
        Devices::default()
    }

    /// Takes in what came from a device; other things go to the game as they are.
    pub fn take(&mut self, from: FromDevice, game: &Game, now_ms: u64) -> DeviceNews {
        let mut news = DeviceNews::default();
        if let FromDevice::Input(input) = &from {
            let lent = self.watched.iter().filter(|board| board.tell(input)).count();
            if lent > 0 {
                return news;
            }
        }
        match from {
            FromDevice::Seen(seen) => {
                if let Some(sighted) = &mut self.sighted {
                    news.inputs.push(sighted.seen(seen, now_ms));
                }
            }
            FromDevice::Clock(from) => {
                if let Some(clock) = &mut self.clock {
                    (news.inputs, news.line) = clock.seen(from, game, now_ms);
                }
            }
            FromDevice::Input(Input::Pressed { seat }) if self.players.is_some() => {
                if let Some(players) = &self.players {
                    players.press(seat);
                }
            }
            FromDevice::Input(input) => news.inputs.push(input),
            #[cfg(feature = "console")]
            FromDevice::Asked(ask) => {
                if let Some(pages) = &mut self.pages {
                    news.inputs = pages.asked(ask);
                }
            }
            FromDevice::Lend(asked) => self.lend(asked, game, now_ms, &mut news),
            FromDevice::GivenBack(path) => self.given_back(&path, game, &mut news),
            FromDevice::Complaint(line) => news.line = Some(line),
            FromDevice::Heard { .. }
            | FromDevice::Paired(_)
            | FromDevice::Pulse(_)
            | FromDevice::Ended => {}
        }
        news
    }

    /// Somebody wants a board for himself: not while a player's time runs.
    fn lend(&mut self, asked: LoanAsked, game: &Game, now_ms: u64, news: &mut DeviceNews) {
        let refused = is_running(game, now_ms).then_some(
            "a player's time runs: have the arbiter stop the clocks, and test the board then",
        );
        let board = self.watched.iter_mut().find(|board| board.is_at(asked.path()));
        let Some(board) = board else { return };
        if board.lend(asked, refused) {
            news.line = Some("a board is lent for its test".to_owned());
            news.outputs.extend(told(board, game, Prompt::BoardIsTested));
        }
    }

    fn given_back(&mut self, path: &Path, game: &Game, news: &mut DeviceNews) {
        let Some(board) = self.watched.iter_mut().find(|board| board.is_at(path)) else { return };
        let stands = board.given_back();
        news.line = Some("the board that was tested is the game's again".to_owned());
        news.outputs.extend(told(board, game, Prompt::BoardBack));
        let blind = game.record().map(|record| record.config.blind);
        let only = blind.map(|blind| Color::from_white(blind.is(Color::White)));
        if let (Some(seat), Some(stands)) = (board.seat().or(only), stands) {
            news.inputs.push(Input::Board { seat, occupied: stands.into() });
        }
    }

    /// Another game begins on the same devices.
    pub fn restart(&mut self, game: &Game) {
        match (&mut self.sighted, sighted_seat(game)) {
            (Some(sighted), Some(seat)) => sighted.restart(seat, game),
            // Both play on pegs: nobody sits at that board.
            _ => self.sighted = None,
        }
        if let Some(clock) = &mut self.clock {
            clock.restart();
        }
    }

    /// A game begins or goes on with these devices.
    pub fn begin(&mut self, service: &Service, now: At) {
        #[cfg(feature = "console")]
        if let Some(pages) = &mut self.pages {
            pages.begin(service, now);
        }
        #[cfg(not(feature = "console"))]
        let _ = (service, now);
    }

    /// An input reached the game and gave this; `last`: nothing that belongs to it follows. Answers
    /// `false` when what follows is not to be handed on.
    pub fn happened(&mut self, at: At, input: &Input, outputs: &[Output], last: bool) -> bool {
        #[cfg(feature = "console")]
        if let Some(pages) = &mut self.pages {
            return pages.happened(at, input, outputs, last);
        }
        let _ = (at, input, outputs, last);
        true
    }

    /// The codes that open the pages, for the ear of who asked.
    pub fn spoken_codes(&self, seat: Color, words: &Words) -> Vec<Output> {
        #[cfg(feature = "console")]
        if let Some(pages) = &self.pages {
            return pages.spoken_codes(seat, words);
        }
        let urgency = Urgency::Answer;
        vec![Output::Say {
            channel: Channel::Private,
            seat: Some(seat),
            urgency,
            words: words.prompt(Prompt::NoPages, &[]),
        }]
    }

    /// Shows how the game stands now to those who look on.
    pub fn show(&mut self, game: &Game, now: At) {
        #[cfg(feature = "console")]
        if let Some(pages) = &mut self.pages {
            pages.show(game, now);
        }
        #[cfg(not(feature = "console"))]
        let _ = (game, now);
    }

    /// The devices follow the game. Their findings are inputs for the game.
    pub fn follow(&mut self, game: &Game, now_ms: u64) -> Vec<Input> {
        let mut inputs = Vec::new();
        if is_running(game, now_ms) {
            let why = "a player's time runs, and the game needs its board";
            self.watched.iter_mut().for_each(|board| board.call_back(why));
        }
        if let Some(sighted) = &mut self.sighted {
            sighted.follow(game, now_ms);
        }
        if let Some(clock) = &mut self.clock {
            inputs.extend(clock.follow(game, now_ms));
            // Letters take the clock a second or two, in which it cannot be set: not before the
            // press.
            let last = game.record().and_then(|record| record.line.last());
            let completed = last.is_none_or(|ply| ply.completed.is_some());
            if let Some(seat) = sighted_seat(game).filter(|_| completed) {
                clock.show(letters(&game.guidance(seat)).as_deref());
            }
        }
        inputs
    }
}

/// Whether a player's time runs.
fn is_running(game: &Game, now_ms: u64) -> bool {
    game.clock(At::new(now_ms)).is_some_and(|(_, _, running)| running != Running::None)
}

/// A sentence for whose board this is.
fn told(board: &Watched, game: &Game, prompt: Prompt) -> Option<Output> {
    let words = game.packs()?.prompt(prompt, &[]);
    let (channel, urgency) = (Channel::Private, Urgency::Alert);
    Some(Output::Say { channel, seat: board.seat(), urgency, words })
}

/// The eight letters of a clock's display for what is to be done on the board; a board's wrong
/// squares as far as they fit.
fn letters(guidance: &Guidance) -> Option<String> {
    match guidance {
        Guidance::Execute { san, .. } => Some(san.chars().take(8).collect()),
        Guidance::Correct(squares) => {
            let names: Vec<String> = squares.into_iter().map(|sq: Square| sq.to_string()).collect();
            Some(format!("? {}", names.join("")).chars().take(8).collect())
        }
        Guidance::Nothing => None,
    }
}

/// The player at the board that is no peg board.
pub fn sighted_seat(game: &Game) -> Option<Color> {
    let blind = game.record()?.config.blind;
    Color::ALL.into_iter().find(|color| !blind.is(*color))
}
