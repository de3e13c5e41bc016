//! The pairings of a round as pairing programs write them, and its results back.
//!
//! Source: FIDE Handbook C.04, Annex 2, Tournament Report File (TRF16); columns count from 1.

pub mod csv;
pub mod trf;

use annabella_core::game::Outcome;
use serde::{Deserialize, Serialize};

/// No file of pairings is larger, bytes.
pub const LARGEST_FILE: usize = 4 * 1_024 * 1_024;
/// No round has more boards.
pub const MOST_PAIRS: usize = 10_000;
/// No name is longer, characters.
pub const LONGEST_NAME: usize = 100;

/// One board of a round.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pair {
    /// The board's number, from 1.
    pub board: u32,
    pub white: String,
    pub black: String,
    /// Time control, as in the configuration; `None`: as it is set at the board.
    pub time_control: Option<String>,
    /// The language of White's prompts, if he plays on pegs: a pack's name.
    pub white_prompts: Option<String>,
    pub black_prompts: Option<String>,
}

/// A file of pairings that cannot be used; one line with the place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct PairingsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there, and what is allowed.
    pub problem: String,
}

impl PairingsError {
    fn at(line: usize, problem: impl Into<String>) -> PairingsError {
        PairingsError { line, problem: problem.into() }
    }
}

/// A file of pairings, whichever of the two it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundFile {
    pairs: Vec<Pair>,
    report: Option<(trf::TournamentReport, usize)>,
}

impl RoundFile {
    /// Reads a report or a table. `round` is the round of a report, from 1.
    ///
    /// # Errors
    /// [`PairingsError`] with the first line that is wrong.
    pub fn read(text: &str, round: Option<usize>) -> Result<RoundFile, PairingsError> {
        let begins = |line: &str| line.trim_start_matches('\u{feff}').starts_with("001 ");
        if !text.lines().any(begins) {
            return Ok(RoundFile { pairs: csv::read(text)?, report: None });
        }
        let round =
            round.ok_or_else(|| PairingsError::at(1, "a report has many rounds: say which"))?;
        let report = trf::TournamentReport::read(text)?;
        Ok(RoundFile { pairs: report.pairs(round)?, report: Some((report, round)) })
    }

    /// The pairs, in the order of the file.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The pair of a board.
    pub fn pair(&self, board: u32) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.board == board)
    }

    /// The results of these boards: the report with them, or a table.
    ///
    /// # Errors
    /// [`PairingsError`] where the report has another result already, or no such board.
    pub fn with_results(&self, results: &[(u32, Outcome)]) -> Result<String, PairingsError> {
        if let Some((report, round)) = &self.report {
            return report.with_results(*round, results);
        }
        let mut text = csv::line(&["board", "white", "black", "result"]);
        for (board, outcome) in results {
            let pair = self.pair(*board).ok_or_else(|| {
                PairingsError::at(1, format!("there is no board {board} among the pairings"))
            })?;
            text += &csv::line(&[&board.to_string(), &pair.white, &pair.black, outcome.as_str()]);
        }
        Ok(text)
    }
}

impl Pair {
    /// Whether these are the players' names. Names that nobody has entered at the board are nobody else's.
    pub fn fits(&self, white: &str, black: &str) -> bool {
        let same = |paired: &str, there: &str| {
            let there = there.trim();
            there.is_empty() || there.to_lowercase() == paired.trim().to_lowercase()
        };
        same(&self.white, white) && same(&self.black, black)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_gives_its_results_as_a_table() {
        let file = RoundFile::read("board,white,black\n7,\"Müller, Anna\",Berta\n8,C,D\n", None);
        let file = file.expect("pairings");
        let results = file.with_results(&[(7, Outcome::Draw)]).expect("a table");
        assert_eq!(results, "board,white,black,result\n7,\"Müller, Anna\",Berta,1/2-1/2\n");
        let again = RoundFile::read(&results, None).expect("pairings as well");
        assert_eq!(again.pairs(), &file.pairs()[..1]);
        let error = file.with_results(&[(9, Outcome::Draw)]).expect_err("no board").to_string();
        assert_eq!(error, "line 1: there is no board 9 among the pairings");
    }

    #[test]
    fn a_report_wants_to_know_its_round() {
        let line = format!("001    1      {:<33}", "Anna");
        let error = RoundFile::read(&line, None).expect_err("no round").to_string();
        assert_eq!(error, "line 1: a report has many rounds: say which");
    }

    #[test]
    fn only_other_names_do_not_fit() {
        let pair =
            Pair { white: "Müller, Anna".to_owned(), black: "B".to_owned(), ..Pair::default() };
        assert!(pair.fits("", "") && pair.fits("müller, anna ", "b"));
        assert!(!pair.fits("B", "Müller, Anna"));
    }
}
