//! Certabo's boards: a colon, five numbers for each square, and a line end, again and again. The
//! numbers are those of the tag under the piece, zeros where there is none. Source:
//! CERTABO-CHESSBOARDS-SOFTWARE
//!
//! Which tag is which piece nobody knows but the set itself: [`super::Names`] learns it.

use super::{Codec, Content, Frame};

/// Numbers of a line: five for each square.
const NUMBERS: usize = 320;
/// The longest line: three digits and a blank for each number.
const LONGEST: usize = NUMBERS * 4 + 16;
/// Zeros of a tag's five numbers from which on there is none. The maker's program counts so.
const EMPTY: usize = 3;

/// Reads what a board sends.
#[derive(Clone, Debug, Default)]
pub struct Certabo {
    /// The line so far; `None`: its beginning is not here, or it is too long.
    begun: Option<Vec<u8>>,
}

impl Codec for Certabo {
    fn ask(&self) -> Option<Vec<u8>> {
        None
    }

    fn read(&mut self, bytes: &[u8], out: &mut Vec<Frame>) {
        for byte in bytes {
            match (byte, &mut self.begun) {
                (b':', begun) => *begun = Some(Vec::new()),
                (b'\n' | b'\r', begun) => out.extend(begun.take().and_then(|line| frame(&line))),
                (_, Some(line)) if line.len() < LONGEST => line.push(*byte),
                (_, begun) => *begun = None,
            }
        }
    }

    fn reset(&mut self) {
        self.begun = None;
    }
}

/// a8 first, then along the rank.
fn frame(line: &[u8]) -> Option<Frame> {
    let text = std::str::from_utf8(line).ok()?;
    // Newer boards tell their kind of lights by a letter in between.
    let words = text.split(|c: char| c.is_ascii_whitespace() || "LD*".contains(c));
    let numbers = words.filter(|word| !word.is_empty()).map(|word| word.parse().ok());
    let numbers: Vec<u8> = numbers.collect::<Option<_>>()?;
    if numbers.len() != NUMBERS {
        return None;
    }
    let mut frame = Frame::from([Content::Empty; 64]);
    for (content, tag) in frame.iter_mut().zip(numbers.chunks(5)) {
        if tag.iter().filter(|number| **number == 0).count() < EMPTY {
            *content = Content::Tag(tag.iter().fold(0, |all, n| all << 8 | u64::from(*n)));
        }
    }
    Some(frame)
}

/// The line of a board that stands so, as an emulator sends it.
pub fn line(frame: &Frame) -> Vec<u8> {
    let numbers = |content: &Content| {
        let tag = match content {
            Content::Tag(tag) => *tag,
            Content::Empty | Content::Piece(_) => 0,
        };
        (0..5).rev().map(move |n| (tag >> (8 * n) & 0xff).to_string())
    };
    let all: Vec<String> = frame.iter().flat_map(numbers).collect();
    format!(":{}\r\n", all.join(" ")).into_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Frame {
        let mut frame = Frame::from([Content::Empty; 64]);
        for place in (0..16).chain(48..64) {
            frame[place] = Content::Tag(0x2c00_19f1_a000 | place as u64);
        }
        for content in &mut frame {
            if let Content::Tag(tag) = content {
                *tag &= 0xff_ffff_ffff;
            }
        }
        frame
    }

    #[test]
    fn a_line_is_read_wherever_it_is_cut() {
        let wanted = start();
        let sent = line(&wanted);
        for cut in (1..sent.len()).step_by(7) {
            let (mut codec, mut out) = (Certabo::default(), Vec::new());
            // The end of a line whose beginning was missed.
            codec.read(b"17 0 0\r\n", &mut out);
            codec.read(&sent[..cut], &mut out);
            codec.read(&sent[cut..], &mut out);
            assert_eq!(out, [wanted], "cut at {cut}");
        }
    }

    #[test]
    fn a_line_with_too_few_or_wrong_numbers_is_left_out_and_the_next_one_read() {
        let wanted = start();
        let good = line(&wanted);
        for bad in
            ["1 2 3", "", &"256 ".repeat(NUMBERS), &"0 ".repeat(NUMBERS + 1), &"x".repeat(9999)]
        {
            let (mut codec, mut out) = (Certabo::default(), Vec::new());
            codec.read(format!(":{bad}\r\n").as_bytes(), &mut out);
            assert!(out.is_empty(), "{bad}");
            codec.read(&good, &mut out);
            assert_eq!(out, [wanted], "{bad}");
        }
    }
}
