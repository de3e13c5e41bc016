//! `annabella games`: the records.

mod adjourn;
mod replay;

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use shakmaty::{Color, Position, uci::UciMove};

use super::{Exit, Failure, LANGUAGES};
use crate::service::{
    standing::{self, GameStanding, Listed, Next},
    streams::{complain, in_own_language, noted, own_code, write_line},
};
use annabella_core::game::{At, DecidedBy, Decision, Game, HeardAs, Output, Ply, Record, Refused};
use annabella_core::laws::Article;
use annabella_records::journal::{
    self, GameId, GameRow, JournalError, Records, braille, date_in,
    export::{Labels, clock_text, pages, pgn_date},
    report::{Report, ReportLabels},
    san_in, views,
};
use annabella_words::phrase::Note;

/// Lists, shows and exports the games of a journal.
#[derive(Debug, clap::Args)]
pub struct GamesArgs {
    /// Configuration that names the journal; without one the first of ./annabella.toml,
    /// ~/.config/annabella/annabella.toml and the installed service's.
    #[arg(long, value_name = "FILE", global = true)]
    pub config: Option<PathBuf>,
    /// The journal itself.
    #[arg(long, value_name = "FILE", global = true, conflicts_with = "config")]
    pub journal: Option<PathBuf>,
    /// As JSON: list, show and replay.
    #[arg(long, global = true)]
    pub json: bool,
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// All games, a line each; or those that are asked for
    List(ListArgs),
    /// One game: each move with its moments, and what went wrong
    Show {
        /// The game's number.
        id: i64,
    },
    /// One game played again, input by input; with `--rules` what followed by itself
    Replay(replay::ReplayArgs),
    /// One game as a file for others, to standard output
    Export {
        /// The game's number.
        id: i64,
        /// Portable game notation with clock times (the default).
        #[arg(long, group = "form")]
        pgn: bool,
        /// Both players' score sheets.
        #[arg(long, group = "form")]
        sheet: bool,
        /// The arbiter's report: problems, decisions, the game move by move.
        #[arg(long, group = "form")]
        report: bool,
        /// The blind player's score in Braille, for an embosser (BRF).
        #[arg(long, group = "form")]
        braille: bool,
        /// Score sheets or report as a page that prints on A4.
        #[arg(long, conflicts_with_all = ["pgn", "braille"])]
        html: bool,
        /// Braille as Unicode's patterns.
        #[arg(long, requires = "braille")]
        unicode: bool,
        /// Words on score sheets and report; Braille has German and English.
        #[arg(long, value_name = "LANG", default_value = "de",
            value_parser = LANGUAGES)]
        lang: String,
    },
    /// Adjourn a game: seal the move, say when and where it goes on (Guideline I)
    Adjourn(adjourn::AdjournArgs),
    /// The envelope of an adjourned game, as a page to print (I.2)
    Envelope(adjourn::EnvelopeArgs),
    /// Open the envelope: the game can be resumed (I.7 to I.12)
    Open(adjourn::OpenArgs),
    /// End an adjourned game that is not resumed (I.6, I.12.2)
    Conclude(adjourn::ConcludeArgs),
    /// Save what can be read of a damaged journal into a new one, and name what is lost
    Repair {
        /// The new journal. There must be no such file yet.
        new: PathBuf,
    },
}

impl What {
    /// The name of a command that has no JSON to print.
    fn without_json(&self) -> Option<&'static str> {
        match self {
            What::List(_) | What::Show { .. } | What::Replay(_) => None,
            What::Export { .. } => Some("export"),
            What::Adjourn(_) => Some("adjourn"),
            What::Envelope(_) => Some("envelope"),
            What::Open(_) => Some("open"),
            What::Conclude(_) => Some("conclude"),
            What::Repair { .. } => Some("repair"),
        }
    }
}

impl From<JournalError> for Failure {
    fn from(err: JournalError) -> Failure {
        Failure::usage(err)
    }
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the journal or the game is not there.
pub fn run(args: &GamesArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    if let Some(name) = args.what.without_json().filter(|_| args.json) {
        return Err(Failure::usage(format!(
            "games {name} prints no JSON: leave --json out; games list, show and replay print it"
        )));
    }
    let path = match (&args.journal, &args.config) {
        (Some(path), _) => path.clone(),
        (None, config) => super::configuration(config.as_deref())?.0.journal.path,
    };
    match &args.what {
        What::Adjourn(adjourn) => return adjourn::adjourn(path, adjourn, out),
        What::Open(open) => return adjourn::open(path, open, out),
        What::Conclude(conclude) => return adjourn::conclude(path, conclude, out),
        What::Repair { new } => return repair(&path, new, out),
        _ => {}
    }
    let records = Records::open(path)?;
    if let Some(line) = records.lacks() {
        complain(&format!("journal {}: {line}", records.path().display()));
    }
    match &args.what {
        What::Adjourn(_) | What::Open(_) | What::Conclude(_) | What::Repair { .. } => {}
        What::Envelope(envelope) => adjourn::envelope(&records, envelope, out)?,
        What::List(wanted) => list(&records, wanted, args.json, out)?,
        What::Replay(wanted) => replay::replay(&records, wanted, args.json, out)?,
        What::Show { id } => show(&records, *id, args.json, out)?,
        What::Export { id, pgn: _, sheet, report, braille, html, unicode, lang } => {
            let wanted = match () {
                () if *report => Wanted::Report,
                () if *braille => Wanted::Braille { unicode: *unicode },
                () if *sheet || *html => Wanted::Sheet,
                () => Wanted::Pgn,
            };
            let text = export(&records, *id, wanted, *html, lang)?;
            write!(out, "{text}")?;
        }
    }
    Ok(Exit::Done)
}

fn repair(from: &Path, to: &Path, out: &mut dyn Write) -> Result<Exit, Failure> {
    let repaired = journal::repair(from, to)?;
    for line in &repaired.lost {
        write_line(out, line)?;
    }
    writeln!(out, "{} in {}", in_own_language(&repaired.saved()), to.display())?;
    Ok(if repaired.lost.is_empty() { Exit::Done } else { Exit::Problem })
}

#[derive(Clone, Copy, Debug)]
enum Wanted {
    Pgn,
    Sheet,
    Report,
    Braille { unicode: bool },
}

fn export(
    records: &Records,
    id: i64,
    wanted: Wanted,
    html: bool,
    lang: &str,
) -> Result<String, Failure> {
    if let Wanted::Report = wanted {
        let labels = ReportLabels::of(lang);
        let inputs = records.inputs(GameId { number: id })?;
        let report = Report::of(id, &inputs, &labels).ok_or_else(|| empty(id))?;
        return Ok(if html { report.to_html(&labels) } else { report.to_text(&labels) });
    }
    let (game, _) = replay(records, id)?;
    let record = game.record().ok_or_else(|| empty(id))?;
    Ok(match wanted {
        Wanted::Braille { unicode } => {
            let form =
                if unicode { braille::BrailleForm::Unicode } else { braille::BrailleForm::Brf };
            let blind = Color::ALL.into_iter().filter(|color| record.config.blind.is(*color));
            if !braille::LANGUAGES.contains(&lang) {
                let known = braille::LANGUAGES.join(" or --lang ");
                return Err(Failure::usage(format!(
                    "no Braille code of chess in '{lang}' is known here: use --lang {known}"
                )));
            }
            let labels = Labels::of(lang);
            let scores: Vec<String> =
                blind.map(|color| braille::score(&record, color, form, &labels)).collect();
            scores.join("\n")
        }
        Wanted::Sheet => {
            let labels = Labels::of(lang);
            let sheets = Color::ALL.map(|color| views::sheet(&record, color, labels));
            if html {
                pages(&sheets)
            } else {
                sheets.iter().map(|sheet| sheet.to_text() + "\n").collect()
            }
        }
        Wanted::Pgn | Wanted::Report => views::pgn(&record),
    })
}

fn empty(id: i64) -> Failure {
    Failure::usage(format!("game {id} has no beginning in the journal"))
}

type Told = Vec<(At, Result<Vec<Output>, Refused>)>;

/// A game played again from its journal, and what each input gave.
fn replay(records: &Records, id: i64) -> Result<(Game, Told), Failure> {
    let inputs = records.inputs(GameId { number: id })?;
    let moments: Vec<At> = inputs.iter().map(|(at, _)| *at).collect();
    let (game, results) = Game::replay(inputs);
    Ok((game, moments.into_iter().zip(results).collect()))
}

/// Which games are listed.
#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Only games of this player or this date, or a part of either: `Anna`, `2026-11`.
    #[arg(value_name = "TEXT")]
    text: Option<String>,
    /// Only games that have not ended.
    #[arg(long)]
    unfinished: bool,
    /// Only so many, the newest.
    #[arg(long, value_name = "N")]
    last: Option<usize>,
}

impl ListArgs {
    /// A player's name or the date has the text in it.
    fn names(&self, row: &GameRow) -> bool {
        let Some(text) = &self.text else { return true };
        let text = text.to_lowercase();
        let date = pgn_date(row.started_unix_s);
        let iso = date.replace('.', "-");
        let names = [&row.white, &row.black].map(|name| name.to_lowercase());
        names.iter().chain([&date, &iso, &day(row.started_unix_s)]).any(|of| of.contains(&text))
    }

    /// The games that are asked for.
    fn of(&self, records: &Records, mut rows: Vec<GameRow>) -> Result<Vec<Listed>, Failure> {
        rows.retain(|row| self.names(row));
        let last = self.last.unwrap_or(usize::MAX);
        if !self.unfinished {
            rows.drain(..rows.len().saturating_sub(last));
        }
        let mut all = Listed::read_all(records, rows)?;
        all.retain(|of| !self.unfinished || !matches!(of.standing, GameStanding::Ended(_)));
        all.drain(..all.len().saturating_sub(last));
        Ok(all)
    }
}

fn list(
    records: &Records,
    wanted: &ListArgs,
    json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let rows = records.games()?;
    let count = rows.len();
    if count == 0 && !json {
        write_line(out, "no games yet")?;
        return Ok(());
    }
    let all = wanted.of(records, rows)?;
    if all.is_empty() && !json {
        write_line(out, &format!("no such game among {count}"))?;
        return Ok(());
    }
    let next = standing::next_of(records, &all)?;
    for Listed { row, standing, plies, .. } in all {
        let number = row.id.number;
        if json {
            let result = match &standing {
                GameStanding::Ended(result) => result.as_str(),
                _ => "*",
            };
            let until = match &standing {
                GameStanding::Adjourned(until) => until.to_string(),
                _ => String::new(),
            };
            let line = json!({
                "id": number,
                "date": pgn_date(row.started_unix_s),
                "white": row.white,
                "black": row.black,
                "plies": plies,
                "result": result,
                "standing": standing_key(&standing),
                "until": until,
                "finished": matches!(standing, GameStanding::Ended(_)),
                "adjourned": matches!(standing, GameStanding::Adjourned(_)),
                "next": next == Next::GoOn(row.id) || next == Next::Adjourned(row.id),
            });
            writeln!(out, "{line}")?;
            continue;
        }
        let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        writeln!(
            out,
            "{number:>4}  {}  {} – {}, {plies} {}, {}",
            day(row.started_unix_s),
            name(&row.white),
            name(&row.black),
            in_own_language(if plies == 1 { "ply" } else { "plies" }),
            in_own_language(&match standing {
                // Another game was begun instead of it.
                GameStanding::GoingOn if next != Next::GoOn(row.id) => "not finished".to_owned(),
                standing => standing_text(&standing),
            }),
        )?;
    }
    if !json {
        let what = match next {
            Next::GoOn(id) => format!("goes on with game {id}"),
            Next::Adjourned(id) => {
                format!("shows game {id}: `annabella games open {id}` lets it go on")
            }
            Next::Ended(_) => "asks for the next game (--new begins it at once)".to_owned(),
            Next::Fresh => "begins a game".to_owned(),
        };
        let line = format!("`annabella play` {what}; --game N plays another of these.");
        write_line(out, &line)?;
    }
    Ok(())
}

/// A day as the reader writes it.
pub(super) fn day(unix_s: u64) -> String {
    own_code().map_or_else(|| pgn_date(unix_s), |code| date_in(code, unix_s))
}

/// A move with the letters that the reader writes.
fn written(san: &str) -> String {
    own_code().map_or_else(|| san.to_owned(), |code| san_in(code, san))
}

fn standing_key(standing: &GameStanding) -> &'static str {
    match standing {
        GameStanding::Empty => "empty",
        GameStanding::GoingOn => "going-on",
        GameStanding::Adjourned(_) => "adjourned",
        GameStanding::Ended(_) => "ended",
        GameStanding::Unreadable => "unreadable",
        GameStanding::Damaged => "damaged",
    }
}

fn standing_text(standing: &GameStanding) -> String {
    match standing {
        GameStanding::Empty => "not begun".to_owned(),
        GameStanding::GoingOn => "going on".to_owned(),
        GameStanding::Adjourned(until) => match until.to_string() {
            until if until.is_empty() => "adjourned".to_owned(),
            until => format!("adjourned until {until}"),
        },
        GameStanding::Ended(result) => format!("ended {}", result.as_str()),
        GameStanding::Unreadable => "begun by another version of this program".to_owned(),
        GameStanding::Damaged => {
            "damaged: `annabella games repair` saves what can be read".to_owned()
        }
    }
}

fn show(records: &Records, id: i64, json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let (game, told) = replay(records, id)?;
    let record = game.record().ok_or_else(|| empty(id))?;
    let problems = problems(&told);
    if json {
        let plies: Vec<Value> =
            record.line.iter().enumerate().map(|(n, ply)| ply_json(n, ply)).collect();
        let line = json!({
            "id": id,
            "date": pgn_date(record.unix_s()),
            "white": record.config.white,
            "black": record.config.black,
            "time_control": record.config.time_control,
            "moves": plies,
            "problems": problems
                .iter()
                .map(Trouble::json)
                .collect::<Vec<_>>(),
            "heard": heard(&told)
                .iter()
                .map(|(at, heard)| json!({ "t": at.ms, "heard": heard }))
                .collect::<Vec<_>>(),
            "decisions": record.decisions.iter().map(|d| decision_json(&record, d)).collect::<Vec<_>>(),
            "result": record.ended.map(|ended| ended.result),
            "reason": record.ended.map(|ended| ended.reason.to_string()),
            "fen": annabella_core::game::write_fen(record.position),
        });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    head(&record, id, out)?;
    for (n, ply) in record.line.iter().enumerate() {
        writeln!(out, "{}", ply_line(&record, n, ply))?;
    }
    let (at_word, heard_word) = (in_own_language("at"), in_own_language("heard"));
    for (at, heard) in heard(&told) {
        let line = if own_code().is_some() { heard.brief() } else { heard.line() };
        writeln!(out, "{at_word} {}: {heard_word} {line}", seconds(at))?;
    }
    for Trouble { at, article, text, refused } in problems {
        let refused = if refused { in_own_language("refused: ") } else { String::new() };
        writeln!(out, "{at_word} {}: {article}: {refused}{}", seconds(at), noted(&text))?;
    }
    for decision in record.decisions {
        writeln!(out, "{}", decision_line(&record, decision))?;
    }
    match record.ended {
        Some(ended) => {
            writeln!(out, "{}: {} ({})", ended.result, noted(&ended.reason), ended.article)?
        }
        None => write_line(out, &standing_text(&GameStanding::of(&game)))?,
    }
    Ok(())
}

fn head(record: &Record<'_>, id: i64, out: &mut dyn Write) -> Result<(), Failure> {
    let name = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
    writeln!(
        out,
        "{} {id}, {}: {} – {}, {}",
        in_own_language("Game"),
        day(record.unix_s()),
        name(&record.config.white),
        name(&record.config.black),
        record.config.time_control
    )?;
    write_line(out, "Times are seconds after the journal's first entry.")?;
    Ok(())
}

/// Utterances, and how they were understood: decided again as in the game.
fn heard(told: &Told) -> Vec<(At, &HeardAs)> {
    let outputs = told.iter().flat_map(|(at, result)| match result {
        Ok(outputs) => outputs.iter().map(|output| (*at, output)).collect::<Vec<_>>(),
        Err(refused) => refused.meanwhile.iter().map(|output| (*at, output)).collect(),
    });
    let heard = outputs.filter_map(|(at, output)| match output {
        Output::Heard(heard) => Some((at, &**heard)),
        _ => None,
    });
    heard.collect()
}

/// A problem, or why something was refused.
struct Trouble {
    at: At,
    article: Article,
    text: Note,
    refused: bool,
}

impl Trouble {
    fn json(&self) -> Value {
        let refused = if self.refused { "refused: " } else { "" };
        let text = format!("{refused}{}", self.text);
        json!({ "t": self.at.ms, "article": self.article.to_string(), "text": text })
    }
}

fn problems(told: &Told) -> Vec<Trouble> {
    let mut all = Vec::new();
    for (at, result) in told {
        let outputs = match result {
            Ok(outputs) => outputs,
            Err(refused) => &refused.meanwhile,
        };
        for output in outputs {
            if let Output::Problem { article, text, .. } = output {
                let (at, article, text) = (*at, *article, text.clone());
                all.push(Trouble { at, article, text, refused: false });
            }
        }
        if let Err(refused) = result {
            let (article, text) = (refused.article, refused.text.clone());
            all.push(Trouble { at: *at, article, text, refused: true });
        }
    }
    all
}

/// The deciding arbiter and the reason; empty where none was given.
fn ruled_by<'a>(record: &Record<'a>, decision: &Decision) -> (&'a str, &'a str) {
    let ruled = decision.by.ruling().and_then(|ruling| record.rulings.get(ruling));
    ruled.map_or(("", ""), |ruled| (ruled.ruling.by.as_str(), ruled.ruling.reason.as_str()))
}

fn decision_line(record: &Record<'_>, decision: &Decision) -> String {
    let (by, reason) = ruled_by(record, decision);
    let by = match decision.by {
        DecidedBy::Player(player) => player.fold_wb("White, at home,", "Black, at home,"),
        DecidedBy::Records => "what both records have",
        DecidedBy::Ruling(_) if by.is_empty() => "the arbiter",
        DecidedBy::Ruling(_) => by,
    };
    let mut line = in_own_language(&format!(
        "at {}: D.2.9: {by} decided to play on after ply {}",
        seconds(decision.at),
        decision.settle.ply
    ));
    if !decision.proposed.followed {
        line += &in_own_language(&format!(" (proposed: {})", decision.proposed.ply));
    }
    let mut tell = |part: String| line += &format!(" | {}", in_own_language(&part));
    if !decision.struck.is_empty() {
        let struck: Vec<String> = decision.struck.iter().map(|ply| written(&ply.san)).collect();
        tell(format!("struck {}", struck.join(" ")));
    }
    for offer in &decision.struck_offers {
        tell(format!("struck the draw offer of {}", offer.by.fold_wb("White", "Black")));
    }
    let (white_ms, black_ms) = decision.after_ms;
    tell(format!("clock {} {}", clock_text(white_ms), clock_text(black_ms)));
    if !reason.is_empty() {
        line += &format!(" | {reason}");
    }
    line
}

fn decision_json(record: &Record<'_>, decision: &Decision) -> Value {
    let (by, reason) = ruled_by(record, decision);
    let struck: Vec<&str> = decision.struck.iter().map(|ply| ply.san.as_str()).collect();
    let struck_offers: Vec<&str> =
        decision.struck_offers.iter().map(|offer| offer.by.fold_wb("white", "black")).collect();
    json!({
        "number": decision.number,
        "t": decision.at.ms,
        "by": by,
        "reason": reason,
        "proposed": { "verdict": decision.proposed.verdict.as_str(), "ply": decision.proposed.ply },
        "explanation": decision.proposed.explanation,
        "as_proposed": decision.proposed.followed,
        "ply": decision.settle.ply,
        "clocks": {
            "white_ms": decision.after_ms.0,
            "black_ms": decision.after_ms.1,
            "chosen": decision.settle.clocks.map(|clocks| clocks.basis),
            "source": decision.proposed.clock_source,
        },
        "struck_from": decision.struck_from,
        "struck": struck,
        "struck_offers": struck_offers,
    })
}

fn seconds(at: At) -> String {
    format!("{}.{:03} s", at.ms / 1000, at.ms % 1000)
}

fn ply_line(record: &Record<'_>, index: usize, ply: &Ply) -> String {
    let before = usize::from(record.start().turn().is_black());
    let number = record.start().fullmoves().get() as usize + (index + before) / 2;
    let dots = if ply.mover.is_white() { "." } else { "..." };
    let mut parts = vec![format!("{number}{dots} {}", written(&ply.san))];
    let mut tell = |word: &str, what: String| parts.push(in_own_language(word) + &what);
    if !ply.hands.touched.is_empty() {
        let touched: Vec<String> = ply.hands.touched.iter().map(ToString::to_string).collect();
        tell("touched ", touched.join(" "));
    }
    if ply.said {
        tell("executed as its player says", String::new());
    }
    if let Some(captured) = ply.hands.captured {
        tell("captured piece off ", seconds(captured));
    }
    tell("placed ", seconds(ply.hands.placed));
    tell("announced ", seconds(ply.announced.at));
    tell("made ", seconds(ply.made));
    match ply.completed {
        Some(at) => tell("completed ", seconds(at)),
        None => tell("not completed", String::new()),
    }
    if let Some((white_ms, black_ms)) = ply.clock_ms {
        tell("clock ", format!("{} {}", clock_text(white_ms), clock_text(black_ms)));
    }
    parts.join(" | ")
}

fn ply_json(index: usize, ply: &Ply) -> Value {
    let touched: Vec<String> = ply.hands.touched.iter().map(ToString::to_string).collect();
    let mut all = json!({
        "ply": index + 1,
        "uci": UciMove::from_standard(ply.mv).to_string(),
        "san": ply.san,
        "touched": touched,
        "captured": ply.hands.captured.map(|at| at.ms),
        "placed": ply.hands.placed.ms,
        "announced": ply.announced.at.ms,
        "made": ply.made.ms,
        "completed": ply.completed.map(|at| at.ms),
        "white_ms": ply.clock_ms.map(|(white, _)| white),
        "black_ms": ply.clock_ms.map(|(_, black)| black),
    });
    if ply.said {
        all["said"] = json!(true);
    }
    all
}
