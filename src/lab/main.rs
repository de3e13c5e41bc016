//! `annabella-lab`, the laboratory: demonstrations, measurements and emulated devices. It is not
//! installed, since nobody needs it at a board. `annabella demo`, `measure` and `simulate` hand
//! over to it.

mod corpus;
mod demo;
mod measure;
mod people;
mod setup;
mod simulate;

use std::process::ExitCode;

use annabella::cli;
use clap::{Parser, Subcommand};

/// Shows and measures what Annabella does, with simulated people and emulated devices.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a real game on simulated boards and a simulated clock, spoken
    Demo(Box<demo::DemoArgs>),
    /// Measures how well recordings are understood, and by which model better
    Measure(measure::MeasureArgs),
    /// Simulates a device, to try other programs against
    Simulate(simulate::SimulateArgs),
    /// Sets up by ear in a simulated room, as `annabella setup --simulate`
    Setup(setup::SetupArgs),
    /// Recordings of synthetic speakers, to measure hearing on
    Corpus(corpus::CorpusArgs),
    /// How well people are understood, each counted once
    People(people::PeopleArgs),
}

fn main() -> ExitCode {
    cli::start("annabella-lab", |lab: &Lab, out| match &lab.command {
        Command::Demo(args) => demo::run(args, out),
        Command::Measure(args) => measure::run(args, out),
        Command::Simulate(args) => simulate::run(args, out),
        Command::Setup(args) => setup::run(args, out),
        Command::Corpus(args) => corpus::run(args, out),
        Command::People(args) => people::run(args, out),
    })
}
