//! Opens the devices beside the peg board that the configuration names.

use std::{path::Path, time::Instant};

use serde::Deserialize;
use shakmaty::{Board, Color, Piece, Position, Square};

use super::{
    clock::{ClockUse, FollowedClock},
    devices::{Devices, sighted_seat},
    moments::Moments,
    news::{FromDevice, ToGame},
    sighted::SightedEnd,
};
use crate::config::{BoardKind, ClockKind, ClockSection, Config, SightedKind};
use annabella_core::game::{Game, Input};
use annabella_devices::{
    board::events::{EventLine, PegEvent},
    clock::{ClockDevice, sim::SimClock},
    lines::{self, Complaints, FromSource},
    sighted::{
        SightedBoard,
        reed::{ReedBoard, ReedInput, ReedReport},
        sim::{SimBoard, SimHands},
    },
    voice::keys::{self, Keyboard, KeysEvent, key_code},
};

/// Opens what the configuration names. A device that is not there is reported as lost and waited
/// for; play goes on.
///
/// # Errors
/// One line that names the key, if it cannot work: nobody sits at the board, a file can't be read,
/// the system gives no thread.
pub fn attach(
    config: &Config,
    game: &Game,
    moments: Moments,
    to_game: &ToGame,
) -> Result<Devices, String> {
    let mut devices = Devices::none();
    let (began, ahead_ms) = (Instant::now(), moments.now().ms);
    let shown = game.position().map_or_else(Board::default, |pos| pos.board().clone());
    let section = &config.sighted;
    let lines = matches!(section.kind, SightedKind::Reed | SightedKind::Sim);
    if lines && config.board.kind == BoardKind::Events {
        let both =
            [&section.path, &config.board.path].into_iter().all(|path| lines::is_stdin(path));
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
        SightedKind::Chessnut | SightedKind::Millennium | SightedKind::Certabo => {
            let board = piece_board(config, shown, began);
            Some(board.map_err(|err| format!("[sighted] port: {err}"))?)
        }
        SightedKind::Reed => {
            let debounce_ms = config.board.sensing.debounce_ms;
            let (input, board) = ReedBoard::new(debounce_ms, section.still, began);
            input.tell(ReedReport::All(shown.occupied()));
            let presses = to_game.another();
            let told = move |text: &str| reed_line(text, &input, &presses);
            read_lines(&section.path, told, to_game.another())?;
            Some(Box::new(board))
        }
        // Entries reach the game with the role of the person who made them: `Input::Page`.
        SightedKind::Page => None,
        SightedKind::Sim => {
            let (hands, board) = SimBoard::new(&shown, section.still, began);
            read_lines(&section.path, move |text| sim_line(text, &hands), to_game.another())?;
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
        let end = SightedEnd::open(board, seat, game, ahead_ms, to_game.another());
        devices.sighted = Some(end);
    }
    let section = &config.clock;
    let clock: Option<Box<dyn ClockDevice>> = match section.kind {
        ClockKind::Internal => None,
        ClockKind::Dgt => {
            let port = section.port.as_deref().unwrap_or(&config.sighted.port);
            let end = line.clock(port).map_err(|err| format!("[clock] port: {err}"))?;
            Some(dgt_clock(end, config, began))
        }
        ClockKind::Sim => {
            let (players, clock) = SimClock::new(began);
            devices.players = Some(players);
            Some(Box::new(clock))
        }
    };
    if let Some(clock) = clock {
        let sets = section.control == crate::config::ClockControl::Set;
        let how = ClockUse { sets, ahead_ms };
        devices.clock = Some(FollowedClock::open(clock, how, to_game.another()));
    }
    press_keys(section, to_game)?;
    Ok(devices)
}

/// The ends of serial lines: a board and a clock may hang on one.
#[derive(Default)]
struct Line {
    clock: Option<(std::path::PathBuf, annabella_devices::dgt::wire::ClockEnd)>,
}

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

/// A board of another make.
fn piece_board(
    config: &Config,
    shown: Board,
    began: Instant,
) -> std::io::Result<Box<dyn SightedBoard>> {
    use annabella_devices::{
        pieces::{Make, session},
        serial::Finder,
        sighted::pieces::PieceBoard,
    };
    let section = &config.sighted;
    let make = section.kind.maker().and_then(Make::of);
    let make = make.ok_or_else(|| std::io::Error::other("not a board that tells its squares"))?;
    let end = session::open(make, Finder::at(&section.port, make.kind()))?;
    Ok(Box::new(PieceBoard::new(end, make, section.still, shown, began)))
}

fn dgt_clock(
    end: annabella_devices::dgt::wire::ClockEnd,
    config: &Config,
    began: Instant,
) -> Box<dyn ClockDevice> {
    use annabella_devices::clock::dgt::track::Sides;
    let seats = config.clock.left.color().map(|left| Sides { left });
    Box::new(annabella_devices::clock::dgt::DgtClock::new(end, seats, began))
}

/// The keys with which the players press their clocks. On a named keyboard one reader has both,
/// since each byte written into a FIFO reaches one reader only. Otherwise each key may be on a
/// keyboard or pedal of its own.
fn press_keys(section: &ClockSection, to_game: &ToGame) -> Result<(), String> {
    let keys = clock_keys(section)?;
    match Keyboard::named(&section.keyboard) {
        Keyboard::Any => {
            for key in keys {
                press_with(Keyboard::Any, vec![key], to_game.another());
            }
        }
        named if !keys.is_empty() => press_with(named, keys, to_game.another()),
        Keyboard::At(_) => {}
    }
    Ok(())
}

/// The keys of `[clock]`, each with its player.
///
/// # Errors
/// No key has such a name.
pub fn clock_keys(section: &ClockSection) -> Result<Vec<(u16, Color)>, String> {
    let named = [
        (Color::White, "white_key", &section.white_key),
        (Color::Black, "black_key", &section.black_key),
    ];
    let named = named.into_iter().filter(|(_, _, name)| !name.is_empty());
    let code = |(seat, key, name): (Color, &str, &String)| {
        key_code(name).map(|code| (code, seat)).map_err(|err| format!("[clock] {key}: {err}"))
    };
    named.map(code).collect()
}

/// Tells the game of these keys, until it is gone.
fn press_with(keyboard: Keyboard, seats: Vec<(u16, Color)>, to_game: ToGame) {
    let codes = seats.iter().map(|(code, _)| *code).collect();
    let closed = to_game.another();
    let tell = move |event| match event {
        KeysEvent::Key(event) if event.pressed => {
            let mut pressed = seats.iter().filter(|(code, _)| *code == event.code);
            let tell = |seat| to_game.blocking_send(FromDevice::Input(Input::Pressed { seat }));
            pressed.all(|(_, seat)| tell(*seat).is_ok())
        }
        KeysEvent::Lost(err) => {
            let line = format!("[clock] keyboard: {err}");
            to_game.blocking_send(FromDevice::Complaint(line)).is_ok()
        }
        _ => true,
    };
    keys::forward(keyboard, codes, tell, move || closed.is_closed());
}

/// Reads lines from a file, a FIFO or standard input on a thread of its own. A bad line is reported
/// with its number.
fn read_lines(
    path: &Path,
    mut told: impl FnMut(&str) -> Result<(), String> + Send + 'static,
    to_game: ToGame,
) -> Result<(), String> {
    let name = path.display().to_string();
    let mut complaints = Complaints::about(&name);
    lines::follow(path, move |from| {
        let complaint = match from {
            FromSource::Line(line) => match line.text.map_err(|bad| bad.to_string()) {
                Ok(text) if text.trim().is_empty() => None,
                text => text
                    .and_then(|text| told(&text))
                    .map_or_else(|wrong| complaints.line(line.number, wrong), |()| None),
            },
            FromSource::Lost(err) => complaints.source(err),
        };
        complaint.is_none_or(|line| to_game.blocking_send(FromDevice::Complaint(line)).is_ok())
    })
    .map(drop)
    .map_err(|err| format!("[sighted] path: cannot read {name}: {err}"))
}

/// A line of a second reed board: the same events as of the peg board.
fn reed_line(text: &str, reeds: &ReedInput, to_game: &ToGame) -> Result<(), String> {
    let EventLine { event, .. } = EventLine::parse(text)
        .or_else(|err| EventLine::last_of(text).ok_or_else(|| err.to_string()))?;
    match event {
        PegEvent::Reed { square, occupied } => {
            reeds.tell(ReedReport::Edge { square, occupied });
        }
        PegEvent::Board(occupied) => {
            reeds.tell(ReedReport::All(occupied));
        }
        PegEvent::Announce { text, seat } => {
            // The game is gone only when the service ends.
            let said = Input::Said { seat, heard: vec![text] };
            let _ = to_game.blocking_send(FromDevice::Input(said));
        }
        PegEvent::Press(seat) => {
            let _ = to_game.blocking_send(FromDevice::Input(Input::Pressed { seat }));
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
