//! The ears, as far as the configuration wants them and this machine has them.

use annabella_core::game::{At, Game};
use annabella_devices::voice::{Pcm, keys::KeysEvent};
use annabella_records::journal::GameId;
use annabella_words::phrase::hear::Grammar;
use shakmaty::ByColor;

use super::{Voices, news::ToGame, play::Listens, sounds::Sounds};
#[cfg(all(feature = "speech", feature = "sound"))]
use super::{ears::Ears, news::FromDevice};
use crate::config::{Config, RecordAudio};

/// Nobody is heard by a program that was built without sound or without speech.
#[cfg(not(all(feature = "speech", feature = "sound")))]
#[derive(Debug)]
enum Ears {}

#[cfg(not(all(feature = "speech", feature = "sound")))]
impl Ears {
    fn expect(&self, _: Grammar) {
        match *self {}
    }
}

/// White's talk button and Black's.
pub(super) type TalkButtons = ByColor<Option<std::sync::mpsc::Receiver<KeysEvent>>>;

/// The ears, and the announcements that are kept as sound.
#[derive(Debug)]
pub struct Hearing {
    ears: Vec<Ears>,
    sounds: Option<Sounds>,
}

impl Hearing {
    /// Opens what the configuration asks for. Without ears the game goes on, by hands: `complain`
    /// gets one line, with the remedy.
    pub(super) fn open(
        config: &Config,
        game: &Game,
        voices: Option<&Voices>,
        to_game: &ToGame,
        talk: TalkButtons,
        complain: &mut dyn FnMut(&str),
    ) -> Hearing {
        let sounds = (config.record.audio == RecordAudio::Announcements).then(|| {
            let limit = u64::from(config.record.audio_mb) * 1_000_000;
            Sounds::beside(&config.journal.path, limit)
        });
        Hearing { ears: hear(config, game, voices, to_game, talk, complain), sounds }
    }

    /// Sets the phrases that may be said now.
    pub fn listen_for(&mut self, grammar: &Grammar) {
        self.ears.iter().for_each(|ears| ears.expect(grammar.clone()));
    }
}

#[cfg(not(all(feature = "speech", feature = "sound")))]
fn hear(
    _: &Config,
    _: &Game,
    _: Option<&Voices>,
    _: &ToGame,
    _: TalkButtons,
    _: &mut dyn FnMut(&str),
) -> Vec<Ears> {
    Vec::new()
}

#[cfg(all(feature = "speech", feature = "sound"))]
fn hear(
    config: &Config,
    game: &Game,
    voices: Option<&Voices>,
    to_game: &ToGame,
    talk: TalkButtons,
    complain: &mut dyn FnMut(&str),
) -> Vec<Ears> {
    use super::ears::{Overheard, Parts, microphones};
    use annabella_core::game::{Channel, Urgency};
    use annabella_devices::voice::{
        Mouth,
        gate::{Gate, GateSettings},
        mic::Microphone,
        recognizer::choice,
    };
    use annabella_words::phrase::Prompt;
    if config.speech.listen == crate::config::Listen::Off {
        return Vec::new();
    }
    let Some(words) = game.packs().cloned() else { return Vec::new() };
    let model = match choice::open(config.speech.model.as_deref(), &words) {
        Ok(chosen) => chosen.model,
        Err(err) => {
            complain(&format!("nothing will be heard: {err}"));
            if let Some(voices) = voices {
                let words = words.prompt(Prompt::SpeechUnavailable, &[]);
                voices.clone().say(Channel::Private, Urgency::Alert, &words);
            }
            return Vec::new();
        }
    };
    let mut ears = Vec::new();
    let blind = game.record().map_or(config.game.blind, |record| record.config.blind);
    for own in microphones(config, blind, voices, talk) {
        let settings = GateSettings { mode: own.mode, ..GateSettings::default() };
        let parts = Parts {
            seat: own.seat,
            capture: Box::new(Microphone::new(&own.input)),
            gate: Gate::new(settings.for_devices(&config.speech.public, &own.private)),
            keys: own.keys,
            model: model.clone(),
            words: words.clone(),
            mouth: voices.map(|voices| voices.heard_by(own.seat)),
            rest_ms: config.speech.rest_ms,
        };
        let to_game = to_game.another();
        let grammar = game.grammar().unwrap_or_default();
        ears.push(Ears::open(parts, grammar, move |overheard| {
            let news = match overheard {
                Overheard::Said { seat, utterance, rate_hz, pushed } => {
                    let sound = Overheard::sound(&utterance, rate_hz);
                    FromDevice::Heard { seat, heard: utterance.heard, pushed, sound }
                }
                // Read at once, not when the game takes in what came before.
                Overheard::Complaint(line) => {
                    super::streams::complain(&line);
                    return true;
                }
            };
            to_game.blocking_send(news).is_ok()
        }));
    }
    ears
}

impl Listens for Hearing {
    fn expect(&mut self, game: &Game) {
        if let Some(grammar) = game.grammar() {
            self.listen_for(&grammar);
        }
    }

    fn keep(&mut self, game: GameId, at: At, sound: &Pcm) -> Result<(), String> {
        match &self.sounds {
            Some(sounds) => sounds.keep(game, at, sound).map(|_| ()),
            None => Ok(()),
        }
    }
}
