//! The sealed move, encrypted to the arbiter's passphrase (I.1.1, I.3).
//!
//! The envelope is an ordinary [age](https://age-encryption.org/v1) file in its text form, with one
//! scrypt recipient. `age --decrypt` opens it too, where this program is not at hand.
//!
//! # Nothing shows through
//!
//! The plaintext always has the same length ([`CONTENT_BYTES`]), so the length of an envelope
//! reveals nothing of the move. It names the game and the move number, so that one envelope cannot
//! be taken for another.

use std::{
    fmt, fs,
    io::{BufRead, IsTerminal, Read as _},
    path::{Path, PathBuf},
};

use age::secrecy::{ExposeSecret, SecretString};
use zeroize::Zeroizing;

use annabella_core::outside::lines;

/// Bytes that are encrypted, whatever the move.
pub const CONTENT_BYTES: usize = 512;
/// The longest sealed move, bytes.
pub const LONGEST_MOVE: usize = 200;
/// The shortest passphrase, characters.
pub const SHORTEST_PASSPHRASE: usize = 12;
/// So much of a file with a passphrase is read, bytes.
const LONGEST_FILE: usize = 4096;
/// scrypt's work: 2 to this power, with 128 MiB of memory; about two seconds on a small computer.
pub const WORK_FACTOR: u8 = 17;
/// An envelope with a higher work factor is refused: it would take this machine minutes.
const MOST_WORK: u8 = 20;
/// The first line of what is encrypted.
const TITLE: &str = "annabella sealed move 1";

/// Why a move cannot be sealed or an envelope not be opened.
#[derive(Debug, thiserror::Error)]
pub enum SealError {
    #[error("the passphrase has fewer than {SHORTEST_PASSPHRASE} characters: choose a longer one")]
    TooShort,
    #[error("the two passphrases differ: enter the same twice")]
    Differ,
    #[error("cannot read the passphrase from {path}: {reason}")]
    File { path: PathBuf, reason: String },
    #[error("cannot ask on this terminal: {reason}; give a file")]
    Terminal { reason: String },
    #[error("no move was given: write it in any notation of appendix C")]
    Empty,
    #[error("the move has more than {LONGEST_MOVE} bytes: write the move alone")]
    TooLong,
    #[error("the passphrase does not open this envelope: enter the one that it was sealed with")]
    Wrong,
    #[error("this is no envelope of annabella ({reason}): decide by I.12.1 with `--lost`")]
    Damaged { reason: String },
    #[error("the envelope is that of {found}, not of {wanted}: decide by I.12.1 with `--lost`")]
    Other { found: String, wanted: String },
}

/// The arbiter's passphrase for envelopes. Its memory is wiped when it is dropped.
#[derive(Clone)]
pub struct Passphrase {
    secret: SecretString,
    work_factor: u8,
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(..)")
    }
}

impl Passphrase {
    /// A passphrase from its characters.
    ///
    /// # Errors
    /// [`SealError::TooShort`].
    pub fn new(text: impl Into<String>) -> Result<Passphrase, SealError> {
        // As long as it is, so that no copy is left where it was longer.
        let text = Zeroizing::new(text.into());
        let secret = SecretString::from(text.as_str());
        if secret.expose_secret().chars().count() < SHORTEST_PASSPHRASE {
            return Err(SealError::TooShort);
        }
        Ok(Passphrase { secret, work_factor: WORK_FACTOR })
    }

    /// The first line of a file.
    ///
    /// # Errors
    /// [`SealError::File`], [`SealError::TooShort`].
    pub fn from_file(path: &Path) -> Result<Passphrase, SealError> {
        // Never moved to where there is more room: a copy would be left. It may come from a pipe.
        let mut text = Zeroizing::new(String::with_capacity(LONGEST_FILE + 1));
        let read = fs::File::open(path)
            .and_then(|file| file.take(LONGEST_FILE as u64).read_to_string(&mut text));
        read.map_err(|error| SealError::File { path: path.to_owned(), reason: error.to_string() })?;
        Passphrase::new(lines(&text).next().unwrap_or_default())
    }

    /// Asks on the terminal, twice if it is a new one; from elsewhere a line is read.
    ///
    /// # Errors
    /// [`SealError::Terminal`], [`SealError::Differ`], [`SealError::TooShort`].
    pub fn ask(prompt: &str, again: &str, new: bool) -> Result<Passphrase, SealError> {
        let first = Zeroizing::new(ask(prompt)?);
        if new && std::io::stdin().is_terminal() {
            let second = Zeroizing::new(ask(again)?);
            if second != first {
                return Err(SealError::Differ);
            }
        }
        Passphrase::new(first.as_str())
    }

    /// With other work than [`WORK_FACTOR`]: less for tests, which seal often.
    #[must_use]
    pub fn with_work_factor(mut self, work_factor: u8) -> Passphrase {
        self.work_factor = work_factor.min(MOST_WORK);
        self
    }
}

/// Room for a line, so that it need not be moved while it is read, bytes.
const LINE: usize = 4_096;

/// Asks for something that is not shown while it is typed.
///
/// # Errors
/// [`SealError::Terminal`].
pub fn ask(prompt: &str) -> Result<String, SealError> {
    let terminal = |error: std::io::Error| SealError::Terminal { reason: error.to_string() };
    if std::io::stdin().is_terminal() {
        return rpassword::prompt_password(prompt).map_err(terminal);
    }
    let mut line = Zeroizing::new(String::with_capacity(LINE));
    std::io::stdin().lock().read_line(&mut line).map_err(terminal)?;
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}

/// Which move an envelope holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The game's number in its journal.
    pub game: i64,
    /// The move's number and colour: `41.` or `41...`.
    pub number: String,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {} move {}", self.game, self.number)
    }
}

/// The move as it will be sealed, on one line.
///
/// # Errors
/// [`SealError::Empty`], [`SealError::TooLong`].
pub fn check(written: &str) -> Result<String, SealError> {
    let written: String = written.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    let written = written.trim().to_owned();
    match written.len() {
        0 => Err(SealError::Empty),
        1..=LONGEST_MOVE => Ok(written),
        _ => Err(SealError::TooLong),
    }
}

/// Seals a move as it is written. Whether it is legal, or a move at all, is not looked at: that is
/// found when the envelope is opened (I.8).
///
/// # Errors
/// [`SealError::Empty`], [`SealError::TooLong`].
pub fn seal(label: &Label, written: &str, key: &Passphrase) -> Result<String, SealError> {
    let written = check(written)?;
    let mut content = format!("{TITLE}\n{label}\n{written}\n");
    // A game's number has at most 20 characters: this never falls short.
    while content.len() < CONTENT_BYTES {
        content.push('\n');
    }
    let mut recipient = age::scrypt::Recipient::new(key.secret.clone());
    recipient.set_work_factor(key.work_factor);
    age::encrypt_and_armor(&recipient, content.as_bytes())
        .map_err(|error| SealError::Damaged { reason: error.to_string() })
}

/// Opens an envelope: the move as it was written.
///
/// # Errors
/// [`SealError::Wrong`], [`SealError::Damaged`], [`SealError::Other`].
pub fn open(label: &Label, envelope: &str, key: &Passphrase) -> Result<String, SealError> {
    let damaged =
        |reason: &str| SealError::Damaged { reason: reason.replace(char::is_control, " ") };
    let mut identity = age::scrypt::Identity::new(key.secret.clone());
    identity.set_max_work_factor(MOST_WORK);
    let content = age::decrypt(&identity, envelope.as_bytes()).map_err(|error| match error {
        age::DecryptError::KeyDecryptionFailed
        | age::DecryptError::NoMatchingKeys
        | age::DecryptError::DecryptionFailed => SealError::Wrong,
        other => damaged(&other.to_string()),
    })?;
    let content = String::from_utf8(content).map_err(|_| damaged("not text"))?;
    let mut lines = content.lines();
    if lines.next() != Some(TITLE) {
        return Err(damaged("its first line is another"));
    }
    let (found, wanted) = (lines.next().unwrap_or_default(), label.to_string());
    if found != wanted {
        return Err(SealError::Other { found: found.to_owned(), wanted });
    }
    match lines.next().map(str::trim) {
        Some(written) if !written.is_empty() => Ok(written.to_owned()),
        _ => Err(damaged("it holds no move")),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn key(text: &str) -> Passphrase {
        Passphrase::new(text).expect("long enough").with_work_factor(2)
    }

    fn label() -> Label {
        Label { game: 7, number: "41...".to_owned() }
    }

    /// Places in this process's memory where these bytes stand; they are given changed, so that
    /// they do not count themselves.
    fn found_in_memory(changed: &[u8], by: u8) -> usize {
        use std::os::unix::fs::FileExt as _;
        let maps = fs::read_to_string("/proc/self/maps").expect("maps");
        let memory = fs::File::open("/proc/self/mem").expect("memory");
        let mut found = 0;
        for line in maps.lines().filter(|line| line.contains(" rw-p ")) {
            let range = line.split(' ').next().and_then(|range| range.split_once('-'));
            let (from, to) = range.expect("a range");
            let place = |text: &str| u64::from_str_radix(text, 16).expect("a place");
            let (from, to) = (place(from), place(to));
            let mut bytes = vec![0; usize::try_from((to - from).min(1 << 26)).expect("small")];
            let Ok(length) = memory.read_at(&mut bytes, from) else { continue };
            bytes.truncate(length);
            for byte in &mut bytes {
                *byte ^= by;
            }
            found += bytes.windows(changed.len()).filter(|part| *part == changed).count();
        }
        found
    }

    #[test]
    fn no_copy_of_a_passphrase_stays_in_memory() {
        const BY: u8 = 0x5a;
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("passphrase");
        // Made so that it stands nowhere but in the file.
        let changed: Vec<u8> = (0..40_u8).map(|n| (b'a' + n % 23) ^ BY).collect();
        let text = Zeroizing::new(changed.iter().map(|byte| byte ^ BY).collect::<Vec<u8>>());
        fs::write(&path, &*text).expect("written");
        drop(text);
        let kept = Passphrase::from_file(&path).expect("read");
        assert!(found_in_memory(&changed, BY) >= 1, "it is found while it is there");
        drop(kept);
        assert_eq!(found_in_memory(&changed, BY), 0);
    }

    #[test]
    fn a_passphrase_is_its_file_s_first_line_however_that_ends() {
        let envelope = seal(&label(), "Sd2", &key("correct horse")).expect("sealed");
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("passphrase");
        for end in ["", "\n", "\r\n", "\r", "\rmore\r"] {
            fs::write(&file, format!("correct horse{end}")).expect("written");
            let key = Passphrase::from_file(&file).expect("a passphrase");
            assert_eq!(open(&label(), &envelope, &key).expect("opens"), "Sd2", "{end:?}");
        }
    }

    #[test]
    fn only_the_passphrase_opens_it() {
        let envelope = seal(&label(), "Sd2", &key("correct horse")).expect("sealed");
        assert!(envelope.starts_with("-----BEGIN AGE ENCRYPTED FILE-----\n"), "{envelope}");
        assert_eq!(open(&label(), &envelope, &key("correct horse")).expect("opens"), "Sd2");
        let error = open(&label(), &envelope, &key("correct house")).expect_err("another");
        assert!(matches!(error, SealError::Wrong), "{error}");
    }

    #[test]
    fn an_envelope_of_another_move_or_a_spoilt_one_is_not_taken() {
        let key = key("correct horse");
        let envelope = seal(&label(), "Nd2", &key).expect("sealed");
        let other = Label { game: 8, ..label() };
        assert_eq!(
            open(&other, &envelope, &key).expect_err("another").to_string(),
            "the envelope is that of game 7 move 41..., not of game 8 move 41...: \
             decide by I.12.1 with `--lost`"
        );
        for spoilt in ["", "no envelope", &envelope[..200], &envelope.replace('A', "B")] {
            open(&label(), spoilt, &key).expect_err("spoilt");
        }
    }

    #[test]
    fn what_is_too_short_or_too_long_is_refused() {
        assert!(matches!(Passphrase::new("eleven char"), Err(SealError::TooShort)));
        assert!(matches!(seal(&label(), " \n", &key("123456789012")), Err(SealError::Empty)));
        let long = "e4".repeat(101);
        assert!(matches!(seal(&label(), &long, &key("123456789012")), Err(SealError::TooLong)));
        assert_eq!(format!("{:?}", key("123456789012")), "Passphrase(..)");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]

        #[test]
        fn what_is_sealed_comes_back_and_every_envelope_is_as_long(
            written in "[^\\s\\p{C}]{1,40}", game in 0..i64::MAX, secret in "[^\\p{C}]{12,30}",
        ) {
            let label = Label { game, number: "300...".to_owned() };
            let envelope = seal(&label, &written, &key(&secret)).expect("sealed");
            prop_assert_eq!(open(&label, &envelope, &key(&secret)).expect("opens"), written.clone());
            let usual = seal(&Label { game: 1, number: "1.".to_owned() }, "e4", &key(&secret));
            prop_assert_eq!(envelope.len(), usual.expect("sealed").len());
            // Two bytes may stand in any text of a thousand by chance.
            prop_assert!(written.len() < 5 || !envelope.contains(&written));
        }
    }
}
