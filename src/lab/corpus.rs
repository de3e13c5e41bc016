//! `annabella-lab corpus`: recordings of synthetic speakers in noisy rooms, to measure hearing on.

use std::{fs, io::Write, path::PathBuf};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use shakmaty::{CastlingMode, Chess, Position};

use annabella::cli::{
    Exit, Failure,
    recordings::{COLUMNS, LIST, positions, spelled},
};
use annabella_core::game::write_fen;
use annabella_devices::voice::{Pcm, VoiceError};
use annabella_emulators::speakers::{
    Delivery, Speaker,
    room::{self, Condition},
};
use annabella_words::phrase::{Phrases, Understood, Words, understand};

/// All recordings have the rate that a recogniser wants.
const RATE_HZ: u32 = 16_000;
/// Sentences that are no moves: German, and some English and French.
const TALK: &str = include_str!("emulators/speakers/talk.txt");

/// Makes recordings of everybody who can speak on this machine.
#[derive(Debug, clap::Args)]
pub(crate) struct CorpusArgs {
    /// Folder to write to; it must not exist or be empty.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Moves by each speaker in each condition.
    #[arg(long, value_name = "N", default_value_t = 6)]
    moves: u32,
    /// Requests by each speaker in each condition.
    #[arg(long, value_name = "N", default_value_t = 2)]
    requests: u32,
    /// Announcements of moves that are not legal by each speaker in each condition.
    #[arg(long, value_name = "N", default_value_t = 2)]
    illegal: u32,
    /// Sentences that are no move by each speaker in each condition.
    #[arg(long, value_name = "N", default_value_t = 2)]
    talk: u32,
    /// Only speakers whose name contains this: espeak, mbrola, pico.
    #[arg(long, value_name = "TEXT", default_value = "")]
    speakers: String,
    /// Another number, another corpus.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

/// Something to be said.
pub(super) struct Line {
    pub(super) kind: &'static str,
    pub(super) fen: String,
    /// UCI, a request's name, or `-`.
    pub(super) meant: String,
    /// As an engine is to be given it.
    pub(super) sound: String,
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when the folder cannot be written or nobody can speak.
pub(crate) fn run(args: &CorpusArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    let folder = &args.out;
    let shown = folder.display().to_string();
    let wrong = |err: std::io::Error| Failure::usage(format!("--out {shown}: {err}"));
    fs::create_dir_all(folder).map_err(wrong)?;
    if fs::read_dir(folder).map_err(wrong)?.next().is_some() {
        return Err(Failure::usage(format!("--out {shown}: the folder is not empty")));
    }
    let mut speakers = Speaker::all();
    speakers.retain(|speaker| speaker.name().contains(&args.speakers));
    if speakers.is_empty() {
        let nobody = match &*args.speakers {
            "" => "nobody can speak".to_owned(),
            name => format!("no speaker here is called {name:?}"),
        };
        return Err(Failure::device(format!(
            "{nobody}: apt-get install espeak-ng (also: libttspico-utils, mbrola-de1 to -de8)"
        )));
    }
    let others = babble(&speakers).map_err(Failure::device)?;
    let mut script = Script::new(args.seed)?;
    let mut list = String::from(COLUMNS);
    let (mut n, mut length_ms) = (0u64, 0);
    for speaker in &speakers {
        for condition in Condition::ALL {
            for line in script.lines(args) {
                n += 1;
                let how = script.delivery();
                let said = speaker.say(&line.sound, how).map_err(Failure::device)?;
                let said = room::at_rate(&said, RATE_HZ);
                let sound = room::put(&said, condition, &others, args.seed ^ n);
                let name = format!("{n:05}.wav");
                sound.write_wav(&folder.join(&name)).map_err(Failure::device)?;
                length_ms += sound.length_ms();
                list.push_str(&format!(
                    "{name}\t{}\t{condition}\t{}\t{}\t{}\t{}\n",
                    speaker.name(),
                    line.kind,
                    line.fen,
                    line.meant,
                    line.sound
                ));
            }
        }
    }
    fs::write(folder.join(LIST), list).map_err(wrong)?;
    writeln!(
        out,
        "{n} recordings of {} synthetic speakers in {} conditions, {} min, in {shown}",
        speakers.len(),
        Condition::ALL.len(),
        length_ms / 60_000
    )?;
    Ok(Exit::Done)
}

/// The sentences, from a seed.
pub(super) struct Script {
    rng: ChaCha8Rng,
    words: Words,
    positions: Vec<Chess>,
    talk: Vec<&'static str>,
}

impl Script {
    pub(super) fn new(seed: u64) -> Result<Script, Failure> {
        let words = Words::builtin("fide", "de").map_err(Failure::usage)?;
        let positions = positions()?;
        let talk = TALK.lines().filter(|line| !line.is_empty()).collect();
        Ok(Script { rng: ChaCha8Rng::seed_from_u64(seed), words, positions, talk })
    }

    fn lines(&mut self, args: &CorpusArgs) -> Vec<Line> {
        let mut lines: Vec<Line> = (0..args.moves).map(|_| self.a_move()).collect();
        lines.extend((0..args.requests).map(|_| self.request()));
        lines.extend((0..args.illegal).map(|_| self.an_illegal_move()));
        lines.extend((0..args.talk).map(|_| self.talk()));
        lines
    }

    fn position(&mut self) -> Chess {
        let n = self.rng.random_range(0..self.positions.len());
        self.positions[n].clone()
    }

    /// Any legal move of a position of a real game, in any of the ways in which it may be said;
    /// every other time in full.
    pub(super) fn a_move(&mut self) -> Line {
        let position = self.position();
        let moves = position.legal_moves();
        let mv = moves[self.rng.random_range(0..moves.len())];
        let phrases = Phrases::new(&self.words, &position);
        let ways: Vec<&str> = phrases
            .iter()
            .filter(|phrase| phrase.moves == [mv])
            .map(|phrase| phrase.text.as_str())
            .collect();
        let full = self
            .words
            .announce(&position, mv, annabella_words::phrase::SpokenForm::Full)
            .to_string();
        let full = full.replace(',', "").to_lowercase();
        let said = if self.rng.random_bool(0.5) || ways.is_empty() {
            full
        } else {
            ways[self.rng.random_range(0..ways.len())].to_owned()
        };
        Line {
            kind: "move",
            fen: write_fen(&position),
            meant: mv.to_uci(CastlingMode::Standard).to_string(),
            sound: self.words.pronounce(&said),
        }
    }

    /// A move of one position, announced in another in which nothing like it is legal.
    fn an_illegal_move(&mut self) -> Line {
        loop {
            let line = self.a_move();
            let position = self.position();
            let said = spelled(&line.sound);
            if matches!(understand(&self.words, &position, &said), Understood::Illegal(_)) {
                return Line {
                    kind: "illegal",
                    fen: write_fen(&position),
                    meant: "-".to_owned(),
                    ..line
                };
            }
        }
    }

    fn request(&mut self) -> Line {
        let position = self.position();
        let all = self.words.command_phrases();
        // Requests for each square would drown all others.
        let mut kinds: Vec<String> = all.iter().map(|(_, c)| kind(&c.name())).collect();
        kinds.sort();
        kinds.dedup();
        let wanted = &kinds[self.rng.random_range(0..kinds.len())];
        let of: Vec<&(String, annabella_words::phrase::Command)> =
            all.iter().filter(|(_, command)| kind(&command.name()) == *wanted).collect();
        let (said, command) = of[self.rng.random_range(0..of.len())];
        Line {
            kind: "request",
            fen: write_fen(&position),
            meant: command.name(),
            sound: self.words.pronounce(&said.to_lowercase()),
        }
    }

    fn talk(&mut self) -> Line {
        let said = self.talk[self.rng.random_range(0..self.talk.len())];
        Line {
            kind: "talk",
            fen: write_fen(&self.position()),
            meant: "-".to_owned(),
            sound: said.to_owned(),
        }
    }

    fn delivery(&mut self) -> Delivery {
        Delivery { pace: self.rng.random_range(80..=130), pitch: self.rng.random_range(30..=70) }
    }
}

fn kind(name: &str) -> String {
    name.split(' ').next().unwrap_or_default().to_owned()
}

/// The talk in the background: all speakers at once.
fn babble(speakers: &[Speaker]) -> Result<Vec<Pcm>, VoiceError> {
    let sentences: Vec<&str> = TALK.lines().collect();
    let all = speakers.iter().cycle().zip(&sentences).take(sentences.len());
    all.map(|(speaker, text)| Ok(room::at_rate(&speaker.say(text, Delivery::default())?, RATE_HZ)))
        .collect()
}
