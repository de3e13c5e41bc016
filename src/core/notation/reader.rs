//! Text to move: first what is written, then what it means in the position.

use shakmaty::{CastlingSide, Chess, File, Move, MoveList, Position, Rank, Role, Square};

use annabella_words::text::is_unseen;

use super::{
    Body, CheckSign, Letters, NotationError, PieceLetters, Read, Reason, Slip, Unreadable,
    why::why_not,
};

/// No move with all its signs is longer than this, in characters.
const LONGEST: usize = 40;

/// Reads one move in the given piece letters.
///
/// # Errors
/// [`NotationError::Unreadable`] when the text is no notation. [`NotationError::Illegal`] when it
/// names a move that is not legal here. [`NotationError::Ambiguous`] when it names several moves,
/// as a promotion without the new piece does.
///
/// ```
/// use annabella_core::notation::{Letters, read};
/// use shakmaty::Chess;
///
/// let error = read(&Chess::default(), "Nf4", Letters::english()).expect_err("a knight on g1");
/// assert_eq!(error.to_string(), "'Nf4' is not legal: no knight can go to f4");
/// ```
///
/// Source: FIDE Appendix C
pub fn read(pos: &Chess, text: &str, letters: &Letters) -> Result<Read, NotationError> {
    let text = text.trim();
    match parse(text, letters) {
        Ok(written) => resolve(pos, &written, text),
        Err(why) => Err(NotationError::Unreadable { text: shown(text), why }),
    }
}

/// The text for an error: on one line and not endless, wherever it came from.
pub(super) fn shown(text: &str) -> String {
    let mut chars = text.chars();
    let mut shown: String =
        (&mut chars).take(LONGEST).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if chars.next().is_some() {
        shown.push('…');
    }
    shown
}

/// Reads one move where the letters of this language are in force, on a page or for a player.
///
/// They are read first, and what they give counts: a legal move, several, or none. Figurines are
/// read whatever the language. Only where they give no legal move are the other languages tried,
/// and only to ask: if exactly one of them has exactly one legal move, the error names it.
///
/// # Errors
/// As [`read`], and [`NotationError::OtherLetters`] with the move that another language would give.
///
/// ```
/// use annabella_core::notation::{PieceLetters, read_in};
/// use shakmaty::Chess;
///
/// let error = read_in(&Chess::default(), "Кf3", PieceLetters::English).expect_err("Russian");
/// let hint = "in Russian letters it is Ng1f3: if that is meant, write it so";
/// assert!(error.to_string().ends_with(hint));
/// ```
///
/// Source: FIDE C.3: each player writes the letters of his own language
pub fn read_in(pos: &Chess, text: &str, language: PieceLetters) -> Result<Read, NotationError> {
    let language = match text.chars().any(|c| ('♔'..='♟').contains(&c)) {
        true => PieceLetters::Figurine,
        false => language,
    };
    let own = match read(pos, text, Letters::known(language)) {
        Err(own @ (NotationError::Unreadable { .. } | NotationError::Illegal { .. })) => own,
        read_or_several => return read_or_several,
    };
    let mut found = None;
    for other in PieceLetters::ALL.into_iter().filter(|other| *other != language) {
        match read(pos, text, Letters::known(other)) {
            Ok(read) if found.is_none() => found = Some((other, read.mv)),
            Ok(_) | Err(NotationError::Ambiguous { .. }) => return Err(own),
            Err(_) => {}
        }
    }
    Err(match found {
        Some((letters, mv)) => NotationError::OtherLetters { own: Box::new(own), letters, mv },
        None => own,
    })
}

/// Whether the text is the notation of a move in these letters, legal or not.
pub(super) fn is_notation(text: &str, letters: &Letters) -> bool {
    parse(text.trim(), letters).is_ok()
}

/// What is written, whatever the position.
pub(super) fn written(text: &str, letters: &Letters) -> Option<Body> {
    parse(text.trim(), letters).ok().map(|written| written.body)
}

/// The text's parts, before any look at the board.
struct Written {
    body: Body,
    captures: bool,
    en_passant: bool,
    mark: CheckSign,
    offers_draw: bool,
}

fn parse(text: &str, letters: &Letters) -> Result<Written, Unreadable> {
    if text.chars().count() > LONGEST {
        return Err(Unreadable::TooLong);
    }
    let folded: String = text.chars().filter_map(fold).collect();
    let mut cursor = Cursor { rest: without_number(folded.trim()) };
    if cursor.rest.is_empty() {
        return Err(Unreadable::Empty);
    }
    let mut written = Written {
        body: Body::Castling(CastlingSide::KingSide),
        captures: false,
        en_passant: false,
        mark: CheckSign::None,
        offers_draw: false,
    };
    written.body = match cursor.castling()? {
        Some(side) => Body::Castling(side),
        None => cursor.piece(letters, &mut written.captures)?,
    };
    cursor.signs(&mut written)?;
    Ok(written)
}

/// Brings the many dashes, crosses and blanks of print to one of each, and Cyrillic letters that
/// look like Latin ones where no language here has a piece of that letter.
pub(super) fn fold(c: char) -> Option<char> {
    match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => Some('-'),
        '×' | '✕' | '⨯' | ':' | 'X' | 'х' | 'Х' => Some('x'),
        'а' => Some('a'),
        'е' => Some('e'),
        'с' => Some('c'),
        'В' => Some('B'),
        '\u{fe0e}' | '\u{fe0f}' => None,
        c if is_unseen(c) => None,
        c if c.is_whitespace() => Some(' '),
        c => Some(c),
    }
}

/// `12. Nf3`, `12...Nf6` and `12 Nf3` without the number.
pub(super) fn without_number(text: &str) -> &str {
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    if rest.len() < text.len() && rest.starts_with(['.', '…', ' ']) {
        rest.trim_start_matches(['.', '…', ' '])
    } else {
        text
    }
}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    rest: &'a str,
}

impl<'a> Cursor<'a> {
    fn eat(&mut self, text: &str) -> bool {
        match self.rest.strip_prefix(text) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn eat_any(&mut self, chars: &[char]) -> bool {
        match self.rest.strip_prefix(chars) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn one<T>(&mut self, known: fn(char) -> Option<T>) -> Option<T> {
        let c = self.rest.chars().next()?;
        let found = known(c)?;
        self.rest = &self.rest[c.len_utf8()..];
        Some(found)
    }

    fn file(&mut self) -> Option<File> {
        self.one(File::from_char)
    }

    fn rank(&mut self) -> Option<Rank> {
        self.one(Rank::from_char)
    }

    /// `0-0`, `O-O-O`, `o-o`, also with the Cyrillic letter.
    fn castling(&mut self) -> Result<Option<CastlingSide>, Unreadable> {
        const ROUND: [char; 5] = ['0', 'O', 'o', 'О', 'о'];
        let before = *self;
        if !self.eat_any(&ROUND) {
            return Ok(None);
        }
        if !self.eat("-") {
            if self.rest.is_empty() || self.rest.starts_with(ROUND) {
                return Err(Unreadable::Castling);
            }
            // A player's own letter: the Bulgarian bishop is an О.
            *self = before;
            return Ok(None);
        }
        if !self.eat_any(&ROUND) {
            return Err(Unreadable::Castling);
        }
        if !self.eat("-") {
            return Ok(Some(CastlingSide::KingSide));
        }
        if self.eat_any(&ROUND) {
            Ok(Some(CastlingSide::QueenSide))
        } else {
            Err(Unreadable::Castling)
        }
    }

    fn piece(&mut self, letters: &Letters, captures: &mut bool) -> Result<Body, Unreadable> {
        let mut role = None;
        if let Some((found, rest)) = letters.strip(self.rest) {
            role = Some(found);
            self.rest = rest;
            self.skip_blanks();
        }
        let (file, rank) = (self.file(), self.rank());
        let divided = self.divider(captures);
        let before = *self;
        let (file, rank, to) = match (self.file(), self.rank()) {
            (Some(to_file), Some(to_rank)) => (file, rank, Square::from_coords(to_file, to_rank)),
            (None, None) | (Some(_), None) if !divided => {
                // The supposed origin is the square. A file behind it may still be the small letter
                // of a new piece.
                *self = before;
                match (file, rank) {
                    (Some(file), Some(rank)) => (None, None, Square::from_coords(file, rank)),
                    (None, None) => return Err(before.no_square()),
                    _ => return Err(Unreadable::HalfSquare),
                }
            }
            (None, None) => return Err(before.no_square()),
            _ => return Err(Unreadable::HalfSquare),
        };
        // Old scores write the sign of the capture behind the move: `ed4:`.
        *captures |= self.eat("x");
        let whole_origin = role.is_none() && file.is_some() && rank.is_some();
        Ok(Body::Piece {
            role,
            file,
            rank,
            to,
            promotion: self.promotion(letters, whole_origin && !divided)?,
        })
    }

    /// A hyphen or the sign of a capture between two squares, with or without blanks around it.
    fn divider(&mut self, captures: &mut bool) -> bool {
        let before = *self;
        self.skip_blanks();
        if self.eat("x") {
            *captures = true;
        } else if !self.eat("-") {
            *self = before;
            return false;
        }
        self.skip_blanks();
        true
    }

    fn promotion(&mut self, letters: &Letters, uci: bool) -> Result<Option<Role>, Unreadable> {
        let before = *self;
        if uci && let Some(role) = self.one(uci_promotion) {
            return Ok(Some(role));
        }
        self.skip_blanks();
        if self.en_passant() {
            *self = before;
            return Ok(None);
        }
        let bracket = self.eat("(");
        if !bracket && self.eat_any(&['=', '/']) {
            self.skip_blanks();
        }
        let Some((role, rest)) = letters.strip_promotion(self.rest) else {
            *self = before;
            return Ok(None);
        };
        let english = self.one(uci_promotion);
        if english.is_some_and(|english| english != role) {
            return Err(Unreadable::SmallPromotion);
        }
        self.rest = rest;
        if bracket && !self.eat(")") {
            return Err(before.left_over());
        }
        Ok(Some(role))
    }

    /// Everything that may stand behind a move.
    fn signs(&mut self, written: &mut Written) -> Result<(), Unreadable> {
        loop {
            self.skip_blanks();
            if self.rest.is_empty() {
                return Ok(());
            } else if self.eat("++") || self.eat("‡") {
                written.mark = CheckSign::Double;
            } else if self.eat("+") || self.eat("†") {
                written.mark = CheckSign::Check;
            } else if self.eat("#") {
                written.mark = CheckSign::Mate;
            } else if self.eat("(=)") || self.eat("=") {
                written.offers_draw = true;
            } else if self.en_passant() {
                written.en_passant = true;
            } else if self.eat("$") {
                self.rest = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
            } else if !self.eat_any(&['!', '?']) {
                return Err(self.left_over());
            }
        }
    }

    /// `e.p.`, `ep`, `e. p.`; the p may be Cyrillic.
    fn en_passant(&mut self) -> bool {
        let before = *self;
        if self.eat("e") {
            self.eat(".");
            self.skip_blanks();
            if self.eat_any(&['p', 'р']) {
                self.eat(".");
                return true;
            }
        }
        *self = before;
        false
    }

    fn no_square(self) -> Unreadable {
        if self.rest.is_empty() {
            return Unreadable::HalfSquare;
        }
        Unreadable::NoSquare { found: self.rest.to_owned() }
    }

    fn left_over(self) -> Unreadable {
        Unreadable::LeftOver { rest: self.rest.trim().to_owned() }
    }
}

fn uci_promotion(c: char) -> Option<Role> {
    Role::from_char(c).filter(|_| matches!(c, 'q' | 'r' | 'b' | 'n'))
}

fn resolve(pos: &Chess, written: &Written, text: &str) -> Result<Read, NotationError> {
    let illegal = |reason| NotationError::Illegal { text: shown(text), reason };
    let legal = pos.legal_moves();
    if legal.is_empty() {
        return Err(illegal(Reason::GameOver));
    }
    let candidates: Vec<Move> = match &written.body {
        Body::Castling(side) => {
            legal.iter().copied().filter(|mv| mv.castling_side() == Some(*side)).collect()
        }
        body @ Body::Piece { .. } => candidates(&legal, body, written.captures),
    };
    match *candidates.as_slice() {
        [] => Err(illegal(why_not(pos, &legal, &written.body))),
        [mv] => Ok(Read {
            mv,
            offers_draw: written.offers_draw,
            mark: written.mark,
            slips: slips(pos, mv, written),
        }),
        _ => Err(NotationError::Ambiguous { text: shown(text), moves: candidates }),
    }
}

fn candidates(legal: &MoveList, body: &Body, captures: bool) -> Vec<Move> {
    let fitting = |takes: bool| -> Vec<Move> {
        legal.iter().copied().filter(|&mv| fits(mv, body, takes)).collect()
    };
    // Only a pawn without its file can both take on a square and walk there; the sign decides.
    let taking = if captures { fitting(true) } else { Vec::new() };
    if taking.is_empty() { fitting(false) } else { taking }
}

/// Whether a legal move is what the body says. `takes`: a pawn without its file must take;
/// otherwise it must not (C.9.3).
fn fits(mv: Move, body: &Body, takes: bool) -> bool {
    let Body::Piece { role, file, rank, to, promotion } = *body else {
        return false;
    };
    let whole_origin = file.is_some() && rank.is_some();
    let from_fits = mv.from().is_some_and(|from| {
        file.is_none_or(|file| file == from.file()) && rank.is_none_or(|rank| rank == from.rank())
    });
    if let Move::Castle { king, rook } = mv {
        // As UCI writes it; the king's goal, or in the dialect of Chess960 the rook's square.
        let side = CastlingSide::from_king_side(king < rook);
        let goal = Square::from_coords(side.king_to_file(), king.rank());
        return whole_origin
            && from_fits
            && promotion.is_none()
            && role.is_none_or(|role| role == Role::King)
            && (to == goal || (role.is_none() && to == rook));
    }
    let role_fits = match role {
        Some(role) => mv.role() == role,
        None => whole_origin || mv.role() == Role::Pawn,
    };
    let file_fits = mv.role() != Role::Pawn || file.is_some() || mv.is_capture() == takes;
    role_fits
        && from_fits
        && file_fits
        && mv.to() == to
        && (promotion.is_none() || mv.promotion() == promotion)
}

fn slips(pos: &Chess, mv: Move, written: &Written) -> Vec<Slip> {
    let mut after = pos.clone();
    after.play_unchecked(mv);
    let (piece_written, file_written) = match &written.body {
        Body::Castling(_) => (false, true),
        Body::Piece { role, file, .. } => (role.is_some(), file.is_some()),
    };
    let mate_or_double = match written.mark {
        CheckSign::Mate => after.is_checkmate(),
        CheckSign::Double => after.is_checkmate() || after.checkers().count() > 1,
        CheckSign::None | CheckSign::Check => true,
    };
    [
        (Slip::NoCapture, written.captures && !mv.is_capture()),
        (Slip::NotEnPassant, written.en_passant && !mv.is_en_passant()),
        (Slip::NoCheck, written.mark == CheckSign::Check && !after.is_check()),
        (Slip::NoMate, !mate_or_double),
        (Slip::FileMissing, mv.role() == Role::Pawn && mv.is_capture() && !file_written),
        (Slip::CastlingAsKingMove, mv.is_castle() && piece_written),
    ]
    .into_iter()
    .filter_map(|(slip, made)| made.then_some(slip))
    .collect()
}
