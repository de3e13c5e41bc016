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

/// The absolute path of a file or folder that only root or this user may write to, nor anybody else exchange.
///
/// # Errors
/// Which file or folder others may write to, and the remedy.
pub(super) fn trusted(path: &Path) -> Result<PathBuf, String> {
    let failed = |path: &Path, err: io::Error| format!("{}: {err}", path.display());
    let whole = path.canonicalize().map_err(|err| failed(path, err))?;
    let own = fs::metadata("/proc/self").map_err(|err| failed(Path::new("/proc/self"), err))?;
    for part in whole.ancestors() {
        let kind = part.metadata().map_err(|err| failed(part, err))?;
        let mode = kind.permissions().mode();
        let its_owner = kind.uid() == 0 || kind.uid() == own.uid();
        // The user's own group is his alone, as Debian makes it.
        let by_group = mode & GROUP != 0 && kind.gid() != own.gid() && kind.gid() != 0;
        let by_others = (mode & OTHERS != 0 || by_group) && mode & STICKY == 0;
        if !its_owner || by_others {
            return Err(format!(
                "others may write to {}: only root and the user of this program may (chmod go-w, chown)",
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

/// The folders around the crate whose program or test Cargo runs, wherever it was built: Cargo names it in the
/// environment. None where something else started this program.
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
        // A link leads to what it is a link to.
        let link = folder.path().join("link.so");
        std::os::unix::fs::symlink(&file, &link).expect("a link");
        assert!(trusted(&link).is_err());
    }
}
