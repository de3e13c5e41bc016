//! Sessions: a signed word in a cookie says who somebody is, until when and from which address.
//!
//! The server stores no sessions, so a power cut loses none as long as the key is kept. A new key
//! ends all of them.

use std::{
    fs,
    io::{self, Write as _},
    net::IpAddr,
    os::unix::fs::OpenOptionsExt as _,
    path::Path,
};

use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};

use super::{ConsoleError, Role};

/// How long somebody stays who he is.
pub(super) const LASTS_S: u64 = 12 * 3_600;
/// Bytes of the key.
const KEY_LEN: usize = 32;

/// The key that sessions are signed with.
#[derive(Clone)]
pub struct Key {
    bytes: [u8; KEY_LEN],
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// A new one.
    ///
    /// # Errors
    ///
    /// When the system has no random numbers.
    pub fn new() -> Result<Key, ConsoleError> {
        let mut bytes = [0; KEY_LEN];
        SystemRandom::new().fill(&mut bytes).map_err(|_| ConsoleError::NoRandom)?;
        Ok(Key { bytes })
    }

    /// The key kept in a file; a new one is written there if there is none. Only its owner can read
    /// the file.
    ///
    /// # Errors
    ///
    /// When the file can be neither read nor written, or holds something else.
    pub fn kept(path: &Path) -> Result<Key, ConsoleError> {
        let wrong = |reason: String| ConsoleError::Key { path: path.display().to_string(), reason };
        match fs::read(path) {
            Ok(bytes) => {
                let bytes = bytes.try_into().map_err(|_| wrong("it is no key".to_owned()))?;
                Ok(Key { bytes })
            }
            Err(err) if err.kind() == io::ErrorKind::NotFound => {
                let key = Key::new()?;
                key.keep(path)?;
                Ok(key)
            }
            Err(err) => Err(wrong(err.to_string())),
        }
    }

    /// Writes the key to a file, over another one.
    pub(super) fn keep(&self, path: &Path) -> Result<(), ConsoleError> {
        let write = || -> io::Result<()> {
            let beside = path.with_extension("key-new");
            let _ = fs::remove_file(&beside);
            let mut file =
                fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside)?;
            file.write_all(&self.bytes)?;
            file.sync_all()?;
            fs::rename(&beside, path)
        };
        write().map_err(|err| ConsoleError::Key {
            path: path.display().to_string(),
            reason: err.to_string(),
        })
    }

    fn hmac(&self) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, &self.bytes)
    }
}

/// Somebody who showed the right code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) role: Role,
    /// Tells pages of one role apart.
    pub(super) id: u64,
    /// Unix seconds.
    pub(super) until_s: u64,
}

impl Session {
    /// A new one, from now on.
    pub(super) fn new(role: Role, now_s: u64) -> Result<Session, ConsoleError> {
        let mut id = [0; 8];
        SystemRandom::new().fill(&mut id).map_err(|_| ConsoleError::NoRandom)?;
        let until_s = now_s.saturating_add(LASTS_S);
        Ok(Session { role, id: u64::from_be_bytes(id), until_s })
    }

    /// As a cookie's value: `role.id.until.name.signature`.
    pub(super) fn sign(&self, by: &str, key: &Key, from: IpAddr) -> String {
        let by = hex(by.as_bytes());
        let text = format!("{}.{:016x}.{}.{by}", self.role.as_str(), self.id, self.until_s);
        let tag = hmac::sign(&key.hmac(), bound(&text, from).as_bytes());
        format!("{text}.{}", hex(tag.as_ref()))
    }

    /// The session that a cookie names, if its signature is right, its time not over and it comes
    /// from where it was given; with the name of who has it.
    pub(super) fn read(
        text: &str,
        key: &Key,
        from: IpAddr,
        now_s: u64,
    ) -> Option<(Session, String)> {
        let (body, tag) = text.rsplit_once('.')?;
        let tag = unhex(tag)?;
        hmac::verify(&key.hmac(), bound(body, from).as_bytes(), &tag).ok()?;
        let mut parts = body.split('.');
        let role = Role::named(parts.next()?)?;
        let id = u64::from_str_radix(parts.next()?, 16).ok()?;
        let until_s = parts.next()?.parse().ok()?;
        let by = String::from_utf8(unhex(parts.next()?)?).ok()?;
        let good = parts.next().is_none() && now_s < until_s;
        good.then_some((Session { role, id, until_s }, by))
    }
}

/// The signed text: the cookie's text and the address, which the cookie does not carry.
fn bound(text: &str, from: IpAddr) -> String {
    format!("annabella session\n{text}\n{}", from.to_canonical())
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let bytes = text.as_bytes();
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    let pairs = bytes.chunks_exact(2);
    if !pairs.remainder().is_empty() {
        return None;
    }
    pairs.map(|pair| Some(digit(pair[0])? << 4 | digit(pair[1])?)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 168, 4, 7));
    const THERE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 168, 4, 8));
    const NOW_S: u64 = 1_700_000_000;

    fn session(role: Role) -> Session {
        Session { role, id: 0x1234, until_s: NOW_S + LASTS_S }
    }

    #[test]
    fn a_session_is_read_back_until_its_time_is_over() {
        let key = Key::new().expect("random numbers");
        let cookie = session(Role::Assistant).sign("Jörg", &key, HERE);
        let read = Session::read(&cookie, &key, HERE, NOW_S);
        assert_eq!(read, Some((session(Role::Assistant), "Jörg".to_owned())));
        assert_eq!(Session::read(&cookie, &key, HERE, NOW_S + LASTS_S), None);
    }

    #[test]
    fn a_session_of_another_key_or_address_or_with_another_role_is_none() {
        let key = Key::new().expect("random numbers");
        let cookie = session(Role::Display).sign("", &key, HERE);
        assert_eq!(Session::read(&cookie, &Key::new().expect("random"), HERE, NOW_S), None);
        assert_eq!(Session::read(&cookie, &key, THERE, NOW_S), None);
        let forged = cookie.replace("display", "arbiter");
        assert_eq!(Session::read(&forged, &key, HERE, NOW_S), None);
    }

    #[test]
    fn any_change_of_a_single_character_breaks_it() {
        let key = Key::new().expect("random numbers");
        let cookie = session(Role::Arbiter).sign("A. Weber", &key, HERE);
        for n in 0..cookie.len() {
            for other in ["0", "f", ".", "x", "ä", ""] {
                let mut changed = cookie.clone();
                changed.replace_range(n..=n, other);
                if changed != cookie {
                    assert_eq!(Session::read(&changed, &key, HERE, NOW_S), None, "{changed}");
                }
            }
        }
    }

    #[test]
    fn a_kept_key_is_the_same_the_next_time_and_only_its_owners() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("console.key");
        let first = Key::kept(&path).expect("a new key");
        assert_eq!(first.bytes, Key::kept(&path).expect("the kept key").bytes);
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        fs::write(&path, "short").expect("written");
        let error = Key::kept(&path).expect_err("no key").to_string();
        assert!(error.contains("console.key") && error.contains("delete it"), "{error}");
    }
}
