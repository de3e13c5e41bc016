//! `annabella-partner`, the program: somebody to play with at home.

#![warn(clippy::print_stdout, clippy::print_stderr)]

#[cfg(test)]
#[path = "../../tests/shared/manual.rs"]
mod manual;

use std::{
    path::{Path, PathBuf},
    process::ExitCode,
    sync::LazyLock,
};

use annabella_core::game::clock::TimeControl;
use annabella_locale::{Catalogue, call, is_german};
use annabella_partner::{
    door::{Door, Place},
    friend::evening::{self as friend, FriendArgs, FriendError},
    home::{self, Chosen, Files, HomeError, Service, TableArgs},
    level::Level,
    lichess::evening::{self as far, EveningError, LichessArgs},
    pace::Pace,
    player::{Home, Manner, Opponent, Partner},
    puzzle::{self, PuzzleError},
    replay::{self, Listener, ReplayError},
    streams::{error_text, output},
    table::Side,
    thinker::Thinker,
    words,
};
use clap::{Args, CommandFactory as _, Parser, Subcommand, ValueEnum};
use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;

const NAME: &str = "annabella-partner";

/// What it says in German, where that is asked for.
static GERMAN: LazyLock<Option<Catalogue>> = LazyLock::new(|| is_german().then(german));

fn german() -> Catalogue {
    Catalogue::german(include_str!("german.toml"))
}

/// Plays for the sighted player at home, with a chess engine that speaks UCI: sets the table,
/// starts `annabella play` there and sits down. What is chosen is remembered for the next time. In
/// a tournament's game it is let in nowhere.
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
    /// Plays against a person on Lichess
    Lichess(LichessArgs),
    /// Plays against a person with the same program
    Friend(FriendArgs),
    /// Goes through a game of a PGN file by ear: "weiter", "zurück", "Anfang", "was steht auf Eva
    /// vier"
    Replay(ReplayArgs),
    /// Puts the puzzle of the day from a file: PGN, or the table that Lichess publishes (CSV)
    Puzzle(PuzzleArgs),
    /// Goes through the last game at home, or one of a file, and the engine names better moves
    Review(ReviewArgs),
}

#[derive(Debug, Args)]
struct ReplayArgs {
    /// The file of games (PGN).
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which of its games; the first is 1.
    #[arg(long, value_name = "N", default_value_t = 1)]
    number: usize,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Debug, Args)]
struct PuzzleArgs {
    /// The file of puzzles.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Which of its puzzles; the first is 1. Another one each day if not given.
    #[arg(long, value_name = "N")]
    number: Option<usize>,
    #[command(flatten)]
    table: TableArgs,
}

#[derive(Debug, Args)]
struct ReviewArgs {
    /// The file of games (PGN); without one the last finished game at home.
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Which of its games; the first is 1.
    #[arg(long, value_name = "N", default_value_t = 1, requires = "file")]
    number: usize,
    #[command(flatten)]
    table: TableArgs,
    /// The engine: a program in PATH or its file. The one played with last if not given.
    #[arg(long, value_name = "PROGRAM")]
    engine: Option<String>,
    /// A word for the engine's own command line; several times for several.
    #[arg(long, value_name = "WORD", allow_hyphen_values = true)]
    engine_arg: Vec<String>,
}

#[derive(Debug, Args)]
struct EveningArgs {
    #[command(flatten)]
    strength: StrengthArgs,
    /// Your colour, White at first.
    #[arg(long, visible_alias = "color", value_name = "COLOUR")]
    colour: Option<Side>,
    /// Time control, as in the configuration. "15+10" at first: a quarter of an hour, ten seconds a
    /// move.
    #[arg(long, value_name = "CONTROL", value_parser = home::time_control)]
    time: Option<TimeControl>,
    /// Begin a new game even if the last one was not finished.
    #[arg(long)]
    new: bool,
    #[command(flatten)]
    table: TableArgs,
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

impl From<EveningError> for Failure {
    fn from(err: EveningError) -> Failure {
        match err {
            EveningError::Home(err) => err.into(),
            EveningError::Meet(_) | EveningError::Unplayable { .. } => {
                Failure::Refused(err.to_string())
            }
            _ => Failure::Missing(err.to_string()),
        }
    }
}

impl From<FriendError> for Failure {
    fn from(err: FriendError) -> Failure {
        match err {
            FriendError::Home(err) => err.into(),
            err if err.is_usage() => Failure::Usage(err.to_string()),
            err if err.is_refused() => Failure::Refused(err.to_string()),
            err => Failure::Missing(err.to_string()),
        }
    }
}

impl From<PuzzleError> for Failure {
    fn from(err: PuzzleError) -> Failure {
        match err {
            PuzzleError::File { .. } => Failure::Missing(err.to_string()),
            _ => Failure::Usage(err.to_string()),
        }
    }
}

impl From<ReplayError> for Failure {
    fn from(err: ReplayError) -> Failure {
        match err {
            ReplayError::File { .. } | ReplayError::Journal(_) => Failure::Missing(err.to_string()),
            _ => Failure::Usage(err.to_string()),
        }
    }
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(err) => {
            let answered = call::answer(Cli::command(), NAME, GERMAN.as_ref(), err);
            return answered.unwrap_or_else(|line| {
                error_text(&format!("{NAME}: {line}\n"));
                ExitCode::from(2)
            });
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
            Some(Sub::Lichess(args)) => Ok(ExitCode::from(far::evening(args, tell).await?)),
            Some(Sub::Friend(args)) => Ok(ExitCode::from(friend::evening(args, tell).await?)),
            Some(Sub::Replay(args)) => replay(args).await,
            Some(Sub::Puzzle(args)) => puzzle(args).await,
            Some(Sub::Review(args)) => review(args).await,
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
    error_text(&format!("{NAME}: {}\n", in_own_language(line)));
}

fn in_own_language(line: &str) -> String {
    GERMAN.as_ref().map_or_else(|| line.to_owned(), |german| german.error(line))
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
            opponents: Vec::new(),
            puzzle: None,
            home: None,
        }
    }
}

/// The engine's name and a level, as they are spoken and stand in the record.
fn named(thinker: &Thinker, level: Level, language: &str) -> String {
    format!("{}, {}", thinker.spoken_name(), words::level(language, level.number()))
}

/// The engine at every level.
fn opponents(thinker: &Thinker, language: &str) -> Vec<Opponent> {
    let levels = Level::ALL.filter_map(Level::new);
    levels.map(|level| Opponent { name: named(thinker, level, language), level }).collect()
}

async fn evening(args: &EveningArgs) -> Result<ExitCode, Failure> {
    let files = Files::at(args.table.folder.as_deref())?;
    let before = files.remembered(tell);
    let chosen = Chosen {
        level: args.strength.level.unwrap_or(before.level),
        colour: args.colour.map_or(before.colour, Color::from),
        engine: args.strength.engine.clone().unwrap_or(before.engine),
        time: args.time.as_ref().map_or(before.time, TimeControl::to_string),
    };
    let program = home::program(&chosen.engine);
    let (mut thinker, said) = Thinker::new(&program, &args.strength.engine_arg, chosen.level);
    // Nobody sits down before a table at which nobody can play.
    thinker.start().await.map_err(|err| Failure::Missing(err.to_string()))?;
    let own = home::own_configuration(args.table.config.as_deref());
    let language = home::language_of(own.as_deref());
    let name = named(&thinker, chosen.level, &language);
    let opponents = opponents(&thinker, &language);
    let names: Vec<String> = opponents.iter().map(|opponent| opponent.name.clone()).collect();
    let config = files.configure(own.as_deref(), &chosen, &name, &names)?;
    files.remember(&chosen)?;
    // One of an earlier evening opens nothing.
    let _ = std::fs::remove_file(files.code());
    let mut call = call(&config, &args.table);
    call.push("--setup".to_owned());
    call.extend(args.new.then(|| "--new".to_owned()));
    let mut service = Service::start(&home::service(), &call)?;
    // The level may change from game to game: the names in the record have it.
    let door = Door::at(Place::File(files.code()), &thinker.name());
    let rng = rng(args.manner.seed);
    let home = Some(Home { files, chosen });
    let manner = Manner { opponents, home, ..args.manner.manner() };
    let mut partner = Partner::new(door, (thinker, said), manner, rng, tell);
    sits(&mut service, &mut partner, &args.table).await
}

/// The service's call with this configuration.
fn call(config: &Path, table: &TableArgs) -> Vec<String> {
    let mut call = vec!["play".to_owned(), "--config".to_owned(), config.display().to_string()];
    call.extend(table.json.then(|| "--json".to_owned()));
    call
}

/// The partner is there until the service has ended.
async fn sits(
    service: &mut Service,
    partner: &mut Partner,
    table: &TableArgs,
) -> Result<ExitCode, Failure> {
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
    closed(ended, table)
}

/// As the service ended.
fn closed(
    ended: std::io::Result<std::process::ExitStatus>,
    table: &TableArgs,
) -> Result<ExitCode, Failure> {
    let status =
        ended.map_err(|err| Failure::Missing(format!("cannot wait for the service: {err}")))?;
    let code = status.code().and_then(|code| u8::try_from(code).ok()).unwrap_or(1);
    home::say_where_to_mend(code, table.config.as_deref(), tell);
    Ok(ExitCode::from(code))
}

/// A finished game, laid out for the service to be gone through: its call.
fn laid_out(
    files: &Files,
    chosen: &Chosen,
    table: &TableArgs,
    file: Option<(&Path, usize)>,
) -> Result<Vec<String>, Failure> {
    let own = home::own_configuration(table.config.as_deref());
    let pack = |key: &str, usual: &str| {
        home::pack_of(own.as_deref(), key).unwrap_or_else(|| usual.to_owned())
    };
    let (journal, game) = match file {
        None => (files.journal(), replay::last_finished(&files.journal())?),
        Some((path, number)) => {
            let read = replay::read(path, number)?;
            let listener = Listener {
                words: pack("words", "fide"),
                prompts: pack("prompts", "de"),
                colour: chosen.colour,
            };
            let inputs = replay::inputs(&read, &listener)?;
            (files.replayed(), replay::write(&files.replayed(), &inputs)?)
        }
    };
    let config = files.configure_looking(own.as_deref(), chosen, &journal)?;
    // One of an earlier evening opens nothing.
    let _ = std::fs::remove_file(files.code());
    let mut call = call(&config, table);
    call.extend(["--game".to_owned(), game.number.to_string()]);
    Ok(call)
}

async fn replay(args: &ReplayArgs) -> Result<ExitCode, Failure> {
    let files = Files::at(args.table.folder.as_deref())?;
    let chosen = files.remembered(tell);
    let call = laid_out(&files, &chosen, &args.table, Some((&args.file, args.number)))?;
    let mut service = Service::start(&home::service(), &call)?;
    closed(service.ended().await, &args.table)
}

async fn puzzle(args: &PuzzleArgs) -> Result<ExitCode, Failure> {
    let files = Files::at(args.table.folder.as_deref())?;
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let day = since.map_or(0, |since| since.as_secs() / 86_400);
    let puzzle = puzzle::chosen(&args.file, args.number, day)?;
    let own = home::own_configuration(args.table.config.as_deref());
    let name = words::puzzle(&home::language_of(own.as_deref()), &puzzle.name);
    let remembered = files.remembered(tell);
    let engine = home::program(&remembered.engine);
    // Nobody waits for whoever solves it.
    let chosen = Chosen { colour: puzzle.solver, time: "180".to_owned(), ..remembered };
    let config = files.configure_puzzle(own.as_deref(), &chosen, (&puzzle.start, &name))?;
    let _ = std::fs::remove_file(files.code());
    let mut call = call(&config, &args.table);
    call.extend(["--setup".to_owned(), "--new".to_owned()]);
    let mut service = Service::start(&home::service(), &call)?;
    let door = Door::at(Place::File(files.code()), &name);
    let manner = Manner { puzzle: Some(puzzle), ..quick() };
    let thinker = Thinker::new(&engine, &[], Level::FULL);
    let mut partner = Partner::new(door, thinker, manner, rng(None), tell);
    sits(&mut service, &mut partner, &args.table).await
}

/// At once, and remembering nothing.
fn quick() -> Manner {
    Manner {
        pace: Pace::Quick,
        score: None,
        openings: false,
        opponents: Vec::new(),
        puzzle: None,
        home: None,
    }
}

async fn review(args: &ReviewArgs) -> Result<ExitCode, Failure> {
    let files = Files::at(args.table.folder.as_deref())?;
    let chosen = files.remembered(tell);
    let engine = args.engine.as_deref().unwrap_or(&chosen.engine);
    let (mut thinker, said) = Thinker::new(&home::program(engine), &args.engine_arg, Level::FULL);
    thinker.start().await.map_err(|err| Failure::Missing(err.to_string()))?;
    let file = args.file.as_deref().map(|file| (file, args.number));
    let call = laid_out(&files, &chosen, &args.table, file)?;
    let mut service = Service::start(&home::service(), &call)?;
    let door = Door::at(Place::File(files.code()), &thinker.name());
    let mut partner = Partner::new(door, (thinker, said), quick(), rng(None), tell);
    sits(&mut service, &mut partner, &args.table).await
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
    let door = Door::at(place, &named(&thinker, level, "en"));
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
    let mut told = format!("{}: {}\n", program.display(), engine.name());
    for level in Level::ALL.filter_map(Level::new) {
        let strength = level.strength(engine.offers());
        let options = strength.options.iter().map(|(name, value)| format!("{name} {value}"));
        let nodes = strength.nodes.map(|nodes| format!("at most {nodes} nodes"));
        let nodes = nodes.map(|nodes| in_own_language(&nodes));
        let all: Vec<String> = options.chain(nodes).collect();
        let all = if all.is_empty() { "as it is".to_owned() } else { all.join(", ") };
        told += &in_own_language(&format!("level {}: {all}", level.number()));
        told += "\n";
    }
    engine.stop().await;
    output(&told).map_err(Failure::Missing)?;
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

    #[test]
    fn every_command_and_option_has_its_german_line_and_none_is_left_over() {
        annabella_locale::assert_german(&super::german(), super::NAME, &super::Cli::command());
    }
}
