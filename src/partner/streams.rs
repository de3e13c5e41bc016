//! What is written for a person. A stream that is closed or full ends no game, and no panic tells
//! of it.

use std::io::{self, Write as _};

/// Writes to standard error, all at once. Where it takes nothing nobody is left to be told.
pub fn error_text(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}

/// Writes to standard output. A reader that has seen enough is no fault.
///
/// # Errors
/// It takes no more: why.
pub fn output(text: &str) -> Result<(), String> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(err) if err.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("cannot write the output: {err}"))
        }
        _ => Ok(()),
    }
}
