//! The arbiter's report: every problem with its article, its time and the clocks; speech and
//! touches; claims, penalties and decisions with names and reasons; the game move by move. As text,
//! and as a page for A4.

mod collect;
mod labels;

use std::fmt::Write;

use shakmaty::{Board, Color};

pub use self::labels::ReportLabels;
pub use self::labels::points_note;
pub(super) use self::labels::{act_note, taken_back, taken_back_text};
use super::{
    export::clock_text,
    page::{clean, document, escape, facts, signatures},
    picture::{self, ChartWords},
};
pub use annabella_core::game::half_points;
use annabella_core::{
    game::{At, Input},
    laws::Article,
};

/// The subject of a line of the report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportSubject {
    /// Something broke a rule or does not fit.
    Problem,
    /// Something was not allowed and not done.
    Refused,
    Offer,
    /// Something was put before the arbiter.
    Proposal,
    /// A decision by the arbiter.
    Decision,
    Adjournment,
    /// The service was stopped and came back.
    Interruption,
    Result,
}

/// An event of the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    pub at: At,
    pub kind: ReportSubject,
    pub plies: usize,
    /// White's and Black's time left, milliseconds.
    pub clock_ms: (u64, u64),
    /// The position of the game then.
    pub board: Board,
    /// What it is called, where that is more than its subject: `Proposal 1`.
    pub label: Option<String>,
    pub article: Option<Article>,
    /// The event in words.
    pub text: String,
    /// Those are English, as there are no others.
    pub english: bool,
    /// The arbiter who decided.
    pub by: String,
    /// The reason in the arbiter's words.
    pub reason: String,
    pub detail: String,
    /// Utterances on this move so far, in order.
    pub heard: Vec<String>,
}

impl ReportSubject {
    /// Whether one who reads it wants to see the position.
    fn needs_board(self) -> bool {
        !matches!(self, ReportSubject::Offer | ReportSubject::Refused | ReportSubject::Interruption)
    }
}

impl Incident {
    fn called<'a>(&'a self, labels: &'a ReportLabels) -> &'a str {
        self.label.as_deref().unwrap_or(labels.kind(self.kind))
    }
}

/// One made move with what belongs to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveRow {
    /// Its number and colour, `12.` or `12...`.
    pub number: String,
    /// The move in SAN, English letters.
    pub san: String,
    /// Squares whose pieces left their holes, in order.
    pub touched: String,
    /// Utterances, and how they were understood.
    pub heard: Vec<String>,
    /// That it was executed is its player's word only (D.2.3).
    pub said: bool,
    /// When it was announced.
    pub announced: At,
    pub made: At,
    /// When its clock was pressed.
    pub completed: Option<At>,
    /// White's and Black's time then, milliseconds.
    pub clock_ms: Option<(u64, u64)>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The game's number in its journal.
    pub game: i64,
    pub players: [String; 2],
    pub date: String,
    pub time_control: String,
    /// No tournament's game.
    pub at_home: bool,
    /// The arbiters who decided something, in order.
    pub arbiters: Vec<String>,
    /// The result; empty while the game goes on.
    pub result: String,
    pub began: At,
    /// Number of the first move, and who made it.
    pub first: (u32, Color),
    /// Everything that happened, in order.
    pub incidents: Vec<Incident>,
    /// Proposals that wait for the arbiter.
    pub open: Vec<String>,
    pub moves: Vec<MoveRow>,
    pub signed: Vec<Color>,
}

impl Report {
    /// Replays a game's inputs. `None` if they do not begin with its start. Decisions are worded in
    /// the language of `labels`; make the text and the page with the same.
    pub fn of(game: i64, inputs: &[(At, Input)], labels: &ReportLabels) -> Option<Report> {
        collect::collect(game, inputs, labels.wording())
    }

    fn since(&self, at: At) -> String {
        clock_text(at.ms.saturating_sub(self.began.ms))
    }

    /// The move that a moment belongs to: the next one to be made.
    fn move_number(&self, plies: usize) -> String {
        let plies = u32::try_from(plies).unwrap_or(u32::MAX);
        let half = plies.saturating_add(u32::from(self.first.1.is_black()));
        let dots = if half.is_multiple_of(2) { "." } else { "..." };
        format!("{}{dots}", self.first.0.saturating_add(half / 2))
    }

    fn head(&self, labels: &ReportLabels) -> Vec<(&'static str, String)> {
        let mut head = vec![
            (labels.game, self.game.to_string()),
            (labels.date, self.date.clone()),
            (labels.white, self.players[0].clone()),
            (labels.black, self.players[1].clone()),
            (labels.time_control, self.time_control.clone()),
            (labels.event, if self.at_home { labels.at_home.to_owned() } else { String::new() }),
            (labels.arbiter, self.arbiters.join(", ")),
            (labels.result, self.result.clone()),
        ];
        head.retain(|(_, value)| !value.trim().is_empty());
        head
    }

    pub fn to_text(&self, labels: &ReportLabels) -> String {
        let mut text = format!("{}\n\n", labels.title);
        for (name, value) in self.head(labels) {
            let _ = writeln!(text, "{name}: {}", clean(&value));
        }
        let _ = writeln!(text, "{}", labels.times);
        let _ = write!(text, "\n{}\n", labels.incidents);
        if self.incidents.is_empty() {
            let _ = write!(text, "\n{}\n", labels.none);
        }
        for incident in &self.incidents {
            let _ = writeln!(
                text,
                "\n{}  {} {}  {} {}, {} {}",
                self.since(incident.at),
                labels.at_move,
                self.move_number(incident.plies),
                labels.white,
                clock_text(incident.clock_ms.0),
                labels.black,
                clock_text(incident.clock_ms.1),
            );
            let article =
                incident.article.map(|article| format!(" ({article})")).unwrap_or_default();
            let what = clean(&incident.text);
            let _ = writeln!(text, "  {}{article}: {what}", incident.called(labels));
            for (name, value) in self.notes(incident, labels) {
                let _ = writeln!(text, "  {name}: {}", clean(&value));
            }
        }
        if !self.open.is_empty() {
            let _ = write!(text, "\n{}\n\n", labels.open);
            for open in &self.open {
                let _ = writeln!(text, "  {}", clean(open));
            }
        }
        let _ = write!(text, "\n{}\n\n", labels.moves);
        for row in &self.moves {
            let _ = writeln!(text, "{}", clean(&self.move_line(row, labels)));
        }
        text
    }

    /// Further facts about an incident, each with its name.
    fn notes(&self, incident: &Incident, labels: &ReportLabels) -> Vec<(&'static str, String)> {
        let rule = incident.article.map(|article| labels.rule(article)).unwrap_or_default();
        let mut notes = vec![
            (labels.rule, rule),
            (labels.by, incident.by.clone()),
            (labels.reason, incident.reason.clone()),
            (labels.seen, incident.detail.clone()),
            (labels.heard, incident.heard.join(" | ")),
        ];
        notes.retain(|(_, value)| !value.trim().is_empty());
        notes
    }

    fn move_line(&self, row: &MoveRow, labels: &ReportLabels) -> String {
        let mut line = format!("{} {}", row.number, row.san);
        for (name, value) in self.cells(row, labels).into_iter().skip(2) {
            if !value.is_empty() {
                line += &format!(" | {name} {value}");
            }
        }
        line
    }

    fn cells(&self, row: &MoveRow, labels: &ReportLabels) -> Vec<(&'static str, String)> {
        let clock = |ms: Option<u64>| ms.map(clock_text).unwrap_or_default();
        vec![
            (labels.number, row.number.clone()),
            (labels.mv, row.san.clone()),
            (labels.touched, if row.said { labels.said.to_owned() } else { row.touched.clone() }),
            (labels.heard, row.heard.join("; ")),
            (labels.announced, self.since(row.announced)),
            (labels.made, self.since(row.made)),
            (labels.completed, row.completed.map(|at| self.since(at)).unwrap_or_default()),
            (labels.white_clock, clock(row.clock_ms.map(|(white, _)| white))),
            (labels.black_clock, clock(row.clock_ms.map(|(_, black)| black))),
        ]
    }

    /// A page that prints on A4.
    pub fn to_html(&self, labels: &ReportLabels) -> String {
        let mut body = format!("<h1>{}</h1>\n", escape(labels.title));
        body += &facts(&self.head(labels));
        body += &format!("<h2>{}</h2>\n", escape(labels.incidents));
        if self.incidents.is_empty() {
            body += &format!("<p>{}</p>\n", escape(labels.none));
        } else {
            body += &self.incident_table(labels);
        }
        if !self.open.is_empty() {
            body += &format!("<h2>{}</h2>\n<ul>\n", escape(labels.open));
            for open in &self.open {
                body += &format!("<li>{}</li>\n", escape(open));
            }
            body += "</ul>\n";
        }
        if let Some(chart) = self.chart(labels) {
            body += &format!("<h2>{}</h2>\n{chart}", escape(labels.times_by_move));
        }
        body += &format!("<h2>{}</h2>\n", escape(labels.short_moves));
        body += &self.short_table(labels);
        let name = |index: usize, side: &str, color: Color| {
            let signed = if self.signed.contains(&color) {
                format!(" ({})", labels.signed)
            } else {
                String::new()
            };
            format!("{}, {side} {}{signed}", labels.signature, self.players[index])
        };
        body += &signatures(&[
            name(0, labels.white, Color::White),
            name(1, labels.black, Color::Black),
            format!("{}, {}", labels.signature, labels.arbiter),
        ]);
        body += &format!("<h2 class=\"next-page\">{}</h2>\n", escape(labels.moves));
        body += &format!("<p>{}</p>\n", escape(labels.times));
        body += &format!(
            "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"{}\">\n{}</div>\n",
            escape(labels.moves),
            self.move_table(labels)
        );
        let title = format!("{} {}", labels.title, self.game);
        document(labels.lang, &title, &body)
    }

    /// Both players' times by move.
    fn chart(&self, labels: &ReportLabels) -> Option<String> {
        let times: Vec<(u64, u64)> = self.moves.iter().map_while(|row| row.clock_ms).collect();
        let first = self.first.0.saturating_sub(1) * 2 + u32::from(self.first.1.is_black());
        let (title, white, black) = (labels.times_by_move, labels.white, labels.black);
        picture::times(first, &times, ChartWords { title, white, black })
    }

    /// The moves with the times after them, a number a row: what fits on a page.
    fn short_table(&self, labels: &ReportLabels) -> String {
        let mut table = format!(
            "<table class=\"dense\">\n<caption class=\"heard\">{}</caption>\n<thead>\n<tr>",
            labels.short_moves
        );
        for name in
            [labels.number, labels.white, labels.white_clock, labels.black, labels.black_clock]
        {
            table += &format!("<th scope=\"col\">{}</th>", escape(name));
        }
        table += "</tr>\n</thead>\n<tbody>\n";
        let clock = |row: &MoveRow, white: bool| {
            let own =
                row.clock_ms.map(|(of_white, of_black)| if white { of_white } else { of_black });
            own.map(clock_text).unwrap_or_default()
        };
        let cells = |row: Option<&MoveRow>, white: bool| match row {
            Some(row) => format!(
                "<td>{}</td><td class=\"right\">{}</td>",
                escape(&row.san),
                clock(row, white)
            ),
            None => "<td></td><td></td>".to_owned(),
        };
        // A game may begin with Black's move.
        let (alone, pairs) =
            self.moves.split_at(usize::from(self.first.1.is_black()).min(self.moves.len()));
        let rows = alone.iter().map(|black| (None, Some(black)));
        let rows = rows.chain(pairs.chunks(2).map(|pair| (pair.first(), pair.get(1))));
        for ((white, black), number) in rows.zip(self.first.0..) {
            table += &format!(
                "<tr><th scope=\"row\">{number}.</th>{}{}</tr>\n",
                cells(white, true),
                cells(black, false)
            );
        }
        table + "</tbody>\n</table>\n"
    }

    /// The board at an incident: in words too, for whoever does not see it.
    fn board(&self, incident: &Incident, labels: &ReportLabels) -> String {
        let wording = labels.wording();
        let side =
            |name: &str, color| format!("{name}: {}.", wording.pieces(&incident.board, color));
        let words = format!(
            "{}. {} {}",
            labels.position,
            side(labels.white, Color::White),
            side(labels.black, Color::Black)
        );
        picture::board(&incident.board, &words)
    }

    fn incident_table(&self, labels: &ReportLabels) -> String {
        let mut table = format!(
            "<table class=\"incidents\">\n<caption class=\"heard\">{}</caption>\n<thead>\n<tr>",
            labels.incidents
        );
        let columns = [
            labels.time,
            labels.at_move,
            labels.article,
            labels.what,
            labels.white_clock,
            labels.black_clock,
        ];
        for column in columns {
            table += &format!("<th scope=\"col\">{}</th>", escape(column));
        }
        table += "</tr>\n</thead>\n<tbody>\n";
        // One picture for all that happened in a position.
        let mut shown: Option<&Board> = None;
        for incident in &self.incidents {
            let article = incident.article.map(|article| article.to_string()).unwrap_or_default();
            let text = escape(&incident.text);
            let text = match incident.english {
                true => format!("<span lang=\"en\">{text}</span>"),
                false => text,
            };
            let mut what = format!("<strong>{}</strong>: {text}", escape(incident.called(labels)));
            for (name, value) in self.notes(incident, labels) {
                let (name_html, value_html) = (escape(name), escape(&value));
                what += &if name == labels.heard {
                    format!("<br>{name_html}: <samp>{value_html}</samp>")
                } else {
                    format!("<br>{name_html}: {value_html}")
                };
            }
            if shown != Some(&incident.board) && incident.kind.needs_board() {
                what += &self.board(incident, labels);
                shown = Some(&incident.board);
            }
            table += &format!(
                "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td class=\"what\">{what}</td>\
                 <td class=\"right\" data-clock=\"{}\">{}</td><td class=\"right\" data-clock=\"{}\">{}</td></tr>\n",
                self.since(incident.at),
                self.move_number(incident.plies),
                escape(&article),
                escape(labels.white_clock),
                clock_text(incident.clock_ms.0),
                escape(labels.black_clock),
                clock_text(incident.clock_ms.1),
            );
        }
        table + "</tbody>\n</table>\n"
    }

    fn move_table(&self, labels: &ReportLabels) -> String {
        let mut table = format!(
            "<table class=\"dense\">\n<caption class=\"heard\">{}</caption>\n<thead>\n<tr>",
            labels.moves
        );
        for name in labels.move_columns() {
            table += &format!("<th scope=\"col\">{}</th>", escape(name));
        }
        table += "</tr>\n</thead>\n<tbody>\n";
        for row in &self.moves {
            table += "<tr>";
            for (index, (_, value)) in self.cells(row, labels).into_iter().enumerate() {
                table += &match index {
                    0 => format!("<th scope=\"row\">{}</th>", escape(&value)),
                    // What was heard is in the language of the game.
                    3 => format!("<td><samp>{}</samp></td>", escape(&value)),
                    1..=2 => format!("<td>{}</td>", escape(&value)),
                    _ => format!("<td class=\"right\">{}</td>", escape(&value)),
                };
            }
            table += "</tr>\n";
        }
        table + "</tbody>\n</table>\n"
    }
}
