//! The mouth of one of two blind players: the loudspeaker that both hear, and an earphone of his
//! own.

use std::sync::{Arc, Mutex, MutexGuard};

use super::{Mouth, Rate, VoiceEvent};
use annabella_core::game::{Channel, Urgency};
use annabella_threads::lock;
use annabella_words::phrase::Utterance;

/// A mouth whose loudspeaker is another's. The other one is locked while this one is, never the
/// other way round.
#[derive(Debug)]
pub struct Beside {
    shared: Arc<Mutex<Box<dyn Mouth>>>,
    own: Box<dyn Mouth>,
}

impl Beside {
    /// Aloud by `shared`, privately by `own`.
    pub fn new(shared: Arc<Mutex<Box<dyn Mouth>>>, own: Box<dyn Mouth>) -> Beside {
        Beside { shared, own }
    }

    /// A thread that panicked while holding the lock has left nothing half done.
    fn shared(&self) -> MutexGuard<'_, Box<dyn Mouth>> {
        lock(&self.shared)
    }

    fn with(&mut self, channel: Channel, act: impl FnOnce(&mut dyn Mouth)) {
        match channel {
            Channel::Public => act(&mut **self.shared()),
            Channel::Private => act(&mut *self.own),
        }
    }
}

impl Mouth for Beside {
    fn say(&mut self, channel: Channel, urgency: Urgency, words: &Utterance) {
        self.with(channel, |mouth| mouth.say(channel, urgency, words));
    }

    fn tones(&mut self, channel: Channel) {
        self.with(channel, |mouth| mouth.tones(channel));
    }

    fn hush(&mut self) {
        self.shared().hush_aloud();
        self.own.hush();
    }

    fn hush_aloud(&mut self) {
        self.shared().hush_aloud();
    }

    fn prepare(&mut self, words: &[Utterance]) {
        self.shared().prepare(words);
    }

    fn set_volume(&mut self, channel: Channel, percent: u8) {
        self.with(channel, |mouth| mouth.set_volume(channel, percent));
    }

    fn set_rate(&mut self, channel: Channel, rate: Rate) {
        self.with(channel, |mouth| mouth.set_rate(channel, rate));
    }

    fn is_speaking(&self, channel: Channel) -> bool {
        match channel {
            Channel::Public => self.shared().is_speaking(channel),
            Channel::Private => self.own.is_speaking(channel),
        }
    }

    fn events(&mut self) -> Vec<VoiceEvent> {
        self.own.events()
    }
}
