//! Games in PGN: read with the line of every mistake, written in the standard's export format.
//!
//! # Null moves
//!
//! Programs write `Z0` or `--` for a passed turn. The Laws know no such move, so it ends a
//! [`Section`], and the next section starts with the turn passed. A game without null moves is one
//! section.
//!
//! Source: PGN specification of 1994, section 8 (grammar) and 9 (tags); `%clk` as in its supplement

mod lexer;
mod writer;

use shakmaty::{CastlingMode, Chess, Color, FromSetup, Move, Position, fen::Fen};

use self::lexer::{Lexer, Token};
use super::{Letters, read};

pub use writer::{PgnMove, PgnOut, write_game};

/// One game of a PGN file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// Names and values in the order of the file.
    pub tags: Vec<(String, String)>,
    /// The moves: one section, and one more behind each null move that moves follow. Never empty.
    pub sections: Vec<Section>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`: the mark at the end, else the tag, else `*`.
    pub result: String,
}

impl PgnGame {
    /// The value of the first tag of this name.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Number of moves in all sections; null moves do not count.
    pub fn plies(&self) -> usize {
        self.sections.iter().map(|s| s.moves.len()).sum()
    }
}

/// Moves that follow one another without a null move between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// The position before the first move.
    pub start: Chess,
    /// Half-move number of the first move as the game counts them, null moves included; White's
    /// first move is 1.
    pub first_ply: u32,
    /// The moves, legal one after the other.
    pub moves: Vec<Move>,
    /// Why this is not the first section: `41... Z0 passes the turn`. Empty in the first.
    pub note: String,
}

/// A PGN text that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {what}")]
pub struct PgnError {
    /// Line in the text, the first is 1.
    pub line: usize,
    /// The fault, with the game and move number and the text as written.
    pub what: String,
}

/// Reads all games of a PGN text. Comments, variations and annotations are skipped, the `FEN` tag
/// is honoured.
///
/// # Errors
/// The first mistake: an unreadable, illegal or ambiguous move, an impossible position, or a
/// comment, tag or variation without an end.
///
/// ```
/// use annabella_core::notation::pgn::read_games;
///
/// let games = read_games("1. e4 {best by test} e5 2. Nf3 *")?;
/// assert_eq!(games[0].plies(), 3);
///
/// let error = read_games("1. e4 e5\n2. Nf4 *").expect_err("no knight can go there");
/// assert_eq!(
///     error.to_string(),
///     "line 2: game 1, move 2.: 'Nf4' is not legal: no knight can go to f4"
/// );
/// # Ok::<_, annabella_core::notation::pgn::PgnError>(())
/// ```
pub fn read_games(text: &str) -> Result<Vec<PgnGame>, PgnError> {
    let mut games = Vec::new();
    let mut open: Option<Reading> = None;
    for token in Lexer::new(text) {
        let (line, token) = token?;
        if matches!(token, Token::Tag { .. })
            && let Some(reading) = open.take_if(|reading| reading.in_moves)
        {
            games.push(reading.finish(None));
        }
        let reading = open.get_or_insert_with(|| Reading::new(games.len() + 1));
        match token {
            Token::Tag { name, value } => reading.tag(line, name, value)?,
            Token::Move(text) => reading.mv(line, text)?,
            Token::Null(text) => reading.null(line, text)?,
            Token::Result(result) => {
                games.extend(open.take().map(|reading| reading.finish(Some(result))));
            }
        }
    }
    games.extend(open.map(|reading| reading.finish(None)));
    Ok(games)
}

/// A game while it is read.
struct Reading {
    number: usize,
    tags: Vec<(String, String)>,
    sections: Vec<Section>,
    section: Section,
    pos: Chess,
    in_moves: bool,
}

impl Reading {
    fn new(number: usize) -> Reading {
        let pos = Chess::default();
        Reading {
            number,
            tags: Vec::new(),
            sections: Vec::new(),
            section: section(&pos, 1, String::new()),
            pos,
            in_moves: false,
        }
    }

    fn tag(&mut self, line: usize, name: String, value: String) -> Result<(), PgnError> {
        if name == "FEN" {
            let wrong = |why: String| PgnError {
                line,
                what: format!("game {}: FEN '{value}' is no position: {why}", self.number),
            };
            let fen: Fen = value.parse().map_err(|e| wrong(format!("{e}")))?;
            let pos = fen
                .into_position(CastlingMode::Standard)
                .map_err(|e: shakmaty::PositionError<Chess>| wrong(e.to_string()))?;
            let before = pos.fullmoves().get().saturating_sub(1).saturating_mul(2);
            let first_ply = before.saturating_add(pos.turn().fold_wb(1, 2));
            self.section = section(&pos, first_ply, String::new());
            self.pos = pos;
        }
        self.tags.push((name, value));
        Ok(())
    }

    fn mv(&mut self, line: usize, text: &str) -> Result<(), PgnError> {
        self.in_moves = true;
        let read = read(&self.pos, text, Letters::english()).map_err(|error| PgnError {
            line,
            what: format!("game {}, move {}: {error}", self.number, self.number_of_move()),
        })?;
        // `read` returns legal moves only.
        self.pos.play_unchecked(read.mv);
        self.section.moves.push(read.mv);
        Ok(())
    }

    fn null(&mut self, line: usize, text: &str) -> Result<(), PgnError> {
        self.in_moves = true;
        let mut setup = self.pos.to_setup(shakmaty::EnPassantMode::Legal);
        setup.swap_turn();
        if self.pos.turn() == Color::Black {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        let number = self.number_of_move();
        let passed =
            Chess::from_setup(setup, CastlingMode::Standard).map_err(|error| PgnError {
                line,
                what: format!(
                    "game {}, move {number}: '{text}' cannot pass the turn here: {error}",
                    self.number
                ),
            })?;
        let next = section(
            &passed,
            self.ply().saturating_add(1),
            format!("{number} {text} passes the turn"),
        );
        let ended = std::mem::replace(&mut self.section, next);
        self.sections.push(ended);
        self.pos = passed;
        Ok(())
    }

    /// Half-move number of the move to come.
    fn ply(&self) -> u32 {
        let made = u32::try_from(self.section.moves.len()).unwrap_or(u32::MAX);
        self.section.first_ply.saturating_add(made)
    }

    /// `17.` or `17...`
    fn number_of_move(&self) -> String {
        let number = self.ply().saturating_add(1) / 2;
        format!("{number}{}", self.pos.turn().fold_wb(".", "..."))
    }

    fn finish(mut self, result: Option<&str>) -> PgnGame {
        self.sections.push(self.section);
        let first = self.sections[0].clone();
        self.sections.retain(|section| !section.moves.is_empty());
        if self.sections.is_empty() {
            self.sections.push(first);
        }
        let of_tag = self.tags.iter().find(|(name, _)| name == "Result");
        let result =
            result.or(of_tag.map(|(_, value)| value.as_str())).map_or("*", standard_result);
        PgnGame { result: result.to_owned(), tags: self.tags, sections: self.sections }
    }
}

fn section(start: &Chess, first_ply: u32, note: String) -> Section {
    Section { start: start.clone(), first_ply, moves: Vec::new(), note }
}

/// PGN knows four results. Any other text means an unfinished game.
fn standard_result(text: &str) -> &'static str {
    match text {
        "1-0" => "1-0",
        "0-1" => "0-1",
        "1/2-1/2" | "½-½" => "1/2-1/2",
        _ => "*",
    }
}
