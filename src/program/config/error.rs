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
        /// The system's message.
        reason: String,
    },
    /// The text is not TOML.
    #[error("{file}:{line}: {problem}")]
    Syntax {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The parser's message.
        problem: String,
    },
    /// A section that does not exist.
    #[error("{file}:{line}: unknown section [{section}]; did you mean [{nearest}]?")]
    UnknownSection {
        /// The file.
        file: String,
        /// Line, from 1.
        line: usize,
        /// The name as written.
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
        /// The name as written.
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
        /// The name as written.
        key: String,
        /// The section where it belongs.
        section: &'static str,
    },
    /// Keys that are right each by itself, but not together.
    #[error("{file}: [board] {problem}")]
    Wiring {
        /// The file.
        file: String,
        /// The fault and the remedy.
        problem: WiringError,
    },
    /// A device that the players need is missing, or given to the wrong player.
    #[error("{file}: {problem}")]
    Seats {
        /// The file.
        file: String,
        /// The remedy.
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
        /// The allowed values.
        allowed: String,
    },
}
