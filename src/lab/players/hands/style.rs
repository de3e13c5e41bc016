//! How good, how fast and how lucky a pair of hands is.

use std::{fmt, ops::RangeInclusive};

use shakmaty::{Bitboard, Square};

/// How hands move pegs, and how the reeds below them misbehave. Probabilities are per move and from
/// 0 to 1, times are milliseconds.
///
/// As text ([`Style::from_faults`], `Display`) it is a list of `name=value`: `bounce=15,wrong=0.2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Style {
    /// `tempo`: time between two movements of the hands.
    pub tempo_ms: RangeInclusive<u64>,
    /// `slide`: least time that a peg travels from one hole to another.
    pub slide_ms: RangeInclusive<u64>,
    /// `hesitate`: probability of a pause before one of the movements.
    pub hesitate: f64,
    /// `pause`: its length.
    pub pause_ms: RangeInclusive<u64>,
    /// `two-hands`: probability that a movement comes with the one before it, on another square.
    pub two_hands: f64,
    /// `bounce`: every edge chatters for up to this long, at most 15.
    pub bounce_ms: u64,
    /// `brush`: probability that a travelling magnet closes a reed on its way for up to 10 ms.
    pub brush: f64,
    /// `wrong`: probability that a peg goes into a wrong hole first.
    pub wrong: f64,
    /// `dwell`: how long it stays there.
    pub dwell_ms: RangeInclusive<u64>,
    /// `put-back`: probability that another peg is lifted before the move and put back.
    pub put_back: f64,
    /// `bump`: probability that a neighbour is knocked out of its hole and put back.
    pub bump: f64,
    /// `hold`: probability that one or two bystanders stay in the hand during the move.
    pub hold: f64,
    /// `imitate`: the longest time for which the pegs, on their way to the move, may look like the
    /// result of another legal move. Above the settle time the two can't be distinguished at that
    /// moment.
    pub imitate_ms: u64,
    /// `ambiguous`: whether a mishap may end so that the pegs alone don't distinguish the move from
    /// another one (`yes` / `no`). [`super::Handwork::rivals`] then lists the others.
    pub ambiguous: bool,
    /// `dead`: squares whose reed never closes.
    pub dead: Bitboard,
    /// `stuck`: squares whose reed never opens.
    pub stuck: Bitboard,
}

/// A list of faults that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HandFaultsError {
    #[error("unknown fault '{name}': did you mean '{nearest}'? known are {}", known())]
    Unknown {
        /// As written.
        name: String,
        /// The known name that is most like it.
        nearest: &'static str,
    },
    /// A name without `=value`.
    #[error("fault '{name}' has no value: write {name}={example}")]
    NoValue {
        /// As written.
        name: String,
        /// A value that would do.
        example: &'static str,
    },
    #[error("fault '{name}' cannot be '{value}': {expected}")]
    BadValue {
        name: String,
        /// As written.
        value: String,
        /// The allowed values.
        expected: &'static str,
    },
}

const NAMES: [(&str, &str); 16] = [
    ("tempo", "120-900"),
    ("slide", "80-300"),
    ("hesitate", "0.2"),
    ("pause", "1000-4000"),
    ("two-hands", "0.2"),
    ("bounce", "15"),
    ("brush", "0.1"),
    ("wrong", "0.2"),
    ("dwell", "100-1500"),
    ("put-back", "0.1"),
    ("bump", "0.1"),
    ("hold", "0.1"),
    ("imitate", "1500"),
    ("ambiguous", "no"),
    ("dead", "g5+c3"),
    ("stuck", "a1"),
];

fn known() -> String {
    let names: Vec<&str> = NAMES.iter().map(|&(name, _)| name).collect();
    format!("steady, human, clumsy, {}", names.join(", "))
}

impl Default for Style {
    fn default() -> Style {
        Style::human()
    }
}

impl Style {
    /// Quick, sure hands over perfect reeds.
    pub fn steady() -> Style {
        Style {
            tempo_ms: 150..=400,
            slide_ms: 80..=200,
            hesitate: 0.0,
            pause_ms: 1000..=4000,
            two_hands: 0.0,
            bounce_ms: 0,
            brush: 0.0,
            wrong: 0.0,
            dwell_ms: 100..=1500,
            put_back: 0.0,
            bump: 0.0,
            hold: 0.0,
            imitate_ms: 1500,
            ambiguous: false,
            dead: Bitboard::EMPTY,
            stuck: Bitboard::EMPTY,
        }
    }

    /// A practised player: mishaps now and then, contacts that chatter.
    pub fn human() -> Style {
        Style {
            tempo_ms: 120..=900,
            slide_ms: 80..=300,
            hesitate: 0.1,
            two_hands: 0.1,
            bounce_ms: 8,
            brush: 0.05,
            wrong: 0.04,
            put_back: 0.05,
            bump: 0.04,
            hold: 0.03,
            ..Style::steady()
        }
    }

    /// Everything goes wrong often, contacts at their worst.
    pub fn clumsy() -> Style {
        Style {
            hesitate: 0.3,
            two_hands: 0.3,
            bounce_ms: 15,
            brush: 0.3,
            wrong: 0.3,
            put_back: 0.3,
            bump: 0.3,
            hold: 0.2,
            ..Style::human()
        }
    }

    /// Reads a list of faults: `bounce=15,wrong=0.2,dead=g5+c3`. The first entry may be `steady`,
    /// `human` or `clumsy`; without it only the faults listed happen.
    ///
    /// # Errors
    /// The first entry that is not understood, with what would do.
    pub fn from_faults(text: &str) -> Result<Style, HandFaultsError> {
        let mut style = Style::steady();
        let entries = text.split(',').map(str::trim).filter(|entry| !entry.is_empty());
        for (n, entry) in entries.enumerate() {
            match (n, entry) {
                (0, "steady") => continue,
                (0, "human") => style = Style::human(),
                (0, "clumsy") => style = Style::clumsy(),
                _ => style.set(entry)?,
            }
        }
        Ok(style)
    }

    fn set(&mut self, entry: &str) -> Result<(), HandFaultsError> {
        let (name, value) = match entry.split_once('=') {
            Some((name, value)) => (name.trim(), Some(value.trim())),
            None => (entry, None),
        };
        let Some(&(_, example)) = NAMES.iter().find(|&&(known, _)| known == name) else {
            return Err(unknown(name));
        };
        let Some(value) = value else {
            return Err(HandFaultsError::NoValue { name: name.to_owned(), example });
        };
        let bad = |expected| HandFaultsError::BadValue {
            name: name.to_owned(),
            value: value.to_owned(),
            expected,
        };
        let chance = || chance(value).ok_or_else(|| bad("a probability from 0 to 1, like 0.2"));
        let range = || {
            range(value).ok_or_else(|| bad("milliseconds from 50 to 60000, like 120-900 or 200"))
        };
        let squares =
            || squares(value).ok_or_else(|| bad("squares joined by +, like g5 or g5+c3, or none"));
        match name {
            "tempo" => self.tempo_ms = range()?,
            "slide" => self.slide_ms = range()?,
            "hesitate" => self.hesitate = chance()?,
            "pause" => self.pause_ms = range()?,
            "two-hands" => self.two_hands = chance()?,
            "bounce" => {
                self.bounce_ms = within(value, 0..=15)
                    .ok_or_else(|| bad("milliseconds from 0 to 15: more is no working reed"))?;
            }
            "brush" => self.brush = chance()?,
            "wrong" => self.wrong = chance()?,
            "dwell" => self.dwell_ms = range()?,
            "put-back" => self.put_back = chance()?,
            "bump" => self.bump = chance()?,
            "hold" => self.hold = chance()?,
            "imitate" => {
                self.imitate_ms = within(value, 50..=60_000)
                    .ok_or_else(|| bad("milliseconds from 50 to 60000, like 300"))?;
            }
            "ambiguous" => {
                self.ambiguous = match value {
                    "yes" => true,
                    "no" => false,
                    _ => return Err(bad("yes or no")),
                };
            }
            "dead" => self.dead = squares()?,
            "stuck" => self.stuck = squares()?,
            _ => return Err(unknown(name)),
        }
        Ok(())
    }

    /// The reeds' readings when these holes are occupied.
    pub fn reading(&self, occupied: Bitboard) -> Bitboard {
        occupied.with(self.stuck).without(self.dead)
    }

    /// Whether this square's reed follows its peg at all.
    pub fn reads(&self, square: Square) -> bool {
        !self.dead.with(self.stuck).contains(square)
    }
}

fn unknown(name: &str) -> HandFaultsError {
    let likeness = |known: &str| strsim::damerau_levenshtein(known, name);
    let nearest = NAMES.iter().map(|&(known, _)| known).min_by_key(|k| likeness(k));
    HandFaultsError::Unknown { name: name.to_owned(), nearest: nearest.unwrap_or("bounce") }
}

fn within(value: &str, allowed: RangeInclusive<u64>) -> Option<u64> {
    value.parse().ok().filter(|number| allowed.contains(number))
}

fn chance(value: &str) -> Option<f64> {
    value.parse().ok().filter(|number| (0.0..=1.0).contains(number))
}

fn range(value: &str) -> Option<RangeInclusive<u64>> {
    let (low, high) = value.split_once('-').unwrap_or((value, value));
    let (low, high) = (within(low.trim(), 50..=60_000)?, within(high.trim(), 50..=60_000)?);
    (low <= high).then_some(low..=high)
}

fn squares(value: &str) -> Option<Bitboard> {
    if value == "none" {
        return Some(Bitboard::EMPTY);
    }
    value.split('+').map(|name| name.trim().parse::<Square>().ok()).collect()
}

impl fmt::Display for Style {
    /// The list that [`Style::from_faults`] reads back. Values as in [`Style::steady`] are left
    /// out.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = |range: &RangeInclusive<u64>| format!("{}-{}", range.start(), range.end());
        let squares = |squares: Bitboard| {
            let names: Vec<String> = squares.into_iter().map(|s| s.to_string()).collect();
            if names.is_empty() { "none".to_owned() } else { names.join("+") }
        };
        let values = |style: &Style| {
            [
                ranges(&style.tempo_ms),
                ranges(&style.slide_ms),
                style.hesitate.to_string(),
                ranges(&style.pause_ms),
                style.two_hands.to_string(),
                style.bounce_ms.to_string(),
                style.brush.to_string(),
                style.wrong.to_string(),
                ranges(&style.dwell_ms),
                style.put_back.to_string(),
                style.bump.to_string(),
                style.hold.to_string(),
                style.imitate_ms.to_string(),
                (if style.ambiguous { "yes" } else { "no" }).to_owned(),
                squares(style.dead),
                squares(style.stuck),
            ]
        };
        f.write_str("steady")?;
        let usual = values(&Style::steady());
        for ((&(name, _), value), usual) in NAMES.iter().zip(values(self)).zip(usual) {
            if value != usual {
                write!(f, ",{name}={value}")?;
            }
        }
        Ok(())
    }
}
