//! The Tournament Report File (TRF16, and TRF26, whose players stand in the same columns): pairings
//! of a round out of it, results into it.
//!
//! A player's line begins with `001`; a round has ten columns from column 92 on: the opponent's
//! starting rank (4), the colour after a blank, the result after another.
//!
//! Source: FIDE Handbook C.04, Annex 2; the codes for points of other systems (`BBW` …) as
//! bbpPairings writes them.

use std::collections::BTreeMap;

use super::{
    FixedBoards, LARGEST_FILE, LONGEST_NAME, MOST_PAIRS, Pair, PairingsError, Person,
    order::{self, Sortable},
};
use annabella_core::{game::Outcome, outside};

/// Where the first round begins, counted from 0.
const ROUNDS: usize = 91;
/// Columns of a round.
const ROUND: usize = 10;
/// No event has more.
const MOST_ROUNDS: usize = 100;
/// Opponents of a round that are nobody.
const NOBODY: [&str; 4] = ["", "0000", "0", "000"];

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TournamentReport {
    lines: Vec<String>,
    players: BTreeMap<u32, Player>,
    /// Teams in the order of the file: name, and the ranks of the players by board.
    teams: Vec<(String, Vec<u32>)>,
    event: String,
    place: String,
    /// Points for a win, a draw, and the bye that the pairing gives, hundredths.
    worth: [u32; 3],
    unusable: Vec<PairingsError>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Player {
    /// Its line, counted from 0.
    line: usize,
    name: String,
    person: Person,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Round {
    opponent: u32,
    colour: char,
    result: char,
}

impl TournamentReport {
    /// Reads a file. A player's line that cannot be used is left out, and named with the pairs.
    ///
    /// # Errors
    /// [`PairingsError`] where the file is too large, or has no player.
    pub fn read(text: &str) -> Result<TournamentReport, PairingsError> {
        if text.len() > LARGEST_FILE {
            let problem = format!("the file is larger than {LARGEST_FILE} bytes");
            return Err(PairingsError::at(1, problem));
        }
        let text = text.trim_start_matches('\u{feff}').trim_end_matches('\u{1a}');
        let mut report = TournamentReport {
            lines: outside::lines(text).map(str::to_owned).collect(),
            players: BTreeMap::new(),
            teams: Vec::new(),
            event: String::new(),
            place: String::new(),
            worth: [100, 50, 100],
            unusable: Vec::new(),
        };
        for n in 0..report.lines.len() {
            let line = report.lines[n].clone();
            report.line(n, &line);
        }
        for (team, ranks) in &report.teams {
            for rank in ranks {
                if let Some(player) = report.players.get_mut(rank) {
                    player.person.team.clone_from(team);
                }
            }
        }
        match report.players.is_empty() {
            true => Err(report.unusable.into_iter().next().unwrap_or_else(|| {
                PairingsError::at(1, "there is no line that begins with 001: it is no TRF16")
            })),
            false => Ok(report),
        }
    }

    fn line(&mut self, n: usize, line: &str) {
        let text = |line: &str| -> String {
            let text: String = columns(line, 4, LONGEST_NAME);
            text.chars().filter(|c| !c.is_control()).collect::<String>().trim().to_owned()
        };
        let (code, rest) =
            line.split_at(line.char_indices().nth(3).map_or(line.len(), |(at, _)| at));
        let points = || {
            let points =
                rest.trim().parse::<f64>().ok().filter(|points| (0.0..=99.0).contains(points));
            // Bounded above, and rounded.
            points.map(|points| (points * 100.0).round() as u32)
        };
        match code {
            "001" => {
                if let Err(problem) = self.player(n, line) {
                    self.unusable.push(PairingsError::at(n + 1, problem));
                }
            }
            "012" => self.event = text(line),
            "022" => self.place = text(line),
            // A team's name, and from column 37 on its players, four columns each and one between.
            "013" => {
                let members = columns(line, 36, 5 * 2 * MOST_ROUNDS);
                let ranks = members.split_whitespace().filter_map(|rank| rank.parse().ok());
                self.teams.push((columns(line, 4, 32).trim().to_owned(), ranks.collect()));
            }
            "BBW" => self.worth[0] = points().unwrap_or(self.worth[0]),
            "BBD" => self.worth[1] = points().unwrap_or(self.worth[1]),
            "BBU" => self.worth[2] = points().unwrap_or(self.worth[2]),
            _ => {}
        }
    }

    fn player(&mut self, n: usize, line: &str) -> Result<(), String> {
        if line.contains(|c: char| c.is_control() && c != '\t') {
            return Err("it has a character that nobody can read".to_owned());
        }
        if self.players.len() == 2 * MOST_PAIRS {
            return Err(format!("there are more than {} players", 2 * MOST_PAIRS));
        }
        let written = columns(line, 4, 4);
        let rank: u32 = (written.trim().parse().ok())
            .filter(|rank| *rank > 0)
            .ok_or_else(|| format!("'{written}' in columns 5 to 8 is no starting rank"))?;
        let name: String = columns(line, 14, 33).trim().chars().take(LONGEST_NAME).collect();
        if name.is_empty() {
            return Err("there is no name in columns 15 to 47".to_owned());
        }
        if let Some(before) = self.players.get(&rank) {
            return Err(format!("rank {rank} stands in line {} too", before.line + 1));
        }
        let number = |from, count| {
            let text = columns(line, from, count).trim().to_owned();
            let digits =
                text.chars().all(|c| c.is_ascii_digit()) && !text.trim_matches('0').is_empty();
            if digits { text } else { String::new() }
        };
        let person = Person {
            title: title(columns(line, 10, 3).trim()),
            rating: number(48, 4),
            fide_id: number(57, 11),
            team: String::new(),
        };
        self.players.insert(rank, Player { line: n, name, person });
        Ok(())
    }

    /// The event's name.
    pub fn event(&self) -> &str {
        &self.event
    }

    /// The city.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// The pairs of a round, from 1, in the order in which they are posted, and what cannot be
    /// played.
    ///
    /// # Errors
    /// [`PairingsError`] where the round has no pair.
    pub fn pairs(
        &self,
        round: usize,
        fixed: &FixedBoards,
    ) -> Result<(Vec<Pair>, Vec<PairingsError>), PairingsError> {
        let mut unusable = self.unusable.clone();
        let pairs = self.ranks(round, &mut unusable)?;
        let boards = order::boards(&pairs, fixed, &mut unusable);
        let of = |rank: u32| {
            let player = self.players.get(&rank);
            player.map(|player| (player.name.clone(), player.person.clone())).unwrap_or_default()
        };
        let mut pairs: Vec<Pair> = pairs
            .iter()
            .zip(boards)
            .map(|(pair, board)| {
                let ((white, white_is), (black, black_is)) = (of(pair.white), of(pair.black));
                Pair { board, white, black, white_is, black_is, ..Pair::default() }
            })
            .collect();
        pairs.sort_by_key(|pair| pair.board);
        Ok((pairs, unusable))
    }

    /// The pairs as they are posted.
    fn ranks(
        &self,
        round: usize,
        unusable: &mut Vec<PairingsError>,
    ) -> Result<Vec<Sortable>, PairingsError> {
        if !(1..=MOST_ROUNDS).contains(&round) {
            let problem = format!("a round is a number from 1 to {MOST_ROUNDS}");
            return Err(PairingsError::at(1, problem));
        }
        let mut pairs = Vec::new();
        for (rank, player) in &self.players {
            match self.pair(*rank, player, round) {
                Ok(Some(pair)) => pairs.push(pair),
                Ok(None) => {}
                Err(problem) => unusable.push(PairingsError::at(player.line + 1, problem)),
            }
        }
        if pairs.is_empty() {
            let nobody = || PairingsError::at(1, format!("round {round} has no pairs"));
            let of_round = |err: &&PairingsError| err.problem.starts_with("round ");
            return Err(unusable.iter().find(of_round).cloned().unwrap_or_else(nobody));
        }
        order::as_posted(&mut pairs);
        Ok(pairs)
    }

    /// The pair of a player, where he is the one of better rank in it. The error says why no game
    /// is played.
    fn pair(&self, rank: u32, player: &Player, round: usize) -> Result<Option<Sortable>, String> {
        let Some(own) = self.round(player, round)? else { return Ok(None) };
        let about = |what: String| format!("round {round}: {what}");
        let other = self.players.get(&own.opponent);
        let other = other.ok_or_else(|| about(format!("there is no player {}", own.opponent)))?;
        let (name, against) = (&player.name, &other.name);
        let forfeit = matches!(own.result, '+' | '-') || own.colour == '-';
        let back = self.round(other, round).unwrap_or(None);
        let mutual = back.is_some_and(|back| back.opponent == rank);
        if forfeit && (rank < own.opponent || !mutual) {
            return Err(about(format!("{name} – {against} is decided by forfeit, and not played")));
        }
        let colours = back.map_or((own.colour, ' '), |back| (own.colour, back.colour));
        if forfeit {
            return Ok(None);
        }
        if !mutual || !matches!(colours, ('w', 'b') | ('b', 'w')) {
            let line = other.line + 1;
            // Told once, and at the line that says more.
            if mutual && rank > own.opponent {
                return Ok(None);
            }
            return Err(about(format!(
                "line {line} of player {} does not say the same of the pair {name} – {against}: they are not paired",
                own.opponent
            )));
        }
        if rank > own.opponent {
            return Ok(None);
        }
        let (white, black) =
            if own.colour == 'w' { (rank, own.opponent) } else { (own.opponent, rank) };
        let points = [white, black].map(|rank| self.points(rank, round));
        Ok(Some(Sortable { white, black, points, in_match: self.in_match(white, black) }))
    }

    /// A player's points before a round, hundredths.
    fn points(&self, rank: u32, round: usize) -> u32 {
        let Some(player) = self.players.get(&rank) else { return 0 };
        let [win, draw, bye] = self.worth;
        (1..round)
            .map(|before| match self.letters(player, before).2 {
                '1' | '+' | 'W' | 'w' | 'F' | 'f' => win,
                '=' | 'D' | 'd' | 'H' | 'h' => draw,
                'U' | 'u' => bye,
                _ => 0,
            })
            .sum()
    }

    /// The match of two players of different teams, and the board in it; the first team's order
    /// counts.
    fn in_match(&self, white: u32, black: u32) -> Option<(usize, usize)> {
        let place = |rank: u32| {
            let mut teams = self.teams.iter().enumerate();
            teams.find_map(|(n, (_, ranks))| {
                ranks.iter().position(|known| *known == rank).map(|board| (n, board))
            })
        };
        let (white, black) = (place(white)?, place(black)?);
        Some(white.min(black)).filter(|_| white.0 != black.0)
    }

    /// Opponent, colour and result of a round as they are written.
    fn letters(&self, player: &Player, round: usize) -> (String, char, char) {
        let line = &self.lines[player.line];
        let start = ROUNDS + (round - 1) * ROUND;
        let letter = |column| columns(line, start + column, 1).chars().next().unwrap_or(' ');
        (columns(line, start, 4).trim().to_owned(), letter(5), letter(7))
    }

    /// `None`: he has no opponent in it.
    fn round(&self, player: &Player, round: usize) -> Result<Option<Round>, String> {
        let (opponent, colour, result) = self.letters(player, round);
        if NOBODY.contains(&opponent.as_str()) {
            return Ok(None);
        }
        let name = &player.name;
        let opponent = (opponent.parse()).map_err(|_| {
            format!("round {round}: '{opponent}' is no rank of an opponent of {name}")
        })?;
        let colour = colour.to_ascii_lowercase();
        if !matches!(colour, 'w' | 'b' | '-') {
            return Err(format!("round {round}: '{colour}' is no colour of {name}: w or b"));
        }
        Ok(Some(Round { opponent, colour, result }))
    }

    /// The file with the results of these boards of a round, and the points with them.
    ///
    /// # Errors
    /// [`PairingsError`] where the file has another result already, or no such board.
    pub fn with_results(
        &self,
        round: usize,
        results: &[(u32, Outcome)],
        fixed: &FixedBoards,
    ) -> Result<String, PairingsError> {
        let mut unusable = Vec::new();
        let pairs = self.ranks(round, &mut unusable)?;
        let boards = order::boards(&pairs, fixed, &mut unusable);
        let at: BTreeMap<u32, Sortable> = boards.into_iter().zip(pairs).collect();
        let mut lines = self.lines.clone();
        for (board, outcome) in results {
            let pair = at.get(board).ok_or_else(|| {
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
            for (rank, letter) in [(pair.white, letters.0), (pair.black, letters.1)] {
                // Both are among the players: `ranks` looked.
                let Some(player) = self.players.get(&rank) else { continue };
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
                    '1' => f64::from(self.worth[0]) / 100.0,
                    '=' => f64::from(self.worth[1]) / 100.0,
                    _ => 0.0,
                };
                put(line, 80, &format!("{:4.1}", halves + more));
            }
        }
        Ok(lines.iter().map(|line| format!("{line}\n")).collect())
    }
}

/// FIDE's title as PGN writes it; older files have small letters.
fn title(written: &str) -> String {
    let title = match written.to_lowercase().as_str() {
        "g" | "gm" => "GM",
        "m" | "im" => "IM",
        "f" | "fm" => "FM",
        "c" | "cm" => "CM",
        "wg" | "wgm" => "WGM",
        "wm" | "wim" => "WIM",
        "wf" | "wfm" => "WFM",
        "wc" | "wcm" => "WCM",
        _ => "",
    };
    title.to_owned()
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

    fn names(report: &TournamentReport, round: usize) -> Vec<(u32, String, String)> {
        let (pairs, _) = report.pairs(round, &FixedBoards::new()).expect("pairs");
        pairs.into_iter().map(|pair| (pair.board, pair.white, pair.black)).collect()
    }

    #[test]
    fn the_pairs_of_a_round_are_numbered_as_they_are_posted() {
        let of = |board, white: &str, black: &str| (board, white.to_owned(), black.to_owned());
        let wanted = [of(1, "Berta, B", "Müller, Anna"), of(2, "Clara, C", "Dora, D")];
        assert_eq!(names(&read(&file()), 2), wanted);
    }

    #[test]
    fn results_stand_in_both_lines_and_in_the_points() {
        let outcome = |text: &str| text.parse::<Outcome>().expect("a result");
        let results = [(1, outcome("1/2-1/2")), (2, outcome("1-0"))];
        let with = read(&file()).with_results(2, &results, &FixedBoards::new()).expect("written");
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
        assert_eq!(
            read(&with).with_results(2, &results, &FixedBoards::new()).as_deref(),
            Ok(with.as_str())
        );
        let error = read(&with)
            .with_results(2, &[(2, outcome("0-1"))], &FixedBoards::new())
            .expect_err("another one");
        assert_eq!(error.to_string(), "line 4: round 2 has the result '1', not '0'");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        let error = |text: &str, round| {
            let read = TournamentReport::read(text)
                .and_then(|report| report.pairs(round, &FixedBoards::new()));
            read.expect_err("wrong").to_string()
        };
        assert_eq!(error("", 1), "line 1: there is no line that begins with 001: it is no TRF16");
        assert_eq!(error("001    x", 1), "line 1: '   x' in columns 5 to 8 is no starting rank");
        assert_eq!(error("001    1", 1), "line 1: there is no name in columns 15 to 47");
        assert_eq!(error(&file(), 3), "line 1: round 3 has no pairs");
        assert_eq!(error(&file(), 0), "line 1: a round is a number from 1 to 100");
        let alone = player(1, "A", "", "   9 w  ");
        assert_eq!(error(&alone, 1), "line 1: round 1: there is no player 9");
        assert_eq!(
            error(&player(1, "A", "", "   2 x  "), 1),
            "line 1: round 1: 'x' is no colour of A: w or b"
        );
    }

    #[test]
    fn what_cannot_be_played_is_named_and_the_rest_is_paired() {
        let good = [player(7, "G", "", "   8 w  "), player(8, "H", "", "   7 b  ")];
        let with = |lines: &[String]| {
            let text = [lines, &good].concat().join("\n");
            let (pairs, unusable) = read(&text).pairs(1, &FixedBoards::new()).expect("pairs");
            let names: Vec<&str> = pairs.iter().map(|pair| pair.white.as_str()).collect();
            assert_eq!(names, ["G"], "{text}");
            unusable.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
        };
        let two =
            |first: &str, second: &str| [player(1, "A", "", first), player(2, "B", "", second)];
        let forfeit = "line 1: round 1: A – B is decided by forfeit, and not played";
        for (first, second) in
            [("   2 - +", "   1 - -"), ("   2 w +", "   1 b -"), ("   2 - -", "   1 - -")]
        {
            assert_eq!(with(&two(first, second)), forfeit);
        }
        for bye in ["0000 - H", "0000 - F", "0000 - U", "0000 - Z", "     -  ", "        "] {
            assert_eq!(with(&[player(1, "A", "", bye)]), "", "{bye}");
        }
        let differs = "does not say the same of the pair A – B: they are not paired";
        assert_eq!(
            with(&two("   2 w  ", "   1 w  ")),
            format!("line 1: round 1: line 2 of player 2 {differs}")
        );
        assert_eq!(
            with(&two("   2 w  ", "0000 - Z")),
            format!("line 1: round 1: line 2 of player 2 {differs}")
        );
        assert_eq!(
            with(&[player(1, "A", "", "   9 w  ")]),
            "line 1: round 1: there is no player 9"
        );
        let twice = [player(7, "X", "", "   8 w  ")];
        let after = [&good[..], &twice].concat().join("\n");
        let (_, unusable) = read(&after).pairs(1, &FixedBoards::new()).expect("pairs");
        assert_eq!(unusable[0].to_string(), "line 3: rank 7 stands in line 1 too");
    }

    #[test]
    fn a_player_with_a_fixed_board_keeps_it_and_the_others_take_the_free_ones() {
        let report = read(&file());
        let boards = |fixed: &[(u32, u32)]| {
            let fixed = fixed.iter().copied().collect();
            let (pairs, told) = report.pairs(2, &fixed).expect("pairs");
            let boards: Vec<(u32, String)> =
                pairs.into_iter().map(|pair| (pair.board, pair.white)).collect();
            (boards, told.len())
        };
        let (berta, clara) = ("Berta, B".to_owned(), "Clara, C".to_owned());
        assert_eq!(boards(&[(4, 1)]), (vec![(1, clara.clone()), (2, berta.clone())], 0));
        assert_eq!(boards(&[(4, 9)]), (vec![(1, berta.clone()), (9, clara.clone())], 0));
        assert_eq!(boards(&[(1, 5), (3, 5)]), (vec![(1, clara), (5, berta)], 1));
    }

    #[test]
    fn teams_sit_match_by_match_in_the_order_of_their_boards() {
        let lines = [
            player(1, "A1", "", "   4 b  "),
            player(2, "A2", "", "   3 w  "),
            player(3, "B2", "", "   2 b  "),
            player(4, "B1", "", "   1 w  "),
            format!("013 {:<32}{}", "Team A", "   1    2"),
            format!("013 {:<32}{}", "Team B", "   4    3"),
        ];
        let report = read(&lines.join("\n"));
        let (pairs, _) = report.pairs(1, &FixedBoards::new()).expect("pairs");
        let names: Vec<(&str, &str)> =
            pairs.iter().map(|pair| (pair.white.as_str(), pair.white_is.team.as_str())).collect();
        assert_eq!(names, [("B1", "Team B"), ("A2", "Team A")]);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(lines in proptest::collection::vec("(001)?[ 0-9wb=äA-Z.]{0,130}", 0..6), round in 0..12usize) {
            if let Ok(report) = TournamentReport::read(&lines.join("\n")) {
                let _ = report.pairs(round, &FixedBoards::new());
                let _ = report.with_results(round, &[(1, Outcome::WhiteWins)], &FixedBoards::new());
            }
        }
    }
}
