//! Whether a file may be loaded: code and models come from folders that nobody else may write to.

use std::{
    env, fs, io,
    os::unix::fs::{MetadataExt as _, PermissionsExt as _},
    path::{Path, PathBuf},
};

/// Others may write, or the file's group.
const OTHERS: u32 = 0o002;
const GROUP: u32 = 0o020;
/// In such a folder everybody may make files, but nobody may exchange another's: `/tmp`.
const STICKY: u32 = 0o1000;

/// The absolute path of a file or folder that nobody may write to, nor exchange, but root, this
/// user and the owner of this program. He could exchange the program itself: so a checkout's own
/// library is loaded where root runs what its owner has built, as with sudo.
///
/// # Errors
/// Which file or folder others may write to, and the remedy.
pub(super) fn trusted(path: &Path) -> Result<PathBuf, String> {
    let mut known = vec![(0, 0)];
    for own in ["/proc/self", "/proc/self/exe"].map(Path::new) {
        let own = fs::metadata(own).map_err(|err| failed(own, &err))?;
        known.push((own.uid(), own.gid()));
    }
    trusted_to(path, &known)
}

fn failed(path: &Path, err: &io::Error) -> String {
    format!("{}: {err}", path.display())
}

/// The same, for these users, each with his own group.
fn trusted_to(path: &Path, known: &[(u32, u32)]) -> Result<PathBuf, String> {
    let whole = path.canonicalize().map_err(|err| failed(path, &err))?;
    for part in whole.ancestors() {
        let kind = part.metadata().map_err(|err| failed(part, &err))?;
        let mode = kind.permissions().mode();
        let its_owner = known.iter().any(|(user, _)| *user == kind.uid());
        // A user's own group is his alone, as Debian makes it.
        let by_group = mode & GROUP != 0 && !known.iter().any(|(_, group)| *group == kind.gid());
        let by_others = (mode & OTHERS != 0 || by_group) && mode & STICKY == 0;
        if !its_owner || by_others {
            return Err(format!(
                "others may write to {}: only root, the user of this program and its owner may (chmod go-w, chown)",
                part.display()
            ));
        }
    }
    Ok(whole)
}

/// The folders that a file lies in, one of which may be a checkout.
pub(super) fn around(file: &Path) -> Vec<PathBuf> {
    file.ancestors().skip(1).map(Path::to_owned).collect()
}

/// The folders around the crate whose program or test Cargo runs, wherever it was built: Cargo
/// names it in the environment. None where something else started this program.
pub(super) fn of_cargo() -> Vec<PathBuf> {
    let named = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
    named
        .filter(|path| path.is_absolute())
        .map(|path| around(&path.join("Cargo.toml")))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_names_the_checkout_wherever_it_built_the_program() {
        assert!(of_cargo().iter().any(|folder| folder.join("voices/model").is_dir()));
    }

    #[test]
    fn what_others_may_write_to_is_not_loaded() {
        let folder = tempfile::tempdir().expect("a folder");
        let (inner, file) = (folder.path().join("inner"), folder.path().join("inner/a.so"));
        fs::create_dir(&inner).expect("a folder");
        fs::write(&file, "x").expect("written");
        let mode = |path: &Path, mode| {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).expect("set");
        };
        mode(&inner, 0o755);
        mode(&file, 0o644);
        assert_eq!(trusted(&file), Ok(file.canonicalize().expect("there")));
        mode(&file, 0o666);
        assert!(trusted(&file).expect_err("the file").contains("a.so"));
        mode(&file, 0o644);
        mode(&inner, 0o777);
        let said = trusted(&file).expect_err("its folder");
        assert!(said.starts_with("others may write to ") && said.contains("/inner: "), "{said}");
        // Of another user, whom the caller does not know.
        mode(&inner, 0o755);
        let own = fs::metadata(&file).expect("there");
        assert!(trusted_to(&file, &[(0, 0), (own.uid(), own.gid())]).is_ok());
        let other = (own.uid() + 1, own.gid());
        assert!(trusted_to(&file, &[other]).expect_err("its owner").contains("a.so"));
        mode(&file, 0o664);
        let others_group = [(0, own.gid() + 1), (own.uid(), own.gid() + 1)];
        assert!(trusted_to(&file, &others_group).expect_err("its group").contains("a.so"));
        assert!(trusted_to(&file, &[(0, 0), (own.uid(), own.gid())]).is_ok());
        mode(&inner, 0o777);
        // A link leads to what it is a link to.
        let link = folder.path().join("link.so");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        assert!(trusted(&link).is_err());
    }
}
