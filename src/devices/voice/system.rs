//! The voice that the player has set up in speech-dispatcher, through the `tts` crate.
//!
//! # One voice, one output
//!
//! speech-dispatcher chooses the sound device; both channels go there. It gives no samples, so
//! nothing can be prepared.
//!
//! # A frozen daemon
//!
//! Calls into a frozen daemon never return, so a thread of their own makes them. When it does not
//! answer in time it is given up and reported, and a new one is started for the next words.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU64, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use super::{
    Mouth, Rate, VoiceError, VoiceEvent,
    queue::{Queue, Queued},
};
use annabella_core::game::{Channel, Urgency};
use annabella_words::phrase::Utterance;

/// A call that takes longer than this hangs, and words that the daemon took and has not begun by
/// then are given up. `speak` returns in a few milliseconds, but the first call may look through
/// thousands of voices, which takes seconds on a small machine.
const PATIENCE: Duration = Duration::from_secs(10);
/// How often a sounding utterance is looked at.
const LOOK: Duration = Duration::from_millis(30);

enum Call {
    /// Texts with their language codes, in order.
    Speak {
        texts: Vec<(String, String)>,
        volume: u8,
        rate: Rate,
    },
    Stop,
}

#[derive(Debug)]
pub struct SystemMouth {
    to_worker: mpsc::Sender<ToWorker>,
    events: mpsc::Receiver<VoiceEvent>,
    speaking: [Arc<AtomicBool>; 2],
    worker: Option<thread::JoinHandle<()>>,
}

enum ToWorker {
    Say(Channel, Queued<Instant>),
    Hush,
    Volume(Channel, u8),
    Rate(Channel, Rate),
    End,
}

impl SystemMouth {
    /// A mouth; the daemon is asked for with the first words.
    pub fn new() -> SystemMouth {
        SystemMouth::with_patience(PATIENCE)
    }

    /// A daemon that answers nothing for so long is given up.
    pub fn with_patience(patience: Duration) -> SystemMouth {
        let (to_worker, from_us) = mpsc::channel();
        let (send, events) = mpsc::channel();
        let speaking = [Arc::new(AtomicBool::new(false)), Arc::new(AtomicBool::new(false))];
        let shown = speaking.clone();
        let worker = thread::spawn(move || Worker::new(patience, send, shown).run(&from_us));
        SystemMouth { to_worker, events, speaking, worker: Some(worker) }
    }

    fn send(&self, message: ToWorker) {
        // The worker ends only when this is dropped.
        let _ = self.to_worker.send(message);
    }
}

impl Default for SystemMouth {
    fn default() -> SystemMouth {
        SystemMouth::new()
    }
}

impl Drop for SystemMouth {
    fn drop(&mut self) {
        self.send(ToWorker::End);
        if let Some(worker) = self.worker.take() {
            // A worker that panicked has said so on standard error already.
            let _ = worker.join();
        }
    }
}

impl Mouth for SystemMouth {
    fn say(&mut self, channel: Channel, urgency: Urgency, words: &Utterance) {
        if words.parts.is_empty() {
            return;
        }
        self.speaking[channel.index()].store(true, Ordering::SeqCst);
        let item = Queued { urgency, words: words.clone(), tag: Instant::now() };
        self.send(ToWorker::Say(channel, item));
    }

    fn hush(&mut self) {
        self.send(ToWorker::Hush);
    }

    fn prepare(&mut self, _words: &[Utterance]) {}

    fn set_volume(&mut self, channel: Channel, percent: u8) {
        self.send(ToWorker::Volume(channel, percent.min(100)));
    }

    fn set_rate(&mut self, channel: Channel, rate: Rate) {
        self.send(ToWorker::Rate(channel, rate));
    }

    fn is_speaking(&self, channel: Channel) -> bool {
        self.speaking[channel.index()].load(Ordering::SeqCst)
    }

    fn events(&mut self) -> Vec<VoiceEvent> {
        self.events.try_iter().collect()
    }
}

/// Keeps the order of what is said; speaks through a [`Caller`].
struct Worker {
    patience: Duration,
    queue: Queue<(Channel, Instant)>,
    manner: [(u8, Rate); 2],
    caller: Option<Caller>,
    /// The channel whose words sound, when they were asked for and when the daemon took them.
    sounding: Option<(Channel, Instant, Instant)>,
    begun: bool,
    lost: bool,
    events: mpsc::Sender<VoiceEvent>,
    speaking: [Arc<AtomicBool>; 2],
}

impl Worker {
    fn new(
        patience: Duration,
        events: mpsc::Sender<VoiceEvent>,
        speaking: [Arc<AtomicBool>; 2],
    ) -> Worker {
        Worker {
            patience,
            queue: Queue::default(),
            manner: [(100, Rate::default()); 2],
            caller: None,
            sounding: None,
            begun: false,
            lost: false,
            events,
            speaking,
        }
    }

    fn run(mut self, from: &mpsc::Receiver<ToWorker>) {
        loop {
            let idle = self.sounding.is_none() && self.queue.is_empty();
            let message = if idle {
                from.recv().ok()
            } else {
                match from.recv_timeout(LOOK) {
                    Ok(message) => Some(message),
                    Err(mpsc::RecvTimeoutError::Timeout) => {
                        self.look();
                        continue;
                    }
                    Err(mpsc::RecvTimeoutError::Disconnected) => None,
                }
            };
            match message {
                Some(ToWorker::Say(channel, Queued { urgency, words, tag })) => {
                    self.queue.push(Queued { urgency, words, tag: (channel, tag) });
                    self.look();
                }
                Some(ToWorker::Hush) => {
                    self.queue.clear();
                    self.call(Call::Stop);
                    self.sounding = None;
                    self.show();
                }
                Some(ToWorker::Volume(channel, percent)) => {
                    self.manner[channel.index()].0 = percent
                }
                Some(ToWorker::Rate(channel, rate)) => self.manner[channel.index()].1 = rate,
                Some(ToWorker::End) | None => return,
            }
        }
    }

    /// Looks whether the sounding words have ended, and begins the next.
    fn look(&mut self) {
        if let Some((channel, asked, taken)) = self.sounding {
            let (begun, ended) = self.caller.as_ref().map_or((true, true), Caller::progress);
            if begun && !self.begun {
                self.begun = true;
                let after_us = u64::try_from(asked.elapsed().as_micros()).unwrap_or(u64::MAX);
                self.tell(VoiceEvent::Began { channel, after_us });
            }
            if !ended && (begun || taken.elapsed() < self.patience) {
                return;
            }
            self.sounding = None;
            self.tell(VoiceEvent::Finished { channel });
        }
        if let Some(Queued { words, tag: (channel, asked), .. }) = self.queue.pop() {
            let (volume, rate) = self.manner[channel.index()];
            let texts =
                words.parts.iter().map(|p| (p.lang.clone(), p.sound().to_owned())).collect();
            self.begun = false;
            if self.call(Call::Speak { texts, volume, rate }) {
                self.sounding = Some((channel, asked, Instant::now()));
            }
        }
        self.show();
    }

    fn show(&self) {
        let sounding = self.sounding.map(|(channel, ..)| channel);
        for channel in [Channel::Public, Channel::Private] {
            let busy = sounding == Some(channel) || !self.queue.is_empty();
            self.speaking[channel.index()].store(busy, Ordering::SeqCst);
        }
    }

    fn tell(&self, event: VoiceEvent) {
        // The other end is gone only while the mouth is being dropped.
        let _ = self.events.send(event);
    }

    /// Makes one call. If the daemon fails, the call is repeated once.
    fn call(&mut self, call: Call) -> bool {
        let stop = matches!(call, Call::Stop);
        for attempt in 0..2 {
            if self.caller.is_none() {
                if stop {
                    return false;
                }
                self.caller = Caller::start();
            }
            let answer = match &self.caller {
                Some(caller) => caller.call(&call, self.patience),
                None => Err("no thread could be started".to_owned()),
            };
            match answer {
                Ok(()) => {
                    if std::mem::take(&mut self.lost) {
                        self.tell(VoiceEvent::DeviceBack { channel: Channel::Public });
                    }
                    return true;
                }
                Err(reason) => {
                    self.caller = None;
                    if attempt == 1 && !std::mem::replace(&mut self.lost, true) {
                        let error = VoiceError::Engine { program: "speech-dispatcher", reason };
                        self.tell(VoiceEvent::DeviceLost { channel: Channel::Public, error });
                    }
                }
            }
        }
        false
    }
}

/// A thread that owns the connection. Given up, not joined, when the daemon freezes.
struct Caller {
    calls: mpsc::SyncSender<Call>,
    answers: mpsc::Receiver<Result<(), String>>,
    progress: Arc<Progress>,
}

/// How many utterances the daemon was given, began and ended; its callbacks count.
#[derive(Default)]
struct Progress {
    given: AtomicU64,
    begun: AtomicU64,
    ended: AtomicU64,
}

impl Caller {
    fn start() -> Option<Caller> {
        let (calls, from) = mpsc::sync_channel::<Call>(1);
        let (to, answers) = mpsc::channel();
        let progress = Arc::new(Progress::default());
        let counted = Arc::clone(&progress);
        thread::Builder::new()
            .name("speech-dispatcher".to_owned())
            .spawn(move || {
                let mut voices = Voices::default();
                let mut tts = connect(&counted).map_err(|err| err.to_string());
                while let Ok(call) = from.recv() {
                    let answer = match &mut tts {
                        Ok(tts) => carry_out(tts, &mut voices, &counted, &call)
                            .map_err(|err| err.to_string()),
                        Err(err) => Err(err.clone()),
                    };
                    if to.send(answer).is_err() {
                        return;
                    }
                }
            })
            .ok()?;
        Some(Caller { calls, answers, progress })
    }

    fn call(&self, call: &Call, patience: Duration) -> Result<(), String> {
        let call = match call {
            Call::Stop => Call::Stop,
            Call::Speak { texts, volume, rate } => {
                Call::Speak { texts: texts.clone(), volume: *volume, rate: *rate }
            }
        };
        self.calls.try_send(call).map_err(|_| "it does not answer".to_owned())?;
        match self.answers.recv_timeout(patience) {
            Ok(answer) => answer,
            Err(_) => Err(format!("no answer in {} s", patience.as_secs())),
        }
    }

    /// Whether the last of what was given has begun, and has ended.
    fn progress(&self) -> (bool, bool) {
        let given = self.progress.given.load(Ordering::SeqCst);
        let begun = self.progress.begun.load(Ordering::SeqCst);
        (begun >= given, self.progress.ended.load(Ordering::SeqCst) >= given)
    }
}

fn connect(progress: &Arc<Progress>) -> Result<tts::Tts, tts::Error> {
    let tts = tts::Tts::new(tts::Backends::SpeechDispatcher)?;
    let (begun, ended, stopped) =
        (Arc::clone(progress), Arc::clone(progress), Arc::clone(progress));
    tts.on_utterance_begin(Some(Box::new(move |_| {
        begun.begun.fetch_add(1, Ordering::SeqCst);
    })))?;
    tts.on_utterance_end(Some(Box::new(move |_| {
        ended.ended.fetch_add(1, Ordering::SeqCst);
    })))?;
    tts.on_utterance_stop(Some(Box::new(move |_| {
        stopped.ended.fetch_add(1, Ordering::SeqCst);
    })))?;
    Ok(tts)
}

/// A voice for each language, looked up once: the list has thousands of entries and takes a second.
#[derive(Default)]
struct Voices {
    all: Option<Vec<tts::Voice>>,
}

impl Voices {
    /// A voice for the language, unless the player's own speaks it or there is none.
    fn of(&mut self, tts: &tts::Tts, lang: &str) -> Option<&tts::Voice> {
        let speaks = |voice: &tts::Voice| voice.language().primary_language() == lang;
        if tts.voice().ok().flatten().is_some_and(|voice| speaks(&voice)) {
            return None;
        }
        self.all
            .get_or_insert_with(|| tts.voices().unwrap_or_default())
            .iter()
            .find(|voice| speaks(voice))
    }
}

fn carry_out(
    tts: &mut tts::Tts,
    voices: &mut Voices,
    progress: &Progress,
    call: &Call,
) -> Result<(), tts::Error> {
    match call {
        Call::Stop => {
            tts.stop()?;
            // Words that were cut are over, whether or not the daemon says so.
            let given = progress.given.load(Ordering::SeqCst);
            progress.begun.store(given, Ordering::SeqCst);
            progress.ended.store(given, Ordering::SeqCst);
        }
        Call::Speak { texts, volume, rate } => {
            // Nothing sounds now. A late report about cut words must not count for the next ones.
            let given = progress.given.load(Ordering::SeqCst);
            progress.begun.store(given, Ordering::SeqCst);
            progress.ended.store(given, Ordering::SeqCst);
            let loudness = f32::from(*volume) / 100.0;
            let volume = tts.min_volume() + (tts.max_volume() - tts.min_volume()) * loudness;
            tts.set_volume(volume)?;
            tts.set_rate(speed(tts, *rate))?;
            for (lang, text) in texts {
                if let Some(voice) = voices.of(tts, lang) {
                    tts.set_voice(voice)?;
                }
                progress.given.fetch_add(1, Ordering::SeqCst);
                tts.speak(text.as_str(), false)?;
            }
        }
    }
    Ok(())
}

/// speech-dispatcher's rate has no unit; its normal one is some 160 words a minute.
fn speed(tts: &tts::Tts, rate: Rate) -> f32 {
    let wpm = f32::from(rate.words_per_minute());
    let normal = f32::from(Rate::default().words_per_minute());
    let (slowest, fastest) =
        (f32::from(Rate::SLOWEST.words_per_minute()), f32::from(Rate::FASTEST.words_per_minute()));
    if wpm >= normal {
        tts.normal_rate()
            + (tts.max_rate() - tts.normal_rate()) * (wpm - normal) / (fastest - normal)
    } else {
        tts.normal_rate()
            - (tts.normal_rate() - tts.min_rate()) * (normal - wpm) / (normal - slowest)
    }
}
