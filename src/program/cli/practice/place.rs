//! Where somebody practises: with a microphone and a keyboard, or with a keyboard alone.

use std::sync::mpsc;

use crate::{
    cli::tell::{Teller, typed},
    config::Config,
    service::streams::complain,
};
use annabella_words::phrase::{
    Words,
    hear::{Grammar, Heard},
};

/// What a person does.
// Without ears nobody is heard.
#[cfg_attr(not(all(feature = "speech", feature = "sound")), expect(dead_code))]
#[derive(Debug)]
pub(super) enum PlaceEvent {
    Heard(Heard),
    Typed(String),
    Silence,
    /// Nobody can say or type anything any more.
    Left,
}

/// Ears and a keyboard, or a keyboard alone.
pub(super) trait Place {
    /// Nobody listens.
    fn is_deaf(&self) -> bool;

    /// Whether these words, in lower case, can be taken in.
    fn hears(&self, text: &str) -> bool;

    /// The grammar from the next utterance on.
    fn listen_for(&self, grammar: Grammar);

    /// Waits for the next event.
    fn next(&mut self, teller: &Teller<'_>) -> PlaceEvent;
}

struct Keyboard(mpsc::Receiver<String>);

impl Place for Keyboard {
    fn is_deaf(&self) -> bool {
        true
    }

    fn hears(&self, _: &str) -> bool {
        true
    }

    fn listen_for(&self, _: Grammar) {}

    fn next(&mut self, _: &Teller<'_>) -> PlaceEvent {
        self.0.recv().map_or(PlaceEvent::Left, |line| PlaceEvent::Typed(line.trim().to_owned()))
    }
}

/// The place of this configuration. `only_typed`: nobody is to listen. Where nothing can be heard,
/// it says why.
pub(super) fn open(
    only_typed: bool,
    config: &Config,
    words: &Words,
    teller: &Teller<'_>,
) -> Box<dyn Place> {
    let heard = if only_typed { Ok(None) } else { with_ears(config, words, teller) };
    match heard {
        Ok(Some(place)) => return place,
        Ok(None) => {}
        Err(why) => complain(&format!("nothing will be heard: {why}")),
    }
    Box::new(Keyboard(typed()))
}

#[cfg(not(all(feature = "speech", feature = "sound")))]
fn with_ears(_: &Config, _: &Words, _: &Teller<'_>) -> Result<Option<Box<dyn Place>>, String> {
    Err("this program was built without the features `speech` and `sound`".to_owned())
}

#[cfg(all(feature = "speech", feature = "sound"))]
use real::with_ears;

#[cfg(all(feature = "speech", feature = "sound"))]
pub(super) mod real {
    use super::{Config, Grammar, Place, PlaceEvent, Teller, Words};
    use crate::{
        cli::{
            room::{Event, Room},
            tell::typed,
        },
        config::Listen,
        service::streams::complain,
    };
    use annabella_devices::voice::{
        capture::Capture,
        mic::{Microphone, input_devices},
        recognizer::{Model, choice, vocabulary::Vocabulary},
    };
    use annabella_words::phrase::Command;

    /// Ears that know the words of one model.
    pub(in crate::cli::practice) struct Ears {
        room: Room,
        vocabulary: Vocabulary,
    }

    impl Ears {
        pub(in crate::cli::practice) fn new(
            capture: Box<dyn Capture>,
            words: &Words,
            model: Model,
            teller: &Teller<'_>,
        ) -> Ears {
            let vocabulary = model.vocabulary(words);
            Ears { room: Room::with(capture, typed(), words, model, teller), vocabulary }
        }
    }

    impl Place for Ears {
        fn is_deaf(&self) -> bool {
            false
        }

        fn hears(&self, text: &str) -> bool {
            !self.vocabulary.spell(&[text.to_owned()]).is_empty()
        }

        fn listen_for(&self, grammar: Grammar) {
            self.room.expect(grammar);
        }

        fn next(&mut self, teller: &Teller<'_>) -> PlaceEvent {
            match self.room.next(teller) {
                Ok(Event::Spoke(utterance, _)) => PlaceEvent::Heard(utterance.heard),
                Ok(Event::Typed(line)) => PlaceEvent::Typed(line),
                Ok(Event::Silence) => PlaceEvent::Silence,
                Err(why) => {
                    complain(&why.to_string());
                    PlaceEvent::Left
                }
            }
        }
    }

    /// `None`: the configuration wants nobody to listen.
    pub(in crate::cli::practice) fn with_ears(
        config: &Config,
        words: &Words,
        teller: &Teller<'_>,
    ) -> Result<Option<Box<dyn Place>>, String> {
        if config.speech.listen == Listen::Off {
            return Ok(None);
        }
        let chosen = choice::open(config.speech.model.as_deref(), words);
        let model = chosen.map_err(|err| err.to_string())?.model;
        let vocabulary = model.vocabulary(words);
        let yes = words.prompts().first_phrase(Command::Yes).unwrap_or_default();
        let files = shakmaty::File::ALL.map(|file| words.moves().file(file).text.as_str());
        let some = files.into_iter().chain([yes]).map(str::to_lowercase);
        if some.into_iter().all(|word| vocabulary.spell(&[word]).is_empty()) {
            return Err("the speech model knows no word of this language".to_owned());
        }
        if input_devices().is_empty() {
            return Err("there is no microphone".to_owned());
        }
        let microphone = Microphone::new(&config.speech.input);
        Ok(Some(Box::new(Ears::new(Box::new(microphone), words, model, teller))))
    }
}
