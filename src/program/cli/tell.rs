//! Lines for somebody who may see nothing: said privately and written, as text or as JSON.

use std::{
    io::{BufRead, Write},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use super::Failure;
use crate::{
    config::Config,
    service::{SharedMouth, mouth},
};
use annabella_core::game::{Channel, Urgency};
use annabella_devices::voice::VoiceEvent;
use annabella_words::phrase::{Utterance, Words, pack};

/// The packs of the configuration.
///
/// # Errors
///
/// When one cannot be read, or is unfinished.
pub(super) fn words_of(config: &Config) -> Result<Words, Failure> {
    let pack = |name: &str| match pack::builtin(name) {
        Some(text) => Ok(text.to_owned()),
        None => std::fs::read_to_string(name)
            .map_err(|err| Failure::usage(format!("[speech] {name}: {err}"))),
    };
    Words::from_toml(&pack(&config.speech.words)?, &pack(&config.speech.prompts)?)
        .map_err(|err| Failure::usage(err.to_string()))
}

/// Says and writes lines.
pub(super) struct Teller<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) json: bool,
    pub(super) mouth: Option<SharedMouth>,
}

impl<'a> Teller<'a> {
    /// With the mouth of the configuration; without one it only writes, and says why once.
    pub(super) fn open(out: &'a mut dyn Write, json: bool, config: &Config) -> Teller<'a> {
        let mouth = mouth(&config.speech).unwrap_or_else(|err| {
            eprintln!("annabella: nothing will be spoken: {err}");
            None
        });
        Teller { out, json, mouth: mouth.map(|mouth| Arc::new(Mutex::new(mouth))) }
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
                let mut mouth = mouth.lock().unwrap_or_else(PoisonError::into_inner);
                mouth.say(Channel::Private, Urgency::Answer, words);
            }
        }
        self.out.flush()?;
        Ok(())
    }

    pub(super) fn hush(&self) {
        if let Some(mouth) = &self.mouth {
            mouth.lock().unwrap_or_else(PoisonError::into_inner).hush();
        }
    }

    pub(super) fn is_speaking(&self) -> bool {
        self.mouth.as_ref().is_some_and(|mouth| {
            mouth.lock().unwrap_or_else(PoisonError::into_inner).is_speaking(Channel::Private)
        })
    }

    /// Waits until all is said: the program ends after it. Where the device is gone nothing is waited
    /// for.
    pub(super) fn finish(&self) {
        let until = Instant::now() + Duration::from_secs(60);
        while self.is_speaking() && !self.has_failed() && Instant::now() < until {
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn has_failed(&self) -> bool {
        let Some(mouth) = &self.mouth else { return false };
        let events = mouth.lock().unwrap_or_else(PoisonError::into_inner).events();
        events
            .iter()
            .any(|event| matches!(event, VoiceEvent::DeviceLost { .. } | VoiceEvent::Failed { .. }))
    }
}

/// Lines of standard input, until it ends.
pub(super) fn typed() -> mpsc::Receiver<String> {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if send.send(line).is_err() {
                break;
            }
        }
    });
    receive
}
