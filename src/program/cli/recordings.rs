//! Lists of recordings, `corpus.tsv`: file, speaker, position and words of each. `annabella enrol`
//! writes them; `annabella-lab` measures with them.

use std::path::{Path, PathBuf};

use shakmaty::{Chess, Position};

use super::Failure;
use annabella_core::{notation::pgn, outside::lines};

/// A match whose positions give the sentences to be spoken, and the demonstration its games.
pub const GAMES: &str = include_str!("../../../tests/data/kasparov-deep-blue-1997.pgn");
/// The list of the recordings, in their folder.
pub const LIST: &str = "corpus.tsv";
/// Its first line.
pub const COLUMNS: &str = "file\tspeaker\tcondition\tkind\tfen\tmeant\tsaid\n";

/// One recording of a list.
#[derive(Clone, Debug)]
pub struct ListedRecording {
    pub file: PathBuf,
    pub speaker: String,
    pub condition: String,
    pub kind: RecordingKind,
    /// The position in which it is said.
    pub fen: String,
    /// The move as UCI, the request's name, or `-`.
    pub meant: String,
    pub said: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordingKind {
    /// A legal move.
    Move,
    Request,
    /// A move that is not legal.
    Illegal,
    /// Something that is neither a move nor a request.
    Talk,
}

/// Every position of the built-in games in which a move was made.
///
/// # Errors
/// [`Failure`] when the built-in games cannot be read, which a test rules out.
pub fn positions() -> Result<Vec<Chess>, Failure> {
    let mut positions = Vec::new();
    for game in pgn::read_games(GAMES).map_err(Failure::usage)? {
        for section in &game.sections {
            let mut position = section.start.clone();
            for mv in &section.moves {
                positions.push(position.clone());
                position.play_unchecked(*mv);
            }
        }
    }
    Ok(positions)
}

/// The engine's text, as grammars spell it.
pub fn spelled(sound: &str) -> String {
    sound.to_lowercase().replace("zäsar", "cesar").replace("hektor", "hector")
}

/// Where the recordings of a list are.
pub fn list_of(folder: &Path) -> PathBuf {
    if folder.is_file() { folder.to_owned() } else { folder.join(LIST) }
}

/// Reads the list of a folder, or the list itself.
///
/// # Errors
/// [`Failure`] with the line that is wrong.
pub fn read_list(corpus: &Path) -> Result<Vec<ListedRecording>, Failure> {
    let list = list_of(corpus);
    let shown = list.display().to_string();
    let text = annabella_records::whole::read_text(&list).map_err(|err| {
        Failure::usage(format!("cannot read {shown}: {err}; `annabella-lab corpus` makes one"))
    })?;
    let folder = list.parent().map(PathBuf::from).unwrap_or_default();
    let mut items = Vec::new();
    for (n, line) in lines(&text).enumerate().skip(1) {
        let wrong = |what: &str| Failure::usage(format!("{shown}:{}: {what}", n + 1));
        let fields: Vec<&str> = line.split('\t').collect();
        let [file, speaker, condition, kind, fen, meant, said] = fields[..] else {
            return Err(wrong("a line needs seven fields, separated by tabs"));
        };
        let kind = match kind {
            "move" => RecordingKind::Move,
            "request" => RecordingKind::Request,
            "illegal" => RecordingKind::Illegal,
            "talk" => RecordingKind::Talk,
            _ => return Err(wrong("the kind is move, request, illegal or talk")),
        };
        items.push(ListedRecording {
            file: folder.join(file),
            speaker: speaker.to_owned(),
            condition: condition.to_owned(),
            kind,
            fen: fen.to_owned(),
            meant: meant.to_owned(),
            said: said.to_owned(),
        });
    }
    if items.is_empty() {
        return Err(Failure::usage(format!("{shown} lists no recordings")));
    }
    Ok(items)
}
