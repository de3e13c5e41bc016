//! Which model hears: the one that is named, or of those that are here the one likelier to hear
//! people well.
//!
//! The built-in model was trained on synthetic voices and few people, the official German one on
//! many people, with many more hours and words. So where somebody has installed that one (`make
//! model-de`), it hears, unless it lacks a word of the moves or the machine is too small for it.
//! Which one hears a certain player better is measured on that player's recordings: `annabella
//! measure RECORDINGS --compare --choose CONFIG`.

use std::{
    env, fs,
    path::{Path, PathBuf},
};

use super::{
    Model, RecognizerError,
    trusted::{around, of_cargo},
};
use crate::voice::{AUTOMATIC_MODEL, BUILT_IN_MODEL, OFFICIAL_MODEL};
use annabella_words::phrase::Words;

/// Less memory, in MB, is kept for the service: the official model is said to take 200 to 300,
/// which nobody measured here.
const LEAST_MEMORY_MB: u64 = 900;

const NAMED: &str = "named in [speech] model";

/// A model and why it is this one.
#[derive(Clone, Debug)]
pub struct ChosenModel {
    pub model: Model,
    /// The reason as part of a sentence: "automatic: no official German model is installed".
    pub why: String,
}

/// Opens the model that the configuration names, or chooses one.
///
/// # Errors
/// When the one that is named, or the built-in one, is missing or broken.
pub fn open(configured: Option<&Path>, words: &Words) -> Result<ChosenModel, RecognizerError> {
    let named = configured.map(|path| path.to_str().unwrap_or_default());
    let path = match named {
        None | Some(AUTOMATIC_MODEL) => return automatic(words, memory_mb()),
        Some(BUILT_IN_MODEL) => {
            return Ok(ChosenModel { model: Model::open_built_in()?, why: NAMED.to_owned() });
        }
        Some(OFFICIAL_MODEL) => official().ok_or_else(no_official)?,
        Some(_) => configured.map(Path::to_owned).unwrap_or_default(),
    };
    Ok(ChosenModel { model: Model::open(&path)?, why: NAMED.to_owned() })
}

fn automatic(words: &Words, memory_mb: Option<u64>) -> Result<ChosenModel, RecognizerError> {
    let against = match official() {
        None => "no official German model is installed".to_owned(),
        Some(path) => match Model::open(&path) {
            Err(err @ RecognizerError::Library(_)) => return Err(err),
            Err(err) => err.to_string(),
            Ok(model) => match unfit(&model.missing_of_moves(words), memory_mb) {
                None => {
                    let why = "automatic: an official German model is installed".to_owned();
                    return Ok(ChosenModel { model, why });
                }
                Some(reason) => reason,
            },
        },
    };
    Ok(ChosenModel { model: Model::open_built_in()?, why: format!("automatic: {against}") })
}

/// Why an official model is not taken by itself.
fn unfit(missing: &[String], memory_mb: Option<u64>) -> Option<String> {
    if !missing.is_empty() {
        return Some(format!("the official model does not know {}", missing.join(", ")));
    }
    let memory = memory_mb.filter(|memory| *memory < LEAST_MEMORY_MB)?;
    Some(format!("the official model is too large for {memory} MB of memory"))
}

impl Model {
    /// The words of moves that the model knows in no spelling.
    fn missing_of_moves(&self, words: &Words) -> Vec<String> {
        let of_moves: Vec<String> = annabella_words::phrase::hear::move_loop(words);
        let vocabulary = self.vocabulary(words);
        vocabulary.missing().map(str::to_owned).filter(|word| of_moves.contains(word)).collect()
    }
}

/// The folder of the built-in model: in the program's checkout, beside the program, in the user's
/// and the system's folders, around the crate that Cargo runs. Never the working folder, in which
/// anybody may have put something.
///
/// # Errors
/// When there is none, with the remedy.
pub fn built_in() -> Result<PathBuf, RecognizerError> {
    find("voices/model", "model").ok_or_else(|| RecognizerError::NoModel {
        path: "share/annabella/model".to_owned(),
        remedy: "`make install` puts the built-in one there; or name a folder with [speech] model"
            .to_owned(),
    })
}

/// The folder of an official German model, if one is installed: `.cache/models/de` of the checkout,
/// or `share/annabella/model-de` of the user or the system.
pub fn official() -> Option<PathBuf> {
    find(".cache/models/de", "model-de")
}

/// Whether an official model would hear here if it were installed, and is not.
pub fn lacks_official() -> bool {
    official().is_none() && unfit(&[], memory_mb()).is_none()
}

/// Why an official model is worth a download, and how one gets it: in a checkout, and where only
/// the program is installed. Size and checksum are those of `scripts/fetch-model.sh`, which both
/// run.
pub const WHY_OFFICIAL: &str = "the official German one was trained on many people: `annabella setup` offers it where a \
    network is there, `make model-de` and `make install` put it there, and so does `sudo \
    /usr/lib/annabella/fetch-model` of the package (45 MB, sha256 \
    06f6dea4618df4d825ec06b564e55d4670eb6d8718e48c9ca90cac74d40b5ed9)";

/// The remedy where it is wanted and missing.
pub fn no_official() -> RecognizerError {
    RecognizerError::NoModel {
        path: "share/annabella/model-de".to_owned(),
        remedy: "`make model-de` fetches the official German one; or leave [speech] model out"
            .to_owned(),
    }
}

/// The first folder with a model: in a checkout around the program, in one for shared files, in
/// Cargo's checkout.
fn find(in_checkout: &str, shared: &str) -> Option<PathBuf> {
    let mut places = Vec::new();
    let program = env::current_exe().and_then(|path| path.canonicalize()).ok();
    // A program in a checkout takes the checkout's, whatever is installed besides.
    let folders = program.as_deref().map(around).unwrap_or_default();
    places.extend(folders.iter().map(|folder| folder.join(in_checkout)));
    let shared = Path::new("share/annabella").join(shared);
    if let Some(folder) = program.as_deref().and_then(Path::parent) {
        places.push(folder.join("..").join(&shared));
    }
    if let Some(home) = env::var_os("HOME") {
        places.push(Path::new(&home).join(".local").join(&shared));
    }
    places.push(Path::new("/usr/local").join(&shared));
    places.push(Path::new("/usr").join(&shared));
    places.extend(of_cargo().iter().map(|folder| folder.join(in_checkout)));
    places.into_iter().find(|place| place.join("am/final.mdl").is_file())
}

/// This machine's memory; `None` if the kernel does not say.
fn memory_mb() -> Option<u64> {
    let told = fs::read_to_string("/proc/meminfo").ok()?;
    let line = told.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kb: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kb / 1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_official_model_hears_unless_it_lacks_words_of_moves_or_memory() {
        assert_eq!(unfit(&[], Some(900)), None);
        assert_eq!(unfit(&[], None), None);
        assert_eq!(
            unfit(&[], Some(427)),
            Some("the official model is too large for 427 MB of memory".to_owned())
        );
        let missing = ["gustav".to_owned(), "hector".to_owned()];
        assert_eq!(
            unfit(&missing, Some(4000)),
            Some("the official model does not know gustav, hector".to_owned())
        );
    }
}
