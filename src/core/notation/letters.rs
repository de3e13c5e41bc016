//! Piece letters of several languages, as data (C.2, C.3).

use std::{fmt, str::FromStr, sync::LazyLock};

use shakmaty::Role;

use annabella_words::phrase::{Words, pack::Pack};

/// A set of piece letters in common use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PieceLetters {
    English,
    German,
    French,
    Russian,
    Lithuanian,
    Spanish,
    Dutch,
    Polish,
    /// ♔ ♕ ♖ ♗ ♘, also ♚ ♛ ♜ ♝ ♞
    Figurine,
}

/// King, queen, rook, bishop, knight, pawn; in each the first is written, all are read.
type Row = [&'static [&'static str]; 6];

const ROLES: [Role; 6] =
    [Role::King, Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// A pawn's letter is never written (C.4), but it is understood where no other piece has it. Dutch
/// has none: its pion would begin like its paard.
const TABLE: [(PieceLetters, &str, Row); 9] = [
    (PieceLetters::English, "en", [&["K"], &["Q"], &["R"], &["B"], &["N"], &["P"]]),
    (PieceLetters::German, "de", [&["K"], &["D"], &["T"], &["L"], &["S"], &["B"]]),
    (PieceLetters::French, "fr", [&["R"], &["D"], &["T"], &["F"], &["C"], &["P"]]),
    (PieceLetters::Russian, "ru", [&["Кр", "КР"], &["Ф"], &["Л"], &["С"], &["К"], &["П", "п"]]),
    (PieceLetters::Lithuanian, "lt", [&["K"], &["V"], &["B"], &["R"], &["Ž", "Z\u{30c}"], &["P"]]),
    (PieceLetters::Spanish, "es", [&["R"], &["D"], &["T"], &["A"], &["C"], &["P"]]),
    (PieceLetters::Dutch, "nl", [&["K"], &["D"], &["T"], &["L"], &["P"], &[]]),
    (PieceLetters::Polish, "pl", [&["K"], &["H"], &["W"], &["G"], &["S"], &["P"]]),
    (
        PieceLetters::Figurine,
        "figurine",
        [&["♔", "♚"], &["♕", "♛"], &["♖", "♜"], &["♗", "♝"], &["♘", "♞"], &["♙", "♟"]],
    ),
];

static SETS: LazyLock<Vec<(PieceLetters, Letters)>> = LazyLock::new(|| {
    TABLE
        .iter()
        .map(|&(language, _, row)| {
            let letters = row.map(|texts| texts.iter().map(|&text| text.to_owned()).collect());
            (language, Letters { letters })
        })
        .collect()
});

impl PieceLetters {
    /// Every language; English first, since it is tried first.
    pub const ALL: [PieceLetters; 9] = [
        PieceLetters::English,
        PieceLetters::German,
        PieceLetters::French,
        PieceLetters::Russian,
        PieceLetters::Lithuanian,
        PieceLetters::Spanish,
        PieceLetters::Dutch,
        PieceLetters::Polish,
        PieceLetters::Figurine,
    ];

    /// Its English name: `German`.
    pub fn name(self) -> &'static str {
        match self {
            PieceLetters::English => "English",
            PieceLetters::German => "German",
            PieceLetters::French => "French",
            PieceLetters::Russian => "Russian",
            PieceLetters::Lithuanian => "Lithuanian",
            PieceLetters::Spanish => "Spanish",
            PieceLetters::Dutch => "Dutch",
            PieceLetters::Polish => "Polish",
            PieceLetters::Figurine => "figurine",
        }
    }

    /// ISO 639-1 code, or `figurine`.
    pub fn code(self) -> &'static str {
        TABLE.iter().find(|row| row.0 == self).map_or("", |row| row.1)
    }

    /// The letters that are in force where these words are: those of the language of moves; where
    /// that is FIDE's, which belongs to no country, those of the prompts; else the English ones.
    pub fn of_words(words: &Words) -> PieceLetters {
        let of = |pack: &Pack| pack.code().parse().ok();
        of(words.moves()).or_else(|| of(words.prompts())).unwrap_or(PieceLetters::English)
    }
}

impl fmt::Display for PieceLetters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

impl FromStr for PieceLetters {
    type Err = LettersError;

    fn from_str(text: &str) -> Result<PieceLetters, LettersError> {
        TABLE
            .iter()
            .find(|row| row.1 == text)
            .map(|row| row.0)
            .ok_or_else(|| LettersError(text.to_owned()))
    }
}

/// A language whose piece letters nobody knows.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "no piece letters are known for '{0}', choose one of en, de, fr, ru, lt, es, nl, pl, figurine"
)]
pub struct LettersError(String);

/// The piece letters of one player (C.3).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Letters {
    /// In the order of [`ROLES`]; the first of each is written.
    letters: [Vec<String>; 6],
}

impl Letters {
    pub fn of(language: PieceLetters) -> Letters {
        Letters::known(language).clone()
    }

    /// K Q R B N.
    pub fn english() -> &'static Letters {
        Letters::known(PieceLetters::English)
    }

    /// The letters of a language, shared.
    pub(super) fn known(language: PieceLetters) -> &'static Letters {
        let row = SETS.iter().find(|set| set.0 == language);
        // The table has a row for every language; the tests go through all of them.
        &row.expect("piece letters of the language").1
    }

    /// The letter of a piece; empty for a pawn (C.4).
    pub fn letter(&self, role: Role) -> &str {
        if role == Role::Pawn {
            return "";
        }
        self.of_role(role).first().map_or("", String::as_str)
    }

    /// A move in SAN, which has English letters, in these. Anything else stays as it is. A number
    /// may stand before the move: `12... Nf6` becomes `12... Sf6`.
    pub fn in_these(&self, san: &str) -> String {
        if let Some(mv) = san.strip_suffix(super::DRAW_OFFER) {
            return self.in_these(mv) + super::DRAW_OFFER;
        }
        let (number, mv) = match san.rsplit_once(". ") {
            Some((number, mv)) if number.trim_end_matches('.').parse::<u32>().is_ok() => {
                (&san[..=number.len() + 1], mv)
            }
            _ => ("", san),
        };
        let is_move = (2..=10).contains(&mv.len())
            && mv.ends_with(|c: char| "12345678QRBNO+#".contains(c))
            && mv.chars().all(|c| "KQRBNOabcdefgh12345678x=+#-".contains(c));
        if !is_move {
            return san.to_owned();
        }
        let mut written = number.to_owned();
        for sign in mv.chars() {
            match Role::from_char(sign).filter(|_| sign.is_ascii_uppercase()) {
                Some(role) => written.push_str(self.letter(role)),
                None => written.push(sign),
            }
        }
        written
    }

    fn of_role(&self, role: Role) -> &[String] {
        ROLES.iter().zip(&self.letters).find(|(r, _)| **r == role).map_or(&[], |(_, texts)| texts)
    }

    /// The piece that a text begins with and the rest of the text. The longest letter wins, so that
    /// `Кр` is a king and not a knight. A small letter counts too, unless it could be a file.
    pub(super) fn strip<'a>(&self, text: &'a str) -> Option<(Role, &'a str)> {
        self.strip_exact(text).or_else(|| self.strip_small(text, |c| !('a'..='h').contains(&c)))
    }

    /// The same for the new piece of a promotion, where no file can follow.
    pub(super) fn strip_promotion<'a>(&self, text: &'a str) -> Option<(Role, &'a str)> {
        self.strip_exact(text).or_else(|| self.strip_small(text, |_| true))
    }

    fn strip_exact<'a>(&self, text: &'a str) -> Option<(Role, &'a str)> {
        self.longest(|letter| text.strip_prefix(letter))
    }

    fn strip_small<'a>(&self, text: &'a str, allowed: fn(char) -> bool) -> Option<(Role, &'a str)> {
        self.longest(|letter| {
            let small = letter.to_lowercase();
            let rest = text.strip_prefix(small.as_str())?;
            small.chars().next().is_some_and(allowed).then_some(rest)
        })
    }

    fn longest<'a>(&self, strip: impl Fn(&str) -> Option<&'a str>) -> Option<(Role, &'a str)> {
        ROLES
            .iter()
            .zip(&self.letters)
            .flat_map(|(&role, texts)| texts.iter().map(move |text| (role, text)))
            .filter_map(|(role, letter)| Some((role, strip(letter)?)))
            .min_by_key(|(_, rest)| rest.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_language_has_its_letters_and_its_code() {
        for language in PieceLetters::ALL {
            let letters = Letters::of(language);
            for role in ROLES {
                assert_eq!(letters.letter(role).is_empty(), role == Role::Pawn);
                for text in letters.of_role(role) {
                    assert_eq!(letters.strip(text), Some((role, "")), "{language} {text}");
                }
            }
            assert_eq!(language.code().parse(), Ok(language));
        }
        assert_eq!(
            "xx".parse::<PieceLetters>().map_err(|e| e.to_string()),
            Err("no piece letters are known for 'xx', choose one of en, de, fr, ru, lt, es, nl, pl, figurine".to_owned())
        );
    }

    #[test]
    fn the_russian_king_is_not_a_knight() {
        let russian = Letters::of(PieceLetters::Russian);
        assert_eq!(russian.strip("Крf3"), Some((Role::King, "f3")));
        assert_eq!(russian.strip("Кf3"), Some((Role::Knight, "f3")));
    }

    #[test]
    fn a_small_letter_is_a_piece_unless_it_is_a_file() {
        assert_eq!(Letters::english().strip("nf3"), Some((Role::Knight, "f3")));
        assert_eq!(Letters::english().strip("bc4"), None);
    }
}
