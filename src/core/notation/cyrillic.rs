//! Moves with the files in Cyrillic letters, as a Russian keyboard has them: `д4`, `Кф3`, `ед5`.

use shakmaty::{Chess, File};

use super::{InForce, NotationError, PieceLetters, Read, Unreadable, reader::without_number};

/// The names of letters that are more than one letter, where a rank follows: `аш4`. No pawn's
/// capture is written so.
const NAMES: [(&str, File); 11] = [
    ("аш", File::H),
    ("ха", File::H),
    ("эф", File::F),
    ("же", File::G),
    ("жэ", File::G),
    ("ге", File::G),
    ("гэ", File::G),
    ("бе", File::B),
    ("бэ", File::B),
    ("цэ", File::C),
    ("дэ", File::D),
];

/// A text with Latin files, and how sure that is.
struct Reading {
    text: String,
    /// It has the letter в. That looks like b, sounds like v, and is the alphabet's third: it is
    /// asked about, never made.
    is_doubtful: bool,
}

impl InForce<'_> {
    /// The move with its files in Cyrillic letters. `None`: none is in the text, or it is no
    /// notation with them either.
    ///
    /// A small ф at the beginning may be the queen or the f-file. If both may be written so, and
    /// they are not one legal move, it is [`NotationError::Ambiguous`], or
    /// [`NotationError::OtherLetters`]: to be asked, never made.
    pub(super) fn in_cyrillic(
        &self,
        pos: &Chess,
        text: &str,
    ) -> Option<Result<Read, NotationError>> {
        let mut found: Option<Result<Read, NotationError>> = None;
        for reading in readings(text) {
            let read = match self.read_latin(pos, &reading.text) {
                Err(NotationError::Unreadable { .. }) => continue,
                Ok(read) if reading.is_doubtful => Err(asked(text, read)),
                read => read,
            };
            found = Some(match found {
                None => read,
                // Two whole squares are what they say, if that is possible.
                Some(Ok(whole)) if starts_with_square(text) && is_illegal(&read) => Ok(whole),
                Some(other) => either(text, other, read),
            });
        }
        found
    }
}

fn is_illegal(read: &Result<Read, NotationError>) -> bool {
    matches!(read, Err(NotationError::Illegal { .. }))
}

fn starts_with_square(text: &str) -> bool {
    letters_of(text).get(1).is_some_and(is_rank)
}

/// Two readings of one text are one move, or have to be asked about.
fn either(
    text: &str,
    one: Result<Read, NotationError>,
    other: Result<Read, NotationError>,
) -> Result<Read, NotationError> {
    match (one, other) {
        (Ok(one), Ok(other)) if one.mv == other.mv => Ok(one),
        (Ok(one), Ok(other)) => {
            Err(NotationError::Ambiguous { text: text.to_owned(), moves: vec![one.mv, other.mv] })
        }
        (Ok(read), Err(NotationError::Illegal { .. }))
        | (Err(NotationError::Illegal { .. }), Ok(read)) => Err(asked(text, read)),
        (Ok(_), Err(error)) | (Err(error), _) => Err(error),
    }
}

fn asked(text: &str, read: Read) -> NotationError {
    let own = NotationError::Unreadable {
        text: text.to_owned(),
        why: Unreadable::NoSquare { found: text.to_owned() },
    };
    NotationError::OtherLetters { own: Box::new(own), letters: PieceLetters::Russian, mv: read.mv }
}

/// Whether a text is read here before it is read as it stands: a small ф may be a file, and a small
/// с is the bishop where no pawn of the c-file can take.
pub(super) fn comes_first(text: &str) -> bool {
    let chars = letters_of(text);
    match chars.first() {
        Some('ф') => true,
        Some('с') => !chars.get(1).is_some_and(is_rank) && !is_pawns(&chars),
        _ => false,
    }
}

/// The letters of a move, without its number and blanks.
fn letters_of(text: &str) -> Vec<char> {
    let text = without_number(text.trim());
    text.chars().filter(|c| !c.is_whitespace()).collect()
}

/// The Latin letter of a file, for one that is typed with a Russian keyboard.
fn file(c: char) -> Option<char> {
    Some(match c {
        // Letters that look the same.
        'а' | 'А' => 'a',
        'е' | 'Е' => 'e',
        'с' | 'С' => 'c',
        'в' | 'В' => 'b',
        // And those that sound so.
        'б' | 'Б' => 'b',
        'ц' | 'Ц' => 'c',
        'д' | 'Д' => 'd',
        'ф' | 'Ф' => 'f',
        'г' | 'Г' | 'ж' | 'Ж' => 'g',
        'х' | 'Х' | 'ш' | 'Ш' => 'h',
        _ => return None,
    })
}

fn is_rank(c: &char) -> bool {
    ('1'..='8').contains(c)
}

fn is_sign(c: &char) -> bool {
    matches!(c, 'x' | 'X' | 'х' | 'Х' | ':' | '×')
}

/// What a text with Cyrillic letters may be in Latin ones; none where it has no letter of a file.
fn readings(text: &str) -> Vec<Reading> {
    let spelt = with_names(text);
    let has_name = spelt != text;
    let chars = letters_of(&spelt);
    let Some(&first) = chars.first() else { return Vec::new() };
    let has_file = has_name || chars.iter().any(|c| file(*c).is_some());
    if !has_file || !chars.iter().any(is_rank) {
        return Vec::new();
    }
    let rest: String = (1..chars.len()).map(|n| in_latin(&chars, n)).collect();
    let is_doubtful = (0..chars.len())
        .any(|n| matches!(chars[n], 'в' | 'В') && (n == 0 || in_latin(&chars, n) == 'b'));
    let begun = beginnings(&chars, first).into_iter();
    begun.map(|begin| Reading { text: format!("{begin}{rest}"), is_doubtful }).collect()
}

/// The same with one letter for a letter's name: `аш4` is `ш4`.
fn with_names(text: &str) -> String {
    let mut text = text.to_owned();
    for (name, file) in NAMES {
        while let Some(at) = text.to_lowercase().find(name) {
            // Small and capital letters of this alphabet are equally long.
            let after = text.get(at + name.len()..).unwrap_or("");
            if !after.trim_start().starts_with(|c| is_rank(&c)) || text.get(..at).is_none() {
                break;
            }
            text = format!("{}{}{after}", &text[..at], file.char());
        }
    }
    text
}

/// The letter in this place, behind the first, as it is read.
fn in_latin(chars: &[char], n: usize) -> char {
    let next = chars.get(n + 1);
    let Some(latin) = file(chars[n]) else { return chars[n] };
    if next.is_some_and(is_rank) {
        return latin;
    }
    // A file of origin: a file with its rank follows, as in `Лфд1`. The sign of a capture is none.
    let follows = next.is_some_and(|c| target(*c)) && chars.get(n + 2).is_some_and(is_rank);
    let origin = follows || (next.is_some_and(is_sign) && n + 2 < chars.len());
    if origin && !is_sign(&chars[n]) { latin } else { chars[n] }
}

fn target(c: char) -> bool {
    file(c).is_some() || ('a'..='h').contains(&c)
}

/// The file that a pawn would take on, where the text begins as a pawn's capture by its files.
fn taken_on(chars: &[char]) -> Option<char> {
    let onto = match chars.get(1)? {
        c if is_sign(c) && !chars.get(2).is_some_and(is_rank) => chars.get(2)?,
        c => c,
    };
    file(*onto).or_else(|| Some(*onto).filter(|c| ('a'..='h').contains(c)))
}

/// Whether the first letter is a pawn's file that stands beside the one it takes on.
fn is_pawns(chars: &[char]) -> bool {
    let from = chars.first().and_then(|c| file(*c));
    from.zip(taken_on(chars)).is_some_and(|(from, onto)| u32::from(from).abs_diff(onto.into()) == 1)
}

/// What the first letter may be.
fn beginnings(chars: &[char], first: char) -> Vec<char> {
    let Some(latin) = file(first) else { return vec![first] };
    let piece = first.to_uppercase().next().filter(|c| matches!(c, 'Ф' | 'С'));
    let rank = chars.get(1).is_some_and(is_rank);
    // Behind a rank more is the square that it goes to: `ф1е2` is f1e2, or a queen of rank 1.
    let goes_on = rank && chars[2..].iter().any(|c| target(*c));
    match (piece, first.is_uppercase()) {
        (Some(_), true) => match rank && !goes_on {
            true => vec![latin],
            false => vec![first],
        },
        (Some(queen @ 'Ф'), false) => match (rank, goes_on || is_pawns(chars)) {
            (_, true) => vec![latin, queen],
            (true, false) => vec![latin],
            (false, false) => vec![queen],
        },
        (Some(bishop), false) if !rank && !is_pawns(chars) => vec![bishop],
        // It looks like the English bishop.
        (None, true) if first == 'В' && !rank => vec![first],
        _ => vec![latin],
    }
}
