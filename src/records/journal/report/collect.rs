//! The report's facts, from a game played again.

use serde_json::Value;
use shakmaty::{Color, Position};

use super::{
    super::{
        export::{clock_text, pgn_date},
        page::clean,
    },
    Incident, Kind, MoveRow, Report, act_text,
};
use annabella_core::{
    game::{Act, Adjourn, At, Conclusion, Envelope, Game, Input, Output, Record, Ruled},
    laws::Article,
};

/// What was heard on one move; of more only the last are told.
const MOST_HEARD: usize = 6;

/// What is gathered while the game is played again.
#[derive(Default)]
struct Collector {
    incidents: Vec<Incident>,
    /// Heard since the last made move.
    heard: Vec<String>,
    /// Heard for each made move.
    heard_of: Vec<Vec<String>>,
    arbiters: Vec<String>,
    offers: usize,
    /// The moment of the last input.
    last: Option<At>,
    german: bool,
}

pub(super) fn collect(number: i64, inputs: &[(At, Input)], german: bool) -> Option<Report> {
    let began = inputs.first()?.0;
    let mut game = Game::new();
    let mut collector = Collector { german, ..Collector::default() };
    for (at, input) in inputs {
        collector.input(*at, input, &game);
        let (outputs, refused) = match game.handle(*at, input.clone()) {
            Ok(outputs) => (outputs, None),
            Err(refused) => (refused.meanwhile.clone(), Some(refused)),
        };
        let record = game.record()?;
        let moment = Moment::of(*at, &record);
        for output in &outputs {
            collector.output(&moment, output, &record);
        }
        if let Some(refused) = refused {
            let heard = collector.heard_now();
            collector.incidents.push(Incident {
                article: Some(refused.article),
                text: refused.text,
                heard,
                ..moment.incident(Kind::Refused)
            });
        }
        collector.offers(&moment, &record);
        collector.last = Some(*at);
    }
    let record = game.record()?;
    Some(collector.finish(number, began, &record))
}

/// A moment with how the game stands.
struct Moment {
    at: At,
    plies: usize,
    clock_ms: (u64, u64),
}

impl Moment {
    fn of(at: At, record: &Record<'_>) -> Moment {
        let (white_ms, black_ms, _) = record.clock;
        Moment { at, plies: record.line.len(), clock_ms: (white_ms, black_ms) }
    }

    fn incident(&self, kind: Kind) -> Incident {
        Incident {
            at: self.at,
            kind,
            plies: self.plies,
            clock_ms: self.clock_ms,
            article: None,
            text: String::new(),
            by: String::new(),
            reason: String::new(),
            noted: true,
            detail: String::new(),
            heard: Vec::new(),
        }
    }
}

impl Collector {
    fn heard_now(&self) -> Vec<String> {
        let from = self.heard.len().saturating_sub(MOST_HEARD);
        self.heard[from..].to_vec()
    }

    fn arbiter(&mut self, name: &str) {
        let name = clean(name);
        if !name.is_empty() && !self.arbiters.contains(&name) {
            self.arbiters.push(name);
        }
    }

    /// The game is adjourned, or its envelope was opened just before.
    fn at_desk(&self, game: &Game, record: &Record<'_>) -> bool {
        let opened = record.adjournment.and_then(|adjournment| adjournment.opened);
        game.is_adjourned() || (opened.is_some() && opened == self.last)
    }

    /// What an input says by itself, before the game has taken it.
    fn input(&mut self, at: At, input: &Input, game: &Game) {
        let Some(record) = game.record() else { return };
        let moment = Moment::of(at, &record);
        match input {
            // At the arbiter's desk nothing was interrupted (I.7).
            Input::Resumed if self.at_desk(game, &record) => {}
            Input::Resumed => self.incidents.push(Incident {
                text: if self.german {
                    "das Programm stand still und ist wieder da; die Uhren standen"
                } else {
                    "the program was stopped and is back; the clocks stood still"
                }
                .to_owned(),
                noted: false,
                ..moment.incident(Kind::Interruption)
            }),
            Input::Adjourn(step) => {
                let (by, reason) = step.decided();
                self.arbiter(by);
                let (article, text) = adjourn_text(step, self.german);
                self.incidents.push(Incident {
                    article: Some(article),
                    text,
                    by: by.to_owned(),
                    reason: reason.to_owned(),
                    noted: false,
                    ..moment.incident(Kind::Adjournment)
                });
            }
            Input::Said { heard, .. } => {
                if let Some(text) = heard.first() {
                    self.heard.push(format!("\"{}\"", clean(text)));
                }
            }
            _ => {}
        }
    }

    fn output(&mut self, moment: &Moment, output: &Output, record: &Record<'_>) {
        match output {
            Output::Heard(heard) => self.heard.push(heard.line()),
            Output::Problem { article, text, detail } => {
                let heard = self.heard_now();
                self.incidents.push(Incident {
                    article: Some(*article),
                    text: text.clone(),
                    detail: detail_text(detail),
                    heard,
                    ..moment.incident(Kind::Problem)
                });
            }
            Output::Proposal(proposal) if proposal.is_open() => {
                let choices: Vec<String> =
                    proposal.choices.iter().map(|act| act_text(act, false)).collect();
                self.incidents.push(Incident {
                    article: Some(proposal.article),
                    text: format!(
                        "proposal {}: {} ({})",
                        proposal.number,
                        choices.join(", or "),
                        proposal.text
                    ),
                    ..moment.incident(Kind::Proposal)
                });
            }
            Output::Ruled(ruled) => self.ruled(moment, ruled, record),
            Output::Result { result, reason, article } => self.incidents.push(Incident {
                article: Some(*article),
                text: format!("{result}: {reason}"),
                ..moment.incident(Kind::Result)
            }),
            _ => {}
        }
    }

    fn ruled(&mut self, moment: &Moment, ruled: &Ruled, record: &Record<'_>) {
        let ruling = &ruled.ruling;
        self.arbiter(&ruling.by);
        let text = match (&ruling.act, &ruled.done) {
            (Act::ConfirmProposal { number, .. }, Some(done)) => {
                let word = if self.german { "bestätigt Vorschlag" } else { "confirms proposal" };
                format!("{word} {number}: {}", act_text(done, self.german))
            }
            (act, _) => act_text(act, self.german),
        };
        let article = match ruled.done.as_ref().unwrap_or(&ruling.act) {
            Act::Penalty { penalty, .. } => Some(penalty.article()),
            Act::Declare { article, .. } => Some(*article),
            Act::Settle(_) => Some(Article::D_2_9),
            Act::SetClock { .. } => Some(Article::A6_10_2),
            _ => None,
        };
        let clocks =
            |(white, black): (u64, u64)| format!("{} {}", clock_text(white), clock_text(black));
        let mut detail = String::new();
        if ruled.before_ms != ruled.after_ms {
            detail = format!("clocks {} -> {}", clocks(ruled.before_ms), clocks(ruled.after_ms));
        }
        if matches!(ruling.act, Act::Settle(_))
            && let Some(decision) = record.decisions.last()
        {
            let struck: Vec<&str> = decision.struck.iter().map(|ply| ply.san.as_str()).collect();
            let parts = [
                format!("proposed: {}", decision.explanation),
                if decision.as_proposed { String::new() } else { "decided otherwise".to_owned() },
                match struck.as_slice() {
                    [] => String::new(),
                    struck => {
                        format!(
                            "struck from half-move {}: {}",
                            decision.struck_from,
                            struck.join(" ")
                        )
                    }
                },
                decision.clock_source.clone().map(|of| format!("clocks: {of}")).unwrap_or_default(),
                detail,
            ];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            detail = parts.join("; ");
        }
        self.incidents.push(Incident {
            article,
            text,
            by: ruling.by.clone(),
            reason: ruling.reason.clone(),
            noted: false,
            detail,
            ..moment.incident(Kind::Decision)
        });
    }

    /// Offers that have come since, and made moves, with what was heard for them.
    fn offers(&mut self, moment: &Moment, record: &Record<'_>) {
        for offer in record.offers.iter().skip(self.offers) {
            let who = side_in(offer.by, self.german);
            let what = if self.german { "bietet Remis an (=)" } else { "offers a draw (=)" };
            self.incidents.push(Incident {
                article: Some(Article::A8_1_5),
                text: format!("{who} {what}"),
                noted: false,
                ..moment.incident(Kind::Offer)
            });
        }
        self.offers = record.offers.len();
        self.heard_of.truncate(record.line.len());
        while self.heard_of.len() < record.line.len() {
            self.heard_of.push(std::mem::take(&mut self.heard));
        }
    }

    fn finish(mut self, number: i64, began: At, record: &Record<'_>) -> Report {
        let first = (record.start.fullmoves().get(), record.start.turn());
        if let Some(adjournment) = record.adjournment {
            self.arbiter(&adjournment.arbiter);
        }
        let mut report = Report {
            game: number,
            players: [record.config.white.clone(), record.config.black.clone()],
            date: pgn_date(record.unix_s),
            time_control: record.config.time_control.clone(),
            arbiters: self.arbiters,
            result: match record.ended {
                Some(ended) => format!("{} ({}, {})", ended.result, ended.reason, ended.article),
                None => String::new(),
            },
            began,
            first,
            incidents: self.incidents,
            open: record
                .proposals
                .iter()
                .filter(|proposal| proposal.is_open())
                .map(|p| format!("{}. {}: {}", p.number, p.article, p.text))
                .collect(),
            moves: Vec::new(),
            signed: record.signatures.iter().map(|signature| signature.by).collect(),
        };
        let mut heard_of = self.heard_of.into_iter();
        report.moves = record
            .line
            .iter()
            .enumerate()
            .map(|(n, ply)| MoveRow {
                number: report.move_number(n),
                san: ply.san.clone(),
                touched: ply.touched.iter().map(ToString::to_string).collect::<Vec<_>>().join(" "),
                heard: heard_of.next().unwrap_or_default(),
                announced: ply.announced,
                made: ply.made,
                completed: ply.completed,
                clock_ms: ply.clock_ms,
            })
            .collect();
        report
    }
}

fn side(color: Color) -> &'static str {
    if color.is_white() { "White" } else { "Black" }
}

/// What was seen, as a line: `touched: e2 e4, must: e2`.
fn detail_text(detail: &Value) -> String {
    fn value(of: &Value) -> String {
        match of {
            Value::String(text) => text.clone(),
            Value::Array(all) => all.iter().map(value).collect::<Vec<_>>().join(" "),
            Value::Object(_) => detail_text(of),
            Value::Null => String::new(),
            other => other.to_string(),
        }
    }
    match detail {
        Value::Object(fields) => fields
            .iter()
            .map(|(name, of)| match (name.strip_suffix("_ms"), of.as_u64()) {
                (Some(name), Some(ms)) => (name, clock_text(ms)),
                _ => (name.as_str(), value(of)),
            })
            .filter(|(_, of)| !of.is_empty())
            .map(|(name, of)| format!("{}: {of}", name.replace('_', " ")))
            .collect::<Vec<_>>()
            .join(", "),
        other => value(other),
    }
}

/// A step of an adjournment: its article, and what it is.
fn adjourn_text(step: &Adjourn, german: bool) -> (Article, String) {
    let say = |english: &str, in_german: &str| {
        if german { in_german.to_owned() } else { english.to_owned() }
    };
    match step {
        Adjourn::Invited { session_left_ms, reply, .. } => {
            let mut text = if *reply {
                say(
                    "the player on move may seal his reply: his opponent has not come",
                    "der Spieler am Zug darf seine Antwort abgeben: der Gegner ist nicht da",
                )
            } else {
                say(
                    "the player on move is asked to seal his move",
                    "der Spieler am Zug soll seinen Zug abgeben",
                )
            };
            if let Some(ms) = session_left_ms {
                let before = say("before the end of the session", "vor dem Ende der Sitzung");
                text += &format!(", {} {before}", clock_text(*ms));
            }
            (if *reply { Article::I_9 } else { Article::I_1_1 }, text)
        }
        Adjourn::Withdrawn { .. } => (
            Article::I_1,
            say(
                "no move is to be sealed: the game goes on",
                "doch keine Abgabe: die Partie geht weiter",
            ),
        ),
        Adjourn::Sealed { envelope: Envelope::Age(_) } => (
            Article::I_1_1,
            say("the move is sealed, encrypted", "der Zug ist abgegeben, verschlüsselt"),
        ),
        Adjourn::Sealed { envelope: Envelope::Paper } => (
            Article::I_1_1,
            say("the move is sealed, on paper", "der Zug ist abgegeben, auf Papier"),
        ),
        Adjourn::Appointed(of) => {
            let what = say("resumption", "Wiederaufnahme");
            (Article::I_2, format!("{what}: {}, {}, {}", of.date, of.time, of.place))
        }
        Adjourn::Offered { by } => {
            let what = say("offers a draw after the sealing", "bietet nach der Abgabe Remis an");
            (Article::I_4, format!("{} {what}", side_in(*by, german)))
        }
        Adjourn::Declined => {
            (Article::I_4, say("the offer is declined", "das Angebot ist abgelehnt"))
        }
        Adjourn::Concluded { conclusion: Conclusion::Draw, .. } => (
            Article::I_6,
            say("the players have agreed to a draw", "die Spieler haben sich auf Remis geeinigt"),
        ),
        Adjourn::Concluded { conclusion: Conclusion::Resigned(color), .. } => {
            let what = say("has resigned", "hat aufgegeben");
            (Article::I_6, format!("{} {what}", side_in(*color, german)))
        }
        Adjourn::Concluded { conclusion: Conclusion::Annulled, .. } => (
            Article::I_12,
            say(
                "nobody knows the position: the game is annulled",
                "niemand kennt die Stellung: die Partie ist ungültig",
            ),
        ),
        Adjourn::ClockStarted { .. } => (
            Article::I_9,
            say(
                "the clock of the player who must reply is started, he has not come",
                "die Uhr dessen, der antworten muss, ist gestartet, er ist nicht da",
            ),
        ),
        Adjourn::Opened { written, .. } => {
            let what = say("the envelope is opened", "der Umschlag ist geöffnet");
            (Article::I_7, format!("{what}: \"{written}\""))
        }
        Adjourn::Lost { .. } => (
            Article::I_12,
            say(
                "the envelope is lost: from the adjourned position",
                "der Umschlag ist verloren: weiter aus der Hängestellung",
            ),
        ),
        Adjourn::Read { uci, .. } => {
            let what = say("the sealed move is read as", "der Abgabezug wird gelesen als");
            (Article::I_8, format!("{what} {uci}"))
        }
    }
}

fn side_in(color: Color, german: bool) -> &'static str {
    match (color, german) {
        (Color::White, true) => "Weiß",
        (Color::Black, true) => "Schwarz",
        (color, false) => side(color),
    }
}
