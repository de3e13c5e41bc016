//! The command line: one module a command, wired in `main.rs`.

pub mod board;
pub mod corpus;
pub mod demo;
pub mod doctor;
pub mod enrol;
pub mod games;
pub mod infer;
pub mod listen;
pub mod measure;
pub mod play;
pub mod reconcile;
mod rewrite;
pub mod say;
pub mod setup;
#[cfg(feature = "dgt")]
pub mod simulate;
mod tell;
pub mod words;

use std::{fmt, io};

/// How a command ended. Source: the exit codes that the README promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// Done.
    Done,
    /// The work found a problem: a rule broken, boards differ, not understood.
    Problem,
}

/// Why a command could not do its work.
#[derive(Debug)]
pub enum Failure {
    /// The call or a file was wrong: exit code 2.
    Usage(String),
    /// A device is missing or failed: exit code 3.
    Device(String),
    /// Whoever read the output went away; no fault of ours.
    Closed,
}

impl Failure {
    /// The call or a file was wrong.
    pub fn usage(text: impl Into<String>) -> Failure {
        Failure::Usage(text.into())
    }

    /// A device is missing or failed.
    pub fn device(text: impl Into<String>) -> Failure {
        Failure::Device(text.into())
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
