//! `annabella words`: the words of the built-in speech model. A model folder is never half written:
//! the new one is complete before it replaces the old.

use std::{
    fs,
    io::{self, Write},
    path::{Path, PathBuf},
};

use serde_json::json;

use super::{Exit, Failure};
use crate::service::streams::{in_own_language, write_line};
use annabella_records::whole;
use annabella_words::{
    phrase::Pack,
    speech_model::{GraphFiles, Lexicon, LexiconError, Pronunciation, Pronunciations, german},
};

/// How much dearer than a word other speech is; negative: cheaper. Chosen by measurement
/// (`voices/training/EXPERIMENTS.md`).
const UNKNOWN_COST: f64 = -6.0;

/// Lists the words of a speech model, adds one, or makes a model for a language pack.
#[derive(Debug, clap::Args)]
pub struct WordsArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, clap::Subcommand)]
enum Action {
    /// Every word with its pronunciations, in SAMPA
    List(ListArgs),
    /// Adds a word, without training
    Add(AddArgs),
    /// A model that hears every word of a language pack, and what it heard before
    Build(BuildArgs),
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// The model's folder; the built-in one if not given.
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// One JSON line a word instead of text.
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    /// The word, as grammars and language packs spell it.
    #[arg(value_name = "WORD")]
    word: String,
    /// How it sounds, each variant in quotes: "t U 6 m"; by the rules of German spelling if none is
    /// given.
    #[arg(value_name = "PRONUNCIATION")]
    pronunciations: Vec<String>,
    /// The model's folder; the built-in one if not given.
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// Write a new folder and leave the old one alone.
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Give a word that is there already these pronunciations instead of its own.
    #[arg(long)]
    replace: bool,
}

#[derive(Debug, clap::Args)]
struct BuildArgs {
    /// The language pack: de.
    #[arg(long, value_name = "LANG", default_value = "de")]
    pack: String,
    /// The model to start from; the built-in one if not given.
    #[arg(long, value_name = "DIR")]
    model: Option<PathBuf>,
    /// The folder for the new one; may be the same.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// How much dearer than a word other speech is. A higher value lets badly spoken words through,
    /// and more of other people's talk. The negative natural logarithm of a probability.
    #[arg(long, value_name = "COST", allow_negative_numbers = true, default_value_t = UNKNOWN_COST, value_parser = cost)]
    unknown_cost: f64,
}

fn cost(text: &str) -> Result<f64, String> {
    let cost: Option<f64> = text.parse().ok();
    cost.filter(|cost| (-20.0..=20.0).contains(cost))
        .ok_or_else(|| "write a number from -20 to 20".to_owned())
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when a model, a word or a pronunciation cannot be used, or a folder not be written.
pub fn run(args: &WordsArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    match &args.action {
        Action::List(args) => list(args, out),
        Action::Add(args) => add(args, out),
        Action::Build(args) => build(args, out),
    }
}

fn list(args: &ListArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let model = model_folder(args.model.as_deref())?;
    for spoken in read_model(&model)?.words() {
        if args.json {
            let sounds: Vec<String> = spoken.pronunciations().map(ToString::to_string).collect();
            writeln!(out, "{}", json!({"word": spoken.word(), "pronunciations": sounds}))?;
        } else {
            writeln!(out, "{}: {}", spoken.word(), sounds_of(spoken.pronunciations()))?;
        }
    }
    Ok(Exit::Done)
}

fn add(args: &AddArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let model = model_folder(args.model.as_deref())?;
    let mut lexicon = read_model(&model)?;
    let word = args.word.to_lowercase();
    let (sounds, source) = sounds_for(args, &lexicon, &word)?;
    let changed =
        if args.replace { lexicon.set(&word, &sounds) } else { lexicon.add(&word, &sounds) };
    if !changed.map_err(Failure::usage)? {
        write_line(out, &format!("'{word}' is there already: {}", sounds_of(&sounds)))?;
        if args.out.is_none() {
            return Ok(Exit::Done);
        }
    } else {
        let source = in_own_language(source);
        writeln!(out, "'{word}': {} ({source})", sounds_of(&sounds))?;
    }
    let target = args.out.as_deref().unwrap_or(&model);
    write_model(&model, target, &lexicon.files())?;
    write_line(out, &format!("{}: {} words", target.display(), lexicon.words().count()))?;
    Ok(Exit::Done)
}

/// The pronunciations to add, and where they come from.
fn sounds_for(
    args: &AddArgs,
    lexicon: &Lexicon,
    word: &str,
) -> Result<(Vec<Pronunciation>, &'static str), Failure> {
    let given = &args.pronunciations;
    if given.len() > 1 && given.iter().all(|one| !one.trim().contains(' ')) {
        let line = given.join(" ");
        return Err(Failure::usage(format!(
            "'{word}': put the phones of one pronunciation in quotes: \"{line}\""
        )));
    }
    if given.is_empty() {
        let listed = Pronunciations::builtin("de", lexicon.phones()).map_err(Failure::usage)?;
        return match listed.get(word) {
            Some(sounds) => Ok((sounds.to_vec(), "from the list")),
            None => {
                let sound = german::pronunciation(word).map_err(Failure::usage)?;
                Ok((vec![sound], "by the rules of German spelling; listen whether they are right"))
            }
        };
    }
    let sounds = given
        .iter()
        .map(|one| lexicon.phones().pronunciation(one))
        .collect::<Result<_, _>>()
        .map_err(|err| Failure::usage(format!("'{word}': {err}")))?;
    Ok((sounds, "as given"))
}

fn build(args: &BuildArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let model = model_folder(args.model.as_deref())?;
    let before = read_model(&model)?;
    let pack = Pack::builtin(&args.pack).map_err(Failure::usage)?;
    let lexicon = for_pack(&before, &pack, args.unknown_cost)?;
    for spoken in lexicon.words() {
        if before.get(spoken.word()) != Some(spoken) {
            writeln!(out, "'{}': {}", spoken.word(), sounds_of(spoken.pronunciations()))?;
        }
    }
    write_model(&model, &args.out, &lexicon.files())?;
    let (dir, count) = (args.out.display(), lexicon.words().count());
    write_line(out, &format!("{dir}: {count} words, {} before", before.words().count()))?;
    Ok(Exit::Done)
}

/// The words of a model, and all that a pack can hear; in the order of the alphabet.
fn for_pack(before: &Lexicon, pack: &Pack, unknown_cost: f64) -> Result<Lexicon, Failure> {
    let listed = Pronunciations::builtin(pack.code(), before.phones()).map_err(Failure::usage)?;
    let mut lexicon = before.clone();
    let vocabulary = pack.vocabulary();
    for word in vocabulary.iter().map(String::as_str).chain(listed.words()) {
        let sounds = listed.of(word).map_err(Failure::usage)?;
        lexicon.set(word, &sounds).map_err(Failure::usage)?;
    }
    lexicon.set_unknown_cost(unknown_cost);
    lexicon.sort();
    Ok(lexicon)
}

fn sounds_of<'a>(sounds: impl IntoIterator<Item = &'a Pronunciation>) -> String {
    let sounds: Vec<String> = sounds.into_iter().map(ToString::to_string).collect();
    sounds.join(", ")
}

/// The words of a model of our own and how they sound.
///
/// # Errors
/// [`Failure`] when the folder holds no such model.
pub fn read_model(dir: &Path) -> Result<Lexicon, Failure> {
    if !dir.is_dir() {
        let before = beside(dir, "before");
        let remedy = if before.is_dir() {
            format!("rename {} back to it", before.display())
        } else {
            "give the folder of the built-in model with --model".to_owned()
        };
        return Err(Failure::usage(format!("no model at {}: {remedy}", dir.display())));
    }
    let failed = |path: &Path, err: io::Error| {
        Failure::usage(format!("cannot read {}: {err}; give the built-in model", path.display()))
    };
    let text = |name: &str| {
        let path = dir.join("graph").join(name);
        whole::read_text(&path).map_err(|err| failed(&path, err))
    };
    let hclr = dir.join("graph/HCLr.fst");
    let bytes = whole::read(&hclr).map_err(|err| failed(&hclr, err))?;
    Lexicon::read(&text("phones.txt")?, &text("words.txt")?, &bytes)
        .map_err(|err: LexiconError| Failure::usage(format!("{}: {err}", dir.display())))
}

/// `voices/model` → `voices/model.before`
fn beside(dir: &Path, end: &str) -> PathBuf {
    let mut name = dir.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(end);
    dir.with_file_name(name)
}

/// Writes the model of `from` with another graph to `to`, which may be the same folder.
pub(super) fn write_model(from: &Path, to: &Path, graph: &GraphFiles) -> Result<(), Failure> {
    let replaced = to.exists();
    if replaced && !to.join("am/final.mdl").is_file() {
        let to = to.display();
        return Err(Failure::usage(format!(
            "{to} is there and no speech model: name a new folder"
        )));
    }
    let [new, before] = ["new", "before"].map(|end| beside(to, end));
    let written = write_new(from, &new, graph).and_then(|()| {
        if !replaced {
            return fs::rename(&new, to);
        }
        remove(&before)?;
        fs::rename(to, &before)?;
        fs::rename(&new, to).or_else(|err| fs::rename(&before, to).and(Err(err)))?;
        remove(&before)
    });
    written.map_err(|err| {
        // The rest of the attempt does no harm, and the reason is worth more.
        let _ = remove(&new);
        Failure::device(format!("cannot write {}: {err}; the old model is as it was", to.display()))
    })
}

fn remove(dir: &Path) -> io::Result<()> {
    match fs::remove_dir_all(dir) {
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(()),
        other => other,
    }
}

fn write_new(from: &Path, new: &Path, graph: &GraphFiles) -> io::Result<()> {
    remove(new)?;
    copy_without_graph(from, new, true)?;
    write_graph(new, graph)
}

/// The files of the graph, into the folder of a model.
pub(super) fn write_graph(model: &Path, graph: &GraphFiles) -> io::Result<()> {
    fs::create_dir_all(model.join("graph/phones"))?;
    for (name, bytes) in [
        ("words.txt", graph.words.as_bytes()),
        ("phones.txt", graph.phones.as_bytes()),
        ("HCLr.fst", &graph.hclr),
        ("Gr.fst", &graph.gr),
        ("disambig_tid.int", graph.disambig_tid.as_bytes()),
        ("phones/word_boundary.int", graph.word_boundary.as_bytes()),
    ] {
        let mut file = fs::File::create(model.join("graph").join(name))?;
        file.write_all(bytes)?;
        file.sync_all()?;
    }
    #[cfg(feature = "speech")]
    annabella_devices::voice::recognizer::keep_graph(model)?;
    Ok(())
}

fn copy_without_graph(from: &Path, to: &Path, top: bool) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, name) = (entry.path(), entry.file_name());
        if path.is_dir() {
            if !(top && name == "graph") {
                copy_without_graph(&path, &to.join(name), false)?;
            }
        } else {
            fs::copy(&path, to.join(&name))?;
            fs::File::open(to.join(&name))?.sync_all()?;
        }
    }
    Ok(())
}

/// The model that is named, or the one that `listen` would use.
fn model_folder(named: Option<&Path>) -> Result<PathBuf, Failure> {
    #[cfg(feature = "speech")]
    return named
        .map_or_else(annabella_devices::voice::recognizer::choice::built_in, |path| {
            Ok(path.to_owned())
        })
        .map_err(Failure::usage);
    #[cfg(not(feature = "speech"))]
    named.map(Path::to_owned).ok_or_else(|| {
        Failure::usage("--model is needed: this program was built without the feature `speech`")
    })
}
