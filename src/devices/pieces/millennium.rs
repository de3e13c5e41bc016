//! Millennium's ChessLink: letters, each with odd parity in its eighth bit, and two hexadecimal
//! digits that are all letters before them, combined by exclusive or. Source: magic-board.md of
//! python-mchess
//!
//! `S` asks how the board stands; the answer is `s`, a letter for each square, and the check
//! digits.

use shakmaty::Piece;

use super::{Codec, Content, Frame};

/// Letters of an answer with the squares.
const ANSWER: usize = 67;

/// Reads what a board sends.
#[derive(Clone, Debug, Default)]
pub struct Millennium {
    /// The answer so far, from its first letter on.
    begun: Vec<u8>,
}

impl Codec for Millennium {
    fn ask(&self) -> Option<Vec<u8>> {
        Some(message(b"S"))
    }

    fn read(&mut self, bytes: &[u8], out: &mut Vec<Frame>) {
        for byte in bytes {
            self.push(*byte, out);
        }
    }

    fn reset(&mut self) {
        self.begun.clear();
    }
}

impl Millennium {
    fn push(&mut self, byte: u8, out: &mut Vec<Frame>) {
        let letter = byte & 0x7f;
        // A byte with an even number of bits is damaged, and with it its message.
        if byte.count_ones().is_multiple_of(2) {
            return self.begun.clear();
        }
        // No letter of a square is `s`: another answer begins.
        if letter == b's' {
            self.begun.clear();
        }
        if !self.begun.is_empty() || letter == b's' {
            self.begun.push(letter);
        }
        if self.begun.len() == ANSWER {
            out.extend(frame(&self.begun));
            self.begun.clear();
        }
    }
}

/// h8 first, then along the rank.
fn frame(answer: &[u8]) -> Option<Frame> {
    let (text, digits) = answer.split_at_checked(ANSWER - 2)?;
    if digits != check(text) {
        return None;
    }
    let mut frame = Frame::from([Content::Empty; 64]);
    for (place, letter) in text[1..].iter().enumerate() {
        frame[place ^ 7] = match letter {
            b'.' => Content::Empty,
            letter => Content::Piece(Piece::from_char(char::from(*letter))?),
        };
    }
    Some(frame)
}

/// The two digits behind a message.
fn check(text: &[u8]) -> [u8; 2] {
    let sum = text.iter().fold(0, |sum, letter| sum ^ letter);
    [sum >> 4, sum & 0x0f].map(|digit| b"0123456789ABCDEF"[usize::from(digit)])
}

/// A message as it goes over the line.
pub fn message(text: &[u8]) -> Vec<u8> {
    let letters = text.iter().copied().chain(check(text));
    letters
        .map(|letter| if letter.count_ones().is_multiple_of(2) { letter | 0x80 } else { letter })
        .collect()
}

/// The answer of a board that stands so, as an emulator sends it.
pub fn answer(frame: &Frame) -> Vec<u8> {
    let letter = |place: usize| match frame[place ^ 7] {
        Content::Piece(piece) => piece.char() as u8,
        Content::Empty | Content::Tag(_) => b'.',
    };
    let text: Vec<u8> = std::iter::once(b's').chain((0..64).map(letter)).collect();
    message(&text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dgt::codec::Facing;

    #[test]
    fn messages_have_odd_parity_and_check_digits() {
        // Published: `V` is sent as D6 B5 B6.
        assert_eq!(message(b"V"), [0xd6, 0xb5, 0xb6]);
    }

    #[test]
    fn an_answer_is_read_wherever_it_is_cut_and_whatever_stands_before_it() {
        let board = shakmaty::Board::new();
        let wanted = crate::pieces::frame_of(&board, Facing::default());
        let sent = answer(&wanted);
        assert!(sent.iter().all(|byte| byte.count_ones() % 2 == 1));
        let letters: Vec<u8> = sent.iter().map(|byte| byte & 0x7f).collect();
        assert!(letters.starts_with(b"srnbkqbnrpppppppp"), "{letters:?}");
        for cut in 1..sent.len() {
            let (mut codec, mut out) = (Millennium::default(), Vec::new());
            codec.read(&message(b"x"), &mut out);
            codec.read(&sent[..cut], &mut out);
            codec.read(&sent[cut..], &mut out);
            assert_eq!(out, [wanted], "cut at {cut}");
        }
    }

    #[test]
    fn a_damaged_answer_is_left_out_and_the_next_one_read() {
        let wanted = crate::pieces::frame_of(&shakmaty::Board::new(), Facing::default());
        let sent = answer(&wanted);
        for bit in [0x01, 0x40, 0x03] {
            for place in 0..sent.len() {
                let mut damaged = sent.clone();
                damaged[place] ^= bit;
                let (mut codec, mut out) = (Millennium::default(), Vec::new());
                codec.read(&damaged, &mut out);
                assert!(out.is_empty(), "byte {place}, bits {bit:02x}");
                codec.read(&sent, &mut out);
                assert_eq!(out, [wanted], "byte {place}, bits {bit:02x}");
            }
        }
    }
}
