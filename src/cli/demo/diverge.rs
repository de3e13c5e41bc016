//! The demonstration of D.2.9: the boards and scores drift apart, and an arbiter at his page settles it.

use std::{
    cell::RefCell,
    path::PathBuf,
    time::{Duration, Instant},
};

use shakmaty::{Bitboard, Board, Chess, Color, Move, Piece, Position, Square};
use tokio::sync::mpsc;

use super::screen::Screen;
use crate::{
    cli::Failure,
    config::Config,
    game::{At, Boards, Game, HandStep, Input, MoveState, Output, Settled, write_fen},
    journal::{
        GameId,
        report::{Report, ReportLabels},
    },
    laws::Article,
    notation::pgn::Section,
    sensing::Shape,
    service::{
        Service,
        devices::Devices,
        pages,
        play::{self, FromBoard, Listens, Moments},
        sighted::SightedEnd,
    },
    sighted::{
        judge::JudgeSettings,
        sim::{SimBoard, SimHands},
        still::StillSettings,
    },
    simulator::{
        hands::{Action, Hands},
        table::Watch,
    },
    voice::Pcm,
};

mod arbiter;
use arbiter::Arbiter;

/// What is not noticed or done after so long never will be.
const PATIENCE: Duration = Duration::from_secs(12);
/// The pause between two reeds, so that each is felt by itself.
const BETWEEN: Duration = Duration::from_millis(30);

/// How the boards or the scores are made to differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wrong {
    /// The sighted player's board shows another move than the one that was made.
    Move,
    /// A piece stands elsewhere on the sighted player's board.
    Moved,
    /// A piece is gone from it.
    Missing,
    /// One more stands on it.
    Added,
    /// Two have changed places.
    Exchanged,
    /// A peg stands elsewhere on the blind player's board.
    PegMoved,
    /// A peg is gone.
    PegMissing,
    /// One more peg.
    PegAdded,
    /// Both boards are wrong.
    Both,
    /// The scores differ at a half-move.
    Scores,
    /// An entry is illegal.
    Illegal,
    /// An entry cannot be read.
    Unreadable,
    /// The last entry is missing.
    LastEntry,
    /// The arbiter decides otherwise than proposed.
    Otherwise,
}

const CASES: [(Wrong, &str); 14] = [
    (Wrong::Move, "a wrong move on the sighted player's board"),
    (Wrong::Moved, "a piece moved on the sighted player's board"),
    (Wrong::Missing, "a piece missing on the sighted player's board"),
    (Wrong::Added, "a piece added on the sighted player's board"),
    (Wrong::Exchanged, "two pieces exchanged on the sighted player's board"),
    (Wrong::PegMoved, "a peg moved on the blind player's board"),
    (Wrong::PegMissing, "a peg missing on the blind player's board"),
    (Wrong::PegAdded, "a peg added on the blind player's board"),
    (Wrong::Both, "both boards wrong"),
    (Wrong::Scores, "scores that differ"),
    (Wrong::Illegal, "an illegal entry"),
    (Wrong::Unreadable, "an unreadable entry"),
    (Wrong::LastEntry, "a missing last entry"),
    (Wrong::Otherwise, "the arbiter decides otherwise"),
];

/// Nobody listens in a demonstration with hands.
struct NoEars;

impl Listens for NoEars {
    fn expect(&mut self, _game: &Game) {}

    fn keep(&mut self, _game: GameId, _at: At, _sound: &Pcm) -> Result<(), String> {
        Ok(())
    }
}

/// Plays the section's moves and settles one case after another; whether all ended as they should.
///
/// # Errors
///
/// [`Failure`] when the pages cannot be opened or the report not be written.
pub(super) fn play(
    service: &mut Service,
    screen: &mut Screen<'_>,
    section: &Section,
    config: &Config,
    hands: Hands,
) -> Result<bool, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start the service: {err}")))?;
    runtime.block_on(serve(service, screen, section, config, hands))
}

async fn serve(
    service: &mut Service,
    screen: &mut Screen<'_>,
    section: &Section,
    config: &Config,
    hands: Hands,
) -> Result<bool, Failure> {
    let moments =
        Moments::from(service.next_moment().map_err(|err| Failure::device(err.to_string()))?);
    let (to_game, board) = mpsc::channel(play::QUEUE);
    let (tell, mut lines) = mpsc::unbounded_channel();
    let told = move |line: &str| {
        // Only the first line, with the codes, is waited for.
        let _ = tell.send(line.to_owned());
    };
    let pages = pages::open(config, &to_game, told).await.map_err(Failure::Device)?;
    let line = lines.recv().await.ok_or_else(|| Failure::device("the pages tell no code"))?;
    let board_now = section.start.board().clone();
    let (began, ahead_ms) = (Instant::now(), moments.now().ms);
    let still = StillSettings { still_ms: 100, ..StillSettings::default() };
    let judge = JudgeSettings { differ_ms: 400, in_hand_ms: 800, ..JudgeSettings::default() };
    let (fingers, sim) = SimBoard::new(&board_now, false, still, began);
    let end = SightedEnd::open(
        Box::new(sim),
        Color::Black,
        service.game(),
        judge,
        ahead_ms,
        to_game.clone(),
    );
    let mut devices = Devices { sighted: Some(end), pages, ..Devices::none() };
    let (news_to, news) = mpsc::unbounded_channel();
    let screen = RefCell::new(screen);
    let mut act = |at: At, output: &Output| -> Result<(), String> {
        screen.borrow_mut().output(at, output);
        // The players are gone when the demonstration is over.
        let _ = news_to.send(output.clone());
        Ok(())
    };
    let mut complaints = |line: &str| {
        // What cannot be written here is found when the screen is closed.
        let _ = screen.borrow_mut().say(&format!("({line})"));
    };
    let mut hall = Hall {
        hands,
        fingers,
        pegs: board_now.occupied(),
        board: board_now,
        line: Vec::new(),
        start: section.start.clone(),
        moves: section.moves.clone(),
        to_game,
        news,
        seen: Seen::default(),
        completed: Vec::new(),
        began,
    };
    let mut ears = NoEars;
    let (mut right, html) = tokio::select! {
        ended = play::run(
            service, moments, board, &mut act, &mut complaints, &mut ears, &mut devices,
        ) => {
            ended.map_err(Failure::Device)?;
            return Err(Failure::device("the service ended before the demonstration"));
        }
        done = hall.cases(&line, &screen) => done?,
    };
    let screen = screen.into_inner();
    if let Err(problem) = scores_agree(service, &hall.line) {
        screen.say(&format!("FAILED: the scores after the last case: {problem}"))?;
        right = false;
    }
    let labels = ReportLabels::ENGLISH;
    let inputs = service.inputs().map_err(|err| Failure::device(err.to_string()))?;
    let text = Report::of(service.id().number, &inputs, &labels)
        .ok_or_else(|| Failure::device("the journal gives no report"))?
        .to_text(&labels);
    let folder = std::env::temp_dir().join(format!("annabella-report-{}", std::process::id()));
    let (page, plain) = (folder.join("report.html"), folder.join("report.txt"));
    std::fs::create_dir_all(&folder).map_err(|err| unwritten(&folder, &err))?;
    std::fs::write(&page, html).map_err(|err| unwritten(&page, &err))?;
    std::fs::write(&plain, &text).map_err(|err| unwritten(&plain, &err))?;
    screen.say(&format!("The arbiter's report: {} and {}", page.display(), plain.display()))?;
    screen.say(&text)?;
    Ok(right)
}

fn unwritten(path: &std::path::Path, err: &std::io::Error) -> Failure {
    Failure::device(format!("cannot write {}: {err}", PathBuf::from(path).display()))
}

/// Both scores and the game say the same moves.
fn scores_agree(service: &Service, line: &[Move]) -> Result<(), String> {
    let record = service.game().record().ok_or("there is no game")?;
    let made: Vec<Move> = record.line.iter().map(|ply| ply.mv).collect();
    if made != line {
        return Err(format!("{} half-moves in the game, not {}", made.len(), line.len()));
    }
    for (name, score) in [("White", record.white_score), ("Black", record.black_score)] {
        let written: Vec<Option<Move>> = score.iter().map(|entry| entry.mv).collect();
        let same = written.len() == line.len()
            && written.iter().zip(line).all(|(entry, mv)| entry.is_none_or(|entry| entry == *mv));
        if !same {
            return Err(format!("the score of {name} is not that of the game"));
        }
    }
    Ok(())
}

/// What the service has told since it was last forgotten.
#[derive(Debug, Default)]
struct Seen {
    moves: Vec<(MoveState, Uci)>,
    boards: Option<Boards>,
    said: Vec<String>,
    problems: Vec<(Article, String)>,
    settled: Option<Settled>,
    steps: [Option<Vec<HandStep>>; 2],
    clock: Option<(u64, u64)>,
}

/// A move in UCI.
type Uci = String;

/// Two players with their boards, and what they know.
struct Hall {
    hands: Hands,
    fingers: SimHands,
    pegs: Bitboard,
    board: Board,
    line: Vec<Move>,
    start: Chess,
    moves: Vec<Move>,
    to_game: mpsc::Sender<FromBoard>,
    news: mpsc::UnboundedReceiver<Output>,
    seen: Seen,
    /// The clocks when each half-move was completed.
    completed: Vec<(u64, u64)>,
    began: Instant,
}

impl Hall {
    async fn cases(
        &mut self,
        line: &str,
        screen: &RefCell<&mut Screen<'_>>,
    ) -> Result<(bool, String), Failure> {
        let mut arbiter = Arbiter::pair(line).await.map_err(Failure::Device)?;
        self.send(Input::ClockStarted).await;
        let mut right = true;
        for (number, (wrong, name)) in CASES.into_iter().enumerate() {
            screen.borrow_mut().say(&format!("Case {}: {name}", number + 1))?;
            let mut told = Vec::new();
            let ended = self.case(wrong, &mut arbiter, &mut told).await;
            for line in told {
                screen.borrow_mut().say(&format!("  {line}"))?;
            }
            match ended {
                Ok(()) => screen.borrow_mut().say("  as it should be; play goes on")?,
                Err(problem) => {
                    screen.borrow_mut().say(&format!("FAILED: {name}: {problem}"))?;
                    right = false;
                    break;
                }
            }
        }
        let html = arbiter.get("/report").await.map_err(Failure::Device)?;
        Ok((right, html))
    }

    async fn case(
        &mut self,
        wrong: Wrong,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<(), String> {
        // White's pegs go astray while Black is on move, Black's pieces while White is.
        let pegs = matches!(wrong, Wrong::PegMoved | Wrong::PegMissing | Wrong::PegAdded);
        let least = if self.line.is_empty() { 4 } else { 1 };
        for n in 0.. {
            let black = self.position().turn().is_black();
            if n >= least && black == pegs {
                break;
            }
            self.ply(true).await?;
        }
        self.seen = Seen { clock: self.seen.clock, ..Seen::default() };
        let length = self.line.len();
        told.push(format!("done: {}", self.drift(wrong, arbiter).await?));
        if wrong == Wrong::LastEntry {
            return self.unwritten(arbiter, told).await;
        }
        // Pegs alone go astray: their player is guided in his ear first.
        let guided = |said: &String| said.starts_with("Nimm ") || said.starts_with("Setz ");
        let noticed = self
            .until(|seen| {
                seen.problems.iter().any(|problem| problem.0 == Article::D_2_9)
                    || (pegs && seen.said.iter().any(guided))
            })
            .await;
        for (article, text) in &self.seen.problems {
            told.push(format!("noticed: {article}: {text}"));
        }
        for said in &self.seen.said {
            told.push(format!("said: {said}"));
        }
        if !noticed {
            return Err("the service has not noticed it".to_owned());
        }
        let retrace = matches!(wrong, Wrong::Scores | Wrong::Illegal | Wrong::Unreadable);
        let length = if wrong == Wrong::Move { length + 1 } else { length };
        let ply = if retrace {
            length - 2
        } else if wrong == Wrong::Otherwise {
            length - 1
        } else {
            length
        };
        let page = arbiter.get("/arbiter").await?;
        let verdict = arbiter::decision(&page).ok_or("the arbiter's page offers no decision")?;
        told.push(format!("verdict: {verdict}"));
        self.seen.said.clear();
        let before = self.seen.clock.unwrap_or_default();
        // For a retrace the clocks of the journal, for another position typed ones, else as they are.
        let number = ply.to_string();
        let reply = if wrong == Wrong::Otherwise {
            let reason = "both players agree that the last move was not completed";
            told.push(format!("the arbiter: back to half-move {ply}, because {reason}"));
            arbiter
                .acts(&[
                    ("act", "settle-otherwise"),
                    ("score", ""),
                    ("ply", &number),
                    ("clocks", "other"),
                    ("white", "1:20:00"),
                    ("black", "1:10:00"),
                    ("reason", reason),
                ])
                .await?
        } else {
            let reason = if retrace { "the scores differ there" } else { "the scores agree" };
            told.push(format!("the arbiter: as proposed, after half-move {ply}, because {reason}"));
            let mark =
                arbiter::hidden(&page, "mark").ok_or("the page has no decision to confirm")?;
            let clocks = if retrace { "0" } else { "now" };
            let form = [("act", "settle"), ("mark", &mark), ("clocks", clocks), ("reason", reason)];
            arbiter.acts(&form).await?
        };
        if !reply.contains("Done.") {
            return Err("the arbiter's page did not take the decision".to_owned());
        }
        if !self.until(|seen| seen.settled.is_some()).await {
            return Err("nothing was settled".to_owned());
        }
        let settled = self.seen.settled.clone().ok_or("nothing was settled")?;
        self.line.truncate(ply);
        if settled.fen != write_fen(&self.position()) || settled.ply as usize != ply {
            return Err(format!("settled after half-move {} at {}", settled.ply, settled.fen));
        }
        let after = (settled.white_ms, settled.black_ms);
        let times = |(white, black): (u64, u64)| {
            format!("{:.1} s / {:.1} s", white as f64 / 1e3, black as f64 / 1e3)
        };
        told.push(format!("clocks: {} before, {} after", times(before), times(after)));
        let wanted = match wrong {
            Wrong::Otherwise => Some((4_800_000, 4_200_000)),
            _ if retrace => self.completed.get(ply - 1).copied(),
            _ => None,
        };
        if wanted.is_some_and(|wanted| wanted != after) {
            return Err(format!("the clocks are not as ruled: {}", times(after)));
        }
        if wanted.is_none() && (after.0 > before.0 || after.1 > before.1) {
            return Err("the clocks were given time that nobody ruled".to_owned());
        }
        self.completed.truncate(ply);
        self.correct(told).await?;
        if wrong == Wrong::Move {
            // His board never showed the move: it is still to be written (8.1.3).
            self.write_last(arbiter, told).await?;
        }
        let reply = arbiter.acts(&[("act", "start-clocks"), ("reason", "")]).await?;
        if !reply.contains("Done.") {
            return Err("the arbiter's page did not start the clocks".to_owned());
        }
        self.ply(true).await
    }

    /// A score that only lacks its last entry is no difference: it is completed.
    async fn unwritten(
        &mut self,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<(), String> {
        let differs =
            self.until_for(Duration::from_secs(1), |seen| !seen.problems.is_empty()).await;
        if differs {
            return Err(format!("it was taken for a difference: {:?}", self.seen.problems));
        }
        told.push("verdict: 8.1.3: no difference, the entry is asked for".to_owned());
        let page = arbiter.get("/arbiter").await?;
        if arbiter::decision(&page).is_some_and(|text| text.contains("Back to")) {
            return Err("the arbiter's page would go back".to_owned());
        }
        self.write_last(arbiter, told).await?;
        self.ply(true).await
    }

    /// The last entry of Black's score, on the arbiter's page.
    async fn write_last(
        &mut self,
        arbiter: &mut Arbiter,
        told: &mut Vec<String>,
    ) -> Result<(), String> {
        let after = (self.line.len() - 1).to_string();
        let text = self.sans().pop().unwrap_or_default();
        let form = [("act", "score"), ("seat", "black"), ("after", &after), ("text", &text)];
        let reply = arbiter.acts(&form).await?;
        if !reply.contains("Done.") {
            return Err("the missing entry was not taken".to_owned());
        }
        told.push(format!(
            "the arbiter: enters {text} in Black's score, clocks and boards untouched"
        ));
        Ok(())
    }

    fn position(&self) -> Chess {
        let mut position = self.start.clone();
        for mv in &self.line {
            position.play_unchecked(*mv);
        }
        position
    }

    fn sans(&self) -> Vec<String> {
        let mut position = self.start.clone();
        let san = |mv: &Move| {
            shakmaty::san::SanPlus::from_move_and_play_unchecked(&mut position, *mv).to_string()
        };
        self.line.iter().map(san).collect()
    }

    async fn drift(&mut self, wrong: Wrong, arbiter: &mut Arbiter) -> Result<String, String> {
        use Square::{A2, A4, D7, D8, E8};
        // Far from where a white pawn can go at once.
        let far = Bitboard::from(shakmaty::Rank::Fifth) & !self.pegs & !self.board.occupied();
        let far = far.last().ok_or("the fifth rank is full")?;
        let white = |role: shakmaty::Role| Piece { color: Color::White, role };
        let pawn = white(shakmaty::Role::Pawn);
        Ok(match wrong {
            Wrong::Move => {
                self.ply(false).await?;
                self.put(A2, None);
                self.put(A4, Some(pawn));
                "White's move is made, and the pawn a2 goes to a4 instead on Black's board"
                    .to_owned()
            }
            Wrong::Moved => {
                self.put(A2, None);
                self.put(far, Some(pawn));
                format!("the pawn a2 stands on {far} on Black's board")
            }
            Wrong::Missing | Wrong::Otherwise => {
                self.put(D7, None);
                self.put(A2, None);
                "nothing stands on a2 and d7 on Black's board".to_owned()
            }
            Wrong::Added => {
                self.put(far, Some(white(shakmaty::Role::Queen)));
                format!("a white queen more stands on {far} on Black's board")
            }
            Wrong::Exchanged => {
                let (d8, e8) = (self.board.piece_at(D8), self.board.piece_at(E8));
                self.put(D8, e8);
                self.put(E8, d8);
                "what stands on d8 and e8 is exchanged on Black's board".to_owned()
            }
            Wrong::PegMoved => {
                self.feel(&[Action::Lift(A2), Action::Put(far)]).await;
                format!("the peg of a2 stands in {far}")
            }
            Wrong::PegMissing => {
                self.feel(&[Action::Lift(A2)]).await;
                "the peg of a2 is gone".to_owned()
            }
            Wrong::PegAdded => {
                self.feel(&[Action::Put(far)]).await;
                format!("a peg more stands in {far}")
            }
            Wrong::Both => {
                self.put(A2, None);
                self.feel(&[Action::Put(far)]).await;
                format!("a2 is empty on Black's board, and a peg more stands in {far}")
            }
            Wrong::Scores | Wrong::Illegal | Wrong::Unreadable | Wrong::LastEntry => {
                let mut sans = self.sans();
                let last = sans.len() - 2;
                match wrong {
                    Wrong::LastEntry => {
                        sans.pop();
                    }
                    Wrong::Illegal => sans[last] = "Kd8d1".to_owned(),
                    Wrong::Unreadable => sans[last] = "~~".to_owned(),
                    _ => {
                        let mut before = self.start.clone();
                        for mv in &self.line[..last] {
                            before.play_unchecked(*mv);
                        }
                        let other =
                            before.legal_moves().into_iter().find(|mv| *mv != self.line[last]);
                        let other = other.ok_or("there is no other move")?;
                        sans[last] = shakmaty::san::SanPlus::from_move(before, other).to_string();
                    }
                }
                let text = sans.join(" ");
                let form = [("act", "score"), ("seat", "black"), ("after", "0"), ("text", &text)];
                let reply = arbiter.acts(&form).await?;
                if !reply.contains("Done.") {
                    return Err("the page did not take the score".to_owned());
                }
                format!("Black's score reads '{text}'")
            }
        })
    }

    /// The next half-move of the game, pressed and carried over to the other board if `copied`.
    async fn ply(&mut self, copied: bool) -> Result<(), String> {
        let position = self.position();
        let mv = *self.moves.get(self.line.len()).ok_or("the game has no more moves")?;
        let mover = position.turn();
        let uci = shakmaty::uci::UciMove::from_standard(mv).to_string();
        let mut after = position.clone();
        after.play_unchecked(mv);
        self.seen.moves.clear();
        if mover.is_white() {
            self.on_pegs(&position, mv).await;
        } else {
            self.set_up(after.board());
        }
        let has =
            |seen: &Seen, state| seen.moves.iter().any(|(s, told)| *s == state && *told == uci);
        if !self.until(|seen| has(seen, MoveState::Made)).await {
            return Err(format!("{mv} was not taken as made"));
        }
        self.send(Input::Pressed { seat: mover }).await;
        if !self.until(|seen| has(seen, MoveState::Completed)).await {
            return Err(format!("{mv} was not completed by the clock"));
        }
        // The clock is told after the move.
        tokio::time::sleep(BETWEEN).await;
        self.take_all();
        self.line.push(mv);
        self.completed.push(self.seen.clock.unwrap_or_default());
        if !copied {
            return Ok(());
        }
        if mover.is_white() {
            self.set_up(after.board());
        } else {
            self.on_pegs(&position, mv).await;
        }
        match self.until(|seen| seen.boards == Some(Boards::Agree)).await {
            true => Ok(()),
            false => Err(format!("the boards do not agree after {mv}")),
        }
    }

    async fn on_pegs(&mut self, position: &Chess, mv: Move) {
        let shape = Shape::new(position.board().occupied(), mv);
        let lifts = shape.emptied.into_iter().map(Action::Lift);
        let actions: Vec<Action> =
            lifts.chain(shape.landing.into_iter().map(Action::Put)).collect();
        self.feel(&actions).await;
    }

    /// What was ruled is carried out on both boards as shown.
    async fn correct(&mut self, told: &mut Vec<String>) -> Result<(), String> {
        tokio::time::sleep(BETWEEN).await;
        self.take_all();
        for color in Color::ALL {
            let steps = self.seen.steps[color as usize].take().unwrap_or_default();
            if steps.is_empty() {
                continue;
            }
            let texts: Vec<String> = steps.iter().map(step_text).collect();
            told.push(format!("steps for {color}: {}", texts.join(", ")));
            if color.is_white() {
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
        let again = |said: &String| said == "Die Bretter stimmen wieder.";
        let agree = self
            .until(|seen| seen.boards == Some(Boards::Agree) && seen.said.iter().any(again))
            .await;
        for said in &self.seen.said {
            told.push(format!("said: {said}"));
        }
        let times = self.seen.said.iter().filter(|said| again(said)).count();
        if !agree || times != 1 {
            return Err(format!("the boards were said to agree again {times} times"));
        }
        let now = self.position();
        if self.board != *now.board() || self.pegs != now.board().occupied() {
            return Err("the steps did not lead to the position".to_owned());
        }
        Ok(())
    }

    fn put(&mut self, square: Square, piece: Option<Piece>) {
        self.fingers.put(square, piece);
        match piece {
            Some(piece) => self.board.set_piece_at(square, piece),
            None => self.board.discard_piece_at(square),
        }
    }

    fn set_up(&mut self, board: &Board) {
        let differ: Vec<Square> = Square::ALL
            .into_iter()
            .filter(|square| self.board.piece_at(*square) != board.piece_at(*square))
            .collect();
        for square in differ {
            self.put(square, board.piece_at(square));
        }
    }

    /// Simulated hands on the pegs.
    async fn feel(&mut self, actions: &[Action]) {
        let now_ms = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let script = self.hands.correct(self.pegs, actions, now_ms);
        for (_, action) in script.actions {
            let (square, occupied) = match action {
                Action::Lift(square) => (square, false),
                Action::Put(square) => (square, true),
            };
            self.pegs.set(square, occupied);
            self.send(Input::Edge { seat: Color::White, square, occupied }).await;
            tokio::time::sleep(BETWEEN).await;
        }
    }

    async fn send(&self, input: Input) {
        // A service that ended has said why.
        let _ = self.to_game.send(FromBoard::Input(input)).await;
    }

    async fn until(&mut self, done: impl Fn(&Seen) -> bool) -> bool {
        self.until_for(PATIENCE, done).await
    }

    /// Takes in what the service tells until `done`, or until it has taken too long.
    async fn until_for(&mut self, patience: Duration, done: impl Fn(&Seen) -> bool) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            self.take_all();
            if done(&self.seen) {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    fn take_all(&mut self) {
        let seen = &mut self.seen;
        while let Ok(output) = self.news.try_recv() {
            match output {
                Output::Move { state, uci, .. } => seen.moves.push((state, uci)),
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
