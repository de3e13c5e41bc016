//! Sessions: a signed word in a cookie says who somebody is, and until when.
//!
//! The server keeps the key, its own time and the sessions that were left, so a power cut loses
//! none. A new key ends all of them. A session is not bound to an address: a phone may get another.
//!
//! # Time
//!
//! A session lasts for hours of the service's own time, which counts while it runs and goes on
//! where it was after a restart. Setting the wall clock changes nothing.

use std::{
    collections::{BTreeMap, VecDeque},
    io,
    path::{Path, PathBuf},
    time::Instant,
};

use ring::{
    hmac,
    rand::{SecureRandom, SystemRandom},
};

use super::{ConsoleError, Role};
use annabella_records::whole;

/// How long somebody stays who he is.
pub(super) const LASTS_S: u64 = 12 * 3_600;
/// How often the time is written down.
const KEPT_EVERY_S: u64 = 600;
/// So many displays that were left are remembered: whoever has their code, which is good again and
/// again, makes the file no longer and no act slower.
const LEFT_DISPLAYS: usize = 256;
/// Bytes of the key.
const KEY_LEN: usize = 32;

/// Somebody who showed the right code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Session {
    pub(super) role: Role,
    /// Tells pages of one role apart.
    pub(super) id: u64,
    /// Seconds of the service's own time.
    pub(super) until_s: u64,
}

/// Whether what is written is on the disk before anything else happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Disk {
    Awaited,
    NotAwaited,
}

/// What the server knows of sessions.
pub(super) struct Sessions {
    key: [u8; KEY_LEN],
    /// Where that is kept. `None`: nowhere.
    file: Option<PathBuf>,
    /// The service's time when this began.
    base_s: u64,
    began: Instant,
    kept_s: u64,
    /// Sessions that were left and could act, and until when they would have lasted. A code lets in
    /// one, so they are few.
    left: BTreeMap<u64, u64>,
    /// The newest displays that were left, and until when.
    left_displays: VecDeque<(u64, u64)>,
}

impl Sessions {
    /// As the file has them; with a new key if there is none, or none that can be read: nobody's
    /// session is good then, and the second is why. Only its owner can read the file.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(super) fn open(
        file: Option<&Path>,
    ) -> Result<(Sessions, Option<ConsoleError>), ConsoleError> {
        let mut sessions = Sessions {
            key: new_key()?,
            file: file.map(Path::to_owned),
            base_s: 0,
            began: Instant::now(),
            kept_s: 0,
            left: BTreeMap::new(),
            left_displays: VecDeque::new(),
        };
        let Some(path) = file else { return Ok((sessions, None)) };
        let anew = |reason: String| {
            let path = path.display().to_string();
            Some(ConsoleError::KeyAnew { path, reason })
        };
        let why = match whole::read(path) {
            // A key alone, without the time.
            Ok(bytes) if bytes.len() == KEY_LEN => {
                sessions.key.copy_from_slice(&bytes);
                None
            }
            Ok(bytes) => {
                let kept = String::from_utf8(bytes).ok().and_then(|text| sessions.taken(&text));
                if let Some(kept) = kept {
                    return Ok((kept, None));
                }
                anew("it is no key".to_owned())
            }
            Err(err) if err.kind() == io::ErrorKind::NotFound => None,
            Err(err) => anew(err.to_string()),
        };
        // Where it cannot be kept, sessions last as long as this runs.
        let why = sessions.keep(Disk::Awaited).err().or(why);
        Ok((sessions, why))
    }

    /// With what a file says; `None`: it says something else.
    fn taken(&self, text: &str) -> Option<Sessions> {
        let mut sessions = Sessions {
            file: self.file.clone(),
            left: BTreeMap::new(),
            left_displays: VecDeque::new(),
            ..*self
        };
        sessions.take(text).map(|()| sessions)
    }

    fn take(&mut self, text: &str) -> Option<()> {
        for line in text.lines() {
            let mut words = line.split(' ');
            match (words.next()?, words.next()?, words.next()) {
                ("key", key, None) => self.key = unhex(key)?.try_into().ok()?,
                ("time", time, None) => self.base_s = time.parse().ok()?,
                ("left", id, Some(until)) => {
                    let (id, until) = (id.parse().ok()?, until.parse().ok()?);
                    match words.next() {
                        Some(_) => self.left_displays.push_back((id, until)),
                        None => drop(self.left.insert(id, until)),
                    }
                }
                _ => return None,
            }
        }
        self.kept_s = self.base_s;
        text.starts_with("key ").then_some(())
    }

    /// Writes the file anew.
    fn keep(&mut self, disk: Disk) -> Result<(), ConsoleError> {
        let Some(path) = &self.file else { return Ok(()) };
        let now_s = self.now_s();
        self.left.retain(|_, until_s| *until_s > now_s);
        self.left_displays.retain(|(_, until_s)| *until_s > now_s);
        let mut text = format!("key {}\ntime {now_s}\n", hex(&self.key));
        for (id, until_s) in &self.left {
            text.push_str(&format!("left {id} {until_s}\n"));
        }
        for (id, until_s) in &self.left_displays {
            text.push_str(&format!("left {id} {until_s} display\n"));
        }
        let written = match disk {
            Disk::Awaited => whole::write(path, &text, Some(0o600)),
            Disk::NotAwaited => whole::write_unsynced(path, &text, Some(0o600)),
        };
        written.map_err(|err| ConsoleError::Key {
            path: path.display().to_string(),
            reason: err.to_string(),
        })?;
        self.kept_s = now_s;
        Ok(())
    }

    /// The service's own time, seconds.
    pub(super) fn now_s(&self) -> u64 {
        self.base_s.saturating_add(self.began.elapsed().as_secs())
    }

    /// Writes the time down, if that is due.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(super) fn keep_time(&mut self) -> Result<(), ConsoleError> {
        if self.now_s() < self.kept_s.saturating_add(KEPT_EVERY_S) {
            return Ok(());
        }
        // A file that can't be written is not tried again at once.
        self.kept_s = self.now_s();
        self.keep(Disk::Awaited)
    }

    /// A new session, and its cookie.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(super) fn give(&self, role: Role, by: &str) -> Result<String, ConsoleError> {
        let mut id = [0; 8];
        SystemRandom::new().fill(&mut id).map_err(|_| ConsoleError::NoRandom)?;
        let until_s = self.now_s().saturating_add(LASTS_S);
        Ok(self.sign(Session { role, id: u64::from_be_bytes(id), until_s }, by))
    }

    /// Ends a session for good.
    ///
    /// # Errors
    /// When that cannot be kept: the session would be good again after a restart.
    pub(super) fn leave(&mut self, session: Session) -> Result<(), ConsoleError> {
        if session.role.acts() {
            self.left.insert(session.id, session.until_s);
            return self.keep(Disk::Awaited);
        }
        self.left_displays.push_back((session.id, session.until_s));
        let old = self.left_displays.len().saturating_sub(LEFT_DISPLAYS);
        self.left_displays.drain(..old);
        // Acts do not wait for the disk because of somebody who looks on.
        self.keep(Disk::NotAwaited)
    }

    /// Ends all sessions but this one, whose new cookie is returned, by a new key; and whether that
    /// is kept.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub(super) fn close_others(
        &mut self,
        session: Session,
        by: &str,
    ) -> Result<(String, Result<(), ConsoleError>), ConsoleError> {
        self.key = new_key()?;
        self.left.clear();
        self.left_displays.clear();
        let kept = self.keep(Disk::Awaited);
        Ok((self.sign(session, by), kept))
    }

    /// As a cookie's value: `role.id.until.name.signature`.
    fn sign(&self, session: Session, by: &str) -> String {
        let Session { role, id, until_s } = session;
        let text = format!("{}.{id:016x}.{until_s}.{}", role.as_str(), hex(by.as_bytes()));
        let tag = hmac::sign(&self.hmac(), signed(&text).as_bytes());
        format!("{text}.{}", hex(tag.as_ref()))
    }

    /// The session that a cookie names, if its signature is right, its time not over and it was not
    /// left; with the name of who has it.
    pub(super) fn read(&self, text: &str) -> Option<(Session, String)> {
        let (body, tag) = text.rsplit_once('.')?;
        let tag = unhex(tag)?;
        hmac::verify(&self.hmac(), signed(body).as_bytes(), &tag).ok()?;
        let mut parts = body.split('.');
        let role = Role::named(parts.next()?)?;
        let id = u64::from_str_radix(parts.next()?, 16).ok()?;
        let until_s = parts.next()?.parse().ok()?;
        let by = String::from_utf8(unhex(parts.next()?)?).ok()?;
        let left = self.left.contains_key(&id)
            || (!role.acts() && self.left_displays.iter().any(|(left, _)| *left == id));
        let good = parts.next().is_none() && self.now_s() < until_s && !left;
        good.then_some((Session { role, id, until_s }, by))
    }

    fn hmac(&self) -> hmac::Key {
        hmac::Key::new(hmac::HMAC_SHA256, &self.key)
    }
}

fn new_key() -> Result<[u8; KEY_LEN], ConsoleError> {
    let mut key = [0; KEY_LEN];
    SystemRandom::new().fill(&mut key).map_err(|_| ConsoleError::NoRandom)?;
    Ok(key)
}

fn signed(text: &str) -> String {
    format!("annabella session\n{text}")
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
    use std::fs;

    use super::*;

    fn sessions() -> Sessions {
        Sessions::open(None).expect("random numbers").0
    }

    #[test]
    fn a10_a_session_is_read_back_until_its_time_is_over_or_it_is_left() {
        let mut sessions = sessions();
        let cookie = sessions.give(Role::Assistant, "Jörg").expect("random numbers");
        let (session, by) = sessions.read(&cookie).expect("good");
        assert_eq!((session.role, by.as_str()), (Role::Assistant, "Jörg"));
        sessions.base_s = LASTS_S - 1;
        assert!(sessions.read(&cookie).is_some());
        sessions.base_s = LASTS_S;
        assert_eq!(sessions.read(&cookie), None);
        sessions.base_s = 0;
        sessions.leave(session).expect("nowhere to keep it");
        assert_eq!(sessions.read(&cookie), None);
    }

    #[test]
    fn a_session_of_another_key_or_with_another_role_is_none() {
        let sessions = sessions();
        let cookie = sessions.give(Role::Display, "").expect("random numbers");
        assert_eq!(self::sessions().read(&cookie), None);
        assert_eq!(sessions.read(&cookie.replace("display", "arbiter")), None);
    }

    #[test]
    fn any_change_of_a_single_character_breaks_it() {
        let sessions = sessions();
        let cookie = sessions.give(Role::Arbiter, "A. Weber").expect("random numbers");
        for n in 0..cookie.len() {
            for other in ["0", "f", ".", "x", "ä", ""] {
                let mut changed = cookie.clone();
                changed.replace_range(n..=n, other);
                if changed != cookie {
                    assert_eq!(sessions.read(&changed), None, "{changed}");
                }
            }
        }
    }

    #[test]
    fn a10_key_time_and_what_was_left_are_kept_and_only_their_owners() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("console.key");
        let open = || Sessions::open(Some(&path)).expect("random numbers");
        let (mut first, why) = open();
        assert!(why.is_none());
        let cookies = ["a", "b"].map(|by| first.give(Role::Arbiter, by).expect("random numbers"));
        let left = first.read(&cookies[0]).expect("good").0;
        first.leave(left).expect("kept");
        first.base_s = KEPT_EVERY_S;
        first.keep_time().expect("kept");
        let (again, _) = open();
        assert_eq!((again.read(&cookies[0]), again.read(&cookies[1]).is_some()), (None, true));
        assert!(again.now_s() >= KEPT_EVERY_S);
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
        let whole = fs::read_to_string(&path).expect("text");
        let half = &whole[..whole.len() - 30];
        for other in ["", "short", "key 00\n", "time 5\n", "left x y\n", half] {
            fs::write(&path, other).expect("written");
            let (anew, why) = open();
            let why = why.expect("it is told").to_string();
            assert!(why.contains("console.key") && why.contains("type a code again"), "{why}");
            assert_eq!(anew.read(&cookies[1]), None, "{other}");
            let cookie = anew.give(Role::Arbiter, "b").expect("random numbers");
            let (again, why) = open();
            assert!(why.is_none() && again.read(&cookie).is_some(), "the new key is kept: {other}");
        }
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("a folder");
        let (sessions, why) = open();
        assert!(why.is_some() && sessions.give(Role::Arbiter, "b").is_ok(), "the pages open");
    }

    #[test]
    fn displays_that_come_and_leave_make_the_file_no_longer() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("console.key");
        let mut sessions = Sessions::open(Some(&path)).expect("random numbers").0;
        let mut comes = |role| {
            let cookie = sessions.give(role, "").expect("random numbers");
            let session = sessions.read(&cookie).expect("good").0;
            sessions.leave(session).expect("kept");
            (cookie, fs::metadata(&path).expect("a file").len())
        };
        let (arbiter, _) = comes(Role::Arbiter);
        let mut lengths: Vec<u64> = Vec::new();
        let mut last = String::new();
        for _ in 0..3 * LEFT_DISPLAYS {
            let (cookie, length) = comes(Role::Display);
            (last, _) = (cookie, lengths.push(length));
        }
        let (full, end) = (lengths[LEFT_DISPLAYS], lengths[lengths.len() - 1]);
        assert!(end.abs_diff(full) < 1_024, "{full} {end}");
        let again = Sessions::open(Some(&path)).expect("random numbers").0;
        for left in [arbiter, last] {
            assert_eq!(again.read(&left), None);
        }
    }
}
