//! Words to a well-formed announcement, whether or not any move fits it.

use shakmaty::{CastlingSide, Chess, File, Move, Position, Rank, Role, Square};

use super::move_words::{MoveWords, Token, text};

/// A well-formed announcement, whether or not any move fits it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spoken {
    /// As it was understood, in the words of the move pack: `Springer Gustav eins Felix fünf`.
    pub text: String,
    /// The piece, if it was named.
    pub piece: Option<Role>,
    /// The origin's file, if it was named.
    pub from_file: Option<File>,
    /// The origin's rank, if it was named.
    pub from_rank: Option<Rank>,
    /// "schlägt" was said.
    pub takes: bool,
    /// The destination; none for castling.
    pub to: Option<Square>,
    /// The piece a pawn becomes, if it was named.
    pub promotion: Option<Role>,
    /// "en passant" was said.
    pub en_passant: bool,
    pub castling: Option<CastlingSide>,
    /// "Schach" was said.
    pub check: bool,
    /// "matt" was said.
    pub mate: bool,
    /// What is typed only.
    pub(super) only: Option<Only>,
}

/// What no grammar of a recogniser has, and people type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Only {
    /// Castling, to whichever side.
    Castles,
    /// A pawn's capture onto this file.
    Onto(File),
    /// The capture of this piece.
    Captured(Role),
}

impl Spoken {
    fn empty() -> Spoken {
        Spoken {
            text: String::new(),
            piece: None,
            from_file: None,
            from_rank: None,
            takes: false,
            to: None,
            promotion: None,
            en_passant: false,
            castling: None,
            check: false,
            mate: false,
            only: None,
        }
    }

    /// The origin, if the whole square was named.
    pub fn from(&self) -> Option<Square> {
        Some(Square::from_coords(self.from_file?, self.from_rank?))
    }

    pub(super) fn parse(words: &MoveWords, tokens: &[Token]) -> Option<Spoken> {
        let mut spoken = Spoken::empty();
        spoken.text = text(words, tokens);
        let mut rest = tokens;
        while let [before @ .., last @ (Token::Check | Token::Mate)] = rest {
            spoken.check |= *last == Token::Check;
            spoken.mate |= *last == Token::Mate;
            rest = before;
        }
        match rest {
            [Token::CastleShort] => {
                spoken.castling = Some(CastlingSide::KingSide);
                return Some(spoken);
            }
            [Token::CastleLong] => {
                spoken.castling = Some(CastlingSide::QueenSide);
                return Some(spoken);
            }
            _ => {}
        }
        if let [Token::Piece(role), after @ ..] = rest {
            spoken.piece = Some(*role);
            rest = after;
        }
        if let [before @ .., Token::EnPassant] = rest {
            spoken.en_passant = true;
            rest = before;
        }
        if let [before @ .., Token::Piece(role)] = rest {
            spoken.promotion = Some(*role);
            rest = before;
            if let [before @ .., Token::Promotes] = rest {
                rest = before;
            }
        }
        let from = matches!(rest.first(), Some(Token::From));
        rest = &rest[usize::from(from)..];
        let [origin @ .., Token::File(file), Token::Rank(rank)] = rest else {
            return None;
        };
        spoken.to = Some(Square::from_coords(*file, *rank));
        let (link, origin) = match origin {
            [origin @ .., Token::Takes, Token::To] | [origin @ .., Token::Takes] => {
                spoken.takes = true;
                (true, origin)
            }
            [origin @ .., Token::To] => (true, origin),
            origin => (false, origin),
        };
        match origin {
            [] if !from => {}
            [Token::File(file)] => spoken.from_file = Some(*file),
            [Token::Rank(rank)] => spoken.from_rank = Some(*rank),
            [Token::File(file), Token::Rank(rank)] => {
                spoken.from_file = Some(*file);
                spoken.from_rank = Some(*rank);
            }
            _ => return None,
        }
        // Without its piece a move is a pawn's, or names a square, or is no announcement.
        let bare = spoken.piece.is_none() && spoken.from_file.is_none();
        (!bare || (!link && spoken.from_rank.is_none())).then_some(spoken)
    }

    /// Castling, to whichever side, in these words.
    pub(super) fn castles(typed: &str) -> Spoken {
        Spoken { text: typed.to_owned(), only: Some(Only::Castles), ..Spoken::empty() }
    }

    /// A pawn's capture by its files, with what follows them.
    pub(super) fn captures_by_files(
        words: &MoveWords,
        tokens: &[Token],
        (from, onto): (File, File),
        mut rest: &[Token],
    ) -> Option<Spoken> {
        let mut spoken = Spoken { takes: true, from_file: Some(from), ..Spoken::empty() };
        spoken.only = Some(Only::Onto(onto));
        while let [first, others @ ..] = rest {
            match first {
                Token::Check => spoken.check = true,
                Token::Mate => spoken.mate = true,
                Token::EnPassant => spoken.en_passant = true,
                Token::Promotes => {}
                Token::Piece(role) if spoken.promotion.is_none() => spoken.promotion = Some(*role),
                _ => return None,
            }
            rest = others;
        }
        Some(spoken.said_as(words, tokens))
    }

    /// The same in these words.
    pub(super) fn said_as(mut self, words: &MoveWords, tokens: &[Token]) -> Spoken {
        self.text = text(words, tokens);
        self
    }

    fn fits(&self, mv: Move) -> bool {
        match self.only {
            Some(Only::Castles) => return mv.is_castle(),
            Some(Only::Captured(role)) if mv.capture() != Some(role) => return false,
            _ => {}
        }
        if let Some(side) = self.castling {
            return mv.castling_side() == Some(side);
        }
        let (Some(from), Some(to)) = (mv.from(), target(mv)) else {
            return false;
        };
        let piece = match self.piece {
            Some(role) => mv.role() == role,
            None if self.from().is_some() => true,
            None if self.from_file.is_some() => mv.role() == Role::Pawn,
            None => mv.role() == Role::Pawn && !mv.is_capture(),
        };
        piece
            && match self.only {
                Some(Only::Onto(file)) => mv.is_capture() && to.file() == file,
                _ => self.to == Some(to),
            }
            && self.from_file.is_none_or(|file| file == from.file())
            && self.from_rank.is_none_or(|rank| rank == from.rank())
            && (!self.takes || mv.is_capture())
            && (!self.en_passant || mv.is_en_passant())
            && (self.promotion.is_none() || self.promotion == mv.promotion())
    }

    /// The legal moves that were said. A named check or mate decides between several, and is not
    /// held against the speaker where it is not true: the Laws do not ask for it.
    pub fn moves(&self, pos: &Chess) -> Vec<Move> {
        let moves: Vec<Move> = pos.legal_moves().into_iter().filter(|mv| self.fits(*mv)).collect();
        if moves.len() < 2 || !(self.check || self.mate) {
            return moves;
        }
        let true_too: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| {
                let (check, mate) = check_and_mate(pos, *mv);
                (check || !self.check) && (mate || !self.mate)
            })
            .collect();
        if true_too.is_empty() { moves } else { true_too }
    }
}

/// The moving piece's new square. A castling king goes two squares if it stands on e1 or e8;
/// elsewhere castling has its own words only.
pub(super) fn target(mv: Move) -> Option<Square> {
    match mv {
        Move::Castle { king, .. } if king.file() != File::E => None,
        Move::Castle { king, rook } => {
            let side = CastlingSide::from_king_side(king < rook);
            Some(Square::from_coords(side.king_to_file(), king.rank()))
        }
        mv => Some(mv.to()),
    }
}

/// Whether a legal move gives check, and mate.
pub(super) fn check_and_mate(pos: &Chess, mv: Move) -> (bool, bool) {
    let mut after = pos.clone();
    after.play_unchecked(mv);
    (after.is_check(), after.is_checkmate())
}

/// The announcement that the words become if one of them is misheard or lost, if there is one: no
/// request may be so near to a move.
pub(super) fn one_word_from_move(moves: &MoveWords, words: &[String]) -> Option<String> {
    let strange: Vec<usize> =
        (0..words.len()).filter(|n| !moves.lexicon.knows(&words[*n])).collect();
    let places = match strange[..] {
        [] => 0..words.len(),
        [place] => place..place + 1,
        _ => return None,
    };
    let announces = |words: &[String]| {
        moves.lexicon.lex(words).and_then(|tokens| Spoken::parse(moves, &tokens)).is_some()
    };
    for place in places {
        let mut changed = words.to_vec();
        changed.remove(place);
        if announces(&changed) {
            return Some(changed.join(" "));
        }
        for word in moves.lexicon.single_words() {
            let mut changed = words.to_vec();
            word.clone_into(&mut changed[place]);
            if announces(&changed) {
                return Some(changed.join(" "));
            }
        }
    }
    None
}
