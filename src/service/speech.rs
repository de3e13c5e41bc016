//! The mouth that the configuration asks for, and what it is told.

use std::sync::{Arc, Mutex, mpsc::Receiver};

use crate::{
    config::{Engine, SpeechSection},
    game::{Channel, Output, Urgency},
    voice::{
        Mouth, Rate, VoiceError,
        keys::{KeyReader, Keyboard, KeysEvent, key_code},
    },
};

/// A mouth that the ears may ask whether it speaks, and silence.
pub type SharedMouth = Arc<Mutex<Box<dyn Mouth>>>;

/// The mouth of the configuration; `None` when it asks for none.
///
/// # Errors
///
/// When the engine is not there, or this build has no sound.
#[cfg_attr(not(feature = "sound"), allow(unreachable_code, unused_variables))]
pub fn mouth(config: &SpeechSection) -> Result<Option<Box<dyn Mouth>>, VoiceError> {
    let mut mouth: Box<dyn Mouth> = match config.engine {
        Engine::None => return Ok(None),
        #[cfg(feature = "sound")]
        Engine::Espeak => {
            let devices = crate::voice::speaker::Devices {
                public: config.public.clone(),
                private: config.private.clone(),
            };
            let engine = Box::new(crate::voice::espeak::Espeak::new()?.with_variant(&config.voice));
            Box::new(crate::voice::speaker::Speaker::new(engine, &devices))
        }
        #[cfg(feature = "sound")]
        Engine::System => Box::new(crate::voice::system::SystemMouth::new()),
        #[cfg(not(feature = "sound"))]
        Engine::Espeak | Engine::System => {
            return Err(VoiceError::Device {
                name: config.public.clone(),
                reason: "this program was built without the feature `sound`".to_owned(),
            });
        }
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

/// What is held to speak: the key of the configuration, the talk button. Who has a button needs no
/// keyboard unless he names one.
pub fn talk_key(speech: &SpeechSection, talk: Option<Receiver<KeysEvent>>) -> Option<KeyReader> {
    let keyboard = speech.keyboard().filter(|_| talk.is_none() || !speech.talk_device.is_empty());
    let key = match keyboard.map(|device| (device, key_code(&speech.talk_key))) {
        Some((device, Ok(code))) => Some(KeyReader::new(Keyboard::named(device), code)),
        Some((_, Err(err))) => {
            eprintln!("annabella: [speech] talk_key: {err}");
            None
        }
        None => None,
    };
    match (key, talk) {
        (Some(key), Some(talk)) => Some(key.and(talk)),
        (key, talk) => key.or(talk.map(KeyReader::of)),
    }
}
