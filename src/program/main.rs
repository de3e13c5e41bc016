//! `annabella`, the program: reads the call, runs one command, turns the result into an exit code.

#[cfg(test)]
#[path = "../../tests/shared/manual.rs"]
mod manual;

use std::process::ExitCode;

use annabella::{
    cli::{
        self,
        hand_over::{ForAnother, hand_over},
    },
    service::{
        beside::{HALL, LAB, PARTNER},
        streams::Stream,
    },
};
use clap::{Parser, Subcommand};

/// Assists a blind chess player at the board: feels the pegs, says and hears moves in the words of
/// FIDE's Laws, keeps both game scores.
#[derive(Parser)]
#[command(version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Plays a real game on simulated boards and a simulated clock, spoken
    Demo(ForAnother),
    /// Runs the service at the board
    Play(cli::play::PlayArgs),
    /// Sets up by ear: language, voice, sound, board, clock, time control
    Setup(cli::setup::SetupArgs),
    /// Shows the peg board's live squares, and tests its reeds
    Board(cli::board::BoardArgs),
    /// Announces a move, as text and as sound
    Say(cli::say::SayArgs),
    /// Lists, shows, exports and adjourns recorded games
    Games(cli::games::GamesArgs),
    /// Joins the boards of an event over NATS
    Hall(ForAnother),
    /// Plays for the sighted player at home; never in a tournament
    Partner(ForAnother),
    /// Recognises words and moves in recordings, or from the microphone
    Listen(cli::listen::ListenArgs),
    /// Checks board, sound and machine, and says how to mend each fault
    Doctor(cli::doctor::DoctorArgs),
    /// Learns a player's voice from thirty sentences, by ear alone
    Enrol(cli::enrol::EnrolArgs),
    /// Gives your voice: words of chess for speech models to learn from, by ear alone
    Donate(cli::donate::DonateArgs),
    /// Practises the words of the game, spoken or typed
    Practice(cli::practice::PracticeArgs),
    /// Measures how well recordings are understood, and by which model better
    Measure(ForAnother),
    /// Turns sensor events into moves, as JSON lines
    Infer(cli::infer::InferArgs),
    /// Lists, adds or builds the words of the built-in speech model
    Words(cli::words::WordsArgs),
    /// Settles two boards that differ: who corrects what (D.2.9)
    Reconcile(cli::reconcile::ReconcileArgs),
    /// Simulates a device, to try other programs against
    Simulate(ForAnother),
}

fn main() -> ExitCode {
    cli::start("annabella", |cli: &Cli, out| match &cli.command {
        Command::Demo(call) => Err(hand_over(LAB, Some("demo"), call)),
        Command::Play(args) => cli::play::run(args, Stream::output()),
        Command::Setup(args) => cli::setup::run(args, out),
        Command::Board(args) => cli::board::run(args, out),
        Command::Say(args) => cli::say::run(args, out),
        Command::Games(args) => cli::games::run(args, out),
        Command::Hall(call) => Err(hand_over(HALL, None, call)),
        Command::Partner(call) => Err(hand_over(PARTNER, None, call)),
        Command::Listen(args) => cli::listen::run(args, out),
        Command::Doctor(args) => cli::doctor::run(args, out),
        Command::Enrol(args) => cli::enrol::run(args, out),
        Command::Donate(args) => cli::donate::run(args, out),
        Command::Practice(args) => cli::practice::run(args, out),
        Command::Measure(call) => Err(hand_over(LAB, Some("measure"), call)),
        Command::Infer(args) => cli::infer::run(args, out),
        Command::Words(args) => cli::words::run(args, out),
        Command::Reconcile(args) => cli::reconcile::run(args, out),
        Command::Simulate(call) => Err(hand_over(LAB, Some("simulate"), call)),
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory as _;

    #[test]
    fn manual_pages_and_completions_are_those_of_the_command_line() {
        let others = ["annabella-hall.1", "annabella-partner.1"];
        crate::manual::assert_written(super::Cli::command(), "annabella", "share", &others);
    }

    #[test]
    fn every_command_and_option_has_its_german_line_and_none_is_left_over() {
        let german = annabella::cli::german();
        annabella_locale::assert_german(&german, "annabella", &super::Cli::command());
    }
}
