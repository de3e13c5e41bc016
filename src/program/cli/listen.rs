//! `annabella listen`: recordings to words, words to a move or a request.

#[cfg(all(feature = "speech", feature = "sound"))]
mod mic;

use std::{
    io::Write,
    path::{Path, PathBuf},
    time::Instant,
};

use serde_json::json;
use shakmaty::Chess;

use super::{Exit, Failure, position};
use crate::service::streams::write_line;
use annabella_devices::voice::Pcm;
use annabella_records::whole;
use annabella_words::phrase::{
    Words,
    hear::{Confusions, Context, Ear, Grammar, Heard, HeardDecision, learn},
};

/// Says what was spoken in recordings, and which move or request it is.
#[derive(Debug, clap::Args)]
pub struct ListenArgs {
    /// Recordings, one utterance each.
    #[arg(long, value_name = "FILE", num_args = 1.., required_unless_present = "mic")]
    pub wav: Vec<PathBuf>,
    /// The microphone (a device's name, or the default one), with its level, until stopped.
    #[arg(long, value_name = "DEVICE", num_args = 0..=1, default_missing_value = "default",
        conflicts_with = "wav")]
    pub mic: Option<String>,
    /// Stop listening to the microphone after this many seconds.
    #[arg(long, value_name = "N", requires = "mic")]
    pub seconds: Option<u64>,
    /// The level as a sentence a second, for a screen reader; no bar.
    #[arg(long, requires = "mic")]
    pub plain: bool,
    /// Position in which it was said; the usual start if not given.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Folder of a Vosk model, built-in, or official; the one that the service would take if not
    /// given.
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,
    /// Move language.
    #[arg(long, value_name = "LANG", default_value = "fide")]
    pub words: String,
    /// Language of requests and answers.
    #[arg(long, value_name = "LANG", default_value = "de")]
    pub prompts: String,
    /// Words that are mistaken for one another in this player's voice, as --learn writes them.
    #[arg(long, value_name = "FILE")]
    pub confusions: Option<PathBuf>,
    /// Learn from the recordings: beside each lies its text (FILE.txt). Writes what is mistaken for
    /// what to this file.
    #[arg(long, value_name = "FILE")]
    pub learn: Option<PathBuf>,
    /// JSON lines. This is the default; the option is for scripts that always pass it.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when a file, the position or the model is wrong, or libvosk is missing.
pub fn run(args: &ListenArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let pos = position(args.fen.as_deref())?;
    let words = Words::builtin(&args.words, &args.prompts)
        .map_err(|err| Failure::usage(format!("--words, --prompts: {err}")))?;
    let confusions = match &args.confusions {
        Some(path) => read_confusions(path)?,
        None => Confusions::default(),
    };
    let mut ears = FileEars::open(args.model.as_deref(), &words)?;
    ears.listen_for(&Grammar::of_everything(&words, &pos));
    if let Some(path) = &args.learn {
        return teach(args, path, &mut ears, out);
    }
    let matcher = Ear::with_confusions(&words, &confusions).matcher(&pos, Context::default());
    if let Some(device) = &args.mic {
        return microphone(args, device, &pos, &mut ears, &matcher, out);
    }
    let mut exit = Exit::Done;
    for path in &args.wav {
        let recording = Pcm::read_wav(path).map_err(Failure::usage)?;
        let began = Instant::now();
        let heard = ears.hear(&recording)?;
        let decision = matcher.decide(&heard);
        let took_ms = began.elapsed().as_millis();
        if matches!(decision.word(), "again") {
            exit = Exit::Problem;
        }
        writeln!(out, "{}", line(path, &pos, &heard, &decision, recording.length_ms(), took_ms))?;
    }
    Ok(exit)
}

#[cfg(all(feature = "speech", feature = "sound"))]
use mic::run as microphone;

#[cfg(not(all(feature = "speech", feature = "sound")))]
fn microphone(
    _: &ListenArgs,
    _: &str,
    _: &Chess,
    _: &mut FileEars,
    _: &annabella_words::phrase::hear::Matcher,
    _: &mut dyn Write,
) -> Result<Exit, Failure> {
    Err(Failure::device("this program was built without the feature `sound`"))
}

/// One recording as one JSON line.
fn line(
    path: &Path,
    pos: &Chess,
    heard: &Heard,
    decision: &HeardDecision,
    audio_ms: u64,
    took_ms: u128,
) -> serde_json::Value {
    let texts: Vec<&str> = heard.hypotheses.iter().map(|h| h.text.as_str()).collect();
    let summary = decision.summary(pos);
    let mut line = json!({
        "file": path.display().to_string(),
        "heard": texts,
        "move": summary.mv,
        "san": summary.san,
        "confidence": summary.confidence,
        "decision": summary.decision,
        "command": summary.command,
        "audio_ms": audio_ms,
        "took_ms": took_ms,
    });
    if !summary.candidates.is_empty() {
        line["candidates"] = json!(summary.candidates);
    }
    line
}

/// Reads what --learn has written.
///
/// # Errors
/// When the file can't be read, or holds no confusions.
pub fn read_confusions(path: &Path) -> Result<Confusions, Failure> {
    let shown = path.display();
    let text = annabella_records::whole::read_text(path)
        .map_err(|err| Failure::usage(format!("cannot read {shown}: {err}")))?;
    Confusions::parse(&text).map_err(|err| Failure::usage(format!("{shown}: {err}")))
}

/// Learns from recordings whose text is known.
fn teach(
    args: &ListenArgs,
    to: &Path,
    ears: &mut FileEars,
    out: &mut dyn Write,
) -> Result<Exit, Failure> {
    let mut pairs = Vec::new();
    for path in &args.wav {
        let text = path.with_extension("txt");
        let said = annabella_records::whole::read_text(&text).map_err(|err| {
            Failure::usage(format!(
                "cannot read {}: {err}; it should hold the words spoken in {}",
                text.display(),
                path.display()
            ))
        })?;
        let recording = Pcm::read_wav(path).map_err(Failure::usage)?;
        let heard = ears.hear(&recording)?;
        // The second pass hears what was said; the first bends it to what may be said.
        let unbent = Heard::ranked(heard.word_loop);
        pairs.push((said.trim().to_owned(), unbent.best().unwrap_or_default().to_owned()));
    }
    let learnt = learn(&pairs);
    whole::write(to, learnt.to_toml(), None)
        .map_err(|err| Failure::usage(format!("cannot write {}: {err}", to.display())))?;
    let right = pairs.iter().filter(|(said, heard)| said.to_lowercase() == *heard).count();
    let told = format!(
        "{right} of {} heard word for word; {} pairs of words learnt, in {}: name it with [speech] confusions",
        pairs.len(),
        learnt.len(),
        to.display()
    );
    write_line(out, &told)?;
    Ok(Exit::Done)
}

#[cfg(feature = "speech")]
pub use real::FileEars;
#[cfg(not(feature = "speech"))]
pub use without::FileEars;

#[cfg(feature = "speech")]
mod real {
    use super::{Failure, Grammar, Heard, Path, Pcm, Words};
    use annabella_devices::voice::recognizer::{
        Listener, Model, RecognizerError, choice, vocabulary::Vocabulary,
    };
    use annabella_words::phrase::hear::REST_MS;

    use crate::service::streams::complain;

    /// The recogniser and what to listen for.
    #[derive(Clone)]
    pub struct FileEars {
        model: Model,
        vocabulary: Vocabulary,
        grammar: Grammar,
        rest_ms: u32,
    }

    impl From<RecognizerError> for Failure {
        fn from(err: RecognizerError) -> Failure {
            match err {
                RecognizerError::Library(_) | RecognizerError::SetUp(_) => Failure::device(err),
                _ => Failure::usage(err),
            }
        }
    }

    impl FileEars {
        /// Opens the model of this folder, or the one that the service would take.
        ///
        /// # Errors
        /// [`Failure`] when it is no model, or libvosk is missing.
        pub fn open(folder: Option<&Path>, words: &Words) -> Result<FileEars, Failure> {
            let model = choice::open(folder, words)?.model;
            let vocabulary = model.vocabulary(words);
            let missing: Vec<&str> = vocabulary.missing().collect();
            if !missing.is_empty() {
                complain(&format!(
                    "the model does not know these words, and phrases with them cannot be heard: {}",
                    missing.join(", ")
                ));
            }
            Ok(FileEars { model, vocabulary, grammar: Grammar::default(), rest_ms: REST_MS })
        }

        /// The same with another second ear.
        ///
        /// # Errors
        /// [`Failure`] when the file is no second ear.
        pub fn with_second_ear(&self, file: &Path) -> Result<FileEars, Failure> {
            let model = self.model.with_second_ear(file)?;
            Ok(FileEars { model, ..self.clone() })
        }

        /// Waits this long for the rest of an announcement, milliseconds; 0: not at all.
        #[must_use]
        pub fn waiting(self, rest_ms: u32) -> FileEars {
            FileEars { rest_ms, ..self }
        }

        /// Sets the phrases of the next recordings.
        pub fn listen_for(&mut self, grammar: &Grammar) {
            self.grammar = grammar.clone();
        }

        /// A listener for samples that come as they are spoken.
        pub fn session(&self, rate_hz: u32) -> Listener {
            let mut listener = Listener::new(&self.model, self.vocabulary.clone(), rate_hz);
            listener.set_grammar(&self.grammar);
            listener
        }

        /// The utterances of a recording, as a microphone's listener finds them.
        pub fn overhear(&mut self, recording: &Pcm) -> Result<Vec<Heard>, Failure> {
            let rate_hz = recording.rate_hz;
            let listener = Listener::new(&self.model, self.vocabulary.clone(), rate_hz);
            let mut listener = listener.waiting(self.rest_ms);
            listener.set_grammar(&self.grammar);
            let mut all = Vec::new();
            for chunk in recording.samples.chunks(rate_hz as usize / 50) {
                all.extend(listener.feed(chunk)?);
            }
            all.extend(listener.end());
            Ok(all.into_iter().map(|utterance| utterance.heard).collect())
        }

        /// The whole recording as one utterance.
        pub fn hear(&mut self, recording: &Pcm) -> Result<Heard, Failure> {
            let rate_hz = recording.rate_hz;
            let mut listener = Listener::new(&self.model, self.vocabulary.clone(), rate_hz);
            Ok(listener.whole(recording, &self.grammar)?)
        }
    }
}

#[cfg(not(feature = "speech"))]
mod without {
    use super::{Failure, Grammar, Heard, Path, Pcm, Words};

    /// Nobody hears in a program that was built so.
    #[derive(Clone)]
    pub struct FileEars(());

    impl FileEars {
        /// Says that nothing can be heard.
        ///
        /// # Errors
        /// Always: this program was built without the feature `speech`.
        pub fn open(_: Option<&Path>, _: &Words) -> Result<FileEars, Failure> {
            Err(unheard())
        }

        /// As with speech.
        ///
        /// # Errors
        /// Always.
        pub fn with_second_ear(&self, _: &Path) -> Result<FileEars, Failure> {
            Err(unheard())
        }

        #[must_use]
        pub fn waiting(self, _: u32) -> FileEars {
            self
        }

        pub fn listen_for(&mut self, _: &Grammar) {}

        /// As with speech.
        ///
        /// # Errors
        /// Always.
        pub fn overhear(&mut self, _: &Pcm) -> Result<Vec<Heard>, Failure> {
            Err(unheard())
        }

        /// As with speech.
        ///
        /// # Errors
        /// Always.
        pub fn hear(&mut self, _: &Pcm) -> Result<Heard, Failure> {
            Err(unheard())
        }
    }

    fn unheard() -> Failure {
        Failure::device(
            "speech recognition unavailable: this program was built without the feature `speech`",
        )
    }
}
