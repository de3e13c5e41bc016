//! German Braille: the score as in print, with the German letters of the pieces, in uncontracted
//! six-dot Braille (Basisschrift). Capitals have no sign.
//!
//! No published German code of chess was at hand, and print is what a reader of German is sure of:
//! Sf3 ⠎⠋⠼⠉, 0-0 ⠼⠚⠤⠼⠚, exd8D+ ⠑⠭⠙⠼⠓⠠⠙⠈⠖. `tests/program/records.rs` compares the signs with
//! liblouis.
//!
//! Source: liblouis, tables de-g0.utb (text) and de-chess.ctb (the letters of the pieces)

use shakmaty::{Chess, Move};

use super::{Code, HYPHEN, LETTERS, NUMBER, SPACE, letter, unaccented, upper_digit};
use annabella_core::notation::{Letters, MoveNotation, PieceLetters, write};

const DOT_4: u8 = 0b00_1000;
const DOT_6: u8 = 0b10_0000;
const FULL_STOP: u8 = 0b00_0100;

/// How a German score is set.
pub(super) const GERMAN: Code = Code {
    text: cells,
    number: |number| cells(&format!("{number}.")),
    entry: |position, mv| cells(&entry(position, mv)),
    missing: &[FULL_STOP, FULL_STOP, FULL_STOP, SPACE],
    convention: "Züge wie in Schwarzschrift mit den deutschen Buchstaben, in deutscher Basisschrift.",
};

fn entry(position: &Chess, mv: Move) -> String {
    write(position, mv, MoveNotation::Fide, &Letters::of(PieceLetters::German))
}

/// A character without a sign here becomes a question mark.
pub(super) fn cells(text: &str) -> Vec<u8> {
    let characters: Vec<char> = text.chars().collect();
    let is_space = |at: Option<usize>| at.and_then(|at| characters.get(at)) == Some(&' ');
    let mut cells = Vec::new();
    let mut numeric = false;
    for (index, character) in characters.iter().enumerate() {
        if let Some(digit) = character.to_digit(10) {
            if !numeric {
                cells.push(NUMBER);
            }
            cells.push(upper_digit(digit));
            numeric = true;
            continue;
        }
        let (accent, plain) = unaccented(*character);
        let lower = plain.to_ascii_lowercase();
        match character.to_lowercase().next().unwrap_or(*character) {
            'ä' => cells.push(0b01_1100),
            'ö' => cells.push(0b10_1010),
            'ü' => cells.push(0b11_0011),
            'ß' => cells.push(0b10_1110),
            _ if lower.is_ascii_lowercase() => {
                // Upper digits are the letters a to j.
                if numeric && accent.is_none() && LETTERS[..10].contains(&letter(lower)) {
                    cells.push(DOT_6);
                }
                cells.extend(accent.map(|_| DOT_4));
                cells.push(letter(lower));
            }
            '-' if is_space(index.checked_sub(1)) && is_space(Some(index + 1)) => {
                cells.extend([DOT_6, HYPHEN]);
            }
            other => cells.extend_from_slice(sign(other)),
        }
        // A full stop or comma does not end a number.
        numeric = numeric && matches!(character, '.' | ',');
    }
    cells
}

fn sign(character: char) -> &'static [u8] {
    match character {
        ' ' => &[SPACE],
        ',' => &[0b00_0010],
        ';' => &[0b00_0110],
        ':' => &[0b01_0010],
        '.' => &[FULL_STOP],
        '!' => &[0b01_0110],
        '\'' | '’' => &[DOT_6, 0b11_0100],
        '-' => &[HYPHEN],
        '–' | '—' => &[DOT_6, HYPHEN],
        '/' => &[0b01_0000, 0b00_0010],
        '(' | ')' => &[0b11_0110],
        '+' => &[DOT_4, 0b01_0110],
        '=' => &[DOT_4, 0b11_0110],
        '#' => &[DOT_4, NUMBER],
        '½' => &[NUMBER, 0b00_0001, 0b00_0110],
        _ => &[0b10_0010],
    }
}
