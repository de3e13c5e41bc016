//! All games for the public: one live PGN file in the form that broadcasts poll, and a folder with one file
//! a game, each as it stood so long ago as the delay says.

use std::{
    collections::{BTreeMap, VecDeque},
    fs, io,
    path::{Path, PathBuf},
};

use annabella_records::journal::GameId;

/// A game, and the board at which it is played.
pub type BoardGame = (u32, GameId);

/// What the public sees, and what it will see.
#[derive(Debug, Default)]
pub struct Broadcast {
    delay_ms: u64,
    games: BTreeMap<BoardGame, Delayed>,
}

#[derive(Debug, Default)]
struct Delayed {
    shown: String,
    /// The shown one was written to its file.
    written: bool,
    /// When it is due, and the game as it stood; the oldest first.
    waiting: VecDeque<(u64, String)>,
}

/// Where it is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BroadcastFiles {
    pub all: Option<PathBuf>,
    /// A folder with one file a game.
    pub folder: Option<PathBuf>,
}

impl Broadcast {
    /// Everything is shown so many milliseconds after it happened.
    pub fn new(delay_ms: u64) -> Broadcast {
        Broadcast { delay_ms, games: BTreeMap::new() }
    }

    /// A game stands so now.
    pub fn stands(&mut self, of: BoardGame, pgn: String, now_ms: u64) {
        let game = self.games.entry(of).or_default();
        let newest = game.waiting.back().map_or(&game.shown, |(_, pgn)| pgn);
        if *newest != pgn {
            game.waiting.push_back((now_ms.saturating_add(self.delay_ms), pgn));
        }
    }

    /// Time has come to this moment. Answers whether the public sees anything new.
    pub fn advance(&mut self, now_ms: u64) -> bool {
        let mut new = false;
        for game in self.games.values_mut() {
            while let Some((_, pgn)) = game.waiting.pop_front_if(|(due, _)| *due <= now_ms) {
                (game.shown, game.written, new) = (pgn, false, true);
            }
        }
        new
    }

    /// All games that are shown, by board and game.
    pub fn all(&self) -> String {
        let shown = self.games.values().map(|game| game.shown.trim());
        let games: Vec<&str> = shown.filter(|pgn| !pgn.is_empty()).collect();
        games.iter().map(|pgn| format!("{pgn}\n\n")).collect()
    }

    /// Writes what is new. A reader finds the old file or the new one, never half of it.
    ///
    /// # Errors
    /// One line with the file and the remedy.
    pub fn write(&mut self, files: &BroadcastFiles) -> Result<(), String> {
        if let Some(path) = &files.all {
            replace(path, &self.all())?;
        }
        let Some(folder) = &files.folder else { return Ok(()) };
        for ((board, id), game) in &mut self.games {
            if game.shown.is_empty() || game.written {
                continue;
            }
            replace(&folder.join(format!("board-{board}-game-{id}.pgn")), &game.shown)?;
            game.written = true;
        }
        Ok(())
    }
}

/// Puts a text in the place of a file.
///
/// # Errors
/// One line with the file and the remedy.
pub fn replace(path: &Path, text: &str) -> Result<(), String> {
    let wrong = |err: io::Error| {
        format!("cannot write {}: {err}; check that its folder exists and has room", path.display())
    };
    let new = path.with_extension("new");
    fs::write(&new, text).map_err(wrong)?;
    fs::rename(&new, path).map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIRST: BoardGame = (1, GameId { number: 1 });
    const SECOND: BoardGame = (2, GameId { number: 7 });

    #[test]
    fn every_state_is_shown_when_its_delay_is_over() {
        let mut broadcast = Broadcast::new(60_000);
        broadcast.stands(FIRST, "1. e4 *\n".to_owned(), 1_000);
        broadcast.stands(FIRST, "1. e4 e5 *\n".to_owned(), 31_000);
        assert!(!broadcast.advance(60_999));
        assert_eq!(broadcast.all(), "");
        assert!(broadcast.advance(61_000));
        assert_eq!(broadcast.all(), "1. e4 *\n\n");
        assert!(!broadcast.advance(90_000));
        assert!(broadcast.advance(91_000));
        assert_eq!(broadcast.all(), "1. e4 e5 *\n\n");
    }

    #[test]
    fn a_game_that_stands_as_before_waits_in_no_queue() {
        let mut broadcast = Broadcast::new(0);
        for now_ms in 0..1_000 {
            broadcast.stands(FIRST, "*".to_owned(), now_ms);
        }
        assert_eq!(broadcast.games[&FIRST].waiting.len(), 1);
        assert!(broadcast.advance(1_000));
        assert!(!broadcast.advance(1_001));
    }

    #[test]
    fn games_lie_in_one_file_and_each_in_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = BroadcastFiles {
            all: Some(folder.path().join("all.pgn")),
            folder: Some(folder.path().to_owned()),
        };
        let mut broadcast = Broadcast::new(0);
        broadcast.stands(SECOND, "[White \"B\"]\n\n*\n".to_owned(), 0);
        broadcast.stands(FIRST, "[White \"A\"]\n\n*\n".to_owned(), 0);
        assert!(broadcast.advance(0));
        broadcast.write(&files).expect("written");
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
        assert_eq!(read("all.pgn"), "[White \"A\"]\n\n*\n\n[White \"B\"]\n\n*\n\n");
        assert_eq!(read("board-2-game-7.pgn"), "[White \"B\"]\n\n*\n");
    }

    #[test]
    fn a_folder_that_is_not_there_is_said_in_one_line() {
        let files = BroadcastFiles { all: Some("/no/such/all.pgn".into()), folder: None };
        let error = Broadcast::new(0).write(&files).expect_err("no folder");
        assert_eq!(
            error,
            "cannot write /no/such/all.pgn: No such file or directory (os error 2); \
             check that its folder exists and has room"
        );
    }
}
