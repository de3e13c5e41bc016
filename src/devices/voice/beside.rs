//! The mouth of one of two blind players: the loudspeaker that both hear, and an earphone of his
//! own.

use std::sync::{Arc, Mutex, MutexGuard};

use super::{Mouth, Rate, VoiceEvent};
use annabella_core::game::{Channel, Urgency};
use annabella_threads::lock;
use annabella_words::phrase::Utterance;

/// A mouth whose loudspeaker is another's. The other one is locked while this one is, never the
/// other way round.
pub struct Beside {
    shared: Arc<Mutex<Box<dyn Mouth>>>,
    own: Box<dyn Mouth>,
}

impl std::fmt::Debug for Beside {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Beside").finish_non_exhaustive()
    }
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
}

impl Mouth for Beside {
    fn say(&mut self, channel: Channel, urgency: Urgency, words: &Utterance) {
        match channel {
            Channel::Public => self.shared().say(channel, urgency, words),
            Channel::Private => self.own.say(channel, urgency, words),
        }
    }

    fn tones(&mut self, channel: Channel) {
        match channel {
            Channel::Public => self.shared().tones(channel),
            Channel::Private => self.own.tones(channel),
        }
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
        match channel {
            Channel::Public => self.shared().set_volume(channel, percent),
            Channel::Private => self.own.set_volume(channel, percent),
        }
    }

    fn set_rate(&mut self, channel: Channel, rate: Rate) {
        match channel {
            Channel::Public => self.shared().set_rate(channel, rate),
            Channel::Private => self.own.set_rate(channel, rate),
        }
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
