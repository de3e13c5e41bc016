//! The sighted player's board and the game: reports go in, orders go out.
//!
//! The board has a thread of its own. Its reports reach the game unchanged, and the game interprets
//! them.

use std::{sync::mpsc, time::Duration};

use shakmaty::{Color, Move, Position};

use super::news::{FromDevice, ToGame};
use annabella_core::game::{At, BoardSeen, Game, Input, Running};
use annabella_devices::sighted::{Seen, SightedBoard};

/// The longest wait for the board before it gets its orders.
const PATIENCE: Duration = Duration::from_millis(50);
/// With so little left its player is in a hurry, milliseconds.
const HURRY_MS: u64 = 120_000;

/// An order to a board.
#[derive(Debug)]
enum ToBoard {
    Orient(Box<shakmaty::Board>),
    Look,
    Hurry(bool),
}

/// The board of one player.
#[derive(Debug)]
pub struct SightedEnd {
    seat: Color,
    /// The moves that the board was last oriented by.
    known: Vec<Move>,
    /// For what it was last asked how it stands.
    asked: Option<At>,
    hurry: bool,
    to_board: mpsc::Sender<ToBoard>,
    /// Milliseconds of the board's time that the service's clock is ahead.
    ahead_ms: u64,
}

impl SightedEnd {
    /// Starts to watch the board before `seat`. Its times count from a moment that is `ahead_ms` on
    /// the service's clock.
    pub fn open(
        mut board: Box<dyn SightedBoard>,
        seat: Color,
        game: &Game,
        ahead_ms: u64,
        to_game: ToGame,
    ) -> SightedEnd {
        let (to_board, orders) = mpsc::channel();
        let position = game.position().cloned().unwrap_or_default();
        board.orient(position.board());
        std::thread::spawn(move || {
            loop {
                loop {
                    match orders.try_recv() {
                        Ok(ToBoard::Orient(shown)) => board.orient(&shown),
                        Ok(ToBoard::Look) => board.look(),
                        Ok(ToBoard::Hurry(hurry)) => board.hurry(hurry),
                        Err(mpsc::TryRecvError::Empty) => break,
                        // The game is over and gone.
                        Err(mpsc::TryRecvError::Disconnected) => return,
                    }
                }
                if let Some(seen) = board.next(PATIENCE)
                    && to_game.blocking_send(FromDevice::Seen(seen)).is_err()
                {
                    return;
                }
            }
        });
        SightedEnd {
            seat,
            known: line(game),
            // The board reports by itself when it is found.
            asked: Some(At::default()),
            hurry: false,
            to_board,
            ahead_ms,
        }
    }

    /// Another game begins on this board, perhaps with the other colour.
    pub fn restart(&mut self, seat: Color, game: &Game) {
        let position = game.position().cloned().unwrap_or_default();
        self.tell(ToBoard::Orient(Box::new(position.board().clone())));
        self.tell(ToBoard::Look);
        self.seat = seat;
        self.known = line(game);
        self.asked = Some(At::default());
        self.hurry = false;
    }

    /// The player before the board.
    pub fn seat(&self) -> Color {
        self.seat
    }

    /// The board's report as the game's input.
    pub fn seen(&mut self, seen: Seen, now_ms: u64) -> Input {
        let ago_ms = |at_ms: u64| now_ms.saturating_sub(at_ms.saturating_add(self.ahead_ms));
        let seen = match seen {
            Seen::Lifted { square, at_ms } => BoardSeen::Lifted { square, ago_ms: ago_ms(at_ms) },
            Seen::Moving { .. } => BoardSeen::Moving,
            Seen::Still { picture, at_ms } => {
                // Before any press it is asked again only when it has answered.
                self.asked = self.asked.filter(|asked| *asked != At::default());
                BoardSeen::Still { shown: (&picture).into(), ago_ms: ago_ms(at_ms) }
            }
            Seen::Lost { why, .. } => BoardSeen::Lost { why },
            Seen::Back { .. } => BoardSeen::Back,
        };
        Input::BoardSeen { seat: self.seat, seen }
    }

    /// The game went on: the board gets its orders.
    pub fn follow(&mut self, game: &Game, now_ms: u64) {
        let line = line(game);
        // The game went back, perhaps with the board set up again, so its orientation is found
        // again.
        if !line.starts_with(&self.known)
            && let Some(position) = game.position()
        {
            self.tell(ToBoard::Orient(Box::new(position.board().clone())));
        }
        self.known = line;
        if let Some(wanted) = game.wants_picture(self.seat).filter(|at| self.asked != Some(*at)) {
            self.asked = Some(wanted);
            self.tell(ToBoard::Look);
        }
        self.hasten(game, now_ms);
    }

    fn hasten(&mut self, game: &Game, now_ms: u64) {
        let at = At::new(now_ms);
        let Some((white_ms, black_ms, running)) = game.clock(at) else { return };
        let hurry = self.seat.fold_wb(white_ms, black_ms) < HURRY_MS && running != Running::None;
        if hurry != self.hurry {
            self.hurry = hurry;
            self.tell(ToBoard::Hurry(hurry));
        }
    }

    fn tell(&self, order: ToBoard) {
        // A board whose thread has ended was reported as lost.
        let _ = self.to_board.send(order);
    }
}

fn line(game: &Game) -> Vec<Move> {
    game.record().map_or_else(Vec::new, |record| record.line.iter().map(|ply| ply.mv).collect())
}
