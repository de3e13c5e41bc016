//! `annabella measure`: how well recordings are understood, against two plain ways to do it, and by
//! which model better.

mod compare;
mod tally;

pub(crate) use compare::shown;
pub(crate) use tally::{Tally, judge, request};

use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::json;

use annabella::cli::{
    Exit, Failure,
    listen::{FileEars, read_confusions},
    recordings::{ListedRecording, read_list},
};
use annabella_core::game::read_fen;
use annabella_devices::voice::Pcm;
use annabella_words::phrase::{
    Words,
    hear::{Confusions, Context, Ear, Grammar, Heard, HeardDecision, REST_MS, Thresholds},
};

/// Measures how well recordings are understood.
#[derive(Debug, clap::Args)]
pub(crate) struct MeasureArgs {
    /// Folder with corpus.tsv, as `annabella-lab corpus` writes it; columns: file, speaker,
    /// condition, kind (move, request, illegal, talk), fen, meant (UCI or the request's name),
    /// said.
    pub(crate) corpus: PathBuf,
    /// Wait this long for the rest of an announcement that is not finished, milliseconds; 0: not at
    /// all.
    #[arg(long, value_name = "MS", default_value_t = REST_MS)]
    pub(crate) rest: u32,
    /// Folder of a Vosk model, built-in, or official; the one that the service would take if not
    /// given. Given more than once, they are compared.
    #[arg(long, value_name = "DIR")]
    pub(crate) model: Vec<PathBuf>,
    /// Compare the built-in model with the official German one that is installed.
    #[arg(long, conflicts_with = "model")]
    pub(crate) compare: bool,
    /// Write the better model into this configuration. The old file is kept beside it as .bak.
    #[arg(long, value_name = "FILE")]
    pub(crate) choose: Option<PathBuf>,
    /// Words that are mistaken for one another in this player's voice, as `listen --learn` writes
    /// them.
    #[arg(long, value_name = "FILE")]
    pub(crate) confusions: Option<PathBuf>,
    /// Print the curve that the thresholds were chosen from: the whole corpus with each of several
    /// settings.
    #[arg(long)]
    pub(crate) curve: bool,
    /// Name each recording that was not simply right.
    #[arg(long)]
    pub(crate) verbose: bool,
    /// One JSON line a row.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the list, a recording or the model is wrong, or libvosk is missing.
pub(crate) fn run(args: &MeasureArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let items = read_list(&args.corpus)?;
    let words = Words::builtin("fide", "de").map_err(Failure::usage)?;
    let confusions = match &args.confusions {
        Some(path) => read_confusions(path)?,
        None => Confusions::default(),
    };
    let ear = Ear::with_confusions(&words, &confusions);
    let models = compare::models(args)?;
    let mut results = Vec::new();
    for model in &models {
        if models.len() > 1 && !args.json {
            writeln!(out, "model {}", compare::shown(model.as_deref()))?;
        }
        let mut ears = FileEars::open(model.as_deref(), &words)?.waiting(args.rest);
        let all = with_model(args, &items, &words, &ear, &mut ears, model.as_deref(), out)?;
        if models.len() > 1 && !args.json {
            writeln!(out)?;
        }
        results.push(all);
    }
    if let [_, _, ..] = &results[..] {
        compare::report(args, &models, &results, out)?;
    }
    Ok(Exit::Done)
}

/// All recordings heard by one model.
fn with_model(
    args: &MeasureArgs,
    items: &[ListedRecording],
    words: &Words,
    ear: &Ear,
    ears: &mut FileEars,
    model: Option<&Path>,
    out: &mut dyn Write,
) -> Result<Tally, Failure> {
    let mut rows: BTreeMap<(String, String), Tally> = BTreeMap::new();
    let mut curve: Vec<(String, Thresholds, Tally)> =
        if args.curve { settings() } else { Vec::new() };
    for item in items {
        let pos = read_fen(&item.fen)
            .map_err(|err| Failure::usage(format!("{}: {err}", item.file.display())))?;
        let sound = Pcm::read_wav(&item.file).map_err(Failure::usage)?;
        ears.listen_for(&Grammar::of_everything(words, &pos));
        let began = Instant::now();
        let matcher = ear.matcher(&pos, Context::default()).with_thresholds(Thresholds::default());
        let heard = ears.overhear(&sound)?;
        let decisions: Vec<HeardDecision> =
            heard.iter().map(|heard| matcher.decide(heard)).collect();
        let took = began.elapsed();
        let key = (item.speaker.clone(), item.condition.clone());
        let tally = rows.entry(key).or_default();
        tally.took.push(took);
        tally.sound += Duration::from_millis(sound.length_ms());
        let verdict = judge(tally, item, words, &pos, &sound, &heard, &decisions);
        for (_, thresholds, tally) in &mut curve {
            let matcher = ear.matcher(&pos, Context::default()).with_thresholds(*thresholds);
            let decisions: Vec<HeardDecision> =
                heard.iter().map(|heard| matcher.decide(heard)).collect();
            judge(tally, item, words, &pos, &sound, &heard, &decisions);
        }
        if args.verbose && verdict != "right" {
            let texts: Vec<&str> = heard.iter().filter_map(Heard::best).collect();
            writeln!(
                out,
                "{verdict}: {} {} {} '{}' heard '{}'",
                item.file.display(),
                item.speaker,
                item.condition,
                item.said,
                texts.join("' '")
            )?;
        }
    }
    let all = report(args, model, &rows, out)?;
    for (name, _, tally) in &curve {
        curve_row(name, tally, out)?;
    }
    Ok(all)
}

/// The settings of the curve: one threshold at a time, around the defaults.
fn settings() -> Vec<(String, Thresholds, Tally)> {
    let defaults = Thresholds::default();
    let mut all = vec![("defaults".to_owned(), defaults)];
    for value in [0.3, 0.6, 1.0, 1.5, 2.0, 9.0] {
        all.push((
            format!("loop_distance {value}"),
            Thresholds { loop_distance: value, ..defaults },
        ));
    }
    for value in [0.2, 0.4, 0.6, 0.9, 0.97] {
        let thresholds = Thresholds { loop_contradiction: value, ..defaults };
        all.push((format!("loop_contradiction {value}"), thresholds));
    }
    for value in [0.01, 0.02, 0.1, 0.3, 1.0] {
        let thresholds = Thresholds { comparison_confidence: value, ..defaults };
        all.push((format!("comparison_confidence {value}"), thresholds));
    }
    for value in [0.5, 0.9, 0.98, 1.0] {
        let thresholds = Thresholds { single_request_confidence: value, ..defaults };
        all.push((format!("single_request_confidence {value}"), thresholds));
    }
    for value in [0.0, 0.2, 0.8, 1.0] {
        let thresholds = Thresholds { short_request_confidence: value, ..defaults };
        all.push((format!("short_request_confidence {value}"), thresholds));
    }
    for value in [0.5, 0.7, 0.85, 0.95] {
        let thresholds = Thresholds { accept_confidence: value, ..defaults };
        all.push((format!("accept_confidence {value}"), thresholds));
    }
    for value in [0.1, 0.2, 0.35, 0.4] {
        let thresholds = Thresholds { accept_margin: value, ..defaults };
        all.push((format!("accept_margin {value}"), thresholds));
    }
    for value in [0.2, 0.45, 0.8] {
        let thresholds = Thresholds { accept_distance: value, ..defaults };
        all.push((format!("accept_distance {value}"), thresholds));
    }
    for (distance, contradiction) in [(0.6, 0.9), (0.8, 0.95), (1.0, 0.9), (1.0, 0.97), (1.2, 0.97)]
    {
        let thresholds =
            Thresholds { loop_distance: distance, loop_contradiction: contradiction, ..defaults };
        all.push((format!("loop {distance}, contradiction {contradiction}"), thresholds));
    }
    all.into_iter().map(|(name, thresholds)| (name, thresholds, Tally::default())).collect()
}

fn curve_row(name: &str, tally: &Tally, out: &mut dyn Write) -> Result<(), Failure> {
    let share = |n: u32| f64::from(n) * 100.0 / f64::from(tally.moves.max(1));
    writeln!(
        out,
        "{name:<32} right {:>5.1} %  asked {:>5.1} %  wrong {:>5.2} %  again {:>5.1} %  illegal taken {} of {}  \
         requests {}+{} wrong of {}  false in talk: {} moves {} requests {} questions",
        share(tally.right),
        share(tally.confirmed + tally.wrong_question),
        share(tally.wrong),
        share(tally.again),
        tally.illegal_accepted,
        tally.illegal,
        tally.answered,
        tally.wrongly_answered,
        tally.requests,
        tally.false_moves,
        tally.false_requests,
        tally.false_questions,
    )?;
    Ok(())
}

fn report(
    args: &MeasureArgs,
    model: Option<&Path>,
    rows: &BTreeMap<(String, String), Tally>,
    out: &mut dyn Write,
) -> Result<Tally, Failure> {
    let mut by_condition: BTreeMap<String, Tally> = BTreeMap::new();
    let mut by_speaker: BTreeMap<String, Tally> = BTreeMap::new();
    let mut all = Tally::default();
    for ((speaker, condition), tally) in rows {
        by_condition.entry(condition.clone()).or_default().add(tally);
        by_speaker.entry(speaker.clone()).or_default().add(tally);
        all.add(tally);
    }
    if !args.json {
        writeln!(
            out,
            "{:<16} {:<10} {:>5} {:>6} {:>6} {:>6} {:>6}  {:>6} {:>6}",
            "speaker", "condition", "moves", "right", "asked", "WRONG", "again", "p50 ms", "p99 ms"
        )?;
    }
    for ((speaker, condition), tally) in rows {
        row(args, model, speaker, condition, tally, out)?;
    }
    for (condition, tally) in &by_condition {
        row(args, model, "all", condition, tally, out)?;
    }
    for (speaker, tally) in &by_speaker {
        row(args, model, speaker, "all", tally, out)?;
    }
    row(args, model, "all", "all", &all, out)?;
    if args.json {
        return Ok(all);
    }
    let share = |n: u32| f64::from(n) * 100.0 / f64::from(all.moves.max(1));
    writeln!(out, "\nmoves, no questions asked     right    wrong")?;
    for (name, right, wrong) in [
        ("word list, best text alone", all.word_list.right, all.word_list.wrong),
        ("legal phrases, best text alone", all.legal.right, all.legal.wrong),
        ("Annabella, at once", all.right, all.wrong),
        ("Annabella, with ja or nein", all.right + all.confirmed, all.wrong),
    ] {
        writeln!(out, "{name:<30} {:>5.1} %  {:>5.2} %", share(right), share(wrong))?;
    }
    writeln!(
        out,
        "\nillegal announcements: {} of {} taken for a move or a request",
        all.illegal_accepted, all.illegal
    )?;
    let hours = all.talk.as_secs_f64() / 3600.0;
    let an_hour = |n: u32| if hours > 0.0 { f64::from(n) / hours } else { 0.0 };
    writeln!(
        out,
        "requests: {} of {} understood, {} taken for something else",
        all.answered, all.requests, all.wrongly_answered
    )?;
    writeln!(
        out,
        "an hour of talk ({:.1} min heard): {:.1} false moves, {:.1} false requests, {:.1} needless questions",
        hours * 60.0,
        an_hour(all.false_moves),
        an_hour(all.false_requests),
        an_hour(all.false_questions)
    )?;
    let took: Duration = all.took.iter().sum();
    writeln!(
        out,
        "time: {:.1} % of the sound's own length, grammar included",
        took.as_secs_f64() * 100.0 / all.sound.as_secs_f64().max(0.001)
    )?;
    Ok(all)
}

fn row(
    args: &MeasureArgs,
    model: Option<&Path>,
    speaker: &str,
    condition: &str,
    tally: &Tally,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let asked = tally.confirmed + tally.wrong_question;
    let (p50, p99) = (tally.took_ms(50), tally.took_ms(99));
    if args.json {
        let line = json!({
            "model": compare::shown(model), "speaker": speaker, "condition": condition, "moves": tally.moves, "right": tally.right,
            "confirmed": tally.confirmed, "asked_about_another": tally.wrong_question,
            "wrong": tally.wrong, "again": tally.again, "p50_ms": p50 as u64, "p99_ms": p99 as u64,
            "word_list": { "right": tally.word_list.right, "wrong": tally.word_list.wrong },
            "legal": { "right": tally.legal.right, "wrong": tally.legal.wrong },
            "requests": tally.requests, "understood": tally.answered,
            "illegal": tally.illegal, "illegal_accepted": tally.illegal_accepted,
            "taken_for_something_else": tally.wrongly_answered,
            "talk_s": tally.talk.as_secs(), "false_moves": tally.false_moves,
            "false_requests": tally.false_requests, "needless_questions": tally.false_questions,
        });
        writeln!(out, "{line}")?;
        return Ok(());
    }
    let share = |n: u32| {
        if tally.moves == 0 {
            "-".to_owned()
        } else {
            format!("{:.1}", f64::from(n) * 100.0 / f64::from(tally.moves))
        }
    };
    writeln!(
        out,
        "{speaker:<16} {condition:<10} {:>5} {:>6} {:>6} {:>6} {:>6}  {p50:>6} {p99:>6}",
        tally.moves,
        share(tally.right),
        share(asked),
        share(tally.wrong),
        share(tally.again)
    )?;
    Ok(())
}
