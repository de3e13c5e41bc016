//! The case as JSON. Every complaint names the place: `blind.score[3]: …`.

use serde_json::{Map, Value};
use shakmaty::{Bitboard, Chess, Color, Square, fen::Fen};

use annabella_core::{
    game::read_fen,
    notation::{InForce, LettersError, PieceLetters, ScoreReading, read_list, read_sheet_in_force},
    reconcile::{Case, ClockReading, Side, Times, VisibleBoard},
};
use annabella_words::phrase::pack::Pack;

/// Reads a case.
///
/// # Errors
/// One line: the place, the fault, the remedy.
pub(super) fn read(bytes: &[u8]) -> Result<Case, String> {
    checked(bytes).map_err(|complaint| {
        // Quoted texts come from outside: they may be long and may break lines.
        let clean = |c: char| if c.is_control() { ' ' } else { c };
        complaint.chars().take(LONGEST).map(clean).collect()
    })
}

/// No complaint is longer, in characters.
const LONGEST: usize = 300;

fn checked(bytes: &[u8]) -> Result<Case, String> {
    let value: Value =
        serde_json::from_slice(bytes).map_err(|err| format!("this is not JSON: {err}"))?;
    let case = At { path: String::new(), value: &value };
    let known = ["start", "blind", "sighted", "clocks", "now", "boards_differ"];
    let case = case.object(&known)?;
    let start = match case.get("start") {
        Some(start) => read_fen(start.text()?).map_err(|err| start.wrong(&err))?,
        None => Chess::default(),
    };
    let blind = side(&case.need("blind")?, &start, None)?;
    let sighted = case.need("sighted")?;
    let sighted_color = Some(!blind.color);
    let other = side(&sighted, &start, sighted_color)?;
    if other.color == blind.color {
        return Err(format!(
            "sighted.color: both players have the {} pieces: one is white, the other black",
            blind.color
        ));
    }
    let mut clocks: Vec<ClockReading> = Vec::new();
    for reading in case.get("clocks").map_or(Ok(Vec::new()), |clocks| clocks.list())? {
        let fields = reading.object(&["ply", "white_ms", "black_ms"])?;
        let ply_at = fields.need("ply")?;
        let ply = u32::try_from(ply_at.number()?)
            .map_err(|_| ply_at.wrong("no game has so many half-moves"))?;
        if let Some(before) = clocks.last().filter(|before| before.ply >= ply) {
            let what = format!("{ply} comes after {}: list the readings in order", before.ply);
            return Err(ply_at.wrong(&what));
        }
        clocks.push(ClockReading { ply, times: times(&fields)?, at_ms: None });
    }
    let now = match case.get("now") {
        Some(now) => Some(times(&now.object(&["white_ms", "black_ms"])?)?),
        None => None,
    };
    let said_to_differ = case.get("boards_differ").map_or(Ok(false), |said| said.yes_or_no())?;
    Ok(Case { start, blind, sighted: other, clocks, now, said_to_differ })
}

fn side(at: &At, start: &Chess, default: Option<Color>) -> Result<Side, String> {
    let fields = at.object(&["color", "score", "letters", "board", "excused"])?;
    let color = match (fields.get("color"), default) {
        (None, Some(color)) => color,
        _ => {
            let color = fields.need("color")?;
            match color.text()? {
                "white" => Color::White,
                "black" => Color::Black,
                other => {
                    return Err(color.wrong(&format!("'{other}': write \"white\" or \"black\"")));
                }
            }
        }
    };
    let letters = match fields.get("letters") {
        Some(letters) => {
            letters.text()?.parse().map_err(|err: LettersError| letters.wrong(&err.to_string()))?
        }
        None => PieceLetters::English,
    };
    let score = score(&fields.need("score")?, start, letters)?;
    let board = fields.get("board").map_or(Ok(VisibleBoard::Nothing), |board| seen(&board))?;
    let excused = fields.get("excused").map_or(Ok(false), |excused| excused.yes_or_no())?;
    Ok(Side { color, score, board, excused, pending: None })
}

/// A list of entries, or a score sheet as one text.
fn score(at: &At, start: &Chess, letters: PieceLetters) -> Result<ScoreReading, String> {
    // Who keeps score by ear may have it in words: in those of the letters' language, or of the
    // Laws.
    let packs: Vec<Pack> =
        [letters.code(), "fide"].iter().filter_map(|code| Pack::builtin(code).ok()).collect();
    let in_force = InForce { letters, packs: packs.iter().collect() };
    if let Value::String(text) = at.value {
        return Ok(read_sheet_in_force(start, text, &in_force));
    }
    let entries = at.list()?;
    let entries: Vec<&str> = entries.iter().map(|entry| entry.text()).collect::<Result<_, _>>()?;
    Ok(read_list(start, &entries, &in_force))
}

fn seen(at: &At) -> Result<VisibleBoard, String> {
    let fields = at.object(&["fen", "occupied"])?;
    match (fields.get("fen"), fields.get("occupied")) {
        (Some(fen), None) => {
            // A board may stand as no legal position does, so only the pieces are read.
            let text = fen.text()?;
            let placed: Fen =
                text.parse().map_err(|err| fen.wrong(&format!("'{text}' is not a FEN: {err}")))?;
            Ok(VisibleBoard::Pieces(placed.into_setup().board))
        }
        (None, Some(occupied)) => {
            let mut squares = Bitboard::EMPTY;
            for entry in occupied.list()? {
                let text = entry.text()?;
                let square: Square = text.parse().map_err(|_| {
                    entry.wrong(&format!("'{text}' is not a square, write a1 to h8"))
                })?;
                if !squares.insert(square) {
                    return Err(entry.wrong(&format!("{square} is listed twice")));
                }
            }
            Ok(VisibleBoard::Occupied(squares))
        }
        _ => Err(at.wrong("say either \"fen\" or \"occupied\"")),
    }
}

fn times(fields: &Object) -> Result<Times, String> {
    Ok(Times {
        white_ms: fields.need("white_ms")?.number()?,
        black_ms: fields.need("black_ms")?.number()?,
    })
}

/// A value and the way to it.
struct At<'a> {
    path: String,
    value: &'a Value,
}

impl<'a> At<'a> {
    fn wrong(&self, what: &str) -> String {
        if self.path.is_empty() { what.to_owned() } else { format!("{}: {what}", self.path) }
    }

    fn expected(&self, what: &str) -> String {
        let found = match self.value {
            Value::Null => "nothing",
            Value::Bool(_) => "true or false",
            Value::Number(_) => "a number",
            Value::String(_) => "a text",
            Value::Array(_) => "a list",
            Value::Object(_) => "an object",
        };
        self.wrong(&format!("this must be {what}, not {found}"))
    }

    fn object(&self, known: &[&str]) -> Result<Object<'a>, String> {
        let Value::Object(fields) = self.value else {
            return Err(self.expected(&format!("an object with {}", known.join(", "))));
        };
        if let Some(unknown) = fields.keys().find(|key| !known.contains(&key.as_str())) {
            let nearest = known
                .iter()
                .min_by_key(|key| strsim::damerau_levenshtein(key, unknown))
                .map_or(String::new(), |key| format!(", did you mean '{key}'?"));
            return Err(self.wrong(&format!("unknown key '{unknown}'{nearest}")));
        }
        Ok(Object { path: self.path.clone(), fields })
    }

    fn list(&self) -> Result<Vec<At<'a>>, String> {
        let Value::Array(values) = self.value else { return Err(self.expected("a list")) };
        let at = |(n, value)| At { path: format!("{}[{n}]", self.path), value };
        Ok(values.iter().enumerate().map(at).collect())
    }

    fn text(&self) -> Result<&'a str, String> {
        self.value.as_str().ok_or_else(|| self.expected("a text"))
    }

    fn number(&self) -> Result<u64, String> {
        self.value.as_u64().ok_or_else(|| self.expected("a whole number, 0 or more"))
    }

    fn yes_or_no(&self) -> Result<bool, String> {
        self.value.as_bool().ok_or_else(|| self.expected("true or false"))
    }
}

struct Object<'a> {
    path: String,
    fields: &'a Map<String, Value>,
}

impl<'a> Object<'a> {
    fn at(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// `null` is as good as nothing.
    fn get(&self, key: &str) -> Option<At<'a>> {
        let value = self.fields.get(key).filter(|value| !value.is_null())?;
        Some(At { path: self.at(key), value })
    }

    fn need(&self, key: &str) -> Result<At<'a>, String> {
        self.get(key).ok_or_else(|| format!("{} is missing", self.at(key)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use annabella_core::reconcile::reconcile;

    const GOOD: &str = r#"{"start":"4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1","blind":{"color":"white",
        "score":["e4","e5"],"board":{"occupied":["e8","e7","e1","e4"]}},"sighted":{"score":"1. e4 e6",
        "board":{"fen":"4k3/8/4p3/8/4P3/8/8/4K3"},"excused":true},"clocks":[{"ply":1,"white_ms":1,
        "black_ms":18446744073709551615}],"now":{"white_ms":0,"black_ms":9},"boards_differ":false}"#;

    #[test]
    fn the_case_that_is_spoilt_below_is_a_good_one() {
        let case = read(GOOD.as_bytes()).expect("a case");
        assert_eq!(reconcile(&case).ply, 1);
    }

    #[test]
    fn a_complaint_is_one_line_whatever_is_quoted() {
        let spoilt = GOOD.replace("\"white\"", "\"a\\nb\"");
        assert_eq!(
            read(spoilt.as_bytes()).err().as_deref(),
            Some("blind.color: 'a b': write \"white\" or \"black\"")
        );
    }

    proptest! {
        #[test]
        fn a_spoilt_case_is_settled_or_refused_in_one_line(
            cuts in prop::collection::vec((0..GOOD.len(), 0usize..4, "[a-h1-8\"{}:,\\[\\]-]{0,3}"), 1..4),
        ) {
            let mut text = GOOD.to_owned();
            for (at, len, new) in cuts {
                let (from, to) = (at.min(text.len()), (at + len).min(text.len()));
                text.replace_range(from..to, &new);
            }
            match read(text.as_bytes()) {
                Ok(case) => {
                    let settled = reconcile(&case);
                    prop_assert!(!settled.explanation(&case).contains('\n'));
                }
                Err(complaint) => {
                    prop_assert!(!complaint.is_empty() && !complaint.contains('\n'), "{}", complaint);
                }
            }
        }
    }
}
