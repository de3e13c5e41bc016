//! `annabella setup`: the set-up by ear.

use std::{
    io::{self, IsTerminal, Write},
    path::{Path, PathBuf},
};

use tokio::{
    runtime::{Builder, Runtime},
    signal::unix::{Signal, SignalKind, signal},
};

use super::{
    Exit, Failure,
    hand_over::{ForAnother, hand_over},
    tell::typed,
};
use crate::{
    config::{Config, find},
    service::{
        beside::LAB,
        notify::{self, Notifier},
        setup::{
            Dialogue, STEP, SetupEnd, SetupRoom,
            file::{self, Target},
            hold,
            real::{LAST_WORDS, Means, RealRoom},
        },
        streams::complain,
        terminal,
    },
};
use annabella_devices::board::pi;

/// Asks for language, voice, sound, board, clock and time control, and writes the configuration.
/// Answer by voice, with the three buttons, with the arrow keys or by typed words.
#[derive(Debug, clap::Args)]
pub struct SetupArgs {
    /// Configuration; the answers are written into it. The old file is kept beside it as .bak.
    /// Without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml and the
    /// installed service's, or a new ./annabella.toml.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Answers are typed, one a line; nothing but Enter takes the answer that is offered.
    #[arg(long)]
    pub typed: bool,
    /// A simulated room, and a person whose lines come from standard input; nothing is written but
    /// what would be.
    #[arg(long, value_name = "ROOM", num_args = 0..=1, default_missing_value = "full")]
    pub simulate: Option<String>,
}

/// Runs the command. Ends with a problem if it was given up.
///
/// # Errors
/// [`Failure`] when the configuration is wrong, or nobody can answer.
pub fn run(args: &SetupArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    if let Some(room) = &args.simulate {
        let mut rest = vec![room.into()];
        if let Some(path) = &args.config {
            rest.extend(["--config".into(), path.into()]);
        }
        return Err(hand_over(LAB, Some("setup"), &ForAnother { rest }));
    }
    let path = match &args.config {
        Some(path) => path.clone(),
        None => {
            let found = find::first(&find::places());
            let found = found.map_err(Failure::usage)?;
            found.unwrap_or_else(|| find::FILE.into())
        }
    };
    let fresh = file::fresh(Some(&path), file::on_pi());
    let target = Target::open(&path, &fresh).map_err(Failure::Usage)?;
    let terminal = std::io::stdin().is_terminal();
    let means = Means {
        speech: !args.typed,
        keys: !args.typed && !terminal,
        typed: (args.typed || terminal).then(typed),
    };
    // Before the first word is said: who has heard it may leave at once.
    let mut interrupts = Interrupts::open()?;
    let room = RealRoom::open(target.config(), means, out);
    let mut dialogue = Dialogue::open(target, room).map_err(Failure::Usage)?;
    let Some(ended) = interrupts.talked(&mut dialogue) else {
        complain("interrupted: nothing is saved");
        return Ok(Exit::Problem);
    };
    dialogue.room().finish()?;
    match ended {
        SetupEnd::Saved => {
            let file = path.display();
            complain(&format!("written to {file}; `annabella play --config {file}` plays with it"));
            Ok(Exit::Done)
        }
        SetupEnd::Left => Ok(Exit::Problem),
        // Ctrl+D in a terminal.
        SetupEnd::Alone if args.typed || terminal => {
            Err(Failure::device("nobody answered: what is typed has ended"))
        }
        SetupEnd::Alone => Err(nobody()),
    }
}

/// Waits for Ctrl+C.
struct Interrupts {
    runtime: Runtime,
    signal: Signal,
}

impl Interrupts {
    fn open() -> Result<Interrupts, Failure> {
        let no_signals =
            |err: io::Error| Failure::device(format!("the system gives no signals: {err}"));
        let runtime = Builder::new_current_thread().enable_all().build().map_err(no_signals)?;
        let signal = runtime.block_on(async { signal(SignalKind::interrupt()) });
        Ok(Interrupts { signal: signal.map_err(no_signals)?, runtime })
    }

    /// The whole dialogue, and how it ended; `None`: Ctrl+C came before.
    fn talked(&mut self, dialogue: &mut Dialogue<RealRoom<'_>>) -> Option<SetupEnd> {
        let Interrupts { runtime, signal } = self;
        runtime.block_on(async {
            loop {
                let ended = dialogue.step();
                tell_all(&mut dialogue.complaints());
                if ended.is_some() {
                    return ended;
                }
                tokio::select! {
                    _ = signal.recv() => return None,
                    () = tokio::time::sleep(STEP) => {}
                }
            }
        })
    }
}

fn nobody() -> Failure {
    Failure::device(
        "nobody can answer: no speech is understood, no keyboard and no buttons are there; \
         type the answers with --typed",
    )
}

fn tell_all(lines: &mut Vec<String>) {
    for line in lines.drain(..) {
        complain(&line);
    }
}

/// How many times in a row a question may stay unanswered at boot: some two minutes.
const UNANSWERED: u32 = 4;

/// Where brltty listens as Debian installs it.
const BRLTTY: &str = "/var/lib/BrlAPI/0";

/// At boot: the set-up by ear if there is no configuration or the repeat button is held, then the
/// configuration to play with. If nobody answers, the game begins all the same.
///
/// # Errors
/// [`Failure`] when the configuration is wrong.
pub(super) async fn first_boot(path: &Path, out: &mut dyn Write) -> Result<Config, Failure> {
    super::READ.get_or_init(|| path.to_owned());
    let fresh = file::fresh(Some(path), file::on_pi());
    let target = Target::open(path, &fresh).map_err(Failure::Usage)?;
    let target = target.with_display(Path::new(BRLTTY));
    if path.exists() && !is_held(target.config()) {
        return Ok(target.config().clone());
    }
    let terminal = std::io::stdin().is_terminal();
    let means = Means { speech: true, keys: !terminal, typed: terminal.then(terminal::typed) };
    let manager = Notifier::from_environment();
    let room = RealRoom::open(target.config(), means, out);
    let dialogue = Dialogue::open(target.clone(), room).map_err(Failure::Usage)?;
    let mut dialogue = dialogue.patient(UNANSWERED);
    let talk = async {
        let ended = loop {
            let ended = dialogue.step();
            tell_all(&mut dialogue.complaints());
            match ended {
                Some(ended) => break ended,
                None => tokio::time::sleep(STEP).await,
            }
        };
        let last_words = async {
            while !dialogue.room().is_quiet() {
                tokio::time::sleep(STEP).await;
            }
        };
        // A sound device that hangs keeps nobody from playing.
        let _ = tokio::time::timeout(LAST_WORDS, last_words).await;
        ended
    };
    let ended = notify::alive_during(manager.as_ref(), talk).await;
    if ended == SetupEnd::Alone {
        complain("nobody answers the set-up; the game begins without it");
    }
    match ended {
        SetupEnd::Saved => Config::load(path).map_err(Failure::usage),
        SetupEnd::Left | SetupEnd::Alone => Ok(target.config().clone()),
    }
}

/// Whether the repeat button is held now, for three seconds.
fn is_held(config: &Config) -> bool {
    if !config.has_buttons() {
        return false;
    }
    // Missing buttons are reported when the game wants them.
    pi::buttons(&config.buttons.pins).is_ok_and(|mut pins| hold::held(&mut *pins, hold::sleep))
}
