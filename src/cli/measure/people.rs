//! How well people are understood: a folder of many people's recordings, with a manifest, each person counted once.
//!
//! Single words are heard twice: as they were recorded, cut tight, with nothing but these words in the grammar, and in a
//! quiet room in the program's own dialogue. Announcements, which hardly anybody recorded, are joined from one and the
//! same person's words.

mod joined;
mod manifest;
mod share;

use std::{
    collections::{BTreeMap, BTreeSet},
    io::Write,
    path::Path,
};

use serde_json::json;
use shakmaty::{Chess, Rank};

use self::{
    joined::{Announcement, Clips, Script, canonical},
    manifest::{Part, Recording},
    share::{Share, average},
};
use super::{Item, Kind, MeasureArgs, Tally, compare, judge};
use crate::{
    cli::{Exit, Failure, corpus::positions, listen::Ears},
    game::read_fen,
    phrase::{
        Understood, Words,
        hear::{Answer, Asked, Confusions, Context, Decision, Ear, Grammar, Heard, answer_grammar},
        understand,
    },
    voice::{
        Pcm,
        synthetic::room::{self, Condition},
    },
};

/// Announcements joined for each person who said enough words.
const ANNOUNCEMENTS: u32 = 100;
const ILLEGAL: u32 = 25;

/// What a recording is, by its text.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Said {
    /// A rank, 1 to 8.
    Rank(u8),
    /// Another word or short phrase of moves, as the grammar spells it.
    Word(String),
    /// A request, by its name; ja and nein too.
    Request(String),
    /// None of ours.
    Talk,
    /// A word of ours that is said for nothing here: numbers above eight, spelled letters.
    Other,
}

/// What came of one person's recordings.
#[derive(Clone, Default)]
struct Person {
    /// Ranks as they were recorded, with nothing but the eight in the grammar.
    recorded: Share,
    /// The same in a quiet room.
    alone: Share,
    /// In the dialogue, as an answer to a question.
    asked: Share,
    /// Words of chess as they were recorded, with nothing but the words of moves in the grammar.
    words_recorded: Share,
    /// The same in a quiet room.
    words: Share,
    /// Announcements that were joined, requests, talk.
    heard: Tally,
}

/// Runs `annabella measure --people`.
pub(super) fn run(args: &MeasureArgs, folder: &Path, out: &mut dyn Write) -> Result<Exit, Failure> {
    let words = Words::builtin("fide", "de").map_err(|err| Failure::usage(err.to_string()))?;
    let recordings = wanted(args, manifest::read(folder)?, &words);
    if recordings.is_empty() {
        return Err(Failure::usage("--only: nobody of this name is in the folder"));
    }
    let ear = Ear::with_confusions(&words, &Confusions::default());
    let positions = positions()?;
    for model in compare::models(args)? {
        let shown = compare::shown(model.as_deref());
        let ears = Ears::open(model.as_deref(), &words)?;
        let mut room =
            Room { words: &words, ear: &ear, ears, positions: &positions, verbose: args.verbose };
        let people = room.people(&recordings, out)?;
        if args.json {
            for (name, (part, person)) in &people {
                writeln!(out, "{}", row_json(&shown, name, *part, person))?;
            }
        } else {
            writeln!(out, "model {shown}")?;
            table(&people, out)?;
        }
    }
    Ok(Exit::Done)
}

/// Those of the speakers that are wanted, of what each says again and again every so manyth, and not too much talk.
fn wanted(args: &MeasureArgs, all: Vec<Recording>, words: &Words) -> Vec<(Recording, Said)> {
    let mut times: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut talks: BTreeMap<String, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for one in all {
        if !args.only.is_empty() && !args.only.contains(&one.speaker) {
            continue;
        }
        let before = times.entry((one.speaker.clone(), one.text.clone())).or_default();
        *before += 1;
        if !(*before - 1).is_multiple_of(args.every.max(1)) {
            continue;
        }
        let said = said(words, &one.text);
        if said == Said::Talk {
            let talk = talks.entry(one.speaker.clone()).or_default();
            *talk += 1;
            if args.talk.is_some_and(|most| *talk > most) {
                continue;
            }
        }
        chosen.push((one, said));
    }
    chosen
}

fn said(words: &Words, text: &str) -> Said {
    let lower = text.to_lowercase();
    for (n, rank) in (1..).zip(Rank::ALL) {
        if words.moves().rank(rank).heard().any(|heard| heard.to_lowercase() == lower) {
            return Said::Rank(n);
        }
    }
    let of_commands = words.command_phrases();
    if let Some((_, command)) =
        of_commands.iter().find(|(phrase, _)| phrase.to_lowercase() == lower)
    {
        return Said::Request(command.name());
    }
    if let Some(word) = canonical(words, text) {
        return Said::Word(word);
    }
    let known: BTreeSet<String> = words.moves().vocabulary().into_iter().collect();
    let ours = |word: &str| known.contains(word.trim_matches(|c: char| !c.is_alphanumeric()));
    let lexical = lower.split_whitespace().all(ours);
    if lexical || text.starts_with("Buchstabe ") { Said::Other } else { Said::Talk }
}

/// Everything that hears.
struct Room<'a> {
    words: &'a Words,
    ear: &'a Ear,
    ears: Ears,
    positions: &'a [Chess],
    verbose: bool,
}

type People = BTreeMap<String, (Part, Person)>;

impl Room<'_> {
    fn people(
        &mut self,
        recordings: &[(Recording, Said)],
        out: &mut dyn Write,
    ) -> Result<People, Failure> {
        let mut people = People::new();
        let mut clips: BTreeMap<&str, Clips> = BTreeMap::new();
        for (n, (recording, said)) in recordings.iter().enumerate() {
            let sound = read(&recording.file)?;
            let key = recording.speaker.clone();
            let (_, person) =
                people.entry(key).or_insert_with(|| (recording.part, Person::default()));
            self.single(person, recording, said, &sound, n as u64, out)?;
            if let Some(word) = canonical(self.words, &recording.text) {
                clips.entry(&recording.speaker).or_default().insert(word, n);
            }
        }
        for (speaker, clips) in clips {
            if clips.announce(self.words)
                && let Some((_, person)) = people.get_mut(speaker)
            {
                self.announced(person, speaker, &clips, recordings, out)?;
            }
        }
        Ok(people)
    }

    /// One recording for itself.
    fn single(
        &mut self,
        person: &mut Person,
        recording: &Recording,
        said: &Said,
        sound: &Pcm,
        seed: u64,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let in_room = room::put(sound, Condition::Clean, &[], seed);
        let verbose = self.verbose;
        let mut note = |what: &str, heard: &str| -> Result<(), Failure> {
            if verbose {
                writeln!(
                    out,
                    "{what}: {} {} '{}' heard '{heard}'",
                    recording.file.display(),
                    recording.speaker,
                    recording.text
                )?;
            }
            Ok(())
        };
        match said {
            Said::Rank(n) => {
                let ranks = Rank::ALL.map(|rank| self.words.moves().rank(rank).text.to_lowercase());
                let meant = ranks[usize::from(*n) - 1].clone();
                let grammar = Grammar::of_phrases(ranks.to_vec());
                for (sound, share, what) in [
                    (sound, &mut person.recorded, "rank, as recorded"),
                    (&in_room, &mut person.alone, "rank"),
                ] {
                    let heard = closed(&mut self.ears, &grammar, sound)?;
                    share.add(heard == meant);
                    if heard != meant {
                        note(what, &heard)?;
                    }
                }
                let position = Chess::default();
                let context =
                    Context { moves: false, asked: Asked::Number(8), ..Context::default() };
                self.ears.listen_for(&Grammar::of_phrases(answer_grammar(self.words)));
                let heard = self.ears.overhear(&in_room)?;
                let matcher = self.ear.matcher(&position, context);
                let first = heard.iter().find(|heard| !heard.is_nothing());
                let decision = first.map(|heard| matcher.decide(heard));
                let right = matches!(decision, Some(Decision::Answer { answer: Answer::Number(m), .. }) if m == *n);
                person.asked.add(right);
                if !right {
                    note("rank, asked for", first.and_then(Heard::best).unwrap_or(""))?;
                }
            }
            Said::Word(meant) => {
                let all = self.words.moves().move_words().map(|word| word.text.to_lowercase());
                let grammar = Grammar::of_phrases(all.collect());
                for (sound, share, what) in [
                    (sound, &mut person.words_recorded, "word, as recorded"),
                    (&in_room, &mut person.words, "word"),
                ] {
                    let heard = closed(&mut self.ears, &grammar, sound)?;
                    share.add(heard == *meant);
                    if heard != *meant {
                        note(what, &heard)?;
                    }
                }
            }
            Said::Request(_) | Said::Talk => {
                let position = &self.positions[seed as usize * 7 % self.positions.len()];
                let (kind, meant) = match said {
                    Said::Request(name) => (Kind::Request, name.clone()),
                    _ => (Kind::Talk, "-".to_owned()),
                };
                let item = item(recording, kind, position, meant, recording.text.clone());
                let (verdict, heard) = self.dialogue(&mut person.heard, &item, &in_room)?;
                if verdict != "right" {
                    note(verdict, &heard)?;
                }
            }
            Said::Other => {}
        }
        Ok(())
    }

    /// An utterance among everything that may be said in its position, through all passes, decided.
    fn dialogue(
        &mut self,
        tally: &mut Tally,
        item: &Item,
        sound: &Pcm,
    ) -> Result<(&'static str, String), Failure> {
        let position = read_fen(&item.fen).map_err(|err| Failure::usage(err.to_string()))?;
        self.ears.listen_for(&Grammar::of_everything(self.words, &position));
        let heard = self.ears.overhear(sound)?;
        let yes_or_no = ["ja", "nein"].contains(&item.said.to_lowercase().as_str());
        let asked = if yes_or_no { Asked::YesNo } else { Asked::Nothing };
        let matcher = self.ear.matcher(&position, Context { asked, ..Context::default() });
        let decisions: Vec<Decision> = heard.iter().map(|heard| matcher.decide(heard)).collect();
        let verdict = if yes_or_no {
            super::request(tally, item, &heard, &decisions)
        } else {
            judge(tally, item, self.words, &position, sound, &heard, &decisions)
        };
        let texts: Vec<&str> = heard.iter().filter_map(Heard::best).collect();
        Ok((verdict, texts.join("' '")))
    }

    /// Moves, and some that are not legal, joined from what this person said.
    fn announced(
        &mut self,
        person: &mut Person,
        speaker: &str,
        clips: &Clips,
        recordings: &[(Recording, Said)],
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let mut script = Script::new(self.words, self.positions, 1);
        let mut wanted: Vec<(Kind, Announcement)> = Vec::new();
        for n in 0..ANNOUNCEMENTS + ILLEGAL {
            let kind = if n < ANNOUNCEMENTS { Kind::Move } else { Kind::Illegal };
            let one = match kind {
                Kind::Move => script.a_move(clips),
                _ => script.an_illegal_move(clips),
            };
            wanted.extend(one.map(|one| (kind, one)));
        }
        for (n, (kind, one)) in wanted.into_iter().enumerate() {
            let parts: Vec<Pcm> = one
                .clips
                .iter()
                .map(|at| read(&recordings[*at].0.file))
                .collect::<Result<_, _>>()?;
            let sound = script.join(&parts.iter().collect::<Vec<_>>());
            let sound = room::put(&sound, Condition::Clean, &[], n as u64);
            let position = read_fen(&one.fen).map_err(|err| Failure::usage(err.to_string()))?;
            debug_assert!(
                kind != Kind::Move
                    || matches!(understand(self.words, &position, &one.text), Understood::Move(_))
            );
            let item = item(&recordings[one.clips[0]].0, kind, &position, one.meant, one.text);
            let (verdict, heard) = self.dialogue(&mut person.heard, &item, &sound)?;
            if self.verbose && verdict != "right" {
                writeln!(out, "{verdict}, joined: {speaker} '{}' heard '{heard}'", item.said)?;
            }
        }
        Ok(())
    }
}

/// Where any of these phrases or none was said, which one.
fn closed(ears: &mut Ears, grammar: &Grammar, sound: &Pcm) -> Result<String, Failure> {
    ears.listen_for(grammar);
    Ok(ears.hear(sound)?.best().unwrap_or_default().to_owned())
}

fn item(recording: &Recording, kind: Kind, position: &Chess, meant: String, said: String) -> Item {
    Item {
        file: recording.file.clone(),
        speaker: recording.speaker.clone(),
        condition: Condition::Clean.to_string(),
        kind,
        fen: crate::game::write_fen(position),
        meant,
        said,
    }
}

fn read(file: &Path) -> Result<Pcm, Failure> {
    let sound = Pcm::read(file).map_err(|err| Failure::usage(err.to_string()))?;
    Ok(room::at_rate(&sound, 16_000))
}

/// What is told of each person, and averaged over people: a name, and percent where there is something.
fn columns(person: &Person) -> Vec<(&'static str, Option<f64>)> {
    let heard = &person.heard;
    let of = |n: u32, all: u32| (all > 0).then(|| f64::from(n) * 100.0 / f64::from(all));
    vec![
        ("ranks", person.alone.percent()),
        ("as recorded", person.recorded.percent()),
        ("asked for", person.asked.percent()),
        ("words", person.words.percent()),
        ("as recorded", person.words_recorded.percent()),
        ("announced", of(heard.right, heard.moves)),
        ("with a ja", of(heard.right + heard.confirmed, heard.moves)),
        ("WRONG", of(heard.wrong, heard.moves)),
        ("illegal", of(heard.illegal_accepted, heard.illegal)),
        ("requests", of(heard.answered, heard.requests)),
    ]
}

fn table(people: &People, out: &mut dyn Write) -> Result<(), Failure> {
    let names: Vec<&str> = columns(&Person::default()).iter().map(|(name, _)| *name).collect();
    writeln!(
        out,
        "{:<20} {:<10} {}",
        "person",
        "part",
        names.map_each(|name| format!("{name:>11}"))
    )?;
    let shown =
        |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}"));
    for (name, (part, person)) in people {
        let cells = columns(person).map_each(|(_, value)| format!("{:>11}", shown(*value)));
        writeln!(out, "{name:<20} {:<10} {cells}", part.name())?;
    }
    for part in Part::ALL {
        let of_part: Vec<&Person> =
            people.values().filter(|(own, _)| *own == part).map(|(_, person)| person).collect();
        averages(part.name(), &of_part, out)?;
    }
    let all: Vec<&Person> = people.values().map(|(_, person)| person).collect();
    averages("all", &all, out)
}

/// Over people, each counted once, with the interval of 95 in 100 and the worst; and the talk of all of them.
fn averages(name: &str, people: &[&Person], out: &mut dyn Write) -> Result<(), Failure> {
    if people.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{name}: mean over people (95 of 100 such groups), worst, people")?;
    for column in 0..columns(&Person::default()).len() {
        let of: Vec<f64> = people.iter().filter_map(|person| columns(person)[column].1).collect();
        let title = columns(&Person::default())[column].0;
        if let Some((mean, low, high)) = average(&of) {
            let error = ["WRONG", "illegal"].contains(&title);
            let worst = if error { f64::max } else { f64::min };
            let worst = of.iter().copied().reduce(worst).unwrap_or(mean);
            writeln!(
                out,
                "  {title:<12} {mean:>6.2} % ({low:.2} to {high:.2}), {worst:.1}, {}",
                of.len()
            )?;
        }
    }
    let mut talk = Tally::default();
    people.iter().for_each(|person| talk.add(&person.heard));
    let hours = talk.talk.as_secs_f64() / 3600.0;
    if hours > 0.0 {
        let an_hour = |n: u32| f64::from(n) / hours;
        writeln!(
            out,
            "  an hour of talk ({:.1} min heard): {:.1} false moves, {:.1} false requests, {:.1} needless questions",
            hours * 60.0,
            an_hour(talk.false_moves),
            an_hour(talk.false_requests),
            an_hour(talk.false_questions),
        )?;
    }
    Ok(())
}

fn row_json(model: &str, name: &str, part: Part, person: &Person) -> serde_json::Value {
    let heard = &person.heard;
    let share = |share: Share| json!({ "right": share.right, "of": share.of });
    json!({
        "model": model, "person": name, "part": part.name(),
        "ranks": share(person.alone), "ranks_as_recorded": share(person.recorded),
        "ranks_asked_for": share(person.asked),
        "words": share(person.words), "words_as_recorded": share(person.words_recorded),
        "moves": heard.moves, "right": heard.right, "confirmed": heard.confirmed,
        "asked_about_another": heard.wrong_question, "wrong": heard.wrong, "again": heard.again,
        "illegal": heard.illegal, "illegal_accepted": heard.illegal_accepted,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_say_is_told_apart_by_its_text() {
        let words = Words::builtin("fide", "de").expect("there");
        let said = |text| said(&words, text);
        assert_eq!(said("eins"), Said::Rank(1));
        assert_eq!(said("zwo"), Said::Rank(2));
        assert_eq!(said("kurze Rochade"), Said::Word("kurze rochade".to_owned()));
        assert_eq!(said("Schachmatt"), Said::Word("matt".to_owned()));
        assert_eq!(said("nein"), Said::Request("no".to_owned()));
        assert_eq!(said("der Truthahn"), Said::Talk);
        assert_eq!(said("Das will sie am Mittwoch abgeben."), Said::Talk);
        assert_eq!(said("Buchstabe Z"), Said::Other);
        assert_eq!(said("Buchstabe A"), Said::Other);
        assert_eq!(said("neunzehn"), Said::Other, "a number of a clock time is no talk");
    }
}
