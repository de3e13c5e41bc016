//! Recognisers made before somebody speaks.
//!
//! One that is kept to its phrases takes longer to make than an utterance to hear, and one that
//! leaves doubts needs up to five. A thread makes them when the grammar has come to rest. Each
//! hears one utterance: one that was used before hears otherwise than a new one.

use std::{
    sync::{Arc, Condvar, Mutex, PoisonError},
    thread,
    time::Duration,
};

use annabella_threads::lock;
use vosk::Recognizer;

use super::{Model, listener::quietly, vocabulary::UNKNOWN};

/// A grammar that changes again within this time has no recognisers made.
const REST: Duration = Duration::from_millis(100);
/// Hypotheses asked for in each pass.
const ALTERNATIVES: u16 = 10;

/// A recogniser for these phrases and this rate of samples.
#[derive(Clone, Debug)]
pub(super) struct Wanted {
    pub(super) phrases: Arc<[String]>,
    pub(super) rate_hz: f32,
}

impl Wanted {
    /// Made now. `None`: libvosk refuses.
    pub(super) fn make(&self, model: &Model) -> Option<Recognizer> {
        let model = lock(&model.inner);
        let all: Vec<&str> = self.phrases.iter().map(String::as_str).chain([UNKNOWN]).collect();
        let mut recognizer = Recognizer::new_with_grammar(&model, self.rate_hz, &all)?;
        recognizer.set_max_alternatives(ALTERNATIVES);
        // With their times.
        recognizer.set_words(true);
        Some(recognizer)
    }

    fn is(&self, other: &Wanted) -> bool {
        Arc::ptr_eq(&self.phrases, &other.phrases) && self.rate_hz == other.rate_hz
    }
}

/// Makes recognisers on a thread of its own until it is dropped.
pub(super) struct Ahead {
    shared: Arc<Shared>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    /// Those that are made or to be made, the first first; not those that were taken.
    wanted: Vec<Wanted>,
    making: Option<Wanted>,
    made: Vec<(Wanted, Recognizer)>,
    /// How often others were wanted.
    turns: u64,
    over: bool,
}

impl State {
    fn to_make(&self) -> Option<&Wanted> {
        self.wanted.iter().find(|wanted| !self.made.iter().any(|(made, _)| made.is(wanted)))
    }
}

impl Ahead {
    pub(super) fn new(model: &Model) -> Ahead {
        let shared = Arc::new(Shared::default());
        let (model, worker) = (model.clone(), Arc::clone(&shared));
        let thread = thread::Builder::new().name("recognisers".to_owned());
        // Without the thread each is made when it is needed.
        let _ = thread.spawn(move || worker.run(&model));
        Ahead { shared }
    }

    /// These are made, the first first, and no others.
    pub(super) fn want(&self, wanted: Vec<Wanted>) {
        let mut state = lock(&self.shared.state);
        state.made.retain(|(made, _)| wanted.iter().any(|wanted| wanted.is(made)));
        state.wanted = wanted;
        state.turns += 1;
        drop(state);
        self.shared.changed.notify_all();
    }

    /// The one that was made, or is just being made. `None`: it has to be made now.
    pub(super) fn take(&self, wanted: &Wanted) -> Option<Recognizer> {
        let state = lock(&self.shared.state);
        let making = |state: &mut State| state.making.as_ref().is_some_and(|it| it.is(wanted));
        let waited = self.shared.changed.wait_while(state, making);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        state.wanted.retain(|it| !it.is(wanted));
        let n = state.made.iter().position(|(made, _)| made.is(wanted))?;
        Some(state.made.swap_remove(n).1)
    }
}

impl Drop for Ahead {
    fn drop(&mut self) {
        lock(&self.shared.state).over = true;
        self.shared.changed.notify_all();
    }
}

impl Shared {
    fn run(&self, model: &Model) {
        let mut rested = 0;
        while let Some(next) = self.next(&mut rested) {
            let made = quietly(|| next.make(model)).flatten();
            let mut state = lock(&self.state);
            state.making = None;
            match made {
                Some(made) if state.wanted.iter().any(|it| it.is(&next)) => {
                    state.made.push((next, made));
                }
                Some(_) => {}
                // It is not tried again and again.
                None => state.wanted.retain(|it| !it.is(&next)),
            }
            drop(state);
            self.changed.notify_all();
        }
    }

    /// The next to make, once nothing else has been wanted for a while. `None`: no more.
    fn next(&self, rested: &mut u64) -> Option<Wanted> {
        let mut state = lock(&self.state);
        loop {
            let idle = |state: &mut State| !state.over && state.to_make().is_none();
            let waited = self.changed.wait_while(state, idle);
            state = waited.unwrap_or_else(PoisonError::into_inner);
            while !state.over && *rested != state.turns {
                *rested = state.turns;
                let same = |state: &mut State| !state.over && state.turns == *rested;
                let waited = self.changed.wait_timeout_while(state, REST, same);
                (state, _) = waited.unwrap_or_else(PoisonError::into_inner);
            }
            if state.over {
                return None;
            }
            if let Some(next) = state.to_make().cloned() {
                state.making = Some(next.clone());
                return Some(next);
            }
        }
    }
}
