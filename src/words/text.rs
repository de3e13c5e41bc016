//! Serde for foreign types that already have a text form (`Square`, `Color`, …).
//!
//! `#[serde(with = "crate::text")]` on a field writes its `Display` and reads its `FromStr`, so
//! that a journal row has `"g1"` and `"white"`, never a number. The module also spells moves, kinds
//! of pieces and the configuration's choices.

use std::{borrow::Cow, fmt::Display, str::FromStr};

use serde::{Deserialize, Deserializer, Serializer, de::Error};
use shakmaty::{Move, Role, uci::UciMove};

/// Whether a sign is written and not seen: it stands in text that was copied, between the letters
/// or around them, as the marks of a direction do.
pub fn is_unseen(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
    )
}

/// Writes the value's `Display`.
///
/// # Errors
/// Whatever the serializer reports.
pub fn serialize<T: Display, S: Serializer>(value: &T, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// Reads a string and parses it.
///
/// # Errors
/// The text itself, when it is not a `T`.
pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(deserializer: D) -> Result<T, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| D::Error::custom(format!("'{text}' is not a {}", short_name::<T>())))
}

/// The same for an optional value; `null` or nothing is `None`.
pub mod option {
    use std::{fmt::Display, str::FromStr};

    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    /// Writes the value's `Display`, or nothing.
    ///
    /// # Errors
    /// Whatever the serializer reports.
    pub fn serialize<T: Display, S: Serializer>(
        value: &Option<T>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.collect_str(value),
            None => serializer.serialize_none(),
        }
    }

    /// Reads a string, if there is one, and parses it.
    ///
    /// # Errors
    /// The text itself, when it is not a `T`.
    pub fn deserialize<'de, T: FromStr, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<T>, D::Error> {
        let Some(text) = Option::<String>::deserialize(deserializer)? else {
            return Ok(None);
        };
        let wrong = || D::Error::custom(format!("'{text}' is not a {}", super::short_name::<T>()));
        text.parse().map(Some).map_err(|_| wrong())
    }
}

fn short_name<T>() -> String {
    let name = std::any::type_name::<T>();
    name.rsplit("::").next().unwrap_or(name).to_lowercase()
}

/// What is wrong with a text that is no TOML, on one line.
pub fn toml_fault(text: &str, err: &toml::de::Error) -> String {
    let before = text.get(..err.span().map_or(0, |span| span.start)).unwrap_or(text);
    let what: Vec<&str> = err.message().split_whitespace().collect();
    format!("line {}: {}", before.matches('\n').count() + 1, what.join(" "))
}

/// A text whose lines end in LF, CR LF or CR alone, with LF at the end of each.
///
/// ```
/// use annabella_words::text::unix_lines;
///
/// assert_eq!(unix_lines("a\rb\r\nc\n"), "a\nb\nc\n");
/// ```
pub fn unix_lines(text: &str) -> Cow<'_, str> {
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text.into(),
    }
}

/// The English name of a kind of piece, for reports.
pub fn role_name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn",
        Role::Knight => "knight",
        Role::Bishop => "bishop",
        Role::Rook => "rook",
        Role::Queen => "queen",
        Role::King => "king",
    }
}

/// A move as the journal and the interfaces write it: UCI, castling as the king's two squares
/// (`e1g1`), a promotion's piece as the last letter (`e7e8q`).
pub fn uci(mv: Move) -> String {
    UciMove::from_standard(mv).to_string()
}

/// An enum whose variants have a fixed spelling, as in the configuration.
#[macro_export]
macro_rules! spelled {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$doc])* $variant,)+ }

        impl $name {
            /// All of them, as spelled.
            pub const ALL: &[(&str, $name)] = &[$(($text, $name::$variant),)+];

            pub const fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)+ }
            }

            /// The one that is spelled so.
            pub fn spelled(text: &str) -> Option<$name> {
                $name::ALL.iter().find(|(known, _)| *known == text).map(|(_, one)| *one)
            }
        }
    };
}
pub use crate::spelled;
/// Whether a character of somebody's text could make a report read otherwise than it is: a control
/// character, a mark that turns the direction of writing, a line separator.
///
/// Source: Unicode Standard Annex 9, section 2.
pub fn misleads(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}')
        || matches!(c, '\u{2066}'..='\u{2069}' | '\u{feff}')
}

/// A text with a space for each character that [`misleads`], and without those that fill a line
/// unseen, so that no two names look alike. A joiner stays between letters of a script that is
/// written with it, as in Persian and Hindi.
///
/// Source: Unicode Standard Annex 31, 2.3 (layout and format control characters).
///
/// ```
/// use annabella_words::text::plain;
///
/// assert_eq!(plain("Mu\u{ad}\u{200d}ster\u{3164} \u{202e}A"), "Muster  A");
/// let alireza = "\u{639}\u{644}\u{6cc}\u{200c}\u{631}\u{636}\u{627}";
/// assert_eq!(plain(alireza), alireza);
/// ```
pub fn plain(text: &str) -> String {
    let joined = |c: &char| ('\u{600}'..'\u{2000}').contains(c) && !c.is_whitespace();
    let (mut plain, mut before) = (String::with_capacity(text.len()), None);
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let shown = match c {
            '\u{200c}' | '\u{200d}' => {
                (before.is_some_and(|c| joined(&c)) && rest.peek().is_some_and(joined)).then_some(c)
            }
            _ if misleads(c) => Some(' '),
            _ if is_filler(c) => None,
            _ => Some(c),
        };
        plain.extend(shown);
        before = shown.or(before);
    }
    plain
}

/// Takes a place in a text, and is not seen there.
fn is_filler(c: char) -> bool {
    matches!(
        c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{2060}'..='\u{2065}'
    ) || matches!(c, '\u{206a}'..='\u{206f}' | '\u{3164}' | '\u{ffa0}' | '\u{e0000}'..='\u{e0fff}')
}
