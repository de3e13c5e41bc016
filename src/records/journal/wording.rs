//! The language of a paper: the words of a built-in pack, and its piece letters.

use std::sync::OnceLock;

use shakmaty::{Board, Color, Piece, Role};

use super::export::pgn_date;
use annabella_core::{laws::Article, notation::Letters};
use annabella_words::phrase::{
    Note, PaperText,
    pack::{Pack, builtin_languages},
};

/// The labels of a kind of paper: each in one row, with its text in a pack.
macro_rules! labels {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $text:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            /// Language tag of the paper (`de`).
            pub lang: &'static str,
            $(
                #[doc = concat!("[`PaperText::", stringify!($text), "`](annabella_words::phrase::PaperText)")]
                pub $field: &'static str,
            )*
        }

        impl $name {
            /// The labels in a language of [`paper_languages`](crate::journal::paper_languages);
            /// English for any other.
            pub fn of(code: &str) -> $name {
                use annabella_words::phrase::PaperText;
                use $crate::journal::wording::{EachLanguage, wording};
                static ALL: EachLanguage<$name> = EachLanguage::new(|code| {
                    let own = |text| wording(code).label(text);
                    $name { lang: code, $($field: own(PaperText::$text),)* }
                });
                *ALL.in_language(code)
            }
        }
    };
}
pub(super) use labels;

/// Words of a paper in one language.
pub(super) struct Wording {
    pub(super) code: &'static str,
    pack: Pack,
    letters: Letters,
}

/// Something that is made of a language when it is asked for first, and kept.
pub(super) struct EachLanguage<T> {
    all: OnceLock<Vec<(&'static str, OnceLock<T>)>>,
    make: fn(&'static str) -> T,
}

impl<T> EachLanguage<T> {
    pub(super) const fn new(make: fn(&'static str) -> T) -> EachLanguage<T> {
        EachLanguage { all: OnceLock::new(), make }
    }

    /// `None`: papers are not written in it.
    pub(super) fn of(&self, code: &str) -> Option<&T> {
        let all = self
            .all
            .get_or_init(|| paper_languages().map(|code| (code, OnceLock::new())).collect());
        let (code, made) = all.iter().find(|(known, _)| *known == code)?;
        Some(made.get_or_init(|| (self.make)(code)))
    }

    /// The same; English for a language that papers are not written in.
    pub(super) fn in_language(&self, code: &str) -> &T {
        // English is a built-in pack.
        self.of(code).or_else(|| self.of("en")).expect("English")
    }
}

static ALL: EachLanguage<Wording> = EachLanguage::new(|code| Wording {
    code,
    // A test reads every built-in pack.
    pack: Pack::builtin(code).expect("a built-in pack"),
    letters: code.parse().map_or(Letters::english().clone(), Letters::of),
});

/// The languages that papers are written in, ISO 639-1.
pub fn paper_languages() -> impl Iterator<Item = &'static str> {
    builtin_languages()
}

/// The wording of a language; English where there is none.
pub(super) fn wording(code: &str) -> &'static Wording {
    ALL.in_language(code)
}

/// The day of a Unix time as it is written in this language: `27.11.2026`.
pub fn date_in(code: &str, unix_s: u64) -> String {
    wording(code).date(&pgn_date(unix_s))
}

/// A note of the program in this language; in English where there are no words for it.
pub fn note_in(code: &str, note: &Note) -> String {
    wording(code).note(note)
}

/// A move in SAN with English letters, in this language's.
pub fn san_in(code: &str, san: &str) -> String {
    wording(code).san(san)
}

impl Wording {
    /// A note of the program in this language. What there is in English only is in English:
    /// a paper without it would keep back what happened.
    pub(super) fn note(&self, note: &Note) -> String {
        let own = self.pack.note(note, &|moves| self.letters.in_these(moves));
        own.unwrap_or_else(|| note.to_string())
    }

    /// A label. It is made once for each language, and kept.
    pub(super) fn label(&self, text: PaperText) -> &'static str {
        self.pack.paper(text).unwrap_or(text.key()).to_owned().leak()
    }

    /// The article's rule in one line; empty where there are no words for it.
    pub(super) fn rule(&self, article: Article) -> &str {
        let own = self.pack.article(article.as_str());
        own.unwrap_or(if self.code == "en" { article.summary() } else { "" })
    }

    /// A date of PGN, `2026.11.27`, as it is written in this language.
    pub(super) fn date(&self, pgn: &str) -> String {
        let parts: Vec<&str> = pgn.split('.').collect();
        let [year, month, day] = parts[..] else { return pgn.to_owned() };
        match self.code {
            "de" | "pl" | "ru" => format!("{day}.{month}.{year}"),
            "es" | "fr" => format!("{day}/{month}/{year}"),
            // ISO 8601, which nobody takes for another day.
            _ => format!("{year}-{month}-{day}"),
        }
    }

    /// The pieces of a player, king first: `Kg1 Dd1 a2`.
    pub(super) fn pieces(&self, board: &Board, color: Color) -> String {
        let roles = Role::ALL.into_iter().rev();
        let squares = |role: Role| board.by_piece(Piece { role, color }).into_iter();
        let named = roles.flat_map(|role| {
            squares(role).map(move |square| match role {
                Role::Pawn => square.to_string(),
                role => self.san(&format!("{}{square}", role.upper_char())),
            })
        });
        named.collect::<Vec<_>>().join(" ")
    }

    /// "white pawn".
    pub(super) fn piece(&self, piece: Piece) -> String {
        self.pack.colored_piece(piece).to_owned()
    }

    /// A move in SAN with English letters, in this language's.
    pub(super) fn san(&self, san: &str) -> String {
        self.letters.in_these(san)
    }
}
