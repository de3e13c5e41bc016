//! Files that their owner alone may read.

use std::{
    fs,
    io::{self, Read as _, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

use thiserror::Error;

/// Why such a file is not used.
#[derive(Debug, Error)]
pub enum PrivateError {
    #[error("cannot use {}: {reason}", .path.display())]
    File { path: PathBuf, reason: String },
    #[error("others can read {}, and whoever reads it plays as you: chmod 600 {}", .path.display(), .path.display())]
    Open { path: PathBuf },
}

fn wrong(path: &Path, err: &io::Error) -> PrivateError {
    PrivateError::File { path: path.into(), reason: err.to_string() }
}

/// The text of this file, which nobody else may read, up to so many bytes; `Ok(None)`: there is no
/// such file.
///
/// # Errors
/// [`PrivateError`].
pub fn read(path: &Path, most: u64) -> Result<Option<String>, PrivateError> {
    let file = match fs::File::open(path) {
        Ok(file) => file,
        Err(err) if err.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(err) => return Err(wrong(path, &err)),
    };
    let mode = file.metadata().map_err(|err| wrong(path, &err))?.permissions().mode();
    if mode & 0o077 != 0 {
        return Err(PrivateError::Open { path: path.into() });
    }
    let mut text = String::new();
    file.take(most).read_to_string(&mut text).map_err(|err| wrong(path, &err))?;
    Ok(Some(text))
}

/// Keeps a text, for its owner alone: whole, or what was there before.
///
/// # Errors
/// [`PrivateError`].
pub fn write(path: &Path, text: &str) -> Result<(), PrivateError> {
    let new = path.with_extension("new");
    // One that is there keeps its mode; so a new file takes its place.
    let _ = fs::remove_file(&new);
    let kept = || {
        let mut options = fs::OpenOptions::new();
        let mut file = options.write(true).create_new(true).mode(0o600).open(&new)?;
        file.write_all(text.as_bytes())?;
        file.sync_all()?;
        fs::rename(&new, path)
    };
    kept().map_err(|err| wrong(path, &err))
}
