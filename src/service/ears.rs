//! Ears for the service: microphone, gate and recogniser on a thread of their own.

use std::{
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use super::SharedMouth;
use crate::{
    game::{Channel, Urgency},
    phrase::{Command, Prompt, Words, hear::Grammar},
    voice::{
        Pcm,
        capture::{Capture, CaptureEvent, Samples},
        gate::{Gate, Turn},
        keys::{KeyReader, KeysEvent},
        recognizer::{Listener, Model, Utterance, vocabulary::Vocabulary},
    },
};

/// How long the thread waits for samples before it looks at the key again.
const LOOK: Duration = Duration::from_millis(50);

/// What the ears make known.
#[derive(Clone, Debug, PartialEq)]
pub enum Overheard {
    /// Something was said.
    Said {
        /// What, and its sound.
        utterance: Utterance,
        /// Samples a second.
        rate_hz: u32,
        /// The talk key was held.
        pushed: bool,
    },
    /// Something is wrong; the game goes on.
    Complaint(String),
}

/// What the ears need.
pub struct Parts {
    /// The microphone.
    pub capture: Box<dyn Capture>,
    /// Half duplex and the talk key.
    pub gate: Gate,
    /// The talk key, if there is one.
    pub key: Option<KeyReader>,
    /// The speech model.
    pub model: Model,
    /// The packs.
    pub words: Words,
    /// The mouth, if there is one.
    pub mouth: Option<SharedMouth>,
}

/// The thread and what it is to listen for.
#[derive(Debug)]
pub struct Ears {
    grammar: Arc<Mutex<Option<Grammar>>>,
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Ears {
    /// Begins to listen for this. `tell` gives back false when nobody wants to know any more.
    pub fn open(
        parts: Parts,
        grammar: Grammar,
        tell: impl FnMut(Overheard) -> bool + Send + 'static,
    ) -> Ears {
        let grammar = Arc::new(Mutex::new(Some(grammar)));
        let stop = Arc::new(AtomicBool::new(false));
        let mut listening = Listening::new(parts, Arc::clone(&grammar), tell);
        let stopped = Arc::clone(&stop);
        let thread =
            thread::spawn(move || while !stopped.load(Ordering::SeqCst) && listening.step() {});
        Ears { grammar, stop, thread: Some(thread) }
    }

    /// What may be said from the next utterance on.
    pub fn expect(&self, grammar: Grammar) {
        *lock(&self.grammar) = Some(grammar);
    }
}

impl Drop for Ears {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has said so on standard error already.
            let _ = thread.join();
        }
    }
}

/// A thread that panicked while holding a lock has left nothing half done: plain values only.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

struct Listening<T> {
    parts: Parts,
    vocabulary: Vocabulary,
    stop_words: Vec<String>,
    grammar: Arc<Mutex<Option<Grammar>>>,
    current: Grammar,
    listener: Option<(u32, Listener)>,
    held: bool,
    began: Instant,
    tell: T,
}

impl<T: FnMut(Overheard) -> bool> Listening<T> {
    fn new(parts: Parts, grammar: Arc<Mutex<Option<Grammar>>>, mut tell: T) -> Listening<T> {
        let vocabulary = parts.model.vocabulary(&parts.words);
        let missing: Vec<&str> = vocabulary.missing().collect();
        if !missing.is_empty() {
            tell(Overheard::Complaint(format!(
                "the speech model in {} does not know these words, and phrases with them cannot be heard: {}",
                parts.model.path().display(),
                missing.join(", ")
            )));
        }
        let commands = parts.words.command_phrases().into_iter();
        let stop_words = commands
            .filter(|(_, command)| *command == Command::Stop)
            .map(|(text, _)| text.to_lowercase())
            .collect();
        Listening {
            parts,
            vocabulary,
            stop_words,
            grammar,
            current: Grammar::default(),
            listener: None,
            held: false,
            began: Instant::now(),
            tell,
        }
    }

    fn ms(&self, instant: Instant) -> u64 {
        let since = instant.saturating_duration_since(self.began);
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    }

    /// The next chunk. False when nobody wants to know any more.
    fn step(&mut self) -> bool {
        self.look_at_key();
        match self.parts.capture.next(LOOK) {
            Some(CaptureEvent::Samples(chunk)) => self.chunk(&chunk),
            Some(CaptureEvent::Overrun { lost_ms }) => {
                // The system does not say how much it dropped itself.
                let lost = match lost_ms {
                    0 => "some".to_owned(),
                    ms => format!("{ms} ms"),
                };
                (self.tell)(Overheard::Complaint(format!(
                    "{lost} of the microphone's sound was lost: the machine is too busy"
                )))
            }
            Some(CaptureEvent::Lost { error }) => {
                if let Some((_, listener)) = &mut self.listener {
                    listener.forget();
                }
                self.say(Prompt::MicrophoneLost);
                (self.tell)(Overheard::Complaint(format!("microphone lost: {error}")))
            }
            Some(CaptureEvent::Back { .. }) => {
                self.say(Prompt::MicrophoneBack);
                (self.tell)(Overheard::Complaint("the microphone is back".to_owned()))
            }
            None => true,
        }
    }

    fn say(&self, prompt: Prompt) {
        if let Some(mouth) = &self.parts.mouth {
            let words = self.parts.words.prompt(prompt, &[]);
            lock(mouth).say(Channel::Private, Urgency::Alert, &words);
        }
    }

    fn look_at_key(&mut self) {
        let now_ms = self.ms(Instant::now());
        let events = self.parts.key.as_mut().map(KeyReader::events).unwrap_or_default();
        for event in events {
            match event {
                KeysEvent::Key(key) => {
                    if self.parts.gate.key(now_ms, key.pressed) {
                        self.hush();
                    }
                }
                KeysEvent::Lost(error) => {
                    (self.tell)(Overheard::Complaint(format!("talk key lost: {error}")));
                }
                KeysEvent::Back => {
                    (self.tell)(Overheard::Complaint("the talk key is back".to_owned()));
                }
            }
        }
    }

    fn hush(&self) {
        if let Some(mouth) = &self.parts.mouth {
            lock(mouth).hush();
        }
    }

    fn chunk(&mut self, chunk: &Samples) -> bool {
        let (mut loudspeaker, mut earphone) = (false, false);
        if let Some(mouth) = &self.parts.mouth {
            let mouth = lock(mouth);
            loudspeaker = mouth.is_speaking(Channel::Public);
            earphone = mouth.is_speaking(Channel::Private);
        }
        let now_ms = self.ms(Instant::now());
        let mut turns: Vec<Turn> = Vec::new();
        turns.extend(self.parts.gate.loudspeaker(now_ms, loudspeaker));
        turns.extend(self.parts.gate.earphone(now_ms, earphone));
        let passage = self.parts.gate.chunk(self.ms(chunk.from), self.ms(chunk.until));
        turns.extend(passage.turns);
        if self.listener.as_ref().is_none_or(|(rate_hz, _)| *rate_hz != chunk.rate_hz) {
            let listener = Listener::new(&self.parts.model, self.vocabulary.clone(), chunk.rate_hz);
            self.listener = Some((chunk.rate_hz, listener));
            lock(&self.grammar).get_or_insert_with(|| self.current.clone());
        }
        let Some((_, listener)) = &mut self.listener else { return true };
        let newer = lock(&self.grammar).take();
        if let Some(grammar) = newer {
            listener.set_grammar(&grammar);
            self.current = grammar;
        }
        let mut spoken = Vec::new();
        let mut failed = None;
        for turn in turns {
            match turn {
                Turn::Opened { held } => {
                    listener.forget();
                    self.held = held;
                    if held {
                        failed = listener.hold().err();
                    }
                }
                Turn::Closed { complete: true } => {
                    spoken.extend(listener.end().map(|utterance| (utterance, self.held)));
                    self.held = false;
                }
                Turn::Closed { complete: false } => {
                    listener.forget();
                    self.held = false;
                }
            }
        }
        if passage.pass {
            match listener.feed(&chunk.samples) {
                Ok(utterance) => spoken.extend(utterance.map(|utterance| (utterance, self.held))),
                Err(err) => failed = Some(err),
            }
            // A long answer is cut as soon as "stopp" is heard, not when the utterance is over.
            let stops = |text: String| {
                text.split(' ').any(|word| self.stop_words.iter().any(|stop| stop == word))
            };
            if earphone && listener.at_pause().is_some_and(stops) {
                self.hush();
            }
        }
        let rate_hz = chunk.rate_hz;
        let told = failed.is_none_or(|err| (self.tell)(Overheard::Complaint(err.to_string())));
        told && spoken
            .into_iter()
            .all(|(utterance, pushed)| (self.tell)(Overheard::Said { utterance, rate_hz, pushed }))
    }
}

impl Overheard {
    /// The sound of what was said.
    pub fn sound(utterance: &Utterance, rate_hz: u32) -> Pcm {
        Pcm { rate_hz, samples: utterance.samples.clone() }
    }
}
