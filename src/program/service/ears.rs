//! Ears for the service: microphone, gate and recogniser on a thread of their own.

use std::{
    path::Path,
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, Ordering},
        mpsc::Receiver,
    },
    thread,
    time::{Duration, Instant},
};

use shakmaty::{ByColor, Color};

use super::{SharedMouth, Voices, talk_key};
use crate::config::{Config, Listen, SpeechSection};
use annabella_core::game::{Blind, Channel, Urgency};
use annabella_devices::voice::{
    Pcm,
    capture::{Capture, CaptureEvent, Samples},
    gate::{Gate, ListenOrder, TalkMode},
    keys::{KeyReader, KeysEvent},
    recognizer::{HeardUtterance, Listener, Model, vocabulary::Vocabulary},
};
use annabella_threads::{lock, millis};
use annabella_words::phrase::{Command, Prompt, Words, hear::Grammar};

/// How long the thread waits for samples before it looks at the key again.
const LOOK: Duration = Duration::from_millis(50);

/// So many words that the model lacks are named.
const FEW: usize = 5;

/// An event from the ears.
#[derive(Clone, Debug, PartialEq)]
pub enum Overheard {
    Said {
        /// The owner of the microphone or of the held key, where known.
        seat: Option<Color>,
        /// The words and their sound.
        utterance: HeardUtterance,
        /// Samples a second.
        rate_hz: u32,
        /// The talk key was held.
        pushed: bool,
    },
    /// Something is wrong; the game goes on.
    Complaint(String),
}

/// A talk key and whose it is.
pub struct OwnKey {
    /// Whose, where each player has his own.
    pub seat: Option<Color>,
    pub key: KeyReader,
    /// The mouth that the key silences.
    pub mouth: Option<SharedMouth>,
}

/// The parts of the ears.
pub struct Parts {
    /// The owner of the microphone, where it hears only him.
    pub seat: Option<Color>,
    pub capture: Box<dyn Capture>,
    /// Half duplex and the talk key.
    pub gate: Gate,
    /// The talk keys. Two players may share a microphone: one is heard at a time.
    pub keys: Vec<OwnKey>,
    pub model: Model,
    pub words: Words,
    /// The mouth, if there is one.
    pub mouth: Option<SharedMouth>,
    /// For so long the rest of an announcement that is not finished is waited for, milliseconds.
    pub rest_ms: u32,
}

/// A microphone of the configuration, and whose voice it hears.
pub struct OwnMicrophone {
    /// Whose; not given where it hears both players.
    pub seat: Option<Color>,
    pub input: String,
    pub private: String,
    /// When it is listened to.
    pub mode: TalkMode,
    /// The talk keys that open it.
    pub keys: Vec<OwnKey>,
}

/// The microphones that the configuration asks for in a game of these players, with the buttons
/// that are held to speak.
pub fn microphones(
    config: &Config,
    blind: Blind,
    voices: Option<&Voices>,
    talk: ByColor<Option<Receiver<KeysEvent>>>,
) -> Vec<OwnMicrophone> {
    let speech = &config.speech;
    let mode = match speech.listen {
        Listen::Key => TalkMode::PushToTalk,
        Listen::Open | Listen::Off => TalkMode::Open,
    };
    let own_key = |seat: Option<Color>, key: KeyReader| OwnKey {
        seat,
        key,
        mouth: voices.map(|voices| voices.heard_by(seat)),
    };
    let microphone = |seat, speech: &SpeechSection, mode, keys| OwnMicrophone {
        seat,
        input: speech.input.clone(),
        private: speech.private.clone(),
        mode,
        keys,
    };
    let Some(player) = Color::ALL.into_iter().find(|color| blind.is(*color)) else {
        return Vec::new();
    };
    if blind == Blind::Both {
        let black = speech.of_black();
        let talks = speech.has_key_of_black() || talk.black.is_some();
        let of_white = talk_key(speech, talk.white);
        let of_black = talks.then(|| {
            let keyboard = if speech.has_key_of_black() { &black.talk_device } else { "" };
            talk_key(
                &SpeechSection { talk_device: keyboard.to_owned(), ..black.clone() },
                talk.black,
            )
        });
        let of_white = of_white.map(|key| own_key(Some(Color::White), key));
        let of_black = of_black.flatten().map(|key| own_key(Some(Color::Black), key));
        return match speech.input_black.is_empty() {
            true => {
                let keys = of_white.into_iter().chain(of_black).collect();
                vec![microphone(None, speech, mode, keys)]
            }
            false => vec![
                microphone(Some(Color::White), speech, mode, of_white.into_iter().collect()),
                microphone(Some(Color::Black), &black, mode, of_black.into_iter().collect()),
            ],
        };
    }
    let apart = !speech.input_sighted.is_empty();
    let seat = (speech.input_own || apart).then_some(player);
    let button = if player.is_white() { talk.white } else { talk.black };
    let key = talk_key(speech, button).map(|key| own_key(seat, key));
    let mut all = vec![microphone(seat, speech, mode, key.into_iter().collect())];
    if apart {
        // The sighted player has no key and no earphone.
        let sighted = SpeechSection {
            input: speech.input_sighted.clone(),
            private: "none".to_owned(),
            ..speech.clone()
        };
        all.push(microphone(Some(!player), &sighted, TalkMode::Open, Vec::new()));
    }
    all
}

/// The thread and what it is to listen for.
#[derive(Debug)]
pub struct Ears {
    grammar: Arc<Mutex<Option<Grammar>>>,
    stop: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Ears {
    /// Starts the thread with this grammar. It ends when `tell` returns false.
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

    /// The grammar from the next utterance on.
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

struct Listening<T> {
    parts: Parts,
    vocabulary: Vocabulary,
    stop_words: Vec<String>,
    grammar: Arc<Mutex<Option<Grammar>>>,
    current: Grammar,
    listener: Option<(u32, Listener)>,
    held: bool,
    /// Which of the keys is down.
    down: Option<usize>,
    /// The owner of the key pressed last.
    talker: Option<Color>,
    began: Instant,
    tell: T,
}

/// Whoever has it read to him waits until it ends.
fn unknown_words(model: &Path, missing: &[&str]) -> String {
    let folder = model.display();
    match missing.get(..FEW).filter(|few| few.len() < missing.len()) {
        None => format!(
            "the speech model in {folder} does not know these words, and phrases with them cannot be heard: {}",
            missing.join(", ")
        ),
        Some(few) => format!(
            "the speech model in {folder} does not know {} words, as {}, and phrases with them cannot be heard: \
             type them; `annabella doctor` names them all",
            missing.len(),
            few.join(", ")
        ),
    }
}

impl<T: FnMut(Overheard) -> bool> Listening<T> {
    fn new(parts: Parts, grammar: Arc<Mutex<Option<Grammar>>>, mut tell: T) -> Listening<T> {
        let vocabulary = parts.model.vocabulary(&parts.words);
        let missing: Vec<&str> = vocabulary.missing().collect();
        if !missing.is_empty() {
            tell(Overheard::Complaint(unknown_words(parts.model.path(), &missing)));
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
            down: None,
            talker: None,
            began: Instant::now(),
            tell,
        }
    }

    fn ms(&self, instant: Instant) -> u64 {
        let since = instant.saturating_duration_since(self.began);
        millis(since)
    }

    /// The next chunk. False when nobody wants to know any more.
    fn step(&mut self) -> bool {
        self.look_at_keys();
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

    fn look_at_keys(&mut self) {
        let now_ms = self.ms(Instant::now());
        for n in 0..self.parts.keys.len() {
            for event in self.parts.keys[n].key.events() {
                match event {
                    KeysEvent::Key(key) => self.key(now_ms, n, key.pressed),
                    KeysEvent::Lost(error) => {
                        (self.tell)(Overheard::Complaint(format!("talk key lost: {error}")));
                    }
                    KeysEvent::Back => {
                        (self.tell)(Overheard::Complaint("the talk key is back".to_owned()));
                    }
                }
            }
        }
    }

    /// A talk key went down or up. While one is held the other opens nothing.
    fn key(&mut self, now_ms: u64, n: usize, pressed: bool) {
        match (self.down, pressed) {
            (None, true) => {
                let seat = self.parts.keys[n].seat;
                // The utterance was begun by another player, so its speaker is unknown.
                self.talker = if self.held && self.talker != seat { None } else { seat };
                self.down = Some(n);
            }
            (Some(down), false) if down == n => self.down = None,
            // A keyboard repeats a key that is held.
            (Some(down), true) if down == n => {}
            _ => return,
        }
        if self.parts.gate.key(now_ms, pressed)
            && let Some(mouth) = &self.parts.keys[n].mouth
        {
            lock(mouth).hush();
        }
    }

    fn hush(&self) {
        if let Some(mouth) = &self.parts.mouth {
            lock(mouth).hush();
        }
    }

    /// The speaker, as far as the microphone or the key shows.
    fn speaker(&self, pushed: bool) -> Option<Color> {
        self.parts.seat.or(self.talker.filter(|_| pushed))
    }

    fn chunk(&mut self, chunk: &Samples) -> bool {
        let (mut loudspeaker, mut earphone) = (false, false);
        if let Some(mouth) = &self.parts.mouth {
            let mouth = lock(mouth);
            loudspeaker = mouth.is_speaking(Channel::Public);
            earphone = mouth.is_speaking(Channel::Private);
        }
        let now_ms = self.ms(Instant::now());
        let mut turns: Vec<ListenOrder> = Vec::new();
        turns.extend(self.parts.gate.loudspeaker(now_ms, loudspeaker));
        turns.extend(self.parts.gate.earphone(now_ms, earphone));
        let passage = self.parts.gate.chunk(self.ms(chunk.from), self.ms(chunk.until));
        turns.extend(passage.turns);
        if self.listener.as_ref().is_none_or(|(rate_hz, _)| *rate_hz != chunk.rate_hz) {
            let listener = Listener::new(&self.parts.model, self.vocabulary.clone(), chunk.rate_hz);
            let listener = listener.waiting(self.parts.rest_ms).ahead();
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
                ListenOrder::Opened { held } => {
                    listener.forget();
                    self.held = held;
                    if held {
                        failed = listener.hold().err();
                    }
                }
                ListenOrder::Closed { complete: true } => {
                    spoken.extend(listener.end().map(|utterance| (utterance, self.held)));
                    self.held = false;
                }
                ListenOrder::Closed { complete: false } => {
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
        told && spoken.into_iter().all(|(utterance, pushed)| {
            let seat = self.speaker(pushed);
            (self.tell)(Overheard::Said { seat, utterance, rate_hz, pushed })
        })
    }
}

impl Overheard {
    /// The sound of what was said.
    pub fn sound(utterance: &HeardUtterance, rate_hz: u32) -> Pcm {
        Pcm { rate_hz, samples: utterance.samples.clone() }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Whose microphones there are, by which device, and whose keys open them.
    fn microphones_of(
        keys: &str,
        blind: Blind,
    ) -> Vec<(Option<Color>, String, Vec<Option<Color>>)> {
        let text = match blind {
            Blind::Both => "[game]\nblind = \"both\"\n",
            Blind::White => "",
            Blind::Black => "[game]\nblind = \"black\"\n",
        };
        let config = Config::parse(&format!("{text}[speech]\n{keys}"), "a.toml").expect("right");
        // A talk button for each: nothing is read from a keyboard.
        let (_press, talk): (Vec<_>, Vec<_>) = (0..2).map(|_| mpsc::channel::<KeysEvent>()).unzip();
        let mut talk = talk.into_iter();
        let talk = ByColor { black: talk.next(), white: talk.next() };
        microphones(&config, blind, None, talk)
            .into_iter()
            .map(|own| {
                let keys = own.keys.iter().map(|key| key.seat).collect();
                (own.seat, own.input, keys)
            })
            .collect()
    }

    const WHITE: Option<Color> = Some(Color::White);
    const BLACK: Option<Color> = Some(Color::Black);

    #[test]
    fn f8_a_microphone_is_the_blind_players_own_only_if_nobody_else_is_heard_by_it() {
        let shared = microphones_of("", Blind::White);
        assert_eq!(shared, [(None, "default".to_owned(), vec![None])]);
        let own = microphones_of("input_own = true\n", Blind::Black);
        assert_eq!(own, [(BLACK, "default".to_owned(), vec![BLACK])]);
        let apart = microphones_of("input = \"A\"\ninput_sighted = \"B\"\n", Blind::Black);
        let sighted = (WHITE, "B".to_owned(), vec![]);
        assert_eq!(apart, [(BLACK, "A".to_owned(), vec![BLACK]), sighted]);
    }

    #[test]
    fn f2_two_blind_players_have_a_microphone_each_or_a_key_each() {
        let two = microphones_of("input = \"A\"\ninput_black = \"B\"\n", Blind::Both);
        let each = |seat, name: &str| (seat, name.to_owned(), vec![seat]);
        assert_eq!(two, [each(WHITE, "A"), each(BLACK, "B")]);
        let shared = microphones_of("", Blind::Both);
        assert_eq!(shared, [(None, "default".to_owned(), vec![WHITE, BLACK])]);
    }
}
