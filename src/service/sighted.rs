//! The sighted player's board and the game: what is seen goes in, what is to be done comes out.
//!
//! The board has a thread of its own; a [`Judge`] says what its pictures mean, and follows the game
//! from one made move to the next.

use std::{sync::mpsc, time::Duration};

use shakmaty::{Chess, Color, Move, Position, san::SanPlus};

use super::play::FromBoard;
use crate::{
    game::{BoardNews, Differs, Game, Input, Running, ShownBoard},
    sighted::{
        Guidance, Picture, Seen, SightedBoard,
        judge::{Finding, Judge, JudgeSettings, Standing},
    },
    text::uci,
};

/// How long a board is listened to before it is told something.
const PATIENCE: Duration = Duration::from_millis(50);
/// With so little left its player is in a hurry, milliseconds.
const HURRY_MS: u64 = 120_000;

/// What a board is told.
#[derive(Debug)]
enum ToBoard {
    Orient(Box<shakmaty::Board>),
    Look,
    Hurry(bool),
    Guide(Guidance),
}

/// The board of one player, followed by a judge.
#[derive(Debug)]
pub struct SightedEnd {
    seat: Color,
    judge: Judge,
    /// The moves that the judge knows of, and whether the last is completed.
    known: Vec<Move>,
    completed: bool,
    hurry: bool,
    guidance: Guidance,
    to_board: mpsc::Sender<ToBoard>,
    /// It is being corrected after a decision.
    corrected: bool,
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
        settings: JudgeSettings,
        ahead_ms: u64,
        to_game: tokio::sync::mpsc::Sender<FromBoard>,
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
                        Ok(ToBoard::Guide(guidance)) => {
                            board.guide(&guidance);
                        }
                        Err(mpsc::TryRecvError::Empty) => break,
                        // The game is over and gone.
                        Err(mpsc::TryRecvError::Disconnected) => return,
                    }
                }
                if let Some(seen) = board.next(PATIENCE)
                    && to_game.blocking_send(FromBoard::Seen(seen)).is_err()
                {
                    return;
                }
            }
        });
        let known: Vec<Move> =
            game.record().map_or_else(Vec::new, |r| r.line.iter().map(|ply| ply.mv).collect());
        SightedEnd {
            seat,
            judge: Judge::new(seat, position, settings),
            completed: true,
            known,
            hurry: false,
            guidance: Guidance::Nothing,
            corrected: game.is_corrected(seat),
            to_board,
            ahead_ms,
        }
    }

    /// Another game begins on this board, perhaps with the other colour.
    pub fn restart(&mut self, seat: Color, game: &Game, settings: JudgeSettings) {
        let position = game.position().cloned().unwrap_or_default();
        // A board that is gone orients itself when it is back.
        let _ = self.to_board.send(ToBoard::Orient(Box::new(position.board().clone())));
        let _ = self.to_board.send(ToBoard::Look);
        self.seat = seat;
        self.judge = Judge::new(seat, position, settings);
        let record = game.record();
        self.known = record.map_or_else(Vec::new, |r| r.line.iter().map(|ply| ply.mv).collect());
        self.completed = true;
        self.hurry = false;
        self.guidance = Guidance::Nothing;
    }

    /// Whose board it is.
    pub fn seat(&self) -> Color {
        self.seat
    }

    /// The board has not come to rest since something on it changed.
    pub fn is_moving(&self) -> bool {
        self.judge.is_moving()
    }

    /// A move is still to be executed on it.
    pub fn owes(&self) -> bool {
        self.judge.pending().is_some()
    }

    /// What is shown beside the board at present.
    pub fn guidance(&self) -> &Guidance {
        &self.guidance
    }

    fn ms(&self, now_ms: u64) -> u64 {
        now_ms.saturating_sub(self.ahead_ms)
    }

    /// When [`SightedEnd::advance`] should be called, on the service's clock.
    pub fn due_ms(&self) -> Option<u64> {
        self.judge.due_ms().map(|ms| ms + self.ahead_ms)
    }

    /// Lets time pass.
    pub fn advance(&mut self, now_ms: u64) -> Vec<Input> {
        let mut found = Vec::new();
        self.judge.advance(self.ms(now_ms), &mut found);
        self.inputs(found)
    }

    /// Takes in what the board reports.
    pub fn seen(&mut self, seen: Seen) -> Vec<Input> {
        let mut found = Vec::new();
        self.judge.see(seen, &mut found);
        let mut inputs = self.inputs(found);
        if self.corrected {
            inputs.extend(self.shows());
        }
        inputs
    }

    /// How it stands, while it is being corrected.
    fn shows(&self) -> Option<Input> {
        let news = BoardNews::Shows(shown(self.judge.picture()?));
        Some(Input::SightedBoard { seat: self.seat, news })
    }

    /// Its player is about to be taken as having pressed: what was not told yet for the sake of
    /// patience is.
    pub fn pressed(&mut self) -> Vec<Input> {
        let mut found = Vec::new();
        self.judge.pressed(&mut found);
        self.inputs(found)
    }

    /// The game went on: so does the judge.
    pub fn follow(&mut self, game: &Game, now_ms: u64) -> Vec<Input> {
        let Some(record) = game.record() else { return Vec::new() };
        let now_ms = self.ms(now_ms);
        let mut found = Vec::new();
        let line: Vec<Move> = record.line.iter().map(|ply| ply.mv).collect();
        let completed = record.line.last().is_none_or(|ply| ply.completed.is_some());
        let common = line.iter().zip(&self.known).take_while(|(a, b)| a == b).count();
        let back = self.known.split_off(common);
        for (index, ply) in record.line.iter().enumerate().skip(common) {
            if ply.mover == self.seat {
                // The opponent's move was never seen on it: entered on a page, or said.
                if self.judge.pending().is_some() {
                    let before = replay(record.start, &line[..index]);
                    self.judge.set_position(now_ms, before, &mut found);
                }
                // A move that the board showed in place of another is known to the judge already.
                if self.judge.made() != Some(ply.mv) {
                    self.back(&back, record.position, now_ms, &mut found);
                    self.judge.named(now_ms, ply.mv, &mut found);
                }
            } else if back.is_empty() {
                self.judge.expect(now_ms, ply.mv, &mut found);
            } else {
                let before = replay(record.start, &line[..index]);
                self.judge.set_position(now_ms, before, &mut found);
                self.judge.expect(now_ms, ply.mv, &mut found);
            }
        }
        if line.len() == common && !back.is_empty() {
            self.back(&back, record.position, now_ms, &mut found);
        }
        let last_own = record.line.last().is_some_and(|ply| ply.mover == self.seat);
        if completed && last_own && (!self.completed || common < line.len()) {
            self.judge.complete(now_ms, &mut found);
        }
        (self.known, self.completed) = (line, completed);
        self.guide(record.ended.is_some());
        self.hasten(game, now_ms);
        let before = std::mem::replace(&mut self.corrected, game.is_corrected(self.seat));
        let mut inputs = self.inputs(found);
        if self.corrected && !before {
            inputs.extend(self.shows());
        }
        inputs
    }

    /// Moves that the judge knows were taken back. One that the board itself no longer shows is none
    /// of his any more.
    fn back(&mut self, back: &[Move], position: &Chess, now_ms: u64, found: &mut Vec<Finding>) {
        let own = self.judge.made().is_none()
            && back.len() == 1
            && self.judge.base().is_legal(back[0])
            && self.judge.base().turn() == self.seat;
        if !back.is_empty() && !own {
            self.judge.set_position(now_ms, position.clone(), found);
            self.tell(ToBoard::Orient(Box::new(position.board().clone())));
        }
    }

    fn guide(&mut self, over: bool) {
        let guidance = match self.judge.pending() {
            Some(mv) if !over => {
                let san = SanPlus::from_move(self.judge.base().clone(), mv).to_string();
                Guidance::Execute { mv, san }
            }
            _ if self.judge.standing() == Standing::Differs && !over => {
                Guidance::Correct(self.judge.wrong())
            }
            _ => Guidance::Nothing,
        };
        if guidance != self.guidance {
            self.guidance = guidance.clone();
            self.tell(ToBoard::Guide(guidance));
        }
    }

    fn hasten(&mut self, game: &Game, now_ms: u64) {
        let at = crate::game::At::new(now_ms + self.ahead_ms);
        let Some((white_ms, black_ms, running)) = game.clock(at) else { return };
        let hurry = self.seat.fold_wb(white_ms, black_ms) < HURRY_MS && running != Running::None;
        if hurry != self.hurry {
            self.hurry = hurry;
            self.tell(ToBoard::Hurry(hurry));
        }
    }

    fn tell(&self, order: ToBoard) {
        // A board whose thread has ended was told of as lost.
        let _ = self.to_board.send(order);
    }

    fn inputs(&mut self, found: Vec<Finding>) -> Vec<Input> {
        let seat = self.seat;
        let news = |news| Input::SightedBoard { seat, news };
        // What was decided is shown already, as far as the game is concerned.
        let corrected = self.corrected;
        let told = |finding: &Finding| !corrected || !matches!(finding, Finding::Executed { .. });
        let inputs = found.into_iter().filter(told).map(|finding| match finding {
            Finding::Moved { mv, .. } | Finding::Executed { mv, .. } => {
                Input::Sighted { seat, uci: uci(mv) }
            }
            Finding::Touched { square, .. } => news(BoardNews::Touched { square }),
            Finding::Which { moves, .. } => {
                news(BoardNews::Which { moves: moves.into_iter().map(uci).collect() })
            }
            Finding::TakenBack { mv, .. } => news(BoardNews::TakenBack { uci: uci(mv) }),
            Finding::NotExecuted { mv, .. } => news(BoardNews::NotExecuted { uci: uci(mv) }),
            Finding::Differ { differences, illegal, plies_ago, .. } => {
                let squares: shakmaty::Bitboard = differences.iter().map(|d| d.square).collect();
                news(BoardNews::Differs(Box::new(Differs {
                    shown: self.judge.picture().map_or(ShownBoard::Occupied(0), shown),
                    squares: squares.into(),
                    illegal: illegal.map(|seen| format!("{}{}", seen.from, seen.to)),
                    plies_ago,
                })))
            }
            Finding::Agree { .. } => news(BoardNews::Agrees),
            Finding::NoMove { text, .. } => news(BoardNews::NoMove { text }),
            Finding::Lost { why, .. } => news(BoardNews::Lost { why }),
            Finding::Back { .. } => news(BoardNews::Back),
        });
        inputs.collect()
    }
}

fn shown(picture: &Picture) -> ShownBoard {
    match picture {
        Picture::Pieces(board) => ShownBoard::Pieces(board.board_fen().to_string()),
        Picture::Occupied(occupied) => ShownBoard::Occupied((*occupied).into()),
    }
}

fn replay(start: &Chess, line: &[Move]) -> Chess {
    let mut position = start.clone();
    for mv in line {
        // Moves of a record are legal one after another.
        position.play_unchecked(*mv);
    }
    position
}
