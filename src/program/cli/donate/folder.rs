//! A person's folder: recordings, their list, the licence, and what was agreed to.

use std::{
    collections::BTreeSet,
    fmt, fs,
    io::{self, Write},
    os::unix::fs::{DirBuilderExt, PermissionsExt},
    path::{Path, PathBuf},
    process::Command,
    time::{SystemTime, UNIX_EPOCH},
};

use super::list::{self, LIST, Row};
use crate::cli::Failure;
use annabella_core::donate::{Certainty, Consenting, Donation};
use annabella_devices::voice::{Pcm, take::RATE_HZ};
use annabella_records::journal::export::pgn_date;
use annabella_words::phrase::Words;

/// What is said, one text a line.
const PLAN: &str = "prompts.tsv";
pub(super) const LICENCE_FILE: &str = "LICENSE";
pub(super) const READ_ME: &str = "README.md";
/// The spoken "ja" of the person, or the line that was typed; of a minor also the guardian's.
pub(super) const CONSENT: &str = "consent";
const GUARDIAN: &str = "guardian";
/// Each file is written under this name first: none is ever half written.
const WRITING: &str = ".writing";

const LICENCE_TEXT: &str = "\
Creative Commons CC0 1.0 Universal (CC0-1.0)
https://creativecommons.org/publicdomain/zero/1.0/legalcode

The person who speaks in these recordings has waived all rights in them, worldwide, as far as the law
allows: anybody may copy, change, publish and use them for any purpose, without asking and without
naming anybody. The text at the address above is the one that counts.
";

/// A file that could not be written.
#[derive(Debug)]
pub struct NotWritten {
    pub path: PathBuf,
    pub err: io::Error,
}

impl NotWritten {
    /// The disk is full, or what this user may use of it.
    pub fn is_for_want_of_space(&self) -> bool {
        matches!(self.err.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
    }
}

impl fmt::Display for NotWritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let remedy = match self.is_for_want_of_space() {
            true => "make room, then `annabella donate` goes on where it was",
            false => "is the folder writable? --folder names another",
        };
        write!(f, "cannot write {}: {}; {remedy}", self.path.display(), self.err)
    }
}

impl From<NotWritten> for Failure {
    fn from(err: NotWritten) -> Failure {
        Failure::device(err)
    }
}

/// Whose consent, and its sound; none where it was typed.
pub type Consented = (Consenting, Option<Pcm>);

/// The folder of one person.
#[derive(Debug)]
pub struct Folder {
    path: PathBuf,
    plan: Vec<String>,
    rows: Vec<Row>,
}

impl Folder {
    /// Makes a folder below `base`, which only its owner may read.
    pub fn begin(
        base: &Path,
        donation: &Donation,
        words: &Words,
        consents: &[Consented],
    ) -> Result<Folder, NotWritten> {
        let path = base.join(donation.name());
        let mut maker = fs::DirBuilder::new();
        maker.recursive(true).mode(0o700);
        maker.create(&path).map_err(|err| NotWritten { path: path.clone(), err })?;
        let folder = Folder { path, plan: donation.plan().to_vec(), rows: Vec::new() };
        for (who, sound) in consents {
            let name = match who {
                Consenting::Donor => CONSENT,
                Consenting::Guardian => GUARDIAN,
            };
            match sound {
                Some(sound) => folder.write(&format!("{name}.wav"), &sound.to_wav())?,
                None => folder.write(&format!("{name}.txt"), b"yes, typed\n")?,
            }
        }
        let lines = (1..).zip(&folder.plan).map(|(n, text)| format!("{n}\t{text}\n"));
        folder.write(PLAN, lines.collect::<String>().as_bytes())?;
        folder.write(LICENCE_FILE, LICENCE_TEXT.as_bytes())?;
        folder.write(READ_ME, read_me(donation, words, consents).as_bytes())?;
        folder.write_list()?;
        Ok(folder)
    }

    /// The folder that is there.
    ///
    /// # Errors
    /// One line, with the file.
    pub fn open(path: &Path) -> Result<Folder, String> {
        let text = |name: &str| {
            let path = path.join(name);
            annabella_records::whole::read_text(&path)
                .map_err(|err| format!("cannot read {}: {err}", path.display()))
        };
        let wrong = |name: &str, why: &str| format!("{}: {why}", path.join(name).display());
        let mut plan = Vec::new();
        for (n, line) in (1..).zip(text(PLAN)?.lines()) {
            let said = line.split_once('\t').filter(|(number, _)| *number == n.to_string());
            let (_, said) =
                said.ok_or_else(|| wrong(PLAN, &format!("line {n}: its number and a text")))?;
            plan.push(said.to_owned());
        }
        let (speaker, rows) = list::read(&text(LIST)?).map_err(|why| wrong(LIST, &why))?;
        let folder = Folder { path: path.to_owned(), plan, rows };
        if speaker.is_some_and(|speaker| speaker != folder.name()) {
            return Err(wrong(LIST, "the speaker is not the folder's name"));
        }
        let planned = |row: &Row| folder.plan.get(row.number) == Some(&row.text);
        match folder.rows.iter().find(|row| !planned(row)) {
            Some(row) => {
                let why = format!("{}: '{}' is not what was asked for", row.file(), row.text);
                Err(wrong(LIST, &why))
            }
            None => Ok(folder),
        }
    }

    /// The person's.
    pub fn name(&self) -> &str {
        self.path.file_name().and_then(|name| name.to_str()).unwrap_or_default()
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    pub fn plan(&self) -> &[String] {
        &self.plan
    }

    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The texts of the plan that need not be said again.
    pub fn done(&self) -> BTreeSet<usize> {
        let done = self.rows.iter().filter(|row| row.certainty != Certainty::Guess);
        done.map(|row| row.number).collect()
    }

    /// Keeps a take of a text of the plan: mono, 16 bits, 16 kHz.
    ///
    /// # Errors
    /// [`NotWritten`]; the list is as it was.
    pub fn keep(&mut self, row: Row, sound: &Pcm) -> Result<(), NotWritten> {
        self.write(&row.file(), &sound.resampled(RATE_HZ).to_wav())?;
        self.rows.retain(|other| (other.number, other.take) != (row.number, row.take));
        self.rows.push(row);
        self.rows.sort_by_key(|row| (row.number, row.take));
        self.write_list()
    }

    /// All takes of a text are said anew.
    pub fn forget(&mut self, number: usize) -> Result<(), NotWritten> {
        let (gone, kept) = self.rows.drain(..).partition(|row| row.number == number);
        self.rows = kept;
        // The list first: it never names a file that is not there.
        self.write_list()?;
        let gone: Vec<Row> = gone;
        gone.iter()
            .try_for_each(|row| removed(&self.path.join(row.file()), |path| fs::remove_file(path)))
    }

    /// How large all files are together, bytes.
    pub fn size(&self) -> u64 {
        let entries = fs::read_dir(&self.path).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.metadata().ok()).map(|about| about.len()).sum()
    }

    /// The archive beside the folder.
    pub fn archive_path(&self) -> PathBuf {
        self.path.with_extension("tar")
    }

    /// Makes one file of the folder, to be sent. The names of users of this machine are not in it.
    pub fn archive(&self) -> Result<PathBuf, NotWritten> {
        let archive = self.archive_path();
        let not = |err: io::Error| NotWritten { path: archive.clone(), err };
        let base = self.path.parent().unwrap_or(Path::new("."));
        let made = Command::new("tar")
            .args(["--owner=0", "--group=0", "--numeric-owner", "--exclude", WRITING, "-C"])
            .arg(base)
            .arg("-cf")
            .arg(&archive)
            .args(["--", self.name()])
            .output()
            .map_err(not)?;
        if made.status.success() {
            let own = fs::Permissions::from_mode(0o600);
            fs::set_permissions(&archive, own).map_err(not)?;
            return Ok(archive);
        }
        // Half an archive is worth nothing; that it is there no longer is what counts.
        let _ = fs::remove_file(&archive);
        let said = String::from_utf8_lossy(&made.stderr);
        Err(not(io::Error::other(said.lines().next().unwrap_or("tar failed").to_owned())))
    }

    /// Deletes the folder and its archive.
    pub fn delete(self) -> Result<(), NotWritten> {
        removed(&self.archive_path(), |path| fs::remove_file(path))?;
        removed(&self.path, |path| fs::remove_dir_all(path))
    }

    fn write_list(&self) -> Result<(), NotWritten> {
        self.write(LIST, list::write(self.name(), &self.rows).as_bytes())
    }

    /// Writes a file as a whole, or not at all.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), NotWritten> {
        let (writing, path) = (self.path.join(WRITING), self.path.join(name));
        let written = fs::File::create(&writing).and_then(|mut file| {
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&writing, &path)
        });
        written.map_err(|err| {
            // It is not there, or its rest is worth nothing.
            let _ = fs::remove_file(&writing);
            NotWritten { path, err }
        })
    }
}

/// Removes what may be gone already.
fn removed(path: &Path, remove: impl Fn(&Path) -> io::Result<()>) -> Result<(), NotWritten> {
    match remove(path) {
        Err(err) if err.kind() != io::ErrorKind::NotFound => {
            Err(NotWritten { path: path.to_owned(), err })
        }
        _ => Ok(()),
    }
}

/// The folders of people in this one, the one written to last first; or it is one itself.
pub(super) fn all(base: &Path) -> Vec<PathBuf> {
    if base.join(LIST).is_file() {
        return vec![base.to_owned()];
    }
    let entries = fs::read_dir(base).into_iter().flatten().flatten();
    let mut found: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| {
            let written = fs::metadata(entry.path().join(LIST)).ok()?.modified().ok()?;
            Some((written, entry.path()))
        })
        .collect();
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

fn read_me(donation: &Donation, words: &Words, consents: &[Consented]) -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (prompts, moves) = (words.prompts(), words.moves());
    let how = |who: Consenting, file: &str| match consents
        .iter()
        .find(|(consenting, _)| *consenting == who)
    {
        Some((_, Some(_))) => format!("aloud ({file}.wav)"),
        Some((_, None)) => format!("by a typed line ({file}.txt)"),
        None => "not at all".to_owned(),
    };
    let guardian = consents.iter().any(|(who, _)| *who == Consenting::Guardian);
    let age = match guardian {
        true => format!("is a minor. A guardian agreed {}", how(Consenting::Guardian, GUARDIAN)),
        false => "said to be eighteen or older".to_owned(),
    };
    let agreed: Vec<String> =
        donation.agreed().iter().map(|sentence| format!("> {sentence}\n")).collect();
    let answers: Vec<String> = donation
        .answers()
        .iter()
        .map(|(asked, answer)| match answer {
            Some(n) => format!("- \"{asked}\" Answer: {n}.\n"),
            None => format!("- \"{asked}\" No answer.\n"),
        })
        .collect();
    format!(
        "# The voice of {name}\n\n\
         Recorded with `annabella donate` {version}, begun on {date}. Language of the questions: {language} \
         ({code}). Language of the moves: {moves} ({moves_code}). `{name}` is not the person's name.\n\n\
         ## Consent\n\n\
         The person heard this, sentence by sentence, and agreed {consent}:\n\n{agreed}\n\
         The person {age}.\n\n\
         ## About the person\n\n{answers}\n\
         ## The recordings\n\n\
         `{LIST}` lists them, `{PLAN}` is what was asked for, in this order. WAV, 16 kHz, mono, 16 bits. In the \
         column `certainty`, *exact* was heard so by the program too, *likely* was not checked, *doubtful* was heard \
         otherwise twice (column `heard`) or is a bad recording, and after a *guess* the person was asked once more. \
         {LICENCE_FILE}: CC0 1.0.\n",
        name = donation.name(),
        version = env!("CARGO_PKG_VERSION"),
        date = pgn_date(seconds).replace('.', "-"),
        language = prompts.language(),
        code = prompts.code(),
        moves = moves.language(),
        moves_code = moves.code(),
        consent = how(Consenting::Donor, CONSENT),
        agreed = agreed.join(">\n"),
        answers = answers.concat(),
    )
}
