//! Whether a model's folder is whole.
//!
//! # libvosk dies of broken models
//!
//! libvosk refuses most bad folders. But a graph that was cut off (an interrupted copy, a full
//! disk), or settings without silence phones, end the whole process: seen with libvosk 0.3.45. So
//! both are checked before libvosk opens the folder. A change inside a file of the right length is
//! found where somebody has written down what should stand there: in the built-in model, and in one
//! that `scripts/fetch-model.sh` has fetched.

use std::{
    fs::{self, File},
    io::{self, BufReader, Read, Write as _},
    path::Path,
};

use sha2::{Digest as _, Sha256};

use super::trusted::trusted;

/// Files without which libvosk reads no model; it says which is missing only on its own log.
const NEEDED: [&str; 6] = [
    "am/final.mdl",
    "conf/mfcc.conf",
    CONF,
    "graph/HCLr.fst",
    "graph/Gr.fst",
    "graph/disambig_tid.int",
];
/// These may be missing, but not empty.
const OPTIONAL: [&str; 2] = ["graph/words.txt", "graph/phones/word_boundary.int"];
const CONF: &str = "conf/model.conf";

/// Looks at the folder. The error is the reason why it is no model for grammars made at run time.
pub(super) fn check(folder: &Path) -> Result<(), String> {
    let large = !folder.join("graph/HCLr.fst").exists() && folder.join("graph/HCLG.fst").exists();
    if large {
        return Err("it takes no grammar at run time (no graph/HCLr.fst), use a small model".into());
    }
    for file in NEEDED {
        filled(&folder.join(file)).map_err(|why| format!("{file} {why}"))?;
        trusted(&folder.join(file))?;
    }
    for file in OPTIONAL.into_iter().filter(|file| folder.join(file).exists()) {
        filled(&folder.join(file)).map_err(|why| format!("{file} {why}"))?;
        trusted(&folder.join(file))?;
    }
    let conf = fs::read_to_string(folder.join(CONF)).map_err(|err| format!("{CONF}: {err}"))?;
    let phones = conf.lines().find_map(|line| line.strip_prefix("--endpoint.silence-phones="));
    if phones.is_none_or(|phones| phones.trim().is_empty()) {
        return Err(format!("{CONF} lacks --endpoint.silence-phones"));
    }
    look_ahead(&folder.join("graph/HCLr.fst")).map_err(|why| format!("graph/HCLr.fst {why}"))?;
    match fs::read_to_string(folder.join(FETCHED)) {
        Ok(fetched) => compare(folder, &fetched, "that was fetched"),
        Err(err) if err.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(err) => Err(format!("{FETCHED} cannot be read: {err}")),
    }
}

/// The files of the built-in model, as `sha256sum` writes them: `voices/model.sha256`.
const BUILT_IN: &str = include_str!("../../../../voices/model.sha256");

/// The files of a model as it was fetched, in the same form, beside them. `scripts/fetch-model.sh`
/// writes it after it has compared the whole with the checksum that it knows.
const FETCHED: &str = "fetched.sha256";

/// The files of a graph that `annabella words` has written, in the same form, beside them.
const TAUGHT: &str = "graph.sha256";

/// Whether the folder has the built-in model as this program was tested with it, or with the graph
/// that `annabella words` has written. The error is the reason.
pub(super) fn check_built_in(folder: &Path) -> Result<(), String> {
    compare(folder, BUILT_IN, "that this program was tested with")
}

/// Whether the files are those that `sums` names, or a graph that `annabella words` has written.
fn compare(folder: &Path, sums: &str, which: &str) -> Result<(), String> {
    let taught = fs::read_to_string(folder.join(TAUGHT)).unwrap_or_default();
    for line in sums.lines() {
        let (sum, file) = line.split_once("  ").unwrap_or_default();
        let found =
            sha256(&folder.join(file)).map_err(|err| format!("{file} cannot be read: {err}"))?;
        let own = file.starts_with("graph/")
            && taught.lines().any(|own| own == format!("{found}  {file}"));
        if found != sum && !own {
            return Err(format!("{file} is not the one {which} (sha256 {found})"));
        }
    }
    Ok(())
}

/// Writes the checksums of a graph that was made on purpose: the built-in model is opened with it
/// from then on.
///
/// # Errors
/// When a file cannot be read or written.
pub fn keep_graph(model: &Path) -> io::Result<()> {
    let mut lines = String::new();
    for (_, file) in BUILT_IN.lines().filter_map(|line| line.split_once("  ")) {
        if file.starts_with("graph/") {
            lines += &format!("{}  {file}\n", sha256(&model.join(file))?);
        }
    }
    let mut kept = File::create(model.join(TAUGHT))?;
    kept.write_all(lines.as_bytes())?;
    kept.sync_all()
}

/// The SHA-256 of a file, as digits.
pub(super) fn sha256(file: &Path) -> io::Result<String> {
    let mut sum = Sha256::new();
    io::copy(&mut File::open(file)?, &mut sum)?;
    Ok(sum.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

fn filled(file: &Path) -> Result<(), String> {
    match fs::metadata(file) {
        Ok(data) if data.is_file() && data.len() > 0 => Ok(()),
        Ok(_) => Err("is empty".to_owned()),
        Err(_) => Err("is missing".to_owned()),
    }
}

const MAGIC: i32 = 2_125_659_606;
const ADD_ON_MAGIC: i32 = 446_681_434;
const STATE_BYTES: u64 = 20;
const ARC_BYTES: u64 = 16;

/// Whether an automaton of the kind `olabel_lookahead` ends where its header says. Layouts that
/// differ from OpenFst's own tools are left to libvosk.
///
/// Source: OpenFst 1.7, `fst.h` (header), `const-fst.h`, `add-on.h`, `label-reachable.h`
fn look_ahead(file: &Path) -> Result<(), String> {
    let said = |err: io::Error| match err.kind() {
        io::ErrorKind::UnexpectedEof => "is cut off".to_owned(),
        io::ErrorKind::InvalidData => "is no look-ahead graph".to_owned(),
        _ => format!("cannot be read: {err}"),
    };
    let opened = File::open(file).and_then(|file| Ok((file.metadata()?.len(), file)));
    let (length, file) = opened.map_err(said)?;
    let mut from = Walk { file: BufReader::new(file), at: 0, length };
    from.graph().map_err(said)
}

struct Walk {
    file: BufReader<File>,
    at: u64,
    length: u64,
}

struct Header {
    kind: Vec<u8>,
    flags: i32,
    states: u64,
    arcs: u64,
}

impl Walk {
    /// The automaton, then what each of its states can reach.
    fn graph(&mut self) -> io::Result<()> {
        self.header(&["olabel_lookahead"])?;
        if self.i32()? != ADD_ON_MAGIC {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let inner = self.header(&["const", "vector"])?;
        if inner.kind != b"const" || inner.flags != 0 {
            return Ok(());
        }
        self.skip(inner.states, STATE_BYTES)?;
        self.skip(inner.arcs, ARC_BYTES)?;
        // A look-ahead by output, which does not keep the old label numbers.
        if self.array::<5>()? != [1, 0, 1, 0, 0] {
            return Ok(());
        }
        self.i32()?;
        for _ in 0..self.u64()? {
            let intervals = self.u64()?;
            self.skip(intervals, 8)?;
            self.i32()?;
        }
        Ok(())
    }

    /// Of one of these kinds.
    fn header(&mut self, kinds: &[&str]) -> io::Result<Header> {
        if self.i32()? != MAGIC {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let kind = self.name()?;
        let arcs = self.name()?;
        if !kinds.iter().any(|known| known.as_bytes() == kind) || arcs != b"standard" {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let _version = self.i32()?;
        let flags = self.i32()?;
        let [_properties, _start] = [self.u64()?, self.u64()?];
        Ok(Header { kind, flags, states: self.u64()?, arcs: self.u64()? })
    }

    /// A short name after its length.
    fn name(&mut self) -> io::Result<Vec<u8>> {
        let length = usize::try_from(self.i32()?).ok().filter(|length| *length <= 64);
        let mut name = vec![0; length.ok_or(io::ErrorKind::InvalidData)?];
        self.bytes(&mut name)?;
        Ok(name)
    }

    fn bytes(&mut self, to: &mut [u8]) -> io::Result<()> {
        self.at += to.len() as u64;
        self.file.read_exact(to)
    }

    fn array<const N: usize>(&mut self) -> io::Result<[u8; N]> {
        let mut array = [0; N];
        self.bytes(&mut array)?;
        Ok(array)
    }

    fn i32(&mut self) -> io::Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> io::Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn skip(&mut self, count: u64, each: u64) -> io::Result<()> {
        let bytes = count.saturating_mul(each);
        self.at = self.at.saturating_add(bytes);
        if self.at > self.length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.file.seek_relative(bytes.try_into().map_err(|_| io::ErrorKind::UnexpectedEof)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BUILTIN: &str = "../../voices/model/graph/HCLr.fst";

    #[test]
    fn the_built_in_model_is_whole() {
        assert_eq!(check(Path::new("../../voices/model")), Ok(()));
    }

    #[test]
    fn no_byte_of_a_fetched_model_is_another_than_was_fetched() {
        let folder = tempfile::tempdir().expect("folder");
        let own = Path::new("../../voices/model");
        for line in BUILT_IN.lines() {
            let (_, file) = line.split_once("  ").expect("a line of sha256sum");
            let copy = folder.path().join(file);
            fs::create_dir_all(copy.parent().expect("a folder")).expect("made");
            fs::copy(own.join(file), copy).expect("copied");
        }
        fs::write(folder.path().join(FETCHED), BUILT_IN).expect("written");
        assert_eq!(check(folder.path()), Ok(()));
        let conf = folder.path().join(CONF);
        let mut text = fs::read_to_string(&conf).expect("settings");
        text += "--beam=1\n";
        fs::write(&conf, text).expect("written");
        let said = check(folder.path()).expect_err("another");
        assert!(said.starts_with("conf/model.conf is not the one that was fetched"), "{said}");
        fs::write(folder.path().join(FETCHED), "not a line of sha256sum\n").expect("written");
        assert!(check(folder.path()).is_err());
    }

    #[test]
    fn no_byte_of_the_built_in_model_is_another_than_was_tested() {
        let own = Path::new("../../voices/model");
        assert_eq!(check_built_in(own), Ok(()));
        let folder = tempfile::tempdir().expect("folder");
        for line in BUILT_IN.lines() {
            let (_, file) = line.split_once("  ").expect("a line of sha256sum");
            let copy = folder.path().join(file);
            fs::create_dir_all(copy.parent().expect("a folder")).expect("made");
            fs::copy(own.join(file), copy).expect("copied");
        }
        assert_eq!(check_built_in(folder.path()), Ok(()));
        assert!(NEEDED.iter().all(|file| BUILT_IN.contains(file)));
        let network = folder.path().join("am/final.mdl");
        let mut bytes = fs::read(&network).expect("the network");
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&network, bytes).expect("written");
        let said = check_built_in(folder.path()).expect_err("another");
        assert!(
            said.starts_with("am/final.mdl is not the one that this program was tested with"),
            "{said}"
        );
        assert_eq!(check(folder.path()), Ok(()), "its lengths are right");
        keep_graph(folder.path()).expect("kept");
        assert_eq!(check_built_in(folder.path()), Err(said), "the network is never another");
        fs::copy(own.join("am/final.mdl"), network).expect("copied");
        let words = folder.path().join("graph/words.txt");
        fs::write(&words, "taught").expect("written");
        assert!(check_built_in(folder.path()).is_err(), "nobody has kept it");
        keep_graph(folder.path()).expect("kept");
        assert_eq!(check_built_in(folder.path()), Ok(()));
        fs::remove_file(words).expect("removed");
        assert!(
            check_built_in(folder.path())
                .expect_err("missing")
                .starts_with("graph/words.txt cannot be read")
        );
    }

    #[test]
    fn a_graph_is_found_to_be_cut_off_wherever_it_is() {
        let whole = fs::read(BUILTIN).expect("the built-in model");
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("HCLr.fst");
        let steps = (1..whole.len()).step_by(997).chain([3, 20, 70, 90, whole.len() - 1]);
        for length in steps {
            fs::write(&path, &whole[..length]).expect("written");
            assert_eq!(look_ahead(&path), Err("is cut off".to_owned()), "{length} bytes");
        }
    }

    #[test]
    fn no_bytes_are_taken_for_a_graph_or_panic() {
        let whole = fs::read(BUILTIN).expect("the built-in model");
        let folder = tempfile::tempdir().expect("folder");
        let path = folder.path().join("HCLr.fst");
        // The outer and the inner automaton's marks and names; flags and numbers between them.
        let marks = [0..36, 76..105];
        for n in 0..200 {
            let mut bytes = whole[..4000].to_vec();
            bytes[n] = bytes[n].wrapping_add(0x91);
            fs::write(&path, &bytes).expect("written");
            let found = look_ahead(&path);
            assert!(found.is_err() || !marks.iter().any(|mark| mark.contains(&n)), "byte {n}");
        }
        fs::write(&path, "#!/bin/sh\nexit 1\n").expect("written");
        assert_eq!(look_ahead(&path), Err("is no look-ahead graph".to_owned()));
    }
}
