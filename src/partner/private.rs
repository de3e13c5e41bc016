//! Files that their owner alone may read.

use std::{
    fs,
    io::{self, Read as _},
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
};

use thiserror::Error;

use annabella_records::whole;

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
pub fn read(path: &Path, most: u64) -> Result<Option<String>, PrivateError> {
    // Opening a FIFO would wait.
    let opened = match fs::metadata(path) {
        Ok(there) if !there.is_file() && !there.is_dir() => {
            Err(io::Error::other("it is no regular file"))
        }
        _ => fs::File::open(path),
    };
    let file = match opened {
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
pub fn write(path: &Path, text: &str) -> Result<(), PrivateError> {
    whole::write(path, text, Some(0o600)).map_err(|err| wrong(path, &err))
}
