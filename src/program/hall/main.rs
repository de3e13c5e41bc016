//! `annabella-hall`, the program of the hall: what joins many boards of one event. `annabella hall`
//! hands over to it, and the service at a board starts it as the board's wire.

mod compare;
mod keys;
#[cfg(test)]
#[path = "../../../tests/shared/manual.rs"]
mod manual;
mod own;
mod pairings;
mod serve;
mod servers;
mod told;
mod wire;

use std::process::ExitCode;

use annabella::cli;
use clap::{Parser, Subcommand};

/// Joins the boards of an event: tells what needs the arbiter, and writes the games for the public.
/// Without --url it starts a nats-server of its own, for which the package nats-server must be
/// installed.
#[derive(Parser)]
#[command(
    name = "annabella hall",
    version,
    max_term_width = 100,
    args_conflicts_with_subcommands = true
)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: serve::ServeArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Makes the keys of an event, and takes a lost one away
    Keys(keys::KeysArgs),
    /// Compares a board's journal with its rows in the hall, which the board has signed
    Compare(compare::CompareArgs),
    /// Sends a board's journal; the service at the board starts it and tells it what it needs
    #[command(hide = true)]
    Wire,
    /// Fetches a board's last game; `annabella play --take-over` asks it
    #[command(hide = true)]
    Fetch,
    /// Says who is paired at a board; the service at the board asks it
    #[command(hide = true)]
    Pairing,
    /// Looks whether the hall takes a board's rows; `annabella doctor` asks it
    #[command(hide = true)]
    Look,
}

fn main() -> ExitCode {
    cli::start("annabella-hall", |cli: &Cli, out| match &cli.command {
        None => serve::run(&cli.serve, out),
        Some(Command::Keys(args)) => keys::run(args, out),
        Some(Command::Compare(args)) => compare::run(args, out),
        Some(Command::Wire) => wire::run(out),
        Some(Command::Fetch) => wire::fetch(out),
        Some(Command::Pairing) => wire::pairing(out),
        Some(Command::Look) => wire::look(out),
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn manual_pages_and_completions_are_those_of_the_command_line() {
        crate::manual::assert_written(super::Cli::command(), "annabella-hall", "share", &[]);
    }

    #[test]
    fn every_command_and_option_has_its_german_line_and_none_is_left_over() {
        let german = annabella::cli::german();
        annabella_locale::assert_german(&german, "annabella-hall", &super::Cli::command());
    }
}
