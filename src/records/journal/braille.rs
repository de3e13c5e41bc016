//! A player's score in six-dot Braille, 40 cells a line. Two forms: BRF (Braille ASCII, for
//! embossers and notetakers) and Unicode Braille.
//!
//! # Which convention
//!
//! A German score is set as in print (`braille/german.rs`). In any other the moves follow the
//! *Braille Chess Code and Layout* of the UK Association for Accessible Formats (UKAAF, 2015), in
//! these points:
//!
//! | what | how | clause |
//! |---|---|---|
//! | move number | lower numbers without a numeric indicator, then a space: `2 Nf3` ⠆ ⠎⠋⠒ | 1.3 |
//! | pieces | one letter: king k ⠅, queen q ⠟, rook r ⠗, bishop l ⠇, knight s ⠎; a pawn has none | 2.1, 5.1 |
//! | squares | the file's letter, the rank as a lower number: e4 ⠑⠲ | 3.2 to 3.6 |
//! | capture | dots 56 before the square: cxd5 ⠉⠰⠙⠢ | 3.4 |
//! | check | dots 45 before the square: f5+ ⠘⠋⠢; with a capture dots 456: Rxf4+ ⠗⠸⠋⠲ | 3.4, 3.6 |
//! | origin | the file, the rank or both between piece and square: Nce5 ⠎⠉⠑⠢, Nb1c3 ⠎⠃⠂⠉⠒ | 3.2 to 3.6 |
//! | mate | ⠜⠍ behind the move: Re8# ⠗⠑⠦⠜⠍ | 2.2 |
//!
//! The text of the code was not available for the rest. There this program follows print (Appendix
//! C), and the first page says so: castling is o-o ⠕⠤⠕ and o-o-o ⠕⠤⠕⠤⠕, a promotion has the new
//! piece's letter behind the square (d8Q ⠙⠦⠟), en passant is a capture like others, (=) is ⠐⠣⠐⠶⠐⠜.
//! The layout, one move number a line, is ours too.
//!
//! Everything else (names, dates, entries that are no moves) is uncontracted Unified English
//! Braille: letters, ⠠ before a capital, ⠼ before numbers, modifiers before accented letters.
//!
//! Sources: UKAAF Braille Chess Code and Layout, 2015; ICEB, The Rules of Unified English Braille,
//! 2013; Braille ASCII as in ANSI/BANA computer braille, 6 dots.

use shakmaty::{CastlingSide, Chess, Color, File, Move, Position, Rank, Role};

mod german;

use super::{
    export::{Labels, pgn_date},
    views::written,
};
use annabella_core::game::{Record, ScoreEntry};

pub const CELLS: usize = 40;

/// Which of the two forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BrailleForm {
    Brf,
    /// Unicode's Braille patterns; a space stays a space.
    Unicode,
}

/// Braille ASCII in the order of Unicode's patterns: bit 0 is dot 1, bit 5 is dot 6.
const ASCII: &[u8; 64] = b" A1B'K2L@CIF/MSP\"E3H9O6R^DJG>NTQ,*5<-U8V.%[$+X!&;:4\\0Z7(_?W]#Y)=";

const SPACE: u8 = 0;
const CAPTURE: u8 = 0b11_0000;
const CHECK: u8 = 0b01_1000;
const CAPTURE_AND_CHECK: u8 = 0b11_1000;
const MATE: [u8; 2] = [0b01_1100, 0b00_1101];
const CAPITAL: u8 = 0b10_0000;
const NUMBER: u8 = 0b11_1100;
const GRADE_1: u8 = 0b11_0000;
const HYPHEN: u8 = 0b10_0100;
const APOSTROPHE: u8 = 0b00_0100;

/// Letters a to z.
const LETTERS: [u8; 26] = [
    0b00_0001, 0b00_0011, 0b00_1001, 0b01_1001, 0b01_0001, 0b00_1011, 0b01_1011, 0b01_0011,
    0b00_1010, 0b01_1010, 0b00_0101, 0b00_0111, 0b00_1101, 0b01_1101, 0b01_0101, 0b00_1111,
    0b01_1111, 0b01_0111, 0b00_1110, 0b01_1110, 0b10_0101, 0b10_0111, 0b11_1010, 0b10_1101,
    0b11_1101, 0b11_0101,
];

fn letter(character: char) -> u8 {
    LETTERS[usize::from(character as u8 - b'a')]
}

/// 0 to 9 in the upper cells: j, a to i.
fn upper_digit(digit: u32) -> u8 {
    let index = if digit == 0 { 9 } else { digit - 1 };
    LETTERS[index as usize % 10]
}

/// 0 to 9 in the lower cells: the same, one row down.
fn lower_digit(digit: u32) -> u8 {
    upper_digit(digit) << 1
}

fn lower_number(number: u32) -> Vec<u8> {
    let digits = number.to_string();
    digits.chars().filter_map(|digit| digit.to_digit(10)).map(lower_digit).collect()
}

fn piece(role: Role) -> Option<u8> {
    match role {
        Role::Pawn => None,
        Role::Knight => Some(letter('s')),
        Role::Bishop => Some(letter('l')),
        Role::Rook => Some(letter('r')),
        Role::Queen => Some(letter('q')),
        Role::King => Some(letter('k')),
    }
}

fn file(file: File) -> u8 {
    LETTERS[usize::from(file)]
}

fn rank(rank: Rank) -> u8 {
    lower_digit(u32::from(rank) + 1)
}

/// A legal move in cells.
fn move_cells(position: &Chess, mv: Move) -> Vec<u8> {
    let mut after = position.clone();
    after.play_unchecked(mv);
    let (check, mate) = (after.is_check(), after.is_checkmate());
    let mut cells = Vec::new();
    if let Some(side) = mv.castling_side() {
        let o = letter('o');
        cells.extend([o, HYPHEN, o]);
        if side == CastlingSide::QueenSide {
            cells.extend([HYPHEN, o]);
        }
        // Nothing stands before a square here.
        if check && !mate {
            cells.push(CHECK);
        }
    } else {
        cells.extend(piece(mv.role()));
        cells.extend(origin(position, mv));
        match (mv.is_capture(), check && !mate) {
            (true, true) => cells.push(CAPTURE_AND_CHECK),
            (true, false) => cells.push(CAPTURE),
            (false, true) => cells.push(CHECK),
            (false, false) => {}
        }
        cells.extend([file(mv.to().file()), rank(mv.to().rank())]);
        cells.extend(mv.promotion().and_then(piece));
    }
    if mate {
        cells.extend(MATE);
    }
    cells
}

/// The shortest part of the origin square that distinguishes the move from others (C.10).
fn origin(position: &Chess, mv: Move) -> Vec<u8> {
    use shakmaty::san::San;
    match San::from_move(position, mv) {
        San::Normal { file: from_file, rank: from_rank, .. } => {
            from_file.map(file).into_iter().chain(from_rank.map(rank)).collect()
        }
        _ => Vec::new(),
    }
}

/// Text in uncontracted Unified English Braille. A character without a sign here becomes a question
/// mark.
fn text_cells(text: &str) -> Vec<u8> {
    let characters: Vec<char> = text.chars().collect();
    let mut cells = Vec::new();
    let mut numeric = false;
    // A word in capitals has one sign for all of them (UEB 8.4).
    let mut capitals = false;
    for (index, character) in characters.iter().enumerate() {
        if let Some(digit) = character.to_digit(10) {
            if !numeric {
                cells.push(NUMBER);
            }
            cells.push(upper_digit(digit));
            (numeric, capitals) = (true, false);
            continue;
        }
        // A full stop or comma does not end a number.
        let inside = numeric && matches!(character, '.' | ',');
        let (accent, plain) = unaccented(*character);
        let lower = plain.to_ascii_lowercase();
        if lower.is_ascii_lowercase() {
            if numeric && accent.is_none() && plain == lower && ('a'..='j').contains(&lower) {
                cells.push(GRADE_1);
            }
            let is_capital = |c: &char| unaccented(*c).1.is_ascii_uppercase();
            match (plain != lower, capitals) {
                (true, false) if characters.get(index + 1).is_some_and(is_capital) => {
                    cells.extend([CAPITAL, CAPITAL]);
                    capitals = true;
                }
                (true, false) => cells.push(CAPITAL),
                (false, true) => {
                    cells.extend([CAPITAL, APOSTROPHE]);
                    capitals = false;
                }
                _ => {}
            }
            cells.extend(accent.into_iter().flatten());
            cells.push(letter(lower));
        } else {
            capitals = false;
            cells.extend_from_slice(sign(plain));
        }
        numeric = inside;
    }
    cells
}

/// The modifier of an accented letter (UEB 4.2) and the letter.
fn unaccented(character: char) -> (Option<[u8; 2]>, char) {
    const GRAVE: [u8; 2] = [0b01_1000, 0b10_0001];
    const ACUTE: [u8; 2] = [0b01_1000, 0b00_1100];
    const CIRCUMFLEX: [u8; 2] = [0b01_1000, 0b10_1001];
    const DIAERESIS: [u8; 2] = [0b01_1000, 0b01_0010];
    const TILDE: [u8; 2] = [0b01_1000, 0b11_1011];
    const CEDILLA: [u8; 2] = [0b01_1000, 0b10_1111];
    const RING: [u8; 2] = [0b01_1000, 0b10_1011];
    let known = [
        ("àèìòùÀÈÌÒÙ", "aeiouAEIOU", GRAVE),
        ("áéíóúýÁÉÍÓÚÝśćńźŚĆŃŹ", "aeiouyAEIOUYscnzSCNZ", ACUTE),
        ("âêîôûÂÊÎÔÛ", "aeiouAEIOU", CIRCUMFLEX),
        ("äëïöüÄËÏÖÜ", "aeiouAEIOU", DIAERESIS),
        ("ãñõÃÑÕ", "anoANO", TILDE),
        ("çÇ", "cC", CEDILLA),
        ("åÅ", "aA", RING),
    ];
    for (accented, plain, modifier) in known {
        if let Some(at) = accented.chars().position(|c| c == character)
            && let Some(plain) = plain.chars().nth(at)
        {
            return (Some(modifier), plain);
        }
    }
    (None, character)
}

fn sign(character: char) -> &'static [u8] {
    match character {
        ' ' => &[SPACE],
        ',' => &[0b00_0010],
        ';' => &[0b00_0110],
        ':' => &[0b01_0010],
        '.' => &[0b11_0010],
        '!' => &[0b01_0110],
        '\'' | '’' => &[APOSTROPHE],
        '-' => &[HYPHEN],
        '–' | '—' => &[0b10_0000, HYPHEN],
        '/' => &[0b11_1000, 0b00_1100],
        '(' => &[0b01_0000, 0b10_0011],
        ')' => &[0b01_0000, 0b01_1100],
        '+' => &[0b01_0000, 0b01_0110],
        '=' => &[0b01_0000, 0b11_0110],
        'ß' => &[0b00_1110, 0b00_1110],
        '½' => &[NUMBER, 0b00_0001, 0b00_1100, 0b00_0011],
        _ => &[0b10_0110],
    }
}

/// Lines of at most [`CELLS`] cells, broken between words, longer words where they must be; lines
/// after the first of a paragraph begin with two spaces.
fn wrap(cells: &[u8]) -> Vec<Vec<u8>> {
    let mut lines: Vec<Vec<u8>> = Vec::new();
    let mut line: Vec<u8> = Vec::new();
    for word in cells.split(|cell| *cell == SPACE).filter(|word| !word.is_empty()) {
        if !line.is_empty() && line.len() + 1 + word.len() > CELLS {
            lines.push(std::mem::replace(&mut line, vec![SPACE; 2]));
        } else if !line.is_empty() {
            line.push(SPACE);
        }
        let mut rest = word;
        while line.len() + rest.len() > CELLS {
            let (now, later) = rest.split_at(CELLS - line.len());
            line.extend_from_slice(now);
            lines.push(std::mem::replace(&mut line, vec![SPACE; 2]));
            rest = later;
        }
        line.extend_from_slice(rest);
    }
    if !line.is_empty() {
        lines.push(line);
    }
    lines
}

fn print(lines: &[Vec<u8>], form: BrailleForm) -> String {
    let mut text = String::new();
    for line in lines {
        for cell in line {
            text.push(match form {
                BrailleForm::Brf => char::from(ASCII[usize::from(*cell & 63)]),
                BrailleForm::Unicode if *cell == SPACE => ' ',
                // Patterns of six dots are all characters.
                BrailleForm::Unicode => char::from_u32(0x2800 + u32::from(*cell)).unwrap_or(' '),
            });
        }
        text.push('\n');
    }
    text
}

/// How a score is set in cells.
struct Code {
    text: fn(&str) -> Vec<u8>,
    number: fn(u32) -> Vec<u8>,
    /// A legal move.
    entry: fn(&Chess, Move) -> Vec<u8>,
    /// In place of White's move where Black's comes first.
    missing: &'static [u8],
    /// In one sentence, as the output begins.
    convention: &'static str,
}

const ENGLISH: Code = Code {
    text: text_cells,
    number: lower_number,
    entry: move_cells,
    // Dots 36 stand for print's three points (1.2).
    missing: &[HYPHEN],
    convention: "Moves in the UKAAF Braille Chess Code, 2015; castling o-o, promotion \
     and draw offer as in print. Text in uncontracted Unified English Braille.",
};

/// The languages that have a code here.
pub const LANGUAGES: [&str; 2] = ["de", "en"];

/// The score that this player kept, entry by entry. A move is set in the code of the labels'
/// language, and an entry that is no legal move is spelled as written.
pub fn score(record: &Record<'_>, of: Color, form: BrailleForm, labels: &Labels) -> String {
    let german = labels.lang == "de";
    let code = if german { german::GERMAN } else { ENGLISH };
    let config = record.config;
    let entries = record.score(of);
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    let side = of.fold_wb(labels.white, labels.black);
    let head = [
        format!("{} - {}", name(&config.white), name(&config.black)),
        format!("{}, {}", pgn_date(record.unix_s()), config.time_control),
        if german { format!("{}: {side}", labels.title) } else { format!("Score kept by {side}") },
        code.convention.to_owned(),
    ];
    let mut lines: Vec<Vec<u8>> = head.iter().flat_map(|text| wrap(&(code.text)(text))).collect();
    lines.push(Vec::new());
    lines.extend(moves(record, entries, &code));
    if let Some(ended) = record.ended {
        lines.push(Vec::new());
        // The reason is the journal's, and English.
        let text = match german {
            true => format!("{}: {}", labels.result, ended.result),
            false => format!("{} ({})", ended.result, ended.reason),
        };
        lines.extend(wrap(&(code.text)(&text)));
    }
    print(&lines, form)
}

fn moves(record: &Record<'_>, entries: &[ScoreEntry], code: &Code) -> Vec<Vec<u8>> {
    let first = record.start().turn();
    let number = |ply: u32| {
        let before = u32::from(first.is_black());
        record.start().fullmoves().get() + (ply.saturating_sub(1) + before) / 2
    };
    let mut position = Some(record.start().clone());
    let mut expected = 1;
    let mut lines: Vec<(u32, Vec<u8>)> = Vec::new();
    for entry in entries {
        // Behind a gap or an unreadable entry the position is that of the game.
        if entry.ply != expected {
            position = position_before(record, entry.ply);
        }
        let here = position.take();
        let legal = here.zip(entry.mv).filter(|(position, mv)| position.is_legal(*mv));
        let text = written(record, entry);
        let cells = match &legal {
            Some((position, mv)) => {
                let mut cells = (code.entry)(position, *mv);
                if text.ends_with("(=)") {
                    cells.push(SPACE);
                    cells.extend((code.text)("(=)"));
                }
                cells
            }
            None => (code.text)(&text),
        };
        expected = entry.ply.saturating_add(1);
        position = match legal {
            Some((mut position, mv)) => {
                position.play_unchecked(mv);
                Some(position)
            }
            None => position_before(record, expected),
        };
        let number = number(entry.ply);
        let black = (entry.ply % 2 == 1) == first.is_black();
        match lines.last_mut() {
            Some((last, line)) if *last == number => {
                line.push(SPACE);
                line.extend(cells);
            }
            _ => {
                let mut line = (code.number)(number);
                line.push(SPACE);
                if black {
                    line.extend_from_slice(code.missing);
                }
                line.extend(cells);
                lines.push((number, line));
            }
        }
    }
    lines.into_iter().flat_map(|(_, line)| wrap(&line)).collect()
}

/// The game's own position before this ply, if it has come so far.
fn position_before(record: &Record<'_>, ply: u32) -> Option<Chess> {
    let before = ply.saturating_sub(1) as usize;
    if before > record.line.len() {
        return None;
    }
    let mut position = record.start().clone();
    for ply in &record.line[..before] {
        position.play_unchecked(ply.mv);
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, fen::Fen, san::San};

    use super::*;

    fn braille(fen: &str, san: &str) -> String {
        let position: Chess = fen
            .parse::<Fen>()
            .expect("a FEN")
            .into_position(CastlingMode::Standard)
            .expect("a position");
        let mv = san.parse::<San>().expect("SAN").to_move(&position).expect("legal");
        print(&[move_cells(&position, mv)], BrailleForm::Unicode).trim_end().to_owned()
    }

    #[test]
    fn moves_are_those_of_the_published_examples() {
        for (fen, san, cells) in [
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "Nf3", "⠎⠋⠒"),
            ("4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", "Rf4", "⠗⠋⠲"),
            ("4k3/8/8/8/3P4/8/8/6K1 w - - 0 1", "d5", "⠙⠢"),
            ("4k3/8/8/3p4/2P5/8/8/6K1 w - - 0 1", "cxd5", "⠉⠰⠙⠢"),
            ("8/8/4k3/8/5P2/8/8/6K1 w - - 0 1", "f5+", "⠘⠋⠢"),
            ("8/8/8/8/5p1k/8/8/5R1K w - - 0 1", "Rxf4+", "⠗⠸⠋⠲"),
            ("4k3/8/8/8/2N3N1/8/8/6K1 w - - 0 1", "Nce5", "⠎⠉⠑⠢"),
            ("4k3/8/8/1N6/8/8/8/1N4K1 w - - 0 1", "N1c3", "⠎⠂⠉⠒"),
            ("6k1/5ppp/8/8/8/8/8/4R1K1 w - - 0 1", "Re8#", "⠗⠑⠦⠜⠍"),
            ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "e4", "⠑⠲"),
        ] {
            assert_eq!(braille(fen, san), cells, "{san}");
        }
    }

    #[test]
    fn what_the_code_was_not_read_for_stands_as_in_print() {
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(braille(castling, "O-O"), "⠕⠤⠕");
        assert_eq!(braille(castling, "O-O-O"), "⠕⠤⠕⠤⠕");
        assert_eq!(braille("8/3P3k/8/8/8/8/8/6K1 w - - 0 1", "d8=Q"), "⠙⠦⠟");
        assert_eq!(braille("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "exd6"), "⠑⠰⠙⠖");
        assert_eq!(braille("3k4/8/8/8/8/8/3B4/6K1 w - - 0 1", "Ba5+"), "⠇⠘⠁⠢");
    }

    #[test]
    fn braille_ascii_is_a_table_of_64_signs() {
        let mut seen = ASCII.to_vec();
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 64);
        let text = "abc xyz 1850, Zürich";
        assert_eq!(print(&wrap(&text_cells(text)), BrailleForm::Brf), "ABC XYZ #AHEJ1 ,Z^3URICH\n");
        assert_eq!(print(&[text_cells("A. WEBer")], BrailleForm::Brf), ",A4 ,,WEB,'ER\n");
        assert_eq!(print(&[text_cells("4d 4D 4k")], BrailleForm::Brf), "#D;D #D,D #DK\n");
        assert_eq!(print(&[text_cells("(=)")], BrailleForm::Unicode), "⠐⠣⠐⠶⠐⠜\n");
        assert_eq!(print(&[text_cells("½")], BrailleForm::Brf), "#A/B\n");
        assert_eq!(print(&[lower_number(10), lower_number(27)], BrailleForm::Brf), "10\n27\n");
    }

    #[test]
    fn lines_are_filled_to_the_last_cell() {
        let widths = |text: &str| wrap(&text_cells(text)).iter().map(Vec::len).collect::<Vec<_>>();
        let word = |letters| "a".repeat(letters);
        assert_eq!(widths(&word(40)), [40]);
        assert_eq!(widths(&format!("{} b", word(38))), [40]);
        assert_eq!(widths(&format!("{} b", word(39))), [39, 3]);
        // What no line holds is broken off; two spaces begin what goes on.
        assert_eq!(widths(&word(79)), [40, 40, 3]);
        assert_eq!(widths(&format!("{} {}", word(3), word(50))), [3, 40, 14]);
    }

    #[test]
    fn german_text_and_moves_are_as_in_print() {
        let german =
            |text: &str| print(&[german::cells(text)], BrailleForm::Unicode).trim_end().to_owned();
        for (text, cells) in [
            ("Sf3", "⠎⠋⠼⠉"),
            ("0-0-0", "⠼⠚⠤⠼⠚⠤⠼⠚"),
            ("exd8D+", "⠑⠭⠙⠼⠓⠠⠙⠈⠖"),
            ("Größe, Müller - Ärger", "⠛⠗⠪⠮⠑⠂ ⠍⠳⠇⠇⠑⠗ ⠠⠤ ⠜⠗⠛⠑⠗"),
        ] {
            assert_eq!(german(text), cells, "{text}");
        }
        let position = Chess::default();
        let mv = "Nf3".parse::<San>().expect("SAN").to_move(&position).expect("legal");
        assert_eq!(print(&[(german::GERMAN.entry)(&position, mv)], BrailleForm::Unicode), "⠎⠋⠼⠉\n");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_line_is_longer_than_forty_cells(text in "\\PC{0,300}") {
            for line in [wrap(&text_cells(&text)), wrap(&german::cells(&text))].concat() {
                prop_assert!(line.len() <= CELLS && line.iter().all(|cell| *cell < 64));
            }
            let brf = print(&wrap(&text_cells(&text)), BrailleForm::Brf);
            prop_assert!(brf.is_ascii() && brf.lines().all(|line| line.len() <= CELLS));
        }
    }
}
