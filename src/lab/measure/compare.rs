//! Which of several models hears a player better.

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use serde_json::json;

use super::{MeasureArgs, Tally};
use annabella::cli::{Failure, rewrite};
use annabella_devices::voice::{AUTOMATIC_MODEL, BUILT_IN_MODEL, OFFICIAL_MODEL};

/// Fewer recordings than this don't show which model is better.
const LEAST: u32 = 20;

/// The models to be measured; `None` is the one that the service would take.
pub(super) fn models(args: &MeasureArgs) -> Result<Vec<Option<PathBuf>>, Failure> {
    let models: Vec<Option<PathBuf>> = if args.compare {
        both()?.map(|name| Some(PathBuf::from(name))).to_vec()
    } else if args.model.is_empty() {
        vec![None]
    } else {
        args.model.iter().cloned().map(Some).collect()
    };
    if args.choose.is_some() && models.len() < 2 {
        return Err(Failure::usage(
            "--choose needs two models to choose from: add --compare, or --model twice",
        ));
    }
    Ok(models)
}

fn both() -> Result<[&'static str; 2], Failure> {
    use annabella_devices::voice::recognizer::choice::{no_official, official};

    if official().is_none() {
        return Err(Failure::usage(no_official().to_string()));
    }
    Ok([BUILT_IN_MODEL, OFFICIAL_MODEL])
}

/// A model's name in a report.
pub(crate) fn shown(model: Option<&Path>) -> String {
    model.map_or_else(|| AUTOMATIC_MODEL.to_owned(), |path| path.display().to_string())
}

/// The recordings' cost for the player, in repeated utterances. A question is answered by one word.
/// A wrong move is announced to the opponent and has to be taken back with the arbiter's help.
fn cost(tally: &Tally) -> f64 {
    let not_understood =
        tally.requests.saturating_sub(tally.answered).saturating_sub(tally.wrongly_answered);
    0.5 * f64::from(tally.confirmed + tally.false_questions)
        + f64::from(tally.again + tally.wrong_question + not_understood)
        + 2.0 * f64::from(tally.wrongly_answered + tally.false_requests)
        + 10.0 * f64::from(tally.wrong + tally.illegal_accepted + tally.false_moves)
}

/// The index of the cheapest; the first of several.
fn best(costs: &[f64]) -> usize {
    let cheaper = |best: usize, next: usize| if costs[next] < costs[best] { next } else { best };
    (0..costs.len()).reduce(cheaper).unwrap_or(0)
}

/// Which model is better, as lines or as one of JSON; written into the configuration if that is
/// wanted.
pub(super) fn report(
    args: &MeasureArgs,
    models: &[Option<PathBuf>],
    results: &[Tally],
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let costs: Vec<f64> = results.iter().map(cost).collect();
    let first = best(&costs);
    let enough = results.first().is_some_and(|all| all.moves + all.requests >= LEAST);
    let same = costs.iter().all(|cost| (cost - costs[first]).abs() < f64::EPSILON);
    let name = shown(models[first].as_deref());
    if args.json {
        let models: Vec<String> = models.iter().map(|model| shown(model.as_deref())).collect();
        let better = (enough && !same).then_some(&name);
        writeln!(out, "{}", json!({ "models": models, "costs": costs, "better": better }))?;
    } else {
        writeln!(
            out,
            "Said again 1, asked 0.5, wrong request 2, wrong move 10, added up over these recordings:"
        )?;
        for (model, cost) in models.iter().zip(&costs) {
            writeln!(out, "{cost:>8.1}  {}", shown(model.as_deref()))?;
        }
    }
    let told = if !enough {
        format!("too few recordings to choose by: {LEAST} moves and requests are needed")
    } else if same {
        "they hear equally well: nothing to choose".to_owned()
    } else {
        format!("better here: {name}")
    };
    if !args.json {
        writeln!(out, "{told}")?;
    }
    let Some(config) = args.choose.as_deref().filter(|_| enough && !same) else {
        return Ok(());
    };
    let lasting = lasting(&name);
    rewrite::write(config, vec![("speech", vec![("model", lasting.as_str().into())])])?;
    if !args.json {
        writeln!(out, "written into {}: [speech] model = \"{lasting}\"", config.display())?;
    }
    Ok(())
}

/// A folder's path from the root, since the service may be started from another folder. Names stay.
fn lasting(name: &str) -> String {
    if [AUTOMATIC_MODEL, BUILT_IN_MODEL, OFFICIAL_MODEL].contains(&name) {
        return name.to_owned();
    }
    Path::new(name)
        .canonicalize()
        .map_or_else(|_| name.to_owned(), |path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_wrong_move_weighs_more_than_many_questions() {
        let asks = Tally { moves: 30, right: 20, confirmed: 10, ..Tally::default() };
        let errs = Tally { moves: 30, right: 29, wrong: 1, ..Tally::default() };
        assert_eq!((cost(&asks), cost(&errs)), (5.0, 10.0));
        assert_eq!(best(&[cost(&errs), cost(&asks)]), 1);
        assert_eq!(best(&[5.0, 5.0]), 0, "nothing is changed without a reason");
    }

    #[test]
    fn what_was_not_understood_counts_once() {
        let all = Tally { requests: 10, answered: 6, wrongly_answered: 1, ..Tally::default() };
        assert_eq!(cost(&all), 3.0 + 2.0);
    }
}
