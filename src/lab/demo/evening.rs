//! The demonstration of an evening at home: a simulated blind player without sensors speaks his
//! moves, and `annabella-partner` plays against him with Stockfish, through the door that any
//! program may use.

use std::{
    cell::RefCell,
    path::Path,
    process::{Child, Command, Stdio},
    time::Duration,
};

use shakmaty::{Color, Move, Position as _, uci::UciMove};
use tokio::sync::mpsc;

use super::{Demo, DemoFolder, screen::Screen, started};
use annabella::{
    cli::{Exit, Failure},
    config::{BoardKind, SightedKind},
    service::{
        Service,
        beside::PARTNER,
        news::{FromDevice, ToGame},
        play::{self, Moments},
        room::{Outlets, Room},
    },
};
use annabella_core::{
    game::{At, Blind, GameConfig, HandsKnown, HandsOf, Input, MoveState, Output},
    notation::pgn::read_games,
};
use annabella_partner::{
    home,
    judge::{Judge, Word},
    level::Level,
    line::Line,
    score::usual_start,
    thinker::Thinker,
};
use annabella_players::table::{PlyReport, Watch as _};
use annabella_records::journal::Journal;
use annabella_words::phrase::{Command as Request, Prompt, SpokenForm, Words};

/// What has not come after this time never will.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long the player's own engine thinks.
const THINKS: Duration = Duration::from_millis(100);

/// Settings of the demonstration.
pub(super) struct Setting<'a> {
    pub(super) level: Level,
    pub(super) blind: Color,
    pub(super) words: Words,
    pub(super) prompts: &'a str,
    pub(super) time_control: &'a str,
    pub(super) seed: u64,
    /// In real time a partner takes his time too.
    pub(super) life: bool,
}

/// A partner who leaves with the demonstration.
struct Partner(Child);

impl Drop for Partner {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Plays a game to its end.
///
/// # Errors
/// [`Failure`] when no engine or no partner is there, or the pages cannot be opened.
pub(super) fn play(
    folder: &DemoFolder,
    screen: &mut Screen<'_>,
    setting: Setting<'_>,
) -> Result<Exit, Failure> {
    let announced = HandsKnown::Announced;
    let blind = setting.blind;
    let name = |own: bool| if own { "a simulated blind player" } else { "annabella-partner" };
    let config = GameConfig {
        at_home: true,
        white: name(blind.is_white()).to_owned(),
        black: name(blind.is_black()).to_owned(),
        blind: blind.fold_wb(Blind::White, Blind::Black),
        hands: blind.fold_wb(
            HandsOf { white: announced, ..HandsOf::default() },
            HandsOf { black: announced, ..HandsOf::default() },
        ),
        sighted_board: true,
        prompts: setting.prompts.to_owned(),
        time_control: setting.time_control.to_owned(),
        ..GameConfig::default()
    };
    let path = folder.path.join("evening.db");
    let journal = Journal::open(&path).map_err(Failure::device)?;
    let (mut service, outputs) =
        Service::begin(journal, At::new(0), started(config)).map_err(Failure::device)?;
    screen.begin(1);
    for output in &outputs {
        screen.output(At::new(0), output);
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime =
        runtime.map_err(|err| Failure::device(format!("cannot start the service: {err}")))?;
    runtime.block_on(serve(&mut service, screen, &folder.path, &setting))
}

async fn serve(
    service: &mut Service,
    screen: &mut Screen<'_>,
    folder: &Path,
    setting: &Setting<'_>,
) -> Result<Exit, Failure> {
    let (door, score) = (folder.join("evening.code"), folder.join("evening.pgn"));
    let mut config = Demo::silent(folder.join("evening.db"));
    config.console.listen = Some(([127, 0, 0, 1], 0).into());
    config.console.program_code = Some(door.clone());
    config.game.at_home = true;
    config.sighted.kind = SightedKind::Page;
    config.board.kind = BoardKind::None;
    // Nobody types.
    config.board.path = "".into();
    config.speech.prompts = setting.prompts.to_owned();
    let moments = Moments::from(service.next_moment().map_err(Failure::device)?);
    let screen = RefCell::new(screen);
    let mut complaints = |line: &str| {
        // An error in writing is found when the screen is closed.
        let _ = screen.borrow_mut().say(&format!("({line})"));
    };
    let on_pegs = setting.blind.fold_wb(Blind::White, Blind::Black);
    let occupied = shakmaty::Board::default().occupied();
    let places = vec![(setting.blind, occupied)];
    let outlets = Outlets::open(&config, on_pegs, places, None, &mut complaints)?;
    let room = outlets.join(&config, service.game(), moments, &mut complaints).await?;
    let Room { mut devices, mut hearing, inbox, open, .. } = room;
    let to_game = open.ok_or_else(|| Failure::device("the board's events end the game"))?;
    let program = PARTNER.path();
    let mut call = Command::new(&program);
    call.arg("join").arg("--door").arg(&door).arg("--score").arg(&score).args(["--games", "1"]);
    call.args(["--level", &setting.level.number().to_string()]);
    call.args(["--seed", &setting.seed.to_string()]);
    call.args(["--pace", if setting.life { "life" } else { "quick" }]).stdin(Stdio::null());
    let child = call.spawn().map_err(|err| Failure::device(PARTNER.missing(&err)))?;
    let mut partner = Partner(child);
    let (news_to, news) = mpsc::unbounded_channel();
    let mut act = |at: At, output: &Output| -> Result<(), String> {
        screen.borrow_mut().output(at, output);
        // The player is gone when the demonstration is over.
        let _ = news_to.send(output.clone());
        Ok(())
    };
    let mut player = Player::new(setting, to_game, news);
    let played = tokio::select! {
        ended = play::run(
            service, moments, inbox, &mut act, &mut complaints, &mut hearing, &mut devices,
        ) => {
            ended.map_err(Failure::Device)?;
            return Err(Failure::device("the service ended before the game"));
        }
        left = gone(&mut partner) => return Err(Failure::device(left)),
        played = player.plays(&screen) => played,
    };
    let screen = screen.into_inner();
    if let Err(line) = played {
        screen.say(&format!("NOT PLAYED TO ITS END: {line}"))?;
        return Ok(Exit::Problem);
    }
    // He writes his score, and leaves.
    let (child, until) = (&mut partner.0, tokio::time::Instant::now() + PATIENCE);
    while child.try_wait().map_err(Failure::device)?.is_none()
        && tokio::time::Instant::now() < until
    {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    match compare(service, &score) {
        Ok(line) => {
            screen.say(&line)?;
            Ok(Exit::Done)
        }
        Err(line) => {
            screen.say(&format!("NOT THE SAME: {line}\nSEED={}", setting.seed))?;
            Ok(Exit::Problem)
        }
    }
}

/// Ends when the partner has left before the game was over, with why.
async fn gone(partner: &mut Partner) -> String {
    loop {
        match partner.0.try_wait() {
            Ok(Some(status)) if !status.success() => {
                return "annabella-partner has left: its line above says why".to_owned();
            }
            Err(err) => return err.to_string(),
            _ => tokio::time::sleep(Duration::from_millis(50)).await,
        }
    }
}

/// Both sides have the same game.
fn compare(service: &Service, score: &Path) -> Result<String, String> {
    let record = service.game().record().ok_or("there is no game")?;
    let text = std::fs::read_to_string(score).map_err(|err| err.to_string())?;
    let games = read_games(&text).map_err(|err| err.to_string())?;
    let his = games.first().ok_or("the partner has no game")?;
    let own: Vec<Move> = record.line.iter().map(|ply| ply.mv).collect();
    let moves: Vec<Move> = his.sections.iter().flat_map(|section| section.moves.clone()).collect();
    let ended = record.ended.ok_or("it is not over")?;
    if own != moves || his.result != ended.result.as_str() {
        return Err(format!(
            "{} half-moves here, {} in the partner's score",
            own.len(),
            moves.len()
        ));
    }
    Ok(format!(
        "Result: {} ({}, {}). {} half-moves, the same in the service's record and the partner's score.",
        ended.result.as_str(),
        ended.reason,
        ended.article,
        own.len()
    ))
}

/// The simulated blind player: an engine finds his moves, and he speaks them.
struct Player<'a> {
    setting: &'a Setting<'a>,
    thinker: Thinker,
    judge: Judge,
    line: Line,
    to_game: ToGame,
    news: mpsc::UnboundedReceiver<Output>,
    /// His last words.
    spoken: String,
    offered: bool,
    over: bool,
}

impl<'a> Player<'a> {
    fn new(
        setting: &'a Setting<'a>,
        to_game: ToGame,
        news: mpsc::UnboundedReceiver<Output>,
    ) -> Player<'a> {
        let (thinker, _) = Thinker::new(&home::program("stockfish"), &[], setting.level);
        // The usual start can be read.
        let line = Line::read(&usual_start(), &[]).expect("the start");
        let judge = Judge::default();
        let (spoken, offered, over) = (String::new(), false, false);
        Player { setting, thinker, judge, line, to_game, news, spoken, offered, over }
    }

    async fn plays(&mut self, screen: &RefCell<&mut Screen<'_>>) -> Result<(), String> {
        self.thinker.start().await.map_err(|err| err.to_string())?;
        self.send(Input::ClockStarted).await;
        loop {
            let position = self.line.position().clone();
            let said = match self.line.turn() == self.setting.blind {
                true => self.moves().await?,
                false => {
                    self.until_completed().await?;
                    Vec::new()
                }
            };
            if let Some(mv) = self.line.moves().last().copied()
                && *self.line.position() != position
            {
                let report = PlyReport {
                    handwork: Vec::new(),
                    said,
                    heard: Vec::new(),
                    from_ms: 0,
                    to_ms: 0,
                };
                let told = screen.borrow_mut().ply(&position, mv, &report);
                told.map_err(|err| err.to_string())?;
            }
            if self.offered && !self.over {
                self.answers().await?;
            }
            if self.over {
                return Ok(());
            }
        }
    }

    /// His own move, and the press of his clock; answers his words.
    async fn moves(&mut self) -> Result<Vec<String>, String> {
        let choice = self.thinker.chooses(&self.line, THINKS).await;
        match self.judge.says(&self.line, choice.judgement, self.setting.level) {
            Word::Resigns => {
                self.wishes(Request::Resign).await;
                self.until_over().await?;
                return Ok(Vec::new());
            }
            Word::OffersDraw => self.wishes(Request::OfferDraw).await,
            Word::Nothing => {}
        }
        let words = &self.setting.words;
        let text = words.announce(self.line.position(), choice.mv, SpokenForm::Full).to_string();
        self.says(&text).await;
        self.until_made().await?;
        if !self.over {
            self.send(Input::Pressed { seat: self.setting.blind }).await;
        }
        Ok(vec![text])
    }

    /// The partner offers a draw.
    async fn answers(&mut self) -> Result<(), String> {
        self.offered = false;
        let judgement = self.thinker.judges(&self.line).await;
        if Judge::takes(&self.line, judgement, self.setting.blind) {
            self.wishes(Request::AcceptDraw).await;
            return self.until_over().await;
        }
        let text = self.phrase(Request::DeclineDraw);
        self.says(&text).await;
        Ok(())
    }

    /// What cannot be taken back is asked about.
    async fn wishes(&mut self, request: Request) {
        let (text, yes) = (self.phrase(request), self.phrase(Request::Yes));
        self.says(&text).await;
        self.says(&yes).await;
    }

    fn phrase(&self, request: Request) -> String {
        let phrase = self.setting.words.prompts().first_phrase(request);
        phrase.unwrap_or_default().to_owned()
    }

    async fn says(&mut self, text: &str) {
        text.clone_into(&mut self.spoken);
        let seat = Some(self.setting.blind);
        self.send(Input::Said { seat, heard: vec![text.to_owned()] }).await;
    }

    async fn send(&self, input: Input) {
        // A service that ended has said why.
        let _ = self.to_game.send(FromDevice::Input(input)).await;
    }

    async fn next(&mut self) -> Result<Output, String> {
        let output = tokio::time::timeout(PATIENCE, self.news.recv()).await;
        let nothing = |_| format!("nothing happens any more after \"{}\"", self.spoken);
        let output = output.map_err(nothing)?.ok_or("the service has gone")?;
        match &output {
            Output::Result { .. } => self.over = true,
            Output::Say { words, .. } => {
                let offers = self.setting.words.prompt(Prompt::OpponentOffersDraw, &[]);
                self.offered |= words.to_string() == offers.to_string();
            }
            Output::Move { state: MoveState::Made, uci, .. } => self.made(uci),
            _ => {}
        }
        Ok(output)
    }

    fn made(&mut self, uci: &str) {
        if let Some(mv) = uci.parse::<UciMove>().ok().and_then(|_| self.line.legal(uci)) {
            self.line.play(mv);
        }
    }

    async fn until_made(&mut self) -> Result<(), String> {
        let plies = self.line.moves().len();
        while self.line.moves().len() == plies && !self.over {
            self.next().await?;
        }
        // A move that ends the game is told before its result.
        match self.line.position().is_game_over() {
            true => self.until_over().await,
            false => Ok(()),
        }
    }

    async fn until_completed(&mut self) -> Result<(), String> {
        let plies = self.line.moves().len();
        let mut completed = false;
        while !completed && !self.over {
            let output = self.next().await?;
            completed = self.line.moves().len() > plies
                && matches!(output, Output::Move { state: MoveState::Completed, .. });
            if self.line.position().is_game_over() {
                return self.until_over().await;
            }
        }
        Ok(())
    }

    async fn until_over(&mut self) -> Result<(), String> {
        while !self.over {
            self.next().await?;
        }
        Ok(())
    }
}
