//! The partner's own score of a game, as he saw it; compared with the service's it shows that both
//! sides played the same game.

use std::{
    fs::File,
    io::{self, Write as _},
    path::Path,
};

use shakmaty::{Chess, Color, EnPassantMode, Position as _, fen::Fen, san::SanPlus};

use crate::{line::Line, table::Table};

/// A finished game in PGN, with an empty line behind it.
pub fn written(table: &Table) -> String {
    let result = table.ended.as_ref().map_or("*", |ended| ended.result.as_str());
    let escaped = |text: &str| text.replace('\\', "\\\\").replace('"', "\\\"");
    let name = |color: Color| {
        let name = color.fold_wb(&table.names[0], &table.names[1]);
        if name.is_empty() { "?".to_owned() } else { escaped(name) }
    };
    let (white, black) = (name(Color::White), name(Color::Black));
    let mut text = format!(
        "[Event \"played at home, no tournament's game\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n\
         [White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n"
    );
    if *table.line.start() != Chess::default() {
        text += &format!("[SetUp \"1\"]\n[FEN \"{}\"]\n", escaped(table.line.start_fen()));
    }
    text += "\n";
    let mut column = 0;
    for word in movetext(&table.line).into_iter().chain([result.to_owned()]) {
        if column > 0 && column + 1 + word.len() > 79 {
            text += "\n";
            column = 0;
        } else if column > 0 {
            text += " ";
            column += 1;
        }
        column += word.len();
        text += &word;
    }
    text + "\n\n"
}

fn movetext(line: &Line) -> Vec<String> {
    let mut position = line.start().clone();
    let mut words = Vec::new();
    for (n, mv) in line.moves().iter().enumerate() {
        let number = position.fullmoves();
        match position.turn() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if n == 0 => words.push(format!("{number}...")),
            Color::Black => {}
        }
        words.push(SanPlus::from_move_and_play_unchecked(&mut position, *mv).to_string());
    }
    words
}

/// Adds a game to a file of games.
///
/// # Errors
/// As the system says.
pub fn keep(file: &Path, table: &Table) -> io::Result<()> {
    let mut games = File::options().create(true).append(true).open(file)?;
    games.write_all(written(table).as_bytes())?;
    games.flush()
}

/// The usual start in FEN.
pub fn usual_start() -> String {
    Fen::from_position(&Chess::default(), EnPassantMode::Legal).to_string()
}
