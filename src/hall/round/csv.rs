//! Pairings and results as tables: a header, then one board a line; commas, semicolons or tabs.

use std::collections::BTreeSet;

use annabella_core::outside;

use super::{
    LARGEST_FILE, LONGEST_NAME, MOST_PAIRS, Pair, PairingsError, Person,
    heads::{Column, columns, is_nobody},
};

/// Reads a table of pairings: the pairs, and the lines that cannot be used.
///
/// # Errors
/// [`PairingsError`] where the header lacks a column, or no line gives a pair.
pub fn read(text: &str) -> Result<(Vec<Pair>, Vec<PairingsError>), PairingsError> {
    if text.len() > LARGEST_FILE {
        return Err(PairingsError::at(1, format!("the file is larger than {LARGEST_FILE} bytes")));
    }
    let text = text.trim_start_matches('\u{feff}').trim_end_matches('\u{1a}');
    let lines = outside::lines(text).enumerate().map(|(n, line)| (n + 1, line));
    let mut lines = lines.filter(|(_, line)| !line.trim().is_empty()).peekable();
    // Excel's own line: `sep=;`
    let named = lines.next_if(|(_, line)| line.trim().to_lowercase().starts_with("sep="));
    let named = named.and_then(|(_, line)| line.trim().chars().nth(4));
    let (at, header) = lines.next().unwrap_or((1, ""));
    let separator = named.unwrap_or_else(|| {
        [';', '\t'].into_iter().find(|mark| header.contains(*mark)).unwrap_or(',')
    });
    let header = fields(header, separator).map_err(|problem| PairingsError::at(at, problem))?;
    let columns = columns(&header);
    for (needed, name) in
        [(Column::Board, "board"), (Column::White, "white"), (Column::Black, "black")]
    {
        if !columns.contains(&Some(needed)) {
            let problem = format!(
                "the column '{name}' is missing: name the columns in this line, as in board;white;black"
            );
            return Err(PairingsError::at(at, problem));
        }
    }
    let mut unusable = Vec::new();
    let mut boards = BTreeSet::new();
    let mut pairs = Vec::new();
    for (n, line) in lines {
        let pair = fields(line, separator).and_then(|fields| pair(&columns, fields));
        match pair {
            Ok(pair) if pairs.len() == MOST_PAIRS => {
                let problem =
                    format!("there are more than {MOST_PAIRS} boards: board {}", pair.board);
                unusable.push(PairingsError::at(n, problem));
                break;
            }
            Ok(pair) if boards.insert(pair.board) => pairs.push(pair),
            Ok(pair) => {
                let problem = format!("board {} stands there twice", pair.board);
                unusable.push(PairingsError::at(n, problem));
            }
            Err(problem) => unusable.push(PairingsError::at(n, problem)),
        }
    }
    match pairs.is_empty() {
        true => Err(unusable
            .into_iter()
            .next()
            .unwrap_or_else(|| PairingsError::at(at, "there is no pair below this line"))),
        false => Ok((pairs, unusable)),
    }
}

/// The pair of a line.
fn pair(columns: &[Option<Column>], mut fields: Vec<String>) -> Result<Pair, String> {
    // Spreadsheets leave out empty cells at the end, or add some.
    while fields.len() > columns.len() && fields.last().is_some_and(String::is_empty) {
        fields.pop();
    }
    if fields.len() > columns.len() {
        let (found, wanted) = (fields.len(), columns.len());
        return Err(format!("it has {found} fields, and the header {wanted}"));
    }
    if let Some(long) = fields.iter().find(|field| field.chars().count() > LONGEST_NAME) {
        let begin: String = long.chars().take(20).collect();
        return Err(format!("'{begin}…' is longer than {LONGEST_NAME} characters"));
    }
    let mut take = |column: Column| {
        let place = columns.iter().position(|known| *known == Some(column));
        place.and_then(|n| fields.get_mut(n)).map(std::mem::take).unwrap_or_default()
    };
    let written = take(Column::Board);
    let number = written.trim_end_matches('.').parse().ok();
    let board = number
        .filter(|board| (1..=99_999).contains(board))
        .ok_or_else(|| format!("'{written}' is no board: write a number from 1 to 99999"))?;
    let (white, black) = (take(Column::White), take(Column::Black));
    if is_nobody(&white) || is_nobody(&black) {
        let player = if is_nobody(&white) { &black } else { &white };
        return Err(format!("board {board}: '{player}' has no opponent, and no game is played"));
    }
    let filled = |text: String| Some(text).filter(|text| !text.is_empty());
    Ok(Pair {
        board,
        white,
        black,
        time_control: filled(take(Column::TimeControl)),
        white_prompts: filled(take(Column::WhitePrompts)),
        black_prompts: filled(take(Column::BlackPrompts)),
        white_is: Person {
            title: take(Column::WhiteTitle),
            rating: take(Column::WhiteRating),
            fide_id: take(Column::WhiteFideId),
            team: take(Column::WhiteTeam),
        },
        black_is: Person {
            title: take(Column::BlackTitle),
            rating: take(Column::BlackRating),
            fide_id: take(Column::BlackFideId),
            team: take(Column::BlackTeam),
        },
    })
}

/// The fields of a line. What stands in quotes may hold the separator, and a quote as two.
fn fields(line: &str, separator: char) -> Result<Vec<String>, String> {
    let mut fields = vec![String::new()];
    let mut quoted = false;
    let mut characters = line.chars().peekable();
    while let Some(c) = characters.next() {
        // There is always one.
        let Some(field) = fields.last_mut() else { break };
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                characters.next();
                field.push('"');
            }
            '"' if quoted => quoted = false,
            '"' if field.trim().is_empty() => {
                field.clear();
                quoted = true;
            }
            c if c == separator && !quoted => fields.push(String::new()),
            c if c.is_control() => return Err("it has a character that nobody can read".to_owned()),
            c => field.push(c),
        }
    }
    if quoted {
        return Err("a quote is not closed".to_owned());
    }
    // As a line is written: see there.
    let plain = |field: &str| match field.strip_prefix('\'') {
        Some(formula) if is_formula(formula) => formula.to_owned(),
        _ => field.to_owned(),
    };
    Ok(fields.iter().map(|field| plain(field.trim())).collect())
}

/// Whether a spreadsheet takes a field for a formula, and computes it.
fn is_formula(field: &str) -> bool {
    field.trim_start().starts_with(['=', '+', '-', '@'])
}

/// A line of a table with commas. What a spreadsheet would take for a formula has an apostrophe
/// before it, by which it takes it for text.
pub(super) fn line(fields: &[&str]) -> String {
    let quoted = |field: &&str| {
        let mark = if is_formula(field) { "'" } else { "" };
        match field.contains([',', '"', ';', '\t']) || field.trim() != *field {
            true => format!("\"{mark}{}\"", field.replace('"', "\"\"")),
            false => format!("{mark}{field}"),
        }
    };
    fields.iter().map(quoted).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn no_name_is_a_formula_for_a_spreadsheet() {
        let names = ["=cmd|calc!A1", "+1", "-1+2", "@SUM(A1)", " =1,2"];
        let written = line(&names);
        assert_eq!(written, "'=cmd|calc!A1,'+1,'-1+2,'@SUM(A1),\"' =1,2\"\n");
        let read = fields(written.trim_end(), ',').expect("fields");
        assert_eq!(read, ["=cmd|calc!A1", "+1", "-1+2", "@SUM(A1)", " =1,2"]);
        assert_eq!(line(&["'s-Gravenhage", "1-0"]), "'s-Gravenhage,1-0\n");
    }

    #[test]
    fn a_table_gives_names_time_control_and_languages() {
        let text = "\u{feff}Board;White;Black;time_control;white_prompts\n7;\"Müller; Anna\";\"The \"\"Bear\"\"\";90+30;de\n\n8;B;C;;\n";
        let (pairs, _) = read(text).expect("pairings");
        let first = Pair {
            board: 7,
            white: "Müller; Anna".to_owned(),
            black: "The \"Bear\"".to_owned(),
            time_control: Some("90+30".to_owned()),
            white_prompts: Some("de".to_owned()),
            ..Pair::default()
        };
        let (white, black) = ("B".to_owned(), "C".to_owned());
        assert_eq!(pairs, [first, Pair { board: 8, white, black, ..Pair::default() }]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line_and_the_rest_is_read() {
        let missing = "is missing: name the columns in this line, as in board;white;black";
        for (text, error) in [
            ("", format!("line 1: the column 'board' {missing}")),
            ("board,white\n", format!("line 1: the column 'black' {missing}")),
            ("board,white,black\n", "line 1: there is no pair below this line".to_owned()),
        ] {
            assert_eq!(read(text).expect_err(text).to_string(), error);
        }
        for (line, error) in [
            ("x,A,B", "line 3: 'x' is no board: write a number from 1 to 99999"),
            ("1,A,B,C", "line 3: it has 4 fields, and the header 3"),
            ("7,C,D", "line 3: board 7 stands there twice"),
            ("1,\"A,B", "line 3: a quote is not closed"),
            ("1,A\u{7},B", "line 3: it has a character that nobody can read"),
            ("1,A,spielfrei", "line 3: board 1: 'A' has no opponent, and no game is played"),
            ("1,A", "line 3: board 1: 'A' has no opponent, and no game is played"),
        ] {
            let text = format!("board,white,black\n7,Anna,Berta\n{line}\n8,Clara,Dora\n");
            let (pairs, unusable) = read(&text).expect("pairings");
            assert_eq!(pairs.iter().map(|pair| pair.board).collect::<Vec<_>>(), [7, 8], "{line}");
            assert_eq!(unusable.iter().map(ToString::to_string).collect::<Vec<_>>(), [error]);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(board,white,black\n)?[ -~äß\n\"]{0,200}") {
            let _ = read(&text);
        }

        #[test]
        fn names_are_read_back(names in proptest::collection::vec(("[a-zäß][ -~äß]{0,30}", "[a-zäß][ -~äß]{0,30}"), 0..8)) {
            let mut text = "board,white,black\n".to_owned();
            for (n, (white, black)) in names.iter().enumerate() {
                text += &line(&[&(n + 1).to_string(), white.trim(), black.trim()]);
            }
            if names.is_empty() {
                return Ok(());
            }
            let (pairs, _) = read(&text).expect("pairings");
            let read: Vec<(&str, &str)> = pairs.iter().map(|pair| (pair.white.as_str(), pair.black.as_str())).collect();
            let wanted: Vec<(&str, &str)> = names.iter().map(|(w, b)| (w.trim(), b.trim())).collect();
            prop_assert_eq!(read, wanted);
        }
    }
}
