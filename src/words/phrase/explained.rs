//! An explanation that is longer in English than in the words of the other packs.

use shakmaty::Piece;

use super::{
    note::Moves,
    pack::Pack,
    pages::{PageText, fill},
};

/// What there is to say about a thing in English, and what the pages of any language say of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Explained {
    /// The whole of it, in English.
    pub english: String,
    /// The same as a pack's texts of the pages say it, one after another.
    pub own: Vec<OwnWords>,
}

/// A part of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OwnWords {
    /// A text of the pages with what fills its slots.
    Text(PageText, Vec<(&'static str, SlotWords)>),
    /// Signs between texts, or what a person wrote.
    Sign(String),
}

/// What fills a slot of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SlotWords {
    Text(PageText),
    Piece(Piece),
    Move(Moves),
    /// A square or a number.
    Sign(String),
}

impl Explained {
    /// In this language; `None` if it has no pages.
    pub(super) fn said(&self, pack: &Pack, moves: &dyn Fn(&str) -> String) -> Option<String> {
        let mut said = String::new();
        for part in &self.own {
            match part {
                OwnWords::Sign(sign) => said.push_str(sign),
                OwnWords::Text(text, with) => {
                    let words = |with: &SlotWords| match with {
                        SlotWords::Text(text) => pack.page(*text).map(str::to_owned),
                        SlotWords::Piece(piece) => Some(pack.colored_piece(*piece).to_owned()),
                        SlotWords::Move(mv) => Some(moves(&mv.0)),
                        SlotWords::Sign(sign) => Some(sign.clone()),
                    };
                    let filled: Vec<(&str, String)> = with
                        .iter()
                        .map(|(name, with)| Some((*name, words(with)?)))
                        .collect::<Option<_>>()?;
                    let slots: Vec<_> =
                        filled.iter().map(|(name, text)| (*name, text.as_str())).collect();
                    said.push_str(&fill(pack.page(*text)?, &slots));
                }
            }
        }
        Some(said)
    }
}
