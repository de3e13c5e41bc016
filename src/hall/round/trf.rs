//! The Tournament Report File (TRF16): pairings of a round out of it, results into it.
//!
//! A player's line begins with `001`; a round has ten columns from column 92 on: the opponent's starting rank
//! (4), the colour after a blank, the result after another.
//!
//! Source: FIDE Handbook C.04, Annex 2.

use std::collections::BTreeMap;

use super::{LARGEST_FILE, LONGEST_NAME, MOST_PAIRS, Pair, PairingsError};
use annabella_core::game::Outcome;

/// Where the first round begins, counted from 0.
const ROUNDS: usize = 91;
/// Columns of a round.
const ROUND: usize = 10;
/// No event has more.
const MOST_ROUNDS: usize = 100;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentReport {
    lines: Vec<String>,
    players: BTreeMap<u32, Player>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Player {
    /// Its line, counted from 0.
    line: usize,
    name: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    opponent: u32,
    colour: char,
    result: char,
}

impl TournamentReport {
    /// Reads a file.
    ///
    /// # Errors
    /// [`PairingsError`] with the first line that is wrong.
    pub fn read(text: &str) -> Result<TournamentReport, PairingsError> {
        if text.len() > LARGEST_FILE {
            return Err(PairingsError::at(
                1,
                format!("the file is larger than {LARGEST_FILE} bytes"),
            ));
        }
        let lines: Vec<String> =
            text.trim_start_matches('\u{feff}').lines().map(str::to_owned).collect();
        let mut players = BTreeMap::new();
        for (n, line) in lines.iter().enumerate() {
            let wrong = |problem: String| PairingsError::at(n + 1, problem);
            if !line.starts_with("001") {
                continue;
            }
            if line.contains(char::is_control) {
                return Err(wrong("it has a character that nobody can read".to_owned()));
            }
            if players.len() == 2 * MOST_PAIRS {
                return Err(wrong(format!("there are more than {} players", 2 * MOST_PAIRS)));
            }
            let written = columns(line, 4, 4);
            let rank: u32 =
                written.trim().parse().ok().filter(|rank| *rank > 0).ok_or_else(|| {
                    wrong(format!("'{written}' in columns 5 to 8 is no starting rank"))
                })?;
            let name: String = columns(line, 14, 33).trim().chars().take(LONGEST_NAME).collect();
            if name.is_empty() {
                return Err(wrong("there is no name in columns 15 to 47".to_owned()));
            }
            if let Some(before) = players.insert(rank, Player { line: n, name }) {
                return Err(wrong(format!("rank {rank} stands in line {} too", before.line + 1)));
            }
        }
        if players.is_empty() {
            return Err(PairingsError::at(
                1,
                "there is no line that begins with 001: it is no TRF16",
            ));
        }
        Ok(TournamentReport { lines, players })
    }

    /// The pairs of a round, from 1, numbered by the better starting rank of the two: the file itself has no
    /// numbers of boards.
    ///
    /// # Errors
    /// [`PairingsError`] where two lines do not agree about a pair, or the round has none.
    pub fn pairs(&self, round: usize) -> Result<Vec<Pair>, PairingsError> {
        let named =
            |rank: u32| self.players.get(&rank).map_or("", |player| &player.name).to_owned();
        let pairs = self.ranks(round)?.into_iter().enumerate().map(|(n, (white, black))| Pair {
            // There are no more than `MOST_PAIRS`.
            board: u32::try_from(n + 1).unwrap_or(u32::MAX),
            white: named(white),
            black: named(black),
            ..Pair::default()
        });
        Ok(pairs.collect())
    }

    /// White's rank and Black's of every pair, in the order of boards.
    fn ranks(&self, round: usize) -> Result<Vec<(u32, u32)>, PairingsError> {
        if !(1..=MOST_ROUNDS).contains(&round) {
            return Err(PairingsError::at(
                1,
                format!("a round is a number from 1 to {MOST_ROUNDS}"),
            ));
        }
        let mut pairs = Vec::new();
        for (rank, player) in &self.players {
            let wrong = |problem: String| PairingsError::at(player.line + 1, problem);
            let Some(own) = self.round(player, round).map_err(wrong)? else { continue };
            let other = self.players.get(&own.opponent).ok_or_else(|| {
                wrong(format!("round {round}: there is no player {}", own.opponent))
            })?;
            let back = self
                .round(other, round)
                .map_err(|problem| PairingsError::at(other.line + 1, problem))?;
            let fits = back.is_some_and(|back| {
                back.opponent == *rank
                    && matches!((own.colour, back.colour), ('w', 'b') | ('b', 'w'))
            });
            if !fits {
                return Err(wrong(format!(
                    "round {round}: line {} of player {} does not say the same of the pair",
                    other.line + 1,
                    own.opponent
                )));
            }
            if *rank < own.opponent {
                let pair = (*rank, own.opponent);
                pairs.push(if own.colour == 'w' { pair } else { (pair.1, pair.0) });
            }
        }
        if pairs.is_empty() {
            return Err(PairingsError::at(1, format!("round {round} has no pairs")));
        }
        Ok(pairs)
    }

    /// `None`: he has no opponent in it.
    fn round(&self, player: &Player, round: usize) -> Result<Option<Round>, String> {
        let line = &self.lines[player.line];
        let start = ROUNDS + (round - 1) * ROUND;
        let opponent = columns(line, start, 4);
        let letter = |column| columns(line, start + column, 1).chars().next().unwrap_or(' ');
        let opponent = match opponent.trim() {
            "" | "0000" | "0" => return Ok(None),
            number => number
                .parse()
                .map_err(|_| format!("round {round}: '{number}' is no opponent's rank"))?,
        };
        let colour = letter(5);
        if !matches!(colour, 'w' | 'b') {
            return Err(format!("round {round}: '{colour}' is no colour: w or b"));
        }
        Ok(Some(Round { opponent, colour, result: letter(7) }))
    }

    /// The file with the results of these boards of a round, and the points with them.
    ///
    /// # Errors
    /// [`PairingsError`] where the file has another result already, or no such board.
    pub fn with_results(
        &self,
        round: usize,
        results: &[(u32, Outcome)],
    ) -> Result<String, PairingsError> {
        let ranks = self.ranks(round)?;
        let mut lines = self.lines.clone();
        for (board, outcome) in results {
            let place = usize::try_from(*board).ok().and_then(|board| board.checked_sub(1));
            let pair = place.and_then(|place| ranks.get(place));
            let (white, black) = pair.ok_or_else(|| {
                PairingsError::at(1, format!("round {round} has no board {board}"))
            })?;
            let letters = match outcome {
                Outcome::WhiteWins => ('1', '0'),
                Outcome::BlackWins => ('0', '1'),
                Outcome::Draw => ('=', '='),
                Outcome::BothLose => ('0', '0'),
                Outcome::HalfToWhite => ('=', '0'),
                Outcome::HalfToBlack => ('0', '='),
                Outcome::Annulled => {
                    let problem =
                        format!("board {board}: an annulled game has no result in a TRF16");
                    return Err(PairingsError::at(1, problem));
                }
            };
            for (rank, letter) in [(white, letters.0), (black, letters.1)] {
                // Both are among the players: `ranks` looked.
                let Some(player) = self.players.get(rank) else { continue };
                let wrong = |problem: String| PairingsError::at(player.line + 1, problem);
                let before =
                    self.round(player, round).map_err(wrong)?.map_or(' ', |own| own.result);
                if before == letter {
                    continue;
                }
                if before != ' ' {
                    return Err(wrong(format!(
                        "round {round} has the result '{before}', not '{letter}'"
                    )));
                }
                let line = &mut lines[player.line];
                put(line, ROUNDS + (round - 1) * ROUND + 7, &letter.to_string());
                let points = columns(line, 80, 4);
                let halves = match points.trim() {
                    "" => 0.0,
                    points => points
                        .parse::<f64>()
                        .ok()
                        .filter(|points| (0.0..=99.0).contains(points))
                        .ok_or_else(|| {
                            wrong(format!("'{points}' in columns 81 to 84 are no points"))
                        })?,
                };
                let more = match letter {
                    '1' => 1.0,
                    '=' => 0.5,
                    _ => 0.0,
                };
                put(line, 80, &format!("{:4.1}", halves + more));
            }
        }
        Ok(lines.iter().map(|line| format!("{line}\n")).collect())
    }
}

/// So many characters of a line from one on, counted from 0; fewer where it ends.
fn columns(line: &str, from: usize, count: usize) -> String {
    line.chars().skip(from).take(count).collect()
}

/// Writes over a line from a column on.
fn put(line: &mut String, from: usize, text: &str) {
    let mut characters: Vec<char> = line.chars().collect();
    let end = from + text.chars().count();
    characters.resize(characters.len().max(end), ' ');
    for (place, c) in characters[from..end].iter_mut().zip(text.chars()) {
        *place = c;
    }
    *line = characters.into_iter().collect();
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A player's line with the rounds that follow.
    fn player(rank: u32, name: &str, points: &str, rounds: &str) -> String {
        let head = format!(
            "001 {rank:4} m    {name:<33} 2000 GER    12345678 1980/01/01 {points:>4} {rank:4}"
        );
        format!("{head}  {rounds}")
    }

    fn file() -> String {
        [
            "012 Test".to_owned(),
            player(1, "Müller, Anna", "1.0", "   4 w 1     2 b  "),
            player(2, "Berta, B", "0.5", "   3 b =     1 w  "),
            player(3, "Clara, C", "0.5", "   2 w =     4 w  "),
            player(4, "Dora, D", "0.0", "   1 b 0     3 b  "),
            player(5, "Eva, E", "1.0", "0000 - U  0000 -  "),
        ]
        .join("\n")
    }

    fn read(text: &str) -> TournamentReport {
        TournamentReport::read(text).expect("a report")
    }

    #[test]
    fn the_pairs_of_a_round_are_numbered_by_the_better_rank() {
        let pairs = read(&file()).pairs(2).expect("pairs");
        let names: Vec<(u32, &str, &str)> = pairs
            .iter()
            .map(|pair| (pair.board, pair.white.as_str(), pair.black.as_str()))
            .collect();
        assert_eq!(names, [(1, "Berta, B", "Müller, Anna"), (2, "Clara, C", "Dora, D")]);
    }

    #[test]
    fn results_stand_in_both_lines_and_in_the_points() {
        let outcome = |text: &str| text.parse::<Outcome>().expect("a result");
        let results = [(1, outcome("1/2-1/2")), (2, outcome("1-0"))];
        let with = read(&file()).with_results(2, &results).expect("written");
        let wanted = [
            "012 Test".to_owned(),
            player(1, "Müller, Anna", "1.5", "   4 w 1     2 b ="),
            player(2, "Berta, B", "1.0", "   3 b =     1 w ="),
            player(3, "Clara, C", "1.5", "   2 w =     4 w 1"),
            player(4, "Dora, D", "0.0", "   1 b 0     3 b 0"),
            player(5, "Eva, E", "1.0", "0000 - U  0000 -  "),
        ];
        let trimmed =
            |text: &str| text.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>();
        assert_eq!(trimmed(&with), trimmed(&wanted.join("\n")));
        // The same results once more change nothing, others are refused.
        assert_eq!(read(&with).with_results(2, &results).as_deref(), Ok(with.as_str()));
        let error = read(&with).with_results(2, &[(2, outcome("0-1"))]).expect_err("another one");
        assert_eq!(error.to_string(), "line 4: round 2 has the result '1', not '0'");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text: &str, round| {
            let read = TournamentReport::read(text).and_then(|report| report.pairs(round));
            read.expect_err("wrong").to_string()
        };
        assert_eq!(error("", 1), "line 1: there is no line that begins with 001: it is no TRF16");
        assert_eq!(error("001    x", 1), "line 1: '   x' in columns 5 to 8 is no starting rank");
        assert_eq!(error("001    1", 1), "line 1: there is no name in columns 15 to 47");
        let twice = [player(1, "A", "", ""), player(1, "B", "", "")].join("\n");
        assert_eq!(error(&twice, 1), "line 2: rank 1 stands in line 1 too");
        assert_eq!(error(&file(), 3), "line 1: round 3 has no pairs");
        assert_eq!(error(&file(), 0), "line 1: a round is a number from 1 to 100");
        let alone = player(1, "A", "", "   9 w  ");
        assert_eq!(error(&alone, 1), "line 1: round 1: there is no player 9");
        let crossed = [player(1, "A", "", "   2 w  "), player(2, "B", "", "   1 w  ")].join("\n");
        let differs = "line 1: round 1: line 2 of player 2 does not say the same of the pair";
        assert_eq!(error(&crossed, 1), differs);
        assert_eq!(
            error(&player(1, "A", "", "   2 x  "), 1),
            "line 1: round 1: 'x' is no colour: w or b"
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(lines in proptest::collection::vec("(001)?[ 0-9wb=äA-Z.]{0,130}", 0..6), round in 0..12usize) {
            if let Ok(report) = TournamentReport::read(&lines.join("\n")) {
                let _ = report.pairs(round);
                let _ = report.with_results(round, &[(1, Outcome::WhiteWins)]);
            }
        }
    }
}
