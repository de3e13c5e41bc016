//! The demonstration in real time: pegs by simulated hands, the sighted player's board and the
//! clock through an emulated DGT board on a pseudo-terminal.

use std::{
    cell::RefCell,
    collections::VecDeque,
    path::Path,
    rc::Rc,
    sync::Arc,
    time::{Duration, Instant},
};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Move, Position, Square, uci::UciMove};
use tokio::sync::mpsc;

use super::screen::Screen;
use annabella::{
    cli::Failure,
    config::Config,
    service::{
        Service,
        news::{FromDevice, ToGame},
        play::{self, Moments},
        room::{Outlets, Room},
    },
};
use annabella_core::{
    game::{At, Blind, Boards, Input, MoveState, Output, clock::ClockState},
    notation::pgn::Section,
    sensing::{Debounce, Edge},
};
use annabella_devices::dgt::codec::Facing;
use annabella_emulators::{
    dgt::{Clock, Faults, Fingers, SimulatedDgt},
    pty::Emulator,
};
use annabella_players::{
    hands::{Hands, Handwork},
    table::{PlyReport, Watch},
};
use annabella_threads::millis;
use annabella_words::phrase::{Note, SpokenForm, Words};

/// The longest time for a press, a dump and a settled board together. With lost bytes they are
/// requested several times.
const PATIENCE: Duration = Duration::from_secs(25);
/// After this long without a reaction a player announces his move.
const SILENCE: Duration = Duration::from_secs(4);
/// The largest error of the times that counts as right, seconds: presses arrive up to a second
/// late, and times come in whole seconds.
const MOST_OFF_S: f64 = 6.0;
/// After this time a player who has pressed looks at the clock again.
const LOOKS_AGAIN: Duration = Duration::from_secs(6);
/// How long a cable stays out.
const UNPLUGGED: Duration = Duration::from_secs(2);

/// The settings of a game in real time.
pub(super) struct Setting<'a> {
    pub(super) config: &'a Config,
    pub(super) faults: Faults,
    pub(super) port: &'a Path,
    pub(super) words: Words,
    pub(super) hands: Hands,
    pub(super) blind: Color,
    pub(super) seed: u64,
    /// How much faster than life the players think; 0: without thinking.
    pub(super) speed: f64,
}

#[derive(Clone, Debug)]
pub(super) struct Played {
    pub(super) plies: usize,
    pub(super) failed: Option<(usize, String)>,
    /// The clock before the players shows the same position and times as the game.
    pub(super) check: String,
    /// Position and times came out right.
    pub(super) right: bool,
}

/// Plays the section's moves in real time.
pub(super) fn play(
    service: &mut Service,
    screen: &mut Screen<'_>,
    section: &Section,
    setting: Setting<'_>,
) -> Result<Played, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start the service: {err}")))?;
    runtime.block_on(serve(service, screen, section, setting))
}

async fn serve(
    service: &mut Service,
    screen: &mut Screen<'_>,
    section: &Section,
    setting: Setting<'_>,
) -> Result<Played, Failure> {
    let device = SimulatedDgt::new(setting.seed, setting.faults, section.start.board());
    let emulator = Emulator::start(device, setting.port)
        .map_err(|err| Failure::device(format!("the system gives no pseudo-terminal: {err}")))?;
    let emulator = Arc::new(emulator);
    let moments = Moments::from(service.next_moment().map_err(Failure::device)?);
    let screen = RefCell::new(screen);
    let mut complaints = |line: &str| {
        // An error in writing is found when the screen is closed.
        let _ = screen.borrow_mut().say(&format!("({line})"));
    };
    let blind = if setting.blind.is_white() { Blind::White } else { Blind::Black };
    let places = vec![(setting.blind, section.start.board().occupied())];
    let outlets = Outlets::open(setting.config, blind, places, None, &mut complaints)?;
    let room = outlets.join(setting.config, service.game(), moments, &mut complaints).await?;
    let Room { mut devices, mut hearing, inbox, open, .. } = room;
    let to_game = open.ok_or_else(|| Failure::device("the board's events end the game"))?;
    let (told, news) = mpsc::unbounded_channel();
    let mut act = |at: At, output: &Output| -> Result<(), String> {
        screen.borrow_mut().output(at, output);
        // The players are gone when the game is over.
        let _ = told.send(output.clone());
        Ok(())
    };
    let control = setting.config.game.time_control.clone();
    let loose = Rc::default();
    let unplugging = unplug(Arc::clone(&emulator), setting.faults, Rc::clone(&loose));
    let mut players = Players {
        rng: ChaCha8Rng::seed_from_u64(setting.seed ^ 0xd6e1),
        debounce_ms: setting.config.board.sensing.debounce_ms,
        setting,
        emulator,
        loose,
        to_game,
        news,
        began: Instant::now(),
        moments,
        steps: VecDeque::new(),
        boards: Boards::Agree,
        over: false,
        reference: ClockState::new(control),
        missed: 0,
    };
    let played = tokio::select! {
        ended = play::run(
            service, moments, inbox, &mut act, &mut complaints, &mut hearing, &mut devices,
        ) => {
            ended.map_err(Failure::Device)?;
            return Err(Failure::device("the service ended before the game"));
        }
        () = unplugging => return Err(Failure::device("the emulator's cable is broken")),
        played = players.game(section, &screen) => played?,
    };
    Ok(players.check(service, section, played))
}

/// Pulls cables now and then, as the faults ask.
async fn unplug(
    emulator: Arc<Emulator<SimulatedDgt>>,
    faults: Faults,
    loose: Rc<RefCell<Option<Clock>>>,
) {
    let board = async {
        loop {
            rest(faults.unplug_s).await;
            emulator.unplug();
            tokio::time::sleep(UNPLUGGED).await;
            if emulator.plug_in().is_err() {
                return;
            }
        }
    };
    let clock = async {
        loop {
            rest(faults.unplug_clock_s).await;
            let out = emulator.with(|device, now_ms| device.unplug_clock(now_ms));
            *loose.borrow_mut() = out;
            tokio::time::sleep(UNPLUGGED).await;
            if let Some(clock) = loose.take() {
                emulator.with(|device, now_ms| device.plug_clock(now_ms, clock));
            }
        }
    };
    tokio::select! {
        () = board => {}
        () = clock => {}
    }
}

async fn rest(seconds: u32) {
    match seconds {
        0 => std::future::pending().await,
        seconds => tokio::time::sleep(Duration::from_secs(seconds.into())).await,
    }
}

struct Players<'a> {
    setting: Setting<'a>,
    emulator: Arc<Emulator<SimulatedDgt>>,
    /// The clock while its cable is out; its lever can be pressed all the same.
    loose: Rc<RefCell<Option<Clock>>>,
    to_game: ToGame,
    news: mpsc::UnboundedReceiver<Output>,
    rng: ChaCha8Rng,
    debounce_ms: u64,
    began: Instant,
    moments: Moments,
    steps: VecDeque<(MoveState, String)>,
    boards: Boards,
    over: bool,
    /// A clock that is pressed at the true moments.
    reference: ClockState,
    missed: u32,
}

impl Players<'_> {
    fn now(&self) -> At {
        At::new(millis(self.began.elapsed()))
    }

    async fn game(
        &mut self,
        section: &Section,
        screen: &RefCell<&mut Screen<'_>>,
    ) -> Result<(usize, Option<(usize, String)>), Failure> {
        let mut position = section.start.clone();
        // White's clock is started (6.6), when the devices have been found.
        tokio::time::sleep(Duration::from_secs(4)).await;
        self.send(Input::ClockStarted).await;
        if !self.setting.faults.no_clock {
            self.until(PATIENCE, |players| players.clock_runs()).await;
        }
        let now = self.now();
        self.reference.start(now, position.turn());
        for (n, mv) in section.moves.iter().enumerate() {
            let report = match self.ply(&position, *mv).await {
                Ok(report) => report,
                Err(problem) => return Ok((n, Some((n, problem)))),
            };
            screen.borrow_mut().ply(&position, *mv, &report)?;
            position.play_unchecked(*mv);
        }
        // The clock is set after the press, or when its cable is in again.
        self.until(PATIENCE, |players| players.clock_off_s().is_none_or(|off| off < MOST_OFF_S))
            .await;
        Ok((section.moves.len(), None))
    }

    /// White's and Black's time on the clock before the players, milliseconds.
    fn clock_shows(&self) -> Option<(u64, u64)> {
        self.emulator.with(|device, now_ms| {
            let white_left = device.facing() == Facing::ConnectorLeft;
            let (left, right) = device.clock(now_ms)?.left_right_ms();
            Some(if white_left { (left, right) } else { (right, left) })
        })
    }

    /// How far that is off one that knows the true moments; nothing without a clock.
    fn clock_off_s(&self) -> Option<f64> {
        if self.setting.faults.no_clock {
            return None;
        }
        Some(self.clock_shows().map_or(f64::MAX, |shown| self.off_s(shown)))
    }

    fn off_s(&self, (white, black): (u64, u64)) -> f64 {
        let (white_ms, black_ms, _) = self.reference.reading(self.now());
        white.abs_diff(white_ms).max(black.abs_diff(black_ms)) as f64 / 1000.0
    }

    async fn ply(&mut self, position: &Chess, mv: Move) -> Result<PlyReport, String> {
        let mover = position.turn();
        let uci = UciMove::from_standard(mv).to_string();
        let from_ms = self.now().ms;
        self.think(1200..6000).await;
        self.steps.clear();
        let mut report = PlyReport {
            handwork: Vec::new(),
            said: Vec::new(),
            heard: Vec::new(),
            from_ms,
            to_ms: from_ms,
        };
        if mover == self.setting.blind {
            self.by_hand(position, mv, &mut report).await?;
            self.press(mover, &uci).await?;
            self.think(300..900).await;
            self.fingers(position, mv).await;
        } else {
            self.fingers(position, mv).await;
            self.press(mover, &uci).await?;
            self.think(800..2500).await;
            self.by_hand(position, mv, &mut report).await?;
        }
        if !self.until(PATIENCE, |players| players.boards == Boards::Agree).await {
            return Err("the boards do not agree".to_owned());
        }
        report.to_ms = self.now().ms;
        Ok(report)
    }

    async fn think(&mut self, ms: std::ops::Range<u64>) {
        let ms = self.rng.random_range(ms);
        if self.setting.speed > 0.0 {
            tokio::time::sleep(Duration::from_millis(ms).div_f64(self.setting.speed)).await;
        }
    }

    /// The pegs are moved; the blind player announces what the game did not understand.
    async fn by_hand(
        &mut self,
        position: &Chess,
        mv: Move,
        report: &mut PlyReport,
    ) -> Result<(), String> {
        let own = position.turn() == self.setting.blind;
        let uci = UciMove::from_standard(mv).to_string();
        if own && mv.is_promotion() {
            self.announce(position, mv, report).await;
        }
        let script = self.setting.hands.play(position, mv, self.now().ms);
        self.feel(&script).await;
        report.handwork.push(script);
        for _ in 0..4 {
            let done = self
                .until(SILENCE, |players| match own {
                    true => players.has(MoveState::Made, &uci),
                    false => players.over || players.boards == Boards::Agree,
                })
                .await;
            if done || !own {
                return Ok(());
            }
            self.announce(position, mv, report).await;
        }
        Err(format!("{uci} was not taken as made"))
    }

    async fn announce(&mut self, position: &Chess, mv: Move, report: &mut PlyReport) {
        let text = self.setting.words.announce(position, mv, SpokenForm::Full).to_string();
        report.said.push(text.clone());
        self.send(Input::Said { seat: Some(position.turn()), heard: vec![text] }).await;
    }

    /// Contacts come to rest as the reader of a real board reports them.
    async fn feel(&mut self, script: &Handwork) {
        let mut debounce = Debounce::new(self.debounce_ms, script.start);
        let mut edges = Vec::new();
        for raw in &script.edges {
            debounce.advance(raw.t_ms, &mut edges);
            debounce.edge(Edge { at_ms: raw.t_ms, square: raw.square, occupied: raw.occupied });
        }
        debounce.advance(script.end_ms + 2 * self.debounce_ms, &mut edges);
        for Edge { at_ms, square, occupied } in edges {
            self.sleep_until(at_ms).await;
            self.send(Input::Edge { seat: self.setting.blind, square, occupied, ago_ms: 0 }).await;
        }
        self.sleep_until(script.end_ms).await;
    }

    /// A hand at the electronic board.
    async fn fingers(&mut self, position: &Chess, mv: Move) {
        let start_ms = self.now().ms;
        let playing = Fingers::default().play(&mut self.rng, position, mv, start_ms);
        for placing in playing.placings {
            self.sleep_until(placing.t_ms).await;
            let (square, piece): (Square, _) = (placing.square, placing.piece);
            self.emulator.with(|device, now_ms| device.put(now_ms, square, piece));
        }
        self.sleep_until(playing.end_ms).await;
    }

    /// The lever of the clock goes down, and the move is completed by it.
    async fn press(&mut self, mover: Color, uci: &str) -> Result<(), String> {
        if self.over {
            return Ok(());
        }
        self.think(200..900).await;
        let (pressed, at) = self.lever(mover);
        self.reference.press(at);
        if !pressed {
            // No clock stands on the table, so the press goes to the service.
            self.send(Input::Pressed { seat: mover }).await;
        }
        // A clock that is being set may miss a press. A player who sees his time run on presses
        // again.
        for _ in 0..5 {
            let done = self
                .until(LOOKS_AGAIN, |players| {
                    players.over || players.has(MoveState::Completed, uci)
                })
                .await;
            if done {
                return Ok(());
            }
            self.missed += 1;
            self.lever(mover);
        }
        Err(format!("{uci} was not completed by the clock"))
    }

    /// The lever goes down on his side, at the moment returned; `false` without a clock.
    fn lever(&self, mover: Color) -> (bool, At) {
        self.emulator.with(|device, now_ms| {
            let at = self.now();
            let white_left = device.facing() == Facing::ConnectorLeft;
            let right = mover.is_white() != white_left;
            match (device.clock(now_ms), self.loose.borrow_mut().as_mut()) {
                (Some(clock), _) => clock.press(right),
                (None, Some(clock)) => {
                    clock.until(now_ms * 1000);
                    clock.press(right);
                }
                (None, None) => return (false, at),
            }
            (true, at)
        })
    }

    fn clock_runs(&mut self) -> bool {
        self.emulator
            .with(|device, now_ms| device.clock(now_ms).is_some_and(|clock| clock.is_running()))
    }

    /// Somebody puts the clock into mode 23 and switches it off and on, as the line asks.
    fn obey_clock_line(&self) {
        self.emulator.with(|device, now_ms| {
            let lever_right = device.unplug_clock(now_ms).is_some_and(|clock| clock.lever_right());
            device.plug_clock(now_ms, Clock::new(true).with_lever(lever_right));
        });
    }

    fn has(&self, state: MoveState, uci: &str) -> bool {
        self.steps.iter().any(|(step, told)| *step == state && told == uci)
    }

    async fn send(&self, input: Input) {
        // A service that ended has said why.
        let _ = self.to_game.send(FromDevice::Input(input)).await;
    }

    async fn sleep_until(&self, ms: u64) {
        let due = self.began + Duration::from_millis(ms);
        tokio::time::sleep_until(due.into()).await;
    }

    /// Takes in the service's reports until `done`, or until a time limit.
    async fn until(&mut self, patience: Duration, mut done: impl FnMut(&mut Self) -> bool) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            while let Ok(output) = self.news.try_recv() {
                self.take(output);
            }
            if done(self) {
                return true;
            }
            if Instant::now() >= deadline {
                return false;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    fn take(&mut self, output: Output) {
        match output {
            Output::Move { state, uci, .. } => self.steps.push_back((state, uci)),
            Output::Boards(boards) => self.boards = boards,
            Output::Problem { text: Note::ClockRefuses, .. } => self.obey_clock_line(),
            Output::Result { .. } => {
                self.over = true;
                let now = self.now();
                self.reference.stop(now);
            }
            _ => {}
        }
    }

    /// Whether the board and the clock before the players stand as the game does.
    fn check(
        &self,
        service: &Service,
        section: &Section,
        (plies, failed): (usize, Option<(usize, String)>),
    ) -> Played {
        let mut position = section.start.clone();
        for mv in section.moves.iter().take(plies) {
            position.play_unchecked(*mv);
        }
        let game = service.game();
        let line = game.position().is_some_and(|here| here.board() == position.board());
        let board = self.emulator.with(|device, _| device.board()) == *position.board();
        let reckoned = game.clock(self.moments.now()).unwrap_or_default();
        let game_off = self.off_s((reckoned.0, reckoned.1));
        let clock_off = self.clock_shows().map_or(game_off, |shown| self.off_s(shown));
        // His time ran on until he pressed again.
        let allowed_s = MOST_OFF_S + f64::from(self.missed) * (LOOKS_AGAIN.as_secs_f64() + 1.0);
        let times = game_off.max(clock_off) <= allowed_s;
        let missed = match self.missed {
            0 => String::new(),
            n => format!(" {n} presses were missed by a clock that was being set, and made again."),
        };
        let word = |right: bool| if right { "right" } else { "WRONG" };
        let check = format!(
            "Position in the game {}, on the electronic board {}. Times {}: after {plies} presses \
             the game is {game_off:.1} s and the clock {clock_off:.1} s off one that knows the true \
             moments.{missed}",
            word(line),
            word(board),
            word(times),
        );
        let right = failed.is_none() && line && board && times;
        Played { plies, failed, check, right }
    }
}
