//! What two of these programs say to each other: a JSON object on a line, in both directions. An
//! empty line is a sign of life.

use serde::{Deserialize, Serialize};
use shakmaty::Color;

use crate::{
    far::state::{Standing, State, Status},
    table::{Ended, Side, Table},
};

/// What is spoken here. Another one is refused.
pub const VERSION: u32 = 1;
/// No line of a friend is longer, bytes: the longest game has fewer than six thousand moves.
pub const LONGEST: usize = 64 * 1_024;
/// Nor of anybody who has proved nothing yet.
pub const FIRST: usize = 1_024;

/// A line.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Message {
    /// An end of the exchange of keys ([`super::pair`]).
    Pair(Hex),
    /// That its word was the same.
    Proof(Hex),
    /// Who comes is known by his key, and asks for the game.
    Hello { version: u32 },
    /// Who waits: which one it is.
    Game(Game),
    /// Both: how the game stands here.
    Table(Shown),
    /// Who waits does not let him in.
    Sorry(Sorry),
}

/// The game that is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// By chance: another one is another game.
    pub id: Hex,
    /// The colour of who comes.
    pub colour: Side,
    /// As the configuration writes it.
    pub time_control: String,
}

/// A table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shown {
    /// Moves that are made (UCI).
    pub moves: Vec<String>,
    /// The last of them is his own, and nothing shows that he has pressed his clock.
    #[serde(default)]
    pub open: bool,
    pub white_ms: u64,
    pub black_ms: u64,
    pub running: Option<Side>,
    /// Who has offered a draw that is not answered yet.
    pub offered: Option<Side>,
    /// How this record and the other one are seen from here.
    pub standing: Standing,
    /// The other's offer was declined here.
    #[serde(default)]
    pub declined: bool,
    pub ended: Option<Ended>,
}

/// Why nobody is let in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sorry {
    /// The word was another one.
    Word,
    /// His key is not known, and nobody is paired now.
    Unknown,
    /// This program is of another version.
    Version,
}

/// Bytes, in small hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Hex(pub Vec<u8>);

impl From<Hex> for String {
    fn from(hex: Hex) -> String {
        hex.0.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl TryFrom<String> for Hex {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Hex, &'static str> {
        let digits: Option<Vec<u8>> =
            text.chars().map(|c| c.to_digit(16).map(|digit| digit as u8)).collect();
        let digits = digits.filter(|digits| digits.len().is_multiple_of(2));
        let digits = digits.ok_or("no pairs of hexadecimal digits")?;
        Ok(Hex(digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect()))
    }
}

impl Message {
    /// Reads a line.
    pub fn read(line: &str) -> Result<Message, String> {
        serde_json::from_str(line).map_err(|err| err.to_string())
    }

    /// As a line, with its end.
    pub fn line(&self) -> String {
        // Strings, numbers and lists are JSON.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }
}

impl Shown {
    /// This table. The blind player's last move is open until his clock is pressed: he may still
    /// correct a slip (D.2.8).
    pub fn of(table: &Table, own: Color, standing: Standing) -> Shown {
        let moves = table.line.uci();
        let own_last = table.line.turn() != own && !moves.is_empty();
        let pressed = table.running == Some(!own) || table.ended.is_some();
        Shown {
            moves,
            open: own_last && !pressed,
            white_ms: table.left_ms(Color::White),
            black_ms: table.left_ms(Color::Black),
            running: table.running.map(Side::from),
            offered: table.offered.map(Side::from),
            standing,
            declined: false,
            ended: table.ended.clone(),
        }
    }

    /// The same as what is followed.
    pub fn state(&self) -> State {
        let (status, winner) = self.ended.as_ref().map_or((Status::Going, None), ending);
        let offers = |side| self.offered == Some(side);
        State {
            moves: self.moves.clone(),
            open: self.open,
            left_ms: [self.white_ms, self.black_ms],
            status,
            winner,
            offers: [offers(Side::White), offers(Side::Black)],
            takebacks: [false; 2],
            standing: self.standing,
            declined: self.declined,
            running: self.running.map(Color::from),
        }
    }
}

fn ending(ended: &Ended) -> (Status, Option<Color>) {
    let winner = match ended.result.as_str() {
        "1-0" => Some(Color::White),
        "0-1" => Some(Color::Black),
        _ => None,
    };
    let status = match (ended.article.as_str(), winner) {
        ("5.1.1", _) => Status::Mate,
        ("5.1.2", _) => Status::Resigned,
        ("5.2.1", _) => Status::Stalemate,
        ("5.2.2", _) => Status::Material,
        ("5.2.3", _) => Status::Agreed,
        ("6.9", _) => Status::OutOfTime,
        (_, None) if ended.result == "1/2-1/2" => Status::Draw,
        (article, _) => {
            Status::Other(article.chars().filter(|c| !c.is_control()).take(20).collect())
        }
    };
    (status, winner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(moves: &str, running: &str, more: &str) -> Table {
        let line = format!(
            r#"{{"game":{{"white":"","black":"","prompts":"de","seat":"black",
            "start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":{moves},"played":null,
            "press":null,"white_ms":5,"black_ms":7,"running":{running},{more}}}}}"#
        );
        Table::read(&line).expect("a line").expect("a game")
    }

    const GOING: &str = r#""offered":null,"result":null"#;

    #[test]
    fn a_move_is_open_until_its_clock_is_pressed() {
        let open = |running: &str, own: Color| {
            Shown::of(&table(r#"["e2e4"]"#, running, GOING), own, Standing::default()).open
        };
        assert!(open(r#""white""#, Color::White));
        assert!(!open(r#""black""#, Color::White));
        // Clocks that stand say nothing. The opponent's move was completed by him.
        assert!(open("null", Color::White) && !open("null", Color::Black));
        let over = r#""offered":null,"result":{"result":"1-0","article":"5.1.1"}"#;
        assert!(
            !Shown::of(&table(r#"["e2e4"]"#, "null", over), Color::White, Standing::default()).open
        );
    }

    #[test]
    fn a_line_is_read_as_it_was_written_and_what_is_none_is_refused() {
        let shown = Shown::of(
            &table(r#"["e2e4"]"#, r#""black""#, GOING),
            Color::White,
            Standing::default(),
        );
        for message in [
            Message::Pair(Hex(vec![0, 15, 255])),
            Message::Hello { version: VERSION },
            Message::Sorry(Sorry::Word),
            Message::Table(shown),
        ] {
            let line = message.line();
            assert!(line.ends_with('\n') && line.matches('\n').count() == 1, "{line}");
            assert_eq!(Message::read(line.trim()), Ok(message));
        }
        for wrong in [
            "",
            "{}",
            "[]",
            "{\"pair\":\"abc\"}",
            "{\"pair\":\"zz\"}",
            "{\"hello\":{}}",
            "{\"what\":1}",
        ] {
            let err = Message::read(wrong).expect_err(wrong);
            assert!(!err.is_empty() && !err.contains('\n'), "{err}");
        }
    }

    #[test]
    fn the_fuzzers_seed_is_read_whole() {
        let seed = include_str!("../../../fuzz/seeds/friend/a-game");
        let lines = seed.lines().skip(1).filter(|line| !line.is_empty());
        for line in lines {
            assert!(Message::read(line).is_ok(), "{line}");
        }
    }

    #[test]
    fn an_end_is_told_by_its_result_and_article() {
        let state = |result: &str, article: &str| {
            let ended = Some(Ended { result: result.to_owned(), article: article.to_owned() });
            let shown = Shown::of(&table("[]", "null", GOING), Color::White, Standing::default());
            let state = Shown { ended, ..shown }.state();
            (state.status, state.winner)
        };
        assert_eq!(state("0-1", "5.1.2"), (Status::Resigned, Some(Color::Black)));
        assert_eq!(state("1/2-1/2", "9.2"), (Status::Draw, None));
        assert_eq!(state("1/2-1/2", "6.9"), (Status::OutOfTime, None));
        assert_eq!(state("1-0", "11.3").1, Some(Color::White));
    }
}
