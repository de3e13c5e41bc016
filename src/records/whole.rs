//! A file written as a whole: what was there, or all of the new, whatever ends the program. And one
//! read as a whole: not one that never ends, or waits.

use std::{
    ffi::OsString,
    fs::{self, OpenOptions, Permissions},
    io::{self, Read as _, Write as _},
    os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// No file that a person names is longer, bytes.
const LONGEST: u64 = 64 << 20;

/// The bytes of a file that somebody has named, or may have exchanged. A FIFO, a device and a file
/// of more than 64 MiB are none.
///
/// # Errors
/// The system's message, or what is wrong with the file.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    // Looked at before it is opened: opening a FIFO waits.
    let kind = fs::metadata(path)?;
    // Of a folder the system says that it is one.
    if !kind.is_file() && !kind.is_dir() {
        return Err(io::Error::other("it is no regular file"));
    }
    read_stream(fs::File::open(path)?)
}

/// The same as text.
///
/// # Errors
/// As [`read`]; what is no UTF-8 is wrong too.
pub fn read_text(path: &Path) -> io::Result<String> {
    let wrong = |_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8");
    String::from_utf8(read(path)?).map_err(wrong)
}

/// All bytes of a stream, such as standard input.
///
/// # Errors
/// The system's message, or that there are more than 64 MiB.
pub fn read_stream(from: impl io::Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(LONGEST + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > LONGEST {
        return Err(io::Error::other("it is longer than 64 MiB"));
    }
    Ok(bytes)
}

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
    fn a_file_that_never_ends_or_waits_is_not_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("a"), "text").expect("written");
        assert_eq!(read_text(&at("a")).expect("text"), "text");
        std::os::unix::fs::symlink("/dev/zero", at("zero")).expect("a link");
        let fifo = std::process::Command::new("mkfifo").arg(at("fifo")).status();
        assert!(fifo.expect("coreutils").success());
        for other in ["zero", "fifo"] {
            let err = read(&at(other)).expect_err("no file").to_string();
            assert_eq!(err, "it is no regular file", "{other}");
        }
        assert!(read(folder.path()).expect_err("a folder").to_string().contains("directory"));
        fs::File::create(at("long")).and_then(|file| file.set_len(LONGEST + 1)).expect("sparse");
        let long = "it is longer than 64 MiB";
        assert_eq!(read(&at("long")).expect_err("too long").to_string(), long);
        assert_eq!(read_stream(io::repeat(0)).expect_err("too long").to_string(), long);
        fs::write(at("latin"), [0xe4]).expect("written");
        assert!(read_text(&at("latin")).is_err());
        assert_eq!(read(&at("none")).expect_err("none").kind(), io::ErrorKind::NotFound);
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
