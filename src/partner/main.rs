//! `annabella-partner`, the program: somebody to play with at home.

#[cfg(test)]
#[path = "../../tests/shared/manual.rs"]
mod manual;

use std::{path::PathBuf, process::ExitCode};

use annabella_partner::{
    door::{Door, Place},
    home::{self, Chosen, Files, HomeError, Service},
    level::Level,
    pace::Pace,
    player::{Manner, Partner},
    thinker::Thinker,
    words,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;

/// Plays for the sighted player at home, with a chess engine that speaks UCI: sets the table, starts `annabella play`
/// there and sits down. What is chosen is remembered for the next time. In a tournament's game it is let in nowhere.
#[derive(Debug, Parser)]
#[command(
    name = "annabella partner",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Sub>,
    #[command(flatten)]
    evening: EveningArgs,
}

#[derive(Debug, Subcommand)]
enum Sub {
    /// Sits down at a table that is there: a service with `at_home` in [game]
    Join(JoinArgs),
    /// Says which engine is there, and what each level sets
    Engine(EngineArgs),
}

#[derive(Debug, Args)]
struct EveningArgs {
    #[command(flatten)]
    strength: StrengthArgs,
    /// Your colour, White at first.
    #[arg(long, visible_alias = "color", value_name = "COLOUR")]
    colour: Option<Side>,
    /// Time control, as in the configuration. "15+10" at first: a quarter of an hour, ten seconds a move.
    #[arg(long, value_name = "CONTROL")]
    time: Option<String>,
    /// Begin a new game even if the last one was not finished.
    #[arg(long)]
    new: bool,
    /// Your configuration, for voice, board and language; without one ./annabella.toml, then
    /// ~/.config/annabella/annabella.toml.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of the games at home; ~/.local/state/annabella if not given.
    #[arg(long, value_name = "DIR")]
    folder: Option<PathBuf>,
    /// Every output of the service as one JSON line.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    manner: MannerArgs,
}

#[derive(Debug, Args)]
struct StrengthArgs {
    /// 1, a beginner, to 10, all that the engine has. 3 at first.
    #[arg(long, value_name = "N")]
    level: Option<Level>,
    /// The engine: a program in PATH or its file. Stockfish at first.
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// A word for the engine's own command line; several times for several.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    engine_arg: Vec<String>,
}

#[derive(Debug, Args)]
struct MannerArgs {
    /// When it moves: as a person does, or as soon as it can.
    #[arg(long, value_name = "PACE", default_value = "life")]
    pace: PaceArg,
    /// Add each finished game to this file (PGN), as the partner saw it.
    #[arg(long, value_name = "FILE")]
    score: Option<PathBuf>,
    /// Let the engine find its openings too.
    #[arg(long)]
    no_openings: bool,
    /// Chooses openings and thinking times; the same seed, the same ones.
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Debug, Args)]
struct JoinArgs {
    /// The file of [console] program_code, in which the service writes its address and code.
    #[arg(long, value_name = "FILE", required_unless_present = "address")]
    door: Option<PathBuf>,
    /// The address of the pages, as in 192.168.1.20:8080.
    #[arg(long, value_name = "ADDRESS", conflicts_with = "door", requires = "code")]
    address: Option<String>,
    /// The assistant's code.
    #[arg(long, value_name = "CODE", requires = "address")]
    code: Option<String>,
    #[command(flatten)]
    strength: StrengthArgs,
    /// Leave after so many games; never if not given.
    #[arg(long, value_name = "N")]
    games: Option<u32>,
    #[command(flatten)]
    manner: MannerArgs,
}

#[derive(Debug, Args)]
struct EngineArgs {
    /// The engine: a program in PATH or its file. Stockfish if not given.
    #[arg(long, value_name = "PROGRAM", default_value = "stockfish")]
    engine: String,
    /// A word for the engine's own command line; several times for several.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    engine_arg: Vec<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Side {
    White,
    Black,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PaceArg {
    Life,
    Quick,
}

/// Why it ends: a wrong call or file (2), something missing (3), no program may play there (1).
#[derive(Debug)]
enum Failure {
    Usage(String),
    Missing(String),
    Refused(String),
}

impl From<HomeError> for Failure {
    fn from(err: HomeError) -> Failure {
        match err {
            HomeError::Configuration { .. } => Failure::Usage(err.to_string()),
            _ => Failure::Missing(err.to_string()),
        }
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(err) if !err.use_stderr() => {
            // Help that nobody reads is no failure.
            let _ = err.print();
            return ExitCode::SUCCESS;
        }
        Err(err) => {
            let text = err.to_string();
            let lines = text.lines().map(str::trim).take_while(|line| !line.starts_with("Usage:"));
            let about: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
            let about = about.join("; ").replace("error: ", "");
            eprintln!("annabella-partner: {about}; `annabella partner --help` tells more");
            return ExitCode::from(2);
        }
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        Err(err) => return failed(Failure::Missing(format!("cannot begin: {err}"))),
    };
    let ended = runtime.block_on(async {
        match &cli.command {
            None => evening(&cli.evening).await,
            Some(Sub::Join(args)) => join(args).await,
            Some(Sub::Engine(args)) => engine(args).await,
        }
    });
    ended.unwrap_or_else(failed)
}

fn failed(failure: Failure) -> ExitCode {
    let (code, line) = match failure {
        Failure::Refused(line) => (1, line),
        Failure::Usage(line) => (2, line),
        Failure::Missing(line) => (3, line),
    };
    tell(&line);
    ExitCode::from(code)
}

fn tell(line: &str) {
    eprintln!("annabella-partner: {line}");
}

fn rng(seed: Option<u64>) -> ChaCha8Rng {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let by_chance =
        || since.map_or(0, |since| since.as_nanos() as u64) ^ u64::from(std::process::id());
    ChaCha8Rng::seed_from_u64(seed.unwrap_or_else(by_chance))
}

impl MannerArgs {
    fn manner(&self) -> Manner {
        Manner {
            pace: match self.pace {
                PaceArg::Life => Pace::Life,
                PaceArg::Quick => Pace::Quick,
            },
            score: self.score.clone(),
            openings: !self.no_openings,
        }
    }
}

/// The engine's name and the level, for the record.
fn named(thinker: &Thinker, language: &str) -> String {
    format!("{}, {}", thinker.name(), words::level(language, thinker.level().number()))
}

async fn evening(args: &EveningArgs) -> Result<ExitCode, Failure> {
    let files = Files::at(args.folder.as_deref())?;
    let before = files.remembered();
    let chosen = Chosen {
        level: args.strength.level.unwrap_or(before.level),
        colour: match args.colour {
            Some(Side::White) => Color::White,
            Some(Side::Black) => Color::Black,
            None => before.colour,
        },
        engine: args.strength.engine.clone().unwrap_or(before.engine),
        time: args.time.clone().unwrap_or(before.time),
    };
    let program = home::program(&chosen.engine);
    let (mut thinker, said) = Thinker::new(&program, &args.strength.engine_arg, chosen.level);
    // Nobody sits down before a table at which nobody can play.
    thinker.start().await.map_err(|err| Failure::Missing(err.to_string()))?;
    let own = home::own_configuration(args.config.as_deref());
    let name = named(&thinker, &home::language_of(own.as_deref()));
    let config = files.configure(own.as_deref(), &chosen, &name)?;
    files.remember(&chosen)?;
    // One of an earlier evening opens nothing.
    let _ = std::fs::remove_file(files.code());
    let mut call = vec!["play".to_owned(), "--setup".to_owned(), "--config".to_owned()];
    call.push(config.display().to_string());
    call.extend(args.new.then(|| "--new".to_owned()));
    call.extend(args.json.then(|| "--json".to_owned()));
    let mut service = Service::start(&home::service(), &call)?;
    let door = Door::at(Place::File(files.code()), &name);
    let rng = rng(args.manner.seed);
    let mut partner = Partner::new(door, (thinker, said), args.manner.manner(), rng, tell);
    let ended = tokio::select! {
        ended = service.ended() => ended,
        played = partner.plays(None) => {
            if let Err(err) = played {
                tell(&err.to_string());
            }
            service.ended().await
        }
    };
    partner.leaves().await;
    let status =
        ended.map_err(|err| Failure::Missing(format!("cannot wait for the service: {err}")))?;
    Ok(ExitCode::from(status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1)))
}

async fn join(args: &JoinArgs) -> Result<ExitCode, Failure> {
    let level = args.strength.level.unwrap_or(Chosen::default().level);
    let engine = args.strength.engine.as_deref().unwrap_or("stockfish");
    let (mut thinker, said) =
        Thinker::new(&home::program(engine), &args.strength.engine_arg, level);
    thinker.start().await.map_err(|err| Failure::Missing(err.to_string()))?;
    let place = match (&args.door, &args.address, &args.code) {
        (Some(file), _, _) => Place::File(file.clone()),
        (None, Some(address), Some(code)) => {
            Place::Typed { address: address.clone(), code: code.clone() }
        }
        _ => return Err(Failure::Usage("give --door, or --address and --code".to_owned())),
    };
    let door = Door::at(place, &named(&thinker, "en"));
    let rng = rng(args.manner.seed);
    let mut partner = Partner::new(door, (thinker, said), args.manner.manner(), rng, tell);
    let played = partner.plays(args.games).await;
    partner.leaves().await;
    played.map(|()| ExitCode::SUCCESS).map_err(|err| Failure::Refused(err.to_string()))
}

async fn engine(args: &EngineArgs) -> Result<ExitCode, Failure> {
    let program = home::program(&args.engine);
    let mut engine = annabella_partner::engine::Engine::new(&program, &args.engine_arg);
    engine.start().await.map_err(|err| Failure::Missing(err.to_string()))?;
    println!("{}: {}", program.display(), engine.name());
    for level in Level::ALL.filter_map(Level::new) {
        let strength = level.strength(engine.offers());
        let options = strength.options.iter().map(|(name, value)| format!("{name} {value}"));
        let nodes = strength.nodes.map(|nodes| format!("at most {nodes} nodes"));
        let all: Vec<String> = options.chain(nodes).collect();
        let all = if all.is_empty() { "as it is".to_owned() } else { all.join(", ") };
        println!("level {}: {all}", level.number());
    }
    engine.stop().await;
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn manual_pages_and_completions_are_those_of_the_command_line() {
        let command = super::Cli::command();
        crate::manual::assert_written(command, "annabella-partner", "partner/share", &[]);
    }
}
