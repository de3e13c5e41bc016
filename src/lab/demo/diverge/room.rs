//! Two players with their boards, and what they see and hear of the service.

use std::time::{Duration, Instant};

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Square};
use tokio::sync::mpsc;

use annabella::service::news::{FromDevice, ToGame};
use annabella_core::{
    game::{Boards, HandStep, Input, MoveState, Output, Settled},
    laws::Article,
    notation::pgn::Section,
    sensing::Shape,
};
use annabella_devices::sighted::sim::SimHands;
use annabella_players::hands::{Action, Hands};
use annabella_threads::millis;
use annabella_words::phrase::Note;

/// An event that has not come after this time never will.
const PATIENCE: Duration = Duration::from_secs(12);
/// The pause between two reeds, so that each is felt by itself.
const BETWEEN: Duration = Duration::from_millis(8);

/// The service's reports since the last reset.
#[derive(Debug, Default)]
pub(super) struct Seen {
    moves: Vec<(MoveState, Uci)>,
    pub(super) boards: Option<Boards>,
    pub(super) said: Vec<String>,
    pub(super) problems: Vec<(Article, Note)>,
    pub(super) settled: Option<Settled>,
    steps: [Option<Vec<HandStep>>; 2],
    pub(super) clock: Option<(u64, u64)>,
}

impl Seen {
    /// All but the clocks.
    pub(super) fn forget(&mut self) {
        *self = Seen { clock: self.clock, ..Seen::default() };
    }
}

/// A move in UCI.
type Uci = String;

/// The table: pegs before one player, an electronic board before the other.
pub(super) struct Hall {
    pub(super) blind: Color,
    hands: Hands,
    fingers: SimHands,
    pub(super) pegs: Bitboard,
    pub(super) board: Board,
    pub(super) line: Vec<Move>,
    /// Half-moves played, those that were taken back included.
    played: usize,
    pub(super) start: Chess,
    moves: Vec<Move>,
    to_game: ToGame,
    news: mpsc::UnboundedReceiver<Output>,
    pub(super) seen: Seen,
    /// The clocks before the first half-move, then when each was completed.
    pub(super) completed: Vec<(u64, u64)>,
    /// "The boards agree again", as it is said.
    again: String,
    /// How the blind player asks that the boards be compared.
    pub(super) compare: String,
    began: Instant,
}

impl Hall {
    #[expect(clippy::too_many_arguments, reason = "made once, of what the devices have")]
    pub(super) fn new(
        blind: Color,
        section: &Section,
        hands: Hands,
        fingers: SimHands,
        to_game: ToGame,
        news: mpsc::UnboundedReceiver<Output>,
        again: String,
        compare: String,
        began: Instant,
    ) -> Hall {
        let board = section.start.board().clone();
        Hall {
            blind,
            hands,
            fingers,
            pegs: board.occupied(),
            board,
            line: Vec::new(),
            played: 0,
            start: section.start.clone(),
            moves: section.moves.clone(),
            to_game,
            news,
            seen: Seen::default(),
            completed: Vec::new(),
            again,
            compare,
            began,
        }
    }

    pub(super) fn line(&self) -> &[Move] {
        &self.line
    }

    pub(super) fn plies(&self) -> usize {
        self.played
    }

    /// Starts White's clock, and takes in its reading.
    pub(super) async fn begin(&mut self) -> Result<(), String> {
        self.send(Input::ClockStarted).await;
        if !self.until(|seen| seen.clock.is_some()).await {
            return Err("the clock was not started".to_owned());
        }
        self.completed = vec![self.seen.clock.unwrap_or_default()];
        Ok(())
    }

    pub(super) fn position(&self) -> Chess {
        self.position_after(self.line.len())
    }

    pub(super) fn position_after(&self, plies: usize) -> Chess {
        let mut position = self.start.clone();
        for mv in &self.line[..plies] {
            // Every one was legal when it was made.
            position.play_unchecked(*mv);
        }
        position
    }

    pub(super) fn sans(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let san = |mv: &Move| {
            shakmaty::san::SanPlus::from_move_and_play_unchecked(&mut position, *mv).to_string()
        };
        self.line.iter().map(san).collect()
    }

    /// The next half-move of the game, not made yet. A game that is over too soon goes on with any
    /// moves.
    pub(super) fn next(&self) -> Result<Move, String> {
        let position = self.position();
        let goes_on = |mv: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            !after.is_game_over()
        };
        let of_game = self.moves.get(self.line.len()).copied().filter(|mv| position.is_legal(*mv));
        let quiet = |mv: &Move| !mv.is_capture() && !mv.is_promotion();
        let legal = position.legal_moves();
        let any = || legal.iter().rev().copied().filter(goes_on).find(quiet);
        of_game.filter(goes_on).or_else(any).ok_or_else(|| "no move goes on from here".to_owned())
    }

    /// The next half-move of the game, pressed and carried over to the other board if `copied`.
    pub(super) async fn ply(&mut self, copied: bool) -> Result<(), String> {
        let position = self.position();
        let mv = self.next()?;
        let mover = position.turn();
        let uci = shakmaty::uci::UciMove::from_standard(mv).to_string();
        let mut after = position.clone();
        after.play_unchecked(mv);
        self.seen.moves.clear();
        if mover == self.blind {
            self.on_pegs(&position, mv).await;
        } else {
            self.set_up(after.board());
        }
        let has =
            |seen: &Seen, state| seen.moves.iter().any(|(s, told)| *s == state && *told == uci);
        if !self.until(|seen| has(seen, MoveState::Made)).await {
            return Err(format!("{uci} was not taken as made"));
        }
        self.send(Input::Pressed { seat: mover }).await;
        // The clock is reported after the move.
        let completed = |seen: &Seen| has(seen, MoveState::Completed) && seen.clock.is_some();
        if !self.until(completed).await {
            return Err(format!("{uci} was not completed by the clock"));
        }
        self.line.push(mv);
        self.played += 1;
        self.completed.push(self.seen.clock.unwrap_or_default());
        if !copied {
            return Ok(());
        }
        if mover == self.blind {
            self.set_up(after.board());
        } else {
            self.on_pegs(&position, mv).await;
        }
        match self.until(|seen| seen.boards == Some(Boards::Agree)).await {
            true => Ok(()),
            false => Err(format!("the boards do not agree after {uci}")),
        }
    }

    async fn on_pegs(&mut self, position: &Chess, mv: Move) {
        let shape = Shape::new(position.board().occupied(), mv);
        let lifts = shape.emptied.into_iter().map(Action::Lift);
        let actions: Vec<Action> =
            lifts.chain(shape.landing.into_iter().map(Action::Put)).collect();
        self.feel(&actions).await;
    }

    /// Carries out the ruling on both boards, as shown.
    pub(super) async fn correct(&mut self, told: &mut Vec<String>) -> Result<(), String> {
        tokio::time::sleep(BETWEEN).await;
        self.take_all();
        for color in Color::ALL {
            let steps = self.seen.steps[color as usize].take().unwrap_or_default();
            if steps.is_empty() {
                continue;
            }
            let texts: Vec<String> = steps.iter().map(step_text).collect();
            told.push(format!("steps for {color}: {}", texts.join(", ")));
            if color == self.blind {
                let actions: Vec<Action> = steps
                    .iter()
                    .map(|step| match step {
                        HandStep::Take { take, .. } => Action::Lift(*take),
                        HandStep::Put { put, .. } => Action::Put(*put),
                    })
                    .collect();
                self.feel(&actions).await;
            } else {
                for step in steps {
                    match step {
                        HandStep::Take { take, .. } => self.put(take, None),
                        HandStep::Put { put, piece } => self.put(put, Piece::from_char(piece)),
                    }
                    tokio::time::sleep(BETWEEN).await;
                }
            }
        }
        let again = self.again.clone();
        let agree = self
            .until(|seen| seen.boards == Some(Boards::Agree) && seen.said.contains(&again))
            .await;
        // A second report would come soon.
        tokio::time::sleep(8 * BETWEEN).await;
        self.take_all();
        for said in &self.seen.said {
            told.push(format!("said: {said}"));
        }
        let times = self.seen.said.iter().filter(|said| **said == again).count();
        if !agree || times != 1 {
            return Err(format!("the boards were said to agree again {times} times"));
        }
        self.both_show_the_game()
    }

    pub(super) fn both_show_the_game(&self) -> Result<(), String> {
        let now = self.position();
        if self.board != *now.board() || self.pegs != now.board().occupied() {
            return Err("the steps did not lead to the position".to_owned());
        }
        Ok(())
    }

    /// The fingers on the sighted player's board.
    pub(super) fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.fingers.put(square, piece);
        match piece {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
    }

    pub(super) fn set_up(&mut self, board: &Board) {
        let differ: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|square| self.board.piece_at(*square) != board.piece_at(*square))
            .collect();
        for square in differ {
            self.put(square, board.piece_at(square));
        }
    }

    /// Simulated hands on the pegs.
    pub(super) async fn feel(&mut self, actions: &[Action]) {
        let now_ms = millis(self.began.elapsed());
        let script = self.hands.correct(self.pegs, actions, now_ms);
        for (_, action) in script.actions {
            let (square, occupied) = match action {
                Action::Lift(square) => (square, false),
                Action::Put(square) => (square, true),
            };
            self.pegs.set(square, occupied);
            self.send(Input::Edge { seat: self.blind, square, occupied, ago_ms: 0 }).await;
            tokio::time::sleep(BETWEEN).await;
        }
    }

    /// The blind player says something.
    pub(super) async fn says(&self, text: &str) {
        self.send(Input::Said { seat: Some(self.blind), heard: vec![text.to_owned()] }).await;
    }

    async fn send(&self, input: Input) {
        // A service that ended has said why.
        let _ = self.to_game.send(FromDevice::Input(input)).await;
    }

    pub(super) async fn until(&mut self, done: impl Fn(&Seen) -> bool) -> bool {
        self.until_for(PATIENCE, done).await
    }

    /// Takes in the service's reports until `done`, or until a time limit.
    pub(super) async fn until_for(
        &mut self,
        patience: Duration,
        done: impl Fn(&Seen) -> bool,
    ) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            self.take_all();
            if done(&self.seen) {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }

    fn take_all(&mut self) {
        let seen = &mut self.seen;
        while let Ok(output) = self.news.try_recv() {
            match output {
                Output::Move { state, uci, .. } => {
                    if state == MoveState::Completed {
                        seen.clock = None;
                    }
                    seen.moves.push((state, uci));
                }
                Output::Boards(boards) => seen.boards = Some(boards),
                Output::Say { words, .. } => seen.said.push(words.to_string()),
                Output::Problem { article, text, .. } => seen.problems.push((article, text)),
                Output::Clock { white_ms, black_ms, .. } => seen.clock = Some((white_ms, black_ms)),
                Output::Settled(settled) => seen.settled = Some(*settled),
                Output::Correct { seat, steps } => {
                    // The first list is the whole of it.
                    seen.steps[seat as usize].get_or_insert(steps);
                }
                _ => {}
            }
        }
    }
}

fn step_text(step: &HandStep) -> String {
    match step {
        HandStep::Take { take, piece: Some(piece) } => format!("take {piece} from {take}"),
        HandStep::Take { take, piece: None } => format!("take what stands on {take}"),
        HandStep::Put { put, piece } => format!("put {piece} on {put}"),
    }
}
