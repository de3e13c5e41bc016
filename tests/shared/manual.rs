//! Manual pages and completions as clap makes them, kept in `scripts/release`, so that a package
//! for another machine needs no program that runs here. `make manual` writes them anew.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use clap::Command;
use clap_complete::{Shell, generate};

/// Fails where the kept files are not those of this command line; writes them where `WRITE_MANUAL`
/// is set. `folder`: the package's, in the checkout's `scripts/release`. `others`: pages that other
/// programs have under these names.
pub(crate) fn assert_written(command: Command, name: &'static str, folder: &str, others: &[&str]) {
    let command = command.name(name).bin_name(name).disable_help_subcommand(true);
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let release = own.ancestors().map(|folder| folder.join("scripts/release"));
    let share = release.into_iter().find(|path| path.is_dir()).expect("a checkout").join(folder);
    let mut made: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    let pages = tempfile::tempdir().expect("a folder");
    clap_mangen::generate_to(command.clone(), pages.path()).expect("pages");
    for page in fs::read_dir(pages.path()).expect("read") {
        let page = page.expect("an entry");
        if !others.iter().any(|other| page.file_name() == *other) {
            let path = Path::new("man/man1").join(page.file_name());
            made.insert(path, fs::read(page.path()).expect("read"));
        }
    }
    for (shell, path) in [
        (Shell::Bash, format!("bash-completion/completions/{name}")),
        (Shell::Zsh, format!("zsh/site-functions/_{name}")),
        (Shell::Fish, format!("fish/vendor_completions.d/{name}.fish")),
    ] {
        let mut text = Vec::new();
        generate(shell, &mut command.clone(), name, &mut text);
        made.insert(path.into(), text);
    }
    for (path, text) in made {
        let path = share.join(path);
        if std::env::var_os("WRITE_MANUAL").is_some() {
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(&path, &text).expect("written");
        }
        let kept = fs::read(&path).unwrap_or_default();
        assert!(kept == text, "{} is not up to date: make manual", path.display());
    }
}
