//! The own key, and those of friends who were paired once: a file that its owner alone reads.

use std::path::{Path, PathBuf};

use rcgen::{CertificateParams, KeyPair};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::{pair::Fingerprint, wire::Hex};
use crate::private::{self, PrivateError};

/// No such file is longer, bytes.
const LONGEST: u64 = 1_024 * 1_024;

/// Why there is no book.
#[derive(Debug, Error)]
pub enum BookError {
    #[error(transparent)]
    Private(#[from] PrivateError),
    #[error(
        "{}: {reason}: move it away, and pair with your friends again (--pair)", .path.display()
    )]
    Unreadable { path: PathBuf, reason: String },
    #[error("cannot make a key: {0}")]
    NoKey(String),
}

/// The own end of every line.
#[derive(Clone, Serialize, Deserialize)]
pub struct Own {
    /// Signed by itself; both in DER.
    pub certificate: Hex,
    pub key: Hex,
}

/// Somebody who was paired.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Friend {
    pub name: String,
    /// Of his certificate.
    fingerprint: Hex,
    /// Where he was found last.
    #[serde(default)]
    pub at: Option<String>,
}

impl Friend {
    /// A friend by this name, with this key.
    pub fn new(name: &str, fingerprint: &Fingerprint, at: Option<&str>) -> Friend {
        let (name, at) = (name.to_owned(), at.map(str::to_owned));
        Friend { name, fingerprint: Hex(fingerprint.to_vec()), at }
    }

    /// This is his key.
    pub fn has(&self, fingerprint: &Fingerprint) -> bool {
        self.fingerprint.0 == fingerprint
    }
}

#[derive(Serialize, Deserialize)]
struct Written {
    own: Own,
    friends: Vec<Friend>,
}

/// The file.
pub struct Book {
    path: PathBuf,
    written: Written,
}

impl Book {
    /// Reads it, or makes it with a new key.
    pub fn open(path: &Path) -> Result<Book, BookError> {
        if let Some(text) = private::read(path, LONGEST)? {
            let wrong = |err: serde_json::Error| BookError::Unreadable {
                path: path.to_owned(),
                reason: err.to_string(),
            };
            let written = serde_json::from_str(&text).map_err(wrong)?;
            return Ok(Book { path: path.to_owned(), written });
        }
        let written = Written {
            own: own().map_err(|err| BookError::NoKey(err.to_string()))?,
            friends: Vec::new(),
        };
        let book = Book { path: path.to_owned(), written };
        book.save()?;
        Ok(book)
    }

    pub fn own(&self) -> &Own {
        &self.written.own
    }

    /// The friend of this name, in small letters or capitals.
    pub fn friend(&self, name: &str) -> Option<&Friend> {
        self.written.friends.iter().find(|friend| friend.name.to_lowercase() == name.to_lowercase())
    }

    /// Keeps a friend, in the place of one of the same name.
    pub fn keep(&mut self, friend: Friend) -> Result<(), BookError> {
        let name = friend.name.to_lowercase();
        self.written.friends.retain(|other| other.name.to_lowercase() != name);
        self.written.friends.push(friend);
        self.save()
    }

    fn save(&self) -> Result<(), BookError> {
        // Texts are JSON.
        let text = serde_json::to_string_pretty(&self.written).unwrap_or_default();
        Ok(private::write(&self.path, &(text + "\n"))?)
    }
}

fn own() -> Result<Own, rcgen::Error> {
    let key = KeyPair::generate()?;
    // The name is looked at by nobody: the key is what counts.
    let certificate =
        CertificateParams::new(vec!["annabella.invalid".to_owned()])?.self_signed(&key)?;
    Ok(Own { certificate: Hex(certificate.der().to_vec()), key: Hex(key.serialize_der()) })
}

#[cfg(test)]
mod tests {
    use std::{fs, os::unix::fs::PermissionsExt as _};

    use super::*;

    #[test]
    fn a_friend_is_known_tomorrow_and_nobody_else_reads_the_keys() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("friends.json");
        let mut book = Book::open(&path).expect("a new book");
        let own = book.own().certificate.clone();
        book.keep(Friend::new("Boris", &[7; 32], None)).expect("kept");
        book.keep(Friend::new("boris", &[8; 32], Some("host:1"))).expect("kept");
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o600);
        let book = Book::open(&path).expect("the same");
        assert!(book.own().certificate == own, "the key is made once");
        let friend = book.friend("BORIS").expect("known");
        assert!(friend.has(&[8; 32]) && !friend.has(&[7; 32]));
        assert_eq!(friend.at.as_deref(), Some("host:1"));
        assert!(book.friend("Carl").is_none());
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).expect("set");
        let line = Book::open(&path).err().expect("open to all").to_string();
        assert!(line.contains("chmod 600"), "{line}");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
        fs::write(&path, "{}").expect("written");
        let line = Book::open(&path).err().expect("no book").to_string();
        assert!(line.contains("pair with your friends again") && !line.contains('\n'), "{line}");
    }
}
