//! The table as the door tells it, a JSON object a line: `docs/partner.md`.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::line::Line;

/// A line of the door.
#[derive(Clone, Debug, PartialEq, Deserialize)]
struct Told {
    game: Option<ToldGame>,
}

#[derive(Clone, Debug, PartialEq, Deserialize)]
struct ToldGame {
    white: String,
    black: String,
    prompts: String,
    #[serde(default)]
    time_control: String,
    seat: Option<Side>,
    start: String,
    moves: Vec<String>,
    played: Option<u32>,
    press: Option<Side>,
    offered: Option<Side>,
    #[serde(default)]
    wished: Option<Wish>,
    #[serde(default)]
    looked: Option<usize>,
    #[serde(default)]
    decided: u32,
    white_ms: u64,
    black_ms: u64,
    running: Option<Side>,
    result: Option<Ended>,
}

/// A colour as it is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    White,
    Black,
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::White => Color::White,
            Side::Black => Color::Black,
        }
    }
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        color.fold_wb(Side::White, Side::Black)
    }
}

/// What the blind player has asked of his opponent. What a later service has besides is not
/// answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wish {
    TakeBack,
    Hint,
    Evaluation,
    #[serde(other)]
    Other,
}

/// How a game has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// `1-0`, `0-1`, `1/2-1/2`
    pub result: String,
    /// By which article of the Laws.
    pub article: String,
}

/// A game at the table.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The players' names; may be empty.
    pub names: [String; 2],
    /// The language of the blind player's prompts.
    pub prompts: String,
    /// As the service's configuration writes it; empty if it is not told.
    pub time_control: String,
    /// The sighted player's colour.
    pub seat: Option<Color>,
    pub line: Line,
    /// The half-move that he has still to carry out on his own board.
    pub owed: Option<u32>,
    /// Whose clock he may press now.
    pub press: Option<Color>,
    /// Who has offered a draw that is not answered yet.
    pub offered: Option<Color>,
    /// After the end: so many half-moves of the score the blind player has gone through.
    pub looked: Option<usize>,
    /// So many times the record was put right (D.2.9).
    pub decided: u32,
    /// What he is asked for, beside moves.
    pub wished: Option<Wish>,
    /// White's time left and Black's, milliseconds.
    pub left_ms: [u64; 2],
    pub running: Option<Color>,
    pub ended: Option<Ended>,
}

impl Table {
    /// Reads a line. `Ok(None)`: there is no game.
    pub fn read(line: &str) -> Result<Option<Table>, String> {
        let told: Told = serde_json::from_str(line).map_err(|err| err.to_string())?;
        let Some(game) = told.game else { return Ok(None) };
        let color = |side: Option<Side>| side.map(Color::from);
        let line = Line::read(&game.start, &game.moves)
            .ok_or("a position or a move that cannot be: is the service of another version?")?;
        Ok(Some(Table {
            names: [game.white, game.black],
            prompts: game.prompts,
            time_control: game.time_control,
            seat: color(game.seat),
            line,
            owed: game.played,
            press: color(game.press),
            offered: color(game.offered),
            looked: game.looked,
            decided: game.decided,
            wished: game.wished.filter(|wish| *wish != Wish::Other),
            left_ms: [game.white_ms, game.black_ms],
            running: color(game.running),
            ended: game.result,
        }))
    }

    /// This player's time left, milliseconds.
    pub fn left_ms(&self, color: Color) -> u64 {
        color.fold_wb(self.left_ms[0], self.left_ms[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GAME: &str = r#"{"game":{"white":"Anna","black":"","prompts":"de","seat":"black",
        "start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":["e2e4"],
        "fen":"ignored","to_move":"black","played":1,"press":null,"offered":"white","white_ms":1000,
        "black_ms":2000,"running":"black","result":null,"something":"new"}}"#;

    #[test]
    fn a_table_is_read_and_new_fields_are_passed_over() {
        let table = Table::read(GAME).expect("a line").expect("a game");
        assert_eq!(table.line.uci(), ["e2e4"]);
        assert_eq!((table.seat, table.running), (Some(Color::Black), Some(Color::Black)));
        assert_eq!((table.owed, table.offered), (Some(1), Some(Color::White)));
        assert_eq!((table.left_ms(Color::White), table.left_ms(Color::Black)), (1000, 2000));
        assert_eq!(Table::read(r#"{"game":null}"#), Ok(None));
    }

    #[test]
    fn what_is_no_table_is_refused_in_one_line() {
        let illegal = GAME.replace("e2e4", "e2e5");
        for line in ["", "[]", "{\"game\":7}", &GAME[..90], &illegal, &GAME.replace("1000", "-1")] {
            let err = Table::read(line).expect_err(line);
            assert!(!err.is_empty() && !err.contains('\n'), "{err}");
        }
    }
}
