//! Score sheets: a finished layout of plain values, as text and as a page that prints on A4.
//!
//! ```
//! use annabella_records::journal::export::{Row, Sheet};
//! let sheet = Sheet {
//!     white: "Anna".into(),
//!     black: "Hector".into(),
//!     rows: vec![Row { number: 1, white: "e4".into(), black: "e5".into(), ..Row::default() }],
//!     ..Sheet::default()
//! };
//! assert!(sheet.to_text().contains("\n  1  e4     e5\n"));
//! ```

use std::fmt::Write;

pub use annabella_core::notation::pgn::clock_text;
use jiff::{Span, Timestamp, Zoned, civil::date, tz::TimeZone};

use super::{
    page::{clean, document, escape, facts, signatures},
    wording::labels,
};

/// As on the Laws' own form.
const ROWS_IN_A_COLUMN: usize = 30;

/// The content of a score sheet.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Sheet {
    /// White's name; empty is left out, as every empty field is.
    pub white: String,
    pub black: String,
    pub event: String,
    pub site: String,
    pub date: String,
    pub round: String,
    pub time_control: String,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
    pub reason: String,
    /// The moves, one row a move number.
    pub rows: Vec<Row>,
    /// The name of its owner; empty when it belongs to nobody.
    pub kept_by: String,
    /// White has signed the result (8.7).
    pub white_signed: bool,
    pub black_signed: bool,
    /// The words on the sheet.
    pub labels: Labels,
}

/// Several sheets as one page, each on a sheet of paper of its own.
pub fn pages(sheets: &[Sheet]) -> String {
    let Some(first) = sheets.first() else {
        return document("en", "", "");
    };
    let body: String = sheets.iter().map(Sheet::section).collect();
    document(first.labels.lang, &first.page_title(), &body)
}

/// The row of a move number.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Row {
    pub number: u32,
    /// White's move as written; empty if there is none.
    pub white: String,
    pub black: String,
    /// White's time left after his move, milliseconds.
    pub white_ms: Option<u64>,
    pub black_ms: Option<u64>,
    /// A remark: a draw offer, a correction, the source of an entry.
    pub note: String,
}

labels! {
    /// The words on a sheet, in the reader's language.
    Labels {
        title: ScoreSheet,
        event: Event,
        at_home: AtHome,
        site: Site,
        date: Date,
        round: Round,
        time_control: TimeControl,
        white: White,
        black: Black,
        result: Result,
        number: Number,
        white_clock: WhiteClock,
        black_clock: BlackClock,
        note: Remarks,
        signature: Signature,
        signed: Signed,
        arbiter: ByArbiter,
        moves: Moves,
        struck: Struck,
        decided: ByArbiter,
    }
}

impl Default for Labels {
    fn default() -> Labels {
        Labels::of("en")
    }
}

/// The year 2023 begins. No game was recorded before: the machine's clock was not set.
const EARLIEST_UNIX_S: u64 = 1_672_531_200;

/// Source: PGN standard, 8.1.1.3.
const UNKNOWN_DATE: &str = "????.??.??";

/// The date of a Unix time where this machine is, as PGN's `Date` tag writes it: `2024.02.29`. An
/// unknown zone is Greenwich. After the year 9999, and before there was this program:
/// `????.??.??`.
///
/// Source: PGN standard, 8.1.1.3: the local date.
pub fn pgn_date(unix_s: u64) -> String {
    if unix_s < EARLIEST_UNIX_S {
        return UNKNOWN_DATE.to_owned();
    }
    local(unix_s)
        .map_or_else(|| date_at_greenwich(unix_s), |here| here.strftime("%Y.%m.%d").to_string())
}

/// A Unix time on this machine's wall clock. `None`: far before or beyond any game.
pub(super) fn local(unix_s: u64) -> Option<Zoned> {
    if unix_s < EARLIEST_UNIX_S {
        return None;
    }
    let moment = Timestamp::from_second(i64::try_from(unix_s).ok()?).ok()?;
    Some(moment.to_zoned(TimeZone::system()))
}

fn date_at_greenwich(unix_s: u64) -> String {
    let days = i64::try_from(unix_s / 86_400).ok().and_then(|days| Span::new().try_days(days).ok());
    let date = days.and_then(|days| date(1970, 1, 1).checked_add(days).ok());
    date.map_or_else(|| UNKNOWN_DATE.to_owned(), |date| date.strftime("%Y.%m.%d").to_string())
}

impl Sheet {
    /// Plain text, columns aligned, no line ends in a space. Columns that are empty in every row
    /// are left out.
    pub fn to_text(&self) -> String {
        let mut text = format!("{}\n\n", self.heading());
        let head = self.head();
        let label_width = head.iter().map(|(label, _)| width(label)).max();
        for (label, value) in &head {
            let line = pad(&format!("{label}:"), label_width.unwrap_or(0) + 2, false);
            text += &format!("{line}{}\n", clean(value));
        }
        if !head.is_empty() {
            text.push('\n');
        }
        let columns = self.columns();
        let widths: Vec<usize> = columns
            .iter()
            .map(|column| {
                let cells = self.rows.iter().map(|row| width(&column.cell(row)));
                cells.chain([width(column.label)]).max().unwrap_or(0)
            })
            .collect();
        let mut line = |cell: &dyn Fn(&Column) -> String| {
            let mut line = String::new();
            for (column, width) in columns.iter().zip(&widths) {
                line += &pad(&cell(column), *width, column.right);
                line += "  ";
            }
            text += line.trim_end();
            text.push('\n');
        };
        line(&|column| column.label.to_owned());
        for row in &self.rows {
            line(&|column| column.cell(row));
        }
        let result = self.result_line();
        if !result.is_empty() {
            let _ = write!(text, "\n{}: {result}\n", self.labels.result);
        }
        text
    }

    /// One sheet of a page, laid out as in the Laws' own form: head, moves in columns of thirty,
    /// result, lines for signatures.
    fn section(&self) -> String {
        let labels = &self.labels;
        let mut head: Vec<(&str, String)> =
            self.head().into_iter().map(|(label, value)| (label, value.to_owned())).collect();
        let result = self.result_line();
        if !result.is_empty() {
            head.push((labels.result, result));
        }
        let mut section = format!(
            "<section class=\"sheet\">\n<h1>{}</h1>\n{}<div class=\"score\">\n",
            escape(&self.heading()),
            facts(&head)
        );
        let columns = self.columns();
        let parts: Vec<&[Row]> = match self.rows.len() {
            0 => vec![&[]],
            _ => self.rows.chunks(ROWS_IN_A_COLUMN).collect(),
        };
        for part in parts {
            section += &self.table(&columns, part);
        }
        section += "</div>\n";
        let sign = |color: &str, name: &str| match name {
            "" => format!("{}, {color}", labels.signature),
            name => format!("{}, {color}: {name}", labels.signature),
        };
        let mut lines = vec![sign(labels.white, &self.white), sign(labels.black, &self.black)];
        if self.white_signed {
            lines[0] += &format!(" ({})", labels.signed);
        }
        if self.black_signed {
            lines[1] += &format!(" ({})", labels.signed);
        }
        lines.push(format!("{}, {}", labels.signature, labels.arbiter));
        section + &signatures(&lines) + "</section>\n"
    }

    fn table(&self, columns: &[Column], rows: &[Row]) -> String {
        let caption = match (rows.first(), rows.last()) {
            (Some(first), Some(last)) => {
                format!("{} {}–{}", self.labels.moves, first.number, last.number)
            }
            _ => self.labels.moves.to_owned(),
        };
        let mut table = format!("<table>\n<caption>{}</caption>\n<thead>\n<tr>", escape(&caption));
        for column in columns {
            table += &format!("<th scope=\"col\">{}</th>", escape(column.label));
        }
        table += "</tr>\n</thead>\n<tbody>\n";
        for row in rows {
            table += "<tr>";
            for (index, column) in columns.iter().enumerate() {
                let cell = escape(&column.cell(row));
                table += &match (index, column.right) {
                    (0, _) => format!("<th scope=\"row\">{cell}</th>"),
                    (_, true) => format!("<td class=\"right\">{cell}</td>"),
                    (_, false) => format!("<td>{cell}</td>"),
                };
            }
            table += "</tr>\n";
        }
        table + "</tbody>\n</table>\n"
    }

    /// The title with whose sheet it is.
    fn heading(&self) -> String {
        match self.kept_by.as_str() {
            "" => self.labels.title.to_owned(),
            name => clean(&format!("{} – {name}", self.labels.title)),
        }
    }

    fn head(&self) -> Vec<(&'static str, &str)> {
        let labels = &self.labels;
        let mut head: Vec<(&'static str, &str)> = vec![
            (labels.event, &self.event),
            (labels.site, &self.site),
            (labels.date, &self.date),
            (labels.round, &self.round),
            (labels.white, &self.white),
            (labels.black, &self.black),
            (labels.time_control, &self.time_control),
        ];
        head.retain(|(_, value)| !value.is_empty());
        head
    }

    fn page_title(&self) -> String {
        let or = |name: &str, color: &str| match name {
            "" => color.to_owned(),
            name => name.to_owned(),
        };
        format!("{} – {}", or(&self.white, self.labels.white), or(&self.black, self.labels.black))
    }

    fn result_line(&self) -> String {
        match (self.result.as_str(), self.reason.as_str()) {
            (result, "") => clean(result),
            ("", reason) => clean(reason),
            (result, reason) => clean(&format!("{result} ({reason})")),
        }
    }

    fn columns(&self) -> Vec<Column> {
        let labels = &self.labels;
        let clock = |ms: Option<u64>| ms.map(clock_text).unwrap_or_default();
        let all = [
            Column::new(labels.number, true, Box::new(|row| row.number.to_string())),
            Column::new(labels.white, false, Box::new(|row| clean(&row.white))),
            Column::new(labels.black, false, Box::new(|row| clean(&row.black))),
            Column::new(labels.white_clock, true, Box::new(move |row| clock(row.white_ms))),
            Column::new(labels.black_clock, true, Box::new(move |row| clock(row.black_ms))),
            Column::new(labels.note, false, Box::new(|row| clean(&row.note))),
        ];
        // Number and moves always stay.
        all.into_iter()
            .enumerate()
            .filter(|(index, column)| {
                *index < 3 || self.rows.iter().any(|row| !column.cell(row).is_empty())
            })
            .map(|(_, column)| column)
            .collect()
    }
}

struct Column {
    label: &'static str,
    right: bool,
    read: Box<dyn Fn(&Row) -> String>,
}

impl Column {
    fn new(label: &'static str, right: bool, read: Box<dyn Fn(&Row) -> String>) -> Column {
        Column { label, right, read }
    }

    fn cell(&self, row: &Row) -> String {
        (self.read)(row)
    }
}

/// Width in a fixed font: characters.
fn width(text: &str) -> usize {
    text.chars().count()
}

fn pad(text: &str, to: usize, right: bool) -> String {
    // `format!` pads by characters too.
    if right { format!("{text:>to$}") } else { format!("{text:<to$}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sheet() -> Sheet {
        Sheet {
            white: "Anna Zäsar".to_owned(),
            black: "Hector <b>".to_owned(),
            event: "Open".to_owned(),
            date: "29.02.2024".to_owned(),
            result: "1-0".to_owned(),
            reason: "mate".to_owned(),
            rows: vec![
                Row {
                    number: 9,
                    white: "Sg1-f3".to_owned(),
                    black: "d7xe6 e.p.".to_owned(),
                    white_ms: Some(5_345_999),
                    black_ms: Some(59_000),
                    note: String::new(),
                },
                Row {
                    number: 10,
                    white: "Кf3".to_owned(),
                    note: "remis?\n(=)".to_owned(),
                    ..Row::default()
                },
            ],
            ..Sheet::default()
        }
    }

    #[test]
    fn text_is_aligned() {
        assert_eq!(
            sheet().to_text(),
            "\
Score sheet

Event: Open
Date:  29.02.2024
White: Anna Zäsar
Black: Hector <b>

No.  White   Black       White's clock  Black's clock  Remarks
  9  Sg1-f3  d7xe6 e.p.        1:29:05        0:00:59
 10  Кf3                                               remis? (=)

Result: 1-0 (mate)
"
        );
    }

    #[test]
    fn empty_columns_and_fields_are_left_out() {
        let bare = Sheet {
            labels: Labels::of("de"),
            rows: vec![Row { number: 1, white: "e4".to_owned(), ..Row::default() }],
            ..Sheet::default()
        };
        assert_eq!(bare.to_text(), "Partieformular\n\nNr.  Weiß  Schwarz\n  1  e4\n");
    }

    #[test]
    fn the_page_has_real_headers_and_no_foreign_markup() {
        let page = pages(&[sheet()]);
        assert!(page.contains("<html lang=\"en\">"));
        assert!(page.contains("@page { size: A4;"));
        assert!(
            page.contains("<thead>\n<tr><th scope=\"col\">No.</th><th scope=\"col\">White</th>")
        );
        assert!(page.contains(
            "<tr><th scope=\"row\">9</th><td>Sg1-f3</td><td>d7xe6 e.p.</td><td class=\"right\">1:29:05</td>"
        ));
        assert!(page.contains("Hector &lt;b&gt;") && !page.contains("<b>"));
        assert_eq!(page.matches("<tr>").count(), 3);
        assert_eq!(page.matches("<h1>Score sheet</h1>").count(), 1);
        assert_eq!(page.matches("<tr>").count(), page.matches("</tr>").count());
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (unix_s, date) in [
            (0, "1970.01.01"),
            (68_169_600, "1972.02.29"),
            (951_782_399, "2000.02.28"),
            (951_782_400, "2000.02.29"),
            (951_868_800, "2000.03.01"),
            (1_709_251_199, "2024.02.29"),
            (4_107_542_400, "2100.03.01"),
            (253_402_300_799, "9999.12.31"),
            (253_402_300_800, "????.??.??"),
            (u64::MAX, "????.??.??"),
        ] {
            assert_eq!(date_at_greenwich(unix_s), date, "{unix_s}");
        }
    }

    #[test]
    fn a_clock_that_was_not_set_gives_no_date() {
        for unix_s in [0, 60, 951_782_400, EARLIEST_UNIX_S - 1] {
            assert_eq!(pgn_date(unix_s), "????.??.??", "{unix_s}");
            assert_eq!(local(unix_s), None, "{unix_s}");
        }
        assert!(pgn_date(EARLIEST_UNIX_S + 86_400).starts_with("2023.01.0"));
    }

    #[test]
    fn clock_readings_cut_begun_seconds_off() {
        assert_eq!(clock_text(0), "0:00:00");
        assert_eq!(clock_text(999), "0:00:00");
        assert_eq!(clock_text(5_430_000), "1:30:30");
        assert_eq!(clock_text(36_000_000), "10:00:00");
    }
}
