//! A mouth that only remembers: the twin of the others, for tests and silent runs.

use super::{
    Mouth, Rate, VoiceEvent,
    queue::{Queue, Queued},
};
use annabella_core::game::{Channel, Urgency};
use annabella_words::phrase::Utterance;

/// Says everything at once on request ([`SimMouth::speak`]) and remembers it.
#[derive(Debug, Default)]
pub struct SimMouth {
    public: Queue<()>,
    private: Queue<()>,
    /// The words said, in order.
    pub said: Vec<(Channel, String)>,
    /// The words prepared last.
    pub prepared: Vec<String>,
    /// Volume and rate, public then private.
    pub manner: [(u8, Rate); 2],
    events: Vec<VoiceEvent>,
}

impl SimMouth {
    /// A mouth that has said nothing.
    pub fn new() -> SimMouth {
        SimMouth { manner: [(100, Rate::default()); 2], ..SimMouth::default() }
    }

    /// Says the next of what waits on the channel, if anything does.
    pub fn speak(&mut self, channel: Channel) -> Option<String> {
        let text = self.queue(channel).pop()?.words.to_string();
        self.events.push(VoiceEvent::Began { channel, after_us: 0 });
        self.events.push(VoiceEvent::Finished { channel });
        self.said.push((channel, text.clone()));
        Some(text)
    }

    fn queue(&mut self, channel: Channel) -> &mut Queue<()> {
        match channel {
            Channel::Public => &mut self.public,
            Channel::Private => &mut self.private,
        }
    }
}

impl Mouth for SimMouth {
    fn say(&mut self, channel: Channel, urgency: Urgency, words: &Utterance) {
        self.queue(channel).push(Queued { urgency, words: words.clone(), tag: () });
    }

    fn hush(&mut self) {
        self.public.clear();
        self.private.clear();
    }

    fn hush_aloud(&mut self) {
        self.public.clear();
    }

    fn prepare(&mut self, words: &[Utterance]) {
        self.prepared = words.iter().map(ToString::to_string).collect();
    }

    fn set_volume(&mut self, channel: Channel, percent: u8) {
        self.manner[channel.index()].0 = percent.min(100);
    }

    fn set_rate(&mut self, channel: Channel, rate: Rate) {
        self.manner[channel.index()].1 = rate;
    }

    fn is_speaking(&self, channel: Channel) -> bool {
        match channel {
            Channel::Public => !self.public.is_empty(),
            Channel::Private => !self.private.is_empty(),
        }
    }

    fn events(&mut self) -> Vec<VoiceEvent> {
        std::mem::take(&mut self.events)
    }
}
