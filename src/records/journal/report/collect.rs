//! The report's facts, from a game played again.

use std::collections::BTreeMap;

use serde_json::Value;
use shakmaty::{Board, Position, san::SanPlus, uci::UciMove};

use super::{
    super::{
        export::{clock_text, local, pgn_date},
        page::clean,
        wording::Wording,
    },
    Incident, MoveRow, Report, ReportSubject, act_note, taken_back, taken_back_text,
};
use annabella_core::{
    game::{
        Adjourn, ArbiterAct, At, Conclusion, DecidedBy, Envelope, Game, HeardAs, Input, Output,
        PageAct, Record, Refused, Ruled,
    },
    laws::Article,
};
use annabella_words::phrase::Note;

/// The most utterances listed for one move. Of more, the last are listed.
const MOST_HEARD: usize = 6;

/// Facts collected while the game is replayed.
struct Collector {
    incidents: Vec<Incident>,
    /// Heard since the last made move.
    heard: Vec<String>,
    /// How many of those moved a move on: the others may decide something else.
    of_moves: usize,
    /// Heard with the input that is looked at.
    fresh: Vec<String>,
    /// Heard for the move with this number of half-moves.
    heard_of: BTreeMap<usize, Vec<String>>,
    /// Half-moves made so far.
    made: usize,
    /// The game was over after the last input.
    over: bool,
    arbiters: Vec<String>,
    offers: usize,
    /// The moment of the last input.
    last: Option<At>,
    wording: &'static Wording,
}

pub(super) fn collect(
    number: i64,
    inputs: &[(At, Input)],
    wording: &'static Wording,
) -> Option<Report> {
    let began = inputs.first()?.0;
    let mut game = Game::new();
    let mut collector = Collector {
        incidents: Vec::new(),
        heard: Vec::new(),
        of_moves: 0,
        fresh: Vec::new(),
        heard_of: BTreeMap::new(),
        made: 0,
        over: false,
        arbiters: Vec::new(),
        offers: 0,
        last: None,
        wording,
    };
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
        // Hands go on to the clock after the end: nothing has happened.
        let late = game.ended().is_some()
            && matches!(input, Input::Page(entry) if matches!(entry.act, PageAct::Pressed { .. }));
        let slip = |refused: &Refused| mistyped(input, &refused.text);
        if let Some(refused) = refused.filter(|refused| !late && !slip(refused)) {
            let heard = collector.heard_now();
            collector.incidents.push(Incident {
                article: Some(refused.article),
                text: wording.note(&refused.text),
                heard,
                ..moment.incident(ReportSubject::Refused)
            });
        }
        collector.offers(&moment, &record);
        collector.place(&outputs, &record);
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
    board: Board,
}

impl Moment {
    fn of(at: At, record: &Record<'_>) -> Moment {
        let (white_ms, black_ms, _) = record.clock;
        let board = record.position.board().clone();
        Moment { at, plies: record.line.len(), clock_ms: (white_ms, black_ms), board }
    }

    fn incident(&self, kind: ReportSubject) -> Incident {
        Incident {
            at: self.at,
            kind,
            plies: self.plies,
            clock_ms: self.clock_ms,
            board: self.board.clone(),
            label: None,
            article: None,
            text: String::new(),
            english: false,
            by: String::new(),
            reason: String::new(),
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

    /// Heard since the last word that moved a move on: what an offer or a result was said with.
    fn deciding(&self) -> Vec<String> {
        let from = self.of_moves.max(self.heard.len().saturating_sub(MOST_HEARD));
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
        let opened =
            record.adjournment().and_then(|adjournment| Some(adjournment.opened.as_ref()?.at));
        game.is_adjourned() || (opened.is_some() && opened == self.last)
    }

    /// Notes an input by itself, before the game has taken it.
    fn input(&mut self, at: At, input: &Input, game: &Game) {
        let Some(record) = game.record() else { return };
        let moment = Moment::of(at, &record);
        match input {
            // At the arbiter's desk nothing was interrupted (I.7).
            Input::Resumed if self.at_desk(game, &record) => {}
            Input::Resumed => self.incidents.push(Incident {
                text: self.wording.note(&Note::StoppedAndBack),
                ..moment.incident(ReportSubject::Interruption)
            }),
            Input::TakenOver => self.incidents.push(Incident {
                text: self.wording.note(&Note::AnotherBoard),
                ..moment.incident(ReportSubject::Interruption)
            }),
            Input::Adjourn(step) => {
                let (by, reason) = step.decided();
                self.arbiter(by);
                let (article, note) = adjourn_note(step);
                self.incidents.push(Incident {
                    article: Some(article),
                    text: self.wording.note(&note),
                    by: by.to_owned(),
                    reason: reason.to_owned(),
                    ..moment.incident(ReportSubject::Adjournment)
                });
            }
            Input::Said { heard, .. } => {
                if let Some(text) = heard.first() {
                    self.hears(format!("\"{}\"", clean(text)));
                }
            }
            _ => {}
        }
    }

    fn output(&mut self, moment: &Moment, output: &Output, record: &Record<'_>) {
        match output {
            Output::Heard(heard) => {
                let text = match (self.wording.code, &heard.uci) {
                    ("en", _) => heard.line(),
                    (_, Some(uci)) => {
                        let mv = self.move_text(uci, record);
                        HeardAs { uci: Some(mv), ..(**heard).clone() }.brief()
                    }
                    (_, None) => heard.brief(),
                };
                self.hears(text);
            }
            Output::Problem { article, text, detail, .. } => {
                let heard = self.heard_now();
                self.incidents.push(Incident {
                    article: Some(*article),
                    text: self.wording.note(text),
                    english: matches!(text, Note::English(_)),
                    detail: if self.wording.code == "en" {
                        detail_text(detail)
                    } else {
                        String::new()
                    },
                    heard,
                    ..moment.incident(ReportSubject::Problem)
                });
            }
            Output::Proposal(proposal) if proposal.is_open() => {
                let say = |note: &Note| self.wording.note(note);
                let choices: Vec<String> =
                    proposal.choices.iter().map(|act| say(&act_note(act))).collect();
                self.incidents.push(Incident {
                    article: Some(proposal.article),
                    label: Some(capital(&say(&Note::Proposal { number: proposal.number }))),
                    text: format!("{} ({})", choices.join(" / "), say(&proposal.text)),
                    ..moment.incident(ReportSubject::Proposal)
                });
            }
            Output::Settled(settled) => self.taken_back(moment, settled.number, record),
            Output::Ruled(ruled) => self.ruled(moment, ruled, record),
            Output::Result { result, reason, article } => self.incidents.push(Incident {
                article: Some(*article),
                text: format!("{result}: {}", self.wording.note(reason)),
                heard: if ends_by_itself(reason) { Vec::new() } else { self.deciding() },
                ..moment.incident(ReportSubject::Result)
            }),
            _ => {}
        }
    }

    /// At home a player has taken his move back, or the game went back to where both records agree.
    fn taken_back(&mut self, moment: &Moment, number: u32, record: &Record<'_>) {
        let decided = record.decisions.iter().find(|decision| decision.number == number);
        let Some(decision) = decided else { return };
        let note = match decision.by {
            DecidedBy::Player(player) => Note::MoveTakenBack { player },
            DecidedBy::Records => Note::RecordsAgreeSoFar,
            DecidedBy::Ruling(_) => return,
        };
        let moves = decision.struck.iter().map(|ply| ply.san.as_str().into()).collect();
        self.incidents.push(Incident {
            text: self.wording.note(&note),
            detail: self.wording.note(&Note::StruckFrom { ply: decision.struck_from, moves }),
            ..moment.incident(ReportSubject::Decision)
        });
    }

    fn ruled(&mut self, moment: &Moment, ruled: &Ruled, record: &Record<'_>) {
        let ruling = &ruled.ruling;
        self.arbiter(&ruling.by);
        let text = match (&ruling.act, &ruled.done) {
            (ArbiterAct::ConfirmProposal { number, .. }, Some(done)) => {
                Note::ConfirmsAct { number: *number, act: Box::new(act_note(done)) }
            }
            (act, _) => act_note(act),
        };
        let before = taken_back(ruled, record.rulings);
        // What is taken back is called by its article, not a clock that was set wrongly (A.6.10.2).
        let of = before.unwrap_or(ruled);
        let article = match of.done.as_ref().unwrap_or(&ruling.act) {
            ArbiterAct::Penalty { penalty, .. } => Some(penalty.article()),
            ArbiterAct::Declare { article, .. } => Some(*article),
            ArbiterAct::Settle(_) => Some(Article::D_2_9),
            ArbiterAct::SetClock { .. } => Some(Article::A6_10_2),
            _ => None,
        };
        let clocks =
            |(white, black): (u64, u64)| format!("{} {}", clock_text(white), clock_text(black));
        let mut detail = String::new();
        if ruled.before_ms != ruled.after_ms {
            let (before, after) = (clocks(ruled.before_ms), clocks(ruled.after_ms));
            detail = self.wording.note(&Note::ClocksFromTo { before, after });
        }
        if matches!(ruling.act, ArbiterAct::Settle(_))
            && let Some(decision) = record.decisions.last()
        {
            let say = |note: &Note| self.wording.note(note);
            let struck = decision.struck.iter().map(|ply| ply.san.as_str());
            let mut parts = vec![
                if decision.proposed.followed {
                    String::new()
                } else {
                    say(&Note::DecidedOtherwise)
                },
                match decision.struck.as_slice() {
                    [] => String::new(),
                    _ => say(&Note::StruckFrom {
                        ply: decision.struck_from,
                        moves: struck.map(Into::into).collect(),
                    }),
                },
                detail,
            ];
            parts.extend(
                decision
                    .struck_offers
                    .iter()
                    .map(|offer| say(&Note::OfferStruck { player: offer.by })),
            );
            // What was proposed, and where its times come from, is the program's English.
            if self.wording.code == "en" {
                parts.insert(
                    0,
                    format!("proposed: {}", decision.proposed.explanation.trim_end_matches('.')),
                );
                parts.extend(
                    decision.proposed.clock_source.clone().map(|of| format!("clocks: {of}")),
                );
            }
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            detail = parts.join("; ");
        }
        self.incidents.push(Incident {
            article,
            text: match before {
                Some(before) => taken_back_text(ruled, before, |note| self.wording.note(note)),
                None => self.wording.note(&text),
            },
            by: ruling.by.clone(),
            reason: ruling.reason.clone(),
            detail,
            ..moment.incident(ReportSubject::Decision)
        });
    }

    /// Offers that have come since, and made moves, with what was heard for them.
    fn offers(&mut self, moment: &Moment, record: &Record<'_>) {
        for offer in record.offers().iter().skip(self.offers) {
            self.incidents.push(Incident {
                article: Some(Article::A8_1_5),
                text: self.wording.note(&Note::OffersDrawRecorded { player: offer.by }),
                heard: self.deciding(),
                ..moment.incident(ReportSubject::Offer)
            });
        }
        self.offers = record.offers().len();
    }

    fn hears(&mut self, text: String) {
        self.heard.push(text.clone());
        self.fresh.push(text);
    }

    /// A move in UCI as it is written in this language.
    fn move_text(&self, uci: &str, record: &Record<'_>) -> String {
        let last = record.line.last();
        let made = last.filter(|ply| UciMove::from_standard(ply.mv).to_string() == uci);
        let legal = || {
            let mv = uci.parse::<UciMove>().ok()?.to_move(record.position).ok()?;
            Some(SanPlus::from_move(record.position.clone(), mv).to_string())
        };
        let san = made.map(|ply| ply.san.clone()).or_else(legal);
        san.map_or(uci.to_owned(), |san| self.wording.san(&san))
    }

    /// What was heard belongs to the move that it moved on, else to the one that is not completed,
    /// else to the next. What ended the game stands with the result.
    fn place(&mut self, outputs: &[Output], record: &Record<'_>) {
        let made = record.line.len();
        if made < self.made {
            self.heard_of.retain(|ply, _| *ply <= made);
        }
        let moved_on = outputs.iter().filter_map(|output| match output {
            Output::Move { ply, .. } => usize::try_from(*ply).ok(),
            _ => None,
        });
        let open = record.line.last().is_some_and(|ply| ply.completed.is_none());
        let over = record.is_over();
        let ended = over && !self.over;
        let moved_on = moved_on.max();
        let ply = moved_on.unwrap_or(made + usize::from(!open && !over));
        let fresh = std::mem::take(&mut self.fresh);
        if !fresh.is_empty() && (moved_on.is_some() || !ended) {
            self.heard_of.entry(ply).or_default().extend(fresh);
        }
        if made > self.made {
            self.heard.clear();
        }
        if made > self.made || moved_on.is_some() {
            self.of_moves = self.heard.len();
        }
        (self.made, self.over) = (made, over);
    }

    fn finish(mut self, number: i64, began: At, record: &Record<'_>) -> Report {
        let first = (record.start().fullmoves().get(), record.start().turn());
        if let Some(adjournment) = record.adjournment() {
            self.arbiter(&adjournment.invitation.arbiter);
        }
        let mut report = Report {
            game: number,
            players: [record.config.white.clone(), record.config.black.clone()],
            date: began_at(record.unix_s(), self.wording),
            time_control: record.config.time_control.clone(),
            at_home: record.config.at_home,
            arbiters: self.arbiters,
            result: match record.ended {
                Some(ended) => format!(
                    "{} ({}, {})",
                    ended.result,
                    self.wording.note(&ended.reason),
                    ended.article
                ),
                None => String::new(),
            },
            began,
            first,
            incidents: self.incidents,
            open: record
                .proposals
                .iter()
                .filter(|proposal| proposal.is_open())
                .map(|p| format!("{}. {}: {}", p.number, p.article, self.wording.note(&p.text)))
                .collect(),
            moves: Vec::new(),
            signed: record.signatures().iter().map(|signature| signature.by).collect(),
        };
        let mut heard_of = self.heard_of;
        report.moves = record
            .line
            .iter()
            .enumerate()
            .map(|(n, ply)| MoveRow {
                number: report.move_number(n),
                san: self.wording.san(&ply.san),
                touched: ply
                    .hands
                    .touched
                    .iter()
                    .map(ToString::to_string)
                    .collect::<Vec<_>>()
                    .join(" "),
                heard: heard_of.remove(&(n + 1)).unwrap_or_default(),
                said: ply.said,
                announced: ply.announced.at,
                made: ply.made,
                completed: ply.completed,
                clock_ms: ply.clock_ms,
            })
            .collect();
        report
    }
}

/// What somebody entered on a page could not be read: a typing error, and no incident of the Laws.
fn mistyped(input: &Input, refused: &Note) -> bool {
    let entered = matches!(input, Input::Page(_) | Input::Entered { .. } | Input::Score { .. });
    entered
        && matches!(
            refused,
            Note::NoBoardOfFen
                | Note::NotBoardOfFen { .. }
                | Note::NotUci { .. }
                | Note::NothingWritten
                | Note::NoGameSoLong { .. }
                | Note::ScoreTooLong { .. }
                | Note::WriteOnFrom { .. }
        )
}

/// The position ends the game, whatever is said (5.1.1, 5.2, 9.6).
fn ends_by_itself(reason: &Note) -> bool {
    matches!(
        reason,
        Note::Checkmate | Note::Stalemate | Note::DeadPosition | Note::Fivefold | Note::SeventyFive
    )
}

/// When the game began, on this machine's wall clock: `27.11.2026, 14:05`. An unknown zone is
/// Greenwich.
fn began_at(unix_s: u64, wording: &Wording) -> String {
    let date = wording.date(&pgn_date(unix_s));
    match local(unix_s) {
        Some(here) => format!("{date}, {}", here.strftime("%H:%M")),
        None => date,
    }
}

/// As it begins a line.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The detail as one line: `touched: e2 e4, must: e2`. What is proposed stands on a line of its
/// own.
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
            .filter(|(name, of)| !of.is_empty() && !["number", "proposal"].contains(name))
            .map(|(name, of)| format!("{}: {of}", name.replace('_', " ")))
            .collect::<Vec<_>>()
            .join(", "),
        other => value(other),
    }
}

/// A step of an adjournment: its article, and what it is.
fn adjourn_note(step: &Adjourn) -> (Article, Note) {
    match step {
        Adjourn::Invited { session_left_ms, reply, .. } => {
            let (article, asked) = match reply {
                true => (Article::I_9, Note::MaySealReply),
                false => (Article::I_1_1, Note::AskedToSeal),
            };
            let note = match session_left_ms {
                Some(ms) => Note::BeforeSessionEnd { what: Box::new(asked), time: clock_text(*ms) },
                None => asked,
            };
            (article, note)
        }
        Adjourn::Withdrawn { .. } => (Article::I_1, Note::SealingWithdrawn),
        Adjourn::Sealed { envelope: Envelope::Age(_) } => (Article::I_1_1, Note::SealedEncrypted),
        Adjourn::Sealed { envelope: Envelope::Paper } => (Article::I_1_1, Note::SealedOnPaper),
        Adjourn::Appointed(of) => {
            let when = format!("{}, {}, {}", of.date, of.time, of.place);
            (Article::I_2, Note::ResumptionAt { when })
        }
        Adjourn::Offered { by } => (Article::I_4, Note::OffersAfterSealing { player: *by }),
        Adjourn::Declined => (Article::I_4, Note::OfferDeclined),
        Adjourn::Concluded { conclusion, .. } => match conclusion {
            Conclusion::Draw => (Article::I_6, Note::AgreedDraw),
            Conclusion::Resigned(player) => (Article::I_6, Note::HasResigned { player: *player }),
            Conclusion::Annulled => (Article::I_12, Note::NobodyKnows),
        },
        Adjourn::ClockStarted { .. } => (Article::I_9, Note::ClockOfAbsent),
        Adjourn::Opened { written, .. } => {
            (Article::I_7, Note::EnvelopeOpened { written: written.as_str().into() })
        }
        Adjourn::Lost { .. } => (Article::I_12, Note::EnvelopeLost),
        Adjourn::Read { uci, .. } => {
            (Article::I_8, Note::SealedReadAs { uci: uci.as_str().into() })
        }
    }
}
