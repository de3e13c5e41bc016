//! All games for the public: one live PGN file in the form that broadcasts poll, and a folder with
//! one file a game, each as it stood so long ago as the delay says.

use std::{
    collections::{BTreeMap, VecDeque},
    path::{Path, PathBuf},
};

use annabella_records::{journal::GameId, whole};

/// A game, and the board at which it is played.
pub type BoardGame = (u32, GameId);

/// What the public sees, and what it will see.
#[derive(Debug, Default)]
pub struct Broadcast {
    delay_ms: u64,
    games: BTreeMap<BoardGame, Delayed>,
    /// Games that have come so far.
    came: u64,
}

#[derive(Debug, Default)]
struct Delayed {
    shown: String,
    /// The later of two games of a board has the greater number.
    came: u64,
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
        Broadcast { delay_ms, games: BTreeMap::new(), came: 0 }
    }

    /// A game stands so now.
    pub fn stands(&mut self, of: BoardGame, pgn: String, now_ms: u64) {
        let came = &mut self.came;
        let game = self.games.entry(of).or_insert_with(|| {
            *came += 1;
            Delayed { came: *came, ..Delayed::default() }
        });
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

    /// The last game of each board that is shown, by board. The numbers of games say nothing: a
    /// spare board counts its own.
    pub fn all(&self) -> String {
        let mut last: BTreeMap<u32, &Delayed> = BTreeMap::new();
        for ((board, _), game) in &self.games {
            if game.shown.trim().is_empty() {
                continue;
            }
            let known = last.entry(*board).or_insert(game);
            if known.came < game.came {
                *known = game;
            }
        }
        last.values().map(|game| format!("{}\n\n", game.shown.trim())).collect()
    }

    /// Writes what is new. A reader finds the old file or the new one, never half of it.
    ///
    /// # Errors
    /// One line with the file and the remedy.
    pub fn write(&mut self, files: &BroadcastFiles) -> Result<(), String> {
        if let Some(path) = &files.all {
            replace(path, self.all())?;
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

/// Puts this in the place of a file.
///
/// # Errors
/// One line with the file and the remedy.
pub fn replace(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    whole::write_unsynced(path, text, None).map_err(|err| {
        format!("cannot write {}: {err}; check that its folder exists and has room", path.display())
    })
}

#[cfg(test)]
mod tests {
    use std::fs;

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
    fn one_file_has_the_last_game_of_each_board_whenever_the_hall_was_started() {
        let show = |broadcast: &mut Broadcast, games: &[(u32, i64)]| {
            for (board, number) in games {
                let of = (*board, GameId { number: *number });
                broadcast.stands(of, format!("{board}.{number} *"), 0);
                broadcast.advance(0);
            }
            broadcast.all()
        };
        let mut from_the_start = Broadcast::new(0);
        // A spare board counts from 1 again.
        let all = show(&mut from_the_start, &[(1, 1), (2, 5), (3, 1), (1, 2), (2, 1), (3, 2)]);
        assert_eq!(all, "1.2 *\n\n2.1 *\n\n3.2 *\n\n");
        let mut restarted = Broadcast::new(0);
        assert_eq!(show(&mut restarted, &[(1, 2), (2, 1), (3, 2)]), all);
        // A game that begins behind a delay is not shown before it is due, and the one before
        // stays.
        let mut delayed = Broadcast::new(1_000);
        delayed.stands((1, GameId { number: 1 }), "old *".to_owned(), 0);
        delayed.stands((1, GameId { number: 2 }), "new *".to_owned(), 500);
        delayed.advance(1_000);
        assert_eq!(delayed.all(), "old *\n\n");
        delayed.advance(1_500);
        assert_eq!(delayed.all(), "new *\n\n");
    }

    #[test]
    fn a_link_beside_a_file_is_not_followed_and_two_files_of_one_name_have_each_its_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::write(at("victim"), "mine").expect("written");
        std::os::unix::fs::symlink(at("victim"), at("all.pgn.new")).expect("a link");
        replace(&at("all.pgn"), "1. e4 *").expect("replaced");
        assert_eq!(fs::read_to_string(at("victim")).expect("a file"), "mine");
        assert!(fs::symlink_metadata(at("all.pgn")).expect("a file").is_file());
        fs::create_dir(at("all.csv.new")).expect("a folder");
        replace(&at("all.pgn"), "1. d4 *").expect("its own name");
        assert_eq!(fs::read_to_string(at("all.pgn")).expect("a file"), "1. d4 *");
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
