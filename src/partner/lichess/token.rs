//! The token that opens an account: kept in a file that its owner alone reads, typed or read from a
//! file, never a word of a command line.

use std::{
    io::{self, BufRead as _, IsTerminal as _, Read as _},
    path::Path,
};

use rustix::termios::{LocalModes, OptionalActions, tcgetattr, tcsetattr};
use thiserror::Error;

use crate::{
    private::{self, PrivateError},
    streams::error_text,
};

/// No token is longer, bytes.
const LONGEST: usize = 512;

/// Why there is no token.
#[derive(Debug, Error)]
pub enum TokenError {
    #[error(transparent)]
    File(#[from] PrivateError),
    #[error(
        "{what}: a token is one line of letters, digits and _, as {site}/account/oauth/token shows it once, with the \
         scope board:play"
    )]
    NoToken { what: String, site: String },
}

/// Reads a token out of what was typed or kept.
fn read(text: &str, what: &str, site: &str) -> Result<String, TokenError> {
    let token = text.trim();
    let good = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    if token.is_empty() || token.len() > LONGEST || !token.chars().all(good) {
        return Err(TokenError::NoToken { what: what.to_owned(), site: site.to_owned() });
    }
    Ok(token.to_owned())
}

/// The token in this file, which nobody else may read; `Ok(None)`: there is no such file.
pub fn kept(path: &Path, site: &str) -> Result<Option<String>, TokenError> {
    let Some(text) = private::read(path, LONGEST as u64 * 2)? else { return Ok(None) };
    read(&text, &format!("{} holds no token", path.display()), site).map(Some)
}

/// Keeps a token, for its owner alone.
pub fn keep(path: &Path, token: &str) -> Result<(), TokenError> {
    Ok(private::write(path, &format!("{token}\n"))?)
}

/// Asks for a token in the terminal, where it is not shown, or reads a line of whatever standard
/// input is.
pub fn typed(site: &str, tell: fn(&str)) -> Result<String, TokenError> {
    let input = io::stdin();
    let quiet = input.is_terminal().then(|| Quiet::new(&input)).flatten();
    if quiet.is_some() {
        tell(&format!("token of {site}, which is not shown:"));
    }
    let mut line = String::new();
    let most = LONGEST as u64 * 2;
    let read_in = input.lock().take(most).read_line(&mut line);
    if quiet.is_some() {
        error_text("\n");
    }
    drop(quiet);
    read_in.map_err(|err| PrivateError::File { path: "-".into(), reason: err.to_string() })?;
    read(&line, "that is no token", site)
}

/// A terminal that does not show what is typed, until this is dropped.
struct Quiet<F: rustix::fd::AsFd> {
    terminal: F,
    before: rustix::termios::Termios,
}

impl<F: rustix::fd::AsFd> Quiet<F> {
    fn new(terminal: F) -> Option<Quiet<F>> {
        let before = tcgetattr(&terminal).ok()?;
        let mut quiet = before.clone();
        quiet.local_modes.remove(LocalModes::ECHO);
        tcsetattr(&terminal, OptionalActions::Flush, &quiet).ok()?;
        Some(Quiet { terminal, before })
    }
}

impl<F: rustix::fd::AsFd> Drop for Quiet<F> {
    fn drop(&mut self) {
        // A terminal that is gone shows nothing.
        let _ = tcsetattr(&self.terminal, OptionalActions::Now, &self.before);
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    #[test]
    fn a_token_is_kept_for_its_owner_alone_and_one_that_others_read_is_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("lichess.token");
        assert_eq!(kept(&path, "s").expect("none yet"), None);
        fs::write(&path, "lip_old\n").expect("written");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
        let line = kept(&path, "s").expect_err("open to all").to_string();
        assert!(line.contains("chmod 600"), "{line}");
        keep(&path, "lip_New1").expect("kept");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        assert_eq!(kept(&path, "s").expect("there").as_deref(), Some("lip_New1"));
    }

    #[test]
    fn what_is_no_token_is_refused_in_one_line_that_does_not_show_it() {
        for text in ["", "two words", "lip_\u{fc}", "a\nb", &"x".repeat(600)] {
            let line = read(text, "that is no token", "https://lichess.org").expect_err(text);
            let line = line.to_string();
            assert!(line.contains("board:play") && !line.contains('\n'), "{line}");
            assert!(text.is_empty() || !line.contains(text), "{line}");
        }
        assert_eq!(read(" lip_aB3-\n", "", "").expect("good"), "lip_aB3-");
    }
}
