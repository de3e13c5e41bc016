//! The language of a paper: the program's English in the words of a built-in pack, and its piece
//! letters.

use std::sync::OnceLock;

use shakmaty::Piece;

use annabella_core::notation::Letters;
use annabella_words::phrase::pack::{Pack, builtin_languages};

/// The labels of a kind of paper: each in one row, with its English.
macro_rules! labels {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $english:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $name {
            /// Language tag of the paper (`de`).
            pub lang: &'static str,
            $(
                #[doc = concat!("\"", $english, "\".")]
                pub $field: &'static str,
            )*
        }

        impl $name {
            /// English.
            pub const ENGLISH: $name = $name { lang: "en", $($field: $english,)* };

            /// The labels in a language of [`paper_languages`](crate::journal::paper_languages); English for
            /// any other.
            pub fn of(code: &str) -> $name {
                use $crate::journal::wording::{EachLanguage, wording};
                static ALL: EachLanguage<$name> = EachLanguage::new(|code| {
                    let own = |english| wording(code).label(english);
                    $name { lang: code, $($field: own($english),)* }
                });
                ALL.of(code).copied().unwrap_or($name::ENGLISH)
            }
        }
    };
}
pub(super) use labels;

/// Words of a paper in one language.
pub(super) struct Wording {
    pub(super) code: &'static str,
    /// English needs none.
    pack: Option<Pack>,
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
}

static ALL: EachLanguage<Wording> = EachLanguage::new(|code| Wording {
    code,
    pack: Pack::builtin(code).ok().filter(|_| code != "en"),
    letters: code.parse().map_or(Letters::english().clone(), Letters::of),
});

/// The languages that papers are written in, ISO 639-1.
pub fn paper_languages() -> impl Iterator<Item = &'static str> {
    builtin_languages()
}

/// The wording of a language; English where there is none.
pub(super) fn wording(code: &str) -> &'static Wording {
    // English is a built-in pack.
    ALL.of(code).or_else(|| ALL.of("en")).expect("English")
}

impl Wording {
    /// The program's English in this language. `None`: there are no words for it.
    pub(super) fn note(&self, english: &str) -> Option<String> {
        match &self.pack {
            None => Some(english.to_owned()),
            Some(pack) => pack.note(english, &|other| self.letters.in_these(other)),
        }
    }

    /// The same, or what stands there as it is: a person's own words.
    pub(super) fn say(&self, english: &str) -> String {
        self.note(english).unwrap_or_else(|| english.to_owned())
    }

    /// The same for a label. It is made once for each language, and kept.
    pub(super) fn label(&self, english: &'static str) -> &'static str {
        match &self.pack {
            None => english,
            Some(_) => self.say(english).leak(),
        }
    }

    /// "white pawn".
    pub(super) fn piece(&self, piece: Piece) -> String {
        match &self.pack {
            None => format!("{} {:?}", piece.color, piece.role).to_lowercase(),
            Some(pack) => pack.colored_piece(piece).to_owned(),
        }
    }

    /// A move in SAN with English letters, in this language's.
    pub(super) fn san(&self, san: &str) -> String {
        self.letters.in_these(san)
    }
}
