//! `annabella-lab` measures how well speech is understood, and makes recordings for that. It is not
//! installed, since nobody needs it at a board.

mod corpus;
mod people;

use std::process::ExitCode;

use annabella::cli;
use clap::{Parser, Subcommand};

/// Measures how well Annabella understands speech.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Lab {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Recordings of synthetic speakers, to measure hearing on
    Corpus(corpus::CorpusArgs),
    /// How well people are understood, each counted once
    People(people::PeopleArgs),
}

fn main() -> ExitCode {
    cli::start("annabella-lab", |lab: &Lab, out| match &lab.command {
        Command::Corpus(args) => corpus::run(args, out),
        Command::People(args) => people::run(args, out),
    })
}
