//! Two programs that have never met are introduced by a word: eight digits, which one player reads
//! to the other.
//!
//! # Why so few digits are enough
//!
//! SPAKE2 is a balanced exchange of keys by password: whoever listens, or sits in between, learns
//! nothing from it that he could try words against afterwards. He can only try them here, one word
//! a connection; three wrong ones end the pairing, and so do ten minutes. That is three chances in
//! a hundred million. Digits, because both players may speak different languages.
//!
//! # What is proved
//!
//! Each end proves the key with an HMAC over what the TLS line itself exports (RFC 9266 does so
//! too) and over both ends' certificates. So the word was known at both ends of this very line, and
//! who holds these keys holds the ends of it. Who comes proves first: who waits says nothing to a
//! wrong word that another guess could be tried against.
//!
//! Source: RFC 9382, RFC 8446 7.5

use std::time::{Duration, Instant};

use ring::{
    digest, hmac,
    rand::{SecureRandom as _, SystemRandom},
};
use spake2::{Ed25519Group, Identity, Password, Spake2};

/// How many digits a word has.
const DIGITS: usize = 8;
/// So many wrong words end a pairing.
pub const TRIES: u32 = 3;
/// And so does this time.
pub const TIME: Duration = Duration::from_secs(600);

/// The SHA-256 of a certificate.
pub type Fingerprint = [u8; 32];

/// Of this certificate (DER).
pub fn fingerprint(certificate: &[u8]) -> Fingerprint {
    let mut found = Fingerprint::default();
    found.copy_from_slice(digest::digest(&digest::SHA256, certificate).as_ref());
    found
}

/// The word of a pairing.
#[derive(Clone, PartialEq, Eq)]
pub struct Word(String);

impl Word {
    /// A new one by chance; `None`: the system has none to give.
    pub fn by_chance() -> Option<Word> {
        let mut bytes = [0; 8];
        SystemRandom::new().fill(&mut bytes).ok()?;
        // Of 2 to the 64th the rest is nothing that anybody could use.
        Some(Word(format!("{:08}", u64::from_le_bytes(bytes) % 100_000_000)))
    }

    /// As it was typed: digits, with anything that people put between them.
    pub fn read(text: &str) -> Option<Word> {
        let between = |c: char| c.is_whitespace() || ",.-".contains(c);
        let digits: String = text.chars().filter(|c| !between(*c)).collect();
        let good = digits.len() == DIGITS && digits.bytes().all(|byte| byte.is_ascii_digit());
        good.then_some(Word(digits))
    }

    /// Digit by digit, with a pause in the middle.
    pub fn spoken(&self) -> String {
        let spaced = |part: &str| part.chars().map(String::from).collect::<Vec<_>>().join(" ");
        let (first, second) = self.0.split_at(DIGITS / 2);
        format!("{}, {}", spaced(first), spaced(second))
    }
}

/// A pairing that is open.
pub struct Pairing {
    word: Word,
    wrong: u32,
    until: Instant,
}

/// What came of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judged {
    Good,
    Wrong,
    /// This was one wrong word too many, or it comes too late.
    Over,
}

impl Pairing {
    pub fn new(word: Word, now: Instant) -> Pairing {
        Pairing { word, wrong: 0, until: now + TIME }
    }

    /// Its word; `None`: nobody is paired any more.
    pub fn word(&self, now: Instant) -> Option<&Word> {
        (self.wrong < TRIES && now < self.until).then_some(&self.word)
    }

    /// When it is over by itself.
    pub fn until(&self) -> Instant {
        self.until
    }

    /// Somebody has proved his word, or not.
    pub fn judges(&mut self, good: bool, now: Instant) -> Judged {
        if self.word(now).is_none() {
            return Judged::Over;
        }
        if good {
            return Judged::Good;
        }
        self.wrong += 1;
        if self.word(now).is_some() { Judged::Wrong } else { Judged::Over }
    }
}

/// Which end of the line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    Comes,
    Waits,
}

impl End {
    fn label(self) -> &'static [u8] {
        match self {
            End::Comes => b"annabella friend 1: comes",
            End::Waits => b"annabella friend 1: waits",
        }
    }
}

/// The line on which it happens: what TLS exports of it, and the certificates of both ends.
#[derive(Clone, Copy, Debug)]
pub struct Bound {
    pub exported: [u8; 32],
    pub comes: Fingerprint,
    pub waits: Fingerprint,
}

/// One end of an exchange.
pub struct Exchange(Spake2<Ed25519Group>);

impl Exchange {
    /// Begins it. Answers what is sent.
    pub fn begin(end: End, word: &Word) -> (Exchange, Vec<u8>) {
        let password = Password::new(word.0.as_bytes());
        let (comes, waits) = (Identity::new(End::Comes.label()), Identity::new(End::Waits.label()));
        let (state, message) = match end {
            End::Comes => Spake2::start_a(&password, &comes, &waits),
            End::Waits => Spake2::start_b(&password, &comes, &waits),
        };
        (Exchange(state), message)
    }

    /// Ends it with what the other end has sent. `None`: that is no such thing.
    pub fn finish(self, theirs: &[u8]) -> Option<Proofs> {
        let key = self.0.finish(theirs).ok()?;
        Some(Proofs(hmac::Key::new(hmac::HMAC_SHA256, &key)))
    }
}

/// What proves the word.
pub struct Proofs(hmac::Key);

impl Proofs {
    /// Of this end of this line.
    pub fn of(&self, end: End, bound: &Bound) -> Vec<u8> {
        hmac::sign(&self.0, &said(end, bound)).as_ref().to_vec()
    }

    /// Whether this is it. Takes as long for a wrong one.
    pub fn are(&self, end: End, bound: &Bound, proof: &[u8]) -> bool {
        hmac::verify(&self.0, &said(end, bound), proof).is_ok()
    }
}

fn said(end: End, bound: &Bound) -> Vec<u8> {
    [end.label(), &bound.exported, &bound.comes, &bound.waits].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str) -> Word {
        Word::read(text).expect("a word")
    }

    fn bound() -> Bound {
        Bound { exported: [1; 32], comes: [2; 32], waits: [3; 32] }
    }

    /// Both ends' proofs after an exchange with these words.
    fn meet(comes: &str, waits: &str) -> (Proofs, Proofs) {
        let (one, from_one) = Exchange::begin(End::Comes, &word(comes));
        let (other, from_other) = Exchange::begin(End::Waits, &word(waits));
        let ends = (one.finish(&from_other), other.finish(&from_one));
        (ends.0.expect("a key"), ends.1.expect("a key"))
    }

    #[test]
    fn the_same_word_proves_itself_on_the_same_line_and_no_other() {
        let (comes, waits) = meet("12345678", "12345678");
        let proof = comes.of(End::Comes, &bound());
        assert!(waits.are(End::Comes, &bound(), &proof));
        // Sent back it proves nothing, nor on a line with somebody in between.
        assert!(!comes.are(End::Waits, &bound(), &proof));
        for other in [
            Bound { exported: [9; 32], ..bound() },
            Bound { comes: [9; 32], ..bound() },
            Bound { waits: [9; 32], ..bound() },
        ] {
            assert!(!waits.are(End::Comes, &other, &proof));
        }
        let (comes, waits) = meet("12345678", "12345679");
        assert!(!waits.are(End::Comes, &bound(), &comes.of(End::Comes, &bound())));
        let (again, _) = Exchange::begin(End::Comes, &word("12345678"));
        assert!(again.finish(b"nothing of the kind").is_none());
    }

    #[test]
    fn three_wrong_words_or_ten_minutes_end_a_pairing() {
        let now = Instant::now();
        let mut pairing = Pairing::new(word("12345678"), now);
        assert_eq!(pairing.judges(false, now), Judged::Wrong);
        assert_eq!(pairing.judges(false, now), Judged::Wrong);
        assert_eq!(pairing.judges(false, now), Judged::Over);
        assert_eq!(pairing.judges(true, now), Judged::Over);
        assert!(pairing.word(now).is_none());
        let mut pairing = Pairing::new(word("12345678"), now);
        assert_eq!(pairing.judges(true, now + TIME - Duration::from_secs(1)), Judged::Good);
        assert_eq!(pairing.judges(true, now + TIME), Judged::Over);
    }

    #[test]
    fn a_word_is_read_as_people_type_it_and_spoken_digit_by_digit() {
        for text in ["12345678", "1234 5678\n", "1 2 3 4, 5 6 7 8", "12-34-56-78"] {
            assert_eq!(word(text).spoken(), "1 2 3 4, 5 6 7 8");
        }
        for wrong in ["", "1234567", "123456789", "1234567a", "１２３４５６７８"] {
            assert!(Word::read(wrong).is_none(), "{wrong}");
        }
        let chance = Word::by_chance().expect("chance");
        assert!(Word::read(&chance.spoken()).is_some_and(|read| read == chance));
    }
}
