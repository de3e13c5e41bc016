//! The export format of PGN.

use shakmaty::{Chess, EnPassantMode, Move, Position, fen::Fen};

use super::{super::Letters, standard_result};
use crate::notation::{MoveNotation, write};

/// Lines have fewer printing characters than this (PGN specification, 4.3).
const COLUMNS: usize = 80;

/// The seven tags that every game has, in this order (8.1.1).
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// A game to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnOut {
    /// Names and values; those of the seven tag roster that are missing get the standard's
    /// placeholders. `Result`, `SetUp` and `FEN` are taken from the other fields.
    pub tags: Vec<(String, String)>,
    /// The position before the first move.
    pub start: Chess,
    /// The moves, legal one after the other.
    pub moves: Vec<PgnMove>,
    /// `1-0`, `0-1`, `1/2-1/2`; anything else is written as `*`.
    pub result: String,
}

/// A move to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnMove {
    pub mv: Move,
    /// The mover's clock after the move, milliseconds. Written as `[%clk 1:23:45]`, rounded down.
    pub clock_ms: Option<u64>,
    /// A remark; empty for none. A closing brace, which would end it, is written as a bracket.
    pub comment: String,
}

impl From<Move> for PgnMove {
    fn from(mv: Move) -> PgnMove {
        PgnMove { mv, clock_ms: None, comment: String::new() }
    }
}

/// Writes one game, with an empty line behind it. Moves from the first illegal one on are left out,
/// and a comment says so.
///
/// ```
/// use annabella_core::notation::pgn::{PgnMove, PgnOut, write_game};
/// use annabella_core::notation::{Letters, read};
/// use shakmaty::Chess;
///
/// let start = Chess::default();
/// let mv = read(&start, "e4", Letters::english())?.mv;
/// let text = write_game(&PgnOut {
///     tags: vec![("White".to_owned(), "Anna".to_owned())],
///     start,
///     moves: vec![PgnMove { clock_ms: Some(5_399_000), ..PgnMove::from(mv) }],
///     result: "1-0".to_owned(),
/// });
/// assert!(text.contains("[White \"Anna\"]\n"));
/// assert!(text.ends_with("\n\n1. e4 {[%clk 1:29:59]} 1-0\n\n"));
/// # Ok::<_, annabella_core::notation::NotationError>(())
/// ```
pub fn write_game(game: &PgnOut) -> String {
    let result = standard_result(&game.result);
    let mut text = String::new();
    push_tags(&mut text, game, result);
    text.push('\n');

    let mut lines = Lines::default();
    let mut pos = game.start.clone();
    let mut number_due = true;
    for PgnMove { mv, clock_ms, comment } in &game.moves {
        if !pos.is_legal(*mv) {
            lines.comment("what follows in the record is not legal here");
            break;
        }
        let (number, white) = (pos.fullmoves(), pos.turn().is_white());
        if white {
            lines.word(&format!("{number}."));
        } else if number_due {
            lines.word(&format!("{number}..."));
        }
        lines.word(&write(&pos, *mv, MoveNotation::Short, Letters::english()));
        let clock = clock_ms.map(clock_command).unwrap_or_default();
        let remark = format!("{clock} {comment}");
        number_due = !remark.trim().is_empty();
        if number_due {
            lines.comment(&remark);
        }
        pos.play_unchecked(*mv);
    }
    lines.word(result);
    text.push_str(&lines.text);
    text.push_str("\n\n");
    text
}

fn push_tags(text: &mut String, game: &PgnOut, result: &str) {
    let given = |name: &str| {
        let tag = game.tags.iter().find(|(n, _)| n == name);
        tag.map(|(_, value)| value.as_str())
    };
    for (name, placeholder) in ROSTER {
        let value = match name {
            "Result" => result,
            _ => given(name).unwrap_or(placeholder),
        };
        push_tag(text, name, value);
    }
    if game.start != Chess::default() {
        push_tag(text, "SetUp", "1");
        let fen = Fen::from_position(&game.start, EnPassantMode::Legal);
        push_tag(text, "FEN", &fen.to_string());
    }
    for (name, value) in &game.tags {
        let elsewhere = ROSTER.iter().any(|(n, _)| n == name) || name == "SetUp" || name == "FEN";
        if !elsewhere {
            push_tag(text, name, value);
        }
    }
}

/// Names keep their letters, digits and underscores; a tag whose name has none is left out.
fn push_tag(text: &mut String, name: &str, value: &str) {
    let name: String = name.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
    if name.is_empty() {
        return;
    }
    text.push('[');
    text.push_str(&name);
    text.push_str(" \"");
    for c in value.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => text.push(' '),
            c => text.push(c),
        }
    }
    text.push_str("\"]\n");
}

/// A clock reading as PGN's `%clk` and score sheets write it: `1:29:05`, rounded down to seconds.
pub fn clock_text(ms: u64) -> String {
    let seconds = ms / 1_000;
    format!("{}:{:02}:{:02}", seconds / 3_600, seconds / 60 % 60, seconds % 60)
}

fn clock_command(ms: u64) -> String {
    format!("[%clk {}]", clock_text(ms))
}

/// Words filled into lines.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            // A percent sign at the start of a line would hide the line from readers.
            if self.column + 1 + width < COLUMNS || word.starts_with('%') {
                self.text.push(' ');
                self.column += 1;
            } else {
                self.text.push('\n');
                self.column = 0;
            }
        }
        self.text.push_str(word);
        self.column += width;
    }

    fn comment(&mut self, text: &str) {
        let text = text.replace('{', "(").replace('}', ")");
        let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let braced = format!("{{{}}}", text.trim());
        // `[%clk …]` is one word to its readers.
        let words = braced.split(' ').filter(|word| !word.is_empty());
        let mut joined = String::new();
        for word in words {
            joined.push_str(word);
            if word.ends_with("[%clk") {
                joined.push(' ');
            } else {
                self.word(&joined);
                joined.clear();
            }
        }
        if !joined.is_empty() {
            self.word(joined.trim_end());
        }
    }
}
