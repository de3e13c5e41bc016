//! Why a configuration can't be used.

use annabella_devices::board::wiring::WiringError;

/// A configuration that can't be used; one line each, with file, line and remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The file can't be read.
    #[error(
        "cannot read {file}: {reason}; correct the path given with --config, or leave it out to play with the defaults"
    )]
    Read {
        /// The file.
        file: String,
        /// What the system says.
        reason: String,
    },
    /// It is not TOML.
    #[error("{file}:{line}: {problem}")]
    Syntax {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What the parser says.
        problem: String,
    },
    /// A section that does not exist.
    #[error("{file}:{line}: unknown section [{section}]; did you mean [{nearest}]?")]
    UnknownSection {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What was written.
        section: String,
        /// The known section that looks most like it.
        nearest: &'static str,
    },
    /// A key that does not exist.
    #[error("{file}:{line}: unknown key '{key}' in [{section}]; did you mean '{nearest}'?")]
    UnknownKey {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The section it stands in.
        section: &'static str,
        /// What was written.
        key: String,
        /// The known key that looks most like it.
        nearest: &'static str,
    },
    /// A key that exists in another section.
    #[error("{file}:{line}: key '{key}' stands in the wrong place; put it under [{section}]")]
    Misplaced {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// What was written.
        key: String,
        /// Where it belongs.
        section: &'static str,
    },
    /// Keys that are right each by itself, but not together.
    #[error("{file}: [board] {problem}")]
    Wiring {
        /// The file.
        file: String,
        /// What to change.
        problem: WiringError,
    },
    /// What the players at the table need is missing, or given to the wrong one.
    #[error("{file}: {problem}")]
    Seats {
        /// The file.
        file: String,
        /// What to change.
        problem: String,
    },
    /// A value of the wrong kind or out of range.
    #[error("{file}:{line}: {key} in [{section}] is {found}; allowed: {allowed}")]
    Value {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The section it stands in.
        section: &'static str,
        /// The key.
        key: &'static str,
        /// The value as written.
        found: String,
        /// What could stand there.
        allowed: String,
    },
}
