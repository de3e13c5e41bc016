//! Why a configuration can't be used.

/// A configuration that can't be used; one line each, with file, line and remedy.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    #[error(
        "cannot read {file}: {reason}; correct the path given with --config, or leave it out to play with the defaults"
    )]
    Read { file: String, reason: String },
    #[error("cannot read {file}: permission denied; take sudo, or name another file with --config")]
    Forbidden { file: String },
    #[error("{file}:{line}: {problem}")]
    Syntax {
        file: String,
        /// Line, from 1.
        line: usize,
        problem: String,
    },
    #[error("{file}:{line}: unknown section [{section}]; did you mean [{nearest}]?")]
    UnknownSection {
        file: String,
        /// Line, from 1.
        line: usize,
        /// The name as written.
        section: String,
        /// The known section that looks most like it.
        nearest: &'static str,
    },
    #[error("{file}:{line}: unknown key '{key}' in [{section}]; did you mean '{nearest}'?")]
    UnknownKey {
        file: String,
        /// Line, from 1.
        line: usize,
        section: &'static str,
        /// The name as written.
        key: String,
        /// The known key that looks most like it.
        nearest: &'static str,
    },
    #[error("{file}:{line}: key '{key}' stands in the wrong place; put it under [{section}]")]
    Misplaced {
        file: String,
        /// Line, from 1.
        line: usize,
        /// The name as written.
        key: String,
        /// The section where it belongs.
        section: &'static str,
    },
    /// Keys that do not go together: after the file and the line of one of them.
    #[error("{0}")]
    Together(String),
    #[error("{file}:{line}: {key} in [{section}] is {found}; allowed: {allowed}")]
    Value {
        file: String,
        /// Line, from 1.
        line: usize,
        section: &'static str,
        key: &'static str,
        /// The value as written.
        found: String,
        /// The allowed values.
        allowed: String,
    },
}
