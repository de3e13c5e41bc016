//! Whole donations by people made of samples, through the simulated microphone to the real
//! recogniser.

use std::{
    collections::BTreeSet, fs, os::unix::fs::PermissionsExt, path::PathBuf, process::Command,
};

use super::*;
use crate::cli::{
    donate::check,
    room::people::{Person, Reply},
    tell::read::{Told, teller},
};
use annabella_core::donate::Certainty;

fn words() -> Words {
    Words::builtin("fide", "de").expect("built in")
}

/// A session with somebody who answers so: what was told, and how it ended.
fn session(
    base: &Path,
    speaker: Option<&str>,
    answer: impl FnMut(&str) -> Option<Reply> + Send + 'static,
) -> (Vec<String>, Result<Exit, Failure>) {
    let (words, told) = (words(), Told::default());
    let (person, typed) = Person::new(&told, &words, answer);
    let mut out = Vec::new();
    let mut teller = teller(&mut out, &told);
    let model = Model::open(Path::new("voices/model")).expect("make vosk");
    assert!(knows(&model, &words));
    let room = Room::with(person, typed, &words, model, &teller);
    let config = Config::parse("", "a.toml").expect("empty");
    let session = Session { room, words, understands: true, config: &config, base };
    let ended = session.run(speaker, &mut teller);
    let lines = String::from_utf8(out).expect("text").lines().map(str::to_owned).collect();
    (lines, ended)
}

/// Says what is asked for.
fn repeats(told: &str) -> Option<Reply> {
    let asked = told.strip_prefix("Sag: ")?.strip_suffix('.')?;
    Some(Reply::Says(asked.to_owned()))
}

/// The folder of somebody who has agreed, with these texts to say.
fn begun(base: &Path, texts: &[&str]) -> PathBuf {
    let donor = Donor {
        words: words(),
        understands: true,
        limits: Default::default(),
        positions: Vec::new(),
        names: vec!["vega-4711".to_owned()],
        taken: Vec::new(),
    };
    let plan = texts.iter().map(|text| (*text).to_owned()).collect();
    let (donation, _) = Donation::resume(donor, plan, BTreeSet::new());
    let consents = [(annabella_core::donate::Consenting::Donor, None)];
    let folder = Folder::begin(base, &donation, &words(), &consents).expect("written");
    folder.path().to_owned()
}

fn checked(path: &Path) -> (String, Exit) {
    let mut out = Vec::new();
    let config = Config::parse("", "a.toml").expect("empty");
    let exit = check::run(path, &config, &mut out).expect("there");
    (String::from_utf8(out).expect("text"), exit)
}

#[test]
fn somebody_agrees_aloud_and_leaves_and_what_was_said_is_there() {
    let home = tempfile::tempdir().expect("a folder");
    let base = home.path().join("voices");
    let mut asked = 0;
    let (told, ended) = session(&base, Some("vega-4711"), move |told| match told {
        "Bist du einverstanden? Ja oder nein." | "Bist du achtzehn oder älter?" => {
            Some(Reply::Says("ja".to_owned()))
        }
        _ if told.starts_with("Wie alt bist du?") => Some(Reply::Says("drei".to_owned())),
        _ if told.starts_with("Wo hast du sprechen gelernt?") => Some(Reply::Types("")),
        _ => {
            let reply = repeats(told)?;
            asked += 1;
            Some(if asked < 3 { reply } else { Reply::Types("q") })
        }
    });
    assert!(matches!(ended, Ok(Exit::Done)), "{ended:?}");
    let folder = Folder::open(&base.join("vega-4711")).expect("whole");
    // Five sentences of consent, three questions, the task.
    assert_eq!(told[9..11], [0, 1].map(|n| format!("Sag: {}.", folder.plan()[n])), "{told:?}");
    let left = folder.plan().len() - folder.done().len();
    assert_eq!(told.len(), 14, "{told:?}");
    let left = words().prompt(Prompt::DonateLater, &[Slot::Number(left as u32)]).to_string();
    assert_eq!(told[12], left);
    let where_to = format!(
        "Alles liegt in {}. Megabyte: eins. Zum Verschicken ist eine Datei daraus gemacht: vega-4711.tar.",
        folder.path().display()
    );
    assert_eq!(told[13], where_to);
    assert_eq!(folder.done(), BTreeSet::from([0, 1]));
    // Only its owner reads it.
    for path in [&base, folder.path()] {
        assert_eq!(fs::metadata(path).expect("there").permissions().mode() & 0o777, 0o700);
    }
    let consent = Pcm::read_wav(&folder.path().join("consent.wav")).expect("the spoken yes");
    assert!((500..3000).contains(&consent.length_ms()) && consent.rate_hz == RATE_HZ);
    let read_me = fs::read_to_string(folder.path().join("README.md")).expect("there");
    for said in [
        "> Bist du einverstanden? Ja oder nein.\n",
        "agreed aloud (consent.wav)",
        "said to be eighteen or older",
        "sechzig oder älter. Willst du nicht antworten, sag: weiter.\" Answer: 3.\n",
        "Language of the questions: Deutsch (de).",
    ] {
        assert!(read_me.contains(said), "{said} in {read_me}");
    }
    let licence = fs::read_to_string(folder.path().join("LICENSE")).expect("there");
    assert!(licence.contains("https://creativecommons.org/publicdomain/zero/1.0/legalcode"));
    let listed = Command::new("tar").arg("-tvf").arg(folder.archive_path()).output().expect("tar");
    let listed = String::from_utf8(listed.stdout).expect("text");
    assert!(listed.contains("vega-4711/manifest.tsv") && listed.contains(" 0/0 "), "{listed}");
    let (report, exit) = checked(&base);
    assert_eq!(exit, Exit::Done, "{report}");
    assert!(report.ends_with("no faults\n") && report.starts_with("vega-4711: 2 of 1"), "{report}");
    deletes_all_at_a_word(&base);
}

/// Another day it goes on, and everything is deleted at a word.
fn deletes_all_at_a_word(base: &Path) {
    let mut asked = 0;
    let (told, ended) = session(base, None, move |told| {
        if told.starts_with("Weitermachen als Vega vier sieben eins eins? Noch hundert")
            || told == "Alles löschen, was du gesprochen hast?"
        {
            return Some(Reply::Says("ja".to_owned()));
        }
        let reply = repeats(told)?;
        asked += 1;
        Some(if asked == 1 { reply } else { Reply::Says("löschen".to_owned()) })
    });
    assert!(matches!(ended, Ok(Exit::Done)), "{ended:?}");
    assert_eq!(told.last().map(String::as_str), Some("Alles gelöscht."), "{told:?}");
    assert_eq!(fs::read_dir(base).expect("there").count(), 0);
}

#[test]
fn whoever_does_not_agree_leaves_nothing_on_the_disk() {
    let home = tempfile::tempdir().expect("a folder");
    let base = home.path().join("voices");
    let (told, ended) = session(&base, None, |told| {
        (told == "Bist du einverstanden? Ja oder nein.").then(|| Reply::Says("nein".to_owned()))
    });
    assert!(matches!(ended, Ok(Exit::Done)), "{ended:?}");
    assert_eq!(told.last().map(String::as_str), Some("Gut. Es ist nichts gespeichert."));
    assert!(!base.exists());
}

#[test]
fn each_text_is_kept_once_heard_and_what_is_misheard_or_bad_is_doubtful() {
    let home = tempfile::tempdir().expect("a folder");
    let base = home.path();
    let path =
        begun(base, &["Gustav", "fünf", "letzter Zug", "acht", "Springer Gustav eins Felix drei"]);
    let (told, ended) = session(base, Some("vega-4711"), |told| match told {
        // Misheard each time, as our model does it with people.
        "Sag: fünf." => Some(Reply::Says("eins".to_owned())),
        "Sag: acht." => Some(Reply::At(0.05, "acht".to_owned())),
        told => repeats(told),
    });
    assert!(matches!(ended, Ok(Exit::Done)), "{ended:?}");
    assert_eq!(
        told[1..11],
        [
            "Sag: Gustav.",
            "Sag: fünf.",
            "Noch einmal, bitte.",
            "Sag: fünf.",
            "Sag: letzter Zug.",
            "Sag: acht.",
            "Zu leise. Komm näher ans Mikrofon.",
            "Sag: acht.",
            "Sag: Springer Gustav eins Felix drei.",
            "Danke für deine Stimme. Aufnahmen: fünf.",
        ]
    );
    let folder = Folder::open(&path).expect("whole");
    let kept: Vec<_> = folder.rows().iter().map(|row| (row.file(), row.certainty)).collect();
    let kept: Vec<_> = kept.iter().map(|(file, certainty)| (file.as_str(), *certainty)).collect();
    use Certainty::{Doubtful, Exact, Guess};
    assert_eq!(
        kept,
        [
            ("001-1.wav", Exact),
            ("002-1.wav", Guess),
            ("002-2.wav", Doubtful),
            ("003-1.wav", Exact),
            ("004-2.wav", Doubtful),
            ("005-1.wav", Exact),
        ]
    );
    assert_eq!(folder.rows()[2].heard, "eins");
    let (report, exit) = checked(&path);
    assert_eq!((report.lines().count(), exit), (1, Exit::Done), "{report}");
    // A maintainer hears what does not fit, and finds what is no recording of the list.
    fs::copy(path.join("001-1.wav"), path.join("extra.wav")).expect("copied");
    fs::remove_file(path.join("003-1.wav")).expect("removed");
    fs::remove_file(path.join("consent.txt")).expect("removed");
    let list = path.join("manifest.tsv");
    let text = fs::read_to_string(&list).expect("there");
    fs::write(&list, text.replace("\tdoubtful\t", "\texact\t")).expect("written");
    let (report, exit) = checked(&path);
    let ours = |line: &str| line.replace(&format!("{}/", path.display()), "");
    let lines: Vec<String> = report.lines().map(ours).collect();
    assert_eq!(exit, Exit::Problem);
    assert_eq!(lines[0], "consent.wav: is missing, so nobody has agreed");
    assert_eq!(lines[1], "002-2.wav: 'fünf' is heard as 'eins'");
    assert!(lines[2].contains("003-1.wav"), "{lines:?}");
    assert_eq!(lines[3], "004-2.wav: is too quiet");
    assert_eq!(lines[4], "extra.wav: is in no list");
    assert!(lines[5].ends_with("; faults: 5"), "{lines:?}");
}

#[test]
fn a_full_disk_is_said_and_what_was_kept_before_stays() {
    let home = tempfile::tempdir().expect("a folder");
    let path = begun(home.path(), &["Gustav", "fünf"]);
    let before = fs::read_to_string(path.join("manifest.tsv")).expect("there");
    // Writing there fails as on a disk without space.
    std::os::unix::fs::symlink("/dev/full", path.join(".writing")).expect("a link");
    let (told, ended) = session(home.path(), Some("vega-4711"), repeats);
    let full = "Kein Platz mehr. Alles bis hierher ist gespeichert. Schaff Platz, dann geht es hier weiter.";
    assert_eq!(told.last().map(String::as_str), Some(full), "{told:?}");
    let why = ended.expect_err("no space").to_string();
    assert!(
        why.contains("001-1.wav")
            && why.ends_with("make room, then `annabella donate` goes on where it was"),
        "{why}"
    );
    assert_eq!(fs::read_to_string(path.join("manifest.tsv")).expect("there"), before);
    let (_, ended) = session(home.path(), Some("vega-4711"), repeats);
    assert!(matches!(ended, Ok(Exit::Done)), "{ended:?}");
    assert_eq!(Folder::open(&path).expect("whole").done().len(), 2);
}

#[test]
fn a_complete_folder_is_not_gone_on_with_and_one_with_faults_is_named() {
    let home = tempfile::tempdir().expect("a folder");
    let path = begun(home.path(), &[]);
    let refused = |what: &str| {
        let (_, ended) = session(home.path(), Some("vega-4711"), |_| None);
        let why = ended.expect_err("refused").to_string();
        assert!(why.ends_with(what), "{why}");
    };
    refused("vega-4711 is complete: take another --speaker");
    fs::write(path.join("prompts.tsv"), "1\tGustav\n3\tfünf\n").expect("written");
    refused("prompts.tsv: line 2: its number and a text");
    fs::write(path.join("manifest.tsv"), "file\n").expect("written");
    fs::write(path.join("prompts.tsv"), "1\tGustav\n").expect("written");
    refused("certainty, orig_sr, seconds, heard");
}

#[test]
fn a_whole_donation_in_one_go_is_complete_and_has_no_faults() {
    let home = tempfile::tempdir().expect("a folder");
    let base = home.path().join("voices");
    let (told, ended) = session(&base, None, |told| match told {
        "Bist du einverstanden? Ja oder nein." | "Bist du achtzehn oder älter?" => {
            Some(Reply::Says("ja".to_owned()))
        }
        _ if told.starts_with("In der Liste heißt du ") => Some(Reply::Says("ja".to_owned())),
        _ if told.starts_with("Wie alt bist du?") => Some(Reply::Says("weiter".to_owned())),
        _ if told.starts_with("Wo hast du sprechen gelernt?") => Some(Reply::Types("")),
        // A word that is misheard as a request.
        _ if told.starts_with("Pause.") => Some(Reply::Types("")),
        "Für heute aufhören?" | "Alles löschen, was du gesprochen hast?" => {
            Some(Reply::Types("nein"))
        }
        _ => repeats(told),
    });
    assert!(matches!(ended, Ok(Exit::Done)), "{ended:?}");
    let folder = Folder::open(&folder::all(&base)[0]).expect("whole");
    let count = folder.plan().len();
    assert_eq!(folder.done().len(), count, "{told:?}");
    let thanks = words().prompt(Prompt::DonateDone, &[Slot::Number(count as u32)]).to_string();
    assert_eq!(told[told.len() - 2], thanks);
    let rows = folder.rows().iter();
    let doubtful: Vec<_> = rows.filter(|row| row.certainty == Certainty::Doubtful).collect();
    assert!(doubtful.len() * 20 <= count, "{doubtful:#?}");
    let (report, exit) = checked(&base);
    assert_eq!(exit, Exit::Done, "{report}");
}
