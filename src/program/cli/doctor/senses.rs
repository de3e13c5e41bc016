//! Checks that ask the sound devices, the recogniser, the Braille lines and the talk key
//! themselves.

use super::Check;
use crate::config::{BrailleSection, Config, EngineKind, SightedSection, SpeechSection};
use crate::service::{beside, hall, setup::ports};
use annabella_devices::braille::line::{BrlttyAt, look};
use annabella_devices::voice::espeak::Espeak;

/// `runs`: whether the service does, which may have the sound devices.
#[cfg_attr(
    not(feature = "sound"),
    expect(unused_variables, reason = "no sound devices in this build")
)]
pub(super) fn speaks(speech: &SpeechSection, runs: bool) -> Vec<Check> {
    let mut checks = Vec::new();
    match speech.engine {
        EngineKind::Espeak => checks.push(match Espeak::new() {
            Ok(_) => Check::good("voice", "espeak-ng"),
            Err(err) => Check::bad("voice", err.to_string()).mend("sudo apt-get install espeak-ng"),
        }),
        EngineKind::System => checks.push(Check::good("voice", "speech-dispatcher")),
        EngineKind::None => checks.push(Check::poor("voice", "off: [speech] engine")),
    }
    #[cfg(feature = "sound")]
    {
        checks.push(sounds("loudspeaker", &speech.public, runs));
        if speech.public != speech.private || speech.public == "none" {
            checks.push(sounds("earphone", &speech.private, runs));
        } else {
            let found = "is the loudspeaker: all hear what is for the player, and only the talk key stops it";
            checks.push(
                Check::poor("earphone", found).mend("name another device in [speech] private"),
            );
        }
        if !speech.private_black.is_empty() {
            checks.push(sounds("earphone of Black", &speech.private_black, runs));
        }
    }
    checks
}

/// Whether brltty takes the service's key, and has a display.
pub(super) fn feels(braille: &BrailleSection) -> Vec<Check> {
    let lines = [("Braille line", &braille.line), ("Braille line of Black", &braille.line_black)];
    let check = |(name, at): (&'static str, &Option<BrlttyAt>)| {
        let at = at.as_ref()?;
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().ok()?;
        Some(match runtime.block_on(look(at, &braille.key_file)) {
            Ok(size) => {
                Check::good(name, format!("{} by {} cells at {at}", size.columns, size.rows))
            }
            Err(err) => Check::bad(name, err.to_string()).of_device(),
        })
    };
    lines.into_iter().filter_map(check).collect()
}

/// Whether the opponent's electronic board answers; `None`: he has none.
pub(super) fn sees(sighted: &SightedSection, runs: bool) -> Option<Check> {
    let maker = sighted.kind.maker()?;
    let name = "his board";
    if runs {
        return Some(Check::good(name, format!("{}, the service talks to it", maker.name())));
    }
    Some(match ports::answers_as(maker, &sighted.port) {
        Ok(()) => Check::good(name, format!("{} answers", maker.name())),
        Err(why) => Check::bad(name, why).of_device(),
    })
}

#[cfg(feature = "sound")]
fn sounds(name: &'static str, wanted: &str, runs: bool) -> Check {
    use annabella_devices::voice::speaker::{check, output_devices};

    if wanted == "none" {
        return Check::poor(name, "off");
    }
    match check(wanted) {
        Ok(()) => Check::good(name, format!("'{wanted}'")),
        Err(err) => unsound(name, wanted, &err, runs, &output_devices()),
    }
}

/// An output device's error, interpreted by whether the service runs.
#[cfg(feature = "sound")]
fn unsound(
    name: &'static str,
    wanted: &str,
    err: &annabella_devices::voice::VoiceError,
    runs: bool,
    known: &[String],
) -> Check {
    if runs && matches!(err, annabella_devices::voice::VoiceError::Busy { .. }) {
        return Check::good(name, format!("'{wanted}', in use while the service runs"));
    }
    let check = Check::bad(name, without_advice(err)).of_device();
    if wanted == "default" || known.is_empty() {
        check.mend("aplay -l lists what there is")
    } else {
        check.mend(format!("name one of these in [speech]: {}", known.join(", ")))
    }
}

/// A device's own advice is to call the doctor.
#[cfg(feature = "sound")]
fn without_advice(err: &annabella_devices::voice::VoiceError) -> String {
    let reason = err.to_string();
    reason.split("; `annabella doctor`").next().unwrap_or(&reason).to_owned()
}

/// Whether the hall takes this board's rows, where there is one.
pub(super) fn joins(config: &Config) -> Option<Check> {
    let call = hall::WireCall::of(config)?;
    Some(match hall::look(&beside::HALL.path(), &call) {
        Ok(found) => Check::good("hall", found),
        // Without it the board plays on, and its rows follow.
        Err(why) => Check::poor("hall", why),
    })
}

/// `seconds`: how long the microphone is listened to; `None` while the service does.
#[cfg(not(all(feature = "speech", feature = "sound")))]
pub(super) fn hears(_: &Config, _: Option<u64>) -> Vec<Check> {
    vec![Check::bad("hearing", "this program was built without the feature `speech`")]
}

/// `seconds`: how long the microphone is listened to; `None` while the service does.
#[cfg(all(feature = "speech", feature = "sound"))]
pub(super) fn hears(config: &Config, seconds: Option<u64>) -> Vec<Check> {
    use annabella_devices::voice::recognizer::library;

    let speech = &config.speech;
    if speech.listen == crate::config::Listen::Off {
        return vec![Check::poor("hearing", "off: [speech] listen")];
    }
    let mut checks = Vec::new();
    match library::open() {
        Ok(path) => {
            checks.push(Check::good("libvosk", path.display().to_string()));
            checks.push(model(speech));
        }
        Err(err) => checks.push(Check::bad("libvosk", err.to_string())),
    }
    match seconds {
        None => checks.push(Check::good("microphone", "the service listens to it")),
        Some(0) => {}
        Some(seconds) => {
            let own = [&speech.input_black, &speech.input_sighted];
            let own = own.into_iter().filter(|input| !input.is_empty());
            checks.extend(
                std::iter::once(&speech.input).chain(own).map(|input| microphone(input, seconds)),
            );
        }
    }
    checks.extend(talk_key(speech));
    if speech.has_key_of_black() {
        checks.extend(talk_key(&speech.of_black()));
    }
    checks
}

/// Which model hears and why, and whether it knows the words of the packs.
#[cfg(all(feature = "speech", feature = "sound"))]
fn model(speech: &SpeechSection) -> Check {
    use annabella_devices::voice::{
        AUTOMATIC_MODEL,
        recognizer::choice::{self, ChosenModel},
    };
    use annabella_words::phrase::Words;
    use std::path::Path;

    let (words, own_packs) = match Words::builtin(&speech.words, &speech.prompts) {
        Ok(words) => (Ok(words), false),
        Err(_) => (Words::builtin("fide", "de"), true),
    };
    let chosen = words.map_err(|err| err.to_string()).and_then(|words| {
        let chosen =
            choice::open(speech.model.as_deref(), &words).map_err(|err| err.to_string())?;
        Ok((chosen, words))
    });
    let (ChosenModel { model, why }, words) = match chosen {
        Ok(chosen) => chosen,
        Err(err) => return Check::bad("model", err),
    };
    let which = format!("{}, {why}", model.path().display());
    if own_packs {
        return Check::good("model", format!("{which}; the packs are your own"));
    }
    let vocabulary = model.vocabulary(&words);
    let missing: Vec<&str> = vocabulary.missing().collect();
    if missing.is_empty() {
        let mut told = format!("{which}; it knows every word");
        let chosen =
            speech.model.as_deref().is_none_or(|named| named == Path::new(AUTOMATIC_MODEL));
        if chosen && choice::official().is_none() {
            told.push_str(&format!("; {}", choice::WHY_OFFICIAL));
        }
        return Check::good("model", told);
    }
    Check::poor("model", format!("{which}; it does not know: {}", missing.join(", ")))
        .mend("annabella words add WORD \"p h o n e s\" teaches the built-in model")
}

#[cfg(all(feature = "speech", feature = "sound"))]
fn microphone(name: &str, seconds: u64) -> Check {
    use std::time::{Duration, Instant};

    use super::Health;
    use crate::service::streams::complain;
    use annabella_devices::voice::{
        capture::{Capture, CaptureEvent},
        meter::{Judgement, Meter},
        mic::Microphone,
    };

    complain(&super::in_own_language(format!("listening for {seconds} s, say something")));
    let mut microphone = Microphone::new(name);
    let mut meter: Option<Meter> = None;
    let until = Instant::now() + Duration::from_secs(seconds);
    while Instant::now() < until {
        match microphone.next(Duration::from_millis(100)) {
            Some(CaptureEvent::Samples(chunk)) => {
                let meter = meter.get_or_insert_with(|| Meter::new(chunk.rate_hz));
                meter.feed(&chunk.samples);
            }
            Some(CaptureEvent::Lost { error }) => {
                return Check::bad("microphone", without_advice(&error))
                    .of_device()
                    .mend("plug in a microphone; arecord -l lists those there are");
            }
            _ => {}
        }
    }
    let Some(meter) = meter else {
        return Check::bad("microphone", format!("'{name}' gives no sound"))
            .of_device()
            .mend("arecord -l lists those there are: name one in [speech] input");
    };
    let health = match meter.levels().judgement {
        Judgement::Good => Health::Good,
        Judgement::Silent => Health::Bad,
        _ => Health::Poor,
    };
    let check = Check::new("microphone", health, meter.plain()).of_device();
    match health {
        Health::Good => check,
        _ => check.mend("annabella listen --mic shows the level; alsamixer (F4) changes it"),
    }
}

#[cfg(all(feature = "speech", feature = "sound"))]
fn talk_key(speech: &SpeechSection) -> Option<Check> {
    use annabella_devices::voice::keys::{key_code, keyboards};

    let device = speech.keyboard()?;
    let code = match key_code(&speech.talk_key) {
        Ok(code) => code,
        Err(err) => return Some(Check::bad("talk key", err)),
    };
    let keyboards = keyboards(code);
    Some(match device {
        "any" => match keyboards.first() {
            Some((path, name)) => Check::good("talk key", format!("{name}, {}", path.display())),
            None => Check::bad("talk key", "no keyboard here has this key").of_device(),
        },
        path => match std::fs::File::open(path) {
            Ok(_) => Check::good("talk key", path.to_owned()),
            Err(err) => Check::bad("talk key", format!("cannot read {path}: {err}"))
                .mend("sudo usermod -aG input $USER, then log out and in again")
                .of_device(),
        },
    })
}

#[cfg(all(test, feature = "sound"))]
mod tests {
    use super::*;
    use annabella_devices::voice::VoiceError;

    #[test]
    fn a_loudspeaker_that_the_service_has_is_no_fault() {
        let err = VoiceError::Busy { name: "hall".to_owned() };
        let known = ["hall".to_owned(), "ear".to_owned()];
        let with = |runs| unsound("loudspeaker", "hall", &err, runs, &known).lines();
        assert_eq!(with(true), "loudspeaker   good  'hall', in use while the service runs");
        assert_eq!(
            with(false),
            "loudspeaker   BAD   sound device 'hall' is in use by another program: end that, or choose another device\n\
             \x20             do    name one of these in [speech]: hall, ear"
        );
        let gone = VoiceError::Device { name: "hall".to_owned(), reason: "gone".to_owned() };
        let told = unsound("loudspeaker", "hall", &gone, true, &[]).lines();
        assert!(told.starts_with("loudspeaker   BAD"), "{told}");
    }
}
