//! `annabella measure`: how well recordings are understood, against two plain ways to do it, and by which model
//! better.

mod compare;
mod people;

use std::{
    collections::BTreeMap,
    io::Write,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use serde_json::json;
use shakmaty::{Chess, Move};

use super::{
    Exit, Failure,
    corpus::list_of,
    listen::{Ears, read_confusions},
};
use annabella_core::game::read_fen;
use annabella_devices::voice::Pcm;
use annabella_words::{phrase::{ Understood, Words, hear::{ Confusions, Context, Decision, Ear, Grammar, Heard, Hypothesis, REST_MS, Thresholds, Verdict, }, understand, }, text::uci};

/// Measures how well recordings are understood.
#[derive(Debug, clap::Args)]
pub struct MeasureArgs {
    /// Folder with corpus.tsv, as `annabella corpus` writes it; columns: file, speaker, condition,
    /// kind (move, request, illegal, talk), fen, meant (UCI or the request's name), said.
    #[arg(required_unless_present = "people")]
    pub corpus: Option<PathBuf>,
    /// A folder of many people's recordings with manifest.tsv (file, text, speaker, source, licence, person, certainty,
    /// orig_sr, seconds): each person is counted once. Announcements are joined from one person's words.
    #[arg(long, value_name = "FOLDER", conflicts_with_all = ["corpus", "curve", "choose", "confusions"])]
    pub people: Option<PathBuf>,
    /// Only these people, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "people")]
    pub only: Vec<String>,
    /// Of what a person says again and again, every Nth recording.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "people")]
    pub every: usize,
    /// At most so many recordings of talk by each person.
    #[arg(long, value_name = "N", requires = "people")]
    pub talk: Option<usize>,
    /// Whose names of files are joined to the ranks of those who say none: a person of the folder, or a synthetic voice
    /// of this machine (mbrola-de4). If not given, the first person who says them all.
    #[arg(long, value_name = "NAME", requires = "people")]
    pub files_by: Option<String>,
    /// Pauses between the words of joined announcements, milliseconds: 600-1200 for somebody who speaks slowly.
    #[arg(long, value_name = "FROM-TO", default_value = "0-120", value_parser = range, requires = "people")]
    pub gaps: [u64; 2],
    /// Wait so long for the rest of an announcement that is not finished, milliseconds; 0: not at all.
    #[arg(long, value_name = "MS", default_value_t = REST_MS)]
    pub rest: u32,
    /// Instead: what `annabella enrol` would do for each of them. It learns from half of a person's recordings, the
    /// other half judges.
    #[arg(long, requires = "people")]
    pub enrol: bool,
    /// Folder of a Vosk model, built-in, or official; the one that the service would take if not given. Given
    /// more than once, they are compared.
    #[arg(long, value_name = "DIR")]
    pub model: Vec<PathBuf>,
    /// Compare the built-in model with the official German one that is installed.
    #[arg(long, conflicts_with = "model")]
    pub compare: bool,
    /// Write the better model into this configuration. The old file is kept beside it as .bak.
    #[arg(long, value_name = "FILE")]
    pub choose: Option<PathBuf>,
    /// What this player's words are mistaken for, as `listen --learn` writes it.
    #[arg(long, value_name = "FILE")]
    pub confusions: Option<PathBuf>,
    /// Print the curve that the thresholds were chosen from: the whole corpus with each of several
    /// settings.
    #[arg(long)]
    pub curve: bool,
    /// Name each recording that was not simply right.
    #[arg(long)]
    pub verbose: bool,
    /// One JSON line a row.
    #[arg(long)]
    pub json: bool,
}

/// `600-1200`.
fn range(text: &str) -> Result<[u64; 2], String> {
    let ends =
        text.split_once('-').and_then(|(from, to)| Some([from.parse().ok()?, to.parse().ok()?]));
    ends.filter(|[from, to]| from <= to).ok_or_else(|| "two numbers, as in 600-1200".to_owned())
}

/// One recording of the list.
pub(super) struct Item {
    pub(super) file: PathBuf,
    speaker: String,
    condition: String,
    pub(super) kind: Kind,
    pub(super) fen: String,
    pub(super) meant: String,
    pub(super) said: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Move,
    Request,
    Illegal,
    Talk,
}

/// What came of recordings that belong together.
#[derive(Clone, Default)]
struct Tally {
    moves: u32,
    right: u32,
    confirmed: u32,
    wrong: u32,
    /// Asked about another move than was said.
    wrong_question: u32,
    again: u32,
    word_list: Plain,
    legal: Plain,
    requests: u32,
    answered: u32,
    wrongly_answered: u32,
    illegal: u32,
    illegal_accepted: u32,
    talk: Duration,
    false_moves: u32,
    false_requests: u32,
    false_questions: u32,
    sound: Duration,
    took: Vec<Duration>,
}

/// Moves by a way without questions.
#[derive(Clone, Copy, Default)]
struct Plain {
    right: u32,
    wrong: u32,
}

impl Tally {
    fn add(&mut self, other: &Tally) {
        let sums = [
            (&mut self.moves, other.moves),
            (&mut self.right, other.right),
            (&mut self.confirmed, other.confirmed),
            (&mut self.wrong, other.wrong),
            (&mut self.wrong_question, other.wrong_question),
            (&mut self.again, other.again),
            (&mut self.word_list.right, other.word_list.right),
            (&mut self.word_list.wrong, other.word_list.wrong),
            (&mut self.legal.right, other.legal.right),
            (&mut self.legal.wrong, other.legal.wrong),
            (&mut self.requests, other.requests),
            (&mut self.answered, other.answered),
            (&mut self.wrongly_answered, other.wrongly_answered),
            (&mut self.illegal, other.illegal),
            (&mut self.illegal_accepted, other.illegal_accepted),
            (&mut self.false_moves, other.false_moves),
            (&mut self.false_requests, other.false_requests),
            (&mut self.false_questions, other.false_questions),
        ];
        for (sum, more) in sums {
            *sum += more;
        }
        self.talk += other.talk;
        self.sound += other.sound;
        self.took.extend(&other.took);
    }

    fn took_ms(&self, percent: usize) -> u128 {
        let mut took = self.took.clone();
        took.sort();
        took.get((took.len().saturating_sub(1)) * percent / 100).map_or(0, Duration::as_millis)
    }
}

/// Runs the command.
///
/// # Errors
///
/// [`Failure`] when the list, a recording or the model is wrong, or libvosk is missing.
pub fn run(args: &MeasureArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    if let Some(folder) = &args.people {
        return people::run(args, folder, out);
    }
    let corpus = args.corpus.as_deref().unwrap_or(Path::new("."));
    let items = read_list(corpus)?;
    let words = Words::builtin("fide", "de").map_err(|err| Failure::usage(err.to_string()))?;
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
        let mut ears = Ears::open(model.as_deref(), &words)?.waiting(args.rest);
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
    items: &[Item],
    words: &Words,
    ear: &Ear,
    ears: &mut Ears,
    model: Option<&Path>,
    out: &mut dyn Write,
) -> Result<Tally, Failure> {
    let mut rows: BTreeMap<(String, String), Tally> = BTreeMap::new();
    let mut curve: Vec<(String, Thresholds, Tally)> =
        if args.curve { settings() } else { Vec::new() };
    for item in items {
        let pos = read_fen(&item.fen)
            .map_err(|err| Failure::usage(format!("{}: {err}", item.file.display())))?;
        let sound = Pcm::read_wav(&item.file).map_err(|err| Failure::usage(err.to_string()))?;
        ears.listen_for(&Grammar::of_everything(words, &pos));
        let began = Instant::now();
        let matcher = ear.matcher(&pos, Context::default()).with_thresholds(Thresholds::default());
        let heard = ears.overhear(&sound)?;
        let decisions: Vec<Decision> = heard.iter().map(|heard| matcher.decide(heard)).collect();
        let took = began.elapsed();
        let key = (item.speaker.clone(), item.condition.clone());
        let tally = rows.entry(key).or_default();
        tally.took.push(took);
        tally.sound += Duration::from_millis(sound.length_ms());
        let verdict = judge(tally, item, words, &pos, &sound, &heard, &decisions);
        for (_, thresholds, tally) in &mut curve {
            let matcher = ear.matcher(&pos, Context::default()).with_thresholds(*thresholds);
            let decisions: Vec<Decision> =
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

fn judge(
    tally: &mut Tally,
    item: &Item,
    words: &Words,
    pos: &Chess,
    sound: &Pcm,
    heard: &[Heard],
    decisions: &[Decision],
) -> &'static str {
    match item.kind {
        Kind::Move => a_move(tally, item, words, pos, heard, decisions),
        Kind::Request => request(tally, item, heard, decisions),
        Kind::Illegal => illegal(tally, heard, decisions),
        Kind::Talk => talk(tally, sound, decisions),
    }
}

fn a_move(
    tally: &mut Tally,
    item: &Item,
    words: &Words,
    pos: &Chess,
    heard: &[Heard],
    decisions: &[Decision],
) -> &'static str {
    tally.moves += 1;
    let top = heard.iter().find(|heard| !heard.is_nothing());
    for (plain, hypotheses) in [
        (&mut tally.legal, top.map(|heard| &heard.hypotheses)),
        (&mut tally.word_list, top.map(|heard| &heard.word_loop)),
    ] {
        match hypotheses.and_then(|hypotheses| plainly(words, pos, hypotheses)) {
            Some(mv) if uci(mv) == item.meant => plain.right += 1,
            Some(_) => plain.wrong += 1,
            None => {}
        }
    }
    // Noise before and after a move is passed over; the first that is none decides.
    let first = heard.iter().zip(decisions).find(|(heard, _)| !heard.is_nothing());
    match Verdict::of_move(&item.meant, first.map(|(_, decision)| decision)) {
        Verdict::Right => {
            tally.right += 1;
            "right"
        }
        Verdict::Asked => {
            tally.confirmed += 1;
            "asked"
        }
        Verdict::AskedOther => {
            tally.wrong_question += 1;
            "asked about another"
        }
        Verdict::Wrong => {
            tally.wrong += 1;
            "WRONG"
        }
        Verdict::Again => {
            tally.again += 1;
            "again"
        }
    }
}

/// The move that the best hypothesis is, word for word.
fn plainly(words: &Words, pos: &Chess, hypotheses: &[Hypothesis]) -> Option<Move> {
    match understand(words, pos, &hypotheses.first()?.text) {
        Understood::Move(mv) => Some(mv),
        _ => None,
    }
}

fn request(
    tally: &mut Tally,
    item: &Item,
    heard: &[Heard],
    decisions: &[Decision],
) -> &'static str {
    tally.requests += 1;
    let first = heard.iter().zip(decisions).find(|(heard, _)| !heard.is_nothing());
    match Verdict::of_request(&item.meant, first.map(|(_, decision)| decision)) {
        Verdict::Right => {
            tally.answered += 1;
            "right"
        }
        Verdict::Wrong => {
            tally.wrongly_answered += 1;
            "WRONG"
        }
        _ => "again",
    }
}

/// What is announced and not legal must not be taken for another move.
fn illegal(tally: &mut Tally, heard: &[Heard], decisions: &[Decision]) -> &'static str {
    tally.illegal += 1;
    let first = heard.iter().zip(decisions).find(|(heard, _)| !heard.is_nothing());
    match first.map(|(_, decision)| decision) {
        Some(Decision::Accept { .. } | Decision::Command { .. }) => {
            tally.illegal_accepted += 1;
            "ILLEGAL ACCEPTED"
        }
        _ => "right",
    }
}

fn talk(tally: &mut Tally, sound: &Pcm, decisions: &[Decision]) -> &'static str {
    tally.talk += Duration::from_millis(sound.length_ms());
    let mut verdict = "right";
    for decision in decisions {
        let (count, what) = match decision {
            Decision::Accept { .. } => (&mut tally.false_moves, "FALSE MOVE"),
            Decision::Command { .. } => (&mut tally.false_requests, "FALSE REQUEST"),
            Decision::Confirm { .. } => (&mut tally.false_questions, "asked about a move"),
            Decision::ConfirmCommand { .. } => {
                (&mut tally.false_questions, "asked about a request")
            }
            // Without a question nobody waits for an answer; the rest is asked for again or ignored.
            _ => continue,
        };
        *count += 1;
        verdict = what;
    }
    verdict
}

pub(super) fn read_list(corpus: &Path) -> Result<Vec<Item>, Failure> {
    let list = list_of(corpus);
    let shown = list.display().to_string();
    let text = std::fs::read_to_string(&list).map_err(|err| {
        Failure::usage(format!("cannot read {shown}: {err}; `annabella corpus` makes one"))
    })?;
    let folder = list.parent().map(PathBuf::from).unwrap_or_default();
    let mut items = Vec::new();
    for (n, line) in text.lines().enumerate().skip(1) {
        let wrong = |what: &str| Failure::usage(format!("{shown}:{}: {what}", n + 1));
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, speaker, condition, kind, fen, meant, said] = fields[..] else {
            return Err(wrong("a line needs seven fields, separated by tabs"));
        };
        let kind = match kind {
            "move" => Kind::Move,
            "request" => Kind::Request,
            "illegal" => Kind::Illegal,
            "talk" => Kind::Talk,
            _ => return Err(wrong("the kind is move, request, illegal or talk")),
        };
        items.push(Item {
            file: folder.join(file),
            speaker: speaker.to_owned(),
            condition: condition.to_owned(),
            kind,
            fen: fen.to_owned(),
            meant: meant.to_owned(),
            said: said.to_owned(),
        });
    }
    if items.is_empty() {
        return Err(Failure::usage(format!("{shown} lists no recordings")));
    }
    Ok(items)
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
