//! What is asked of `annabella-lab people`, and which recordings that concerns.

use std::{
    collections::{BTreeMap, BTreeSet},
    path::PathBuf,
};

use super::{
    Said, Spoken,
    manifest::{Part, Recording},
    read, said,
};
use annabella::cli::{Failure, listen::FileEars};
use annabella_devices::voice::Pcm;
use annabella_words::phrase::{Words, hear::REST_MS};

/// So many recordings of talk are the babble.
const TALKERS: usize = 6;

/// Measures how well people are understood: each of them is counted once. Announcements are joined
/// from one person's words.
#[derive(Debug, clap::Args)]
pub(crate) struct PeopleArgs {
    /// Folder of people's recordings with manifest.tsv (file, text, speaker, source, licence,
    /// person, certainty, orig_sr, seconds).
    pub(super) folder: PathBuf,
    /// Only these people, separated by commas.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    pub(super) only: Vec<String>,
    /// Of what a person says again and again, every Nth recording.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) every: usize,
    /// Announcements joined for each person who said enough words, and a quarter as many that are
    /// not legal.
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(super) announcements: u32,
    /// Folder of second ears, NAME.onnx for each person whom it never heard: these people are heard
    /// with it (voices/training/second_ear.py).
    #[arg(long, value_name = "DIR")]
    pub(super) ears: Option<PathBuf>,
    /// At most this many recordings of talk by each person.
    #[arg(long, value_name = "N")]
    pub(super) talk: Option<usize>,
    /// The voice whose names of files are joined to the ranks of people who say none: a person of
    /// the folder, or a synthetic voice of this machine (mbrola-de4). If not given, the first
    /// person who says them all.
    #[arg(long, value_name = "NAME")]
    pub(super) files_by: Option<String>,
    /// Pauses between the words of joined announcements, milliseconds: 600-1200 for somebody who
    /// speaks slowly.
    #[arg(long, value_name = "FROM-TO", default_value = "0-120", value_parser = range)]
    pub(super) gaps: [u64; 2],
    /// Wait this long for the rest of an announcement that is not finished, milliseconds; 0: not at
    /// all.
    #[arg(long, value_name = "MS", default_value_t = REST_MS)]
    pub(super) rest: u32,
    /// Measure what `annabella enrol` would do for each of them. It learns from half of a person's
    /// recordings; the other half judges.
    #[arg(long)]
    pub(super) enrol: bool,
    /// Folder of a Vosk model, built-in, or official; the one that the service would take if not
    /// given. Given more than once, they are compared.
    #[arg(long, value_name = "DIR")]
    pub(super) model: Vec<PathBuf>,
    /// Name each recording that was not simply right.
    #[arg(long)]
    pub(super) verbose: bool,
    /// One JSON line a row.
    #[arg(long)]
    pub(super) json: bool,
}

/// `600-1200`.
fn range(text: &str) -> Result<[u64; 2], String> {
    let ends =
        text.split_once('-').and_then(|(from, to)| Some([from.parse().ok()?, to.parse().ok()?]));
    ends.filter(|[from, to]| from <= to).ok_or_else(|| "two numbers, as in 600-1200".to_owned())
}

impl PeopleArgs {
    /// The models to be measured; `None` is the one that the service would take.
    pub(super) fn models(&self) -> Vec<Option<PathBuf>> {
        match &self.model[..] {
            [] => vec![None],
            models => models.iter().cloned().map(Some).collect(),
        }
    }
}

/// The recordings of the chosen speakers: every nth of each repeated word, and a limited amount of
/// talk.
pub(super) fn wanted(
    args: &PeopleArgs,
    all: Vec<Recording>,
    words: &Words,
) -> Vec<(Recording, Said)> {
    let mut times: BTreeMap<(String, String), usize> = BTreeMap::new();
    let mut talks: BTreeMap<String, usize> = BTreeMap::new();
    let mut chosen = Vec::new();
    for one in all {
        if !args.only.is_empty() && !args.only.contains(&one.speaker) {
            continue;
        }
        let before = times.entry((one.speaker.clone(), one.text.clone())).or_default();
        *before += 1;
        if !(*before - 1).is_multiple_of(args.every.max(1)) {
            continue;
        }
        let said = said(words, &one.text);
        if said == Said::Talk {
            let talk = talks.entry(one.speaker.clone()).or_default();
            *talk += 1;
            if args.talk.is_some_and(|most| *talk > most) {
                continue;
            }
        }
        chosen.push((one, said));
    }
    chosen
}

/// People who talk while others are heard: of those by whom models are chosen, or of all.
pub(super) fn talkers(all: &[Recording], words: &Words) -> Result<Vec<(String, Pcm)>, Failure> {
    let talk = |part: Option<Part>| -> Vec<&Recording> {
        let of = all.iter().filter(|one| part.is_none_or(|part| one.part == part));
        of.filter(|one| said(words, &one.text) == Said::Talk).collect()
    };
    let mut found = talk(Some(Part::Validation));
    if found.is_empty() {
        found = talk(None);
    }
    let apart = found.len().div_ceil(TALKERS).max(1);
    let chosen = found.into_iter().step_by(apart);
    chosen.map(|one| Ok((one.speaker.clone(), read(&one.file)?))).collect()
}

/// Of each person whom some second ear never heard, the ears with that one.
pub(super) fn own_ears(
    args: &PeopleArgs,
    ears: &FileEars,
    said: &Spoken,
) -> Result<BTreeMap<String, FileEars>, Failure> {
    let Some(folder) = &args.ears else { return Ok(BTreeMap::new()) };
    let names: BTreeSet<&str> =
        said.recordings.iter().map(|(recording, _)| recording.speaker.as_str()).collect();
    let mut own = BTreeMap::new();
    for name in names {
        let file = folder.join(format!("{name}.onnx"));
        if file.is_file() {
            own.insert(name.to_owned(), ears.with_second_ear(&file)?);
        }
    }
    if own.is_empty() {
        let folder = folder.display();
        return Err(Failure::usage(format!(
            "--ears: {folder} has no ear for anybody here (NAME.onnx)"
        )));
    }
    Ok(own)
}
