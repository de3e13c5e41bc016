//! Sensor events as JSON lines, for `annabella infer` and for `play` with `[board] kind =
//! "events"`.
//!
//! One object a line: `{"t":1200,"square":"g1","occupied":false}`, `{"t":1300,"announce":"Dame"}`,
//! `{"t":1350,"announce":"Dame","seat":"black"}`, `{"t":1400,"press":"white"}`,
//! `{"t":1500,"occupied":["a1","b1"]}`. Times are milliseconds, rising.

use serde_json::{Map, Value};
use shakmaty::{Bitboard, Color, Square};
use thiserror::Error;

use annabella_words::text::plain;

/// One line of an event file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EventLine {
    /// When, milliseconds; may be left out where events count on arrival.
    pub t_ms: Option<u64>,
    pub event: PegEvent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PegEvent {
    /// A raw contact changed: not debounced.
    Reed {
        square: Square,
        occupied: bool,
    },
    Board(Bitboard),
    Announce {
        text: String,
        /// The speaker, if the line names him.
        seat: Option<Color>,
    },
    Press(Color),
}

/// The reason why a line is no event: one line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct EventError(String);

/// Some thirty thousand years: sums of times stay far from overflowing.
const LATEST_MS: u64 = 1_000_000_000_000_000;

const KEYS: [&str; 6] = ["t", "square", "occupied", "announce", "seat", "press"];

fn nearest(key: &str) -> String {
    KEYS.iter()
        .map(|known| (strsim::damerau_levenshtein(key, known), known))
        .min()
        .filter(|(distance, _)| *distance <= 2)
        .map_or_else(String::new, |(_, known)| format!(" (did you mean '{known}'?)"))
}

impl EventLine {
    /// Reads one line.
    ///
    /// # Errors
    /// [`EventError`] says which key is wrong and what should stand there.
    pub fn parse(line: &str) -> Result<EventLine, EventError> {
        let value: Value =
            serde_json::from_str(line).map_err(|err| not_an_object(&json_error(&err)))?;
        let Value::Object(object) = value else {
            return Err(not_an_object(&short(&value)));
        };
        if let Some(key) = object.keys().find(|key| !KEYS.contains(&key.as_str())) {
            return Err(EventError(format!(
                "unknown key '{key}'{}; an event has t and square + occupied, announce (+ seat), press, or occupied as a list",
                nearest(key)
            )));
        }
        let t_ms = match object.get("t") {
            None => None,
            Some(value) => Some(value.as_u64().filter(|t| *t <= LATEST_MS).ok_or_else(|| {
                is_not("t", value, "a whole number of milliseconds from 0 to 10^15")
            })?),
        };
        Ok(EventLine { t_ms, event: event(&object)? })
    }

    /// The event at the end of a line that begins with something else: a writer died in mid-line.
    pub fn last_of(line: &str) -> Option<EventLine> {
        let begin = line.rfind("{\"").filter(|begin| *begin > 0)?;
        EventLine::parse(&line[begin..]).ok()
    }
}

fn event(object: &Map<String, Value>) -> Result<PegEvent, EventError> {
    let mut kinds =
        ["square", "announce", "press"].into_iter().filter(|key| object.contains_key(*key));
    let kind = kinds.next();
    if kinds.next().is_some()
        || (kind.is_some_and(|key| key != "square") && object.contains_key("occupied"))
    {
        return Err(shape("more than one event in a line"));
    }
    if kind != Some("announce") && object.contains_key("seat") {
        return Err(shape("seat without announce: it says whose voice it is"));
    }
    match kind {
        Some("square") => {
            let square = square(&object["square"], "square")?;
            let occupied = object
                .get("occupied")
                .ok_or_else(|| shape("square without occupied: add \"occupied\":true or false"))?;
            let occupied =
                occupied.as_bool().ok_or_else(|| is_not("occupied", occupied, "true or false"))?;
            Ok(PegEvent::Reed { square, occupied })
        }
        Some("announce") => match &object["announce"] {
            Value::String(text) => {
                let seat = object.get("seat").map(|value| color(value, "seat")).transpose()?;
                Ok(PegEvent::Announce { text: plain(text), seat })
            }
            other => Err(is_not("announce", other, "a text")),
        },
        Some(_) => color(&object["press"], "press").map(PegEvent::Press),
        None => match object.get("occupied") {
            Some(Value::Array(squares)) => squares
                .iter()
                .map(|value| square(value, "occupied"))
                .collect::<Result<Bitboard, EventError>>()
                .map(PegEvent::Board),
            Some(other) => Err(is_not("occupied", other, "a list of squares (or add \"square\")")),
            None => Err(shape(
                "no event in this line: it needs square + occupied, announce, press, or occupied as a list",
            )),
        },
    }
}

fn square(value: &Value, key: &str) -> Result<Square, EventError> {
    let square = value.as_str().and_then(|text| text.parse().ok());
    square.ok_or_else(|| is_not(key, value, "a square from a1 to h8"))
}

fn color(value: &Value, key: &str) -> Result<Color, EventError> {
    match value.as_str() {
        Some("white") => Ok(Color::White),
        Some("black") => Ok(Color::Black),
        _ => Err(is_not(key, value, "\"white\" or \"black\"")),
    }
}

fn not_an_object(found: &str) -> EventError {
    EventError(format!("not a JSON object: {found}"))
}

fn is_not(key: &str, found: &Value, wanted: &str) -> EventError {
    EventError(format!("{key}: {} is not {wanted}", short(found)))
}

/// No event, or more than one.
fn shape(what: &str) -> EventError {
    EventError(what.to_owned())
}

fn short(value: &Value) -> String {
    let text = value.to_string();
    if text.chars().count() <= 40 {
        return text;
    }
    text.chars().take(40).chain(['…']).collect()
}

fn json_error(err: &serde_json::Error) -> String {
    let text = err.to_string();
    let what = text.split(" at line").next().unwrap_or(&text);
    format!("{what} (column {})", err.column())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn err(line: &str) -> String {
        EventLine::parse(line).expect_err("bad line").to_string()
    }

    #[test]
    fn every_kind_of_line_is_read() {
        let line = EventLine::parse(r#"{"t":1200,"square":"g1","occupied":false}"#);
        let reed = PegEvent::Reed { square: Square::G1, occupied: false };
        assert_eq!(line, Ok(EventLine { t_ms: Some(1200), event: reed }));
        let announced = |seat| PegEvent::Announce { text: "Dame".into(), seat };
        let line = EventLine::parse(r#"{"announce":"Dame"}"#);
        assert_eq!(line, Ok(EventLine { t_ms: None, event: announced(None) }));
        let line = EventLine::parse(r#"{"announce":"Dame","seat":"black"}"#);
        assert_eq!(line, Ok(EventLine { t_ms: None, event: announced(Some(Color::Black)) }));
        let line = EventLine::parse(r#"{"t":3,"press":"black"}"#);
        assert_eq!(line, Ok(EventLine { t_ms: Some(3), event: PegEvent::Press(Color::Black) }));
        let line = EventLine::parse(r#"{"t":4,"occupied":["a1","h8"]}"#);
        let board = PegEvent::Board(Bitboard::from(Square::A1).with(Square::H8));
        assert_eq!(line, Ok(EventLine { t_ms: Some(4), event: board }));
    }

    #[test]
    fn an_event_after_one_that_was_cut_off_is_found() {
        let pressed = EventLine::last_of(r#"{"square":"e2","occ{"press":"white"}"#);
        let press = PegEvent::Press(Color::White);
        assert_eq!(pressed, Some(EventLine { t_ms: None, event: press }));
        for other in [r#"{"press":"white"}"#, r#"{"a":{"press":"white"}}"#, "{\"", ""] {
            assert_eq!(EventLine::last_of(other), None, "{other}");
        }
    }

    #[test]
    fn a_bad_line_says_what_is_wrong_with_it() {
        assert_eq!(
            err(r#"{"t":1,"sqare":"g1","occupied":true}"#),
            "unknown key 'sqare' (did you mean 'square'?); an event has t and square + occupied, \
             announce (+ seat), press, or occupied as a list"
        );
        assert_eq!(
            err(r#"{"announce":"Dame","seat":"left"}"#),
            "seat: \"left\" is not \"white\" or \"black\""
        );
        assert_eq!(
            err(r#"{"press":"white","seat":"white"}"#),
            "seat without announce: it says whose voice it is"
        );
        assert_eq!(
            err(r#"{"t":1,"square":"i9","occupied":true}"#),
            "square: \"i9\" is not a square from a1 to h8"
        );
        assert_eq!(
            err(r#"{"t":-1,"press":"white"}"#),
            "t: -1 is not a whole number of milliseconds from 0 to 10^15"
        );
        assert_eq!(
            err(r#"{"t":1,"press":"green"}"#),
            "press: \"green\" is not \"white\" or \"black\""
        );
        assert_eq!(err("[1]"), "not a JSON object: [1]");
        assert_eq!(err("{"), "not a JSON object: EOF while parsing an object (column 1)");
        assert_eq!(
            err(r#"{"t":1}"#),
            "no event in this line: it needs square + occupied, announce, press, or occupied as a list"
        );
    }
}
