//! `annabella`, the program: reads the call, runs one command, turns its end into an exit code.

use std::{io::Write, process::ExitCode};

use annabella::cli::{self, Exit, Failure};
use clap::{Parser, Subcommand};

/// Stands at the board with a blind chess player: feels the pegs, says and hears the moves in the
/// words of FIDE's Laws, keeps both game scores.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// A real game on a simulated peg board, sighted board and clock, spoken
    Demo(cli::demo::DemoArgs),
    /// The service at the board
    Play(cli::play::PlayArgs),
    /// Set up by ear: language, voice, sound, board, clock, time control
    Setup(cli::setup::SetupArgs),
    /// The peg board's reeds: live squares, guided self-test
    Board(cli::board::BoardArgs),
    /// The announcement of a move, as text and as sound
    Say(cli::say::SayArgs),
    /// The records: list, show, export
    Games(cli::games::GamesArgs),
    /// Recordings to words and moves
    Listen(cli::listen::ListenArgs),
    /// Whether board, sound and machine are as they should be, and what mends them
    Doctor(cli::doctor::DoctorArgs),
    /// She gets to know a player's voice: thirty sentences, spoken after her
    Enrol(cli::enrol::EnrolArgs),
    /// Recordings of synthetic speakers, to measure hearing on
    Corpus(cli::corpus::CorpusArgs),
    /// How well recordings are understood
    Measure(cli::measure::MeasureArgs),
    /// Sensor events to moves, as JSON lines
    Infer(cli::infer::InferArgs),
    /// The words that the built-in speech model hears: list, add, build
    Words(cli::words::WordsArgs),
    /// Two boards that differ: who corrects what (D.2.9)
    Reconcile(cli::reconcile::ReconcileArgs),
    /// A device for other programs to be tried against
    #[cfg(feature = "dgt")]
    Simulate(cli::simulate::SimulateArgs),
}

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(err) => return called_wrongly(&err),
    };
    let mut out = std::io::stdout().lock();
    let ended = match &cli.command {
        Command::Demo(args) => cli::demo::run(args, &mut out),
        Command::Play(args) => cli::play::run(args, &mut out),
        Command::Setup(args) => cli::setup::run(args, &mut out),
        Command::Board(args) => cli::board::run(args, &mut out),
        Command::Say(args) => cli::say::run(args, &mut out),
        Command::Games(args) => cli::games::run(args, &mut out),
        Command::Listen(args) => cli::listen::run(args, &mut out),
        Command::Doctor(args) => cli::doctor::run(args, &mut out),
        Command::Enrol(args) => cli::enrol::run(args, &mut out),
        Command::Corpus(args) => cli::corpus::run(args, &mut out),
        Command::Measure(args) => cli::measure::run(args, &mut out),
        Command::Infer(args) => cli::infer::run(args, &mut out),
        Command::Words(args) => cli::words::run(args, &mut out),
        Command::Reconcile(args) => cli::reconcile::run(args, &mut out),
        #[cfg(feature = "dgt")]
        Command::Simulate(args) => cli::simulate::run(args, &mut out),
    };
    let flushed = out.flush().map_err(Failure::from);
    match ended.and_then(|exit| flushed.map(|()| exit)) {
        Ok(Exit::Done) => ExitCode::SUCCESS,
        Ok(Exit::Problem) => ExitCode::from(1),
        // Whoever read the output has seen enough.
        Err(Failure::Closed) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("annabella: {failure}");
            ExitCode::from(failure.code())
        }
    }
}

/// Help goes to standard output; a wrong call gets one line and exit code 2.
fn called_wrongly(err: &clap::Error) -> ExitCode {
    if !err.use_stderr() {
        // Help that nobody reads is no failure.
        let _ = err.print();
        return ExitCode::SUCCESS;
    }
    if err.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let _ = err.print();
        return ExitCode::from(2);
    }
    let text = err.to_string();
    let about: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty())
        .collect();
    let line = about.join("; ").replace("error: ", "");
    eprintln!("annabella: {line}; `annabella --help` tells more");
    ExitCode::from(2)
}
