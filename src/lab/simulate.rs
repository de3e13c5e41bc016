//! `annabella simulate dgt`: an emulated DGT board and clock on a pseudo-terminal, for other
//! programs to be tried against.
//!
//! The path is printed first, then one line for every order carried out. Orders come from standard
//! input, one a line. The board stays after their end, until the program is stopped.

use std::{io::Write, path::PathBuf, time::Duration};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Chess, Color, Move, Piece, Position, Square, san::SanPlus, uci::UciMove};
use tokio::{signal::unix, sync::mpsc, time::Instant};

use annabella::cli::{self, Exit, Failure};
use annabella::service::streams::complain;
use annabella_core::game::read_fen;
use annabella_devices::{dgt::codec::ClockButton, lines::Lines};
use annabella_emulators::{
    dgt::{Clock, Faults, Fingers, SimulatedDgt},
    pty::Emulator,
};
use annabella_players::games::random_game;

/// Simulates a device for other programs.
#[derive(Debug, clap::Args)]
pub(crate) struct SimulateArgs {
    /// Which device.
    #[command(subcommand)]
    pub(crate) device: SimulatedDevice,
}

/// The device to simulate.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum SimulatedDevice {
    /// A DGT board with a DGT 3000 on a pseudo-terminal
    #[command(after_help = ORDERS)]
    Dgt(DgtArgs),
}

const ORDERS: &str = "Orders on standard input, one a line:
  e2e4               a legal move, carried out as hands do
  put e4 P, put e4   a piece on a square (PNBRQK, small ones black), or none
  fen FEN            the whole board set up
  press left|right   a player presses his side of the clock
  set 300 180        seconds left and right; run, stop
  button run         back, plus, run, minus or ok
  clock off|on       the clock is unplugged, plugged in
  unplug, plug       the board's cable
  board              prints how the board stands
  quit";

/// The emulator's settings.
#[derive(Debug, clap::Args)]
pub(crate) struct DgtArgs {
    /// Faults: lost=5, garbage=5 (of a thousand bytes), unplug=60 (every 60 seconds), turned,
    /// no-clock, no-mode-23.
    #[arg(long, value_name = "LIST", default_value = "")]
    pub(crate) faults: String,
    /// The path of the port; in the folder for temporary files if not given.
    #[arg(long, value_name = "PATH")]
    pub(crate) port: Option<PathBuf>,
    /// Position on the board; the usual start if not given.
    #[arg(long, value_name = "FEN")]
    pub(crate) fen: Option<String>,
    /// Plays a random game of this seed, both sides, with the clock.
    #[arg(long, value_name = "SEED", conflicts_with = "fen")]
    pub(crate) play: Option<u64>,
    /// Seed of the faults and of the hands.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the call is wrong or the system gives no pseudo-terminal.
pub(crate) fn run(args: &SimulateArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let SimulatedDevice::Dgt(args) = &args.device;
    let faults =
        Faults::parse(&args.faults).map_err(|err| Failure::usage(format!("--faults: {err}")))?;
    let position = match (&args.fen, args.play) {
        (fen @ Some(_), _) => cli::position(fen.as_deref())?,
        (None, Some(seed)) => random_game(seed, 0).0,
        (None, None) => Chess::default(),
    };
    let name = format!("annabella-dgt-{}", std::process::id());
    let port = args.port.clone().unwrap_or_else(|| std::env::temp_dir().join(name));
    if port.symlink_metadata().is_ok_and(|found| !found.is_symlink()) {
        let port = port.display();
        return Err(Failure::usage(format!("--port: {port} is there already: name another path")));
    }
    let device = SimulatedDgt::new(args.seed, faults, position.board());
    let emulator = Emulator::start(device, &port).map_err(|err| no_terminal(&err))?;
    writeln!(out, "{}", emulator.port().display())?;
    out.flush()?;
    let player = Player {
        emulator,
        faults,
        position,
        rng: ChaCha8Rng::seed_from_u64(args.seed),
        unplugged: None,
        out,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|err| Failure::device(format!("cannot start the emulator: {err}")))?;
    runtime.block_on(player.serve(args.play))
}

fn no_terminal(err: &std::io::Error) -> Failure {
    Failure::device(format!("the system gives no pseudo-terminal: {err}"))
}

/// The players at the emulated board.
struct Player<'a> {
    emulator: Emulator<SimulatedDgt>,
    faults: Faults,
    position: Chess,
    rng: ChaCha8Rng,
    unplugged: Option<Clock>,
    out: &'a mut dyn Write,
}

/// How long the cable stays out.
const UNPLUGGED: Duration = Duration::from_secs(2);

impl Player<'_> {
    async fn serve(mut self, play: Option<u64>) -> Result<Exit, Failure> {
        let (send, mut orders) = mpsc::channel(16);
        std::thread::spawn(move || {
            for line in Lines::of(std::io::stdin()).map_while(Result::ok) {
                let told = match line.text {
                    Ok(text) => send.blocking_send(text).is_ok(),
                    Err(bad) => {
                        complain(&format!("standard input, line {}: {bad}", line.number));
                        true
                    }
                };
                if !told {
                    return;
                }
            }
        });
        let mut terminate = unix::signal(unix::SignalKind::terminate()).map_err(Failure::from)?;
        let mut interrupt = unix::signal(unix::SignalKind::interrupt()).map_err(Failure::from)?;
        let mut moves = play.map(|seed| random_game(seed, 300).1).unwrap_or_default().into_iter();
        let mut next_move = (moves.len() > 0).then(|| Instant::now() + Duration::from_secs(5));
        let every = Duration::from_secs(self.faults.unplug_s.into());
        let mut next_pull = (!every.is_zero()).then(|| Instant::now() + every);
        let mut plug_at: Option<Instant> = None;
        let mut open = true;
        loop {
            tokio::select! {
                _ = terminate.recv() => return Ok(Exit::Done),
                _ = interrupt.recv() => return Ok(Exit::Done),
                order = orders.recv(), if open => match order {
                    None => open = false,
                    Some(order) if order.trim() == "quit" => return Ok(Exit::Done),
                    Some(order) => {
                        if let Err(why) = self.obey(order.trim()).await {
                            complain(&why);
                        }
                    }
                },
                () = until(next_move) => {
                    if let Some(mv) = moves.next() {
                        self.play(mv).await?;
                        self.press();
                    }
                    let thinking = Duration::from_millis(self.rng.random_range(1000..5000));
                    next_move = (moves.len() > 0).then(|| Instant::now() + thinking);
                }
                () = until(next_pull) => {
                    self.emulator.unplug();
                    plug_at = Some(Instant::now() + UNPLUGGED);
                    next_pull = Some(Instant::now() + every.max(UNPLUGGED * 2));
                }
                () = until(plug_at) => {
                    self.emulator.plug_in().map_err(|err| no_terminal(&err))?;
                    plug_at = None;
                }
            }
        }
    }

    /// Carries out a legal move as hands do, and says so.
    async fn play(&mut self, mv: Move) -> Result<(), Failure> {
        let start_ms = self.emulator.now_ms();
        let playing = Fingers::default().play(&mut self.rng, &self.position, mv, start_ms);
        for placing in playing.placings {
            let wait_ms = placing.t_ms.saturating_sub(self.emulator.now_ms());
            tokio::time::sleep(Duration::from_millis(wait_ms)).await;
            self.emulator.with(|device, now_ms| device.put(now_ms, placing.square, placing.piece));
        }
        let san = SanPlus::from_move(self.position.clone(), mv);
        self.position.play_unchecked(mv);
        writeln!(self.out, "{} {san}", UciMove::from_standard(mv))?;
        self.out.flush()?;
        Ok(())
    }

    /// The last mover presses. White sits on the clock's left unless the board is turned.
    fn press(&self) {
        let right = (self.position.turn() == Color::Black) == self.faults.turned;
        self.emulator.with(|device, now_ms| {
            if let Some(clock) = device.clock(now_ms) {
                clock.press(right);
            }
        });
    }

    fn with_clock(&self, act: impl FnOnce(&mut Clock)) -> Result<(), String> {
        let no_clock = "no clock is plugged in: write 'clock on' first";
        self.emulator
            .with(|device, now_ms| device.clock(now_ms).map(act))
            .ok_or_else(|| no_clock.to_owned())
    }

    async fn obey(&mut self, order: &str) -> Result<(), String> {
        let words: Vec<&str> = order.split_whitespace().collect();
        match words.as_slice() {
            [] => Ok(()),
            ["unplug"] => {
                self.emulator.unplug();
                Ok(())
            }
            ["plug"] => self.emulator.plug_in().map_err(|err| no_terminal(&err).to_string()),
            ["run"] => self.with_clock(|clock| clock.run(true)),
            ["stop"] => self.with_clock(|clock| clock.run(false)),
            ["press", side @ ("left" | "right")] => {
                self.with_clock(|clock| clock.press(*side == "right"))
            }
            ["set", left, right] => {
                let seconds = |text: &str| text.parse::<u32>().ok().filter(|s| *s < 36_000);
                let (Some(left), Some(right)) = (seconds(left), seconds(right)) else {
                    return Err(format!("'{order}': write two times from 0 to 35999 seconds"));
                };
                self.with_clock(|clock| clock.set(u64::from(left) * 1000, u64::from(right) * 1000))
            }
            ["button", name] => {
                let button = match *name {
                    "back" => ClockButton::Back,
                    "plus" => ClockButton::Plus,
                    "run" => ClockButton::Run,
                    "minus" => ClockButton::Minus,
                    "ok" => ClockButton::Ok,
                    _ => {
                        return Err(format!("no button '{name}': back, plus, run, minus or ok"));
                    }
                };
                self.emulator.with(|device, now_ms| device.press(now_ms, button));
                Ok(())
            }
            ["clock", "off"] => {
                let clock = self.emulator.with(|device, now_ms| device.unplug_clock(now_ms));
                self.unplugged = clock.or(self.unplugged.take());
                Ok(())
            }
            ["clock", "on"] => {
                if self.with_clock(|_| {}).is_err() {
                    let mode_23 = !self.faults.no_mode_23;
                    let clock = self
                        .unplugged
                        .take()
                        .unwrap_or_else(|| Clock::new(mode_23).with_lever(self.faults.turned));
                    self.emulator.with(|device, now_ms| device.plug_clock(now_ms, clock));
                }
                Ok(())
            }
            ["board"] => {
                let board = self.emulator.with(|device, _| device.board());
                let written = writeln!(self.out, "{board}").and_then(|()| self.out.flush());
                written.map_err(|err| err.to_string())
            }
            ["fen", ..] => {
                let fen = order.trim_start_matches("fen").trim();
                self.position = read_fen(fen).map_err(|err| err.to_string())?;
                let board = self.position.board();
                self.emulator.with(|device, now_ms| device.set_up(now_ms, board));
                Ok(())
            }
            ["put", square, rest @ ..] => self.put(order, square, rest),
            [text] => {
                let uci = text.parse::<UciMove>().ok();
                let mv = uci.and_then(|uci| uci.to_move(&self.position).ok()).ok_or_else(|| {
                    format!("'{text}' is no order and no legal move: `--help` lists the orders")
                })?;
                self.play(mv).await.map_err(|err| err.to_string())
            }
            _ => Err(format!("'{order}' is no order: `--help` lists them")),
        }
    }

    fn put(&self, order: &str, square: &str, rest: &[&str]) -> Result<(), String> {
        let square = square.parse::<Square>().map_err(|_| format!("'{square}' is no square"))?;
        let piece = match rest {
            [] => None,
            [letter] => {
                let mut letters = letter.chars();
                let piece = letters.next().and_then(Piece::from_char);
                Some(piece.filter(|_| letters.next().is_none()).ok_or_else(|| {
                    format!("'{letter}' is no piece: P N B R Q K, small ones black")
                })?)
            }
            _ => return Err(format!("'{order}': write put e4 P")),
        };
        self.emulator.with(|device, now_ms| device.put(now_ms, square, piece));
        Ok(())
    }
}

async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => tokio::time::sleep_until(instant).await,
        None => std::future::pending().await,
    }
}
