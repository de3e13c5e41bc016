//! A file written as a whole: what was there, or all of the new, whatever ends the program.

use std::{
    ffi::OsString,
    fs::{self, OpenOptions, Permissions},
    io::{self, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// Writes the file beside its place, its name ending in `.new`, and puts it there once the disk has
/// it. `mode`: its rights; `None`: those of any new file.
///
/// # Errors
/// The system's message.
pub fn write(path: &Path, bytes: impl AsRef<[u8]>, mode: Option<u32>) -> io::Result<()> {
    put(path, bytes.as_ref(), mode, fs::File::sync_all)
}

/// The same without waiting for the disk: what is written anew all the time.
///
/// # Errors
/// The system's message.
pub fn write_unsynced(path: &Path, bytes: impl AsRef<[u8]>, mode: Option<u32>) -> io::Result<()> {
    put(path, bytes.as_ref(), mode, |_| Ok(()))
}

fn put(
    path: &Path,
    bytes: &[u8],
    mode: Option<u32>,
    lasts: fn(&fs::File) -> io::Result<()>,
) -> io::Result<()> {
    let mut name = OsString::from(path);
    name.push(".new");
    let new = PathBuf::from(name);
    // What lies there is of a program that was ended, or a link of somebody else's.
    match fs::remove_file(&new) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => return Err(err),
        _ => {}
    }
    // Nobody reads it before it has its rights.
    let mut options = OpenOptions::new();
    let mut file =
        options.write(true).create_new(true).mode(mode.map_or(0o666, |_| 0o600)).open(&new)?;
    let written = file
        .write_all(bytes)
        .and_then(|()| {
            mode.map_or(Ok(()), |mode| file.set_permissions(Permissions::from_mode(mode)))
        })
        .and_then(|()| lasts(&file))
        .and_then(|()| fs::rename(&new, path));
    if written.is_err() {
        let _ = fs::remove_file(&new);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_takes_the_place_of_what_is_there_with_its_own_rights_and_follows_no_link() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("victim"), "mine").expect("written");
        std::os::unix::fs::symlink(at("victim"), at("a.new")).expect("a link");
        write(&at("a"), "one", None).expect("written");
        write(&at("a"), "two", Some(0o640)).expect("written");
        assert_eq!(fs::read_to_string(at("a")).expect("there"), "two");
        assert_eq!(fs::read_to_string(at("victim")).expect("there"), "mine");
        let mode = fs::metadata(at("a")).expect("there").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(!at("a.new").exists());
    }

    #[test]
    fn what_cannot_be_put_there_leaves_nothing_behind() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("taken");
        fs::create_dir_all(path.join("inside")).expect("a folder");
        assert!(write(&path, "text", None).is_err());
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }
}
