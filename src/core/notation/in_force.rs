//! What is in force where somebody types a move: the letters of its notation, and the languages in
//! whose words it may be.

use shakmaty::{Chess, Move, Position as _, Role, Square};

use super::{
    Body, CheckSign, DRAW_OFFER, Letters, NotationError, PieceLetters, Read,
    cyrillic::comes_first,
    read_in,
    reader::{shown, written},
    why::why_not,
};
use annabella_words::phrase::{Spoken, Words, pack::Pack};

/// No move in words is longer, in characters.
const LONGEST: usize = 200;

/// The letters and words in force at a board or on a page.
///
/// ```
/// use annabella_core::notation::InForce;
/// use annabella_words::phrase::Words;
/// use shakmaty::Chess;
///
/// let words = Words::builtin("fide", "de").expect("built in");
/// let in_force = InForce::of(&words);
/// for typed in ["Springer Gustav eins Felix drei", "SPRINGER auf f3", "Sf3", "g1f3"] {
///     let read = in_force.read(&Chess::default(), typed).expect("a move");
///     assert_eq!(read.mv.to().to_string(), "f3");
/// }
/// ```
#[derive(Clone, Debug)]
pub struct InForce<'a> {
    pub letters: PieceLetters,
    /// In their order. A move that two of them understand otherwise is ambiguous.
    pub packs: Vec<&'a Pack>,
}

impl<'a> InForce<'a> {
    /// At a board with these words: the language of moves, and that of the prompts.
    pub fn of(words: &'a Words) -> InForce<'a> {
        InForce {
            letters: PieceLetters::of_words(words),
            packs: vec![words.moves(), words.prompts()],
        }
    }

    /// Reads one move, in any notation of Appendix C or in words, with its squares in words or as
    /// they are written. Files may be in Cyrillic letters.
    ///
    /// # Errors
    /// As [`read_in`]. What is neither notation nor said so has the error of notation.
    pub fn read(&self, pos: &Chess, text: &str) -> Result<Read, NotationError> {
        if comes_first(text)
            && let Some(read) = self.in_cyrillic(pos, text)
        {
            return read;
        }
        match self.read_latin(pos, text) {
            Err(own @ NotationError::Unreadable { .. }) => {
                self.in_cyrillic(pos, text).unwrap_or(Err(own))
            }
            read => read,
        }
    }

    /// The same with the files as they are written in notation.
    pub(super) fn read_latin(&self, pos: &Chess, text: &str) -> Result<Read, NotationError> {
        match read_in(pos, text, self.letters) {
            Err(own) if !matches!(own, NotationError::Ambiguous { .. }) => {
                self.in_words(pos, text).unwrap_or(Err(own))
            }
            read_or_several => read_or_several,
        }
    }

    /// The move that is written in the letters in force, legal or not, as it would be said. `None`:
    /// it is no notation.
    pub(crate) fn spoken(&self, pos: &Chess, text: &str) -> Option<Spoken> {
        let pack = self.packs.first()?;
        match written(text, Letters::known(self.letters))? {
            Body::Castling(side) => pack.spoken_castling(side),
            Body::Piece { role, file, rank, to, promotion } => {
                let origin = file.zip(rank).map(|(file, rank)| Square::from_coords(file, rank));
                let there = || match origin {
                    Some(origin) => pos.board().role_at(origin),
                    None => Some(Role::Pawn),
                };
                pack.spoken_move(role.or_else(there), (file, rank), to, promotion)
            }
        }
    }

    /// Whether the text is a move in words, legal or not.
    pub(super) fn is_said(&self, text: &str) -> bool {
        !self.said(text).is_empty()
    }

    fn said(&self, text: &str) -> Vec<Spoken> {
        if text.chars().count() > LONGEST {
            return Vec::new();
        }
        self.packs.iter().filter_map(|pack| pack.typed_move(text)).collect()
    }

    /// `None`: it is no move in words.
    pub(super) fn in_words(&self, pos: &Chess, text: &str) -> Option<Result<Read, NotationError>> {
        let text = text.trim();
        let bare = text.strip_suffix(DRAW_OFFER.trim()).unwrap_or(text);
        let said = self.said(bare);
        let first = said.first()?;
        let mut moves: Vec<Move> = Vec::new();
        for mv in said.iter().flat_map(|said| said.moves(pos)) {
            if !moves.contains(&mv) {
                moves.push(mv);
            }
        }
        Some(match moves[..] {
            [] => Err(NotationError::Illegal {
                text: shown(text),
                reason: why_not(pos, &pos.legal_moves(), &body(first)),
            }),
            [mv] => Ok(Read {
                mv,
                offers_draw: bare.len() < text.len(),
                mark: match () {
                    () if first.mate => CheckSign::Mate,
                    () if first.check => CheckSign::Check,
                    () => CheckSign::None,
                },
                slips: Vec::new(),
            }),
            _ => Err(NotationError::Ambiguous { text: shown(text), moves }),
        })
    }
}

fn body(said: &Spoken) -> Body {
    match (said.castling, said.to) {
        (None, Some(to)) => Body::Piece {
            role: said.piece,
            file: said.from_file,
            rank: said.from_rank,
            to,
            promotion: said.promotion,
        },
        // Without a square it goes to, it is castling: see `Spoken::to`.
        (side, _) => Body::Castling(side.unwrap_or(shakmaty::CastlingSide::KingSide)),
    }
}
