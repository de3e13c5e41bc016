//! The mouths of the configuration, and the outputs that they speak.

use std::sync::{Arc, Mutex, mpsc::Receiver};

use shakmaty::{ByColor, Color};

use crate::config::{Config, EngineKind, SpeechSection};
use annabella_core::game::{Blind, Channel, Output, Urgency};
use annabella_devices::voice::{
    Mouth, Rate, VoiceError, VoiceEvent,
    beside::Beside,
    keys::{KeyReader, Keyboard, KeysEvent, key_code},
};
use annabella_threads::lock;
use annabella_words::phrase::Utterance;

/// A mouth that the ears may ask whether it speaks, and silence.
pub type SharedMouth = Arc<Mutex<Box<dyn Mouth>>>;

/// The loudspeaker, and an earphone for each blind player. With one blind player both colours have
/// his: he hears of a sighted player's affairs.
#[derive(Clone, Debug)]
pub struct Voices {
    of: ByColor<SharedMouth>,
}

impl Voices {
    /// One earphone at the table.
    pub fn one(mouth: Box<dyn Mouth>) -> Voices {
        let mouth = Arc::new(Mutex::new(mouth));
        Voices { of: ByColor { black: Arc::clone(&mouth), white: mouth } }
    }

    /// Two: `white` speaks aloud and to White, `black` to Black.
    pub fn two(white: Box<dyn Mouth>, black: Box<dyn Mouth>) -> Voices {
        let white = Arc::new(Mutex::new(white));
        let beside: Box<dyn Mouth> = Box::new(Beside::new(Arc::clone(&white), black));
        Voices { of: ByColor { black: Arc::new(Mutex::new(beside)), white } }
    }

    /// The voices of the configuration; `None` when it asks for none.
    ///
    /// # Errors
    /// When the engine is not there, or this build has no sound.
    pub fn open(config: &Config, blind: Blind) -> Result<Option<Voices>, VoiceError> {
        let speech = &config.speech;
        if blind != Blind::Both {
            return Ok(mouth(speech)?.map(Voices::one));
        }
        let unheard = config.unheard();
        let private = |name: &str, muted: bool| match muted {
            true => "none".to_owned(),
            false => name.to_owned(),
        };
        let [no_white, no_black] = unheard.map(|why| why.is_some());
        let white = SpeechSection { private: private(&speech.private, no_white), ..speech.clone() };
        let black = SpeechSection {
            public: "none".to_owned(),
            private: private(&speech.private_black, no_black),
            ..speech.of_black()
        };
        match (mouth(&white)?, mouth(&black)?) {
            (Some(white), Some(black)) => Ok(Some(Voices::two(white, black))),
            _ => Ok(None),
        }
    }

    pub fn of(&self, seat: Color) -> &SharedMouth {
        &self.of[seat]
    }

    /// The same, or what all hear where nobody knows who it is.
    pub fn heard_by(&self, seat: Option<Color>) -> SharedMouth {
        match seat {
            Some(seat) => Arc::clone(self.of(seat)),
            None if self.are_apart() => {
                let all: Box<dyn Mouth> = Box::new(self.clone());
                Arc::new(Mutex::new(all))
            }
            None => Arc::clone(&self.of.white),
        }
    }

    fn are_apart(&self) -> bool {
        !Arc::ptr_eq(&self.of.white, &self.of.black)
    }

    fn each(&self) -> impl Iterator<Item = &SharedMouth> {
        let second = self.are_apart().then_some(&self.of.black);
        std::iter::once(&self.of.white).chain(second)
    }

    /// The mouths for an output of this channel and seat.
    fn for_seat(&self, channel: Channel, seat: Option<Color>) -> Vec<&SharedMouth> {
        match (channel, seat) {
            (Channel::Public, _) => vec![&self.of.white],
            (Channel::Private, Some(seat)) => vec![self.of(seat)],
            (Channel::Private, None) => self.each().collect(),
        }
    }

    /// Carries out what concerns the mouths.
    pub fn speak(&self, output: &Output) {
        let mouths = match output {
            Output::Say { channel, seat, .. } | Output::Manner { channel, seat, .. } => {
                self.for_seat(*channel, *seat)
            }
            Output::Whisper { seat, .. } => vec![self.of(*seat)],
            Output::Hush { seat } => self.for_seat(Channel::Private, *seat),
            Output::Prepare { .. } => vec![&self.of.white],
            _ => return,
        };
        for mouth in mouths {
            speak(lock(mouth).as_mut(), output);
        }
    }

    /// The events since the last call.
    pub fn take_events(&self) -> Vec<VoiceEvent> {
        self.each().flat_map(|mouth| lock(mouth).events()).collect()
    }
}

/// All of them, for ears that do not know who speaks.
impl Mouth for Voices {
    fn say(&mut self, channel: Channel, urgency: Urgency, words: &Utterance) {
        for mouth in self.for_seat(channel, None) {
            lock(mouth).say(channel, urgency, words);
        }
    }

    fn tones(&mut self, channel: Channel) {
        for mouth in self.for_seat(channel, None) {
            lock(mouth).tones(channel);
        }
    }

    fn hush(&mut self) {
        self.each().for_each(|mouth| lock(mouth).hush());
    }

    fn hush_aloud(&mut self) {
        lock(&self.of.white).hush_aloud();
    }

    fn prepare(&mut self, words: &[Utterance]) {
        lock(&self.of.white).prepare(words);
    }

    fn set_volume(&mut self, channel: Channel, percent: u8) {
        for mouth in self.for_seat(channel, None) {
            lock(mouth).set_volume(channel, percent);
        }
    }

    fn set_rate(&mut self, channel: Channel, rate: Rate) {
        for mouth in self.for_seat(channel, None) {
            lock(mouth).set_rate(channel, rate);
        }
    }

    fn is_speaking(&self, channel: Channel) -> bool {
        self.for_seat(channel, None).into_iter().any(|mouth| lock(mouth).is_speaking(channel))
    }

    fn events(&mut self) -> Vec<VoiceEvent> {
        self.take_events()
    }
}

/// The mouth of the configuration; `None` when it asks for none.
///
/// # Errors
/// When the engine is not there, or this build has no sound.
#[cfg_attr(not(feature = "sound"), allow(unreachable_code, unused_variables))]
pub fn mouth(config: &SpeechSection) -> Result<Option<Box<dyn Mouth>>, VoiceError> {
    let mut mouth: Box<dyn Mouth> = match config.engine {
        EngineKind::None => return Ok(None),
        #[cfg(feature = "sound")]
        EngineKind::Espeak => {
            let devices = annabella_devices::voice::speaker::SpeakerDevices {
                public: config.public.clone(),
                private: config.private.clone(),
            };
            let engine =
                annabella_devices::voice::espeak::Espeak::new()?.with_variant(&config.voice);
            Box::new(annabella_devices::voice::speaker::Speaker::new(engine, &devices))
        }
        #[cfg(feature = "system-voice")]
        EngineKind::System => Box::new(annabella_devices::voice::system::SystemMouth::new()),
        #[cfg(not(feature = "sound"))]
        EngineKind::Espeak => return Err(left_out(config, "sound")),
        #[cfg(not(feature = "system-voice"))]
        EngineKind::System => return Err(left_out(config, "system-voice")),
    };
    for (channel, volume, rate) in [
        (Channel::Public, config.public_volume, config.public_rate),
        (Channel::Private, config.private_volume, config.private_rate),
    ] {
        mouth.set_volume(channel, volume);
        mouth.set_rate(channel, Rate::new(rate));
    }
    Ok(Some(mouth))
}

#[cfg(not(feature = "system-voice"))]
fn left_out(config: &SpeechSection, feature: &str) -> VoiceError {
    let reason = format!("this program was built without the feature `{feature}`");
    VoiceError::Device { name: config.public.clone(), reason }
}

/// Carries out what concerns the mouth.
pub fn speak(mouth: &mut dyn Mouth, output: &Output) {
    match output {
        Output::Say { channel, urgency, words, .. } => mouth.say(*channel, *urgency, words),
        Output::Whisper { words, .. } => mouth.say(Channel::Private, Urgency::Alert, words),
        Output::Hush { .. } => mouth.hush(),
        Output::Prepare { words } => mouth.prepare(words),
        Output::Manner { channel, volume, words_per_minute, .. } => {
            mouth.set_volume(*channel, *volume);
            mouth.set_rate(*channel, Rate::new(*words_per_minute));
        }
        _ => {}
    }
}

/// The key that is held to speak: the configured key, or the talk button. A player with a button
/// needs no keyboard unless the configuration names one.
pub fn talk_key(speech: &SpeechSection, talk: Option<Receiver<KeysEvent>>) -> Option<KeyReader> {
    let keyboard = speech.keyboard().filter(|_| talk.is_none() || !speech.talk_device.is_empty());
    let key = match keyboard.map(|device| (device, key_code(&speech.talk_key))) {
        Some((device, Ok(code))) => Some(KeyReader::new(Keyboard::named(device), code)),
        Some((_, Err(err))) => {
            super::streams::complain(&format!("[speech] talk_key: {err}"));
            None
        }
        None => None,
    };
    match (key, talk) {
        (Some(key), Some(talk)) => Some(key.and(talk)),
        (key, talk) => key.or(talk.map(KeyReader::of)),
    }
}
