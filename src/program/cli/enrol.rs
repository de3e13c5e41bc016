//! `annabella enrol` learns a player's voice, by ear alone. It speaks sentences, the player repeats
//! them, and the settings that help to understand the player are written into the configuration.

// Without ears there is nothing to learn from.
#![cfg_attr(not(feature = "speech"), allow(dead_code, unused_imports))]

#[cfg(all(feature = "speech", feature = "sound"))]
mod recording;
#[cfg(feature = "speech")]
pub mod trying;

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use toml_edit::Value;

use super::{
    Exit, Failure,
    recordings::{self, COLUMNS, LIST},
    rewrite,
    tell::{Teller, words_of},
};
use crate::{config::Config, service::streams::complain};
use annabella_core::{
    enrol::{Fitted, Sentence, WordSounds, plan},
    game::{Blind, write_fen},
};
use annabella_devices::voice::Pcm;
use annabella_records::whole;
use annabella_words::phrase::{Prompt, Slot, Utterance, Words, hear::Thresholds};

/// With fewer there is nothing to learn.
const FEWEST: usize = 10;
/// A list of more weak words than this helps nobody.
const NAMED: usize = 5;

/// Learns a player's voice from some thirty sentences, by ear alone.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Say \"wiederhole\" or \"abbrechen\", or type: Enter next, r repeat, b back, q end."
)]
pub struct EnrolArgs {
    /// Configuration; settings that help are written into it. The old file is kept beside it as
    /// .bak.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder for what is learnt; beside the journal if not given.
    #[arg(long, value_name = "DIR")]
    pub profile: Option<PathBuf>,
    /// Recordings made before (a folder with corpus.tsv) instead of the microphone.
    #[arg(long, value_name = "DIR")]
    pub from: Option<PathBuf>,
    /// How many sentences.
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u16).range(10..=200))]
    pub sentences: u16,
    /// The player's name in the list of recordings.
    #[arg(long, value_name = "NAME", default_value = "player")]
    pub player: String,
    /// Whose voice it is, where two blind players play each other. What Black mistakes is written
    /// apart, as `[speech] confusions_black`; the model and `[hearing]` are White's, or both's.
    #[arg(long, value_name = "COLOUR", default_value = "white")]
    pub seat: Seat,
    /// Write nothing, keep nothing.
    #[arg(long)]
    pub dry_run: bool,
    /// Every line as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Who of two blind players speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Seat {
    /// White, or the only one.
    White,
    /// Black.
    Black,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the configuration or a recording is wrong, or nothing can be heard.
pub fn run(args: &EnrolArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (config, path) = super::configuration(args.config.as_deref())?;
    if args.seat == Seat::Black && path.is_some() && config.game.blind != Blind::Both {
        return Err(Failure::usage(
            "--seat black: [game] blind names one player, whose voice needs no --seat: leave it out, or \
             write blind = \"both\"",
        ));
    }
    #[cfg(feature = "speech")]
    return with_ears(args, &config, path.as_deref(), out);
    #[cfg(not(feature = "speech"))]
    {
        let _ = (config, out);
        Err(Failure::device("this program was built without the feature `speech`"))
    }
}

/// The model to fit: one of our own, whose pronunciations can be changed.
#[cfg(feature = "speech")]
pub fn to_fit(config: &Config) -> Result<PathBuf, Failure> {
    use annabella_devices::voice::{
        AUTOMATIC_MODEL, BUILT_IN_MODEL, OFFICIAL_MODEL,
        recognizer::choice::{built_in, official},
    };

    let named = config.speech.model.as_deref().unwrap_or(Path::new(AUTOMATIC_MODEL));
    match named.to_str() {
        Some(OFFICIAL_MODEL) => Err(Failure::usage(format!(
            "[speech] model names an official model, whose pronunciations cannot be fitted: \
             write \"{BUILT_IN_MODEL}\" there"
        ))),
        Some(AUTOMATIC_MODEL) => {
            if official().is_some() {
                complain(
                    "an official German model is installed, too; the built-in one is fitted. Afterwards \
                     `annabella measure RECORDINGS --compare` tells which hears you better",
                );
            }
            Ok(built_in()?)
        }
        Some(BUILT_IN_MODEL) => Ok(built_in()?),
        _ => Ok(named.to_owned()),
    }
}

/// The recording of each sentence.
pub type Recordings = Vec<Option<Pcm>>;

#[cfg(feature = "speech")]
fn with_ears(
    args: &EnrolArgs,
    config: &Config,
    path: Option<&Path>,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let words = words_of(config)?;
    let mut teller = Teller::open(out, args.json, config, &words);
    let model = to_fit(config)?;
    let lexicon = super::words::read_model(&model)?;
    let asked = match &args.from {
        Some(folder) => {
            let (sentences, recordings) = trying::read(folder, &words)?;
            Asked { sentences, recordings, ask: None }
        }
        None => by_ear(args, config, &words, &model, &mut teller)?,
    };
    let Asked { sentences, recordings, mut ask } = asked;
    let recorded: Vec<usize> =
        recordings.iter().enumerate().filter(|(_, pcm)| pcm.is_some()).map(|(n, _)| n).collect();
    if recorded.len() < FEWEST {
        let n = Slot::count(recorded.len());
        teller.tell(&[words.prompt(Prompt::EnrolTooLittle, &[n])])?;
        teller.finish();
        return Ok(Exit::Problem);
    }
    teller.tell(&[words.prompt(Prompt::EnrolWorking, &[])])?;
    let mut ears = trying::TrialEars::open(&model, &lexicon, &words, &sentences, &recordings)?;
    let fitted = annabella_core::enrol::fit(&words, &sentences, &recorded, &lexicon, &mut ears)?;
    drop(ears);
    teller.tell(&told(&words, &fitted))?;
    if args.json {
        writeln!(teller.out, "{}", json(&fitted))?;
    }
    if args.dry_run {
        teller.finish();
        return Ok(Exit::Done);
    }
    let profile = args.profile.clone().unwrap_or_else(|| match args.seat {
        Seat::White => beside_journal(config),
        Seat::Black => beside_journal(config).join("black"),
    });
    let helps = match args.seat {
        Seat::White => fitted.helps(),
        // Both are heard by one model: what is his own is what he mistakes.
        Seat::Black => !fitted.confusions.is_empty(),
    };
    if helps {
        let sections = match args.seat {
            Seat::White => keep(&profile, &model, &lexicon, &fitted)?,
            Seat::Black => {
                vec![("speech", vec![kept_confusions(&profile, "confusions_black", &fitted)?])]
            }
        };
        match path {
            Some(path) => {
                rewrite::write(path, sections)?;
                teller.tell(&[words.prompt(Prompt::TestWritten, &[])])?;
            }
            None => {
                let text = rewrite::set("", sections).map_err(Failure::Usage)?;
                writeln!(teller.out, "{}", text.trim_end())?;
            }
        }
    }
    if let Some(ask) = &mut ask {
        teller.tell(&[words.prompt(Prompt::EnrolKeep, &[])])?;
        let answer = if ask(&teller) {
            keep_recordings(&profile, &args.player, &sentences, &recordings)?;
            Prompt::EnrolKept
        } else {
            Prompt::EnrolDeleted
        };
        teller.tell(&[words.prompt(answer, &[])])?;
    }
    teller.finish();
    Ok(Exit::Done)
}

/// Waits for the answer to the question just spoken; true for yes.
#[cfg(feature = "speech")]
type Question = Box<dyn FnMut(&Teller<'_>) -> bool>;

/// The sentences, their recordings, and a way to ask for a yes. Nobody is asked about files.
#[cfg(feature = "speech")]
struct Asked {
    sentences: Vec<Sentence>,
    recordings: Recordings,
    ask: Option<Question>,
}

#[cfg(all(feature = "speech", feature = "sound"))]
fn by_ear(
    args: &EnrolArgs,
    config: &Config,
    words: &Words,
    model: &Path,
    teller: &mut Teller<'_>,
) -> Result<Asked, Failure> {
    let sentences = plan(words, &recordings::positions()?, args.sentences.into());
    let model = annabella_devices::voice::recognizer::Model::open(model)?;
    let mut room = super::room::Room::open(config, words, model, teller);
    let recordings = recording::record(&room, &sentences, teller)?;
    Ok(Asked { sentences, recordings, ask: Some(Box::new(move |teller| room.yes(teller))) })
}

#[cfg(all(feature = "speech", not(feature = "sound")))]
fn by_ear(
    _: &EnrolArgs,
    _: &Config,
    _: &Words,
    _: &Path,
    _: &mut Teller<'_>,
) -> Result<Asked, Failure> {
    Err(Failure::device("this program was built without the feature `sound`: use --from"))
}

/// The result in words.
fn told(words: &Words, fitted: &Fitted) -> Vec<Utterance> {
    let (before, after) = (fitted.before, fitted.after);
    let mut lines = vec![words.prompt(
        Prompt::EnrolResult,
        &[Slot::count(before.all()), Slot::count(before.right), Slot::count(after.right)],
    )];
    if !fitted.helps() {
        lines.push(words.prompt(Prompt::EnrolNoHelp, &[]));
    }
    if !fitted.weak.is_empty() {
        let weak: Vec<&str> = fitted.weak.iter().map(String::as_str).take(NAMED).collect();
        let weak = weak.join(", ");
        lines.push(words.prompt(Prompt::EnrolWeak, &[Slot::Text(&weak)]));
    }
    lines
}

fn json(fitted: &Fitted) -> serde_json::Value {
    let score = |score: annabella_core::enrol::Score| {
        serde_json::json!({
            "right": score.right, "asked": score.asked, "asked_about_another": score.asked_other,
            "again": score.again, "wrong": score.wrong,
        })
    };
    let sounds: serde_json::Map<String, serde_json::Value> = fitted
        .sounds
        .iter()
        .map(|(word, all)| {
            let all: Vec<String> = all.iter().map(ToString::to_string).collect();
            (word.clone(), all.into())
        })
        .collect();
    serde_json::json!({
        "sentences": fitted.before.all(),
        "before": score(fitted.before),
        "after": score(fitted.after),
        "helps": fitted.helps(),
        "pronunciations": sounds,
        "confusions": fitted.confusions.len(),
        "weak": fitted.weak,
    })
}

fn beside_journal(config: &Config) -> PathBuf {
    config.journal.path.parent().unwrap_or(Path::new("")).join("enrolment")
}

fn cannot(path: &Path, err: &std::io::Error) -> Failure {
    Failure::device(format!("cannot write {}: {err}; is the folder writable?", path.display()))
}

/// Writes what a player mistakes into the profile's folder; the key that names it.
#[cfg(feature = "speech")]
fn kept_confusions(
    profile: &Path,
    key: &'static str,
    fitted: &Fitted,
) -> Result<(&'static str, Value), Failure> {
    std::fs::create_dir_all(profile).map_err(|err| cannot(profile, &err))?;
    // Whoever starts the service may do so from another folder.
    let profile = profile.canonicalize().map_err(|err| cannot(profile, &err))?;
    let confusions = profile.join("confusions.toml");
    whole::write(&confusions, fitted.confusions.to_toml(), None)
        .map_err(|err| cannot(&confusions, &err))?;
    Ok((key, Value::from(confusions.display().to_string())))
}

/// Writes what helps into the profile's folder; the keys that name it.
#[cfg(feature = "speech")]
fn keep(
    profile: &Path,
    model: &Path,
    lexicon: &annabella_words::speech_model::Lexicon,
    fitted: &Fitted,
) -> Result<Vec<rewrite::ConfigSection<'static>>, Failure> {
    let mut speech = vec![kept_confusions(profile, "confusions", fitted)?];
    let profile = profile.canonicalize().map_err(|err| cannot(profile, &err))?;
    let shown = |path: &Path| Value::from(path.display().to_string());
    if !fitted.sounds.is_empty() {
        let folder = profile.join("model");
        super::words::write_model(model, &folder, &with(lexicon, &fitted.sounds)?.files())?;
        speech.push(("model", shown(&folder)));
    }
    let mut sections = vec![("speech", speech)];
    let (usual, fitted) = (Thresholds::default(), fitted.thresholds);
    let hearing: Vec<(&str, Value)> = [
        ("accept_confidence", usual.accept_confidence, fitted.accept_confidence),
        ("loop_distance", usual.loop_distance, fitted.loop_distance),
        ("loop_contradiction", usual.loop_contradiction, fitted.loop_contradiction),
        ("comparison_confidence", usual.comparison_confidence, fitted.comparison_confidence),
    ]
    .into_iter()
    .filter(|(_, usual, fitted)| usual != fitted)
    .map(|(key, _, fitted)| (key, Value::from(fitted)))
    .collect();
    if !hearing.is_empty() {
        sections.push(("hearing", hearing));
    }
    Ok(sections)
}

/// The model's words with other pronunciations; all spellings of a word that sound alike go with
/// it.
#[cfg(feature = "speech")]
fn with(
    lexicon: &annabella_words::speech_model::Lexicon,
    sounds: &WordSounds,
) -> Result<annabella_words::speech_model::Lexicon, Failure> {
    let mut other = lexicon.clone();
    for (word, all) in sounds {
        let Some(usual) = lexicon.get(word) else { continue };
        let alike: Vec<&str> = lexicon
            .words()
            .filter(|spoken| spoken.pronunciations().eq(usual.pronunciations()))
            .map(annabella_words::speech_model::SpokenWord::word)
            .collect();
        for spelling in alike {
            other.set(spelling, all).map_err(Failure::usage)?;
        }
    }
    Ok(other)
}

/// Writes the recordings as `annabella measure` reads them and `make model` can use them.
fn keep_recordings(
    profile: &Path,
    player: &str,
    sentences: &[Sentence],
    recordings: &Recordings,
) -> Result<(), Failure> {
    let folder = profile.join("recordings");
    std::fs::create_dir_all(&folder).map_err(|err| cannot(&folder, &err))?;
    let player = player.replace(['\t', '\n', '\r'], " ");
    let mut list = String::from(COLUMNS);
    for (n, (sentence, recording)) in sentences.iter().zip(recordings).enumerate() {
        let Some(recording) = recording else { continue };
        let name = format!("{n:03}.wav");
        recording.write_wav(&folder.join(&name)).map_err(Failure::device)?;
        let kind = match sentence.meaning {
            annabella_core::enrol::Meaning::Move(_) => "move",
            annabella_core::enrol::Meaning::Request(_) => "request",
        };
        list.push_str(&format!(
            "{name}\t{player}\tenrolment\t{kind}\t{}\t{}\t{}\n",
            write_fen(&sentence.pos),
            sentence.meant(),
            sentence.text
        ));
    }
    let path = folder.join(LIST);
    whole::write(&path, list, None).map_err(|err| cannot(&path, &err))
}

#[cfg(all(test, feature = "speech"))]
mod tests {
    use super::*;
    use annabella_core::enrol::Score;
    use annabella_words::phrase::hear::Confusions;

    #[test]
    fn what_black_mistakes_is_named_apart() {
        let folder = tempfile::tempdir().expect("a folder");
        let fitted = Fitted {
            before: Score::default(),
            after: Score::default(),
            sounds: WordSounds::new(),
            confusions: Confusions::default(),
            thresholds: Thresholds::default(),
            weak: Vec::new(),
        };
        let profile = folder.path().join("black");
        std::fs::create_dir(&profile).expect("a folder");
        let before = folder.path().join("before");
        std::fs::write(&before, "learnt before").expect("written");
        std::fs::hard_link(&before, profile.join("confusions.toml")).expect("a link");
        let (key, value) =
            kept_confusions(&profile, "confusions_black", &fitted).expect("writable");
        assert_eq!(key, "confusions_black");
        let path = PathBuf::from(value.as_str().expect("a path"));
        assert!(path.is_absolute() && path.ends_with("black/confusions.toml"), "{path:?}");
        let text = std::fs::read_to_string(path).expect("there");
        assert_eq!(text, fitted.confusions.to_toml());
        // The configuration names it: it is never there by half.
        assert_eq!(std::fs::read_to_string(before).expect("there"), "learnt before");
    }
}
