//! The ears of the set-up by ear.

use std::sync::{Arc, Mutex, mpsc};

use super::RoomNews;
use crate::{config::Config, service::SharedMouth};
#[cfg(all(feature = "speech", feature = "sound"))]
use annabella_core::setup::SetupInput;
use annabella_devices::voice::keys::KeysEvent;
use annabella_words::phrase::{Words, hear::Grammar};

/// The present listener to the talk button.
pub(super) type TalkTo = Arc<Mutex<Option<mpsc::Sender<KeysEvent>>>>;

/// The parts of the room that the ears need.
#[cfg_attr(not(all(feature = "speech", feature = "sound")), allow(dead_code))]
pub(super) struct Around<'a> {
    pub(super) config: &'a Config,
    pub(super) mouth: Option<&'a SharedMouth>,
    pub(super) talk_to: &'a TalkTo,
    pub(super) button: bool,
    pub(super) tell: &'a mpsc::Sender<RoomNews>,
}

/// The ears, reopened for another language, another microphone, or another device that mutes them.
#[cfg(all(feature = "speech", feature = "sound"))]
#[derive(Default)]
pub(super) struct Listening {
    /// `None`: not opened yet; then what came of it.
    model: Option<Result<annabella_devices::voice::recognizer::Model, String>>,
    ears: Option<crate::service::ears::Ears>,
    wanted: Option<(Grammar, Words)>,
    /// The language that the ears were opened for.
    opened: Option<Words>,
    told: bool,
}

#[cfg(all(feature = "speech", feature = "sound"))]
impl Listening {
    /// Opened once: which one it is does not change with the language.
    fn model(
        &mut self,
        config: &Config,
        words: &Words,
    ) -> Option<&annabella_devices::voice::recognizer::Model> {
        use annabella_devices::voice::recognizer::choice;
        if config.speech.listen == crate::config::Listen::Off {
            return None;
        }
        let open = || {
            let chosen = choice::open(config.speech.model.as_deref(), words);
            chosen.map(|chosen| chosen.model).map_err(|err| err.to_string())
        };
        self.model.get_or_insert_with(open).as_ref().ok()
    }

    pub(super) fn is_possible(&self, speech: bool, config: &Config) -> bool {
        let off = config.speech.listen == crate::config::Listen::Off;
        // Until the model was wanted nobody knows better.
        let model = self.model.as_ref().is_none_or(|opened| opened.is_ok());
        speech && !off && model && !annabella_devices::voice::mic::input_devices().is_empty()
    }

    pub(super) fn understands(&mut self, words: &Words, config: &Config) -> bool {
        let Some(model) = self.model(config, words) else { return false };
        let yes = words.prompts().first_phrase(annabella_words::phrase::Command::Yes);
        let yes = yes.unwrap_or_default().to_lowercase();
        !model.vocabulary(words).spell(&[yes]).is_empty()
    }

    pub(super) fn expect(&mut self, grammar: Grammar, words: &Words) {
        match (&self.ears, &self.opened) {
            (Some(ears), Some(opened)) if opened == words => ears.expect(grammar.clone()),
            _ => self.stop(),
        }
        self.wanted = Some((grammar, words.clone()));
    }

    pub(super) fn stop(&mut self) {
        self.ears = None;
        self.opened = None;
    }

    pub(super) fn start(&mut self, around: &Around<'_>) -> Option<RoomNews> {
        use crate::{
            config::Listen,
            service::ears::{Ears, Overheard, OwnKey, Parts},
        };
        use annabella_devices::voice::{
            gate::{Gate, GateSettings, TalkMode},
            mic::Microphone,
        };
        if self.ears.is_some() {
            return None;
        }
        let (grammar, words) = self.wanted.clone()?;
        let Some(model) = self.model(around.config, &words).cloned() else {
            let Some(Err(err)) = &self.model else { return None };
            let told = std::mem::replace(&mut self.told, true);
            return (!told).then(|| RoomNews::Complaint(format!("nothing will be heard: {err}")));
        };
        let speech = &around.config.speech;
        let mode = if speech.listen == Listen::Key { TalkMode::PushToTalk } else { TalkMode::Open };
        let settings = GateSettings { mode, ..GateSettings::default() };
        let talk = around.button.then(|| {
            let (send, talk) = mpsc::channel();
            *annabella_threads::lock(around.talk_to) = Some(send);
            talk
        });
        let mouth = around.mouth.map(Arc::clone);
        let key = crate::service::talk_key(speech, talk);
        let key = key.map(|key| OwnKey { seat: None, key, mouth: mouth.clone() });
        let parts = Parts {
            seat: None,
            capture: Box::new(Microphone::new(&speech.input)),
            gate: Gate::new(settings.for_devices(&speech.public, &speech.private)),
            keys: key.into_iter().collect(),
            model,
            words: words.clone(),
            mouth,
            rest_ms: speech.rest_ms,
        };
        let tell = around.tell.clone();
        self.ears = Some(Ears::open(parts, grammar, move |overheard| {
            let news = match overheard {
                Overheard::Said { utterance, pushed, .. } => {
                    RoomNews::Input(SetupInput::Heard { heard: utterance.heard, pushed })
                }
                Overheard::Complaint(line) => RoomNews::Complaint(line),
            };
            tell.send(news).is_ok()
        }));
        self.opened = Some(words);
        None
    }
}

/// Without speech recognition in the program nobody listens.
#[cfg(not(all(feature = "speech", feature = "sound")))]
#[derive(Default)]
pub(super) struct Listening {}

#[cfg(not(all(feature = "speech", feature = "sound")))]
impl Listening {
    pub(super) fn is_possible(&self, _: bool, _: &Config) -> bool {
        false
    }

    pub(super) fn understands(&mut self, _: &Words, _: &Config) -> bool {
        false
    }

    pub(super) fn expect(&mut self, _: Grammar, _: &Words) {}

    pub(super) fn stop(&mut self) {}

    pub(super) fn start(&mut self, _: &Around<'_>) -> Option<RoomNews> {
        None
    }
}
