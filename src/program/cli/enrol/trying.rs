//! Recordings heard again and again, each time with other pronunciations.

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
};

use shakmaty::{Position, uci::UciMove};

use super::{Recordings, with};
use crate::cli::{
    Failure,
    recordings::{RecordingKind, read_list, spelled},
    words::write_graph,
};
use annabella_core::{
    enrol::{HearsAgain, Meaning, Sentence, Take, WordSounds},
    game::read_fen,
};
use annabella_devices::voice::{
    Pcm,
    recognizer::{Listener, Model, RecognizerError, vocabulary::Vocabulary},
};
use annabella_words::{
    phrase::{
        Command, Understood, Words,
        hear::{Grammar, Heard, move_loop, word_loop},
        understand,
    },
    speech_model::Lexicon,
};

/// A recogniser whose words can be given other sounds.
pub struct TrialEars<'a> {
    folder: PathBuf,
    lexicon: &'a Lexicon,
    words: &'a Words,
    recordings: &'a Recordings,
    /// Of each sentence where it belongs, elsewhere, and anywhere.
    grammars: Vec<(Grammar, Option<Grammar>, Grammar)>,
    present: (WordSounds, Model, Vocabulary),
}

impl<'a> TrialEars<'a> {
    /// Opens the model, whose graph is copied so that its words can be given other sounds.
    ///
    /// # Errors
    /// [`Failure`] when the model cannot be opened or the copy not be written.
    pub fn open(
        model: &Path,
        lexicon: &'a Lexicon,
        words: &'a Words,
        sentences: &'a [Sentence],
        recordings: &'a Recordings,
    ) -> Result<TrialEars<'a>, Failure> {
        let opened = Model::open(model)?;
        let vocabulary = opened.vocabulary(words);
        let folder = std::env::temp_dir().join(format!("annabella-enrol-{}", std::process::id()));
        let model = opened.path().to_owned();
        let made = fs::create_dir_all(&folder).and_then(|()| {
            // Only the graph differs; the network is the same file.
            for part in ["am", "conf"] {
                let _ = fs::remove_file(folder.join(part));
                symlink(model.join(part), folder.join(part))?;
            }
            Ok(())
        });
        made.map_err(|err| super::cannot(&folder, &err))?;
        let present = (WordSounds::new(), opened, vocabulary);
        let grammars = sentences
            .iter()
            .map(|sentence| {
                let free = match sentence.meaning {
                    Meaning::Move(_) => move_loop(words),
                    Meaning::Request(_) => word_loop(words),
                };
                let of = |pos| Grammar::of_everything(words, pos);
                let elsewhere = sentence.elsewhere.as_ref().map(of);
                (of(&sentence.pos), elsewhere, Grammar { phrases: free, ..Grammar::default() })
            })
            .collect();
        Ok(TrialEars { folder, lexicon, words, grammars, recordings, present })
    }

    fn load(&mut self, sounds: &WordSounds) -> Result<(), Failure> {
        if self.present.0 == *sounds {
            return Ok(());
        }
        let files = with(self.lexicon, sounds)?.files();
        write_graph(&self.folder, &files).map_err(|err| super::cannot(&self.folder, &err))?;
        let model = Model::open(&self.folder)?;
        let vocabulary = model.vocabulary(self.words);
        self.present = (sounds.clone(), model, vocabulary);
        Ok(())
    }

    fn heard(&self, recording: &Pcm, grammar: &Grammar) -> Result<Heard, RecognizerError> {
        let (_, model, vocabulary) = &self.present;
        Listener::new(model, vocabulary.clone(), recording.rate_hz).whole(recording, grammar)
    }
}

impl Drop for TrialEars<'_> {
    fn drop(&mut self) {
        // A folder that stays in the system's temporary one harms nobody.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

impl HearsAgain for TrialEars<'_> {
    type Error = Failure;

    fn hear(&mut self, sounds: &WordSounds, which: &[usize]) -> Result<Vec<Take>, Failure> {
        self.load(sounds)?;
        let mut takes = Vec::new();
        for n in which {
            let (Some((here, elsewhere, _)), Some(Some(recording))) =
                (self.grammars.get(*n), self.recordings.get(*n))
            else {
                continue;
            };
            let here = self.heard(recording, here)?;
            let elsewhere = elsewhere.as_ref();
            let elsewhere = elsewhere.map(|grammar| self.heard(recording, grammar)).transpose()?;
            takes.push(Take { sentence: *n, here, elsewhere });
        }
        Ok(takes)
    }

    fn freely(&mut self, sounds: &WordSounds, which: usize) -> Result<String, Failure> {
        self.load(sounds)?;
        let (Some((_, _, free)), Some(Some(recording))) =
            (self.grammars.get(which), self.recordings.get(which))
        else {
            return Ok(String::new());
        };
        Ok(self.heard(recording, free)?.best().unwrap_or_default().to_owned())
    }
}

/// Sentences and recordings of a list as `annabella-lab corpus` and this command write it; illegal
/// moves and talk are left out.
pub(super) fn read(folder: &Path, words: &Words) -> Result<(Vec<Sentence>, Recordings), Failure> {
    let items = read_list(folder)?;
    let (mut sentences, mut recordings) = (Vec::new(), Recordings::new());
    let commands = words.command_phrases();
    for item in &items {
        let wrong = |what: String| Failure::usage(format!("{}: {what}", item.file.display()));
        let pos = read_fen(&item.fen).map_err(|err| wrong(err.to_string()))?;
        let text = spelled(&item.said);
        let meaning = match item.kind {
            RecordingKind::Move => {
                let uci: Result<UciMove, _> = item.meant.parse();
                let mv = uci.ok().and_then(|uci| uci.to_move(&pos).ok());
                let mv = mv.filter(|mv| pos.is_legal(*mv));
                Meaning::Move(mv.ok_or_else(|| {
                    wrong(format!("'{}' is no legal move there: correct the list", item.meant))
                })?)
            }
            RecordingKind::Request => {
                let named = |command: &Command| command.name() == item.meant;
                let found = commands.iter().map(|(_, command)| *command).find(named);
                Meaning::Request(found.ok_or_else(|| {
                    wrong(format!("'{}' is no request: correct the list", item.meant))
                })?)
            }
            RecordingKind::Illegal | RecordingKind::Talk => continue,
        };
        let recording = Pcm::read_wav(&item.file).map_err(|err| wrong(err.to_string()))?;
        sentences.push(Sentence { pos, elsewhere: None, meaning, text });
        recordings.push(Some(recording));
    }
    elsewhere(words, &mut sentences);
    Ok((sentences, recordings))
}

/// Gives each move a position of the others in which nothing like it is legal.
pub fn elsewhere(words: &Words, sentences: &mut [Sentence]) {
    let positions: Vec<_> = sentences.iter().map(|sentence| sentence.pos.clone()).collect();
    for (n, sentence) in sentences.iter_mut().enumerate() {
        if matches!(sentence.meaning, Meaning::Move(_)) {
            let mut others = positions.iter().cycle().skip(n + 1).take(positions.len());
            sentence.elsewhere = others
                .find(|pos| {
                    matches!(understand(words, pos, &sentence.text), Understood::Illegal(_))
                })
                .cloned();
        }
    }
}
