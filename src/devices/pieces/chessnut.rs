//! Chessnut's reports: an opcode, a length, so many bytes. Source: EasyLinkSDK, Chessnut_eBoards
//!
//! A read gives one report: over USB perhaps padded with zeros, by Bluetooth perhaps in pieces,
//! where the board has not agreed to long ones. There is no checksum: a piece that begins as a
//! position does is never the rest of another report, unless it is just what that lacks.

use shakmaty::Piece;

use super::{Codec, Content, Frame};

/// Real-time mode: the board tells how it stands, now and whenever that changes.
const REAL_TIME: [u8; 3] = [0x21, 0x01, 0x00];
/// The opcode of a position.
const POSITION: u8 = 0x01;
/// Its lengths, old and new.
const LENGTHS: [u8; 2] = [0x22, 0x24];
/// Bytes of the squares: a nibble each. What follows in the report is the board's time.
const SQUARES: usize = 32;
/// Pieces by their codes, as FEN writes them; 0 is an empty square.
const PIECES: &str = ".qkbpnRPrBNQK";

/// Reads what a board sends.
#[derive(Clone, Debug, Default)]
pub struct Chessnut {
    /// A report without its end.
    begun: Vec<u8>,
}

impl Codec for Chessnut {
    fn ask(&self) -> Option<Vec<u8>> {
        Some(REAL_TIME.to_vec())
    }

    fn read(&mut self, bytes: &[u8], out: &mut Vec<Frame>) {
        let mut all = std::mem::take(&mut self.begun);
        let length = all.len() + bytes.len();
        let whole = |length_byte: &u8| length == 2 + usize::from(*length_byte);
        let completes = all.get(1).or(bytes.first()).is_some_and(whole);
        if begins_position(bytes) && !completes {
            all.clear();
        }
        all.extend(bytes);
        let mut rest = &all[..];
        loop {
            rest = &rest[rest.iter().position(|byte| *byte != 0).unwrap_or(rest.len())..];
            let [opcode, length, after @ ..] = rest else { break };
            let Some((data, next)) = after.split_at_checked(usize::from(*length)) else { break };
            if *opcode == POSITION
                && let Some(squares) = data.first_chunk::<SQUARES>()
            {
                out.extend(frame(squares));
            }
            rest = next;
        }
        self.begun = rest.to_vec();
    }

    fn reset(&mut self) {
        self.begun.clear();
    }
}

fn begins_position(bytes: &[u8]) -> bool {
    matches!(bytes, [POSITION, length, ..] if LENGTHS.contains(length))
}

/// h8 first, then along the rank; the lower nibble first. `None`: there is no such piece.
fn frame(squares: &[u8; SQUARES]) -> Option<Frame> {
    let mut frame = Frame::from([Content::Empty; 64]);
    for (n, byte) in squares.iter().enumerate() {
        for (nibble, place) in [(byte & 0x0f, 2 * n), (byte >> 4, 2 * n + 1)] {
            let content = match nibble {
                0 => Content::Empty,
                code => Content::Piece(PIECES.chars().nth(code.into()).and_then(Piece::from_char)?),
            };
            // The same rank, from the other end.
            frame[place ^ 7] = content;
        }
    }
    Some(frame)
}

/// The report of a board that stands so, as an emulator sends it.
pub fn report(frame: &Frame) -> Vec<u8> {
    let code = |place: usize| match frame[place ^ 7] {
        Content::Piece(piece) => PIECES.find(piece.char()).map_or(0, |at| at as u8),
        Content::Empty | Content::Tag(_) => 0,
    };
    let squares = (0..SQUARES).map(|n| code(2 * n) | code(2 * n + 1) << 4);
    [POSITION, 36].into_iter().chain(squares).chain([0x17, 0, 0, 0]).collect()
}

/// Whether a host's bytes ask for real-time mode.
pub fn is_asked(bytes: &[u8]) -> bool {
    bytes == REAL_TIME
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dgt::codec::Facing;

    /// The starting position, as published.
    const START: [u8; 32] = [
        0x58, 0x23, 0x31, 0x85, 0x44, 0x44, 0x44, 0x44, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
        0, 0, 0x77, 0x77, 0x77, 0x77, 0xa6, 0xc9, 0x9b, 0x6a,
    ];

    fn read(bytes: &[u8]) -> Vec<Frame> {
        let mut out = Vec::new();
        Chessnut::default().read(bytes, &mut out);
        out
    }

    /// What the published starting position comes to, as a report.
    fn start() -> (Vec<u8>, Frame) {
        let wanted = crate::pieces::frame_of(&shakmaty::Board::new(), Facing::default());
        (report(&wanted), wanted)
    }

    #[test]
    fn a_report_in_pieces_is_put_together_wherever_it_is_cut() {
        let (sent, wanted) = start();
        for cut in 1..sent.len() {
            let (mut codec, mut out) = (Chessnut::default(), Vec::new());
            for _ in 0..2 {
                codec.read(&sent[..cut], &mut out);
                codec.read(&sent[cut..], &mut out);
            }
            assert_eq!(out, [wanted; 2], "cut at {cut}");
        }
        // In as many pieces as there are bytes.
        let (mut codec, mut out) = (Chessnut::default(), Vec::new());
        sent.iter().for_each(|byte| codec.read(&[*byte], &mut out));
        assert_eq!(out, [wanted]);
    }

    #[test]
    fn a_piece_that_is_lost_takes_no_other_report_with_it_and_makes_none_up() {
        let (sent, wanted) = start();
        // No notification is shorter than 20 bytes unless it is the last.
        for size in 20..sent.len() {
            let (mut codec, mut out) = (Chessnut::default(), Vec::new());
            codec.read(&sent[..size], &mut out);
            sent.chunks(size).for_each(|piece| codec.read(piece, &mut out));
            assert_eq!(out, [wanted], "first piece, {size} bytes each");
            let (mut codec, mut out) = (Chessnut::default(), Vec::new());
            codec.read(&sent[size..], &mut out);
            sent.chunks(size).for_each(|piece| codec.read(piece, &mut out));
            sent.chunks(size).for_each(|piece| codec.read(piece, &mut out));
            assert!(out.iter().all(|frame| *frame == wanted) && !out.is_empty(), "{size}");
        }
        let (mut codec, mut out) = (Chessnut::default(), Vec::new());
        codec.read(&sent[..20], &mut out);
        codec.reset();
        codec.read(&sent, &mut out);
        assert_eq!(out, [wanted], "after the line was closed");
    }

    #[test]
    fn the_published_starting_position_is_read_with_padding_and_behind_other_reports() {
        let board = shakmaty::Board::new();
        let wanted = crate::pieces::frame_of(&board, Facing::default());
        let mut bytes = vec![0x2a, 0x02, 0x50, 0x00, 0x01, 0x24];
        bytes.extend(START);
        bytes.extend([1, 2, 3, 4]);
        bytes.extend([0; 25]);
        assert_eq!(read(&bytes), [wanted]);
        // The older form, with two bytes behind the squares.
        let mut bytes = vec![0x01, 0x22];
        bytes.extend(START);
        bytes.extend([0, 0]);
        assert_eq!(read(&bytes), [wanted]);
        assert_eq!(read(&report(&wanted)), [wanted]);
    }

    #[test]
    fn a_report_that_is_cut_or_has_no_such_piece_is_left_out() {
        let mut bytes = vec![0x01, 0x24];
        bytes.extend(START);
        assert!(read(&bytes).is_empty());
        bytes.extend([0; 4]);
        bytes[10] = 0xd0;
        assert!(read(&bytes).is_empty());
        assert!(read(&[0x01]).is_empty());
    }
}
