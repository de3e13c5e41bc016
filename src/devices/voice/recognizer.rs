//! From samples to words: Vosk, offline.
//!
//! A [`Model`] is a folder as libvosk reads it. A [`Listener`] finds the utterances in a stream of
//! samples and hears each in two passes at once. One uses the phrases that may be said now. The
//! other uses single words in any order, and shows whether the first had to bend the sound. Where
//! they differ, a third pass compares just their readings. An utterance that leaves doubts is heard
//! again at other paces. An announcement without its end waits for its rest, and is heard
//! once more with it. Ranks are heard by a second ear, too, where the model has one. The result is
//! a [`Heard`](annabella_words::phrase::hear::Heard) for [`annabella_words::phrase::hear`].
//!
//! libvosk is opened at run time ([`library`]); without it, or without a model, everything else
//! runs.

mod ahead;
pub mod chain;
pub mod choice;
mod files;
mod hiss;
pub mod library;
mod listener;
mod second_ear;
mod trusted;
mod unfinished;
pub mod vocabulary;

use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock},
};

use thiserror::Error;

pub use files::keep_graph;
pub use listener::{HeardUtterance, Listener};
use second_ear::SecondEar;
use vocabulary::Vocabulary;

use annabella_threads::lock;
use annabella_words::phrase::Words;

/// The reason why nothing can be heard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecognizerError {
    #[error("speech recognition unavailable: {0}")]
    Library(String),
    #[error("no speech model in {path}: {remedy}")]
    NoModel { path: String, remedy: String },
    #[error("the speech model in {path} is broken: {reason}; fetch or build it again")]
    BrokenModel { path: String, reason: String },
    #[error("the recogniser cannot be set up: {0}")]
    SetUp(String),
}

/// A speech model. Cheap to clone, shared by all listeners.
#[derive(Clone)]
pub struct Model {
    inner: Arc<Mutex<vosk::Model>>,
    second_ear: Option<Arc<SecondEar>>,
    path: PathBuf,
}

impl std::fmt::Debug for Model {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Model").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Model {
    /// Opens the model in a folder that only root and the user may write to.
    ///
    /// # Errors
    /// Which file is missing or broken, or that libvosk is.
    pub fn open(path: &Path) -> Result<Model, RecognizerError> {
        Model::open_checked(path, |_| Ok(()))
    }

    /// Opens the built-in model, if each of its files is the one that this program was tested with.
    /// They are compared once in the process: 7 MB.
    ///
    /// # Errors
    /// As [`Model::open`], and which file is another.
    pub fn open_built_in() -> Result<Model, RecognizerError> {
        static COMPARED: OnceLock<Result<(), String>> = OnceLock::new();
        Model::open_checked(&choice::built_in()?, |folder| {
            COMPARED.get_or_init(|| files::check_built_in(folder)).clone()
        })
    }

    fn open_checked(
        path: &Path,
        check: impl FnOnce(&Path) -> Result<(), String>,
    ) -> Result<Model, RecognizerError> {
        library::open()?;
        let shown = path.display().to_string();
        if !path.is_dir() {
            return Err(RecognizerError::NoModel {
                path: shown,
                remedy: "correct [speech] model, or leave it out".to_owned(),
            });
        }
        let broken = |reason: String| RecognizerError::BrokenModel { path: shown.clone(), reason };
        // An absolute path is never taken for the shim's own sign.
        let path = trusted::trusted(path).map_err(&broken)?;
        files::check(&path).map_err(&broken)?;
        check(&path).map_err(&broken)?;
        let second_ear =
            SecondEar::open(&path.join(second_ear::FILE)).map_err(&broken)?.map(Arc::new);
        let name = path.to_str().ok_or_else(|| broken("its path is not UTF-8".to_owned()))?;
        let model =
            vosk::Model::new(name).ok_or_else(|| broken("libvosk does not read it".to_owned()))?;
        Ok(Model { inner: Arc::new(Mutex::new(model)), second_ear, path })
    }

    /// The same with another second ear: to compare.
    ///
    /// # Errors
    /// When the file is no second ear.
    pub fn with_second_ear(&self, file: &Path) -> Result<Model, RecognizerError> {
        let path = file.display().to_string();
        let ear = SecondEar::open(file)
            .map_err(|reason| RecognizerError::BrokenModel { path, reason })?;
        Ok(Model { second_ear: ear.map(Arc::new), ..self.clone() })
    }

    /// The folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the model knows a word in this spelling.
    pub fn knows(&self, word: &str) -> bool {
        // A word that no C string can hold.
        if word.contains('\0') {
            return false;
        }
        let mut model = lock(&self.inner);
        model.find_word(word).is_some()
    }

    /// How it spells the words of a pair of packs.
    pub fn vocabulary(&self, words: &Words) -> Vocabulary {
        Vocabulary::new(words, |spelling| self.knows(spelling))
    }
}
