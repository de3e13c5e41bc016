//! `annabella practice`: talk of words without opponent, board or clock. The program says words,
//! the player says them after it, and is told what was understood.
//!
//! No game knows of this, and nothing is written into a journal.

mod exercise;
mod judge;
mod lesson;
mod missed;
mod place;
#[cfg(all(test, feature = "speech", feature = "sound"))]
mod spoken;
#[cfg(test)]
mod tests;

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::{SystemTime, UNIX_EPOCH},
};

use clap::ValueEnum as _;
use serde_json::json;
use shakmaty::Chess;

pub use self::exercise::Unit;
use self::{
    exercise::{Exercise, exercises},
    judge::{Choice, Judge, Take},
    lesson::{Lesson, LessonLine, Tally},
    place::{Place, PlaceEvent},
};
use super::{
    Exit, Failure,
    listen::read_confusions,
    recordings,
    tell::{Teller, words_of},
};
use crate::service::streams::complain;
use annabella_words::phrase::{
    Part, Prompt, Slot, Utterance, Words,
    hear::{Confusions, Ear},
};

/// A list of more missed words than this helps nobody.
const NAMED: usize = 5;
/// From so many exercises on the share that was understood says something.
const ENOUGH: usize = 10;
/// Whoever is understood at the first try in fewer of a hundred is told of enrolment.
const WELL: usize = 90;
/// So often the units are offered to somebody who does not answer.
const MOST_OFFERS: u8 = 3;
/// A day, seconds.
const DAY_S: u64 = 86_400;

/// Practises the words of the game, spoken or typed: no opponent, no clock, no record.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Say \"wiederhole\" or \"abbrechen\", or type: Enter next, r repeat, b back, q end."
)]
pub struct PracticeArgs {
    /// Configuration; without one the first of ./annabella.toml, ~/.config/annabella/annabella.toml
    /// and the installed service's.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// What is practised; several times for several. Asked for if not given.
    #[arg(long, value_name = "UNIT")]
    pub unit: Vec<Unit>,
    /// Do not listen: the words are typed.
    #[arg(long)]
    pub typed: bool,
    /// Every line as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the configuration or what it names is wrong, or the output is closed.
pub fn run(args: &PracticeArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (config, _) = super::configuration(args.config.as_deref())?;
    let words = words_of(&config)?;
    let learnt = match &config.speech.confusions {
        Some(path) => read_confusions(path)?,
        None => Confusions::default(),
    };
    let judge = Judge::new(&words, Ear::with_confusions(&words, &learnt), config.hearing);
    let list = config.journal.path.parent().unwrap_or(Path::new("")).join(missed::FILE);
    let before = missed::read(&list).unwrap_or_else(|err| {
        complain(&format!("cannot read {}: {err}; it is left out", list.display()));
        Vec::new()
    });
    let mut teller = Teller::open(out, args.json, &config, &words);
    let place = place::open(args.typed, &config, &words, &teller);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let mut practice = Practice {
        words,
        judge,
        place,
        positions: recordings::positions()?,
        // Another day has other moves.
        turn: usize::try_from(since.as_secs() / DAY_S).unwrap_or_default(),
        before,
        typing: false,
        heard: false,
        all: Tally::default(),
    };
    practice.run(&args.unit, &mut teller)?;
    let tomorrow = missed::tomorrow(&practice.before, &practice.all);
    if let Err(err) = missed::write(&list, &tomorrow) {
        complain(&format!("cannot write {}: {err}; is the folder writable?", list.display()));
    }
    teller.finish();
    Ok(Exit::Done)
}

/// A person at practice.
struct Practice {
    words: Words,
    judge: Judge,
    place: Box<dyn Place>,
    /// Of games.
    positions: Vec<Chess>,
    /// Chooses the moves and requests.
    turn: usize,
    /// The words that were missed before.
    before: Vec<String>,
    /// The last thing was typed: whoever types is not hurried.
    typing: bool,
    /// Something was spoken.
    heard: bool,
    /// All lessons so far.
    all: Tally,
}

impl Practice {
    /// These units; without any, those that are asked for.
    fn run(&mut self, units: &[Unit], teller: &mut Teller<'_>) -> Result<(), Failure> {
        let mut begin = vec![self.words.prompt(Prompt::PracticeBegin, &[])];
        if self.place.is_deaf() {
            begin.push(self.words.prompt(Prompt::PracticeTyped, &[]));
        }
        teller.tell(&begin)?;
        if !units.is_empty() {
            return self.lesson(units, teller).map(|_| ());
        }
        let mut offer = Prompt::PracticeUnits;
        while let Some(units) = self.choice(offer, teller)?
            && self.lesson(&units, teller)?
        {
            offer = Prompt::PracticeMore;
        }
        teller.hush();
        teller.tell(&[self.words.prompt(Prompt::Goodbye, &[])])
    }

    /// The units that are wanted; none: the person has enough, or is not there.
    fn choice(
        &mut self,
        offer: Prompt,
        teller: &mut Teller<'_>,
    ) -> Result<Option<Vec<Unit>>, Failure> {
        let offered = self.words.prompt(offer, &[]);
        self.place.listen_for(self.judge.units_grammar());
        teller.tell(std::slice::from_ref(&offered))?;
        let mut unanswered = 0;
        loop {
            let choice = match self.next(teller) {
                PlaceEvent::Left => return Ok(None),
                PlaceEvent::Silence if self.typing => continue,
                PlaceEvent::Silence => {
                    unanswered += 1;
                    if unanswered == MOST_OFFERS {
                        return Ok(None);
                    }
                    Some(Choice::Repeat)
                }
                PlaceEvent::Typed(line) => self.judge.chosen_by_typing(&line),
                PlaceEvent::Heard(heard) if heard.is_nothing() => continue,
                PlaceEvent::Heard(heard) => self.judge.chosen(&heard),
            };
            teller.hush();
            match choice {
                Some(Choice::All) => return Ok(Some(Unit::value_variants().to_vec())),
                Some(Choice::One(unit)) => return Ok(Some(vec![unit])),
                Some(Choice::End) => return Ok(None),
                Some(Choice::Repeat) => teller.tell(std::slice::from_ref(&offered))?,
                None => teller.tell(&[
                    self.words.prompt(Prompt::NotHeard, &[]),
                    self.words.prompt(Prompt::PracticeMore, &[]),
                ])?,
            }
        }
    }

    fn next(&mut self, teller: &Teller<'_>) -> PlaceEvent {
        let event = self.place.next(teller);
        match &event {
            PlaceEvent::Typed(_) => self.typing = true,
            PlaceEvent::Heard(heard) if !heard.is_nothing() => {
                (self.typing, self.heard) = (false, true);
            }
            _ => {}
        }
        event
    }

    /// The exercises of some units. False: the person is not there any more.
    fn lesson(&mut self, units: &[Unit], teller: &mut Teller<'_>) -> Result<bool, Failure> {
        let of =
            |unit: &Unit| exercises(&self.words, *unit, &self.positions, self.turn, &self.before);
        let mut all: Vec<Exercise> = units.iter().flat_map(of).collect();
        self.turn += 1;
        all.retain(|exercise| self.place.hears(&exercise.text));
        if all.is_empty() {
            teller.tell(&[self.words.prompt(Prompt::PracticeUnheard, &[])])?;
            return Ok(true);
        }
        let (mut lesson, lines) = Lesson::begin(all);
        self.tell(&lesson, &lines, teller)?;
        let mut there = true;
        while let Some(exercise) = lesson.exercise() {
            let event = self.next(teller);
            let (take, text) = match &event {
                PlaceEvent::Left => {
                    there = false;
                    break;
                }
                PlaceEvent::Silence if self.typing => continue,
                PlaceEvent::Silence => {
                    let lines = lesson.silence();
                    self.tell(&lesson, &lines, teller)?;
                    there = !lesson.is_abandoned();
                    continue;
                }
                PlaceEvent::Typed(line) => (self.judge.typed(exercise, line), line.to_lowercase()),
                // The end of a sound, and no word in it.
                PlaceEvent::Heard(heard) if heard.best().is_none_or(str::is_empty) => continue,
                PlaceEvent::Heard(heard) => {
                    teller.understood = heard.best().map(|text| self.words.label(text));
                    (self.judge.heard(exercise, heard), heard.as_part().to_owned())
                }
            };
            if teller.json {
                self.attempt(exercise, &take, &text, lesson.attempt(), teller)?;
            }
            let lines = lesson.take(take, &text);
            teller.hush();
            self.tell(&lesson, &lines, teller)?;
        }
        let tally = lesson.tally();
        self.result(units, &tally, teller)?;
        self.all.add(tally);
        Ok(there)
    }

    fn tell(
        &self,
        lesson: &Lesson,
        lines: &[LessonLine],
        teller: &mut Teller<'_>,
    ) -> Result<(), Failure> {
        let exercises = lesson.exercises();
        for line in lines {
            if let LessonLine::Say(n) | LessonLine::Again(n) = line
                && let Some(exercise) = exercises.get(*n)
            {
                self.place.listen_for(self.judge.grammar(exercise));
            }
        }
        let told: Vec<Utterance> =
            lines.iter().map(|line| line.words(&self.words, exercises)).collect();
        teller.tell(&told)
    }

    /// An attempt as a line of JSON. What steers the program is none.
    fn attempt(
        &self,
        exercise: &Exercise,
        take: &Take,
        heard: &str,
        attempt: u8,
        teller: &mut Teller<'_>,
    ) -> Result<(), Failure> {
        let verdict = match take {
            Take::Right => "right",
            Take::Unsure => "unsure",
            Take::Instead(_) => "other",
            Take::Nothing => "nothing",
            Take::Steer(_) => return Ok(()),
        };
        let line = json!({
            "practised": exercise.unit.name(),
            "words": exercise.text,
            "heard": heard,
            "verdict": verdict,
            "attempt": attempt,
        });
        writeln!(teller.out, "{line}")?;
        Ok(())
    }

    fn result(
        &self,
        units: &[Unit],
        tally: &Tally,
        teller: &mut Teller<'_>,
    ) -> Result<(), Failure> {
        if tally.tried == 0 {
            return Ok(());
        }
        let weak = tally.weak();
        let mut lines = vec![self.words.prompt(
            Prompt::PracticeResult,
            &[Slot::count(tally.tried), Slot::count(tally.at_once)],
        )];
        if !weak.is_empty() {
            let named = listed(&self.words, &weak[..weak.len().min(NAMED)]);
            lines.push(self.words.prompt(Prompt::PracticeMissed, &[Slot::Words(&named)]));
        }
        let often_missed = tally.at_once * 100 < tally.tried * WELL;
        if self.heard && tally.tried >= ENOUGH && often_missed {
            lines.push(self.words.prompt(Prompt::PracticeEnrol, &[]));
        }
        teller.tell(&lines)?;
        if teller.json {
            let units: Vec<String> = units.iter().map(|unit| unit.name()).collect();
            let line = json!({
                "lesson": units,
                "tried": tally.tried,
                "at_once": tally.at_once,
                "missed": weak,
            });
            writeln!(teller.out, "{line}")?;
        }
        Ok(())
    }
}

/// Words of moves and of requests, one after the other, each in its own language.
fn listed(words: &Words, all: &[String]) -> Utterance {
    let part = |(n, text): (usize, &String)| {
        let mark = if n + 1 < all.len() { "," } else { "" };
        let named = words.moves().move_words().find(|word| word.text == *text);
        let lang = if named.is_some() { words.moves().code() } else { words.prompts().code() };
        let sound = named.map(|word| word.sound()).filter(|sound| sound != text);
        Part {
            lang: lang.to_owned(),
            text: format!("{text}{mark}"),
            sound: sound.map(|sound| format!("{sound}{mark}")).unwrap_or_default(),
        }
    };
    Utterance { parts: all.iter().enumerate().map(part).collect() }
}
