//! Which configuration a command takes.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use super::{Config, ConfigError};

/// The name of a configuration file.
pub const FILE: &str = "annabella.toml";
/// The configuration of the installed service.
pub const SERVICE: &str = "/var/lib/annabella/annabella.toml";

/// Where a configuration is looked for, in this order, if no command names one: the current folder,
/// the user's own settings (`$XDG_CONFIG_HOME` or `~/.config`), the installed service.
pub fn places() -> Vec<PathBuf> {
    let set =
        |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let own = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")));
    let own = own.map(|folder| folder.join("annabella").join(FILE));
    [PathBuf::from(FILE)].into_iter().chain(own).chain([PathBuf::from(SERVICE)]).collect()
}

/// The first of these files that is there.
///
/// # Errors
/// One is there, perhaps, and may not be read.
pub fn first(places: &[PathBuf]) -> Result<Option<PathBuf>, ConfigError> {
    for place in places {
        // Opening a FIFO waits; what is wrong with one is said when it is read.
        let is_file = std::fs::metadata(place).map(|kind| kind.is_file());
        match is_file.and_then(|is| if is { std::fs::File::open(place).map(drop) } else { Ok(()) })
        {
            Ok(()) => return Ok(Some(place.clone())),
            Err(err) if err.kind() == ErrorKind::PermissionDenied => {
                let file = place.display();
                return Err(ConfigError(format!(
                    "cannot read {file}: permission denied; take sudo, or name another file with --config"
                )));
            }
            Err(_) => {}
        }
    }
    Ok(None)
}

impl Config {
    /// The named configuration or the first of [`places`], and its file; without any, every key at
    /// its default.
    ///
    /// # Errors
    /// [`Config::load`] refuses it, or one that is found may not be read.
    pub fn find(named: Option<&Path>) -> Result<(Config, Option<PathBuf>), ConfigError> {
        let path = match named {
            Some(path) => Some(path.to_owned()),
            None => first(&places())?,
        };
        let config = path.as_deref().map_or_else(|| Ok(Config::default()), Config::load)?;
        Ok((config, path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_file_that_is_there_counts() {
        let folder = tempfile::tempdir().expect("a folder");
        let places = ["here", "own", "service"].map(|name| folder.path().join(name));
        assert_eq!(first(&places).expect("none"), None);
        std::fs::write(&places[2], "").expect("written");
        assert_eq!(first(&places).expect("one").as_ref(), Some(&places[2]));
        std::fs::write(&places[1], "").expect("written");
        assert_eq!(first(&places).expect("two").as_ref(), Some(&places[1]));
    }

    #[test]
    fn the_current_folder_comes_first_and_the_service_last() {
        let all = places();
        assert_eq!(all.first().map(PathBuf::as_path), Some(Path::new(FILE)));
        assert_eq!(all.last().map(PathBuf::as_path), Some(Path::new(SERVICE)));
    }
}
