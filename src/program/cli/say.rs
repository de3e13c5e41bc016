//! `annabella say`: the announcement of a move, as text and as sound.

use std::{io::Write, path::PathBuf};

use serde_json::json;
use shakmaty::{Chess, Move, san::SanPlus, uci::UciMove};

use super::{Exit, Failure, position};
use annabella_core::notation::{InForce, NotationError, PieceLetters};
use annabella_devices::voice::{Rate, espeak::Espeak};
use annabella_words::phrase::{SpokenForm, Words};

/// Prints the announcement of a move, and writes its sound.
#[derive(Debug, clap::Args)]
pub struct SayArgs {
    /// The move, in any notation of Appendix C or in words.
    #[arg(value_name = "MOVE")]
    pub text: String,
    /// Position before the move; the usual start if not given.
    #[arg(long, value_name = "FEN")]
    pub fen: Option<String>,
    /// Move language: fide, de, en, ru, fr, es, pl, lt.
    #[arg(long, value_name = "LANG", default_value = "fide")]
    pub words: String,
    /// Leave out what the position makes clear.
    #[arg(long)]
    pub short: bool,
    /// Write the sound to this file.
    #[arg(long, value_name = "FILE")]
    pub wav: Option<PathBuf>,
    /// Words a minute, 80 to 450.
    #[arg(long, value_name = "N", default_value_t = 160,
        value_parser = clap::value_parser!(u16).range(80..=450))]
    pub rate: u16,
    /// One JSON line instead of the text.
    #[arg(long)]
    pub json: bool,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the position, the move or a file is wrong, or espeak-ng is missing.
pub fn run(args: &SayArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let position = position(args.fen.as_deref())?;
    let words = Words::builtin(&args.words, "de")
        .map_err(|err| Failure::usage(format!("--words: {err}")))?;
    let mv = read(&words, &position, &args.text)?;
    let form = if args.short { SpokenForm::Short } else { SpokenForm::Full };
    let announcement = words.announce(&position, mv, form);
    let mut sound_ms = None;
    if let Some(path) = &args.wav {
        let sound = Espeak::new()
            .and_then(|engine| engine.render(&announcement, Rate::new(args.rate)))
            .map_err(Failure::device)?;
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Failure::usage(format!("there is no folder {}", folder.display())));
        }
        sound.write_wav(path).map_err(Failure::usage)?;
        sound_ms = Some(sound.length_ms());
    }
    if args.json {
        let line = json!({
            "text": announcement.to_string(),
            "lang": words.moves().code(),
            "uci": UciMove::from_standard(mv).to_string(),
            "san": SanPlus::from_move(position, mv).to_string(),
            "wav": args.wav.as_ref().map(|path| path.display().to_string()),
            "audio_ms": sound_ms,
        });
        writeln!(out, "{line}")?;
    } else {
        writeln!(out, "{announcement}")?;
    }
    Ok(Exit::Done)
}

/// A move in notation or in words.
fn read(words: &Words, position: &Chess, text: &str) -> Result<Move, Failure> {
    let wrong = |what: String| Failure::usage(what);
    // FIDE's words belong to no country; moves are written in English letters between countries.
    let letters = words.moves().code().parse().unwrap_or(PieceLetters::English);
    let in_force = InForce { letters, packs: vec![words.moves()] };
    match in_force.read(position, text) {
        Ok(read) => Ok(read.mv),
        Err(NotationError::Unreadable { .. }) => {
            Err(wrong(format!("'{text}' is no move: write it as Nf3, Ng1f3, g1f3 or in words")))
        }
        Err(err) => Err(wrong(err.to_string())),
    }
}
