//! What a UCI engine writes, line by line. Unknown words and unknown lines are passed over, as the
//! protocol asks.
//!
//! Source: the UCI protocol of April 2006, by Stefan Meyer-Kahlen.

/// A line of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FromEngine {
    /// `id name`
    Name(String),
    Offers(EngineOption),
    /// It has told all that it offers.
    UciOk,
    ReadyOk,
    /// How it judges the position it looks at, for the side to move.
    Judged(Judgement),
    /// The move as it was written; `(none)` and `0000` are what some write where there is none.
    BestMove(String),
    /// Anything else.
    Other,
}

/// Something that can be set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineOption {
    pub name: String,
    pub kind: OptionKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// True or false.
    Check,
    /// A whole number between these.
    Spin {
        min: i64,
        max: i64,
    },
    Other,
}

/// An engine's judgement of a position, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Judgement {
    /// Hundredths of a pawn.
    Centipawns(i32),
    /// Moves to mate; nought and below: it is mated.
    Mate(i32),
}

/// More than any judgement in hundredths of a pawn.
const MATE: i32 = 100_000;

impl Judgement {
    /// The same for the other side.
    #[must_use]
    pub fn turned(self) -> Judgement {
        match self {
            Judgement::Centipawns(value) => Judgement::Centipawns(value.saturating_neg()),
            Judgement::Mate(moves) => Judgement::Mate(moves.saturating_neg()),
        }
    }

    /// In hundredths of a pawn; a mate is beyond all others, and the nearer the further.
    pub fn centipawns(self) -> i32 {
        match self {
            Judgement::Centipawns(value) => value.clamp(1 - MATE / 2, MATE / 2 - 1),
            Judgement::Mate(moves) if moves > 0 => MATE - moves.min(MATE / 2),
            Judgement::Mate(moves) => -MATE - moves.max(-MATE / 2),
        }
    }
}

/// Reads a line, without its end.
pub fn read(line: &str) -> FromEngine {
    let mut words = line.split_ascii_whitespace();
    // An unknown word before a command is passed over.
    let known = ["id", "option", "uciok", "readyok", "info", "bestmove"];
    let Some(first) = words.find(|word| known.contains(word)) else { return FromEngine::Other };
    let rest: Vec<&str> = words.collect();
    match (first, rest.first()) {
        ("id", Some(&"name")) => FromEngine::Name(rest[1..].join(" ")),
        ("option", _) => option(&rest).map_or(FromEngine::Other, FromEngine::Offers),
        ("uciok", _) => FromEngine::UciOk,
        ("readyok", _) => FromEngine::ReadyOk,
        ("info", _) => judged(&rest).map_or(FromEngine::Other, FromEngine::Judged),
        ("bestmove", mv) => FromEngine::BestMove(mv.map_or(String::new(), |mv| (*mv).to_owned())),
        _ => FromEngine::Other,
    }
}

/// `name Skill Level type spin default 20 min 0 max 20`
fn option(words: &[&str]) -> Option<EngineOption> {
    let kind_at = words.iter().position(|word| *word == "type")?;
    let name = words.get(..kind_at)?.strip_prefix(&["name"])?.join(" ");
    let after = |key: &str| {
        let at = words.iter().skip(kind_at).position(|word| *word == key)?;
        words.get(kind_at + at + 1)?.parse::<i64>().ok()
    };
    let kind = match *words.get(kind_at + 1)? {
        "check" => OptionKind::Check,
        "spin" => OptionKind::Spin { min: after("min")?, max: after("max")? },
        _ => OptionKind::Other,
    };
    Some(EngineOption { name, kind }).filter(|option| !option.name.is_empty())
}

/// The score of the best line; bounds and other lines are passed over.
fn judged(words: &[&str]) -> Option<Judgement> {
    // What follows "string" is text.
    let end = words.iter().position(|word| *word == "string").unwrap_or(words.len());
    let words = &words[..end];
    let after = |key: &str| words.iter().position(|word| *word == key).map(|at| at + 1);
    if after("multipv").is_some_and(|at| words.get(at) != Some(&"1")) {
        return None;
    }
    if words.contains(&"lowerbound") || words.contains(&"upperbound") {
        return None;
    }
    let at = after("score")?;
    let number = words.get(at + 1)?.parse().ok()?;
    match *words.get(at)? {
        "cp" => Some(Judgement::Centipawns(number)),
        "mate" => Some(Judgement::Mate(number)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lines_of_an_engine_are_read() {
        let offers =
            |name: &str, kind| FromEngine::Offers(EngineOption { name: name.into(), kind });
        for (line, read_as) in [
            ("id name Stockfish 15.1", FromEngine::Name("Stockfish 15.1".into())),
            ("uciok", FromEngine::UciOk),
            ("readyok", FromEngine::ReadyOk),
            ("bestmove e2e4 ponder e7e5", FromEngine::BestMove("e2e4".into())),
            ("bestmove", FromEngine::BestMove(String::new())),
            (
                "option name Skill Level type spin default 20 min 0 max 20",
                offers("Skill Level", OptionKind::Spin { min: 0, max: 20 }),
            ),
            (
                "option name UCI_LimitStrength type check default false",
                offers("UCI_LimitStrength", OptionKind::Check),
            ),
            ("option name Clear Hash type button", offers("Clear Hash", OptionKind::Other)),
            (
                "info depth 12 seldepth 9 score cp -31 nodes 5 pv e7e5",
                FromEngine::Judged(Judgement::Centipawns(-31)),
            ),
            ("info depth 3 score mate -2", FromEngine::Judged(Judgement::Mate(-2))),
            ("joho readyok", FromEngine::ReadyOk),
        ] {
            assert_eq!(read(line), read_as, "{line}");
        }
    }

    #[test]
    fn what_says_nothing_is_passed_over() {
        for line in [
            "",
            "Stockfish 15.1 by the Stockfish developers",
            "id author somebody",
            "option name type spin",
            "option name Hash type spin default 1 min x max 2",
            "info string score cp 100",
            "info depth 3 multipv 2 score cp 40",
            "info depth 3 score cp 40 lowerbound",
            "info depth 3 score cp",
            "info depth 3 score cp 99999999999999",
        ] {
            assert_eq!(read(line), FromEngine::Other, "{line}");
        }
    }

    #[test]
    fn a_mate_is_beyond_every_advantage_and_the_nearer_the_further() {
        let in_order = [
            Judgement::Mate(0),
            Judgement::Mate(-1),
            Judgement::Mate(-9),
            Judgement::Centipawns(i32::MIN),
            Judgement::Centipawns(-900),
            Judgement::Centipawns(0),
            Judgement::Centipawns(i32::MAX),
            Judgement::Mate(i32::MAX),
            Judgement::Mate(9),
            Judgement::Mate(1),
        ];
        let values = in_order.map(Judgement::centipawns);
        assert!(values.is_sorted_by(|a, b| a < b), "{values:?}");
        assert!(Judgement::Mate(i32::MIN).centipawns() < 0);
    }
}
