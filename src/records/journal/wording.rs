//! The language of a paper: the program's English in the words of a built-in pack, and its piece
//! letters.

use std::sync::LazyLock;

use annabella_core::notation::Letters;
use annabella_words::phrase::pack::{Pack, builtin_names};

/// Words of a paper in one language.
pub(super) struct Wording {
    pub(super) code: &'static str,
    /// English needs none.
    pack: Option<Pack>,
    letters: Letters,
}

static ALL: LazyLock<Vec<Wording>> = LazyLock::new(|| {
    builtin_names()
        .filter(|name| *name != "fide")
        .map(|code| Wording {
            code,
            pack: Pack::builtin(code).ok().filter(|_| code != "en"),
            letters: code.parse().map_or(Letters::english().clone(), Letters::of),
        })
        .collect()
});

/// The languages that papers are written in, ISO 639-1.
pub fn paper_languages() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|wording| wording.code)
}

/// The wording of a language; English where there is none.
pub(super) fn wording(code: &str) -> &'static Wording {
    let named = |code: &str| ALL.iter().find(|wording| wording.code == code);
    // English is a built-in pack.
    named(code).or_else(|| named("en")).expect("English")
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

    /// A move in SAN with English letters, in this language's.
    pub(super) fn san(&self, san: &str) -> String {
        self.letters.in_these(san)
    }
}
