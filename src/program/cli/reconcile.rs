//! `annabella reconcile`: two boards that differ, both scores and the clocks in; the D.2.9 verdict
//! out.

mod case;

use std::{io::Write, path::PathBuf};

use serde_json::{Value, json};

use super::{Exit, Failure, LANGUAGES};
use annabella_core::{
    game::write_fen,
    notation::NotationError,
    reconcile::{
        Case, ClockProposal, Difference, Missing, PegStep, Settlement, Times, Verdict, Who,
        Written, reconcile,
    },
};
use annabella_records::whole;

/// Says who corrects what when two boards differ (D.2.9).
#[derive(Debug, clap::Args)]
#[command(after_help = HELP)]
pub struct ReconcileArgs {
    /// The case, one JSON object; `-` is standard input.
    #[arg(value_name = "CASE.json")]
    pub file: PathBuf,
    /// Language of the explanation; in those other than English as the pages have it.
    #[arg(long, value_name = "LANG", default_value = "en",
        value_parser = LANGUAGES)]
    pub lang: String,
}

const HELP: &str = r#"The case:
  {"start": "FEN, if not the usual one",
   "blind":   {"color": "white", "score": ["e4", "e7-e5", …],
               "board": {"fen": "…"} or {"occupied": ["a1", …]}},
   "sighted": {"color": "black", …},
   "clocks": [{"ply": 1, "white_ms": …, "black_ms": …}, …],
   "now": {"white_ms": …, "black_ms": …}}
Scores may be in any notation of Appendix C, each as a list or as one text. Their piece letters are English, unless
the score has others in it or "letters": "de" stands beside it (fr, ru, lt, es, nl, pl). Also understood:
"excused": true beside a score (that player need not record at present), a board left out (nobody
knows it), "boards_differ": true beside the players (somebody says so, seen or not).
Exit code 0: boards and scores agree; 1: something is to be corrected or compared; 2: the case is wrong."#;

/// Runs the command.
///
/// # Errors
/// [`Failure`] names the file, the place in it and what to do.
pub fn run(args: &ReconcileArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let name = args.file.display().to_string();
    let read = match name.as_str() {
        "-" => whole::read_stream(std::io::stdin().lock()),
        _ => whole::read(&args.file),
    };
    let bytes = read.map_err(|err| Failure::usage(format!("cannot read {name}: {err}")))?;
    let (line, agree) =
        settle(&bytes, &args.lang).map_err(|err| Failure::usage(format!("{name}: {err}")))?;
    writeln!(out, "{line}")?;
    Ok(if agree { Exit::Done } else { Exit::Problem })
}

/// The verdict on a case, explained in this language, and whether boards and scores agree.
///
/// # Errors
/// The place in the case and what is wrong there, one line.
pub fn settle(case: &[u8], lang: &str) -> Result<(Value, bool), String> {
    let case = case::read(case)?;
    let settled = reconcile(&case);
    let explanation = match lang {
        "en" => settled.explanation(&case),
        lang => in_other_words(lang, &case, &settled)?,
    };
    Ok((line(&settled, &explanation), settled.verdict == Verdict::Agree))
}

#[cfg(feature = "console")]
fn in_other_words(lang: &str, case: &Case, settled: &Settlement) -> Result<String, String> {
    annabella_console::explained(lang, case, settled)
        .ok_or_else(|| format!("there is no language '{lang}': use --lang en"))
}

#[cfg(not(feature = "console"))]
fn in_other_words(lang: &str, _: &Case, _: &Settlement) -> Result<String, String> {
    Err(format!(
        "this program was built without the pages, whose words '{lang}' needs: use --lang en"
    ))
}

fn line(settled: &Settlement, explanation: &str) -> Value {
    let steps = |who: Who| settled.boards[who].steps.iter().map(step).collect::<Vec<_>>();
    let mut line = json!({
        "verdict": settled.verdict.as_str(),
        "article": settled.article,
        "ply": settled.ply,
        "fen": write_fen(&settled.position),
        "steps": { "blind": steps(Who::Blind), "sighted": steps(Who::Sighted) },
        "missing": settled.missing.iter().map(missing).collect::<Vec<_>>(),
        "difference": settled.difference.as_ref().map(difference),
        "clocks": settled.clocks.as_ref().map(|proposal| clocks(proposal, settled)),
        "explanation": explanation,
    });
    if !settled.ahead.is_empty() {
        let written = |m: &Missing| json!({ "score": m.score.other().to_string(), "ply": m.ply });
        line["ahead"] = settled.ahead.iter().map(written).collect();
    }
    line
}

fn step(step: &PegStep) -> Value {
    match step {
        PegStep::Take(square, _) => json!({ "take": square.to_string() }),
        PegStep::Put(square, piece) => {
            json!({ "put": square.to_string(), "piece": piece.char().to_string() })
        }
    }
}

fn missing(missing: &Missing) -> Value {
    json!({ "score": missing.score.to_string(), "ply": missing.ply })
}

fn difference(difference: &Difference) -> Value {
    let entry = |who: Who| {
        difference.entries[who].as_ref().map(|Written { as_written, result }| {
            let why = result.as_ref().err().map(NotationError::to_string);
            json!({ "as_written": as_written, "why": why })
        })
    };
    json!({ "ply": difference.ply, "blind": entry(Who::Blind), "sighted": entry(Who::Sighted) })
}

fn clocks(proposal: &ClockProposal, settled: &Settlement) -> Value {
    let times = |times: Times| json!({ "white_ms": times.white_ms, "black_ms": times.black_ms });
    let alternatives: Vec<Value> = proposal
        .alternatives
        .iter()
        .map(|other| {
            let Times { white_ms, black_ms } = other.times;
            let source = other.basis.text();
            json!({ "white_ms": white_ms, "black_ms": black_ms, "source": source })
        })
        .collect();
    json!({
        "proposed": proposal.proposed.map(|proposed| times(proposed.times)),
        "source": proposal.source(),
        "alternatives": alternatives,
        "moves": { "white": settled.made.0, "black": settled.made.1 },
    })
}
