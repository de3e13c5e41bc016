//! Pairings and results as tables: a header, then one board a line; commas, semicolons or tabs.

use std::collections::BTreeSet;

use super::{LARGEST_FILE, LONGEST_NAME, MOST_PAIRS, Pair, PairingsError};

/// The columns of a table of pairings; the first three are needed. The last is passed over: a table of
/// results has it, ours too, and can be read as pairings.
const COLUMNS: [&str; 7] =
    ["board", "white", "black", "time_control", "white_prompts", "black_prompts", "result"];

/// Reads a table of pairings.
///
/// # Errors
/// [`PairingsError`] with the first line that is wrong.
pub fn read(text: &str) -> Result<Vec<Pair>, PairingsError> {
    let lines = table(text, &COLUMNS, 3)?;
    let mut boards = BTreeSet::new();
    let mut pairs = Vec::new();
    for (line, fields) in lines {
        let [board, white, black, time_control, white_prompts, black_prompts, _] = fields;
        let wrong = |problem: String| PairingsError { line, problem };
        let number = board.parse().ok().filter(|board| (1..=99_999).contains(board));
        let board = number.ok_or_else(|| {
            wrong(format!("'{board}' is no board: write a number from 1 to 99999"))
        })?;
        if !boards.insert(board) {
            return Err(wrong(format!("board {board} stands there twice")));
        }
        let filled = |text: String| Some(text).filter(|text| !text.is_empty());
        pairs.push(Pair {
            board,
            white,
            black,
            time_control: filled(time_control),
            white_prompts: filled(white_prompts),
            black_prompts: filled(black_prompts),
        });
    }
    Ok(pairs)
}

/// The lines of a table below its header, each with its number and its fields in the order of `columns`.
pub(super) fn table<const N: usize>(
    text: &str,
    columns: &[&str; N],
    needed: usize,
) -> Result<Vec<(usize, [String; N])>, PairingsError> {
    if text.len() > LARGEST_FILE {
        return Err(PairingsError::at(1, format!("the file is larger than {LARGEST_FILE} bytes")));
    }
    let text = text.trim_start_matches('\u{feff}');
    let mut lines = text.lines().enumerate().map(|(n, line)| (n + 1, line));
    let (_, header) = lines.next().unwrap_or((1, ""));
    let separator = [';', '\t'].into_iter().find(|mark| header.contains(*mark)).unwrap_or(',');
    let header = fields(header, separator).map_err(|problem| PairingsError::at(1, problem))?;
    let mut places = [None; N];
    for (n, name) in header.iter().enumerate() {
        let known = columns.iter().position(|column| column.eq_ignore_ascii_case(name));
        let known = known.ok_or_else(|| {
            PairingsError::at(
                1,
                format!("unknown column '{name}'; there are {}", columns.join(", ")),
            )
        })?;
        if places[known].replace(n).is_some() {
            return Err(PairingsError::at(1, format!("the column '{name}' stands there twice")));
        }
    }
    if let Some(missing) = (0..needed).find(|n| places[*n].is_none()) {
        return Err(PairingsError::at(1, format!("the column '{}' is missing", columns[missing])));
    }
    let mut table = Vec::new();
    for (n, line) in lines.filter(|(_, line)| !line.trim().is_empty()) {
        let wrong = |problem: String| PairingsError::at(n, problem);
        if table.len() == MOST_PAIRS {
            return Err(wrong(format!("there are more than {MOST_PAIRS} boards")));
        }
        let mut found = fields(line, separator).map_err(wrong)?;
        if found.len() != header.len() {
            let (found, wanted) = (found.len(), header.len());
            return Err(wrong(format!("it has {found} fields, and the header {wanted}")));
        }
        if let Some(long) = found.iter().find(|field| field.chars().count() > LONGEST_NAME) {
            let begin: String = long.chars().take(20).collect();
            return Err(wrong(format!("'{begin}…' is longer than {LONGEST_NAME} characters")));
        }
        let field = |place: &Option<usize>| place.map(|n| std::mem::take(&mut found[n]));
        let mut line = places.iter().map(field).map(Option::unwrap_or_default);
        table.push((n, std::array::from_fn(|_| line.next().unwrap_or_default())));
    }
    Ok(table)
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

/// A line of a table with commas. What a spreadsheet would take for a formula has an apostrophe before it, by which it
/// takes it for text.
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
        let pairs = read(text).expect("pairings");
        let first = Pair {
            board: 7,
            white: "Müller; Anna".to_owned(),
            black: "The \"Bear\"".to_owned(),
            time_control: Some("90+30".to_owned()),
            white_prompts: Some("de".to_owned()),
            black_prompts: None,
        };
        let (white, black) = ("B".to_owned(), "C".to_owned());
        assert_eq!(pairs, [first, Pair { board: 8, white, black, ..Pair::default() }]);
    }

    #[test]
    fn what_is_wrong_is_said_with_its_line() {
        for (text, error) in [
            (
                "",
                "line 1: unknown column ''; there are board, white, black, time_control, white_prompts, black_prompts, result",
            ),
            ("board,White,black,white\n", "line 1: the column 'white' stands there twice"),
            ("board,white\n", "line 1: the column 'black' is missing"),
            ("board,white,black\n1,A\n", "line 2: it has 2 fields, and the header 3"),
            (
                "board,white,black\nx,A,B\n",
                "line 2: 'x' is no board: write a number from 1 to 99999",
            ),
            ("board,white,black\n1,A,B\n\n1,C,D\n", "line 4: board 1 stands there twice"),
            ("board,white,black\n1,\"A,B\n", "line 2: a quote is not closed"),
            ("board,white,black\n1,A\u{7},B\n", "line 2: it has a character that nobody can read"),
        ] {
            assert_eq!(read(text).expect_err(text).to_string(), error);
        }
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(text in "(board,white,black\n)?[ -~äß\n\"]{0,200}") {
            let _ = read(&text);
        }

        #[test]
        fn names_are_read_back(names in proptest::collection::vec(("[ -~äß]{1,30}", "[ -~äß]{1,30}"), 0..8)) {
            let mut text = "board,white,black\n".to_owned();
            for (n, (white, black)) in names.iter().enumerate() {
                text += &line(&[&(n + 1).to_string(), white.trim(), black.trim()]);
            }
            let pairs = read(&text).expect("pairings");
            let read: Vec<(&str, &str)> = pairs.iter().map(|pair| (pair.white.as_str(), pair.black.as_str())).collect();
            let wanted: Vec<(&str, &str)> = names.iter().map(|(w, b)| (w.trim(), b.trim())).collect();
            prop_assert_eq!(read, wanted);
        }
    }
}
