//! Moves as people type them: in capitals, with a full stop, in parts.

use shakmaty::{Chess, Move, Position as _};

use super::{InForce, NotationError, Read, reader::without_number};

impl InForce<'_> {
    /// Reads one move as somebody types it: as [`InForce::read`], and where that is no notation, in
    /// capitals, with a full stop behind it, in parts with blanks between them, and with the dots
    /// of Black's move alone before it.
    ///
    /// ```
    /// use annabella_core::notation::InForce;
    /// use annabella_words::phrase::Words;
    /// use shakmaty::Chess;
    ///
    /// let words = Words::builtin("fide", "de").expect("built in");
    /// for typed in ["SF3", "Sg1-F3", "Sf3.", "S g1 f3", "g1 f3"] {
    ///     let read = InForce::of(&words).read_typed(&Chess::default(), typed).expect("a move");
    ///     assert_eq!(read.mv.to().to_string(), "f3");
    /// }
    /// ```
    ///
    /// # Errors
    /// As [`InForce::read`]. What is one legal move only if a capital is taken for a file, or only
    /// if it is not, is [`NotationError::OtherLetters`]: to be asked, never made.
    pub fn read_typed(&self, pos: &Chess, text: &str) -> Result<Read, NotationError> {
        let own = match self.read(pos, text) {
            Err(own @ NotationError::Unreadable { .. }) => own,
            read => return read,
        };
        let (mut read, mut moves): (Option<Read>, Vec<Move>) = (None, Vec::new());
        let (mut asked, mut illegal) = (None, None);
        for form in forms(text) {
            let meant = match self.read(pos, &form) {
                Ok(one) => vec![read.insert(one).mv],
                Err(NotationError::Ambiguous { moves, .. }) => moves,
                Err(other @ NotationError::OtherLetters { .. }) => {
                    asked.get_or_insert(other);
                    continue;
                }
                Err(error @ NotationError::Illegal { .. }) => {
                    illegal.get_or_insert(error);
                    continue;
                }
                Err(_) => continue,
            };
            let new: Vec<Move> = meant.into_iter().filter(|mv| !moves.contains(mv)).collect();
            moves.extend(new);
        }
        match (read, &moves[..]) {
            (Some(read), [_]) if asked.is_none() && illegal.is_none() => Ok(read),
            (_, &[mv]) => {
                let own = Box::new(illegal.unwrap_or(own));
                Err(NotationError::OtherLetters { own, letters: self.letters, mv })
            }
            (_, []) => Err(asked.or(illegal).unwrap_or(own)),
            _ => Err(NotationError::Ambiguous { text: own.text().to_owned(), moves }),
        }
    }

    /// The same as it is told: also with "ich spiele", "er spielt" or the mover's colour before it,
    /// with "bitte" behind it, or "Pferd" for the knight, in the languages in force.
    ///
    /// # Errors
    /// As [`InForce::read_typed`], about the text as it is.
    pub fn read_told(&self, pos: &Chess, text: &str) -> Result<Read, NotationError> {
        let own = match self.read_typed(pos, text) {
            Err(own @ NotationError::Unreadable { .. }) => own,
            read => return read,
        };
        let turn = pos.turn();
        let plain = self.packs.iter().flat_map(|pack| pack.plain_moves(text, turn));
        let read = plain.map(|text| self.read_typed(pos, &text));
        let mut read = read.filter(|read| !matches!(read, Err(NotationError::Unreadable { .. })));
        let as_typed = |_| own.text().to_owned();
        match read.next() {
            None => Err(own),
            Some(Err(NotationError::Illegal { text, reason })) => {
                Err(NotationError::Illegal { text: as_typed(text), reason })
            }
            Some(Err(NotationError::Ambiguous { text, moves })) => {
                Err(NotationError::Ambiguous { text: as_typed(text), moves })
            }
            Some(read) => read,
        }
    }
}

/// What may have been meant by a text that is no notation as it stands.
fn forms(text: &str) -> Vec<String> {
    let dots = |c: char| matches!(c, '.' | '…') || c.is_whitespace();
    let text = without_number(text.trim_start_matches(dots));
    let text = text.trim_end_matches(|c: char| matches!(c, '.' | ',' | ';') || c.is_whitespace());
    let joined: String = text.split_whitespace().collect();
    let mut forms: Vec<String> = Vec::new();
    for text in [text, &joined] {
        for form in [text.to_owned(), small_files(text, false), small_files(text, true)] {
            if !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}

/// The text with small letters for files: before a rank, or behind a piece's letter. A capital
/// behind a square is the new piece's; the first one may be a piece's or, if `first`, a file's.
fn small_files(text: &str, first: bool) -> String {
    let chars: Vec<char> = text.chars().collect();
    let small = |(n, &c): (usize, &char)| {
        let is_blank = |c: &&char| c.is_whitespace();
        let next = chars[n + 1..].iter().find(|c| !is_blank(c));
        let square = next.is_some_and(|next| ('1'..='8').contains(next));
        let file = match chars[..n].iter().rfind(|c| !is_blank(c)) {
            Some(before) => square || before.is_alphabetic(),
            None => square || first,
        };
        if file && ('A'..='H').contains(&c) { c.to_ascii_lowercase() } else { c }
    };
    chars.iter().enumerate().map(small).collect()
}
