//! `annabella donate`: somebody gives his voice, alone and by ear. Nothing is sent: it makes a
//! folder, and one file of it.

// Without ears nobody is recorded.
#![cfg_attr(not(all(feature = "speech", feature = "sound")), allow(dead_code, unused_imports))]

mod check;
pub mod folder;
pub mod list;
#[cfg(all(feature = "speech", feature = "sound"))]
mod session;

use std::{
    hash::{BuildHasher, RandomState},
    io::Write,
    path::{Path, PathBuf},
};

use self::folder::Folder;
use super::{
    Exit, Failure,
    tell::{Teller, typed, words_of},
};
use crate::config::Config;
use annabella_core::donate::is_name;
use annabella_words::phrase::{Command, Prompt};

/// Where the folders of people are, in the home of whoever calls.
const BASE: &str = "annabella-voices";
/// The first part of a name: stars, which every language can say.
const STARS: [&str; 20] = [
    "adara",
    "alcor",
    "algol",
    "altair",
    "atria",
    "bellatrix",
    "capella",
    "deneb",
    "diadem",
    "electra",
    "maia",
    "mira",
    "mizar",
    "polaris",
    "pollux",
    "rigel",
    "sabik",
    "shaula",
    "sirius",
    "vega",
];
/// So many names are offered, one after the other.
const NAMES: usize = 12;

/// Records some 160 words and sentences of chess, so that speech models can learn from your voice.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Say it as you are told, or type: Enter leaves out, r repeat, b back, p pause, q end, d delete everything."
)]
pub struct DonateArgs {
    /// Configuration: languages, microphone, voice.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Folder in which each person gets a folder; annabella-voices in your home if not given.
    #[arg(long, value_name = "DIR")]
    pub folder: Option<PathBuf>,
    /// The name in the list, made of small letters, digits and hyphens: a new one, or one that goes
    /// on. If not given, one is offered.
    #[arg(long, value_name = "NAME")]
    pub speaker: Option<String>,
    /// Delete a person's folder and its archive.
    #[arg(long, conflicts_with = "check")]
    pub delete: bool,
    /// Check a person's folder, or a folder of such folders: files, format, levels, and what is
    /// heard in them.
    #[arg(long, value_name = "DIR")]
    pub check: Option<PathBuf>,
    /// Every line as JSON.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command. A folder with faults is a problem.
///
/// # Errors
/// [`Failure`] when the call, the configuration or a folder is wrong, nobody can be heard, or
/// nothing can be written.
pub fn run(args: &DonateArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let (config, _) = super::configuration(args.config.as_deref())?;
    if let Some(folder) = &args.check {
        return check::run(folder, &config, out);
    }
    if let Some(name) = args.speaker.as_ref().filter(|name| !is_name(name)) {
        return Err(Failure::usage(format!(
            "--speaker: '{name}' is no plain name: small letters, digits and hyphens, a letter first, at most 24"
        )));
    }
    let base =
        args.folder.clone().unwrap_or_else(|| std::env::home_dir().unwrap_or_default().join(BASE));
    if args.delete {
        return delete(args, &config, &base, out);
    }
    #[cfg(all(feature = "speech", feature = "sound"))]
    return session::by_ear(args, &config, &base, out);
    #[cfg(not(all(feature = "speech", feature = "sound")))]
    {
        let _ = out;
        Err(Failure::device("this program was built without the features `speech` and `sound`"))
    }
}

/// Deletes the named person's folder, or the only one that is there, after a typed "yes".
fn delete(
    args: &DonateArgs,
    config: &Config,
    base: &Path,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let all = folder::all(base);
    let shown = base.display();
    let named = |path: &&PathBuf| args.speaker.as_ref().is_none_or(|name| path.ends_with(name));
    let mut wanted = all.iter().filter(named);
    let (Some(path), others) = (wanted.next(), wanted.count()) else {
        return Err(Failure::usage(format!(
            "nothing to delete in {shown}: --folder names another"
        )));
    };
    if others > 0 {
        return Err(Failure::usage(format!(
            "{} people are in {shown}: --speaker NAME says whose recordings to delete",
            others + 1
        )));
    }
    let folder = Folder::open(path).map_err(Failure::usage)?;
    let words = words_of(config)?;
    let mut teller = Teller::open(out, args.json, config, &words);
    teller.tell(&[words.label(folder.name()), words.prompt(Prompt::DonateAskDelete, &[])])?;
    let line = typed().recv().unwrap_or_default().to_lowercase();
    let yes = words
        .command_phrases()
        .into_iter()
        .any(|(text, command)| command == Command::Yes && text.to_lowercase() == line.trim());
    let answer = match yes || matches!(line.trim(), "j" | "y") {
        true => {
            folder.delete()?;
            Prompt::DonateDeleted
        }
        false => Prompt::Cancelled,
    };
    teller.tell(&[words.prompt(answer, &[])])?;
    teller.finish();
    Ok(Exit::Done)
}

/// Names that nobody in `taken` has: `vega-4711`.
fn names(taken: &[String]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    // Keys that differ from call to call are random enough: nobody is to be kept from guessing.
    let random = RandomState::new();
    for n in 0_u64.. {
        let number = random.hash_one(n);
        let star = STARS[(number % STARS.len() as u64) as usize];
        let name = format!("{star}-{}", 1000 + number / 1000 % 9000);
        if !taken.contains(&name) && !names.contains(&name) {
            names.push(name);
        }
        if names.len() == NAMES {
            break;
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain_new_and_not_the_same_each_time() {
        let first = names(&[]);
        assert_eq!(first.len(), NAMES);
        assert!(first.iter().all(|name| is_name(name)), "{first:?}");
        let others = names(&first);
        assert!(others.iter().all(|name| !first.contains(name)), "{others:?}");
        assert!(STARS.iter().all(|star| star.len() + 5 <= 24));
    }
}
