//! Opens the devices beside the peg board that the configuration names.

use std::{
    fs::{File, OpenOptions},
    io::{BufRead, BufReader, Read},
    os::unix::fs::FileTypeExt,
    path::Path,
    time::{Duration, Instant},
};

use serde::Deserialize;
use shakmaty::{Board, Color, Piece, Position, Square};
use tokio::sync::mpsc::Sender;

use super::{
    clock::{ClockEnd, ClockUse},
    devices::{Devices, sighted_seat},
    play::{FromBoard, Moments},
    sighted::SightedEnd,
};
use crate::config::{BoardKind, ClockKind, ClockSection, Config, SightedKind};
use annabella_core::game::{Game, Input};
use annabella_devices::{
    board::events::{Event, EventLine},
    clock::{ClockDevice, sim::SimClock},
    sighted::{
        SightedBoard,
        reed::{ReedBoard, ReedInput, Reeds},
        sim::{SimBoard, SimHands},
    },
    voice::keys::{KeyReader, Keyboard, KeysEvent, key_code},
};

/// How often a key's thread looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(250);

/// Opens what the configuration names. A device that is not there is reported as lost and waited
/// for; play goes on.
///
/// # Errors
///
/// One line that names the key, for what cannot be: a board that nobody sits at, a file that cannot
/// be read, a system without threads.
pub fn attach(
    config: &Config,
    game: &Game,
    moments: Moments,
    to_game: &Sender<FromBoard>,
) -> Result<Devices, String> {
    let mut devices = Devices::none();
    let (began, ahead_ms) = (Instant::now(), moments.now().ms);
    let shown = game.position().map_or_else(Board::default, |pos| pos.board().clone());
    let section = &config.sighted;
    let stdin = |path: &Path| path.as_os_str() == "-";
    let lines = matches!(section.kind, SightedKind::Reed | SightedKind::Sim);
    if lines && config.board.kind == BoardKind::Events {
        let both = stdin(&section.path) && stdin(&config.board.path);
        if both {
            return Err(
                "[sighted] path: standard input is the peg board's already: name a file or \
                        a FIFO"
                    .to_owned(),
            );
        }
    }
    let mut line = Line::default();
    let board: Option<Box<dyn SightedBoard>> = match section.kind {
        SightedKind::None => None,
        SightedKind::Dgt => {
            let end = line.board(&section.port).map_err(|err| format!("[sighted] port: {err}"))?;
            Some(dgt_board(end, config, shown, began))
        }
        SightedKind::Reed => {
            let debounce_ms = config.board.sensing.debounce_ms;
            let (input, board) = ReedBoard::new(debounce_ms, section.still, began);
            input.tell(Reeds::All(shown.occupied()));
            let presses = to_game.clone();
            let told = move |text: &str| reed_line(text, &input, &presses);
            read_lines(&section.path, told, to_game.clone())?;
            Some(Box::new(board))
        }
        // What is entered reaches the game with the role of whoever did: `Input::Page`.
        SightedKind::Page => None,
        SightedKind::Sim => {
            let (hands, board) = SimBoard::new(&shown, false, section.still, began);
            read_lines(&section.path, move |text| sim_line(text, &hands), to_game.clone())?;
            Some(Box::new(board))
        }
    };
    let seat = sighted_seat(game);
    if section.kind != SightedKind::None && seat.is_none() {
        return Err(
            "[sighted] kind: both players play on peg boards, so nobody sits at that board; \
                    use \"none\""
                .to_owned(),
        );
    }
    if let (Some(board), Some(seat)) = (board, seat) {
        let end = SightedEnd::open(board, seat, game, ahead_ms, to_game.clone());
        devices.sighted = Some(end);
    }
    let section = &config.clock;
    let (clock, whole_seconds): (Option<Box<dyn ClockDevice>>, bool) = match section.kind {
        ClockKind::Internal => (None, false),
        ClockKind::Dgt => {
            let port = section.port.as_deref().unwrap_or(&config.sighted.port);
            let end = line.clock(port).map_err(|err| format!("[clock] port: {err}"))?;
            (Some(dgt_clock(end, config, began)), true)
        }
        ClockKind::Sim => {
            let (players, clock) = SimClock::new(began);
            devices.players = Some(players);
            (Some(Box::new(clock)), false)
        }
    };
    if let Some(clock) = clock {
        let sets = section.control == crate::config::ClockControl::Set;
        let how = ClockUse { sets, whole_seconds, ahead_ms };
        devices.clock = Some(ClockEnd::open(clock, how, to_game.clone()));
    }
    press_keys(section, to_game)?;
    Ok(devices)
}

/// The ends of serial lines: a board and a clock may hang on one.
#[derive(Default)]
struct Line {
    #[cfg(feature = "dgt")]
    clock: Option<(std::path::PathBuf, annabella_devices::dgt::wire::ClockEnd)>,
}

#[cfg(feature = "dgt")]
impl Line {
    fn board(&mut self, port: &Path) -> std::io::Result<annabella_devices::dgt::wire::BoardEnd> {
        let (board, clock) = annabella_devices::dgt::wire::open(port)?;
        self.clock = Some((port.to_owned(), clock));
        Ok(board)
    }

    fn clock(&mut self, port: &Path) -> std::io::Result<annabella_devices::dgt::wire::ClockEnd> {
        match self.clock.take().filter(|(known, _)| known == port) {
            Some((_, clock)) => Ok(clock),
            None => Ok(annabella_devices::dgt::wire::open(port)?.1),
        }
    }
}

#[cfg(feature = "dgt")]
fn dgt_board(
    end: annabella_devices::dgt::wire::BoardEnd,
    config: &Config,
    shown: Board,
    began: Instant,
) -> Box<dyn SightedBoard> {
    Box::new(annabella_devices::sighted::dgt::DgtBoard::new(
        end,
        config.sighted.still,
        shown,
        began,
    ))
}

#[cfg(feature = "dgt")]
fn dgt_clock(
    end: annabella_devices::dgt::wire::ClockEnd,
    config: &Config,
    began: Instant,
) -> Box<dyn ClockDevice> {
    use annabella_devices::clock::track::Sides;
    let seats = config.clock.left.color().map(|left| Sides { left });
    Box::new(annabella_devices::clock::dgt::DgtClock::new(end, seats, began))
}

#[cfg(not(feature = "dgt"))]
enum NoEnd {}

#[cfg(not(feature = "dgt"))]
impl Line {
    fn board(&mut self, _port: &Path) -> Result<NoEnd, &'static str> {
        Err("this program was built without DGT boards")
    }

    fn clock(&mut self, _port: &Path) -> Result<NoEnd, &'static str> {
        Err("this program was built without DGT clocks")
    }
}

#[cfg(not(feature = "dgt"))]
fn dgt_board(end: NoEnd, _: &Config, _: Board, _: Instant) -> Box<dyn SightedBoard> {
    match end {}
}

#[cfg(not(feature = "dgt"))]
fn dgt_clock(end: NoEnd, _: &Config, _: Instant) -> Box<dyn ClockDevice> {
    match end {}
}

/// The keys with which the players press their clocks. On a keyboard that is named one reader has both: of what is
/// written into a FIFO each byte reaches one reader only. Else each may be on a keyboard or pedal of its own.
fn press_keys(section: &ClockSection, to_game: &Sender<FromBoard>) -> Result<(), String> {
    let mut keys: Vec<(u16, Color)> = Vec::new();
    for (seat, key, name) in [
        (Color::White, "white_key", &section.white_key),
        (Color::Black, "black_key", &section.black_key),
    ] {
        if !name.is_empty() {
            keys.push((key_code(name).map_err(|err| format!("[clock] {key}: {err}"))?, seat));
        }
    }
    match Keyboard::named(&section.keyboard) {
        Keyboard::Any => {
            for key in keys {
                press_with(Keyboard::Any, vec![key], to_game.clone());
            }
        }
        named if !keys.is_empty() => press_with(named, keys, to_game.clone()),
        Keyboard::At(_) => {}
    }
    Ok(())
}

/// Tells the game of these keys, until it is gone.
fn press_with(keyboard: Keyboard, seats: Vec<(u16, Color)>, to_game: Sender<FromBoard>) {
    let codes = seats.iter().map(|(code, _)| *code).collect();
    std::thread::spawn(move || {
        let mut keys = KeyReader::of_several(keyboard, codes);
        while !to_game.is_closed() {
            let sent = match keys.next(LOOK) {
                Some(KeysEvent::Key(event)) if event.pressed => seats
                    .iter()
                    .filter(|(code, _)| *code == event.code)
                    .map(|(_, seat)| FromBoard::Input(Input::Pressed { seat: *seat }))
                    .try_for_each(|press| to_game.blocking_send(press).map_err(drop)),
                Some(KeysEvent::Lost(err)) => {
                    let complaint = FromBoard::Complaint(format!("[clock] keyboard: {err}"));
                    to_game.blocking_send(complaint).map_err(drop)
                }
                _ => Ok(()),
            };
            if sent.is_err() {
                return;
            }
        }
    });
}

/// Reads lines from a file, a FIFO or standard input on a thread of its own; what is wrong with one
/// is told, with its number.
fn read_lines(
    path: &Path,
    mut told: impl FnMut(&str) -> Result<(), String> + Send + 'static,
    to_game: Sender<FromBoard>,
) -> Result<(), String> {
    let name = path.display().to_string();
    let from: Box<dyn Read + Send> = if name == "-" {
        Box::new(std::io::stdin())
    } else {
        let unreadable = |err| format!("[sighted] path: cannot read {name}: {err}");
        let fifo = path.metadata().map_err(unreadable)?.file_type().is_fifo();
        // Writers of a FIFO come and go. Opened for writing too, it never ends.
        let file = if fifo {
            OpenOptions::new().read(true).write(true).open(path)
        } else {
            File::open(path)
        };
        Box::new(file.map_err(unreadable)?)
    };
    std::thread::spawn(move || {
        for (index, text) in BufReader::new(from).lines().enumerate() {
            let result = match &text {
                Ok(text) if text.trim().is_empty() => Ok(()),
                Ok(text) => told(text),
                Err(err) => Err(err.to_string()),
            };
            if let Err(line) = result {
                let line = format!("{name}, line {}: {line}", index + 1);
                if to_game.blocking_send(FromBoard::Complaint(line)).is_err() {
                    return;
                }
            }
            if text.is_err() {
                return;
            }
        }
    });
    Ok(())
}

/// A line of a second reed board: the same events as of the peg board.
fn reed_line(text: &str, reeds: &ReedInput, to_game: &Sender<FromBoard>) -> Result<(), String> {
    let EventLine { event, .. } = EventLine::parse(text).map_err(|err| err.to_string())?;
    match event {
        Event::Reed { square, occupied } => {
            reeds.tell(Reeds::Edge { square, occupied });
        }
        Event::Board(occupied) => {
            reeds.tell(Reeds::All(occupied));
        }
        Event::Announce { text, seat } => {
            // The service is gone: nobody is left to tell.
            let said = Input::Said { seat, heard: vec![text] };
            let _ = to_game.blocking_send(FromBoard::Input(said));
        }
        Event::Press(seat) => {
            let _ = to_game.blocking_send(FromBoard::Input(Input::Pressed { seat }));
        }
    }
    Ok(())
}

/// A line for a simulated board: `{"square":"e4","piece":"P"}`, `{"square":"e2","piece":null}`,
/// `{"board":"FEN"}`, `{"plug":false}`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, untagged)]
enum SimLine {
    Put { square: String, piece: Option<String> },
    SetUp { board: String },
    Plug { plug: bool },
}

fn sim_line(text: &str, hands: &SimHands) -> Result<(), String> {
    let wrong = || {
        "a line is {\"square\":\"e4\",\"piece\":\"P\"}, {\"square\":\"e2\",\"piece\":null}, \
         {\"board\":\"FEN\"} or {\"plug\":false}"
            .to_owned()
    };
    match serde_json::from_str(text).map_err(|_| wrong())? {
        SimLine::Put { square, piece } => {
            let square: Square = square.parse().map_err(|_| wrong())?;
            let piece = match piece.as_deref().map(|piece| piece.chars().collect::<Vec<_>>()) {
                None => None,
                Some(letters) => match letters.as_slice() {
                    [letter] => Some(Piece::from_char(*letter).ok_or_else(wrong)?),
                    _ => return Err(wrong()),
                },
            };
            hands.put(square, piece);
        }
        SimLine::SetUp { board } => {
            let fields = board.split(' ').next().unwrap_or_default();
            let board: Board = fields.parse().map_err(|_| wrong())?;
            hands.set_up(&board);
        }
        SimLine::Plug { plug } => hands.plug(plug),
    }
    Ok(())
}
