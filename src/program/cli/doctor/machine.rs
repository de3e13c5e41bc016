//! The source of facts about the machine.

use std::{
    fs, io,
    os::unix::fs::MetadataExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
    time::{Duration, Instant},
};

use std::io::Read;

/// A program that does not answer is left alone after this time.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whom a file belongs to and what its mode is, as `stat` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Owner {
    pub uid: u32,
    pub gid: u32,
    /// Permissions, the nine lower bits.
    pub mode: u32,
}

/// How much room a file system has, bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Space {
    /// The space that anybody may still write.
    pub free: u64,
    pub total: u64,
}

/// A machine that can be looked at. Paths begin at its root.
pub trait Machine {
    /// A file's content.
    ///
    /// # Errors
    /// As the system says.
    fn bytes(&self, path: &str) -> io::Result<Vec<u8>>;

    /// The names in a folder, in order; none without the folder.
    fn names(&self, folder: &str) -> Vec<String>;

    /// Whom a file or folder belongs to; `None` where it is not there.
    fn owner(&self, path: &str) -> Option<Owner>;

    /// The room on the file system of this path.
    fn space(&self, path: &str) -> Option<Space>;

    /// A program's standard output, whatever its exit code. `None` if the program is missing or
    /// does not answer.
    fn tells(&self, program: &str, args: &[&str]) -> Option<String>;

    /// A file as text.
    ///
    /// # Errors
    /// As the system says.
    fn text(&self, path: &str) -> io::Result<String> {
        Ok(String::from_utf8_lossy(&self.bytes(path)?).into_owned())
    }

    /// A file of one line, without the line's end and the zero that device trees end texts with.
    fn line(&self, path: &str) -> Option<String> {
        let text = self.text(path).ok()?;
        Some(text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned())
    }

    /// A number of a device tree: four bytes, the highest first.
    fn cell(&self, path: &str) -> Option<u32> {
        let bytes = self.bytes(path).ok()?;
        Some(u32::from_be_bytes(bytes.try_into().ok()?))
    }
}

/// A running Linux, or a folder that looks like one.
#[derive(Clone, Debug)]
pub struct Linux {
    root: PathBuf,
}

impl Linux {
    pub fn here() -> Linux {
        Linux { root: PathBuf::from("/") }
    }

    /// The files below a folder; programs are not asked.
    pub fn below(root: impl Into<PathBuf>) -> Linux {
        Linux { root: root.into() }
    }

    fn path(&self, path: &str) -> PathBuf {
        self.root.join(path.trim_start_matches('/'))
    }
}

impl Machine for Linux {
    fn bytes(&self, path: &str) -> io::Result<Vec<u8>> {
        fs::read(self.path(path))
    }

    fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
        let mut names: Vec<String> =
            entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).collect();
        names.sort();
        names
    }

    fn owner(&self, path: &str) -> Option<Owner> {
        let found = fs::metadata(self.path(path)).ok()?;
        Some(Owner { uid: found.uid(), gid: found.gid(), mode: found.mode() & 0o777 })
    }

    fn space(&self, path: &str) -> Option<Space> {
        let found = rustix::fs::statvfs(self.path(path)).ok()?;
        let unit = found.f_frsize;
        Some(Space { free: found.f_bavail * unit, total: found.f_blocks * unit })
    }

    fn tells(&self, program: &str, args: &[&str]) -> Option<String> {
        if self.root != Path::new("/") {
            return None;
        }
        let mut child = Command::new(program)
            .args(args)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        // These answers fit into a pipe, so the program can end before it is read.
        let until = Instant::now() + PATIENCE;
        while child.try_wait().ok()?.is_none() {
            if Instant::now() > until {
                // The program may have ended meanwhile.
                let _ = child.kill();
                let _ = child.wait();
                return None;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let mut text = Vec::new();
        child.stdout.take()?.take(1 << 16).read_to_end(&mut text).ok()?;
        Some(String::from_utf8_lossy(&text).into_owned())
    }
}
