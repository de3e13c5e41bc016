//! Signatures: rows, questions and marks of ownership say whose they are, wherever they come from.
//!
//! The event has a signer, whose secret stays with the organiser. It vouches for each key: whose it
//! is, in which event. A key's file names the signer, and so its holder knows every other key of
//! the event by what comes with a message. All signatures are Ed25519, by the same key with which
//! its holder logs in at the server.

use std::{
    collections::BTreeMap,
    fmt::{self, Display},
    sync::{Arc, Mutex},
};

use annabella_threads::lock;
use base64::{Engine as _, prelude::BASE64_STANDARD as BASE64};
use nkeys::KeyPair;

use crate::{
    names::{EventName, GameSubject, sum_text},
    role::KeyRole,
};
use annabella_records::journal::KeptRow;

/// The header with a signature: role, public key, what vouches for it, and the signature.
pub(crate) const SIGNED: &str = "Annabella-Signed";
/// No such header is longer, bytes.
const LONGEST: usize = 400;
/// So many keys are remembered as good.
const REMEMBERED: usize = 1_024;

/// What the signer says of a key.
fn voucher(event: &EventName, role: KeyRole, public: &str) -> String {
    format!("annabella key\n{event}\n{role}\n{public}")
}

/// What a board says of a row. The checksum is over the row and over that of the row before it.
pub(crate) fn row_text(event: &EventName, of: GameSubject, row: &KeptRow) -> String {
    let GameSubject { board, game, copy } = of;
    let (number, sum) = (row.number, sum_text(row.sum));
    format!("annabella row\n{event}\n{board}\n{game}\n{copy}\n{number}\n{sum}")
}

/// What somebody says of who a board is, after the mark at this place of the stream.
pub(crate) fn owner_text(event: &EventName, board: u32, owner: &str, after: u64) -> String {
    format!("annabella owner\n{event}\n{board}\n{owner}\n{after}")
}

/// What the hall asks a board.
pub(crate) fn ask_text(payload: &str) -> String {
    format!("annabella ask\n{payload}")
}

/// The signer of an event vouches for a key.
///
/// # Errors
/// When the secret is none that signs.
pub(crate) fn vouch(
    signer: &KeyPair,
    event: &EventName,
    role: KeyRole,
    public: &str,
) -> Result<String, nkeys::error::Error> {
    signer.sign(voucher(event, role, public).as_bytes()).map(|signed| BASE64.encode(signed))
}

/// A key that signs, and what it knows the others by.
#[derive(Clone)]
pub struct Signer {
    event: EventName,
    role: KeyRole,
    pair: Arc<KeyPair>,
    vouched: String,
    authority: Arc<KeyPair>,
    /// Keys that were found good.
    known: Arc<Mutex<BTreeMap<String, String>>>,
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Signer").field("role", &self.role).finish_non_exhaustive()
    }
}

/// Who has signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SignedBy {
    pub(crate) role: KeyRole,
    pub(crate) public: String,
}

impl Signer {
    /// # Errors
    /// What is wrong with the key's file.
    pub(crate) fn new(
        event: EventName,
        role: KeyRole,
        pair: KeyPair,
        vouched: String,
        signer: &str,
    ) -> Result<Signer, String> {
        let authority =
            KeyPair::from_public_key(signer).map_err(|_| "its signer is damaged".to_owned())?;
        let (pair, authority) = (Arc::new(pair), Arc::new(authority));
        let signer = Signer { event, role, pair, vouched, authority, known: Arc::default() };
        let good = signer.is_vouched(role, &signer.pair.public_key(), &signer.vouched);
        if good { Ok(signer) } else { Err("nobody vouches for it".to_owned()) }
    }

    pub fn event(&self) -> &EventName {
        &self.event
    }

    pub fn role(&self) -> KeyRole {
        self.role
    }

    /// The public half of the key.
    pub(crate) fn public(&self) -> String {
        self.pair.public_key()
    }

    /// The value of the header [`SIGNED`].
    pub(crate) fn sign(&self, text: &str) -> String {
        // A key of a file has its secret half: see `KeyFile::read`.
        let signed = self.pair.sign(text.as_bytes()).unwrap_or_default();
        format!("{} {} {} {}", self.role, self.public(), self.vouched, BASE64.encode(signed))
    }

    /// Who has signed this text.
    ///
    /// # Errors
    /// Why nobody has whom the event knows.
    pub(crate) fn check(&self, text: &str, header: &str) -> Result<SignedBy, &'static str> {
        const NOBODY: &str = "it is not signed";
        const WRONG: &str = "its signature is wrong";
        if header.is_empty() || header.len() > LONGEST {
            return Err(NOBODY);
        }
        let words: Vec<&str> = header.split(' ').collect();
        let [role, public, vouched, signed] = words[..] else { return Err(NOBODY) };
        let role = role.parse().map_err(|_| NOBODY)?;
        let pair = KeyPair::from_public_key(public).map_err(|_| NOBODY)?;
        let signed = BASE64.decode(signed).map_err(|_| NOBODY)?;
        if !self.is_vouched(role, public, vouched) {
            return Err("it is signed by a key that is not of this event");
        }
        pair.verify(text.as_bytes(), &signed).map_err(|_| WRONG)?;
        Ok(SignedBy { role, public: public.to_owned() })
    }

    /// Who has signed a row; it must be this board, or a spare one in its place.
    ///
    /// # Errors
    /// Why it is not this board's.
    pub(crate) fn check_row(
        &self,
        of: GameSubject,
        row: &KeptRow,
        header: &str,
    ) -> Result<(), &'static str> {
        match self.check(&row_text(&self.event, of, row), header)?.role {
            KeyRole::Board(board) if board == of.board => Ok(()),
            KeyRole::Spare(_) => Ok(()),
            _ => Err("another than the board has signed it"),
        }
    }

    fn is_vouched(&self, role: KeyRole, public: &str, vouched: &str) -> bool {
        let text = voucher(&self.event, role, public);
        let said = format!("{vouched} {role}");
        if lock(&self.known).get(public) == Some(&said) {
            return true;
        }
        let Ok(signed) = BASE64.decode(vouched) else { return false };
        let good = self.authority.verify(text.as_bytes(), &signed).is_ok();
        let mut known = lock(&self.known);
        if good && known.len() < REMEMBERED {
            known.insert(public.to_owned(), said);
        }
        good
    }
}

/// Comes with what is displayed of a key in an error.
impl Display for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {}", self.role, self.event)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use annabella_records::journal::GameId;

    use super::*;

    pub(crate) fn event() -> EventName {
        "test".parse().expect("a name")
    }

    /// The keys of an event with one signer.
    pub(crate) fn key(signer: &KeyPair, role: KeyRole) -> Signer {
        let pair = KeyPair::new_user();
        let vouched = vouch(signer, &event(), role, &pair.public_key()).expect("signs");
        Signer::new(event(), role, pair, vouched, &signer.public_key()).expect("a key")
    }

    fn row() -> (GameSubject, KeptRow) {
        let of = GameSubject { board: 2, game: GameId { number: 1 }, copy: 1 };
        (of, KeptRow { number: 3, at_ms: 5, json: "\"Woke\"".to_owned(), sum: [7; 16] })
    }

    #[test]
    fn a_row_is_good_from_its_board_or_a_spare_and_from_nobody_else() {
        let signer = KeyPair::new_account();
        let hall = key(&signer, KeyRole::Hall);
        let (of, row) = row();
        let text = row_text(&event(), of, &row);
        for (role, good) in [
            (KeyRole::Board(2), true),
            (KeyRole::Spare(1), true),
            (KeyRole::Board(1), false),
            (KeyRole::Hall, false),
            (KeyRole::Reader, false),
            (KeyRole::Arbiter, false),
        ] {
            let signed = key(&signer, role).sign(&text);
            assert_eq!(hall.check_row(of, &row, &signed).is_ok(), good, "{role}");
        }
        let stranger = key(&KeyPair::new_account(), KeyRole::Board(2));
        assert!(hall.check_row(of, &row, &stranger.sign(&text)).is_err(), "another event's");
        assert!(hall.check_row(of, &row, "").is_err());
    }

    #[test]
    fn a_signature_is_good_at_its_own_place_only() {
        let signer = KeyPair::new_account();
        let (hall, board) = (key(&signer, KeyRole::Hall), key(&signer, KeyRole::Board(2)));
        let (of, row) = row();
        let signed = board.sign(&row_text(&event(), of, &row));
        let other_board = GameSubject { board: 3, ..of };
        let other_game = GameSubject { game: GameId { number: 2 }, ..of };
        let other_copy = GameSubject { copy: 2, ..of };
        for of in [other_board, other_game, other_copy] {
            assert!(hall.check_row(of, &row, &signed).is_err(), "{of:?}");
        }
        let other_place = KeptRow { number: 4, ..row.clone() };
        let other_sum = KeptRow { sum: [8; 16], ..row.clone() };
        for row in [other_place, other_sum] {
            assert!(hall.check_row(of, &row, &signed).is_err(), "{row:?}");
        }
        let other: EventName = "other".parse().expect("a name");
        let elsewhere = board.sign(&row_text(&other, of, &row));
        assert!(hall.check_row(of, &row, &elsewhere).is_err(), "another event");
        assert!(hall.check_row(of, &row, &signed).is_ok());
    }

    #[test]
    fn no_byte_of_a_signature_may_be_another() {
        let signer = KeyPair::new_account();
        let (hall, board) = (key(&signer, KeyRole::Hall), key(&signer, KeyRole::Board(2)));
        let signed = board.sign("text");
        assert!(hall.check("text", &signed).is_ok() && hall.check("texts", &signed).is_err());
        for n in 0..signed.len() {
            let mut other = signed.clone().into_bytes();
            other[n] = if other[n] == b'2' { b'3' } else { b'2' };
            let other = String::from_utf8(other).expect("text");
            if other != signed {
                assert!(hall.check("text", &other).is_err(), "byte {n}");
            }
        }
    }

    #[test]
    fn what_one_role_is_vouched_for_is_no_voucher_of_another() {
        let signer = KeyPair::new_account();
        let (hall, board) = (key(&signer, KeyRole::Hall), key(&signer, KeyRole::Board(2)));
        let signed = board.sign("text");
        assert!(hall.check("text", &signed).is_ok(), "it is known now");
        let lies = signed.replacen("board-2", "hall", 1);
        assert!(hall.check("text", &lies).is_err());
    }
}
