//! The room around a game: every device that the configuration names, opened once. `play` uses it
//! with set-up and without.
//!
//! A missing device is reported with the remedy, and the game goes on without it.

use std::{cell::RefCell, sync::Arc};

use shakmaty::{Bitboard, ByColor, Color};

use super::{
    Voices,
    attach::attach,
    braille::BrailleLines,
    devices::Devices,
    hearing::{Hearing, TalkButtons},
    news::{FromDevice, Inbox, ToGame, WeakToGame},
    play::{self, EventsBoard, Moments},
    reeds::{Place, Reeds},
    terminal,
    watched::{self, Watched},
};
use crate::config::{BoardKind, Config, SightedKind};
use annabella_core::game::{At, Blind, Channel, Game, Output};
use annabella_devices::{
    lines,
    voice::{Mouth as _, VoiceEvent},
};
use annabella_words::phrase::{Utterance, Words};

/// Why the service cannot begin, as one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RoomError {
    /// A key of the configuration names something that cannot be used.
    #[error("{0}")]
    Config(String),
    /// A device is missing or failed.
    #[error("{0}")]
    Device(String),
}

/// The players on pegs, and the last known picture of their boards.
pub type Places = Vec<(Color, Bitboard)>;

/// The devices that speak and show before anybody is listened to: voices, Braille lines, peg
/// boards, their lights.
#[derive(Debug)]
pub struct Outlets {
    mouths: Mouths,
    places: Places,
    inbox: Inbox,
    to_game: ToGame,
}

impl Outlets {
    /// Opens them. Without `words` nothing is known of the game yet, and no board or Braille line
    /// is opened.
    ///
    /// # Errors
    /// [`RoomError`] when a peg board's reeds cannot be opened.
    pub fn open(
        config: &Config,
        blind: Blind,
        places: Places,
        words: Option<Words>,
        complain: &mut dyn FnMut(&str),
    ) -> Result<Outlets, RoomError> {
        let voices = Voices::open(config, blind).unwrap_or_else(|err| {
            complain(&format!("nothing will be spoken: {err}"));
            None
        });
        if blind == Blind::Both {
            config.unheard().into_iter().flatten().for_each(complain);
        }
        let (to_game, inbox) = ToGame::open();
        let braille = words.as_ref().map(|words| {
            let to_game = Arc::new(to_game.another());
            // A line that finds no place among so many others is not missed.
            let complain = move |line| drop(to_game.try_send(FromDevice::Complaint(line)));
            BrailleLines::open(config, blind, words, complain)
        });
        let reeds = words.map(|words| {
            let place = |(seat, shown): &(Color, Bitboard)| Place {
                seat: *seat,
                shown: *shown,
                words: words.clone(),
                mouth: voices.as_ref().map(|voices| voices.of(*seat)),
            };
            let places: Vec<Place<'_>> = places.iter().map(place).collect();
            Reeds::open(config, &places, &to_game)
        });
        let reeds = reeds.transpose().map_err(|err| RoomError::Device(err.to_string()))?;
        let mouths = Mouths { voices, braille: RefCell::new(braille), reeds: RefCell::new(reeds) };
        Ok(Outlets { mouths, places, inbox, to_game })
    }

    /// Everything else: the sighted player's board, the clock, the pages, the ears; for this game,
    /// or for a rehearsal of one.
    ///
    /// # Errors
    /// [`RoomError`] when the configuration names something that cannot be used.
    pub async fn join(
        self,
        config: &Config,
        game: &Game,
        moments: Moments,
        complain: &mut dyn FnMut(&str),
    ) -> Result<Room, RoomError> {
        let Outlets { mouths, places, inbox, to_game } = self;
        let mut devices = attach(config, game, moments, &to_game).map_err(RoomError::Config)?;
        devices.watched = watched(config, &places, &mouths, &to_game, complain);
        open_pages(config, &to_game, &mut devices, complain).await;
        let talk: TalkButtons = {
            let mut reeds = mouths.reeds.borrow_mut();
            ByColor::new_with(|seat| reeds.as_mut().and_then(|reeds| reeds.talk(seat)))
        };
        let hearing = Hearing::open(config, game, mouths.voices.as_ref(), &to_game, talk, complain);
        let (ends, types) = read_events(config, &places, &to_game)?;
        // Real reeds never end, nor do simulated ones without hands.
        let news = to_game.downgrade();
        let open = (!ends).then_some(to_game);
        Ok(Room { mouths, devices, hearing, inbox, news, open, types })
    }

    /// Says and shows an output of this moment. Answers what went wrong with the voices, a line
    /// each.
    pub fn act(&self, at: At, output: &Output) -> Vec<String> {
        self.mouths.act(at, output)
    }

    /// Whether something is being said in an ear.
    pub fn is_speaking(&self) -> bool {
        self.mouths.is_speaking()
    }
}

/// All devices of a game, by what they are for.
#[derive(Debug)]
pub struct Room {
    pub mouths: Mouths,
    /// The sighted player's board, the clock, the pages.
    pub devices: Devices,
    pub hearing: Hearing,
    pub inbox: Inbox,
    /// Others that have something for the game; they do not keep the inbox open.
    pub news: WeakToGame,
    /// Somebody may type in the terminal, and nobody takes it in yet.
    pub types: bool,
    /// Keeps the inbox open where no board's events end the game.
    pub open: Option<ToGame>,
}

/// Voices, Braille lines and lights.
#[derive(Debug)]
pub struct Mouths {
    voices: Option<Voices>,
    braille: RefCell<Option<BrailleLines>>,
    reeds: RefCell<Option<Reeds>>,
}

impl Mouths {
    /// Says and shows an output of this moment. Answers what went wrong with the voices, a line
    /// each.
    pub fn act(&self, at: At, output: &Output) -> Vec<String> {
        if let Some(braille) = self.braille.borrow_mut().as_mut() {
            braille.show(at, output);
        }
        if let Some(reeds) = self.reeds.borrow_mut().as_mut() {
            reeds.show(output);
        }
        if let Some(voices) = &self.voices {
            voices.speak(output);
        }
        self.complaints()
    }

    /// What has gone wrong with the voices since the last call, a line each.
    pub fn complaints(&self) -> Vec<String> {
        self.voices.as_ref().map_or_else(Vec::new, |voices| complaints(&voices.take_events()))
    }

    /// Shows this player, or all, how an answer was understood.
    pub fn understood(&self, at: At, seat: Option<Color>, words: &Utterance) {
        if let Some(braille) = self.braille.borrow_mut().as_mut() {
            braille.understood(at, seat, words);
        }
    }

    /// Leaves these words on the Braille lines for a while, or what was said last, before the
    /// program ends.
    pub async fn last_words(&self, words: Option<&Utterance>) {
        // Out of the cell while it waits: nobody shows anything any more.
        let braille = self.braille.borrow_mut().take();
        if let Some(mut braille) = braille {
            braille.last_words(words).await;
        }
    }

    /// Whether something is being said in an ear.
    pub fn is_speaking(&self) -> bool {
        self.voices.as_ref().is_some_and(|voices| voices.is_speaking(Channel::Private))
    }

    /// The peg boards' complaint at the end.
    pub fn last_complaint(&self) -> Option<String> {
        self.reeds.borrow().as_ref().and_then(Reeds::complaint)
    }
}

/// A line about each event that is worth one; what both voices have in common is one.
fn complaints(events: &[VoiceEvent]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (n, event) in events.iter().enumerate() {
        let both = events.iter().any(|other| is_same_of_other(event, other));
        let public = |channel: &Channel| *channel == Channel::Public;
        let line = match event {
            VoiceEvent::DeviceLost { error, .. } if both => format!("both voices lost: {error}"),
            VoiceEvent::DeviceLost { channel, error } if public(channel) => {
                format!("public voice lost: {error}")
            }
            VoiceEvent::DeviceLost { error, .. } => format!("private voice lost: {error}"),
            VoiceEvent::DeviceBack { .. } if both => "both voices are back".to_owned(),
            VoiceEvent::DeviceBack { channel } if public(channel) => {
                "public voice is back".to_owned()
            }
            VoiceEvent::DeviceBack { .. } => "private voice is back".to_owned(),
            VoiceEvent::Failed { error, .. } if both => format!("both voices: {error}"),
            VoiceEvent::Failed { channel, error } if public(channel) => {
                format!("public voice: {error}")
            }
            VoiceEvent::Failed { error, .. } => format!("private voice: {error}"),
            VoiceEvent::Began { .. } | VoiceEvent::Finished { .. } => continue,
        };
        let told = events[..n].iter().any(|other| is_same_of_other(event, other));
        if !told {
            lines.push(line);
        }
    }
    lines
}

/// Whether the same happened to loudspeaker and earphone.
fn is_same_of_other(one: &VoiceEvent, other: &VoiceEvent) -> bool {
    use VoiceEvent::{DeviceBack, DeviceLost, Failed};
    match (one, other) {
        (DeviceLost { channel: a, error: one }, DeviceLost { channel: b, error: other })
        | (Failed { channel: a, error: one }, Failed { channel: b, error: other }) => {
            a != b && one == other
        }
        (DeviceBack { channel: a }, DeviceBack { channel: b }) => a != b,
        _ => false,
    }
}

/// Reads the boards whose reeds are JSON lines. Answers whether the game ends with them, and
/// whether what is typed in the terminal is for nobody yet.
fn read_events(
    config: &Config,
    places: &[(Color, Bitboard)],
    to_game: &ToGame,
) -> Result<(bool, bool), RoomError> {
    let sections = [("board", &config.board), ("board_black", &config.board_black)];
    let boards = places.iter().zip(sections);
    // What the sighted player's board reads is no place to type.
    let sighted = matches!(config.sighted.kind, SightedKind::Reed | SightedKind::Sim)
        && lines::is_stdin(&config.sighted.path);
    let lines = boards.filter(|(_, (_, board))| {
        board.reads_lines() && !(sighted && lines::is_stdin(&board.path))
    });
    let mut lines: Vec<EventsBoard> = lines
        .map(|((seat, shown), (section, board))| EventsBoard {
            seat: *seat,
            section,
            path: board.path.clone(),
            typed: board.kind == BoardKind::None,
            debounce_ms: board.sensing.debounce_ms,
            shown: *shown,
        })
        .collect();
    let ends = lines.len() == places.len();
    // Two players without sensors type in one terminal.
    let both = lines.len();
    lines.dedup_by(|next, first| lines::is_stdin(&next.path) && next.path == first.path);
    let boards = places.len() - (both - lines.len());
    let taken = sighted || lines.iter().any(|board| lines::is_stdin(&board.path));
    play::events(to_game, lines, boards).map_err(RoomError::Device)?;
    Ok((ends, !taken && terminal::is_there()))
}

/// The boards that can be looked at beside the game.
fn watched(
    config: &Config,
    places: &[(Color, Bitboard)],
    mouths: &Mouths,
    to_game: &ToGame,
    complain: &mut dyn FnMut(&str),
) -> Vec<Watched> {
    let reeds = mouths.reeds.borrow();
    let lending = reeds.as_ref().map_or(&[][..], Reeds::lending);
    let sections = [("board", &config.board), ("board_black", &config.board_black)];
    let mut boards = Vec::new();
    for (n, ((seat, shown), (section, board))) in places.iter().zip(sections).enumerate() {
        if board.kind == BoardKind::None {
            continue;
        }
        let path = watched::socket(&config.journal.path, section);
        let seat = Some(*seat).filter(|_| places.len() > 1);
        let device = lending.get(n).cloned().flatten();
        match Watched::open(path, seat, *shown, device, to_game.downgrade()) {
            Ok(opened) => boards.push(opened),
            Err(err) => complain(&format!("nobody can watch [{section}]: {err}")),
        }
    }
    boards
}

/// The pages, if the configuration wants any.
#[cfg(feature = "console")]
async fn open_pages(
    config: &Config,
    to_game: &ToGame,
    devices: &mut Devices,
    complain: &mut dyn FnMut(&str),
) {
    let opened = super::pages::open(config, to_game, super::streams::complain).await;
    devices.pages = opened.unwrap_or_else(|err| {
        complain(&err);
        None
    });
}

#[cfg(not(feature = "console"))]
async fn open_pages(_: &Config, _: &ToGame, _: &mut Devices, _: &mut dyn FnMut(&str)) {}

#[cfg(test)]
mod tests {
    use super::*;
    use annabella_devices::voice::VoiceError;

    fn lost(channel: Channel, name: &str) -> VoiceEvent {
        let error = VoiceError::Device { name: name.to_owned(), reason: "it is gone".to_owned() };
        VoiceEvent::DeviceLost { channel, error }
    }

    #[test]
    fn one_device_of_both_voices_is_complained_of_once() {
        use Channel::{Private, Public};
        let told = "both voices lost: sound device 'a': it is gone; `annabella doctor` lists those there are";
        assert_eq!(complaints(&[lost(Public, "a"), lost(Private, "a")]), [told]);
        let two = complaints(&[lost(Public, "a"), lost(Private, "b")]);
        assert_eq!(two.len(), 2, "{two:?}");
        assert!(two[1].starts_with("private voice lost: sound device 'b'"), "{two:?}");
        let back = [Public, Private].map(|channel| VoiceEvent::DeviceBack { channel });
        assert_eq!(complaints(&back), ["both voices are back"]);
        assert_eq!(complaints(&back[..1]), ["public voice is back"]);
    }
}
