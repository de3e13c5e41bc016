//! A DGT board before the sighted player, byte by byte: its line, which loses bytes and brings
//! others, and the program's end of it.

use annabella_core::game::{At, BoardSeen, Game};
use annabella_core::sight::Seen;
use annabella_devices::{
    dgt::session::{BoardEvent, DgtEvent, DgtSession},
    sighted::still::{StillSettings, Stillness},
};
use annabella_emulators::dgt::{Faults, SimulatedDgt};
use shakmaty::{Board, Move, Piece, Position, Square};

/// The board, the line, and what the program knows of it.
pub(super) struct Line {
    device: SimulatedDgt,
    session: DgtSession,
    stillness: Stillness,
    plugged: bool,
    /// The moves by which it was last oriented.
    known: Vec<Move>,
    asked: Option<At>,
}

impl Line {
    pub(super) fn new(seed: u64, faults: Faults, board: &Board) -> Line {
        Line {
            device: SimulatedDgt::new(seed, faults, board),
            session: DgtSession::new(0),
            stillness: Stillness::new(StillSettings::default(), board.clone()),
            plugged: true,
            known: Vec::new(),
            asked: None,
        }
    }

    /// Another process begins with it.
    pub(super) fn restart(&mut self, now_ms: u64, board: &Board) {
        self.session = DgtSession::new(now_ms);
        self.stillness = Stillness::new(StillSettings::default(), board.clone());
        self.asked = None;
    }

    pub(super) fn put(&mut self, now_ms: u64, square: Square, piece: Option<Piece>) {
        self.device.put(now_ms, square, piece);
    }

    /// Its cable is pulled, or put in again.
    pub(super) fn plug(&mut self, now_ms: u64, in_: bool) -> Vec<Seen> {
        let (mut events, mut seen) = (Vec::new(), Vec::new());
        self.plugged = in_;
        if in_ {
            self.session.reopened(now_ms);
        } else {
            self.device.power_cycle(now_ms);
            self.session.closed("pulled", &mut events);
            self.hear(now_ms, events, &mut seen);
        }
        seen
    }

    /// The game went on.
    pub(super) fn follow(&mut self, game: &Game, seat: shakmaty::Color, now_ms: u64) {
        let Some(record) = game.record() else { return };
        let line: Vec<Move> = record.line.iter().map(|ply| ply.mv).collect();
        if !line.starts_with(&self.known) {
            self.stillness.orient(record.position.board());
        }
        self.known = line;
        if let Some(wanted) = game.wants_picture(seat).filter(|at| self.asked != Some(*at)) {
            self.asked = Some(wanted);
            self.stillness.look(now_ms);
        }
    }

    pub(super) fn due_ms(&self, now_ms: u64) -> Option<u64> {
        let due =
            [Some(self.device.due_ms()), Some(self.session.due_ms()), self.stillness.due_ms()];
        let due = due.into_iter().flatten().min().filter(|_| self.plugged)?;
        Some(due.max(now_ms + 1))
    }

    /// Bytes go both ways until now.
    pub(super) fn run(&mut self, now_ms: u64) -> Vec<Seen> {
        let mut seen = Vec::new();
        if !self.plugged {
            return seen;
        }
        let mut events = Vec::new();
        let bytes = self.device.transmit(now_ms);
        self.session.read(now_ms, &bytes, &mut events);
        self.hear(now_ms, events, &mut seen);
        if self.stillness.advance(now_ms) {
            self.session.look();
        }
        let mut events = Vec::new();
        while let Some(bytes) = self.session.write(now_ms, &mut events) {
            self.device.receive(now_ms, &bytes);
        }
        if events.contains(&DgtEvent::Silent) {
            self.session.closed("silent", &mut events);
            self.session.reopened(now_ms);
        }
        self.hear(now_ms, events, &mut seen);
        seen
    }

    fn hear(&mut self, now_ms: u64, events: Vec<DgtEvent>, seen: &mut Vec<Seen>) {
        for event in events {
            match event {
                DgtEvent::Board(BoardEvent::Ready(_)) => self.stillness.back(now_ms, seen),
                DgtEvent::Board(BoardEvent::Dump(dump)) => self.stillness.dump(now_ms, &dump, seen),
                DgtEvent::Board(BoardEvent::Update { field, code }) => {
                    self.stillness.update(now_ms, field, code, seen);
                }
                DgtEvent::Board(BoardEvent::Lost(why)) => self.stillness.lost(now_ms, why, seen),
                DgtEvent::Clock(_) | DgtEvent::Silent => {}
            }
        }
    }
}

/// A report as the game's input has it.
pub(super) fn report(seen: Seen, now_ms: u64) -> BoardSeen {
    let ago_ms = |at_ms: u64| now_ms.saturating_sub(at_ms);
    match seen {
        Seen::Lifted { square, at_ms } => BoardSeen::Lifted { square, ago_ms: ago_ms(at_ms) },
        Seen::Moving { .. } => BoardSeen::Moving,
        Seen::Still { picture, at_ms } => {
            BoardSeen::Still { shown: (&picture).into(), ago_ms: ago_ms(at_ms) }
        }
        Seen::Lost { why, .. } => BoardSeen::Lost { why },
        Seen::Back { .. } => BoardSeen::Back,
    }
}
