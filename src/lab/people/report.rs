//! The report about people: a line each, and averages in which each counts once.

use std::io::Write;

use serde_json::{Value, json};

use super::{
    People, Person,
    manifest::Part,
    ranks::{self, Place, Ranks},
    share::{self, Share, average},
};
use crate::measure::Tally;
use annabella::cli::Failure;

/// The columns for each person, also averaged over people: a name, and percent where there is a
/// value.
fn columns(person: &Person) -> Vec<(&'static str, Option<f64>)> {
    let heard = &person.heard;
    let of = |n: u32, all: u32| (all > 0).then(|| f64::from(n) * 100.0 / f64::from(all));
    let mut all: Vec<_> =
        Place::ALL.map(|place| (place.name(), person.ranks.of(place).percent())).into();
    all.extend([
        ("asked for", person.asked.percent()),
        ("words", person.words.percent()),
        ("words cut", person.words_recorded.percent()),
        ("announced", of(heard.right, heard.moves)),
        ("with a ja", of(heard.right + heard.confirmed, heard.moves)),
        ("WRONG", of(heard.wrong, heard.moves)),
        ("illegal", of(heard.illegal_accepted, heard.illegal)),
        ("requests", of(heard.answered, heard.requests)),
        ("ja, nein", of(person.answers.answered, person.answers.requests)),
    ]);
    all
}

/// As a table with averages below it.
pub(super) fn table(people: &People, out: &mut dyn Write) -> Result<(), Failure> {
    let names: Vec<&str> = columns(&Person::default()).iter().map(|(name, _)| *name).collect();
    writeln!(
        out,
        "{:<18} {:<10} {:<12} {}",
        "person",
        "part",
        "files by",
        names.map_each(|name| format!("{name:>11}"))
    )?;
    let shown =
        |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
    for (name, (part, person)) in people {
        let cells = columns(person).map_each(|(_, value)| format!("{:>11}", shown(*value)));
        let lender = person.files_by.as_deref().unwrap_or("-");
        writeln!(out, "{name:<18} {:<10} {lender:<12} {cells}", part.name())?;
    }
    for (name, (_, person)) in people {
        let heard = &person.heard;
        if heard.talk.as_secs() > 0 {
            writeln!(
                out,
                "{name:<18} {:.1} min of talk: {} false moves, {} false requests, {} needless questions",
                heard.talk.as_secs_f64() / 60.0,
                heard.false_moves,
                heard.false_requests,
                heard.false_questions,
            )?;
        }
    }
    for (name, group) in groups(people) {
        averages(name, &group, out)?;
    }
    Ok(())
}

/// One line of JSON for each person, and one for each average.
pub(super) fn lines(model: &str, people: &People, out: &mut dyn Write) -> Result<(), Failure> {
    for (name, (part, person)) in people {
        writeln!(out, "{}", row_json(model, name, *part, person))?;
    }
    for (name, group) in groups(people) {
        let mut line = json!({ "model": model, "mean_of": name, "people": group.len() });
        for column in 0..columns(&Person::default()).len() {
            if let Some(mean) = Mean::of(&group, column) {
                line[mean.title] = mean.json();
            }
        }
        for (place, word, share) in worst_words(&group) {
            line["worst word"][place] = json!({ "rank": word, "mean": share });
        }
        line["talk"] = talk_json(&talk_of(&group));
        writeln!(out, "{line}")?;
    }
    Ok(())
}

/// The people of each part, and all of them. Synthetic voices don't count.
fn groups(people: &People) -> Vec<(&'static str, Vec<&Person>)> {
    let of = |wanted: &dyn Fn(Part) -> bool| -> Vec<&Person> {
        people.values().filter(|(part, _)| wanted(*part)).map(|(_, person)| person).collect()
    };
    let mut all: Vec<_> =
        Part::ALL.map(|part| (part.name(), of(&|own| own == part))).into_iter().collect();
    all.push(("all", of(&|part| part != Part::Synthetic)));
    all.retain(|(_, group)| !group.is_empty());
    all
}

/// Over people, each counted once.
struct Mean {
    title: &'static str,
    mean: f64,
    /// Between these lie 95 of 100 such groups.
    interval: [f64; 2],
    worst: f64,
    people: usize,
}

impl Mean {
    fn of(people: &[&Person], column: usize) -> Option<Mean> {
        let of: Vec<f64> = people.iter().filter_map(|person| columns(person)[column].1).collect();
        let title = columns(&Person::default())[column].0;
        let (mean, low, high) = average(&of)?;
        let error = ["WRONG", "illegal"].contains(&title);
        let worst = if error { f64::max } else { f64::min };
        let worst = of.iter().copied().reduce(worst).unwrap_or(mean);
        Some(Mean { title, mean, interval: [low, high], worst, people: of.len() })
    }

    fn json(&self) -> Value {
        json!({ "mean": self.mean, "interval": self.interval, "worst": self.worst, "people": self.people })
    }
}

fn talk_of(people: &[&Person]) -> Tally {
    let mut talk = Tally::default();
    people.iter().for_each(|person| talk.add(&person.heard));
    talk
}

fn talk_json(talk: &Tally) -> Value {
    json!({
        "talk_s": talk.talk.as_secs_f64(), "false_moves": talk.false_moves,
        "false_requests": talk.false_requests, "needless_questions": talk.false_questions,
    })
}

/// Over people, each counted once, with the interval of 95 in 100 and the worst; and the talk of
/// all of them.
fn averages(name: &str, people: &[&Person], out: &mut dyn Write) -> Result<(), Failure> {
    writeln!(out, "\n{name}: mean over people (95 of 100 such groups), worst, people")?;
    for column in 0..columns(&Person::default()).len() {
        if let Some(Mean { title, mean, interval: [low, high], worst, people }) =
            Mean::of(people, column)
        {
            writeln!(
                out,
                "  {title:<12} {mean:>6.2} % ({low:.2} to {high:.2}), {worst:.1}, {people}"
            )?;
        }
    }
    for (place, word, share) in worst_words(people) {
        writeln!(out, "  worst word, {place}: {word} ({share:.1} %)")?;
    }
    let minutes = talk_of(people).talk.as_secs_f64() / 60.0;
    if minutes > 0.0 {
        let falsely = falsely(people).map(|(what, count)| {
            let (rate, low, high) = share::an_hour(&count).unwrap_or_default();
            format!("{rate:.1} ({low:.1} to {high:.1}) {what}")
        });
        writeln!(out, "  an hour of talk ({minutes:.1} min heard): {}", falsely.join(", "))?;
    }
    Ok(())
}

/// In each place the rank that is understood worst, and how well.
fn worst_words(people: &[&Person]) -> Vec<(&'static str, u8, f64)> {
    let ranks: Vec<&Ranks> = people.iter().map(|person| &person.ranks).collect();
    let worst = |place: Place| {
        ranks::worst_word(&ranks, place).map(|(word, share)| (place.name(), word, share))
    };
    Place::ALL.into_iter().filter_map(worst).collect()
}

/// What talk was taken for, how often of each person, in how many hours.
fn falsely(people: &[&Person]) -> [(&'static str, Vec<(u32, f64)>); 3] {
    let of = |count: fn(&Tally) -> u32| {
        let each = people.iter().map(|person| &person.heard);
        each.map(|heard| (count(heard), heard.talk.as_secs_f64() / 3600.0)).collect()
    };
    [
        ("false moves", of(|heard| heard.false_moves)),
        ("false requests", of(|heard| heard.false_requests)),
        ("needless questions", of(|heard| heard.false_questions)),
    ]
}

fn row_json(model: &str, name: &str, part: Part, person: &Person) -> serde_json::Value {
    let heard = &person.heard;
    let share = |share: Share| json!({ "right": share.right, "of": share.of });
    json!({
        "model": model, "person": name, "part": part.name(), "files_by": person.files_by,
        "ranks": share(person.ranks.of(Place::Room)),
        "ranks_as_recorded": share(person.ranks.of(Place::Recorded)),
        "ranks_in_silence": share(person.ranks.of(Place::Silence)),
        "ranks_in_a_hall": share(person.ranks.of(Place::Hall)),
        "ranks_in_babble": share(person.ranks.of(Place::Babble)),
        "ranks_asked_for": share(person.asked),
        "words": share(person.words), "words_as_recorded": share(person.words_recorded),
        "moves": heard.moves, "right": heard.right, "confirmed": heard.confirmed,
        "asked_about_another": heard.wrong_question, "wrong": heard.wrong, "again": heard.again,
        "illegal": heard.illegal, "illegal_accepted": heard.illegal_accepted,
        "answers": { "right": person.answers.answered, "of": person.answers.requests },
        "answers_taken_for_something_else": person.answers.wrongly_answered,
        "requests": heard.requests, "understood": heard.answered,
        "taken_for_something_else": heard.wrongly_answered,
        "talk_s": heard.talk.as_secs_f64(), "false_moves": heard.false_moves,
        "false_requests": heard.false_requests, "needless_questions": heard.false_questions,
    })
}

/// Cells of a line.
trait MapEach<T> {
    fn map_each(&self, cell: impl Fn(&T) -> String) -> String;
}

impl<T> MapEach<T> for Vec<T> {
    fn map_each(&self, cell: impl Fn(&T) -> String) -> String {
        self.iter().map(cell).collect::<Vec<_>>().join(" ")
    }
}
