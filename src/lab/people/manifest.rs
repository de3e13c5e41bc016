//! The recordings of a folder of people, and the use of each person.

use std::path::{Path, PathBuf};

use serde::Deserialize;

use annabella::cli::Failure;
use annabella_core::outside::lines;

const LIST: &str = "manifest.tsv";
/// The split into training and tests, as the training reads it.
const SPLIT: &str = include_str!("../../../voices/training/people.toml");

/// The use of a person's recordings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// Nothing: only measured.
    Tests,
    /// What hears them never heard them, and was chosen by all who leave one another out in turn.
    InTurn,
    /// A model was chosen by them.
    Validation,
    /// The built-in model may have learnt from them.
    Train,
    /// No person: a synthetic voice that lends its files, as a control.
    Synthetic,
}

impl Part {
    /// The uses that concern people.
    pub(super) const ALL: [Part; 4] = [Part::Tests, Part::InTurn, Part::Validation, Part::Train];

    pub(super) fn name(self) -> &'static str {
        match self {
            Part::Tests => "tests",
            Part::InTurn => "in turn",
            Part::Validation => "validation",
            Part::Train => "trained",
            Part::Synthetic => "synthetic",
        }
    }
}

/// One recording whose text is known.
#[derive(Clone, Debug)]
pub(super) struct Recording {
    pub(super) file: PathBuf,
    pub(super) text: String,
    pub(super) speaker: String,
    pub(super) part: Part,
}

#[derive(Deserialize)]
struct Split {
    tests: Vec<String>,
    validation: Vec<String>,
    #[serde(rename = "left-out")]
    left_out: Vec<String>,
}

/// The recordings of people in a folder, but for those whose text is guessed or describes them.
pub(super) fn read(folder: &Path) -> Result<Vec<Recording>, Failure> {
    let list = folder.join(LIST);
    let text = annabella_records::whole::read_text(&list)
        .map_err(|err| Failure::usage(format!("cannot read {}: {err}", list.display())))?;
    parse(&text, folder).map_err(|why| Failure::usage(format!("{}: {why}", list.display())))
}

fn parse(text: &str, folder: &Path) -> Result<Vec<Recording>, String> {
    let split: Split = toml::from_str(SPLIT).map_err(|err| err.to_string())?;
    let mut lines = lines(text);
    let head: Vec<&str> = lines.next().unwrap_or_default().split('\t').collect();
    let column = |name: &str| {
        let at = head.iter().position(|column| *column == name);
        at.ok_or_else(|| format!("no column {name}"))
    };
    let [file, said, speaker] = [column("file")?, column("text")?, column("speaker")?];
    let [person, certainty] = [column("person")?, column("certainty")?];
    let mut all = Vec::new();
    for (n, line) in lines.enumerate() {
        let fields: Vec<&str> = line.split('\t').collect();
        if fields.len() != head.len() {
            return Err(format!("line {}: {} fields, not {}", n + 2, fields.len(), head.len()));
        }
        let known = fields[certainty] != "guess" && !fields[said].starts_with('(');
        let left_out = split.left_out.iter().any(|out| fields[file].starts_with(out));
        if !known || left_out || fields[person] != "person" {
            continue;
        }
        let part = if split.tests.iter().any(|tests| fields[file].starts_with(tests)) {
            Part::Tests
        } else if split.validation.iter().any(|speaker_| speaker_ == fields[speaker]) {
            Part::Validation
        } else {
            Part::Train
        };
        all.push(Recording {
            file: folder.join(fields[file]),
            text: fields[said].to_owned(),
            speaker: fields[speaker].to_owned(),
            part,
        });
    }
    if all.is_empty() {
        return Err("nobody says anything that is known".to_owned());
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str =
        "file\ttext\tspeaker\tsource\tlicence\tperson\tcertainty\torig_sr\tseconds\n";

    fn line(file: &str, text: &str, speaker: &str, person: &str, certainty: &str) -> String {
        format!("{file}\t{text}\t{speaker}\thttps\tCC0\t{person}\t{certainty}\t48000\t0.7\n")
    }

    #[test]
    fn who_is_tested_and_who_chooses_is_told_by_person_and_folder() {
        let list = [
            HEAD,
            &line("picochess_a/1.flac", "eins", "a", "person", "likely"),
            &line("heidelberg/1.flac", "eins", "hd-01", "person", "exact"),
            &line("heidelberg/2.flac", "zwei", "hd-00", "person", "exact"),
        ]
        .concat();
        let parts: Vec<Part> =
            parse(&list, Path::new("f")).expect("there").iter().map(|one| one.part).collect();
        assert_eq!(parts, [Part::Tests, Part::Validation, Part::Train]);
    }

    #[test]
    fn what_is_guessed_described_or_said_by_no_person_is_left_out() {
        let list = [
            HEAD,
            &line("a.flac", "eins", "a", "person", "guess"),
            &line("b.flac", "(Ende)", "a", "person", "likely"),
            &line("c.flac", "eins", "a", "synthetic", "exact"),
            &line("gcompris_herweg/1.flac", "eins", "b", "person", "exact"),
        ]
        .concat();
        assert!(parse(&list, Path::new("f")).expect_err("refused").contains("nobody"));
        let broken = [HEAD, "a.flac\teins\n"].concat();
        assert!(parse(&broken, Path::new("f")).expect_err("refused").contains("line 2"));
    }

    #[test]
    fn a_folder_that_somebody_gave_is_read_and_what_is_guessed_is_not() {
        use annabella::cli::donate::{folder::Folder, list::Row};
        use annabella_core::donate::{Certainty, Consenting, Donation, Donor};
        use annabella_devices::voice::Pcm;
        use annabella_words::phrase::Words;

        let words = Words::builtin("fide", "de").expect("built in");
        let donor = Donor {
            words: words.clone(),
            understands: true,
            limits: Default::default(),
            positions: Vec::new(),
            names: vec!["vega-4711".to_owned()],
            taken: Vec::new(),
        };
        let plan = ["fünf", "Springer Gustav eins Felix drei"].map(str::to_owned).to_vec();
        let (donation, _) = Donation::resume(donor, plan.clone(), Default::default());
        let base = tempfile::tempdir().expect("a folder");
        let consents = [(Consenting::Donor, None)];
        let mut folder = Folder::begin(base.path(), &donation, &words, &consents).expect("written");
        let sound = Pcm { rate_hz: 48_000, samples: vec![100; 48_000] };
        for (number, take, certainty) in
            [(0, 1, Certainty::Guess), (0, 2, Certainty::Doubtful), (1, 1, Certainty::Exact)]
        {
            let (text, heard) = (plan[number].clone(), "eins".to_owned());
            let row = Row { number, take, text, certainty, orig_hz: 48_000, ms: 1000, heard };
            folder.keep(row, &sound).expect("written");
        }
        let all = read(folder.path()).expect("a list of people");
        let all: Vec<_> = all
            .iter()
            .map(|one| {
                let sound = Pcm::read(&one.file).expect("there");
                (
                    one.text.as_str(),
                    one.speaker.as_str(),
                    one.part,
                    sound.rate_hz,
                    sound.length_ms(),
                )
            })
            .collect();
        assert_eq!(
            all,
            [
                ("fünf", "vega-4711", Part::Train, 16_000, 1000),
                ("Springer Gustav eins Felix drei", "vega-4711", Part::Train, 16_000, 1000),
            ]
        );
    }
}
