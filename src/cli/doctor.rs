//! `annabella doctor`: whether this machine can hear and speak, and what to do about what cannot.

use std::{io::Write, path::PathBuf};

use serde_json::json;

use super::{Exit, Failure};
use crate::{
    config::{Config, Engine, SpeechSection},
    voice::espeak::Espeak,
};

/// Checks what hears and what speaks, and says what to do about each.
#[derive(Debug, clap::Args)]
pub struct DoctorArgs {
    /// Configuration; without one every key has its default.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Listen to the microphone for so many seconds: speak meanwhile. 0 leaves it out.
    #[arg(long, value_name = "N", default_value_t = 4)]
    pub seconds: u64,
    /// One JSON line a check.
    #[arg(long)]
    pub json: bool,
}

/// How a check ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Health {
    Good,
    /// It works, but not as it could.
    Poor,
    Bad,
}

impl Health {
    fn word(self) -> &'static str {
        match self {
            Health::Good => "good",
            Health::Poor => "poor",
            Health::Bad => "BAD",
        }
    }
}

struct Check {
    name: &'static str,
    health: Health,
    found: String,
}

impl Check {
    fn new(name: &'static str, health: Health, found: impl Into<String>) -> Check {
        Check { name, health, found: found.into() }
    }
}

/// Runs the command. Ends with a problem if anything is bad.
///
/// # Errors
///
/// [`Failure`] when the configuration is wrong.
pub fn run(args: &DoctorArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let config = match &args.config {
        Some(path) => Config::load(path).map_err(|err| Failure::usage(err.to_string()))?,
        None => Config::default(),
    };
    let mut exit = Exit::Done;
    let mut tell = |check: Check| -> Result<(), Failure> {
        if check.health == Health::Bad {
            exit = Exit::Problem;
        }
        if args.json {
            let health = check.health.word().to_lowercase();
            let line = json!({ "check": check.name, "health": health, "found": check.found });
            writeln!(out, "{line}")?;
        } else {
            writeln!(out, "{:<12} {:<5} {}", check.name, check.health.word(), check.found)?;
        }
        Ok(out.flush()?)
    };
    for check in speaks(&config.speech) {
        tell(check)?;
    }
    for check in hears(&config, args) {
        tell(check)?;
    }
    Ok(exit)
}

fn speaks(speech: &SpeechSection) -> Vec<Check> {
    let mut checks = Vec::new();
    match speech.engine {
        Engine::Espeak => checks.push(match Espeak::new() {
            Ok(_) => Check::new("voice", Health::Good, "espeak-ng"),
            Err(err) => Check::new("voice", Health::Bad, err.to_string()),
        }),
        Engine::System => checks.push(Check::new("voice", Health::Good, "speech-dispatcher")),
        Engine::None => checks.push(Check::new("voice", Health::Poor, "off: [speech] engine")),
    }
    #[cfg(feature = "sound")]
    {
        for (name, wanted) in [("loudspeaker", &speech.public), ("earphone", &speech.private)] {
            checks.push(match (wanted.as_str(), crate::voice::speaker::check(wanted)) {
                ("none", _) => Check::new(name, Health::Poor, "off"),
                (_, Ok(())) => Check::new(name, Health::Good, format!("'{wanted}'")),
                (_, Err(err)) => {
                    let known = crate::voice::speaker::output_devices().join(", ");
                    let known = if known.is_empty() { "none".to_owned() } else { known };
                    Check::new(name, Health::Bad, format!("{err}: {known}"))
                }
            });
        }
        if speech.public == speech.private && speech.public != "none" {
            checks.push(Check::new(
                "earphone",
                Health::Poor,
                "is the loudspeaker: everybody hears what is for the player alone, and while it speaks only the \
                 talk key can stop it; set [speech] private",
            ));
        }
    }
    checks
}

#[cfg(not(all(feature = "speech", feature = "sound")))]
fn hears(_: &Config, _: &DoctorArgs) -> Vec<Check> {
    vec![Check::new("hearing", Health::Bad, "this program was built without the feature `speech`")]
}

#[cfg(all(feature = "speech", feature = "sound"))]
fn hears(config: &Config, args: &DoctorArgs) -> Vec<Check> {
    use crate::voice::recognizer::{Model, library, model_path};

    let speech = &config.speech;
    if speech.listen == crate::config::Listen::Off {
        return vec![Check::new("hearing", Health::Poor, "off: [speech] listen")];
    }
    let mut checks = Vec::new();
    match library::open() {
        Ok(path) => {
            checks.push(Check::new("libvosk", Health::Good, path.display().to_string()));
            let model = model_path(speech.model.as_deref()).and_then(|path| Model::open(&path));
            checks.push(match model {
                Ok(model) => fits(&model, speech),
                Err(err) => Check::new("model", Health::Bad, err.to_string()),
            });
        }
        Err(err) => checks.push(Check::new("libvosk", Health::Bad, err.to_string())),
    }
    if args.seconds > 0 {
        checks.push(microphone(&speech.input, args.seconds));
    }
    checks.extend(talk_key(speech));
    checks
}

/// Whether the model knows the words of the packs.
#[cfg(all(feature = "speech", feature = "sound"))]
fn fits(model: &crate::voice::recognizer::Model, speech: &SpeechSection) -> Check {
    let path = model.path().display();
    let Ok(words) = crate::phrase::Words::builtin(&speech.words, &speech.prompts) else {
        return Check::new("model", Health::Good, format!("{path}; the packs are your own"));
    };
    let vocabulary = model.vocabulary(&words);
    let missing: Vec<&str> = vocabulary.missing().collect();
    if missing.is_empty() {
        return Check::new("model", Health::Good, format!("{path}; it knows every word"));
    }
    Check::new(
        "model",
        Health::Poor,
        format!(
            "{path}; it does not know: {}; `annabella words add` teaches the built-in model",
            missing.join(", ")
        ),
    )
}

#[cfg(all(feature = "speech", feature = "sound"))]
fn microphone(name: &str, seconds: u64) -> Check {
    use std::time::{Duration, Instant};

    use crate::voice::{
        capture::{Capture, CaptureEvent},
        meter::{Judgement, Meter},
        mic::Microphone,
    };

    eprintln!("annabella: listening for {seconds} s, say something");
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
                return Check::new("microphone", Health::Bad, error.to_string());
            }
            _ => {}
        }
    }
    let Some(meter) = meter else {
        return Check::new("microphone", Health::Bad, format!("'{name}' gives no sound"));
    };
    let health = match meter.levels().judgement {
        Judgement::Good => Health::Good,
        Judgement::Silent => Health::Bad,
        _ => Health::Poor,
    };
    Check::new("microphone", health, meter.plain())
}

#[cfg(all(feature = "speech", feature = "sound"))]
fn talk_key(speech: &SpeechSection) -> Option<Check> {
    use crate::voice::keys::{key_code, keyboards};

    let device = speech.keyboard()?;
    let code = match key_code(&speech.talk_key) {
        Ok(code) => code,
        Err(err) => return Some(Check::new("talk key", Health::Bad, err)),
    };
    let keyboards = keyboards(code);
    Some(match device {
        "any" => match keyboards.first() {
            Some((path, name)) => {
                Check::new("talk key", Health::Good, format!("{name}, {}", path.display()))
            }
            None => Check::new("talk key", Health::Bad, "no keyboard here has this key"),
        },
        path => match std::fs::File::open(path) {
            Ok(_) => Check::new("talk key", Health::Good, path.to_owned()),
            Err(err) => Check::new(
                "talk key",
                Health::Bad,
                format!(
                    "cannot read {path}: {err}; add this user to the group input: sudo usermod -aG input $USER"
                ),
            ),
        },
    })
}
