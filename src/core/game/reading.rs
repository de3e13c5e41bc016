//! Reads what somebody says or types as a move, a request or an answer.

use shakmaty::{Chess, Move, Position, Role};

use crate::notation::{self, InForce, NotationError, PieceLetters};
use annabella_words::phrase::{Command, Understood, Words, understand_typed};

/// Reads words of the packs, or a typed move in any notation of Appendix C. What is not understood
/// as it stands is read without hesitation and politeness, and a move without what stands around
/// it.
pub(super) fn read(words: &Words, position: &Chess, text: &str) -> Understood {
    let nothing = |understood: &Understood| match understood {
        Understood::Correction(inner) => **inner == Understood::NotHeard,
        understood => *understood == Understood::NotHeard,
    };
    let as_it_stands = told(words, position, text);
    if !nothing(&as_it_stands) {
        return as_it_stands;
    }
    let bare = words.without_fillers(text);
    let read = bare.as_ref().map(|bare| told(words, position, bare));
    // Only a phrase that calls the arbiter as it stands does so: all else is asked about.
    let calls = Understood::Command(Command::CallArbiter);
    if let Some(understood) = read.filter(|read| !nothing(read) && *read != calls) {
        return understood;
    }
    let inside = words.without_what_stands_around(bare.as_deref().unwrap_or(text));
    let read = inside.map(|inside| told(words, position, &inside));
    let names = |read: &Understood| tells_move(read) || matches!(read, Understood::Piece(_));
    read.filter(names).unwrap_or(as_it_stands)
}

/// The same as it stands, or behind the words with which moves are told.
fn told(words: &Words, position: &Chess, text: &str) -> Understood {
    match plainly(words, position, text) {
        Understood::NotHeard => {
            let rest = words.after_lead(text).or_else(|| words.after_colour(text, position.turn()));
            let rest = rest.map(|rest| plainly(words, position, rest));
            rest.filter(tells_move).unwrap_or(Understood::NotHeard)
        }
        understood => understood,
    }
}

/// Whether a mark stands between the beginning of a text and the rest of it.
pub(super) fn parted(text: &str, rest: &str) -> bool {
    text.strip_suffix(rest).is_some_and(|begin| !begin.trim_end().ends_with(char::is_alphanumeric))
}

pub(super) fn tells_move(understood: &Understood) -> bool {
    matches!(understood, Understood::Move(_) | Understood::Ambiguous(_) | Understood::Illegal(_))
}

fn plainly(words: &Words, position: &Chess, text: &str) -> Understood {
    let in_force = InForce::of(words);
    let written = |text: &str| match in_force.read_typed(position, text) {
        Ok(read) => match in_prompts_letters(words, position, text) {
            Some(other) if other != read.mv => Understood::Ambiguous(vec![read.mv, other]),
            _ => Understood::Move(read.mv),
        },
        Err(NotationError::Ambiguous { moves, .. }) => Understood::Ambiguous(moves),
        Err(NotationError::Illegal { text, .. }) => {
            in_force.spoken(position, &text).map_or(Understood::NotHeard, Understood::Illegal)
        }
        Err(_) => Understood::NotHeard,
    };
    match understand_typed(words, position, text) {
        Understood::NotHeard => match (written(text), words.after_claim(text)) {
            (Understood::NotHeard, Some((claim, rest))) => {
                let intended = Some(read(words, position, rest)).filter(tells_move);
                intended.map_or(Understood::NotHeard, |intended| Understood::Claim {
                    claim,
                    intended: Box::new(intended),
                })
            }
            (written, _) => written,
        },
        Understood::Correction(inner) if *inner == Understood::NotHeard => {
            let corrected = words.after_correction(text).map(|rest| read(words, position, rest));
            let corrected = corrected.filter(tells_move).unwrap_or(Understood::NotHeard);
            Understood::Correction(Box::new(corrected))
        }
        understood => understood,
    }
}

/// The piece's move that the text is in the letters of the player's own language, where others are
/// in force.
fn in_prompts_letters(words: &Words, position: &Chess, text: &str) -> Option<Move> {
    let own: PieceLetters = words.prompts().code().parse().ok()?;
    let others = Some(own).filter(|own| *own != PieceLetters::of_words(words))?;
    let mv = notation::read_in(position, text.trim(), others).ok()?.mv;
    (mv.role() != Role::Pawn).then_some(mv)
}

/// Whether it ends as a question does.
pub(super) fn is_asked(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？'])
}

/// What may be a move, and is not plainly one: in the letters of another language, in capitals that
/// can be read in two ways, or with a piece's name that is misspelt. To be asked, never made.
pub(super) fn perhaps(words: &Words, position: &Chess, text: &str) -> Understood {
    let text = words.after_lead(text).unwrap_or(text);
    let typed = InForce::of(words).read_typed(position, text);
    if let Err(NotationError::OtherLetters { mv, .. }) = typed {
        return Understood::Move(mv);
    }
    let spelt = words.with_piece_spelt(text).map(|text| plainly(words, position, &text));
    spelt.filter(tells_move).unwrap_or(Understood::NotHeard)
}

/// A typed move in the letters and words that are in force at this board.
pub(super) fn in_force(
    words: &Words,
    position: &Chess,
    text: &str,
) -> Result<notation::Read, NotationError> {
    InForce::of(words).read(position, text)
}
