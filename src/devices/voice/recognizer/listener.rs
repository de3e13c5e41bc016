//! Utterances out of a stream of samples, each heard in two passes, and in a third where they
//! differ.
//!
//! An utterance that leaves doubts is heard again, slower and lower, and quicker and higher, as if
//! by another throat. A voice unlike those of the training may be more like them then, and a text
//! on which three hearings agree, or five, is hardly a chance of noise. These hearings keep to the
//! phrases of the position ([`kept_to`]). The first hearing does not, since it would make moves of
//! talk too.

use std::{
    collections::VecDeque,
    iter, mem,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, OnceLock},
    thread,
    time::{Duration, Instant},
};

use vosk::{CompleteResult, DecodingState, Recognizer};

use super::{
    Model, RecognizerError,
    ahead::{Ahead, Wanted},
    chain::kept_to,
    hiss::Hiss,
    second_ear::Sound,
    unfinished::Unfinished,
    vocabulary::Vocabulary,
};
use crate::voice::{
    Pcm,
    capture::chunk_length,
    endpoint::{Endpoint, Endpointer},
    surroundings::above_room_db,
};
use annabella_words::{
    phrase::hear::{Grammar, Heard, Hypothesis, REST_MS, Thresholds, probabilities, together},
    speech_model::NEVER_HEARD,
};

/// What lasts longer is not heard again: it is no announcement, and each of some twenty passes
/// would take as long.
const LONGEST_AGAIN_MS: u32 = 15_000;
/// A talk key that is held longer is stuck: what follows is left out.
const LONGEST_HELD_MS: u32 = 60_000;
/// Sound from this long before the begin belongs to the utterance: a soft "f" or "s".
const PRE_ROLL_MS: usize = 300;
/// So much quiet there is at least before and after the sound that the recognisers get: where a
/// word is cut tight, by a talk key or in a file, they need it to hear the word. Milliseconds.
const QUIET_MS: usize = 300;
/// A pause of this length may be the end of "stopp", milliseconds. It is longer than the one before
/// its "pp". The recognisers in their pass lag more than a second behind.
const BREATH_MS: u32 = 150;
/// How much the recogniser's log-likelihoods are to be believed: 1, as they are.
const SCALE: f64 = 1.0;

/// A text so much less likely than another, as a logarithm, is as good as not heard.
const FAR_BEHIND: f64 = 12.0;

/// How much quicker than it was said an utterance is heard again, and again while doubts are left.
const PACES: [[f32; 2]; 2] = [[0.94, 1.06], [0.88, 1.12]];
const USUAL: f32 = 1.0;

#[derive(Clone, Debug, PartialEq)]
pub struct HeardUtterance {
    pub heard: Heard,
    /// Its samples, mono, at the listener's rate, with a little before and after.
    pub samples: Vec<i16>,
    /// From its last chunk of samples to the words.
    pub took: Duration,
}

/// Hears what is said, in the grammar of the moment.
pub struct Listener {
    model: Model,
    rate_hz: u32,
    vocabulary: Vocabulary,
    /// As the packs spell it, and as the model does.
    grammar: Grammar,
    phrases: Arc<[String]>,
    words: Arc<[String]>,
    /// The model has the word that keeps a recogniser to its phrases.
    keeps_to_phrases: bool,
    /// The phrases with it, long as that is: made when they are needed.
    kept: OnceLock<Arc<[String]>>,
    /// Makes recognisers before they are needed.
    ahead: Option<Ahead>,
    endpointer: Endpointer,
    /// The last samples, while nobody speaks.
    before: VecDeque<i16>,
    current: Option<Passes>,
    /// The talk key is held: the utterance ends when it is let go.
    held: bool,
    /// Utterances with doubts are heard again at other paces.
    hears_again: bool,
    /// How long the rest of an announcement is waited for, milliseconds.
    rest_ms: u32,
    /// The announcement that waits for its rest.
    unfinished: Option<Unfinished>,
}

struct Passes {
    phrases: Recognizer,
    words: Option<Recognizer>,
    hiss: Hiss,
    samples: Vec<i16>,
    /// The same with the hiss, as every recogniser gets them, and quiet where there was none.
    hissing: Vec<i16>,
    /// How much of that came before the voice.
    room: usize,
    /// Nobody speaks just now, and the words before were read already.
    pauses: bool,
}

impl Passes {
    /// Whether the recogniser itself thinks that the utterance is over.
    fn hear(&mut self, samples: &[i16]) -> bool {
        let samples = self.hiss.over(samples);
        self.hissing.extend_from_slice(&samples);
        if let Some(words) = &mut self.words {
            // It is read only when the first pass has ended.
            let _ = words.accept_waveform(&samples);
        }
        matches!(self.phrases.accept_waveform(&samples), Ok(DecodingState::Finalized))
    }
}

impl std::fmt::Debug for Listener {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Listener")
            .field("model", &self.model)
            .field("rate_hz", &self.rate_hz)
            .finish_non_exhaustive()
    }
}

impl Listener {
    /// For samples at this rate; Vosk resamples what its model needs at another.
    pub fn new(model: &Model, vocabulary: Vocabulary, rate_hz: u32) -> Listener {
        Listener {
            model: model.clone(),
            rate_hz,
            vocabulary,
            grammar: Grammar::default(),
            phrases: Arc::default(),
            words: Arc::default(),
            keeps_to_phrases: model.knows(NEVER_HEARD),
            kept: OnceLock::new(),
            ahead: None,
            endpointer: Endpointer::new(rate_hz),
            before: VecDeque::new(),
            current: None,
            held: false,
            hears_again: true,
            rest_ms: REST_MS,
            unfinished: None,
        }
    }

    /// How long the rest of an unfinished announcement ([`Grammar::is_begun`]) is waited for after
    /// the pause that ends an utterance, milliseconds. 0: not at all.
    #[must_use]
    pub fn waiting(self, rest_ms: u32) -> Listener {
        Listener { rest_ms, ..self }
    }

    /// Without hearing again what leaves doubts: to compare with.
    #[must_use]
    pub fn once(self) -> Listener {
        Listener { hears_again: false, ..self }
    }

    /// With recognisers made ahead, on a thread of its own: for somebody who waits for an answer.
    #[must_use]
    pub fn ahead(self) -> Listener {
        let listener = Listener { ahead: Some(Ahead::new(&self.model)), ..self };
        listener.prepare();
        listener
    }

    /// The grammar from the next utterance on.
    pub fn set_grammar(&mut self, grammar: &Grammar) {
        if self.grammar == *grammar {
            return;
        }
        self.grammar.clone_from(grammar);
        self.phrases = self.vocabulary.spell(&grammar.phrases).into();
        self.words = self.vocabulary.spell(&grammar.words).into();
        self.kept = OnceLock::new();
        self.prepare();
    }

    /// The phrases with what keeps a recogniser to them; `None` where the model lacks that word.
    fn kept(&self) -> Option<&Arc<[String]>> {
        let kept = || self.kept.get_or_init(|| kept_to(self.phrases.to_vec()).into());
        self.keeps_to_phrases.then(kept)
    }

    /// The recognisers for hearing the next utterance again are made: they take longest to make.
    fn prepare(&self) {
        if let Some(ahead) = self.ahead.as_ref().filter(|_| self.hears_again)
            && let Some(kept) = self.kept()
        {
            let paces = iter::once(USUAL).chain(PACES.into_iter().flatten());
            ahead.want(paces.map(|pace| self.wanted(kept, pace)).collect());
        }
    }

    /// Takes in the next samples. Returns an utterance that has ended with them.
    ///
    /// # Errors
    /// [`RecognizerError::SetUp`] if the recogniser refuses. The next utterance may succeed.
    pub fn feed(&mut self, samples: &[i16]) -> Result<Option<HeardUtterance>, RecognizerError> {
        let began = Instant::now();
        let pause_ms = self.endpointer.pause_ms() + self.ms(samples.len());
        let event = if self.held { Endpoint::Speaking } else { self.endpointer.feed(samples) };
        match event {
            Endpoint::Idle if self.current.is_none() => {
                self.before.extend(samples);
                let keep = self.rate_hz as usize * PRE_ROLL_MS / 1000;
                let over = self.before.len().saturating_sub(keep);
                self.before.drain(..over);
                return Ok(self.wait(samples.len()));
            }
            _ if self.current.is_none() => self.begin()?,
            _ => {}
        }
        let length = self.current.as_ref().map_or(0, |passes| passes.samples.len());
        if self.held && self.ms(length) >= LONGEST_HELD_MS {
            return Ok(None);
        }
        let ended = self.hear(samples);
        if event == Endpoint::Ended || (ended && !self.held) {
            let said = self.finish(began, true, 0);
            return Ok(said.and_then(|said| self.finished(said, pause_ms)));
        }
        Ok(None)
    }

    /// The talk key is pressed: all speech until its release is one utterance.
    ///
    /// # Errors
    /// As [`Listener::feed`].
    pub fn hold(&mut self) -> Result<(), RecognizerError> {
        self.held = true;
        self.unfinished = None;
        if self.current.is_none() {
            self.begin()?;
        }
        Ok(())
    }

    /// Ends the utterance now, if there is one: the talk key was let go, or there are no more
    /// samples.
    pub fn end(&mut self) -> Option<HeardUtterance> {
        let held = mem::take(&mut self.held);
        let began = Instant::now();
        let begun = self.unfinished.take();
        let lacking_ms = QUIET_MS.saturating_sub(self.endpointer.pause_ms() as usize);
        match (begun, self.finish(began, !held, lacking_ms)) {
            (Some(begun), Some(rest)) => Some(self.with_rest(begun, rest)),
            (begun, rest) => rest.or(begun.map(|begun| begun.utterance)),
        }
    }

    /// A whole recording as one utterance, in this grammar; it must have the listener's rate.
    ///
    /// # Errors
    /// As [`Listener::feed`].
    pub fn whole(&mut self, recording: &Pcm, grammar: &Grammar) -> Result<Heard, RecognizerError> {
        self.set_grammar(grammar);
        self.hold()?;
        for chunk in recording.samples.chunks(chunk_length(self.rate_hz)) {
            self.feed(chunk)?;
        }
        Ok(self.end().map(|utterance| utterance.heard).unwrap_or_default())
    }

    /// Forgets what is being said: our own loudspeaker speaks.
    pub fn forget(&mut self) {
        self.current = None;
        self.unfinished = None;
        self.held = false;
        self.before.clear();
        self.endpointer.reset();
    }

    /// The text so far, once in each pause within an utterance. `None` at all other times, and
    /// while the talk key is held.
    pub fn at_pause(&mut self) -> Option<String> {
        let pauses = !self.held && self.endpointer.pause_ms() >= BREATH_MS;
        let passes = self.current.as_mut()?;
        if mem::replace(&mut passes.pauses, pauses) || !pauses {
            return None;
        }
        let sound = self.sound(&self.current.as_ref()?.hissing);
        let heard = self.pass(&self.phrases, &sound, USUAL);
        heard.into_iter().next().map(|best| best.text)
    }

    fn begin(&mut self) -> Result<(), RecognizerError> {
        let phrases = self.recognizer(&self.phrases, USUAL)?;
        let words = match self.words.is_empty() {
            true => None,
            false => Some(self.recognizer(&self.words, USUAL)?),
        };
        let before: Vec<i16> = self.before.drain(..).collect();
        let room = before.len();
        let lacking_ms = QUIET_MS.saturating_sub(self.ms(room) as usize);
        self.current = Some(Passes {
            phrases,
            words,
            hiss: Hiss::new(),
            samples: Vec::new(),
            hissing: Vec::new(),
            room,
            pauses: false,
        });
        self.hear_quiet(lacking_ms);
        self.hear(&before);
        Ok(())
    }

    fn ms(&self, samples: usize) -> u32 {
        (samples * 1000 / self.rate_hz.max(1) as usize) as u32
    }

    /// For samples whose pace is multiplied by `pace`. In whole tens of hertz: from a rate that
    /// shares no divisor with the model's libvosk resamples with 16,000 filters, each of which it
    /// makes for that utterance, 5 ms on a PC.
    fn wanted(&self, phrases: &Arc<[String]>, pace: f32) -> Wanted {
        let rate_hz = (self.rate_hz as f32 * pace / 10.0).round() * 10.0;
        Wanted { phrases: Arc::clone(phrases), rate_hz }
    }

    fn recognizer(
        &self,
        phrases: &Arc<[String]>,
        pace: f32,
    ) -> Result<Recognizer, RecognizerError> {
        let wanted = self.wanted(phrases, pace);
        let made = self.ahead.as_ref().and_then(|ahead| ahead.take(&wanted));
        made.or_else(|| wanted.make(&self.model)).ok_or_else(|| {
            let (path, n) = (self.model.path.display(), phrases.len() + 1);
            RecognizerError::SetUp(format!("{path} refuses a grammar of {n} phrases"))
        })
    }

    /// Whether the recogniser itself thinks that the utterance is over.
    fn hear(&mut self, samples: &[i16]) -> bool {
        let Some(passes) = &mut self.current else {
            return false;
        };
        passes.samples.extend_from_slice(samples);
        passes.hear(samples)
    }

    /// So many milliseconds of quiet, which no microphone heard.
    fn hear_quiet(&mut self, ms: usize) {
        let quiet = vec![0; self.rate_hz as usize * ms / 1000];
        if let Some(passes) = &mut self.current {
            passes.hear(&quiet);
        }
    }

    /// `paused`: the last samples are the room, not the voice. `lacking_ms`: so much quiet is
    /// lacking after it.
    fn finish(
        &mut self,
        began: Instant,
        paused: bool,
        lacking_ms: usize,
    ) -> Option<HeardUtterance> {
        self.hear_quiet(lacking_ms);
        let mut passes = self.current.take()?;
        self.endpointer.reset();
        let sound = self.sound(&passes.hissing);
        // Each has its last second still to do; somebody waits for it.
        let (hypotheses, word_loop) = thread::scope(|scope| {
            let read = |pass: &mut Recognizer| self.read(pass, &sound, USUAL);
            let words = passes.words.as_mut().map(|words| scope.spawn(move || read(words)));
            let hypotheses = read(&mut passes.phrases);
            (hypotheses, words.and_then(|words| words.join().ok()).unwrap_or_default())
        });
        let above_room_db = above_room_db(&passes.samples, passes.room, self.rate_hz, paused);
        let heard = Heard { hypotheses, word_loop, above_room_db, ..Heard::default() };
        let heard = self.compared(heard, &sound);
        Some(HeardUtterance { heard, samples: passes.samples, took: began.elapsed() })
    }

    /// With a third pass, and others while doubts are left.
    fn compared(&self, mut heard: Heard, sound: &Sound<'_>) -> Heard {
        heard.comparison = self.pass(&self.to_compare(&heard), sound, USUAL);
        let short = self.ms(sound.samples.len()) <= LONGEST_AGAIN_MS;
        if self.hears_again && short && !self.stops(&heard) && self.leaves_doubts(&heard) {
            heard = self.again(heard, sound);
            self.prepare();
        }
        heard
    }

    /// "Stopp", as surely as it is acted on. Each further hearing would only let the speech go on
    /// for longer: all recognisers are set up with the phrases of the position, one after the
    /// other, a fifth of a second each.
    fn stops(&self, heard: &Heard) -> bool {
        let enough = Thresholds::default().stop_confidence;
        let stops = heard.hypotheses.iter().filter(|heard| self.vocabulary.stops(&heard.text));
        stops.filter_map(|heard| heard.confidence).sum::<f64>() >= enough
    }

    fn leaves_doubts(&self, heard: &Heard) -> bool {
        heard.leaves_doubts(|one, other| self.vocabulary.same(one, other))
    }

    /// Nobody speaks for `samples` more. Returns the announcement whose rest is no longer waited
    /// for.
    fn wait(&mut self, samples: usize) -> Option<HeardUtterance> {
        let (most_ms, rate_hz) = (self.rest_ms, self.rate_hz);
        let begun = self.unfinished.take_if(|begun| begun.wait(samples, most_ms, rate_hz))?;
        Some(begun.utterance)
    }

    /// The utterance that ended with such a pause; `None` while its rest is waited for.
    fn finished(&mut self, said: HeardUtterance, pause_ms: u32) -> Option<HeardUtterance> {
        let said = match self.unfinished.take() {
            // A cough between two words.
            Some(mut begun) if said.heard.is_nothing() => {
                if begun.wait(said.samples.len(), self.rest_ms, self.rate_hz) {
                    return Some(begun.utterance);
                }
                self.unfinished = Some(begun);
                return None;
            }
            Some(begun) => self.with_rest(begun, said),
            None => said,
        };
        if self.rest_ms == 0 || !self.grammar.is_begun(&said.heard) {
            return Some(said);
        }
        self.unfinished = Some(Unfinished::new(said, pause_ms, self.rate_hz));
        None
    }

    /// Both parts heard as one, if that makes an announcement, or at least more of one; else the
    /// rest by itself, if that is something.
    fn with_rest(&self, begun: Unfinished, rest: HeardUtterance) -> HeardUtterance {
        let began = Instant::now();
        let Some(samples) = begun.followed_by(&rest, self.rate_hz) else { return rest };
        let hissing = Hiss::new().over(&samples);
        let sound = self.sound(&hissing);
        let wanted = [(&self.phrases, USUAL), (&self.words, USUAL)];
        let mut passes = self.passes(&wanted, &sound).into_iter();
        let (hypotheses, word_loop) =
            (passes.next().unwrap_or_default(), passes.next().unwrap_or_default());
        let both = [begun.utterance.heard.above_room_db, rest.heard.above_room_db];
        let above_room_db = both.into_iter().flatten().reduce(f32::min);
        let heard = Heard { hypotheses, word_loop, above_room_db, ..Heard::default() };
        let mut heard = self.compared(heard, &sound);
        heard.parts = begun.parts(&rest);
        let one = self.grammar.is_whole(&heard) || self.grammar.is_begun(&heard);
        // One word may be any of the rest misheard.
        let anew = self.grammar.is_begun(&rest.heard)
            && rest.heard.best().is_some_and(|text| text.split(' ').nth(1).is_some());
        let by_itself = anew || self.grammar.is_whole(&rest.heard);
        if !one && by_itself {
            return rest;
        }
        HeardUtterance { heard, samples, took: rest.took + began.elapsed() }
    }

    /// The phrases of a third pass, as the model spells them.
    fn to_compare(&self, heard: &Heard) -> Arc<[String]> {
        self.vocabulary.spell(&heard.to_compare(&self.grammar)).into()
    }

    /// Hears the samples again, kept to the phrases, at other paces, and at more of them while
    /// doubts are left. Returns the joint result.
    fn again(&self, first: Heard, sound: &Sound<'_>) -> Heard {
        // Heard at the usual pace are the loop, and the phrases if they are not kept to now.
        let (kept, mut hypotheses, mut paces) = match self.kept() {
            Some(kept) => (kept, Vec::new(), Vec::new()),
            None => (&self.phrases, vec![first.hypotheses.clone()], vec![USUAL]),
        };
        let mut word_loop = vec![first.word_loop.clone()];
        // What was compared at a pace is not heard at it once more.
        let mut texts = self.to_compare(&first);
        let mut compared = vec![first.comparison.clone()];
        let mut heard = first;
        for more in PACES {
            let usual = if paces.is_empty() { &[USUAL][..] } else { &[] };
            let of_phrases = [usual, &more].concat();
            let kept = of_phrases.iter().map(|pace| (kept, *pace));
            let wanted: Vec<_> = kept.chain(more.map(|pace| (&self.words, pace))).collect();
            let mut new = self.passes(&wanted, sound);
            word_loop.extend(new.split_off(of_phrases.len()));
            hypotheses.extend(new);
            paces.extend(of_phrases);
            heard = Heard {
                hypotheses: together(&hypotheses),
                word_loop: together(&word_loop),
                above_room_db: heard.above_room_db,
                ..Heard::default()
            };
            let now = self.to_compare(&heard);
            if now != texts {
                (texts, compared) = (now, Vec::new());
            }
            let lacking = &paces[compared.len()..];
            let wanted: Vec<_> = lacking.iter().map(|pace| (&texts, *pace)).collect();
            compared.extend(self.passes(&wanted, sound));
            heard.comparison = together(&compared);
            if !self.leaves_doubts(&heard) {
                break;
            }
        }
        heard
    }

    /// Several passes over the same samples at once, each at its pace.
    fn passes(&self, wanted: &[(&Arc<[String]>, f32)], sound: &Sound<'_>) -> Vec<Vec<Hypothesis>> {
        thread::scope(|scope| {
            let running: Vec<_> = wanted
                .iter()
                .map(|(phrases, pace)| scope.spawn(|| self.pass(phrases, sound, *pace)))
                .collect();
            running.into_iter().map(|pass| pass.join().unwrap_or_default()).collect()
        })
    }

    /// Hears complete samples if only these phrases may have been said. Empty where the recogniser
    /// refuses: the player is asked.
    fn pass(&self, phrases: &Arc<[String]>, sound: &Sound<'_>, pace: f32) -> Vec<Hypothesis> {
        if phrases.is_empty() {
            return Vec::new();
        }
        let Ok(mut recognizer) = self.recognizer(phrases, pace) else { return Vec::new() };
        // The result is read when all samples have been heard.
        let _ = recognizer.accept_waveform(sound.samples);
        self.read(&mut recognizer, sound, pace)
    }

    fn sound<'a>(&'a self, hissing: &'a [i16]) -> Sound<'a> {
        Sound::new(hissing, self.rate_hz, self.model.second_ear.as_deref())
    }

    /// The alternatives, each text once, with probabilities: those of both ears.
    fn read(&self, recognizer: &mut Recognizer, sound: &Sound<'_>, pace: f32) -> Vec<Hypothesis> {
        let mut best = f64::MIN;
        let alternatives = quietly(|| match recognizer.final_result() {
            CompleteResult::Multiple(result) => result
                .alternatives
                .iter()
                .map(|alternative| {
                    let mut score = f64::from(alternative.confidence);
                    // The second ear only takes away: what is far behind stays there without it.
                    if score > best - FAR_BEHIND {
                        score += sound.adds(&alternative.result, pace);
                    }
                    best = best.max(score);
                    (alternative.text.to_owned(), score)
                })
                .collect(),
            CompleteResult::Single(result) => vec![(result.text.to_owned(), 0.0)],
        });
        let alternatives: Vec<(String, f64)> = alternatives.unwrap_or_default();
        let scores: Vec<f64> = alternatives.iter().map(|(_, score)| *score).collect();
        let hypotheses = alternatives
            .iter()
            .zip(probabilities(&scores, SCALE))
            .map(|((text, _), p)| Hypothesis::new(self.vocabulary.read(text), p));
        together(&[hypotheses.collect()])
    }
}

/// The crate panics on results that it does not expect (a score that is no number): nothing was
/// heard then.
pub(super) fn quietly<T>(ask: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(ask)).ok()
}
