//! The effect of `annabella enrol` on people: it learns from half of each person's sentences, and
//! the other half judges.

use std::{io::Write, path::Path};

use serde_json::json;
use shakmaty::{Chess, uci::UciMove};

use super::{
    PeopleArgs, Spoken,
    joined::{Announcement, Clips, Script},
    share::average,
};
use crate::measure::shown;
use annabella::{
    cli::{
        Failure,
        enrol::{Recordings, to_fit, trying},
        words::read_model,
    },
    config::Config,
};
use annabella_core::{
    enrol::{Fitted, Meaning, Score, Sentence, fit, score},
    game::read_fen,
};
use annabella_words::phrase::Words;

/// As many as `annabella enrol` asks for.
const LEARNT: u32 = 30;
const TRIED: u32 = 60;

/// The results of one person's second half, before and after.
struct Row {
    before: Score,
    after: Score,
    fitted: Fitted,
}

/// Enrols everybody who said enough, for one model.
pub(super) fn run(
    args: &PeopleArgs,
    model: Option<&Path>,
    words: &Words,
    positions: &[Chess],
    said: &Spoken,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let mut config = Config::default();
    config.speech.model = model.map(Path::to_owned);
    let model = to_fit(&config)?;
    let lexicon = read_model(&model)?;
    let shown = shown(Some(&model));
    if !args.json {
        writeln!(
            out,
            "model {shown}; {LEARNT} announcements to learn from, {TRIED} others to try it on"
        )?;
        writeln!(
            out,
            "{:<18} {:>6} {:>6} {:>6} {:>6}    {:>6} {:>6} {:>6} {:>6}",
            "person", "right", "asked", "again", "WRONG", "right", "asked", "again", "WRONG"
        )?;
    }
    let (mut before, mut after) = (Vec::new(), Vec::new());
    for (name, own) in &said.clips {
        let Some(halves) = halves(words, said, name, own) else { continue };
        let (mut sentences, mut recordings) = (Vec::new(), Recordings::new());
        for (n, (clips, count)) in halves.iter().zip([LEARNT, TRIED]).enumerate() {
            let mut script = Script::new(words, positions, 1 + n as u64);
            for one in script.plan(clips, count, 0).moves {
                let seed = sentences.len() as u64;
                recordings.push(Some(said.joined(&mut script, &one.clips, seed)?));
                sentences.push(sentence(said, &one)?);
            }
        }
        trying::elsewhere(words, &mut sentences);
        let learnt: Vec<usize> = (0..(LEARNT as usize).min(sentences.len())).collect();
        let tried: Vec<usize> = (learnt.len()..sentences.len()).collect();
        let mut ears = trying::TrialEars::open(&model, &lexicon, words, &sentences, &recordings)?;
        let fitted = fit(words, &sentences, &learnt, &lexicon, &mut ears)?;
        let row = Row {
            before: score(words, &sentences, &tried, None, &mut ears)?,
            after: score(words, &sentences, &tried, Some(&fitted), &mut ears)?,
            fitted,
        };
        before.push(percent(row.before));
        // Enrolment that does not help on held-out sentences changes nothing.
        after.push(percent(if row.fitted.helps() { row.after } else { row.before }));
        told(args, &shown, name, &row, out)?;
    }
    if args.json {
        return Ok(());
    }
    for (what, of) in [("before", &before), ("after", &after)] {
        if let Some((mean, low, high)) = average(of) {
            let people = of.len();
            writeln!(out, "at once, {what}: {mean:.1} % ({low:.1} to {high:.1}), {people} people")?;
        }
    }
    Ok(())
}

/// Two halves of a person's ranks, each with all files; `None` where he said too little, or nobody
/// lends files.
fn halves(words: &Words, said: &Spoken, name: &str, own: &Clips) -> Option<[Clips; 2]> {
    let [learnt, tried] = own.halves(words)?;
    let (_, files) = said.lender.as_ref().filter(|(lender, _)| lender != name)?;
    Some([learnt, tried].map(|half| half.with_files_of(words, files)))
}

/// Its text is what was said: "Emil" where a person lent that for "Eva".
fn sentence(said: &Spoken, one: &Announcement) -> Result<Sentence, Failure> {
    let pos = read_fen(&one.fen).map_err(Failure::usage)?;
    let uci: UciMove = one.meant.parse().map_err(|_| Failure::usage("no move"))?;
    let mv = uci.to_move(&pos).map_err(Failure::usage)?;
    let text = one.clips.iter().map(|at| said.text(*at)).collect::<Vec<_>>().join(" ");
    Ok(Sentence { pos, elsewhere: None, meaning: Meaning::Move(mv), text })
}

fn percent(score: Score) -> f64 {
    score.right as f64 * 100.0 / score.all().max(1) as f64
}

fn told(
    args: &PeopleArgs,
    model: &str,
    name: &str,
    row: &Row,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let Row { before, after, fitted } = row;
    if args.json {
        let score = |score: &Score| {
            json!({
                "right": score.right, "asked": score.asked, "asked_about_another": score.asked_other,
                "again": score.again, "wrong": score.wrong,
            })
        };
        let line = json!({
            "model": model, "person": name, "before": score(before), "after": score(after),
            "kept": fitted.helps(), "pronunciations": fitted.sounds.len(),
            "confusions": fitted.confusions.len(), "weak": fitted.weak,
        });
        return Ok(writeln!(out, "{line}")?);
    }
    let of = |score: &Score| {
        let asked = score.asked + score.asked_other;
        format!("{:>6} {asked:>6} {:>6} {:>6}", score.right, score.again, score.wrong)
    };
    let kept = if fitted.helps() { "kept" } else { "not kept: no help" };
    writeln!(
        out,
        "{name:<18} {}    {}  {kept}; {} words sound otherwise, {} are mistaken, weak: {}",
        of(before),
        of(after),
        fitted.sounds.len(),
        fitted.confusions.len(),
        if fitted.weak.is_empty() { "none".to_owned() } else { fitted.weak.join(", ") }
    )?;
    Ok(())
}
