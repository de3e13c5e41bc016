//! A game that was played elsewhere, as a finished one of a journal of its own: the service goes
//! through it by ear, with what it has for its own games ("weiter", "zurück", "was steht auf …").
//!
//! The inputs are those with which the service itself would have taken the game in, so each move is
//! legal there, and the journal is one like any other. It says that it is no tournament's.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use annabella_core::{
    game::{
        ArbiterAct, At, Blind, Game, GameConfig, HandsKnown, HandsOf, Input, Outcome, Ruling,
        Started, write_fen,
    },
    laws::Article,
    notation::pgn::{PgnFile, PgnGame},
};
use annabella_records::journal::{GameId, Journal, JournalError};
use annabella_words::phrase::{SpokenForm, Words, pack};
use shakmaty::{Chess, Color, Position as _, uci::UciMove};
use thiserror::Error;

/// No file of games is longer, bytes.
const LONGEST: u64 = 64 * 1_024 * 1_024;

/// Why a game cannot be gone through.
#[derive(Debug, Error)]
pub enum ReplayError {
    #[error("cannot read {}: {source}", .path.display())]
    File { path: PathBuf, source: io::Error },
    #[error("{}: it is longer than 64 MiB: cut the game out of it", .path.display())]
    Long { path: PathBuf },
    #[error("{}: {reason}", .path.display())]
    Game { path: PathBuf, reason: String },
    #[error("{name} is no language pack: name one in [speech], or a file that ends with .toml")]
    Pack { name: String },
    #[error("no game at home has been finished yet: play one, or name a file of games")]
    NothingFinished,
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// Reads a game of a file; the first is 1.
///
/// # Errors
/// [`ReplayError`], with the line of the first mistake.
pub fn read(path: &Path, number: usize) -> Result<PgnGame, ReplayError> {
    let cannot = |source| ReplayError::File { path: path.to_owned(), source };
    if fs::metadata(path).map_err(cannot)?.len() > LONGEST {
        return Err(ReplayError::Long { path: path.to_owned() });
    }
    chosen(&annabella_records::whole::read(path).map_err(cannot)?, number)
        .map_err(|reason| ReplayError::Game { path: path.to_owned(), reason })
}

/// A game of a text; the first is 1.
pub fn chosen(bytes: &[u8], number: usize) -> Result<PgnGame, String> {
    let games = PgnFile::read(bytes).games;
    let count = games.len();
    let wanted = number.checked_sub(1).and_then(|index| games.into_iter().nth(index));
    match wanted {
        Some(Ok(game)) if game.sections.first().is_some_and(|first| !first.moves.is_empty()) => {
            Ok(game)
        }
        Some(Ok(_)) => Err(format!("game {number} has no moves")),
        Some(Err(wrong)) => Err(wrong.to_string()),
        None if count == 0 => Err("there is no game in it".to_owned()),
        None => Err(format!("there is no game {number}: the last is {count}")),
    }
}

/// How the listener hears: the packs of moves and of prompts by their names or files, his colour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listener {
    pub words: String,
    pub prompts: String,
    pub colour: Color,
}

fn pack_text(name: &str) -> Result<String, ReplayError> {
    let file = || {
        annabella_records::whole::read_text(Path::new(name))
            .ok()
            .filter(|_| name.ends_with(".toml"))
    };
    let text = pack::builtin(name).map(str::to_owned).or_else(file);
    text.ok_or_else(|| ReplayError::Pack { name: name.to_owned() })
}

/// The inputs of a finished game. Its moves up to the first passed turn: the Laws know no such
/// move.
///
/// # Errors
/// [`ReplayError::Pack`].
pub fn inputs(game: &PgnGame, listener: &Listener) -> Result<Vec<(At, Input)>, ReplayError> {
    let packs = vec![pack_text(&listener.words)?, pack_text(&listener.prompts)?];
    let wrong = |_| ReplayError::Pack { name: listener.prompts.clone() };
    let words = Words::from_toml(&packs[0], &packs[1]).map_err(wrong)?;
    let start = game.sections.first().map_or_else(Chess::default, |first| first.start.clone());
    let tag = |name: &str| game.tag(name).filter(|tag| *tag != "?").unwrap_or_default().to_owned();
    let announced = HandsKnown::Announced;
    let config = GameConfig {
        at_home: true,
        white: tag("White"),
        black: tag("Black"),
        blind: listener.colour.fold_wb(Blind::White, Blind::Black),
        hands: listener.colour.fold_wb(
            HandsOf { white: announced, ..HandsOf::default() },
            HandsOf { black: announced, ..HandsOf::default() },
        ),
        sighted_board: true,
        start: (start != Chess::default()).then(|| write_fen(&start)),
        words: listener.words.clone(),
        prompts: listener.prompts.clone(),
        ..GameConfig::default()
    };
    let build = env!("CARGO_PKG_VERSION").to_owned();
    let started = Started { config, packs, confusions: Default::default(), build, unix_s: 0 };
    let mut taken = Taken { game: Game::new(), inputs: Vec::new() };
    taken.takes(Input::Started(Box::new(started)));
    taken.takes(Input::ClockStarted);
    let mut position = start;
    for mv in game.sections.iter().take(1).flat_map(|first| &first.moves) {
        let seat = position.turn();
        let said = words.announce(&position, *mv, SpokenForm::Full).to_string();
        let uci = UciMove::from_standard(*mv).to_string();
        // The sighted player copies the other's moves on his own board.
        let own = seat == listener.colour;
        let sighted = Input::Sighted { seat: !listener.colour, uci };
        if own {
            taken.takes(Input::Said { seat: Some(seat), heard: vec![said] });
            taken.takes(Input::Pressed { seat });
        }
        taken.takes(sighted);
        if !own {
            taken.takes(Input::Pressed { seat });
        }
        // Moves of a section are legal one after another.
        position.play_unchecked(*mv);
    }
    let result = outcome(&game.result);
    let article = if result == Outcome::Draw { Article::A5_2_3 } else { Article::A5_1_2 };
    let declares = ArbiterAct::Declare { result, article };
    // PGN does not say how a game ended; the Laws may have said so already.
    if taken.game.ended().is_none() {
        taken.takes(Input::Arbiter(Box::new(Ruling::new(declares, "PGN", "PGN"))));
    }
    Ok(taken.inputs)
}

fn outcome(result: &str) -> Outcome {
    match result {
        "1-0" => Outcome::WhiteWins,
        "0-1" => Outcome::BlackWins,
        "1/2-1/2" => Outcome::Draw,
        _ => Outcome::Annulled,
    }
}

/// A game, and what it has taken in.
struct Taken {
    game: Game,
    inputs: Vec<(At, Input)>,
}

impl Taken {
    /// What the game refuses it was never given: after its end nothing is.
    fn takes(&mut self, input: Input) {
        let at = At::new(self.inputs.len() as u64 * 10);
        if self.game.handle(at, input.clone()).is_ok() {
            self.inputs.push((at, input));
        }
    }
}

/// Writes a journal that holds this game alone, in the place of one before it.
pub fn write(path: &Path, inputs: &[(At, Input)]) -> Result<GameId, ReplayError> {
    for old in ["", "-wal", "-shm"] {
        let mut name = path.as_os_str().to_owned();
        name.push(old);
        match fs::remove_file(PathBuf::from(&name)) {
            Err(source) if source.kind() != io::ErrorKind::NotFound => {
                return Err(ReplayError::File { path: name.into(), source });
            }
            _ => {}
        }
    }
    let mut journal = Journal::open(path)?;
    let Some(((at, Input::Started(started)), rest)) = inputs.split_first() else {
        return Err(ReplayError::NothingFinished);
    };
    let game = journal.begin(started, *at)?;
    journal.append_all(game, rest)?;
    let (played, _) = Game::replay(inputs.iter().cloned());
    if let Some(ended) = played.ended() {
        journal.close(game, &ended.result.to_string())?;
    }
    Ok(game)
}

/// The last finished game of a journal.
///
/// # Errors
/// [`ReplayError::NothingFinished`], or what is wrong with the journal.
pub fn last_finished(path: &Path) -> Result<GameId, ReplayError> {
    if !path.is_file() {
        return Err(ReplayError::NothingFinished);
    }
    let games = Journal::open(path)?.games()?;
    let last = games.into_iter().rfind(|game| game.result.is_some());
    last.map(|game| game.id).ok_or(ReplayError::NothingFinished)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listener(prompts: &str, colour: Color) -> Listener {
        Listener { words: prompts.to_owned(), prompts: prompts.to_owned(), colour }
    }

    fn moves(game: &Game) -> String {
        let record = game.record().expect("a game");
        record.line.iter().map(|ply| ply.san.as_str()).collect::<Vec<_>>().join(" ")
    }

    const GAME: &str = "[White \"Anna\"]\n[Black \"Boris\"]\n[Result \"0-1\"]\n\n1. e4 (1. d4) e5 2. Nf3 Nc6 0-1\n";

    #[test]
    fn a_game_of_a_file_is_a_finished_one_in_every_language_and_for_either_colour() {
        for prompts in pack::builtin_names() {
            for colour in Color::ALL {
                let game = chosen(GAME.as_bytes(), 1).expect("a game");
                let inputs = inputs(&game, &listener(prompts, colour)).expect("inputs");
                let (played, results) = Game::replay(inputs);
                assert!(results.iter().all(Result::is_ok), "{prompts}");
                assert_eq!(moves(&played), "e4 e5 Nf3 Nc6", "{prompts}");
                let record = played.record().expect("a game");
                assert_eq!(record.ended.map(|ended| ended.result), Some(Outcome::BlackWins));
                assert_eq!(record.config.white, "Anna");
                assert!(record.config.at_home, "no tournament's");
            }
        }
    }

    #[test]
    fn a_mate_ends_it_and_a_position_begins_it() {
        let text = "[FEN \"7k/8/6K1/8/8/8/R7/8 w - - 0 1\"]\n\n1. Ra8# 1-0\n";
        let game = chosen(text.as_bytes(), 1).expect("a game");
        let (played, _) =
            Game::replay(inputs(&game, &listener("de", Color::White)).expect("inputs"));
        let ended = played.ended().expect("over");
        assert_eq!((ended.result, ended.article), (Outcome::WhiteWins, Article::A5_1_1));
    }

    #[test]
    fn a_file_without_such_a_game_is_named_in_one_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        for (text, number, wanted) in [
            ("", 1, "games.pgn: there is no game in it"),
            (GAME, 2, "games.pgn: there is no game 2: the last is 1"),
            (GAME, 0, "games.pgn: there is no game 0: the last is 1"),
            ("1. e5 *\n", 1, "is not legal"),
            ("[White \"A\"]\n\n*\n", 1, "games.pgn: game 1 has no moves"),
        ] {
            fs::write(&path, text).expect("written");
            let line = read(&path, number).expect_err(text).to_string();
            assert!(line.contains(wanted) && !line.contains('\n'), "{line}");
        }
        let missing = read(&folder.path().join("none.pgn"), 1).expect_err("none").to_string();
        assert!(missing.starts_with("cannot read "), "{missing}");
    }

    #[test]
    fn a_journal_holds_the_game_alone_and_another_takes_its_place() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("replay.db");
        assert!(matches!(last_finished(&path), Err(ReplayError::NothingFinished)));
        for text in [GAME, "1. d4 d5 1/2-1/2\n"] {
            let game = chosen(text.as_bytes(), 1).expect("a game");
            let inputs = inputs(&game, &listener("de", Color::White)).expect("inputs");
            let id = write(&path, &inputs).expect("written");
            let journal = Journal::open(&path).expect("a journal");
            assert_eq!(journal.games().expect("rows").len(), 1);
            let (kept, _) = Game::replay(journal.inputs(id).expect("inputs"));
            assert_eq!(moves(&kept).starts_with('e'), text == GAME);
            drop(journal);
            assert_eq!(last_finished(&path).expect("one"), id);
        }
    }
}
