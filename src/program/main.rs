//! `annabella`, the program: reads the call, runs one command, turns its end into an exit code.

use std::process::ExitCode;

use annabella::cli;
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
    /// How well recordings are understood, and by which model better
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
    cli::start("annabella", |cli: &Cli, out| match &cli.command {
        Command::Demo(args) => cli::demo::run(args, out),
        Command::Play(args) => cli::play::run(args, out),
        Command::Setup(args) => cli::setup::run(args, out),
        Command::Board(args) => cli::board::run(args, out),
        Command::Say(args) => cli::say::run(args, out),
        Command::Games(args) => cli::games::run(args, out),
        Command::Listen(args) => cli::listen::run(args, out),
        Command::Doctor(args) => cli::doctor::run(args, out),
        Command::Enrol(args) => cli::enrol::run(args, out),
        Command::Measure(args) => cli::measure::run(args, out),
        Command::Infer(args) => cli::infer::run(args, out),
        Command::Words(args) => cli::words::run(args, out),
        Command::Reconcile(args) => cli::reconcile::run(args, out),
        #[cfg(feature = "dgt")]
        Command::Simulate(args) => cli::simulate::run(args, out),
    })
}
