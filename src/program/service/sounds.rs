//! The recording device (D.2.7): the sound of announcements beside the journal.
//!
//! `annabella.db` has its sounds in `annabella.audio/GAME/T.wav`: the game's number, and the moment
//! of the journal's entry in milliseconds. Together they stay below a limit. Above it the oldest
//! other games' sounds are removed, one game after the other, then the oldest of this game. The
//! journal itself is never touched.

use std::{
    fs,
    path::{Path, PathBuf},
};

use annabella_core::game::At;
use annabella_devices::voice::Pcm;
use annabella_records::journal::GameId;

/// A folder of sounds with a limit.
#[derive(Clone, Debug)]
pub struct Sounds {
    folder: PathBuf,
    limit: u64,
}

impl Sounds {
    /// Sounds beside this journal, at most `limit` bytes.
    pub fn beside(journal: &Path, limit: u64) -> Sounds {
        Sounds { folder: journal.with_extension("audio"), limit }
    }

    /// The path of an entry's sound, kept or not.
    pub fn path(&self, game: GameId, at: At) -> PathBuf {
        self.folder.join(game.to_string()).join(format!("{:012}.wav", at.ms))
    }

    /// Keeps a sound, and removes old ones if there are too many.
    ///
    /// # Errors
    /// One line that says which file cannot be written or removed.
    pub fn keep(&self, game: GameId, at: At, sound: &Pcm) -> Result<PathBuf, String> {
        let path = self.path(game, at);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|err| {
                format!("[record] audio: cannot make {}: {err}", folder.display())
            })?;
        }
        sound.write_wav(&path).map_err(|err| format!("[record] audio: {err}"))?;
        self.trim(game, &path)?;
        Ok(path)
    }

    /// Removes the oldest until the limit is kept; never the one that was just written.
    fn trim(&self, game: GameId, newest: &Path) -> Result<(), String> {
        let mut games = self.games();
        let mut total: u64 = games.iter().flat_map(|(_, files)| files).map(|(_, size)| size).sum();
        // This game comes last, whatever its number.
        games.sort_by_key(|(number, _)| (*number == game.number, *number));
        for (number, files) in games {
            for (path, size) in files {
                if total <= self.limit {
                    return Ok(());
                }
                if path == newest {
                    continue;
                }
                fs::remove_file(&path).map_err(|err| {
                    format!("[record] audio: cannot remove {}: {err}", path.display())
                })?;
                total -= size;
            }
            // Only an empty folder goes; one with other things in it is somebody's.
            let _ = fs::remove_dir(self.folder.join(number.to_string()));
        }
        Ok(())
    }

    /// Each game's sounds, the oldest first.
    fn games(&self) -> Vec<(i64, Vec<(PathBuf, u64)>)> {
        let list = |folder: &Path| -> Vec<PathBuf> {
            let entries = fs::read_dir(folder).into_iter().flatten().flatten();
            let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
            paths.sort();
            paths
        };
        list(&self.folder)
            .into_iter()
            .filter_map(|folder| {
                let number = folder.file_name()?.to_str()?.parse().ok()?;
                let files = list(&folder).into_iter().filter(|path| is_wav(path));
                let sized = files.filter_map(|path| {
                    let size = fs::metadata(&path).ok()?.len();
                    Some((path, size))
                });
                Some((number, sized.collect()))
            })
            .collect()
    }
}

fn is_wav(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "wav")
}
