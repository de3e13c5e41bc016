//! Puzzles of a file: PGN, or the table that Lichess publishes (CSV).
//!
//! Source: Lichess' open database, "Puzzles": the position is the one before the opponent's move,
//! which is the first of the moves

use std::{fs, io, path::Path};

use annabella_core::{notation::pgn::PgnFile, outside};
use annabella_words::phrase::{Prompt, Slot, Words, pack};
use shakmaty::{Chess, Color, EnPassantMode, Position as _, Role, fen::Fen, uci::UciMove};
use thiserror::Error;

use crate::line::Line;

/// No file of puzzles is longer, bytes.
const LONGEST: u64 = 64 * 1_024 * 1_024;

/// No remark is longer, characters.
const REMARK: usize = 400;

/// Why there is no puzzle.
#[derive(Debug, Error)]
pub enum PuzzleError {
    #[error("cannot read {path}: {source}")]
    File { path: String, source: io::Error },
    #[error("{path}: it is longer than 64 MiB: cut some lines out of it")]
    Long { path: String },
    #[error("{path}: {reason}")]
    Wrong { path: String, reason: String },
}

/// A position, and the moves that solve it.
#[derive(Clone, Debug, PartialEq)]
pub struct Puzzle {
    /// As its file calls it; may be empty.
    pub name: String,
    /// The position that is solved (FEN); who is to move solves it.
    pub start: String,
    pub solver: Color,
    /// In UCI, the solver's first. Never empty; legal one after another.
    pub solution: Vec<String>,
}

impl Puzzle {
    fn new(name: &str, start: &Chess, solution: Vec<String>) -> Result<Puzzle, String> {
        let fen = Fen::from_position(start, EnPassantMode::Legal).to_string();
        if solution.is_empty() {
            return Err("it has no moves".to_owned());
        }
        Line::read(&fen, &solution).ok_or("its moves cannot be played")?;
        Ok(Puzzle { name: name.to_owned(), start: fen, solver: start.turn(), solution })
    }

    /// What is to be played after these moves. `None`: they are no part of the solution, or it is
    /// complete.
    pub fn next(&self, played: &[String]) -> Option<&str> {
        self.solution.strip_prefix(played)?.first().map(String::as_str)
    }

    /// All of it has been played.
    pub fn is_solved(&self, played: &[String]) -> bool {
        played.starts_with(&self.solution)
    }
}

/// How the pieces stand, in the language of the prompts: texts that a remark can hold. Who is to
/// move comes first.
pub fn told(position: &Chess, prompts: &str) -> Vec<String> {
    // A pack of one's own is not read here.
    let language = if pack::builtin(prompts).is_some() { prompts } else { "en" };
    let Ok(words) = Words::builtin(language, language) else { return Vec::new() };
    let turn = position.turn();
    let mut sentences = vec![words.prompt(Prompt::WhoseMove, &[Slot::Player(turn)]).to_string()];
    for color in [turn, !turn] {
        for role in Role::ALL.into_iter().rev() {
            let piece = role.of(color);
            let squares = position.board().by_piece(piece).into_iter();
            sentences.extend(squares.map(|square| {
                let slots = [Slot::Square(square), Slot::ColoredPiece(piece)];
                words.prompt(Prompt::SquareHolds, &slots).to_string()
            }));
        }
    }
    let mut texts: Vec<String> = Vec::new();
    for sentence in sentences {
        match texts.last_mut() {
            Some(text) if text.chars().count() + sentence.chars().count() < REMARK => {
                text.push(' ');
                text.push_str(&sentence);
            }
            _ => texts.push(sentence),
        }
    }
    texts
}

/// All puzzles of a text that can be read, and the first that cannot, with its line or game.
pub fn all(bytes: &[u8]) -> (Vec<Puzzle>, Option<String>) {
    let text = outside::text(bytes);
    let is_table = text.lines().next().is_some_and(|line| line.matches(',').count() >= 2);
    let read: Vec<Result<Puzzle, String>> =
        if is_table { of_table(&text) } else { of_games(&text) };
    let mut wrong = None;
    let good =
        read.into_iter().filter_map(|read| read.map_err(|why| wrong.get_or_insert(why)).ok());
    (good.collect(), wrong)
}

fn of_table(text: &str) -> Vec<Result<Puzzle, String>> {
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    // A heading names its columns.
    let rows = lines.filter(|(n, line)| *n > 0 || !line.to_lowercase().contains("fen"));
    rows.map(|(n, line)| of_row(line).map_err(|why| format!("line {}: {why}", n + 1))).collect()
}

/// `PuzzleId,FEN,Moves,…`
fn of_row(line: &str) -> Result<Puzzle, String> {
    let mut fields = line.split(',').map(|field| field.trim().trim_matches('"'));
    let (Some(name), Some(fen), Some(moves)) = (fields.next(), fields.next(), fields.next()) else {
        return Err("write PuzzleId,FEN,Moves".to_owned());
    };
    let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
    let Some((first, solution)) = moves.split_first() else {
        return Err("it has no moves".to_owned());
    };
    let before = Line::read(fen, &[]).ok_or("its position cannot be")?;
    let mv = before.legal(first).ok_or("its moves cannot be played")?;
    Puzzle::new(name, before.after(mv).position(), solution.to_vec())
}

fn of_games(text: &str) -> Vec<Result<Puzzle, String>> {
    let games = PgnFile::read_text(text).games.into_iter();
    let read = games.enumerate().map(|(n, game)| {
        let game = game.map_err(|err| err.to_string())?;
        let Some(first) = game.sections.first() else { return Err("no game".to_owned()) };
        let moves = first.moves.iter().map(|mv| UciMove::from_standard(*mv).to_string());
        let name = game.tag("Event").filter(|name| *name != "?").unwrap_or_default();
        Puzzle::new(name, &first.start, moves.collect())
            .map_err(|why| format!("game {}: {why}", n + 1))
    });
    read.collect()
}

/// The puzzle of this day, or the one with this number; the first is 1.
pub fn chosen(path: &Path, number: Option<usize>, day: u64) -> Result<Puzzle, PuzzleError> {
    let name = path.display().to_string();
    let cannot = |source| PuzzleError::File { path: name.clone(), source };
    if fs::metadata(path).map_err(cannot)?.len() > LONGEST {
        return Err(PuzzleError::Long { path: name });
    }
    let (mut puzzles, wrong) = all(&annabella_records::whole::read(path).map_err(cannot)?);
    let count = puzzles.len();
    let refused = |reason: String| PuzzleError::Wrong { path: name.clone(), reason };
    if count == 0 {
        return Err(refused(wrong.unwrap_or_else(|| "there is no puzzle in it".to_owned())));
    }
    let index = match number {
        // Smaller than the number of puzzles.
        None => (day % count as u64) as usize,
        Some(number) if (1..=count).contains(&number) => number - 1,
        Some(number) => {
            return Err(refused(format!("there is no puzzle {number}: the last is {count}")));
        }
    };
    Ok(puzzles.swap_remove(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// After 1… Ra8 mate in one for White is Qd8 in neither; the knight takes what stands free.
    const TABLE: &str = "PuzzleId,FEN,Moves,Rating\n\
        00001,6k1/5ppp/8/8/8/8/r4PPP/3R2K1 b - - 0 1,a2a8 d1d8 a8d8,600\n\
        \n\
        00002,6k1/5ppp/8/8/8/8/5PPP/3R2K1 b - - 0 1,h7h6 d1d8,400\n";

    #[test]
    fn a_table_begins_with_the_opponents_move_and_a_game_with_the_solvers() {
        let (puzzles, wrong) = all(TABLE.as_bytes());
        assert_eq!((puzzles.len(), wrong), (2, None));
        let first = &puzzles[0];
        assert_eq!((first.name.as_str(), first.solver), ("00001", Color::White));
        assert_eq!(first.solution, ["d1d8", "a8d8"]);
        let played = |moves: &[&str]| moves.iter().map(|mv| (*mv).to_owned()).collect::<Vec<_>>();
        assert_eq!(first.next(&[]), Some("d1d8"));
        assert_eq!(first.next(&played(&["d1d8"])), Some("a8d8"));
        assert_eq!(first.next(&played(&["d1d7"])), None);
        assert!(
            first.is_solved(&played(&["d1d8", "a8d8"])) && !first.is_solved(&played(&["d1d8"]))
        );
        let pgn = "[Event \"Mate\"]\n[FEN \"7k/8/6K1/8/8/8/R7/8 w - - 0 1\"]\n\n1. Ra8# *\n";
        let (puzzles, _) = all(pgn.as_bytes());
        assert_eq!(
            (puzzles[0].name.as_str(), &puzzles[0].solution[..]),
            ("Mate", &["a2a8".to_owned()][..])
        );
    }

    #[test]
    fn the_position_is_told_in_every_language_in_short_texts() {
        for language in ["de", "en", "es", "fr", "lt", "pl", "ru"] {
            let texts = told(&Chess::default(), language);
            assert!(texts.len() > 1 && texts.iter().all(|text| text.chars().count() <= REMARK));
        }
        let mate = &all(TABLE.as_bytes()).0[1];
        let line = Line::read(&mate.start, &[]).expect("a position");
        assert!(
            told(line.position(), "de")[0].starts_with("Weiß am Zug. Gustav eins: weißer König.")
        );
    }

    #[test]
    fn another_day_has_another_puzzle_and_a_wrong_file_one_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("puzzles.csv");
        fs::write(&path, TABLE).expect("written");
        let name = |number, day| chosen(&path, number, day).expect("a puzzle").name;
        assert_eq!([name(None, 20_000), name(None, 20_001)], ["00001", "00002"]);
        assert_eq!(name(Some(2), 20_000), "00002");
        for (text, number, wanted) in [
            ("", None, "puzzles.csv: there is no puzzle in it"),
            (TABLE, Some(3), "puzzles.csv: there is no puzzle 3: the last is 2"),
            (TABLE, Some(0), "puzzles.csv: there is no puzzle 0: the last is 2"),
            ("a,b,c\n", None, "puzzles.csv: line 1: its position cannot be"),
            ("x,8/8/8/8/8/8/8/8 w - - 0 1,e2e4 e7e5\n", None, "line 1: its position cannot be"),
        ] {
            fs::write(&path, text).expect("written");
            let line = chosen(&path, number, 0).expect_err(text).to_string();
            assert!(line.contains(wanted) && !line.contains('\n'), "{line}");
        }
    }
}
