//! The command line: one module a command, wired in `main.rs`.

pub mod board;
pub mod doctor;
pub mod donate;
pub mod enrol;
pub mod games;
pub mod hand_over;
pub mod infer;
pub mod listen;
pub mod play;
pub mod practice;
pub mod reconcile;
pub mod recordings;
pub mod rewrite;
#[cfg(all(feature = "speech", feature = "sound"))]
mod room;
pub mod say;
pub mod setup;
pub mod tell;
pub mod words;

use std::{
    fmt,
    io::{self, Write},
    path::{Path, PathBuf},
    process::ExitCode,
    sync::OnceLock,
};

use annabella_core::game::read_fen;
use annabella_locale::call;
use clap::Parser;
use shakmaty::Chess;

pub use crate::service::streams::german;

use crate::{
    config::{Config, place},
    service::{
        streams::{complain, error_line, in_own_language, own_german, settle},
        terminal::{self, Cooked},
    },
};

/// How a command ended. Source: the exit codes in docs/commands.md.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    Done,
    /// The work found a problem: a rule broken, boards differ, not understood.
    Problem,
}

/// The reason why a command failed.
#[derive(Debug)]
pub enum Failure {
    /// The call or a file was wrong: exit code 2.
    Usage(String),
    /// A device is missing or failed: exit code 3.
    Device(String),
    /// The reader of the output went away: no fault of ours.
    Closed,
}

/// Languages that papers and pages speak.
const LANGUAGES: [&str; 7] = ["de", "en", "es", "fr", "lt", "pl", "ru"];

/// The configuration that the command has read.
static READ: OnceLock<PathBuf> = OnceLock::new();

/// The named configuration, or the one that is found, and its file.
///
/// # Errors
/// It is wrong, or may not be read.
fn configuration(named: Option<&Path>) -> Result<(Config, Option<PathBuf>), Failure> {
    let (config, path) = Config::find(named).map_err(Failure::usage)?;
    if let Some(path) = &path {
        READ.get_or_init(|| path.clone());
    }
    if let (None, Some(path)) = (named, &path) {
        complain(&format!("configuration {}", path.display()));
    }
    Ok((config, path))
}

/// The position of `--fen`; the usual start if not given.
///
/// # Errors
/// It is none, with the option's name.
pub fn position(fen: Option<&str>) -> Result<Chess, Failure> {
    let read = |fen| read_fen(fen).map_err(|err| Failure::usage(format!("--fen: {err}")));
    fen.map_or_else(|| Ok(Chess::default()), read)
}

impl Failure {
    /// The call or a file was wrong.
    pub fn usage(text: impl ToString) -> Failure {
        Failure::Usage(text.to_string())
    }

    /// A device is missing or failed.
    pub fn device(text: impl ToString) -> Failure {
        Failure::Device(text.to_string())
    }

    /// The process's exit code.
    pub fn code(&self) -> u8 {
        match self {
            Failure::Usage(_) => 2,
            Failure::Device(_) => 3,
            Failure::Closed => 0,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Usage(text) | Failure::Device(text) => f.write_str(text),
            Failure::Closed => f.write_str("the output was closed"),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(err: io::Error) -> Failure {
        if err.kind() == io::ErrorKind::BrokenPipe {
            return Failure::Closed;
        }
        Failure::Device(format!("cannot write the output: {err}"))
    }
}

/// Reads the call of a program, runs it and turns its end into an exit code: `run` gets the call
/// and standard output. A failure is one line on standard error, after the program's `name`.
pub fn start<C: Parser>(
    name: &str,
    run: impl FnOnce(&C, &mut dyn Write) -> Result<Exit, Failure>,
) -> ExitCode {
    let call = match C::try_parse() {
        Ok(call) => call,
        Err(err) => return called_wrongly(C::command(), name, err),
    };
    // However this ends, the shell gets its terminal back.
    let _cooked = Cooked;
    let mut out = io::stdout().lock();
    let ended = run(&call, &mut out);
    let flushed = out.flush().map_err(Failure::from);
    let code = match ended.and_then(|exit| flushed.map(|()| exit)) {
        // That was said; the device is the one that was typed on.
        Ok(Exit::Done) if terminal::is_broken() => ExitCode::from(3),
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Problem) => ExitCode::from(1),
        // The reader of the output has seen enough.
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(failure) => {
            let line = failure.to_string();
            let line = READ.get().map_or_else(|| line.clone(), |file| place::told(file, &line));
            error_line(&format!("{name}: {}", in_own_language(&line)));
            ExitCode::from(failure.code())
        }
    };
    settle();
    code
}

/// Help goes to standard output; a wrong call gets one line and exit code 2.
fn called_wrongly(program: clap::Command, name: &str, err: clap::Error) -> ExitCode {
    call::answer(program, name, own_german(), err).unwrap_or_else(|line| {
        error_line(&format!("{name}: {line}"));
        settle();
        ExitCode::from(2)
    })
}
