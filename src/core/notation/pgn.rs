//! Games in PGN: read as the world writes it, with the line of every mistake; written in the
//! standard's export format.
//!
//! The crate `pgn-reader` tells moves from comments, variations and escapes. It passes over what it
//! does not know without a word. So every word of the text carries its number through it, and a
//! word of the game that gave no move is looked at here: a record must not lose a move.
//!
//! # What is forgiven
//!
//! With a warning: quotes inside a tag, a tag without its end, castling rights and en passant
//! squares that are gone, signs and results of other programs, moves in other than standard
//! notation. A game that cannot be read takes no other game with it. Only the Laws' own chess is
//! read: other variants are refused by their name.
//!
//! # Null moves
//!
//! Programs write `Z0` or `--` for a passed turn. The Laws know no such move, so it ends a
//! [`Section`], and the next section starts with the turn passed. A game without null moves is one
//! section.
//!
//! Source: PGN specification of 1994, section 8 (grammar) and 9 (tags); `%clk` as in its supplement

mod tidy;
mod visit;
mod writer;

use shakmaty::{
    CastlingMode, Chess, Color, FromSetup, Move, Position, PositionError, fen::Fen, san::San,
};

use super::{Letters, PieceLetters, read, read_in};
use crate::outside;

pub use writer::{PgnMove, PgnOut, clock_text, write_game};

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

/// All games of a PGN text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PgnFile {
    /// The games in the order of the file; a game that cannot be read with the first mistake in it.
    pub games: Vec<Result<PgnGame, PgnError>>,
    /// What was forgiven, in the order of the file.
    pub warnings: Vec<PgnError>,
}

impl PgnFile {
    /// Reads a file in UTF-8, UTF-16 or a Western encoding of one byte a character.
    pub fn read(bytes: &[u8]) -> PgnFile {
        PgnFile::read_text(&outside::text(bytes))
    }

    /// Reads a text. Comments, variations and annotations are skipped, the `FEN` tag is honoured.
    ///
    /// ```
    /// use annabella_core::notation::pgn::PgnFile;
    ///
    /// let file = PgnFile::read_text("1. e4 e5 2. Ke4 *\n\n1. d4 N d5 1/2\n");
    /// let error = file.games[0].as_ref().expect_err("a king in the second move");
    /// assert_eq!(
    ///     error.to_string(),
    ///     "line 1: game 1, move 2.: 'Ke4' is not legal: a piece of the same colour is on e4"
    /// );
    /// assert_eq!(file.games[1].as_ref().map(|game| game.plies()), Ok(2));
    /// assert_eq!(file.warnings[0].to_string(), "line 3: game 2: 'N' is passed over");
    /// ```
    pub fn read_text(text: &str) -> PgnFile {
        let mut file = PgnFile::default();
        for part in tidy::parts(text) {
            visit::read(&part, &mut file);
        }
        file
    }
}

/// Reads all games of a PGN text, every one of which must be good; what is forgiven is not told.
///
/// # Errors
/// The first mistake: an unreadable, illegal or ambiguous move, an impossible position, or a
/// comment or variation without an end.
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
    PgnFile::read_text(text).games.into_iter().collect()
}

/// Names of variants that are the Laws' own chess.
const CHESS: [&str; 6] = ["chess", "standard", "from position", "normal", "classical", "orthodox"];

/// A game while it is read.
struct Reading {
    number: usize,
    tags: Vec<(String, String)>,
    sections: Vec<Section>,
    section: Section,
    pos: Chess,
    /// The first mistake; nothing behind it is read.
    failed: Option<PgnError>,
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
            failed: None,
        }
    }

    fn fail(&mut self, line: usize, what: String) {
        self.failed.get_or_insert(PgnError { line, what });
    }

    fn is_empty(&self) -> bool {
        self.tags.is_empty()
            && self.sections.is_empty()
            && self.section.moves.is_empty()
            && self.failed.is_none()
    }

    fn tag(&mut self, line: usize, name: &str, value: &str, warnings: &mut Vec<PgnError>) {
        self.tags.push((name.to_owned(), value.to_owned()));
        if name.eq_ignore_ascii_case("Variant") && !CHESS.contains(&&*value.trim().to_lowercase()) {
            let what = format!(
                "game {}: it is a game of '{value}', and only the chess of the Laws is read",
                self.number
            );
            self.fail(line, what);
        }
        if name == "FEN" && self.failed.is_none() {
            match start(value) {
                Ok((pos, forgiven)) => {
                    let game = self.number;
                    warnings.extend(forgiven.into_iter().map(|what| PgnError {
                        line,
                        what: format!("game {game}: FEN '{value}': {what}"),
                    }));
                    let before = pos.fullmoves().get().saturating_sub(1).saturating_mul(2);
                    let first_ply = before.saturating_add(pos.turn().fold_wb(1, 2));
                    self.section = section(&pos, first_ply, String::new());
                    self.pos = pos;
                }
                Err(why) => {
                    let what = format!("game {}: FEN '{value}' is no position: {why}", self.number);
                    self.fail(line, what);
                }
            }
        }
    }

    /// A move: as the crate read it, and as it is written.
    fn mv(&mut self, line: usize, san: Option<San>, text: &str, warnings: &mut Vec<PgnError>) {
        let standard = san.and_then(|san| san.to_move(&self.pos).ok());
        let mv = match standard {
            Some(mv) => mv,
            None => match read(&self.pos, text, Letters::english()) {
                Ok(read) => {
                    let what = format!(
                        "game {}, move {}: '{text}' is not standard notation, and is read as {}",
                        self.number,
                        self.number_of_move(),
                        San::from_move(&self.pos, read.mv)
                    );
                    warnings.push(PgnError { line, what });
                    read.mv
                }
                Err(_) => return self.no_move(line, text),
            },
        };
        // Both give legal moves only.
        self.pos.play_unchecked(mv);
        self.section.moves.push(mv);
    }

    fn no_move(&mut self, line: usize, text: &str) {
        let why = match read_in(&self.pos, text, PieceLetters::English) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        let what = format!("game {}, move {}: {why}", self.number, self.number_of_move());
        self.fail(line, what);
    }

    fn null(&mut self, line: usize, text: &str) {
        let mut setup = self.pos.to_setup(shakmaty::EnPassantMode::Legal);
        setup.swap_turn();
        if self.pos.turn() == Color::Black {
            setup.fullmoves = setup.fullmoves.saturating_add(1);
        }
        let number = self.number_of_move();
        let passed = match Chess::from_setup(setup, CastlingMode::Standard) {
            Ok(passed) => passed,
            Err(error) => {
                let what = format!(
                    "game {}, move {number}: '{text}' cannot pass the turn here: {error}",
                    self.number
                );
                return self.fail(line, what);
            }
        };
        let next = section(
            &passed,
            self.ply().saturating_add(1),
            format!("{number} {text} passes the turn"),
        );
        let ended = std::mem::replace(&mut self.section, next);
        self.sections.push(ended);
        self.pos = passed;
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

    fn finish(mut self, result: Option<&str>) -> Result<PgnGame, PgnError> {
        if let Some(failed) = self.failed {
            return Err(failed);
        }
        self.sections.push(self.section);
        let first = self.sections[0].clone();
        self.sections.retain(|section| !section.moves.is_empty());
        if self.sections.is_empty() {
            self.sections.push(first);
        }
        let of_tag = self.tags.iter().find(|(name, _)| name == "Result");
        let result =
            result.or(of_tag.map(|(_, value)| value.as_str())).map_or("*", standard_result);
        Ok(PgnGame { result: result.to_owned(), tags: self.tags, sections: self.sections })
    }
}

fn section(start: &Chess, first_ply: u32, note: String) -> Section {
    Section { start: start.clone(), first_ply, moves: Vec::new(), note }
}

/// The position of a FEN, and what had to be forgiven.
fn start(value: &str) -> Result<(Chess, Vec<&'static str>), String> {
    let fen: Fen = value.trim().parse().map_err(|err| format!("{err}"))?;
    let mut forgiven = Vec::new();
    let mut position: Result<Chess, PositionError<Chess>> =
        fen.into_position(CastlingMode::Standard);
    if let Err(err) = position {
        position = err.ignore_invalid_castling_rights();
        if position.is_ok() {
            forgiven.push("castling rights without king and rook in place are left out");
        }
    }
    if let Err(err) = position {
        position = err.ignore_invalid_ep_square();
        if position.is_ok() {
            forgiven.push("an en passant square behind which no pawn stands is left out");
        }
    }
    position.map(|position| (position, forgiven)).map_err(|err| err.to_string())
}

/// A result as PGN knows it, if the word is one of any program's.
fn result(word: &str) -> Option<&'static str> {
    let word: String = word
        .chars()
        .map(|c| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' | ':' => '-',
            c => c,
        })
        .collect();
    Some(match word.as_str() {
        "1-0" | "1-0F" | "+--" | "1-0f" => "1-0",
        "0-1" | "0-1F" | "--+" | "0-1f" => "0-1",
        "1/2-1/2" | "1/2" | "½-½" | "½" | "0.5-0.5" | "0,5-0,5" | "1/2-1/2f" => "1/2-1/2",
        "*" => "*",
        _ => return None,
    })
}

/// Any other text than the standard's four means an unfinished game.
fn standard_result(text: &str) -> &'static str {
    result(text.trim()).unwrap_or("*")
}
