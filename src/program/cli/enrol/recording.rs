//! The dialogue with a real mouth and real ears.

use super::{Recordings, Teller};
use crate::{
    cli::{
        Failure,
        room::{Event, Room},
    },
    service::ears::Overheard,
};
use annabella_core::enrol::{Booth, BoothAnswer, BoothLine, Sentence};
use annabella_words::phrase::{
    Command,
    hear::{self, Context, Grammar, HeardDecision},
};

/// All sentences, one after the other.
pub(super) fn record(
    room: &Room,
    sentences: &[Sentence],
    teller: &mut Teller<'_>,
) -> Result<Recordings, Failure> {
    let mut recordings = vec![None; sentences.len()];
    let (mut booth, lines) = Booth::begin(sentences.len());
    tell(room, teller, &lines, sentences)?;
    while let Some(sentence) = sentences.get(booth.at()) {
        let lines = match room.next(teller)? {
            Event::Typed(key) => match key.as_str() {
                "q" => return Ok(vec![None; sentences.len()]),
                "r" => booth.answer(BoothAnswer::Repeat),
                "b" => booth.answer(BoothAnswer::Back),
                _ => booth.answer(BoothAnswer::Next),
            },
            Event::Silence => booth.silence(),
            Event::Spoke(utterance, rate_hz) => match request(room, sentence, &utterance.heard) {
                Some(Command::Repeat) => booth.answer(BoothAnswer::Repeat),
                Some(_) => return Ok(recordings),
                None => {
                    let sound = Overheard::sound(&utterance, rate_hz);
                    let anything = !utterance.heard.is_nothing();
                    let step = booth.heard(sound.length_ms(), anything);
                    teller.understood = utterance.heard.best().map(|text| room.words.label(text));
                    if let Some(n) = step.keep {
                        recordings[n] = Some(sound);
                    }
                    step.lines
                }
            },
        };
        tell(room, teller, &lines, sentences)?;
    }
    Ok(recordings)
}

fn tell(
    room: &Room,
    teller: &mut Teller<'_>,
    lines: &[BoothLine],
    sentences: &[Sentence],
) -> Result<(), Failure> {
    for line in lines {
        if let BoothLine::Sentence(n) = line
            && let Some(sentence) = sentences.get(*n)
        {
            room.expect(Grammar::of_everything(&room.words, &sentence.pos));
        }
    }
    teller.hush();
    let lines: Vec<_> = lines.iter().map(|line| line.words(&room.words, sentences)).collect();
    teller.tell(&lines)
}

/// "Wiederhole" and "abbrechen", which are no sentences of the plan.
fn request(room: &Room, sentence: &Sentence, heard: &hear::Heard) -> Option<Command> {
    let matcher = room.ear.matcher(&sentence.pos, Context::default());
    match matcher.decide(heard) {
        HeardDecision::Command {
            command: command @ (Command::Repeat | Command::Cancel), ..
        } => Some(command),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::{
        room::people::{Person, Reply},
        tell::read::{Told, teller},
    };
    use annabella_core::enrol::plan;
    use annabella_devices::voice::recognizer::Model;
    use annabella_words::phrase::{Prompt, Words};

    /// Repeats each sentence; the third only after it was spoken once more. Yes to the question.
    fn answering() -> impl FnMut(&str) -> Option<Reply> + Send {
        let mut sentences = 0;
        move |told: &str| match told {
            "Darf ich die Aufnahmen behalten? Ja oder nein." => Some(Reply::Says("ja".to_owned())),
            _ if told.starts_with("Sprich ") || told.starts_with("Noch ") => None,
            sentence => {
                sentences += 1;
                let said = if sentences == 3 { "wiederhole" } else { sentence };
                Some(Reply::Says(said.to_owned()))
            }
        }
    }

    #[test]
    fn every_sentence_is_recorded_once_by_ear_alone() {
        let words = Words::builtin("fide", "de").expect("built in");
        let told = Told::default();
        let (person, typed) = Person::new(&told, &words, answering());
        let mut out = Vec::new();
        let mut teller = teller(&mut out, &told);
        let positions = crate::cli::recordings::positions().expect("built-in games");
        let sentences = plan(&words, &positions, 12);
        let model = Model::open(Path::new("voices/model")).expect("make vosk");
        let mut room = Room::with(person, typed, &words, model, &teller);
        let recordings = record(&room, &sentences, &mut teller).expect("recorded");
        assert!(recordings.iter().all(|recording| {
            recording.as_ref().is_some_and(|pcm| (700..6000).contains(&pcm.length_ms()))
        }));
        teller.tell(&[words.prompt(Prompt::EnrolKeep, &[])]).expect("told");
        assert!(room.yes(&teller));
        let written = String::from_utf8(out).expect("text");
        let lines: Vec<&str> = written.lines().collect();
        let said = |n: usize| sentences[n].words(&words).to_string();
        // The introduction, the first two, the third twice, and how many are left after ten.
        assert_eq!(lines[1..5], [said(0), said(1), said(2), said(2)]);
        assert_eq!(lines[12..15], ["Noch zwei.".to_owned(), said(10), said(11)]);
        assert_eq!(lines.len(), 16);
    }
}
