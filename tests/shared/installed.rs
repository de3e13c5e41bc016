//! A program outside of any checkout, with speech models beside it.

#![allow(dead_code)]

use std::{
    fs,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::{Command, Output},
};

/// The folder of the sources, whichever crate's tests these are.
pub(crate) fn checkout() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().find(|folder| folder.join("voices/model").is_dir()).expect("a checkout")
}

/// A program outside of any checkout, with the models beside it that were put there.
pub(crate) struct Installed {
    pub(crate) folder: tempfile::TempDir,
    program: PathBuf,
}

impl Installed {
    /// `built`: the program's file.
    pub(crate) fn new(built: &str) -> Installed {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("bin").join(Path::new(built).file_name().expect("a name"));
        fs::create_dir_all(program.parent().expect("bin")).expect("bin");
        fs::copy(built, &program).expect("copied");
        let installed = Installed { folder, program };
        installed.with_model("model", |words| words)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The built-in model under a name, its list of words changed.
    pub(crate) fn with_model(self, name: &str, change: impl Fn(String) -> String) -> Installed {
        let (from, to) = (checkout().join("voices/model"), self.path("share/annabella").join(name));
        fs::create_dir_all(to.join("graph/phones")).expect("a folder");
        let files = [
            "am/final.mdl",
            "conf/mfcc.conf",
            "conf/model.conf",
            "graph/HCLr.fst",
            "graph/Gr.fst",
            "graph/disambig_tid.int",
            "graph/phones.txt",
            "graph/phones/word_boundary.int",
            "ear/ranks.onnx",
        ];
        for file in files {
            fs::create_dir_all(to.join(file).parent().expect("a folder")).expect("made");
            symlink(from.join(file), to.join(file)).expect("linked");
        }
        let words = fs::read_to_string(from.join("graph/words.txt")).expect("there");
        fs::write(to.join("graph/words.txt"), change(words)).expect("written");
        self
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        Command::new(&self.program)
            .args(args)
            .current_dir(checkout())
            .env("HOME", self.path("home"))
            .output()
            .expect("runs")
    }

    pub(crate) fn stdout(&self, args: &[&str]) -> String {
        let output = self.run(args);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{said}");
        String::from_utf8_lossy(&output.stdout).into_owned()
    }
}

pub(crate) fn without_felix(words: String) -> String {
    // Nor what else people say for that file.
    ["felix", "friedrich"]
        .iter()
        .fold(words, |words, word| words.replace(&format!("\n{word} "), &format!("\nno{word} ")))
}
