//! The dialogue with a real mouth and real ears.

use std::{
    path::Path,
    sync::{Arc, mpsc},
    time::{Duration, Instant},
};

use super::{Recordings, Teller};
use crate::{
    cli::{Failure, tell::typed},
    config::Config,
    service::{
        ears::{Ears, Overheard, Parts},
        streams::complain,
    },
};
use annabella_core::enrol::{Booth, BoothAnswer, BoothLine, Sentence};
use annabella_devices::voice::{
    capture::Capture,
    gate::{Gate, GateSettings},
    mic::Microphone,
    recognizer::{HeardUtterance, Model},
};
use annabella_words::phrase::{
    Command, Words,
    hear::{self, Asked, Context, Ear, Grammar, HeardDecision, answer_grammar, move_loop},
};

/// After this long in silence the player hears the sentence again.
const SILENCE: Duration = Duration::from_secs(10);
/// The interval between looks whether our own voice still speaks.
const LOOK: Duration = Duration::from_millis(100);

/// The player's place: microphone and keyboard.
pub(super) struct Room {
    ears: Ears,
    heard: mpsc::Receiver<Overheard>,
    typed: mpsc::Receiver<String>,
    words: Words,
    ear: Ear,
}

enum Event {
    Spoke(HeardUtterance, u32),
    Typed(String),
    Silence,
}

impl Room {
    pub(super) fn open(
        config: &Config,
        words: &Words,
        model: &Path,
        teller: &Teller<'_>,
    ) -> Result<Room, Failure> {
        Room::with(Box::new(Microphone::new(&config.speech.input)), words, model, teller)
    }

    fn with(
        capture: Box<dyn Capture>,
        words: &Words,
        model: &Path,
        teller: &Teller<'_>,
    ) -> Result<Room, Failure> {
        // The microphone is closed during speech on either channel, so that the player hears each
        // sentence out.
        let gate = GateSettings { earphone_mutes: true, ..GateSettings::default() };
        let parts = Parts {
            seat: None,
            capture,
            gate: Gate::new(gate),
            keys: Vec::new(),
            model: Model::open(model)?,
            words: words.clone(),
            mouth: teller.mouth.as_ref().map(Arc::clone),
            rest_ms: hear::REST_MS,
        };
        let (tell, heard) = mpsc::channel();
        let ears = Ears::open(parts, Grammar::default(), move |news| tell.send(news).is_ok());
        let (words, ear) = (words.clone(), Ear::new(words));
        Ok(Room { ears, heard, typed: typed(), words, ear })
    }

    /// All sentences, one after the other.
    pub(super) fn record(
        &mut self,
        sentences: &[Sentence],
        teller: &mut Teller<'_>,
    ) -> Result<Recordings, Failure> {
        let mut recordings = vec![None; sentences.len()];
        let (mut booth, lines) = Booth::begin(sentences.len());
        self.tell(teller, &lines, sentences)?;
        while let Some(sentence) = sentences.get(booth.at()) {
            let lines = match self.next(teller) {
                Event::Typed(key) => match key.as_str() {
                    "q" => return Ok(vec![None; sentences.len()]),
                    "r" => booth.answer(BoothAnswer::Repeat),
                    "b" => booth.answer(BoothAnswer::Back),
                    _ => booth.answer(BoothAnswer::Next),
                },
                Event::Silence => booth.silence(),
                Event::Spoke(utterance, rate_hz) => {
                    match self.request(sentence, &utterance.heard) {
                        Some(Command::Repeat) => booth.answer(BoothAnswer::Repeat),
                        Some(_) => return Ok(recordings),
                        None => {
                            let sound = Overheard::sound(&utterance, rate_hz);
                            let anything = !utterance.heard.is_nothing();
                            let step = booth.heard(sound.length_ms(), anything);
                            teller.understood =
                                utterance.heard.best().map(|text| self.words.label(text));
                            if let Some(n) = step.keep {
                                recordings[n] = Some(sound);
                            }
                            step.lines
                        }
                    }
                }
            };
            self.tell(teller, &lines, sentences)?;
        }
        Ok(recordings)
    }

    /// Whether he says or types yes; silence is no.
    pub(super) fn yes(&mut self, teller: &Teller<'_>) -> bool {
        self.ears.expect(Grammar::new(answer_grammar(&self.words), move_loop(&self.words)));
        let context = Context { moves: false, asked: Asked::YesNo, ..Context::default() };
        let matcher = self.ear.matcher(&shakmaty::Chess::default(), context);
        for _ in 0..3 {
            match self.next(teller) {
                Event::Typed(key) => return matches!(key.as_str(), "j" | "ja" | "y" | "yes"),
                Event::Silence => return false,
                Event::Spoke(utterance, _) => match matcher.decide(&utterance.heard) {
                    HeardDecision::Answer { answer: hear::Answer::Yes, .. } => return true,
                    HeardDecision::Answer { .. } | HeardDecision::Command { .. } => return false,
                    _ => {}
                },
            }
        }
        false
    }

    fn tell(
        &self,
        teller: &mut Teller<'_>,
        lines: &[BoothLine],
        sentences: &[Sentence],
    ) -> Result<(), Failure> {
        for line in lines {
            if let BoothLine::Sentence(n) = line
                && let Some(sentence) = sentences.get(*n)
            {
                self.ears.expect(Grammar::of_everything(&self.words, &sentence.pos));
            }
        }
        teller.hush();
        let lines: Vec<_> = lines.iter().map(|line| line.words(&self.words, sentences)).collect();
        teller.tell(&lines)
    }

    /// The next event. Silence is counted from the end of our own speech.
    fn next(&self, teller: &Teller<'_>) -> Event {
        let mut until = Instant::now() + SILENCE;
        loop {
            if let Ok(key) = self.typed.try_recv() {
                return Event::Typed(key.trim().to_owned());
            }
            if teller.is_speaking() {
                until = Instant::now() + SILENCE;
            }
            match self.heard.recv_timeout(LOOK) {
                Ok(Overheard::Said { utterance, rate_hz, .. }) => {
                    return Event::Spoke(utterance, rate_hz);
                }
                Ok(Overheard::Complaint(what)) => complain(&what),
                Err(_) if Instant::now() >= until => return Event::Silence,
                Err(_) => {}
            }
        }
    }

    /// "Wiederhole" and "abbrechen", which are no sentences of the plan.
    fn request(&self, sentence: &Sentence, heard: &hear::Heard) -> Option<Command> {
        let matcher = self.ear.matcher(&sentence.pos, Context::default());
        match matcher.decide(heard) {
            HeardDecision::Command {
                command: command @ (Command::Repeat | Command::Cancel),
                ..
            } => Some(command),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::VecDeque, sync::Mutex};

    use super::*;
    use annabella_core::{
        enrol::plan,
        game::{Channel, Urgency},
    };
    use annabella_devices::voice::{
        Mouth, Pcm, Rate, VoiceEvent,
        capture::{Capture, CaptureEvent, SimMicrophone},
    };
    use annabella_emulators::speakers::{Delivery, Speaker};
    use annabella_threads::lock;
    use annabella_words::phrase::Utterance as Said;

    type Told = Arc<Mutex<VecDeque<String>>>;

    /// Says nothing aloud: what it is told the person reads.
    struct ReadAloud(Told);

    impl Mouth for ReadAloud {
        fn say(&mut self, _: Channel, _: Urgency, words: &Said) {
            let mut told = lock(&self.0);
            told.push_back(words.to_string());
        }
        fn hush(&mut self) {}
        fn prepare(&mut self, _: &[Said]) {}
        fn set_volume(&mut self, _: Channel, _: u8) {}
        fn set_rate(&mut self, _: Channel, _: Rate) {}
        fn is_speaking(&self, _: Channel) -> bool {
            false
        }
        fn events(&mut self) -> Vec<VoiceEvent> {
            Vec::new()
        }
    }

    /// Repeats each sentence; the third only after it was spoken once more. Yes to the question.
    struct Person {
        told: Told,
        microphone: SimMicrophone,
        sentences: usize,
        words: Words,
    }

    impl Person {
        fn answer(&mut self, told: &str) -> Option<String> {
            match told {
                "Darf ich die Aufnahmen behalten? Ja oder nein." => Some("ja".to_owned()),
                _ if told.starts_with("Sprich ") || told.starts_with("Noch ") => None,
                sentence => {
                    self.sentences += 1;
                    let repeat = self.sentences == 3;
                    Some(if repeat { "wiederhole".to_owned() } else { sentence.to_owned() })
                }
            }
        }
    }

    impl Capture for Person {
        fn next(&mut self, wait: Duration) -> Option<CaptureEvent> {
            if let Some(event) = self.microphone.next(wait) {
                return Some(event);
            }
            let told = lock(&self.told).pop_front();
            let Some(said) = told.and_then(|told| self.answer(&told)) else {
                std::thread::sleep(Duration::from_millis(2));
                return None;
            };
            let said = self.words.pronounce(&said.to_lowercase());
            let sound = Speaker::espeak().say(&said, Delivery::default()).expect("espeak-ng");
            let quiet = |ms: usize| Pcm { rate_hz: 16_000, samples: vec![0; 16 * ms] };
            for sound in [&quiet(600), &sound, &quiet(1400)] {
                self.microphone.hear(sound);
            }
            self.microphone.next(wait)
        }
    }

    #[test]
    fn every_sentence_is_recorded_once_by_ear_alone() {
        let words = Words::builtin("fide", "de").expect("built in");
        let told = Told::default();
        let person = Person {
            told: Arc::clone(&told),
            microphone: SimMicrophone::new(16_000),
            sentences: 0,
            words: words.clone(),
        };
        let mouth: Box<dyn Mouth> = Box::new(ReadAloud(told));
        let mut out = Vec::new();
        let mut teller = Teller {
            out: &mut out,
            json: false,
            mouth: Some(Arc::new(Mutex::new(mouth))),
            fingers: None,
            understood: None,
        };
        let positions = crate::cli::recordings::positions().expect("built-in games");
        let sentences = plan(&words, &positions, 12);
        let model = Path::new("voices/model");
        let mut room = Room::with(Box::new(person), &words, model, &teller).expect("make vosk");
        let recordings = room.record(&sentences, &mut teller).expect("recorded");
        assert!(recordings.iter().all(|recording| {
            recording.as_ref().is_some_and(|pcm| (700..6000).contains(&pcm.length_ms()))
        }));
        teller
            .tell(&[words.prompt(annabella_words::phrase::Prompt::EnrolKeep, &[])])
            .expect("told");
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
