//! `annabella donate --check`: a person's folder as a maintainer looks at it, each fault in one
//! line.

use std::{fs, io::Write, path::Path};

use super::{
    folder::{self, CONSENT, Folder, LICENCE_FILE, READ_ME},
    list::Row,
};
use crate::{
    cli::{Exit, Failure, listen::FileEars, tell::words_of},
    config::Config,
    service::streams::{complain, in_own_language, write_line},
};
use annabella_core::donate::{Certainty, TakeFault};
use annabella_devices::voice::{
    Pcm,
    take::{fault, is_plain},
};
use annabella_words::phrase::{hear::Grammar, normal_words};

/// Checks the folder of one person, or of several.
///
/// # Errors
/// [`Failure`] when there is none.
pub(super) fn run(path: &Path, config: &Config, out: &mut dyn Write) -> Result<Exit, Failure> {
    let shown = path.display();
    let path =
        path.canonicalize().map_err(|err| Failure::usage(format!("cannot read {shown}: {err}")))?;
    let all = folder::all(&path);
    if all.is_empty() {
        return Err(Failure::usage(format!(
            "nobody's recordings are in {shown}: name a folder with manifest.tsv, or one of such folders"
        )));
    }
    let words = words_of(config)?;
    let mut ears = FileEars::open(config.speech.model.as_deref(), &words)
        .map_err(|err| complain(&format!("what is said is not checked: {err}")))
        .ok();
    let mut faults = 0;
    for path in all {
        let found = faults_of(&path, ears.as_mut(), out)?;
        faults += found;
    }
    Ok(if faults == 0 { Exit::Done } else { Exit::Problem })
}

/// Writes the faults of one folder, and how much is in it.
fn faults_of(
    path: &Path,
    mut ears: Option<&mut FileEars>,
    out: &mut dyn Write,
) -> Result<usize, Failure> {
    let mut faults = Vec::new();
    let folder = match Folder::open(path) {
        Ok(folder) => folder,
        Err(why) => {
            write_line(out, &why.to_string())?;
            return Ok(1);
        }
    };
    for name in [LICENCE_FILE, READ_ME] {
        if !path.join(name).is_file() {
            faults.push(format!("{name}: is missing"));
        }
    }
    let agreed = ["wav", "txt"].map(|end| path.join(CONSENT).with_extension(end).is_file());
    if agreed == [false, false] {
        faults.push(format!("{CONSENT}.wav: is missing, so nobody has agreed"));
    }
    if let Some(ears) = &mut ears {
        let plan = folder.plan().iter().map(|text| text.to_lowercase());
        ears.listen_for(&Grammar::of_phrases(plan.collect()));
    }
    for row in folder.rows() {
        if let Some(what) = fault_of(path, row, ears.as_deref_mut()) {
            faults.push(format!("{}: {what}", row.file()));
        }
    }
    faults.extend(strangers(&folder).into_iter().map(|name| format!("{name}: is in no list")));
    for fault in &faults {
        writeln!(out, "{}/{}", path.display(), in_own_language(fault))?;
    }
    let rows = folder.rows();
    let of = |certainty| rows.iter().filter(|row| row.certainty == certainty).count();
    let seconds = rows.iter().map(|row| row.ms).sum::<u64>() / 1000;
    let told = format!(
        "{}: {} of {} texts, {} takes, {} doubtful, {} guesses, {}:{:02} minutes; {}",
        folder.name(),
        folder.done().len(),
        folder.plan().len(),
        rows.len(),
        of(Certainty::Doubtful),
        of(Certainty::Guess),
        seconds / 60,
        seconds % 60,
        match faults.len() {
            0 => "no faults".to_owned(),
            n => format!("faults: {n}"),
        }
    );
    write_line(out, &told)?;
    Ok(faults.len())
}

fn fault_of(path: &Path, row: &Row, ears: Option<&mut FileEars>) -> Option<String> {
    let file = path.join(row.file());
    let sound = match (is_plain(&file), Pcm::read_wav(&file)) {
        (Ok(true), Ok(sound)) => sound,
        (Ok(false), _) => return Some("is not 16 kHz, mono, 16 bits".to_owned()),
        (Err(err), _) | (_, Err(err)) => return Some(err.to_string()),
    };
    if sound.length_ms() / 10 != row.ms / 10 {
        return Some(format!("lasts {} ms, not {} as its line says", sound.length_ms(), row.ms));
    }
    // What is doubtful says so itself.
    if row.certainty == Certainty::Doubtful {
        return None;
    }
    let what = match fault(&sound) {
        Some(TakeFault::TooShort) => "is too short for a word",
        Some(TakeFault::TooQuiet) => "is too quiet",
        Some(TakeFault::Clipped) => "is clipped",
        Some(TakeFault::Cut) => "is cut: speech touches an end",
        None if row.certainty == Certainty::Exact => return misheard(row, &sound, ears?),
        None => return None,
    };
    Some(what.to_owned())
}

/// What is heard instead of the text.
fn misheard(row: &Row, sound: &Pcm, ears: &mut FileEars) -> Option<String> {
    let heard = match ears.hear(sound) {
        Ok(heard) => heard.best().unwrap_or_default().replace("[unk]", ""),
        Err(err) => return Some(err.to_string()),
    };
    let right = normal_words(&heard) == normal_words(&row.text);
    (!right).then(|| format!("'{}' is heard as '{}'", row.text, heard.trim()))
}

/// Recordings that the list does not name.
fn strangers(folder: &Folder) -> Vec<String> {
    let listed: Vec<String> = folder.rows().iter().map(Row::file).collect();
    let entries = fs::read_dir(folder.path()).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let known = |name: &String| {
        listed.contains(name) || ["consent.wav", "guardian.wav"].contains(&name.as_str())
    };
    let mut all: Vec<String> =
        names.filter(|name| name.ends_with(".wav") && !known(name)).collect();
    all.sort();
    all
}
