//! Time controls as text: `40/90+30:30+30`.

use std::{fmt, str::FromStr};

use annabella_words::phrase::timing::{Extra, Stretch};

/// The time that a player gets with each move besides the main time, milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Bonus {
    /// Nothing.
    #[default]
    None,
    /// Cumulative (Fischer): added before each move, from the first one on. Written `+30`.
    ///
    /// Source: FIDE Laws, glossary, "increment".
    Increment(u64),
    /// The clock waits this long before the main time runs (US delay). Written `+5d`.
    Delay(u64),
    /// The time used for a move is given back, at most this much (Bronstein). Written `+5b`.
    Bronstein(u64),
}

/// A period of a time control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Moves to complete in this period; `None` in the last one.
    pub moves: Option<u32>,
    /// Main time added at the beginning of the period, milliseconds, a multiple of 60.
    pub base_ms: u64,
    /// The bonus for each move of this period.
    pub bonus: Bonus,
}

/// A time control: one or more periods, the last one without a move count.
///
/// # How it is written
///
/// Periods are separated by `:`. A period is `moves/minutes+seconds`; the last one has no `moves/`.
/// `+seconds` may be left out, or end in `d` (delay) or `b` (Bronstein). Minutes and seconds may
/// have up to three decimals.
///
/// | text | meaning |
/// |---|---|
/// | `40/90+30:30+30` | 90 minutes for 40 moves, then 30 minutes, 30 seconds with each move |
/// | `40/120:20/60:15+30` | three periods, seconds only in the last |
/// | `3+2` | blitz |
/// | `90` | 90 minutes for all moves |
/// | `25+5d`, `25+5b` | 5 seconds delay, 5 seconds Bronstein |
///
/// ```
/// use annabella_core::game::clock::TimeControl;
/// let control: TimeControl = "40/90+30:30+30".parse()?;
/// assert_eq!(control.initial_ms(), 90 * 60_000 + 30_000);
/// assert_eq!(control.to_string(), "40/90+30:30+30");
/// # Ok::<(), annabella_core::game::clock::TimeControlError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimeControl {
    periods: Vec<Period>,
}

/// A time control that can't be read, and the place of the fault.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time control '{text}', character {column}: {problem}")]
pub struct TimeControlError {
    /// The whole text.
    pub text: String,
    /// The place of the fault, in characters, from 1.
    pub column: usize,
    /// The fault and the remedy.
    pub problem: String,
}

const MINUTE_MS: u64 = 60_000;
const SECOND_MS: u64 = 1_000;
const MAX_MINUTES: u64 = 1_440;
const MAX_SECONDS: u64 = 3_600;
const MAX_MOVES: u32 = 999;
const MAX_PERIODS: usize = 9;

impl TimeControl {
    /// The periods in seconds, for words.
    pub fn stretches(&self) -> Vec<Stretch> {
        let seconds = |ms: u64| u32::try_from(ms / 1000).unwrap_or(u32::MAX);
        let stretch = |period: &Period| {
            let (extra_s, extra) = match period.bonus {
                Bonus::None => (0, Extra::Increment),
                Bonus::Increment(ms) => (seconds(ms), Extra::Increment),
                Bonus::Delay(ms) => (seconds(ms), Extra::Delay),
                Bonus::Bronstein(ms) => (seconds(ms), Extra::Bronstein),
            };
            Stretch { moves: period.moves, base_s: seconds(period.base_ms), extra_s, extra }
        };
        self.periods().iter().map(stretch).collect()
    }

    /// The periods in order: at least one, only the last one without a move count.
    pub fn periods(&self) -> &[Period] {
        &self.periods
    }

    /// Index of the period to which move number `number` (from 1) belongs.
    pub fn period_of_move(&self, number: u32) -> usize {
        let mut last_move: u32 = 0;
        for (index, period) in self.periods.iter().enumerate() {
            match period.moves {
                Some(moves) => last_move = last_move.saturating_add(moves),
                None => return index,
            }
            if number <= last_move {
                return index;
            }
        }
        self.periods.len() - 1
    }

    /// The move with which the period ends that move `number` belongs to; `None` in the last
    /// period.
    pub fn last_move_of_period(&self, number: u32) -> Option<u32> {
        let index = self.period_of_move(number);
        self.periods[..=index]
            .iter()
            .try_fold(0u32, |sum, period| Some(sum.saturating_add(period.moves?)))
    }

    /// The time on the clock before the first move, milliseconds: the first period's main time and,
    /// with an increment, the one for the first move.
    pub fn initial_ms(&self) -> u64 {
        let first = self.periods[0];
        first.base_ms + first.bonus.before_move_ms()
    }

    /// The value of PGN's `TimeControl` tag, in seconds: `40/5400+30:1800+30`. PGN has no form for
    /// delays, so they are left out.
    ///
    /// Source: PGN standard, 9.6.1.
    pub fn to_pgn(&self) -> String {
        let mut text = String::new();
        for (index, period) in self.periods.iter().enumerate() {
            if index > 0 {
                text.push(':');
            }
            if let Some(moves) = period.moves {
                text += &format!("{moves}/");
            }
            text += &decimal(period.base_ms, SECOND_MS);
            if let Bonus::Increment(ms) = period.bonus {
                text += &format!("+{}", decimal(ms, SECOND_MS));
            }
        }
        text
    }
}

impl Default for TimeControl {
    /// FIDE's standard control, `40/90+30:30+30`.
    fn default() -> TimeControl {
        let bonus = Bonus::Increment(30 * SECOND_MS);
        TimeControl {
            periods: vec![
                Period { moves: Some(40), base_ms: 90 * MINUTE_MS, bonus },
                Period { moves: None, base_ms: 30 * MINUTE_MS, bonus },
            ],
        }
    }
}

impl Bonus {
    pub(super) fn before_move_ms(self) -> u64 {
        match self {
            Bonus::Increment(ms) => ms,
            Bonus::None | Bonus::Delay(_) | Bonus::Bronstein(_) => 0,
        }
    }

    pub(super) fn delay_ms(self) -> u64 {
        match self {
            Bonus::Delay(ms) => ms,
            Bonus::None | Bonus::Increment(_) | Bonus::Bronstein(_) => 0,
        }
    }

    /// The most that one move adds, of whatever kind.
    pub(in crate::game) fn most_ms(self) -> u64 {
        match self {
            Bonus::None => 0,
            Bonus::Increment(ms) | Bonus::Delay(ms) | Bonus::Bronstein(ms) => ms,
        }
    }

    pub(super) fn given_back_ms(self, used_ms: u64) -> u64 {
        match self {
            Bonus::Bronstein(ms) => ms.min(used_ms),
            Bonus::None | Bonus::Increment(_) | Bonus::Delay(_) => 0,
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, period) in self.periods.iter().enumerate() {
            if index > 0 {
                f.write_str(":")?;
            }
            if let Some(moves) = period.moves {
                write!(f, "{moves}/")?;
            }
            f.write_str(&decimal(period.base_ms, MINUTE_MS))?;
            match period.bonus {
                Bonus::None => {}
                Bonus::Increment(ms) => write!(f, "+{}", decimal(ms, SECOND_MS))?,
                Bonus::Delay(ms) => write!(f, "+{}d", decimal(ms, SECOND_MS))?,
                Bonus::Bronstein(ms) => write!(f, "+{}b", decimal(ms, SECOND_MS))?,
            }
        }
        Ok(())
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let count = text.split(':').count();
        if count > MAX_PERIODS {
            return Err(error(text, 0, format!("{count} periods, at most {MAX_PERIODS}")));
        }
        let mut periods = Vec::with_capacity(count);
        let mut offset = 0;
        for (index, part) in text.split(':').enumerate() {
            periods.push(period(text, part, offset, index + 1 == count)?);
            offset += part.len() + 1;
        }
        if periods.iter().all(|period| period.base_ms == 0 && period.bonus == Bonus::None) {
            return Err(error(text, 0, "no time at all".to_owned()));
        }
        Ok(TimeControl { periods })
    }
}

fn period(text: &str, part: &str, offset: usize, last: bool) -> Result<Period, TimeControlError> {
    let (moves, rest, rest_offset) = match part.split_once('/') {
        Some((moves, rest)) => (Some(moves), rest, offset + moves.len() + 1),
        None => (None, part, offset),
    };
    let moves = move_count(text, part, offset, moves, last)?;
    let (minutes, bonus) = match rest.split_once('+') {
        Some((minutes, bonus)) => (minutes, Some((bonus, rest_offset + minutes.len() + 1))),
        None => (rest, None),
    };
    let base_ms = units(minutes, MINUTE_MS, MAX_MINUTES).ok_or_else(|| {
        error(
            text,
            rest_offset,
            format!("'{minutes}' is not a number of minutes from 0 to {MAX_MINUTES}"),
        )
    })?;
    let bonus = bonus.map_or(Ok(Bonus::None), |(bonus, at)| added(text, bonus, at))?;
    Ok(Period { moves, base_ms, bonus })
}

/// For how many moves a period is; `None`: for all that remain.
fn move_count(
    text: &str,
    part: &str,
    offset: usize,
    moves: Option<&str>,
    last: bool,
) -> Result<Option<u32>, TimeControlError> {
    Ok(match (moves, last) {
        (Some(_), true) => {
            return Err(error(
                text,
                offset,
                "the last period is for all remaining moves: write it without 'moves/', as in '40/90:30'"
                    .to_owned(),
            ));
        }
        (None, false) => {
            return Err(error(
                text,
                offset,
                format!(
                    "'{part}' needs a move count, as in '40/{part}': only the last period has none"
                ),
            ));
        }
        (None, true) => None,
        (Some(moves), false) => Some(
            whole(moves)
                .filter(|moves| (1..=u64::from(MAX_MOVES)).contains(moves))
                .and_then(|moves| u32::try_from(moves).ok())
                .ok_or_else(|| {
                    error(
                        text,
                        offset,
                        format!("'{moves}' is not a number of moves from 1 to {MAX_MOVES}"),
                    )
                })?,
        ),
    })
}

/// What is added for each move.
fn added(text: &str, bonus: &str, at: usize) -> Result<Bonus, TimeControlError> {
    let (digits, kind): (&str, fn(u64) -> Bonus) = if let Some(digits) = bonus.strip_suffix('d') {
        (digits, Bonus::Delay)
    } else if let Some(digits) = bonus.strip_suffix('b') {
        (digits, Bonus::Bronstein)
    } else {
        (bonus, Bonus::Increment)
    };
    match units(digits, SECOND_MS, MAX_SECONDS) {
        Some(0) => Ok(Bonus::None),
        Some(ms) => Ok(kind(ms)),
        None => Err(error(
            text,
            at,
            format!(
                "'{bonus}' is not a number of seconds from 0 to {MAX_SECONDS}, alone or with 'd' (delay) or 'b' (Bronstein)"
            ),
        )),
    }
}

fn error(text: &str, offset: usize, problem: String) -> TimeControlError {
    // On one line whatever was typed.
    let printable = |text: &str| text.replace(char::is_control, "?");
    TimeControlError {
        column: text.get(..offset).map_or(0, |head| head.chars().count()) + 1,
        text: printable(text),
        problem: printable(&problem),
    }
}

fn whole(digits: &str) -> Option<u64> {
    // `u64::from_str` would take a leading '+'.
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse().ok()
}

/// `digits` with up to three decimals, times `unit_ms`; nothing above `max` units.
fn units(digits: &str, unit_ms: u64, max: u64) -> Option<u64> {
    let (integer, decimals) = match digits.split_once('.') {
        Some((_, decimals)) if decimals.is_empty() || decimals.len() > 3 => return None,
        Some(split) => split,
        None => (digits, ""),
    };
    let thousandths = if decimals.is_empty() {
        0
    } else {
        whole(decimals)? * 10u64.pow(3 - u32::try_from(decimals.len()).ok()?)
    };
    let ms = whole(integer).filter(|units| *units <= max)?.checked_mul(unit_ms)?
        + thousandths * unit_ms / 1_000;
    (ms <= max * unit_ms).then_some(ms)
}

/// The inverse of [`units`].
fn decimal(ms: u64, unit_ms: u64) -> String {
    let thousandths = ms % unit_ms * 1_000 / unit_ms;
    let text = format!("{}.{thousandths:03}", ms / unit_ms);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parse(text: &str) -> TimeControl {
        text.parse().expect("a time control")
    }

    fn refusal(text: &str) -> String {
        text.parse::<TimeControl>().expect_err("not a time control").to_string()
    }

    #[test]
    fn the_default_is_fides_control() {
        assert_eq!(TimeControl::default(), parse("40/90+30:30+30"));
    }

    #[test]
    fn the_forms_of_the_contract_are_read() {
        assert_eq!(
            parse("40/120:20/60:15+30").periods(),
            [
                Period { moves: Some(40), base_ms: 7_200_000, bonus: Bonus::None },
                Period { moves: Some(20), base_ms: 3_600_000, bonus: Bonus::None },
                Period { moves: None, base_ms: 900_000, bonus: Bonus::Increment(30_000) },
            ]
        );
        assert_eq!(parse("3+2").initial_ms(), 182_000);
        assert_eq!(parse("90").initial_ms(), 5_400_000);
        assert_eq!(parse("25+5d").periods()[0].bonus, Bonus::Delay(5_000));
        assert_eq!(parse("25+5b").periods()[0].bonus, Bonus::Bronstein(5_000));
        assert_eq!(parse("0.5+1").initial_ms(), 31_000);
        assert_eq!(parse("0.125+0.25").initial_ms(), 7_750);
        assert_eq!(parse("3+0").periods()[0].bonus, Bonus::None);
    }

    #[test]
    fn moves_belong_to_periods() {
        let control = parse("40/120:20/60:15+30");
        assert_eq!([1, 40, 41, 60, 61, 500].map(|n| control.period_of_move(n)), [0, 0, 1, 1, 2, 2]);
        assert_eq!(
            [1, 40, 41, 61].map(|n| control.last_move_of_period(n)),
            [Some(40), Some(40), Some(60), None]
        );
    }

    #[test]
    fn pgn_counts_in_seconds() {
        assert_eq!(parse("40/90+30:30+30").to_pgn(), "40/5400+30:1800+30");
        assert_eq!(parse("0.5+1").to_pgn(), "30+1");
        assert_eq!(parse("25+5d").to_pgn(), "1500");
    }

    #[test]
    fn errors_say_what_and_where() {
        assert_eq!(
            refusal("40/90+30:x+30"),
            "time control '40/90+30:x+30', character 10: 'x' is not a number of minutes from 0 to 1440"
        );
        assert_eq!(
            refusal("3+2s"),
            "time control '3+2s', character 3: '2s' is not a number of seconds from 0 to 3600, alone or with 'd' (delay) or 'b' (Bronstein)"
        );
        assert_eq!(
            refusal("90:30"),
            "time control '90:30', character 1: '90' needs a move count, as in '40/90': only the last period has none"
        );
        assert_eq!(
            refusal("40/90"),
            "time control '40/90', character 1: the last period is for all remaining moves: write it without 'moves/', as in '40/90:30'"
        );
        assert_eq!(
            refusal("0/90:30"),
            "time control '0/90:30', character 1: '0' is not a number of moves from 1 to 999"
        );
        assert_eq!(
            refusal(""),
            "time control '', character 1: '' is not a number of minutes from 0 to 1440"
        );
        assert_eq!(refusal("0"), "time control '0', character 1: no time at all");
        for text in [
            "1441",
            "-3",
            "+3",
            "3++2",
            "3+",
            "1.",
            ".5",
            "1.0001",
            "99999999999999999999",
            "3+3600.5",
        ] {
            refusal(text);
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(256))]

        #[test]
        fn what_is_written_reads_back(
            periods in prop::collection::vec((1u32..=999, 0u64..=1_440_000, 0u64..=3_600_000, 0u8..4), 1..=9)
        ) {
            let count = periods.len();
            let control = TimeControl {
                periods: periods.iter().enumerate().map(|(index, &(moves, minutes, ms, kind))| Period {
                    moves: (index + 1 < count).then_some(moves),
                    base_ms: (minutes * 60).max(60),
                    bonus: match (kind, ms) {
                        (0, _) | (_, 0) => Bonus::None,
                        (1, ms) => Bonus::Increment(ms),
                        (2, ms) => Bonus::Delay(ms),
                        (_, ms) => Bonus::Bronstein(ms),
                    },
                }).collect(),
            };
            prop_assert_eq!(parse(&control.to_string()), control);
        }

        #[test]
        fn any_text_is_read_or_refused_in_one_line(text in "[0-9/+:.db é\n-]{0,24}") {
            match text.parse::<TimeControl>() {
                Ok(control) => prop_assert_eq!(parse(&control.to_string()), control),
                Err(error) => prop_assert!(!error.to_string().contains('\n')),
            }
        }
    }
}
