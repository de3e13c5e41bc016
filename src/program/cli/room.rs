//! A person in front of a command: microphone and keyboard, with no eyes needed.

use std::{
    sync::{
        Arc,
        mpsc::{self, RecvTimeoutError},
    },
    time::{Duration, Instant},
};

use super::{
    Failure,
    tell::{Teller, typed},
};
use crate::{
    config::Config,
    service::{
        ears::{Ears, Overheard, Parts},
        streams::complain,
    },
};
use annabella_devices::voice::{
    capture::Capture,
    gate::{Gate, GateSettings},
    mic::Microphone,
    recognizer::{HeardUtterance, Model},
};
use annabella_words::phrase::{
    Words,
    hear::{self, Asked, Context, Ear, Grammar, HeardDecision, answer_grammar, move_loop},
};

/// After this long in silence the person hears the sentence again.
const SILENCE: Duration = Duration::from_secs(if cfg!(test) { A_BUSY_MACHINE_S } else { 10 });
/// The simulated person of a test is not silent: his voice is being made.
const A_BUSY_MACHINE_S: u64 = 300;
/// The interval between looks whether our own voice still speaks.
const LOOK: Duration = Duration::from_millis(100);

/// The person's place.
pub(super) struct Room {
    ears: Ears,
    heard: mpsc::Receiver<Overheard>,
    typed: mpsc::Receiver<String>,
    pub(super) words: Words,
    pub(super) ear: Ear,
}

/// What happens there.
pub(super) enum Event {
    /// With the rate of its samples.
    Spoke(HeardUtterance, u32),
    Typed(String),
    Silence,
}

impl Room {
    pub(super) fn open(config: &Config, words: &Words, model: Model, teller: &Teller<'_>) -> Room {
        let microphone = Microphone::new(&config.speech.input);
        Room::with(Box::new(microphone), typed(), words, model, teller)
    }

    pub(super) fn with(
        capture: Box<dyn Capture>,
        typed: mpsc::Receiver<String>,
        words: &Words,
        model: Model,
        teller: &Teller<'_>,
    ) -> Room {
        // The microphone is closed during speech on either channel, so that each sentence is heard
        // out.
        let gate = GateSettings { earphone_mutes: true, ..GateSettings::default() };
        let parts = Parts {
            seat: None,
            capture,
            gate: Gate::new(gate),
            keys: Vec::new(),
            model,
            words: words.clone(),
            mouth: teller.mouth.as_ref().map(Arc::clone),
            rest_ms: hear::REST_MS,
        };
        let (tell, heard) = mpsc::channel();
        let ears = Ears::open(parts, Grammar::default(), move |news| tell.send(news).is_ok());
        Room { ears, heard, typed, words: words.clone(), ear: Ear::new(words) }
    }

    /// What is listened for from the next utterance on.
    pub(super) fn expect(&self, grammar: Grammar) {
        self.ears.expect(grammar);
    }

    /// Whether the person says or types yes; silence is no, and so is the end of the ears.
    pub(super) fn yes(&mut self, teller: &Teller<'_>) -> bool {
        self.ears.expect(Grammar::new(answer_grammar(&self.words), move_loop(&self.words)));
        let context = Context { moves: false, asked: Asked::YesNo, ..Context::default() };
        let matcher = self.ear.matcher(&shakmaty::Chess::default(), context);
        for _ in 0..3 {
            let Ok(event) = self.next(teller) else { return false };
            match event {
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

    /// The next event. Silence is counted from the end of our own speech.
    ///
    /// # Errors
    /// The thread of the ears has ended: nobody hears any more.
    pub(super) fn next(&self, teller: &Teller<'_>) -> Result<Event, Failure> {
        let mut until = Instant::now() + SILENCE;
        loop {
            if let Ok(key) = self.typed.try_recv() {
                return Ok(Event::Typed(key.trim().to_owned()));
            }
            if teller.is_speaking() {
                until = Instant::now() + SILENCE;
            }
            match self.heard.recv_timeout(LOOK) {
                Ok(Overheard::Said { utterance, rate_hz, .. }) => {
                    return Ok(Event::Spoke(utterance, rate_hz));
                }
                Ok(Overheard::Complaint(what)) => complain(&what),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(Failure::device(
                        "listening has broken off: start the command again",
                    ));
                }
                Err(RecvTimeoutError::Timeout) if Instant::now() >= until => {
                    return Ok(Event::Silence);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}

/// People made of samples: each hears what is told and answers.
#[cfg(test)]
pub(super) mod people {
    use std::{
        sync::{Arc, mpsc},
        time::Duration,
    };

    use crate::cli::tell::read::Told;
    use annabella_devices::voice::{
        Pcm,
        capture::{Capture, CaptureEvent, SimMicrophone},
    };
    use annabella_emulators::speakers::{Delivery, Speaker};
    use annabella_threads::lock;
    use annabella_words::phrase::Words;

    /// An answer to what was told.
    pub(crate) enum Reply {
        Says(String),
        Types(&'static str),
        /// Says it as loudly as this, 1 as usual.
        At(f64, String),
    }

    /// From what is told to what is answered.
    type Answer = dyn FnMut(&str) -> Option<Reply> + Send;

    /// Answers with a synthetic voice, or types.
    pub(crate) struct Person {
        told: Told,
        microphone: SimMicrophone,
        words: Words,
        types: mpsc::Sender<String>,
        answer: Box<Answer>,
    }

    impl Person {
        /// A person, and what it types.
        pub(crate) fn new(
            told: &Told,
            words: &Words,
            answer: impl FnMut(&str) -> Option<Reply> + Send + 'static,
        ) -> (Box<Person>, mpsc::Receiver<String>) {
            let (types, typed) = mpsc::channel();
            let person = Person {
                told: Arc::clone(told),
                microphone: SimMicrophone::new(16_000),
                words: words.clone(),
                types,
                answer: Box::new(answer),
            };
            (Box::new(person), typed)
        }

        fn says(&mut self, text: &str, loudness: f64) {
            let text = self.words.pronounce(&text.to_lowercase());
            let mut sound = Speaker::espeak().say(&text, Delivery::default()).expect("espeak-ng");
            for sample in &mut sound.samples {
                *sample = (f64::from(*sample) * loudness).clamp(-32_768.0, 32_767.0) as i16;
            }
            let quiet = |ms: usize| Pcm { rate_hz: 16_000, samples: vec![0; 16 * ms] };
            // Longer than the rest of an announcement is waited for.
            for sound in [&quiet(600), &sound, &quiet(2400)] {
                self.microphone.hear(sound);
            }
        }
    }

    impl Capture for Person {
        fn next(&mut self, wait: Duration) -> Option<CaptureEvent> {
            if let Some(event) = self.microphone.next(wait) {
                return Some(event);
            }
            let told = lock(&self.told).pop_front();
            match told.and_then(|told| (self.answer)(&told)) {
                Some(Reply::Says(text)) => self.says(&text, 1.0),
                Some(Reply::At(loudness, text)) => self.says(&text, loudness),
                // Nobody reads any more: the dialogue is over.
                Some(Reply::Types(line)) => drop(self.types.send(line.to_owned())),
                None => std::thread::sleep(Duration::from_millis(2)),
            }
            self.microphone.next(wait)
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::cli::tell::read::{Told, teller};
    use annabella_devices::voice::capture::CaptureEvent;

    /// A microphone that ends the thread of the ears.
    struct Breaks;

    impl Capture for Breaks {
        fn next(&mut self, _: Duration) -> Option<CaptureEvent> {
            panic!("the ears have ended")
        }
    }

    #[test]
    fn who_is_not_heard_any_more_is_not_waited_for() {
        let words = Words::builtin("fide", "de").expect("built in");
        let mut out = Vec::new();
        let teller = teller(&mut out, &Told::default());
        let model = Model::open(Path::new("voices/model")).expect("make vosk");
        let (_types, typed) = mpsc::channel();
        let mut room = Room::with(Box::new(Breaks), typed, &words, model, &teller);
        assert!(room.next(&teller).is_err());
        assert!(!room.yes(&teller));
    }
}
