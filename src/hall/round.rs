//! The pairings of a round as pairing programs write them, and its results back.
//!
//! A line that cannot be used is named and takes no other with it: the round goes on without it.
//!
//! Source: FIDE Handbook C.04, Annex 2, Tournament Report File (TRF16), whose lines of players are
//! those of TRF26; columns count from 1.

pub mod csv;
#[cfg(test)]
mod habits;
mod heads;
mod order;
pub mod trf;

use std::collections::BTreeMap;

use annabella_core::{
    game::Outcome,
    outside::{self, Manner},
};
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
    /// What a broadcast tells of White.
    #[serde(default)]
    pub white_is: Person,
    /// What it tells of Black.
    #[serde(default)]
    pub black_is: Person,
}

/// What a broadcast tells of a player beside his name; empty where it is not known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Person {
    /// FIDE's title, as in a PGN file: `WGM`.
    pub title: String,
    /// His rating, digits.
    pub rating: String,
    /// His FIDE identity number, digits.
    pub fide_id: String,
    pub team: String,
}

/// A line of a file of pairings that cannot be used; one line with the place.
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

/// Players who sit at one board whatever the pairing: board by starting rank.
pub type FixedBoards = BTreeMap<u32, u32>;

/// A file of pairings, whichever of the two it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RoundFile {
    pairs: Vec<Pair>,
    unusable: Vec<PairingsError>,
    manner: Manner,
    report: Option<(trf::TournamentReport, usize)>,
    fixed: FixedBoards,
}

impl RoundFile {
    /// Reads a report or a table, in any encoding that pairing programs write. `round` is the round
    /// of a report, from 1.
    ///
    /// # Errors
    /// [`PairingsError`] where there is no pair that could be played.
    pub fn read_bytes(
        bytes: &[u8],
        round: Option<usize>,
        fixed: &FixedBoards,
    ) -> Result<RoundFile, PairingsError> {
        let file = RoundFile::read_text(&outside::text(bytes), round, fixed)?;
        Ok(RoundFile { manner: Manner::of(bytes), ..file })
    }

    /// The same for a text.
    ///
    /// # Errors
    /// As [`RoundFile::read_bytes`].
    pub fn read(text: &str, round: Option<usize>) -> Result<RoundFile, PairingsError> {
        RoundFile::read_text(text, round, &FixedBoards::new())
    }

    fn read_text(
        text: &str,
        round: Option<usize>,
        fixed: &FixedBoards,
    ) -> Result<RoundFile, PairingsError> {
        let begins = |line: &str| line.trim_start_matches('\u{feff}').starts_with("001 ");
        let manner = Manner::default();
        if !outside::lines(text).any(begins) {
            let (pairs, unusable) = csv::read(text)?;
            let fixed = FixedBoards::new();
            return Ok(RoundFile { pairs, unusable, manner, report: None, fixed });
        }
        let round =
            round.ok_or_else(|| PairingsError::at(1, "a report has many rounds: say which"))?;
        let report = trf::TournamentReport::read(text)?;
        let (pairs, unusable) = report.pairs(round, fixed)?;
        let (report, fixed) = (Some((report, round)), fixed.clone());
        Ok(RoundFile { pairs, unusable, manner, report, fixed })
    }

    /// The pairs, in the order of boards.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The lines that could not be used, and games that are not played.
    pub fn unusable(&self) -> &[PairingsError] {
        &self.unusable
    }

    pub fn pair(&self, board: u32) -> Option<&Pair> {
        self.pairs.iter().find(|pair| pair.board == board)
    }

    /// The tags of a broadcast for the game of a board: event, place, round, and what is known of
    /// the players.
    pub fn tags(&self, board: u32) -> Vec<(String, String)> {
        let mut tags = Vec::new();
        let mut tag = |name: &str, value: &str| {
            if !value.is_empty() {
                tags.push((name.to_owned(), value.to_owned()));
            }
        };
        if let Some((report, round)) = &self.report {
            tag("Event", report.event());
            tag("Site", report.place());
            tag("Round", &round.to_string());
        }
        if let Some(pair) = self.pair(board) {
            tag("White", &pair.white);
            tag("Black", &pair.black);
            for (side, person) in [("White", &pair.white_is), ("Black", &pair.black_is)] {
                tag(&format!("{side}Title"), &person.title);
                tag(&format!("{side}Elo"), &person.rating);
                tag(&format!("{side}FideId"), &person.fide_id);
                tag(&format!("{side}Team"), &person.team);
            }
        }
        tags
    }

    /// The results of these boards: the report with them, or a table.
    ///
    /// # Errors
    /// [`PairingsError`] where the report has another result already, or no such board.
    pub fn with_results(&self, results: &[(u32, Outcome)]) -> Result<String, PairingsError> {
        if let Some((report, round)) = &self.report {
            return report.with_results(*round, results, &self.fixed);
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

    /// The same as bytes, in the encoding and with the line ends of the file.
    ///
    /// # Errors
    ///
    /// As [`RoundFile::with_results`].
    pub fn bytes_with_results(&self, results: &[(u32, Outcome)]) -> Result<Vec<u8>, PairingsError> {
        Ok(self.manner.bytes(&self.with_results(results)?))
    }
}

impl Pair {
    /// Whether these are the players' names. Names that nobody has entered at the board are nobody
    /// else's.
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
