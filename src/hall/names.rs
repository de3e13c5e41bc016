//! The names of boards and rows on the wire.
//!
//! A row of a board's journal has the subject `hall.EVENT.board.BOARD.game.GAME.COPY`, the sign of
//! life of a board `hall.EVENT.board.BOARD.here`. So a board's rights can be given by one pattern,
//! `hall.EVENT.board.BOARD.>`, and all rows of an event are `hall.EVENT.board.*.game.>`.
//!
//! # Copies
//!
//! A game can be begun over under its number, a journal can be repaired or exchanged. Then the
//! stream has rows that the journal has no more. Nothing is overwritten there: the game goes on as
//! its next copy, counted from 1, with all its rows. The last copy counts.

use std::{fmt, str::FromStr};

use annabella_records::journal::GameId;

/// No name of an event is longer.
pub const LONGEST_EVENT: usize = 32;
/// No board has a larger number.
pub const MOST_BOARDS: u32 = 99_999;

/// The name of an event: 1 to 32 letters a to z, digits, hyphens.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventName(String);

impl EventName {
    /// As it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub fn stream(&self) -> String {
        format!("hall-{self}")
    }

    /// The name of the stream that shows whether there is room for rows.
    pub fn room_stream(&self) -> String {
        format!("hallroom-{self}")
    }

    /// The subject at which the hall itself tries whether there is room.
    pub fn room(&self) -> String {
        format!("hall.{self}.room")
    }

    /// The subjects of all rows of all boards.
    pub fn rows(&self) -> String {
        format!("hall.{self}.board.*.game.>")
    }

    /// The subjects of who a board is, where one was taken over.
    pub fn owners(&self) -> String {
        format!("hall.{self}.board.*.owner")
    }

    /// The subject of who is paired at a board; of all with `*`.
    pub fn pairing(&self, board: impl fmt::Display) -> String {
        format!("hall.{self}.pairing.{board}")
    }

    /// The subjects at which boards try the same.
    pub fn board_rooms(&self) -> String {
        format!("hall.{self}.board.*.room")
    }

    /// The subjects of every board's sign of life.
    pub fn signs(&self) -> String {
        format!("hall.{self}.board.*.here")
    }

    /// The board in whose place a subject is, whatever follows after `game`.
    pub(crate) fn board_of_row(&self, subject: &str) -> Option<u32> {
        let rest = subject.strip_prefix("hall.")?.strip_prefix(self.as_str())?;
        let (board, rest) = rest.strip_prefix(".board.")?.split_once('.')?;
        rest.starts_with("game.").then(|| number(board)).flatten()
    }

    /// The name of the stream that has the last sign of life of each board.
    pub fn sign_stream(&self) -> String {
        format!("hallhere-{self}")
    }
}

impl fmt::Display for EventName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A text that names no event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an event's name has 1 to 32 letters a to z, digits and hyphens, as in \"olympiad-2027\"")]
pub struct NoEventName;

impl FromStr for EventName {
    type Err = NoEventName;

    fn from_str(text: &str) -> Result<EventName, NoEventName> {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let good = (1..=LONGEST_EVENT).contains(&text.len()) && text.chars().all(plain);
        if good { Ok(EventName(text.to_owned())) } else { Err(NoEventName) }
    }
}

/// A board of an event.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BoardPlace {
    pub event: EventName,
    pub board: u32,
}

impl BoardPlace {
    /// The subject of its sign of life.
    pub fn here(&self) -> String {
        format!("hall.{}.board.{}.here", self.event, self.board)
    }

    /// The subject that tells which journal is this board's, once it was taken over.
    pub fn owner(&self) -> String {
        format!("hall.{}.board.{}.owner", self.event, self.board)
    }

    /// The subject at which its pages are asked for.
    pub fn ask(&self) -> String {
        format!("hall.{}.board.{}.ask", self.event, self.board)
    }

    /// The subject of its answer to a question: who asked, and the question's own number.
    pub fn answer(&self, asker: &str, once: &str) -> String {
        format!("hall.{}.board.{}.answer.{asker}.{once}", self.event, self.board)
    }

    /// The subject at which it tries whether there is room for its rows.
    pub fn room(&self) -> String {
        format!("hall.{}.board.{}.room", self.event, self.board)
    }

    /// The subjects of all its rows.
    pub fn rows(&self) -> String {
        format!("hall.{}.board.{}.game.>", self.event, self.board)
    }

    /// The subject of a game's rows.
    pub fn game(&self, game: GameId, copy: u32) -> String {
        format!("hall.{}.board.{}.game.{game}.{copy}", self.event, self.board)
    }
}

/// Which game of which board a subject is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameSubject {
    pub board: u32,
    pub game: GameId,
    pub copy: u32,
}

impl GameSubject {
    /// `None`: the subject is not that of a row of this event.
    pub fn read(event: &EventName, subject: &str) -> Option<GameSubject> {
        let rest = subject.strip_prefix("hall.")?.strip_prefix(event.as_str())?;
        let mut words = rest.strip_prefix(".board.")?.split('.');
        let board = number(words.next()?)?;
        words.next().filter(|word| *word == "game")?;
        let game = GameId { number: number(words.next()?)? };
        let copy = number(words.next()?)?;
        words.next().is_none().then_some(GameSubject { board, game, copy })
    }
}

/// The board of a sign of life.
pub fn board_here(event: &EventName, subject: &str) -> Option<u32> {
    let rest = subject.strip_prefix("hall.")?.strip_prefix(event.as_str())?;
    number(rest.strip_prefix(".board.")?.strip_suffix(".here")?)
}

/// A number from 1, written in one way only.
fn number<T: FromStr>(text: &str) -> Option<T> {
    let plain = !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| plain)
}

/// 32 hexadecimal digits.
pub fn sum_text(sum: [u8; 16]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The checksum that was written so.
pub fn read_sum(text: &str) -> Option<[u8; 16]> {
    let digits =
        text.len() == 32 && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let sum = u128::from_str_radix(text, 16).ok()?;
    digits.then_some(sum.to_be_bytes())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rows_and_signs_have_the_subjects_that_the_documentation_gives() {
        let event: EventName = "olympiad-2027".parse().expect("a name");
        let place = BoardPlace { event, board: 17 };
        assert_eq!(place.game(GameId { number: 3 }, 1), "hall.olympiad-2027.board.17.game.3.1");
        assert_eq!(place.here(), "hall.olympiad-2027.board.17.here");
        assert_eq!(place.owner(), "hall.olympiad-2027.board.17.owner");
        assert_eq!(place.event.pairing(17), "hall.olympiad-2027.pairing.17");
        assert_eq!(place.room(), "hall.olympiad-2027.board.17.room");
        assert_eq!(place.event.room(), "hall.olympiad-2027.room");
        assert_eq!(place.event.stream(), "hall-olympiad-2027");
        assert_eq!(place.event.room_stream(), "hallroom-olympiad-2027");
    }

    #[test]
    fn no_name_is_a_pattern_or_two_words() {
        for wrong in ["", "a.b", "a b", "*", ">", "Oslo", "é", &"x".repeat(33)] {
            assert_eq!(wrong.parse::<EventName>(), Err(NoEventName), "{wrong}");
        }
    }

    #[test]
    fn what_is_no_subject_of_a_row_is_refused() {
        let event: EventName = "e".parse().expect("a name");
        for wrong in [
            "hall.e.board.1.here",
            "hall.e.board.1.game.1",
            "hall.e.board.1.game.1.1.1",
            "hall.e.board.01.game.1.1",
            "hall.e.board.1.game.0.1",
            "hall.e.board.+1.game.1.1",
            "hall.f.board.1.game.1.1",
            "hall.e.board.1.games.1.1",
            "hall.e.board.9999999999999.game.1.1",
        ] {
            assert_eq!(GameSubject::read(&event, wrong), None, "{wrong}");
        }
        assert_eq!(board_here(&event, "hall.e.board.12.here"), Some(12));
        assert_eq!(board_here(&event, "hall.e.board.12.game.1.1"), None);
    }

    proptest! {
        #[test]
        fn a_subject_is_read_back(name in "[a-z0-9-]{1,32}", board in 1..=MOST_BOARDS, game in 1..i64::MAX, copy in 1..u32::MAX) {
            let event: EventName = name.parse().expect("a name");
            let (place, game) = (BoardPlace { event, board }, GameId { number: game });
            let read = GameSubject::read(&place.event, &place.game(game, copy));
            prop_assert_eq!(read, Some(GameSubject { board, game, copy }));
            prop_assert_eq!(board_here(&place.event, &place.here()), Some(board));
        }

        #[test]
        fn a_checksum_is_read_back(sum: [u8; 16]) {
            prop_assert_eq!(read_sum(&sum_text(sum)), Some(sum));
        }

        #[test]
        fn nothing_that_comes_from_the_wire_panics(subject in ".{0,80}", sum in ".{0,40}") {
            let event: EventName = "e".parse().expect("a name");
            let _ = GameSubject::read(&event, &subject);
            let _ = board_here(&event, &subject);
            let _ = read_sum(&sum);
        }
    }
}
