//! Lines for somebody who may see nothing: said privately and written, as text or as JSON.

use std::{
    io::Write,
    sync::{Arc, Mutex, mpsc},
    thread,
    time::{Duration, Instant},
};

use super::Failure;
use crate::{
    config::Config,
    service::{SharedMouth, braille::EarLines, mouth, setup::file::words, streams::complain},
};
use annabella_core::game::{Channel, Urgency};
use annabella_devices::{lines::Lines, voice::VoiceEvent};
use annabella_threads::lock;
use annabella_words::phrase::{Utterance, Words};

/// The packs of the configuration.
///
/// # Errors
/// When one cannot be read, or is unfinished.
pub(super) fn words_of(config: &Config) -> Result<Words, Failure> {
    words(config).map_err(Failure::Usage)
}

/// Says and writes lines.
pub(super) struct Teller<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) json: bool,
    pub(super) mouth: Option<SharedMouth>,
    pub(super) fingers: Option<EarLines>,
    /// How the last answer was understood: for fingers, before what is told next.
    pub(super) understood: Option<Utterance>,
}

impl<'a> Teller<'a> {
    /// With mouth and Braille line of the configuration; without them it only writes, and says why
    /// once.
    pub(super) fn open(
        out: &'a mut dyn Write,
        json: bool,
        config: &Config,
        words: &Words,
    ) -> Teller<'a> {
        let mouth = mouth(&config.speech).unwrap_or_else(|err| {
            complain(&format!("nothing will be spoken: {err}"));
            None
        });
        let mouth = mouth.map(|mouth| Arc::new(Mutex::new(mouth)));
        let fingers = EarLines::open(config, words, |line| complain(&line));
        Teller { out, json, mouth, fingers, understood: None }
    }

    pub(super) fn tell(&mut self, lines: &[Utterance]) -> Result<(), Failure> {
        for words in lines {
            if self.json {
                let line = serde_json::json!({ "say": words.to_string() });
                writeln!(self.out, "{line}")?;
            } else {
                writeln!(self.out, "{words}")?;
            }
            if let Some(mouth) = &self.mouth {
                let mut mouth = lock(mouth);
                mouth.say(Channel::Private, Urgency::Answer, words);
            }
        }
        if let Some(fingers) = &mut self.fingers {
            fingers.turn();
            if let Some(words) = self.understood.take() {
                fingers.understood(&words);
            }
            lines.iter().for_each(|words| fingers.show(words));
        }
        self.out.flush()?;
        Ok(())
    }

    pub(super) fn hush(&self) {
        if let Some(mouth) = &self.mouth {
            lock(mouth).hush();
        }
    }

    pub(super) fn is_speaking(&self) -> bool {
        self.mouth.as_ref().is_some_and(|mouth| lock(mouth).is_speaking(Channel::Private))
    }

    /// Waits until everything is spoken, since the program ends after it. A lost device is not
    /// waited for.
    pub(super) fn finish(&self) {
        let until = Instant::now() + Duration::from_secs(60);
        while self.is_speaking() && !self.has_failed() && Instant::now() < until {
            thread::sleep(Duration::from_millis(50));
        }
        if let Some(fingers) = &self.fingers {
            fingers.finish();
        }
    }

    fn has_failed(&self) -> bool {
        let Some(mouth) = &self.mouth else { return false };
        let events = lock(mouth).events();
        events
            .iter()
            .any(|event| matches!(event, VoiceEvent::DeviceLost { .. } | VoiceEvent::Failed { .. }))
    }
}

/// Lines of standard input, until it ends; those that are too long are left out.
pub fn typed() -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        for line in Lines::of(std::io::stdin()).typed().map_while(Result::ok) {
            if let Ok(text) = line.text
                && send.send(text).is_err()
            {
                break;
            }
        }
    });
    receive
}

/// A mouth whose words are read.
#[cfg(test)]
pub(super) mod read {
    use std::{
        collections::VecDeque,
        sync::{Arc, Mutex},
    };

    use super::Teller;
    use annabella_core::game::{Channel, Urgency};
    use annabella_devices::voice::{Mouth, Rate, VoiceEvent};
    use annabella_threads::lock;
    use annabella_words::phrase::Utterance;

    /// What has been told.
    pub(crate) type Told = Arc<Mutex<VecDeque<String>>>;

    /// Says nothing aloud: what it is told the person reads.
    #[derive(Debug)]
    struct ReadAloud(Told);

    impl Mouth for ReadAloud {
        fn say(&mut self, _: Channel, _: Urgency, words: &Utterance) {
            lock(&self.0).push_back(words.to_string());
        }
        fn hush(&mut self) {}
        fn prepare(&mut self, _: &[Utterance]) {}
        fn set_volume(&mut self, _: Channel, _: u8) {}
        fn set_rate(&mut self, _: Channel, _: Rate) {}
        fn is_speaking(&self, _: Channel) -> bool {
            false
        }
        fn events(&mut self) -> Vec<VoiceEvent> {
            Vec::new()
        }
    }

    /// Tells a person, and writes.
    pub(crate) fn teller<'a>(out: &'a mut dyn std::io::Write, told: &Told) -> Teller<'a> {
        let mouth: Box<dyn Mouth> = Box::new(ReadAloud(Arc::clone(told)));
        let mouth = Some(Arc::new(Mutex::new(mouth)));
        Teller { out, json: false, mouth, fingers: None, understood: None }
    }
}
