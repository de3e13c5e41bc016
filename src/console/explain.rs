//! Why something was not done, in the reader's language.

use shakmaty::{Chess, Move};

use super::{act::Wrong, pages::Notice, words::PageWords};
use annabella_core::notation::{self, NotationError};
use annabella_words::phrase::PageText as T;

pub(super) fn explain(wrong: &Wrong, words: &PageWords) -> Notice {
    let text = match wrong {
        Wrong::NotAllowed => words.text(T::NotAllowed).to_owned(),
        Wrong::MovedOn => words.text(T::MovedOn).to_owned(),
        Wrong::Field(field) => words.fill(T::FieldWrong, &[("field", words.text(*field))]),
        Wrong::Says(text) => words.text(*text).to_owned(),
        // The page asks it where it is asked for: see `routes`.
        Wrong::Slip { .. } | Wrong::Ends { .. } => words.text(T::MovedOn).to_owned(),
        Wrong::Promotes { .. } => words.text(T::Promotion).to_owned(),
        Wrong::NotOnMove(color) => words.fill(T::NotOnMove, &[("player", words.side(*color))]),
        Wrong::Move(why) => not_a_move(&why.0, &why.1, words),
    };
    Notice { good: false, text }
}

/// Why what was typed is no move, in the reader's language and piece letters.
fn not_a_move(position: &Chess, why: &NotationError, words: &PageWords) -> String {
    let typed = ("move", why.text());
    let long =
        |mv: &Move| notation::write(position, *mv, notation::MoveNotation::Long, words.letters());
    match why {
        NotationError::OtherLetters { mv, .. } => {
            words.fill(T::MoveOtherLetters, &[typed, ("moves", &long(mv))])
        }
        NotationError::Ambiguous { moves, .. } => {
            let moves = moves.iter().map(long).collect::<Vec<_>>().join(", ");
            words.fill(T::MoveAmbiguous, &[typed, ("moves", &moves)])
        }
        NotationError::Illegal { .. } => words.fill(T::MoveIllegal, &[typed]),
        _ => words.fill(T::MoveUnreadable, &[typed]),
    }
}
